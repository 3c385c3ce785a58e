//! Random programs in tiles: every nest that can be tiled is, one after the other, with sizes of 1 to 4.
//!
//! Half of the programs are those of other random tests, half are nests that update an array in place, from random neighbours.
//!
//! What the prover accepts is compiled and run with the source, under sanitizers: both have to print the same. What it refuses is refused with two
//! operations, which a run of the program has to show: they depend on each other, and stand in tiles in the other order.
//!
//! A longer campaign, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=200 cargo test -p polyfold --test all random_tiles:: -- --ignored --nocapture
//! ```

use crate::support::{compiler, parse, scratch, two_threads};
use polyfold::tiles::{Nest, Wrong, in_tiles, prove_tiles};
use polyfold_emit::{Additions, Source, in_text_of};
use polyfold_isl::Context;
use polyfold_schedule::{Dependence, Operation, Violation};
use polyfold_scop::{Loop, Node, Scop, Span};
use polyfold_testgen::{Feature, Options, file};
use std::collections::BTreeMap;
use std::path::Path;

/// Seeds in the test itself.
const PROGRAMS: u64 = 10;

#[test]
fn random_nests_in_tiles_compute_the_same_or_are_refused() {
    let counts = campaign(0, PROGRAMS);
    for (verdict, least) in [(Verdict::Tiled, 20), (Verdict::Order, 5), (Verdict::Obstacle, 5)] {
        assert!(counts.get(&verdict).is_some_and(|count| *count >= least), "{counts:?}");
    }
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    campaign(number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 200));
}

/// What became of a nest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// It is in tiles.
    Tiled,
    /// Tiles would change what it computes.
    Order,
    /// Its loops are not directly inside each other, or have other bounds.
    Obstacle,
    /// What its bounds mean in tiles is not followed.
    Unlike,
    /// Its arithmetic may wrap around.
    Wraps,
}

type Counts = BTreeMap<Verdict, usize>;

fn campaign(first: u64, programs: u64) -> Counts {
    let mut counts = Counts::new();
    let seeds: Vec<u64> = (first..first + programs).collect();
    for found in two_threads::map(seeds, |seed| judged(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"))) {
        for (verdict, count) in found {
            *counts.entry(verdict).or_default() += count;
        }
    }
    println!("{counts:?}");
    counts
}

fn language(seed: u64) -> Options {
    let all = Options { max_statements: 5, ..Options::default() };
    // What wraps around is refused as a whole, and counters in front of their loops are, too.
    let without = [Feature::Wrapping, Feature::Parallel, Feature::Allocated, Feature::DeclaredIterators];
    if seed % 8 == 6 { all } else { without.into_iter().fold(all, Options::without) }
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn one_of<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.below(all.len() as u64) as usize]
    }

    /// A cell near `[i][j]`.
    fn neighbour(&mut self, array: &str, reach: u64) -> String {
        let (i, j) = (4 + self.below(2 * reach + 1) - reach, 4 + self.below(2 * reach + 1) - reach);
        let (first, second) = if self.below(5) == 0 { ("j", "i") } else { ("i", "j") };
        format!("{array}[{first} + {i}][{second} + {j}]")
    }

    /// Two loops, rectangular or not, around an update.
    fn nest(&mut self) -> String {
        let outer = self.one_of(&["int i = 0; i < n; i++", "int i = n - 1; i >= 0; i--", "int i = 1; i < n; i += 2"]);
        let inner = self.one_of(&[
            "int j = 0; j < n; j++",
            "int j = 0; j < n; j++",
            "int j = i; j < n; j++",
            "int j = 0; j <= i; j++",
            "int j = n - 1 - i; j < n; j++",
            "int j = 0; j < n - i; j++",
            "int j = n - 1; j >= i; j--",
            "int j = i / 2; j < n && j < i + 3; j++",
        ]);
        let reach = self.below(2) + 1;
        let (old, other) = (self.neighbour("A", reach), self.neighbour("B", 1));
        let update = match self.below(3) {
            0 => format!("A[i + 4][j + 4] += 0.5 * {old};"),
            1 => format!("if ({other} > 20.0) A[i + 4][j + 4] = 0.5 * {old} + {other};"),
            _ => format!("{{ double s = 0.25 * {old}; B[i + 4][j + 4] = s + {other}; A[i + 4][j + 4] = s; }}"),
        };
        format!("  for ({outer})\n    for ({inner})\n      {update}\n")
    }

    /// The sizes of tiles for a nest of loops: mostly for all that are directly inside each other, now and then for one more.
    fn sizes(&mut self, l: &Loop) -> Vec<i64> {
        let directly = chain(l);
        let count = match self.below(8) {
            0 => directly + 1,
            1 | 2 => 1 + self.below(directly),
            _ => directly,
        };
        (0..count).map(|_| 1 + self.below(4) as i64).collect()
    }
}

/// A program whose nests update arrays in place.
fn in_place(seed: u64) -> String {
    let mut numbers = Numbers(seed);
    let nests: String = (0..4).map(|_| numbers.nest()).collect();
    format!(
        "#include \"compact/harness.h\"
static void kernel(int n, double A[n + 8][n + 8], double B[n + 8][n + 8]) {{
#pragma scop
{nests}#pragma endscop
}}
int main(void) {{
  for (int n = 0; n < 8; n++) {{
    const long cells = (n + 8L) * (n + 8L);
    double *a = filled(cells, 1), *b = filled(cells, 2);
    kernel(n, (void *)a, (void *)b);
    show(a, cells), show(b, cells);
  }}
  return 0;
}}
"
    )
}

