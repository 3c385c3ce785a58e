//! Steps take the border of their grids along, where that saves memory or makes rows plain.

use super::files::{agree, file, optimized, path, run, text};
use crate::support::code::{count, function, has, mentions, within};
use crate::support::compiler;
use crate::support::declared::declares;

/// A program that runs `body` for grids of up to 8 by 8 cells and up to 5 steps.
fn program(element: &str, locals: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int m, int steps, const {element} in[n][m], {element} out[n][m]) {{
  {locals}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static {element} in[64], out[64];
  for (int n = 1; n <= 8; n++)
    for (int m = 1; m <= 8; m++)
      for (int steps = 0; steps <= 5; steps++) {{
        for (int i = 0; i < n * m; i++)
          in[i] = ({element})(i * 7 % 13) + ({element})steps, out[i] = 0;
        f(n, m, steps, (const {element} (*)[m])in, ({element} (*)[m])out);
        for (int i = 0; i < n * m; i++)
          printf(\"%.17g \", (double)out[i]);
      }}
  puts(\"\");
  return 0;
}}
"
    )
}

const FIVE: &str = "0.25 * (Q[i][j] + Q[i - 1][j] + Q[i + 1][j] + Q[i][j - 1] - Q[i][j + 1])";
const NINE: &str = "Q[i - 1][j - 1] + 0.25 * Q[i - 1][j + 1] - Q[i + 1][j] + Q[i + 1][j + 1] * Q[i][j]";

/// Steps in P that are copied back to Q.
fn steps(value: &str) -> String {
    format!(
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      Q[i][j] = in[i][j];
  for (int t = 0; t < steps; t++) {{
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        P[i][j] = {value};
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Q[i][j] = P[i][j];
  }}
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = Q[i][j];"
    )
}

