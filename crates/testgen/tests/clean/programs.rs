//! Every program compiles without a warning and runs without an error under the sanitizers.

use std::collections::BTreeSet;

use polyfold_testgen::{Feature, Options, file, program, shrink};

use crate::compiler;

#[test]
fn programs_are_in_bounds_and_defined() {
    for batch in 0..2 {
        let seeds: Vec<u64> = (25 * batch..25 * (batch + 1)).collect();
        let output = compiler::run_text(&format!("batch{batch}"), &file(&seeds, &Options::default()));
        let reported = output.lines().filter_map(|l| l.split(' ').next()).collect::<BTreeSet<_>>();
        assert_eq!(reported.len(), seeds.len());
    }
}

#[test]
fn programs_read_no_cell_that_was_not_written() {
    let text = file(&(150..250).collect::<Vec<_>>(), &Options::default());
    assert!(compiler::is_defined(&compiler::write("defined", &text)));
}

#[test]
fn each_feature_can_be_switched_off() {
    let mut sources = Vec::new();
    for (at, feature) in Feature::ALL.iter().enumerate() {
        let options = Options::default().without(*feature);
        let seeds = (0..40).map(|s| 1000 * (at as u64 + 1) + s);
        let programs: Vec<_> = seeds.map(|seed| program(seed, &options)).collect();
        assert!(programs.iter().all(|p| !p.features.contains(&feature.name())), "{}", feature.name());
        sources.extend(programs.into_iter().next());
    }
    let text: String = sources.iter().map(|p| p.source.as_str()).collect();
    let main: String = sources.iter().map(|p| p.driver.as_str()).collect();
    let text = format!("{}{text}int main(void) {{\n{main}  return 0;\n}}\n", polyfold_testgen::PREAMBLE);
    compiler::run_text("switched_off", &text);
}

#[test]
fn almost_nothing_is_left_without_features() {
    let options = Options { features: BTreeSet::new(), max_statements: 1 };
    let text = file(&(0..25).collect::<Vec<_>>(), &options);
    assert!(["?", "if", "--", "MIN(i", "[j]"].iter().all(|c| !text[polyfold_testgen::PREAMBLE.len()..].contains(c)));
    compiler::run_text("no_features", &text);
}

#[test]
fn every_feature_occurs() {
    let seen: BTreeSet<_> = (0..300).flat_map(|seed| program(seed, &Options::default()).features).collect();
    let missing: Vec<_> = Feature::ALL.iter().filter(|f| !seen.contains(f.name())).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn shrinking_keeps_the_failure_and_little_else() {
    let fails = |options: &Options| program(58, options).source.contains("i >= 0; i--");
    let seed_fails = fails(&Options::default());
    let small = shrink(&Options::default(), fails);
    assert!(seed_fails && fails(&small));
    assert!(small.features.len() <= 3, "{small:?}");
    assert!(program(58, &small).source.len() < program(58, &Options::default()).source.len());
}
