//! Accesses go to the cells that a storage mapping gives them.
//!
//! ```text
//! x -> (M x + s) mod b      A[i][j]  becomes  W[(i - j + s) mod b]
//! ```
//!
//! Nothing else changes: order, values and counters stay. Several arrays may have their cells in
//! one buffer. An array that isn't mapped keeps its own.
//!
//! Example: with `Storage` of `A[i]` in `W[i mod 2]` the statement `S0(i): A[i] = A[i - 1]` becomes
//! `S0(i): W[i mod 2] = W[(i - 1) mod 2]`.
//!
//! Paper: Bee §2, for modular mappings; SMO §2, for buffers that statements share.
//!
//! Invariant: the program has the same interface; only temporaries are mapped.

use polyfold_program::{
    Assign, Buffer, BufferId, Cond, Int, IntOp, LocalValue, Loop, Opaque, Place, Program, Role, Stmt, Value,
};

/// Where the cells of one array live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storage {
    /// The array.
    pub array: BufferId,
    /// The buffer's name. Arrays with the same one share it.
    pub buffer: String,
    /// One for each dimension of the buffer.
    pub coordinates: Vec<Coordinate>,
}

/// `(Σ coefficient * subscript + shift) mod modulus`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// One for each dimension of the array.
    pub coefficients: Vec<i64>,
    /// A number, or a function of the sizes.
    pub shift: Int,
    /// The extent of the buffer's dimension.
    pub modulus: Int,
    /// Whether the sum lies in `0 .. modulus` as it is: then nothing is taken modulo.
    pub fits: bool,
}

/// The program with its arrays in new buffers. `None`: an array isn't a temporary, two arrays disagree about the
/// buffer that they share, or a region of an array is copied.
pub fn apply_storage(program: &Program, storages: &[Storage]) -> Option<Program> {
    let mut after = program.clone();
    let mut homes = vec![None; program.buffers.len()];
    for storage in storages {
        let own = &program.buffers[storage.array.0];
        let extents = storage.coordinates.iter().map(|coordinate| Some(coordinate.modulus.clone())).collect();
        let (name, element) = (storage.buffer.clone(), own.element.clone());
        let buffer = Buffer { name, role: Role::Temporary, extents, is_flat: false, element };
        if own.role != Role::Temporary {
            return None;
        }
        let first_new = program.buffers.len();
        let shared = after.buffers[first_new..].iter().position(|other| other.name == buffer.name);
        let id = match shared {
            Some(other) if after.buffers[first_new + other] != buffer => return None,
            Some(other) => first_new + other,
            None => {
                after.buffers.push(buffer);
                after.buffers.len() - 1
            }
        };
        homes[storage.array.0] = Some((BufferId(id), storage));
    }
    let mapping = Mapping { homes };
    after.body = mapping.list(&program.body)?;
    Some(after)
}

/// The new buffer and the storage of each array that is mapped.
struct Mapping<'a> {
    homes: Vec<Option<(BufferId, &'a Storage)>>,
}

