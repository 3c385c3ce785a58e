//! Programs small enough to count by hand, and one from the literature.

use std::collections::{BTreeMap, BTreeSet};

use polyfold_replay::{Event, Home, Operation, Precision, ReplayError, START, Trace, Value};
use polyfold_replay::{replay_mapping, replay_shared, replay_values};
use polyfold_scop::{ArrayId, Comparison, Condition, Expr, Liveness, Scop, StatementId};

use crate::builder::*;

/// Durbin's recursion: Bee+Cl@k (LCTES'07), Figure 2(a). The arrays are r, out, alpha, beta, sum, y.
fn durbin() -> Scop {
    let mut b = Builder::new(&["n"]);
    let [r, out] = [b.array("r", kept(Liveness::In)), b.array("out", kept(Liveness::Out))];
    let [alpha, beta, s, y] = ["alpha", "beta", "sum", "y"].map(|name| b.temporary(name));
    let (k, before) = (i(0), sum(&[i(0), c(-1)]));
    let mirrored = |at: usize| sum(&[k.clone(), minus(i(at)), c(-1)]);
    let head = vec![
        b.statement(&[], vec![read(r, &[c(0)]), write(y, &[c(0), c(0)])]),
        b.statement(&[], vec![write(beta, &[c(0)])]),
        b.statement(&[], vec![read(r, &[c(0)]), write(alpha, &[c(0)])]),
    ];
    let before_k = std::slice::from_ref(&before);
    let at_k = std::slice::from_ref(&k);
    let s3 = vec![read(beta, before_k), read(alpha, before_k), write(beta, at_k)];
    let s4 = vec![read(r, at_k), write(s, &[c(0), k.clone()])];
    let s5 = vec![
        read(s, &[i(1), k.clone()]),
        read(r, &[mirrored(1)]),
        read(y, &[i(1), before.clone()]),
        write(s, &[sum(&[i(1), c(1)]), k.clone()]),
    ];
    let s6 = vec![read(s, &[k.clone(), k.clone()]), read(beta, at_k), write(alpha, at_k)];
    let s7 = vec![
        read(y, &[i(2), before.clone()]),
        read(alpha, at_k),
        read(y, &[mirrored(2), before.clone()]),
        write(y, &[i(2), k.clone()]),
    ];
    let s8 = vec![read(alpha, at_k), write(y, &[k.clone(), k.clone()])];
    let body = vec![
        b.statement(&[0], s3),
        b.statement(&[0], s4),
        up(1, c(0), k.clone(), vec![b.statement(&[0, 1], s5)]),
        b.statement(&[0], s6),
        up(2, c(0), k.clone(), vec![b.statement(&[0, 2], s7)]),
        b.statement(&[0], s8),
    ];
    let last = b.statement(&[3], vec![read(y, &[i(3), sum(&[n(), c(-1)])]), write(out, &[i(3)])]);
    let nests = [up(0, c(1), n(), body), up(3, c(0), n(), vec![last])];
    b.body(head.into_iter().chain(nests).collect())
}

#[test]
fn bee_fig3_durbin_y() {
    let trace = run(&durbin(), 100);
    let y = ArrayId(5);
    assert_eq!(replay_mapping(&trace, y, &|c| vec![c[0], c[1].rem_euclid(2)]), Ok(199));
    assert_eq!(replay_mapping(&trace, y, &|c| vec![(2 * c[0] + c[1]).rem_euclid(197)]), Ok(197));
    assert!(replay_mapping(&trace, y, &|c| vec![(2 * c[0] + c[1]).rem_euclid(196)]).is_err());
    assert_eq!(trace.max_live(y), 148);
    assert_eq!(trace.differences(y, Precision::Cell).len() + 1, 591);
}

#[test]
fn bee_table_durbin_scalars() {
    let trace = run(&durbin(), 30);
    for array in [2, 3, 4].map(ArrayId) {
        assert_eq!(trace.max_live(array), 1);
        assert_eq!(replay_mapping(&trace, array, &|_| vec![]), Ok(1));
        assert!(trace.differences(array, Precision::Cell).is_empty());
    }
}

