//! Strict admissibility of a lattice whose basis is affine in one parameter.
//!
//! A difference d = x₁ v₁ + x₂ v₂ has `x₁ = det (d, v₂) / det (v₁, v₂)`. With `|d_k| <= β_k` on DS, β affine,
//!
//! ```text
//! |x₁| < X₁ + 1   if   β₁ |v₂₂| + β₂ |v₂₁| < (X₁ + 1) det (v₁, v₂)   for all m >= m₀,
//! ```
//!
//! a comparison of polynomials in m: written in m − m₀, all coefficients of the difference must be nonnegative and the
//! constant one positive. What remains are finitely many (x₁, x₂), and for each an exact emptiness test of
//! `{ d ∈ DS : d = x₁ v₁ + x₂ v₂ }`, which is affine in m.
//!
//! Example: the hexagon `|i|, |j|, |i − j| < 2m + 1` and (m, 2m + 1), (2m + 1, m + 1), determinant 3m² + 3m + 1.
//!
//! Paper: Bee §5 has such lattices "proved by hand".

use polyfold_isl::{Result, Set};
use polyfold_lattice::{Affine, AffineBasis};

/// Largest coefficient of a basis vector that is enumerated.
const MOST: i64 = 6;

/// The proof is tried from these m on.
const STARTS: std::ops::RangeInclusive<i64> = 0..=6;

/// Coefficients of 1, m and m².
type Polynomial = [i128; 3];

/// The smallest m from which on the lattice is proved to meet DS in 0 only; `None` if there is no proof.
///
/// # Errors
/// When the work bound is reached.
pub fn admissible_from(basis: &AffineBasis, ds: &Set) -> Result<Option<i64>> {
    let Some(bounds) = bounds(basis, ds)? else { return Ok(None) };
    for start in STARTS {
        let [first, second] = basis.vectors;
        let Some(most_first) = coefficient_bound(basis, second, bounds, start) else { continue };
        let Some(most_second) = coefficient_bound(basis, first, bounds, start) else { continue };
        if avoids(basis, ds, start, most_first, most_second)? {
            return Ok(Some(start));
        }
    }
    Ok(None)
}

/// Affine bounds of the coordinates' absolute values, through the values at two sizes and proved for all.
fn bounds(basis: &AffineBasis, ds: &Set) -> Result<Option<[Affine; 2]>> {
    let mut found = Vec::new();
    for axis in 0..2 {
        let most = |m: i64| ds.at(&[(&basis.parameter, basis.step * m + basis.residue)])?.dim_max_value(axis);
        let (Some(first), Some(second)) = (most(4)?, most(5)?) else { return Ok(None) };
        let bound = Affine { constant: first - 4 * (second - first), slope: second - first };
        let names = Names::of(basis);
        let (d, most) = (&names.differences[axis], names.text(bound));
        let beyond = format!("{d} > {most} or {d} < -({most})");
        if !at_sizes(basis, ds, 0, &beyond)?.is_empty()? {
            return Ok(None);
        }
        found.push(bound);
    }
    Ok(Some([found[0], found[1]]))
}

/// Names for m and the coordinates in isl text; longer than the parameter's, which may be any, they are other ones.
struct Names {
    number: String,
    differences: [String; 2],
}

impl Names {
    fn of(basis: &AffineBasis) -> Names {
        let n = &basis.parameter;
        Names { number: format!("m_{n}"), differences: [format!("d0_{n}"), format!("d1_{n}")] }
    }

    fn text(&self, line: Affine) -> String {
        format!("({} + {} * {})", line.constant, line.slope, self.number)
    }
}

/// Differences at sizes with m >= start that satisfy a condition on the coordinates and m.
fn at_sizes(basis: &AffineBasis, ds: &Set, start: i64, condition: &str) -> Result<Set> {
    let AffineBasis { parameter: n, step, residue, .. } = basis;
    let Names { number: m, differences: [x, y] } = Names::of(basis);
    let size = format!("{m} >= {start} and {n} = {step} * {m} + {residue}");
    let text = format!("[{n}] -> {{ [{x}, {y}] : exists ({m} : {size} and ({condition})) }}");
    ds.intersect(&Set::read(ds.context(), &text)?)
}

/// The smallest X with |x| < X + 1 for the coefficient x of the other vector.
fn coefficient_bound(basis: &AffineBasis, other: [Affine; 2], bounds: [Affine; 2], start: i64) -> Option<i64> {
    let absolute =
        |line: Affine| sign(line, start).map(|s| Affine { constant: s * line.constant, slope: s * line.slope });
    let [x, y] = [absolute(other[0])?, absolute(other[1])?];
    let most = add(product(bounds[0], y), product(bounds[1], x));
    let determinant = basis.determinant().map(i128::from);
    (0..=MOST).find(|bound| {
        let limit = determinant.map(|c| c * i128::from(bound + 1));
        is_positive([limit[0] - most[0], limit[1] - most[1], limit[2] - most[2]], start)
    })
}

