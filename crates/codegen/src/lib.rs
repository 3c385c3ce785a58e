//! C from verified allocations: what stands around a scop changes here, and [`emit`](polyfold_emit) prints its statements.
//!
//! What doesn't change stays byte for byte. `y[i][k-1]` becomes `y[(k-1) % 2][i]`, its declaration
//! `unsigned y[n][n]` becomes `unsigned y[2][n]` with one comment line above it, and a cell alone becomes a variable. What is
//! written compiles without warnings where the source did. Arrays that share a buffer get one declaration, in front of the
//! scop.
//!
//! A result that needs facts about sizes is guarded: facts about macros by `_Static_assert`, facts about
//! run-time sizes by an `if` whose other branch is the program as it was.
//!
//! Invariant: no function here takes an unproved mapping.

mod choices;
mod constants;
mod declaration;
mod definite;
mod described;
mod flat;
mod frame;
mod from_tree;
mod growth;
mod guard;
mod hls;
mod home;
mod hosts;
mod huge;
mod idle;
mod in_turn;
mod limits;
mod local;
mod loops;
mod named_sizes;
mod printed;
mod promise;
mod region;
mod shifting;
mod sizes_in_c;
mod sliding;
mod slow;
mod tile_windows;
mod types;
mod unused;
mod values;

pub use choices::without_vectors;
pub use declaration::place_in_host;
pub use flat::{has_fixed_rows, keeps_its_rows, new_layout};
pub use frame::{can_declare_before, stands_in_a_block};
pub use growth::growing_coordinate;
pub use home::{first_allocated, free_local_name, free_name, shared_name, storage_name};
pub use hosts::element_words;
pub use limits::TextLimits;
pub use local::{
    Around, Compacted, Functions, InLocalMemory, LocalNames, Localized, Manner, Transfer, has_regions, in_local_memory,
    names_of,
};
pub use loops::{
    Heir, LoopForm, Lost, Misfit, NewLoops, Obstacle, Operations, Order, Piece, Pieces, dropped_pragmas, indent_of,
    pieces, readable, seen_behind, why_not_as_text, with_body,
};
pub use polyfold_emit::Dialect;
pub use printed::{as_printed, can_be_printed, new_statement};
pub use sizes_in_c::SizesInC;
pub use sliding::{WrittenSlide, can_slide};
pub use slow::{Cost, SlowLoop, Uncut};
pub use values::{ValueBuffer, ValueCase, WritableValues};

use declaration::{NewStorage, declare, redeclared};
use frame::frame_of;
use from_tree::from_tree;
use guard::Guard;
use polyfold_emit::{Declarations, Line, New, Surrounded, Unit};
use polyfold_isl::{Error, ErrorKind, Result, Set};
use polyfold_program::{BufferId, Cond, Program, Stmt, Use};
use polyfold_prove::{ApartLoops, Placed, ScalarCell, ShiftRegister, SlidingWindow, TileWindow};
use polyfold_scop::{Array, ArrayId, Declaration, InFront, Scop, StatementId, Storage};
use promise::lines_in_front;
use region::Region;
use std::collections::BTreeSet;

/// Forms that a scop's loops may have: each is proved of its storage.
#[derive(Clone, Default)]
pub struct ProvedForms {
    /// Loops whose iterations compilers may be promised to be independent.
    pub apart: ApartLoops,
    /// Cells that variables may stand for.
    pub scalar_cells: Vec<ScalarCell>,
    /// Rings that may be written as shift registers.
    pub registers: Vec<ShiftRegister>,
    /// Storage that may be counted from where strips or tiles begin.
    pub windows: Vec<TileWindow>,
    /// Rings of values that may slide.
    pub sliding: Vec<SlidingWindow>,
}

/// What was decided for one scop.
#[derive(Clone)]
pub struct Decisions<'a> {
    /// The scop as the front end read it.
    pub scop: &'a Scop,
    /// The scop's parameters in isl notation.
    pub parameters: &'a [String],
    /// How sizes read in C, for parameters in `proved`.
    pub names: &'a SizesInC,
    /// Arrays with new storage.
    pub mapped: Vec<Placed>,
    /// Arrays whose values live in several places.
    pub values: Vec<WritableValues>,
    /// Where these are.
    pub value_buffers: Vec<ValueBuffer>,
    /// Arrays that nobody reads: they go, with the statements that write them.
    pub removed: Vec<ArrayId>,
    /// Statements whose results nobody reads.
    pub dead: Vec<StatementId>,
    /// Parameter values that C itself allows.
    pub known: &'a Set,
    /// Parameter values for which the decisions were proved.
    pub proved: &'a Set,
    /// The scop's program with all of that, its buffers by their names in C, if it has one.
    pub program: Option<Program>,
    /// The same with windows in the place of circular buffers, if there are any.
    pub in_windows: Option<Program>,
    /// What holds of sizes wherever that was proved.
    pub facts: Vec<Cond>,
    /// How loops are written.
    pub form: Form,
    /// Those of which more is proved.
    pub forms: ProvedForms,
}

