//! The text of choices without branches.

use super::shape::{Logic, Shape, Tokens, is_comparison, span};
use super::speculation::Computed;
use crate::Decisions;
use crate::edit::Edits;
use crate::home::{free_name, words};
use crate::indent::{indent_at, step_of};
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Scop, Span, StatementId, StatementKind};

/// A statement whose choice is written without branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    statement: StatementId,
    /// The statement, and the white space in front of it where it is a body without braces.
    pub(crate) span: Span,
    /// The statement.
    pub(crate) own: Span,
    element: &'static str,
    is_work: Vec<bool>,
    place: Spot,
    /// What conditions and values are called.
    choice: String,
    value: String,
    likely: String,
    indent: String,
    step: String,
}

/// Where a statement stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spot {
    /// Behind the head of a loop, or of an `if`.
    Body,
    /// Between others, in their block.
    Between,
    /// Behind an `else`, or a label.
    Elsewhere,
}

impl Converted {
    /// `name`: what names begin with.
    pub(super) fn new(
        (source, scop): (&str, &Scop),
        statement: StatementId,
        name: &str,
        computed: Computed,
    ) -> Converted {
        let own = scop.statement(statement);
        let free = |what: &str| unused_beginning(&format!("{name}_{what}"), source);
        let before = tokens(source, &(scop.span.start..own.span.start));
        let head = before.last().filter(|last| last.is(')')).map(Token::span);
        let start = head.as_ref().map_or(own.span.start, |head| head.end);
        let line = head.as_ref().map_or(own.span.start, |head| head.start);
        let is_between = before.last().is_none_or(|last| last.is_any(&['{', '}', ';']));
        let place = match (head.is_some(), own.kind) {
            (_, StatementKind::Declaration) => Spot::Between,
            (true, _) => Spot::Body,
            (false, _) if is_between => Spot::Between,
            (false, _) => Spot::Elsewhere,
        };
        Converted {
            statement,
            span: start..own.span.end,
            element: computed.element,
            is_work: computed.is_work,
            place,
            own: own.span.clone(),
            choice: free("choice"),
            value: free("value"),
            likely: likely(scop, source),
            indent: indent_at(source, line).to_string(),
            step: step_of(source, &scop.span),
        }
    }

    pub(crate) fn statement(&self) -> StatementId {
        self.statement
    }

    /// The statement as other changes leave it, without branches; as it is where it has another form by now.
    pub(crate) fn of(&self, text: &str) -> String {
        self.without_branches(text).unwrap_or_else(|| text.to_string())
    }

    fn without_branches(&self, text: &str) -> Option<String> {
        let all = tokens(text, &(0..text.len()));
        let shape = Shape::of(&all).filter(|shape| shape.values.len() == self.is_work.len())?;
        if text.contains("//") || text.contains("/*") {
            return None;
        }
        let is_cell = shape.target.len() > 1;
        let lines = if is_cell { self.stored(text, &shape) } else { self.chosen(text, &shape)? };
        Some(self.in_block(&lines))
    }

    /// Lines where the statement stands, in braces if these are needed.
    fn in_block(&self, lines: &[String]) -> String {
        let Converted { indent, step, place, .. } = self;
        if *place == Spot::Between {
            return lines.join(&format!("\n{indent}"));
        }
        let inner: String = lines.iter().map(|line| format!("\n{indent}{step}{line}")).collect();
        format!("{}{{{inner}\n{indent}}}", if *place == Spot::Body { " " } else { "" })
    }

    /// One value that is stored, and others that are stored over it.
    fn stored(&self, text: &str, shape: &Shape) -> Vec<String> {
        let of = |part: Tokens| in_one_line(&text[span(part)]);
        let target = of(shape.target);
        let last = shape.values.len() - 1;
        let is_swapped = last == 1 && self.is_work[0] && !self.is_work[1];
        let over: Vec<usize> = if is_swapped { vec![1] } else { (0..last).rev().collect() };
        let mut lines = self.conditions(text, shape);
        for at in over.iter().rev().filter(|at| self.needs_name(shape.values[**at])) {
            lines.push(format!("const {} {} = {};", self.element, self.value_name(*at, last), of(shape.values[*at])));
        }
        lines.push(format!("{target} = {};", of(shape.values[if is_swapped { 0 } else { last }])));
        for at in over {
            let name = self.condition_name(if is_swapped { 0 } else { at }, last);
            let condition = if is_swapped { format!("!{name}") } else { name };
            let condition = if self.is_work[at] { format!("{}({condition})", self.likely) } else { condition };
            let needs_name = self.needs_name(shape.values[at]);
            let value = if needs_name { self.value_name(at, last) } else { of(shape.values[at]) };
            lines.push(format!("if ({condition})"));
            lines.push(format!("{}{target} = {value};", self.step));
        }
        lines
    }