impl Mapping<'_> {
    fn list(&self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        body.iter().map(|stmt| self.stmt(stmt)).collect()
    }

    fn stmt(&self, stmt: &Stmt) -> Option<Stmt> {
        Some(match stmt {
            Stmt::For(own) => Stmt::For(Loop { body: self.list(&own.body)?, ..own.clone() }),
            Stmt::If { cond, then, other } => {
                Stmt::If { cond: self.cond(cond), then: self.list(then)?, other: self.list(other)? }
            }
            Stmt::Assign(own) => {
                Stmt::Assign(Assign { target: self.place(&own.target), value: self.value(&own.value), ..own.clone() })
            }
            Stmt::Let { local, value } => Stmt::Let { local: *local, value: self.local(value) },
            Stmt::Set { local, value } => Stmt::Set { local: *local, value: self.local(value) },
            Stmt::Copy(copy) => {
                let stays = |buffer: BufferId| self.homes[buffer.0].is_none();
                (stays(copy.to.buffer) && stays(copy.from.buffer)).then(|| Stmt::Copy(copy.clone()))?
            }
            Stmt::Opaque(own) => Stmt::Opaque(Opaque {
                reads: own.reads.iter().map(|place| self.place(place)).collect(),
                writes: own.writes.iter().map(|place| self.place(place)).collect(),
                ..own.clone()
            }),
        })
    }

    fn local(&self, value: &LocalValue) -> LocalValue {
        match value {
            LocalValue::Integer(e) => LocalValue::Integer(e.clone()),
            LocalValue::Address(place) => LocalValue::Address(self.place(place)),
        }
    }

    fn place(&self, place: &Place) -> Place {
        match place {
            Place::Cell { buffer, index } => match &self.homes[buffer.0] {
                Some((home, storage)) => {
                    let index = storage.coordinates.iter().map(|coordinate| coordinate.of(index)).collect();
                    Place::Cell { buffer: *home, index }
                }
                None => place.clone(),
            },
            Place::Through { .. } => place.clone(),
            Place::Select(cond, yes, no) => {
                Place::Select(Box::new(self.cond(cond)), Box::new(self.place(yes)), Box::new(self.place(no)))
            }
        }
    }

    fn value(&self, value: &Value) -> Value {
        match value {
            Value::Read(place) => Value::Read(self.place(place)),
            Value::Integer(e) => Value::Integer(e.clone()),
            Value::Apply(op, operands) => {
                Value::Apply(op.clone(), operands.iter().map(|operand| self.value(operand)).collect())
            }
            Value::Choice(cond, yes, no) => {
                Value::Choice(Box::new(self.cond(cond)), Box::new(self.value(yes)), Box::new(self.value(no)))
            }
        }
    }

    /// Integers name no cells; data do.
    fn cond(&self, cond: &Cond) -> Cond {
        match cond {
            Cond::Compare(..) => cond.clone(),
            Cond::And(left, right) => Cond::And(Box::new(self.cond(left)), Box::new(self.cond(right))),
            Cond::Or(left, right) => Cond::Or(Box::new(self.cond(left)), Box::new(self.cond(right))),
            Cond::Not(inner) => Cond::Not(Box::new(self.cond(inner))),
            Cond::Data(value) => Cond::Data(Box::new(self.value(value))),
        }
    }
}

impl Coordinate {
    /// Its value for some subscripts.
    fn of(&self, index: &[Int]) -> Int {
        let terms = self.coefficients.iter().zip(index).filter(|(coefficient, _)| **coefficient != 0);
        let sum = terms.fold(None, |sum, (coefficient, e)| Some(added(sum, *coefficient, e)));
        let sum = match (sum, &self.shift) {
            (Some(sum), Int::Constant(0)) => sum,
            (Some(sum), shift) => Int::binary(IntOp::Add, sum, shift.clone()),
            (None, shift) => shift.clone(),
        };
        if self.fits { sum } else { Int::binary(IntOp::FloorModulo, sum, self.modulus.clone()) }
    }
}

/// `sum + coefficient * e`
fn added(sum: Option<Int>, coefficient: i64, e: &Int) -> Int {
    let size = coefficient.checked_abs().unwrap_or(coefficient);
    let term = if size == 1 { e.clone() } else { Int::binary(IntOp::Multiply, Int::Constant(size), e.clone()) };
    let op = if coefficient < 0 { IntOp::Subtract } else { IntOp::Add };
    match sum {
        None if coefficient > 0 => term,
        sum => Int::binary(op, sum.unwrap_or(Int::Constant(0)), term),
    }
}

#[cfg(test)]
mod tests {
    use super::{Coordinate, Storage, apply_storage};
    use polyfold_isl::Context;
    use polyfold_program::{BufferId, Int, Program};
    use polyfold_prove::validate::{Verdict, dataflow};
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n) where n >= 1 { in A[n][n]; out B[n][n]; temporary W[n][n];
        for i = 0 while i < n step 1 {
          for j = 0 while j < n step 1 {
            S0(i, j): W[i][j] = 2 * A[i][j];
            if (i >= 1) { S1(i, j): B[i][j] = W[i - 1][j] + W[i][j]; }
          }
        } }";

    fn rows(source: &Program, modulus: i64) -> Program {
        let coordinate = |coefficients: [i64; 2], modulus: Int, fits: bool| Coordinate {
            coefficients: coefficients.to_vec(),
            shift: Int::Constant(0),
            modulus,
            fits,
        };
        let n = Int::Parameter(source.parameter("n").expect("a size"));
        let coordinates = vec![coordinate([1, 0], Int::Constant(modulus), false), coordinate([0, 1], n, true)];
        let storage = Storage { array: source.buffer("W").expect("a buffer"), buffer: "rows".to_string(), coordinates };
        apply_storage(source, &[storage]).expect("a temporary")
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
        let storage = Storage { array: BufferId(1), buffer: "rows".to_string(), coordinates: Vec::new() };
        assert_eq!(apply_storage(&source, &[storage]), None);
    }
}
