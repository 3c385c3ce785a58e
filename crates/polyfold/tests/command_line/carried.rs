//! `--schedule strips`: windows that loops over strips of 128 turns carry along, at the sizes around one, two and three strips.

use super::files::{agree, file, optimized, run, text};
use super::forms::{Function, all_agree};
use crate::support::code::has;
use crate::support::declared::declares;

/// Around the ends of strips.
const ENDS: &str = "0, 1, 2, 3, 4, 126, 127, 128, 129, 130, 131, 132, 254, 255, 256, 257, 258, 259, 280";
const NO: &str = "0";
const STRIPS: &[&str] = &["--schedule", "strips"];

#[test]
fn what_the_next_strip_needs_moves_to_the_front() {
    let in_one = Function { name: "", locals: "double w[n + 1];", body: "", n: ENDS, t: NO, says: &["!_ % _"] };
    let functions = [
        Function {
            name: "window",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = 0.5 * in[j];
    if (j >= 2) out[j] = w[j - 2] + w[j];
  }",
            says: &["double w[130] = {0};", "w[j - c1 + 2] = 0.5 * in[j];", "!_ % _"],
            ..in_one
        },
        Function {
            name: "one_behind",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = 0.5 * in[j];
    if (j >= 1) out[j] = w[j - 1] + w[j];
  }",
            says: &["double w[129] = {0};", "w[0] = w[128];", "!_ % _"],
            ..in_one
        },
        Function {
            name: "stages",
            locals: "double v[n + 1], w[n + 1];",
            body: "  for (int j = 0; j < n; j++) v[j] = in[j] * in[j];
  for (int j = 1; j < n; j++) w[j] = v[j] - v[j - 1];
  for (int j = 4; j < n; j++) out[j] = w[j] * w[j - 3] + v[j - 4];",
            says: &["double v[132] = {0}, w[131] = {0};", "!_ % _"],
            ..in_one
        },
        Function {
            name: "rows",
            locals: "double w[3][n + 1];",
            body: "  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++) {
      w[i][j] = in[j] + i;
      if (j >= 3) out[j - i] = w[i][j - 3] + w[i][j - 1] + w[i][j];
    }",
            says: &["double w[131] = {0};", "!_ % _"],
            ..in_one
        },
        Function {
            name: "inner_taps",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = 0.5 * in[j];
    if (j >= 5) {
      double sum = 0;
      for (int k = 0; k < 6; k++) sum += k * w[j - k];
      out[j] = sum;
    }
  }",
            says: &["w[j - k - c1 + 5]", "!_ % _"],
            ..in_one
        },
        Function {
            name: "own_variables",
            body: "  for (int j = 0; j < n; j++) {
    double p = in[j], q = in[j] * 0.5;
    w[j] = p + q;
    if (j >= 2) {
      const double r = w[j - 2] - w[j - 1];
      out[j] = r * w[j];
    }
  }",
            says: &["double q = in[j] * 0.5;", "double w[130] = {0};", "!_ % _"],
            ..in_one
        },
        Function {
            name: "down",
            body: "  for (int j = n - 1; j >= 0; j--) {
    w[j] = 0.5 * in[j];
    if (j < n - 2) out[j] = w[j + 2] + w[j];
  }",
            says: &["!j % _"],
            ..in_one
        },
        Function {
            name: "of_bools",
            locals: "_Bool w[n + 1];",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = in[j] > 4;
    if (j >= 2) out[j] = w[j - 2] + 2 * w[j];
  }",
            says: &["_Bool w[130] = {0};"],
            ..in_one
        },
        Function {
            name: "every_other",
            body: "  for (int j = 0; j < n; j += 2) {
    w[j] = 0.5 * in[j];
    if (j >= 4) out[j] = w[j - 4] + w[j];
  }",
            ..in_one
        },
        // Each begins and ends elsewhere, so that there is nothing to do for some in the first strip and in the last one.
        Function {
            name: "staggered",
            locals: "double v[n + 1], w[n + 1], x[n + 1];",
            body: "  for (int j = 1; j < n; j++) v[j] = in[j] + in[j - 1];
  for (int j = 7; j < n - 1; j++) w[j] = v[j - 6] + v[j + 1];
  for (int j = 12; j < n - 5; j++) x[j] = w[j - 3] * w[j + 2];
  for (int j = 12; j < n - 6; j++) out[j] = x[j] > 4 && x[j + 1] > x[j] ? x[j] : w[j];",
            says: &["for (long c1 = 0; _; _) _;", "v[j - c1 + 7] = _;", "!if (_) _; else _;", "!_ % _"],
            ..in_one
        },
        Function {
            name: "in_rows",
            locals: "double v[5][n + 1], w[5][n + 1];\n#define MAX(a, b) ((a) > (b) ? (a) : (b))",
            body: "  for (int i = 0; i < 5; i++)
    for (int j = 0; j < n; j++) v[i][j] = MAX(in[j], in[j + i]);
  for (int i = 1; i < 4; i++)
    for (int j = 0; j < n; j++) w[i][j] = MAX(v[i - 1][j], v[i + 1][j]);
  for (int i = 1; i < 4; i++)
    for (int j = 2; j < n - 2; j++) out[j + i] = MAX(w[i][j - 2], MAX(w[i][j], w[i][j + 2]));",
            says: &["w[j - c3 + 4]"],
            ..in_one
        },
    ];
    all_agree("carried", &functions, STRIPS);
}

