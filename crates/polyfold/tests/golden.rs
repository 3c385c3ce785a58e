//! What the tool makes of every file in `corpus/` and `examples/`: the table in `golden/NAME.txt`, the C in
//! `golden/NAME.c`.
//!
//! After a change that is meant, look at what it does:
//!
//! ```text
//! POLYFOLD_BLESS=1 cargo test -p polyfold --test all golden:: && git diff crates/polyfold/tests/golden
//! ```

use crate::support::golden::{expect, same};
use crate::support::{c_files, compiler, scratch, stem, tool, two_threads};
use std::path::{Path, PathBuf};

/// One file, optimized.
struct Case {
    source: PathBuf,
    result: PathBuf,
    run: tool::Run,
}

/// Each file is optimized once. All that is wrong with any file is told, with what was judged.
#[test]
fn results_are_as_expected_print_the_same_and_draw_no_warnings() {
    every_case(|case| {
        let judged: [(&str, Judge); 3] = [
            ("the table and the code", is_as_expected),
            ("what it prints", prints_the_same),
            ("warnings", |case| compiler::all_warnings(&case.result)),
        ];
        let wrong = judged.map(|(what, judge)| judge(case).err().map(|why| format!("{what}: {why}")));
        let wrong: Vec<String> = wrong.into_iter().flatten().collect();
        if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
    });
}

type Judge = fn(&Case) -> Result<(), String>;

fn is_as_expected(case: &Case) -> Result<(), String> {
    let name = stem(&case.source);
    let table = expect(&format!("{name}.txt"), &case.run.stdout);
    let code = read(&case.result).and_then(|code| expect(&format!("{name}.c"), &code));
    match (table, code) {
        (Err(table), Err(code)) => Err(format!("{table}\n{code}")),
        (table, code) => table.and(code),
    }
}

fn prints_the_same(case: &Case) -> Result<(), String> {
    let original = case.result.with_extension("original.c");
    std::fs::copy(&case.source, &original).map_err(|e| e.to_string())?;
    let (before, after) = (compiler::run_source(&original, &[])?, compiler::run(&case.result, &[])?);
    if before == after { Ok(()) } else { Err(format!("before:\n{before}\nafter:\n{after}")) }
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

/// Optimizes every file, runs a check on it, and fails with all that is found.
fn every_case(check: impl Fn(&Case) -> Result<(), String> + Sync) {
    let directory = scratch("golden");
    let complaints = two_threads::map(c_files(), |source| {
        let result = directory.join(format!("{}.c", stem(&source)));
        let json = result.with_extension("json").display().to_string();
        let run = tool::optimize(&source, &result, &["--json", &json]);
        let case = Case { source, result, run };
        let checked = succeeds(&case.run).and_then(|()| check(&case));
        checked.err().map(|why| format!("{}: {why}", case.source.display()))
    });
    let complaints: Vec<String> = complaints.into_iter().flatten().collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

fn succeeds(run: &tool::Run) -> Result<(), String> {
    if run.status == 0 { Ok(()) } else { Err(format!("polyfold ends with {}:\n{}", run.status, run.stderr)) }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}
