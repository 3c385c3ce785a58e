//! Every form of fast code at the sizes around its thresholds: none, one, and one, two moduli, give or take one.

use super::forms::{Function, all_agree};

/// Of moduli and parts up to 8.
const FEW: &str = "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19";
const FEWER: &str = "0, 1, 2, 3, 4, 5, 6";
const NO: &str = "0";

/// Of moduli about 32, the smallest one that a loop has segments for.
const AT_32: &str = "0, 1, 2, 30, 31, 32, 33, 34, 61, 62, 63, 64, 65, 66, 67, 95, 96, 97";

/// Turns after which rings of 40 cells begin again.
const AT_40: &str = "0, 1, 2, 3, 38, 39, 40, 41, 42, 79, 80, 81";

/// A ring of n + 1 cells, which each turn begins one further.
const GRIDS: &str = "  for (int i = 0; i <= n + 1; i++)
    q[i] = in[i];
  for (int s = 1; s <= t; s++) {
    for (int i = 1; i <= n; i++)
      p[i] = 0.25 * q[i - 1] + 0.5 * q[i] + 0.25 * q[i + 1];
    for (int i = 1; i <= n; i++)
      q[i] = p[i];
  }
  for (int i = 0; i <= n + 1; i++)
    out[i] = q[i];";

const GRIDS_DOWN: &str = "  for (int i = n + 1; i >= 0; i--)
    q[i] = in[i];
  for (int s = 1; s <= t; s++) {
    for (int i = n; i >= 1; i--)
      p[i] = 0.25 * q[i - 1] + 0.5 * q[i] + 0.25 * q[i + 1];
    for (int i = n; i >= 1; i--)
      q[i] = p[i];
  }
  for (int i = n + 1; i >= 0; i--)
    out[i] = q[i];";

#[test]
fn segments_end_where_a_subscript_wraps_around() {
    let window = Function { name: "", locals: "double w[n + 1];", body: "", n: AT_32, t: "0, 3", says: &[] };
    let grids = Function { locals: "double p[n + 2], q[n + 2];", n: FEWER, t: FEW, ..window };
    let functions = [
        Function { name: "grids_up", body: GRIDS, ..grids },
        Function {
            name: "grids_with_a_border_of_its_own",
            body: &GRIDS.replace("q[i] = p[i];\n", "q[i] = p[i];\n    if (s == 9) out[0] = 1;\n"),
            says: &[],
            ..grids
        },
        Function { name: "grids_down", body: GRIDS_DOWN, says: &[], ..grids },
        Function {
            name: "ring_of_31",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = in[j];
    if (j >= 30) out[j] = w[j - 30] + 2 * w[j];
  }",
            says: &[],
            ..window
        },
        Function {
            name: "ring_of_32",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = in[j];
    if (j >= 31) out[j] = w[j - 31] + 2 * w[j];
  }",
            ..window
        },
        Function {
            name: "ring_of_33_down",
            body: "  for (int j = n; j > 0; j--) {
    w[j] = in[j];
    if (j <= n - 32) out[j] = w[j + 32] + 2 * w[j];
  }",
            says: &[],
            ..window
        },
        Function {
            name: "ring_by_two",
            body: "  for (int j = 0; j < n; j += 2) {
    w[j] = in[j];
    if (j >= 64) out[j] = w[j - 64] + w[j];
  }",
            says: &[],
            ..window
        },
        Function {
            name: "two_rings",
            locals: "double w[n + 1], v[n + 1];",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = in[j];
    v[j] = in[j] * 2 + t;
    if (j >= 40) out[j] = w[j - 31] + v[j - 40] + w[j - 7] * v[j - 1];
  }",
            n: "0, 1, 31, 32, 33, 39, 40, 41, 42, 63, 64, 65, 80, 81, 82, 83, 97, 123",
            ..window
        },
        Function {
            name: "ring_on_data",
            body: "  for (int j = 0; j < n; j++) {
    if (in[j] > 5) w[j] = in[j]; else w[j] = 1;
    if (j >= 33 && in[j] < 9) out[j] = w[j - 33] + w[j];
  }",
            ..window
        },
    ];
    all_agree("at_segments", &functions, &["--room", "0"]);
}

