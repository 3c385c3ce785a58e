//! What is known around a statement that runs in local memory.
//!
//! The counters of the loops around it are sizes there. While they stand still, these facts hold:
//!
//! * the condition of each loop around, and that its counter has not left its first value against the direction of the step;
//! * the condition of each `if` around, as far as data does not decide it,
//! * that the sum which such a condition says to be larger is an `int`, if C computes it as one,
//!
//! if nothing in them can have changed since they were tested. What is not affine is not known, and nothing is where labels let a jump
//! pass by the tests.
//!
//! Example: in `for (int i = 0; i < n; i++) { #pragma polyfold local … }` it is known of i that `0 <= i < n`.
//!
//! Of a product of a counter and a size T not much is known as long as T may be negative. So `T >= 1` is taken for granted, which results that need
//! it ask for, and all facts about the counter are multiplied by T. Of `it < (n + T - 1) / T` it follows that `(it + 1) * T <= n + T - 1`.
//!
//! *Changing* is what some loop around assigns or declares, and every product of such a thing: all other sizes are the same at every
//! instance of the statement.

use super::{Lowering, Stop};
use polyfold_c::syntax::{
    BinaryOperator, Expression, ExpressionKind, ForStart, Scalar, Statement, StatementKind, Storage, VariableId,
};
use polyfold_scop::{Comparison, Condition, Expr, ParameterId, Span, Surroundings};

impl<'a> Lowering<'a> {
    /// What surrounds the scop; facts about sizes are added to `known`.
    pub(super) fn surroundings(&mut self, known: &mut Vec<Condition>) -> Surroundings {
        let around = self.around();
        let tested = if has_labels(&self.site.function.body) { &[][..] } else { &around[..] };
        let mut in_front = Vec::new();
        for statement in tested {
            in_front.push(known.clone());
            for fact in self.facts_of(statement) {
                if !fact.depends_on_data() && !known.contains(&fact) {
                    known.push(fact);
                }
            }
        }
        let outermost = around.iter().find(|s| matches!(s.kind, StatementKind::For { .. } | StatementKind::Other(..)));
        let ids = (0..self.parameters.len()).map(ParameterId);
        let changing = ids.filter(|id| outermost.is_some_and(|s| self.changes_within(*id, &s.span))).collect();
        let changing: Vec<ParameterId> = changing;
        let (positive, derived) = self.of_products(tested, &changing, known);
        let loops = self.loops_around(tested, in_front);
        let (products, parallel) = (self.products.clone(), !self.site.threads.is_empty());
        let computed = std::mem::take(&mut self.computed);
        let counters = around.iter().filter_map(|statement| self.counter_around(statement)).collect();
        Surroundings { changing, products, positive, derived, parallel, loops, counters, computed }
    }

    /// The counter of a loop, without a name if it has none.
    fn counter_around(&self, statement: &Statement) -> Option<String> {
        match &statement.kind {
            StatementKind::For { start, .. } => {
                let counter = first_value(start).map(|(counter, _)| self.site.unit.variables[counter].name.clone());
                Some(counter.unwrap_or_default())
            }
            StatementKind::Other("a `switch`", ..) => None,
            StatementKind::Other(..) => Some(String::new()),
            _ => None,
        }
    }

