//! The command on files of a test's own.

use super::programs::SIMPLE;
use crate::support::compiler;
use crate::support::scratch;
use crate::support::tool::{Run, polyfold};
use serde_json::Value;
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

/// The same, and what the report says of the arrays of the first scop.
#[track_caller]
pub(crate) fn with_arrays(name: &str, source: &str, more: &[&str]) -> (String, Vec<Value>) {
    let json = path(&format!("{name}.json")).display().to_string();
    let result = optimized(name, source, &[more, &["--json", &json]].concat());
    let report: Value = serde_json::from_str(&text(&format!("{name}.json"))).expect("it is JSON");
    (result, report["scops"][0]["arrays"].as_array().expect("arrays").clone())
}

/// The cell of an output in which an array lives, as the report says; `None`: in none.
#[track_caller]
pub(crate) fn place<'a>(arrays: &'a [Value], name: &str) -> Option<&'a str> {
    arrays.iter().find(|array| array["name"] == name).expect("the array")["place"].as_str()
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

/// The bytes that optimizing some bytes makes.
#[track_caller]
fn bytes_of(name: &str, source: &[u8]) -> Vec<u8> {
    file(&format!("{name}.c"), source);
    let output = path(&format!("{name}.out.c"));
    let run = run("optimize", &[&format!("{name}.c")], &["-o", &output.display().to_string()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    std::fs::read(output).expect("it was written")
}

#[test]
fn bytes_that_are_no_utf8_stay() {
    let plain = bytes_of("plain_bytes", SIMPLE.as_bytes());
    let latin = [b"/* caf\xe9 \xff */\n", SIMPLE.as_bytes(), b"/* na\xefve */ char *s = \"\xe9\";\n"].concat();
    let expected = [b"/* caf\xe9 \xff */\n", &plain[..], b"/* na\xefve */ char *s = \"\xe9\";\n"].concat();
    assert_eq!(bytes_of("latin_bytes", &latin), expected);
    let (before, after) = SIMPLE.split_once("2 * x").expect("an expression");
    refused("latin_code", [before.as_bytes(), b"2\xe9 * x", after.as_bytes()].concat(), &["latin_code.c:"]);
}

#[cfg(unix)]
#[test]
fn a_link_to_a_file_that_is_not_there_makes_that_file() {
    use std::os::unix::fs::symlink;
    file("through_link.c", SIMPLE);
    let (link, target) = (path("link_to_nothing.c"), path("behind_link.c"));
    let _ = (std::fs::remove_file(&link), std::fs::remove_file(&target));
    symlink("behind_link.c", &link).expect("a link");
    let ended = run("optimize", &["through_link.c"], &["-o", &link.display().to_string()]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert!(std::fs::symlink_metadata(&link).expect("the link").is_symlink() && target.is_file());
    assert_eq!(std::fs::metadata(&target).expect("the file").len(), text("behind_link.c").len() as u64);
}

#[cfg(unix)]
#[test]
fn all_names_of_a_file_lead_to_the_new_text() {
    use std::os::unix::fs::MetadataExt;
    let (one, other) = (file("one_name.c", SIMPLE), path("other_name.c"));
    let _ = std::fs::remove_file(&other);
    std::fs::hard_link(&one, &other).expect("the directory is writable");
    let number = |path: &std::path::Path| std::fs::metadata(path).expect("it is there").ino();
    let before = number(&one);
    let ended = run("optimize", &["one_name.c"], &["--in-place"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!((number(&one), number(&other)), (before, before));
    assert_eq!(text("other_name.c"), optimized("as_one_name", SIMPLE, &[]));
    let beside = std::fs::read_dir(one.parent().expect("a directory")).expect("it can be read");
    let is_left = |name: &str| name.starts_with(".tmp");
    assert!(!beside.flatten().any(|entry| is_left(&entry.file_name().to_string_lossy())));
}

/// Whoever may write everything may write that, too.
#[cfg(unix)]
#[test]
fn a_file_that_nobody_may_write_stays() {
    use std::os::unix::fs::PermissionsExt;
    file("writes_read_only.c", SIMPLE);
    let output = file("read_only.c", "untouched");
    std::fs::set_permissions(&output, PermissionsExt::from_mode(0o444)).expect("its owner's");
    let may_write = std::fs::OpenOptions::new().append(true).open(&output).is_ok();
    let ended = run("optimize", &["writes_read_only.c"], &["-o", &output.display().to_string()]);
    assert_eq!(ended.status, if may_write { 0 } else { 1 }, "{}", ended.stderr);
    assert_eq!(text("read_only.c") == "untouched", !may_write);
    std::fs::remove_file(output).expect("it can go");
}

#[test]
fn in_place_and_as_a_difference() {
    let expected = optimized("as_new_file", SIMPLE, &[]);
    let source = file("in_place.c", SIMPLE);
    let shown = run("optimize", &["in_place.c"], &["--diff"]);
    assert_eq!((shown.status, text("in_place.c").as_str()), (0, SIMPLE));
    let lines = |sign: char| shown.stdout.lines().skip(2).filter(|line| line.starts_with(sign)).count();
    let (before, after) = (SIMPLE.lines().count(), expected.lines().count());
    assert_eq!(before + lines('+'), after + lines('-'), "{}", shown.stdout);
    let ended = run("optimize", &["in_place.c"], &["--in-place"]);
    assert_eq!(ended.status, 0, "{}", ended.stderr);
    assert_eq!(std::fs::read_to_string(source).expect("it is there"), expected);
    assert_eq!(run("optimize", &["in_place.c"], &["--in-place", "-o", "x.c"]).status, 2);
}
