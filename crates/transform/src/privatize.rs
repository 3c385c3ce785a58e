//! A variable is declared where its values live.
//!
//! ```text
//! for i … { t = A[i]; B[i] = t * t; }   becomes   for i … { let t = A[i]; B[i] = t * t; }
//! ```
//!
//! The idea: in a list of statements the first one that names the variable may only write it. Then each run of the list may
//! have a variable of its own. Lists beside each other have different ones.
//!
//! Invariant: every read is behind such a declaration, in its list or inside of it.

use polyfold_program::{Assign, BufferId, Loop, Place, Program, Role, Stmt};

/// The program with a scalar declared by statements in its loops. `None`: it isn't a temporary scalar, or it is used where no
/// such statement comes before.
pub fn privatize(program: &Program, scalar: BufferId) -> Option<Program> {
    let own = &program.buffers[scalar.0];
    if own.role != Role::Temporary || !own.extents.is_empty() {
        return None;
    }
    let variable = Variable { scalar };
    let mut body = program.body.clone();
    variable.declare(&mut body, false).then(|| Program { body, ..program.clone() })
}

/// The program in which no statement declares a variable.
pub fn undeclared(program: &Program, variable: BufferId) -> Program {
    fn without(stmt: &Stmt, variable: BufferId) -> Stmt {
        let list = |list: &[Stmt]| list.iter().map(|stmt| without(stmt, variable)).collect();
        match stmt {
            Stmt::For(own) => Stmt::For(Loop { body: list(&own.body), ..own.clone() }),
            Stmt::If { cond, then, other } => Stmt::If { cond: cond.clone(), then: list(then), other: list(other) },
            Stmt::Assign(own) if stmt.declared() == Some(variable) => {
                Stmt::Assign(Assign { declares: false, ..own.clone() })
            }
            other => other.clone(),
        }
    }
    Program { body: program.body.iter().map(|stmt| without(stmt, variable)).collect(), ..program.clone() }
}

struct Variable {
    scalar: BufferId,
}

impl Variable {
    /// Marks the statements that declare the variable; whether all mentions in the list are behind one.
    fn declare(&self, list: &mut [Stmt], in_loop: bool) -> bool {
        for stmt in list {
            if in_loop && self.begins(stmt) {
                if let Stmt::Assign(own) = stmt {
                    own.declares = true;
                }
                return true;
            }
            let mut is_used = false;
            stmt.each_use(&mut |_, id| is_used |= id == self.scalar);
            let is_fine = !is_used
                && match stmt {
                    Stmt::For(own) => self.declare(&mut own.body, true),
                    Stmt::If { then, other, .. } => self.declare(then, in_loop) && self.declare(other, in_loop),
                    _ => true,
                };
            if !is_fine {
                return false;
            }
        }
        true
    }

    /// Whether a statement is an assignment that writes the variable, and doesn't read it.
    fn begins(&self, stmt: &Stmt) -> bool {
        let is_written = matches!(stmt, Stmt::Assign(Assign { target: Place::Cell { buffer, .. }, .. })
            if *buffer == self.scalar);
        is_written && !stmt.reads(self.scalar)
    }
}

#[cfg(test)]
mod tests {
    use super::privatize;
    use polyfold_program::Program;
    use polyfold_replay::terms::{agree, sizes_to_run};

    fn privatized(body: &str) -> Option<String> {
        let text = format!("program p(n) {{ in A[n]; out B[n]; temporary t; {body} }}");
        let program = Program::read(&text).expect("a program");
        let after = privatize(&program, program.buffer("t").expect("a buffer"))?;
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 100_000).expect("nothing changed");
        assert!(ran.agreed > 0);
        Some(after.to_string())
    }

    #[test]
    fn each_list_has_a_variable_of_its_own() {
        let text = privatized(
            "for i = 0 while i < n step 1 { S0(i): t = A[i]; if (i > 0) { S1(i): t = t + 1; } S2(i): B[i] = t; }
             for i = 0 while i < n step 1 { if (i > 1) { S3(i): t = B[i]; S4(i): B[i] = t * t; } }",
        );
        let text = text.expect("two variables");
        assert!(text.contains("S0(i): let t = A[i];") && text.contains("S3(i): let t = B[i];"), "{text}");
        assert_eq!(text.matches("let").count(), 2);
    }

    #[test]
    fn what_is_read_from_elsewhere_stays() {
        for body in [
            "S0(): t = 0; for i = 0 while i < n step 1 { S1(i): B[i] = t; }",
            "for i = 0 while i < n step 1 { S0(i): t = t + A[i]; S1(i): B[i] = t; }",
            "for i = 0 while i < n step 1 { if (i > 0) { S0(i): t = A[i]; } S1(i): B[i] = t; }",
            "for i = 0 while i < n step 1 { S0(i): B[\"$0\"(t)] = A[i]; S1(i): t = A[i]; }",
            "for i = 0 while i < n step 1 { S0(i): t = A[i]; } for i = 0 while i < n step 1 { S1(i): B[i] = t; }",
        ] {
            assert_eq!(privatized(body), None, "{body}");
        }
    }
}
