//! The table of memory: what one call takes in a fresh process, beyond inputs and outputs, against what the mapping says.
//!
//! Goal: at most 2 % more, or some pages where that is less. What leaves parts of its arrays alone takes less than it declares.

use crate::caches::{Caches, LEVELS};
use crate::kernels::Kernel;
use crate::program::{Case, FAST, Machine, Program};
use std::path::Path;

const MOST: f64 = 0.02;

/// Stacks, tables of pages, and what the system counts only now and then.
const SOME_PAGES: u64 = 128 << 10;

const MEGABYTE: f64 = (1 << 20) as f64;

pub(crate) fn table(kernels: &[&Kernel], caches: &Caches) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    println!("MiB of one call in a fresh process");
    println!(
        "{:<18}{:>10}{:>18}{:>10}{:>18}{:>10}{:>9}",
        "kernel",
        "n",
        "source declares",
        "takes",
        format!("{FAST} declares"),
        "takes",
        "more"
    );
    let missed = kernels.iter().filter(|kernel| !is_as_told(kernel, caches, folder.path())).count();
    println!("\n{:.0} % or {} KiB: {missed} of {} miss it", MOST * 100.0, SOME_PAGES >> 10, kernels.len());
}

/// Prints one kernel's line; whether it takes what its mapping says.
fn is_as_told(kernel: &Kernel, caches: &Caches, folder: &Path) -> bool {
    let level = LEVELS.len() - 1;
    let steps = kernel.steps[level];
    let case = Case { kernel, n: kernel.n_for(caches.target(level), steps), steps };
    let program = case.program(folder, Machine::This);
    let [before, after] = program.bytes;
    let [source, taken] = ["source", FAST].map(|variant| taken(&program, variant));
    let more = taken as f64 / after as f64 - 1.0;
    let of = |bytes: u64| bytes as f64 / MEGABYTE;
    println!(
        "{:<18}{:>10}{:>18.2}{:>10.2}{:>18.2}{:>10.2}{:>8.1}%",
        kernel.name,
        case.n,
        of(before),
        of(source),
        of(after),
        of(taken),
        more * 100.0
    );
    more <= MOST || taken <= after + SOME_PAGES
}

/// Bytes that one call of a variant takes.
fn taken(program: &Program, variant: &str) -> u64 {
    program.run(&[variant]).trim().parse::<i64>().expect("a number of bytes").try_into().unwrap_or(0)
}
