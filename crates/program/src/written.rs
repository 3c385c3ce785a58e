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
}