/// The result, which computes the same without warnings.
#[track_caller]
fn fast(name: &str, source: &str) -> String {
    let result = optimized(name, source, &["--emit", "fast"]);
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// Whether both grids are as they were declared.
fn are_grids(text: &str) -> bool {
    ["P", "Q"].iter().all(|name| declares(text, name, &["n", "m"]))
}

#[test]
#[ignore = "long, in ./check-more"]
fn nine_points_need_a_grid_and_two_rows() {
    let result = fast("border_nine", &program("double", "double P[n][m], Q[n][m];", &steps(NINE)));
    assert!(declares(&result, "P_values", &["n + 2", "m"]), "{result}");
    assert!(!mentions(&result, "Q_values"), "{result}");
}

/// A head may end right where the next loop begins.
#[test]
#[ignore = "long, in ./check-more"]
fn loops_may_stand_in_one_line() {
    let body = steps(NINE).replace(")\n      for (int j", ")for (int j").replace(")\n        ", ")");
    let result = fast("border_in_line", &program("double", "double P[n][m], Q[n][m];", &body));
    assert!(body.contains(")for (int j") && declares(&result, "P_values", &["n + 2", "m"]), "{result}");
}

/// In n² + n + 1 cells rows are not as long as the grid's: `(n * i + j) % size`.
#[test]
#[ignore = "long, in ./check-more"]
fn lines_of_squares_have_segments() {
    let source = program("double", "double P[n][n], Q[n][n];", &steps(NINE).replace('m', "n"));
    let source = source
        .replace("[m]", "[n]")
        .replace("j < m", "j < n")
        .replace("int m, int", "int m __attribute__((unused)), int");
    file("border_line.c", &source);
    let output = path("border_line.out.c").display().to_string();
    let run = run("optimize", &["border_line.c"], &["--emit", "fast", "--room", "0", "-o", &output]);
    agree("border_line");
    compiler::all_warnings(&path("border_line.out.c")).unwrap();
    assert!(run.stdout.contains("P_values[n * n + n + 1]"), "{}", run.stdout);
    assert!(!run.stderr.contains("P0401"), "no loop divides: {}", run.stderr);
}

/// Only the inside is read at the end: the ends of rows are taken along, the first and the last row stay where they are.
#[test]
#[ignore = "long, in ./check-more"]
fn five_points_take_the_ends_of_rows_along() {
    let inside = steps(FIVE).replace(
        "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      out",
        "  for (int i = 1; i < n - 1; i++)\n    for (int j = 1; j < m - 1; j++)\n      out",
    );
    let result = fast("border_five", &program("float", "float P[n][m], Q[n][m];", &inside));
    assert!(has(&result, "_[0] = _;") && has(&result, "_[m - 1] = _;") && !are_grids(&result), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn grids_that_are_filled_alike_have_one_border() {
    let both = steps(FIVE)
        .replace(
            "    for (int j = 0; j < m; j++)\n      Q[i][j] = in[i][j];",
            "    for (int j = 0; j < m; j++) {\n      Q[i][j] = in[i][j];\n      P[i][j] = in[i][j];\n    }",
        )
        .replace("Q[i][j] = P[i][j];", &format!("Q[i][j] = {};", FIVE.replace('Q', "P")));
    assert!(both.contains("P[i][j] = in[i][j]") && !both.contains(" = P[i][j];"));
    let grids = "double P[n][m], Q[n][m];";
    let is_a_grid_and_a_row = |text: &str| declares(text, "P_values", &["n + 1", "m"]);
    let result = fast("border_both", &program("double", grids, &both));
    assert!(is_a_grid_and_a_row(&result), "{result}");
    // The statement that fills P is gone, and the other one goes along a row all the same.
    assert!(has(&result, "_[j] = in[i][j];") && !has(&result, "_[_ % _][j] = in[i][j];"), "{result}");
    // What fills P is read by nobody once its border is copied, and goes.
    let apart = both.replace(
        "      P[i][j] = in[i][j];\n    }",
        "    }\n  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      P[i][j] = in[i][j];",
    );
    let result = fast("border_both_apart", &program("double", grids, &apart));
    assert!(is_a_grid_and_a_row(&result) && count(function(&result, "f"), "in[i][j]") == 1, "{result}");
    // Squares and products are no cells that anybody can tell.
    let unlike = both
        .replace("P[i][j] = in[i][j]", "P[i][j] = in[0][i * i % m]")
        .replace("Q[i][j] = in[i][j]", "Q[i][j] = in[0][i * j % m]");
    assert!(are_grids(&fast("border_both_unlike", &program("double", grids, &unlike))));
    // A product of an int and 2 is another one than that of an int and an unsigned 2.
    let doubled = both
        .replace("P[i][j] = in[i][j]", "P[i][j] = in[i][j] * 2")
        .replace("Q[i][j] = in[i][j]", "Q[i][j] = in[i][j] * 2");
    let result = fast("border_both_doubled", &program("int", &grids.replace("double", "int"), &doubled));
    assert!(is_a_grid_and_a_row(&result), "{result}");
    let typed = both
        .replace("P[i][j] = in[i][j]", "P[i][j] = in[i][j] * (unsigned)2")
        .replace("Q[i][j] = in[i][j]", "Q[i][j] = in[i][j] * 2");
    assert!(are_grids(&fast("border_both_typed", &program("int", grids, &typed))));
}

/// Steps from one half of A to the other one and back.
fn turns(value: &str) -> String {
    let value = value.replace("Q[", "A[t % 2][");
    format!(
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {{
      A[0][i][j] = in[i][j];
      A[1][i][j] = in[i][j];
    }}
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = {value};
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = A[steps % 2][i][j];"
    )
}

/// The same of rows.
fn turns_of_rows(front: &str) -> String {
    format!(
        "{front}
  for (int t = 0; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      A[(t + 1) % 2][i] = 0.5 * A[t % 2][i - 1] + A[t % 2][i] - A[t % 2][i + 1];
  for (int i = 0; i < n; i++)
    out[i][0] = A[steps % 2][i];"
    )
}

#[test]
fn grids_that_take_turns_share_rows() {
    let source = program("double", "double A[2][n][n];", &turns(FIVE).replace('m', "n"));
    let result = fast("border_turns", &source.replace("int m = 1; m <= 8;", "int m = n; m <= n;"));
    assert!(declares(&result, "A_values", &["n + 1", "n"]), "{result}");
}

/// Small grids have no inside, and fewer cells than their border is wide.
#[test]
#[ignore = "long, in ./check-more"]
fn wide_borders_of_any_size() {
    let front = "  for (int i = 0; i < n; i++) {
    A[0][i] = in[i][0];
    A[1][i] = in[i][0];
  }";
    let body = turns_of_rows(front)
        .replace("int i = 1; i < n - 1", "int i = 2; i < n - 2")
        .replace("[i - 1]", "[i - 2]")
        .replace("[i + 1]", "[i + 2]");
    let result = fast("border_wide", &program("double", "double A[2][n];", &body));
    assert!(declares(&result, "A_values", &["n + 2"]), "{result}");
}

/// What the user assumes holds with copies and without.
#[test]
#[ignore = "long, in ./check-more"]
fn assumptions_do_not_keep_borders() {
    let source = program("double", "double P[n][m], Q[n][m];", &steps(NINE));
    let result = optimized("border_assume", &source, &["--emit", "fast", "--assume", "n >= 3"]);
    agree("border_assume");
    assert!(declares(&result, "P_values", &["n + 2", "m"]), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn rows_that_take_turns_share_cells() {
    let both = "  for (int i = 0; i < n; i++) {
    A[0][i] = in[i][0];
    A[1][i] = in[i][0];
  }";
    let ends = "  for (int i = 0; i < n; i++)
    A[0][i] = in[i][0];
  A[1][0] = A[0][0];
  A[1][n - 1] = A[0][n - 1];";
    let grids = "double A[2][n];";
    for (name, front) in [("border_turns_both", both), ("border_turns_ends", ends)] {
        let result = fast(name, &program("double", grids, &turns_of_rows(front)));
        assert!(!declares(&result, "A", &["2", "n"]), "{name}: {result}");
    }
    let unlike = turns_of_rows(&both.replace("A[1][i] =", "A[1][i] = 2 *"));
    assert!(declares(&fast("border_turns_unlike", &program("double", grids, &unlike)), "A", &["2", "n"]));
}

/// Where counters are declared in front of loops, the language may know no other counters.
#[test]
fn counters_may_be_declared_in_front() {
    let body = steps(NINE).replace("int ", "");
    let result = fast("border_counters", &program("double", "double P[n][m], Q[n][m];\n  int i, j, t;", &body));
    assert!(declares(&result, "P_values", &["n + 2", "m"]), "{result}");
    assert!(!has(function(&result, "f"), "for (int _ = _; _; _) _;"), "{result}");
}

/// A copy of a cell to itself goes with its loop, though the counter is declared in front.
#[test]
fn copies_go_with_their_loops() {
    let body = "  for (i = 0; i < n; i++)
    Q[i] = in[i][0];
  for (t = 0; t < steps; t++) {
    for (i = 0; i < n - 2; i++)
      P[i] = 0.5 * Q[i] + Q[i + 2];
    for (i = 0; i < n - 2; i++)
      Q[i] = P[i];
  }
  for (i = 0; i < n; i++)
    out[i][0] = Q[i];";
    let source = program("double", "double P[n], Q[n];\n  int i, t;", body);
    let result = fast("border_gone", &source.replace("int m = 1; m <= 8;", "int m = 1; m <= 1;"));
    assert!(!declares(&result, "P", &["n"]) && !declares(&result, "Q", &["n"]), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn borders_of_three_dimensions() {
    let grids = "double P[n][n][m], Q[n][n][m];";
    let body = "  for (int h = 0; h < n; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        Q[h][i][j] = in[i][j] + h;
  for (int t = 0; t < steps; t++) {
    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          P[h][i][j] = Q[h - 1][i][j] + Q[h + 1][i - 1][j + 1] - Q[h][i + 1][j - 1];
    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          Q[h][i][j] = P[h][i][j];
  }
  for (int h = 0; h < n; h++)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        out[i][j] += Q[h][i][j] * (h + 1);";
    let result = fast("border_3d", &program("double", grids, body));
    assert!(!declares(&result, "P", &["n", "n", "m"]), "{result}");
}

/// Points that are counted as people write games of life.
fn counted() -> String {
    let count = "{
          double sum = Q[i - 1][j - 1] + Q[i - 1][j] + Q[i - 1][j + 1] + Q[i][j - 1] + Q[i][j + 1];
          sum += Q[i + 1][j - 1] + Q[i + 1][j] + Q[i + 1][j + 1];
          P[i][j] = sum > 30 ? 0.5 : sum > 20 ? Q[i][j] : 0.25 * sum;
        }";
    let grids = "double P[n][m], Q[n][m];\n  const double unused[1] = { 0 };\n  (void)unused;";
    program("double", grids, &steps("VALUE").replace("P[i][j] = VALUE;", count))
}

/// A ring and its rows are one buffer, though some buffers in pieces are a few cells less.
#[test]
#[ignore = "long, in ./check-more"]
fn sums_may_be_declared_in_loops() {
    let result = fast("border_sums", &counted());
    assert!(declares(&result, "P_values", &["n + 2", "m"]), "{result}");
    assert!(has(&result, "double sum = _;") && within(&result, "double sum = _;", "_ % _") == 0, "{result}");
}

/// These few cells are more than a user gives who gives none.
#[test]
#[ignore = "long, in ./check-more"]
fn without_room_a_border_is_in_pieces() {
    let result = optimized("border_no_room", &counted(), &["--emit", "fast", "--room", "0"]);
    agree("border_no_room");
    assert!(declares(&result, "P_values", &["n", "m <= 3 ? 1 : m - 2"]), "{result}");
    assert!(mentions(&result, "Q_values3"), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn a_border_that_moves_is_not_copied() {
    let step = "    for (int i = 0; i < n; i++)\n      Q[i][0] = 0.5 * Q[i][0];\n  }\n  for";
    let body = steps(NINE).replace("  }\n  for", step);
    let result = fast("border_moves", &program("double", "double P[n][m], Q[n][m];", &body));
    let is_inside = declares(&result, "P_values", &["n", "m <= 3 ? 1 : m - 2"]);
    assert!(is_inside, "the inside of both grids is one ring all the same: {result}");
}

/// Whether one grid is as it was, and the other one is the inside that is computed.
fn keeps_its_border(text: &str) -> bool {
    declares(text, "Q", &["n", "m"]) && declares(text, "P", &["n <= 3 ? 1 : n - 2", "m <= 3 ? 1 : m - 2"])
}

#[test]
fn borders_of_other_types_stay() {
    let result = fast("border_types", &program("double", "float P[n][m]; double Q[n][m];", &steps(NINE)));
    assert!(keeps_its_border(&result), "{result}");
}

/// Places of messages and tables are those of the user's own text, and what comes behind a longer scop is not moved.
#[test]
#[ignore = "long, in ./check-more"]
fn messages_name_the_lines_of_the_file() {
    let first = program("double", "double P[n][m], Q[n][m];", &steps(NINE));
    let second = "static void g(int n, int out[n]) {
  static int late[100];
#pragma scop
  for (int i = 0; i < n; i++)
    out[i] = late[i];
  for (int i = 0; i < n; i++)
    late[i] = i;
#pragma endscop
}
int main(void) {
  int all[3];
  g(3, all);";
    let source = first.replace("int main(void) {", second);
    file("border_lines.c", &source);
    let outputs = ["border_lines.out.c", "border_lines.json"].map(|name| path(name).display().to_string());
    let run = run("optimize", &["border_lines.c"], &["--emit", "fast", "-o", &outputs[0], "--json", &outputs[1]]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(declares(&text("border_lines.out.c"), "P_values", &["n + 2", "m"]));
    agree("border_lines");
    let line = |part: &str| source.lines().position(|line| line.contains(part)).unwrap() + 1;
    assert!(run.stderr.contains(&format!("border_lines.c:{}:", line("int late"))), "{}", run.stderr);
    assert!(run.stderr.contains("|   static int late[100];"), "{}", run.stderr);
    let of_second = line("int late") + 1;
    assert!(run.stdout.contains(&format!("g (line {of_second})")), "{}", run.stdout);
    let json = text("border_lines.json");
    assert!(
        json.contains(&format!("\"line\": {of_second}")) && json.contains(&format!("\"line\": {}", line("int late"))),
        "{json}"
    );
}

#[test]
#[ignore = "long, in ./check-more"]
fn other_forms_and_scopes_have_no_copies() {
    let source = program("double", "double P[n][m], Q[n][m];", &steps(NINE));
    for (name, more) in [("border_plain", ["--emit", "plain"]), ("border_intra", ["--scope", "intra"])] {
        let fast: &[&str] = if name == "border_intra" { &["--emit", "fast"] } else { &[] };
        let result = optimized(name, &source, &[&more[..], fast].concat());
        assert!(keeps_its_border(&result), "{result}");
    }
}
