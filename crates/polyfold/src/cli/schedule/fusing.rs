//! `--schedule fuse` and `fuse-rows`: of several fused orders, the one whose storage is smallest.
//!
//! What fusing saves is known only when storage has been found, and can be less than nothing: two arrays that shared all their
//! cells may both be alive in a fused loop. So storage is looked for in all orders, that with the fewest values alive at once first, until
//! no other one can need fewer cells, or as many with less fused: loops over rows that hold all of their values anyway are simpler apart; of many arrays, without sharing. The others get no loops ([`candidates`](super::candidates)). The best
//! order is taken only if its storage, with sharing, needs fewer cells than that of the source's order.
//!
//! An innermost loop of the best order whose statements run for different values of its counter is peeled then, unless that needs
//! more cells.
//!
//! Invariant: all orders are counted at the same sizes, which do not depend on the order.

use super::super::arguments::OptimizeArguments;
use super::super::input::{self, Input};
use super::super::optimize::{form, in_plain_rows, options, progress, room};
use super::super::reallocate::renamed;
use super::super::{Failure, messages, output};
use super::candidates::{Candidate, Written, dates};
use super::fusion_notes::{kept_notes, never_note, notes, notes_without_vectors, reused};
use super::readings::{at_values, with_one_declaration_each, with_own_names, with_values_in_place};
use super::refusals::{MayOverlap, failed};
use super::wish::{Wish, movable};
use super::{Reordered, Solution, Step, for_all_sizes, new_text};
use indicatif::ProgressBar;
use polyfold::optimize::{
    AliveInOrder, Known, Optimized, Options, Prepared, Room, Scope, Sizes, Useful, declared_cells, optimize_knowing,
};
use polyfold_codegen::{LoopForm, TextLimits, without_vectors};
use polyfold_flow::Model;
use polyfold_frontend::{Diagnostic, Severity};
use polyfold_fusion::Objective;
use polyfold_isl::{Context, Error, ErrorKind, Result};
use polyfold_nests::{Apart, Dependences, Fused, Goal, LoopOrder, Obstacle, dependences, fused, loop_orders};
use polyfold_scop::{ArrayId, Scop, StatementId};
use std::cell::Cell;
use std::collections::BTreeMap;
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
    for (place, scop) in input.parsed.scops.iter().enumerate() {
        let begun = Instant::now();
        let now = current.as_ref().unwrap_or(input);
        let task = Task { ctx, place, arguments, aim, progress: &progress };
        let InReading { found, scop: read } = in_some_reading(now, &task)?;
        let scop = &with_places_of(read, scop);
        let own = match &found {
            Found::Fused(found, _) => {
                let mut notes = found.notes(scop, now.parsed.scops[place].span.start);
                if aim == Aim::Rows {
                    let statements = without_vectors(ctx, &input.source, scop, form(arguments.emit));
                    notes.extend(notes_without_vectors(scop, &found.order, &statements));
                }
                notes
            }
            Found::Kept { could_fuse, obstacles, overlap, .. } => kept_notes(scop, *could_fuse, (obstacles, *overlap)),
            Found::Stuck(note) => note.iter().cloned().collect(),
        };
        said.extend(own);
        let (program, result) = match found {
            Found::Fused(found, result) => (Some(found.program), Some(result)),
            Found::Kept { result, .. } => (None, result),
            Found::Stuck(_) => (None, None),
        };
        current = program.or(current);
        if let Some(result) = result {
            solved.insert(place, Solution { result: *result, seconds: begun.elapsed().as_secs_f64() });
        }
    }
    progress.finish_and_clear();
    Ok(Fusion { input: current, said, solved })
}

/// Of more arrays, orders are ranked by what each needs alone: to place them together takes work that grows with the square of
/// their number.
const FEW: usize = 8;

/// Scops of more statements are not peeled.
const MOST_PEELED: usize = 8;

/// One scop to be fused.
struct Task<'a> {
    ctx: &'a Context,
    /// Which one of the file it is.
    place: usize,
    arguments: &'a OptimizeArguments,
    aim: Aim,
    progress: &'a ProgressBar,
}

