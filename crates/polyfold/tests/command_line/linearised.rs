//! Arrays whose subscripts are one, and memory from `malloc`.

use super::files::{agree, file, optimized, path, run, text};
use crate::support::code::has;
use crate::support::compiler;
use crate::support::declared::declares;
use serde_json::Value;

/// Two passes, the second of which needs the row before.
const PASSES: &str = "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < m; j++)
      t[i * m + j] = 3 * in[i * m + j];
    if (i > 0)
      for (int j = 0; j < m; j++)
        out[i * m + j] = t[(i - 1) * m + j] + t[i * m + m - 1 - j];
  }";

const MALLOC: &str = "double *t = malloc(n * m * sizeof(double));\n  if (!t)\n    return 1;";

/// A program that runs a scop for small sizes, some of them 0.
pub(crate) fn program(before: &str, scop: &str, behind: &str) -> String {
    format!(
        r#"#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int f(int n, int m, const double *in, double *out) {{
  {before}
#pragma scop
{scop}
#pragma endscop
  {behind}
  return 0;
}}
int main(void) {{
  static const int sizes[][2] = {{{{0, 0}}, {{0, 4}}, {{1, 1}}, {{1, 5}}, {{2, 1}}, {{5, 3}}, {{7, 8}}}};
  for (int s = 0; s < 7; s++) {{
    double in[64], out[64] = {{0}}, sum = 0;
    for (int i = 0; i < 64; i++)
      in[i] = (i * 37) % 101;
    if (f(sizes[s][0], sizes[s][1], in, out))
      return 1;
    for (int i = 0; i < 64; i++)
      sum += out[i] * (i % 17 + 1);
    printf("%.17g\n", sum);
  }}
  return 0;
}}
"#
    )
}

/// Less memory, no warnings, the same output (address, leak and undefined-behaviour sanitizers on), and nothing more on its own output.
#[track_caller]
pub(crate) fn shrinks(name: &str, source: &str, wanted: &[&str]) -> String {
    let result = optimized(name, source, &["--verify"]);
    for piece in wanted {
        assert!(has(&result, piece), "no `{piece}` in {result}");
    }
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    for standard in ["-std=c99", "-std=c11"] {
        compiler::compile(&path(&format!("{name}.out.c")), &[standard]).unwrap();
    }
    agree(name);
    assert_eq!(optimized(&format!("{name}_again"), &result, &[]), result);
    result
}

/// The array stays, with a reason.
#[track_caller]
fn stays(name: &str, source: &str, reason: &str) {
    let result = optimized(name, source, &[]);
    assert_eq!(result, source);
    let run = run("optimize", &[&format!("{name}.c")], &["-o", &path(&format!("{name}.out.c")).display().to_string()]);
    assert!(run.stdout.contains(&format!("t stays: {reason}")), "no `{reason}` in {}", run.stdout);
}

