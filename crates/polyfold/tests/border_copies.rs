//! Copies of borders: where they stand, and how the loops around them look.

use crate::support::code::{has, is_same};
use crate::support::scop;
use polyfold_codegen::as_printed;
use polyfold_flow::{Ends, grids};
use polyfold_plan::longer as with_border;
use polyfold_scop::StatementId;

const HEAD: &str = "void f(int n, int m, int steps, const double in[n][m], double out[n][m]) {
  double P[n][m], Q[n][m], B[n][n][m], C[n][n][m], A[2][n][m], L[n][2];
";

fn file(declared: &str, region: &str) -> String {
    format!("{HEAD}{declared}#pragma scop\n{region}\n#pragma endscop\n}}\n")
}

/// The file with copies.
fn longer(source: &str, ends: Ends) -> Option<String> {
    let scop = scop(source);
    let longer = with_border((&scop, source), &grids(&scop).expect("there are grids"), ends)?;
    let region = as_printed(source, &longer).expect("it can be printed");
    Some(format!("{}{region}{}", &source[..scop.span.start], &source[scop.span.end..]))
}

/// A program with a step in its loop over t.
fn with_step(declared: &str, step: &str) -> String {
    file(declared, &format!("  for (int t = 0; t < steps; t++) {{\n{step}\n  }}"))
}

/// What stands in the loop over t of the longer program.
#[track_caller]
fn becomes(declared: &str, step: &str, ends: Ends, expected: &str) {
    let longer = longer(&with_step(declared, step), ends).expect("there is room");
    assert!(is_same(&longer, &with_step(declared, expected)), "{longer}");
}

/// The same, line by line.
#[track_caller]
fn reads(step: &str, expected: &str) {
    assert_eq!(longer(&with_step("", step), Ends::OfAll), Some(with_step("", expected)));
}

const BRACELESS: &str = "    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j] + Q[i + 1][j];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Q[i][j] = P[i][j];";

#[test]
fn ends_of_rows_stand_in_braces_of_their_own() {
    let expected = "    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j] + Q[i + 1][j];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m; j++)
        Q[i][j] = P[i][j];";
    becomes("", BRACELESS, Ends::OfRows, expected);
}

#[test]
fn all_of_a_border_stands_around_the_loops() {
    let expected = "    for (int j = 0; j < m; j++)
      P[0][j] = Q[0][j];
    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j] + Q[i + 1][j];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (int j = 0; j < m; j++)
      P[n - 1][j] = Q[n - 1][j];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < m; j++)
        Q[i][j] = P[i][j];";
    becomes("", BRACELESS, Ends::OfAll, expected);
}

#[test]
fn blocks_keep_their_braces() {
    let step = "    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j <= m - 2; ++j) {
        P[i][j] = Q[i][j - 1] + Q[i][j + 1]; // the inside
      }
    }
    for (int i = 1; i < n - 1; i++) {
      for (int j = 1; j <= m - 2; ++j) {
        Q[i][j] = 2 * P[i][j];
      }
    }";
    let expected = "    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j <= m - 2; ++j) {
        P[i][j] = Q[i][j - 1] + Q[i][j + 1]; // the inside
      }
      if (m > 1)
        P[i][m - 1] = Q[i][m - 1];
    }
    for (int i = 1; i < n - 1; i++) {
      Q[i][0] = P[i][0];
      for (int j = 1; j <= m - 2; ++j) {
        Q[i][j] = 2 * P[i][j];
      }
      if (m > 1)
        Q[i][m - 1] = P[i][m - 1];
    }";
    becomes("", step, Ends::OfRows, expected);
}

