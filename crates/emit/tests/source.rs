//! What is printed in its source's own text.

use polyfold_emit::{Additions, Source, Unprintable, in_text_of};
use polyfold_frontend::{Options, instrument, parse};
use polyfold_program::{BufferId, Cond, Int, Layout, Place, Program, Relation, StatementId, Stmt, Use};
use polyfold_scop::Scop;
use polyfold_transform::{
    Coordinate, HeldCell, Remainder, Storage, StorageHome, VersionAccess, VersionCase, VersionHome, Versions,
    apply_storage, cut, place_versions, point, privatize, reduce, scalarize, split, without_self_copies,
};
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
        home: StorageHome::New { name: "ring".to_string(), layout: Layout::Rows },
        coordinates: coordinates.into_iter().collect(),
    };
    apply_storage(program, &[storage]).expect("a temporary")
}

fn text(scop: &Scop, change: impl Fn(&Program) -> Program) -> Result<String, Unprintable> {
    let (Some(program), Some(written)) = (&scop.program, &scop.written) else { panic!("it is a program") };
    let additions = Additions {
        promise: "VECTOR",
        select: &|_| "SELECT".to_string(),
        declaration: &|_: BufferId| Some("double ring".to_string()),
        ..Additions::none()
    };
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
fn what_is_not_understood_stays_around_its_cells() {
    let body =
        "  for (int i = 1; i < n; i++) {\n    y[i] = t[ i ] = 2 * x[i]; // both\n    y[i] = t[ i ] = t[i-1];\n  }\n";
    let new = "for (int i = 1; i < n; i++) {\n    y[i] = ring[i % 2] = 2 * x[i]; // both\n    y[i] = ring[i % 2] = ring[(i-1) % 2];\n  }\n";
    assert_eq!(in_two(body), new);
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
    assert!(once(&labelled).is_ok_and(|text| text.contains("    again: { }\n    y[i]")));
    let inner = "  for (int i = 1; i < n; i++)\n    if (x[i] > 0)\n      if (x[i] > 1) t[i] = x[i];\n      else t[i] = t[i - 1];\n    \
                 else y[i] = t[i - 1];\n";
    let new = "for (int i = 1; i < n; i++)\n    if (x[i] > 0) {\n      if (x[i] > 1) ring = x[i];\n    }\n    else y[i] = ring;\n";
    assert_eq!(once(inner).map(|text| text.trim_start().to_string()), Ok(new.to_string()));
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
        let storage = Storage {
            array,
            home: StorageHome::New { name: "ring".to_string(), layout: Layout::Rows },
            coordinates: vec![coordinate.clone()],
        };
        apply_storage(program, &[storage]).expect("a temporary")
    };
    let text = text(&scop, mapped).expect("it is printed");
    assert!(text.contains("ring[(-i % 9 + 9) % 9] = x[i];"), "{text}");
}

/// The text with `t` in a circular buffer of n cells, and loops cut at conditions and split where it wraps around.
fn in_segments(body: &str) -> Result<String, Unprintable> {
    let scop = scop(body);
    let ring = |program: &Program| {
        let modulus = Int::Parameter(program.parameter("n").expect("a size"));
        let shift = modulus.clone();
        let (coefficients, least, remainder) = (vec![Int::Constant(1)], 1, Remainder::Lifted(0));
        let coordinates = vec![Coordinate { coefficients, shift, modulus, least, remainder }];
        let array = program.buffer("t").expect("a buffer");
        let storage =
            Storage { array, home: StorageHome::New { name: "ring".to_string(), layout: Layout::Rows }, coordinates };
        let program = apply_storage(program, &[storage]).expect("a temporary");
        split(&cut_all(&program), &str::to_string)
    };
    text(&scop, ring).map(|text| text.trim_start().to_string())
}

#[test]
fn a_loop_that_is_split_keeps_comments_and_macros_in_each_body() {
    let body = "  for (int i = 0; i < n /* rows */; i++) { // fill\n    AT(t, i) = SUM(x, i + 1); // twice\n\n    \
                y[i] = t[i]; /* once */\n  }\n";
    let new = "for (int i = 0; i < n /* rows */; ) {\n    const long ring_at = (i + n) % n - i;\n    \
               const int end = n - ring_at < n ? n - ring_at : n;\n    for (; i < end; i++) { // fill\n      \
               ring[ring_at + i] = SUM(x, i + 1); // twice\n\n      y[i] = ring[ring_at + i]; /* once */\n    }\n  }\n";
    assert_eq!(in_segments(body).as_deref(), Ok(new));
}

