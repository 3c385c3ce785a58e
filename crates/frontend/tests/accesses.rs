//! What statements read and write.

use crate::support::*;
#[allow(dead_code)]
use polyfold_scop::{Certainty, Effect, Role, StatementKind};

fn lines(declarations: &str, scop: &str, wanted: &[&str]) {
    let scop = format!("for (int i = 0; i < n; i++) {{ {scop} }}");
    has_lines(&dump(&function("int n, double x[n], double y[n]", declarations, &scop)), wanted);
}

#[test]
fn compound_assignments_read_and_write() {
    lines(
        "double s;",
        "s = 0; s += x[i]; y[i] *= s; y[i]++;",
        &["S0[i]: s = f()", "S1[i]: s = f(x[i], s)", "S2[i]: y[i] = f(s, y[i])", "S3[i]: y[i] = f(y[i])"],
    );
}

#[test]
fn masks_and_shifts_round_down() {
    let subscripts = ["(n - 3) & 7", "7 & n", "n & 0", "n >> 2", "(n + 1) >> 0", "n << 3", "(n & 1) << 2"];
    let meant: [fn(i64) -> i64; 7] =
        [|n| (n - 3) & 7, |n| 7 & n, |_| 0, |n| n >> 2, |n| n + 1, |n| n << 3, |n| (n & 1) << 2];
    for (subscript, meant) in subscripts.iter().zip(meant) {
        let source = function("int n, int *x", "", &format!("x[{subscript}] = 1;"));
        let scop = &read(&source).scops[0];
        let affine = &scop.statements[0].accesses[0].subscripts.as_ref().unwrap()[0];
        for n in -20..20 {
            assert_eq!(affine.value(&[n]), Some(meant(n)), "{subscript} at {n}");
        }
    }
}

#[test]
fn masks_and_shifts_of_counters_are_plain() {
    lines(
        "",
        "x[i & 3] = y[i >> 1] + y[2 * i << 1]; x[(i - 1) & 3] = 0;",
        &["S0[i]: x[i%4] = f(y[i/2], y[4*i])", "S1[i]: x[(i - 1 >= 0 ? (i - 1)%4 : -(-(i - 1) - 1)%4 + 3)] = f()"],
    );
    let masked = "#define M 8\n#define K (1 << 4)\nvoid f(int n, int x[n]) {\n int t[M], u[K];\n#pragma scop\n for (int i = 0; i < n; i++) { t[i & (M - 1)] = u[i & (K - 1)] = i; x[i] = t[i & (M - 1)] + u[0]; }\n#pragma endscop\n}\n";
    has_lines(&dump(masked), &["pinned K = 16", "pinned M = 8", "int u[16] temporary", "S0[i]: u[i%16], t[i%8] = f()"]);
}

#[test]
fn low_bits_do_not_see_wrapping() {
    let of = |subscript: &str| {
        let scop = format!("for (unsigned i = 0; i < n; i++) {{ t[{subscript}] = x[i]; x[i] = t[{subscript}]; }}");
        dump(&function("unsigned n, int x[n]", "int t[99];", &scop))
    };
    assert!(!of("(i - 3) & 3").contains("obligation"));
    has_lines(&of("(i - 3) >> 1"), &["obligation i - 3 >= 0"]);
    has_lines(&of("(i * 77) % 8"), &["S0[i]: t[77*i%8] = f(x[i])"]);
    assert!(!of("(i * 77) % 8").contains("obligation"));
    has_lines(&of("(i * 77) % 9"), &["obligation 77*i <= 4294967295"]);
}

#[test]
fn other_bits_are_not_affine() {
    for (subscript, why) in [
        ("i & 6", "its mask is not one less than a power of two"),
        ("i & x[0]", "it reads an array"),
        ("i & n", "its mask is not a constant"),
        ("i >> n", "it does not shift by a constant"),
        ("i | 1", "it works on bits"),
    ] {
        let scop = format!("for (int i = 0; i < n; i++) {{ t[{subscript}] = i; x[i] = t[0]; }}");
        let parsed = read(&function("int n, int x[n]", "int t[9];", &scop));
        assert!(parsed.diagnostics[0].message.contains(why), "{:?}", parsed.diagnostics);
    }
}

#[test]
fn chained_assignments_write_two_arrays() {
    lines("", "x[i] = y[i] = x[i] + 1;", &["S0[i]: y[i], x[i] = f(x[i])"]);
}

