//! How cells move between an array and its local one: in front of loops, a turn ahead, by `memcpy` or by an engine of its own.
//!
//! The programs of `corpus/compact` run with an engine that finishes transfers early, late or at random, with poisoned local arrays and
//! sanitizers: they have to print what they print without local memory.

use crate::support;
use crate::support::code::{has, mentions};
use crate::support::compacted::{LocalRow, compact, counted, local_rows, programs};
use crate::support::compiler::{run, run_source};
use crate::support::declared::declares;
use crate::support::{bring_header, root, scratch, stem};
use polyfold_c::source::directives;
use std::path::{Path, PathBuf};

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
    let flags = [&[include.as_str(), "-Wno-unused-variable"], &way.defines[..]].concat();
    let before = run_source(&input, &flags).map_err(|fault| format!("{name}: {fault}"))?;
    // With counters it is a text of ours: sanitizers find as much if it is not optimized, in half the time.
    let flags = if way.is_counted { [&["-O0"], &flags[..]].concat() } else { flags };
    let after = run(&output, &flags).map_err(|fault| format!("{name}: {fault}"))?;
    if after == before.repeat(3) { Ok(()) } else { Err(format!("{name} prints something else")) }
}

struct Way {
    arguments: Vec<&'static str>,
    defines: Vec<&'static str>,
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
#[ignore = "long, in ./check-more"]
fn transfers_that_go_on_meanwhile_bring_the_same_cells_in_two_buffers() {
    let arguments = [&ENGINE[..], &["--buffers", "2"]].concat();
    all_programs_compute_the_same("motion_two", &Way { arguments, defines: vec!["-DBUFFERS=2"], is_counted: true });
}

#[test]
#[ignore = "long, in ./check-more"]
fn transfers_of_bounded_size_bring_the_same_cells_in_three_aligned_and_padded_buffers() {
    let sizes = ["--buffers", "3", "--min-transfer", "16", "--max-transfer", "40", "--align", "32", "--pad", "1"];
    let arguments = [&ENGINE[..], &sizes].concat();
    all_programs_compute_the_same("motion_three", &Way { arguments, defines: vec!["-DMOST=40"], is_counted: false });
}

#[test]
fn three_buffers_have_no_more_cells_than_three_times_one() {
    let directory = scratch("motion_blocks");
    let arguments = [&ENGINE[..], &["--buffers", "3"]].concat();
    let way = Way { arguments, defines: vec!["-DBUFFERS=3"], is_counted: true };
    let blocks: Vec<PathBuf> = programs().into_iter().filter(|program| stem(program).starts_with("blocks_")).collect();
    assert_eq!(blocks.len(), 3);
    for program in blocks {
        assert_eq!(difference(&directory, &program, &stem(&program), &way), Ok(()));
    }
}

#[test]
#[ignore = "long, in ./check-more"]
fn memcpy_brings_the_same_cells() {
    let arguments = vec!["--memcpy", "--buffers", "2"];
    all_programs_compute_the_same("motion_memcpy", &Way { arguments, defines: Vec::new(), is_counted: false });
}

/// A program with a function of which `body` is the scop, called for sizes from 0 on.
fn program(body: &str) -> String {
    format!(
        "#include \"transfers.h\"
static double g(double x) {{ return x + 1; }}
static void f(int n, int K, double A[n + 1][K + 2], double B[n + 1], double C[n + 1]) {{
#pragma scop
{body}
#pragma endscop
}}
int main(void) {{
  for (int n = 0; n < 5; n++)
    for (int K = 0; K < 4; K++) {{
      double *a = filled((n + 1) * (K + 2L), 1), *b = filled(n + 1, 2), *c = filled(n + 1, 3);
      f(n, K, (void *)a, b, c);
      b[0] = g(b[0]);
      show(a, (n + 1) * (K + 2L));
      show(b, n + 1);
      show(c, n + 1);
    }}
  return 0;
}}
"
    )
}

/// The new text of a program, which compiles without warnings, and computes the same under all timings; its local arrays, and what was said.
fn changed(name: &str, body: &str, arguments: &[&str]) -> (String, Vec<LocalRow>, String) {
    let directory = scratch("motion_small");
    let [input, output, timed] = ["", "_out", "_run"].map(|end| directory.join(format!("{name}{end}.c")));
    std::fs::write(&input, program(body)).expect("the directory is writable");
    let said = compact(&input, &output, &[&["--always"], arguments].concat());
    assert!(said.status.success(), "{name}: {}", String::from_utf8_lossy(&said.stderr));
    let text = std::fs::read_to_string(&output).expect("the output is text");
    for header in ["harness.h", "transfers.h"] {
        bring_header(header, &directory).expect("it can be copied");
    }
    std::fs::write(&timed, under_all_timings(&counted(&text))).expect("the directory is writable");
    let flags = ["-Wno-unused-function", "-Wno-unused-variable", "-Wno-unused-parameter"];
    let before = run_source(&input, &flags).expect("the program runs");
    assert_eq!(run(&timed, &flags), Ok(before.repeat(3)), "{name}: {text}");
    (text, local_rows(&said), String::from_utf8_lossy(&said.stderr).into_owned())
}

fn row<'a>(rows: &'a [LocalRow], name: &str) -> &'a LocalRow {
    rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("no {name}"))
}

