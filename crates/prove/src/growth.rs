//! Sets at the sizes n = step · m + residue, with m at hand.
//!
//! What is said of polynomials in m has to be joined with sets whose parameter is n. Coordinates and m get names that are
//! longer than the parameter's, which may be any, so that they are other ones.
//!
//! Example: that `|d| <= 2m` on `{ [d] : -n < d < n }` for n = 2m + 1, since no d of it has `d > 2m` or `d < -2m`.

use polyfold_isl::{PwAff, Result, Set};
use polyfold_lattice::{Affine, AffineBasis};

/// The bound of a coordinate is guessed from its values so far above the first size.
const GUESSED_AT: [i64; 2] = [4, 5];

/// The first size at which there is something is looked for among so many.
const MOST_EMPTY: i64 = 32;

/// Sizes n = step · m + residue with m >= start.
pub(crate) struct Growth {
    parameter: String,
    step: i64,
    residue: i64,
    start: i64,
    dimensions: usize,
}

impl Growth {
    pub(crate) fn of(basis: &AffineBasis, start: i64) -> Growth {
        let AffineBasis { parameter, step, residue, vectors } = basis;
        Growth { parameter: parameter.clone(), step: *step, residue: *residue, start, dimensions: vectors.len() }
    }

    /// The name of a coordinate in conditions.
    pub(crate) fn coordinate(&self, axis: usize) -> String {
        format!("d{axis}_{}", self.parameter)
    }

    /// A function of m in conditions.
    pub(crate) fn text(&self, line: Affine) -> String {
        format!("({} + {} * m_{})", line.constant, line.slope, self.parameter)
    }

    /// The points at these sizes that satisfy a condition on coordinates and m.
    pub(crate) fn select(&self, set: &Set, condition: &str) -> Result<Set> {
        let Growth { parameter: n, step, residue, start, dimensions } = self;
        let m = format!("m_{n}");
        let names: Vec<String> = (0..*dimensions).map(|axis| self.coordinate(axis)).collect();
        let size = format!("{m} >= {start} and {n} = {step} * {m} + {residue}");
        let text = format!("[{n}] -> {{ [{}] : exists ({m} : {size} and ({condition})) }}", names.join(", "));
        set.intersect(&Set::read(set.context(), &text)?)
    }

    /// The same sizes, for sets of other dimensions.
    fn in_dimensions(&self, dimensions: usize) -> Growth {
        Growth { parameter: self.parameter.clone(), dimensions, ..*self }
    }

    /// The function of m that a function of the parameters is at these sizes, if it is one.
    pub(crate) fn line(&self, function: &PwAff) -> Result<Option<Affine>> {
        let (graph, growth) = (function.graph()?, self.in_dimensions(1));
        let [least, most] = [false, true].map(|is_upper| affine_limit(&graph, &growth, 0, is_upper));
        let (least, most) = (least?, most?);
        Ok(if least == most { least } else { None })
    }

    /// The smallest m of the parameter values, if all of these are among the sizes of a basis.
    pub(crate) fn start_of(basis: &AffineBasis, context: &Set) -> Result<Option<i64>> {
        let n = &basis.parameter;
        let size = PwAff::read(context.context(), &format!("[{n}] -> {{ [({n})] }}"))?;
        let values = size.intersect_params(context)?.graph()?.without_parameters()?;
        let Some(start) = values.dim_min_value(0)?.and_then(|least| basis.number(least)) else { return Ok(None) };
        Ok(if Growth::of(basis, start).holds_all(context)? { Some(start) } else { None })
    }

    /// Whether all parameter values are among these sizes.
    fn holds_all(&self, context: &Set) -> Result<bool> {
        let Growth { parameter: n, step, residue, start, .. } = self;
        let m = format!("m_{n}");
        let text = format!("[{n}] -> {{ : exists ({m} : {m} >= {start} and {n} = {step} * {m} + {residue}) }}");
        context.is_subset(&Set::read(context.context(), &text)?)
    }

    /// The first m at which the set has points: `None` if it is not among some tens from the start on.
    pub(crate) fn first(&self, set: &Set) -> Result<Option<i64>> {
        for m in self.start..self.start.saturating_add(MOST_EMPTY) {
            if !set.at(&[(&self.parameter, self.step * m + self.residue)])?.is_empty()? {
                return Ok(Some(m));
            }
        }
        Ok(None)
    }

    /// The set at two sizes from which functions of m are guessed.
    fn guesses(&self, set: &Set) -> Result<[(i64, Set); 2]> {
        let [first, second] = GUESSED_AT.map(|above| self.start + above);
        let at = |m: i64| set.at(&[(&self.parameter, self.step * m + self.residue)]);
        Ok([(first, at(first)?), (second, at(second)?)])
    }
}

/// A bound of a coordinate's absolute value, through the values at two sizes and proved for all.
pub(crate) fn affine_bound(set: &Set, growth: &Growth, axis: usize) -> Result<Option<Affine>> {
    let most = |set: &Set| match (set.dim_max_value(axis)?, set.dim_min_value(axis)?) {
        (Some(high), Some(low)) => Ok(Some(high.saturating_abs().max(low.saturating_abs()))),
        _ => Ok(None),
    };
    let bound = guess(growth.guesses(set)?, most)?;
    let d = growth.coordinate(axis);
    let exceeds = |bound: &String| format!("{d} > {bound} or {d} < -{bound}");
    proved(set, growth, bound, exceeds)
}

/// A bound of a coordinate from below, or from above.
pub(crate) fn affine_limit(set: &Set, growth: &Growth, axis: usize, is_upper: bool) -> Result<Option<Affine>> {
    let limit = |set: &Set| if is_upper { set.dim_max_value(axis) } else { set.dim_min_value(axis) };
    let bound = guess(growth.guesses(set)?, limit)?;
    let (d, sign) = (growth.coordinate(axis), if is_upper { ">" } else { "<" });
    proved(set, growth, bound, |bound| format!("{d} {sign} {bound}"))
}

fn guess(at: [(i64, Set); 2], value: impl Fn(&Set) -> Result<Option<i64>>) -> Result<Option<Affine>> {
    let [(m, first), (_, second)] = at;
    if first.is_empty()? || second.is_empty()? {
        return Ok(None);
    }
    let (Some(first), Some(second)) = (value(&first)?, value(&second)?) else { return Ok(None) };
    let line = || {
        let slope = second.checked_sub(first)?;
        Some(Affine { constant: first.checked_sub(m.checked_mul(slope)?)?, slope })
    };
    Ok(line())
}

/// The bound, if nothing exceeds it.
fn proved(
    set: &Set,
    growth: &Growth,
    bound: Option<Affine>,
    exceeds: impl Fn(&String) -> String,
) -> Result<Option<Affine>> {
    let Some(bound) = bound else { return Ok(None) };
    let beyond = growth.select(set, &exceeds(&growth.text(bound)))?;
    Ok(if beyond.is_empty()? { Some(bound) } else { None })
}
