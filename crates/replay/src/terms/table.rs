//! Terms: what computed a value. Equal terms have one number.

use polyfold_program::{Element, IntType, Op};
use std::collections::HashMap;

/// A term's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Term(pub(super) u32);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node {
    /// What a cell held before the program ran.
    First {
        buffer: String,
        index: Vec<i64>,
    },
    /// What a cell of a temporary holds that was never written.
    Unwritten {
        buffer: String,
        index: Vec<i64>,
    },
    /// A number that the program computes with, in its type.
    Integer(i64, IntType),
    Apply(Op, Vec<Term>),
    /// As a type.
    Converted(String, Term),
    /// What a cell holds if data may have meant it when something was written: the new value where these subscripts are
    /// the cell's, and the old one elsewhere.
    Maybe {
        cell: Vec<i64>,
        at: Vec<Term>,
        new: Term,
        old: Term,
    },
    /// What the cell of these subscripts holds, of those that were written; others hold what this buffer held before the
    /// program ran.
    Picked {
        untouched: Option<String>,
        written: Vec<(Vec<i64>, Term)>,
        at: Vec<Term>,
    },
    /// What an opaque statement leaves in its cell of this number.
    Left {
        by: Vec<Term>,
        text: String,
        number: usize,
    },
}

#[derive(Default)]
pub(super) struct Terms {
    numbers: HashMap<Node, Term>,
    nodes: Vec<Node>,
    /// Whether no cell is in it that was never written.
    defined: Vec<bool>,
}

impl Terms {
    pub(super) fn of(&mut self, node: Node) -> Term {
        if let Some(term) = self.numbers.get(&node) {
            return *term;
        }
        let term = Term(u32::try_from(self.nodes.len()).unwrap_or(u32::MAX));
        let defined = match &node {
            Node::Unwritten { .. } => false,
            Node::First { .. } | Node::Integer(..) => true,
            Node::Apply(_, operands) | Node::Left { by: operands, .. } => {
                operands.iter().all(|own| self.is_defined(*own))
            }
            Node::Converted(_, own) => self.is_defined(*own),
            Node::Maybe { new, old, .. } => self.is_defined(*new) || self.is_defined(*old),
            Node::Picked { .. } => true,
        };
        self.defined.push(defined);
        self.nodes.push(node.clone());
        self.numbers.insert(node, term);
        term
    }

    /// Whether no cell is in a term that was never written.
    pub(super) fn is_defined(&self, term: Term) -> bool {
        self.defined[term.0 as usize]
    }

    pub(super) fn node(&self, term: Term) -> &Node {
        &self.nodes[term.0 as usize]
    }

    /// A term as an element of a type: itself if it is one. As an integer `0 + e` is e where C doesn't convert e for the sum, or no
    /// further than the element does: the 0 is an `int`, or an element of the same type. A floating `-0.0` is the integer 0, too.
    pub(super) fn converted(&mut self, element: &Element, term: Term) -> Term {
        let is_one = matches!(self.node(term), Node::Converted(own, _) if *own == element.text);
        if is_one || element.is_empty() {
            return term;
        }
        if element.is_integer()
            && let Some(rest) = self.behind_zero(element, term)
        {
            return self.converted(element, rest);
        }
        self.of(Node::Converted(element.text.clone(), term))
    }

    /// The e of `0 + e`, where the 0 is an `int`, or an element of a type.
    fn behind_zero(&self, element: &Element, term: Term) -> Option<Term> {
        let Node::Apply(Op::Add, operands) = self.node(term) else { return None };
        let [left, right] = operands[..] else { return None };
        let is_zero = match self.node(left) {
            Node::Integer(0, held) => *held == IntType::INT,
            Node::Converted(own, inner) => *own == element.text && matches!(self.node(*inner), Node::Integer(0, _)),
            _ => false,
        };
        is_zero.then_some(right)
    }
}
