//! Loops around a region in front of which copies may stand, and what is tested there.
//!
//! Invariant: what stands in front of a loop names nothing that changes in it.

use super::condition::shortest;
use super::in_tree::InTree;
use super::sizes::{Counters, Sizes};
use polyfold_c::code::{Kind, tokens};
use polyfold_isl::{Result, Set};
use polyfold_program::Cond;
use polyfold_prove::{PlacedLocals, positive};

/// Whether what begins at a place is the body of an `if`, an `else` or a loop, without braces.
pub(super) fn is_body(source: &str, at: usize) -> bool {
    let before = tokens(source, &(0..at));
    let last = before.iter().rev().find(|token| token.kind != Kind::Directive);
    last.is_some_and(|token| token.is(')') || token.text == "else")
}

/// A region whose copies stand in front of loops, and what is tested in front of the outermost of these.
pub(super) struct Framed<'a> {
    region: &'a InTree<'a>,
    /// The only plan.
    placed: &'a PlacedLocals,
    /// Parameter values for which it is used.
    pub(super) own: Set,
    /// Others that the program may have.
    rest: Set,
    is_partial: bool,
    /// That some iteration gets to the region, and that the plan holds.
    pub(super) tests: Vec<Cond>,
}

impl<'a> Framed<'a> {
    /// `None`: the plan holds for no parameter values.
    pub(super) fn new(region: &'a InTree<'a>, placed: &'a PlacedLocals) -> Result<Option<Framed<'a>>> {
        let plan = placed.plan();
        let holds = plan.context.intersect(&positive(plan)?)?.coalesce()?;
        let own = region.known.intersect(&holds)?.coalesce()?;
        if own.is_empty()? {
            return Ok(None);
        }
        let rest =
            region.known.subtract(&holds)?.intersect(region.defined)?.intersect(&region.of_types()?)?.coalesce()?;
        let is_partial = !rest.is_empty()? || placed.frame().may_pass_by;
        let mut framed = Framed { region, placed, own, rest, is_partial, tests: Vec::new() };
        framed.tests = framed.tests(&holds)?;
        Ok(Some(framed))
    }

    /// Whether something may happen in the loop where the tests fail.
    pub(super) fn is_partial(&self) -> bool {
        self.is_partial
    }

    /// Whether nothing happens in the region where the plan is not used.
    pub(super) fn is_idle(&self) -> Result<bool> {
        self.rest.intersect(self.region.running)?.is_empty()
    }

    fn tests(&self, holds: &Set) -> Result<Vec<Cond>> {
        let (region, frame) = (self.region, self.placed.frame());
        let mut tests = Vec::new();
        if let Some(entered) = &frame.entered {
            let context = Set::read(entered.context(), "{ : }")?;
            tests.push(Sizes { context, names: region.names(&Counters::Same) }.cond(entered)?);
        }
        if !self.rest.is_empty()? {
            let changing = region.changing(frame.loops);
            let left = region.known.for_any(&changing)?.coalesce()?;
            let holds = shortest(&holds.for_any(&changing)?.coalesce()?, &left)?;
            tests.push(Sizes::new(region, None, &left, &changing)?.cond(&holds)?);
        }
        Ok(tests)
    }
}

impl InTree<'_> {
    /// What changes in so many loops around.
    pub(super) fn changing(&self, depth: usize) -> Vec<String> {
        let around = self.scop.surroundings.as_deref().and_then(|around| around.loops.get(depth.checked_sub(1)?));
        around.iter().flat_map(|around| &around.changing).map(|id| self.parameters[id.0].clone()).collect()
    }
}