#[test]
fn ternaries_carry_their_condition() {
    lines(
        "",
        "y[i] = i > 0 ? x[i-1] : x[i]; y[i] = x[i] > 0 ? x[0] : 1;",
        &["S0[i]: y[i] = f(x[i - 1] if i > 0, x[i] if !(i > 0))", "S1[i]: y[i] = f(x[i], x[0]?)"],
    );
}

#[test]
fn short_circuits_carry_their_condition() {
    lines("", "y[i] = i > 0 && x[i-1] > 1;", &["S0[i]: y[i] = f(x[i - 1] if i > 0)"]);
}

#[test]
fn pure_calls_are_values_and_others_are_effects() {
    lines("", "y[i] = sqrtf(fabs(x[i])); print(i, x[i]);", &["S0[i]: y[i] = f(x[i])", "S1[i]: effect(x[i])"]);
}

#[test]
fn declarations_in_the_scop() {
    let scop = "for (int i = 0; i < n; i++) { double t = x[i], w[3]; w[0] = t; x[i] = w[0]; }";
    let source = function("int n, double x[n]", "", scop);
    has_lines(
        &dump(&source),
        &["double t temporary", "double w[3] temporary", "S0[i]: t = declare(x[i])", "S1[i]: w[0] = f(t)"],
    );
    let scop = &read(&source).scops[0];
    let declaration = scop.arrays[2].declaration.as_ref().unwrap();
    assert!(declaration.inside_scop && declaration.siblings == 2);
    assert_eq!(&source[declaration.statement.clone()], "double t = x[i], w[3];");
    assert_eq!((&source[declaration.declarator.span.clone()], declaration.specifiers.as_str()), ("w[3]", "double"));
    assert_eq!(scop.statements[0].kind, StatementKind::Declaration);
}

#[test]
fn fields_are_parts_of_cells() {
    let source = function(
        "int n",
        "struct { int a, b; } p[n]; int q[n];",
        "for (int i = 0; i < n; i++) { p[i].a = q[i]; q[i] = p[i].b; }",
    );
    has_lines(&dump(&source), &["S0[i]: p[i]? = f(q[i])", "S1[i]: q[i] = f(p[i])"]);
}

#[test]
fn arrays_in_fields_are_parts_of_cells() {
    let source = function(
        "int n",
        "struct { int v[4]; } p[n];",
        "for (int i = 0; i < n; i++) { p[i].v[0] = 1; p[i].v[1]++; g(p[i].v); }",
    );
    let parsed = read(&source);
    has_lines(
        &parsed.scops[0].to_string(),
        &["S0[i]: p[i]? = f()", "S1[i]: p[i]? = f(p[i])", "S2[i]: p[*]? = effect(p[*]?)"],
    );
}

#[test]
fn array_members_without_subscripts_are_addresses() {
    let kept = |members: &str, statement: &str| {
        let scop = format!("for (int i = 0; i < n; i++) {{ w[i] = z[i]; {statement} }}");
        let declarations = format!("typedef int row[4]; struct s {{ {members} }}; struct s w[n], z[n], v; int *p[n];");
        let parsed = read(&function("int n, int x[n]", &declarations, &scop));
        (role_of(&parsed, "w"), parsed.scops[0].to_string())
    };
    for (members, statement) in [
        ("int a[4];", "p[i] = w[i].a;"),
        ("int a[4];", "p[i] = w[i].a + 1;"),
        ("int a[4];", "p[i] = i > 0 ? w[i].a : 0;"),
        ("int a[4];", "*w[i].a = 3;"),
        ("int a[2][2];", "p[i] = w[i].a[1];"),
        ("struct { int y; } a[4];", "w[i].a->y = 1;"),
        ("struct { int in[2]; } a;", "p[i] = w[i].a.in;"),
        ("union { int a[2]; float f[2]; };", "p[i] = w[i].a;"),
    ] {
        let ((surprising, reason), _) = kept(members, statement);
        assert!(surprising && reason == "InOut: its address is taken at line 4", "{members} {statement} {reason}");
    }
    for members in ["row a;", "other a;"] {
        let ((surprising, reason), _) = kept(members, "p[i] = w[i].a;");
        assert!(surprising && reason.starts_with("InOut: its member `a` may be an array"), "{members} {reason}");
    }
    for (members, statement, wanted) in [
        ("int a, b[2]; row *q;", "x[i] = w[i].a + w[i].b[1];", "S1[i]: x[i] = f(w[i], w[i])"),
        ("struct { int y; } a[4];", "x[i] = w[i].a[2].y;", "S1[i]: x[i] = f(w[i])"),
        ("const unsigned a : 3;", "x[i] = w[i].a;", "S1[i]: x[i] = f(w[i])"),
        ("int *a;", "w[i].a[i] = 5;", "S1[i]: effect(w[i])"),
        ("int *a;", "w[i].a = x;", "S1[i]: x[*]?, w[i]? = f(x[*]?)"),
        ("int *a[2];", "w[i].a[1][i] += 5;", "S1[i]: effect(w[i])"),
        ("row *a;", "x[i] = w[i].a[0][1];", "S1[i]: x[i] = effect(w[i])"),
        ("int a;", "g(w[i].a);", "S1[i]: effect(w[i])"),
    ] {
        let ((_, reason), dump) = kept(members, statement);
        assert!(dump.contains(wanted), "{members} {statement} {dump}");
        assert_eq!(reason, "temporary", "{members} {statement}");
    }
}

