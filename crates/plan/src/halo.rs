//! Storage for a program whose steps take the border of their grids along.
//!
//! Where the border of a grid stays and its inside moves through memory, values by name put the border into storage of its own, side by side. The first and last
//! cells of each row are read from there: loops have parts of one iteration at both ends, which short rows pay for; and where steps read corners, too, there are more sides
//! than values are worth naming, and both grids stay. With copies of the border added to the program ([`polyfold_flow::grids`]) a row, or all of the grid, is one
//! piece. That takes a few cells more than are alive: two of each row, or a row.

use crate::optimize::{Known, Optimized, Options, in_bound, optimize_knowing};
use crate::prepared::{AliveInOrder, Prepared, Useful};
use crate::slack::Slack;
use polyfold_flow::Model;
use polyfold_isl::{Context, Error};
use polyfold_prove::{Copies, copies_change_nothing};
use polyfold_scop::Scop;

impl Optimized {
    /// Whether its rows are in one piece each, for so many cells, if there is slack for that many beside those alive.
    pub fn is_worth_its_rows(&self, scop: &Scop, cells: u64, slack: Slack) -> bool {
        self.goes_by_rows() && self.live(scop).as_ref().is_ok_and(|count| cells <= slack.most(count.total))
    }

    /// Whether it has fewer buffers than another result, by rows, for so many cells, if there is slack for that many beside its own.
    pub fn is_plainer(&self, cells: u64, (other, least): (&Optimized, u64), slack: Slack) -> bool {
        self.goes_by_rows() && self.buffers.len() < other.buffers.len() && cells <= slack.most(least)
    }
}

/// Storage for the longer scop, which `options` and `copies` are about, with the values alive in that or in `scop`, whichever has less; `None`: it is not proved to be the same program, or
/// leaves something as it was that one would not expect to stay.
///
/// # Errors
/// When even the loops themselves take more work to analyse than the bound allows.
pub fn optimize_longer(
    ctx: &Context,
    scop: &Scop,
    (longer, copies): (&Scop, &Copies),
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<Optimized>, Error> {
    // What the user assumes holds in both programs, and neither needs it to be the other.
    let [plain, plain_longer] = [scop, longer].map(|scop| Scop { assumed: Vec::new(), ..scop.clone() });
    let is_same = ctx.with_quota(options.isl_operations(), || {
        copies_change_nothing(&Model::build(ctx, &plain)?, &Model::build(ctx, &plain_longer)?, copies)
    });
    if in_bound(is_same)? != Some(true) {
        return Ok(None);
    }
    let useful = Useful::of(scop);
    // Copies write the border of one grid in each step: how it was filled may be read by nobody then.
    let useful_longer = Useful::without_unread(ctx, longer, options)?;
    let (before, mut prepared) = (Prepared::of(ctx, &useful, options)?, Prepared::of(ctx, &useful_longer, options)?);
    // Two arrays may hold one border twice, of which only the copies tell; and copies are alive for a moment.
    if before.alive().together <= prepared.alive().together {
        prepared = Prepared::counted_before(ctx, &useful_longer, options, &AliveInOrder::of(&before))?;
    }
    let known = Known { prepared: Some(&prepared), ..Known::default() };
    let found = optimize_knowing(ctx, longer, options, known, progress)?;
    Ok((found.left_out.is_empty() && found.disappointing() == 0).then_some(found))
}
