//! A scop's new text, printed from its program.
//!
//! The idea: the program that was judged is the one that is printed. What it has in common with the source stays byte for byte. Of
//! several forms the first one is taken that is proved and can be printed.

use crate::choices::without_branches;
use crate::home::free_local_name;
use crate::in_turn::InTurn;
use crate::named_sizes::{NamedSizes, each_new_subscript};
use crate::printed::printed;
use crate::promise::{word_of_promise, word_of_select};
use crate::region::Region;
use crate::types::{is_any_byte, plain_element};
use crate::unused::OnlyHere;
use crate::{Decisions, Form, windows_written};
use polyfold_emit::{Additions, Edit};
use polyfold_isl::Result;
use polyfold_program::{BufferId, Int, IntOp, OtherText, Place, Program, Role, StatementId, Stmt, Use};
use polyfold_prove::validate::{Verdict, lockstep};
use polyfold_prove::{Placed, ScalarCell};
use polyfold_scop::{LoopId, Pieces, Scop, Statement, as_it_is};
use polyfold_transform::{
    Apart, HeldCell, cut, point, privatize, promise, reduce, scalarize, settle, split, sweep, unpeel, without_unread,
};
use std::collections::BTreeMap;

/// Elementary steps of isl for a proof.
const MOST_STEPS: u64 = 20_000_000;

/// What a scop's program makes of it.
pub(crate) struct FromTree {
    /// The text between the pragma lines.
    pub(crate) text: String,
    /// What it is printed from.
    pub(crate) program: Program,
    /// Whether its loops are split, or carry remainders along.
    pub(crate) is_split: bool,
    /// Names from in front of the scop that it doesn't mention any more.
    pub(crate) unmentioned: Vec<String>,
}

/// A program with new storage as text. `None`: its source's text can't be kept around it.
pub(crate) fn from_tree(
    source: &str,
    decisions: &Decisions,
    (program, after): (&Program, &Program),
    (region, in_scop): (&Region, &[Edit]),
) -> Result<Option<FromTree>> {
    let scop = decisions.scop;
    let written = |pieces: &Pieces, mentions: &[Edit]| match &scop.order {
        // New loops declare what is left of it themselves.
        Some(_) => scop.written_with(pieces, &[]),
        None => scop.written_with(pieces, &declarations(scop, [in_scop, &region.removed_declarations, mentions])),
    };
    let Some(own) = written(&as_it_is, &[]) else { return Ok(None) };
    let gone: Vec<StatementId> = region.gone.statements.iter().map(|id| StatementId(id.0)).collect();
    let printing = Printing { source, decisions, region, after: sweep(after, &gone) };
    let (named, Some(after)) = (printing.sizes().all()?, printing.with_own_variables()) else { return Ok(None) };
    let (word, only_here) = (word_of_promise(scop, source), OnlyHere::in_scop(source, decisions)?);
    let additions = Additions {
        named: &named,
        promise: &word,
        select: &|of| word_of_select(scop, source, of),
        declaration: &|id| printing.declaration(id),
        ..Additions::none()
    };
    let in_text = |form: Program, is_plain: bool| {
        // Compilers warn of names that nobody uses.
        let mut unused = named.clone();
        unused.retain(|own| !region.constants.is_in_extent(&own.name));
        each_new_subscript(decisions, &form, &mut |e| unused.retain(|own| own.value != *e));
        let has_unread =
            without_unread(&form, &printing.variables()) != form || !left_unread(program, &form).is_empty();
        let is_scoped = form.is_well_scoped() || is_plain && !program.is_well_scoped();
        // New loops are printed with blocks where a name means something else.
        let sees_names = scop.order.is_some() || form.sees_all_names();
        let is_fine = is_scoped && sees_names && (is_plain || unused.is_empty() && !has_unread);
        let text = if is_fine { printed(source, scop, &own, (&form, &additions)) } else { None };
        text.map(|text| (text, form))
    };
    for Shape { before, forms } in printing.shapes(&after) {
        let is_plain = before.is_none();
        let Some((text, form)) = forms.into_iter().find_map(|form| in_text(form, is_plain)) else { continue };
        let is_split = !is_plain;
        if before.map_or(Ok(true), |before| printing.is_proved(&before, &form))? {
            let print = |pieces: &Pieces| printed(source, scop, &written(pieces, &[])?, (&form, &additions));
            let lost = only_here.unmentioned(&form, (&text, &print));
            let with_mentions = || {
                let written = written(&as_it_is, &only_here.behind_declarations(&lost.inside))?;
                printed(source, scop, &written, (&form, &Additions { mentioned: &lost.inside, ..additions }))
            };
            let text = if lost.inside.is_empty() { None } else { with_mentions() }.unwrap_or(text);
            return Ok(Some(FromTree { text, program: form, is_split, unmentioned: lost.behind }));
        }
    }
    Ok(None)
}

/// A program with other loops.
#[derive(PartialEq, Eq)]
struct Shape {
    /// What it has to be proved the same as; `None`: no loop changes.
    before: Option<Program>,
    /// It, the best one first: some can't be printed.
    forms: Vec<Program>,
}

