//! Time and memory of the whole command on Bee's kernels, as a table.
//!
//! `cargo bench -p polyfold --bench command`
//!
//! Each kernel is written to a file and given to `polyfold optimize`, as a user would; the time is the shortest of five
//! runs, compiling nothing but what the command itself asks the C compiler. Cells are those of the function's own
//! arrays. Bee, Figure 3, is the measure: its heuristics, and the optimum that it found by search (`tot`, which the figure
//! leaves out, counts with its four cells). Goals: 0.3 s and 100 MiB.

#[path = "../tests/support/kernels.rs"]
mod kernels;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

struct Case {
    name: &'static str,
    text: &'static str,
    /// Cells that Bee's heuristics need.
    heuristics: u64,
    /// Cells that Bee's search needs.
    optimum: u64,
}

const CASES: [Case; 5] = [
    Case { name: "durbin", text: kernels::DURBIN, heuristics: 203, optimum: 200 },
    Case { name: "reg_detect", text: kernels::REG_DETECT, heuristics: 2377, optimum: 1783 },
    Case { name: "dynprog", text: kernels::DYNPROG, heuristics: 1, optimum: 1 },
    Case { name: "gauss", text: kernels::GAUSS, heuristics: 2406, optimum: 2406 },
    Case { name: "mot_detect", text: kernels::MOT_DETECT, heuristics: 11, optimum: 11 },
];

const RUNS: usize = 5;

/// What one run of the command took.
struct Cost {
    time: Duration,
    bytes: u64,
}

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!(
        "{:<12} {:>7} {:>7} {:>10} {:>12} {:>8} {:>8}",
        "kernel", "before", "after", "Bee", "Bee optimum", "ms", "MiB"
    );
    for case in &CASES {
        let source = folder.path().join(format!("{}.c", case.name));
        std::fs::write(&source, case.text).expect("the folder can be written");
        let costs: Vec<Cost> = (0..RUNS).map(|_| run(&source)).collect();
        let time = costs.iter().map(|c| c.time).min().unwrap_or_default();
        let bytes = costs.iter().map(|c| c.bytes).max().unwrap_or_default();
        let (before, after) = cells(&source.with_extension("json"));
        println!(
            "{:<12} {before:>7} {after:>7} {:>10} {:>12} {:>8.0} {:>8.1}",
            case.name,
            case.heuristics,
            case.optimum,
            time.as_secs_f64() * 1e3,
            bytes as f64 / f64::from(1 << 20)
        );
    }
}

/// Runs the command once.
fn run(source: &Path) -> Cost {
    let start = Instant::now();
    let mut child = Command::new(env!("CARGO_BIN_EXE_polyfold"))
        .args(["optimize".as_ref(), source.as_os_str(), "-o".as_ref(), source.with_extension("out.c").as_os_str()])
        .args(["--json".as_ref(), source.with_extension("json").as_os_str()])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("polyfold starts");
    let end = child.wait4().expect("polyfold ends");
    assert!(end.status.success(), "{} fails", source.display());
    Cost { time: start.elapsed(), bytes: end.rusage.maxrss }
}

/// Cells of the function's own arrays before and after, from the report.
fn cells(report: &Path) -> (u64, u64) {
    let text = std::fs::read_to_string(report).expect("the report is written");
    let report: serde_json::Value = serde_json::from_str(&text).expect("the report is JSON");
    let totals = &report["scops"][0]["totals"];
    let number = |key: &str| totals[key].as_u64().expect("a number");
    (number("cells_before"), number("cells_after"))
}
