//! Variables that are declared in the innermost block of their life.

use super::files::{agree, optimized, path};
use super::forms::{Function, all_agree};
use crate::support::code::{count, has, mentions};
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
            &["double a = in[i] + 1; double b = 2; b = _;", "out[i] += 1; double a = in[i] * out[i]; a = a - 3;"],
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
            &["double a;"],
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
            &["out[i] = 1; double s = in[i]; for (_; _; _) _;"],
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
            &["double s = 0;"],
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
            &["double s = in[i + j] * in[j];"],
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
            &["double a = in[i] + in[i + 1]; double b = a * in[i];"],
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
            &["double a = in[i] * 2;"],
        ),
    ]
}

#[test]
fn variables_are_declared_where_they_live() {
    all_agree("in_turn", &functions(), &[]);
}

#[test]
fn plain_loops_have_them_there_too() {
    all_agree("in_turn_plain", &functions(), &["--emit", "plain"]);
}

/// Parts of a loop that do not read a value: what only assigns it goes, what does something else stays, and so does the variable where it is assigned twice.
#[test]
fn parts_that_read_nothing_leave_out_what_they_can() {
    let source = "#include <stdio.h>
static int calls;
static double next(double x) {
  calls++;
  return x + calls;
}
static void leaves_out(int n, const double *in, double *out) {
  double a[40], b[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = in[i] * 3;
    a[i] = in[i] * 2;
    if (i >= 3)
      out[i] = a[i] + b[i - 3];
  }
#pragma endscop
}
static void calls_on(int n, const double *in, double *out) {
  double a[40], b[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = in[i] * 3;
    a[i] = next(in[i]);
    if (i >= 3)
      out[i] = a[i] + b[i - 3];
  }
#pragma endscop
}
static void assigns_more(int n, const double *in, double *out) {
  double a[40], b[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = in[i] * 3;
    out[i] = a[i] = in[i] * 2;
    if (i >= 3)
      out[i] = a[i] + b[i - 3];
  }
#pragma endscop
}
static void in_branches(int n, const double *in, double *out) {
  double a[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    if (i < 3)
      a[i] = 1;
    else
      a[i] = in[i];
    if (i < 2)
      out[i] = a[i];
    if (i >= 6)
      out[i] = a[i] + in[i];
  }
#pragma endscop
}
static void where_a_branch_goes(int n, const double *in, double *out) {
  double a[40], b[40];
#pragma scop
  for (int i = 0; i < n; i++) {
    b[i] = in[i] * 3;
    if (i < 6) {
      a[i] = 1 + in[i];
      out[i] = a[i] * a[i];
    }
    a[i] = in[i + 1];
    out[i + 9] = a[i] * a[i];
    if (i >= 3)
      out[i] += b[i - 3];
  }
#pragma endscop
}
int main(void) {
  static double in[64], out[64];
  for (int i = 0; i < 64; i++)
    in[i] = i * 7 % 13;
  for (int n = 0; n < 30; n += n < 9 ? 1 : 7) {
    leaves_out(n, in, out);
    for (int i = 0; i < 64; i++)
      printf(\"%g \", out[i]);
    calls_on(n, in, out);
    assigns_more(n, in, out);
    for (int i = 0; i < 64; i++)
      printf(\"%g \", out[i]);
    in_branches(n, in, out);
    where_a_branch_goes(n, in, out);
    for (int i = 0; i < 64; i++)
      printf(\"%g \", out[i]);
    printf(\"%d\\n\", calls);
  }
  return 0;
}
";
    let result = optimized("in_turn_parts", source, &["--emit", "fast"]);
    assert_eq!(count(&result, "double a = in[i] * 2;"), 1, "one part does without: {result}");
    agree("in_turn_parts");
    compiler::all_warnings(&path("in_turn_parts.out.c")).unwrap();
}

/// Types with other meanings there, and directives that are no promises; promises and attributes are no obstacle.
#[test]
fn variables_stay_where_they_would_mean_something_else() {
    let source = "#include <stdio.h>
typedef double real;
static void types(int n, const double *in, double *out) {
  real a[40];
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
        "real a;",
        "unsigned kept = (unsigned)in[i];",
        "double a = in[i] * 2;",
        "double b = in[i + j] * 2;",
        "double c = in[i] * 2;",
    ] {
        assert!(has(&result, part), "`{part}` in {result}");
    }
    assert!(mentions(&result, "aligned"), "{result}");
    agree("in_turn_not");
    compiler::all_warnings(&path("in_turn_not.out.c")).unwrap();
}

/// What stands in the way in a block, each by itself.
#[test]
#[ignore = "long, in ./check-more"]
fn variables_stay_where_blocks_are_not_plain() {
    let program = |declaration: &str, body: &str| {
        format!(
            "#include <stdio.h>\n#include <stdlib.h>\nstruct pair {{ double t, u; }};
static void f(int n, const double *in, double *out, struct pair *p) {{
  (void)p;
  {declaration}
#pragma scop
  {body}
#pragma endscop
}}
int main(void) {{
  static double in[64], out[64];
  static struct pair p[64];
  for (int i = 0; i < 64; i++)
    in[i] = i * 7 % 13;
  f(40, in, out, p);
  for (int i = 0; i < 64; i++)
    printf(\"%g %g \", out[i], p[i].t);
  return 0;
}}
"
        )
    };
    let plain = "for (int i = 0; i < n; i++) {\n    t[i] = in[i] * 2;\n    out[i] = t[i] * t[i];\n  }";
    let is_moved = |name: &str, declaration: &str, body: &str| {
        let name = format!("not_plain_{name}");
        let result = optimized(&name, &program(declaration, body), &["--emit", "fast"]);
        agree(&name);
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
        has(&result, "double t = in[i] * 2;")
    };
    assert!(is_moved("none", "double t[40];", plain));
    assert!(is_moved("member", "double t[40];", &plain.replace("    out", "    p[i].t = 3;\n    out")));
    for (name, body) in [
        (
            "braces",
            "for (int i = 0; i < n; i++)\n    if (i > 3) t[i] = in[i] * 2;\n    else t[i] = in[i], out[i] = t[i] * t[i];",
        ),
        ("jump", &plain.replace("t[i] = in", "goto set;\n    set: t[i] = in")),
        ("carried", &plain.replace("* t[i];", "* t[i] + t[i > 0 ? i - 1 : 0];")),
        ("parallel", &format!("#pragma omp parallel for\n  {plain}")),
    ] {
        assert!(!is_moved(name, "double t[40];", body), "{name}");
    }
    let allocated = plain.to_string() + "\n  free(t);";
    assert!(!is_moved("allocated", "double *t = malloc((unsigned)n * sizeof *t);", &allocated));
}