#[test]
fn durbin_keeps_what_crosses_the_border() {
    let trace = run(&durbin(), 10);
    let [r, out] = [0, 1].map(ArrayId);
    assert!(trace.values(r).iter().all(|v| v.written == START));
    assert!(trace.values(out).iter().all(|v| v.last_read == Some(trace.end())));
    assert_eq!((trace.max_live(r), trace.max_live(out)), (10, 10));
    let clobber = replay_mapping(&trace, out, &|_| vec![]).unwrap_err();
    assert_eq!((clobber.operation, clobber.instance), (trace.end(), None));
}

/// `for t: { for i up: P[i] = Q[i-1] + Q[i+1]; for i down: Q[i] = P[i]; }` with the border of Q never written.
fn ping_pong() -> Scop {
    let mut b = Builder::new(&["n"]);
    let [p, q] = ["P", "Q"].map(|name| b.temporary(name));
    let neighbours = vec![read(q, &[sum(&[i(1), c(-1)])]), read(q, &[sum(&[i(1), c(1)])]), write(p, &[i(1)])];
    let there = up(1, c(1), sum(&[n(), c(1)]), vec![b.statement(&[0, 1], neighbours)]);
    let back_again = b.statement(&[0, 2], vec![read(p, &[i(2)]), write(q, &[i(2)])]);
    let back = repeat(2, n(), compare(i(2), Comparison::Greater, c(0)), -1, vec![back_again]);
    b.body(vec![up(0, c(0), c(3), vec![there, back])])
}

#[test]
fn ping_pong_stencil() {
    let (trace, [p, q]) = (run(&ping_pong(), 6), [ArrayId(0), ArrayId(1)]);
    assert_eq!(trace.operations.len(), 36);
    assert_eq!(trace.read_before_written(p), BTreeSet::new());
    assert_eq!(trace.read_before_written(q).len(), 8);
    assert_eq!(trace.values(q).len(), 8 + 3 * 6);
    assert_eq!(trace.values(q).iter().filter(|v| v.last_read.is_none()).count(), 6);
    assert_eq!((trace.max_live(p), trace.max_live(q)), (6, 8));
    assert_eq!(trace.max_live_all(&[p, q]), 6 + 3);
}

/// SMO (POPL'16), Figure 1: the inner values of turn t in `(i - t) mod (n + 1)`, and the copy back is one onto itself. What was
/// there at the start, and the border, live elsewhere.
#[test]
fn ping_pong_values_drift_through_one_buffer() {
    let (trace, q) = (run(&ping_pong(), 6), ArrayId(1));
    let drifting = |modulus: i64| {
        move |operation: &Operation, event: &Event| {
            let (t, i) = (operation.iteration[0], event.cell[0]);
            let is_copied_back = operation.statement == StatementId(1) || event.array != q;
            let turn = if is_copied_back { t } else { t - 1 };
            match turn >= 0 && (1..=6).contains(&i) {
                true => Home::At((0, vec![(i - turn).rem_euclid(modulus)])),
                false => Home::Elsewhere,
            }
        }
    };
    assert_eq!(replay_values(&trace, &drifting(7)), Ok(7));
    assert!(replay_values(&trace, &drifting(6)).unwrap_err().found.is_some());
    let unwritten = replay_values(&trace, &|_, _| Home::Nowhere).unwrap_err();
    assert_eq!((unwritten.operation, unwritten.wanted, unwritten.found), (0, (q, vec![0]), None));
}

#[test]
fn ping_pong_buffers_share() {
    let (trace, [p, q]) = (run(&ping_pong(), 6), [ArrayId(0), ArrayId(1)]);
    let shifted = |a: ArrayId, cell: &[i64]| {
        let slot = match (a == p, cell[0]) {
            (true, 1) => 8,
            (true, i) => i - 1,
            (false, i) => i,
        };
        Some((0, vec![slot]))
    };
    assert_eq!(replay_shared(&trace, &shifted), Ok(6 + 3));
    let clobber = replay_shared(&trace, &|_, cell| Some((0, cell.to_vec()))).unwrap_err();
    assert_eq!(clobber.wanted, (q, vec![1]));
    assert_eq!(clobber.found, Some((p, vec![1])));
    let between = trace.conflicts_between(p, q, Precision::Value);
    assert!(between.contains(&(vec![1], vec![2])) && !between.contains(&(vec![3], vec![2])));
}

