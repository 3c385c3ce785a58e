//! The GeCoS note (2014) row by row: the moduli that its rules give as they are written, and what is found here.
//!
//! The rules are written down once more, over dates: of a relation from each reader to the write whose value it gets,
//!
//! ```text
//! last = lexmax(flow⁻¹)      before = { r -> w : w <= r, w is read }      C = last∘before ∩ (last∘before)⁻¹ ∪ { x -> x }
//! b_k = 1 + max { d_k : d ∈ differences of C, d_0 = … = d_{k−1} = 0 }
//! ```
//!
//! where in a parallel dimension (§2.5.1) `x -> x` asks for no equality. Three things in them are not right, or not as good as they could
//! be: `w <= r` where the reader may overwrite what it reads; writes that nobody reads are left out; and in parallel dimensions only writes
//! that agree in all others conflict. For each row where the answers differ, the table says why.

use super::files::{agree, optimized};
use super::parallel::{READER_FIRST, ROWS, STAGES_OF_ROWS, gauss};
use super::pure::{BY_VALUE, figure_3};
use super::schedules::program;
use crate::support;
use crate::support::code::has;
use polyfold_alloc::{Mapping, Method, Proposal};
use polyfold_flow::Model;
use polyfold_isl::{Context, Map, PwAff, Result, Set};
use polyfold_lattice::ModularMapping;
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_prove::verify;

/// What the note's rules are applied to, over the sizes N and M.
#[derive(Clone, Copy)]
struct Case {
    /// `{ reader -> write }`.
    flow: &'static str,
    writes: &'static str,
    parallel: &'static [usize],
}

/// Sizes at which moduli are compared.
const SIZES: [[i64; 2]; 2] = [[10, 12], [16, 20]];

impl Case {
    fn moduli(&self, [n, m]: [i64; 2]) -> Result<Vec<i64>> {
        let ctx = Context::new();
        let mut differences = self.conflicts(&ctx)?.deltas()?.at(&[("N", n), ("M", m)])?;
        let mut moduli = Vec::new();
        for axis in 0..differences.dimensions()? {
            moduli.push(1 + differences.dim_max_value(axis)?.unwrap_or(0));
            differences = differences.fix(axis, 0)?;
        }
        Ok(moduli)
    }

    fn conflicts(&self, ctx: &Context) -> Result<Map> {
        let (flow, writes) = (Map::read(ctx, &parametric(self.flow))?, Set::read(ctx, &parametric(self.writes))?);
        let last = flow.reverse()?.lexmax()?;
        let before = Map::lex_ge(&writes)?.intersect_range(&flow.range()?)?;
        let one_way = last.apply_range(&before)?;
        let same = self.same(ctx, writes.dimensions()?)?.intersect_domain(&writes)?.intersect_range(&writes)?;
        one_way.intersect(&one_way.reverse()?)?.union(&same)
    }

    /// `{ x -> y }` with equal coordinates where nothing runs in parallel.
    fn same(&self, ctx: &Context, dimensions: usize) -> Result<Map> {
        let list = |letter: &str| (0..dimensions).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
        let equal = (0..dimensions).filter(|k| !self.parallel.contains(k)).map(|k| format!(" and x{k} = y{k}"));
        Map::read(ctx, &format!("{{ [{}] -> [{}] : true{} }}", list("x"), list("y"), equal.collect::<String>()))
    }

