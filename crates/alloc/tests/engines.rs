//! What the engines propose for sets whose smallest mappings are known.

#![allow(missing_docs)]

use polyfold_alloc::{Aligned, Mapping, Method, Problem, Sizes, lay_out, propose, propose_besides, propose_smallest};
use polyfold_isl::{Context, PwAff, Set};
use polyfold_lattice::ModularMapping;

/// Bee §3.2: the difference set of Durbin's y.
const DURBIN: &str = "[n] -> { [i, k] : -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }";

/// Rows, moduli at n = 100, and the engine of the first proposal for a set of differences in the plane.
fn first(method: Method, context: &str, declared: &str, differences: &str) -> (Vec<Vec<i64>>, Vec<i64>, Method) {
    let ctx = Context::new();
    let read = |text: &str| Set::read(&ctx, text).expect("it is a set");
    let (differences, context, declared) = (read(differences), read(context), read(declared));
    let problem = Problem {
        extents: &[None, None],
        differences: &differences,
        context: &context,
        declared: Some(&declared),
        available: &["n".to_string()],
        variables: &["n".to_string()],
        growing: &["n".to_string()],
        sizes: &[("n", 100)],
        floor: 1,
    };
    let (Mapping::Modular(mapping), method) = propose(method, &problem).expect("it is bounded").remove(0) else {
        panic!("a row that grows")
    };
    let at = |modulus: &PwAff| modulus.eval(&[("n", 100)]).expect("it fits").expect("it is defined");
    (mapping.rows, mapping.moduli.iter().map(at).collect(), method)
}

/// `b₁ = 1 + max i = n` and, among differences with i = 0, `b₂ = 1 + max k = 2`; the window of two goes outermost.
#[test]
fn successive_modulo_of_durbin_y() {
    let found = first(Method::SuccessiveModulo, "[n] -> { : n >= 3 }", "[n] -> { [i, k] : 0 <= i, k < n }", DURBIN);
    assert_eq!(found, (vec![vec![0, 1], vec![1, 0]], vec![2, 100], Method::SuccessiveModulo));
}

/// Bee §2: `2i + k mod 2n − 3`.
#[test]
fn a_family_of_lattices_for_durbin_y() {
    let found = first(Method::Lattice, "[n] -> { : n >= 3 }", "[n] -> { [i, k] : 0 <= i, k < n }", DURBIN);
    assert_eq!(found, (vec![vec![2, 1]], vec![197], Method::Lattice));
}

/// `2i + k mod 2n − 3` again, before moduli for all sizes are known; where it is refused, one modulus per axis is left.
#[test]
fn what_no_moduli_per_axis_reach_is_proposed_first() {
    let ctx = Context::new();
    let read = |text: &str| Set::read(&ctx, text).expect("it is a set");
    let (differences, context) = (read(DURBIN), read("[n] -> { : n >= 3 }"));
    let problem = Problem {
        extents: &[None, None],
        differences: &differences,
        context: &context,
        declared: None,
        available: &["n".to_string()],
        variables: &["n".to_string()],
        growing: &[],
        sizes: &[("n", 100)],
        floor: 1,
    };
    let cells = |mapping: &Mapping| mapping.cells(&[("n", 100)]).expect("it fits");
    let smallest = propose_smallest(Method::Lattice, &problem).expect("it is bounded");
    assert_eq!(cells(&smallest.proposals[0].0), Some(197));
    let others = propose_besides(Method::Lattice, &problem, &smallest).expect("it is bounded");
    assert_eq!(cells(&others[0].0), Some(200));
    let enough = Problem { floor: 198, ..problem };
    assert!(propose_smallest(Method::Lattice, &enough).expect("it is bounded").proposals.is_empty());
}

/// Bee §5: 3m² + 3m + 1 cells for a triangle of side 2m + 1, here with m = 4.
#[test]
fn the_optimum_of_a_triangle_of_side_9() {
    let (rows, moduli, method) = first(
        Method::Optimal,
        "{ : }",
        "{ [i, j] : 0 <= i, j < 9 }",
        "{ [i, j] : -9 < i < 9 and -9 < j < 9 and -9 < i - j < 9 }",
    );
    assert_eq!((rows.len(), moduli, method), (1, vec![3 * 16 + 3 * 4 + 1], Method::Optimal));
}

