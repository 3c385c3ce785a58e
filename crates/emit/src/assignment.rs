//! Assignments in their source's own text.
//!
//! The idea: the source's pieces stand around the place and the value, which are printed with what they were.
//!
//! Example: of `x[i] += f(i); /* once */` in another iteration `x[i + 1] += f(i + 1); /* once */` is left.

use crate::Unprintable;
use crate::expression::{Expressions, Own, Printed};
use crate::source::Changed;
use polyfold_program::{Assign, Level, Opaque, Operand, Place, Value, Written};

impl Expressions<'_> {
    /// An assignment with another value, or another place that is printed already.
    pub(crate) fn assigned(&self, (before, written): (&Assign, &Written), after: &Assign, place: String) -> String {
        let value = &written.parts[1];
        let text = match is_compound(&before.value, value) {
            true => self.operand((before, value), after),
            false => Some(self.value(&after.value, Some((&before.value, value))).within(Level::Whole)),
        };
        match text {
            Some(text) => written.filled(&[Some(place), Some(text)]),
            None => {
                let own = Some((&before.value, value));
                let apart = self.apart(own, &after.value);
                format!("{place} = {};", apart.unwrap_or_else(|| self.value(&after.value, None)).within(Level::Whole))
            }
        }
    }

    /// The value of `x += y` that goes to another place: `x + y`, with the source's own text for y.
    fn apart(&self, own: Own<Value>, after: &Value) -> Option<Printed> {
        let (Value::Apply(_, source), written) = own? else { return None };
        let (Value::Apply(op, now), [_, second]) = (after, &source[..]) else { return None };
        let [left, right] = &now[..] else { return None };
        // Of `x++` nothing is written.
        let own = written.parts.get(1).filter(|own| !own.whole.is_empty());
        let right = self.value(right, own.map(|own| (second, own)));
        self.applied_to(op, self.value(left, None), right)
    }

    /// A statement that isn't understood, with other operands. `None`: all are as they were.
    pub(crate) fn opaque(&self, (before, written): (&Opaque, &Written), after: &Opaque) -> Changed {
        let operands = before.operands.iter().zip(&after.operands).zip(&written.parts).enumerate();
        let mut parts = Vec::new();
        for (k, ((before, after), own)) in operands {
            let text = match (before, after) {
                (before, after) if before == after => None,
                _ if !written.mentions(k) => return Err(Unprintable::Opaque),
                (Operand::Cell(before), Operand::Cell(after)) if after.is_written || after.in_call => {
                    let text = self.place(&after.place, Some((&before.place, own)));
                    Some(if matches!(after.place, Place::Select(..)) { format!("({text})") } else { text })
                }
                (Operand::Cell(before), Operand::Cell(after)) => {
                    let [before, after] = [before, after].map(|cell| Value::Read(cell.place.clone()));
                    Some(self.value(&after, Some((&before, own))).within(Level::Primary))
                }
                (Operand::Integer(before), Operand::Integer(e)) => {
                    let moved = self.moved_int((before, own), e);
                    Some(moved.unwrap_or_else(|| self.int_as(e, own.held)).within(Level::Primary))
                }
                _ => return Err(Unprintable::Opaque),
            };
            parts.push(text);
        }
        Ok(parts.iter().any(Option::is_some).then(|| written.filled(&parts)))
    }

    /// What stands behind the operator of `x += y`; `None`: what is written isn't the first operand any more.
    fn operand(&self, (before, written): (&Assign, &Written), after: &Assign) -> Option<String> {
        let (Value::Apply(source_op, source), Value::Apply(op, now)) = (&before.value, &after.value) else {
            return None;
        };
        let is_written = |k: usize| written.mentions(k) || now[k] == source[k];
        if op != source_op || now.len() != 2 || now[0] != Value::Read(after.target.clone()) || !is_written(1) {
            return None;
        }
        let text = self.value(&now[1], Some((&source[1], &written.parts[1]))).within(Level::Whole);
        Some(written.filled(&[None, Some(text)]))
    }
}

/// Whether a value's first operand isn't written, since it is the cell that gets the value.
pub(crate) fn is_compound(value: &Value, written: &Written) -> bool {
    let has_two = matches!(value, Value::Apply(_, operands) if operands.len() == 2);
    has_two && written.parts.len() == 2 && !written.mentions(0)
}
