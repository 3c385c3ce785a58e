//! `polyfold fuse`: a data-flow graph in, clusters of loop nests out.

use super::files::{file, path, run, text};
use crate::support::root;
use serde_json::Value;

/// The text behind this one in docs/reference/formats.md, up to the end of its block.
fn documented(opening: &str) -> String {
    let page = std::fs::read_to_string(root().join("docs/reference/formats.md")).expect("the page is there");
    let (_, rest) = page.split_once(&format!("{opening}\n")).expect("the block is there");
    rest.split_once("```").expect("the block ends").0.to_string()
}

#[track_caller]
fn refused(name: &str, graph: &str, said: &str) {
    let name = format!("fuse_{name}.json");
    file(&name, graph);
    let run = run("fuse", &[&name], &[]);
    assert_eq!((run.status, run.stdout.as_str()), (1, ""), "{}", run.stderr);
    assert!(run.stderr.contains(said) && run.stderr.contains(&name), "no `{said}` in {}", run.stderr);
}

#[test]
fn the_documented_example_is_what_is_printed() {
    file("fuse_documented.json", documented("<!-- file: graph.json -->\n```json"));
    let run = run("fuse", &["fuse_documented.json"], &[]);
    assert_eq!((run.status, run.stderr.as_str()), (0, ""));
    assert_eq!(run.stdout, documented("$ polyfold fuse graph.json"));
}

#[test]
fn the_report_as_json() {
    file("fuse_json.json", documented("<!-- file: graph.json -->\n```json"));
    let json = path("fuse_json.out.json").display().to_string();
    let run = run("fuse", &["fuse_json.json"], &["--json", &json]);
    assert_eq!(run.status, 0, "{}", run.stderr);
    let report: Value = serde_json::from_str(&text("fuse_json.out.json")).expect("it is JSON");
    assert_eq!(report["schema"], "polyfold-fusion/1");
    assert_eq!((&report["optimal"], &report["order_optimal"]), (&Value::Bool(true), &Value::Bool(true)));
    assert_eq!(report["clusters"][2]["nodes"], serde_json::json!(["L3", "L4", "L5"]));
    assert_eq!(report["clusters"][2]["removed"], serde_json::json!(["a3", "a4"]));
    let ways: Vec<&Value> = (0..4).map(|k| &report["arrays"][1]["cycle"][k]["way"]).collect();
    assert_eq!(ways, ["apart", "before", "fused", "before"]);
    assert_eq!(
        (&report["cells"], &report["memory"]),
        (&serde_json::json!([6000, 4000]), &serde_json::json!([4000, 3000]))
    );
}

