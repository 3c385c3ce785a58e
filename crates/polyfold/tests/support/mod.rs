//! What tests and benchmarks share: C text to scops with the machine's own compiler.
#![allow(dead_code, unreachable_pub)]

use polyfold_frontend::{Options, Parsed};
use polyfold_scop::Scop;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// The repository's root.
pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
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
    cc.args(["-E", "-dD", "-x", "c", "-"]).arg("-I").arg(root().join("corpus"));
    let preprocessed = pipe(&mut cc, &polyfold_frontend::instrument(source));
    polyfold_frontend::parse(source, &preprocessed, &Options::default())
}

/// The only scop of C text that must be free of messages.
pub fn scop(source: &str) -> Scop {
    let parsed = parse(source);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}
