//! Scops as problems: which statements they have, where these run, and what they do.

use polyfold_flow::Model;
use polyfold_formats::{At, Problem, Refusal};
use polyfold_frontend::{Options, instrument, parse};
use polyfold_isl::{Context, Map, Set};

/// What is asked of the problem of some loops.
fn of_problem<T>(body: &str, ask: &dyn Fn(Result<Problem, Refusal>) -> T) -> T {
    let head = "void f(int n, double *restrict x, double *restrict y, int *restrict m) {";
    let source = format!("{head}\n#pragma scop\n{body}\n#pragma endscop\n}}\n");
    let parsed = parse(&source, &instrument(&source), &Options::default());
    let ctx = Context::new();
    let model = Model::build(&ctx, parsed.scops.first().expect("a scop")).expect("a model");
    ask(Problem::of(&model))
}

/// The domains and texts of its statements.
#[track_caller]
fn check(body: &str, wanted: &[(&str, &str)]) {
    of_problem(body, &|problem| {
        let problem = problem.expect("it is taken apart");
        let texts: Vec<&str> = problem.statements.iter().filter_map(|own| own.body.as_deref()).collect();
        assert_eq!(texts, wanted.iter().map(|(_, text)| *text).collect::<Vec<_>>(), "{body}");
        for (statement, (domain, _)) in problem.statements.iter().zip(wanted) {
            let wanted = Set::read(problem.context.context(), &format!("[n] -> {{ {domain} }}")).expect("a set");
            let own = statement.domain.intersect_params(&problem.context).expect("a set");
            assert!(own.is_equal(&wanted).expect("they are compared"), "{own} is not {wanted}: {body}");
            let dates: Map = statement.dates.intersect_domain(&own).expect("a relation");
            assert!(dates.is_single_valued().expect("it is known"), "{dates}: {body}");
            assert!(own.is_subset(&dates.domain().expect("a set")).expect("it is known"), "{dates}: {body}");
        }
    });
}

#[test]
fn statements_have_their_own_bytes_on_one_line() {
    check(
        "for (int i = 0; i < n; i++) {\n  x[i] = /* a */ y[i] // b\n    + 1;\n  if (i > 2)\n    m[i]++;\n}",
        &[("S0[i] : 0 <= i < n", "x[i] = y[i] + 1;"), ("S1[i] : 2 < i < n", "m[i]++;")],
    );
}

#[test]
fn what_data_decides_is_one_statement() {
    check(
        "for (int i = 0; i < n; i++) {\n  if (x[i] > 0)\n    y[i] = 1;\n  else if (i > 3)\n    m[i] = 1;\n  m[i] += 2;\n}",
        &[
            ("S0[i] : 0 <= i < n", "if (x[i] > 0) y[i] = 1; else if (i > 3) m[i] = 1;"),
            ("S3[i] : 0 <= i < n", "m[i] += 2;"),
        ],
    );
}

#[test]
fn a_loop_that_declares_something_is_one_statement() {
    check(
        "for (int i = 0; i < n; i++)\n  for (int j = 0; j < n; j++) {\n    double t;\n    t = x[j];\n    y[i] += t;\n  }",
        &[("S0[i] : 0 <= i < n", "for (int j = 0; j < n; j++) { double t; t = x[j]; y[i] += t; }")],
    );
    check(
        "for (int i = 0; i < n; i++) {\n  if (i > 2) {\n    const int k = i - 1;\n    x[k] = k;\n  }\n  m[i] = 1;\n}",
        &[("S0[] : n > 0", "for (int i = 0; i < n; i++) { if (i > 2) { const int k = i - 1; x[k] = k; } m[i] = 1; }")],
    );
    check("for (int i = 0; i < n; i++) {\n  double unused;\n  x[i] = 1;\n}", &[("S0[i] : 0 <= i < n", "x[i] = 1;")]);
}

#[test]
fn counters_of_other_types_are_cast() {
    check(
        "for (long i = 0; i < n; i++)\n  x[i] = i * y[2 * i];",
        &[("S0[i] : 0 <= i < n", "x[(long)i] = ((long)i) * y[2 * ((long)i)];")],
    );
}

#[test]
fn declarations_around_loops_are_refused_where_they_stand() {
    for body in ["double t;\nfor (int i = 0; i < n; i++) {\n  t = x[i];\n  y[i] = t;\n}", "double t = 1;\nx[0] = t;"] {
        let at = of_problem(body, &|problem| match problem {
            Err(Refusal::Whole(obstacle)) => Some(obstacle.at),
            _ => None,
        });
        assert!(matches!(at, Some(At::Declaration(_))), "{at:?}: {body}");
    }
}
