//! Programs in an order of execution that the user gives.

use super::files::{agree, file, optimized, path, run};
use crate::support::code::{count, function, has, mentions, within};
use crate::support::compiler;
use crate::support::declared::declares;

/// A function f of two sheets, and a `main` that calls it with many sizes.
pub(crate) fn program(declarations: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int m, const double in[n][m], double out[n][m]) {{
  {declarations}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static double in[144], out[144];
  for (int n = 1; n <= 12; n++) {{
    int m = 1 + n * 5 % 12;
    for (int i = 0; i < 144; i++)
      in[i] = i * 7 % 13, out[i] = 0;
    f(n, m, (double (*)[m])in, (double (*)[m])out);
    for (int i = 0; i < 144; i++)
      printf(\"%g \", out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// Three stages of rows, one after the other.
fn stages() -> String {
    program(
        "double a[n][m], b[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2.0 + i;
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = a[i][j] + a[i - 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = b[i][j] - b[i + 1][j];",
    )
}

#[test]
fn fused_stages_need_some_lines() {
    let schedule = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j]; S2[i, j] -> [i + 1, j] }";
    let result = optimized("fused", &stages(), &["--schedule", schedule]);
    assert!(declares(&result, "a", &["m + 1"]) && declares(&result, "b", &["m + 1"]), "{result}");
    assert_eq!(count(&result, "for (int j = 0; j < m; j++) _;"), 1, "{result}");
    agree("fused");
}

/// A comment belongs to the statement behind it, or in front of it in its line.
#[test]
fn comments_go_with_their_statements() {
    let body = "  /* twice */
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2.0; // the sheet
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) {
      /* with the row
         above */
      out[i][j] = a[i][j] + /* here */ a[i - 1][j];
    } /* done */";
    let text = program("double a[n][m];", body);
    let schedule = "{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1] }";
    let result = optimized("commented", &text, &["--schedule", schedule]);
    for comment in ["/* twice */", "// the sheet", "/* with the row\n", "above */", "/* here */"] {
        assert_eq!(result.matches(comment).count(), 1, "{comment}: {result}");
    }
    compiler::all_warnings(&path("commented.out.c")).unwrap();
    agree("commented");
}

/// In another iteration only the arguments of a macro change.
#[test]
fn macro_calls_stay_in_other_iterations() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2.0;
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[i][j] - a[i + 1][j] + MAX(in[i][j], MAX(in[i + 1][j], HALF(i) + 1));";
    let macros = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define HALF(k) (k / 2)\n";
    let text = format!("{macros}{}", program("double a[n][m];", body));
    let schedule = "{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i + 1, j, 1] }";
    let result = optimized("macro_calls", &text, &["--schedule", schedule]);
    assert!(has(&result, "MAX(in[i - 1][j], MAX(in[i][j], HALF(i - 1) + 1))"), "{result}");
    agree("macro_calls");
}

#[test]
fn stages_fused_along_columns_need_three_cells() {
    let schedule = "[n] -> { S0[i, j] -> [j, i]; S1[i, j] -> [j, i]; S2[i, j] -> [j, i + 1] }";
    let result = optimized("columns", &stages(), &["--schedule", schedule]);
    assert!(declares(&result, "a_shared", &["3"]), "{result}");
    agree("columns");
}

#[test]
fn skewed_loops_run_through_the_same_operations() {
    for (name, schedule) in [
        ("skewed", "{ S0[i, j] -> [i + 2*j, j]; S1[i, j] -> [i + 2*j, j]; S2[i, j] -> [i + 1 + 2*j, j] }"),
        ("reversed", "{ S0[i, j] -> [0, -i, j]; S1[i, j] -> [1, i, -j]; S2[i, j] -> [2, -i, -j] }"),
        ("strided", "{ S0[i, j] -> [3*i, j]; S1[i, j] -> [3*i, j]; S2[i, j] -> [3*i + 4, j] }"),
        ("tiled", "{ S0[i, j] -> [0, floor(i/4), floor(j/4), i, j]; S1[i, j] -> [1, i, j]; S2[i, j] -> [2, i, j] }"),
    ] {
        optimized(name, &stages(), &["--schedule", schedule]);
        agree(name);
    }
}

#[test]
fn a_schedule_may_stand_in_a_file() {
    let order = file("order.isl", "{ S0[i, j] -> [0, j, i]; S1[i, j] -> [1, j, i];\n  S2[i, j] -> [2, j, i] }\n");
    let result = optimized("by_file", &stages(), &["--schedule", &order.display().to_string()]);
    let columns = "for (int j = 0; j < m; j++) for (_; _; _) _;";
    assert_eq!(count(&result, columns), 3, "{result}");
    agree("by_file");
}

/// The schedule is refused with status 2 and all of what is said.
#[track_caller]
fn wrong(source: &str, schedule: &str, said: &[&str]) {
    file("wrong.c", source);
    let run = run("optimize", &["wrong.c"], &["--schedule", schedule]);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    said.iter().for_each(|said| assert!(run.stderr.contains(said), "no `{said}` in {}", run.stderr));
}

#[test]
fn two_operations_show_why_a_schedule_is_wrong() {
    let early = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i - 1, j]; S2[i, j] -> [i + 1, j] }";
    wrong(&stages(), early, &["S1[1, 0] reads what S0[1, 0] writes to `a`, and would run before it", "wrong.c:10:7"]);
    let body = "  for (int i = 0; i < n; i++) {\n    out[0][0] = in[i][0];\n    out[i][1] = out[0][0] * 2.0;\n  }";
    let backwards = "{ S0[i] -> [-i, 0]; S1[i] -> [-i, 1] }";
    wrong(&program("", body), backwards, &["use the same cell of `out`, and would change places at "]);
    let body = "  for (int i = 0; i < n; i++)\n    printf(\"%d \", i);\n  for (int i = 0; i < n; i++)\n    out[i][0] = in[i][0];";
    let mixed = "{ S0[i] -> [i]; S1[i] -> [i] }";
    wrong(&program("", body), mixed, &["may do more than can be seen, as a call does, and they would change places"]);
    let body = "  for (int i = 0; i < n; i++)\n    out[i][0] = in[i][0];";
    wrong(&program("", body), "{ S0[i] -> [0] }", &["S0[0] and S0[1] get the same date at n = 2"]);
}