/// A grid of one row has one border, which no turn copies twice where copies go in both directions.
#[test]
fn half_steps_copy_each_cell_once() {
    let step = "    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i - 1][j - 1] + Q[i + 1][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Q[i][j] = P[i - 1][j - 1] + P[i + 1][j + 1];";
    let half = |to: &str, from: &str| {
        format!(
            "    for (int j = 0; j < m; j++)
      {to}[0][j] = {from}[0][j];
    for (int i = 1; i < n - 1; i++) {{
      {to}[i][0] = {from}[i][0];
      for (int j = 1; j < m - 1; j++)
        {to}[i][j] = {from}[i - 1][j - 1] + {from}[i + 1][j + 1];
      if (m > 1)
        {to}[i][m - 1] = {from}[i][m - 1];
    }}
    if (n > 1)
      for (int j = 0; j < m; j++)
        {to}[n - 1][j] = {from}[n - 1][j];"
        )
    };
    becomes("", step, Ends::OfAll, &format!("{}\n{}", half("P", "Q"), half("Q", "P")));
}

#[test]
fn copies_around_nests_in_one_line_have_lines_of_their_own() {
    let step = "    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j];
    for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) Q[i][j] = P[i][j];";
    let expected = "    for (int j = 0; j < m; j++)
      P[0][j] = Q[0][j];
    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j < m - 1; j++) P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (int i = 0; i < n - 1; i++) for (int j = 0; j < m; j++) Q[i][j] = P[i][j];";
    reads(step, expected);
    let [step, expected] = [step, expected].map(|text| text.replace("i++) for", "i++)for"));
    reads(&step, &expected);
}

/// Loops leave another value in such a counter, which nobody reads.
#[test]
fn counters_may_be_declared_outside() {
    let plain = |text: &str| text.replace("int i", "i").replace("int j", "j");
    let expected = "    for (j = 0; j < m; j++)
      P[0][j] = Q[0][j];
    for (i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (j = 1; j < m - 1; j++)
        P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j] + Q[i + 1][j];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (j = 0; j < m; j++)
      P[n - 1][j] = Q[n - 1][j];
    for (i = 0; i < n; i++)
      for (j = 0; j < m; j++)
        Q[i][j] = P[i][j];";
    becomes("  int i, j;\n", &plain(BRACELESS), Ends::OfAll, expected);
}

/// A jump may lead to where a counter is read: it keeps the value that it had, and the loops that copy stay, with copies around them.
#[test]
fn counters_that_may_be_read_behind_keep_their_values() {
    let region = format!("  for (int t = 0; t < steps; t++) {{\n{BRACELESS}\n  }}").replace("int j", "j");
    let jump = "#pragma endscop\n  for (j = 2; j < 9; j++)\n    if (n > 9)\n      goto end;\nend:;\n";
    let source = file("  int j;\n", &region).replace("#pragma endscop\n", jump);
    let longer = longer(&source, Ends::OfRows).expect("there is room");
    assert!(!has(&longer, "for (j = 0; _; _) _;"), "{longer}");
    assert!(has(&longer, "Q[i][m - 1] = P[i][m - 1];"), "{longer}");
    assert!(self::longer(&source, Ends::OfAll).is_none());
}

#[test]
fn wider_borders_are_copied_as_far_as_there_are_cells() {
    let step = "    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 1; j++)
        P[i][j] = Q[i][j - 2] + Q[i][j + 1];
    for (int i = 2; i < n - 2; i++)
      for (int j = 2; j < m - 1; j++)
        Q[i][j] = P[i][j];";
    let expected = "    for (int i = 2; i < n - 2; i++) {
      for (int j = 0; j < 2 && j < m; j++)
        P[i][j] = Q[i][j];
      for (int j = 2; j < m - 1; j++)
        P[i][j] = Q[i][j - 2] + Q[i][j + 1];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (int i = 2; i < n - 2; i++)
      for (int j = 0; j < m; j++)
        Q[i][j] = P[i][j];";
    becomes("", step, Ends::OfAll, expected);
    let step = "    for (int i = 1; i < n - 2; i++)
      for (int j = 1; j < m; j++)
        A[1 - t % 2][i][j] = A[t % 2][i + 2][j] + A[t % 2][i][j - 1];";
    let expected = "    for (int i = 1; i < n - 2; i++) {
      A[1 - t % 2][i][0] = A[t % 2][i][0];
      for (int j = 1; j < m; j++)
        A[1 - t % 2][i][j] = A[t % 2][i + 2][j] + A[t % 2][i][j - 1];
    }
    for (int i = n - 2 > 1 ? n - 2 : 1; i < n; i++)
      for (int j = 0; j < m; j++)
        A[1 - t % 2][i][j] = A[t % 2][i][j];";
    becomes("", step, Ends::OfAll, expected);
}

