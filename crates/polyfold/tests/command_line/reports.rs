//! What is printed and written beside the program.

use super::files::{file, optimized, path, run, text};
use super::programs::SIMPLE;
use crate::support::code::has;
use serde_json::Value;
use std::process::Command;

#[test]
fn result_on_standard_output() {
    file("stdout.c", SIMPLE);
    let run = run("optimize", &["stdout.c"], &[]);
    assert_eq!(run.status, 0);
    assert!(run.stdout.contains("#pragma scop") && run.stdout.contains("t = 2 * x[i];"), "{}", run.stdout);
    assert!(run.stderr.contains("a variable") && !run.stdout.contains("a variable"), "{}", run.stderr);
    assert_eq!(run.stdout, optimized("stdout", SIMPLE, &[]));
}

#[test]
fn the_input_is_never_overwritten() {
    let input = file("itself.c", SIMPLE).display().to_string();
    let beside = file("itself.c", SIMPLE).with_file_name("./itself.c").display().to_string();
    for option in ["-o", "--json"] {
        for same in [&input, &beside] {
            let run = run("optimize", &["itself.c"], &[option, same]);
            assert_eq!(run.status, 2, "{}", run.stderr);
            assert!(run.stderr.contains(&format!("{option} names the input file")), "{}", run.stderr);
            assert_eq!(text("itself.c"), SIMPLE);
        }
    }
}

#[test]
fn messages_without_a_terminal_have_no_colour() {
    file("colour.c", "int x;\n");
    for variable in [None, Some(("NO_COLOR", "1"))] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_polyfold"));
        command.arg("optimize").arg(path("colour.c")).envs(variable);
        let output = command.output().expect("the command starts");
        assert!(!output.stderr.is_empty() && !output.stderr.contains(&0x1b));
    }
}

#[test]
fn json_has_the_promised_keys() {
    let json = path("keys.json");
    optimized("keys", SIMPLE, &["--json", &json.display().to_string(), "--param", "n=50"]);
    let report: Value = serde_json::from_str(&text("keys.json")).unwrap();
    assert_eq!((&report["schema"], &report["input"]), (&"polyfold/2".into(), &"keys.c".into()));
    let scop = &report["scops"][0];
    has_keys(&report, &["schema", "input", "scops", "diagnostics"]);
    has_keys(scop, &["function", "line", "parameters", "context", "schedule", "arrays", "buffers", "proof", "totals"]);
    let array = ["name", "role", "element", "extent", "decision", "reason", "cells_before", "cells_after", "max_live"];
    let t = scop["arrays"].as_array().unwrap().iter().find(|a| a["name"] == "t").unwrap();
    has_keys(t, &array);
    assert_eq!((&t["cells_before"], &t["cells_after"], &t["max_live"]), (&50.into(), &1.into(), &1.into()));
    assert_eq!((&t["decision"], &t["reason"]), (&"scalar".into(), &Value::Null));
    has_keys(&scop["buffers"][0], &["name", "element", "shape", "cells", "bytes", "method", "members"]);
    has_keys(&scop["buffers"][0]["members"][0], &["of", "mapping"]);
    has_keys(&scop["proof"], &["status", "scope", "executed"]);
    assert!(scop["proof"]["executed"]["agreed"].as_u64().is_some_and(|sizes| sizes >= 3), "{}", scop["proof"]);
    assert_eq!(scop["proof"]["status"], "proved");
    let totals = ["at", "cells_before", "cells_after", "bytes_before", "bytes_after", "max_live", "seconds"];
    has_keys(&scop["totals"], &totals);
    assert_eq!(scop["totals"]["at"]["n"], 50);
}

/// A ring of 48 cells that goes down by two a row: the text, its comment and the report agree on where it begins.
#[test]
fn json_has_where_rings_begin() {
    let json = path("begins.json");
    let source = "void f(int n, const double in[2 * n], double out[n]) {
  double a[n][n];
#pragma scop
  for (int X = 0; X < n; X += 16)
    for (int Y = 0; Y < n; Y += 16)
      for (int i = X; i < (X + 16 < n ? X + 16 : n); i++) {
        for (int j = Y; j < (Y + 16 < n ? Y + 16 : n); j++)
          a[i][j] = in[i + j];
        for (int j = Y > 2 ? Y : 2; j < (Y + 16 < n ? Y + 16 : n); j++)
          out[i] += a[i][j - 2] + a[i][j];
      }
#pragma endscop
}
";
    let more = ["--emit", "plain", "--json", &json.display().to_string()];
    let result = optimized("begins", source, &more);
    assert!(has(&result, "a[((j - 2 * i + 30) % 48 + 48) % 48] = in[i + j];"), "{result}");
    assert!(has(&result, "a[((j - 2 * i + 28) % 48 + 48) % 48] + _"), "{result}");
    let report: Value = serde_json::from_str(&text("begins.json")).unwrap();
    let mapping = &report["scops"][0]["buffers"][0]["members"][0]["mapping"];
    assert_eq!(mapping, "[n] -> { a[i0, i1] -> [(-2i0 + i1 + (30)) mod 48] }");
    let proposed = optimized("begins_by_name", source, &["--emit", "plain", "--method", "lattice"]);
    assert!(proposed.contains("a[(2 * i - j) mod 48]"), "{proposed}");
}

