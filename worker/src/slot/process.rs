//! The child process of a slot as its supervisor holds it: orders in, news out, and one end.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use sprague_proto::v1::{SlotOrder, slot_order::Order};

use super::reap::{Reaped, reap};
use crate::frames::{self, FrameError};

/// The longest line of a child's standard error that is kept, in bytes.
const LONGEST_LINE: u64 = 1000;

/// A child process and the threads that read its pipes.
#[derive(Debug)]
pub(super) struct SlotProcess {
    child: Child,
    orders: ChildStdin,
    readers: Vec<JoinHandle<()>>,
    /// The last line that it wrote to its standard error.
    last_words: Arc<Mutex<String>>,
}

/// How a process ended, and the last that it said.
#[derive(Debug)]
pub(super) struct Death {
    pub(super) reaped: Reaped,
    pub(super) last_words: String,
}

impl SlotProcess {
    /// Starts `command` with the cap, the threads and this process's number as its last arguments. `read` is
    /// run in a thread of its own with the process's standard output.
    ///
    /// The process is sent a signal when the *thread* that calls this ends, so that must be the
    /// thread that looks after it. It has a process group of its own: Ctrl-C on a terminal is for the
    /// worker, which then decides what becomes of its units.
    pub(super) fn start(
        command: &[OsString],
        cap: u64,
        threads: u32,
        read: impl FnOnce(BufReader<std::process::ChildStdout>) + Send + 'static,
    ) -> io::Result<Self> {
        let (program, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "no command"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .args([cap.to_string(), threads.to_string(), std::process::id().to_string()])
            // The GNU allocator gives large blocks back to the system only below a threshold that
            // grows by itself; setting it keeps one unit's tables from counting in the next one.
            .env("MALLOC_MMAP_THRESHOLD_", "262144")
            // To print a backtrace means to read the program's symbols, for which a cap has no room.
            .env_remove("RUST_BACKTRACE")
            .env_remove("RUST_LIB_BACKTRACE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0)
            .spawn()?;
        let (Some(orders), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("all three were asked to be pipes");
        };
        let last_words = Arc::new(Mutex::new(String::new()));
        let mut process = Self { child, orders, readers: Vec::new(), last_words };
        if let Err(fault) = process.start_readers(output, errors, read) {
            // Without its readers it would be a child that nobody looks after.
            let _ = process.end();
            return Err(fault);
        }
        Ok(process)
    }

    fn start_readers(
        &mut self,
        output: std::process::ChildStdout,
        errors: ChildStderr,
        read: impl FnOnce(BufReader<std::process::ChildStdout>) + Send + 'static,
    ) -> io::Result<()> {
        let reader = thread::Builder::new().name("slot-output".to_owned());
        self.readers.push(reader.spawn(move || read(BufReader::new(output)))?);
        let last_words = Arc::clone(&self.last_words);
        let reader = thread::Builder::new().name("slot-errors".to_owned());
        self.readers.push(reader.spawn(move || keep_last_line(errors, &last_words))?);
        Ok(())
    }

    /// The process's number.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends an order.
    ///
    /// # Errors
    /// When the process is gone, or the order too large.
    pub(super) fn order(&mut self, order: Order) -> Result<(), FrameError> {
        frames::write(&mut self.orders, &SlotOrder { order: Some(order) })
    }

    /// Ends the process, if it has not ended by itself, and waits for it. A process that is on its
    /// way out keeps the status with which it goes.
    ///
    /// # Errors
    /// When the system knows nothing of the process.
    pub(super) fn end(mut self) -> io::Result<Death> {
        // Fails only for a process that was waited for, and nobody else can have done that.
        let _ = self.child.kill();
        let reaped = reap(self.child)?;
        for reader in self.readers {
            // A reader that panicked has nothing to add.
            let _ = reader.join();
        }
        let last_words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Ok(Death { reaped, last_words })
    }
}

/// Logs what a child writes to its standard error, and keeps the last line that says something.
fn keep_last_line(errors: ChildStderr, last_words: &Mutex<String>) {
    let mut errors = BufReader::new(errors);
    let mut line = Vec::new();
    loop {
        line.clear();
        match errors.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let said = String::from_utf8_lossy(&line);
        let said = said.trim();
        // The note on RUST_BACKTRACE is no help to the reader of a report.
        if said.is_empty() || said.starts_with("note: ") {
            continue;
        }
        tracing::debug!(said, "a slot's process wrote to its standard error");
        said.clone_into(&mut last_words.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
