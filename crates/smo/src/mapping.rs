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
use crate::{ConflictSet, Form, Line};

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
    /// Each statement is a member of one of them, or of a line.
    pub buffers: Vec<Buffer>,
    /// Buffers of one dimension whose strides grow with the parameters. They are counted behind the others.
    pub lines: Vec<Line>,
}

impl Row {
    /// The value at given iterators.
    pub fn at(&self, iterators: &[i64]) -> i64 {
        dot(&self.coefficients, iterators) + self.offset
    }

    /// Its value minus that of another row, as a row for the iterators of both in sequence.
    pub(crate) fn less(&self, other: &Row) -> Row {
        let negative = other.coefficients.iter().map(|c| -c);
        Row {
            coefficients: self.coefficients.iter().copied().chain(negative).collect(),
            offset: self.offset - other.offset,
        }
    }

    /// The row plus a multiple of another one; numbers past 64 bits stay at the last.
    pub(crate) fn plus(&self, other: &Row, multiple: i64) -> Row {
        let sum = |a: i64, b: i64| a.saturating_add(b.saturating_mul(multiple));
        Row {
            coefficients: self.coefficients.iter().zip(&other.coefficients).map(|(a, b)| sum(*a, *b)).collect(),
            offset: sum(self.offset, other.offset),
        }
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
    /// Buffers without a line.
    pub fn of(buffers: Vec<Buffer>) -> Allocation {
        Allocation { buffers, lines: Vec::new() }
    }

    /// The size of all buffers in cells at given parameters.
    pub fn cells(&self, parameters: &[i64]) -> i128 {
        let lines = self.lines.iter().map(|line| line.cells(parameters));
        let cells = self.buffers.iter().map(|buffer| buffer.cells(parameters)).chain(lines);
        cells.fold(0, i128::saturating_add)
    }

    /// The buffer and the cell of a value at given parameters; `None` if there is no such statement, or no such cell within 64 bits.
    pub fn cell(&self, statement: usize, iterators: &[i64], parameters: &[i64]) -> Option<(usize, Vec<i64>)> {
        match self.home(statement)? {
            (place, member, Home::Buffer(buffer)) => {
                let subscripts = member.rows.iter().zip(&buffer.moduli);
                let subscript = |(row, modulus): (&Row, &Form)| row.at(iterators).rem_euclid(modulus.at(parameters));
                Some((place, subscripts.map(subscript).collect()))
            }
            (place, member, Home::Line(line)) => Some((place, vec![line.cell(member, iterators, parameters)?])),
        }
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
        let (iterators, parameters) = (&conflicts.statements()[statement].iterators, conflicts.parameters());
        let (place, member, home) = self.home(statement)?;
        let subscripts = match home {
            Home::Buffer(buffer) => {
                let subscript = |(row, modulus): (&Row, &Form)| {
                    format!("[({}) mod ({})]", row.text(iterators), modulus.text(parameters))
                };
                member.rows.iter().zip(&buffer.moduli).map(subscript).collect()
            }
            Home::Line(line) => format!("[{}]", line.subscript(member, iterators, parameters)),
        };
        Some(format!("A{place}{subscripts}"))
    }

    /// Whether its size depends on a parameter.
    pub(crate) fn mentions(&self, parameter: usize) -> bool {
        let mut moduli = self.buffers.iter().flat_map(|buffer| &buffer.moduli);
        moduli.any(|modulus| modulus.slopes[parameter] != 0)
            || self.lines.iter().any(|line| line.modulus.mentions(parameter))
    }

    /// Where a statement lives, by number, and how.
    fn home(&self, statement: usize) -> Option<(usize, &Member, Home<'_>)> {
        let buffers = self.buffers.iter().map(|buffer| (&buffer.members, Home::Buffer(buffer)));
        let mut homes = buffers.chain(self.lines.iter().map(|line| (&line.members, Home::Line(line)))).enumerate();
        homes.find_map(|(place, (members, home))| {
            let member = members.iter().find(|member| member.statement == statement)?;
            Some((place, member, home))
        })
    }
}

/// What a statement lives in.
enum Home<'a> {
    Buffer(&'a Buffer),
    Line(&'a Line),
}
