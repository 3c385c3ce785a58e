//! The text of choices without branches.

use super::speculation::{Real, is_number};
use super::tree::{Assigned, Logic, Tokens, Value, choice, end_of_operand, is_comparison, outside};
use crate::home::free_name;
use crate::indent::{indent_at, step_of};
use crate::tokens::{Kind, closing, tokens, unwrapped};
use polyfold_scop::{Scop, Span, StatementId};

/// A longer line has an argument in each.
const LONG: usize = 120;

/// A statement whose choices are written without branches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    ids: Vec<StatementId>,
    /// The statement, branches and all.
    pub(crate) span: Span,
    /// Of the values of each choice, in the order of the text, outer ones first.
    types: Vec<Real>,
    /// The function that chooses, for `double` and for `float`.
    pub(super) names: [String; 2],
    indent: String,
    step: String,
}

/// A text, and the choices that are still to come.
struct Writing<'a> {
    own: &'a Converted,
    text: &'a str,
    types: std::slice::Iter<'a, Real>,
}

impl Converted {
    pub(super) fn new((source, scop): (&str, &Scop), ids: Vec<StatementId>, span: Span, types: Vec<Real>) -> Converted {
        let indent = indent_at(source, span.start).to_string();
        let names = names(source, scop);
        Converted { ids, span, types, names, indent, step: step_of(source, &scop.span) }
    }

    /// The statement, or those of its branches.
    pub(crate) fn statements(&self) -> &[StatementId] {
        &self.ids
    }

    /// The statement as other changes leave it, without branches; as it is where it has another form by now.
    pub(crate) fn of(&self, text: &str) -> String {
        self.without_branches(text).unwrap_or_else(|| text.to_string())
    }

    fn without_branches(&self, text: &str) -> Option<String> {
        let all = tokens(text, &(0..text.len()));
        let assigned = Assigned::of(&all).filter(|_| !text.contains("//") && !text.contains("/*"))?;
        let mut writing = Writing { own: self, text, types: self.types.iter() };
        let value = writing.value(&assigned.value, None)?;
        if writing.types.next().is_some() {
            return None;
        }
        let target = writing.part(assigned.target);
        let line = format!("{target} = {value};");
        match self.indent.len() + line.len() > LONG {
            true => self.in_lines(&target, &value),
            false => Some(line),
        }
    }

    /// Each argument of the outer function in a line, where that is all of the value.
    fn in_lines(&self, target: &str, value: &str) -> Option<String> {
        let whole = || Some(format!("{target} = {value};"));
        let name = self.names.iter().find(|name| value.starts_with(&format!("{name}(")));
        let Some(inner) = name.and_then(|name| value[name.len() + 1..].strip_suffix(')')) else { return whole() };
        let all = tokens(inner, &(0..inner.len()));
        let commas = outside(&all).filter(|k| all[*k].is(',')).map(|k| all[k].at);
        let mut begin = 0;
        let mut lines = format!("{target} = {}(", name.map_or("", String::as_str));
        for end in commas.chain([inner.len()]) {
            let sign = if end == inner.len() { ");" } else { "," };
            lines += &format!("\n{}{}{}{sign}", self.indent, self.step.repeat(2), inner[begin..end].trim());
            begin = end + 1;
        }
        Some(lines)
    }
}

/// Where a value is asked for: where a condition holds, or does not.
#[derive(Clone)]
struct Path {
    condition: String,
    holds: bool,
}

impl Path {
    /// Where that is so, too.
    fn of(outer: Option<&Path>, condition: &str, holds: bool) -> Path {
        let own = Path { condition: condition.to_string(), holds };
        match outer {
            None => own,
            Some(outer) => {
                Path { condition: format!("{} & {}", outer.in_parentheses(), own.in_parentheses()), holds: true }
            }
        }
    }

    fn in_parentheses(&self) -> String {
        let Path { condition, holds } = self;
        if *holds { format!("({condition})") } else { format!("(!({condition}))") }
    }
}

