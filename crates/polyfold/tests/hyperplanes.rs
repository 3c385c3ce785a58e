//! Buffers whose members stand in the common space along rows of their own.

use crate::support;
use polyfold_alloc::{Mapping, Method, SharedMember, SharedProposal};
use polyfold_flow::Model;
use polyfold_isl::{Context, PwAff};
use polyfold_lattice::ModularMapping;
use polyfold_live::{CrossDifferences, DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_prove::{MemberFacts, Refusal, SharedFacts, verify_shared};

/// `b` is `a` turned over: `b[j][i]` takes the place of `a[i][j]`.
const TURNED: &str = "void f(int n, int x[n][n]) {
  int a[n][n], b[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) a[i][j] = x[i][j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) b[j][i] = a[i][j] + 1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i][j] = b[j][i];
#pragma endscop
}
";

/// What becomes of a buffer of n by n cells in which `a` and `b` have these rows, and `b` a shift.
fn verdict(of_a: &[&[i64]], of_b: &[&[i64]], shift: &str) -> Result<(), String> {
    let (ctx, scop) = (Context::new(), support::scop(TURNED));
    let model = Model::build(&ctx, &scop).expect("it is small");
    let ids = ["a", "b"].map(|name| scop.array_named(name).expect("it is declared"));
    let lifetimes = Lifetimes::together(&model, &ids).expect("it is small");
    let own = |k: usize| {
        let found = conflicts(&lifetimes[k], Precision::Cell).expect("it is small");
        DifferenceSet::of(&ctx, found, 2).expect("it is small")
    };
    let between = CrossDifferences::of(&lifetimes[0], &lifetimes[1], Precision::Cell).expect("it is small");
    let facts = [MemberFacts { own: own(0), earlier: Vec::new() }, MemberFacts { own: own(1), earlier: vec![between] }];
    let function = |text: &str| PwAff::read(&ctx, &format!("[n] -> {{ [({text})] }}")).expect("a function");
    let member = |k: usize, rows: &[&[i64]], shift: &str| SharedMember {
        array: ids[k],
        rows: rows.iter().map(|row| row.to_vec()).collect(),
        shift: vec![function(shift), function("0")],
    };
    let unit = vec![vec![1, 0], vec![0, 1]];
    let proposal = SharedProposal {
        members: vec![member(0, of_a, "0"), member(1, of_b, shift)],
        mapping: Mapping::Modular(ModularMapping { rows: unit, moduli: vec![function("n"), function("n")] }),
        method: Method::Fast,
    };
    let facts = SharedFacts { members: &facts, context: &model.context };
    match verify_shared(proposal, &facts).expect("it is small") {
        Ok(verified) => {
            let rows: Vec<Vec<i64>> = verified.place(1).rows().iter().map(|row| row.coefficients.clone()).collect();
            let expected: Vec<Vec<i64>> = of_b.iter().map(|row| row.to_vec()).collect();
            if rows == expected { Ok(()) } else { Err(format!("rows {rows:?}")) }
        }
        Err(Refusal::Clash(_)) => Err("clash".to_string()),
        Err(refusal) => Err(format!("{refusal:?}")),
    }
}

const UPRIGHT: &[&[i64]] = &[&[1, 0], &[0, 1]];
const TURNED_OVER: &[&[i64]] = &[&[0, 1], &[1, 0]];

#[test]
fn an_array_that_is_turned_over_fits_on_the_other() {
    assert_eq!(verdict(UPRIGHT, TURNED_OVER, "0"), Ok(()));
    assert_eq!(verdict(TURNED_OVER, UPRIGHT, "0"), Ok(()));
}

#[test]
fn rows_in_which_cells_meet_are_refused() {
    assert_eq!(verdict(UPRIGHT, UPRIGHT, "0"), Err("clash".to_string()));
    assert_eq!(verdict(UPRIGHT, TURNED_OVER, "1"), Err("clash".to_string()));
    assert_eq!(verdict(UPRIGHT, &[&[1, 1], &[1, 1]], "0"), Err("clash".to_string()), "cells of b meet");
    assert_eq!(verdict(UPRIGHT, &[&[0, 2], &[1, 0]], "0"), Err("clash".to_string()), "modulo an even n");
}

#[test]
fn rows_of_another_shape_are_refused() {
    assert_eq!(verdict(UPRIGHT, &[&[0, 1, 0], &[1, 0, 0]], "0"), Err("Unrelated".to_string()));
    assert_eq!(verdict(UPRIGHT, &[&[0, 1]], "0"), Err("Unrelated".to_string()));
}