/// What became of a scop.
enum Found {
    /// In another order, with its storage.
    Fused(Box<InOrder>, Box<Optimized>),
    /// No order saves anything.
    Kept {
        /// Whether any loops could be fused.
        could_fuse: bool,
        /// What keeps others apart.
        obstacles: Vec<Obstacle>,
        /// Why a fused order is not legal, if pointers are why.
        overlap: Option<MayOverlap>,
        /// Its storage, where that had to be known.
        result: Option<Box<Optimized>>,
    },
    /// It cannot get new loops.
    Stuck(Option<Diagnostic>),
}

impl Found {
    /// What keeps loops apart.
    fn obstacles(&self) -> &[Obstacle] {
        match self {
            Found::Fused(found, _) => &found.order.obstacles,
            Found::Kept { obstacles, .. } => obstacles,
            Found::Stuck(_) => &[],
        }
    }

    /// Whether some loops stay apart since a distance has no bound, or a large one.
    fn has_far_reads(&self) -> bool {
        self.obstacles().iter().any(|obstacle| matches!(obstacle.why, Apart::NoShift | Apart::Far(_)))
    }

    /// Whether it is in a fused order, with fewer cells than another one of a scop in some reading.
    fn is_better(&self, other: &Found, scop: &Scop, place: usize) -> bool {
        let Found::Fused(order, result) = self else { return false };
        let cells = result.cells_after(&order.program.parsed.scops[place]).ok().flatten();
        cells.is_some_and(|cells| other.cells(scop, place).is_none_or(|most| cells < most))
    }

    /// Whether it is better by so much that it is worth an assertion.
    fn saves_a_tenth(&self, other: &Found, scop: &Scop, place: usize) -> bool {
        let most = other.cells(scop, place).filter(|_| matches!(other, Found::Fused(..)));
        let cells = self.cells(scop, place).unwrap_or(u64::MAX);
        self.is_better(other, scop, place) && most.is_none_or(|most| cells.saturating_mul(10) <= most.saturating_mul(9))
    }

    /// The cells of a fused order, or of that in which the scop is read, if that had to be known.
    fn cells(&self, scop: &Scop, place: usize) -> Option<u64> {
        match self {
            Found::Fused(found, result) => result.cells_after(&found.program.parsed.scops[place]).ok()?,
            Found::Kept { result, .. } => result.as_ref()?.cells_after(result.as_ref()?.scop(scop)).ok()?,
            Found::Stuck(_) => None,
        }
    }
}

/// What became of a scop as it was read.
struct InReading {
    found: Found,
    /// With other arrays, perhaps, and a statement for each of several declarations.
    scop: Scop,
}

/// A scop with the places of its statements in the file, where they are those of the file one by one, or on the same lines.
fn with_places_of(mut read: Scop, file: &Scop) -> Scop {
    let is_one_by_one = read.statements.len() == file.statements.len();
    for (k, statement) in read.statements.iter_mut().enumerate() {
        let same_line = || file.statements.iter().find(|before| before.line == statement.line);
        let before = if is_one_by_one { file.statements.get(k) } else { same_line() };
        let start = file.span.start;
        statement.span = before.map_or(start..start, |before| before.span.clone());
        statement.line = before.map_or(statement.line, |before| before.line);
    }
    Scop { span: file.span.clone(), ..read }
}

/// A scop as it is read, or in another reading where loops stay apart and that reading lets them need fewer cells.
///
/// Where loops stay apart since several use a temporary for values of their own, each gets its own array. Then they may wait for another
/// one's.
fn in_some_reading(input: &Input, task: &Task) -> std::result::Result<InReading, Failure> {
    let (place, program) = (task.place, &task.arguments.program);
    let scop = &input.parsed.scops[place];
    let mut best = with_declarations_moved(input, task)?;
    let mut current: Option<Input> = None;
    loop {
        let names = reused(&best.scop, best.found.obstacles());
        let now = current.as_ref().unwrap_or(input);
        let next = if names.is_empty() { None } else { renamed(now, place, &names, program)? };
        let Some(next) = next.filter(|next| next.parsed.scops[place].statements.len() == scop.statements.len()) else {
            return Ok(best);
        };
        let next = next.with_places_of(input);
        let mut read = with_declarations_moved(&next, task)?;
        if !read.found.is_better(&best.found, &best.scop, place) {
            return Ok(best);
        }
        if let Found::Fused(order, _) = &mut read.found {
            order.said.iter_mut().for_each(|note| *note = next.about_shown(note));
        }
        best = read;
        current = Some(next);
    }
}

