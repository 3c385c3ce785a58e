//! Remainders become variables that loops carry along (strength reduction).
//!
//! ```text
//! for t = 0 while t < T step 1 {              int at = (T - 1) mod M;
//!   W[(T - t - 1) mod M] = 0;           =>    for t = 0 while t < T step 1 {
//! }                                             W[at] = 0;
//!                                               at = (at >= 1 ? at - 1 : at - 1 + M);
//!                                             }
//! ```
//!
//! The idea: what is left of `a c + r` changes by `a` with the counter c, and by M where it wraps around. Remainders that differ
//! by a number go by one variable: each of the others is the one before it and a number, less M past the end. Inner loops come first; what
//! they begin with is reduced in the loop around.
//!
//! A loop of segments ([`split`](crate::split)) carries the offset of its rows along in the same way: after a wrap it is M less.
//!
//! Paper: Allen, Cocke, Kennedy, "Reduction of operator strength", 1981.
//!
//! Invariants: order and cells stay. That M is no smaller than what a variable moves by is the validator's to show.
//!
//! Limits: remainders stay in loops that threads run, or that have such a loop inside, and in segments.

use crate::counters::Counter;
use crate::family::Family;
use crate::fixed::{changed_in, has_loop, is_fixed};
use crate::fresh::{Name, fresh, let_be};
use polyfold_program::Sum;
use polyfold_program::{
    BufferId, Cond, Congruence, Copy, Int, IntOp, Invariant, LocalId, LocalValue, Loop, Place, Program, Range, Region,
    Relation, Stmt,
};

/// The program with variables in the place of remainders that loops change. `name` makes a variable's name from what it is for.
pub fn reduce(program: &Program, name: &Name) -> Program {
    let mut reducing = Reducing { program: program.clone(), name };
    let body = reducing.list(&program.body, false);
    Program { body, ..reducing.program }
}

struct Reducing<'a> {
    /// With the locals that come.
    program: Program,
    name: &'a Name<'a>,
}

impl Reducing<'_> {
    fn list(&mut self, list: &[Stmt], in_loop: bool) -> Vec<Stmt> {
        list.iter().flat_map(|stmt| self.stmt(stmt, in_loop)).collect()
    }

    fn stmt(&mut self, stmt: &Stmt, in_loop: bool) -> Vec<Stmt> {
        match stmt {
            Stmt::For(own) => {
                // What is in segments has few iterations.
                let Some(step) = own.step else {
                    return if in_loop { rounds(own.clone()) } else { vec![stmt.clone()] };
                };
                let body = self.list(&own.body, true);
                self.counted(Loop { body, ..own.clone() }, step)
            }
            Stmt::If { cond, then, other } => {
                let (then, other) = (self.list(then, in_loop), self.list(other, in_loop));
                vec![Stmt::If { cond: cond.clone(), then, other }]
            }
            other => vec![other.clone()],
        }
    }

    /// A loop that counts, and what is in front of it.
    fn counted(&mut self, mut own: Loop, step: i64) -> Vec<Stmt> {
        if is_for_threads(&own) {
            return vec![Stmt::For(own)];
        }
        if Counter::of(&own).runs_once() {
            return vec![Stmt::For(if own.body.iter().any(has_loop) { self.once(own) } else { own })];
        }
        // A part of a loop begins where its counter stands.
        let first = own.first.clone().unwrap_or(Int::Local(own.counter));
        let (mut front, mut behind) = (Vec::new(), Vec::new());
        for family in families(&own) {
            let Some(change) = family.factor.checked_mul(step) else { continue };
            if family.modulus.as_constant().is_some_and(|modulus| change.abs() >= modulus) {
                continue;
            }
            let named = self.named(&family);
            front.push(let_be(named.at, at_first(&family.members()[0].0, &Int::Local(own.counter), &first)));
            // One of the others may be where the first one moves to.
            let next = family.members().iter().zip(&named.places).find(|((_, difference), _)| *difference == change);
            let next = next.map_or_else(|| wrapped(named.at, change, &family.modulus), |(_, (_, local))| local.clone());
            behind.push(Stmt::Set { local: named.at, value: LocalValue::Integer(next) });
            own.invariant = said(own.invariant, &own.first, own.counter, step, &family, named.at);
            own.body = named.used_in(&own.body);
        }
        own.body.extend(behind);
        front.push(Stmt::For(own));
        front
    }

    /// A loop of one iteration, which has nothing to carry along.
    fn once(&mut self, own: Loop) -> Loop {
        families(&own).iter().fold(own, |own, family| {
            let named = self.named(family);
            let first = let_be(named.at, family.members()[0].0.clone());
            let body = std::iter::once(first).chain(named.used_in(&own.body)).collect();
            Loop { body, ..own }
        })
    }

    fn named(&mut self, family: &Family) -> Named {
        let stem = format!("{}_at", self.program.buffers[family.buffer.0].name);
        let at = fresh(&mut self.program, self.name, &stem);
        let mut named = Named { at, lets: Vec::new(), places: Vec::new() };
        let mut before = (at, 0);
        for (e, difference) in family.members() {
            if *difference > before.1 {
                let local = fresh(&mut self.program, self.name, &stem);
                named.lets.push(let_be(local, wrapped(before.0, difference - before.1, &family.modulus)));
                before = (local, *difference);
            }
            named.places.push((e.clone(), Int::Local(before.0)));
        }
        named
    }
}

