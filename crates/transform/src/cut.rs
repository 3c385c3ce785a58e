//! Loops are cut where conditions on their counters change (index-set splitting).
//!
//! ```text
//! for let i = 0 while i < n step 1 {          int i = 0;
//!   if (i >= 1 && i < n - 1) { A }            for i while i < 1 step 1 { B }
//!   else { B }                           =>   for i while i < n - 1 step 1 { A }
//! }                                           for i while i < n step 1 { B }
//! ```
//!
//! The idea: a comparison with something fixed changes once, at a threshold. Each part goes on up to the next threshold, so that
//! it is past those before, and not past its own. Where that settles a comparison it goes. Nothing else is taken for granted:
//! if thresholds come in another order, some comparisons stay, and the parts run the same iterations.
//!
//! Paper: Griebl, Feautrier, Lengauer, "Index set splitting", 2000.
//!
//! A part in which nothing is left goes, if the loop declares its counter: the next part begins further on.
//!
//! Invariants: iterations and their order stay, and what a counter holds behind its loop if others may see it.
//!
//! Conditions in front of innermost loops stay, and those that choose a row there: they cost little.
//!
//! Limits: loops that count by 1 or -1, with one comparison as their test, and not for threads. At most [`MOST_PARTS`]: each has the body once more.

use crate::chosen::chosen;
use crate::comparison::{Comparison, Facts, Settling, comparisons};
use crate::counters::{Counter, plus};
use crate::fixed::{changed_in, has_loop, is_fixed};
use polyfold_program::Sum;
use polyfold_program::{
    BufferId, Cond, Int, IntOp, Invariant, LocalId, LocalValue, Loop, Place, Program, Relation, Stmt,
};

/// A border on each side takes three, and a corner beside it two more.
const MOST_PARTS: usize = 5;

/// The program with those loops cut whose statements use some of the buffers.
pub fn cut(program: &Program, buffers: &[BufferId]) -> Program {
    let mut cutting = Cutting { buffers, positive: Vec::new() };
    Program { body: cutting.list(&program.body), ..program.clone() }
}

struct Cutting<'a> {
    buffers: &'a [BufferId],
    /// What is known not to be negative, in the loops around.
    positive: Vec<Sum>,
}

impl Cutting<'_> {
    fn list(&mut self, body: &[Stmt]) -> Vec<Stmt> {
        body.iter().flat_map(|own| self.stmt(own)).collect()
    }

    fn stmt(&mut self, own: &Stmt) -> Vec<Stmt> {
        match own {
            Stmt::For(own) => {
                let cut = Cut::of(own, self.buffers);
                let parts = cut.as_ref().map_or_else(|| vec![own.clone()], |cut| cut.parts(&self.positive));
                let known = self.positive.len();
                self.positive.extend(Counter::of(own).iterations());
                let inside = |own: Loop| Loop { body: self.list(&own.body), ..own };
                let parts = parts.into_iter().map(inside).collect::<Vec<_>>();
                self.positive.truncate(known);
                match cut {
                    Some(cut) => cut.one_after_the_other(parts),
                    // Nobody sees that it ran.
                    None => {
                        parts.into_iter().filter(|own| !(own.declares && own.body.is_empty())).map(Stmt::For).collect()
                    }
                }
            }
            Stmt::If { cond, then, other } => {
                let (then, other) = (self.list(then), self.list(other));
                let is_empty = then.is_empty() && other.is_empty();
                Vec::from_iter((!is_empty).then(|| Stmt::If { cond: cond.clone(), then, other }))
            }
            other => vec![other.clone()],
        }
    }
}

/// A loop with places to cut it at.
struct Cut<'a> {
    own: &'a Loop,
    first: &'a Int,
    is_upwards: bool,
    /// In the order in which the loop reaches them: the counter is less than one, or at least as large.
    thresholds: Vec<Int>,
    /// What is known from the start.
    known: Facts,
}

