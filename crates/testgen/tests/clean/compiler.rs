//! The C compiler, with everything switched on that finds fault.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Warnings are errors. A label is there to name its statement; nobody jumps to it.
const WARNINGS: &[&str] =
    &["-std=gnu11", "-g", "-Wall", "-Wextra", "-Werror", "-Wno-unknown-pragmas", "-Wno-unused-label"];

/// Undefined behaviour and stray accesses end the run.
const SANITIZERS: &[&str] = &["-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// Compiles and runs a text, sanitized; what it prints.
pub(crate) fn run_text(name: &str, text: &str) -> String {
    run(&write(name, text), SANITIZERS)
}

/// Compiles and runs a file, sanitized; what it prints.
pub(crate) fn run_file(path: &Path) -> String {
    run(path, SANITIZERS)
}

/// Whether a file prints the same whatever its local variables hold at first.
pub(crate) fn is_defined(path: &Path) -> bool {
    run(path, &["-O0", "-ftrivial-auto-var-init=zero"]) == run(path, &["-O0", "-ftrivial-auto-var-init=pattern"])
}

/// Puts a text into a file.
pub(crate) fn write(name: &str, text: &str) -> PathBuf {
    let path = scratch().join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the scratch directory is writable");
    path
}

fn run(path: &Path, flags: &[&str]) -> String {
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let program = scratch().join(name);
    let mut compiler = Command::new("gcc");
    compiler.args(WARNINGS).arg("-ffp-contract=off").args(flags).arg(path).arg("-o").arg(&program).arg("-lm");
    succeed(&mut compiler, path);
    succeed(&mut Command::new(&program), path)
}

fn scratch() -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
}

fn succeed(command: &mut Command, path: &Path) -> String {
    let output = command.output().expect("the command can be started");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}:\n{errors}", path.display());
    String::from_utf8_lossy(&output.stdout).into_owned()
}
