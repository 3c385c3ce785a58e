//! `--emit fast`: cells that variables stand for while loops add them up.

use super::files::{agree, optimized, path};
use super::forms::{Function, all_agree};
use crate::support::code::has;
use crate::support::compiler;

const SIZES: &str = "0, 1, 2, 3, 4, 7, 8, 9, 16, 17, 33";

/// A function over rows of which two are alive at a time.
fn rows(name: &'static str, body: &'static str, says: &'static [&'static str]) -> Function<'static> {
    Function { name, locals: "double s[9][n + 1];", body, n: SIZES, t: "0, 3, 6", says }
}

/// In a loop over i and one over j.
macro_rules! in_rows {
    ($turn:literal) => {
        in_rows!($turn, "")
    };
    ($turn:literal, $before:literal) => {
        concat!(
            "  for (int j = 0; j < n; j++)\n    s[0][j] = in[j];\n",
            "  for (int i = 1; i < 9; i++) {\n",
            $before,
            "    for (int j = 0; j < n; j++) {\n",
            $turn,
            "    }\n  }\n",
            "  for (int j = 0; j < n; j++)\n    out[j] = s[8][j];"
        )
    };
}

#[test]
fn cells_that_loops_add_up_are_variables() {
    let functions = [
        rows(
            "sums",
            in_rows!(
                "      s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k] * in[j + k];
      s[i][j] /= 2;
"
            ),
            &["double s_cell = 0;", "s_cell += _;", "s_cell /= 2;"],
        ),
        rows(
            "largest",
            in_rows!(
                "      s[i][j] = s[i - 1][0];
      out[j + 99] = 0;
      for (int k = 1; k < n; k++)
        if (s[i - 1][k] * in[k] > s[i][j]) {
          s[i][j] = s[i - 1][k] * in[k];
          out[j + 99] = k;
        }
"
            ),
            &["_ > s_cell"],
        ),
        rows(
            "nested",
            in_rows!(
                "      s[i][j] = 1;
      for (int k = 0; k < 3; k++)
        for (int l = j; l < n; l++)
          s[i][j] = s[i][j] * in[k] - s[i - 1][l];
"
            ),
            &["double s_cell = 1;", "s_cell * in[k]"],
        ),
        rows(
            "loaded",
            in_rows!(
                "      for (int k = j + 1; k < n; k++)
        s[i][j] -= s[i - 1][k] * in[k];
      s[i][j] /= 3;
",
                "    for (int j = 0; j < n; j++)\n      s[i][j] = in[j + 5];\n"
            ),
            &["s_cell -= _;"],
        ),
        rows(
            "read_behind_a_condition",
            in_rows!(
                "      s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
      if (j >= 2)
        out[j + 99] = s[i][j];
      if (in[j] > 4)
        out[j + 199] = s[i][j];
"
            ),
            &["double s_cell = 0;"],
        ),
        rows(
            "in_one_line",
            in_rows!("      s[i][j] = 0; for (int k = 0; k < n; k++) s[i][j] += s[i - 1][k];\n"),
            &["double s_cell = 0;", "s_cell += _;"],
        ),
    ];
    all_agree("scalar_cells", &functions, &[]);
}

#[test]
#[ignore = "long, in ./check-more"]
fn several_cells_of_a_turn_are_variables() {
    let functions = [
        Function {
            name: "means",
            locals: "float a[n + 8][n + 8], m[n + 8][n + 8], v[n + 8][n + 8];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = (float)in[i + j];
  for (int i = 0; i < n; i++)
    for (int j = 3; j < n - 3; j++) {
      m[i][j] = 0;
      v[i][j] = 0;
      for (int k = -3; k <= 3; k++) {
        m[i][j] += a[i][j + k];
        v[i][j] += a[i][j + k] * a[i][j + k];
      }
      m[i][j] *= 0.125f;
    }
  for (int i = 0; i < n; i++)
    for (int j = 3; j < n - 3; j++)
      out[i] += v[i][j] - m[i][j] * m[i][j];",
            n: "0, 6, 7, 8, 9, 12, 21",
            t: "0, 5",
            says: &["float m_cell = 0;", "float v_cell = 0;", "m_cell *= 0.125f;"],
        },
        rows(
            "one_behind_another",
            in_rows!(
                "      s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
      out[j + 99] = s[i][j];
      s[i][n] = 1;
      for (int k = 0; k < n; k++)
        s[i][n] += in[k] * s[i - 1][k];
      out[j + 199] += s[i][n];
"
            ),
            &["double s_cell = 0;", "double s_cell1 = 1;"],
        ),
    ];
    all_agree("scalar_cells_together", &functions, &[]);
}