/// What changes between a scop's statements: declarations, and mentions of variables behind them.
fn declarations(scop: &Scop, edits: [&[Edit]; 3]) -> Vec<OtherText> {
    let is_inside = |edit: &&Edit| scop.span.start <= edit.span.start && edit.span.end <= scop.span.end;
    edits.concat().iter().filter(is_inside).map(Edit::as_text).collect()
}

/// How much is tried: what can't be proved of parts may be of whole loops.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Ambition {
    /// Loops are cut and split.
    Parts,
    /// They are split.
    Whole,
    /// Compilers are told what is known of them.
    Told,
}

/// A scop's program on its way to C.
struct Printing<'a> {
    source: &'a str,
    decisions: &'a Decisions<'a>,
    region: &'a Region,
    /// With new storage, and without statements that go.
    after: Program,
}

impl Printing<'_> {
    /// New storage but for variables.
    fn arrays(&self) -> Vec<BufferId> {
        let sizes = self.sizes();
        let all = sizes.places().filter_map(|(name, _)| sizes.buffer_called(&name));
        all.filter(|id| !self.after.buffers[id.0].extents.is_empty()).collect()
    }

    fn sizes(&self) -> NamedSizes<'_> {
        let Printing { source, decisions, region, after } = self;
        NamedSizes { source, decisions, constants: &region.constants, program: after }
    }

    fn buffer(&self, place: &Placed) -> Option<BufferId> {
        self.sizes().buffer_called(&self.decisions.name(place, self.source))
    }

    /// The places of variables that are declared where their values live.
    fn own_variables(&self) -> impl Iterator<Item = (&InTurn, &Placed)> {
        let place = |own: &InTurn| self.decisions.mapped.iter().find(|place| place.array() == own.array());
        self.region.in_turns.iter().filter_map(move |own| Some((own, place(own)?)))
    }

    fn variables(&self) -> Vec<BufferId> {
        self.own_variables().filter_map(|(_, place)| self.buffer(place)).collect()
    }

    /// The program with variables declared where their values live, without those that nobody reads.
    fn with_own_variables(&self) -> Option<Program> {
        let variables: Vec<BufferId> =
            self.own_variables().map(|(_, place)| self.buffer(place)).collect::<Option<_>>()?;
        let declared = variables.iter().try_fold(self.after.clone(), |program, id| privatize(&program, *id))?;
        Some(without_unread(&declared, &variables))
    }

    /// The program with the loops that were asked for, the best ones first.
    fn shapes(&self, after: &Program) -> Vec<Shape> {
        let plain = Shape { before: None, forms: vec![settle(after)] };
        // A pragma in front of the scop is about its first loop: nothing may come between.
        if self.decisions.form != Form::Fast || self.decisions.scop.has_lead() {
            return vec![plain];
        }
        let base = self.with_held_cells(after);
        let all = [Ambition::Parts, Ambition::Whole, Ambition::Told];
        let mut shapes: Vec<Shape> = all.into_iter().flat_map(|ambition| self.fast(&base, ambition)).collect();
        shapes.dedup();
        shapes.push(plain);
        shapes
    }

    /// The program with variables for cells that loops use. An array that nobody would read then keeps its cells in memory.
    fn with_held_cells(&self, after: &Program) -> Program {
        let held = self.with_held_cells_but(after, &[]);
        match left_unread(after, &held) {
            unread if unread.is_empty() => held,
            unread => self.with_held_cells_but(after, &unread),
        }
    }

    fn with_held_cells_but(&self, after: &Program, in_memory: &[BufferId]) -> Program {
        let scop = self.decisions.scop;
        let bodies: BTreeMap<_, _> = scop.loops().into_iter().map(|l| (l.id, &l.body)).collect();
        let windows = windows_written(self.source, self.decisions);
        let mapped = |cell: &ScalarCell| self.decisions.mapped.iter().find(|place| place.array() == cell.array());
        let is_in_window = |cell: &&ScalarCell| mapped(cell).is_some_and(|place| windows.have(place));
        let buffer = |cell: &ScalarCell| match mapped(cell) {
            Some(place) => self.buffer(place),
            None => Some(BufferId(cell.array().0)),
        };
        let stays = |cell: &&ScalarCell| buffer(cell).is_some_and(|id| in_memory.contains(&id));
        let held = self.decisions.forms.scalar_cells.iter().filter(|cell| !is_in_window(cell) && !stays(cell));
        let with_one = |program: &Program, cell: &ScalarCell| {
            let element = plain_element(scop.array(cell.array()))?;
            if !is_any_byte(&element) && !cell.is_written_first() {
                return None;
            }
            let nodes = &bodies.get(&cell.turn())?[cell.nodes().clone()];
            // Conditions on data are statements of the scop, too.
            let is_here = |id: &StatementId| nodes.iter().any(|node| node.holds(polyfold_scop::StatementId(id.0)));
            let statements = program.body.iter().flat_map(Stmt::assigned).filter(is_here).collect();
            let stem = format!("{}_cell", scop.array(cell.array()).name);
            let writes = |(id, k): &&(_, usize)| scop.statement(*id).accesses[*k].is_write();
            let writer = StatementId(cell.accesses().iter().find(writes)?.0.0);
            let held = HeldCell { statements, writer, accesses: cell.accesses().len(), stem };
            Some(scalarize(program, &held, &|stem| self.local_name(stem))?.0)
        };
        held.into_iter().fold(after.clone(), |program, cell| with_one(&program, cell).unwrap_or(program))
    }

    /// A program with faster loops, and how its sums begin. There is none where threads would divide.
    fn fast(&self, after: &Program, ambition: Ambition) -> Vec<Shape> {
        let name = |stem: &str| self.local_name(stem);
        let whole = settle(after);
        let parts = if ambition == Ambition::Parts { settle(&cut(after, &self.arrays())) } else { whole.clone() };
        let reduced = if ambition == Ambition::Told { whole.clone() } else { reduce(&split(&parts, &name), &name) };
        let is_cut = parts != whole;
        // Threads keep loops from carrying anything along: then rows are found by division.
        if ambition != Ambition::Told && divides_for_rows(&reduced) {
            return Vec::new();
        }
        // That a sum's loop has its first term may not be known.
        let mut all = vec![unpeel(&reduced), reduced];
        all.dedup();
        let shape = |reduced: Program| {
            let is_changed = is_cut || reduced != parts;
            let told = promise(&reduced, &self.apart());
            let converted = without_branches(self.source, self.decisions.scop, &told);
            let mut forms = vec![point(&converted, &name), point(&told, &name), told];
            forms.dedup();
            Shape { before: is_changed.then(|| after.clone()), forms }
        };
        all.into_iter().map(shape).collect()
    }

    fn local_name(&self, stem: &str) -> String {
        free_local_name(stem, self.decisions.scop, self.source)
    }

    /// Whether a form runs the same instances in their order, for all sizes. What compilers are told changes no order.
    fn is_proved(&self, after: &Program, form: &Program) -> Result<bool> {
        let (after, form) = (self.known(after), self.known(form));
        let verdict = lockstep(self.decisions.proved.context(), &after, &form, MOST_STEPS)?;
        Ok(matches!(verdict, Verdict::Same { .. }))
    }

    /// A program with what is known of its sizes.
    fn known(&self, program: &Program) -> Program {
        let context = [&program.context[..], &self.decisions.facts[..]].concat();
        Program { context, ..program.clone() }
    }

    /// Statements whose innermost loop's iterations may run at once.
    fn apart(&self) -> Apart {
        let Decisions { scop, forms, .. } = self.decisions;
        let with = |is_so: &dyn Fn(LoopId) -> bool| {
            let is_in_one = |own: &Statement| own.loops.last().is_some_and(|id| is_so(*id));
            let all = scop.statements.iter().enumerate();
            all.filter(|(_, own)| is_in_one(own)).map(|(k, _)| StatementId(k)).collect()
        };
        Apart {
            in_any_order: with(&|id| forms.apart.are_in_any_order(id)),
            in_order: with(&|id| forms.apart.are_in_order(id)),
        }
    }

    /// How a variable is declared.
    fn declaration(&self, id: BufferId) -> Option<String> {
        let (own, _) = self.own_variables().find(|(_, place)| self.buffer(place) == Some(id))?;
        Some(own.declaration().to_string())
    }
}

