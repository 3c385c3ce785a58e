//! Temporary arrays in the memory of outputs (`--reuse-outputs`).

use super::files::{agree, file, optimized, path, place, run, text, with_arrays};
use crate::support::code::{count, has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;
use serde_json::Value;

const REUSE: [&str; 2] = ["--reuse-outputs", "--verify"];

/// A function of `parameters` with declarations and a scop.
fn function(parameters: &str, declarations: &str, scop: &str) -> String {
    format!("void f({parameters}) {{\n  {declarations}\n#pragma scop\n{scop}\n#pragma endscop\n}}\n")
}

const VECTORS: &str = "int n, const double in[n], double out[n]";
const FILL: &str = "  for (int i = 0; i < n; i++) t[i] = in[i] * 2.0;\n";

/// With the option, and checked by running both.
#[track_caller]
fn reused(name: &str, source: &str) -> String {
    reported(name, source).0
}

/// The same, and what the report says of arrays.
#[track_caller]
fn reported(name: &str, source: &str) -> (String, Vec<Value>) {
    let result = with_arrays(name, source, &REUSE);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// With the option `t` lives in an output.
#[track_caller]
fn lives_in(name: &str, source: &str, cell: &str) {
    let (result, arrays) = reported(name, source);
    assert_eq!(place(&arrays, "t"), Some(cell), "{result}");
}

/// The option changes nothing in a program that compilers take.
#[track_caller]
fn untouched(name: &str, source: &str) {
    let (without, arrays) = with_arrays(name, source, &[]);
    compiler::all_warnings(&path(&format!("{name}.c"))).unwrap();
    assert_eq!(optimized(name, source, &["--reuse-outputs"]), without);
    assert_eq!(place(&arrays, "t"), None, "{without}");
}

/// The option changes nothing, but for `change`, which it would change.
#[track_caller]
fn untouched_unless(name: &str, source: &str, change: [&str; 2]) {
    untouched(name, source);
    assert!(source.contains(change[0]), "{source}");
    let (result, arrays) = reported(&format!("{name}_twin"), &source.replace(change[0], change[1]));
    assert!(place(&arrays, "t").is_some_and(|cell| cell.starts_with("out[")), "{result}");
}

#[test]
fn an_array_lives_in_the_output_that_takes_its_values() {
    let source =
        function(VECTORS, "double t[n];", &format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] + 1.0;"));
    let (result, arrays) = reported("output", &source);
    let body = "for (int i = 0; i < n; i++) out[i] = in[i] * 2.0; for (int i = 0; i < n; i++) out[i] = out[i] + 1.0;";
    assert!(has(&result, body) && !mentions(&result, "t") && place(&arrays, "t") == Some("out[i]"), "{result}");
    assert_eq!(optimized("output", &source, &[]), source);
}

#[test]
fn arrays_move_to_where_the_output_is_dead() {
    let scop = "  for (int i = 0; i < n; i++) t[i + 2] = in[i];
  for (int i = 0; i < n; i++) out[i] = 3 * t[i + 2];";
    lives_in("moved", &function(VECTORS, "double t[n + 2];", scop), "out[i - 2]");
    let scop = "  for (int i = 0; i < n; i++) {
    low[i] = in[i];
    high[i] = in[n - 1 - i];
  }
  for (int i = 0; i < n; i++) out[i] = low[i] + 1;
  for (int i = 0; i < n; i++) out[i + n] = high[i] + 1;";
    let source = function("int n, const double in[n], double out[2 * n]", "double low[n], high[n];", scop);
    let (_, arrays) = reported("halves", &source);
    assert_eq!(["low", "high"].map(|name| place(&arrays, name)), [Some("out[i]"), Some("out[i + n]")]);
}

/// Each row of t is read twice, above the rows that are written by then.
#[test]
fn moves_go_behind_subscripts_that_are_no_sums() {
    let scop = "  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++) t[i][j] = in[i][j];
  for (int i = 0; i < 2 * h; i++)
    for (int j = 0; j < w; j++) out[i][j] = t[i / 2][j] + in[i / 2][j];";
    let parameters = "int h, int w, const double in[h][w], double out[2 * h][w]";
    let result = reused("stretched", &function(parameters, "double t[h][w];", scop));
    assert!(has(&result, "out[i][j] = out[i / 2 + h][j] + in[i / 2][j];"), "{result}");
    let scop = "  for (unsigned j = 0; j < m; j++) {
    low[j] = in[j];
    high[j] = 2 * in[j];
  }
  for (unsigned j = 0; j < 2 * m; j++) out[j] = j < m ? low[j] : high[j - m];";
    let source = function("unsigned m, const double in[m], double out[2 * m]", "double low[m], high[m];", scop);
    let result = reused("unsigned", &source);
    assert!(has(&result, "out[j + m] = 2 * in[j];"), "{result}");
}