const SUM: &str = "#pragma polyfold local\n      for (int i = 0; i < n; i++)\n        C[i] += A[i][k];\n";

#[test]
fn cells_that_stay_the_same_are_copied_in_front_of_the_loop_if_nothing_beside_it_touches_them() {
    let cases = [
        ("alone", format!("    for (int k = 0; k < K; k++) {{\n{SUM}    }}"), true),
        ("other", format!("    for (int k = 0; k < K; k++) {{\n      B[0] = k;\n{SUM}      B[0] += 1;\n    }}"), true),
        ("read", format!("    for (int k = 0; k < K; k++) {{\n{SUM}      B[0] += C[0];\n    }}"), false),
        ("written", format!("    for (int k = 0; k < K; k++) {{\n      C[0] = 1;\n{SUM}    }}"), false),
        ("called", format!("    for (int k = 0; k < K; k++) {{\n{SUM}      B[0] = g(B[0]);\n    }}"), false),
        (
            "tested",
            format!("    for (int k = 0; k < K; k++) {{\n      if (B[0] > 20) {{\n{SUM}      }}\n    }}"),
            false,
        ),
        ("left", format!("    for (int k = 0; k < K; k++) {{\n      if (k == 2) break;\n{SUM}    }}"), false),
        ("pragma", format!("#pragma GCC unroll 2\n    for (int k = 0; k < K; k++) {{\n{SUM}    }}"), false),
        ("own", format!("    for (int k = K; k > 0; k -= 2) {{\n{SUM}    }}"), true),
    ];
    for (name, body, is_moved) in cases {
        let (text, rows, _) = changed(name, &body, &[]);
        assert_eq!(row(&rows, "C_local").is_in_front(), is_moved, "{name}: {text}");
    }
}

