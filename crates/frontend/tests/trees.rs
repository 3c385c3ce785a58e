//! What the tree with expressions says of a scop.

#[allow(dead_code)]
mod support;
use support::*;

/// The tree of the only scop, if it has one.
fn tree(parameters: &str, declarations: &str, scop: &str) -> Option<String> {
    let parsed = read(&function(parameters, declarations, scop));
    let [scop] = &parsed.scops[..] else { panic!("{:#?}", parsed.diagnostics) };
    scop.program.as_ref().map(ToString::to_string)
}

fn has(parameters: &str, declarations: &str, scop: &str, wanted: &[&str]) {
    let tree = tree(parameters, declarations, scop).expect("it is a program");
    wanted.iter().for_each(|own| assert!(tree.contains(own), "no `{own}` in\n{tree}"));
}

#[test]
fn one_subscript_for_all_dimensions_is_read_as_rows() {
    let scop =
        "for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] += x[(i - 1) * m + j] > 0 ? 1 : j;";
    let wanted = ["inout \"double\" x[?, m] narrow;", "y[i][j] = y[i][j] + (x[i - 1][j] > 0 ? 1 : j);"];
    has("int n, int m, double *x, double *y", "", scop, &wanted);
    let tested = "for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) if (x[i * m + j] > 0) y[j] = 1;";
    has("int n, int m, double *x, double *y", "", tested, &["if (x[i][j] > 0) {"]);
    let first_row = "for (int j = 0; j < m; j++) y[j] = x[j];";
    let rows =
        format!("{first_row} for (int i = 1; i < n; i++) for (int j = 0; j < m; j++) y[i * m + j] = y[i * m - m + j];");
    has("int n, int m, double *x, double *y", "", &rows, &["y[0][j] = x[j];", "y[i][j] = y[i - 1][j];"]);
    let over = "for (int i = 0; i < n; i++) for (int j = 0; j <= m; j++) y[i * m + j] = x[j];";
    assert_eq!(tree("int n, int m, double *x, double *y", "", over), None, "a cell has two names");
}

#[test]
fn subscripts_that_data_decide_are_what_they_compute() {
    let scop = "for (int i = 0; i < n; i++) { bins[key[i]] += 1; low[i][k[i] / 2 + i] = lut[k[i]]; }";
    let wanted = [
        "bins[key[i]] = bins[key[i]] + 1;",
        "low[i][k[i] / 2 + i] = lut[k[i]];",
        "inout \"int\" lut[?];",
        "inout \"int\" low[n][9];",
    ];
    has("int n, int *key, int *k, int *lut, int bins[16], int low[n][9]", "", scop, &wanted);
}

#[test]
fn a_pointer_that_may_lead_anywhere_has_no_cells_of_its_own() {
    let scop = "for (int i = 0; i < n; i++) p[i] = x[i];";
    assert!(tree("int n, double x[n], double *p", "", scop).is_some());
    assert_eq!(tree("int n, double x[n]", "double *p = x;", scop), None);
}