impl<'a> Cut<'a> {
    /// `None`: nothing is to be settled by it.
    fn of(own: &'a Loop, buffers: &[BufferId]) -> Option<Cut<'a>> {
        let is_upwards = direction(own).filter(|_| !own.parallel)?;
        let (first, bound) = (own.first.as_ref()?, Comparison::of(&own.test, own.counter)?);
        let mut known = Facts::default();
        let begun = if is_upwards { first.clone() } else { plus(first, 1) };
        known.note(begun, is_upwards);
        known.note(bound.threshold.clone(), bound.is_at_least);
        let mut thresholds = thresholds((own, buffers), &known);
        // From where the loop begins, what is of unknown distance, and to where it ends.
        let rank = |own: &Int| match (Sum::difference(own, first), Sum::difference(own, &bound.threshold)) {
            (Some(begin), _) => (0, begin),
            (None, Some(end)) => (2, end),
            (None, None) => (1, 0),
        };
        let turned = |(rank, distance): (i32, i64)| (rank, if is_upwards { distance } else { -distance });
        thresholds.sort_by_key(|own| turned(rank(own)));
        let has_room = !thresholds.is_empty() && thresholds.len() < MOST_PARTS;
        has_room.then_some(Cut { own, first, is_upwards, thresholds, known })
    }

    /// The counter's first value, and the parts. Where nothing is done the counter goes on at once.
    fn one_after_the_other(&self, parts: Vec<Loop>) -> Vec<Stmt> {
        let begins = |value: Int| {
            let (local, value) = (self.own.counter, LocalValue::Integer(value));
            if self.own.declares { Stmt::Let { local, value } } else { Stmt::Set { local, value } }
        };
        // Where the counter goes on at once, its type has to hold the place: past a large size there may be none.
        let is_near = |at: &Int| self.ends_before(at) || at.as_constant().is_some();
        let is_held = |k: usize| !self.is_upwards || self.thresholds.get(k).is_none_or(is_near);
        let does_nothing = |k: usize, part: &Loop| self.own.declares && part.body.is_empty() && is_held(k);
        let Some(last) = (0..parts.len()).rposition(|k| !does_nothing(k, &parts[k])) else { return Vec::new() };
        let is_skipped = |k: &usize| does_nothing(*k, &parts[*k]) && self.is_ahead(&self.thresholds[*k]);
        let front = (0..self.thresholds.len()).take_while(is_skipped).count();
        let first = match front.checked_sub(1).map(|k| &self.thresholds[k]) {
            None => self.first.clone(),
            Some(at) if self.is_upwards => at.clone(),
            Some(at) => plus(at, -1),
        };
        let mut all = vec![begins(first)];
        for (k, part) in parts.into_iter().enumerate().take(last + 1).skip(front) {
            all.push(match does_nothing(k, &part) {
                true => Stmt::Set { local: self.own.counter, value: LocalValue::Integer(self.further(k)) },
                false => Stmt::For(part),
            });
        }
        all
    }

    /// Whether the loop begins no further than at a threshold.
    fn is_ahead(&self, threshold: &Int) -> bool {
        let further = Sum::difference(threshold, self.first);
        further.is_some_and(|own| if self.is_upwards { own >= 0 } else { own <= 1 })
    }

    /// Where the counter goes on behind a part.
    fn further(&self, part: usize) -> Int {
        let at = Int::Local(self.own.counter);
        match self.is_upwards {
            true => Int::binary(IntOp::Maximum, at, self.thresholds[part].clone()),
            false => Int::binary(IntOp::Minimum, at, plus(&self.thresholds[part], -1)),
        }
    }

    /// The parts, each of which goes on with the counter.
    fn parts(&self, positive: &[Sum]) -> Vec<Loop> {
        let mut facts = self.known.clone();
        let mut parts = Vec::new();
        for (k, threshold) in self.thresholds.iter().enumerate() {
            let mut here = facts.clone();
            here.note(threshold.clone(), !self.is_upwards);
            let alone = Some(if self.is_upwards { 1 } else { 0 });
            let is_first_alone = k == 0 && Sum::difference(threshold, self.first) == alone;
            let is_inside = is_first_alone && self.has_iterations(positive) || self.ends_before(threshold);
            let at = Int::Local(self.own.counter);
            let own = match self.is_upwards {
                true => Cond::compare(at, Relation::Less, threshold.clone()),
                false => Cond::compare(at, Relation::GreaterOrEqual, threshold.clone()),
            };
            let test = match is_inside {
                true => own,
                false => Cond::And(Box::new(self.own.test.clone()), Box::new(own)),
            };
            parts.push(self.part(test, &here, k));
            facts.note(threshold.clone(), self.is_upwards);
        }
        parts.push(self.part(self.own.test.clone(), &facts, self.thresholds.len()));
        parts
    }

    /// Whether the loop has one at least.
    fn has_iterations(&self, positive: &[Sum]) -> bool {
        let counts = Counter::of(self.own).iterations();
        let is_as_many = |own: &Sum, count: &Sum| own.less(count).is_some_and(|fewer| fewer <= 0);
        !counts.is_empty() && counts.iter().all(|count| positive.iter().any(|own| is_as_many(own, count)))
    }

    /// Whether the loop goes on at least up to a threshold.
    fn ends_before(&self, threshold: &Int) -> bool {
        let Some(bound) = Comparison::of(&self.own.test, self.own.counter) else { return false };
        let further = Sum::difference(threshold, &bound.threshold);
        further.is_some_and(|own| if self.is_upwards { own <= 0 } else { own >= 0 })
    }

    /// The part behind some thresholds.
    fn part(&self, test: Cond, facts: &Facts, behind: usize) -> Loop {
        let settling = Settling { counter: self.own.counter, facts };
        let body = settling.list(&self.own.body);
        let invariant = self.invariant(behind);
        Loop { declares: false, first: None, test, body, invariant, ..self.own.clone() }
    }

    /// What holds at the head of a loop behind some thresholds.
    fn invariant(&self, behind: usize) -> Invariant {
        let (from, past) = match self.is_upwards {
            true => (Relation::GreaterOrEqual, Relation::GreaterOrEqual),
            false => (Relation::LessOrEqual, Relation::Less),
        };
        let compared = |relation| move |to: &Int| Cond::compare(Int::Local(self.own.counter), relation, to.clone());
        let begun = Sum::of(self.first, 1).extremes(self.is_upwards);
        let begun = begun.iter().map(|own| compared(from)(&own.print(&[])));
        let ranges = begun.chain(self.thresholds[..behind].iter().map(compared(past))).collect();
        Invariant { ranges, ..Invariant::default() }
    }
}

/// Whether a loop counts upwards by 1, or downwards, to a bound. `None`: neither.
fn direction(own: &Loop) -> Option<bool> {
    let Cond::Compare(relation, Int::Local(id), _) = &own.test else { return None };
    let is_upwards = match (relation, own.step?) {
        (Relation::Less | Relation::LessOrEqual, 1) => true,
        (Relation::Greater | Relation::GreaterOrEqual, -1) => false,
        _ => return None,
    };
    (*id == own.counter).then_some(is_upwards)
}

/// Where comparisons with a loop's counter change, as far as that isn't known.
fn thresholds((own, buffers): (&Loop, &[BufferId]), known: &Facts) -> Vec<Int> {
    let changed = changed_in(&own.body);
    let mut thresholds: Vec<Int> = Vec::new();
    let mut note = |cond: &Cond| {
        if !names(cond, own.counter) {
            return;
        }
        let all = comparisons(cond, own.counter);
        for one in all.into_iter().map(|own| own.threshold).filter(|own| is_fixed(own, &changed)) {
            let is_new = thresholds.iter().all(|own| Sum::difference(own, &one) != Some(0));
            if is_new && known.settles(&one).is_none() {
                thresholds.push(one);
            }
        }
    };
    each_condition((own, buffers), &mut |cond| each_comparison(cond, &mut note));
    thresholds
}

/// Calls `visit` for the conditions of statements in innermost loops that use some of the buffers, and for those of places there. What is
/// chosen between values is the source's to choose.
fn each_condition((own, buffers): (&Loop, &[BufferId]), visit: &mut dyn FnMut(&Cond)) {
    let mut inside = Vec::new();
    own.body.iter().for_each(|stmt| stmt.each(&mut |stmt| inside.extend(as_loop(stmt))));
    if !inside.is_empty() {
        let is_innermost = |own: &&&Loop| !own.body.iter().any(has_loop);
        return inside.iter().filter(is_innermost).for_each(|own| each_condition((own, buffers), visit));
    }
    if !uses(own, buffers) {
        return;
    }
    // What each iteration reads of a row that is chosen in front of the loop gets a pointer.
    let is_chosen = |stmt: &Stmt, place: &Place| own.body.contains(stmt) && chosen(place, own.counter).is_some();
    let mut in_stmt = |stmt: &Stmt| match stmt {
        Stmt::If { cond, .. } => visit(cond),
        Stmt::Assign(own) => {
            each_choice(&own.target, visit);
            own.value.each_read(&mut |place| {
                if !is_chosen(stmt, place) {
                    each_choice(place, visit);
                }
            });
        }
        _ => {}
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut in_stmt));
}

