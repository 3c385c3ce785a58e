//! Sizes and times of every method over the sets of Bee's Figure 3, and over random ones.
//!
//! `cargo bench -p polyfold-lattice --bench figure3`
//!
//! Powers of 2 are heuristic 1; `2, 3` is the best of these over all bases. The last tables say how much larger than the
//! optimum a method's mapping is.

use polyfold_isl::{Context, Set};
use polyfold_lattice::{
    Body, Candidate, Differences, Heuristic, Optimum, best_of, heuristic_mappings, improved, optimal_mapping,
};
use std::time::{Duration, Instant};

/// Bound on the search for the optimum.
const WORK: u64 = 200_000_000;

/// Random sets of each kind.
const SETS: u64 = 50;

const FIGURE_3: [(&str, &str); 7] = [
    ("durbin y", "{ [i, k] : -100 < i + 2k < 100 and -100 < i - k < 100 and -1 <= k <= 1 }"),
    ("reg_detect mean", "{ [i, j] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 }"),
    ("reg_detect diff", "{ [i, j, k] : -6 < i < 6 and -6 < j < 6 and -6 < i - j < 6 and -64 < k < 64 }"),
    ("dynprog c", "{ [i, j] : -9 < i < 9 and -9 < j < 9 and -9 < i - j < 9 }"),
    ("gauss g_tmp", "{ [i, j] : -48 < i < 48 and -50 < j < 50 }"),
    ("motion Delta", "{ [0, 0, 0] }"),
    ("scalars", "{ [0] }"),
];

const LARGE: [(&str, &str); 2] = [
    ("y, n = 20000", "{ [i, k] : -20000 < i + 2k < 20000 and -20000 < i - k < 20000 and -1 <= k <= 1 }"),
    ("mean, n = 201", "{ [i, j] : -201 < i < 201 and -201 < j < 201 and -201 < i - j < 201 }"),
];

const METHODS: [(&str, &[Heuristic]); 3] =
    [("1", &[Heuristic::One]), ("1.a", &[Heuristic::OneA]), ("2, 3", &[Heuristic::Two, Heuristic::Three])];

fn main() {
    println!(
        "{:<16}{:>8}{:>8}{:>8}{:>8}{:>8}   {:>11}{:>11}",
        "", "1", "1.a", "2, 3", "bound", "best", "read", "total"
    );
    let ctx = Context::new();
    for (name, text) in FIGURE_3.iter().chain(&LARGE) {
        row(&ctx, name, text);
    }
    println!("\n{:<24}{:>8}{:>10}{:>8}", "larger than the optimum", "mean", "worst", "sets");
    for dimensions in [2, 3] {
        for convex in [true, false] {
            random(&ctx, dimensions, convex);
        }
    }
}

fn least(candidates: &[Candidate], wanted: &[Heuristic]) -> Option<i64> {
    candidates.iter().filter(|c| wanted.contains(&c.heuristic)).map(|c| c.cells).min()
}

fn row(ctx: &Context, name: &str, text: &str) {
    let set = Set::read(ctx, text).expect("a set");
    let candidates = {
        let (differences, body) = read(&set);
        heuristic_mappings(&differences, Some(&body)).expect("they are found")
    };
    let (mut reading, mut total) = (Duration::MAX, Duration::MAX);
    let mut found = None;
    for _ in 0..3 {
        let begun = Instant::now();
        let (differences, body) = read(&set);
        reading = reading.min(begun.elapsed());
        found = Some(optimal_mapping(&differences, Some(&body), WORK).expect("it is found"));
        total = total.min(begun.elapsed());
    }
    let best = found.expect("it was run");
    let cell = |wanted| least(&candidates, wanted).map_or("-".to_string(), |cells| cells.to_string());
    print!("{name:<16}");
    METHODS.iter().for_each(|(_, wanted)| print!("{:>8}", cell(wanted)));
    let mark = if best.is_optimal() { "" } else { " ?" };
    println!("{:>8}{:>8}{mark:<2} {:>11}{:>11}", best.clique, best.cells, millis(reading), millis(total));
}

