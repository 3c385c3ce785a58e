//! Storage for a program whose steps take the border of their grids along.
//!
//! Where the border of a grid stays and its inside moves through memory, values by name put the
//! border into storage of its own. The first and last cells of each row are read from there. So
//! loops have parts of one iteration at both ends, which short rows pay for. Where steps read
//! corners, too, there are more sides than values are worth naming, and both grids stay.
//!
//! With copies of the border added to the program ([`polyfold_flow::grids`]) a row, or all of the
//! grid, is one piece. That takes a few cells more than are alive: two of each row, or a row.
//!
//! Invariant: the copies are proved to change nothing, and both programs run side by side.

use crate::applied::{counters_of, index_of};
use crate::cells::is_worth_changing;
use crate::judged::{Judgement, judged_order};
use crate::optimize::{Known, Optimized, Options, in_bound, optimize, optimize_knowing};
use crate::prepared::{AliveInOrder, Prepared, Useful};
use crate::slack::Slack;
use polyfold_codegen::{TextLimits, can_be_printed, can_declare_before, seen_behind};
use polyfold_flow::{Ends, GridNest, Grids, Model, grids};
use polyfold_isl::{Context, Error, ErrorKind};
use polyfold_program::{Assign, BufferId, Int, StatementId};
use polyfold_prove::{Copies, copies_change_nothing};
use polyfold_scop::{Access, Copied, Expr, LoopId, Scop};
use polyfold_transform::{Border, BorderNest, Grid, copy_border};

/// What is found for a scop whose steps go to and fro between grids.
pub enum WithBorder {
    /// The scop with copies, and its storage. It ran beside the one without.
    Copied {
        /// The longer scop.
        scop: Box<Scop>,
        /// Its storage.
        result: Box<Optimized>,
        /// What came of running both.
        judgement: Judgement,
    },
    /// The storage without.
    AsItWas(Box<Optimized>),
}

/// The scop with copies of borders, where it gains by them, or the storage that was found on the
/// way. `None`: there is neither.
///
/// # Errors
/// When isl fails, but for its bound of work.
pub fn with_border(
    ctx: &Context,
    (scop, source): (&Scop, &str),
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<WithBorder>, Error> {
    let Some(grids) = grids(scop).filter(|_| can_declare_before(source, scop)) else { return Ok(None) };
    Search { ctx, scop, source, grids: &grids, options }.found(progress)
}

impl Optimized {
    /// Whether its rows are in one piece each, for so many cells, if there is slack for that many
    /// beside those alive.
    fn is_worth_its_rows(&self, scop: &Scop, cells: u64, slack: Slack) -> bool {
        self.goes_by_rows() && self.live(scop).as_ref().is_ok_and(|count| cells <= slack.most(count.total))
    }

    /// Whether it has fewer buffers than another result, by rows, for so many cells, if there is
    /// slack for that many beside its own.
    fn is_plainer(&self, cells: u64, (other, least): (&Optimized, u64), slack: Slack) -> bool {
        self.goes_by_rows() && self.buffers.len() < other.buffers.len() && cells <= slack.most(least)
    }
}

/// One scop's grids.
struct Search<'a> {
    ctx: &'a Context,
    scop: &'a Scop,
    source: &'a str,
    grids: &'a Grids,
    options: &'a Options,
}

/// A program with copies.
struct Candidate {
    scop: Scop,
    result: Optimized,
    cells: u64,
    judgement: Judgement,
}

impl Candidate {
    fn found(self) -> WithBorder {
        let Candidate { scop, result, judgement, .. } = self;
        WithBorder::Copied { scop: Box::new(scop), result: Box::new(result), judgement }
    }
}

