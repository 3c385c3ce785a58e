//! Statements whose results nobody reads go.
//!
//! So do loops and conditions that are left empty. A loop stays if its counter is seen behind it, and a condition if it reads memory
//! that no buffer names. Which statements are dead is the caller's to say, and the judges' to check.
//!
//! Example: where nobody reads `t` behind `S2(i): t[i] = z;`, `S2` goes and `z` may be dead next.

use polyfold_program::{BufferId, Loop, Place, Program, StatementId, Stmt};

/// The program without some statements.
pub fn sweep(program: &Program, dead: &[StatementId]) -> Program {
    Program {
        body: kept(&program.body, &|own| own.instance().is_none_or(|(id, _)| !dead.contains(&id))),
        ..program.clone()
    }
}

/// The program without assignments to some variables.
pub fn without_writes(program: &Program, variables: &[BufferId]) -> Program {
    let is_one = |place: &Place| matches!(place, Place::Cell { buffer, .. } if variables.contains(buffer));
    let stays = |stmt: &Stmt| !matches!(stmt, Stmt::Assign(own) if is_one(&own.target));
    Program { body: kept(&program.body, &stays), ..program.clone() }
}

/// The statements without some of them, and without what these leave empty.
pub(crate) fn kept(body: &[Stmt], stays: &dyn Fn(&Stmt) -> bool) -> Vec<Stmt> {
    body.iter().filter_map(|stmt| left(stmt, &|list: &[Stmt]| kept(list, stays), stays)).collect()
}

/// What is left of a statement whose lists change.
pub(crate) fn left(stmt: &Stmt, change: &dyn Fn(&[Stmt]) -> Vec<Stmt>, stays: &dyn Fn(&Stmt) -> bool) -> Option<Stmt> {
    match stmt {
        own @ (Stmt::Assign(_) | Stmt::Opaque(_)) if !stays(own) => None,
        Stmt::For(own) => {
            let body = change(&own.body);
            let may_go = own.declares && !own.parallel && !own.body.is_empty();
            (!body.is_empty() || !may_go).then(|| Stmt::For(Loop { body, ..own.clone() }))
        }
        Stmt::If { cond, then, other } => {
            let (now, now_other) = (change(then), change(other));
            let is_emptied = now.is_empty() && now_other.is_empty() && !(then.is_empty() && other.is_empty());
            (!is_emptied || cond.is_volatile()).then(|| Stmt::If { cond: cond.clone(), then: now, other: now_other })
        }
        other => Some(other.clone()),
    }
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
        }
        for let i = 0 while i < n step 1 { if (i >= 2) { S4(i): t[i] = 0; } }
        for j = 0 while j < n step 1 { S5(j): t[j] = 0; }
      }";

    #[test]
    fn what_is_dead_goes_and_what_is_not_is_missed() {
        let source = Program::read(SOURCE).expect("a program");
        let sizes = sizes_to_run(&source, &source);
        let without = |name: &str| sweep(&source, &[source.statement(name).expect("a statement")]);
        for dead in ["S3", "S4", "S5"] {
            assert!(agree(&source, &without(dead), &sizes, 100_000).is_ok(), "{dead}");
            assert!(!without(dead).to_string().contains(dead));
        }
        for alive in ["S0", "S1", "S2"] {
            assert!(agree(&source, &without(alive), &sizes, 100_000).is_err(), "{alive}");
        }
    }

    #[test]
    fn what_is_left_empty_goes_but_for_a_counter_that_is_seen() {
        let source = Program::read(SOURCE).expect("a program");
        let without = |name: &str| sweep(&source, &[source.statement(name).expect("a statement")]).body.len();
        assert_eq!([without("S3"), without("S4"), without("S5")], [3, 2, 3]);
    }
}
