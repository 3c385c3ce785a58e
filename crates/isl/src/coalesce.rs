//! Merging pieces, without trusting isl to merge them right.
//!
//! The coalescing of isl 0.25 has two faults, both seen on pieces with integer divisions: it fails on a set that is in
//! order ("cannot relax redundant constraint"), and it returns a set with points that none of the pieces had (once in some
//! two hundred random programs). What is merged is therefore left as it was where isl fails, and where the result differs
//! from what was given. Where a larger set does no harm, only that no point is lost is checked: it costs far less than the
//! other direction.

use crate::{ErrorKind, Map, PwAff, Result, Set, sys};

impl Set {
    /// The same points in fewer pieces, where isl finds them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce(&self) -> Result<Set> {
        if self.pieces()? <= 1 {
            return Ok(self.clone());
        }
        let merged = self.merged()?;
        Ok(if self.is_same_as_joined(&merged)? { merged } else { self.clone() })
    }

    /// The same points in fewer pieces, or, seldom, more points; never fewer.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce_outward(&self) -> Result<Set> {
        if self.pieces()? <= 1 {
            return Ok(self.clone());
        }
        let merged = self.merged()?;
        Ok(if self.is_subset(&merged)? { merged } else { self.clone() })
    }

    fn merged(&self) -> Result<Set> {
        let merged = unsafe { Set::wrap_raw(self.context(), sys::isl_set_coalesce(self.take())) };
        Ok(unless_invalid(merged)?.unwrap_or_else(|| self.clone()))
    }
}

impl Map {
    /// The same pairs in fewer pieces, where isl finds them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce(&self) -> Result<Map> {
        if self.pieces()? <= 1 {
            return Ok(self.clone());
        }
        let merged = unsafe { Map::wrap_raw(self.context(), sys::isl_map_coalesce(self.take())) };
        let Some(merged) = unless_invalid(merged)? else { return Ok(self.clone()) };
        Ok(if self.wrap()?.is_same_as_joined(&merged.wrap()?)? { merged } else { self.clone() })
    }
}

impl PwAff {
    /// The same function in fewer pieces, where isl finds them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce(&self) -> Result<PwAff> {
        if self.domain()?.pieces()? <= 1 {
            return Ok(self.clone());
        }
        let merged = unsafe { PwAff::wrap_raw(self.context(), sys::isl_pw_aff_coalesce(self.take())) };
        let Some(merged) = unless_invalid(merged)? else { return Ok(self.clone()) };
        Ok(if merged.is_same(self)? { merged } else { self.clone() })
    }

    /// Whether both are defined at the same points, and equal there.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn is_same(&self, other: &PwAff) -> Result<bool> {
        let domain = other.domain()?;
        Ok(self.domain()?.is_subset(&domain)? && domain.is_subset(&self.equals(other)?)?)
    }
}

/// `None` for isl's own failure; the work bound is still an error.
fn unless_invalid<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if error.kind == ErrorKind::Invalid && !error.message.is_empty() => Ok(None),
        other => other.map(Some),
    }
}
