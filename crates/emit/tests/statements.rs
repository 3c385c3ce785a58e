//! What trees print as, where the corpus doesn't show it.

use polyfold_emit::{Names, Unprintable, statements};
use polyfold_program::{BufferId, Element, LocalId, Loop, Program};

fn printed(body: &str) -> Result<String, Unprintable> {
    let head = "program p(n) { in A[n]; out B[n]; temporary \"float\" s; temporary \"int\" t[n];";
    let program = Program::read(&format!("{head} {body} }}")).expect("a program");
    let counter = |id: LocalId| (program.locals[id.0].name != "untyped").then(|| "long".to_string());
    let declared: Vec<_> = ["s", "t"].map(|name| program.buffer(name).expect("a buffer")).into();
    let pragmas = |own: &Loop| match program.locals[own.counter.0].name.as_str() {
        "threads" => Some(vec!["#pragma omp parallel for".to_string(), "#pragma GCC ivdep".to_string()]),
        "collapsed" => Some(Vec::new()),
        _ => None,
    };
    statements(&program, &Names { pragmas: &pragmas, declared: &declared, ..Names::of(&counter) }, "")
}

/// One statement's value.
fn value(text: &str) -> String {
    let all = printed(&format!("for i = 0 while i < n step 1 {{ S0(i): B[i] = {text}; }}")).expect("it is printed");
    let line = all.lines().find_map(|line| line.trim().strip_prefix("B[i] = ")).expect("the statement");
    line.trim_end_matches(';').to_string()
}

#[test]
fn parentheses_keep_the_tree() {
    assert_eq!(value("A[i] - (A[0] - A[1])"), "A[i] - (A[0] - A[1])");
    assert_eq!(value("(A[i] + 1) * -A[0]"), "(A[i] + 1) * -A[0]");
    assert_eq!(value("-(-A[i])"), "-(-A[i])");
    assert_eq!(value("\"(float)$0\"(A[i] + 0.5) * 2"), "((float)(A[i] + 0.5)) * 2");
    assert_eq!(value("f(A[i], (i > 0 ? A[0] : 1))"), "f(A[i], i > 0 ? A[0] : 1)");
    assert_eq!(value("(A[i] < A[0] ? 1 : 0) + 1"), "(A[i] < A[0] ? 1 : 0) + 1");
    assert_eq!(value("((i > 0 || n > 2 && i < 3) ? 1.0 : 2.0)"), "i > 0 || (n > 2 && i < 3) ? 1.0 : 2.0");
    assert_eq!(value("A[min(i, n - 1 - i)]"), "A[i < n - 1 - i ? i : n - 1 - i]");
}

/// Where C would have another type, there is a cast.
#[test]
fn integers_have_their_types() {
    assert_eq!(value("A[i] * 1"), "A[i] * 1");
    assert_eq!(value("A[i] * (1 as u32)"), "A[i] * (unsigned)1");
    assert_eq!(value("A[i] * (i - 1 as u64)"), "A[i] * (unsigned long)(i - 1)");
    assert_eq!(value("(3000000000 as i64) + A[i]"), "3000000000 + A[i]");
    assert_eq!(value("A[i] * (i as unknown)"), "A[i] * i");
}

/// C's `%` takes the sign of its first operand.
#[test]
fn mod_is_not_negative() {
    assert_eq!(value("A[(i - n) mod 3]"), "A[((i - n) % 3 + 3) % 3]");
    assert_eq!(value("A[(i - n) div 3]"), "A[(i - n - ((i - n) % 3 + 3) % 3) / 3]");
    assert_eq!(value("A[i % 3]"), "A[i % 3]");
}

#[test]
fn loops_declare_their_counters_and_arrays_stand_in_front() {
    let loops = printed("for outside = n while outside > 0 step -2 { S0(outside): B[outside - 1] = 0.0; }");
    let text = "float s;\nint t[n];\nfor (outside = n; outside > 0; outside -= 2)\n  B[outside - 1] = 0.0;\n";
    assert_eq!(loops.as_deref(), Ok(text));
    let own = printed("for let i = 0 while i < n step 1 { S0(i): let s = A[i]; S1(i): B[i] = s; }");
    assert!(
        own.is_ok_and(|text| text.ends_with("for (long i = 0; i < n; i++) {\n  float s = A[i];\n  B[i] = s;\n}\n"))
    );
}

#[test]
fn variables_end_with_what_names_them() {
    let own = printed("S0(): let s = A[0]; S1(): B[0] = s; S2(): B[1] = 0.0;").expect("it is printed");
    assert!(own.ends_with("{\n  float s = A[0];\n  B[0] = s;\n}\nB[1] = 0.0;\n"), "{own}");
}

#[test]
fn variables_of_one_name_are_in_blocks_of_their_own() {
    let text = "program p() { in A[2]; out B[2]; temporary s; temporary s_2;
        S0(): let s = A[0]; S1(): B[0] = s; S2(): let s_2 = A[1]; S3(): B[1] = s_2; }";
    let mut program = Program::read(text).expect("a program");
    for own in &mut program.buffers[2..] {
        (own.name, own.element) = ("s".to_string(), Element { text: "float".to_string(), kind: None });
    }
    let names = Names::of(&|_| None);
    let own = statements(&program, &names, "").expect("it is printed");
    assert_eq!(own, "{\n  float s = A[0];\n  B[0] = s;\n}\nfloat s = A[1];\nB[1] = s;\n");
}