/// The buffers of a scop that are written as windows.
#[derive(Default)]
pub struct Windows<'a> {
    /// As shift registers.
    pub registers: Vec<&'a ShiftRegister>,
    /// Counted from where strips or tiles begin.
    pub tiles: Vec<&'a TileWindow>,
    /// Windows of values that slide through a few cells more.
    pub sliding: Vec<WrittenSlide<'a>>,
}

impl Windows<'_> {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.registers.is_empty() && self.tiles.is_empty() && self.sliding.is_empty()
    }

    /// Whether a place is in one.
    pub(crate) fn have(&self, place: &Placed) -> bool {
        let (array, buffer) = (place.array(), place.shared().unwrap_or(place.array()));
        let mut registers = self.registers.iter().map(|own| own.array());
        registers.any(|own| own == array)
            || self.tiles.iter().any(|own| own.array() == array)
            || self.sliding.iter().any(|own| own.window.buffer() == buffer)
    }
}

/// The buffers of a scop that are written as windows.
pub fn windows_written<'a>(source: &str, decisions: &'a Decisions) -> Windows<'a> {
    Windows {
        registers: shifting::written(source, decisions),
        tiles: tile_windows::written(source, decisions),
        sliding: sliding::written(source, decisions),
    }
}

/// How the loops around new subscripts are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Plain,
    /// Split where subscripts wrap around.
    Fast,
    /// As they are, with few rows of storage apart, for high-level synthesis.
    Hls,
}

impl Decisions<'_> {
    /// Macros and constants, in isl notation, with their values.
    fn constants(&self) -> Vec<(&str, i64)> {
        let named = self.scop.parameters.iter().zip(self.parameters);
        named.filter_map(|(parameter, name)| Some((name.as_str(), parameter.constant()?))).collect()
    }

    /// Whether anything changes.
    pub fn change_something(&self) -> bool {
        self.scop.order.is_some() || self.scop.expanded.is_some() || self.has_new_storage()
    }

    /// Whether some array has other cells, or none.
    fn has_new_storage(&self) -> bool {
        !self.mapped.is_empty() || !self.removed.is_empty() || !self.values.is_empty()
    }

    /// The same with circular buffers in the place of windows.
    fn without_windows(&self) -> Self {
        let ProvedForms { apart, scalar_cells, .. } = self.forms.clone();
        let forms = ProvedForms { apart, scalar_cells, ..ProvedForms::default() };
        Decisions { in_windows: None, forms, ..self.clone() }
    }

    /// The program that the new text says.
    fn to_print(&self) -> Option<&Program> {
        self.in_windows.as_ref().or(self.program.as_ref())
    }

    fn array(&self, id: ArrayId) -> &Array {
        self.scop.array(id)
    }

    /// The array whose memory from `malloc` the members of a buffer share.
    fn owner(&self, mapped: &Placed) -> Option<ArrayId> {
        let first = mapped.shared()?;
        let members = self.mapped.iter().filter(|other| other.shared() == Some(first));
        first_allocated(self.scop, members.map(Placed::array))
    }

    /// What a place of values is called: nothing, if nobody declares it.
    pub fn name_of_values(&self, place: &Placed) -> String {
        let first = place.shared().unwrap_or(place.array());
        let buffer = self.value_buffers.iter().find(|buffer| buffer.first == first);
        buffer.map(|buffer| buffer.name.clone()).unwrap_or_default()
    }

    /// What an array's new storage is called.
    pub fn name(&self, mapped: &Placed, source: &str) -> String {
        if let Some(inside) = mapped.inside() {
            return self.array(inside.host).name.clone();
        }
        if let Some(owner) = self.owner(mapped) {
            return self.array(owner).name.clone();
        }
        match mapped.shared() {
            Some(first) => shared_name(self.array(first), self.scop, source),
            None => storage_name(self.array(mapped.array()), self.scop, source),
        }
    }
}

/// What cannot be printed, or must not be.
fn fault(message: impl Into<String>) -> Error {
    Error { kind: ErrorKind::Refused, message: message.into() }
}

/// A file with new storage.
#[derive(Clone, Debug)]
pub struct Rewritten {
    /// Its text.
    pub text: String,
    /// For each scop, the innermost loops that do more than their source.
    pub slow: Vec<Vec<SlowLoop>>,
    /// For each scop, the program that its text was printed from, if it was.
    pub printed: Vec<Option<Program>>,
    /// Scops that stay as they are: new storage can't be written around their text.
    pub left: Vec<usize>,
}

/// What becomes of one scop.
struct OneScop {
    around: Surrounded,
    slow: Vec<SlowLoop>,
    /// What it declares, and all that others do.
    declarations: Declarations,
    program: Program,
}

