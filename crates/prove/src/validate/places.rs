//! Whether the program after touches the cells that the one before does, and computes the same.
//!
//! A cell of the program before may be given modulo a size: `W[e mod b]`, or `W[e % b]`. The other one's subscript
//! `a` is the same if `0 <= a < b` and `a - e` is a multiple of b.

use super::facts::{Facts, Judge};
use super::linear::Linear;
use super::names::Names;
use super::{Obligation, Stop};
use polyfold_program::{BufferId, Cond, Int, IntOp, LocalId, Op, Operand, Place, Program, Stmt, Value};
use std::collections::BTreeMap;

/// A cell.
pub(super) type Address = (BufferId, Vec<Linear>);

/// One of the programs, at some moment.
#[derive(Clone, Copy)]
pub(super) struct Side<'a> {
    pub(super) names: &'a Names,
    pub(super) pointers: &'a BTreeMap<LocalId, Address>,
}

/// Both programs at an instance.
pub(super) struct Pair<'a> {
    pub(super) judge: &'a Judge<'a>,
    pub(super) before: Side<'a>,
    pub(super) after: Side<'a>,
    /// The buffers of the program before that those of the one after are.
    pub(super) buffers: &'a [BufferId],
}

impl Judge<'_> {
    /// The cells that a place may mean.
    pub(super) fn address(&self, facts: &Facts, side: Side, place: &Place) -> Result<Vec<(Facts, Address)>, Stop> {
        match place {
            Place::Select(cond, yes, no) => {
                let mut all = Vec::new();
                for (holds, place) in [(true, yes), (false, no)] {
                    for case in self.assume(facts, side.names, cond, holds)? {
                        all.extend(self.address(&case, side, place)?);
                    }
                }
                Ok(all)
            }
            Place::Through { pointer, index } => {
                let Some((buffer, at)) = side.pointers.get(pointer) else { return Err(Obligation::NoValue.into()) };
                let mut all = Vec::new();
                for (facts, behind) in self.ints(facts, side.names, index)? {
                    let mut at = at.clone();
                    let mut further = behind.iter().rev();
                    at.iter_mut().rev().zip(further.by_ref()).for_each(|(own, by)| *own = own.plus(by, 1));
                    for by in further {
                        // Behind a scalar there is nothing.
                        if !self.is_zero(&facts, by)? {
                            return Err(Obligation::Outside.into());
                        }
                    }
                    all.push((facts, (*buffer, at)));
                }
                Ok(all)
            }
            Place::Cell { buffer, index } => {
                let all = self.ints(facts, side.names, index)?;
                Ok(all.into_iter().map(|(facts, at)| (facts, (*buffer, at))).collect())
            }
        }
    }

    /// That a pointer may stand there: at a cell, or at the beginning of the row right behind the last one of a dimension. Arrays have
    /// a cell in each dimension.
    pub(super) fn is_there(
        &self,
        facts: &Facts,
        names: &Names,
        (program, (buffer, at)): (&Program, &Address),
    ) -> Result<(), Stop> {
        let mut is_behind = false;
        for (value, extent) in at.iter().zip(&program.buffers[buffer.0].extents) {
            if is_behind {
                if !self.is_zero(facts, value)? {
                    return Err(Obligation::Outside.into());
                }
                continue;
            }
            // Nobody says how many there are.
            let Some(extent) = extent else { continue };
            for (facts, extent) in self.int(facts, names, extent)? {
                let facts = facts.with_not_negative(extent.and(-1));
                let slack = extent.minus(value);
                if !self.entails(&facts, &slack.and(-1))? {
                    if !self.entails(&facts, &slack)? {
                        return Err(Obligation::Outside.into());
                    }
                    is_behind = true;
                }
                if !self.entails(&facts, value)? {
                    return Err(Obligation::Outside.into());
                }
            }
        }
        Ok(())
    }
}

