//! Conflicts, differences and live values of small pipelines, worked out by hand.

#![allow(missing_docs)]

#[path = "../../flow/tests/support/mod.rs"]
mod support;

use polyfold_flow::Model;
use polyfold_isl::{Context, ErrorKind, Set};
use polyfold_live::{
    Coordinate, CrossDifferences, DifferenceSet, Lifetimes, Precision, Value, conflicts, history, max_live,
    max_live_in_order,
};
use support::{THERE_AND_BACK, array, scop};

#[track_caller]
fn is(found: &Set, expected: &str) {
    let expected = Set::read(found.context(), expected).expect("it is a set");
    assert!(found.is_equal(&expected).expect("same spaces"), "{found} is not {expected}");
}

/// The differences of t in a program.
fn differences(region: &str, precision: Precision) -> Set {
    let (ctx, scop) = (Context::new(), scop(region));
    let model = Model::build(&ctx, &scop).expect("a model");
    let lifetimes = Lifetimes::of(&model, array(&scop, "t")).expect("lifetimes");
    let conflicts = conflicts(&lifetimes, precision).expect("conflicts");
    DifferenceSet::of(&ctx, conflicts, 1).expect("differences").set().clone()
}

/// `x − y` for conflicting cells x of t and y of u.
fn between(region: &str) -> Option<Set> {
    let (ctx, scop) = (Context::new(), scop(region));
    let model = Model::build(&ctx, &scop).expect("a model");
    let both = Lifetimes::together(&model, &[array(&scop, "t"), array(&scop, "u")]).expect("lifetimes");
    CrossDifferences::of(&both[0], &both[1], Precision::Cell).expect("differences").set().expect("quick").cloned()
}

#[test]
fn a_window_of_two() {
    let lag = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    y[i] = t[i] + (i > 0 ? t[i - 1] : 0);\n  }\n";
    is(&differences(lag, Precision::Cell), "[n] -> { [d] : n >= 2 and -1 <= d <= 1; [0] }");
}

/// A write may destroy what its own operation reads: t[i] and t[i - 2] share a cell.
#[test]
fn the_last_reader_may_overwrite_what_it_reads() {
    let sweep = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i] + (i > 1 ? t[i - 2] : 0);\n  }\n  y[0] = t[n - 1];\n";
    is(&differences(sweep, Precision::Cell), "[n] -> { [d] : n >= 3 and -1 <= d <= 1; [0] }");
}

/// Each value of t from its write to its last read, in a run of six operations; as many overlap as are counted.
#[test]
fn values_from_write_to_last_read() {
    let lag = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    y[i] = t[i] + (i > 0 ? t[i - 1] : 0);\n  }\n";
    let scop = scop(lag);
    let t = [array(&scop, "t")];
    let run = history(&scop, &t, &[3], 1 << 20).expect("it is small");
    let value = |cell, written, last_read| Value { array: t[0], cell: vec![cell], written, last_read };
    assert_eq!(run.values, [value(0, 1, 4), value(1, 3, 6), value(2, 5, 6)]);
    let of = |date| run.operation(date).map(|own| (own.statement.0, own.counters.clone()));
    assert_eq!([0, 1, 4, 6].map(of), [None, Some((0, vec![0])), Some((1, vec![1])), Some((1, vec![2]))]);
    let alive_with = |one: &Value| run.values.iter().filter(|other| other.overlaps(one)).count() as u64;
    let most = max_live(&scop, &t, &[3], 1 << 20).expect("it is small").total;
    assert_eq!(run.values.iter().map(alive_with).max(), Some(most + 1));
    assert!(history(&scop, &t, &[3], 10).is_err());
}

#[test]
fn what_is_read_in_reverse_is_needed_whole() {
    is(&differences(THERE_AND_BACK, Precision::Cell), "[n] -> { [d] : -n < d < n; [0] }");
}

