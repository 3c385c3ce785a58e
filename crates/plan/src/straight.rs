//! Buffers whose rows mix no coordinates.
//!
//! Shifts that let arrays share cells may be found for rows that mix coordinates, where others, of as many cells, would do:
//!
//! ```text
//! a[i][j] in s[i + 4][(i + j) mod w],   c[i][j] in s[i + 2][(i + j) mod w]        a loop over j goes around in each row
//! a[i][j] in s[i + 4][j],               c[i][j] in s[i + 2][j]                    and here in none
//! ```
//!
//! ```text
//! member k lives at (M (P_k x + δ_k)) mod b;   a row r of all M P_k becomes its part along one axis, (M δ_k)_r stays
//! ```
//!
//! Invariant: these are proposals, the prover decides.

use polyfold_alloc::{Mapping, SharedMember, SharedProposal};
use polyfold_isl::{Error, PwAff};
use polyfold_lattice::ModularMapping;

/// The buffer with one axis alone in a row that mixes several, in all ways that leave each row of each array another.
pub(crate) fn straightened(proposal: &SharedProposal) -> Result<Vec<SharedProposal>, Error> {
    let Some(mapping) = proposal.mapping.as_modular() else { return Ok(Vec::new()) };
    let members = proposal.members.iter().map(|member| in_rows(mapping, member));
    let members = members.collect::<Result<Vec<SharedMember>, Error>>()?;
    let mut found = Vec::new();
    for row in 0..mapping.rows.len() {
        let is_mixed = |member: &SharedMember| member.rows[row].iter().filter(|factor| **factor != 0).count() > 1;
        let axes = members.iter().map(|member| member.rows[row].len()).min().unwrap_or(0);
        for axis in (0..axes).filter(|_| members.iter().any(is_mixed)) {
            let straight: Vec<SharedMember> = members.iter().map(|member| along(member, row, axis)).collect();
            if straight.iter().all(has_different_rows) {
                let rows = (0..mapping.rows.len()).map(|k| unit(k, mapping.rows.len())).collect();
                let mapping = Mapping::Modular(ModularMapping { rows, moduli: mapping.moduli.clone() });
                found.push(SharedProposal { members: straight, mapping, ..proposal.clone() });
            }
        }
    }
    Ok(found)
}

/// A member whose common space has a coordinate for each row of the mapping.
fn in_rows(mapping: &ModularMapping, member: &SharedMember) -> Result<SharedMember, Error> {
    let dimensions = member.rows.first().map_or(0, Vec::len);
    let of_axis = |row: &[i64], axis: usize| row.iter().zip(&member.rows).map(|(factor, own)| factor * own[axis]).sum();
    let rows = mapping.rows.iter().map(|row| (0..dimensions).map(|axis| of_axis(row, axis)).collect()).collect();
    let shift = mapping.rows.iter().map(|row| sum(row, &member.shift)).collect::<Result<Vec<PwAff>, Error>>()?;
    Ok(SharedMember { array: member.array, rows, shift })
}

fn sum(factors: &[i64], shifts: &[PwAff]) -> Result<PwAff, Error> {
    let scaled = factors.iter().zip(shifts).map(|(factor, shift)| shift.scaled(*factor));
    let mut scaled = scaled.collect::<Result<Vec<PwAff>, Error>>()?.into_iter();
    let first = scaled.next().expect("a buffer has a dimension");
    scaled.try_fold(first, |sum, shift| sum.add(&shift))
}

/// A member with one axis in a row.
fn along(member: &SharedMember, row: usize, axis: usize) -> SharedMember {
    let mut straight = member.clone();
    let own = straight.rows[row][axis];
    straight.rows[row].fill(0);
    straight.rows[row][axis] = own;
    straight
}

/// Whether no row of a member is 0 or a multiple of another one's axis alone.
fn has_different_rows(member: &SharedMember) -> bool {
    let axis = |row: &Vec<i64>| match row.iter().filter(|factor| **factor != 0).count() {
        1 => row.iter().position(|factor| *factor != 0),
        _ => None,
    };
    let is_other =
        |k: usize| member.rows[..k].iter().all(|row| axis(row).is_none() || axis(row) != axis(&member.rows[k]));
    (0..member.rows.len()).all(|k| is_other(k) && member.rows[k].iter().any(|factor| *factor != 0))
}

fn unit(at: usize, count: usize) -> Vec<i64> {
    (0..count).map(|k| i64::from(k == at)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_alloc::Method;
    use polyfold_isl::Context;
    use polyfold_scop::ArrayId;

    /// Rows of two arrays, the first one shifted, under these rows of a mapping.
    fn straight(rows: [[i64; 2]; 2]) -> Vec<Vec<Vec<Vec<i64>>>> {
        let ctx = Context::new();
        let number = |value: i64| PwAff::read(&ctx, &format!("{{ [({value})] }}")).expect("it is a number");
        let member = |id: usize, shift: [i64; 2]| SharedMember::shifted(ArrayId(id), shift.map(number).into());
        let mapping = ModularMapping { rows: rows.map(Vec::from).into(), moduli: vec![number(9), number(7)] };
        let members = vec![member(0, [4, -4]), member(1, [0, 0])];
        let proposal = SharedProposal { members, mapping: Mapping::Modular(mapping), method: Method::Lattice };
        let found = straightened(&proposal).expect("numbers can be added");
        let shifts = |proposal: &SharedProposal| -> Vec<Option<i64>> {
            proposal.members[0].shift.iter().map(|shift| shift.as_constant().expect("it is a number")).collect()
        };
        assert!(found.iter().all(|proposal| shifts(proposal) == [Some(4), Some(0)]), "what rows add stays");
        let rows = |proposal: SharedProposal| proposal.members.into_iter().map(|member| member.rows).collect();
        found.into_iter().map(rows).collect()
    }

    /// `[i + 4][i + j]` becomes `[i + 4][j]`, and not `[i + 4][i]`.
    #[test]
    fn one_axis_is_left_that_no_other_row_has() {
        let plain = vec![vec![1, 0], vec![0, 1]];
        assert_eq!(straight([[1, 0], [1, 1]]), [vec![plain.clone(), plain]]);
        assert!(straight([[1, 0], [0, 1]]).is_empty());
    }
}
