//! Conflicts, live counts and replay know nothing of each other, and still have to agree on any trace.

use std::collections::{BTreeMap, BTreeSet};

use polyfold_replay::{Cell, Precision, START, Trace, replay_mapping};
use polyfold_scop::{ArrayId, Liveness, Role};

use crate::builder::*;

const CELLS: i64 = 5;
const A: ArrayId = ArrayId(0);

/// Straight-line operations, each with up to two reads and a write of some cell of one array.
fn random_trace(seed: u64) -> Trace {
    let mut state = seed;
    let mut below = |end: i64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) % end as u64) as i64
    };
    let roles =
        [Role::Temporary, kept(Liveness::Internal), kept(Liveness::In), kept(Liveness::Out), kept(Liveness::InOut)];
    let mut b = Builder::new(&[]);
    let array = b.array("A", roles[below(5) as usize].clone());
    let operations = 1 + below(12);
    let body = (0..operations).map(|_| {
        let reads = (0..below(3)).map(|_| read(array, &[c(below(CELLS))])).collect::<Vec<_>>();
        let writes = (0..below(2)).map(|_| write(array, &[c(below(CELLS))])).collect::<Vec<_>>();
        b.statement(&[], [reads, writes].concat())
    });
    let body = body.collect();
    run(&b.body(body), 0)
}

#[test]
fn a_conflict_is_exactly_what_makes_two_cells_clobber_each_other() {
    for seed in 0..3000 {
        let trace = random_trace(seed);
        let conflicts = trace.conflicts(A, Precision::Value);
        for (x, y) in (0..CELLS).flat_map(|x| (0..x).map(move |y| (x, y))) {
            let merged = replay_mapping(&trace, A, &|cell| vec![if cell[0] == x { y } else { cell[0] }]);
            assert_eq!(merged.is_err(), conflicts.contains(&(vec![x], vec![y])), "seed {seed}, cells {x} and {y}");
        }
    }
}

#[test]
fn cells_without_conflicts_share_and_never_beat_the_live_count() {
    for seed in 0..3000 {
        let trace = random_trace(seed);
        let conflicts = trace.conflicts(A, Precision::Value);
        let slots = first_fit(&trace, &conflicts);
        let used = replay_mapping(&trace, A, &|cell| vec![slots[cell]]).unwrap();
        // START is the one operation with many writes: its dead values could share, but each counts as live.
        let dead_at_start = trace.values(A).iter().filter(|v| v.written == START && v.last_read.is_none()).count();
        assert!(used + dead_at_start.saturating_sub(1) >= trace.max_live(A), "seed {seed}");
    }
}

#[test]
fn whole_cells_conflict_whenever_their_values_do() {
    for seed in 0..3000 {
        let trace = random_trace(seed);
        assert!(trace.conflicts(A, Precision::Cell).is_superset(&trace.conflicts(A, Precision::Value)), "seed {seed}");
    }
}

/// Gives each cell the first slot where it conflicts with nobody.
fn first_fit(trace: &Trace, conflicts: &BTreeSet<(Cell, Cell)>) -> BTreeMap<Cell, i64> {
    let mut slots: BTreeMap<Cell, i64> = BTreeMap::new();
    for value in trace.values(A) {
        let clashes =
            |slot| slots.iter().any(|(c, s)| *s == slot && conflicts.contains(&(c.clone(), value.cell.clone())));
        let slot = (0..).find(|slot| !clashes(*slot)).unwrap();
        slots.entry(value.cell).or_insert(slot);
    }
    slots
}
