//! How cells move between an array and its local one: in front of loops, a turn ahead, by `memcpy` or by an engine of its own.
//!
//! The programs of `corpus/compact` run with an engine that finishes transfers early, late or at random, with poisoned local arrays and
//! sanitizers: they have to print what they print without local memory.

mod support;

use std::path::{Path, PathBuf};
use support::compacted::{compact, counted, programs};
use support::compiler::{run, warnings};
use support::{root, scratch, stem};

const ENGINE: [&str; 6] = ["--get", "engine_get", "--put", "engine_put", "--wait", "engine_wait"];

/// `program` under all timings of the engine, one after the other.
fn under_all_timings(text: &str) -> String {
    let text = text.replace("int main(void)", "static int program(void)");
    format!(
        "{text}\nint main(void) {{\n  for (timing = AT_ONCE; timing < TIMINGS; timing++) {{\n    program();\n    engine_stops();\n  }}\n  \
         return 0;\n}}\n"
    )
}

/// A copy of a program that has the engine, and its text in local memory.
fn with_engine(directory: &Path, program: &Path, name: &str, arguments: &[&str]) -> Result<(PathBuf, String), String> {
    let text = std::fs::read_to_string(program).map_err(|e| e.to_string())?;
    let (input, output) = (directory.join(format!("{name}_plain.c")), directory.join(format!("{name}.c")));
    std::fs::write(&input, format!("#include \"transfers.h\"\n{text}")).map_err(|e| e.to_string())?;
    let said = compact(&input, &output, arguments);
    if !said.status.success() {
        return Err(format!("{name}: {}", String::from_utf8_lossy(&said.stderr)));
    }
    Ok((input, std::fs::read_to_string(&output).map_err(|e| e.to_string())?))
}

/// What is different about a program in local memory, under all timings.
fn difference(directory: &Path, program: &Path, name: &str, way: &Way) -> Result<(), String> {
    let include = format!("-I{}", root().join("corpus/compact").display());
    let (input, text) = with_engine(directory, program, name, &way.arguments)?;
    let changed = under_all_timings(&if way.is_counted { counted(&text) } else { text });
    let output = directory.join(format!("{name}_run.c"));
    std::fs::write(&output, changed).map_err(|e| e.to_string())?;
    let flags = [include.as_str(), "-Wno-unused-variable", way.define];
    let before = run(&input, &flags).map_err(|fault| format!("{name}: {fault}"))?;
    let after = run(&output, &flags).map_err(|fault| format!("{name}: {fault}"))?;
    if after == before.repeat(3) { Ok(()) } else { Err(format!("{name} prints something else")) }
}

struct Way {
    arguments: Vec<&'static str>,
    define: &'static str,
    /// Whether every copy is counted, and every cell.
    is_counted: bool,
}

fn all_programs_compute_the_same(directory: &str, way: &Way) {
    let directory = scratch(directory);
    let faults: Vec<String> =
        programs().iter().filter_map(|program| difference(&directory, program, &stem(program), way).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn transfers_that_go_on_meanwhile_bring_the_same_cells_in_two_buffers() {
    let arguments = [&ENGINE[..], &["--buffers", "2"]].concat();
    all_programs_compute_the_same("motion_two", &Way { arguments, define: "-DBUFFERS=2", is_counted: true });
}

#[test]
fn transfers_of_bounded_size_bring_the_same_cells_in_three_aligned_and_padded_buffers() {
    let sizes = ["--buffers", "3", "--min-transfer", "16", "--max-transfer", "40", "--align", "32", "--pad", "1"];
    let arguments = [&ENGINE[..], &sizes].concat();
    all_programs_compute_the_same("motion_three", &Way { arguments, define: "-DBUFFERS=3", is_counted: false });
}

#[test]
fn memcpy_brings_the_same_cells() {
    let arguments = vec!["--memcpy", "--buffers", "2"];
    all_programs_compute_the_same("motion_memcpy", &Way { arguments, define: "-DBUFFERS=2", is_counted: false });
}
