//! Bytes, durations and counts as people write them: `64MiB`, `10min`.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use bytesize::ByteSize;
use sprague_worker::MOST_THREADS;

use crate::error::ExpectedError;
use crate::machine;

/// An amount of memory that something can run in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Memory(u64);

/// Why a text is not an amount of memory.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum MemoryError {
    #[error("an amount of memory is a number and a unit, such as 512MiB or 2GiB")]
    Form,
    #[error("less than {} leaves no room for any table", Memory::LEAST)]
    TooLittle,
}

impl Memory {
    /// The program itself and its stacks need some of it.
    pub(crate) const LEAST: Self = Self(sprague_worker::LEAST_CAP);

    /// This many bytes, or [`LEAST`](Self::LEAST) if that is more.
    pub(crate) fn at_least(bytes: u64) -> Self {
        Self(bytes).max(Self::LEAST)
    }

    pub(crate) fn bytes(self) -> u64 {
        self.0
    }

    /// As a flag takes it, exactly.
    pub(crate) fn as_flag(self) -> String {
        const MIB: u64 = 1 << 20;
        match self.0 {
            bytes if bytes.is_multiple_of(MIB) => format!("{}MiB", bytes / MIB),
            bytes => bytes.to_string(),
        }
    }

    /// What of it tables may take, where they are in this process.
    pub(crate) fn tables(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl FromStr for Memory {
    type Err = MemoryError;

    fn from_str(text: &str) -> Result<Self, MemoryError> {
        let size: ByteSize = text.parse().map_err(|_| MemoryError::Form)?;
        let memory = Self(size.as_u64());
        if memory < Self::LEAST { Err(MemoryError::TooLittle) } else { Ok(memory) }
    }
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&ByteSize(self.0).display().iec().to_string())
    }
}

/// Reads an amount of memory that is to be used on this machine.
pub(super) fn memory_here(text: &str) -> Result<Memory, String> {
    /// The default of the direct commands, which is never too much to ask for.
    const MODEST: u64 = 1 << 30;
    let memory: Memory = text.parse().map_err(|fault: MemoryError| fault.to_string())?;
    match machine::memory() {
        Some(has) if memory.bytes() > has.max(MODEST) => {
            Err(format!("this machine has {}", ByteSize(has).display().iec()))
        }
        _ => Ok(memory),
    }
}

/// Reads a duration of at least a second.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    let duration = humantime::parse_duration(text)
        .map_err(|_| "a duration is a number and a unit, such as 90s, 10min or 2h".to_owned())?;
    if duration < Duration::from_secs(1) {
        return Err("less than a second is no time to answer anything".to_owned());
    }
    Ok(duration)
}

/// Reads the budget of a job, which is counted in whole seconds.
pub(super) fn budget(text: &str) -> Result<Duration, String> {
    let budget = duration(text)?;
    if budget.subsec_nanos() != 0 {
        return Err("the budget of a job is counted in whole seconds, such as 90s".to_owned());
    }
    Ok(budget)
}

/// Reads a whole number within bounds.
pub(super) fn whole<T>(bounds: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + fmt::Display + Clone,
{
    move |text| match text.parse() {
        Ok(number) if bounds.contains(&number) => Ok(number),
        _ => Err(format!("not a number from {} to {}", bounds.start(), bounds.end())),
    }
}

/// Reads the number of a vertex, or how many of something there are.
pub(super) fn number(text: &str) -> Result<usize, String> {
    text.parse().map_err(|_| "not a number from 0".to_owned())
}

/// The most processes that one machine is asked to run beside each other.
const MOST: usize = 1024;

/// Reads a count of worker processes or slots.
pub(super) fn count(text: &str) -> Result<NonZeroUsize, String> {
    match text.parse::<NonZeroUsize>() {
        Ok(count) if count.get() <= MOST => Ok(count),
        _ => Err(format!("not a number from 1 to {MOST}")),
    }
}

/// Reads how many threads a unit may use.
pub(crate) fn threads(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(threads @ 1..=MOST_THREADS) => Ok(threads),
        _ => Err(format!("not a number from 1 to {MOST_THREADS}")),
    }
}

/// Says whether a slot of this memory has room for its threads.
pub(crate) fn enough_for_threads(memory: Memory, threads: u32) -> Result<(), ExpectedError> {
    let least = Memory(sprague_worker::least_cap(threads));
    if memory.bytes() >= least.bytes() {
        return Ok(());
    }
    Err(ExpectedError::Usage {
        message: format!("{memory} are too little for {threads} threads, the least is {least}"),
        hint: Some("give more with `--memory`, or take fewer threads".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_read_with_its_unit() {
        assert_eq!("64MiB".parse(), Ok(Memory(64 << 20)));
        assert_eq!("1G".parse(), Ok(Memory(1_000_000_000)));
        assert_eq!("67108864".parse(), Ok(Memory(64 << 20)));
        assert_eq!("64MiB".parse::<Memory>().unwrap().to_string(), "64.0 MiB");
        for memory in [Memory(1 << 30), Memory(123_456_789)] {
            assert_eq!(memory.as_flag().parse(), Ok(memory));
        }
    }

    #[test]
    fn what_is_no_memory_is_refused() {
        for text in ["", "much", "-1GiB", "1 potato"] {
            assert_eq!(text.parse::<Memory>(), Err(MemoryError::Form), "{text}");
        }
        assert_eq!("0".parse::<Memory>(), Err(MemoryError::TooLittle));
        assert_eq!("1MiB".parse::<Memory>(), Err(MemoryError::TooLittle));
    }

    #[test]
    fn no_more_memory_is_used_here_than_there_is() {
        assert_eq!(memory_here("64MiB"), Ok(Memory(64 << 20)));
        assert!(memory_here("1GiB").is_ok());
        for text in ["100TiB", "16EiB", "99999999999TiB"] {
            assert!(memory_here(text).is_err_and(|fault| fault.contains("this machine has")));
        }
    }

    #[test]
    fn durations_and_counts_are_bounded_below() {
        assert_eq!(duration("10min"), Ok(Duration::from_secs(600)));
        assert!(duration("0s").is_err() && duration("soon").is_err());
        assert_eq!(budget("1min 30s"), Ok(Duration::from_secs(90)));
        assert_eq!(budget("2000ms"), Ok(Duration::from_secs(2)));
        assert!(budget("1500ms").is_err_and(|fault| fault.contains("whole seconds")));
        assert!(budget("1s 1ns").is_err() && budget("500ms").is_err());
        assert_eq!(count("2").map(NonZeroUsize::get), Ok(2));
        let whole = whole(4..=30u8);
        assert_eq!((whole("4"), whole("30")), (Ok(4), Ok(30)));
        for text in ["3", "31", "300", "-1", "four", ""] {
            assert_eq!(whole(text), Err("not a number from 4 to 30".to_owned()), "{text}");
        }
        assert!(count("0").is_err() && count("-1").is_err() && count("99999999999").is_err());
    }
}
