//! How many cells an array has, as a product of sizes, and its extents in rows.

use super::super::Lowering;
use super::super::affine::NotAffine;
use super::strides::Rows;
use super::{Arithmetic, Polynomial};
use polyfold_c::syntax::{BinaryOperator, Derivation, Expression, ExpressionKind, Storage, VariableId};
use polyfold_scop::Expr;

impl Lowering<'_> {
    /// The factors of an array's number of cells; `None` where the source does not say it, or sizes change after that.
    pub(in crate::lower) fn size_of(&mut self, id: VariableId) -> Option<Vec<Polynomial>> {
        let variable = &self.site.unit.variables[id];
        let (expressions, at) = match (self.facts.allocations.get(&id), variable.shape.as_slice()) {
            (Some(Ok(found)), _) => (found.factors.clone(), found.statement.start),
            (None, [Derivation::Array(Some(extent))])
                if variable.storage != Storage::Parameter || self.is_forced(&variable.name) =>
            {
                let mut factors = Vec::new();
                product(extent, &mut factors);
                (factors, self.declared_at(variable))
            }
            _ => return None,
        };
        if !expressions.iter().all(|e| self.is_settled_there(e, at)) {
            return None;
        }
        let mark = self.mark();
        let factors: Result<Vec<Polynomial>, NotAffine> = expressions.iter().map(|e| self.polynomial(e)).collect();
        let factors = factors.ok().filter(|_| expressions.iter().all(|e| self.is_exact(e)));
        if factors.is_none() {
            self.forget_since(mark);
        }
        factors
    }

    fn is_settled_there(&self, e: &Expression, at: usize) -> bool {
        let mut is_settled = true;
        e.walk(&mut |part| is_settled &= part.variable().is_none_or(|id| self.is_settled(id, at)));
        is_settled
    }

    /// Whether C computes a factor as it reads, whatever its operands are.
    fn is_exact(&mut self, e: &Expression) -> bool {
        let mut arithmetic = None;
        let noted = self.obligations_of(|walk| arithmetic = walk.linear_arithmetic(e));
        let is_exact = |kind| kind < Arithmetic::Modular || self.is_affine(e);
        arithmetic.is_some_and(is_exact) && noted.is_empty()
    }

    /// The first extent of an array with so many cells in such rows.
    pub(in crate::lower) fn first_extent(&self, factors: &[Polynomial], rows: &Rows) -> Option<Expr> {
        let all = factors.iter().try_fold(Polynomial::constant(1), |all, factor| all.times(factor))?;
        let row = rows.iter().try_fold(Polynomial::constant(1), |all, (extent, _)| all.times(extent))?;
        match all.divided_by(&row)? {
            (quotient, rest) if rest == Polynomial::default() => quotient.affine(&self.atoms),
            _ => None,
        }
    }

    /// An extent of rows.
    pub(in crate::lower) fn as_row(&mut self, extent: &Expr) -> Option<(Polynomial, Expr)> {
        Some((Polynomial::of(extent, &mut self.atoms)?, extent.clone()))
    }

    /// A size as C text.
    pub(in crate::lower) fn size_text(&self, size: &Expr) -> String {
        self.trial(&[]).show(size)
    }
}

/// The operands of a product.
fn product(e: &Expression, factors: &mut Vec<Expression>) {
    match &e.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => {
            product(a, factors);
            product(b, factors);
        }
        _ => factors.push(e.clone()),
    }
}
