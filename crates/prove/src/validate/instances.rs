//! The instances of the program before, and their dates.
//!
//! ```text
//! for t … { for i … { S0(t, i) }  S1(t) }      S0(t, i) at [0, t, 0, i, 0],   S1(t) at [0, t, 1]
//! ```
//!
//! A date tells positions in lists and counters in turn; a counter that goes down counts negatively.
//! Dates are ordered as words: one that is the beginning of another stands in front of it.

use super::facts::{Facts, Judge};
use super::linear::Linear;
use super::names::Names;
use super::{Obligation, Stop};
use polyfold_program::{Cond, Int, LocalId, Loop, Program, Relation, StatementId, Stmt};

/// A date, or the beginning of one.
pub(super) type Date = Vec<Linear>;

/// A statement of the program before, or a condition on data there.
#[derive(Clone)]
pub(super) struct Instances<'a, What = Instance<'a>> {
    pub(super) what: What,
    /// The loops around it, outermost first.
    pub(super) loops: Vec<Level<'a>>,
    /// Conditions without data around it.
    conds: Vec<(&'a Cond, bool)>,
    /// Conditions on data around it, by their numbers.
    pub(super) outcomes: Vec<(usize, bool)>,
    /// Positions in the lists around it: in front of each loop, and its own.
    positions: Vec<Vec<usize>>,
}

/// A statement of the source where it stands.
#[derive(Clone, Copy)]
pub(super) struct Instance<'a> {
    pub(super) statement: StatementId,
    /// Its counters, outermost first.
    pub(super) at: &'a [Int],
    /// What it does.
    pub(super) stmt: &'a Stmt,
}

impl<'a> Instance<'a> {
    /// `None`: it is something else.
    pub(super) fn of(stmt: &'a Stmt) -> Option<Instance<'a>> {
        stmt.instance().map(|(statement, at)| Instance { statement, at, stmt })
    }
}

/// A loop around a statement.
#[derive(Clone, Copy)]
pub(super) struct Level<'a> {
    pub(super) own: &'a Loop,
    pub(super) first: &'a Int,
    step: i64,
}

/// A condition on data.
pub(super) type Test<'a> = Instances<'a, &'a Cond>;

/// All statements of a program, and all conditions on data.
pub(super) fn instances(program: &Program) -> Result<(Vec<Instances<'_>>, Vec<Test<'_>>), Stop> {
    let here =
        Instances { what: (), loops: Vec::new(), conds: Vec::new(), outcomes: Vec::new(), positions: vec![Vec::new()] };
    let mut scan = Scan { found: Vec::new(), tests: Vec::new(), here };
    scan.list(&program.body)?;
    Ok((scan.found, scan.tests))
}

struct Scan<'a> {
    found: Vec<Instances<'a>>,
    tests: Vec<Test<'a>>,
    here: Instances<'a, ()>,
}

impl<'a> Scan<'a> {
    fn list(&mut self, body: &'a [Stmt]) -> Result<(), Stop> {
        for (position, stmt) in body.iter().enumerate() {
            if let Some(last) = self.here.positions.last_mut() {
                last.push(position);
            }
            self.stmt(stmt)?;
            if let Some(last) = self.here.positions.last_mut() {
                last.pop();
            }
        }
        Ok(())
    }

