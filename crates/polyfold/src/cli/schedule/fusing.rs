//! `--schedule fuse` and `fuse-rows`: of several fused orders, the one whose storage is smallest.
//!
//! What fusing saves is known only when storage has been found, and can be less than nothing: two arrays that shared all their
//! cells may both be alive in a fused loop. So orders are tried to the end, that with the fewest values alive at once first, until
//! no other one can need fewer cells; and a fused one is taken only if it needs fewer than the source's.
//!
//! Invariant: all orders are counted at the same sizes, which do not depend on the order.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::{options, progress};
use super::super::{Failure, messages, output};
use super::fusion_notes::{notes, obstacle_note};
use super::refusals::{failed, no_new_loops};
use super::{Step, Wish, new_text};
use indicatif::ProgressBar;
use polyfold::optimize::{Options, declared_cells, optimize, values_alive};
use polyfold_codegen::{TextLimits, why_not};
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_fusion::Objective;
use polyfold_isl::{Context, Result};
use polyfold_nests::{Fused, Goal, dependences, fused};
use polyfold_scop::{ArrayId, Scop};
use std::collections::BTreeMap;

/// The program with loops fused where that saves memory, and what there is to say about it, with places in the text as it was.
pub(super) fn fuse(
    input: Input,
    arguments: &OptimizeArguments,
) -> std::result::Result<(Input, Vec<Diagnostic>), Failure> {
    let (mut current, mut said, progress) = (None, Vec::new(), progress());
    for (place, scop) in input.parsed.scops.iter().enumerate() {
        let now = current.as_ref().unwrap_or(&input);
        let found = in_scop(now, place, arguments, &progress)?;
        let own = match &found {
            Found::Fused(_, order) => notes(scop, order),
            Found::Kept(order) => vec![obstacle_note(scop, order.as_ref())],
            Found::Stuck(note) => vec![note.clone()],
        };
        progress
            .suspend(|| own.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note))));
        said.extend(own);
        if let Found::Fused(next, _) = found {
            current = Some(*next);
        }
    }
    progress.finish_and_clear();
    Ok((current.unwrap_or(input), said))
}

/// What became of a scop.
enum Found {
    Fused(Box<Input>, Fused),
    /// No order saves anything; with the one that fuses most.
    Kept(Option<Fused>),
    /// It cannot get new loops.
    Stuck(Diagnostic),
}

fn in_scop(
    input: &Input,
    place: usize,
    arguments: &OptimizeArguments,
    progress: &ProgressBar,
) -> std::result::Result<Found, Failure> {
    let scop = &input.parsed.scops[place];
    if let Some(obstacle) = why_not(&input.source, scop) {
        return Ok(Found::Stuck(no_new_loops(&obstacle, Severity::Note)));
    }
    let ctx = Context::new();
    let options = options(scop, &input.source, arguments);
    let (sizes, live) = values_alive(&ctx, scop, &options).map_err(failed)?;
    let in_c = scop.parameters.iter().map(|parameter| parameter.name.clone());
    let in_c = in_c.zip(sizes.values.iter().map(|(_, value)| *value)).collect();
    let trial = Trial { ctx: &ctx, input, place, options: Options { sizes: in_c, ..options }, arguments };
    let kept = Candidate { fused: None, live: live.map_or(0, |count| count.total) };
    let mut candidates = trial.candidates(kept, &sizes.values)?;
    let count = candidates.len();
    let mut best: Option<(u64, usize)> = None;
    for (k, candidate) in candidates.iter().enumerate() {
        progress.set_message(format!("{}: order {} of {count}", scop.function, k + 1));
        progress.tick();
        let is_kept = candidate.fused.is_none();
        if best.is_some_and(|(least, _)| least < candidate.live || (least == candidate.live && !is_kept)) {
            continue;
        }
        let cells = trial.cells(candidate);
        if cells.is_some_and(|cells| best.is_none_or(|(least, _)| cells < least || (cells == least && is_kept))) {
            best = cells.map(|cells| (cells, k));
        }
    }
    let taken = best.and_then(|(_, k)| candidates[k].fused.is_some().then(|| candidates.swap_remove(k)));
    let fused = taken.and_then(|candidate| candidate.fused);
    let most = || candidates.into_iter().filter_map(|candidate| candidate.fused).next_back();
    Ok(fused.map_or_else(|| Found::Kept(most().map(|(_, order)| order)), |(next, order)| Found::Fused(next, order)))
}

