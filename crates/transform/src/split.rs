//! Innermost loops are split where circular buffers wrap around (index-set splitting).
//!
//! ```text
//! for i = 0 while i < n {                for i = 0 while i < n {
//!   W[(t + i) mod M] = A[i];      =>       int W_at = (t + i) mod M - i;
//! }                                        int end = min(n, M - W_at);
//!                                          for i while i < end step 1 { W[W_at + i] = A[i]; }
//!                                        }
//! ```
//!
//! The idea: up to the next wrap a remainder grows with its counter, so that a subscript is the counter and an offset. Remainders
//! that differ by a number share one offset: `x mod M` and `(x + 2) mod M` are `at + i` and `at + i + 2`. Around the wrap, where
//! only some of them have wrapped, the loop runs as it was:
//!
//! ```text
//! for i while i < n and W_at + i < M step 1 { … }
//! ```
//!
//! It has at most as many iterations as the remainders differ by.
//!
//! Paper: Griebl, Feautrier, Lengauer, "Index set splitting", 2000.
//!
//! Invariants: iterations and their order stay. Each round of the outer loop runs an iteration: the offset's remainder is below
//! its modulus, so that one of the inner loops does.
//!
//! A counter that is multiplied by `a` in a remainder goes `a` cells at a time: a segment has as many iterations as there is room,
//! divided by `a` and rounded up.
//!
//! Limits: a loop that counts by 1 or -1 to a bound. Other loops stay.

use crate::counters::Counter;
use crate::family::Family;
use crate::fixed::has_loop;
use crate::fresh::{Name, fresh, let_be};
use polyfold_program::Sum;
use polyfold_program::{
    BufferId, Cond, Congruence, Int, IntOp, IntType, Invariant, Local, LocalId, LocalKind, Loop, Place, Program,
    Relation, Stmt, Value,
};

/// Moduli that are numbers, and smaller than this, would make segments that are too short: such remainders stay.
const LEAST_MODULUS: i64 = 16;

/// Remainders that are further apart have offsets of their own: else more iterations would run around wraps than segments more.
const MOST_APART: i64 = 2;

/// More ends than these are compared by several statements.
const MOST_ENDS: usize = 3;

/// The program with its innermost loops split. `name` makes a variable's name from what it is for, the same each time.
pub fn split(program: &Program, name: &Name) -> Program {
    let mut splitting = Splitting { program: program.clone(), name };
    let body = splitting.list(&program.body);
    Program { body, ..splitting.program }
}

struct Splitting<'a> {
    /// With the locals that come.
    program: Program,
    name: &'a Name<'a>,
}

impl Splitting<'_> {
    fn list(&mut self, list: &[Stmt]) -> Vec<Stmt> {
        list.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt) -> Stmt {
        match stmt {
            Stmt::For(own) if own.body.iter().any(has_loop) => {
                Stmt::For(Loop { body: self.list(&own.body), ..own.clone() })
            }
            Stmt::For(own) => self.segments(own).unwrap_or_else(|| stmt.clone()),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.clone(), then: self.list(then), other: self.list(other) }
            }
            other => other.clone(),
        }
    }

    /// A loop in segments. `None`: it stays.
    fn segments(&mut self, own: &Loop) -> Option<Stmt> {
        let head = &Head::of(own).filter(|_| !Counter::of(own).runs_once())?;
        let families = head.families()?;
        let rows: Vec<Row> = families.into_iter().map(|family| self.row(family, head)).collect();
        let stem = if head.is_strict() { "end" } else { "last" };
        let nearer = if head.step > 0 { IntOp::Minimum } else { IntOp::Maximum };
        let mut body: Vec<Stmt> = rows.iter().map(|row| let_be(row.local, row.offset(head))).collect();
        // In C it would stand once more for each end.
        let bound = if has_choice(&head.bound) {
            let stem = format!("{}_{stem}", self.program.locals[head.counter.0].name);
            let own = self.local(&stem, head.counter);
            body.push(let_be(own, head.bound.clone()));
            Int::Local(own)
        } else {
            head.bound.clone()
        };
        let mut nearest = bound.clone();
        for (k, row) in rows.iter().enumerate() {
            // In C each end stands twice for each that comes behind it.
            if k > 0 && k % MOST_ENDS == 0 {
                let so_far = self.local(&format!("{stem}{}", k / MOST_ENDS), head.counter);
                body.push(let_be(so_far, std::mem::replace(&mut nearest, Int::Local(so_far))));
            }
            nearest = Int::binary(nearer, row.end(head), nearest);
        }
        let end = self.local(stem, head.counter);
        body.push(let_be(end, nearest));
        let segment = Loop {
            declares: false,
            first: None,
            test: Cond::compare(head.at(), head.relation, Int::Local(end)),
            invariant: head.invariant(&rows, Some(end)),
            body: head.own.body.iter().map(|stmt| stmt.with_cells(&mut |place| in_rows(place, &rows, head))).collect(),
            ..head.own.clone()
        };
        body.push(Stmt::For(segment));
        let has_seam = rows.iter().any(|row| row.family.reach() > 0);
        body.extend(has_seam.then(|| Stmt::For(head.seam(&rows, bound))));
        Some(Stmt::For(Loop { step: None, invariant: head.invariant(&[], None), body, ..head.own.clone() }))
    }

    fn row(&mut self, family: Family, head: &Head) -> Row {
        let stem = format!("{}_at", self.program.buffers[family.buffer.0].name);
        let is_growing = (family.factor > 0) == (head.step > 0);
        Row { local: fresh(&mut self.program, self.name, &stem), family, is_growing }
    }

    /// A local that holds a counter's values, and those in front of 0.
    fn local(&mut self, stem: &str, counter: LocalId) -> LocalId {
        let held = self.program.locals[counter.0].held.and_then(IntType::values);
        let is_int = held.is_some_and(|values| IntType::INT.holds(values));
        let name = (self.name)(stem);
        self.declared(&name, Some(if is_int { IntType::INT } else { IntType::LONG }))
    }

    /// Loops beside each other may have the same names for their ends.
    fn declared(&mut self, name: &str, held: Option<IntType>) -> LocalId {
        let locals = &mut self.program.locals;
        let known = locals.iter().position(|own| own.name == name && own.held == held);
        LocalId(known.unwrap_or_else(|| {
            locals.push(Local { name: name.to_string(), kind: LocalKind::Integer, held });
            locals.len() - 1
        }))
    }
}