/// Variables for the remainders of a family.
struct Named {
    /// The first one's.
    at: LocalId,
    /// Each of the others begins with the one before it.
    lets: Vec<Stmt>,
    places: Vec<(Int, Int)>,
}

impl Named {
    /// A body with the others in front, and with variables in the place of remainders.
    fn used_in(&self, body: &[Stmt]) -> Vec<Stmt> {
        let body = body.iter().map(|stmt| with_integers(stmt, &self.places));
        self.lets.iter().cloned().chain(body).collect()
    }
}

/// Whether threads run a loop's iterations, or those of one inside, which say whose variables they use.
fn is_for_threads(own: &Loop) -> bool {
    let mut found = own.parallel;
    let mut visit = |stmt: &Stmt| found |= matches!(stmt, Stmt::For(own) if own.parallel);
    own.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// What holds at the head of a loop that carries a variable along.
fn said(
    before: Invariant,
    first: &Option<Int>,
    counter: LocalId,
    step: i64,
    family: &Family,
    at: LocalId,
) -> Invariant {
    let Invariant { mut ranges, mut congruences, .. } = before.clone();
    let (at, counter) = (Int::Local(at), Int::Local(counter));
    let relation = if step > 0 { Relation::GreaterOrEqual } else { Relation::LessOrEqual };
    let begun = first.iter().map(|first| Cond::compare(counter.clone(), relation, first.clone()));
    ranges.extend(begun.filter(|cond| !before.ranges.contains(cond)));
    ranges.push(Cond::compare(at.clone(), Relation::GreaterOrEqual, Int::Constant(0)));
    ranges.push(Cond::compare(at.clone(), Relation::Less, family.modulus.clone()));
    let form = family.value(0).into_iter().cloned();
    congruences.extend(form.map(|form| Congruence { local: at.clone(), form, modulus: family.modulus.clone() }));
    Invariant { ranges, congruences, ..before }
}

/// A variable and a number, less or more the modulus where that is past an end.
fn wrapped(at: LocalId, by: i64, modulus: &Int) -> Int {
    let at = Int::Local(at);
    let moved = |times: i64| Sum::of(&at, 1).plus(&Int::Constant(by), 1).plus(modulus, times).print(&[]);
    let last = |by| Sum::of(modulus, 1).plus(&Int::Constant(by), -1).print(&[]);
    let (cond, other) = match by {
        // Behind the last one is the first one.
        1 => (Cond::compare(at.clone(), Relation::Less, last(1)), Int::Constant(0)),
        -1 => (Cond::compare(at.clone(), Relation::Greater, Int::Constant(0)), last(1)),
        0.. => (Cond::compare(at.clone(), Relation::Less, last(by)), moved(-1)),
        _ => (Cond::compare(at.clone(), Relation::GreaterOrEqual, Int::Constant(-by)), moved(1)),
    };
    Int::Select(Box::new(cond), Box::new(moved(0)), Box::new(other))
}

/// The remainders in a loop's body that change with its counter, and with nothing else in it.
fn families(own: &Loop) -> Vec<Family> {
    let changed = changed_in(&own.body);
    let mut families: Vec<Family> = Vec::new();
    let mut note = |buffer: Option<BufferId>, e: &Int| {
        let (Int::Binary(IntOp::Remainder | IntOp::FloorModulo, value, modulus), Some(buffer)) = (e, buffer) else {
            return;
        };
        let Some((factor, rest)) = Sum::of(value, 1).without(&Int::Local(own.counter)) else { return };
        let is_own = factor != 0 && is_fixed(e, &changed);
        if is_own && !rest.iter().chain([&**modulus]).any(|e| e.names(own.counter)) {
            Family::note(&mut families, (buffer, factor), e, i64::MAX);
        }
    };
    each_integer(&own.body, &mut note);
    families
}

/// Calls `visit` for all integers in subscripts, with their buffer, and in what locals begin with, with the buffer of the
/// subscript next to it.
fn each_integer(body: &[Stmt], visit: &mut dyn FnMut(Option<BufferId>, &Int)) {
    for (k, stmt) in body.iter().enumerate() {
        stmt.each_place(&mut |_, place| {
            if let Place::Cell { buffer, index } = place {
                index.iter().for_each(|e| e.each(&mut |e| visit(Some(*buffer), e)));
            }
        });
        if let Stmt::Copy(Copy { to, from, .. }) = stmt {
            for Region { buffer, ranges } in [to, from] {
                ranges.iter().for_each(|range| range.first.each(&mut |e| visit(Some(*buffer), e)));
            }
        }
        if let Stmt::Let { value: LocalValue::Integer(e), local } = stmt {
            let buffer = buffer_of(*local, &body[k..]);
            e.each(&mut |e| visit(buffer, e));
        }
        stmt.lists().into_iter().for_each(|list| each_integer(list, visit));
    }
}

/// A buffer in whose subscripts a local is.
fn buffer_of(local: LocalId, body: &[Stmt]) -> Option<BufferId> {
    let mut found = None;
    let mut visit = |place: &Place| {
        if let Place::Cell { buffer, index } = place
            && index.iter().any(|e| e.names(local))
        {
            found = found.or(Some(*buffer));
        }
    };
    body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_place(&mut |_, place| visit(place))));
    found
}

