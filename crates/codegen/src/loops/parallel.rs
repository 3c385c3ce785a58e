//! New loops whose iterations may run at once.
//!
//! A dimension of the dates that is parallel becomes loops with `#pragma omp parallel for` in front. Loops inside with a counter that
//! is declared in front of the scop would share it, so each thread gets one of its own:
//!
//! ```text
//! #pragma omp parallel for private(j)
//!   for (i = 1; i < n; i++)
//!     for (j = 0; j < m; j++) …
//! ```
//!
//! Where a dimension becomes several loops, each waits for the one before it, as OpenMP has it: what is proved of storage is proved
//! of that text.

use super::counters::Counters;
use polyfold_isl::{Ast, AstExpr, Error, Operation};
use std::collections::BTreeSet;

/// Why there are no new loops.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// isl finds none.
    Isl(Error),
    /// A parallel dimension becomes no loop.
    NoLoop(usize),
    /// The end of a parallel dimension's loop is not one bound of its counter, as OpenMP asks for.
    NotCanonical(usize),
}

impl From<Error> for Misfit {
    fn from(error: Error) -> Misfit {
        Misfit::Isl(error)
    }
}

/// Whether each parallel dimension has loops, and OpenMP takes them.
pub(super) fn fit(ast: &Ast, counters: &Counters, parallel: &[usize]) -> Result<(), Misfit> {
    let mut loops = Vec::new();
    collect(ast, &mut loops);
    for dimension in parallel {
        let is_its = |(iterator, _): &&(&str, &AstExpr)| counters.names.get(*dimension).is_some_and(|n| n == iterator);
        let its: Vec<_> = loops.iter().filter(is_its).collect();
        if its.is_empty() {
            return Err(Misfit::NoLoop(*dimension));
        }
        if !its.iter().all(|(iterator, condition)| is_canonical(iterator, condition)) {
            return Err(Misfit::NotCanonical(*dimension));
        }
    }
    Ok(())
}

/// Whether the loop with a counter is parallel.
pub(super) fn is_parallel(iterator: &str, counters: &Counters, parallel: &[usize]) -> bool {
    let dimension = counters.names.iter().position(|name| name == iterator);
    dimension.is_some_and(|dimension| parallel.contains(&dimension))
}

/// The line in front of a loop that is parallel.
pub(super) fn pragma(iterator: &str, body: &Ast, counters: &Counters, parallel: &[usize]) -> Option<String> {
    if !is_parallel(iterator, counters, parallel) {
        return None;
    }
    let mut inside = Vec::new();
    collect(body, &mut inside);
    let shared: BTreeSet<&str> =
        inside.into_iter().map(|(name, _)| name).filter(|name| counters.is_users(name)).collect();
    let names = shared.into_iter().collect::<Vec<_>>().join(", ");
    let private = if names.is_empty() { String::new() } else { format!(" private({names})") };
    Some(format!("#pragma omp parallel for{private}"))
}

/// The counters and conditions of all loops.
fn collect<'a>(ast: &'a Ast, into: &mut Vec<(&'a str, &'a AstExpr)>) {
    match ast {
        Ast::For { iterator, condition, body, .. } => {
            into.push((iterator, condition));
            collect(body, into);
        }
        Ast::If { then, otherwise, .. } => {
            collect(then, into);
            otherwise.iter().for_each(|ast| collect(ast, into));
        }
        Ast::Block(all) => all.iter().for_each(|ast| collect(ast, into)),
        Ast::Point { .. } => {}
    }
}

/// `counter < bound` or `counter <= bound`.
fn is_canonical(iterator: &str, condition: &AstExpr) -> bool {
    let AstExpr::Operation(Operation::Less | Operation::LessEqual, operands) = condition else { return false };
    let is_counter = |name: &str| name == iterator;
    matches!(&operands[..], [AstExpr::Name(name), bound] if is_counter(name) && !bound.mentions(&is_counter))
}
