//! Results that hold for some sizes only, and what the values of sizes do.

use super::files::{agree, file, optimized, path, run, text};
use super::programs::{CASES, LAG, ROWS, SIMPLE};
use crate::support::code::{has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;

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
      t[(i * W + j) / 1] = 2 * x[i][j];
      out[(i * W + j) / 1] = t[(i * W + j) / 1] + 1;
    }
#pragma endscop
}
int main(void) {
  static int x[N][W], out[N * W];
  f(x, out);
  return out[0] - 1;
}
";

/// The mapping of `ROWS` holds for all sizes: nothing has to be assumed, and nothing tested.
#[test]
fn an_assumption_that_is_not_needed_is_not_tested() {
    let result = optimized("rows", ROWS, &["--assume", "n >= 3"]);
    assert!(declares(&result, "t", &["2", "n"]) && !declares(&result, "t", &["n", "n"]), "{result}");
    agree("rows");
}

#[test]
fn an_assumption_is_checked_at_run_time() {
    let result = optimized("cases", CASES, &["--assume", "m >= 5"]);
    assert!(has(&result, "if (m >= 5) { int t = 0; _; _; } else { int t[n]; _; _; }"), "{result}");
    agree("cases");
}

#[test]
fn an_assumption_leaves_useful_examples() {
    let result = optimized("lag_example", LAG, &["--assume", "k >= 0 && k <= 2"]);
    assert!(declares(&result, "t", &["k + 1"]), "{result}");
}

#[test]
fn values_of_macros_are_asserted() {
    let result = optimized("macros", LINEARISED, &[]);
    assert!(has(&result, "_Static_assert(W == 4, _)"), "{result}");
    agree("macros");
    let result = path("macros.out.c");
    assert!(compiler::compile(&result, &["-DN=7"]).is_ok());
    let refused = compiler::compile(&result, &["-DW=5"]).unwrap_err();
    assert!(refused.contains("static assertion failed"), "{refused}");
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
    assert!(has(&optimized("constant_size", source, &[]), "unsigned t[20], all = 0;"));
    agree("constant_size");
}

#[test]
fn sizes_that_no_run_has_are_refused() {
    file("no_size.c", SIMPLE.replace("int n,", "unsigned n, unsigned m,").replace("x[i] = t", "if (i < m) x[i] = t"));
    let said = [
        ("n=-5", "it takes n >= 1"),
        ("n=0", "--param n=0: no such size is possible in `f` (line 4)"),
        ("m=-1", "m >= 0"),
    ];
    for (size, said) in said {
        let output = file("no_size.out.c", "untouched");
        let run = run("optimize", &["no_size.c"], &["--param", size, "-o", &output.display().to_string()]);
        assert!(run.status == 2 && run.stderr.contains(said), "{}", run.stderr);
        assert_eq!((run.stdout.as_str(), text("no_size.out.c").as_str()), ("", "untouched"));
        let analyzed = self::run("analyze", &["no_size.c"], &["--param", size]);
        assert!(analyzed.status == 2 && analyzed.stderr.contains(said), "{}", analyzed.stderr);
    }
}

#[test]
fn sizes_past_32_bits_are_counted() {
    file("huge.c", ROWS.replace("int n,", "long n,"));
    let output = path("huge.out.c").display().to_string();
    let run = run("optimize", &["huge.c"], &["--param", "n=4000000000", "-o", &output]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert!(run.stdout.contains("8000000000") && run.stdout.contains("t[2][n]"), "{}", run.stdout);
    assert!(run.stdout.contains("16000000000000000000 cells -> 8000000000"), "{}", run.stdout);
}

/// A caller may pass more than the first extent says: it is not a part of the parameter's type.
#[test]
fn the_first_extent_of_a_parameter_promises_nothing() {
    let source = "void f(int n, const int x[n], int p[10], int y[n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    p[i] = 2 * x[i];
  for (int i = 0; i < n; i++)
    y[i] = p[n - 1 - i];
#pragma endscop
}
void g(int n, const int x[n], int p[10], int y[n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
    p[i] = 2 * x[i];
    y[i] = p[i];
  }
#pragma endscop
}
";
    let result = optimized("first_extent", source, &["--temporary", "p"]);
    assert!(has(&result, "p[i] = 2 * x[i];") && has(&result, "y[i] = p_buffer;"), "{result}");
    assert!(!mentions(&result, "if"), "{result}");
}

