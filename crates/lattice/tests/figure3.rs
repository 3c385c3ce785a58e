//! Bee's Figure 3, from the difference sets: the sizes that the heuristics find.
//!
//! The paper prints heuristic 1.a in its column H1; powers of 2 are larger before they are clipped to the extents. Its
//! column OPT took an exhaustive search of up to 46 minutes, and has no entry for diff; here the clique bound meets it.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{Body, Differences, Heuristic, best_heuristic, heuristic_mappings, optimal_mapping};

/// Cells by heuristic 1 (powers of 2), 1.a, and the best of 2 and 3.
fn cells(text: &str) -> [i64; 3] {
    let ctx = Context::new();
    let set = Set::read(&ctx, text).unwrap();
    let (differences, body) = (Differences::of(&set).unwrap(), Body::of(&set).unwrap());
    assert!(body.is_exactly(&differences), "the sets of Figure 3 are the integer points of their hulls");
    let candidates = heuristic_mappings(&differences, Some(&body)).unwrap();
    assert!(candidates.iter().all(|c| c.folding.conflict(&differences).is_none()));
    let least = |wanted: &[Heuristic]| {
        candidates.iter().filter(|c| wanted.contains(&c.heuristic)).map(|c| c.cells).min().unwrap()
    };
    [least(&[Heuristic::One]), least(&[Heuristic::OneA]), least(&[Heuristic::Two, Heuristic::Three])]
}

fn best(text: &str) -> String {
    let ctx = Context::new();
    let set = Set::read(&ctx, text).unwrap();
    let best = best_heuristic(&Differences::of(&set).unwrap(), Some(&Body::of(&set).unwrap())).unwrap();
    best.folding.to_string()
}

/// The smallest mapping and its cells, which no mapping can undercut.
fn optimum(text: &str) -> (String, u64) {
    let ctx = Context::new();
    let set = Set::read(&ctx, text).unwrap();
    let differences = Differences::of(&set).unwrap();
    let best = optimal_mapping(&differences, Some(&Body::of(&set).unwrap()), 10_000_000).unwrap();
    assert!(best.is_optimal() && best.clique == best.cells && best.folding.conflict(&differences).is_none());
    (best.folding.to_string(), best.cells)
}

const Y: &str = "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }";
const MEAN: &str = "{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }";
const DIFF: &str = "{ [i, j, k] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 and -64 < k < 64 }";
const C: &str = "{ [i, j] : -9 < i < 9 and -9 < j < 9 and -9 < i - j < 9 }";
const G_TMP: &str = "{ [i, j] : -48 < i < 48 and -50 < j < 50 }";

#[test]
fn bee_fig3_durbin_y() {
    assert_eq!(cells(Y), [256, 200, 200]);
    assert_eq!(best(Y), "(x0 mod 100, x1 mod 2)");
    assert_eq!(optimum(Y), ("(2 x0 + x1 mod 197)".to_string(), 197));
}

/// The arrays sum_t and mean.
#[test]
fn bee_fig3_reg_detect_mean() {
    assert_eq!(cells(MEAN), [64, 36, 36]);
    assert_eq!(best(MEAN), "(x0 mod 6, x1 mod 6)");
    assert_eq!(optimum(MEAN), ("(x0 mod 3, x0 + x1 mod 9)".to_string(), 27));
}

#[test]
fn bee_fig3_reg_detect_diff() {
    assert_eq!(cells(DIFF), [4096, 2304, 2304]);
    assert_eq!(best(DIFF), "(x0 mod 6, x1 mod 6, x2 mod 64)");
    assert_eq!(optimum(DIFF), ("(x0 mod 3, x0 + x1 mod 9, x2 mod 64)".to_string(), 1728));
}

/// With all cells of c live on entry.
#[test]
fn bee_fig3_dynprog_c() {
    assert_eq!(cells(C), [256, 81, 81]);
    assert_eq!(best(C), "(x0 mod 9, x1 mod 9)");
    assert_eq!(optimum(C).1, 61);
}

#[test]
fn bee_fig3_gauss_g_tmp() {
    assert_eq!(cells(G_TMP), [4096, 2400, 2400]);
    assert_eq!(best(G_TMP), "(x0 mod 48, x1 mod 50)");
    assert_eq!(optimum(G_TMP), ("(x0 mod 48, x1 mod 50)".to_string(), 2400));
}

/// alpha, beta, sum, sum_d, sum_c, g_acc1, g_acc2, ODelta; and Delta, for which the paper prints 10 in all columns because
/// its set is over-approximated at integer divisions: the exact one holds nothing but 0 (Bee §5), so that one cell is enough.
#[test]
fn bee_fig3_scalars() {
    for set in ["{ [0] }", "{ [0, 0] }", "{ [0, 0, 0] }"] {
        assert_eq!(cells(set), [1, 1, 1]);
        assert_eq!(best(set), "()");
        assert_eq!(optimum(set), ("()".to_string(), 1));
    }
}

/// Bee §4.1.1: the minima are 1/99 and 1, at (1, 0) and (0, 1); so heuristic 1.a is i mod 100, j mod 2.
#[test]
fn bee_4_1_3_durbin_y_mapping_of_heuristic_1a() {
    let ctx = Context::new();
    let set = Set::read(&ctx, Y).unwrap();
    let candidates = heuristic_mappings(&Differences::of(&set).unwrap(), Some(&Body::of(&set).unwrap())).unwrap();
    let mapping = |wanted| candidates.iter().find(|c| c.heuristic == wanted).unwrap().to_string();
    assert_eq!(mapping(Heuristic::OneA), "(x0 mod 100, x1 mod 2): 200 cells, heuristic 1.a on the successive minima");
    assert_eq!(mapping(Heuristic::One), "(x0 mod 128, x1 mod 2): 256 cells, heuristic 1 on the successive minima");
}
