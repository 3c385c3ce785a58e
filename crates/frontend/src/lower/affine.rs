//! Affine expressions.
//!
//! The idea: an expression is affine if it adds and scales counters, parameters and constants; where a product
//! or quotient of constants stands in the way, the constants' names are wanted at their values.

use super::{Lowering, Meaning};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator, Variable, VariableId};
use polyfold_scop::{Comparison, Condition, Expr, Parameter, ParameterId, ParameterOrigin, Span, Storage};
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
}

type Affine = Result<Expr, NotAffine>;

fn refuse<T>(e: &Expression, why: impl Into<String>) -> Result<T, NotAffine> {
    Err(NotAffine { span: e.span.clone(), why: why.into(), pins: BTreeSet::new() })
}

/// Parameters and pins at some time.
pub(super) struct Mark {
    parameters: usize,
    pins: BTreeMap<String, i64>,
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
        Mark { parameters: self.parameters.len(), pins: self.used_pins.clone() }
    }

    /// Forgets the parameters and pins of an expression that came to nothing.
    pub(super) fn forget_since(&mut self, mark: Mark) {
        self.parameters.truncate(mark.parameters);
        self.parameter_variables.retain(|id, _| id.0 < mark.parameters);
        self.used_pins = mark.pins;
    }

    /// Whether `e` is affine.
    pub(super) fn is_affine(&mut self, e: &Expression) -> bool {
        let (parameters, variables) = (self.parameters.len(), self.parameter_variables.clone());
        let pins = self.used_pins.clone();
        let result = self.affine_parts(e).is_ok();
        self.parameters.truncate(parameters);
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
                let pins = first.pins.into_iter().chain(second.pins).collect();
                return Err(NotAffine { span: first.span, why: first.why, pins });
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

    fn refused_product(&self, e: &Expression, left: &Expr, right: &Expr) -> Affine {
        let pins = match (self.only_constants(left), self.only_constants(right)) {
            (Some(mut a), Some(b)) => {
                a.extend(b);
                a
            }
            (one, other) => one.or(other).unwrap_or_default(),
        };
        Err(NotAffine { span: e.span.clone(), why: "it multiplies two variables".to_string(), pins })
    }

    /// `left / right` or `left % right`.
    fn quotient(&self, e: &Expression, operator: BinaryOperator, left: Expr, right: Expr) -> Affine {
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::Divide, Some(a), Some(b)) if b != 0 && a.checked_div(b).is_some() => {
                Ok(Expr::Constant(a / b))
            }
            (BinaryOperator::Remainder, Some(a), Some(b)) if b != 0 && a.checked_rem(b).is_some() => {
                Ok(Expr::Constant(a % b))
            }
            (BinaryOperator::Divide, _, Some(by)) if by > 0 => Ok(Expr::Divide(Box::new(left), by)),
            (BinaryOperator::Remainder, _, Some(by)) if by > 0 => Ok(Expr::Remainder(Box::new(left), by)),
            _ => Err(NotAffine {
                span: e.span.clone(),
                why: "its divisor is not a positive constant".to_string(),
                pins: self.only_constants(&right).unwrap_or_default(),
            }),
        }
    }

    /// `left << right` or `left >> right`.
    fn shifted(&self, e: &Expression, operator: BinaryOperator, left: Expr, right: Expr) -> Affine {
        match (operator, left.as_constant(), right.as_constant()) {
            (BinaryOperator::ShiftLeft, Some(value), Some(by)) => match crate::constant::shifted_left(value, by) {
                Some(shifted) => Ok(Expr::Constant(shifted)),
                None => refuse(e, "it shifts bits out of an `int`"),
            },
            (BinaryOperator::ShiftLeft, _, Some(by @ 0..31)) => Ok(left.scale(1 << by)),
            (BinaryOperator::ShiftRight, _, Some(by @ 0..62)) => Ok(self.floor_quotient(left, 1 << by)),
            _ => Err(NotAffine {
                span: e.span.clone(),
                why: "it does not shift by a constant".to_string(),
                pins: self.only_constants(&right).unwrap_or_default(),
            }),
        }
    }

    /// `value & (2^k - 1)`, in two's complement. A mask of at most 32 bits does not see whether `value` wrapped.
    fn masked(&self, e: &Expression, left: Expr, right: Expr) -> Affine {
        let (value, mask) = if right.as_constant().is_some() { (left, right) } else { (right, left) };
        match mask.as_constant() {
            Some(0) => Ok(Expr::Constant(0)),
            Some(bits) if bits > 0 && bits <= i64::from(u32::MAX) && bits & (bits + 1) == 0 => {
                Ok(self.floor_remainder(value, bits + 1))
            }
            Some(_) => refuse(e, "its mask is not one less than a power of two, of at most 32 bits"),
            None => Err(NotAffine {
                span: e.span.clone(),
                why: "its mask is not a constant".to_string(),
                pins: self.only_constants(&mask).or_else(|| self.only_constants(&value)).unwrap_or_default(),
            }),
        }
    }

    /// What is left of `value` after division that rounds down: below zero it is `by - 1 - (-1 - value) % by`.
    fn floor_remainder(&self, value: Expr, by: i64) -> Expr {
        let remainder = |e: Expr| match e.as_constant() {
            Some(value) => Expr::Constant(value % by),
            None => Expr::Remainder(Box::new(e), by),
        };
        let below = remainder(mirrored(value.clone())).scale(-1).add(Expr::Constant(by - 1));
        self.by_sign(value.clone(), remainder(value), below)
    }

    /// Division that rounds down: below zero it is `-1 - (-1 - value) / by`.
    fn floor_quotient(&self, value: Expr, by: i64) -> Expr {
        let quotient = |e: Expr| match e.as_constant() {
            Some(value) => Expr::Constant(value / by),
            None if by == 1 => e,
            None => Expr::Divide(Box::new(e), by),
        };
        let below = mirrored(quotient(mirrored(value.clone())));
        self.by_sign(value.clone(), quotient(value), below)
    }

    fn by_sign(&self, value: Expr, natural: Expr, negative: Expr) -> Expr {
        let is_natural = Condition::Compare(value.clone(), Comparison::GreaterEqual, Expr::Constant(0));
        match value.as_constant() {
            Some(0..) => natural,
            Some(_) => negative,
            None if self.is_natural(&value) => natural,
            None => Expr::Select(Box::new(is_natural), Box::new(natural), Box::new(negative)),
        }
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

    /// The constants in `e`, if it holds nothing else that varies.
    pub(super) fn only_constants(&self, e: &Expr) -> Option<BTreeSet<String>> {
        let both = |a: &Expr, b: &Expr| {
            let mut names = self.only_constants(a)?;
            names.extend(self.only_constants(b)?);
            Some(names)
        };
        match e {
            Expr::Constant(_) => Some(BTreeSet::new()),
            Expr::Iterator(_) => None,
            Expr::Parameter(id) => {
                let parameter = &self.parameters[id.0];
                let variable = self.parameter_variables.get(id).map(|variable| &self.site.unit.variables[*variable]);
                let is_constant =
                    parameter.origin != ParameterOrigin::Variable || variable.and_then(fixed_value).is_some();
                is_constant.then(|| BTreeSet::from([parameter.name.clone()]))
            }
            Expr::Add(a, b) | Expr::Select(_, a, b) => both(a, b),
            Expr::Scale(_, a) | Expr::Divide(a, _) | Expr::Remainder(a, _) => self.only_constants(a),
        }
    }

    fn affine_variable(&mut self, e: &Expression, name: &str, id: VariableId) -> Affine {
        match self.meaning(id) {
            Some(Meaning::Counter(counter)) => return Ok(Expr::Iterator(*counter)),
            Some(Meaning::Value(value)) => return Ok(value.clone()),
            None => {}
        }
        let variable = &self.site.unit.variables[id];
        if !variable.is_scalar() || variable.is_volatile || !matches!(variable.scalar, Scalar::Integer { .. }) {
            return refuse(e, format!("`{name}` is not a plain integer"));
        }
        if self.facts.counters.contains(&id) {
            return refuse(e, format!("it uses the counter `{name}` outside its loop"));
        }
        if self.facts.written.contains(&id) || self.facts.declared_inside.contains(&id) {
            return refuse(e, format!("`{name}` changes in the scop"));
        }
        match fixed_value(variable) {
            Some(value) if !self.facts.symbolic.contains(name) || self.pinned.contains(name) => {
                Ok(Expr::Constant(value))
            }
            _ => {
                let parameter = self.parameter(name, ParameterOrigin::Variable);
                match *self.parameter_variables.entry(parameter).or_insert(id) == id {
                    true => Ok(Expr::Parameter(parameter)),
                    false => refuse(e, format!("there are two variables `{name}`")),
                }
            }
        }
    }

    fn affine_constant(&mut self, e: &Expression, name: &str) -> Affine {
        if let Some(value) = self.site.unit.enumerators.get(name) {
            return Ok(self.symbol(name, *value));
        }
        let Some(text) = self.site.table.object(name) else {
            return refuse(e, format!("`{name}` is not declared in this file"));
        };
        match crate::syntax::expression_from(text, self.site.table, self.site.typedefs) {
            Some(Expression { kind: ExpressionKind::Integer(value, _), .. }) => Ok(self.symbol(name, value)),
            Some(body) if !mentions(&body, name) => {
                if let Some(value) = crate::constant::value(&body, &|_| None) {
                    return Ok(self.symbol(name, value));
                }
                self.affine_parts(&body).map_err(|error| NotAffine { span: e.span.clone(), ..error })
            }
            _ => refuse(e, format!("the macro `{name}` is not an integer")),
        }
    }

    /// A constant: symbolic if it names a size (and so is positive), else taken at its value.
    fn symbol(&mut self, name: &str, value: i64) -> Expr {
        if value > 0 && self.facts.symbolic.contains(name) && !self.pinned.contains(name) {
            return Expr::Parameter(self.parameter(name, ParameterOrigin::Constant(value)));
        }
        self.used_pins.insert(name.to_string(), value);
        Expr::Constant(value)
    }

    fn parameter(&mut self, name: &str, origin: ParameterOrigin) -> ParameterId {
        let known = self.parameters.iter().position(|p| p.name == name && p.origin == origin);
        ParameterId(known.unwrap_or_else(|| {
            self.parameters.push(Parameter { name: name.to_string(), origin, most: None });
            self.parameters.len() - 1
        }))
    }

    /// The type of `e`.
    pub(super) fn scalar_of(&self, e: &Expression) -> Scalar {
        match &e.kind {
            ExpressionKind::Integer(_, scalar) | ExpressionKind::Cast(scalar, _) => *scalar,
            ExpressionKind::Name(_, Some(id)) => self.variable_scalar(*id),
            ExpressionKind::Name(name, None) => match self.site.table.object(name) {
                Some(text) => crate::syntax::expression_from(text, self.site.table, self.site.typedefs)
                    .filter(|body| !mentions(body, name))
                    .map_or(Scalar::Unknown, |body| self.scalar_of(&body)),
                None => {
                    self.site.unit.enumerators.get(name).map_or(Scalar::Unknown, |value| Scalar::of_constant(*value))
                }
            },
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

    /// Whether a variable lives where other functions can reach it.
    pub(super) fn is_global(&self, id: VariableId) -> bool {
        self.site.unit.variables[id].storage == Storage::Global
    }
}

/// `-1 - e`: all bits of it flipped.
fn mirrored(e: Expr) -> Expr {
    e.scale(-1).add(Expr::Constant(-1))
}

/// The value that a variable always has.
fn fixed_value(variable: &Variable) -> Option<i64> {
    let value = variable.constant.filter(|_| variable.is_const)?;
    match variable.scalar {
        Scalar::Integer { bytes: 8.., signed } => (signed || value >= 0).then_some(value),
        Scalar::Integer { bytes, signed: true } => (value >> (8 * bytes - 1) == value >> 63).then_some(value),
        Scalar::Integer { bytes, signed: false } => (value >> (8 * bytes) == 0).then_some(value),
        _ => None,
    }
}

pub(super) fn mentions(body: &Expression, wanted: &str) -> bool {
    let mut found = false;
    body.walk(&mut |e| found |= matches!(&e.kind, ExpressionKind::Name(name, _) if name == wanted));
    found
}
