//! Regions in local memory: the programs of `corpus/compact`, compiled and run.
//!
//! Each program prints a hash of all its arrays for several sizes. The program in local memory has to print the same, with sanitizers, with
//! local arrays full of bytes that are no number, and with counters in it: no more cells than expected, and just the copies that are expected.

use crate::support;
use crate::support::code::{has, mentions};
use crate::support::compacted::{compact, counted, has_local, programs};
use crate::support::compiler::{run, run_source, warnings};
use crate::support::declared::declares;
use crate::support::{bring_header, root, scratch, stem, two_threads};
use std::path::Path;
use std::process::Command;

#[test]
fn programs_in_local_memory_compute_the_same_with_the_expected_cells_and_copies() {
    let directory = scratch("local_memory");
    bring_header("harness.h", &directory).expect("the directory is writable");
    let faults = two_threads::map(programs(), |program| {
        let name = stem(&program);
        let (plain, output) = (directory.join(format!("{name}_plain.c")), directory.join(format!("{name}.c")));
        let said = compact(&program, &output, &[]);
        if !said.status.success() {
            return Some(format!("{name}: {}", String::from_utf8_lossy(&said.stderr)));
        }
        let text = std::fs::read_to_string(&output).expect("the output is text");
        assert!(has_local(&text), "{name}");
        let instrumented = directory.join(format!("{name}_counted.c"));
        std::fs::write(&instrumented, counted(&text)).expect("the directory is writable");
        std::fs::copy(&program, &plain).expect("the directory is writable");
        let include = format!("-I{}", root().join("corpus/compact").display());
        // With counters it is a text of ours: sanitizers find as much if it is not optimized, in half the time.
        let outcome = warnings(&output)
            .and_then(|()| Ok((run_source(&plain, &[&include])?, run(&instrumented, &["-O0", &include])?)));
        match outcome {
            Ok((before, after)) if before == after => None,
            Ok(_) => Some(format!("{name} prints something else")),
            Err(fault) => Some(format!("{name}: {fault}")),
        }
    });
    let faults: Vec<String> = faults.into_iter().flatten().collect();
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
    assert!(has(&text, "double s = _;") && mentions(&text, "t_local"), "{text}");
    assert_eq!(run_source(&input, &[]), run(&output, &[]));
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
            assert_eq!(run_source(&input, &flags), run(&output, &flags), "{before}");
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
        ("cell", of("void f(int n, double *p, double B[n])", "", "B[i] = 2 * *p;"), "no subscript of this", ":4:42"),
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
    assert!(said.contains("warning[P0602]: `A` stays where it is"), "{said}");
    let written = written.expect("it is written");
    assert!(has(&written, "B_local[i] = A[P_local[i]];"), "{written}");
    let pointers = function("void f(int n, double *p, double *q)", "", &over_n("p[2 * i] = q[i] + q[i + 1];"));
    let (status, said, _) = on_text("apart", &pointers, &["--assume-noalias"]);
    assert_eq!(status, Some(0), "{said}");
}