/// A scop as it is read, or with declarations that can move or are gone: without integers that stand for sums of counters, with one declaration for
/// each variable, with names of their own.
fn with_declarations_moved(input: &Input, task: &Task) -> std::result::Result<InReading, Failure> {
    let (place, program) = (task.place, &task.arguments.program);
    let read = |found: Found, input: &Input| InReading { found, scop: input.parsed.scops[place].clone() };
    let mut found = at_some_values(input, task)?;
    let mut current: Option<Input> = None;
    for reading in [with_values_in_place, with_one_declaration_each, with_own_names] {
        let Found::Stuck(before) = found else { break };
        let now = current.as_ref().unwrap_or(input);
        let Some(next) = reading(now, place, program)? else {
            found = Found::Stuck(before);
            continue;
        };
        found = match at_some_values(&next, task)? {
            // What is left of the obstacles is what keeps the loops.
            Found::Stuck(after) => {
                Found::Stuck(after.and_then(|note| at_its_line(note, &next, input, place)).or(before))
            }
            Found::Kept { could_fuse, obstacles, overlap, .. } => {
                Found::Kept { could_fuse, obstacles, overlap, result: None }
            }
            fused => fused,
        };
        // Notes have the names of the file.
        let is_renamed = next.parsed.scops[place].statements.len() == now.parsed.scops[place].statements.len();
        if !is_renamed || matches!(found, Found::Stuck(_)) {
            current = Some(next);
        }
    }
    Ok(match found {
        Found::Stuck(_) => read(found, input),
        _ => read(found, current.as_ref().unwrap_or(input)),
    })
}

/// A message about a statement of a text that has the lines of the file, at that statement in the file; `None`: it is not found.
fn at_its_line(note: Diagnostic, text: &Input, input: &Input, place: usize) -> Option<Diagnostic> {
    let lines = |text: &str| text.matches('\n').count();
    let line = lines(&text.source[..note.span.start]) + 1;
    let mut statements = input.parsed.scops[place].statements.iter();
    let statement = statements.find(|statement| lines(&input.source[..statement.span.start]) + 1 == line)?;
    let is_alike = lines(&text.source) == lines(&input.source);
    is_alike.then(|| Diagnostic { span: statement.span.clone(), ..note })
}

/// The same with constants at their values.
fn at_some_values(input: &Input, task: &Task) -> std::result::Result<Found, Failure> {
    let (place, program) = (task.place, &task.arguments.program);
    let found = in_scop(input, task)?;
    if !found.has_far_reads() {
        return Ok(found);
    }
    let Some(pinned) = at_values(input, place, program)? else { return Ok(found) };
    let other = in_scop(&pinned, task)?;
    Ok(if other.saves_a_tenth(&found, &input.parsed.scops[place], place) { other } else { found })
}