#[test]
fn a_part_of_a_loop_has_segments() {
    let body = "  for (int i = 0; i < n; i++)\n    if (i == 0)\n      t[i] = x[i];\n    else\n      t[i] = t[i - 1];\n";
    let new = "{\n    int i = 0;\n    for (; i < n && i < 1; i++)\n      ring[(i + n) % n] = x[i];\n    for (; i < n; ) {\n      \
               const long ring_at = (i + n - 1) % n - i;\n      \
               const int end = n - ring_at - 1 < n ? n - ring_at - 1 : n;\n      for (; i < end; i++)\n        \
               ring[ring_at + i + 1] = ring[ring_at + i];\n      for (; i < n && ring_at + i < n; i++)\n        \
               ring[(i + n) % n] = ring[(i + n - 1) % n];\n    }\n  }\n";
    assert_eq!(in_segments(body).as_deref(), Ok(new));
}

#[test]
fn a_label_stays_once_and_an_active_directive_goes_in_front() {
    let body = "  for (int i = 1; i < n; i++)\n#if 1\n  here: y[i] = t[i] = t[i - 1];\n#endif\n";
    let one = "  for (int i = 1; i < n; i++)\n  here: t[i] = t[i - 1];\n";
    let new = "for (int i = 1; i < n; ) {\n    const long ring_at = (i + n - 1) % n - i;\n    \
               const int end = n - ring_at - 1 < n ? n - ring_at - 1 : n;\n    for (; i < end; i++)\n    here: \
               ring[ring_at + i + 1] = ring[ring_at + i];\n    for (; i < n && ring_at + i < n; i++)\n      \
               ring[(i + n) % n] = ring[(i + n - 1) % n];\n  }\n";
    assert_eq!(in_segments(one).as_deref(), Ok(new));
    let directive = body.replace("y[i] = t[i] = t[i - 1]", "t[i] = t[i - 1]");
    let printed = in_segments(&directive).expect("it is printed");
    assert!(printed.starts_with("#if 1\n  for (int i = 1; i < n; ) {"), "{printed}");
    assert_eq!(in_segments(&directive.replace("#if 1", "#ifndef OTHER")), Err(Unprintable::Order));
}

/// The text with t[0] in a variable and the other cells of `t` in a ring of two.
fn in_two_places(body: &str) -> String {
    let scop = scop(body);
    let placed = |program: &Program| {
        let mut accesses = Vec::new();
        let mut note = |stmt: &Stmt| {
            let Stmt::Assign(own) = stmt else { return };
            let mut each = |how: Use, place: &Place| {
                let Place::Cell { buffer, index } = place else { return };
                if program.buffers[buffer.0].name != "t" {
                    return;
                }
                let wall = VersionHome { buffer: "wall".to_string(), coordinates: Vec::new() };
                let coordinate = Coordinate {
                    coefficients: vec![Int::Constant(1)],
                    shift: Int::Constant(0),
                    modulus: Int::Constant(2),
                    least: 2,
                    remainder: Remainder::Lifted(0),
                };
                let ring = VersionHome { buffer: "ring".to_string(), coordinates: vec![coordinate] };
                let cond = || Cond::compare(index[0].clone(), Relation::Equal, Int::Constant(0));
                let case = |home| VersionCase { cond: cond(), version: Vec::new(), home };
                let cases = match index[0] {
                    Int::Constant(0) => vec![case(Some(wall))],
                    _ if how == Use::Write => vec![case(Some(wall)), case(Some(ring)), case(None)],
                    _ => vec![case(Some(wall)), case(Some(ring))],
                };
                accesses.push(VersionAccess { statement: own.statement, how, index: index.clone(), cases });
            };
            stmt.each_place(&mut each);
        };
        program.body.iter().for_each(|stmt| stmt.each(&mut note));
        place_versions(program, &[Versions { array: program.buffer("t").expect("a buffer"), accesses }])
            .expect("places")
    };
    text(&scop, placed).expect("it is printed").trim_start().to_string()
}

