//! Accesses go to the cells that a storage mapping gives them.
//!
//! ```text
//! x -> (M x + s) mod b      A[i][j]  becomes  W[(i - j + s) mod b]
//! ```
//!
//! Nothing else changes: order, values and counters stay. Several arrays may have their cells in
//! one buffer. An array that isn't mapped keeps its own, and may lend cells to those that are.
//!
//! Example: with `Storage` of `A[i]` in `W[i mod 2]` the statement `S0(i): A[i] = A[i - 1]` becomes
//! `S0(i): W[i mod 2] = W[(i - 1) mod 2]`.
//!
//! Paper: Bee §2, for modular mappings; SMO §2, for buffers that statements share.
//!
//! Invariant: the program has the same interface; only temporaries are mapped.

use polyfold_program::Sum;
use polyfold_program::{Buffer, BufferId, Element, Home, Int, IntOp, Layout, Place, Program, Role, Stmt};

/// Where the cells of one array live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The array.
    pub array: BufferId,
    /// Whose cells they are from now on.
    pub home: StorageHome,
    /// One for each dimension of the buffer.
    pub coordinates: Vec<Coordinate>,
}

/// A buffer that holds cells of arrays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StorageHome {
    /// A new one. Arrays with the same name share it.
    New {
        /// Its name.
        name: String,
        /// How C has its dimensions.
        layout: Layout,
    },
    /// The memory of another array.
    Inside(BufferId),
}

/// `(Σ coefficient * subscript + shift) mod modulus`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// One for each dimension of the array: numbers, or functions of the sizes.
    pub coefficients: Vec<Int>,
    /// A number, or a function of the sizes.
    pub shift: Int,
    /// The extent of the buffer's dimension.
    pub modulus: Int,
    /// What the modulus is never below.
    pub least: i64,
    /// How the remainder is taken.
    pub remainder: Remainder,
}

/// How a sum becomes a subscript in `0 .. modulus`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Remainder {
    /// It lies there as it is.
    Fits,
    /// With so many times the modulus it isn't negative: C's remainder is the one.
    Lifted(i64),
    /// It may be anything.
    Floor,
}

/// The program with its arrays in new buffers. `None`: an array isn't a temporary, has two storages, or one of other
/// dimensions; two arrays disagree about the buffer that they share; or a region of an array is copied.
pub fn apply_storage(program: &Program, storages: &[Storage]) -> Option<Program> {
    let mut after = program.clone();
    let mut homes = vec![None; program.buffers.len()];
    for storage in storages {
        let own = &program.buffers[storage.array.0];
        let has_all = storage.coordinates.iter().all(|own_row| own_row.coefficients.len() == own.extents.len());
        if own.role != Role::Temporary || homes[storage.array.0].is_some() || !has_all {
            return None;
        }
        let id = match &storage.home {
            StorageHome::Inside(host) => *host,
            StorageHome::New { name, layout } => {
                let named = (name.as_str(), *layout, &own.element);
                new_buffer(&mut after, program.buffers.len(), named, &storage.coordinates)?
            }
        };
        homes[storage.array.0] = Some((id, storage));
    }
    let mapping = Mapping { homes };
    let mut is_copied = false;
    program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| is_copied |= mapping.is_copied(stmt)));
    after.body = program.body.iter().map(|stmt| stmt.with_cells(&mut |place| mapping.home(place))).collect();
    (!is_copied).then_some(after)
}

/// The buffer of a name, a layout and an element among those that are new, as it is or as it comes. `None`: it is another one.
pub(crate) fn new_buffer(
    program: &mut Program,
    first_new: usize,
    (name, layout, element): (&str, Layout, &Element),
    coordinates: &[Coordinate],
) -> Option<BufferId> {
    let extents = coordinates.iter().map(|coordinate| Some(coordinate.modulus.clone())).collect();
    let (name, element) = (name.to_string(), element.clone());
    let buffer = Buffer { name, role: Role::Temporary, extents, layout, home: Home::Inside, element };
    match program.buffers[first_new..].iter().position(|other| other.name == buffer.name) {
        Some(other) => (program.buffers[first_new + other] == buffer).then_some(BufferId(first_new + other)),
        None => {
            program.buffers.push(buffer);
            Some(BufferId(program.buffers.len() - 1))
        }
    }
}

