//! `sprague geography play GRAPH6`

use std::io::{self, IsTerminal, Write};

use sprague_geography::matching::winning_move;
use sprague_geography::{AnalyseError, Graph, graph6};

use super::read;
use crate::args::{GeographyPlayArgs, OutputFormat};
use crate::commands::lines::{Line, Lines};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::{PlayedGame, Winner};

/// No move that can be meant is longer.
const LONGEST: usize = 64;

pub(crate) fn run(context: &Context, args: &GeographyPlayArgs) -> Result<Exit, ExpectedError> {
    let graph = read::graph(args.graph6.as_bytes())?;
    match (graph.order(), args.start) {
        (0, _) => return Err(ExpectedError::Geography(AnalyseError::EmptyGraph)),
        (order, start) if start >= order => {
            return Err(ExpectedError::Geography(AnalyseError::StartOutside { start, order }));
        }
        _ => {}
    }
    let mut person = Person { context, lines: Lines::new(io::stdin().lock(), LONGEST) };
    let graph6 = graph6::write(&graph);
    let mut game = Game { graph, token: args.start, moves: Vec::new() };
    let mut turn_of_person = !args.second;
    let winner = loop {
        let options = game.options();
        if options.is_empty() {
            break Some(if turn_of_person { Winner::Sprague } else { Winner::Person });
        }
        let to = if turn_of_person {
            match person.choose(game.token, &options)? {
                Some(to) => to,
                None => break None,
            }
        } else {
            // Where every move loses, any will do.
            let to = winning_move(&game.graph, game.token).unwrap_or(options[0]);
            person.tell(&format!("sprague moves to {to}"))?;
            to
        };
        game.go(to);
        turn_of_person = !turn_of_person;
    };
    context.printer.show(&PlayedGame { graph6, start: args.start, moves: game.moves, winner })?;
    Ok(if winner.is_some() { Exit::Done } else { Exit::Stopped })
}

/// A game that goes on.
struct Game {
    /// What is left of the graph: vertices that were left have no edges any more.
    graph: Graph,
    token: usize,
    /// Where the token went.
    moves: Vec<usize>,
}

impl Game {
    fn options(&self) -> Vec<usize> {
        self.graph.neighbours(self.token).collect()
    }

    fn go(&mut self, to: usize) {
        for neighbour in self.options() {
            self.graph.cut(self.token, neighbour);
        }
        self.token = to;
        self.moves.push(to);
    }
}

/// Who plays against the program.
struct Person<'a> {
    context: &'a Context,
    lines: Lines<io::StdinLock<'static>>,
}

impl Person<'_> {
    /// Says something: beside the result where that is for people, and out of its way where it is not.
    fn tell(&self, text: &str) -> Result<(), ExpectedError> {
        match self.context.printer.format() {
            OutputFormat::Text => self.context.printer.plain(text),
            OutputFormat::Json | OutputFormat::Jsonl => {
                self.context.notes.say(text);
                Ok(())
            }
        }
    }

    /// The person's move; `None` if they leave the game.
    fn choose(&mut self, token: usize, options: &[usize]) -> Result<Option<usize>, ExpectedError> {
        let listed: Vec<String> = options.iter().map(ToString::to_string).collect();
        let listed = listed.join(", ");
        self.tell(&format!("the token is on {token}, and you can move to {listed}"))?;
        loop {
            if io::stdin().is_terminal() {
                // A prompt that cannot be written takes nothing away but itself.
                let _ = io::stderr().write_all(b"> ");
            }
            let word = match self.lines.next().map_err(ExpectedError::Stdin)? {
                None => return Ok(None),
                Some(Line::Whole(text)) => String::from_utf8_lossy(text).trim().to_owned(),
                Some(Line::TooLong) => "that".to_owned(),
            };
            match word.parse() {
                _ if word == "quit" => return Ok(None),
                _ if word.is_empty() => {}
                Ok(to) if options.contains(&to) => return Ok(Some(to)),
                Ok(to) => {
                    self.tell(&format!(
                        "there is no move from {token} to {to}: take one of {listed}"
                    ))?;
                }
                Err(_) => self.tell(&format!(
                    "{word:?} is no vertex: type one of {listed}, or `quit` to leave the game"
                ))?,
            }
        }
    }
}
