//! Arrays that share a buffer where innermost loops keep their vectors.

use super::fast::{fast, program};
use super::files::{agree, optimized, path, run, text};
use super::forms::{Function, all_agree};
use crate::support::code::within;
use serde_json::Value;

/// Sums and differences of neighbours, and then those of these: the first of two statements writes in front of what the second reads.
const TWO_STAGES: &str = "  for (int j = 1; j < n; j++) {
    lo[j] = in[j] + in[j - 1];
    hi[j] = in[j] - in[j - 1];
  }
  for (int j = 2; j < n; j++) {
    ll[j] = lo[j] + hi[j - 1];
    lh[j] = hi[j] - lo[j - 1];
  }
  for (int j = 2; j < n; j++)
    out[j] = ll[j] * lh[j];";

const ROW: Function = Function {
    name: "row",
    locals: "double lo[n + 1], hi[n + 1], ll[n + 1], lh[n + 1];",
    body: TWO_STAGES,
    n: "0, 1, 2, 3, 4, 9, 10, 30, 100, 299",
    t: "0",
    says: &[],
};

/// In a row, a vector's cells lie between what is written and what is read. There is room for them, or it is said how much there would have to be.
#[test]
#[ignore = "long, in ./check-more"]
fn rows_have_room_for_a_vector() {
    all_agree(
        "vectors_row",
        &[Function { says: &["double lo_shared[n + 7];", "double hi_shared[n + 1];"], ..ROW }],
        &[],
    );
    all_agree(
        "vectors_row_no",
        &[Function { says: &["double lo_shared[n + 1];", "double hi_shared[n + 1];"], ..ROW }],
        &["--room", "0"],
    );
    all_agree(
        "vectors_row_short",
        &[Function { says: &["lo_shared[j - 2] = lo_shared[j] + _;"], ..ROW }],
        &["--param", "n=30"],
    );
    let said = run("optimize", &["vectors_row_short.c"], &["--param", "n=30"]).stderr;
    let line = "(sharing takes vectors from loops over lo, ll; --room 24 would not, with 37 cells for it)";
    assert!(said.contains(line), "{said}");
}

/// What takes a vector from a loop may be in no vector as it is.
#[test]
fn other_loops_take_no_room() {
    let with = |name, body| Function { name, body, says: &["!n + 7"], ..ROW };
    let behind = TWO_STAGES.replace("lo[j] + hi[j - 1];", "lo[j] + hi[j - 1] + (j > 2 ? ll[j - 1] : 0);");
    let handed_on = TWO_STAGES.replace("lo[j] + hi[j - 1];", "lo[j] + hi[j - 1] + s;\n    s = ll[j] * 0.5;");
    let apart = TWO_STAGES.replace("    lh[j]", "  }\n  for (int j = 2; j < n; j++) {\n    lh[j]");
    let functions = [
        with("behind", &behind),
        Function {
            locals: "double lo[n + 1], hi[n + 1], ll[n + 1], lh[n + 1], s = 0;",
            ..with("handed_on", &handed_on)
        },
        with("apart", &apart),
    ];
    all_agree("vectors_none", &functions, &[]);
}

/// In a frame there is a row that is dead, which may take no more cells.
#[test]
fn frames_have_a_row_more() {
    let down = "for (int j = 19; j >= 2; j--) {\n      ll";
    let body = TWO_STAGES
        .replace("in[j", "in[i * 20 + j")
        .replace("out[j", "out[i * 20 + j")
        .replace("lo[", "lo[i][")
        .replace("hi[", "hi[i][")
        .replace("ll[", "ll[i][")
        .replace("lh[", "lh[i][")
        .replace("j < n", "j < 20")
        .replace("  for", "  for (int i = 0; i < n; i++)\n    for");
    let back = body.replace("for (int j = 2; j < 20; j++) {\n    ll", down);
    let locals = "double lo[n + 1][20], hi[n + 1][20], ll[n + 1][20], lh[n + 1][20];";
    let frame = Function { name: "frame", locals, body: &body, n: "0, 1, 2, 3, 5, 15", ..ROW };
    let functions = [
        Function { says: &["lo_shared[i + 1][_] = _;", "lo_shared[i][_] = lo_shared[i + 1][_] + _;"], ..frame.clone() },
        Function { name: "back", body: &back, ..frame },
    ];
    all_agree("vectors_frames", &functions, &[]);
}