/// Rows, t + 1 of them or few, that a loop around goes through.
#[test]
fn rows_go_on_around_their_last_one() {
    let rows = Function { name: "", locals: "double a[n + 1][n + 1];", body: "", n: FEW, t: FEWER, says: &[] };
    let functions = [
        Function {
            name: "rows_up",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i >= t) out[i] += a[i - t][j] + a[i][j];
    }",
            ..rows
        },
        Function {
            name: "rows_down",
            body: "  for (int i = n; i > 0; i--)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i <= n - t) out[i] += a[i + t][j] + a[i][j];
    }",
            ..rows
        },
        Function {
            name: "rows_by_two",
            body: "  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i >= 2 * t + 2) out[i] += a[i - 2 * t - 2][j] + a[i][j];
    }",
            says: &[],
            ..rows
        },
        Function {
            name: "rows_down_by_two",
            body: "  for (int i = n; i > 0; i -= 2)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i <= n - 2 * t - 2) out[i] += a[i + 2 * t + 2][j] + a[i][j];
    }",
            says: &[],
            ..rows
        },
        Function {
            name: "rows_by_three",
            body: "  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i >= 3 * t + 3) out[i] += a[i - 3 * t - 3][j] + a[i][j];
    }",
            says: &[],
            ..rows
        },
        Function {
            name: "rows_by_two_in_segments",
            body: "  for (int i = 0; i < n; i += 2)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i >= 2 * t) out[i] += a[i - 2 * t][j] + a[i][j];
    }",
            says: &[],
            ..rows
        },
        Function {
            name: "rows_of_long",
            body: "  for (long i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      a[i][j] = in[i] * j;
      if (i >= t) out[i] += a[i - t][j] + a[i][j];
    }",
            ..rows
        },
        Function {
            name: "three_rows",
            body: "  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++)
      a[i][j] = in[i] * j + t;
    if (i >= 2)
      for (int j = 0; j < n; j++)
        out[i] += a[i - 2][j] + a[i - 1][n - 1 - j] + a[i][j];
  }",
            says: &[],
            ..rows
        },
        Function {
            name: "ring_of_a_size",
            locals: "double w[n + 1];",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = in[j];
    if (j >= t) out[j] = w[j - t] + 2 * w[j];
  }",
            says: &[],
            ..rows
        },
        Function {
            name: "planes",
            locals: "double a[n + 1][3][n + 1];",
            body: "  for (int i = 0; i < n; i++)
    for (int h = 0; h < 3; h++)
      for (int j = 0; j < n; j++) {
        a[i][h][j] = in[i] * j + h;
        if (i >= t) out[i] += a[i - t][h][j] + a[i][h][j];
      }",
            ..rows
        },
    ];
    let sizes = ["--assume", "t >= 0", "--param", "n=100", "--param", "t=3"];
    all_agree("at_rows", &functions, &[&sizes[..], &["--method", "successive-modulo"]].concat());
}

/// Tiles of 16 by 16, whose ring of 48 cells moves down by two in each turn.
const TILES: &str = "  for (int X = 0; X < n; X += 16)
    for (int Y = 0; Y < n; Y += 3)
      for (int x = X; x < (X + 16 < n ? X + 16 : n); x++) {
        for (int y = Y; y < (Y + 3 < n ? Y + 3 : n); y++)
          a[x][y] = in[x + y] + 0.5 * in[y];
        for (int y = Y > 2 ? Y : 2; y < (Y + 3 < n ? Y + 3 : n); y++)
          out[x + y] += a[x][y - 2] + 2 * a[x][y - 1] + a[x][y];
      }";