/// How many loops are directly inside each other.
fn chain(l: &Loop) -> u64 {
    match &l.body[..] {
        [Node::Loop(inner)] => 1 + chain(inner),
        _ => 1,
    }
}

fn judged(seed: u64) -> Result<Counts, String> {
    let [before, after] = ["c", "out.c"].map(|end| scratch("random_tiles").join(format!("{seed}.{end}")));
    let text = if seed.is_multiple_of(2) { file(&[seed], &language(seed)) } else { in_place(seed) };
    std::fs::write(&before, &text).map_err(|e| e.to_string())?;
    let (mut counts, mut numbers) = (Counts::new(), Numbers(seed));
    let Some(scop) = parse(&text).scops.into_iter().next() else { return Ok(counts) };
    let (mut nests, mut taken): (Vec<Nest>, Vec<Span>) = (Vec::new(), Vec::new());
    for l in scop.loops() {
        let sizes = numbers.sizes(l);
        let (verdict, nest) = attempt(&scop, l, &sizes)?;
        *counts.entry(verdict).or_default() += 1;
        // A nest has tiles once.
        if let Some(nest) = nest.filter(|_| !taken.iter().any(|span| span.contains(&l.span.start))) {
            nests.push(nest);
            taken.push(l.span.clone());
        }
    }
    if !nests.is_empty() {
        std::fs::write(&after, printed(&text, &scop, &nests)?).map_err(|e| e.to_string())?;
        same(&before, &after)?;
    }
    Ok(counts)
}

/// The file with some nests in tiles.
fn printed(text: &str, scop: &Scop, nests: &[Nest]) -> Result<String, String> {
    let tiled = in_tiles(scop, nests).map_err(|wrong| format!("{wrong:?}"))?;
    let (Some(order), Some(program)) = (&tiled.order, &tiled.program) else { return Err("it has no program".into()) };
    let source = Source { program: &order.program, written: &order.written };
    let own = in_text_of(&source, &order.in_source(program), &Additions::none());
    let own = own.map_err(|why| format!("it isn't printed: {why:?}"))?;
    Ok(format!("{}{own}{}", &text[..scop.span.start], &text[scop.span.end..]))
}

/// What becomes of a nest in tiles, and the nest if it may be.
fn attempt(scop: &Scop, l: &Loop, sizes: &[i64]) -> Result<(Verdict, Option<Nest>), String> {
    let Ok(nest) = Nest::of(scop, l, sizes, &|name| format!("{name}_")) else { return Ok((Verdict::Obstacle, None)) };
    let tiled = match in_tiles(scop, std::slice::from_ref(&nest)) {
        Ok(tiled) => tiled,
        Err(Wrong::Obstacle(_)) => return Ok((Verdict::Obstacle, None)),
        Err(_) => return Ok((Verdict::Unlike, None)),
    };
    let ctx = Context::new();
    let verdict = ctx.with_quota(200_000_000, || prove_tiles(&ctx, scop, (&tiled, &nest)));
    Ok(match verdict.map_err(|error| error.to_string())? {
        Ok(()) => (Verdict::Tiled, Some(nest)),
        Err(Wrong::Order(violation)) => {
            shown(scop, l, sizes, &violation).map_err(|why| format!("{why}: {violation:?}"))?;
            (Verdict::Order, None)
        }
        Err(Wrong::Unlike(_) | Wrong::Obstacle(_)) => (Verdict::Unlike, None),
        Err(Wrong::Wraps) => (Verdict::Wraps, None),
    })
}

fn same(before: &Path, after: &Path) -> Result<(), String> {
    let flags = ["-Wno-misleading-indentation"];
    let (expected, found) = (compiler::run_source(before, &flags), compiler::run(after, &flags));
    match expected? == found? {
        true => Ok(()),
        false => Err(format!("{} prints something else", after.display())),
    }
}

/// Whether two operations really change places in tiles, counted from where each loop begins; the first one in the source is in a later tile, or
/// later in the same one.
fn shown(scop: &Scop, l: &Loop, sizes: &[i64], violation: &Violation) -> Result<(), String> {
    if violation.dependence == Dependence::Date {
        return Err("two operations have one date".to_string());
    }
    let loops = scop.loops();
    let counters = |operation: &Operation| -> Option<Vec<(i64, i64)>> {
        let statement = scop.statement(operation.statement);
        let at = statement.loops.iter().position(|id| *id == l.id)?;
        let band = statement.loops.iter().zip(&operation.iterators).skip(at).take(sizes.len());
        Some(band.map(|(id, value)| (loops.iter().find(|l| l.id == *id).map_or(1, |l| l.step), *value)).collect())
    };
    let (Some(first), Some(second)) = (counters(&violation.first), counters(&violation.second)) else {
        return Err("an operation stands outside the nest".to_string());
    };
    let outer = |operation: &Operation| {
        let at = scop.statement(operation.statement).loops.iter().position(|id| *id == l.id).unwrap_or(0);
        operation.iterators[..at].to_vec()
    };
    if outer(&violation.first) != outer(&violation.second) {
        return Err("the operations are of different runs of the nest".to_string());
    }
    // In the source the first comes first; in tiles some counter of a later loop has to go back for that to change.
    let turns = first.iter().zip(&second).map(|((step, a), (_, b))| (b - a) * step.signum());
    let turns: Vec<i64> = turns.collect();
    let forward = turns.iter().position(|turn| *turn > 0);
    let back = turns.iter().rposition(|turn| *turn < 0);
    match (forward, back) {
        (Some(forward), Some(back)) if forward < back => Ok(()),
        _ => Err(format!("their distance is {turns:?}")),
    }
}