#[test]
fn triangular_loop() {
    // for i < n: for j <= i: A[i][j] = ...;  for i < n: for j <= i: ... = A[i][j];
    let mut b = Builder::new(&["n"]);
    let a = b.temporary("A");
    let make = b.statement(&[0, 1], vec![write(a, &[i(0), i(1)])]);
    let make = up(0, c(0), n(), vec![up(1, c(0), sum(&[i(0), c(1)]), vec![make])]);
    let take = b.statement(&[2, 3], vec![read(a, &[i(2), i(3)])]);
    let take = up(2, c(0), n(), vec![up(3, c(0), sum(&[i(2), c(1)]), vec![take])]);
    let scop = b.body(vec![make, take]);
    let trace = run(&scop, 5);
    assert_eq!(trace.operations[4].iteration, [2, 1]);
    assert_eq!((trace.operations.len(), trace.max_live(a)), (30, 15));
    assert_eq!(trace.conflicts(a, Precision::Value).len(), 15 * 14);
    assert_eq!(replay_mapping(&trace, a, &|c| vec![c[0] * (c[0] + 1) / 2 + c[1]]), Ok(15));
    assert!(run(&scop, 0).operations.is_empty());
}

#[test]
fn update_in_place() {
    // A[0] = 0; for i < n: A[i+1] = A[i];  and then A[n] = A[n], n = 4: each value dies where the next is born.
    let mut b = Builder::new(&["n"]);
    let a = b.temporary("A");
    let first = b.statement(&[], vec![write(a, &[c(0)])]);
    let step = b.statement(&[0], vec![read(a, &[i(0)]), write(a, &[sum(&[i(0), c(1)])])]);
    let last = b.statement(&[], vec![read(a, &[n()]), write(a, &[n()])]);
    let trace = run(&b.body(vec![first, up(0, c(0), n(), vec![step]), last]), 4);
    let values = trace.values(a);
    assert_eq!((values[4].written, values[4].last_read), (4, Some(5)));
    assert_eq!((values[5].written, values[5].last_read), (5, None));
    assert_eq!(trace.max_live(a), 1);
    assert!(trace.conflicts(a, Precision::Cell).is_empty());
    assert_eq!(replay_mapping(&trace, a, &|_| vec![]), Ok(1));
}

/// `A[0] = ..; A[1] = ..; ... = A[0];`
fn dead_write() -> Scop {
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let body =
        [write(a, &[c(0)]), write(a, &[c(1)]), read(a, &[c(0)])].map(|access| b.statement(&[], vec![access])).to_vec();
    b.body(body)
}

#[test]
fn dead_writes_conflict() {
    let (trace, a) = (run(&dead_write(), 0), ArrayId(0));
    assert_eq!(trace.max_live(a), 2);
    assert_eq!(trace.differences(a, Precision::Value), BTreeSet::from([vec![-1], vec![1]]));
    let clobber = replay_mapping(&trace, a, &|_| vec![]).unwrap_err();
    assert_eq!((clobber.operation, clobber.wanted.1, clobber.found.unwrap().1), (2, vec![0], vec![1]));
}

#[test]
fn values_tell_more_than_cells() {
    // x = ..; .. = x; y = ..; .. = y; x = ..; .. = x;
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let accesses = [0, 1, 0].into_iter().flat_map(|cell| [write(a, &[c(cell)]), read(a, &[c(cell)])]);
    let body = accesses.map(|access| b.statement(&[], vec![access])).collect();
    let trace = run(&b.body(body), 0);
    assert!(trace.conflicts(a, Precision::Value).is_empty());
    assert_eq!(trace.conflicts(a, Precision::Cell).len(), 2);
    assert_eq!(replay_mapping(&trace, a, &|_| vec![]), Ok(1));
}

