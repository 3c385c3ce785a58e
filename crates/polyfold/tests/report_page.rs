//! Pages of `polyfold report` in headless Chromium: no complaint, the numbers that the command prints for the same sizes, and as many elements as
//! there are cells.
//!
//! Where no browser is installed the pages are only written, and that is said.

use crate::support::{browser, root, scratch, stem, tool, two_threads};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Programs of all kinds, with the options that they get.
const PROGRAMS: [(&str, &[&str]); 12] = [
    ("examples/durbin.c", &[]),
    ("corpus/levinson.c", &[]),
    ("corpus/jacobi_1d.c", &[]),
    ("corpus/two_grids_1d.c", &[]),
    ("examples/heat.c", &[]),
    ("corpus/unsharp.c", &["--schedule", "fuse"]),
    ("corpus/orders/laplacian.c", &["--schedule", "fuse"]),
    ("corpus/orders/antidiagonals.c", &["--schedule", "fuse"]),
    ("corpus/orders/two_streams.c", &["--schedule", "fuse"]),
    ("corpus/edit_distance.c", &[]),
    ("corpus/cholesky.c", &[]),
    ("corpus/histogram.c", &["--reallocate"]),
];

#[test]
fn pages_show_what_the_command_prints() {
    let judged = two_threads::map(PROGRAMS.to_vec(), |(source, options)| {
        judged(&root().join(source), options).unwrap_or_else(|why| panic!("{source}: {why}"))
    });
    if judged.iter().all(|seen| *seen == 0) {
        println!("no browser is installed: pages were written and not opened");
        return;
    }
    assert!(judged.iter().all(|seen| *seen >= 2), "{judged:?}");
}

/// Files of regions open without a complaint, and draw something.
#[test]
fn pages_of_regions_open() {
    for name in ["matmul_32", "skewed_stencil_tiles", "wavelets", "transposed_tiles"] {
        let (source, page) = (root().join(format!("corpus/compact/{name}.c")), format!("{name}.html"));
        let page = scratch("report_page").join(page);
        written(&source, &["--on-error", "skip"], &page).expect("the page is written");
        let Some((drawn, complaints)) = browser::open(&page, "") else {
            println!("no browser is installed: pages were written and not opened");
            return;
        };
        assert!(complaints.is_empty() && drawn.contains("data-local="), "{name}: {complaints:?}");
    }
}

/// A program may call its sizes and counters as it likes, also as the page's own expressions name things.
#[test]
fn names_of_the_program_mean_the_program() {
    let text = "void f(int x0, int mod, int data[x0], int out[x0][mod]) {
  int t[x0][mod], min[mod];
#pragma scop
  for (int x1 = 0; x1 < x0; x1++)
    for (int floord = 0; floord < mod; floord++) {
      if (data[x1] > 0)
        t[x1][floord] = data[x1];
      else
        t[x1][floord] = x1 > 0 ? t[x1 - 1][floord] : 0;
      min[floord] = t[x1][floord] + 1;
      out[x1][floord] = min[floord];
    }
#pragma endscop
}
";
    let source = scratch("report_names").join("names.c");
    std::fs::write(&source, text).expect("the scratch directory is writable");
    judged(&source, &[]).expect("the page shows what the command prints");
}

