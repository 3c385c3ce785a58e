//! How a row of a valid mapping can be computed in C.
//!
//! A row `v = m·x` needs no modulus where `lo <= v <= lo + b − 1` for every cell the program touches: then
//! `v − lo` names the same classes of cells as `v mod b`. Where a modulus is needed, C's `%` is right for
//! operands that are never negative, which adding a small multiple of b may achieve.
//!
//! Arrays that share a buffer must agree: either `v − lo` fits for all of them, or each row is `v mod b`, which is
//! `v − q b` for an array whose values lie in one interval `q b .. (q+1) b`.

use crate::quotient::linear_map;
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_lattice::ModularMapping;

/// One row of a mapping.
#[derive(Clone, Debug)]
pub struct Row {
    /// Coefficients of the cell's coordinates.
    pub coefficients: Vec<i64>,
    /// What is added to their combination: a number, or a function of the sizes in a shared buffer.
    pub shift: PwAff,
    /// The modulus; also the extent of the buffer's dimension.
    pub modulus: PwAff,
    /// A dimension of the array that the row reads and whose declared extent is the modulus, for all parameters; never in a
    /// shared buffer.
    pub own_extent: Option<usize>,
    /// How to compute it.
    pub form: RowForm,
}

/// How to compute a row.
#[derive(Clone, Debug)]
pub enum RowForm {
    /// `v − lowest` without the shift, which is proved to lie in `0 .. modulus`.
    Fits {
        /// A function of the parameters.
        lowest: PwAff,
    },
    /// `(v + shift + lift · modulus) % modulus`, whose operand is proved not to be negative.
    Modulo {
        /// Not negative.
        lift: i64,
    },
    /// `v + shift` may be negative without a small bound: take the remainder twice.
    SignedModulo,
}

impl Row {
    /// Whether both are computed alike.
    pub(crate) fn is_same(&self, other: &Row) -> Result<bool> {
        let is_form = match (&self.form, &other.form) {
            (RowForm::Fits { lowest }, RowForm::Fits { lowest: other }) => lowest.is_same(other)?,
            (RowForm::Modulo { lift }, RowForm::Modulo { lift: other }) => lift == other,
            (RowForm::SignedModulo, RowForm::SignedModulo) => true,
            _ => false,
        };
        Ok(is_form
            && self.coefficients == other.coefficients
            && self.own_extent == other.own_extent
            && self.shift.is_same(&other.shift)?
            && self.modulus.is_same(&other.modulus)?)
    }
}

/// Largest multiple of the modulus that is added to make operands positive.
const MOST_LIFT: i64 = 8;

/// Rows for each array of a buffer with positive moduli, given the cells that the program touches, at their points in the common space.
pub(crate) fn forms(mapping: &ModularMapping, cells: &[Set], context: &Set) -> Result<Vec<Vec<Row>>> {
    let mut rows = vec![Vec::new(); cells.len()];
    for (coefficients, modulus) in mapping.rows.iter().zip(&mapping.moduli) {
        let values = cells.iter().map(|cells| values(coefficients, cells)).collect::<Result<Vec<_>>>()?;
        for (rows, form) in rows.iter_mut().zip(agreeing(&values, modulus, context)?) {
            let shift = constant(context, 0)?;
            rows.push(Row {
                coefficients: coefficients.clone(),
                shift,
                modulus: modulus.clone(),
                own_extent: None,
                form,
            });
        }
    }
    Ok(rows)
}

/// Adds a function of the sizes to each row that has a modulus, for cells that the program touches: with the same number added, equal values
/// stay equal, and others apart. One that is no whole number for some sizes is not added.
pub(crate) fn begin(rows: &mut [Row], begins: &[PwAff], cells: &Set, context: &Set) -> Result<()> {
    let has_modulus = |row: &Row| !matches!(row.form, RowForm::Fits { .. });
    for (row, begin) in rows.iter_mut().zip(begins).filter(|(row, _)| has_modulus(row)) {
        if begin.as_constant()? == Some(0) || !context.is_subset(&begin.graph()?.params()?)? {
            continue;
        }
        row.shift = begin.clone();
        let values = values(&row.coefficients, cells)?.translated(std::slice::from_ref(&row.shift))?;
        row.form = match modular(&values, &row.modulus, context)? {
            RowForm::Fits { lowest } => RowForm::Fits { lowest: lowest.sub(&row.shift)? },
            form => form,
        };
    }
    Ok(())
}

/// Takes whole moduli away from what is added to a row, as far as no operand is negative then: `(i + 5) mod 5` is `i mod 5`. `common` are its coefficients for
/// the cells at their points in the common space.
pub(crate) fn lower(row: &mut Row, common: &[i64], cells: &Set) -> Result<()> {
    let (RowForm::Modulo { lift: 0 }, Some(added), Some(modulus)) =
        (&row.form, row.shift.as_constant()?, row.modulus.as_constant()?)
    else {
        return Ok(());
    };
    if modulus > 0
        && added >= modulus
        && let Some(least) = values(common, cells)?.dim_min_value(0)?
    {
        let times = (least / modulus).clamp(0, added / modulus);
        row.shift = constant(cells, added - times * modulus)?;
    }
    Ok(())
}

