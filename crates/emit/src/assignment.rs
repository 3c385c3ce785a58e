//! Assignments in their source's own text.
//!
//! The idea: the source's pieces stand around the place and the value, which are printed with what they were.
//!
//! Example: of `x[i] += f(i); /* once */` in another iteration `x[i + 1] += f(i + 1); /* once */` is left.

use crate::expression::Expressions;
use polyfold_program::{Assign, Level, Value, Written};

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
            None => format!("{place} = {};", self.value(&after.value, None).within(Level::Whole)),
        }
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