    /// The first read that does not find its value, where each write's value lives at its date modulo the note's moduli, and dates come in
    /// the order of a key.
    fn clash(&self, sizes: [i64; 2], key: impl Fn(&[i64]) -> Vec<i64>) -> Result<Option<Vec<i64>>> {
        let (ctx, moduli) = (Context::new(), self.moduli(sizes)?);
        let named = [("N", sizes[0]), ("M", sizes[1])];
        let flow = Map::read(&ctx, &parametric(self.flow))?.wrap()?.at(&named)?.points()?;
        let writes = Set::read(&ctx, &parametric(self.writes))?.at(&named)?.points()?;
        let place = |write: &[i64]| write.iter().zip(&moduli).map(|(x, b)| x.rem_euclid(*b)).collect::<Vec<_>>();
        let mut dates: Vec<Vec<i64>> = flow.iter().map(|pair| pair[..pair.len() / 2].to_vec()).collect();
        dates.extend(writes.iter().cloned());
        dates.sort_by_key(|date| (key(date), date.clone()));
        dates.dedup();
        let mut memory = std::collections::HashMap::new();
        for date in dates {
            let (read, _): (Vec<_>, Vec<_>) = flow.iter().partition(|pair| pair[..pair.len() / 2] == date[..]);
            let wanted = read.iter().map(|pair| &pair[pair.len() / 2..]);
            if wanted.into_iter().any(|write| memory.get(&place(write)).map(Vec::as_slice) != Some(write)) {
                return Ok(Some(date));
            }
            if writes.contains(&date) {
                memory.insert(place(&date), date);
            }
        }
        Ok(None)
    }
}

fn parametric(text: &str) -> String {
    format!("[N, M] -> {text}")
}

/// The moduli of a case at sizes n and m.
type Moduli = fn(i64, i64) -> Vec<i64>;

/// What the note's rules give.
#[track_caller]
fn literal(row: &str, case: Case, moduli: Moduli) {
    for [n, m] in SIZES {
        assert_eq!(case.moduli([n, m]).unwrap(), moduli(n, m), "{row} at {n}, {m}");
    }
}

/// The same, where all reads find their values if dates come in order.
#[track_caller]
fn literal_in_order(row: &str, case: Case, moduli: Moduli) {
    literal(row, case, moduli);
    assert_eq!(case.clash([6, 7], <[i64]>::to_vec).unwrap(), None, "{row}");
}

/// What is declared here instead; `why` says in what it differs from the note.
#[track_caller]
fn found(name: &str, source: &str, options: &[&str], declared: &[&str], why: &str) {
    let name = format!("gecos_{name}");
    let result = optimized(&name, source, &[&["--scope", "intra", "--param", "n=8,m=9"], options].concat());
    declared.iter().for_each(|text| assert!(has(&result, text), "no `{text}` ({why}) in {result}"));
    agree(&name);
}

const SUCCESSIVE: [&str; 2] = ["--method", "successive-modulo"];
const SAME: &str = "as in the note";

/// S0 at [i, j] writes t[i][j], which S1 reads at [i, j + 1], [i, j + 2] and [i, j + 3].
const GAUSS: Case = Case {
    flow: "{ [i, t] -> [i, c] : t - 3 <= c <= t - 1 and 1 <= i < N - 1 and 3 <= t <= M }",
    writes: "{ [i, c] : 1 <= i < N - 1 and 0 <= c < M }",
    parallel: &[],
};

#[test]
fn gauss_in_one_loop() {
    literal_in_order("writer first", GAUSS, |_, _| vec![1, 4]);
    found(
        "writer_first",
        &gauss(),
        &["--schedule", ROWS, "--method", "successive-modulo"],
        &["double t[4] = {0};"],
        SAME,
    );
    let reader_first = Case {
        flow: "{ [i, t, 0] -> [i, c, 1] : t - 3 <= c <= t - 1 and 1 <= i < N - 1 and 3 <= t <= M }",
        writes: "{ [i, c, 1] : 1 <= i < N - 1 and 0 <= c < M }",
        parallel: &[],
    };
    literal_in_order("reader first", reader_first, |_, _| vec![1, 3, 1]);
    found(
        "reader_first",
        &gauss(),
        &["--schedule", READER_FIRST, SUCCESSIVE[0], SUCCESSIVE[1]],
        &["double t[3] = {0};"],
        SAME,
    );
}

#[test]
fn gauss_in_two_loops() {
    let unfused = Case {
        flow: "{ [1, i, j] -> [0, i, c] : j - 1 <= c <= j + 1 and 1 <= i < N - 1 and 1 <= j < M - 1 }",
        writes: "{ [0, i, c] : 1 <= i < N - 1 and 0 <= c < M }",
        parallel: &[],
    };
    literal_in_order("two loops", unfused, |n, m| vec![1, n - 2, m]);
    found("two_loops", &gauss(), &SUCCESSIVE, &["double t[n <= 3 ? 1 : n - 2][m];"], SAME);
}