#[test]
fn copies_back_go() {
    let scop = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      t[i][j] = out[i][j] * 2.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i][j] = t[i][j];";
    let result = reused("back", &function("int n, double out[n][n]", "double t[n][n];", scop));
    let is_whole = has(&result, "for (_; _; _) for (_; _; _) out[i][j] = out[i][j] * 2.0;");
    assert!(is_whole && count(&result, "for (_; _; _) _;") == 2, "{result}");
}

#[test]
fn two_arrays_take_turns_in_one_output() {
    let scop = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) rows[i][j] = in[i][j] + in[i][m - 1 - j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) sharp[i][j] = rows[i][j] * 3.0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) out[i][j] = sharp[i][j] + sharp[i][j] / 2;";
    let source =
        function("int n, int m, const double in[n][m], double out[n][m]", "double rows[n][m], sharp[n][m];", scop);
    let places = |arrays: &[Value]| ["rows", "sharp"].map(|name| place(arrays, name).map(str::to_string));
    let here = Some("out[i][j]".to_string());
    assert_eq!(places(&reported("turns", &source).1), [here.clone(), here.clone()]);
    let alive = source.replace("sharp[i][j] / 2", "rows[n - 1 - i][j]");
    assert_eq!(places(&reported("both", &alive).1), [None, here]);
}

/// What was proved before the bound on work is not lost.
#[test]
fn work_past_the_bound_leaves_the_guests_before() {
    let scop = "  for (int i = 0; i < n; i++) {
    a[i] = in[i];
    b[i] = in[n - 1 - i];
    c[i] = in[i];
    d[i] = in[n - 1 - i];
  }
  for (int i = 0; i < n; i++) out[i] = a[i] + 1;
  for (int i = 0; i < n; i++) out[i + n] = b[i] + 1;
  for (int i = 0; i < n; i++) out[i + 2 * n] = c[i] + 1;
  for (int i = 0; i < n; i++) out[i + 3 * n] = d[i] + 1;";
    let source = function("int n, const double in[n], double out[4 * n]", "double a[n], b[n], c[n], d[n];", scop);
    let guests = |bound: &str| {
        let (_, arrays) = with_arrays("bounded", &source, &["--reuse-outputs", "--max-ops", bound]);
        ["a", "b", "c", "d"].into_iter().filter(|name| place(&arrays, name).is_some()).count()
    };
    assert_eq!(guests("2000000000"), 4);
    let some = ["400000", "600000", "800000", "1000000", "1400000", "2000000"].map(guests);
    assert!(some.iter().any(|guests| (1..4).contains(guests)), "{some:?}");
}

#[test]
fn macros_are_rewritten() {
    let scop = "  for (int i = 0; i < n; i++) T(i) = in[i];
  for (int i = 0; i < n; i++) O(i) = SQUARE(T(i));";
    let source = function(VECTORS, "double t[n];", scop);
    let source = format!("#define T(i) t[i]\n#define O(i) out[i]\n#define SQUARE(x) (x * x)\n{source}");
    let result = reused("expanded", &source);
    assert!(has(&result, "out[i] = in[i];") && has(&result, "O(i) = out[i] * out[i];"), "{result}");
}

/// Whatever outlives the scop is an output: parameters by pointer, globals, local arrays that are used behind it.
#[test]
#[ignore = "long, in ./check-more"]
fn every_kind_of_output_takes_in_arrays() {
    let scop = format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];");
    let source = function("int n, const double *in, double *restrict out", "double t[n];", &scop);
    lives_in("pointer", &source, "out[i]");
    let scop = scop.replace('n', "50").replace("i50", "in");
    let source = function("const double in[50]", "double t[50];", &scop);
    lives_in("global", &format!("static double out[50];\n{source}"), "out[i]");
    let used = source.replace("#pragma endscop\n", "#pragma endscop\n  return out[7];\n").replace("void f", "double f");
    lives_in("local", &used.replace("double t", "double out[50], t"), "out[i]");
    lives_in("static", &used.replace("double t", "static double out[50]; double t"), "out[i]");
}

