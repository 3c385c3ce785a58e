//! Counters and bounds of new loops whose values an `int` may not hold, where those of the source's loops do.

use super::files::{agree, file, optimized, path, run};
use crate::support::code::{has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;
use crate::support::tool::Run;

/// Sizes at both ends of `int`, of which few iterations come.
const FAR: &str = "#include <limits.h>
#include <stdio.h>
static void f(int from, int to, double out[8][8]) {
#pragma scop
  for (int i = from; i < to; i++)
    for (int j = from; j < to; j++)
      out[i - from][j - from] = i - j / 2;
#pragma endscop
}
int main(void) {
  static double out[8][8];
  f(INT_MAX - 8, INT_MAX, out);
  f(INT_MIN, INT_MIN + 6, out);
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++)
      printf(\"%g \", out[i][j]);
  puts(\"\");
  return 0;
}
";

/// The result, which computes the same without overflow, and from which `-Wconversion` has nothing to warn of.
#[track_caller]
fn in_order(name: &str, source: &str, order: &str) -> String {
    let result = optimized(name, source, &["--schedule", order]);
    agree(name);
    compiler::run(&path(&format!("{name}.out.c")), &["-Wconversion"]).unwrap();
    result
}

#[test]
fn skewed_counters_are_long() {
    let result = in_order("far_skewed", FAR, "{ S0[i, j] -> [i + j, i] }");
    assert!(has(&result, "for (long c0 = 2 * (long)from; c0 < 2 * (long)to - 1; c0++) _;"), "{result}");
    assert!(has(&result, "for (int i = (int)_; _; _) _;"), "{result}");
    let result = in_order("far_twice", FAR, "{ S0[i, j] -> [i + 2 j, -j] }");
    assert!(has(&result, "for (long c0 = 3 * (long)from; _; _) for (long c1 = _; _; _) _;"), "{result}");
}

/// Behind the last turn it is one less than the smallest `int`.
#[test]
fn what_runs_backwards_may_end_below_int() {
    let result = in_order("far_back", FAR, "{ S0[i, j] -> [-i, j] }");
    assert!(has(&result, "for (long i = (long)to - 1; i >= from; i--) _;"), "{result}");
}

#[test]
fn counters_of_old_loops_stay_int() {
    let result = in_order("far_turned", FAR, "{ S0[i, j] -> [j, i] }");
    assert!(has(&result, "for (int j = from; j < to; j++) _;") && !mentions(&result, "long"), "{result}");
    let result = in_order("far_tiles", FAR, "{ S0[i, j] -> [floor(i/4), j, i] }");
    // A quarter of an int, four times, is an int.
    assert!(has(&result, "for (int c0 = (int)_; _; _) _;") && has(&result, "4 * c0 + 3"), "{result}");
}

/// An array on the stack bounds its size, so that sums fit.
#[test]
fn sizes_of_arrays_on_the_stack_are_small() {
    let shifted = |parameter: &str, local: &str, argument: &str| {
        format!(
            "#include <stdio.h>
static void f(int n{parameter}, double *out) {{
  {local}
#pragma scop
  for (int i = 0; i < n; i++)
    t[i] = 2 * i;
  for (int i = 0; i < n; i++)
    out[i] = t[i] + 1;
#pragma endscop
}}
int main(void) {{
  double out[9], t[9];
  f(9{argument}, out);
  for (int i = 0; i < 9; i++)
    printf(\"%g \", out[i]);
  return (void)t, 0;
}}
"
        )
    };
    let order = "{ S0[i] -> [i, 0]; S1[i] -> [i + 3, 1] }";
    let result = in_order("small_sizes", &shifted("", "double t[n];", ""), order);
    assert!(has(&result, "for (int i = _; i <= n + 2; i++) _;") && !mentions(&result, "long"), "{result}");
    let result = in_order("any_sizes", &shifted(", double *t", "", ", t"), order);
    assert!(has(&result, "for (long i = _; i <= (long)n + 2; i++) _;"), "{result}");
}

/// Rows from `lo` to `hi`, of which one is needed at a time.
const BETWEEN: &str = "#include <limits.h>
#include <stdio.h>
static void f(int lo, int hi, const double *in, double *out) {
  double rows[hi - lo + 1][hi - lo + 40];
#pragma scop
  for (int i = lo; i < hi; i++) {
    for (int j = lo; j < hi; j++)
      rows[i - lo][j - lo] = in[j - lo] * (i - lo);
    for (int j = lo + 1; j < hi; j++)
      out[j - lo] += rows[i - lo][j - lo] - rows[i - lo][j - lo - 1];
  }
#pragma endscop
}
int main(void) {
  double in[40], out[40];
  const int from[] = {INT_MIN, INT_MIN + 1, -20, 0, INT_MAX - 41, INT_MAX - 40};
  for (int k = 0; k < 40; k++)
    in[k] = k * k % 17, out[k] = k;
  for (int l = 0; l < 6; l++)
    for (int size = 3; size < 40; size += 9) {
      f(from[l], from[l] + size, in, out);
      for (int k = 0; k < size; k++)
        printf(\"%g \", out[k]);
      puts(\"\");
    }
  return 0;
}
";

#[test]
fn extents_that_are_differences_are_long() {
    let result = optimized("far_extents", BETWEEN, &[]);
    agree("far_extents");
    compiler::all_warnings(&path("far_extents.out.c")).unwrap();
    assert!(declares(&result, "rows", &["(long)lo + 1 >= hi ? 1 : hi - lo"]), "{result}");
}

/// Equal sizes would leave no iteration.
#[test]
fn examples_leave_something_of_differences() {
    file("apart.c", BETWEEN);
    let Run { stderr, .. } = run("optimize", &["apart.c"], &[]);
    assert!(stderr.contains("at hi = 100, lo = 0"), "{stderr}");
}

/// A condition on a `long`, and a size that is one, become first values that no `int` holds: nothing runs there.
#[test]
fn first_values_that_the_source_computes_as_long_are_long() {
    for (condition, kind) in [("(long)m + k", "int"), ("m + k", "long")] {
        let source = format!(
            "#include <limits.h>
#include <stdio.h>
static void f(int n, {kind} m, int k, const double *restrict x, double *restrict y, double *restrict z) {{
#pragma scop
  for (int j = 0; j < n; j++) {{
    z[j] = x[j];
    if (j >= {condition})
      y[j] = x[j];
  }}
#pragma endscop
}}
int main(void) {{
  static double x[40], y[40], z[40];
  for (int j = 0; j < 40; j++)
    x[j] = j + 1;
  f(40, INT_MAX, INT_MAX, x, y, z);
  f(30, 9, 11, x, y, z);
  for (int j = 0; j < 40; j++)
    printf(\"%g %g \", y[j], z[j]);
  puts(\"\");
  return 0;
}}
"
        );
        let name = format!("far_first_{kind}");
        let result = optimized(&name, &source, &["--schedule", "{ S0[j] -> [0, j]; S1[j] -> [1, j] }"]);
        agree(&name);
        assert!(has(&result, "for (long j = 0 > _ ? _ : _; _; _) _;"), "{result}");
    }
}
