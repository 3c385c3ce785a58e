//! Assignments inside larger expressions, which C does not order with what stands beside them.

use super::files::{agree, optimized};
use crate::support::code::has;
use crate::support::declared::declares;

fn program(declarations: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, unsigned in[n], unsigned x[n], unsigned out[n]) {{
  {declarations}
  (void)out;
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  unsigned in[9] = {{3, 1, 4, 1, 5, 9, 2, 6, 5}}, x[9] = {{0}}, out[9] = {{0}};
  for (int n = 1; n < 9; n++) {{
    f(n, in, x, out);
    for (int i = 0; i < n; i++)
      printf(\"%u %u \", x[i], out[i]);
  }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// Both cells in one would be read and written without an order.
#[test]
fn an_array_that_is_assigned_beside_a_read_stays() {
    let fill = "  a[0] = 50;\n  for (int i = 0; i < n; i++)\n    ";
    for (name, line) in [
        ("after", "x[i] = a[i] + (a[i + 1] = in[i] + 7);"),
        ("before", "x[i] = (a[i + 1] = in[i] + 7) + a[i];"),
        ("compound", "x[i] += (a[i + 1] = in[i] + 7) * 3 - a[i];"),
        ("decides", "x[i] = (a[i + 1] = in[i]) > 3 && a[i + 1] < 9;"),
    ] {
        let result = optimized(name, &program("unsigned a[n + 1];", &format!("{fill}{line}")), &[]);
        assert!(declares(&result, "a", &["n + 1"]) && has(&result, line), "{name}: {result}");
        agree(name);
    }
}

#[test]
fn nothing_else_lives_where_a_larger_expression_assigns() {
    let (declarations, fill) = ("unsigned a[n], b[n];", "  for (int i = 0; i < n; i++)\n    a[i] = in[i];\n");
    let body = format!(
        "{fill}  for (int i = 0; i < n; i++)\n    x[i] = (b[i] = in[i] + 7) + 3 * a[i];
  for (int i = 0; i < n; i++)\n    x[i] += b[i];"
    );
    let result = optimized("beside", &program(declarations, &body), &[]);
    assert!(has(&result, "(b[i] = in[i] + 7) + 3 * a[i]"), "{result}");
    agree("beside");
    let body = format!("{fill}  for (int i = 0; i < n; i++) {{\n    x[0] += (out[i] = 3) + a[i];\n  }}");
    let result = optimized("output", &program("unsigned a[n];", &body), &["--reuse-outputs"]);
    assert!(has(&result, "x[0] += (out[i] = 3) + a[i];"), "{result}");
    agree("output");
    let body = body.replace("(out[i] = 3) + a[i];", "a[i];\n    out[i] = 3;");
    let result = optimized("outermost", &program("unsigned a[n];", &body), &["--reuse-outputs"]);
    assert!(has(&result, "x[0] += out[i];"), "{result}");
    agree("outermost");
}

/// What else such a statement touches is like any other array's.
#[test]
fn other_arrays_of_a_larger_expression_change() {
    let body = "  for (int i = 0; i < n; i++)
    a[i] = in[i];
  for (int i = 0; i < n; i++)
    x[i] = (out[i] = 3) + a[i];";
    let result = optimized("others", &program("unsigned a[n];", body), &["--reuse-outputs"]);
    assert!(has(&result, "x[i] = (out[i] = 3) + x[i];"), "{result}");
    agree("others");
}

/// What one assignment assigns, the next one may assign: that has an order.
#[test]
fn a_chain_of_assignments_is_no_larger_expression() {
    let body = "  for (int i = 0; i < n; i++) {\n    x[i] = a[i] = in[i] + 1;\n    out[i] = a[i] * 2;\n  }";
    let result = optimized("chain", &program("unsigned a[n];", body), &[]);
    assert!(has(&result, "x[i] = a = in[i] + 1;"), "{result}");
    agree("chain");
}

/// Initializers are expressions one after the other: the first one writes before the last one reads.
#[test]
fn an_array_that_one_of_several_initializers_assigns_stays() {
    let body = "  for (int i = 0; i < n; i++)\n    a[i] = in[i];
  for (int i = 0; i < n; i++) {
    unsigned p = a[i] = 1, r = b[i] = 7, q = a[i];
    x[i] = p + q + r;
  }
  for (int i = 0; i < n; i++)\n    b[i] = 2 * in[i];
  for (int i = 0; i < n; i++)\n    x[i] += b[n - 1 - i];";
    let result = optimized("initializers", &program("unsigned a[n], b[n];", body), &[]);
    assert!(has(&result, "unsigned a[n], b[n];"), "{result}");
    agree("initializers");
}
