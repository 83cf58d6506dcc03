//! `sprague store check|compact|backup|restore|export|import`

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use sprague_coordinator::core::{Moment, Now, Settings};
use sprague_coordinator::store::{self, Checked, Contents, ExportError, ExportMark, Reader};

use crate::args::{StoreNoun, StoreVerb};
use crate::context::Context;
use crate::error::ExpectedError;
use crate::exit::Exit;
use crate::output::StoreDocument;

pub(crate) fn run(context: &Context, noun: StoreNoun) -> Result<Exit, ExpectedError> {
    let document = match noun.verb {
        StoreVerb::Check(arg) => check(context, &store::in_folder(&arg.dir))?,
        StoreVerb::Compact(arg) => {
            let file = store::in_folder(&arg.dir);
            let sizes = store::compact(&file)?;
            let document = StoreDocument { bytes: Some(sizes.after), ..StoreDocument::of(file) };
            StoreDocument { bytes_before: Some(sizes.before), ..document }
        }
        StoreVerb::Backup { out, dir } => {
            let contents = store::backup(&store::in_folder(&dir.dir), &out)?;
            StoreDocument { contents: Some(contents), ..StoreDocument::of(out) }
        }
        StoreVerb::Restore { from, dir } => {
            let place = Place::make(&dir.dir)?;
            let file = store::in_folder(&dir.dir);
            let contents = store::restore(&from, &file).map_err(ExpectedError::Backup)?;
            place.keep();
            StoreDocument { contents: Some(contents), ..StoreDocument::of(file) }
        }
        StoreVerb::Export { out: None, dir } => {
            let mut out = std::io::stdout().lock();
            let reader = Reader::open(&store::in_folder(&dir.dir))?;
            return match reader.export(&mut out, &ExportMark::start()) {
                Ok(_) => Ok(Exit::Done),
                Err(ExportError::Io(fault)) => Err(ExpectedError::Stdout(fault)),
                Err(fault) => Err(fault.into()),
            };
        }
        StoreVerb::Export { out: Some(out), dir } => {
            let contents = append(&Reader::open(&store::in_folder(&dir.dir))?, &out)?;
            StoreDocument { contents: Some(contents), ..StoreDocument::of(out) }
        }
        StoreVerb::Import { from, dir } => {
            let export =
                File::open(&from).map_err(|source| ExpectedError::Read { file: from, source })?;
            let place = Place::make(&dir.dir)?;
            let file = store::in_folder(&dir.dir);
            let contents = store::import(&mut BufReader::new(export), &file)
                .map_err(ExpectedError::of_import)?;
            place.keep();
            StoreDocument { contents: Some(contents), ..StoreDocument::of(file) }
        }
    };
    context.printer.show(&document)?;
    Ok(Exit::Done)
}

fn check(context: &Context, file: &Path) -> Result<StoreDocument, ExpectedError> {
    let Checked { contents, bytes, store } = store::check(file)?;
    // Nothing that happens now is kept.
    let now = Now { moment: Moment(0), wall: SystemTime::UNIX_EPOCH };
    store.restart(context.registry.clone(), Settings::default(), now)?;
    Ok(StoreDocument {
        bytes: Some(bytes),
        contents: Some(contents),
        sound: true,
        ..StoreDocument::of(file.to_owned())
    })
}

/// The folder where a store is to come. Folders that were made for it go again with what is dropped here, unless it is kept.
struct Place {
    /// The innermost first.
    made: Vec<PathBuf>,
}

impl Place {
    fn make(dir: &Path) -> Result<Self, ExpectedError> {
        let is_missing = |folder: &&Path| !folder.as_os_str().is_empty() && !folder.exists();
        let missing = dir.ancestors().take_while(is_missing);
        let place = Self { made: missing.map(Path::to_owned).collect() };
        std::fs::create_dir_all(dir)
            .map_err(|source| ExpectedError::Write { file: dir.to_owned(), source })?;
        Ok(place)
    }

    fn keep(mut self) {
        self.made.clear();
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        for folder in &self.made {
            // One in which somebody has put something by now stays.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// Appends to an export, or begins one. What was there before stays whole, whatever goes wrong.
fn append(reader: &Reader, path: &Path) -> Result<Contents, ExpectedError> {
    let fault = |source| ExpectedError::Write { file: path.to_owned(), source };
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(fault)?;
    let before = file.metadata().map_err(fault)?.len();
    let mark =
        if before == 0 { ExportMark::start() } else { store::mark(&mut BufReader::new(&file))? };
    file.seek(SeekFrom::End(0)).map_err(fault)?;
    let mut out = BufWriter::new(&file);
    let written = reader.export(&mut out, &mark).and_then(|contents| {
        out.flush()?;
        file.sync_all()?;
        Ok(contents)
    });
    if written.is_err() {
        file.set_len(before).map_err(fault)?;
    }
    Ok(written?)
}
