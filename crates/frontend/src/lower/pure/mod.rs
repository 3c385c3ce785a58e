//! Calls of functions that the user calls pure.
//!
//! The idea: such a call does no more than its arguments say. Values are read before it. Of an element's address `&a[i][j]`, or a
//! variable's `&s`, the parameter's type says what happens: one to `const` is read, another is written, always, and not read before.
//! Where the file holds the function's definition, that is looked at first (see `definition`).
//!
//! Example: `f(&x[i][j], &y[i][j], x[i - 1][j])` reads `x[i - 1][j]` and writes two cells; each array has dependences of its own.
//!
//! Paper: the GeCoS note (2014), §2.5.2 (multiple writes per statement).
//!
//! Functions that are nothing but formulas of numbers need no such word (see `formula`).
//!
//! Invariant: when the function reads and writes, nobody knows: such accesses happen at any time of the call ([`Moment::Call`]). So do
//! all others of a statement that does more than one such call, or more with its value than assign it, since C then has no order either.

mod definition;
mod formula;

use super::access::{Collector, chain};
use super::embedded::reads_cells;
use super::{Lowered, Lowering};
use crate::diagnostic::{Diagnostic, Severity};
use polyfold_c::prototypes::Passed;
use polyfold_c::syntax::{Expression, ExpressionKind, UnaryOperator};
use polyfold_scop::{AccessKind, Certainty, Code, Moment, Span};
use std::rc::Rc;

/// What a call does with an argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    /// It takes its value.
    Value,
    /// It reads the element at the address.
    Reads,
    /// It writes the element at the address before it reads it.
    Writes,
    /// It may do both.
    Updates,
    /// Nobody knows, with the reason.
    Unclear(String),
}

/// Why a function is not taken to be pure.
struct Objection {
    why: String,
    /// In the expanded text.
    span: Span,
    help: &'static str,
}

