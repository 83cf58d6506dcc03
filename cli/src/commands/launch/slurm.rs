//! `sprague launch slurm`

use super::template::{fill, mebibytes, shell};
use crate::args::{LaunchSlurmArgs, enough_for_threads};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

const SCRIPT: &str = include_str!("../../../../deploy/templates/slurm.sh");

pub(crate) fn run(context: &Context, args: LaunchSlurmArgs) -> Result<Exit, ExpectedError> {
    let program = match args.program {
        Some(program) => program,
        None => {
            let own = std::env::current_exe().map_err(ExpectedError::Spawn)?;
            own.display().to_string()
        }
    };
    let extra = args.partition.map(|name| format!("#SBATCH --partition={name}\n"));
    let crew = args.crew;
    enough_for_threads(crew.memory, crew.threads)?;
    let values = [
        ("WORKERS", crew.workers.to_string()),
        ("SLOTS", crew.slots.to_string()),
        ("THREADS", crew.threads.to_string()),
        ("CORES", crew.cores().to_string()),
        ("JOB_MEBIBYTES", mebibytes(crew.slots, crew.memory).to_string()),
        ("TIME", args.time),
        ("EXTRA", extra.unwrap_or_default()),
        ("PROGRAM", shell(&program)),
        ("ACCESS", shell(&args.access)),
        ("MEMORY", crew.memory.as_flag()),
    ];
    context.printer.show(&ForeignFile { of: "slurm".to_owned(), text: fill(SCRIPT, &values) })?;
    Ok(Exit::Done)
}
