//! `--schedule fuse` and `fuse-rows`: of several fused orders, the one whose storage is smallest.
//!
//! What fusing saves is known only when storage has been found, and can be less than nothing: two arrays that shared all their
//! cells may both be alive in a fused loop. So storage is looked for in all orders, that with the fewest values alive at once first
//! ([`trial`](super::trial)), until no other one can need fewer cells, or as many with less fused. The best order is taken only if its
//! storage, with sharing, needs fewer cells than that of the source's order.
//!
//! An innermost loop of the best order whose statements run for different values of its counter is peeled then, unless that needs
//! more cells.

use super::super::arguments::OptimizeArguments;
use super::super::input::Input;
use super::super::optimize::options;
use super::super::progress::progress;
use super::super::reallocate::renamed;
use super::super::{Failure, messages, output};
use super::candidates::Written;
use super::found::{Found, InOrder, Kept};
use super::fusion_notes::{kept_notes, never_note, notes_without_vectors, past_bound_note, reused};
use super::proposed::Proposed;
use super::readings::at_values;
use super::refusals::failed;
use super::staged::stages;
use super::trial::Trial;
use super::wish::movable;
use super::{Reordered, Solution, for_all_sizes};
use indicatif::ProgressBar;
use polyfold_codegen::without_vectors;
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_isl::{Context, ErrorKind, Result};
use polyfold_plan::{Options, Prepared, Slack, Useful};
use polyfold_scop::{Scop, StatementId};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;

/// What loops are fused for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Aim {
    /// The fewest cells.
    Cells,
    /// The fewest cells with innermost loops whole.
    Rows,
    /// The fewest cells, in loops that are cut into strips afterwards.
    Strips,
}

/// A program with loops fused.
pub(super) struct Fusion {
    /// `None`: it stays as it is.
    pub(super) input: Option<Input>,
    /// What there is to say about it, with places in the text as it was.
    pub(super) said: Vec<Diagnostic>,
    /// As of [`Reordered`].
    pub(super) solved: BTreeMap<usize, Solution>,
}

impl Fusion {
    /// The program, after all is said.
    pub(super) fn told(self, input: Input) -> Reordered {
        let Fusion { input: fused, said, solved } = self;
        let said: Vec<Diagnostic> = said.iter().map(|note| input.about_shown(note)).collect();
        said.iter().for_each(|note| output::tell(&messages::render(&input.path, input.shown(), note)));
        Reordered { input: fused.unwrap_or(input), said, solved }
    }
}

/// The program with loops fused where that saves memory.
pub(super) fn fuse(
    ctx: &Context,
    input: &Input,
    arguments: &OptimizeArguments,
    aim: Aim,
) -> std::result::Result<Fusion, Failure> {
    let (mut current, mut said, mut solved, progress) = (None, Vec::new(), BTreeMap::new(), progress());
    for place in 0..input.parsed.scops.len() {
        let begun = Instant::now();
        let now = current.as_ref().unwrap_or(input);
        let task = Task { ctx, place, arguments, aim, progress: &progress };
        let InReading { found, scop } = in_some_reading(now, &task)?;
        let scop = &scop;
        let own = match &found {
            Found::Fused(found, _) => {
                let mut notes = found.notes(scop);
                if aim == Aim::Rows {
                    let statements = without_vectors(&input.source, scop);
                    notes.extend(notes_without_vectors(scop, &found.order, &statements));
                }
                notes
            }
            Found::Kept(kept) => kept_notes(scop, kept),
            Found::Stuck(note) => note.iter().cloned().collect(),
        };
        said.extend(own);
        let stages =
            if let Found::Fused(found, _) = &found { Some(stages(scop, &input.source, &found.order)) } else { None };
        let (program, result) = match found {
            Found::Fused(found, result) => (Some(found.program), Some(result)),
            Found::Kept(kept) => (None, kept.result),
            Found::Stuck(_) => (None, None),
        };
        current = program.or(current);
        if let Some(result) = result {
            solved.insert(place, Solution { result: *result, seconds: begun.elapsed().as_secs_f64(), stages });
        }
    }
    progress.finish_and_clear();
    Ok(Fusion { input: current, said, solved })
}

/// One scop to be fused.
struct Task<'a> {
    ctx: &'a Context,
    /// Which one of the file it is.
    place: usize,
    arguments: &'a OptimizeArguments,
    aim: Aim,
    progress: &'a ProgressBar,
}

/// What became of a scop as it was read.
struct InReading {
    found: Found,
    /// With more arrays, perhaps.
    scop: Scop,
}

/// A scop as it is read, or in another reading where loops stay apart and that reading lets them need fewer cells.
///
/// Where loops stay apart since several use a temporary for values of their own, each gets its own array. Then they may wait for another
/// one's.
fn in_some_reading(input: &Input, task: &Task) -> std::result::Result<InReading, Failure> {
    let (place, program) = (task.place, &task.arguments.program);
    let mut best = InReading { found: at_some_values(input, task)?, scop: input.parsed.scops[place].clone() };
    let mut current: Option<Input> = None;
    loop {
        let names = reused(&best.scop, best.found.obstacles());
        let now = current.as_ref().unwrap_or(input);
        let next = if names.is_empty() { None } else { renamed(now, place, &names, program)? };
        let Some(next) = next else { return Ok(best) };
        let found = at_some_values(&next, task)?;
        if !found.is_better(&best.found, place) {
            return Ok(best);
        }
        best = InReading { found, scop: next.parsed.scops[place].clone() };
        current = Some(next);
    }
}

