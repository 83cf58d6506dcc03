//! The child process of a worker's slot: this program again, told apart by its first word before
//! the command line is read or a thread is started.

use std::ffi::OsString;
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::str::FromStr;

use sprague_work::Registry;

/// The first word. No user types it.
pub(crate) const WORD: &str = "slot-child";

/// Lives the life of a slot's child if this process is one: `slot-child CAP THREADS WORKER`.
pub(crate) fn live_as_child() -> Option<ExitCode> {
    let mut line = std::env::args_os().skip(1);
    if line.next()? != WORD {
        return None;
    }
    let (cap, threads, worker) = (number(line.next()), number(line.next()), number(line.next()));
    match (cap, threads, worker) {
        (Some(cap), Some(threads), Some(worker)) => {
            Some(sprague_worker::slot_main(Registry::standard(), cap, threads, worker))
        }
        _ => {
            let _ =
                writeln!(io::stderr(), "error: {WORD} is for a worker to start, not for people");
            Some(ExitCode::from(2))
        }
    }
}

fn number<N: FromStr>(word: Option<OsString>) -> Option<N> {
    word?.to_str()?.parse().ok()
}
