//! Copies of borders as text: where they stand, and how the loops around them look.

#![allow(missing_docs)]

use polyfold_codegen::{Longer, assign_alike, with_border};
use polyfold_flow::{Ends, grids};
use polyfold_scop::{Scop, StatementId};

const HEAD: &str = "void f(int n, int m, int steps, const double in[n][m], double out[n][m]) {
  double P[n][m], Q[n][m], B[n][n][m], C[n][n][m], A[2][n][m], L[n][2];
";

fn file(declared: &str, region: &str) -> String {
    format!("{HEAD}{declared}#pragma scop\n{region}\n#pragma endscop\n}}\n")
}

fn scop(source: &str) -> Scop {
    let instrumented = polyfold_frontend::instrument(source);
    let parsed = polyfold_frontend::parse(source, &instrumented, &polyfold_frontend::Options::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}

fn longer(source: &str, ends: Ends) -> Option<Longer> {
    let scop = scop(source);
    with_border(source, &scop, &grids(&scop).expect("there are grids"), ends)
}

/// What stands in the loop over t of the longer program.
#[track_caller]
fn becomes(declared: &str, step: &str, ends: Ends, expected: &str) {
    let source = file(declared, &format!("  for (int t = 0; t < steps; t++) {{\n{step}\n  }}"));
    let longer = longer(&source, ends).expect("there is room");
    let expected = file(declared, &format!("  for (int t = 0; t < steps; t++) {{\n{expected}\n  }}"));
    assert_eq!(longer.text, expected);
    agree(&source, &longer);
}

/// Added statements are copies, and without the changes the text is what it was.
fn agree(source: &str, longer: &Longer) {
    let added: Vec<&str> = longer.added.iter().map(|span| &longer.text[span.clone()]).collect();
    assert!(added.iter().all(|copy| copy.contains("] = ") && copy.ends_with(';')), "{added:?}");
    let (mut at, mut kept) = (0, 0);
    for change in &longer.changes {
        let same = &longer.text[at..change.span.start];
        assert_eq!(same, &source[kept..kept + same.len()]);
        (at, kept) = (change.span.end, kept + same.len() + change.bytes_before);
    }
    assert_eq!(longer.text[at..], source[kept..]);
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
    becomes("", step, Ends::OfAll, expected);
    let [step, expected] = [step, expected].map(|text| text.replace("i++) for", "i++)for"));
    becomes("", &step, Ends::OfAll, &expected);
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
    assert!(!longer.text.contains("for (j = 0;"), "{}", longer.text);
    assert!(longer.text.contains("Q[i][m - 1] = P[i][m - 1];"), "{}", longer.text);
    agree(&source, &longer);
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

#[test]
fn no_room_no_copies() {
    let region = |step: &str| file("", &format!("  for (int t = 0; t < steps; t++) {{\n{step}\n  }}"));
    let labelled = BRACELESS.replacen("      for", "      rows: for", 1);
    assert!(longer(&region(&labelled), Ends::OfRows).is_none());
    assert!(longer(&region(&BRACELESS.replace("m - 1", "m + n - 9")), Ends::OfRows).is_none());
}

#[test]
fn right_sides_are_alike_but_for_subscripts() {
    let of = |declared: &str, one: &str, other: &str| {
        let source = file(
            declared,
            &format!("  for (int i = 0; i < n; i++) {{ P[i][0] {one} for (int k = 0; k < n; k++) Q[k][0] {other} }}"),
        );
        assign_alike(&source, &scop(&source), StatementId(0), StatementId(1))
    };
    for (one, other) in [
        ("= 0.5;", "= 0.5;"),
        ("= 2*in[i][0] - 1;", "= 2 * in[k][1] /* half */ - 1;"),
        ("= (float)in[i][0] * n;", "= (float)in[k][0] * n;"),
    ] {
        assert!(of("", one, other), "{one} {other}");
    }
    let unlike = [
        ("= 0.5;", "= 0.25;"),
        ("= in[i][0];", "= -in[k][0];"),
        ("+= in[i][0];", "+= in[k][0];"),
        ("= i;", "= i;"),
        ("= __LINE__;", "= __LINE__;"),
        ("= 0.5; { enum { c = 7 }; }", "= 0.5;"),
        ("= HALF;", "= HALF;"),
        ("= sizeof(in[i][0]);", "= sizeof(in[k][0]);"),
    ];
    for (one, other) in unlike {
        let declared = "  enum { HALF = 2 };\n";
        assert!(!of(declared, one, other), "{one} {other}");
    }
}