/// A choice has a loop of its own, so that the others have vectors, and what it reads is a window. So has one under a condition
/// on counters.
#[test]
#[ignore = "long, in ./check-more"]
fn what_computes_behind_a_choice_is_alone() {
    let in_one = Function { name: "", locals: "", body: "", n: ENDS, t: NO, says: &[] };
    let choice = "b[j] - in[j] < 2 && in[j] / b[j] < 2 ? in[j] : s[j]";
    let in_turns = format!(
        "  for (int j = 0; j < n; j++) {{
    b[j] = 0.5 * in[j];
    s[j] = b[j] - 1;
    out[j] = {choice};
  }}"
    );
    let in_rows = format!(
        "  for (int i = 0; i < 6; i++)
    for (int j = 2; j < n; j++) w[i][j] = in[j] * i + in[j - 2];
  for (int i = 2; i < 6; i++)
    for (int j = 2; j < n; j++) v[i][j] = w[i - 2][j] + w[i][j];
  for (int i = 2; i < 6; i++)
    for (int j = 2; j < n; j++) out[j] = {};",
        choice.replace("b[j]", "w[i - 2][j]").replace("s[j]", "v[i][j]")
    );
    let functions = [
        Function {
            name: "in_turns",
            locals: "double b[n + 1], s[n + 1];",
            body: &in_turns,
            says: &["double b[128], s[128];", "b[j - c1] - in[j] < 2", "!_ % _"],
            ..in_one
        },
        Function {
            name: "in_rows",
            locals: "double v[6][n + 1], w[6][n + 1];",
            body: &in_rows,
            says: &[
                "double v[128], w[3][n + 1];",
                "for (int j = _; _; j++) v[j - c3] = _ + _;",
                "for (int j = _; _; j++) out[j] = _ ? in[j] : v[j - c3];",
                "!_ % _",
            ],
            ..in_one
        },
    ];
    all_agree("choices-alone", &functions, STRIPS);
    let without_branches = in_turns.replace("in[j] / b[j]", "in[j] / 4");
    let beside = Function {
        name: "beside",
        locals: "double b[n + 1], s[n + 1];",
        body: &without_branches,
        says: &["!_ % _"],
        ..in_one
    };
    all_agree("choices-beside", &[beside], STRIPS);
}

/// What only a `long` holds is no first value of an `int`.
#[test]
fn first_values_past_int_are_long() {
    let past_int = Function {
        name: "past_int",
        locals: "const int k = t; double w[n + 1];",
        body: "  for (int j = 0; j < n; j++) {
    w[j] = 0.5 * in[j];
    if (j >= 2 && j >= (long)t + k) out[j] = w[j - 2];
  }",
        n: "0, 1, 2, 3, 129, 280",
        t: "0, 2, 64, 1073741823, 1073741824, 2147483600",
        says: &["for (long j = (2 > (long)t + k ? 2 : _) > c1 ? _ : c1; _; _) _;"],
    };
    all_agree("past_int", &[past_int], STRIPS);
}

