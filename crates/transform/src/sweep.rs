//! Statements whose results nobody reads go.
//!
//! Loops and branches without statements stay: they compute nothing. Which statements are dead is
//! the caller's to say, and the judges' to check.
//!
//! Example: where nobody reads `t` behind `S2(i): t[i] = z;`, `S2` goes and `z` may be dead next.

use polyfold_program::{Assign, Loop, Program, StatementId, Stmt};

/// The program without the assignments of some statements.
pub fn sweep(program: &Program, dead: &[StatementId]) -> Program {
    Program { body: without(&program.body, dead), ..program.clone() }
}

fn without(body: &[Stmt], dead: &[StatementId]) -> Vec<Stmt> {
    let kept = |stmt: &&Stmt| !matches!(stmt, Stmt::Assign(Assign { statement, .. }) if dead.contains(statement));
    let inside = |stmt: &Stmt| match stmt {
        Stmt::For(own) => Stmt::For(Loop { body: without(&own.body, dead), ..own.clone() }),
        Stmt::If { cond, then, other } => {
            Stmt::If { cond: cond.clone(), then: without(then, dead), other: without(other, dead) }
        }
        other => other.clone(),
    };
    body.iter().filter(kept).map(inside).collect()
}

#[cfg(test)]
mod tests {
    use super::sweep;
    use polyfold_program::Program;
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n) { in A[n]; out B[n]; temporary t[n];
        for i = 0 while i < n step 1 {
          S0(i): t[i] = A[i];
          if (i >= 1) { S1(i): B[i] = t[i] + 1; } else { S2(i): B[i] = 0; }
          S3(i): t[i] = B[i];
        } }";

    #[test]
    fn what_is_dead_goes_and_what_is_not_is_missed() {
        let source = Program::read(SOURCE).expect("a program");
        let sizes = sizes_to_run(&source, &source);
        let without = |name: &str| sweep(&source, &[source.statement(name).expect("a statement")]);
        assert!(agree(&source, &without("S3"), &sizes, 100_000).is_ok());
        assert!(!without("S3").to_string().contains("S3"));
        for alive in ["S0", "S1", "S2"] {
            assert!(agree(&source, &without(alive), &sizes, 100_000).is_err(), "{alive}");
        }
    }
}
