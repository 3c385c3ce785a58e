//! What is decided of a scop's text before its statements are printed: what goes, what is declared in it, and which sizes have names.

use crate::constants::Constants;
use crate::idle::{Gone, with_idle};
use crate::in_turn::{self, InTurn};
use crate::slow::{SlowLoop, slow_loops};
use crate::{Decisions, Form};
use polyfold_emit::{Edit, Source, removal};
use polyfold_isl::Result;
use polyfold_program::{Program, Stmt};
use polyfold_scop::{Array, Expr, ParameterOrigin, Scop, StatementId, Storage};
use std::collections::BTreeSet;

/// What is decided of the text of one scop.
pub(crate) struct Region {
    /// What is taken away.
    pub(crate) gone: Gone,
    /// How declarations without values go, which are no statements.
    pub(crate) removed_declarations: Vec<Edit>,
    /// Variables that are declared where their values live.
    pub(crate) in_turns: Vec<InTurn>,
    /// Names for long moduli.
    pub(crate) constants: Constants,
    /// Innermost loops that do more than their source: as they are, and where they are split.
    pub(crate) slow: [Vec<SlowLoop>; 2],
}

impl Region {
    /// `after`: what the scop's program becomes; `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn of(
        source: &str,
        decisions: &Decisions,
        (before, after): (&Source, &Program),
        keeps_both: bool,
    ) -> Result<Region> {
        let scop = decisions.scop;
        let gone = with_idle(source, scop, left_out(before.program, after), after);
        let removed_declarations = gone.declarations.iter().map(|span| removal(source, &scop.span, span)).collect();
        let in_turns = in_turn::written(source, decisions, (before, after))?;
        let constants = Constants::of(source, decisions, after, keeps_both)?;
        let slow = |is_split| match decisions.form {
            Form::Hls => Vec::new(),
            _ => slow_loops(source, decisions, &gone.statements, is_split),
        };
        let slow = [slow(false), slow(true)];
        Ok(Region { gone, removed_declarations, in_turns, constants, slow })
    }
}

/// The statements that a program has no more.
fn left_out(before: &Program, after: &Program) -> Vec<StatementId> {
    let all = |program: &Program| program.body.iter().flat_map(Stmt::assigned).collect::<BTreeSet<_>>();
    all(before).difference(&all(after)).map(|id| StatementId(id.0)).collect()
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
