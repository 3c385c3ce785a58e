//! The search for the smallest lattice against brute force, and its bounds.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{Differences, Search, Slab, clique_bounds, longest_first, smallest_lattice};
use proptest::prelude::*;

/// The smallest determinant, by trying every lattice in Hermite form on every point.
fn brute_force(ds: &Differences) -> u64 {
    (1..).find(|determinant| any_admissible(ds, &mut Vec::new(), *determinant)).expect("a large one is admissible")
}

/// Whether the diagonal can be completed to an admissible lattice.
fn any_admissible(ds: &Differences, diagonal: &mut Vec<i64>, rest: u64) -> bool {
    if diagonal.len() == ds.dimensions() {
        return rest == 1 && any_offsets(ds, diagonal, &mut Vec::new());
    }
    (1..=rest).any(|d| {
        if !rest.is_multiple_of(d) {
            return false;
        }
        diagonal.push(d as i64);
        let found = any_admissible(ds, diagonal, rest / d);
        diagonal.pop();
        found
    })
}

fn any_offsets(ds: &Differences, diagonal: &[i64], rows: &mut Vec<Vec<i64>>) -> bool {
    let k = rows.len();
    if k == diagonal.len() {
        return ds.iter().all(|point| !is_member(rows, point));
    }
    let choices: i64 = diagonal[..k].iter().product();
    (0..choices).any(|mut choice| {
        let mut row = vec![0; diagonal.len()];
        for (entry, d) in row.iter_mut().zip(&diagonal[..k]) {
            *entry = choice % d;
            choice /= d;
        }
        row[k] = diagonal[k];
        rows.push(row);
        let found = any_offsets(ds, diagonal, rows);
        rows.pop();
        found
    })
}

/// Whether a point is an integer combination of lower triangular rows.
fn is_member(rows: &[Vec<i64>], point: &[i64]) -> bool {
    let mut rest = point.to_vec();
    for (k, row) in rows.iter().enumerate().rev() {
        if rest[k] % row[k] != 0 {
            return false;
        }
        let quotient = rest[k] / row[k];
        rest.iter_mut().zip(row).for_each(|(x, b)| *x -= quotient * b);
    }
    rest.iter().all(|x| *x == 0)
}

/// A set, its hull's slabs, and whether it is convex.
struct Case {
    ds: Differences,
    slabs: Vec<Slab>,
    convex: bool,
}

fn case(ctx: &Context, dimensions: usize, points: &[Vec<i64>], fill: bool) -> Case {
    let given = Differences::new(dimensions, points.to_vec());
    let text = |p: &[i64]| format!("[{}]", p.iter().map(i64::to_string).collect::<Vec<_>>().join(", "));
    let all: Vec<String> = given.iter().map(text).chain([text(&vec![0; dimensions])]).collect();
    let hull = Set::read(ctx, &format!("{{ {} }}", all.join("; "))).expect("a set").convex_hull().expect("a hull");
    let filled = Differences::of(&hull).expect("it is bounded");
    let polyhedron = hull.polyhedra().expect("constraints").remove(0);
    let slab = |row: &Vec<i64>| (row[1..].to_vec(), row[0]);
    let mut slabs: Vec<Slab> = polyhedron.inequalities.iter().map(slab).collect();
    for (a, _) in &mut slabs {
        if a.iter().find(|x| **x != 0).is_some_and(|x| *x < 0) {
            a.iter_mut().for_each(|x| *x = -*x);
        }
    }
    slabs.sort();
    slabs.dedup();
    slabs.extend(polyhedron.equalities.iter().map(slab));
    let convex = fill || filled == given;
    Case { ds: if fill { filled } else { given }, slabs, convex }
}

fn optimum(case: &Case, below: u64) -> (Search, Vec<u64>) {
    let order = longest_first(&case.ds);
    let slabs: Vec<Slab> = case.slabs.iter().map(|(a, c)| (order.iter().map(|k| a[*k]).collect(), *c)).collect();
    let bounds = clique_bounds(&case.ds.permuted(&order), &slabs, case.convex);
    (smallest_lattice(&case.ds, &bounds, below, 50_000_000), bounds)
}

