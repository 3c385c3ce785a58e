//! `polyfold lattice`: tables, JSON, drawings, and sets that are refused.

use crate::support::scratch;
use crate::support::tool::{Run, on_text, polyfold};
use serde_json::Value;
use std::path::PathBuf;

const Y: &str = "[n] -> { [i, k] : -n < i + 2k < n and -n < i - k < n and -1 <= k <= 1 }";
const MEAN: &str = "[n] -> { [i, j] : -n < i < n and -n < j < n and -n < i - j < n }";
const DIFF: &str = "[n, p] -> { [i, j, k] : -n < i < n and -n < j < n and -n < i - j < n and -p < k < p }";

fn path(name: &str) -> PathBuf {
    scratch("lattice").join(name)
}

/// `polyfold lattice FILE …` on a file that holds the text.
fn lattice(name: &str, set: &str, more: &[&str]) -> Run {
    on_text("lattice", &path(&format!("{name}.isl")), set, more)
}

#[track_caller]
fn table(name: &str, set: &str, more: &[&str]) -> String {
    let run = lattice(name, set, more);
    assert_eq!(run.status, 0, "{}", run.stderr);
    run.stdout
}

#[track_caller]
fn json(name: &str, set: &str, more: &[&str]) -> Value {
    let file = path(&format!("{name}.json")).display().to_string();
    table(name, set, &[&["--json", &file], more].concat());
    serde_json::from_str(&std::fs::read_to_string(file).expect("it was written")).expect("JSON")
}

#[test]
fn bee_fig3_durbin_y() {
    let expected = "\
for all n with n >= 1
   cells  mapping                                            found by         proof
     197  2i + k mod (n <= 2 ? 3 : 2 * n - 3)                family           proved
     197  2i + k mod (n <= 2 ? 5 : 2 * (n % 2) + 2 * n - 3)  family           proved
     200  i mod n, k mod 2                                   3 axes i k, k i  proved
  (cells at n = 100)

at n = 100: 591 differences with 0, 2-dimensional, convex
  successive minima: 1/99 at (1, 0), 1 at (0, 1)
   cells  mapping             lattice            found by
     197  2i + k mod 197      (1, 195) (0, 197)  search
     200  i mod 100, k mod 2  (100, 0) (0, 2)    1.a minima; 2 minima, reduced; 3 axes i k, k i, minima, reduced
     256  i mod 128, k mod 2  (128, 0) (0, 2)    1 minima
  best: 2i + k mod 197, 197 cells; optimal; 197 points that conflict with one another need as many cells
";
    assert_eq!(table("y", Y, &["--param", "n=100"]), expected);
}

/// The clique is smaller than the optimum: its points need as many cells as they are, not as many as the lattice has.
#[test]
fn a_clique_below_the_optimum_is_said_as_it_is() {
    let found = table("clique", "{ [2, 0]; [-2, 0]; [1, 0]; [-1, 0]; [0, 3]; [0, -3] }", &[]);
    let best = "best: x0 + 2x1 mod 4, 4 cells; optimal; 3 points that conflict with one another need 3 cells\n";
    assert!(found.ends_with(best), "{found}");
}

#[test]
fn bee_fig3_mean_and_diff() {
    let mean = json("mean", MEAN, &["--param", "n=6"]);
    assert_eq!((&mean["concrete"]["best"]["cells"], &mean["concrete"]["best"]["optimal"]), (&27.into(), &true.into()));
    let diff = json("diff", DIFF, &["--param", "n=6,p=64"]);
    assert_eq!(diff["concrete"]["best"]["mapping"]["text"], "i mod 3, i + j mod 9, k mod 64");
    assert_eq!((&diff["concrete"]["best"]["cells"], &diff["parametric"][0]["cells"]), (&1728.into(), &1728.into()));
    for found in [&mean, &diff] {
        assert!(found["parametric"].as_array().expect("mappings").iter().all(|m| m["status"] == "proved"));
    }
}

#[test]
fn keys_of_the_json() {
    let found = json("keys", Y, &["--param", "n=100"]);
    let keys = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(found["schema"], "polyfold-lattice/1");
    let all = [
        "at",
        "bases",
        "concrete",
        "condition",
        "context",
        "coordinates",
        "examples",
        "notes",
        "parameters",
        "parametric",
    ];
    assert_eq!(keys(&found), [&all[..], &["schema", "set"]].concat());
    let concrete = &found["concrete"];
    assert_eq!(keys(concrete), ["best", "candidates", "clique", "convex", "minima", "points"]);
    assert_eq!(keys(&concrete["best"]), ["basis", "cells", "least", "mapping", "optimal"]);
    assert_eq!(concrete["best"]["mapping"]["isl"], "{ [i, k] -> [(2i + k) mod 197] }");
    assert_eq!(keys(&concrete["candidates"][0]), ["basis", "cells", "found_by", "mapping"]);
    assert_eq!(concrete["minima"][0]["gauge"], "1/99");
    let family = &found["parametric"][0];
    assert_eq!(keys(family), ["cells", "found_by", "moduli", "rows", "status", "text", "witness"]);
    assert_eq!(found["at"]["n"], 100);
}

