//! What is known around a statement that runs in local memory.
//!
//! The counters of the loops around it are sizes there. While they stand still, these facts hold:
//!
//! * the condition of each loop around, and that its counter has not left its first value against the direction of the step;
//! * the condition of each `if` around, as far as data does not decide it,
//!
//! if nothing in them can have changed since they were tested. What is not affine is not known.
//!
//! Example: in `for (int i = 0; i < n; i++) { #pragma polyfold local … }` it is known of i that `0 <= i < n`.
//!
//! *Changing* is what some loop around assigns or declares, and every product of such a thing: all other sizes are the same at every
//! instance of the statement.

use super::{Lowering, Stop};
use crate::syntax::{BinaryOperator, Expression, ExpressionKind, ForStart, Statement, StatementKind, VariableId};
use polyfold_scop::{Comparison, Condition, Expr, ParameterId, Span, Storage, Surroundings};

impl<'a> Lowering<'a> {
    /// What surrounds the scop; facts about sizes are added to `known`.
    pub(super) fn surroundings(&mut self, known: &mut Vec<Condition>) -> Surroundings {
        let around = self.around();
        for statement in &around {
            for fact in self.facts_of(statement) {
                if !fact.depends_on_data() && !known.contains(&fact) {
                    known.push(fact);
                }
            }
        }
        let outermost = around.iter().find(|s| matches!(s.kind, StatementKind::For { .. } | StatementKind::Other(..)));
        let ids = (0..self.parameters.len()).map(ParameterId);
        let changing = ids.filter(|id| outermost.is_some_and(|s| self.changes_within(*id, &s.span))).collect();
        Surroundings { changing, products: self.products.clone(), parallel: !self.site.threads.is_empty() }
    }