/// What a parameter's own declaration says counts, and no word beside it.
#[test]
fn pointers_are_apart_if_their_declarations_say_restrict() {
    let cases = [
        ("names", "", "int *unrestricted, int *also_unrestricted", false),
        ("comments", "", "int * /* restrict */ a, int *b /* restrict */", false),
        ("macro_name", "#define restrict_not", "int *restrict_not a, int *restrict_not b", false),
        ("macro_of_nothing", "#define restrict", "int *restrict a, int *restrict b", false),
        ("star_of_a_macro", "#define TO *", "int TO a, int TO b", false),
        ("made_by_a_macro", "#define OUT(name) int *name /* restrict */", "OUT(a), OUT(b)", false),
        ("dropped_by_a_macro", "#define TO(type, word) type *", "TO(int, restrict) a, TO(int, restrict) b", false),
        ("dropped_by_another", "#define Q(restrict) int *", "Q(restrict) a, Q(restrict) b", false),
        ("text", "", "int *a __attribute__((deprecated(\"restrict\"))), int *b", false),
        ("inner", "", "int *restrict *a, int *restrict *b", false),
        ("restrict", "", "int *restrict a, int *restrict b", true),
        ("spellings", "", "int *__restrict a, int *const __restrict__ b", true),
        ("brackets", "", "int a[restrict n], int b[static restrict 20]", true),
        ("macro", "#define APART restrict", "int *APART a, int *APART b", true),
        ("declared_by_a_macro", "#define OUT(name) int *restrict name", "OUT(a), OUT(b)", true),
    ];
    for (name, macros, parameters, is_apart) in cases {
        let words: Vec<&str> = parameters.split([' ', '*', ',', '(', ')']).collect();
        let (a, b) = if words.contains(&"unrestricted") { ("unrestricted", "also_unrestricted") } else { ("a", "b") };
        let (a, b) = if name == "inner" { ("a[0]", "b[0]") } else { (a, b) };
        let body = format!(
            "for (int r = 0; r < 3; r++) for (int i = 0; i < 16; i++) {{ {b}[i + 1] = {a}[i] + r; {a}[i] += {b}[i]; }}"
        );
        let text = format!("{macros}\n{}", function(&format!("void f(int n, {parameters})"), "", &body));
        let (status, said, written) = on_text(&format!("restrict_{name}"), &text, &[]);
        let is_copied = written.is_some_and(|written| has_local(&written));
        assert_eq!((status == Some(0), is_copied), (is_apart, is_apart), "{name}: {said}");
    }
}

/// No array of constants has a pointer's memory, as far as its own declaration says so.
#[test]
fn arrays_of_constants_are_apart_from_pointers() {
    let body = "for (int r = 0; r < 3; r++) for (int i = 0; i < 16; i++) out[i + r] += table[i + 2 * r];";
    let cases = [
        ("const", "static const int table[32] = {1};", true),
        ("text", "static int table[32] __attribute__ ( ( deprecated ( \" const \" ) ) );", false),
        ("pointer", "static const int *table;", false),
        ("comment", "static int /* const */ table[32];", false),
        ("name", "typedef int const_int; static const_int table[32];", false),
    ];
    for (name, declared, is_apart) in cases {
        let text = format!("{declared}\n{}", function("void f(int n, int *out)", "", body));
        let (status, said, _) = on_text(&format!("const_{name}"), &text, &[]);
        assert_eq!(status == Some(0), is_apart, "{name}: {said}");
    }
}

