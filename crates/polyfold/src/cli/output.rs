//! Files that appear whole or not at all.

use super::Failure;
use super::closed::is_output_closed;
use super::encoding::encoded;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A text on its way into a file.
struct Pending {
    path: PathBuf,
    /// Beside the file; `None` for a device or pipe, which cannot be replaced.
    temporary: Option<NamedTempFile>,
}

/// Writes files by way of temporary ones beside them, which take their places when all are complete.
///
/// # Errors
/// When a directory or device cannot be written; what was in the files before is then untouched.
pub(crate) fn write_all(files: &[(&Path, &str)]) -> Result<(), Failure> {
    let pending = files.iter().map(|(path, text)| pending(path, text)).collect::<Result<Vec<_>, _>>()?;
    for (Pending { path, temporary }, (_, text)) in pending.into_iter().zip(files) {
        match temporary {
            Some(file) => file.persist(&path).map(|_| ()).map_err(|e| refused(&path, &e.error))?,
            None => std::fs::write(&path, encoded(text)).map_err(|e| refused(&path, &e))?,
        }
    }
    Ok(())
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
        return Ok(Pending { path, temporary: None });
    }
    // A new file could take the place of one that nobody may write; compilers don't do that either.
    if path.exists() {
        std::fs::OpenOptions::new().append(true).open(&path).map_err(|e| refused(&path, &e))?;
    }
    let file = temporary(&path, text).map_err(|e| refused(&path, &e))?;
    Ok(Pending { path, temporary: Some(file) })
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

fn temporary(path: &Path, text: &str) -> std::io::Result<NamedTempFile> {
    let mut file = NamedTempFile::new_in(directory(path))?;
    file.write_all(&encoded(text))?;
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
