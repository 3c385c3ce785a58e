//! Which values integers have, by intervals.
//!
//! The idea: a size has the values of its type that the context allows. Extents are positive, and on the stack they have a
//! largest one ([`Home::MOST_ROWS_ON_STACK`]). A counter lies between what its loop begins with and what its test allows.
//!
//! ```text
//! int n; float W[n];            n          in  1 .. 2^27
//! for (i = 0; i < n; i++)       i          in  0 .. 2^27 - 1
//!                               2 * n - i  in  -2^27 + 3 .. 2^28
//! ```
//!
//! Over-approximated: how sizes belong together isn't known. Values past 64 bits are taken not to be: they would be wrong in
//! the source, too.

use crate::distances::distances;
use polyfold_program::{
    Buffer, Cond, Home, Int, IntOp, IntType, LocalId, LocalValue, Loop, Program, Relation, Stmt, Sum, Values,
};

/// All that 64 bits hold.
pub(crate) const ALL: Values = (i64::MIN as i128, i64::MAX as i128);

/// How often the statements are gone through for what locals hold; what still grows may have all values of its type.
const MOST_ROUNDS: usize = 2;

/// The values of a program's names.
pub(crate) struct Ranges {
    sizes: Vec<Values>,
    /// `None`: it has no loop.
    locals: Vec<Option<Values>>,
    /// Of other integers.
    known: Vec<(Int, Values)>,
}

impl Ranges {
    pub(crate) fn of(program: &Program) -> Ranges {
        let size = |own: &polyfold_program::Parameter| {
            let (least, most) = of_type(own.held);
            (least, own.most.map_or(most, |own| most.min(own.into())))
        };
        let mut ranges = Ranges {
            sizes: program.parameters.iter().map(size).collect(),
            locals: vec![None; program.locals.len()],
            known: Vec::new(),
        };
        program.context.iter().for_each(|cond| ranges.learn(cond));
        program.buffers.iter().for_each(|buffer| ranges.learn_extents(buffer));
        // What is known of one size may bound another one.
        ranges.known.clear();
        program.context.iter().for_each(|cond| ranges.learn(cond));
        ranges.settle(program);
        ranges.known.extend(distances(program));
        ranges
    }

    /// Those of a program whose loops go through the iterations of another one's, perhaps with a step more.
    pub(crate) fn within(mut self, other: &Program) -> Ranges {
        let before = Ranges::of(other);
        let mut step = 0;
        let mut visit = |stmt: &Stmt| {
            if let Stmt::For(own) = stmt {
                step = step.max(own.step.map_or(0, |step| step.unsigned_abs().into()));
            }
        };
        other.body.iter().for_each(|stmt| stmt.each(&mut visit));
        for (own, before) in self.locals.iter_mut().zip(before.locals) {
            let before = before.map(|(least, most): Values| (least - step, most + step));
            *own = own.map(|own| before.map_or(own, |before| clamped(own, before)));
        }
        self
    }

    /// What a local holds may be computed of others, and go on from where it was.
    fn settle(&mut self, program: &Program) {
        for round in 0.. {
            let before = self.locals.clone();
            program.body.iter().for_each(|stmt| self.enter(program, stmt));
            if self.locals == before {
                return;
            }
            let grows = |(k, own): (usize, &Option<Values>)| own.is_some() && self.locals[k] != *own;
            let growing: Vec<usize> = before.iter().enumerate().filter(|own| grows(*own)).map(|(k, _)| k).collect();
            if round >= MOST_ROUNDS {
                growing.into_iter().for_each(|k| self.locals[k] = Some(of_type(program.locals[k].held)));
            }
        }
    }

    /// Takes in that a condition holds.
    fn learn(&mut self, cond: &Cond) {
        match cond {
            Cond::And(left, right) => [left, right].into_iter().for_each(|cond| self.learn(cond)),
            Cond::Compare(relation, left, right) => {
                let (least, most) = self.int(right);
                match relation {
                    Relation::Less => self.bound(left, ALL.0, most - 1),
                    Relation::LessOrEqual => self.bound(left, ALL.0, most),
                    Relation::Greater => self.bound(left, least + 1, ALL.1),
                    Relation::GreaterOrEqual => self.bound(left, least, ALL.1),
                    Relation::Equal => self.bound(left, least, most),
                    Relation::NotEqual => {}
                }
            }
            _ => {}
        }
    }