impl Search<'_> {
    fn found(&self, progress: &mut dyn FnMut(&str)) -> Result<Option<WithBorder>, Error> {
        let may_be_rows = !self.grids.reads_corners && !self.grids.take_turns();
        let mut rows = if may_be_rows { self.candidate(Ends::OfRows, progress)? } else { None };
        let slack = self.options.slack;
        let is_worth_it = |rows: &mut Candidate| rows.result.is_worth_its_rows(&rows.scop, rows.cells, slack);
        if let Some(rows) = rows.take_if(is_worth_it) {
            return Ok(Some(rows.found()));
        }
        // The ends of the only row there is are all of the border.
        let is_more = self.grids.inside.len() > 1 || !may_be_rows;
        let Some(all) = (if is_more { self.candidate(Ends::OfAll, progress)? } else { rows }) else { return Ok(None) };
        let as_it_was = match optimize(self.ctx, self.scop, self.options, progress) {
            Err(error) if error.kind == ErrorKind::Quota => return Ok(Some(all.found())),
            as_it_was => as_it_was?,
        };
        let is_plainer = |cells| all.result.is_plainer(all.cells, (&as_it_was, cells), slack);
        let cells = as_it_was.cells_after(self.scop)?;
        let is_worth_it = cells.is_some_and(|cells| is_worth_changing(cells, all.cells) || is_plainer(cells));
        Ok(Some(if is_worth_it { all.found() } else { WithBorder::AsItWas(Box::new(as_it_was)) }))
    }

    /// The program with some of the border copied; `None`: that cannot be printed, proved, or
    /// counted.
    fn candidate(&self, ends: Ends, progress: &mut dyn FnMut(&str)) -> Result<Option<Candidate>, Error> {
        let Some(longer) = longer((self.scop, self.source), self.grids, ends) else { return Ok(None) };
        // The program as it was may take less work.
        let judgement =
            in_bound(self.ctx.with_quota(self.options.isl_operations(), || self.judged(&longer)))?.flatten();
        let Some(judgement) = judgement else { return Ok(None) };
        let options = Options { text: TextLimits::of(self.source, &longer), ..self.options.clone() };
        let found = in_bound(optimize_longer(self.ctx, (self.scop, &longer), &options, progress))?.flatten();
        let Some(result) = found else { return Ok(None) };
        let Some(cells) = result.cells_after(&longer)? else { return Ok(None) };
        Ok(Some(Candidate { scop: longer, result, cells, judgement }))
    }

    /// Whether the copies change nothing: what came of running both programs, if that is proved.
    fn judged(&self, longer: &Scop) -> Result<Option<Judgement>, Error> {
        // What the user assumes holds in both programs, and neither needs it to be the other.
        let [plain, plain_longer] = [self.scop, longer].map(|scop| Scop { assumed: Vec::new(), ..scop.clone() });
        let own = self.scop.statements.len();
        let origins: Vec<_> =
            (0..longer.statements.len()).map(|k| (k < own).then_some(polyfold_scop::StatementId(k))).collect();
        let copies = Copies { origins: &origins, time: self.grids.time };
        let model = Model::build(self.ctx, &plain)?;
        if !copies_change_nothing(&model, &Model::build(self.ctx, &plain_longer)?, &copies)? {
            return Ok(None);
        }
        let (Some(before), Some(after)) = (&self.scop.program, &longer.program) else { return Ok(None) };
        judged_order(before, after, (&model.context, &model.parameters)).map(Some)
    }
}

