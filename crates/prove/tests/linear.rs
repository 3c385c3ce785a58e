//! Rows that grow: what is proved holds by enumeration, and what does not hold is refused.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{Affine, AffineBasis, Differences, LinearMapping, Polynomial, linear_mappings};
use polyfold_prove::admissible_from;

/// Differences in the plane and in space, by the sizes that they are for.
const SETS: [(&str, i64, i64); 8] = [
    ("-n < i < n and -n < j < n and -n < i - j < n", 2, 1),
    ("-n < i < n and -n < j < n and -n < i - j < n", 1, 0),
    ("-n < i < n and -n < j < n", 1, 0),
    ("-n < i < n and -n < j < n and -n < i + j < n", 2, 1),
    ("-n < i < n and -n < 2j < n", 2, 0),
    (
        "-1 <= v <= 1 and -n < i < n and -n < j < n and (v = 0 or (v = 1 and (i < -1 or (i = -1 and j < -1))) or
      (v = -1 and (i > 1 or (i = 1 and j > 1))))",
        1,
        0,
    ),
    ("-1 <= v <= 1 and -n < i < n and -n < j < n and (v = 0 or (v = 1 and i < 0) or (v = -1 and i > 0))", 1, 0),
    ("-1 <= v <= 1 and -n < i < n and -n < j < n", 1, 0),
];

fn set(ctx: &Context, text: &str) -> Set {
    let coordinates = if text.contains('v') { "v, i, j" } else { "i, j" };
    Set::read(ctx, &format!("[n] -> {{ [{coordinates}] : n >= 1 and {text} }}")).expect("a set")
}

/// Whether no difference but 0 is sent to a multiple of the modulus at one size.
fn holds(mapping: &LinearMapping, ds: &Set, m: i64) -> bool {
    let size = mapping.basis.step * m + mapping.basis.residue;
    let instance = ds.at(&[("n", size)]).and_then(|there| there.without_parameters()).expect("an instance");
    let differences = Differences::of(&instance).expect("it is bounded");
    let modulus = mapping.modulus.at(m.into()).expect("it fits") as i64;
    let value = |d: &[i64]| mapping.row.iter().zip(d).map(|(c, x)| c.at(m) * x).sum::<i64>();
    differences.half().all(|d| value(d) % modulus != 0)
}

/// Each row that is proposed for a set is tried on all of them.
#[test]
fn proofs_hold_by_enumeration() {
    let ctx = Context::new();
    let (mut proved, mut refused) = (0, 0);
    for (text, step, residue) in SETS {
        let own = set(&ctx, text);
        for mapping in linear_mappings(&own, ("n", step, residue), &[], &|_| None).expect("it is bounded") {
            assert!(mapping.is_consistent());
            for (other, ..) in SETS.iter().filter(|(other, ..)| other.contains('v') == text.contains('v')) {
                let ds = set(&ctx, other);
                let start = admissible_from(&mapping.basis, &ds).expect("it can be decided");
                proved += usize::from(start.is_some());
                let counterexample = (0..9).filter(|m| step * m + residue >= 1).find(|m| !holds(&mapping, &ds, *m));
                match (start, counterexample) {
                    (Some(start), Some(m)) => assert!(m < start, "{text} on {other}: m = {m}"),
                    (None, Some(_)) => refused += 1,
                    _ => {}
                }
            }
        }
    }
    assert!(proved >= 8 && refused >= 8, "{proved} proved, {refused} refused");
}

/// A row and a modulus that are not those of the basis prove nothing, however good the basis.
#[test]
fn rows_of_another_lattice_are_no_mappings() {
    let ctx = Context::new();
    let ds = set(&ctx, SETS[0].0);
    let good = linear_mappings(&ds, ("n", 2, 1), &[], &|_| None).expect("it is bounded").remove(0);
    let smaller = Polynomial::new(vec![0, 3, 3]);
    let steeper = vec![Affine { constant: 1, slope: 2 }, Affine { constant: 1, slope: 0 }];
    assert!(good.is_consistent());
    assert!(!LinearMapping { modulus: smaller, ..good.clone() }.is_consistent());
    assert!(!LinearMapping { row: steeper, ..good.clone() }.is_consistent());
    let short = AffineBasis { vectors: good.basis.vectors[..1].to_vec(), ..good.basis.clone() };
    assert!(!LinearMapping { basis: short, ..good.clone() }.is_consistent());
}