/// Loops that are in strips in the source, up and down.
#[test]
fn strips_of_the_source_have_windows() {
    let in_one = Function { name: "", locals: "double w[n + 1];", body: "", n: ENDS, t: NO, says: &[] };
    let functions = [
        Function {
            name: "in_strips",
            body: "  for (int c = 0; c < n; c += 16) {
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) w[j] = 0.5 * in[j];
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) { if (j >= 3) out[j] = w[j - 3] + w[j]; }
  }",
            says: &["double w[19] = {0};", "w[j - c + 3] = 0.5 * in[j];", "!_ % _"],
            ..in_one
        },
        Function {
            name: "in_strips_down",
            body: "  for (int c = n - 1; c >= 0; c -= 16) {
    for (int j = c; j > (c - 16 > -1 ? c - 16 : -1); j--) w[j] = 0.5 * in[j];
    for (int j = c; j > (c - 16 > -1 ? c - 16 : -1); j--) { if (j < n - 3) out[j] = w[j + 3] + w[j]; }
  }",
            says: &["double w[19] = {0};", "w[j - c + 15] = 0.5 * in[j];", "!_ % _"],
            ..in_one
        },
        Function {
            name: "hidden_counter",
            body: "  for (int c = 0; c < n; c += 16) {
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) { double c = in[j]; w[j] = c * c; }
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) { if (j >= 3) out[j] = w[j - 3] + w[j]; }
  }",
            says: &["!w[0] = w[_];"],
            ..in_one
        },
        Function {
            name: "longer_than_a_strip",
            body: "  for (int c = 0; c < n; c += 16) {
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) w[j] = 0.5 * in[j];
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) { if (j >= 40) out[j] = w[j - 40] + w[j]; }
  }",
            says: &["!w[0] = w[_];"],
            ..in_one
        },
        Function {
            name: "left_early",
            body: "  for (int c = 0; c < n; c += 16) {
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) w[j] = 0.5 * in[j];
    for (int j = c; j < (c + 16 < n ? c + 16 : n); j++) { if (j >= 3) out[j] = w[j - 3] + w[j]; }
    if (n > 1000000) continue;
  }",
            says: &["!w[0] = w[_];"],
            ..in_one
        },
    ];
    all_agree("carried_in_source", &functions, &[]);
}

/// Loops as they were: recurrences, alone and in a circle.
#[test]
fn what_has_no_window_computes_the_same() {
    let in_one = Function { name: "", locals: "double w[n + 9];", body: "", n: ENDS, t: NO, says: &["!w[0] = w[_];"] };
    let functions = [
        Function {
            name: "recurrence",
            body: "  for (int j = 0; j < n; j++) {
    if (j >= 1) w[j] = in[j] - 0.5 * w[j - 1]; else w[j] = in[0];
    out[j] = w[j];
  }",
            ..in_one
        },
        Function {
            name: "in_a_circle",
            locals: "double v[n + 9], w[n + 9];",
            body: "  v[0] = 1;
  for (int j = 0; j < n; j++) {
    w[j + 1] = in[j] - v[j];
    v[j + 1] = 0.5 * w[j + 1];
    out[j] = v[j];
  }",
            ..in_one
        },
    ];
    let of_its_own = [
        Function {
            name: "own_enumeration",
            locals: "enum { gain = 100 }; double w[n + gain];",
            body: "  for (int j = 0; j < n; j++) {
    enum { gain = 2 };
    double p = in[j] / 3;
    w[j] = p * gain;
    if (j >= 2) out[j] = gain * w[j - 2] + w[j];
  }",
            ..in_one
        },
        Function {
            name: "own_type",
            locals: "typedef int real; double w[n + (real)1];",
            body: "  for (int j = 0; j < n; j++) {
    typedef double real;
    double p = in[j] / 3;
    w[j] = p;
    if (j >= 2) out[j] = (real)w[j] / 2 + w[j - 2];
  }",
            ..in_one
        },
        Function {
            name: "longer",
            body: "  for (int j = 0; j < n; j++) {
    w[j] = 0.5 * in[j];
    if (j >= 200) out[j] = w[j] + w[j - 200];
  }",
            ..in_one
        },
    ];
    all_agree("not_carried", &[&functions[..], &of_its_own].concat(), STRIPS);
}