/// Everything would hold of sizes that there are none of.
#[test]
fn assumptions_that_nothing_fulfils_are_refused() {
    file("unfulfilled.c", SIMPLE);
    let cases: [&[&str]; 3] =
        [&["--assume", "n >= 5 && n <= 3"], &["--assume", "n >= 5", "--assume", "n <= 3"], &["--assume", "n <= 0"]];
    for assumed in cases {
        for command in ["optimize", "analyze"] {
            let run = run(command, &["unfulfilled.c"], assumed);
            assert!(run.status == 2 && run.stdout.is_empty(), "{assumed:?}: {run:?}");
            for text in assumed.iter().filter(|text| **text != "--assume") {
                assert!(run.stderr.contains(&format!("--assume '{text}'")), "{}", run.stderr);
            }
            assert!(run.stderr.contains("no size fulfils this in `f` (line 4); it takes n >= 1"), "{}", run.stderr);
        }
    }
    assert_eq!(run("optimize", &["unfulfilled.c"], &["--assume", "n <= 1"]).status, 0);
}

/// A size is no other one, wrapped around or cut off.
#[test]
fn sizes_that_no_variable_holds_are_refused() {
    file("held.c", SIMPLE);
    file("held_long.c", SIMPLE.replace("int n", "unsigned long n"));
    let far = "n=9223372036854775807";
    let cases = [
        ("held", "n=-5", "no such size is possible in `f`"),
        ("held_long", "n=-5", "no such size is possible in `f`"),
        ("held", far, "`n` holds at most 2147483647 in `f` (line 4)"),
        ("held", "n=9223372036854775808", "is past 64 bits"),
    ];
    for (name, size, said) in cases {
        let file = format!("{name}.c");
        for (command, files) in [("optimize", vec![&file]), ("analyze", vec![&file]), ("check", vec![&file, &file])] {
            let files: Vec<&str> = files.into_iter().map(String::as_str).collect();
            let run = run(command, &files, &["--param", size]);
            assert!(run.status == 2 && run.stderr.contains(said), "{command} {name} {size}: {run:?}");
        }
    }
    for command in ["optimize", "analyze"] {
        assert_eq!(run(command, &["held_long.c"], &["--param", far]).status, 0, "{command}");
    }
    let run = run("check", &["held_long.c", "held_long.c"], &["--param", far]);
    assert!(run.status == 1 && run.stderr.contains(&format!("crashes with --param {far}")), "{}", run.stderr);
}

/// Cells are counted where a delay has passed; its length, by a macro that had to be taken at its value, is said and has segments.
#[test]
fn delays_are_longer_than_examples() {
    let source = "#include <stdio.h>
#define LEN 441
static void f(int n, const float *x, float *y) {
  float d[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    float e;
    if (i >= LEN)
      e = d[i - LEN];
    else
      e = 0;
    d[i] = x[i] + 0.5f * e;
    y[i] = e;
  }
#pragma endscop
}
int main(void) {
  static float x[1500], y[1500];
  for (int n = 1; n <= 1500; n += n < 450 && n > 435 ? 1 : 29) {
    for (int i = 0; i < n; i++)
      x[i] = (float)(i * 7 % 13);
    f(n, x, y);
    for (int i = 0; i < n; i += 7)
      printf(\"%g \", (double)y[i]);
  }
  return 0;
}
";
    file("delay.c", source);
    let output = path("delay.out.c").display().to_string();
    let run = run("optimize", &["delay.c"], &["--emit", "fast", "-o", &output]);
    assert!(run.stdout.contains("at n = 1000\n  proved for LEN == 441"), "{}", run.stdout);
    agree("delay");
}

/// Counted at 5120, values by name have fewer cells, which grow with n.
#[test]
fn storage_does_not_grow_with_sizes_for_what_it_saves_at_examples() {
    let source = "#include <stdio.h>
#define D 4410
static void f(int n, const float *in, float *out) {
  float delay[n], damp[n];
#pragma scop
  for (int t = 0; t < D; t++) {
    delay[t] = in[t];
    damp[t] = 0.5f * delay[t];
    out[t] = in[t];
  }
  for (int t = D; t < n; t++) {
    delay[t] = in[t] + 0.25f * damp[t - D];
    damp[t] = 0.5f * delay[t] + 0.5f * damp[t - 1];
    out[t] = 0.75f * in[t] + 0.25f * delay[t - D];
  }
#pragma endscop
}
int main(void) {
  static float in[15000], out[15000];
  for (int n = D; n <= 15000; n += 1765) {
    for (int i = 0; i < n; i++)
      in[i] = (float)(i * 7 % 13);
    f(n, in, out);
    for (int i = 0; i < n; i += 97)
      printf(\"%g \", (double)out[i]);
  }
  return 0;
}
";
    // With a fifth more the arrays could stay, at 5120.
    for room in ["20", "0"] {
        let result = optimized("longer_delay", source, &["--room", room]);
        assert!(has(&result, "float delay[4411], damp[4410];"), "{result}");
        agree("longer_delay");
    }
    let said = run("optimize", &["longer_delay.c"], &[]).stderr;
    assert!(said.contains("at n = 5120") && !said.contains("would make"), "{said}");
}
