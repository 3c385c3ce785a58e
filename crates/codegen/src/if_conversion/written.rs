//! The text of choices without branches.

use super::speculation::Real;
use super::tree::{Assigned, Logic, Tokens, Value, choice, groups, is_comparison};
use crate::home::free_name;
use crate::indent::{indent_at, step_of};
use crate::tokens::{tokens, unwrapped};
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
        let value = writing.value(&assigned.value)?;
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
        let commas = super::tree::outside(&all).filter(|k| all[*k].is(',')).map(|k| all[k].at);
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

impl Writing<'_> {
    fn value(&mut self, value: &Value) -> Option<String> {
        match value {
            Value::Of(all) => self.expression(all),
            Value::Branches(condition, both) => {
                let name = self.name()?;
                let condition = self.condition(&Logic::of(condition), true)?;
                let [one, other] = &**both;
                Some(format!("{name}({condition}, {}, {})", self.value(one)?, self.value(other)?))
            }
        }
    }

    /// An expression with choices in it.
    fn expression(&mut self, all: Tokens) -> Option<String> {
        let inner = unwrapped(all);
        if let Some([condition, one, other]) = choice(inner) {
            let name = self.name()?;
            let condition = self.condition(&Logic::of(condition), true)?;
            return Some(format!("{name}({condition}, {}, {})", self.expression(one)?, self.expression(other)?));
        }
        let (mut text, mut begin) = (String::new(), 0);
        for (open, close, is_call) in groups(all) {
            let own = self.expression(&all[open + 1..close])?;
            let is_choice = choice(unwrapped(&all[open..=close])).is_some() && !is_call;
            text += &self.between(all, begin, open);
            text += &if is_choice { own } else { format!("({own})") };
            begin = close + 1;
        }
        text += &self.between(all, begin, all.len());
        Some(text)
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
                let own = self.expression(all)?;
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
