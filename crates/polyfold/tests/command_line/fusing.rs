//! Loops fused for memory: `--schedule fuse` and `--schedule fuse-rows`.

use super::files::{agree, file, optimized, path, run, text};
use super::schedules::program;
use crate::support::code::{count, function, has, is_same, within};
use crate::support::compiler;
use crate::support::declared::declares;
use crate::support::tool::Run;
use serde_json::Value;

/// An unsharp mask, one frame for each stage.
fn unsharp_mask() -> String {
    program(
        "double blurred[n][m], soft[n][m], sharp[n][m];",
        "  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      blurred[i][j] = in[i - 1][j] + 2 * in[i][j] + in[i + 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 2; j < m - 2; j++)
      soft[i][j] = blurred[i][j - 2] + blurred[i][j - 1] + blurred[i][j] + blurred[i][j + 1] + blurred[i][j + 2];
  for (int i = 1; i < n - 1; i++)
    for (int j = 2; j < m - 2; j++)
      sharp[i][j] = in[i][j] * 40 - soft[i][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = in[i][j] - soft[i][j] < 3 ? in[i][j] : sharp[i][j] + soft[i][j];",
    )
}

/// Of innermost loops that are fused for vectors; of integers nothing is said, since their arithmetic raises no flags.
#[test]
fn what_takes_the_vectors_from_a_fused_loop_is_said() {
    let says_so = |source: &str, schedule: &str| {
        file("fused_choice.c", source);
        let said = run("optimize", &["fused_choice.c"], &["--schedule", schedule]).stderr;
        said.contains("computes floating numbers behind a choice") && said.contains("help: `--schedule strips`")
    };
    let call = |name: &str| {
        unsharp_mask().replace("in[i][j] - soft[i][j] < 3 ? in[i][j] : sharp", &format!("{name}(sharp[i][j]) + sharp"))
    };
    assert!(says_so(&call("sqrt"), "fuse-rows") && !says_so(&call("fabs"), "fuse-rows"));
    assert!(!says_so(&call("sqrt"), "strips"));
    assert!(!says_so(&unsharp_mask(), "fuse-rows"), "both sides are computed");
    // What divides may not be computed for nothing.
    let dividing = unsharp_mask().replace("? in[i][j] : sharp", "? in[i][j] : 1 / sharp");
    assert!(says_so(&dividing, "fuse-rows"));
    assert!(!says_so(&dividing, "fuse") && !says_so(&dividing, "strips"));
    assert!(!says_so(&dividing.replace("double", "long"), "fuse-rows"));
}

/// Optimizes a text into `NAME.out.c`; the cells that the report counts.
fn reported(name: &str, source: &str, more: &[&str]) -> (Run, u64) {
    file(&format!("{name}.c"), source);
    let [output, json] = ["out.c", "json"].map(|end| path(&format!("{name}.{end}")).display().to_string());
    let run = run("optimize", &[&format!("{name}.c")], &[&["-o", &output, "--json", &json, "--verify"], more].concat());
    let report: Value = serde_json::from_str(&text(&format!("{name}.json"))).expect("it is JSON");
    let cells = report["scops"][0]["totals"]["cells_after"].as_u64().expect("it is counted");
    (run, cells)
}

/// The cells of a chain in one loop at n = m = `size`, and whether its values were counted.
fn chained(name: &str, stages: usize, size: u64) -> (u64, bool) {
    file(&format!("{name}.c"), blurs(stages));
    let [output, json] = ["out.c", "json"].map(|end| path(&format!("{name}.{end}")).display().to_string());
    let sizes = format!("n={size},m={size}");
    let more = ["--schedule", "fuse", "--param", &sizes, "-o", &output, "--json", &json];
    assert_eq!(run("optimize", &[&format!("{name}.c")], &more).status, 0);
    let report: Value = serde_json::from_str(&text(&format!("{name}.json"))).expect("it is JSON");
    let totals = &report["scops"][0]["totals"];
    (totals["cells_after"].as_u64().expect("it is known"), totals["max_live"].is_u64())
}

/// Two rows and a cell for each array, at sizes at which nothing can be counted, too, and at which extrapolated counts only rank.
#[test]
fn values_too_many_to_be_counted_are_extrapolated() {
    assert_eq!(chained("counted", 10, 150), (9 * (2 * 150 + 1), true));
    assert_eq!(chained("not_counted", 10, 3000), (9 * (2 * 3000 + 1), false));
}

/// Stages behind the fifteenth do not run. All arrays share what the first one needs, in the order of the source.
#[test]
#[ignore = "long, in ./check-more"]
fn stages_that_do_not_run_at_the_sizes_cost_no_cells() {
    assert_eq!(chained("do_not_run", 20, 30), (30 * 30, true));
}

/// Five cells of a row, and two variables, of three frames.
#[test]
fn an_unsharp_mask_fused_to_pixels_needs_seven_cells() {
    let sizes = ["--param", "n=64", "--param", "m=48"];
    let (run, cells) = reported("unsharp_fused", &unsharp_mask(), &[&["--schedule", "fuse"], &sizes[..]].concat());
    assert_eq!((run.status, cells), (0, 5 + 1 + 1), "{}", run.stderr);
    assert!(run.stderr.contains("run (0, 2) iterations behind"), "{}", run.stderr);
}

/// A row, and two variables: the loop over the first stage's pixels stays whole.
#[test]
fn an_unsharp_mask_fused_by_rows_needs_a_row_and_two_cells() {
    let sizes = ["--param", "n=64", "--param", "m=48"];
    let (run, cells) = reported("unsharp_rows", &unsharp_mask(), &[&["--schedule", "fuse-rows"], &sizes[..]].concat());
    assert_eq!((run.status, cells), (0, 48 + 1 + 1), "{}", run.stderr);
    let result = text("unsharp_rows.out.c");
    assert_eq!(loops_over(&result, "j"), 2, "{result}");
}

/// The text of a function fused by rows, or in strips; it computes the same.
fn in_order(name: &str, schedule: &str, source: &str) -> String {
    let result = optimized(name, source, &["--emit", "fast", "--schedule", schedule, "--verify"]);
    compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
    agree(name);
    result
}

/// Box sums: compilers unroll the loops over the weights, so that those over pixels are the innermost ones.
#[test]
#[ignore = "long, in ./check-more"]
fn loops_over_weights_belong_to_a_turn() {
    let boxes = program(
        "double v[n][m], s;",
        "  for (int i = 2; i < n - 2; i++)
    for (int j = 0; j < m; j++) {
      s = 0;
      for (int k = -2; k <= 2; k++)
        s += in[i + k][j];
      v[i][j] = s;
    }
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++) {
      out[i][j] = 0;
      for (int k = -2; k <= 2; k++)
        out[i][j] += v[i][j + k];
    }",
    );
    let rows = in_order("boxes_by_rows", "fuse-rows", &boxes);
    assert!(declares(&rows, "v", &["m"]) && !has(function(&rows, "f"), "_ % _"), "{rows}");
    let strips = in_order("boxes_in_strips", "strips", &boxes);
    assert!(declares(&strips, "v", &["132"]) && !has(function(&strips, "f"), "_ % _"), "{strips}");
    assert!(!has(&strips, "k == _"), "{strips}");
}

