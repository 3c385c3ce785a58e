//! What a name stands for in an affine expression.
//!
//! A counter is itself, a local with an affine value is that value, a variable that does not change in the scop is a
//! parameter, and so is a constant that names a size. Every other constant is its value.
//!
//! Example: with `#define N 10` and `int t[N]`, the bound `i < N` has the parameter `N`; for `N * i` it is pinned and becomes 10.

use super::{Affine, NotAffine, refuse};
use crate::lower::{Lowering, Meaning};
use polyfold_c::syntax::{Expression, ExpressionKind, Scalar, Variable, VariableId};
use polyfold_scop::{Expr, Parameter, ParameterId, ParameterOrigin};
use std::collections::BTreeSet;

impl Lowering<'_> {
    pub(super) fn affine_variable(&mut self, e: &Expression, name: &str, id: VariableId) -> Affine {
        match self.meaning(id) {
            Some(Meaning::Counter(counter)) => return Ok(Expr::Iterator(*counter)),
            Some(Meaning::Value(value)) => return Ok(value.clone()),
            Some(Meaning::Linear(..)) => return refuse(e, format!("`{name}` multiplies two variables")),
            None => {}
        }
        let variable = &self.site.unit.variables[id];
        if !variable.is_scalar() || variable.is_volatile || !matches!(variable.scalar, Scalar::Integer { .. }) {
            return refuse(e, format!("`{name}` is not a plain integer"));
        }
        if !self.is_still_in_block(id) {
            if self.facts.counters.contains(&id) {
                return refuse(e, format!("it uses the counter `{name}` outside its loop"));
            }
            if let Some((why, help)) = self.unread.get(&id).filter(|_| !self.facts.written.contains(&id)) {
                let (why, help) = (format!("where `{name}` is declared, {why}"), *help);
                return Err(NotAffine { span: e.span.clone(), why, pins: BTreeSet::new(), help });
            }
            if self.facts.written.contains(&id) || self.facts.declared_inside.contains(&id) {
                return refuse(e, format!("`{name}` changes in the scop"));
            }
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

    pub(super) fn affine_constant(&mut self, e: &Expression, name: &str) -> Affine {
        let unit = &self.site.unit;
        if unit.ambiguous.contains(name) {
            return refuse(e, format!("`{name}` is an enumerator with several values in this file"));
        }
        let is_inside = |at: &usize| self.site.span.contains(&self.site.expanded.to_file(&(*at..*at)).start);
        if unit.defined_at.get(name).is_some_and(is_inside) {
            return refuse(e, format!("the enumerator `{name}` is defined between the pragmas"));
        }
        if let Some(value) = unit.enumerators.get(name) {
            return Ok(self.symbol(name, *value));
        }
        let Some(text) = self.site.table.object(name) else {
            return refuse(e, format!("`{name}` is not declared in this file"));
        };
        match polyfold_c::syntax::expression_from(text, self.site.table, self.site.typedefs) {
            Some(Expression { kind: ExpressionKind::Integer(value, _), .. }) => Ok(self.symbol(name, value)),
            Some(body) if !mentions(&body, name) => {
                if let Some(value) = polyfold_c::constant::value(&body, &|_| None) {
                    return Ok(self.symbol(name, value));
                }
                self.affine_parts(&body).map_err(|error| NotAffine { span: e.span.clone(), ..error })
            }
            _ => refuse(e, format!("the macro `{name}` is not an integer")),
        }
    }

    /// The size that a counter is inside its loop.
    pub(in crate::lower) fn size_that_counts(&mut self, id: VariableId) -> ParameterId {
        let name = &self.site.unit.variables[id].name;
        let size = self.parameter(name, ParameterOrigin::Variable);
        self.parameter_variables.entry(size).or_insert(id);
        self.counted.push(size);
        size
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

    /// The constants in `e`, if it holds nothing else that varies.
    pub(in crate::lower) fn only_constants(&self, e: &Expr) -> Option<BTreeSet<String>> {
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
}

/// The value that a variable always has.
fn fixed_value(variable: &Variable) -> Option<i64> {
    let value = variable.constant.filter(|_| variable.is_const())?;
    match variable.scalar {
        Scalar::Integer { bytes: 8.., signed } => (signed || value >= 0).then_some(value),
        Scalar::Integer { bytes, signed: true } => (value >> (8 * bytes - 1) == value >> 63).then_some(value),
        Scalar::Integer { bytes, signed: false } => (value >> (8 * bytes) == 0).then_some(value),
        _ => None,
    }
}

/// Whether an expression mentions a name.
pub(in crate::lower) fn mentions(body: &Expression, wanted: &str) -> bool {
    let mut found = false;
    body.walk(&mut |e| found |= matches!(&e.kind, ExpressionKind::Name(name, _) if name == wanted));
    found
}