impl Pair<'_> {
    /// That two places are the same cell.
    pub(super) fn same_place(&self, facts: &Facts, before: &Place, after: &Place) -> Result<(), Stop> {
        if let (Place::Cell { buffer, index }, Place::Cell { buffer: now, index: at }) = (before, after)
            && at.iter().any(Int::has_data)
        {
            return self.same_cell_of_data(facts, (*buffer, index), (*now, at));
        }
        for (facts, (buffer, at)) in self.judge.address(facts, self.after, after)? {
            self.is_place(&facts, before, (buffer, &at))?;
        }
        Ok(())
    }

    /// That two cells with data in their subscripts are the same, subscript by subscript.
    fn same_cell_of_data(
        &self,
        facts: &Facts,
        (buffer, index): (BufferId, &[Int]),
        (now, at): (BufferId, &[Int]),
    ) -> Result<(), Stop> {
        if self.buffers[now.0] != buffer || index.len() != at.len() {
            return Err(Obligation::OtherCell.into());
        }
        for (before, after) in index.iter().zip(at) {
            if after.has_data() {
                self.same_int(facts, before, after)?;
                continue;
            }
            for (facts, value) in self.judge.int(facts, self.after.names, after)? {
                self.is_subscript(&facts, before, &value)?;
            }
        }
        Ok(())
    }

    fn is_place(&self, facts: &Facts, before: &Place, (buffer, at): (BufferId, &[Linear])) -> Result<(), Stop> {
        match before {
            Place::Select(cond, yes, no) => {
                for (holds, place) in [(true, yes), (false, no)] {
                    for case in self.judge.assume(facts, self.before.names, cond, holds)? {
                        self.is_place(&case, place, (buffer, at))?;
                    }
                }
                Ok(())
            }
            Place::Cell { buffer: own, index } => {
                if self.buffers[buffer.0] != *own || index.len() != at.len() {
                    return Err(Obligation::OtherCell.into());
                }
                index.iter().zip(at).try_for_each(|(e, value)| self.is_subscript(facts, e, value))
            }
            Place::Through { .. } => Err(Obligation::Unsupported("pointers in the program before").into()),
        }
    }

    fn is_subscript(&self, facts: &Facts, e: &Int, value: &Linear) -> Result<(), Stop> {
        let (judge, names) = (self.judge, self.before.names);
        // The program before has its cells: what is left of a division there isn't negative.
        let Int::Binary(IntOp::FloorModulo | IntOp::Remainder, divided, modulus) = e else {
            return self.is_same_subscript(facts, e, value);
        };
        for (facts, modulus) in judge.int(facts, names, modulus)? {
            if !judge.entails(&facts, value)? || !judge.entails(&facts, &modulus.minus(value).and(-1))? {
                // Then it has to be what the program before divides.
                match self.is_same_subscript(&facts, e, value) {
                    Err(Stop::Refused(_)) => return Err(Obligation::Outside.into()),
                    other => other?,
                }
                continue;
            }
            for (facts, own) in judge.int(&facts, names, divided)? {
                if !judge.is_multiple(&facts, &value.minus(&own), &modulus)? {
                    return Err(Obligation::OtherCell.into());
                }
            }
        }
        Ok(())
    }

    fn is_same_subscript(&self, facts: &Facts, before: &Int, value: &Linear) -> Result<(), Stop> {
        for (facts, own) in self.judge.int(facts, self.before.names, before)? {
            if !self.judge.is_zero(&facts, &own.minus(value))? {
                return Err(Obligation::OtherCell.into());
            }
        }
        Ok(())
    }

    /// That two statements do the same to the same cells.
    pub(super) fn same_statement(&self, facts: &Facts, before: &Stmt, after: &Stmt) -> Result<(), Stop> {
        match (before, after) {
            (Stmt::Assign(before), Stmt::Assign(after)) => {
                self.same_place(facts, &before.target, &after.target)?;
                self.same_value(facts, &before.value, &after.value)
            }
            (Stmt::Opaque(before), Stmt::Opaque(after)) if before.is_like(after) => {
                let mut operands = before.operands.iter().zip(&after.operands);
                operands.try_for_each(|operands| match operands {
                    (Operand::Integer(before), Operand::Integer(after)) => self.same_int(facts, before, after),
                    (Operand::Cell(before), Operand::Cell(after)) => {
                        self.same_place(facts, &before.place, &after.place)
                    }
                    _ => Err(Obligation::OtherValue.into()),
                })
            }
            _ => Err(Obligation::OtherValue.into()),
        }
    }

    /// That two values are computed alike.
    pub(super) fn same_value(&self, facts: &Facts, before: &Value, after: &Value) -> Result<(), Stop> {
        let (Some(before), Some(after)) = (chosen(before), chosen(after)) else {
            return Err(Obligation::OtherValue.into());
        };
        if let (Value::Choice(cond, yes, no), Value::Choice(other, other_yes, other_no)) = (before, after)
            && cond.has_data()
        {
            let alike = self.same_cond(facts, cond, other);
            let alike = alike.and_then(|()| self.same_value(facts, yes, other_yes));
            match alike.and_then(|()| self.same_value(facts, no, other_no)) {
                Err(Stop::Refused(_)) => {}
                outcome => return outcome,
            }
        }
        for (is_after, value) in [(true, after), (false, before)] {
            let Some((cond, values)) = without_data(value) else { continue };
            let names = if is_after { self.after.names } else { self.before.names };
            for (holds, value) in [true, false].into_iter().zip(&values) {
                for case in self.judge.assume(facts, names, cond, holds)? {
                    let (before, after) = if is_after { (before, value) } else { (value, after) };
                    self.same_value(&case, before, after)?;
                }
            }
            return Ok(());
        }
        match (before, after) {
            (Value::Read(before), Value::Read(after)) => self.same_place(facts, before, after),
            (Value::Integer(before, held), Value::Integer(after, now)) if held == now => {
                self.same_int(facts, before, after)
            }
            (Value::Apply(op, operands), Value::Apply(other, others))
                if op == other && operands.len() == others.len() =>
            {
                operands.iter().zip(others).try_for_each(|(before, after)| self.same_value(facts, before, after))
            }
            _ => Err(Obligation::OtherValue.into()),
        }
    }

    /// That two integers are the same; what isn't linear is, if its operands are, and what data say, if these are.
    fn same_int(&self, facts: &Facts, before: &Int, after: &Int) -> Result<(), Stop> {
        let outcome =
            if after.has_data() { Err(Obligation::OtherValue.into()) } else { self.same_linear(facts, before, after) };
        match (outcome, before, after) {
            (Err(Stop::Refused(_)), Int::Data(before), Int::Data(after)) => self.same_value(facts, before, after),
            (
                Err(Stop::Refused(Obligation::NotLinear | Obligation::OtherValue)),
                Int::Binary(op, one, two),
                Int::Binary(now, first, second),
            ) if op == now => {
                self.same_int(facts, one, first)?;
                self.same_int(facts, two, second)
            }
            (outcome, ..) => outcome,
        }
    }

    fn same_linear(&self, facts: &Facts, before: &Int, after: &Int) -> Result<(), Stop> {
        for (facts, value) in self.judge.int(facts, self.after.names, after)? {
            for (facts, own) in self.judge.int(&facts, self.before.names, before)? {
                if !self.judge.is_zero(&facts, &own.minus(&value))? {
                    return Err(Obligation::OtherValue.into());
                }
            }
        }
        Ok(())
    }

    /// That two conditions with data in them are the same, part by part.
    pub(super) fn same_cond(&self, facts: &Facts, before: &Cond, after: &Cond) -> Result<(), Stop> {
        match (before, after) {
            (Cond::Data(before), Cond::Data(after)) => self.same_value(facts, before, after),
            (Cond::Not(before), Cond::Not(after)) => self.same_cond(facts, before, after),
            (Cond::And(left, right), Cond::And(other_left, other_right))
            | (Cond::Or(left, right), Cond::Or(other_left, other_right)) => {
                self.same_cond(facts, left, other_left)?;
                self.same_cond(facts, right, other_right)
            }
            (Cond::Compare(relation, left, right), Cond::Compare(other, other_left, other_right))
                if relation == other =>
            {
                self.same_int(facts, left, other_left)?;
                self.same_int(facts, right, other_right)
            }
            _ => Err(Obligation::OtherValue.into()),
        }
    }
}