#[test]
fn a_schedule_has_to_fit_the_program() {
    let others = "S1[i, j] -> [1, i, j]; S2[i, j] -> [2, i, j] }";
    for (first, said) in [
        ("S9[i] -> [i]; S0[i, j] -> [0, i, j]", "there is no statement `S9`; the scop has S0, S1, S2"),
        ("S0[i] -> [0, i, 0]", "S0 has 2 loops around it, and the schedule is for 1"),
        ("S0[i, j] -> [0, i, j] : i > 0", "S0[0, 0] has no date"),
        ("S0[i, j] -> [0, i, k] : j <= k <= j + 1", "operations of S0 have several dates"),
        ("S0[i, j] -> [0, i, j", "--schedule: "),
    ] {
        wrong(&stages(), &format!("{{ {first}; {others}"), &[said]);
    }
    wrong(&stages(), "{ S0[i, j] -> [i, j] }", &["has no date"]);
    file("two.c", stages().replace("#pragma endscop", "#pragma endscop\n#pragma scop\n  ;\n#pragma endscop"));
    let two = run("optimize", &["two.c"], &["--schedule", "{ }"]);
    assert!(two.status == 2 && two.stderr.contains("the order of one scop, and the file has 2"), "{}", two.stderr);
}

#[test]
fn what_cannot_be_moved_is_said() {
    let simple = "  for (int i = 0; i < n; i++)\n    out[i][0] = in[i][0];";
    let schedule = "{ S0[i] -> [-i] }";
    for (name, body, said) in [
        ("pragma", format!("#pragma STDC FP_CONTRACT OFF\n{simple}"), "a preprocessor line or pragma"),
        (
            "declares",
            format!("  int k = n;\n  double t[k];\n  t[0] = in[0][0];\n{}", simple.replace("= in[i][0]", "= t[0]")),
            "a declaration between the loops",
        ),
    ] {
        file("stays.c", program("", &body));
        let run = run("optimize", &["stays.c"], &["--schedule", schedule]);
        assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{name}: {}", run.stderr);
        assert!(
            run.stderr.contains("new loops cannot be written") && run.stderr.contains(said),
            "{name}: {}",
            run.stderr
        );
    }
    let hidden = format!("#define AT out[i][0]\n{}", program("", &simple.replace("out[i][0]", "AT")));
    file("hidden.c", hidden);
    let run = run("optimize", &["hidden.c"], &["--schedule", schedule]);
    assert!(run.status == 1 && run.stderr.contains("this macro mentions `i` by itself"), "{}", run.stderr);
}

