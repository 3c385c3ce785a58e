//! Random programs through the whole pipeline, by the command that users run.
//!
//! Each batch is one C file. `polyfold optimize` must end well and claim a proof for every scop it reports; original
//! and result are compiled with warnings as errors, run under the sanitizers, and must print the same. Run with
//! `--nocapture` for a count of what became of the arrays.
//!
//! A longer campaign, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=10000 POLYFOLD_SEEDS=2000 cargo test -p polyfold --test all random_programs:: -- --ignored --nocapture
//! ```
//!
//! A failure prints the seed and a program that is shrunk as far as it still fails.

use crate::support::{compiler, scratch, tool, two_threads};
use polyfold_testgen::{Feature, Options, file, shrink};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fmt;

const BATCH: u64 = 8;

/// Seeds that share a file, and what their programs may contain.
struct Batch {
    seeds: Vec<u64>,
    options: Options,
    /// What the tool is asked for besides: facts about sizes, which not all runs fulfil, the use of outputs, or room.
    more: &'static [&'static str],
    /// The form of the new code.
    emit: &'static str,
}

/// Facts about sizes that the tool may use, though not all runs fulfil them: all programs have the size `n`, which is 1 to 8.
const ASSUMPTIONS: [&[&str]; 2] = [&["--assume", "n <= 2"], &["--assume", "n >= 4"]];

/// Engines that make buffers for several arrays by their own rules.
const ENGINES: [&[&str]; 3] = [&["--method", "fast"], &["--method", "joint"], &["--method", "smo"]];
const REUSE: &[&str] = &["--reuse-outputs"];

/// Work for each array: that of the test itself, with which the corpus gets the storage that it gets with more, and the command's own.
const ENOUGH: &str = "40000000";
const AS_USERS: &str = "200000000";

/// More cells for plainer subscripts.
const ROOM: &[&str] = &["--room", "50"];

#[test]
fn random_programs_compute_the_same() {
    let tally = half(0);
    for more in [REUSE].iter().chain(&ENGINES) {
        let decision = if *more == REUSE { "hosted" } else { "shared" };
        assert!(tally.count(more, decision) > 0, "no array is {decision} with {more:?}");
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn more_random_programs_compute_the_same() {
    half(1);
}

/// One half of the seeds, for all options.
fn half(number: u64) -> Tally {
    let seeds = |first: u64, count: u64, options: &Options| batches(first + number * count, count, options);
    let mut batches = seeds(0, BATCH / 2, &Options::default());
    for (at, features) in small_languages().into_iter().enumerate() {
        let options = Options { features: features.into_iter().collect(), max_statements: 8 };
        batches.extend(seeds(1000 * (at as u64 + 1), BATCH / 4, &options));
    }
    for (at, assume) in ASSUMPTIONS.into_iter().enumerate() {
        let first = 20_000 + 1000 * at as u64 + number * BATCH / 4;
        batches.extend(assuming(assume, first, BATCH / 4));
    }
    let options = Options { features: sharing().into_iter().collect(), max_statements: 6 };
    for engine in ENGINES {
        batches.extend(asking(engine, seeds(30_000, BATCH / 4, &options)));
    }
    // Arrays live in outputs in the second half.
    let other = 5 * (1 - number);
    batches.extend(asking(REUSE, self::batches(31_000 + other, 5, &options)));
    batches.extend(asking(REUSE, self::batches(40_000 + other, 5, &Options::default())));
    batches.extend(asking(ROOM, seeds(32_004, BATCH / 4, &Options::default())));
    campaign(batches, ENOUGH)
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, count) = (number("POLYFOLD_FIRST_SEED", 10_000), number("POLYFOLD_SEEDS", 400));
    let mut batches = batches(first, count, &Options::default());
    for assume in ASSUMPTIONS {
        batches.extend(assuming(assume, first, count / 4));
    }
    for engine in ENGINES {
        batches.extend(asking(engine, self::batches(first, count / 4, &Options::default())));
    }
    for more in [REUSE, ROOM] {
        batches.extend(asking(more, self::batches(first, count / 2, &Options::default())));
    }
    campaign(batches, AS_USERS);
}

/// Programs with run-time sizes about which something is assumed.
fn assuming(assume: &'static [&'static str], first: u64, count: u64) -> Vec<Batch> {
    let options = Options { max_statements: 5, ..Options::default() }.without(Feature::MacroSizes);
    asking(assume, batches(first, count, &options)).collect()
}

/// The same programs, with more options.
fn asking(more: &'static [&'static str], batches: Vec<Batch>) -> impl Iterator<Item = Batch> {
    batches.into_iter().map(move |batch| Batch { more, ..batch })
}

/// Few features, so that more of each program is about them.
fn small_languages() -> Vec<Vec<Feature>> {
    use Feature::*;
    vec![
        vec![RunTimeSizes, TwoDimensions, Offsets, ManyStatements, Recurrences, Reversed],
        vec![MacroSizes, TwoDimensions, PingPong, TimeIndexed, TimeModulo, Lags, Offsets],
        vec![RunTimeSizes, TwoDimensions, ThreeDimensions, Triangles, Tables, Guards, InPlace, ManyWriters],
        vec![
            RunTimeSizes,
            TwoDimensions,
            ThreeDimensions,
            Allocated,
            Offsets,
            ManyStatements,
            Lags,
            Reversed,
            Repeated,
        ],
    ]
}

/// Features of programs in which arrays have much to share.
fn sharing() -> Vec<Feature> {
    use Feature::*;
    vec![RunTimeSizes, MacroSizes, TwoDimensions, Offsets, ManyStatements, Lags, Reversed, Triangles]
}