/// An order of a scop.
struct Candidate {
    /// With the program in it; `None`: the source's own.
    fused: Option<(Box<Input>, Fused)>,
    /// Values alive at once: no storage is smaller.
    live: u64,
}

/// One scop of a program, in one order after the other.
struct Trial<'a> {
    ctx: &'a Context,
    input: &'a Input,
    place: usize,
    /// With the sizes at which all orders are counted.
    options: Options,
    arguments: &'a OptimizeArguments,
}

impl Trial<'_> {
    /// All orders, those first that may need the fewest cells; the source's first among equals.
    fn candidates(&self, kept: Candidate, sizes: &[(String, i64)]) -> std::result::Result<Vec<Candidate>, Failure> {
        let scop = &self.input.parsed.scops[self.place];
        let bound = (self.arguments.program.max_ops / 10).max(1);
        let is_by_rows = self.arguments.schedule == "fuse-rows";
        let orders = self.ctx.with_quota(bound, || orders(self.ctx, scop, sizes, is_by_rows)).map_err(failed)?;
        let mut found = vec![kept];
        for order in orders {
            let Some(next) = self.in_order(&order, bound)? else { continue };
            let live = values_alive(self.ctx, &next.parsed.scops[self.place], &self.options(&next));
            let live = live.ok().and_then(|(_, live)| live.ok()).map_or(0, |count| count.total);
            found.push(Candidate { fused: Some((Box::new(next), order)), live });
        }
        found.sort_by_key(|candidate| candidate.live);
        Ok(found)
    }

    /// The program in an order; `None`: no loops are found for it.
    fn in_order(&self, order: &Fused, bound: u64) -> std::result::Result<Option<Input>, Failure> {
        let program = &self.arguments.program;
        let wish = Wish { given: Some(order.schedule.clone()), parallel: &[], program };
        let scop = &self.input.parsed.scops[self.place];
        match self.ctx.with_quota(bound, || Ok(new_text(self.ctx, self.input, scop, &wish))) {
            Ok(Ok(Step::NewLoops(text))) => input::reread(self.input, text, program),
            _ => Ok(None),
        }
    }

    /// Cells of the temporaries in the storage that is found; `None`: nothing is found, or they cannot be counted.
    fn cells(&self, candidate: &Candidate) -> Option<u64> {
        let input = candidate.fused.as_ref().map_or(self.input, |(next, _)| next);
        let scop = &input.parsed.scops[self.place];
        let result = optimize(self.ctx, scop, &self.options(input), &mut |_| {}).ok()?;
        result.cells_after(scop).ok()?
    }

    fn options(&self, input: &Input) -> Options {
        let text = TextLimits::of(&input.source, &input.parsed.scops[self.place]);
        Options { text, ..self.options.clone() }
    }
}

/// Different orders that fuse something, those first that fuse fewer levels.
fn orders(ctx: &Context, scop: &Scop, sizes: &[(String, i64)], is_by_rows: bool) -> Result<Vec<Fused>> {
    let model = Model::build(ctx, scop)?;
    let dependences = dependences(&model)?;
    let cells = cells(scop, sizes);
    let deepest = scop.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
    let mut found: Vec<Fused> = Vec::new();
    for depth in 1..=deepest {
        for objective in [Objective::Removed, Objective::Memory] {
            for keeps_innermost in if is_by_rows { vec![true] } else { vec![true, false] } {
                let order = fused(&model, &dependences, &cells, Goal { objective, depth, keeps_innermost })?;
                if !order.loops.is_empty() && found.iter().all(|other| other.schedule != order.schedule) {
                    found.push(order);
                }
            }
        }
    }
    Ok(found)
}

/// Of the temporaries that are more than a variable.
fn cells(scop: &Scop, sizes: &[(String, i64)]) -> BTreeMap<ArrayId, u64> {
    let temporaries = (0..scop.arrays.len()).map(ArrayId).filter(|id| scop.array(*id).is_temporary());
    let counted = temporaries.filter_map(|id| Some((id, declared_cells(scop, id, sizes)?)));
    counted.filter(|(_, cells)| *cells > 1).collect()
}
