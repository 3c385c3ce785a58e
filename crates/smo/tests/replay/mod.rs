//! Conflicting pairs at given sizes, one by one, without the library's own view of them.

use polyfold_isl::Map;
use polyfold_smo::{Allocation, ConflictSet};

/// The first conflicting pair of the text that an allocation sends to one cell.
#[allow(dead_code)]
pub(crate) fn first_clash(
    conflicts: &ConflictSet,
    text: &str,
    allocation: &Allocation,
    sizes: &[i64],
) -> Option<String> {
    let maps = Map::read_each(conflicts.context().context(), text).unwrap();
    maps.iter().find_map(|map| clash_of(conflicts, map, allocation, sizes))
}

/// The first pair of one relation that an allocation sends to one cell.
pub(crate) fn clash_of(conflicts: &ConflictSet, map: &Map, allocation: &Allocation, sizes: &[i64]) -> Option<String> {
    let named: Vec<(&str, i64)> =
        conflicts.parameters().iter().map(String::as_str).zip(sizes.iter().copied()).collect();
    let (from, to) = map.tuple_names();
    let place =
        |name: Option<String>| conflicts.statements().iter().position(|s| Some(&s.name) == name.as_ref()).unwrap();
    let (from, to, split) = (place(from), place(to), map.dimensions().unwrap().0);
    let pairs = map.wrap().unwrap().flatten().unwrap().at(&named).unwrap().without_parameters().unwrap();
    let meets = |pair: &&Vec<i64>| {
        let ((x, y), is_one) = (pair.split_at(split), from == to && pair[..split] == pair[split..]);
        !is_one && allocation.cell(from, x, sizes) == allocation.cell(to, y, sizes)
    };
    let points = pairs.points().unwrap();
    points.iter().find(meets).map(|pair| format!("statements {from} and {to} at {pair:?}, sizes {sizes:?}"))
}
