//! Rows whose coefficients and modulus grow with a size.

use super::files::path;
use super::files::{agree, optimized, run};
use crate::support::code::{has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;

/// A triangle of which all cells are alive at once; `SIZE` is its side, `PARAMETER` declares what that depends on.
fn triangle(parameter: &str, size: &str, inside: &str) -> String {
    format!(
        "#include <stdio.h>
#include <stddef.h>
static void f({parameter} n, double x[{size}], double y[{size}]) {{
  double t[{size}][{size}];
#pragma scop
{inside}  for ({parameter} i = 0; i < {size}; i++)
    for ({parameter} j = 0; j <= i; j++)
      t[i][j] = x[i] + x[j];
  for ({parameter} i = 0; i < {size}; i++)
    for ({parameter} j = 0; j <= i; j++)
      y[j] += t[i][j] * t[i][i - j];
#pragma endscop
}}
int main(void) {{
  for (int n = 1; n < 12; n++) {{
    double x[23], y[23];
    for (int i = 0; i < 23; i++) {{
      x[i] = i * i % 7;
      y[i] = 0;
    }}
    f(n, x, y);
    for (int i = 0; i < ({size}); i++)
      printf(\"%.17g \", y[i]);
    printf(\"\\n\");
  }}
  return 0;
}}
"
    )
}

/// Bee §5: 3m² + 3m + 1 cells, with n = 2m + 1 known only at run time.
#[test]
fn triangles_of_odd_side_are_guarded() {
    let more = ["--assume", "n % 2 == 1", "--method", "optimal"];
    let result = optimized("odd", &triangle("int", "n", ""), &more);
    assert!(has(&result, "if ((n + 1) % 2 == 0) _; else _;"), "{result}");
    assert!(has(&result, "const long t_size = (3 * (long)n * n + 1) / 4;"), "{result}");
    assert!(has(&result, "const long t_stride = (3 * n - 1) / 2;"), "{result}");
    assert!(has(&result, "t[(t_stride * i + j) % t_size] = x[i] + x[j];"), "{result}");
    agree("odd");
    compiler::all_warnings(&path("odd.out.c")).unwrap();
}

/// What the type of a size says of it is not tested: compilers warn of comparisons that are always true.
#[test]
fn sizes_are_not_compared_with_more_than_they_hold() {
    let more = ["--assume", "n % 2 == 1 && n < 3000000000", "--method", "optimal"];
    let result = optimized("held", &triangle("int", "n", ""), &more);
    assert!(has(&result, "if ((n + 1) % 2 == 0) _; else _;"), "{result}");
}

#[test]
fn triangles_whose_side_is_odd_by_declaration_need_no_guard() {
    let result = optimized("whole", &triangle("int", "2 * n + 1", ""), &["--param", "n=20"]);
    assert!(has(&result, "const long t_size = 3 * (long)n * n + 3 * n + 1;"), "{result}");
    assert!(!mentions(&result, "if") && declares(&result, "t", &["t_size"]), "{result}");
    agree("whole");
    let report = run("optimize", &["whole.c"], &["--param", "n=20", "-o", "/dev/null"]);
    assert!(report.stdout.contains("1261") && report.stdout.contains("t[3 * n * n + 3 * n + 1]"), "{}", report.stdout);
}

/// Affine moduli come near, and are simpler: at n = 100 one row would save less than 1.5 %.
#[test]
fn little_is_not_worth_a_row_that_grows() {
    let result = optimized("near", &triangle("int", "2 * n + 1", ""), &[]);
    assert!(declares(&result, "t", &["n + 1", "3 * n + 2"]), "{result}");
    agree("near");
}

#[test]
fn products_of_an_unsigned_size_are_unsigned() {
    let more = ["--assume", "n % 2 == 1", "--method", "optimal"];
    let result = optimized("size_t", &triangle("size_t", "n", ""), &more);
    assert!(has(&result, "const long t_size = (3 * n * n + 1) / 4;"), "{result}");
    agree("size_t");
    compiler::all_warnings(&path("size_t.out.c")).unwrap();
}

/// A pragma that lists the variables would have to list new ones: nothing gets a name.
#[test]
fn under_a_list_of_variables_sizes_are_written_out() {
    let source = triangle("int", "2 * n + 1", "#pragma custom default(none)\n");
    let result = optimized("listed", &source, &["--method", "optimal"]);
    assert!(declares(&result, "t", &["3 * (long)n * n + 3 * n + 1"]), "{result}");
    assert!(has(&result, "t[((3 * (long)n + 1) * i + j) % ((3 * (long)n + 3) * n + 1)]"), "{result}");
    agree("listed");
}
