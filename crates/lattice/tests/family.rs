//! Families of lattices for the parametric sets of Bee, Figure 3.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{Differences, ModularMapping, families};

const Y: &str = "[n] -> { [i, k] : -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }";
const MEAN: &str = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";
const DIFF: &str = "[n, p] -> { [i, j, k] : -n < i < n and -n < j < n and -n < i - j < n and -p < k < p }";

/// The smallest family at the given sizes.
fn best(ctx: &Context, text: &str, context: &str, sizes: &[(&str, i64)]) -> (Set, ModularMapping) {
    let (ds, context) = (Set::read(ctx, text).expect("a set"), Set::read(ctx, context).expect("a set"));
    let found = families(&ds, &context, sizes, u64::MAX).expect("it is bounded");
    (ds, found.into_iter().next().expect("there is one"))
}

/// Whether no difference is sent to 0, at given sizes.
fn is_admissible(ds: &Set, mapping: &ModularMapping, sizes: &[(&str, i64)]) -> bool {
    let points = Differences::of(&ds.at(sizes).unwrap().without_parameters().unwrap()).unwrap();
    let moduli: Vec<i64> = mapping.moduli.iter().map(|b| b.eval(sizes).unwrap().expect("it is defined")).collect();
    let is_zero = |row: &[i64], b: i64, d: &[i64]| row.iter().zip(d).map(|(c, x)| c * x).sum::<i64>() % b == 0;
    points.iter().all(|d| !mapping.rows.iter().zip(&moduli).all(|(row, b)| is_zero(row, *b, d)))
}

#[test]
fn durbin_y_needs_2n_minus_3_cells() {
    let ctx = Context::new();
    let (ds, mapping) = best(&ctx, Y, "[n] -> { : n >= 1 }", &[("n", 100)]);
    assert_eq!(mapping.rows, [[2, 1]]);
    for n in 1..40 {
        assert!(is_admissible(&ds, &mapping, &[("n", n)]), "n = {n}: {mapping:?}");
        assert_eq!(mapping.cells(&[("n", n)]).unwrap(), Some(2 * n.max(3) as u64 - 3));
    }
}

#[test]
fn triangles_need_three_quarters_of_a_square() {
    let ctx = Context::new();
    let (ds, mapping) = best(&ctx, MEAN, "[n] -> { : n >= 1 }", &[("n", 6)]);
    for n in 1..40i64 {
        assert!(is_admissible(&ds, &mapping, &[("n", n)]), "n = {n}: {mapping:?}");
        let m = (n as u64).div_ceil(2);
        assert_eq!(mapping.cells(&[("n", n)]).unwrap(), Some(3 * m * m));
    }
}

#[test]
fn diff_needs_3_m_squared_p_cells() {
    let ctx = Context::new();
    let (ds, mapping) = best(&ctx, DIFF, "[n, p] -> { : n >= 1 and p >= 1 }", &[("n", 6), ("p", 64)]);
    assert_eq!(mapping.cells(&[("n", 6), ("p", 64)]).unwrap(), Some(1728));
    for sizes in [[("n", 1), ("p", 1)], [("n", 5), ("p", 3)], [("n", 8), ("p", 5)]] {
        assert!(is_admissible(&ds, &mapping, &sizes), "{sizes:?}: {mapping:?}");
    }
}

/// The thirteenth array of a chain of stages, each of which leaves out a border: it has no cells for n < 27.
#[test]
fn sets_that_are_empty_at_small_sizes_have_families_too() {
    let ctx = Context::new();
    let text = "[n, m] -> { [i, j] : n >= 27 and m >= 27 and -1 <= i <= 1 and 26 - m < j < m - 26; \
                [2, j] : n >= 29 and m >= 27 and 26 - m < j < 0; [-2, j] : n >= 29 and m >= 27 and 0 < j < m - 26; [0, 0] }";
    let sizes = [("n", 100), ("m", 100)];
    let (ds, mapping) = best(&ctx, text, "[n, m] -> { : n >= 1 and m >= 1 }", &sizes);
    assert_eq!(mapping.cells(&sizes).unwrap(), Some(2 * 74));
    for m in 1..60 {
        let sizes = [("n", 40), ("m", m)];
        assert!(is_admissible(&ds, &mapping, &sizes), "m = {m}: {mapping:?}");
    }
}