/// Neighbours in a ring, from a place that is divided once, or once a turn of the loop around.
#[test]
fn neighbours_wrap_around_one_after_the_other() {
    let ring = Function { name: "", locals: "double a[n + 2 * t + 3];", body: "", n: FEW, t: FEW, says: &[] };
    let functions = [
        Function {
            name: "tiles",
            locals: "double a[n + 1][n + 1];",
            body: TILES,
            n: "0, 1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 50, 95, 96, 97",
            t: NO,
            says: &["double a[35] = {0};"],
        },
        Function {
            name: "triangle",
            locals: "double a[n + 1][n + 1];",
            body: "  for (int j = 0; j < n; j++) {
    a[j][j] = in[j];
    for (int i = j + 1; i < n; i++)
      a[j][i] = 0.5 * a[j][i - 1] + in[i + j];
  }
  for (int j = 0; j < n; j++)
    for (int i = j; i < n; i++)
      out[i] += a[j][i] * (j + 1);",
            t: NO,
            says: &[],
            ..ring
        },
        Function {
            name: "ring_up",
            body: "  for (int j = 0; j < n; j++)
    a[j] = in[j];
  for (int s = 0; s < t; s++) {
    a[s + n] = in[s + n];
    for (int j = 0; j < n; j++)
      out[j] += a[s + j] + 2 * a[s + j + 1];
  }",
            ..ring
        },
        Function {
            name: "ring_down",
            body: "  for (int j = 0; j <= n; j++)
    a[t + j] = in[j];
  for (int s = 0; s < t; s++) {
    a[t - 1 - s] = in[s];
    for (int j = 0; j <= n; j++)
      out[j] += a[t - 1 - s + j] + 2 * a[t - s + j];
  }",
            ..ring
        },
        Function {
            name: "three_apart",
            locals: "double a[n + 1][n + 1];",
            body: "  for (int X = 0; X < n; X += 16)
    for (int Y = 0; Y < n; Y += 3)
      for (int x = X; x < (X + 16 < n ? X + 16 : n); x++) {
        for (int y = Y; y < (Y + 3 < n ? Y + 3 : n); y++)
          a[x][y] = in[x + y] + 0.5 * in[y];
        for (int y = Y > 3 ? Y : 3; y < (Y + 3 < n ? Y + 3 : n); y++)
          out[x + y] += a[x][y - 3] + 2 * a[x][y];
      }",
            n: "0, 1, 2, 3, 4, 5, 15, 16, 17, 18, 19, 20, 31, 32, 33, 47, 48, 49, 50, 51, 52",
            t: NO,
            says: &[],
        },
        Function {
            name: "two_statements",
            locals: "double a[n + 1][n + 1];",
            body: &TILES.replace("a[x][y] = in[x + y] + 0.5 * in[y];", "{ a[x][y] = in[x + y]; out[x] += in[y]; }"),
            n: "0, 1, 2, 3, 15, 16, 17, 18, 31, 32, 33, 47, 48, 49, 50, 95, 96, 97",
            t: NO,
            says: &[],
        },
        Function {
            name: "divided_once_a_turn",
            body: "  for (int j = 0; j < n; j++)
    a[j] = in[j];
  for (int s = 0; s < t; s++) {
    a[2 * s + n] = in[s];
    a[2 * s + n + 1] = in[s + 1];
    for (int j = s; j < n + s + 1; j++)
      out[j] += a[s + j] + 2 * a[s + j + 1];
  }",
            says: &[],
            ..ring
        },
    ];
    all_agree("at_neighbours", &functions, &["--assume", "n >= 0 && t >= 0"]);
}

/// A ring of 40 cells, or of t + 1, of which each turn of s writes rows of 39 to 41 cells, or of n + t + 1.
#[test]
fn rows_no_longer_than_their_ring_go_around_once() {
    let rows = |written: usize, read: usize| {
        format!(
            "  for (int s = 0; s < n; s++) {{
    for (int j = 0; j < {written}; j++)
      a[s + j] = in[s + j] * (s + 1);
    for (int j = {}; j < {read}; j++)
      out[j] += a[s + j] + 2 * a[s + j + 1];
  }}",
            written - 40
        )
    };
    let (all, longer) = (rows(40, 39), rows(41, 40));
    let apart = all.replace("j < 39", "j < 37").replace("j + 1]", "j + 3]");
    let long = "  for (int s = 0; s < 3; s++) {
    for (int j = 0; j < n + t + 1; j++)
      a[s + j] = in[j] + s;
    for (int j = n; j < n + t; j++)
      out[j - n] += a[s + j] + 2 * a[s + j + 1];
  }";
    let ring = Function { name: "", locals: "double a[n + 50];", body: &all, n: AT_40, t: NO, says: &[] };
    let functions = [
        Function { name: "all_of_the_ring", says: &["double a[40] = {0};"], ..ring },
        Function { name: "too_far_to_be_written_apart", body: &apart, says: &["double a[40] = {0};"], ..ring },
        Function { name: "one_cell_more", body: &longer, says: &["double a[40] = {0};"], ..ring },
        Function {
            name: "any_number_of_cells",
            locals: "double a[n + t + 4];",
            body: long,
            n: FEW,
            t: FEW,
            says: &["double a[a_size];"],
        },
    ];
    all_agree("at_rounds", &functions, &[]);
}

