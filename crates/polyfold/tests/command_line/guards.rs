//! Results with the old program in the other branch of a test, and declarations that move.

use super::files::{agree, file, optimized, path, run, text};
use super::programs::{CASES, ROWS, SIMPLE};
use super::warnings::clean;
use crate::support::code::{has, mentions, names};
use crate::support::tool::Run;

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
    assert!(has(&text("labels.out.c"), "if (i > 7 ? m : n) S1: S2: t = x[i];"));
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
    assert!(has(&text("moved.out.c"), "elem t = 0;"));
    agree("moved");
    optimized("closed", &used, &["--assume", "m >= 5"]);
    agree("closed");
}

#[test]
fn declarations_stand_in_front_of_pragmas_that_belong_to_the_scop() {
    let lead = "  #pragma GCC unroll 2\n  #pragma GCC ivdep\n#pragma scop\n";
    let result = optimized("lead", &SIMPLE.replace("#pragma scop\n", &lead.replace("  #pragma GCC ivdep\n", "")), &[]);
    assert!(has(&result, "#pragma GCC unroll 2\nfor (_; _; _) _;"), "{result}");
    let result = optimized("lead_rows", &ROWS.replace("#pragma scop\n", lead).replace("t[n][n]", "t[n + 0][n]"), &[]);
    assert!(has(&result, "int t[2][n];\n#pragma GCC unroll 2\n#pragma GCC ivdep\nfor (_; _; _) _;"), "{result}");
    agree("lead_rows");
    let source = CASES.replace("#pragma scop\n", "#pragma GCC unroll 2\n#pragma scop\n");
    let result = optimized("lead_cases", &source, &["--assume", "m >= 5"]);
    for declared in ["int t = 0;", "int t[n];"] {
        assert!(has(&result, &format!("{declared}\n#pragma GCC unroll 2\nfor (_; _; _) _;")), "{result}");
    }
    agree("lead_cases");
    let optional = SIMPLE.replace("#pragma scop", "#ifndef NO\n#pragma GCC unroll 2\n#endif\n#pragma scop");
    assert_eq!(optimized("lead_optional", &optional, &[]), optional);
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
    // Six columns: what stands in a loop in a branch.
    let begins = |code: &str| result.lines().any(|line| line == format!("      {code}"));
    assert!(begins("t = x[i];") && begins("t[i] = x[i];"), "{result}");
}

/// `t` becomes one variable where `CONDITION` holds, and must not elsewhere; called with sizes at the ends of their type.
const HUGE: &str = r#"#include <stdio.h>
static unsigned f(TYPE n, TYPE m) {
  unsigned t[20], all = 0;
  (void)m;
#pragma scop
  for (int i = 0; i < 20; i++) {
    t[i] = 7u * (unsigned)i;
    if (CONDITION)
      all = all * 3u + t[i];
  }
  if (!(CONDITION))
    for (int i = 0; i < 20; i++)
      all = all * 3u + t[19 - i];
#pragma endscop
  return all;
}
int main(void) {
  static const TYPE sizes[] = {0, 2, 9, 11, 4000000000u, (TYPE)9223372036854775805, (TYPE)9223372036854775807, (TYPE)-5, (TYPE)-1};
  for (int k = 0; k < 9; k++)
    for (int l = 0; l < 9; l++)
      printf("%u\n", f(sizes[k], sizes[l]));
}
"#;

/// A `size_t` past 2^63 is no negative number for a test, nor does it overflow a sum there.
#[test]
fn sizes_that_a_long_does_not_hold_take_the_branch_of_old() {
    let cases = [
        ("few", "n <= 10", "n <= 10"),
        ("many", "n >= 10", "n >= 10"),
        ("between", "n >= 3 && n <= 10 && m == 9", "n >= 3 && n <= 10 && m == 9"),
        ("two", "n <= m", "n <= 1000000000000 && m >= n"),
        ("less", "2 * n <= m", "n <= 1000000000000 && m >= 2 * n"),
        ("both", "n <= m && m <= 20", "n <= 1000000000000 && m <= 20 && m >= n"),
        ("either", "2 * n <= m || m == 9", "n <= 1000000000000 && m <= 1000000000000 && (m >= 2 * n || m == 9)"),
    ];
    for (name, condition, expected) in cases {
        let name = format!("huge_{name}");
        let source = HUGE.replace("CONDITION", condition).replace("TYPE", "unsigned long");
        let result = optimized(&name, &source, &["--assume", condition]);
        assert!(has(&result, &format!("if ({expected}) _; else _;")), "{expected}: {result}");
        agree(&name);
    }
    let source = HUGE.replace("CONDITION", "n <= m").replace("TYPE", "unsigned");
    assert!(has(&optimized("huge_int", &source, &["--assume", "n <= m"]), "if (m >= n) _; else _;"));
    agree("huge_int");
}

