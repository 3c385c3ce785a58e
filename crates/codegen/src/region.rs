//! The changes between the pragmas, declarations aside.

use crate::accesses::Accesses;
use crate::constants::Constants;
use crate::definite::Cells;
use crate::edit::{Edit, Edits};
use crate::idle::{Gone, with_idle};
use crate::in_turn::InTurn;
use crate::removal::{copies_to_themselves, removal};
use crate::shifting;
use crate::slow::{SlowLoop, slow_loops};
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
    /// How declarations without values go, which are no statements.
    pub(crate) removed_declarations: Vec<Edit>,
    /// Variables that are declared where their values live.
    pub(crate) in_turns: Vec<InTurn>,
    /// Names for long moduli.
    pub(crate) constants: Constants,
    /// Variables that nothing uses any more.
    pub(crate) unused: Unused<'a>,
    /// Innermost loops that do more than their source: as they are, and where they are split.
    pub(crate) slow: [Vec<SlowLoop>; 2],
}

impl<'a> Region<'a> {
    /// `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn of(source: &'a str, decisions: &Decisions, keeps_both: bool) -> Result<Region<'a>> {
        let mut constants = Constants::candidates(source, decisions, keeps_both)?;
        let mut written = changes(source, decisions, &constants)?;
        if let Some(fewer) = constants.without_rare(&written.edits) {
            constants = fewer;
            written = changes(source, decisions, &constants)?;
        }
        let Changes { mut edits, cells, gone, in_turns, slow } = written;
        let spans = gone.spans(source, decisions.scop, (&decisions.scop.body, &decisions.scop.span));
        let unused = Unused::of(source, decisions, &spans, &edits)?;
        for span in &spans {
            edits.push(removal(source, &decisions.scop.span, span));
        }
        let removed = gone.declarations.iter().map(|span| removal(source, &decisions.scop.span, span));
        let removed_declarations = removed.collect();
        for edit in unused.mentions_inside() {
            edits.push(edit);
        }
        Ok(Region { edits, cells, gone, removed: spans, removed_declarations, in_turns, constants, unused, slow })
    }
}

/// The changes of what stays, how accesses read then, what goes, and whose variables are declared where their values live.
struct Changes {
    edits: Edits,
    cells: Cells,
    gone: Gone,
    in_turns: Vec<InTurn>,
    slow: [Vec<SlowLoop>; 2],
}

fn changes(source: &str, decisions: &Decisions, constants: &Constants) -> Result<Changes> {
    let accesses = Accesses::of(source, decisions, constants)?;
    let (mut edits, mut cells) = accesses.rewritten()?;
    in_registers(source, decisions, &mut cells);
    let copies = copies_to_themselves(source, decisions, &edits);
    let gone = decisions.dead.iter().copied().chain(copies).collect();
    let gone = with_idle(source, decisions.scop, gone);
    let spans = gone.spans(source, decisions.scop, (&decisions.scop.body, &decisions.scop.span));
    edits.drop_inside(&spans);
    let slow = |is_split| match decisions.form {
        Form::Hls => Vec::new(),
        _ => slow_loops(&accesses, &gone.statements, is_split),
    };
    let slow = [slow(false), slow(true)];
    Ok(Changes { edits, cells, gone, in_turns: accesses.in_turns, slow })
}

/// Cells of shift registers read as numbers.
fn in_registers(source: &str, decisions: &Decisions, cells: &mut Cells) {
    for register in shifting::written(source, decisions) {
        for ((statement, access), cell) in cells.iter_mut() {
            let is_own = decisions.scop.statement(*statement).accesses[*access].array == register.array();
            if let Some(place) = register.place(*statement, *access).filter(|_| is_own) {
                *cell = format!("[{place}]");
            }
        }
    }
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
