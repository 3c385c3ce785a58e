//! Programs in local memory: how they are made, and looked into.

use super::code::names;
use super::root;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The programs of `corpus/compact`.
pub fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(root().join("corpus/compact")).expect("the directory is there");
    let mut files: Vec<PathBuf> = entries.map(|e| e.expect("its entries can be read").path()).collect();
    files.retain(|f| f.extension().is_some_and(|e| e == "c"));
    files.sort();
    files
}

/// `polyfold compact`.
pub fn compact(input: &Path, output: &Path, arguments: &[&str]) -> Output {
    let include = root().join("corpus/compact");
    let mut command = Command::new(env!("CARGO_BIN_EXE_polyfold"));
    command.arg("compact").arg(input).arg("-o").arg(output).arg("-I").arg(include).args(arguments);
    command.output().expect("polyfold runs")
}

/// The text with poisoned local arrays, and counters of the cells that are there at once and of copies by assignments.
pub fn counted(text: &str) -> String {
    let mut names: Vec<String> = Vec::new();
    let mut out = String::from("#define COUNTED 1\n");
    for line in text.lines() {
        let code = line.trim();
        let declared = code.strip_prefix("double ").and_then(|rest| rest.strip_suffix(';'));
        let name = declared
            .map(|d| d.split(['[', ' ']).next().unwrap_or(d).to_string())
            .filter(|name| name.contains("_local"));
        if let Some(name) = name {
            out.push_str(&format!(
                "{line}\nlong {name}_cells __attribute__((cleanup(cells_gone))) = cells_come(&{name}, sizeof {name});\n"
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
    out
}

/// Whether a program has arrays in local memory.
pub fn has_local(text: &str) -> bool {
    names(text).iter().any(|name| name.contains("_local"))
}

/// What the table says of a local array.
pub struct LocalRow {
    pub name: String,
    pub cells: usize,
    pub how: String,
}

impl LocalRow {
    /// Whether it is copied in front of a loop.
    pub fn is_in_front(&self) -> bool {
        self.how.contains("in front of")
    }
}

/// The local arrays of all regions, in their order.
pub fn local_rows(said: &std::process::Output) -> Vec<LocalRow> {
    let table = String::from_utf8_lossy(&said.stdout);
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let (name, cells) = (words.first()?.to_string(), words.get(2)?.parse().ok()?);
        Some(LocalRow { name, cells, how: words.get(8..)?.join(" ") })
    };
    table.lines().filter(|line| line.starts_with("    ")).filter_map(row).collect()
}
