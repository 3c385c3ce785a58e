//! Variables that statements declare and nobody reads go.
//!
//! Which ones may go is the caller's to say: the source's own text may name what the tree doesn't.
//!
//! Example: in `{ let t = A[i]; let u = 2 * t; B[i] = A[i]; }` first `u` goes, and then `t`.

use crate::sweep::{kept, left};
use polyfold_program::{Assign, BufferId, Place, Program, Stmt};

/// The program without those of some variables that are declared in a list that never reads them.
pub fn without_unread(program: &Program, variables: &[BufferId]) -> Program {
    let mut body = program.body.clone();
    loop {
        let next = in_list(&body, variables);
        if next == body {
            return Program { body, ..program.clone() };
        }
        body = next;
    }
}

fn in_list(list: &[Stmt], variables: &[BufferId]) -> Vec<Stmt> {
    let declared = list.iter().enumerate().find_map(|(at, stmt)| match stmt {
        Stmt::Assign(Assign { declares: true, target: Place::Cell { buffer, .. }, .. })
            if variables.contains(buffer) && !list[at..].iter().any(|stmt| needs(stmt, *buffer)) =>
        {
            Some((at, *buffer))
        }
        _ => None,
    });
    let mut all = list.to_vec();
    if let Some((at, variable)) = declared {
        let writes = |own: &Stmt| {
            let writes = |own: &Assign| matches!(own.target, Place::Cell { buffer, .. } if buffer == variable);
            matches!(own, Stmt::Assign(own) if writes(own))
        };
        let behind = kept(&all.split_off(at), &|own| !writes(own));
        all.extend(behind);
    }
    all.iter().filter_map(|stmt| left(stmt, &|inner: &[Stmt]| in_list(inner, variables), &|_| true)).collect()
}

/// Whether a statement reads a variable, or isn't understood and names it.
fn needs(stmt: &Stmt, variable: BufferId) -> bool {
    let is_opaque = |stmt: &Stmt| matches!(stmt, Stmt::Opaque(_)) && stmt.uses(variable);
    stmt.reads(variable) || stmt.any(&is_opaque)
}

#[cfg(test)]
mod tests {
    use super::without_unread;
    use polyfold_program::Program;
    use polyfold_replay::terms::{agree, sizes_to_run};

    #[test]
    fn what_is_read_for_nobody_goes_with_its_reader() {
        let text = "program p(n) { in A[n]; out B[n]; temporary t; temporary u;
            for i = 0 while i < n step 1 {
              S0(i): let t = A[i]; S1(i): let u = 2 * t; if (i > 0) { S2(i): u = 0; } S3(i): B[i] = A[i];
            }
            for i = 1 while i < n step 1 { S4(i): let t = A[i]; S5(i): B[i] = t; } }";
        let program = Program::read(text).expect("a program");
        let all = ["t", "u"].map(|name| program.buffer(name).expect("a buffer"));
        let after = without_unread(&program, &all);
        assert_eq!(without_unread(&program, &all[..1]), program);
        assert!(agree(&program, &after, &sizes_to_run(&program, &after), 10_000).is_ok());
        let subscript = "program p(n) { in A[n]; out B[n]; temporary t; temporary u;
            for i = 0 while i < n step 1 { S0(i): let t = A[i]; S1(i): B[\"$0\"(t)] = 1; } }";
        let subscript = Program::read(subscript).expect("a program");
        assert_eq!(without_unread(&subscript, &all), subscript);
        let text = after.to_string();
        assert!(["S0", "S1", "S2", "if"].iter().all(|gone| !text.contains(gone)), "{text}");
        assert!(["S3", "S4", "S5"].iter().all(|stays| text.contains(stays)), "{text}");
    }
}