/// `HUGE`, called with sizes at both ends of a signed type.
fn at_the_ends(size: &str, least: &str, most: &str, condition: &str) -> String {
    let source = HUGE.replace("CONDITION", condition);
    let sizes = format!("{{{least}, {least} + 1, -5, 0, 2, 9, 11, {most} - 3, {most}}}");
    let (begin, end) = (source.find("sizes[] = ").unwrap() + 10, source.find(";\n  for (int k = 0; k < 9").unwrap());
    let source = source.replace(&source[begin..end], &sizes);
    source
        .replace(
            "#include <stdio.h>",
            "#include <limits.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <stdio.h>",
        )
        .replace("TYPE", size)
}

/// The source computes nothing that overflows; nor does the test on sizes, which is written in another way.
#[test]
#[ignore = "long, in ./check-more"]
fn tests_on_signed_sizes_do_not_overflow() {
    let cases = [
        ("bare", "n <= m", "m >= n", "m >= n"),
        ("number", "n >= -3 && n <= 10", "n >= -3 && n <= 10", "n >= -3 && n <= 10"),
        (
            "lag",
            "m >= 3 && n <= m - 3",
            "m >= 3 && m >= (long)n + 3",
            "n <= 1000000000000 && m >= 3 && m >= (long)n + 3",
        ),
        (
            "twice",
            "m >= 0 && n <= m / 2",
            "m >= 0 && m >= 2 * (long)n",
            "n >= -1000000000000 && n <= 1000000000000 && m >= 0 && m >= 2 * (long)n",
        ),
        (
            "sum",
            "m >= 0 && n >= 3 - m",
            "m >= 0 && (long)m + (long)n >= 3",
            "m <= 1000000000000 && n <= 1000000000000 && m >= 0 && (long)m + (long)n >= 3",
        ),
        ("parity", "n % 2 == 0", "(long)n % 2 == 0", "(long)n % 2 == 0"),
        ("few", "n <= 9 && n >= 2 && 2 * n >= m", "", "n >= 2 && n <= 9 && 2 * (long)n >= m"),
        ("many", "m >= 0 && n >= 0 && n <= m / 10000000", "", "n <= 1000000000 && n >= 0 && m >= 10000000 * (long)n"),
    ];
    for (name, condition, int, long) in cases {
        let types = [
            ("int", "INT_MIN", "INT_MAX", int),
            ("long", "LONG_MIN", "LONG_MAX", long),
            ("ptrdiff_t", "PTRDIFF_MIN", "PTRDIFF_MAX", long),
            ("int64_t", "INT64_MIN", "INT64_MAX", long),
        ];
        for (size, least, most, expected) in types.into_iter().filter(|(.., expected)| !expected.is_empty()) {
            let name = format!("ends_{name}_{size}");
            let result = optimized(&name, &at_the_ends(size, least, most, condition), &["--assume", condition]);
            assert!(has(&result, &format!("if ({expected}) _; else _;")), "{expected}: {result}");
            agree(&name);
        }
    }
}

/// How many attributes for alignment there are.
fn alignments(text: &str) -> usize {
    names(text).iter().filter(|name| *name == "aligned").count()
}

/// The new declaration, and the one in the other branch of a guard.
#[test]
fn alignment_moves_with_declarations() {
    let macros =
        "#define A64 __attribute__((aligned(64)))\n#define WHOLE(t, n) t[n] A64\n#define ALL(t, n) int t[n] A64\n";
    let declarations = ["int t[n] A64", "int t[n] __attribute__((aligned(64)))", "int WHOLE(t, n)", "ALL(t, n)"];
    for (k, declaration) in declarations.into_iter().enumerate() {
        let source = format!("{macros}{}", CASES.replace("int t[n]", declaration));
        let result = optimized(&format!("aligned{k}"), &source, &["--assume", "m >= 5"]);
        let two = "if (_) { int t = 0; _; _; } else { int t[n]; _; _; }";
        assert!(has(&result, two) && alignments(&result) == 2, "{declaration}: {result}");
        agree(&format!("aligned{k}"));
        let source = format!("{macros}{}", SIMPLE.replace("int t[n]", declaration));
        let result = optimized(&format!("aligned_cell{k}"), &source, &[]);
        assert!(has(&result, "int t = 2 * x[i];") && alignments(&result) == 1, "{result}");
    }
    let within = SIMPLE.replace("int t[n]", "int (__attribute__((aligned(64))) t)[n]");
    assert_eq!(optimized("aligned_within", &within, &[]), within);
}

