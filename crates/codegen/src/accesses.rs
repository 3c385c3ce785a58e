//! Accesses to arrays with new storage, as text.

use crate::constants::Constants;
use crate::definite::Cells;
use crate::edit::{Edit, Edits};
use crate::if_conversion::{Converted, converted};
use crate::in_turn::{self, InTurn};
use crate::indent::step_of;
use crate::linear::Variables;
use crate::region::may_be_wide;
use crate::rows::{Choice, RowSpot, Rows, Spot};
use crate::scalar::Scalar;
use crate::segments::{Sum, sums};
use crate::signed::Signed;
use crate::sliding::{self, Slide};
use crate::slow::Notes;
use crate::source_rows::row_of;
use crate::subscript::{Moduli, Moved, Positions, Reference, Remainder};
use crate::values::ValueTexts;
use crate::window_places::PlaceText;
use crate::{Decisions, Form, carrying, scalar, shifting, tiled_rows};
use polyfold_isl::{Result, Set};
use polyfold_prove::{CarriedWindow, Placed, ShiftRegister, TiledRows};
use polyfold_scop::{Access, Certainty, Loop, Place, StatementId};

/// Which accesses are asked for, and how they are written.
pub(crate) struct View<'a> {
    /// Their statements; `None`: all.
    pub(crate) statements: Option<&'a [StatementId]>,
    /// What stands for remainders.
    pub(crate) positions: &'a Positions,
    /// Rows by pointer.
    pub(crate) rows: &'a Rows,
    /// For which sizes and counters they are read; `None`: all.
    pub(crate) part: Option<&'a Set>,
}

impl View<'_> {
    /// Whether a statement's accesses are asked for.
    pub(crate) fn has(&self, id: StatementId) -> bool {
        self.statements.is_none_or(|own| own.contains(&id))
    }
}

/// All accesses of a scop.
pub(crate) struct Accesses<'a> {
    pub(crate) source: &'a str,
    pub(crate) decisions: &'a Decisions<'a>,
    pub(crate) constants: &'a Constants,
    pub(crate) signed: Signed,
    /// Rings that are written as shift registers.
    registers: Vec<&'a ShiftRegister>,
    /// Rings that are written as windows.
    windows: Vec<&'a CarriedWindow>,
    /// Rings of values that slide.
    slides: Vec<Slide<'a>>,
    /// Storage that is counted from where tiles begin.
    tiled: Vec<&'a TiledRows>,
    /// Sums that begin with 0.
    sums: Vec<Sum>,
    /// Cells that variables stand for.
    scalars: Vec<Scalar<'a>>,
    /// Variables that are declared where their values live.
    pub(crate) in_turns: Vec<InTurn>,
    /// Statements whose choices have no branches.
    converted: Vec<Converted>,
    /// What innermost loops divide for, as they are written.
    pub(crate) notes: Notes,
}

/// A subscript of an access.
pub(crate) struct FoundRemainder {
    pub(crate) remainder: Remainder,
    pub(crate) statement: StatementId,
    /// Which of the statement's accesses.
    pub(crate) place: usize,
    /// Whether it is one whenever the statement runs.
    pub(crate) is_sure: bool,
}

/// A row that an access is in.
#[derive(Clone)]
pub(crate) struct FoundRow {
    /// As a pointer in C.
    pub(crate) row: String,
    /// Where in the row, in C.
    pub(crate) last: String,
    /// The rows of which it is one.
    pub(crate) spots: Vec<RowSpot>,
    /// Whether it is in a window of tiles, somewhere between its cells.
    pub(crate) is_in_window: bool,
    pub(crate) statement: StatementId,
    pub(crate) access: Access,
}

/// An access to a cell of a mapped array.
struct Mapped<'a> {
    statement: StatementId,
    /// Which of the statement's accesses.
    place: usize,
    access: &'a Access,
    storage: &'a Placed,
}

