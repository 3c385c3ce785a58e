//! Sizes far from those that cells are counted at: one large and the others small, and the other way round.
//!
//! Storage is chosen by its cells at given sizes, which often are all the same. There `max(n, m)²` cells look like `n m`; for n = 4 and
//! m = 3000 they are 750 times as many, and a program that ran no longer does. So nothing is taken that at such sizes needs more
//! than twice the cells of its arrays alone. (Not once: an array of n + 2 lines for two of n is worth it, though not for n = 1.)
//!
//! Small sizes are no smaller than what moduli have for a number: eleven rows for a filter of eleven weights are right, though an image
//! of four rows takes fewer.
//!
//! What is no extent of an array, such as the distance k in `t[i - k]`, is not taken to be large where its extents are small: the
//! source needs it to be smaller, most often without saying so.
//!
//! No proof: sizes between those looked at are taken to lie between.

use crate::optimize::Outcome;
use crate::search::StorageSearch;
use crate::sizes::{borrow, constants, declared_cells};
use polyfold_alloc::Mapping;
use polyfold_flow::Model;
use polyfold_isl::Error;
use polyfold_scop::{ArrayId, ParameterId, ParameterOrigin};
use std::collections::BTreeSet;

/// A value for each parameter, by its name in isl notation, in the scop's order.
pub(crate) type Skewed = Vec<(String, i64)>;

/// The first that is possible.
const LARGE: [i64; 4] = [3000, 1000, 300, 100];

/// The first that is possible.
const SMALL: [i64; 16] = [4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 20, 32, 3, 2, 1, 0];

/// Storage that is larger than this many times what there was is refused.
const MOST_TIMES: u64 = 2;

/// For each size of run time, if there are several: it large and the others small, and it small and the others large.
pub(crate) fn skewed_sizes(model: &Model) -> Result<Vec<Skewed>, Error> {
    let origins = model.scop.parameters.iter().map(|parameter| &parameter.origin);
    let variables: Vec<usize> =
        origins.enumerate().filter(|(_, o)| matches!(o, ParameterOrigin::Variable)).map(|(k, _)| k).collect();
    if variables.len() < 2 {
        return Ok(Vec::new());
    }
    let mut all = Vec::new();
    for first in &variables {
        for (own, others) in [(&LARGE[..], &SMALL[..]), (&SMALL[..], &LARGE[..])] {
            all.extend(skewed(model, *first, own, others)?.filter(|sizes| !all.contains(sizes)));
        }
    }
    Ok(all)
}

/// One parameter of the first sizes, the others of the second.
fn skewed(model: &Model, first: usize, own: &[i64], others: &[i64]) -> Result<Option<Skewed>, Error> {
    let mut known: Vec<(&str, i64)> = Vec::new();
    let rest = (0..model.parameters.len()).filter(|k| *k != first);
    for k in std::iter::once(first).chain(rest) {
        let constant = match &model.scop.parameters[k].origin {
            ParameterOrigin::Constant(value) => Some([*value]),
            ParameterOrigin::Variable => None,
        };
        let candidates = constant.as_ref().map_or(if k == first { own } else { others }, |value| &value[..]);
        let mut found = false;
        for value in candidates {
            known.push((&model.parameters[k], *value));
            if !model.context.at(&known)?.is_empty()? {
                found = true;
                break;
            }
            known.pop();
        }
        if !found {
            return Ok(None);
        }
    }
    known.sort_by_key(|(name, _)| model.parameters.iter().position(|known| known == name));
    Ok(Some(known.into_iter().map(|(name, value)| (name.to_string(), value)).collect()))
}

impl StorageSearch<'_> {
    /// Whether storage for some arrays, or their values, needs far more cells than each of them alone at some of the sizes.
    pub(crate) fn is_larger_when_skewed(
        &self,
        mapping: &Mapping,
        members: impl IntoIterator<Item = ArrayId>,
    ) -> Result<bool, Error> {
        let arrays: BTreeSet<ArrayId> = members.into_iter().map(|member| self.owner(member)).collect();
        let extents = self.parameters_of_extents(&arrays);
        let others_are_small = |sizes: &&Skewed| {
            let is_constant = |k: usize| self.model.scop.parameters[k].origin != ParameterOrigin::Variable;
            let mut others = sizes.iter().enumerate().filter(|(k, _)| !extents.contains(&ParameterId(*k)));
            others.all(|(k, (_, size))| is_constant(k) || SMALL.contains(size))
        };
        let least = self.largest_number(mapping)?;
        for sizes in self.skewed.iter().filter(others_are_small) {
            let sizes = &self.no_smaller(sizes, least)?;
            let Some(cells) = mapping.cells(&borrow(sizes))? else { continue };
            let mut before = Some(0u64);
            for id in &arrays {
                let alone = self.cells_alone(*id, sizes)?;
                before = before.zip(alone).map(|(sum, cells)| sum.saturating_add(cells));
            }
            if before.is_some_and(|before| cells > before.saturating_mul(MOST_TIMES)) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The largest modulus that no size of run time changes.
    fn largest_number(&self, mapping: &Mapping) -> Result<i64, Error> {
        let constants = constants(self.model.scop, &self.model.parameters);
        let mut largest = 0;
        for modulus in mapping.as_modular().iter().flat_map(|modular| &modular.moduli) {
            let names = modulus.parameters()?;
            if names.iter().all(|name| constants.iter().any(|(constant, _)| name == constant)) {
                largest = largest.max(modulus.eval(&constants)?.unwrap_or(0));
            }
        }
        Ok(largest)
    }

    /// The same sizes, but the small ones so large at least, if that is possible.
    fn no_smaller(&self, sizes: &Skewed, least: i64) -> Result<Skewed, Error> {
        let origins = self.model.scop.parameters.iter().map(|parameter| parameter.constant());
        let raised: Skewed = (sizes.iter().zip(origins))
            .map(|((name, size), constant)| (name.clone(), if constant.is_some() { *size } else { least.max(*size) }))
            .collect();
        let is_possible = !self.model.context.at(&borrow(&raised))?.is_empty()?;
        Ok(if is_possible { raised } else { sizes.clone() })
    }

    fn parameters_of_extents(&self, arrays: &BTreeSet<ArrayId>) -> BTreeSet<ParameterId> {
        let mut found = BTreeSet::new();
        for id in arrays {
            let extents = self.model.scop.array(*id).extents.iter().flatten();
            extents.for_each(|extent| extent.collect_parameters(&mut found));
        }
        found
    }

    /// The cells of an array as decided for it alone, or as declared.
    fn cells_alone(&self, id: ArrayId, sizes: &Skewed) -> Result<Option<u64>, Error> {
        let decided = self.alone.iter().find(|(other, _)| *other == id).map(|(_, outcome)| outcome);
        let mapped = match decided {
            Some(Outcome::Mapped { storage, .. }) => storage.get().mapping.cells(&borrow(sizes))?,
            _ => None,
        };
        Ok(mapped.or_else(|| declared_cells(self.model.scop, id, sizes)))
    }
}
