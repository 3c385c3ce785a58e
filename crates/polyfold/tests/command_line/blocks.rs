//! Declarations in blocks with loops, which move in front of new loops.

use super::fast;
use super::files::{agree, file, optimized, path, run};
use super::forms::{Function, all_agree};
use super::schedules::program;
use crate::support::code::{count, has};
use crate::support::compiler;
use crate::support::declared::declares;

/// A row and a sum for each turn of the outer loop.
fn rows() -> String {
    let body = "  for (int i = 0; i < n; i++) {
    double row[m];
    const double first = in[i][0];
    double sum = 0;
    for (int j = 0; j < m; j++)
      row[j] = in[i][j] * first;
    for (int j = 0; j < m; j++)
      sum += row[j];
    out[i][0] = sum;
  }";
    program("", body)
}

#[test]
fn what_a_block_declares_stands_in_front_of_new_loops() {
    let order =
        "{ S0[i] -> [i, 0, 0]; S1[i] -> [i, 0, 1]; S2[i, j] -> [i, 1, j]; S3[i, j] -> [i, 1, j]; S4[i] -> [i, 2, 0] }";
    let result = optimized("declared", &rows(), &["--schedule", order]);
    let head = "double first; double sum; for (int i = 0; i < n; i++) { first = in[i][0]; sum = 0; _; _; }";
    assert!(has(&result, head), "{result}");
    assert!(has(&result, "for (int j = _; _; _) { double row = in[i][j] * first; sum += row; }"), "{result}");
    agree("declared");
    compiler::all_warnings(&path("declared.out.c")).unwrap();
}

/// The block moves as a whole, with a statement that is alone in it.
#[test]
fn a_block_declares_what_its_only_statement_sets() {
    let body = "  for (int c = 0; c < n; c++) {
    double last;
    last = in[c][0];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = in[i][j] + 1;";
    let order = "{ S0[c] -> [0, c, 0]; S1[i, j] -> [1, j, i] }";
    let result = optimized("only_statement", &program("", body), &["--schedule", order]);
    assert!(has(&result, "for (int j = _; _; _) for (int i = _; _; _) _;"), "{result}");
    // The source draws a warning of the variable, too.
    compiler::compile(&path("only_statement.out.c"), &["-w"]).unwrap();
}

/// What is carried along behind a block isn't declared in it.
#[test]
fn what_begins_behind_a_block_is_declared_there() {
    let source = fast::program(
        "double all[n + 2], rows[n + 2][n + 2];",
        "  {
    double first[n + 2];
    for (int j = 0; j <= n + 1; j++)
      first[j] = in[0][j] * t;
    for (int j = 0; j <= n + 1; j++)
      all[j] = first[n + 1 - j];
  }
  for (int j = 0; j <= n + 1; j++)
    out[0][j] += all[j % 2];
  for (int i = 1; i <= n; i++) {
    for (int j = 0; j <= n + 1; j++)
      rows[i][j] = out[i - 1][j] + in[i][j];
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = rows[i][n + 1 - j];
  }",
    );
    let result = fast::fast("behind_a_block", &source, &[]);
    assert!(has(&result, "{ double first[n + 2]; _; _; } long all_at = 0; for (_; _; _) _;"), "{result}");
}

/// In front of the scop they can grow.
#[test]
fn turns_that_come_apart_get_cells_of_their_own() {
    let order =
        "{ S0[i] -> [0, i, 0]; S1[i] -> [0, i, 1]; S2[i, j] -> [1, i, j]; S3[i, j] -> [2, i, j]; S4[i] -> [3, i, 0] }";
    let result = optimized("turns", &rows(), &["--schedule", order]);
    assert_eq!(count(&result, "for (int i = 0; i < n; i++) _;"), 4, "{result}");
    for (name, extents) in [("first_turns", 1), ("sum_turns", 1), ("row_turns", 2)] {
        assert!(declares(&result, name, &["n <= 1 ? 1 : n", "m"][..extents]), "no {name}: {result}");
    }
    agree("turns");
}

