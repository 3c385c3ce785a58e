//! Statements of a program in the names of another one, which it becomes a part of.

use crate::{Assign, BufferId, Int, LocalId, Loop, Opaque, ParameterId, Place, StatementId, Stmt, With};

/// What the names of a program are in another one.
pub struct Names<'n> {
    /// Its statements.
    pub statement: &'n dyn Fn(StatementId) -> StatementId,
    /// Its buffers.
    pub buffer: &'n dyn Fn(BufferId) -> BufferId,
    /// Its locals.
    pub local: &'n dyn Fn(LocalId) -> LocalId,
    /// Its sizes.
    pub size: &'n dyn Fn(ParameterId) -> Int,
}

impl Names<'_> {
    /// A statement of a source in these names.
    pub fn stmt(&self, stmt: &Stmt) -> Stmt {
        let leaf = &mut |e: &Int| match e {
            Int::Parameter(id) => (self.size)(*id),
            Int::Local(id) => Int::Local((self.local)(*id)),
            other => other.clone(),
        };
        let cell = &mut |place: Place| match place {
            Place::Cell { buffer, index } => Place::Cell { buffer: (self.buffer)(buffer), index },
            other => other,
        };
        self.numbered(&stmt.with_leaves(leaf).with_cells(cell))
    }

    fn numbered(&self, stmt: &Stmt) -> Stmt {
        let list = |list: Vec<Stmt>| list.iter().map(|stmt| self.numbered(stmt)).collect();
        match stmt.clone() {
            Stmt::For(own) => Stmt::For(Loop { counter: (self.local)(own.counter), body: list(own.body), ..own }),
            Stmt::If { cond, then, other } => Stmt::If { cond, then: list(then), other: list(other) },
            Stmt::With(own) => Stmt::With(With { body: list(own.body), ..own }),
            Stmt::Assign(own) => Stmt::Assign(Assign { statement: (self.statement)(own.statement), ..own }),
            Stmt::Opaque(own) => Stmt::Opaque(Opaque { statement: (self.statement)(own.statement), ..own }),
            other => other,
        }
    }
}
