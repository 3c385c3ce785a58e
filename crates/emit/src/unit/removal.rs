//! The text of a statement that goes.
//!
//! Between others it goes with its line, or with the gap beside it. The body of a loop, and what has a label, leaves `{ }`.

use super::edit::Edit;
use polyfold_c::code::{Kind, tokens};
use polyfold_c::source::Span;

/// Takes a statement of a scop away. All are bytes of the source.
pub fn removal(source: &str, scop: &Span, statement: &Span) -> Edit {
    if !stands_in_a_block(source, scop, statement) {
        return Edit { span: statement.clone(), text: "{ }".to_string() };
    }
    let span = own_lines(source, scop, statement).unwrap_or_else(|| with_a_gap(source, scop, statement));
    Edit { span, text: String::new() }
}

/// A statement that shares a line, with the gap to the one in front of it, or behind it if there is none.
fn with_a_gap(source: &str, scop: &Span, statement: &Span) -> Span {
    let is_gap = |c: char| c == ' ' || c == '\t';
    let before = &source[scop.start..statement.start];
    let start = scop.start + before.trim_end_matches(is_gap).len();
    if !source[..start].ends_with('\n') {
        return start..statement.end;
    }
    let behind = &source[statement.end..scop.end];
    statement.start..statement.end + behind.len() - behind.trim_start_matches(is_gap).len()
}

/// Whether a statement follows others, or begins a block: it is no loop's body, and has no label.
pub fn stands_in_a_block(source: &str, scop: &Span, statement: &Span) -> bool {
    let before = tokens(source, &(scop.start..statement.start));
    before.last().is_none_or(|t| t.kind != Kind::Directive && t.is_any(&['{', '}', ';']))
}

/// The lines of a statement that shares them with nothing.
fn own_lines(source: &str, scop: &Span, statement: &Span) -> Option<Span> {
    let start = source[scop.start..statement.start].rfind('\n').map_or(scop.start, |n| scop.start + n + 1);
    let end = source[statement.end..scop.end].find('\n').map(|n| statement.end + n + 1)?;
    let is_alone = [start..statement.start, statement.end..end].into_iter().all(|s| source[s].trim().is_empty());
    is_alone.then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_leaves_braces() {
        let text = "{\n  a;\n  b; c;\n  L: d;\n  for (;;)\n    e;\n}\n";
        let edit = |name: &str| {
            let at = text.find(name).unwrap();
            removal(text, &(0..text.len()), &(at..at + 2))
        };
        let nothing = |span| Edit { span, text: String::new() };
        assert_eq!(edit("a;"), nothing(2..7));
        assert_eq!([edit("b;"), edit("c;")], [nothing(9..12), nothing(11..14)], "the line has one more");
        for name in ["d;", "e;"] {
            assert_eq!(edit(name).text, "{ }", "{name}");
        }
    }
}