#[test]
fn guards_and_their_negation() {
    // for i < 6: if (i % 2 == 0 || i > 4) A[0] = i; else A[1] = i;
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let even = compare(Expr::Remainder(Box::new(i(0)), 2), Comparison::Equal, c(0));
    let condition = Condition::Any(vec![even, compare(i(0), Comparison::Greater, c(4))]);
    let [then, otherwise] = [0, 1].map(|cell| b.statement(&[0], vec![write(a, &[c(cell)])]));
    let scop = b.body(vec![up(0, c(0), c(6), vec![guard(condition, vec![then], vec![otherwise])])]);
    let cells: Vec<_> = run(&scop, 0).operations.iter().map(|o| o.events[0].cell[0]).collect();
    assert_eq!(cells, [0, 1, 0, 1, 0, 0]);
}

#[test]
fn data_dependent_conditions_ask() {
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let [then, otherwise] = [0, 1].map(|cell| b.statement(&[0], vec![read(a, &[c(9)]), may(write(a, &[c(cell)]))]));
    let body = vec![guard(Condition::Unknown, vec![then], vec![otherwise])];
    let scop = b.body(vec![up(0, c(0), c(4), body)]);
    let mut answers = [true, true, true, false, false, true, false, false].into_iter();
    let trace = Trace::run(&scop, &BTreeMap::new(), || answers.next().unwrap(), 10).unwrap();
    let writes: Vec<_> = trace.operations.iter().map(|o| o.events.get(1).map(|e| e.cell[0])).collect();
    assert_eq!(writes, [Some(0), None, Some(1), None]);
}

#[test]
fn downward_loop_in_steps_of_two() {
    // for (i = 7; i > 0; i -= 2) A[i] = ..;
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let down = b.statement(&[0], vec![write(a, &[i(0)])]);
    let scop = b.body(vec![repeat(0, c(7), compare(i(0), Comparison::Greater, c(0)), -2, vec![down])]);
    let cells: Vec<_> = run(&scop, 0).operations.iter().map(|o| o.events[0].cell[0]).collect();
    assert_eq!(cells, [7, 5, 3, 1]);
}

#[test]
fn division_truncates_as_in_c() {
    // for (i = -3; i <= 3; i++) A[i / 2][i % 2][|i|] = ..;
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let negative = compare(i(0), Comparison::Less, c(0));
    let subscripts = [
        Expr::Divide(Box::new(i(0)), 2),
        Expr::Remainder(Box::new(i(0)), 2),
        Expr::Select(Box::new(negative), Box::new(minus(i(0))), Box::new(i(0))),
    ];
    let statement = b.statement(&[0], vec![write(a, &subscripts)]);
    let trace = run(&b.body(vec![up(0, c(-3), c(4), vec![statement])]), 0);
    let cells: Vec<_> = trace.operations.iter().map(|o| o.events[0].cell.clone()).collect();
    assert_eq!(cells, [[-1, -1, 3], [-1, 0, 2], [0, -1, 1], [0, 0, 0], [0, 1, 1], [1, 0, 2], [1, 1, 3]]);
}

#[test]
fn reads_come_first_and_writes_of_a_cell_are_one() {
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let accesses = vec![may(write(a, &[c(0)])), write(a, &[c(0)]), read(a, &[c(0)])];
    let swap = b.statement(&[], accesses);
    let trace = run(&b.body(vec![swap]), 0);
    let kinds: Vec<_> = trace.operations[0].events.iter().map(|e| (e.kind, e.certainty)).collect();
    assert_eq!(format!("{kinds:?}"), "[(Read, Must), (Write, Must)]");
    assert_eq!(trace.values(a).iter().map(|v| v.written).collect::<Vec<_>>(), [START, 0]);
}

#[test]
fn live_in_cells_conflict_at_start() {
    let mut b = Builder::new(&[]);
    let a = b.array("A", kept(Liveness::In));
    let body = [read(a, &[c(0)]), write(a, &[c(1)])].map(|access| b.statement(&[], vec![access])).to_vec();
    let trace = run(&b.body(body), 0);
    assert_eq!(trace.max_live(a), 2);
    assert_eq!(trace.conflicts(a, Precision::Value).len(), 2);
    assert!(replay_mapping(&trace, a, &|_| vec![]).is_err());
}

#[test]
fn accesses_without_subscripts_are_counted() {
    let mut b = Builder::new(&[]);
    let a = b.temporary("A");
    let anywhere = b.statement(&[], vec![polyfold_scop::Access { subscripts: None, ..write(a, &[]) }]);
    let trace = run(&b.body(vec![anywhere]), 0);
    assert_eq!((trace.unknown_accesses, trace.values(a).len()), (1, 0));
}

