//! Conflict sets for which no box of cells is the smallest buffer, and lines that are refused.

use crate::replay::first_clash;
use polyfold_isl::Context;
use polyfold_smo::{
    Allocation, ConflictSet, Engine, Form, Line, Member, Outcome, Polynomial, Refusal, Row, storage_mapping_by, verify,
};

/// `for t { for i, j S0: P = f(nine points of Q);  for i, j S1: Q = P; }`.
const NINE_POINTS: &str = "[T, N] -> {
    S0[t, i, j] -> S0[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= N;
    S0[t, i, j] -> S0[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N;
    S1[t, i, j] -> S1[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= N;
    S1[t, i, j] -> S1[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N;
    S0[t, i, j] -> S1[t, i', j'] : 1 <= t <= T and 1 <= i' < i <= N and 1 <= j, j' <= N;
    S0[t, i, j] -> S1[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j' < j <= N;
    S1[t, i, j] -> S0[t + 1, i', j'] : 1 <= t < T and 1 <= i' <= i <= N and 1 <= j, j' <= N;
    S1[t, i, j] -> S0[t + 1, i + 1, j'] : 1 <= t < T and 1 <= i < N and 1 <= j' <= j <= N }";

/// All 27 neighbours, one statement.
const IN_SPACE: &str = "[T, N] -> {
    S[t, i, j, k] -> S[t, i', j', k'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j', k, k' <= N;
    S[t, i, j, k] -> S[t, i, j', k'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= N and 1 <= k, k' <= N;
    S[t, i, j, k] -> S[t, i, j, k'] : 1 <= t <= T and 1 <= i, j <= N and 1 <= k < k' <= N;
    S[t, i, j, k] -> S[t + 1, i', j', k'] : 1 <= t < T and 1 <= i' <= i <= N and 1 <= j, j', k, k' <= N;
    S[t, i, j, k] -> S[t + 1, i + 1, j', k'] : 1 <= t < T and 1 <= i < N and 1 <= j' <= j <= N and 1 <= k, k' <= N;
    S[t, i, j, k] -> S[t + 1, i + 1, j + 1, k'] : 1 <= t < T and 1 <= i < N and 1 <= j < N and 1 <= k' <= k <= N }";

/// Neighbours at most so many cells away, in a grid of any sides, one statement.
fn in_a_rectangle(radius: i64) -> String {
    format!(
        "[T, N, M] -> {{
        S[t, i, j] -> S[t, i', j'] : 1 <= t <= T and 1 <= i < i' <= N and 1 <= j, j' <= M;
        S[t, i, j] -> S[t, i, j'] : 1 <= t <= T and 1 <= i <= N and 1 <= j < j' <= M;
        S[t, i, j] -> S[t + 1, i', j'] : 1 <= t < T and 1 <= i, i' <= N and i' < i + {radius} and 1 <= j, j' <= M;
        S[t, i, j] -> S[t + 1, i + {radius}, j'] :
            1 <= t < T and 1 <= i <= N - {radius} and 1 <= j, j' <= M and j' < j + {radius} }}"
    )
}

/// Some passes over a grid, each reading nine points of the one before.
fn passes(count: usize) -> String {
    let own = |k: usize| {
        format!(
            "S{k}[i, j] -> S{k}[i', j'] : 0 <= i < i' < N and 0 <= j, j' < N;
             S{k}[i, j] -> S{k}[i, j'] : 0 <= i < N and 0 <= j < j' < N"
        )
    };
    let next = |k: usize| {
        format!(
            "S{k}[i, j] -> S{}[i', j'] : 0 <= i' <= i < N and 0 <= j, j' < N;
             S{k}[i, j] -> S{}[i + 1, j'] : 0 <= i < N - 1 and 0 <= j' <= j < N",
            k + 1,
            k + 1
        )
    };
    let all: Vec<String> = (0..count).map(own).chain((1..count).map(|k| next(k - 1))).collect();
    format!("[N] -> {{ {} }}", all.join(";\n"))
}

/// Its cells by the largest size, and by one after the other.
type Cells = fn(i128, i128) -> i128;

/// What `auto` finds needs so many cells, is a line, and no pair shares a cell.
#[track_caller]
fn takes(context: &str, pairs: &str, small: &[&[i64]], cells: Cells) -> (ConflictSet, Allocation) {
    let conflicts = ConflictSet::read(&Context::new(), context, pairs).unwrap();
    let sizes = vec![100; conflicts.parameters().len()];
    let solution = storage_mapping_by(Engine::Auto, &conflicts, &sizes).unwrap();
    let Outcome::Proved(proved) = solution.outcome else { panic!("{:?}", solution.outcome) };
    let (allocation, told) = (proved.value().clone(), proved.value().text(&conflicts));
    assert_eq!((solution.engine, allocation.lines.len(), allocation.buffers.len()), (Engine::Line, 1, 0), "{told}");
    for sizes in small.iter().copied().chain([[9, 20, 20].as_slice(), &[9, 35, 17]].map(|s| &s[..sizes.len()])) {
        let [.., n, m] = [&[0], sizes].concat()[..] else { panic!("{sizes:?}") };
        let [n, m] = if sizes.len() == 3 { [n, m] } else { [m, m] };
        assert_eq!(allocation.cells(sizes), cells(n.into(), m.into()), "{told}");
    }
    for sizes in small {
        assert_eq!(first_clash(&conflicts, pairs, &allocation, sizes), None, "{told}");
    }
    (conflicts, allocation)
}

/// N² + N + 1 values are alive at once: a grid, a row, and one. A box takes N² + 2N, or (N + 1)² with a drift along both axes.
#[test]
fn nine_points() {
    let context = "[T, N] -> { : T >= 1 and N >= 2 }";
    let (conflicts, allocation) = takes(context, NINE_POINTS, &[&[3, 2], &[3, 5]], |n, _| n * n + n + 1);
    assert_eq!(
        allocation.text(&conflicts),
        "S0[t, i, j] -> A0[(N*(-t + i) + (-t + j)) mod (N*N + N + 1)]\n\
         S1[t, i, j] -> A0[(N*(-t + i) + (-t + j)) mod (N*N + N + 1)]\n"
    );
    let engines = [Engine::Separate, Engine::Smo, Engine::Joint, Engine::Fast, Engine::Line];
    let cells = engines.map(|engine| {
        let Outcome::Proved(proved) = storage_mapping_by(engine, &conflicts, &[100, 100]).unwrap().outcome else {
            panic!("{engine:?}")
        };
        proved.value().cells(&[100, 100])
    });
    assert_eq!(cells, [20_000, 10_200, 10_200, 10_201, 10_101]);
}

#[test]
fn twenty_seven_points() {
    takes("[T, N] -> { : T >= 2 and N >= 3 }", IN_SPACE, &[&[2, 3], &[3, 4]], |n, _| n * n * n + n * n + n + 1);
}

#[test]
fn rectangles_have_products_of_two_sizes() {
    let context = "[T, N, M] -> { : T >= 2 and N >= 3 and M >= 3 }";
    takes(context, &in_a_rectangle(1), &[&[3, 3, 4], &[3, 5, 3]], |n, m| n * m + m + 1);
    takes(context, &in_a_rectangle(2), &[&[3, 4, 5], &[3, 5, 3]], |n, m| n * m + 2 * m + 2);
}

#[test]
fn five_passes_move_by_a_row_and_a_cell_each() {
    let (conflicts, allocation) = takes("[N] -> { : N >= 2 }", &passes(5), &[&[2], &[5]], |n, _| n * n + n + 1);
    let rows = |member: &Member| member.rows.iter().map(|row| row.offset).collect::<Vec<_>>();
    assert_eq!(allocation.lines[0].members.iter().map(rows).collect::<Vec<_>>(), [4, 3, 2, 1, 0].map(|k| vec![k, k]));
    assert_eq!(conflicts.count(), (10, 8));
}

/// Windows of three by three that slide over rows: two rows and two values are alive, where a box takes three rows, or two wider ones.
#[test]
fn two_rows_and_two_values() {
    let pairs = "[N, M] -> {
        S[i, j] -> S[i + 1, j'] : 0 <= i < N - 1 and 0 <= j, j' < M;
        S[i, j] -> S[i, j'] : 0 <= i < N and 0 <= j < j' < M;
        S[i, j] -> S[i + 2, j'] : 0 <= i < N - 2 and 0 <= j, j' < M and j' <= j + 1 }";
    takes("[N, M] -> { : N >= 3 and M >= 2 }", pairs, &[&[4, 3], &[5, 5]], |_, m| 2 * m + 2);
}

/// One cell less, another stride, another drift, and no modulus at all.
#[test]
fn wrong_lines_are_refused() {
    let (conflicts, allocation) =
        takes("[T, N] -> { : T >= 2 and N >= 3 }", NINE_POINTS, &[&[3, 3]], |n, _| n * n + n + 1);
    let number = |constant: i64| Polynomial::constant(2, constant);
    let changed = |change: &dyn Fn(&mut Line)| {
        let mut mutant = allocation.clone();
        change(&mut mutant.lines[0]);
        verify(&conflicts, mutant)
    };
    let plus = |polynomial: &mut Polynomial, more: &Polynomial| *polynomial = polynomial.plus(more).unwrap();
    assert!(changed(&|_| {}).unwrap().is_ok());
    let changes: [&dyn Fn(&mut Line); 6] = [
        &|line| plus(&mut line.modulus, &number(-1)),
        &|line| plus(&mut line.strides[0], &number(-1)),
        &|line| plus(&mut line.strides[0], &number(1)),
        &|line| line.members[0].rows[0].coefficients[0] = 1,
        &|line| line.members[1].rows[1].offset += 1,
        &|line| line.members[1].rows[1].coefficients[2] = 0,
    ];
    for (k, change) in changes.into_iter().enumerate() {
        assert_eq!(changed(change).unwrap(), Err(Refusal::Unproved), "change {k}");
    }
    assert_eq!(changed(&|line| line.modulus = number(0)).unwrap(), Err(Refusal::BadModulus));
    let less = Polynomial::from(&Form { slopes: vec![0, 1], constant: -3 });
    assert_eq!(changed(&|line| line.modulus = less.clone()).unwrap(), Err(Refusal::BadModulus));
    assert_eq!(changed(&|line| line.members[0].rows.truncate(1)).unwrap(), Err(Refusal::Malformed));
    assert_eq!(changed(&|line| line.strides.truncate(1)).unwrap(), Err(Refusal::Malformed));
}

/// A modulus that is right for all sizes but one.
#[test]
fn a_line_has_to_be_right_for_all_sizes() {
    let pairs = "[N] -> { S[i, j] -> S[k, l] : 0 <= i < k < 3 and 0 <= j, l < N; S[i, j] -> S[i, l] : 0 <= i < 3 and 0 <= j < l < N }";
    let line = |constant| {
        let strides = vec![Polynomial::constant(1, 7), Polynomial::constant(1, 1)];
        let modulus = Polynomial::from(&Form { slopes: vec![1], constant });
        let row = |coefficients: &[i64]| Row { coefficients: coefficients.to_vec(), offset: 0 };
        let members = vec![Member { statement: 0, rows: vec![row(&[1, 0]), row(&[0, 1])] }];
        Allocation { buffers: Vec::new(), lines: vec![Line { strides, modulus, members }] }
    };
    let within = |context: &str| ConflictSet::read(&Context::new(), context, pairs).unwrap();
    assert!(verify(&within("[N] -> { : 1 <= N <= 7 }"), line(14)).unwrap().is_ok());
    assert_eq!(verify(&within("[N] -> { : 1 <= N <= 8 }"), line(14)).unwrap(), Err(Refusal::Unproved));
    assert_eq!(verify(&within("[N] -> { : 1 <= N <= 7 }"), line(13)).unwrap(), Err(Refusal::Unproved));
}
