//! Loops whose iterations may run at once: by `--parallel`, and by pragmas in the source.
//!
//! Rows of the GeCoS note's special case of parallel schedules (§2.5.1) under the rule that is sound: two values conflict unless all
//! uses of one surely precede the other's write, and a dimension inside a parallel one orders operations of one iteration only.

use super::files::{agree, file, optimized, path, run};
use super::schedules::program;
use crate::support::code::{count, has};
use crate::support::compiler;
use crate::support::declared::declares;

/// Two stages of a filter: the second reads three neighbours in a row of the first.
pub(crate) fn gauss() -> String {
    let body = "  for (i = 1; i < n - 1; i++)
    for (j = 0; j < m; j++)
      t[i][j] = 3 * in[i][j] - in[i - 1][j] - in[i + 1][j];
  for (i = 1; i < n - 1; i++)
    for (j = 1; j < m - 1; j++)
      out[i][j] = 3 * t[i][j] - t[i][j - 1] - t[i][j + 1];";
    program("int i, j;\n  double t[n][m];", body)
}

pub(crate) const ROWS: &str = "{ S0[i, j] -> [i, j, 0]; S1[i, j] -> [i, j + 2, 1] }";
pub(crate) const READER_FIRST: &str = "{ S0[i, j] -> [i, j, 1]; S1[i, j] -> [i, j + 2, 0] }";
pub(crate) const STAGES_OF_ROWS: &str = "{ S0[i, j] -> [i, 0, j]; S1[i, j] -> [i, 1, j] }";

/// The new program, which computes the same on several threads, too.
#[track_caller]
pub(crate) fn parallel(name: &str, source: &str, more: &[&str]) -> String {
    let result = optimized(name, source, &[&["--scope", "intra", "--param", "n=10,m=13"], more].concat());
    agree(name);
    let expected = compiler::run_source(&path(&format!("{name}.c")), &[]).unwrap();
    for _ in 0..3 {
        assert_eq!(compiler::run(&path(&format!("{name}.out.c")), &["-fopenmp"]).unwrap(), expected, "{result}");
    }
    result
}

/// Refused with status 2 and all of what is said.
#[track_caller]
fn wrong(source: &str, more: &[&str], said: &[&str]) {
    file("at_once.c", source);
    let run = run("optimize", &["at_once.c"], more);
    assert_eq!((run.status, run.stdout.as_str()), (2, ""), "{}", run.stderr);
    said.iter().for_each(|said| assert!(run.stderr.contains(said), "no `{said}` in {}", run.stderr));
}

#[test]
fn gecos_gauss_in_order_needs_four_cells_and_three_if_the_reader_is_first() {
    let result = optimized("gauss_order", &gauss(), &["--schedule", ROWS]);
    assert!(declares(&result, "t", &["4"]), "{result}");
    agree("gauss_order");
    let result = optimized("gauss_reader_first", &gauss(), &["--schedule", READER_FIRST]);
    assert!(declares(&result, "t", &["3"]), "{result}");
    agree("gauss_reader_first");
}

#[test]
fn gecos_gauss_i_parallel_needs_four_cells_in_each_row() {
    let result = parallel("gauss_i", &gauss(), &["--schedule", ROWS, "--parallel", "0"]);
    assert!(declares(&result, "t", &["n <= 3 ? 1 : n - 2", "4"]), "{result}");
    assert!(has(&result, "#pragma omp parallel for private(j)\nfor (i = 1; i < n - 1; i++) _;"), "{result}");
}

/// The note's order itself lets S1 read, at the same time, what S0 writes: columns at once need the stages one after the other.
#[test]
fn gecos_gauss_j_parallel_needs_a_row() {
    let at_once = "S1[1, 1] reads what S0[1, 2] writes to `t`, and may run at the same time";
    wrong(
        &gauss(),
        &["--schedule", ROWS, "--parallel", "1"],
        &[at_once, "leave 1 out of --parallel", "at_once.c:11:7"],
    );
    let result = parallel("gauss_j", &gauss(), &["--schedule", STAGES_OF_ROWS, "--parallel", "2"]);
    assert!(declares(&result, "t", &["m"]), "{result}");
    assert_eq!(count(&result, "#pragma omp parallel for\n_;"), 2, "{result}");
    let result = parallel("gauss_both", &gauss(), &["--schedule", STAGES_OF_ROWS, "--parallel", "0,2"]);
    assert!(declares(&result, "t", &["n <= 3 ? 1 : n - 2", "m"]), "{result}");
    let rows = count(&result, "#pragma omp parallel for private(j)\n_;");
    assert_eq!((rows, count(&result, "#pragma omp parallel for\n_;")), (1, 2), "{result}");
}

