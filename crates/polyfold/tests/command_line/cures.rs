//! What messages say is true, and what they advise helps: each cure is tried.

use super::files::{agree, file, path, run, text};
use crate::support::compiler;
use crate::support::tool::Run;
use serde_json::Value;

/// Two passes that share an accumulator; `DECLARED` and `SET` say how.
const TWO_PASSES: &str = r#"
#include <stdio.h>
static float in[20][30], out[20][30];
static void two_passes(int h, int w) {
  float tmp[h][w];
  DECLARED
#pragma scop
  for (int y = 0; y < h; y++)
    for (int x = 2; x < w - 2; x++) {
      SET
      for (int d = -2; d <= 2; d++)
        acc += in[y][x + d] * norm;
      tmp[y][x] = acc;
    }
  for (int y = 2; y < h - 2; y++)
    for (int x = 2; x < w - 2; x++) {
      SET
      for (int d = -2; d <= 2; d++)
        acc += tmp[y + d][x] * norm;
      out[y][x] = acc;
    }
#pragma endscop
}
int main(void) {
  for (int i = 0; i < 600; i++)
    in[i / 30][i % 30] = (float)(i * 7 % 11);
  two_passes(20, 30);
  float s = 0;
  for (int i = 0; i < 600; i++)
    s = s * 0.5f + out[i / 30][i % 30];
  printf("%g\n", s);
  return 0;
}
"#;

/// A function with one temporary `t[n]` around some statements.
fn function(body: &str) -> String {
    format!("void f(int n, int *p, int in[n], int out[n]) {{\n  int t[n];\n#pragma scop\n{body}\n#pragma endscop\n}}\n")
}

