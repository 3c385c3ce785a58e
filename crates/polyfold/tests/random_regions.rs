//! Random regions in local memory: the new program has to print what the source prints, with sanitizers and with local arrays full of bytes
//! that are no number; and no array needs more cells than a box, or than there are.
//!
//! Up to forty regions run with the other tests, as many as forty seconds allow, and two hundred, with one buffer and with two, by
//! `cargo test -p polyfold --test random_regions -- --ignored`.

mod support;

use std::process::Command;
use std::time::{Duration, Instant};
use support::compiler::run;
use support::{root, scratch};

/// Regions of one program.
const REGIONS: usize = 10;

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn from(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    /// A subscript from 0 to 63, for counters from 0 to 5 and 0 to 2.
    fn subscript(&mut self) -> String {
        let is_short = self.below(3) == 0;
        let (i, j, p) = (self.from(-2, 3), if is_short { 0 } else { self.from(-2, 3) }, self.from(-2, 3));
        format!("{i} * i + {j} * j + {p} * p + {}", self.from(24, 27))
    }

    fn reference(&mut self, array: &str) -> String {
        format!("{array}[{}][{}]", self.subscript(), self.subscript())
    }

    fn statement(&mut self) -> String {
        let target = if self.below(3) == 0 { "B" } else { "A" };
        let (to, from, other) = (self.reference(target), self.reference("A"), self.reference("B"));
        let plain = format!("{to} = 0.5 * {from} + {other};");
        match self.below(4) {
            0 => format!("if ((i + j) % 2 == 0) {plain}"),
            1 => format!("if ({other} > 20.0) {plain}"),
            2 => format!("{to} += {from};"),
            _ => plain,
        }
    }

    fn region(&mut self, k: usize) -> String {
        let bound = ["n", "i + 1", "n - i"][self.below(3) as usize];
        let statements: String = (0..1 + self.below(2)).map(|_| format!("        {}\n", self.statement())).collect();
        format!(
            "static void r{k}(int n, double A[64][64], double B[64][64]) {{\n#pragma scop\n  for (int p = 0; p < 3; p++) {{\n\
             #pragma polyfold local\n    for (int i = 0; i < n; i++)\n      for (int j = 0; j < {bound}; j++) {{\n\
             {statements}      }}\n  }}\n#pragma endscop\n}}\n"
        )
    }
}

/// A program with random regions.
fn program(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let regions: String = (0..REGIONS).map(|k| numbers.region(k)).collect();
    let call = |k: usize| {
        format!(
            "  for (int n = 1; n <= 6; n++) {{\n    double *a = filled(4096, 1), *b = filled(4096, 2);\n    \
             r{k}(n, (void *)a, (void *)b);\n    show(a, 4096);\n    show(b, 4096);\n    printf(\"{k}\\n\");\n  }}\n"
        )
    };
    let calls: String = (0..REGIONS).map(call).collect();
    format!("#include \"harness.h\"\n{regions}int main(void) {{\n{calls}  return 0;\n}}\n")
}

/// The text with local arrays full of bytes that are no number.
fn poisoned(text: &str) -> String {
    let line = |line: &str| {
        let declared = line.trim().strip_prefix("double ").filter(|rest| rest.ends_with(';'));
        let name = declared.and_then(|rest| rest.split(['[', ' ', ';']).next()).filter(|name| name.contains("_local"));
        name.map_or(format!("{line}\n"), |name| format!("{line}\nmemset(&{name}, 255, sizeof {name});\n"))
    };
    text.lines().map(line).collect()
}

/// What is wrong with the program of one seed in local memory, with so many rotating buffers.
fn check(seed: u64, buffers: usize) -> Result<(), String> {
    let directory = scratch("random_regions");
    let name = format!("r{seed}_{buffers}");
    let [input, output, poison] = ["", "_out", "_poisoned"].map(|end| directory.join(format!("{name}{end}.c")));
    let json = directory.join(format!("{name}.json"));
    std::fs::write(&input, program(seed)).expect("the directory is writable");
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
    std::fs::write(&poison, poisoned(&text)).expect("the directory is writable");
    let include = format!("-I{}", include.display());
    let before = run(&input, &[&include, "-Wno-unused-parameter"])?;
    let after = run(&poison, &[&include, "-Wno-unused-parameter", "-Wno-unused-but-set-variable"])?;
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

/// Checks programs until the time is over, which the last one may exceed.
fn check_all(seeds: std::ops::Range<u64>, buffers: usize, time: Duration) {
    let begun = Instant::now();
    let in_time = seeds.take_while(|_| begun.elapsed() < time);
    let faults: Vec<String> =
        in_time.filter_map(|seed| Some(format!("seed {seed}: {}", check(seed, buffers).err()?))).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn random_regions_compute_the_same_in_no_more_cells_than_a_box() {
    check_all(8..12, 1, Duration::from_secs(40));
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_random_regions_compute_the_same_in_no_more_cells_than_a_box() {
    check_all(100..120, 1, Duration::MAX);
}

#[test]
#[ignore = "takes minutes"]
fn two_hundred_random_regions_compute_the_same_in_two_buffers() {
    check_all(100..120, 2, Duration::MAX);
}
