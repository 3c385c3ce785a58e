//! Running the front end on a piece of C, with the system's compiler.

use polyfold_frontend::{Diagnostic, Options, Parsed, Severity, instrument, parse};
use std::io::Write;
use std::process::{Command, Stdio};

/// What `cc -E -dD` prints.
pub(crate) fn preprocess(text: &str) -> String {
    let mut compiler = Command::new("cc")
        .args(["-E", "-dD", "-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("a C compiler");
    let mut input = compiler.stdin.take().expect("a pipe");
    let text = text.to_string();
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()));
    let output = compiler.wait_with_output().expect("its output");
    let _ = writer.join();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn read_with(source: &str, options: &Options) -> Parsed {
    parse(source, &preprocess(&instrument(source)), options)
}

pub(crate) fn read(source: &str) -> Parsed {
    read_with(source, &Options::default())
}

/// A file with one function with the given declarations in front of the scop.
pub(crate) fn function(parameters: &str, declarations: &str, scop: &str) -> String {
    format!("void f({parameters}) {{\n{declarations}\n#pragma scop\n{scop}\n#pragma endscop\n}}\n")
}

/// The dump of the only scop, which must come without complaints.
#[track_caller]
pub(crate) fn dump(source: &str) -> String {
    let parsed = read(source);
    assert!(parsed.diagnostics.is_empty(), "{:#?}", parsed.diagnostics);
    assert_eq!(parsed.scops.len(), 1);
    parsed.scops[0].to_string()
}

/// Asserts that each of the lines occurs in the dump, in this order.
#[track_caller]
pub(crate) fn has_lines(dump: &str, wanted: &[&str]) {
    let mut lines = dump.lines();
    for line in wanted {
        assert!(lines.any(|l| l.trim() == *line), "no `{line}` (in this order) in\n{dump}");
    }
}

/// The only diagnostic of a file without scops that can be handled, and the text it points at.
#[track_caller]
pub(crate) fn refusal(source: &str) -> (Diagnostic, String) {
    let parsed = read(source);
    assert!(parsed.scops.is_empty(), "{}", parsed.scops[0]);
    assert_eq!(parsed.diagnostics.len(), 1, "{:#?}", parsed.diagnostics);
    let diagnostic = parsed.diagnostics[0].clone();
    let place = source[diagnostic.span.clone()].to_string();
    (diagnostic, place)
}

/// Asserts that a file is refused with this severity, for a reason that holds `message`, at `place`.
#[track_caller]
pub(crate) fn refused(source: &str, severity: Severity, message: &str, place: &str) {
    let (diagnostic, at) = refusal(source);
    assert_eq!(diagnostic.severity, severity, "{diagnostic:#?}");
    assert!(diagnostic.message.contains(message), "{diagnostic:#?}");
    assert!(at.starts_with(place), "{diagnostic:#?} at `{at}`");
    assert!(diagnostic.help.is_some(), "{diagnostic:#?}");
}
