//! Programs, their statements and loops.

use crate::{Cond, Int, IntType, Place, Real, Value};
use std::fmt::{self, Display, Formatter};

/// One scop.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: String,
    /// Its sizes.
    pub parameters: Vec<Parameter>,
    /// What is known of the sizes.
    pub context: Vec<Cond>,
    /// The arrays and scalars that hold its values.
    pub buffers: Vec<Buffer>,
    /// Counters, other integers, and pointers.
    pub locals: Vec<Local>,
    /// Names of the source's statements, as `S0`.
    pub statements: Vec<String>,
    /// What it does.
    pub body: Vec<Stmt>,
}

/// A size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What C holds it in; `None`: it has no bounds.
    pub held: Option<IntType>,
    /// What it is taken not to be past.
    pub most: Option<i64>,
}

impl Parameter {
    /// A macro that is a number now, and not past this, is taken to stay so, and to keep its type.
    pub const MOST_OF_MACROS: i64 = 1_000_000_000;
}

/// An array, or a scalar if it has no extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Who sees its cells besides the program.
    pub role: Role,
    /// Cells in each dimension; `None`: nobody says.
    pub extents: Vec<Option<Int>>,
    /// How C has its dimensions.
    pub layout: Layout,
    /// Where its memory comes from.
    pub home: Home,
    /// The type of its elements.
    pub element: Element,
}

/// A type of C.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Element {
    /// As C writes it. Empty: the same for all buffers without one.
    pub text: String,
    /// What it is, if that is known.
    pub kind: Option<Scalar>,
}

/// A type of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scalar {
    /// Of integers.
    Integer(IntType),
    /// Of floating point.
    Real(Real),
}

impl Scalar {
    /// Its name in the textual form: `i32`, `f64`.
    pub fn name(self) -> String {
        match self {
            Scalar::Integer(own) => own.name(),
            Scalar::Real(Real::Float) => "f32".to_string(),
            Scalar::Real(Real::Double) => "f64".to_string(),
        }
    }

    /// The type of a name.
    pub fn of_name(name: &str) -> Option<Scalar> {
        let real = Real::ALL.into_iter().map(Scalar::Real).find(|own| own.name() == name);
        real.or_else(|| IntType::of_name(name).map(Scalar::Integer))
    }
}

impl Element {
    /// Whether it is known to be a type of integers.
    pub fn is_integer(&self) -> bool {
        matches!(self.kind, Some(Scalar::Integer(_)))
    }

    /// Whether nobody says which it is.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty()
    }
}

impl Display for Element {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Who sees a buffer's cells besides the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It has values from before.
    In,
    /// Its values are needed behind.
    Out,
    /// Both.
    InOut,
    /// Nobody.
    Temporary,
}

/// How C has a buffer's dimensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// One subscript for each: `A[i][j]`.
    Rows,
    /// One subscript for all: `A[i * n + j]` is the cell of i and j. All extents but the first one are known.
    Flat,
    /// The same, and an `int` holds all subscripts of cells.
    NarrowFlat,
}

/// Where a buffer's memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// From outside of the function.
    Outside,
    /// It is declared in front of the scop. No dimension has more than [`Home::MOST_ROWS_ON_STACK`] rows.
    Stack,
    /// It is declared in the scop, or is new: nothing is known of its size.
    Inside,
    /// A variable that is declared, and may be of any size.
    Static,
    /// From `malloc` or `calloc`.
    Heap,
}

impl Buffer {
    /// Whether it is a variable of the function's own: nothing lies over it, and a compiler sees all its uses.
    pub fn is_variable(&self) -> bool {
        let is_local = matches!(self.home, Home::Stack | Home::Inside);
        is_local && self.role == Role::Temporary && self.extents.is_empty() && self.layout == Layout::Rows
    }
}

impl Home {
    /// All, each with its word in the textual form; the first one isn't written.
    pub(crate) const WORDS: [(Home, &'static str); 5] = [
        (Home::Outside, ""),
        (Home::Stack, "stack"),
        (Home::Inside, "inside"),
        (Home::Static, "static"),
        (Home::Heap, "heap"),
    ];

    /// An array on the stack is taken to have no more rows, in any dimension.
    pub const MOST_ROWS_ON_STACK: i64 = 1 << 27;
}

impl Layout {
    /// Whether C has one subscript for all dimensions.
    pub fn is_flat(self) -> bool {
        self != Layout::Rows
    }
}

/// An integer or a pointer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Local {
    /// Its name.
    pub name: String,
    /// What it holds.
    pub kind: LocalKind,
    /// What C holds an integer in; `None`: it has no bounds.
    pub held: Option<IntType>,
}

