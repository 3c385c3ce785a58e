//! Times of `polyfold lattice` without its process: families for all sizes, found and proved, and the optimum at one.
//!
//! `cargo bench -p polyfold --bench lattice`

use polyfold::lattice::{Question, study};
use polyfold_isl::{Context, Set};
use polyfold_report::ProofStatus;
use std::time::{Duration, Instant};

/// Name, set, sizes.
type Case = (&'static str, &'static str, &'static [(&'static str, i64)]);

const SETS: [Case; 3] = [
    ("durbin y", "[n] -> { [i, k] : -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }", &[("n", 100)]),
    ("mean", "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }", &[("n", 6)]),
    (
        "diff",
        "[n, p] -> { [i, j, k] : -n < i < n and -n < j < n and -n < i - j < n and -p < k < p }",
        &[("n", 6), ("p", 64)],
    ),
];

fn main() {
    println!("{:<10}{:>14}{:>14}   smallest proved for all sizes", "", "all sizes", "with optimum");
    for (name, text, sizes) in SETS {
        let (parametric, _) = time(text, &[]);
        let (both, mapping) = time(text, sizes);
        println!("{name:<10}{parametric:>11.2?}{both:>14.2?}   {mapping}");
    }
}

/// The best of three runs.
fn time(text: &str, sizes: &[(&str, i64)]) -> (Duration, String) {
    let (mut least, mut best) = (Duration::MAX, String::new());
    for _ in 0..3 {
        let begun = Instant::now();
        let question = Question {
            set: Set::read(&Context::new(), text).expect("a set"),
            assumptions: Vec::new(),
            sizes: sizes.iter().map(|(name, value)| (name.to_string(), *value)).collect(),
            max_operations: 200_000_000,
        };
        let mappings = study(&question).expect("it is symmetric").report.parametric.expect("there are parameters");
        least = least.min(begun.elapsed());
        let first = mappings.iter().find(|m| m.status == ProofStatus::Proved).expect("one is proved");
        best.clone_from(&first.text);
    }
    (least, best)
}
