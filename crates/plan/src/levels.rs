//! An engine's buffer for a conflict set as a buffer of arrays.
//!
//! ```text
//! cell x of array i is kept in   Γᵢ x + δᵢ  mod e      level by level, e the buffer's
//! ```
//!
//! That is a buffer whose common space is the levels: Pᵢ has the rows Γᵢ, and M is the identity. What is chosen here only names the
//! buffer's cells anew: an order of the levels in which inner loops walk through memory, the first array upright, the least
//! offset 0. Example: `(-i + 3) mod n`, `(-i) mod n` of two arrays become `(i) mod n`, `(i + 3) mod n`.

use crate::buffer::with_available_sizes;
use crate::conflicts::name_in_conflicts;
use crate::ranges::number;
use crate::search::StorageSearch;
use polyfold_alloc::{Mapping, Method, SharedMember, SharedProposal, layout};
use polyfold_isl::{Error, PwAff};
use polyfold_lattice::ModularMapping;
use polyfold_prove::MemberFacts;
use polyfold_scop::ArrayId;
use polyfold_smo::{Buffer, ConflictSet, Engine, Form};

/// The buffer in terms of arrays, in the order of the facts about them; `None` if it cannot be written.
pub(crate) fn proposal(
    search: &StorageSearch,
    conflicts: &ConflictSet,
    facts: &[MemberFacts],
    (buffer, engine): (&Buffer, Engine),
) -> Result<Option<SharedProposal>, Error> {
    let ids: Vec<ArrayId> = facts.iter().map(|facts| facts.own.subject().array()).collect();
    let array = |statement: usize| {
        let name = &conflicts.statements()[statement].name;
        ids.iter().copied().find(|id| name_in_conflicts(search.model, *id) == *name)
    };
    let arrays: Option<Vec<ArrayId>> = buffer.members.iter().map(|member| array(member.statement)).collect();
    let Some(arrays) = arrays else { return Ok(None) };
    let levels = levels(search, conflicts, buffer)?;
    let order = layout(&levels, &search.extents(arrays[0]))?;
    let unit = |level: usize| (0..order.len()).map(|k| i64::from(k == level)).collect();
    let mapping = ModularMapping {
        rows: (0..order.len()).map(unit).collect(),
        moduli: order.iter().map(|level| levels.moduli[*level].clone()).collect(),
    };
    let Some(mapping) = with_available_sizes(search, mapping, &search.available(arrays[0]))? else { return Ok(None) };
    let mut members = Vec::new();
    for (place, id) in arrays.iter().enumerate() {
        let Some((rows, offsets)) = hyperplanes(buffer, place, &order) else { return Ok(None) };
        let shift = offsets.iter().map(|offset| number(search.ctx, *offset)).collect::<Result<_, _>>()?;
        members.push(SharedMember { array: *id, rows, shift });
    }
    members.sort_by_key(|member| ids.iter().position(|id| *id == member.array));
    Ok(Some(SharedProposal { members, mapping: Mapping::Modular(mapping), method: method(engine) }))
}

/// The first member's hyperplanes, with the buffer's moduli.
fn levels(search: &StorageSearch, conflicts: &ConflictSet, buffer: &Buffer) -> Result<ModularMapping, Error> {
    let parameters = conflicts.parameters();
    let modulus = |form: &Form| {
        let text = format!("[{}] -> {{ [({})] }}", parameters.join(", "), form.text(parameters));
        PwAff::read(search.ctx, &text)
    };
    Ok(ModularMapping {
        rows: buffer.members[0].rows.iter().map(|row| row.coefficients.clone()).collect(),
        moduli: buffer.moduli.iter().map(modulus).collect::<Result<_, _>>()?,
    })
}

/// A member's Γ and δ in a given order of the levels; `None` past 64 bits.
fn hyperplanes(buffer: &Buffer, place: usize, order: &[usize]) -> Option<(Vec<Vec<i64>>, Vec<i64>)> {
    let (mut rows, mut offsets) = (Vec::new(), Vec::new());
    for level in order {
        let first = buffer.members[0].rows[*level].coefficients.iter().find(|c| **c != 0);
        let sign = if first.is_some_and(|c| *c < 0) { -1 } else { 1 };
        let signed = |c: i64| c.checked_mul(sign);
        let all: Vec<i64> =
            buffer.members.iter().map(|member| signed(member.rows[*level].offset)).collect::<Option<_>>()?;
        offsets.push(all[place].checked_sub(all.iter().copied().min()?)?);
        rows.push(buffer.members[place].rows[*level].coefficients.iter().map(|c| signed(*c)).collect::<Option<_>>()?);
    }
    Some((rows, offsets))
}

fn method(engine: Engine) -> Method {
    match engine {
        Engine::Joint => Method::Joint,
        Engine::Smo => Method::Smo,
        Engine::Fast | Engine::Separate | Engine::Line | Engine::Auto => Method::Fast,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_smo::{Member, Row};

    fn member(rows: &[(&[i64], i64)]) -> Member {
        let row = |(coefficients, offset): &(&[i64], i64)| Row { coefficients: coefficients.to_vec(), offset: *offset };
        Member { statement: 0, rows: rows.iter().map(row).collect() }
    }

    #[test]
    fn the_first_is_upright_and_the_least_offset_is_0() {
        let buffer = Buffer {
            moduli: Vec::new(),
            members: vec![member(&[(&[-1, 2], 3), (&[0, 1], 1)]), member(&[(&[1, 0], 0), (&[0, -1], 5)])],
        };
        assert_eq!(hyperplanes(&buffer, 0, &[1, 0]), Some((vec![vec![0, 1], vec![1, -2]], vec![0, 0])));
        assert_eq!(hyperplanes(&buffer, 1, &[1, 0]), Some((vec![vec![0, -1], vec![-1, 0]], vec![4, 3])));
    }

    #[test]
    fn numbers_past_64_bits_are_no_hyperplanes() {
        let buffer = Buffer { moduli: Vec::new(), members: vec![member(&[(&[-1], i64::MIN)])] };
        assert_eq!(hyperplanes(&buffer, 0, &[0]), None);
    }
}
