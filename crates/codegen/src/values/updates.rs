//! Compound assignments whose new value lives elsewhere than the old one.
//!
//! Example: `s += a[i];` becomes `s_S1[i] = s_S1[i - 1] + (a[i]);`, and `n++;` becomes `n_S2[i] = n_S2[i - 1] + 1;`.

use crate::edit::Edit;
use crate::tokens::{Kind, Token, tokens};
use polyfold_scop::{Access, Span, Statement};

/// A statement that does nothing but update one place.
pub(super) struct Update {
    place: Span,
    /// `+=`, `++` or the like, in front of the place or behind it.
    sign: Span,
    operator: String,
    /// Behind the operand; `None`: it is 1.
    end: Option<usize>,
}

/// Whether an access reads and writes its place.
pub(super) fn is_updated(statement: &Statement, access: &Access) -> bool {
    statement.accesses.iter().filter(|other| other.place == access.place).count() > 1
}

impl Update {
    /// `None`: the statement is another one.
    pub(super) fn of(source: &str, statement: &Statement, access: &Access) -> Option<Update> {
        let place = access.place.span.clone();
        let before = tokens(source, &(statement.span.start..place.start));
        let behind = tokens(source, &(place.end..statement.span.end));
        let (end, behind) = behind.split_last().filter(|(end, _)| end.is(';'))?;
        if before.iter().chain(behind).any(|t| t.kind == Kind::Directive) {
            return None;
        }
        let text = |tokens: &[Token]| tokens.iter().map(|t| t.text).collect::<String>();
        let of = |sign: &[Token], operator: &str, end: Option<usize>| Update {
            place: place.clone(),
            sign: sign[0].at..sign[sign.len() - 1].span().end,
            operator: operator.to_string(),
            end,
        };
        match (text(&before).as_str(), text(behind).as_str()) {
            ("++", "") => return Some(of(&before, "+", None)),
            ("--", "") => return Some(of(&before, "-", None)),
            ("", "++") => return Some(of(behind, "+", None)),
            ("", "--") => return Some(of(behind, "-", None)),
            ("", _) => {}
            _ => return None,
        }
        let equals = behind.iter().position(|t| t.is('=')).filter(|at| (1..=2).contains(at))?;
        let operator = text(&behind[..equals]);
        let is_known = matches!(operator.as_str(), "+" | "-" | "*" | "/" | "%" | "&" | "|" | "^" | "<<" | ">>");
        let mut update = of(&behind[..=equals], &operator, Some(end.at));
        let operand = &source[update.sign.end..end.at];
        update.sign.end += operand.len() - operand.trim_start().len();
        is_known.then_some(update)
    }

    /// The same update from one place to another.
    pub(super) fn edits(&self, from: &str, to: &str) -> Vec<Edit> {
        let operand = if self.end.is_some() { "(" } else { "1" };
        let computed = format!(" = {from} {} {operand}", self.operator);
        let insert = |at: usize, text: String| Edit { span: at..at, text };
        let (mut edits, place) = (Vec::new(), self.place.clone());
        if self.sign.start < place.start {
            edits.push(Edit { span: self.sign.clone(), text: String::new() });
            edits.push(Edit { span: place, text: format!("{to}{computed}") });
        } else {
            edits.push(Edit { span: place.start..self.sign.end, text: format!("{to}{computed}") });
        }
        edits.extend(self.end.map(|end| insert(end, ")".to_string())));
        edits
    }
}