#[test]
fn gauss_in_parallel() {
    literal("i parallel", Case { parallel: &[0], ..GAUSS }, |n, _| vec![n - 2, 4]);
    let rows = ["--schedule", ROWS, "--parallel", "0", "--method", "successive-modulo"];
    let why = "the same cells, with the axes in another order: the moduli are those of dates there, of cells here";
    found("i_parallel", &gauss(), &rows, &["n <= 3 ? 1 : n - 2"], why);
    literal("j parallel", Case { parallel: &[1], ..GAUSS }, |_, m| vec![1, m]);
    let why = "one row, too, but only behind a barrier: in the note's order S1 reads what S0 writes at the same time";
    let stages = ["--schedule", STAGES_OF_ROWS, "--parallel", "2", "--method", "successive-modulo"];
    found("j_parallel", &gauss(), &stages, &["double t[m];"], why);
}

/// Forward substitution: S0 at [i, 0, 0] begins y[i], S1 at [i, 1, j] takes y[j] from it, S2 at [i, 2, 0] divides it.
const SUBSTITUTION: Case = Case {
    flow: "{ [i, 1, 0] -> [i, 0, 0] : 0 < i < N; [i, 1, j] -> [i, 1, j - 1] : 0 < j < i < N; [i, 1, j] -> [j, 2, 0] : 0 <= j < i < N;
             [0, 2, 0] -> [0, 0, 0] : N > 0; [i, 2, 0] -> [i, 1, i - 1] : 0 < i < N }",
    writes: "{ [i, 0, 0] : 0 <= i < N; [i, 1, j] : 0 <= j < i < N; [i, 2, 0] : 0 <= i < N }",
    parallel: &[],
};

/// With what is read of y behind the loops, or in them.
fn substitution(inside: &str, behind: &str) -> String {
    let body = format!(
        "  for (int i = 0; i < n; i++) {{
    y[i] = in[i][0];
    for (int j = 0; j < i; j++) {{
      y[i] = y[i] - in[i][0] / 16 * y[j];
      {inside}
    }}
    y[i] = y[i] / (1 + in[i][0]);
  }}
  {behind}"
    );
    program("double y[n];", &body)
}

const BEHIND: &str = "for (int i = 0; i < n; i++)\n    out[i][0] = y[n - 1 - i];";

#[test]
fn forward_substitution_contracted() {
    let why =
        "the note takes a reader for its own write's enemy, and asks for more cells than the array has: N are enough";
    literal_in_order("y", SUBSTITUTION, |n, _| vec![n, 3, 2]);
    found("y", &substitution("out[i][0] += y[j];", ""), &SUCCESSIVE, &["double y[n];"], why);
    let flow = "{ [i, 1, 0] -> [i, 0, 0] : 0 < i < N; [i, 1, j] -> [i, 1, j - 1] : 0 < j < i < N; [i, 1, j] -> [j, 2, 0] : 0 <= j < i < N;
                  [0, 2, 0] -> [0, 0, 0] : N > 0; [i, 2, 0] -> [i, 1, i - 1] : 0 < i < N; [N, 3, 0] -> [j, 2, 0] : 0 <= j < N }";
    literal_in_order("y, read behind the loops", Case { flow, ..SUBSTITUTION }, |n, _| vec![n, 3, 2]);
    found("y_live_out", &substitution("", BEHIND), &SUCCESSIVE, &["double y[n];"], why);
}