/// Where axes are as few as the optimum, that is said of them; who asks for no optimum has no search.
#[test]
fn moduli_per_axis_that_are_optimal_are_said_to_be() {
    let (declared, differences) = ("{ [i, j] : 0 <= i, j < 5 }", "{ [i, j] : -5 < i < 5 and -5 < j < 5 }");
    assert_eq!(first(Method::Optimal, "{ : }", declared, differences).2, Method::Optimal);
    assert_eq!(first(Method::SuccessiveModulo, "{ : }", declared, differences).2, Method::SuccessiveModulo);
}

/// Bee §5: the same for all odd sizes n = 2m + 1, which no affine moduli give. They come near, with (m + 1)(3m + 2) cells, and
/// are simpler: the row has to save 1.5 % of that, unless the optimum is asked for.
#[test]
fn a_row_that_grows_for_triangles_of_odd_side() {
    let ctx = Context::new();
    let read = |text: &str| Set::read(&ctx, text).expect("it is a set");
    let differences = read("[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }");
    let odd = read("[n] -> { : n >= 1 and n mod 2 = 1 }");
    let all = read("[n] -> { : n >= 1 }");
    let cells = |method, context: &Set, size: i64, growing: &[String]| {
        let problem = Problem {
            extents: &[None, None],
            differences: &differences,
            context,
            declared: None,
            available: &["n".to_string()],
            variables: &["n".to_string()],
            growing,
            sizes: &[("n", size)],
            floor: 1,
        };
        let (mapping, _) = propose(method, &problem).expect("it is bounded").remove(0);
        mapping.cells(&[("n", size)]).expect("it fits")
    };
    let n = ["n".to_string()];
    assert_eq!(cells(Method::Lattice, &odd, 51, &n), Some(3 * 25 * 25 + 3 * 25 + 1));
    assert_eq!(cells(Method::Lattice, &odd, 101, &n), Some(51 * 152));
    assert_eq!(cells(Method::Optimal, &odd, 101, &n), Some(3 * 50 * 50 + 3 * 50 + 1));
    assert_eq!(cells(Method::Optimal, &odd, 101, &[]), Some(51 * 152));
    assert_eq!(cells(Method::Optimal, &all, 101, &n), Some(3 * 51 * 51));
}

/// `u[i] = t[i] + t[i - 1]` in order of i: the differences `0 .. n − 1` become one-sided with a shift of −1.
#[test]
fn a_sum_of_neighbours_lies_one_cell_behind() {
    let ctx = Context::new();
    let read = |text: &str| Set::read(&ctx, text).expect("it is a set");
    let (context, whole) = (read("[n] -> { : n >= 2 }"), read("[n] -> { [d] : -n < d < n }"));
    let sizes = Sizes { context: &context, at: &[("n", 20)], drift: false };
    let between = read("[n] -> { [d] : 0 <= d < n }");
    let first = Aligned::first(&whole, sizes).expect("it is bounded");
    let both =
        first.with(&whole, &[Some(&between)], &[], u64::MAX, sizes).expect("it is bounded").expect("there is a place");
    assert_eq!(both.shifts[1][0].as_constant().expect("it has a value"), Some(-1));
    assert_eq!((first.cells, both.cells), (20, 21));
}

#[test]
fn rows_with_one_cell_go_and_windows_stand_outermost() {
    let ctx = Context::new();
    let modulus = |text: &str| PwAff::read(&ctx, text).expect("it is a function");
    let mapping = ModularMapping {
        rows: vec![vec![1, 0, 0], vec![0, 1, 0], vec![0, 0, 1]],
        moduli: vec![modulus("[n] -> { [(n)] }"), modulus("{ [(1)] }"), modulus("{ [(3)] }")],
    };
    let laid_out = lay_out(&mapping, &[None, None, None]).expect("it fits");
    assert_eq!(laid_out.rows, [[0, 0, 1], [1, 0, 0]]);
    assert_eq!(laid_out.moduli[0].as_constant().expect("it has a value"), Some(3));
}