fn in_scop(input: &Input, task: &Task) -> std::result::Result<Found, Failure> {
    let Task { ctx, place, arguments, aim, progress } = *task;
    let scop = &input.parsed.scops[place];
    if let Err(refused) = movable(input, scop, &[]) {
        return Ok(Found::Stuck(refused.place().map(|place| Diagnostic { severity: Severity::Note, ..place })));
    }
    let (options, useful) = (options(scop, &input.source, arguments), Useful::of(scop));
    let prepared = Rc::new(Prepared::of(ctx, &useful, &options).map_err(failed)?);
    let (general, bound) = (for_all_sizes(scop), (arguments.program.max_ops / 10).max(1));
    let own;
    let model = match prepared.whole_model().filter(|_| scop.assumed.is_empty()) {
        Some(model) => model,
        None => {
            own = ctx.with_quota(bound, || Model::build(ctx, &general)).map_err(failed)?;
            &own
        }
    };
    if let Some(id) = ctx.with_quota(bound, || never_runs(model)).map_err(failed)? {
        return Ok(Found::Stuck(Some(never_note(scop, id))));
    }
    let sizes = prepared.sizes().clone();
    let in_c = scop.parameters.iter().map(|parameter| parameter.name.clone());
    let in_c = in_c.zip(sizes.values.iter().map(|(_, value)| *value)).collect();
    let options = Options { sizes: in_c, room: Room::NONE, ..options };
    let overlap = Cell::new(None);
    let trial = Trial { ctx, input, model, place, options, sizes: &sizes, arguments, aim, overlap: &overlap };
    let (orders, obstacles) = trial.orders()?;
    let written: Vec<Written> = (0..=orders.len()).map(|_| Written::default()).collect();
    let candidates = trial.candidates(Rc::clone(&prepared), &orders, &written);
    let tell = |k: usize| progress.set_message(format!("{}: order {} of {}", scop.function, k + 1, candidates.len()));
    let ranked = trial.ranked(&candidates, &orders, &tell)?;
    let best = trial.solved(&candidates, ranked).map(|best| (candidates[best.place].order, best));
    drop(candidates);
    let mut texts: Vec<Option<InOrder>> =
        written.into_iter().map(|written| written.text.into_inner().flatten()).collect();
    Ok(match best {
        None => Found::Kept { could_fuse: !orders.is_empty(), obstacles, overlap: overlap.get(), result: None },
        Some((Some(order), best)) => {
            let order = Box::new(texts[order].take().expect("its storage was found"));
            let (order, result) = trial.peeled(&order, best.cells, &best.result)?.unwrap_or((order, best.result));
            let result = trial.with_room(Some(&order), result);
            Found::Fused(order, result)
        }
        Some((None, best)) => {
            let result = trial.with_room(None, best.result);
            Found::Kept { could_fuse: !orders.is_empty(), obstacles, overlap: overlap.get(), result: Some(result) }
        }
    })
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

/// A program in a fused order.
pub(super) struct InOrder {
    program: Input,
    order: Fused,
    /// What is said of its loops as such, with places in the text before it.
    said: Vec<Diagnostic>,
}

impl InOrder {
    /// With places in the text of the file, where the scop may stand elsewhere than at `start`.
    fn notes(&self, scop: &Scop, start: usize) -> Vec<Diagnostic> {
        let moved = |at: usize| at + scop.span.start - start;
        let in_file =
            |note: &Diagnostic| Diagnostic { span: moved(note.span.start)..moved(note.span.end), ..note.clone() };
        notes(scop, &self.order).into_iter().chain(self.said.iter().map(in_file)).collect()
    }
}

/// A program in a fused order, and its storage.
type Peeled = (Box<InOrder>, Box<Optimized>);

/// Storage that was found in an order.
struct Tried {
    /// The order, as an index into the candidates.
    place: usize,
    cells: u64,
    /// Loops that became one in it; 0 in the source's own.
    loops: usize,
    result: Box<Optimized>,
}

impl Tried {
    /// Whether an order that needs at least so many cells, and has so many loops that became one, is no better.
    fn excels(&self, least: u64, loops: usize) -> bool {
        self.cells < least || self.cells == least && self.loops <= loops
    }
}

/// One scop of a program, in one order after the other.
struct Trial<'a> {
    ctx: &'a Context,
    input: &'a Input,
    /// Of the source's order, for all sizes.
    model: &'a Model<'a>,
    place: usize,
    /// With the sizes at which all orders are counted.
    options: Options,
    sizes: &'a Sizes,
    arguments: &'a OptimizeArguments,
    aim: Aim,
    /// What makes some order illegal.
    overlap: &'a Cell<Option<MayOverlap>>,
}

