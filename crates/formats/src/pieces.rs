//! Which parts of a scop become one statement of a problem.
//!
//! A statement of a problem has a text of its own, which may stand in any loops. What cannot be taken apart like that stays in one piece:
//!
//! ```text
//! if (a[i] > 0)            data decides: the whole `if` is one statement
//!   b[i] = a[i];
//! for (…) { int t = …; … } what uses t has to stand behind its declaration: the whole loop is one statement
//! ```

use polyfold_c::lex::{TokenKind, tokens};
use polyfold_codegen::Obstacle;
use polyfold_scop::{LoopId, Node, Scop, Span, StatementId, StatementKind};

/// A part of a scop with a text of its own.
pub(crate) struct Piece {
    /// In the order of the text; the first one gives it its name.
    pub(crate) statements: Vec<StatementId>,
    /// Bytes of the file.
    pub(crate) span: Span,
    /// Loops around it.
    pub(crate) loops: Vec<LoopId>,
}

/// The pieces of a scop, in the order of its text.
///
/// # Errors
/// What cannot be part of any.
pub(crate) fn pieces(source: &str, scop: &Scop) -> Result<Vec<Piece>, Obstacle> {
    let whole = wholes(source, scop)?;
    let loops = scop.loops();
    let mut pieces: Vec<Piece> = Vec::new();
    for (k, statement) in scop.statements.iter().enumerate() {
        let around = whole.iter().filter(|span| holds(span, &statement.span)).min_by_key(|span| span.start);
        if around.is_none() && matches!(statement.kind, StatementKind::Condition | StatementKind::Declaration) {
            let what = "a condition or declaration that belongs to no statement".to_string();
            return Err(Obstacle { what, span: statement.span.clone(), help: "write it into a statement" });
        }
        let span = around.unwrap_or(&statement.span).clone();
        match pieces.last_mut() {
            Some(last) if last.span == span => last.statements.push(StatementId(k)),
            _ => {
                let is_outside = |id: &&LoopId| !loops.iter().any(|l| l.id == **id && holds(&span, &l.span));
                let loops = statement.loops.iter().filter(is_outside).copied().collect();
                pieces.push(Piece { statements: vec![StatementId(k)], span, loops });
            }
        }
    }
    Ok(pieces)
}

fn holds(outer: &Span, inner: &Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The parts that cannot be taken apart.
fn wholes(source: &str, scop: &Scop) -> Result<Vec<Span>, Obstacle> {
    let mut found = Vec::new();
    on_data(&scop.body, &mut found);
    for at in declarations(source, &scop.span) {
        let loops = scop.loops();
        let around = loops.iter().filter(|l| l.span.contains(&at)).min_by_key(|l| l.span.end - l.span.start);
        found.push(around.map(|l| l.span.clone()).ok_or_else(|| Obstacle {
            what: "a declaration between the pragmas".to_string(),
            span: at..at + 1,
            help: "declare it in front of the scop",
        })?);
    }
    Ok(found)
}

fn on_data(nodes: &[Node], found: &mut Vec<Span>) {
    for node in nodes {
        match node {
            Node::Guard(g) if g.condition.depends_on_data() => found.push(g.span.clone()),
            Node::Guard(g) => {
                on_data(&g.then, found);
                on_data(&g.otherwise, found);
            }
            Node::Loop(l) => on_data(&l.body, found),
            Node::Statement(_) => {}
        }
    }
}

/// Where declarations begin: two words in a row, outside of parentheses.
fn declarations(source: &str, part: &Span) -> Vec<usize> {
    let text = &source[part.clone()];
    let (mut depth, mut before, mut found) = (0, None, Vec::new());
    let mut is_directive = false;
    for token in tokens(text) {
        let word = &text[token.span.clone()];
        match token.kind {
            TokenKind::Space => continue,
            TokenKind::Newline => {
                is_directive = false;
                continue;
            }
            _ if is_directive => continue,
            TokenKind::Mark if word.starts_with('#') => is_directive = true,
            TokenKind::Mark => depth += i32::from(word == "(") - i32::from(word == ")"),
            _ => {}
        }
        let is_word = token.kind == TokenKind::Word;
        if let Some(start) = before.filter(|_| is_word && depth == 0) {
            found.push(part.start + start);
        }
        let is_type = is_word && !["else", "return", "goto", "case", "do", "sizeof"].contains(&word);
        before = is_type.then_some(token.span.start);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::declarations;

    #[test]
    fn declarations_are_two_words_in_a_row() {
        let text =
            "if (a) b = c; else d = 1; for (int i = 0;;) { unsigned k = 0; x = (unsigned) y; }\n#pragma omp simd\nz;";
        let found: Vec<&str> = declarations(text, &(0..text.len())).iter().map(|at| &text[*at..*at + 8]).collect();
        assert_eq!(found, ["unsigned"]);
    }
}
