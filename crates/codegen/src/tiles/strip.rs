//! One loop as two: over the tiles, and over the iterations of one.
//!
//! ```text
//! for (int i = first; i < bound; i += s)       for (long it = first; it < bound; it += T s)
//!                                                for (int i = it; i < (bound < it + T s ? bound : it + T s); i += s)
//! ```
//!
//! The counter of the tiles may go past the bound by all but one iteration of a tile: so it is wider than an `int`, unless both ends are numbers.

use super::band::head_of;
use super::ends::{Course, course, widening};
use super::head::{Head, bound};
use crate::edit::Edit;
use crate::loops::{Obstacle, is_plain_number};
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Condition, Loop, LoopId, Span};

/// A loop of the band, and its tiles.
pub(super) struct Strip<'a> {
    pub(super) source: &'a str,
    pub(super) l: &'a Loop,
    pub(super) head: Head,
    /// The counter of the tiles.
    pub(super) name: String,
    /// From one tile to the next.
    pub(super) stride: i64,
}

impl Strip<'_> {
    /// `for (long jt = 0; jt < n; jt += 32)`; `around`: the loops of the band around this one.
    pub(super) fn tiles(&self, around: &[Strip]) -> Result<String, Obstacle> {
        let is_up = self.l.step > 0;
        let first = &self.head.first;
        let first = self.at_ends(first, around, !is_up, &|id| course(&self.l.first, id))?;
        let mut tests = Vec::new();
        for (k, test) in self.head.tests.iter().enumerate() {
            let condition = self.condition(k);
            tests.push(self.at_ends(test, around, true, &|id| widening(condition, id))?);
        }
        let Strip { name, stride, .. } = self;
        let (word, sign) = (self.word(), if is_up { "+=" } else { "-=" });
        Ok(format!("for ({word} {name} = {first}; {}; {name} {sign} {})", tests.join(" && "), stride.abs()))
    }

    /// What changes in the head of the loop over one tile's iterations.
    pub(super) fn inside(&self, around: &[Strip]) -> Result<Vec<Edit>, Obstacle> {
        let moves = around.iter().any(|outer| course(&self.l.first, outer.l.id) != Some(Course::Still));
        if moves && self.l.step.abs() != 1 {
            return Err(self.obstacle("begins at a number that depends on a counter around it, and does not step by 1"));
        }
        let (first, name) = (self.operand(&self.head.first), &self.name);
        let sign = if self.l.step > 0 { '>' } else { '<' };
        let begin = if moves { format!("({name} {sign} {first} ? {name} : {first})") } else { name.clone() };
        Ok(vec![Edit { span: self.head.first.clone(), text: begin }, self.test()])
    }

    /// `i < (n < it + 32 ? n : it + 32)`, or with one more conjunct where the test is of another form.
    fn test(&self) -> Edit {
        let whole = self.head.tests[0].start..self.head.tests[self.head.tests.len() - 1].end;
        let counter = &self.l.iterator;
        let strict = self.strict();
        let simple = self.simple();
        let text = match simple {
            _ if self.are_full(simple.as_ref()) => format!("{counter} {strict} {}", self.end(false)),
            Some((sign, span)) => {
                let (bound, end) = (self.operand(&span), self.end(sign.ends_with('=')));
                format!("{counter} {sign} ({bound} {strict} {end} ? {bound} : {end})")
            }
            None => format!("{} && {counter} {strict} {}", &self.source[whole.clone()], self.end(false)),
        };
        Edit { span: whole, text }
    }

    /// The sign and the bound of a test `counter < bound`, or the like.
    fn simple(&self) -> Option<(&'static str, Span)> {
        match &self.head.tests[..] {
            [test] => bound(self.source, test, self.l),
            _ => None,
        }
    }

    fn strict(&self) -> &'static str {
        if self.l.step > 0 { "<" } else { ">" }
    }

    /// Whether no tile is cut off: both ends are numbers.
    fn are_full(&self, simple: Option<&(&str, Span)>) -> bool {
        let Some((sign, span)) = simple else { return false };
        let numbers = self.number(&self.head.first).zip(self.number(span));
        numbers.is_some_and(|(first, last)| {
            let behind = last + if *sign == "<=" { 1 } else { 0 };
            self.l.step == 1 && (behind - first) % self.stride == 0
        })
    }

    fn number(&self, span: &Span) -> Option<i64> {
        let text = &self.source[span.clone()];
        text.parse::<i32>().ok().filter(|_| text == "0" || !text.starts_with(['0', '+'])).map(i64::from)
    }

    /// Whether an end of the loop is far from where an `int` ends: a number, or a macro that is one with a number added to it.
    fn is_small(&self, part: &Span) -> bool {
        let all = tokens(self.source, part);
        let is_number = |t: &&Token| t.text.parse::<i32>().is_ok_and(|number| number < 1 << 20);
        let is_macro = |t: &&Token| is_plain_number(self.source, t.text);
        let (numbers, others): (Vec<&Token>, Vec<&Token>) = all.iter().partition(is_number);
        let macros = others.iter().filter(|t| is_macro(t)).count();
        let signs = others.iter().filter(|t| t.is_any(&['+', '-'])).count();
        macros <= 1 && numbers.len() <= 2 && macros + signs == others.len()
    }

    /// The first iteration behind a tile, or the last one of it.
    fn end(&self, is_last: bool) -> String {
        let distance = if is_last { self.stride - self.l.step } else { self.stride };
        plus(&self.name, distance)
    }

    /// The largest or smallest value that the counter has in a tile, or what is beyond: `(n < it + 32 ? n : it + 32) - 1`.
    fn value(&self, is_largest: bool, around: &[Strip]) -> Result<String, Obstacle> {
        if is_largest != (self.l.step > 0) {
            return Ok(self.name.clone());
        }
        let simple = self.simple().filter(|simple| !self.are_full(Some(simple)));
        let (Some((sign, span)), Condition::Compare(_, _, bound)) = (simple, self.condition(0)) else {
            return Ok(self.end(true));
        };
        let bound = in_parentheses(&self.at_ends(&span, around, is_largest, &|id| course(bound, id))?);
        let is_last = sign.ends_with('=');
        let (strict, end) = (self.strict(), self.end(is_last));
        let value = format!("({bound} {strict} {end} ? {bound} : {end})");
        Ok(if is_last { value } else { plus(&value, -self.l.step.signum()) })
    }

    /// The type of the tiles' counter.
    fn word(&self) -> &str {
        let are_small = self.is_small(&self.head.first) && self.simple().is_some_and(|(_, span)| self.is_small(&span));
        match (self.l.counter.bytes, self.l.counter.signed) {
            (4, true) if are_small && self.stride.abs() < 1 << 30 => &self.l.counter.element,
            (4, true) => "long",
            (4, false) => "unsigned long",
            _ => &self.l.counter.element,
        }
    }

    fn condition(&self, k: usize) -> &Condition {
        match &self.l.condition {
            Condition::All(parts) if parts.len() == self.head.tests.len() => &parts[k],
            whole => whole,
        }
    }

    /// A part of the head with the tiles' counter in place of the loop's own, and ends of tiles in place of those around.
    fn at_ends(
        &self,
        part: &Span,
        around: &[Strip],
        is_largest: bool,
        moves: &dyn Fn(LoopId) -> Option<Course>,
    ) -> Result<String, Obstacle> {
        let mut values = vec![(self.l.iterator.as_str(), self.name.clone())];
        for (k, outer) in around.iter().enumerate() {
            let course = moves(outer.l.id).ok_or_else(|| {
                self.obstacle("has a bound that neither only grows nor only falls with the counters around it")
            })?;
            let value = outer.value((course == Course::Up) == is_largest, &around[..k])?;
            values.push((&outer.l.iterator, value));
        }
        Ok(with_values(self.source, part, &values))
    }

    /// A part of the head that may stand beside a comparison.
    fn operand(&self, part: &Span) -> String {
        in_parentheses(&self.source[part.clone()])
    }

    fn obstacle(&self, why: &str) -> Obstacle {
        Obstacle {
            what: format!("the loop of `{}` {why}", self.l.iterator),
            span: head_of(self.l),
            help: "give fewer sizes, so that only loops around it are tiled, or write it with plainer bounds",
        }
    }
}