/// A pointer to rows gets one row, if that is all that is alive.
#[test]
fn pointers_to_rows_get_one() {
    let source = "#include <stdio.h>
#include <stdlib.h>
static void f(int h, int w, int in[h][w], int out[h][w]) {
  int (*t)[w] = malloc(sizeof(int[h][w]));
  int (*u)[w] = calloc((size_t)h, sizeof *u);
#pragma scop
  for (int i = 0; i < h; i++) {
    for (int j = 0; j < w; j++) {
      t[i][j] = in[i][j] * 2;
      u[i][j] = in[i][j] + 1;
    }
    for (int j = 0; j < w; j++)
      out[i][j] = t[i][w - 1 - j] - u[i][w - 1 - j];
  }
#pragma endscop
  free(t);
  free(u);
}
int main(void) {
  int in[6][5], out[6][5];
  for (int i = 0; i < 30; i++)
    in[i / 5][i % 5] = i * 7 % 11;
  f(6, 5, in, out);
  for (int i = 0; i < 30; i++)
    printf(\"%d \", out[i / 5][i % 5]);
  return 0;
}
";
    let result = optimized("one_row", source, &[]);
    agree("one_row");
    for piece in ["int (*t)[w] = malloc(sizeof *t);", "int (*u)[w] = calloc(1, sizeof *u);", "t[0][j] = _;"] {
        assert!(has(&result, piece), "{piece} in {result}");
    }
}

#[test]
fn memory_from_malloc_shrinks() {
    let wanted = [
        "double *t = malloc(sizeof *t * 2 * m);",
        "t[(i % 2) * m + j] = 3 * in[i * m + j];",
        "t[((i - 1) % 2) * m + j]",
    ];
    shrinks("malloc", &program(MALLOC, PASSES, "free(t);"), &wanted);
    let report = path("malloc.json").display().to_string();
    run("optimize", &["malloc.c"], &["--param", "n=50", "--param", "m=20", "--json", &report, "-o", "/dev/null"]);
    let report: Value = serde_json::from_str(&text("malloc.json")).unwrap();
    let arrays = report["scops"][0]["arrays"].as_array().unwrap();
    let t = arrays.iter().find(|array| array["name"] == "t").unwrap();
    assert_eq!((&t["extent"][0], &t["extent"][1]), (&"n".into(), &"m".into()));
    assert_eq!((&t["role"], &t["cells_before"], &t["cells_after"]), (&"temporary".into(), &1000.into(), &40.into()));
}

#[test]
#[ignore = "long, in ./check-more"]
fn sizes_and_casts_are_written_in_many_ways() {
    let checked = "\n  if (t == NULL)\n    return 1;";
    for (k, (call, new)) in [
        ("double *t = malloc(sizeof(double) * n * m);", "malloc(sizeof *t * 2 * m)"),
        ("double *t = malloc(sizeof *t * n * m);", "malloc(sizeof *t * 2 * m)"),
        ("double *t = malloc(n * (m * sizeof(t[0])));", "malloc(sizeof *t * 2 * m)"),
        ("double *t = (double *)malloc((size_t)n * m * sizeof *t);", "(double *)malloc(sizeof *t * 2 * m)"),
        ("double *t = malloc(sizeof(double[n][m]));", "malloc(sizeof *t * 2 * m)"),
        ("double *t = calloc(n * m, sizeof(double));", "calloc((size_t)2 * m, sizeof *t)"),
        ("double *t = calloc(n, m * sizeof *t);", "calloc((size_t)2 * m, sizeof *t)"),
        ("double *t;\n  t = malloc(n * m * sizeof(double));", "t = malloc(sizeof *t * 2 * m);"),
        ("double *t = NULL;\n  t = malloc(n * m * sizeof(double));", "t = malloc(sizeof *t * 2 * m);"),
    ]
    .into_iter()
    .enumerate()
    {
        shrinks(&format!("size_{k}"), &program(&format!("{call}{checked}"), PASSES, "free(t);"), &[new]);
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn tests_of_the_pointer_stay() {
    let call = "double *t;\n  if ((t = malloc(n * m * sizeof(double))) == NULL)\n    return 1;";
    shrinks(
        "tested",
        &program(call, PASSES, "free(t);\n  t = NULL;"),
        &["if ((t = malloc(sizeof *t * 2 * m)) == NULL) _;"],
    );
    let call = "double *t = malloc(n * m * sizeof(double));\n  assert(t);";
    shrinks("asserted", &program(call, PASSES, "if (t != NULL)\n    free((void *)t);"), &["assert(t);"]);
    let twice = "double *t = malloc(n * m * sizeof(double));\n  if (!t) {\n    free(t);\n    return 1;\n  }";
    shrinks("freed_twice", &program(twice, PASSES, "free(t);"), &["malloc(sizeof *t * 2 * m)"]);
}

#[test]
#[ignore = "long, in ./check-more"]
fn pointers_to_rows_get_fewer() {
    let rows = PASSES.replace("t[i * m + j]", "t[i][j]");
    let rows = rows.replace("out[i][j]", "out[i * m + j]").replace("t[(i - 1) * m + j]", "t[i - 1][j]");
    let rows = rows.replace("t[i * m + m - 1 - j]", "t[i][m - 1 - j]");
    let only = "if (n < 1 || m < 1)\n    return 0;\n  ";
    for (k, call) in
        ["malloc(n * sizeof *t)", "malloc(sizeof(double[n][m]))", "calloc(n, sizeof *t)"].iter().enumerate()
    {
        let new = if k == 2 { "calloc(2, sizeof *t)" } else { "malloc(2 * sizeof *t)" };
        let before = format!("{only}double (*t)[m] = {call};\n  if (!t)\n    return 1;");
        let source = program(&before, &rows, "free(t);");
        shrinks(&format!("rows_{k}"), &source, &[new, "t[(i - 1) % 2][j] + t[i % 2][m - 1 - j]"]);
    }
}

#[test]
fn local_arrays_get_their_dimensions() {
    let source = program("if (n < 1 || m < 1)\n    return 0;\n  double t[n * m];", PASSES, "");
    shrinks("local", &source, &["double t[2][m];", "t[(i - 1) % 2][j]"]);
}

#[test]
#[ignore = "long, in ./check-more"]
fn subscripts_in_macros_and_variables() {
    let scop = PASSES.replace("t[i * m + j] = 3 * in[i * m + j];", "t[AT(i, j)] = 3 * in[AT(i, j)];");
    let source = format!("#define AT(r, c) ((r) * m + (c))\n{}", program(MALLOC, &scop, "free(t);"));
    shrinks("macro", &source, &["t[(i % 2) * m + j] = 3 * in[AT(i, j)];"]);
    let body = "{ const int at = i * m + j; t[at] = 3 * in[at]; }";
    let scop = PASSES.replace("t[i * m + j] = 3 * in[i * m + j];", body);
    shrinks("variable", &program(MALLOC, &scop, "free(t);"), &["t[(i % 2) * m + j] = 3 * in[at];"]);
    let scop = PASSES.replace("i * m", "i * M").replace("(i - 1) * m", "(i - 1) * M");
    let scop = scop.replace("n;", "N;").replace("< m", "< M").replace("+ m -", "+ M -");
    let call = "double *t = malloc(N * M * sizeof(double));\n  if (!t || n < N || m < M)\n    return free(t), 0;";
    let source = format!("#define N 6\n#define M 5\n{}", program(call, &scop, "free(t);"));
    shrinks("constants", &source, &["malloc(sizeof *t * 2 * M)", "t[(i % 2) * M + j]"]);
}

/// Parentheses may stand in the macro's body, around its call, or both.
#[test]
#[ignore = "long, in ./check-more"]
fn macros_in_parentheses() {
    for (k, body) in ["(t[(i) * m + (j)])", "t[(i) * m + (j)]", "((t)[((i) * m + (j))])"].iter().enumerate() {
        for (l, call) in ["AT(t, i - 1, j)", "(AT(t, i - 1, j))", "( (AT(t, i - 1, j)) )"].iter().enumerate() {
            let scop = PASSES.replace("t[i * m + j] = 3 * in[i * m + j];", "(AT(t, i, j)) = 3 * in[i * m + j];");
            let scop = scop.replace("t[(i - 1) * m + j]", call);
            let source = format!("#define AT(t, i, j) {body}\n{}", program(MALLOC, &scop, "free(t);"));
            let result = optimized(&format!("around_{k}_{l}"), &source, &["--verify"]);
            assert!(has(&result, "malloc(sizeof *t * 2 * m)"), "{result}");
            assert!(has(&result, "t[(i % 2) * m + j]") && has(&result, "t[((i - 1) % 2) * m + j]"), "{result}");
            agree(&format!("around_{k}_{l}"));
        }
    }
}

/// Rows of m cells of which k are used: only if k <= m is `t[i * m + j]` one cell of `t[i][j]`.
#[test]
fn assumptions_show_that_subscripts_stay_in_their_rows() {
    let scop = PASSES.replace("j < m", "j < k").replace("i * m + m - 1 - j", "i * m + k - 1 - j");
    let before = "int k = width(n, m);\n  double *t = malloc((n + 1) * m * sizeof(double));\n  if (!t)\n    return 1;";
    let source = program(before, &scop, "free(t);").replace(
        "static int f(",
        "static int width(int n, int m) {\n  return n == 5 ? m + 1 : n > 2 ? m - 1 : m;\n}\nstatic int f(",
    );
    stays("widths", &source, "its subscript at line 15, `i * m + j`, may leave its row of `m` cells");
    file("assumed.c", &source);
    let output = path("assumed.out.c").display().to_string();
    let assumed = run("optimize", &["assumed.c"], &["--assume", "k <= m", "--verify", "-o", &output]);
    assert_eq!(assumed.status, 0, "{}", assumed.stderr);
    assert!(!assumed.stderr.contains("may leave its row"), "{}", assumed.stderr);
    let result = text("assumed.out.c");
    let pieces = ["malloc(m >= k ? _ : (n + 1) * m * sizeof(double))", "if (m >= k) _; else _;", "t[(i % 2) * _ + _]"];
    for piece in pieces {
        assert!(has(&result, piece), "no `{piece}` in {result}");
    }
    assert!(has(&result, "t[(i - 1) * m + j] + t[i * m + k - 1 - j]"), "the old program is gone: {result}");
    compiler::all_warnings(&path("assumed.out.c")).unwrap();
    agree("assumed");
    let other = run("optimize", &["assumed.c"], &["--assume", "k >= 1", "-o", &output]);
    assert!(other.status == 0 && other.stdout.contains("may leave its row"), "{}", other.stdout);
    assert_eq!(text("assumed.out.c"), source);
}

#[test]
#[ignore = "long, in ./check-more"]
fn sizes_of_64_bits() {
    let wide = PASSES.replace("i * m", "(size_t)i * m").replace("(i - 1) * m", "(size_t)(i - 1) * m");
    shrinks("wide", &program(MALLOC, &wide, "free(t);"), &["t[(long)(i % 2) * m + j]"]);
    let source = program(MALLOC, PASSES, "free(t);").replace("int i =", "size_t i =").replace("int j =", "size_t j =");
    let source =
        source.replace("f(int n, int m", "f(size_t n, size_t m").replace("size_t i = 0; i < 64", "int i = 0; i < 64");
    shrinks("modular", &source, &["malloc(sizeof *t * 2 * (long)m)"]);
}

#[test]
#[ignore = "long, in ./check-more"]
fn one_cell_and_none() {
    let scop = "  for (int i = 0; i < n * 1; i++)
    for (int j = 0; j < m; j++) {
      t[i * m + j] = 3 * in[i * m + j];
      out[i * m + j] = t[i * m + j] + 1;
    }";
    shrinks("cell", &program(MALLOC, scop, "free(t);"), &["malloc(sizeof *t)", "t[0] = 3 * in[i * m + j];"]);
    let scop = scop.replace("= t[i * m + j] + 1", "= 1");
    let result = shrinks("nothing", &program(MALLOC, &scop, "free(t);"), &[]);
    assert!(!has(&result, "t[_]"), "{result}");
}

#[test]
fn a_guarded_result_allocates_for_both_programs() {
    let source = program(MALLOC, PASSES, "free(t);");
    let scop = source.replace("if (i > 0)", "if (i >= m)").replace("(i - 1) * m", "(i - m) * m");
    file("guarded.c", &scop);
    let output = path("guarded.out.c").display().to_string();
    let run = run("optimize", &["guarded.c"], &["--assume", "m == 1", "--verify", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let result = text("guarded.out.c");
    assert!(has(&result, "malloc(m == 1 ? 2 * sizeof *t : n * m * sizeof(double))"), "{result}");
    compiler::all_warnings(&path("guarded.out.c")).unwrap();
    agree("guarded");
}

#[test]
fn what_somebody_else_may_see_stays() {
    let outside = "it is also used outside the scop, at line";
    let passed = program(MALLOC, PASSES, "printf(\"%d\", t == in);\n  qsort(t, 1, 8, 0);\n  free(t);");
    stays("passed", &passed, outside);
    stays("copied", &program(MALLOC, PASSES, "double *u = t;\n  free(u);"), outside);
    stays("used", &program(MALLOC, PASSES, "out[0] += n > 3 ? t[3] : 0;\n  free(t);"), outside);
    stays("filled", &program(&format!("{MALLOC}\n  t[0] = 1;"), PASSES, "free(t);"), outside);
    let again = program(MALLOC, PASSES, "t = realloc(t, 8);\n  free(t);");
    stays("again", &again, "it gets its memory at several places, the second at line");
    let resized = program("double *t = realloc(NULL, n * m * sizeof(double));", PASSES, "free(t);");
    stays("resized", &resized, "its memory is from `realloc` at line 5: only malloc and calloc are known");
    let somewhere = "double *t = NULL;\n  if (n > 0) {\n    t = malloc(n * m * sizeof(double));\n  }";
    stays(
        "somewhere",
        &program(somewhere, PASSES, "free(t);"),
        "it is allocated at line 7, which does not stand in front",
    );
    let bytes = program("double *t = malloc(n * m * 8);", PASSES, "free(t);");
    stays("bytes", &bytes, "the call at line 5 does not multiply sizes by `sizeof(double)`");
    let through = PASSES.replace("t[i * m + j] = 3", "*t = 3");
    stays("through", &program(MALLOC, &through, "free(t);"), "its address is taken at line");
}

#[test]
fn subscripts_that_may_leave_their_row_stay() {
    let scop = PASSES.replace("t[(i - 1) * m + j]", "t[i * m + j - 1]");
    let reason = "its subscript at line 14, `i * m + j - 1`, may leave its row of `m` cells";
    stays("left", &program(MALLOC, &scop, "free(t);"), reason);
    let scop = PASSES.replace("t[(i - 1) * m + j]", "t[(i - 1) * n + j]");
    stays("other_stride", &program(MALLOC, &scop, "free(t);"), "its subscript at line");
    let scop = format!("{PASSES}\n  for (int k = 0; k < n + m; k++)\n    out[k] = t[k];");
    stays("whole", &program(MALLOC, &scop, "free(t);"), "its subscript at line");
    let more = MALLOC.replace("n * m *", "(n * m + 1) *");
    stays("more", &program(&more, PASSES, "free(t);"), "how many elements its allocation has is no product");
}

#[test]
fn arithmetic_that_may_wrap_stays() {
    let source =
        program(MALLOC, PASSES, "free(t);").replace("int i =", "unsigned i =").replace("int j =", "unsigned j =");
    let source = source
        .replace("f(int n, int m", "f(unsigned n, unsigned m")
        .replace("unsigned i = 0; i < 64", "int i = 0; i < 64");
    stays("unsigned", &source, "its subscript at line 11 multiplies in unsigned arithmetic, which may wrap around");
}

#[test]
fn cleared_memory_that_is_read_stays() {
    let scop = PASSES.replace("if (i > 0)", "").replace("t[(i - 1) * m + j]", "t[i * m + j]");
    let scop = scop.replace("t[i * m + j] = 3", "if (j > 1) t[i * m + j] = 3");
    let source = program("double *t = calloc(n * m, sizeof(double));\n  if (!t)\n    return 1;", &scop, "free(t);");
    let result = optimized("cleared", &source, &["--verify"]);
    assert!(has(&result, "calloc(n * m, sizeof(double))"), "{result}");
}

#[test]
fn sizes_that_change_behind_the_allocation_stay() {
    let before = format!("{MALLOC}\n  n = n > 1 ? n - 1 : n;");
    let reason = "how many elements its allocation has is no product of its rows and a size";
    stays("changed", &program(&before, PASSES, "free(t);"), reason);
}

#[test]
fn cpp_keeps_its_cast() {
    let source = program(&MALLOC.replace("= malloc", "= (double *)malloc"), PASSES, "free(t);");
    file("cast.cpp", source);
    let output = path("cast.out.cpp").display().to_string();
    let run = run("optimize", &["cast.cpp"], &["--verify", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(has(&text("cast.out.cpp"), "double *t = (double *)malloc(sizeof *t * 2 * m);"));
}

/// A file has all dimensions in its relations, and texts and declarations as they are: what is optimized from it shrinks, and so
/// does the program into which its loops come back.
#[test]
fn files_for_others_have_all_dimensions() {
    let scop = PASSES.replace("t[i * m + j] = 3", "t[AT(i, j)] = 3");
    file("flat.c", format!("#define AT(i, j) (i) * m + (j)\n{}", program(MALLOC, &scop, "free(t);")));
    let shown = |name: &str| path(name).display().to_string();
    for format in ["flat.isl", "flat.scop"] {
        let written = run("convert", &["flat.c"], &["-o", &shown(format)]);
        assert_eq!(written.status, 0, "{}", written.stderr);
        let said = text(format);
        for part in ["double t[(long)n * m]", "double in[]", "t[AT(i, j)] = 3 * in[i * m + j];"] {
            assert!(said.contains(part), "no `{part}` in {said}");
        }
        let back = run("convert", &[format], &["--into", &shown("flat.c"), "-o", &shown("flat.out.c")]);
        assert_eq!(back.status, 0, "{}", back.stderr);
        assert!(has(&text("flat.out.c"), "t[AT(i, j)] = 3 * in[i * m + j];"), "{}", text("flat.out.c"));
        compiler::all_warnings(&path("flat.out.c")).unwrap();
        agree("flat");
        let alone = run("optimize", &[format], &["-o", &shown("alone.c")]);
        assert_eq!(alone.status, 0, "{}", alone.stderr);
        let alone = text("alone.c");
        assert!(declares(&alone, "t", &["2", "m"]) && has(&alone, "t[(i - 1) % 2][j]"), "{alone}");
        assert!(has(&alone, "t[i % 2][j] = 3 * in[i * m + j];"), "{alone}");
    }
    let relations = text("flat.isl");
    assert!(relations.contains("t[c0 = i, c1 = j]") || relations.contains("t[i, j]"), "{relations}");
    let without = relations.lines().filter(|line| !line.starts_with("body")).collect::<Vec<_>>().join("\n");
    file("flat_without.isl", without);
    let refused = run("convert", &["flat_without.isl"], &[]);
    assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
    let said = "has no body, and `t` has other dimensions than its declaration says";
    let said_of_in = said.replace("`t`", "`in`");
    assert!(refused.stderr.contains(said) || refused.stderr.contains(&said_of_in), "{}", refused.stderr);
}

/// Subscripts that divide, or multiply what they divided, read in C as they did: in the mapping that is found here, each row's number
/// counts.
#[test]
fn rows_that_are_multiples_of_remainders_are_written_right() {
    let call = "double *t = malloc(9 * (n + 1) * m * sizeof(double));\n  if (!t)\n    return 1;";
    let scop = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[(i % 2) * 2 * m + j] = in[i * m + j] + i;
  for (int j = 0; j < m; j++)
    out[j] = (n > 0 ? t[j] : 0) + (n > 1 ? t[2 * m + j] : 0);";
    optimized("remainders", &program(call, scop, "free(t);"), &["--verify"]);
    agree("remainders");
}

/// A row of which the number is not needed goes, however it is computed.
#[test]
#[ignore = "long, in ./check-more"]
fn rows_that_divide_shrink() {
    let call = "double *t = malloc(9 * (n + 1) * m * sizeof(double));\n  if (!t)\n    return 1;";
    for (k, row) in ["(i % 2) * 2", "(i / 2) * 3", "(n - i) / 2"].iter().enumerate() {
        let scop = format!(
            "  for (int i = 0; i < n; i++) {{
    for (int j = 0; j < m; j++)
      t[{row} * m + j] = in[i * m + j] + i;
    for (int j = 0; j < m; j++)
      out[i * m + j] = t[{row} * m + m - 1 - j];
  }}"
        );
        let name = format!("row_{k}");
        let result = optimized(&name, &program(call, &scop, "free(t);"), &["--verify"]);
        assert!(has(&result, "double *t = malloc(m * sizeof *t);"), "{result}");
        agree(&name);
    }
}

/// A member's write ends the life of no other member's value.
#[test]
fn members_of_linearised_structures_keep_their_values() {
    let scop = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i * m + j].x = in[i * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i * m + j].y = 2 * in[i * m + j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i * m + j] = t[i * m + j].x + t[i * m + j].y;";
    let before = "struct pair { double x, y; } *t = malloc(n * m * sizeof(struct pair));\n  if (!t)\n    return 1;";
    let source = program(before, scop, "free(t);");
    assert_eq!(optimized("members", &source, &[]), source);
    let before =
        "typedef struct { double x, y; } pair;\n  pair *t = malloc(n * m * sizeof(pair));\n  if (!t)\n    return 1;";
    let source = program(before, scop, "free(t);");
    assert_eq!(optimized("typed_members", &source, &[]), source);
}

/// A pointer to rows gets fewer rows, also where they are not used in full.
#[test]
#[ignore = "long, in ./check-more"]
fn pointers_to_rows_keep_their_length() {
    let scop = "  for (int i = 0; i < n; i++) {
    for (int j = 2; j < m; j++)
      t[i][j] = in[i * m + j];
    if (i > 0)
      for (int j = 3; j < m - 1; j++)
        out[i * m + j] = t[i][j] + t[i - 1][j];
  }";
    let before = "double (*t)[m] = malloc(n * sizeof *t);\n  if (!t)\n    return 1;";
    let source = program(before, scop, "free(t);").replace("{{0, 0}, {0, 4}", "{{3, 3}, {4, 4}");
    shrinks("trimmed_rows", &source, &["double (*t)[m] = malloc(2 * sizeof *t);"]);
}

/// Memory that may have been allocated for other sizes, or whose size is not computed as it reads, stays.
#[test]
fn sizes_that_may_be_others_are_not_used() {
    let jump = "int first = 1;
again:
  if (!first)
    goto use;
  double *t;
  t = malloc((n + 1) * (m + 1) * sizeof(double));
  if (!t)
    return 1;
use:;";
    let back = "free(t);\n  if (n > 100) {\n    first = 0;\n    goto again;\n  }";
    let label = program(jump, PASSES, back)
        .replace("double *t;\n  t = malloc", "t = malloc")
        .replace("int first = 1;", "int first = 1;\n  double *t;");
    stays("label", &label, "there is a label at line");
    let wrapping =
        program("double *t = malloc((n - 1) * m * sizeof(double));\n  if (!t)\n    return 1;", PASSES, "free(t);")
            .replace("f(int n", "f(unsigned n")
            .replace("int i = 0; i < n; i++)", "unsigned i = 0; i < n; i++)");
    assert_eq!(optimized("wrapping", &wrapping, &[]), wrapping);
}