    fn stmt(&mut self, stmt: &'a Stmt) -> Result<(), Stop> {
        match stmt {
            _ if let Some(instance) = Instance::of(stmt) => {
                let counters = instance.at.iter().zip(&self.here.loops);
                let are_counters = instance.at.len() == self.here.loops.len()
                    && counters.into_iter().all(|(at, level)| *at == Int::Local(level.own.counter));
                if !are_counters {
                    return Err(Obligation::Unsupported(
                        "statements of the program before that don't name their counters",
                    )
                    .into());
                }
                self.found.push(self.here.with(instance));
                Ok(())
            }
            Stmt::If { cond, then, other } => {
                self.mentions_loops_around(|visit| cond.each_int(visit), None)?;
                let test = cond.has_data().then_some(self.tests.len());
                if test.is_some() {
                    self.tests.push(self.here.with(cond));
                }
                for (branch, (holds, body)) in [(true, then), (false, other)].into_iter().enumerate() {
                    match test {
                        Some(test) => self.here.outcomes.push((test, holds)),
                        None => self.here.conds.push((cond, holds)),
                    }
                    if let Some(last) = self.here.positions.last_mut() {
                        last.push(branch);
                    }
                    self.list(body)?;
                    if let Some(last) = self.here.positions.last_mut() {
                        last.pop();
                    }
                    match test {
                        Some(_) => self.here.outcomes.pop().map(|_| ()),
                        None => self.here.conds.pop().map(|_| ()),
                    };
                }
                Ok(())
            }
            Stmt::For(own) => {
                if self.here.loops.iter().any(|around| around.own.counter == own.counter) {
                    return Err(Obligation::Unsupported("loops inside with the same counter").into());
                }
                let level = counted(own)?;
                self.mentions_loops_around(|visit| level.first.each(visit), None)?;
                self.mentions_loops_around(|visit| own.test.each_int(visit), Some(own.counter))?;
                self.here.loops.push(level);
                self.here.positions.push(Vec::new());
                self.list(&own.body)?;
                self.here.positions.pop();
                self.here.loops.pop();
                Ok(())
            }
            _ => Err(Obligation::Unsupported("locals or copies in the program before").into()),
        }
    }
}

impl Scan<'_> {
    /// That an expression names no counters but those of the loops around, and perhaps its own.
    fn mentions_loops_around(&self, each: impl FnOnce(&mut dyn FnMut(&Int)), own: Option<LocalId>) -> Result<(), Stop> {
        let mut are_around = true;
        let is_around = |local: LocalId| Some(local) == own || self.here.loops.iter().any(|l| l.own.counter == local);
        each(&mut |e| are_around &= !matches!(e, Int::Local(local) if !is_around(*local)));
        if are_around {
            Ok(())
        } else {
            Err(Obligation::Unsupported("counters that are read outside their loops").into())
        }
    }
}

/// A loop whose counters are `first`, `first + step`, … as far as the test holds.
pub(super) fn counted(own: &Loop) -> Result<Level<'_>, Stop> {
    let (Some(first), Some(step)) = (&own.first, own.step) else {
        return Err(Obligation::Unsupported("loops of the program before that don't count").into());
    };
    if mentions(first, own.counter) {
        return Err(Obligation::Unsupported("loops that begin with their own counter").into());
    }
    if step == 0 || !ends(&own.test, own.counter, step) || !is_bounded(&own.test, own.counter) {
        return Err(Obligation::Unsupported("tests of loops of the program before that don't bound the counter").into());
    }
    Ok(Level { own, first, step })
}

/// Whether a test that fails once fails for all counters behind.
fn ends(test: &Cond, counter: LocalId, step: i64) -> bool {
    match test {
        Cond::And(left, right) => ends(left, counter, step) && ends(right, counter, step),
        Cond::Compare(relation, left, right) => {
            let is_bound = match relation {
                Relation::Less | Relation::LessOrEqual => step > 0,
                Relation::Greater | Relation::GreaterOrEqual => step < 0,
                Relation::Equal | Relation::NotEqual => false,
            };
            let is_counter = *left == Int::Local(counter) && !mentions(right, counter) && is_bound;
            is_counter || (!mentions(left, counter) && !mentions(right, counter))
        }
        _ => false,
    }
}

/// Whether a part of a test is about the counter: then a counter is reached for which the test fails.
fn is_bounded(test: &Cond, counter: LocalId) -> bool {
    match test {
        Cond::And(left, right) => is_bounded(left, counter) || is_bounded(right, counter),
        Cond::Compare(_, left, _) => *left == Int::Local(counter),
        _ => false,
    }
}

fn mentions(e: &Int, local: LocalId) -> bool {
    let mut found = false;
    e.each(&mut |inner| found |= *inner == Int::Local(local));
    found
}

