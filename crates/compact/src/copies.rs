//! What is copied into local memory, and back.
//!
//! ```text
//! exposed = { x : some read of x has no sure write of x before it }
//! out     = { x : x may be written, and is needed behind the region }
//! in      = exposed  ∪  (out \ surely written)
//! ```
//!
//! Past a bound on work `exposed` is all that is read: a cell too many is one that the region surely writes itself, so that nobody else may
//! touch it meanwhile, and what is copied in there is never read.
//!
//! The last part are cells that are copied back whether or not they were written: they have to hold what they held before.
//!
//! Example: `for (j…) A[i][j] = …; for (j…) s += A[j][i];` reads `A[i][i]` behind its write, so that it is not copied in.
//!
//! Source: US 8,661,422 says nothing of this; the sets are those of exact dataflow (Feautrier 1991).

use polyfold_flow::{Accesses, union};
use polyfold_isl::{ErrorKind, Map, Result, Set};

/// No more elementary steps are spent on which of the cells that are read are surely written before.
const MOST_STEPS: u64 = 100_000;

/// The cells of one array that are copied.
#[derive(Clone, Debug)]
pub struct Copies {
    /// Into local memory, before the region.
    pub into: Set,
    /// Of these, cells that are copied only because nothing surely writes them.
    pub unsure: Set,
    /// Back, behind it.
    pub back: Set,
}

/// What of an array is copied, given its accesses by date; `is_needed`: some of its values may be read behind the region.
///
/// # Errors
/// When the work bound is reached.
pub fn copies(accesses: &Accesses, is_needed: bool) -> Result<Option<Copies>> {
    let Some(touched) = accesses.cells()? else { return Ok(None) };
    let touched = touched.unnamed()?;
    let nothing = touched.subtract(&touched)?;
    let exposed = match nothing.context().with_quota(MOST_STEPS, || exposed(accesses)) {
        Err(error) if error.kind == ErrorKind::Quota => read(accesses)?,
        other => other?,
    };
    let exposed = exposed.unwrap_or_else(|| nothing.clone());
    let cells = |maps: Vec<&Map>| -> Result<Set> {
        Ok(union(maps)?.map(|all| all.range()?.unnamed()).transpose()?.unwrap_or_else(|| nothing.clone()))
    };
    let sure = cells(accesses.must_writes.iter().collect())?;
    let back = if is_needed { cells(accesses.writes().collect())?.coalesce()? } else { nothing.clone() };
    let unsure = back.subtract(&sure)?.coalesce()?;
    let into = exposed.union(&unsure)?.coalesce()?;
    Ok(Some(Copies { into, unsure, back }))
}

/// The cells that may be read; `None`: nothing is read.
fn read(accesses: &Accesses) -> Result<Option<Set>> {
    union(accesses.uses())?.map(|reads| reads.range()?.unnamed()?.coalesce()).transpose()
}

/// The cells that may be read before they are surely written; `None`: nothing is read.
///
/// # Errors
/// When the work bound is reached.
pub fn exposed(accesses: &Accesses) -> Result<Option<Set>> {
    let Some(reads) = union(accesses.uses())? else { return Ok(None) };
    let mut exposed = reads.clone();
    if let Some(sure) = union(&accesses.must_writes)? {
        // { date -> cell : some earlier date surely writes the cell }
        let dates = reads.domain()?.union(&sure.domain()?)?;
        exposed = reads.subtract(&Map::lex_gt(&dates)?.apply_range(&sure)?)?;
    }
    Ok(Some(exposed.range()?.unnamed()?.coalesce()?))
}