    /// Takes in the bounds of a positive multiple of a size and a number.
    fn bound(&mut self, e: &Int, least: i128, most: i128) {
        match e {
            Int::Parameter(id) => {
                let own = &mut self.sizes[id.0];
                *own = (own.0.max(least), own.1.min(most));
            }
            Int::Binary(op @ (IntOp::Add | IntOp::Subtract), e, by) if let Int::Constant(by) = **by => {
                let by = if *op == IntOp::Add { i128::from(by) } else { -i128::from(by) };
                self.bound(e, least - by, most - by);
            }
            Int::Binary(IntOp::Multiply, factor, e) if let Int::Constant(factor @ 1..) = **factor => {
                let factor = i128::from(factor);
                self.bound(e, -(-least).div_euclid(factor), most.div_euclid(factor));
            }
            Int::Local(_) | Int::Binary(..) => self.known.push((e.clone(), (least, most))),
            _ => {}
        }
    }

    /// What the context says of an integer that is a number more than one that it knows.
    pub(crate) fn known(&self, e: &Int) -> Option<Values> {
        let of = |(own, values): &(Int, Values)| {
            let more = i128::from(Sum::difference(e, own)?);
            Some((values.0 + more, values.1 + more))
        };
        let known = self.known.iter().filter_map(of).reduce(|a, b| (a.0.max(b.0), a.1.min(b.1)));
        // Where nothing runs, anything is known.
        known.filter(|values| values.0 <= values.1)
    }

    fn learn_extents(&mut self, buffer: &Buffer) {
        let most = match buffer.home {
            Home::Stack => Home::MOST_ROWS_ON_STACK.into(),
            Home::Outside | Home::Static => ALL.1,
            // Nobody says that it is there.
            Home::Inside | Home::Heap => return,
        };
        if !buffer.layout.is_flat() {
            buffer.extents.iter().flatten().for_each(|extent| self.bound(extent, 1, most));
        }
    }

    /// Counters of outer loops come first.
    fn enter(&mut self, program: &Program, stmt: &Stmt) {
        match stmt {
            Stmt::For(own) => {
                let values = self.counter(program, own);
                self.has(own.counter, values);
            }
            Stmt::Let { local, value } | Stmt::Set { local, value } => {
                let held = of_type(program.locals[local.0].held);
                let values = match value {
                    LocalValue::Integer(e) => clamped(self.int(e), held),
                    LocalValue::Address(_) => held,
                };
                self.has(*local, values);
            }
            _ => {}
        }
        stmt.lists().into_iter().flatten().for_each(|stmt| self.enter(program, stmt));
    }

    fn has(&mut self, local: LocalId, values: Values) {
        let known = self.locals[local.0].unwrap_or(values);
        self.locals[local.0] = Some((known.0.min(values.0), known.1.max(values.1)));
    }

    /// A counter's values in its loop.
    fn counter(&self, program: &Program, own: &Loop) -> Values {
        let held = of_type(program.locals[own.counter.0].held);
        // It goes on from where it is.
        let here = self.locals[own.counter.0].unwrap_or(held);
        let first = own.first.as_ref().map_or(here, |first| self.int(first));
        // The loop around sees what it ends with.
        let behind = if own.first.is_none() { own.step.map_or(0, |step| step.unsigned_abs().into()) } else { 0 };
        let (least, most) = match direction(own, own.counter) {
            Some(true) => (first.0, first.0.max(self.last(own.counter, &own.test, true) + behind)),
            Some(false) => (first.1.min(self.last(own.counter, &own.test, false) - behind), first.1),
            None => held,
        };
        // The next value is one of its type.
        let step = if is_signed(program, own.counter) { own.step.unwrap_or(0).into() } else { 0 };
        (least.max(held.0 - step.min(0)), most.min(held.1 - step.max(0)))
    }

