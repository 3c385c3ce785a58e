//! What the numbers should be, and how many are not.

use crate::kernels::Kind;

/// One kernel at one size, with ratios of the code that counts.
pub(crate) struct Cell {
    pub(crate) name: String,
    pub(crate) kind: Kind,
    /// The order of execution is not the source's but the expert's.
    pub(crate) is_fused: bool,
    /// The function's own arrays fit a cache that the source's do not.
    pub(crate) drops: bool,
    pub(crate) of_source: f64,
    pub(crate) of_expert: f64,
    /// The source's time over that of the floor, where there is one.
    pub(crate) floor: f64,
}

/// A goal: what it is, the least ratio, where it counts, and of what.
struct Goal {
    what: &'static str,
    least: f64,
    counts: fn(&Cell) -> bool,
    ratio: fn(&Cell) -> f64,
}

const GOALS: [Goal; 5] = [
    Goal {
        what: "same order of execution, without contraction",
        least: 0.97,
        counts: |_| true,
        ratio: |cell| if cell.is_fused { cell.of_expert } else { cell.of_source },
    },
    Goal { what: "drops below a level of cache", least: 1.1, counts: |cell| cell.drops, ratio: |cell| cell.of_source },
    Goal {
        what: "to and fro, drops below a level of cache",
        least: 2.0,
        counts: |cell| cell.drops && cell.kind == Kind::ToAndFro,
        ratio: |cell| cell.of_source,
    },
    Goal {
        what: "three dimensions",
        least: 1.6,
        counts: |cell| cell.kind == Kind::InSpace,
        ratio: |cell| cell.of_source,
    },
    Goal { what: "of the expert", least: 0.9, counts: |_| true, ratio: |cell| cell.of_expert },
];

const MEAN_OF_SOURCE: f64 = 2.0;
const MEAN_OF_EXPERT: f64 = 1.2;

/// Prints means, minima, and the cells that miss a goal.
pub(crate) fn summary(cells: &[Cell]) {
    means("source", MEAN_OF_SOURCE, cells, |cell| cell.of_source);
    means("expert", MEAN_OF_EXPERT, cells, |cell| cell.of_expert);
    for goal in &GOALS {
        let counted: Vec<&Cell> = cells.iter().filter(|cell| (goal.counts)(cell)).collect();
        let missed: Vec<String> = (counted.iter().filter(|cell| (goal.ratio)(cell) < goal.least))
            .map(|cell| format!("{} ({:.2}{})", cell.name, (goal.ratio)(cell), beside(cell)))
            .collect();
        println!("{:<46}{:>5}: {} of {} miss it", goal.what, goal.least, missed.len(), counted.len());
        missed.chunks(5).for_each(|cells| println!("    {}", cells.join(", ")));
    }
}

/// The floor, of the source, where there is one.
fn beside(cell: &Cell) -> String {
    if cell.floor.is_nan() { String::new() } else { format!(", the floor {:.2}", cell.floor) }
}

fn means(of: &str, goal: f64, cells: &[Cell], ratio: fn(&Cell) -> f64) {
    let logarithms: f64 = cells.iter().map(|cell| ratio(cell).ln()).sum();
    let least = cells.iter().min_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    let mean = (logarithms / cells.len() as f64).exp();
    let least = least.map_or(String::new(), |cell| format!("{:.2} ({})", ratio(cell), cell.name));
    println!("geometric mean of {of} time / time: {mean:.2} (goal {goal}), minimum {least}");
}