/// The turns of a short loop inside are text: the first of a sum stands in front of all reads of rows.
#[test]
fn short_loops_inside_are_unrolled() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 1; j < 19; j++) {
      rows[i][j] = 0;
      for (int k = -1; k <= 1; k++)
        rows[i][j] += in[i * 20 + j + k];
    }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < 19; j++) {
      sums[i][j] = 0;
      for (int k = -1; k <= 1; k++)
        sums[i][j] += rows[i + k][j];
    }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < 19; j++)
      out[i * 20 + j] = sums[i][j] / 9;";
    let locals = "double rows[n + 1][20], sums[n + 1][20];";
    let says = &["rows_shared[i + 1][j - 1] = rows_cell", "rows_shared[i - 1][j - 1] = sums_cell"];
    let function = Function { name: "sums", locals, body, n: "0, 1, 2, 3, 4, 5, 15", says, ..ROW };
    all_agree("vectors_short", &[function], &["--param", "n=480"]);
}

/// A median of nine bytes in three loops: no statement writes what one behind it reads in an iteration near by.
#[test]
fn a_median_keeps_its_vectors() {
    let three = |name: &str| format!("{name}[i - 1][j], {name}[i][j], {name}[i + 1][j]");
    let source = format!(
        "#include <stdio.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LEAST(a, b, c) MIN(MIN(a, b), c)
#define MOST(a, b, c) MAX(MAX(a, b), c)
#define MIDDLE(a, b, c) MAX(MIN(a, b), MIN(MAX(a, b), c))
static void median(int h, int w, unsigned char in[h][w], unsigned char out[h][w]) {{
  unsigned char lo[h][w], mid[h][w], hi[h][w], maxlo[h][w], medmid[h][w], minhi[h][w];
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 0; j < w; j++) {{
      lo[i][j] = LEAST({0});
      mid[i][j] = MIDDLE({0});
      hi[i][j] = MOST({0});
    }}
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++) {{
      maxlo[i][j] = MOST(lo[i][j - 1], lo[i][j], lo[i][j + 1]);
      minhi[i][j] = LEAST(hi[i][j - 1], hi[i][j], hi[i][j + 1]);
      medmid[i][j] = MIDDLE(mid[i][j - 1], mid[i][j], mid[i][j + 1]);
    }}
  for (int i = 1; i < h - 1; i++)
    for (int j = 1; j < w - 1; j++)
      out[i][j] = MIDDLE(maxlo[i][j], medmid[i][j], minhi[i][j]);
#pragma endscop
}}
int main(void) {{
  static unsigned char in[9 * 70], out[9 * 70];
  for (int k = 0; k < 9 * 70; k++)
    in[k] = (unsigned char)(k * k % 251);
  for (int h = 1; h < 10; h++)
    for (int w = 1; w < 71; w = w < 5 ? w + 1 : w + 13) {{
      median(h, w, (unsigned char(*)[w])in, (unsigned char(*)[w])out);
      for (int k = 0; k < h * w; k++)
        printf(\"%d \", out[k]);
    }}
  puts(\"\");
  return 0;
}}
",
        three("in")
    );
    let json = path("vectors_median.json").display().to_string();
    optimized("vectors_median", &source, &["--param", "h=480,w=640", "--json", &json]);
    agree("vectors_median");
    let report: Value = serde_json::from_str(&text("vectors_median.json")).expect("the report is JSON");
    let (arrays, totals) = (&report["scops"][0]["arrays"], &report["scops"][0]["totals"]);
    assert!(totals["cells_after"].as_u64().is_some_and(|cells| cells <= 920_960), "{arrays}");
    assert_eq!(report["scops"][0]["vectors"], Value::Array(Vec::new()));
}