/// With the sum in it the first loop would have no vectors.
#[test]
fn sums_stay_apart_from_loops_with_vectors() {
    let deviations = program(
        "double d[n][m], sum = 0;",
        "  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      d[i][j] = in[i][j] - in[i][j - 1];
  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      sum += d[i][j];
  out[0][0] = sum;",
    );
    let rows = in_order("sums_by_rows", "fuse-rows", &deviations);
    assert!(declares(&rows, "d", &["m"]), "{rows}");
    assert_eq!(loops_over(&rows, "j"), 2, "{rows}");
}

/// Whether each pixel asks which row it is in.
fn asks_inside(text: &str) -> bool {
    has(text, "for (int j = _; _; _) { if (i >= 2) _; }") || has(text, "for (int j = _; _; _) { _; if (i >= 2) _; }")
}

/// Later rows need what the first stage writes, all of it: in one loop with the second stage nothing is saved, and each pixel would ask which row it is in.
#[test]
#[ignore = "long, in ./check-more"]
fn stages_that_start_in_other_rows_have_loops_of_their_own() {
    let stages = program(
        "double a[n][m], b[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2;
  for (int i = 2; i < n; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = a[i - 2][j] + a[i - 1][j] + a[i][j];
  for (int i = 2; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = b[i][j] / 3;",
    );
    let rows = in_order("other_rows", "fuse-rows", &stages);
    assert!(declares(&rows, "a", &["3", "m"]) && declares(&rows, "b", &[]), "{rows}");
    assert_eq!(loops_over(&rows, "j"), 2, "{rows}");
    assert!(has(&rows, "i >= 2") && !asks_inside(&rows), "{rows}");
    let strips = in_order(
        "other_rows_in_strips",
        "strips",
        &stages.replace("a[i][j];\n", "a[i][j] + (j > 0 ? a[i][j - 1] : 0);\n"),
    );
    assert!(!asks_inside(&strips), "{strips}");
}

/// Rows that lose some pixels at both ends have a cell for each of those that are left, and none where there are none.
#[test]
fn narrow_rows_are_plain() {
    let stages = program(
        "double a[n][m], b[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2;
  for (int i = 1; i < n; i++)
    for (int j = 2; j < m - 2; j++)
      b[i][j] = a[i][j] * 2 + a[i - 1][j];
  for (int i = 2; i < n; i++)
    for (int j = 4; j < m - 4; j++)
      out[i][j] = b[i][j] * 2 + b[i - 1][j];",
    );
    let rows = in_order("narrow_rows", "fuse-rows", &stages);
    assert!(declares(&rows, "b", &["2", "m <= 5 ? 1 : m - 4"]), "{rows}");
}

/// Stages that pass rows on: each waits for the row below.
fn blurs(stages: usize) -> String {
    let names: Vec<String> = (0..stages - 1).map(|k| format!("t{k}[n][m]")).collect();
    let stage = |k: usize| {
        let from = if k == 0 { "in".to_string() } else { format!("t{}", k - 1) };
        let to = if k == stages - 1 { "out".to_string() } else { format!("t{k}") };
        format!(
            "  for (int i = {k}; i < n - {k}; i++)
    for (int j = 0; j < m; j++)
      {to}[i][j] = {from}[i{}][j] + {from}[i][j] + {from}[i{}][j];",
            if k == 0 { "" } else { " - 1" },
            if k == 0 { "" } else { " + 1" },
        )
    };
    program(&format!("double {};", names.join(", ")), &(0..stages).map(stage).collect::<Vec<_>>().join("\n"))
}

#[test]
fn stages_run_rows_behind_each_other() {
    let (run, cells) =
        reported("fused_blurs", &blurs(4), &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(
        run.stderr.contains("run 1 iteration behind") || run.stderr.contains("(1, 0) iterations behind"),
        "{}",
        run.stderr
    );
    assert!(cells <= 3 * (2 * 40 + 1), "{cells} cells: {}", run.stdout);
    let fused = text("fused_blurs.out.c");
    assert_eq!(loops_over(&fused, "i"), loops_over(&blurs(4), "i") - 3, "{fused}");
}

/// A result that a production compiler loses: the sum is not known before its loop has ended.
#[test]
fn a_prefix_sum_is_not_fused_with_those_who_need_its_end() {
    let source = program(
        "double s[n], d[n];",
        "  s[0] = in[0][0];
  for (int i = 1; i < n; i++)
    s[i] = s[i - 1] + in[i][0];
  for (int i = 0; i < n; i++)
    d[i] = in[i][0] - s[n - 1];
  for (int i = 0; i < n; i++)
    out[i][0] = d[i] * 2.0 + s[i];",
    );
    let (run, cells) = reported("fused_prefix", &source, &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
    assert_eq!((run.status, cells), (0, 51), "{}", run.stderr);
    let why = "stay apart: line 9 can't follow line 7 by some iterations, since it needs all of `s`";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    assert_eq!(loops_over(&text("fused_prefix.out.c"), "i"), loops_over(&source, "i") - 1);
}

/// The other one: fused without a shift, Jacobi's step becomes Gauss and Seidel's.
#[test]
#[ignore = "long, in ./check-more"]
fn a_jacobi_step_in_place_stays_one() {
    let source = program(
        "double a[n][m], b[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      b[i][j] = a[i - 1][j] + a[i][j] + a[i + 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = b[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[i][j];",
    );
    let sizes = ["--param", "n=50", "--param", "m=40"];
    let (_, kept) = reported("kept_jacobi", &source, &sizes);
    let (run, cells) = reported("fused_jacobi", &source, &[&["--schedule", "fuse"], &sizes[..]].concat());
    assert!(run.status == 0 && cells < kept, "{cells} of {kept}: {}", run.stderr);
}

/// Stages whose result is read from both ends: one after the other they share a frame, in one loop there are two rows more for
/// each of the others.
#[test]
#[ignore = "long, in ./check-more"]
fn fusion_that_costs_more_is_not_taken() {
    let stage = |from: &str, to: &str, first: usize| {
        format!(
            "  for (int i = {first}; i < n; i++)
    for (int j = 0; j < m; j++)
      {to}[i][j] = {from}[i - 1][j] + {from}[i][m - 1 - j];\n"
        )
    };
    let first = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      a[i][j] = in[i][j] * 2;\n";
    let last =
        "  for (int i = 2; i < n; i++)\n    for (int j = 0; j < m; j++)\n      out[i][j] = c[i][j] + c[n + 1 - i][j];";
    let body = [first, &stage("a", "b", 1), &stage("b", "c", 2), last].concat();
    let source = program("double a[n][m], b[n][m], c[n][m];", &body);
    let sizes = ["--param", "n=14", "--param", "m=14"];
    let (_, kept) = reported("kept_steps", &source, &sizes);
    let (run, cells) = reported("fused_steps", &source, &[&["--schedule", "fuse"], &sizes[..]].concat());
    assert_eq!((run.status, cells, kept), (0, 14 * 14, 14 * 14), "{}", run.stderr);
    assert!(run.stderr.contains("no fused order of these loops needs fewer cells"), "{}", run.stderr);
    assert!(is_same(function(&text("fused_steps.out.c"), "f"), function(&text("kept_steps.out.c"), "f")));
}

/// Stages whose columns are read from both ends: all of them share the cells of one column.
#[test]
#[ignore = "long, in ./check-more"]
fn what_reads_columns_from_both_ends_is_fused_by_columns() {
    let stage = |from: &str, to: &str, first: usize| {
        format!(
            "  for (int i = {first}; i < n - {first}; i++)
    for (int j = 0; j < m; j++)
      {to}[i][j] = {from}[i - 1][j] + {from}[i][j] + {from}[i + 1][j];\n"
        )
    };
    let first = "  for (int i = 0; i < n; i++)\n    for (int j = 0; j < m; j++)\n      a[i][j] = in[i][j] * 2;\n";
    let last = "  for (int i = 2; i < n - 2; i++)\n    for (int j = 0; j < m; j++)\n      out[i][j] = c[i][j] + c[n - 1 - i][j];";
    let body = [first, &stage("a", "b", 1), &stage("b", "c", 2), last].concat();
    let (_, cells, result) = fused("fused_columns", "double a[n][m], b[n][m], c[n][m];", &body);
    assert_eq!(cells, 50);
    assert_eq!((loops_over(&result, "j"), loops_over(&result, "i")), (1, 4), "{result}");
    assert_eq!(within(&result, "for (int j = _; _; _) _;", "for (int i = _; _; _) _;"), 4, "{result}");
}

#[test]
fn every_scop_of_a_file_is_fused() {
    let body = |temporary: &str, column: &str| {
        format!(
            "  for (int i = 0; i < n; i++) {temporary}[i] = in[i][0] * 2;
  for (int i = 1; i < n; i++) out[i][{column}] = {temporary}[i] + {temporary}[i - 1];"
        )
    };
    let between = "\n#pragma endscop\n  (void)m;\n#pragma scop\n";
    let source = program("double a[n], b[n];", &[body("a", "0"), body("b", "m - 1")].join(between));
    let result = optimized("two_fused", &source, &["--schedule", "fuse"]);
    assert_eq!(loops_over(&result, "i"), loops_over(&source, "i") - 2, "{result}");
    agree("two_fused");
}

#[test]
fn loops_that_go_down_are_fused_with_their_like() {
    let source = program(
        "double a[n], b[n];",
        "  for (int i = n - 1; i >= 0; i--) a[i] = in[i][0] * 2;
  for (int i = n - 2; i >= 0; i--) b[i] = a[i] + a[i + 1];
  for (int i = n - 3; i >= 0; i--) out[i][0] = b[i] + b[i + 1];",
    );
    let result = optimized("fused_down", &source, &["--schedule", "fuse"]);
    assert_eq!(count(&result, "i--"), 2, "a loop, and one in front of it: {result}");
    agree("fused_down");
}

/// A function fused at 50 rows of 40 columns: the cells that are left, and the text, which computes the same.
fn fused(name: &str, declarations: &str, body: &str) -> (Run, u64, String) {
    let arguments = ["--schedule", "fuse", "--param", "n=50", "--param", "m=40"];
    let (run, cells) = reported(name, &program(declarations, body), &arguments);
    assert_eq!(run.status, 0, "{}", run.stderr);
    agree(name);
    (run, cells, text(&format!("{name}.out.c")))
}

/// How many loops there are in the function.
fn loops(text: &str) -> usize {
    count(function(text, "f"), "for (_; _; _) _;")
}

/// How many of them are over a counter.
fn loops_over(text: &str, counter: &str) -> usize {
    count(function(text, "f"), &format!("for (int {counter} = _; _; _) _;"))
}

/// Rows and columns both ways: two rows, and with them a cell, instead of a frame.
#[test]
fn a_reader_that_goes_down_is_turned_over() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2;
  for (int i = n - 1; i >= 1; i--)
    for (int j = m - 1; j >= 0; j--)
      out[i][j] = a[i][j] + a[i - 1][j];";
    let (run, cells, result) = fused("turned_reader", "double a[n][m];", body);
    assert_eq!((cells, loops(&result)), (41, 2), "{result}");
    assert!(run.stderr.contains("; the loop of line 10 is turned over"), "{}", run.stderr);
}

/// The sum has to come from below, whatever who reads it does.
#[test]
fn a_reader_of_a_recurrence_that_goes_down_is_turned_over() {
    let body = "  for (int i = n - 1; i >= 0; i--)
    s[i] = (i < n - 1 ? s[i + 1] : 0) + in[i][0];
  for (int i = 0; i < n; i++)
    out[i][0] = s[i] * 2;";
    let (run, cells, result) = fused("turned_sum", "double s[n];", body);
    assert_eq!((cells, loops(&result)), (1, 1), "{result}");
    assert!(has(&result, "i--") && run.stderr.contains("; the loop of line 8 is turned over"), "{}", run.stderr);
}

#[test]
fn a_maker_is_turned_over_for_a_recurrence_behind_it() {
    let body = "  for (int i = 0; i < n; i++)
    d[i] = in[i][0] * 2;
  for (int i = n - 2; i >= 0; i--)
    out[i][0] = out[i + 1][0] + d[i];";
    let (run, cells, result) = fused("turned_maker", "double d[n];", body);
    assert_eq!((cells, loops(&result)), (1, 1), "{result}");
    assert!(run.stderr.contains("; the loop of line 6 is turned over"), "{}", run.stderr);
}

/// Both go up, and one reads the other's rows and columns from their ends.
#[test]
fn a_mirrored_picture_needs_a_cell() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = in[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[n - 1 - i][m - 1 - j];";
    let (_, cells, result) = fused("mirrored", "double a[n][m];", body);
    assert_eq!((cells, loops(&result)), (1, 2), "{result}");
}

#[test]
fn recurrences_in_opposite_directions_stay_apart() {
    let up = "  for (int i = 1; i < n - 1; i++)\n";
    let down = "  for (int i = n - 2; i >= 1; i--)\n";
    let one = |first: &str, before: &str, second: &str, behind: &str| {
        format!(
            "{first}    s[i] = in[i][0] * in[{before}][0] + (i > 1 && i < n - 2 ? s[{before}] : 0);
{second}    out[i][0] = out[{behind}][0] + s[i];"
        )
    };
    for (name, body) in
        [("opposite_up", one(up, "i - 1", down, "i + 1")), ("opposite_down", one(down, "i + 1", up, "i - 1"))]
    {
        let (run, cells, result) = fused(name, "double s[n];", &body);
        assert_eq!((cells, loops(&result)), (50, 2), "{result}");
        let why = "stay apart: they go in opposite directions, in which lines 6 and 8 hold them";
        assert!(run.stderr.contains(why), "{}", run.stderr);
    }
}

/// Cells on both ends, in statements of their own.
#[test]
fn ends_of_a_line_run_in_its_loop() {
    let body = "  s[0] = in[0][0];
  for (int i = 1; i < n - 1; i++)
    s[i] = in[i - 1][0] + in[i + 1][0];
  s[n - 1] = in[n - 1][0];
  for (int i = 1; i < n - 1; i++)
    out[i][0] = s[i - 1] + s[i + 1];";
    let (run, cells, result) = fused("border_cells", "double s[n];", body);
    assert_eq!((cells, loops(&result)), (3, 1), "{result}");
    assert!(run.stderr.contains("; lines 5 and 8 run in one iteration of it each"), "{}", run.stderr);
}

/// The rows on both sides of a filter's result, in loops of their own: two rows, and with them a cell, instead of a frame.
#[test]
fn border_rows_run_in_the_loop_of_the_others() {
    let body = "  for (int j = 0; j < m; j++)
    t[0][j] = in[0][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j];
  for (int j = 0; j < m; j++)
    t[n - 1][j] = in[n - 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = t[i - 1][j] + t[i][j] + t[i + 1][j];";
    let (run, cells, result) = fused("border_rows", "double t[n][m];", body);
    assert_eq!(cells, 2 * 40 + 1, "{result}");
    assert!(run.stderr.contains("; lines 6 and 11 run in one iteration of it each"), "{}", run.stderr);
}

/// One loop makes both rows, and what makes the columns stands beside the loop over a row.
#[test]
#[ignore = "long, in ./check-more"]
fn a_border_of_rows_and_columns_runs_in_the_loops_of_the_others() {
    let body = "  for (int j = 0; j < m; j++) {
    t[0][j] = in[0][j];
    t[n - 1][j] = in[n - 1][j];
  }
  for (int i = 1; i < n - 1; i++) {
    t[i][0] = in[i][0];
    for (int j = 1; j < m - 1; j++)
      t[i][j] = in[i - 1][j] + in[i][j - 1] + in[i + 1][j + 1];
    t[i][m - 1] = in[i][m - 1];
  }
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m - 1; j++)
      out[i][j] = t[i - 1][j - 1] + t[i][j] + t[i + 1][j + 1];";
    let (_, cells, _) = fused("border_frame", "double t[n][m];", body);
    assert_eq!(cells, 2 * 40 + 1);
}

/// The row below repeats the last one that the filter made.
#[test]
fn a_replicated_border_runs_behind_what_it_repeats() {
    let body = "  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i][j] + in[i + 1][j];
  if (n >= 2)
    for (int j = 0; j < m; j++)
      t[n - 1][j] = t[n - 2][j];
  for (int i = 0; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = t[i][j] * t[i + 1][j];";
    let (run, cells, _) = fused("border_replica", "double t[n][m];", body);
    assert_eq!(cells, 40 + 1, "{}", run.stderr);
}

/// A border of two rows with what each adds of the other one, and a stage whose rows are read at a column.
fn bordered([last, first]: [&str; 2], column: &str) -> String {
    format!(
        "  t[n - 1][0] = in[n - 1][0];
  for (int j = 1; j < m; j++) {{
    t[0][j] = in[0][j] + {last};
    t[n - 1][j] = in[n - 1][j] + {first};
  }}
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i - 1][j] + in[i][j] + in[i + 1][j];
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < m; j++)
      out[i][j] = t[i - 1][j] + t[i][{column}] + t[i + 1][j];"
    )
}

const KNOT: [&str; 2] = ["t[n - 1][j - 1]", "t[0][j]"];

/// A loop that sums up what it has read before cannot be taken apart, so that its statements run with no rows of the others.
#[test]
#[ignore = "long, in ./check-more"]
fn a_border_whose_statements_need_each_other_stays_one_loop() {
    let grid = "double t[n][m];";
    let knotted = bordered(KNOT, "m - j");
    let (run, cells, result) = fused("border_knotted", grid, &knotted);
    assert_eq!(cells, 50 * 40);
    assert!(run.stderr.contains("no fused order of these loops needs fewer cells"), "{}", run.stderr);
    assert!(is_same(function(&result, "f"), function(&program(grid, &knotted), "f")), "{result}");
    let (_, cells, _) = fused("border_apart", grid, &bordered(["0", "0"], "m - j"));
    assert!(cells <= 2 * 40 + 1, "{cells}");
}

/// Where nobody needs more than a column, the loop stays one around those of the columns.
#[test]
#[ignore = "long, in ./check-more"]
fn a_border_whose_statements_need_each_other_runs_with_columns() {
    let (_, cells, result) = fused("border_columns", "double t[n][m];", &bordered(KNOT, "j"));
    assert_eq!((cells, loops_over(&result, "j")), (50, 1), "{result}");
    let both = "t[0] = in[0][j] + t[n - 1]; t[n - 1] = in[n - 1][j] + t[0];";
    assert_eq!(within(&result, "for (int j = _; _; _) _;", both), 1, "{result}");
}

#[test]
fn loops_without_anything_to_fuse_stay_and_the_note_says_so() {
    let source = program("double a[n];", "  for (int i = 0; i < n; i++)\n    a[i] = in[i][0] * 2, out[i][0] = a[i];");
    let source = source
        .replace("* 2, out[i][0] = a[i]", "* 2;\n  for (int i = 0; i < n; i++)\n    out[i][0] = a[i] + a[n - 1 - i]");
    let (run, _) = reported("unfused", &source, &["--schedule", "fuse"]);
    assert!(run.status == 0 && run.stderr.contains("they stay as they are"), "{}", run.stderr);
}

#[test]
fn parallel_dimensions_are_those_of_a_schedule_that_is_given() {
    file("fused_parallel.c", blurs(2));
    let run = run("optimize", &["fused_parallel.c"], &["--schedule", "fuse", "--parallel", "0"]);
    assert!(run.status == 2 && run.stderr.contains("--parallel numbers"), "{}", run.stderr);
}

/// What a local pointer leads to may be the array that the other loop writes; what `malloc` returns is not.
#[test]
fn what_a_pointer_leads_to_may_be_another_array() {
    let body = "  for (int i = 0; i < n; i++)
    t[i] = in[i][0] * 2;
  for (int i = 0; i < n; i++)
    out[i][0] = t[i] + 1;
  for (int i = 0; i < n; i++)
    p[i] = t[i] + in[i][0];";
    let anywhere = program("double t[n], *p = &out[0][0] + 1;", body);
    let (run, cells) =
        reported("pointer_anywhere", &anywhere, &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
    assert_eq!((run.status, cells), (0, 50), "{}", run.stderr);
    let fresh = "double t[n], *p = malloc(n * sizeof(double));\n  if (!p)\n    return;";
    let own = program(fresh, body).replace("#include", "#include <stdlib.h>\n#include");
    let own = own.replace("#pragma endscop", "#pragma endscop\n  out[0][0] += p[n - 1];\n  free(p);");
    let (run, cells) = reported("pointer_own", &own, &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
    assert_eq!((run.status, cells), (0, 1), "{}", run.stderr);
}

/// Stages of which each leaves out two columns more on both sides, behind ones whose values are needed in their own iteration only: with the
/// loops over columns apart, each would take a row.
fn narrower(stages: usize, pragma: &str) -> String {
    let names: Vec<String> = (0..stages).map(|k| format!("t{k}[n][m]")).collect();
    let stage = |k: usize| {
        let from = format!("t{}", k - 1);
        let to = if k == stages { "out".to_string() } else { format!("t{k}") };
        let (margin, above) = (2 * (k - 1), if k == 1 { "" } else { " + in[i - 1][j]" });
        format!(
            "  for (int i = {}; i < n; i++)\n{pragma}    for (int j = {margin}; j < m - {margin}; j++)
      {to}[i][j] = {from}[i][j] * 2{above};",
            k - 1
        )
    };
    let first = format!(
        "  for (int i = 0; i < n; i++)\n{pragma}    for (int j = 0; j < m; j++)\n      t0[i][j] = in[i][j] + 1;\n"
    );
    let locals = if stages == 0 { String::new() } else { format!("double {};", names.join(", ")) };
    program(&locals, &(first + &(1..=stages).map(stage).collect::<Vec<_>>().join("\n")))
}

/// Whether a pixel asks which column it is in.
fn asks_about_columns(text: &str) -> bool {
    has(text, "j >= _") || has(text, "_ >= j + _")
}

#[test]
fn the_loop_over_columns_that_all_stages_have_asks_nothing_about_columns() {
    let result = optimized("peeled", &narrower(3, ""), &["--schedule", "fuse-rows", "--verify"]);
    assert_eq!((loops_over(&result, "i"), loops_over(&narrower(3, ""), "i")), (1, 4), "{result}");
    assert!(has(&result, "for (int j = 4; j < m - 4; j++) _;") && !asks_about_columns(&result), "{result}");
    agree("peeled");
    compiler::all_warnings(&path("peeled.out.c")).unwrap();
}

/// Texts would become three times as long.
#[test]
fn a_long_chain_has_conditions() {
    let result = optimized("not_peeled", &narrower(9, ""), &["--schedule", "fuse-rows"]);
    assert_eq!(loops_over(&result, "j"), 1, "{result}");
    assert!(asks_about_columns(&result), "{result}");
    agree("not_peeled");
}

/// A loop in each part.
#[test]
fn each_part_of_a_parallel_loop_is_parallel() {
    let pragma = "#pragma omp parallel for\n";
    let result = optimized("peeled_parallel", &narrower(2, pragma), &["--schedule", "fuse-rows"]);
    let parallel = count(&result, &format!("{pragma}for (int j = _; _; _) _;"));
    assert_eq!((loops_over(&result, "j"), parallel), (3, 3), "{result}");
    agree("peeled_parallel");
}

/// Up to 64 iterations one loop runs behind another.
#[test]
#[ignore = "long, in ./check-more"]
fn a_loop_that_needs_more_than_64_iterations_ahead_stays_apart() {
    for (ahead, cells) in [(64, 65), (65, 400)] {
        let declarations = "double t[400];";
        let body = format!(
            "  for (int i = 0; i < 400; i++) t[i] = in[0][0] + i;
  for (int i = 0; i < 400 - {ahead}; i++) out[0][0] += t[i] * t[i + {ahead}];"
        );
        let name = format!("ahead_{ahead}");
        let (run, found) = reported(&name, &program(declarations, &body), &["--schedule", "fuse"]);
        assert_eq!((run.status, found), (0, cells), "{}", run.stderr);
        assert_eq!(run.stderr.contains("in one loop now"), ahead == 64, "{}", run.stderr);
        let why = "sets up to 65 iterations later, which is too many to wait for";
        assert_eq!(run.stderr.contains(why), ahead == 65, "{}", run.stderr);
        agree(&name);
    }
}

#[test]
fn loops_stay_where_a_statement_never_runs() {
    let body = "  for (int i = 0; i < n; i++) a[i] = in[i][0];
  for (int i = 0; i < n; i++) if (i > n) a[i] = 0;
  for (int i = 0; i < n; i++) out[i][0] = a[i];";
    let (run, cells) =
        reported("never_runs", &program("double a[n];", body), &["--schedule", "fuse", "--param", "n=50"]);
    assert_eq!((run.status, cells), (0, 50), "{}", run.stderr);
    assert!(run.stderr.contains("loops stay as they are: this statement never runs"), "{}", run.stderr);
}

/// A function that may do anything is something else than memory of which nothing is known.
#[test]
fn what_a_statement_may_do_is_said() {
    let body = "  for (int i = 0; i < n; i++)
    a[i] = in[i][0] * VALUE;
  for (int i = 0; i < n; i++)
    out[i][0] = a[i] + 1;
  for (int i = 0; i < n; i++)
    out[i][1] = a[i] + 2;";
    let types = "struct part { double gain; };\nstruct whole { struct part *part; };\ndouble next(void);\n";
    for (name, value, wanted) in [
        ("said_call", "next()", "calls a function that may do anything (`--pure` says what does not)"),
        ("said_memory", "w->part->gain", "reads or writes memory that is in none of the scop's arrays"),
    ] {
        let source = program("double a[n];", &body.replace("VALUE", value));
        let source = source.replace("static void f(", &format!("{types}void f(struct whole *w, "));
        let source = source.split("int main").next().unwrap().to_string();
        file(&format!("{name}.c"), &source);
        let run = run("optimize", &[&format!("{name}.c")], &["--schedule", "fuse"]);
        let line = source.lines().position(|line| line.contains(value)).unwrap() + 1;
        let wanted = format!("stay apart: line {line} {wanted}");
        assert!(run.status == 0 && run.stderr.contains(&wanted), "{name}: {}", run.stderr);
    }
}

/// `q->gain` is in `q[0]` of a parameter, which is no memory that may be any. What a local pointer leads to, or a parameter that is set, may have another name.
#[test]
fn numbers_behind_pointers() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i][j] = q->gain * in[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = a[i][j] + *shift;
  *last = out[n - 1][m - 1] * (*q).gain;";
    let front = "typedef struct { double gain, other; } filter;
static filter own = { 3, 4 };
double one = 5;
static double place;
static void f(const filter *q, double *last, ";
    let with = |shift: &str, body: &str| {
        let source = program(&format!("double a[n][m], *shift = {shift};"), body).replace("static void f(", front);
        source.replace("f(n, m, (", "f(&own, &place, n, m, (").replace("puts(\"\")", "printf(\"%g\\n\", place)")
    };
    let read = body.replace("*shift", "q->other").replace("*last =", "*last +=");
    let written = |pointer: &str| {
        let first = "      a[i][j] = q->gain * in[i][j];";
        read.replace(first, &format!("    {{\n{first}\n      *{pointer} += 1;\n    }}"))
    };
    let without = |source: String, line: &str| source.replace(", *shift = last;", &format!(";\n  {line}"));
    for (name, source, wanted) in [
        ("behind_parameters", without(with("last", &written("last")), ""), 1),
        ("behind_local", with("n > 3 ? &one : &own.other", body), 1),
        ("behind_written", with("&own.other", &written("shift")), 2000),
        ("behind_set", without(with("last", &written("last")), "last = &own.other;"), 2000),
    ] {
        let (run, cells) = reported(name, &source, &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
        assert_eq!((run.status, cells), (0, wanted), "{name}: {}", run.stderr);
        agree(name);
    }
}

/// One way to the last loop asks for twice the rate of its source, the other one for the same.
#[test]
fn ways_that_ask_for_different_rates_stay_apart() {
    let source = program(
        "double a[2 * n], b[2 * n];",
        "  for (int i = 0; i < 2 * n; i++)
    a[i] = in[i / 2][0];
  for (int i = 0; i < 2 * n; i++)
    b[i] = 2 * a[i];
  for (int i = 0; i < n; i++)
    out[i][0] = a[i] + b[2 * i];",
    );
    let (run, _) = reported("unbalanced", &source, &["--schedule", "fuse", "--param", "n=50", "--param", "m=40"]);
    assert!(run.status == 0 && run.stderr.contains("asks for another ratio"), "{}", run.stderr);
    agree("unbalanced");
}

/// Pointers that change hands may lead to one memory: that keeps the order, not the cells.
#[test]
fn pointers_that_may_overlap_are_why_loops_stay() {
    let source = "#include <stdlib.h>
void f(int n, int steps, double *u, double *v) {
  double *w = v;
  double *t = malloc(n * sizeof *t);
  for (int step = 0; step < steps; step++) {
#pragma scop
    for (int i = 0; i < n; i++)
      t[i] = 2 * u[i];
    for (int i = 0; i < n; i++)
      w[i] = t[i] + 1;
#pragma endscop
    double *old = u;
    u = w;
    w = old;
  }
  free(t);
}
";
    file("overlapping.c", source);
    let said = run("optimize", &["overlapping.c"], &["--schedule", "fuse"]).stderr;
    assert!(said.contains("may be the same memory") && said.contains("parameters"), "{said}");
    assert!(!said.contains("needs fewer cells"), "{said}");
    let parameters = source.replace("*v)", "*w)").replace("  double *w = v;\n", "");
    let parameters = parameters.replace("    double *old = u;\n    u = w;\n    w = old;\n", "");
    file("parameters_apart.c", parameters);
    let said = run("optimize", &["parameters_apart.c"], &["--schedule", "fuse"]).stderr;
    assert!(said.contains("is in one loop now"), "{said}");
}

/// What is used behind the scop is shown where it is declared.
#[test]
fn a_variable_that_outlives_the_scop_is_shown_where_it_is_declared() {
    let source = "float f(int n, const float in[n], float out[n]) {
  float t[n];
#pragma scop
  float sum = 0;
  for (int i = 0; i < n; i++)
    t[i] = 2 * in[i];
  for (int i = 0; i < n; i++)
    sum += out[i] = t[i];
#pragma endscop
  return sum;
}
";
    file("outlives.c", source);
    let said = run("optimize", &["outlives.c"], &["--schedule", "fuse"]).stderr;
    assert!(said.contains("`sum` is declared in the scop") && said.contains("outlives.c:4:9"), "{said}");
}

/// An integer that stands for a sum of counters keeps no loops: `at` is such a sum in both stages, around loops.
#[test]
fn integers_that_stand_for_sums_are_in_nobodys_way() {
    let source = program(
        "double t[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++) {
        int at = i + k - 1;
        if (at >= 0 && at < n)
          for (int l = 0; l < m; l++)
            sum += in[at][l];
      }
      t[i][j] = sum + j;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 1;
      for (int k = 0; k < 3; k++) {
        int at = i + k - 1;
        if (at >= 0 && at < n)
          for (int l = 0; l < m; l++)
            sum += t[at][l];
      }
      out[i][j] = sum;
    }",
    );
    file("sums.c", &source);
    let run = run("optimize", &["sums.c"], &["--schedule", "fuse", "-o", &path("sums.out.c").display().to_string()]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    assert!(run.stderr.contains("is in one loop now"), "{}", run.stderr);
    agree("sums");
}

/// What is shown is what keeps the loops: `sum` stands in both stages, and could have two names.
#[test]
fn the_declaration_that_keeps_loops_is_shown() {
    let source = program(
        "double t[n][m];",
        "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 0;
      for (int k = 0; k < 3; k++)
        sum += in[i][j];
      t[i][j] = sum;
    }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      double sum = 1;
      double w[2] = {1, j};
      for (int k = 0; k < 2; k++)
        sum += w[k];
      out[i][j] = sum + t[i][j];
    }",
    );
    let line = source.lines().position(|line| line.contains("double w[2]")).expect("it is there") + 1;
    file("kept_apart.c", &source);
    let said = run("optimize", &["kept_apart.c"], &["--schedule", "fuse"]).stderr;
    assert!(said.contains(&format!("kept_apart.c:{line}:7")), "{said}");
}

