//! Where variables that statements declare may be named.
//!
//! Example: in `for i … { S0(i): let t = A[i]; S1(i): B[i] = t; }` each iteration has its own `t`, and nobody else names it.

use crate::{Assign, BufferId, LocalValue, Loop, Place, Program, Stmt};
use std::collections::BTreeSet;

impl Program {
    /// Whether variables that statements declare are scalars that only the program sees, named behind a declaration in the
    /// same list or inside of it.
    pub fn is_well_scoped(&self) -> bool {
        let mut declared = BTreeSet::new();
        self.body.iter().for_each(|stmt| {
            stmt.each(&mut |stmt| declared.extend(declares(stmt)));
        });
        let is_own = |id: &BufferId| {
            let buffer = &self.buffers[id.0];
            buffer.extents.is_empty() && buffer.role == crate::Role::Temporary
        };
        declared.iter().all(is_own) && is_well_scoped(&self.body, &declared, &BTreeSet::new())
    }
}

/// The variable that a statement declares.
fn declares(stmt: &Stmt) -> Option<BufferId> {
    match stmt {
        Stmt::Assign(Assign { declares: true, target: Place::Cell { buffer, .. }, .. }) => Some(*buffer),
        _ => None,
    }
}

fn is_well_scoped(list: &[Stmt], all: &BTreeSet<BufferId>, around: &BTreeSet<BufferId>) -> bool {
    let mut visible = around.clone();
    list.iter().all(|stmt| {
        let mut named = BTreeSet::new();
        let own = declares(stmt);
        stmt.each_own_buffer(&mut |id| {
            named.insert(id);
        });
        let is_named_well = |id: &BufferId| !all.contains(id) || visible.contains(id);
        match own {
            // It may not ask for itself, nor be declared twice in one list.
            Some(id) => {
                let mut reads = BTreeSet::new();
                if let Stmt::Assign(Assign { value, .. }) = stmt {
                    value.each_read(&mut |place| {
                        place.each_buffer(&mut |id| {
                            reads.insert(id);
                        })
                    });
                }
                reads.iter().all(is_named_well) && !reads.contains(&id) && visible.insert(id)
            }
            None => {
                let is_fine = named.iter().all(is_named_well);
                is_fine && stmt.lists().into_iter().all(|inner| is_well_scoped(inner, all, &visible))
            }
        }
    })
}

impl Program {
    /// The buffers that are read. Who takes a cell's address may read it.
    pub fn reads(&self) -> BTreeSet<BufferId> {
        let mut found = BTreeSet::new();
        let mut visit = |stmt: &Stmt| {
            stmt.each_own_read(&mut |id| {
                found.insert(id);
            });
        };
        self.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found
    }

    /// The buffers that are written. Who takes a cell's address may write it.
    pub fn writes(&self) -> BTreeSet<BufferId> {
        let mut found = BTreeSet::new();
        let mut visit = |stmt: &Stmt| {
            stmt.each_own_write(&mut |id| {
                found.insert(id);
            });
        };
        self.body.iter().for_each(|stmt| stmt.each(&mut visit));
        found
    }
}

impl Stmt {
    /// Whether it, or a statement inside it, reads a buffer.
    pub fn reads(&self, buffer: BufferId) -> bool {
        let mut found = false;
        self.each(&mut |stmt| stmt.each_own_read(&mut |id| found |= id == buffer));
        found
    }
}

/// Of a statement itself, not of those inside it.
impl Stmt {
    fn each_own_buffer(&self, visit: &mut dyn FnMut(BufferId)) {
        self.each_own_read(visit);
        self.each_own_write(visit);
    }

    fn each_own_read(&self, visit: &mut dyn FnMut(BufferId)) {
        match self {
            Stmt::For(Loop { test, .. }) => test.each_read(&mut |place| place.each_buffer(visit)),
            Stmt::If { cond, .. } => cond.each_read(&mut |place| place.each_buffer(visit)),
            Stmt::Assign(Assign { value, .. }) => value.each_read(&mut |place| place.each_buffer(visit)),
            Stmt::Let { value: LocalValue::Address(place), .. }
            | Stmt::Set { value: LocalValue::Address(place), .. } => place.each_buffer(visit),
            Stmt::Let { .. } | Stmt::Set { .. } => {}
            Stmt::Copy(copy) => visit(copy.from.buffer),
            Stmt::Opaque(own) => own.reads.iter().for_each(|place| place.each_buffer(visit)),
        }
    }

    fn each_own_write(&self, visit: &mut dyn FnMut(BufferId)) {
        match self {
            Stmt::For(_) | Stmt::If { .. } => {}
            Stmt::Assign(Assign { target, .. }) => target.each_buffer(visit),
            Stmt::Let { value: LocalValue::Address(place), .. }
            | Stmt::Set { value: LocalValue::Address(place), .. } => place.each_buffer(visit),
            Stmt::Let { .. } | Stmt::Set { .. } => {}
            Stmt::Copy(copy) => visit(copy.to.buffer),
            Stmt::Opaque(own) => own.writes.iter().for_each(|place| place.each_buffer(visit)),
        }
    }
}

impl Place {
    fn each_buffer(&self, visit: &mut dyn FnMut(BufferId)) {
        match self {
            Place::Cell { buffer, .. } => visit(*buffer),
            Place::Through { .. } => {}
            Place::Select(_, yes, no) => [yes, no].into_iter().for_each(|place| place.each_buffer(visit)),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Program;

    #[test]
    fn variables_are_named_behind_their_declarations() {
        let is_fine = |body: &str| {
            let text = format!("program p(n) {{ in A[n]; out B[n]; temporary t; {body} }}");
            Program::read(&text).expect("a program").is_well_scoped()
        };
        let list = |text: &str| is_fine(&format!("for i = 0 while i < n step 1 {{ {text} }}"));
        assert!(list("S0(i): let t = A[i]; if (i > 0) { S1(i): B[i] = t; S2(i): t = 0; } S3(i): B[0] = t;"));
        assert!(list(
            "if (i > 0) { S0(i): let t = A[i]; S1(i): B[i] = t; } else { S2(i): let t = 0; S3(i): B[i] = t; }"
        ));
        assert!(!list("S0(i): let t = t + A[i]; S1(i): B[i] = t;") && !list("S1(i): B[i] = t; S0(i): let t = A[i];"));
        assert!(!list("S0(i): let t = A[i]; S1(i): let t = 2; S2(i): B[i] = t;"));
        assert!(!list("if (i > 0) { S0(i): let t = A[i]; } S1(i): B[i] = t;"));
        assert!(!is_fine("for i = 0 while i < n step 1 { S0(i): let t = A[i]; } S1(): B[0] = t;"));
        assert!(!list("S0(i): let B[i] = A[i];"));
    }
}