/// 1 or -1 if the function has that sign, or is 0, for all m >= start.
fn sign(line: Affine, start: i64) -> Option<i64> {
    match (line.at(start), line.slope) {
        (value, slope) if value >= 0 && slope >= 0 => Some(1),
        (value, slope) if value <= 0 && slope <= 0 => Some(-1),
        _ => None,
    }
}

fn product(a: Affine, b: Affine) -> Polynomial {
    let [a0, a1, b0, b1] = [a.constant, a.slope, b.constant, b.slope].map(i128::from);
    [a0 * b0, a0 * b1 + a1 * b0, a1 * b1]
}

fn add(a: Polynomial, b: Polynomial) -> Polynomial {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// Whether a polynomial is surely positive for all m >= start.
fn is_positive([c0, c1, c2]: Polynomial, start: i64) -> bool {
    let s = i128::from(start);
    c0 + s * (c1 + s * c2) > 0 && c1 + 2 * s * c2 >= 0 && c2 >= 0
}

/// Whether no combination of the vectors with coefficients up to the bounds, but 0, is a difference.
fn avoids(basis: &AffineBasis, ds: &Set, start: i64, most_first: i64, most_second: i64) -> Result<bool> {
    let [u, v] = basis.vectors;
    let names = Names::of(basis);
    for x in 0..=most_first {
        for y in -most_second..=most_second {
            if (x, y) <= (0, 0) {
                continue;
            }
            let coordinate = |k: usize| {
                let sum =
                    Affine { constant: x * u[k].constant + y * v[k].constant, slope: x * u[k].slope + y * v[k].slope };
                format!("{} = {}", names.differences[k], names.text(sum))
            };
            let condition = format!("{} and {}", coordinate(0), coordinate(1));
            if !at_sizes(basis, ds, start, &condition)?.is_empty()? {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;
    use polyfold_lattice::affine_bases;

    const MEAN: &str = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";

    /// The smallest conjecture that is proved, with the m from which it holds.
    fn proved(text: &str, step: i64, residue: i64) -> ([i64; 3], i64) {
        proved_in(text, "n", step, residue)
    }

    fn proved_in(text: &str, parameter: &str, step: i64, residue: i64) -> ([i64; 3], i64) {
        let ctx = Context::new();
        let ds = Set::read(&ctx, text).unwrap();
        let found = affine_bases(&ds, parameter, step, residue).unwrap();
        let proved = found.iter().find_map(|b| Some((b.determinant(), admissible_from(b, &ds).unwrap()?)));
        proved.unwrap_or_else(|| panic!("{} conjectures, none proved", found.len()))
    }

    /// Bee §5: triangles of side 2m + 1 and of side 2m.
    #[test]
    fn triangles() {
        assert_eq!(proved(MEAN, 2, 1).0, [1, 3, 3]);
        assert_eq!(proved(MEAN, 2, 0).0, [0, 0, 3]);
    }

    /// The proof has names of its own, whatever the parameter is called.
    #[test]
    fn parameters_may_have_any_name() {
        let renamed = |name: &str| MEAN.replace("and", "&&").replace('n', name);
        let wrong = |name: &str| {
            let ctx = Context::new();
            let ds = Set::read(&ctx, &renamed(name)).unwrap();
            let mut basis = affine_bases(&ds, name, 2, 1).unwrap().remove(0);
            basis.vectors[0][0].constant -= 1;
            admissible_from(&basis, &ds).unwrap()
        };
        for name in ["m", "d0", "d1", "x", "m_", "d0_m", "v", "s", "b"] {
            assert_eq!(proved_in(&renamed(name), name, 2, 1), proved(MEAN, 2, 1), "{name}");
            assert_eq!(wrong(name), None, "{name}");
        }
    }

    /// Bee §2: Durbin's y in 2n − 3 cells.
    #[test]
    fn durbin_y() {
        let (determinant, start) =
            proved("[n] -> { [i, k] : n >= 3 and -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }", 1, 3);
        assert_eq!(determinant, [3, 2, 0]);
        assert!(start <= 1);
    }

    #[test]
    fn wrong_bases_are_refused() {
        let ctx = Context::new();
        let ds = Set::read(&ctx, MEAN).unwrap();
        let mut basis = affine_bases(&ds, "n", 2, 1).unwrap().remove(0);
        basis.vectors[0][0].constant -= 1;
        assert_eq!(admissible_from(&basis, &ds).unwrap(), None);
    }
}
