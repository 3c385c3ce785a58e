//! Which counters and sums of copy loops are `long`.
//!
//! The loops go through cells that the source names, but one turn further, and what bounds them may be larger: the values of each counter are
//! those that its head allows ([`Widening`] bounds them), and what is computed in the loop is computed for these.
//!
//! ```text
//! for (c0 = n - 8; c0 <= n; c0++) A_local[c0 - n + 8] = A[c0];      n + 1 is perhaps no int, and c0 - n + 8 is one
//! ```
//!
//! Counters that count down have been turned round already: what is looked at are the loops as they are written.
//!
//! Invariant: no `int` overflows, and each counter has its values and the one behind them.

use crate::loops::widths::{LONG, fits, hull};
use crate::overflow::Range;
use crate::widening::Widening;
use polyfold_isl::{Ast, AstExpr, Operation, Result, Set};

/// Loops with casts in their expressions, and the names of those counters that are `long`.
pub(super) fn typed_loops(ast: Ast, widening: &Widening, all_long: bool) -> Result<(Ast, Vec<String>)> {
    let mut loops = Loops { widening: widening.clone(), all_long, long: Vec::new() };
    let here = widening.values().clone();
    Ok((loops.typed(ast, &here)?, loops.long))
}

struct Loops {
    /// With the counters so far.
    widening: Widening,
    /// Whether all counters are `long`, needed or not.
    all_long: bool,
    long: Vec<String>,
}

impl Loops {
    /// A program that runs where some values of parameters and counters hold.
    fn typed(&mut self, ast: Ast, here: &Set) -> Result<Ast> {
        Ok(match ast {
            Ast::Block(all) => Ast::Block(all.into_iter().map(|part| self.typed(part, here)).collect::<Result<_>>()?),
            Ast::Point { name, coordinates } => {
                let coordinates = coordinates.iter().map(|value| self.widening.cast(value, here));
                Ast::Point { name, coordinates: coordinates.collect::<Result<_>>()? }
            }
            Ast::If { condition, then, otherwise } => {
                let holds = self.widening.where_true(&condition, here)?;
                let fails = holds.as_ref().map_or_else(|| Ok(here.clone()), |holds| here.subtract(holds))?;
                let condition = self.widening.cast(&condition, here)?;
                let then = Box::new(self.typed(*then, holds.as_ref().unwrap_or(here))?);
                let otherwise = otherwise.map(|ast| Ok(Box::new(self.typed(*ast, &fails)?))).transpose()?;
                Ast::If { condition, then, otherwise }
            }
            Ast::For { dimension, iterator, first, condition, step, body } => {
                let begins = AstExpr::Operation(
                    if step > 0 { Operation::GreaterEqual } else { Operation::LessEqual },
                    vec![AstExpr::Name(iterator.clone()), first.clone()],
                );
                let inside = self.inside(&iterator, &[&begins, &condition], here)?;
                let values = self.values(&iterator, (&first, step), (&inside, here))?;
                if self.all_long || !fits(values) {
                    self.long.push(iterator.clone());
                } else {
                    self.widening = self.widening.with_ints([iterator.clone()]);
                }
                let tested = here.intersect(&between(&iterator, values, here)?)?;
                Ast::For {
                    first: self.widening.cast(&first, here)?,
                    condition: self.widening.cast(&condition, &tested)?,
                    body: Box::new(self.typed(*body, &inside)?),
                    dimension,
                    iterator,
                    step,
                }
            }
        })
    }

    /// Where the body of a loop runs.
    fn inside(&self, iterator: &str, conditions: &[&AstExpr], here: &Set) -> Result<Set> {
        let mut inside = here.intersect(&between(iterator, LONG, here)?)?;
        for condition in conditions {
            inside = self.where_any_holds(condition, &inside)?;
        }
        Ok(inside)
    }

    /// Where those parts of a condition hold that are affine.
    fn where_any_holds(&self, condition: &AstExpr, here: &Set) -> Result<Set> {
        match condition {
            AstExpr::Operation(Operation::And, parts) => {
                parts.iter().try_fold(here.clone(), |here, part| self.where_any_holds(part, &here))
            }
            _ => Ok(self.widening.where_true(condition, here)?.unwrap_or_else(|| here.clone())),
        }
    }

    /// The values of a counter, the one behind them, and its first one where it has no turn.
    fn values(&self, iterator: &str, (first, step): (&AstExpr, i64), (inside, here): (&Set, &Set)) -> Result<Range> {
        let first = self.widening.range(first, here)?;
        if inside.is_empty()? {
            return Ok(first);
        }
        let turns = self.widening.range(&AstExpr::Name(iterator.to_string()), inside)?;
        let step = i128::from(step);
        Ok(hull(first, hull(turns, (turns.0 + step.min(0), turns.1 + step.max(0)))))
    }
}

/// The values of a counter between two numbers; beyond 64 bits nothing is said.
fn between(iterator: &str, (least, most): Range, here: &Set) -> Result<Set> {
    let least = if least > LONG.0 { format!("{iterator} >= {least}") } else { "true".to_string() };
    let most = if most < LONG.1 { format!("{iterator} <= {most}") } else { "true".to_string() };
    Set::read(here.context(), &format!("[{iterator}] -> {{ : {least} and {most} }}"))
}
