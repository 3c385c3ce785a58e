//! `--emit fast`: pointers to rows that statements use under a condition on an outer counter, in loops that begin before there is such a row.

use super::forms::{Function, all_agree};

const SIZES: &str = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 15, 16, 17";
const NO: &str = "0";

#[test]
fn rows_that_wait_for_others_are_pointers() {
    let in_one = Function { name: "", locals: "double a[n + 1][n + 1];", body: "", n: SIZES, t: NO, says: &[] };
    let functions = [
        Function {
            name: "behind",
            body: "  for (int i = 0; i < n; i++) {
    a[i][0] = in[i];
    for (int j = 1; j < n; j++) {
      a[i][j] = in[i + j] * 0.5;
      if (i >= 2)
        out[i + j] = a[i - 2][j - 1] + a[i - 2][j] + 2 * a[i][j];
    }
  }",
            ..in_one
        },
        Function {
            name: "from_below",
            body: "  for (int i = -3; i < n; i++) {
    if (i >= 0)
      a[i][0] = in[i];
    for (int j = 1; j < n; j++) {
      if (i >= 0)
        a[i][j] = in[i + j] * 0.5;
      if (i >= 2)
        out[i + j] = a[i - 2][j - 1] + a[i - 1][j] + 2 * a[i][j];
    }
  }",
            ..in_one
        },
        Function {
            name: "from_two",
            body: "  for (int i = 2; i < n; i++) {
    a[i][0] = in[i];
    for (int j = 1; j < n; j++) {
      a[i][j] = in[i + j] * 0.5;
      if (i >= 7)
        out[i + j] = a[i - 5][j] + a[i - 1][j - 1] * a[i][j];
    }
  }",
            ..in_one
        },
        Function {
            name: "places_behind_each_other",
            locals: "double a[n + 1][n + 1], b[n + 1][n + 1];",
            body: "  for (int i = 0; i < n; i++) {
    b[i][0] = in[i + 1];
    a[i][0] = in[i];
    for (int j = 1; j < n; j++) {
      a[i][j] = in[i + j] * 0.5;
      if (i >= 4)
        out[i + j] = b[i - 1][0] + b[i - 4][0] + a[i - 4][0] + a[i - 3][0] + a[i - 2][0] + a[i - 1][j] + 2 * a[i][j];
    }
  }",
            ..in_one
        },
        Function {
            name: "on_data",
            body: "  for (int i = 0; i < n; i++) {
    a[i][0] = in[i];
    for (int j = 1; j < n; j++) {
      a[i][j] = in[i + j] * 0.5;
      if (i >= 3) {
        if (in[j] > 4)
          out[i + j] = a[i - 3][j - 1] + a[i][j];
      }
    }
  }",
            ..in_one
        },
    ];
    all_agree("safe_rows", &functions, &["--method", "successive-modulo"]);
}
