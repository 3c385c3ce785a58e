//! The order that the user wishes for, and whether a program may have it.
//!
//! Dates are given to statements. Where several of these stay together ([`pieces`]), and the order keeps them together, their piece is
//! what moves; where it takes them apart, each moves by itself, if that can be.

use super::super::Failure;
use super::super::arguments::ProgramArguments;
use super::super::input::Input;
use super::refusals::{Refused, failed, faulty, no_new_loops};
use polyfold_codegen::{LoopForm, Pieces, pieces};
use polyfold_flow::Model;
use polyfold_frontend::Severity;
use polyfold_isl::Context;
use polyfold_schedule::{Given, Legal, Together, Violation, check};
use polyfold_scop::{Scop, Span};

/// What the user asks for.
pub(super) struct Wish<'a> {
    /// A schedule as text; `None`: the source's order.
    pub(super) given: Option<String>,
    pub(super) parallel: &'a [usize],
    pub(super) program: &'a ProgramArguments,
    /// How loops are written.
    pub(super) form: LoopForm<'a>,
}

/// An order of a program's pieces.
pub(super) struct Checked {
    pub(super) pieces: Pieces,
    pub(super) verdict: Result<Legal, Violation>,
}

impl Wish<'_> {
    /// Whether a program may be in this order.
    pub(super) fn check(&self, ctx: &Context, input: &Input, model: &Model) -> Result<Checked, Refused> {
        let given = self.given.clone().unwrap_or_else(|| model.schedule_text());
        let given = Given::read(ctx, model, &given).map_err(|fault| faulty(model.scop, &fault))?;
        let dimensions = given.dimensions().map_err(failed)?;
        if let Some(beyond) = self.parallel.iter().find(|dimension| **dimension >= dimensions) {
            let message =
                format!("--parallel {beyond}: the schedule's dates have {dimensions} dimensions, numbered from 0");
            return Err(Failure::Usage(Some(message)).into());
        }
        let (pieces, given) = in_pieces(input, model, &given)?;
        let verdict = if pieces.are_statements_of(model.scop) {
            check(model, given, self.parallel)
        } else {
            let moved = Model::build(ctx, &pieces.scop).map_err(failed)?;
            if !model.context.is_subset(&moved.context).map_err(failed)? {
                return Err(Failure::input("--schedule: less is known of the scop's pieces than of the scop").into());
            }
            check(&moved, given, self.parallel)
        };
        let verdict = verdict.map_err(failed)?;
        Ok(Checked { pieces, verdict })
    }
}

/// The pieces that an order keeps together, and their dates.
fn in_pieces(input: &Input, model: &Model, given: &Given) -> Result<(Pieces, Given), Refused> {
    let mut apart = Vec::new();
    loop {
        let pieces = movable(input, model.scop, &apart)?;
        let together: Vec<Together> = (pieces.scop.statements.iter().zip(&pieces.all))
            .map(|(statement, piece)| Together { name: &statement.name, statements: &piece.statements })
            .collect();
        match given.of_pieces(&together).map_err(failed)? {
            Ok(given) => return Ok((pieces, given)),
            Err(piece) => apart.push(pieces.all[piece].span.clone()),
        }
    }
}

/// The pieces of a scop that can be moved.
pub(super) fn movable(input: &Input, scop: &Scop, apart: &[Span]) -> Result<Pieces, Refused> {
    pieces(&input.source, scop, apart).map_err(|obstacle| Refused::at(no_new_loops(&obstacle, Severity::Error)))
}
