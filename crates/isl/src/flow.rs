//! Exact dataflow: which write each read gets its value from.
//!
//! ```text
//! source of (read at r of x) = max { w : the write at w changes x, w < r }
//! ```
//!
//! Example: in `t = …; t = …; … = t;` with dates 0, 1 and 2, the read at 2 gets the value written at 1.
//!
//! Paper: Feautrier, Dataflow analysis of array and scalar references (1991), as isl implements it.

use crate::{Map, Result, sys};

/// The flow between accesses given by their dates, relations `{ date -> cell }`, where dates are ordered
/// lexicographically and a write at the date of a read comes after it.
///
/// The result is `{ write -> [read -> cell] }`: the value that `write` leaves in `cell` may be what `read` gets; exact
/// without may-writes. `None`: no read gets its value from a write.
///
/// # Errors
/// When the spaces do not match, or the work bound is reached.
pub fn dataflow(reads: &Map, must_writes: &Map, may_writes: Option<&Map>) -> Result<Option<Map>> {
    let ctx = reads.context();
    let mut dates = reads.domain()?.union(&must_writes.domain()?)?;
    if let Some(may) = may_writes {
        dates = dates.union(&may.domain()?)?;
    }
    let schedule = dates.identity()?;
    unsafe {
        let union = |map: &Map| sys::isl_union_map_from_map(map.take());
        let mut info = sys::isl_union_access_info_from_sink(union(reads));
        info = sys::isl_union_access_info_set_must_source(info, union(must_writes));
        if let Some(may) = may_writes {
            info = sys::isl_union_access_info_set_may_source(info, union(may));
        }
        info = sys::isl_union_access_info_set_schedule_map(info, union(&schedule));
        let flow = ctx.check(sys::isl_union_access_info_compute_flow(info))?;
        let dependences = single(reads, sys::isl_union_flow_get_full_may_dependence(flow));
        sys::isl_union_flow_free(flow);
        dependences
    }
}

unsafe fn single(like: &Map, union: *mut sys::isl_union_map) -> Result<Option<Map>> {
    let ctx = like.context();
    unsafe {
        let union = ctx.check(union)?;
        if ctx.truth(sys::isl_union_map_is_empty(union))? {
            sys::isl_union_map_free(union);
            return Ok(None);
        }
        Map::wrap_raw(ctx, sys::isl_map_from_union_map(union)).map(Some)
    }
}
