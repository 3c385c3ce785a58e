//! Time and cells of SMO for the conflict sets of Table 1, and for chains of three-point stages on N cells.
//!
//! `cargo bench -p polyfold-smo --bench table1`

#[path = "../tests/kernels/mod.rs"]
mod kernels;
#[path = "../tests/pipeline/mod.rs"]
mod pipeline;

use pipeline::{Pipeline, Stage, Window};
use polyfold_isl::{Context, Set};
use polyfold_smo::{ConflictSet, Outcome, storage_mapping};
use std::time::Instant;

/// Value of every parameter at which cells are counted.
const SIZE: i64 = 100;

/// Numbers of stages.
const CHAINS: [usize; 6] = [2, 4, 8, 16, 32, 64];

fn main() {
    table_1();
    for is_fused in [false, true] {
        chains(is_fused);
    }
}

fn chains(is_fused: bool) {
    println!("\n{:<18}{:>10}{:>10}", if is_fused { "fused chain" } else { "chain" }, "ms", "cells");
    for count in CHAINS {
        let ctx = Context::new();
        let maps = chain(count, is_fused).conflicts(&ctx).expect("a pipeline");
        let context = Set::read(&ctx, "[N] -> { : N >= 8 }").expect("a context");
        let start = Instant::now();
        let conflicts = ConflictSet::new(context, &maps).expect("a conflict set");
        let outcome = storage_mapping(&conflicts).expect("no work bound");
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let Outcome::Proved(proved) = outcome else { panic!("{count}: {outcome:?}") };
        println!("{count:<18}{milliseconds:>10.1}{:>10}", proved.value().cells(&[SIZE]));
    }
}

fn chain(count: usize, is_fused: bool) -> Pipeline {
    let stage = |k: usize| Stage {
        extent: "N",
        reads: k.checked_sub(1).map(|stage| Window { stage, from: -1, to: 1 }).into_iter().collect(),
        is_live_out: k + 1 == count,
    };
    Pipeline { stages: (0..count).map(stage).collect(), is_fused }
}

fn table_1() {
    println!("{:<18}{:>9}{:>9}{:>10}{:>10}  mapping", "kernel", "intra", "inter", "ms", "cells");
    for kernel in &kernels::TABLE_1 {
        let start = Instant::now();
        let conflicts = ConflictSet::read(&Context::new(), kernel.context, kernel.conflicts).expect("a conflict set");
        let outcome = storage_mapping(&conflicts).expect("no work bound");
        let milliseconds = start.elapsed().as_secs_f64() * 1e3;
        let Outcome::Proved(proved) = outcome else { panic!("{}: {outcome:?}", kernel.name) };
        let cells = proved.value().cells(&vec![SIZE; conflicts.parameters().len()]);
        let (intra, inter) = conflicts.count();
        let mapping = proved.value().text(&conflicts).trim().replace('\n', "; ");
        println!("{:<18}{intra:>9}{inter:>9}{milliseconds:>10.1}{cells:>10}  {mapping}", kernel.name);
    }
}
