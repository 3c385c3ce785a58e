//! How a row of a valid mapping can be computed in C.
//!
//! A row `v = m·x` needs no modulus where `lo <= v <= lo + b − 1` for every cell the program touches: then
//! `v − lo` names the same classes of cells as `v mod b`. Where a modulus is needed, C's `%` is right for
//! operands that are never negative, which adding a small multiple of b may achieve.

use crate::quotient::dot;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_lattice::ModularMapping;

/// One row of a mapping.
#[derive(Clone, Debug)]
pub struct Row {
    /// Coefficients of the cell's coordinates.
    pub coefficients: Vec<i64>,
    /// The modulus; also the extent of the buffer's dimension.
    pub modulus: PwAff,
    /// How to compute it.
    pub form: RowForm,
}

/// How to compute a row.
#[derive(Clone, Debug)]
pub enum RowForm {
    /// `v − lowest`, which is proved to lie in `0 .. modulus`.
    Fits {
        /// A function of the parameters.
        lowest: PwAff,
    },
    /// `(v + lift · modulus) % modulus`, whose operand is proved not to be negative.
    Modulo {
        /// Not negative.
        lift: i64,
    },
    /// `v` may be negative without a small bound: take the remainder twice.
    SignedModulo,
}

/// Largest multiple of the modulus that is added to make operands positive.
const MOST_LIFT: i64 = 8;

pub(crate) fn forms(mapping: &ModularMapping, cells: &Set, context: &Set) -> Result<Vec<Row>> {
    let rows = mapping.rows.iter().zip(&mapping.moduli);
    rows.map(|(row, modulus)| {
        let form = form(&values(row, cells)?, modulus, context)?;
        Ok(Row { coefficients: row.clone(), modulus: modulus.clone(), form })
    })
    .collect()
}

/// `{ [m·x] }` over the touched cells.
fn values(row: &[i64], cells: &Set) -> Result<Set> {
    let d: Vec<String> = (0..row.len()).map(|k| format!("d{k}")).collect();
    let map = Map::read(cells.context(), &format!("{{ [{}] -> [{}] }}", d.join(", "), dot(row)))?;
    cells.unnamed()?.apply(&map)
}

fn form(values: &Set, modulus: &PwAff, context: &Set) -> Result<RowForm> {
    let ctx = values.context();
    if values.is_empty()? {
        return Ok(RowForm::Fits { lowest: PwAff::read(ctx, "{ [(0)] }")? });
    }
    let mut starts = vec![PwAff::read(ctx, "{ [(0)] }")?];
    let lowest = values.dim_min(0)?.coalesce()?.gist_params(context)?;
    starts.extend(lowest.pieces()?.into_iter().map(|(_, piece)| piece));
    for start in starts {
        if fits(values, &start, modulus)? {
            return Ok(RowForm::Fits { lowest: start });
        }
    }
    for lift in 0..=MOST_LIFT {
        let below = Map::read(ctx, &format!("{{ [x] -> [b] : x + {lift} * b < 0 }}"))?;
        if below.intersect_domain(values)?.intersect_range(&modulus.graph()?)?.is_empty()? {
            return Ok(RowForm::Modulo { lift });
        }
    }
    Ok(RowForm::SignedModulo)
}

/// Whether `start <= v < start + modulus` for every value.
fn fits(values: &Set, start: &PwAff, modulus: &PwAff) -> Result<bool> {
    let outside = Map::read(values.context(), "{ [x] -> [s, b] : x < s or x >= s + b }")?;
    let limits = start.graph()?.flat_product(&modulus.graph()?)?;
    outside.intersect_domain(values)?.intersect_range(&limits)?.is_empty()
}
