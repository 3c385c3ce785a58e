//! Choices of which all is computed (if-conversion).
//!
//! ```text
//! for j … { S0(j): y[j] = (x[j] < 0.5 ? x[j] : 2.0 * x[j]); }
//!   =>  for j … { S0(j): y[j] = select_double(x[j] < 0.5 ? x[j] : 2.0 * x[j]); }
//! ```
//!
//! The idea: C computes what stands behind `?`, `&&`, `||` and `if` only where a choice asks for it. Floating arithmetic may raise a
//! flag, so compilers keep it so, and make no vectors of the loop. No value depends on a flag.
//!
//! * An iteration computes sums, differences, products and quotients by numbers for nothing, at most [`MOST_OPERATIONS`].
//! * It reads cells that the iteration uses anyway, and cells of buffers that are there for every iteration.
//! * No iteration uses what another one writes, and no choice in the loop stays: in other loops a choice that is foreseen is faster.
//! * The loop computes in one precision: gcc 12 may leave out that a `double` is rounded to `float` where it makes vectors of such loops.
//! * Where data choose between assignments of one cell, one assignment chooses between their values.
//!
//! Source: J. R. Allen, K. Kennedy, C. Porterfield, J. Warren, Conversion of Control Dependence to Data Dependence (POPL 1983); GCC,
//! tree-if-conv.c and tree-ssa-sink.c.
//!
//! Invariants: the same values, bit for bit, and the same instances in their order. The program may raise flags that the source doesn't.

use crate::fixed::has_loop;
use polyfold_program::Sum;
use polyfold_program::{
    Assign, BufferId, Cond, Element, Int, LocalId, Loop, Op, Place, Program, Real, Role, Scalar, StatementId, Stmt,
    Use, Value,
};

use std::collections::BTreeSet;

/// Operations that an iteration may do for nothing; comparisons aren't counted.
const MOST_OPERATIONS: usize = 24;

/// A division takes as long as so many others.
const COST_OF_DIVISION: usize = 4;

/// The largest number up to which a `float` holds all.
const EXACT: i64 = 1 << 24;

/// What is known besides the tree.
pub struct Convertible<'a> {
    /// Statements that may be written in another way.
    pub statements: &'a [StatementId],
    /// Whether a buffer has each cell that a statement names, in all iterations of the statement.
    pub is_there: &'a dyn Fn(BufferId) -> bool,
}

/// The program with such choices, where a loop has some that are worth it.
pub fn if_convert(program: &Program, convertible: &Convertible) -> Program {
    let pass = Pass { program, convertible, may_move: variable };
    Program { body: pass.list(&program.body), ..program.clone() }
}

/// The statements that would compute floating numbers behind a choice even so: compilers make no vectors of their loops. What only
/// the program sees may become a variable of a loop.
pub fn branching(program: &Program, convertible: &Convertible) -> BTreeSet<StatementId> {
    let pass = Pass { program, convertible, may_move: passed_on };
    let mut found = BTreeSet::new();
    let mut in_stmt = |stmt: &Stmt| {
        let Stmt::For(own) = stmt else { return };
        let mut assigns: Vec<Assign> = Vec::new();
        let mut note =
            |stmt: &Stmt| assigns.extend(if let Stmt::Assign(own) = stmt { Some(own.clone()) } else { None });
        own.body.iter().for_each(|stmt| stmt.each(&mut note));
        if !own.body.iter().any(has_loop) && pass.in_loop(own).is_none() {
            let moved = pass.moved(&assigns);
            let branches = |own: &&Assign| pass.is_real(&own.target) && computes_behind_a_choice(&own.value, &moved);
            found.extend(assigns.iter().filter(branches).map(|own| own.statement));
        }
    };
    program.body.iter().for_each(|own| own.each(&mut in_stmt));
    found
}

struct Pass<'a> {
    program: &'a Program,
    convertible: &'a Convertible<'a>,
    /// The buffer that is written, if compilers may move that behind the choice that reads it.
    may_move: fn(&Program, &Place) -> Option<BufferId>,
}