/// Finds the rows whose modulus is an extent of the declaration, which has `declared` cells.
pub(crate) fn find_own_extents(rows: &mut [Row], declared: Option<&Set>, context: &Set) -> Result<()> {
    let Some(declared) = declared else { return Ok(()) };
    let declared = declared.intersect_params(context)?;
    let one = constant(context, 1)?;
    for dimension in 0..declared.dimensions()? {
        let extent = declared.dim_max(dimension)?.add(&one)?;
        let reads = |row: &&mut Row| row.own_extent.is_none() && row.coefficients[dimension] != 0;
        for row in rows.iter_mut().filter(reads) {
            if context.is_subset(&extent.equals(&row.modulus)?)? {
                row.own_extent = Some(dimension);
            }
        }
    }
    Ok(())
}

/// A form for each array, which send equal values to the same cell.
fn agreeing(values: &[Set], modulus: &PwAff, context: &Set) -> Result<Vec<RowForm>> {
    let mut all = values[0].clone();
    for more in &values[1..] {
        all = all.union(more)?;
    }
    match interval(&all, modulus, context)? {
        Some(lowest) => Ok(vec![RowForm::Fits { lowest }; values.len()]),
        None => values.iter().map(|values| modular(values, modulus, context)).collect(),
    }
}

/// `{ [m·x] }` over the touched cells.
fn values(row: &[i64], cells: &Set) -> Result<Set> {
    cells.apply(&linear_map(cells.context(), row.len(), [row])?)
}

/// Where an interval of length `modulus` begins that holds all values.
fn interval(values: &Set, modulus: &PwAff, context: &Set) -> Result<Option<PwAff>> {
    let zero = constant(values, 0)?;
    if values.is_empty()? {
        return Ok(Some(zero));
    }
    let lowest = values.dim_min(0)?.coalesce()?.gist_params(context)?;
    let pieces = lowest.pieces()?.into_iter().map(|(_, piece)| piece);
    for start in [zero].into_iter().chain(pieces) {
        if fits(values, &start, modulus, context)? {
            return Ok(Some(start));
        }
    }
    Ok(None)
}

/// How to compute `v mod modulus`.
fn modular(values: &Set, modulus: &PwAff, context: &Set) -> Result<RowForm> {
    let zero = constant(values, 0)?;
    for lowest in [zero, modulus.clone(), modulus.neg()?] {
        if fits(values, &lowest, modulus, context)? {
            return Ok(RowForm::Fits { lowest });
        }
    }
    for lift in 0..=MOST_LIFT {
        let below = Map::read(values.context(), &format!("{{ [x] -> [b] : x + {lift} * b < 0 }}"))?;
        if below.intersect_domain(values)?.intersect_range(&modulus.graph()?)?.is_empty()? {
            return Ok(RowForm::Modulo { lift });
        }
    }
    Ok(RowForm::SignedModulo)
}

fn constant(like: &Set, value: i64) -> Result<PwAff> {
    PwAff::read(like.context(), &format!("{{ [({value})] }}"))
}