/// Where sizes are numbers, there are all cells.
#[test]
fn wider_borders_of_known_size_are_copied_cell_by_cell() {
    let step = "    for (int i = 2; i < 8; i++)
      for (int j = 2; j < 9; j++)
        P[i][j] = Q[i][j - 2] + Q[i][j];
    for (int i = 2; i < 8; i++)
      for (int j = 2; j < 9; j++)
        Q[i][j] = 2 * P[i][j];";
    let expected = "    for (int i = 2; i < 8; i++) {
      P[i][0] = Q[i][0];
      P[i][1] = Q[i][1];
      for (int j = 2; j < 9; j++)
        P[i][j] = Q[i][j - 2] + Q[i][j];
    }
    for (int i = 2; i < 8; i++) {
      Q[i][0] = P[i][0];
      Q[i][1] = P[i][1];
      for (int j = 2; j < 9; j++)
        Q[i][j] = 2 * P[i][j];
    }";
    becomes("", step, Ends::OfRows, expected);
}

#[test]
fn borders_of_three_dimensions_are_copied_plane_by_plane() {
    let step = "    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          B[h][i][j] = C[h - 1][i][j] + C[h][i][j + 1];
    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
          C[h][i][j] = B[h][i][j];";
    let expected = "    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m; j++)
        B[0][i][j] = C[0][i][j];
    for (int h = 1; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++) {
        for (int j = 1; j < m - 1; j++)
          B[h][i][j] = C[h - 1][i][j] + C[h][i][j + 1];
        B[h][i][m - 1] = C[h][i][m - 1];
      }
    for (int h = 0; h < n - 1; h++)
      for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m; j++)
          C[h][i][j] = B[h][i][j];";
    becomes("", step, Ends::OfAll, expected);
}

#[test]
fn grids_that_take_turns_are_copied_as_they_are_read() {
    let step = "    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j] - A[t % 2][i][j - 1] + A[t % 2][i][j + 1];";
    let expected = "    for (int j = 0; j < m; j++)
      A[(t + 1) % 2][0][j] = A[t % 2][0][j];
    for (int i = 1; i < n - 1; i++) {
      A[(t + 1) % 2][i][0] = A[t % 2][i][0];
      for (int j = 1; j < m - 1; j++)
        A[(t + 1) % 2][i][j] = A[t % 2][i - 1][j] + A[t % 2][i + 1][j] - A[t % 2][i][j - 1] + A[t % 2][i][j + 1];
      A[(t + 1) % 2][i][m - 1] = A[t % 2][i][m - 1];
    }
    for (int j = 0; j < m; j++)
      A[(t + 1) % 2][n - 1][j] = A[t % 2][n - 1][j];";
    becomes("", step, Ends::OfAll, expected);
    let row = "    for (int i = 1; i < n; i++)
      L[i][1 - t % 2] = L[i - 1][t % 2];";
    let expected = "    L[0][1 - t % 2] = L[0][t % 2];
    for (int i = 1; i < n; i++)
      L[i][1 - t % 2] = L[i - 1][t % 2];";
    becomes("", row, Ends::OfAll, expected);
    let moved = "    for (int i = 1; i < n; i++)
      L[i][1 - t % 2] = L[i][t % 2];
    for (int i = 1; i < n; i++)
      L[i][1 - t % 2] = L[i - 1][t % 2];";
    let expected = "    for (int i = 0; i < n; i++)
      L[i][1 - t % 2] = L[i][t % 2];
    L[0][1 - t % 2] = L[0][t % 2];
    for (int i = 1; i < n; i++)
      L[i][1 - t % 2] = L[i - 1][t % 2];";
    becomes("", moved, Ends::OfAll, expected);
}

