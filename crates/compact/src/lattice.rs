//! The lattice that the cells of a set lie on.
//!
//! A set's affine hull says which linear combinations of coordinates are fixed, or fixed modulo a number. The differences of its
//! points lie on the lattice of what that leaves; those of a union generate one with the differences between its parts. The basis in Hermite form has rows `h_1, …, h_r` with pivots further and further to
//! the right:
//!
//! ```text
//! x = x0 + z_1 h_1 + … + z_r h_r
//! ```
//!
//! Two relations tell its points apart. *Pivot division* divides the pivots' coordinates, `floor(x_p / h_p)`. *Coordinates* are the z
//! themselves, one after the other, each with what the ones before contribute taken away first. x0 is not needed where each
//! pivot's coordinate has one remainder: rounding down then moves all by the same number. Else coordinates are counted from their least
//! values first, which saves up to one step along each.
//!
//! Example: `{ [2i + n, 3i] }` has the basis (2, 3), and its points are told apart by `floor(x0 / 2)`. A checkerboard has the basis (1, 1),
//! (0, 2): division gives `[x0, floor(x1 / 2)]`, coordinates are `[x0, floor((x1 - x0) / 2)]`.
//!
//! Source: US 8,661,422 ("algebraic simplification"); Schrijver for Hermite's form.

use crate::reindex::identity;
use crate::sample::Clouds;
use crate::text::tuple;
use polyfold_isl::{Map, Result, Set};
use polyfold_lattice::{Matrix, hermite_form};

/// A basis in Hermite form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lattice {
    /// How many coordinates a point has.
    pub dimensions: usize,
    /// The basis, row by row.
    pub rows: Vec<Vec<i64>>,
    /// The coordinate of each row's pivot.
    pub pivots: Vec<usize>,
}

impl Lattice {
    /// The lattice of a set, which is not empty.
    ///
    /// Parts are compared where they are there at the same parameter values: what is never together has no differences. A part that is only
    /// there where an earlier one is needs to be compared with that one alone.
    pub(crate) fn of(cells: &Set) -> Result<Lattice> {
        let pieces = cells.convex_pieces()?;
        let mut lattice = Lattice { dimensions: cells.dimensions()?, rows: Vec::new(), pivots: Vec::new() };
        for (k, piece) in pieces.iter().enumerate() {
            lattice = lattice.with(&generators_of(piece, false)?)?;
            for other in compared(piece, &pieces[..k])? {
                if lattice.is_everything() {
                    return Ok(lattice);
                }
                lattice = lattice.with(&generators_of(&other.with_each_of(piece)?.deltas()?, true)?)?;
            }
        }
        Ok(lattice)
    }

    /// The lattice with more generators; an error past 64 bits.
    fn with(&self, generators: &[Vec<i64>]) -> Result<Lattice> {
        let basis = hermite_form(&Matrix::of(self.dimensions, &[self.rows.as_slice(), generators].concat()));
        let rows = basis.form.narrow_rows()?[..basis.pivots.len()].to_vec();
        Ok(Lattice { dimensions: self.dimensions, rows, pivots: basis.pivots })
    }

    /// The lattice of points' differences within each instance.
    pub(crate) fn of_points(clouds: &Clouds) -> Lattice {
        let dimensions = clouds.iter().flatten().flatten().next().map_or(0, Vec::len);
        let mut lattice = Lattice { dimensions, rows: Vec::new(), pivots: Vec::new() };
        for cloud in clouds.iter().flatten() {
            for x in cloud.iter().skip(1) {
                let difference: Vec<i64> = x.iter().zip(&cloud[0]).map(|(x, first)| x - first).collect();
                if !lattice.contains(&difference) {
                    // Past 64 bits nothing is divided.
                    let Ok(larger) = lattice.with(&[difference]) else { return Lattice::everything(dimensions) };
                    lattice = larger;
                }
            }
        }
        lattice
    }

    fn everything(dimensions: usize) -> Lattice {
        Lattice { dimensions, rows: identity(dimensions), pivots: (0..dimensions).collect() }
    }

    fn contains(&self, x: &[i64]) -> bool {
        let mut left = x.to_vec();
        for (z, row) in self.coordinates_of_point(x).iter().zip(&self.rows) {
            left.iter_mut().zip(row).for_each(|(left, h)| *left -= z * h);
        }
        left.iter().all(|left| *left == 0)
    }

    /// Whether every point of the space is on it.
    pub(crate) fn is_everything(&self) -> bool {
        let is_one = |(row, pivot): (&Vec<i64>, &usize)| row[*pivot] == 1;
        self.rows.len() == self.dimensions && self.rows.iter().zip(&self.pivots).all(is_one)
    }

    /// Whether division and coordinates are the same.
    pub(crate) fn is_diagonal(&self) -> bool {
        let others =
            |(row, pivot): (&Vec<i64>, &usize)| self.pivots.iter().all(|other| other == pivot || row[*other] == 0);
        self.rows.iter().zip(&self.pivots).all(others)
    }

    /// `{ [x] -> [floor(x_p / h_p), …] }`.
    pub(crate) fn divided(&self, like: &Set) -> Result<Map> {
        let parts = self.rows.iter().zip(&self.pivots).map(|(row, pivot)| quotient(&format!("x{pivot}"), row[*pivot]));
        self.map(like, parts.collect())
    }

    /// `{ [x] -> [z] }`.
    pub(crate) fn coordinates(&self, like: &Set) -> Result<Map> {
        let mut parts: Vec<String> = Vec::new();
        for (k, pivot) in self.pivots.iter().enumerate() {
            let before: String = (0..k).map(|j| format!(" - {}*({})", self.rows[j][*pivot], parts[j])).collect();
            parts.push(quotient(&format!("(x{pivot}{before})"), self.rows[k][*pivot]));
        }
        self.map(like, parts)
    }

