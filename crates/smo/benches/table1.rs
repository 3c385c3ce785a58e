//! Time and cells of every engine for the conflict sets of Table 1, and for chains of three-point stages on N cells.
//!
//! `cargo bench -p polyfold-smo --bench table1`
//!
//! Reading a conflict set is timed apart, since all engines share it. In a chain an engine that took longer than five seconds is
//! left out of longer ones.

#[path = "../tests/kernels/mod.rs"]
mod kernels;
#[path = "../tests/pipeline/mod.rs"]
mod pipeline;

use pipeline::{Pipeline, Stage, Window};
use polyfold_isl::{Context, Set};
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};
use std::time::Instant;

/// Value of every parameter at which cells are counted.
const SIZE: i64 = 100;

/// Numbers of stages.
const CHAINS: [usize; 7] = [2, 4, 8, 16, 32, 64, 128];

/// The columns.
const ENGINES: [Engine; 5] = [Engine::Separate, Engine::Smo, Engine::Joint, Engine::Fast, Engine::Auto];

/// An engine slower than this is left out of longer chains.
const MOST_SECONDS: f64 = 5.0;

fn main() {
    header("kernel");
    for kernel in &kernels::TABLE_1 {
        let start = Instant::now();
        let conflicts = ConflictSet::read(&Context::new(), kernel.context, kernel.conflicts).expect("a conflict set");
        row(kernel.name, &conflicts, start.elapsed().as_secs_f64(), &mut Vec::new());
    }
    for is_fused in [false, true] {
        header(if is_fused { "fused chain" } else { "chain" });
        let mut too_slow = Vec::new();
        for count in CHAINS {
            let ctx = Context::new();
            let maps = chain(count, is_fused).conflicts(&ctx).expect("a pipeline");
            let context = Set::read(&ctx, "[N] -> { : N >= 8 }").expect("a context");
            let start = Instant::now();
            let conflicts = ConflictSet::new(context, &maps).expect("a conflict set");
            row(&count.to_string(), &conflicts, start.elapsed().as_secs_f64(), &mut too_slow);
        }
    }
}

fn header(what: &str) {
    print!("\n{what:<18}{:>7}{:>7}{:>9}", "intra", "inter", "read ms");
    ENGINES.iter().for_each(|engine| print!("{:>12} ms{:>9}", engine.name(), "cells"));
    println!("  auto's");
}

fn row(name: &str, conflicts: &ConflictSet, seconds_to_read: f64, too_slow: &mut Vec<Engine>) {
    let (intra, inter) = conflicts.count();
    print!("{name:<18}{intra:>7}{inter:>7}{:>9.1}", seconds_to_read * 1e3);
    let sizes = vec![SIZE; conflicts.parameters().len()];
    let mut winner = String::new();
    for engine in ENGINES {
        if too_slow.contains(&engine) {
            print!("{:>15}{:>9}", "> 5 s", "");
            continue;
        }
        let start = Instant::now();
        let solution = storage_mapping_by(engine, conflicts, &sizes).expect("no work bound");
        let seconds = start.elapsed().as_secs_f64();
        let Outcome::Proved(proved) = solution.outcome else { panic!("{name}: {:?}", solution.outcome) };
        print!("{:>15.1}{:>9}", seconds * 1e3, proved.value().cells(&sizes));
        if seconds > MOST_SECONDS {
            too_slow.push(engine);
        }
        winner = solution.engine.name().to_string();
        if conflicts.statements().len() <= 2 {
            winner += &format!(": {}", proved.value().text(conflicts).trim().replace('\n', "; "));
        }
    }
    println!("  {winner}");
}

fn chain(count: usize, is_fused: bool) -> Pipeline {
    let stage = |k: usize| Stage {
        extent: "N",
        reads: k.checked_sub(1).map(|stage| Window { stage, from: -1, to: 1 }).into_iter().collect(),
        is_live_out: k + 1 == count,
    };
    Pipeline { stages: (0..count).map(stage).collect(), is_fused }
}
