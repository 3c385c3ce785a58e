//! The least bound on conflict differences that is affine in the parameters.
//!
//! ```text
//! lexmin (u, w):   |Γ·s + δ − Γ'·t − δ'| <= u·P + w   for all conflicts (s, t)
//! ```
//!
//! u is sought in `0..=c`; w is any integer. At a generator the left side is a number, so that there is one inequality per
//! generator. The bound is also not negative for any parameters of the context, which makes the modulus `u·P + w + 1` positive.
//! Paper: SMO §4, constraints (3) and (6), and the order of objective (10).

use crate::Form;
use crate::conflicts::Corner;
use crate::form::dot;

/// Largest coefficient of a parameter in a bound. The paper's c is 10; it need not be small here.
const MOST_SLOPE: i64 = 64;

/// A generator with the absolute value of the difference there.
pub(crate) type Reach<'a> = (&'a Corner, i64);

/// The lexicographically least bound; `None` if there is none.
pub(crate) fn least_bound<'a>(reaches: &[Reach<'a>], context: &'a [Corner]) -> Option<Form> {
    let parameters = context.first()?.parameters.len();
    let nowhere_negative = context.iter().map(|corner| (corner, 0));
    let all: Vec<Reach> = reaches.iter().copied().chain(nowhere_negative).collect();
    let (rays, vertices): (Vec<_>, Vec<_>) = all.into_iter().partition(|(corner, _)| corner.height == 0);
    let slopes = least_slopes(&rays, &mut vec![0; parameters], 0)?;
    let constant = vertices.iter().map(|(corner, reach)| excess(corner, *reach, &slopes)).max()?;
    Some(Form { slopes, constant })
}

/// The least w with `reach <= u·P + w` at a vertex.
pub(crate) fn excess(corner: &Corner, reach: i64, slopes: &[i64]) -> i64 {
    ceiling(reach - dot(slopes, &corner.parameters), corner.height)
}

/// The least integer that is at least `dividend / divisor`.
pub(crate) fn ceiling(dividend: i64, divisor: i64) -> i64 {
    -(-dividend).div_euclid(divisor)
}

/// The first slopes, in lexicographic order, with which the bound holds along all rays.
fn least_slopes(rays: &[Reach], slopes: &mut Vec<i64>, known: usize) -> Option<Vec<i64>> {
    if known == slopes.len() {
        let holds = |(corner, reach): &Reach| dot(slopes, &corner.parameters) >= *reach;
        return rays.iter().all(holds).then(|| slopes.clone());
    }
    for slope in 0..=MOST_SLOPE {
        slopes[known] = slope;
        let may_hold = |(corner, reach): &Reach| {
            let (fixed, free) = corner.parameters.split_at(known + 1);
            let most: i64 = free.iter().map(|step| step.max(&0) * MOST_SLOPE).sum();
            dot(&slopes[..=known], fixed) + most >= *reach
        };
        if rays.iter().all(may_hold)
            && let Some(found) = least_slopes(rays, slopes, known + 1)
        {
            return Some(found);
        }
    }
    slopes[known] = 0;
    None
}

/// Whether an affine function of the parameters is nowhere negative.
pub(crate) fn is_not_negative(form: &Form, context: &[Corner]) -> bool {
    context.iter().all(|corner| dot(&form.slopes, &corner.parameters) + form.constant * corner.height >= 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner(height: i64, parameters: &[i64]) -> Corner {
        Corner { height, parameters: parameters.to_vec() }
    }

    #[test]
    fn the_least_slope_first_then_the_least_constant() {
        // parameters T >= 2 and N >= 4; a difference that reaches N - 1
        let context = [corner(1, &[2, 4]), corner(0, &[1, 0]), corner(0, &[0, 1])];
        let reaches = [(&context[0], 3), (&context[1], 0), (&context[2], 1)];
        assert_eq!(least_bound(&reaches, &context), Some(Form { slopes: vec![0, 1], constant: -1 }));
        let unbounded = corner(0, &[0, 0]);
        assert_eq!(least_bound(&[(&unbounded, 1)], &context), None);
        let (nothing, somewhere) = (corner(0, &[]), [corner(1, &[])]);
        assert_eq!(least_bound(&[(&nothing, 1)], &somewhere), None, "without parameters, too");
    }

    #[test]
    fn a_bound_is_not_negative_where_there_is_no_conflict() {
        let (one, ray) = (corner(1, &[1]), corner(0, &[1]));
        let context = [one, ray];
        let three = corner(1, &[3]);
        // 2 N - 6 from N = 3 on
        let reaches = [(&three, 0), (&context[1], 2)];
        assert_eq!(least_bound(&reaches, &context), Some(Form { slopes: vec![2], constant: -2 }));
    }
}
