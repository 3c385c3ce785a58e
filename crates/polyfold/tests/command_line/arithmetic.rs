//! What C means where a parser or a set of constraints could read something else.

use super::files::{agree, optimized};
use crate::support::code::{count, has, mentions};

/// What C means where a parser or a set of constraints could read something else: the result must still compute it.
#[test]
#[ignore = "long, in ./check-more"]
fn easily_misread_arithmetic() {
    let sum_in_a_macro = "#include <stdio.h>
#define AT(i, s, j) t[(i) + (s) * (j)]
static unsigned f(int n) {
  unsigned t[n + 3], all = 0;
#pragma scop
  for (int i = 0; i < n + 3; i++)
    t[i] = 5u * (unsigned)i;
  for (int i = 0; i < n; i++)
    all = all * 3u + AT(i, 1, 3);
#pragma endscop
  return all;
}
int main(void) {
  for (int n = 0; n < 9; n++)
    printf(\"%u\\n\", f(n));
}
";
    let wrapping_guard = "#include <stdio.h>
static unsigned f(unsigned n) {
  unsigned t[n + 1][n + 1], all = 0;
#pragma scop
  for (unsigned d = 0; d <= 2 * n; d++)
    for (unsigned i = 0; i <= n; i++)
      if (d - i <= n) {
        t[i][d - i] = i > 0 && d > i ? t[i - 1][d - i - 1] + 1u : 2u;
        all = all * 3u + t[i][d - i];
      }
#pragma endscop
  return all;
}
int main(void) {
  for (unsigned n = 0; n < 7; n++)
    printf(\"%u\\n\", f(n));
}
";
    let unsigned_macro = "#include <stdio.h>
#define H 3ul
#define W 8ul
int main(void) {
  unsigned t[W + 1][H + 1][H + W + 1], all = 0;
#pragma scop
  for (unsigned k = 0; k <= W; k++)
    for (unsigned y = 0; y <= H; y++)
      for (unsigned x = 0; x <= W; x++) {
        t[k][y][y + x] = 7u * k + x;
        if (k >= 1)
          t[k][y][y + x] += t[k - 1][y][y + x];
        all = all * 31u + t[k][y][y + x];
      }
  all += t[W][H][H + W];
#pragma endscop
  printf(\"%u\\n\", all);
}
";
    let sources =
        [("sum_in_a_macro", sum_in_a_macro), ("wrapping_guard", wrapping_guard), ("unsigned_macro", unsigned_macro)];
    for (name, source) in sources {
        optimized(name, source, &[]);
        agree(name);
    }
}

/// A multiple of a counter is computed as `long` where the array may have more than 2^30 rows.
#[test]
fn multiples_of_counters_do_not_overflow() {
    let source = "unsigned f(int n, int lo, unsigned char a[n][4]) {
  unsigned all = 0;
#pragma scop
  for (int i = lo; i < n; i++) {
    for (int j = 3; j >= 0; j--)
      a[i][j] = (i > lo && j < 2) ? a[i - 1][j + 2] : (unsigned char)(i + j);
    all = all * 31u + a[i][0];
  }
#pragma endscop
  return all;
}
";
    let result = optimized("many_rows", source, &["--temporary", "a"]);
    assert_eq!(count(&result, "2 * (long)i"), 3, "{result}");
}

/// Beside a `long`, a difference of two `unsigned` counters isn't what it is beside an `unsigned` one.
#[test]
fn differences_of_narrow_unsigned_counters_do_not_wrap_around() {
    let source = "#include <stdio.h>
static void f(long n, unsigned m, const double *in, double *out) {
  double A[m + 1][n];
#pragma scop
  for (unsigned i = 0; i < n; i++)
    A[0][i] = in[i];
  for (unsigned t = 1; t <= m; t++)
    for (unsigned i = 0; i < n; i++)
      A[t][i] = i == 0 ? A[t - 1][0] : i == n - 1 ? A[t - 1][i] : (A[t - 1][i - 1] + A[t - 1][i] + A[t - 1][i + 1]) / 3;
  for (unsigned i = 0; i < n; i++)
    out[i] = A[m][i];
#pragma endscop
}
int main(void) {
  double in[9], out[9];
  for (int k = 0; k < 9; k++)
    in[k] = k * k;
  for (int n = 1; n < 9; n++) {
    f(n, 5, in, out);
    for (int k = 0; k < n; k++)
      printf(\"%g\\n\", out[k]);
  }
}
";
    for emit in ["plain", "fast"] {
        optimized(emit, source, &["--emit", emit]);
        agree(emit);
    }
}

/// A temporary that says only which cell is written is read.
#[test]
fn what_chooses_a_cell_is_read() {
    let source = "#include <stdio.h>
static void f(int n, const int *key, int *y) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = key[i];
    y[t[i]] = i + 1;
  }
#pragma endscop
}
int main(void) {
  int key[4] = {2, 0, 2, 1}, y[4] = {0};
  f(4, key, y);
  printf(\"%d %d %d %d\\n\", y[0], y[1], y[2], y[3]);
}
";
    for emit in ["plain", "fast"] {
        optimized(emit, source, &["--emit", emit]);
        agree(emit);
    }
}

/// A program in which `SUBSCRIPT` is one of `t`, of a counter `i` of type `COUNTER` below `n`.
const FOLDED: &str = r#"#include <stdio.h>
static unsigned f(SIZE n, const int x[], unsigned y[]) {
  int t[ROWS];
  unsigned all = 0;
#pragma scop
  for (COUNTER i = 0; i < n; i++)
    t[SUBSCRIPT] = x[i];
  for (COUNTER i = 0; i < n; i++) {
    y[i] = (unsigned)t[SUBSCRIPT];
    all = all * 31u + y[i];
  }
#pragma endscop
  return all;
}
int main(void) {
  int x[13];
  unsigned y[13];
  for (int i = 0; i < 13; i++)
    x[i] = 7 * i + 1;
  for (int n = 0; n < 13; n++)
    printf("%u\n", f((SIZE)n, x, y));
}
"#;

/// Unsigned numbers wrap at the large end, too; conversions cut off what does not fit.
#[test]
#[ignore = "long, in ./check-more"]
fn large_values_wrap_around() {
    let cases = [
        ("unsigned", "(i * 2654435761u) % 10u", "10"),
        ("unsigned", "(i * 2654435761u) >> 28", "16"),
        ("unsigned", "(i * 200000003u) % 10u", "10"),
        ("unsigned", "(i * 200000003u) / 500000000u", "9"),
        ("unsigned", "(i * 200000003u) & 7", "8"),
        ("unsigned", "(i * 200000003u) % 8", "8"),
        ("unsigned", "(i * 200000003u) < 2000000000u", "2"),
        ("unsigned", "(i * 200000003u + 5) % 16 > 3 ? i : 0", "13"),
        ("unsigned", "i * 268435457u - i * 268435456u", "13"),
        ("unsigned", "(size_t)(i * 200000003u) % 10", "10"),
        ("unsigned", "(i + (size_t)(i * 200000003u)) % 10", "10"),
        ("unsigned", "(i + 4294967295u) % 11", "11"),
        ("long", "(unsigned)(i * 3000000000) % 10", "10"),
        ("long", "((int)(i * 300000000) + 2147483647L + 1) % 10", "10"),
        ("int", "(i * 400000000u) % 9", "9"),
    ];
    for (k, (counter, subscript, rows)) in cases.into_iter().enumerate() {
        let name = format!("wraps{k}");
        let size = if counter == "unsigned" { "unsigned" } else { "int" };
        let source = FOLDED.replace("COUNTER", counter).replace("SUBSCRIPT", subscript).replace("SIZE", size);
        let source = source.replace("#include", "#include <stddef.h>\n#include").replace("ROWS", rows);
        optimized(&name, &source, &[]);
        agree(&name);
    }
}

/// An extent that wrapped around is too small for the accesses that surely happen: no program does that.
#[test]
fn extents_larger_than_sizes_need_no_test() {
    for size in ["unsigned", "size_t"] {
        for rows in ["n + 2", "2 * n"] {
            let source =
                super::programs::SIMPLE.replace("int n", &format!("{size} n")).replace("t[n]", &format!("t[{rows}]"));
            let source = source.replace("int i", &format!("{size} i"));
            let result = optimized(&format!("halo_{size}"), &format!("#include <stddef.h>\n{source}"), &[]);
            assert!(has(&result, "int t = 2 * x[i];") && !mentions(&result, "if"), "{result}");
        }
    }
}

/// Sizes of an array's own bound what is computed from them.
#[test]
fn sizes_of_arrays_do_not_wrap() {
    for size in ["unsigned", "size_t", "int"] {
        for (k, rows) in ["n", "n - 1", "2 * n - 1", "n + 3"].into_iter().enumerate() {
            let source = format!(
                "#include <stddef.h>\nvoid f({size} n, int x[n], int y[n]) {{\n  int t[{rows}];\n#pragma scop\n  \
                 for ({size} i = 1; i < n - 1; i += 2) {{\n    t[i] = x[i + 1];\n    if (2 * i + 1 < n)\n      \
                 y[i] = t[i] + x[(2 * i + 1) % 5];\n  }}\n#pragma endscop\n}}\n"
            );
            let result = optimized(&format!("sized_{size}{k}"), &source, &[]);
            assert!(has(&result, "int t = x[i + 1];"), "{result}");
            // `2 * n - 1` and `n + 3` may be small since they wrapped around.
            assert_eq!(mentions(&result, "else"), k > 1 && size != "int", "{result}");
        }
    }
}

/// Of `n + 3` for a `size_t n` nobody says an end that fits 64 bits.
#[test]
fn sums_of_sizes_may_have_no_end() {
    let source = "#include <stddef.h>
void f(size_t n, size_t m, const double *in, double *out) {
  double t[m - n], u[m - n];
#pragma scop
  for (size_t i = n; i < m; i++)
    t[i - n] = in[i - n];
  for (size_t i = n + 1; i < m; i++)
    u[i - n] = t[i - n - 1];
  for (size_t i = n + 1; i < m; i++)
    out[i - n] = u[i - n];
#pragma endscop
}
";
    let result = optimized("no_end", source, &[]);
    assert!(has(&result, "if (n <= 1000000000000 && m >= n + 1) _; else _;"), "{result}");
}
