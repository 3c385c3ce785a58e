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
use crate::{ConflictSet, Row};

/// Polyhedra with larger numbers are left to the greedy heuristic; sums of such products stay within 64 bits.
const LARGEST: i64 = 1 << 40;

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

impl Frame {
    /// The frames worth a try: iterators aligned at the end, and at the start if that is something else.
    pub(crate) fn all(conflicts: &ConflictSet, class: &[usize]) -> Vec<Frame> {
        let arities: Vec<usize> = class.iter().map(|statement| conflicts.arity(*statement)).collect();
        let dimensions = arities.iter().copied().max().unwrap_or(0);
        let aligned = |first: &dyn Fn(usize) -> usize| Frame {
            dimensions,
            columns: arities.iter().map(|arity| (first(*arity)..first(*arity) + arity).collect()).collect(),
        };
        let mut frames = vec![aligned(&|arity| dimensions - arity), aligned(&|_| 0)];
        frames.dedup();
        frames
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
