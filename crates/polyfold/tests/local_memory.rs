//! Regions in local memory: the programs of `corpus/compact`, compiled and run.
//!
//! Each program prints a hash of all its arrays for several sizes. The program in local memory has to print the same, with sanitizers, with
//! local arrays full of bytes that are no number, and with counters in it: no more cells than expected, and just the copies that are expected.

mod support;

use std::path::Path;
use std::process::Command;
use support::compacted::{compact, counted, programs};
use support::compiler::{run, warnings};
use support::{root, scratch, stem};

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

/// Arrays of a region's own that are declared together with other variables.
#[test]
fn what_is_declared_beside_a_local_array_stays() {
    let directory = scratch("local_memory_beside");
    let (input, output) = (directory.join("beside.c"), directory.join("beside.out.c"));
    let source = "#include <stdio.h>
static void f(int n, double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++) {
#pragma polyfold local
    {
      double t[n], s = A[i][i], u[n];
      for (int j = 0; j < n; j++)
        t[j] = A[j][i] * 2;
      for (int j = 0; j < n; j++)
        u[j] = t[n - 1 - j] + 1;
      s = 0;
      for (int j = 0; j < n; j++)
        s += u[j] * t[n - 1 - j];
      for (int j = 0; j < n; j++)
        B[j][i] = s * u[j] + A[j][i];
    }
  }
#pragma endscop
}
int main(void) {
  static double a[49], b[49];
  for (int n = 1; n <= 7; n++) {
    for (int i = 0; i < 49; i++)
      a[i] = i * 5 % 11, b[i] = 0;
    f(n, (double (*)[n])a, (double (*)[n])b);
    for (int i = 0; i < 49; i++)
      printf(\"%g \", b[i]);
  }
  return 0;
}
";
    std::fs::write(&input, source).expect("the directory is writable");
    let said = compact(&input, &output, &[]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = std::fs::read_to_string(&output).expect("the output is text");
    assert!(text.contains("double s = ") && text.contains("t_local["), "{text}");
    assert_eq!(run(&input, &[]), run(&output, &[]));
    warnings(&output).expect("no warnings");
}

/// What is known around a region: an `if` without braces, one with an `else`, a jump past its test, a counter that wraps around.
#[test]
fn what_surrounds_a_region_is_believed_only_where_it_is_tested() {
    let directory = scratch("local_memory_around");
    let around = [
        ("if (!(i < 2))", "", "i < 2 ? 0 : i"),
        ("if (i > 2)", "else B[i][0] = 3;", "i"),
        ("if (i == 1) goto jump; if (n > 3) { jump:;", "}", "n > 3 ? i : 0"),
        ("switch (i) { case 0: if (n > 3) { case 1:", "} }", "n > 3 ? i : 0"),
        ("for (unsigned char k = 250; k != 9; k += 5)", "", "k >= 250 ? i : 0"),
    ];
    for (k, (before, behind, row)) in around.into_iter().enumerate() {
        let source = format!(
            "#include <stdio.h>
static void f(int n, double A[n][n], double B[n][n]) {{
#pragma scop
  for (int i = 0; i < n; i++) {{
    {before}
#pragma polyfold local
    for (int j = 0; j < n; j++)
      B[i][j] += A[{row}][n - 1 - j] * 0.5 + A[{row}][j];
    {behind}
  }}
#pragma endscop
}}
int main(void) {{
  static double a[49], b[49];
  for (int n = 1; n <= 7; n++) {{
    for (int i = 0; i < 49; i++)
      a[i] = i * 5 % 11, b[i] = 0;
    f(n, (double (*)[n])a, (double (*)[n])b);
    for (int i = 0; i < 49; i++)
      printf(\"%g \", b[i]);
  }}
  return 0;
}}
"
        );
        let (input, output) = (directory.join(format!("{k}.c")), directory.join(format!("{k}.out.c")));
        std::fs::write(&input, source).expect("the directory is writable");
        if compact(&input, &output, &[]).status.success() {
            let flags = ["-Wno-dangling-else", "-Wno-misleading-indentation", "-Wno-implicit-fallthrough"];
            assert_eq!(run(&input, &flags), run(&output, &flags), "{before}");
        }
    }
}

/// A pointer that is set to an array of the function's own.
#[test]
fn a_pointer_into_an_array_is_not_taken_for_one() {
    let directory = scratch("local_memory_pointer");
    let (input, output) = (directory.join("pointer.c"), directory.join("pointer.out.c"));
    let source = "void f(int n, double A[n + 1]) {
  double *p = A;
#pragma scop
#pragma polyfold local
  for (int j = 1; j < n; j++)
    A[j] += p[n - 1 - j];
#pragma endscop
}
";
    std::fs::write(&input, source).expect("the directory is writable");
    let said = compact(&input, &output, &[]);
    assert_eq!(said.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&said.stderr).contains("may lead to another array"), "{said:?}");
}

