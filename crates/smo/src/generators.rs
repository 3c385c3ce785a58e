//! Vertices and rays of a polyhedron whose constraints are given.
//!
//! ```text
//! { (h, x) : h >= 0, E (h, x) = 0, A (h, x) >= 0 }  =  { Σ λ g : λ >= 0, g among finitely many generators }
//! ```
//!
//! A polyhedron `c + a x >= 0` becomes a cone with one more coordinate, its *height* h: a generator with `h > 0` is the vertex
//! `x / h`, one with `h = 0` is a ray. An affine form is not negative on the polyhedron iff it is not negative on the generators.
//! This takes the place of the multipliers of Farkas' lemma (SMO §4.2): one row per generator, nothing to eliminate.
//!
//! The generators are found by double description (Motzkin), constraint by constraint: those on the right side stay, and every
//! two adjacent ones on either side of the new face are joined where they meet it. Two are adjacent iff no third one lies on all
//! the faces that both lie on. Exact; numbers past 2^30 are an error.

use polyfold_isl::{Error, ErrorKind, Result};

/// The generators of `{ z : z₀ >= 0, E z = 0, A z >= 0 }`, with coprime entries, in a fixed order. A line is two of them.
pub(crate) fn generators(width: usize, equalities: &[Vec<i64>], inequalities: &[Vec<i64>]) -> Result<Vec<Vec<i64>>> {
    let mut height = vec![0; width];
    height[0] = 1;
    let sides = equalities.iter().map(|row| (row, Side::Zero));
    let sides = sides.chain([(&height, Side::NotNegative)]);
    let sides: Vec<_> = sides.chain(inequalities.iter().map(|row| (row, Side::NotNegative))).collect();
    let mut cone = Cone::whole(width, sides.len());
    for (face, (row, side)) in sides.into_iter().enumerate() {
        cone.cut(face, row, side).ok_or_else(too_large)?;
    }
    cone.generators().ok_or_else(too_large)
}

/// Entries up to this can be multiplied with one another, and some such products added.
const MOST: i128 = 1 << 30;

fn too_large() -> Error {
    let message = format!(
        "a conflict, or a fact about sizes, has a number past {MOST}: vertices are computed with no larger ones"
    );
    Error { kind: ErrorKind::Refused, message }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Zero,
    NotNegative,
}

struct Ray {
    entries: Vec<i128>,
    faces: Faces,
}

struct Cone {
    /// The cone is the same in both directions of these.
    lines: Vec<Vec<i128>>,
    rays: Vec<Ray>,
    constraints: usize,
}

impl Cone {
    fn whole(width: usize, constraints: usize) -> Cone {
        let unit = |k| (0..width).map(|j| i128::from(j == k)).collect();
        Cone { lines: (0..width).map(unit).collect(), rays: Vec::new(), constraints }
    }

    /// Keeps one side of a face. `None` past 128 bits.
    fn cut(&mut self, face: usize, row: &[i64], side: Side) -> Option<()> {
        for (k, line) in self.lines.iter().enumerate() {
            let value = value(row, line)?;
            if value != 0 {
                let line = self.lines.remove(k);
                return self.cut_line(face, row, side, line, value);
            }
        }
        self.cut_rays(face, row, side)
    }

    /// Everything else is moved along the line into the face; half of the line may stay.
    fn cut_line(&mut self, face: usize, row: &[i64], side: Side, mut line: Vec<i128>, mut across: i128) -> Option<()> {
        if across < 0 {
            line.iter_mut().for_each(|entry| *entry = -*entry);
            across = -across;
        }
        for other in &mut self.lines {
            *other = combination(other, across, &line, -value(row, other)?)?;
        }
        for ray in &mut self.rays {
            ray.entries = combination(&ray.entries, across, &line, -value(row, &ray.entries)?)?;
            ray.faces.insert(face);
        }
        if side == Side::NotNegative {
            let mut faces = Faces::none(self.constraints);
            (0..face).for_each(|earlier| faces.insert(earlier));
            self.rays.push(Ray { entries: line, faces });
        }
        Some(())
    }

    fn cut_rays(&mut self, face: usize, row: &[i64], side: Side) -> Option<()> {
        let values = self.rays.iter().map(|ray| value(row, &ray.entries)).collect::<Option<Vec<i128>>>()?;
        let mut joined = Vec::new();
        for above in (0..values.len()).filter(|k| values[*k] > 0) {
            for below in (0..values.len()).filter(|k| values[*k] < 0) {
                let Some(mut faces) = self.edge(above, below) else { continue };
                faces.insert(face);
                let (high, low) = (&self.rays[above].entries, &self.rays[below].entries);
                joined.push(Ray { entries: combination(high, -values[below], low, values[above])?, faces });
            }
        }
        let mut old = std::mem::take(&mut self.rays).into_iter().zip(values);
        for (mut ray, value) in old.by_ref() {
            if value == 0 {
                ray.faces.insert(face);
            }
            if value == 0 || value > 0 && side == Side::NotNegative {
                self.rays.push(ray);
            }
        }
        self.rays.extend(joined);
        Some(())
    }

