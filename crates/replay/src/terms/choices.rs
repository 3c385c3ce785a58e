//! What data decide, chosen for them.

use super::table::{Node, Term, Terms};
use polyfold_program::Op;

/// How conditions on data come out: a function of their terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choices {
    /// All hold.
    All,
    /// None holds.
    None,
    /// Some do, by a number.
    Some(u64),
}

impl Choices {
    /// Whether a term isn't 0. `!c` holds when `c` doesn't, and `a > b` when `b < a` does.
    pub(super) fn holds(self, terms: &mut Terms, term: Term) -> bool {
        match terms.node(term).clone() {
            Node::Integer(number, _) => number != 0,
            Node::Apply(Op::Not, operands) if operands.len() == 1 => !self.holds(terms, operands[0]),
            Node::Apply(op, operands) if operands.len() == 2 => {
                let (left, right) = (operands[0], operands[1]);
                let (op, operands, negated) = match op {
                    Op::Greater => (Op::Less, [right, left], false),
                    Op::GreaterOrEqual => (Op::LessOrEqual, [right, left], false),
                    Op::Equal => (Op::Equal, [left.min(right), left.max(right)], false),
                    Op::NotEqual => (Op::Equal, [left.min(right), left.max(right)], true),
                    other => (other, [left, right], false),
                };
                let normal = terms.of(Node::Apply(op, operands.to_vec()));
                self.drawn(normal) != negated
            }
            _ => self.drawn(term),
        }
    }

    fn drawn(self, term: Term) -> bool {
        match self {
            Choices::All => true,
            Choices::None => false,
            Choices::Some(seed) => {
                let mixed = (u64::from(term.0) ^ seed.rotate_left(32)).wrapping_add(0x9e37_79b9_7f4a_7c15);
                let mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
                let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
                (mixed >> 63) == 1
            }
        }
    }
}