/// A member of a shared buffer begins anywhere in it.
#[test]
fn aligned_arrays_share_no_buffer() {
    let source = "void f(int h, int w, float image[h][w], float blurred[h][w]) {
  float rows[h][w], sharp[h][w];
#pragma scop
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      rows[i][j] = image[i][j] + 1.0f;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      sharp[i][j] = rows[h - 1 - i][w - 1 - j] * 2.0f;
  for (int i = 0; i < h; i++)
    for (int j = 0; j < w; j++)
      blurred[i][j] = sharp[h - 1 - i][j];
#pragma endscop
}
";
    let source = source.replace("h - 1 - i][w - 1 - j", "i][j");
    assert!(mentions(&optimized("unaligned_shared", &source, &[]), "rows_shared"));
    for aligned in [
        source.replace("float rows", "_Alignas(64) float rows"),
        source.replace("rows[h][w], ", "rows[h][w] __attribute__((aligned(64))), "),
    ] {
        assert_eq!(optimized("aligned_shared", &aligned, &[]), aligned);
    }
}

/// A second copy of the loops for three sizes is of no use; for all of them but a few it is, and for those that the user names.
#[test]
fn a_handful_of_sizes_is_no_reason_for_a_second_text() {
    let source = SIMPLE.replace("int n, int x[n]", "unsigned n, unsigned m, int x[100]").replace("t[n]", "t[100]");
    let source = source.replace("int i = 0; i < n", "unsigned i = 0; i < m && i < 2 - n");
    file("handful.c", &source);
    let run = run("optimize", &["handful.c"], &[]);
    assert_eq!((run.status, run.stdout.as_str()), (0, source.as_str()));
    assert!(run.stderr.contains("smaller storage is proved for n <= 2 only, too few sizes"), "{}", run.stderr);
    assert!(run.stderr.contains("`2 - n` in line 5 falls below 0"), "{}", run.stderr);
    for (name, source, more) in [
        ("handful_not", source.replace("2 - n", "9 - n"), vec![]),
        ("handful_except", source.replace("2 - n", "n - 2"), vec![]),
        ("handful_assumed", source, vec!["--assume", "n <= 1"]),
    ] {
        assert!(has(&optimized(name, &source, &more), "if (_) _; else { int t[100]; _; }"), "{name}");
    }
}

/// A result for other values than macros have would not compile.
#[test]
fn macros_keep_the_values_that_they_have() {
    let source = "#include <stdio.h>
#define N 5
int main(void) {
  double t[N], in[N], out[N];
  for (int i = 0; i < N; i++)
    in[i] = i;
#pragma scop
  for (unsigned long u = 0; u < (unsigned long)N; u++) {
    t[(unsigned)(u * 2654435769l) % 5] = in[u];
    out[u] = t[(unsigned)(u * 2654435769l) % 5] + 1;
  }
#pragma endscop
  for (int i = 0; i < N; i++)
    printf(\"%g\\n\", out[i]);
  return 0;
}
";
    file("values.c", source);
    let output = path("values.out.c").display().to_string();
    let run = run("optimize", &["values.c"], &["--verify", "-o", &output]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stdout.contains("and the macros have other values"), "{}", run.stdout);
    assert_eq!(text("values.out.c"), source);
}

/// The part in front of `i == k` ends at k − 1, which is no `int` for the least one.
#[test]
fn a_part_may_end_in_front_of_the_least_int() {
    let source = "#include <limits.h>
#include <stdio.h>
static void f(int n, int k, int in[n], int out[n]) {
  int a[n], b[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i == k)
      a[i] = 0;
    else
      a[i] = in[i];
  }
  for (int i = 0; i < n; i++)
    b[i] = 2 * a[n - 1 - i];
  for (int i = 0; i < n; i++)
    out[i] = b[i] + b[i / 2];
#pragma endscop
}
int main(void) {
  int at[] = {INT_MIN, -1, 0, 3, 8, INT_MAX};
  int in[8], out[8];
  for (int k = 0; k < 8; k++)
    in[k] = k + 1;
  for (int k = 0; k < 6; k++) {
    f(8, at[k], in, out);
    for (int i = 0; i < 8; i++)
      printf(\"%d \", out[i]);
  }
  return 0;
}
";
    let result = optimized("least_int", source, &["--emit", "fast"]);
    // gcc warns of a promise for a loop that asks two things.
    assert!(!has(&result, "POLYFOLD_IVDEP for (; i < n && _; _) _;"), "{result}");
    agree("least_int");
}