#[test]
fn a_write_to_several_places_stands_once_for_each() {
    let body = "  for (int i = 0; i < n; i++) {\n    t[i] = 2 * x[i]; // twice\n    y[i] = t[i] + t[0];\n  }\n";
    let new = "for (int i = 0; i < n; i++) {\n    if (i == 0)\n      wall = 2 * x[i];\n    else if (i == 0)\n      \
               ring[i % 2] = 2 * x[i]; // twice\n    y[i] = (i == 0 ? wall : ring[i % 2]) + wall;\n  }\n";
    assert_eq!(in_two_places(body), new);
    let bare = "  for (int i = 0; i < n; i++)\n    t[i] = 2 * x[i];\n";
    let new = "for (int i = 0; i < n; i++) {\n    if (i == 0)\n      wall = 2 * x[i];\n    else if (i == 0)\n      \
               ring[i % 2] = 2 * x[i];\n  }\n";
    assert_eq!(in_two_places(bare), new);
    let crowded = "  for (int i = 0; i < n; i++) {\n    t[i] = x[i]; y[i] = 0;\n  }\n";
    assert!(in_two_places(crowded).contains("ring[i % 2] = x[i];\n     y[i] = 0;\n"), "{}", in_two_places(crowded));
}

/// The text with `t` in a circular buffer of n cells, whose remainders loops carry along.
fn carried(body: &str) -> String {
    let scop = scop(body);
    let ring = |program: &Program| {
        let modulus = Int::Parameter(program.parameter("n").expect("a size"));
        let (coefficients, least, remainder) = (vec![Int::Constant(1)], 1, Remainder::Lifted(0));
        let coordinates = vec![Coordinate { coefficients, shift: Int::Constant(0), modulus, least, remainder }];
        let home = StorageHome::New { name: "ring".to_string(), layout: Layout::Rows };
        let array = program.buffer("t").expect("a buffer");
        let program = apply_storage(program, &[Storage { array, home, coordinates }]).expect("a temporary");
        reduce(&program, &str::to_string)
    };
    text(&scop, ring).expect("it is printed").trim_start().to_string()
}

#[test]
fn what_a_loop_carries_along_begins_in_front_of_its_pragma_and_changes_behind_its_line() {
    let body = "  y[0] = 0; // none\n#pragma GCC unroll 4\n  for (int i = 0; i < n + 1; i++) { /* all */\n    t[i] = x[i]; // once\n  }\n";
    let new = "y[0] = 0; // none\n  long ring_at = 0;\n#pragma GCC unroll 4\n  for (int i = 0; i < n + 1; i++) { /* all */\n    \
               ring[ring_at] = x[i]; // once\n    ring_at = ring_at < n - 1 ? ring_at + 1 : 0;\n  }\n";
    assert_eq!(carried(body), new);
}

#[test]
fn a_body_without_braces_gets_some_for_what_its_loop_carries_along() {
    let body = "  for (int i = 0; i < n + 1; i++)\n    t[i] = x[i];\n";
    let new = "long ring_at = 0;\n  for (int i = 0; i < n + 1; i++) {\n    ring[ring_at] = x[i];\n    \
               ring_at = ring_at < n - 1 ? ring_at + 1 : 0;\n  }\n";
    assert_eq!(carried(body), new);
}

fn cut_all(program: &Program) -> Program {
    cut(program, &(0..program.buffers.len()).map(BufferId).collect::<Vec<_>>())
}

/// The text with loops cut at conditions on their counters.
fn in_parts(body: &str) -> Result<String, Unprintable> {
    text(&scop(body), cut_all).map(|text| text.trim_start().to_string())
}

#[test]
fn a_loop_that_is_cut_keeps_comments_and_has_one_branch_in_each_part() {
    let body = "  for (int i = 0; i < n; i++) // rows\n    if (i >= 1 && i < n - 1) { /* inside */\n      \
                AT(t, i) = SUM(x, i); // sum\n    } else\n      t[i] = x[i]; /* border */\n";
    let border = "      t[i] = x[i];\n";
    let new = format!(
        "{{\n    int i = 0;\n    for (; i < n && i < 1; i++) // rows\n{border}    for (; i < n - 1; i++) {{ /* inside */\n      \
         AT(t, i) = SUM(x, i); // sum\n    }}\n    for (; i < n; i++)\n{border}  }} /* border */\n"
    );
    assert_eq!(in_parts(body), Ok(new));
}

