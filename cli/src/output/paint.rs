//! Colours on a terminal. Meaning never depends on them: what is red also says so in words.

use std::fmt;
use std::io::IsTerminal;

use clap::builder::styling::{AnsiColor, Style};

use crate::args::ColorWhen;

/// Whether to use colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Paint {
    On,
    Off,
}

/// What a text is, as far as colours show it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The head of a table.
    Head,
    /// What can be relied on.
    Good,
    /// What wants attention.
    Bad,
    /// Advice.
    Hint,
}

impl Tone {
    fn style(self) -> Style {
        match self {
            Self::Head => Style::new().bold(),
            Self::Good => AnsiColor::Green.on_default(),
            Self::Bad => AnsiColor::Red.on_default().bold(),
            Self::Hint => AnsiColor::Cyan.on_default(),
        }
    }
}

impl Paint {
    /// What the user wants for a stream.
    pub(crate) fn for_stream(when: ColorWhen, stream: &impl IsTerminal) -> Self {
        let on = match when {
            ColorWhen::Always => true,
            ColorWhen::Never => false,
            ColorWhen::Auto => {
                stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
            }
        };
        if on { Self::On } else { Self::Off }
    }

    /// The text in its colour.
    pub(crate) fn text(self, tone: Tone, text: impl fmt::Display) -> String {
        match self {
            Self::Off => text.to_string(),
            Self::On => {
                let style = tone.style();
                format!("{style}{text}{style:#}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_a_text_is_itself() {
        assert_eq!(Paint::Off.text(Tone::Bad, "disputed"), "disputed");
        assert_ne!(Paint::On.text(Tone::Bad, "disputed"), "disputed");
    }

    #[test]
    fn a_file_gets_colours_only_when_asked_for() {
        let file = std::fs::File::open("/dev/null").unwrap();
        assert_eq!(Paint::for_stream(ColorWhen::Auto, &file), Paint::Off);
        assert_eq!(Paint::for_stream(ColorWhen::Always, &file), Paint::On);
    }
}
