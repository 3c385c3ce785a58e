//! Loops around a statement that runs in local memory, in front of which its cells may be copied.
//!
//! From the head of such a loop one gets to the statement through blocks, other such loops, and `if`s whose conditions are affine. What
//! stands beside the statement in these ends normally and calls nothing, so that the arrays it names are all that it touches.
//!
//! Example: in
//!
//! ```c
//! for (int j = 0; j < n; j++) {
//!   s[j] = 0;
//!   for (int k = 0; k < n; k++)
//! #pragma polyfold local
//!     …
//! }
//! ```
//!
//! both loops are found, the inner one with nothing beside the statement, the outer one with `s`, which is written.
//!
//! Limits: an `if` on data on the way ends the list; so does a counter that is declared in front of its loop, or is no signed integer of 32 bits or more.

use super::Lowering;
use super::surroundings::first_value;
use polyfold_c::source::Directive;
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, ForStart, Statement, StatementKind, UnaryOperator, VariableId,
};
use polyfold_scop::{Beside, Condition, Expr, LoopAround, ParameterId, Span};

impl<'a> Lowering<'a> {
    /// The loops around the scop, innermost first. `around`: the statements around it, outermost first; `in_front`: what is known in
    /// front of each.
    pub(super) fn loops_around(&mut self, around: &[&'a Statement], in_front: Vec<Vec<Condition>>) -> Vec<LoopAround> {
        let (mut loops, mut beside): (Vec<LoopAround>, Vec<Beside>) = (Vec::new(), Vec::new());
        let Some(mut inner) = self.site.statements.first().map(|s| s.span.clone()) else { return loops };
        let mut guards = Vec::new();
        for (statement, known) in around.iter().zip(in_front).rev() {
            let is_plain = match &statement.kind {
                StatementKind::Block(list) => {
                    list.iter().filter(|s| s.span != inner).all(|s| self.notes_arrays(s, &mut beside))
                }
                StatementKind::For { .. } => match self.loop_around(statement, known, &beside) {
                    Some(found) => {
                        loops.push(LoopAround { guards: std::mem::take(&mut guards), ..found });
                        true
                    }
                    None => false,
                },
                StatementKind::If(condition, then, otherwise) => {
                    let is_then = then.span.start <= inner.start && inner.end <= then.span.end;
                    let other = if is_then { otherwise.as_deref() } else { Some(&**then) };
                    let guard = self.guard_around(condition, is_then, &statement.span);
                    let is_known = guard.is_some();
                    guards.extend(guard);
                    is_known && other.is_none_or(|s| self.notes_arrays(s, &mut beside))
                }
                _ => false,
            };
            if !is_plain {
                break;
            }
            inner = statement.span.clone();
        }
        loops
    }

    fn loop_around(
        &mut self,
        statement: &'a Statement,
        known: Vec<Condition>,
        beside: &[Beside],
    ) -> Option<LoopAround> {
        let StatementKind::For { start, condition: Some(test), update: Some(update), .. } = &statement.kind else {
            return None;
        };
        let (variable, first) = first_value(start)?;
        let counter = self.parameter_of(variable)?;
        let is_own = matches!(start, ForStart::Declaration(_)) && self.is_wide_and_signed(variable);
        let names_numbers = [first, test].into_iter().all(|e| self.is_of_numbers(e));
        if !is_own || !names_numbers || !self.keeps_still(test, &statement.span) {
            return None;
        }
        let wanted = self.wanted_pins.clone();
        let (mut step, mut value, before) = (None, None, self.computed.len());
        let obligations = self.obligations_of(|walk| {
            step = walk.step(variable, update).ok();
            value = walk.affine(first).ok();
            walk.note_exact(first);
        });
        self.wanted_pins = wanted;
        // What the first value is made of may have changed since.
        self.computed.truncate(before);
        if !obligations.is_empty() || !self.is_set_in_head_only(variable, &statement.span) {
            return None;
        }
        let value = value?;
        let entered = self.of_first_quotient(statement, &value);
        let ids = (0..self.parameters.len()).map(ParameterId);
        let span = self.text_of(&statement.span)?;
        Some(LoopAround {
            takes_lines: self.macro_at(statement.span.start).is_none() && self.takes_lines(&span),
            span,
            counter,
            first: value,
            test: self.test_of_sizes(test)?,
            step: step?,
            entered,
            tested: self.exactly(test),
            guards: Vec::new(),
            known,
            changing: ids.filter(|id| self.changes_within(*id, &statement.span)).collect(),
            beside: beside.to_vec(),
        })
    }

    /// Bytes of the file that make just this part of the program; `None`: a macro makes more.
    fn text_of(&self, span: &Span) -> Option<Span> {
        let expanded = self.site.expanded;
        let made = |at: usize| expanded.segment_at(at).map(|segment| &expanded.segments[segment].at);
        let begins = made(span.start).is_none_or(|made| made.start == span.start);
        let ends = made(span.end.checked_sub(1)?).is_none_or(|made| made.end == span.end);
        (begins && ends).then(|| expanded.to_file(span))
    }

    /// Whether no directive is about a loop, or is in it but for regions and what these hold.
    fn takes_lines(&self, own: &Span) -> bool {
        let is_of_region = |at: usize| self.site.regions.iter().any(|region| region.span().contains(&at));
        let is_about = |directive: &Directive| {
            let behind = &self.site.masked[directive.span.end..];
            let next = directive.span.end + (behind.len() - behind.trim_start().len());
            next == own.start && directive.pragma() != Some("scop")
        };
        let is_inside = |at: usize| own.contains(&at) && !is_of_region(at);
        !self.site.directives.iter().any(|directive| is_inside(directive.span.start) || is_about(directive))
    }

    /// `(first + 1) * T <= e` for `counter < e / T`.
    fn of_first_quotient(&mut self, statement: &'a Statement, first: &Expr) -> Option<Condition> {
        let quotient = self.compared_quotient(statement)?;
        let next = first.clone().add(Expr::Constant(1));
        let least = self.multiplied(&next, quotient.factor)?;
        Some(Condition::Compare(least, polyfold_scop::Comparison::LessEqual, quotient.dividend))
    }

    /// What holds just if an `if` leads to the statement, and still does there.
    fn guard_around(&mut self, condition: &'a Expression, is_then: bool, within: &Span) -> Option<Condition> {
        if !self.is_of_numbers(condition) || !self.keeps_still(condition, within) {
            return None;
        }
        let exactly = self.exactly(condition)?;
        Some(if is_then { exactly } else { exactly.negate() })
    }

    /// What holds just if a condition does.
    fn exactly(&mut self, e: &'a Expression) -> Option<Condition> {
        let wanted = self.wanted_pins.clone();
        let mut found = Condition::Unknown;
        let obligations = self.obligations_of(|walk| found = walk.condition(e));
        self.wanted_pins = wanted;
        (obligations.is_empty() && !found.depends_on_data()).then_some(found)
    }

    /// Whether an expression is made of numbers alone, macros and enumerators among them, and changes nothing.
    fn is_of_numbers(&mut self, e: &Expression) -> bool {
        let mut is_plain = true;
        e.walk(&mut |part| {
            is_plain &= match &part.kind {
                ExpressionKind::Name(_, Some(id)) => self.site.unit.variables[*id].is_scalar(),
                ExpressionKind::Name(_, None) => self.is_affine(part),
                ExpressionKind::Integer(..)
                | ExpressionKind::Binary(..)
                | ExpressionKind::Ternary(..)
                | ExpressionKind::Cast(..) => true,
                ExpressionKind::Unary(operator, _) => {
                    !matches!(operator, UnaryOperator::Address | UnaryOperator::Dereference)
                }
                _ => false,
            };
        });
        is_plain
    }

    /// Notes the arrays that a statement names; whether these are all that it may touch, and it ends normally.
    fn notes_arrays(&mut self, statement: &Statement, noted: &mut Vec<Beside>) -> bool {
        let mut is_plain = self.ends_normally(statement);
        statement.walk(&mut |e| is_plain &= self.notes_array(e, noted));
        is_plain
    }

    fn notes_array(&mut self, e: &Expression, noted: &mut Vec<Beside>) -> bool {
        match &e.kind {
            ExpressionKind::Name(_, Some(id)) => {
                self.note(*id, false, noted);
                self.site.unit.variables[*id].shape.iter().all(|part| matches!(part, Derivation::Array(_)))
            }
            ExpressionKind::Index(base, _) => {
                base.variable().is_none_or(|id| !self.site.unit.variables[id].is_scalar())
            }
            ExpressionKind::Unary(operator, _) => {
                !matches!(operator, UnaryOperator::Address | UnaryOperator::Dereference)
            }
            ExpressionKind::Assign(_, place, _) | ExpressionKind::Step(_, place) => match base_of(place) {
                Some(id) => {
                    self.note(id, true, noted);
                    true
                }
                None => false,
            },
            ExpressionKind::Integer(..)
            | ExpressionKind::Literal
            | ExpressionKind::Binary(..)
            | ExpressionKind::Ternary(..)
            | ExpressionKind::Cast(..) => true,
            ExpressionKind::Name(_, None) => self.is_affine(e),
            ExpressionKind::Call(..)
            | ExpressionKind::Field(..)
            | ExpressionKind::Sizeof(_)
            | ExpressionKind::Other(..) => false,
        }
    }

    fn note(&self, id: VariableId, is_written: bool, noted: &mut Vec<Beside>) {
        let variable = &self.site.unit.variables[id];
        if variable.is_scalar() {
            return;
        }
        match noted.iter_mut().find(|other| other.array == variable.name) {
            Some(other) => other.is_written |= is_written,
            None => noted.push(Beside { array: variable.name.clone(), is_written }),
        }
    }

    /// Whether no part of a statement is a jump, or something else that is not looked into.
    fn ends_normally(&mut self, statement: &Statement) -> bool {
        match &statement.kind {
            StatementKind::Empty | StatementKind::Expression(_) => true,
            StatementKind::Declaration(list) => list.iter().all(|(id, _)| self.has_extents_of_numbers(*id)),
            StatementKind::Block(list) => list.iter().all(|s| self.ends_normally(s)),
            StatementKind::For { body, .. } => self.ends_normally(body),
            StatementKind::If(_, then, otherwise) => {
                self.ends_normally(then) && otherwise.as_deref().is_none_or(|s| self.ends_normally(s))
            }
            StatementKind::Label(..) | StatementKind::Other(..) => false,
        }
    }

    fn has_extents_of_numbers(&mut self, id: VariableId) -> bool {
        let unit = self.site.unit;
        unit.variables[id].shape.iter().all(|part| match part {
            Derivation::Array(extent) => extent.as_ref().is_none_or(|e| self.is_of_numbers(e)),
            Derivation::Pointer(_) | Derivation::Function => false,
        })
    }
}

/// The variable of which an element, or all, is assigned.
fn base_of(place: &Expression) -> Option<VariableId> {
    match &place.kind {
        ExpressionKind::Index(base, _) => base_of(base),
        _ => place.variable(),
    }
}