#[test]
fn a_part_has_the_branch_of_a_branch() {
    let body = "  for (int i = 0; i < n; i++) {\n    if (i == 0)\n      t[i] = 0;\n    else if (n - 1 == i)\n      \
                t[i] = 1;\n    else\n      t[i] = x[i];\n  }\n";
    let parts = |k: usize| ["0", "x[i]", "1"][k];
    let test = |k: usize| ["i < n && i < 1", "i < n - 1", "i < n"][k];
    let new = |k: usize| format!("    for (; {}; i++) {{\n      t[i] = {};\n    }}\n", test(k), parts(k));
    let all = format!("{{\n    int i = 0;\n{}{}{}  }}\n", new(0), new(1), new(2));
    assert_eq!(in_parts(body), Ok(all));
}

#[test]
fn a_branch_loses_its_braces_where_a_block_is_and_nothing_is_declared_in_them() {
    let of = |line: &str| {
        let body = format!(
            "  for (int i = 0; i < n; i++) {{\n    t[i] = x[i];\n    if (i > 0)\n    {{\n        y[i] = t[i];\n        \
             {line}y[i - 1] = t[i] +\n          x[0];\n    }}\n  }}\n"
        );
        let text = in_parts(&body).expect("it is printed");
        text[text.find("i < n; ").expect("the last part")..].to_string()
    };
    let without =
        "i < n; i++) {\n      t[i] = x[i];\n      y[i] = t[i];\n      y[i - 1] = t[i] +\n        x[0];\n    }\n  }\n";
    assert_eq!(of(""), without);
    assert!(of("/* and */ ").contains("/* and */"));
    assert!(of("double z = x[i]; ").contains("double z"));
    let commented = "  for (int i = 0; i < n; i++) {\n    if (i > 0) { t[i] = 0; // none\n    } y[i] = x[i];\n  }\n";
    let text = in_parts(commented).expect("it is printed");
    assert!(text.lines().all(|line| !line.contains("// none") || line.ends_with("// none")), "{text}");
}

#[test]
fn a_loop_is_not_cut_behind_a_pragma_or_with_directives_in_its_condition() {
    let body = "  for (int i = 0; i < n; i++)\n    if (i > 0)\n      t[i] = x[i];\n    else\n      t[i] = 0;\n";
    assert!(in_parts(body).is_ok());
    let first = "  y[0] = 0;\n";
    assert!(in_parts(&format!("{first}{body}")).is_ok());
    assert_eq!(in_parts(&format!("{first}#pragma GCC unroll 4\n{body}")), Err(Unprintable::Order));
    let inside = body.replace('\n', "\n  ");
    let nested = |line: &str| format!("  for (int k = 0; k < n; k++)\n{line}  {}\n", inside.trim_end());
    assert!(in_parts(&nested("")).is_ok());
    assert_eq!(in_parts(&nested("#pragma GCC unroll 4\n")), Err(Unprintable::Order));
    assert_eq!(
        in_parts(&body.replace("    else", "#if 1\n    else").replace("= 0;\n", "= 0;\n#endif\n")),
        Err(Unprintable::Order)
    );
}

#[test]
fn a_cell_in_a_variable_is_stored_behind_the_last_statement() {
    let body = "  for (int i = 0; i < n; i++) {\n    t[i] = 0; // none\n    for (int k = 0; k < n; k++)\n      \
                t[i] += x[k];\n    y[i] = t[i]; // all\n  }\n";
    let statements = vec![StatementId(0), StatementId(1)];
    let held = HeldCell { writer: statements[0], statements, accesses: 3, stem: "t_cell".to_string() };
    let held = |program: &Program| scalarize(program, &held, &str::to_string).expect("it is held").0;
    let new = "for (int i = 0; i < n; i++) {\n    double ring = 0; // none\n    for (int k = 0; k < n; k++)\n      \
               t_cell += x[k];\n    t[i] = t_cell;\n    y[i] = t[i]; // all\n  }\n";
    assert_eq!(text(&scop(body), held).map(|text| text.trim_start().to_string()).as_deref(), Ok(new));
}

/// The storage of `t`, whose extents are n: its planes 5 further on, modulo n.
fn in_ring(program: &Program, dimensions: usize) -> Program {
    let row = |k: usize| Coordinate {
        coefficients: (0..dimensions).map(|j| Int::Constant((j == k).into())).collect(),
        shift: Int::Constant(if k == 0 { 5 } else { 0 }),
        modulus: Int::Parameter(polyfold_program::ParameterId(0)),
        least: 1,
        remainder: if k == 0 { Remainder::Lifted(0) } else { Remainder::Fits },
    };
    let array = program.buffer("t").expect("a buffer");
    let home = StorageHome::New { name: "ring".to_string(), layout: Layout::Rows };
    let coordinates = (0..dimensions).map(row).collect();
    apply_storage(program, &[Storage { array, home, coordinates }]).expect("a temporary")
}