    fn map(&self, like: &Set, parts: Vec<String>) -> Result<Map> {
        let from = tuple("x", like.dimensions()?);
        Map::read(like.context(), &format!("{{ [{from}] -> [{}] }}", parts.join(", ")))
    }

    /// One point divided.
    pub(crate) fn divided_point(&self, x: &[i64]) -> Vec<i64> {
        self.rows.iter().zip(&self.pivots).map(|(row, pivot)| x[*pivot].div_euclid(row[*pivot])).collect()
    }

    /// The coordinates of one point.
    pub(crate) fn coordinates_of_point(&self, x: &[i64]) -> Vec<i64> {
        let mut z: Vec<i64> = Vec::new();
        for (k, pivot) in self.pivots.iter().enumerate() {
            let before: i64 = (0..k).map(|j| self.rows[j][*pivot] * z[j]).sum();
            z.push((x[*pivot] - before).div_euclid(self.rows[k][*pivot]));
        }
        z
    }
}

/// The earlier parts that a part is compared with.
fn compared<'a>(piece: &Set, earlier: &'a [Set]) -> Result<Vec<&'a Set>> {
    let there = piece.params()?;
    for other in earlier {
        if there.is_subset(&other.params()?)? {
            return Ok(vec![other]);
        }
    }
    Ok(earlier.iter().collect())
}

/// Vectors that generate the differences of a convex set's points, or its points themselves, for all parameter values together.
fn generators_of(piece: &Set, of_points: bool) -> Result<Vec<Vec<i64>>> {
    if piece.is_empty()? {
        return Ok(Vec::new());
    }
    let dimensions = piece.dimensions()?;
    let hull = piece.affine_hull()?.polyhedra()?;
    let (locals, equalities) = hull.first().map_or((0, &[][..]), |piece| (piece.locals, &piece.equalities[..]));
    // By unknown what it contributes to each equality: the combinations that contribute nothing are next to the zero rows. Points are
    // those with 1 for the constant, so that this is an unknown, too, and so are parameters.
    let width = equalities.first().map_or(1 + dimensions + locals, Vec::len);
    let unknowns: Vec<usize> = match of_points {
        true => (1..width).chain([0]).collect(),
        false => (1..1 + dimensions + locals).collect(),
    };
    let by_unknown = |k: &usize| equalities.iter().map(|row| row[*k]).collect::<Vec<i64>>();
    let matrix = Matrix::of(equalities.len(), &unknowns.iter().map(by_unknown).collect::<Vec<_>>());
    let form = hermite_form(&matrix);
    let free = &form.transform.narrow_rows()?[form.pivots.len()..];
    Ok(free.iter().map(|row| row[..dimensions].to_vec()).collect())
}

fn quotient(dividend: &str, divisor: i64) -> String {
    if divisor == 1 { dividend.to_string() } else { format!("floor({dividend}/{divisor})") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    fn lattice(text: &str) -> Result<Lattice> {
        Lattice::of(&Set::read(&Context::new(), text)?)
    }

    #[test]
    fn a_line_has_one_row() -> Result<()> {
        let line = lattice("[n] -> { [x, y] : exists (i : x = 2i + n and y = 3i and 0 <= i < n) }")?;
        assert_eq!(line, Lattice { dimensions: 2, rows: vec![vec![2, 3]], pivots: vec![0] });
        assert_eq!(line.divided_point(&[7, 3]), [3]);
        Ok(())
    }

    #[test]
    fn a_checkerboard_has_two() -> Result<()> {
        let board = lattice("[n] -> { [x, y] : exists (e : x + y = 2e) and 0 <= x < n and 0 <= y < n }")?;
        assert_eq!(board.rows, [[1, 1], [0, 2]]);
        assert!(!board.is_diagonal() && !board.is_everything());
        assert_eq!(board.coordinates_of_point(&[3, 5]), [3, 1]);
        assert!(lattice("[n] -> { [x, y] : 0 <= x < n and 0 <= y <= x }")?.is_everything());
        Ok(())
    }

    #[test]
    fn unions_lie_on_the_coarsest_lattice_that_holds_both() -> Result<()> {
        let both =
            lattice("{ [x] : exists (e : x = 4e) and 0 <= x < 99; [x] : exists (e : x = 6e + 2) and 0 <= x < 99 }")?;
        assert_eq!(both.rows, [[2]]);
        Ok(())
    }

    /// The second part shares instances with both others, which share none.
    #[test]
    fn parts_that_are_never_together_have_no_differences() -> Result<()> {
        let even = "exists (e : x = 2e) and 0 <= x < 99";
        let apart = lattice(&format!("[n] -> {{ [x] : n < 0 and {even}; [x] : n >= 5 and {even} }}"))?;
        assert_eq!(apart.rows, [[2]]);
        let odd = "exists (e : x = 2e + 1) and 0 <= x < 99";
        let shifted = lattice(&format!("[n] -> {{ [x] : n < 0 and {even}; [x] : n >= 5 and {odd} }}"))?;
        assert_eq!(shifted.rows, [[2]]);
        let between = format!("[n] -> {{ [x] : n < 0 and {even}; [x] : n >= 5 and {even}; [x] : n >= -9 and {odd} }}");
        assert!(lattice(&between)?.is_everything());
        Ok(())
    }

    #[test]
    fn one_cell_has_no_rows() -> Result<()> {
        let cell = lattice("[n] -> { [x, y] : x = n and y = 2 }")?;
        assert!(cell.rows.is_empty() && !cell.is_everything());
        Ok(())
    }
}
