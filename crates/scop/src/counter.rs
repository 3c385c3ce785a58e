//! Counters of loops, as C declares them.
//!
//! Example: in `int i; for (i = 0; i < n; i++) … for (long k = 0; …` the counter i is an `int` that is declared outside, k a `long`
//! of its loop's own.

use crate::{Declaration, Span};
use polyfold_program::IntType;

/// The type of a loop's counter, and where it is declared.
#[derive(Clone, Debug)]
pub struct Counter {
    /// Its type as the source writes it.
    pub element: String,
    /// Bytes of a value.
    pub bytes: u64,
    /// Whether it can be negative.
    pub signed: bool,
    /// A macro's call that mentions it otherwise than by its arguments' values.
    pub hidden: Option<Span>,
    /// What the function does with it outside its loops; `None`: it is declared in its loop.
    pub outside: Option<Box<Outside>>,
}

/// A counter that is declared in front of its loop.
#[derive(Clone, Debug)]
pub struct Outside {
    /// Its declaration, where one of this file declares it.
    pub declaration: Option<Declaration>,
    /// Whether nothing happens where it is declared: it gets no value there, or a constant.
    pub bare: bool,
    /// Whether it is mentioned outside the scop.
    pub mentioned: bool,
    /// Where a value may be read that the scop leaves in it.
    pub seen: Option<Span>,
}

impl Counter {
    /// An `int` of its loop's own.
    pub fn int() -> Counter {
        Counter { element: "int".to_string(), bytes: 4, signed: true, hidden: None, outside: None }
    }

    /// What C holds it in.
    pub fn held(&self) -> IntType {
        let bits = 8 * self.bytes as u32;
        if self.signed { IntType::Signed(bits) } else { IntType::Unsigned(bits) }
    }

    /// Whether it is an `int`.
    pub fn is_int(&self) -> bool {
        self.bytes == 4 && self.signed
    }
}
