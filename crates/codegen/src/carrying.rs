//! Rings as windows that a loop over strips carries along.
//!
//! A ring of some hundred cells would wrap around in the middle of short loops. Where it is proved to be a window ([`CarriedWindow`]), cells are counted from
//! where the strip begins, and what the next strip needs moves to the front at the end of each:
//!
//! ```c
//! for (int c = 0; c < n; c += 128) {              for (int c = 0; c < n; c += 128) {
//!   for (int j = c; …; j++)                         for (int j = c; …; j++)
//!     t[j % 130] = in[j];                             t[j - c + 2] = in[j];
//!   for (int j = c; …; j++)                         for (int j = c; …; j++)
//!     out[j] = t[(j - 2) % 130] + t[j % 130];         out[j] = t[j - c] + t[j - c + 2];
//! }                                                 for (int at = 0; at < 2; at++)
//!                                                     t[at] = t[at + 128];
//!                                                 }
//! ```
//!
//! Loops stay with `%` whose turns may end early, as for shift registers ([`shifting`]), and where counters hide each other, or something else in the loop has its counter's name.
//!
//! Cells that no turn has written are copied, too: storage on the stack begins with 0, which compilers and checkers of undefined values ask for.

use crate::home::free_name;
use crate::linear::hides_counters;
use crate::redeclared::is_declared;
use crate::tokens::{Kind, tokens};
use crate::{Decisions, Form, shifting};
use polyfold_prove::CarriedWindow;
use polyfold_scop::{Loop, Scop, StatementId};
use std::collections::BTreeSet;

/// The windows that are written so.
pub(crate) fn written<'a>(source: &str, decisions: &'a Decisions) -> Vec<&'a CarriedWindow> {
    let scop = decisions.scop;
    if decisions.form != Form::Fast || hides_counters(&scop.body, &mut Vec::new()) {
        return Vec::new();
    }
    let can_be = |window: &&CarriedWindow| {
        let l = strips(scop, window);
        shifting::can_end_with(source, scop, l) && keeps_its_counter(source, l)
    };
    decisions.windows.iter().filter(can_be).collect()
}

/// Whether the counter's name means the counter in all of a loop's body, as far as its text shows.
fn keeps_its_counter(source: &str, l: &Loop) -> bool {
    let all = tokens(source, &l.span);
    let mut depth = 0;
    let head = all.iter().position(|token| {
        depth += i32::from(token.is('(')) - i32::from(token.is(')'));
        token.is(')') && depth == 0
    });
    let body = &all[head.map_or(0, |at| at + 1)..];
    (0..body.len()).all(|at| body[at].kind != Kind::Word || !is_declared(body, at, &l.iterator))
}

/// The loop whose turns are a window's strips.
pub(crate) fn strips<'a>(scop: &'a Scop, window: &CarriedWindow) -> &'a Loop {
    scop.loops()[window.strips().0]
}

/// Where a window's first cell is in its row: `c - 2`.
pub(crate) fn first_cell(scop: &Scop, window: &CarriedWindow) -> String {
    let counter = &strips(scop, window).iterator;
    match window.lowest() {
        0 => counter.clone(),
        lowest => format!("{counter} {} {}", if lowest < 0 { '-' } else { '+' }, lowest.unsigned_abs()),
    }
}

/// Whether some statements are all that use a window: others in its loop may be gone.
pub(crate) fn are_all_of(scop: &Scop, own: &[StatementId], window: &CarriedWindow) -> bool {
    let uses = |id: &StatementId| scop.statement(*id).accesses.iter().any(|access| access.array == window.array());
    (0..scop.statements.len()).map(StatementId).filter(uses).all(|id| own.contains(&id))
}

/// What moves the cells of windows, by their names, that the next strip needs: a loop for those that keep equally many.
pub(crate) fn lines(windows: &[(&CarriedWindow, String)], scop: &Scop, source: &str, step: &str) -> Vec<String> {
    let numbers: BTreeSet<i64> = windows.iter().map(|(window, _)| window.carried()).filter(|many| *many > 0).collect();
    let at = free_name("at", scop, source);
    let mut lines = Vec::new();
    for carried in numbers {
        let alike = windows.iter().filter(|(window, _)| window.carried() == carried);
        let cell = |first: i64| if first == 0 { at.clone() } else { format!("{at} + {first}") };
        if carried == 1 {
            lines.extend(alike.map(|(window, name)| {
                let (to, from) = window.moves();
                format!("{name}[{to}] = {name}[{from}];")
            }));
            continue;
        }
        let copies = alike.map(|(window, name)| {
            let (to, from) = window.moves();
            format!("{step}{name}[{}] = {name}[{}];", cell(to), cell(from))
        });
        let copies: Vec<String> = copies.collect();
        let (opening, closing) = if copies.len() > 1 { (" {", Some("}".to_string())) } else { ("", None) };
        lines.push(format!("for (int {at} = 0; {at} < {carried}; {at}++){opening}"));
        lines.extend(copies);
        lines.extend(closing);
    }
    lines
}
