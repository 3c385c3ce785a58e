//! What may be computed in each turn, though C asks for it only where a condition holds.
//!
//! ```text
//! sums, differences and products of which one operand is of floating point, comparisons, choices, casts to float and double
//! quotients by numbers, and in values by what is 1 where they are not asked for
//! variables, numbers (also by a macro), cells that the turn, or the scop, surely uses, or that lie inside an array which the file declares
//! ```
//!
//! Which cells are read must be for data alone to decide (`x[i] < 0 ? a[i] : b[i]`): where a subscript is written for what sizes and counters say of a read
//! (`i > 2 ? a[i] : 0`), it means something there only.
//!
//! Integers alone may overflow, and where division by 0 traps it ends a program: `c ? x / d : 0` is written with `d` where `c` holds, and 1 elsewhere. Of other floating point nothing but a flag can be seen, which is not looked at (`mod.rs`).

use super::apart::{Siblings, is_up_to_data};
use super::tree::{Assigned, Logic, Tokens, Value, choice, ends_an_operand, is_comparison, outside};
use crate::defines::{macro_body, macro_with_parameters};
use crate::home::words;
use crate::tokens::{Kind, Token, closing, tokens, unwrapped};
use polyfold_flow::{is_of_used_cells, stays_within};
use polyfold_isl::Context;
use polyfold_scop::{Access, Condition, Scop, StatementId, Storage};

/// Operations that a turn may do for nothing; comparisons are not counted.
const MOST_OPERATIONS: usize = 24;

/// Of which a division is as many more.
const COST_OF_DIVISION: usize = 3;

/// The largest number of which a `float` holds all smaller ones: clang warns of others as arguments.
const EXACT: i64 = 1 << 24;

/// Work for the proof that a cell is inside of its array.
const MOST_STEPS: u64 = 100_000;

/// What a turn computes.
pub(super) struct Speculation<'a> {
    pub(super) ctx: &'a Context,
    pub(super) source: &'a str,
    pub(super) scop: &'a Scop,
    pub(super) own: &'a Siblings<'a>,
    /// Of one statement, or of all in its branches.
    pub(super) ids: &'a [StatementId],
}

/// A type of floating point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Real {
    Float,
    Double,
}

/// What is found out on the way.
#[derive(Default)]
struct Found {
    /// The common type of the values of each choice, in the order of the text, outer ones first.
    types: Vec<Option<Real>>,
    /// Operations that nobody may ask for.
    operations: usize,
    /// Whether it is in a value, where divisors are chosen, too.
    is_value: bool,
    /// Whether it is in a condition: where that is asked for is not written with it.
    is_in_condition: bool,
}

/// The type of an expression; `None`: one of the integers.
type Type = Option<Real>;

impl Real {
    pub(super) fn of(element: &str) -> Option<Real> {
        match element {
            "float" => Some(Real::Float),
            "double" => Some(Real::Double),
            _ => None,
        }
    }
}

/// The type of both.
fn common(one: Type, other: Type) -> Type {
    match (one, other) {
        (Some(Real::Double), _) | (_, Some(Real::Double)) => Some(Real::Double),
        (Some(Real::Float), _) | (_, Some(Real::Float)) => Some(Real::Float),
        _ => None,
    }
}

