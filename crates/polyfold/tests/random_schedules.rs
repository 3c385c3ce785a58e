//! Random programs in random orders: loops shifted, turned over, exchanged, skewed, distributed and fused.
//!
//! Whether an order computes the same is asked twice: of the prover, which knows sets, and of a run of the program, whose
//! operations are sorted by the order's dates. What both accept is optimized by the command that users run, with new loops, larger
//! arrays where they are needed, and smaller ones after that; original and result must print the same, under sanitizers. What
//! the prover refuses is refused with two operations, and the run has to show them: the second depends on the first, and
//! does not come behind it.
//!
//! Every second program has been contracted before: its orders find memory in their way, and arrays grow.
//!
//! A longer campaign, over seeds of your choice:
//!
//! ```text
//! POLYFOLD_FIRST_SEED=1000 POLYFOLD_SEEDS=200 cargo test -p polyfold --test all random_schedules:: -- --ignored --nocapture
//! ```

use crate::support::{compiler, parse, scratch, tool, two_threads};
use polyfold_flow::Model;
use polyfold_isl::Context;
use polyfold_replay::{Operation, Trace};
use polyfold_schedule::{Dependence, Given, Violation, check};
use polyfold_scop::{AccessKind, Node, Scop, StatementId};
use polyfold_testgen::{Feature, Options, file};
use std::collections::BTreeMap;
use std::path::Path;

/// Seeds in the test itself.
const PROGRAMS: u64 = 30;

#[test]
fn random_orders_compute_the_same_or_are_refused() {
    let counts = campaign(0, PROGRAMS);
    for (verdict, least) in [(Verdict::Reordered, 10), (Verdict::Grown, 1), (Verdict::Refused, 5)] {
        assert!(counts.get(&verdict).is_some_and(|count| *count >= least), "{counts:?}");
    }
    assert_eq!(counts.get(&Verdict::Unfit), None, "{counts:?}");
}

#[test]
#[ignore = "a campaign of any length, see the module's documentation"]
fn long_campaign() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|v| v.parse().ok()).unwrap_or(default);
    campaign(number("POLYFOLD_FIRST_SEED", 1000), number("POLYFOLD_SEEDS", 200));
}

fn campaign(first: u64, programs: u64) -> BTreeMap<Verdict, usize> {
    let mut counts = BTreeMap::new();
    let seeds: Vec<u64> = (first..first + programs).collect();
    for verdict in two_threads::map(seeds, |seed| judged(seed).unwrap_or_else(|why| panic!("seed {seed}: {why}"))) {
        *counts.entry(verdict).or_default() += 1;
    }
    println!("{counts:?}");
    counts
}

/// What became of a program in its order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Verdict {
    /// It has new loops, and computes the same.
    Reordered,
    /// So it has, with larger arrays.
    Grown,
    /// The order is wrong, as a run shows.
    Refused,
    /// Only memory is in the way, of arrays that cannot grow.
    Short,
    /// The program is none that gets new loops.
    Unfit,
}

/// Programs whose loops can be moved: data decides nothing.
fn language() -> Options {
    use Feature::*;
    let features = [
        RunTimeSizes,
        TwoDimensions,
        Offsets,
        ManyStatements,
        Lags,
        Reversed,
        Triangles,
        Recurrences,
        PingPong,
        InPlace,
    ];
    Options { features: features.into_iter().collect(), max_statements: 4 }
}