/// What compilers complain about; the header is beside the file.
fn warnings_of(file: &Path) -> Result<(), String> {
    let header = file.with_file_name("harness.h");
    std::fs::copy(root().join("corpus/compact/harness.h"), header).map_err(|error| error.to_string())?;
    warnings(file)
}

/// The command on a text in a file of its own.
fn on_text(name: &str, text: &str, arguments: &[&str]) -> (Option<i32>, String, Option<String>) {
    let directory = scratch("local_memory_messages");
    let (input, output) = (directory.join(format!("{name}.c")), directory.join(format!("{name}_out.c")));
    std::fs::write(&input, text).expect("the directory is writable");
    let _ = std::fs::remove_file(&output);
    let said = compact(&input, &output, arguments);
    let written = std::fs::read_to_string(&output).ok();
    (said.status.code(), String::from_utf8_lossy(&said.stderr).into_owned(), written)
}

/// A function whose only loop is a region.
fn function(head: &str, clauses: &str, body: &str) -> String {
    format!("{head} {{\n#pragma scop\n#pragma polyfold local {clauses}\n  {body}\n#pragma endscop\n}}\n")
}

/// `for (int i = 0; i < n; i++) …`.
fn over_n(body: &str) -> String {
    format!("for (int i = 0; i < n; i++) {body}")
}

#[test]
fn what_cannot_be_copied_is_an_error_at_its_place() {
    let n = "void f(int n, double A[n], double B[n])";
    let of = |head: &str, clauses: &str, body: &str| function(head, clauses, &over_n(body));
    let call = of("void f(int n, double A[n][n])", "", "g(A[i]);");
    let long = "for (int i = 0; i < 20000; i++) s[0] += A[i];";
    let past = "for (int j = 0; j <= m; j++) s[0] += A[0][j] + A[1][0];";
    let no_statement = format!("{n} {{\n#pragma scop\n  B[0] = A[0];\n#pragma endscop\n#pragma polyfold local\n}}\n");
    let no_region = format!("{n} {{\n#pragma scop\n  B[0] = A[0];\n#pragma endscop\n}}\n");
    let cases = [
        (
            "square",
            of("void f(int n, double A[n * n], double B[n])", "", "B[i] = A[i * i];"),
            "no sum of counters",
            ":4:38",
        ),
        ("data", of("void f(int n, int P[n], double A[n], double B[n])", "", "B[i] = A[P[i]];"), "no sum", ":4:38"),
        ("pointers", of("void f(int n, double *p, double *q)", "", "p[i] = q[n - 1 - i];"), "to another array", ":3:1"),
        ("unbounded", of(n, "capacity(4096)", "B[0] += A[i];"), "nothing bounds the bytes", ":3:1"),
        (
            "large",
            function("void f(double A[20000], double s[1])", "capacity(64 KiB)", long),
            "need 160008 bytes",
            ":3:1",
        ),
        ("break", of(n, "", "{ if (A[i] < 0) break; A[i] = 1.0; }"), "a `break` in a scop", ":4:47"),
        ("call", format!("void g(double *);\n{call}"), "a function gets its address", ":5:33"),
        ("row", function("void f(int n, int m, double A[n][m], double s[1])", "", past), "may leave its row", ":4:40"),
        ("nothing", no_statement, "in front of no statement", ":5:1"),
        ("stride", of("void f(int n, int s, double A[n * s], double B[n])", "", "B[i] = A[s * i];"), "no sum", ":4:38"),
        ("none", no_region, "no region for local memory", ":1:1"),
        ("clause", of(n, "faster(2)", "B[i] = A[i];"), "`faster` is not read here", ":3:1"),
    ];
    for (name, text, message, place) in cases {
        let (status, said, written) = on_text(name, &text, &[]);
        assert_eq!((status, written), (Some(1), None), "{name}: {said}");
        assert!(said.contains(message) && said.contains(place), "{name}: {said}");
    }
}