impl Speculation<'_> {
    /// The types of all choices of what is assigned; `None`: something in one of them has to wait until it is asked for.
    pub(super) fn types(&self, assigned: &Assigned, element: &str) -> Option<Vec<Real>> {
        let mut found = Found::default();
        match &assigned.value {
            Value::Of(all) => self.asked(all, &mut found)?,
            Value::Branches(..) => {
                self.branches(&assigned.value, Real::of(element)?, &mut found, true)?;
            }
        }
        let types: Option<Vec<Real>> = found.types.into_iter().collect();
        types.filter(|types| !types.is_empty() && found.operations <= MOST_OPERATIONS)
    }

    /// What is asked for in any case, with choices in it.
    fn asked(&self, all: Tokens, found: &mut Found) -> Option<()> {
        let all = unwrapped(all);
        if all.iter().any(|t| t.is('?')) && outside(all).any(|k| all[k].is(',')) {
            return None;
        }
        if choice(all).is_some() {
            return self.chosen(all, found, true).map(|_| ());
        }
        let opens = outside(all).filter(|at| all[*at].is('('));
        opens.into_iter().try_for_each(|open| self.asked(&all[open + 1..closing(all, open)?], found))
    }

    /// A choice, which is asked for or not.
    fn chosen(&self, all: Tokens, found: &mut Found, is_asked: bool) -> Option<Type> {
        let [condition, one, other] = choice(all)?;
        let place = found.types.len();
        found.types.push(None);
        self.condition(condition, found, is_asked)?;
        let of = common(self.value(one, found)?, self.value(other, found)?);
        let fits = |own: &Tokens| !matches!(own, [word] if word.text.parse().is_ok_and(|value: i64| value > EXACT));
        if of == Some(Real::Float) && ![one, other].iter().all(fits) {
            return None;
        }
        found.types[place] = of;
        Some(of)
    }

    /// Branches, the values of which are of the target's type.
    fn branches(&self, value: &Value, of: Real, found: &mut Found, is_asked: bool) -> Option<()> {
        let Value::Branches(condition, both) = value else {
            return value.leaves().into_iter().try_for_each(|all| self.value(all, found).map(|_| ()));
        };
        found.types.push(Some(of));
        self.condition(condition, found, is_asked)?;
        both.iter().try_for_each(|own| self.branches(own, of, found, false))
    }

    /// One of the values of a choice.
    fn value(&self, all: Tokens, found: &mut Found) -> Option<Type> {
        let before = std::mem::replace(&mut found.is_value, true);
        let of = self.sum(all, found);
        found.is_value = before;
        of
    }

    /// The first operand is asked for if the condition is.
    fn condition(&self, all: Tokens, found: &mut Found, is_asked: bool) -> Option<()> {
        let before = (found.is_value, found.is_in_condition);
        (found.is_value, found.is_in_condition) = (false, true);
        let own = self.operands(all, found, is_asked);
        (found.is_value, found.is_in_condition) = before;
        own
    }

    fn operands(&self, all: Tokens, found: &mut Found, is_asked: bool) -> Option<()> {
        let operands = Logic::of(all).operands();
        operands.into_iter().enumerate().try_for_each(|(at, own)| match at {
            0 if is_asked => self.asked(own, found),
            _ => self.comparison(own, found),
        })
    }

    /// Two sums that are compared, or a sum.
    fn comparison(&self, all: Tokens, found: &mut Found) -> Option<()> {
        if !is_comparison(all) {
            return self.sum(all, found).map(|_| ());
        }
        let at = outside(all).find(|k| all[*k].is_any(&['<', '>', '=', '!']) && *k > 0)?;
        let width = 1 + usize::from(all.get(at + 1)?.is('='));
        self.sum(&all[..at], found)?;
        self.sum(&all[at + width..], found).map(|_| ())
    }

    /// The last sign that adds splits it.
    fn sum(&self, all: Tokens, found: &mut Found) -> Option<Type> {
        if choice(all).is_some() {
            return self.chosen(all, found, false);
        }
        let is_binary = |k: &usize| *k > 0 && ends_an_operand(&all[*k - 1]);
        match outside(all).filter(|k| all[*k].is_any(&['+', '-'])).filter(is_binary).last() {
            Some(at) => {
                let (left, right) = (self.sum(&all[..at], found)?, self.product(&all[at + 1..], found)?);
                real(left, right, found)
            }
            None => self.product(all, found),
        }
    }

    fn product(&self, all: Tokens, found: &mut Found) -> Option<Type> {
        let is_binary = |k: &usize| *k > 0 && ends_an_operand(&all[*k - 1]);
        let Some(at) = outside(all).filter(|k| all[*k].is_any(&['*', '/'])).filter(is_binary).last() else {
            return self.operand(all, found);
        };
        let left = self.product(&all[..at], found)?;
        let right = match all[at].is('/') {
            true => self.divisor(left, &all[at + 1..], found)?,
            false => self.operand(&all[at + 1..], found)?,
        };
        real(left, right, found)
    }

    /// A number, or what is 1 where nobody asks for the quotient.
    fn divisor(&self, left: Type, all: Tokens, found: &mut Found) -> Option<Type> {
        found.operations += COST_OF_DIVISION;
        if is_number(all) {
            return self.operand(all, found);
        }
        let place = found.types.len();
        found.types.push(None);
        let of = self.operand(all, found)?;
        found.types[place] = of.or(left);
        (found.is_value && !found.is_in_condition).then_some(of)
    }

    fn operand(&self, all: Tokens, found: &mut Found) -> Option<Type> {
        match all {
            [sign, rest @ ..] if sign.is('+') => self.operand(rest, found),
            [sign, rest @ ..] if sign.is('-') => {
                let is_number = matches!(rest, [word] if literal(word.text).is_some());
                let own = self.operand(rest, found)?;
                found.operations += usize::from(!is_number);
                (is_number || own.is_some()).then_some(own)
            }
            [open, word, close, rest @ ..] if open.is('(') && close.is(')') && Real::of(word.text).is_some() => {
                self.operand(rest, found)?;
                Some(Real::of(word.text))
            }
            [open, inner @ .., close] if open.is('(') && close.is(')') => self.sum(inner, found),
            [word] if self.access(word).is_none() => self.number(word),
            [word, ..] => self.cell(word, all),
            [] => None,
        }
    }

    /// A variable, or a cell that is there in each turn.
    fn cell(&self, word: &Token, all: Tokens) -> Option<Type> {
        let (id, access) = self.access(word)?;
        let array = self.scop.array(access.array);
        let is_whole = all.last().is_some_and(|last| last.span().end == access.place.span.end);
        let is_there = array.extents.is_empty() || is_up_to_data(&access.condition) && self.is_cell(id, access);
        let is_atomic = array.declaration.as_ref().is_some_and(|own| own.specifiers.contains("_Atomic"));
        let of = match array.element.as_str() {
            _ if is_atomic => return None,
            "int" | "unsigned" | "long" | "char" | "short" => None,
            element => Some(Real::of(element)?),
        };
        (is_whole && is_there).then_some(of)
    }

    /// Whether an access is one of a cell in each turn.
    fn is_cell(&self, id: StatementId, access: &Access) -> bool {
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
            let at = (id, &Condition::always());
            self.ctx.with_quota(MOST_STEPS, || stays_within(self.ctx, self.scop, at, &bounds)).ok()
        };
        let is_used = || self.ctx.with_quota(MOST_STEPS, || is_of_used_cells(self.ctx, self.scop, (id, access))).ok();
        self.own.surely_use(access.array, subscripts) || lies_inside().unwrap_or(false) || is_used().unwrap_or(false)
    }

    fn access(&self, word: &Token) -> Option<(StatementId, &Access)> {
        let all = self.ids.iter().flat_map(|id| self.scop.statement(*id).accesses.iter().map(|a| (*id, a)));
        all.filter(|(_, a)| a.is_read() && a.place.fragment.is_none()).find(|(_, a)| a.place.span.start == word.at)
    }

    /// A number, one that a macro stands for, or a counter.
    fn number(&self, word: &Token) -> Option<Type> {
        let loops = self.ids.first().map(|id| &self.scop.statement(*id).loops)?;
        let is_counter = || self.scop.loops().iter().any(|l| loops.contains(&l.id) && l.iterator == word.text);
        let number = literal(word.text).or_else(|| literal(macro_body(self.source, word.text)?));
        number.or_else(|| is_counter().then_some(None))
    }
}

