//! `--schedule fuse` and `fuse-rows`: of several fused orders, the one whose storage is smallest.
//!
//! What fusing saves is known only when storage has been found, and can be less than nothing: two arrays that shared all their
//! cells may both be alive in a fused loop. So every order is tried to the end, the source's first, and a fused one is taken if it
//! needs fewer cells.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::options;
use super::super::{Failure, messages, output};
use super::fusion_notes::{notes, obstacle_note};
use super::refusals::failed;
use super::{Step, Wish, new_text};
use polyfold::optimize::{Options, declared_cells, optimize};
use polyfold_codegen::{TextLimits, why_not};
use polyfold_flow::Model;
use polyfold_frontend::Diagnostic;
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
    let (mut current, mut said) = (None, Vec::new());
    for (place, scop) in input.parsed.scops.iter().enumerate() {
        let now = current.as_ref().unwrap_or(&input);
        let found = in_scop(now, place, arguments)?;
        let own = match &found {
            Found::Fused(_, order) => notes(scop, order),
            Found::Kept(order) => vec![obstacle_note(scop, order.as_ref())],
            Found::Stuck(note) => vec![note.clone()],
        };
        own.iter().for_each(|note| output::tell(&messages::render(&input.path, &input.source, note)));
        said.extend(own);
        if let Found::Fused(next, _) = found {
            current = Some(*next);
        }
    }
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

fn in_scop(input: &Input, place: usize, arguments: &OptimizeArguments) -> std::result::Result<Found, Failure> {
    let scop = &input.parsed.scops[place];
    if let Some(obstacle) = why_not(&input.source, scop) {
        return Ok(Found::Stuck(super::refusals::no_new_loops(&obstacle, polyfold_frontend::Severity::Note)));
    }
    let ctx = Context::new();
    let options = options(scop, &input.source, arguments);
    let Some(kept) = Storage::of(&ctx, scop, &options) else { return Ok(Found::Kept(None)) };
    let bound = (arguments.program.max_ops / 10).max(1);
    let orders = ctx.with_quota(bound, || orders(&ctx, scop, &kept.sizes, arguments.schedule == "fuse-rows"));
    let (mut least, mut best, mut most) = (kept.cells, None, None);
    for order in orders.map_err(failed)? {
        let wish = Wish { given: Some(order.schedule.clone()), parallel: &[], program: &arguments.program };
        let text = ctx.with_quota(bound, || Ok(new_text(&ctx, input, scop, &wish)));
        if let Ok(Ok(Step::NewLoops(text))) = text
            && let Some(next) = input::reread(input, text, &arguments.program)?
            && let Some(storage) = Storage::again(&ctx, &next, place, &kept.sizes, &options)
            && storage.cells < least
        {
            (least, best) = (storage.cells, Some((next, order)));
        } else {
            most = Some(order);
        }
    }
    Ok(best.map_or(Found::Kept(most), |(next, order)| Found::Fused(Box::new(next), order)))
}

/// What an order needs.
struct Storage {
    cells: u64,
    /// At which sizes, by their names in C.
    sizes: Vec<(String, i64)>,
}

impl Storage {
    /// `None`: nothing is found, or it cannot be counted.
    fn of(ctx: &Context, scop: &Scop, options: &Options) -> Option<Storage> {
        let result = optimize(ctx, scop, options, &mut |_| {}).ok()?;
        let names = scop.parameters.iter().map(|parameter| parameter.name.clone());
        let sizes = names.zip(result.sizes.values.iter().map(|(_, value)| *value)).collect();
        let cells = result.cells_after(scop).ok()??;
        Some(Storage { cells, sizes })
    }

    /// Of new loops, at given sizes.
    fn again(ctx: &Context, next: &Input, place: usize, sizes: &[(String, i64)], options: &Options) -> Option<Storage> {
        let scop = &next.parsed.scops[place];
        let text = TextLimits::of(&next.source, scop);
        Storage::of(ctx, scop, &Options { sizes: sizes.to_vec(), text, ..options.clone() })
    }
}

/// Different orders that fuse something, those first that fuse fewer levels.
fn orders(ctx: &Context, scop: &Scop, sizes: &[(String, i64)], keeps_innermost: bool) -> Result<Vec<Fused>> {
    let model = Model::build(ctx, scop)?;
    let dependences = dependences(&model)?;
    let cells = cells(scop, &model, sizes);
    let deepest = scop.statements.iter().map(|s| s.loops.len()).max().unwrap_or(0);
    let mut found: Vec<Fused> = Vec::new();
    for depth in 1..=deepest {
        for objective in [Objective::Removed, Objective::Memory] {
            for keeps_innermost in if keeps_innermost { vec![true] } else { vec![true, false] } {
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
fn cells(scop: &Scop, model: &Model, sizes: &[(String, i64)]) -> BTreeMap<ArrayId, u64> {
    let names = model.parameters.iter().cloned();
    let sizes: Vec<(String, i64)> = names.zip(sizes.iter().map(|(_, value)| *value)).collect();
    let temporaries = (0..scop.arrays.len()).map(ArrayId).filter(|id| scop.array(*id).is_temporary());
    let counted = temporaries.filter_map(|id| Some((id, declared_cells(scop, id, &sizes)?)));
    counted.filter(|(_, cells)| *cells > 1).collect()
}
