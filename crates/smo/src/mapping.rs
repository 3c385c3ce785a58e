//! Storage mappings of statements into shared buffers.
//!
//! ```text
//! value S(s) is kept in cell (M s + δ) mod e of the buffer of S
//! ```
//!
//! Each row (Γ, δ) is a storage hyperplane, `Γ·s + δ`. Example: Figure 2's stencil keeps S0(t, i) and S1(t, i) in
//! `(t − i) mod (N + 1)`.
//!
//! Paper: SMO (POPL'16) §3, §4.

use crate::form::{dot, sum};
use crate::{ConflictSet, Form};

/// `Γ·s + δ`, for the iterators s of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Γ: one coefficient per iterator.
    pub coefficients: Vec<i64>,
    /// δ.
    pub offset: i64,
}

/// A buffer and who lives in it: value s of a statement is kept in cell `(M s + δ) mod e`, row by row.
///
/// Invariant: every member has one row per modulus. The moduli belong to the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// e: extents of the buffer's dimensions. Without any the buffer is one cell.
    pub moduli: Vec<Form>,
    /// Its statements.
    pub members: Vec<Member>,
}

/// A statement in a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its place in the conflict set.
    pub statement: usize,
    /// One per modulus.
    pub rows: Vec<Row>,
}

/// Where every value of every statement is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Allocation {
    /// Each statement is a member of one of them.
    pub buffers: Vec<Buffer>,
}

impl Row {
    /// The value at given iterators.
    pub fn at(&self, iterators: &[i64]) -> i64 {
        dot(&self.coefficients, iterators) + self.offset
    }

    /// The row in the names of the iterators, such as `2*x - y`.
    pub fn text(&self, iterators: &[String]) -> String {
        sum(&self.coefficients, iterators, self.offset)
    }
}

impl Buffer {
    /// Its size in cells at given parameters.
    pub fn cells(&self, parameters: &[i64]) -> i128 {
        self.moduli.iter().fold(1, |cells: i128, modulus| cells.saturating_mul(modulus.cells(parameters)))
    }
}

impl Allocation {
    /// The size of all buffers in cells at given parameters.
    pub fn cells(&self, parameters: &[i64]) -> i128 {
        self.buffers.iter().fold(0, |cells: i128, buffer| cells.saturating_add(buffer.cells(parameters)))
    }

    /// The buffer and the cell of a value at given parameters; `None` if there is no such statement.
    pub fn cell(&self, statement: usize, iterators: &[i64], parameters: &[i64]) -> Option<(usize, Vec<i64>)> {
        self.buffers.iter().enumerate().find_map(|(place, buffer)| {
            let member = buffer.members.iter().find(|member| member.statement == statement)?;
            let subscripts = member.rows.iter().zip(&buffer.moduli);
            let subscript = |(row, modulus): (&Row, &Form)| row.at(iterators).rem_euclid(modulus.at(parameters));
            Some((place, subscripts.map(subscript).collect()))
        })
    }

    /// One line per statement: `S0[t, i] -> A0[(t - i) mod (N + 1)]`.
    pub fn text(&self, conflicts: &ConflictSet) -> String {
        let line = |statement: usize| {
            let place = self.place(conflicts, statement).unwrap_or_default();
            format!("{} -> {place}\n", conflicts.statements()[statement].text())
        };
        (0..conflicts.statements().len()).map(line).collect()
    }

    /// Where a statement's values are kept, such as `A0[(t - i) mod (N + 1)]`.
    pub fn place(&self, conflicts: &ConflictSet, statement: usize) -> Option<String> {
        self.buffers.iter().enumerate().find_map(|(place, buffer)| {
            let member = buffer.members.iter().find(|member| member.statement == statement)?;
            let iterators = &conflicts.statements()[statement].iterators;
            let subscript = |(row, modulus): (&Row, &Form)| {
                format!("[({}) mod ({})]", row.text(iterators), modulus.text(conflicts.parameters()))
            };
            let subscripts: String = member.rows.iter().zip(&buffer.moduli).map(subscript).collect();
            Some(format!("A{place}{subscripts}"))
        })
    }
}
