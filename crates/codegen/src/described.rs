//! Where cells live, in the words of comments.
//!
//! Example: `y[j mod 2][i]` for the cell `y[i][j]` under `[k mod 2][i]`. Like terms are collected: `(1, -1)` at `[i][j]`, from `-m` on, is
//! `i - j + m`. In windows of strips and tiles each coordinate is counted from the counter of its tile: `y - Y - 2 * (x - X) + 512`.
//!
//! Comments are for people: what is computed with in C, and in which type, is the tree's to say.

use crate::constants::Constants;
use crate::growth;
use crate::sizes_in_c::SizesInC;
use polyfold_isl::Result;
use polyfold_lattice::{Affine, Polynomial};
use polyfold_program::{Int, IntOp, Local, LocalId, LocalKind, Program};
use polyfold_prove::{LinearRow, Origin, Placed, Row, RowForm};
use polyfold_scop::{ArrayId, Scop};

/// The words for one array's places.
pub(crate) struct Words<'a> {
    pub(crate) array: ArrayId,
    pub(crate) sizes: &'a SizesInC,
    pub(crate) constants: &'a Constants,
    /// The names and types of the sizes, and names that comments have besides.
    program: Program,
}

impl<'a> Words<'a> {
    pub(crate) fn new(array: ArrayId, sizes: &'a SizesInC, constants: &'a Constants) -> Words<'a> {
        Words { array, sizes, constants, program: Program { locals: Vec::new(), ..sizes.program().clone() } }
    }

    /// What a name stands for.
    pub(crate) fn named(&mut self, name: &str) -> Int {
        let known = self.program.locals.iter().position(|own| own.name == name);
        let id = known.unwrap_or_else(|| {
            self.program.locals.push(Local { name: name.to_string(), kind: LocalKind::Integer, held: None });
            self.program.locals.len() - 1
        });
        Int::Local(LocalId(id))
    }

    /// A text in the source's words.
    pub(crate) fn in_source(&mut self, text: &str) -> Int {
        let is_word = text.chars().all(|c| c.is_alphanumeric() || c == '_');
        self.named(&if is_word { text.to_string() } else { format!("({text})") })
    }

    pub(crate) fn all_named(&mut self, names: &[String]) -> Vec<Int> {
        names.iter().map(|name| self.named(name)).collect()
    }

    pub(crate) fn text(&self, e: &Int) -> String {
        self.program.text_of(e)
    }

    /// `y[i][j]`
    pub(crate) fn cell(&self, name: &str, index: &[Int]) -> String {
        let subscripts: String = index.iter().map(|e| format!("[{}]", self.text(e))).collect();
        format!("{name}{subscripts}")
    }

    /// A modulus, by its name if it has one.
    fn modulus(&mut self, value: Int) -> Int {
        match self.constants.name(self.array, &value) {
            Some(name) => self.named(name),
            None => value,
        }
    }

    /// The extents of a place, outermost first.
    pub(crate) fn extents(&mut self, place: &Placed) -> Result<Vec<Int>> {
        match place.linear() {
            Some(row) => Ok(vec![self.polynomial(&row.modulus, row)]),
            None => place.rows().iter().map(|row| Ok(self.modulus(self.sizes.extent(&row.modulus)?))).collect(),
        }
    }

    /// A polynomial of a row, by its name if it has one.
    fn polynomial(&mut self, polynomial: &Polynomial, row: &LinearRow) -> Int {
        let size = self.sizes.named(&row.parameter).unwrap_or(Int::Constant(0));
        self.modulus(growth::in_closed_form(polynomial, row, &size))
    }

    /// The place of the cell with these coordinates.
    pub(crate) fn place(&mut self, storage: &Placed, coordinates: &[Int]) -> Result<Vec<Int>> {
        let mut index = Vec::new();
        for row in storage.rows() {
            let sum = combination(&row.coefficients, coordinates);
            index.push(match &row.form {
                RowForm::Fits { lowest } => less(sum, self.sizes.int(lowest)?),
                _ => {
                    let sum = more(sum, self.sizes.int(&row.shift)?);
                    remainder(sum, self.modulus(self.sizes.extent(&row.modulus)?))
                }
            });
        }
        for (axis, shift) in storage.inside().iter().flat_map(|inside| inside.shift.iter().enumerate()) {
            index.push(more(coordinates[axis].clone(), self.sizes.int(shift)?));
        }
        if let Some(row) = storage.linear() {
            index.push(self.growing(row, coordinates));
        }
        Ok(index)
    }

    /// The subscript of a row whose coefficients grow with a size: `(t_stride * i + j) mod t_size`.
    fn growing(&mut self, row: &LinearRow, coordinates: &[Int]) -> Int {
        let mut terms = Vec::new();
        for (coefficient, own) in row.coefficients.iter().zip(coordinates) {
            match *coefficient {
                Affine { constant: 0, slope: 0 } => {}
                Affine { constant: 1, slope: 0 } => terms.push(own.clone()),
                coefficient => {
                    let factor = self.polynomial(&coefficient.into(), row);
                    terms.push(Int::binary(IntOp::Multiply, factor, own.clone()));
                }
            }
        }
        if !row.shift.coefficients().is_empty() {
            terms.push(self.polynomial(&row.shift, row));
        }
        let sum = terms.into_iter().reduce(|sum, term| Int::binary(IntOp::Add, sum, term));
        remainder(sum.unwrap_or(Int::Constant(0)), self.polynomial(&row.modulus, row))
    }

    /// The place of a cell of storage whose rows are counted from where strips or tiles begin: `t[i - I + 2][j - J]`.
    pub(crate) fn place_in_window(
        &mut self,
        storage: &Placed,
        coordinates: &[Int],
        (origins, scop): (&[Option<Origin>], &Scop),
    ) -> Result<Vec<Int>> {
        let mut index = self.place(storage, coordinates)?;
        for ((own, row), origin) in index.iter_mut().zip(storage.rows()).zip(origins) {
            if let Some(origin) = origin {
                *own = self.counted_from(row, coordinates, (origin, scop));
            }
        }
        Ok(index)
    }

    fn counted_from(&mut self, row: &Row, coordinates: &[Int], (origin, scop): (&Origin, &Scop)) -> Int {
        let sign = if origin.is_turned() { -1 } else { 1 };
        let factors: Vec<i64> = row.coefficients.iter().map(|factor| sign * factor).collect();
        let loops = scop.loops();
        let begin = origin.terms().iter().fold(Int::Constant(origin.lowest()), |sum, (id, factor)| {
            let counter = self.named(&loops[id.0].iterator);
            Int::binary(IntOp::Add, sum, Int::binary(IntOp::Multiply, Int::Constant(*factor), counter))
        });
        // What grows comes last in the source's order, and first here.
        let backwards = |all: &[i64]| all.iter().rev().copied().collect::<Vec<i64>>();
        let coordinates: Vec<Int> = coordinates.iter().take(factors.len()).rev().cloned().collect();
        less(combination(&backwards(&factors), &coordinates), begin)
    }

    /// The place of a cell in a window that slides: `u_from + j - 1`.
    pub(crate) fn place_in_slide(&mut self, begin: &str, storage: &Placed, coordinates: &[Int], first: Int) -> Int {
        let all: Vec<Int> = std::iter::once(Int::Constant(0)).chain(coordinates.iter().cloned()).collect();
        let begin = self.named(begin);
        less(more(begin, combination(&storage.rows()[0].coefficients, &all)), first)
    }
}