#[test]
fn copies_of_two_regions_stand_in_front_of_one_loop_if_neither_touches_what_the_other_writes() {
    let second =
        |statement: &str| format!("#pragma polyfold local\n      for (int i = 0; i < n; i++)\n        {statement}\n");
    let cases = [
        ("apart", "B[i] += A[i][k + 1];", &["C_local", "B_local"][..], &["A_local", "A_local2"][..]),
        ("shared", "B[i] += C[i];", &["B_local"], &["C_local", "C_local2", "A_local"]),
        ("only_read", "B[i] += A[i][0];", &["C_local", "B_local", "A_local2"], &["A_local"]),
    ];
    for (name, statement, in_front, inside) in cases {
        let body = format!("    for (int k = 0; k < K; k++) {{\n{SUM}{}    }}", second(statement));
        let (text, rows, _) = changed(&format!("two_{name}"), &body, &[]);
        assert!(in_front.iter().all(|name| row(&rows, name).is_in_front()), "{name}: {text}");
        assert!(inside.iter().all(|name| !row(&rows, name).is_in_front()), "{name}: {text}");
    }
    let nested = format!(
        "    for (int m = 0; m < 3; m++)\n    for (int k = 0; k < K; k++) {{\n{SUM}      for (int j = 0; j < 2; j++) {{\n{}      }}\n    }}",
        second("B[i] += A[i][j] + A[i][k];")
    );
    let (text, rows, _) = changed("two_nested", &nested, &[]);
    assert!(row(&rows, "B_local").how.contains("in front of 3 loops"), "{}: {text}", row(&rows, "B_local").how);
}

/// With an `if` on the way, and inner loops without turns, copies happen just if some turn gets to the region.
#[test]
fn cells_are_copied_in_front_of_a_loop_of_which_some_turn_gets_to_the_region() {
    let guarded = |head: &str, test: &str| format!("    for ({head})\n      if ({test})\n{SUM}");
    let cases = [
        ("first", guarded("int k = 0; k < K; k++", "k <= n - 2"), true),
        ("last", guarded("int k = 0; k < K; k++", "k >= n"), true),
        ("stepping", guarded("int k = K; k > 0; k -= 2", "k == 1"), true),
        ("sizes", guarded("int k = 0; k < K; k++", "n > 2 || n == 1"), true),
        (
            "other",
            format!("{}      else\n        B[k] = 5;\n", guarded("int k = 0; k < K && k < n; k++", "k >= 1")),
            true,
        ),
        (
            "inner",
            format!("    for (int j = 0; j < n; j++)\n    for (int k = 0; k < K && k < j; k++) {{\n{SUM}    }}"),
            true,
        ),
        ("leaving", guarded("int k = 0; k < 2 || (k > 2 && k < K); k++", "k != 5"), false),
        ("data", guarded("int k = 0; k < K; k++", "B[0] > 20"), false),
    ];
    for (name, body, is_moved) in cases {
        let (text, rows, _) = changed(&format!("guarded_{name}"), &body, &[]);
        assert_eq!(row(&rows, "C_local").is_in_front(), is_moved, "{name}: {text}");
        // What is copied back without having been copied in shows copies where no turn gets to the region.
        changed(&format!("guarded_{name}_over"), &body.replace("C[i] += A[i][k]", "C[i] = A[i][0]"), &[]);
    }
    let tiles = format!(
        "    for (int j = 0; j < n; j += 2)\n    for (int k = 0; k < K; k++)\n      for (int m = 0; m < n; m += 2)\n        if (m >= j)\n{SUM}"
    );
    let (text, _, _) = changed("guarded_tiles", &tiles, &[]);
    // That a tile begins at a multiple of 2 is known of the loops around.
    assert!(!has(&text, "_ % _"), "{text}");
    let rotating = guarded("int k = 0; k < K; k++", "k >= 1").replace("local", "local buffers(2)");
    let (text, rows, said) = changed("guarded_rotating", &rotating, &ENGINE);
    let rotates = row(&rows, "A_local").how.contains("buffers");
    assert!(said.contains("the next turn may pass by the region") && !rotates, "{said}{text}");
}

/// What a region declares stays where the region runs as it was.
#[test]
fn a_region_that_stands_twice_declares_its_array_where_it_is_as_it_was() {
    let row = |statement: &str| {
        format!("        for (int i = it; i < (n < it + 2 ? n : it + 2); i++)\n          {statement}\n")
    };
    let rows = row("t[i - it] = A[i][1] * 2;") + &row("C[i] += t[i - it];");
    let body = format!(
        "  for (int it = 0; it < n; it += 2)
    for (int jt = 0; jt < 3; jt++) {{
      B[0] += 1;
      if (it == jt)
#pragma polyfold local
      {{
        double t[2];
{rows}      }}
    }}"
    );
    let (text, ..) = changed("twice", &body, &[]);
    assert!(declares(&text, "t", &["2"]) && declares(&text, "t_local", &["2"]), "{text}");
}