fn uses(own: &Loop, buffers: &[BufferId]) -> bool {
    let mut found = false;
    let mut note = |stmt: &Stmt| stmt.each_use(&mut |_, id| found |= buffers.contains(&id));
    own.body.iter().for_each(|stmt| stmt.each(&mut note));
    found
}

fn as_loop(stmt: &Stmt) -> Option<&Loop> {
    match stmt {
        Stmt::For(own) => Some(own),
        _ => None,
    }
}

fn each_choice(place: &Place, visit: &mut dyn FnMut(&Cond)) {
    if let Place::Select(cond, yes, no) = place {
        visit(cond);
        [yes, no].into_iter().for_each(|place| each_choice(place, visit));
    }
}

fn each_comparison(cond: &Cond, visit: &mut dyn FnMut(&Cond)) {
    match cond {
        Cond::And(left, right) | Cond::Or(left, right) => {
            each_comparison(left, visit);
            // What is asked behind data stays.
            if !left.has_data() {
                each_comparison(right, visit);
            }
        }
        Cond::Not(inner) => each_comparison(inner, visit),
        Cond::Compare(..) => visit(cond),
        Cond::Data(_) => {}
    }
}

fn names(cond: &Cond, local: LocalId) -> bool {
    let mut found = false;
    cond.each_int(&mut |e| found |= *e == Int::Local(local));
    found
}
