//! Exact dataflow: which write each read gets its value from.
//!
//! ```text
//! source of (read at r of x) = max { w : the write at w changes x, w < r }
//! ```
//!
//! Example: in `t = …; t = …; … = t;` with dates 0, 1 and 2, the read at 2 gets the value written at 1.
//!
//! isl asks of each read statement which write statements may come last, the latest first, and knows from constants in their dates which
//! those are. It takes what has one name for one statement. So each relation that writes gets a name of its own, and relations that
//! read are asked about one after the other: of one relation for all statements isl asked about all pairs of their pieces, three times as long.
//!
//! The same accesses have the same flow, whichever stage asks (`known`).
//!
//! Paper: Feautrier, Dataflow analysis of array and scalar references (1991), as isl implements it.

use crate::spaces::each;
use crate::{Context, Map, Result, sys};

/// The flow between accesses given by their dates, relations `{ date -> cell }`, best one for each statement, where dates are ordered
/// lexicographically and a write at the date of a read comes after it.
///
/// The result is `{ write -> [read -> cell] }`: the value that `write` leaves in `cell` may be what `read` gets; exact
/// without may-writes. `None`: no read gets its value from a write.
///
/// # Errors
/// When the spaces do not match, or the work bound is reached.
pub fn dataflow(reads: &[Map], must_writes: &[Map], may_writes: &[Map]) -> Result<Option<Map>> {
    let Some(first) = reads.first().filter(|_| !(must_writes.is_empty() && may_writes.is_empty())) else {
        return Ok(None);
    };
    let ctx = first.context();
    let key = ctx.text(&format!("{reads:?} {must_writes:?} {may_writes:?}"))?;
    let mut failed = None;
    let found = ctx.known().flows.read(&key, || match flow(ctx, reads, (must_writes, may_writes)) {
        Ok(flow) => flow.take(),
        Err(error) => {
            failed = Some(error);
            std::ptr::null_mut()
        }
    });
    if let Some(error) = failed {
        return Err(error);
    }
    let flow = Map::wrap_raw(ctx, found)?;
    Ok(if flow.is_empty()? { None } else { Some(flow) })
}

/// As [`dataflow`]; without pairs where nothing flows.
fn flow(ctx: &Context, reads: &[Map], (must_writes, may_writes): (&[Map], &[Map])) -> Result<Map> {
    let sources = Sources { ctx, must: named(must_writes, 0)?, may: named(may_writes, must_writes.len())? };
    let mut all: Option<Map> = None;
    for part in reads.iter().map(|read| sources.reaching(read)) {
        for part in part? {
            all = Some(match all {
                None => part,
                Some(others) => others.union(&part)?,
            });
        }
    }
    match all {
        Some(flow) => Ok(flow),
        None => {
            let (read, write) = (&reads[0], must_writes.iter().chain(may_writes).next().unwrap_or(&reads[0]));
            let any = write.domain()?.with_each_of(&read.wrap()?)?;
            any.subtract(&any)
        }
    }
}

/// Relations that write, each with a name for its dates: a letter and its number.
struct Sources<'a> {
    ctx: &'a Context,
    must: Vec<Map>,
    may: Vec<Map>,
}

fn named(writes: &[Map], first: usize) -> Result<Vec<Map>> {
    let named = |(number, write): (usize, &Map)| {
        let ctx = write.context();
        let name = ctx.text(&format!("W{number}"))?;
        unsafe { Map::wrap_raw(ctx, sys::isl_map_set_tuple_name(write.take(), sys::DIM_IN, name.as_ptr())) }
    };
    (first..).zip(writes).map(named).collect()
}

impl Sources<'_> {
    /// `{ write -> [read -> cell] }` of one relation that reads, for each that writes what it gets, in their order. Each is in as few
    /// pieces as merging makes of it: isl leaves it in one for each case, and whatever is composed with it multiplies them.
    fn reaching(&self, read: &Map) -> Result<Vec<Map>> {
        self.must.iter().chain(&self.may).chain([read]).for_each(|map| self.ctx.owns(map.context()));
        let mut schedule = vec![read.domain()?.identity()?];
        for write in self.must.iter().chain(&self.may) {
            schedule.push(write.domain()?.identity()?.without_range_name()?);
        }
        let mut parts = unsafe {
            let mut info = sys::isl_union_access_info_from_sink(sys::isl_union_map_from_map(read.take()));
            if let Some(must) = union(&self.must) {
                info = sys::isl_union_access_info_set_must_source(info, must);
            }
            if let Some(may) = union(&self.may) {
                info = sys::isl_union_access_info_set_may_source(info, may);
            }
            if let Some(schedule) = union(&schedule) {
                info = sys::isl_union_access_info_set_schedule_map(info, schedule);
            }
            let flow = self.ctx.check(sys::isl_union_access_info_compute_flow(info))?;
            let dependences = self.ctx.check(sys::isl_union_flow_get_full_may_dependence(flow));
            sys::isl_union_flow_free(flow);
            each(self.ctx, dependences?)?
        };
        let number = |part: &Map| part.tuple_names().0.and_then(|name| name[1..].parse::<usize>().ok());
        parts.sort_by_key(number);
        parts.iter().map(|part| part.without_domain_name()?.coalesce()).collect()
    }
}

/// `None` for none.
unsafe fn union(maps: &[Map]) -> Option<*mut sys::isl_union_map> {
    let each = maps.iter().map(|map| unsafe { sys::isl_union_map_from_map(map.take()) });
    each.reduce(|all, next| unsafe { sys::isl_union_map_union(all, next) })
}