impl Trial<'_> {
    /// The orders by the cells that they seem to need, those that fuse less first among equals; without those that cannot need the fewest.
    fn ranked<'c>(
        &self,
        candidates: &[Candidate<'c>],
        orders: &[Fused],
        tell: &dyn Fn(usize),
    ) -> std::result::Result<Vec<Tried>, Failure> {
        let mut tried: Vec<Tried> = Vec::new();
        for (place, candidate) in candidates.iter().enumerate() {
            tell(place);
            let (loops, least) = (candidate.loops, candidate.least(self.trial_scope()));
            if tried.iter().any(|best| best.excels(least, loops)) {
                continue;
            }
            if !candidate.is_kept() && !self.write(candidate, orders)? {
                continue;
            }
            let known = Known { prepared: candidate.prepared(), ..Known::default() };
            let found = self.solve(candidate.text(), self.trial_scope(), known);
            tried.extend(found.map(|(cells, result)| Tried { place, cells, loops, result }));
        }
        tried.sort_by_key(|tried| (tried.cells, tried.loops));
        Ok(tried)
    }

    /// Whether there are loops for a fused order; if so, they are ready to be solved.
    fn write<'c>(&self, candidate: &Candidate<'c>, orders: &[Fused]) -> std::result::Result<bool, Failure> {
        let Some(order) = candidate.order else { return Ok(true) };
        let text = self.in_order(orders[order].clone(), LoopForm::Plain)?;
        let Some(text) = candidate.written.text.get_or_init(|| text) else { return Ok(false) };
        let useful = candidate.written.useful.get_or_init(|| Useful::of(&text.program.parsed.scops[self.place]));
        candidate.prepared.get_or_init(|| {
            Prepared::counted_before(self.ctx, useful, &self.options(&text.program), &candidate.alive).ok().map(Rc::new)
        });
        Ok(true)
    }

    /// The best order's storage, with sharing, or the source's if that needs no more cells. That with fewer values alive comes first: if
    /// it needs no more cells than the other has values, the other need not be solved.
    fn solved(&self, candidates: &[Candidate], mut ranked: Vec<Tried>) -> Option<Tried> {
        if ranked.is_empty() || self.trial_scope() == self.options.scope {
            return (!ranked.is_empty()).then(|| ranked.remove(0));
        }
        let kept = candidates.iter().position(Candidate::is_kept).expect("it is one of them");
        let mut both = vec![kept, ranked[0].place];
        both.dedup();
        both.sort_by_key(|place| candidates[*place].least(self.options.scope));
        let mut found: Option<Tried> = None;
        for place in both {
            let (candidate, least) = (&candidates[place], candidates[place].least(self.options.scope));
            let loops = candidate.loops;
            if found.as_ref().is_some_and(|found| found.excels(least, loops)) {
                break;
            }
            let alone = ranked.iter().find(|tried| tried.place == place).map(|tried| &*tried.result);
            let known = Known { prepared: candidate.prepared(), alone, ..Known::default() };
            let solved = self.solve(candidate.text(), self.options.scope, known);
            let solved = solved.map(|(cells, result)| Tried { place, cells, loops, result });
            found = found.into_iter().chain(solved).min_by_key(|tried| (tried.cells, tried.loops));
        }
        found
    }

    /// Between what storage is shared while orders are ranked.
    fn trial_scope(&self) -> Scope {
        let arrays = &self.input.parsed.scops[self.place].arrays;
        let own = arrays.iter().filter(|array| array.is_temporary() && !array.is_scalar()).count();
        if own > FEW { Scope::Intra } else { self.options.scope }
    }

    /// An order's storage, and its cells, from what is known; `None`: nothing is found, or they cannot be counted.
    fn solve(&self, order: Option<&InOrder>, scope: Scope, known: Known) -> Option<(u64, Box<Optimized>)> {
        let input = order.map_or(self.input, |order| &order.program);
        let scop = &input.parsed.scops[self.place];
        let options = Options { scope, ..self.options(input) };
        let is_in_rows = order.is_some() && self.aim == Aim::Rows;
        let options = if is_in_rows { in_plain_rows(options) } else { options };
        let result = optimize_knowing(self.ctx, scop, &options, known, &mut |_| {});
        let mut result = result.ok()?;
        result.sizes.examples.clone_from(&self.sizes.examples);
        let cells = result.cells_after(scop).ok()??;
        Some((cells, Box::new(result)))
    }

    /// The storage of the order that is taken with the cells that the user gives for speed: which order is best is said without them.
    fn with_room(&self, order: Option<&InOrder>, result: Box<Optimized>) -> Box<Optimized> {
        let room = room(self.arguments);
        if room == Room::NONE {
            return result;
        }
        let options = Options { room, ..self.options.clone() };
        let known = Known { proposed: Some(&result), ..Known::default() };
        let found = Trial { options, ..*self }.solve(order, self.options.scope, known);
        found.map_or(result, |(_, result)| result)
    }

    /// All fused orders, and what keeps loops apart.
    fn orders(&self) -> std::result::Result<(Vec<Fused>, Vec<Obstacle>), Failure> {
        let bound = (self.arguments.program.max_ops / 10).max(1);
        let by_rows = self.aim == Aim::Rows;
        let orders = orders((self.ctx, bound), self.model, &self.sizes.values, by_rows).map_err(failed)?;
        let obstacles = orders.last().map_or(Vec::new(), |order| order.obstacles.clone());
        Ok((orders.into_iter().filter(|order| !order.loops.is_empty()).collect(), obstacles))
    }

    /// All orders, those first that may need the fewest cells, the source's first among equals.
    fn candidates<'c>(&self, kept: Rc<Prepared<'c>>, orders: &[Fused], written: &'c [Written]) -> Vec<Candidate<'c>> {
        let alive = |order: &Fused| kept.alive_in_order(|sizes| dates(self.ctx, order, sizes).ok().flatten());
        let alive: Vec<AliveInOrder> = orders.iter().map(alive).collect();
        let fused = alive.into_iter().zip(written).zip(orders).enumerate();
        let fused = fused.map(|(at, ((alive, written), order))| {
            Candidate::fused((at, order.loops.len() + order.exchanged.len()), written, alive)
        });
        let mut all: Vec<Candidate> = fused.collect();
        all.insert(0, Candidate::kept(&written[orders.len()], kept));
        all.sort_by_key(|candidate| candidate.least(self.trial_scope()));
        all
    }

    /// The program in an order; `None`: no loops are found for it.
    fn in_order(&self, order: Fused, form: LoopForm<'_>) -> std::result::Result<Option<InOrder>, Failure> {
        let program = &self.arguments.program;
        let bound = (program.max_ops / 10).max(1);
        let wish = Wish { given: Some(order.schedule.clone()), parallel: &[], program, form };
        let text = self.ctx.with_quota(bound, || Ok(new_text(self.ctx, self.input, self.model, &wish)));
        let Ok(Ok(Step::NewLoops(text, said))) = text else {
            let refused = text.ok().and_then(std::result::Result::err);
            self.overlap.set(self.overlap.get().or(refused.and_then(|refused| refused.overlap())));
            return Ok(None);
        };
        let program = input::reread(self.input, text, program)?;
        Ok(program.map(|program| InOrder { program, order, said }))
    }

    /// A fused order with its innermost loops peeled, and its storage, if that needs no more than so many cells. Of many statements, and for strips, loops
    /// stay whole: each may be written three times, and storage takes work that grows with the square of their number.
    fn peeled(
        &self,
        order: &InOrder,
        cells: u64,
        unpeeled: &Optimized,
    ) -> std::result::Result<Option<Peeled>, Failure> {
        let is_long = self.input.parsed.scops[self.place].statements.len() > MOST_PEELED;
        if is_long || self.aim == Aim::Strips {
            return Ok(None);
        }
        let next = self.in_order(order.order.clone(), LoopForm::Peeled)?;
        let Some(next) = next.filter(|next| next.program.source != order.program.source) else { return Ok(None) };
        let known = Known { proposed: Some(unpeeled), ..Known::default() };
        let found = self.solve(Some(&next), self.options.scope, known);
        let found = found.filter(|(found, _)| *found <= cells);
        Ok(found.map(|(_, result)| (Box::new(next), result)))
    }

    fn options(&self, input: &Input) -> Options {
        let text = TextLimits::of(&input.source, &input.parsed.scops[self.place]);
        Options { text, ..self.options.clone() }
    }
}

