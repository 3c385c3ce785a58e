//! Unimodular coordinates in which cells fill their box.
//!
//! A row u of a unimodular matrix U has the width `max u·x − min u·x + 1` on the cells, and the box of `U x` has as many cells as the product of the
//! widths of its rows. Rows with small entries are measured; of all matrices of determinant ±1 that they make the one with the
//! smallest product is taken, and its coordinates are looked at again, until nothing improves. So rows with larger entries are
//! found as products.
//!
//! Example: the cells `(i + j, j)` for `0 <= i, j < n` fill a box of `2n − 1` times n, and with the rows (1, −1), (0, 1) one of n times n.
//!
//! Source: US 8,661,422 finds triangular matrices by Farkas' lemma and integer programs, several times over. Deviation: the widths of
//! rational programs have to be measured again on integers anyway, so here rows are measured on points at once; and they need not be
//! triangular. What is found is measured for all sizes behind.

use crate::sample::Clouds;

/// Nothing with more coordinates is looked at.
const MOST_DIMENSIONS: usize = 4;

/// So many rows are combined.
const MOST_ROWS: usize = 28;

/// The unimodular matrix; `None`: none is better than what there is.
pub(crate) fn reindexed(clouds: &Clouds) -> Option<Vec<Vec<i64>>> {
    let dimensions = clouds.iter().flatten().flatten().next().map(Vec::len)?;
    if !(2..=MOST_DIMENSIONS).contains(&dimensions) {
        return None;
    }
    let mut clouds = ends(clouds);
    let start = clouds.clone();
    let mut matrix = identity(dimensions);
    let mut cells = cells_of(&clouds, &identity(dimensions));
    let first = cells;
    loop {
        let (rows, fewer) = round(&clouds, dimensions, cells)?;
        if fewer >= cells {
            break;
        }
        cells = fewer;
        matrix = product(&rows, &matrix);
        clouds = transformed(&clouds, &rows);
    }
    (cells < first).then(|| in_order(matrix, &start))
}

/// The same rows, in the order of the coordinates that they begin with, and of either sign the one whose values begin nearer to 0.
fn in_order(mut rows: Vec<Vec<i64>>, clouds: &Clouds) -> Vec<Vec<i64>> {
    for row in &mut rows {
        let values = || clouds.iter().flatten().flatten().map(|x| dot(row, x));
        let (least, most) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        if most.abs() < least.abs() {
            row.iter_mut().for_each(|u| *u = -*u);
        }
    }
    rows.sort_by_key(|row| row.iter().position(|u| *u != 0));
    rows
}

/// The points that are extreme along the last coordinate: no others decide a width.
fn ends(clouds: &Clouds) -> Clouds {
    let of_cloud = |cloud: &Vec<Vec<i64>>| {
        let mut sorted = cloud.clone();
        sorted.sort();
        let prefix = |x: &Vec<i64>| x[..x.len() - 1].to_vec();
        let is_end = |k: usize| {
            let same = |other: Option<&Vec<i64>>| other.is_some_and(|other| prefix(other) == prefix(&sorted[k]));
            !(same(k.checked_sub(1).and_then(|j| sorted.get(j))) && same(sorted.get(k + 1)))
        };
        (0..sorted.len()).filter(|k| is_end(*k)).map(|k| sorted[k].clone()).collect()
    };
    clouds.iter().map(|size| size.iter().map(of_cloud).collect()).collect()
}

/// The best matrix of rows with small entries, and the cells of its box; of equal ones the first.
fn round(clouds: &Clouds, dimensions: usize, cells: i64) -> Option<(Vec<Vec<i64>>, i64)> {
    let mut rows: Vec<(Vec<i64>, Vec<i64>)> = small_rows(dimensions)
        .into_iter()
        .map(|row| {
            let widths = widths(clouds, &row);
            (row, widths)
        })
        .collect();
    rows.sort_by_key(|(row, widths)| (widths.iter().sum::<i64>(), row.iter().map(|u| u.abs()).sum::<i64>()));
    rows.truncate(MOST_ROWS);
    let mut best: (Option<Vec<Vec<i64>>>, i64) = (None, cells);
    choose(&rows, dimensions, 0, &mut Vec::new(), &mut best);
    let (matrix, cells) = best;
    Some((matrix.unwrap_or_else(|| identity(dimensions)), cells))
}

