//! The kernels in `corpus/` and the programs in `examples/` compile without a warning and run without an error.

use std::path::{Path, PathBuf};

use crate::compiler;

#[test]
#[ignore = "long, in ./check-more"]
fn corpus_is_clean() {
    let kernels = sources("corpus");
    assert!(kernels.len() >= 40);
    for kernel in kernels {
        assert!(!compiler::run_file(&kernel).is_empty());
        assert!(compiler::is_defined(&kernel), "{}", kernel.display());
    }
}

#[test]
fn examples_are_clean_and_right() {
    let examples = sources("examples");
    assert!(examples.len() >= 6);
    for example in examples {
        assert!(!compiler::run_file(&example).is_empty());
        assert!(compiler::is_defined(&example), "{}", example.display());
    }
}

fn sources(directory: &str) -> Vec<PathBuf> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(directory);
    let entries = std::fs::read_dir(directory).expect("the directory is there");
    let files = entries.map(|e| e.expect("its entries can be read").path());
    let mut sources: Vec<PathBuf> = files.filter(|f| f.extension().is_some_and(|e| e == "c")).collect();
    sources.sort();
    sources
}