#[test]
fn a_parallel_loop_does_not_share_what_its_block_declares() {
    let body = "#pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double row[m];
    for (int j = 0; j < m; j++)
      row[j] = in[i][j] * 2;
    for (int j = 1; j < m; j++)
      out[i][j] = row[j] - row[j - 1];
  }";
    let result =
        optimized("own_row", &program("", body), &["--schedule", "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }"]);
    assert!(!has(&result, "#pragma omp parallel for\n_;") && declares(&result, "row", &["2"]), "{result}");
    agree("own_row");
}

/// In front of the scop its cells are in the way of the other order. They grow, and iterations stay independent.
#[test]
fn what_a_parallel_loop_declares_grows_for_an_order_that_turns_it_over() {
    let body = "  #pragma omp parallel for
  for (int i = 0; i < n; i++) {
    double row[m];
    for (int j = 0; j < m; j++)
      row[j] = in[i][j] * 2;
    for (int j = 0; j < m; j++)
      out[i][j] = row[m - 1 - j];
  }";
    let order = "{ S0[i, j] -> [-i, 0, j]; S1[i, j] -> [-i, 1, j] }";
    for (name, more) in [("turned", &[][..]), ("turned_by_hand", &["--parallel", "0"])] {
        let result = optimized(name, &program("", body), &[&["--schedule", order], more].concat());
        let head = "#pragma omp parallel for\nfor (int i = n - 1; i >= 0; i--) _;";
        assert!(has(&result, head) && has(&result, "row_turns[i][j] = in[i][j] * 2;"), "{result}");
        agree(name);
    }
    let inner = optimized("turned_inside", &program("", body), &["--schedule", order, "--parallel", "2"]);
    assert!(has(&inner, "#pragma omp parallel for\nfor (int j = _; _; _) _;"), "{inner}");
    assert!(!inner.contains("nothing reads it"), "{inner}");
    agree("turned_inside");
}

#[test]
fn an_extent_is_positive_where_no_turn_is() {
    let body = "  for (int i = 1; i < n; i++) {
    double row[n - 1];
    for (int j = 1; j < n; j++)
      row[j - 1] = in[i][0] * j;
    for (int j = 1; j < n; j++)
      out[i][0] += row[n - 1 - j];
  }";
    let order = "{ S0[i, j] -> [i, 0, -j]; S1[i, j] -> [i, 1, j] }";
    let result = optimized("positive", &program("", body), &["--schedule", order]);
    assert!(declares(&result, "row", &["(n - 1) < 1 ? 1 : (n - 1)"]), "{result}");
    agree("positive");
}

#[test]
fn what_may_mean_something_else_in_front_stays() {
    let names = rows().replace("  double row[m];", "  int k = m;\n    double row[k];");
    let twice = rows().replace("  return 0;", "  double row = 1;\n  return row < 0;");
    let shadowed = rows().replace("#pragma endscop", "#pragma endscop\n  double sum = 1; out[0][0] += sum;");
    let together = rows().replace("double sum = 0;", "double sum = 0, more;\n    more = 1; sum += more - 1;");
    for (name, source, stays) in
        [("names", names, true), ("twice", twice, false), ("shadowed", shadowed, false), ("siblings", together, false)]
    {
        file(&format!("{name}.c"), &source);
        let run = run("optimize", &[&format!("{name}.c")], &["--schedule", "{ S9[i] -> [i] }"]);
        assert_eq!(run.stderr.contains("new loops cannot be written"), stays, "{name}: {}", run.stderr);
    }
}

/// In front of the scop `w` would be what the macro means.
#[test]
fn a_declaration_gets_another_name_where_a_macro_means_another_variable_of_its_name() {
    let body = "  for (int i = 0; i < n; i++) {
    double w = in[i][0];
    for (int j = 0; j < m; j++)
      out[i][j] = w + in[i][j];
  }";
    let order = ["--schedule", "{ S0[i] -> [i, 0, 0]; S1[i, j] -> [i, 1, j] }"];
    let plain = program("", body);
    let result = optimized("not_captured", &plain, &order);
    assert!(has(&result, "double w;"), "{result}");
    agree("not_captured");
    let at_top = "#include <stdio.h>\n";
    let outside = plain.replace(at_top, &format!("{at_top}double w = 7;\n"));
    let result = optimized("not_the_global", &outside, &order);
    assert!(has(&result, "double w2;"), "{result}");
    agree("not_the_global");
    let in_a_macro = plain.replace(at_top, &format!("{at_top}#define SEVEN w\n"));
    let result = optimized("in_a_macro", &in_a_macro, &order);
    assert!(has(&result, "double w2;"), "{result}");
    agree("in_a_macro");
}