/// Storage for the longer scop, which `options` are about, with the values alive in that or in the
/// scop, whichever has less; `None`: it leaves something as it was that one would not expect to
/// stay.
fn optimize_longer(
    ctx: &Context,
    (scop, longer): (&Scop, &Scop),
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Option<Optimized>, Error> {
    let useful = Useful::of(scop);
    // Copies write the border of one grid in each step: how it was filled may be read by nobody
    // then.
    let useful_longer = Useful::without_unread(ctx, longer, options)?;
    let (before, mut prepared) = (Prepared::of(ctx, &useful, options)?, Prepared::of(ctx, &useful_longer, options)?);
    // Two arrays may hold one border twice, of which only the copies tell; and copies are alive for
    // a moment.
    if before.alive().together <= prepared.alive().together {
        prepared = Prepared::counted_before(ctx, &useful_longer, options, &AliveInOrder::of(&before))?;
    }
    let known = Known { prepared: Some(&prepared), ..Known::default() };
    let found = optimize_knowing(ctx, longer, options, known, progress)?;
    Ok((found.left_out.is_empty() && found.disappointing() == 0).then_some(found))
}

/// The scop with some of the border copied; `None`: it isn't understood, or its text has no room
/// for copies.
pub fn longer((scop, source): (&Scop, &str), grids: &Grids, ends: Ends) -> Option<Scop> {
    let nests: Vec<BorderNest> =
        grids.nests.iter().map(|nest| border_nest((scop, source), grids, nest)).collect::<Option<_>>()?;
    let ints = |ends: &(Expr, Expr)| {
        let both = ints(scop, grids.nests[0].statement, &[ends.0.clone(), ends.1.clone()])?;
        <[Int; 2]>::try_from(both).ok().map(|[first, last]| (first, last))
    };
    let inside = grids.inside.iter().map(ints).collect::<Option<Vec<(Int, Int)>>>()?;
    let border = Border { width: grids.width.clone(), inside, dimensions: grids.dimensions(ends), nests };
    let (program, copies) = copy_border(scop.program.as_ref()?, &border)?;
    let copied = |nest: &usize| {
        let GridNest { statement, write, reader, read, .. } = grids.nests[*nest];
        Copied { statement, write, reader, read }
    };
    let longer = scop.with_copies(program, &copies.iter().map(copied).collect::<Vec<Copied>>())?;
    can_be_printed(source, &longer).then_some(longer)
}

fn border_nest((scop, source): (&Scop, &str), grids: &Grids, nest: &GridNest) -> Option<BorderNest> {
    let statement = scop.statement(nest.statement);
    let (written, read) = (&statement.accesses[nest.write], &scop.statement(nest.reader).accesses[nest.read]);
    let index = |access: &Access| ints(scop, nest.statement, access.subscripts.as_ref()?);
    let grid = |access: &Access| {
        let all = index(access)?;
        Some(Grid { buffer: BufferId(access.array.0), turn: nest.turn.map(|turn| (turn, all[turn].clone())) })
    };
    let (all, along) = (index(written)?, nest.along());
    // Nobody asks for its counter behind the loop.
    let is_free = |id: &LoopId| {
        let l = scop.loops()[id.0];
        seen_behind(source, l).is_none() && scop.array_named(&l.iterator).is_none()
    };
    let is_free: Vec<bool> = nest.loops.iter().map(is_free).collect();
    let is_alone = grids.nests.iter().filter(|other| other.loops == nest.loops).count() == 1
        && scop.loops()[nest.loops.last()?.0].body.len() == 1;
    let same = |access: &Access| {
        access.subscripts.as_ref().map(|own| along.iter().map(|k| own[*k].clone()).collect::<Vec<_>>())
    };
    let is_copy = nest.reader == nest.statement
        && is_alone
        && same(written) == same(read)
        && scop.assignment(nest.statement).is_some_and(Assign::is_copy)
        && is_free.iter().all(|is_free| *is_free);
    Some(BorderNest {
        statement: StatementId(nest.statement.0),
        depth: statement.loops.len() - nest.loops.len(),
        cell: along.iter().map(|k| all[*k].clone()).collect(),
        to: grid(written)?,
        from: grid(read)?,
        is_copy,
        is_free,
    })
}

/// Expressions with the counters around a statement, in the program.
fn ints(scop: &Scop, id: polyfold_scop::StatementId, all: &[Expr]) -> Option<Vec<Int>> {
    index_of(counters_of(scop.program.as_ref()?, StatementId(id.0))?, scop.statement(id), all)
}
