//! Where variables that statements declare may be named.
//!
//! Example: in `for i … { S0(i): let t = A[i]; S1(i): B[i] = t; }` each iteration has its own `t`, and nobody else names it.

use crate::{Assign, BufferId, Copy, Int, Place, Program, Role, Stmt, Use};
use std::collections::BTreeSet;

impl Program {
    /// Whether variables that statements declare are scalars that only the program sees, named behind a declaration in the
    /// same list or inside of it. Where they are seen, no size and no local of their name is.
    pub fn is_well_scoped(&self) -> bool {
        let mut declared = BTreeSet::new();
        self.body.iter().for_each(|stmt| {
            stmt.each(&mut |stmt| declared.extend(stmt.declared()));
        });
        let is_own = |id: &BufferId| {
            let buffer = &self.buffers[id.0];
            buffer.extents.is_empty() && buffer.role == Role::Temporary
        };
        declared.iter().all(is_own) && Scopes { program: self, all: declared }.are_fine(&self.body, &BTreeSet::new())
    }
}

impl Stmt {
    /// The variable that it declares itself.
    pub fn declared(&self) -> Option<BufferId> {
        match self {
            Stmt::Assign(Assign { declares: true, target: Place::Cell { buffer, .. }, .. }) => Some(*buffer),
            Stmt::Copy(Copy { declares: true, to, .. }) => Some(to.buffer),
            _ => None,
        }
    }
}

struct Scopes<'a> {
    program: &'a Program,
    /// All variables that statements declare.
    all: BTreeSet<BufferId>,
}

impl Scopes<'_> {
    fn are_fine(&self, list: &[Stmt], around: &BTreeSet<BufferId>) -> bool {
        let mut visible = around.clone();
        list.iter().all(|stmt| {
            let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
            stmt.each_use(&mut |how, id| {
                if how == Use::Read {
                    reads.insert(id)
                } else {
                    writes.insert(id)
                };
            });
            let is_named_well = |id: &BufferId| !self.all.contains(id) || visible.contains(id);
            if has_address_of(stmt, &self.all) || !reads.iter().all(is_named_well) || self.names_hidden(stmt, &visible) {
                return false;
            }
            match stmt.declared() {
                // It has no value yet, and is declared once where it is seen.
                Some(id) => visible.insert(id),
                None => {
                    writes.iter().all(is_named_well)
                        && stmt.lists().into_iter().all(|inner| self.are_fine(inner, &visible))
                }
            }
        })
    }

    /// Whether a statement names a size or a local where a variable of its name is seen.
    fn names_hidden(&self, stmt: &Stmt, visible: &BTreeSet<BufferId>) -> bool {
        let is_hidden = |name: &str| visible.iter().any(|id| self.program.buffers[id.0].name == name);
        let mut found = false;
        stmt.each_int(&mut |e| {
            found |= match e {
                Int::Parameter(id) => is_hidden(&self.program.parameters[id.0].name),
                Int::Local(id) => is_hidden(&self.program.locals[id.0].name),
                _ => false,
            }
        });
        found
    }
}

/// Whether a pointer may lead out of a variable's list.
fn has_address_of(stmt: &Stmt, variables: &BTreeSet<BufferId>) -> bool {
    let mut found = false;
    if let Stmt::Let { .. } | Stmt::Set { .. } = stmt {
        stmt.each_use(&mut |_, id| found |= variables.contains(&id));
    }
    found
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
        assert!(!list("S0(i): B[\"(int)$0\"(t)] = 1; S1(i): let t = A[i];"));
        assert!(list("S0(i): let t = A[i]; S1(i): B[\"(int)$0\"(t)] = 1;"));
        assert!(!list("S0(i): let t = A[i]; pointer q = &t; S1(i): B[i] = t;"));
    }
}
