//! Inputs and command lines at fault: exit status, message, and nothing written.

use super::files::{file, refused, run};
use super::programs::SIMPLE;
use crate::support::tool::polyfold;

#[test]
fn files_without_a_whole_scop() {
    refused("no_scop", "int main(void) { return 0; }\n", &["no `#pragma scop`", "no_scop.c:1:1", "help:"]);
    refused("empty", "", &["no `#pragma scop`"]);
    let endless = "void f(int n, int x[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) x[i] = 0;\n}\n";
    refused("no_end", endless, &["has no end", "no_end.c:2:1", "#pragma endscop"]);
    let nested =
        "void f(int n, int x[n]) {\n#pragma scop\n#pragma scop\n  x[0] = n;\n#pragma endscop\n#pragma endscop\n}\n";
    refused("nested", nested, &["starts inside the one of line 2", "nested.c:3:1"]);
}

#[test]
fn files_that_are_not_text() {
    refused("zero_bytes", "int x;\0int y;\n", &["zero_bytes.c is not a text file"]);
}

#[test]
fn files_that_are_not_c() {
    let source = SIMPLE.replace("2 * x[i]", "2 * ");
    refused("syntax", source, &["not C", "syntax.c:6:", "t[i] = 2 * ;", "help:"]);
    refused("include", format!("#include \"nowhere.h\"\n{SIMPLE}"), &["nowhere.h", "include.c:1", "-I"]);
}

#[test]
fn files_that_are_not_there() {
    let run = run("optimize", &["missing.c"], &[]);
    assert_eq!(run.status, 1);
    assert!(run.stderr.contains("cannot read") && run.stderr.contains("missing.c"), "{}", run.stderr);
}

#[test]
fn outputs_that_cannot_be_written() {
    file("unwritable.c", SIMPLE);
    let run = run("optimize", &["unwritable.c"], &["-o", "/nowhere/at/all.c"]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""));
    let said = "cannot write /nowhere/at/all.c: there is no directory /nowhere/at\n";
    assert!(run.stderr.contains(said), "{}", run.stderr);
}

#[test]
fn faults_of_the_command_line() {
    file("faults.c", SIMPLE);
    for more in [["--param", "n"], ["--param", "n=many"], ["--method", "guess"], ["--max-ops", "0"]] {
        assert_eq!(run("optimize", &["faults.c"], &more).status, 2, "{more:?}");
    }
    assert_eq!(polyfold::<&str>(&[]).status, 2);
    assert_eq!(polyfold(&["frobnicate"]).status, 2);
}

#[test]
fn names_of_schedules_that_there_are_not() {
    file("mistyped.c", SIMPLE);
    let names = "this is neither one of keep, fuse, fuse-rows, strips nor a file that is there";
    for (schedule, meant) in [("strip", "strips"), ("fuse_rows", "fuse-rows"), ("Fuse", "fuse"), ("kept", "keep")] {
        let run = run("optimize", &["mistyped.c"], &["--schedule", schedule]);
        assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
        let said = format!("--schedule {schedule}: {names}; did you mean `{meant}`?\n");
        assert!(run.stderr.ends_with(&said), "{}", run.stderr);
    }
    let missing = run("optimize", &["mistyped.c"], &["--schedule", "orders/of/mine.txt"]);
    assert!(missing.stderr.ends_with(&format!("{names}\n")), "{}", missing.stderr);
    assert_eq!(missing.status, 2);
}

#[test]
fn names_that_are_not_in_the_program() {
    file("names.c", SIMPLE);
    let unknown = run("analyze", &["names.c"], &["--array", "zz"]);
    assert_eq!(unknown.status, 1);
    assert!(unknown.stderr.contains("`zz`"), "{}", unknown.stderr);
    let unknown = run("optimize", &["names.c"], &["--temporary", "zz"]);
    assert!(unknown.stderr.contains("`--temporary zz`"), "{}", unknown.stderr);
    let unknown = run("optimize", &["names.c"], &["--assume", "zz > 3"]);
    assert!(unknown.status != 0 && unknown.stderr.contains("`zz` is not a parameter"), "{}", unknown.stderr);
}

#[test]
fn sizes_of_unknown_parameters() {
    file("unknown_size.c", SIMPLE);
    let unknown = run("optimize", &["unknown_size.c"], &["--param", "zz=3"]);
    assert!(unknown.stderr.contains("--param zz"), "{}", unknown.stderr);
}

#[test]
fn assumptions_that_cannot_be_read() {
    file("assumption.c", SIMPLE);
    assert_eq!(run("optimize", &["assumption.c"], &["--assume", "n >"]).status, 2);
}