/// A text that may stand beside a comparison.
fn in_parentheses(text: &str) -> String {
    let is_plain = |t: &Token| t.kind == Kind::Word || t.is_any(&['+', '-', '*', '/', '%']);
    let is_sum = tokens(text, &(0..text.len())).iter().all(is_plain);
    if is_sum { text.to_string() } else { format!("({text})") }
}

/// `it + 31`.
fn plus(name: &str, distance: i64) -> String {
    match distance.signum() {
        0 => name.to_string(),
        1 => format!("{name} + {distance}"),
        _ => format!("{name} - {}", distance.unsigned_abs()),
    }
}

/// A part of a text with other words for some counters.
fn with_values(source: &str, part: &Span, values: &[(&str, String)]) -> String {
    let all = tokens(source, part);
    let (mut text, mut at) = (String::new(), part.start);
    for (k, token) in all.iter().enumerate() {
        let Some((_, value)) = values.iter().find(|(name, _)| *name == token.text) else { continue };
        text.push_str(&source[at..token.at]);
        let is_apart = |t: Option<&Token>| t.is_none_or(|t| t.is_any(&['<', '>', '=']));
        let stands_alone = is_apart(k.checked_sub(1).and_then(|before| all.get(before))) && is_apart(all.get(k + 1));
        let is_word = !value.contains(' ') || value.starts_with('(') && value.ends_with(')');
        text.push_str(&if is_word || stands_alone { value.clone() } else { format!("({value})") });
        at = token.span().end;
    }
    text.push_str(&source[at..part.end]);
    text
}