/// The two cells are used by turns: their intervals from first write to last read overlap, those of their values do not.
#[test]
fn cells_that_are_written_again_and_again() {
    let turns = "  for (int i = 0; i < n; i++) {\n    t[0] = x[i];\n    y[i] = t[0];\n    t[1] = y[i];\n    x[i] = t[1];\n  }\n";
    is(&differences(turns, Precision::Cell), "[n] -> { [d] : n >= 2 and -1 <= d <= 1; [0] }");
    is(&differences(turns, Precision::Value), "{ [0] }");
}

#[test]
fn a_copy_may_lie_on_its_original() {
    let copy = "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n  for (int i = 0; i < n; i++)\n    u[i] = t[i];\n  for (int i = n - 1; i >= 0; i--)\n    y[i] = u[i];\n";
    is(&between(copy).expect("some conflict"), "[n] -> { [d] : 1 <= d < n }");
    let sum = copy.replace("u[i] = t[i]", "u[i] = t[i] + (i > 0 ? t[i - 1] : 0)");
    is(&between(&sum).expect("some conflict"), "[n] -> { [d] : 0 <= d <= n - 2 or 1 <= d < n }");
}

#[test]
fn arrays_that_are_used_one_after_the_other_do_not_conflict() {
    let after = THERE_AND_BACK.replace("t[", "u[");
    assert!(between(&format!("{THERE_AND_BACK}{after}")).is_none());
}

#[test]
fn dates_of_other_lifetimes_are_not_compared() {
    let (ctx, scop) = (Context::new(), scop(THERE_AND_BACK));
    let model = Model::build(&ctx, &scop).expect("a model");
    let of = || Lifetimes::of(&model, array(&scop, "t")).expect("lifetimes");
    let refused = CrossDifferences::of(&of(), &of(), Precision::Cell).expect_err("the dates may be others");
    assert_eq!(refused.kind, ErrorKind::Refused);
}

#[test]
fn the_most_values_alive_at_one_moment() {
    let count = |region: &str, n: i64| {
        let scop = scop(region);
        max_live(&scop, &[array(&scop, "t")], &[n], 1_000_000).expect("it is short").total
    };
    assert_eq!(count(THERE_AND_BACK, 7), 7);
    assert_eq!(count("  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    y[i] = t[i];\n  }\n", 7), 1);
}

/// Nothing of u is alive while t holds the most values, and what is counted of each array then sums up to all.
#[test]
fn the_moment_with_the_most_values_has_so_many_of_each_array() {
    let turns = "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n  for (int i = 0; i < n; i++)\n    y[i] = t[n - 1 - i];\n  for (int i = 0; i < 3; i++)\n    u[i] = y[i];\n  for (int i = 0; i < 3; i++)\n    y[i] = u[2 - i];\n";
    let scop = scop(turns);
    let counted = max_live(&scop, &[array(&scop, "t"), array(&scop, "u")], &[20], 1 << 20).expect("it is small");
    assert_eq!((counted.total, counted.each, counted.at_peak), (20, vec![20, 3], vec![20, 0]));
}

/// Two loops in the order of one count as the one does.
#[test]
fn an_order_is_counted_without_its_loops() {
    let apart =
        "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n  for (int i = 1; i < n; i++)\n    y[i] = t[i - 1] + t[i];\n";
    let fused =
        "  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    if (i > 0)\n      y[i] = t[i - 1] + t[i];\n  }\n";
    let number = |offset| Coordinate { counters: Vec::new(), offset };
    let scop_apart = scop(apart);
    let of = |statement: usize| {
        let counters = vec![(scop_apart.statements[statement].loops[0], 1)];
        vec![number(0), Coordinate { counters, offset: 0 }, number(statement as i64)]
    };
    let t = [array(&scop_apart, "t")];
    let in_order = max_live_in_order(&scop_apart, &t, &[20], &[of(0), of(1)], 1 << 20).expect("it is small");
    let fused = scop(fused);
    let written = max_live(&fused, &[array(&fused, "t")], &[20], 1 << 20).expect("it is small");
    assert_eq!((in_order.total, in_order.each), (written.total, written.each));
    assert_eq!(max_live(&scop_apart, &t, &[20], 1 << 20).expect("it is small").total, 20);
}
