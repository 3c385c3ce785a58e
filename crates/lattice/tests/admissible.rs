//! Every mapping of every method over random sets, by enumeration.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{
    Body, Differences, Folding, heuristic_mappings, optimal_mapping, successive_moduli_in_every_order,
};
use proptest::prelude::*;

/// A difference other than 0 that all rows send to 0.
fn clash<'a>(rows: &[Vec<i64>], moduli: &[i64], differences: &'a Differences) -> Option<&'a [i64]> {
    let value = |row: &[i64], d: &[i64]| row.iter().zip(d).map(|(c, x)| c * x).sum::<i64>();
    differences.iter().find(|d| rows.iter().zip(moduli).all(|(row, b)| value(row, d) % b == 0))
}

fn clash_of<'a>(folding: &Folding, differences: &'a Differences) -> Option<&'a [i64]> {
    clash(&folding.rows, &folding.moduli, differences)
}

fn points() -> impl Strategy<Value = (usize, Vec<Vec<i64>>, bool)> {
    (1usize..5).prop_flat_map(|dimensions| {
        let reach = [30i64, 9, 4, 2][dimensions - 1];
        let point = prop::collection::vec(-reach..=reach, dimensions);
        (Just(dimensions), prop::collection::vec(point, 0..7), any::<bool>())
    })
}

/// The points, their negatives and 0; `filled` up to their hull, of which isl may find too much on one side.
fn symmetric_set(ctx: &Context, dimensions: usize, points: &[Vec<i64>], filled: bool) -> (Set, Set) {
    let tuple = |sign: i64, p: &[i64]| p.iter().map(|c| (sign * c).to_string()).collect::<Vec<_>>().join(", ");
    let zero = vec![0; dimensions];
    let all = points.iter().chain([&zero]).flat_map(|p| [tuple(1, p), tuple(-1, p)]).map(|t| format!("[{t}]"));
    let set = Set::read(ctx, &format!("{{ {} }}", all.collect::<Vec<_>>().join("; "))).expect("a set");
    let hull = set.convex_hull().expect("a hull");
    let hull = hull.neg().and_then(|other| hull.intersect(&other)).expect("a symmetric hull");
    (if filled { hull.clone() } else { set }, hull)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn every_mapping_of_every_method_is_admissible((dimensions, points, filled) in points()) {
        let ctx = Context::new();
        let (set, hull) = symmetric_set(&ctx, dimensions, &points, filled);
        let differences = Differences::of(&set).expect("it is bounded");
        let body = Body::of(&hull).expect("it is symmetric");
        for candidate in heuristic_mappings(&differences, Some(&body)).expect("they are found") {
            prop_assert_eq!(clash_of(&candidate.folding, &differences), None, "{:?}", candidate);
        }
        let optimum = optimal_mapping(&differences, Some(&body), 100_000).expect("it is found");
        prop_assert_eq!(clash_of(&optimum.folding, &differences), None, "{:?}", optimum);
        prop_assert!(optimum.least <= optimum.cells);
        let all = Set::read(&ctx, "{ : }").expect("no parameters");
        for (order, mapping) in successive_moduli_in_every_order(&set, &all, &[]).expect("they are found") {
            let moduli: Vec<i64> = mapping.moduli.iter().map(|b| b.eval(&[]).unwrap().expect("a number")).collect();
            prop_assert_eq!(clash(&mapping.rows, &moduli, &differences), None, "{:?}: {:?}", order, moduli);
        }
    }
}
