//! Polynomials that are nowhere negative on a cone, by a test that is sufficient.
//!
//! A polynomial of degree k becomes homogeneous with the height h as one more coordinate. Its polar form F takes k vectors, is
//! linear in each, and `F(z, …, z)` is the polynomial. With generators g of the cone and λ ≥ 0
//!
//! ```text
//! z = Σ λᵢ gᵢ    =>    f(z) = Σ λᵢ … λⱼ F(gᵢ, …, gⱼ),      so F(gᵢ, …, gⱼ) >= 0 for all choices of k generators is enough
//! ```
//!
//! For k = 1 that says that an affine form is not negative iff it is not at vertices and along rays. Example: `N d − 1` on
//! `1 <= d <= N`, `N >= 2`, with the generators (h, N, d) = (1, 2, 1), (0, 1, 0) and (0, 1, 1), along the middle one: F of the first and
//! it is (2·0 + 1·1)/2.
//!
//! Exact: F is multiplied by k!; what is past 128 bits, or too much work, is not shown.

/// Bound on the work for one question, in products.
const WORK: u64 = 20_000_000;

/// Polynomials of higher degrees are not looked at: k! is the work for each F.
const MOST_DEGREE: usize = 6;

/// A homogeneous polynomial: coefficients, each with the coordinates that are multiplied, as many as its degree.
pub(crate) struct Homogeneous {
    degree: usize,
    terms: Vec<(i128, Vec<usize>)>,
}

impl Homogeneous {
    /// Terms with at most `degree` factors; coordinate 0, the height, fills them up.
    pub(crate) fn new(degree: usize, terms: impl IntoIterator<Item = (i128, Vec<usize>)>) -> Homogeneous {
        let filled = |(coefficient, mut factors): (i128, Vec<usize>)| {
            factors.resize(degree, 0);
            (coefficient, factors)
        };
        Homogeneous { degree, terms: terms.into_iter().map(filled).collect() }
    }

    /// Whether it surely is nowhere negative on the cone of some generators.
    pub(crate) fn is_not_negative(&self, generators: &[Vec<i128>]) -> bool {
        let mut work = WORK;
        self.degree <= MOST_DEGREE && self.is_not_negative_with(&mut Vec::new(), generators, &mut work)
    }

    /// The same of all choices that begin with the chosen ones, in the order of the generators.
    fn is_not_negative_with<'g>(&self, chosen: &mut Vec<&'g [i128]>, left: &'g [Vec<i128>], work: &mut u64) -> bool {
        if chosen.len() == self.degree {
            *work = work.saturating_sub((self.terms.len() * self.degree) as u64);
            return *work > 0 && self.polar(chosen).is_some_and(|value| value >= 0);
        }
        (0..left.len()).all(|next| {
            chosen.push(&left[next]);
            let holds = self.is_not_negative_with(chosen, &left[next..], work);
            chosen.pop();
            holds
        })
    }

    /// `k! F`.
    fn polar(&self, chosen: &[&[i128]]) -> Option<i128> {
        self.terms.iter().try_fold(0i128, |sum, (coefficient, factors)| {
            sum.checked_add(coefficient.checked_mul(permanent(chosen, factors, 0)?)?)
        })
    }
}

/// The sum over all ways to give each vector another one of the factors, but for those given away.
fn permanent(vectors: &[&[i128]], factors: &[usize], given: usize) -> Option<i128> {
    let Some((first, rest)) = vectors.split_first() else { return Some(1) };
    let free = (0..factors.len()).filter(|k| given >> k & 1 == 0);
    free.filter(|k| first[factors[*k]] != 0).try_fold(0i128, |sum, k| {
        let others = permanent(rest, factors, given | 1 << k)?;
        sum.checked_add(others.checked_mul(first[factors[k]])?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// (h, N, d) with `1 <= d <= N` and `N >= 2`.
    const WEDGE: [[i128; 3]; 4] = [[1, 2, 1], [1, 2, 2], [0, 1, 0], [0, 1, 1]];

    fn holds(terms: &[(i128, &[usize])]) -> bool {
        let generators: Vec<Vec<i128>> = WEDGE.iter().map(|g| g.to_vec()).collect();
        Homogeneous::new(2, terms.iter().map(|(c, f)| (*c, f.to_vec()))).is_not_negative(&generators)
    }

    #[test]
    fn a_product_of_a_size_and_a_difference() {
        assert!(holds(&[(1, &[1, 2]), (-2, &[])]), "N d >= 2");
        assert!(!holds(&[(1, &[1, 2]), (-3, &[])]), "N d >= 3");
        assert!(holds(&[(1, &[1, 1]), (-1, &[1, 2])]), "N² >= N d");
        assert!(!holds(&[(1, &[1, 1]), (-1, &[1, 2]), (-1, &[])]), "N² > N d");
        assert!(!holds(&[(1, &[1]), (-1, &[2, 2])]), "N >= d²");
    }

    #[test]
    fn past_128_bits_nothing_is_shown() {
        assert!(!holds(&[(i128::MAX, &[1, 2])]));
    }
}
