//! Cells that are never the same.
//!
//! Example: `t[i - 1][j]` and `t[i][j]` are different cells in every turn of the loops; `t[i][j]` and `t[j][i]` may be one.

use polyfold_scop::Expr;

/// Whether two lists of subscripts, evaluated in the same turn of the loops, differ for certain: in some dimension by a
/// constant.
pub(crate) fn surely_differ(a: &[Expr], b: &[Expr]) -> bool {
    a.iter().zip(b).any(|(a, b)| constant_difference(a, b).is_some_and(|difference| difference != 0))
}

/// `a - b`, if that is a constant.
pub fn constant_difference(a: &Expr, b: &Expr) -> Option<i64> {
    constant_sum([(a, 1), (b, -1)])
}

/// The sum of multiples of expressions, if that is a constant.
pub(crate) fn constant_sum<'e>(multiples: impl IntoIterator<Item = (&'e Expr, i64)>) -> Option<i64> {
    let mut sum = Sum { constant: 0, terms: Vec::new() };
    multiples.into_iter().try_for_each(|(expr, factor)| sum.add(expr, factor))?;
    sum.terms.iter().all(|(_, factor)| *factor == 0).then_some(sum.constant)
}

/// A constant and multiples of expressions that are no sums themselves.
struct Sum<'e> {
    constant: i64,
    terms: Vec<(&'e Expr, i64)>,
}

impl<'e> Sum<'e> {
    /// Adds a multiple of an expression; `None` if that leaves 64 bits.
    fn add(&mut self, expr: &'e Expr, factor: i64) -> Option<()> {
        match expr {
            Expr::Constant(value) => self.constant = self.constant.checked_add(value.checked_mul(factor)?)?,
            Expr::Add(a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Scale(by, e) => self.add(e, factor.checked_mul(*by)?)?,
            other => match self.terms.iter_mut().find(|(term, _)| *term == other) {
                Some((_, sum)) => *sum = sum.checked_add(factor)?,
                None => self.terms.push((other, factor)),
            },
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_scop::{LoopId, ParameterId};

    fn counter(k: usize) -> Expr {
        Expr::Iterator(LoopId(k))
    }

    #[test]
    fn neighbours_differ() {
        let (i, j, n) = (counter(0), counter(1), Expr::Parameter(ParameterId(0)));
        let before = i.clone().add(Expr::Constant(-1));
        assert!(surely_differ(&[i.clone(), j.clone()], &[before.clone(), j.clone()]));
        let far = n.clone().scale(2).add(before);
        assert!(surely_differ(&[far], &[i.clone().add(n.scale(2))]));
        let half = Expr::Divide(Box::new(i), 2);
        let more = half.clone().add(Expr::Constant(3));
        assert!(surely_differ(&[half], &[more]));
    }

    #[test]
    fn what_may_meet_does_not() {
        let (i, j) = (counter(0), counter(1));
        assert!(!surely_differ(&[i.clone(), j.clone()], &[i.clone(), j.clone()]));
        assert!(!surely_differ(&[i.clone(), j.clone()], &[j.clone(), i.clone()]));
        assert!(!surely_differ(&[i.clone().scale(2)], &[i.add(Expr::Constant(1))]));
        assert!(!surely_differ(&[], &[]));
        let huge = Expr::Scale(i64::MAX, Box::new(Expr::Scale(i64::MAX, Box::new(j))));
        assert!(!surely_differ(&[huge], &[Expr::Constant(1)]));
    }
}
