//! What would help most where nothing shrank: an option is tried before it is named.
//!
//! Example: two loops that fill a frame and use it up keep the frame in the source's order. With `--schedule fuse` they need a row.
//!
//! Invariant: an option is named with the cells that it was found to need, at the sizes of the report.

use super::Failure;
use super::arguments::OptimizeArguments;
use super::input::{self, Input};
use super::schedule;
use polyfold_isl::Context;
use polyfold_report::{Report, ScopReport, Totals};

/// Trying takes at most this part of the work that the user allows.
const PART_OF_WORK: u64 = 10;

/// One line for the end of the table; `None`: a tenth was saved in each scop, there is nothing to shrink, or the user asked for an order.
pub(crate) fn hint(input: &Input, report: &Report, arguments: &OptimizeArguments) -> Option<String> {
    let sum = |of: fn(&Totals) -> Option<u64>| report.scops.iter().map(|scop| of(&scop.totals)).sum();
    let (before, after): (Option<u64>, Option<u64>) =
        (sum(|totals| totals.cells_before), sum(|totals| totals.cells_after));
    let (before, after) = (before?, after?);
    let has_shrunk = |scop: &ScopReport| {
        let Totals { cells_before: Some(before), cells_after: Some(after), .. } = scop.totals else { return true };
        before == 0 || is_worth_it(after, before)
    };
    if before == 0
        || report.scops.iter().all(has_shrunk)
        || arguments.schedule != "keep"
        || !arguments.parallel.is_empty()
    {
        return None;
    }
    let cells = cells(input, report, arguments).ok()??;
    match is_worth_it(cells, after) {
        true => Some(format!("  try `--schedule fuse`: {cells} of {before} cells\n")),
        false if is_worth_it(after, before) => None,
        false => Some("  tried `--schedule fuse`: it doesn't save a tenth, and says why\n".to_string()),
    }
}

/// A tenth of the cells, or more.
fn is_worth_it(cells: u64, before: u64) -> bool {
    cells.saturating_mul(10) <= before.saturating_mul(9)
}

/// The cells of all temporaries with loops fused.
fn cells(input: &Input, report: &Report, arguments: &OptimizeArguments) -> Result<Option<u64>, Failure> {
    let mut arguments = arguments.clone();
    arguments.program.max_ops = (arguments.program.max_ops / PART_OF_WORK).max(1);
    let program = input::at_values(input, Vec::new(), &arguments.program)?;
    let fused = schedule::cells_of_fused(&Context::new(), &program, &arguments)?;
    let kept = report.scops.iter().map(|scop| scop.totals.cells_after);
    Ok(fused.into_iter().zip(kept).map(|(fused, kept)| fused.or(kept)).sum())
}