/// What comes is as deep as the file's own loops.
#[test]
fn copies_stand_as_deep_as_the_loops_beside_them() {
    let deeper = |text: &str| {
        let lines = text.lines().map(|line| {
            let own = line.trim_start();
            format!("{}{own}\n", "\t".repeat((line.len() - own.len()) / 2))
        });
        lines.collect::<String>().trim_end().to_string()
    };
    let step = "    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i - 1][j] + Q[i + 1][j] + Q[i][j + 1];
    for (int i = 1; i < n - 1; i++)
      for (int j = 1; j < m - 1; j++)
        Q[i][j] = 2 * P[i][j];";
    let copies = |to: &str, from: &str, value: &str| {
        format!(
            "    for (int j = 1; j < m; j++)
      {to}[0][j] = {from}[0][j];
    for (int i = 1; i < n - 1; i++) {{
      for (int j = 1; j < m - 1; j++)
        {to}[i][j] = {value};
      {to}[i][m - 1] = {from}[i][m - 1];
    }}
    if (n > 1)
      for (int j = 1; j < m; j++)
        {to}[n - 1][j] = {from}[n - 1][j];"
        )
    };
    let first = copies("P", "Q", "Q[i - 1][j] + Q[i + 1][j] + Q[i][j + 1]");
    let expected = format!("{first}\n{}", copies("Q", "P", "2 * P[i][j]"));
    reads(&deeper(step), &deeper(&expected));
}

#[test]
fn ends_may_be_sums_of_sizes() {
    let sum = |text: &str| text.replace("m - 1", "m + n - 9");
    let expected = "    for (int i = 1; i < n - 1; i++) {
      P[i][0] = Q[i][0];
      for (int j = 1; j < m - 1; j++)
        P[i][j] = Q[i][j - 1] + Q[i][j + 1] + Q[i - 1][j] + Q[i + 1][j];
      P[i][m - 1] = Q[i][m - 1];
    }
    for (int i = 1; i < n - 1; i++)
      for (int j = 0; j < m + n - 8; j++)
        Q[i][j] = P[i][j];";
    becomes("", &sum(BRACELESS), Ends::OfRows, &sum(expected));
}

#[test]
fn a_label_takes_no_copies() {
    let labelled = BRACELESS.replacen("      for", "      rows: for", 1);
    let source = file("", &format!("  for (int t = 0; t < steps; t++) {{\n{labelled}\n  }}"));
    assert!(longer(&source, Ends::OfRows).is_none());
}

#[test]
fn right_sides_are_alike_but_for_subscripts() {
    let of = |declared: &str, one: &str, other: &str| {
        let source = file(
            declared,
            &format!("  for (int i = 0; i < n; i++) {{ P[i][0] {one} for (int k = 0; k < n; k++) Q[k][0] {other} }}"),
        );
        let scop = scop(&source);
        let both = [0, 1].map(|k| scop.assignment(StatementId(k)).expect("it is an assignment"));
        both[0].is_alike(both[1])
    };
    for (one, other) in [
        ("= 0.5;", "= 0.5;"),
        ("= 2*in[i][0] - 1;", "= 2 * in[k][1] /* half */ - 1;"),
        ("= (float)in[i][0] * n;", "= (float)in[k][0] * n;"),
    ] {
        assert!(of("", one, other), "{one} {other}");
    }
    let unlike =
        [("= 0.5;", "= 0.25;"), ("= in[i][0];", "= -in[k][0];"), ("+= in[i][0];", "+= in[k][0];"), ("= i;", "= i;")];
    for (one, other) in unlike {
        assert!(!of("", one, other), "{one} {other}");
    }
}