/// Removing three arrays leaves 309 cells alive at once, removing two of them 279.
#[test]
fn the_two_objectives_differ() {
    let edges = [
        ("a10", 73, 0, "[\"L1\"]"),
        ("a2", 25, 0, "[\"L2\", {\"node\": \"L3\", \"prevents_fusion\": true}]"),
        ("a7", 43, 0, "[\"L5\"]"),
        ("a9", 36, 0, "[\"L4\"]"),
        ("a3", 26, 1, "[\"L3\"]"),
        ("a5", 94, 1, "[{\"node\": \"L2\", \"prevents_fusion\": true}]"),
        ("a8", 40, 1, "[{\"node\": \"L5\", \"prevents_fusion\": true}]"),
        ("a6", 15, 2, "[\"L4\"]"),
        ("a1", 33, 3, "[{\"node\": \"L5\", \"prevents_fusion\": true}]"),
        ("a4", 49, 3, "[\"L4\"]"),
        ("a0", 12, 4, "[{\"node\": \"L5\", \"prevents_fusion\": true}]"),
    ];
    let array = |(name, size, producer, readers): &(&str, u64, usize, &str)| {
        format!(r#"{{"name": "{name}", "size": {size}, "producer": "L{producer}", "readers": {readers}}}"#)
    };
    let arrays: Vec<String> = edges.iter().map(array).collect();
    let nodes = r#"["L0", "L1", "L2", "L3", "L4", "L5"]"#;
    file("fuse_objectives.json", format!(r#"{{"nodes": {nodes}, "arrays": [{}]}}"#, arrays.join(",")));
    let most = run("fuse", &["fuse_objectives.json"], &["--objective", "removed"]);
    assert!(
        most.stdout.contains("446 cells -> 309: 3 of 11 arrays removed; no fusion removes more cells"),
        "{}",
        most.stdout
    );
    assert!(
        most.stdout.contains("cells alive at once -> 309; no order of these clusters has fewer"),
        "{}",
        most.stdout
    );
    let least = run("fuse", &["fuse_objectives.json"], &["--objective", "memory"]);
    assert!(least.stdout.contains("cells alive at once -> 279; no fusion has fewer"), "{}", least.stdout);
    assert!(least.stdout.contains("could go, but then 309 cells are alive at once"), "{}", least.stdout);
    let hurried = run("fuse", &["fuse_objectives.json"], &["--objective", "memory", "--max-ops", "5"]);
    assert!(hurried.stdout.contains("not proved"), "{}", hurried.stdout);
}

#[test]
fn a_cycle_in_the_data_flow_is_shown() {
    let graph = r#"{"nodes": ["A", "B", "C"], "arrays": [
        {"name": "x", "size": 1, "producer": "A", "readers": ["B"]},
        {"name": "y", "size": 1, "producer": "B", "readers": ["C"]}],
        "dependences": [{"from": "C", "to": "A"}]}"#;
    refused("cycle", graph, "the data flow has a cycle: A -> (x) B -> (y) C -> A");
}

#[test]
fn faults_are_named_by_their_place() {
    let with = |array: &str| format!(r#"{{"nodes": ["A", "B"], "arrays": [{array}]}}"#);
    let cases = [
        ("size", r#"{"name": "x", "size": -4, "producer": "A"}"#, "array x: its size -4 is negative"),
        ("half", r#"{"name": "x", "size": 0.5, "producer": "A"}"#, "array x: its size 0.5 is not a whole number"),
        ("long", r#"{"name": "x", "size": 99999999999999999999}"#, "is past 64 bits"),
        (
            "reader",
            r#"{"name": "x", "size": 1, "producer": "A", "readers": ["Z"]}"#,
            "reader of array x: there is no node Z",
        ),
        ("producer", r#"{"name": "x", "size": 1, "producer": "Z"}"#, "producer of array x: there is no node Z"),
        (
            "own",
            r#"{"name": "x", "size": 1, "producer": "A", "readers": ["A"]}"#,
            "its producer A is among its readers",
        ),
        ("key", r#"{"name": "x", "size": 1, "writer": "A"}"#, "unknown field `writer`"),
        ("kind", r#"{"name": "x", "size": 1, "readers": [3]}"#, "expected a node's name, or"),
        ("twice", r#"{"name": "x", "size": 1}, {"name": "x", "size": 1}"#, "two arrays have the name x"),
    ];
    for (name, array, said) in cases {
        refused(name, &with(array), said);
    }
    refused("nodes", r#"{"nodes": ["A", "A"], "arrays": []}"#, "two nodes have the name A");
    refused("text", "no graph", "line 1 column 2");
}

#[test]
fn the_command_line_is_at_fault() {
    file("fuse_usage.json", r#"{"nodes": [], "arrays": []}"#);
    for wrong in [["--objective", "speed"], ["--max-ops", "0"]] {
        assert_eq!(run("fuse", &["fuse_usage.json"], &wrong).status, 2);
    }
    assert_eq!(run("fuse", &["fuse_usage.json"], &[]).status, 0);
    assert_eq!(run("fuse", &["fuse_nowhere.json"], &[]).status, 1);
}