impl<'a> Accesses<'a> {
    pub(crate) fn of(source: &'a str, decisions: &'a Decisions, constants: &'a Constants) -> Result<Accesses<'a>> {
        let (signed, registers) = (Signed::at(source, decisions.scop.span.start), shifting::written(source, decisions));
        let windows = carrying::written(source, decisions);
        let tiled = tiled_rows::written(source, decisions);
        let moves = |array| {
            registers.iter().any(|r| r.array() == array)
                || windows.iter().any(|w| w.array() == array)
                || tiled.iter().any(|t| t.array() == array)
        };
        let scalars = scalar::written(source, decisions, moves);
        let is_fast = decisions.form == Form::Fast;
        let converted = if is_fast { converted(decisions.known.context(), source, decisions.scop) } else { Vec::new() };
        let mut accesses = Accesses {
            source,
            decisions,
            constants,
            signed,
            registers,
            windows,
            slides: sliding::written(source, decisions)?,
            tiled,
            sums: Vec::new(),
            scalars,
            in_turns: in_turn::written(source, decisions)?,
            converted,
            notes: Notes::default(),
        };
        accesses.sums = sums(&accesses)?;
        Ok(accesses)
    }

    /// Whether accesses change, and what goes with their variables, but nothing is done for speed.
    pub(crate) fn are_plain(&self) -> bool {
        self.scalars.is_empty() && !self.need_text()
    }

    /// Whether something is done for speed that no pass does yet: windows, registers, sums that begin with 0, and conditions
    /// on data that become values.
    pub(crate) fn need_text(&self) -> bool {
        let has_windows = !self.windows.is_empty() || !self.registers.is_empty() || !self.tiled.is_empty();
        let are_applied = self.decisions.in_windows.is_some() || !has_windows;
        !are_applied || !self.slides.is_empty() || !self.sums.is_empty() || !self.converted.is_empty()
    }

    /// The changes of statements, and how their accesses to cells read then; accesses in macro expansions rewrite the
    /// expansion.
    pub(crate) fn rewritten(&self, view: &View) -> Result<(Edits, Cells)> {
        let fragments = &self.decisions.scop.fragments;
        let (mut edits, mut cells) = (Edits::new(), Cells::new());
        let mut inside: Vec<Edits> = fragments.iter().map(|_| Edits::new()).collect();
        for mapped in self.mapped().filter(|mapped| view.has(mapped.statement)) {
            let Place { fragment, span } = &mapped.access.place;
            let cell = self.choice(&mapped, view.positions)?.text(view.rows);
            let scalar = self.scalars.iter().find(|scalar| scalar.has(mapped.statement, mapped.place));
            let text = scalar.map_or_else(|| cell.clone(), |scalar| scalar.text(mapped.access));
            let access = (mapped.statement, mapped.place);
            let declared = self.in_turns.iter().filter_map(|own| own.declared_with(access));
            declared.for_each(|variable| edits.push_declared(variable.clone()));
            let into = fragment.map_or(&mut edits, |f| &mut inside[f.0]);
            into.push(Edit { span: span.clone(), text });
            if let Some(scalar) = scalar.filter(|own| own.is_said_by((mapped.statement, mapped.place)))
                && scalar.is_in(|id| view.has(id))
            {
                scalar.around(&cell, self.source).into_iter().for_each(|lines| edits.push_around(lines));
            }
            cells.insert((mapped.statement, mapped.place), cell);
        }
        for FoundRow { row, last, access, .. } in self.source_rows(view) {
            let pointer = view.rows.name(&row).map(|name| format!("{name}{last}"));
            pointer.into_iter().for_each(|text| edits.push(Edit { span: access.place.span.clone(), text }));
        }
        for (fragment, inside) in fragments.iter().zip(inside).filter(|(_, inside)| !inside.is_empty()) {
            edits.push(Edit { span: fragment.replaces.clone(), text: inside.apply(&fragment.text) });
        }
        let converted = self.converted.iter().filter(|own| own.statements().iter().all(|id| view.has(*id)));
        converted.for_each(|converted| edits.push_converted(converted.clone()));
        self.values(view).rewrite(&mut edits)?;
        self.moves(view, &mut edits);
        self.carries(view, &mut edits);
        self.slides_on(view, &mut edits)?;
        self.sums.iter().filter(|sum| sum.is_in(view)).flat_map(Sum::edits).for_each(|edit| edits.push(edit));
        Ok((edits, cells))
    }

    /// What moves values through shift registers.
    fn moves(&self, view: &View, edits: &mut Edits) {
        let (source, scop) = (self.source, self.decisions.scop);
        let runs_in = |l: &Loop, id: &StatementId| scop.statement(*id).loops.last() == Some(&l.id);
        let is_asked = |l: &&Loop| view.statements.is_none_or(|own| own.iter().any(|id| runs_in(l, id)));
        for register in &self.registers {
            let place = self.decisions.mapped.iter().find(|mapped| mapped.array() == register.array());
            let Some(place) = place else { continue };
            let moved = shifting::lines(scop, register, &self.decisions.name(place, source), source);
            for l in shifting::loops(scop, register).filter(is_asked) {
                shifting::end_with(source, scop, l, &moved, edits);
            }
        }
    }

    /// What moves windows along.
    fn carries(&self, view: &View, edits: &mut Edits) {
        let (source, scop) = (self.source, self.decisions.scop);
        for l in scop.loops() {
            let is_asked =
                |window: &CarriedWindow| view.statements.is_none_or(|own| carrying::are_all_of(scop, own, window));
            let of_loop = self.windows.iter().filter(|window| window.strips() == l.id && is_asked(window));
            let named = of_loop.filter_map(|window| {
                let place = self.decisions.mapped.iter().find(|mapped| mapped.array() == window.array())?;
                Some((*window, self.decisions.name(place, source)))
            });
            let named: Vec<(&CarriedWindow, String)> = named.collect();
            let step = step_of(source, &scop.span);
            shifting::end_with(source, scop, l, &carrying::lines(&named, l, scop, (source, &step)), edits);
        }
    }

    /// What lets windows slide.
    fn slides_on(&self, view: &View, edits: &mut Edits) -> Result<()> {
        let (source, scop) = (self.source, self.decisions.scop);
        for l in scop.loops() {
            let is_asked =
                |statements: &[StatementId]| statements.iter().any(|id| scop.statement(*id).loops.contains(&l.id));
            if !view.statements.is_none_or(is_asked) {
                continue;
            }
            let mut lines = Vec::new();
            for slide in self.slides.iter().filter(|slide| slide.time(scop).id == l.id) {
                lines.extend(slide.lines(source, self.decisions, &step_of(source, &scop.span))?);
            }
            shifting::end_with(source, scop, l, &lines, edits);
        }
        Ok(())
    }

    /// Whether a loop has one iteration more, in front of the others.
    pub(crate) fn begins_earlier(&self, l: &Loop) -> bool {
        self.sums.iter().any(|sum| sum.is_of(l))
    }

    /// The rows that accesses in statements are in.
    pub(crate) fn rows(&self, view: &View) -> Result<Vec<FoundRow>> {
        let mut found = Vec::new();
        let mut note = |statement: StatementId, choice: &Choice| {
            let (Some((row, last)), Some(spots)) = (choice.row(), choice.row_spots()) else { return };
            let last = last.to_string();
            let is_in_window = choice.is_in_window();
            found.push(FoundRow { row, last, spots, is_in_window, statement, access: choice.access.clone() });
        };
        for mapped in self.mapped().filter(|mapped| self.is_in_memory(mapped, view)) {
            note(mapped.statement, &self.choice(&mapped, view.positions)?);
        }
        for (statement, choice) in self.values(view).choices()? {
            note(statement, &choice);
        }
        Ok(found)
    }

    /// The rows of arrays that stay as they are.
    pub(crate) fn source_rows(&self, view: &View) -> Vec<FoundRow> {
        let Decisions { scop, mapped, values, removed, .. } = self.decisions;
        let stays = |access: &Access| {
            !mapped.iter().any(|own| own.array() == access.array)
                && !values.iter().any(|own| own.array() == access.array)
                && !removed.contains(&access.array)
        };
        let statements = (0..scop.statements.len()).map(StatementId).filter(|id| view.has(*id));
        let accesses = statements.flat_map(|id| scop.statement(id).accesses.iter().map(move |access| (id, access)));
        let row = |(statement, access): (StatementId, &Access)| {
            let (row, last) = row_of(self.source, access).filter(|_| stays(access))?;
            Some(FoundRow { row, last, spots: Vec::new(), is_in_window: false, statement, access: access.clone() })
        };
        accesses.filter_map(row).collect()
    }

    /// Whether statements use several arrays of one buffer, whose rows compilers have to tell apart when the loop runs.
    pub(crate) fn have_one_buffer(&self, statements: &[StatementId]) -> bool {
        let own = || self.mapped().filter(|mapped| statements.contains(&mapped.statement));
        own().any(|one| {
            let buffer = one.storage.shared();
            buffer.is_some()
                && own().any(|other| other.storage.shared() == buffer && other.access.array != one.access.array)
        })
    }

    fn choice<'b>(&self, mapped: &Mapped<'b>, positions: &Positions) -> Result<Choice<'b>> {
        let spot = |reference: Reference| {
            let row_cells = reference.row_cells()?;
            let window = reference.row_in_window();
            Ok(Spot { condition: String::new(), text: reference.in_c()?, row_cells, window })
        };
        Choice::of(mapped.access, vec![self.reference(mapped, positions, &spot)?], |_, _| Ok(false))
    }

    /// The remainders in statements.
    pub(crate) fn remainders(&self, view: &View) -> Result<Vec<FoundRemainder>> {
        let mut found = Vec::new();
        for mapped in self.mapped().filter(|mapped| self.is_in_memory(mapped, view)) {
            let is_sure = mapped.access.condition.is_always() && mapped.access.certainty == Certainty::Must;
            let own = self.reference(&mapped, view.positions, &|reference| reference.remainders(&[]))?;
            let (statement, place) = (mapped.statement, mapped.place);
            found.extend(own.into_iter().map(|remainder| FoundRemainder { remainder, statement, place, is_sure }));
        }
        found.extend(self.values(view).remainders()?);
        Ok(found)
    }

    /// Whether arrays have new storage of this name.
    pub(crate) fn is_storage(&self, name: &str) -> bool {
        self.decisions.mapped.iter().any(|mapped| self.decisions.name(mapped, self.source) == name)
    }

    pub(crate) fn values<'b>(&'b self, view: &'b View<'b>) -> ValueTexts<'b> {
        let Accesses { source, decisions, constants, signed, slides, .. } = self;
        ValueTexts { source, decisions, constants, signed, slides, view }
    }

    /// Whether an access is asked for, and no variable stands for its cell around the statements.
    fn is_in_memory(&self, mapped: &Mapped, view: &View) -> bool {
        let mut scalars = self.scalars.iter().filter(|scalar| scalar.has(mapped.statement, mapped.place));
        view.has(mapped.statement) && scalars.all(|scalar| scalar.is_in(|id| view.has(id)))
    }

    fn mapped(&self) -> impl Iterator<Item = Mapped<'_>> {
        let statements = self.decisions.scop.statements.iter().enumerate();
        let accesses = statements.flat_map(|(id, s)| s.accesses.iter().enumerate().map(move |(k, a)| (id, k, a)));
        accesses.filter_map(|(id, place, access)| {
            let storage = self.decisions.mapped.iter().find(|m| m.array() == access.array)?;
            if self.sums.iter().any(|sum| sum.replaces(access)) {
                return None;
            }
            Some(Mapped { statement: StatementId(id), place, access, storage })
        })
    }

    /// The accesses to cells that stay where they are, and that no variables stand for.
    pub(crate) fn in_place(&self) -> impl Iterator<Item = (StatementId, &Access, &Placed)> {
        let is_scalar = |own: &Mapped| self.scalars.iter().any(|scalar| scalar.has(own.statement, own.place));
        let moves = move |own: &Mapped| self.moved(own.statement, own.place, own.access).is_some();
        let own = self.mapped().filter(move |own| !is_scalar(own) && !moves(own));
        own.map(|own| (own.statement, own.access, own.storage))
    }

    /// How an access finds its cell where cells move.
    fn moved(&self, statement: StatementId, place: usize, access: &Access) -> Option<Moved> {
        if let Some(window) = self.windows.iter().find(|window| window.array() == access.array) {
            let first = carrying::first_cell(self.decisions.scop, window);
            let place = window.place(statement, place).map(|place| PlaceText::of(self.decisions.scop, place));
            return Some(Moved::Window { first, is_turned: window.is_turned(), place });
        }
        if let Some(tiled) = self.tiled.iter().find(|tiled| tiled.array() == access.array) {
            return Some(Moved::Tile { begins: tiled_rows::begins(self.decisions.scop, tiled) });
        }
        let register = self.registers.iter().find(|register| register.array() == access.array)?;
        Some(Moved::Register { row: register.row(), place: register.place(statement, place)? })
    }

    fn reference<T>(&self, mapped: &Mapped, positions: &Positions, ask: &dyn Fn(Reference) -> Result<T>) -> Result<T> {
        let Accesses { source, decisions, constants, signed, .. } = self;
        let Mapped { statement, place, access, storage } = *mapped;
        let scop = decisions.scop;
        let hosts = storage.inside().map(|inside| inside.host).into_iter();
        let wide = hosts.chain([access.array]).any(|id| may_be_wide(scop, decisions.array(id)));
        let array = storage.shared().unwrap_or(access.array);
        ask(Reference {
            name: &decisions.name(storage, source),
            access,
            text: access.place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str()),
            storage,
            moduli: Moduli { array, names: decisions.names, constants, wide },
            variables: Variables { scop, signed, wide },
            positions,
            moved: self.moved(statement, place, access),
        })
    }
}
