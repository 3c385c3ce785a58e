//! Strides for the levels of a line.
//!
//! ```text
//! c = (r₂ r₃ …, r₃ …, …, 1)       r_l = e_l + k for a small k <= 0, the levels in any order, each but the innermost with either sign
//! ```
//!
//! As in C's `a[i][j]`, where e are a buffer's extents. Its levels are often one or two wider than a row of values, because they drift:
//! `i − t` and `j − t` of a nine-point stencil have moduli N + 1, and rows are N long.

use crate::{Form, Polynomial};

/// What an extent in the strides may have more than the buffer's.
const CHANGES: &[i64] = &[0, -1, -2];

/// Strides for levels with some moduli: those nearest to the moduli first.
pub(crate) fn strides(moduli: &[Form]) -> Vec<Vec<Polynomial>> {
    let mut all: Vec<(i64, Vec<Polynomial>)> = Vec::new();
    for order in orders(moduli.len()) {
        // from the level with stride 1 outwards: the strides so far and the next one
        let one = Polynomial::constant(moduli[0].slopes.len(), 1);
        let mut partial = vec![(0, vec![one.clone(); moduli.len()], one)];
        for (place, level) in order.into_iter().enumerate() {
            let mut longer = Vec::new();
            let signs: &[i64] = if place == 0 { &[1] } else { &[1, -1] };
            for (weight, strides, stride) in &partial {
                for sign in signs {
                    for change in if place + 1 < moduli.len() { CHANGES } else { &[0] } {
                        let extent = Polynomial::from(&moduli[level].plus(*change));
                        let mut strides = strides.clone();
                        let signed = Polynomial::constant(moduli[0].slopes.len(), *sign).times(stride);
                        let (Some(signed), Some(next)) = (signed, stride.times(&extent)) else { continue };
                        strides[level] = signed;
                        longer.push((weight - change + i64::from(*sign < 0), strides, next));
                    }
                }
            }
            partial = longer;
        }
        all.extend(partial.into_iter().map(|(weight, strides, _)| (weight, strides)));
    }
    all.sort_by_key(|(weight, _)| *weight);
    all.into_iter().map(|(_, strides)| strides).collect()
}

/// All orders of some levels, the last one first.
fn orders(count: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |order: &Vec<usize>| {
            let free = (0..count).rev().filter(|level| !order.contains(level));
            free.map(|level| [order.as_slice(), &[level]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_of_a_ring_of_rows() {
        let moduli = [1, 0].map(|more| Form { slopes: vec![1], constant: more });
        let texts = |strides: &Vec<Polynomial>| strides.iter().map(|s| s.text(&["N".to_string()])).collect::<Vec<_>>();
        let all: Vec<Vec<String>> = strides(&moduli).iter().map(texts).collect();
        assert_eq!(all[..2], [["N", "1"], ["1", "N + 1"]], "the buffer's own extents");
        assert_eq!(all.len(), 2 * 3 * 2);
        assert!(all.contains(&vec!["1".to_string(), "-N".to_string()]));
    }
}
