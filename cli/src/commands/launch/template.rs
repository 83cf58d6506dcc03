//! Files with places to fill in, and how each format wants what is put there.

use std::num::NonZeroUsize;

use crate::args::Memory;

/// What a worker needs beside the caps of its slots, in MiB.
const BESIDE_SLOTS: u64 = 512;

/// The template with `@NAME@` replaced by the value of that name. Lines of which nothing is left go.
pub(super) fn fill(template: &str, values: &[(&str, String)]) -> String {
    let mut text = String::with_capacity(template.len());
    for line in template.lines() {
        let mut filled = line.to_owned();
        for (name, value) in values {
            filled = filled.replace(&format!("@{name}@"), value);
        }
        if line.is_empty() || !filled.is_empty() {
            text.push_str(&filled);
            text.push('\n');
        }
    }
    text
}

/// What a machine must give to a worker, in MiB: more than the caps of all slots together, so that the caps are what
/// ends a unit.
pub(super) fn mebibytes(slots: NonZeroUsize, memory: Memory) -> u64 {
    let caps = memory.bytes().saturating_mul(slots.get() as u64);
    caps.div_ceil(1 << 20) + BESIDE_SLOTS
}

fn is_plain(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "_./:@=,+-".contains(c))
}

/// The text as one word of a POSIX shell.
pub(super) fn shell(text: &str) -> String {
    if is_plain(text) { text.to_owned() } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// The text as one word of a command of systemd.
pub(super) fn systemd(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('%', "%%");
    let text = text.replace('$', "$$");
    if is_plain(&text) { text } else { format!("\"{text}\"") }
}

/// The text as a string of YAML.
pub(super) fn yaml(text: &str) -> String {
    serde_json::json!(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_filled_and_lines_that_are_left_empty_go() {
        let filled = fill("a @X@\n\n@NOTHING@\nb\n", &[("X", "1".into()), ("NOTHING", "".into())]);
        assert_eq!(filled, "a 1\n\nb\n");
    }

    #[test]
    fn words_are_quoted_where_they_must_be() {
        assert_eq!(shell("/opt/sprague"), "/opt/sprague");
        assert_eq!(shell("it's $HOME"), "'it'\\''s $HOME'");
        assert_eq!(systemd("/opt/my games/100%"), "\"/opt/my games/100%%\"");
        assert_eq!(systemd("a\"b$c"), "\"a\\\"b$$c\"");
        assert_eq!(yaml("1GiB # no"), "\"1GiB # no\"");
    }

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        for text in ["", "plain", "two words", "it's", "$(reboot) `x` \"y\" \\", "*"] {
            let script = format!("printf %s {}", shell(text));
            let told = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
            assert_eq!(String::from_utf8(told.stdout).unwrap(), text);
        }
    }
}
