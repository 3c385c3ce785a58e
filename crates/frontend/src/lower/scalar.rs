//! Types of expressions, and what they tell of the sign.
//!
//! C computes in the common type of both operands, after promotion to `int` at least. What has no type that is known here is
//! [`Scalar::Unknown`], of which nothing is concluded.
//!
//! Example: `u - 1` with an `unsigned u` is `unsigned`, so it may wrap around; `u / 2` is never negative.

use super::Lowering;
use super::affine::mentions;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator, VariableId};
use polyfold_program::IntType;
use polyfold_scop::{Expr, ParameterOrigin};

impl Lowering<'_> {
    /// The type of `e`.
    pub(super) fn scalar_of(&self, e: &Expression) -> Scalar {
        match &e.kind {
            ExpressionKind::Integer(_, scalar) | ExpressionKind::Cast(scalar, _) => *scalar,
            ExpressionKind::Name(_, Some(id)) => self.variable_scalar(*id),
            ExpressionKind::Name(name, None) => self.constant_scalar(name),
            ExpressionKind::Unary(UnaryOperator::Not, _)
            | ExpressionKind::Binary(BinaryOperator::Compare(_) | BinaryOperator::And | BinaryOperator::Or, ..) => {
                Scalar::INT
            }
            ExpressionKind::Unary(UnaryOperator::Plus | UnaryOperator::Minus, inner) => {
                self.scalar_of(inner).promoted()
            }
            ExpressionKind::Binary(BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, shifted, _) => {
                self.scalar_of(shifted).promoted()
            }
            ExpressionKind::Binary(_, a, b) | ExpressionKind::Ternary(_, a, b) => {
                self.scalar_of(a).with(self.scalar_of(b))
            }
            _ => Scalar::Unknown,
        }
    }

    /// The type of an expression that is an integer.
    pub(super) fn int_type_of(&self, e: &Expression) -> IntType {
        self.scalar_of(e).int_type()
    }

    /// What a macro's text computes.
    pub(super) fn read_constant(&self, text: &str) -> Option<Expression> {
        polyfold_c::syntax::expression_from(text, self.site.table, self.site.typedefs)
    }

    /// The type of what a macro or an enumerator stands for.
    pub(super) fn constant_scalar(&self, name: &str) -> Scalar {
        match self.site.table.object(name) {
            Some(text) => self
                .read_constant(text)
                .filter(|body| !mentions(body, name))
                .map_or(Scalar::Unknown, |body| self.scalar_of(&body)),
            None => self.site.unit.enumerators.get(name).map_or(Scalar::Unknown, |value| Scalar::of_constant(*value)),
        }
    }

    pub(super) fn variable_scalar(&self, variable: VariableId) -> Scalar {
        self.site.unit.variables[variable].scalar
    }

    /// Whether an expression is plainly never negative.
    pub(super) fn is_natural(&self, e: &Expr) -> bool {
        match e {
            Expr::Constant(value) => *value >= 0,
            Expr::Iterator(id) => self.natural_counters.contains(id),
            Expr::Parameter(id) => match self.parameter_variables.get(id) {
                Some(variable) => matches!(self.variable_scalar(*variable), Scalar::Integer { signed: false, .. }),
                None => matches!(self.parameters[id.0].origin, ParameterOrigin::Constant(0..)),
            },
            Expr::Add(a, b) | Expr::Select(_, a, b) => self.is_natural(a) && self.is_natural(b),
            Expr::Scale(factor, a) => *factor >= 0 && self.is_natural(a),
            Expr::Divide(a, _) | Expr::Remainder(a, _) => self.is_natural(a),
        }
    }
}
