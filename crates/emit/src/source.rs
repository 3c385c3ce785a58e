//! Programs printed with their source's own text.
//!
//! The idea: a statement is the source's own by its name, a loop by the statements in it. What is as it was stands byte
//! for byte; what has other parts keeps its own pieces around them; anything else is printed anew.
//!
//! Example: where `W` of `B[i] = W[i] /* now */ + W[i - 1];` moves to two cells, that becomes
//! `B[i] = W[i % 2] /* now */ + W[(i - 1) % 2];`.
//!
//! Limit: statements that go, come or change their order aren't printed yet.

use crate::Unprintable;
use crate::expression::Expressions;
use polyfold_program::{Assign, Level, Loop, Program, Stmt, Value, Written};

/// A program and how its source writes it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// As it was read.
    pub program: &'a Program,
    /// The source's own text.
    pub written: &'a Written,
}

/// Another program of the same statements, in the text of its source.
///
/// # Errors
/// When something in it isn't printed yet.
pub fn in_text_of(source: &Source, after: &Program) -> Result<String, Unprintable> {
    let printer = Printer { expressions: Expressions { program: after } };
    let changed = printer.list((&source.program.body, source.written), &after.body)?;
    Ok(changed.unwrap_or_else(|| source.written.whole.clone()))
}

struct Printer<'a> {
    expressions: Expressions<'a>,
}

/// What stands in the place of something in the source; `None`: it is as it was.
type Changed = Result<Option<String>, Unprintable>;

impl Printer<'_> {
    fn list(&self, (before, written): (&[Stmt], &Written), after: &[Stmt]) -> Changed {
        if before.len() != after.len() {
            return Err(Unprintable::Order);
        }
        let all = before.iter().zip(&written.parts).zip(after);
        let parts: Vec<Option<String>> =
            all.map(|((before, written), after)| self.stmt((before, written), after)).collect::<Result<_, _>>()?;
        Ok(filled(written, parts))
    }

    fn stmt(&self, (before, written): (&Stmt, &Written), after: &Stmt) -> Changed {
        match (before, after) {
            (Stmt::For(before), Stmt::For(after)) if have_one_head(before, after) => {
                let body = self.list((&before.body, &written.parts[1]), &after.body)?;
                Ok(filled(written, vec![None, body]))
            }
            (
                Stmt::If { cond: before, then: yes, other: no },
                Stmt::If { cond: after, then: now_yes, other: now_no },
            ) => {
                let head = (after != before)
                    .then(|| self.expressions.cond(after, Some((before, &written.parts[0]))).within(Level::Whole));
                let mut parts = vec![head, self.list((yes, &written.parts[1]), now_yes)?];
                match written.parts.get(2) {
                    Some(other) => parts.push(self.list((no, other), now_no)?),
                    None if no != now_no => return Err(Unprintable::Order),
                    None => {}
                }
                Ok(filled(written, parts))
            }
            (Stmt::Assign(before), Stmt::Assign(after))
                if before.statement == after.statement && before.at == after.at =>
            {
                self.assign((before, written), after)
            }
            _ => Err(Unprintable::Order),
        }
    }

    fn assign(&self, (before, written): (&Assign, &Written), after: &Assign) -> Changed {
        if before == after {
            return Ok(None);
        }
        let [target, value] = &written.parts[..] else { return Err(Unprintable::Order) };
        if before.target != after.target && !written.mentions(0) {
            return Err(Unprintable::Declaration);
        }
        let place = self.expressions.place(&after.target, Some((&before.target, target)));
        let text = match is_compound(&before.value, value) {
            true => self.operand((before, value), after),
            false => Some(self.expressions.value(&after.value, Some((&before.value, value))).within(Level::Whole)),
        };
        Ok(Some(match text {
            Some(text) => written.filled(&[Some(place), Some(text)]),
            None => {
                let value = self.expressions.value(&after.value, None).within(Level::Whole);
                format!("{place} = {value};")
            }
        }))
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
        let text = self.expressions.value(&now[1], Some((&source[1], &written.parts[1]))).within(Level::Whole);
        Some(written.filled(&[None, Some(text)]))
    }
}

/// Whether a value's first operand isn't written, since it is the cell that gets the value.
fn is_compound(value: &Value, written: &Written) -> bool {
    matches!(value, Value::Apply(_, operands) if operands.len() == 2)
        && written.parts.len() == 2
        && !written.mentions(0)
}

/// The text with other parts; `None`: all are as they were.
fn filled(written: &Written, parts: Vec<Option<String>>) -> Option<String> {
    parts.iter().any(Option::is_some).then(|| written.filled(&parts))
}

fn have_one_head(before: &Loop, after: &Loop) -> bool {
    (before.counter, &before.first, &before.test, before.step, before.parallel)
        == (after.counter, &after.first, &after.test, after.step, after.parallel)
}
