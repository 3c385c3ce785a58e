//! Cells of whole programs: what sharing may never cost, and the conflict set of a program.

use crate::support;
use crate::support::storage::storage;
use crate::support::two_threads;
use polyfold_alloc::Method;
use polyfold_flow::Model;
use polyfold_isl::{Context, Map};
use polyfold_plan::program_conflicts;
use polyfold_smo::{ConflictSet, Engine, Outcome, storage_mapping_by};

const PROGRAMS: u64 = 25;

/// More programs are summed up by `cargo bench -p polyfold --bench storage`.
#[test]
#[ignore = "long, in ./check-more"]
fn sharing_never_takes_more_cells_than_separate_arrays() {
    let found = two_threads::map((0..PROGRAMS).collect(), |seed| {
        let storage = storage(&Context::new(), seed).ok()?;
        assert!(storage.auto <= storage.apart, "seed {seed}: {} cells, {} apart", storage.auto, storage.apart);
        assert!(storage.apart <= storage.declared, "seed {seed}: {} of {}", storage.apart, storage.declared);
        assert!(storage.max_live <= storage.auto, "seed {seed}: {} of {}", storage.auto, storage.max_live);
        Some(storage.auto < storage.apart)
    });
    let (counted, shares) = (found.iter().flatten().count(), found.iter().flatten().filter(|less| **less).count());
    assert!(counted > PROGRAMS as usize / 2 && shares > 0, "{counted} programs, {shares} of them share");
}

/// In these programs an engine's storage is smaller for arrays apart than for arrays gathered by shifts, saves less than one cell
/// in a hundred, is found by the second engine only,
/// holds for the sizes that macros have (503), or is for one array alone (444, 475, 478).
#[test]
#[ignore = "long, in ./check-more"]
fn no_engine_by_name_needs_fewer_cells_than_auto() {
    two_threads::map(vec![151, 162, 199, 233, 444, 475, 478, 503], |seed| {
        let ctx = Context::new();
        let storage = storage(&ctx, seed).unwrap();
        for method in [Method::Fast, Method::Joint, Method::Smo] {
            let cells = storage.by(&ctx, method).unwrap();
            assert!(storage.auto <= cells, "seed {seed}: {} cells, {cells} by {method}", storage.auto);
        }
    });
}

/// `b[j]` is written while `a[i]` is still needed iff j < i; a value that an operation reads for the last time may be
/// overwritten by it.
const COPIES: &str = "
void copies(int n, double x[n], double y[n]) {
  double a[n], b[n];
#pragma scop
  for (int i = 0; i < n; i++)
    a[i] = x[i];
  for (int i = 0; i < n; i++)
    b[i] = a[i];
  for (int i = 0; i < n; i++)
    y[i] = b[i];
#pragma endscop
}
";

#[test]
fn conflicts_of_copies_are_those_worked_out_by_hand() {
    let (ctx, scop) = (Context::new(), support::scop(COPIES));
    let model = Model::build(&ctx, &scop).unwrap();
    let arrays = ["a", "b"].map(|name| scop.array_named(name).unwrap());
    let pairs = program_conflicts(&model, &arrays).unwrap();
    let name = |k: usize| format!("{}_{}", scop.array(arrays[k]).name, arrays[k].0);
    let (a, b) = (name(0), name(1));
    let expected = [
        format!("[n] -> {{ {a}[i] -> {a}[j] : 0 <= i, j < n and i != j }}"),
        format!("[n] -> {{ {b}[i] -> {b}[j] : 0 <= i, j < n and i != j }}"),
        format!("[n] -> {{ {a}[i] -> {b}[j] : 0 <= j < i < n }}"),
    ];
    assert_eq!(pairs.len(), expected.len());
    for (found, expected) in pairs.iter().zip(&expected) {
        assert!(found.is_equal(&Map::read(&ctx, expected).unwrap()).unwrap(), "{found}, not {expected}");
    }
    let set = ConflictSet::new(model.context.clone(), &pairs).unwrap();
    let Outcome::Proved(proved) = storage_mapping_by(Engine::Auto, &set, &[100]).unwrap().outcome else { panic!() };
    assert_eq!(proved.value().cells(&[100]), 100, "n cells for both");
}

/// A cell that is written twice has two values, and only the second is needed with the other array.
#[test]
fn conflicts_are_taken_per_value_where_cells_are_written_again() {
    let text = "
void again(int n, double x[n], double y[n]) {
  double a[1], b[1];
#pragma scop
  a[0] = x[0];
  y[0] = a[0];
  b[0] = x[1];
  y[1] = b[0];
  a[0] = x[2];
  y[2] = a[0];
#pragma endscop
}
";
    let (ctx, scop) = (Context::new(), support::scop(text));
    let model = Model::build(&ctx, &scop).unwrap();
    let arrays = ["a", "b"].map(|name| scop.array_named(name).unwrap());
    assert!(program_conflicts(&model, &arrays).unwrap().is_empty(), "all can live in one cell");
}
