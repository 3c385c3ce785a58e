//! What holds a counter of which nobody says so.
//!
//! Example: of `for c = n - 8 while c <= n` with an `int` n the counter is a `long`: behind the last iteration it is n + 1.
//!
//! Loops one behind the other may have counters of one name, and other types.

use crate::ranges::Ranges;
use polyfold_program::{Int, IntType, LocalId, Loop, Program, Stmt};

/// The program with types for all counters that loops declare.
pub fn with_types(program: &Program) -> Program {
    let mut apart = program.clone();
    let mut body = std::mem::take(&mut apart.body);
    body = body.iter().map(|stmt| with_own_counters(&mut apart, stmt)).collect();
    apart.body = body;
    let mut counters = Vec::new();
    types_in(&apart, &apart.body, &Ranges::of(&apart), &mut counters);
    counters.into_iter().for_each(|(counter, held)| apart.locals[counter.0].held = Some(held));
    apart
}

/// Types of counters, where something is known. What is known in a block counts in it alone.
fn types_in(program: &Program, list: &[Stmt], ranges: &Ranges, found: &mut Vec<(LocalId, IntType)>) {
    for stmt in list {
        match stmt {
            Stmt::With(own) if !own.known.is_empty() => {
                let context = program.context.iter().chain(&own.known).cloned().collect();
                let inside = Program { context, ..program.clone() };
                types_in(&inside, &own.body, &Ranges::of(&inside), found);
                continue;
            }
            Stmt::For(own) if program.locals[own.counter.0].held.is_none() => {
                let held = IntType::INT.holds(ranges.with_ends(own));
                found.push((own.counter, if held { IntType::INT } else { IntType::LONG }));
            }
            _ => {}
        }
        stmt.lists().into_iter().for_each(|list| types_in(program, list, ranges, found));
    }
}

/// A statement whose loops have counters of their own, where nobody says what holds them.
fn with_own_counters(program: &mut Program, stmt: &Stmt) -> Stmt {
    let mut list = |list: &[Stmt]| list.iter().map(|stmt| with_own_counters(program, stmt)).collect();
    match stmt {
        Stmt::For(own) => {
            let body = list(&own.body);
            let own = Loop { body, ..own.clone() };
            match own.declares && program.locals[own.counter.0].held.is_none() {
                true => counted_apart(program, own),
                false => Stmt::For(own),
            }
        }
        Stmt::If { cond, then, other } => Stmt::If { cond: cond.clone(), then: list(then), other: list(other) },
        Stmt::With(own) => {
            let mut own = own.clone();
            own.body = list(&own.body);
            Stmt::With(own)
        }
        other => other.clone(),
    }
}

fn counted_apart(program: &mut Program, own: Loop) -> Stmt {
    let counter = LocalId(program.locals.len());
    program.locals.push(program.locals[own.counter.0].clone());
    let mut leaf = |e: &Int| if *e == Int::Local(own.counter) { Int::Local(counter) } else { e.clone() };
    match Stmt::For(own.clone()).with_leaves(&mut leaf) {
        Stmt::For(moved) => Stmt::For(Loop { counter, first: own.first, ..moved }),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::with_types;
    use polyfold_program::{IntType, LocalId, Program, Stmt};

    #[test]
    fn a_counter_is_an_int_if_it_holds_all_values_and_the_one_behind_them() {
        let loops = ["n - 8 while c <= n", "0 while c < n", "(n - 9) while c < n - 1"];
        let body: String = loops.map(|own| format!("for let c = {own} step 1 {{ S0(c): B[0] = 1; }}")).concat();
        let text = format!("program p(n: i32) where n >= 9 {{ out B[n]; {body} }}");
        let program = with_types(&Program::read(&text).expect("a program"));
        let counter = |stmt: &Stmt| if let Stmt::For(own) = stmt { own.counter } else { LocalId(0) };
        let held: Vec<_> = program.body.iter().map(|stmt| program.locals[counter(stmt).0].held).collect();
        assert_eq!(held, [IntType::LONG, IntType::INT, IntType::INT].map(Some));
    }
}
