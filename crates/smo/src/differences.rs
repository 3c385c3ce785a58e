//! Differences of conflicting values at given sizes, point by point.
//!
//! Each statement has some functions of its iterators, such as the rows of a mapping; a conflict is seen as the differences of these.
//! They are far fewer than the conflicts: in the plane some N², where there are N⁴ pairs. For a search, which is content with a superset.

use crate::floor::holds;
use crate::{ConflictSet, Member, Row};
use polyfold_isl::{Map, Result, Set};
use std::collections::BTreeSet;

/// Bound on the points that are looked at for one size.
const MOST_POINTS: i64 = 500_000;

/// One of each pair y, −y.
pub(crate) type Differences = BTreeSet<Vec<i64>>;

/// The conflicts of some statements as differences of their rows, piece by piece.
pub(crate) fn images(conflicts: &ConflictSet, members: &[Member]) -> Result<Vec<Set>> {
    let class: Vec<usize> = members.iter().map(|member| member.statement).collect();
    let rows = |statement| members.iter().find(|member| member.statement == statement).map(|m| &m.rows);
    let mut images = Vec::new();
    for piece in conflicts.between(&class) {
        let (Some(from), Some(to)) = (rows(piece.from), rows(piece.to)) else { continue };
        let names: Vec<String> = (0..piece.pairs.dimensions()?).map(|k| format!("coordinate_{k}")).collect();
        let level = |(from, to): (&Row, &Row)| from.less(to).text(&names);
        let levels: Vec<String> = from.iter().zip(to).map(level).collect();
        let map = format!("{{ [{}] -> [{}] }}", names.join(", "), levels.join(", "));
        images.push(piece.pairs.apply(&Map::read(piece.pairs.context(), &map)?)?);
    }
    Ok(images)
}

/// Their points at some sizes, for any values of the other parameters; a superset where remainders matter. `None` if they are too
/// many, or one is 0.
pub(crate) fn differences(images: &[Set], sizes: &[(&str, i64)]) -> Result<Option<Differences>> {
    let (mut all, mut left) = (Differences::new(), MOST_POINTS);
    for image in images {
        let image = image.at(sizes)?.without_parameters()?.remove_divs()?;
        if image.is_empty()? {
            continue;
        }
        let Some(ranges) = ranges(&image, &mut left)? else { return Ok(None) };
        let pieces = image.polyhedra()?;
        for point in points(&ranges).into_iter().filter(|point| pieces.iter().any(|piece| holds(piece, point, &[]))) {
            let Some(first) = point.iter().find(|y| **y != 0) else { return Ok(None) };
            let sign = first.signum();
            all.insert(point.iter().map(|y| sign * y).collect());
        }
    }
    Ok(Some(all))
}

/// The range of every coordinate; `None` if more points than are left are between them.
fn ranges(image: &Set, left: &mut i64) -> Result<Option<Vec<(i64, i64)>>> {
    let (mut ranges, mut count) = (Vec::new(), 1_i64);
    for axis in 0..image.dimensions()? {
        let (Some(low), Some(high)) = (image.dim_min_value(axis)?, image.dim_max_value(axis)?) else { return Ok(None) };
        count = count.saturating_mul(high.saturating_sub(low).saturating_add(1));
        if count > *left {
            return Ok(None);
        }
        ranges.push((low, high));
    }
    *left -= count;
    Ok(Some(ranges))
}

fn points(ranges: &[(i64, i64)]) -> Vec<Vec<i64>> {
    let mut points = vec![Vec::new()];
    for (low, high) in ranges {
        let longer = |point: &Vec<i64>| (*low..=*high).map(|y| [point.as_slice(), &[y]].concat()).collect::<Vec<_>>();
        points = points.iter().flat_map(longer).collect();
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    #[test]
    fn differences_of_one_row_and_of_no_row() {
        let pairs = "[T, N] -> { S[t, i] -> S[t + 1, j] : 0 <= t < T and 0 <= j < i < N }";
        let conflicts = ConflictSet::read(&Context::new(), "[T, N] -> { : T >= 2 and N >= 2 }", pairs).unwrap();
        let with = |rows: &[[i64; 2]]| {
            let row = |row: &[i64; 2]| Row { coefficients: row.to_vec(), offset: 5 };
            let members = [Member { statement: 0, rows: rows.iter().map(row).collect() }];
            differences(&images(&conflicts, &members).unwrap(), &[("N", 3)]).unwrap()
        };
        let found = |all: &[&[i64]]| Some(all.iter().map(|y| y.to_vec()).collect::<Differences>());
        assert_eq!(with(&[[0, 1]]), found(&[&[1], &[2]]));
        assert_eq!(with(&[[0, 1], [1, 0]]), found(&[&[1, -1], &[2, -1]]));
        assert_eq!(with(&[[1, 1]]), None, "some differ by 0");
    }
}