#[test]
fn other_arrays_are_copied_if_the_user_says_so() {
    let head = "void f(int n, int P[n], double A[n], double B[2 * n])";
    let text = function(head, "", &over_n("B[2 * i] = A[P[i]];"));
    let (status, said, written) = on_text("skipped", &text, &["--on-error", "skip"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning: `A` stays where it is"), "{said}");
    let written = written.expect("it is written");
    assert!(written.contains("B_local[i] = A[P_local[i]]"), "{written}");
    let pointers = function("void f(int n, double *p, double *q)", "", &over_n("p[2 * i] = q[i] + q[i + 1];"));
    let (status, said, _) = on_text("apart", &pointers, &["--assume-noalias"]);
    assert_eq!(status, Some(0), "{said}");
}

#[test]
fn regions_that_gain_nothing_stay() {
    let same = |name: &str, text: &str, message: &str| {
        let (status, said, written) = on_text(name, text, &[]);
        assert_eq!((status, written.as_deref()), (Some(0), Some(text)), "{said}");
        assert!(said.contains(message), "{said}");
    };
    let n = "void f(int n, double A[n])";
    let empty = function("void f(double A[10])", "", "for (int i = 5; i < 5; i++) A[i] = 0;");
    same("empty", &empty, "touches no cells");
    let once = function(n, "", &over_n("A[i] = 2.0 * A[i];"));
    same("once", &once, "nothing would be gained");
    let (_, _, written) = on_text("always", &once, &["--always"]);
    assert!(written.expect("it is written").contains("A_local"));
    let capacity = function(n, "capacity(4096)", &over_n("A[0] += A[i];"));
    let (status, said, _) = on_text("bounded", &capacity, &["--assume", "n <= 512"]);
    assert_eq!(status, Some(0), "{said}");
}

/// A report, as it was written.
fn read_report(file: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(file).expect("it is written")).expect("it is JSON")
}

#[test]
fn the_report_has_the_cells_of_every_way_to_store_them() {
    let directory = scratch("local_memory_report");
    let json = directory.join("cross.json");
    let program = root().join("corpus/compact/cross_written.c");
    let json_text = json.display().to_string();
    let said = compact(&program, &directory.join("cross.c"), &["--param", "n=20", "--json", &json_text]);
    assert!(said.status.success());
    let report = read_report(&json);
    let arrays = &report["regions"][0]["versions"][0]["arrays"];
    let cells = |k: usize| ["cells", "exact", "box_cells", "whole"].map(|what| arrays[k][what].as_i64());
    assert_eq!(cells(0), [Some(20), Some(20), Some(400), Some(400)]);
    assert_eq!(cells(1)[..2], [Some(20), Some(19)]);
    assert_eq!(arrays[0]["references"], serde_json::json!(["A[j][i]", "A[i][j]"]));
    let table = String::from_utf8_lossy(&said.stdout).into_owned();
    assert!(table.contains("without the owner's"), "{table}");
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn from(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    /// A subscript from 0 to 63, for counters from 0 to 5 and 0 to 2.
    fn subscript(&mut self) -> String {
        let is_short = self.below(3) == 0;
        let (i, j, p) = (self.from(-2, 3), if is_short { 0 } else { self.from(-2, 3) }, self.from(-2, 3));
        format!("{i} * i + {j} * j + {p} * p + {}", self.from(24, 27))
    }

    fn reference(&mut self, array: &str) -> String {
        format!("{array}[{}][{}]", self.subscript(), self.subscript())
    }

    fn statement(&mut self) -> String {
        let target = if self.below(3) == 0 { "B" } else { "A" };
        let (to, from, other) = (self.reference(target), self.reference("A"), self.reference("B"));
        let plain = format!("{to} = 0.5 * {from} + {other};");
        match self.below(4) {
            0 => format!("if ((i + j) % 2 == 0) {plain}"),
            1 => format!("if ({other} > 20.0) {plain}"),
            2 => format!("{to} += {from};"),
            _ => plain,
        }
    }

    fn region(&mut self, k: usize) -> String {
        let bound = ["n", "i + 1", "n - i"][self.below(3) as usize];
        let statements: String = (0..1 + self.below(2)).map(|_| format!("        {}\n", self.statement())).collect();
        format!(
            "static void r{k}(int n, double A[64][64], double B[64][64]) {{\n#pragma scop\n  for (int p = 0; p < 3; p++) {{\n\
             #pragma polyfold local\n    for (int i = 0; i < n; i++)\n      for (int j = 0; j < {bound}; j++) {{\n\
             {statements}      }}\n  }}\n#pragma endscop\n}}\n"
        )
    }
}

/// A program with so many random regions.
fn random_program(count: usize) -> String {
    let mut numbers = Numbers(8);
    let regions: String = (0..count).map(|k| numbers.region(k)).collect();
    let call = |k: usize| {
        format!(
            "  for (int n = 1; n <= 6; n++) {{\n    double *a = filled(4096, 1), *b = filled(4096, 2);\n    \
             r{k}(n, (void *)a, (void *)b);\n    show(a, 4096);\n    show(b, 4096);\n    printf(\"{k}\\n\");\n  }}\n"
        )
    };
    let calls: String = (0..count).map(call).collect();
    format!("#include \"harness.h\"\n{regions}int main(void) {{\n{calls}  return 0;\n}}\n")
}

#[test]
fn random_regions_compute_the_same_in_no_more_cells_than_a_box() {
    let directory = scratch("local_memory_random");
    let [input, output, instrumented] =
        ["random.c", "random_out.c", "random_counted.c"].map(|name| directory.join(name));
    let json = directory.join("random.json");
    std::fs::write(&input, random_program(10)).expect("the directory is writable");
    let json_text = json.display().to_string();
    let said = compact(&input, &output, &["--assume", "n <= 6", "--always", "--json", &json_text]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let text = std::fs::read_to_string(&output).expect("it is written");
    std::fs::write(&instrumented, counted(&text)).expect("the directory is writable");
    let include = format!("-I{}", root().join("corpus/compact").display());
    let before = run(&input, &[&include, "-Wno-unused-parameter"]).expect("the program runs");
    let after = run(&instrumented, &[&include, "-Wno-unused-parameter", "-Wno-unused-but-set-variable"])
        .expect("the new program runs");
    assert_eq!(before, after);
    for region in read_report(&json)["regions"].as_array().expect("there are regions") {
        for version in region["versions"].as_array().expect("there are versions") {
            for of in ["A", "B"] {
                let arrays = version["arrays"].as_array().expect("there are arrays");
                let own: Vec<_> = arrays.iter().filter(|array| array["of"] == of).collect();
                let cells: i64 = own.iter().filter_map(|array| array["cells"].as_i64()).sum();
                let most = own.iter().filter_map(|array| array["box_cells"].as_i64()).max().unwrap_or(0);
                assert!(cells <= most.min(4096), "{region:#}");
                assert!(own.iter().all(|array| array["exact"].as_i64() <= array["cells"].as_i64()), "{region:#}");
            }
        }
    }
}

#[test]
fn what_is_taken_from_a_plan_the_proof_misses() {
    use polyfold_compact::{Plan, Request, plan};
    use polyfold_flow::Model;
    use polyfold_isl::{Context, PwAff};
    use polyfold_prove::{LocalFault, verify_locals};
    let text = function("void f(int n, double A[n][n])", "", &over_n("A[3][i] = 0.5 * A[i][3] + A[3][i];"));
    let (regions, _) = polyfold_frontend::local_regions(&text);
    let marked = regions[0].marked(&text);
    let mut cc = Command::new("cc");
    cc.args(["-E", "-dD", "-x", "c", "-"]);
    let preprocessed = support::pipe(&mut cc, &polyfold_frontend::instrument(&marked));
    let options = polyfold_frontend::Options { local: true, ..Default::default() };
    let scop = polyfold_frontend::parse(&marked, &preprocessed, &options).scops.remove(0);
    let ctx = Context::new();
    let model = Model::build(&ctx, &scop).expect("the region is small");
    let whole = plan(&model, &Request::default()).expect("the region is small").remove(0);
    assert_eq!(whole.locals.len(), 2, "the row, and the column without the cell that both have");
    let fault = |change: &dyn Fn(&mut Plan)| {
        let mut plan = whole.clone();
        change(&mut plan);
        verify_locals(&model, plan, None).expect("the region is small").err()
    };
    assert_eq!(fault(&|_| {}), None);
    let one = PwAff::read(&ctx, "{ [(1)] }").expect("it is a number");
    assert_eq!(fault(&|plan| plan.locals[0].shape.extents[0] = one.clone()), Some(LocalFault::Outside(0)));
    let nothing = |set: &polyfold_isl::Set| set.subtract(set).expect("it is small");
    assert_eq!(fault(&|plan| plan.locals[0].copies.into = nothing(&plan.locals[0].cells)), Some(LocalFault::In(0)));
    assert_eq!(fault(&|plan| plan.locals[0].copies.back = nothing(&plan.locals[0].cells)), Some(LocalFault::Back(0)));
    let clash = polyfold_isl::Map::read(&ctx, "{ [x, y] -> [0] }").expect("it is a map");
    assert_eq!(fault(&|plan| plan.locals[0].shape.map = clash.clone()), Some(LocalFault::Clash(0)));
    let without = fault(&|plan| {
        plan.locals.remove(1);
    });
    assert_eq!(without, Some(LocalFault::Missing(0)));
}
