//! Statements that go: those whose results nobody reads, and those that a mapping turns into `y = y;`.
//!
//! `y[i][k] = y[i][k - 1];` does nothing where the two cells share storage, and compilers warn of `y = y;`. Nor does
//! `out[i] = t[i];` where t lives in out.
//!
//! Loops that have nothing left to do go with them, and so do conditions, and branches behind `else`. What stands between other
//! statements goes with its line, or with the gap beside it; what is the body of a loop or has a label leaves `{ }`.

use crate::Decisions;
use crate::edit::{Edit, Edits};
use crate::tokens::{Kind, Token, tokens, unwrapped};
use polyfold_scop::{Guard, Loop, Node, Scop, Span, Statement, StatementId, StatementKind};

/// Statements that, as changed by `region`, assign a cell to itself and do nothing else.
pub(crate) fn copies_to_themselves(source: &str, decisions: &Decisions, region: &Edits) -> Vec<StatementId> {
    let is_mapped = |id| {
        decisions.mapped.iter().any(|m| m.array() == id) || decisions.values.iter().any(|values| values.array() == id)
    };
    let ids = (0..decisions.scop.statements.len()).map(StatementId).filter(|id| !decisions.dead.contains(id));
    ids.filter(|id| {
        let statement = decisions.scop.statement(*id);
        statement.kind == StatementKind::Assignment
            && statement.accesses.iter().any(|a| is_mapped(a.array))
            && assigns_to_itself(&region.apply_within(source, &statement.span))
    })
    .collect()
}

/// Whether a statement's text is nothing but `y = x;`, for the two references that it has.
pub fn is_plain_copy(source: &str, statement: &Statement) -> bool {
    let [a, b] = &statement.accesses[..] else { return false };
    let (write, read) = if a.is_write() { (&a.place, &b.place) } else { (&b.place, &a.place) };
    let (between, after) = (write.span.end..read.span.start, read.span.end..statement.span.end);
    let only = |span: Span, signs: &[char]| {
        source.get(span).is_some_and(|text| text.chars().all(|c| c.is_whitespace() || signs.contains(&c)))
    };
    let is_in_file = write.fragment.is_none() && read.fragment.is_none();
    is_in_file && only(between, &['=', '(']) && only(after, &[')', ';'])
}

/// `y = y;`, parentheses aside, and what only says that a sum is one of `long`s.
pub(crate) fn assigns_to_itself(statement: &str) -> bool {
    let tokens = tokens(statement, &(0..statement.len()));
    let [inner @ .., end] = &tokens[..] else { return false };
    let Some(equals) = first_assignment(inner) else { return false };
    let (left, right) = (&inner[..equals], &inner[equals + 1..]);
    let is_compound = left.last().is_none_or(|t| t.is_any(&['+', '-', '*', '/', '%', '&', '|', '^', '<', '>', '!']));
    let reduced = |side| with_least_constants(without_widening(side));
    end.is(';') && !is_compound && reduced(left) == reduced(right)
}

/// With `+ 1` for `- 1` or `+ 3` in `[(i - 1) % 2]`: a subscript that is a remainder is not negative, so that these are one.
fn with_least_constants(side: Vec<&str>) -> Vec<String> {
    let mut reduced: Vec<String> = Vec::new();
    for (k, text) in side.iter().enumerate() {
        if let [")", "%", modulus, "]", ..] = side[k..]
            && let Some(modulus) = decimal(modulus).filter(|modulus| *modulus > 0)
            && let Some(constant) = last_constant(&reduced)
        {
            reduced.truncate(reduced.len() - if constant == 0 { 0 } else { 2 });
            match constant.rem_euclid(modulus) {
                0 => {}
                least => reduced.extend(["+".to_string(), least.to_string()]),
            }
        }
        reduced.push(text.to_string());
    }
    reduced
}

/// The number that ends the sum in parentheses that a subscript begins with, 0 if it ends otherwise; `None`: it is no such sum.
fn last_constant(texts: &[String]) -> Option<i64> {
    let mut depth = 0;
    let open = texts.iter().rposition(|text| {
        depth += i32::from(text == "(") - i32::from(text == ")");
        depth > 0
    })?;
    let sum = texts[..open].last().filter(|before| *before == "[").map(|_| &texts[open + 1..])?;
    let is_word = |text: &String| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !sum.iter().all(|text| is_word(text) || "+-*()".contains(text.as_str())) {
        return None;
    }
    let [.., term, sign, number] = sum else { return Some(0) };
    let number = decimal(number).filter(|number| *number > 0 && !"+-*(".contains(term.as_str()));
    Some(match (sign.as_str(), number) {
        ("+", Some(number)) => number,
        ("-", Some(number)) => -number,
        _ => 0,
    })
}

