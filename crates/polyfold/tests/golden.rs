//! What the tool makes of every file in `corpus/` and `examples/`: the table in `golden/NAME.txt`, the C in
//! `golden/NAME.c`.
//!
//! After a change that is meant, look at what it does:
//!
//! ```text
//! POLYFOLD_BLESS=1 cargo test -p polyfold --test golden && git diff crates/polyfold/tests/golden
//! ```

#![allow(missing_docs)]

mod support;

use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use support::golden::{expect, same};
use support::{c_files, compiler, scratch, stem, tool, two_threads};

/// One file, optimized.
struct Case {
    source: PathBuf,
    result: PathBuf,
    run: tool::Run,
}

#[test]
fn tables_and_code_are_as_expected() {
    every_case(|case| {
        let name = stem(&case.source);
        expect(&format!("{name}.txt"), &case.run.stdout)?;
        expect(&format!("{name}.c"), &read(&case.result)?)
    });
}

#[test]
fn results_print_the_same_as_the_originals() {
    every_case(|case| {
        let original = case.result.with_extension("original.c");
        std::fs::copy(&case.source, &original).map_err(|e| e.to_string())?;
        let (before, after) = (compiler::run_source(&original, &[])?, compiler::run(&case.result, &[])?);
        if before == after { Ok(()) } else { Err(format!("before:\n{before}\nafter:\n{after}")) }
    });
}

#[test]
fn results_draw_no_warnings() {
    every_case(|case| compiler::all_warnings(&case.result));
}

#[test]
#[ignore = "long, in ./check-more"]
fn results_are_not_changed_again() {
    every_case(|case| {
        let again = case.result.with_extension("again.c");
        succeeds(&tool::optimize(&case.result, &again, &[]))?;
        same(&read(&case.result)?, &read(&again)?)
    });
}

/// Runs a check on every file and fails with all that it finds.
fn every_case(check: impl Fn(&Case) -> Result<(), String> + Sync) {
    let complaints = two_threads::map(cases().iter().collect(), |case| {
        let checked = succeeds(&case.run).and_then(|()| check(case));
        checked.err().map(|why| format!("{}: {why}", case.source.display()))
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// All files, optimized once for all tests.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let directory = scratch("golden");
        let files = c_files();
        two_threads::map(files, |source| {
            let result = directory.join(format!("{}.c", stem(&source)));
            let json = result.with_extension("json").display().to_string();
            let run = tool::optimize(&source, &result, &["--json", &json]);
            Case { source, result, run }
        })
    })
}

fn succeeds(run: &tool::Run) -> Result<(), String> {
    if run.status == 0 { Ok(()) } else { Err(format!("polyfold ends with {}:\n{}", run.status, run.stderr)) }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