#[track_caller]
fn has_keys(value: &Value, keys: &[&str]) {
    let missing: Vec<_> = keys.iter().filter(|key| value.get(**key).is_none()).collect();
    assert!(missing.is_empty(), "{missing:?} not in {value}");
}

#[test]
fn strict_refuses_what_deserves_a_warning() {
    let source = SIMPLE.replace("t[i] = 2 * x[i]", "t[x[i] & 1] = 2 * x[i]").replace("t[i] + 1", "t[0] + 1");
    file("strict.c", &source);
    let relaxed = run("optimize", &["strict.c"], &[]);
    assert_eq!(relaxed.status, 0);
    assert!(relaxed.stderr.contains("warning[P0203]: `t`"), "{}", relaxed.stderr);
    let output = file("strict.out.c", "untouched");
    let strict = run("optimize", &["strict.c"], &["--strict", "-o", &output.display().to_string()]);
    assert_eq!((strict.status, text("strict.out.c").as_str()), (1, "untouched"));
    file("strict_fine.c", SIMPLE);
    assert_eq!(run("optimize", &["strict_fine.c"], &["--strict"]).status, 0);
}

#[test]
fn nothing_is_written_unless_everything_can_be() {
    file("halves.c", SIMPLE);
    let output = file("halves.out.c", "untouched").display().to_string();
    let nowhere = path("nowhere/halves.json").display().to_string();
    let failed = run("optimize", &["halves.c"], &["-o", &output, "--json", &nowhere]);
    assert_eq!((failed.status, text("halves.out.c").as_str()), (1, "untouched"), "{}", failed.stderr);
}

#[test]
fn proofs_are_claimed_of_changes_only() {
    file("unchanged.c", SIMPLE.replace("x[i] = t[i] + 1;", "}\n  for (int i = 0; i < n; i++) {\n    x[i] = t[i] + 1;"));
    file("changed.c", SIMPLE);
    let (unchanged, changed) = (run("optimize", &["unchanged.c"], &[]), run("optimize", &["changed.c"], &[]));
    assert!(unchanged.stderr.contains("nothing is changed") && !unchanged.stderr.contains("proved for"));
    assert!(changed.stderr.contains("proved for all sizes"), "{}", changed.stderr);
}

#[test]
fn new_loops_with_the_old_storage_are_no_unchanged_program() {
    file(
        "only_loops.c",
        SIMPLE.replace("x[i] = t[i] + 1;", "}\n  for (int i = 0; i < n; i++) {\n    x[i] = t[i] + 1;"),
    );
    let backwards = "{ S0[i] -> [0, -i]; S1[i] -> [1, -i] }";
    let cases = [
        (&["--schedule", backwards][..], "  only loops are new; proved for all sizes", "loops"),
        (&["--schedule", "{ S0[i] -> [0, i]; S1[i] -> [1, i] }", "--parallel", "1"], "  only loops are new; ", "loops"),
        (&["--reallocate"], "  only arrays are new; proved for all sizes", "arrays"),
    ];
    for (more, said, new) in cases {
        let json = path("only_loops.json").display().to_string();
        let run = run("optimize", &["only_loops.c"], &[more, &["--json", &json]].concat());
        assert!(run.stderr.contains(said), "{more:?}: {}", run.stderr);
        let report: Value = serde_json::from_str(&text("only_loops.json")).unwrap();
        assert_eq!(report["scops"][0]["before_storage"], new);
    }
}

