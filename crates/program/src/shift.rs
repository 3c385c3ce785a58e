//! Programs that become parts of others: their names get other numbers.

use crate::{Assign, BufferId, Int, LocalId, Loop, Opaque, ParameterId, Place, Program, StatementId, Stmt, With};

/// How much larger numbers are in another program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shift {
    /// Those of sizes.
    pub parameters: usize,
    /// Those of buffers.
    pub buffers: usize,
    /// Those of locals.
    pub locals: usize,
    /// Those of statements.
    pub statements: isize,
}

impl Program {
    /// Takes in another program's names, and what is known of them.
    pub fn append(&mut self, other: &Program) -> Shift {
        let shift = Shift {
            parameters: self.parameters.len(),
            buffers: self.buffers.len(),
            locals: self.locals.len(),
            statements: self.statements.len() as isize,
        };
        self.parameters.extend(other.parameters.iter().cloned());
        self.context.extend(other.context.iter().map(|cond| cond.with_leaves(&mut |e| shift.leaf(e))));
        self.locals.extend(other.locals.iter().cloned());
        self.statements.extend(other.statements.iter().cloned());
        for mut buffer in other.buffers.iter().cloned() {
            buffer.extents.iter_mut().flatten().for_each(|extent| *extent = extent.with_leaves(&mut |e| shift.leaf(e)));
            self.buffers.push(buffer);
        }
        shift
    }
}

impl Shift {
    /// A number, or a name with its new number.
    pub fn leaf(&self, e: &Int) -> Int {
        match e {
            Int::Parameter(id) => Int::Parameter(ParameterId(id.0 + self.parameters)),
            Int::Local(id) => Int::Local(LocalId(id.0 + self.locals)),
            other => other.clone(),
        }
    }

    /// A statement with its new number.
    pub fn statement(&self, id: StatementId) -> StatementId {
        StatementId(id.0.saturating_add_signed(self.statements))
    }

    /// A statement of a source with the new numbers.
    pub fn stmt(&self, stmt: &Stmt) -> Stmt {
        let cell = &mut |place: Place| match place {
            Place::Cell { buffer, index } => Place::Cell { buffer: BufferId(buffer.0 + self.buffers), index },
            other => other,
        };
        self.numbered(&stmt.with_leaves(&mut |e| self.leaf(e)).with_cells(cell))
    }

    fn numbered(&self, stmt: &Stmt) -> Stmt {
        let list = |list: Vec<Stmt>| list.iter().map(|stmt| self.numbered(stmt)).collect();
        match stmt.clone() {
            Stmt::For(own) => {
                Stmt::For(Loop { counter: LocalId(own.counter.0 + self.locals), body: list(own.body), ..own })
            }
            Stmt::If { cond, then, other } => Stmt::If { cond, then: list(then), other: list(other) },
            Stmt::With(own) => Stmt::With(With { body: list(own.body), ..own }),
            Stmt::Assign(own) => Stmt::Assign(Assign { statement: self.statement(own.statement), ..own }),
            Stmt::Opaque(own) => Stmt::Opaque(Opaque { statement: self.statement(own.statement), ..own }),
            other => other,
        }
    }
}
