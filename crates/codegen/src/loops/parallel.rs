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
use polyfold_scop::Span;
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
    /// Threads that run the scop divide a loop of the source, by this pragma, but not all of the new loops.
    Divided(Span),
}

impl From<Error> for Misfit {
    fn from(error: Error) -> Misfit {
        Misfit::Isl(error)
    }
}

/// Whether each parallel dimension has loops, and OpenMP takes them.
pub(super) fn fit(ast: &Ast, parallel: &[usize]) -> Result<(), Misfit> {
    let mut loops = Vec::new();
    collect(ast, &mut loops);
    for dimension in parallel {
        let its: Vec<&Loop> = loops.iter().filter(|l| l.dimension == *dimension).collect();
        if its.is_empty() {
            return Err(Misfit::NoLoop(*dimension));
        }
        if !its.iter().all(|l| is_canonical(l.iterator, l.condition)) {
            return Err(Misfit::NotCanonical(*dimension));
        }
    }
    Ok(())
}

/// A directive in front of a parallel loop with this body, whose counters each thread gets for itself.
pub(super) fn pragma(directive: &str, body: &Ast, counters: &Counters) -> String {
    let mut inside = Vec::new();
    collect(body, &mut inside);
    let shared: BTreeSet<&str> =
        inside.into_iter().map(|l: Loop| l.iterator).filter(|name| counters.is_users(name)).collect();
    let names = shared.into_iter().collect::<Vec<_>>().join(", ");
    let private = if names.is_empty() { String::new() } else { format!(" private({names})") };
    format!("{directive}{private}")
}

/// What OpenMP asks about.
struct Loop<'a> {
    dimension: usize,
    iterator: &'a str,
    condition: &'a AstExpr,
}

fn collect<'a>(ast: &'a Ast, into: &mut Vec<Loop<'a>>) {
    ast.each(&mut |ast| {
        if let Ast::For { dimension, iterator, condition, .. } = ast {
            into.push(Loop { dimension: *dimension, iterator, condition });
        }
    });
}

/// `counter < bound` and the like.
pub(super) fn is_canonical(iterator: &str, condition: &AstExpr) -> bool {
    let AstExpr::Operation(comparison, operands) = condition else { return false };
    let is_bound =
        matches!(comparison, Operation::Less | Operation::LessEqual | Operation::Greater | Operation::GreaterEqual);
    let is_counter = |name: &str| name == iterator;
    is_bound
        && matches!(&operands[..], [AstExpr::Name(name), bound] if is_counter(name) && !bound.mentions(&is_counter))
}