fn read(set: &Set) -> (Differences, Body) {
    (Differences::of(set).expect("it is bounded"), Body::of(set).expect("it is symmetric"))
}

fn millis(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}

/// How far the methods are from the optimum where that is known.
fn random(ctx: &Context, dimensions: usize, convex: bool) {
    let kind = format!("{dimensions}-D, {}", if convex { "convex" } else { "not convex" });
    let begun = Instant::now();
    let cases: Vec<(Vec<Candidate>, Optimum)> =
        (0..SETS).map(|seed| case(&random_set(ctx, seed, dimensions, convex))).collect();
    let time = begun.elapsed();
    let known: Vec<_> = cases.iter().filter(|(_, optimum)| optimum.is_optimal()).collect();
    println!("{kind}: {} of {SETS} optima known, {} in all", known.len(), millis(time));
    let mut all: Vec<(&str, Vec<f64>)> = Vec::new();
    for (name, wanted) in METHODS {
        let excess = known.iter().filter_map(|(c, optimum)| Some(least(c, wanted)? as f64 / optimum.cells as f64));
        all.push((name, excess.collect()));
    }
    all.push(("best", known.iter().map(|(_, o)| o.heuristic.cells as f64 / o.cells as f64).collect()));
    all.push(("bound (smaller)", known.iter().map(|(_, o)| o.clique as f64 / o.cells as f64).collect()));
    for (name, ratios) in all {
        let mean = ratios.iter().sum::<f64>() / ratios.len().max(1) as f64;
        let far = |worst: f64, r: &f64| if (r - 1.0).abs() > (worst - 1.0).abs() { *r } else { worst };
        let percent = |ratio: f64| format!("{:+.1} %", (ratio - 1.0) * 100.0);
        println!("  {name:<22}{:>8}{:>10}{:>8}", percent(mean), percent(ratios.iter().fold(1.0, far)), ratios.len());
    }
}

fn case((differences, body): &(Differences, Body)) -> (Vec<Candidate>, Optimum) {
    let candidates = heuristic_mappings(differences, Some(body)).expect("they are found");
    let best = best_of(candidates.clone()).expect("there is one");
    (candidates, improved(best, differences, Some(body), WORK).expect("it is found"))
}

/// The integer points of the hull of some points and their negatives; for a set that is not convex, the given points and
/// three quarters of the others.
fn random_set(ctx: &Context, seed: u64, dimensions: usize, convex: bool) -> (Differences, Body) {
    let mut random = Random(seed * 4 + dimensions as u64 * 1000 + u64::from(convex) + 1);
    let reach = if dimensions == 2 { 20 } else { 6 };
    let mut point = || -> Vec<i64> { (0..dimensions).map(|_| random.below(2 * reach + 1) - reach).collect() };
    let corners: Vec<Vec<i64>> = (0..2 + seed % 4).map(|_| point()).collect();
    let tuple = |sign: i64, p: &[i64]| p.iter().map(|c| (sign * c).to_string()).collect::<Vec<_>>().join(", ");
    let tuples = corners.iter().flat_map(|p| [tuple(1, p), tuple(-1, p)]).map(|t| format!("[{t}]"));
    let text = format!("{{ {} }}", tuples.collect::<Vec<_>>().join("; "));
    let hull = Set::read(ctx, &text).and_then(|set| set.convex_hull()).expect("a hull");
    let (differences, body) = read(&hull);
    if convex {
        return (differences, body);
    }
    let kept = differences.half().filter(|_| random.below(4) > 0).map(<[i64]>::to_vec).chain(corners);
    (Differences::new(dimensions, kept.collect()), body)
}

/// A linear congruential generator: the same sets in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) % bound as u64) as i64
    }
}
