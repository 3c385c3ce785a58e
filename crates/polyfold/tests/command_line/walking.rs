//! `--emit fast`: rows in a ring of rings.

use super::forms::{Function, all_agree};

const SIZES: &str = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9";

/// The rows of a triangle in a ring of rings: a third of them goes around.
const TRIANGLE: &str = "  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      for (int k = 0; k < t; k++) a[j][i][k] = in[j + 3 * i + k];
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++) {
      double sum = 0;
      for (int k = 0; k < t; k++) sum += (k + 1) * a[j][i][k];
      out[n * j + i] = sum;
    }";

fn triangle() -> Function<'static> {
    Function {
        name: "triangle",
        locals: "double a[n + 1][n + 1][t];",
        body: TRIANGLE,
        n: SIZES,
        t: "1, 2, 3, 5",
        says: &[],
    }
}

#[test]
fn rows_go_around_in_a_triangle() {
    let sums = TRIANGLE
        .replace("double sum = 0;", "double sum = a[j][i][0];")
        .replace("int k = 0; k < t; k++) sum", "int k = 1; k < t; k++) sum");
    all_agree("walking", &[triangle(), Function { name: "sums", body: &sums, ..triangle() }], &[]);
}

/// A row that not each turn uses may be in no ring, as that of a loop without a turn.
#[test]
fn rows_that_not_each_turn_uses_stay_in_their_ring() {
    let stays = Function { says: &[], ..triangle() };
    let later = TRIANGLE.replace("i = j;", "i = j + 1;");
    let functions = [
        Function { name: "no_cells", locals: "double a[n + 1][n + 1][t + 1];", t: "0, 1, 2, 5", ..stays.clone() },
        Function { name: "no_rows", body: &later, says: &[], ..stays },
    ];
    all_agree("not_walking", &functions, &[]);
}