    /// The statements around the scop, outermost first.
    fn around(&self) -> Vec<&'a Statement> {
        let Some(inner) = self.site.statements.first().map(|s| s.span.clone()) else { return Vec::new() };
        let holds = |s: &&Statement| s.span.start <= inner.start && inner.end <= s.span.end && s.span != inner;
        let mut around = Vec::new();
        let mut next = Some(&self.site.function.body);
        while let Some(statement) = next {
            around.push(statement);
            next = match &statement.kind {
                StatementKind::Block(list) | StatementKind::Other(_, list, _) => list.iter().find(holds),
                StatementKind::For { body, .. } | StatementKind::Label(_, body) => Some(&**body).filter(holds),
                StatementKind::If(_, then, otherwise) => {
                    std::iter::once(&**then).chain(otherwise.as_deref()).find(holds)
                }
                StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => None,
            };
        }
        around
    }

    fn facts_of(&mut self, statement: &'a Statement) -> Vec<Condition> {
        match &statement.kind {
            StatementKind::For { start, condition, update, .. } => {
                let mut facts: Vec<Condition> =
                    condition.iter().flat_map(|c| self.fact(c, true, &statement.span)).collect();
                if let (Some((counter, first)), Some(update)) = (first_value(start), update) {
                    facts.extend(self.first_fact(counter, first, update, &statement.span));
                }
                facts
            }
            StatementKind::If(condition, then, _) => {
                let at = self.site.expanded.position_of(self.site.span.start);
                self.fact(condition, then.span.start <= at && at < then.span.end, &statement.span)
            }
            _ => Vec::new(),
        }
    }

    /// The parts of a condition that held when it was tested last, and still do.
    fn fact(&mut self, e: &'a Expression, holds: bool, within: &Span) -> Vec<Condition> {
        if let (ExpressionKind::Binary(BinaryOperator::And, a, b), true) = (&e.kind, holds) {
            return [self.fact(a, true, within), self.fact(b, true, within)].concat();
        }
        if !self.keeps_still(e, within) {
            return Vec::new();
        }
        let wanted = self.wanted_pins.clone();
        let mut found = Condition::always();
        let obligations = self.obligations_of(|walk| found = walk.condition(e));
        self.wanted_pins = wanted;
        match obligations.is_empty() {
            true if holds => vec![found],
            true => vec![found.negate()],
            false => Vec::new(),
        }
    }

    /// A counter that goes up has at least its first value.
    fn first_fact(
        &mut self,
        counter: VariableId,
        first: &'a Expression,
        update: &'a Expression,
        within: &Span,
    ) -> Option<Condition> {
        let mut is_still = true;
        first.walk(&mut |e| is_still &= e.variable().is_none_or(|v| self.stays(v, within)));
        if !is_still || !self.is_set_in_head_only(counter, within) {
            return None;
        }
        let (wanted, mut step, mut value) = (self.wanted_pins.clone(), Err(Stop::Pin(Default::default())), None);
        let obligations = self.obligations_of(|walk| {
            step = walk.step(counter, update);
            value = walk.affine(first).ok();
            walk.note_exact(first);
        });
        self.wanted_pins = wanted;
        let (Ok(step), Some(value), true) = (step, value, obligations.is_empty()) else { return None };
        let name = self.site.unit.variables[counter].name.clone();
        let counter = Expression { kind: ExpressionKind::Name(name, Some(counter)), span: first.span.clone() };
        let counter: Expr = self.affine(&counter).ok()?;
        let comparison = if step > 0 { Comparison::GreaterEqual } else { Comparison::LessEqual };
        Some(Condition::Compare(counter, comparison, value))
    }

    /// Whether no variable in an expression changes between the head of the statement at `within` and the scop.
    fn keeps_still(&self, e: &Expression, within: &Span) -> bool {
        let mut still = true;
        e.walk(&mut |part| {
            still &= part.variable().is_none_or(|v| self.stays(v, within) || self.is_set_in_head_only(v, within));
        });
        still
    }

    /// Whether nothing assigns a variable within a statement.
    fn stays(&self, id: VariableId, within: &Span) -> bool {
        self.is_private(id) && !self.assigned_within(id, within).any(|_| true)
    }

    /// Whether a variable is the counter of the loop at `within`, which only its head assigns.
    fn is_set_in_head_only(&self, id: VariableId, within: &Span) -> bool {
        let around = self.around();
        let Some(statement) = around.iter().find(|s| s.span == *within) else { return false };
        let StatementKind::For { start, body, .. } = &statement.kind else { return false };
        let is_counter = first_value(start).is_some_and(|(counter, _)| counter == id);
        is_counter && self.is_private(id) && !self.assigned_within(id, &body.span).any(|_| true)
    }

    /// Whether a variable is the function's own, and nobody has its address.
    fn is_private(&self, id: VariableId) -> bool {
        let variable = &self.site.unit.variables[id];
        let is_own = matches!(variable.storage, Storage::Parameter | Storage::Local) || variable.is_const;
        is_own && !self.facts.address_taken.contains(&id)
    }

    fn assigned_within(&self, id: VariableId, span: &Span) -> impl Iterator<Item = usize> {
        let places = self.facts.assigned_at.get(&id).into_iter().flatten().copied();
        let span = span.clone();
        places.filter(move |at| span.contains(at))
    }

    /// Whether a parameter may have another value at the next instance.
    fn changes_within(&self, id: ParameterId, outermost: &Span) -> bool {
        if let Some(product) = self.products.iter().find(|product| product.parameter == id) {
            return product.factors.iter().any(|factor| self.changes_within(*factor, outermost));
        }
        self.parameter_variables.get(&id).is_some_and(|variable| {
            let declared = &self.site.unit.variables[*variable];
            outermost.contains(&declared.name_span.start) || !self.stays(*variable, outermost)
        })
    }
}

/// The counter of a loop, and its first value.
fn first_value(start: &ForStart) -> Option<(VariableId, &Expression)> {
    match start {
        ForStart::Declaration(list) => match &list[..] {
            [(counter, Some(first))] => Some((*counter, first)),
            _ => None,
        },
        ForStart::Expression(Expression { kind: ExpressionKind::Assign(operator, place, first), .. }) => {
            place.variable().filter(|_| operator == "=").map(|counter| (counter, &**first))
        }
        _ => None,
    }
}
