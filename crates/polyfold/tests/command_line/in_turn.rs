//! Variables that are declared in the innermost block of their life.

use crate::files::{agree, optimized, path};
use crate::forms::{Function, all_agree};
use crate::support::compiler;

const SIZES: &str = "0, 1, 2, 3, 7, 8, 9, 16";

fn function(
    name: &'static str,
    locals: &'static str,
    body: &'static str,
    says: &'static [&'static str],
) -> Function<'static> {
    Function { name, locals, body, n: SIZES, t: "0, 2", says }
}

fn functions() -> Vec<Function<'static>> {
    vec![
        function(
            "assigned",
            "double a[n + 1], b[n + 1];",
            "  for (int i = 0; i < n; i++) {
    a[i] = in[i] + 1;
    b[i] = 2;
    b[i] = in[i + 1] - 2 * b[i];
    out[i] = a[i] * b[i];
  }
  for (int i = 0; i < n; i++) {
    out[i] += 1;
    a[i] = in[i] * out[i];
    a[i] = a[i] - 3;
    out[i + 20] = a[i];
  }",
            &[
                "    double a = in[i] + 1;\n    double b = 2;\n    b = ",
                "    out[i] += 1;\n    double a = in[i] * out[i];\n    a = a - 3;",
            ],
        ),
        function(
            "in_branches",
            "double a[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (in[j] > in[i])
        a[i][j] = in[j] - in[i];
      else
        a[i][j] = in[j];
      out[i + j] += a[i][j];
    }",
            &["      double a"],
        ),
        function(
            "around_a_loop",
            "double s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    out[i] = 1;
    s[i][0] = in[i];
    for (int j = 0; j < n; j++) {
      s[i][j + 1] = s[i][j] * in[j];
    }
    out[i] += s[i][n];
  }",
            &["    out[i] = 1;\n    double s = in[i];\n    for"],
        ),
        function(
            "from_turn_to_turn",
            "double s[n + 1][n + 1];",
            "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) {
      if (j == 0)
        s[i][j] = 1;
      else
        s[i][j] = s[i][j - 1] + in[j];
      out[j] += s[i][j];
    }
  }",
            &["/* s is one variable", "!    double s;\n    for", "!      double s"],
        ),
        function(
            "declared_inside",
            "",
            "  for (int i = 0; i < n; i++) {
    double s[16];
    for (int j = 0; j < 16; j++) {
      s[j] = in[i + j] * in[j];
      out[i] += s[j] * s[j];
    }
  }",
            &["    /* s is one variable", "      double s = in[i + j] * in[j];"],
        ),
        function(
            "several_in_one_statement",
            "static double a[99]; double keep[9], b[99];",
            "  for (int i = 0; i < n; i++) {
    a[i] = in[i] + in[i + 1];
    b[i] = a[i] * in[i];
    keep[0] = b[i];
    out[i] = b[i] - a[i] + keep[0];
  }",
            &["    double a = in[i] + in[i + 1];\n    double b = a * in[i];\n"],
        ),
        function(
            "in_a_branch",
            "double a[n + 1];",
            "  for (int i = 0; i < n; i++) {
    if (i > 3) {
      a[i] = in[i] * 2;
      out[i] = a[i] * a[i];
    } else {
      out[i] = 3;
    }
  }",
            &["      double a = in[i] * 2;\n"],
        ),
    ]
}

#[test]
fn variables_are_declared_where_they_live() {
    all_agree("in_turn", &functions(), &[]);
}

#[test]
fn plain_loops_and_hardware_have_them_there_too() {
    all_agree("in_turn_plain", &functions(), &["--emit", "plain"]);
}

/// Types with other meanings there, names that are mentioned, labels, and directives that are no promises.
#[test]
fn variables_stay_where_they_would_mean_something_else() {
    let source = "#include <stdio.h>
typedef double real;
struct pair { double x, y; };
static void types(int n, const double *in, double *out) {
  real a[40];
  struct pair p[40];
  static unsigned kept[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    float real = 2;
    a[i] = in[i] * real;
    out[i] = a[i] + 1;
  }
  for (int i = 0; i < n; i++) {
    out[i] += 1;
    kept[i] = (unsigned)in[i];
    out[i] += kept[i] * kept[i];
  }
#pragma endscop
  (void)p;
}
static void directives(int n, const double *in, double *out) {
  double b[40];
  double c[40] __attribute__((aligned(32)));
#pragma scop
  for (int i = 0; i < n; i++) {
    out[i] += 3;
#pragma GCC unroll 4
    for (int j = 0; j < 4; j++) {
      b[i] = in[i + j] * 2;
      out[i] += b[i] * b[i];
    }
  }
  for (int i = 0; i < n; i++) {
    c[i] = in[i] * 2;
    out[i] += c[i] * c[i];
  }
#pragma endscop
}
static void at_once(int n, const double *in, double *out) {
  double a[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    a[i] = in[i] * 2;
#pragma omp parallel for
    for (int j = 0; j < 4; j++)
      out[4 * i + j] = a[i] + j;
  }
#pragma endscop
}
int main(void) {
  static double in[64], out[64];
  for (int i = 0; i < 64; i++)
    in[i] = i * 7 % 13;
  types(40, in, out);
  at_once(10, in, out);
  directives(40, in, out);
  for (int i = 0; i < 40; i++)
    printf(\"%g \", out[i]);
  return 0;
}
";
    let result = optimized("in_turn_not", source, &["--emit", "fast"]);
    for part in [
        "  real a;\n",
        "    unsigned kept = (unsigned)in[i];",
        "  double a;\n",
        "      double b = in[i + j] * 2;",
        "    double c __attribute__((aligned(32))) = in[i] * 2;",
    ] {
        assert!(result.contains(part), "`{part}` in {result}");
    }
    agree("in_turn_not");
    compiler::all_warnings(&path("in_turn_not.out.c")).unwrap();
}