/// Calls `visit` for the places that a value is always read from.
fn each_sure_read(value: &Value, visit: &mut dyn FnMut(&Place)) {
    match value {
        Value::Read(place) => visit(place),
        Value::Apply(_, operands) => operands.iter().for_each(|own| each_sure_read(own, visit)),
        Value::Integer(..) | Value::Choice(..) => {}
    }
}

/// Whether an integer is the nearer one of two, or contains such a one.
fn has_choice(e: &Int) -> bool {
    let mut found = false;
    e.each(&mut |e| found |= matches!(e, Int::Binary(IntOp::Minimum | IntOp::Maximum, ..) | Int::Select(..)));
    found
}

/// Whether a segment has few iterations.
fn is_small(modulus: &Int, factor: i64) -> bool {
    modulus.as_constant().is_some_and(|value| value / factor.abs() < LEAST_MODULUS)
}

/// A loop that counts by 1 or -1, while its counter is on this side of a bound.
struct Head<'a> {
    own: &'a Loop,
    counter: LocalId,
    relation: Relation,
    bound: Int,
    step: i64,
}

impl<'a> Head<'a> {
    fn of(own: &'a Loop) -> Option<Head<'a>> {
        let step = own.step.filter(|step| step.abs() == 1)?;
        let (relation, bound) = bound(&own.test, own.counter, step)?;
        let is_simple = |stmt: &Stmt| matches!(stmt, Stmt::Assign(_) | Stmt::If { .. });
        let mut is_understood = true;
        own.body.iter().for_each(|stmt| stmt.each(&mut |stmt| is_understood &= is_simple(stmt)));
        let is_split = is_understood && !own.parallel && !bound.names(own.counter);
        is_split.then_some(Head { own, counter: own.counter, relation, bound, step })
    }

    fn is_strict(&self) -> bool {
        matches!(self.relation, Relation::Less | Relation::Greater)
    }

    fn at(&self) -> Int {
        Int::Local(self.counter)
    }

    /// The remainders in the body, by their offsets. `None`: there are none, or some that have no offset.
    fn families(&self) -> Option<Vec<Family>> {
        let mut families: Vec<Family> = Vec::new();
        let mut has_all = true;
        let mut visit = |place: &Place| {
            let Place::Cell { buffer, index } = place else { return };
            for e in index {
                has_all &= self.note(e, *buffer, &mut families).is_some();
            }
        };
        // Of equal remainders one that every iteration asks for: others may be negative elsewhere.
        for stmt in &self.own.body {
            if let Stmt::Assign(own) = stmt {
                each_sure_read(&own.value, &mut visit);
                visit(&own.target);
            }
        }
        for stmt in &self.own.body {
            stmt.each(&mut |stmt| stmt.each_place(&mut |_, place| visit(place)));
        }
        (has_all && !families.is_empty()).then_some(families)
    }

    /// Notes the remainders in an integer. `None`: it has others.
    fn note(&self, e: &Int, buffer: BufferId, families: &mut Vec<Family>) -> Option<()> {
        match e {
            Int::Binary(IntOp::Remainder | IntOp::FloorModulo, value, modulus) if e.names(self.counter) => {
                let Some(factor) = self.factor(value).filter(|_| !modulus.names(self.counter)) else {
                    return is_small(modulus, 1).then_some(());
                };
                if is_small(modulus, factor) {
                    return Some(());
                }
                Family::note(families, (buffer, factor), e, MOST_APART);
                Some(())
            }
            Int::Binary(_, left, right) => {
                self.note(left, buffer, families)?;
                self.note(right, buffer, families)
            }
            Int::Select(..) if e.names(self.counter) => None,
            _ => Some(()),
        }
    }

    /// What the counter is multiplied by in a sum. `None`: it is multiplied by what isn't a number, or isn't there.
    fn factor(&self, e: &Int) -> Option<i64> {
        let (factor, rest) = Sum::of(e, 1).without(&self.at())?;
        let is_own = factor != 0 && factor != i64::MIN && !rest.iter().any(|e| e.names(self.counter));
        is_own.then_some(factor)
    }

    /// The iterations around wraps, as they were.
    fn seam(&self, rows: &[Row], bound: Int) -> Loop {
        let inside = rows.iter().map(|row| row.is_inside(self));
        let goes_on =
            if bound == self.bound { self.own.test.clone() } else { Cond::compare(self.at(), self.relation, bound) };
        let test = inside.fold(goes_on, |test, inside| Cond::And(Box::new(test), Box::new(inside)));
        Loop { declares: false, first: None, test, invariant: self.invariant(rows, None), ..self.own.clone() }
    }

    /// What holds at the head of a loop that goes on with this one's counter.
    fn invariant(&self, rows: &[Row], end: Option<LocalId>) -> Invariant {
        let is_upwards = self.step > 0;
        let (from, to) = match is_upwards {
            true => (Relation::GreaterOrEqual, Relation::LessOrEqual),
            false => (Relation::LessOrEqual, Relation::GreaterOrEqual),
        };
        let begun = self.own.first.iter().map(|first| Cond::compare(self.at(), from, first.clone()));
        let ended = end.map(|end| Cond::compare(Int::Local(end), to, self.bound.clone()));
        let inside = rows.iter().map(|row| row.has_begun(self));
        let beyond = if self.is_strict() { 0 } else { self.step };
        let reached = end.map(|end| Sum::of(&Int::Local(end), 1).plus(&Int::Constant(beyond), 1).print(&[]));
        let reached = reached.map(|end| Cond::compare(self.at(), to, end));
        let around = rows.iter().filter(|_| end.is_none()).map(|row| row.has_ended(self));
        let short = end.into_iter().flat_map(|end| rows.iter().map(move |row| row.ends(end, self)));
        Invariant {
            ranges: begun.chain(inside).chain(reached).chain(around).chain(ended).chain(short).collect(),
            congruences: rows.iter().map(|row| row.congruence(self)).collect(),
            ..Invariant::default()
        }
    }
}

/// How far a loop goes: its counter has this relation to an integer. The nearer one of two where it has to both.
fn bound(test: &Cond, counter: LocalId, step: i64) -> Option<(Relation, Int)> {
    match test {
        Cond::Compare(relation, Int::Local(own), bound) if *own == counter => {
            let is_ahead = match relation {
                Relation::Less | Relation::LessOrEqual => step > 0,
                Relation::Greater | Relation::GreaterOrEqual => step < 0,
                Relation::Equal | Relation::NotEqual => false,
            };
            is_ahead.then(|| (*relation, bound.clone()))
        }
        Cond::And(left, right) => {
            let (left, right) = (bound(left, counter, step)?, bound(right, counter, step)?);
            let nearer = if step > 0 { IntOp::Minimum } else { IntOp::Maximum };
            (left.0 == right.0).then(|| (left.0, Int::binary(nearer, left.1, right.1)))
        }
        _ => None,
    }
}

/// The offset of a family.
struct Row {
    local: LocalId,
    family: Family,
    /// Whether it wraps around past the modulus, not past 0.
    is_growing: bool,
}

impl Row {
    fn own(&self) -> Int {
        Int::Local(self.local)
    }

