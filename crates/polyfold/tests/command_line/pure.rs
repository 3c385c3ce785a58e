//! Calls that get addresses, of functions that are declared pure: several writes in one statement.

use super::files::{agree, file, optimized, path, run};
use crate::support::code::{has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;

/// The functions, and a scop in one of its own: `main` calls it with many sizes.
fn program(functions: &str, declarations: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
{functions}
static void run(int n, const int in[n + 1], int out[n + 1]) {{
  {declarations}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  int in[14], out[14] = {{0}};
  for (int n = 1; n < 13; n++) {{
    for (int i = 0; i < 14; i++)
      in[i] = i * 5 % 11;
    run(n, in, out);
    for (int i = 0; i <= n; i++)
      printf(\"%d \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// The result computes the same, checked with sanitizers, and compiles without warnings.
#[track_caller]
fn result(name: &str, source: &str, more: &[&str]) -> String {
    let result = optimized(name, source, &[&["--verify"], more].concat());
    agree(name);
    result
}

/// What is said of a program that is done all the same.
#[track_caller]
fn told(name: &str, source: &str, more: &[&str], said: &[&str]) {
    let input = format!("{name}.c");
    file(&input, source);
    let output = path(&format!("{name}.out.c")).display().to_string();
    let run = run("optimize", &[&input], &[&["-o", &output], more].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    said.iter().for_each(|said| assert!(run.stderr.contains(said), "no `{said}` in {}", run.stderr));
    agree(name);
}

/// Two values at once, each from its own past.
const STEP: &str = "#pragma polyfold pure(step)
static void step(int *a, int *b, int p, int q) {
  *a = p * 3 - q % 7 + 1;
  *b = p + q % 5 - *a;
}";

/// The GeCoS note, Figure 3, with rows to begin with.
pub(crate) fn figure_3(call: &str) -> String {
    let body = format!(
        "  for (int j = 0; j <= n; j++) {{
    x[0][j] = in[j];
    y[0][j] = in[j] + 1;
    y[1][j] = in[j] - 1;
  }}
  for (int i = 1; i <= n; i++)
    for (int j = 0; j <= n; j++)
      {call}
  for (int j = 0; j <= n; j++)
    out[j] = x[n][j] + y[n + 1][j];"
    );
    program(STEP, "int x[n + 1][n + 1], y[n + 2][n + 1];", &body)
}

pub(crate) const BY_VALUE: &str = "step(&x[i][j], &y[i + 1][j], x[i - 1][j], y[i - 1][j]);";

#[test]
fn gecos_figure_3_each_array_has_dependences_of_its_own() {
    let moduli = result("figure_3_moduli", &figure_3(BY_VALUE), &["--method", "successive-modulo"]);
    assert!(has(&moduli, "int x[2][n + 1], y[3][n + 1];"), "{moduli}");
    let best = result("figure_3", &figure_3(BY_VALUE), &[]);
    assert!(has(&best, "int x[n + 1], y[2][n + 1];"), "{best}");
    assert!(has(&best, "step(&x[j], &y[(i + 1) % 2][j], x[j], y[(i - 1) % 2][j]);"), "{best}");
}

#[test]
fn gecos_figure_3_reallocated() {
    let result = result("figure_3_reallocated", &figure_3(BY_VALUE), &["--reallocate"]);
    assert!(declares(&result, "x_S3", &["n + 1"]) && declares(&result, "y_S3", &["2", "n + 1"]), "{result}");
    assert!(has(&result, "step(&x_S3[j], &y_S3[(i - 1) % 2][j], i == 1 ? x_S0[j] : x_S3[j], _);"), "{result}");
}

/// Without the declaration nothing is known of the call.
#[test]
fn calls_that_are_not_declared_pure_keep_what_they_get() {
    let source = figure_3(BY_VALUE).replace("#pragma polyfold pure(step)\n", "");
    told("figure_3_unknown", &source, &[], &["`x` keeps its layout: its address is passed to `step` at line 16"]);
    let declared = result("figure_3_option", &source, &["--pure", "step"]);
    assert!(has(&declared, "int x[n + 1], y[2][n + 1];"), "{declared}");
}

/// `f` writes `*a`, and then reads `*b`: what it reads may not be where it writes.
const LATE: &str = "#pragma polyfold pure(f)
static void f(int *a, const int *b) {
  *a = 7;
  *a = *a * 2 + *b;
}";

fn late(call: &str) -> String {
    let body = format!(
        "  for (int i = 0; i < n; i++)
    y[i] = in[i] * 3;
  for (int i = 0; i < n; i++)
    {call}
  for (int i = 0; i < n; i++)
    out[i] = x[n - 1 - i];"
    );
    program(&format!("{LATE}\nint g(int);\nint g(int b) {{ return b + 14; }}"), "int x[n], y[n];", &body)
}

#[test]
fn what_is_read_through_a_pointer_is_needed_until_the_call_ends() {
    let result = result("late_read", &late("f(&x[i], &y[i]);"), &[]);
    assert!(declares(&result, "x_shared", &["n + 1"]), "{result}");
    let by_value = optimized("read_first", &late("x[i] = g(y[i]);").replace(LATE, "#pragma polyfold pure(g)"), &[]);
    assert!(declares(&by_value, "x_shared", &["n"]), "{by_value}");
    agree("read_first");
}

#[test]
fn two_cells_that_one_call_writes_are_apart_though_nobody_reads_one() {
    let functions = "#pragma polyfold pure(f)
static void f(int *a, int *b, int k) {
  *a = k;
  *b = k + 1;
  *b += *a;
}";
    let body = "  for (int i = 0; i < n; i++)
    f(&x[i][0], &x[i][1], in[i]);
  for (int i = 0; i < n; i++)
    out[i] = x[i][1];";
    let result = result("unread", &program(functions, "int x[n][2];", body), &[]);
    assert!(declares(&result, "x", &["n + 1"]), "{result}");
}

/// What a call writes it may read again: if nobody else does, both cells are needed all the same.
#[test]
fn two_cells_of_one_call_are_apart_though_nobody_reads_either() {
    let functions = "#pragma polyfold pure(f)
static int f(int *a, int *b, int k) {
  *a = k;
  *b = k + 1;
  return *a * *b;
}";
    let body = "  for (int i = 0; i < n; i++)
    out[i] = f(&x[i][0], &x[i][1], in[i]);";
    let result = result("both_unread", &program(functions, "int x[n][2];", body), &[]);
    assert!(declares(&result, "x", &["2"]) && has(&result, "f(&x[0], &x[1], in[i])"), "{result}");
}

/// One of two outputs has no readers at all: it still needs a cell of its own.
#[test]
fn an_output_that_nobody_reads_keeps_a_cell() {
    let functions = "#pragma polyfold pure(f)
static void f(int *a, int *b, int k) {
  *a = k;
  *b = k + 1;
  *b += *a;
}";
    let body = "  for (int i = 0; i < n; i++)
    f(&x[i], &y[i], in[i]);
  for (int i = 0; i < n; i++)
    out[i] = y[i];";
    let result = result("one_output", &program(functions, "int x[n], y[n];", body), &[]);
    assert!(has(&result, "f(&x, &y[i], in[i]);"), "{result}");
}

/// A call whose results nobody reads goes.
#[test]
fn dead_calls_go() {
    let body = "  for (int i = 0; i < n; i++) {
    f(&x[i], &in[i]);
    out[i] = in[i];
  }";
    let functions = LATE.replace("static void f", "void f(int *a, const int *b);\nvoid f");
    let result = result("dead_call", &program(&functions, "int x[n];", body), &[]);
    assert!(!has(&result, "f(_, _);") && !mentions(&result, "x"), "{result}");
    let own = optimized("dead_static_call", &program(LATE, "int x[n];", body), &[]);
    assert!(!has(&own, "f(_, _);") && has(&own, "(void)f;"), "{own}");
    agree("dead_static_call");
}

#[test]
fn variables_are_outputs_too() {
    let body = "  for (int i = 0; i < n; i++) {
    f(&s, &in[i]);
    t[i] = s + 1;
  }
  for (int i = 0; i < n; i++) {
    f(&s, &t[i]);
    out[i] = s;
  }";
    let source = program(LATE, "int s, t[n];", body);
    result("variable", &source, &[]);
    let grown = result("variable_grown", &source, &["--reallocate"]);
    assert!(has(&grown, "f(&s_S0, &in[i]);"), "{grown}");
}

/// C has no order between a call and the rest of its expression.
#[test]
fn what_stands_beside_a_call_may_be_read_behind_it() {
    let functions = "#pragma polyfold pure(f)
static int f(int *a, int k) {
  *a = k;
  return *a + 1;
}";
    let body = |rest: &str| {
        format!(
            "  for (int i = 0; i < n; i++)
    y[i] = in[i] * 3;
  for (int i = 0; i < n; i++)
    out[i] = f(&x[i], in[i]){rest};
  for (int i = 0; i < n; i++)
    out[i] += x[i];"
        )
    };
    let beside = result("beside", &program(functions, "int x[n], y[n];", &body(" + y[i]")), &[]);
    assert!(declares(&beside, "x_shared", &["n + 1"]), "{beside}");
    let argument = body("").replace("in[i]);", "y[i]);");
    let argument = result("argument", &program(functions, "int x[n], y[n];", &argument), &[]);
    assert!(declares(&argument, "x_shared", &["n"]), "{argument}");
}

#[test]
fn where_data_decides_a_call_may_not_write() {
    let body = "  for (int i = 0; i < n; i++) {
    x[i] = in[i];
    if (in[i] > 4)
      f(&x[i], &in[i]);
    out[i] = x[i];
  }";
    let result = result("perhaps", &program(LATE, "int x[n];", body), &[]);
    assert!(has(&result, "int x = in[i];"), "{result}");
}

#[test]
fn functions_that_do_otherwise_are_found_out() {
    let body = "  for (int i = 0; i < n; i++) {
    f(&x[i], &in[i]);
    out[i] = x[i];
  }";
    let with = |change: [&str; 2]| program(&LATE.replace(change[0], change[1]), "int x[n];", body);
    let kept = "`x` stays as it is: x[0] is read before it is written";
    let not_first = "`f` does not plainly write `*a` before anything else";
    told(
        "reads_first",
        &with(["  *a = 7;", "  *a += 7;"]).replace("    f(", "    x[i] = 1;\n    f("),
        &[],
        &[not_first],
    );
    told("writes_perhaps", &with(["  *a = 7;\n  *a = *a", "  if (*b < 0) return;\n  *a = 3"]), &[], &[not_first, kept]);
    let stray = "its address is passed to `f` at line 11, which at line 4 uses `a` for more than the element";
    told("reads_another", &with(["  *a = 7;", "  *a = 7 + 0 * (a == 0 ? a[1] : 1);"]), &[], &[stray]);
    let passes = with(["  *a = 7;", "  *a = 7;\n  const int *c = a;"]);
    told("passes_on", &passes.replace("+ *b;", "+ *b + *c;"), &[], &["which at line 5 uses `a`"]);
    let global =
        with(["static void f", "static int calls;\nstatic void f"]).replace("  *a = 7;", "  *a = 7;\n  calls++;");
    told("counts", &global, &[], &["`f` is not taken to be pure: it sets what is neither a variable of its own"]);
    let kept = with(["  *a = 7;", "  static int last = 0;\n  *a = last;"]);
    told("remembers", &kept, &[], &["`f` is not taken to be pure: it keeps `last` from call to call"]);
    let prints = with(["  *a = 7;", "  *a = 7;\n  printf(\"%d\", *b);"]);
    told("prints", &prints, &[], &["`f` is not taken to be pure: it calls `printf`, which is not known to be pure"]);
    let helper = with(["#pragma", "static int twice(int k) { return 2 * k; }\n#pragma"]).replace("*a * 2", "twice(*a)");
    let helped = result("helped", &helper, &[]);
    assert!(has(&helped, "int x;"), "{helped}");
}

#[test]
fn what_is_no_single_element_is_not_followed() {
    let rows = "#pragma polyfold pure(f)
static void f(int *a, const int *b) {
  *a = 7 + *b;
}";
    let body = |argument: &str| {
        format!(
            "  for (int i = 0; i < n; i++) {{
    x[i][0] = i;
    f({argument}, &in[i]);
    out[i] = x[i][0];
  }}"
        )
    };
    let followed = "pure functions are followed to single elements only";
    for (name, argument) in [("row", "x[i]"), ("sum", "&x[i][0] + 0"), ("cast", "(int *)&x[i][0]")] {
        told(name, &program(rows, "int x[n][2];", &body(argument)), &[], &[followed]);
    }
    let void = rows.replace("int *a", "void *a").replace("*a = 7 + *b;", "(void)a, (void)b;");
    let said = "whose parameter is a pointer to `void`";
    told("void", &program(&void, "int x[n][2];", &body("&x[i][0]")), &[], &[said]);
    let unknown = "extern int first(int *);\nint first();\nint first(int *a) { return *a = 1; }";
    let body = "  for (int i = 0; i < n; i++)\n    out[i] = first(&x[i]) + in[i];";
    told("declared_twice", &program(unknown, "int x[n];", body), &["--pure", "first"], &["or several that differ"]);
    let known = program("", "int x[n];", "  for (int i = 0; i < n; i++)\n    out[i] = x[i] = in[i];");
    told("unheard_of", &known, &["--pure", "nobody"], &["`nobody` is declared pure, and the file does not mention it"]);
}