#[test]
fn buffers_of_two_regions_rotate_in_one_loop() {
    let first = SUM.replace("local", "local buffers(2) async");
    let second = "#pragma polyfold local buffers(3) async\n      for (int i = 0; i < n; i++)\n        B[i] += A[i][k] - A[i][k + 1];\n";
    let body = format!("    for (int k = 0; k < K; k++) {{\n{first}      C[0] += A[0][k];\n{second}    }}");
    let buffers = |rows: &[LocalRow]| {
        ["A_local", "A_local3"].map(|name| row(rows, name).how.split_once(" buffers").map(|(own, _)| own.to_string()))
    };
    let (_, rows, _) = changed("two_rotating", &body, &ENGINE);
    assert_eq!(buffers(&rows), ["box, 2", "box, 3"].map(|own| Some(own.to_string())));
    let written = body.replace("B[i] += A[i][k]", "A[i][k] = B[i] + A[i][k]");
    let (_, rows, _) = changed("two_still", &written, &ENGINE);
    assert_eq!(buffers(&rows), [None, None]);
}

/// Local memory is one region's at a time, or its bytes would be counted wrong.
#[test]
fn regions_with_a_capacity_do_not_keep_arrays_while_others_run() {
    let body = format!("    for (int k = 0; k < K; k++) {{\n{SUM}{}    }}", SUM.replace("C[i]", "B[i]"));
    let (text, rows, _) = changed("two_capacity", &body, &["--capacity", "64KiB", "--assume", "n <= 1000"]);
    assert!(!row(&rows, "C_local").is_in_front(), "{text}");
}

