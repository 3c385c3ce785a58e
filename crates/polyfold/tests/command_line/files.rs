//! The command on files of a test's own.

use crate::support::compiler;
use crate::support::scratch;
use crate::support::tool::{Run, polyfold};
use std::path::PathBuf;

/// A file of a test's own.
pub(crate) fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = scratch("command_line").join(name);
    std::fs::write(&path, content).expect("the scratch directory is writable");
    path
}

pub(crate) fn path(name: &str) -> PathBuf {
    scratch("command_line").join(name)
}

pub(crate) fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect("it was written")
}

/// `polyfold COMMAND FILE…`, with the files given by name in the scratch directory. New code is plain unless another form is asked for: what
/// tests say of subscripts is about that, and the other forms begin with it.
pub(crate) fn run(command: &str, files: &[&str], more: &[&str]) -> Run {
    let mut arguments = vec![command.to_string()];
    arguments.extend(files.iter().map(|name| path(name).display().to_string()));
    arguments.extend(more.iter().map(|text| text.to_string()));
    if command == "optimize" && !more.contains(&"--emit") {
        arguments.extend(["--emit", "plain"].map(String::from));
    }
    polyfold(&arguments)
}

/// Optimizes a text into `NAME.out.c`, with success; the result.
#[track_caller]
pub(crate) fn optimized(name: &str, source: &str, more: &[&str]) -> String {
    file(&format!("{name}.c"), source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    let run = run("optimize", &[&format!("{name}.c")], &[&["-o", &output], more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    text(&format!("{name}.out.c"))
}

/// Optimizing the text fails with 1 and a message that holds all of `said`; nothing is written.
#[track_caller]
pub(crate) fn refused(name: &str, source: impl AsRef<[u8]>, said: &[&str]) {
    let input = format!("{name}.c");
    file(&input, source);
    let output = file(&format!("{name}.out.c"), "untouched");
    let run = run("optimize", &[&input], &["-o", &output.display().to_string()]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    for part in said {
        assert!(run.stderr.contains(part), "no `{part}` in {}", run.stderr);
    }
    assert_eq!(text(&format!("{name}.out.c")), "untouched");
    assert_eq!(run.stdout, "");
}

/// `NAME.c` and `NAME.out.c` print the same.
#[track_caller]
pub(crate) fn agree(name: &str) {
    let before = compiler::run_source(&path(&format!("{name}.c")), &[]).unwrap();
    assert_eq!(before, compiler::run(&path(&format!("{name}.out.c")), &[]).unwrap());
    if let Some(for_speed) = compiler::run_for_speed(&path(&format!("{name}.out.c"))).unwrap() {
        assert_eq!(before, for_speed);
    }
}