const MEDIAN: &str = "#include <stdio.h>
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static void median(int h, int w, unsigned char in[h][w], unsigned char out[h][w]) {
  unsigned char lo[h][w], mi[h][w], hi[h][w];
#pragma scop
  for (int i = 1; i < h - 1; i++)
    for (int j = 0; j < w; j++) {
      unsigned char p = in[i - 1][j], q = in[i][j], r = in[i + 1][j];
      lo[i][j] = MIN(p, MIN(q, r));
      hi[i][j] = MAX(p, MAX(q, r));
      mi[i][j] = MAX(MIN(p, q), MIN(MAX(p, q), r));
      if (j >= 2) {
        unsigned char a = MAX(lo[i][j - 2], MAX(lo[i][j - 1], lo[i][j]));
        unsigned char c = MIN(hi[i][j - 2], MIN(hi[i][j - 1], hi[i][j]));
        unsigned char b = MAX(MIN(mi[i][j - 2], mi[i][j - 1]), MIN(MAX(mi[i][j - 2], mi[i][j - 1]), mi[i][j]));
        out[i][j - 1] = MAX(MIN(a, b), MIN(MAX(a, b), c));
      }
    }
#pragma endscop
}
int main(void) {
  static unsigned char in[5 * 300], out[5 * 300];
  for (int w = 1; w <= 300; w += 37) {
    unsigned sum = 0;
    for (int k = 0; k < 1500; k++) in[k] = (unsigned char)(k * 73 + k / 7), out[k] = 0;
    median(5, w, (unsigned char(*)[w])in, (unsigned char(*)[w])out);
    for (int k = 0; k < 1500; k++) sum = sum * 31 + out[k];
    printf(\"%d %u\\n\", w, sum);
  }
  return 0;
}
";

/// As many cells as are alive at once in strips; without them nine, and a word about what strips would do.
#[test]
fn a_median_filter_has_windows_of_130_cells() {
    file("median.c", MEDIAN);
    let run_with = |more: &[&str]| run("optimize", &["median.c"], &[&["--emit", "fast"], more].concat());
    let kept = run_with(&[]);
    assert!(kept.stderr.contains("-> 9 ") && kept.stderr.contains("--schedule strips would let"), "{}", kept.stderr);
    assert!(kept.stderr.contains("loops over lo, mi, hi vectorise"), "{}", kept.stderr);
    let result = optimized("median_in_strips", MEDIAN, &[&["--emit", "fast"], STRIPS].concat());
    assert!(
        ["lo", "mi", "hi"].iter().all(|name| declares(&result, name, &["130"])) && !has(&result, "_ % 130"),
        "{result}"
    );
    agree("median_in_strips");
    let in_strips = run_with(&[STRIPS, &["--param", "h=50", "--param", "w=640"]].concat());
    assert!(
        in_strips.stderr.contains("-> 390 ") && in_strips.stderr.contains("; 390 alive at once"),
        "{}",
        in_strips.stderr
    );
    assert!(!in_strips.stderr.contains("--schedule strips would"), "{}", in_strips.stderr);
}

/// The user is told why there are no strips.
#[test]
fn loops_without_strips_say_why() {
    let reasons = [
        ("i < n", "t[i] = 2 * x[i]; y[i] = t[i] + 1;", "none reads, from an array of the scop's own"),
        ("i < n", "t[i] = 2 * x[i]; if (i >= 200) y[i] = t[i - 200] + t[i];", "are read more than 128 turns later"),
        ("i < 99", "t[i] = 2 * x[i]; if (i >= 2) y[i] = t[i - 2] + t[i];", "could be cut have at most 256 turns"),
        (
            "i < n",
            "t[i] = i >= 1 ? y[i - 1] : 1; if (i >= 1) y[i] = t[i - 1] + t[i]; else y[i] = t[i];",
            "need each other's values turn by turn",
        ),
    ];
    for (condition, body, why) in reasons {
        let source = format!(
            "void f(int n, double *restrict x, double *restrict y) {{
  double t[n + 99];
#pragma scop
  for (int i = 0; {condition}; i++) {{
    {body}
  }}
#pragma endscop
}}
"
        );
        file("no_strips.c", &source);
        let out = super::files::path("no_strips.out.c").display().to_string();
        let said = run("optimize", &["no_strips.c"], &[STRIPS, &["-o", &out]].concat());
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert!(said.stderr.contains("no innermost loop gets strips") && said.stderr.contains(why), "{}", said.stderr);
        assert!(!has(&text("no_strips.out.c"), "128"));
    }
}

/// What gets no strips is fused by rows, with parts in front and behind.
#[test]
fn loops_without_strips_are_fused_by_rows() {
    let source = "void f(int n, int m, double in[n][m], double out[n][m]) {
  double t[n][m];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = 2 * in[i][j];
  for (int i = 1; i < n; i++)
    for (int j = 1; j < m; j++)
      out[i][j] = t[i][j] + t[i - 1][j - 1];
#pragma endscop
}
";
    file("strips_by_rows.c", source);
    let texts = ["strips", "fuse-rows"].map(|schedule| {
        let name = format!("strips_by_rows_{schedule}.c");
        let out = super::files::path(&name).display().to_string();
        let said = run("optimize", &["strips_by_rows.c"], &["--schedule", schedule, "-o", &out]);
        assert_eq!(said.status, 0, "{}", said.stderr);
        assert_eq!(said.stderr.matches("in one loop").count(), 1, "{}", said.stderr);
        text(&name)
    });
    assert_eq!(texts[0], texts[1]);
    assert!(declares(&texts[0], "t", &["2", "m"]), "{}", texts[0]);
}

#[test]
fn strips_take_no_parallel_dimensions() {
    file("parallel_strips.c", MEDIAN);
    let said = run("optimize", &["parallel_strips.c"], &[STRIPS, &["--parallel", "1"]].concat());
    assert_eq!(said.status, 2, "{}", said.stderr);
}
