//! Validity of an allocation, for all parameters of the context.
//!
//! ```text
//! no (S(s), T(t)) ∈ CS in one buffer:   Γ_S·s + δ_S ≡ Γ_T·t + δ_T  (mod e)   in every row
//! ```
//!
//! The linear parts of two statements may differ, so this is asked of pairs and not of their differences. Row by row the pairs
//! that meet are kept, a row with few quotients first; at the end none may be left. Where no row has few quotients for all pairs,
//! each convex piece of them is settled by itself. Lines have a proof of their own ([`line_proof`](crate::line_proof)). The conflict set is the exact one, and
//! nothing that the search found out is believed.

use crate::collisions::collisions;
use crate::conflicts::Relation;
use crate::line_proof::{is_positive_everywhere, keeps_apart};
use crate::{Allocation, Buffer, ConflictSet, Form, Member, Row};
use polyfold_isl::{Result, Set};

/// Something that was proved; only [`verify`] makes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved<T>(T);

impl<T> Proved<T> {
    /// What was proved.
    pub fn value(&self) -> &T {
        &self.0
    }
}

/// Why an allocation was not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Two conflicting values meet.
    Clash(Clash),
    /// Some modulus is less than 1 for some parameters.
    BadModulus,
    /// A statement is in no buffer or in several, or has not one row per modulus and one coefficient per iterator.
    Malformed,
    /// A quotient may be larger than 8 in every row, or a line's pieces are in no window that is tried: not decided.
    Unproved,
}

/// Two conflicting values that share a cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Values of the parameters, in the order of the conflict set.
    pub parameters: Vec<i64>,
    /// A statement and its iterators.
    pub one: (usize, Vec<i64>),
    /// Another value.
    pub other: (usize, Vec<i64>),
}

/// Proves an allocation for all parameters of the context, or refuses it.
///
/// # Errors
/// When the work bound is reached.
pub fn verify(
    conflicts: &ConflictSet,
    allocation: Allocation,
) -> Result<std::result::Result<Proved<Allocation>, Refusal>> {
    if !is_well_formed(conflicts, &allocation) {
        return Ok(Err(Refusal::Malformed));
    }
    for modulus in allocation.buffers.iter().flat_map(|buffer| &buffer.moduli) {
        if !is_positive(conflicts, modulus)? {
            return Ok(Err(Refusal::BadModulus));
        }
    }
    for relation in conflicts.relations() {
        for buffer in &allocation.buffers {
            let rows = |statement| rows(buffer, statement);
            let (Some(from), Some(to)) = (rows(relation.from), rows(relation.to)) else { continue };
            let rows: Vec<([&Row; 2], &Form)> = from.iter().zip(to).map(|(a, b)| [a, b]).zip(&buffer.moduli).collect();
            if let Some(refusal) = settle(conflicts, relation, &relation.pairs, &rows)? {
                return Ok(Err(refusal));
            }
        }
    }
    for line in &allocation.lines {
        if !is_positive_everywhere(conflicts, &line.modulus) {
            return Ok(Err(Refusal::BadModulus));
        }
        if !keeps_apart(conflicts, line)? {
            return Ok(Err(Refusal::Unproved));
        }
    }
    Ok(Ok(Proved(allocation)))
}

fn rows(buffer: &Buffer, statement: usize) -> Option<&[Row]> {
    buffer.members.iter().find(|member| member.statement == statement).map(|member| member.rows.as_slice())
}

fn is_well_formed(conflicts: &ConflictSet, allocation: &Allocation) -> bool {
    let in_buffers = allocation.buffers.iter().flat_map(|b| b.members.iter().map(|member| (b.moduli.len(), member)));
    let in_lines = allocation.lines.iter().flat_map(|l| l.members.iter().map(|member| (l.strides.len(), member)));
    let members: Vec<(usize, &Member)> = in_buffers.chain(in_lines).collect();
    let fits = |row: &Row, statement| row.coefficients.len() == conflicts.arity(statement);
    let is_placed_once = |statement| members.iter().filter(|(_, member)| member.statement == statement).count() == 1;
    let parameters = conflicts.parameters().len();
    let sizes = allocation.lines.iter().flat_map(|line| line.strides.iter().chain([&line.modulus]));
    sizes.into_iter().all(|size| size.parameters() == parameters)
        && (0..conflicts.statements().len()).all(is_placed_once)
        && members.len() == conflicts.statements().len()
        && members.iter().all(|(levels, member)| {
            member.rows.len() == *levels && member.rows.iter().all(|row| fits(row, member.statement))
        })
}

fn is_positive(conflicts: &ConflictSet, modulus: &Form) -> Result<bool> {
    let (names, size) = (conflicts.parameters(), modulus.text(conflicts.parameters()));
    let text = format!("[{}] -> {{ : {size} >= 1 }}", names.join(", "));
    conflicts.context().is_subset(&Set::read(conflicts.context().context(), &text)?)
}

/// Why the pairs, which meet in the rows before, are not known to be kept apart by these.
fn settle(
    conflicts: &ConflictSet,
    relation: &Relation,
    pairs: &Set,
    rows: &[([&Row; 2], &Form)],
) -> Result<Option<Refusal>> {
    if pairs.is_empty()? {
        return Ok(None);
    }
    if rows.is_empty() {
        return clash(conflicts, relation, pairs).map(Some);
    }
    for (k, (row, modulus)) in rows.iter().enumerate() {
        let Some(meeting) = collisions(conflicts, pairs, *row, modulus)? else { continue };
        let others: Vec<_> = rows.iter().enumerate().filter(|(j, _)| *j != k).map(|(_, row)| *row).collect();
        return settle(conflicts, relation, &meeting, &others);
    }
    settle_piece_by_piece(conflicts, relation, pairs, rows)
}

/// The same where no row has few quotients for all pairs: it may have for some.
fn settle_piece_by_piece(
    conflicts: &ConflictSet,
    relation: &Relation,
    pairs: &Set,
    rows: &[([&Row; 2], &Form)],
) -> Result<Option<Refusal>> {
    let pieces = pairs.convex_pieces()?;
    if pieces.len() < 2 {
        return Ok(Some(Refusal::Unproved));
    }
    for piece in pieces {
        if let Some(refusal) = settle(conflicts, relation, &piece, rows)? {
            return Ok(Some(refusal));
        }
    }
    Ok(None)
}

fn clash(conflicts: &ConflictSet, relation: &Relation, pairs: &Set) -> Result<Refusal> {
    let names = pairs.parameter_names()?;
    let Some((values, point)) = pairs.sample()? else { return Ok(Refusal::Unproved) };
    let value = |name| names.iter().position(|known| known == name).map_or(0, |k| values[k]);
    let (one, other) = point.split_at(conflicts.arity(relation.from));
    Ok(Refusal::Clash(Clash {
        parameters: conflicts.parameters().iter().map(value).collect(),
        one: (relation.from, one.to_vec()),
        other: (relation.to, other.to_vec()),
    }))
}
