//! Heads of loops that can be split: `for (i = first; i < bound; i++)`.

use crate::home::words;
use crate::linear::{Linear, Variables};
use crate::slow::Uncut;
use crate::tokens::{Kind, Token, closing, tokens, unwrapped};
use polyfold_scop::{Condition, Expr, Loop, LoopId, Span};
use std::borrow::Cow;

/// A loop whose counter is compared with one bound, which it does not change.
#[derive(Clone)]
pub(super) struct Head<'a> {
    pub(super) counter: &'a str,
    /// The counter's type.
    pub(super) word: &'a str,
    /// How it begins, and the condition, as they are.
    pub(super) first: &'a str,
    pub(super) condition: Cow<'a, str>,
    /// How it goes on.
    pub(super) next: &'a str,
    /// What the counter is compared with, in C.
    pub(super) bound: String,
    /// The last value that the counter may have, in C.
    pub(super) last: String,
    pub(super) is_upward: bool,
    /// From behind the head.
    pub(super) body: Span,
}

impl<'a> Head<'a> {
    /// # Errors
    /// Why the head is another one.
    pub(super) fn of(source: &'a str, l: &'a Loop, variables: &Variables) -> Result<Head<'a>, Uncut> {
        let all = tokens(source, &l.span);
        let is_plain = |t: &Token| t.kind != Kind::Directive;
        if !l.counter.signed {
            return Err(Uncut::Unsigned(l.counter.element.clone()));
        }
        if !all.iter().all(is_plain) {
            return Err(Uncut::Directive);
        }
        let opening = all.iter().position(|t| t.is('(')).ok_or(Uncut::Other)?;
        let closing = closing(&all, opening).ok_or(Uncut::Other)?;
        let head = &all[opening + 1..closing];
        let ends: Vec<usize> = (0..head.len()).filter(|at| head[*at].is(';')).collect();
        let [one, two] = ends[..] else { return Err(Uncut::Other) };
        let text = |from: usize, to: usize| source[from..to].trim();
        let condition = text(head[one].at + 1, head[two].at);
        let whole = &source[all[opening].at..all[closing].at];
        if whole.contains("//") || whole.contains("/*") {
            return Err(Uncut::Comment);
        }
        let (bound, last) = last(source, &head[one + 1..two], l, variables).ok_or(Uncut::Condition)?;
        Ok(Head {
            counter: &l.iterator,
            word: &l.counter.element,
            first: text(all[opening].at + 1, head[one].at),
            condition: condition.into(),
            next: text(head[two].at + 1, all[closing].at),
            bound,
            last,
            is_upward: l.step > 0,
            body: all[closing].at + 1..l.span.end,
        })
    }
}

impl Head<'_> {
    /// Whether the counter is known in the loop alone.
    pub(super) fn declares_counter(&self) -> bool {
        let before = self.first.split('=').next().unwrap_or_default();
        words(before).filter(|(_, word)| *word != self.counter).count() > 0
    }
}

/// The last value of the counter that satisfies `counter < bound`, `counter >= bound` or the like.
fn last(source: &str, condition: &[Token], l: &Loop, variables: &Variables) -> Option<(String, String)> {
    let condition = unwrapped(condition);
    let sign = condition.iter().position(|t| t.is_any(&['<', '>']))?;
    let may_be_equal = condition.get(sign + 1)?.is('=');
    let (left, right) = (&condition[..sign], &condition[sign + 1 + usize::from(may_be_equal)..]);
    let is_counter = |side: &[Token]| matches!(unwrapped(side), [t] if t.text == l.iterator);
    let (bound, is_less) = match (is_counter(left), is_counter(right)) {
        (true, false) => (right, condition[sign].is('<')),
        (false, true) => (left, condition[sign].is('>')),
        _ => return None,
    };
    let bound = unwrapped(bound);
    let text = &source[bound.first()?.at..bound.last()?.span().end];
    let is_sum = bound.iter().all(|t| t.kind == Kind::Word || t.is_any(&['+', '-', '*', '/', '(', ')']));
    let is_plain = is_sum && words(text).all(|(_, word)| word != l.iterator) && variables.are_signed(text);
    if is_less != (l.step > 0) || !is_plain && !is_fixed_bound(l) {
        return None;
    }
    // A macro may be a sum without parentheses, or worse.
    let is_one = may_be_equal || is_plain;
    let bound = text.to_string();
    let text = if is_one { text.to_string() } else { format!("({text})") };
    let last = match (may_be_equal, is_less) {
        (true, _) => text,
        (false, true) => Linear::plus(&text, -1),
        (false, false) => Linear::plus(&text, 1),
    };
    Some((bound, last))
}

/// Whether the bound, whatever it reads like, is the same in all iterations. While the counter is below one that is unsigned, this
/// is a positive number that the counter's type can hold, or the counter would leave it.
fn is_fixed_bound(l: &Loop) -> bool {
    let Condition::Compare(left, _, right) = &l.condition else { return false };
    let is_counter = |side: &Expr| matches!(side, Expr::Iterator(id) if *id == l.id);
    is_counter(left) && !reads(right, l.id) || is_counter(right) && !reads(left, l.id)
}

/// Whether an expression has a loop's counter.
pub(crate) fn reads(expr: &Expr, id: LoopId) -> bool {
    match expr {
        Expr::Constant(_) | Expr::Parameter(_) => false,
        Expr::Iterator(own) => *own == id,
        Expr::Add(a, b) => reads(a, id) || reads(b, id),
        Expr::Scale(_, inner) | Expr::Divide(inner, _) | Expr::Remainder(inner, _) => reads(inner, id),
        Expr::Select(condition, a, b) => is_asked(condition, id) || reads(a, id) || reads(b, id),
    }
}

fn is_asked(condition: &Condition, id: LoopId) -> bool {
    match condition {
        Condition::Compare(a, _, b) => reads(a, id) || reads(b, id),
        Condition::All(all) | Condition::Any(all) => all.iter().any(|condition| is_asked(condition, id)),
        Condition::Not(inner) => is_asked(inner, id),
        Condition::Unknown => true,
    }
}