/// Sizes for which there is no room in the output run the program as it was.
#[test]
fn what_holds_for_some_sizes_is_guarded() {
    let scop = "  for (int i = 0; i < n; i++) t[i] = in[i];
  for (int i = 0; i < m; i++) out[i] = i < n ? t[i] : 1.0;";
    let body = function("int n, int m, const double in[n], double out[m]", "double t[n];", scop);
    let main = "int main(void) {
  const double in[9] = {3, 1, 4, 1, 5, 9, 2, 6, 5};
  for (int n = 1; n < 9; n++)
    for (int m = 1; m < 9; m++) {
      double out[9] = {0};
      f(n, m, in, out);
      for (int i = 0; i < 9; i++) printf(\"%g \", out[i]);
    }
  return 0;
}
";
    let source = format!("#include <stdio.h>\n{body}{main}");
    assert_eq!(place(&with_arrays("sizes_of_guests", &source, &["--reuse-outputs"]).1, "t"), None);
    let result = optimized("sizes_of_guests", &source, &["--reuse-outputs", "--assume", "n <= m"]);
    let two = "if (m >= n) { for (_; _; _) out[i] = in[i]; _; } else { double t[n]; _; _; }";
    assert!(has(&result, two), "{result}");
    agree("sizes_of_guests");
}

#[test]
fn outputs_that_are_needed_keep_their_memory() {
    let cases = [
        (
            "read_later",
            "",
            "  for (int i = 0; i < n; i++) out[i] = out[n - 1 - i] + t[i];",
            ["out[n - 1 - i] + ", "in[n - 1 - i] + "],
        ),
        ("written_early", "", "  for (int i = 0; i < n; i++) out[i] = t[n - 1 - i] + t[i];", ["t[n - 1 - i] + ", ""]),
        (
            "added_up",
            "",
            "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++) out[i] += t[j];",
            ["j = 0; j < n; j++) out[i] +=", "j = i; j < i + 1; j++) out[i] ="],
        ),
        ("in_part", "", "  for (int i = 0; i < n - 1; i++) out[i] = t[i] + t[n - 1];", ["i < n - 1", "i < n"]),
        (
            "perhaps",
            "",
            "  for (int i = 0; i < n; i++)\n    if (in[i] > 3.0) out[i] = t[i];",
            ["if (in[i] > 3.0)", "if (n > i)"],
        ),
        (
            "before",
            "  for (int i = 0; i < n; i++) out[i] = 1.0;\n",
            "  for (int i = 0; i < n; i++) out[0] += t[i];",
            ["out[0] +=", "out[i] ="],
        ),
        ("anywhere", "", "  for (int i = 0; i < n; i++) out[(int)in[i]] = t[i];", ["(int)in[i]", "i"]),
    ];
    for (name, before, after, change) in cases {
        untouched_unless(name, &function(VECTORS, "double t[n];", &format!("{before}{FILL}{after}")), change);
    }
}

/// What is written before is the output's for good.
#[test]
fn finished_outputs_keep_their_values() {
    let scop =
        format!("  for (int i = 0; i < n; i++) out[i] = in[i];\n{FILL}  for (int i = 0; i < n; i++) last[i] = t[i];");
    let source = function(&format!("{VECTORS}, double last[n]"), "double t[n];", &scop);
    lives_in("finished", &source, "last[i]");
    untouched("mirrored", &source.replace("last[i] = t[i]", "last[i] = t[n - 1 - i] + t[i]"));
}

#[test]
fn outputs_without_room_take_in_nothing() {
    let use_all = "  for (int i = 0; i < n; i++) out[i] = t[i] + t[i + 1];";
    let fill = FILL.replace("i < n", "i < n + 1");
    let longer =
        function("int n, const double in[n + 1], double out[n + 1]", "double t[n + 1];", &format!("{fill}{use_all}"));
    let all = ["i < n; i++) out[i] = t[i] + t[i + 1]", "i < n + 1; i++) out[i] = t[i]"];
    untouched("longer", &longer.replace("out[n + 1]", "out[n]"));
    // The declaration has room for it, but what the scop does not write is not known to be replaced.
    untouched_unless("larger", &longer, all);
}

