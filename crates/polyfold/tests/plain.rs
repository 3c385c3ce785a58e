//! New storage: what is printed of a program reads back, and computes the same.

use crate::support;
use crate::support::usual::{rewritten, solved};
use polyfold_codegen::{Form, Rewritten};
use polyfold_isl::Context;
use polyfold_plan::Optimized;
use polyfold_program::{Program, Role};
use polyfold_replay::terms::{agree, sizes_to_run};
use polyfold_scop::Scop;
use std::path::{Path, PathBuf};

fn name(file: &Path) -> String {
    file.strip_prefix(support::root()).expect("a file of ours").display().to_string()
}

fn is_proved(result: &Optimized, sizes: &[i64]) -> bool {
    let named: Vec<(&str, i64)> = result.parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
    !result.proved.at(&named).expect("isl works").is_empty().expect("isl works")
}

/// Macros that are numbers in what was printed, since a remainder is taken by them.
fn keep_pinned(scop: &Scop, (before, now): (&Program, &Program), sizes: &mut [i64]) {
    for (parameter, size) in before.parameters.iter().zip(sizes) {
        let pinned = scop.pinned.iter().find(|pinned| pinned.name == parameter.name);
        if let (Some(pinned), None) = (pinned, now.parameter(&parameter.name)) {
            *size = pinned.value;
        }
    }
}

/// New storage may have zeros from its declaration: nobody may ask for them.
fn with_roles_of(before: &Program, now: &Program) -> Program {
    let mut now = now.clone();
    for buffer in &mut now.buffers {
        let own = before.buffer(&buffer.name).map(|id| before.buffers[id.0].role);
        buffer.role = own.unwrap_or(Role::Temporary);
    }
    now
}

/// Whether all cells of temporaries are known: who runs a program has to have them.
fn has_cells(program: &Program) -> bool {
    program.buffers.iter().all(|own| own.role != Role::Temporary || own.extents.iter().all(Option::is_some))
}

/// How many of a file's scops were read back and compute the same. Sizes with names of their own can't be set.
fn read_back(file: &Path) -> usize {
    let source = std::fs::read_to_string(file).expect("it can be read");
    let scops = support::parse(&source).scops;
    let ctx = Context::new();
    let results: Vec<Optimized> = scops.iter().map(|scop| solved(&ctx, scop, &source)).collect();
    let Rewritten { text, printed, left, .. } = rewritten(&source, &scops, &results, Form::Plain);
    assert_eq!(left, Vec::<usize>::new(), "{}", name(file));
    let again = support::parse(&text).scops;
    assert_eq!(again.len(), scops.len(), "{}\n{text}", name(file));
    let mut count = 0;
    for (((before, after), printed), result) in scops.iter().zip(&again).zip(printed).zip(&results) {
        let has_sizes =
            |program: &Program, now: &Program| now.parameters.iter().all(|own| program.parameter(&own.name).is_some());
        if let (Some(program), Some(now)) = (&before.program, &after.program)
            && printed.is_some()
            && has_sizes(program, now)
            && has_cells(&with_roles_of(program, now))
        {
            let now = &with_roles_of(program, now);
            let mut sizes = sizes_to_run(program, now);
            sizes.iter_mut().for_each(|sizes| keep_pinned(after, (program, now), sizes));
            sizes.retain(|sizes| is_proved(result, sizes));
            sizes.dedup();
            let ran = agree(program, now, &sizes, 1_000_000);
            let ran = ran.unwrap_or_else(|difference| panic!("{}: {difference:?}\n{program}\n{now}", name(file)));
            count += usize::from(ran.agreed > 0);
        }
    }
    count
}

/// Checks that at least so many plain results are read back.
fn check(files: Vec<PathBuf>, at_least: usize) {
    let back: usize = support::two_threads::map(files, |file| read_back(&file)).into_iter().sum();
    assert!(back >= at_least, "{back} were read back");
}

#[test]
fn new_storage_of_the_corpus_is_printed_from_programs() {
    check(support::c_files(), 43);
}

#[test]
#[ignore = "44 more files"]
fn new_storage_of_pipelines_is_printed_from_programs() {
    let folder = std::fs::read_dir(support::root().join("corpus/orders")).expect("the folder is there");
    let mut files: Vec<PathBuf> = folder.map(|entry| entry.expect("an entry").path()).collect();
    files.retain(|file| file.extension().is_some_and(|e| e == "c"));
    files.sort();
    check(files, 24);
}
