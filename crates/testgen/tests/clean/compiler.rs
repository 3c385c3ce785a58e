//! The C compiler, with everything switched on that finds fault.

use std::path::{Path, PathBuf};
use std::process::Command;

/// Warnings are errors; undefined behaviour and stray accesses end the run.
const FLAGS: &[&str] = &[
    "-std=gnu11",
    "-O1",
    "-g",
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unknown-pragmas",
    "-ffp-contract=off",
    "-fsanitize=address,undefined",
    "-fno-sanitize-recover=all",
];

/// Compiles and runs a text; what it prints.
pub(crate) fn run_sanitized(name: &str, text: &str) -> String {
    let path = scratch().join(format!("{name}.c"));
    std::fs::write(&path, text).expect("the scratch directory is writable");
    run_file_sanitized(&path, &[])
}

/// Compiles and runs a file; what it prints.
pub(crate) fn run_file_sanitized(path: &Path, more_flags: &[&str]) -> String {
    let name = path.file_stem().expect("a file has a name").to_string_lossy().into_owned();
    let program = scratch().join(name);
    let mut compiler = Command::new("gcc");
    compiler.args(FLAGS).args(more_flags).arg(path).arg("-o").arg(&program).arg("-lm");
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
