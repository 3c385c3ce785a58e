//! Calls, addresses and sizes: where an array stops being a plain table of cells.
//!
//! The idea: the C library's functions of numbers are just values, and so are the file's own that are formulas; what the user declares as pure does no more than its arguments
//! say (see `pure`, for both); any other call is an effect. An array whose address
//! goes somewhere may be read and written from there at any time, so it keeps its layout.

use super::access::{Chain, Collector, chain};
use super::arrays::Obstacle;
use super::{Lowered, Lowering};
use polyfold_c::library::is_value;
use polyfold_c::syntax::{Doubt, Expression, ExpressionKind, VariableId};
use polyfold_scop::{Access, AccessKind, Certainty, Code, Condition, Moment, Place, Span};

impl Lowering<'_> {
    /// A call: its values are read; unless it is known to be pure, it does something.
    pub(super) fn call(
        &mut self,
        e: &Expression,
        callee: &Expression,
        arguments: &[Expression],
        to: &mut Collector,
    ) -> Lowered<()> {
        let name = match &callee.kind {
            ExpressionKind::Name(name, None) => name.clone(),
            _ => {
                self.collect(callee, to)?;
                "a function pointer".to_string()
            }
        };
        if let Some(effects) = self.pure_effects(&name, e) {
            return self.pure_call((e, &name), arguments, &effects, to);
        }
        let is_own = self.site.unit.functions.iter().any(|f| f.name == name);
        let is_value = if is_own { self.is_formula(&name, arguments.len()) } else { is_value(&name) };
        if !is_value {
            (to.effects, to.calls) = (true, true);
            self.impure_call.get_or_insert((name.clone(), e.span.clone()));
        }
        to.callees.push(name);
        for argument in arguments {
            self.collect(argument, to)?;
        }
        to.callees.pop();
        Ok(())
    }

    /// `doubt` says why there may be no address after all.
    pub(super) fn address(
        &mut self,
        e: &Expression,
        inner: &Expression,
        doubt: Option<&Doubt>,
        to: &mut Collector,
    ) -> Lowered<()> {
        let Chain { base, subscripts } = chain(inner);
        for subscript in subscripts {
            self.collect(subscript, to)?;
        }
        match base.variable() {
            Some(id) => {
                self.followed.insert(base.span.start);
                self.escape(id, &e.span, doubt, to);
                Ok(())
            }
            None if matches!(base.kind, ExpressionKind::Name(..)) => Ok(()),
            None => match &base.kind {
                ExpressionKind::Field(inner, member) if !member.through_pointer => self.address(e, inner, doubt, to),
                _ => self.collect(base, to),
            },
        }
    }

    /// What `sizeof` reads: of a value nothing, of a type the extents in it.
    pub(super) fn size(&mut self, e: &Expression, to: &mut Collector) -> Lowered<()> {
        let ExpressionKind::Other("a type", parts) = &e.kind else {
            self.measured(e);
            return Ok(());
        };
        parts.iter().try_for_each(|part| match &part.kind {
            // The type may be a variable's name: the parser cannot tell.
            ExpressionKind::Name(..) => {
                self.measured(part);
                Ok(())
            }
            _ => self.declarator_extents(part, to),
        })
    }

    fn declarator_extents(&mut self, e: &Expression, to: &mut Collector) -> Lowered<()> {
        match &e.kind {
            ExpressionKind::Other(_, parts) => parts.iter().try_for_each(|part| self.declarator_extents(part, to)),
            _ => self.collect(e, to),
        }
    }

    /// `sizeof` depends on how large an array is declared, and of an element on that there are some.
    pub(super) fn measured(&mut self, e: &Expression) {
        let Chain { base, subscripts } = chain(e);
        if let Some(id) = base.variable() {
            self.followed.insert(base.span.start);
            let variable = &self.site.unit.variables[id];
            let line = self.line(&e.span);
            let (reason, help) = if subscripts.len() < variable.dimensions() {
                (
                    format!("`sizeof` at line {line} depends on its size"),
                    "write the number of bytes with the sizes instead",
                )
            } else if !subscripts.is_empty() {
                (format!("`sizeof` at line {line} mentions an element of it"), "write the element's type instead")
            } else {
                return;
            };
            let array = self.arrays.id(&variable.name, Some(id), variable.dimensions());
            self.arrays.obstruct(
                array,
                Obstacle { code: Code::SizeUsed, reason, span: e.span.clone(), label: "measured here", help },
            );
            return;
        }
        base.parts().into_iter().for_each(|part| self.measured(part));
    }

    /// From here on, the array may be read and written from anywhere.
    pub(super) fn escape(&mut self, id: VariableId, span: &Span, doubt: Option<&Doubt>, to: &mut Collector) {
        let variable = &self.site.unit.variables[id];
        let array = self.arrays.id(&variable.name, Some(id), variable.dimensions());
        let line = self.line(span);
        let copy = "copy what is needed into another array, or leave this statement outside the scop";
        let declare = "if the function uses that one element only, declare it with --pure; or copy what is needed into another array";
        let code = if variable.hides_array { Code::Declared } else { Code::AddressTaken };
        let (reason, label, help) = match (to.callees.last(), doubt) {
            _ if variable.hides_array => (
                "its type is a typedef of an array or pointer: write the extents in the declaration".to_string(),
                "used here",
                "declare it with the element's own type, and brackets for every dimension",
            ),
            (_, Some(doubt)) => (doubt.reason.clone(), "its address may be used here", doubt.help),
            (Some(callee), _) => {
                let why = to.unclear.as_ref().map_or(String::new(), |why| format!(", {why}"));
                (
                    format!("its address is passed to `{callee}` at line {line}{why}"),
                    "its address is used here",
                    declare,
                )
            }
            (None, _) => (format!("its address is taken at line {line}"), "its address is used here", copy),
        };
        self.arrays.obstruct(array, Obstacle { code, reason, span: span.clone(), label, help });
        self.arrays.entries[array.0].escapes = true;
        let place = Place::in_file(self.site.expanded.to_file(span));
        for kind in [AccessKind::Read, AccessKind::Write] {
            to.accesses.push(Access {
                array,
                kind,
                certainty: Certainty::May,
                subscripts: None,
                condition: Condition::always(),
                moment: Moment::InOrder,
                place: place.clone(),
                subscript_spans: Vec::new(),
            });
        }
    }
}
