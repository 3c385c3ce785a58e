//! What isl's loops for the source's own order look like, for every file in `corpus/` and `examples/`: what stands between the
//! pragmas then is in `golden/loops/NAME.c`, or why the loops stay.
//!
//! After a change that is meant, look at what it does:
//!
//! ```text
//! POLYFOLD_BLESS=1 cargo test -p polyfold --test all new_loops:: && git diff crates/polyfold/tests/golden/loops
//! ```
//!
//! That programs with such loops print the same is tested where they are converted (`command_line/formats.rs`) and ordered anew.

use crate::support::own_order::in_own_order;
use crate::support::{c_files, golden, parse, stem, two_threads};

#[test]
fn new_loops_are_as_expected() {
    let complaints = two_threads::map(c_files(), |file| {
        let source = std::fs::read_to_string(&file).map_err(|e| e.to_string())?;
        golden::expect(&format!("loops/{}.c", stem(&file)), &between_pragmas(&source))
    });
    let complaints: Vec<String> = complaints.into_iter().filter_map(Result::err).collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// The new lines between the pragmas of each scop.
fn between_pragmas(source: &str) -> String {
    let scops = parse(source).scops;
    let written = scops.iter().enumerate().map(|(at, scop)| {
        let lines = match in_own_order(source, at) {
            Ok(text) => body(&text, at),
            Err(why) => format!("/* stays: {why} */\n"),
        };
        format!("/* {}, line {} */\n{lines}", scop.function, scop.line)
    });
    written.collect::<Vec<_>>().join("\n")
}

fn body(text: &str, scop: usize) -> String {
    let behind = text.split("#pragma scop\n").nth(scop + 1).unwrap_or_default();
    let body = behind.split("#pragma endscop").next().unwrap_or_default();
    body.trim_end_matches([' ', '\t']).to_string()
}
