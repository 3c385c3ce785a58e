//! Functions of the file that are nothing but a formula of their arguments.
//!
//! ```c
//! static int clamped(int v) { return v < 0 ? 0 : v > 255 ? 255 : v; }
//! ```
//!
//! A call of one is a value, like that of `fabs`: nobody needs to say that it is pure. Its parameters are numbers; its body sets variables of its own, branches and returns, without loops or
//! jumps, so that it returns; it reads its arguments, its variables and constants, tables of them included, and follows no pointer; and it calls formulas, and functions of the C library that are.
//!
//! Invariant: what the text does not show to be so is none. So none are those that are not `static`: another file may have the definition that is called, or a stronger one (`weak`, `inline` of C99);
//! those with directives in them, which may include anything; those whose name the scop's function may declare anew, as a pointer with an unknown type or a function inside it; constants without
//! values in the file, which may be names of variables; and all in C++, where operators and types may run anything.

use super::super::Lowering;
use super::super::access::chain;
use polyfold_c::lex::{Token, TokenKind, tokens};
use polyfold_c::library::is_value;
use polyfold_c::syntax::Storage;
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, Function, Scalar, Statement, StatementKind, UnaryOperator, Variable,
    VariableId,
};

impl Lowering<'_> {
    /// Whether a call of a function of the file has a value, and does nothing else.
    pub(in super::super) fn is_formula(&self, name: &str, arguments: usize) -> bool {
        !self.is_cpp() && self.means_one_function(name) && self.is_formula_within(name, arguments, &[])
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
            && self.is_all_there(function)
            && self.is_straight(&function.body, &callers)
    }

    /// Whether a function is the file's own, and the file says all of it.
    fn is_all_there(&self, function: &Function) -> bool {
        let head = &self.site.expanded.text[function.span.start..function.body.span.start];
        let words = || tokens(head).into_iter().map(|token| &head[token.span.clone()]);
        let is_odd = |word: &str| ["naked", "__naked__", "alias", "ifunc", "asm", "__asm__", "__asm"].contains(&word);
        let text = &self.site.source[self.site.expanded.to_file(&function.span)];
        let has_directives =
            text.lines().any(|line| ["#", "%:", "??="].iter().any(|sign| line.trim_start().starts_with(sign)));
        function.is_static && !words().any(is_odd) && !has_directives && !text.contains("_Pragma")
    }

    /// Whether a name stands in calls only in the scop's function, so that nothing there has it for something else.
    fn means_one_function(&self, name: &str) -> bool {
        let text = &self.site.expanded.text[self.site.function.span.clone()];
        let is_space = |kind: TokenKind| matches!(kind, TokenKind::Space | TokenKind::Newline);
        let all: Vec<Token> = tokens(text).into_iter().filter(|token| !is_space(token.kind)).collect();
        let word = |at: usize| all.get(at).map_or("", |token| &text[token.span.clone()]);
        let calls = |at: usize| {
            let before = at.checked_sub(1).map(|before| (all[before].kind, word(before)));
            let follows_a_word =
                before.is_some_and(|(kind, word)| kind == TokenKind::Word && !["return", "else", "do"].contains(&word));
            let mut depth = 0;
            let end = (at + 1..all.len()).find(|k| {
                depth += i32::from(word(*k) == "(") - i32::from(word(*k) == ")");
                depth == 0
            });
            word(at + 1) == "(" && !follows_a_word && end.is_some_and(|end| word(end + 1) != "{")
        };
        (0..all.len()).filter(|at| word(*at) == name).all(calls)
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
                    false => is_value(name),
                };
                is_one && are_values(arguments.iter().collect())
            }
            ExpressionKind::Index(..) => {
                let chain = chain(e);
                let is_cell = chain.base.variable().is_some_and(|id| {
                    let variable = &self.site.unit.variables[id];
                    self.is_known(id) && chain.subscripts.len() == variable.dimensions()
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
        let is_global = matches!(variable.storage, Storage::Global | Storage::StaticLocal);
        let is_constant = variable.is_const() && variable.has_initializer && is_table && is_global;
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
