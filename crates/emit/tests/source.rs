//! What is printed in its source's own text.

use polyfold_emit::{Additions, Source, Unprintable, in_text_of};
use polyfold_frontend::{Options, instrument, parse};
use polyfold_program::{BufferId, Int, Layout, Program};
use polyfold_scop::Scop;
use polyfold_transform::{Coordinate, Remainder, Storage, apply_storage, privatize, without_self_copies};
use std::io::Write;
use std::process::{Command, Stdio};

/// The only scop of a function with an array `t` of its own.
fn scop(body: &str) -> Scop {
    let source = format!(
        "#define AT(a, k) a[(k)]\n#define SUM(a, k) (a[k] + a[k - 1])\nvoid f(int n, const double *x, double *y) {{\n  \
         double t[n + 1];\n#pragma scop\n{body}#pragma endscop\n}}\n"
    );
    parsed(&source)
}

/// The only scop of a file.
fn parsed(source: &str) -> Scop {
    let mut parsed = parse(source, &preprocessed(&instrument(source)), &Options::default());
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    parsed.scops.remove(0)
}

fn preprocessed(text: &str) -> String {
    let mut command = Command::new("cc");
    let cc = command.args(["-E", "-dD", "-x", "c", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = cc.spawn().expect("the compiler starts");
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).expect("it reads all");
    let output = child.wait_with_output().expect("the compiler ends");
    String::from_utf8(output.stdout).expect("C text")
}

/// The storage of `t`: so many cells, or one.
fn in_cells(program: &Program, cells: Option<i64>) -> Program {
    let coordinates = cells.map(|cells| Coordinate {
        coefficients: vec![Int::Constant(1)],
        shift: Int::Constant(0),
        modulus: Int::Constant(cells),
        least: cells,
        remainder: Remainder::Lifted(0),
    });
    let array = program.buffer("t").expect("a buffer");
    let storage = Storage {
        array,
        buffer: "ring".to_string(),
        layout: Layout::Rows,
        coordinates: coordinates.into_iter().collect(),
    };
    apply_storage(program, &[storage]).expect("a temporary")
}

fn text(scop: &Scop, change: impl Fn(&Program) -> Program) -> Result<String, Unprintable> {
    let (Some(program), Some(written)) = (&scop.program, &scop.written) else { panic!("it is a program") };
    let additions = Additions { named: &[], declaration: &|_: BufferId| Some("double ring".to_string()) };
    in_text_of(&Source { program, written }, &change(program), &additions)
}

/// The text with `t` in two cells.
fn in_two(body: &str) -> String {
    text(&scop(body), |program| in_cells(program, Some(2))).expect("it is printed").trim_start().to_string()
}

#[test]
fn comments_and_layout_stay_around_what_changes() {
    let body = "  for (int i = 1; i < n; i++) { // rows\n    t[ i ] = 2 * x[i];   /* twice */\n\n    if (i > 1)\n      \
                y[i] = t[i] // now\n             - t[i-1]; // and before\n  }\n";
    let new = "for (int i = 1; i < n; i++) { // rows\n    ring[i % 2] = 2 * x[i];   /* twice */\n\n    if (i > 1)\n      \
               y[i] = ring[i % 2] // now\n             - ring[(i-1) % 2]; // and before\n  }\n";
    assert_eq!(in_two(body), new);
}

#[test]
fn macros_stay_where_nothing_in_them_changes() {
    let body = "  for (int i = 1; i < n; i++) {\n    AT(t, i) = SUM(x, i) + AT(x, i);\n    y[i] = SUM(t, i);\n  }\n";
    let new = "for (int i = 1; i < n; i++) {\n    ring[i % 2] = SUM(x, i) + AT(x, i);\n    \
               y[i] = (ring[i % 2] + ring[(i - 1) % 2]);\n  }\n";
    assert_eq!(in_two(body), new);
}

#[test]
fn compound_assignments_stay_while_they_name_one_cell() {
    let body = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i];\n    t[i] *= 2 + x[i];\n    t[i]++;\n    y[i] += t[i];\n  }\n";
    assert_eq!(in_two(body), body.trim_start().replace("t[i]", "ring[i % 2]"));
}

#[test]
fn variables_are_declared_where_blocks_are() {
    let own = |body: &str| {
        text(&scop(body), |program| {
            let after = in_cells(program, None);
            let ring = after.buffers.iter().rposition(|buffer| buffer.name == "ring").expect("a buffer");
            privatize(&after, BufferId(ring)).expect("each iteration has its own")
        })
    };
    let block = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i]; // first\n    y[i] = t[i] * t[i];\n  }\n";
    let new = "\n  for (int i = 0; i < n; i++) {\n    double ring = x[i]; // first\n    y[i] = ring * ring;\n  }\n";
    assert_eq!(own(block).map(|text| text.trim_start().to_string()), Ok(new.trim_start().to_string()));
    let bare = "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n";
    assert_eq!(own(bare), Err(Unprintable::Declaration));
}

#[test]
fn what_copies_a_cell_to_itself_goes_with_its_else() {
    let once = |body: &str| text(&scop(body), |program| without_self_copies(&in_cells(program, None)));
    let body = "  for (int i = 1; i < n; i++) {\n    if (x[i] > 0)\n      t[i] = x[i];\n    else\n      t[i] = t[i - 1];\n    \
                t[i] = t[i - 1];\n    y[i] = t[i];\n  }\n";
    let new = "for (int i = 1; i < n; i++) {\n    if (x[i] > 0)\n      ring = x[i];\n    y[i] = ring;\n  }\n";
    assert_eq!(once(body).map(|text| text.trim_start().to_string()), Ok(new.to_string()));
    let first = "  for (int i = 1; i < n; i++) {\n    if (x[i] > 0)\n      t[i] = t[i - 1];\n    else\n      t[i] = x[i];\n    \
                 y[i] = t[i];\n  }\n";
    let new = "for (int i = 1; i < n; i++) {\n    if (x[i] > 0)\n      { }\n    else\n      ring = x[i];\n    y[i] = ring;\n  }\n";
    assert_eq!(once(first).map(|text| text.trim_start().to_string()), Ok(new.to_string()));
    // The label may be jumped to.
    let labelled = body.replace("    t[i] = t[i - 1];\n    y[i]", "    again: t[i] = t[i - 1];\n    y[i]");
    assert_eq!(once(&labelled), Err(Unprintable::Order));
}

/// A 0 that the source writes as a subscript isn't the one of `-i`.
#[test]
fn what_is_negated_stands_behind_its_sign() {
    let source = "void f(int n, double x[n], double out[n]) {
  double t[3][n];
#pragma scop
  for (int i = 0; i < n; i++) { t[ 0 ][i] = x[i]; out[i] = t[ 0 ][i]; }
#pragma endscop
}
";
    let scop = parsed(source);
    let coordinate = Coordinate {
        coefficients: vec![Int::Constant(1), Int::Constant(-1)],
        shift: Int::Constant(0),
        modulus: Int::Constant(9),
        least: 9,
        remainder: Remainder::Floor,
    };
    let mapped = |program: &Program| {
        let array = program.buffer("t").expect("a buffer");
        let storage =
            Storage { array, buffer: "ring".to_string(), layout: Layout::Rows, coordinates: vec![coordinate.clone()] };
        apply_storage(program, &[storage]).expect("a temporary")
    };
    let text = text(&scop, mapped).expect("it is printed");
    assert!(text.contains("ring[(-i % 9 + 9) % 9] = x[i];"), "{text}");
}
