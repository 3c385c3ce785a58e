//! What may be computed in each turn, though C asks for it only where a condition holds.
//!
//! ```text
//! sums, differences and products of which one operand is of floating point, comparisons, casts to float and double
//! variables, numbers (also by a macro), cells that the turn surely uses, or that lie inside an array which the file declares
//! ```
//!
//! Which cells are read must be for data alone to decide (`x[i] < 0 ? a[i] : b[i]`): where a subscript is written for what sizes and counters say of a read
//! (`i > 2 ? a[i] : 0`), it means something there only.
//!
//! Integers alone may overflow, and division by 0 ends a program. Of floating point nothing but a flag can be seen, which is not looked at (`mod.rs`).

use super::apart::Siblings;
use super::shape::{Logic, Shape, Tokens, ends_an_operand, outside};
use crate::defines::macro_body;
use crate::tokens::Token;
use polyfold_flow::stays_within;
use polyfold_isl::Context;
use polyfold_scop::{Access, Condition, LoopId, Scop, Statement, StatementId, Storage};

/// What is said of the values of a choice.
pub(super) struct Computed {
    /// The type of what is assigned.
    pub(super) element: &'static str,
    /// Whether each is computed by the turn, or in front of it for this choice.
    pub(super) is_work: Vec<bool>,
}

/// Operations that a turn may do for nothing.
const MOST_OPERATIONS: usize = 12;

/// Work for the proof that a cell is inside of its array.
const MOST_STEPS: u64 = 100_000;

/// A whole number that each type of floating point holds.
const EXACT: i64 = 1 << 24;

/// What a turn computes.
pub(super) struct Speculation<'a> {
    pub(super) ctx: &'a Context,
    pub(super) source: &'a str,
    pub(super) scop: &'a Scop,
    pub(super) own: &'a Siblings<'a>,
    pub(super) id: StatementId,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Float,
    Double,
    /// A number up to [`EXACT`].
    Small,
    /// Of some integer type.
    Whole,
}

/// An expression that may be computed.
#[derive(Clone, Copy)]
struct Said {
    of: Type,
    operations: usize,
    /// Whether it reads what the loop writes beside the statement.
    is_made_beside: bool,
}