/// A loop around a statement must not take a name from it.
#[test]
fn a_name_means_what_it_meant() {
    let body = "  for (int k = 0; k < n; k++)\n    out[k][0] = in[k][0] + i;\n  for (int i = 1; i < n; i++)\n    out[i][0] += i;";
    let text = program("int i = 7;", body);
    let result = optimized("meaning", &text, &["--schedule", "{ S0[k] -> [k, 0]; S1[i] -> [i, 1] }"]);
    assert_eq!(within(&result, "for (int k = 0; k < n; k++) _;", "in[k][0] + i"), 1, "{result}");
    agree("meaning");
    let result = optimized("others_name", &text, &["--schedule", "{ S0[k] -> [k - 1]; S1[i] -> [i] }"]);
    assert!(!has(&result, "for (int i = -1; _; _) _;"), "{result}");
    agree("others_name");
}

/// Unsigned sizes in new bounds would make what is negative large.
#[test]
fn unsigned_sizes_are_taken_as_signed_numbers() {
    let text = stages().replace("(int n, int m,", "(unsigned n, unsigned m,").replace("i < n - 1", "i + 1 < (int)n");
    let text = text.replace("i < n;", "i < (int)n;").replace("j < m;", "j < (int)m;");
    let schedule = "{ S0[i, j] -> [i + 2*j, j]; S1[i, j] -> [i + 2*j, j]; S2[i, j] -> [i + 1 + 2*j, j] }";
    let result = optimized("unsigned_sizes", &text, &["--schedule", schedule]);
    assert!(has(&result, "c0 < (int)(n + 2 * m - 2)"), "{result}");
    agree("unsigned_sizes");
}

#[test]
fn sizes_and_pragmas_that_new_loops_would_not_respect_are_said() {
    let program = |pragma: &str, size: &str, bound: &str| {
        format!(
            "void f({size} n, const double in[n], double out[n]) {{
{pragma}#pragma scop
  for (int i = 0; i < {bound}; i++)
    out[i] = in[i];
#pragma endscop
}}
"
        )
    };
    for (text, said) in [
        (program("", "unsigned", "(int)(n - 3)"), "arithmetic that cannot wrap around"),
        (program("", "unsigned long", "(int)n"), "`n` may be larger than a `long`"),
        (program("#pragma STDC FP_CONTRACT OFF\n", "int", "n"), "a pragma in front of the scop is about its loops"),
    ] {
        file("refused_order.c", &text);
        let run = run("optimize", &["refused_order.c"], &["--schedule", "{ S0[i] -> [-i] }"]);
        assert!(run.status == 1 && run.stdout.is_empty() && run.stderr.contains(said), "{text}{}", run.stderr);
    }
}

/// The stages with counters that are declared in front of the scop, or as `more` says.
fn outer(more: &str) -> String {
    let text = stages().replace("for (int i = 0; i < n; i++)\n    for", "for (i = 0; i < n; i++)\n    for");
    let text = text.replace("(int i = 1", "(i = 1").replace("(int j = 0", "(j = 0");
    text.replace("double a[n][m]", &format!("{more}\n  double a[n][m]"))
}

const FUSED: &str = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j]; S2[i, j] -> [i + 1, j] }";
const SKEWED: &str = "{ S0[i, j] -> [i + 2*j, j]; S1[i, j] -> [i + 2*j, j]; S2[i, j] -> [i + 1 + 2*j, j] }";

