//! Random programs with every combination of options: whatever is asked for, what comes out compiles without warnings, and prints the same.
//!
//! The combinations are those of `--reallocate`, `--reuse-outputs` and each `--schedule`, and `compact --tile` with one, two and three sizes.
//! A refusal is fine; a panic is none. Results that are the same text are compiled once. gcc's guesses at values that may not be written are
//! replaced by a run in which each use of one is found.
//!
//! A longer campaign, each program with all combinations, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=1000 cargo test -p polyfold --test all random_options:: -- --ignored --nocapture
//! ```

use crate::support::{compiler, scratch, tool, two_threads};
use polyfold_testgen::{
    Feature, Options, Rows, choices_file, file, recurrences_file, sums_file, tiled_file, windows_file,
};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// Seeds in the test itself.
const PROGRAMS: u64 = 6;

/// Work for each array: what takes longer is refused or kept.
const WORK: [&str; 2] = ["--max-ops", "4000000"];

#[test]
fn random_programs_compile_and_compute_the_same_with_all_options() {
    let all = combinations();
    let asked = |seed: u64| {
        let own = all.iter().enumerate().filter(move |(at, _)| (*at as u64 + seed).is_multiple_of(PROGRAMS));
        own.map(|(_, combination)| combination.clone()).collect()
    };
    let counts = run_all(0, PROGRAMS, &asked);
    for combination in &all {
        assert!(counts.contains_key(&combination.join(" ")), "nobody asks for {combination:?}");
    }
    let results: usize = counts.values().map(|count| count.results).sum();
    assert!(results > PROGRAMS as usize, "{counts:?}");
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    run_all(number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 100), &|_| combinations());
}

/// A command with its options.
type Combination = Vec<&'static str>;

fn combinations() -> Vec<Combination> {
    let mut all: Vec<Combination> = Vec::new();
    for schedule in ["keep", "fuse", "fuse-rows", "strips"] {
        for reallocate in [&[][..], &["--reallocate"]] {
            for reuse in [&[][..], &["--reuse-outputs"]] {
                all.push([&["optimize", "--schedule", schedule], reallocate, reuse].concat());
            }
        }
    }
    for sizes in ["8", "4,4", "3,2,4"] {
        all.push(vec!["compact", "--tile", sizes, "--assume-noalias"]);
    }
    all
}

/// What became of programs.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    results: usize,
    refusals: usize,
}

fn run_all(first: u64, programs: u64, asked: &(dyn Fn(u64) -> Vec<Combination> + Sync)) -> BTreeMap<String, Count> {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let found = two_threads::map(seeds, |seed| judged(seed, &asked(seed)));
    let mut counts: BTreeMap<String, Count> = BTreeMap::new();
    let mut faults = Vec::new();
    for (combination, outcome) in found.into_iter().flatten() {
        let count = counts.entry(combination).or_default();
        match outcome {
            Ok(true) => count.results += 1,
            Ok(false) => count.refusals += 1,
            Err(fault) => faults.push(fault),
        }
    }
    println!("{counts:#?}");
    assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    counts
}

/// A program of one of several kinds.
fn program(seed: u64) -> String {
    let small = Options { max_statements: 5, ..Options::default() };
    match seed % 8 {
        0 => windows_file(&[seed], Rows::Numbered),
        1 => choices_file(&[seed]),
        2 => recurrences_file(&[seed]),
        3 if seed % 16 < 8 => sums_file(&[seed]),
        3 => tiled_file(&[seed]),
        // Tiles are of nests that count in their heads.
        4 => file(&[seed], &small.without(Feature::Wrapping).without(Feature::DeclaredIterators)),
        _ => file(&[seed], &small),
    }
}

/// For each combination whether it has a result, or what is wrong with it.
fn judged(seed: u64, asked: &[Combination]) -> Vec<(String, Result<bool, String>)> {
    let directory = scratch("random_options").join(seed.to_string());
    std::fs::create_dir_all(&directory).expect("the directory is writable");
    let source = directory.join("source.c");
    std::fs::write(&source, program(seed)).expect("the directory is writable");
    let before = compiler::run_source(&source, &[]).unwrap_or_else(|why| panic!("seed {seed}: {why}"));
    let mut known = BTreeSet::new();
    let mut outcomes = Vec::new();
    for (at, combination) in asked.iter().enumerate() {
        let result = directory.join(format!("result{at}.c"));
        let outcome = written(&source, &result, combination).and_then(|text| {
            let Some(text) = text else { return Ok(false) };
            if known.insert(text) {
                // Sanitizers hide some warnings of the optimizer.
                compiler::optimizer_warnings(&result)?;
                let printed = [
                    Some(compiler::run(&result, &["-Wno-maybe-uninitialized"])?),
                    compiler::run_without_unwritten(&result)?,
                ];
                if printed.iter().flatten().any(|printed| *printed != before) {
                    return Err("the result prints something else".to_string());
                }
            }
            Ok(true)
        });
        let name = combination.join(" ");
        let outcome = outcome.map_err(|why| format!("seed {seed}, {name}, {}: {why}", result.display()));
        // A campaign takes hours: what it finds is said at once.
        outcome.as_ref().err().inspect(|fault| println!("{fault}"));
        outcomes.push((name, outcome));
    }
    outcomes
}

/// The text of a result; `None`: it is refused.
fn written(source: &Path, result: &Path, combination: &[&str]) -> Result<Option<String>, String> {
    let _ = std::fs::remove_file(result);
    let [source, path] = [source, result].map(|path| path.display().to_string());
    let run = tool::polyfold(&[combination, &[&source, "-o", &path], &WORK].concat());
    match run.status {
        0 => std::fs::read_to_string(result).map(Some).map_err(|error| error.to_string()),
        1 if !run.stderr.contains("panicked") && !result.exists() => Ok(None),
        // The work that this test allows is small.
        3 if run.stderr.contains("the bound on analysis work") && !result.exists() => Ok(None),
        status => Err(format!("polyfold ends with {status}:\n{}", run.stderr)),
    }
}