impl Pass<'_> {
    fn list(&self, body: &[Stmt]) -> Vec<Stmt> {
        body.iter().map(|own| self.stmt(own)).collect()
    }

    fn stmt(&self, own: &Stmt) -> Stmt {
        match own {
            Stmt::For(own) => {
                let is_innermost = !own.body.iter().any(has_loop);
                let body = if is_innermost { self.in_loop(own) } else { Some(self.list(&own.body)) };
                Stmt::For(Loop { body: body.unwrap_or_else(|| own.body.clone()), ..own.clone() })
            }
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: cond.clone(), then: self.list(then), other: self.list(other) }
            }
            other => other.clone(),
        }
    }

    /// An innermost loop's body with all its choices converted. `None`: one can't be, or none is worth it.
    fn in_loop(&self, own: &Loop) -> Option<Vec<Stmt>> {
        let is_known = |stmt: &Stmt| stmt.assigned().iter().all(|id| self.convertible.statements.contains(id));
        let assigns: Vec<Assign> = own.body.iter().map(Stmt::as_choice).collect::<Option<_>>()?;
        let (branches, moved) = (own.body.iter().any(|stmt| matches!(stmt, Stmt::If { .. })), self.moved(&assigns));
        let is_worth_it = branches || assigns.iter().any(|own| computes_behind_a_choice(&own.value, &moved));
        if own.parallel || !is_worth_it || !own.body.iter().all(is_known) || !are_apart(own.counter, &assigns) {
            return None;
        }
        let mut sure = Vec::new();
        for own in &assigns {
            sure.push(&own.target);
            each_sure_read(&own.value, &mut sure);
        }
        let real = precision(self.program, own)?;
        let mut converting = Converting { convertible: self.convertible, real, sure, operations: 0 };
        let in_stmt = |(own, assign): (&Stmt, &Assign)| {
            let value = converting.whole(&assign.value)?;
            let is_same = value == assign.value && matches!(own, Stmt::Assign(_));
            Some(if is_same { own.clone() } else { Stmt::Assign(Assign { value, ..assign.clone() }) })
        };
        let body = own.body.iter().zip(&assigns).map(in_stmt).collect::<Option<Vec<Stmt>>>()?;
        (converting.operations <= MOST_OPERATIONS).then_some(body)
    }

    fn moved(&self, assigns: &[Assign]) -> Vec<BufferId> {
        assigns.iter().filter_map(|own| (self.may_move)(self.program, &own.target)).collect()
    }

    fn is_real(&self, target: &Place) -> bool {
        matches!(target, Place::Cell { buffer, .. } if real(&self.program.buffers[buffer.0].element).is_some())
    }
}

/// The buffer, if only the program sees it.
fn passed_on(program: &Program, target: &Place) -> Option<BufferId> {
    match target {
        Place::Cell { buffer, .. } if program.buffers[buffer.0].role == Role::Temporary => Some(*buffer),
        _ => None,
    }
}

/// Whether no iteration uses what another one writes.
fn are_apart(counter: LocalId, assigns: &[Assign]) -> bool {
    // In the order of C.
    let mut uses: Vec<(Use, &Place)> = Vec::new();
    for own in assigns {
        own.value.each_read(&mut |place| uses.push((Use::Read, place)));
        uses.push((Use::Write, &own.target));
    }
    let is_apart = |write: &Place| match write {
        // Each iteration writes it first.
        Place::Cell { index, .. } if index.is_empty() => {
            uses.iter().find(|(_, place)| *place == write).is_some_and(|(how, _)| *how == Use::Write)
        }
        _ => uses.iter().all(|(_, other)| are_in_turns(counter, write, other)),
    };
    uses.iter().filter(|(how, _)| *how == Use::Write).all(|(_, write)| is_apart(write))
}

/// Whether two places are one cell in one iteration only, if at all.
fn are_in_turns(counter: LocalId, write: &Place, other: &Place) -> bool {
    let (Place::Cell { buffer, index }, Place::Cell { buffer: own, index: at }) = (write, other) else { return false };
    let moves = |e: &Int| e.names(counter);
    let goes_on = |e: &Int| {
        let of_counter = Sum::of(e, 1).without(&Int::Local(counter));
        of_counter.is_some_and(|(factor, rest)| factor != 0 && !rest.iter().any(moves))
    };
    let are_two_rows = |(one, two): (&Int, &Int)| {
        !moves(one) && !moves(two) && Sum::difference(one, two).is_some_and(|difference| difference != 0)
    };
    buffer != own || index == at && index.iter().any(goes_on) || index.iter().zip(at).any(are_two_rows)
}

/// The type of all that a loop uses.
fn precision(program: &Program, own: &Loop) -> Option<Real> {
    let mut reals = Vec::new();
    let mut note = |id: BufferId| reals.push(real(&program.buffers[id.0].element));
    own.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_use(&mut |_, id| note(id))));
    let has_pointer = own.body.iter().any(|stmt| stmt.any(&has_pointer));
    let first = *reals.first()?;
    if !has_pointer && reals.iter().all(|own| *own == first) { first } else { None }
}

