//! Statements and their accesses.
//!
//! An *operation* is one instance of a statement. Inside an operation all reads precede the writes, but for what a function does
//! through the addresses that it gets: `f(&x[i], &y[i])` may read `y[i]` behind the write of `x[i]` ([`Moment::Call`]).
//! The evaluation of an `if` condition that reads arrays is a statement of its own, which writes nothing.

use crate::{ArrayId, Condition, Expr, LoopId, Place, Span};

/// Index into [`Scop::statements`](crate::Scop::statements): statements are numbered in text order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct StatementId(pub usize);

/// One statement of the scop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its C label, or `S0`, `S1`, … in text order; unique in the scop and usable as an isl tuple name.
    pub name: String,
    /// Enclosing loops, outermost first: the dimensions of its iteration vector.
    pub loops: Vec<LoopId>,
    /// What it reads and writes, in the order of evaluation as far as C defines one.
    pub accesses: Vec<Access>,
    /// What may be done with its text.
    pub kind: StatementKind,
    /// Bytes of the file: from the first token after a label to the closing `;` inclusive (for a condition: the
    /// condition's expression).
    pub span: Span,
    /// Line of the file where it starts, from 1.
    pub line: usize,
}

/// What may be done with a statement's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatementKind {
    /// Assigns, and does nothing else that could be seen: may go when nobody reads what it writes.
    Assignment,
    /// Has effects besides its writes.
    Effectful(Effect),
    /// A declaration with an initializer (`double t = A[i];`).
    Declaration,
    /// The condition of an `if`, or a bound.
    Condition,
}

/// What a statement may do besides its writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Anything: it calls a function that is not known to be pure.
    Call,
    /// It reads or writes memory that may be volatile, or that is in no array of the scop.
    Memory,
}

/// One textual reference to an array or scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Access {
    /// What it refers to.
    pub array: ArrayId,
    /// Read or write; a compound assignment has two accesses with the same place.
    pub kind: AccessKind,
    /// Whether the access surely happens when the statement runs and `condition` holds, and to the whole cell.
    pub certainty: Certainty,
    /// One expression per dimension; `None`: not affine, it may touch any cell.
    pub subscripts: Option<Vec<Expr>>,
    /// When, beyond the statement's own guards, the access happens (`c ? a[i] : b[i]`).
    pub condition: Condition,
    /// When in its operation it happens.
    pub moment: Moment,
    /// The reference's text, name and subscripts.
    pub place: Place,
    /// The text of each subscript, between its brackets, in the same text as `place`.
    pub subscript_spans: Vec<Span>,
}

/// Read or write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AccessKind {
    Read,
    Write,
}

/// Whether an access surely happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// It does, and covers the whole cell.
    Must,
    /// Data decides, or only a part of the cell is written.
    May,
}

/// When in its operation an access happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// A read before all writes, a write behind all reads.
    InOrder,
    /// At any time while a function runs that has the cell's address: a read may come before other writes of the operation or
    /// behind them, and what is written is in use until the operation ends.
    Call,
}

impl Statement {
    /// Whether it has effects besides its writes.
    pub fn is_effectful(&self) -> bool {
        matches!(self.kind, StatementKind::Effectful(_))
    }

    /// Whether it calls a function that reads or writes cells by their addresses.
    pub fn passes_addresses(&self) -> bool {
        self.accesses.iter().any(Access::is_in_call)
    }
}

impl Access {
    /// Whether it happens at any time while a function runs that has the cell's address.
    pub fn is_in_call(&self) -> bool {
        self.moment == Moment::Call
    }

    /// Whether its text has subscripts, if the array has some: `*p` and `p->m` have none, nor has what a macro makes in part.
    pub fn has_subscript_text(&self) -> bool {
        self.subscripts.as_ref().is_none_or(Vec::is_empty) || !self.subscript_spans.is_empty()
    }

    /// Whether this is a read.
    pub fn is_read(&self) -> bool {
        self.kind == AccessKind::Read
    }

    /// Whether this is a write.
    pub fn is_write(&self) -> bool {
        self.kind == AccessKind::Write
    }
}
