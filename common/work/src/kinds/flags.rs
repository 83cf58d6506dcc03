//! Jobs that are told what to do by flags: `geography search --value 6 --vertices 12`.

use crate::JobError;

/// A flag and its number, or one that stands alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Flag {
    /// With its dashes: `--value`.
    pub(super) name: &'static str,
    /// What it is and in which range; `None` for a flag that stands alone.
    pub(super) number: Option<Number>,
}

/// What a flag's number may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Number {
    /// Such as `number of vertices`.
    pub(super) what: &'static str,
    pub(super) least: u64,
    pub(super) most: u64,
}

/// A job with flags.
#[derive(Clone, Copy, Debug)]
pub(super) struct Flagged {
    /// The words before the flags.
    pub(super) job: &'static str,
    pub(super) flags: &'static [Flag],
    /// A job that is complete.
    pub(super) example: &'static str,
}

/// The flags of one job as they were typed.
#[derive(Clone, Debug, Default)]
pub(super) struct Flags(Vec<(&'static str, u64)>);

impl Flagged {
    /// Reads flags; the last one counts where one is repeated.
    pub(super) fn read(&self, words: &[String]) -> Result<Flags, JobError> {
        let mut read = Flags::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(flag) = self.flags.iter().find(|flag| flag.name == word) else {
                let known = self.flags.iter().map(|flag| flag.name).collect();
                return Err(JobError::Flag { job: self.job, flag: word.clone(), known });
            };
            let value = match flag.number {
                None => 1,
                Some(number) => number.parse(words.next().map_or("", String::as_str))?,
            };
            read.0.retain(|(name, _)| *name != flag.name);
            read.0.push((flag.name, value));
        }
        Ok(read)
    }

    /// The words of a job with these flags, those that are as they are anyway left out.
    pub(super) fn words(&self, flags: &Flags, usual: &[(&str, u64)]) -> String {
        let shown = self.flags.iter().filter_map(|flag| {
            let value =
                flags.get(flag.name).filter(|&value| !usual.contains(&(flag.name, value)))?;
            Some(match flag.number {
                None => format!(" {}", flag.name),
                Some(_) => format!(" {} {value}", flag.name),
            })
        });
        std::iter::once(self.job.to_owned()).chain(shown).collect()
    }

    /// A flag that must be there.
    pub(super) fn required(&self, flags: &Flags, flag: &'static str) -> Result<u64, JobError> {
        let missing = JobError::Lacks { job: self.job, what: flag, example: self.example };
        flags.get(flag).ok_or(missing)
    }
}

impl Flags {
    /// The number of a flag; 1 for one that stands alone and was typed.
    pub(super) fn get(&self, name: &str) -> Option<u64> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

impl Number {
    fn parse(self, text: &str) -> Result<u64, JobError> {
        let Self { what, least, most } = self;
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.ok_or_else(|| JobError::Number { text: text.to_owned(), what, least, most })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: Flagged = Flagged {
        job: "count",
        flags: &[
            Flag {
                name: "--to",
                number: Some(Number { what: "number of steps", least: 1, most: 9 }),
            },
            Flag { name: "--loud", number: None },
        ],
        example: "count --to 3",
    };

    fn read(words: &str) -> Result<Flags, JobError> {
        COUNT.read(&words.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn flags_are_written_in_one_order_whatever_was_typed() {
        let flags = read("--loud --to 3 --to 4").unwrap();
        assert_eq!(COUNT.words(&flags, &[]), "count --to 4 --loud");
        assert_eq!(COUNT.words(&flags, &[("--to", 4)]), "count --loud");
        assert_eq!(COUNT.required(&flags, "--to").unwrap(), 4);
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert!(matches!(read("--two 3"), Err(JobError::Flag { .. })));
        for words in ["--to", "--to x", "--to 0", "--to 10", "--to -1"] {
            assert!(matches!(read(words), Err(JobError::Number { .. })), "{words}");
        }
        let missing = COUNT.required(&read("--loud").unwrap(), "--to");
        assert!(matches!(missing, Err(JobError::Lacks { what: "--to", .. })));
    }
}
