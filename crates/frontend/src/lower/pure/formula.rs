//! Functions of the file that are nothing but a formula of their arguments.
//!
//! ```c
//! static int clamped(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
//! ```
//!
//! A call of one is a value, like that of `fabs`: nobody needs to say that it is pure. Its parameters are numbers; its body sets variables of its own, branches and returns, without loops or
//! jumps, so that it returns; it reads its arguments, its variables and constants, tables of them included, and follows no pointer; and it calls formulas, and functions of the C library that are.
//!
//! Invariant: what the text does not show to be so is none. One that may be another function when the program is linked (`weak`) is none either.

use super::super::Lowering;
use super::super::access::chain;
use super::super::arrays::dimensions;
use super::super::escape::is_pure;
use crate::syntax::{
    Derivation, Expression, ExpressionKind, Function, Scalar, Statement, StatementKind, UnaryOperator, Variable,
    VariableId,
};
use polyfold_lex::tokens;
use polyfold_scop::Storage;

impl Lowering<'_> {
    /// Whether a call of a function of the file has a value, and does nothing else.
    pub(in super::super) fn is_formula(&self, name: &str, arguments: usize) -> bool {
        self.is_formula_within(name, arguments, &[])
    }

    /// The same, called by functions that may not be called again.
    fn is_formula_within(&self, name: &str, arguments: usize, callers: &[&str]) -> bool {
        let mut own = self.site.unit.functions.iter().filter(|function| function.name == name);
        let (Some(function), None) = (own.next(), own.next()) else { return false };
        let takes_numbers = function.parameters.len() == arguments
            && function.parameters.iter().all(|id| is_number(&self.site.unit.variables[*id]));
        let is_read = !self.site.unit.errors.iter().any(|error| function.span.contains(&error.start));
        let callers = [callers, &[name]].concat();
        takes_numbers
            && is_read
            && !function.returns_void
            && !callers[..callers.len() - 1].contains(&name)
            && !self.may_be_another(function)
            && self.is_straight(&function.body, &callers)
    }

    /// Whether the linker may put another function in its place.
    fn may_be_another(&self, function: &Function) -> bool {
        let head = &self.site.expanded.text[function.span.start..function.body.span.start];
        let is_static = tokens(head).iter().any(|token| &head[token.span.clone()] == "static");
        let chooses = |word: &str| ["weak", "__weak__", "ifunc", "alias", "weakref"].contains(&word);
        let text = &self.site.expanded.text;
        !is_static && tokens(text).iter().any(|token| chooses(&text[token.span.clone()]))
    }

    /// Whether a statement sets variables, branches and returns only.
    fn is_straight(&self, statement: &Statement, callers: &[&str]) -> bool {
        let is_value = |e: &Expression| self.is_value(e, callers);
        match &statement.kind {
            StatementKind::Empty => true,
            StatementKind::Block(list) => list.iter().all(|inner| self.is_straight(inner, callers)),
            StatementKind::Expression(e) => is_value(e),
            StatementKind::Declaration(all) => {
                all.iter().all(|(id, value)| self.is_known(*id) && value.as_ref().is_none_or(is_value))
            }
            StatementKind::If(condition, then, otherwise) => {
                let branches = [Some(then), otherwise.as_ref()];
                is_value(condition) && branches.into_iter().flatten().all(|inner| self.is_straight(inner, callers))
            }
            StatementKind::Other("a `return`", list, values) => list.is_empty() && values.iter().all(is_value),
            StatementKind::For { .. } | StatementKind::Label(..) | StatementKind::Other(..) => false,
        }
    }

    /// Whether an expression computes a number, and sets nothing but the function's variables.
    fn is_value(&self, e: &Expression, callers: &[&str]) -> bool {
        let are_values = |parts: Vec<&Expression>| parts.into_iter().all(|part| self.is_value(part, callers));
        match &e.kind {
            ExpressionKind::Integer(..) | ExpressionKind::Literal => true,
            ExpressionKind::Name(_, Some(id)) => self.is_known(*id) && self.site.unit.variables[*id].is_scalar(),
            ExpressionKind::Name(name, None) => self.is_constant(name),
            ExpressionKind::Call(callee, arguments) => {
                let ExpressionKind::Name(name, None) = &callee.kind else { return false };
                let is_defined = self.site.unit.functions.iter().any(|function| function.name == *name);
                let is_one = match is_defined {
                    true => self.is_formula_within(name, arguments.len(), callers),
                    false => is_pure(name),
                };
                is_one && are_values(arguments.iter().collect())
            }
            ExpressionKind::Index(..) => {
                let chain = chain(e);
                let is_cell = chain.base.variable().is_some_and(|id| {
                    let variable = &self.site.unit.variables[id];
                    self.is_known(id) && chain.subscripts.len() == dimensions(variable)
                });
                is_cell && are_values(chain.subscripts.to_vec())
            }
            ExpressionKind::Assign(_, place, value) => {
                place.variable().is_some_and(|id| self.is_of_the_call(id)) && are_values(vec![place, value])
            }
            ExpressionKind::Step(_, place) => {
                place.variable().is_some_and(|id| self.is_of_the_call(id)) && self.is_value(place, callers)
            }
            ExpressionKind::Unary(UnaryOperator::Dereference | UnaryOperator::Address, _) => false,
            ExpressionKind::Unary(..)
            | ExpressionKind::Binary(..)
            | ExpressionKind::Ternary(..)
            | ExpressionKind::Cast(..)
            | ExpressionKind::Other("a type" | "a comma expression", _) => are_values(e.parts()),
            ExpressionKind::Field(..) | ExpressionKind::Sizeof(_) | ExpressionKind::Other(..) => false,
        }
    }

    /// Whether it is a variable of the call.
    fn is_of_the_call(&self, id: VariableId) -> bool {
        let variable = &self.site.unit.variables[id];
        matches!(variable.storage, Storage::Local | Storage::Parameter) && is_number(variable)
    }

    /// Whether it is that, or a constant, or a table of constants.
    fn is_known(&self, id: VariableId) -> bool {
        let variable = &self.site.unit.variables[id];
        let is_table = variable.shape.iter().all(|part| matches!(part, Derivation::Array(_)));
        let is_constant =
            variable.is_const && is_table && matches!(variable.storage, Storage::Global | Storage::StaticLocal);
        self.is_of_the_call(id) || is_constant && is_plain(variable)
    }
}

fn is_number(variable: &Variable) -> bool {
    variable.is_scalar() && is_plain(variable)
}

/// Whether its elements are numbers that nothing but the program changes.
fn is_plain(variable: &Variable) -> bool {
    variable.scalar != Scalar::Unknown
        && !variable.is_volatile
        && !variable.may_be_volatile
        && !variable.hides_array
        && variable.attribute.is_none()
}
