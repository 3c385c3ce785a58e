//! Whether local arrays fit into local memory, for all sizes.
//!
//! Example: with `capacity(64 KiB)` two arrays of `double`, 32 by 32 and 96 by 96, need 81 920 bytes at most, and the larger one
//! has to stay where it is. Buffers, padding and alignment count.

use polyfold::compact::{Compaction, most_cells};
use polyfold_codegen::Manner;
use polyfold_isl::Error;
use polyfold_scop::{ArrayId, Scop};

/// What does not fit.
pub(crate) struct Overflow {
    /// Bytes that there are.
    capacity: u64,
    /// Bytes that are needed at most; `None`: nothing bounds them.
    pub(crate) bytes: Option<u64>,
    /// The array of which most is copied.
    pub(crate) largest: ArrayId,
    /// Bytes by array, in words.
    parts: String,
}

/// The first version of a region whose local arrays do not fit; `None`: all do.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn overflow(
    scop: &Scop,
    compaction: &Compaction,
    (capacity, manner): (u64, &Manner),
) -> Result<Option<Overflow>, Error> {
    for placed in &compaction.plans {
        let plan = placed.plan();
        let mut by_array: Vec<(ArrayId, Option<u64>)> = Vec::new();
        for (local, motion) in plan.locals.iter().zip(placed.motions()) {
            let of_one = compaction.model.scop.array(local.array).element_bytes;
            let bytes = most_cells(plan, local)?.zip(of_one);
            let bytes = bytes.and_then(|(cells, of_one)| manner.bytes(&cells, motion.buffers(), of_one));
            match by_array.iter_mut().find(|(array, _)| *array == local.array) {
                Some((_, sum)) => *sum = sum.zip(bytes).and_then(|(sum, bytes)| sum.checked_add(bytes)),
                None => by_array.push((local.array, bytes)),
            }
        }
        let all = by_array.iter().map(|(_, bytes)| *bytes);
        let total = all.reduce(|sum, bytes| sum.zip(bytes).and_then(|(sum, bytes)| sum.checked_add(bytes))).flatten();
        let largest = by_array.iter().max_by_key(|(_, bytes)| bytes.unwrap_or(u64::MAX));
        let Some((largest, _)) = largest.filter(|_| total.is_none_or(|total| total > capacity)) else { continue };
        let part = |(array, bytes): &(ArrayId, Option<u64>)| {
            let bytes = bytes.map_or_else(|| "any number".to_string(), |bytes| bytes.to_string());
            format!("{} {bytes}", scop.array(*array).name)
        };
        let parts = by_array.iter().map(part).collect::<Vec<_>>().join(", ");
        return Ok(Some(Overflow { capacity, bytes: total, largest: *largest, parts }));
    }
    Ok(None)
}

impl Overflow {
    /// What is wrong, in words.
    pub(crate) fn message(&self) -> String {
        let Overflow { capacity, parts, .. } = self;
        match self.bytes {
            Some(bytes) => format!("local arrays need {bytes} bytes, and there are {capacity}: {parts}"),
            None => format!("nothing bounds the bytes of local arrays, and there are {capacity}: {parts}"),
        }
    }

    /// The arrays that may still be copied, of those that might before; `None`: all of the scop's.
    pub(crate) fn others(&self, scop: &Scop, before: Option<Vec<String>>) -> Vec<String> {
        let all = before.unwrap_or_else(|| scop.arrays.iter().map(|array| array.name.clone()).collect());
        all.into_iter().filter(|name| *name != scop.array(self.largest).name).collect()
    }
}
