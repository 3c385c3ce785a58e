//! Polynomials in counters and sizes, with whole coefficients.
//!
//! ```text
//! Σ c · x₁ · x₂ · … · xₖ        (i + 1) * n + j - 1  =  i·n + n + j - 1
//! ```
//!
//! What is no sum or product (`i % 2`, `i / 3`, a ternary) is a variable like any other. The order of monomials is by degree,
//! then by their variables in the order of appearance.
//!
//! Division is the ordinary one by leading monomials: `p = q·d + r`, where no monomial of r is a multiple of d's leading
//! one. Example: `i·m + 2·i + j` by `m + 2` is i, and leaves j.

use polyfold_scop::Expr;
use std::collections::BTreeMap;

/// Divisions end by themselves after a few steps; this is for numbers gone wrong.
const MOST_STEPS: usize = 200;

/// The variables of polynomials.
#[derive(Default)]
pub(in crate::lower) struct Atoms(Vec<Expr>);

/// Numbers of variables, ascending.
type Monomial = Vec<usize>;

/// A polynomial; no coefficient is 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(in crate::lower) struct Polynomial(BTreeMap<Monomial, i64>);

impl Atoms {
    fn number(&mut self, e: &Expr) -> usize {
        let known = self.0.iter().position(|atom| atom == e);
        known.unwrap_or_else(|| {
            self.0.push(e.clone());
            self.0.len() - 1
        })
    }

    /// Whether a variable is a size.
    fn is_size(&self, atom: usize) -> bool {
        matches!(self.0[atom], Expr::Parameter(_))
    }
}

impl Polynomial {
    pub(super) fn constant(value: i64) -> Polynomial {
        let mut sum = Polynomial::default();
        sum.0.extend((value != 0).then(|| (Vec::new(), value)));
        sum
    }

    /// The polynomial that an affine expression is; `None` past 64 bits.
    pub(super) fn of(e: &Expr, atoms: &mut Atoms) -> Option<Polynomial> {
        match e {
            Expr::Constant(value) => Some(Polynomial::constant(*value)),
            Expr::Add(a, b) => Polynomial::of(a, atoms)?.plus(1, &Polynomial::of(b, atoms)?),
            Expr::Scale(factor, a) => Polynomial::default().plus(*factor, &Polynomial::of(a, atoms)?),
            _ => Some(Polynomial(BTreeMap::from([(vec![atoms.number(e)], 1)]))),
        }
    }

    /// `self + factor * other`.
    pub(super) fn plus(mut self, factor: i64, other: &Polynomial) -> Option<Polynomial> {
        for (monomial, coefficient) in &other.0 {
            let sum = self.0.entry(monomial.clone()).or_insert(0);
            *sum = sum.checked_add(coefficient.checked_mul(factor)?)?;
        }
        self.0.retain(|_, coefficient| *coefficient != 0);
        Some(self)
    }

