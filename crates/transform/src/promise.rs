//! Compilers are told of loops whose iterations may run at once.
//!
//! ```text
//! for j … { W[1][j] = W[0][j] + W[2][j]; }   becomes   vector for j … { W[1][j] = W[0][j] + W[2][j]; }
//! ```
//!
//! The idea: a compiler doesn't see that two subscripts of one buffer never meet. Where it is known of a loop's statements
//! that no iteration uses a cell that one before it writes, the loop says so.
//!
//! Of which statements that is known is the caller's to say, and execution over terms checks it. What is known statement by
//! statement, where a later iteration may write what an earlier one has read, holds of loops without conditions only.
//!
//! Source: Allen and Kennedy, Optimizing Compilers for Modern Architectures (2001) §2.2.
//!
//! Limits: innermost loops only. Loops that nothing seems to hinder say nothing; nor do those with remainders or quotients of
//! their counter: compilers would gather cell by cell.

use polyfold_program::Sum;
use polyfold_program::{BufferId, Cond, Int, IntOp, Loop, Place, Program, Relation, StatementId, Stmt, Use};

/// Statements whose innermost loop's iterations may run at once.
#[derive(Clone, Debug, Default)]
pub struct Apart {
    /// In any order.
    pub in_any_order: Vec<StatementId>,
    /// Statement by statement.
    pub in_order: Vec<StatementId>,
}

/// The program with such loops marked.
pub fn promise(program: &Program, apart: &Apart) -> Program {
    Program { body: list(&program.body, apart), ..program.clone() }
}

fn list(body: &[Stmt], apart: &Apart) -> Vec<Stmt> {
    body.iter().map(|own| stmt(own, apart)).collect()
}

fn stmt(own: &Stmt, apart: &Apart) -> Stmt {
    match own {
        Stmt::For(own) => {
            let vector = own.vector || is_promised(own, apart);
            Stmt::For(Loop { vector, body: list(&own.body, apart), ..own.clone() })
        }
        Stmt::If { cond, then, other } => {
            Stmt::If { cond: cond.clone(), then: list(then, apart), other: list(other, apart) }
        }
        other => other.clone(),
    }
}

fn is_promised(own: &Loop, apart: &Apart) -> bool {
    let is_straight = own.body.iter().all(|stmt| matches!(stmt, Stmt::Assign(_)));
    let is_apart = |id: &StatementId| apart.in_any_order.contains(id) || is_straight && apart.in_order.contains(id);
    let (mut are_apart, mut has_some) = (true, false);
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::Assign(own) => {
            has_some = true;
            are_apart &= is_apart(&own.statement);
        }
        Stmt::If { .. } => {}
        _ => are_apart = false,
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut visit));
    let is_counted =
        own.step.is_some() && matches!(&own.test, Cond::Compare(_, _, bound) if !matches!(bound, Int::Select(..)));
    let is_asked = are_apart && has_some && is_counted && !own.parallel;
    is_asked && !has_one_iteration(own) && !divides(own) && seem_to_overlap(own)
}

/// Whether a loop has no more than one iteration, by what holds at its head.
fn has_one_iteration(own: &Loop) -> bool {
    let Cond::Compare(test, left, bound) = &own.test else { return false };
    let is_alone = |cond: &Cond| match (cond, test) {
        (Cond::Compare(Relation::GreaterOrEqual, at, from), Relation::Less) if at == left => {
            Sum::difference(bound, from).is_some_and(|count| count <= 1)
        }
        (Cond::Compare(Relation::GreaterOrEqual, at, from), Relation::LessOrEqual) if at == left => {
            Sum::difference(bound, from).is_some_and(|count| count <= 0)
        }
        (Cond::Compare(Relation::LessOrEqual, at, from), Relation::GreaterOrEqual) if at == left => {
            Sum::difference(from, bound).is_some_and(|count| count <= 0)
        }
        (Cond::Compare(Relation::Less, at, from), Relation::GreaterOrEqual) if at == left => {
            Sum::difference(from, bound).is_some_and(|count| count <= 1)
        }
        _ => false,
    };
    *left == Int::Local(own.counter) && own.invariant.ranges.iter().any(is_alone)
}

/// Whether a buffer that is written has two places in the loop.
fn seem_to_overlap(own: &Loop) -> bool {
    let mut places: Vec<(Use, BufferId, Place)> = Vec::new();
    let mut note = |how: Use, place: &Place| {
        if let Place::Cell { buffer, index } = place
            && !index.is_empty()
        {
            places.push((how, *buffer, place.clone()));
        }
    };
    own.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_place(&mut note)));
    places.iter().any(|(how, buffer, place)| {
        *how == Use::Write && places.iter().any(|(_, other, at)| other == buffer && at != place)
    })
}

/// Whether a subscript divides the counter.
fn divides(own: &Loop) -> bool {
    let mut found = false;
    let mut visit = |e: &Int| {
        let is_division =
            matches!(e, Int::Binary(IntOp::Divide | IntOp::FloorDivide | IntOp::Remainder | IntOp::FloorModulo, ..));
        found |= is_division && e.names(own.counter);
    };
    let mut in_place = |place: &Place| place.each_int(&mut visit);
    own.body.iter().for_each(|stmt| stmt.each(&mut |stmt| stmt.each_place(&mut |_, place| in_place(place))));
    found
}
