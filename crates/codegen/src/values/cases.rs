//! The places of an access to values, and which operations find them where, as conditions on sizes and counters.
//!
//! Example: `Q[i - 1]` of which the border lives in one variable has the cases `i == 1`, and what is left.

use crate::fault;
use crate::sizes_in_c::{SizesInC, needs_helpers};
use polyfold_isl::{AstExpr, Map, PwAff, Result, Set};
use polyfold_program::{Cond, Int};
use polyfold_prove::{Placed, PlacedAccess, PlacedValues};
use polyfold_scop::{ParameterId, Scop, StatementId};
use polyfold_transform::{cond_of, int_of};
use std::collections::BTreeSet;

/// An access to values, with all of its cases.
#[derive(Clone, Debug)]
pub(super) struct ValueAccess {
    pub(super) statement: StatementId,
    /// Which of the statement's accesses.
    pub(super) access: usize,
    /// Each for what is left by those before. The longest condition comes last, but for values that nobody reads.
    pub(super) cases: Vec<Case>,
}

/// Where an access finds its values, for some operations.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// For what is left by the cases before; counters are locals by their depth.
    pub(super) test: Cond,
    /// The coordinates of a value in front of its cell's.
    pub(super) versions: Vec<Int>,
    /// `None`: nobody reads the value.
    pub(super) place: Option<Placed>,
}

/// A case before its text.
pub(super) struct Found<'v> {
    pub(super) access: &'v PlacedAccess,
    operations: Set,
    /// In isl's notation.
    test: AstExpr,
}

/// Sizes and counters as a statement sees them.
pub(super) struct Counters<'a> {
    pub(super) scop: &'a Scop,
    pub(super) parameters: &'a [String],
}

impl Counters<'_> {
    /// The cases of an access, ordered.
    pub(super) fn cases<'v>(
        &self,
        (statement, access): (StatementId, usize),
        values: &'v PlacedValues,
    ) -> Result<Vec<Found<'v>>> {
        let own = values.accesses().iter().filter(|a| (a.statement, a.access) == (statement, access));
        let mut all: Option<Set> = None;
        let mut cases = Vec::new();
        for place in own {
            let operations = self.values(statement, &place.name)?.params()?;
            all = Some(match all {
                None => operations.clone(),
                Some(all) => all.union(&operations)?,
            });
            cases.push((place, operations));
        }
        let Some(all) = all else { return Err(fault("an access without a place")) };
        let all = all.coalesce()?;
        let names = self.names(statement, &all)?;
        let test = |operations: &Set, rest: &Set| names.test(&operations.gist_params(rest)?.coalesce()?);
        let mut ordered = Vec::new();
        for (place, operations) in cases {
            let length = self.length(&names, &test(&operations, &all)?);
            ordered.push(((place.place.is_none(), length), place, operations));
        }
        ordered.sort_by_key(|(rank, ..)| *rank);
        let (mut rest, mut cases) = (all, Vec::new());
        for (_, place, operations) in ordered {
            let test = test(&operations, &rest)?;
            rest = rest.subtract(&operations)?.coalesce()?;
            cases.push(Found { access: place, operations, test });
        }
        Ok(cases)
    }

    /// How long a condition is to read.
    fn length(&self, names: &SizesInC, test: &AstExpr) -> usize {
        cond_of(test, &|name| names.named(name)).map_or(usize::MAX, |cond| names.program().text_of_cond(&cond).len())
    }

    /// A case of which all can be written in C; `None`: it can't.
    pub(super) fn case(&self, found: Found, versions: usize) -> Result<Option<Case>> {
        let Found { access, operations, test } = found;
        let values = self.values(access.statement, &access.name)?;
        let versions = self.versions(&values, &operations, versions)?;
        let names = self.names(access.statement, &operations)?;
        let versions = versions.iter().map(|own| names.tree(own)).collect::<Result<Vec<AstExpr>>>()?;
        let means_another = |isl: &str| !self.means_the_same(access.statement, isl);
        let is_clear = |tree: &AstExpr| !needs_helpers(tree) && !tree.mentions(&means_another);
        if !versions.iter().chain([&test]).all(is_clear) {
            return Ok(None);
        }
        let named = |name: &str| names.named(name);
        let versions = versions.iter().map(|own| int_of(own, &named)).collect::<Option<Vec<Int>>>();
        let both = cond_of(&test, &named).zip(versions);
        Ok(both.map(|(test, versions)| Case { test, versions, place: access.place.clone() }))
    }

    /// The coordinates of a value in front of its cell's.
    fn versions(&self, values: &Set, operations: &Set, count: usize) -> Result<Vec<PwAff>> {
        (0..count).map(|k| values.dim_max(k)?.coalesce()?.gist_params(operations)?.coalesce()).collect()
    }

    /// The values of an access, as a set that depends on parameters and counters.
    fn values(&self, statement: StatementId, name: &Map) -> Result<Set> {
        name.by_start(&self.in_isl(statement))
    }

    /// Names in isl notation for the counters around a statement; no name of the source begins with an underscore there.
    fn in_isl(&self, statement: StatementId) -> Vec<String> {
        (0..self.scop.statement(statement).loops.len()).map(counter_in_isl).collect()
    }

    /// What a size or counter of a statement is called in the source.
    pub(super) fn in_c(&self, statement: StatementId, isl: &str) -> Option<&str> {
        if let Some(k) = self.parameters.iter().position(|own| own == isl) {
            return Some(&self.scop.parameters[k].name);
        }
        let depth = self.in_isl(statement).iter().position(|own| own == isl)?;
        let id = self.scop.statement(statement).loops[depth];
        Some(&self.scop.loops()[id.0].iterator)
    }

    fn names(&self, statement: StatementId, context: &Set) -> Result<SizesInC> {
        let loops = self.scop.loops();
        let counters = self.scop.statement(statement).loops.iter().map(|id| &loops[id.0].iterator);
        let own = SizesInC::to_read(context, self.parameters, self.scop)?;
        Ok(own.with_counters(self.in_isl(statement).iter().zip(counters)))
    }
}

/// The name in isl notation of the counter at a depth.
fn counter_in_isl(depth: usize) -> String {
    format!("_i{depth}")
}

/// Whether some array's extent depends on a parameter: memory bounds it.
pub(super) fn is_an_extent(scop: &Scop, parameter: usize) -> bool {
    let mut used = BTreeSet::new();
    let extents = scop.arrays.iter().flat_map(|array| array.extents.iter().flatten());
    extents.for_each(|extent| extent.collect_parameters(&mut used));
    used.contains(&ParameterId(parameter))
}