/// What is said of a variable of a block is said in that block, and what changes in a declaration changes in the part that stays.
#[test]
fn small_arrays_of_a_block_become_variables() {
    let loops = |declared: &str, last: &str| {
        let body = format!(
            "  for (int i = 0; i < n; i++)
    t[i] = 2 * in[i][0];
  for (int i = 0; i < n; i++)
    u[i] = t[n - 1 - i];
  for (int i = 0; i < n; i++) {{
    {declared}
    z[1] = in[i][0] + t[i];
    out[i][0] = u[i];
    {last}
  }}"
        );
        program("double t[n], u[n];", &body)
    };
    let cases = [
        ("dead_store", loops("double z[2];", "t[i] = z[1];")),
        ("beside_a_value", loops("double w = u[i], z[2];", "out[i][0] += z[1] * w;")),
        ("in_front_of_a_value", loops("double z[2], w = u[i];", "out[i][0] += z[1] * w;")),
    ];
    for (name, source) in cases {
        for more in [&[][..], &["--reuse-outputs"], &["--schedule", "fuse"], &["--emit", "plain"]] {
            optimized(name, &source, more);
            agree(name);
            compiler::all_warnings(&path(&format!("{name}.out.c")))
                .unwrap_or_else(|why| panic!("{name} {more:?}: {why}"));
        }
    }
}

/// What a block of its own declares is nothing to what stands in front of it or behind: moves, and variables for cells.
#[test]
fn nothing_comes_into_blocks_of_their_own() {
    let function = |name, body| Function { name, locals: "double v[n + 2];", body, n: SIZES, t: "0", says: &[] };
    let functions = [
        function(
            "hidden_behind",
            "  for (int j = 0; j < n; j++) {
    v[j] = in[j];
    out[j] = v[j] + (j >= 2 ? v[j - 2] : 1);
    { double v[3]; v[0] = in[j]; v[1] = in[j]; v[2] = 2 * in[j]; out[j] += v[0] + v[1] + v[2]; }
  }",
        ),
        function(
            "in_front",
            "  for (int j = 0; j < n; j++) {
    { v[j] = in[j]; }
    out[j] = v[j] + (j >= 2 ? v[j - 2] : 1);
  }",
        ),
        function(
            "summed_up",
            "  for (int j = 0; j < n; j++) {
    { v[j] = in[j]; }
    for (int k = 0; k < j; k++) v[j] += in[k];
    out[j] = v[j] + (j >= 1 ? v[j - 1] : 1);
  }",
        ),
        function(
            "declared_in_front",
            "  for (int i = 0; i < n; i++) {
    double w[20]; for (int k = 0; k <= i; k++) w[0] = k == 0 ? in[i] : w[0] * in[k];
    v[i] = w[0];
    out[i] = v[i] + (i > 0 ? v[i - 1] : 1);
  }",
        ),
    ];
    all_agree("blocks_of_their_own", &functions, &[]);
}

/// Declarations next to each other go together, with the gap between them.
#[test]
fn declarations_in_one_line_go_together() {
    let gone = "  double c = 100;
  for (int j = 0; j < n; j++) {
    double a;        double b; double c; c = in[j];
    a = in[j];
    b = 2 * in[j];
    v[j] = a;
    v[j] = v[j] + b;
    out[j] = c;
  }
  out[299] = c;";
    let packed = gone.replace("double b; double c; c = in[j];", "double b;out[j + 100] = 1; double c; c = in[j];");
    let function = |name, body| Function { name, locals: "double v[n + 2];", body, n: SIZES, t: "0", says: &[] };
    let functions = [function("gone", gone), function("packed", &packed)];
    all_agree("declarations_in_one_line", &functions, &[]);
    all_agree("declarations_in_one_line_plain", &functions, &["--emit", "plain"]);
}

const SIZES: &str = "0, 1, 2, 3, 4, 9, 20";