    /// Which of the remainders wraps around last.
    fn last(&self) -> usize {
        let furthest = if self.is_growing { 0 } else { self.family.reach() };
        self.family.members().iter().position(|(_, own)| *own == furthest).unwrap_or_default()
    }

    /// What is added to the counter's multiple for that one.
    fn offset(&self, head: &Head) -> Int {
        let (op, times) = if self.family.factor > 0 { (IntOp::Subtract, 1) } else { (IntOp::Add, -1) };
        let multiple = Sum::default().plus(&head.at(), self.family.factor * times).print(&[]);
        Int::binary(op, self.family.members()[self.last()].0.clone(), multiple)
    }

    /// A remainder in a segment.
    fn subscript(&self, difference: i64, head: &Head) -> Int {
        let sum = Sum::of(&self.own(), 1).plus(&head.at(), self.family.factor);
        sum.plus(&Int::Constant(difference), 1).print(&[])
    }

    /// How far the remainder that wraps around first is from doing so, for some counter: it has as long as that is positive.
    fn room(&self, counter: &Int) -> Sum {
        let (own, reach) = (Sum::of(&self.own(), 1).plus(counter, self.family.factor), self.family.reach());
        match self.is_growing {
            true => own.negated().plus(&self.family.modulus, 1).plus(&Int::Constant(-reach), 1),
            false => own.plus(&Int::Constant(1 - reach), 1),
        }
    }