/// `out[u - 2]` would wrap around where u has no sign.
#[test]
fn cells_in_front_of_an_output_are_no_room() {
    let scop = "  for (unsigned u = 0; u < 50; u++) t[u] = in[u];
  for (int i = 0; i < 50; i++) out[i - 2] = 2 * t[i];";
    let body = function("const double *in, double *out", "double t[50];", scop);
    let main = "int main(void) {
  double in[52], out[52];
  for (int i = 0; i < 52; i++) in[i] = i, out[i] = 0;
  f(in, out + 2);
  for (int i = 0; i < 50; i++) printf(\"%g \", out[i]);
  return 0;
}
";
    let source = format!("#include <stdio.h>\n{body}{main}");
    untouched_unless("in_front", &source, ["out[i - 2]", "out[i]"]);
    let fewer = source.replace("u < 50", "u < 48").replace("t[i]", "t[i < 48 ? i : 47]");
    lives_in("behind_the_front", &fewer, "out[i]");
    ["in_front", "in_front_twin", "behind_the_front"].iter().for_each(|name| agree(name));
}

/// The proof takes an output's cells for what its subscripts say.
#[test]
#[ignore = "long, in ./check-more"]
fn outputs_with_subscripts_that_may_wrap_take_in_nothing() {
    let scop = "  for (unsigned u = 0; u < 4; u++) t[u] = 2 * in[u];
  for (unsigned u = 0; u < 4; u++) out[(u - 1) % 4] = t[u];";
    let body = function("const double in[4], double out[4]", "double t[4];", scop);
    let main = "int main(void) {
  const double in[4] = {3, 1, 4, 1};
  double out[4];
  f(in, out);
  for (int i = 0; i < 4; i++) printf(\"%g \", out[i]);
  return 0;
}
";
    untouched_unless("wrapping", &format!("#include <stdio.h>\n{body}{main}"), ["(u - 1) % 4", "u % 4"]);
    agree("wrapping");
    agree("wrapping_twin");
    let rows = function(
        "unsigned n, unsigned m, const double in[n], double out[n][m - n]",
        "double t[n][m - n];",
        "  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m - n; j++) t[i][j] = in[i] + j;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < m - n; j++) out[i][j] = 2 * t[i][j];",
    );
    untouched_unless("wrapping_rows", &rows, ["m - n", "m"]);
}

#[test]
fn outputs_of_other_kinds_take_in_nothing() {
    let scop = format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];");
    let with = |parameters: &str, declarations: &str| function(parameters, declarations, &scop);
    let typed = |kind: &str| VECTORS.replace("double out", &format!("{kind} out"));
    untouched_unless("float", &with(&typed("float"), "double t[n];"), ["float", "double"]);
    untouched_unless("volatile", &with(&typed("volatile double"), "double t[n];"), ["volatile ", ""]);
    untouched_unless("aligned", &with(VECTORS, "_Alignas(64) double t[n];"), ["_Alignas(64) ", ""]);
    let fixed = "void f(const double in[9], double out[9]) {
  static double t[9];
#pragma scop
  for (int i = 0; i < 9; i++) t[i] = in[i] * 2.0;
  for (int i = 0; i < 9; i++) out[i] = t[i] * t[i];
#pragma endscop
}
";
    lives_in("static_guest", fixed, "out[i]");
    let weak = fixed.replace("static ", "").replace(", double out[9]", "");
    let weak = format!("double out[9] __attribute__((weak));\n{weak}");
    untouched_unless("attribute", &weak, [" __attribute__((weak))", ""]);
    let hidden = with(&typed("elem"), "typedef float elem;\n  elem t[n];");
    untouched("hidden_type", &format!("typedef double elem;\n{hidden}"));
    let same = with(&typed("elem"), "elem t[n];");
    lives_in("same_type", &format!("typedef double elem;\n{same}"), "out[i]");
    let used = same.replace("elem t", "const elem one = 1;\n  (void)one;\n  elem t");
    lives_in("used_type", &format!("typedef double elem;\n{used}"), "out[i]");
}