/// Whether `start <= v < start + modulus` for every value, where both are defined for all parameters of the context.
fn fits(values: &Set, start: &PwAff, modulus: &PwAff, context: &Set) -> Result<bool> {
    if !context.is_subset(&start.domain()?)? || !context.is_subset(&modulus.domain()?)? {
        return Ok(false);
    }
    let outside = Map::read(values.context(), "{ [x] -> [s, b] : x < s or x >= s + b }")?;
    let limits = start.graph()?.flat_product(&modulus.graph()?)?;
    outside.intersect_domain(values)?.intersect_range(&limits)?.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    /// Parameters called as the coordinates are in the proof's texts.
    #[test]
    fn parameters_may_have_any_name() {
        for name in ["s", "b", "x", "d0", "n"] {
            let ctx = Context::new();
            let text = |text: &str| text.replace('N', name);
            let (set, function) =
                (|t: &str| Set::read(&ctx, &text(t)).unwrap(), |t: &str| PwAff::read(&ctx, &text(t)).unwrap());
            let context = set("[N] -> { : N >= 1 }");
            let mapping = ModularMapping { rows: vec![vec![1]], moduli: vec![function("[N] -> { [(N)] }")] };
            let form = |cells: &str| forms(&mapping, &[set(cells)], &context).unwrap().remove(0).remove(0).form;
            let RowForm::Fits { lowest } = form("[N] -> { [i] : N <= i < 2N }") else { panic!("{name}") };
            assert_eq!(lowest.eval(&[(name, 7)]).unwrap(), Some(7), "{name}");
            assert!(matches!(form("[N] -> { [i] : -N <= i <= N }"), RowForm::Modulo { lift: 1 }), "{name}");
            assert!(matches!(form("[N] -> { [i] : -9N <= i <= N }"), RowForm::SignedModulo), "{name}");
        }
    }

    /// A ring that goes down has values below 0 for small sizes only where it begins further up.
    #[test]
    fn a_number_is_added_to_rows_with_a_modulus() {
        let ctx = Context::new();
        let set = |text: &str| Set::read(&ctx, text).unwrap();
        let context = set("[n] -> { : n >= 1 }");
        let modulus = |text: &str| PwAff::read(&ctx, text).unwrap();
        let mapping = ModularMapping {
            rows: vec![vec![-1, 1], vec![0, 1]],
            moduli: vec![modulus("{ [(50)] }"), modulus("{ [(30)] }")],
        };
        let cells = set("[n] -> { [i, j] : 0 <= i <= 40 and 0 <= j <= 29 and n >= 1 }");
        let begun = |begins: &[&str]| {
            let mut rows = forms(&mapping, std::slice::from_ref(&cells), &context).unwrap().remove(0);
            let begins: Vec<PwAff> = begins.iter().map(|text| modulus(text)).collect();
            begin(&mut rows, &begins, &cells, &context).unwrap();
            let shifts: Vec<_> = rows.iter().map(|row| row.shift.as_constant().unwrap()).collect();
            (format!("{:?}", rows[0].form), shifts, matches!(rows[1].form, RowForm::Fits { .. }))
        };
        assert_eq!(begun(&[]), ("Modulo { lift: 1 }".to_string(), vec![Some(0), Some(0)], true));
        assert_eq!(
            begun(&["{ [(39)] }", "{ [(7)] }"]),
            ("Modulo { lift: 1 }".to_string(), vec![Some(39), Some(0)], true)
        );
        assert_eq!(
            begun(&["{ [(40)] }", "{ [(7)] }"]),
            ("Modulo { lift: 0 }".to_string(), vec![Some(40), Some(0)], true)
        );
        let (lifted, at_0) = ("Modulo { lift: 1 }".to_string(), vec![Some(0), Some(0)]);
        assert_eq!(begun(&["[n] -> { [(n + 39)] }"]), ("Modulo { lift: 0 }".to_string(), vec![None, Some(0)], true));
        assert_eq!(begun(&["[n] -> { [(39)] : n >= 2 }"]), (lifted.clone(), at_0.clone(), true));
        assert_eq!(begun(&["[n] -> { [(n / 2 + 40)] }"]), (lifted, at_0, true));
    }

    /// `(i + 12) mod 5` for i from -6 on is `(i + 7) mod 5`: one modulus less, and the operand is never negative.
    #[test]
    fn whole_moduli_are_taken_away() {
        let ctx = Context::new();
        let context = Set::read(&ctx, "{ : }").unwrap();
        let mapping = ModularMapping { rows: vec![vec![1]], moduli: vec![PwAff::read(&ctx, "{ [(5)] }").unwrap()] };
        let lowered = |cells: &str, added: i64| {
            let common = Set::read(&ctx, cells).unwrap();
            let mut row = forms(&mapping, std::slice::from_ref(&common), &context).unwrap().remove(0).remove(0);
            row.shift = constant(&common, added).unwrap();
            lower(&mut row, &[1], &common).unwrap();
            row.shift.as_constant().unwrap()
        };
        assert_eq!(lowered("{ [c] : 6 <= c <= 40 }", 12), Some(7));
        assert_eq!(lowered("{ [c] : 12 <= c <= 40 }", 12), Some(2));
        assert_eq!(lowered("{ [c] : 4 <= c <= 40 }", 12), Some(12));
        assert_eq!(lowered("{ [c] : 12 <= c <= 40 }", 4), Some(4));
        assert_eq!(lowered("{ [c] : -3 <= c <= 40 }", 12), Some(12));
    }

    #[test]
    fn nothing_fits_where_it_begins_nowhere() {
        let ctx = Context::new();
        let [context, values] =
            ["[n] -> { : n >= 1 }", "[n] -> { [x] : 0 <= x < n }"].map(|t| Set::read(&ctx, t).unwrap());
        let modulus = PwAff::read(&ctx, "[n] -> { [(n)] }").unwrap();
        let start = |text: &str| PwAff::read(&ctx, text).unwrap();
        assert!(fits(&values, &start("[n] -> { [(0)] }"), &modulus, &context).unwrap());
        assert!(!fits(&values, &start("[n] -> { [(0)] : n >= 2 }"), &modulus, &context).unwrap());
        assert!(!fits(&values, &start("[n] -> { [(9)] : n < 0 }"), &modulus, &context).unwrap());
    }
}
