//! Texts that stay but for the values of counters.
//!
//! ```text
//! p[i] = MAX(a[2 * i], a[2 * i + 1]);     with (k - 1) / 2 in the place of i
//! p[(k - 1) / 2] = MAX(a[2 * ((k - 1) / 2)], a[2 * ((k - 1) / 2) + 1]);
//! ```
//!
//! The idea: a macro call that is printed from its parts loses the macro. In another iteration nothing changes but what counters stand
//! for. So a macro call gets these values in its arguments.
//!
//! The caller makes sure that no macro names a counter by itself.

use crate::expression::{Expressions, Own, Printed};
use polyfold_c::written::{has_call, inside_parentheses, with_names};
use polyfold_program::{Cond, Int, IntType, Level, LocalId, Op, Place, Value, Written};
use std::rc::Rc;

/// A counter of the source that has another value.
pub(crate) struct Moved {
    counter: LocalId,
    value: Int,
    /// What C holds the counter in.
    held: Option<IntType>,
}

impl<'a> Expressions<'a> {
    /// The same for a statement with other values of the counters around it, which C holds in these types.
    pub(crate) fn moved_to(
        &self,
        before: &[Int],
        after: &[Int],
        held: &dyn Fn(usize) -> Option<IntType>,
    ) -> Expressions<'a> {
        let of = |(k, (counter, value)): (usize, (&Int, &Int))| match counter {
            Int::Local(id) if counter != value => Some(Moved { counter: *id, value: value.clone(), held: held(k) }),
            _ => None,
        };
        let moved = before.iter().zip(after).enumerate().filter_map(of).collect();
        let (ranges, outside) = (Rc::clone(&self.ranges), Rc::clone(&self.outside));
        Expressions { ranges, outside, moved, ..*self }
    }

    /// The text of a macro call that has other counters alone.
    pub(crate) fn moved_value(&self, value: &Value, own: Own<Value>) -> Option<Printed> {
        let (before, written) = own.filter(|(_, written)| !self.moved.is_empty() && is_a_macro_call(written))?;
        self.is_moved_value(before, value).then(|| {
            let mut cells = Vec::new();
            self.each_cell((before, written), value, &mut cells);
            // What begins like another one comes first.
            cells.sort_by_key(|(before, _)| std::cmp::Reverse(before.len()));
            self.moved_text(written, &cells)
        })
    }

    /// The text of an integer whose operators C has to see: unsigned ones, bits, comparisons, and macro calls.
    pub(crate) fn moved_int(&self, (before, written): (&Int, &Written), e: &Int) -> Option<Printed> {
        let keeps = !written.is_plain || has_call(&written.whole);
        (keeps && self.is_moved_int(before, e)).then(|| self.moved_text(written, &[]))
    }

    /// The text of an integer with a macro call in it.
    pub(crate) fn moved_call(&self, (before, written): (&Int, &Written), e: &Int) -> Option<Printed> {
        (has_call(&written.whole) && self.is_moved_int(before, e)).then(|| self.moved_text(written, &[]))
    }

    /// The same for a comparison of integers.
    pub(crate) fn moved_test(&self, cond: &Cond, own: Own<Cond>) -> Option<Printed> {
        let (before, written) =
            own.filter(|(before, _)| !self.moved.is_empty() && matches!(before, Cond::Compare(..)))?;
        let sides = if written.parts.is_empty() { std::slice::from_ref(written) } else { &written.parts[..] };
        let keeps = sides.iter().any(|side| !side.is_plain) || has_call(&written.whole);
        (keeps && self.is_moved_cond(before, cond)).then(|| self.moved_text(written, &[]))
    }

    /// The text of a cell with a macro call in it that has other counters alone.
    pub(crate) fn moved_place(&self, place: &Place, own: Own<Place>) -> Option<Printed> {
        let (before, written) = own.filter(|(_, written)| !self.moved.is_empty() && has_call(&written.whole))?;
        self.is_moved_place(before, place).then(|| self.moved_text(written, &[]))
    }

    /// A text with other cells, and other counters around them.
    fn moved_text(&self, written: &Written, cells: &[(String, String)]) -> Printed {
        // A cast may stand anywhere else as it is.
        let operand = if has_call(&written.whole) { Level::Primary } else { Level::Unary };
        let text = with_names(&written.whole, &mut |name| {
            let cell = cells.iter().find(|(before, _)| stands_in_front(before, name.rest));
            if let Some((before, now)) = cell {
                return Some((before.len(), now.clone()));
            }
            let Moved { value, held, .. } = self.moved.iter().rev().find(|own| self.local(own.counter) == name.own)?;
            let needed = if name.is_subscript { Level::Whole } else { operand };
            // A macro may compute with it in the counter's type.
            let held = held.filter(|_| !name.is_subscript);
            Some((name.own.len(), self.int_as(value, held).within(needed)))
        });
        // A cast binds less tightly than a name.
        let is_name = self.moved.iter().any(|own| self.local(own.counter) == bare(&written.whole));
        if is_name { Printed::new(Level::Unary, text) } else { Printed::in_its_place(written, text) }
    }

    /// The cells that a value reads, as the source writes them, and as they are now.
    fn each_cell(&self, (before, written): (&Value, &Written), after: &Value, found: &mut Vec<(String, String)>) {
        match (before, after) {
            (Value::Read(before), Value::Read(after)) => {
                let now = self.place(after, Some((before, written)));
                found.push((bare(&written.whole).to_string(), bare(&now).to_string()));
            }
            (Value::Apply(_, operands), Value::Apply(_, others)) => {
                let own = operands.iter().zip(&written.parts).zip(others);
                own.for_each(|(own, after)| self.each_cell(own, after, found));
            }
            (Value::Choice(cond, yes, no), Value::Choice(own, first, second)) => {
                if let [test, of_yes, of_no] = &written.parts[..] {
                    self.each_cell_of_test((cond, test), own, found);
                    self.each_cell((yes, of_yes), first, found);
                    self.each_cell((no, of_no), second, found);
                }
            }
            _ => {}
        }
    }

    fn each_cell_of_test(&self, (before, written): (&Cond, &Written), after: &Cond, found: &mut Vec<(String, String)>) {
        match (before, after) {
            (Cond::And(left, right), Cond::And(first, second)) | (Cond::Or(left, right), Cond::Or(first, second)) => {
                if let [one, two] = &written.parts[..] {
                    self.each_cell_of_test((left, one), first, found);
                    self.each_cell_of_test((right, two), second, found);
                }
            }
            (Cond::Not(before), Cond::Not(after)) => {
                if let [one] = &written.parts[..] {
                    self.each_cell_of_test((before, one), after, found);
                }
            }
            (Cond::Data(before), Cond::Data(after)) => self.each_cell((before, written), after, found),
            _ => {}
        }
    }

    /// Whether an integer is another one with other counters.
    pub(crate) fn is_another(&self, before: &Int, after: &Int) -> bool {
        !self.moved.is_empty() && self.is_moved_int(before, after)
    }

    fn is_moved_int(&self, before: &Int, after: &Int) -> bool {
        let moved = |id: LocalId| self.moved.iter().find(|own| own.counter == id).map(|own| own.value.clone());
        let placed = before.with_leaves(&mut |e| match e {
            Int::Local(id) => moved(*id).unwrap_or_else(|| e.clone()),
            other => other.clone(),
        });
        placed.is_same(after)
    }

    fn is_moved_place(&self, before: &Place, after: &Place) -> bool {
        match (before, after) {
            (Place::Cell { buffer, index }, Place::Cell { buffer: own, index: at }) => {
                buffer == own
                    && index.len() == at.len()
                    && index.iter().zip(at).all(|(e, now)| self.is_moved_int(e, now))
            }
            _ => false,
        }
    }

    fn is_moved_value(&self, before: &Value, after: &Value) -> bool {
        match (before, after) {
            (Value::Read(before), Value::Read(after)) => self.is_moved_place(before, after),
            (Value::Integer(before, held), Value::Integer(after, now)) => {
                held == now && self.is_moved_int(before, after)
            }
            (Value::Apply(op, operands), Value::Apply(own, others)) => {
                let are_alike =
                    || operands.iter().zip(others).all(|(before, after)| self.is_moved_value(before, after));
                op == own && !matches!(op, Op::Select(_)) && operands.len() == others.len() && are_alike()
            }
            (Value::Choice(cond, yes, no), Value::Choice(own, first, second)) => {
                self.is_moved_cond(cond, own) && self.is_moved_value(yes, first) && self.is_moved_value(no, second)
            }
            _ => false,
        }
    }

    pub(crate) fn is_moved_cond(&self, before: &Cond, after: &Cond) -> bool {
        match (before, after) {
            (Cond::Compare(relation, left, right), Cond::Compare(own, first, second)) => {
                relation == own && self.is_moved_int(left, first) && self.is_moved_int(right, second)
            }
            (Cond::And(left, right), Cond::And(first, second)) | (Cond::Or(left, right), Cond::Or(first, second)) => {
                self.is_moved_cond(left, first) && self.is_moved_cond(right, second)
            }
            (Cond::Not(before), Cond::Not(after)) => self.is_moved_cond(before, after),
            (Cond::Data(before), Cond::Data(after)) => self.is_moved_value(before, after),
            _ => false,
        }
    }
}

/// Whether a text begins with a cell, and not with a longer name.
fn stands_in_front(cell: &str, text: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let goes_on = |rest: &str| cell.ends_with(is_part) && rest.starts_with(is_part);
    text.strip_prefix(cell).is_some_and(|rest| !goes_on(rest))
}

/// A text without the parentheses around all of it.
fn bare(text: &str) -> &str {
    match inside_parentheses(text) {
        Some(inside) => bare(&text[inside]),
        None => text,
    }
}

/// Whether a macro makes what is around a node's parts.
fn is_a_macro_call(written: &Written) -> bool {
    has_call(&written.whole) && !written.is_all_pieces()
}
