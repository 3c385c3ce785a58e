//! What is decided of a scop's text before its statements are printed: what goes, what is declared in it, and which sizes have names.

use crate::constants::Constants;
use crate::idle::{Gone, with_idle};
use crate::in_turn::{self, InTurn};
use crate::slow::{SlowLoop, slow_loops};
use crate::{Decisions, Form};
use polyfold_emit::{Edit, removal};
use polyfold_isl::Result;
use polyfold_program::{Program, Stmt};
use polyfold_scop::StatementId;
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
        (before, after): (&Program, &Program),
        keeps_both: bool,
    ) -> Result<Region> {
        let scop = decisions.scop;
        let gone = with_idle(source, scop, left_out(before, after), after);
        let removed_declarations = gone.declarations.iter().map(|span| removal(source, &scop.span, span)).collect();
        let in_turns = in_turn::written(source, decisions, after)?;
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
