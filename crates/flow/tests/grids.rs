//! Grids whose border no step writes: found with widths, ends and corners, and refused where steps do anything else.

use polyfold_flow::{Ends, Grids, grids};
use polyfold_scop::{Expr, Scop};

/// A function with the grids P and Q of doubles, F of floats, and B of three dimensions; A, L and O hold two each, R and S are rows.
fn scop(region: &str) -> Scop {
    let source = format!(
        "void f(int n, int m, int steps, const double in[n][m], double out[n][m]) {{
  double P[n][m], Q[n][m], B[n][n][m], C[n][n][m];
  double A[2][n][m], L[n][m][2], O[2][n];
  float F[n][m];
  double R[n], S[n];
#pragma scop
{region}
#pragma endscop
}}
"
    );
    let instrumented = polyfold_frontend::instrument(&source);
    let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.into_iter().next().expect("there is a scop")
}

const FIVE: &str = "Q[i][j] + Q[i - 1][j] + Q[i + 1][j] + Q[i][j - 1] + Q[i][j + 1]";
const INSIDE: &str = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";

/// Steps that compute P out of Q, and copy it back.
fn steps(value: &str) -> String {
    format!("for (int t = 0; t < steps; t++) {{ {INSIDE} P[i][j] = {value}; {INSIDE} Q[i][j] = P[i][j]; }}")
}

fn found(region: &str) -> Option<Grids> {
    grids(&scop(region))
}

#[test]
fn five_points_have_a_border_of_one_cell_without_corners() {
    let scop = scop(&steps(FIVE));
    let found = grids(&scop).expect("there are grids");
    assert_eq!(found.width, [(1, 1), (1, 1)]);
    assert!(!found.reads_corners);
    let statements: Vec<usize> = found.nests.iter().map(|nest| nest.statement.0).collect();
    assert_eq!(statements, [0, 1]);
    let shown: Vec<(String, String)> =
        found.inside.iter().map(|(first, last)| (scop.show(first), scop.show(last))).collect();
    assert_eq!(shown[0].0, "1");
    assert!(matches!(&found.inside[1].0, Expr::Constant(1)), "{:?}", found.inside[1]);
    assert_eq!((found.dimensions(Ends::OfRows), found.dimensions(Ends::OfAll)), (1..2, 0..2));
}

/// The ends of the only row there is are all of its border.
#[test]
fn rows_have_two_ends() {
    let inside = "for (int i = 1; i < n - 1; i++)";
    let steps =
        format!("for (int t = 0; t < steps; t++) {{ {inside} R[i] = S[i - 1] + S[i + 1]; {inside} S[i] = R[i]; }}");
    let found = found(&steps).expect("there are grids");
    assert_eq!((found.width.as_slice(), found.reads_corners), ([(1, 1)].as_slice(), false));
    assert_eq!(found.dimensions(Ends::OfRows), found.dimensions(Ends::OfAll));
}

#[test]
fn nine_points_read_corners() {
    assert!(found(&steps("Q[i - 1][j - 1] + Q[i + 1][j + 1] + Q[i][j]")).expect("there are grids").reads_corners);
}

#[test]
fn widths_are_those_of_the_largest_distances() {
    let found = found(&steps("Q[i - 1][j] + Q[i][j + 1] + Q[i][j]")).expect("there are grids");
    assert_eq!(found.width, [(1, 0), (0, 1)]);
}

/// What a step reads may stand in a statement in front of it.
#[test]
fn sums_may_have_names() {
    let plain = steps("Q[i][j - 1] + Q[i + 1][j]");
    let named =
        plain.replace("P[i][j] = Q[i][j - 1] + Q[i + 1][j];", "{ double s = Q[i][j - 1] + Q[i + 1][j]; P[i][j] = s; }");
    assert_ne!(plain, named);
    let (plain, named) = (found(&plain).expect("grids"), found(&named).expect("grids"));
    assert_eq!((&plain.width, &plain.inside), (&named.width, &named.inside));
    assert!(named.nests[0].reader < named.nests[0].statement);
}