/// Bee §5: 3m² cells for a triangle of side 2m, 3m² + 3m + 1 for one of side 2m + 1.
#[test]
fn triangles_of_even_and_odd_side() {
    let found = json("bases", MEAN, &[]);
    let told = |k: usize| (found["bases"][k]["sizes"].clone(), found["bases"][k]["cells"].clone());
    assert_eq!(told(0), ("n = 2m".into(), "3m^2".into()));
    assert_eq!(told(1), ("n = 2m + 1".into(), "3m^2 + 3m + 1".into()));
    assert_eq!(found["bases"][1]["coefficients"], serde_json::json!([1, 3, 3]));
    assert_eq!(found["bases"][1]["mapping"], "(3m + 1)i + j mod 3m^2 + 3m + 1");
}

#[test]
fn half_a_size_has_a_letter_of_its_own() {
    let found = json("letters", &MEAN.replace('n', "m").replace("amd", "and"), &[]);
    let told = |key: &str| found["bases"][1][key].clone();
    assert_eq!(
        (told("sizes"), told("letter"), told("cells")),
        ("m = 2h + 1".into(), "h".into(), "3h^2 + 3h + 1".into())
    );
}

#[test]
fn without_sizes_examples_are_counted() {
    let found = json("example", MEAN, &[]);
    assert_eq!(
        (&found["concrete"], &found["examples"][0], &found["at"]["n"]),
        (&Value::Null, &"n".into(), &100.into())
    );
    assert_eq!(found["parametric"][0]["cells"], 7500);
}

#[test]
fn sets_without_parameters_0_or_names() {
    let square = table("square", "# a comment\n{ A[i, j] : -4 <= i, j <= 4 and not (i = 0 and j = 0) }\n", &[]);
    assert!(square.starts_with("81 differences with 0, 2-dimensional, convex\n"), "{square}");
    let nothing = table("nothing", "{ [0, 0] }", &[]);
    assert!(nothing.ends_with("best: 0, 1 cell; optimal\n"), "{nothing}");
    let holes = table("holes", "{ [i] : i = 4 or i = -4 }", &[]);
    assert!(holes.contains("1-dimensional, not convex") && holes.contains("best: i mod 3, 3 cells"), "{holes}");
}

#[test]
fn assumptions_are_used_and_shown() {
    for fact in ["n >= 3", "[n] -> { : n >= 3 }"] {
        let found = json("assume", Y, &["--assume", fact, "--param", "n=50"]);
        assert_eq!(
            (&found["condition"], &found["parametric"][0]["moduli"][0]),
            (&"n >= 3".into(), &"2 * n - 3".into())
        );
    }
}

#[test]
fn a_small_bound_leaves_an_interval() {
    let set = "{ [i, j, k, l] : -3 <= i, j, k, l <= 3 and -2 <= i + j + k <= 2 }";
    let found = json("open", set, &["--max-ops", "30000"]);
    let best = &found["concrete"]["best"];
    assert!(best["optimal"] == false && best["least"].as_u64() < best["cells"].as_u64(), "{best}");
}

/// The text is refused with a status and a message that holds all of `said`; what was in the files stays.
#[track_caller]
fn refused(name: &str, set: &str, more: &[&str], status: i32, said: &[&str]) {
    let (json, svg) = (path(&format!("{name}.json")), path(&format!("{name}.svg")));
    std::fs::write(&json, "untouched").expect("the scratch directory is writable");
    let _ = std::fs::remove_file(&svg);
    let (json_name, svg_name) = (json.display().to_string(), svg.display().to_string());
    let run = lattice(name, set, &[&["--json", &json_name, "--svg", &svg_name], more].concat());
    assert_eq!((run.status, run.stdout.as_str()), (status, ""), "{}", run.stderr);
    for part in said {
        assert!(run.stderr.contains(part), "no `{part}` in {}", run.stderr);
    }
    assert_eq!(std::fs::read_to_string(json).expect("it is there"), "untouched");
    assert!(!svg.exists());
}

#[test]
fn what_is_no_set_is_refused_with_its_place() {
    refused("brace", "{ [i, k] :\n  0 <= i < }", &[], 1, &["syntax error", "brace.isl:2:12", "isl notation"]);
    refused("late", "{ [i] : 0 <= k and i < 5 }", &[], 1, &["syntax error", "late.isl:1:14", "^ here"]);
    refused("open", "[n] -> { [i] : 0 <= i < n", &[], 1, &["the set has no end", "open.isl:1:25"]);
    refused("map", "{ [i] -> [j] }", &[], 1, &["not a set of integer tuples"]);
    refused("two", "{ [0] } { [1] }", &[], 1, &["more text after the set", ":1:9"]);
    refused("blank", "\n", &[], 1, &["there is no set"]);
    refused("zero", "{ [0] }\0", &[], 1, &["zero bytes"]);
}

