//! Random chains of stages in one nest, in the fast form, and recurrences in it and for hardware: rings, rows that go on, shift registers, strips and choices print
//! the same.
//!
//! A longer campaign, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=400 cargo test --release -p polyfold --test all random_windows:: -- --ignored --nocapture
//! ```

use crate::support::code::{count, names};
use crate::support::{compiler, scratch, tool, two_threads};
use polyfold_testgen::{Rows, choices_file, recurrences_file, sums_file, tiled_file, windows_file};

/// Seeds that share a file.
const BATCH: usize = 16;

#[test]
fn fused_windows_compute_the_same() {
    let met = campaign(0, BATCH as u64 / 2);
    assert!(met.registers >= 2 && met.carried >= 3 && met.windows >= 3, "{met:?}");
}

/// Windows with values from in front of their loops, which are used behind them, in both forms.
#[test]
fn recurrences_compute_the_same() {
    let [fast, hls] = recurrences(0, BATCH as u64 / 2);
    assert!(hls >= 5 && fast < hls, "{fast} {hls}");
}

/// Sums in cells, of which some are variables.
#[test]
fn sums_compute_the_same() {
    let [variables, cells] = sums(0, BATCH as u64);
    assert!(variables >= 5 && cells >= 5, "{variables} {cells}");
}

/// Rows of tiles, of which some are windows.
#[test]
fn tiles_compute_the_same() {
    let [windows, rings] = tiles(0, BATCH as u64 / 2);
    assert!(windows >= 5 && rings >= 1, "{windows} {rings}");
}

#[test]
fn choices_compute_the_same() {
    let count = choices(0, BATCH as u64 / 2);
    assert!(count >= 3, "{count}");
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign_of_choices() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, programs) = (number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 400));
    println!("{} choices", choices(first, programs));
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    let (first, programs) = (number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 400));
    println!("{:?}, {:?} registers of recurrences", campaign(first, programs), recurrences(first, programs));
    println!("{:?} variables and cells of sums", sums(first, programs));
    println!("{:?} windows and rings of tiles", tiles(first, programs));
}

/// A shift register's values move on.
const MOVES_DOWN: &str = "_[0] = _[1];";

/// How often forms were met.
#[derive(Debug, Default)]
struct Met {
    /// Arrays that are shift registers.
    registers: usize,
    /// Rows that go on from turn to turn.
    carried: usize,
    /// Arrays that are windows which a loop over strips carries along.
    windows: usize,
    /// Accesses that divide.
    remainders: usize,
}

fn campaign(first: u64, programs: u64) -> Met {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let of = |rows: Rows| {
        seeds.chunks(if rows == Rows::Sized { BATCH / 2 } else { BATCH }).map(move |seeds| (seeds.to_vec(), rows))
    };
    let batches: Vec<(Vec<u64>, Rows)> = of(Rows::Numbered).chain(of(Rows::Sized)).chain(of(Rows::Long)).collect();
    let results = two_threads::map(batches, |(seeds, rows)| {
        result(&seeds, rows).unwrap_or_else(|why| explain(&seeds, rows, &why))
    });
    let mut met = Met::default();
    for text in &results {
        met.registers += count(text, MOVES_DOWN);
        met.carried += count(text, "long _ = _;");
        met.windows += text.matches(" in the strip from ").count();
        met.remainders += count(text, "_ % _");
    }
    met
}

/// How many shift registers recurrences have, in fast code and for hardware.
fn recurrences(first: u64, programs: u64) -> [usize; 2] {
    let seeds: Vec<u64> = (first..first + programs).collect();
    ["fast", "hls"].map(|form| {
        let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
        let texts = two_threads::map(batches, |seeds| {
            let name = format!("recurrences-{}-{form}", seeds[0]);
            let text = compared(&name, &recurrences_file(seeds), &["--emit", form]);
            text.unwrap_or_else(|why| panic!("seeds {seeds:?}, {form}: {why}"))
        });
        texts.iter().map(|text| count(text, MOVES_DOWN)).sum()
    })
}

/// How many cells variables stand for in turns that sum up, and in how many turns cells stay.
fn sums(first: u64, programs: u64) -> [usize; 2] {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH / 2).collect();
    let texts = two_threads::map(batches, |seeds| {
        let text = compared(&format!("sums-{}", seeds[0]), &sums_file(seeds), &["--emit", "fast"]);
        text.unwrap_or_else(|why| panic!("seeds {seeds:?}: {why}"))
    });
    let all = |piece: &str| texts.iter().map(|text| count(text, piece)).sum::<usize>();
    let variables = texts.iter().flat_map(|text| names(text)).filter(|name| name.contains("_cell")).count();
    let stay = ["+=", "*="].map(|sign| all(&format!("_[j] {sign} _;")) - all(&format!("out[j] {sign} _;")));
    [variables, stay.into_iter().sum()]
}

/// How many arrays are windows of tiles, and how many rings.
fn tiles(first: u64, programs: u64) -> [usize; 2] {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH / 2).collect();
    let texts = two_threads::map(batches, |seeds| {
        let text = compared(&format!("tiled-{}", seeds[0]), &tiled_file(seeds), &["--emit", "fast"]);
        text.unwrap_or_else(|why| panic!("seeds {seeds:?}: {why}"))
    });
    [" in the tile from ", " mod "].map(|part| texts.iter().map(|text| text.matches(part).count()).sum())
}

/// How many choices there are.
fn choices(first: u64, programs: u64) -> usize {
    let seeds: Vec<u64> = (first..first + programs).collect();
    let batches: Vec<&[u64]> = seeds.chunks(BATCH).collect();
    let texts = two_threads::map(batches, |seeds| {
        let text = compared(&format!("choices-{}", seeds[0]), &choices_file(seeds), &["--emit", "fast"]);
        text.unwrap_or_else(|why| panic!("seeds {seeds:?}: {why}"))
    });
    texts.iter().map(|text| count(text, "_ ? _ : _")).sum()
}

/// The result for some seeds, which prints what the source prints.
fn result(seeds: &[u64], rows: Rows) -> Result<String, String> {
    let sizes: &[&str] = match rows {
        Rows::Numbered => &[],
        Rows::Long => &["--schedule", "strips"],
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
    let name = format!("{}-{}-{rows:?}", seeds[0], seeds.len());
    compared(&name, &windows_file(seeds, rows), &[&["--emit", "fast"], sizes].concat())
}

/// What becomes of a program, which prints what it printed.
fn compared(name: &str, text: &str, options: &[&str]) -> Result<String, String> {
    let path = |end: &str| scratch("random_windows").join(format!("{name}.{end}"));
    let (source, result) = (path("c"), path("out.c"));
    std::fs::write(&source, text).map_err(|e| e.to_string())?;
    let run = tool::optimize(&source, &result, options);
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
