//! Whether a function that is called pure keeps to that, as far as its text shows.
//!
//! A pointer among its parameters may stand only as `*p` or `p[0]`: what is `p[k]`, `p + 1`, or passed on, may reach other elements.
//! It is written first, and always, if an assignment `*p = …` stands among the statements of the body itself, and nothing in front of
//! it mentions p or may leave the function. Else the call may read the element, and need not write it.
//!
//! Beside that the function, and each that it calls, sets its own variables and what its pointers lead to only, reads no variables
//! of the file that the scop uses, too, keeps nothing in `static` ones, and calls no others than are known to be pure.
//!
//! Limit: what stands in no definition of this file is the user's word.

use super::super::Lowering;
use super::super::access::chain;
use super::{Effect, Objection};
use polyfold_c::library::is_value;
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, Function, Statement, StatementKind, Storage, UnaryOperator, VariableId,
};
use polyfold_scop::Span;
use std::collections::BTreeSet;

const SPLIT: &str = "take out of the function what is not about its arguments, or do not declare it pure";

impl Lowering<'_> {
    /// What the definition says of what the types of parameters promise.
    pub(super) fn defined_effects(&self, function: &Function, effects: Vec<Effect>) -> Result<Vec<Effect>, Objection> {
        self.check_body(function, &mut BTreeSet::new())?;
        if function.parameters.len() != effects.len() {
            let (why, help) = ("not all of its parameters have names".to_string(), "give them names");
            return Err(Objection { why, span: function.span.start..function.body.span.start, help });
        }
        let pairs = function.parameters.iter().zip(effects);
        Ok(pairs.map(|(parameter, effect)| self.defined_effect(function, *parameter, effect)).collect())
    }

    fn defined_effect(&self, function: &Function, parameter: VariableId, effect: Effect) -> Effect {
        if !matches!(effect, Effect::Reads | Effect::Writes) {
            return effect;
        }
        if let Some(span) = self.stray_use(function, parameter) {
            let name = &self.site.unit.variables[parameter].name;
            let line = self.line(&span);
            return Effect::Unclear(format!(
                "which at line {line} uses `{name}` for more than the element that it points to"
            ));
        }
        match effect {
            Effect::Writes if !self.is_written_first(function, parameter) => Effect::Updates,
            effect => effect,
        }
    }

    /// Where a pointer stands in another way than `*p` or `p[0]`.
    fn stray_use(&self, function: &Function, parameter: VariableId) -> Option<Span> {
        let (mut all, mut plain) = (Vec::new(), BTreeSet::new());
        self.walk(function, &mut |e| {
            if e.variable() == Some(parameter) {
                all.push(e.span.clone());
            }
            if let Some(pointer) = pointed(e).filter(|pointer| pointer.variable() == Some(parameter)) {
                plain.insert(pointer.span.start);
            }
        });
        all.into_iter().find(|span| !plain.contains(&span.start))
    }

    fn is_written_first(&self, function: &Function, parameter: VariableId) -> bool {
        let StatementKind::Block(statements) = &function.body.kind else { return false };
        for statement in statements {
            if let StatementKind::Expression(e) = &statement.kind
                && sets(e, parameter)
            {
                return true;
            }
            let mut mentions = false;
            self.walk_statement(statement, &mut |e| mentions |= e.variable() == Some(parameter));
            if mentions || may_leave(statement) {
                return false;
            }
        }
        false
    }

    /// All expressions of a function's body, extents of its variables included.
    fn walk<'s>(&'s self, function: &'s Function, visit: &mut dyn FnMut(&'s Expression)) {
        self.walk_statement(&function.body, visit);
    }

    fn walk_statement<'s>(&'s self, statement: &'s Statement, visit: &mut dyn FnMut(&'s Expression)) {
        statement.walk(visit);
        let declared = self.site.unit.variables.iter().filter(|v| statement.span.contains(&v.name_span.start));
        for derivation in declared.flat_map(|variable| &variable.shape) {
            if let Derivation::Array(Some(extent)) = derivation {
                extent.walk(visit);
            }
        }
    }

    /// Whether a function sets, reads and calls only what a pure one may.
    fn check_body(&self, function: &Function, seen: &mut BTreeSet<String>) -> Result<(), Objection> {
        if !seen.insert(function.name.clone()) {
            return Ok(());
        }
        let object = |why: String, span: &Span| Objection { why, span: span.clone(), help: SPLIT };
        let unread = self.site.unit.errors.iter().find(|error| function.span.contains(&error.start));
        if let Some(span) = unread.or(unread_part(&function.body)) {
            return Err(object("its definition has a part that polyfold cannot read".to_string(), span));
        }
        let (mut all, mut callees) = (Vec::new(), BTreeSet::new());
        self.walk(function, &mut |e| {
            if let ExpressionKind::Call(callee, _) = &e.kind {
                callees.insert(callee.span.start);
            }
            all.push(e);
        });
        for e in all {
            let at = |why: String| Err(object(why, &e.span));
            match &e.kind {
                ExpressionKind::Name(_, Some(id)) => {
                    if let Some(why) = self.shared_variable(*id) {
                        return at(why);
                    }
                }
                ExpressionKind::Name(name, None) if !callees.contains(&e.span.start) && !self.is_constant(name) => {
                    return at(format!("it mentions `{name}`, which this file does not declare"));
                }
                ExpressionKind::Assign(_, place, _) | ExpressionKind::Step(_, place)
                    if !self.is_own(place, function) =>
                {
                    return at(
                        "it sets what is neither a variable of its own nor what a pointer leads to that it gets".into(),
                    );
                }
                ExpressionKind::Call(callee, _) => self.check_callee(callee, seen)?,
                ExpressionKind::Other(what, _) if !KNOWN_PARTS.contains(what) => {
                    return at(format!("its definition has {what} that polyfold cannot read"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Why a variable is none that a pure function may mention.
    fn shared_variable(&self, id: VariableId) -> Option<String> {
        let variable = &self.site.unit.variables[id];
        let name = &variable.name;
        let mut in_scop = false;
        self.site.statements.iter().for_each(|s| s.walk(&mut |e| in_scop |= e.variable() == Some(id)));
        match variable.storage {
            _ if variable.is_volatile => Some(format!("it mentions `{name}`, which is volatile")),
            Storage::Local | Storage::Parameter => None,
            _ if variable.is_const() => None,
            Storage::StaticLocal => Some(format!("it keeps `{name}` from call to call")),
            Storage::Global if variable.may_be_volatile => {
                Some(format!("it mentions `{name}`, whose type may be volatile"))
            }
            Storage::Global if in_scop => Some(format!("it uses `{name}`, and so does the scop")),
            Storage::Global => None,
        }
    }

    /// Whether a place is a local variable, a part of one, or what a parameter points to.
    fn is_own(&self, place: &Expression, function: &Function) -> bool {
        match &place.kind {
            ExpressionKind::Field(inner, member) if !member.through_pointer => self.is_own(inner, function),
            ExpressionKind::Field(inner, _) => self.is_parameter(inner, function),
            ExpressionKind::Unary(UnaryOperator::Dereference, inner) => self.is_parameter(inner, function),
            ExpressionKind::Name(..) | ExpressionKind::Index(..) => {
                let chain = chain(place);
                let Some(id) = chain.base.variable() else {
                    return matches!(chain.base.kind, ExpressionKind::Field(..)) && self.is_own(chain.base, function);
                };
                let variable = &self.site.unit.variables[id];
                let is_local = variable.storage == Storage::Local;
                let is_pointer = matches!(variable.shape.first(), Some(Derivation::Pointer(_))) || variable.hides_array;
                let is_inside = is_local && !is_pointer && chain.subscripts.len() <= variable.dimensions();
                is_inside || self.is_parameter(chain.base, function)
            }
            _ => false,
        }
    }

    fn is_parameter(&self, e: &Expression, function: &Function) -> bool {
        e.variable().is_some_and(|id| function.parameters.contains(&id))
    }

    fn check_callee(&self, callee: &Expression, seen: &mut BTreeSet<String>) -> Result<(), Objection> {
        let name = match &callee.kind {
            ExpressionKind::Name(name, None) => name.as_str(),
            _ => "a function pointer",
        };
        match self.site.unit.functions.iter().find(|function| function.name == name) {
            Some(function) => self.check_body(function, seen),
            None if is_value(name) || self.site.prototypes.has(name) => Ok(()),
            None => Err(Objection {
                why: format!("it calls {}, which is not known to be pure", quoted(name)),
                span: callee.span.clone(),
                help: "declare that pure, too, if it is",
            }),
        }
    }
}

fn quoted(name: &str) -> String {
    if name.contains(' ') { name.to_string() } else { format!("`{name}`") }
}

/// Parts that have no kind of their own, and whose own parts are all there is to them.
const KNOWN_PARTS: [&str; 4] = ["a type", "a comma expression", "a compound literal", "an initializer list"];

/// The pointer of `*p` or `p[0]`.
fn pointed(e: &Expression) -> Option<&Expression> {
    match &e.kind {
        ExpressionKind::Unary(UnaryOperator::Dereference, pointer) => Some(pointer),
        ExpressionKind::Index(pointer, at) if matches!(at.kind, ExpressionKind::Integer(0, _)) => Some(pointer),
        _ => None,
    }
}

/// Whether `e` is `*p = …`, or a chain of such assignments, in which nothing else mentions p.
fn sets(e: &Expression, parameter: VariableId) -> bool {
    let mut mentions = 0;
    e.walk(&mut |part| mentions += usize::from(part.variable() == Some(parameter)));
    let mut part = e;
    while let ExpressionKind::Assign(operator, place, value) = &part.kind {
        if operator == "=" && pointed(place).and_then(Expression::variable) == Some(parameter) {
            return mentions == 1;
        }
        part = value;
    }
    false
}

/// Whether something in a statement may end the function, or jump.
fn may_leave(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => false,
        StatementKind::Block(list) => list.iter().any(may_leave),
        StatementKind::For { body, .. } => may_leave(body),
        StatementKind::If(_, then, otherwise) => may_leave(then) || otherwise.as_deref().is_some_and(may_leave),
        StatementKind::Label(..) | StatementKind::Other(..) => true,
    }
}

/// A statement that the front end has no name for.
fn unread_part(statement: &Statement) -> Option<&Span> {
    match &statement.kind {
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
        StatementKind::Block(list) => list.iter().find_map(unread_part),
        StatementKind::For { body, .. } => unread_part(body),
        StatementKind::If(_, then, otherwise) => {
            unread_part(then).or_else(|| otherwise.as_deref().and_then(unread_part))
        }
        StatementKind::Label(_, inner) => unread_part(inner),
        StatementKind::Other(what, list, _) => match *what {
            "this construct" | "a very deep nest of statements" => Some(&statement.span),
            _ => list.iter().find_map(unread_part),
        },
    }
}
