//! Every `--help`, word for word. After a wanted change: `INSTA_UPDATE=always cargo test --test help`.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod program;

use program::{run, text};

fn help(path: &[String]) -> String {
    let words = path.iter().map(String::as_str).chain(["--help"]);
    let ran = run(words, b"");
    assert!(ran.status.success() && ran.stderr.is_empty(), "{path:?}");
    text(&ran.stdout).to_owned()
}

/// The commands that a help text lists.
fn commands(help: &str) -> Vec<String> {
    let section = help.lines().skip_while(|line| *line != "Commands:").skip(1);
    let lines = section.take_while(|line| !line.is_empty());
    let names = lines.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// The help of a command and of all commands below it.
fn collect(path: &[String], pages: &mut Vec<(String, String)>) {
    let page = help(path);
    let below = commands(&page);
    pages.push(([&["sprague".to_owned()], path].concat().join(" "), page));
    for name in below {
        collect(&[path, &[name]].concat(), pages);
    }
}

#[test]
fn every_help_reads_as_it_was_written() {
    let mut pages = Vec::new();
    collect(&[], &mut pages);
    assert!(pages.iter().any(|(path, _)| path == "sprague geography position"));
    for (path, page) in pages {
        insta::with_settings!({ description => &path, omit_expression => true }, {
            insta::assert_snapshot!(path.replace(' ', "-"), page);
        });
    }
}

/// The words of every command and of all commands below it.
fn paths(path: &[String], all: &mut Vec<Vec<String>>) {
    for name in commands(&help(path)) {
        let below = [path, &[name]].concat();
        paths(&below, all);
        all.push(below);
    }
}

#[test]
fn every_command_has_a_manual_page_and_completions() {
    let mut all = Vec::new();
    paths(&[], &mut all);
    assert!(all.len() > 30, "{}", all.len());
    let completions = run(["completions", "bash"], b"");
    for path in all {
        let page = run(["man".to_owned()].iter().chain(&path), b"");
        assert!(page.status.success(), "{path:?}");
        let title = format!("sprague-{}", path.join("-"));
        let page = text(&page.stdout);
        let head = page.lines().find(|line| line.starts_with(".TH")).unwrap_or_default();
        assert!(head.starts_with(&format!(".TH {title} ")), "{path:?}: {head}");
        assert!(
            head.contains(concat!("\"sprague ", env!("CARGO_PKG_VERSION"))),
            "{path:?}: {head}"
        );
        assert!(!page.contains(".SH EXTRA"), "{path:?}");
        let function =
            format!("sprague__subcmd__{}", path.join("__subcmd__").replace('-', "__subcmd__"));
        assert!(text(&completions.stdout).contains(&function), "{function}");
    }
    assert_eq!(run(["man", "nothing"], b"").status.code(), Some(2));
}

/// What bash offers for the last of these words.
fn offered(words: &[&str]) -> Vec<String> {
    let script = run(["completions", "bash"], b"");
    let (current, before) = (words[words.len() - 1], words[words.len() - 2]);
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let ask = format!(
        "{}\nCOMP_WORDS=({}); COMP_CWORD={}; _sprague_jobs sprague '{current}' '{before}'\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"",
        text(&script.stdout),
        quoted.join(" "),
        words.len() - 1
    );
    let mut file = tempfile::NamedTempFile::new().unwrap();
    std::io::Write::write_all(&mut file, ask.as_bytes()).unwrap();
    let ran = std::process::Command::new("bash").arg(file.path()).output().unwrap();
    assert!(ran.stderr.is_empty(), "{}", text(&ran.stderr));
    text(&ran.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_offers_what_can_come_next() {
    let jobs = |words: &[&str]| {
        let words = offered(words).into_iter();
        words.filter(|word| !word.starts_with('-') && !word.is_empty()).collect::<Vec<_>>()
    };
    assert_eq!(jobs(&["sprague", "run", ""]), ["cram", "geography"]);
    assert_eq!(jobs(&["sprague", "run", "cram", ""]), ["ablation"]);
    assert_eq!(jobs(&["sprague", "submit", "geography", "s"]), ["search", "sweep"]);
    assert_eq!(jobs(&["sprague", "run", "--workers", "2", "cram", "a"]), ["ablation"]);
    assert!(jobs(&["sprague", "run", "cram", "3x3", ""]).is_empty());
    assert_eq!(jobs(&["sprague", "run", "cram", "--method", "bru"]), ["brute-force"]);
    assert_eq!(jobs(&["sprague", "run", "cram", "--method", "mex,bru"]), ["mex,brute-force"]);
    assert_eq!(jobs(&["sprague", "job", "w"]), ["watch"]);
    assert!(jobs(&["sprague", "ru"]).contains(&"run".to_owned()));
    assert_eq!(
        offered(&["sprague", "worker", "--l"]),
        ["--log-format"],
        "what is hidden is not offered"
    );
}

#[test]
fn the_short_help_and_the_manual_name_every_command() {
    let all = commands(&help(&[]));
    for words in [vec!["-h"], vec!["man"], vec!["completions", "bash"]] {
        let ran = run(&words, b"");
        assert!(ran.status.success());
        for name in &all {
            assert!(text(&ran.stdout).contains(name.as_str()), "{name} in {words:?}");
        }
    }
}

#[test]
fn text_for_other_programs_is_one_json_value_when_that_is_asked_for() {
    for (words, of) in [(&["man", "run"][..], "man"), (&["completions", "zsh"], "zsh")] {
        let plain = run(words, b"");
        let ran = run([words, &["--output", "json"]].concat(), b"");
        let json: serde_json::Value = serde_json::from_slice(&ran.stdout).unwrap();
        assert_eq!(json["for"], of);
        assert_eq!(json["text"].as_str().unwrap(), text(&plain.stdout));
    }
}
