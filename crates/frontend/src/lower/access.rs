//! What an expression reads and writes.
//!
//! The idea: one walk in the order of evaluation. A name with all its subscripts is an access; an array with
//! fewer escapes, and from then on the statement may touch any of its cells. What a ternary, `&&` or `||` decides carries
//! the decision as its condition.
//!
//! Example: `x[i] += c ? t[i + 1] : 0` reads `t[i + 1]` if c holds, reads `x[i]`, and writes `x[i]`; `f(t)` may read and write
//! all of t.
//!
//! Paper: Bee §2 asks for affine subscripts. A subscript that is not affine stands for every cell.
//!
//! Invariant: no access is left out; one that is not sure says so ([`Certainty::May`]).
//!
//! Limit: memory behind pointers is not followed, but for cells of the array that a pointer's variable stands for; only an array whose address is taken can be there. It may be
//! volatile, so a statement that reads or writes it stays.

use super::arrays::Obstacle;
use super::{Lowered, Lowering};
use polyfold_c::syntax::{
    BinaryOperator, Derivation, Expression, ExpressionKind, Scalar, UnaryOperator, Variable, VariableId,
};
use polyfold_scop::{
    Access, AccessKind, ArrayId, Certainty, Code, Condition, Effect, Expr, Moment, Place, Span, StatementKind,
};

/// The accesses of one statement, so far.
#[derive(Default)]
pub(super) struct Collector {
    pub(super) accesses: Vec<Access>,
    /// Whether something besides the writes can be seen.
    pub(super) effects: bool,
    /// Whether it calls a function that may do anything.
    pub(super) calls: bool,
    /// Why operators in it may keep addresses of what they get, or do anything else.
    pub(super) operators: Option<Obstacle>,
    /// Whether it reads or writes memory that may be volatile.
    pub(super) touches_volatile: bool,
    pub(super) conditions: Vec<Condition>,
    uncertain: usize,
    /// The calls around the place where the walk is.
    pub(super) callees: Vec<String>,
    /// Why an address that the call at hand gets is not that of one element, read or written.
    pub(super) unclear: Option<String>,
    /// The calls that write through addresses.
    pub(super) writing_calls: Vec<Span>,
}

/// `a[i][j]` taken apart.
pub(super) struct Chain<'e> {
    pub(super) base: &'e Expression,
    pub(super) subscripts: Vec<&'e Expression>,
}

/// Takes subscripts off an expression.
pub(super) fn chain(e: &Expression) -> Chain<'_> {
    match &e.kind {
        ExpressionKind::Index(inner, subscript) => {
            let mut chain = chain(inner);
            chain.subscripts.push(subscript);
            chain
        }
        _ => Chain { base: e, subscripts: Vec::new() },
    }
}

impl Collector {
    /// Whether the statement has to stay even if nobody reads what it writes.
    pub(super) fn must_stay(&self) -> bool {
        self.effects || self.touches_volatile
    }

    /// What may be done with the statement's text, if it has no other effects: `plain`.
    pub(super) fn kind(&self, plain: StatementKind) -> StatementKind {
        match self.must_stay() {
            true if self.calls => StatementKind::Effectful(Effect::Call),
            true => StatementKind::Effectful(Effect::Memory),
            false => plain,
        }
    }

    /// Whether what is reached now is reached each time, as far as data decide.
    pub(super) fn is_sure(&self) -> bool {
        self.uncertain == 0
    }
}

