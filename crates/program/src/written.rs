//! How a source writes a program.
//!
//! The idea: the text of a node is its own pieces around its parts. Who prints a program with a changed part fills
//! that part's place. Comments, layout, parentheses and macros around it stay byte for byte. Nothing here reads
//! the pieces.
//!
//! The parts of a node, in the order of the tree:
//!
//! | node | parts |
//! |---|---|
//! | a list of statements | the statements |
//! | a loop | its head, and its body, which is a list |
//! | a loop's head | its test, and how it steps |
//! | a condition of statements | the test, a list, and another list for `else` |
//! | an assignment | its place and its value |
//! | a cell | its subscripts |
//! | an operation | its operands |
//! | a choice | the test and both values |
//! | a comparison, `and`, `or` | both sides |
//! | `not` | what is negated |
//! | what data decide | those of the value |
//! | an integer, and anything else | none |
//!
//! Example: of `x[i] += f(i); // once` the assignment's pieces are its place, ` += `, its value and `;`. The value is
//! `x[i] + f(i)`, whose only piece is its second operand: the first one isn't written.
//!
//! Invariant: with all parts as they are, the pieces make the node's whole text, unless a macro makes a part of it. Then
//! they make its expansion.

use crate::{IntType, Level};
use std::ops::Range;

/// A node as the source writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// Its text in the file; in a macro's expansion if it isn't in the file as a whole.
    pub whole: String,
    /// The same around its parts.
    pub pieces: Vec<Piece>,
    /// Those that the tree has. Without any, the node is whole or not at all.
    pub parts: Vec<Written>,
    /// How tightly its outermost operator binds.
    pub level: Level,
    /// What C computes it in, if it is an integer.
    pub held: Option<IntType>,
    /// Whether any text with its value will do: it is made of sums, products and quotients in signed types.
    pub is_plain: bool,
}

/// A piece of a node's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Its own.
    Text(String),
    /// One of its parts.
    Part(usize),
}

impl Written {
    /// Whether the text has a place for a part.
    pub fn mentions(&self, part: usize) -> bool {
        self.pieces.contains(&Piece::Part(part))
    }

    /// The text with other parts, where there are any.
    pub fn filled(&self, parts: &[Option<String>]) -> String {
        match parts.iter().all(Option::is_none) {
            true => self.whole.clone(),
            false => self.pieces.iter().map(|piece| self.text(piece, parts)).collect(),
        }
    }

    /// The text of a piece, with other parts.
    pub fn text<'a>(&'a self, piece: &'a Piece, parts: &'a [Option<String>]) -> &'a str {
        match piece {
            Piece::Text(text) => text,
            Piece::Part(part) => parts
                .get(*part)
                .and_then(Option::as_deref)
                .unwrap_or_else(|| self.parts.get(*part).map_or("", |own| &own.whole)),
        }
    }

    /// The same with other text between its parts: bytes of the node's text, each with what takes their place. `None`: something
    /// isn't between parts, or a macro makes what is around it.
    pub fn with_texts(&self, edits: &[(Range<usize>, String)]) -> Option<Written> {
        self.replaced(edits, false)
    }

    /// The same for what has other parts: a node with all its parts as they are has its text as it is.
    pub fn with_texts_where_changed(&self, edits: &[(Range<usize>, String)]) -> Option<Written> {
        self.replaced(edits, true)
    }

    fn replaced(&self, edits: &[(Range<usize>, String)], keeps_wholes: bool) -> Option<Written> {
        let mut replacing = Replacing { edits, made: vec![false; edits.len()], keeps_wholes };
        let node = replacing.node(self, 0);
        replacing.made.iter().all(|made| *made).then_some(node)
    }
}

struct Replacing<'a> {
    edits: &'a [(Range<usize>, String)],
    made: Vec<bool>,
    keeps_wholes: bool,
}

impl Replacing<'_> {
    fn node(&mut self, own: &Written, begin: usize) -> Written {
        let is_all: String = own.pieces.iter().map(|piece| own.text(piece, &[])).collect();
        if is_all != own.whole {
            return own.clone();
        }
        let (mut at, mut node) = (begin, own.clone());
        for piece in &mut node.pieces {
            let length = own.text(piece, &[]).len();
            match piece {
                Piece::Part(k) => node.parts[*k] = self.node(&own.parts[*k], at),
                Piece::Text(text) => *text = self.text(text, at),
            }
            at += length;
        }
        if !self.keeps_wholes {
            node.whole = node.pieces.iter().map(|piece| node.text(piece, &[])).collect();
        }
        node
    }

    fn text(&mut self, text: &str, begin: usize) -> String {
        let end = begin + text.len();
        let is_here = |k: &usize| !self.made[*k] && begin <= self.edits[*k].0.start && self.edits[*k].0.end <= end;
        let mut here: Vec<usize> = (0..self.edits.len()).filter(is_here).collect();
        here.sort_by_key(|k| self.edits[*k].0.start);
        let (mut changed, mut at) = (String::new(), 0);
        for k in here {
            let (span, new) = &self.edits[k];
            let (start, end) = (span.start - begin, span.end - begin);
            // Two that go may both take the gap between them.
            let is_gap = new.is_empty() && text[start.min(at)..end.min(at)].trim().is_empty();
            if start < at && !is_gap {
                continue;
            }
            changed.push_str(&text[at..start.max(at)]);
            changed.push_str(new);
            at = at.max(end);
            self.made[k] = true;
        }
        changed + &text[at..]
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, Piece, Written};

    fn node(pieces: Vec<Piece>, parts: Vec<Written>, whole: &str) -> Written {
        Written { whole: whole.to_string(), pieces, parts, level: Level::Whole, held: None, is_plain: false }
    }

    #[test]
    fn text_between_parts_may_change() {
        let text = |text: &str| Piece::Text(text.to_string());
        let part = node(vec![text("x = 0;")], Vec::new(), "x = 0;");
        let list = node(vec![text("{ int t[9]; "), Piece::Part(0), text(" }")], vec![part], "{ int t[9]; x = 0; }");
        let with = |span: std::ops::Range<usize>, new: &str| list.with_texts(&[(span, new.to_string())]);
        let changed = with(2..11, "int t;").expect("it is between");
        assert_eq!(
            (changed.whole.as_str(), changed.filled(&[None])),
            ("{ int t; x = 0; }", "{ int t; x = 0; }".into())
        );
        let kept = list.with_texts_where_changed(&[(2..11, String::new())]).expect("it is between");
        assert_eq!((kept.filled(&[None]), kept.filled(&[Some("y;".into())])), (list.whole.clone(), "{  y; }".into()));
        assert_eq!(with(8..14, ""), None, "a part begins in it");
        let both = |second: &str| list.with_texts(&[(2..8, String::new()), (5..12, second.to_string())]);
        assert_eq!(both("int u;"), None, "they overlap");
        let blank = node(vec![text("int a;  int b;")], Vec::new(), "int a;  int b;");
        let both = blank.with_texts(&[(0..8, String::new()), (6..14, String::new())]);
        assert_eq!(both.expect("they share a gap").whole, "");
        let expanded = Written { whole: "LIST".to_string(), ..list.clone() };
        assert_eq!(expanded.with_texts(&[(2..11, String::new())]), None);
    }
}