/// A sum or a product, of which one operand is of floating point.
fn real(left: Type, right: Type, found: &mut Found) -> Option<Type> {
    found.operations += 1;
    common(left, right).map(Some)
}

/// Whether a loop computes in one precision: gcc 12 may leave out that a `double` is rounded to `float` where it makes vectors of text without branches. Of names that nothing is
/// known of, such as macros of headers, everything may be a `double`.
pub(super) fn is_of_one_precision(source: &str, scop: &Scop, own: &Siblings) -> bool {
    let elements: Vec<Real> =
        own.accesses_of_loop().filter_map(|access| Real::of(&scop.array(access.array).element)).collect();
    let is_single = elements.first() == Some(&Real::Float);
    let of = |text: &str| Real::of(text).or_else(|| literal(text).flatten());
    let is_known = |text: &str| {
        let is_counter = || scop.loops().iter().any(|l| l.iterator == text);
        let is_used = || scop.arrays.iter().any(|array| array.name == text);
        let is_size = || scop.parameters.iter().any(|parameter| parameter.name == text);
        KEYWORDS.contains(&text) || literal(text).is_some() || is_counter() || is_used() || is_size()
    };
    let is_formula = |name: &str| {
        let Some((parameters, body)) = macro_with_parameters(source, name) else { return false };
        tokens(body, &(0..body.len())).iter().filter(|token| token.kind == Kind::Word).all(|token| {
            let is_plain = KEYWORDS.contains(&token.text) || literal(token.text).is_some();
            parameters.contains(&token.text)
                || is_plain && of(token.text).is_none_or(|of| Some(&of) == elements.first())
        })
    };
    let fits = |token: &Token| {
        let body = macro_body(source, token.text);
        let inside = body.into_iter().flat_map(words).map(|(_, word)| word).find_map(of);
        let of = of(token.text).or(inside);
        let is_known =
            body.is_some_and(|body| literal(body).is_some()) || is_known(token.text) || is_formula(token.text);
        of.is_none_or(|of| Some(&of) == elements.first()) && (!is_single || is_known)
    };
    let all = tokens(source, own.span_of_loop());
    elements.iter().all(|of| Some(of) == elements.first())
        && all.iter().filter(|token| token.kind == Kind::Word).all(fits)
}

