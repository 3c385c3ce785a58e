//! A few cells more for circular buffers of values that slide then.
//!
//! A circular buffer of b cells that moves with each iteration of a loop may be a window in a larger
//! buffer ([`polyfold_prove::sliding_windows`]). No subscript wraps around. All cells move once in as
//! many iterations as there are cells more. With
//!
//! ```text
//! b + c + ⌊b / 64⌋ cells,   c = 14, 7 or 4
//! ```
//!
//! that is 64 copies an iteration at most, whatever b is. The first c is taken for which there is
//! slack. A stencil of three points runs at 0.70 of the speed of two grids with 101 cells, and at 0.82
//! with 5 more (gcc 12, -O3 -march=native). With 301 cells it runs at 0.77, and at 0.91 with 11 more.
//!
//! Example: with `--room 3`, 1 262 for 1 229. Where nobody says how much slack there is, the buffer
//! stays circular. A stencil in one dimension needs hardly more than the values alive at once, and
//! users count on that.

use crate::buffer::SharedBuffer;
use crate::gathering::Gathering;
use crate::search::StorageSearch;
use crate::sizes::borrow;
use crate::slack::Slack;
use polyfold_alloc::{Mapping, SharedProposal};
use polyfold_isl::{Error, Map, PwAff};
use polyfold_lattice::ModularMapping;
use polyfold_prove::Placed;

/// How many copies an iteration takes at most.
const COPIES: i64 = 64;

/// How many cells there are more, whatever the size.
const MORE: [i64; 3] = [14, 7, 4];

impl Gathering<'_> {
    /// A buffer with cells to slide in, if there is slack for them.
    pub(crate) fn with_cells_to_slide(
        &self,
        search: &StorageSearch,
        buffer: &SharedBuffer,
    ) -> Result<Option<SharedBuffer>, Error> {
        let Mapping::Modular(mapping) = &buffer.storage.get().mapping else { return Ok(None) };
        let [modulus] = &mapping.moduli[..] else { return Ok(None) };
        let is_circular = buffer.places().all(Placed::takes_remainders);
        let is_asked = matches!(search.options.slack, Slack::Percent(_));
        if !search.options.in_strips || search.options.method.is_some() || !is_asked || !is_circular {
            return Ok(None);
        }
        let (modulus, most) =
            (without_cases(search, modulus)?, search.options.slack.most(buffer.least).saturating_add(1));
        for more in MORE {
            let larger = Map::read(search.ctx, &format!("{{ [b] -> [b + {more} + floor(b / {COPIES})] }}"))?;
            let cells = modulus.graph()?.apply(&larger)?.dim_max(0)?.coalesce()?;
            let mapping = ModularMapping { moduli: vec![cells], ..mapping.clone() };
            let proposal = SharedProposal { mapping: Mapping::Modular(mapping), ..buffer.storage.get().clone() };
            if let Some(larger) = self.proved(proposal, most)? {
                return Ok(Some(SharedBuffer { least: buffer.least, ..larger }));
            }
        }
        Ok(None)
    }
}

/// What a modulus is at the sizes counted at, as a function of all sizes: `n - 1` for `n == 1 ? 1 : n - 1`.
fn without_cases(search: &StorageSearch, modulus: &PwAff) -> Result<PwAff, Error> {
    for (sizes, piece) in modulus.pieces()? {
        if !sizes.at(&borrow(search.sizes))?.is_empty()? {
            return Ok(piece);
        }
    }
    Ok(modulus.clone())
}
