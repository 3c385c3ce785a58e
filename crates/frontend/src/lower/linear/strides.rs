//! What the rows of a linearised array may be as long as.
//!
//! The idea: in `t[(i * n + j) * m + k]` the counter i is multiplied by `n·m` and j by m, so rows of rows have `n·m` cells, rows
//! have m, and the extents behind the first are `n·m / m` and m. So each choice of one multiple of every degree is looked at, with the
//! longest first; and so are the factors of the array's size, in both orders. Nothing is believed here: whether subscripts stay in such
//! rows is shown afterwards.
//!
//! Paper: Maslov, "Delinearization: an efficient way to break multiloop dependence equations" (PLDI 1992); Grosser, Ramanujam,
//! Pouchet, Sadayappan and Pop, "Optimistic delinearization of parametrically sized arrays" (ICS 2015), §3.
//! Deviation: they take what is multiplied to be a product of single sizes and test at run time; here a stride may be a sum
//! (`i * (m + 2)`), and what cannot be proved is refused.

use super::polynomial::{Atoms, Polynomial};
use polyfold_scop::Expr;

/// More choices are not looked at.
const MOST_CHOICES: usize = 24;

/// Extents behind the first, outermost first, as polynomials and as expressions.
pub(super) type Rows = Vec<(Polynomial, Expr)>;

/// The extents behind the first that subscripts, and the factors of a size, suggest.
pub(super) fn candidates(subscripts: &[Polynomial], factors: &[Polynomial], atoms: &Atoms) -> Vec<Rows> {
    let mut found: Vec<Rows> = Vec::new();
    let mut add = |rows: Option<Rows>| {
        if let Some(rows) = rows.filter(|rows| !rows.is_empty() && !found.contains(rows)) {
            found.push(rows);
        }
    };
    for choice in choices(&multiples(subscripts, atoms)) {
        add(extents(&choice, atoms));
    }
    let sizes: Vec<Polynomial> = factors.iter().filter(|factor| !factor.is_constant()).cloned().collect();
    for start in 1..sizes.len() {
        let (behind, before) = (&sizes[start..], &sizes[..sizes.len() - start]);
        add(as_rows(behind, atoms));
        add(as_rows(&before.iter().rev().cloned().collect::<Vec<_>>(), atoms));
    }
    found.truncate(MOST_CHOICES);
    found
}

/// What counters are multiplied by, numbers aside; both with and without a common factor.
fn multiples(subscripts: &[Polynomial], atoms: &Atoms) -> Vec<Polynomial> {
    let mut found: Vec<Polynomial> = Vec::new();
    let all = subscripts.iter().filter_map(|subscript| subscript.coefficients(atoms)).flatten();
    for multiple in all.filter(|multiple| !multiple.is_constant()) {
        for one in [multiple.primitive(), multiple] {
            if !found.contains(&one) {
                found.push(one);
            }
        }
    }
    found
}

/// One multiple of each degree, or none, the highest degree first; those with most degrees come first.
fn choices(multiples: &[Polynomial]) -> Vec<Vec<Polynomial>> {
    let mut degrees: Vec<usize> = multiples.iter().map(Polynomial::degree).collect();
    degrees.sort_unstable();
    degrees.dedup();
    let mut choices: Vec<Vec<Polynomial>> = vec![Vec::new()];
    for degree in degrees.into_iter().rev() {
        let here: Vec<&Polynomial> = multiples.iter().filter(|m| m.degree() == degree).collect();
        let longer = choices.iter().flat_map(|choice| {
            here.iter().map(move |m| choice.iter().cloned().chain([(*m).clone()]).collect::<Vec<_>>())
        });
        choices = longer.collect::<Vec<_>>().into_iter().chain(choices.clone()).take(MOST_CHOICES).collect();
    }
    choices.sort_by_key(|choice| std::cmp::Reverse(choice.len()));
    choices
}

/// The quotients of neighbouring strides; `None` if one is no multiple of the next, or not affine.
fn extents(strides: &[Polynomial], atoms: &Atoms) -> Option<Rows> {
    let one = Polynomial::constant(1);
    let next = strides.iter().skip(1).chain([&one]);
    let quotients = strides.iter().zip(next).map(|(stride, next)| match stride.divided_by(next)? {
        (quotient, rest) if rest == Polynomial::default() => Some(quotient),
        _ => None,
    });
    as_rows(&quotients.collect::<Option<Vec<_>>>()?, atoms)
}

fn as_rows(extents: &[Polynomial], atoms: &Atoms) -> Option<Rows> {
    extents.iter().map(|extent| Some((extent.clone(), extent.affine(atoms)?))).collect()
}
