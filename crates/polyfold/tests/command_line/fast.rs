//! `--emit fast`: innermost loops in parts and segments, rows by pointer.

use super::files::{agree, optimized, path};
use super::forms::{Function, all_agree};
use crate::support::code::{count, function, has, mentions, within};
use crate::support::compiler;
use crate::support::declared::declares;

/// A program that runs `body` for all sizes n from 1 to 12 and times t from 0 to 15.
pub(crate) fn program(locals: &str, body: &str) -> String {
    format!(
        "#include <stdio.h>
static void f(int n, int t, const double in[n + 2][n + 2], double out[n + 2][n + 2]) {{
  {locals}
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  static double in[200], out[200];
  for (int n = 1; n <= 12; n++)
    for (int t = 0; t <= 15; t++) {{
      for (int i = 0; i < 200; i++)
        in[i] = i * 7 % 13 + t, out[i] = 0;
      f(n, t, (const double (*)[n + 2])in, (double (*)[n + 2])out);
      for (int i = 0; i < 200; i++)
        printf(\"%.17g \", out[i]);
    }}
  puts(\"\");
  return 0;
}}
"
    )
}

/// The result in the fast form, which has to compute the same, without warnings.
#[track_caller]
pub(crate) fn fast(name: &str, source: &str, more: &[&str]) -> String {
    let result = optimized(name, source, &[&["--emit", "fast"], more].concat());
    agree(name);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    result
}

/// How many loops are promised not to read what they write.
fn promised(text: &str) -> usize {
    count(text, "POLYFOLD_IVDEP for (_; _; _) _;")
}

/// Five points in two dimensions, to and fro between two arrays; the border stays.
fn five_points() -> String {
    program(
        "double p[n + 2][n + 2], q[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      q[i][j] = in[i][j];
  for (int s = 1; s <= t; s++) {
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        p[i][j] = 0.2 * (q[i][j] + q[i - 1][j] + q[i + 1][j] + q[i][j - 1] + q[i][j + 1]);
    for (int i = 1; i <= n; i++)
      for (int j = 1; j <= n; j++)
        q[i][j] = p[i][j];
  }
  for (int i = 1; i <= n; i++)
    for (int j = 1; j <= n; j++)
      out[i][j] = q[i][j];",
    )
}

/// SMO, Figure 1: two grids in one, and a cell.
fn two_grids() -> String {
    program(
        "double p[n + 2], q[n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    q[i] = in[0][i];
  for (int s = 1; s <= t; s++) {
    for (int i = 1; i <= n; i++)
      p[i] = 0.25 * q[i - 1] + 0.5 * q[i] + 0.25 * q[i + 1];
    for (int i = 1; i <= n; i++)
      q[i] = p[i];
  }
  for (int i = 0; i <= n + 1; i++)
    out[0][i] = q[i];",
    )
}

/// The same with steps that also do something under a condition: they do not take the border along, which has two cells of its own.
fn two_grids_and_a_border() -> String {
    two_grids().replace("q[i] = p[i];\n", "q[i] = p[i];\n    if (s == 9)\n      out[1][0] = 1;\n")
}

#[test]
fn grids_and_their_borders_compute_the_same() {
    fast("ring", &two_grids_and_a_border(), &["--room", "0"]);
    fast("rows", &five_points(), &["--room", "0"]);
    fast("rows_and_ends", &five_points(), &[]);
}

/// One piece in as many cells: each step copies both ends, whose places go on beside the loop that begins in the ring.
#[test]
fn steps_take_the_ends_of_a_row_along() {
    let result = fast("ends", &two_grids(), &["--room", "0"]);
    assert!(declares(&result, "p_values", &["n + 3"]) && !mentions(&result, "q_values"), "{result}");
    let [all, around] =
        ["for (int s = 1; _; _) _;", "for (; _ && _; i++) p_values[_] = _;"].map(|part| within(&result, part, "_ % _"));
    assert!(all == around && around > 0, "around the wrap only: {result}");
}

/// A plane is the same for all rows: it is looked up in the loop over planes, for rows and single cells.
#[test]
#[ignore = "long, in ./check-more"]
fn planes_are_looked_up_once() {
    let source = program(
        "double p[n + 2][n + 2][n + 2], q[n + 2][n + 2][n + 2];",
        "  for (int h = 0; h <= n + 1; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        q[h][i][j] = in[i][j] + h;
  for (int s = 1; s <= t; s++) {
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        p[0][i][j] = q[0][i][j];
    for (int h = 1; h <= n; h++)
      for (int i = 0; i <= n + 1; i++) {
        p[h][i][0] = q[h][i][0];
        for (int j = 1; j <= n + 1; j++)
          p[h][i][j] = 0.25 * (q[h][i][j] + q[h - 1][i][j] + q[h + 1][i][j]);
      }
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        p[n + 1][i][j] = q[n + 1][i][j];
    for (int h = 0; h <= n + 1; h++)
      for (int i = 0; i <= n + 1; i++)
        for (int j = 0; j <= n + 1; j++)
          q[h][i][j] = p[h][i][j];
  }
  for (int h = 0; h <= n + 1; h++)
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        out[i][j] = q[h][i][j] + 0.5 * out[i][j];",
    );
    let result = fast("planes", &source, &[]);
    assert_eq!(within(&result, "for (int s = 1; _; _) _;", "_ % _"), 0, "{result}");
}

/// Subscripts that move by 2, up and down in one loop.
#[test]
fn steps_of_two_in_both_directions() {
    let source = program(
        "double y[n + 1][n + 1], sum;",
        "  y[0][0] = in[0][0];
  for (int k = 1; k <= n; k++) {
    sum = in[0][k] + t;
    for (int i = 0; i <= k - 1; i++)
      sum = sum + in[0][k - i - 1] * y[i][k - 1];
    for (int i = 0; i <= k - 1; i++)
      y[i][k] = y[i][k - 1] + sum * 0.125 * y[k - i - 1][k - 1];
    y[k][k] = sum * 0.25;
  }
  for (int i = 0; i <= n; i++)
    out[0][i] = y[i][n];",
    );
    let result = fast("two_steps", &source, &["--param", "n=42", "--room", "0"]);
    let segment = "for (; i <= last; i++) _;";
    assert!(within(&result, segment, "y[_ + 2 * i] + _ * y[_ - 2 * i]") == 1, "{result}");
    assert_eq!(within(&result, segment, "_ % _"), 0, "{result}");
}

#[test]
fn loops_that_go_down() {
    let source = two_grids()
        .replace("for (int i = 1; i <= n; i++)\n      p", "for (int i = n; i >= 1; i--)\n      p")
        .replace("for (int i = 1; i <= n; i++)\n      q", "for (int i = n; 0 < i; i--)\n      q");
    let result = fast("down", &source, &["--room", "0"]);
    assert!(within(&result, "for (int i = n; i >= 1; ) _;", "for (; i >= last; i--) _;") == 1, "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn names_of_the_program_are_not_taken() {
    let source = two_grids().replace("int t,", "int last,").replace("s <= t", "s <= last");
    let result = fast("taken", &source, &["--room", "0"]);
    assert!(has(&result, "const int last_ = _;") && !has(&result, "const int last = _;"), "{result}");
}

/// Whose bound is an expression of another type.
#[test]
fn other_loops_stay() {
    let inner = "for (int i = 1; i <= n; i++)\n      p";
    let head = "for (unsigned i = 1; i <= (unsigned)n; i++)\n      p";
    let result = optimized("unsigned", &two_grids().replace(inner, head), &["--emit", "fast"]);
    assert!(has(&result, "for (unsigned i = 1; i <= (unsigned)n; i++) _;"), "{result}");
    agree("unsigned");
}

/// A comment in front of a loop may end like a head.
#[test]
#[ignore = "long, in ./check-more"]
fn braces_do_not_get_into_comments() {
    let source = two_grids().replace("s <= t; s++) {\n", "s <= t; s++) { // (in turn)\n");
    fast("comment", &source, &[]);
    let source = two_grids().replace(
        "    for (int i = 1; i <= n; i++)\n      q",
        "    // again (to q)\n    for (int i = 1; i <= n; i++)\n      q",
    );
    fast("comment_before", &source, &[]);
}

/// What a loop's body declares, what a macro may mean, and what wraps around below 0 is not computed in front of it.
#[test]
#[ignore = "long, in ./check-more"]
fn what_only_the_body_knows_stays_in_it() {
    let rows = "  for (int s = 0; s < n; s++)
    for (int i = 0; i < n; i++) {
      BODY
    }";
    let local = "int k = s - 1; a[s][i] = in[s][i] + k + t; out[s][i] = a[s][i] + (s > 0 ? a[k][i] : 0);";
    let array = "double q[n + 1]; q[i] = in[s][i] + t; q[i + 1] = q[i] + 1; a[s][i] = q[i + 1];
      out[s][i] = a[s][i] + q[i] + (s > 0 ? a[s - 1][i] : 0);";
    let hidden =
        "a[HERE][0] = in[i][s] + t; a[HERE][1] = in[s][i]; out[s][i] = a[HERE][1] + (i > 0 ? a[BEFORE][0] : 0);";
    let bare =
        "a[s][i] = in[s][i] + t; if (s >= 2 && i >= 1) a[s][i] = a[s - 1][LEFT] + a[s - 2][i]; out[s][i] = a[s][i];";
    let unsigned = "a[s][i] = in[0][i] + s + t; if (s >= 1) { out[s][i] += a[s - 1][i]; } if (s >= 2) { out[s][i] += a[s - 2][i]; }";
    let macros = "#define HERE (i)\n#define BEFORE (i - 1)\n#define LEFT i - 1\n";
    for (name, body) in [("local", local), ("array", array), ("hidden", hidden), ("bare", bare), ("counting", unsigned)]
    {
        let loops = rows.replace("BODY", body);
        let loops = if name == "counting" {
            loops.replace("int s = 0; s < n", "unsigned s = 0; s < (unsigned)n")
        } else {
            loops
        };
        let outside = if name == "local" {
            "int k = n; double a[n + 2][n + 2]; out[0][0] = k;"
        } else {
            "double a[n + 2][n + 2];"
        };
        let source = macros.to_string() + &program(outside, &loops);
        for method in ["auto", "successive-modulo"] {
            let name = format!("{name}_{method}");
            optimized(&name, &source, &["--emit", "fast", "--method", method]);
            agree(&name);
        }
    }
}

/// One loop has positions that stay and positions that move.
#[test]
fn each_position_has_a_name_of_its_own() {
    let body = "  for (int s = 0; s <= n; s++) {
    for (int j = 0; j <= n; j++)
      a[s][j + s] = in[s][j] + t;
    for (int j = 1; j <= n; j++)
      out[s][j] = (s >= 1 ? A(s - 1, s + j - 1) : 0) + (in[j][s] > 3 ? a[s][j + s] : 1);
  }";
    let source = format!("#define A(p, q) a[p][q]\n{}", program("double a[n + 2][2 * n + 4];", body));
    optimized("each", &source, &["--emit", "fast"]);
    agree("each");
}

#[test]
fn comments_in_heads_stay_where_they_are() {
    let source = two_grids()
        .replace("for (int i = 1; i <= n; i++)\n      p", "for (int i = 1; // first\n i <= n; i++)\n      p");
    let result = optimized("head", &source, &["--emit", "fast"]);
    assert!(result.contains("// first\n"), "{result}");
    agree("head");
}

const INSIDE: &str = "#define INSIDE(i, j) ((i) > 0 && (i) < n - 1 && (j) > 0 && (j) < n - 1)\n";

/// Two smoothers, with a condition for the border: its rows are loops of their own, and its cells parts of those between them.
const SMOOTHERS: &str = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      a[i][j] = in[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        b[i][j] = a[i][j] + 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
      else
        b[i][j] = a[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        out[i][j] = t + b[i][j] + 0.25 * (b[i - 1][j] + b[i + 1][j] + b[i][j - 1] + b[i][j + 1]);
      else
        out[i][j] = b[i][j];";

#[test]
#[ignore = "long, in ./check-more"]
fn conditions_of_the_source_are_settled_in_parts() {
    let source = INSIDE.to_string() + &program("double a[n][n], b[n][n];", SMOOTHERS);
    let result = fast("settled", &source, &[]);
    assert!(!mentions(&result, "INSIDE") && !has(function(&result, "f"), "i >= 1"), "{result}");
}

/// Without `else`, in blocks and in one another; one on data stays.
#[test]
#[ignore = "long, in ./check-more"]
fn conditions_in_one_another_are_settled() {
    let body = SMOOTHERS.replace(
        "      if (INSIDE(i, j))
        out",
        "      if (j < n - 1) { if (in[i][j] > 3) { out[i][j] = b[i][j] * 3; } else if (j >= 1 || i == 2) { out[i][j] = b[i][j] + 7; } }
      else if (j == 4) ; else { out[i][j] = b[i][j] / 3; }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (INSIDE(i, j))
        out",
    );
    let source = INSIDE.to_string() + &program("double a[n][n], b[n][n];", &body);
    let result = fast("settled_deep", &source, &[]);
    assert!(has(&result, "in[i][j] > 3"), "{result}");
}

#[test]
#[ignore = "long, in ./check-more"]
fn bounds_may_be_minima() {
    let body = "  for (int X = 0; X < n; X += 4)
    for (int Y = 0; Y < n; Y += 3)
      for (int x = X; x < MIN(X + 4, n); x++) {
        for (int y = Y; y < MIN(Y + 3, n); y++)
          a[x][y] = in[x][y] + t;
        for (int y = (Y > 2 ? Y : 2); y < (Y + 3 < n ? Y + 3 : n); y++)
          out[x][y] = a[x][y - 2] + a[x][y - 1] + a[x][y];
      }";
    let minimum = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n";
    let tiled = program("double a[n + 60][n + 60];", &body.replace('4', "40"));
    let result = fast("minima", &(minimum.to_string() + &tiled), &[]);
    let least = "for (int y = Y; y < MIN(Y + 3, n); ) _;";
    for head in [least, "for (int y = Y > 2 ? Y : 2; y < (Y + 3 < n ? Y + 3 : n); ) _;"] {
        assert_eq!(within(&result, head, NAMED_BOUND), 1, "{result}");
    }
    let of_long = minimum.replace(": (b)", ": (long)(b)");
    let result = fast("long_minima", &(of_long + &tiled), &[]);
    assert_eq!(within(&result, least, NAMED_BOUND), 1, "{result}");
}

/// A bound that would stand twice in the end of a segment has a name, and so do others behind it.
const NAMED_BOUND: &str = "const int y_end = Y + 3 < n ? Y + 3 : n;
  const int end = _ < y_end ? _ : y_end;
  for (; y < end; y++) _;";

const ONCE_AROUND: &str = "  for (int c = 0; c < n; c += 64)
    for (int i = 0; i < 3; i++) {
      for (int j = c - 1 > 0 ? c - 1 : 0; j < ((c + 64 < n ? c + 64 : n) < k ? (c + 64 < n ? c + 64 : n) : k); j++)
        w[i][j] = in[j] + i;
      if (i >= 2)
        for (int j = c > 2 ? c : 2; j < ((c + 64 < n ? c + 64 : n) < k ? (c + 64 < n ? c + 64 : n) : k); j++)
          out[j] = w[i][j - 2] + w[i - 2][j] / 2 + w[i - 1][j - 1];
    }";

/// A bound that only a `long` holds has a name of the counter's type: where an iteration runs, that holds it.
#[test]
#[ignore = "long, in ./check-more"]
fn bounds_may_be_of_other_types() {
    let in_one = Function { name: "", locals: "", body: "", n: "0, 1, 2, 3, 40", t: "0, 2, 3, 5, 40", says: &[] };
    let tiled = Function { n: "0, 1, 2, 3, 64, 65, 130", t: "0, 3, 5, 40, 70, 130", ..in_one };
    // Nobody needs two cells at a time: the loops stay, and so do their bounds.
    let functions = [
        Function {
            name: "half_cast",
            locals: "const long m = n - 8589934592L; double w[n + 1][3];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 1; j <= ((int)t < m ? (int)t : m); j++) {
      w[i][0] = in[i] + j;
      if (j >= 3) out[j] = w[i][0] * 2;
    }",
            says: &["for (int j = 1; j <= ((int)t < m ? (int)t : m); j++) { double w = _; _; }"],
            ..in_one
        },
        Function {
            name: "long_literal",
            locals: "const int k = t - 2147483647; double w[n + 1][3];",
            body: "  for (int i = 0; i < n; i++)
    for (int j = 1; j < (k - 2147483647L < t ? k - 2147483647L : t); j++) {
      w[i][0] = in[i] + j;
      if (j >= 3) out[j] = w[i][0] * 2;
    }",
            says: &["for (int j = 1; j < (k - 2147483647L < t ? k - 2147483647L : t); j++) { double w = _; _; }"],
            ..in_one
        },
        // Rows wrap around, of which some have no iteration.
        Function {
            name: "once_around",
            locals: "const long k = t % 2 ? -3000000000L : t; double w[3][n + 1];",
            body: ONCE_AROUND,
            says: &["const int j_end = _ < k ? _ : k; const int end = _ < j_end ? _ : j_end; for (; j < end; j++) _;"],
            ..tiled
        },
        Function {
            name: "least_int",
            locals: "const int k = t % 2 ? -2147483647 - 1 : t; double w[3][n + 1];",
            body: ONCE_AROUND,
            says: &["const int j_end = _ < k ? _ : k; const int end = _ < j_end ? _ : j_end; for (; j < end; j++) _;"],
            ..tiled
        },
    ];
    all_agree("bounds", &functions, &[]);
}

/// Whose text is less than a factor.
#[test]
#[ignore = "long, in ./check-more"]
fn bounds_may_be_macros_without_parentheses() {
    let macros = "#define HALF(x) (x) >> 1\n#define LESS n - 1\n";
    let source = two_grids().replace("for (int i = 1; i <= n; i++)", "for (int i = n; i > HALF(n); i--)");
    fast("half", &(macros.to_string() + &source), &[]);
    let source = two_grids().replace("i <= n; i++", "i < LESS; i++");
    fast("less", &(macros.to_string() + &source), &[]);
}

/// They go on behind the last part, too: the loop does not know who asks for them.
#[test]
fn counters_may_be_declared_outside() {
    let source = two_grids()
        .replace("double p[n + 2]", "int i; double p[n + 2]")
        .replace("for (int i = ", "for (i = ")
        .replace("for (i = 0; i < 200", "for (int i = 0; i < 200");
    fast("kept_counter", &source, &[]);
}

/// The counter of a part of one iteration goes on behind its body, which `continue` would leave.
#[test]
fn bodies_that_continue_stay_loops() {
    let source = two_grids().replace(
        "      p[i] = 0.25 * q[i - 1] + 0.5 * q[i] + 0.25 * q[i + 1];",
        "    {\n      p[i] = 0.25 * q[i - 1] + 0.5 * q[i] + 0.25 * q[i + 1];\n      continue;\n    }",
    );
    let result = optimized("continue", &source, &["--emit", "fast"]);
    assert!(!has(&result, "if (i <= n && i <= 1) _;"), "{result}");
    agree("continue");
}

/// A part in which one statement runs once may have more iterations than that.
#[test]
#[ignore = "long, in ./check-more"]
fn parts_have_all_iterations_of_the_loop() {
    let source = two_grids().replace(
        "    out[0][i] = q[i];",
        "    if (i == n / 2)\n      out[0][i] = q[i];\n    else\n      out[1][i] = i + t;",
    );
    fast("rare", &source, &[]);
}

/// A condition under the condition of its part has an `else` of its own.
#[test]
#[ignore = "long, in ./check-more"]
fn parts_of_one_iteration_put_conditions_in_braces() {
    let source = two_grids().replace(
        "      p[i] = 0.25 * q[i - 1]",
        "      if (i / 3 == 1)\n        p[i] = q[i];\n      else\n        p[i] = 0.25 * q[i - 1]",
    );
    fast("dangling", &source, &[]);
}

/// Rows of one buffer are no secret to gcc if it is told that no iteration uses a cell that one before it writes.
#[test]
#[ignore = "long, in ./check-more"]
fn loops_over_different_rows_are_promised_to_be_apart() {
    let source = five_points();
    let result = fast("apart", &source, &[]);
    assert_eq!(promised(&result), 1, "{result}");
}

/// The same rows with a sum along each: an iteration reads what the one before it wrote.
#[test]
#[ignore = "long, in ./check-more"]
fn loops_that_read_what_they_wrote_are_promised_nothing() {
    let source = program(
        "double p[n + 2][n + 2], q[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      q[i][j] = in[i][j];
  for (int s = 1; s <= t; s++) {
    for (int i = 0; i <= n + 1; i++) {
      p[i][0] = q[i][0];
      for (int j = 1; j <= n + 1; j++)
        p[i][j] = 0.25 * (p[i][j - 1] + (i > 0 ? q[i - 1][j] : 1.0));
    }
    for (int i = 0; i <= n + 1; i++)
      for (int j = 0; j <= n + 1; j++)
        q[i][j] = p[i][j];
  }
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = q[i][j];",
    );
    let result = fast("sums", &source, &[]);
    assert!(has(&result, "for (_; _; _) _ = 0.25 * _;"), "{result}");
    assert!(!has(&result, "POLYFOLD_IVDEP for (_; _; _) _ = 0.25 * _;"), "{result}");
}

/// Half a row in place of the row: an iteration writes what earlier ones have read.
#[test]
fn loops_in_place_of_what_they_read_are_promised() {
    let source = program(
        "double whole[2 * n + 2], half[n + 1];",
        "  for (int i = 0; i <= 2 * n + 1; i++)
    whole[i] = in[0][i / 2] * t;
  for (int j = 0; j <= n; j++)
    half[j] = whole[2 * j] + whole[2 * j + 1];
  for (int j = 0; j <= n; j++)
    out[0][j] = half[j];",
    );
    let result = fast("halves", &source, &[]);
    assert!(has(&result, "POLYFOLD_IVDEP for (_; _; _) _ = _ + _[2 * j + 1];"), "{result}");
}

/// A compiler sees what becomes of a variable: in an iteration, or from one to the next.
#[test]
fn loops_with_variables_are_promised() {
    let source = program(
        "double whole[2 * n + 2], half[n + 1], both, sum;",
        "  for (int i = 0; i <= 2 * n + 1; i++)
    whole[i] = in[0][i / 2] * t;
  sum = 0.0;
  for (int j = 0; j <= n; j++) {
    both = whole[2 * j] + whole[2 * j + 1];
    sum += both;
    half[j] = both * sum;
  }
  for (int j = 0; j <= n; j++)
    out[0][j] = half[j];",
    );
    let result = fast("variables", &source, &[]);
    assert!(
        has(&result, "POLYFOLD_IVDEP for (_; _; _) { both = _ + _[2 * j + 1]; sum += both; _[j] = _; }"),
        "{result}"
    );
}

/// A parameter may point into anything that stays: here into the member of a structure that the loop reads.
#[test]
fn loops_that_write_what_stays_are_promised_nothing() {
    let source = "#include <stdio.h>
struct { double a[80], b[80]; } s;
static void __attribute__((noinline)) f(int n, int m, double *out) {
  double t[n + 1][m];
#pragma scop
  for (int j = 0; j < m; j++)
    t[0][j] = j == 0 ? 8 : 1;
  for (int i = 1; i <= n; i++)
    for (int j = 0; j < m; j++) {
      t[i][j] = t[i - 1][m - 1 - j] / 2 + t[i - 1][j] + s.a[j];
      out[j] = t[i][j];
    }
  for (int j = 0; j < m; j++)
    out[j] = t[n][j];
#pragma endscop
}
int main(void) {
  for (int j = 0; j < 80; j++)
    s.a[j] = 1;
  f(1, 64, s.a + 1);
  for (int j = 0; j < 64; j++)
    printf(\"%g \", s.a[j]);
  puts(\"\");
  return 0;
}
";
    let result = optimized("member", source, &["--emit", "fast"]);
    agree("member");
    assert!(has(&result, "_ % 2") && promised(&result) == 0, "{result}");
}

/// `collapse(2)` wants loops with nothing in between.
#[test]
#[ignore = "long, in ./check-more"]
fn nothing_stands_between_collapsed_loops() {
    let source = program(
        "double a[t + 1][n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      a[0][i][j] = in[i][j];
  for (int s = 1; s <= t; s++)
    for (int h = 0; h < 1; h++)
#pragma omp parallel for collapse(2)
      for (int i = 0; i <= n + 1; i++)
        for (int j = 0; j <= n + 1; j++)
          a[s][i][j] = i == 0 || j == 0 ? s : a[s - 1][i - 1][j] + a[s - 1][i][j - 1];
  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = a[t][i][j];",
    );
    optimized("collapsed", &source, &["--emit", "fast"]);
    compiler::run(&path("collapsed.out.c"), &["-fopenmp"]).unwrap();
    agree("collapsed");
}

/// A statement that gets conditions is a line of its own: what stands behind it would look like a part of its last branch.
#[test]
fn what_stands_behind_a_branch_is_in_a_line_of_its_own() {
    let source = program(
        "double a[n + 4], b[n + 4];",
        "  for (int j = 0; j < n + 4; j++)
    a[j] = in[0][j % (n + 2)];
  for (int s = 0; s < t; s++) {
    for (int j = 2; j < n + 2; j++)
      b[j] = a[j - 1] * 0.5 + a[j] + a[j + 2];
    a[0] = b[n / 2 + 2];
    for (int j = 2; j < n + 2; j++)
      a[j] = b[j];
    a[1] = a[n + 1];
    a[n + 2] = a[2]; a[n + 3] = a[3 < n + 2 ? 3 : 2];
  }
  for (int j = 0; j <= n + 1; j++)
    out[0][j] = a[j];",
    );
    optimized("in_one_line", &source, &["--emit", "fast"]);
    agree("in_one_line");
    compiler::all_warnings(&path("in_one_line.out.c")).unwrap();
}

/// What a function's parameters lead to may be one memory, but in new orders that is taken not to be so.
#[test]
fn parameters_may_overlap_unless_the_order_is_new() {
    let source = program(
        "double a[n + 2][n + 2], b[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++) {
      a[i][j] = in[i][j] * t;
      b[i][j] = in[i][j] + 1;
    }
  for (int i = 1; i <= n; i++)
    for (int j = 0; j <= n + 1; j++)
      out[i][j] = b[i][j] + in[i][j] + a[i - 1][j];",
    );
    let fused = optimized("distinct", &source, &["--emit", "fast", "--schedule", "fuse-rows"]);
    agree("distinct");
    let kept = optimized("overlapping", &source, &["--emit", "fast"]);
    agree("overlapping");
    assert!(promised(&fused) > promised(&kept), "{fused}\n{kept}");
}

/// A row and a cell of each step: both take the step's remainder by 2, the row in front of the loop, the cell in it.
#[test]
fn a_cell_beside_a_row_has_the_same_remainder() {
    let source = program(
        "double rows[t + 1][n + 2], side[t + 1];",
        "  side[0] = in[0][0];
  for (int i = 0; i <= n + 1; i++)
    rows[0][i] = in[0][i];
  for (int s = 1; s <= t; s++) {
    side[s] = 0.5 * rows[s - 1][0] + side[s - 1];
    for (int i = 0; i <= n + 1; i++)
      rows[s][i] = rows[s - 1][n + 1 - i] + side[s - 1] * side[s];
  }
  for (int i = 0; i <= n + 1; i++)
    out[0][i] = rows[t][i] + side[t];",
    );
    let result = fast("cell_beside_row", &source, &[]);
    assert!(declares(&result, "rows", &["2", "n + 2"]) && declares(&result, "side", &["2"]), "{result}");
}