impl Lowering<'_> {
    /// Adds everything that evaluating `e` reads and writes.
    pub(super) fn collect(&mut self, e: &Expression, to: &mut Collector) -> Lowered<()> {
        match &e.kind {
            ExpressionKind::Integer(..) | ExpressionKind::Literal => Ok(()),
            ExpressionKind::Name(..) | ExpressionKind::Index(..) | ExpressionKind::Field(..) => {
                self.reference(e, AccessKind::Read, to)
            }
            ExpressionKind::Assign(operator, place, value) => {
                self.collect(value, to)?;
                self.assign(place, operator == "=", to)
            }
            ExpressionKind::Step(_, place) => self.assign(place, false, to),
            ExpressionKind::Call(callee, arguments) => self.call(e, callee, arguments, to),
            ExpressionKind::Ternary(condition, first, second) => {
                let condition = self.decided(condition, to)?;
                self.collect_if(condition.clone(), first, to)?;
                self.collect_if(condition.negate(), second, to)
            }
            ExpressionKind::Binary(BinaryOperator::And, a, b) => {
                let condition = self.decided(a, to)?;
                self.collect_if(condition, b, to)
            }
            ExpressionKind::Binary(BinaryOperator::Or, a, b) => {
                let condition = self.decided(a, to)?.negate();
                self.collect_if(condition, b, to)
            }
            ExpressionKind::Binary(_, a, b) => {
                self.collect(a, to)?;
                self.collect(b, to)
            }
            ExpressionKind::Unary(UnaryOperator::Address, inner) => self.address(e, inner, None, to),
            ExpressionKind::Unary(UnaryOperator::Dereference, inner) => self.through((e, inner), AccessKind::Read, to),
            ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(_, inner) => self.collect(inner, to),
            ExpressionKind::Sizeof(parts) => parts.iter().try_for_each(|part| self.size(part, to)),
            ExpressionKind::Other("an initializer list", parts) => {
                parts.iter().try_for_each(|part| self.collect(part, to))
            }
            ExpressionKind::Other(what, _) => {
                let message = format!("{what} in a scop is not handled");
                Err(self.decline(Code::Construct, message, &e.span, "not handled", "write it with plain statements"))
            }
        }
    }

    /// Adds what evaluating a condition reads; the condition.
    fn decided(&mut self, e: &Expression, to: &mut Collector) -> Lowered<Condition> {
        self.collect(e, to)?;
        Ok(self.condition(e))
    }

    /// Adds what setting a place reads and writes; unless it is set as a `whole`, its old value is read.
    fn assign(&mut self, place: &Expression, whole: bool, to: &mut Collector) -> Lowered<()> {
        if !whole {
            self.reference(place, AccessKind::Read, to)?;
        }
        self.write(place, whole, to)
    }

    /// What a declaration's initializer writes.
    pub(super) fn collect_initialization(&mut self, id: VariableId, variable: &Variable, to: &mut Collector) {
        let array = self.arrays.id(&variable.name, Some(id), variable.dimensions());
        let whole = variable.dimensions() == 0;
        let Some((place, _)) = self.place(&variable.name_span, &[]) else { return };
        let certainty = if whole { Certainty::Must } else { Certainty::May };
        to.accesses.push(Access {
            array,
            kind: AccessKind::Write,
            certainty,
            subscripts: whole.then(Vec::new),
            condition: Condition::always(),
            moment: Moment::InOrder,
            place,
            subscript_spans: Vec::new(),
        });
    }

    fn collect_if(&mut self, condition: Condition, e: &Expression, to: &mut Collector) -> Lowered<()> {
        let unknown = condition.depends_on_data();
        if unknown {
            to.uncertain += 1;
        } else {
            to.conditions.push(condition.clone());
        }
        self.conditions.push(condition);
        let result = self.collect(e, to);
        self.conditions.pop();
        if unknown {
            to.uncertain -= 1;
        } else {
            to.conditions.pop();
        }
        result
    }

    fn write(&mut self, place: &Expression, whole: bool, to: &mut Collector) -> Lowered<()> {
        let first_write = to.accesses.len();
        self.reference(place, AccessKind::Write, to)?;
        if !whole {
            // The subscripts were read already with the place's own read.
            let writes: Vec<Access> = to.accesses.drain(first_write..).filter(Access::is_write).collect();
            to.accesses.extend(writes);
        }
        // What has no subscript in the text stays as it is.
        let in_order = to.accesses.iter().filter(|a| a.is_write() && !a.is_in_call() && a.has_subscript_text());
        let written: Vec<ArrayId> = in_order.map(|a| a.array).collect();
        let is_twice = |id: &ArrayId| written.iter().filter(|other| *other == id).count() > 1;
        if to.callees.is_empty() && written.iter().any(is_twice) && !self.writes_escape(to) {
            let message = "this statement writes the same array twice".to_string();
            return Err(self.decline(
                Code::WritesTwice,
                message,
                &place.span,
                "written again",
                "split it into two statements",
            ));
        }
        Ok(())
    }

    fn writes_escape(&self, to: &Collector) -> bool {
        to.accesses.iter().any(|a| a.is_write() && a.subscripts.is_none())
    }

    /// A name, subscripts, or a field of them.
    pub(super) fn reference(&mut self, e: &Expression, kind: AccessKind, to: &mut Collector) -> Lowered<()> {
        if let ExpressionKind::Field(..) = &e.kind {
            return self.member(e, 0, kind, to);
        }
        let Chain { base, subscripts } = chain(e);
        match &base.kind {
            ExpressionKind::Name(name, None) if subscripts.is_empty() => {
                to.effects |= kind == AccessKind::Write;
                to.touches_volatile |= !self.is_constant(name);
                Ok(())
            }
            ExpressionKind::Name(name, None) => {
                to.touches_volatile = true;
                let array = self.arrays.id(name, None, subscripts.len());
                self.subscripted(e, array, &subscripts, kind, to)
            }
            ExpressionKind::Name(_, Some(id)) => {
                self.followed.insert(base.span.start);
                self.variable(e, *id, &subscripts, kind, to)
            }
            ExpressionKind::Field(..) => {
                subscripts.iter().try_for_each(|subscript| self.collect(subscript, to))?;
                self.member(base, subscripts.len(), kind, to)
            }
            _ if subscripts.is_empty() && kind == AccessKind::Read => self.collect(base, to),
            ExpressionKind::Unary(UnaryOperator::Dereference, inner) if subscripts.is_empty() => {
                self.through((e, inner), kind, to)
            }
            _ => {
                to.effects |= kind == AccessKind::Write;
                to.touches_volatile = true;
                match &base.kind {
                    ExpressionKind::Unary(UnaryOperator::Dereference, _) => self.collect(base, to)?,
                    ExpressionKind::Unary(_, inner) | ExpressionKind::Cast(_, inner) => self.collect(inner, to)?,
                    _ => self.collect(base, to)?,
                }
                subscripts.into_iter().try_for_each(|subscript| self.collect(subscript, to))
            }
        }
    }

    fn variable(
        &mut self,
        e: &Expression,
        id: VariableId,
        subscripts: &[&Expression],
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        let site = self.site;
        let variable = &site.unit.variables[id];
        if self.is_cpp() && variable.scalar == Scalar::Unknown {
            (to.effects, to.calls) = (true, true);
            let reason = format!(
                "`{}` at line {} is of type `{}`, whose operators may do anything in C++",
                variable.name,
                self.line(&e.span),
                variable.element
            );
            let help = "use a type of numbers, or leave this statement outside the scop";
            to.operators.get_or_insert(Obstacle {
                code: Code::ClassType,
                reason,
                span: e.span.clone(),
                label: "used here",
                help,
            });
        }
        to.effects |= variable.is_volatile;
        to.touches_volatile |= variable.may_be_volatile || variable.hides_array;
        let wanted = variable.dimensions();
        if wanted == 0 && !variable.hides_array && subscripts.is_empty() {
            return self.scalar(e, id, variable, kind, to);
        }
        if variable.hides_array {
            self.escape(id, &e.span, None, to);
            return subscripts.iter().try_for_each(|s| self.collect(s, to));
        }
        if subscripts.len() < wanted {
            let assigns_pointer = kind == AccessKind::Write && subscripts.is_empty();
            if assigns_pointer && matches!(variable.shape.first(), Some(Derivation::Pointer(_))) {
                let message = format!("the pointer `{}` changes in the scop", variable.name);
                return Err(self.decline(
                    Code::PointerChanges,
                    message,
                    &e.span,
                    "changed here",
                    "copy the values in a loop, or put one step into a function whose parameters are the pointers",
                ));
            }
            self.escape(id, &e.span, None, to);
            return subscripts.iter().try_for_each(|s| self.collect(s, to));
        }
        let array = self.arrays.id(&variable.name, Some(id), wanted);
        match subscripts.len() == wanted {
            true => self.subscripted(e, array, subscripts, kind, to),
            false => self.beyond(e, array, (subscripts, wanted), kind, to),
        }
    }

    /// A plain variable: counters and parameters are not accesses.
    fn scalar(
        &mut self,
        e: &Expression,
        id: VariableId,
        variable: &Variable,
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        let is_counter = self.facts.counters.contains(&id);
        if is_counter && self.meaning(id).is_none() {
            let message = format!("the counter `{}` is used outside its loop", variable.name);
            return Err(self.decline(Code::LoopCounter, message, &e.span, "used here", "use a variable of its own"));
        }
        let is_read_only = kind == AccessKind::Read && !self.facts.declared_inside.contains(&id);
        if is_counter || (is_read_only && self.is_affine(e)) {
            return Ok(());
        }
        let array = self.arrays.id(&variable.name, Some(id), 0);
        self.subscripted(e, array, &[], kind, to)
    }

    pub(super) fn subscripted(
        &mut self,
        e: &Expression,
        array: ArrayId,
        subscripts: &[&Expression],
        kind: AccessKind,
        to: &mut Collector,
    ) -> Lowered<()> {
        for subscript in subscripts {
            self.collect(subscript, to)?;
        }
        let spans: Vec<Span> = subscripts.iter().map(|s| s.span.clone()).collect();
        let (own, place) = self.place_inside(&e.span, &spans);
        let affine = self.subscripts(array, subscripts, place.as_ref().map(|(place, _)| place));
        if self.is_divided(&e.span) {
            self.cannot_rewrite(
                array,
                e,
                "a preprocessor directive stands in",
                "divided by a directive",
                "write the reference on lines of its own",
            );
        }
        if place.is_none() || self.is_unstable(&own) {
            let what = if place.is_none() { "makes only a part of" } else { "names itself in" };
            self.cannot_rewrite(array, e, &format!("a macro {what}"), "made by a macro", "write the reference out");
        }
        let outside = || (Place::in_file(self.site.expanded.to_file(&e.span)), Vec::new());
        let (place, subscript_spans) = place.unwrap_or_else(outside);
        let sure = to.is_sure() && (affine.is_some() || self.is_noted(array, &place));
        to.accesses.push(Access {
            array,
            kind,
            certainty: if sure { Certainty::Must } else { Certainty::May },
            subscripts: affine,
            condition: all_of(&to.conditions),
            moment: Moment::InOrder,
            place,
            subscript_spans,
        });
        Ok(())
    }

    /// Keeps an array of which the text of a reference is not all the user's.
    fn cannot_rewrite(&mut self, array: ArrayId, e: &Expression, what: &str, label: &'static str, help: &'static str) {
        let reason = format!("{what} the reference at line {}", self.line(&e.span));
        self.arrays.obstruct(array, Obstacle { code: Code::DividedText, reason, span: e.span.clone(), label, help });
    }

    /// `place`: where the reference stands.
    fn subscripts(&mut self, array: ArrayId, subscripts: &[&Expression], place: Option<&Place>) -> Option<Vec<Expr>> {
        let mut affine = Vec::new();
        for (dimension, subscript) in subscripts.iter().enumerate() {
            match self.affine(subscript) {
                Ok(e) => {
                    self.note_subscript(array, dimension, subscript);
                    affine.push(e);
                }
                Err(error) => {
                    if let (Some(place), true) = (place, self.is_flat(array))
                        && self.note_linear(array, (subscript, place), &error)
                    {
                        return None;
                    }
                    if self.may_shrink(array) {
                        self.wanted_pins.extend(error.pins);
                    }
                    let line = self.line(&subscript.span);
                    let obstacle = Obstacle {
                        code: Code::SubscriptNotAffine,
                        reason: format!("its subscript at line {line} is not affine: {}", error.why),
                        span: subscript.span.clone(),
                        label: "not affine",
                        help: error.help.unwrap_or(
                            "subscripts may use counters, sizes that do not change in the scop, and constants",
                        ),
                    };
                    self.arrays.obstruct(array, obstacle);
                    return None;
                }
            }
        }
        Some(affine)
    }
}

impl Lowering<'_> {
    /// Whether a name without a declaration in the file is a macro or enumeration constant.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        self.site.table.object(name).is_some() || self.site.unit.enumerators.contains_key(name)
    }

    /// Whether an array has one dimension, of elements.
    pub(super) fn is_flat(&self, array: ArrayId) -> bool {
        let variable = self.arrays.entries[array.0].variable.map(|id| &self.site.unit.variables[id]);
        variable.is_some_and(|variable| variable.shape.len() == 1 && !variable.hides_array)
    }

    /// Whether the array is one that may change, so that a constant is worth giving up its name for it.
    pub(super) fn may_shrink(&self, array: ArrayId) -> bool {
        let variable = self.arrays.entries[array.0].variable.map(|id| &self.site.unit.variables[id]);
        variable
            .is_some_and(|variable| variable.is_local() || self.is_forced(&variable.name) || self.site.options.local)
    }
}

pub(super) fn all_of(conditions: &[Condition]) -> Condition {
    conditions.iter().cloned().fold(Condition::always(), Condition::and)
}