    /// A counter's values in its loop, in front of it and behind.
    pub(crate) fn with_ends(&self, own: &Loop) -> Values {
        let step = i128::from(own.step.unwrap_or(0));
        let inside = self.locals[own.counter.0].unwrap_or(ALL);
        let first = own.first.as_ref().map_or(inside, |first| self.int(first));
        hull(first, hull(inside, (inside.0 + step.min(0), inside.1 + step.max(0))))
    }

    /// The last value that a test allows, upwards or downwards.
    fn last(&self, counter: LocalId, test: &Cond, is_upwards: bool) -> i128 {
        let end = if is_upwards { ALL.1 } else { ALL.0 };
        match test {
            Cond::And(left, right) => {
                let (left, right) = (self.last(counter, left, is_upwards), self.last(counter, right, is_upwards));
                if is_upwards { left.min(right) } else { left.max(right) }
            }
            Cond::Compare(relation, Int::Local(local), bound) if *local == counter => {
                let bound = self.int(bound);
                match (relation, is_upwards) {
                    (Relation::Less, true) => bound.1 - 1,
                    (Relation::LessOrEqual, true) => bound.1,
                    (Relation::Greater, false) => bound.0 + 1,
                    (Relation::GreaterOrEqual, false) => bound.0,
                    _ => end,
                }
            }
            _ => end,
        }
    }

    /// The values of an integer.
    pub(crate) fn int(&self, e: &Int) -> Values {
        match e {
            Int::Constant(value) => ((*value).into(), (*value).into()),
            Int::Parameter(id) => self.sizes[id.0],
            Int::Local(id) => {
                let values = self.locals.get(id.0).copied().flatten().unwrap_or(ALL);
                self.known(e).map_or(values, |known| clamped(values, known))
            }
            Int::Data(_) => ALL,
            Int::Select(_, yes, no) => hull(self.int(yes), self.int(no)),
            Int::Binary(op, left, right) => {
                let values = of_operation(*op, self.int(left), self.int(right));
                self.known(e).map_or(values, |known| clamped(values, known))
            }
        }
    }
}

/// Whether a loop only counts a local upwards, or only downwards: itself, or in loops inside that go on with it.
pub(crate) fn direction(own: &Loop, counter: LocalId) -> Option<bool> {
    let mut steps = vec![own.step.filter(|_| own.counter == counter)];
    let mut is_set = false;
    own.body.iter().for_each(|stmt| {
        stmt.each(&mut |stmt| match stmt {
            Stmt::For(inner) if inner.counter == counter => {
                is_set |= inner.first.is_some();
                steps.push(inner.step);
            }
            Stmt::Let { local, .. } | Stmt::Set { local, .. } => is_set |= *local == counter,
            _ => {}
        });
    });
    let (up, down) = (steps.iter().flatten().any(|step| *step > 0), steps.iter().flatten().any(|step| *step < 0));
    (!is_set && up != down).then_some(up)
}

/// The values of an operation on such operands.
pub(crate) fn of_operation(op: IntOp, a: Values, b: Values) -> Values {
    let found = match op {
        IntOp::Add => (a.0 + b.0, a.1 + b.1),
        IntOp::Subtract => (a.0 - b.1, a.1 - b.0),
        IntOp::Multiply => {
            let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            ends.into_iter().fold((ends[0], ends[0]), |all, end| hull(all, (end, end)))
        }
        IntOp::Divide if b.0 > 0 => (a.0 / if a.0 < 0 { b.0 } else { b.1 }, a.1 / if a.1 < 0 { b.1 } else { b.0 }),
        IntOp::Divide => hull(a, (0, 0)),
        IntOp::FloorDivide if b.0 > 0 => {
            let ends = [a.0.div_euclid(b.0), a.0.div_euclid(b.1), a.1.div_euclid(b.0), a.1.div_euclid(b.1)];
            ends.into_iter().fold((ends[0], ends[0]), |all, end| hull(all, (end, end)))
        }
        IntOp::FloorDivide => (a.0.min(-1), a.1.max(0)),
        IntOp::Remainder => {
            let most = (b.0.abs().max(b.1.abs()) - 1).max(0);
            (a.0.min(0).max(-most), a.1.max(0).min(most))
        }
        IntOp::FloorModulo => (0, (b.1 - 1).max(0)),
        IntOp::Minimum => (a.0.min(b.0), a.1.min(b.1)),
        IntOp::Maximum => (a.0.max(b.0), a.1.max(b.1)),
    };
    clamped(found, ALL)
}

