//! `--emit fast`: choices without branches, and those that keep theirs.

use crate::files::{agree, optimized, path};
use crate::forms::{Function, all_agree};
use crate::support::compiler;

const SIZES: &str = "0, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33";
const ARRAYS: &str = "double a[n + 1][n + 2], b[n + 1][n + 2];\n  const double limit = 3.5;\n  (void)limit;";

/// A loop over rows, each of which is filled first.
const ROW: &str =
    "  for (int i = 0; i < n; i++) {\n    for (int j = 0; j <= n; j++)\n      a[i][j] = in[i] - 2 * in[j];\n";
const LAST: &str = "    for (int j = 0; j < n; j++)\n      out[j] = out[j] * 0.5 + b[i][j];\n  }";

/// A name, lines in the loop over rows, and what the result says.
type Case<'a> = (&'static str, &'a str, &'static [&'static str]);

/// Functions whose rows are chosen by these lines.
fn of_rows(name: &str, cases: &[Case]) {
    let bodies: Vec<String> = cases.iter().map(|(_, lines, _)| format!("{ROW}{lines}{LAST}")).collect();
    let mut functions = Vec::new();
    for ((name, _, says), body) in cases.iter().zip(&bodies) {
        functions.push(Function { name, locals: ARRAYS, body, n: SIZES, t: "0, 1, -7", says });
    }
    all_agree(name, &functions, &[]);
}

#[test]
fn both_values_are_computed() {
    of_rows(
        "if-both",
        &[
            (
                "condition_of_two",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] < 1 && a[i][j] * 2 > -9 ? a[i][j] : a[i][j] * limit;\n",
                &[
                    "a_shared[j] = polyfold_select((a_shared[j] < 1) & (a_shared[j] * 2 > -9), a_shared[j], a_shared[j] * limit);",
                ],
            ),
            (
                "chain",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > limit ? a[i][j] - limit : (a[i][j] < -limit ? a[i][j] + limit : 0);\n",
                &["a_shared[j] = polyfold_select(
          a_shared[j] > limit,
          a_shared[j] - limit,
          polyfold_select(a_shared[j] < -limit, a_shared[j] + limit, 0));
"],
            ),
            (
                "variable",
                "    for (int j = 0; j < n; j++) {\n      const double v = a[i][j] < 1 ? a[i][j] * 2 : a[i][j] * 3;\n      b[i][j] = v * v;\n    }\n",
                &["      const double v = polyfold_select(a_shared[j] < 1, a_shared[j] * 2, a_shared[j] * 3);\n"],
            ),
            (
                "inside_a_sum",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = in[j] / (a[i][j] < 1 ? a[i][j] * 2 : 1) + (a[i][j] > 2 ? -a[i][j] : in[j]);\n",
                &[
                    "a_shared[j] = in[j] / polyfold_select(a_shared[j] < 1, a_shared[j] * 2, 1) + polyfold_select(a_shared[j] > 2, -a_shared[j], in[j]);",
                ],
            ),
            (
                "quotient",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? 1 / a[i][j] : a[i][j] / 3;\n",
                &["          1 / polyfold_select(a_shared[j] > 1, a_shared[j], 1),\n          a_shared[j] / 3);"],
            ),
            (
                "quotient_otherwise",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? 0 : a[i][j] > -1 ? 2 : 1 / (2 - a[i][j]);\n",
                &["2, 1 / polyfold_select((!(a_shared[j] > 1)) & (!(a_shared[j] > -1)), 2 - a_shared[j], 1)"],
            ),
            (
                "quotient_behind_two_conditions",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 && in[j] > 1 ? 0 : a[i][j] > -1 && in[j] < 2 ? 1 / (2 - a[i][j]) : 3;\n",
                &[
                    "polyfold_select((!((a_shared[j] > 1) & (in[j] > 1))) & ((a_shared[j] > -1) & (in[j] < 2)), 2 - a_shared[j], 1)",
                ],
            ),
            (
                "quotient_of_a_sign_and_a_cast",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? 1 / -a[i][j] * 3 / (double)a[i][j] : 2;\n",
                &[
                    "1 / polyfold_select(a_shared[j] > 1, -a_shared[j], 1) * 3 / polyfold_select(a_shared[j] > 1, (double)a_shared[j], 1)",
                ],
            ),
            (
                "next_pixel",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? in[j + 1] * 2 : a[i][j];\n",
                &["polyfold_select(a_shared[j] > 1, in[j + 1] * 2, a_shared[j]);"],
            ),
        ],
    );
}

