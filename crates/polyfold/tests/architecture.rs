//! What the page on the architecture says of the crates, against their manifests and sources.

use std::fs;
use std::path::{Path, PathBuf};

fn crates() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The crates in the order of the page's table.
fn table() -> Vec<String> {
    let page = fs::read_to_string(crates().join("../docs/explanation/architecture.md")).expect("the page is there");
    let rows = page.split("\n## Crates\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("it has a table");
    let names = rows.lines().filter_map(|row| row.strip_prefix("| `")?.split('`').next());
    names.map(str::to_string).collect()
}

/// What a crate depends on, but for its tests.
fn dependencies(name: &str) -> Vec<String> {
    let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("each crate has a manifest");
    let own = manifest.split("\n[dependencies]\n").nth(1).unwrap_or_default().split("\n[").next().unwrap_or_default();
    let name = |line: &str| Some(line.strip_prefix("polyfold-")?.split(['.', ' ']).next()?.to_string());
    own.lines().filter_map(name).collect()
}

/// All files of a folder and those in it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).expect("it is a folder").map(|entry| entry.expect("it can be read").path());
    entries.flat_map(|path| if path.is_dir() { sources(&path) } else { vec![path] }).collect()
}

#[test]
fn no_crate_depends_on_one_below_it_in_the_table() {
    let table = table();
    let mut folders: Vec<String> = fs::read_dir(crates())
        .expect("there are crates")
        .map(|entry| entry.expect("it can be read").file_name().into_string().expect("it is a name"))
        .collect();
    folders.sort();
    let mut named = table.clone();
    named.sort();
    assert_eq!(named, folders, "the table has a row for each crate");
    for (row, name) in table.iter().enumerate() {
        let below = |other: &String| !table[..row].contains(other);
        let wrong: Vec<String> = dependencies(name).into_iter().filter(below).collect();
        assert!(wrong.is_empty(), "`{name}` depends on {wrong:?}, which the table has no higher");
    }
}

/// The crates whose manifests name a crate under `[dependencies]`.
fn users(wanted: &str) -> Vec<String> {
    let names = |name: &String| dependencies(name).iter().any(|own| own == wanted);
    table().into_iter().filter(names).collect()
}

#[test]
fn few_crates_read_c_or_write_it() {
    let parses = |name: &String| {
        let manifest = fs::read_to_string(crates().join(name).join("Cargo.toml")).expect("each crate has a manifest");
        manifest.lines().any(|line| line.starts_with("tree-sitter"))
    };
    assert_eq!(table().into_iter().filter(parses).collect::<Vec<_>>(), ["c"], "one crate parses C");
    // Analysis, proofs, passes and search know programs only.
    assert_eq!(users("c"), ["scop", "frontend", "emit", "codegen", "polyfold"]);
    assert_eq!(users("emit"), ["codegen", "formats", "polyfold"]);
}

#[test]
fn the_search_is_used_by_the_command_alone() {
    assert_eq!(users("plan"), ["polyfold"]);
}

#[test]
fn the_search_has_no_files_processes_or_clocks() {
    for file in sources(&crates().join("plan/src")) {
        let text = fs::read_to_string(&file).expect("it is a source");
        for module in ["std::fs", "std::process", "std::time"] {
            assert!(!text.contains(module), "{} uses {module}", file.display());
        }
    }
}

/// Where a crate's tests are one program, a file that the program doesn't name is never compiled.
#[test]
fn each_file_of_tests_is_compiled() {
    for tests in table().iter().map(|name| crates().join(name).join("tests")) {
        let Ok(main) = fs::read_to_string(tests.join("main.rs")) else { continue };
        let files = fs::read_dir(&tests).expect("it is a folder").map(|entry| entry.expect("it can be read").path());
        let is_module = |path: &PathBuf| path.join("mod.rs").exists() || path.extension().is_some_and(|e| e == "rs");
        for file in files.filter(is_module) {
            let name = file.file_stem().expect("it has a name").to_str().expect("it is a name");
            let is_named = name == "main" || main.lines().any(|line| line == format!("mod {name};"));
            assert!(is_named, "{} has no line in main.rs", file.display());
        }
    }
}