impl<'a, Own> Instances<'a, Own> {
    fn with<What>(&self, what: What) -> Instances<'a, What> {
        let Instances { loops, conds, outcomes, positions, .. } = self;
        let (loops, conds) = (loops.clone(), conds.clone());
        Instances { what, loops, conds, outcomes: outcomes.clone(), positions: positions.clone() }
    }

    /// The date of the instance at some counters.
    pub(super) fn date(&self, counters: &[Linear]) -> Date {
        let mut date = self.iteration(counters);
        let own = self.positions.last().into_iter().flatten();
        date.extend(own.map(|position| Linear::number(*position as i128)));
        date
    }

    /// The beginning of the dates of the iteration of the outermost loops that has some counters.
    pub(super) fn iteration(&self, counters: &[Linear]) -> Date {
        let mut date = Vec::new();
        for ((level, counter), positions) in self.loops.iter().zip(counters).zip(&self.positions) {
            date.extend(positions.iter().map(|position| Linear::number(*position as i128)));
            date.push(level.in_date(counter));
        }
        date
    }

    /// The names of the program before in the instance at some counters.
    pub(super) fn names(&self, parameters: &[Linear], counters: &[Linear]) -> Names {
        let locals = self.loops.iter().zip(counters).map(|(level, value)| (level.own.counter, value.clone())).collect();
        Names { parameters: parameters.to_vec(), locals }
    }

    /// The possible cases in which this is an instance, as far as data allow.
    pub(super) fn assume(&self, judge: &Judge, facts: &Facts, names: &Names) -> Result<Vec<Facts>, Stop> {
        let mut cases = vec![facts.clone()];
        for level in &self.loops {
            let mut next = Vec::new();
            for facts in &cases {
                next.extend(level.assume(judge, facts, names)?);
            }
            cases = next;
        }
        for (cond, holds) in &self.conds {
            let mut next = Vec::new();
            for facts in &cases {
                next.extend(judge.assume(facts, names, cond, *holds)?);
            }
            cases = next;
        }
        Ok(cases)
    }

    /// Whether this is surely an instance, if data allow.
    pub(super) fn is_one(&self, judge: &Judge, facts: &Facts, names: &Names) -> Result<bool, Stop> {
        for level in &self.loops {
            for (facts, behind) in level.behind(judge, facts, names)? {
                let step = Linear::number(i128::from(level.step).abs());
                if !judge.entails(&facts, &behind)? || !judge.is_multiple(&facts, &behind, &step)? {
                    return Ok(false);
                }
            }
            if !judge.assume(facts, names, &level.own.test, false)?.is_empty() {
                return Ok(false);
            }
        }
        for (cond, holds) in &self.conds {
            if !judge.assume(facts, names, cond, !holds)?.is_empty() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

impl Level<'_> {
    /// How a counter stands in a date.
    pub(super) fn in_date(&self, counter: &Linear) -> Linear {
        counter.times(i128::from(self.step.signum()))
    }

    /// The possible cases in which the loop has an iteration with its counter.
    pub(super) fn assume(&self, judge: &Judge, facts: &Facts, names: &Names) -> Result<Vec<Facts>, Stop> {
        let mut cases = Vec::new();
        for (facts, behind) in self.behind(judge, facts, names)? {
            let mut facts = facts.with_not_negative(behind.clone());
            if self.step.unsigned_abs() > 1 {
                let quotient = Linear::symbol(judge.fresh());
                facts = facts.with_zero(behind.plus(&quotient, -i128::from(self.step).abs()));
            }
            cases.extend(judge.assume(&facts, names, &self.own.test, true)?);
        }
        Ok(cases)
    }

    /// How far a counter is behind the first one, in the loop's direction.
    fn behind(&self, judge: &Judge, facts: &Facts, names: &Names) -> Result<Vec<(Facts, Linear)>, Stop> {
        let Some(counter) = names.locals.get(&self.own.counter) else { return Err(Obligation::NoValue.into()) };
        let sign = i128::from(self.step.signum());
        let behind = |(facts, first): (Facts, Linear)| (facts, counter.minus(&first).times(sign));
        Ok(judge.int(facts, names, self.first)?.into_iter().map(behind).collect())
    }
}

/// Cases of `a < b`, or of `a <= b`, where the beginning of a date stands in front of the date. What is certain from
/// numbers alone is left out.
pub(super) fn in_front(facts: &Facts, a: &Date, b: &Date, or_equal: bool) -> Vec<Facts> {
    let mut all = Vec::new();
    let mut equal = facts.clone();
    for (left, right) in a.iter().zip(b) {
        let difference = right.minus(left);
        match difference.as_number() {
            Some(0) => {}
            Some(number) => {
                if number > 0 {
                    all.push(equal);
                }
                return all;
            }
            None => {
                all.push(equal.with_not_negative(difference.and(-1)));
                equal = equal.with_zero(difference);
            }
        }
    }
    if if or_equal { a.len() <= b.len() } else { a.len() < b.len() } {
        all.push(equal);
    }
    all
}