/// Different orders, those first that fuse fewer levels; some may fuse nothing. Those in the text's order of loops have a bound on their work, and
/// those with loops exchanged one as large: past it the search ends with what it has.
fn orders((ctx, bound): (&Context, u64), model: &Model, sizes: &[(String, i64)], by_rows: bool) -> Result<Vec<Fused>> {
    let dependences = ctx.with_quota(bound, || dependences(model))?;
    let cells = cells(model.scop, sizes);
    let goals = goals(model.scop, by_rows);
    let mut found = Vec::new();
    let of_text = LoopOrder::of_text(model.scop);
    within(ctx, bound, || in_loop_order(model, &dependences, (&cells, &mut found), (&goals, &of_text)))?;
    // Where nothing keeps loops apart in their own order, others are no better.
    if found.iter().any(|order: &Fused| order.obstacles.is_empty() && order.is_tight) {
        return Ok(found);
    }
    let mut exchanged = Vec::new();
    within(ctx, bound, || {
        for order in loop_orders(model, &dependences, &cells, by_rows)? {
            in_loop_order(model, &dependences, (&cells, &mut exchanged), (&goals, &order))?;
        }
        Ok(())
    })?;
    // What is said of loops that stay apart is said of those in the text.
    found.splice(0..0, exchanged);
    Ok(found)
}

