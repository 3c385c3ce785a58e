//! Circular buffers that are counted from where strips and tiles begin.
//!
//! A circular buffer of some hundred cells would wrap around in the middle of short loops. Where it
//! is proved to be a window ([`TileWindow`]), cells are counted from where the strip begins, and
//! what the next strip needs moves to the front at the end of each:
//!
//! ```c
//! for (int c = 0; c < n; c += 128) {              for (int c = 0; c < n; c += 128) {
//!   for (int j = c; …; j++)                         for (int j = c; …; j++)
//!     t[j % 130] = in[j];                             t[j - c + 2] = in[j];
//!   for (int j = c; …; j++)                         for (int j = c; …; j++)
//!     out[j] = t[(j - 2) % 130] + t[j % 130];         out[j] = t[j - c] + t[j - c + 2];
//! }                                                 t[0] = t[128];
//!                                                   t[1] = t[129];
//!                                                 }
//! ```
//!
//! In tiles that keep their values `t[(i + 2) % 36][j % 32]` is `t[i - I + 2][j - J]`, and nothing
//! moves.
//!
//! Loops stay with `%` where counters hide each other, or something else in the loop has its
//! counter's name.
//!
//! For hardware a remainder is a divider, but for that of a power of two, and moves are a loop of
//! their own: windows are for it, too, but shift registers come first.
//!
//! Cells that no iteration has written are copied, too. A few begin with 0, which compilers ask for
//! that follow each of them, and so do `_Bool`s, which not every byte is. To others that would be
//! as much work as short strips are.

use crate::types::{is_any_byte, plain_element};
use crate::{Decisions, Form, shifting};
use polyfold_c::code::{Kind, is_declared, tokens};
use polyfold_prove::{Carried, Origin, Placed, TileWindow};
use polyfold_scop::{Loop, LoopId, Scop};

/// So many cells that move begin with 0, though nobody asks for their values.
const FEW_MOVES: i64 = 16;

/// The windows that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<&'a TileWindow> {
    let scop = decisions.scop;
    if decisions.form == Form::Plain || scop.hides_counters() {
        return Vec::new();
    }
    let registers = shifting::written(source, decisions);
    let can_be = |window: &&TileWindow| {
        let is_register = registers.iter().any(|own| own.array() == window.array());
        let is_for_nothing = decisions.form == Form::Hls && has_remainders_for_nothing(decisions, window);
        !is_register && !is_for_nothing && keeps_counters(source, scop, window)
    };
    decisions.forms.windows.iter().filter(can_be).collect()
}

/// Whether hardware takes a row's remainders as the last bits of a sum.
fn has_remainders_for_nothing(decisions: &Decisions, window: &TileWindow) -> bool {
    let rows = decisions.mapped.iter().find(|place| place.array() == window.array()).map(Placed::rows);
    let Some([row]) = rows else { return false };
    let cells = row.modulus.as_constant().ok().flatten();
    cells.is_some_and(|cells| cells.unsigned_abs().is_power_of_two())
}

/// Whether the name of a counter means the counter in all of a loop's body, as far as its text
/// shows.
fn keeps_its_counter(source: &str, (l, counter): (&Loop, &Loop)) -> bool {
    let all = tokens(source, &l.span);
    let mut depth = 0;
    let head = all.iter().position(|token| {
        depth += i32::from(token.is('(')) - i32::from(token.is(')'));
        token.is(')') && depth == 0
    });
    let body = &all[head.map_or(0, |at| at + 1)..];
    (0..body.len()).all(|at| body[at].kind != Kind::Word || !is_declared(body, at, &counter.iterator))
}

/// Whether the counters from which a window is counted mean these in all of its loop's body, as far
/// as the text shows.
fn keeps_counters(source: &str, scop: &Scop, window: &TileWindow) -> bool {
    let loops = scop.loops();
    let is_variable = |own: &Loop| scop.arrays.iter().any(|array| array.name == own.iterator);
    // New loops declare nothing else by their counters' names.
    let keeps = |own: &Loop| scop.order.is_some() || keeps_its_counter(source, (loops[window.tiles().0], own));
    counters(window).all(|id| keeps(loops[id.0]) && !is_variable(loops[id.0]))
}

/// The loops from whose counters a window's rows are counted.
fn counters(window: &TileWindow) -> impl Iterator<Item = LoopId> {
    window.rows().iter().flatten().flat_map(Origin::terms).map(|(id, _)| *id)
}

/// What the window is of: `strip from c`, `tile from X and Y`.
pub(crate) fn begins(scop: &Scop, window: &TileWindow) -> String {
    let loops = scop.loops();
    let is_own = |l: &&&Loop| counters(window).any(|id| id == l.id);
    let names: Vec<&str> = loops.iter().filter(is_own).map(|l| l.iterator.as_str()).collect();
    match &names[..] {
        [others @ .., last] if !others.is_empty() => format!("tile from {} and {last}", others.join(", ")),
        _ if window.rows().len() == 1 => format!("strip from {}", names.join("")),
        _ => format!("tile from {}", names.join("")),
    }
}

/// Whether a window's cells begin with 0.
pub(crate) fn begins_with_zeros(decisions: &Decisions, window: &TileWindow) -> bool {
    let Some(Carried { count, .. }) = window.carried().filter(|_| decisions.form == Form::Fast) else { return false };
    let element = plain_element(decisions.scop.array(window.array()));
    let is_any_byte = element.is_some_and(|element| is_any_byte(&element));
    count <= FEW_MOVES || !is_any_byte
}
