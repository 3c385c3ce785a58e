//! The table of instructions: how many one call executes, counted by callgrind, for arrays that fit L1.
//!
//! Compiled with AVX2 instead of what this machine knows, since valgrind does not know all of that.

use crate::caches::Caches;
use crate::kernels::Kernel;
use crate::program::{Case, Machine, Program, variants};
use std::path::Path;
use std::process::{Command, Stdio};

/// Enough of the outermost loop to tell its cost.
const MOST_STEPS: u64 = 64;

pub(crate) fn table(kernels: &[&Kernel], caches: &Caches) {
    if !is_installed() {
        println!("instructions are not counted: valgrind is not installed");
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("instructions of one call");
    print!("{:<18}{:>10}{:>8}", "kernel", "n", "steps");
    variants().iter().for_each(|name| print!("{name:>12}"));
    println!();
    for kernel in kernels {
        line(kernel, caches, folder.path());
    }
}

fn line(kernel: &Kernel, caches: &Caches, folder: &Path) {
    let steps = kernel.steps[0].min(MOST_STEPS);
    let case = Case { kernel, n: kernel.n_for(caches.target(0), steps), steps };
    let program = case.program(folder, Machine::Avx2);
    print!("{:<18}{:>10}{steps:>8}", kernel.name, case.n);
    for variant in variants() {
        match program.place(variant) {
            Some(_) => print!("{:>12}", instructions(&program, variant, folder)),
            None => print!("{:>12}", "-"),
        }
    }
    println!();
}

fn is_installed() -> bool {
    let mut command = Command::new("valgrind");
    command.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// What callgrind says that it collected while the variant ran.
fn instructions(program: &Program, variant: &str, folder: &Path) -> u64 {
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .arg(format!("--toggle-collect={variant}"))
        .arg(format!("--callgrind-out-file={}", folder.join("callgrind").display()))
        .arg(&program.path)
        .args(&program.sizes)
        .arg(variant)
        .output()
        .expect("valgrind starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}");
    let collected = text.lines().find_map(|line| line.split_once("Collected :")).expect("it says how many");
    collected.1.trim().parse().expect("a number")
}
