//! The hyperplanes that serve one statement best.
//!
//! The conflicts inside a statement concern its own hyperplane only: the offset cancels, and the differences `d = s − t` are all
//! that matters. So the first objectives of (10), as many satisfied intra-statement polyhedra as possible and then the least
//! bounds, are attained by each statement for itself:
//!
//! ```text
//! Kᵢ is satisfied:  Γ·d >= 1 for all d ∈ Kᵢ,  or  Γ·d <= −1 for all d ∈ Kᵢ
//! bound:            |Γ·d| <= u·P + w            for all d ∈ ∪ Kᵢ
//! ```
//!
//! All Γ with coefficients up to some radius are tried, exactly, and all that are equally good are kept; constraints that involve
//! other statements choose among them. Paper: SMO §4.1, constraints (3)–(5). Deviation: where no polyhedron can be satisfied as a
//! whole, a coordinate axis takes what it can, so that every level makes progress.

use crate::Form;
use crate::bound::{Reach, least_bound};
use crate::conflicts::{Corner, Polyhedron};
use crate::form::dot;

/// The normals among which inter-statement conflicts choose.
pub(crate) struct Normals {
    /// Closed under negation; the shortest first.
    pub(crate) candidates: Vec<Vec<i64>>,
    /// `u·P + w`.
    pub(crate) bound: Form,
}

/// A generator of the differences of an intra-statement polyhedron.
type Difference = (Corner, Vec<i64>);

/// Candidates of a statement for the intra-statement polyhedra that are left of it.
pub(crate) fn best_normals(arity: usize, own: &[&Polyhedron], context: &[Corner]) -> Normals {
    let differences: Vec<Vec<Difference>> = own.iter().map(|polyhedron| differences(polyhedron)).collect();
    if differences.is_empty() {
        let parameters = context.first().map_or(0, |corner| corner.parameters.len());
        return Normals { candidates: integer_box(arity, 1), bound: Form::constant(parameters, 0) };
    }
    // Γ and −Γ satisfy the same polyhedra, within the same bounds.
    let half: Vec<Vec<i64>> =
        integer_box(arity, radius(arity)).into_iter().filter(|normal| is_upright(normal)).collect();
    let counts: Vec<usize> = half.iter().map(|normal| satisfied(normal, &differences)).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    if most == 0 {
        let moves = |axis: &Vec<i64>| differences.iter().flatten().any(|(_, d)| dot(axis, d) != 0);
        return least(axes(arity).into_iter().filter(moves).collect(), &differences, context);
    }
    let chosen = half.into_iter().zip(counts).filter(|(_, count)| *count == most).map(|(normal, _)| normal).collect();
    let mut best = least(chosen, &differences, context);
    let turned: Vec<Vec<i64>> = best.candidates.iter().map(|normal| normal.iter().map(|c| -c).collect()).collect();
    best.candidates.extend(turned);
    in_order(&mut best.candidates);
    best
}

/// Whether the first coefficient that is not 0 is positive, if there is one.
pub(crate) fn is_upright(normal: &[i64]) -> bool {
    normal.iter().find(|c| **c != 0).is_none_or(|c| *c > 0)
}

/// Those with the least bound.
fn least(normals: Vec<Vec<i64>>, differences: &[Vec<Difference>], context: &[Corner]) -> Normals {
    let bound = |normal: &Vec<i64>| {
        let reaches: Vec<Reach> =
            differences.iter().flatten().map(|(corner, d)| (corner, dot(normal, d).abs())).collect();
        least_bound(&reaches, context)
    };
    let key = |form: &Form| (form.slopes.clone(), form.constant);
    let bounded: Vec<_> = normals.into_iter().filter_map(|normal| Some((bound(&normal)?, normal))).collect();
    let Some(best) = bounded.iter().map(|(form, _)| form).min_by_key(|form| key(form)).cloned() else {
        return Normals { candidates: Vec::new(), bound: Form::constant(0, 0) };
    };
    let candidates = bounded.into_iter().filter(|(form, _)| *form == best).map(|(_, normal)| normal).collect();
    Normals { candidates, bound: best }
}

/// The image of a polyhedron's generators under `(s, t) ↦ s − t`.
fn differences(polyhedron: &Polyhedron) -> Vec<Difference> {
    let difference = |from: &[i64], to: &[i64]| from.iter().zip(to).map(|(s, t)| s - t).collect();
    let mut all: Vec<Difference> =
        polyhedron.generators.iter().map(|g| (g.corner.clone(), difference(&g.from, &g.to))).collect();
    all.sort();
    all.dedup();
    all
}

fn satisfied(normal: &[i64], differences: &[Vec<Difference>]) -> usize {
    let is_past = |sign: i64, piece: &Vec<Difference>| piece.iter().all(|(c, d)| sign * dot(normal, d) >= c.height);
    differences.iter().filter(|piece| is_past(1, piece) || is_past(-1, piece)).count()
}

/// Largest coefficient to try: the more dimensions the smaller, some ten thousand normals at most.
fn radius(arity: usize) -> i64 {
    match arity {
        0..=2 => 16,
        3 => 8,
        4 => 4,
        5 => 2,
        6..=8 => 1,
        _ => 0,
    }
}

/// All vectors with coefficients up to a radius, and the axes; the shortest first, of these the lexicographically largest.
pub(crate) fn integer_box(arity: usize, radius: i64) -> Vec<Vec<i64>> {
    let mut all = vec![Vec::new()];
    let radius = if arity > 8 { 0 } else { radius };
    for _ in 0..arity {
        let longer =
            |vector: &Vec<i64>| (-radius..=radius).map(|c| [vector.as_slice(), &[c]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.extend(axes(arity));
    in_order(&mut all);
    all
}

/// The shortest first, of these the lexicographically largest, each once.
fn in_order(normals: &mut Vec<Vec<i64>>) {
    normals.sort_unstable_by(|a, b| length(a).cmp(&length(b)).then_with(|| b.cmp(a)));
    normals.dedup();
}

fn axes(arity: usize) -> Vec<Vec<i64>> {
    let axis = |k: usize, sign: i64| (0..arity).map(|j| if j == k { sign } else { 0 }).collect();
    (0..arity).flat_map(|k| [axis(k, 1), axis(k, -1)]).collect()
}

/// Σ |Γ|.
pub(crate) fn length(normal: &[i64]) -> i64 {
    normal.iter().map(|c| c.abs()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConflictSet;
    use polyfold_isl::Context;

    #[test]
    fn every_normal_that_orders_a_row_is_kept() {
        let pairs = "[T, N] -> { S[t, i] -> S[t, j] : 1 <= t <= T and 1 <= i < j <= N }";
        let conflicts = ConflictSet::read(&Context::new(), "[T, N] -> { : T >= 2 and N >= 4 }", pairs).unwrap();
        let own = conflicts.among(&[0]);
        let best = best_normals(2, &own.iter().collect::<Vec<_>>(), conflicts.corners());
        assert_eq!(best.bound.text(conflicts.parameters()), "N - 1");
        assert_eq!(best.candidates.len(), 2 * 33);
        assert_eq!(best.candidates[0], [0, 1]);
    }
}