/// What a local holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalKind {
    /// An integer.
    Integer,
    /// A cell's address.
    Pointer,
}

/// Which of [`Program::parameters`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ParameterId(pub usize);

/// Which of [`Program::buffers`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct BufferId(pub usize);

/// Which of [`Program::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub usize);

/// Which of [`Program::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StatementId(pub usize);

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// A loop.
    For(Loop),
    /// A condition, and what is done when it holds and when it doesn't.
    If {
        /// The condition.
        cond: Cond,
        /// When it holds.
        then: Vec<Stmt>,
        /// When it doesn't.
        other: Vec<Stmt>,
    },
    /// An instance of a statement of the source.
    Assign(Assign),
    /// A local begins.
    Let {
        /// Which.
        local: LocalId,
        /// What it holds.
        value: LocalValue,
    },
    /// A local changes.
    Set {
        /// Which.
        local: LocalId,
        /// What it holds from now on.
        value: LocalValue,
    },
    /// Cells are copied, all read before one is written.
    Copy(Copy),
    /// No transfer with this tag is under way behind it; there may have been none.
    Wait(Int),
    /// Statements with memory of their own.
    With(With),
    /// What isn't understood but for its accesses.
    Opaque(Opaque),
}

/// What a local holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocalValue {
    /// An integer.
    Integer(Int),
    /// The address of a cell.
    Address(Place),
}

/// `S0(t, i): A[i] = A[i] + 1;`, or `S1(i): let x = A[i];`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assign {
    /// The source's statement.
    pub statement: StatementId,
    /// The source's counters, outermost first.
    pub at: Vec<Int>,
    /// Whether it declares the variable that it writes: that lives to the end of the list.
    pub declares: bool,
    /// The cell that is written.
    pub target: Place,
    /// What it holds from now on.
    pub value: Value,
}

/// `for i = 0 while i < n step 1 { … }`; `for let i` where the loop declares its counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The local that counts.
    pub counter: LocalId,
    /// Whether the loop declares it: nobody sees it behind the loop.
    pub declares: bool,
    /// What it begins with; `None`: it goes on from where it is.
    pub first: Option<Int>,
    /// Another iteration runs while this holds.
    pub test: Cond,
    /// What is added behind each iteration; `None`: the body advances the counter.
    pub step: Option<i64>,
    /// Whether the iterations may run in any order, or at once.
    pub parallel: bool,
    /// Whether the iterations may run at once, statement by statement, as in vectors: none uses a cell that an earlier one writes,
    /// and what it writes earlier ones have read by then. Of variables ([`Buffer::is_variable`]) nothing is said: compilers see those.
    pub vector: bool,
    /// What holds whenever the test is reached, if the loop has an iteration.
    pub invariant: Invariant,
    /// One iteration.
    pub body: Vec<Stmt>,
}

/// What holds at a loop's head, each time before the test, if the loop has an iteration. A validator
/// that reads it checks it; it isn't trusted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Invariant {
    /// How much of the source has run.
    pub before: Option<Moment>,
    /// Conditions on locals and sizes.
    pub ranges: Vec<Cond>,
    /// What locals stand for.
    pub congruences: Vec<Congruence>,
    /// Where pointers stand.
    pub addresses: Vec<(LocalId, Place)>,
}

/// Exactly those instances have run that come before an iteration: the one of the statement's
/// outermost loops that has these counters.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The source's statement.
    pub statement: StatementId,
    /// The counters of its outermost loops.
    pub at: Vec<Int>,
}

/// A local differs from a form by a multiple of a modulus.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Congruence {
    /// An integer.
    pub local: Int,
    /// What it stands for.
    pub form: Int,
    /// Positive.
    pub modulus: Int,
}

