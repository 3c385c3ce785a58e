//! Speed of filters that carry values along rows, or choose some, as a table.
//!
//! `cargo bench -p polyfold --bench windows [-- KERNEL …]`
//!
//! Of frames of 480 by 640, for each schedule: cells before and after, at these sizes, and source time / result time with gcc and, where it is installed, clang, both with
//! -O3 -march=native -ffp-contract=off: medians of nine runs in turns. Results have to be bit-identical.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const SCHEDULES: [&str; 4] = ["keep", "fuse", "fuse-rows", "strips"];

/// Compilers, those that are installed.
const COMPILERS: [&str; 2] = ["gcc", "clang"];

const ROUNDS: usize = 9;

struct Kernel {
    name: &'static str,
    text: &'static str,
    element: &'static str,
}

const KERNELS: [Kernel; 9] = [
    Kernel { name: "median", text: include_str!("kernels/median.c"), element: "unsigned char" },
    Kernel { name: "fir", text: include_str!("kernels/fir.c"), element: "float" },
    Kernel { name: "chain", text: include_str!("kernels/chain.c"), element: "float" },
    Kernel { name: "blur", text: include_str!("kernels/blur.c"), element: "float" },
    Kernel { name: "sharpen", text: include_str!("kernels/sharpen.c"), element: "unsigned char" },
    Kernel { name: "gradient", text: include_str!("kernels/gradient.c"), element: "float" },
    Kernel { name: "shrink", text: include_str!("kernels/shrink.c"), element: "float" },
    Kernel { name: "upwind", text: include_str!("kernels/upwind.c"), element: "float" },
    Kernel { name: "limited", text: include_str!("kernels/limited.c"), element: "float" },
];

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let folder = tempfile::tempdir().expect("a temporary folder");
    let compilers: Vec<&str> = COMPILERS.into_iter().filter(|compiler| is_installed(compiler)).collect();
    print!("{:<10} {:<10} {:>9} {:>8}", "kernel", "schedule", "declared", "cells");
    compilers.iter().for_each(|compiler| print!(" {compiler:>6}"));
    println!();
    for kernel in KERNELS.iter().filter(|kernel| asked.is_empty() || asked.iter().any(|name| name == kernel.name)) {
        let source = folder.path().join("kernel.c");
        std::fs::write(&source, kernel.text).expect("the folder can be written");
        for schedule in SCHEDULES {
            let result = folder.path().join("result.c");
            let [declared, cells] = optimized(&source, &result, schedule);
            print!("{:<10} {schedule:<10} {declared:>9} {cells:>8}", kernel.name);
            for compiler in &compilers {
                let before = built(kernel, &source, compiler);
                let after = built(kernel, &result, compiler);
                print!(" {:>6.2}", ratio(&before, &after));
            }
            println!();
        }
    }
}

fn is_installed(compiler: &str) -> bool {
    Command::new(compiler).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

/// Cells before and after.
fn optimized(source: &Path, result: &Path, schedule: &str) -> [u64; 2] {
    let json = result.with_extension("json");
    let status = Command::new(env!("CARGO_BIN_EXE_polyfold"))
        .args(["optimize".as_ref(), source.as_os_str(), "-o".as_ref(), result.as_os_str()])
        .args(["--json".as_ref(), json.as_os_str()])
        .args(["--schedule", schedule, "--param", "h=480", "--param", "w=640"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .expect("polyfold starts");
    assert!(status.success(), "--schedule {schedule} fails");
    let text = std::fs::read_to_string(json).expect("it is written");
    let report: Value = serde_json::from_str(&text).expect("it is JSON");
    let totals = &report["scops"][0]["totals"];
    ["cells_before", "cells_after"].map(|key| totals[key].as_u64().expect("they are counted"))
}

/// The kernel of a text as a program.
fn built(kernel: &Kernel, text: &Path, compiler: &str) -> PathBuf {
    let program = text.with_extension(format!("{compiler}.c"));
    let own = std::fs::read_to_string(text).expect("it is there");
    let macros = format!("#define ELEMENT {}\n#define H 480\n#define W 640\n#define CALLS 10\n", kernel.element);
    std::fs::write(&program, [&own, &macros, include_str!("harness.c")].concat()).expect("the folder can be written");
    let binary = text.with_extension(compiler);
    let status = Command::new(compiler)
        .args(["-O3", "-march=native", "-ffp-contract=off", "-o"])
        .args([&binary, &program])
        .status()
        .expect("the compiler starts");
    assert!(status.success(), "{compiler} fails");
    binary
}

/// The median of one program's time over another's, in turns.
fn ratio(before: &Path, after: &Path) -> f64 {
    let mut ratios: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let [(before, printed), (after, also_printed)] = [before, after].map(run);
            assert_eq!(printed, also_printed, "results differ");
            before / after
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ROUNDS / 2]
}

/// Seconds, and the sum of what the program leaves. Frames of run-time size are large for some stacks.
fn run(program: &Path) -> (f64, String) {
    let line = format!("ulimit -s unlimited; exec {}", program.display());
    let output = Command::new("sh").args(["-c", &line]).output().expect("it starts");
    assert!(output.status.success(), "{} fails", program.display());
    let text = String::from_utf8(output.stdout).expect("it prints text");
    let (seconds, sum) = text.trim().split_once(' ').expect("it prints two words");
    (seconds.parse().expect("a number"), sum.to_string())
}