impl Lowering<'_> {
    /// What a function does with its arguments, if it is pure.
    pub(super) fn pure_effects(&mut self, name: &str, call: &Expression) -> Option<Rc<Vec<Effect>>> {
        if !self.site.prototypes.has(name) {
            return None;
        }
        if let Some(known) = self.callees.get(name) {
            return known.clone();
        }
        let effects = match self.declared_effects(name, call) {
            Ok(effects) => {
                self.note_updates(name, &effects);
                Some(Rc::new(effects))
            }
            Err(Objection { why, span, help }) => {
                let message = format!("`{name}` is not taken to be pure: {why}");
                let warning = Diagnostic::warning(Code::NotPure, message, self.site.expanded.to_file(&span))
                    .label("here")
                    .help(help);
                self.arrays.warnings.push(warning);
                None
            }
        };
        self.callees.insert(name.to_string(), effects.clone());
        effects
    }

    /// Says which parameters are not plainly written first.
    fn note_updates(&mut self, name: &str, effects: &[Effect]) {
        let site = self.site;
        let Some(function) = site.unit.functions.iter().find(|function| function.name == name) else { return };
        for (parameter, _) in function.parameters.iter().zip(effects).filter(|(_, effect)| **effect == Effect::Updates)
        {
            let parameter = &site.unit.variables[*parameter];
            let message = format!(
                "`{name}` does not plainly write `*{}` before anything else: each call is taken to read it, and to write it perhaps",
                parameter.name
            );
            let note =
                Diagnostic::new(Severity::Note, Code::NotFirst, message, site.expanded.to_file(&parameter.name_span));
            let help = "if it writes it always and first, let it begin with an assignment to it";
            self.arrays.warnings.push(note.label("this one").help(help));
        }
    }

    fn declared_effects(&self, name: &str, call: &Expression) -> Result<Vec<Effect>, Objection> {
        let Some(parameters) = self.site.prototypes.of(name) else {
            let why = "it has no declaration at file scope with the types of its parameters, or several that differ";
            return Err(Objection {
                why: why.to_string(),
                span: call.span.clone(),
                help: "declare it once, with them",
            });
        };
        let of_type = parameters.iter().map(|passed| match passed {
            Passed::Number => Effect::Value,
            Passed::Address { is_const: true } => Effect::Reads,
            Passed::Address { is_const: false } => Effect::Writes,
            Passed::Unclear(what) => Effect::Unclear(format!("whose parameter {what}")),
        });
        let effects: Vec<Effect> = of_type.collect();
        match self.site.unit.functions.iter().find(|function| function.name == name) {
            None => Ok(effects),
            Some(function) => self.defined_effects(function, effects),
        }
    }

    /// A call of a pure function.
    pub(super) fn pure_call(
        &mut self,
        (call, name): (&Expression, &str),
        arguments: &[Expression],
        effects: &[Effect],
        to: &mut Collector,
    ) -> Lowered<()> {
        to.callees.push(name.to_string());
        let mut writes = false;
        for (k, argument) in arguments.iter().enumerate() {
            match (effects.get(k), self.element(argument)) {
                (Some(Effect::Value), None) => self.collect(argument, to)?,
                (Some(effect @ (Effect::Reads | Effect::Writes | Effect::Updates)), Some(element)) => {
                    writes |= *effect != Effect::Reads;
                    self.passed(element, effect, to)?;
                }
                (effect, _) => self.unclear(argument, effect, to)?,
            }
        }
        to.callees.pop();
        to.writing_calls.extend(writes.then(|| call.span.clone()));
        Ok(())
    }

    /// The element whose address an argument is.
    fn element<'e>(&self, argument: &'e Expression) -> Option<&'e Expression> {
        let ExpressionKind::Unary(UnaryOperator::Address, element) = &argument.kind else { return None };
        let chain = chain(element);
        let id = chain.base.variable()?;
        let variable = &self.site.unit.variables[id];
        let is_whole = chain.subscripts.len() == variable.dimensions();
        (is_whole && !variable.hides_array && !self.facts.counters.contains(&id)).then_some(element)
    }

    /// An element that the function reads or writes by its address.
    fn passed(&mut self, element: &Expression, effect: &Effect, to: &mut Collector) -> Lowered<()> {
        let first = to.accesses.len();
        if *effect != Effect::Writes {
            self.reference(element, AccessKind::Read, to)?;
        }
        if *effect != Effect::Reads {
            let behind = to.accesses.len();
            self.reference(element, AccessKind::Write, to)?;
            let is_first = behind == first;
            // The subscripts were read already with the element itself.
            let writes = to.accesses.split_off(behind);
            to.accesses.extend(writes.into_iter().filter(|access| is_first || access.is_write()));
        }
        let place = self.place(&element.span, &[]).map(|(place, _)| place);
        for access in &mut to.accesses[first..] {
            let is_it = access.is_write() || place.as_ref() == Some(&access.place) || access.subscripts.is_none();
            if is_it || place.is_none() {
                access.moment = Moment::Call;
            }
            if access.is_write() && *effect == Effect::Updates {
                access.certainty = Certainty::May;
            }
        }
        Ok(())
    }

    /// An argument of which nobody knows what the function does with it.
    fn unclear(&mut self, argument: &Expression, effect: Option<&Effect>, to: &mut Collector) -> Lowered<()> {
        (to.effects, to.calls) = (true, true);
        self.impure_call.get_or_insert((to.callees.last().cloned().unwrap_or_default(), argument.span.clone()));
        let why = match effect {
            Some(Effect::Unclear(why)) => why.clone(),
            Some(_) => "and pure functions are followed to single elements only, as in `&a[i][j]`".to_string(),
            None => "which has no parameter for it".to_string(),
        };
        let outside = to.unclear.replace(why);
        self.collect(argument, to)?;
        to.unclear = outside;
        Ok(())
    }
}

impl Collector {
    /// Says of a statement that evaluates these expressions what C's order leaves open.
    pub(super) fn settle_order(&mut self, expressions: &[&Expression]) {
        let is_in_order = match (&self.writing_calls[..], expressions) {
            ([], _) => true,
            ([call], [e]) => called(e).is_some_and(|found| found.span == *call),
            _ => false,
        };
        if !is_in_order {
            self.accesses.iter_mut().for_each(|access| access.moment = Moment::Call);
        }
    }
}

/// The call that an expression is, or whose value it assigns to a place that is found without reading cells.
fn called(e: &Expression) -> Option<&Expression> {
    match &e.kind {
        ExpressionKind::Call(..) => Some(e),
        ExpressionKind::Cast(_, inner) => called(inner),
        ExpressionKind::Assign(operator, place, value) if operator == "=" && !reads_cells(place) => called(value),
        _ => None,
    }
}