fn judged(seed: u64) -> Result<Verdict, String> {
    let [before, after] = ["c", "out.c"].map(|end| scratch("random_schedules").join(format!("{seed}.{end}")));
    std::fs::write(&before, file(&[seed], &language())).map_err(|e| e.to_string())?;
    if seed % 2 == 1 {
        contract(&before)?;
    }
    let source = std::fs::read_to_string(&before).map_err(|e| e.to_string())?;
    let Some(scop) = parse(&source).scops.into_iter().next() else { return Ok(Verdict::Unfit) };
    let order = Order::random(&scop, &mut Random(seed));
    let (ctx, text) = (Context::new(), order.text(&scop));
    let model = Model::build(&ctx, &scop).map_err(|e| e.to_string())?;
    let given = Given::read(&ctx, &model, &text).map_err(|fault| format!("{text} is no schedule: {fault:?}"))?;
    let verdict = check(&model, given, &[]).map_err(|e| e.to_string())?.err();
    match &verdict {
        Some(violation) => shown(&scop, &order, violation).map_err(|why| format!("{text}: {why}"))?,
        None => kept(&scop, &order).map_err(|why| format!("{text}: {why}"))?,
    }
    let run = tool::optimize(&before, &after, &["--schedule", &text]);
    let violated = verdict.is_some();
    match (run.status, verdict.map(|violation| violation.dependence)) {
        (0, None | Some(Dependence::Memory(_))) => {
            let (expected, found) = (compiler::run_source(&before, &[]), compiler::run(&after, &[]));
            let is_same = expected.is_ok() && expected == found;
            let has_grown = run.stderr.contains("gets more cells");
            if has_grown != violated {
                return Err(format!(
                    "{text}: larger arrays where they {} needed",
                    if violated { "are" } else { "are not" }
                ));
            }
            is_same
                .then_some(if has_grown { Verdict::Grown } else { Verdict::Reordered })
                .ok_or_else(|| format!("{text}: {expected:?} is not {found:?}"))
        }
        (1, _) if run.stderr.contains("new loops") => Ok(Verdict::Unfit),
        (2, Some(Dependence::Memory(_))) => Ok(Verdict::Short),
        (2, Some(_)) => Ok(Verdict::Refused),
        (status, verdict) => Err(format!("{text}: status {status} where the prover says {verdict:?}: {}", run.stderr)),
    }
}

/// Small arrays, so that orders find memory in their way; in loops as they were, which an order can move.
fn contract(program: &Path) -> Result<(), String> {
    let result = program.with_extension("small.c");
    let run = tool::optimize(program, &result, &["--scope", "intra", "--emit", "plain"]);
    if run.status != 0 {
        return Err(format!("polyfold ends with {}: {}", run.status, run.stderr));
    }
    std::fs::rename(&result, program).map_err(|e| e.to_string())
}

/// Whether a run has the two operations, dependent and in the wrong order.
fn shown(scop: &Scop, order: &Order, violation: &Violation) -> Result<(), String> {
    let trace = run(scop, &|name| violation.sizes.iter().find(|(isl, _)| isl == name).map(|(_, value)| *value))?;
    let place = |operation: &polyfold_schedule::Operation| {
        let is_it = |o: &&Operation| o.statement == operation.statement && o.iteration == operation.iterators;
        trace.operations.iter().find(is_it).ok_or_else(|| format!("no run has {operation:?}"))
    };
    let (first, second) = (place(&violation.first)?, place(&violation.second)?);
    if order.date(second) > order.date(first) {
        return Err(format!("{violation:?}, but the second comes behind the first"));
    }
    let array = match violation.dependence {
        Dependence::Value(array) | Dependence::Memory(array) => array,
        Dependence::Overlap(..) | Dependence::Effects | Dependence::Date => return Ok(()),
    };
    let is_anywhere = |id: StatementId| {
        let accesses = &scop.statement(id).accesses;
        accesses.iter().any(|access| access.array == array && access.subscripts.is_none())
    };
    if is_anywhere(violation.first.statement) || is_anywhere(violation.second.statement) {
        return Ok(());
    }
    let touches = |operation: &Operation, is_wanted: &dyn Fn(&AccessKind) -> bool| {
        let own = operation.events.iter().filter(|event| event.array == array && is_wanted(&event.kind));
        own.map(|event| event.cell.clone()).collect::<Vec<_>>()
    };
    let (any, writes) = (|_: &AccessKind| true, |kind: &AccessKind| *kind == AccessKind::Write);
    let meet = |a: Vec<Vec<i64>>, b: Vec<Vec<i64>>| a.iter().any(|cell| b.contains(cell));
    let is_dependent =
        meet(touches(first, &writes), touches(second, &any)) || meet(touches(first, &any), touches(second, &writes));
    is_dependent.then_some(()).ok_or_else(|| format!("{violation:?}, but the two share no cell"))
}

/// Whether runs at small sizes read the same values in the other order.
fn kept(scop: &Scop, order: &Order) -> Result<(), String> {
    for size in [1, 2, 5] {
        let trace = run(scop, &|_| Some(size))?;
        let date = |statement: StatementId, iteration: &[i64]| order.by_statement[statement.0].date(iteration);
        trace.reordered(&date).map_err(|why| format!("accepted, but at {size} {why}"))?;
    }
    Ok(())
}

fn run(scop: &Scop, size: &dyn Fn(&str) -> Option<i64>) -> Result<Trace, String> {
    let sizes = scop.parameters.iter().map(|p| (p.name.clone(), size(&p.name).unwrap_or(1))).collect();
    Trace::run(scop, &sizes, || false, 100_000).map_err(|e| e.to_string())
}

/// Dates for all operations.
struct Order {
    by_statement: Vec<Dates>,
}

