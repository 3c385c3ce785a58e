//! OpenMP pragmas of the source in front of new loops: kept where no two iterations of a loop that goes through the old one's depend on
//! each other; storage is then never shared by iterations that may run at once.

use super::any_order::in_another_order;
use super::files::{agree, file, optimized, path, run};
use super::parallel::parallel;
use super::schedules::program;
use crate::support::code::{count, has, mentions};
use crate::support::compiler;
use crate::support::declared::declares;
use polyfold_c::source::directives;

const PRAGMA: &str = "#pragma omp parallel for\n";

/// How many pragmas of OpenMP there are.
fn pragmas(text: &str) -> usize {
    directives(text).iter().filter(|own| own.pragma().is_some_and(|words| words.starts_with("omp"))).count()
}

/// How many loops over a counter are parallel.
fn over(text: &str, counter: &str) -> usize {
    count(text, &format!("{PRAGMA}for (int {counter} = _; _; _) _;"))
}

/// Two nests, each with a pragma in front: a frame, and differences in its rows.
fn two_nests(pragma: &str) -> String {
    let body = format!(
        "{pragma}  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      t[i][j] = in[i][j] * 2;
{pragma}  for (int i = 0; i < n; i++)
    for (int j = 1; j < m; j++)
      out[i][j] = t[i][j] - t[i][j - 1];"
    );
    program("double t[n][m];", &body)
}

/// The new program, which computes the same on several threads, and with its parallel iterations in another order.
#[track_caller]
fn in_any_order(name: &str, source: &str, more: &[&str]) -> String {
    let result = parallel(name, source, more);
    let (other, loops) = in_another_order(&result);
    assert!(loops > 0, "{result}");
    let shuffled = file(&format!("{name}.shuffled.c"), &other);
    assert_eq!(compiler::run(&shuffled, &[]), compiler::run_source(&path(&format!("{name}.c")), &[]), "{other}");
    result
}

/// The result, and all that is said.
#[track_caller]
fn told(name: &str, source: &str, order: &str) -> (String, String) {
    let result = optimized(name, source, &["--schedule", order]);
    agree(name);
    (result, run("optimize", &[&format!("{name}.c")], &["--schedule", order]).stderr)
}

#[test]
fn fused_nests_keep_their_pragma_and_each_row_its_cells() {
    let order = ["--schedule", "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }"];
    let result = in_any_order("kept_fused", &two_nests(PRAGMA), &order);
    assert!(declares(&result, "t", &["n", "2"]), "{result}");
    assert_eq!((over(&result, "i"), pragmas(&result)), (1, 1), "{result}");
    let in_order = optimized("without_pragma", &two_nests(""), &order);
    assert!(declares(&in_order, "t", &["2"]) && pragmas(&in_order) == 0, "{in_order}");
}

#[test]
fn the_pragma_goes_with_its_loop_to_another_level() {
    let order = ["--schedule", "{ S0[i, j] -> [j, i]; S1[i, j] -> [j, i] }"];
    let result = in_any_order("kept_inside", &two_nests(PRAGMA), &order);
    let inside = format!("for (int j = 0; _; _) {{\n{PRAGMA}for (int i = 0; _; _) _; }}");
    assert!(has(&result, &inside), "{result}");
    assert!(declares(&result, "t", &["2", "n"]), "{result}");
    let skewed = ["--schedule", "{ S0[i, j] -> [j, -i - j]; S1[i, j] -> [j, -i - j] }"];
    let result = parallel("kept_skewed", &two_nests(PRAGMA), &skewed);
    assert!(over(&result, "c1") == 1, "{result}");
}

#[test]
fn one_nest_of_two_may_have_the_pragma() {
    let source = two_nests("").replacen("  for", &format!("{PRAGMA}  for"), 1);
    let order = "{ S0[i, j] -> [0, j, i]; S1[i, j] -> [1, i, j] }";
    let result = parallel("kept_once", &source, &["--schedule", order]);
    assert_eq!(pragmas(&result), 1, "{result}");
    let fused = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }";
    let (result, said) = told("kept_never", &source, fused);
    assert!(pragmas(&result) == 0 && declares(&result, "t", &["2"]), "{result}");
    assert!(said.contains("none goes through the iterations of its loop alone") && said.contains(":5:1"), "{said}");
}

#[test]
fn a_pragma_that_would_be_wrong_goes_with_two_operations_that_show_why() {
    let body = format!(
        "{PRAGMA}  for (int i = 0; i < n; i++)
    t[i] = in[i][0];
{PRAGMA}  for (int i = 1; i < n; i++)
    out[i][0] = t[i] - t[i - 1];"
    );
    let source = program("double t[n];", &body);
    let (result, said) = told("lost", &source, "{ S0[i] -> [i]; S1[i] -> [i] }");
    assert!(pragmas(&result) == 0 && declares(&result, "t", &["2"]), "{result}");
    let why = "S1[1] reads what S0[0] writes to `t`, and may run at the same time at n = 2";
    assert!(said.matches(why).count() == 2 && said.contains(":5:1") && said.contains(":8:1"), "{said}");
}

#[test]
fn an_order_without_such_a_loop_loses_the_pragma() {
    let order = "{ S0[i, j] -> [i + 2 j, i + j]; S1[i, j] -> [i + 2 j, i + j] }";
    let (result, said) = told("no_such_loop", &two_nests(PRAGMA), order);
    assert!(pragmas(&result) == 0 && mentions(&result, "c1"), "{result}");
    assert_eq!(said.matches("none goes through the iterations of its loop alone").count(), 2, "{said}");
}

