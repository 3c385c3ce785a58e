//! Times of the analysis' expensive step, from a scop to one array's difference set, with symbolic sizes.
//!
//! `cargo bench -p polyfold --bench analysis`

#[path = "../tests/support/kernels.rs"]
mod kernels;
#[path = "../tests/support/mod.rs"]
mod support;

use divan::{Bencher, black_box};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts};

fn main() {
    divan::main();
}

/// Name, text, array.
const CASES: [(&str, &str, &str); 3] = [
    ("durbin y", kernels::DURBIN, "y"),
    ("cholesky A", kernels::CHOLESKY, "A"),
    ("tiled jacobi A", kernels::TILED_JACOBI, "A"),
];

fn case(name: &str) -> (polyfold_scop::Scop, &'static str) {
    let (_, text, array) = CASES.iter().find(|(n, ..)| *n == name).expect("a case");
    (support::scop(text), array)
}

fn names() -> impl Iterator<Item = &'static str> {
    CASES.iter().map(|(name, ..)| *name)
}

/// The polyhedral view of the whole scop.
#[divan::bench(args = names())]
fn model(bencher: Bencher, name: &str) {
    let (scop, _) = case(name);
    bencher.bench_local(|| {
        let ctx = Context::new();
        black_box(Model::build(&ctx, &scop).expect("a model").date_dimensions)
    });
}

/// Conflicts and differences of one array, one interval per cell.
#[divan::bench(args = names())]
fn difference_set(bencher: Bencher, name: &str) {
    differences(bencher, name, Precision::Cell);
}

/// The same, one interval per value.
#[divan::bench(args = names())]
fn difference_set_per_value(bencher: Bencher, name: &str) {
    differences(bencher, name, Precision::Value);
}

fn differences(bencher: Bencher, name: &str, precision: Precision) {
    let (scop, array) = case(name);
    let ctx = Context::new();
    let model = Model::build(&ctx, &scop).expect("a model");
    let id = scop.array_named(array).expect("the array");
    let dimensions = scop.array(id).extents.len();
    bencher.bench_local(|| {
        let lifetimes = Lifetimes::of(&model, id).expect("lifetimes");
        let conflicts = conflicts(&lifetimes, precision).expect("conflicts");
        black_box(DifferenceSet::of(&ctx, conflicts, dimensions).expect("differences"))
    });
}