/// Work that may end at a bound.
fn within(ctx: &Context, bound: u64, work: impl FnOnce() -> Result<()>) -> Result<()> {
    match ctx.with_quota(bound, work) {
        Err(Error { kind: ErrorKind::Quota, .. }) => Ok(()),
        other => other,
    }
}

/// Adds different orders with the loops of each nest in one order.
fn in_loop_order(
    model: &Model,
    dependences: &Dependences,
    (cells, found): (&BTreeMap<ArrayId, u64>, &mut Vec<Fused>),
    (goals, loops): (&[Goal], &LoopOrder),
) -> Result<()> {
    let but_for_objective = |goal: Goal| (goal.depth, goal.keeps_innermost, goal.allows_once);
    let mut unhindered = Vec::new();
    for goal in goals {
        // Where nothing keeps loops apart, all is fused whatever the objective.
        if unhindered.contains(&but_for_objective(*goal)) {
            continue;
        }
        let order = fused(model, dependences, cells, (*goal, loops))?;
        if order.obstacles.is_empty() {
            unhindered.push(but_for_objective(*goal));
        }
        if found.iter().all(|other| other.schedule != order.schedule) {
            found.push(order);
        }
    }
    Ok(())
}

/// What orders may aim at.
fn goals(scop: &Scop, by_rows: bool) -> Vec<Goal> {
    let depths = || scop.statements.iter().map(|statement| statement.loops.len());
    let deepest = depths().max().unwrap_or(0);
    let mut goals = Vec::new();
    for allows_once in if depths().all(|depth| depth == deepest) { vec![false] } else { vec![false, true] } {
        for depth in 1..=deepest {
            for objective in [Objective::Removed, Objective::Memory] {
                for keeps_innermost in if by_rows { vec![true] } else { vec![true, false] } {
                    goals.push(Goal { objective, depth, keeps_innermost, allows_once });
                }
            }
        }
    }
    goals
}

/// Of the temporaries; more than so many weigh the same.
fn cells(scop: &Scop, sizes: &[(String, i64)]) -> BTreeMap<ArrayId, u64> {
    const MOST: u64 = 1 << 40;
    let is_own = |id: &ArrayId| scop.array(*id).is_temporary() && !scop.array(*id).is_scalar();
    let temporaries = (0..scop.arrays.len()).map(ArrayId).filter(is_own);
    temporaries.map(|id| (id, declared_cells(scop, id, sizes).unwrap_or(MOST).clamp(1, MOST))).collect()
}
