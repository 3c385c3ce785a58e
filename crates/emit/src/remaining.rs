//! The text of a list of which statements go.
//!
//! A statement with lines of its own takes them along. One that shares its line goes with the gap to the one in front of it, or
//! behind it if there is none.
//!
//! Example: of `a = 1; b = 2;` without the first statement `b = 2;` is left.

use crate::Unprintable;
use polyfold_c::written::begins_a_statement;
use polyfold_program::{Piece, Written};
use std::collections::BTreeSet;

const GAP: [char; 2] = [' ', '\t'];

/// The list's text with other parts, and without some.
///
/// # Errors
/// When a statement has a directive in it, or a pragma in front of it, or when a declaration keeps other variables.
pub(crate) fn remaining(
    written: &Written,
    parts: &[Option<String>],
    gone: &BTreeSet<usize>,
) -> Result<String, Unprintable> {
    let mut text = String::new();
    let mut pieces = written.pieces.iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Part(k) if !gone.contains(k) => text.push_str(written.text(piece, parts)),
            Piece::Text(own) => text.push_str(own),
            Piece::Part(k) if has_directive(&written.parts[*k].whole) || ends_in_a_pragma(&text) => {
                return Err(Unprintable::Order);
            }
            Piece::Part(_) if text.trim_end().ends_with(',') => return Err(Unprintable::Declaration),
            // Behind a label, or a head.
            Piece::Part(_) if !begins_a_statement(&text) => text.push_str("{ }"),
            Piece::Part(_) => {
                // Other variables of the same declaration.
                let is_next = |next: &&Piece| matches!(next, Piece::Text(text) if text.trim() == ",");
                while pieces.next_if(is_next).is_some() {
                    let is_gone = |next: &&Piece| matches!(next, Piece::Part(k) if gone.contains(k));
                    pieces.next_if(is_gone).ok_or(Unprintable::Declaration)?;
                }
                let behind = match pieces.next_if(|next| matches!(next, Piece::Text(_))) {
                    Some(Piece::Text(behind)) => behind,
                    _ => "",
                };
                text = joined(text, behind);
            }
        }
    }
    Ok(text)
}

/// The texts in front of what goes and behind it.
fn joined(mut before: String, behind: &str) -> String {
    let begins = before.rfind('\n').map_or(0, |at| at + 1);
    let ends = behind.find('\n').map(|at| at + 1);
    if let (true, Some(ends)) = (before[begins..].trim().is_empty(), ends.filter(|at| behind[..*at].trim().is_empty()))
    {
        before.truncate(begins);
        return before + &behind[ends..];
    }
    let shared = before.trim_end_matches(GAP).len();
    if before[..shared].ends_with('\n') {
        return before + behind.trim_start_matches(GAP);
    }
    before.truncate(shared);
    before + behind
}

/// Whether a pragma is about what comes next.
pub(crate) fn ends_in_a_pragma(text: &str) -> bool {
    let last = text.trim_end().lines().next_back().unwrap_or_default();
    last.trim_start().strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("pragma"))
}

fn has_directive(text: &str) -> bool {
    text.lines().any(|line| line.trim_start().starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::remaining;
    use polyfold_program::{Level, Piece, Written};
    use std::collections::BTreeSet;

    /// A list of the statements between bars.
    fn list(text: &str) -> Written {
        let mut list = Written {
            whole: text.replace('|', ""),
            pieces: vec![],
            parts: vec![],
            level: Level::Whole,
            held: None,
            is_plain: false,
        };
        for (k, text) in text.split('|').enumerate() {
            if k % 2 == 0 {
                list.pieces.push(Piece::Text(text.to_string()));
            } else {
                list.pieces.push(Piece::Part(list.parts.len()));
                let own = Piece::Text(text.to_string());
                list.parts.push(Written {
                    whole: text.to_string(),
                    pieces: vec![own],
                    parts: vec![],
                    level: Level::Whole,
                    held: None,
                    is_plain: false,
                });
            }
        }
        list
    }

    fn without(text: &str, gone: usize) -> Option<String> {
        let list = list(text);
        let parts = vec![None; list.parts.len()];
        remaining(&list, &parts, &BTreeSet::from([gone])).ok()
    }

    #[test]
    fn a_statement_goes_with_its_line_or_its_gap() {
        assert_eq!(without("{\n  |a;|\n  |b;|\n}", 0).as_deref(), Some("{\n  b;\n}"));
        assert_eq!(without("{\n  |a;| |b;|\n}", 0).as_deref(), Some("{\n  b;\n}"));
        assert_eq!(without("{\n  |a;| |b;|\n}", 1).as_deref(), Some("{\n  a;\n}"));
        assert_eq!(without("{ |a;| /* of a */\n|b;| }", 0).as_deref(), Some("{ /* of a */\nb; }"));
    }

    #[test]
    fn what_has_a_label_or_is_a_body_leaves_braces() {
        assert_eq!(without("{ |a;| L: |b;| }", 1).as_deref(), Some("{ a; L: { } }"));
        assert_eq!(without("|a;|", 0).as_deref(), Some(""));
    }
}
