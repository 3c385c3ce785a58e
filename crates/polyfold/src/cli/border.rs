//! Programs whose steps take the border of their grids along, where that saves memory or makes loops plain.
//!
//! The scop gets copies first, as text; what follows reads that text like any other program. Where the copies are not proved to change nothing, or storage
//! would be larger, it stays as it was.

use super::Failure;
use super::arguments::{EmitArgument, MethodArgument, OptimizeArguments, ScopeArgument};
use super::input::{self, Input};
use super::optimize::{internal, options, solve};
use super::schedule::{Reordered, Solution};
use indicatif::ProgressBar;
use polyfold_codegen::{assign_alike, can_declare_before, is_plain_copy, with_border};
use polyfold_flow::{Ends, Grids, grids};
use polyfold_isl::{Context, ErrorKind};
use polyfold_plan::{Slack, in_bound, is_worth_changing, optimize_longer};
use polyfold_prove::Copies;
use polyfold_scop::{Scop, Span, Statement, StatementId};
use std::time::Instant;

/// The program with copies in the scops that gain by them, and the storage that was found on the way.
///
/// # Errors
/// When a text of ours cannot be read.
pub(super) fn with_borders(
    ctx: &Context,
    mut program: Reordered,
    arguments: &OptimizeArguments,
    progress: &ProgressBar,
) -> Result<Reordered, Failure> {
    let is_asked_for = (arguments.emit, arguments.scope, arguments.method)
        == (EmitArgument::Fast, ScopeArgument::Inter, MethodArgument::Auto);
    let has_new_loops = program.input.parsed.scops.iter().any(|scop| scop.order.is_some());
    if !is_asked_for || has_new_loops || program.input.original.is_some() {
        return Ok(program);
    }
    for place in 0..program.input.parsed.scops.len() {
        let scop = &program.input.parsed.scops[place];
        let Some(found) = grids(scop).filter(|_| can_declare_before(&program.input.source, scop)) else { continue };
        let search = Search { ctx, arguments, progress, place, grids: &found };
        match search.found(&program.input)? {
            Found::Longer(input, solution) => {
                program.input = *input;
                program.solved.insert(place, solution);
            }
            Found::AsItWas(solution) => {
                program.solved.insert(place, solution);
            }
            Found::Nothing => {}
        }
    }
    Ok(program)
}

/// One scop's grids.
struct Search<'a> {
    ctx: &'a Context,
    arguments: &'a OptimizeArguments,
    progress: &'a ProgressBar,
    place: usize,
    grids: &'a Grids,
}

/// What is known of a scop in the end.
enum Found {
    /// The program with copies, and its storage.
    Longer(Box<Input>, Solution),
    /// The storage without.
    AsItWas(Solution),
    /// Its storage is still to be found.
    Nothing,
}

/// A program with copies.
struct Candidate {
    input: Input,
    solution: Solution,
    cells: u64,
}

impl Candidate {
    fn found(self) -> Found {
        Found::Longer(Box::new(self.input), self.solution)
    }
}

impl Search<'_> {
    fn found(&self, input: &Input) -> Result<Found, Failure> {
        let room = self.arguments.room.map_or(Slack::Usual, Slack::Percent);
        let may_be_rows = !self.grids.reads_corners && !self.grids.take_turns();
        let mut rows = if may_be_rows { self.candidate(input, Ends::OfRows)? } else { None };
        let is_worth_it = |rows: &mut Candidate| {
            let scop = &rows.input.parsed.scops[self.place];
            rows.solution.result.is_worth_its_rows(scop, rows.cells, room)
        };
        if let Some(rows) = rows.take_if(is_worth_it) {
            return Ok(rows.found());
        }
        // The ends of the only row there is are all of the border.
        let all = if self.grids.inside.len() > 1 || !may_be_rows { self.candidate(input, Ends::OfAll)? } else { rows };
        let Some(all) = all else { return Ok(Found::Nothing) };
        let scop = &input.parsed.scops[self.place];
        let as_it_was = match solve(self.ctx, scop, input, self.arguments, self.progress) {
            Ok(solution) => solution,
            Err(error) if error.kind == ErrorKind::Quota => return Ok(all.found()),
            Err(error) => return Err(internal(error)),
        };
        let cells = as_it_was.result.cells_after(scop).map_err(internal)?;
        let is_plainer = |cells| all.solution.result.is_plainer(all.cells, (&as_it_was.result, cells), room);
        let is_worth_it = cells.is_some_and(|cells| is_worth_changing(cells, all.cells) || is_plainer(cells));
        Ok(if is_worth_it { all.found() } else { Found::AsItWas(as_it_was) })
    }

    /// The program with some of the border copied; `None`: that cannot be written, proved, or counted.
    fn candidate(&self, input: &Input, ends: Ends) -> Result<Option<Candidate>, Failure> {
        let (begun, scop) = (Instant::now(), &input.parsed.scops[self.place]);
        let Some(text) = with_border(&input.source, scop, self.grids, ends) else { return Ok(None) };
        let Some(mut next) = input::reread(input, text.text, &self.arguments.program)? else { return Ok(None) };
        let longer = &next.parsed.scops[self.place];
        let Some(origins) = origins(scop, longer, &text.added) else { return Ok(None) };
        let copies = Copies {
            origins: &origins,
            time: self.grids.time,
            is_copy: &|id| is_plain_copy(&next.source, longer.statement(id)),
            alike: &|one, other| assign_alike(&next.source, longer, one, other),
        };
        let options = options(longer, &next.source, self.arguments);
        let found = optimize_longer(self.ctx, scop, (longer, &copies), &options, &mut |array| {
            self.progress.set_message(format!("{}: {array}", scop.function));
            self.progress.tick();
        });
        // The program as it was may take less work.
        let Some(result) = in_bound(found).map_err(internal)?.flatten() else { return Ok(None) };
        let cells = result.cells_after(longer).map_err(internal)?;
        let Some(cells) = cells else { return Ok(None) };
        next.changes = [input.changes.clone(), text.changes].concat();
        let solution = Solution { result, seconds: begun.elapsed().as_secs_f64(), stages: None };
        Ok(Some(Candidate { input: next, solution, cells }))
    }
}

/// By statement of the longer scop, which one it was; `None`: there are others than those added.
fn origins(scop: &Scop, longer: &Scop, added: &[Span]) -> Option<Vec<Option<StatementId>>> {
    let is_added = |statement: &Statement| added.iter().any(|span| span.start == statement.span.start);
    let mut next = 0;
    let origin = |statement: &Statement| {
        (!is_added(statement)).then(|| {
            next += 1;
            StatementId(next - 1)
        })
    };
    let origins: Vec<Option<StatementId>> = longer.statements.iter().map(origin).collect();
    let is_whole = next == scop.statements.len() && origins.len() == next + added.len();
    is_whole.then_some(origins)
}
