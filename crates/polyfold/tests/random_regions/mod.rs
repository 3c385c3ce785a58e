//! Random regions in local memory: the new program has to print what the source prints, with sanitizers and with local arrays full of bytes
//! that are no number; no array needs more cells than a box, or than there are; and it copies the cells that it has to, and no others.
//!
//! The last is judged by a run of the region that knows no sets (`judge`), on what the new program says that it copies (`traced`).
//!
//! Six regions run with the other tests, six with two buffers in `./check-more`, and a hundred and twenty, with one buffer and with two, by
//! `cargo test -p polyfold --test all random_regions::long_campaign -- --ignored`.

mod judge;
mod region;
mod traced;

use crate::support::compiler::{run, run_source};
use crate::support::{root, scratch};
use judge::{MOST, judged};
use region::{Numbers, Region};
use std::process::Command;
use traced::traced;

/// Regions of one program.
const REGIONS: usize = 6;

/// A program with some regions.
fn program(regions: &[Region]) -> String {
    let functions: String = regions.iter().enumerate().map(|(k, region)| region.function(k)).collect();
    let call = |k: usize| {
        format!(
            "  for (int n = 1; n <= {MOST}; n++) {{\n    double *a = filled(4096, 1), *b = filled(4096, 2);\n    \
             r{k}(n, (void *)a, (void *)b);\n    show(a, 4096);\n    show(b, 4096);\n    printf(\"{k}\\n\");\n  }}\n"
        )
    };
    let calls: String = (0..regions.len()).map(call).collect();
    format!("#include \"harness.h\"\n{functions}int main(void) {{\n{calls}  return 0;\n}}\n")
}

/// What is wrong with the program of one seed in local memory, with so many rotating buffers.
fn check(seed: u64, buffers: usize) -> Result<(), String> {
    let directory = scratch("random_regions");
    let name = format!("r{seed}_{buffers}");
    let [input, output, tracing] = ["", "_out", "_traced"].map(|end| directory.join(format!("{name}{end}.c")));
    let json = directory.join(format!("{name}.json"));
    let mut numbers = Numbers(seed);
    let regions: Vec<Region> = (0..REGIONS).map(|_| numbers.region()).collect();
    std::fs::write(&input, program(&regions)).expect("the directory is writable");
    let include = root().join("corpus/compact");
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyfold"));
    command.arg("compact").arg(&input).arg("-o").arg(&output).arg("--json").arg(&json).arg("-I").arg(&include);
    command.args(["--assume", "n <= 6", "--always"]);
    if buffers > 1 {
        command.args(["--buffers", &buffers.to_string()]);
    }
    let said = command.output().expect("polyfold runs");
    if !said.status.success() {
        return Err(String::from_utf8_lossy(&said.stderr).into_owned());
    }
    let text = std::fs::read_to_string(&output).expect("it is written");
    std::fs::write(&tracing, traced(&text)).expect("the directory is writable");
    let include = format!("-I{}", include.display());
    let before = run_source(&input, &[&include, "-Wno-unused-parameter"])?;
    // It is a text of ours: sanitizers find as much if it is not optimized, in half the time.
    let after = run(&tracing, &["-O0", &include, "-Wno-unused-parameter", "-Wno-unused-but-set-variable"])?;
    let after = judged(&regions, &after).map_err(|fault| format!("{}: {fault}", output.display()))?;
    if before != after {
        return Err(format!("{} prints something else", output.display()));
    }
    let report = std::fs::read_to_string(&json).map_err(|error| error.to_string())?;
    let report: serde_json::Value = serde_json::from_str(&report).map_err(|error| error.to_string())?;
    let list = |value: &serde_json::Value| value.as_array().cloned().unwrap_or_default();
    for region in list(&report["regions"]) {
        for version in list(&region["versions"]) {
            for of in ["A", "B"] {
                let own: Vec<_> = list(&version["arrays"]).into_iter().filter(|array| array["of"] == of).collect();
                let cells: i64 = own.iter().filter_map(|array| array["cells"].as_i64()).sum();
                let most = own.iter().filter_map(|array| array["box_cells"].as_i64()).max().unwrap_or(0);
                // No instance takes this version at the sizes counted at: it touches nothing there.
                if most == 0 && own.iter().all(|array| array["exact"].as_i64() == Some(0)) {
                    continue;
                }
                let is_exact = own.iter().all(|array| array["exact"].as_i64() <= array["cells"].as_i64());
                if cells > most.min(4096) || !is_exact {
                    return Err(format!("{of} has {cells} cells, a box {most}: {region:#}"));
                }
            }
        }
    }
    Ok(())
}

fn check_all(seeds: std::ops::Range<u64>, buffers: usize) {
    let faults: Vec<String> =
        seeds.filter_map(|seed| Some(format!("seed {seed}: {}", check(seed, buffers).err()?))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn random_regions_copy_what_they_have_to_and_compute_the_same() {
    check_all(8..9, 1);
}

#[test]
#[ignore = "long, in ./check-more"]
fn random_regions_compute_the_same_in_two_buffers() {
    check_all(9..10, 2);
}

#[test]
#[ignore = "a campaign of minutes, see the module's documentation"]
fn long_campaign() {
    check_all(100..120, 1);
    check_all(100..120, 2);
}
