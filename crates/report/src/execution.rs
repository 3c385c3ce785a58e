//! A scop as data that can be run at any sizes: which cells each operation touches, and where these live.
//!
//! Expressions are C text over sizes, counters and, in places, the coordinates `@0`, `@1`, … of a cell, behind those of its version if it has
//! some. Besides C's operators they may call `mod(a, b)`, which is never negative, `floord`, `min` and `max`. What data decides is written `@`.
//! No name of a program has an `@`.
//!
//! Example: `y[i][k]` that lives in `y[k % 2][i]` has the place `["mod(@1, 2)", "@0"]`.
//!
//! Invariant: statements of `body` are run in the order of the text; reads of an operation come before its writes, but for late ones.

use serde::Serialize;

/// A scop in one order of its loops.
#[derive(Clone, Debug, Serialize)]
pub struct Execution {
    /// Everything that is read or written.
    pub arrays: Vec<ExecutedArray>,
    /// New storage.
    pub buffers: Vec<ExecutedBuffer>,
    /// In text order.
    pub statements: Vec<ExecutedStatement>,
    /// The program.
    pub body: Vec<ExecutedNode>,
}

/// An array of the scop.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedArray {
    /// Its name.
    pub name: String,
    /// Extents; `null` where the source does not say.
    pub extents: Vec<Option<String>>,
    /// Whether its values are counted.
    pub is_counted: bool,
    /// Whether it is an array of the scop's own, so that its cells are counted.
    pub is_temporary: bool,
    /// Whether the file doesn't declare it: there were none of its cells before.
    pub is_new: bool,
    /// Whether it stays as it is.
    pub is_kept: bool,
    /// Where its cells live; `null`: in the array itself, or by access.
    pub place: Option<ExecutedPlace>,
}

/// New storage.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedBuffer {
    /// Its name in the new program.
    pub name: String,
    /// Its extents, outermost first; none for a variable.
    pub extents: Vec<String>,
}

/// Where a cell lives.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedPlace {
    /// Which buffer.
    pub buffer: usize,
    /// One subscript for each of its dimensions.
    pub at: Vec<String>,
}

/// A statement.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedStatement {
    /// Its label, or `S0`, `S1`, …
    pub name: String,
    /// Its line in the file, from 1; `null`: it doesn't stand there.
    pub line: Option<usize>,
    /// Its text.
    pub text: String,
    /// The cell that it sets first, as it writes it.
    pub sets: Option<String>,
    /// Counters around it, outermost first.
    pub counters: Vec<String>,
    /// What it touches.
    pub accesses: Vec<ExecutedAccess>,
}

/// A reference to an array.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedAccess {
    /// Which array.
    pub array: usize,
    /// Whether it is a write.
    pub is_write: bool,
    /// Whether it happens while a function runs that has the cell's address.
    pub is_late: bool,
    /// Whether it surely touches the whole cell, when it happens.
    pub is_certain: bool,
    /// Whether a write is sure although data decides about the guard around it.
    pub is_sure: bool,
    /// When it happens, beyond the guards around the statement.
    pub when: String,
    /// The cell; `null`: any.
    pub cell: Option<Vec<String>>,
    /// Where the values are found that it names, the first case that holds; empty: as the array's cells are.
    pub values: Vec<ExecutedCase>,
}

/// Where an access finds its values, under a condition.
#[derive(Clone, Debug, Serialize)]
pub struct ExecutedCase {
    /// The condition.
    pub when: String,
    /// The coordinates of the value in front of its cell's.
    pub version: Vec<String>,
    /// `null`: nobody reads the value.
    pub place: Option<ExecutedPlace>,
}

/// A part of the program.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum ExecutedNode {
    /// A loop.
    Loop {
        /// Its counter.
        #[serde(rename = "for")]
        counter: String,
        /// The first value.
        first: String,
        /// It goes on while this holds.
        #[serde(rename = "while")]
        condition: String,
        /// What is added to the counter.
        step: i64,
        /// What is repeated.
        body: Vec<ExecutedNode>,
    },
    /// An `if`.
    Guard {
        /// Its condition.
        #[serde(rename = "if")]
        condition: String,
        /// If it holds.
        then: Vec<ExecutedNode>,
        /// If it does not.
        #[serde(rename = "else")]
        otherwise: Vec<ExecutedNode>,
    },
    /// A statement.
    Statement {
        /// Which one.
        statement: usize,
    },
}