/// Optimizes a text; how that ended, and the report.
#[track_caller]
fn report(name: &str, source: &str, more: &[&str]) -> (Run, Value) {
    let input = format!("{name}.c");
    file(&input, source);
    let [output, json] = ["out.c", "json"].map(|end| path(&format!("{name}.{end}")).display().to_string());
    let run = run("optimize", &[&input], &[&["-o", &output, "--json", &json], more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    (run, serde_json::from_str(&text(&format!("{name}.json"))).expect("a report"))
}

/// Cells of all temporaries of the first scop.
fn cells(report: &Value) -> u64 {
    report["scops"][0]["totals"]["cells_after"].as_u64().expect("a number of cells")
}

/// Why the array `name` is as it was.
fn reason(report: &Value, name: &str) -> String {
    let arrays = report["scops"][0]["arrays"].as_array().expect("arrays");
    let array = arrays.iter().find(|array| array["name"] == name).expect("the array");
    array["reason"].as_str().unwrap_or_default().to_string()
}

/// Notes of the report, each with its line and what it advises.
fn notes(report: &Value) -> Vec<(u64, String, String)> {
    let all = report["diagnostics"].as_array().expect("diagnostics").iter();
    let word = |value: &Value| value.as_str().unwrap_or_default().to_string();
    all.map(|d| (d["line"].as_u64().unwrap_or(0), word(&d["message"]), word(&d["help"]))).collect()
}

#[test]
fn a_shared_accumulator_is_renamed_without_being_asked() {
    let source = TWO_PASSES.replace("DECLARED", "float acc, norm;").replace("SET", "acc = 0; norm = 2;");
    let (_, after) =
        report("shared_accumulator", &source, &["--schedule", "fuse", "--param", "h=20", "--param", "w=30"]);
    assert!(cells(&after) < 130, "{}", cells(&after));
    assert_eq!(
        after["scops"][0]["totals"]["cells_before"].as_u64(),
        Some(20 * 30 + 2),
        "what the file declares: {after}"
    );
    agree("shared_accumulator");
    // Places are those of the file, though variables got names of their own.
    let line = source.lines().position(|line| line.contains("acc = 0")).expect("it is there") as u64 + 1;
    assert_eq!(notes(&after)[0].0, line, "{after}");
    let scop = source.lines().position(|line| line.contains("pragma scop")).expect("it is there") as u64;
    assert_eq!(after["scops"][0]["line"].as_u64(), Some(scop + 1), "{after}");
}

/// Two stages use the caller's array, which it gives for that, for values of their own.
#[test]
fn a_temporary_of_the_caller_is_renamed_too() {
    let source = "#include <stdio.h>
static void f(int n, int in[n], int t[n], int out[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    t[i] = 2 * in[i];
  for (int i = 0; i < n; i++)
    out[i] = t[i] + 1;
  for (int i = 0; i < n; i++)
    t[i] = 3 * in[i];
  for (int i = 0; i < n; i++)
    out[i] += t[n - 1 - i];
#pragma endscop
}
int main(void) {
  int in[9], t[9], out[9];
  for (int i = 0; i < 9; i++)
    in[i] = i * i;
  f(9, in, t, out);
  for (int i = 0; i < 9; i++)
    printf(\"%d\\n\", out[i]);
  return 0;
}
";
    let own =
        source.replace("int n, int in[n], int t[n], int out[n]) {", "int n, int in[n], int out[n]) {\n  int t[n];");
    let own = own.replace("int in[9], t[9]", "int in[9]").replace("f(9, in, t, out)", "f(9, in, out)");
    let (_, by_caller) =
        report("temporary_again", source, &["--schedule", "fuse", "--temporary", "t", "--param", "n=50"]);
    agree("temporary_again");
    compiler::all_warnings(&path("temporary_again.out.c")).unwrap();
    let (_, by_itself) = report("local_again", &own, &["--schedule", "fuse", "--param", "n=50"]);
    assert_eq!(cells(&by_caller), cells(&by_itself));
}

#[test]
fn several_variables_in_one_declaration_get_one_each() {
    let source = TWO_PASSES.replace("DECLARED", "").replace("SET", "float acc = 0, norm = 2;");
    let sizes = ["--schedule", "fuse", "--param", "h=20", "--param", "w=30"];
    let (_, after) = report("several_declared", &source, &sizes);
    assert!(cells(&after) < 130, "{}", cells(&after));
    agree("several_declared");
    // A comment may hold a comma.
    let commented = source.replace("acc = 0, norm", "acc = 0, /* the sum, */ norm");
    let (_, with_comment) = report("several_declared", &commented, &sizes);
    assert_eq!(cells(&with_comment), cells(&after));
    agree("several_declared");
}

#[test]
fn a_condition_on_a_pointer() {
    let body = "  for (int i = 0; i < n; i++) {\n    t[i] = in[i];\n    if (p)\n      out[i] = t[i];\n  }";
    let (run, before) = report("tests_pointer", &function(body), &[]);
    assert!(before["scops"].as_array().expect("scops").is_empty());
    assert!(run.stderr.contains("`p`") && !run.stderr.contains("side effect"), "{}", run.stderr);
    let cured = function(&body.replace("if (p)", "if (given)")).replace("int t[n];", "int t[n], given = p != 0;");
    assert_eq!(cells(&report("tests_pointer", &cured, &[]).1), 1);
}

#[test]
fn why_nothing_smaller_was_found() {
    let all =
        "  for (int i = 0; i < n; i++)\n    t[i] = in[i];\n  for (int i = 0; i < n; i++)\n    out[i] = t[n - 1 - i];";
    assert!(reason(&report("all_alive", &function(all), &[]).1, "t").contains("alive at once"));

    let rows = "#include <stdlib.h>\nvoid f(int h, int w, int in[h][w], int out[h][w]) {\n  int (*t)[w] = malloc(h * sizeof *t);\n\
                #pragma scop\n  for (int i = 0; i < h; i++)\n    for (int j = 0; j < w; j++)\n      t[i][j] = in[i][j];\n  \
                for (int i = 0; i < h; i++)\n    for (int j = 0; j < w - 1; j++)\n      out[i][j] = t[i][j] + t[h - 1 - i][j];\n\
                #pragma endscop\n  free(t);\n}\n";
    assert!(reason(&report("fixed_rows", rows, &[]).1, "t").contains("rows keep their length"));
}

#[test]
fn memory_that_a_test_decides_on_is_not_shared() {
    let source = "#include <stdlib.h>\nvoid f(SIZE n, double *in, double *out) {\n  double *a = malloc(n * sizeof *a);\n  \
                  double *b = malloc(n * sizeof *b);\n#pragma scop\n  for (SIZE i = 0; i < n; i++)\n    a[i] = in[i];\n  \
                  for (SIZE i = 0; i < n; i++)\n    out[i] = a[n - 1 - i];\n  for (SIZE i = 0; i < n - 1; i++)\n    \
                  b[i] = out[i];\n  for (SIZE i = 0; i < n - 1; i++)\n    out[i] += b[n - 2 - i];\n#pragma endscop\n  free(a);\n  \
                  free(b);\n}\n";
    let (_, wraps) = report("wrapping_bound", &source.replace("SIZE", "size_t"), &[]);
    assert!(reason(&wraps, "b").contains("for all sizes"), "{wraps}");
    let (_, plain) = report("plain_bound", &source.replace("SIZE", "long"), &[]);
    assert!(cells(&plain) == 100 && cells(&wraps) == 200, "{} {}", cells(&plain), cells(&wraps));
}

#[test]
fn no_program_is_advised_to_run_at_one_size() {
    let body = "  for (int i = 0; i < n - 1; i++)\n    t[i] = in[i];\n  t[1] = 3;\n  for (int i = 0; i < n; i++)\n    out[i] = t[i];";
    let (run, report) = report("reads_unwritten", &function(body), &[]);
    assert!(reason(&report, "t").contains("read before it is written"), "{report}");
    assert!(!run.stderr.contains("--assume"), "{}", run.stderr);
}

#[test]
fn verifying_says_what_was_run() {
    let declined = function(
        "  for (int i = 0; i < n; i++) {\n    while (in[i] > 3) in[i]--;\n    t[i] = in[i];\n    out[i] = t[i];\n  }",
    );
    let (run, _) = report("verify_declined", &declined, &["--verify"]);
    assert!(!run.stdout.contains("agree") && run.stdout.contains("nothing to check"), "{}", run.stdout);

    let body = "  for (int i = 0; i < n; i++) {\n    t[i] = in[i];\n    out[i] = t[i];\n  }";
    let extern_call = format!(
        "int elsewhere(void);\n{}",
        function(body).replace("#pragma endscop", "#pragma endscop\n  out[0] = elsewhere();")
    );
    let (run, _) = report("verify_extern", &extern_call, &["--verify"]);
    assert!(run.stdout.contains("not checked by running it"), "{}", run.stdout);
    assert_ne!(text("verify_extern.out.c"), extern_call);
    let output = file("verify_extern.out.c", "untouched").display().to_string();
    let strict = super::files::run("optimize", &["verify_extern.c"], &["-o", &output, "--verify", "--strict"]);
    assert_eq!(strict.status, 1, "{}", strict.stderr);
    assert_eq!(text("verify_extern.out.c"), "untouched");
}

#[test]
fn a_scop_that_is_declined_is_there() {
    file("convert_declined.c", function("  for (int i = 0; i < n; i++)\n    while (in[i] > 3) in[i]--;"));
    let run = run("convert", &["convert_declined.c"], &[]);
    assert_eq!(run.status, 1);
    assert!(!run.stderr.contains("has no scop") && run.stderr.contains("not handled"), "{}", run.stderr);
}

/// A filter with swapped extents: its rows run over the end of those of `mid`, as `size` says.
fn overrun(size: &str) -> String {
    format!(
        "#define W 96\n#define H 64\nstatic double src[W][H], mid[W]{size}, dst[W][H];\nvoid steps(void) {{\n#pragma scop\n  \
         for (int y = 0; y <= H - 1; ++y)\n    for (int x = 0; x <= W - 1; ++x) {{\n      mid[y][x] = src[x][y];\n      \
         if (y >= 2)\n        dst[x][y - 2] = mid[y - 2][x] + mid[y][x];\n    }}\n#pragma endscop\n}}\n"
    )
}

#[test]
fn an_array_that_the_source_leaves_stays() {
    for (name, size) in [("overrun_macro", "[H]"), ("overrun_number", "[95]")] {
        let (run, report) = report(name, &overrun(size), &["--temporary", "mid"]);
        assert_eq!(text(&format!("{name}.out.c")), overrun(size));
        let told = report["diagnostics"].as_array().expect("diagnostics");
        assert!(told.len() == 1 && told[0]["severity"] == "warning" && told[0]["line"] == 8, "{report}");
        assert!(run.stderr.contains("mid[0]"), "a cell that is outside: {}", run.stderr);
        let strict = super::files::run("optimize", &[&format!("{name}.c")], &["--temporary", "mid", "--strict"]);
        assert_eq!(strict.status, 1, "{}", strict.stderr);
    }
}

#[test]
fn sizes_for_the_report_decide_nothing() {
    let inside = overrun("[W]");
    let (_, plain) = report("overrun_inside", &inside, &["--temporary", "mid"]);
    let told = plain["diagnostics"].as_array().expect("diagnostics");
    assert!(told.iter().all(|d| d["line"] != 8), "{plain}");
    let source =
        function("  for (int i = 0; i < n; i++)\n    t[i] = in[i];\n  for (int i = 0; i < n; i++)\n    out[i] = t[i];")
            .replace("int t[n]", "int t[10]");
    let (_, counted) = report("overrun_param", &source, &["--param", "n=5"]);
    let warnings = counted["diagnostics"].as_array().expect("diagnostics").iter();
    assert_eq!(warnings.filter(|d| d["severity"] == "warning").count(), 0, "{counted}");
}

#[test]
fn a_row_that_runs_into_the_next_one_is_shown_of_parameters_too() {
    let source = "void f(int in[8][8], int out[8][8]) {\n  int t[64];\n#pragma scop\n  for (int i = 0; i < 64; i++)\n    \
                  t[i] = in[0][i];\n  for (int i = 0; i < 64; i++)\n    out[i / 8][i % 8] = t[63 - i];\n#pragma endscop\n}\n";
    let (run, report) = report("flat_parameter", source, &[]);
    let told = report["diagnostics"].as_array().expect("diagnostics");
    assert!(told.iter().any(|d| d["severity"] == "warning" && d["line"] == 5), "{}", run.stderr);
}

/// The last line of the table.
fn last_line(run: &Run) -> &str {
    run.stdout.trim_end().lines().last().unwrap_or_default()
}

#[test]
fn what_would_help_is_tried_before_it_is_said() {
    let frames =
        "  for (int i = 0; i < n; i++)\n    t[i] = in[i];\n  for (int i = 0; i < n; i++)\n    out[i] = t[i] + 1;";
    let (ended, _) = report("hint_fuse", &function(frames), &["--param", "n=50"]);
    assert!(last_line(&ended).contains("`--schedule fuse`: 1 of 50 cells"), "{}", ended.stdout);
    assert_eq!(cells(&report("hint_fuse", &function(frames), &["--param", "n=50", "--schedule", "fuse"]).1), 1);

    let sums = "  int s = 0;\n  for (int i = 0; i < n; i++) {\n    t[i] = in[i];\n    s += in[i];\n  }\n  \
                for (int i = 0; i < n; i++)\n    out[i] = t[i] * s;";
    let (ended, _) = report("hint_nothing", &function(sums), &[]);
    assert!(last_line(&ended).contains("doesn't save a tenth"), "{}", ended.stdout);

    let shrinks = "  for (int i = 0; i < n; i++) {\n    t[i] = in[i];\n    out[i] = t[i];\n  }";
    let (ended, _) = report("hint_none", &function(shrinks), &[]);
    assert!(!ended.stdout.contains("--schedule"), "{}", ended.stdout);
}