#[test]
fn sums_are_no_parallel_loops_by_the_exact_rule() {
    let body = "  double s = 0;\n#pragma omp parallel for reduction(+:s)
  for (int i = 0; i < n; i++)
    s += in[i][0];
  out[0][0] = s;";
    let source = program("", body).replace("#pragma scop\n  double s = 0;", "double s = 0;\n#pragma scop");
    let (result, said) = told("sum", &source, "[n] -> { S0[i] -> [i]; S1[] -> [n] }");
    assert_eq!(pragmas(&result), 0, "{result}");
    assert!(said.contains("reads what S0[0] writes to `s`, and may run at the same time"), "{said}");
}

#[test]
fn of_nested_pragmas_the_outermost_stays() {
    let inner = two_nests(PRAGMA).replace("    for (int j", &format!("{PRAGMA}    for (int j"));
    let (result, said) = told("nested", &inner, "{ S0[i, j] -> [0, j, i]; S1[i, j] -> [1, j, i] }");
    assert_eq!((over(&result, "j"), pragmas(&result)), (2, 2), "{result}");
    assert_eq!(said.matches("loops around have one").count(), 2, "{said}");
}

#[test]
fn clauses_stay_that_mean_the_same() {
    let clauses = "shared(in) schedule(static, 2) num_threads(n + 1)\n";
    let source = two_nests(&PRAGMA.replace('\n', &format!(" {clauses}")));
    let both = "{ S0[i, j] -> [0, i, j]; S1[i, j] -> [1, j, i] }";
    let result = parallel("clauses", &source, &["--schedule", both]);
    let divided = "#pragma omp parallel for schedule(static, 2) num_threads(n + 1)\nfor (_; _; _) _;";
    assert_eq!(count(&result, divided), 2, "{result}");
    let one = source.replacen("static, 2", "dynamic", 1);
    let result = parallel("clauses_in_common", &one, &["--schedule", "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }"]);
    assert!(has(&result, "#pragma omp parallel for num_threads(n + 1)\nfor (_; _; _) _;"), "{result}");
}

#[test]
fn collapsed_loops_are_parallel_each() {
    let collapsed = two_nests(&PRAGMA.replace('\n', " collapse(2)\n"));
    let result = parallel("collapsed", &collapsed, &["--schedule", "{ S0[i, j] -> [0, j, i]; S1[i, j] -> [1, j, i] }"]);
    assert_eq!(over(&result, "j"), 2, "{result}");
}

#[test]
fn a_pragma_in_front_of_the_scop_stays_with_its_loop() {
    let front = two_nests(PRAGMA).replace(&format!("#pragma scop\n{PRAGMA}"), &format!("{PRAGMA}#pragma scop\n"));
    let result = parallel("in_front", &front, &["--schedule", "{ S0[i, j] -> [j, -i]; S1[i, j] -> [j, -i] }"]);
    assert!(has(&result, &format!("{PRAGMA}for (int i = n - 1; i >= 0; i--) _;")), "{result}");
    assert_eq!(pragmas(&result), 1, "{result}");
}

#[test]
fn counters_declared_outside_are_private_inside_parallel_loops() {
    let source =
        two_nests(&PRAGMA.replace('\n', " private(j)\n")).replace("int i = ", "i = ").replace("int j = ", "j = ");
    let source = source.replacen("for (i = 0; i < 144", "for (int i = 0; i < 144", 2);
    let source = source.replace("double t[n][m];", "int i, j;\n  double t[n][m];");
    let fused = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }";
    let result = parallel("private_counters", &source, &["--schedule", fused]);
    assert!(has(&result, "#pragma omp parallel for private(j)\nfor (i = 0; i < n; i++) _;"), "{result}");
}

#[test]
fn what_the_user_says_of_dimensions_comes_before_pragmas() {
    let order = "{ S0[i, j] -> [0, j, i]; S1[i, j] -> [1, j, i] }";
    let result = parallel("said", &two_nests(PRAGMA), &["--schedule", order, "--parallel", "1"]);
    assert_eq!((over(&result, "j"), pragmas(&result)), (2, 2), "{result}");
}

#[test]
fn loops_that_polyfold_fuses_keep_their_pragma() {
    let result = in_any_order("kept_by_fuse", &two_nests(PRAGMA), &["--schedule", "fuse"]);
    assert!(declares(&result, "t", &["n", "2"]) && pragmas(&result) == 1, "{result}");
}

/// Each of the threads around runs all that is not divided: it would compute `out` several times.
#[test]
fn what_threads_around_divide_stays_divided() {
    let divided = two_nests("#pragma omp for\n");
    let fused = "{ S0[i, j] -> [i, j]; S1[i, j] -> [i, j] }";
    let result = optimized("divided", &divided, &["--schedule", fused]);
    assert!(has(&result, "#pragma omp for\nfor (int i = 0; i < n; i++) _;"), "{result}");
    agree("divided");
    let order = "{ S0[i, j] -> [i + 2 j, i + j]; S1[i, j] -> [i + 2 j, i + j] }";
    for more in [&["--schedule", order][..], &["--schedule", fused, "--parallel", "0"]] {
        let refused = run("optimize", &["divided.c"], more);
        assert_eq!((refused.status, refused.stdout.as_str()), (1, ""), "{}", refused.stderr);
        assert!(refused.stderr.contains("the pragma at line 5 divides a loop among threads"), "{}", refused.stderr);
    }
}
