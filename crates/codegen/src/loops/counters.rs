//! Counters of the new loops: of which type they are, and which of the user's they are.
//!
//! Dimensions of the dates are called c0, c1, … first, and may get the user's names later ([`naming`](super::naming)). Where all of the
//! user's are `int`, so are those that are shown to fit ([`widths`](super::widths)), else all are `long`, which holds every value of these.
//!
//! A counter that is declared in front of the scop, with that very type, is set again:
//!
//! ```text
//! int i, j;  …  for (i = 0; …) for (j = 0; …)      becomes      for (j = 0; …) for (i = 0; …)
//! ```
//!
//! One that is not is declared in its loop. What stays of the user's without any use, of which compilers warn, goes.

use super::mentions;
use crate::fault;
use crate::home::free_local_name;
use crate::loops::widths::is_kept;
use crate::loops::{Order, Pieces};
use polyfold_c::code::{function_around, words};
use polyfold_isl::{Ast, Result};
use polyfold_scop::{Counter, Declaration, Loop, LoopId, Outside, Scop, Statement, Storage};
use std::collections::BTreeSet;

/// The counters of new loops.
pub(super) struct Counters<'a> {
    scop: &'a Scop,
    loops: Vec<&'a Loop>,
    /// The type of all but the `long` ones.
    word: &'static str,
    /// Where those are `int`, names of counters that are not.
    pub(super) long: BTreeSet<String>,
}

/// What becomes of counters that no new loop sets.
#[derive(Default)]
pub(super) struct Leftover {
    /// Declarations that go.
    pub(super) dropped: Vec<Declaration>,
    /// Those that have to stay, and are not used.
    pub(super) unused: BTreeSet<String>,
}

impl<'a> Counters<'a> {
    pub(super) fn of(scop: &'a Scop) -> Counters<'a> {
        let loops = scop.loops();
        let word = if loops.iter().all(|l| l.counter.is_int()) { "int" } else { "long" };
        Counters { scop, loops, word, long: BTreeSet::new() }
    }

    pub(super) fn scop(&self) -> &'a Scop {
        self.scop
    }

    /// Whether all of the user's are `int`.
    pub(super) fn are_int(&self) -> bool {
        self.word == "int"
    }

    /// Whether a new loop is one of the user's with an `int` for each of its statements, and goes the same way.
    pub(super) fn keeps(&self, name: &str, step: i64, body: &Ast) -> bool {
        is_kept(name, body, &|statement, place| {
            let statement = self.scop.statements.iter().find(|s| s.name == statement);
            let id = statement.and_then(|statement| statement.loops.get(place));
            self.loops.iter().any(|l| Some(&l.id) == id && l.counter.is_int() && l.step == step)
        })
    }

    /// The type of a counter.
    pub(super) fn word(&self, name: &str) -> &'static str {
        if self.long.contains(name) { "long" } else { self.word }
    }

    /// The names of the user's counters around a statement, outermost first.
    pub(super) fn around(&self, statement: &Statement) -> Vec<String> {
        let name = |id: &LoopId| self.loops.iter().find(|l| l.id == *id).map(|l| l.iterator.clone());
        statement.loops.iter().filter_map(name).collect()
    }

    /// Whether a counter is one that the user declares in front of the scop.
    pub(super) fn is_users(&self, name: &str) -> bool {
        let place = |l: &Loop| {
            let declaration = l.counter.outside.as_ref().and_then(|outside| outside.declaration.as_ref());
            declaration.filter(|d| !d.inside_scop && l.counter.element == self.word(name)).map(|d| d.name.span.clone())
        };
        let mut places = self.loops.iter().filter(|l| l.iterator == name).map(|l| place(l));
        places.next().flatten().is_some_and(|first| places.all(|other| other.as_ref() == Some(&first)))
    }

    /// The user's counter of a loop.
    pub(super) fn users(&self, id: LoopId) -> Result<&'a Counter> {
        let found = self.loops.iter().find(|l| l.id == id);
        found.map(|l| &l.counter).ok_or_else(|| fault("a statement stands in a loop that there is not"))
    }

    /// What to do about the user's counters, once it is known which are set.
    pub(super) fn leftover(&self, source: &str, scop: &Scop, set: &BTreeSet<String>) -> Leftover {
        let (mut leftover, mut known) = (Leftover::default(), Vec::new());
        let function = function_around(source, scop.span.start);
        let elsewhere = [function.start..scop.span.start, scop.span.end..function.end];
        let can_go = |outside: &Outside, name: &str, declaration: &Declaration| {
            let mentions =
                elsewhere.iter().flat_map(|part| words(&source[part.clone()])).filter(|(_, word)| *word == name);
            can_go(outside, declaration) && mentions.count() == 1
        };
        for l in &self.loops {
            let Some(outside) = &l.counter.outside else { continue };
            let declaration = outside.declaration.as_ref();
            let place = (l.iterator.as_str(), declaration.map(|d| d.name.span.clone()));
            let stays = outside.mentioned || set.contains(&l.iterator) || known.contains(&place);
            if stays || declaration.is_some_and(|d| d.inside_scop) {
                continue;
            }
            known.push(place);
            match declaration.filter(|d| can_go(outside, &l.iterator, d)) {
                Some(declaration) => leftover.dropped.push(declaration.clone()),
                None => drop(leftover.unused.insert(l.iterator.clone())),
            }
        }
        leftover
    }
}

/// Whether a declaration may go, if nothing mentions what it declares, nor would under other macros.
fn can_go(outside: &Outside, declaration: &Declaration) -> bool {
    let is_plain = declaration.attributes.is_empty() && declaration.declarator.fragment.is_none();
    outside.bare && is_plain && declaration.storage == Storage::Local
}

/// A name for each dimension of the dates that nothing has but other functions' variables.
pub(super) fn fresh_names(source: &str, scop: &Scop, order: &Order) -> Result<Vec<String>> {
    let dimensions = order.dates.first().map_or(Ok(0), |map| map.dimensions().map(|(_, dates)| dates))?;
    Ok((0..dimensions).map(|dimension| free_local_name(&format!("c{dimension}"), scop, source)).collect())
}

/// Whether a statement that has no counter of this name mentions it.
pub(super) fn means_something_else(source: &str, pieces: &Pieces, name: &str) -> bool {
    let loops = pieces.scop.loops();
    let is_counter = |id: &LoopId| loops.iter().any(|l| l.id == *id && l.iterator == name);
    let name = BTreeSet::from([name]);
    let mut all = pieces.scop.statements.iter().zip(&pieces.all);
    all.any(|(statement, piece)| {
        !statement.loops.iter().any(is_counter) && piece.spans().any(|span| mentions(&source[span.clone()], &name))
    })
}