#[test]
fn what_cannot_be_run() {
    let scop = ping_pong();
    let missing = Trace::run(&scop, &BTreeMap::new(), || true, 100).unwrap_err();
    assert_eq!(missing, ReplayError::MissingParameter("n".into()));
    assert_eq!(try_run(&scop, 6, 35).unwrap_err(), ReplayError::TooLong(35));
    assert_eq!(try_run(&scop, i64::MAX, 35).unwrap_err(), ReplayError::Overflow);
    let empty = Builder::new(&[]).body(vec![up(0, c(0), c(100), vec![])]);
    assert_eq!(try_run(&empty, 0, 99).unwrap_err(), ReplayError::TooLong(99));
}

/// `for i: A[i] = in[i]; for i < n - 1: out[i] = A[i] + A[i+1];`
fn producer_and_consumer() -> Scop {
    let mut b = Builder::new(&["n"]);
    let [input, out] = [b.array("in", kept(Liveness::In)), b.array("out", kept(Liveness::Out))];
    let a = b.temporary("A");
    let make = b.statement(&[0], vec![read(input, &[i(0)]), write(a, &[i(0)])]);
    let reads_and_write = vec![read(a, &[i(1)]), read(a, &[sum(&[i(1), c(1)])]), write(out, &[i(1)])];
    let take = b.statement(&[1], reads_and_write);
    b.body(vec![up(0, c(0), n(), vec![make]), up(1, c(0), sum(&[n(), c(-1)]), vec![take])])
}

#[test]
fn fused_with_a_lag_of_one() {
    let (trace, a) = (run(&producer_and_consumer(), 10), ArrayId(2));
    assert_eq!(trace.max_live(a), 10);
    let lag = |by: i64| move |s: StatementId, at: &[i64]| vec![at[0] + by * s.0 as i64, s.0 as i64];
    let fused = trace.reordered(&lag(1)).unwrap();
    assert_eq!(fused.max_live(a), 2);
    assert_eq!(replay_mapping(&fused, a, &|cell| vec![cell[0] % 2]), Ok(2));
    let wrong = trace.reordered(&lag(0)).unwrap_err();
    assert_eq!((wrong.instance, wrong.cell), (Some((StatementId(1), vec![0])), (a, vec![1])));
}

#[test]
fn orders_that_change_the_last_write() {
    let mut b = Builder::new(&[]);
    let out = b.array("out", kept(Liveness::Out));
    let body = (0..2).map(|_| b.statement(&[], vec![write(out, &[c(0)])])).collect();
    let trace = run(&b.body(body), 0);
    assert!(trace.reordered(&|s, _| vec![s.0 as i64]).is_ok());
    let wrong = trace.reordered(&|s, _| vec![-(s.0 as i64)]).unwrap_err();
    assert_eq!((wrong.instance, wrong.cell), (None, (out, vec![0])));
}

/// `f(&a, &b)` writes both, and may read them until it returns: the times are 0 and 1, and b is not written where a is.
#[test]
fn what_a_call_writes_is_needed_until_it_ends() {
    let mut b = Builder::new(&[]);
    let (x, y) = (b.temporary("x"), b.temporary("y"));
    let passed =
        |access: polyfold_scop::Access| polyfold_scop::Access { moment: polyfold_scop::Moment::Call, ..access };
    let call = b.statement(&[], vec![passed(write(x, &[])), passed(write(y, &[]))]);
    let trace = run(&b.body(vec![call]), 1);
    assert_eq!((trace.operations.len(), trace.end()), (1, 2));
    let value = |array| Value { cell: vec![], written: 0, last_read: Some(1) } == trace.values(array)[0];
    assert!(value(x) && value(y));
    assert_eq!(trace.conflicts_between(x, y, Precision::Value).len(), 1);
    let apart = |array: ArrayId, _: &[i64]| Some((array.0, Vec::new()));
    assert_eq!(replay_shared(&trace, &apart), Ok(2));
    assert!(replay_shared(&trace, &|_, _: &[i64]| Some((0, Vec::new()))).is_err());
}
