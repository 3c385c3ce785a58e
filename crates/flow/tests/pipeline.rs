//! The polyhedral view of a two-statement pipeline, and of what data and threads decide, with relations worked out by hand.

use crate::support::{THERE_AND_BACK, array, scop};
use polyfold_flow::{Model, dataflow, dead_code, first_writes, last_reads, sure_writes};
use polyfold_isl::{Context, Map, Set};
use polyfold_scop::StatementId;

#[track_caller]
fn is(found: &Map, expected: &str) {
    let expected = Map::read(found.context(), expected).expect("it is a relation");
    assert!(found.is_equal(&expected).expect("same spaces"), "{found} is not {expected}");
}

#[test]
fn downward_counters_count_negated() {
    let (ctx, scop) = (Context::new(), scop(THERE_AND_BACK));
    let model = Model::build(&ctx, &scop).expect("a model");
    assert!(model.date_dimensions == 3 && model.unordered.is_none());
    is(&model.statements[0].schedule, "[n] -> { S0[i] -> [0, i, 0] : 0 <= i < n }");
    is(&model.statements[1].schedule, "[n] -> { S1[i] -> [1, -i, 0] : 0 <= i < n }");
}

#[test]
fn each_value_is_read_once_in_reverse() {
    let (ctx, scop) = (Context::new(), scop(THERE_AND_BACK));
    let model = Model::build(&ctx, &scop).expect("a model");
    let t = model.accesses(array(&scop, "t"));
    is(&first_writes(t).unwrap().unwrap(), "[n] -> { t[i] -> [0, i, 0] : 0 <= i < n }");
    is(&last_reads(t).unwrap().unwrap(), "[n] -> { t[i] -> [1, -i, 0] : 0 <= i < n }");
    is(&dataflow(t).unwrap().unwrap(), "[n] -> { [0, i, 0] -> [[1, -i, 0] -> t[i]] : 0 <= i < n }");
}

#[test]
fn sizes_that_leave_the_array_are_left_out() {
    let (ctx, scop) = (Context::new(), scop("  t[4] = x[0];\n  y[0] = t[4];\n"));
    let model = Model::build(&ctx, &scop).expect("a model");
    let expected = Set::read(&ctx, "[n] -> { : n >= 5 }").unwrap();
    assert!(model.known.is_equal(&expected).unwrap(), "{}", model.known);
}

#[test]
fn iterations_of_a_parallel_loop_have_no_order() {
    let region = "#pragma omp parallel for\n  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    y[i] = t[i];\n  }\n";
    let (ctx, scop) = (Context::new(), scop(region));
    let model = Model::build(&ctx, &scop).expect("a model");
    let unordered = model.unordered.as_ref().expect("the loop is parallel");
    is(unordered, "{ [0, i, k] -> [0, j, l] : i != j }");
}

#[test]
fn what_only_dead_arrays_read_is_dead() {
    let scop = scop("  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    u[i] = t[i];\n    y[i] = x[i];\n  }\n");
    let dead = dead_code(&scop);
    assert_eq!(dead.arrays, [array(&scop, "t"), array(&scop, "u")]);
    assert_eq!(dead.statements, [StatementId(0), StatementId(1)]);
}

/// s is computed for u alone; v is read, and its first value, too.
#[test]
fn scalars_that_only_dead_arrays_read_are_dead() {
    let scop = scop(
        "  for (int i = 0; i < n; i++) {\n    double s = x[i], v = t[i];\n    s += x[0];\n    u[i] = s;\n    v += x[i];\n    y[i] = v;\n  }\n",
    );
    let dead = dead_code(&scop);
    assert_eq!(dead.arrays, [array(&scop, "u")]);
    assert_eq!(dead.statements, [StatementId(1), StatementId(2)]);
}

/// The first filling of t is read in no run; that of u is where n is 1.
#[test]
fn values_that_are_always_overwritten_first_are_dead() {
    let fill = |name: &str| format!("  for (int i = 0; i < n; i++)\n    {name}[i] = x[i];\n");
    let read = "  for (int i = 0; i < n; i++)\n    y[i] = t[i] + u[i];\n";
    let later = "  for (int i = 1; i < n; i++)\n    u[i] = t[i];\n";
    let scop = scop(&format!("{}{}{}{later}{read}", fill("t"), fill("u"), fill("t")));
    let ctx = Context::new();
    let mut dead = dead_code(&scop);
    dead.add_unread(&Model::build(&ctx, &scop).expect("a model")).expect("it is found");
    assert_eq!((dead.arrays, dead.statements), (vec![], vec![StatementId(0)]));
}

/// The second statement overwrites what the first one makes of s, and nobody else reads s.
#[test]
fn what_is_computed_for_overwritten_values_is_dead() {
    let scop = scop(
        "  for (int i = 0; i < n; i++) {\n    double s;\n    s = x[i];\n    t[i] = s;\n    t[i] = x[0];\n    y[i] = t[i];\n  }\n",
    );
    let ctx = Context::new();
    let mut dead = dead_code(&scop);
    assert_eq!(dead.statements, []);
    dead.add_unread(&Model::build(&ctx, &scop).expect("a model")).expect("it is found");
    assert_eq!(dead.statements, [StatementId(0), StatementId(1)]);
}

/// What the last statement leaves is read by the first one of the next run.
#[test]
fn values_that_the_next_run_may_read_are_not_dead() {
    let scop =
        scop("  for (int i = 0; i < n; i++)\n    y[i] = t[i];\n  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n");
    let ctx = Context::new();
    let mut dead = dead_code(&scop);
    dead.add_unread(&Model::build(&ctx, &scop).expect("a model")).expect("it is found");
    assert_eq!(dead.statements, []);
}

/// Statement 0 decides, 1 and 2 are the branches.
#[test]
fn one_of_two_branches_surely_writes() {
    let region = |otherwise: &str| {
        format!(
            "  for (int i = 0; i < n; i++) {{\n    if (x[i] > 0) t[i] = 1; else {otherwise} = 2;\n    y[i] = t[i];\n  }}\n"
        )
    };
    let written = |text: &str| sure_writes(&scop(&region(text))).into_iter().map(|(id, _)| id).collect::<Vec<_>>();
    assert_eq!(written("t[i]"), [StatementId(1)]);
    assert_eq!(written("u[i]"), []);
}