#[test]
fn orders_keep_what_calls_depend_on() {
    let schedule = "{ S0[j] -> [-1, 0, j]; S1[j] -> [-1, 1, j]; S2[j] -> [-1, 2, j]; S3[i, j] -> [j, i, 3]; S4[j] -> [j, n + 1, 4] }";
    let columns = result("columns", &figure_3(BY_VALUE), &["--schedule", &format!("[n] -> {schedule}")]);
    assert!(declares(&columns, "y", &["n + 1", "2"]), "{columns}");
    let backwards =
        "{ S0[j] -> [-1, 0, j]; S1[j] -> [-1, 1, j]; S2[j] -> [-1, 2, j]; S3[i, j] -> [0, -i, j]; S4[j] -> [1, 0, j] }";
    file("backwards.c", figure_3(BY_VALUE));
    let run = run("optimize", &["backwards.c"], &["--schedule", backwards]);
    assert!(run.status == 2 && run.stderr.contains("reads what"), "{}", run.stderr);
}

#[test]
fn rows_at_once() {
    let parallel = result("rows_at_once", &figure_3(BY_VALUE), &["--parallel", "3"]);
    assert!(has(&parallel, "int x[n + 1], y[2][n + 1];"), "{parallel}");
    let expected = compiler::run_source(&path("rows_at_once.c"), &[]).unwrap();
    assert_eq!(compiler::run(&path("rows_at_once.out.c"), &["-fopenmp"]).unwrap(), expected);
}

#[test]
fn formats_have_no_words_for_addresses() {
    file("addresses.c", figure_3(BY_VALUE));
    let run = run("convert", &["addresses.c"], &[]);
    assert_eq!(run.status, 1, "{}", run.stderr);
    assert!(run.stderr.contains("this statement passes addresses to a function"), "{}", run.stderr);
}
