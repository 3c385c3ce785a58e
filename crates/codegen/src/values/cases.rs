//! The places of an access to values, and which operations find them where, as conditions in C.
//!
//! Example: `Q[i - 1]` of which the border lives in one variable has the cases `i == 1`, and what is left.

use crate::linear::as_long;
use crate::{CNames, fault, parameters_in_c};
use polyfold_c::code::words;
use polyfold_isl::{AstExpr, Map, PwAff, Result, Set};
use polyfold_prove::{Placed, PlacedAccess, PlacedValues};
use polyfold_scop::{ParameterId, Scop, StatementId};
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
    /// In C, for what is left by the cases before.
    pub(super) condition: String,
    /// The same as a tree, in isl notation; counters are [`counter_in_isl`].
    pub(super) test: AstExpr,
    /// The coordinates of a value in front of its cell's, as trees.
    pub(super) numbers: Vec<AstExpr>,
    /// The coordinates of a value in front of its cell's, in C.
    pub(super) versions: Vec<String>,
    /// `None`: nobody reads the value.
    pub(super) place: Option<Placed>,
}

/// A case before its text.
pub(super) struct Found<'v> {
    pub(super) access: &'v PlacedAccess,
    operations: Set,
    condition: String,
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
        let condition =
            |operations: &Set, rest: &Set| self.condition(&names, &operations.gist_params(rest)?.coalesce()?);
        let test = |operations: &Set, rest: &Set| names.test(&operations.gist_params(rest)?.coalesce()?);
        let mut ordered = Vec::new();
        for (place, operations) in cases {
            let length = condition(&operations, &all)?.len();
            ordered.push(((place.place.is_none(), length), place, operations));
        }
        ordered.sort_by_key(|(rank, ..)| *rank);
        let (mut rest, mut cases) = (all, Vec::new());
        for (_, place, operations) in ordered {
            let (condition, test) = (condition(&operations, &rest)?, test(&operations, &rest)?);
            rest = rest.subtract(&operations)?.coalesce()?;
            cases.push(Found { access: place, operations, condition, test });
        }
        Ok(cases)
    }

    /// A case as text.
    pub(super) fn case(&self, found: Found, versions: usize) -> Result<Case> {
        let Found { access, operations, condition, test } = found;
        let values = self.values(access.statement, &access.name)?;
        let versions = self.versions(&values, &operations, versions)?;
        let names = self.names(access.statement, &operations)?;
        let numbers = versions.iter().map(|own| names.tree(own)).collect::<Result<_>>()?;
        let versions = versions.iter().map(|own| names.value(own)).collect::<Result<_>>()?;
        Ok(Case { condition, test, numbers, versions, place: access.place.clone() })
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

    pub(super) fn names(&self, statement: StatementId, context: &Set) -> Result<CNames> {
        let loops = self.scop.loops();
        let counter = |id: &polyfold_scop::LoopId| match loops[id.0] {
            own if own.counter.signed => own.iterator.clone(),
            own => format!("(long){}", own.iterator),
        };
        let isl: Vec<String> = self.parameters.iter().cloned().chain(self.in_isl(statement)).collect();
        let counters = self.scop.statement(statement).loops.iter().map(counter);
        let c: Vec<String> = parameters_in_c(self.scop).into_iter().chain(counters).collect();
        CNames::new(context, &isl, &c)
    }

    /// A condition in C, computed as `long` where a sum may be past `int`.
    fn condition(&self, names: &CNames, sizes: &Set) -> Result<String> {
        let text = names.condition(sizes)?;
        let parameters = self.scop.parameters.iter().enumerate();
        let mut unbounded = parameters.filter(|(k, _)| !is_an_extent(self.scop, *k)).map(|(_, p)| p.name.as_str());
        let is_wide = unbounded.any(|name| words(&text).any(|(_, word)| word == name));
        Ok(if is_wide { as_long(&text) } else { text })
    }
}

/// The name in isl notation of the counter at a depth.
pub fn counter_in_isl(depth: usize) -> String {
    format!("_i{depth}")
}

/// Whether some array's extent depends on a parameter: memory bounds it.
pub(super) fn is_an_extent(scop: &Scop, parameter: usize) -> bool {
    let mut used = BTreeSet::new();
    let extents = scop.arrays.iter().flat_map(|array| array.extents.iter().flatten());
    extents.for_each(|extent| extent.collect_parameters(&mut used));
    used.contains(&ParameterId(parameter))
}