    /// The product.
    pub(super) fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut product = Polynomial::default();
        for (monomial, coefficient) in &self.0 {
            let moved = other.0.iter().map(|(m, c)| Some((union(m, monomial), c.checked_mul(*coefficient)?)));
            product = product.plus(1, &Polynomial(moved.collect::<Option<_>>()?))?;
        }
        Some(product)
    }

    /// Quotient and rest.
    pub(super) fn divided_by(&self, by: &Polynomial) -> Option<(Polynomial, Polynomial)> {
        let (lead, factor) = by.0.iter().max_by_key(|(monomial, _)| (monomial.len(), (*monomial).clone()))?;
        let (mut quotient, mut rest) = (Polynomial::default(), self.clone());
        for _ in 0..MOST_STEPS {
            let whole = |(monomial, c): (&Monomial, &i64)| {
                Some((without(monomial, lead)?, c.checked_rem(*factor)? == 0, c / factor))
            };
            let Some((monomial, _, c)) = rest.0.iter().filter_map(whole).find(|(_, is_whole, _)| *is_whole) else {
                return Some((quotient, rest));
            };
            let step = Polynomial(BTreeMap::from([(monomial, c)]));
            rest = rest.plus(-1, &step.times(by)?)?;
            quotient = quotient.plus(1, &step)?;
        }
        None
    }

    /// The affine expression that it is, if no product is left in it.
    pub(super) fn affine(&self, atoms: &Atoms) -> Option<Expr> {
        let mut sum = Expr::Constant(0);
        for (monomial, coefficient) in self.0.iter().rev() {
            sum = sum.add(match monomial.as_slice() {
                [] => Expr::Constant(*coefficient),
                [atom] => atoms.0[*atom].clone().scale(*coefficient),
                _ => return None,
            });
        }
        Some(sum)
    }

    /// Whether it is a number.
    pub(super) fn is_constant(&self) -> bool {
        self.0.keys().all(Vec::is_empty)
    }

    pub(super) fn degree(&self) -> usize {
        self.0.keys().map(Vec::len).max().unwrap_or(0)
    }

    /// What each variable that is no size is multiplied by; `None` if two such are multiplied with each other.
    pub(super) fn coefficients(&self, atoms: &Atoms) -> Option<Vec<Polynomial>> {
        let mut by_atom: BTreeMap<usize, Polynomial> = BTreeMap::new();
        for (monomial, coefficient) in &self.0 {
            let (sizes, others): (Vec<usize>, Vec<usize>) = monomial.iter().partition(|atom| atoms.is_size(**atom));
            match others.as_slice() {
                [] => {}
                [atom] => {
                    by_atom.entry(*atom).or_default().0.insert(sizes, *coefficient);
                }
                _ => return None,
            }
        }
        Some(by_atom.into_values().collect())
    }

    /// The polynomial without a common factor of its coefficients, its leading one positive.
    pub(super) fn primitive(&self) -> Polynomial {
        let common = self.0.values().fold(0, |a, b| gcd(a, b.unsigned_abs()));
        let lead = self.0.iter().max_by_key(|(monomial, _)| monomial.len()).map_or(1, |(_, c)| c.signum());
        let common = i64::try_from(common).unwrap_or(1).max(1) * lead;
        let parts = self.0.iter().map(|(monomial, c)| Some((monomial.clone(), c.checked_div(common)?)));
        parts.collect::<Option<_>>().map_or_else(|| self.clone(), Polynomial)
    }
}

/// The variables of both, ascending.
fn union(a: &[usize], b: &[usize]) -> Monomial {
    let mut all: Vec<usize> = a.iter().chain(b).copied().collect();
    all.sort_unstable();
    all
}

/// What is left of a monomial divided by another one.
fn without(monomial: &[usize], by: &[usize]) -> Option<Monomial> {
    let mut rest = monomial.to_vec();
    for atom in by {
        rest.remove(rest.iter().position(|other| other == atom)?);
    }
    Some(rest)
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_scop::{LoopId, ParameterId};

    fn i() -> Expr {
        Expr::Iterator(LoopId(0))
    }

    fn m() -> Expr {
        Expr::Parameter(ParameterId(0))
    }

    #[test]
    fn a_sum_divides_like_a_number() {
        let mut atoms = Atoms::default();
        let stride = Polynomial::of(&m().add(Expr::Constant(2)), &mut atoms).unwrap();
        let row = Polynomial::of(&i(), &mut atoms).unwrap();
        let product = row.times(&stride).unwrap().plus(3, &Polynomial::constant(1)).unwrap();
        assert_eq!(product.divided_by(&stride), Some((row, Polynomial::constant(3))));
    }

    #[test]
    fn what_is_no_multiple_stays() {
        let mut atoms = Atoms::default();
        let stride = Polynomial::of(&m().scale(2), &mut atoms).unwrap();
        let odd = Polynomial::of(&m().scale(3), &mut atoms).unwrap();
        assert_eq!(odd.divided_by(&stride), Some((Polynomial::default(), odd.clone())));
        assert_eq!(stride.primitive().affine(&atoms), Some(m()));
    }
}
