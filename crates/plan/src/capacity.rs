//! Whether local arrays fit into local memory, for all sizes.
//!
//! Example: with `capacity(64 KiB)` two arrays of `double`, 32 by 32 and 96 by 96, need 81 920 bytes at most, and the larger one
//! has to stay where it is. Buffers, padding and alignment count. Macros have their values here, which are asserted if it takes them.

use crate::compact::Compaction;
use crate::sizes::{constants, sizes_where};
use polyfold_codegen::Manner;
use polyfold_compact::Local;
use polyfold_isl::{Error, Set};
use polyfold_prove::PlacedLocals;
use polyfold_scop::{ArrayId, Pinned, Scop};

/// What does not fit.
pub struct Overflow {
    /// Bytes that there are.
    capacity: u64,
    /// Bytes that are needed at most; `None`: nothing bounds them.
    pub bytes: Option<u64>,
    /// The array of which most is copied.
    pub largest: ArrayId,
    /// Bytes by array, in words.
    parts: String,
}

/// Whether local arrays fit.
pub enum Fit {
    /// They do, as long as macros have these values.
    Fits(Vec<Pinned>),
    /// They do not, even at the values that macros have.
    Overflows(Overflow),
}

/// Bytes by array at most; `None`: nothing bounds them.
type Bytes = Vec<(ArrayId, Option<u64>)>;

/// Whether the local arrays of all versions of a region fit: for all sizes, or for all others at the values that macros have.
///
/// # Errors
/// When the work bound is reached.
pub fn fit(scop: &Scop, compaction: &Compaction, (capacity, manner): (u64, &Manner)) -> Result<Fit, Error> {
    let macros = macros(compaction);
    let mut rests_on_values = false;
    let equation = |pinned: &Pinned| format!("{} = {}", pinned.name, pinned.value);
    let fits = |bytes: &Bytes| total(bytes).is_some_and(|total| total <= capacity);
    for placed in &compaction.plans {
        let context = &placed.plan().context;
        if fits(&bytes(compaction, placed, context, manner)?) {
            continue;
        }
        rests_on_values = true;
        let now = context.intersect(&sizes_where(&compaction.model, macros.iter().map(equation))?)?;
        if now.is_empty()? {
            continue;
        }
        let by_array = bytes(compaction, placed, &now, manner)?;
        if fits(&by_array) {
            continue;
        }
        let Some((largest, _)) = by_array.iter().max_by_key(|(_, bytes)| bytes.unwrap_or(u64::MAX)) else { continue };
        let part = |(array, bytes): &(ArrayId, Option<u64>)| {
            let bytes = bytes.map_or_else(|| "any number".to_string(), |bytes| bytes.to_string());
            format!("{} {bytes}", scop.array(*array).name)
        };
        let parts = by_array.iter().map(part).collect::<Vec<_>>().join(", ");
        return Ok(Fit::Overflows(Overflow { capacity, bytes: total(&by_array), largest: *largest, parts }));
    }
    Ok(Fit::Fits(if rests_on_values { macros } else { Vec::new() }))
}

/// The macros that are sizes of a region, and their values.
fn macros(compaction: &Compaction) -> Vec<Pinned> {
    let all = constants(compaction.model.scop, &compaction.model.parameters).into_iter();
    all.map(|(name, value)| Pinned { name: name.to_string(), value }).collect()
}

/// Bytes by array at most, for some parameter values of a version.
fn bytes(compaction: &Compaction, placed: &PlacedLocals, values: &Set, manner: &Manner) -> Result<Bytes, Error> {
    let mut by_array = Bytes::new();
    for (local, motion) in placed.plan().locals.iter().zip(placed.motions()) {
        let of_one = compaction.model.scop.array(local.array).element_bytes;
        let bytes = most_cells(values, local)?.zip(of_one);
        let bytes = bytes.and_then(|(cells, of_one)| manner.bytes(&cells, motion.buffers(), of_one));
        match by_array.iter_mut().find(|(array, _)| *array == local.array) {
            Some((_, sum)) => *sum = sum.zip(bytes).and_then(|(sum, bytes)| sum.checked_add(bytes)),
            None => by_array.push((local.array, bytes)),
        }
    }
    Ok(by_array)
}

/// Cells of a local array in each dimension at most, for some parameter values of its plan; `None`: there is no bound.
fn most_cells(values: &Set, local: &Local) -> Result<Option<Vec<u64>>, Error> {
    let mut cells = Vec::new();
    for extent in &local.shape.extents {
        let Some(most) = extent.intersect_params(values)?.graph()?.dim_max_value(0)? else { return Ok(None) };
        cells.push(u64::try_from(most).unwrap_or(0));
    }
    Ok(Some(cells))
}

fn total(bytes: &Bytes) -> Option<u64> {
    bytes.iter().try_fold(0u64, |sum, (_, bytes)| sum.checked_add((*bytes)?))
}

impl Overflow {
    /// What is wrong, in words.
    pub fn message(&self) -> String {
        let Overflow { capacity, parts, .. } = self;
        match self.bytes {
            Some(bytes) => format!("local arrays need {bytes} bytes, and there are {capacity}: {parts}"),
            None => format!("nothing bounds the bytes of local arrays, and there are {capacity}: {parts}"),
        }
    }

    /// The arrays that may still be copied, of those that might before; `None`: all of the scop's.
    pub fn others(&self, scop: &Scop, before: Option<Vec<String>>) -> Vec<String> {
        let all = before.unwrap_or_else(|| scop.arrays.iter().map(|array| array.name.clone()).collect());
        all.into_iter().filter(|name| *name != scop.array(self.largest).name).collect()
    }
}
