//! Merging pieces, without trusting isl to merge them right.
//!
//! The coalescing of isl 0.25 has two faults, both seen on pieces with integer divisions: it fails on a set that is in
//! order ("cannot relax redundant constraint"), and it returns a set with points that none of the pieces had (once in some
//! two hundred random programs). Sets and relations are therefore left as they are where it fails, and where its result,
//! checked whenever there are integer divisions, differs from what it was given. Where a larger set does no harm, only
//! that no point is lost is checked, always: it costs far less than the other direction.

use crate::{ErrorKind, Map, Result, Set, sys};

impl Set {
    /// The same points in fewer pieces, where isl finds them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce(&self) -> Result<Set> {
        let merged = self.merged()?;
        Ok(if self.has_divisions()? && !merged.is_equal(self)? { self.clone() } else { merged })
    }

    /// The same points in fewer pieces, or, seldom, more points; never fewer.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce_outward(&self) -> Result<Set> {
        let merged = self.merged()?;
        Ok(if self.is_subset(&merged)? { merged } else { self.clone() })
    }

    fn merged(&self) -> Result<Set> {
        let merged = unsafe { Set::wrap_raw(self.context(), sys::isl_set_coalesce(self.take())) };
        Ok(unless_invalid(merged)?.unwrap_or_else(|| self.clone()))
    }

    fn has_divisions(&self) -> Result<bool> {
        unsafe { self.context().truth(sys::isl_set_involves_locals(self.keep())) }
    }
}

impl Map {
    /// The same pairs in fewer pieces, where isl finds them.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn coalesce(&self) -> Result<Map> {
        let merged = unsafe { Map::wrap_raw(self.context(), sys::isl_map_coalesce(self.take())) };
        let Some(merged) = unless_invalid(merged)? else { return Ok(self.clone()) };
        Ok(if self.wrap()?.has_divisions()? && !merged.is_equal(self)? { self.clone() } else { merged })
    }
}

/// `None` for isl's own failure; the work bound is still an error.
fn unless_invalid<T>(result: Result<T>) -> Result<Option<T>> {
    match result {
        Err(error) if error.kind == ErrorKind::Invalid && !error.message.is_empty() => Ok(None),
        other => other.map(Some),
    }
}