fn points() -> impl Strategy<Value = (usize, Vec<Vec<i64>>, bool)> {
    (1usize..4).prop_flat_map(|dimensions| {
        let reach = [12i64, 5, 2][dimensions - 1];
        let point = prop::collection::vec(-reach..=reach, dimensions);
        (Just(dimensions), prop::collection::vec(point, 0..8), any::<bool>())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn the_optimum_is_what_brute_force_finds((dimensions, points, fill) in points()) {
        let ctx = Context::new();
        let case = case(&ctx, dimensions, &points, fill);
        let expected = brute_force(&case.ds);
        let (search, bounds) = optimum(&case, 1 << 20);
        let Search::Found { determinant, basis } = search else { panic!("it is small") };
        prop_assert_eq!(determinant, expected);
        prop_assert!(*bounds.last().unwrap() <= expected);
        let order = longest_first(&case.ds);
        let rows: Vec<Vec<i64>> = basis.iter().map(|row| order.iter().map(|k| row[*k]).collect()).collect();
        prop_assert!(case.ds.permuted(&order).iter().all(|point| !is_member(&rows, point)));
    }
}

fn read(text: &str) -> Case {
    let ctx = Context::new();
    let ds = Differences::of(&Set::read(&ctx, text).expect("a set")).expect("it is bounded");
    let points: Vec<Vec<i64>> = ds.iter().map(<[i64]>::to_vec).collect();
    let hull = Set::read(&ctx, text).expect("a set").convex_hull().expect("a hull");
    let row = |row: &Vec<i64>| (row[1..].to_vec(), row[0]);
    let mut slabs: Vec<Slab> = hull.polyhedra().expect("constraints")[0].inequalities.iter().map(row).collect();
    for (a, _) in &mut slabs {
        if a.iter().find(|x| **x != 0).is_some_and(|x| *x < 0) {
            a.iter_mut().for_each(|x| *x = -*x);
        }
    }
    slabs.sort();
    slabs.dedup();
    assert_eq!(points.len(), ds.len());
    Case { ds, slabs, convex: true }
}

/// Bee, Figure 3, column of the optimal mappings.
#[test]
fn figure_3_optima() {
    for (text, size) in [
        ("{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }", 197),
        ("{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }", 27),
        ("{ [i, j, k] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 and -64 < k < 64 }", 1728),
        ("{ [i, j] : -9 < i < 9 and -9 < j < 9 and -9 < i - j < 9 }", 61),
    ] {
        let (search, bounds) = optimum(&read(text), 10_000);
        assert!(matches!(search, Search::Found { determinant, .. } if determinant == size), "{text}: {search:?}");
        assert_eq!(*bounds.last().unwrap(), size, "{text}");
    }
}

/// The paper gives 2n − 3 for y and 3m² + 3m + 1 for a triangle of side 2m + 1.
#[test]
fn large_optima() {
    let y = "{ [i, k] : -20000 < i + 2k < 20000 and -20000 < i - k < 20000 and -1 <= k <= 1 }";
    let mean = "{ [i, j] : -201 < i < 201 and -201 < j < 201 and -201 < i - j < 201 }";
    for (text, size) in [(y, 2 * 20000 - 3), (mean, 3 * 100 * 100 + 3 * 100 + 1)] {
        let (search, bounds) = optimum(&read(text), 1 << 20);
        assert!(matches!(search, Search::Found { determinant, .. } if determinant == size), "{text}: {search:?}");
        assert_eq!(*bounds.last().unwrap(), size, "{text}");
    }
}

/// isl may describe the hull by one facet of a pair only, the other being implied for integers.
#[test]
fn a_flat_set_in_three_dimensions() {
    let points = [vec![1, 1, 1], vec![0, -1, 1], vec![0, 1, 1], vec![0, -2, 0]];
    let case = case(&Context::new(), 3, &points, true);
    let (search, _) = optimum(&case, 1 << 20);
    assert!(matches!(search, Search::Found { determinant, .. } if determinant == brute_force(&case.ds)));
}