/// The dates of one statement: a sum of multiples of its counters and a number for each dimension.
#[derive(Clone)]
struct Dates {
    rows: Vec<(Vec<i64>, i64)>,
}

impl Dates {
    fn date(&self, iteration: &[i64]) -> Vec<i64> {
        let value = |(row, constant): &(Vec<i64>, i64)| {
            constant + row.iter().zip(iteration).map(|(factor, counter)| factor * counter).sum::<i64>()
        };
        self.rows.iter().map(value).collect()
    }

    fn text(&self) -> String {
        let row = |(row, constant): &(Vec<i64>, i64)| {
            let terms = row.iter().enumerate().map(|(k, factor)| format!("{factor} i{k} + "));
            format!("{}{constant}", terms.collect::<String>())
        };
        self.rows.iter().map(row).collect::<Vec<_>>().join(", ")
    }
}

/// Places in the text and turns of loops: `p0, t0, p1, t1, p2, t2, p3`.
const DIMENSIONS: usize = 7;

impl Order {
    /// The source's order, changed in one or two ways.
    fn random(scop: &Scop, random: &mut Random) -> Order {
        let mut by_statement = vec![Dates { rows: Vec::new() }; scop.statements.len()];
        source_order(&scop.body, &mut Vec::new(), &mut by_statement);
        for dates in &mut by_statement {
            let depth = dates.rows.first().map_or(0, |(row, _)| row.len());
            dates.rows.resize(DIMENSIONS, (vec![0; depth], 0));
        }
        let mut order = Order { by_statement };
        for _ in 0..1 + random.below(2) {
            order.change(random);
        }
        order
    }

    fn change(&mut self, random: &mut Random) {
        let (way, some) = (random.below(7), random.below(3) as i64);
        for dates in &mut self.by_statement {
            let nest = dates.rows[0].1;
            match way {
                0 => dates.rows.swap(1, 3),
                1 => dates.rows.swap(1, 2),
                2 => dates.turn_over(1),
                3 => dates.turn_over(3),
                4 => dates.add(1, 3),
                5 => dates.rows[1].1 += some * nest,
                _ => {
                    dates.rows[0].1 = 0;
                    dates.rows[1].1 += some * nest;
                    dates.rows[2].1 += 100 * nest;
                }
            }
        }
    }

    fn date(&self, operation: &Operation) -> Vec<i64> {
        self.by_statement[operation.statement.0].date(&operation.iteration)
    }

    fn text(&self, scop: &Scop) -> String {
        let maps = scop.statements.iter().zip(&self.by_statement).map(|(statement, dates)| {
            let counters: Vec<String> = (0..statement.loops.len()).map(|k| format!("i{k}")).collect();
            format!("{}[{}] -> [{}]", statement.name, counters.join(", "), dates.text())
        });
        format!("{{ {} }}", maps.collect::<Vec<_>>().join("; "))
    }
}

impl Dates {
    fn turn_over(&mut self, dimension: usize) {
        let (row, constant) = &mut self.rows[dimension];
        row.iter_mut().for_each(|factor| *factor = -*factor);
        *constant = -*constant;
    }

    fn add(&mut self, from: usize, to: usize) {
        let (row, constant) = self.rows[from].clone();
        self.rows[to].0.iter_mut().zip(&row).for_each(|(factor, other)| *factor += other);
        self.rows[to].1 += constant;
    }
}

/// Dates as the text runs: by place among its neighbours and by turn, from the outside in.
fn source_order(nodes: &[Node], outer: &mut Vec<(i64, i64)>, dates: &mut [Dates]) {
    for (place, node) in nodes.iter().enumerate() {
        let at = place as i64;
        match node {
            Node::Statement(id) => dates[id.0] = in_loops(outer, at),
            Node::Loop(l) => {
                outer.push((at, l.step.signum()));
                source_order(&l.body, outer, dates);
                outer.pop();
            }
            Node::Guard(_) => panic!("the language has no conditions"),
        }
    }
}

fn in_loops(outer: &[(i64, i64)], place: i64) -> Dates {
    let depth = outer.len();
    let unit = |k: usize, sign: i64| (0..depth).map(|j| if j == k { sign } else { 0 }).collect::<Vec<i64>>();
    let mut rows = Vec::new();
    for (k, (place, sign)) in outer.iter().enumerate() {
        rows.extend([(vec![0; depth], *place), (unit(k, *sign), 0)]);
    }
    rows.push((vec![0; depth], place));
    Dates { rows }
}

/// Numbers that depend on the seed alone.
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }
}
