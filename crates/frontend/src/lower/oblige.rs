//! Recording obligations.
//!
//! Example: `i % 3 + 2 >= 0` with a counter from 0 on is plain, and not recorded; `i - 1 >= 0` is.

use super::Lowering;
use super::unsigned::{is_signed, may_differ};
use polyfold_c::syntax::Expression;
use polyfold_scop::{Array, ArrayId, Bound, Expr, Obligation, ParameterOrigin, Role, Span, Storage};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// An array of run-time size on the stack is taken to have no more rows.
const MOST_ROWS_ON_STACK: i128 = polyfold_program::Home::MOST_ROWS_ON_STACK as i128;

/// Obligations of one subscript, which are made only if its array may change.
pub(super) struct SubscriptObligations {
    array: ArrayId,
    dimension: usize,
    /// Of parts of the subscript, and of its value where that is too large.
    plain: Vec<Obligation>,
    /// Of its value where that is below 0.
    below: Vec<Obligation>,
    /// The bits that C computes of it.
    bits: u32,
}

impl Lowering<'_> {
    /// Adds the obligation that the value of `e` is in a range.
    pub(super) fn oblige(&mut self, e: &Expression, range: RangeInclusive<i128>) {
        self.oblige_within(e, Some(*range.start()), Some(*range.end()));
    }

    /// Adds obligations for those ends of a range that are given.
    pub(super) fn oblige_within(&mut self, e: &Expression, least: Option<i128>, most: Option<i128>) {
        let Ok(expression) = self.affine(e) else { return };
        if let Some(least) = least {
            self.oblige_expr(expression.clone(), Bound::Least(least), &e.span);
        }
        if let Some(most) = most {
            self.oblige_expr(expression, Bound::Most(most), &e.span);
        }
    }

    /// Adds an obligation here; `span` is where it comes from.
    pub(super) fn oblige_expr(&mut self, expression: Expr, bound: Bound, span: &Span) {
        let span = self.site.expanded.to_file(self.origin.as_ref().unwrap_or(span));
        let (loops, conditions) = (self.loops.clone(), self.conditions.clone());
        self.add_obligation(Obligation { loops, conditions, expression, bound, extent: None, span });
    }

    /// Adds an obligation, unless it is plain or there already.
    pub(super) fn add_obligation(&mut self, new: Obligation) {
        let is_plain = match new.bound {
            Bound::Least(least) => match new.expression.as_constant() {
                Some(value) => i128::from(value) >= least,
                None => least <= 0 && self.is_natural(&new.expression),
            },
            Bound::Most(most) => highest(&new.expression) <= most,
        };
        let same = |o: &Obligation| {
            o.bound == new.bound
                && o.loops == new.loops
                && o.conditions == new.conditions
                && o.expression == new.expression
        };
        if !is_plain && !self.obligations.iter().any(same) {
            self.obligations.push(new);
        }
    }

    /// Collects what `note` would add.
    pub(super) fn obligations_of(&mut self, note: impl FnOnce(&mut Self)) -> Vec<Obligation> {
        let before = std::mem::take(&mut self.obligations);
        note(self);
        std::mem::replace(&mut self.obligations, before)
    }

    /// What a subscript obliges to. It may fall below 0 where what it wraps around to is outside the array, since that has
    /// no meaning in C.
    pub(super) fn note_subscript(&mut self, array: ArrayId, dimension: usize, e: &Expression) {
        let scalar = self.scalar_of(e);
        let [mut plain, mut below] = [Vec::new(), Vec::new()];
        if is_signed(scalar) || !may_differ(e) {
            plain = self.obligations_of(|walk| walk.note_exact(e));
        } else {
            let (least, most) = scalar.range().into_inner();
            plain.extend(self.obligations_of(|walk| {
                walk.note_low_bits(e, scalar.bits());
                walk.oblige_within(e, None, Some(most));
            }));
            below = self.obligations_of(|walk| walk.oblige_within(e, Some(least), None));
        }
        if !plain.is_empty() || !below.is_empty() {
            let bits = scalar.bits();
            self.subscript_obligations.push(SubscriptObligations { array, dimension, plain, below, bits });
        }
    }

    /// Remembers what a linearised subscript obliges to.
    pub(super) fn note_obligations(&mut self, array: ArrayId, plain: Vec<Obligation>) {
        if !plain.is_empty() {
            self.subscript_obligations.push(SubscriptObligations {
                array,
                dimension: 0,
                plain,
                below: Vec::new(),
                bits: 64,
            });
        }
    }

    /// Adds the obligations of subscripts of arrays that may change. Cells of others are not plain if there are any.
    pub(super) fn oblige_subscripts(&mut self, arrays: &mut [Array]) {
        for noted in std::mem::take(&mut self.subscript_obligations) {
            let array = &mut arrays[noted.array.0];
            if let Role::Kept(kept) = &mut array.role {
                kept.plain = false;
                continue;
            }
            let rows = self.rows_here(array, noted.dimension);
            noted.plain.into_iter().for_each(|obligation| self.add_obligation(obligation));
            let least = (rows - (1i128 << noted.bits)).min(0);
            for obligation in noted.below {
                self.add_obligation(Obligation { bound: Bound::Least(least), ..obligation });
            }
        }
    }

    /// A number of rows that an array does not exceed, in one dimension, if the sizes and macros are those of this run.
    fn rows_here(&self, array: &Array, dimension: usize) -> i128 {
        let extent = array.extents.get(dimension).and_then(Option::as_ref);
        match extent.and_then(|extent| self.constant(extent)) {
            Some(rows) => i128::from(rows).max(MOST_ROWS_ON_STACK),
            None => self.most_rows(array),
        }
    }

    /// A number of rows that memory does not exceed.
    pub(super) fn most_rows(&self, array: &Array) -> i128 {
        let is_on_stack = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::Local);
        match is_on_stack && array.extents.iter().flatten().any(|extent| self.constant(extent).is_none()) {
            true => MOST_ROWS_ON_STACK,
            false => i128::from(i64::MAX) / i128::from(array.element_bytes.unwrap_or(1).max(1)),
        }
    }

    /// The value of an expression of constants.
    fn constant(&self, e: &Expr) -> Option<i64> {
        let values: Vec<Option<i64>> = self.parameters.iter().map(|p| constant(&p.origin)).collect();
        let mut used = BTreeSet::new();
        e.collect_parameters(&mut used);
        let all: Vec<i64> = values.iter().map(|value| value.unwrap_or(0)).collect();
        used.iter().all(|id| values[id.0].is_some()).then(|| e.value(&all))?
    }
}

/// No value of `e` is larger, as far as that is plain.
fn highest(e: &Expr) -> i128 {
    match e {
        Expr::Constant(value) => i128::from(*value),
        Expr::Remainder(_, by) => i128::from(*by) - 1,
        Expr::Add(a, b) => highest(a).saturating_add(highest(b)),
        Expr::Scale(factor @ 0.., a) => highest(a).saturating_mul(i128::from(*factor)),
        Expr::Select(_, a, b) => highest(a).max(highest(b)),
        _ => i128::MAX,
    }
}

fn constant(origin: &ParameterOrigin) -> Option<i64> {
    match origin {
        ParameterOrigin::Constant(value) => Some(*value),
        ParameterOrigin::Variable => None,
    }
}