fn pointed(program: &Program) -> Program {
    point(&reduce(program, &str::to_string), &str::to_string)
}

#[test]
fn pointers_are_declared_and_moved_where_rows_are() {
    let scop = parsed(
        "void f(int n, const double A[n][n][n], double B[n][n][n], double *y) {\n  double t[n][n][n];\n#pragma scop\n  \
         for (int i = 1; i < n; i++)\n    for (int j = 0; j < n; j++)\n      for (int k = 0; k < n; k++) {\n        \
         t[i][j][k] = A[i][j][k];\n        B[i][j][k] = t[i][j][k] + t[i - 1][j][k];\n      }\n  \
         for (int i = 1; i < n; i++)\n    if (i > 1)\n      for (int k = 0; k < n; k++)\n        y[k] = t[i - 1][i][k];\n#pragma endscop\n}\n",
    );
    let n = Int::Parameter(polyfold_program::ParameterId(0));
    let row = |k: usize, shift, remainder| Coordinate {
        coefficients: (0..3).map(|j| Int::Constant((j == k).into())).collect(),
        shift: Int::Constant(shift),
        modulus: n.clone(),
        least: 1,
        remainder,
    };
    let pointed = |program: &Program| {
        let array = program.buffer("t").expect("a buffer");
        let coordinates = vec![row(0, 5, Remainder::Lifted(0)), row(1, 0, Remainder::Fits), row(2, 0, Remainder::Fits)];
        let home = StorageHome::New { name: "ring".to_string(), layout: Layout::Rows };
        let after = apply_storage(program, &[Storage { array, home, coordinates }]).expect("a temporary");
        point(&reduce(&after, &str::to_string), &str::to_string)
    };
    let new = "long ring_at = 5 % n;
  for (int i = 1; i < n; i++) {
    const long ring_at1 = ring_at < n - 1 ? ring_at + 1 : 0;
    double *ring_row = ring[ring_at1][0];
    const double *ring_row1 = ring[ring_at][0];
    for (int j = 0; j < n; j++) {
      for (int k = 0; k < n; k++) {
        ring_row[k] = A[i][j][k];
        B[i][j][k] = ring_row[k] + ring_row1[k];
      }
      ring_row += n;
      ring_row1 += n;
    }
    ring_at = ring_at1;
  }
  long ring_at2 = 5 % n;
  for (int i = 1; i < n; i++) {
    if (i > 1) {
      const double *ring_row2 = ring[ring_at2][i];
      for (int k = 0; k < n; k++)
        y[k] = ring_row2[k];
    }
    ring_at2 = ring_at2 < n - 1 ? ring_at2 + 1 : 0;
  }
";
    assert_eq!(text(&scop, |program| pointed(&in_ring(program, 3))).expect("it is printed").trim_start(), new);
}

#[test]
fn parts_of_loops_get_braces_for_pointers() {
    let scop = parsed(
        "void f(int n, const double A[n][n], double B[n][n]) {\n  double t[n][n];\n#pragma scop\n  \
         for (int i = 0; i < n; i++)\n    for (int j = 0; j < n; j++)\n      if (i == 0 || j == 0)\n        \
         t[i][j] = A[i][j];\n      else\n        t[i][j] = t[i - 1][j - 1];\n#pragma endscop\n}\n",
    );
    let new = "{
    int i = 0;
    for (; i < n && i < 1; i++) {
      const long ring_at = (i + 5) % n;
      double *ring_row = ring[ring_at];
      for (int j = 0; j < n; j++)
        ring_row[j] = A[i][j];
    }
    long ring_at1 = (i + 4) % n;
    const double *ring_row2 = ring[ring_at1];
    for (; i < n; i++) {
      const long ring_at2 = ring_at1 < n - 1 ? ring_at1 + 1 : 0;
      double *ring_row1 = ring[ring_at2];
      {
        int j = 0;
        for (; j < 1; j++)
          ring_row1[j] = A[i][j];
        for (; j < n; j++)
          ring_row1[j] = ring_row2[j - 1];
      }
      ring_at1 = ring_at2;
      ring_row2 = ring_row1;
    }
  }
";
    assert_eq!(
        text(&scop, |program| pointed(&cut_all(&in_ring(program, 2)))).expect("it is printed").trim_start(),
        new
    );
}
