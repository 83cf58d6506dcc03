//! The list of machines of `sprague launch ssh`.

use std::fs::File;
use std::io::{self, Read};
use std::num::NonZeroUsize;
use std::path::Path;

use crate::args::{Memory, threads};

/// A machine and the worker that it is to get.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Host {
    /// `[USER@]HOST`, as ssh takes it.
    pub(super) destination: String,
    pub(super) port: Option<u16>,
    pub(super) slots: Option<NonZeroUsize>,
    pub(super) threads: Option<u32>,
    pub(super) memory: Option<Memory>,
    pub(super) name: Option<String>,
}

/// Why a text is no list of machines.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum HostsError {
    /// There is not one.
    #[error("it names no machine")]
    Empty,
    /// A line is none.
    #[error("line {line}: {fault}")]
    Line { line: usize, fault: String },
}

/// The most bytes that are read: ten thousand machines with all that may be said of each.
const LONGEST: u64 = 4 << 20;

/// The text of the list of machines, which may be a pipe, or anything at all that somebody named in error.
pub(super) fn read(file: &Path) -> io::Result<String> {
    let mut text = String::new();
    if File::open(file)?.take(LONGEST + 1).read_to_string(&mut text)? as u64 > LONGEST {
        let why = format!("a list of machines has at most {LONGEST} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
    }
    Ok(text)
}

/// Reads the machines, one a line.
pub(super) fn parse(text: &str) -> Result<Vec<Host>, HostsError> {
    let mut hosts = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
        let Some(machine) = words.next() else { continue };
        let host =
            host(machine, words).map_err(|fault| HostsError::Line { line: at + 1, fault })?;
        hosts.push(host);
    }
    if hosts.is_empty() { Err(HostsError::Empty) } else { Ok(hosts) }
}

fn host<'a>(machine: &str, settings: impl Iterator<Item = &'a str>) -> Result<Host, String> {
    let (destination, port) = match machine.rsplit_once(':') {
        // An address of version 6 stands in brackets where a port follows, and alone where none does.
        Some((head, port)) if !head.contains(':') || head.ends_with(']') => {
            let port: u16 = port.parse().map_err(|_| format!("{port:?} is no port"))?;
            (head, Some(port))
        }
        _ => (machine, None),
    };
    let destination = destination.replace(['[', ']'], "");
    // ssh would take it for an option.
    if destination.is_empty() || destination.starts_with('-') || destination.ends_with('@') {
        return Err(format!("{machine:?} is no machine"));
    }
    let mut host = Host { destination, port, slots: None, threads: None, memory: None, name: None };
    for setting in settings {
        let fault = || format!("{setting:?} is not slots=N, threads=N, memory=SIZE or name=NAME");
        match setting.split_once('=').ok_or_else(fault)? {
            ("slots", count) => host.slots = Some(count.parse().map_err(|_| fault())?),
            ("threads", count) => {
                let count = threads(count).map_err(|reason| format!("{}: {reason}", fault()))?;
                host.threads = Some(count);
            }
            ("memory", size) => {
                let memory = size.parse().map_err(|reason| format!("{}: {reason}", fault()))?;
                host.memory = Some(memory);
            }
            ("name", name) if !name.is_empty() => host.name = Some(name.to_owned()),
            _ => return Err(fault()),
        }
    }
    Ok(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(destination: &str, port: Option<u16>) -> Host {
        let destination = destination.to_owned();
        Host { destination, port, slots: None, threads: None, memory: None, name: None }
    }

    #[test]
    fn machines_are_read_with_what_is_said_of_them() {
        let text = "# ours\none\n\n me@two.example.org:2222 slots=4 threads=3 memory=2GiB name=big # theirs\n";
        let big = Host {
            slots: NonZeroUsize::new(4),
            threads: Some(3),
            memory: Some("2GiB".parse().unwrap()),
            name: Some("big".to_owned()),
            ..plain("me@two.example.org", Some(2222))
        };
        assert_eq!(parse(text).unwrap(), [plain("one", None), big]);
        assert_eq!(parse("me@[::1]:22").unwrap(), [plain("me@::1", Some(22))]);
        assert_eq!(parse("::1").unwrap(), [plain("::1", None)]);
    }

    #[test]
    fn a_file_without_end_is_no_list() {
        let fault = read(Path::new("/dev/zero")).unwrap_err();
        assert_eq!(fault.kind(), io::ErrorKind::FileTooLarge);
    }

    #[test]
    fn what_is_no_machine_is_refused_with_its_line() {
        assert_eq!(parse("# nobody\n"), Err(HostsError::Empty));
        for line in [
            "-oProxyCommand=x",
            "me@",
            "a:port",
            "a:99999",
            "a slots=0",
            "a threads=0",
            "a threads=many",
            "a cores=4",
            "a 4",
        ] {
            let fault = parse(&format!("one\n{line}\n")).unwrap_err();
            assert!(matches!(fault, HostsError::Line { line: 2, .. }), "{line}: {fault}");
        }
        let fault = parse("a memory=1KiB").unwrap_err().to_string();
        assert!(fault.contains("no room for any table"), "{fault}");
    }
}
