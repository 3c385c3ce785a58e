//! Whether C computes the polynomial that a subscript reads as.
//!
//! Signed arithmetic does, or the program has no meaning. Unsigned arithmetic computes it modulo 2^32 or 2^64: it is exact if the
//! types of all operands leave no room for more, as in `(size_t)i * n + j` with `int n`; and 64 bits are enough for any cell
//! that memory may hold, so that modulo 2^64 it is exact once the subscripts are known to be inside the array.
//!
//! What is over-approximated: operands may have any value of their type, but for counters from 0 on.

use crate::lower::unsigned::is_signed;
use crate::lower::{Lowering, Meaning};
use polyfold_c::syntax::{Expression, ExpressionKind, Scalar};

/// How a subscript is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::lower) enum Arithmetic {
    /// As `int`, exactly.
    Narrow,
    /// As a wider type, exactly.
    Wide,
    /// Modulo 2^64.
    Modular,
}

/// The numbers that an expression may be.
type Range = (i128, i128);

impl Lowering<'_> {
    /// How `e` is computed, with what that obliges its operands to; `None` if 32 bits may not hold it.
    pub(super) fn linear_arithmetic(&mut self, e: &Expression) -> Option<Arithmetic> {
        let mut kind = Arithmetic::Narrow;
        let (least, most) = self.linear_range(e, &mut kind)?;
        let is_exact = is_signed(self.scalar_of(e)) || (least > -(1 << 62) && most < 1 << 63);
        Some(if is_exact { kind } else { Arithmetic::Modular })
    }

    fn linear_range(&mut self, e: &Expression, kind: &mut Arithmetic) -> Option<Range> {
        let scalar = self.scalar_of(e);
        if scalar.bits() == 64 || !is_signed(scalar) {
            *kind = (*kind).max(Arithmetic::Wide);
        }
        if let Some(Meaning::Linear(_, arithmetic)) = e.variable().and_then(|id| self.meaning(id)) {
            *kind = (*kind).max(*arithmetic);
            return Some(self.value_range(e));
        }
        if let Ok(affine) = self.affine(e) {
            self.note_exact(e);
            let (least, most) = self.value_range(e);
            return Some((if self.is_natural(&affine) { least.max(0) } else { least }, most));
        }
        let parts: Vec<Range> = match &e.kind {
            ExpressionKind::Cast(to, inner) => {
                let from = self.scalar_of(inner);
                let keeps = to.bits() == 64 || (from.bits() == 32 && is_signed(from) == is_signed(*to));
                vec![self.linear_range(inner, kind).filter(|_| keeps)?]
            }
            _ => e.parts().into_iter().map(|part| self.part_range(part, scalar, kind)).collect::<Option<_>>()?,
        };
        let (least, most) = combined(e, &parts)?;
        let (lowest, highest) = scalar.range().into_inner();
        if is_signed(scalar) {
            // An operator that leaves its type has no meaning; a conversion has one.
            if matches!(e.kind, ExpressionKind::Cast(..)) && (least < lowest || most > highest) {
                *kind = Arithmetic::Modular;
            }
            return Some((least.max(lowest), most.min(highest)));
        }
        if scalar.bits() == 32 && (least < lowest || most > highest) {
            return None;
        }
        if most > highest {
            *kind = Arithmetic::Modular;
        }
        Some((least, most))
    }

    /// Whether a type holds the value of an expression that is computed so.
    pub(super) fn keeps(&self, e: &Expression, to: Scalar, kind: Arithmetic) -> bool {
        let from = self.scalar_of(e);
        match kind {
            Arithmetic::Narrow => is_signed(to),
            Arithmetic::Wide => to.bits() == 64 && is_signed(to) == is_signed(from),
            Arithmetic::Modular => false,
        }
    }

    /// The range of an operand that is converted to a type.
    fn part_range(&mut self, part: &Expression, to: Scalar, kind: &mut Arithmetic) -> Option<Range> {
        let (least, most) = self.linear_range(part, kind)?;
        if self.is_affine(part) {
            self.note_as(part, to);
            let lowest = *to.range().start();
            return Some((least.max(lowest), most));
        }
        Some((least, most))
    }

    /// The values of a type, or of what is cast to it.
    fn value_range(&self, e: &Expression) -> Range {
        let (least, most) = self.scalar_of(e).range().into_inner();
        match &e.kind {
            ExpressionKind::Integer(value, _) => (i128::from(*value), i128::from(*value)),
            ExpressionKind::Cast(_, inner) => {
                let (lowest, highest) = self.value_range(inner);
                (least.max(lowest), most.min(highest))
            }
            _ => (least, most),
        }
    }
}

fn combined(e: &Expression, parts: &[Range]) -> Option<Range> {
    use polyfold_c::syntax::{BinaryOperator, UnaryOperator};
    match (&e.kind, parts) {
        (ExpressionKind::Binary(BinaryOperator::Add, ..), [a, b]) => {
            Some((a.0.saturating_add(b.0), a.1.saturating_add(b.1)))
        }
        (ExpressionKind::Binary(BinaryOperator::Subtract, ..), [a, b]) => {
            Some((a.0.saturating_sub(b.1), a.1.saturating_sub(b.0)))
        }
        (ExpressionKind::Binary(BinaryOperator::Multiply, ..), [a, b]) => {
            let corners = [(a.0, b.0), (a.0, b.1), (a.1, b.0), (a.1, b.1)].map(|(x, y)| x.saturating_mul(y));
            Some((*corners.iter().min()?, *corners.iter().max()?))
        }
        (ExpressionKind::Unary(UnaryOperator::Minus, _), [a]) => Some((a.1.saturating_neg(), a.0.saturating_neg())),
        (ExpressionKind::Unary(UnaryOperator::Plus, _) | ExpressionKind::Cast(..), [a]) => Some(*a),
        _ => None,
    }
}
