//! `for` loops.
//!
//! The idea: a loop is handled if one integer counter runs from a first value by a constant step, as long as a
//! conjunction of bounds holds that all point in the step's direction.

use super::turns::Turns;
use super::{Lowered, Lowering, Meaning, Stop};
use polyfold_c::syntax::{
    BinaryOperator, Expression, ExpressionKind, ForStart, Scalar, Statement, StatementKind, Storage, VariableId,
};
use polyfold_scop::{Code, Comparison, Condition, Expr, Loop, LoopId, Node, Span};

pub(super) struct Header<'a> {
    pub(super) counter: VariableId,
    pub(super) first: &'a Expression,
}

/// A bound: comparison seen from the counter, and the other side.
struct Bound<'a> {
    comparison: Comparison,
    other: &'a Expression,
    whole: &'a Expression,
}

impl<'a> Lowering<'a> {
    /// Lowers a `for`; `collapsed` outer pragmas still reach inward.
    pub(super) fn for_loop(&mut self, statement: &'a Statement, collapsed: usize) -> Lowered<Node> {
        let StatementKind::For { start, condition, update, body } = &statement.kind else {
            return Err(self.decline(
                Code::Construct,
                "this construct is not handled".to_string(),
                &statement.span,
                "here",
                "",
            ));
        };
        self.check_written_out(statement)?;
        let header = self.header(statement, start)?;
        let (Some(condition), Some(update)) = (condition, update) else {
            let help = "write it as `for (i = first; i < bound; i++)`";
            return Err(self.decline(
                Code::LoopHead,
                "this loop has no bound or no step".to_string(),
                &statement.span,
                "",
                help,
            ));
        };
        let step = self.step(header.counter, update)?;
        self.check_counter(&header, body)?;
        let counter = self.counter(header.counter, matches!(start, ForStart::Declaration(_)));
        let first = self.first_value(&header)?;
        let id = self.enter_loop(&header, step > 0 && self.is_natural(&first));
        let outer = self.loops.clone();
        let turns = Turns { id, first: first.clone(), step };
        let loop_condition = self.loop_condition(&header, condition, &turns)?;
        self.note_update(header.counter, condition, update, &turns);
        self.loops.push(id);
        self.check_pins()?;
        let file_span = self.site.expanded.to_file(&statement.span);
        let promise = self.site.pragmas.promise_before(file_span.start);
        let collapsed = collapsed.max(promise.loops);
        self.note_loop(&statement.span, [&condition.span, &update.span, &body.span]);
        let depth = self.meanings.len();
        let body = self.statement(body, None, collapsed.saturating_sub(1))?;
        self.meanings.truncate(depth - 1);
        self.loops = outer;
        Ok(Node::Loop(Loop {
            id,
            iterator: self.site.unit.variables[header.counter].name.clone(),
            counter,
            first,
            condition: loop_condition,
            step,
            parallel: collapsed > 0,
            pragmas: promise.pragmas,
            body,
            line: polyfold_c::source::line_of(self.site.source, file_span.start),
            span: file_span,
        }))
    }

    pub(super) fn check_written_out(&self, statement: &Statement) -> Lowered<()> {
        let Some(name) = self.macro_at(statement.span.start) else { return Ok(()) };
        let message = format!("the macro `{name}` makes a loop");
        Err(self.decline(Code::MadeByMacro, message, &statement.span, "expands to a `for`", "write the `for` out"))
    }

    fn first_value(&mut self, header: &Header<'a>) -> Lowered<Expr> {
        let first = self.bound(header.first)?;
        self.note_as(header.first, self.variable_scalar(header.counter));
        Ok(first)
    }