/// A number without a suffix that is not octal.
fn decimal(text: &str) -> Option<i64> {
    text.parse().ok().filter(|_| text == "0" || text.starts_with(|c: char| ('1'..='9').contains(&c)))
}

/// The words and signs of one side, but for `(long)` in subscripts. (In front of a value it would cut off what is behind the point.)
fn without_widening<'t>(side: &'t [Token]) -> Vec<&'t str> {
    let (mut texts, mut depth): (Vec<&str>, i32) = (Vec::new(), 0);
    for token in unwrapped(side) {
        depth += i32::from(token.is('[')) - i32::from(token.is(']'));
        texts.push(token.text);
        if depth > 0 && texts.ends_with(&["(", "long", ")"]) {
            texts.truncate(texts.len() - 3);
        }
    }
    texts
}

/// The place of the first `=` outside of brackets.
fn first_assignment(tokens: &[Token]) -> Option<usize> {
    let mut depth = 0;
    tokens.iter().position(|t| {
        depth += i32::from(t.is_any(&['(', '['])) - i32::from(t.is_any(&[')', ']']));
        depth == 0 && t.is('=')
    })
}

/// What goes with the statements that go: each, or the outermost loop that they leave empty.
pub(crate) fn emptied(source: &str, nodes: &[Node], scop: &Scop, gone: &[StatementId]) -> Vec<Span> {
    let mut spans = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Statement(_) if is_condition(scop, node) => {}
            Node::Statement(id) if gone.contains(id) => spans.push(scop.statement(*id).span.clone()),
            Node::Statement(_) => {}
            Node::Loop(l) if holds_only(&l.body, gone) && may_go(source, scop, l) => spans.push(l.span.clone()),
            Node::Loop(l) => spans.extend(emptied(source, &l.body, scop, gone)),
            Node::Guard(g)
                if may_vanish(source, g, gone) && condition_of(scop, nodes, at).is_none_or(|id| gone.contains(&id)) =>
            {
                spans.push(g.span.clone());
            }
            Node::Guard(g) => {
                let (then, otherwise) =
                    (emptied(source, &g.then, scop, gone), emptied(source, &g.otherwise, scop, gone));
                let all: Vec<Span> = g
                    .otherwise
                    .iter()
                    .filter(|node| !is_condition(scop, node))
                    .map(|node| scop.span_of(node))
                    .collect();
                let is_emptied = otherwise == all && !holds_only(&g.then, gone);
                let branch = behind_else(source, scop, g).filter(|_| is_emptied);
                spans.extend(then);
                spans.extend(branch.map_or(otherwise, |branch| vec![branch]));
            }
        }
    }
    spans
}

/// The statement that reads what the condition of the node at a place asks about.
fn condition_of(scop: &Scop, nodes: &[Node], at: usize) -> Option<StatementId> {
    match nodes.get(at.checked_sub(1)?)? {
        before @ Node::Statement(id) if is_condition(scop, before) => Some(*id),
        _ => None,
    }
}

fn is_condition(scop: &Scop, node: &Node) -> bool {
    matches!(node, Node::Statement(id) if scop.statement(*id).kind == StatementKind::Condition)
}

/// The statements that only read what conditions ask about of which no branch is left.
pub(crate) fn idle_conditions(source: &str, scop: &Scop, nodes: &[Node], gone: &[StatementId]) -> Vec<StatementId> {
    let mut found = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        match node {
            Node::Statement(_) => {}
            Node::Loop(l) => found.extend(idle_conditions(source, scop, &l.body, gone)),
            Node::Guard(g) if may_vanish(source, g, gone) => found.extend(condition_of(scop, nodes, at)),
            Node::Guard(g) => {
                found.extend(idle_conditions(source, scop, &g.then, gone));
                found.extend(idle_conditions(source, scop, &g.otherwise, gone));
            }
        }
    }
    found.retain(|id| !gone.contains(id));
    found
}

/// From `else` on, if nothing else stands in that branch, no directive either, and no other `else` behind it, which would be this
/// condition's then, or in front of it, behind an `if` without braces, which compilers would warn of.
fn behind_else(source: &str, scop: &Scop, guard: &Guard) -> Option<Span> {
    let first = guard.otherwise.iter().find(|node| !is_condition(scop, node))?;
    let (first, last) = (scop.span_of(first), scop.span_of(guard.otherwise.last()?));
    let before = tokens(source, &(guard.span.start..first.start));
    let word = before.iter().rev().find(|t| !t.is('{')).filter(|t| t.text == "else")?;
    let is_closed = tokens(source, &(last.end..guard.span.end)).iter().all(|t| t.is('}'));
    let has_directive = tokens(source, &(word.at..guard.span.end)).iter().any(|t| t.kind == Kind::Directive);
    let is_last = tokens(source, &(guard.span.end..scop.span.end)).first().is_none_or(|t| t.text != "else");
    let has_bare_if = branch_of(&before).is_some_and(|t| t.text == "if");
    (is_closed && is_last && !has_directive && !has_bare_if).then_some(word.at..guard.span.end)
}