#[test]
fn members_that_may_be_arrays_are_said_to_be_doubtful() {
    for (members, member, said) in [
        ("int m; }; struct other { int m[3]; ", "m", "as a member of that name is elsewhere"),
        ("int (m)[3]; ", "m[1]", "its declaration does not plainly say a number"),
    ] {
        let source =
            function("int n, int x[n]", "struct s t[9];", &format!("for (int i = 0; i < 9; i++) t[i].{member} = 1;"));
        let parsed = read(&format!("struct s {{ {members}}};\n{source}"));
        let diagnostic = &parsed.diagnostics[0];
        assert!(diagnostic.message.contains(said), "{diagnostic:?}");
        assert_eq!(diagnostic.label, "its address may be used here");
    }
}

#[test]
fn typedefs_of_arrays_are_no_addresses() {
    let source = function("int n, int x[n]", "row t[9];", "for (int i = 0; i < 9; i++) t[i][1] = x[i];");
    let parsed = read(&format!("typedef int row[4];\n{source}"));
    assert!(parsed.diagnostics[0].message.contains("its type is a typedef of an array"), "{:?}", parsed.diagnostics);
    assert_eq!(parsed.diagnostics[0].label, "used here");
}

#[test]
fn an_array_in_a_plain_structure_is_an_address() {
    let scop = "for (int i = 0; i < n; i++) { p[i] = s.a; s.a[0] = i; s.b = i; }";
    let parsed = read(&function("int n, int *p[n]", "struct { int a[4], b; } s;", scop));
    assert!(role_of(&parsed, "s").1.starts_with("InOut: its address is taken"));
}

#[test]
fn casts_with_typedef_names() {
    let source = format!(
        "typedef float real;\n#define R double\n{}",
        function(
            "int n, real x[n]",
            "",
            "for (int i = 0; i < n; i++) { x[i] = (real)(x[i] + 1) + (R)(2); x[i] = (real) -x[0]; x[(n) - 1] = (real)i; }"
        )
    );
    has_lines(&dump(&source), &["S0[i]: x[i] = f(x[i])", "S1[i]: x[i] = f(x[0])", "S2[i]: x[n - 1] = f()"]);
    let source = format!(
        "typedef char *ptr;\n{}",
        function("int n, ptr x[n]", "int t[n];", "for (int i = 0; i < n; i++) { t[i] = 1; x[i] = (ptr)&t[i]; }")
    );
    assert!(read(&source).scops.is_empty());
}

#[test]
fn volatile_reads_are_effects() {
    let source = function("int n, int x[n]", "volatile int v; int t;", "for (int i = 0; i < n; i++) t = v;");
    assert_eq!(read(&source).scops[0].statements[0].kind, StatementKind::Effectful(Effect::Memory));
}

#[test]
fn memory_behind_pointers_is_an_effect() {
    let source = function("int n, struct s *s, double x[n]", "", "for (int i = 0; i < n; i++) s->a[i] = x[i];");
    assert_eq!(read(&source).scops[0].statements[0].kind, StatementKind::Effectful(Effect::Memory));
    let source = function(
        "int n, struct s *s, double (*q)[n], double x[n]",
        "",
        "for (int i = 0; i < n; i++) x[i] = s->a[i] + (*q)[i] + s->b;",
    );
    has_lines(&dump(&source), &["S0[i]: x[i] = effect()"]);
}