fn choose(
    rows: &[(Vec<i64>, Vec<i64>)],
    dimensions: usize,
    from: usize,
    chosen: &mut Vec<usize>,
    best: &mut (Option<Vec<Vec<i64>>>, i64),
) {
    if chosen.len() == dimensions {
        let matrix: Vec<Vec<i64>> = chosen.iter().map(|k| rows[*k].0.clone()).collect();
        let sizes = rows.first().map_or(0, |(_, widths)| widths.len());
        let of_size = |size: usize| chosen.iter().map(|k| rows[*k].1[size]).product::<i64>();
        let cells: i64 = (0..sizes).map(of_size).sum();
        if cells < best.1 && determinant(&matrix).abs() == 1 {
            *best = (Some(matrix), cells);
        }
        return;
    }
    for k in from..rows.len() {
        chosen.push(k);
        choose(rows, dimensions, k + 1, chosen, best);
        chosen.pop();
    }
}

/// Primitive vectors with small entries, one of each pair `u, −u`.
fn small_rows(dimensions: usize) -> Vec<Vec<i64>> {
    let most: i64 = match dimensions {
        2 => 5,
        3 => 2,
        _ => 1,
    };
    let mut rows = vec![Vec::new()];
    for _ in 0..dimensions {
        rows = rows
            .into_iter()
            .flat_map(|row: Vec<i64>| (-most..=most).map(move |u| [row.clone(), vec![u]].concat()))
            .collect();
    }
    rows.retain(|row| {
        let leads = row.iter().find(|u| **u != 0).is_some_and(|u| *u > 0);
        leads && row.iter().fold(0, |g, u| gcd(g, u.abs())) == 1
    });
    rows
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// The widest instance, for each size.
fn widths(clouds: &Clouds, row: &[i64]) -> Vec<i64> {
    let of_cloud = |cloud: &Vec<Vec<i64>>| {
        let values = || cloud.iter().map(|x| dot(row, x));
        values().max().map_or(0, |most| most - values().min().unwrap_or(most) + 1)
    };
    clouds.iter().map(|size| size.iter().map(of_cloud).max().unwrap_or(0)).collect()
}

/// The cells of the box, summed over all sizes.
pub(crate) fn cells_of(clouds: &Clouds, rows: &[Vec<i64>]) -> i64 {
    let all: Vec<Vec<i64>> = rows.iter().map(|row| widths(clouds, row)).collect();
    (0..clouds.len()).map(|size| all.iter().map(|widths| widths[size]).product::<i64>()).sum()
}

/// The points in other coordinates.
pub(crate) fn transformed(clouds: &Clouds, rows: &[Vec<i64>]) -> Clouds {
    let point = |x: &Vec<i64>| rows.iter().map(|row| dot(row, x)).collect::<Vec<i64>>();
    let cloud = |cloud: &Vec<Vec<i64>>| cloud.iter().map(point).collect::<Vec<_>>();
    clouds.iter().map(|size| size.iter().map(cloud).collect()).collect()
}

pub(crate) fn identity(dimensions: usize) -> Vec<Vec<i64>> {
    (0..dimensions).map(|k| (0..dimensions).map(|j| i64::from(j == k)).collect()).collect()
}

fn product(a: &[Vec<i64>], b: &[Vec<i64>]) -> Vec<Vec<i64>> {
    let column = |j: usize| b.iter().map(|row| row[j]).collect::<Vec<i64>>();
    a.iter().map(|row| (0..b.len()).map(|j| dot(row, &column(j))).collect()).collect()
}

fn dot(a: &[i64], b: &[i64]) -> i64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// By the first row; there are four rows at most.
fn determinant(matrix: &[Vec<i64>]) -> i64 {
    let Some((first, rest)) = matrix.split_first() else { return 1 };
    let minor = |j: usize| {
        let without = |row: &Vec<i64>| (0..row.len()).filter(|k| *k != j).map(|k| row[k]).collect();
        determinant(&rest.iter().map(without).collect::<Vec<Vec<i64>>>())
    };
    first
        .iter()
        .enumerate()
        .filter(|(_, entry)| **entry != 0)
        .map(|(j, entry)| entry * minor(j) * if j % 2 == 0 { 1 } else { -1 })
        .sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn box_of(image: impl Fn(i64, i64) -> Vec<i64>) -> Clouds {
        vec![vec![(0..12).flat_map(|i| (0..9).map(move |j| (i, j))).map(|(i, j)| image(i, j)).collect()]]
    }

    #[test]
    fn skewed_boxes_become_straight() {
        for image in [|i, j| vec![i + j, j], |i, j| vec![2 * i + j, i + j], |i, j| vec![7 * i + 3 * j, 2 * i + j]] {
            let clouds = box_of(image);
            let rows = reindexed(&clouds).expect("the box is skewed");
            assert_eq!(cells_of(&clouds, &rows), 12 * 9, "{rows:?}");
            assert_eq!(determinant(&rows).abs(), 1);
        }
    }

    #[test]
    fn straight_boxes_stay() {
        assert_eq!(reindexed(&box_of(|i, j| vec![i, j + 5])), None);
    }
}
