//! Random chains of stages in one nest, in the fast form: rings, rows that go on, shift registers and strips print the same.
//!
//! A longer campaign, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=400 cargo test --release -p polyfold --test random_windows -- --ignored --nocapture
//! ```

#![allow(missing_docs)]

mod support;

use polyfold_testgen::{Rows, windows_file};
use support::{compiler, scratch, tool, two_threads};

/// Seeds that share a file.
const BATCH: usize = 16;

#[test]
fn fused_windows_compute_the_same() {
    let met = campaign(0, BATCH as u64);
    assert!(met.registers >= 3 && met.carried >= 5 && met.strips >= 3, "{met:?}");
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    println!("{:?}", campaign(number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 400)));
}

/// How often forms were met.
#[derive(Debug, Default)]
struct Met {
    /// Arrays that are shift registers.
    registers: usize,
    /// Rows that go on from turn to turn.
    carried: usize,
    /// Loops in strips.
    strips: usize,
    /// Accesses that divide.
    remainders: usize,
}

fn campaign(first: u64, programs: u64) -> Met {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let of = |rows: Rows| {
        seeds.chunks(if rows == Rows::Sized { BATCH / 2 } else { BATCH }).map(move |seeds| (seeds.to_vec(), rows))
    };
    let batches: Vec<(Vec<u64>, Rows)> = of(Rows::Numbered).chain(of(Rows::Sized)).collect();
    let results = two_threads::map(batches, |(seeds, rows)| {
        result(&seeds, rows).unwrap_or_else(|why| explain(&seeds, rows, &why))
    });
    let mut met = Met::default();
    for text in &results {
        met.registers += text.matches("moves one place down").count();
        met.carried +=
            text.lines().filter(|line| line.trim_start().starts_with("long ") && line.contains("_at")).count();
        met.strips += text.matches("for (int at = 0;").count();
        met.remainders += text.matches(" % ").count();
    }
    met
}

/// The result for some seeds, which prints what the source prints.
fn result(seeds: &[u64], rows: Rows) -> Result<String, String> {
    let name = |end: &str| scratch("random_windows").join(format!("{}-{}-{rows:?}.{end}", seeds[0], seeds.len()));
    let (source, result) = (name("c"), name("out.c"));
    std::fs::write(&source, windows_file(seeds, rows)).map_err(|e| e.to_string())?;
    let sizes: &[&str] = match rows {
        Rows::Numbered => &[],
        Rows::Sized => &[
            "--assume",
            "h >= 0",
            "--param",
            "n=100",
            "--param",
            "m=100",
            "--param",
            "h=3",
            "--method",
            "successive-modulo",
        ],
    };
    let run = tool::optimize(&source, &result, &[&["--emit", "fast"], sizes].concat());
    if run.status != 0 {
        return Err(format!("polyfold ends with {}:\n{}", run.status, run.stderr));
    }
    let before = compiler::run_source(&source, &[])?;
    let after = compiler::run(&result, &[])?;
    let for_speed = compiler::run_for_speed(&result)?;
    match before == after && for_speed.is_none_or(|printed| printed == before) {
        true => std::fs::read_to_string(&result).map_err(|e| e.to_string()),
        false => Err(format!("before:\n{before}\nafter:\n{after}")),
    }
}

/// Panics with the first program of a failed batch that fails alone.
fn explain(seeds: &[u64], rows: Rows, why: &str) -> ! {
    let Some((seed, why)) = seeds.iter().find_map(|seed| Some((seed, result(&[*seed], rows).err()?))) else {
        panic!("seeds {seeds:?} fail together only: {why}");
    };
    panic!("seed {seed}: {why}\n{}", windows_file(&[*seed], rows));
}