/// Each statement's values alone: only what it writes counts.
#[test]
fn forward_substitution_reallocated() {
    let first = Case {
        flow: "{ [i, 1, 0] -> [i, 0, 0] : 0 < i < N; [0, 2, 0] -> [0, 0, 0] : N > 0 }",
        writes: "{ [i, 0, 0] : 0 <= i < N }",
        parallel: &[],
    };
    let sums = Case {
        flow: "{ [i, 1, j] -> [i, 1, j - 1] : 0 < j < i < N; [i, 2, 0] -> [i, 1, i - 1] : 0 < i < N }",
        writes: "{ [i, 1, j] : 0 <= j < i < N }",
        parallel: &[],
    };
    let quotients = Case {
        flow: "{ [i, 1, j] -> [j, 2, 0] : 0 <= j < i < N }",
        writes: "{ [i, 2, 0] : 0 <= i < N }",
        parallel: &[],
    };
    let needed =
        Case { flow: "{ [i, 1, j] -> [j, 2, 0] : 0 <= j < i < N; [N, 3, 0] -> [j, 2, 0] : 0 <= j < N }", ..quotients };
    literal_in_order("S0", first, |_, _| vec![1, 1, 1]);
    literal_in_order("S1", sums, |_, _| vec![1, 1, 2]);
    literal_in_order("S2", quotients, |n, _| vec![n - 1, 1, 1]);
    literal_in_order("S2, read behind the loops", needed, |n, _| vec![n, 1, 1]);
    let why = "S0 and S2 as in the note; S1 needs one cell, since an operation may overwrite what it has read";
    let options = ["--reallocate", "--method", "successive-modulo"];
    let all = ["double y_S0 = _;", "double y_S1 = 0;", "double y_S2[n];"];
    found("reallocated_live_out", &substitution("", BEHIND), &options, &all, why);
    let all = [
        "double y_S0 = _;",
        "double y_S1 = 0;",
        "double y_S3[y_S3_size];",
        "const int y_S3_size = n <= 2 ? 1 : n - 1;",
    ];
    found("reallocated", &substitution("out[i][0] += y[j];", ""), &options, &all, why);
}

/// Figure 3: S at [i, j] writes x[i][j] and y[i][j], and reads x[i - 1][j] and y[i - 2][j].
#[test]
fn figure_3_several_writes() {
    let writes = "{ [i, j] : 1 <= i <= N and 0 <= j <= N }";
    let case = |flow| Case { flow, writes, parallel: &[] };
    let x = case("{ [i, j] -> [i - 1, j] : 2 <= i <= N and 0 <= j <= N }");
    let y = case("{ [i, j] -> [i - 2, j] : 3 <= i <= N and 0 <= j <= N }");
    let merged = case("{ [i, j] -> [k, j] : i - 2 <= k <= i - 1 and 1 <= k and i <= N and 0 <= j <= N }");
    literal_in_order("x", x, |n, _| vec![2, n + 1]);
    literal_in_order("y", y, |n, _| vec![3, n + 1]);
    literal_in_order("x and y in one graph", merged, |n, _| vec![3, n + 1]);
    assert_eq!(y.moduli([4, 4]).unwrap(), [2, 5], "the last two rows are not read, and are left out");
    let why = "the same moduli, from dependences of each access; one graph for both arrays would ask for x[3][n + 1]";
    found("figure_3", &figure_3(BY_VALUE), &SUCCESSIVE, &["int x[2][n + 1], y[3][n + 1];"], why);
    let why = "axes in the other order, and a reader that may overwrite what it reads";
    found("figure_3_best", &figure_3(BY_VALUE), &[], &["int x[n + 1], y[2][n + 1];"], why);
}

/// Whether an array of a program may live at its cells modulo some functions of the sizes, by our proof.
fn is_proved(source: &str, array: &str, moduli: &[&str]) -> bool {
    let (ctx, scop) = (Context::new(), support::scop(source));
    let array = scop.array_named(array).unwrap();
    let model = Model::build(&ctx, &scop).unwrap();
    let found = conflicts(&Lifetimes::of(&model, array).unwrap(), Precision::Value).unwrap();
    let differences = DifferenceSet::of(&ctx, found, moduli.len()).unwrap();
    // A row with the modulus 1 is left out.
    let axes = (0..moduli.len()).filter(|axis| moduli[*axis] != "1");
    let rows = axes.clone().map(|axis| (0..moduli.len()).map(|k| i64::from(k == axis)).collect()).collect();
    let moduli = axes.map(|k| PwAff::read(&ctx, &format!("[n, m] -> {{ [({})] }}", moduli[k])).unwrap()).collect();
    let mapping = Mapping::Modular(ModularMapping { rows, moduli });
    let proposal = Proposal { array, mapping, begins: Vec::new(), method: Method::SuccessiveModulo };
    verify(proposal, &differences, &model.context).unwrap().is_ok()
}