/// Up to four parts: a first one, a last one, and what is between them.
#[test]
#[ignore = "long, in ./check-more"]
fn parts_are_the_whole_loop() {
    let parts = Function { name: "", locals: "", body: "", n: FEW, t: FEWER, says: &[] };
    let functions = [
        Function {
            name: "frame",
            locals: "double a[n + 1][n + 1], b[n + 1][n + 1];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = in[i + j] + t * j;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i > 0 && i < n - 1 && j > 0 && j < n - 1)
        b[i][j] = a[i][j] + 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
      else
        b[i][j] = a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      out[i] += b[i][j] * j;",
            ..parts
        },
        Function {
            name: "wide_frame",
            locals: "double p[n + 4], q[n + 4];",
            body: "  for (int i = 0; i < n + 4; i++)
    q[i] = in[i];
  for (int s = 1; s <= t; s++) {
    for (int i = 2; i < n + 2; i++)
      p[i] = 0.25 * q[i - 2] + 0.5 * q[i] + 0.25 * q[i + 2];
    for (int i = 2; i < n + 2; i++)
      q[i] = p[i];
    if (s == 9) out[0] = 1;
  }
  for (int i = 0; i < n + 4; i++)
    out[i] = q[i];",
            ..parts
        },
        Function {
            name: "declares_in_parts",
            locals: "double w[n + 1][n + 1];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      if (i >= 2) {
        double here = in[i + j];
        w[i][j] = here * i;
        if (j >= 2) {
          double sum = w[i][j - 2] + w[i][j - 1];
          out[i + j] += sum + w[i][j];
        }
      }
    }",
            says: &[],
            ..parts
        },
        Function {
            name: "declares_under_a_condition",
            locals: "double w[n + 1][n + 1];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      w[i][j] = in[i + j] * i;
      if (i >= 1 && j >= 2) {
        double sum = w[i][j - 2] + w[i][j - 1];
        out[i + j] += sum + w[i][j];
      }
    }",
            says: &[],
            ..parts
        },
        Function {
            name: "unlike_ends",
            locals: "double p[n + 5], q[n + 5];",
            body: "  for (int i = 0; i < n + 5; i++) {
    q[i] = in[i];
    p[i] = in[i];
  }
  for (int s = 1; s <= t; s++) {
    for (int i = 3; i < n + 3; i++)
      p[i] = 0.25 * q[i - 3] + 0.5 * q[i - 2] + q[i - 1] - q[i + 1] * 0.5 + q[i + 2];
    for (int i = 3; i < n + 3; i++)
      q[i] = p[i];
    if (s == 9) out[0] = 1;
  }
  for (int i = 0; i < n + 5; i++)
    out[i] = q[i];",
            says: &[],
            ..parts
        },
    ];
    all_agree("at_parts", &functions, &[]);
}

/// Shift registers have two to eight cells.
#[test]
fn registers_have_two_to_eight_cells() {
    let window = |name, body, says| Function { name, locals: "double w[n + 9];", body, n: FEW, t: NO, says };
    let moves: &[&str] = &["w[0] = w[1];", "!_ % _"];
    let functions = [
        window(
            "register_of_2",
            "  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      w[j] = in[i + j];
      if (j >= 1) out[j] += w[j - 1] + 2 * w[j];
    }",
            moves,
        ),
        window(
            "register_of_3_down",
            "  for (int i = 0; i < 3; i++)
    for (int j = n; j > 0; j--) {
      w[j] = in[i + j];
      if (j <= n - 2) out[j] += w[j + 2] + 2 * w[j];
    }",
            moves,
        ),
        window(
            "register_of_8",
            "  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      w[j] = in[i + j];
      if (j >= 7) out[j] += w[j - 7] + 2 * w[j];
    }",
            moves,
        ),
        window(
            "ring_of_9",
            "  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      w[j] = in[i + j];
      if (j >= 8) out[j] += w[j - 8] + 2 * w[j];
    }",
            &["!w[0] = w[1];"],
        ),
    ];
    all_agree("at_registers", &functions, &[]);
}

/// In each part of a loop one side of a choice is left to happen: its type and its parentheses are those of both.
#[test]
fn choices_keep_their_type_and_parentheses() {
    let ring = Function { name: "", locals: "double w[n + 9];", body: "", n: FEW, t: FEW, says: &[] };
    let functions = [
        Function {
            name: "of_two_types",
            body: "  for (int j = 0; j < n; j++) {
    if (j >= 1) { w[j] = in[j] + 0.5 * w[j - 1]; // behind the first
    } else { w[j] = in[j]; }
    out[j] = (j >= 1 ? w[j - 1] : 1) / 2 + (j >= 1 ? w[j] + w[j - 1] : w[j]) * 2;
  }",
            ..ring
        },
        Function {
            name: "of_truth",
            body: "  for (int j = 0; j < n; j++) {
    if (j >= 1) w[j] = in[j] - w[j - 1]; else w[j] = in[j];
    out[j] = 3 - (j == 0 || in[j] > 4) - w[j];
  }",
            ..ring
        },
        Function {
            name: "of_data_too",
            body: "  for (int j = 0; j < n; j++) {
    if (j >= 2 && in[j] > 4 && in[j - 1] > 2) w[j] = in[j] - w[j - 2]; else w[j] = 1;
    if (j == 0 || in[j] < 6) out[j] = w[j]; else out[j] = w[j] + w[j - 1];
  }",
            ..ring
        },
    ];
    all_agree("choices_in_parts", &functions, &[]);
}