    /// The faces that two adjacent rays have in common; `None` if they are not adjacent.
    fn edge(&self, one: usize, other: usize) -> Option<Faces> {
        let common = self.rays[one].faces.and(&self.rays[other].faces);
        let width = self.rays[one].entries.len();
        if common.count() + self.lines.len() + 2 < width {
            return None;
        }
        let between = |(k, ray): (usize, &Ray)| k != one && k != other && common.is_within(&ray.faces);
        (!self.rays.iter().enumerate().any(between)).then_some(common)
    }

    fn generators(self) -> Option<Vec<Vec<i64>>> {
        let backward = |line: &Vec<i128>| line.iter().map(|entry| -entry).collect::<Vec<_>>();
        let backwards: Vec<_> = self.lines.iter().map(backward).collect();
        let all = self.rays.into_iter().map(|ray| ray.entries).chain(self.lines).chain(backwards);
        let is_small = |entry: &i128| (-MOST..=MOST).contains(entry);
        let narrow = |entries: Vec<i128>| {
            entries.into_iter().map(|entry| Some(entry).filter(is_small).map(|entry| entry as i64)).collect()
        };
        let mut all = all.map(narrow).collect::<Option<Vec<Vec<i64>>>>()?;
        all.sort();
        Some(all)
    }
}

/// Which constraints are equations at a ray.
#[derive(Clone)]
struct Faces(Vec<u64>);

impl Faces {
    fn none(count: usize) -> Faces {
        Faces(vec![0; count.div_ceil(64)])
    }

    fn insert(&mut self, face: usize) {
        self.0[face / 64] |= 1 << (face % 64);
    }

    fn and(&self, other: &Faces) -> Faces {
        Faces(self.0.iter().zip(&other.0).map(|(a, b)| a & b).collect())
    }

    fn is_within(&self, other: &Faces) -> bool {
        self.0.iter().zip(&other.0).all(|(a, b)| a & !b == 0)
    }

    fn count(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

fn value(row: &[i64], entries: &[i128]) -> Option<i128> {
    row.iter().zip(entries).try_fold(0i128, |sum, (a, z)| sum.checked_add(i128::from(*a).checked_mul(*z)?))
}

/// `a·x + b·y`, divided by what its entries have in common.
fn combination(x: &[i128], a: i128, y: &[i128], b: i128) -> Option<Vec<i128>> {
    let entry = |(x, y): (&i128, &i128)| a.checked_mul(*x)?.checked_add(b.checked_mul(*y)?);
    let mut entries = x.iter().zip(y).map(entry).collect::<Option<Vec<i128>>>()?;
    let divisor = entries.iter().fold(0, |divisor, entry| gcd(divisor, entry.abs()));
    if divisor > 1 {
        entries.iter_mut().for_each(|entry| *entry /= divisor);
    }
    Some(entries)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_triangle_that_grows_with_a_parameter() {
        // 1 <= i < j <= N: columns 1, N, i, j
        let rows = [vec![-1, 0, 1, 0], vec![-1, 0, -1, 1], vec![0, 1, 0, -1]];
        let found = generators(4, &[], &rows).unwrap();
        assert_eq!(found, [vec![0, 1, 0, 0], vec![0, 1, 0, 1], vec![0, 1, 1, 1], vec![1, 2, 1, 2]]);
    }

    #[test]
    fn a_cube_has_eight_vertices_and_a_slice_of_it_four() {
        let side = |k: usize, sign: i64, bound: i64| {
            let mut row = vec![bound, 0, 0, 0];
            row[k] = sign;
            row
        };
        let rows: Vec<_> = (1..4).flat_map(|k| [side(k, 1, 0), side(k, -1, 3)]).collect();
        assert_eq!(generators(4, &[], &rows).unwrap().len(), 8);
        let slice = generators(4, &[vec![0, 1, -1, 0]], &rows).unwrap();
        assert_eq!(slice, [vec![1, 0, 0, 0], vec![1, 0, 0, 3], vec![1, 3, 3, 0], vec![1, 3, 3, 3]]);
    }

    #[test]
    fn a_free_coordinate_is_two_generators_and_an_empty_set_has_no_vertex() {
        let found = generators(2, &[], &[]).unwrap();
        assert_eq!(found, [vec![0, -1], vec![0, 1], vec![1, 0]]);
        let empty = generators(2, &[], &[vec![-1, 1], vec![0, -1]]).unwrap();
        assert!(empty.iter().all(|generator| generator[0] == 0));
    }
}
