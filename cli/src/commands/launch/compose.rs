//! `sprague launch compose`

use super::template::{fill, mebibytes, yaml};
use crate::args::{LaunchComposeArgs, enough_for_threads};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

const SERVICES: &str = include_str!("../../../../deploy/templates/compose.yaml");

pub(crate) fn run(context: &Context, args: LaunchComposeArgs) -> Result<Exit, ExpectedError> {
    let crew = args.crew;
    enough_for_threads(crew.memory, crew.threads)?;
    let values = [
        ("ADVERTISE", yaml(&args.advertise)),
        ("ADVERTISE_PLAIN", args.advertise),
        ("IMAGE", yaml(&args.image)),
        ("IMAGE_PLAIN", args.image),
        ("WORKERS", crew.workers.to_string()),
        ("SLOTS", crew.slots.to_string()),
        ("THREADS", crew.threads.to_string()),
        ("MEMORY", yaml(&crew.memory.as_flag())),
        ("CONTAINER_MEBIBYTES", mebibytes(crew.slots, crew.memory).to_string()),
    ];
    context
        .printer
        .show(&ForeignFile { of: "compose".to_owned(), text: fill(SERVICES, &values) })?;
    Ok(Exit::Done)
}