/// Rows in memory from `malloc`, with subscripts of one dimension.
#[test]
fn cells_of_the_heap_are_variables() {
    let source = "#include <stdio.h>
#include <stdlib.h>
static int f(int n, int m, const double *in, double *out) {
  double *s = malloc(n * m * sizeof(double));
  if (s == NULL)
    return 1;
#pragma scop
  for (int j = 0; j < m; j++)
    s[j] = in[j];
  for (int i = 1; i < n; i++)
    for (int j = 0; j < m; j++) {
      s[i * m + j] = 0;
      for (int k = 0; k < m; k++)
        s[i * m + j] += s[(i - 1) * m + k] * in[j + k];
      s[i * m + j] /= m;
    }
  for (int j = 0; j < m; j++)
    out[j] = s[(n - 1) * m + j];
#pragma endscop
  free(s);
  return 0;
}
int main(void) {
  static double in[40], out[20];
  for (int i = 0; i < 40; i++)
    in[i] = i * 7 % 13;
  for (int n = 1; n < 5; n++)
    for (int m = 1; m < 20; m += 3) {
      if (f(n, m, in, out))
        return 1;
      for (int j = 0; j < m; j++)
        printf(\"%a\\n\", out[j]);
    }
  return 0;
}
";
    let result = optimized("scalar_cells_heap", source, &["--emit", "fast"]);
    assert!(has(&result, "double s_cell = 0;") && has(&result, "_ = s_cell;"), "{result}");
    agree("scalar_cells_heap");
    compiler::all_warnings(&path("scalar_cells_heap.out.c")).unwrap();
}

/// Whatever the source writes its accesses with, and whatever stands in front of its loops.
#[test]
#[ignore = "long, in ./check-more"]
fn cells_in_macros_and_behind_pragmas_are_variables() {
    let functions = [
        Function {
            locals: "double s[9][n + 1];\n#define OWN(i, j) s[i][j]",
            ..rows(
                "in_macros",
                in_rows!(
                    "      OWN(i, j) = 0;
      for (int k = 0; k < n; k++)
        OWN(i, j) += s[i - 1][k];
"
                ),
                &["double s_cell = 0;", "s_cell += _;", "_ = s_cell;"],
            )
        },
        rows(
            "in_directives",
            in_rows!(
                "      s[i][j] = 0;
#pragma GCC unroll 2
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
            ),
            &["double s_cell = 0;", "s_cell += _;", "_ = s_cell;"],
        ),
    ];
    all_agree("scalar_cells_hidden", &functions, &[]);
}

/// Where something else touches the cell in the meantime, or the text is not plainly one statement after the other.
#[test]
#[ignore = "long, in ./check-more"]
fn other_cells_stay_in_memory() {
    let functions = [
        rows(
            "met_by_a_read",
            in_rows!(
                "      s[i][j] = 1;
      for (int k = 0; k <= j; k++)
        s[i][j] += s[i][k] * s[i - 1][k];
"
            ),
            &["!s_cell"],
        ),
        rows(
            "met_in_one_size",
            in_rows!(
                "      s[i][j] = 1;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k] + (k <= j - t ? s[i][k + t] : 0);
"
            ),
            &["!s_cell"],
        ),
        rows(
            "labelled",
            in_rows!(
                "      S1: s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
            ),
            &["!s_cell"],
        ),
        rows(
            "begun_on_a_condition",
            in_rows!(
                "      if (t > 2) s[i][j] = 0; else s[i][j] = 1;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
            ),
            &["!s_cell"],
        ),
        rows(
            "begun_with_others",
            in_rows!(
                "      out[j + 99] = s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
            ),
            &["!s_cell"],
        ),
        rows(
            "in_a_block_of_its_own",
            in_rows!(
                "      {
        s[i][j] = 0;
      }
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
            ),
            &["!s_cell"],
        ),
        Function {
            name: "read_by_nobody_else",
            locals: "double s[9][n + 3], w[9][2];",
            body: "  for (int i = 0; i < 9; i++) {
    w[i][0] = 0;
    w[i][1] = 1;
    for (int j = 0; j < n; j++) {
      s[i][j] = in[j + i];
      w[i][0] += s[i][j];
      if (s[i][j] > w[i][1]) w[i][1] = s[i][j];
    }
    for (int j = 0; j < n; j++)
      out[i * 33 + j] = s[i][j] / w[i][1] - w[i][0];
  }",
            n: "0, 1, 2, 3, 7, 16",
            t: "0",
            says: &["!w_cell"],
        },
        Function {
            locals: "typedef double number;\n  number s[9][n + 1];",
            ..rows(
                "of_a_type_with_a_name",
                in_rows!(
                    "      s[i][j] = 0;
      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
"
                ),
                &["!s_cell"],
            )
        },
        rows(
            "without_a_statement",
            in_rows!(
                "      for (int k = 0; k < n; k++)
        s[i][j] += s[i - 1][k];
",
                "    for (int j = 0; j < n; j++)\n      s[i][j] = in[j + 5];\n"
            ),
            &["!s_cell"],
        ),
        rows(
            "in_other_words",
            in_rows!(
                "      for (int k = 0; k < n; k++)
        s[i][j + k - k] += s[i - 1][k];
      s[i][j] += 1;
",
                "    for (int j = 0; j < n; j++)\n      s[i][j] = in[j + 5];\n"
            ),
            &["!s_cell"],
        ),
    ];
    all_agree("scalar_cells_not", &functions, &[]);
}