#[test]
fn writes_that_nobody_reads_need_cells() {
    let case = Case { flow: "{ [N] -> [0] : N > 0 }", writes: "{ [i] : 0 <= i < N }", parallel: &[] };
    literal("unread", case, |_, _| vec![1]);
    assert_eq!(case.clash([6, 6], <[i64]>::to_vec).unwrap(), Some(vec![6]), "the last write is where the first was");
    let body = "  for (int i = 0; i < n; i++)\n    a[i] = in[i][0];\n  out[0][0] = a[0];";
    let source = program("double a[n];", body);
    assert!(!is_proved(&source, "a", &["1"]) && is_proved(&source, "a", &["n"]));
    let why = "the note drops writes that nobody reads, and they would overwrite a[0]";
    found("unread", &source, &SUCCESSIVE, &["double a[n];"], why);
}

/// Each p has a time of its own, p <= t <= p + 1.
#[test]
fn a_skewed_domain_in_parallel() {
    let case = Case {
        flow: "{ [p, p + 1] -> [p, p] : 0 <= p < N }",
        writes: "{ [p, t] : 0 <= p < N and p <= t <= p + 1 }",
        parallel: &[0],
    };
    literal("skewed", case, |_, _| vec![2, 1]);
    let all_at_once = |date: &[i64]| vec![date[1] - date[0]];
    assert_eq!(case.clash([6, 6], all_at_once).unwrap(), Some(vec![0, 1]), "p = 2 and p = 4 write where p = 0 did");
    let body = "#pragma omp parallel for
  for (int p = 0; p < n; p++)
    for (int t = p; t <= p + 1; t++) {
      if (t == p)
        a[p][t] = in[p][0];
      if (t == p + 1) {
        a[p][t] = a[p][t - 1] * 2;
        out[p][0] = a[p][t - 1] + a[p][t];
      }
    }";
    let source = program("double a[n][n + 1];", body);
    assert!(!is_proved(&source, "a", &["2", "1"]) && is_proved(&source, "a", &["n", "2"]));
    let why = "two p conflict whatever their t: the note compares only those that agree in t";
    found("skewed", &source, &SUCCESSIVE, &["double a[2][n];"], why);
}

/// In each front, p = -1 reads all that the front before wrote.
#[test]
fn a_reader_before_the_writers_of_its_front() {
    let case = Case {
        flow: "{ [t, -1] -> [t - 1, q] : 1 <= t < N and 0 <= q < M }",
        writes: "{ [t, p] : 0 <= t < N and 0 <= p < M }",
        parallel: &[1],
    };
    literal("front", case, |_, m| vec![1, m]);
    let reader_last = |date: &[i64]| vec![date[0], i64::from(date[1] < 0)];
    assert_eq!(case.clash([6, 6], reader_last).unwrap(), Some(vec![1, -1]), "the front writes before p = -1 reads");
    let body = "  for (int t = 0; t < n; t++)
#pragma omp parallel for
    for (int p = -1; p < m; p++) {
      if (p == -1 && t >= 1)
        for (int q = 0; q < m; q++)
          out[t][q] = a[t - 1][q];
      if (p >= 0)
        a[t][p] = in[t][p];
    }";
    let source = program("double a[n][m];", body);
    assert!(!is_proved(&source, "a", &["1", "m"]) && is_proved(&source, "a", &["2", "m"]));
    let why = "a reader does not precede the writers of its own front; the note takes the order of p for that";
    found("front", &source, &SUCCESSIVE, &["double a[2][m];"], why);
}