/// A scop as it is read, or with constants at their values, where that lets loops be fused and saves so much that it is worth an assertion.
fn at_some_values(input: &Input, task: &Task) -> std::result::Result<Found, Failure> {
    let (place, program) = (task.place, &task.arguments.program);
    let mut best = in_scop(input, task, u64::MAX)?;
    let mut names = best.bounded_by(&input.parsed.scops[place]);
    let mut current: Option<Input> = None;
    while !names.is_empty() {
        let Some(pinned) = at_values(current.as_ref().unwrap_or(input), &names, program)? else { break };
        let pinned = renamed(&pinned, place, &gone(&input.parsed.scops[place]), program)?.unwrap_or(pinned);
        let most = best.cells(place).map_or(u64::MAX, |cells| cells / 10 * 9 + cells % 10 * 9 / 10);
        let found = in_scop(&pinned, task, most)?;
        names = found.bounded_by(&pinned.parsed.scops[place]);
        if found.is_better(&best, place) && found.cells(place).is_some_and(|cells| cells <= most) {
            best = found;
        }
        current = Some(pinned);
    }
    Ok(best)
}

/// A scop as it is read; an order that needs more cells than so many is not worth it.
fn in_scop(input: &Input, task: &Task, most: u64) -> std::result::Result<Found, Failure> {
    let Task { ctx, place, arguments, aim, progress } = *task;
    let scop = &input.parsed.scops[place];
    if let Err(refused) = movable(input, scop, &[]) {
        return Ok(Found::Stuck(refused.place().map(|place| Diagnostic { severity: Severity::Note, ..place })));
    }
    let past_bound = || Ok(Found::Stuck(Some(past_bound_note(scop))));
    let (options, useful) = (options(scop, &input.source, arguments), Useful::of(scop));
    let Some(prepared) = in_bound(Prepared::of(ctx, &useful, &options))?.map(Rc::new) else { return past_bound() };
    let (general, bound) = (for_all_sizes(scop), (arguments.program.max_ops / 10).max(1));
    let own;
    let model = match prepared.whole_model().filter(|_| scop.assumed.is_empty()) {
        Some(model) => model,
        None => {
            let Some(built) = in_bound(ctx.with_quota(bound, || Model::build(ctx, &general)))? else {
                return past_bound();
            };
            own = built;
            &own
        }
    };
    match in_bound(ctx.with_quota(bound, || never_runs(model)))? {
        Some(Some(id)) => return Ok(Found::Stuck(Some(never_note(scop, id)))),
        Some(None) => {}
        None => return past_bound(),
    }
    let sizes = prepared.sizes().clone();
    let in_c = scop.parameters.iter().map(|parameter| parameter.name.clone());
    let in_c = in_c.zip(sizes.values.iter().map(|(_, value)| *value)).collect();
    let options = Options { sizes: in_c, slack: Slack::NONE, ..options };
    progress.set_message(format!("{}: orders of its loops", scop.function));
    let proposed = in_bound(Proposed::of((ctx, bound), model, &sizes.values, aim == Aim::Rows))?;
    let Some(Proposed { orders, obstacles, is_cut_short }) = proposed else { return past_bound() };
    let overlap = Cell::new(None);
    let trial = Trial { ctx, input, model, place, options, sizes: &sizes, arguments, aim, most, overlap: &overlap };
    let written: Vec<Written> = (0..=orders.len()).map(|_| Written::default()).collect();
    let candidates = trial.candidates(Rc::clone(&prepared), &orders, &written);
    let tell = |k: usize, best: Option<u64>| {
        let best = best.map_or(String::new(), |cells| format!(", {cells} cells so far"));
        progress.set_message(format!("{}: order {} of {}{best}", scop.function, k + 1, candidates.len()));
    };
    let ranked = trial.ranked(&candidates, &orders, &tell)?;
    let best = trial.solved(&candidates, ranked).map(|best| (candidates[best.place].order, best));
    drop(candidates);
    let mut texts: Vec<Option<InOrder>> =
        written.into_iter().map(|written| written.text.into_inner().flatten()).collect();
    let could_fuse = !orders.is_empty();
    let kept = Kept { could_fuse, is_cut_short, obstacles, overlap: overlap.get(), cells: None, result: None };
    Ok(match best {
        None => Found::Kept(kept),
        Some((Some(order), best)) => {
            let order = Box::new(texts[order].take().expect("its storage was found"));
            let (order, result) = match trial.peeled(&order, best.cells, &best.result)? {
                Some(peeled) => peeled,
                None => {
                    let result = trial.with_room(Some(&order), best.result);
                    (order, result)
                }
            };
            Found::Fused(order, result)
        }
        Some((None, best)) => {
            let result = trial.with_room(None, best.result);
            Found::Kept(Kept { cells: Some(best.cells), result: Some(result), ..kept })
        }
    })
}

/// The arrays whose values have others.
fn gone(scop: &Scop) -> BTreeSet<String> {
    scop.expanded.iter().flat_map(|own| &own.gone).map(|id| scop.array(*id).name.clone()).collect()
}

/// What was found within a bound on work.
fn in_bound<T>(found: Result<T>) -> std::result::Result<Option<T>, Failure> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

/// A statement that runs for no sizes: new loops would leave it out, and with it the only mention of some declaration, perhaps.
fn never_runs(model: &Model) -> Result<Option<StatementId>> {
    for (place, statement) in model.statements.iter().enumerate() {
        if statement.domain.intersect_params(&model.context)?.is_empty()? {
            return Ok(Some(StatementId(place)));
        }
    }
    Ok(None)
}
