//! Circular buffers that are written as windows.
//!
//! A cell of a window is counted from where an iteration begins, or is a number in a shift register.
//! So its subscript takes no remainder. What the next iteration needs moves on at the end of each ([`rebase`]).
//!
//! Example: `W[j mod 3]` becomes `W[2]` in a shift register, and `W[j - J + 2]` in a window of strips from `J` on.
//!
//! Invariant: which buffers may be windows is proved where they come from ([`shift_registers`](polyfold_prove::shift_registers),
//! [`tile_windows`](polyfold_prove::tile_windows)).

use crate::applied::{counters_of, index_of};
use polyfold_codegen::Windows;
use polyfold_program::{BufferId, Cond, Int, IntOp, Program, Relation, StatementId, Use};
use polyfold_prove::{Carried, Origin, ShiftRegister};
use polyfold_scop::{ArrayId, LoopId, Scop};
use polyfold_transform::{
    AtEnd, Coordinate, Move, Moving, Name, Remainder, Slide, VersionAccess, VersionCase, VersionHome, Versions, rebase,
};

/// The shift register that an array is.
pub(crate) fn register<'a>(windows: &Windows<'a>, array: ArrayId) -> Option<&'a ShiftRegister> {
    windows.registers.iter().copied().find(|own| own.array() == array)
}

/// The coordinates of an array's cells where it is a window, else as they are. `None`: the program has no such counters.
pub(crate) fn coordinates_in(
    windows: &Windows,
    (scop, program): (&Scop, &Program),
    array: ArrayId,
    coordinates: Vec<Coordinate>,
) -> Option<Vec<Coordinate>> {
    let counters = Counters { scop, program, array };
    let Some(own) = windows.tiles.iter().find(|own| own.array() == array) else { return Some(coordinates) };
    let from = |(row, origin): (Coordinate, &Option<Origin>)| match origin {
        Some(own) => counters.counted_from(&row, own),
        None => Some(row),
    };
    coordinates.into_iter().zip(own.rows()).map(from).collect()
}

/// The program in which the cells of windows move on. `None`: one of the loops isn't there.
pub(crate) fn move_on(
    (windows, slides): (&Windows, &[(LoopId, Slide)]),
    (scop, program): (&Scop, &Program),
    (buffer, name): (&dyn Fn(ArrayId) -> Option<BufferId>, &Name),
) -> Option<Program> {
    let mut all: Vec<(LoopId, AtEnd)> = Vec::new();
    for own in &windows.registers {
        let (first, last) = (own.first() as i64, own.cells() as i64 - 1);
        let (buffer, dimension, goes_round) = (buffer(own.array())?, own.row(), own.goes_round());
        let moves = Move { buffer, dimension, to: first, from: first + 1, count: last - first, goes_round };
        all.extend(own.loops().iter().map(|id| (*id, AtEnd::Moves(moves.clone()))));
    }
    for (own, Carried { to, from, count }) in windows.tiles.iter().filter_map(|own| Some((own, own.carried()?))) {
        let moves = Move { buffer: buffer(own.array())?, dimension: 0, to, from, count, goes_round: false };
        all.push((own.tiles(), AtEnd::Moves(moves)));
    }
    all.extend(slides.iter().cloned().map(|(id, own)| (id, AtEnd::Slides(own))));
    let mut moving: Vec<(LoopId, Moving)> = Vec::new();
    for (id, own) in all {
        match moving.iter_mut().find(|(other, _)| *other == id) {
            Some((_, others)) => others.moves.push(own),
            None => moving.push((id, at_end_of(scop, id, own)?)),
        }
    }
    rebase(program, &moving.into_iter().map(|(_, moving)| moving).collect::<Vec<_>>(), name)
}

/// Where the cells of an array live that is a shift register. `None`: a subscript isn't a sum.
pub(crate) fn in_register(
    (scop, program): (&Scop, &Program),
    register: &ShiftRegister,
    (name, coordinates): (&str, &[Coordinate]),
) -> Option<Versions> {
    let mut accesses = Vec::new();
    let always = Cond::compare(Int::Constant(0), Relation::Equal, Int::Constant(0));
    for (k, own) in scop.statements.iter().enumerate() {
        let Some(counters) = counters_of(program, StatementId(k)) else { continue };
        for (number, access) in own.accesses.iter().enumerate().filter(|(_, own)| own.array == register.array()) {
            let index = index_of(counters, own, access.subscripts.as_ref()?)?;
            let place = register.place(polyfold_scop::StatementId(k), number)?;
            let mut coordinates = coordinates.to_vec();
            let row = coordinates.get_mut(register.row())?;
            row.coefficients.fill(Int::Constant(0));
            (row.shift, row.remainder) = (Int::Constant(place as i64), Remainder::Fits);
            let home = Some(VersionHome { buffer: name.to_string(), coordinates });
            let case = VersionCase { cond: always.clone(), version: Vec::new(), home };
            let how = if access.is_write() { Use::Write } else { Use::Read };
            accesses.push(VersionAccess { statement: StatementId(k), how, index, cases: vec![case] });
        }
    }
    Some(Versions { array: BufferId(register.array().0), accesses })
}

/// A loop at whose iterations' ends something moves.
fn at_end_of(scop: &Scop, id: LoopId, own: AtEnd) -> Option<Moving> {
    let depth = |loops: &[LoopId]| loops.iter().position(|other| *other == id);
    let all = scop.statements.iter().enumerate();
    let inside: Vec<(StatementId, usize)> =
        all.filter_map(|(k, own)| Some((StatementId(k), depth(&own.loops)?))).collect();
    let depth = inside.first()?.1;
    Some(Moving { depth, statements: inside.into_iter().map(|(id, _)| id).collect(), moves: vec![own] })
}

/// The counters around an array's accesses.
struct Counters<'a> {
    scop: &'a Scop,
    program: &'a Program,
    array: ArrayId,
}

impl Counters<'_> {
    fn counted_from(&self, row: &Coordinate, origin: &Origin) -> Option<Coordinate> {
        let sign = if origin.is_turned() { -1 } else { 1 };
        let turned = |own: &Int| match own {
            Int::Constant(value) => Some(Int::Constant(value.checked_mul(sign)?)),
            _ => None,
        };
        let mut shift = Int::Constant(origin.lowest().checked_neg()?);
        for (id, factor) in origin.terms() {
            let by = Int::binary(IntOp::Multiply, Int::Constant(*factor), self.counter(*id)?);
            shift = Int::binary(IntOp::Subtract, shift, by);
        }
        let coefficients = row.coefficients.iter().map(turned).collect::<Option<_>>()?;
        Some(Coordinate { coefficients, shift, remainder: Remainder::Fits, ..row.clone() })
    }

    /// The program's counter of a loop around all accesses.
    fn counter(&self, id: LoopId) -> Option<Int> {
        let all = self.scop.statements.iter().enumerate();
        let mut own = all.filter(|(_, own)| own.accesses.iter().any(|access| access.array == self.array));
        own.find_map(|(k, own)| {
            let depth = own.loops.iter().position(|other| *other == id)?;
            counters_of(self.program, StatementId(k))?.get(depth).cloned()
        })
    }
}
