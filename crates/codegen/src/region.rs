//! The changes between the pragmas, declarations aside.

use crate::accesses::{Accesses, View};
use crate::constants::Constants;
use crate::definite::Cells;
use crate::edit::Edits;
use crate::idle::{Gone, with_idle};
use crate::in_turn::InTurn;
use crate::removal::{copies_to_themselves, removal};
use crate::rows::Rows;
use crate::segments::in_segments;
use crate::shifting;
use crate::slow::{SlowLoop, slow_loops};
use crate::subscript::Positions;
use crate::unused::Unused;
use crate::{Decisions, Form};
use polyfold_isl::Result;
use polyfold_scop::{Array, Expr, ParameterOrigin, Scop, Span, Storage};
use std::collections::BTreeSet;

/// What happens to the text of one scop.
pub(crate) struct Region<'a> {
    pub(crate) edits: Edits,
    /// How changed accesses read.
    pub(crate) cells: Cells,
    /// What is taken away.
    pub(crate) gone: Gone,
    /// The text of it, with that of loops that are left empty.
    pub(crate) removed: Vec<Span>,
    /// Variables that are declared where their values live.
    pub(crate) in_turns: Vec<InTurn>,
    /// Names for long moduli.
    pub(crate) constants: Constants,
    /// Variables that nothing uses any more.
    pub(crate) unused: Unused<'a>,
    /// Innermost loops that do more than their source.
    pub(crate) slow: Vec<SlowLoop>,
    /// Whether storage is all that changes: the form asks for no other loops and statements.
    pub(crate) is_plain: bool,
    /// Whether something is done for speed that no pass does yet.
    pub(crate) needs_text: bool,
}

impl<'a> Region<'a> {
    /// `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn of(source: &'a str, decisions: &Decisions, keeps_both: bool) -> Result<Region<'a>> {
        let (region, is_whole) = Region::written(source, decisions, keeps_both, true)?;
        if is_whole { Ok(region) } else { Ok(Region::written(source, decisions, keeps_both, false)?.0) }
    }

    /// The changes, and whether nothing is missing: loops in segments are written without what is taken away from them, but do not mention variables that nothing
    /// else uses.
    fn written(source: &'a str, decisions: &Decisions, keeps_both: bool, any_body: bool) -> Result<(Region<'a>, bool)> {
        let mut constants = Constants::candidates(source, decisions, keeps_both)?;
        let mut written = changes(source, decisions, &constants, any_body)?;
        if let Some(fewer) = constants.without_rare(&written.edits) {
            constants = fewer;
            written = changes(source, decisions, &constants, any_body)?;
        }
        let Changes { mut edits, cells, gone, in_turns, slow, is_plain, needs_text } = written;
        let spans = gone.spans(source, decisions.scop, (&decisions.scop.body, &decisions.scop.span));
        let unused = Unused::of(source, decisions, &spans, &edits)?;
        let loops: Vec<Span> = edits.spans().cloned().collect();
        let is_written = |span: &Span| loops.iter().any(|l| l != span && l.start <= span.start && span.end <= l.end);
        let mut is_whole = true;
        for span in spans.iter().filter(|span| !is_written(span)) {
            edits.push(removal(source, &decisions.scop.span, span));
        }
        for edit in unused.mentions_inside() {
            is_whole &= !is_written(&edit.span);
            edits.push(edit);
        }
        let region =
            Region { edits, cells, gone, removed: spans, in_turns, constants, unused, slow, is_plain, needs_text };
        Ok((region, is_whole))
    }
}

/// The changes of what stays, how accesses read then, what goes, and whose variables are declared where their values live.
struct Changes {
    edits: Edits,
    cells: Cells,
    gone: Gone,
    in_turns: Vec<InTurn>,
    slow: Vec<SlowLoop>,
    is_plain: bool,
    needs_text: bool,
}

/// With `any_body` loops with statements that go have segments, too.
fn changes(source: &str, decisions: &Decisions, constants: &Constants, any_body: bool) -> Result<Changes> {
    let accesses = Accesses::of(source, decisions, constants)?;
    let (positions, rows) = (&Positions::default(), &Rows::default());
    let (mut edits, cells) = accesses.rewritten(&View { statements: None, positions, rows, part: None })?;
    let copies = copies_to_themselves(source, decisions, &edits);
    let copies = shifting::without_needed(source, decisions, copies);
    let gone = decisions.dead.iter().copied().chain(copies).collect();
    let gone = with_idle(source, decisions.scop, gone);
    let spans = gone.spans(source, decisions.scop, (&decisions.scop.body, &decisions.scop.span));
    edits.drop_inside(&spans);
    let mut is_plain = accesses.are_plain();
    if decisions.form == Form::Fast {
        let before = edits.clone();
        in_segments(&accesses, &gone, any_body, &mut edits)?;
        is_plain &= edits == before;
    }
    let slow = if decisions.form == Form::Hls { Vec::new() } else { slow_loops(&accesses, &gone.statements) };
    let needs_text = accesses.need_text();
    Ok(Changes { edits, cells, gone, in_turns: accesses.in_turns, slow, is_plain, needs_text })
}

/// Extents past this are large.
const LARGE: i64 = polyfold_program::Home::MOST_ROWS_ON_STACK;

/// Whether an array may be so large that small multiples of its subscripts are past `int`: where its extents are not known,
/// it is not if it is on the stack.
pub(crate) fn may_be_wide(scop: &Scop, array: &Array) -> bool {
    let constants: Vec<Option<i64>> = (scop.parameters.iter())
        .map(|p| match p.origin {
            ParameterOrigin::Constant(value) => Some(value),
            ParameterOrigin::Variable => None,
        })
        .collect();
    let is_local = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::Local);
    array.extents.iter().any(|extent| match extent.as_ref().and_then(|e| known(e, &constants)) {
        Some(value) => value > LARGE,
        None => !is_local,
    })
}

/// The value of an extent that depends on constants only.
fn known(extent: &Expr, constants: &[Option<i64>]) -> Option<i64> {
    let mut used = BTreeSet::new();
    extent.collect_parameters(&mut used);
    let values: Vec<i64> = constants.iter().map(|value| value.unwrap_or(0)).collect();
    used.iter().all(|p| constants[p.0].is_some()).then(|| extent.value(&values))?
}
