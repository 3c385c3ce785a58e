//! `polyfold explain`: what it says of an array is what the counts of the same sizes say.

use super::files::{file, optimized, path, text};
use super::programs::SIMPLE;
use crate::support::tool::polyfold;
use crate::support::{root, tool};
use serde_json::Value;

/// The only scop of a report, at some sizes.
fn scop(source: &str, sizes: &str) -> Value {
    let source = root().join(source);
    let (name, json) = (path("story.c"), path("story.json").display().to_string());
    let sizes = if sizes.is_empty() { vec![] } else { vec!["--param", sizes] };
    let done = tool::optimize(&source, &name, &[&["--json", &json], sizes.as_slice()].concat());
    assert_eq!(done.status, 0, "{}", done.stderr);
    let report: Value = serde_json::from_str(&text("story.json")).expect("it is JSON");
    report["scops"][0].clone()
}

fn shapes(scop: &Value) -> Vec<Value> {
    scop["buffers"].as_array().into_iter().flatten().map(|buffer| buffer["shape"].clone()).collect()
}

fn arrays(scop: &Value) -> Vec<Value> {
    scop["arrays"].as_array().expect("it has arrays").clone()
}

/// Storage of one array is said to be full just where its cells are as many as its values alive, and else two values are named.
#[test]
fn why_is_what_the_counts_say() {
    let mut seen = [0, 0];
    for source in
        ["examples/durbin.c", "examples/blur.c", "corpus/cholesky.c", "corpus/edit_distance.c", "corpus/sobel.c"]
    {
        let large = scop(source, "");
        let small = arrays(&large)[0]["story"]["at"].as_object().expect("it is drawn at some sizes").clone();
        let sizes: Vec<String> = small.iter().map(|(name, size)| format!("{name}={size}")).collect();
        let counted = scop(source, &sizes.join(","));
        for (array, there) in arrays(&large).iter().zip(arrays(&counted)) {
            // Other storage may be best at other sizes.
            let is_alike = shapes(&large) == shapes(&counted);
            let why = array["story"]["why"].as_str();
            match array["decision"].as_str() {
                Some("kept") => assert!(why.is_some_and(|why| why.contains(array["reason"].as_str().unwrap()))),
                Some("contracted" | "scalar") if is_alike => {
                    let is_full = there["cells_after"] == there["max_live"];
                    let says_so = why.expect("it is known").contains("no storage has fewer");
                    assert_eq!(is_full, says_so, "{source}: {array}");
                    seen[usize::from(is_full)] += 1;
                }
                _ => {}
            }
        }
    }
    assert!(seen.iter().all(|seen| *seen > 0), "{seen:?}");
}

#[test]
fn explain_prints_the_story_of_one_array() {
    file("told.c", SIMPLE);
    let told = polyfold(&["explain", "t", &path("told.c").display().to_string()]);
    assert_eq!(told.status, 0, "{}", told.stderr);
    assert!(told.stdout.starts_with("t: ") && told.stdout.lines().count() > 5, "{}", told.stdout);
    let other = polyfold(&["explain", "nothing", &path("told.c").display().to_string()]);
    assert_eq!(other.status, 1);
    assert!(other.stderr.contains("`nothing`") && other.stderr.contains(" t"), "{}", other.stderr);
    // The file is as it was.
    assert_eq!(text("told.c"), SIMPLE);
    assert_ne!(optimized("told_result", SIMPLE, &[]), SIMPLE);
}
