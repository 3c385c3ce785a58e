//! Subscripts of storage that is counted from where tiles begin.
//!
//! ```c
//! t[(i + 2) % 36][j % 32]        is        t[i - I + 2][j - J]
//! ```
//!
//! That they find the same cells in each tile is proved ([`TiledRows`]); nothing else changes. Storage stays with `%` where counters hide each other, or something in the tile's loop has one's name.

use crate::linear::hides_counters;
use crate::{Decisions, Form, carrying, shifting};
use polyfold_prove::{TiledRow, TiledRows};
use polyfold_scop::{LoopId, Scop};

/// The storage that is written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<&'a TiledRows> {
    let scop = decisions.scop;
    if decisions.form == Form::Plain || hides_counters(&scop.body, &mut Vec::new()) {
        return Vec::new();
    }
    let (loops, registers) = (scop.loops(), shifting::written(source, decisions));
    let keeps = |row: &TiledRow, turns: LoopId| carrying::keeps_counters(source, scop, loops[turns.0], row.base());
    let can_be = |tiled: &&TiledRows| {
        let is_register = registers.iter().any(|own| own.array() == tiled.array());
        !is_register && tiled.rows().iter().flatten().all(|row| keeps(row, tiled.turns()))
    };
    decisions.tiled.iter().filter(can_be).collect()
}

/// How the rows begin, and whether they are gone through backwards; `None`: a row that stays as it is.
pub(crate) fn begins(scop: &Scop, tiled: &TiledRows) -> Vec<Option<(String, bool)>> {
    let begin = |row: &TiledRow| (carrying::begin(scop, row.base(), row.lowest()), row.is_turned());
    tiled.rows().iter().map(|row| row.as_ref().map(begin)).collect()
}

/// The counters that say where tiles begin: `I and J`.
pub(crate) fn counters(scop: &Scop, tiled: &TiledRows) -> String {
    let loops = scop.loops();
    let has = |id: &LoopId| tiled.rows().iter().flatten().any(|row| row.base().iter().any(|(own, _)| own == id));
    let names: Vec<&str> = loops.iter().filter(|l| has(&l.id)).map(|l| l.iterator.as_str()).collect();
    match names.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => names.join(""),
    }
}