#[test]
fn sets_that_make_no_sense_are_refused() {
    let help = "{ [di, dk] : exists i1, k1, i2, k2 : di = i2 - i1 and dk = k2 - k1 and S(i1, k1) and S(i2, k2) }";
    let half = "[n] -> { [i, k] : 0 <= i <= n and k = i }";
    refused("half", half, &[], 1, &["not symmetric: it has (1, 1) but not (-1, -1) at n = 1", help]);
    refused("empty", "{ [i] : i > 3 and i < 2 }", &[], 1, &["the set is empty"]);
    refused("endless", "[n] -> { [i, j] : -n <= i <= n }", &[], 1, &["the set is unbounded"]);
    refused("nine", "{ [a, b, c, d, e, f, g, h, i] }", &[], 1, &["9 dimensions, more than 8"]);
    refused("none", "{ : }", &[], 1, &["no coordinates"]);
    refused("many", "{ [i, j] : -1000 <= i, j <= 1000 }", &[], 1, &["too many points"]);
    let far = "{ [i] : i = 99999999999999999999 or i = -99999999999999999999 }";
    refused("far", far, &[], 1, &["99999999999999999999 is past what fits into 64 bits"]);
    let far = "{ [i] : i = 9000000000000000000 or i = -9000000000000000000 }";
    refused("wide", far, &[], 1, &["the set has a coordinate past 32 bits"]);
}

#[test]
fn options_that_make_no_sense_are_refused() {
    refused("size", MEAN, &["--param", "n=0"], 2, &["--param n=0: the set has no points there"]);
    refused("large", MEAN, &["--param", "n=99999999999"], 2, &["fit into 32 bits"]);
    refused("fact", MEAN, &["--assume", "m > 3"], 2, &["not a condition on parameters (n)"]);
    refused("false", MEAN, &["--assume", "n < 0"], 2, &["no points for any sizes"]);
    refused("sizes", MEAN, &[], 2, &["--svg draws the set at given sizes: add --param n="]);
    refused("solid", DIFF, &["--param", "n=3,p=3"], 2, &["--svg draws sets of two dimensions; this one has 3"]);
    assert_eq!(polyfold(&["lattice", "/nowhere.isl"]).status, 1);
    assert_eq!(polyfold(&["lattice", "--json", "x", "--svg", "x", "/nowhere.isl"]).status, 2);
    let run = lattice("warned", MEAN, &["--param", "m=3"]);
    assert!(run.status == 0 && run.stderr.contains("--param m=…: the set has no parameter of that name"), "{run:?}");
}

#[track_caller]
fn drawing(name: &str, set: &str, more: &[&str]) -> String {
    let file = path(&format!("{name}.svg")).display().to_string();
    table(name, set, &[&["--svg", &file], more].concat());
    let svg = std::fs::read_to_string(file).expect("it was written");
    assert_well_formed(&svg);
    svg
}

/// Every tag is closed, in order.
#[track_caller]
fn assert_well_formed(svg: &str) {
    let mut open = Vec::new();
    for part in svg.split('<').skip(1) {
        let (tag, _) = part.split_once('>').expect("a tag ends");
        let name = tag.split([' ', '/']).find(|word| !word.is_empty()).expect("a name");
        assert!(tag.matches('"').count() % 2 == 0, "{tag}");
        match (tag.starts_with('/'), tag.ends_with('/')) {
            (true, _) => assert_eq!(open.pop(), Some(name)),
            (false, true) => {}
            (false, false) => open.push(name),
        }
    }
    assert_eq!(open, Vec::<&str>::new());
}

#[test]
fn small_sets_are_drawn_point_by_point() {
    let svg = drawing("dots", MEAN, &["--param", "n=6"]);
    assert_eq!(svg.matches("<circle class=\"d\"").count(), 91);
    assert!(svg.contains("27 cells") && svg.contains("<polygon class=\"c\""));
    let svg = drawing("origin", "{ [0, 0] }", &[]);
    assert_eq!(svg.matches("<circle class=\"d\"").count(), 1);
}

#[test]
fn large_sets_are_drawn_as_rows() {
    let svg = drawing("rows", Y, &["--param", "n=100"]);
    assert_eq!((svg.matches("class=\"d\"").count(), svg.matches("<line class=\"r\"").count()), (0, 3));
    let svg = drawing("mean_rows", MEAN, &["--param", "n=201"]);
    assert!(svg.matches("<line").count() == 401 && svg.len() < 100_000);
}

/// A constraint that only rational points need is a part of the body: no integer point off `k = 0` is nearer than 1.
#[test]
fn minima_are_those_of_the_integer_points() {
    let set = "{ [i, j, k] : -3 <= i <= 3 and -2 <= j <= 2 and -1 <= k <= 1 and -3 <= -2i - j + k <= 3 and -2 <= i - 3k <= 2 }";
    let json = json("integer_minima", set, &[]);
    let minima: Vec<&str> =
        json["concrete"]["minima"].as_array().expect("minima").iter().filter_map(|m| m["gauge"].as_str()).collect();
    assert_eq!(minima, ["1/2", "1/2", "1"], "{}", json["concrete"]["minima"]);
}
