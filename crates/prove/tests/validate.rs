//! Programs before and after a pass, each pair in a file: judged by the validator and by execution.

use polyfold_isl::Context;
use polyfold_program::{Invariant, Program, Stmt};
use polyfold_prove::validate::{Verdict, dataflow, lockstep};
use polyfold_replay::terms::{agree, sizes_to_run};
use polyfold_testgen::mutants;
use std::path::{Path, PathBuf};

/// Elementary steps of isl for one pair.
const STEPS: u64 = 200_000_000;

/// Statements and iterations for one pair.
const WORK: u64 = 3_000_000;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn pair(file: &Path) -> (Program, Program) {
    let text = std::fs::read_to_string(file).expect("it can be read");
    let all = Program::read_all(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    <[Program; 2]>::try_from(all).map(|[before, after]| (before, after)).expect("two programs")
}

#[test]
fn every_pair_leaves_the_same_terms() {
    for file in files("lockstep").into_iter().chain(files("dataflow")) {
        let (before, after) = pair(&file);
        let ran = agree(&before, &after, &sizes_to_run(&before, &after), WORK);
        let ran = ran.unwrap_or_else(|difference| panic!("{}: {difference:?}", file.display()));
        assert!(ran.agreed >= 6, "{}: {ran:?}", file.display());
    }
}

/// What the pass said of its loops is looked for.
#[test]
#[ignore = "takes a minute"]
fn every_pair_is_proved_without_what_the_pass_says() {
    for file in files("lockstep") {
        let (before, mut after) = pair(&file);
        forget(&mut after.body);
        let start = std::time::Instant::now();
        let verdict = lockstep(&Context::new(), &before, &after, 20 * STEPS).expect("isl works");
        println!("{}: {verdict:?} {:?}", file.file_name().expect("a name").display(), start.elapsed());
        assert!(matches!(verdict, Verdict::Same { .. }), "{}: {verdict:?}", file.display());
    }
}

fn forget(body: &mut [Stmt]) {
    for stmt in body {
        match stmt {
            Stmt::For(own) => {
                own.invariant = Invariant::default();
                forget(&mut own.body);
            }
            Stmt::If { then, other, .. } => [then, other].into_iter().for_each(|list| forget(list)),
            _ => {}
        }
    }
}

#[test]
fn every_pair_is_proved_in_lockstep() {
    for file in files("lockstep") {
        let (before, after) = pair(&file);
        let start = std::time::Instant::now();
        let verdict = lockstep(&Context::new(), &before, &after, STEPS).expect("isl works");
        println!("{}: {verdict:?} {:?}", file.file_name().expect("a name").display(), start.elapsed());
        assert!(matches!(verdict, Verdict::Same { .. }), "{}: {verdict:?}", file.display());
    }
}

#[test]
fn every_pair_has_the_same_dataflow() {
    for file in files("dataflow") {
        let (before, after) = pair(&file);
        let start = std::time::Instant::now();
        let verdict = dataflow(&Context::new(), &before, &after, STEPS).expect("isl works");
        println!("{}: {verdict:?} {:?}", file.file_name().expect("a name").display(), start.elapsed());
        assert!(matches!(verdict, Verdict::Same { .. }), "{}: {verdict:?}", file.display());
    }
}

/// What was made of a program's mutants.
#[derive(Debug, Default)]
struct Tally {
    mutants: usize,
    /// Execution at more sizes than the product takes shows a difference.
    wrong: usize,
    /// The product's sizes show it, too.
    seen: usize,
    /// The validator refuses what is wrong.
    refused: usize,
    /// And what isn't.
    refused_harmless: usize,
}

/// Steps of isl for one mutant: what takes longer is refused.
const MUTANT_STEPS: u64 = 20_000_000;

type Validator = fn(&Context, &Program, &Program, u64) -> polyfold_isl::Result<Verdict>;

/// A folder of pairs, and what proves them.
const FOLDERS: [(&str, Validator); 2] = [("lockstep", lockstep), ("dataflow", dataflow)];

/// Of some mutants of a pair, from all parts of the program.
fn tally(file: &Path, validator: Validator, most: usize) -> Tally {
    let (before, after) = pair(file);
    let sizes = sizes_to_run(&before, &after);
    let mut tally = Tally::default();
    let all = mutants(&after);
    let step = all.len().div_ceil(most).max(1);
    for mutant in all.into_iter().step_by(step) {
        let difference = agree(&before, &mutant.program, &many_sizes(&before), 20 * WORK).err();
        let verdict = validator(&Context::new(), &before, &mutant.program, MUTANT_STEPS).expect("isl works");
        let is_refused = matches!(verdict, Verdict::Refused(_));
        tally.mutants += 1;
        match difference {
            Some(difference) => {
                tally.wrong += 1;
                tally.seen += usize::from(agree(&before, &mutant.program, &sizes, WORK).is_err());
                tally.refused += usize::from(is_refused);
                let name = file.file_name().expect("a name").display();
                assert!(is_refused, "{name}, {}: {difference:?} in\n{}", mutant.kind, mutant.program);
            }
            None => tally.refused_harmless += usize::from(is_refused),
        }
    }
    tally
}

/// All sizes from 1 to 9, or to 7 where there are more than two; and some of 25 and 49.
fn many_sizes(program: &Program) -> Vec<Vec<i64>> {
    let count = program.parameters.len();
    let most = if count > 2 { 7 } else { 9 };
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |sizes: &Vec<i64>| (1..=most).map(|size| [&sizes[..], &[size]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.extend([25, 49].map(|size| vec![size; count]));
    all
}

#[test]
fn a_wrong_mutant_is_refused() {
    for (folder, validator) in FOLDERS {
        for file in files(folder) {
            let tally = tally(&file, validator, 5);
            assert!(tally.wrong > 0, "{}: {tally:?}", file.display());
        }
    }
}

/// `cargo test --release -p polyfold-prove --test validate -- --ignored --nocapture all_wrong` prints the table.
#[test]
#[ignore = "takes minutes"]
fn all_wrong_mutants_are_refused() {
    println!(
        "{:<24} {:>8} {:>6} {:>10} {:>8} {:>17}",
        "pair", "mutants", "wrong", "execution", "refused", "harmless refused"
    );
    let mut all = Tally::default();
    let row = |name: &str, tally: &Tally| {
        let Tally { mutants, wrong, seen, refused, refused_harmless } = tally;
        println!("{name:<24} {mutants:>8} {wrong:>6} {seen:>10} {refused:>8} {refused_harmless:>17}");
    };
    for (folder, validator) in FOLDERS {
        for file in files(folder) {
            let own = tally(&file, validator, usize::MAX);
            row(&file.file_stem().expect("a name").display().to_string(), &own);
            all.mutants += own.mutants;
            all.wrong += own.wrong;
            all.seen += own.seen;
            all.refused += own.refused;
            all.refused_harmless += own.refused_harmless;
        }
    }
    row("all", &all);
}