impl Writing<'_> {
    fn value(&mut self, value: &Value, path: Option<&Path>) -> Option<String> {
        match value {
            Value::Of(all) => self.expression(all, path),
            Value::Branches(condition, both) => {
                let name = self.name()?;
                let condition = self.condition(&Logic::of(condition), true)?;
                let [one, other] = &**both;
                let one = self.value(one, Some(&Path::of(path, &condition, true)))?;
                let other = self.value(other, Some(&Path::of(path, &condition, false)))?;
                Some(format!("{name}({condition}, {one}, {other})"))
            }
        }
    }

    /// An expression with choices in it; `path`: where it is asked for, if that is not everywhere.
    fn expression(&mut self, all: Tokens, path: Option<&Path>) -> Option<String> {
        if let Some([condition, one, other]) = choice(unwrapped(all)) {
            let name = self.name()?;
            let condition = self.condition(&Logic::of(condition), true)?;
            let one = self.expression(one, Some(&Path::of(path, &condition, true)))?;
            let other = self.expression(other, Some(&Path::of(path, &condition, false)))?;
            return Some(format!("{name}({condition}, {one}, {other})"));
        }
        let (mut text, mut begin, mut at) = (String::new(), 0, 0);
        while at < all.len() {
            let (own, from, to) = match &all[at] {
                sign if sign.is('(') => (self.group(all, at, path)?, at, closing(all, at)? + 1),
                sign if sign.is('[') => {
                    at = closing(all, at)? + 1;
                    continue;
                }
                sign if sign.is('/') => {
                    let end = end_of_operand(all, at + 1)?;
                    (self.divisor(&all[at + 1..end], path)?, at + 1, end)
                }
                _ => {
                    at += 1;
                    continue;
                }
            };
            text += &self.between(all, begin, from);
            text += &own;
            (begin, at) = (to, to);
        }
        if begin < all.len() {
            text += &self.between(all, begin, all.len());
        }
        Some(text.trim().to_string())
    }

    /// What stands in parentheses; those around a choice alone go, but for a call's.
    fn group(&mut self, all: Tokens, open: usize, path: Option<&Path>) -> Option<String> {
        let close = closing(all, open)?;
        let own = self.expression(&all[open + 1..close], path)?;
        let is_call = open > 0 && all[open - 1].kind == Kind::Word;
        let is_choice = choice(unwrapped(&all[open..=close])).is_some() && !is_call;
        Some(if is_choice { own } else { format!("({own})") })
    }

    /// A divisor that is 1 where nobody asks for the quotient.
    fn divisor(&mut self, all: Tokens, path: Option<&Path>) -> Option<String> {
        let Some(Path { condition, holds }) = path.filter(|_| !is_number(all)) else {
            return self.expression(all, path);
        };
        let name = self.name()?;
        let own = self.expression(unwrapped(all), path)?;
        let [one, other] = if *holds { [own.as_str(), "1"] } else { ["1", own.as_str()] };
        Some(format!("{name}({condition}, {one}, {other})"))
    }

    /// The text from one token up to another one, with the space in front of that.
    fn between(&self, all: Tokens, from: usize, to: usize) -> String {
        let start = if from == 0 { all[0].at } else { all[from - 1].span().end };
        let end = if to == all.len() { all[to - 1].span().end } else { all[to].at };
        in_one_line(&self.text[start.min(end)..end])
    }

    /// A condition that is 0 or 1, without `&&` and `||`.
    fn condition(&mut self, logic: &Logic, is_outer: bool) -> Option<String> {
        Some(match logic {
            Logic::One(all) => {
                let own = self.expression(all, None)?;
                match (is_comparison(all), is_outer) {
                    (true, true) => own,
                    (true, false) => format!("({own})"),
                    (false, true) => format!("({own}) != 0"),
                    (false, false) => format!("(({own}) != 0)"),
                }
            }
            Logic::Joined(sign, own) => {
                let own: Option<Vec<String>> = own.iter().map(|own| self.condition(own, false)).collect();
                let joined = own?.join(&format!(" {sign} "));
                if is_outer { joined } else { format!("({joined})") }
            }
        })
    }

    fn name(&mut self) -> Option<String> {
        let of = self.types.next()?;
        Some(self.own.names[usize::from(*of == Real::Float)].clone())
    }

    fn part(&self, all: Tokens) -> String {
        self.between(all, 0, all.len())
    }
}

/// What the functions are called.
pub(super) fn names(source: &str, scop: &Scop) -> [String; 2] {
    ["polyfold_select", "polyfold_selectf"].map(|name| free_name(name, scop, source))
}

/// A part of a text that may be in several lines.
fn in_one_line(text: &str) -> String {
    let has_space = |begins: bool| if begins { text.starts_with(' ') } else { text.ends_with(' ') };
    if !text.contains('\n') {
        return text.to_string();
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let (before, behind) = (if has_space(true) { " " } else { "" }, if has_space(false) { " " } else { "" });
    format!("{before}{}{behind}", lines.join(" "))
}