/// Where dependences take more work than the bound, loops stay, and the program is written.
#[test]
fn loops_stay_where_the_bound_on_work_is_small() {
    let source = program(
        "double a[n];",
        "  for (int i = 0; i < n; i++)
    a[i] = in[i][0];
  for (int i = 0; i < n; i++)
    out[i][0] = a[i];",
    );
    file("bounded.c", &source);
    let output = path("bounded.out.c").display().to_string();
    let run = run("optimize", &["bounded.c"], &["-o", &output, "--schedule", "fuse", "--max-ops", "300"]);
    assert!(run.status == 0 && run.stderr.contains("--max-ops raises the bound"), "{}", run.stderr);
    agree("bounded");
}

/// A stage whose loops are exchanged reads one that has a corner in an outer loop: the corner enters fewer loops than the rest.
#[test]
fn corners_beside_exchanged_loops_run_with_their_reader() {
    let source = program(
        "double s[n][m];",
        "  for (int i = 0; i < n; i++) {
    s[i][0] = in[i][0];
    for (int j = 1; j < m; j++)
      s[i][j] = 2 * in[i][j];
  }
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      out[i][j] = s[i][j] + 1;",
    );
    let fused = ["--schedule", "fuse", "--param", "n=50", "--param", "m=40"];
    let (run, cells) = reported("exchanged_corner", &source, &fused);
    assert!(run.status == 0 && cells <= 40, "{cells}: {}", run.stderr);
    agree("exchanged_corner");
}
