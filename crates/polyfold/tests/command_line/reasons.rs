//! Why a result holds for some sizes only, or an array stays for some: sizes, line, and what to do.

use super::files::{file, path, run, text};
use super::programs::{CASES, SIMPLE};
use serde_json::Value;

/// The table and the messages hold all of `said`.
#[track_caller]
fn says(name: &str, source: &str, more: &[&str], said: &[&str]) {
    let input = format!("{name}.c");
    file(&input, source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    let run = run("optimize", &[&input], &[&["-o", &output], more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    for part in said {
        assert!(run.stdout.contains(part) || run.stderr.contains(part), "no `{part}` in {}{}", run.stdout, run.stderr);
    }
}

#[test]
fn unsigned_arithmetic_that_may_wrap() {
    let source = SIMPLE.replace("(int n", "(unsigned n").replace("int i", "unsigned i");
    let always = source.replace("x[i] = t[i] + 1;", "if (i - 1 < n) x[i] = t[i] + 1;");
    says("wraps_always", &always, &[], &["for every size, unsigned arithmetic", "nothing is changed", "in line 7"]);
    let said =
        ["for n >= 1, `i - 1` in line 7 falls below 0 and wraps around", "wraps.c:7:9", "help: use signed types"];
    says("wraps", &always.replace("t[n]", "t[n + 1]"), &[], &said);
    let json = path("wraps.json");
    says(
        "wraps_sometimes",
        &source.replace("i < n", "i < n - 3"),
        &["--json", &json.display().to_string()],
        &[
            "proved for n >= 3",
            "(for n <= 2, `n - 3` in line 5 falls below 0 and wraps around, being unsigned)",
            "for n <= 2 the scop stays as it is",
        ],
    );
    let report: Value = serde_json::from_str(&text("wraps.json")).unwrap();
    assert_eq!(report["scops"][0]["proof"]["reasons"].as_array().map(Vec::len), Some(1));
}

#[test]
fn accesses_outside_their_array() {
    let source = SIMPLE.replace("int t[n]", "int t[10]");
    let said = ["for n >= 10 the program has no meaning in C", "outside.c:6:5", "is outside `t`"];
    says("outside", &source.replace("i < n", "i <= n"), &[], &said);
    let calls = source.replace("t[i] = 2", "see(i);\n    t[i] = 2").replace("void f", "void see(int);\nvoid f");
    says("outside_calls", &calls, &[], &["proved for n <= 10", "(for n >= 11, `t[i]` in line 8 is outside `t`)"]);
}

#[test]
fn ordinary_programs_need_no_reasons() {
    file("plain.c", SIMPLE);
    let output = path("plain.out.c").display().to_string();
    let run = run("optimize", &["plain.c"], &["-o", &output]);
    assert!(run.stderr.is_empty() && !run.stdout.contains("line 5"), "{}{}", run.stdout, run.stderr);
}

#[test]
fn reads_before_writes_for_some_sizes() {
    let source = SIMPLE.replace("int i = 0; i < n", "int i = 1; i <= n").replace("x[i]", "x[i - 1]");
    let source = source.replace("t[n]", "t[n + 2]").replace("#pragma endscop", "  x[0] = t[n];\n#pragma endscop");
    let said =
        ["t[0] is read before it is written for n == 0", "help: add --assume 'n >= 1': a test then guards the result"];
    says("early", &source, &[], &said);
    says("early_assumed", &source, &["--assume", "n >= 1"], &["a variable", "proved for n >= 1"]);
    says("early_always", &source.replace("= t[n]", "= t[n + 1]"), &[], &["t[101] is read before it is written\n"]);
}

/// A buffer on the stack must have fewer run-time extents than the array whose place it takes.
#[test]
fn buffers_of_run_time_size_that_the_stack_may_not_hold() {
    let source = "void f(int n, EXTRA double x[n], double t[EXTENT]) {
#pragma scop
  for (int r = 0; r < 3; r++) {
    for (int i = 0; i < n; i++)
      WRITE = x[i];
    for (int i = 0; i < n; i++)
      x[i] = t[n - 1 - i] + 1;
  }
#pragma endscop
}
";
    let case = |extent: &str, write: &str, read: &str, extra: &str| {
        let source = source.replace("EXTENT]", extent).replace("WRITE", write).replace("EXTRA ", extra);
        source.replace("t[n - 1 - i]", read)
    };
    let temporary = ["--temporary", "t"];
    let half = case("2 * n]", "t[i]", "t[n - 1 - i]", "");
    says(
        "stack_half",
        &half,
        &temporary,
        &["as it was: a smaller buffer would be a local array", "warning[P0301]: `t` stays"],
    );
    let two = case("n][n]", "t[r][i]", "t[r][n - 1 - i]", "").replace("r < 3", "r < n");
    says("stack_row", &two, &temporary, &["t_buffer[n]"]);
    let fixed = case("16]", "t[i]", "t[n - 1 - i]", "").replace("i < n", "i < 8").replace("n - 1", "7");
    says("stack_fixed", &fixed, &temporary, &["t_buffer[8]"]);
    let local = half.replace(", double t[2 * n]", "").replace("#pragma scop", "  double t[2 * n];\n#pragma scop");
    says("stack_local", &local, &[], &["t[n]"]);
}

/// Only a name that stands nowhere else in the file is one that a later call alone could need.
#[test]
fn a_static_array_of_the_scop_alone_may_be_named() {
    let source = SIMPLE.replace("  int t[n];\n", "").replace("int x[n]", "int x[100]");
    let hint = "though nothing else uses it: --temporary t lets it shrink";
    says(
        "own_static",
        &format!("static int t[100];\n{source}"),
        &[],
        &[hint, "nothing to shrink: no array is the scop's"],
    );
    let shared = format!("static int t[100];\n{source}int g(void) {{ return t[3]; }}\n");
    for (name, source) in [("shared_static", shared), ("global", format!("int t[100];\n{source}"))] {
        says(name, &source, &[], &["t stays: it is a global variable: its layout is the program's interface"]);
    }
    says("named_static", &format!("static int t[100];\n{source}"), &["--temporary", "t"], &["a variable"]);
}

#[test]
fn a_call_beside_a_static_array_has_a_way_out() {
    let source = SIMPLE.replace("int t[n]", "static int t[9]").replace("x[i] = t[i]", "see(i);\n    x[i] = t[i]");
    let source = source.replace("void f", "void see(int);\nvoid f");
    says(
        "static_call",
        &source,
        &[],
        &["does more than can be seen", "help: declare it in the function, without `static`"],
    );
}

/// What data is compared with is no size, and an example beyond a bound is not the largest number that there is.
#[test]
fn the_sizes_of_a_report_are_sizes() {
    let source = SIMPLE.replace("int x[n]", "int threshold, int x[n]");
    let source = source.replace("x[i] = t[i] + 1;", "if (x[i] > threshold)\n      x[i] = t[i] + 1;");
    says("threshold", &source, &[], &["1 alive at once at n = 100\n", "example sizes for n; --param"]);
    let assumed = "m >= 5 && m >= n + 3 && m <= 9223372036854775807";
    says("beyond", CASES, &["--assume", assumed], &["alive at once at m = 103, n = 100"]);
}
