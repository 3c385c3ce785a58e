//! Speed of the code with less storage, against the source and against what an expert writes by hand.
//!
//! `cargo bench -p polyfold --bench speed [-- KERNEL ...]`
//! `cargo bench -p polyfold --bench speed -- memory [KERNEL ...]`
//! `cargo bench -p polyfold --bench speed -- instructions [KERNEL ...]`
//!
//! Every kernel runs at four sizes: its own arrays fit L1, L2, L3, and memory only. One program holds all variants, compares what they
//! compute bit for bit, and times them in turns, by the thread's CPU time. A ratio is the source's time over a variant's, so that more
//! than 1 is faster: the median over the rounds of a process, and over processes, more of them at small sizes. `roomy` is the fast code with cells given for speed (`--room`), where that is another text. `floor`, of stencils to and fro, does no more than a step's loads, sums and stores in place. Calls come one after the other, with warm pages; the processes of a line are spread over all of the time, in which the machine may be slowed down for minutes.
//!
//! Goals: 0.97 of the source in the same order of execution, 0.9 of the expert; where the arrays drop below a level of cache, 1.1 of the
//! source, and 2 for stencils that go to and fro; 1.6 for three dimensions; geometric means of 2 and of 1.2.

mod caches;
mod goals;
mod instructions;
mod kernels;
mod memory;
mod program;
mod timing;

use caches::Caches;
use kernels::{KERNELS, Kernel};

/// Prints a table of these kernels.
type Table = fn(&[&Kernel], &Caches);

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let caches = Caches::of_this_machine();
    let (table, names): (Table, &[String]) = match words.split_first() {
        Some((first, rest)) if first == "memory" => (memory::table, rest),
        Some((first, rest)) if first == "instructions" => (instructions::table, rest),
        _ => (timing::table, &words),
    };
    table(&asked(names), &caches);
}

/// The kernels of these names, or all.
fn asked(names: &[String]) -> Vec<&'static Kernel> {
    let named = |name: &String| {
        KERNELS.iter().find(|kernel| kernel.name == name).unwrap_or_else(|| panic!("there is no kernel {name}"))
    };
    if names.is_empty() { KERNELS.iter().collect() } else { names.iter().map(named).collect() }
}
