//! Files that appear whole or not at all.

use super::Failure;
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Writes a file by way of a temporary one beside it.
///
/// # Errors
/// When the directory cannot be written; what was there before is then untouched.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let behind_links = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    let path = behind_links.as_path();
    let refused = |e: std::io::Error| Failure::input(format!("cannot write {}: {e}", path.display()));
    if !is_replaceable(path) {
        return std::fs::write(path, text).map_err(refused);
    }
    let directory = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(refused)?;
    file.write_all(text.as_bytes()).map_err(refused)?;
    let permissions = std::fs::metadata(path).map(|m| m.permissions()).ok().or_else(default_permissions);
    if let Some(permissions) = permissions {
        file.as_file().set_permissions(permissions).map_err(refused)?;
    }
    file.persist(path).map_err(|e| refused(e.error))?;
    Ok(())
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
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|e| match e.kind() {
        ErrorKind::BrokenPipe => Failure::Unread,
        _ => Failure::input(format!("cannot write to standard output: {e}")),
    })
}

/// Prints a message to standard error; if nobody listens, that changes nothing.
pub(crate) fn tell(message: &str) {
    let _ = std::io::stderr().write_all(format!("{message}\n").as_bytes());
}