fn real(element: &Element) -> Option<Real> {
    match element.kind {
        Some(Scalar::Real(own)) => Some(own),
        _ => None,
    }
}

/// Whether a statement finds cells through pointers, of which nothing says whose they are.
fn has_pointer(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.each_place(&mut |_, place| found |= matches!(place, Place::Through { .. }));
    found
}

/// The variable that is written.
fn variable(program: &Program, target: &Place) -> Option<BufferId> {
    match target {
        Place::Cell { buffer, .. } if program.buffers[buffer.0].extents.is_empty() => Some(*buffer),
        _ => None,
    }
}

/// Whether floating numbers are computed only where a choice asks for them. Compilers move what is in a variable behind the only choice
/// that reads it.
fn computes_behind_a_choice(value: &Value, variables: &[BufferId]) -> bool {
    let mut found = false;
    each_choice(value, &mut |cond, sides| {
        let mut behind = sides.to_vec();
        late_operands(cond, &mut behind);
        let is_moved =
            |own: &Value| matches!(own, Value::Read(Place::Cell { buffer, .. }) if variables.contains(buffer));
        found |= behind.iter().any(|own| has_arithmetic(own)) || sides.iter().any(|own| is_moved(own));
    });
    found
}

fn each_choice<'a>(value: &'a Value, visit: &mut dyn FnMut(&'a Cond, [&'a Value; 2])) {
    match value {
        Value::Read(_) | Value::Integer(..) | Value::Apply(Op::Select(_), _) => {}
        Value::Apply(_, operands) => operands.iter().for_each(|own| each_choice(own, visit)),
        Value::Choice(cond, yes, no) => {
            visit(cond, [yes, no]);
            let mut operands = Vec::new();
            each_operand(cond, &mut operands);
            operands.into_iter().chain([&**yes, &**no]).for_each(|own| each_choice(own, visit));
        }
    }
}

/// What data decide in a condition, in the order of C.
fn each_operand<'a>(cond: &'a Cond, found: &mut Vec<&'a Value>) {
    match cond {
        Cond::And(left, right) | Cond::Or(left, right) => {
            [left, right].into_iter().for_each(|own| each_operand(own, found));
        }
        Cond::Not(inner) => each_operand(inner, found),
        Cond::Data(value) => found.push(value),
        Cond::Compare(..) => {}
    }
}

/// What is asked only where something asked before leaves it open.
fn late_operands<'a>(cond: &'a Cond, found: &mut Vec<&'a Value>) {
    match cond {
        Cond::And(left, right) | Cond::Or(left, right) => {
            late_operands(left, found);
            each_operand(right, found);
        }
        Cond::Not(inner) => late_operands(inner, found),
        Cond::Data(_) | Cond::Compare(..) => {}
    }
}

fn has_arithmetic(value: &Value) -> bool {
    match value {
        Value::Read(_) | Value::Integer(..) | Value::Choice(..) => false,
        Value::Apply(op, operands) => {
            matches!(op, Op::Add | Op::Subtract | Op::Multiply | Op::Divide) || operands.iter().any(has_arithmetic)
        }
    }
}

/// The cells that are read whatever choices say.
fn each_sure_read<'a>(value: &'a Value, found: &mut Vec<&'a Place>) {
    match value {
        Value::Read(place) => found.push(place),
        Value::Integer(..) => {}
        Value::Apply(_, operands) => operands.iter().for_each(|own| each_sure_read(own, found)),
        Value::Choice(cond, ..) => each_first_read(cond, found),
    }
}

fn each_first_read<'a>(cond: &'a Cond, found: &mut Vec<&'a Place>) {
    match cond {
        Cond::And(left, _) | Cond::Or(left, _) => each_first_read(left, found),
        Cond::Not(inner) => each_first_read(inner, found),
        Cond::Data(value) => each_sure_read(value, found),
        Cond::Compare(..) => {}
    }
}

/// What C computes a value in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Type {
    Integer,
    Real,
}

struct Converting<'a> {
    convertible: &'a Convertible<'a>,
    real: Real,
    /// Cells that each iteration uses.
    sure: Vec<&'a Place>,
    /// Those that are done for nothing.
    operations: usize,
}