#[test]
#[ignore = "long, in ./check-more"]
fn branches_that_assign_alike_are_choices() {
    of_rows(
        "if-branches",
        &[
            (
                "three",
                "    for (int j = 0; j < n; j++) {\n      if (a[i][j] > limit)\n        b[i][j] = a[i][j] - limit;\n      else if (a[i][j] * 2 < -limit) {\n        b[i][j] = a[i][j] + limit;\n      } else\n        b[i][j] = 0;\n    }\n",
                &[
                    "polyfold_select(\n",
                    "polyfold_select(a_shared[j + 8] * 2 < -limit, a_shared[j + 8] + limit, 0));\n",
                ],
            ),
            (
                "of_a_variable",
                "    for (int j = 0; j < n; j++) {\n      double v;\n      if (a[i][j] > limit && a[i][j] < 9)\n        v = a[i][j] - limit;\n      else\n        v = a[i][j];\n      b[i][j] = v * v;\n    }\n",
                &["v = polyfold_select((a_shared[j] > limit) & (a_shared[j] < 9), a_shared[j] - limit, a_shared[j]);"],
            ),
            (
                "one_alone",
                "    for (int j = 0; j < n; j++) {\n      b[i][j] = 0;\n      if (a[i][j] > limit)\n        b[i][j] = a[i][j] - limit;\n    }\n",
                &["!_select(", "if ("],
            ),
            (
                "of_two_cells",
                "    for (int j = 0; j < n; j++) {\n      b[i][j] = 0;\n      if (a[i][j] > limit)\n        b[i][j] = a[i][j] - limit;\n      else\n        b[i][j + 1] = 2;\n    }\n",
                &["!_select(", "if ("],
            ),
        ],
    );
}

#[test]
fn conditions_are_numbers() {
    of_rows(
        "if-conditions",
        &[
            (
                "or_and_not",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = !(a[i][j] < 1) || (a[i][j] > -9 && a[i][j] * 2 != 4) ? a[i][j] * 3 : 7;\n",
                &["((!(a_shared[j] < 1)) != 0) | ((a_shared[j] > -9) & (a_shared[j] * 2 != 4)),"],
            ),
            (
                "a_number",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] + 0.5 ? a[i][j] * 3 : 7;\n",
                &["polyfold_select((a_shared[j] + 0.5) != 0, a_shared[j] * 3, 7);"],
            ),
            (
                "no_numbers",
                "    for (int j = 0; j < n; j++)\n      a[i][j] = a[i][j] * 1e308 * 10 - 1e308;\n    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] - a[i][j] < 1 || 0 * a[i][j] < 2 ? a[i][j] * 3 : 7;\n",
                &["polyfold_select((a_shared[j] - a_shared[j] < 1) | (0 * a_shared[j] < 2), a_shared[j] * 3, 7);"],
            ),
        ],
    );
}

#[test]
#[ignore = "long, in ./check-more"]
fn what_has_to_wait_keeps_its_branches() {
    let says: &[&str] = &["!_select", " ? "];
    of_rows(
        "if-kept",
        &[
            (
                "division_in_a_condition",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 && 9 / a[i][j] < 2 ? 1 : a[i][j] * 2;\n",
                says,
            ),
            (
                "another_cell_of_a_pointer",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1000 ? in[j + 2] * 2 : a[i][j];\n",
                says,
            ),
            (
                "beyond_the_array",
                "    for (int j = 0; j <= n; j++)\n      b[i][j] = a[i][j] > 1000 ? a[i][j + 2] * 2 : a[i][j];\n",
                says,
            ),
            (
                "only_where_the_counter_says_so",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 && i > 0 ? a[i][j] * 2 + t : 3;\n",
                &["!_select"],
            ),
            (
                "handed_on",
                "    b[i][0] = 1;\n    for (int j = 1; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? b[i][j - 1] * 2 : a[i][j] * 3;\n",
                says,
            ),
            (
                "whole_numbers",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? (double)(j * t) : a[i][j] * 3;\n",
                says,
            ),
            (
                "beside_one_that_has_to_wait",
                "    for (int j = 0; j < n; j++) {\n      b[i][j] = a[i][j] > 1 ? a[i][j] * 2 : 1;\n      if (a[i][j] > 2)\n        out[j] = 1;\n    }\n",
                says,
            ),
            (
                "quotient_in_a_condition_of_a_value",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? (a[i][j] > 2 ? 1 / a[i][j] : 0) < 1 ? a[i][j] * 2 : 1 : 3;\n",
                says,
            ),
            (
                "of_two_precisions",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? (float)a[i][j] * 2 : 1;\n",
                says,
            ),
            (
                "more_than_24_operations",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? 1 / a[i][j] + 2 / a[i][j] + 3 / a[i][j] + 4 / a[i][j] + 5 / a[i][j] : a[i][j] * 2 * 2 * 2 * 2 * 2;\n",
                says,
            ),
            (
                "with_a_comment",
                "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? a[i][j] * 2 /* twice */ : 1;\n",
                says,
            ),
            ("read_anyway", "    for (int j = 0; j < n; j++)\n      b[i][j] = a[i][j] > 1 ? a[i][j] : 0;\n", says),
        ],
    );
}