/// Numbers in the memory of pointers: the words in front of the names are the same.
#[test]
fn outputs_of_pointers_take_in_nothing() {
    let scop = "  for (int i = 0; i < n; i++) t[i] = 2 * in[i];
  for (int i = 0; i < n; i++) out[i] = pool + t[i] / 2 % n;";
    let source = function("int n, const long in[n], long *out[n], long pool[n]", "long t[n];", scop);
    untouched("pointers", &source);
    let numbers = source.replace("long *out", "long out").replace("pool + t", "pool[0] + t");
    lives_in("numbers", &numbers, "out[i]");
}

#[test]
#[ignore = "long, in ./check-more"]
fn outputs_addressed_otherwise_take_in_nothing() {
    let flat = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) t[i][j] = in[i] + in[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i * n + j] = t[i][j];";
    untouched("flat", &function("int n, const double in[n], double *out", "double t[n][n];", flat));
    let rows = flat.replace("i * n + j", "i][j");
    let rows = function("int n, const double in[n], double **out", "double t[n][n];", &rows);
    untouched_unless("rows", &rows, ["double **out", "double out[n][n]"]);
    let beyond = "  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) t[i][j] = in[i] + in[j];
  for (int i = 0; i < 16; i++) out[0][i] = t[i / 4][i % 4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) out[i][j] = in[i];";
    let beyond = function("const double in[4], double out[4][4]", "double t[4][4];", beyond);
    untouched_unless("beyond_rows", &beyond, ["out[0][i]", "out[i / 4][i % 4]"]);
}

/// A local pointer may lead to an output that the function mentions in front of the scop.
#[test]
fn outputs_that_a_pointer_may_lead_to_take_in_nothing() {
    let scop = format!(
        "{FILL}  for (int i = 0; i < n; i++) seen[i] = *p;\n  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];"
    );
    let source = |pointer: &str| {
        let parameters = "int n, const double in[n], double seen[n], double out[n]";
        function(parameters, &format!("double t[n];\n  const double *p = {pointer};"), &scop)
    };
    untouched("pointer_to_output", &source("out"));
    untouched("pointer_to_cell", &source("n > 3 ? &out[1] : in").replace("*p;", "p[0];"));
    lives_in("pointer_to_input", &source("in"), "out[i]");
}

/// So may a parameter that the function sets, a pointer that keeps its value from call to call, and one that is set behind the scop for its next run.
#[test]
fn outputs_that_a_pointer_may_be_set_to_take_in_nothing() {
    let scop = format!(
        "{FILL}  for (int i = 0; i < n; i++) seen[i] = p[0];\n  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];"
    );
    let parameters = "int n, const double in[n], double seen[n], double out[n]";
    let with = |more: &str, declarations: &str| {
        function(&format!("{parameters}{more}"), &format!("double t[n];\n  {declarations}"), &scop)
    };
    let set = with(", const double *p", "p = out;");
    untouched_unless("parameter_set_to_output", &set, ["p = out;", "p = in;"]);
    let kept = with("", "static const double *p;\n  if (!p) p = out;");
    untouched_unless("static_set_to_output", &kept, ["p = out;", "p = in;"]);
    let repeated = with("", "const double *p = in;\n  for (int turn = 0; turn < 2; turn++) {");
    let repeated = repeated.replace("#pragma endscop\n", "#pragma endscop\n  p = out;\n  }\n");
    untouched_unless("set_for_the_next_run", &repeated, ["p = out;", "p = in;"]);
}

/// What a local pointer points at may have another name.
#[test]
fn local_pointers_are_no_outputs() {
    let scop = format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];");
    let source = function("int n, const double in[n], double all[n]", "double *out = all, t[n];", &scop);
    untouched("local_pointer", &source);
    let array = source.replace("void f", "double f").replace("*out = all", "out[n]");
    let array = array.replace("#pragma endscop\n", "#pragma endscop\n  return out[0] + all[0];\n");
    lives_in("local_array", &array, "out[i]");
}