/// Words of C that a loop may have.
const KEYWORDS: [&str; 12] =
    ["for", "if", "else", "int", "long", "const", "float", "double", "unsigned", "signed", "short", "char"];

/// Whether a divisor is a number that is not 0.
pub(super) fn is_number(all: Tokens) -> bool {
    let is_zero =
        |text: &str| !text.split(['e', 'E']).next().unwrap_or(text).contains(|c: char| ('1'..='9').contains(&c));
    matches!(all, [word] if literal(word.text).is_some() && !is_zero(word.text))
}

/// The type of a number, as C reads it; `None`: it is none, or one of another type.
fn literal(text: &str) -> Option<Type> {
    let text = text.trim();
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '.') || text.starts_with("0x") || text.starts_with("0X") {
        return None;
    }
    let is_real = |own: &str| own.contains(['.', 'e', 'E']) && own.parse::<f64>().is_ok();
    match text.strip_suffix(['f', 'F']) {
        Some(own) => is_real(own).then_some(Some(Real::Float)),
        None if is_real(text) => Some(Some(Real::Double)),
        None => text.parse::<i32>().is_ok().then_some(None),
    }
}

#[cfg(test)]
mod tests {
    use super::{Real, literal};

    #[test]
    fn numbers_have_types() {
        assert_eq!(literal("0.5"), Some(Some(Real::Double)));
        assert_eq!(literal("1e-3f"), Some(Some(Real::Float)));
        assert_eq!(literal("2147483647"), Some(None));
        assert!(["2147483648", "0x1p3", "3L", "1.0L", "3f", "n"].iter().all(|text| literal(text).is_none()));
    }
}
