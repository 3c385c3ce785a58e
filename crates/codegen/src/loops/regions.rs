//! Parts of a scop whose statements belong together: what data decides, and blocks with declarations.

use super::pieces::holds;
use polyfold_c::code::{Kind, Token, tokens};
use polyfold_scop::{Node, Scop, Span};

/// Parts that may not be taken apart without a reason.
pub(super) struct Regions {
    /// An `if` on data from its first to its last byte, and blocks that declare something, with their braces.
    pub(super) parts: Vec<Span>,
    /// Declarations between the pragmas.
    pub(super) declarations: Vec<Span>,
}

impl Regions {
    pub(super) fn of(source: &str, scop: &Scop) -> Regions {
        let all = tokens(source, &scop.span);
        let all: Vec<Token> = all.into_iter().filter(|token| token.kind != Kind::Directive).collect();
        let mut declarations = declarations(&all);
        let known = scop.arrays.iter().filter_map(|array| array.declaration.as_ref()).filter(|d| d.inside_scop);
        for statement in known.map(|declaration| &declaration.statement) {
            if !declarations.iter().any(|at| holds(at, statement) || holds(statement, at)) {
                declarations.push(statement.clone());
            }
        }
        let blocks = blocks(&all);
        let around = |at: &Span| blocks.iter().filter(|block| holds(block, at)).max_by_key(|block| block.start);
        let mut parts: Vec<Span> = declarations.iter().filter_map(|at| around(at).cloned()).collect();
        parts.dedup();
        on_data(&scop.body, &mut parts);
        Regions { parts, declarations }
    }
}

fn on_data(nodes: &[Node], found: &mut Vec<Span>) {
    for node in nodes {
        match node {
            Node::Guard(g) => {
                found.extend(g.condition.depends_on_data().then(|| g.span.clone()));
                on_data(&g.then, found);
                on_data(&g.otherwise, found);
            }
            Node::Loop(l) => on_data(&l.body, found),
            Node::Statement(_) => {}
        }
    }
}

/// Pairs of braces.
fn blocks(all: &[Token]) -> Vec<Span> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for token in all {
        match token.kind {
            Kind::Sign('{') => open.push(token.at),
            Kind::Sign('}') => found.extend(open.pop().map(|start| start..token.at + 1)),
            _ => {}
        }
    }
    found
}

/// Words that are followed by a word where nothing is declared.
const NO_TYPES: [&str; 6] = ["else", "return", "goto", "case", "do", "sizeof"];

/// Declarations, from their first word to the semicolon: two words in a row outside of parentheses.
fn declarations(all: &[Token]) -> Vec<Span> {
    let (mut depth, mut found) = (0, Vec::<Span>::new());
    for (at, token) in all.iter().enumerate() {
        depth += i32::from(token.is('(')) - i32::from(token.is(')'));
        let is_type = token.kind == Kind::Word && !NO_TYPES.contains(&token.text);
        let is_pair = is_type && all.get(at + 1).is_some_and(|next| next.kind == Kind::Word);
        if depth == 0 && is_pair && found.last().is_none_or(|last| last.end <= token.at) {
            let end = all[at..].iter().find(|token| token.is(';')).map_or(token.span().end, |token| token.at + 1);
            found.push(token.at..end);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{blocks, declarations};
    use polyfold_c::code::tokens;

    #[test]
    fn declarations_and_the_blocks_around_them_are_found() {
        let text = "if (a) b = c; else d = 1; for (int i = 0;;) { const int k = 0, l; x = (unsigned) y; } { z; }";
        let all = tokens(text, &(0..text.len()));
        let found: Vec<&str> = declarations(&all).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["const int k = 0, l;"]);
        let found: Vec<&str> = blocks(&all).into_iter().map(|at| &text[at]).collect();
        assert_eq!(found, ["{ const int k = 0, l; x = (unsigned) y; }", "{ z; }"]);
    }
}