/// An integer with another value of a counter.
fn at_first(e: &Int, counter: &Int, value: &Int) -> Int {
    match e {
        Int::Binary(op @ (IntOp::Remainder | IntOp::FloorModulo), sum, modulus) => {
            let sum = Sum::of(&replaced(sum, &[(counter.clone(), value.clone())]), 1).print(&[]);
            match (sum, modulus.as_constant()) {
                (Int::Constant(0), _) => Int::Constant(0),
                (sum, _) if sum == **modulus => Int::Constant(0),
                (Int::Constant(sum), Some(modulus @ 1..)) => Int::Constant(sum.rem_euclid(modulus)),
                // What is used isn't negative: a condition guards it. What begins here is lifted by a multiple of the modulus.
                (Int::Constant(sum @ i64::MIN..0), None) if sum > i64::MIN => {
                    let lifted = Sum::of(&Int::Constant(sum), 1).plus(modulus, -sum).print(&[]);
                    Int::binary(*op, lifted, (**modulus).clone())
                }
                (sum, Some(number)) => {
                    Int::binary(*op, Sum::of(&sum, 1).lifted(number).print(&[]), (**modulus).clone())
                }
                (sum, None) => Int::binary(*op, sum, (**modulus).clone()),
            }
        }
        other => replaced(other, &[(counter.clone(), value.clone())]),
    }
}

/// An integer with others in the place of some.
fn replaced(e: &Int, places: &[(Int, Int)]) -> Int {
    if let Some((_, now)) = places.iter().find(|(own, _)| own == e) {
        return now.clone();
    }
    match e {
        Int::Binary(op, left, right) => Int::binary(*op, replaced(left, places), replaced(right, places)),
        Int::Select(cond, yes, no) => {
            Int::Select(cond.clone(), Box::new(replaced(yes, places)), Box::new(replaced(no, places)))
        }
        other => other.clone(),
    }
}

/// A statement with other integers in its subscripts, and in what locals begin with.
fn with_integers(stmt: &Stmt, places: &[(Int, Int)]) -> Stmt {
    let list = |list: &[Stmt]| list.iter().map(|stmt| with_integers(stmt, places)).collect();
    let mut in_place = |place: Place| match place {
        Place::Cell { buffer, index } => {
            Place::Cell { buffer, index: index.iter().map(|e| replaced(e, places)).collect() }
        }
        other => other,
    };
    match stmt {
        Stmt::For(own) => Stmt::For(Loop { body: list(&own.body), ..own.clone() }),
        Stmt::If { cond, then, other } => {
            Stmt::If { cond: cond.with_cells(&mut in_place), then: list(then), other: list(other) }
        }
        Stmt::Let { local, value: LocalValue::Integer(e) } => let_be(*local, replaced(e, places)),
        Stmt::Copy(Copy { declares, to, from, tag }) => {
            let in_range = |own: &Range| Range { first: replaced(&own.first, places), ..own.clone() };
            let [to, from] =
                [to, from].map(|own| Region { ranges: own.ranges.iter().map(in_range).collect(), ..own.clone() });
            Stmt::Copy(Copy { declares: *declares, to, from, tag: tag.clone() })
        }
        other => other.with_cells(&mut in_place),
    }
}