impl OneScop {
    /// `others`: the declarations of other scops of the file. `None`: its source's text can't be kept around the new program.
    fn of(source: &str, decisions: &Decisions, others: &Declarations) -> Result<Option<OneScop>> {
        let scop = decisions.scop;
        let (Some(program), Some(after)) = (&scop.program, decisions.to_print()) else { return Ok(None) };
        let guard = Guard::of(decisions)?;
        let region = Region::of(source, decisions, (program, after), guard.keeps_both())?;
        let mut declarations = others.clone();
        let NewStorage { in_scop, at_scop: mut front, old, mut mentions } =
            declare(source, decisions, guard.test.as_deref(), (&region, after), &mut declarations)?;
        let Some(printed) = from_tree(source, decisions, (program, after), (&region, &in_scop))? else {
            return Ok(None);
        };
        let order = scop.order.iter().filter(|_| !guard.keeps_both());
        let around: Vec<&polyfold_scop::Around> = order.map(|order| &order.around).collect();
        let unused = around.iter().flat_map(|around| &around.unused).cloned();
        for name in printed.unmentioned.into_iter().chain(unread(scop, program, &printed.program)).chain(unused) {
            if !mentions.contains(&name) {
                mentions.push(name);
            }
        }
        for own in around.iter().flat_map(|around| &around.dropped) {
            mentions.retain(|name| *name != source[own.name.span.clone()]);
            declarations.redeclare(redeclared(own, New::Nothing, Vec::new()));
        }
        front.extend(lines_in_front(source, scop, &printed.program));
        front.extend(declared_in_front(scop, &printed.program));
        let [whole, split] = region.slow;
        let around = Surrounded {
            assertions: guard.assertions.into(),
            test: guard.test,
            front,
            text: printed.text,
            behind: mentions.into_iter().map(Line::Mention).collect(),
            old,
            loses_lead: scop.order.is_some(),
            ..Surrounded::of(frame_of(source, scop))
        };
        let slow = if printed.is_split { split } else { whole };
        Ok(Some(OneScop { around, slow, declarations, program: printed.program }))
    }
}

/// Declarations of variables that the old loops declared, and that a program still has without declaring them.
fn declared_in_front(scop: &Scop, program: &Program) -> Vec<Line> {
    let (mut declared, mut used) = (BTreeSet::new(), BTreeSet::new());
    let mut visit = |stmt: &Stmt| {
        declared.extend(stmt.declared());
        stmt.each_use(&mut |_, id| _ = used.insert(id));
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    let stays = |own: &&InFront| {
        let id = BufferId(own.array.0);
        used.contains(&id) && !declared.contains(&id)
    };
    let all = scop.order.iter().flat_map(|order| &order.around.in_front);
    let new = (0..scop.arrays.len()).filter(|k| scop.is_new(ArrayId(*k)) && used.contains(&BufferId(*k)));
    let new = new.filter_map(|k| polyfold_emit::declared(program, BufferId(k)).ok());
    all.filter(stays).map(|own| own.text.clone()).chain(new).map(Line::Kept).collect()
}

/// Arrays that a scop doesn't read any more, but still writes: compilers warn of that.
fn unread(scop: &Scop, before: &Program, after: &Program) -> Vec<String> {
    let is_own = |array: &Array| {
        let is_here = |d: &Declaration| !d.inside_scop && matches!(d.storage, Storage::Local | Storage::StaticLocal);
        array.declaration.as_ref().is_some_and(is_here)
    };
    let (read_before, read, written) = (before.used(Use::Read), after.used(Use::Read), after.used(Use::Write));
    let is_lost = |id: &BufferId| read_before.contains(id) && written.contains(id) && !read.contains(id);
    let lost = (0..scop.arrays.len()).map(BufferId).filter(is_lost).map(|id| &scop.arrays[id.0]);
    lost.filter(|array| is_own(array)).map(|array| array.name.clone()).collect()
}

/// A file with the storage that was decided for its scops.
///
/// # Errors
/// When a size or condition cannot be printed as C, or what is to be printed rests on more than was proved.
pub fn rewrite(source: &str, scops: &[Decisions], dialect: Dialect) -> Result<Rewritten> {
    let mut unit = Unit::new(source, dialect);
    let mut rewritten = Rewritten {
        text: String::new(),
        slow: vec![Vec::new(); scops.len()],
        printed: vec![None; scops.len()],
        left: Vec::new(),
    };
    for (k, decisions) in scops.iter().enumerate().filter(|(_, decisions)| decisions.change_something()) {
        let plainly = decisions.without_windows();
        let of = |decisions| OneScop::of(source, decisions, &unit.declarations);
        // Windows are printed, or they are none.
        let windowed = if decisions.in_windows.is_some() { of(decisions)? } else { None };
        let Some(own) = windowed.map_or_else(|| of(&plainly), |own| Ok(Some(own)))? else {
            rewritten.left.push(k);
            continue;
        };
        rewritten.slow[k] = own.slow;
        rewritten.printed[k] = Some(own.program);
        unit.declarations = own.declarations;
        unit.scops.push(own.around);
    }
    rewritten.text = unit.print();
    Ok(rewritten)
}
