//! The table of times.

use crate::caches::{Caches, LEVELS};
use crate::goals::{Cell, summary};
use crate::kernels::Kernel;
use crate::program::{Case, FAST, FLOOR, Machine, Program, variants};
use std::path::Path;

pub(crate) fn table(kernels: &[&Kernel], caches: &Caches) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut timed: Vec<Timed> =
        kernels.iter().flat_map(|kernel| at_all_levels(kernel, caches, folder.path())).collect();
    for pass in 0..PASSES {
        eprintln!("pass {} of {PASSES}", pass + 1);
        timed.iter_mut().for_each(|timed| timed.pass(pass));
    }
    println!("source time / time of a variant");
    print!("{:<18}{:<8}{:>10}{:>8}{:>10} -> {:<10}", "kernel", "size", "n", "steps", "own bytes", "");
    columns().for_each(|name| print!("{name:>8}"));
    println!("{:>14}{:>11}{:>12}", format!("{FAST}/expert"), "source ms", "roomy takes");
    let cells: Vec<Cell> = timed.into_iter().map(|timed| timed.cell(caches)).collect();
    println!();
    summary(&cells);
}

/// A kernel at its sizes, which are made ready at once.
fn at_all_levels<'a>(kernel: &'a Kernel, caches: &Caches, folder: &Path) -> Vec<Timed<'a>> {
    std::thread::scope(|scope| {
        let of = |level| scope.spawn(move || Timed::new(kernel, level, caches, folder));
        let threads: Vec<_> = (0..LEVELS.len()).map(of).collect();
        threads.into_iter().map(|thread| thread.join().expect("it is made ready")).collect()
    })
}

/// What is held against the source.
fn columns() -> impl Iterator<Item = &'static str> {
    variants().into_iter().skip(1).chain([FLOOR])
}

/// How often the whole table is gone through: other work on the machine may slow it down for minutes, so that the processes of one line are spread over all of the time.
const PASSES: usize = 9;

/// How many processes are timed in L1, L2, L3 and memory: where a process's pages lie is the same in all of its rounds, and decides the more
/// the smaller the caches.
const RUNS: [usize; 4] = [9, 7, 3, 5];

/// One kernel at one size.
struct Timed<'a> {
    case: Case<'a>,
    level: usize,
    program: Program,
    /// What its processes have printed.
    printed: Vec<String>,
}

impl<'a> Timed<'a> {
    fn new(kernel: &'a Kernel, level: usize, caches: &Caches, folder: &Path) -> Self {
        let steps = kernel.steps[level];
        let case = Case { kernel, n: kernel.n_for(caches.target(level), steps), steps };
        let own = folder.join(format!("{}-{}-{}", kernel.name, kernel.schedule, LEVELS[level]));
        std::fs::create_dir(&own).expect("the temporary folder can be written");
        let program = case.program(&own, Machine::This);
        Self { case, level, program, printed: Vec::new() }
    }

    /// Times a process, in as many of the passes as it has processes.
    fn pass(&mut self, pass: usize) {
        let runs = RUNS[self.level];
        if pass * runs / PASSES != (pass + 1) * runs / PASSES {
            self.printed.push(self.program.run(&[]));
        }
    }

    /// Prints its line.
    fn cell(self, caches: &Caches) -> Cell {
        let Self { case: Case { kernel, n, steps }, level, program, printed } = self;
        let rounds = Rounds::read(printed.into_iter());
        let of = |over: &str, under: &str| {
            let places = program.place(over).zip(program.place(under));
            places.map_or(f64::NAN, |(over, under)| rounds.ratio(over, under))
        };
        let [before, after] = program.bytes;
        let cell = Cell {
            name: format!("{} {}", kernel.name, LEVELS[level]),
            kind: kernel.kind,
            is_fused: kernel.schedule != "keep",
            drops: caches.level(after) < caches.level(before),
            of_source: of("source", FAST),
            of_expert: of("expert", FAST),
            floor: of("source", FLOOR),
        };
        print!("{:<18}{:<8}{n:>10}{steps:>8}{:>10} -> {:<10}", kernel.name, LEVELS[level], bytes(before), bytes(after));
        for variant in columns() {
            match program.place(variant) {
                Some(_) => print!("{:>8.2}", of("source", variant)),
                None => print!("{:>8}", "-"),
            }
        }
        let more = program.roomy_bytes.map(|roomy| format!("{:+.1}%", (roomy as f64 / after as f64 - 1.0) * 100.0));
        let more = more.unwrap_or_else(|| "-".to_string());
        println!("{:>14.2}{:>11.3}{more:>12}", cell.of_expert, rounds.median(0) * 1e3);
        cell
    }
}

/// Seconds of each variant by process and round, where it took part.
struct Rounds(Vec<Vec<Vec<Option<f64>>>>);

impl Rounds {
    fn read(runs: impl Iterator<Item = String>) -> Self {
        let round = |line: &str| line.split_whitespace().map(|word| word.parse().ok()).collect();
        Self(runs.map(|text| text.lines().map(round).collect()).collect())
    }

    /// The median of one variant's time over another's.
    fn ratio(&self, over: usize, under: usize) -> f64 {
        self.middle(|round| Some(round[over]? / round[under]?))
    }

    fn median(&self, variant: usize) -> f64 {
        self.middle(|round| round[variant])
    }

    /// The median over processes of the medians over their rounds.
    fn middle(&self, number: impl Fn(&[Option<f64>]) -> Option<f64>) -> f64 {
        middle(self.0.iter().map(|rounds| middle(rounds.iter().filter_map(|round| number(round)).collect())).collect())
    }
}

fn middle(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A number of bytes in few letters.
fn bytes(count: u64) -> String {
    match count {
        0..1024 => format!("{count} B"),
        1024..0x10_0000 => format!("{:.1} K", count as f64 / 1024.0),
        _ => format!("{:.1} M", count as f64 / f64::from(1 << 20)),
    }
}