/// A loop of segments whose offsets are known in front of it.
fn rounds(mut own: Loop) -> Vec<Stmt> {
    let (Some(first), counter) = (own.first.clone(), Int::Local(own.counter)) else { return vec![Stmt::For(own)] };
    let mut front = Vec::new();
    let mut body = Vec::new();
    let mut behind = Vec::new();
    for stmt in &own.body {
        let offset = match stmt {
            Stmt::Let { local, value: LocalValue::Integer(e) } => Offset::of(*local, e, &own, &counter),
            _ => None,
        };
        let Some(offset) = offset else {
            body.push(stmt.clone());
            continue;
        };
        let begun = at_first(offset.value, &counter, &first);
        let begun = Sum::of(&begun, 1).plus(&first, -offset.factor).print(&[]);
        front.push(let_be(offset.local, begun));
        behind.push(offset.wraps(&counter));
        own.invariant.ranges.extend(offset.ranges(&counter));
        own.invariant.congruences.push(offset.congruence.clone());
    }
    own.body = body;
    own.body.extend(behind);
    front.push(Stmt::For(own));
    front
}

/// What is added to a counter for a remainder: the remainder less the counter, or more.
struct Offset<'a> {
    local: LocalId,
    /// The remainder.
    value: &'a Int,
    modulus: &'a Int,
    /// Of the counter in the remainder, 1 or -1.
    factor: i64,
    /// Whether the remainder wraps around past its modulus, not past 0.
    is_growing: bool,
    congruence: Congruence,
}

impl<'a> Offset<'a> {
    fn of(local: LocalId, e: &'a Int, own: &Loop, counter: &Int) -> Option<Offset<'a>> {
        let Int::Binary(op @ (IntOp::Add | IntOp::Subtract), value, by) = e else { return None };
        let Int::Binary(IntOp::Remainder | IntOp::FloorModulo, _, modulus) = &**value else { return None };
        let factor = if *op == IntOp::Subtract { 1 } else { -1 };
        let step = own.body.iter().find_map(|stmt| match stmt {
            Stmt::For(inside) => inside.step,
            _ => None,
        })?;
        let said = own.body.iter().find_map(|stmt| match stmt {
            Stmt::For(inside) => inside.invariant.congruences.iter().find(|own| own.local == Int::Local(local)),
            _ => None,
        })?;
        let is_growing = (factor > 0) == (step > 0);
        (**by == *counter).then(|| Offset { local, value, modulus, factor, is_growing, congruence: said.clone() })
    }

    fn subscript(&self, counter: &Int) -> Int {
        Sum::of(&Int::Local(self.local), 1).plus(counter, self.factor).print(&[])
    }

    fn ranges(&self, counter: &Int) -> [Cond; 2] {
        let subscript = self.subscript(counter);
        [
            Cond::compare(subscript.clone(), Relation::GreaterOrEqual, Int::Constant(0)),
            Cond::compare(subscript, Relation::Less, self.modulus.clone()),
        ]
    }

    /// Behind a wrap it is the modulus less, or more.
    fn wraps(&self, counter: &Int) -> Stmt {
        let subscript = self.subscript(counter);
        let (cond, times) = match self.is_growing {
            true => (Cond::compare(subscript, Relation::GreaterOrEqual, self.modulus.clone()), -1),
            false => (Cond::compare(subscript, Relation::Less, Int::Constant(0)), 1),
        };
        let op = if times > 0 { IntOp::Add } else { IntOp::Subtract };
        let value = LocalValue::Integer(Int::binary(op, Int::Local(self.local), self.modulus.clone()));
        Stmt::If { cond, then: vec![Stmt::Set { local: self.local, value }], other: Vec::new() }
    }
}

#[cfg(test)]
mod tests {
    use super::reduce;
    use polyfold_program::Program;
    use polyfold_replay::terms::{agree, sizes_to_run};

    /// The third is two more than the second, which is more than a modulus of 1.
    #[test]
    fn a_modulus_that_may_be_too_small_is_left_to_the_judges() {
        let text = "program p(n, m) where n >= 1, m >= 1 { in A[n]; out B[n]; temporary W[m];
            for i = 0 while i < n step 1 {
              S0(i): W[i % m] = A[i]; S1(i): W[(i + 1) % m] = W[i % m]; S2(i): B[i] = W[(i + 1) % m];
              S3(i): W[(i + 3) % m] = 0;
            } }";
        let program = Program::read(text).expect("a program");
        let after = reduce(&program, &str::to_string);
        assert!(agree(&program, &after, &sizes_to_run(&program, &after), 1_000_000).is_err());
    }
}
