//! The command line: exit statuses, messages, what is written and what is not.

#![allow(missing_docs)]

mod support;

use serde_json::Value;
use std::path::PathBuf;
use std::process::Command;
use support::tool::{Run, polyfold};
use support::{compiler, scratch};

/// A temporary that becomes one variable.
const SIMPLE: &str = "
void f(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 2 * x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
}
";

/// `t` needs k + 1 cells.
const LAG: &str = r#"
#include <stdio.h>
static void f(int n, int k, const int x[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 3 * x[i];
    if (i >= k)
      out[i] = t[i - k];
  }
#pragma endscop
}
int main(void) {
  int x[6] = {3, 1, 4, 1, 5, 9};
  for (int k = 0; k < 5; k++) {
    int out[6] = {0};
    f(6, k, x, out);
    for (int i = 0; i < 6; i++)
      printf("%d ", out[i]);
  }
  printf("\n");
  return 0;
}
"#;

/// Rows of `t` are needed in pairs, whatever n is.
const ROWS: &str = r#"
#include <stdio.h>
static void f(int n, int x[n]) {
  int t[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    t[0][i] = x[i];
  for (int k = 1; k < n; k++)
    for (int i = 0; i < n; i++)
      t[k][i] = t[k - 1][i] + t[k - 1][0];
  for (int i = 0; i < n; i++)
    x[i] = t[n - 1][i];
#pragma endscop
}
int main(void) {
  static const int sizes[] = {1, 2, 3, 5};
  for (int s = 0; s < 4; s++) {
    int x[5] = {3, 1, 4, 1, 5};
    f(sizes[s], x);
    for (int i = 0; i < sizes[s]; i++)
      printf("%d ", x[i]);
  }
  printf("\n");
  return 0;
}
"#;

/// The product of two macros has to be taken at its value.
const LINEARISED: &str = "
#ifndef N
#define N 20
#endif
#ifndef W
#define W 4
#endif
void f(int x[N][W], int out[N * W]) {
  int t[N * W];
#pragma scop
  for (int i = 0; i < N; i++)
    for (int j = 0; j < W; j++) {
      t[i * W + j] = 2 * x[i][j];
      out[i * W + j] = t[i * W + j] + 1;
    }
#pragma endscop
}
int main(void) {
  static int x[N][W], out[N * W];
  f(x, out);
  return out[0] - 1;
}
";

/// A file of a test's own.
fn file(name: &str, content: impl AsRef<[u8]>) -> PathBuf {
    let path = scratch("command_line").join(name);
    std::fs::write(&path, content).expect("the scratch directory is writable");
    path
}

fn path(name: &str) -> PathBuf {
    scratch("command_line").join(name)
}

fn text(name: &str) -> String {
    std::fs::read_to_string(path(name)).expect("it was written")
}

/// `polyfold COMMAND FILE…`, with the files given by name in the scratch directory.
fn run(command: &str, files: &[&str], more: &[&str]) -> Run {
    let mut arguments = vec![command.to_string()];
    arguments.extend(files.iter().map(|name| path(name).display().to_string()));
    arguments.extend(more.iter().map(|text| text.to_string()));
    polyfold(&arguments)
}

/// Optimizes a text into `NAME.out.c`, with success; the result.
#[track_caller]
fn optimized(name: &str, source: &str, more: &[&str]) -> String {
    file(&format!("{name}.c"), source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    let run = run("optimize", &[&format!("{name}.c")], &[&["-o", &output], more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    text(&format!("{name}.out.c"))
}

/// Optimizing the text fails with 1 and a message that holds all of `said`; nothing is written.
#[track_caller]
fn refused(name: &str, source: impl AsRef<[u8]>, said: &[&str]) {
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
    refused("latin", b"int x;\n/* \xff\xfe */\n", &["latin.c, line 2", "not UTF-8"]);
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
    assert!(run.stderr.contains("cannot write /nowhere/at/all.c"), "{}", run.stderr);
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
    assert_eq!((&report["schema"], &report["input"]), (&"polyfold/1".into(), &"keys.c".into()));
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
    has_keys(&scop["proof"], &["status", "scope"]);
    let totals = ["at", "cells_before", "cells_after", "bytes_before", "bytes_after", "max_live", "seconds"];
    has_keys(&scop["totals"], &totals);
    assert_eq!(scop["totals"]["at"]["n"], 50);
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
    assert!(relaxed.stderr.contains("warning: `t`"), "{}", relaxed.stderr);
    let output = file("strict.out.c", "untouched");
    let strict = run("optimize", &["strict.c"], &["--strict", "-o", &output.display().to_string()]);
    assert_eq!((strict.status, text("strict.out.c").as_str()), (1, "untouched"));
    file("strict_fine.c", SIMPLE);
    assert_eq!(run("optimize", &["strict_fine.c"], &["--strict"]).status, 0);
}

#[test]
fn a_function_of_five_thousand_lines() {
    let lines: String = (0..2500).map(|k| format!("  x[0] += {k};\n  x[0] ^= {k};\n")).collect();
    let source = SIMPLE.replace("  int t[n];\n", &format!("  int t[n];\n{lines}"));
    let result = optimized("long", &source, &[]);
    assert!(result.contains(&lines) && result.contains("t = 2 * x[i];"));
}

#[test]
fn check_compares_what_programs_do() {
    file("check.c", SIMPLE);
    file("check_same.c", SIMPLE.replace("t[i] + 1", "1 + t[i]"));
    file("check_other.c", SIMPLE.replace("t[i] + 1", "t[i] + 2"));
    let same = run("check", &["check.c", "check_same.c"], &[]);
    assert_eq!(same.status, 0, "{}", same.stderr);
    assert!(same.stdout.contains("agree") && same.stdout.contains("generated main"), "{}", same.stdout);
    let other = run("check", &["check.c", "check_other.c"], &[]);
    assert_eq!(other.status, 3);
    assert!(other.stderr.contains("the programs differ"), "{}", other.stderr);
}

#[test]
fn check_runs_programs_with_a_main() {
    file("main.c", ROWS);
    file("main_other.c", ROWS.replace("t[k - 1][0];", "t[k - 1][1];"));
    assert_eq!(run("check", &["main.c", "main.c"], &[]).status, 0);
    assert_eq!(run("check", &["main.c", "main_other.c"], &[]).status, 3);
}

#[test]
fn check_tells_whose_fault_it_is() {
    file("fault.c", SIMPLE);
    file("fault_broken.c", SIMPLE.replace("2 * x[i]", "2 * "));
    assert_eq!(run("check", &["fault.c", "fault_broken.c"], &[]).status, 3);
    assert_eq!(run("check", &["fault_broken.c", "fault.c"], &[]).status, 1);
    assert_eq!(run("check", &["fault.c", "missing.c"], &[]).status, 1);
}

#[test]
fn verify_checks_before_writing() {
    file("verify.c", SIMPLE);
    let output = path("verify.out.c").display().to_string();
    let run = run("optimize", &["verify.c"], &["--verify", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("checked: both versions were compiled and run"), "{}", run.stdout);
}

/// The mapping of `ROWS` holds for all sizes: nothing has to be assumed, and nothing tested.
#[test]
fn an_assumption_that_is_not_needed_is_not_tested() {
    let result = optimized("rows", ROWS, &["--assume", "n >= 3"]);
    assert!(result.contains("int t[2][n];") && !result.contains("int t[n][n];"), "{result}");
    agree("rows");
}

/// All of `t` is alive at once, but for large m its cells are used at once.
const CASES: &str = "#include <stdio.h>
static void f(int n, int m, const int x[n], int out[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i];
    out[i] = t[i];
  }
  if (m < 5) {
    for (int i = 0; i < n; i++)
      t[i] = 2 * x[i];
    for (int i = 0; i < n; i++)
      out[i] += t[n - 1 - i];
  }
#pragma endscop
}
int main(void) {
  int x[6] = {3, 1, 4, 1, 5, 9};
  for (int m = 3; m < 7; m++) {
    int out[6] = {0};
    f(6, m, x, out);
    for (int i = 0; i < 6; i++)
      printf(\"%d \", out[i]);
  }
  printf(\"\\n\");
  return 0;
}
";

#[test]
fn an_assumption_is_checked_at_run_time() {
    let result = optimized("cases", CASES, &["--assume", "m >= 5"]);
    assert!(
        result.contains("if (m >= 5) {") && result.contains("int t[n];") && result.contains("int t = 0;"),
        "{result}"
    );
    agree("cases");
}

#[test]
fn an_assumption_leaves_useful_examples() {
    let result = optimized("lag_example", LAG, &["--assume", "k >= 0 && k <= 2"]);
    assert!(result.contains("int t[k + 1];"), "{result}");
}

#[test]
fn declarations_stand_in_front_of_pragmas_that_belong_to_the_scop() {
    let lead = "  #pragma GCC unroll 2\n  #pragma GCC ivdep\n#pragma scop\n";
    let result = optimized("lead", &SIMPLE.replace("#pragma scop\n", &lead.replace("  #pragma GCC ivdep\n", "")), &[]);
    assert!(result.contains("  int t;\n  #pragma GCC unroll 2\n#pragma scop\n"), "{result}");
    let result = optimized("lead_rows", &ROWS.replace("#pragma scop\n", lead).replace("t[n][n]", "t[n + 0][n]"), &[]);
    assert!(result.contains(lead), "{result}");
    agree("lead_rows");
    let source = CASES.replace("#pragma scop\n", "#pragma GCC unroll 2\n#pragma scop\n");
    let result = optimized("lead_cases", &source, &["--assume", "m >= 5"]);
    assert!(result.contains("    int t = 0;\n#pragma GCC unroll 2\n#pragma scop\n"), "{result}");
    assert!(result.contains("    int t[n];\n#pragma GCC unroll 2\n    for"), "{result}");
    agree("lead_cases");
    let optional = SIMPLE.replace("#pragma scop", "#ifndef NO\n#pragma GCC unroll 2\n#endif\n#pragma scop");
    assert_eq!(optimized("lead_optional", &optional, &[]), optional);
}

/// `NAME.c` and `NAME.out.c` print the same.
#[track_caller]
fn agree(name: &str) {
    let [before, after] = ["c", "out.c"].map(|ending| compiler::run(&path(&format!("{name}.{ending}")), &[]));
    assert_eq!(before.unwrap(), after.unwrap());
}

#[test]
fn values_of_macros_are_asserted() {
    let result = optimized("macros", LINEARISED, &[]);
    assert!(result.contains("_Static_assert(W == 4,"), "{result}");
    agree("macros");
    let result = path("macros.out.c");
    assert!(compiler::compile(&result, &["-DN=7"]).is_ok());
    let refused = compiler::compile(&result, &["-DW=5"]).unwrap_err();
    assert!(refused.contains("static assertion failed"), "{refused}");
}

/// Each function uses its temporary in another way that the parser alone does not see.
const HIDDEN: &str = r#"
#include <stdio.h>
static int last;
static void done(int (*p)[6]) { last = (*p)[5]; }
static int macro(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 3 * x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
#define FIRST t[0]
  return FIRST;
#undef FIRST
}
static int type(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = 3 * x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
  __typeof__(t) u;
  return (int)sizeof u;
}
static int size(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    int u[3][sizeof t];
    t[i] = 3 * x[i];
    u[0][0] = t[i];
    x[i] = u[0][0] + (int)sizeof u[0];
  }
#pragma endscop
  return x[0];
}
static void attribute(int x[6]) {
  int t[6] __attribute__((cleanup(done)));
#pragma scop
  for (int i = 0; i < 6; i++) {
    t[i] = 3 * x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
}
static int member(int n, int x[n]) {
  struct s { int a[2]; } w[n], z = {{1, 2}};
  int *p[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    w[i] = z;
    w[i].a[0] = x[i];
    p[i] = w[i].a;
  }
  for (int i = 0; i < n; i++)
    x[i] = p[i][0] + i;
#pragma endscop
  return x[0];
}
static void pointer(int n, int x[n], int y[n]) {
  struct s { int *q; } w[n], z[2] = {{x}, {y}};
#pragma scop
  for (int i = 0; i < n; i++)
    w[i] = z[i % 2];
  for (int i = 0; i < n; i++)
    w[i].q[i] += 5;
#pragma endscop
}
int main(void) {
  int x[6] = {3, 1, 4, 1, 5, 9}, y[6] = {2, 6, 5, 3, 5, 8};
  printf("%d %d %d %d ", macro(6, x), type(6, x), size(6, x), member(6, x));
  attribute(x);
  pointer(6, x, y);
  printf("%d\n", last);
  for (int i = 0; i < 6; i++)
    printf("%d %d ", x[i], y[i]);
  return 0;
}
"#;

#[test]
fn hidden_uses_of_temporaries() {
    optimized("hidden", HIDDEN, &[]);
    agree("hidden");
}

#[test]
fn several_functions_and_scops() {
    let second = SIMPLE.replace("void f", "void g").replace("+ 1", "+ 2");
    let loops = "  for (int i = 0; i < n; i++) {\n    u[i] = x[i];\n    x[i] = u[i] * u[i];\n  }\n";
    let again = format!("#pragma endscop\n  int u[n];\n#pragma scop\n{loops}#pragma endscop\n}}\n");
    let source = format!("{SIMPLE}{}", second.replace("#pragma endscop\n}\n", &again));
    let json = path("several.json");
    let result = optimized("several", &source, &["--json", &json.display().to_string()]);
    let report: Value = serde_json::from_str(&text("several.json")).unwrap();
    let functions: Vec<&str> =
        report["scops"].as_array().unwrap().iter().filter_map(|scop| scop["function"].as_str()).collect();
    assert_eq!(functions, ["f", "g", "g"]);
    assert_eq!(result.matches("  int t;").count(), 2, "{result}");
    assert_eq!(result.matches("  int u;").count(), 1, "{result}");
    assert_eq!(run("check", &["several.c", "several.out.c"], &[]).status, 0);
}

#[test]
fn one_declaration_with_temporaries_of_two_scops() {
    let loops = "#pragma scop\n  for (int i = 0; i < n; i++) {\n    u[i] = x[i];\n    x[i] = u[i] * u[i];\n  }\n";
    let source = SIMPLE.replace("int t[n];", "int t[n], u[n];");
    let source = source.replace("#pragma endscop\n", &format!("#pragma endscop\n{loops}#pragma endscop\n"));
    optimized("one_declaration", &source, &[]);
    assert_eq!(run("check", &["one_declaration.c", "one_declaration.out.c"], &[]).status, 0);
}

#[test]
fn removed_code_leaves_no_warning() {
    let source = SIMPLE.replace("int x[n])", "int x[n], const int y[n])").replace("int t[n];", "int t[n], u[n];");
    let source = source.replace("    t[i] = 2", "    u[i] = y[i];\n    t[i] = 2") + "int main(void) { return 0; }\n";
    let source = source.replace("x[i] = t[i] + 1;", "x[i] = t[i] + 1;\n    u[i] = u[i] + 1;");
    optimized("unused", &source, &[]);
    compiler::compile(&path("unused.out.c"), &[]).unwrap();
}

/// A parameter with a run-time extent is no C++.
fn cpp() -> String {
    SIMPLE.replace("int n, int x[n]", "int x[50]").replace("[n]", "[50]").replace("< n", "< 50")
}

#[test]
fn cpp_files_are_optimized() {
    file("plus.cpp", cpp());
    let output = path("plus.out.cpp").display().to_string();
    let run = run("optimize", &["plus.cpp"], &["-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert_eq!(text("plus.out.cpp").matches("  int t;").count(), 1);
}

#[test]
fn cpp_files_are_checked() {
    file("checked.cpp", cpp());
    let checked = run("check", &["checked.cpp", "checked.cpp"], &[]);
    assert_eq!(checked.status, 0, "{}", checked.stderr);
}

#[test]
fn many_divisors_do_not_take_minutes() {
    let source = "void f(int n, const int x[n], int out[n]) {
  int t[n][7][11][13];
#pragma scop
  for (int i = 0; i < n; i++)
    t[i / 3][i % 7][i % 11][i % 13] = 2 * x[i];
  for (int i = 0; i < n; i++)
    out[i] = t[i / 3][i % 7][i % 11][i % 13];
#pragma endscop
}
";
    file("divisors.c", source);
    let begun = std::time::Instant::now();
    let run = run("optimize", &["divisors.c"], &["--max-ops", "40000000"]);
    assert!(run.stderr.contains("more work than --max-ops allows"), "{}", run.stderr);
    assert!(begun.elapsed().as_secs() < 60, "{:?}", begun.elapsed());
}

/// What one interval per cell shows is enough: dataflow between a hundred writes and reads is left out.
#[test]
fn two_hundred_statements() {
    let pairs: String = (0..100).map(|k| format!("    t[i] = x[i] + {k};\n    out[i] += t[i];\n")).collect();
    let source = format!(
        "void f(int n, const int x[n], int out[n]) {{\n  int t[n];\n#pragma scop\n  \
         for (int i = 0; i < n; i++) {{\n{pairs}  }}\n#pragma endscop\n}}\n"
    );
    assert!(optimized("statements", &source, &[]).contains("  int t;\n"));
}

/// `CASES` with something in front of the scop, and something in its first loop; what became of `t`.
#[track_caller]
fn guarded(name: &str, before: &str, inside: &str) -> Run {
    let source = CASES.replace("#pragma scop\n", &format!("{before}\n#pragma scop\n"));
    let source = source.replacen("    t[i] = x[i];", &format!("    {inside} t[i] = x[i];"), 1);
    file(&format!("{name}.c"), source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    let run = run("optimize", &[&format!("{name}.c")], &["--assume", "m >= 5", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    agree(name);
    run
}

#[test]
fn labels_stand_in_one_of_two_texts() {
    let run = guarded("labels", "", "if (i > 7 ? m : n) S1: S2 :");
    assert!(run.stdout.contains("a variable"), "{}", run.stdout);
    assert_eq!(text("labels.out.c").matches("S1:").count(), 1);
}

#[test]
fn what_may_exist_once_forbids_a_second_text() {
    let once = [
        ("state", "", "static int count; count++; out[i] = count;", "`static`"),
        ("counter", "", "out[i] = __COUNTER__;", "`__COUNTER__`"),
    ];
    for (name, before, inside, what) in once {
        let run = guarded(name, before, inside);
        assert!(run.stderr.contains("needs the scop twice") && run.stderr.contains(what), "{name}: {}", run.stderr);
    }
}

#[test]
fn a_declaration_does_not_move_where_its_names_mean_something_else() {
    let source = CASES.replace("int t[n];", "elem t[n]; {").replace("#pragma endscop\n", "#pragma endscop\n  }\n");
    let source = source.replace("static void f", "typedef int elem;\nstatic void f").replace("3, 1, 4", "300, 1, 4");
    let hidden = ["typedef signed char elem; elem c = 3; (void)c;", "char elem = 3; (void)elem;"];
    for (k, hides) in hidden.into_iter().enumerate() {
        let name = format!("moved{k}");
        file(&format!("{name}.c"), source.replace("#pragma scop\n", &format!("{hides}\n#pragma scop\n")));
        let output = path(&format!("{name}.out.c")).display().to_string();
        let run = run("optimize", &[&format!("{name}.c")], &["--assume", "m >= 5", "-o", &output]);
        assert!(run.stderr.contains("where `elem` may mean something else"), "{}", run.stderr);
        agree(&name);
    }
    let used = source.replace("#pragma scop\n", "elem c = 3; (void)c; { int n = 3; (void)n; }\n#pragma scop\n");
    optimized("moved", &source.replace("elem t[n]; {", "elem t[n]; { elem c = 3; (void)c;"), &["--assume", "m >= 5"]);
    assert!(text("moved.out.c").contains("elem t = 0;"));
    agree("moved");
    optimized("closed", &used, &["--assume", "m >= 5"]);
    agree("closed");
}

#[test]
fn removed_code_leaves_no_warning_of_locals_and_sizes() {
    let source = SIMPLE.replace("int x[n])", "int m, int x[n])").replace("int t[n];", "int t[n], u[n][m], c = 3;");
    let source = source.replace("    t[i] = 2", "    int s = 2 * x[i];\n    u[i][0] = s + c;\n    t[i] = 2");
    optimized("unused_locals", &(source + "int main(void) { return 0; }\n"), &[]);
    compiler::compile(&path("unused_locals.out.c"), &[]).unwrap();
    assert!(!text("unused_locals.out.c").contains("u[i]"));
}

/// A program whose child outlives it says where it is; what must be gone afterwards.
#[test]
fn check_leaves_nothing_running() {
    let running = path("running").display().to_string();
    let _ = std::fs::remove_file(&running);
    let source = format!(
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) {{\n  if (fork() == 0) {{\n    \
         FILE *f = fopen(\"{running}\", \"w\"); fprintf(f, \"%d\", getpid()); fclose(f);\n    for (;;) sleep(1);\n  \
         }}\n  ENDS\n  printf(\"1\\n\");\n  return 0;\n}}\n"
    );
    for (ends, status) in [("sleep(1);", 0), ("for (;;) sleep(1);", 1)] {
        file("forks.c", source.replace("ENDS", ends));
        assert_eq!(run("check", &["forks.c", "forks.c"], &["--timeout", "2"]).status, status);
        let process = format!("/proc/{}/stat", text("running"));
        let is_gone = || std::fs::read_to_string(&process).map_or(true, |state| state.contains(") Z "));
        let begun = std::time::Instant::now();
        while !is_gone() && begun.elapsed().as_secs() < 5 {
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
        assert!(is_gone());
    }
}

#[test]
fn check_ends_whatever_programs_do() {
    let main = |body: &str| format!("#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n");
    file("reads.c", main("int c = getchar(); printf(\"%d\\n\", c);"));
    assert_eq!(run("check", &["reads.c", "reads.c"], &[]).status, 0);
    file("prints.c", main("for (;;) puts(\"again and again\");"));
    let prints = run("check", &["prints.c", "prints.c"], &[]);
    assert!(prints.status == 1 && prints.stderr.contains("prints more than 64 MiB"), "{}", prints.stderr);
    let other = run("check", &["reads.c", "prints.c"], &[]);
    assert!(other.status == 3 && other.stderr.contains("the new program prints more"), "{}", other.stderr);
    file("waits.c", main("for (;;) ;"));
    let waits = run("check", &["waits.c", "waits.c"], &["--timeout", "1"]);
    assert!(waits.status == 1 && waits.stderr.contains("more than 1 second"), "{}", waits.stderr);
    assert_eq!(run("check", &["reads.c", "reads.c"], &["--timeout", "0"]).status, 2);
    file("nothing.c", "int f(void) { return 1; }\n");
    let nothing = run("check", &["nothing.c", "nothing.c"], &[]);
    assert!(nothing.status == 1 && nothing.stderr.contains("has no main"), "{}", nothing.stderr);
}

/// What C means where a parser or a set of constraints could read something else: the result must still compute it.
#[test]
fn easily_misread_arithmetic() {
    let sum_in_a_macro = "#include <stdio.h>
#define AT(i, s, j) t[(i) + (s) * (j)]
static unsigned f(int n) {
  unsigned t[n + 3], all = 0;
#pragma scop
  for (int i = 0; i < n + 3; i++)
    t[i] = 5u * (unsigned)i;
  for (int i = 0; i < n; i++)
    all = all * 3u + AT(i, 1, 3);
#pragma endscop
  return all;
}
int main(void) {
  for (int n = 0; n < 9; n++)
    printf(\"%u\\n\", f(n));
}
";
    let wrapping_guard = "#include <stdio.h>
static unsigned f(unsigned n) {
  unsigned t[n + 1][n + 1], all = 0;
#pragma scop
  for (unsigned d = 0; d <= 2 * n; d++)
    for (unsigned i = 0; i <= n; i++)
      if (d - i <= n) {
        t[i][d - i] = i > 0 && d > i ? t[i - 1][d - i - 1] + 1u : 2u;
        all = all * 3u + t[i][d - i];
      }
#pragma endscop
  return all;
}
int main(void) {
  for (unsigned n = 0; n < 7; n++)
    printf(\"%u\\n\", f(n));
}
";
    let unsigned_macro = "#include <stdio.h>
#define H 3ul
#define W 8ul
int main(void) {
  unsigned t[W + 1][H + 1][H + W + 1], all = 0;
#pragma scop
  for (unsigned k = 0; k <= W; k++)
    for (unsigned y = 0; y <= H; y++)
      for (unsigned x = 0; x <= W; x++) {
        t[k][y][y + x] = 7u * k + x;
        if (k >= 1)
          t[k][y][y + x] += t[k - 1][y][y + x];
        all = all * 31u + t[k][y][y + x];
      }
  all += t[W][H][H + W];
#pragma endscop
  printf(\"%u\\n\", all);
}
";
    let sources =
        [("sum_in_a_macro", sum_in_a_macro), ("wrapping_guard", wrapping_guard), ("unsigned_macro", unsigned_macro)];
    for (name, source) in sources {
        optimized(name, source, &[]);
        agree(name);
    }
}

/// A multiple of a counter is computed as `long` where the array may have more than 2^30 rows.
#[test]
fn multiples_of_counters_do_not_overflow() {
    let source = "unsigned f(int n, int lo, unsigned char a[n][4]) {
  unsigned all = 0;
#pragma scop
  for (int i = lo; i < n; i++) {
    for (int j = 3; j >= 0; j--)
      a[i][j] = (i > lo && j < 2) ? a[i - 1][j + 2] : (unsigned char)(i + j);
    all = all * 31u + a[i][0];
  }
#pragma endscop
  return all;
}
";
    let result = optimized("many_rows", source, &["--temporary", "a"]);
    assert_eq!(result.matches("2 * (long)i").count(), 3, "{result}");
}

/// The size of the array bounds the loops' size, on which no modulus depends for that.
#[test]
fn arrays_of_constant_size_with_loops_of_run_time_size() {
    let source = "#include <stdio.h>
static unsigned f(int n) {
  unsigned t[20][20], all = 0;
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      t[i][j] = (unsigned)(i * j);
    for (int j = 0; j < n; j++)
      all = all * 3u + t[i][n - 1 - j];
  }
#pragma endscop
  return all;
}
int main(void) {
  for (int n = -1; n <= 20; n++)
    printf(\"%u\\n\", f(n));
}
";
    assert!(optimized("constant_size", source, &[]).contains("unsigned t[20], all = 0;"));
    agree("constant_size");
}

/// Optimizes a text; the result agrees with it, and no compiler warns.
#[track_caller]
fn clean(name: &str, source: &str, more: &[&str]) -> String {
    let result = optimized(name, source, more);
    agree(name);
    compiler::warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// A `main` that calls `NAME(n, x)` for some sizes and prints `x`.
fn with_main(functions: &str, names: &[&str]) -> String {
    let calls: String = names.iter().map(|name| format!("    {name}(n, x);\n")).collect();
    format!(
        "#include <stdio.h>\n{functions}int main(void) {{\n  for (int n = 1; n < 7; n++) {{\n    \
         int x[6] = {{3, 1, 4, 1, 5, 9}};\n{calls}    for (int i = 0; i < n; i++)\n      printf(\"%d \", x[i]);\n  \
         }}\n  printf(\"\\n\");\n  return 0;\n}}\n"
    )
}

/// Where two cells share storage a copy from one to the other does nothing, and compilers say so.
#[test]
fn copies_that_do_nothing_go() {
    let source = "static void f(int n, int x[n]) {
  int t[n][n], u[n][2];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i][0] = x[i];
    for (int k = 1; k < n; k++)
      t[i][k] = (t[i][k - 1]);
    for (int k = 0; k < n; k++) {
      u[k][0] = t[i][n - 1];
      u[k][1] = u[k][0];
      if (k > 0) {
        S: u[k][0] = u[k][1];
      } else
        u[k][0] = u[k][1];
      x[i] += u[k][0];
    }
  }
#pragma endscop
}
";
    let result = clean("copies", &with_main(source, &["f"]), &[]);
    assert!(
        result.contains("      u = t;\n      if (k > 0) {\n        S: { }\n      } else\n        { }\n"),
        "{result}"
    );
    assert!(result.contains("k < n; k++)\n      { }\n"), "{result}");
}

/// Compilers do not see what the analysis proved.
#[test]
fn variables_that_seem_to_be_read_first_have_a_value() {
    let source = "struct pair { int a, b; };
static void f(int n, int x[n]) {
  int t[n], u[n];
  struct pair p[n], first = {2, 3};
  int v[n][2], w[n][2];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = i == 0 ? 1 : t[i - 1] + 3;
    if (i == 0)
      p[i] = first;
    else
      p[i] = p[i - 1];
    v[i][0] = i == 0 ? 1 : v[i - 1][0] + 3 * v[i - 1][1];
    v[i][1] = i == 0 ? 2 : v[i][0];
    w[i][0] = v[i][1];
    w[i][1] = w[i][0] + v[i][0];
    u[i] = 2 * t[i] + p[i].b + w[i][1];
    x[i] = u[i] + 1;
  }
#pragma endscop
}
";
    let result = clean("first_read", &with_main(source, &["f"]), &[]);
    assert!(result.contains("  int t = 0, u;\n") && result.contains("  struct pair p = {0}, first"), "{result}");
    assert!(result.contains("  int v[2] = {0}, w;\n"), "{result}");
}

/// What stood in the subscripts and extents of an array only is mentioned once more.
#[test]
fn variables_of_subscripts_that_are_gone() {
    let source = "static void f(int n, int x[n]) {
  int k = n;
  int t[2 * n], m = 3 * n, u[n][m];
#pragma scop
  for (int i = 0; i < n; i++) {
    int s = n - 1 - i;
    t[i + k] = 2 * x[s];
    u[0][s] = t[i + k];
    x[s] += u[0][s];
  }
#pragma endscop
}
";
    let unused = source.replace("x[s]", "x[i]");
    clean("subscripts_gone", &with_main(&unused, &["f"]), &[]);
    let result = clean("subscripts_used", &with_main(source, &["f"]), &[]);
    assert!(
        result.contains("  (void)k;\n") && result.contains("  (void)m;\n") && !result.contains("(void)s"),
        "{result}"
    );
}

/// Durbin's recursion without the numbers.
const FOLDED: &str = "  WHERE
#pragma scop
  t[0][0] = x[0];
  for (int k = 1; k < SIZE; k++) {
    for (int i = 0; i < k; i++)
      t[i][k] = (t[i][k - 1] + t[k - i - 1][k - 1]) % 7;
    t[k][k] = x[k];
  }
  for (int i = 0; i < SIZE; i++)
    x[i] = t[i][SIZE - 1];
#pragma endscop
";

/// `FOLDED` for a size in a function `f`.
fn folded(size: &str, declaration: &str) -> String {
    let body = FOLDED.replace("SIZE", size).replace("WHERE", declaration);
    format!("static void f(int n, int x[n]) {{\n{body}}}\n")
}

#[test]
fn long_moduli_have_names() {
    let result = clean("names_int", &with_main(&folded("n", "int t[n][n];"), &["f"]), &[]);
    let declared = "[(2 * i + j) mod t_size] */\n  const int t_size = n <= 2 ? 3 : 2 * n - 3;\n  int t[t_size];\n";
    assert!(result.contains(declared) && result.contains("  t[0] = x[0];\n"), "{result}");
    let wide = folded("n", "int t_size = 0; int t[n][n]; (void)t_size;").replace("int n,", "long n,");
    let result =
        clean("names_long", &with_main(&wide.replace("int k", "long k").replace("int i", "long i"), &["f"]), &[]);
    assert!(result.contains("  const long t_size_ = n <= 2 ? 3 : 2 * n - 3;\n"), "{result}");
}

#[test]
fn names_of_moduli_stand_where_these_are_known() {
    let first = folded("n", "int t[n][n];").replace(" f(", " g(");
    let again = folded("n", "int t[n][n]; n = n > 3 ? n - 1 : n;");
    let result = clean("names_later", &with_main(&(first + &again), &["f", "g"]), &[]);
    assert_eq!(result.matches("  const int t_size = ").count(), 1, "{result}");
    let inside =
        folded("n", "").replace("#pragma scop\n", "#pragma scop\n  for (int r = 0; r < 3; r++) {\n  int t[n][n];\n");
    let inside = inside.replace("#pragma endscop", "  }\n#pragma endscop");
    let result = clean("names_inside", &with_main(&inside, &["f"]), &[]);
    assert!(result.contains("2 * n - 3;\n#pragma scop\n") && result.contains("  int t[t_size];\n"), "{result}");
}

/// A variable that is new would have to stand in the list.
#[test]
fn moduli_have_no_names_where_variables_are_listed() {
    let parallel =
        "  #pragma omp parallel for default(none) shared(n, x)\n  for (int i = 0; i < n; i++)\n    x[i] += n;\n";
    let source = folded("n", "int t[n][n];").replace("#pragma endscop", &format!("{parallel}#pragma endscop"));
    let result = clean("names_listed", &with_main(&source, &["f"]), &[]);
    assert!(!result.contains("t_size") && result.contains("int t[n <= 2 ? 3 : 2 * n - 3];"), "{result}");
}

#[test]
fn moduli_of_parameters_have_names_in_front_of_the_buffer() {
    let source = folded("n", "").replace("int x[n])", "int x[n], int t[n][n])").replace("static ", "");
    let result = clean("names_apart", &with_main(&source, &[]), &["--temporary", "t"]);
    let declared =
        "  const int t_size = n <= 2 ? 3 : 2 * n - 3;\n  int t_buffer[t_size];\n#pragma scop\n  t_buffer[0] = x[0];\n";
    assert!(result.contains(declared), "{result}");
}

#[test]
fn moduli_of_macros_are_constants() {
    for class in ["", "static "] {
        let source = format!(
            "#define N 6
static void f(int n, int x[n]) {{
  {class}int t[N][N], v;
#pragma scop
  for (int i = N - 1; i >= 0; i--) {{
    t[i][i] = n;
    for (int j = i + 1; j < N; j++) {{
      t[i][j] = t[i][j - 1] > t[i + 1][j] ? t[i][j - 1] : t[i + 1][j] + j;
      for (int k = i + 1; k < j; k++) {{
        v = t[i][k] + t[k + 1][j];
        t[i][j] = t[i][j] > v ? t[i][j] : v;
      }}
    }}
  }}
  x[0] = t[0][N - 1];
#pragma endscop
}}
"
        );
        let result = clean("names_macro", &with_main(&source, &["f"]), &["--param", "N=50"]);
        assert!(result.contains("  enum { t_size0 = (N + 1) / 2 };\n"), "{result}");
        assert!(result.contains(&format!("  {class}int t[t_size0][t_size1], v;\n")), "{result}");
    }
}

#[test]
fn both_texts_of_a_guard_are_indented() {
    let result = clean(
        "indented",
        &CASES
            .replace("  if (m < 5) {", "#ifndef NONE\n  if (m < 5) {")
            .replace("  }\n#pragma endscop", "  }\n#endif\n#pragma endscop"),
        &["--assume", "m >= 5"],
    );
    assert!(result.contains("#pragma scop\n    for (int i = 0; i < n; i++) {\n      t = x[i];\n"), "{result}");
    let otherwise = "as it was */\n    int t[n];\n    for (int i = 0; i < n; i++) {\n      t[i] = x[i];\n";
    assert!(result.contains(otherwise) && result.matches("\n#endif\n").count() == 2, "{result}");
}

/// What no value of a size's type makes true is not tested: compilers warn of it.
#[test]
fn sizes_of_narrow_unsigned_types() {
    for kind in ["unsigned short", "unsigned char", "unsigned"] {
        let source = LAG.replace("int k, const", &format!("{kind} k, const")).replace("i >= k", "i >= (int)k");
        let result = clean("narrow", &source.replace("t[i - k]", "t[i - (int)k]"), &["--param", "k=2"]);
        assert!(result.contains("int t[(long)k + 1];"), "{result}");
    }
}
