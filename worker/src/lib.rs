//! The worker: a session with the coordinator and a capped child process a slot.