/// The choice of which all is computed. `None`: integers decide a part of it, so that the other side may not be there.
fn chosen(value: &Value) -> Option<&Value> {
    match value {
        Value::Apply(Op::Select(_), operands) => match &operands[..] {
            [own @ Value::Choice(cond, ..)] if is_of_data(cond) => Some(own),
            _ => None,
        },
        own => Some(own),
    }
}

/// Whether nothing but data decide a condition.
fn is_of_data(cond: &Cond) -> bool {
    match cond {
        Cond::Compare(..) => false,
        Cond::And(left, right) | Cond::Or(left, right) => is_of_data(left) && is_of_data(right),
        Cond::Not(inner) => is_of_data(inner),
        Cond::Data(_) => true,
    }
}

/// A condition without data that decides a choice, or a part of it, and what the value is where it holds and where it doesn't.
fn without_data(value: &Value) -> Option<(&Cond, [Value; 2])> {
    let Value::Choice(cond, yes, no) = value else { return None };
    let choice = |cond: &Cond| Value::Choice(Box::new(cond.clone()), yes.clone(), no.clone());
    let (yes, no) = ((**yes).clone(), (**no).clone());
    match &**cond {
        cond if !cond.has_data() => Some((cond, [yes, no])),
        Cond::And(one, other) if !one.has_data() => Some((one, [choice(other), no])),
        Cond::Or(one, other) if !one.has_data() => Some((one, [yes, choice(other)])),
        _ => None,
    }
}
