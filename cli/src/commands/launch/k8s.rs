//! `sprague launch k8s`

use super::template::{fill, mebibytes, yaml};
use crate::args::{LaunchK8sArgs, enough_for_threads};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::ForeignFile;

const MANIFEST: &str = include_str!("../../../../deploy/templates/kubernetes.yaml");

pub(crate) fn run(context: &Context, args: LaunchK8sArgs) -> Result<Exit, ExpectedError> {
    let crew = args.crew;
    enough_for_threads(crew.memory, crew.threads)?;
    let values = [
        ("ADVERTISE", yaml(&format!("sprague-coordinator.{}.svc:7700", args.namespace))),
        ("NAMESPACE", yaml(&args.namespace)),
        ("IMAGE", yaml(&args.image)),
        ("IMAGE_PLAIN", args.image),
        ("WORKERS", crew.workers.to_string()),
        ("SLOTS", crew.slots.to_string()),
        ("THREADS", crew.threads.to_string()),
        ("CORES", crew.cores().to_string()),
        ("MEMORY", yaml(&crew.memory.as_flag())),
        ("POD_MEBIBYTES", mebibytes(crew.slots, crew.memory).to_string()),
    ];
    context.printer.show(&ForeignFile { of: "k8s".to_owned(), text: fill(MANIFEST, &values) })?;
    Ok(Exit::Done)
}
