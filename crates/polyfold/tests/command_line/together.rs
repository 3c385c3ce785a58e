//! New loops for statements that stay together: under a condition on data, in a block with declarations; and pragmas that stay behind.

use super::files::{agree, file, optimized, path, run};
use super::schedules::program;
use crate::support::code::{count, has};
use crate::support::compiler;

/// The best of each row, and where it is: the second statement must not ask the condition again.
fn best() -> String {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      if (in[i][j] > most[i]) {
        most[i] = in[i][j];
        out[i][0] = j;
      } else
        out[i][0] += 0.5;
    }";
    program("double most[144];\n  for (int i = 0; i < 144; i++)\n    most[i] = 3;", body)
}

#[test]
fn an_if_on_data_moves_as_a_whole() {
    let order = "{ S0[i, j] -> [j, i, 0]; S1[i, j] -> [j, i, 1]; S2[i, j] -> [j, i, 2]; S3[i, j] -> [j, i, 3] }";
    let without_condition = "{ S1[i, j] -> [j, i, 1]; S2[i, j] -> [j, i, 2]; S3[i, j] -> [j, i, 3] }";
    for (name, order) in [("whole_if", order), ("whole_if_without", without_condition)] {
        let result = optimized(name, &best(), &["--schedule", order]);
        let nest = "for (int j = 0; j < m; j++) for (int i = 0; i < n; i++) { if (in[i][j] > most[i]) _; else _; }";
        assert!(has(&result, nest), "{result}");
        compiler::all_warnings(&path(&format!("{name}.out.c"))).unwrap();
        agree(name);
    }
}

/// Taken apart, the statements would stand behind a condition that the first of them changes.
#[test]
fn a_condition_that_changes_is_not_asked_again() {
    file("changes.c", best());
    let order = "{ S1[i, j] -> [0, i, j, 0]; S2[i, j] -> [1, i, j, 1]; S3[i, j] -> [0, i, j, 2] }";
    let run = run("optimize", &["changes.c"], &["--schedule", order]);
    let said = "`most` may change between the condition at line ";
    assert!(run.status == 1 && run.stdout.is_empty() && run.stderr.contains(said), "{}", run.stderr);
}

/// The pointer leads to what the condition reads; behind its first write the condition would say something else.
#[test]
fn a_condition_that_a_pointer_may_change_is_not_asked_again() {
    let body = "  for (int i = 0; i < n; i++)
    if (in[i][0] > limit[0]) {
      p[0] = in[i][0];
      for (int j = 0; j < m; j++)
        out[i][j] = in[i][j];
    }";
    let order = "{ S1[i] -> [i, 0, 0]; S2[i, j] -> [i, 1, -j] }";
    let pointed = program("double limit[1] = {2}, *p = limit;", body);
    file("pointer_changes.c", &pointed);
    let run = run("optimize", &["pointer_changes.c"], &["--schedule", order]);
    let said = "`p` may change between the condition at line ";
    assert!(run.status == 1 && run.stdout.is_empty() && run.stderr.contains(said), "{}", run.stderr);
    let apart =
        pointed.replace("*p = limit", "p[1] = {0}").replace("#pragma endscop", "#pragma endscop\n  out[0][0] += p[0];");
    let result = optimized("array_changes", &apart, &["--schedule", order]);
    assert_eq!(count(&result, "in[i][0] > limit[0]"), 2, "{result}");
    agree("array_changes");
}

#[test]
fn a_condition_that_stays_is_asked_in_front_of_each_statement() {
    let body = "  for (int i = 0; i < n; i++)
    if (in[i][0] > 5) {
      out[i][0] = 2;
      for (int j = 1; j < m; j++)
        out[i][j] = in[i][j];
    } else
      out[i][0] = in[i][0];";
    let order = "{ S1[i] -> [1, 0, -i]; S2[i, j] -> [0, j, -i]; S3[i] -> [2, 0, -i] }";
    let result = optimized("asked_again", &program("", body), &["--schedule", order]);
    for part in ["if (in[i][0] > 5) out[i][j] = in[i][j];", "if (!(in[i][0] > 5)) out[i][0] = in[i][0];"] {
        assert!(has(&result, part), "no `{part}` in {result}");
    }
    compiler::all_warnings(&path("asked_again.out.c")).unwrap();
    agree("asked_again");
}

#[test]
fn a_block_with_declarations_moves_as_a_whole() {
    let body = "  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) {
      const double half = in[i][j] / 2;
      out[i][j] = half * half + j;
    }";
    let order = "{ S0[i, j] -> [j, -i, 0]; S1[i, j] -> [j, -i, 1] }";
    let result = optimized("whole_block", &program("", body), &["--schedule", order]);
    assert!(has(&result, "for (int i = n - 1; i >= 0; i--) { const double half = in[i][j] / 2; _; }"), "{result}");
    compiler::all_warnings(&path("whole_block.out.c")).unwrap();
    agree("whole_block");
}

#[test]
fn pragmas_of_the_old_loops_stay_behind() {
    let body = "#pragma omp simd\n  for (int i = 0; i < n; i++)\n    out[i][0] = in[i][0];";
    let inside = program("", body);
    let front = inside.replace("#pragma omp simd\n", "").replace("#pragma scop", "#pragma omp simd\n#pragma scop");
    for (name, text) in [("pragma_inside", inside), ("pragma_front", front)] {
        let result = optimized(name, &text, &["--schedule", "{ S0[i] -> [-i] }"]);
        assert!(
            !has(&result, "#pragma omp simd\n_;") && has(&result, "for (int i = n - 1; i >= 0; i--) _;"),
            "{result}"
        );
        agree(name);
        let told = run("optimize", &[&format!("{name}.c")], &["--schedule", "{ S0[i] -> [-i] }"]);
        assert!(told.stderr.contains("the new loops do not have this pragma"), "{}", told.stderr);
    }
}

#[test]
fn why_there_is_no_scop_is_said() {
    file("declined.c", program("", "  while (n > 0)\n    n--;"));
    let run = run("optimize", &["declined.c"], &["--schedule", "{ }"]);
    assert!(run.status == 2 && run.stderr.contains("the one in this file is not understood: "), "{}", run.stderr);
}
