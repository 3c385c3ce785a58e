//! Time and cells of SMO for the conflict sets of Table 1.
//!
//! `cargo bench -p polyfold-smo --bench table1`

#[path = "../tests/kernels/mod.rs"]
mod kernels;

use polyfold_isl::Context;
use polyfold_smo::{ConflictSet, Outcome, storage_mapping};
use std::time::Instant;

/// Value of every parameter at which cells are counted.
const SIZE: i64 = 100;

fn main() {
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