/// `(i mod 2) * m + j`: the one subscript for all dimensions.
pub(crate) fn flat(index: &[Int], extents: &[Int]) -> Int {
    let mut rest = index.iter().zip(extents);
    let first = rest.next().map_or(Int::Constant(0), |(first, _)| first.clone());
    rest.fold(first, |flat, (own, extent)| {
        let rows = match flat {
            Int::Constant(0) => return own.clone(),
            Int::Constant(1) => extent.clone(),
            flat => Int::binary(IntOp::Multiply, flat, extent.clone()),
        };
        if *own == Int::Constant(0) { rows } else { more(rows, own.clone()) }
    })
}

/// `Σ coefficient · coordinate`
fn combination(coefficients: &[i64], coordinates: &[Int]) -> Int {
    let terms = coefficients.iter().zip(coordinates).filter(|(factor, _)| **factor != 0);
    let terms = terms.map(|(factor, own)| Int::binary(IntOp::Multiply, Int::Constant(*factor), own.clone()));
    terms.reduce(|sum, term| Int::binary(IntOp::Add, sum, term)).unwrap_or(Int::Constant(0))
}

fn more(sum: Int, by: Int) -> Int {
    Int::binary(IntOp::Add, sum, by).tidy(&[])
}

fn less(sum: Int, by: Int) -> Int {
    Int::binary(IntOp::Subtract, sum, by).tidy(&[])
}

fn remainder(sum: Int, modulus: Int) -> Int {
    if modulus == Int::Constant(1) { Int::Constant(0) } else { Int::binary(IntOp::FloorModulo, sum, modulus) }
}

#[cfg(test)]
mod tests {
    use super::{combination, flat, less, more};
    use polyfold_program::{Int, IntOp, LocalId, Program};

    fn names() -> (Program, Vec<Int>) {
        let program = Program::read(
            "program p() { for i = 0 while i < 1 step 1 { for j = 0 while j < 1 step 1 {
            for m = 0 while m < 1 step 1 { } } } }",
        );
        (program.expect("a program"), (0..3).map(|k| Int::Local(LocalId(k))).collect())
    }

    #[test]
    fn combinations_collect_their_terms() {
        let (program, all) = names();
        let text = |e: Int| program.text_of(&e);
        assert_eq!(text(combination(&[2, 1], &all).tidy(&[])), "2 * i + j");
        let from = Int::binary(IntOp::Subtract, Int::Constant(0), all[2].clone());
        assert_eq!(text(less(combination(&[1, -1], &all), from)), "i - j + m");
        let by = Int::binary(IntOp::Subtract, all[2].clone(), Int::Constant(1));
        assert_eq!(text(more(combination(&[0, -1], &all), by)), "m - j - 1");
    }

    #[test]
    fn rows_become_one() {
        let (program, all) = names();
        let ring = Int::binary(IntOp::FloorModulo, all[0].clone(), Int::Constant(2));
        let text = |index: &[Int], extents: &[Int]| program.text_of(&flat(index, extents));
        let extents = [Int::Constant(2), all[2].clone()];
        assert_eq!(text(&[ring, all[1].clone()], &extents), "(i mod 2) * m + j");
        assert_eq!(text(&[Int::Constant(0), all[1].clone()], &extents), "j");
        assert_eq!(text(&[Int::Constant(1), Int::Constant(0)], &extents), "m");
    }
}
