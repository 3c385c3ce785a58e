//! What tests and benchmarks share: C text to scops with the machine's own compiler.
#![allow(dead_code, unreachable_pub)]

pub mod browser;
pub mod code;
pub mod compacted;
pub mod compiler;
pub mod declared;
pub mod golden;
pub mod own_order;
pub mod storage;
pub mod tool;
pub mod two_threads;
pub mod usual;

use polyfold_frontend::{Options, Parsed};
use polyfold_scop::Scop;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A directory for the files of the test that asks. Tests run side by side, in threads or processes, and some choose the same names.
pub fn scratch(kind: &str) -> PathBuf {
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(kind).join(running_test());
    std::fs::create_dir_all(&directory).expect("the scratch directory is writable");
    directory
}

/// The test that this thread runs: the thread's name, or where a process runs one test alone, what its command line asks for.
fn running_test() -> String {
    let thread = std::thread::current().name().filter(|name| *name != "main").map(String::from);
    let asked = || std::env::args().skip(1).find(|argument| !argument.starts_with('-'));
    thread.or_else(asked).unwrap_or_default().replace("::", ".")
}

/// Puts a header of the corpus beside programs. Other tests may be compiling with it: it is there in one moment, or as it was.
pub fn bring_header(name: &str, directory: &Path) -> std::io::Result<()> {
    static BROUGHT: AtomicUsize = AtomicUsize::new(0);
    let number = BROUGHT.fetch_add(1, Ordering::Relaxed);
    let arriving = directory.join(format!("{name}.{}.{number}", std::process::id()));
    std::fs::copy(root().join("corpus/compact").join(name), &arriving)?;
    std::fs::rename(&arriving, directory.join(name))
}

/// The C files of the repository that hold scops: `corpus/` and `examples/`.
pub fn c_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    for directory in ["corpus", "examples"] {
        let entries = std::fs::read_dir(root().join(directory)).expect("the directory is there");
        files.extend(entries.map(|e| e.expect("its entries can be read").path()));
    }
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

/// A file's name without directories and ending.
pub fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Runs a command with text on its standard input; the text it prints.
pub fn pipe(command: &mut Command, text: &str) -> String {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let text = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()));
    let output = child.wait_with_output().expect("the command ends");
    let _ = writer.join();
    assert!(output.status.success(), "{command:?} failed");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Parses C text.
pub fn parse(source: &str) -> Parsed {
    let mut cc = Command::new("cc");
    cc.args(["-E", "-dD", "-x", "c", "-"])
        .arg("-I")
        .arg(root().join("corpus"))
        .arg("-I")
        .arg(root().join("corpus/compact"));
    let preprocessed = pipe(&mut cc, &polyfold_frontend::instrument(source));
    polyfold_frontend::parse(source, &preprocessed, &Options::default())
}

/// The only scop of C text that must be free of messages.
pub fn scop(source: &str) -> Scop {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}
