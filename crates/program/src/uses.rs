//! Which buffers statements read and write.
//!
//! Example: `S0(i): B[key[i]] = t;` reads `key` and `t`, and writes `B`.
//!
//! Who takes a cell's address may read it and write it.

use crate::{
    Assign, BufferId, Copy, Int, LocalId, LocalValue, Loop, Opaque, Operand, Place, Program, StatementId, Stmt,
};
use std::collections::BTreeSet;

/// How a statement uses a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// It may read a cell.
    Read,
    /// It may write a cell.
    Write,
}

impl Stmt {
    /// Whether the statement, or one inside, goes on with a local or asks for it.
    pub fn names_local(&self, local: LocalId) -> bool {
        let is_own = |stmt: &Stmt| {
            let mut found = match stmt {
                Stmt::For(own) => own.counter == local && own.first.is_none(),
                Stmt::Set { local: own, .. } => *own == local,
                _ => false,
            };
            stmt.each_int(&mut |e| found |= *e == Int::Local(local));
            stmt.each_place(&mut |_, place| {
                found |= matches!(place, Place::Through { pointer, .. } if *pointer == local);
            });
            found
        };
        self.any(&is_own)
    }

    /// Calls `visit` for the cells that the statement itself uses, not those of statements inside it: what is read for a
    /// subscript, too, and each side of a choice.
    pub fn each_place<'a>(&'a self, visit: &mut dyn FnMut(Use, &'a Place)) {
        match self {
            Stmt::For(Loop { first, test, .. }) => {
                first.iter().for_each(|e| e.each_read(&mut |place| place.each_side(Use::Read, visit)));
                test.each_read(&mut |place| place.each_side(Use::Read, visit));
            }
            Stmt::If { cond, .. } => cond.each_read(&mut |place| place.each_side(Use::Read, visit)),
            Stmt::Assign(Assign { target, value, .. }) => {
                value.each_read(&mut |place| place.each_side(Use::Read, visit));
                target.each_with_subscripts(Use::Write, visit);
            }
            Stmt::Let { value, .. } | Stmt::Set { value, .. } => match value {
                LocalValue::Integer(e) => e.each_read(&mut |place| place.each_side(Use::Read, visit)),
                LocalValue::Address(place) => {
                    [Use::Read, Use::Write].into_iter().for_each(|how| place.each_with_subscripts(how, visit));
                }
            },
            Stmt::Opaque(Opaque { operands, .. }) => operands.iter().for_each(|operand| match operand {
                Operand::Integer(e) => e.each_read(&mut |place| place.each_side(Use::Read, visit)),
                Operand::Cell(own) => {
                    let all = [(own.is_read, Use::Read), (own.is_written, Use::Write)];
                    let all = all.into_iter().filter(|(is_so, _)| *is_so);
                    all.for_each(|(_, how)| own.place.each_with_subscripts(how, visit));
                }
            }),
            Stmt::Copy(_) | Stmt::Wait(_) | Stmt::With(_) => {}
        }
    }

    /// Calls `visit` for the buffers whose cells the statement itself uses. A pointer's buffer is used where its address is taken.
    pub fn each_use(&self, visit: &mut dyn FnMut(Use, BufferId)) {
        if let Stmt::Copy(Copy { to, from, .. }) = self {
            visit(Use::Read, from.buffer);
            visit(Use::Write, to.buffer);
        }
        self.each_place(&mut |how, place| {
            if let Place::Cell { buffer, .. } = place {
                visit(how, *buffer);
            }
        });
    }

    /// The source's statements that it is, or that are inside it.
    pub fn assigned(&self) -> BTreeSet<StatementId> {
        let mut found = BTreeSet::new();
        self.each(&mut |stmt| found.extend(stmt.instance().map(|(statement, _)| statement)));
        found
    }

    /// The source's statement that it is, and the counters of that, outermost first.
    pub fn instance(&self) -> Option<(StatementId, &[Int])> {
        match self {
            Stmt::Assign(own) => Some((own.statement, &own.at)),
            Stmt::Opaque(own) => Some((own.statement, &own.at)),
            _ => None,
        }
    }

    /// Whether it, or a statement inside it, reads a buffer.
    pub fn reads(&self, buffer: BufferId) -> bool {
        let mut found = false;
        self.each(&mut |stmt| stmt.each_use(&mut |how, id| found |= how == Use::Read && id == buffer));
        found
    }

    /// Whether it, or a statement inside it, reads or writes a buffer.
    pub fn uses(&self, buffer: BufferId) -> bool {
        let mut found = false;
        self.each(&mut |stmt| stmt.each_use(&mut |_, id| found |= id == buffer));
        found
    }
}

impl Program {
    /// The buffers that are used so.
    pub fn used(&self, how: Use) -> BTreeSet<BufferId> {
        let mut found = BTreeSet::new();
        let mut visit = |stmt: &Stmt| {
            stmt.each_use(&mut |own, id| {
                if own == how {
                    found.insert(id);
                }
            });
        };
        self.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found
    }
}

impl Place {
    /// The place, and what is read to know which one it is.
    fn each_with_subscripts<'a>(&'a self, how: Use, visit: &mut dyn FnMut(Use, &'a Place)) {
        self.each_side(how, visit);
        self.each_read(&mut |place| place.each_side(Use::Read, visit));
    }

    /// The cells that it may be.
    fn each_side<'a>(&'a self, how: Use, visit: &mut dyn FnMut(Use, &'a Place)) {
        match self {
            Place::Select(_, yes, no) => [yes, no].into_iter().for_each(|place| place.each_side(how, visit)),
            place => visit(how, place),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Program, Use};

    #[test]
    fn what_is_read_for_a_subscript_or_a_condition_is_read() {
        let of = |body: &str| {
            let head = "in key[n]; in A[n]; out B[n]; temporary t; temporary u;";
            let program = Program::read(&format!("program p(n) {{ {head} {body} }}")).expect("a program");
            let names = |how: Use| {
                let used = program.used(how);
                used.iter().map(|id| program.buffers[id.0].name.clone()).collect::<Vec<_>>().join(" ")
            };
            (names(Use::Read), names(Use::Write))
        };
        let is = |body: &str, reads: &str, writes: &str| assert_eq!(of(body), (reads.into(), writes.into()), "{body}");
        is("S0(): B[\"$0\"(key[0])] = t;", "key t", "B");
        is("S0(): B[0] = A[\"$0\"(key[\"$0\"(t)])];", "key A t", "B");
        is("if (A[0] < 2) { S0(): t = 1; }", "A", "t");
        is("pointer q = &t; S0(): B[0] = 1;", "t", "B t");
        is("copy B[0 : n] = A[0 : n];", "A", "B");
    }
}