#[test]
fn verify_checks_before_writing() {
    file("verify.c", SIMPLE);
    let output = path("verify.out.c").display().to_string();
    let run = run("optimize", &["verify.c"], &["--verify", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("checked: both versions were compiled and run"), "{}", run.stdout);
}

/// Both streams of each command go to a pipe that nobody reads; the files asked for are written all the same.
#[test]
fn closed_pipes_end_quietly() {
    file("closed.c", SIMPLE);
    file("closed.isl", "{ [i] : -3 < i < 3 }");
    let json = file("closed.json", "");
    let json = json.display().to_string();
    let [source, set] = ["closed.c", "closed.isl"].map(|name| path(name).display().to_string());
    let commands: [&[&str]; 6] = [
        &["optimize", &source, "--param", "zz=3", "--json", &json],
        &["optimize", &source, "-o", "/dev/null"],
        &["analyze", &source],
        &["check", &source, &source],
        &["lattice", &set],
        &["optimize", "/nowhere/at/all.c"],
    ];
    for command in commands {
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let mut polyfold = Command::new(env!("CARGO_BIN_EXE_polyfold"));
        polyfold.args(command).stdout(writer.try_clone().expect("it can be shared")).stderr(writer);
        let status = polyfold.status().expect("the command starts").code();
        assert_eq!(status, Some(if command[1].starts_with("/nowhere") { 1 } else { 141 }), "{command:?}");
    }
    assert!(text("closed.json").contains("polyfold/2"));
}

#[test]
fn a_full_disk_is_reported() {
    file("full.c", SIMPLE);
    let mut polyfold = Command::new(env!("CARGO_BIN_EXE_polyfold"));
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("the device is there");
    let output = polyfold.arg("optimize").arg(path("full.c")).stdout(full).output().expect("the command starts");
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write to standard output"));
}

/// Rust's runtime opens /dev/null in the place of a closed standard output.
#[test]
fn a_closed_output_is_reported() {
    file("shut.c", SIMPLE);
    let shell = |redirected: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("\"$0\" optimize \"$1\" {redirected}"), env!("CARGO_BIN_EXE_polyfold")]);
        let output = shell.arg(path("shut.c")).output().expect("there is a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for lost in [">&-", "-o /dev/stdout >&-", "-o /dev/full", "-o /dev/stdout >/dev/full", "--json /dev/full"] {
        let (status, said) = shell(lost);
        assert!(status == Some(1) && said.contains("error[P0901]: cannot write "), "{lost}: {status:?} {said}");
    }
    for fine in [">/dev/null", "<&- >/dev/null", "2>&- >/dev/null", "-o /dev/null", "1<>/dev/null"] {
        assert_eq!(shell(fine).0, Some(0), "{fine}");
    }
}

/// The second `t` is the one with two cells.
#[test]
fn arrays_of_one_name_are_told_apart() {
    let again = "  for (int i = 1; i < n; i++) {\n    int t[n];\n    t[i] = x[i];\n    t[i - 1] = x[i - 1];\n    \
                 x[i] = t[i] + t[i - 1];\n  }\n";
    let source = SIMPLE.replace("  int t[n];\n", "").replace("    t[i] = 2", "    int t[n];\n    t[i] = 2");
    file("one_name.c", source.replace("#pragma endscop", &format!("{again}#pragma endscop")));
    let output = path("one_name.out.c").display().to_string();
    let run = run("optimize", &["one_name.c"], &["-o", &output]);
    let row = |of: &str| run.stdout.lines().find(|line| line.contains(of)).unwrap_or_else(|| panic!("{run:?}"));
    assert!(row("t[n] (line 5)").ends_with("a variable"), "{}", run.stdout);
    assert!(row("t[n] (line 10)").ends_with("t_2[2]"), "{}", run.stdout);
}

#[test]
fn effects_are_not_called_calls() {
    let source = SIMPLE.replace("int x[n]", "volatile int x[n]").replace("int t[n]", "static int t[9]");
    file("volatile.c", &source);
    let run = run("optimize", &["volatile.c"], &["-o", "/dev/null"]);
    assert!(run.stderr.contains("line 6 does more than can be seen: a call, or volatile memory"), "{}", run.stderr);
}

/// What `--live-out` names is read behind the scop: no cell may take another one's place before.
#[test]
fn analyze_knows_that_the_end_reads() {
    let source = "void f(int n, const int in[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = in[i];
    out[i] = t[i];
  }
#pragma endscop
}
";
    file("end.c", source);
    let shown = |more: &[&str]| run("analyze", &["end.c"], &[&["--array", "t"], more].concat()).stdout;
    let (alone, read) = (shown(&[]), shown(&["--live-out", "t"]));
    assert!(alone.contains("largest along each axis at n = 10: 0") && !alone.contains("END"), "{alone}");
    assert!(read.contains("t[c0] -> END[]") && read.contains("S0[i] -> END[]"), "{read}");
    assert!(read.contains("largest along each axis at n = 10: 9"), "{read}");
    assert!(!read.contains("largest along each axis at n = 10: 0"), "{read}");
}