#[test]
fn memory_that_may_be_volatile_is_an_effect() {
    for (before, value) in [
        ("", "*(volatile unsigned *)0x4000"),
        ("", "((volatile unsigned *)0x4000)[i]"),
        ("volatile int *p;", "*p"),
        ("volatile int *p;", "p[0]"),
        ("int *volatile p;", "p[0]"),
        ("int **p;", "**p"),
        ("int **p;", "p[0][i]"),
        ("typedef volatile int vint; vint *p;", "p[0]"),
        ("typedef volatile int vint; vint p[9];", "p[i]"),
        ("typedef volatile int vint; typedef vint word; word v;", "v"),
        ("typedef volatile int *port; port p;", "p[0]"),
        ("typedef int lanes __attribute__((vector_size(16))); lanes p[9];", "p[i]"),
        ("struct s { volatile int a; } s;", "s.a"),
        ("struct s { int a; volatile int b; } *s;", "s->a"),
        ("struct s; extern struct s *s;", "s->a"),
        ("extern port *p;", "p->a"),
        ("struct s { int *a; } *s;", "s->a[i]"),
        ("struct s { struct s *next; int a; } *s;", "s->next->a"),
        ("", "not_declared_here"),
        ("", "elsewhere[i]"),
    ] {
        let source = format!(
            "{before}\n{}",
            function("int n, int x[n]", "int t[9];", &format!("for (int i = 0; i < 9; i++) t[i] = {value};"))
        );
        let parsed = read(&source);
        let scop = parsed.scops.first().unwrap_or_else(|| panic!("{:#?}", parsed.diagnostics));
        assert_eq!(scop.statements[0].kind, StatementKind::Effectful(Effect::Memory), "{before} {value}");
    }
    for (before, value) in [
        ("int *p;", "p[i]"),
        ("int *p;", "*p"),
        ("struct s { int a; } s[9];", "s[i].a"),
        ("struct s { int a; } *s;", "s->a"),
        ("struct s { int a; } *s;", "(*s).a"),
        ("struct s { int a[9]; } *s;", "s->a[i]"),
        ("typedef unsigned long word; word *p;", "p[i]"),
        ("enum { K = 3 };", "K"),
    ] {
        let source = format!(
            "{before}\n{}",
            function("int n, int x[n]", "int t[9];", &format!("for (int i = 0; i < 9; i++) t[i] = {value};"))
        );
        assert_eq!(read(&source).scops[0].statements[0].kind, StatementKind::Assignment, "{before} {value}");
    }
}

/// `*p` and `p->m` are in `p[0]`, and a member is a part of it.
#[test]
fn the_first_cell_behind_a_pointer() {
    let front = "struct s { double a, b[9]; };\n";
    let source = function(
        "int n, struct s *s, double *p, double x[n]",
        "",
        "for (int i = 0; i < n; i++) { x[i] = s->a * s->b[i % 9] + *p; *p = x[i]; s->b[0] += 1; *p += (*s).a; }",
    );
    let lines = [
        "S0[i]: x[i] = f(s[0], s[0], p[0])",
        "S1[i]: p[0] = f(x[i])",
        "S2[i]: s[0]? = f(s[0])",
        "S3[i]: p[0] = f(s[0], p[0])",
    ];
    has_lines(&dump(&(front.to_string() + &source)), &lines);
    let kinds = |source: &str| read(source).scops[0].statements.iter().map(|s| s.kind).collect::<Vec<_>>();
    assert_eq!(kinds(&(front.to_string() + &source)), [StatementKind::Assignment; 4]);
    // The member's name is no part of the place: `s->a` and `s->b[0]` are different texts behind one cell.
    let all = front.to_string() + &function("struct s *s, double *p", "", "*p = s->a + s->b[0]; s->a = s->b[0] = 0;");
    let scop = &read(&all).scops[0];
    let places: Vec<&str> = scop.statements[0].accesses.iter().map(|a| &all[a.place.span.clone()]).collect();
    assert_eq!(places, ["s", "s", "*p"]);
    assert_eq!(scop.statements[1].accesses.iter().filter(|access| access.is_write()).count(), 2);
}

/// A pointer that the function moves by numbers, or that gets memory of its own, leads to no other array.
#[test]
fn pointers_that_are_set_may_lead_to_any_array() {
    let leads = |before: &str, name: &str| {
        let text = format!(
            "double g[9];\nvoid get(double **);\ndouble *allocated(double *);\nvoid f(int n, double *p, double q[n]) {{\n  {before}\n#pragma scop\n  for (int i = 0; i < n; i++) p[i] = q[i];\n#pragma endscop\n}}\n"
        );
        let parsed = read(&text);
        let array = parsed.scops[0].arrays.iter().find(|array| array.name == name).expect("it is used");
        array.leads_anywhere
    };
    for own in ["", "p += 2;", "p++;", "p = p + n - 1;", "q = q + 1;", "(void)p[0];", "p = malloc(n * 8ul);"] {
        assert!(!leads(own, "p") && !leads(own, "q"), "{own}");
    }
    for set in [
        "p = allocated(q);",
        "p = q /* malloc(n) */;",
        "p = n > 3 ? malloc(n * 8ul) : q;",
        "p = q;",
        "p = q + 1;",
        "p = n > 3 ? p : q;",
        "if (n > 3) p = g;",
        "get(&p);",
        "double **o = &p; *o = g;",
    ] {
        assert!(leads(set, "p") && !leads(set, "q"), "{set}");
    }
    assert!(leads("q = p;", "q"));
}

