//! The user's own compiler: `$CC`, or `cc`.

use super::Failure;
use polyfold_codegen::Dialect;
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A command for the user's compiler; `$CC` may hold options after the name.
pub(crate) fn command() -> Command {
    let cc = std::env::var("CC").ok().filter(|cc| !cc.trim().is_empty()).unwrap_or_else(|| "cc".to_string());
    let mut words = cc.split_whitespace();
    let mut command = Command::new(words.next().unwrap_or("cc"));
    command.args(words);
    command
}

/// The directory of a file, for `#include "…"`.
fn directory(file: &Path) -> OsString {
    match file.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.as_os_str().to_owned(),
        _ => ".".into(),
    }
}

/// What the compiler's preprocessor makes of a text that stands for `file`, with macro definitions kept.
///
/// # Errors
/// When there is no compiler, or it rejects the text.
pub(crate) fn preprocess(text: &str, file: &Path, language: &str, flags: &[String]) -> Result<String, Failure> {
    let mut command = command();
    command.args(["-E", "-dD"]).args(flags).arg("-iquote").arg(directory(file)).args(["-x", language, "-"]);
    let program = command.get_program().to_string_lossy().into_owned();
    let output = fed(&mut command, text.to_owned()).map_err(|e| {
        Failure::input(format!("cannot run the C compiler `{program}`: {e}; install one or name yours with CC=…"))
    })?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr).replace("<stdin>", &file.display().to_string());
        return Err(Failure::input(format!(
            "the C compiler `{program}` cannot preprocess {}; are -I and -D as in your build?\n{}",
            file.display(),
            said.trim_end()
        )));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Whether the compiler takes a text that stands for `file` for C, with all names declared.
///
/// # Errors
/// What it says, as far as the first fault.
pub(crate) fn accepts(text: &str, file: &Path, flags: &[String]) -> Result<(), String> {
    let mut command = command();
    command.args(["-fsyntax-only", "-Werror=implicit-function-declaration"]).args(flags);
    command.arg("-iquote").arg(directory(file)).args(["-x", "c", "-"]);
    let output = fed(&mut command, text.to_owned()).map_err(|e| format!("the C compiler cannot be run: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let first = said.lines().find(|line| line.contains("error:")).unwrap_or("").split("error:").nth(1);
    Err(format!("the C compiler says:{}", first.unwrap_or(" nothing").to_owned()))
}

/// What a command says to a text on its standard input.
///
/// # Errors
/// When it cannot be run.
pub(crate) fn fed(command: &mut Command, text: String) -> std::io::Result<Output> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
    let mut stdin = child.stdin.take();
    // A thread of its own, since the command may print before it has read everything.
    let writer = std::thread::spawn(move || stdin.take().map(|mut pipe| pipe.write_all(text.as_bytes())));
    let output = child.wait_with_output();
    let _ = writer.join();
    output
}

/// In which language assertions are written.
pub(crate) fn dialect(file: &Path) -> Dialect {
    if language(file) == "c" { Dialect::C } else { Dialect::Cpp }
}

/// The compiler's name for the language of a file: `c` or `c++`, by the endings that compilers know.
pub(crate) fn language(file: &Path) -> &'static str {
    match file.extension().and_then(|e| e.to_str()) {
        Some("cc" | "cpp" | "cxx" | "c++" | "C" | "hpp" | "hxx" | "hh" | "H") => "c++",
        _ => "c",
    }
}