/// What stands behind the condition of an `if` that begins some tokens.
fn branch_of<'a, 't>(tokens: &'a [Token<'t>]) -> Option<&'a Token<'t>> {
    let mut depth = 0;
    let closing = tokens.iter().position(|t| {
        depth += i32::from(t.is('(')) - i32::from(t.is(')'));
        t.is(')') && depth == 0
    })?;
    tokens.get(closing + 1)
}

fn holds_only(nodes: &[Node], gone: &[StatementId]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Statement(id) => gone.contains(id),
        Node::Loop(l) => holds_only(&l.body, gone),
        Node::Guard(g) => !g.reads_beyond && holds_only(&g.then, gone) && holds_only(&g.otherwise, gone),
    })
}

/// Whether nobody misses a condition: its branches do nothing any more, and have no label and no pragma in them.
fn may_vanish(source: &str, guard: &Guard, gone: &[StatementId]) -> bool {
    let does_nothing = holds_only(&guard.then, gone) && holds_only(&guard.otherwise, gone);
    does_nothing && !guard.reads_beyond && {
        let inside = tokens(source, &guard.span);
        !has_label(&inside) && inside.iter().all(|t| t.kind != Kind::Directive)
    }
}

/// Whether a word stands in front of a `:` and behind the end of a statement, as in no choice `a ? b : c` without a cast.
fn has_label(tokens: &[Token]) -> bool {
    let ends = |t: &Token| t.is_any(&['{', '}', ';', ')', ':']) || t.text == "else";
    (1..tokens.len()).any(|at| {
        tokens[at].is(':')
            && tokens[at - 1].kind == Kind::Word
            && at.checked_sub(2).is_none_or(|before| ends(&tokens[before]))
    })
}

/// Whether nobody misses a loop without a body: its counter is its own, and no pragma is about it.
fn may_go(source: &str, scop: &Scop, l: &Loop) -> bool {
    let inside = tokens(source, &l.span);
    let before = tokens(source, &(scop.span.start..l.span.start));
    let head: Vec<&Token> = inside.iter().skip(2).take_while(|t| !t.is('=')).collect();
    let declares = head.len() >= 2 && head.iter().all(|t| t.kind == Kind::Word);
    let is_directive = |t: &Token| t.kind == Kind::Directive;
    let has_lead = before.is_empty() && scop.lead.is_some();
    declares && !has_lead && !before.last().is_some_and(is_directive) && !inside.iter().any(is_directive)
}

/// Takes a statement away.
pub(crate) fn removal(source: &str, scop: &Span, statement: &Span) -> Edit {
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
pub(crate) fn stands_in_a_block(source: &str, scop: &Span, statement: &Span) -> bool {
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
    fn copies_of_a_cell_to_itself() {
        for text in [
            "y = y;",
            "y[0] = (y [0]);",
            "(y) = ((y));",
            "y[(k + 1) % 2] = y[(k + 1) % 2];",
            "y[(long)k - i] = y[k - i];",
            "y[(k - 1) % 2] = y[(k + 3) % 2];",
            "y[((long)n - t) % 4][i] = y[(n - (long)t + 4) % 4][i];",
        ] {
            assert!(assigns_to_itself(text), "{text}");
        }
        for text in ["y = -y;", "y += y;", "y = y + y;", "y = x = y;", "y <<= y;", "y = (y) + (y);", "y == y;", ";"] {
            assert!(!assigns_to_itself(text), "{text}");
        }
        for text in [
            "y[(k - 1) % 3] = y[(k + 1) % 3];",
            "y[f(k - 1) % 2] = y[f(k + 1) % 2];",
            "y[(k < i - 1) % 2] = y[(k < i + 1) % 2];",
            "y[(i * -1) % 2] = y[(i * +1) % 2];",
            "y = (k - 1) % 2 == (k + 1) % 2;",
            "y[1 + (k - 1) % 2] = y[1 + (k + 1) % 2];",
            "y[(k - 1) % 2 + 1] = y[(k + 1) % 2 + 1];",
            "y[(k + 010) % 3] = y[(k + 1) % 3];",
            "y[(k + 9) % 010] = y[(k - 1) % 010];",
        ] {
            assert!(!assigns_to_itself(text), "{text}");
        }
        assert!(!assigns_to_itself("y[k] = (long)y[k];"), "it may have been 0.5");
    }

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