#[test]
fn both_half_steps_may_compute() {
    let back = FIVE.replace('Q', "P");
    let region = format!("for (int t = 0; t < steps; t++) {{ {INSIDE} P[i][j] = {FIVE}; {INSIDE} Q[i][j] = {back}; }}");
    assert_eq!(found(&region).expect("there are grids").nests.len(), 2);
}

#[test]
fn grids_of_three_dimensions() {
    let inside = "for (int h = 1; h < n - 1; h++) for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++)";
    let region = format!(
        "for (int t = 0; t < steps; t++) {{ {inside} B[h][i][j] = C[h - 1][i][j] + C[h][i][j + 1]; {inside} C[h][i][j] = B[h][i][j]; }}"
    );
    let found = found(&region).expect("there are grids");
    assert_eq!(found.width, [(1, 0), (0, 0), (0, 1)]);
}

#[test]
fn grids_that_take_turns_are_one_array() {
    let of = |step: &str| {
        let found = found(&format!("for (int t = 0; t < steps; t++) {{ {step} }}"))?;
        assert!(found.take_turns());
        Some((found.nests[0].turn, found.nests[0].along(), found.width))
    };
    let step = format!("{INSIDE} A[(t + 1) % 2][i][j] = A[t % 2][i][j] + A[t % 2][i - 1][j] + A[t % 2][i][j + 1];");
    let expected = Some((Some(0), vec![1, 2], vec![(1, 0), (0, 1)]));
    assert_eq!(of(&step), expected);
    assert_eq!(of(&step.replace("(t + 1) % 2", "1 - t % 2")), expected);
    assert_eq!(of(&step.replace("(t + 1) % 2", "(t + 1) & 1").replace("t % 2", "t & 1")), expected);
    let last = format!("{INSIDE} L[i][j][t % 2] = L[i][j][1 - t % 2] + L[i][j - 1][1 - t % 2];");
    assert_eq!(of(&last), Some((Some(2), vec![0, 1], vec![(0, 0), (1, 0)])));
    let row = "for (int i = 1; i < n - 1; i++) O[(t + 1) % 2][i] = O[t % 2][i - 1] + O[t % 2][i + 1];";
    assert_eq!(of(row), Some((Some(0), vec![1], vec![(1, 1)])));
    assert_eq!(of(&step.replace("(t + 1) % 2", "t % 2")), None, "one grid");
    assert_eq!(of(&step.replace("(t + 1) % 2", "(t + i) % 2")), None, "another grid inside of a step");
    assert_eq!(of(&format!("{step} A[0][0][0] = 1;")), None, "the border is written");
}

#[test]
fn other_steps_are_refused() {
    let plain = steps(FIVE);
    assert!(found(&plain).is_some());
    let change = |from: &str, to: &str| {
        let changed = plain.replacen(from, to, 1);
        assert_ne!(changed, plain, "{from}");
        changed
    };
    let refused = [
        ("the border is written", change("Q[i][j] = P[i][j]; }", "Q[i][j] = P[i][j]; Q[0][0] = 1; }")),
        ("another inside", change("i < n - 1", "i < n - 2")),
        ("a guard", change(") P[i][j] = ", ") if (i > t) P[i][j] = ")),
        ("another type", plain.replace('P', "F")),
        ("no temporary", plain.replace('P', "out")),
        ("a step of two", change("i++", "i += 2")),
        ("a triangle", plain.replace("int j = 1", "int j = i")),
        ("turned", change("P[i][j] = ", "P[j][i] = ")),
        ("no border along rows", steps("Q[i][j] + Q[i - 1][j] + Q[i + 1][j]")),
        ("too wide a border", steps("Q[i][j + 9] + Q[i][j]")),
        ("one grid", steps(&FIVE.replace('Q', "P")).replace("Q[i][j] = P[i][j];", "P[i][j] = 2 * P[i][j];")),
        ("no loop over steps", change("t++", "t += 2")),
        (
            "something beside a row",
            change("for (int j", "{ P[i][0] = 1; for (int j").replacen(
                "; for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) Q",
                "; } for (int i = 1; i < n - 1; i++) for (int j = 1; j < m - 1; j++) Q",
                1,
            ),
        ),
    ];
    for (what, region) in refused {
        assert_eq!(found(&region), None, "{what}: {region}");
    }
}