/// Regions for local memory: their cells are those that the source's loops touch, and as many are drawn.
#[test]
fn regions_show_the_cells_that_they_touch() {
    let text = "void sums(int n, float in[n + 2], float out[n]) {
#pragma scop
  for (int k = 0; k < n; k += 16)
#pragma polyfold local
    for (int i = k; i < k + 16; i++)
      for (int j = 0; j < 3; j++)
        out[i] += in[i + j];
#pragma endscop
}
void mirrored(int n, double A[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
#pragma polyfold local
    for (int j = 0; j < n; j++)
      A[i][j] = 0.5 * A[j][i] + 1.0;
#pragma endscop
}
";
    let (source, page) = (scratch("report_page").join("regions.c"), scratch("report_page").join("regions.html"));
    std::fs::write(&source, text).expect("the scratch directory is writable");
    written(&source, &[], &page).expect("the page is written");
    let shown = std::fs::read_to_string(&page).expect("it can be read");
    let report = report_on(&shown).expect("the page holds a report");
    assert_eq!(report["schema"], "polyfold-local/2");
    let of_sums = |at: &Sizes| vec![line(at["k"], 18), line(at["k"], 16)];
    assert_eq!(instances(&report, 0, &|n| (0..n).step_by(16).collect(), "k", &of_sums), [4, 4]);
    let of_mirrored = |at: &Sizes| {
        let row = (0..at["n"]).map(|j| vec![at["i"], j]).collect();
        let column = (0..at["n"]).filter(|j| *j != at["i"]).map(|j| vec![j, at["i"]]).collect();
        vec![row, column]
    };
    instances(&report, 1, &|n| (0..n).collect(), "i", &of_mirrored);
    let copied: Vec<&Value> = [0, 1].map(|k| &first(&report, 0)["arrays"][k][0][2]).to_vec();
    assert_eq!(copied, ["in", "both"]);
    let Some((drawn, complaints)) = browser::open(&page, "") else {
        println!("no browser is installed: the page was written and not opened");
        return;
    };
    assert!(complaints.is_empty(), "{complaints:?}");
    for (region, place, name) in [(0, 0, "in_local"), (0, 1, "out_local"), (1, 0, "A_local"), (1, 1, "A_local2")] {
        let cells = first(&report, region)["arrays"][place].as_array().map(Vec::len);
        assert_eq!(Some(drawn.matches(&format!("data-local=\"{name}\"")).count()), cells, "{name}");
    }
}

type Sizes = BTreeMap<String, i64>;

fn line(from: i64, count: i64) -> BTreeSet<Vec<i64>> {
    (from..from + count).map(|at| vec![at]).collect()
}

/// The first instance that is drawn of a region.
fn first(report: &Value, region: usize) -> &Value {
    &report["regions"][region]["versions"][0]["examples"][0]["instances"][0]
}

/// How many instances there are at each size. They come in order, touch these cells, and no two cells of one share a place.
fn instances(
    report: &Value,
    region: usize,
    counters: &dyn Fn(i64) -> Vec<i64>,
    counter: &str,
    touched: &dyn Fn(&Sizes) -> Vec<BTreeSet<Vec<i64>>>,
) -> Vec<usize> {
    let examples = report["regions"][region]["versions"][0]["examples"].as_array().expect("examples");
    assert!(!examples.is_empty());
    let judged = examples.iter().map(|example| {
        let sizes: Sizes = serde_json::from_value(example["at"].clone()).expect("sizes");
        let found = example["instances"].as_array().expect("instances");
        let expected = counters(sizes["n"]);
        assert!(found.len() == expected.len() || example["is_cut"] == true, "{sizes:?}");
        for (instance, at) in found.iter().zip(expected) {
            assert_eq!(instance["at"][counter], at);
            let all = sizes.clone().into_iter().chain([(counter.to_string(), at)]).collect();
            for (cells, touched) in instance["arrays"].as_array().expect("arrays").iter().zip(touched(&all)) {
                let cells: Vec<(Vec<i64>, Vec<i64>, String)> = serde_json::from_value(cells.clone()).expect("cells");
                assert_eq!(cells.iter().map(|own| own.0.clone()).collect::<BTreeSet<_>>(), touched);
                assert_eq!(cells.iter().map(|own| &own.1).collect::<BTreeSet<_>>().len(), touched.len());
            }
        }
        found.len()
    });
    judged.collect()
}

