//! Programs before and after a pass, each pair in a file: judged by the validator and by execution.

use polyfold_isl::Context;
use polyfold_program::{Invariant, Program, Stmt};
use polyfold_prove::validate::{Verdict, lockstep};
use polyfold_replay::terms::{agree, sizes_to_run};
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
    for file in files("lockstep") {
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
