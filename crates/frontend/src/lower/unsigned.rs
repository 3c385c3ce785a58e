//! Where C's arithmetic may wrap.
//!
//! The idea: an affine expression is read as a mathematical value v; C computes a value c in some type. Sums and
//! products keep `c = v (mod 2^bits)` whatever wraps inside them. Where the value itself counts (it is divided, compared,
//! converted to a wider type), "v is a value of the type" becomes an [`Obligation`](polyfold_scop::Obligation) for a later
//! stage to discharge. Signed sums oblige to nothing: C gives a program no meaning that overflows them.
//!
//! Example: with `size_t n`, the bound `i < n - 1` is `i < 18446744073709551615` for `n = 0`; the obligation is
//! `n - 1 >= 0`. With `unsigned i`, `(i * 2654435761u) >> 28` obliges to `2654435761 * i <= 4294967295`.

use super::Lowering;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator};
use polyfold_scop::{Computed, Condition, Expr};

impl Lowering<'_> {
    /// Records what must hold for C to compute the value that the affine reading of `e` gives.
    pub(super) fn note_exact(&mut self, e: &Expression) {
        let scalar = self.scalar_of(e);
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.note_exact(inner),
            _ if is_sum(e) && is_signed(scalar) => {
                e.parts().into_iter().for_each(|part| self.note_exact(part));
                if self.site.options.local
                    && let Ok(value) = self.affine(e)
                {
                    self.note_value(value, scalar);
                }
            }
            _ if is_sum(e) => {
                self.note_low_bits(e, scalar.bits());
                self.oblige(e, scalar.range());
            }
            ExpressionKind::Cast(to, inner) => self.note_as(inner, *to),
            ExpressionKind::Binary(BinaryOperator::BitAnd, a, b) => self.note_masked(a, b),
            ExpressionKind::Binary(BinaryOperator::ShiftRight, a, b) => {
                self.note_exact(a);
                self.note_exact(b);
            }
            ExpressionKind::Binary(BinaryOperator::Divide, a, b) => self.note_operands(a, b),
            ExpressionKind::Binary(BinaryOperator::Remainder, a, b) => self.note_remainder(scalar, a, b),
            ExpressionKind::Ternary(condition, a, b) => {
                self.in_branches(condition, [a, b], |walk, branch| walk.note_as(branch, scalar));
            }
            ExpressionKind::Unary(UnaryOperator::Not, _)
            | ExpressionKind::Binary(BinaryOperator::Compare(_) | BinaryOperator::And | BinaryOperator::Or, ..) => {
                self.condition(e);
            }
            ExpressionKind::Name(name, None) => self.note_macro(e, name),
            _ => {}
        }
    }

    /// Records what C computes as a signed type, in a statement that runs in local memory.
    pub(super) fn note_value(&mut self, expression: Expr, scalar: Scalar) {
        let is_followed = self.site.options.local && !self.conditions.iter().any(Condition::depends_on_data);
        if !is_followed || scalar.bits() > 32 {
            return;
        }
        let new = Computed { loops: self.loops.clone(), conditions: self.conditions.clone(), expression };
        if !self.computed.contains(&new) {
            self.computed.push(new);
        }
    }

    /// Records what must hold for both operands to keep their values in their common type.
    pub(super) fn note_operands(&mut self, a: &Expression, b: &Expression) {
        let common = self.scalar_of(a).with(self.scalar_of(b));
        self.note_as(a, common);
        self.note_as(b, common);
    }

    /// Records what must hold for `e`, converted to a type, to have the value of its affine reading.
    pub(super) fn note_as(&mut self, e: &Expression, to: Scalar) {
        let from = self.scalar_of(e);
        let (has, holds) = (from.range(), to.range());
        if holds.start() <= has.start() && has.end() <= holds.end() {
            return self.note_exact(e);
        }
        if is_signed(from) || !may_differ(e) {
            self.note_exact(e);
            let least = (has.start() < holds.start()).then_some(*holds.start());
            let most = (has.end() > holds.end()).then_some(*holds.end());
            return self.oblige_within(e, least, most);
        }
        self.note_low_bits(e, to.bits());
        self.oblige(e, holds);
    }

    /// Records what must hold for C's value of `e` to differ from the affine reading's by a multiple of 2 to the power of
    /// `bits`.
    pub(super) fn note_low_bits(&mut self, e: &Expression, bits: u32) {
        let scalar = self.scalar_of(e);
        let loses = bits > scalar.bits() && !(is_sum(e) && is_signed(scalar));
        match &e.kind {
            _ if loses => self.note_exact(e),
            ExpressionKind::Binary(BinaryOperator::ShiftLeft, shifted, by) => {
                self.note_low_bits(shifted, bits);
                self.note_exact(by);
            }
            ExpressionKind::Cast(_, inner) | ExpressionKind::Unary(UnaryOperator::Plus, inner) => {
                self.note_low_bits(inner, bits);
            }
            _ if is_sum(e) => e.parts().into_iter().for_each(|part| self.note_low_bits(part, bits)),
            ExpressionKind::Ternary(condition, a, b) => {
                self.in_branches(condition, [a, b], |walk, branch| walk.note_low_bits(branch, bits));
            }
            _ => self.note_exact(e),
        }
    }

    /// The remainder by a power of two is that of any value with the same low bits and sign.
    fn note_remainder(&mut self, scalar: Scalar, a: &Expression, b: &Expression) {
        let divisor = self.affine(b).ok().and_then(|b| b.as_constant());
        let is_power = divisor.is_some_and(|by| by > 0 && by & (by - 1) == 0);
        if is_signed(scalar) || !is_power {
            return self.note_operands(a, b);
        }
        self.note_low_bits(a, scalar.bits());
        self.note_as(b, scalar);
        self.oblige_within(a, Some(0), None);
    }

    /// `value & (2^k - 1)` sees the low k bits alone.
    fn note_masked(&mut self, a: &Expression, b: &Expression) {
        let constant = |walk: &mut Self, e| walk.affine(e).ok().and_then(|e| e.as_constant());
        let (value, mask, bits) = match (constant(self, a), constant(self, b)) {
            (_, Some(bits)) => (a, b, bits),
            (Some(bits), None) => (b, a, bits),
            (None, None) => return self.note_operands(a, b),
        };
        self.note_low_bits(value, bits.count_ones());
        self.note_exact(mask);
    }

    /// The operands of a ternary, each where it is chosen.
    fn in_branches(
        &mut self,
        condition: &Expression,
        [first, second]: [&Expression; 2],
        mut note: impl FnMut(&mut Self, &Expression),
    ) {
        let condition = self.condition(condition);
        self.under(condition.clone(), |walk| note(walk, first));
        self.under(condition.negate(), |walk| note(walk, second));
    }

    /// What a macro stands for.
    fn note_macro(&mut self, e: &Expression, name: &str) {
        let Some(text) = self.site.table.object(name) else { return };
        let Some(body) = polyfold_c::syntax::expression_from(text, self.site.table, self.site.typedefs) else { return };
        if polyfold_c::constant::value(&body, &|_| None).is_none() && !super::affine::mentions(&body, name) {
            let outer = self.origin.clone();
            self.origin.get_or_insert_with(|| e.span.clone());
            self.note_exact(&body);
            self.origin = outer;
        }
    }
}

/// Whether the value is a sum or multiple of its parts.
fn is_sum(e: &Expression) -> bool {
    matches!(
        &e.kind,
        ExpressionKind::Binary(
            BinaryOperator::Add | BinaryOperator::Subtract | BinaryOperator::Multiply | BinaryOperator::ShiftLeft,
            ..
        ) | ExpressionKind::Unary(UnaryOperator::Minus, _)
    )
}

/// Whether the value as such may differ from the affine reading's: all else is exact, or obliges to that.
pub(super) fn may_differ(e: &Expression) -> bool {
    match &e.kind {
        ExpressionKind::Ternary(_, a, b) => may_differ(a) || may_differ(b),
        ExpressionKind::Unary(UnaryOperator::Plus, inner) => may_differ(inner),
        ExpressionKind::Cast(..) => true,
        _ => is_sum(e),
    }
}

pub(super) fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::Integer { signed: true, .. })
}