    /// A variable that gets one of two values, of which one is computed; `None`: more.
    fn chosen(&self, text: &str, shape: &Shape) -> Option<Vec<String>> {
        let of = |part: Tokens| in_one_line(&text[span(part)]);
        let [one, other] = self.is_work[..] else { return None };
        if one && other {
            return None;
        }
        let mut lines = self.conditions(text, shape);
        let name = self.condition_name(0, 1);
        let condition = match (one, other) {
            (true, _) => format!("{}({name})", self.likely),
            (_, true) => format!("!{}(!{name})", self.likely),
            _ => name,
        };
        let mut texts = [of(shape.values[0]), of(shape.values[1])];
        for at in (0..2).filter(|at| self.is_work[*at] && self.needs_name(shape.values[*at])) {
            let value = self.value_name(at, 1);
            lines.push(format!("const {} {value} = {};", self.element, texts[at]));
            texts[at] = value;
        }
        let before: String = shape.before.iter().map(|t| format!("{} ", t.text)).collect();
        lines.push(format!("{before}{} = {condition} ? {} : {};", of(shape.target), texts[0], texts[1]));
        Some(lines)
    }

    /// Whether a value is more than a number or a variable, so that it has to be known before the target is written.
    fn needs_name(&self, value: Tokens) -> bool {
        !matches!(value, [one] if one.kind == Kind::Word)
    }

    fn conditions(&self, text: &str, shape: &Shape) -> Vec<String> {
        let last = shape.conditions.len();
        let line = |(at, own): (usize, &Tokens)| {
            format!("const int {} = {};", self.condition_name(at, last), without_branches(text, &Logic::of(own), true))
        };
        shape.conditions.iter().enumerate().map(line).collect()
    }

    fn condition_name(&self, at: usize, count: usize) -> String {
        numbered(&self.choice, at, count)
    }

    fn value_name(&self, at: usize, count: usize) -> String {
        numbered(&self.value, at, count)
    }
}

/// A name that no word of the source begins with.
fn unused_beginning(wanted: &str, source: &str) -> String {
    let mut name = wanted.to_string();
    while words(source).any(|(_, word)| word.starts_with(&name)) {
        name.push('_');
    }
    name
}

fn numbered(name: &str, at: usize, count: usize) -> String {
    if count > 1 { format!("{name}{at}") } else { name.to_string() }
}

/// A condition that is 0 or 1, without `&&` and `||`.
fn without_branches(text: &str, logic: &Logic, is_outer: bool) -> String {
    match logic {
        Logic::One(all) => {
            let own = in_one_line(&text[span(all)]);
            match (is_comparison(all), is_outer) {
                (true, true) => own,
                (true, false) => format!("({own})"),
                (false, true) => format!("({own}) != 0"),
                (false, false) => format!("(({own}) != 0)"),
            }
        }
        Logic::Joined(sign, own) => {
            let own: Vec<String> = own.iter().map(|own| without_branches(text, own, false)).collect();
            let joined = own.join(&format!(" {sign} "));
            if is_outer { joined } else { format!("({joined})") }
        }
    }
}

/// A part of a text that may be in several lines.
fn in_one_line(text: &str) -> String {
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join(" ")
}

/// The lines that say what the word means, if a text has it.
pub(crate) fn macro_lines(source: &str, decisions: &Decisions, edits: &Edits) -> Vec<String> {
    let own = likely(decisions.scop, source);
    let shaped = edits.shaped_texts(source);
    if !edits.texts().chain(shaped.iter().map(String::as_str)).flat_map(words).any(|(_, word)| word == own) {
        return Vec::new();
    }
    vec![
        "#if defined __GNUC__".to_string(),
        format!(
            "#define {own}(condition) __builtin_expect(condition, 1) /* else gcc moves the value behind the choice */"
        ),
        "#else".to_string(),
        format!("#define {own}(condition) (condition)"),
        "#endif".to_string(),
    ]
}

fn likely(scop: &Scop, source: &str) -> String {
    free_name("POLYFOLD_LIKELY", scop, source)
}
