//! Time and cells of `--schedule fuse` on pipelines, as a table.
//!
//! `cargo bench -p polyfold --bench fusing [-- STAGES …]`
//!
//! An unsharp mask with a frame between its stages, and chains of stencils: of lines, in one dimension; of rows, where a stage reads the
//! row above and the row below; and of pixels, where it reads its neighbours on all sides. 60 stages are of lines only, unless asked
//! for. Cells are at n = 200, m = 150; max live is that of the order taken. Goals: 1 s for the mask and for 20 stages, 10 s for 60.

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

const SCHEDULES: [&str; 4] = ["keep", "fuse", "fuse-rows", "strips"];

fn main() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let asked: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let stages = if asked.is_empty() { vec![5, 10, 20] } else { asked.clone() };
    let lines = if asked.is_empty() { vec![5, 10, 20, 60] } else { asked };
    println!("{:<16} {:<10} {:>9} {:>9} {:>9} {:>8}", "pipeline", "schedule", "declared", "cells", "max live", "s");
    let chains = stages.iter().flat_map(|stages| {
        [(format!("{stages} of rows"), chain(*stages, &ROWS)), (format!("{stages} of pixels"), chain(*stages, &PIXELS))]
    });
    let lines = lines.iter().map(|stages| (format!("{stages} of lines"), chain_of_lines(*stages)));
    let mask = ("unsharp mask".to_string(), UNSHARP.to_string());
    for (name, text) in std::iter::once(mask).chain(lines).chain(chains) {
        let source = folder.path().join("pipeline.c");
        std::fs::write(&source, text).expect("the folder can be written");
        for schedule in SCHEDULES {
            let (cells, seconds) = run(&source, schedule);
            let [declared, after, live] = cells.map(|count| count.map_or("?".to_string(), |count| count.to_string()));
            println!("{name:<16} {schedule:<10} {declared:>9} {after:>9} {live:>9} {seconds:>8.2}");
        }
    }
}

/// Cells before and after, and values alive at once.
fn run(source: &Path, schedule: &str) -> ([Option<u64>; 3], f64) {
    let json = source.with_extension("json");
    let start = Instant::now();
    let status = Command::new(env!("CARGO_BIN_EXE_polyfold"))
        .args(["optimize".as_ref(), source.as_os_str(), "--json".as_ref(), json.as_os_str()])
        .args(["--schedule", schedule, "--param", "n=200", "--param", "m=150"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("polyfold starts");
    let seconds = start.elapsed().as_secs_f64();
    assert!(status.success(), "--schedule {schedule} fails");
    let report: Value =
        serde_json::from_str(&std::fs::read_to_string(json).expect("it is written")).expect("it is JSON");
    let totals = &report["scops"][0]["totals"];
    (["cells_before", "cells_after", "max_live"].map(|key| totals[key].as_u64()), seconds)
}

/// The neighbours that a stage reads.
const ROWS: [(i64, i64); 3] = [(-1, 0), (0, 0), (1, 0)];
const PIXELS: [(i64, i64); 5] = [(-1, 0), (0, -1), (0, 0), (0, 1), (1, 0)];

/// What a stage writes; the one before the first, what it reads.
fn array(stage: usize, stages: usize) -> String {
    match stage {
        0 => "in".to_string(),
        last if last == stages => "out".to_string(),
        stage => format!("t{stage}"),
    }
}

fn chain_of_lines(stages: usize) -> String {
    let own: Vec<String> = (1..stages).map(|stage| format!("{}[n]", array(stage, stages))).collect();
    let stage = |stage: usize| {
        let (from, to) = (array(stage - 1, stages), array(stage, stages));
        format!(
            "  for (int i = {stage}; i < n - {stage}; i++)\n    {to}[i] = {from}[i - 1] + {from}[i] + {from}[i + 1];\n"
        )
    };
    let body: String = (1..=stages).map(stage).collect();
    let head = "void chain(int n, int m, const float in[n], float out[n])";
    format!("{head} {{\n  float {};\n#pragma scop\n{body}#pragma endscop\n}}\n", own.join(", "))
}

fn chain(stages: usize, reads: &[(i64, i64)]) -> String {
    let name = |stage: usize| array(stage, stages);
    let widest = reads.iter().map(|(_, j)| *j).max().unwrap_or(0) as usize;
    let mut text = "void chain(int n, int m, const float in[n][m], float out[n][m]) {\n".to_string();
    for stage in 1..stages {
        text += &format!("  float {}[n][m];\n", name(stage));
    }
    text += "#pragma scop\n";
    for stage in 1..=stages {
        let from = name(stage - 1);
        let sum: Vec<String> =
            reads.iter().map(|(i, j)| format!("{from}[i + {i}][j + {j}]").replace("+ -", "- ")).collect();
        let (row, column) = (stage, stage * widest);
        text += &format!(
            "  for (int i = {row}; i < n - {row}; i++)\n    for (int j = {column}; j < m - {column}; j++)\n      {}[i][j] = {};\n",
            name(stage),
            sum.join(" + ")
        );
    }
    text + "#pragma endscop\n}\n"
}

const UNSHARP: &str = "
void mask(int n, int m, const float in[n][m], float out[n][m]) {
  float across[n][m], blurred[n][m], sharp[n][m];
#pragma scop
  for (int i = 2; i < n - 2; i++)
    for (int j = 0; j < m; j++)
      across[i][j] = in[i - 2][j] + 4 * in[i - 1][j] + 6 * in[i][j] + 4 * in[i + 1][j] + in[i + 2][j];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      blurred[i][j] = across[i][j - 2] + 4 * across[i][j - 1] + 6 * across[i][j] + 4 * across[i][j + 1] + across[i][j + 2];
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      sharp[i][j] = in[i][j] * 4 - blurred[i][j] * 3;
  for (int i = 2; i < n - 2; i++)
    for (int j = 2; j < m - 2; j++)
      out[i][j] = in[i][j] < blurred[i][j] ? in[i][j] : sharp[i][j];
#pragma endscop
}
";
