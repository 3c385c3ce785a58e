//! Programs on which the paper's rules, taken literally, are wrong or wasteful.

use crate::pipeline::{Pipeline, Stage, Window};
use crate::replay;
use polyfold_isl::{Context, Map, Set};
use polyfold_smo::{
    Allocation, Buffer, ConflictSet, Engine, Form, Member, Outcome, Proved, Refusal, Row, storage_mapping,
    storage_mapping_by, verify,
};

const ENGINES: [Engine; 5] = [Engine::Separate, Engine::Smo, Engine::Joint, Engine::Fast, Engine::Auto];

fn solved_by(engine: Engine, conflicts: &ConflictSet, sizes: &[i64]) -> Proved<Allocation> {
    match storage_mapping_by(engine, conflicts, sizes).unwrap().outcome {
        Outcome::Proved(allocation) => allocation,
        other => panic!("{engine:?}: {other:?}"),
    }
}

/// What each engine needs at some sizes; no pair of the text shares a cell at others.
#[track_caller]
fn cells_by_all(conflicts: &ConflictSet, pairs: &str, sizes: &[i64], replayed_at: &[i64]) -> [i128; 5] {
    ENGINES.map(|engine| {
        let proved = solved_by(engine, conflicts, sizes);
        for map in Map::read_each(conflicts.context().context(), pairs).unwrap() {
            assert_eq!(replay::clash_of(conflicts, &map, proved.value(), replayed_at), None, "{engine:?}");
        }
        proved.value().cells(sizes)
    })
}

fn solved(conflicts: &ConflictSet) -> Proved<Allocation> {
    match storage_mapping(conflicts).unwrap() {
        Outcome::Proved(allocation) => allocation,
        other => panic!("{other:?}"),
    }
}

/// §4.4 takes two values as apart if their places differ by less than both statements' own moduli. Executed with a modulus for
/// each statement inside one buffer, this pipeline loses a value of its last stage; with the buffer's moduli it does not.
#[test]
fn different_moduli_in_one_buffer() {
    let window = |stage, from, to| Window { stage, from, to };
    let stage = |extent, reads, is_live_out| Stage { extent, reads, is_live_out };
    let pipeline = Pipeline {
        stages: vec![
            stage("N + 2", vec![], false),
            stage("N", vec![window(0, -1, 1)], false),
            stage("N", vec![window(1, -2, -2)], false),
            stage("N + 2", vec![window(0, 0, 2), window(2, -1, 1)], true),
        ],
        is_fused: true,
    };
    let ctx = Context::new();
    let maps = pipeline.conflicts(&ctx).unwrap();
    let conflicts = ConflictSet::new(Set::read(&ctx, "[N] -> { : N >= 8 }").unwrap(), &maps).unwrap();
    let proved = solved(&conflicts);
    for (size, map) in [8, 11].into_iter().flat_map(|size| maps.iter().map(move |map| (size, map))) {
        assert_eq!(replay::clash_of(&conflicts, map, proved.value(), &[size]), None);
    }
}

/// Why: places 5 and 3 differ by less than the moduli 5 and 3, and yet both are sent to 0. A buffer has one modulus for all its
/// members here, and the proof refuses one that is too small for their differences.
#[test]
fn five_modulo_five_is_three_modulo_three() {
    let pairs = "{ S[i] -> T[j] : 0 <= i <= 3 and 0 <= j <= 3 and i != j; S[i] -> S[j] : 0 <= i < j <= 3 }";
    let conflicts = ConflictSet::read(&Context::new(), "{ : }", pairs).unwrap();
    let row = || Row { coefficients: vec![1], offset: 0 };
    let members = || (0..2).map(|statement| Member { statement, rows: vec![row()] }).collect();
    let with = |modulus| Allocation::of(vec![Buffer { moduli: vec![Form::constant(0, modulus)], members: members() }]);
    let Err(Refusal::Clash(clash)) = verify(&conflicts, with(3)).unwrap() else { panic!() };
    assert_eq!((clash.one.1[0] - clash.other.1[0]).abs(), 3);
    assert!(verify(&conflicts, with(4)).unwrap().is_ok());
}

