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

/// What takes the place of some bytes of a node's text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherText {
    /// These bytes.
    pub bytes: Range<usize>,
    /// The new text.
    pub text: String,
    /// A node with all its parts as they are keeps its text.
    pub where_changed: bool,
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

    /// The same with other texts between its parts. `None`: something isn't between parts, or a macro makes what is around it.
    pub fn with_texts(&self, texts: &[OtherText]) -> Option<Written> {
        let mut replacing = Replacing { texts, made: vec![false; texts.len()] };
        let node = replacing.node(self, 0);
        replacing.made.iter().all(|made| *made).then_some(node)
    }

    /// The same with another text for each piece. `of` gets a piece and where it begins in the node's text, `None` in what a macro makes.
    pub fn with_pieces(&self, of: &dyn Fn(Option<usize>, &str) -> String) -> Written {
        self.with_pieces_from(Some(0), of)
    }

    fn with_pieces_from(&self, begin: Option<usize>, of: &dyn Fn(Option<usize>, &str) -> String) -> Written {
        let is_all = self.is_all_pieces();
        let (mut at, mut node) = (begin.filter(|_| is_all), self.clone());
        for piece in &mut node.pieces {
            let length = self.text(piece, &[]).len();
            match piece {
                Piece::Part(k) => node.parts[*k] = self.parts[*k].with_pieces_from(at, of),
                Piece::Text(text) => *text = of(at, text),
            }
            at = at.map(|at| at + length);
        }
        node.whole = if is_all { node.pieced() } else { of(begin, &self.whole) };
        node
    }

    /// The text of all pieces, with the parts as they are.
    pub fn pieced(&self) -> String {
        self.pieces.iter().map(|piece| self.text(piece, &[])).collect()
    }

    /// Whether that is the node's text: else a macro makes what is around the parts.
    pub fn is_all_pieces(&self) -> bool {
        self.pieced() == self.whole
    }
}

struct Replacing<'a> {
    texts: &'a [OtherText],
    made: Vec<bool>,
}

impl Replacing<'_> {
    fn node(&mut self, own: &Written, begin: usize) -> Written {
        if !own.is_all_pieces() {
            return own.clone();
        }
        let (mut at, mut node) = (begin, own.clone());
        node.whole.clear();
        for piece in &mut node.pieces {
            let length = own.text(piece, &[]).len();
            match piece {
                Piece::Part(k) => {
                    node.parts[*k] = self.node(&own.parts[*k], at);
                    node.whole.push_str(&node.parts[*k].whole);
                }
                Piece::Text(text) => {
                    node.whole.push_str(&self.text(text, at, false));
                    *text = self.text(text, at, true);
                }
            }
            at += length;
        }
        node
    }

    /// `is_changed`: something else is changed in the node.
    fn text(&mut self, text: &str, begin: usize, is_changed: bool) -> String {
        let end = begin + text.len();
        let is_here = |own: &OtherText| begin <= own.bytes.start && own.bytes.end <= end;
        let is_due = |k: &usize| is_here(&self.texts[*k]) && (is_changed || !self.texts[*k].where_changed);
        let mut here: Vec<usize> = (0..self.texts.len()).filter(|k| !self.made[*k] && is_due(k)).collect();
        here.sort_by_key(|k| self.texts[*k].bytes.start);
        let (mut changed, mut at) = (String::new(), 0);
        for k in here {
            let OtherText { bytes, text: new, .. } = &self.texts[k];
            let (start, end) = (bytes.start - begin, bytes.end - begin);
            // Two that go may both take the gap between them.
            let is_gap = new.is_empty() && text[start.min(at)..end.min(at)].trim().is_empty();
            if start < at && !is_gap {
                continue;
            }
            changed.push_str(&text[at..start.max(at)]);
            changed.push_str(new);
            at = at.max(end);
            self.made[k] |= is_changed;
        }
        changed + &text[at..]
    }
}

#[cfg(test)]
mod tests {
    use super::{Level, OtherText, Piece, Written};

    fn node(pieces: Vec<Piece>, parts: Vec<Written>, whole: &str) -> Written {
        Written { whole: whole.to_string(), pieces, parts, level: Level::Whole, held: None, is_plain: false }
    }

    #[test]
    fn text_between_parts_may_change() {
        let text = |text: &str| Piece::Text(text.to_string());
        let part = node(vec![text("x = 0;")], Vec::new(), "x = 0;");
        let list = node(vec![text("{ int t[9]; "), Piece::Part(0), text(" }")], vec![part], "{ int t[9]; x = 0; }");
        let other = |bytes: std::ops::Range<usize>, text: &str| OtherText {
            bytes,
            text: text.to_string(),
            where_changed: false,
        };
        let with = |bytes, new: &str| list.with_texts(&[other(bytes, new)]);
        let changed = with(2..11, "int t;").expect("it is between");
        assert_eq!(
            (changed.whole.as_str(), changed.filled(&[None])),
            ("{ int t; x = 0; }", "{ int t; x = 0; }".into())
        );
        let gone = OtherText { where_changed: true, ..other(2..11, "") };
        let kept = list.with_texts(std::slice::from_ref(&gone)).expect("it is between");
        assert_eq!((kept.filled(&[None]), kept.filled(&[Some("y;".into())])), (list.whole.clone(), "{  y; }".into()));
        let both = list.with_texts(&[other(18..20, " L: }"), gone]).expect("they are between");
        let texts = (both.filled(&[None]), both.filled(&[Some("y;".into())]));
        assert_eq!(texts, ("{ int t[9]; x = 0; L: }".into(), "{  y; L: }".into()));
        assert_eq!(with(8..14, ""), None, "a part begins in it");
        let both = |second: &str| list.with_texts(&[other(2..8, ""), other(5..12, second)]);
        assert_eq!(both("int u;"), None, "they overlap");
        let blank = node(vec![text("int a;  int b;")], Vec::new(), "int a;  int b;");
        let both = blank.with_texts(&[other(0..8, ""), other(6..14, "")]);
        assert_eq!(both.expect("they share a gap").whole, "");
        let expanded = Written { whole: "LIST".to_string(), ..list.clone() };
        assert_eq!(expanded.with_texts(&[other(2..11, "")]), None);
    }

    #[test]
    fn pieces_know_their_places_but_for_those_of_macros() {
        let text = |text: &str| Piece::Text(text.to_string());
        let of_macro = node(vec![text("(x * 2)")], Vec::new(), "TWICE");
        let list = node(vec![text("{ y = "), Piece::Part(0), text("; }")], vec![of_macro], "{ y = TWICE; }");
        let numbered =
            |at: Option<usize>, text: &str| format!("<{}{text}>", at.map_or("-".into(), |at| at.to_string()));
        let other = list.with_pieces(&numbered);
        assert_eq!((other.whole.as_str(), other.parts[0].whole.as_str()), ("<0{ y = ><6TWICE><11; }>", "<6TWICE>"));
        assert_eq!(other.parts[0].pieces, [text("<-(x * 2)>")]);
        assert_eq!(list.with_pieces(&|_, text| text.to_string()), list);
    }
}
