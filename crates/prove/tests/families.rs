//! Families of lattices over random parametric sets: what is proved holds by enumeration, what is refuted has a witness.

use polyfold_isl::{Context, PwAff, Set};
use polyfold_lattice::{Differences, ModularMapping, families, successive_moduli_in_every_order};
use polyfold_prove::{Admissibility, admissibility, has_positive_moduli};
use proptest::prelude::*;

/// `|form · x| < scale n + constant`.
#[derive(Clone, Debug)]
struct Strip {
    form: (i64, i64),
    scale: i64,
    constant: i64,
}

fn strip() -> impl Strategy<Value = Strip> {
    let form = (-2i64..=2, -2i64..=2).prop_filter("a direction", |form| *form != (0, 0));
    (form, 0i64..=2, 1i64..=3).prop_map(|(form, scale, constant)| Strip { form, scale, constant })
}

/// Strips in all directions of the plane: the set is bounded.
fn strips() -> impl Strategy<Value = Vec<Strip>> {
    let bounded = |strips: &Vec<Strip>| {
        let cross = |a: &Strip, b: &Strip| a.form.0 * b.form.1 - a.form.1 * b.form.0;
        strips.iter().any(|a| strips.iter().any(|b| cross(a, b) != 0))
    };
    prop::collection::vec(strip(), 2..4).prop_filter("it is bounded", bounded)
}

fn set(ctx: &Context, strips: &[Strip]) -> Set {
    let inside = |s: &Strip| {
        let (value, bound) = (format!("{} i + {} j", s.form.0, s.form.1), format!("{} n + {}", s.scale, s.constant));
        format!("{value} < {bound} and -({value}) < {bound}")
    };
    let all: Vec<String> = strips.iter().map(inside).collect();
    Set::read(ctx, &format!("[n] -> {{ [i, j] : n >= 1 and {} }}", all.join(" and "))).expect("a set")
}

fn value(row: &[i64], point: &[i64]) -> i64 {
    row.iter().zip(point).map(|(c, x)| c * x).sum()
}

fn is_zero(mapping: &ModularMapping, n: i64, point: &[i64]) -> bool {
    let modulus = |b: &PwAff| b.eval(&[("n", n)]).unwrap().expect("it is defined");
    mapping.rows.iter().zip(&mapping.moduli).all(|(row, b)| value(row, point) % modulus(b) == 0)
}

fn points(ds: &Set, n: i64) -> Differences {
    Differences::of(&ds.at(&[("n", n)]).unwrap().without_parameters().unwrap()).unwrap()
}

/// The proof's own names for coordinates and moduli are no parameters: those may have any name.
#[test]
fn parameters_may_have_any_name() {
    for name in ["d0", "d1", "m", "v", "s", "b", "x", "x0"] {
        let ctx = Context::new();
        let text = "[N] -> { [i, k] : N >= 3 && -N < i + 2k < N && -N < i - k < N && -1 <= k <= 1 }".replace('N', name);
        let ds = Set::read(&ctx, &text).unwrap();
        let mapping = |constant: i64| {
            let modulus = format!("[{name}] -> {{ [(2{name} - {constant})] : {name} >= 3 }}");
            ModularMapping { rows: vec![vec![2, 1]], moduli: vec![PwAff::read(&ctx, &modulus).unwrap()] }
        };
        assert!(matches!(admissibility(&mapping(3), &ds).unwrap(), Admissibility::Admissible), "{name}");
        assert!(matches!(admissibility(&mapping(4), &ds).unwrap(), Admissibility::Clash(_)), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    #[test]
    fn proofs_and_refutations_hold_by_enumeration(strips in strips()) {
        let ctx = Context::new();
        let ds = set(&ctx, &strips);
        let context = Set::read(&ctx, "[n] -> { : n >= 1 }").expect("a set");
        let sizes = [("n", 20)];
        let mut mappings = families(&ds, &context, &sizes, u64::MAX).expect("it is bounded");
        mappings.extend(successive_moduli_in_every_order(&ds, &context, &sizes).unwrap().into_iter().map(|(_, m)| m));
        let small: Vec<(i64, Differences)> = (1..12).map(|n| (n, points(&ds, n))).collect();
        for mapping in mappings {
            prop_assert!(has_positive_moduli(&mapping, &context).unwrap());
            match admissibility(&mapping, &ds).unwrap() {
                Admissibility::Admissible => {
                    for (n, differences) in &small {
                        let clash = differences.iter().find(|d| is_zero(&mapping, *n, d));
                        prop_assert_eq!(clash, None, "n = {}: {:?}", n, mapping);
                    }
                }
                Admissibility::Clash(clashes) => {
                    prop_assert!(clashes.is_subset(&ds).unwrap());
                    let (parameters, difference) = clashes.sample().unwrap().expect("there is one");
                    prop_assert!(difference.iter().any(|x| *x != 0));
                    prop_assert!(is_zero(&mapping, parameters[0], &difference), "{:?}", mapping);
                }
                Admissibility::Unbounded => {}
            }
        }
    }
}