#[test]
fn counters_in_front_of_the_scop_are_set_again() {
    let result = optimized("outer", &outer("int i, j;"), &["--schedule", FUSED]);
    assert!(has(&result, "int i, j;") && declares(&result, "a", &["m + 1"]), "{result}");
    assert!(has(&result, "for (i = 0; i < n; i++) for (j = 0; j < m; j++) _;"), "{result}");
    agree("outer");
}

#[test]
#[ignore = "long, in ./check-more"]
fn counters_that_are_left_over_draw_no_warning() {
    for (name, declared, is_left) in [
        ("dropped", "int i, j;", false),
        ("dropped_with_its_value", "int j, i = 0;", false),
        ("dropped_alone", "int i;\n  int j;", false),
        ("computed", "int j, i = n + 1;", true),
        ("other_macros", "int i, j;\n#ifdef NEVER\n  i = 3;\n#endif", true),
        ("used_in_front", "int i, j;\n  for (i = 0; i < 3; i++)\n    out[0][0] = i;", true),
    ] {
        let result = optimized(name, &outer(declared), &["--schedule", SKEWED]);
        assert_eq!(mentions(function(&result, "f"), "i"), is_left, "{name}: {result}");
        assert!(has(&result, "for (int c0 = 0; _; _) _;"), "{name}: {result}");
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
        agree(name);
    }
}

/// What a later loop sets first, it does not read.
#[test]
fn counters_are_set_again_where_later_loops_set_them_first() {
    let later = "#pragma endscop\n  for (i = 0; i < 2; i++)\n    for (j = i; j < 3; j++)\n      printf(\"%d \", j);";
    let text = outer("int i, j;").replace("#pragma endscop", later);
    let result = optimized("later", &text, &["--schedule", SKEWED]);
    assert!(has(&result, "int i, j;"), "{result}");
    agree("later");
}

#[test]
fn counters_whose_values_may_be_read_are_refused() {
    let seen = "the counter `i` may be read behind the scop, and new loops leave another value in it";
    let behind = |code: &str| outer("int i, j;").replace("#pragma endscop", &format!("#pragma endscop\n{code}"));
    let again = "int i, j;\n  for (int r = 0; r < 2; r++) {\n    if (r > 0)\n      printf(\"%d \", i);";
    let repeated = outer(again).replace("#pragma endscop", "#pragma endscop\n  }");
    for text in [
        behind("  if (n > 3)\n    i = 2;\n  printf(\"%d \", i);"),
        behind("  for (i = i; i < 3; i++)\n    printf(\"%d \", i);"),
        behind("  __typeof__(i) copy = 0;\n  (void)copy;"),
        behind("  if (n > 2)\n    goto in;\n  for (i = 0; i < 3; i++)\n  in: printf(\".\");"),
        repeated,
    ] {
        file("seen.c", &text);
        let run = run("optimize", &["seen.c"], &["--schedule", FUSED]);
        assert!(run.status == 1 && run.stderr.contains(seen), "{text}\n{}", run.stderr);
    }
}