/// axe finds nothing that keeps anyone from reading a page.
#[test]
fn pages_can_be_read_by_all() {
    let local: (&str, &[&str]) = ("corpus/compact/diagonal_tiles.c", &[]);
    for (source, options) in [PROGRAMS[0], PROGRAMS[6], PROGRAMS[11], local] {
        let source = root().join(source);
        let page = scratch("report_page").join(format!("{}.axe.html", stem(&source)));
        written(&source, options, &page).expect("the page is written");
        let text = std::fs::read_to_string(&page).expect("it can be read");
        let axe = std::fs::read_to_string(root().join("crates/polyfold/tests/axe/axe.min.js")).expect("it is there");
        let judge = "axe.run(document).then((found) => (document.body.dataset.violations = found.violations.map((v) => v.id).join(\" \")));";
        let judged = text.replace("</body>", &format!("<script>{axe}</script><script>{judge}</script></body>"));
        std::fs::write(&page, judged).expect("the scratch directory is writable");
        let Some((text, _)) = browser::open(&page, "") else {
            println!("no browser is installed: pages were not judged");
            return;
        };
        let found = between(&text, "data-violations=\"", "\"");
        assert_eq!(found, Some(""), "{source:?}");
    }
}

/// The picture in README is that of the page; `POLYFOLD_BLESS=1` writes it anew.
#[test]
fn the_picture_is_drawn_by_the_page() {
    let readme = std::fs::read_to_string(root().join("README.md")).expect("README can be read");
    let program = between(&readme, "<!-- file: soften.c -->\n```c\n", "```").expect("README has a program");
    let (source, page) = (scratch("report_page").join("soften.c"), scratch("report_page").join("soften.html"));
    std::fs::write(&source, program).expect("the scratch directory is writable");
    let arguments = ["report", &source.display().to_string(), "--schedule", "fuse-rows", "-o"];
    let run = tool::polyfold(&[&arguments[..], &[&page.display().to_string()]].concat());
    assert_eq!(run.status, 0, "{}", run.stderr);
    let Some((text, _)) = browser::open(&page, "H=12&W=12") else {
        println!("no browser is installed: the picture was not drawn");
        return;
    };
    let style = between(&text, "<style>", "</style>").expect("the page has a style");
    let drawing = between(&text, "<svg ", "</svg>").expect("memory over time is drawn first");
    let picture = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" {}</svg>\n",
        drawing.replacen('>', &format!("><style>{style}</style>"), 1)
    );
    let file = root().join("docs/pictures/soften.svg");
    if std::env::var_os("POLYFOLD_BLESS").is_some() {
        std::fs::write(&file, &picture).expect("the picture can be written");
    }
    assert!(std::fs::read_to_string(&file).is_ok_and(|known| known == picture), "the picture has changed: bless it");
}

/// At how many sizes a page was compared.
fn judged(source: &Path, options: &[&str]) -> Result<usize, String> {
    let page = scratch("report_page").join(format!("{}.html", stem(source)));
    written(source, options, &page)?;
    let mut seen = 0;
    let mut sizes: Vec<(String, i64)> = Vec::new();
    for more in [0, 1] {
        let query: Vec<String> = sizes.iter().map(|(name, size)| format!("{name}={}", size + more)).collect();
        let Some((text, complaints)) = browser::open(&page, &query.join("&")) else { return Ok(0) };
        if !complaints.is_empty() {
            return Err(format!("{complaints:?}"));
        }
        sizes = sizes_of(&text)?;
        compare(&text, source, options, &sizes)?;
        seen += 1;
    }
    // There may be nothing to draw, or the sizes are none of those that were proved.
    let least: Vec<String> = sizes.iter().map(|(name, _)| format!("{name}=1")).collect();
    let complaints = browser::open(&page, &least.join("&")).map(|(_, complaints)| complaints).unwrap_or_default();
    if complaints.is_empty() { Ok(seen) } else { Err(format!("at sizes of 1: {complaints:?}")) }
}

fn written(source: &Path, options: &[&str], page: &Path) -> Result<(), String> {
    let arguments = ["report", &source.display().to_string(), "-I", "corpus", "-o", &page.display().to_string()];
    let run = tool::polyfold(&[&arguments, options].concat());
    if run.status == 0 { Ok(()) } else { Err(run.stderr) }
}