/// The new buffer and the storage of each array that is mapped.
struct Mapping<'a> {
    homes: Vec<Option<(BufferId, &'a Storage)>>,
}

impl Mapping<'_> {
    /// Whether a region of an array that is mapped is copied.
    fn is_copied(&self, stmt: &Stmt) -> bool {
        let is_mapped = |buffer: BufferId| self.homes[buffer.0].is_some();
        matches!(stmt, Stmt::Copy(copy) if is_mapped(copy.to.buffer) || is_mapped(copy.from.buffer))
    }

    /// Where a cell lives.
    fn home(&self, place: Place) -> Place {
        match &place {
            Place::Cell { buffer, index } => match &self.homes[buffer.0] {
                Some((home, storage)) => {
                    let index = storage.coordinates.iter().map(|coordinate| coordinate.of(index)).collect();
                    Place::Cell { buffer: *home, index }
                }
                None => place,
            },
            _ => place,
        }
    }
}

impl Coordinate {
    /// Its value for some subscripts.
    pub(crate) fn of(&self, index: &[Int]) -> Int {
        let terms = self.coefficients.iter().zip(index);
        let sum = terms.fold(Sum::default(), |sum, (coefficient, e)| match (coefficient, e) {
            (Int::Constant(coefficient), e) => sum.plus(e, *coefficient),
            (_, Int::Constant(0)) => sum,
            (coefficient, Int::Constant(1)) => sum.plus_term(coefficient),
            (coefficient, e) => sum.plus_term(&Int::binary(IntOp::Multiply, coefficient.clone(), e.clone())),
        });
        let sum = sum.plus(&self.shift, 1);
        let settled = match &self.modulus {
            Int::Constant(modulus @ 1..) if self.remainder != Remainder::Fits => sum.modulo(*modulus),
            _ => None,
        };
        if let Some(rest) = settled {
            return Int::Constant(rest);
        }
        match self.remainder {
            Remainder::Fits => sum.print(index),
            Remainder::Floor => Int::binary(IntOp::FloorModulo, sum.print(index), self.modulus.clone()),
            Remainder::Lifted(times) => match (sum.print(index), &self.modulus) {
                (Int::Constant(value), _) if self.is_remainder(value) => Int::Constant(value),
                (e, modulus) if Sum::difference(&e, modulus).is_some_and(|value| self.is_remainder(value)) => {
                    Int::Constant(Sum::difference(&e, modulus).unwrap_or_default())
                }
                (_, Int::Constant(_)) => remainder(sum.plus(&self.modulus, times).print(index), &self.modulus),
                // The modulus stays as it is, since it may get a name.
                (e, _) if times == 0 => remainder(e, &self.modulus),
                (e, _) if times == 1 => remainder(added(e, self.modulus.clone()), &self.modulus),
                (e, _) => {
                    let lift = Int::binary(IntOp::Multiply, Int::Constant(times), self.modulus.clone());
                    remainder(added(e, lift), &self.modulus)
                }
            },
        }
    }
}

impl Coordinate {
    fn is_remainder(&self, value: i64) -> bool {
        (0..self.least).contains(&value)
    }
}

fn added(left: Int, right: Int) -> Int {
    match left {
        Int::Constant(0) => right,
        left => Int::binary(IntOp::Add, left, right),
    }
}

/// C's remainder of an integer that isn't negative.
fn remainder(e: Int, modulus: &Int) -> Int {
    match (&e, modulus) {
        (Int::Constant(value), Int::Constant(modulus)) if *modulus > 0 && *value >= 0 => Int::Constant(value % modulus),
        _ => Int::binary(IntOp::Remainder, e, modulus.clone()),
    }
}

