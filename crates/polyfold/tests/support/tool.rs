//! The `polyfold` command as a user runs it.

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::Command;

use super::root;

/// How a run of the command ended, and what it printed.
#[derive(Debug)]
pub struct Run {
    /// Exit status, or the number of the signal that ended it, negated.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

/// Runs the command in the repository's root.
pub fn polyfold<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Run {
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyfold"));
    let output = command.args(arguments).current_dir(root()).output().expect("the command starts");
    Run {
        status: output.status.code().or(output.status.signal().map(|s| -s)).expect("it ended"),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// `polyfold COMMAND FILE …` on a new file that holds the text.
pub fn on_text(command: &str, file: &Path, text: &str, more: &[&str]) -> Run {
    std::fs::write(file, text).expect("the scratch directory is writable");
    let file = file.display().to_string();
    polyfold(&[&[command, &file], more].concat())
}

/// `polyfold optimize SOURCE -I corpus -o RESULT …`.
pub fn optimize(source: &Path, result: &Path, more: &[&str]) -> Run {
    let (source, result) = (source.display().to_string(), result.display().to_string());
    let mut arguments = vec!["optimize", source.as_str(), "-I", "corpus", "-o", result.as_str()];
    arguments.extend(more);
    polyfold(&arguments)
}
