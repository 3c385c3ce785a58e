//! What is assigned by a choice, as tokens: `target = condition ? value : condition ? value : value;`.

use crate::tokens::{Kind, Token, unwrapped};
use polyfold_scop::Span;

/// Tokens of one text.
pub(super) type Tokens<'t, 's> = &'t [Token<'s>];

/// The parts of such a statement.
#[derive(Debug)]
pub(super) struct Shape<'t, 's> {
    /// The words in front of the target, of the type in a declaration.
    pub(super) before: Tokens<'t, 's>,
    pub(super) target: Tokens<'t, 's>,
    /// One fewer than values.
    pub(super) conditions: Vec<Tokens<'t, 's>>,
    /// Each where its condition is the first one that holds; the last one where none does.
    pub(super) values: Vec<Tokens<'t, 's>>,
}

impl<'t, 's> Shape<'t, 's> {
    /// `None`: the statement is another one.
    pub(super) fn of(all: Tokens<'t, 's>) -> Option<Shape<'t, 's>> {
        let (end, all) = all.split_last()?;
        let at = outside(all).find(|at| all[*at].is('='))?;
        let target = outside(&all[..at]).filter(|k| all[*k].kind == Kind::Word).last()?;
        let (before, target) = (&all[..target], &all[target..at]);
        let are_words = before.iter().all(|t| t.kind == Kind::Word);
        let is_plain = outside(target).skip(1).all(|k| target[k].is_any(&['[', ']']));
        let is_one_statement = end.is(';') && !all.iter().any(|t| t.kind == Kind::Directive || t.is_any(&[';', '{']));
        if !is_one_statement || !are_words || !is_plain {
            return None;
        }
        let (mut conditions, mut values, mut rest) = (Vec::new(), Vec::new(), unwrapped(&all[at + 1..]));
        while let Some((condition, value, other)) = choice(rest) {
            conditions.push(unwrapped(condition));
            values.push(unwrapped(value));
            rest = unwrapped(other);
        }
        values.push(rest);
        let is_one = |own: &Tokens| !own.is_empty() && outside(own).all(|k| !is_looser_than_or(own, k));
        let are_ones = conditions.iter().chain(&values).all(is_one);
        (!conditions.is_empty() && are_ones).then_some(Shape { before, target, conditions, values })
    }

    /// Where the target stands.
    pub(super) fn target_span(&self) -> Span {
        span(self.target)
    }
}

/// From the first token to the last one.
pub(super) fn span(all: Tokens) -> Span {
    let end = all.last().map_or(0, |last| last.span().end);
    all.first().map_or(0, |first| first.at)..end
}

/// The first choice that is not in parentheses, in three.
fn choice<'t, 's>(all: Tokens<'t, 's>) -> Option<(Tokens<'t, 's>, Tokens<'t, 's>, Tokens<'t, 's>)> {
    let question = outside(all).find(|at| all[*at].is('?'))?;
    let mut depth = 0;
    let mut marks = outside(all).filter(|at| *at > question && all[*at].is_any(&['?', ':']));
    let colon = marks.find(|at| {
        depth += if all[*at].is('?') { 1 } else { -1 };
        depth < 0
    })?;
    Some((&all[..question], &all[question + 1..colon], &all[colon + 1..]))
}

/// A condition, taken apart.
#[derive(Debug)]
pub(super) enum Logic<'t, 's> {
    /// Joined by `&&`, or by `||`.
    Joined(char, Vec<Logic<'t, 's>>),
    One(Tokens<'t, 's>),
}

impl<'t, 's> Logic<'t, 's> {
    pub(super) fn of(all: Tokens<'t, 's>) -> Logic<'t, 's> {
        let all = unwrapped(all);
        for sign in ['|', '&'] {
            let is_twice = |at: &usize| all[*at].is(sign) && all.get(at + 1).is_some_and(|next| next.is(sign));
            let mut places: Vec<usize> = Vec::new();
            outside(all).filter(is_twice).for_each(|at| {
                if places.last().is_none_or(|last| last + 1 < at) {
                    places.push(at);
                }
            });
            if !places.is_empty() {
                let begins = std::iter::once(0).chain(places.iter().map(|at| at + 2));
                let ends = places.iter().copied().chain([all.len()]);
                return Logic::Joined(sign, begins.zip(ends).map(|(from, to)| Logic::of(&all[from..to])).collect());
            }
        }
        Logic::One(all)
    }

    /// What it joins, in their order.
    pub(super) fn operands(&self) -> Vec<Tokens<'t, 's>> {
        match self {
            Logic::Joined(_, own) => own.iter().flat_map(Logic::operands).collect(),
            Logic::One(all) => vec![all],
        }
    }
}

/// The places of tokens that are in no brackets, and of the brackets around others.
pub(super) fn outside<'t>(all: &'t [Token]) -> impl Iterator<Item = usize> + 't {
    let mut depth = 0;
    (0..all.len()).filter(move |at| {
        depth -= i32::from(all[*at].is_any(&[')', ']', '}']));
        let is_outside = depth == 0;
        depth += i32::from(all[*at].is_any(&['(', '[', '{']));
        is_outside
    })
}

/// Whether a sign behind a token has two operands.
pub(super) fn ends_an_operand(token: &Token) -> bool {
    token.kind == Kind::Word || token.is_any(&[')', ']'])
}

/// Whether an expression is a comparison, which is 0 or 1.
pub(super) fn is_comparison(all: Tokens) -> bool {
    let is = |k: usize, signs: &[char]| all.get(k).is_some_and(|t| t.is_any(signs));
    let compares = |k: usize| match all[k].kind {
        Kind::Sign('<') => !is(k + 1, &['<']) && !(k > 0 && is(k - 1, &['<'])),
        Kind::Sign('>') => !is(k + 1, &['>']) && !(k > 0 && is(k - 1, &['>', '-'])),
        Kind::Sign('=') => is(k + 1, &['=']) || k > 0 && is(k - 1, &['!']),
        _ => false,
    };
    outside(all).any(compares) && !outside(all).any(|k| all[k].is_any(&['&', '|', '^']))
}

/// Whether a token is an assignment, a choice or a comma.
fn is_looser_than_or(all: Tokens, at: usize) -> bool {
    let is = |k: usize, signs: &[char]| all.get(k).is_some_and(|t| t.is_any(signs));
    let is_comparison = is(at + 1, &['=']) || at > 0 && is(at - 1, &['=', '!', '<', '>']);
    all[at].is_any(&[',', '?', ':', '{']) || all[at].is('=') && !is_comparison
}
