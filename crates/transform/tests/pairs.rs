//! Passes that take a program alone: for each a file of programs before it and after it.
//!
//! A part of a file is `=== what it shows` and two programs, or one that the pass leaves as it is.
//! Who adds a part writes the program before. The pass writes the other one:
//!
//! ```text
//! POLYFOLD_BLESS=1 cargo test -p polyfold-transform --test pairs && git diff crates/transform/tests
//! ```
//!
//! Both run over terms, and the validator shows that they are the same for all sizes.

use polyfold_isl::Context;
use polyfold_program::{BufferId, Program, StatementId, Stmt};
use polyfold_prove::validate::{Verdict, lockstep};
use polyfold_replay::terms::{agree, sizes_to_run};
use polyfold_transform::{Apart, Convertible, cut, if_convert, point, promise, reduce, settle, split, unpeel};
use std::path::Path;

/// Statements and iterations of one pair.
const WORK: u64 = 1_000_000;

/// Steps of isl for one pair.
const STEPS: u64 = 200_000_000;

/// Runs a pass over the parts of its file.
fn check(name: &str, pass: fn(&Program) -> Program) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs").join(format!("{name}.tree"));
    let text = std::fs::read_to_string(&file).expect("it can be read");
    let (mut blessed, mut wrong) = (Vec::new(), Vec::new());
    for part in text.split("=== ").skip(1) {
        let (title, programs) = part.split_once('\n').expect("a title");
        let all = Program::read_all(programs).unwrap_or_else(|error| panic!("{name}, {title}: {error}"));
        let before = &all[0];
        let after = pass(before);
        if let Err(why) = judge(before, &after) {
            wrong.push(format!("{title}: {why}"));
        }
        if after.to_string() != all.last().unwrap_or(before).to_string() {
            wrong.push(format!("{title}: the pass makes of it\n{after}"));
        }
        let second = if after.to_string() == before.to_string() { String::new() } else { format!("\n{after}") };
        blessed.push(format!("=== {title}\n\n{before}{second}"));
    }
    if std::env::var_os("POLYFOLD_BLESS").is_some() {
        std::fs::write(&file, blessed.join("\n")).expect("it can be written");
        return;
    }
    assert!(wrong.is_empty(), "{name}.tree:\n{}", wrong.join("\n"));
    assert!(!blessed.is_empty(), "{name}.tree has parts");
}

/// Whether both programs do the same, and the one after reads back.
fn judge(before: &Program, after: &Program) -> Result<(), String> {
    let ran = agree(before, after, &sizes_to_run(before, after), WORK);
    if !ran.as_ref().is_ok_and(|ran| ran.agreed > 0) {
        return Err(format!("{ran:?}\n{after}"));
    }
    let again = Program::read(&after.to_string()).map_err(|error| error.to_string())?;
    if again.to_string() != after.to_string() {
        return Err(format!("it reads back as {again}"));
    }
    let is_parallel = before.body.iter().any(|stmt| stmt.any(&|own| matches!(own, Stmt::For(own) if own.parallel)));
    match lockstep(&Context::new(), before, after, STEPS) {
        _ if is_parallel => Ok(()),
        Ok(Verdict::Same { .. }) => Ok(()),
        verdict => Err(format!("{verdict:?}\n{after}")),
    }
}

fn unchanged(name: &str) -> String {
    name.to_string()
}

/// At conditions on counters, wherever cells are.
#[test]
fn loops_are_cut() {
    check("cut", |program| cut(program, &(0..program.buffers.len()).map(BufferId).collect::<Vec<_>>()));
}

#[test]
fn loops_are_split() {
    check("split", |program| {
        let after = split(program, &unchanged);
        judge(program, &reduce(&after, &unchanged)).expect("remainders may be carried along in its segments");
        after
    });
}

#[test]
fn remainders_are_reduced() {
    check("reduce", |program| reduce(program, &unchanged));
}

#[test]
fn rows_get_pointers() {
    check("point", |program| point(&reduce(program, &unchanged), &unchanged));
}

#[test]
fn remainders_are_settled() {
    check("settle", settle);
}

#[test]
fn first_terms_move_into_their_sums() {
    check("unpeel", unpeel);
}

/// Of S0 it is known that its iterations may run at once.
#[test]
fn loops_are_promised() {
    fn own(program: &Program) -> Vec<StatementId> {
        program.statement("S0").into_iter().collect()
    }
    check("promise", |program| promise(program, &Apart { in_any_order: own(program), ..Apart::default() }));
    check("promise_in_order", |program| promise(program, &Apart { in_order: own(program), ..Apart::default() }));
}

/// All statements may, and all cells of w are there.
#[test]
fn choices_are_converted() {
    check("if_convert", |program| {
        let statements: Vec<_> = (0..program.statements.len()).map(StatementId).collect();
        let is_there = |id: BufferId| program.buffers[id.0].name == "w";
        if_convert(program, &Convertible { statements: &statements, is_there: &is_there })
    });
}