/// `with W where n <= 9 { … }`: buffers that begin without values, and are gone behind the statements. Without any, the statements are those
/// that may get some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct With {
    /// Which. Only these statements name them.
    pub buffers: Vec<BufferId>,
    /// What is known of sizes and counters wherever they run.
    pub known: Vec<Cond>,
    /// What is done.
    pub body: Vec<Stmt>,
}

/// `copy W[0 : 2][0 : n] = W[1 : 2][0 : n];`, `copy let x = W[0 : 1];`, or `copy W[0 : n] = A[0 : n] on 3;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Copy {
    /// Whether it declares the variable that it writes, as an assignment may.
    pub declares: bool,
    /// Cells that are written.
    pub to: Region,
    /// Cells that are read, as many in each dimension; for one cell it may be a scalar. Dimensions of one cell needn't be there.
    pub from: Region,
    /// The tag of the transfer: it goes on until somebody waits for it. `None`: the cells are there at once.
    pub tag: Option<Int>,
}

/// A box of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// Whose cells.
    pub buffer: BufferId,
    /// One for each dimension.
    pub ranges: Vec<Range>,
}

/// `first : count`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The first subscript.
    pub first: Int,
    /// How many; none if it isn't positive.
    pub count: Int,
}

/// `S1(i): opaque "f(&$0, $1);" of (call read write A[i], i) with effects;`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opaque {
    /// The source's statement.
    pub statement: StatementId,
    /// The source's counters, outermost first.
    pub at: Vec<Int>,
    /// The source's own tokens, with holes `$0`, `$1`, … for operands, and `$$` for `$`.
    pub text: String,
    /// What it computes with, and the cells that it reads and writes. Some have no hole.
    pub operands: Vec<Operand>,
    /// Whether it does more than to write cells: then it stays in its order among such statements.
    pub has_effects: bool,
}

/// What a statement that isn't understood computes with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Operand {
    /// An integer.
    Integer(Int),
    /// A cell.
    Cell(Touched),
}

/// A cell, and what becomes of it. All are read first, those in calls perhaps again behind the writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touched {
    /// Which.
    pub place: Place,
    /// Whether it may be read.
    pub is_read: bool,
    /// Whether it may be written.
    pub is_written: bool,
    /// Whether a function has its address: it may be read behind writes of others, too.
    pub in_call: bool,
}

impl Opaque {
    /// Whether another one does the same to its cells.
    pub fn is_like(&self, other: &Opaque) -> bool {
        let are_alike = |(own, other): (&Operand, &Operand)| match (own, other) {
            (Operand::Cell(own), Operand::Cell(other)) => {
                (own.is_read, own.is_written, own.in_call) == (other.is_read, other.is_written, other.in_call)
            }
            (Operand::Integer(_), Operand::Integer(_)) => true,
            _ => false,
        };
        (&self.text, self.has_effects, self.operands.len()) == (&other.text, other.has_effects, other.operands.len())
            && self.operands.iter().zip(&other.operands).all(are_alike)
    }

    /// The cells.
    pub fn cells(&self) -> impl Iterator<Item = &Touched> {
        self.operands.iter().filter_map(|operand| match operand {
            Operand::Integer(_) => None,
            Operand::Cell(own) => Some(own),
        })
    }
}

impl Role {
    /// Whether the cells have values from before.
    pub fn is_in(self) -> bool {
        matches!(self, Role::In | Role::InOut)
    }

    /// Whether the values are needed behind.
    pub fn is_out(self) -> bool {
        matches!(self, Role::Out | Role::InOut)
    }
}

impl Program {
    /// The buffer of a name.
    pub fn buffer(&self, name: &str) -> Option<BufferId> {
        self.buffers.iter().position(|buffer| buffer.name == name).map(BufferId)
    }

    /// The buffer of a name that came last: new storage may have the name of an array that it stands for.
    pub fn newest_buffer(&self, name: &str) -> Option<BufferId> {
        self.buffers.iter().rposition(|buffer| buffer.name == name).map(BufferId)
    }

    /// The size of a name.
    pub fn parameter(&self, name: &str) -> Option<ParameterId> {
        self.parameters.iter().position(|parameter| parameter.name == name).map(ParameterId)
    }

    /// The source's statement of a name.
    pub fn statement(&self, name: &str) -> Option<StatementId> {
        self.statements.iter().position(|own| own == name).map(StatementId)
    }
}
