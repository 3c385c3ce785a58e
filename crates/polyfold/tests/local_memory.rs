//! Regions in local memory: the programs of `corpus/compact`, compiled and run.
//!
//! Each program prints a hash of all its arrays for several sizes. The program in local memory has to print the same, with sanitizers, with
//! local arrays full of bytes that are no number, and with counters in it: no more cells than expected, and just the copies that are expected.

mod support;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::compiler::{run, warnings};
use support::{root, scratch, stem};

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("corpus/compact")).expect("the directory is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("its entries can be read").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

fn compact(input: &Path, output: &Path, arguments: &[&str]) -> Output {
    let include = root().join("corpus/compact");
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyfold"));
    command.arg("compact").arg(input).arg("-o").arg(output).arg("-I").arg(include).args(arguments);
    command.output().expect("polyfold runs")
}

/// The text with poisoned local arrays, and counters of cells and copies.
fn counted(text: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut out = String::from("#define COUNTED 1\n");
    for line in text.lines() {
        let code = line.trim();
        let declared = code.strip_prefix("double ").and_then(|rest| rest.strip_suffix(';'));
        let name =
            declared.map(|d| d.split('[').next().unwrap_or(d).to_string()).filter(|name| name.contains("_local"));
        if let Some(name) = name {
            out.push_str(&format!(
                "{line}\nmemset(&{name}, 255, sizeof {name}), local_cells += sizeof {name} / sizeof(double);\n"
            ));
            names.push(name);
            continue;
        }
        let sides = code.strip_suffix(';').and_then(|c| c.split_once(" = "));
        let is_local = |side: &str| names.iter().any(|name| side.split('[').next() == Some(name));
        let is_global = |side: &str| names.iter().any(|name| side.split('[').next() == name.split("_local").next());
        let counter = match sides {
            Some((to, from)) if is_local(to) && is_global(from) => "copied_in",
            Some((to, from)) if is_global(to) && is_local(from) => "copied_back",
            _ => {
                out.push_str(&format!("{line}\n"));
                continue;
            }
        };
        out.push_str(&format!("{}, {counter}++;\n", line.trim_end_matches(';')));
    }
    most_cells(&out)
}

/// Notes the most cells where declarations end: the first line that is no declaration behind some.
fn most_cells(text: &str) -> String {
    let mut out = String::new();
    let mut is_open = false;
    for line in text.lines() {
        let declares =
            line.starts_with("memset(") || line.trim().starts_with("double ") || line.trim().starts_with("/*");
        if is_open && !declares {
            out.push_str("most_cells = MAX(most_cells, local_cells), local_cells = 0;\n");
            is_open = false;
        }
        is_open |= line.starts_with("memset(");
        out.push_str(&format!("{line}\n"));
    }
    out
}

#[test]
fn programs_in_local_memory_compute_the_same_with_the_expected_cells_and_copies() {
    let directory = scratch("local_memory");
    let mut faults = Vec::new();
    for program in programs() {
        let name = stem(&program);
        let (plain, output) = (directory.join(format!("{name}_plain.c")), directory.join(format!("{name}.c")));
        let said = compact(&program, &output, &[]);
        if !said.status.success() {
            faults.push(format!("{name}: {}", String::from_utf8_lossy(&said.stderr)));
            continue;
        }
        let text = std::fs::read_to_string(&output).expect("the output is text");
        assert!(text.contains("_local"), "{name}");
        let instrumented = directory.join(format!("{name}_counted.c"));
        std::fs::write(&instrumented, counted(&text)).expect("the directory is writable");
        std::fs::copy(&program, &plain).expect("the directory is writable");
        let include = format!("-I{}", root().join("corpus/compact").display());
        let outcome =
            warnings_of(&output).and_then(|()| Ok((run(&plain, &[&include])?, run(&instrumented, &[&include])?)));
        match outcome {
            Ok((before, after)) if before == after => {}
            Ok(_) => faults.push(format!("{name} prints something else")),
            Err(fault) => faults.push(format!("{name}: {fault}")),
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What compilers complain about; the header is beside the file.
fn warnings_of(file: &Path) -> Result<(), String> {
    let header = file.with_file_name("harness.h");
    std::fs::copy(root().join("corpus/compact/harness.h"), header).map_err(|error| error.to_string())?;
    warnings(file)
}