    /// Gives a loop its number, and its counter its meaning; `natural` counters are never negative.
    fn enter_loop(&mut self, header: &Header, natural: bool) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        if natural {
            self.natural_counters.insert(id);
        }
        self.meanings.push((header.counter, Meaning::Counter(id)));
        id
    }

    fn header(&self, statement: &Statement, start: &'a ForStart) -> Lowered<Header<'a>> {
        let found = match start {
            ForStart::Declaration(list) => match list.as_slice() {
                [(counter, Some(first))] => Some(Header { counter: *counter, first }),
                _ => None,
            },
            ForStart::Expression(Expression { kind: ExpressionKind::Assign(operator, place, first), .. })
                if operator == "=" =>
            {
                place.variable().map(|counter| Header { counter, first })
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let help = "write it as `for (i = first; i < bound; i++)`, with one counter";
            self.decline(
                Code::LoopHead,
                "this loop does not set exactly one counter".to_string(),
                &statement.span,
                "this loop",
                help,
            )
        })
    }

    pub(super) fn check_counter(&self, header: &Header, body: &Statement) -> Lowered<()> {
        let variable = &self.site.unit.variables[header.counter];
        let name = &variable.name;
        let is_wide = matches!(variable.scalar, Scalar::Integer { bytes: 4.., .. }) && variable.is_scalar();
        if !is_wide || variable.is_volatile {
            let message = format!("the loop counter `{name}` has the type `{}`", variable.element);
            return Err(self.decline(
                Code::CounterType,
                message,
                &header.first.span,
                "of this loop",
                "use `int`, `long` or `size_t`",
            ));
        }
        if self.is_global(header.counter) || self.facts.address_taken.contains(&header.counter) {
            let message = format!("the loop counter `{name}` can be changed from elsewhere");
            return Err(self.decline(
                Code::LoopCounter,
                message,
                &header.first.span,
                "of this loop",
                "use a local counter",
            ));
        }
        if let Some(span) = self.facts.used_after(header.counter) {
            let message = format!("the value of the loop counter `{name}` is used after the scop");
            return Err(self.decline(Code::LoopCounter, message, span, "used here", "use a variable of its own"));
        }
        match first_assignment(body, header.counter) {
            None => Ok(()),
            Some(span) => {
                let message = format!("the loop counter `{name}` changes in the loop's body");
                Err(self.decline(
                    Code::LoopCounter,
                    message,
                    &span,
                    "changed here",
                    "change it only in the head of its loop",
                ))
            }
        }
    }

    pub(super) fn step(&mut self, counter: VariableId, update: &'a Expression) -> Lowered<i64> {
        let is_counter = |e: &Expression| e.variable() == Some(counter);
        let (amount, sign) = match &update.kind {
            ExpressionKind::Step(step, place) if is_counter(place) => return Ok(*step),
            ExpressionKind::Assign(operator, place, by) if is_counter(place) => match (operator.as_str(), &by.kind) {
                ("+=", _) => (Some(&**by), 1),
                ("-=", _) => (Some(&**by), -1),
                ("=", ExpressionKind::Binary(BinaryOperator::Add, a, b)) if is_counter(a) => (Some(&**b), 1),
                ("=", ExpressionKind::Binary(BinaryOperator::Add, a, b)) if is_counter(b) => (Some(&**a), 1),
                ("=", ExpressionKind::Binary(BinaryOperator::Subtract, a, b)) if is_counter(a) => (Some(&**b), -1),
                _ => (None, 1),
            },
            _ => (None, 1),
        };
        let help = "step by a constant, as in `i++` or `i += 4`";
        let refused = |walk: &Self| {
            walk.decline(
                Code::LoopHead,
                "this loop's step is not handled".to_string(),
                &update.span,
                "not a constant step",
                help,
            )
        };
        let amount = amount.ok_or_else(|| refused(self))?;
        let value = self.affine(amount).map_err(|_| refused(self))?;
        if let Expr::Constant(step) = value
            && step != 0
            && let Some(step) = step.checked_mul(sign)
        {
            return Ok(step);
        }
        let mut names = std::collections::BTreeSet::new();
        amount.walk(&mut |e| {
            if let ExpressionKind::Name(name, _) = &e.kind
                && self.facts.symbolic.contains(name)
                && !self.pinned.contains(name)
            {
                names.insert(name.clone());
            }
        });
        if names.is_empty() || !matches!(value, Expr::Parameter(_)) || self.only_constants(&value).is_none() {
            return Err(refused(self));
        }
        Err(Stop::Pin(names))
    }

    /// An affine expression in a loop's head.
    fn bound(&mut self, e: &'a Expression) -> Lowered<Expr> {
        match self.affine(e) {
            Ok(bound) => Ok(bound),
            Err(error) if !error.pins.is_empty() => Err(Stop::Pin(error.pins)),
            Err(error) => {
                let message = format!("this bound is not affine: {}", error.why);
                let help = "bounds may use counters, sizes that do not change in the scop, and constants";
                let help = error.help.unwrap_or(help);
                let help = self.local_copy(e, &error.span).unwrap_or_else(|| help.to_string());
                Err(self.decline(Code::BoundNotAffine, message, &error.span, "not affine", &help))
            }
        }
    }

    /// What to write instead of a member that does not change between the pragmas.
    fn local_copy(&self, bound: &Expression, refused: &Span) -> Option<String> {
        let mut found = None;
        bound.walk(&mut |e| {
            if e.span == *refused && matches!(e.kind, ExpressionKind::Field(..)) {
                found = Some(e);
            }
        });
        let mut is_fixed = self.site.expanded.segment_around(refused).is_none();
        found?.walk(&mut |e| {
            is_fixed &= e.variable().is_none_or(|id| {
                let facts = self.facts;
                ![&facts.written, &facts.counters, &facts.declared_inside].iter().any(|set| set.contains(&id))
            });
        });
        let text = &self.site.expanded.text[refused.clone()];
        let name = text.rsplit(['.', '>']).next().unwrap_or(text).trim();
        is_fixed.then(|| format!("copy it to a local first: `const int {name} = {text};`"))
    }

    fn loop_condition(&mut self, header: &Header, e: &'a Expression, turns: &Turns) -> Lowered<Condition> {
        if let ExpressionKind::Binary(BinaryOperator::And, a, b) = &e.kind {
            // The second half is also evaluated where it ends the loop, which is at no iteration: what it obliges to
            // has to hold wherever the loop is reached.
            let a = self.loop_condition(header, a, turns)?;
            let b = self.loop_condition(header, b, turns)?;
            return Ok(match a {
                Condition::All(mut parts) => {
                    parts.push(b);
                    Condition::All(parts)
                }
                a => Condition::All(vec![a, b]),
            });
        }
        let Some(bound) = self.counter_bound(header, e, turns.step)? else { return self.general_bound(e, turns) };
        let other = self.bound(bound.other)?;
        self.check_end(header, &bound, &other, turns.step)?;
        self.note_test(e, turns);
        Ok(Condition::Compare(Expr::Iterator(turns.id), bound.comparison, other))
    }

    /// A bound with the bare counter on one side; `None`: it is of another form.
    fn counter_bound(&self, header: &Header, e: &'a Expression, step: i64) -> Lowered<Option<Bound<'a>>> {
        let ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) = &e.kind else {
            return Err(self.unhandled_condition(e));
        };
        let is_counter = |e: &Expression| plain(e).variable() == Some(header.counter);
        let (comparison, other) = match (is_counter(a), is_counter(b)) {
            (true, false) => (*comparison, b),
            (false, true) => (comparison.mirrored(), a),
            _ => return Ok(None),
        };
        let mut mentions_counter = false;
        other.walk(&mut |part| mentions_counter |= part.variable() == Some(header.counter));
        match (comparison, step > 0) {
            _ if mentions_counter => Ok(None),
            (Comparison::Less | Comparison::LessEqual, true)
            | (Comparison::Greater | Comparison::GreaterEqual, false) => {
                Ok(Some(Bound { comparison, other, whole: e }))
            }
            _ => Err(self.unhandled_condition(e)),
        }
    }

    fn unhandled_condition(&self, e: &Expression) -> Stop {
        let help = "compare the counter with `<` or `<=` if it goes up, with `>` or `>=` if it goes down";
        self.decline(Code::LoopHead, "this loop's condition is not handled".to_string(), &e.span, "not a bound", help)
    }

    /// A comparison in which the counter occurs inside a sum, such as `2*i + j < n`.
    fn general_bound(&mut self, e: &'a Expression, turns: &Turns) -> Lowered<Condition> {
        let (id, step) = (turns.id, turns.step);
        let ExpressionKind::Binary(BinaryOperator::Compare(comparison), a, b) = &e.kind else {
            return Err(self.unhandled_condition(e));
        };
        let (left, right) = (self.bound(a)?, self.bound(b)?);
        let wraps = self.scalar_of(a).with(self.scalar_of(b)).may_wrap();
        let is_safe = !wraps || (step > 0 && self.is_natural(&left) && self.is_natural(&right));
        let slope = match (coefficient(&left, id), coefficient(&right, id)) {
            (Some(a), Some(b)) if is_safe => a.checked_sub(b).and_then(|slope| slope.checked_mul(step.signum())),
            _ => None,
        };
        match (comparison, slope) {
            (Comparison::Less | Comparison::LessEqual, Some(1..))
            | (Comparison::Greater | Comparison::GreaterEqual, Some(..=-1)) => {
                self.note_test(e, turns);
                Ok(Condition::Compare(left, *comparison, right))
            }
            _ => Err(self.unhandled_condition(e)),
        }
    }

    /// Whether a variable lives where other functions can reach it.
    fn is_global(&self, id: VariableId) -> bool {
        self.site.unit.variables[id].storage == Storage::Global
    }

    /// A loop that goes down must end before its unsigned counter wraps around.
    fn check_end(&mut self, header: &Header, bound: &Bound, other: &Expr, step: i64) -> Lowered<()> {
        let counter = self.variable_scalar(header.counter);
        if step > 0 || !counter.with(self.scalar_of(bound.other)).may_wrap() {
            return Ok(());
        }
        let strict = i64::from(bound.comparison == Comparison::Greater);
        let last = other.clone().add(Expr::Constant(strict.saturating_add(step)));
        if last.as_constant().is_some_and(|last| last < 0) {
            let message = "this loop goes below zero with unsigned arithmetic: it never ends".to_string();
            return Err(self.decline(Code::Endless, message, &bound.whole.span, "always true", "use a signed counter"));
        }
        self.oblige_expr(last, polyfold_scop::Bound::Least(0), &bound.whole.span);
        Ok(())
    }
}

/// The expression inside widening casts.
fn plain(e: &Expression) -> &Expression {
    match &e.kind {
        ExpressionKind::Cast(to, inner) if to.is_wide_integer() => plain(inner),
        _ => e,
    }
}

/// The factor of a counter in a sum; `None` if it occurs inside a quotient or choice.
fn coefficient(e: &Expr, id: LoopId) -> Option<i64> {
    match e {
        Expr::Constant(_) | Expr::Parameter(_) => Some(0),
        Expr::Iterator(other) => Some(i64::from(*other == id)),
        Expr::Add(a, b) => coefficient(a, id)?.checked_add(coefficient(b, id)?),
        Expr::Scale(factor, inner) => coefficient(inner, id)?.checked_mul(*factor),
        Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => None,
    }
}

fn first_assignment(body: &Statement, counter: VariableId) -> Option<Span> {
    let mut found = None;
    body.walk(&mut |e| {
        if let ExpressionKind::Assign(_, place, _) | ExpressionKind::Step(_, place) = &e.kind
            && place.variable() == Some(counter)
            && found.is_none()
        {
            found = Some(e.span.clone());
        }
    });
    found
}