    /// Where the counter has to stop, for the test's relation: it goes on by the room there is, divided by how fast that shrinks.
    fn end(&self, head: &Head) -> Int {
        let (room, speed) = (self.room(&head.at()), self.family.factor.abs());
        let inclusive = Int::Constant(if head.is_strict() { 0 } else { -head.step });
        let rounded = room.plus(&Int::Constant(speed - 1), 1).print(&[]);
        let iterations = if speed == 1 { rounded } else { Int::binary(IntOp::Divide, rounded, Int::Constant(speed)) };
        Sum::of(&head.at(), 1).plus(&iterations, head.step).plus(&inclusive, 1).print(&[])
    }

    /// Whether the remainder that wraps around last hasn't.
    fn is_inside(&self, head: &Head) -> Cond {
        let subscript = self.subscript(0, head);
        match self.is_growing {
            true => Cond::compare(subscript, Relation::Less, self.family.modulus.clone()),
            false => Cond::compare(subscript, Relation::GreaterOrEqual, Int::Constant(0)),
        }
    }

    /// That the ring is entered from its end.
    fn has_begun(&self, head: &Head) -> Cond {
        let subscript = self.subscript(0, head);
        match self.is_growing {
            true => Cond::compare(subscript, Relation::GreaterOrEqual, Int::Constant(0)),
            false => Cond::compare(subscript, Relation::Less, self.family.modulus.clone()),
        }
    }

    /// That the ring is left no further than by one step.
    fn has_ended(&self, head: &Head) -> Cond {
        let (subscript, speed) = (self.subscript(0, head), self.family.factor.abs());
        match self.is_growing {
            true => {
                let past = Sum::of(&self.family.modulus, 1).plus(&Int::Constant(speed - 1), 1).print(&[]);
                Cond::compare(subscript, Relation::LessOrEqual, past)
            }
            false => Cond::compare(subscript, Relation::GreaterOrEqual, Int::Constant(-speed)),
        }
    }

    /// That a segment's end is in the ring, or by less than a step past it.
    fn ends(&self, end: LocalId, head: &Head) -> Cond {
        let beyond = Int::Constant(if head.is_strict() { 0 } else { head.step });
        let stop = Sum::of(&Int::Local(end), 1).plus(&beyond, 1).print(&[]);
        let room = self.room(&stop).print(&[]);
        Cond::compare(room, Relation::GreaterOrEqual, Int::Constant(1 - self.family.factor.abs()))
    }

    /// What the offset stands for.
    fn congruence(&self, head: &Head) -> Congruence {
        let value = self.family.value(self.last()).cloned().unwrap_or(Int::Constant(0));
        let form = Sum::of(&value, 1).plus(&head.at(), -self.family.factor).print(&[]);
        Congruence { local: self.own(), form, modulus: self.family.modulus.clone() }
    }
}

/// A cell with offsets in the place of remainders.
fn in_rows(place: Place, rows: &[Row], head: &Head) -> Place {
    match place {
        Place::Cell { buffer, index } => {
            Place::Cell { buffer, index: index.iter().map(|e| in_segment(e, rows, head)).collect() }
        }
        other => other,
    }
}

fn in_segment(e: &Int, rows: &[Row], head: &Head) -> Int {
    for row in rows {
        if let Some((_, difference)) = row.family.members().iter().find(|(own, _)| own == e) {
            return row.subscript(difference - row.family.members()[row.last()].1, head);
        }
    }
    match e {
        Int::Binary(op, left, right) => Int::binary(*op, in_segment(left, rows, head), in_segment(right, rows, head)),
        other => other.clone(),
    }
}
