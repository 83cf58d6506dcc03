//! A store that is made beside its place and put there when it is whole, so that a kill or a full disk
//! in the middle leaves no half of a store behind.

use std::ffi::OsString;
use std::fs::{self, DirEntry, File};
use std::io;
use std::path::Path;

use tempfile::TempPath;

use super::{Store, StoreError};

/// What a draft finds in its place.
#[derive(Clone, Copy, Debug)]
pub(super) enum Before {
    /// Nothing. What somebody else puts there meanwhile stays: it may be a store that is in use by then.
    Nothing,
    /// The store that it was made of, which whoever makes it holds open.
    ItsSource,
}

/// Makes a file for `path`: `fill` is given the place of the draft, makes the file there and syncs it.
///
/// What is at `path` stays until the draft takes its place, and when anything goes wrong. Every draft has a name of its
/// own, so that of several who make a store at one place none writes into another's.
pub(super) fn put_in_place(
    path: &Path,
    before: Before,
    fill: impl FnOnce(&Path) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let io = |fault| StoreError::io(path.to_owned(), fault);
    let names = Names::of(path);
    names.remove_left_over();
    let draft = names.draw().map_err(io)?;
    fill(&draft)?;
    match before {
        Before::Nothing => take_free_place(draft, path)?,
        Before::ItsSource => draft.persist(path).map_err(|fault| io(fault.error))?,
    }
    File::open(folder(path)).and_then(|folder| folder.sync_all()).map_err(io)
}

/// Names a draft `path`, unless there is something by now.
fn take_free_place(draft: TempPath, path: &Path) -> Result<(), StoreError> {
    let Err(fault) = draft.persist_noclobber(path) else { return Ok(()) };
    match fault.error.kind() {
        io::ErrorKind::AlreadyExists => Err(StoreError::Exists(path.to_owned())),
        // Somebody else makes a store here, and took this draft for one that was left from a kill.
        io::ErrorKind::NotFound => Err(StoreError::InUse(path.to_owned())),
        // A file system that knows neither a second name nor a rename that spares what is there.
        _ => fault.path.persist(path).map_err(|fault| StoreError::io(path.to_owned(), fault.error)),
    }
}

/// The names of the drafts for one place: beside it, its own name with a word drawn at random and `.new` after it.
struct Names<'a> {
    folder: &'a Path,
    start: OsString,
}

/// How the name of every draft ends.
const END: &str = ".new";

/// Letters of the word that is drawn.
const WORD: usize = 6;

impl<'a> Names<'a> {
    fn of(path: &'a Path) -> Self {
        let mut start = path.file_name().unwrap_or_default().to_owned();
        start.push(".");
        Self { folder: folder(path), start }
    }

    /// An empty file under a new name, which is removed unless it is put in place.
    fn draw(&self) -> io::Result<TempPath> {
        let mut names = tempfile::Builder::new();
        names.prefix(&self.start).rand_bytes(WORD).suffix(END);
        Ok(names.make_in(self.folder, |draft| File::create_new(draft))?.into_temp_path())
    }

    /// Removes what was left from kills. What somebody has open is not; where that cannot be told, or the folder not
    /// be read, there is no harm in files that stay.
    fn remove_left_over(&self) {
        let entries = fs::read_dir(self.folder).into_iter().flatten().flatten();
        for draft in entries.filter(|entry| self.names(entry)).map(|entry| entry.path()) {
            let free = File::open(&draft).is_ok_and(|file| file.try_lock().is_ok());
            if free {
                let _ = fs::remove_file(&draft);
            }
        }
    }

    /// Whether an entry of the folder is a draft.
    fn names(&self, entry: &DirEntry) -> bool {
        let name = entry.file_name();
        let word = name
            .as_encoded_bytes()
            .strip_prefix(self.start.as_encoded_bytes())
            .and_then(|rest| rest.strip_suffix(END.as_bytes()));
        word.is_some_and(|word| word.len() == WORD && word.iter().all(u8::is_ascii_alphanumeric))
            && entry.file_type().is_ok_and(|kind| kind.is_file())
    }
}

/// Makes a store at `path`, which `fill` writes into.
pub(super) fn make(
    path: &Path,
    before: Before,
    fill: impl FnOnce(&Store) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    put_in_place(path, before, |draft| {
        Store::create(draft).and_then(|store| fill(&store)).map_err(|fault| fault.of(path))
    })
}

/// Copies the bytes of a file, and syncs the copy.
pub(super) fn copy_bytes(from: &Path, to: &Path) -> io::Result<()> {
    fs::copy(from, to)?;
    File::open(to)?.sync_all()
}

/// The folder that a file is in.
pub(super) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_left_from_kills_go_and_what_is_open_or_not_a_draft_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let names = Names::of(&path);
        let left = names.draw().unwrap().keep().unwrap();
        let open = names.draw().unwrap();
        let lock = File::open(&open).unwrap();
        lock.lock().unwrap();
        let others = [
            "store.redb.new",
            "store.redb.copied.old",
            "store.redb.two words.new",
            "a.redb.abcdef.new",
        ]
        .map(|name| folder.path().join(name));
        for other in &others {
            fs::write(other, "").unwrap();
        }
        make(&path, Before::Nothing, |_| Ok(())).unwrap();
        assert!(!left.exists());
        assert!(open.exists() && others.iter().all(|other| other.exists()));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1 + 1 + others.len());
    }

    #[test]
    fn a_draft_that_cannot_be_filled_goes() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("store.redb");
        let fill = |_: &Store| Err(StoreError::Full(path.clone()));
        assert!(matches!(make(&path, Before::Nothing, fill), Err(StoreError::Full(_))));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
    }
}