/// Rows of 32 bytes, or a multiple of that, stay as long as they are where there is room: each begins where a vector may. Of sizes at run time nobody knows that.
#[test]
fn rows_of_vectors_stay_whole() {
    let body = "  for (int i = 0; i < 5; i++)
    for (int j = 1; j < W - 1; j++)
      a[i][j] = in[i * W + j - 1] + in[i * W + j + 1];
  for (int i = 1; i < 4; i++)
    for (int j = 1; j < W - 1; j++)
      b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j];
  for (int i = 1; i < 4; i++)
    for (int j = 1; j < W - 1; j++)
      out[i * W + j] = b[i][j] * n + t;";
    let of = |width: &str| body.replace('W', width);
    let (known, odd, unknown) = (of("60"), of("59"), of("(n + 55)"));
    let function = |name, locals, body| Function { name, locals, body, n: "1, 3, 5", t: "0, 1", says: &[] };
    let functions = [
        Function {
            says: &["double a_shared[5][60];", "a_shared[i - 1][j] = _;"],
            ..function("known", "double a[5][60], b[5][60];", &known)
        },
        Function { says: &["double a_shared[5][57];"], ..function("odd", "double a[5][59], b[5][59];", &odd) },
        Function {
            says: &["double a_shared[5][n <= -52 ? 1 : n + 53];"],
            ..function("unknown", "double a[5][n + 55], b[5][n + 55];", &unknown)
        },
    ];
    all_agree("vectors_whole", &functions, &["--room", "5", "--param", "n=5"]);
    let none =
        [Function { says: &["double a_shared[5][58];"], ..function("known", "double a[5][60], b[5][60];", &known) }];
    all_agree("vectors_whole_no", &none, &["--room", "0"]);
}

/// Means of an integral image lie in its own rows, where others are read.
#[test]
fn a_row_that_is_written_and_read_elsewhere_has_a_pointer() {
    let source = program(
        "double s[n + 3][n + 3], row[n + 2][n + 3], m[n + 2][n + 2];",
        "  for (int j = 0; j <= n + 2; j++)
    s[0][j] = 0;
  for (int i = 0; i < n + 2; i++) {
    row[i][0] = t;
    for (int j = 0; j < n + 2; j++)
      row[i][j + 1] = row[i][j] + in[i][j];
    for (int j = 0; j <= n + 2; j++)
      s[i + 1][j] = s[i][j] + row[i][j];
  }
  for (int i = 3; i < n - 1; i++)
    for (int j = 3; j < n - 1; j++)
      m[i][j] = (s[i + 4][j + 4] - s[i - 3][j + 4] - s[i + 4][j - 3] + s[i - 3][j - 3]) * 0.0625;
  for (int i = 3; i < n - 1; i++)
    for (int j = 3; j < n - 1; j++)
      out[i][j] = in[i][j] - m[i][j];",
    );
    fast("integral", &source, &[]);
}

/// gcc would gather `half[j / 2]` cell by cell.
#[test]
fn nothing_is_promised_of_loops_that_divide_their_counters() {
    let source = program(
        "double by[n + 2][n + 2], half[n + 2][n + 2], up[n + 2][n + 2];",
        "  for (int i = 0; i <= n + 1; i++)
    for (int j = 0; j <= n + 1; j++)
      by[i][j] = in[i][j] + t;
  for (int i = 0; 2 * i <= n + 1; i++)
    for (int j = 0; 2 * j <= n + 1; j++)
      half[i][j] = by[2 * i][2 * j];
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      up[i][j] = 0.25 * (half[i / 2][j / 2] + half[(i + 1) / 2][j / 2]);
  for (int i = 0; i <= n; i++)
    for (int j = 0; j <= n; j++)
      out[i][j] = in[i][j] - up[i][j];",
    );
    let result = optimized("halves", &source, &[]);
    agree("halves");
    assert!(within(&result, "for (_; _; _) _;", "_[j / 2]") > 0, "{result}");
    assert_eq!(within(&result, "POLYFOLD_IVDEP for (_; _; _) _;", "_[j / 2]"), 0, "{result}");
}