/// A leaf's text may be a variable of the function around, which has the name of one that is declared here.
#[test]
fn names_that_mean_something_else_behind_are_in_blocks_of_their_own() {
    let program = |behind: &str| {
        let text = format!(
            "program p() {{ in A[2]; out B[2]; temporary \"float\" s;
              S0(): let s = A[0]; S1(): B[0] = s; S2(): B[1] = \"s\"; {behind} }}"
        );
        Program::read(&text).expect("a program")
    };
    let names = Names::of(&|_| None);
    let own = statements(&program(""), &names, "").expect("it is printed");
    assert_eq!(own, "{\n  float s = A[0];\n  B[0] = s;\n}\nB[1] = s;\n");
    let both = program("S3(): B[1] = s;");
    assert_eq!(statements(&both, &names, ""), Err(Unprintable::Declaration));
}

/// An iteration in front of its loop declares what each of the loop's declares.
#[test]
fn what_a_loop_behind_declares_anew_is_in_a_block_of_its_own() {
    let program = |behind: &str| {
        let text = format!(
            "program p(n) {{ in A[n]; out B[n]; temporary \"float\" s;
              S0(): let s = A[0]; S1(): B[0] = s;
              for let i: i32 = 1 while i < n step 1 {{ S0(i): let s = A[i]; S1(i): B[i] = s; }} {behind} }}"
        );
        Program::read(&text).expect("a program")
    };
    let counter = |_: LocalId| Some("int".to_string());
    let own = statements(&program(""), &Names::of(&counter), "").expect("it is printed");
    let behind = "for (int i = 1; i < n; i++) {\n  float s = A[i];\n  B[i] = s;\n}\n";
    assert_eq!(own, format!("{{\n  float s = A[0];\n  B[0] = s;\n}}\n{behind}"));
    let both = program("S2(): B[1] = s;");
    assert_eq!(statements(&both, &Names::of(&counter), ""), Err(Unprintable::Declaration));
}

#[test]
fn branches_have_braces_all_or_none() {
    let of = |first: &str| {
        let text = format!(
            "if (n > 0) {{ {first} }} else {{ if (n < 0) {{ S1(): B[0] = 1.0; }} else {{ S2(): B[0] = 2.0; }} }}"
        );
        printed(&text).expect("it is printed")
    };
    let bare = "if (n > 0)\n  B[0] = 0.0;\nelse if (n < 0)\n  B[0] = 1.0;\nelse\n  B[0] = 2.0;\n";
    assert!(of("S0(): B[0] = 0.0;").ends_with(bare));
    let braces =
        "if (n > 0) {\n  B[0] = 0.0;\n  B[1] = 0.0;\n} else if (n < 0) {\n  B[0] = 1.0;\n} else {\n  B[0] = 2.0;\n}\n";
    assert!(of("S0(): B[0] = 0.0; S3(): B[1] = 0.0;").ends_with(braces));
}

#[test]
fn rows_in_one_dimension_have_one_subscript_and_data_stand_as_they_are() {
    let text = "program p(n, m) { in x[?, n + 1, m]; out B[n]; temporary u[n, m];
        for i = 0 while i < n step 1 { S0(i): B[i] = x[i][0][i + 1] + B[B[i] - i]; S1(i): B[i] = u[i + 1][0]; } }";
    let program = Program::read(text).expect("a program");
    let names = Names::of(&|_| Some("int".to_string()));
    let c = statements(&program, &names, "").expect("it is printed");
    assert!(c.contains("B[i] = x[i * (n + 1) * m + i + 1] + B[B[i] - i];"), "{c}");
    assert!(c.contains("B[i] = u[(i + 1) * m];"), "{c}");
    let open = BufferId(0);
    assert_eq!(statements(&program, &Names { declared: &[open], ..names }, ""), Err(Unprintable::Extent));
}

#[test]
fn pragmas_stand_in_front_of_parallel_loops() {
    let inner = "parallel for let collapsed = 0 while collapsed < n step 1 { S0(threads): B[threads] = 0.0; }";
    let loops =
        printed(&format!("parallel for let threads = 0 while threads < n step 1 {{ {inner} }}")).expect("loops");
    let text = "#pragma omp parallel for\n#pragma GCC ivdep\nfor (long threads = 0; threads < n; threads++) {\n  \
                for (long collapsed = 0; collapsed < n; collapsed++)\n    B[threads] = 0.0;\n}\n";
    assert!(loops.contains(text), "{loops}");
}

#[test]
fn what_is_not_printed_yet_is_refused() {
    let refused = |body: &str| printed(body).expect_err(body);
    assert_eq!(
        refused("for let untyped = 0 while untyped < n step 1 { S0(untyped): B[untyped] = 0.0; }"),
        Unprintable::Local
    );
    assert_eq!(refused("int w = 0; S0(): B[w] = 0.0;"), Unprintable::Local);
    assert_eq!(refused("copy B[0 : n] = A[0 : n];"), Unprintable::Copy);
    assert_eq!(refused("S0(): opaque \"f();\";"), Unprintable::Opaque);
    assert_eq!(refused("parallel for i = 0 while i < n step 1 { S0(i): B[i] = 0.0; }"), Unprintable::Parallel);
}

/// A row that begins between the parts of a loop is there for all that use it.
#[test]
fn what_begins_between_parts_of_a_loop_is_seen_behind_them() {
    let text = printed(
        "int j: i32 = 0; for j while j < 2 step 1 { S0(j): B[j] = 1.0; } pointer row = &t[0];
         for j while j < n step 1 { S1(j): B[j] = 2.0; } for let k = 0 while k < n step 1 { S2(k): B[k] = row[k]; }",
    );
    let text = text.expect("it is printed");
    let (begins, used) = (text.find("*row = ").expect("it begins"), text.find("row[k]").expect("it is used"));
    assert!(!text[begins..used].contains("\n}\n"), "{text}");
}