impl Converting<'_> {
    /// What is assigned: it becomes a floating number.
    fn whole(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Choice(cond, yes, no) => {
                let cond = self.cond(cond, true)?;
                let [yes, no] = [self.branch(yes)?, self.branch(no)?];
                Some(self.select(cond, [yes, no]))
            }
            value => Some(self.value(value, true)?.0),
        }
    }

    /// One of the values that may be assigned.
    fn branch(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Choice(cond, yes, no) => {
                let cond = self.cond(cond, false)?;
                let [yes, no] = [self.branch(yes)?, self.branch(no)?];
                Some(self.select(cond, [yes, no]))
            }
            value => self.side(value).map(|(own, _)| own),
        }
    }

    fn select(&self, cond: Cond, [yes, no]: [Value; 2]) -> Value {
        let choice = Value::Choice(Box::new(cond), Box::new(yes), Box::new(no));
        Value::Apply(Op::Select(self.real), vec![choice])
    }

    /// A value of a choice, which becomes a floating number.
    fn side(&mut self, value: &Value) -> Option<(Value, Type)> {
        let is_exact = !matches!(value, Value::Integer(e, _) if e.as_constant().is_none_or(|own| own.abs() > EXACT));
        if is_exact { self.value(value, false) } else { None }
    }

    /// A value, and its type. `is_asked`: it is computed in any case.
    fn value(&mut self, value: &Value, is_asked: bool) -> Option<(Value, Type)> {
        match value {
            Value::Read(place) => (is_asked || self.may_read(place)).then(|| (value.clone(), Type::Real)),
            Value::Integer(e, _) => {
                let is_plain = matches!(e, Int::Constant(_) | Int::Parameter(_) | Int::Local(_));
                (is_asked || is_plain).then(|| (value.clone(), Type::Integer))
            }
            Value::Choice(cond, yes, no) => {
                let cond = self.cond(cond, is_asked)?;
                let [(yes, first), (no, second)] = [self.side(yes)?, self.side(no)?];
                let is_real = first == Type::Real || second == Type::Real;
                is_real.then(|| (self.select(cond, [yes, no]), Type::Real))
            }
            Value::Apply(op, operands) => self.apply(op, operands, is_asked),
        }
    }

    fn apply(&mut self, op: &Op, operands: &[Value], is_asked: bool) -> Option<(Value, Type)> {
        if let (Op::Leaf(text), []) = (op, operands) {
            let own = || (Value::Apply(op.clone(), Vec::new()), Type::Real);
            return (literal(text) == Some(self.real)).then(own);
        }
        let own = operands.iter().map(|own| self.value(own, is_asked)).collect::<Option<Vec<_>>>()?;
        let is_real = own.iter().any(|(_, of)| *of == Type::Real);
        let cost = match op {
            Op::Negate => 0,
            Op::Add | Op::Subtract | Op::Multiply => 1,
            Op::Divide if is_asked || is_divisor(operands.last()?) => COST_OF_DIVISION,
            _ => return None,
        };
        self.operations += if is_asked { 0 } else { cost };
        let values = own.into_iter().map(|(own, _)| own).collect();
        is_real.then(|| (Value::Apply(op.clone(), values), Type::Real))
    }

    fn cond(&mut self, cond: &Cond, is_asked: bool) -> Option<Cond> {
        Some(match cond {
            Cond::And(left, right) => {
                Cond::And(Box::new(self.cond(left, is_asked)?), Box::new(self.cond(right, false)?))
            }
            Cond::Or(left, right) => Cond::Or(Box::new(self.cond(left, is_asked)?), Box::new(self.cond(right, false)?)),
            Cond::Not(inner) => Cond::Not(Box::new(self.cond(inner, is_asked)?)),
            Cond::Data(value) => match &**value {
                Value::Apply(op, operands) if is_comparison(op) => {
                    let own = operands.iter().map(|own| Some(self.value(own, is_asked)?.0));
                    Cond::Data(Box::new(Value::Apply(op.clone(), own.collect::<Option<_>>()?)))
                }
                _ => return None,
            },
            Cond::Compare(..) => return None,
        })
    }

    /// Whether a cell may be read though nobody asks for it.
    fn may_read(&self, place: &Place) -> bool {
        let Place::Cell { buffer, index } = place else { return false };
        let is_variable = index.is_empty();
        let is_there = || (self.convertible.is_there)(*buffer) && !index.iter().any(Int::has_data);
        is_variable || self.sure.contains(&place) || is_there()
    }
}

fn is_comparison(op: &Op) -> bool {
    matches!(op, Op::Less | Op::LessOrEqual | Op::Greater | Op::GreaterOrEqual | Op::Equal | Op::NotEqual)
}

