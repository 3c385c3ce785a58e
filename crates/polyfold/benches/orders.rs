//! Time of the pipelines of `corpus/orders` in orders that are found, beside their sources, as a table.
//!
//! `cargo bench -p polyfold --bench orders [-- PIPELINE …]`
//!
//! Speed is the source's time divided by the result's, both with gcc -O3 -march=native, the best of some runs that take turns. Frames are of a
//! few hundred rows and columns, signals of 100,000 samples. Goal: `fuse-rows` at 0.9 or more on nine in ten. `search` is how long polyfold
//! took for `fuse`.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// Runs of each program.
const TURNS: usize = 5;

/// A program takes at least so many seconds, of which starting is no part worth counting.
const SHORTEST: f64 = 0.1;

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let entries = std::fs::read_dir(corpus.join("orders")).expect("the corpus is there");
    let mut sources: Vec<PathBuf> = entries.map(|entry| entry.expect("it can be read").path()).collect();
    sources.retain(|source| source.extension().is_some_and(|end| end == "c"));
    sources.sort();
    println!("{:<22} {:>9} {:>9} {:>10}", "pipeline", "fuse-rows", "fuse", "search s");
    let (mut slow, mut count) = (0, 0);
    for source in sources {
        let name = source.file_stem().expect("it has a name").to_string_lossy().into_owned();
        if !asked.is_empty() && !asked.contains(&name) {
            continue;
        }
        let sizes = sizes(&source);
        let original = compiled(&source, &folder.path().join("original"), &corpus);
        let (by_rows, _) = optimized(&source, &corpus, "fuse-rows", folder.path());
        let (by_cells, seconds) = optimized(&source, &corpus, "fuse", folder.path());
        let times = times(&original, &sizes);
        let [before, rows, cells] = best([&original, &by_rows, &by_cells], times, &sizes);
        println!("{name:<22} {:>9.2} {:>9.2} {seconds:>10.2}", before / rows, before / cells);
        (slow, count) = (slow + usize::from(before / rows < 0.9), count + 1);
    }
    println!("fuse-rows below 0.9: {slow} of {count}");
}

/// As many as the function has sizes: its first parameters.
fn sizes(source: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(source).expect("it can be read");
    let table = text.split_once("sizes[][").and_then(|(_, behind)| behind.chars().next()?.to_digit(10));
    // The table itself has one.
    let has_frames = text.matches("][").count() > 1;
    let sizes: &[u64] = match table.expect("main has a table of sizes") {
        1 if has_frames => &[1000],
        1 => &[100_000],
        2 => &[400, 400],
        _ => &[100, 100, 16],
    };
    sizes.iter().map(u64::to_string).collect()
}

fn optimized(source: &Path, corpus: &Path, schedule: &str, folder: &Path) -> (PathBuf, f64) {
    let result = folder.join(format!("{schedule}.c"));
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_polyfold"))
        .arg("optimize")
        .arg(source)
        .args(["--schedule", schedule, "-I"])
        .arg(corpus)
        .arg("-o")
        .arg(&result)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("polyfold starts");
    assert!(status.success(), "--schedule {schedule} fails for {}", source.display());
    let seconds = start.elapsed().as_secs_f64();
    (compiled(&result, &folder.join(schedule), corpus), seconds)
}

fn compiled(source: &Path, program: &Path, corpus: &Path) -> PathBuf {
    let flags = ["-O3", "-march=native", "-ffp-contract=off", "-w", "-lm"];
    let mut gcc = Command::new("gcc");
    let status = gcc.arg(source).arg("-I").arg(corpus).arg("-o").arg(program).args(flags).status().expect("gcc starts");
    assert!(status.success(), "gcc refuses {}", source.display());
    program.to_path_buf()
}

/// How often a program repeats its work to take long enough.
fn times(program: &Path, sizes: &[String]) -> u64 {
    let mut times = 1;
    while seconds(program, times, sizes) < SHORTEST && times < 1 << 20 {
        times *= 2;
    }
    times
}

/// The best time of each of three programs.
fn best(programs: [&Path; 3], times: u64, sizes: &[String]) -> [f64; 3] {
    let mut best = [f64::INFINITY; 3];
    for _ in 0..TURNS {
        for (best, program) in best.iter_mut().zip(programs) {
            *best = best.min(seconds(program, times, sizes));
        }
    }
    best
}

/// Temporaries lie on the stack, as large as it takes.
fn seconds(program: &Path, times: u64, sizes: &[String]) -> f64 {
    let command = format!("ulimit -s unlimited; exec {} {times} {}", program.display(), sizes.join(" "));
    let start = Instant::now();
    let status = Command::new("sh").args(["-c", &command]).stdout(Stdio::null()).status().expect("sh starts");
    assert!(status.success(), "{command} fails");
    start.elapsed().as_secs_f64()
}
