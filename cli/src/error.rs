//! Every way in which a command can fail: one message, maybe a hint, an exit code, and a name that
//! scripts can tell it by.

use std::io;
use std::path::PathBuf;

use sprague_coordinator::store::{ExportError, RestartError, StoreError};
use sprague_coordinator::{Fault, KeyError, MetricsError, RenewError, StartError};
use sprague_cram::certificate::{CheckError, ReadError};
use sprague_cram::{Board, PositionError, SolveError};
use sprague_geography::AnalyseError;
use sprague_geography::construct::ArcError;
use sprague_geography::graph6::Graph6Error;
use sprague_proto::AccessError;
use sprague_work::{JobError, QuestionError, counted, shortened};
use sprague_worker::{Refusal, WorkerError};

use crate::args::Memory;
use crate::commands::HostsError;
use crate::exit::Exit;
use crate::remote::RemoteError;
use crate::suggest::{did_you_mean, job_name, job_words, which_of};

/// A failure that a user may meet.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ExpectedError {
    /// The command line is not one. Holds what clap says, without its `error: `.
    #[error("{message}")]
    Usage { message: String, hint: Option<String> },
    /// The words are no job.
    #[error(transparent)]
    Job(#[from] JobError),
    /// The words are no question.
    #[error(transparent)]
    Question(#[from] QuestionError),
    /// The words are several questions where one can be meant.
    #[error("{} are several questions: name one", shortened(words, 100))]
    ManyQuestions { words: String },
    /// The rows are no Cram position.
    #[error("{:?} is not a position: {source}", shortened(rows, 60))]
    Position { rows: String, source: PositionError },
    /// The text is no graph.
    #[error("{text:?} is not a graph in graph6: {source}")]
    Graph { text: String, source: Graph6Error },
    /// A line of standard input is too long to be a graph.
    #[error("the line has more than {most} bytes, which no graph of a size that is read has")]
    LongLine { most: usize },
    /// The graph has no such position.
    #[error(transparent)]
    Geography(AnalyseError),
    /// The arcs are no digraph.
    #[error(transparent)]
    Digraph(#[from] ArcError),
    /// The picture would take too long to lay out.
    #[error("a graph of {order} vertices is too large for a picture: at most {most} are possible")]
    TooLargeToDraw { order: usize, most: usize },
    /// Nothing names a graph, and standard input is a terminal.
    #[error("no graph was given")]
    NoGraph,
    /// The position is beyond the memory or the method.
    #[error("the position is not decided within {memory}: {source}")]
    Solve { memory: Memory, source: SolveError },
    /// The time that a user gave was not enough.
    #[error("the position is not decided within the time of --budget")]
    OutOfTime,
    /// A signal came before the result did.
    #[error("stopped before it was done")]
    Interrupted,
    /// A certificate proves nothing.
    #[error("{} is refused: {source}", file.display())]
    Certificate { file: PathBuf, source: CertificateFault },
    /// A file that a user names cannot be read.
    #[error("cannot read {}: {source}", file.display())]
    Read { file: PathBuf, source: io::Error },
    /// A file that a user names cannot be written.
    #[error("cannot write {}: {source}", file.display())]
    Write { file: PathBuf, source: io::Error },
    /// Bytes would go where only text may.
    #[error("a certificate is bytes: it goes neither to a terminal nor between JSON")]
    BytesOnStdout,
    /// A file that is to be written is there.
    #[error("{} is there already", .0.display())]
    Exists(PathBuf),
    /// An access file cannot be used.
    #[error(transparent)]
    Access(#[from] AccessError),
    /// The coordinator cannot be reached or refuses.
    #[error(transparent)]
    Remote(#[from] RemoteError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A backup cannot take the place of a store.
    #[error(transparent)]
    Backup(StoreError),
    /// What is to be imported is no whole export.
    #[error(transparent)]
    Import(ExportError),
    /// An export of the store cannot be written or read.
    #[error(transparent)]
    StoreExport(ExportError),
    /// The store is sound, but no coordinator can go on from it.
    #[error(transparent)]
    Restart(RestartError),
    /// Keys cannot be made anew.
    #[error(transparent)]
    Renew(#[from] RenewError),
    /// A coordinator cannot start.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A coordinator stopped by itself.
    #[error("the coordinator stopped: {0}")]
    Coordinator(#[from] Fault),
    /// A coordinator stopped by itself and does not say why.
    #[error("the coordinator stopped")]
    CoordinatorGone,
    /// A worker stopped by itself.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// The worker processes of `run` cannot be kept alive.
    #[error("the workers ended {times} times, the last one with {how}")]
    Fleet { times: u32, how: String },
    /// An export would hold disputed values.
    #[error("{} disputed, so nothing was exported: {}", counted(questions.len() as u64, "value is", "values are"), questions.join(", "))]
    DisputedExport { questions: Vec<String> },
    /// The list of machines is none.
    #[error("{}: {source}", file.display())]
    Hosts { file: PathBuf, source: HostsError },
    /// The program cannot be started a second time as a worker.
    #[error("cannot start a worker process: {0}")]
    Spawn(io::Error),
    /// A temporary folder cannot be made.
    #[error("cannot make a temporary folder in {}: {source}", folder.display())]
    Temporary { folder: PathBuf, source: io::Error },
    /// The operating system denies what every program may have.
    #[error("cannot {what}: {source}")]
    System { what: &'static str, source: io::Error },
    /// Standard input cannot be read.
    #[error("cannot read standard input: {0}")]
    Stdin(io::Error),
    /// Standard output cannot be written.
    #[error("cannot write to standard output: {0}")]
    Stdout(#[from] io::Error),
}

impl From<ExportError> for ExpectedError {
    fn from(fault: ExportError) -> Self {
        Self::unless_of_the_store(fault, Self::StoreExport)
    }
}

impl From<RestartError> for ExpectedError {
    fn from(fault: RestartError) -> Self {
        match fault {
            RestartError::Store(fault) => Self::Store(fault),
            fault @ RestartError::Content(_) => Self::Restart(fault),
        }
    }
}

/// Where it is said what can be asked.
fn lists_the_jobs() -> Option<String> {
    Some("`sprague run --help` lists the jobs".to_owned())
}

/// What to do about a store.
fn store_hint(fault: &StoreError) -> Option<String> {
    let hint = match fault {
        StoreError::Gone { path, rescue } => {
            let dir = path.parent().unwrap_or(path).display();
            return Some(format!(
                "move away what is at its place now, if anything, then `sprague store restore --dir {dir} --from {}`; a \
                 coordinator is to be stopped before its store is touched",
                rescue.display()
            ));
        }
        StoreError::Rescued { path, rescue } => {
            let dir = path.parent().unwrap_or(path).display();
            let rescue = rescue.display();
            return Some(format!(
                "`sprague store restore --dir {dir} --from {rescue}` puts it back; to begin with a new store, move {rescue} away"
            ));
        }
        StoreError::Lost { .. } => {
            "if it was moved, put it back; if it was removed, `sprague store restore` a backup or `sprague store import` an export"
        }
        StoreError::Missing(_) => "name the folder of a coordinator with --dir",
        StoreError::Foreign { .. } => {
            "name the folder of a coordinator with --dir; where a store was lost, move the file away, then \
             `sprague store restore` a backup, `sprague store import` an export, or begin with a new one"
        }
        StoreError::Exists(_) => "move it away first, or name another place",
        StoreError::InUse(_) => {
            "stop the coordinator that has it open; `backup` and `export` work beside one"
        }
        StoreError::Damaged { .. } | StoreError::Row { .. } => {
            "move it away, then `sprague store restore` a backup or `sprague store import` an export"
        }
        StoreError::Newer { .. } => "use the version of the program that wrote it, or a newer one",
        StoreError::Full(_) | StoreError::NoRoom { .. } => "make room on the disk",
        StoreError::ReadOnly { .. } => "name another folder with --dir",
        StoreError::Database { .. } => return None,
    };
    Some(hint.to_owned())
}

/// What to do about a backup that cannot take the place of a store.
fn backup_hint(fault: &StoreError) -> Option<String> {
    let hint = match fault {
        StoreError::Missing(_) => "name with --from a file that `sprague store backup` has written",
        StoreError::Foreign { .. } => {
            "a backup is what `sprague store backup` writes; what `sprague store export` writes is for \
             `sprague store import`"
        }
        StoreError::Damaged { .. } | StoreError::Row { .. } => {
            "take another backup, or `sprague store import` an export"
        }
        fault => return store_hint(fault),
    };
    Some(hint.to_owned())
}

/// Why a certificate is refused.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CertificateFault {
    /// Its bytes are not those of a certificate.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// What it says is not backed.
    #[error(transparent)]
    Check(#[from] CheckError),
    /// It is of another board than the one asked for.
    #[error("it is of {of}, not of {asked}")]
    Board { of: Board, asked: Board },
}

impl ExpectedError {
    /// What is wrong with an export that is read.
    pub(crate) fn of_import(fault: ExportError) -> Self {
        Self::unless_of_the_store(fault, Self::Import)
    }

    /// A store that cannot be used is that, whatever was to be done with it.
    fn unless_of_the_store(fault: ExportError, otherwise: fn(ExportError) -> Self) -> Self {
        match fault {
            ExportError::Store(fault) => Self::Store(fault),
            fault => otherwise(fault),
        }
    }

    /// How the program ends after it.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            Self::Usage { .. }
            | Self::Job(_)
            | Self::Question(_)
            | Self::ManyQuestions { .. }
            | Self::Position { .. }
            | Self::Graph { .. }
            | Self::LongLine { .. }
            | Self::NoGraph
            | Self::Digraph(_)
            | Self::TooLargeToDraw { .. }
            | Self::Exists(_)
            | Self::Store(StoreError::Missing(_) | StoreError::Exists(_))
            | Self::Backup(StoreError::Missing(_) | StoreError::Exists(_))
            | Self::BytesOnStdout
            | Self::Hosts { .. }
            | Self::Geography(_)
            | Self::Start(
                StartError::Metrics(MetricsError::NotLoopback(_))
                | StartError::Store(StoreError::Rescued { .. }),
            )
            | Self::Access(_) => Exit::Usage,
            // Whoever starts it again on its own account, as systemd and Slurm do, need not.
            Self::Worker(fault) if fault.is_for_good() => Exit::Usage,
            Self::Remote(error) => error.exit(),
            Self::DisputedExport { .. } => Exit::Disputed,
            Self::Interrupted | Self::OutOfTime => Exit::Stopped,
            _ => Exit::Failed,
        }
    }

    /// The name that scripts can tell it by.
    pub(crate) fn code(&self) -> &'static str {
        match self {
            Self::Usage { .. } | Self::NoGraph | Self::BytesOnStdout => "usage",
            Self::Job(_) => "job",
            Self::Question(_) | Self::ManyQuestions { .. } => "question",
            Self::Position { .. } => "position",
            Self::Graph { .. } | Self::LongLine { .. } => "graph6",
            Self::Digraph(_) => "digraph",
            Self::TooLargeToDraw { .. } => "drawing",
            Self::Solve { .. } | Self::OutOfTime => "undecided",
            Self::Geography(_) => "start",
            Self::Interrupted => "stopped",
            Self::Certificate { .. } => "certificate",
            Self::Read { .. } | Self::Write { .. } | Self::Exists(_) => "file",
            Self::Access(_) | Self::Renew(RenewError::Keys(_)) => "access",
            Self::Remote(error) => error.code(),
            Self::Store(_)
            | Self::Backup(_)
            | Self::Import(_)
            | Self::StoreExport(_)
            | Self::Restart(_)
            | Self::Renew(RenewError::Store(_)) => "store",
            Self::Start(_) => "start-up",
            Self::Coordinator(_) | Self::CoordinatorGone => "coordinator",
            Self::Worker(_) | Self::Fleet { .. } | Self::Spawn(_) => "worker",
            Self::Hosts { .. } => "hosts",
            Self::DisputedExport { .. } => "disputed",
            Self::Temporary { .. } | Self::System { .. } | Self::Stdin(_) | Self::Stdout(_) => {
                "system"
            }
        }
    }

    /// What to do about it.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            Self::Usage { hint, .. } => return hint.clone(),
            Self::Job(
                JobError::Board { .. }
                | JobError::OpenRange(_)
                | JobError::HalfRange { .. }
                | JobError::EmptyRange(_),
            ) => {
                "a board is ROWSxCOLUMNS with at most 128 cells, such as 3x14; a range is 3x3..3x10"
            }
            Self::Job(JobError::Unknown { words, known }) => {
                let names: Vec<&str> = known.iter().copied().map(job_name).collect();
                let meant = |words| did_you_mean(words, names.iter().copied());
                return which_of(words, &names)
                    .or_else(|| job_words(words).filter_map(meant).last())
                    .or_else(lists_the_jobs);
            }
            Self::Job(
                JobError::Method { method: typed, known, .. }
                | JobError::Flag { flag: typed, known, .. },
            ) => return did_you_mean(typed, known.iter().copied()).or_else(lists_the_jobs),
            Self::Job(JobError::Empty(_)) | Self::Question(_) => return lists_the_jobs(),
            // These say all that there is to say.
            Self::Job(_) => return None,
            Self::Position { .. } => {
                "rows of equal length from the top, parted by `/`: `.` is an empty cell, `#` a \
                 filled one, such as '..#/.../#..'"
            }
            Self::Graph {
                source: Graph6Error::Sparse6 | Graph6Error::Digraph6 | Graph6Error::Order { .. },
                ..
            }
            | Self::Geography(AnalyseError::EmptyGraph) => return None,
            Self::Graph { .. } => {
                "graph6 often holds characters that a shell changes: put it in single quotes, or \
                 feed it in on standard input"
            }
            Self::Geography(_) => "--start names the vertex that the token is on",
            Self::TooLargeToDraw { .. } => "--format dot leaves the layout to Graphviz",
            Self::NoGraph => "name one in graph6, or feed one a line in on standard input",
            Self::OutOfTime => "nothing of it is kept: give it more, or leave out --budget",
            Self::Solve { .. } => {
                "give it more with --memory; boards too large for that are for `sprague run`"
            }
            Self::Certificate {
                source: CertificateFault::Read(ReadError::Memory { .. }), ..
            } => "give it more with --memory",
            Self::Certificate { .. } => {
                "nothing is proven by it; `sprague cram certify` writes a new one"
            }
            Self::BytesOnStdout => "name a file with --out, or lead standard output into one",
            Self::Exists(_) => "name another file, or write over it with --force",
            Self::Access(AccessError::Missing(_)) => {
                "`sprague serve` writes worker.access and operator.access into its folder"
            }
            Self::Access(AccessError::Open { .. }) => "take the access from others with chmod 600",
            Self::Access(AccessError::Role { .. }) => {
                "workers use worker.access, everything else uses operator.access"
            }
            Self::Access(_) => "copy it again from the folder of the coordinator",
            Self::Remote(error) => return error.hint().map(str::to_owned),
            Self::Start(StartError::Listen { .. }) => "name another address with --listen",
            Self::Start(StartError::Store(StoreError::InUse(_))) => {
                "talk to the coordinator that has it open, or stop that one first"
            }
            Self::Start(StartError::Addresses(_)) => {
                "remove it, and name the addresses with --listen and --advertise"
            }
            Self::Start(StartError::Metrics(MetricsError::NotLoopback(_))) => {
                "name a port of 127.0.0.1, and have a proxy with TLS pass it on where others read it"
            }
            Self::Start(StartError::Keys(KeyError::Open { .. })) => {
                "take the access from others with chmod 600"
            }
            Self::Start(StartError::Keys(KeyError::Lost(_))) => {
                "put it back from a copy; or make new keys with `sprague access renew`, after which \
                 every worker and operator needs a new access file"
            }
            Self::Start(StartError::Store(fault))
            | Self::Renew(RenewError::Store(fault))
            | Self::Store(fault) => return store_hint(fault),
            Self::Backup(fault) => return backup_hint(fault),
            Self::Import(ExportError::Torn { .. }) => {
                "`sprague store export` ends what it writes with a line {\"end\"...: cut the file after the \
                 last of them"
            }
            // The first line says that it is an export.
            Self::Import(ExportError::Line { line: 2.., .. }) => {
                "it was changed since `sprague store export` wrote it: take another copy of it, or \
                 `sprague store restore` a backup"
            }
            Self::Import(_) => {
                "an export is what `sprague store export` writes; what `sprague store backup` writes is for \
                 `sprague store restore`"
            }
            // An export goes on in a file that is there already.
            Self::StoreExport(ExportError::Torn { .. }) => {
                "cut it after the last line that begins with {\"end\""
            }
            Self::StoreExport(ExportError::Line { .. } | ExportError::Other) => {
                "name another file with --out for this store's export"
            }
            Self::Start(_) => "name another folder with --dir",
            Self::Coordinator(Fault::Store(
                fault @ (StoreError::Gone { .. } | StoreError::Lost { .. }),
            )) => return store_hint(fault),
            Self::Coordinator(_) => "once that is mended it goes on from the same folder",
            Self::DisputedExport { .. } => {
                "`sprague values` shows the evidence; --include-disputed exports them all the same"
            }
            Self::Hosts { .. } => {
                "a line is `[USER@]HOST[:PORT] [slots=N] [threads=N] [memory=SIZE] [name=NAME]`"
            }
            Self::Worker(WorkerError::Refused { refusal, .. }) => match refusal {
                Refusal::Secret | Refusal::Certificate => {
                    "copy worker.access again from the folder of the coordinator"
                }
                Refusal::Role => "workers use worker.access, everything else uses operator.access",
                Refusal::Version | Refusal::Words => {
                    "copy the program here from the coordinator's machine, and start that"
                }
            },
            Self::Worker(WorkerError::Unreachable { .. }) => {
                "check that `sprague serve` runs and that the address in worker.access, which its \
                 --advertise sets, can be reached from here"
            }
            Self::Fleet { .. } => "run it with -v to see what the workers say",
            Self::Temporary { .. } => "set TMPDIR, or name a folder with --dir",
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// Whether somebody closed standard output because enough was read, which is no failure.
    pub(crate) fn is_broken_pipe(&self) -> bool {
        matches!(self, Self::Stdout(source) if source.kind() == io::ErrorKind::BrokenPipe)
    }
}
