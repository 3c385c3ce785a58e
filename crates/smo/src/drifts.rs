//! What the levels of a line may drift along.
//!
//! ```text
//! level l of statement S:   y_l(s) + g_l x_S(s)        x one iterator of all statements, or 1 for one statement and 0 for the others
//! ```
//!
//! Iterators whose difference in conflicts does not grow with the parameters, as that of a stencil's turns, move values by a few
//! cells along each level; a statement moves likewise. Example: with t, and g = (−1, −1), the levels i and j of a nine-point
//! stencil become `i − t` and `j − t`.

use crate::frame::Frame;
use crate::normals::integer_box;
use crate::{ConflictSet, Row};

/// More iterators and statements are not moved.
const MOST: usize = 8;

/// g and along what; `None` leaves the levels as they are.
pub(crate) type Drift = Option<(usize, Vec<i64>)>;

/// Everything to drift along: for each of the statements x as a row.
pub(crate) fn drifting(conflicts: &ConflictSet, class: &[usize]) -> Vec<Vec<Row>> {
    let mut all = along_iterators(conflicts, class);
    for moved in 1..class.len() {
        let row = |(place, statement): (usize, &usize)| Row {
            coefficients: vec![0; conflicts.arity(*statement)],
            offset: i64::from(place == moved),
        };
        all.push(class.iter().enumerate().map(row).collect());
    }
    all.truncate(MOST);
    all
}

/// Iterators, aligned at the end, whose difference in conflicts is bounded by numbers and not always 0.
fn along_iterators(conflicts: &ConflictSet, class: &[usize]) -> Vec<Vec<Row>> {
    let polyhedra = conflicts.between(class);
    let frames = Frame::all(conflicts, class, &polyhedra);
    let Some(frame) = frames.first() else { return Vec::new() };
    let Some(pieces) = frame.pieces(class, &polyhedra) else { return Vec::new() };
    let differences = || pieces.iter().flat_map(|piece| &piece.differences);
    let drifts = |axis: &usize| {
        differences().all(|(corner, d)| corner.height != 0 || d[*axis] == 0)
            && differences().any(|(_, d)| d[*axis] != 0)
    };
    let normal = |axis: usize| (0..frame.dimensions).map(|k| i64::from(k == axis)).collect::<Vec<_>>();
    let rows = |axis: usize| (0..class.len()).map(|place| frame.row(place, &normal(axis), 0)).collect();
    (0..frame.dimensions).filter(drifts).map(rows).collect()
}

/// All ways to drift along one of so many things, none first.
pub(crate) fn drifts(levels: usize, count: usize) -> Vec<Drift> {
    let radius = if levels <= 2 { 2 } else { 1 };
    let multiples = integer_box(levels, radius).into_iter().filter(|g| g.iter().any(|g| *g != 0));
    let along = multiples.flat_map(|g| (0..count).map(move |along| Some((along, g.clone()))));
    std::iter::once(None).chain(along).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    #[test]
    fn turns_and_statements() {
        let pairs = "[T, N] -> { S[t, i] -> S[t, j] : 0 <= t < T and 0 <= i < j < N; S[t, i] -> R[t + 1, j] : 0 <= t < T and 0 <= j < i < N }";
        let conflicts = ConflictSet::read(&Context::new(), "[T, N] -> { : T >= 2 and N >= 2 }", pairs).unwrap();
        let row = |coefficients: [i64; 2], offset| Row { coefficients: coefficients.to_vec(), offset };
        let along_t = vec![row([1, 0], 0), row([1, 0], 0)];
        let statement = vec![row([0, 0], 0), row([0, 0], 1)];
        assert_eq!(drifting(&conflicts, &[0, 1]), [along_t.clone(), statement]);
        assert_eq!(drifting(&conflicts, &[0]), Vec::<Vec<Row>>::new(), "of one turn only");
        assert_eq!(drifts(2, 2).len(), 1 + 2 * 24);
        assert_eq!(drifts(2, 0), [None]);
    }
}