/// The text of a function that is called for small tiles, and some of no size.
fn with_tiles(name: &str, body: &str) -> String {
    let source = format!(
        "#include \"harness.h\"\nstatic void f(int n, int T, double A[8], double B[8], double s[1], double t[1]) {{\n#pragma scop\n{body}\n\
         #pragma endscop\n}}\nint main(void) {{\n  for (int T = -1; T < 3; T++) {{\n    double *a = filled(8, 1), *b = filled(8, 2), \
         *s = filled(1, 3), *t = filled(1, 4);\n    f(4, T, a, b, s, t);\n    show(a, 8);\n    show(b, 8);\n    show(s, 1);\n    \
         show(t, 1);\n  }}\n  return 0;\n}}\n"
    );
    let directory = scratch("motion_small");
    let [input, output] = ["", "_out"].map(|end| directory.join(format!("{name}{end}.c")));
    std::fs::write(&input, source).expect("the directory is writable");
    bring_header("harness.h", &directory).expect("it can be copied");
    let said = compact(&input, &output, &["--always"]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = std::fs::read_to_string(&output).expect("the output is text");
    let flags = ["-Wno-unused-parameter"];
    assert_eq!(run(&input, &flags), run(&output, &flags), "{text}");
    text
}

#[test]
fn what_stands_beside_a_region_runs_though_its_plan_does_not_hold() {
    let region = |cell: &str| {
        format!("#pragma polyfold local\n      for (int i = it * T; i < it * T + T; i++)\n        {cell} += A[i];\n")
    };
    let beside = with_tiles(
        "beside",
        &format!("    for (int it = 0; it < n; it++) {{\n      B[it] = it;\n{}    }}", region("s[0]")),
    );
    assert!(has(&beside, "if (n >= 1 && T >= 1) _; else _;") && mentions(&beside, "else"), "{beside}");
    let two = format!("    for (int it = 0; it < n; it++) {{\n{}{}    }}", region("s[0]"), region("t[0]"));
    let text = with_tiles("both", &two);
    assert!(has(&text, "if (n >= 1 && T >= 1) _;") && !mentions(&text, "else"), "{text}");
    let third = "#pragma polyfold local\n      for (int i = 0; i < n; i++)\n        B[i] += 2;\n";
    let text = with_tiles("three", &two.replacen("#pragma", &format!("{third}#pragma"), 1));
    assert!(mentions(&text, "else"), "one of the regions runs for all sizes: {text}");
    assert!(directives(&text).iter().all(|own| own.region().is_none()), "{text}");
}

#[test]
fn a_carried_cell_is_fetched_when_the_turn_begins() {
    let body = "    for (int k = 0; k < K; k++) {\n#pragma polyfold local buffers(2) async\n      for (int i = 0; i < n; i++)\n        \
                A[i][k + 1] += A[i][k] + B[i];\n    }";
    let (text, rows, said) = changed("carried", body, &ENGINE);
    assert!(said.contains("an iteration reads cells of `A` that one before may write"), "{said}");
    assert!(row(&rows, "A_local").how.contains("2 buffers"), "{text}");
    let told = changed("told", &body.replace(" async", " async hoist(A, k) hoist(B, k)"), &ENGINE).2;
    assert!(told.contains("`A` is not copied in front of the loop of `k`") && !told.contains("`B` is not"), "{told}");
}

#[test]
fn what_cannot_be_done_is_said() {
    let directory = scratch("motion_small");
    let (input, output) = (directory.join("said.c"), directory.join("said_out.c"));
    let said = |clauses: &str, arguments: &[&str]| {
        let region = SUM.replace("local", &format!("local {clauses}"));
        let body = format!("    for (int k = 0; k < K; k++) {{\n      C[0] = 1;\n      A[0][0] = 1;\n{region}    }}");
        std::fs::write(&input, program(&body)).expect("the directory is writable");
        let said = compact(&input, &output, &[&["--always"], arguments].concat());
        (said.status.code(), String::from_utf8_lossy(&said.stderr).into_owned())
    };
    let (status, message) = said("async buffers(3)", &[]);
    assert_eq!(status, Some(0), "{message}");
    assert!(message.contains("nothing goes on meanwhile") && message.contains("no local array rotates"), "{message}");
    assert!(message.contains("`A`, `C`: something beside the region in the loop uses it"), "{message}");
    let (status, message) = said("buffers(4)", &[]);
    assert!(status == Some(1) && message.contains("buffers(…) is 1, 2 or 3"), "{message}");
    let (status, message) = said("", &["--get", "fetch", "--put", "engine_put", "--wait", "engine_wait"]);
    assert!(status == Some(1) && message.contains("`fetch` is not declared"), "{message}");
    assert_eq!(said("", &["--align", "24"]).0, Some(2));
    assert_eq!(said("", &["--align", "131072"]).0, Some(2));
    assert_eq!(said("", &["--get", "engine_get"]).0, Some(2));
}

#[test]
fn declarations_stand_in_a_memory_of_the_users() {
    let body = format!("    for (int k = 0; k < K; k++) {{\n{}    }}", SUM.replace("i < n", "i < 1"));
    let (text, _, _) = changed("space", &body.replace("C[i]", "C[2 * i]"), &["--space", "static", "--align", "64"]);
    assert!(has(&text, "static double C_local;") && mentions(&text, "aligned"), "{text}");
}

/// The only region of a text.
fn region(text: &str) -> polyfold_scop::Scop {
    let (regions, _) = polyfold_frontend::local_regions(text);
    let mut cc = std::process::Command::new("cc");
    cc.args(["-E", "-dD", "-x", "c", "-"]);
    let preprocessed = support::pipe(&mut cc, &polyfold_frontend::instrument(text));
    let options = polyfold_frontend::Options { local: true, ..Default::default() };
    polyfold_frontend::parse_region(text, &preprocessed, &options, (&regions[0], &regions)).scops.remove(0)
}

#[test]
fn a_turn_that_passes_by_the_region_fetches_nothing_ahead() {
    use polyfold_compact::{Motion, Request};
    use polyfold_isl::{Context, Set};
    use polyfold_plan::compact;
    use polyfold_prove::verify_motions;
    for (test, rotates) in [("", true), ("if (k > 1)", false)] {
        let scop = region(&format!(
            "void f(int n, int K, double A[K][n], double s[1]) {{\n#pragma scop\n  for (int k = 0; k < K; k++)\n  {test}\n\
             #pragma polyfold local\n    for (int i = 0; i < n; i++)\n      s[0] += A[k][i];\n#pragma endscop\n}}\n"
        ));
        let ctx = Context::new();
        let found = compact(&ctx, &scop, &Request::default(), 200_000_000).expect("the region is small");
        let locals = &found.plans[0].plan().locals;
        let is_right = |array: &str, motion: Motion| {
            let motions = locals.iter().map(|local| match &scop.array(local.array).name {
                name if name == array => motion.clone(),
                _ => Motion::Inside,
            });
            let proved = verify_motions(&found.model, &found.plans[0], motions.collect(), &found.known, &[]);
            proved.expect("the region is small").is_some()
        };
        let late = Set::read(&ctx, "{ [k, i] : false }").expect("it is a set");
        assert!(is_right("s", Motion::Outside(1)), "{test}");
        assert!(!is_right("A", Motion::Outside(1)), "{test}");
        assert_eq!(is_right("A", Motion::Rotating { buffers: 2, late }), rotates, "{test}");
    }
}

#[test]
fn motions_that_would_be_wrong_the_proof_misses() {
    use polyfold_compact::{Motion, Request};
    use polyfold_isl::{Context, Set};
    use polyfold_plan::compact;
    use polyfold_prove::verify_motions;
    let text = "void f(int n, int K, double A[K + 1][n]) {\n#pragma scop\n  for (int k = 0; k < K; k++) {\n#pragma polyfold local\n    \
                for (int i = 0; i < n; i++)\n      A[k + 1][i] += A[k][i];\n  }\n#pragma endscop\n}\n";
    let scop = region(text);
    let ctx = Context::new();
    let found = compact(&ctx, &scop, &Request::default(), 200_000_000).expect("the region is small");
    let placed = &found.plans[0];
    let locals = &placed.plan().locals;
    let is_right = |motions| {
        verify_motions(&found.model, placed, motions, &found.known, &[]).expect("the region is small").is_some()
    };
    let late = |text: &str| Set::read(&ctx, text).expect("it is a set");
    let rotate = |buffers, cells: &Set| -> Vec<Motion> {
        let own = |into: &Set| into.intersect(cells).expect("it is small");
        locals.iter().map(|local| Motion::Rotating { buffers, late: own(&local.copies.into) }).collect()
    };
    let carried = late("[k, n, K] -> { [k, i] }");
    assert!(is_right(vec![Motion::Inside; locals.len()]));
    assert!(is_right(rotate(2, &carried)));
    assert!(!is_right(rotate(1, &carried)), "the next turn's cells need a buffer");
    assert!(!is_right(rotate(2, &late("[k, n, K] -> { [k, i] : i >= 1 }"))), "A[k][0] is still to be copied back");
    let beside = vec![Motion::Rotating { buffers: 2, late: late("[k, n] -> { [k, i] : 0 <= i <= n }") }; locals.len()];
    assert!(!is_right(beside), "A[k][n] is no cell of these");
    assert!(!is_right(vec![Motion::Outside(1); locals.len()]), "the cells differ from turn to turn");
    assert!(!is_right(vec![Motion::Outside(2); locals.len()]), "there is one loop");
}