/// Those in the caption of the numbers: `At h = 6, w = 6`.
fn sizes_of(page: &str) -> Result<Vec<(String, i64)>, String> {
    let caption = between(page, "<caption>", "</caption>").ok_or("the page shows no numbers")?;
    let sizes = caption.trim_start_matches("At ").split(", ").map(|size| {
        let (name, value) = size.split_once(" = ")?;
        Some((name.to_string(), number(value)?))
    });
    sizes.collect::<Option<_>>().ok_or(format!("{caption} are no sizes"))
}

fn compare(page: &str, source: &Path, options: &[&str], sizes: &[(String, i64)]) -> Result<(), String> {
    let shown = |name: &str| {
        let text = between(page, &format!("data-number=\"{name}\">"), "<").and_then(number);
        text.ok_or(format!("the page doesn't say {name}"))
    };
    let report = report(source, options, sizes)?;
    let found = |name: &str| report["totals"][name].as_i64().ok_or(format!("no {name}"));
    let same = |on_page: i64, told: i64, what: &str| match on_page == told {
        true => Ok(()),
        false => Err(format!("{what} at {sizes:?}: {on_page} on the page, {told} by the command")),
    };
    same(shown("cells declared")?, found("cells_before")?, "cells declared")?;
    same(shown("values alive at once")?, found("max_live")?, "values alive at once")?;
    // Other storage may be best at other sizes: what is on the page is one of those that are proved.
    if shapes_on(page)? == shapes_in(&report) {
        same(shown("cells now")?, found("cells_after")?, "cells now")?;
        let kept = report["arrays"].as_array().into_iter().flatten().filter(|array| is_kept(array));
        let kept: i64 = kept.filter_map(|array| array["cells_before"].as_i64()).sum();
        let drawn = page.matches("<td class=\"alive\"").count() + page.matches("<td class=\"empty\"").count();
        same(drawn as i64 + kept, found("cells_after")?, "cells drawn")?;
    }
    let stages = page.matches("class=\"stage\"").count();
    same(stages as i64, report["stages"]["stages"].as_array().map_or(0, Vec::len) as i64, "stages drawn")?;
    let bars = page.matches("class=\"bar\"").count();
    if bars == 0 { Err("no lifetimes are drawn".to_string()) } else { Ok(()) }
}

fn is_kept(array: &Value) -> bool {
    array["role"] == "temporary" && array["decision"] == "kept"
}

/// The shapes of buffers, as the report in the page has them.
fn shapes_on(page: &str) -> Result<Value, String> {
    Ok(shapes_in(&report_on(page)?["scops"][0]))
}

/// The report that a page holds.
fn report_on(page: &str) -> Result<Value, String> {
    let text = between(page, "id=\"report\">", "</script>").ok_or("the page holds no report")?;
    serde_json::from_str(text).map_err(|e| e.to_string())
}

fn shapes_in(scop: &Value) -> Value {
    let shapes = scop["buffers"].as_array().into_iter().flatten().map(|buffer| buffer["shape"].clone());
    Value::Array(shapes.collect())
}

/// What the command says of the only scop at some sizes.
fn report(source: &Path, options: &[&str], sizes: &[(String, i64)]) -> Result<Value, String> {
    let result: PathBuf = scratch("report_page").join(format!("{}.c", stem(source)));
    let json = result.with_extension("json").display().to_string();
    let sizes: Vec<String> = sizes.iter().map(|(name, size)| format!("{name}={size}")).collect();
    let run = tool::optimize(source, &result, &[&["--json", &json, "--param", &sizes.join(",")], options].concat());
    if run.status != 0 {
        return Err(run.stderr);
    }
    let text = std::fs::read_to_string(&json).map_err(|e| e.to_string())?;
    let report: Value = serde_json::from_str(&text).map_err(|e| e.to_string())?;
    Ok(report["scops"][0].clone())
}

fn between<'t>(text: &'t str, before: &str, behind: &str) -> Option<&'t str> {
    let (_, rest) = text.split_once(before)?;
    Some(rest.split_once(behind)?.0)
}

/// `1,096`.
fn number(text: &str) -> Option<i64> {
    text.replace(',', "").parse().ok()
}
