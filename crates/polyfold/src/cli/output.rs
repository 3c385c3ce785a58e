//! Files that appear whole or not at all.

//!
//! A file with several names (hard links) is written in place, so that all of them lead to the new text. What it held stands beside it until
//! that is done, and comes back where writing fails.

use super::Failure;
use super::closed::is_output_closed;
use super::encoding::encoded;
use std::fs::File;
use std::io::{ErrorKind, Seek, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A text on its way into a file.
struct Pending {
    path: PathBuf,
    way: Way,
}

/// How it gets there.
enum Way {
    /// The new text is complete beside the file, and takes its place.
    Replace(NamedTempFile),
    /// A copy of the old text is complete beside the file, which has several names.
    Overwrite { file: File, copy: NamedTempFile },
    /// A device or pipe.
    Through,
}

/// Writes files by way of temporary ones beside them, which take their places when all are complete.
///
/// # Errors
/// When a directory or device cannot be written; what was in the files before is then untouched.
pub(crate) fn write_all(files: &[(&Path, &str)]) -> Result<(), Failure> {
    let pending = files.iter().map(|(path, text)| pending(path, text)).collect::<Result<Vec<_>, _>>()?;
    for (Pending { path, way }, (_, text)) in pending.into_iter().zip(files) {
        match way {
            Way::Replace(file) => file.persist(&path).map(|_| ()).map_err(|e| refused(&path, &e.error))?,
            Way::Overwrite { file, copy } => overwrite(&path, file, copy, &encoded(text))?,
            Way::Through => std::fs::write(&path, encoded(text)).map_err(|e| refused(&path, &e))?,
        }
    }
    Ok(())
}

/// Writes over a file; if that fails, with what it held.
fn overwrite(path: &Path, mut file: File, copy: NamedTempFile, text: &[u8]) -> Result<(), Failure> {
    let Err(error) = fill(&mut file, text) else { return Ok(()) };
    let old = std::fs::read(copy.path());
    if old.and_then(|old| fill(&mut file, &old)).is_ok() {
        return Err(refused(path, &error));
    }
    let kept = copy.keep().map_or_else(|e| e.file.path().to_path_buf(), |(_, kept)| kept);
    Err(Failure::input(format!("cannot write {}: {error}; what it held is in {}", path.display(), kept.display())))
}

/// Makes a text all that a file holds.
fn fill(file: &mut File, text: &[u8]) -> std::io::Result<()> {
    file.rewind()?;
    file.write_all(text)?;
    file.set_len(text.len() as u64)?;
    file.sync_data()
}

fn refused(path: &Path, error: &std::io::Error) -> Failure {
    let why = match directory(path) {
        directory if !directory.is_dir() => format!("there is no directory {}", directory.display()),
        // The name of the temporary file, which is behind, means nothing to the user.
        _ => error.to_string().split(" at path ").next().unwrap_or_default().to_string(),
    };
    Failure::input(format!("cannot write {}: {why}", path.display()))
}

fn directory(path: &Path) -> &Path {
    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn pending(path: &Path, text: &str) -> Result<Pending, Failure> {
    if is_output_closed() && path == Path::new("/dev/stdout") {
        return Err(Failure::input("cannot write /dev/stdout: it is closed"));
    }
    let path = behind_links(path);
    if !is_replaceable(&path) {
        return Ok(Pending { path, way: Way::Through });
    }
    // A new file could take the place of one that nobody may write; compilers don't do that either.
    if path.exists() {
        std::fs::OpenOptions::new().append(true).open(&path).map_err(|e| refused(&path, &e))?;
    }
    let way = if has_other_names(&path) { over(&path) } else { temporary(&path, &encoded(text)).map(Way::Replace) };
    let way = way.map_err(|e| refused(&path, &e))?;
    Ok(Pending { path, way })
}

fn over(path: &Path) -> std::io::Result<Way> {
    let copy = temporary(path, &std::fs::read(path)?)?;
    copy.as_file().sync_data()?;
    Ok(Way::Overwrite { file: std::fs::OpenOptions::new().write(true).open(path)?, copy })
}

#[cfg(unix)]
fn has_other_names(path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).is_ok_and(|file| file.nlink() > 1)
}

#[cfg(not(unix))]
fn has_other_names(_: &Path) -> bool {
    false
}

/// The file that a path leads to, which need not be there.
fn behind_links(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    // As many as Linux follows.
    for _ in 0..40 {
        let Ok(target) = std::fs::read_link(&path) else { break };
        path = directory(&path).join(target);
    }
    std::fs::canonicalize(&path).unwrap_or(path)
}

fn temporary(path: &Path, text: &[u8]) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(directory(path))?;
    file.write_all(text)?;
    let permissions = std::fs::metadata(path).map(|m| m.permissions()).ok().or_else(default_permissions);
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions)?;
    }
    Ok(file)
}

/// Whether both paths lead to one file, which is there.
pub(crate) fn is_same(one: &Path, other: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).ok();
    is_replaceable(one) && real(one).is_some() && real(one) == real(other)
}

/// Not a device or pipe such as /dev/stdout.
fn is_replaceable(path: &Path) -> bool {
    std::fs::metadata(path).map_or(true, |m| m.is_file())
}

#[cfg(unix)]
fn default_permissions() -> Option<std::fs::Permissions> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::Permissions::from_mode(0o644))
}

#[cfg(not(unix))]
fn default_permissions() -> Option<std::fs::Permissions> {
    None
}

/// Prints to standard output.
///
/// # Errors
/// [`Failure::Unread`] when the reader has gone away.
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    if is_output_closed() {
        return Err(Failure::input("cannot write to standard output: it is closed"));
    }
    let mut out = std::io::stdout().lock();
    out.write_all(&encoded(text)).and_then(|()| out.flush()).map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Failure::Unread,
        _ => Failure::input(format!("cannot write to standard output: {e}")),
    })
}

/// Prints a message to standard error; if nobody listens, that changes nothing.
pub(crate) fn tell(message: &str) {
    let _ = std::io::stderr().write_all(&encoded(&format!("{message}\n")));
}
