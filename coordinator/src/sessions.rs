//! The connections of workers, as far as orders go through them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use sprague_work::WorkerId;
use tokio::sync::mpsc;

use crate::core::Order;
use crate::journal;

/// What a session's orders go through. Its bound is more than a worker can have outstanding.
pub(crate) type OrderSender = mpsc::Sender<Order>;

/// An order for a worker over the connection that it had when the order was made. One that it makes
/// later begins with what it runs, of which the order knew nothing.
#[derive(Debug)]
pub(crate) struct Addressed {
    worker: WorkerId,
    session: u64,
    order: Order,
}

/// All connections, by worker.
#[derive(Debug, Default)]
pub(crate) struct Sessions(Mutex<HashMap<WorkerId, Connection>>);

/// A connection of a worker.
#[derive(Debug)]
pub(crate) struct Connection {
    /// The name of the worker, for the log.
    pub(crate) name: String,
    /// The number of the connection.
    pub(crate) session: u64,
    /// Where its orders go.
    pub(crate) orders: OrderSender,
}

impl Sessions {
    /// Makes the orders for a worker go to this connection; the one before, if any, ends.
    pub(crate) fn attach(&self, worker: WorkerId, connection: Connection) {
        self.lock().insert(worker, connection);
    }

    /// A connection has ended.
    pub(crate) fn detach(&self, worker: WorkerId, session: u64) {
        let mut sessions = self.lock();
        if sessions.get(&worker).is_some_and(|present| present.session == session) {
            sessions.remove(&worker);
        }
    }

    /// The orders with the present connections of their workers, without those for workers that
    /// have none.
    pub(crate) fn address(&self, orders: Vec<(WorkerId, Order)>) -> Vec<Addressed> {
        let sessions = self.lock();
        let address = |(worker, order)| {
            let session = sessions.get(&worker)?.session;
            Some(Addressed { worker, session, order })
        };
        orders.into_iter().filter_map(address).collect()
    }

    /// Sends orders whose connections are still there.
    pub(crate) fn send(&self, orders: Vec<Addressed>) {
        let mut sessions = self.lock();
        for Addressed { worker, session, order } in orders {
            let Some(present) = sessions.get(&worker).filter(|there| there.session == session)
            else {
                continue;
            };
            let Connection { name, orders, .. } = present;
            // Hearsay may be lost, and must not take the room of what may not.
            if matches!(order, Order::Hear(..)) && orders.capacity() < orders.max_capacity() / 2 {
                continue;
            }
            journal::tell_order(worker, name, &order);
            if orders.try_send(order).is_err() {
                // It does not listen. Closing the connection makes it come back and say what it
                // runs, which puts everything right.
                let number = worker.0;
                tracing::warn!(
                    worker = name,
                    number,
                    "it does not take its orders, its connection ends"
                );
                sessions.remove(&worker);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<WorkerId, Connection>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use sprague_work::{JobId, WorkerId};

    use super::*;

    const WORKER: WorkerId = WorkerId(1);

    fn connection(session: u64, orders: OrderSender) -> Connection {
        Connection { name: "ada".to_owned(), session, orders }
    }

    fn orders(jobs: std::ops::Range<u64>) -> Vec<(WorkerId, Order)> {
        jobs.map(|job| (WORKER, Order::Forget(JobId(job)))).collect()
    }

    #[test]
    fn an_order_does_not_go_to_a_later_connection() {
        let sessions = Sessions::default();
        let (first, mut at_first) = mpsc::channel(4);
        sessions.attach(WORKER, connection(1, first));
        let waiting = sessions.address(orders(0..1));
        let (second, mut at_second) = mpsc::channel(4);
        sessions.attach(WORKER, connection(2, second));
        sessions.send(waiting);
        sessions.send(sessions.address(orders(1..2)));
        assert_eq!(at_first.try_recv().ok(), None);
        assert_eq!(at_second.try_recv().ok(), Some(Order::Forget(JobId(1))));
        assert!(at_first.is_closed() || at_first.try_recv().is_err());

        // What an ended connection says of itself does not concern its successor.
        sessions.detach(WORKER, 1);
        assert_eq!(sessions.address(orders(2..3)).len(), 1);
        sessions.detach(WORKER, 2);
        assert!(sessions.address(orders(3..4)).is_empty());
    }

    #[test]
    fn a_worker_that_takes_no_orders_loses_its_connection() {
        let sessions = Sessions::default();
        let (sender, mut at_worker) = mpsc::channel(2);
        sessions.attach(WORKER, connection(1, sender));
        sessions.send(sessions.address(orders(0..3)));
        let mut told = Vec::new();
        while let Ok(order) = at_worker.try_recv() {
            told.push(order);
        }
        assert_eq!(told.len(), 2);
        assert_eq!(at_worker.try_recv(), Err(mpsc::error::TryRecvError::Disconnected));
    }
}
