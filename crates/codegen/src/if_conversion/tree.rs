//! What is assigned by choices, as tokens.
//!
//! ```text
//! target = a + (c ? x : y);         if (c) target = x; else target = y;
//! ```

use crate::tokens::{Kind, Token, closing, unwrapped};

/// Tokens of one text.
pub(super) type Tokens<'t, 's> = &'t [Token<'s>];

/// A statement that assigns.
#[derive(Debug)]
pub(super) struct Assigned<'t, 's> {
    /// What is assigned, the type in front of it in a declaration.
    pub(super) target: Tokens<'t, 's>,
    pub(super) value: Value<'t, 's>,
}

/// A value.
#[derive(Debug)]
pub(super) enum Value<'t, 's> {
    /// The text, with choices in it.
    Of(Tokens<'t, 's>),
    /// That of one of two branches.
    Branches(Tokens<'t, 's>, Box<[Value<'t, 's>; 2]>),
}

impl<'t, 's> Assigned<'t, 's> {
    /// `None`: the statement is another one.
    pub(super) fn of(all: Tokens<'t, 's>) -> Option<Assigned<'t, 's>> {
        let (own, rest) = first(all)?;
        (rest.is_empty() && all.iter().all(|t| t.kind != Kind::Directive)).then_some(own)
    }
}

/// The first statement, and what is behind it.
fn first<'t, 's>(all: Tokens<'t, 's>) -> Option<(Assigned<'t, 's>, Tokens<'t, 's>)> {
    match all {
        [word, open, ..] if word.text == "if" && open.is('(') => {
            let end = closing(all, 1)?;
            let condition = &all[2..end];
            let (one, rest) = branch(&all[end + 1..])?;
            let rest = rest.split_first().filter(|(word, _)| word.text == "else")?.1;
            let (other, rest) = branch(rest)?;
            let value = Value::Branches(condition, Box::new([one.value, other.value]));
            let is_same = texts(one.target).eq(texts(other.target));
            is_same.then_some((Assigned { target: one.target, value }, rest))
        }
        _ => {
            let end = outside(all).find(|at| all[*at].is(';'))?;
            Some((assignment(&all[..end])?, &all[end + 1..]))
        }
    }
}

/// One statement, perhaps in braces, which declares nothing.
fn branch<'t, 's>(all: Tokens<'t, 's>) -> Option<(Assigned<'t, 's>, Tokens<'t, 's>)> {
    if !all.first()?.is('{') {
        return first(all).filter(|(own, _)| own.has_no_type());
    }
    let end = closing(all, 0)?;
    let (own, inside) = first(&all[1..end])?;
    (inside.is_empty() && own.has_no_type()).then_some((own, &all[end + 1..]))
}

fn assignment<'t, 's>(all: Tokens<'t, 's>) -> Option<Assigned<'t, 's>> {
    let at = outside(all).find(|at| all[*at].is('='))?;
    let (target, value) = (&all[..at], &all[at + 1..]);
    let is_plain = outside(target).all(|k| target[k].kind == Kind::Word || target[k].is_any(&['[', ']']));
    let is_one = !value.is_empty() && outside(value).all(|k| !is_assignment_or_list(value, k));
    (is_plain && is_one && !target.is_empty()).then_some(Assigned { target, value: Value::Of(value) })
}

impl Assigned<'_, '_> {
    fn has_no_type(&self) -> bool {
        self.target.get(1).is_none_or(|second| second.kind != Kind::Word)
    }
}

impl<'t, 's> Value<'t, 's> {
    /// The values of which it is one, from left to right.
    pub(super) fn leaves(&self) -> Vec<Tokens<'t, 's>> {
        match self {
            Value::Of(all) => vec![all],
            Value::Branches(_, both) => both.iter().flat_map(Value::leaves).collect(),
        }
    }
}

fn texts<'t, 's>(all: Tokens<'t, 's>) -> impl Iterator<Item = &'s str> + use<'t, 's> {
    all.iter().map(|t| t.text)
}

/// The first choice that is not in parentheses, in three.
pub(super) fn choice<'t, 's>(all: Tokens<'t, 's>) -> Option<[Tokens<'t, 's>; 3]> {
    let question = outside(all).find(|at| all[*at].is('?'))?;
    let mut depth = 0;
    let mut marks = outside(all).filter(|at| *at > question && all[*at].is_any(&['?', ':']));
    let colon = marks.find(|at| {
        depth += if all[*at].is('?') { 1 } else { -1 };
        depth < 0
    })?;
    Some([&all[..question], &all[question + 1..colon], &all[colon + 1..]].map(unwrapped))
}

/// Behind the operand that begins at a token.
pub(super) fn end_of_operand(all: Tokens, mut at: usize) -> Option<usize> {
    while all.get(at)?.is_any(&['+', '-']) {
        at += 1;
    }
    while all.get(at)?.is('(') {
        let end = closing(all, at)? + 1;
        // A cast stands in front of something.
        let is_cast = all.get(end).is_some_and(|t| t.kind == Kind::Word || t.is('('));
        at = end;
        if !is_cast {
            return Some(at);
        }
    }
    at += 1;
    while all.get(at).is_some_and(|t| t.is('[')) {
        at = closing(all, at)? + 1;
    }
    Some(at)
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
    let is_behind = |k: usize, signs: &[char]| k > 0 && is(k - 1, signs);
    // Neither `<<` nor `>>` nor `->`.
    let compares = |k: usize| match all[k].kind {
        Kind::Sign('<') => !(is(k + 1, &['<']) || is_behind(k, &['<'])),
        Kind::Sign('>') => !(is(k + 1, &['>']) || is_behind(k, &['>', '-'])),
        Kind::Sign('=') => is(k + 1, &['=']) || is_behind(k, &['!']),
        _ => false,
    };
    outside(all).any(compares) && !outside(all).any(|k| all[k].is_any(&['&', '|', '^', '?']))
}

/// Whether a token is an assignment or a comma.
fn is_assignment_or_list(all: Tokens, at: usize) -> bool {
    let is = |k: usize, signs: &[char]| all.get(k).is_some_and(|t| t.is_any(signs));
    let is_comparison = is(at + 1, &['=']) || at > 0 && is(at - 1, &['=', '!', '<', '>']);
    all[at].is_any(&[',', '{']) || all[at].is('=') && !is_comparison
}
