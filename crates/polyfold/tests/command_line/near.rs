//! `--emit fast`: subscripts next to each other in several rings of one loop, at the sizes around one and two turns of each ring.

use super::forms::{Function, all_agree};

/// Around 40, 41, 50 and twice as much.
const AROUND: &str = "0, 1, 2, 3, 4, 39, 40, 41, 42, 43, 44, 49, 50, 51, 52, 53, 79, 80, 81, 82, 83, 84, 99, 100, 101, 102, 103, 160, 210";
const NO: &str = "0";

#[test]
fn neighbours_in_several_rings_have_one_place() {
    let in_one = Function { name: "", locals: "double v[n + 9], w[n + 9];", body: "", n: AROUND, t: NO, says: &[] };
    let functions = [
        Function {
            name: "echo",
            body: "  for (int j = 0; j < 41 && j < n; j++) {
    v[j] = in[j];
    w[j] = 0.5 * v[j];
  }
  for (int j = 41; j < n; j++) {
    v[j] = in[j] + 0.5 * w[j - 41];
    w[j] = 0.5 * v[j] + 0.25 * w[j - 1];
    out[j] = v[j - 40] + 0.5 * v[j];
  }",
            ..in_one
        },
        Function {
            name: "by_two",
            body: "  for (int j = 0; j < n; j++) {
    v[j] = in[j];
    if (j >= 2) w[j] = in[j] + 0.5 * w[j - 2]; else w[j] = 1;
    if (j >= 50) out[j] = w[j - 50] + v[j - 40];
  }",
            ..in_one
        },
        Function {
            name: "unsure",
            body: "  for (int j = 0; j < n; j++) {
    if (in[j] > 5 && j >= 3) v[j] = v[j - 3] + 1; else v[j] = in[j];
    if (j >= 1) w[j] = v[j] - 0.5 * w[j - 1]; else w[j] = v[j];
    if (j >= 49) out[j] = w[j - 44] + v[j - 49];
  }",
            ..in_one
        },
        Function {
            name: "from_below",
            body: "  for (int j = -3; j < n - 3; j++) {
    v[j + 3] = in[j + 3];
    if (j >= -1) w[j + 3] = in[j + 3] + 0.5 * w[j + 1]; else w[j + 3] = 1;
    if (j >= 47) out[j + 3] = w[j - 47] + v[j - 37];
  }",
            says: &[],
            ..in_one
        },
        Function {
            name: "only_read",
            body: "  for (int j = 0; j < n; j++) {
    v[j] = in[j];
    w[j] = 2 * in[j];
  }
  for (int j = 50; j < n; j++)
    out[j] = w[j - 1] + w[j] + v[j - 40] + v[j - 39];",
            says: &[],
            ..in_one
        },
    ];
    all_agree("near", &functions, &["--scope", "intra"]);
    all_agree("near_shared", &functions.map(|function| Function { says: &[], ..function }), &[]);
}
