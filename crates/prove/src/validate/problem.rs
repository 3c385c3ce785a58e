//! Two programs and the sizes that both are for.
//!
//! A size is one symbol in both programs, by its name. The context of the program before says which
//! values it may have; the program after may take no more for granted, since the next pass begins
//! with its context.

use super::facts::{Facts, Judge};
use super::linear::Linear;
use super::names::Names;
use super::{Obligation, Refusal, Stop, Verdict};
use polyfold_isl::{Context, Result};
use polyfold_program::{Buffer, Cond, Program};

type Outcome<T> = std::result::Result<T, Stop>;

/// What a validator is asked.
pub(super) struct Problem<'a> {
    pub(super) before: &'a Program,
    pub(super) after: &'a Program,
    /// Sizes in the program before.
    pub(super) known: Names,
    /// Sizes in the program after.
    pub(super) names: Names,
    /// What is known of sizes: one of these cases.
    pub(super) cases: Vec<Facts>,
}

impl<'a> Problem<'a> {
    pub(super) fn of(judge: &Judge, before: &'a Program, after: &'a Program) -> Outcome<Problem<'a>> {
        if !after.is_well_scoped() {
            return Err(Obligation::Scope.into());
        }
        let sizes: Vec<Linear> = before.parameters.iter().map(|_| Linear::symbol(judge.fresh())).collect();
        let size = |name: &str| before.parameter(name).map(|id| sizes[id.0].clone());
        let own = after.parameters.iter().map(|parameter| size(&parameter.name)).collect::<Option<Vec<Linear>>>();
        let own = own.ok_or(Obligation::Interface)?;
        let named = |parameters: Vec<Linear>| Names { parameters, ..Names::default() };
        let mut problem =
            Problem { before, after, known: named(sizes), names: named(own), cases: vec![Facts::default()] };
        for cond in &before.context {
            problem.cases = problem.split(judge, (cond, &problem.known), &[true])?;
        }
        problem.takes_no_more_for_granted(judge)?;
        Ok(problem)
    }

    /// The cases in which a condition on sizes holds, or doesn't.
    pub(super) fn split(
        &self,
        judge: &Judge,
        (cond, names): (&Cond, &Names),
        outcomes: &[bool],
    ) -> Outcome<Vec<Facts>> {
        let mut cases = Vec::new();
        for (facts, holds) in self.cases.iter().flat_map(|facts| outcomes.iter().map(move |holds| (facts, *holds))) {
            cases.extend(judge.assume(facts, names, cond, holds)?);
        }
        Ok(cases)
    }

    fn takes_no_more_for_granted(&self, judge: &Judge) -> Outcome<()> {
        for cond in &self.after.context {
            if !self.split(judge, (cond, &self.names), &[false])?.is_empty() {
                return Err(Obligation::Interface.into());
            }
        }
        Ok(())
    }

    /// That all buffers have extents.
    pub(super) fn knows_extents(&self) -> Outcome<()> {
        let programs = [self.before, self.after].into_iter();
        let mut extents = programs.flat_map(|program| &program.buffers).flat_map(|own| &own.extents);
        match extents.any(Option::is_none) {
            true => Err(Obligation::Unsupported("buffers of which nobody says how many cells they have").into()),
            false => Ok(()),
        }
    }

    /// That a buffer of the program before is one of the program after: role, type and extents.
    pub(super) fn is_same_buffer(&self, judge: &Judge, own: &Buffer, other: &Buffer) -> Outcome<()> {
        if (own.role, own.extents.len(), &own.element) != (other.role, other.extents.len(), &other.element) {
            return Err(Obligation::Interface.into());
        }
        for (extent, other) in own.extents.iter().zip(&other.extents) {
            let (extent, other) = match (extent, other) {
                (Some(extent), Some(other)) => (extent, other),
                (None, None) => continue,
                _ => return Err(Obligation::Interface.into()),
            };
            for facts in &self.cases {
                for (facts, extent) in judge.int(facts, &self.known, extent)? {
                    for (facts, other) in judge.int(&facts, &self.names, other)? {
                        if !judge.is_zero(&facts, &extent.minus(&other))? {
                            return Err(Obligation::Interface.into());
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

/// The verdict of a proof within a bound of elementary steps of isl. The proof notes in its second argument where it is.
///
/// # Errors
/// When isl fails otherwise than at the bound.
pub(super) fn verdict(
    ctx: &Context,
    bound: u64,
    proof: impl FnOnce(&Judge, &mut Vec<usize>) -> Outcome<()>,
) -> Result<Verdict> {
    let judge = Judge::new(ctx);
    let mut at = Vec::new();
    let mut outcome = None;
    let within = ctx.with_quota(bound, || {
        outcome = Some(proof(&judge, &mut at));
        Ok(())
    });
    let asked = judge.asked();
    match (outcome, within) {
        (Some(Err(Stop::Failed(error))), _) => Err(error),
        (Some(Ok(())), Ok(())) => Ok(Verdict::Same { asked }),
        (Some(Err(Stop::Refused(why))), Ok(())) => Ok(Verdict::Refused(Refusal { at, why })),
        _ => Ok(Verdict::Refused(Refusal { at, why: Obligation::Bound })),
    }
}