    /// That sizes which multiply counters are positive, and what follows.
    fn of_products(
        &mut self,
        around: &[&'a Statement],
        changing: &[ParameterId],
        known: &[Condition],
    ) -> (Vec<Condition>, Vec<Condition>) {
        let pairs: Vec<(ParameterId, ParameterId)> = (self.products.iter())
            .filter_map(|product| match product.factors[..] {
                [a, b] if changing.contains(&a) && !changing.contains(&b) => Some((a, b)),
                [a, b] if changing.contains(&b) && !changing.contains(&a) => Some((b, a)),
                _ => None,
            })
            .collect();
        let (mut positive, mut derived) = (Vec::new(), Vec::new());
        let add = |list: &mut Vec<Condition>, fact: Condition| {
            if !list.contains(&fact) {
                list.push(fact)
            }
        };
        for (counter, factor) in pairs {
            add(&mut positive, not_below(Expr::Parameter(factor), 1));
            let quotients: Vec<Expr> = around.iter().filter_map(|s| self.of_quotient(s, counter, factor)).collect();
            let multiples = known.iter().filter_map(natural).filter(|e| mentions(e, counter));
            let multiples: Vec<Expr> = multiples.filter_map(|e| self.multiplied(&e, factor)).collect();
            for e in quotients.into_iter().chain(multiples) {
                add(&mut derived, not_below(e, 0));
            }
        }
        (positive, derived)
    }

    /// `e * factor`, if that needs no new products.
    pub(super) fn multiplied(&mut self, e: &Expr, factor: ParameterId) -> Option<Expr> {
        let before = self.parameters.len();
        let product = self.product(e, &Expr::Parameter(factor));
        if self.parameters.len() == before {
            return product;
        }
        self.parameters.truncate(before);
        self.products.retain(|product| product.parameter.0 < before);
        None
    }

    /// Of a loop with `counter < e / factor`, which begins at 0 or above: `e - (counter + 1) * factor`, which is not negative then.
    fn of_quotient(&mut self, statement: &'a Statement, counter: ParameterId, factor: ParameterId) -> Option<Expr> {
        let quotient = self.compared_quotient(statement)?;
        if (quotient.counter, quotient.factor) != (counter, factor) {
            return None;
        }
        let next = Expr::Parameter(counter).add(Expr::Constant(1));
        let last = self.multiplied(&next, factor)?;
        Some(quotient.dividend.add(last.scale(-1)))
    }

    /// What a loop with `counter < e / factor`, which begins at 0 or above, compares.
    pub(super) fn compared_quotient(&mut self, statement: &'a Statement) -> Option<Quotient> {
        let StatementKind::For { start, condition: Some(condition), .. } = &statement.kind else { return None };
        let (variable, first) = first_value(start)?;
        let ExpressionKind::Binary(BinaryOperator::Compare(Comparison::Less), left, right) = &condition.kind else {
            return None;
        };
        let ExpressionKind::Binary(BinaryOperator::Divide, dividend, divisor) = &right.kind else {
            return None;
        };
        if left.variable() != Some(variable) || !self.keeps_still(condition, &statement.span) || !self.is_int(variable)
        {
            return None;
        }
        let (counter, factor) = (self.parameter_of(variable)?, self.parameter_of(divisor.variable()?)?);
        let (mut value, mut begins) = (None, None);
        let obligations = self.obligations_of(|walk| {
            value = walk.affine(dividend).ok();
            begins = walk.affine(first).ok().and_then(|first| first.as_constant());
            walk.note_exact(dividend);
        });
        if !obligations.is_empty() || begins.is_none_or(|first| first < 0) {
            return None;
        }
        Some(Quotient { counter, dividend: value?, factor })
    }

    /// The parameter that a variable is, if it is one.
    pub(super) fn parameter_of(&self, variable: VariableId) -> Option<ParameterId> {
        self.parameter_variables.iter().find(|(_, own)| **own == variable).map(|(id, _)| *id)
    }

    fn is_int(&self, id: VariableId) -> bool {
        matches!(self.site.unit.variables[id].scalar, Scalar::Integer { signed: true, .. })
    }

    pub(super) fn is_wide_and_signed(&self, id: VariableId) -> bool {
        matches!(self.site.unit.variables[id].scalar, Scalar::Integer { signed: true, bytes: 4.. })
    }

    /// The statements around the scop, outermost first.
    pub(super) fn around(&self) -> Vec<&'a Statement> {
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
                let Some(inner) = self.site.statements.first() else { return Vec::new() };
                let holds = then.span.start <= inner.span.start && inner.span.end <= then.span.end;
                self.fact(condition, holds, &statement.span)
            }
            _ => Vec::new(),
        }
    }

    /// The parts of a condition that held when it was tested last, and still do.
    pub(super) fn fact(&mut self, e: &'a Expression, holds: bool, within: &Span) -> Vec<Condition> {
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
            true if holds => self.fits_of(e, &found).into_iter().chain([found]).collect(),
            true => vec![found.negate()],
            false => Vec::new(),
        }
    }

    /// Of `counter < n + 2`, computed as an `int`: that `n + 2` is one.
    fn fits_of(&self, e: &Expression, found: &Condition) -> Option<Condition> {
        let ExpressionKind::Binary(BinaryOperator::Compare(Comparison::Less | Comparison::LessEqual), _, bound) =
            &e.kind
        else {
            return None;
        };
        let Condition::Compare(_, _, sum @ Expr::Add(..)) = found else { return None };
        let is_int = matches!(self.scalar_of(bound), Scalar::Integer { bytes: 4, signed: true });
        is_int.then(|| Condition::Compare(sum.clone(), Comparison::LessEqual, Expr::Constant(i64::from(i32::MAX))))
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
        // Others wrap around instead of leaving their type.
        if !is_still || !self.is_wide_and_signed(counter) || !self.is_set_in_head_only(counter, within) {
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
    pub(super) fn keeps_still(&self, e: &Expression, within: &Span) -> bool {
        let mut still = true;
        e.walk(&mut |part| {
            still &= part.variable().is_none_or(|v| self.stays(v, within) || self.is_set_in_head_only(v, within));
        });
        still
    }

    /// Whether nothing assigns a variable within a statement.
    pub(super) fn stays(&self, id: VariableId, within: &Span) -> bool {
        self.is_private(id) && !self.assigned_within(id, within).any(|_| true)
    }

    /// Whether a variable is the counter of the loop at `within`, which only its head assigns.
    pub(super) fn is_set_in_head_only(&self, id: VariableId, within: &Span) -> bool {
        let around = self.around();
        let Some(statement) = around.iter().find(|s| s.span == *within) else { return false };
        let StatementKind::For { start, body, .. } = &statement.kind else { return false };
        let is_counter = first_value(start).is_some_and(|(counter, _)| counter == id);
        is_counter && self.is_private(id) && !self.assigned_within(id, &body.span).any(|_| true)
    }

    /// Whether a variable is the function's own, and nobody has its address.
    pub(super) fn is_private(&self, id: VariableId) -> bool {
        let variable = &self.site.unit.variables[id];
        let is_own = matches!(variable.storage, Storage::Parameter | Storage::Local) || variable.is_const();
        is_own && !self.facts.address_taken.contains(&id)
    }

    pub(super) fn assigned_within(&self, id: VariableId, span: &Span) -> impl Iterator<Item = usize> {
        let places = self.facts.assigned_at.get(&id).into_iter().flatten().copied();
        let span = span.clone();
        places.filter(move |at| span.contains(at))
    }

    /// Whether a parameter may have another value at the next instance.
    pub(super) fn changes_within(&self, id: ParameterId, outermost: &Span) -> bool {
        if let Some(product) = self.products.iter().find(|product| product.parameter == id) {
            return product.factors.iter().any(|factor| self.changes_within(*factor, outermost));
        }
        self.parameter_variables.get(&id).is_some_and(|variable| {
            let declared = &self.site.unit.variables[*variable];
            outermost.contains(&declared.name_span.start) || !self.stays(*variable, outermost)
        })
    }
}

/// `counter < dividend / factor`.
pub(super) struct Quotient {
    pub(super) counter: ParameterId,
    pub(super) dividend: Expr,
    pub(super) factor: ParameterId,
}

/// Whether a jump may lead into some statement.
fn has_labels(statement: &Statement) -> bool {
    match &statement.kind {
        StatementKind::Label(..) | StatementKind::Other("a `switch`", ..) => true,
        StatementKind::Block(list) | StatementKind::Other(_, list, _) => list.iter().any(has_labels),
        StatementKind::For { body, .. } => has_labels(body),
        StatementKind::If(_, then, otherwise) => has_labels(then) || otherwise.as_deref().is_some_and(has_labels),
        StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => false,
    }
}

/// An expression that is not negative where a fact holds.
fn natural(fact: &Condition) -> Option<Expr> {
    let Condition::Compare(a, comparison, b) = fact else { return None };
    let difference = |large: &Expr, small: &Expr, gap: i64| {
        Some(large.clone().add(small.clone().scale(-1)).add(Expr::Constant(-gap)))
    };
    match comparison {
        Comparison::Less => difference(b, a, 1),
        Comparison::LessEqual => difference(b, a, 0),
        Comparison::Greater => difference(a, b, 1),
        Comparison::GreaterEqual => difference(a, b, 0),
        Comparison::Equal | Comparison::NotEqual => None,
    }
}

fn mentions(e: &Expr, id: ParameterId) -> bool {
    let mut found = std::collections::BTreeSet::new();
    e.collect_parameters(&mut found);
    found.contains(&id)
}

fn not_below(e: Expr, least: i64) -> Condition {
    Condition::Compare(e, Comparison::GreaterEqual, Expr::Constant(least))
}

/// The counter of a loop, and its first value.
pub(super) fn first_value(start: &ForStart) -> Option<(VariableId, &Expression)> {
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