#[test]
fn counters_of_other_types_keep_what_they_compute() {
    let body = "  for (size_t i = 0; i < (size_t)n; i++)
    for (unsigned j = 0; j < (unsigned)m; j++)
      a[i][j] = in[i][j] + (i - 1) / 1e9 + (j - 1) / 1e9;
  for (long i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[i][j] + sizeof(i) + sizeof(j) + i * j;";
    let text =
        program("double a[n][m];", body).replace("#include <stdio.h>", "#include <stddef.h>\n#include <stdio.h>");
    for (name, schedule) in [
        ("wide", "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }"),
        ("wide_skewed", "{ S0[i, j] -> [2*i - j, i]; S1[i, j] -> [2*i - j, i] }"),
    ] {
        let result = optimized(name, &text, &["--schedule", schedule]);
        assert!(has(&result, "for (long _ = _; _; _) _;") && has(&result, "(unsigned long)_"), "{result}");
        agree(name);
    }
    let front = text.replace("double a", "long i;\n  double a").replace("(long i", "(i");
    let result =
        optimized("wide_in_front", &front, &["--schedule", "{ S0[i, j] -> [0, i, j]; S1[i, j] -> [1, j, i] }"]);
    compiler::all_warnings(&path("wide_in_front.out.c")).unwrap();
    assert!(!has(&result, "long i;"), "{result}");
    agree("wide_in_front");
}

/// Unsigned arithmetic wraps around: what is divided, compared or widened keeps its own operators.
#[test]
fn unsigned_values_stay_unsigned_in_other_iterations() {
    let values = [
        ("unsigned", "(i - j > 3u) + (int)((i - j) / 2 % 100) + (int)((long)(i - j) / 3)"),
        ("size_t", "(int)((i - j) % 7) + (int)((3 - i) / (j + 1) % 1000) + (int)sizeof i"),
        ("int", "(int)((unsigned)(i - j) % 5) + ((i - 1u) < 3) + (int)((i - 10) / 2u % 11)"),
        ("int", "((i - j) >> 1) + (i << 2) + !i + (i == j ? 7 : 8)"),
    ];
    for (k, (counter, value)) in values.into_iter().enumerate() {
        let head = |name: &str, end: &str| format!("for ({counter} {name} = 0; {name} < ({counter}){end}; {name}++)");
        let nest = format!("  {}\n    {}\n      ", head("i", "n"), head("j", "m"));
        let body = format!("{nest}a[i][j] = in[i][j] * 2;\n{nest}out[i][j] = a[i][j] + {value};");
        let text =
            program("double a[n][m];", &body).replace("#include <stdio.h>", "#include <stddef.h>\n#include <stdio.h>");
        for (order, schedule) in
            [("fused", FUSED_ROWS), ("skewed", "{ S0[i, j] -> [i + j, j, 0]; S1[i, j] -> [i + j, j, 1] }")]
        {
            let name = format!("unsigned_{k}_{order}");
            optimized(&name, &text, &["--schedule", schedule]);
            agree(&name);
        }
    }
}

const FUSED_ROWS: &str = "{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1] }";

/// An unsigned remainder of what is below 0 isn't that of the difference.
#[test]
fn unsigned_remainders_in_subscripts_stay() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[i][j] + primes[(unsigned)(i - j) % 5];";
    let text = program("double a[n][m];", body)
        .replace("static void f", "static const int primes[] = {2, 3, 5, 7, 11};\nstatic void f");
    optimized("unsigned_remainder", &text, &["--schedule", FUSED_ROWS]);
    agree("unsigned_remainder");
}

/// What a header's macro makes of a counter's name would be another variable, or an old value, in new loops.
#[test]
fn macros_from_headers_that_mention_counters_are_refused() {
    file("counter.h", "#define AT out[i][0]\n#define IT(x) x\n#define DEEP IT(AT)\n#define SAY(x) x + sizeof #x\n");
    let text = |target: &str, value: &str| {
        let body = format!("  for (i = 0; i < n; i++)\n    {target} = in[i][0] + {value};");
        program("int i;", &body).replace("#include <stdio.h>", "#include <stdio.h>\n#include \"counter.h\"")
    };
    for (target, value) in [("AT", "0"), ("DEEP", "i"), ("IT(AT)", "0"), ("out[i][0]", "SAY(i)")] {
        file("headers.c", text(target, value));
        let run = run("optimize", &["headers.c"], &["--schedule", "{ S0[i] -> [-i] }"]);
        assert!(
            run.status == 1 && run.stderr.contains("this macro mentions `i` by itself"),
            "{target}: {}",
            run.stderr
        );
    }
    let result = optimized("argument", &text("IT(out[i][0])", "IT(i)"), &["--schedule", "{ S0[i] -> [-i] }"]);
    assert!(has(&result, "for (i = n - 1; i >= 0; i--) IT(out[i][0]) = in[i][0] + IT(i);"), "{result}");
    agree("argument");
}

/// New loops hold for all sizes, whatever is assumed for storage.
#[test]
fn assumptions_are_no_obstacle_to_new_loops() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = t[i][j];";
    for (name, schedule) in [("assumed", "{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j, 1] }"), ("assumed_fuse", "fuse")]
    {
        let more = ["--schedule", schedule, "--assume", "n >= 3"];
        let result = optimized(name, &program("double t[n][m];", body), &more);
        assert!(has(&result, "double t = in[i][j] * 2;"), "{result}");
        agree(name);
    }
}
