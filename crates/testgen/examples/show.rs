//! Prints the program of each seed given, or with none the share of programs that have each feature.

use polyfold_testgen::{Feature, Options, file, program};

const SAMPLE: u64 = 1000;

fn main() {
    let seeds: Vec<u64> = std::env::args().skip(1).map(|a| a.parse().expect("seeds are numbers")).collect();
    if !seeds.is_empty() {
        return print!("{}", file(&seeds, &Options::default()));
    }
    let programs: Vec<_> = (0..SAMPLE).map(|seed| program(seed, &Options::default())).collect();
    for feature in Feature::ALL {
        let count = programs.iter().filter(|p| p.features.contains(&feature.name())).count();
        println!("{:20} {:5.1} %", feature.name(), 100.0 * count as f64 / SAMPLE as f64);
    }
    let lines: usize = programs.iter().map(|p| p.source.lines().count()).sum();
    println!("{:20} {:5.1}", "lines", lines as f64 / SAMPLE as f64);
}
