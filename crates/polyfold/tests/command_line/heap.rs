//! Memory from `malloc` that several pointers share.

use super::files::{agree, optimized, path, run, text};
use super::linearised::{program, shrinks};
use crate::support::code::{count, has, mentions};
use serde_json::Value;

/// Two temporaries that are never alive at once, and need all of their cells.
const TURNS: &str = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] = 3 * in[i * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = a[(n - 1 - i) * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i * m + j] = out[i * m + j] + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] += 2 * b[(n - 1 - i) * m + j];";

const CALLS: &str = "double *a = malloc(n * m * sizeof(double));
  if (!a)
    return 1;
  double *b = malloc(n * m * sizeof(double));
  if (b == NULL) {
    free(a);
    return 1;
  }";

const FREES: &str = "free(b);\n  free(a);";

#[test]
fn pointers_that_take_turns_share() {
    let wanted = [
        "double *a = malloc(_);",
        "double *b = a; if (b == NULL) { free(a); _; }",
        "(void)b; free(a);",
        "_ += 2 * a[_];",
    ];
    let result = shrinks("turns", &program(CALLS, TURNS, FREES), &wanted);
    assert_eq!(count(&result, "malloc(_)"), 1, "{result}");
    let report = path("turns.json").display().to_string();
    run("optimize", &["turns.c"], &["--param", "n=50", "--param", "m=20", "--json", &report, "-o", "/dev/null"]);
    let report: Value = serde_json::from_str(&text("turns.json")).unwrap();
    assert_eq!(report["scops"][0]["totals"]["cells_before"], 2000);
    assert_eq!(report["scops"][0]["totals"]["cells_after"], 1000);
}

/// `a` needs one cell a row, read as it was, and `b` one along each diagonal, whose subscript is wider.
#[test]
fn a_cell_a_row_and_diagonals_share() {
    let scop = "  for (int i = 0; i < n; i++)
    for (int j = m - 1; j >= 0; j--)
      a[i * m + j] = 3 * in[i];
  for (int i = 0; i < n; i++)
    out[i] = a[i * m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      b[i * n + j] = out[i] + in[j];
  for (int i = 0; i < n; i++)
    out[i] += b[i * n];";
    let calls = CALLS.replace("double *b = malloc(n * m *", "double *b = malloc(n * n *");
    let sizes = calls.replacen("double *a", "if (m < 1)\n    return 0;\n  double *a", 1);
    let result = shrinks("diagonals", &program(&sizes, scop, FREES), &["double *b = a;", "a[(long)i + j] = _;"]);
    assert_eq!(count(&result, "malloc(_)"), 1, "{result}");
}

#[test]
fn chains_of_frames_share() {
    let scop = "  for (int i = 0; i < n; i++)
    a[i] = 3 * in[i];
  for (int i = 0; i < n; i++)
    b[i] = a[n - 1 - i] + in[i];
  for (int i = 0; i < n; i++)
    c[i] = b[n - 1 - i] * 2;
  for (int i = 0; i < n; i++)
    out[i] = c[n - 1 - i] + c[i];";
    let calls = "double *a = NULL, *b = NULL, *c = NULL;
  int failed = 1;
  if ((a = malloc(n * sizeof *a)) == NULL)
    goto done;
  if ((b = (double *)malloc(n * sizeof *b)) == NULL)
    goto done;
  c = malloc(n * sizeof *c);
  if (!c)
    goto done;
  failed = m > 1000;";
    let frees = "done:\n  free(c);\n  if (b)\n    free((void *)b);\n  free(a);\n  if (failed)\n    return 1;";
    let result = shrinks("frames", &program(calls, scop, frees), &["(b = (double *)a) == NULL", "c = a;", "(void)c;"]);
    assert_eq!(count(&result, "malloc(_)"), 1, "{result}");
}

/// The memory is allocated once, and the other pointer's again and again.
#[test]
#[ignore = "long, in ./check-more"]
fn pointers_in_loops_share_with_those_outside() {
    let before = "double *a = malloc(n * m * sizeof *a);
  if (!a)
    return 1;
  for (int turn = 0; turn < 2; turn++) {
  double *b = calloc(n * m, sizeof *b);
  if (!b) {
    free(a);
    return 1;
  }";
    let source = program(before, TURNS, "free(b);\n  }\n  free(a);");
    let result = shrinks("turning", &source, &["double *b = a;", "(void)b;"]);
    assert!(!mentions(&result, "calloc"), "{result}");
}

/// Both get memory of their own, as before.
#[track_caller]
fn apart(name: &str, source: &str) {
    let result = optimized(name, source, &["--verify"]);
    let calls = |text: &str| count(text, "malloc(_)") + count(text, "calloc(_, _)");
    assert_eq!(calls(&result), calls(source), "{result}");
    assert!(!has(&result, "double *b = a;") && !has(&result, "b = a;"), "{result}");
    agree(name);
}

#[test]
fn memory_that_may_end_early_is_not_shared() {
    let early = CALLS.replace(
        "free(a);\n    return 1;",
        "free(a);\n    free(b);\n    if (n * m > 0)\n      return 1;\n    a = NULL;",
    );
    apart("early", &program(&early, TURNS, FREES));
    let within = format!("{CALLS}\n  for (int turn = 0; turn < 1; turn++) {{");
    apart("within", &program(&within, TURNS, "free(a);\n  }\n  free(b);"));
}

#[test]
#[ignore = "long, in ./check-more"]
fn pointers_that_are_more_than_tested_are_not_shared() {
    apart("compared", &program(&format!("{CALLS}\n  assert(a != b);"), TURNS, FREES));
    let compared = format!("{CALLS}\n  if (a == b)\n    return 2;");
    apart("equal", &program(&compared, TURNS, FREES));
    let source = format!("#define FREE(p) free(p)\n{}", program(CALLS, TURNS, "FREE(b);\n  free(a);"));
    apart("freed_by_macro", &source);
    let other = CALLS.replace("double *b = malloc(n * m * sizeof(double))", "float *b = malloc(n * m * sizeof(float))");
    apart("other_type", &program(&other, TURNS, FREES));
}

/// Where the references are to b, the name of a means something else.
#[test]
fn names_that_mean_something_else_in_the_scop_are_not_used() {
    let scop = TURNS.replace(
        "      b[i * m + j] = out[i * m + j] + 1;",
        "    { double a = out[i * m + j]; b[i * m + j] = a + 1; }",
    );
    apart("hidden_name", &program(CALLS, &scop, FREES));
}