/// The pointer stays where it is, and so does what it may lead to.
#[test]
fn what_a_pointer_may_lead_to_is_not_copied() {
    let body = over_n("{ *p += A[i]; B[i] = x[i % 4]; }");
    let head = "void f(int n, const double A[n], double B[n])";
    let region = function(head, "arrays(x)", &body);
    let local = region.replacen("{\n", "{\n  double x[4] = {1, 2, 3, 4}, *p = x + 1;\n", 1);
    let (status, said, written) = on_text("reached", &local, &[]);
    assert_eq!((status, written), (Some(1), None), "{said}");
    assert!(said.contains("`x` stays where it is: a pointer of the region may lead to it"), "{said}");
    let all = local.replace(" arrays(x)", "");
    let (status, said, written) = on_text("reached_skipped", &all, &["--on-error", "skip"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning[P0602]: `x` stays where it is: a pointer of the region may lead to it"), "{said}");
    assert!(written.is_none_or(|written| !mentions(&written, "x_local")), "{said}");
    let set = over_n("{ s[i] += A[i]; B[i] = d[i]; }");
    let set = function("void f(int n, const double A[n], double B[n], double d[n], double s[n])", "", &set);
    let set = set.replacen("{\n", "{\n  s = d;\n", 1);
    let (status, said, written) = on_text("reached_parameter", &set, &["--always"]);
    assert_eq!((status, written), (Some(1), None), "{said}");
    assert!(said.contains("`s` stays where it is: it is a pointer"), "{said}");
}

#[test]
fn what_may_be_left_unwritten_is_copied_in_and_the_user_is_told() {
    let text = function("void f(int n, double X[n], double Y[2 * n])", "", &over_n("if (X[i] > 0.0) Y[2 * i] = X[i];"));
    let (status, said, written) = on_text("unwritten", &text, &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("note[P0607]: data decides which cells of `Y` are written") && said.contains(":3:1"),
        "{said}"
    );
    assert!(has(&written.expect("it is written"), "Y_local[_] = Y[_];"));
}

#[test]
fn clauses_and_options_that_mean_nothing_are_told() {
    let n = "void f(int n, double A[n], double B[2 * n])";
    let of = |clauses: &str| function(n, clauses, &over_n("B[2 * i] = A[n - 1 - i];"));
    let (status, said, _) = on_text("unknown_array", &of("arrays(A, Q)"), &[]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning[P0006]: `arrays(Q)`: the region uses no array of this name"), "{said}");
    // What is not said to be needed behind the region is not copied back.
    let (status, said, written) = on_text("unknown_live_out", &of("live_out(X)"), &[]);
    assert_eq!((status, written), (Some(1), None), "{said}");
    assert!(said.contains("error[P0006]: `live_out(X)`: the region uses no array of this name"), "{said}");
    let (status, said, written) = on_text("unknown_option", &of(""), &["--live-out", "X"]);
    assert_eq!((status, written), (Some(1), None), "{said}");
    assert!(said.contains("error[P0006]: `--live-out X`: no region uses an array of this name"), "{said}");
    let (status, said, written) = on_text("twice", &of("arrays(A) arrays(B)"), &[]);
    assert_eq!((status, written), (Some(1), None));
    assert!(said.contains("`arrays` stands here twice") && said.contains(":3:1"), "{said}");
    let (status, said, written) = on_text("assumption", &of(""), &["--assume", "m >= 3"]);
    assert_eq!((status, written), (Some(1), None));
    assert!(said.contains("`m` is not a parameter of the scop"), "{said}");
    let member = "struct P { double v[5]; };\n".to_string()
        + &function("void f(struct P *restrict p)", "", "for (int i = 0; i < 5; i++) p->v[i] += 1;");
    let (_, said, _) = on_text("member", &member, &["--on-error", "skip"]);
    assert!(said.contains("`p` stays where it is: no subscript"), "{said}");
}

/// An assumption about a size of one region alone.
#[test]
fn an_assumption_may_be_about_one_of_several_regions() {
    let region = |name: &str| {
        let head = format!("void {name}(int {name}, double A[{name}], double s[1])");
        function(&head, "", &format!("for (int i = 0; i < {name}; i++) s[0] += A[i];"))
    };
    let (status, said, _) = on_text("one_of_two", &(region("n") + &region("m")), &["--assume", "n <= 20"]);
    assert_eq!(status, Some(0), "{said}");
}

/// The larger array needs 96 by 96 cells, the smaller one 32 by 32.
#[test]
fn the_largest_arrays_stay_where_they_are_if_the_user_wants_it() {
    let head = "void f(double A[200][200], double B[200][200], double s[1])";
    let body = "for (int i = 0; i < 96; i++) for (int j = 0; j < 96; j++) s[0] += A[i][j] * B[i / 3][j / 3];";
    let text = function(head, "", body);
    let (status, said, written) = on_text("too_large", &text, &["--capacity", "64KiB"]);
    assert_eq!((status, written), (Some(1), None));
    assert!(said.contains("need 81928 bytes, and there are 65536: A 73728, B 8192, s 8"), "{said}");
    let (status, said, written) = on_text("demoted", &text, &["--capacity", "64KiB", "--on-overflow", "demote"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning[P0603]: `A` stays where it is: local arrays need 81928 bytes"), "{said}");
    let written = written.expect("it is written");
    assert!(declares(&written, "B_local", &["32", "32"]) && !mentions(&written, "A_local"), "{written}");
}

/// Rows of 33 cells become rows of 34 and then of 36, and the array ends at a multiple of 32 bytes.
#[test]
fn capacity_counts_padding_and_alignment() {
    let head = "void f(double A[200][200], double s[1])";
    let body = "for (int i = 0; i < 5; i++) for (int j = 0; j < 33; j++) s[0] += A[i][j] * A[4 - i][32 - j];";
    let text = function(head, "arrays(A)", body);
    for (arguments, bytes) in [
        (&[][..], 5 * 33 * 8),
        (&["--pad", "1"][..], 5 * 34 * 8),
        (&["--pad", "1", "--align", "32"][..], 5 * 36 * 8),
        (&["--align", "128"][..], 5 * 48 * 8),
    ] {
        let (status, said, _) = on_text("padded", &text, &[arguments, &["--capacity", &bytes.to_string()]].concat());
        assert_eq!(status, Some(0), "{arguments:?}: {said}");
        let (status, said, _) =
            on_text("padded", &text, &[arguments, &["--capacity", &(bytes - 1).to_string()]].concat());
        assert_eq!(status, Some(1), "{arguments:?}");
        assert!(said.contains(&format!("need {bytes} bytes")), "{arguments:?}: {said}");
    }
}

/// What stands in front of declarations, with sizes that are numbers and with others.
#[test]
fn declarations_say_where_local_arrays_are() {
    let line = |extent: &str| {
        let head = format!("#define SHARED\nvoid f(int n, double A[{extent}], double B[{extent}])");
        let body =
            format!("for (int j = 0; j < {extent}; j++) A[j] = B[{extent} - 1 - j] * 2 + A[j] + (n > 2 ? 1 : 0);");
        function(&head, "", &body)
    };
    let spaces = ["static", "SHARED", "static __attribute__((section(\".spm\")))", "__attribute__((aligned(64)))"];
    for (k, space) in spaces.into_iter().enumerate() {
        let (status, said, written) = on_text("space", &line("40"), &["--space", space, "--always"]);
        assert_eq!(status, Some(0), "{space}: {said}");
        assert!(written.expect("it is written").contains(&format!("{space} double A_local[40]")), "{space}");
        warnings(&scratch("local_memory_messages").join("space_out.c")).expect("no warnings");
        let (status, said, written) = on_text("space", &line("n"), &["--space", space, "--always"]);
        if k % 2 == 1 {
            assert_eq!(status, Some(0), "{space}: {said}");
            warnings(&scratch("local_memory_messages").join("space_out.c")).expect("no warnings");
        } else {
            assert_eq!((status, written), (Some(1), None), "{space}: {said}");
            assert!(said.contains("is known at run time only") && said.contains(":4:1"), "{said}");
        }
    }
}

/// Regions that are all of a branch, with one version and with two, alone and with loops around them.
#[test]
fn a_region_may_be_a_branch_without_braces() {
    let text = "void f(int n, int m, double A[n][n], double B[n][n]) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (m > 3)
#pragma polyfold local
      for (int j = 0; j < n; j++)
        A[i][j] = A[j][i] * 2;
    else
#pragma polyfold local
      for (int j = 0; j < n; j++)
        B[i][j] = B[j][i] * 3;
#pragma endscop
}
void g(int m, int n, double A[200], double B[200]) {
#pragma scop
  if (m > 3)
#pragma polyfold local
    for (int j = 0; j < n; j++)
      B[j] = A[j] * A[m + j];
  else if (m > 2)
#pragma polyfold local
    B[0] = A[1] * A[2];
  else
    B[0] = 1;
#pragma endscop
}
void h(int m, int n, double A[2000], double B[200]) {
#pragma scop
  for (int i = 0; i < n; i++)
    if (m > 3)
      for (int t = i; t < m; t++)
#pragma polyfold local
        for (int j = 0; j < 100; j++)
          B[j] += A[j + i];
    else
      B[0] = 1;
#pragma endscop
}
";
    let (status, said, written) = on_text("branches", text, &["--always"]);
    assert_eq!(status, Some(0), "{said}");
    let written = written.expect("it is written");
    assert!(has(&written, "if (_) _; else if (_) _; else _;") && has(&written, "if (m > i) _;"), "{written}");
    warnings(&scratch("local_memory_messages").join("branches_out.c")).expect("no warnings");
}

/// Rows that the source writes as one subscript are written so in copies, too.
#[test]
fn linearised_arrays_are_copied_by_one_subscript() {
    let text = "#include <stdio.h>
#include <string.h>
static void f(int n, int h, int w, double *restrict A, double *restrict B) {
#pragma scop
  for (int i = 0; i < n; i++)
#pragma polyfold local
    for (int j = 0; j < h; j++)
      for (int k = 0; k < w; k++)
        B[j * w + k] += A[j * w + k] * A[j * w] + i;
#pragma endscop
}
int main(void) {
  double A[4 * 3 * 5], B[3 * 5] = {0};
  for (int k = 0; k < 60; k++)
    A[k] = k * 7 % 11;
  f(4, 3, 5, A, B);
  for (int k = 0; k < 15; k++)
    printf(\"%g \", B[k]);
}
";
    for (name, options) in [("linearised", &["--always"][..]), ("linearised_runs", &["--always", "--memcpy"][..])] {
        let (status, said, written) = on_text(name, text, options);
        assert_eq!(status, Some(0), "{said}");
        let written = written.expect("it is written");
        assert!(has(&written, "c0 * w") && mentions(&written, "B_local"), "{written}");
        let directory = scratch("local_memory_messages");
        warnings(&directory.join(format!("{name}_out.c"))).expect("no warnings");
        let run = |file: &str| run(&directory.join(file), &[]).expect("it runs");
        assert_eq!(run(&format!("{name}.c")), run(&format!("{name}_out.c")));
    }
}

/// Values of the function's own array that only the region reads, in the same instance, stay there.
#[test]
fn what_nobody_reads_behind_a_region_is_not_copied_back() {
    let program = |behind: &str| {
        format!(
            "#include <stdio.h>
static void f(int n, double A[n][n], double s[n]) {{
  double w[2 * n];
#pragma scop
  for (int i = 0; i < n; i++) {{
#pragma polyfold local
    {{
      for (int j = 0; j < n; j++)
        w[2 * j] = A[j][i] * 2;
      for (int j = 0; j < n; j++)
        A[j][i] = w[2 * j] + w[2 * (n - 1 - j)];
    }}
    s[i] = {behind};
  }}
#pragma endscop
}}
int main(void) {{
  static double a[49], s[7];
  for (int n = 1; n <= 7; n++) {{
    for (int i = 0; i < 49; i++)
      a[i] = i * 5 % 11;
    f(n, (double (*)[n])a, s);
    for (int i = 0; i < 49; i++)
      printf(\"%g %g \", a[i], s[i % n]);
  }}
  return 0;
}}
"
        )
    };
    let directory = scratch("local_memory_behind");
    for (k, (behind, is_needed)) in
        [("A[0][i]", false), ("w[0]", true), ("i > 0 ? w[2 * i] : 0", true)].iter().enumerate()
    {
        let (input, output) = (directory.join(format!("{k}.c")), directory.join(format!("{k}.out.c")));
        std::fs::write(&input, program(behind)).expect("the directory is writable");
        let said = compact(&input, &output, &[]);
        assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
        let text = std::fs::read_to_string(&output).expect("the output is text");
        assert!(has(&text, "A[_][_] = A_local[_];"), "{text}");
        assert_eq!(has(&text, "w[_] = w_local[_];"), *is_needed, "{behind}: {text}");
        assert_eq!(run_source(&input, &[]), run(&output, &[]), "{behind}");
        warnings(&output).expect("no warnings");
    }
}

/// A scop that runs again reads what it left.
#[test]
fn what_the_scop_reads_when_it_runs_again_is_copied_back() {
    let directory = scratch("local_memory_again");
    let (input, output) = (directory.join("again.c"), directory.join("again.out.c"));
    let source = "#include <stdio.h>
int main(void) {
  double w[20] = {0}, s[10] = {0};
  for (int again = 0; again < 3; again++) {
#pragma scop
#pragma polyfold local
    for (int j = 0; j < 10; j++) {
      s[j] += w[2 * j];
      w[2 * j] += j + 1;
    }
#pragma endscop
  }
  for (int j = 0; j < 10; j++)
    printf(\"%g \", s[j]);
  return 0;
}
";
    std::fs::write(&input, source).expect("the directory is writable");
    assert!(compact(&input, &output, &[]).status.success());
    let text = std::fs::read_to_string(&output).expect("the output is text");
    assert!(has(&text, "w[_] = w_local[_];"), "{text}");
    assert_eq!(run_source(&input, &[]), run(&output, &[]));
}

/// What nothing is known of may have any value, and what has no bound is no error of the tool's.
#[test]
fn a_counter_that_is_tested_while_it_changes_is_any_number() {
    let directory = scratch("local_memory_any_number");
    let (input, output) = (directory.join("down.c"), directory.join("down.out.c"));
    let source = "#include <stdio.h>
static void f(int n, double A[n][n]) {
#pragma scop
  for (int i = n; i-- > 0;) {
#pragma polyfold local
    for (int j = 0; j < n; j++)
      A[i][j] = A[i][n - 1 - j] * 2 + A[n - 1 - i][j];
  }
#pragma endscop
}
int main(void) {
  static double a[49];
  for (int n = 1; n <= 7; n++) {
    for (int i = 0; i < 49; i++)
      a[i] = i * 5 % 11;
    f(n, (double (*)[n])a);
    for (int i = 0; i < 49; i++)
      printf(\"%g \", a[i]);
  }
  return 0;
}
";
    std::fs::write(&input, source).expect("the directory is writable");
    let said = compact(&input, &output, &[]);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    assert_eq!(run_source(&input, &[]), run(&output, &[]));
}

/// A condition in front of a region that is all of an `if`.
#[test]
fn a_region_behind_an_if_without_braces_draws_no_warning() {
    let head = "void f(int n, int T, double A[n + 1][n + 1])";
    let body = "for (int i = 0; i < n; i++)\n    if (i > 2)\n#pragma polyfold local\n      for (int j = 0; j < T; j++) if (j <= n) A[i][j] = A[i][j] * 0.5 + j;";
    let text = format!("{head} {{\n#pragma scop\n  {body}\n#pragma endscop\n}}\n");
    let directory = scratch("local_memory_behind_if");
    let (input, output) = (directory.join("behind.c"), directory.join("behind.out.c"));
    std::fs::write(&input, text).expect("the directory is writable");
    assert!(compact(&input, &output, &["--always"]).status.success());
    assert!(has(&std::fs::read_to_string(&output).expect("it is written"), "if (T >= 1) _;"));
    warnings(&output).expect("no warnings");
}

/// Single variables that are set under a condition only.
#[test]
fn variables_in_local_memory_draw_no_warning() {
    let directory = scratch("local_memory_variables");
    let (input, output) = (directory.join("variables.c"), directory.join("variables.out.c"));
    let source = "void f(int n, int m, int T, double B[n + 1]) {
#pragma scop
  for (int i = 0; i < n; i++)
#pragma polyfold local
    if (i > m) B[i] = B[n - i] + B[0]; else { B[i] *= 2; B[n - i] += T; }
#pragma endscop
}
";
    std::fs::write(&input, source).expect("the directory is writable");
    assert!(compact(&input, &output, &[]).status.success());
    warnings(&output).expect("no warnings");
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
    assert!(mentions(&written.expect("it is written"), "A_local"));
    let capacity = function(n, "capacity(4096)", &over_n("A[0] += A[i];"));
    let (status, said, _) = on_text("bounded", &capacity, &["--assume", "n <= 512"]);
    assert_eq!(status, Some(0), "{said}");
}

/// A report, as it was written.
fn read_report(file: &Path) -> serde_json::Value {
    serde_json::from_str(&std::fs::read_to_string(file).expect("it is written")).expect("it is JSON")
}

/// A temporary that only the region reads: its dataflow is beyond the bound, and it isn't needed.
const BEYOND_THE_BOUND: &str = "\
void f(int n, int m, const float in[n], float out[n]) {
  float T0[m], T1[m];
#pragma scop
  for (int i = 0; i < m; i++)
    T1[i] = i < n ? in[i] : 1.0f;
  for (int t = 0; t < m; t++) {
    for (int i = 1; i < m - 1; i++)
      T0[i] = 0.5f * T1[i] + 0.25f * T1[i % 2];
    for (int i = 1; i < m - 1; i += 3)
      T1[i] = T0[i];
    for (int i = 2; i < m - 1; i += 3)
      T1[i] = T0[i];
    for (int i = 3; i < m - 1; i += 3)
      T1[i] = T0[i];
  }
  for (int i = n - 1; i >= 0; i--)
    out[i] = i < m ? T1[i] : 1.0f;
#pragma endscop
}
";

/// Compilers warn of an array that is only written.
#[test]
fn what_nothing_else_reads_is_not_copied_back_however_little_work_is_allowed() {
    let directory = scratch("local_memory_bound");
    let (json, input) = (directory.join("bound.json"), directory.join("bound.c"));
    std::fs::write(&input, BEYOND_THE_BOUND).expect("the directory is writable");
    let arguments = ["--tile", "8", "--max-ops", "200000", "--json", &json.display().to_string()];
    let said = compact(&input, &directory.join("out.c"), &arguments);
    assert!(said.status.success(), "{}", String::from_utf8_lossy(&said.stderr));
    let report = read_report(&json);
    let of = |name: &str| -> Vec<i64> {
        let regions = report["regions"].as_array().expect("regions").iter();
        let versions = regions.flat_map(|region| region["versions"].as_array().expect("versions"));
        let arrays = versions.flat_map(|version| version["arrays"].as_array().expect("arrays"));
        let own = arrays.filter(|array| array["of"] == name);
        own.map(|array| array["copied_back"]["cells"].as_i64().expect("a number")).collect()
    };
    assert_eq!(of("T0"), [0]);
    assert!(of("T1").iter().any(|cells| *cells > 0));
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

/// Cells of the whole arrays, and of the box around what the region touches of the first one.
#[test]
fn the_report_has_what_whole_arrays_and_boxes_take() {
    let directory = scratch("local_memory_report");
    let rows: [(&str, &[&str], i64, i64); 14] = [
        ("strided_line", &["n=10"], 910, 28 * 19),
        ("residues", &["n=10"], 40, 30),
        ("ranges", &["n=10", "m=4"], 10_000, 67 * 70),
        ("window_and_head", &["n=7", "m=20"], 48, 12),
        ("checkerboard", &["n=10"], 361, 361),
        ("steps_times_strides", &["n=10"], 2_540, 37 * 55),
        ("two_lattices", &["n=10"], 70, 57),
        ("red_black", &["n=10"], 144, 144),
        ("skewed", &["n=10"], 190, 190),
        ("skewed_twice", &["n=10"], 632, 532),
        ("skewed_cube", &["n=5"], 710, 585),
        ("diagonal_tiles", &["n=16", "T=4"], 256, 16),
        ("blocks_read", &["K=5", "T=6"], 62, 8),
        ("matmul_tiles", &["n=7", "T=2"], 147, 4),
    ];
    for (name, sizes, whole, boxed) in rows {
        let json = directory.join(format!("{name}.json"));
        let json_text = json.display().to_string();
        let sizes = sizes.iter().flat_map(|size| ["--param", size]);
        let arguments: Vec<&str> = ["--json", &json_text].into_iter().chain(sizes).collect();
        let program = root().join("corpus/compact").join(format!("{name}.c"));
        assert!(compact(&program, &directory.join(format!("{name}.c")), &arguments).status.success(), "{name}");
        let report = read_report(&json);
        let arrays = report["regions"][0]["versions"][0]["arrays"].as_array().expect("there are local arrays").clone();
        let mut seen: Vec<&serde_json::Value> = Vec::new();
        let firsts = arrays.iter().filter(|array| {
            let is_new = !seen.contains(&&array["of"]);
            seen.push(&array["of"]);
            is_new
        });
        let cells: i64 = firsts.filter_map(|array| array["whole"].as_i64()).sum();
        assert_eq!((cells, arrays[0]["box_cells"].as_i64()), (whole, Some(boxed)), "{name}");
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
    let mut cc = Command::new("cc");
    cc.args(["-E", "-dD", "-x", "c", "-"]);
    let preprocessed = support::pipe(&mut cc, &polyfold_frontend::instrument(&text));
    let options = polyfold_frontend::Options { local: true, ..Default::default() };
    let scop = polyfold_frontend::parse_region(&text, &preprocessed, &options, (&regions[0], &regions)).scops.remove(0);
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
    for clashing in ["{ [x, y] -> [0] }", "[n] -> { [x, y] -> [(x + y) mod 3] : n >= 0 }"] {
        let clash = polyfold_isl::Map::read(&ctx, clashing).expect("it is a map");
        assert_eq!(fault(&|plan| plan.locals[0].shape.map = clash.clone()), Some(LocalFault::Clash(0)));
    }
    let without = fault(&|plan| {
        plan.locals.remove(1);
    });
    assert_eq!(without, Some(LocalFault::Missing(0)));
}