const FLAGS: &str = "#include <stdio.h>
FIRST
static void f(int n, const double *in, double *out) {
  double a[n][n];
#pragma scop
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[i] * in[j];
    for (int j = 0; j < n; j++)
      out[j] = a[i][j] > 1 ? a[i][j] * 2 : a[i][j];
  }
#pragma endscop
}
int main(void) {
  double in[8] = {0.5, 1, 2, 3}, out[8];
  f(8, in, out);
  for (int i = 0; i < 8; i++)
    printf(\"%g\\n\", out[i]);
  return 0;
}
";

/// A file that asks for flags, or says what happens when they are raised, keeps its branches.
#[test]
fn files_that_look_at_flags_keep_their_branches() {
    for (name, first, is_kept) in [
        ("if-no-flags", "", false),
        ("if-fenv", "#include <fenv.h>", true),
        ("if-csr", "#include <xmmintrin.h>\nvoid g(void) { _mm_setcsr(_mm_getcsr()); }", true),
        ("if-sparse", "struct csr { int exception; };", false),
        ("if-masks", "#define QUIET _MM_SET_EXCEPTION_MASK(0)", true),
        ("if-traps", "extern int feenableexcept(int);", true),
        ("if-access", "#pragma STDC FENV_ACCESS ON", true),
    ] {
        let result = optimized(name, &FLAGS.replace("FIRST", first), &["--emit", "fast"]);
        assert_eq!(result.contains("out[j] = polyfold_select(a[j] > 1, a[j] * 2, a[j]);"), !is_kept, "{result}");
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    }
}

/// Loops as they are written have choices as they are written.
#[test]
fn other_forms_keep_their_branches() {
    for form in ["plain", "hls"] {
        let result = optimized(
            &format!("if-{form}"),
            &FLAGS.replace("FIRST", "#define n 8").replace("int n, ", "").replace("f(8, ", "f("),
            &["--emit", form],
        );
        assert!(result.contains(" > 1 ? "), "{result}");
    }
}

/// The function that chooses stands where no directive, attribute or macro of the file gets at it.
#[test]
#[ignore = "long, in ./check-more"]
fn the_function_that_chooses_stands_in_front_of_the_file() {
    let body = FLAGS.split_once("FIRST\n").expect("it is there").1;
    for (name, before, after) in [
        ("if-mark", "\u{feff}", ""),
        ("if-in-c", "#ifdef __cplusplus\nextern \"C\" {\n#endif\n", "#ifdef __cplusplus\n}\n#endif\n"),
        ("if-attribute", "#if defined __GNUC__\n__attribute__((noinline))\n#endif\n", ""),
        ("if-static", "#if 1\nextern int unused;\n#else\nextern\n#endif\n", ""),
        ("if-macros", "#define condition 1\n#define mask 2\n#define bits 3\n#define one 4\n#define value 5\n", ""),
        ("if-paragraphs", "/* Some licence.\n\n   Its end. */\n", ""),
        ("if-licence", "/* Some licence. */\n\n/* A pipeline. */\n", ""),
    ] {
        let first = before.strip_prefix('\u{feff}').unwrap_or(before);
        let mark = &before[..before.len() - first.len()];
        let body = body.replacen("#include <stdio.h>\n", "", 1);
        let include = "#include <stdio.h>\n";
        let lines = if first.starts_with("/*") { [first, include] } else { [include, first] }.concat();
        let source = format!("{mark}{lines}{body}{after}");
        let result = optimized(name, &source, &["--emit", "fast"]);
        let own = if name == "if-licence" { "/* Some licence. */\n\n" } else { "" };
        let begins = result.starts_with(&format!("{mark}{own}#ifndef POLYFOLD_SELECT\n"));
        assert!(begins, "{result}");
        agree(name);
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    }
}

#[test]
fn floats_have_a_function_of_their_own() {
    let of = |value: &str| {
        let source = FLAGS.replace("FIRST\n", "").replace("double", "float").replace("a[i][j] * 2", value);
        optimized("if-float", &source, &["--emit", "fast"])
    };
    let result = of("a[i][j] * 2");
    assert!(result.contains("out[j] = polyfold_selectf(a[j] > 1, a[j] * 2, a[j]);"), "{result}");
    assert!(!result.contains("POLYFOLD_SELECT\n"), "{result}");
    agree("if-float");
    compiler::all_warnings(&path("if-float.out.c")).unwrap();
    for kept in ["a[i][j] * 2.0", "a[i][j] > 2 ? a[i][j] * 3 : 16777217"] {
        assert!(!of(kept).contains("polyfold_select"), "{kept}");
        agree("if-float");
    }
}

/// Macros with parameters that are formulas of one precision are known names.
#[test]
fn macros_of_floats_keep_no_branches() {
    let is_kept = |body: &str| {
        let first = format!("#define CLAMP(v) {body}");
        let source = FLAGS.replace("double", "float").replace("FIRST", &first);
        let source = source.replace("j < n; j++)\n      out[j] = ", "j < n; j++) {\n      a[i][j] = ");
        let source = source.replace(": a[i][j];\n  }", ": a[i][j];\n      out[j] = CLAMP(a[i][j]);\n    }\n  }");
        let result = optimized("if-macro", &source, &["--emit", "fast"]);
        agree("if-macro");
        assert!(result.contains("a[j] > 1"), "{result}");
        !result.contains("polyfold_selectf(a[j] > 1")
    };
    assert!(!is_kept("((v) < 0.0f ? 0.0f : (v) > 9 ? (float)9 : (v))"));
    for other in ["((v) < 0.0 ? 0 : (v))", "((v) < 0 ? 0 : (float)(double)(v))", "((v) < 0 ? 0 : (v) + n)"] {
        assert!(is_kept(other), "{other}");
    }
}

/// What is declared or called in front of the loops, and what stands in the loop behind the choice; whether that keeps its branches.
fn is_kept(name: &str, (before, local, behind): (&str, &str, &str), value: &str) -> bool {
    let source = FLAGS.replace("FIRST", before).replace("  double a[n][n];", &format!("  double a[n][n];\n  {local}"));
    let source = source.replace("a[i][j] * 2", value).replace("a[i][j];\n  }", &format!("a[i][j];\n{behind}  }}"));
    let result = optimized(name, &source, &["--emit", "fast"]);
    assert!(result.contains("double a[n]"), "{result}");
    agree(name);
    !result.contains("polyfold_select")
}

#[test]
fn what_may_not_return_and_atomic_variables_keep_branches() {
    let none = ("", "", "");
    assert!(!is_kept("if-plain", none, "a[i][j] * 2"));
    let call = "#include <stdlib.h>\nstatic void check(double x) { if (x > 1e9) exit(1); }";
    assert!(is_kept("if-call", (call, "", "    check(in[i]);\n"), "a[i][j] * 2"));
    assert!(is_kept("if-atomic", ("", "_Atomic double v = 3;", ""), "a[i][j] * v"));
}

#[test]
fn macros_are_numbers_if_their_one_definition_says_so() {
    let of = |name, macros: &str| is_kept(name, (macros, "", ""), "a[i][j] * TWO");
    assert!(!of("if-macro", "#define TWO 2.0"));
    assert!(of("if-macro-twice", "#ifdef ONE\n#define TWO 1.0\n#else\n#define TWO 2.0\n#endif"));
    assert!(of("if-macro-sum", "#define TWO (1.0 + in[j])"));
}

/// Two functions have one function that chooses, and a result is optimized again.
#[test]
fn one_function_chooses_for_all() {
    let second = FLAGS.split_once("FIRST\n").and_then(|(_, rest)| rest.split_once("int main")).expect("it is there").0;
    let source = FLAGS
        .replace("FIRST", &second.replace("f(int n", "g(int n"))
        .replace("  f(8, in, out);", "  f(8, in, out);\n  g(4, in, out);");
    let result = optimized("if-two", &source, &["--emit", "fast"]);
    agree("if-two");
    assert_eq!(result.matches("static inline double polyfold_select(").count(), 1, "{result}");
    assert_eq!(result.matches("out[j] = polyfold_select(").count(), 2, "{result}");
    assert_eq!(optimized("if-again", &result, &["--emit", "fast"]), result);
}
