//! Common coordinates for statements of a class, and conflicts as differences in them.
//!
//! A level of the engines `fast` and `joint` has one normal Γ for all statements, so that of a conflict only its difference
//! matters. Statements with fewer iterators lack some coordinates, which count as 0:
//!
//! ```text
//! d = x(s) − x(t),   x(s)_c = s_k where iterator k of S is coordinate c;   place of s − place of t = Γ·d + δ_S − δ_T
//! ```
//!
//! Example: with the values `In[i]` and `S[t, i]` aligned at the end, `In[j]` and `S[1, i]` differ by (−1, j − i).
//!
//! What the frame says is a guess: any frame gives sound levels, a bad one gives large ones.

use crate::conflicts::{Corner, Polyhedron};
use crate::span::Span;
use crate::{ConflictSet, Row};

/// Polyhedra with larger numbers are left to the greedy heuristic; sums of such products stay within 64 bits.
const LARGEST: i64 = 1 << 30;

/// Which coordinates the iterators of a class are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Frame {
    /// Number of coordinates.
    pub(crate) dimensions: usize,
    /// For each statement of the class, and each of its iterators, the coordinate.
    columns: Vec<Vec<usize>>,
}

/// A conflict polyhedron in a frame. Statements are named by their place in the class.
pub(crate) struct Piece {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// Its generators under `(s, t) ↦ x(s) − x(t)`, each once.
    pub(crate) differences: Vec<(Corner, Vec<i64>)>,
}

/// Ways to give the iterators of one statement coordinates, at most.
const MOST_WAYS: usize = 120;

impl Frame {
    /// The frames worth a try: iterators aligned at the end, at the start, and as the conflicts suggest.
    pub(crate) fn all(conflicts: &ConflictSet, class: &[usize], polyhedra: &[&Polyhedron]) -> Vec<Frame> {
        let arities: Vec<usize> = class.iter().map(|statement| conflicts.arity(*statement)).collect();
        let dimensions = arities.iter().copied().max().unwrap_or(0);
        let aligned = |first: &dyn Fn(usize) -> usize| Frame {
            dimensions,
            columns: arities.iter().map(|arity| (first(*arity)..first(*arity) + arity).collect()).collect(),
        };
        let at_end = aligned(&|arity| dimensions - arity);
        let fitted = at_end.fitted(class, polyhedra);
        let mut frames = vec![at_end, aligned(&|_| 0)];
        frames.extend(fitted.filter(|fitted| !frames.contains(fitted)));
        frames.dedup();
        frames
    }

    /// Coordinates with which more conflicts differ in one direction: one statement after the other gets those that fit best to
    /// the statements before it. `None` if there is nothing to gain.
    fn fitted(&self, class: &[usize], polyhedra: &[&Polyhedron]) -> Option<Frame> {
        let count = class.len();
        let place = |statement| class.iter().position(|member| *member == statement);
        let between: Vec<(usize, usize, &Polyhedron)> =
            polyhedra.iter().map(|k| Some((place(k.from)?, place(k.to)?, *k))).collect::<Option<_>>()?;
        if between.iter().all(|(from, to, k)| self.is_separable(*from, *to, k)) {
            return None;
        }
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|place| std::cmp::Reverse(self.columns[*place].len()));
        let mut rank = vec![0; count];
        order.iter().enumerate().for_each(|(k, place)| rank[*place] = k);
        let mut fitted = self.clone();
        for (done, place) in order.iter().enumerate().skip(1) {
            let is_due = |from: usize, to: usize| {
                from != to && [from, to].contains(place) && rank[from] <= done && rank[to] <= done
            };
            let score = |columns: &Vec<usize>| {
                let mut frame = fitted.clone();
                frame.columns[*place].clone_from(columns);
                let due = between.iter().filter(|(from, to, _)| is_due(*from, *to));
                due.filter(|(from, to, k)| !frame.is_separable(*from, *to, k)).count()
            };
            let best = std::iter::once(self.columns[*place].clone())
                .chain(injections(self.columns[*place].len(), self.dimensions))
                .min_by_key(score)?;
            fitted.columns[*place] = best;
        }
        Some(fitted)
    }

    /// Whether some axis can keep the ends of a conflict apart with offsets alone.
    fn is_separable(&self, from: usize, to: usize, polyhedron: &Polyhedron) -> bool {
        let Some(piece) = self.piece(from, to, polyhedron) else { return false };
        let axis = |c: usize| (0..self.dimensions).map(|k| i64::from(k == c)).collect::<Vec<i64>>();
        (0..self.dimensions).any(|c| Span::new(&piece, &axis(c)).is_bounded_on_one_side())
    }

    /// A statement's row for a normal in the frame.
    pub(crate) fn row(&self, place: usize, normal: &[i64], offset: i64) -> Row {
        Row { coefficients: self.columns[place].iter().map(|column| normal[*column]).collect(), offset }
    }

    /// The conflicts of a class. `None` if numbers are too large.
    pub(crate) fn pieces(&self, class: &[usize], polyhedra: &[&Polyhedron]) -> Option<Vec<Piece>> {
        let place = |statement| class.iter().position(|member| *member == statement);
        let piece = |polyhedron: &&Polyhedron| self.piece(place(polyhedron.from)?, place(polyhedron.to)?, polyhedron);
        polyhedra.iter().map(piece).collect()
    }

    fn piece(&self, from: usize, to: usize, polyhedron: &Polyhedron) -> Option<Piece> {
        let mut differences = Vec::new();
        for generator in polyhedron.generators.iter() {
            let mut difference = vec![0_i64; self.dimensions];
            for (column, value) in self.columns[from].iter().zip(&generator.from) {
                difference[*column] = *value;
            }
            for (column, value) in self.columns[to].iter().zip(&generator.to) {
                difference[*column] = difference[*column].checked_sub(*value)?;
            }
            let corner = &generator.corner;
            let is_small = |number: &i64| (-LARGEST..=LARGEST).contains(number);
            if !difference.iter().chain(&corner.parameters).chain([&corner.height]).all(is_small) {
                return None;
            }
            differences.push((corner.clone(), difference));
        }
        differences.sort();
        differences.dedup();
        Some(Piece { from, to, differences })
    }
}

