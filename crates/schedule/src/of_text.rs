//! The order in which another text with more loops runs a program.
//!
//! Each statement stands in more loops there, whose counters say nothing of what it does. With ρ from its operations in the program to those in the text,
//!
//! ```text
//! ρ = { S[i] -> S[t, i] }      t the counters of the added loops
//! T = θ' ∘ ρ                   θ' the dates of the text
//! ```
//!
//! the text does the same as the program if ρ is a bijection and both use the same cells. Then T is an order of the program like
//! any other, which [`check`](crate::check) proves or refuses.
//!
//! Example: `for (it = 0; it < n; it += 4) for (i = it; i < it + 4 && i < n; i++) S0;` runs S0[i] as S0[4⌊i/4⌋, i].

use crate::Given;
use polyfold_flow::{Model, isl_name};
use polyfold_isl::{Error, Map, Set};
use polyfold_scop::{Scop, StatementId};
use std::ops::Range;

/// What a text does otherwise than the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unlike {
    /// It has other statements, sizes or arrays.
    Statements,
    /// An operation of a statement is left out, runs several times, or is none of the program's.
    Operations(StatementId),
    /// A statement uses other cells.
    Cells(StatementId),
    /// Less is known of its sizes.
    Sizes,
}

impl Given {
    /// The order of a text with more loops; `added`: by statement, the places of those among the statement's loops.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of_text(model: &Model, text: &Model, added: &[Range<usize>]) -> Result<Result<Given, Unlike>, Error> {
        if !are_alike(model.scop, text.scop, added) || model.parameters != text.parameters {
            return Ok(Err(Unlike::Statements));
        }
        if !model.context.is_subset(&text.context)? {
            return Ok(Err(Unlike::Sizes));
        }
        let mut dates = Vec::new();
        for (place, added) in added.iter().enumerate() {
            let id = StatementId(place);
            let Some(operations) = operations(model, text, id, added)? else { return Ok(Err(Unlike::Operations(id))) };
            if !uses_the_same(model, text, id, &operations)? {
                return Ok(Err(Unlike::Cells(id)));
            }
            let domain = operations.domain()?;
            let number = Set::read(domain.context(), &format!("{{ [{place}] }}"))?;
            let dated = operations.apply_range(&text.statements[place].schedule)?;
            dates.push(dated.flat_range_product(&domain.with_each_of(&number)?)?);
        }
        Ok(Ok(Given { dates }))
    }
}

/// Whether both have the same statements, with the same loops but for those added, and the same arrays.
fn are_alike(scop: &Scop, text: &Scop, added: &[Range<usize>]) -> bool {
    let counters = |scop: &Scop, at: usize| -> Vec<String> {
        let loops = scop.loops();
        let name = |id| loops.iter().find(|l| l.id == id).map(|l| l.iterator.clone());
        scop.statements[at].loops.iter().filter_map(|id| name(*id)).collect()
    };
    let same_loops = |at: usize| {
        let mut others = counters(text, at);
        let added = added[at].clone();
        added.end <= others.len() && {
            others.drain(added);
            others == counters(scop, at)
        }
    };
    let names = |scop: &Scop| scop.arrays.iter().map(|array| array.name.clone()).collect::<Vec<_>>();
    scop.statements.len() == text.statements.len()
        && added.len() == scop.statements.len()
        && names(scop) == names(text)
        && (scop.statements.iter().zip(&text.statements)).all(|(a, b)| (&a.name, a.kind) == (&b.name, b.kind))
        && (0..added.len()).all(same_loops)
}

/// ρ of a statement; `None`: it is no bijection.
fn operations(model: &Model, text: &Model, id: StatementId, added: &Range<usize>) -> Result<Option<Map>, Error> {
    let domain = model.statements[id.0].domain.intersect_params(&model.context)?;
    let others = text.statements[id.0].domain.intersect_params(&model.context)?;
    let name = isl_name(&model.scop.statement(id).name);
    let all: Vec<String> = (0..text.scop.statement(id).loops.len()).map(|k| format!("i{k}")).collect();
    let own: Vec<&str> =
        (all.iter().enumerate().filter(|(k, _)| !added.contains(k))).map(|(_, c)| c.as_str()).collect();
    let forget = format!("{{ {name}[{}] -> {name}[{}] }}", all.join(", "), own.join(", "));
    let back = Map::read(domain.context(), &forget)?.intersect_domain(&others)?;
    let is_bijection = back.is_injective()? && back.range()?.is_equal(&domain)?;
    is_bijection.then(|| back.reverse()).transpose()
}

/// Whether an operation uses the same cells in the program and in the text, as surely.
fn uses_the_same(model: &Model, text: &Model, id: StatementId, operations: &Map) -> Result<bool, Error> {
    let (own, others) = (&model.scop.statement(id).accesses, &text.scop.statement(id).accesses);
    if own.len() != others.len() || model.statements[id.0].certain != text.statements[id.0].certain {
        return Ok(false);
    }
    for (at, (one, other)) in own.iter().zip(others).enumerate() {
        let is_like = (one.array, one.kind, one.certainty, one.moment)
            == (other.array, other.kind, other.certainty, other.moment);
        let cells = model.statements[id.0].cells[at].intersect_params(&model.context)?;
        let found = operations.apply_range(&text.statements[id.0].cells[at])?.intersect_params(&model.context)?;
        if !is_like || one.subscripts.is_some() != other.subscripts.is_some() || !cells.is_equal(&found)? {
            return Ok(false);
        }
    }
    Ok(true)
}
