//! The order that somebody wishes for, and whether a scop may have it.
//!
//! Dates are given to statements. Where several of these stay together ([`pieces`]), and the order
//! keeps them together, their piece is what moves. Where it takes them apart, each moves by itself,
//! if that can be.

use super::Source;
use super::refused::Refused;
use polyfold_codegen::{LoopForm, Pieces, pieces};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_schedule::{Given, Legal, Together, Violation, check};

/// What is asked for.
pub struct Wish<'a> {
    /// A schedule as text; `None`: the source's order.
    pub given: Option<&'a str>,
    /// Dimensions of its dates whose loops are parallel.
    pub parallel: &'a [usize],
    /// How loops are written.
    pub form: LoopForm<'a>,
}

/// An order of a program's pieces.
pub(super) struct Checked {
    pub(super) pieces: Pieces,
    pub(super) verdict: Result<Legal, Violation>,
}

impl Wish<'_> {
    /// Whether a program may be in this order.
    pub(super) fn check(&self, ctx: &Context, source: &Source, model: &Model) -> Result<Checked, Refused> {
        let given = self.given.map_or_else(|| model.schedule_text(), str::to_string);
        let given = Given::read(ctx, model, &given)?;
        let dimensions = given.dimensions()?;
        if let Some(parallel) = self.parallel.iter().copied().find(|dimension| *dimension >= dimensions) {
            return Err(Refused::NoDimension { parallel, dimensions });
        }
        let (pieces, given) = in_pieces(source, model, &given)?;
        let verdict = if pieces.are_statements_of(model.scop) {
            check(model, given, self.parallel)
        } else {
            let moved = Model::build(ctx, &pieces.scop)?;
            if !model.context.is_subset(&moved.context)? {
                return Err(Refused::LessIsKnown);
            }
            check(&moved, given, self.parallel)
        };
        Ok(Checked { pieces, verdict: verdict? })
    }
}

/// The pieces that an order keeps together, and their dates.
fn in_pieces(source: &Source, model: &Model, given: &Given) -> Result<(Pieces, Given), Refused> {
    let mut apart = Vec::new();
    loop {
        let pieces = pieces(source.text, model.scop, &apart)?;
        let together: Vec<Together> = (pieces.scop.statements.iter().zip(&pieces.all))
            .map(|(statement, piece)| Together { name: &statement.name, statements: &piece.statements })
            .collect();
        match given.of_pieces(&together)? {
            Ok(given) => return Ok((pieces, given)),
            Err(piece) => apart.push(pieces.all[piece].span.clone()),
        }
    }
}