impl Speculation<'_> {
    /// `None`: something in the choice has to wait until it is asked for.
    pub(super) fn of_values(&self, shape: &Shape, element: &str) -> Option<Computed> {
        let element = ["float", "double"].into_iter().find(|own| *own == element)?;
        let conditions = shape.conditions.iter().flat_map(|own| Logic::of(own).operands());
        let asked: Option<Vec<Said>> = conditions.skip(1).map(|own| self.comparison(own)).collect();
        let values: Option<Vec<Said>> = shape.values.iter().map(|own| self.sum(own)).collect();
        let (asked, values) = (asked?, values?);
        let is_real = |said: &Said| matches!(said.of, Type::Float | Type::Double);
        let operations: usize = asked.iter().chain(&values).map(|said| said.operations).sum();
        let are_exact = values.iter().all(|said| said.of != Type::Whole) && values.iter().any(is_real);
        let is_work = values.iter().map(|said| said.operations > 0 || said.is_made_beside).collect();
        (are_exact && operations <= MOST_OPERATIONS).then_some(Computed { element, is_work })
    }

    fn statement(&self) -> &Statement {
        self.scop.statement(self.id)
    }

    /// Two sums that are compared, or a sum.
    fn comparison(&self, all: Tokens) -> Option<Said> {
        let sign = outside(all).find(|k| all[*k].is_any(&['<', '>', '=', '!']) && *k > 0);
        let Some(at) = sign else { return self.sum(all) };
        let width = 1 + usize::from(all.get(at + 1)?.is('='));
        if all[at].is_any(&['=', '!']) && width == 1 {
            return None;
        }
        let (left, right) = (self.sum(&all[..at])?, self.sum(&all[at + width..])?);
        Some(Said { of: Type::Whole, ..left.with(right, 0) })
    }

    /// The last sign that adds splits it.
    fn sum(&self, all: Tokens) -> Option<Said> {
        let is_binary = |k: &usize| *k > 0 && ends_an_operand(&all[*k - 1]);
        let last = outside(all).filter(|k| all[*k].is_any(&['+', '-'])).filter(is_binary).last();
        match last {
            Some(at) => self.joined(self.sum(&all[..at])?, self.product(&all[at + 1..])?),
            None => self.product(all),
        }
    }

    fn product(&self, all: Tokens) -> Option<Said> {
        let is_binary = |k: &usize| *k > 0 && ends_an_operand(&all[*k - 1]);
        let last = outside(all).filter(|k| all[*k].is('*')).filter(is_binary).last();
        match last {
            Some(at) => self.joined(self.product(&all[..at])?, self.operand(&all[at + 1..])?),
            None => self.operand(all),
        }
    }

    /// Two operands of a sign that adds or multiplies.
    fn joined(&self, left: Said, right: Said) -> Option<Said> {
        let is_real = |said: &Said| matches!(said.of, Type::Float | Type::Double);
        let of = match (left.of, right.of) {
            (Type::Double, _) | (_, Type::Double) => Type::Double,
            _ => Type::Float,
        };
        (is_real(&left) || is_real(&right)).then(|| Said { of, ..left.with(right, 1) })
    }

    fn operand(&self, all: Tokens) -> Option<Said> {
        match all {
            [sign, rest @ ..] if sign.is('+') => self.operand(rest),
            [sign, rest @ ..] if sign.is('-') => {
                let own = self.operand(rest).filter(|own| own.of != Type::Whole)?;
                let is_number = matches!(rest, [word] if self.access(word).is_none());
                Some(Said { operations: own.operations + usize::from(!is_number), ..own })
            }
            [open, word, close, rest @ ..] if open.is('(') && close.is(')') && cast(word).is_some() => {
                Some(Said { of: cast(word)?, ..self.operand(rest)? })
            }
            [open, inner @ .., close] if open.is('(') && close.is(')') => self.sum(inner),
            [word] if self.access(word).is_none() => self.number(word),
            [word, ..] => self.cell(word, all),
            [] => None,
        }
    }

    /// A variable, or a cell that the turn surely uses.
    fn cell(&self, word: &Token, all: Tokens) -> Option<Said> {
        let access = self.access(word)?;
        let array = self.scop.array(access.array);
        let is_whole = all.last().is_some_and(|last| last.span().end == access.place.span.end);
        let is_there = array.extents.is_empty() || is_by_data(&access.condition) && self.is_cell(access);
        let is_made_beside = self.own.written_beside(self.id).contains(&access.array);
        let of = match array.element.as_str() {
            "float" => Type::Float,
            "double" => Type::Double,
            "int" | "unsigned" | "long" | "char" | "short" => Type::Whole,
            _ => return None,
        };
        (is_whole && is_there).then_some(Said { of, operations: 0, is_made_beside })
    }

    /// Whether an access is one of a cell in each turn.
    fn is_cell(&self, access: &Access) -> bool {
        let Some(subscripts) = &access.subscripts else { return false };
        let array = self.scop.array(access.array);
        let is_declared = array
            .declaration
            .as_ref()
            .is_some_and(|own| matches!(own.storage, Storage::Local | Storage::StaticLocal | Storage::Global));
        let bounds: Option<Vec<_>> =
            subscripts.iter().zip(&array.extents).map(|(own, extent)| Some((own, extent.as_ref()?))).collect();
        let lies_inside = || {
            let bounds = bounds.filter(|bounds| is_declared && bounds.len() == array.extents.len())?;
            let at = (self.id, &Condition::always());
            self.ctx.with_quota(MOST_STEPS, || stays_within(self.ctx, self.scop, at, &bounds)).ok()
        };
        self.own.surely_use(access.array, subscripts) || lies_inside().unwrap_or(false)
    }

    fn access(&self, word: &Token) -> Option<&Access> {
        let is_here = |a: &&Access| a.place.fragment.is_none() && a.place.span.start == word.at;
        self.statement().accesses.iter().filter(|a| a.is_read()).find(is_here)
    }

    /// A number, one that a macro stands for, or a counter.
    fn number(&self, word: &Token) -> Option<Said> {
        let is_counter = |id: &LoopId| self.scop.loops().iter().any(|l| l.id == *id && l.iterator == word.text);
        let of = literal(word.text).or_else(|| literal(macro_body(self.source, word.text)?));
        let of = of.or_else(|| self.statement().loops.iter().any(is_counter).then_some(Type::Whole))?;
        Some(Said { of, operations: 0, is_made_beside: false })
    }
}

/// Whether sizes and counters say nothing of when something happens.
fn is_by_data(condition: &Condition) -> bool {
    match condition {
        Condition::Unknown => true,
        Condition::Compare(..) => false,
        Condition::All(parts) | Condition::Any(parts) => parts.iter().all(is_by_data),
        Condition::Not(inner) => is_by_data(inner),
    }
}

impl Said {
    fn with(self, other: Said, more: usize) -> Said {
        let is_made_beside = self.is_made_beside || other.is_made_beside;
        Said { operations: self.operations + other.operations + more, is_made_beside, ..self }
    }
}

fn cast(word: &Token) -> Option<Type> {
    match word.text {
        "float" => Some(Type::Float),
        "double" => Some(Type::Double),
        _ => None,
    }
}

/// The type of a number, as C reads it.
fn literal(text: &str) -> Option<Type> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || text.starts_with("0x") || text.starts_with("0X") {
        return None;
    }
    match text.strip_suffix(['f', 'F']) {
        Some(own) if own.contains(['.', 'e', 'E']) && own.parse::<f64>().is_ok() => Some(Type::Float),
        None if text.contains(['.', 'e', 'E']) && text.parse::<f64>().is_ok() => Some(Type::Double),
        None if text.parse::<i64>().is_ok_and(|value| value <= EXACT) => Some(Type::Small),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Type, literal};

    #[test]
    fn numbers_have_types() {
        assert_eq!(literal("0.5"), Some(Type::Double));
        assert_eq!(literal("1e-3f"), Some(Type::Float));
        assert_eq!(literal("16777216"), Some(Type::Small));
        assert!(["16777217", "0x1p3", "3L", "1.0L", "3f", "n"].iter().all(|text| literal(text).is_none()));
    }
}