/// Blur with its first stage split by lifetime: `Sa` for the rows that are dead after the column, `Sb` for the last two.
/// Comparability of slopes (§4.5) keeps all three statements together, at 6B² cells.
#[test]
fn blur_split_by_lifetime_is_not_larger_than_separate_arrays() {
    let pairs = "[B] -> {
        Sa[x, y] -> Sa[x, y'] : 0 <= x < B and 0 <= y < y' < B - 2;
        Sa[x, y] -> Sb[x, y'] : 0 <= x < B and 0 <= y < B - 2 and B - 2 <= y' < B;
        Sb[x, y] -> Sb[x, y'] : 0 <= x < B and B - 2 <= y < y' < B;
        Sb[x, y] -> Sa[x', y'] : 0 <= x < x' < B and B - 2 <= y < B and 0 <= y' < B - 2;
        Sb[x, y] -> Sb[x', y'] : 0 <= x < x' < B and B - 2 <= y, y' < B;
        T[x, y] -> T[x, y'] : 0 <= x < B and 0 <= y < y' < B;
        T[x, y] -> T[x', y'] : 0 <= x < x' < B and 0 <= y, y' < B;
        Sa[x, y] -> T[x, y'] : 0 <= x < B and 0 <= y < B - 2 and 0 <= y' <= y + 1;
        Sb[x, y] -> T[x, y'] : 0 <= x < B and B - 2 <= y < B and 0 <= y' < B;
        Sb[x, y] -> T[x', y'] : 0 <= x < x' < B and B - 2 <= y < B and 0 <= y' < B;
        T[x, y] -> Sa[x', y'] : 0 <= x < x' < B and 0 <= y < B and 0 <= y' < B - 2;
        T[x, y] -> Sb[x', y'] : 0 <= x < x' < B and 0 <= y < B and B - 2 <= y' < B }";
    let ctx = Context::new();
    let conflicts = ConflictSet::read(&ctx, "[B] -> { : B >= 4 }", pairs).unwrap();
    let proved = solved(&conflicts);
    let cells = proved.value().cells(&[7]);
    assert!(
        (63..=70).contains(&cells),
        "max live is 63, separate arrays need 70: {cells}\n{}",
        proved.value().text(&conflicts)
    );
    for map in Map::read_each(&ctx, pairs).unwrap() {
        assert_eq!(replay::clash_of(&conflicts, &map, proved.value(), &[7]), None);
    }
    let [separate, smo, joint, fast, auto] = cells_by_all(&conflicts, pairs, &[100], &[7]);
    assert_eq!((separate, joint, fast, auto), (10_298, 10_200, 10_200, 10_200));
    assert!(smo <= separate);
}

/// Figure 1 with what its (b) forgets: the input `In`, of which the border cells `L` and `R` are read in every step. Without them
/// the paper's mapping overwrites live cells. In one buffer they would cost a second row, 2N + 2 cells.
#[test]
fn figure_1_with_its_border_takes_n_plus_3_cells() {
    let pairs = "[T, N] -> {
        S0[t, i] -> S0[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
        S1[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i < i' <= N;
        S0[t, i] -> S1[t, i'] : 1 <= t <= T and 1 <= i' < i <= N;
        S1[t, i] -> S0[t + 1, i'] : 1 <= t < T and 1 <= i' <= i <= N;
        In[i] -> In[i'] : 1 <= i < i' <= N;
        In[i] -> S0[t, i'] : t = 1 and 1 <= i' <= i <= N;
        L[] -> R[]; L[] -> In[i] : 1 <= i <= N; R[] -> In[i] : 1 <= i <= N;
        L[] -> S0[t, i] : 1 <= t <= T and 1 <= i <= N; L[] -> S1[t, i] : 1 <= t < T and 1 <= i <= N;
        R[] -> S0[t, i] : 1 <= t <= T and 1 <= i <= N; R[] -> S1[t, i] : 1 <= t < T and 1 <= i <= N }";
    let ctx = Context::new();
    let conflicts = ConflictSet::read(&ctx, "[T, N] -> { : T >= 2 and N >= 4 }", pairs).unwrap();
    let proved = solved(&conflicts);
    let mut cells: Vec<i128> = proved.value().buffers.iter().map(|buffer| buffer.cells(&[7, 50])).collect();
    cells.sort_unstable();
    assert_eq!(cells, [1, 1, 51], "{}", proved.value().text(&conflicts));
    for map in Map::read_each(&ctx, pairs).unwrap() {
        assert_eq!(replay::clash_of(&conflicts, &map, proved.value(), &[4, 6]), None);
    }
    assert_eq!(cells_by_all(&conflicts, pairs, &[7, 50], &[4, 6]), [152, 53, 53, 53, 53]);
}

/// The second stage is written column by column: its iterators are those of the first in the other order.
#[test]
fn a_transposed_stage_shares_with_the_first() {
    let pairs = "[N] -> {
        S[i, j] -> S[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N; S[i, j] -> S[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        T[j, i] -> T[j', i'] : 0 <= i < i' < N and 0 <= j, j' < N; T[j, i] -> T[j', i] : 0 <= i < N and 0 <= j < j' < N;
        S[i, j] -> T[j', i'] : 0 <= i' < i < N and 0 <= j, j' < N; S[i, j] -> T[j', i] : 0 <= i < N and 0 <= j' < j < N }";
    let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", pairs).unwrap();
    let [separate, _, joint, fast, auto] = cells_by_all(&conflicts, pairs, &[100], &[5]);
    assert_eq!((separate, joint, fast, auto), (20_000, 10_000, 10_000, 10_000));
}

/// A row and its sum, cell by cell: statements with 2, 1 and no iterators, and one that conflicts with nothing of its own.
#[test]
fn statements_of_different_arity() {
    let pairs = "[N] -> {
        S[i, j] -> S[i, j'] : 0 <= i < N and 0 <= j < j' < N;
        S[i, j] -> R[i'] : 0 <= i' < i < N and 0 <= j < N; R[i] -> R[i'] : 0 <= i < i' < N;
        Z[] -> R[i] : 0 <= i < N; Z[] -> S[i, j] : 0 <= i, j < N; S[i, j] -> D[i, j, k] : 0 <= i, j < N and 0 <= k < 3 }";
    let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", pairs).unwrap();
    let cells = cells_by_all(&conflicts, pairs, &[100], &[5]);
    assert_eq!(cells, [202, 201, 200, 201, 200]);
}

/// A value does not conflict with itself, and a pair counts in either order.
#[test]
fn a_conflict_set_may_be_symmetric_and_reflexive() {
    let ctx = Context::new();
    let context = "[N] -> { : N >= 1 }";
    let pairs = "[N] -> { S[i] -> S[j] : 0 <= i, j < N; T[i] -> S[j] : 0 <= j < i < N; S[j] -> T[i] : 0 <= j < i < N }";
    let conflicts = ConflictSet::read(&ctx, context, pairs).unwrap();
    assert_eq!(conflicts.count(), (1, 1));
    assert_eq!(solved(&conflicts).value().text(&conflicts), "S[i] -> A0[(i) mod (N)]\nT[i] -> A1\n");
}

/// Without any bound that is affine in the parameters there is no answer, rather than a wrong one.
#[test]
fn an_unbounded_conflict_has_no_answer() {
    let conflicts = ConflictSet::read(&Context::new(), "{ : }", "{ S[i] -> S[j] : i < j }").unwrap();
    assert_eq!(storage_mapping(&conflicts).unwrap(), Outcome::Unbounded);
}

/// Each row has few quotients only for the conflicts that it keeps apart: the proof takes them piece by piece.
#[test]
fn rows_that_mix_iterators_are_proved_piece_by_piece() {
    let pairs = "[T, N] -> { S[t, i] -> S[t, j] : 0 <= t < T and 0 <= i < j < N; S[t, i] -> S[u, i] : 0 <= t < u < T and 0 <= i < N }";
    let conflicts = ConflictSet::read(&Context::new(), "[T, N] -> { : T >= 2 and N >= 2 }", pairs).unwrap();
    let modulus = |slopes: [i64; 2], constant| Form { slopes: slopes.to_vec(), constant };
    let rows = [[1, 20], [20, 1]].map(|coefficients| Row { coefficients: coefficients.to_vec(), offset: 0 });
    let with = |one, other| {
        let member = Member { statement: 0, rows: rows.to_vec() };
        Allocation::of(vec![Buffer { moduli: vec![one, other], members: vec![member] }])
    };
    assert!(verify(&conflicts, with(modulus([1, 0], 0), modulus([0, 1], 0))).unwrap().is_ok());
    let refused = verify(&conflicts, with(modulus([1, 0], 0), modulus([0, 1], -1))).unwrap();
    assert!(matches!(refused, Err(Refusal::Clash(_) | Refusal::Unproved)), "{refused:?}");
}

/// T has no bound: it takes one cell, and a graph of its values is not written out.
#[test]
fn a_statement_without_bound_may_conflict_with_another() {
    let pairs = "[N] -> { S[i] -> S[j] : 0 <= i < j < N; S[i] -> T[j] : 0 <= i < N and j >= 0 }";
    let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 3 }", pairs).unwrap();
    for engine in ENGINES {
        assert_eq!(solved_by(engine, &conflicts, &[100]).value().cells(&[100]), 101, "{engine:?}");
    }
}

/// Sizes at which cells are counted may be as large as numbers get.
#[test]
fn cells_at_enormous_sizes() {
    let pairs = "[N] -> { S[i, j] -> S[k, l] : 0 <= i < k < N and 0 <= j, l < N; S[i, j] -> S[i, l] : 0 <= i < N and 0 <= j < l < N }";
    let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 3 }", pairs).unwrap();
    for engine in ENGINES {
        let cells = solved_by(engine, &conflicts, &[i64::MAX]).value().cells(&[i64::MAX]);
        assert_eq!(cells, i128::from(i64::MAX) * i128::from(i64::MAX), "{engine:?}");
    }
}
