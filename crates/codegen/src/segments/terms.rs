//! What statements assign and add, as tokens, and whether two of them are one term.
//!
//! `a[i][0] * 2` is the term `a[i][k] * 2` for k = 0: the words are the same, and so are the cells of the references in them.

use crate::assigned::assigned_value;
use crate::linear::Linear;
use crate::tokens::{Kind, Token, tokens, unwrapped};
use polyfold_scop::{Access, Scop, Span, Statement};

/// What a statement `s = e;` assigns, and where that stands.
pub(super) fn assigned<'a>(source: &'a str, statement: &Statement) -> Option<(Span, Vec<Token<'a>>)> {
    let write = statement.accesses.iter().find(|a| a.is_write())?;
    let behind = behind(source, statement, write);
    let value = assigned_value(&behind).filter(|value| is_outside(value, &['=']))?;
    let span = value.first()?.at..value.last()?.span().end;
    Some((span, unwrapped(value).to_vec()))
}

/// What a statement adds to the variable that it assigns: e in `s = s + e`, `s = e + s` or `s += e`.
pub(super) fn added<'a>(source: &'a str, statement: &Statement) -> Option<Vec<Token<'a>>> {
    let write = statement.accesses.iter().find(|a| a.is_write())?;
    let read = statement.accesses.iter().find(|a| a.is_read() && a.array == write.array)?;
    let term = match &behind(source, statement, write)[..] {
        [plus, equals, value @ .., end] if plus.is('+') && equals.is('=') && end.is(';') => {
            is_outside(value, &[',', '=']).then_some(value.to_vec())
        }
        [equals, value @ .., end] if equals.is('=') && end.is(';') => beside(unwrapped(value), read).map(<[_]>::to_vec),
        _ => None,
    };
    term.map(|term| unwrapped(&term).to_vec())
}

/// What is added to a reference in a sum.
fn beside<'a, 't>(sum: &'a [Token<'t>], read: &Access) -> Option<&'a [Token<'t>]> {
    let Span { start, end } = read.place.span;
    let own = |tokens: &[Token]| {
        tokens.first().is_some_and(|t| t.at == start) && tokens.last().is_some_and(|t| t.span().end == end)
    };
    let plus = |at: &usize| sum[*at].is('+');
    let last = (0..sum.len()).rev().find(plus).filter(|at| own(&sum[at + 1..]));
    if let Some(at) = last {
        // s stands behind a sum: it is added to all of that.
        return is_outside(&sum[..at], &[',', '=', '<', '>', '&', '|', '^', '?', ':', '!']).then_some(&sum[..at]);
    }
    let first = (0..sum.len()).find(|at| sum[*at].at >= end && plus(at)).filter(|at| own(&sum[..*at]))?;
    // s stands in front of a product: `s + a + b` would be put together otherwise.
    let product = &sum[first + 1..];
    is_outside(product, &[',', '=', '<', '>', '&', '|', '^', '?', ':', '!', '+', '-', '~']).then_some(product)
}

/// The tokens behind the reference that a statement begins with.
fn behind<'a>(source: &'a str, statement: &Statement, write: &Access) -> Vec<Token<'a>> {
    let Span { start, end } = write.place.span;
    let begins = write.place.fragment.is_none() && statement.span.start == start;
    if begins { tokens(source, &(end..statement.span.end)) } else { Vec::new() }
}

/// Whether tokens are some, none of them a directive, and those outside of brackets none of these signs.
fn is_outside(tokens: &[Token], signs: &[char]) -> bool {
    let mut depth = 0;
    let is_plain = |t: &Token| {
        depth += i32::from(t.is_any(&['(', '['])) - i32::from(t.is_any(&[')', ']']));
        t.kind != Kind::Directive && !(depth == 0 && t.is_any(signs))
    };
    !tokens.is_empty() && tokens.iter().all(is_plain)
}

/// The iterations of a loop.
pub(super) struct Turns<'a> {
    pub(super) scop: &'a Scop,
    pub(super) counter: &'a str,
    /// The counter in the one that is asked for.
    pub(super) value: &'a Linear,
}

impl Turns<'_> {
    /// Whether a term in the loop is, in the iteration asked for, one in front of it.
    pub(super) fn begin_with(&self, inside: (&Statement, &[Token]), front: (&Statement, &[Token])) -> bool {
        let ((within, mut term), (before, mut begun)) = (inside, front);
        while let ([own, ..], [other, ..]) = (term, begun) {
            let (skipped, same) = match (reference_at(within, own), reference_at(before, other)) {
                (Some(a), Some(b)) => ([&a.place.span, &b.place.span].map(|span| span.end), self.are_one_cell(a, b)),
                (None, None) => {
                    ([own, other].map(|t| t.span().end), own.text == other.text && own.text != self.counter)
                }
                _ => return false,
            };
            if !same {
                return false;
            }
            term = &term[term.partition_point(|t| t.at < skipped[0])..];
            begun = &begun[begun.partition_point(|t| t.at < skipped[1])..];
        }
        term.is_empty() && begun.is_empty()
    }

    /// Whether two references are to one cell: the first one in the loop, the second one in front of it.
    fn are_one_cell(&self, inside: &Access, front: &Access) -> bool {
        let (Some(own), Some(other)) = (&inside.subscripts, &front.subscripts) else { return false };
        let sum = |expr| Linear::of(expr, &self.scop.show(expr), self.scop);
        let is_one = |(own, other)| {
            let (Some(own), Some(mut other)) = (sum(own), sum(other)) else { return false };
            let own = own.at(self.counter, self.value).filter(|_| other.factor(self.counter) == 0);
            own.and_then(|own| other.add(-1, &own)).is_some() && other.as_constant() == Some(0)
        };
        inside.array == front.array && own.len() == other.len() && own.iter().zip(other).all(is_one)
    }
}

/// The reference that begins with a token.
fn reference_at<'a>(statement: &'a Statement, token: &Token) -> Option<&'a Access> {
    statement.accesses.iter().find(|a| a.place.fragment.is_none() && a.place.span.start == token.at)
}