/// All ways to give so many iterators different coordinates; none if they are too many to try.
fn injections(arity: usize, dimensions: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..arity {
        let longer = |columns: &Vec<usize>| {
            let free = (0..dimensions).filter(|c| !columns.contains(c));
            free.map(|c| [columns.as_slice(), &[c]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
        if all.len() > MOST_WAYS {
            return Vec::new();
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    fn frames(pairs: &str) -> (ConflictSet, Vec<Frame>) {
        let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", pairs).unwrap();
        let class: Vec<usize> = (0..conflicts.statements().len()).collect();
        let frames = Frame::all(&conflicts, &class, &conflicts.between(&class));
        (conflicts, frames)
    }

    fn columns(frames: &[Frame]) -> Vec<Vec<Vec<usize>>> {
        frames.iter().map(|frame| frame.columns.clone()).collect()
    }

    #[test]
    fn a_missing_iterator_is_the_first_or_the_last() {
        let (conflicts, frames) = frames("[N] -> { S[t, i] -> In[j] : t = 0 and 0 <= j < i < N }");
        assert_eq!(columns(&frames), [[vec![1], vec![0, 1]], [vec![0], vec![0, 1]]]);
        let pieces = frames[0].pieces(&[0, 1], &conflicts.between(&[0, 1])).unwrap();
        assert!(pieces[0].differences.iter().all(|(_, d)| d[0] == 0 && d[1] <= 0), "In comes first");
        assert_eq!(frames[0].row(0, &[7, 3], 2).coefficients, [3]);
    }

    #[test]
    fn a_transpose_is_turned() {
        let (_, frames) = frames("[N] -> {
            S[i, j] -> T[l, k] : 0 <= k < i < N and 0 <= j, l < N; S[i, j] -> T[l, i] : 0 <= l < j < N and 0 <= i < N }");
        assert_eq!(columns(&frames), [[vec![0, 1], vec![0, 1]], [vec![0, 1], vec![1, 0]]]);
    }

    #[test]
    fn what_fits_is_left_as_it_is() {
        let (_, frames) = frames("[N] -> { S[i, j] -> T[k, l] : 0 <= k < i < N and 0 <= j, l < N }");
        assert_eq!(frames.len(), 1);
    }

    #[test]
    fn large_numbers_are_left_to_others() {
        let (conflicts, frames) = frames("[N] -> { S[i] -> S[j] : -1000000000 <= i < j <= 1000000000 }");
        assert!(frames[0].pieces(&[0], &conflicts.between(&[0])).is_none());
    }
}