#[cfg(test)]
mod tests {
    use super::{Coordinate, Remainder, Storage, StorageHome, apply_storage};
    use polyfold_isl::Context;
    use polyfold_program::{Assign, BufferId, Int, Layout, Place, Program, Stmt};
    use polyfold_prove::validate::{Verdict, dataflow};
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n) where n >= 1 { in A[n][n]; out B[n][n]; temporary W[n][n];
        for i = 0 while i < n step 1 {
          for j = 0 while j < n step 1 {
            S0(i, j): W[i][j] = 2 * A[i][j];
            if (i >= 1) { S1(i, j): B[i][j] = W[i - 1][j] + W[i][j]; }
          }
        } }";

    #[test]
    fn a_remainder_that_is_always_the_same_is_a_number() {
        let source = Program::read(SOURCE).expect("a program");
        let one = rows(&source, 1);
        let rows_of = |stmt: &Stmt| match stmt {
            Stmt::Assign(Assign { target: Place::Cell { index, .. }, .. }) => Some(index[0].clone()),
            _ => None,
        };
        let mut found = Vec::new();
        one.body.iter().for_each(|stmt| stmt.each(&mut |stmt| found.extend(rows_of(stmt))));
        assert_eq!(found[0], Int::Constant(0));
    }

    fn rows(source: &Program, modulus: i64) -> Program {
        let coordinate = |coefficients: [i64; 2], modulus: Int, remainder: Remainder| Coordinate {
            coefficients: coefficients.map(Int::Constant).to_vec(),
            shift: Int::Constant(0),
            modulus,
            least: 1,
            remainder,
        };
        let n = Int::Parameter(source.parameter("n").expect("a size"));
        let coordinates =
            vec![coordinate([1, 0], Int::Constant(modulus), Remainder::Floor), coordinate([0, 1], n, Remainder::Fits)];
        let storage = Storage {
            array: source.buffer("W").expect("a buffer"),
            home: StorageHome::New { name: "rows".to_string(), layout: Layout::Rows },
            coordinates,
        };
        apply_storage(source, &[storage]).expect("a temporary")
    }

    /// W in the memory of B, so many rows further on.
    fn inside(source: &Program, shift: i64) -> Program {
        let n = Int::Parameter(source.parameter("n").expect("a size"));
        let coordinate = |coefficients: [i64; 2], shift: i64| Coordinate {
            coefficients: coefficients.map(Int::Constant).to_vec(),
            shift: Int::Constant(shift),
            modulus: n.clone(),
            least: 1,
            remainder: Remainder::Fits,
        };
        let storage = Storage {
            array: source.buffer("W").expect("a buffer"),
            home: StorageHome::Inside(source.buffer("B").expect("a buffer")),
            coordinates: vec![coordinate([1, 0], shift), coordinate([0, 1], 0)],
        };
        apply_storage(source, &[storage]).expect("a temporary")
    }

    #[test]
    fn an_array_may_live_in_the_memory_of_an_output() {
        let text = "program p(n) where n >= 1 { in A[n][n]; out B[n][n]; temporary W[n][n];
            for i = 0 while i < n step 1 { for j = 0 while j < n step 1 {
              S0(i, j): W[i][j] = 2 * A[i][j]; S1(i, j): B[i][j] = W[i][j] + 1;
            } } }";
        let source = Program::read(text).expect("a program");
        let judged = |after: &Program| agree(&source, after, &sizes_to_run(&source, after), 1_000_000);
        let after = inside(&source, 0);
        assert!(judged(&after).is_ok() && after.buffers == source.buffers);
        assert!(judged(&inside(&source, 1)).is_err(), "the last row isn't there");
    }

    #[test]
    fn two_rows_suffice_and_one_does_not() {
        let source = Program::read(SOURCE).expect("a program");
        let sizes = sizes_to_run(&source, &source);
        let proved = |after: &Program| dataflow(&Context::new(), &source, after, 100_000_000).expect("isl works");
        let two = rows(&source, 2);
        assert!(agree(&source, &two, &sizes, 1_000_000).is_ok());
        assert!(matches!(proved(&two), Verdict::Same { .. }));
        let one = rows(&source, 1);
        assert!(agree(&source, &one, &sizes, 1_000_000).is_err());
        assert!(matches!(proved(&one), Verdict::Refused(_)));
        assert!(two.to_string().contains("S1(i, j): B[i][j] = rows[(i - 1) mod 2][j] + rows[i mod 2][j];"), "{two}");
    }

    #[test]
    fn what_others_see_is_not_mapped() {
        let source = Program::read(SOURCE).expect("a program");
        let home = StorageHome::New { name: "rows".to_string(), layout: Layout::Rows };
        let storage = Storage { array: BufferId(1), home, coordinates: Vec::new() };
        assert_eq!(apply_storage(&source, &[storage]), None);
    }
}