fn is_signed(program: &Program, local: LocalId) -> bool {
    program.locals[local.0].held.is_some_and(|held| held.is_signed() && held.values().is_some())
}

/// The values of a type; all where none is said.
fn of_type(held: Option<IntType>) -> Values {
    held.and_then(IntType::values).map_or(ALL, |values| clamped(values, ALL))
}

/// The part of some values that lies in others; the nearest end of these if there is none.
pub(crate) fn clamped(a: Values, b: Values) -> Values {
    (a.0.clamp(b.0, b.1), a.1.clamp(b.0, b.1))
}

fn hull(a: Values, b: Values) -> Values {
    (a.0.min(b.0), a.1.max(b.1))
}

#[cfg(test)]
mod tests {
    use super::Ranges;
    use polyfold_program::{Int, IntOp, LocalId, ParameterId, Program};

    const ROWS: i128 = 1 << 27;

    fn ranges(text: &str) -> Ranges {
        Ranges::of(&Program::read(text).expect("a program"))
    }

    #[test]
    fn sizes_have_the_values_of_their_types_and_of_extents() {
        let own = ranges("program p(n: i32, m: u64, N: i32 to 1000) where m <= 9 { temporary W[n + 2] stack; }");
        let of = |k| own.int(&Int::Parameter(ParameterId(k)));
        assert_eq!([of(0), of(1), of(2)], [(-1, ROWS - 2), (0, 9), (-(1 << 31), 1000)]);
    }

    #[test]
    fn loops_that_go_on_with_a_counter_stay_between_its_ends() {
        let own = ranges(
            "program p(n: i32) { temporary W[n] stack; for let i: i32 = 2 while i < n {
               int end: i32 = n - i; for i: i32 while i < end step 1 { } for i: i32 while i < n step 1 { } } }",
        );
        assert_eq!(own.int(&Int::Local(LocalId(0))), (2, ROWS));
    }

    #[test]
    fn locals_hold_what_they_begin_with_and_are_set_to() {
        let own = ranges(
            "program p(n: i32) { temporary W[n] stack; int least: i64 = min(n, 9); int grows: i64 = 0;
               for let i: i32 = 0 while i < n step 1 { int twice: i64 = 2 * grows; grows = grows + 1; } }",
        );
        let of = |name: usize| own.int(&Int::Local(LocalId(name)));
        assert_eq!(of(0), (1, 9));
        let all = (i64::MIN.into(), i64::MAX.into());
        assert_eq!([of(1), of(3)], [all, all]);
    }

    #[test]
    fn counters_lie_between_their_ends() {
        let own = ranges(
            "program p(n: i32) { temporary W[n] stack;
               for i: i32 = 2 while i < n step 1 { for j: i64 = i while j >= 1 - n step -1 { } } }",
        );
        let of = |k| own.int(&Int::Local(LocalId(k)));
        assert_eq!([of(0), of(1)], [(2, ROWS - 1), (1 - ROWS, ROWS - 1)]);
        let sum = Int::binary(IntOp::Subtract, Int::Local(LocalId(0)), Int::Local(LocalId(1)));
        assert_eq!(own.int(&sum), (3 - ROWS, 2 * ROWS - 2));
        let rest = Int::binary(IntOp::Remainder, sum.clone(), Int::Constant(4));
        assert_eq!(own.int(&rest), (-3, 3));
        let divided = |op| own.int(&Int::binary(op, sum.clone(), Int::Constant(4)));
        assert_eq!(divided(IntOp::Divide), ((3 - ROWS) / 4, (2 * ROWS - 2) / 4));
        assert_eq!(divided(IntOp::FloorDivide), ((3 - ROWS).div_euclid(4), (2 * ROWS - 2).div_euclid(4)));
    }
}
