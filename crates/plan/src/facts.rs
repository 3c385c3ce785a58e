//! Facts about macros that are worth an assertion.

use crate::optimize::{Optimized, Outcome};
use crate::sizes::constants;
use polyfold_alloc::{Mapping, Method};
use polyfold_isl::{Error, Set};
use polyfold_scop::{ArrayId, Scop};

/// Facts about macros that would make the result better or simpler: their values, if an array disappoints or the user asks
/// for the optimum; else the case that they are in, where sizes distinguish cases by macros alone.
pub(crate) fn facts_about_constants(
    result: &Optimized,
    scop: &Scop,
    method: Option<Method>,
) -> Result<Option<Set>, Error> {
    let constants = constants(scop, &result.parameters);
    if constants.is_empty() {
        return Ok(None);
    }
    let disappoints =
        |id: ArrayId, o: &Outcome| matches!(o, Outcome::Kept { surprising: true, .. }) && scop.array(id).is_temporary();
    if method == Some(Method::Optimal) || result.outcomes.iter().any(|(id, outcome)| disappoints(*id, outcome)) {
        return Ok(Some(result.proved.at(&constants)?.coalesce()?));
    }
    let mut facts: Option<Set> = None;
    for mapping in result.considered(scop)? {
        for modulus in mapping.as_modular().into_iter().flat_map(|mapping| &mapping.moduli) {
            let by_constants = modulus.parameters()?.iter().all(|p| constants.iter().any(|(name, _)| name == p));
            let pieces = modulus.pieces()?;
            if !by_constants || pieces.len() < 2 {
                continue;
            }
            for (case, _) in pieces {
                if !case.at(&constants)?.is_empty()? {
                    facts = Some(facts.map_or(Ok(case.clone()), |f| f.intersect(&case))?);
                }
            }
        }
    }
    Ok(facts)
}

impl Optimized {
    /// The mappings that arrays have, and, where more is used than is alive at once, those that they would have by themselves:
    /// what beat these for all sizes need not do so for those of macros.
    fn considered(&self, scop: &Scop) -> Result<impl Iterator<Item = &Mapping>, Error> {
        let floor = self.alive.estimate(|| self.useful(scop), &self.counted).map_or(0, |live| live.total);
        let is_least = self.cells_at(scop, &self.sizes.values)? <= floor;
        let alone = if is_least { &[] } else { self.alone.as_slice() };
        let own = self.outcomes.iter().chain(alone).filter_map(|(_, outcome)| match outcome {
            Outcome::Mapped { storage, .. } => Some(&storage.get().mapping),
            _ => None,
        });
        Ok(own.chain(self.buffers.iter().map(|buffer| &buffer.storage.get().mapping)))
    }
}