#[test]
fn conditions_may_read_through_pointers() {
    let source = function("int n, struct s *s, int x[n]", "", "for (int i = 0; i < n; i++) if (s->a > 0) x[i] = 1;");
    has_lines(&dump(&source), &["if ?", "S0[i]: x[i] = f()"]);
}

#[test]
fn a_function_of_the_file_is_not_the_librarys() {
    let scop = "for (int i = 0; i < n; i++) x[i] = rint(x[i]);";
    let own = "static int calls;\nstatic double rint(double v) { calls++; return v; }\n";
    let source = format!("{own}{}", function("int n, double x[n]", "", scop));
    has_lines(&dump(&source), &["S0[i]: x[i] = effect(x[i])"]);
    has_lines(&dump(&function("int n, double x[n]", "", scop)), &["S0[i]: x[i] = f(x[i])"]);
}

#[test]
fn scalars_that_do_not_change_are_parameters_or_reads() {
    let dump =
        dump(&function("int n, int k, double a, double x[n]", "", "for (int i = k; i < n; i++) x[i - k] = a * k;"));
    has_lines(&dump, &["parameter k", "parameter n", "S0[i]: x[i - k] = f(a)"]);
}

fn role_of(parsed: &polyfold_frontend::Parsed, name: &str) -> (bool, String) {
    let scop = &parsed.scops[0];
    match &scop.array(scop.array_named(name).unwrap()).role {
        Role::Temporary => (false, "temporary".to_string()),
        Role::Kept(kept) => (kept.surprising, format!("{:?}: {}", kept.liveness, kept.reason)),
    }
}

#[test]
fn an_array_escapes_into_a_call() {
    let source = function("int n", "int t[n];", "for (int i = 0; i < n; i++) { t[i] = 1; g(t); }");
    let parsed = read(&source);
    assert_eq!(role_of(&parsed, "t"), (true, "InOut: its address is passed to `g` at line 4".to_string()));
    assert_eq!(parsed.diagnostics.len(), 1);
    assert_eq!(&source[parsed.diagnostics[0].span.clone()], "t");
    let call = &parsed.scops[0].statements[1];
    assert_eq!(call.accesses.len(), 2);
    assert!(call.accesses.iter().all(|a| a.subscripts.is_none() && a.certainty == Certainty::May));
}

#[test]
fn addresses_sizes_and_rows_escape() {
    for (use_of_t, reason) in [
        ("p = &t[i][0];", "its address is taken at line 4"),
        ("x[i] = sizeof t;", "`sizeof` at line 4 depends on its size"),
        ("x[i] = sizeof(t[0]);", "`sizeof` at line 4 depends on its size"),
        ("x[i] = *t[i];", "its address is taken at line 4"),
        ("x[i] = g(x[i], t[i]);", "its address is passed to `g` at line 4"),
    ] {
        let source = function(
            "int n, int *p, int x[n]",
            "int t[n][n];",
            &format!("for (int i = 0; i < n; i++) {{ t[i][0] = 1; {use_of_t} }}"),
        );
        let parsed = read(&source);
        if use_of_t.starts_with('p') {
            assert!(parsed.scops.is_empty(), "a pointer changes");
            continue;
        }
        assert_eq!(
            role_of(&parsed, "t"),
            (true, format!("{}: {reason}", if reason.contains("sizeof") { "Internal" } else { "InOut" })),
            "{use_of_t}"
        );
    }
}

#[test]
fn a_subscript_that_is_not_affine_keeps_the_array() {
    let source =
        function("int n, int x[n]", "int t[n];", "for (int i = 0; i < n; i++) { t[i * i] = 1; x[i] = t[x[i]]; }");
    let parsed = read(&source);
    let (surprising, reason) = role_of(&parsed, "t");
    assert!(surprising && reason.contains("it multiplies two variables"), "{reason}");
    assert_eq!(&source[parsed.diagnostics[0].span.clone()], "i * i");
    has_lines(&parsed.scops[0].to_string(), &["S0[i]: t[*]? = f()", "S1[i]: x[i] = f(x[i], t[*]?)"]);
}
