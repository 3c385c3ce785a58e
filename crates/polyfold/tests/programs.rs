//! The C of the corpus as programs with expressions.

mod support;

use polyfold_program::Program;
use polyfold_replay::terms::{agree, sizes_to_run};
use std::path::PathBuf;

/// The corpus, the examples, and the pipelines of `corpus/orders`.
fn files() -> Vec<PathBuf> {
    let orders = std::fs::read_dir(support::root().join("corpus/orders")).expect("the folder is there");
    let orders =
        orders.map(|entry| entry.expect("an entry").path()).filter(|f| f.extension().is_some_and(|e| e == "c"));
    let mut files: Vec<PathBuf> = support::c_files().into_iter().chain(orders).collect();
    files.sort();
    files
}

#[test]
fn dbg() {
    let (mut yes, mut no) = (0, 0);
    for file in files() {
        let source = std::fs::read_to_string(&file).expect("it can be read");
        for scop in support::parse(&source).scops {
            match &scop.program {
                None => {
                    no += 1;
                    println!("NO {} {}", file.display(), scop.function);
                }
                Some(program) => {
                    yes += 1;
                    let text = program.to_string();
                    let again = Program::read(&text);
                    match again {
                        Err(error) => println!("UNREAD {} {error}\n{text}", file.display()),
                        Ok(again) if again.to_string() != text => println!("OTHER {}\n{text}\n{again}", file.display()),
                        Ok(_) => {}
                    }
                    let ran = agree(program, program, &sizes_to_run(program, program), 300_000);
                    println!("RAN {} {ran:?}", file.display());
                }
            }
        }
    }
    println!("{yes} {no}");
}