/// Whether a value is a number that isn't 0.
fn is_divisor(value: &Value) -> bool {
    match value {
        Value::Integer(e, _) => e.as_constant().is_some_and(|own| own != 0),
        Value::Apply(Op::Leaf(text), operands) => {
            let digits = text.split(['e', 'E']).next().unwrap_or(text);
            operands.is_empty() && literal(text).is_some() && digits.contains(|c: char| ('1'..='9').contains(&c))
        }
        _ => false,
    }
}

/// The type of a floating number, as C reads it; `None`: it is none, or of another type.
fn literal(text: &str) -> Option<Real> {
    let is_decimal = text.starts_with(|c: char| c.is_ascii_digit() || c == '.') && !text.starts_with("0x");
    let is_real = |own: &str| is_decimal && own.contains(['.', 'e', 'E']) && own.parse::<f64>().is_ok();
    match text.strip_suffix(['f', 'F']) {
        Some(own) => is_real(own).then_some(Real::Float),
        None => is_real(text).then_some(Real::Double),
    }
}

#[cfg(test)]
mod tests {
    use super::{Convertible, branching, literal};
    use polyfold_isl::Context;
    use polyfold_program::{Program, Real, StatementId};
    use polyfold_prove::validate::{Verdict, lockstep};

    #[test]
    fn statements_with_choices_that_stay_are_found() {
        let of = |last: &str, statements: &[StatementId]| {
            let program = Program::read(&format!(
                "program p(n) {{ in \"double\": f64 x[n]; out \"double\": f64 y[n]; temporary \"double\": f64 s[n]; temporary \"double\": f64 t[n]; out \"int\" k[n];
                   for j = 0 while j < n step 1 {{ S0(j): s[j] = x[j]; S1(j): t[j] = x[j] + s[j]; S2(j): {last} }} }}"
            ));
            let found = branching(&program.expect("a program"), &Convertible { statements, is_there: &|_| true });
            assert!(found.iter().all(|id| id.0 == 2), "{found:?}");
            !found.is_empty()
        };
        let all = [0, 1, 2].map(StatementId);
        let computes =
            ["x[j] < 0 ? x[j] * 2 : x[j]", "x[j] < 1 && 1 - x[j] < t[j] ? 1.0 : 0.0", "x[j] < 0 ? x[j] : t[j]"];
        for value in computes {
            let last = format!("y[j] = ({value});");
            assert!(of(&last, &[]) && !of(&last, &all), "{value}");
        }
        assert!(of("y[j] = (x[j] < 0 ? 2 / x[j] : x[j]);", &all));
        assert!(!of("k[j] = (x[j] < 0 ? x[j] * 2 : x[j]);", &[]));
        let others = ["x[j] * 2 + t[j]", "x[j] * 3 < 0 ? -x[j] : x[j]", "x[j] < 0 ? x[n - 1 - j] : x[j]"];
        assert!(others.iter().all(|value| !of(&format!("y[j] = ({value});"), &[])));
    }

    #[test]
    fn conditions_on_counters_hide_no_choice() {
        let text = "program p(n) { in \"double\": f64 x[n]; out \"double\": f64 y[n];
            for j = 0 while j < n step 1 { if (j >= 2) { S0(j): y[j] = (x[j] < 0 ? 2 / x[j] : x[j]); } } }";
        let program = Program::read(text).expect("a program");
        let found = branching(&program, &Convertible { statements: &[StatementId(0)], is_there: &|_| true });
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [StatementId(0)]);
    }

    #[test]
    fn the_lockstep_refuses_what_integers_choose() {
        let of = |value: &str| {
            let text = format!(
                "program p(n) where n >= 0 {{ in x[n]; out y[n]; for j = 0 while j < n step 1 {{ S0(j): y[j] = {value}; }} }}"
            );
            Program::read(&text).expect("a program")
        };
        let is_same = |cond: &str| {
            let (before, after) =
                (of(&format!("({cond} ? x[j] : 0.5)")), of(&format!("select_double({cond} ? x[j] : 0.5)")));
            let verdict = lockstep(&Context::new(), &before, &after, 1_000_000).expect("isl works");
            matches!(verdict, Verdict::Same { .. })
        };
        assert!(is_same("x[j] > 1") && !is_same("j > 0"), "the other side may not be there");
    }

    #[test]
    fn numbers_have_types() {
        assert_eq!((literal("0.5"), literal("1e-3f")), (Some(Real::Double), Some(Real::Float)));
        assert!(["3L", "1.0L", "3f", "n", "0x1p3", "7"].iter().all(|text| literal(text).is_none()));
    }
}