fn batches(first: u64, count: u64, options: &Options) -> Vec<Batch> {
    let seeds: Vec<u64> = (first..first + count).collect();
    // Two at least, one in each form.
    let most = seeds.len().div_ceil(2).clamp(1, BATCH as usize);
    seeds
        .chunks(most)
        .zip(["plain", "fast"].into_iter().cycle())
        .map(|(seeds, emit)| Batch { seeds: seeds.to_vec(), options: options.clone(), more: &[], emit })
        .collect()
}

/// Runs all batches, and prints what became of the arrays.
fn campaign(batches: Vec<Batch>, work: &str) -> Tally {
    let programs: usize = batches.iter().map(|b| b.seeds.len()).sum();
    let reports = two_threads::map(batches, |batch| {
        let report = pipeline(&batch, work).unwrap_or_else(|why| explain(&batch, work, &why));
        (batch.more, report)
    });
    let mut tally = Tally { programs, ..Tally::default() };
    reports.iter().for_each(|(more, report)| tally.add(more, report));
    println!("{tally}");
    tally
}

/// Optimizes a batch and compares what the two programs print; the report.
fn pipeline(batch: &Batch, work: &str) -> Result<Value, String> {
    let name = format!("{}-{}-{}-{}", batch.seeds[0], batch.seeds.len(), batch.more.join(""), batch.emit);
    let directory = scratch("random_programs").join(name);
    std::fs::create_dir_all(&directory).map_err(|e| e.to_string())?;
    let [source, result, json] = ["before.c", "after.c", "report.json"].map(|name| directory.join(name));
    std::fs::write(&source, file(&batch.seeds, &batch.options)).map_err(|e| e.to_string())?;
    let run = tool::optimize(
        &source,
        &result,
        &[&["--emit", batch.emit, "--max-ops", work, "--json", &json.display().to_string()], batch.more].concat(),
    );
    if run.status != 0 {
        return Err(format!("polyfold ends with {}:\n{}", run.status, run.stderr));
    }
    let report = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_str(&report).map_err(|e| e.to_string())?;
    if let Some(scop) = scops(&report).find(|s| s["proof"]["status"] != "proved") {
        return Err(format!("{} is not proved", scop["function"]));
    }
    let before = compiler::run_source(&source, &[])?;
    let after = compiler::run(&result, &[])?;
    let for_speed = compiler::run_for_speed(&result)?;
    let is_same = before == after && for_speed.as_ref().is_none_or(|printed| *printed == before);
    if is_same { Ok(report) } else { Err(format!("before:\n{before}\nafter:\n{after}\nfor speed:\n{for_speed:?}")) }
}

/// Panics with the first program of a failed batch that fails alone, shrunk.
fn explain(batch: &Batch, work: &str, why: &str) -> ! {
    let alone = |seed: u64, options: &Options| Batch { seeds: vec![seed], options: options.clone(), ..*batch };
    let fails = |seed: u64, options: &Options| pipeline(&alone(seed, options), work).is_err();
    let Some(seed) = batch.seeds.iter().copied().find(|seed| fails(*seed, &batch.options)) else {
        panic!("seeds {:?} fail together only: {why}", batch.seeds);
    };
    let small = shrink(&batch.options, |options| fails(seed, options));
    let why = pipeline(&alone(seed, &small), work).err().unwrap_or_default();
    panic!("seed {seed}: {why}\nwith {small:?}\n{}", file(&[seed], &small));
}

fn scops(report: &Value) -> impl Iterator<Item = &Value> {
    report["scops"].as_array().into_iter().flatten()
}

/// What became of the scops and of the temporaries.
#[derive(Default)]
struct Tally {
    programs: usize,
    scops: usize,
    decisions: BTreeMap<String, usize>,
    /// The same by what the tool is asked for besides.
    by_request: BTreeMap<(String, String), usize>,
    kept: BTreeMap<String, usize>,
    messages: BTreeMap<String, usize>,
}

impl Tally {
    /// How many arrays were decided upon so.
    fn count(&self, more: &[&str], decision: &str) -> usize {
        self.by_request.get(&(more.join(" "), decision.to_string())).copied().unwrap_or(0)
    }

    fn add(&mut self, more: &[&str], report: &Value) {
        for scop in scops(report) {
            self.scops += 1;
            for array in scop["arrays"].as_array().into_iter().flatten().filter(|a| a["role"] == "temporary") {
                let decision = text(&array["decision"]);
                *self.by_request.entry((more.join(" "), decision.clone())).or_default() += 1;
                *self.decisions.entry(decision).or_default() += 1;
                if array["decision"] == "kept" {
                    *self.kept.entry(in_general(&text(&array["reason"]))).or_default() += 1;
                }
            }
        }
        for message in report["diagnostics"].as_array().into_iter().flatten() {
            *self.messages.entry(in_general(&text(&message["message"]))).or_default() += 1;
        }
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(f, "{} programs, {} scops declined", self.programs, self.programs - self.scops)?;
        for (title, counts) in
            [("temporaries", &self.decisions), ("kept because", &self.kept), ("messages", &self.messages)]
        {
            writeln!(f, "{title}:")?;
            counts.iter().try_for_each(|(what, count)| writeln!(f, "{count:6} {what}"))?;
        }
        Ok(())
    }
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_string()
}

/// A message without the names and numbers of its program.
fn in_general(message: &str) -> String {
    let parts = message.split('`').enumerate().map(|(at, part)| if at % 2 == 1 { "…" } else { part });
    let mut general: String = parts.collect::<String>().replace(|c: char| c.is_ascii_digit(), "#");
    while general.contains("##") {
        general = general.replace("##", "#");
    }
    general
}
