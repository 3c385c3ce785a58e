//! Statements of a loop in blocks of their own, so that each block can move as one piece.
//!
//! ```text
//! for (…) {                            for (…) {
//!   float p = x[i];                      {
//!   t[i] = p * p;                          float p = x[i];
//!   y[i] = t[i - 1] + t[i];                t[i] = p * p;
//! }                                      }
//!                                        y[i] = t[i - 1] + t[i];
//!                                      }
//! ```
//!
//! Groups that declare nothing stay without, and so does one whose variables a later group uses.

use super::pieces::holds;
use crate::edit::{Edit, Edits};
use crate::home::words;
use crate::indent::{deeper, indent_at, step_of};
use crate::tokens::tokens;
use polyfold_scop::{Loop, Node, Scop, Span, StatementId};

/// The text with groups of statements, which stand one behind the other in the bodies of loops, in blocks; `None`: none needs one.
pub fn in_blocks(source: &str, scop: &Scop, loops: &[Vec<Vec<StatementId>>]) -> Option<String> {
    let mut edits = Edits::new();
    for groups in loops {
        let Some(body) = body_around(&scop.body, &groups.concat()) else { continue };
        let Some(spans) = spans(source, scop, body, groups) else { continue };
        for (k, span) in spans.iter().enumerate() {
            let later = spans.get(k + 1..).unwrap_or(&[]);
            if declares_its_own(source, scop, span, later) {
                let indent = indent_at(source, span.start);
                let lines = deeper(&format!("{indent}{}", &source[span.clone()]), &step_of(source, &scop.span));
                edits.push(Edit { span: span.clone(), text: format!("{{\n{lines}\n{indent}}}") });
            }
        }
    }
    (!edits.is_empty()).then(|| edits.apply(source))
}

/// The innermost loop that holds the statements, if it holds more than these.
fn body_around<'a>(nodes: &'a [Node], own: &[StatementId]) -> Option<&'a Loop> {
    let inside = nodes.iter().find(|node| own.iter().all(|id| node.holds(*id)))?;
    match inside {
        Node::Loop(l) => body_around(&l.body, own).or(Some(l)),
        Node::Guard(g) => body_around(&g.then, own).or_else(|| body_around(&g.otherwise, own)),
        Node::Statement(_) => None,
    }
}

/// Where groups stand, with the declarations in front of their statements; `None`: something in the body is in two of them, or in none.
fn spans(source: &str, scop: &Scop, l: &Loop, groups: &[Vec<StatementId>]) -> Option<Vec<Span>> {
    let body = tokens(source, &l.span).into_iter().find(|token| token.is('{'))?;
    let mut spans: Vec<Span> = Vec::new();
    let (mut at, mut nodes) = (body.at + 1, l.body.iter().peekable());
    for group in groups {
        let mut end = at;
        while let Some(node) = nodes.next_if(|node| group.iter().any(|id| node.holds(*id))) {
            let is_another = |id: &StatementId| node.holds(*id) && !group.contains(id);
            if (0..scop.statements.len()).map(StatementId).any(|id| is_another(&id)) {
                return None;
            }
            end = scop.span_of(node).end;
        }
        let start = tokens(source, &(at..end)).first()?.at;
        spans.push(start..end);
        at = end;
    }
    nodes.next().is_none().then_some(spans)
}

/// Whether a part declares variables that none of the later parts mentions.
fn declares_its_own(source: &str, scop: &Scop, span: &Span, later: &[Span]) -> bool {
    let declared = scop
        .arrays
        .iter()
        .filter(|array| array.declaration.as_ref().is_some_and(|d| d.inside_scop && holds(span, &d.statement)));
    let mut names = declared.map(|array| array.name.as_str()).peekable();
    let is_mentioned = |name: &str| later.iter().any(|part| words(&source[part.clone()]).any(|(_, word)| word == name));
    names.peek().is_some() && !names.any(is_mentioned)
}
