//! How far counters are from where their loops begin and end.
//!
//! Example: in `for i = k while i < k + 8` the difference `i - k` is not below 0, and `i - (k + 8)` is below 0. So `i - k` is an `int`,
//! whatever k is.
//!
//! Invariant: it holds wherever the counter is known. What only one of several loops with a counter says isn't known.

use crate::ranges::{ALL, direction};
use polyfold_program::{Cond, Int, IntOp, LocalId, Loop, Program, Relation, Stmt, Values};
use std::collections::BTreeSet;

/// Differences of counters and other integers, with their values.
pub(crate) fn distances(program: &Program) -> Vec<(Int, Values)> {
    let (mut loops, mut changing): (Vec<&Loop>, BTreeSet<LocalId>) = Default::default();
    for stmt in &program.body {
        stmt.each(&mut |stmt| match stmt {
            Stmt::For(own) => {
                loops.push(own);
                // It is seen behind the loop, or its iterations don't begin and end as its head says.
                if !own.declares || own.first.is_none() || own.step.is_none() {
                    changing.insert(own.counter);
                }
            }
            Stmt::Set { local, .. } => _ = changing.insert(*local),
            _ => {}
        });
    }
    let stays = |e: &Int| {
        let mut stays = true;
        e.each(&mut |e| stays &= !matches!(e, Int::Local(local) if changing.contains(local)) && e.as_data().is_none());
        stays
    };
    let mut found: Vec<(Int, Values)> = Vec::new();
    for own in loops.iter().filter(|own| !changing.contains(&own.counter)) {
        let is_said = |fact: &(Int, Values)| {
            let mut others = loops.iter().filter(|other| other.counter == own.counter);
            others.all(|other| of_loop(other).contains(fact))
        };
        found.extend(
            of_loop(own)
                .into_iter()
                .filter(|fact| stays(&fact.0) && !found.contains(fact) && is_said(fact))
                .collect::<Vec<_>>(),
        );
    }
    found
}

/// How far a loop's counter is from where it begins and ends, in an iteration.
fn of_loop(own: &Loop) -> Vec<(Int, Values)> {
    let Some(is_upwards) = direction(own, own.counter) else { return Vec::new() };
    let mut found = Vec::new();
    let mut far = |from: &Int, is_least: bool, values: Values| {
        for from in ends(from, is_least) {
            found.push((Int::binary(IntOp::Subtract, Int::Local(own.counter), from.clone()), values));
        }
    };
    let ahead = if is_upwards { (0, ALL.1) } else { (ALL.0, 0) };
    own.first.iter().for_each(|first| far(first, is_upwards, ahead));
    each_bound(&own.test, own.counter, &mut |relation, bound| match relation {
        Relation::Less => far(bound, false, (ALL.0, -1)),
        Relation::LessOrEqual => far(bound, false, (ALL.0, 0)),
        Relation::Greater => far(bound, true, (1, ALL.1)),
        Relation::GreaterOrEqual => far(bound, true, (0, ALL.1)),
        Relation::Equal | Relation::NotEqual => {}
    });
    found
}

/// Calls `visit` for what a test compares a counter with.
fn each_bound(test: &Cond, counter: LocalId, visit: &mut dyn FnMut(&Relation, &Int)) {
    match test {
        Cond::And(left, right) => [left, right].into_iter().for_each(|test| each_bound(test, counter, visit)),
        Cond::Compare(relation, Int::Local(local), bound) if *local == counter => visit(relation, bound),
        _ => {}
    }
}

/// Of a largest integer, all that it isn't less than; of a smallest one, all that it isn't more than.
fn ends(e: &Int, is_least: bool) -> Vec<&Int> {
    match e {
        Int::Binary(IntOp::Maximum, left, right) if is_least => [ends(left, true), ends(right, true)].concat(),
        Int::Binary(IntOp::Minimum, left, right) if !is_least => [ends(left, false), ends(right, false)].concat(),
        e => vec![e],
    }
}

#[cfg(test)]
mod tests {
    use crate::ranges::Ranges;
    use polyfold_program::{Int, IntOp, LocalId, ParameterId, Program};

    /// What is known of `i - n`.
    fn known(body: &str) -> Option<(i128, i128)> {
        let text = format!("program p(n: i32, m: i32) {{ out B[?]; {body} }}");
        let program = Program::read(&text).expect("a program");
        let difference = Int::binary(IntOp::Subtract, Int::Local(LocalId(0)), Int::Parameter(ParameterId(0)));
        Ranges::of(&program).known(&difference)
    }

    #[test]
    fn counters_are_near_the_ends_of_their_loops() {
        let own = "for let i: i32 = n while i < n + 8 && i < m step 1 { S0(i): B[i - n] = 1; }";
        assert_eq!(known(own), Some((0, 7)));
        assert_eq!(known(&own.replace("= n", "= max(n, m)").replace("n + 8", "min(m, n + 8)")), Some((0, 7)));
        assert_eq!(known(&format!("{own} {own}")), Some((0, 7)));
        let other = own.replace("= n", "= m");
        assert_eq!(known(&format!("{own} {other}")).map(|known| known.1), Some(7), "the other one begins elsewhere");
        assert_eq!(known(&own.replace("let ", "")), None, "it is seen behind the loop");
        assert_eq!(known(&own.replace("S0(i)", "i = i + 1; S0(i)")), None);
    }
}