#[test]
fn what_others_may_see_keeps_its_values() {
    let scop = format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] * t[i];");
    let source = function(VECTORS, "double t[n];", &scop);
    let called = source.replace("in[i] * 2.0", "fmax(in[i], 1.0)");
    let called = format!("#include <math.h>\ndouble next(double, double);\n{called}");
    untouched_unless("called", &called.replace("fmax", "next"), ["next(in", "fmax(in"]);
    let parallel = "#pragma scop\n#pragma omp parallel for";
    untouched_unless("parallel", &source.replace("#pragma scop", parallel), ["#pragma omp parallel for\n", ""]);
    let named = source.replace("t[i] = in[i] * 2.0;", "{ double out = in[i]; t[i] = out; }");
    untouched_unless("named", &named, ["{ double out = in[i]; t[i] = out; }", "{ double own = in[i]; t[i] = own; }"]);
    let counted =
        source.replace("(int i = 0; i < n; i++) t[i] = in[i]", "(int out = 0; out < n; out++) t[out] = in[out]");
    untouched("counted", &counted);
}

/// Two arrays that share one buffer need no fewer cells if one of them moves out.
#[test]
fn what_saves_nothing_is_not_done() {
    let scop = "  for (int i = 0; i < n; i++) t[i] = in[i];
  for (int i = 0; i < n; i++) u[i] = t[i] * 3;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) out[i] = u[j] + u[i];";
    let source = function(VECTORS, "double t[n], u[n];", scop);
    let shared = optimized("nothing_saved", &source, &[]);
    assert!(declares(&shared, "t_shared", &["n"]), "{shared}");
    assert_eq!(optimized("nothing_saved", &source, &["--reuse-outputs"]), shared);
}

#[test]
fn the_report_says_where_arrays_live() {
    let source =
        function(VECTORS, "double t[n];", &format!("{FILL}  for (int i = 0; i < n; i++) out[i] = t[i] + 1.0;"));
    file("hosted.c", &source);
    let json = path("hosted.json");
    let run = run("optimize", &["hosted.c"], &["--reuse-outputs", "-o", "/dev/null", "--json", json.to_str().unwrap()]);
    assert!(run.stdout.contains("in out[i]") && run.stdout.contains("100 cells -> 0"), "{}", run.stdout);
    assert!(run.stdout.contains("must overlap no other array"), "{}", run.stdout);
    let report: Value = serde_json::from_str(&text("hosted.json")).unwrap();
    let scop = &report["scops"][0];
    let arrays = scop["arrays"].as_array().unwrap();
    let [t, out] = ["t", "out"].map(|name| arrays.iter().find(|a| a["name"] == name).unwrap());
    assert_eq!((&t["decision"], &t["place"], &t["cells_after"]), (&"hosted".into(), &"out[i]".into(), &0.into()));
    assert_eq!((&out["decision"], out.get("place")), (&"kept".into(), None));
    assert_eq!((&scop["proof"]["status"], &scop["totals"]["cells_after"]), (&"proved".into(), &0.into()));
}

#[test]
fn the_option_needs_sharing_and_a_program() {
    file("alone.c", function(VECTORS, "double t[n];", FILL));
    for more in [["--scope", "intra"], ["--method", "lattice"]] {
        let run = run("optimize", &["alone.c"], &[&["--reuse-outputs"], &more[..]].concat());
        assert_eq!(run.status, 2, "{}", run.stderr);
        assert!(run.stderr.contains("--reuse-outputs shares storage between arrays"), "{}", run.stderr);
    }
    file("alone.isl", "{ S[i] -> S[j] : 0 <= i < j < 4 }");
    let run = run("optimize", &["alone.isl"], &["--reuse-outputs"]);
    assert_eq!(run.status, 2, "{}", run.stderr);
}

/// An array that is gone, and whose values have others, is declared once for the program as it was.
#[test]
fn what_goes_twice_is_kept_once() {
    let source = "void f(long n, unsigned m, const unsigned char *in, unsigned char *out) {
  unsigned char t[2 + n][3 + m];
#pragma scop
  for (unsigned i = 0; i < m; i++)
    t[0][i] = in[i];
  for (int s = 1; s <= n; s++)
    for (unsigned i = 0; i < m; i++)
      t[s][i] = (t[s - 1][i] + 3 * (i > 0 ? t[s - 1][i - 1] : in[i])) & 127;
  for (unsigned i = 0; i < m; i++)
    out[i] = t[n][i];
#pragma endscop
}
";
    let result = optimized("gone_twice", source, &["--reuse-outputs", "--reallocate"]);
    assert!(mentions(&result, "else"), "{result}");
    compiler::optimizer_warnings(&path("gone_twice.out.c")).unwrap();
}