/// Whether an innermost loop divides by a size for rows that loops around go through.
fn divides_for_rows(program: &Program) -> bool {
    let mut counters = Vec::new();
    let mut note = |stmt: &Stmt| counters.extend(if let Stmt::For(own) = stmt { Some(own.counter) } else { None });
    program.body.iter().for_each(|stmt| stmt.each(&mut note));
    let mut found = false;
    let mut visit = |e: &Int| {
        let is_by_size =
            matches!(e, Int::Binary(IntOp::Remainder | IntOp::FloorModulo, _, by) if by.as_constant().is_none());
        found |= is_by_size && counters.iter().any(|counter| e.names(*counter));
    };
    let mut in_place = |place: &Place| {
        if let Place::Cell { index, .. } = place
            && let Some((_, leading)) = index.split_last()
        {
            leading.iter().for_each(|e| e.each(&mut |e| visit(e)));
        }
    };
    let mut in_stmt = |stmt: &Stmt| stmt.each_place(&mut |_, place| in_place(place));
    program.body.iter().for_each(|stmt| stmt.each(&mut in_stmt));
    found
}

/// The arrays that aren't read any more, but still written: compilers warn of them.
fn left_unread(before: &Program, after: &Program) -> Vec<BufferId> {
    let (read_before, read) = (before.used(Use::Read), after.used(Use::Read));
    let is_new = |id: &BufferId| id.0 >= before.buffers.len();
    let is_lost = |id: &BufferId| (is_new(id) || read_before.contains(id)) && !read.contains(id);
    let is_left = |id: &BufferId| after.buffers[id.0].role == Role::Temporary && is_lost(id);
    after.used(Use::Write).into_iter().filter(is_left).collect()
}
