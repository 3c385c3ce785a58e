//! Where variables that statements declare may be named.
//!
//! Example: in `for i … { S0(i): let t = A[i]; S1(i): B[i] = t; }` each iteration has its own `t`, and nobody else names it.

use crate::{Assign, BufferId, Copy, Int, Place, Program, Role, Stmt, Use};
use std::collections::BTreeSet;

impl Program {
    /// Whether variables that statements declare are scalars that only the program sees, named behind a declaration in the
    /// same list or inside of it.
    pub fn is_well_scoped(&self) -> bool {
        let mut declared = BTreeSet::new();
        self.body.iter().for_each(|stmt| {
            stmt.each(&mut |stmt| declared.extend(stmt.declared()));
        });
        let is_own = |id: &BufferId| {
            let buffer = &self.buffers[id.0];
            buffer.extents.is_empty() && buffer.role == Role::Temporary
        };
        declared.iter().all(is_own) && Scopes { all: declared }.are_fine(&self.body, &BTreeSet::new())
    }

    /// Whether no size and no local is named where statements declare a variable of its name.
    pub fn sees_all_names(&self) -> bool {
        self.sees_names(&self.body, &mut Vec::new())
    }

    fn sees_names<'a>(&'a self, list: &[Stmt], declared: &mut Vec<&'a str>) -> bool {
        let count = declared.len();
        let is_fine = list.iter().all(|stmt| {
            let mut is_seen = true;
            stmt.each_int(&mut |e| {
                is_seen &= match e {
                    Int::Parameter(id) => !declared.contains(&self.parameters[id.0].name.as_str()),
                    Int::Local(id) => !declared.contains(&self.locals[id.0].name.as_str()),
                    _ => true,
                }
            });
            declared.extend(stmt.declared().map(|id| self.buffers[id.0].name.as_str()));
            is_seen && stmt.lists().into_iter().all(|inner| self.sees_names(inner, declared))
        });
        declared.truncate(count);
        is_fine
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

    /// Whether it uses a variable that is declared around it. In a list inside that declares it anew, what stands behind that
    /// means another one.
    pub fn uses_from_outside(&self, variable: BufferId) -> bool {
        let mut found = false;
        self.each_use(&mut |_, id| found |= id == variable);
        let in_list = |list: &[Stmt]| {
            let mut own = list.iter().take_while(|stmt| stmt.declared() != Some(variable));
            own.any(|stmt| stmt.uses_from_outside(variable))
        };
        found || self.lists().into_iter().any(in_list)
    }
}

struct Scopes {
    /// All variables that statements declare.
    all: BTreeSet<BufferId>,
}

impl Scopes {
    fn are_fine(&self, list: &[Stmt], around: &BTreeSet<BufferId>) -> bool {
        let mut declared = BTreeSet::new();
        list.iter().enumerate().all(|(k, stmt)| {
            // Behind its last use a list inside may declare it anew.
            let is_used = |id: &&BufferId| list[k..].iter().any(|stmt| stmt.uses_from_outside(**id));
            let visible: BTreeSet<BufferId> = around.iter().chain(declared.iter().filter(is_used)).copied().collect();
            let (mut reads, mut writes) = (BTreeSet::new(), BTreeSet::new());
            stmt.each_use(&mut |how, id| {
                if how == Use::Read {
                    reads.insert(id)
                } else {
                    writes.insert(id)
                };
            });
            let is_named_well = |id: &BufferId| !self.all.contains(id) || visible.contains(id);
            if has_address_of(stmt, &self.all) || !reads.iter().all(is_named_well) {
                return false;
            }
            match stmt.declared() {
                // It has no value yet, and is declared once where it is seen.
                Some(id) => !around.contains(&id) && declared.insert(id),
                None => {
                    writes.iter().all(is_named_well)
                        && stmt.lists().into_iter().all(|inner| self.are_fine(inner, &visible))
                }
            }
        })
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
        let inside = "if (i > 0) { S1(i): let t = A[0]; S2(i): B[i] = t; }";
        assert!(list(&format!("S0(i): let t = A[i]; S3(i): B[0] = t; {inside}")));
        assert!(!list(&format!("S0(i): let t = A[i]; {inside} S3(i): B[0] = t;")));
        assert!(!list("if (i > 0) { S0(i): let t = A[i]; } S1(i): B[i] = t;"));
        assert!(!is_fine("for i = 0 while i < n step 1 { S0(i): let t = A[i]; } S1(): B[0] = t;"));
        assert!(!list("S0(i): let B[i] = A[i];"));
        assert!(!list("S0(i): B[\"(int)$0\"(t)] = 1; S1(i): let t = A[i];"));
        assert!(list("S0(i): let t = A[i]; S1(i): B[\"(int)$0\"(t)] = 1;"));
        assert!(!list("S0(i): let t = A[i]; pointer q = &t; S1(i): B[i] = t;"));
    }

    #[test]
    fn names_are_hidden_by_variables() {
        let is_fine = |body: &str| {
            let text = format!("program p(n) {{ in A[n]; out B[n]; temporary t; {body} }}");
            let mut program = Program::read(&text).expect("a program");
            program.locals[0].name = "t".to_string();
            program.sees_all_names()
        };
        let list = |text: &str| is_fine(&format!("for i = 0 while i < n step 1 {{ {text} }}"));
        assert!(list("S0(i): let t = A[i]; S1(i): B[0] = t;") && !list("S0(i): let t = A[i]; S1(i): B[i] = t;"));
        assert!(list("if (i > 0) { S0(i): let t = A[i]; S1(i): B[0] = t; } S2(i): B[i] = 1;"));
    }
}
