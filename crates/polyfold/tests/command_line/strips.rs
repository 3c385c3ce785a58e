//! `--emit fast`: rings of a few cells, at the sizes around one and two turns of them.

use super::files::{agree, optimized, path};
use super::forms::{Function, all_agree};
use crate::support::compiler;

/// Of moduli up to 5.
const FEW: &str = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13";
const NO: &str = "0";

/// A recurrence whose first two values stand in front of its loop, and whose last two are used behind it.
const RECURRENCE: &str = "  w[0] = in[0];
  w[1] = in[1];
  for (int j = 0; j < n; j++)
    w[j + 2] = 0.5 * w[j + 1] - 0.25 * w[j] + in[j];
  out[0] = w[n] + 2 * w[n + 1];";

const ON_DATA: &str = "  for (int j = 0; j < n; j++) {
    if (in[j] > 5) w[j] = in[j]; else w[j] = 1;
    if (j >= 2) out[j] = w[j - 2] + 3 * w[j - 1] + 2 * w[j];
  }";

#[test]
fn rings_of_a_few_cells_are_gone_through() {
    let in_one = Function { name: "", locals: "double w[n + 9];", body: "", n: FEW, t: NO, says: &[] };
    let functions = [
        Function { name: "recurrence", body: RECURRENCE, says: &[], ..in_one },
        Function { name: "on_data", body: ON_DATA, says: &[], ..in_one },
        Function {
            name: "in_rows",
            locals: "double w[5][n + 3];",
            body: "  for (int c = 0; c < 5; c++) {
    w[c][0] = c;
    w[c][1] = in[c];
    w[c][2] = 1;
    for (int j = 3; j < n + 3; j++)
      w[c][j] = 0.5 * w[c][j - 3] - w[c][j - 1] + in[j];
  }
  for (int c = 0; c < 5; c++)
    out[c] = w[c][n + 2];",
            says: &[],
            ..in_one
        },
        Function {
            name: "declares",
            body: "  w[0] = in[0];
  w[1] = in[1];
  for (int j = 2; j < n + 2; j++) {
    double sum = w[j - 1] * 0.5;
    sum += w[j - 2];
    w[j] = sum + in[j];
    out[j] = w[j];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "shared",
            locals: "double w[n + 3], v[n + 3];",
            body: "  w[0] = in[0]; w[1] = in[1]; v[0] = in[2]; v[1] = in[3];
  for (int j = 2; j < n; j++) {
    w[j] = in[j] + in[j - 1];
    v[j] = w[j] + w[j - 1] - w[j - 2];
    out[j] = v[j] - v[j - 1] + 2 * v[j - 2];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "two_rings",
            locals: "double w[n + 3]; float v[n + 4];",
            body: "  w[0] = in[0]; w[1] = in[1]; v[0] = 1; v[1] = 1; v[2] = 1;
  for (int j = 0; j < n; j++) {
    w[j + 2] = 0.5 * w[j] - w[j + 1];
    v[j + 3] = 0.5f * v[j] + 3 * v[j + 1] + w[j + 2];
    out[j] = w[j + 2] + v[j + 3];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "by_two",
            body: "  w[0] = in[0]; w[1] = in[1]; w[2] = in[2];
  for (int j = 3; j < n; j += 2) {
    w[j] = w[j - 3] + in[j];
    w[j + 1] = w[j - 2] * 0.5;
    out[j] = w[j + 1] + w[j - 1];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "multiples_of_the_ring",
            locals: "double w[2 * n + 9];",
            body: "  for (int k = 0; k < n; k++) {
    w[2 * k] = in[k];
    w[2 * k + 1] = 3 * in[k + 1];
    out[k] = 0;
    for (int i = 0; i < 2; i++)
      out[k] = 0.5 * out[k] + w[2 * k + i] * w[2 * k + 1 - i];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "counter_outside",
            locals: "int j; double w[n + 9];",
            body: "  w[0] = in[0]; w[1] = in[1];
  for (j = 2; j < n; j++)
  {
    w[j] = 0.5 * w[j - 2] + w[j - 1]; out[j] = w[j];
  }
  out[0] = j;",
            says: &[],
            ..in_one
        },
        Function {
            name: "down",
            body: "  w[n + 7] = in[0]; w[n + 6] = in[1];
  for (int j = n + 5; j >= 0; j--)
    w[j] = 0.5 * w[j + 2] + w[j + 1] + in[j];
  out[0] = w[0] - w[1];",
            says: &[],
            ..in_one
        },
        Function {
            name: "on_one_line",
            body: "  w[0] = in[0]; w[1] = in[1]; w[2] = 3;
  for (int j = 3; j < n; j++) { w[j] = in[j] * w[j - 3]; out[j] = w[j] + w[j - 1]; }",
            ..in_one
        },
        Function {
            name: "without_braces",
            body: "  w[0] = in[0]; w[1] = in[1]; w[2] = 3;
  for (int j = 3; j < n; j++)
    if (in[j] > 4)
      w[j] = in[j] * w[j - 3] - w[j - 1];
    else
      w[j] = w[j - 2];
  if (n > 3) out[0] = w[n - 1];",
            says: &[],
            ..in_one
        },
    ];
    all_agree("at_strips", &functions, &[]);
}

/// The longest of them, two in one loop, and rings that loops begin at a place that sizes say, or counters.
#[test]
fn loops_begin_anywhere_in_rings() {
    let ring = Function {
        name: "",
        locals: "double w[n + 40];",
        body: "",
        n: "0, 1, 2, 12, 13, 14, 30, 31, 32, 33, 61, 62, 63, 64",
        t: "0, 1, 2",
        says: &[],
    };
    let functions = [
        Function {
            name: "ring_of_13",
            body: "  for (int j = 0; j < 13; j++) w[j] = in[j];
  for (int j = 13; j < n; j++) {
    w[j] = in[j] + 0.5 * w[j - 13];
    out[j] = w[j] - w[j - 5];
  }",
            says: &[],
            ..ring
        },
        Function {
            name: "ring_of_31",
            body: "  for (int j = 0; j < 31; j++) w[j] = in[j];
  for (int j = 31; j < n; j++) {
    w[j] = in[j] + 0.5 * w[j - 31];
    out[j] = w[j] - w[j - 30];
  }",
            says: &[],
            ..ring
        },
        Function {
            name: "rings_of_5_and_7",
            locals: "double w[n + 40]; float v[n + 40];",
            body: "  for (int j = 0; j < 5; j++) w[j] = in[j];
  for (int j = 0; j < 7; j++) v[j] = in[j];
  for (int j = 7; j < n; j++) {
    w[j - 2] = in[j] + 0.5 * w[j - 7];
    v[j] = in[j] - v[j - 7] + w[j - 2];
    out[j] = v[j];
  }",
            says: &[],
            ..ring
        },
        Function {
            name: "begins_anywhere",
            body: "  w[t] = in[0]; w[t + 1] = in[1];
  for (int j = t + 2; j < n; j++) {
    w[j] = in[j] + 0.5 * w[j - 2] - w[j - 1];
    out[j] = w[j];
  }",
            says: &[],
            ..ring
        },
        Function {
            name: "begins_with_a_counter",
            body: "  for (int i = 0; i < 3; i++) {
    w[i] = in[0];
    w[i + 1] = in[i];
    for (int j = i + 2; j < n; j++) {
      w[j] = in[j] + 0.5 * w[j - 2] - w[j - 1];
      out[j] += w[j];
    }
  }",
            says: &[],
            ..ring
        },
        Function {
            name: "begins_at_multiples",
            body: "  w[2 * t] = in[0]; w[2 * t + 1] = in[1];
  for (int j = 2 * t + 2; j < n; j++) {
    w[j] = in[j] + 0.5 * w[j - 2] - w[j - 1];
    out[j] = w[j];
  }",
            says: &[],
            ..ring
        },
    ];
    all_agree("at_strips_ends", &functions, &[]);
}

/// Names of the program are not taken.
#[test]
fn names_of_the_program_stay_its_own() {
    let source = format!(
        "#include <stdio.h>
int main(void) {{
  for (int n = 0; n < 9; n++) {{
    double w[n + 9], in[20], out[20] = {{0}}, at = 0, w_at0 = 1;
    for (int i = 0; i < 20; i++) in[i] = i * 7 % 11;
#pragma scop
{ON_DATA}
#pragma endscop
    for (int i = 0; i < 20; i++) at += out[i] * i;
    printf(\"%g\\n\", at + w_at0);
  }}
  return 0;
}}
"
    );
    optimized("strips_names", &source, &["--emit", "fast"]);
    agree("strips_names");
    compiler::all_warnings(&path("strips_names.out.c")).unwrap();
}
