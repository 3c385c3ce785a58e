//! Affine expressions.
//!
//! The idea: an expression is affine if it adds and scales counters, parameters and constants, `c₀ + Σ cₖ xₖ`; where a
//! product or quotient of constants stands in the way, the constants' names are wanted at their values. Quotients by
//! constants and choices between affine expressions count as affine, too: sets can say them exactly.
//!
//! Example: `2 * i + n - 1` is affine, `n * i` is if `n` is a constant, and `i * j` is not.
//!
//! Paper: Bee §2 (static control programs).

mod names;
mod quotient;

pub(super) use names::mentions;

use super::Lowering;
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator};
use polyfold_scop::{Comparison, Condition, Expr, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A factor of which fewer than 2 to this power multiples fit into an unsigned type is there for its low bits.
const FEWEST_MULTIPLES_BITS: u32 = 4;

/// Why an expression is not affine.
pub(super) struct NotAffine {
    pub(super) span: Span,
    /// A sentence's end: "it multiplies two variables".
    pub(super) why: String,
    /// Constants whose values would help.
    pub(super) pins: BTreeSet<String>,
    /// What to write instead, where more can be said than what affine expressions are.
    pub(super) help: Option<&'static str>,
}

type Affine = Result<Expr, NotAffine>;

fn refuse<T>(e: &Expression, why: impl Into<String>) -> Result<T, NotAffine> {
    Err(NotAffine { span: e.span.clone(), why: why.into(), pins: BTreeSet::new(), help: None })
}

/// Parameters and pins at some time.
pub(super) struct Mark {
    parameters: usize,
    computed: usize,
    pins: BTreeMap<String, i64>,
}

impl Mark {
    /// How many sizes there were.
    pub(super) fn parameters(&self) -> usize {
        self.parameters
    }
}

impl Lowering<'_> {
    /// The affine expression that `e` is; on failure nothing has changed.
    pub(super) fn affine(&mut self, e: &Expression) -> Affine {
        let mark = self.mark();
        let result = self.affine_parts(e);
        if result.is_err() {
            self.forget_since(mark);
        }
        result
    }

    /// What expressions have used so far.
    pub(super) fn mark(&self) -> Mark {
        let (parameters, computed) = (self.parameters.len(), self.computed.len());
        Mark { parameters, computed, pins: self.used_pins.clone() }
    }

    /// Forgets the parameters and pins of an expression that came to nothing.
    pub(super) fn forget_since(&mut self, mark: Mark) {
        self.parameters.truncate(mark.parameters);
        self.products.retain(|product| product.parameter.0 < mark.parameters);
        self.parameter_variables.retain(|id, _| id.0 < mark.parameters);
        self.computed.truncate(mark.computed);
        self.used_pins = mark.pins;
    }

    /// Whether `e` is affine.
    pub(super) fn is_affine(&mut self, e: &Expression) -> bool {
        let (parameters, variables) = (self.parameters.len(), self.parameter_variables.clone());
        let pins = self.used_pins.clone();
        let result = self.affine_parts(e).is_ok();
        self.parameters.truncate(parameters);
        self.products.retain(|product| product.parameter.0 < parameters);
        self.parameter_variables = variables;
        self.used_pins = pins;
        result
    }

    fn affine_parts(&mut self, e: &Expression) -> Affine {
        match &e.kind {
            ExpressionKind::Integer(value, _) => Ok(Expr::Constant(*value)),
            ExpressionKind::Name(name, Some(variable)) => self.affine_variable(e, name, *variable),
            ExpressionKind::Name(name, None) => self.affine_constant(e, name),
            ExpressionKind::Unary(UnaryOperator::Plus, inner) => self.affine_parts(inner),
            ExpressionKind::Unary(UnaryOperator::Minus, inner) => Ok(self.affine_parts(inner)?.scale(-1)),
            ExpressionKind::Cast(to, inner) if to.is_wide_integer() && *to != Scalar::Unknown => {
                self.affine_parts(inner)
            }
            ExpressionKind::Cast(..) => refuse(e, "it casts to a type that may cut off values"),
            ExpressionKind::Ternary(condition, first, second) => {
                let condition = self.affine_condition(condition)?;
                let (first, second) = (self.affine_parts(first)?, self.affine_parts(second)?);
                Ok(Expr::Select(Box::new(condition), Box::new(first), Box::new(second)))
            }
            ExpressionKind::Unary(UnaryOperator::Not, _)
            | ExpressionKind::Binary(BinaryOperator::Compare(_) | BinaryOperator::And | BinaryOperator::Or, ..) => {
                let condition = self.affine_condition(e)?;
                Ok(Expr::Select(Box::new(condition), Box::new(Expr::Constant(1)), Box::new(Expr::Constant(0))))
            }
            ExpressionKind::Binary(operator, left, right) => self.affine_binary(e, *operator, left, right),
            ExpressionKind::Index(..) => refuse(e, "it reads an array"),
            ExpressionKind::Field(..) => refuse(e, "it reads a member of a structure"),
            ExpressionKind::Unary(UnaryOperator::Dereference, _) => refuse(e, "it reads through a pointer"),
            ExpressionKind::Call(..) => refuse(e, "it calls a function"),
            ExpressionKind::Literal => refuse(e, "it is not an integer"),
            ExpressionKind::Other(what, _) => refuse(e, format!("it has {what}")),
            _ => refuse(e, "it is not a sum of counters, sizes and constants"),
        }
    }

    /// A condition all of whose parts are affine.
    fn affine_condition(&mut self, e: &Expression) -> Result<Condition, NotAffine> {
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => Ok(self.affine_condition(inner)?.negate()),
            ExpressionKind::Binary(BinaryOperator::And, a, b) => {
                Ok(Condition::All(vec![self.affine_condition(a)?, self.affine_condition(b)?]))
            }
            ExpressionKind::Binary(BinaryOperator::Or, a, b) => {
                Ok(Condition::Any(vec![self.affine_condition(a)?, self.affine_condition(b)?]))
            }
            ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) => {
                Ok(Condition::Compare(self.affine_parts(a)?, *comparison, self.affine_parts(b)?))
            }
            _ => Ok(Condition::Compare(self.affine_parts(e)?, Comparison::NotEqual, Expr::Constant(0))),
        }
    }

    fn affine_binary(&mut self, e: &Expression, operator: BinaryOperator, a: &Expression, b: &Expression) -> Affine {
        let (left, right) = match (self.affine_parts(a), self.affine_parts(b)) {
            (Ok(left), Ok(right)) => (left, right),
            (Err(first), Err(second)) => {
                let pins = first.pins.iter().cloned().chain(second.pins).collect();
                return Err(NotAffine { pins, ..first });
            }
            (Err(error), Ok(_)) | (Ok(_), Err(error)) => return Err(error),
        };
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::Add, ..) => Ok(left.add(right)),
            (BinaryOperator::Subtract, ..) => Ok(left.add(right.scale(-1))),
            (BinaryOperator::Multiply, Some(factor), _) => self.multiple(e, right, factor),
            (BinaryOperator::Multiply, _, Some(factor)) => self.multiple(e, left, factor),
            (BinaryOperator::Multiply, ..) => self.refused_product(e, &left, &right),
            (BinaryOperator::Divide | BinaryOperator::Remainder, ..) => self.quotient(e, operator, left, right),
            (BinaryOperator::BitAnd, ..) => self.masked(e, left, right),
            (BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight, ..) => self.shifted(e, operator, left, right),
            _ => refuse(e, "it works on bits"),
        }
    }

    /// A multiple that is not made to wrap around, as hash functions do.
    fn multiple(&self, e: &Expression, value: Expr, factor: i64) -> Affine {
        let scalar = self.scalar_of(e);
        let is_large = i128::from(factor) > *scalar.range().end() >> FEWEST_MULTIPLES_BITS;
        match value.as_constant().is_none() && scalar.may_wrap() && is_large {
            true => refuse(e, format!("it multiplies by {factor} in unsigned arithmetic, which wraps around")),
            false => Ok(value.scale(factor)),
        }
    }

    fn refused_product(&mut self, e: &Expression, left: &Expr, right: &Expr) -> Affine {
        let pins = match (self.only_constants(left), self.only_constants(right)) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                a
            }
            (one, other) => one.or(other).unwrap_or_default(),
        };
        if pins.is_empty()
            && let Some(product) = self.product(left, right)
        {
            return Ok(product);
        }
        Err(NotAffine { span: e.span.clone(), why: "it multiplies two variables".to_string(), pins, help: None })
    }
}