/// Each p has a time of its own, p <= t <= p + 1: in order one cell goes round, at once each p needs one (as the note has it: two,
/// the times at which one p is alive).
#[test]
fn gecos_skewed_domain_p_parallel_needs_a_cell_for_each_p() {
    let body = "  for (int p = 0; p < n; p++)
    for (int t = p; t <= p + 1; t++) {
      if (t == p)
        a[p][t] = in[p][0];
      if (t == p + 1) {
        a[p][t] = a[p][t - 1] * 2;
        out[p][0] = a[p][t - 1] + a[p][t];
      }
    }";
    let source = program("double a[n][n + 1];", body);
    let result = parallel("skewed_in_order", &source, &[]);
    assert!(declares(&result, "a", &["2"]), "{result}");
    let result = parallel("skewed_at_once", &source, &["--parallel", "1", "--room", "0"]);
    assert!(declares(&result, "a", &["n", "2"]) || declares(&result, "a", &["2", "n"]), "{result}");
    let pragma = source.replace("  for (int p", "#pragma omp parallel for\n  for (int p");
    let result = parallel("skewed_by_pragma", &pragma, &["--room", "0"]);
    assert!(declares(&result, "a", &["n", "2"]) || declares(&result, "a", &["2", "n"]), "{result}");
}

/// In one front one p reads what the front before wrote, while another p writes: two fronts, not one.
#[test]
fn gecos_reader_before_writer_in_one_front_needs_two_fronts() {
    let body = "  for (int t = 0; t < n; t++)
    for (int p = 0; p < m; p++) {
      if (t >= 1)
        out[t][p] = a[t - 1][p] + a[t - 1][m - 1 - p];
      a[t][p] = in[t][p];
    }";
    let source = program("double a[n][m];", body);
    let result = parallel("front", &source, &["--parallel", "3"]);
    assert!(declares(&result, "a", &["2", "m"]), "{result}");
    let result =
        parallel("front_by_pragma", &source.replace("    for (int p", "#pragma omp parallel for\n    for (int p"), &[]);
    assert!(declares(&result, "a", &["2", "m"]), "{result}");
}

/// Of one p alone a front is enough: it reads before it writes.
#[test]
fn what_one_iteration_keeps_to_itself_needs_one_front() {
    let body = "  for (int t = 0; t < n; t++)
    for (int p = 0; p < m; p++) {
      if (t >= 1)
        out[t][p] = a[t - 1][p];
      a[t][p] = in[t][p];
    }";
    let result = parallel("own_front", &program("double a[n][m];", body), &["--parallel", "3"]);
    assert!(declares(&result, "a", &["m"]), "{result}");
}

#[test]
fn what_may_not_run_at_once_is_shown() {
    let sum = program("", "  for (int i = 1; i < n; i++)\n    out[i][0] = out[i - 1][0] + in[i][0];");
    let value = "S0[2] reads what S0[1] writes to `out`, and may run at the same time at n = 3";
    wrong(&sum, &["--parallel", "1"], &[value]);
    let body = "  for (int i = 0; i < n; i++)\n    out[0][0] = in[i][0];";
    let same = "use the same cell of `out`, and may run at the same time at n = 2";
    wrong(&program("", body), &["--parallel", "1"], &[same]);
    let prints = "  for (int i = 0; i < n; i++)\n    printf(\"%d \", i);";
    let calls = "may do more than can be seen, as a call does, and they may run at the same time";
    wrong(&program("", prints), &["--parallel", "1"], &[calls]);
}

#[test]
fn a_variable_that_each_iteration_sets_for_itself_gets_a_cell_for_each() {
    let body = "  for (int i = 0; i < n; i++) {\n    t = in[i][0];\n    out[i][0] = t * 2;\n  }";
    let result = parallel("own_variable", &program("double t;", body), &["--parallel", "1"]);
    assert!(declares(&result, "t_turns", &["n <= 1 ? 1 : n"]), "{result}");
}

#[test]
fn dimensions_have_to_be_loops_of_the_schedule() {
    let numbered = "--parallel 3: the schedule's dates have 3 dimensions, numbered from 0";
    wrong(&gauss(), &["--schedule", ROWS, "--parallel", "3"], &[numbered]);
    wrong(&gauss(), &["--schedule", STAGES_OF_ROWS, "--parallel", "1"], &["reads what", "may run at the same time"]);
    let apart = program("", "  for (int i = 0; i < n; i++)\n    out[i][0] = in[i][0];");
    wrong(&apart, &["--parallel", "2"], &["--parallel 2: that dimension becomes no loop"]);
    wrong(&apart, &["--parallel", "x"], &["invalid value 'x' for '--parallel"]);
    file("at_once.isl", "{ S[i] -> S[j] : 0 <= i < j < 5 }");
    let pairs = run("optimize", &["at_once.isl"], &["--parallel", "0"]);
    assert!(pairs.status == 2 && pairs.stderr.contains("are for programs, not for conflict sets"), "{}", pairs.stderr);
}

/// What the threads of one loop write, the next may read.
#[test]
fn loops_at_once_wait_for_one_another() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i][j] * 2;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      out[i][j] = t[n - 1 - i][j];";
    let source = program("double t[n][m];", body);
    let result = parallel("one_after_the_other", &source, &["--parallel", "1"]);
    assert_eq!(count(&result, "#pragma omp parallel for\nfor (int i = _; _; _) _;"), 2, "{result}");
    let fused = "{ S0[i, j] -> [j, i]; S1[i, j] -> [j, n - 1 - i] }";
    let result = parallel("columns_at_once", &source, &["--schedule", &format!("[n] -> {fused}"), "--parallel", "0"]);
    assert!(declares(&result, "t", &["m"]), "{result}");
}
