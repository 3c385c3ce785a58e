//! Programs that agree, and programs that differ, each for one reason.

use polyfold_program::Program;
use polyfold_replay::terms::{Difference, FaultKind, Ran, Why, agree, sizes_to_run};

const WORK: u64 = 1_000_000;

fn program(buffers: &str, body: &str) -> Program {
    Program::read(&format!("program p(n) {{ {buffers} {body} }}")).expect("a program")
}

/// Over an array that comes in and one that goes out.
fn compared(before: &str, after: &str) -> Result<Ran, Box<Difference>> {
    let buffers = "in A[n]; out B[n]; temporary s; temporary W[4];";
    let (before, after) = (program(buffers, before), program(buffers, after));
    agree(&before, &after, &sizes_to_run(&before, &after), WORK)
}

fn fault(before: &str, after: &str) -> FaultKind {
    match compared(before, after).expect_err("they differ").why {
        Why::Fault(fault) => fault.kind,
        other => panic!("no fault: {other:?}"),
    }
}

fn differ(before: &str, after: &str) -> bool {
    matches!(compared(before, after), Err(difference) if matches!(difference.why, Why::Cell { .. }))
}

const EACH: &str = "for i = 0 while i < n step 1 { S0(i): B[i] = A[i] + 1; }";

#[test]
fn copies_order_and_storage_do_not_matter() {
    let through = "for i = n - 1 while i >= 0 step -1 {
        S0(i): W[i mod 4] = A[i] + 1; copy s = W[i mod 4 : 1]; S1(i): B[i] = s;
    }";
    let straight = through.replace("copy s = W[i mod 4 : 1]; S1(i): B[i] = s;", "copy B[i : 1] = W[i mod 4 : 1];");
    for after in [through, &straight] {
        let ran = compared(EACH, after).expect("they agree");
        assert!(ran.agreed >= 6 && ran.left_out == 0, "{ran:?}");
    }
    assert_eq!(fault(EACH, &through.replace("mod 4 : 1", "mod 2 : 2")), FaultKind::Regions);
}

#[test]
fn another_operation_operand_or_number_is_a_difference() {
    assert!(differ(EACH, &EACH.replace("+ 1", "- 1")));
    assert!(differ(EACH, &EACH.replace("+ 1", "+ 2")));
    assert!(differ(EACH, &EACH.replace("A[i]", "A[0]")));
    assert!(differ(EACH, &EACH.replace("i = 0", "i = 1")));
    assert!(differ("", "for i = 0 while i < n step 1 { S0(i): B[i] = s; }"), "what was never written is nothing else");
}

#[test]
fn both_programs_get_the_same_answer_to_a_question_about_data() {
    let choosing = |test: &str, yes: &str, no: &str| {
        format!(
            "for i = 0 while i < n step 1 {{ if ({test}) {{ S0(i): B[i] = {yes}; }} else {{ S1(i): B[i] = {no}; }} }}"
        )
    };
    let before = choosing("A[i] > 0.5", "A[i]", "2.0");
    assert!(compared(&before, &choosing("0.5 < A[i]", "A[i]", "2.0")).is_ok());
    assert!(compared(&before, &choosing("!(A[i] > 0.5)", "2.0", "A[i]")).is_ok());
    assert!(compared(&before, "for i = 0 while i < n step 1 { S0(i): B[i] = (A[i] > 0.5 ? A[i] : 2.0); }").is_ok());
    assert!(differ(&before, &choosing("A[i] > 0.5", "2.0", "A[i]")));
    // With numbers that aren't ordered, `<=` isn't what is left of `>`.
    assert!(differ(&before, &choosing("A[i] <= 0.5", "2.0", "A[i]")));
}

#[test]
fn iterations_of_a_parallel_loop_touch_cells_of_their_own() {
    assert!(compared(EACH, &format!("parallel {EACH}")).is_ok());
    let sum = "S0(): s = 0; for i = 0 while i < n step 1 { S1(i): s = s + A[i]; S2(i): B[i] = s; }";
    assert!(matches!(fault(sum, &sum.replace("for", "parallel for")), FaultKind::Race { buffer, .. } if buffer == "s"));
    let running = "int k = 0; for i = 0 while i < n step 1 { S0(i): B[k] = A[i]; k = k + 1; }";
    let own = "for i = 0 while i < n step 1 { S0(i): B[i] = A[i]; }";
    assert!(compared(own, running).is_ok());
    assert!(compared(own, &running.replace("for", "parallel for")).is_err(), "a local goes from one to the next");
}

#[test]
fn what_is_not_understood_keeps_its_order_and_what_it_reads() {
    let calls =
        "for i = 0 while i < n step 1 { S0(i): opaque \"f($0, $1, $2);\" of (i, read A[i], write B[i]) with effects; }";
    assert!(compared(calls, calls).is_ok());
    assert!(differ(calls, &calls.replace("i = 0 while i < n step 1", "i = n - 1 while i >= 0 step -1")));
    assert!(differ(calls, &calls.replace("read A[i]", "read A[0]")));
    let pure = calls.replace(" with effects", "");
    assert!(compared(&pure, &pure.replace("i = 0 while i < n step 1", "i = n - 1 while i >= 0 step -1")).is_ok());
}

#[test]
fn a_function_may_read_behind_its_writes() {
    let shared = "for i = 0 while i < n step 1 { S0(i): W[0] = A[i]; S1(i): opaque \"$0 = $1;\" of (write W[1], read W[0]); S2(i): B[i] = W[1]; }";
    let in_place = shared.replace("W[1]", "W[0]");
    assert!(compared(shared, &in_place).is_ok());
    let called = |text: &str| text.replace("(write", "(call write").replace("read W", "call read W");
    assert!(compared(&called(shared), &called(shared)).is_ok());
    assert!(differ(&called(shared), &called(&in_place)));
}

#[test]
fn a_store_converts_to_the_type_of_its_cells() {
    let with = |element: &str| {
        let body = "for i = 0 while i < n step 1 { S0(i): W[0] = A[i]; S1(i): B[i] = W[0]; }";
        program(&format!("in \"double\" A[n]; out \"double\" B[n]; temporary \"{element}\" W[1];"), body)
    };
    let sizes = sizes_to_run(&with("double"), &with("double"));
    assert!(agree(&with("double"), &with("double"), &sizes, WORK).is_ok());
    assert!(agree(&with("double"), &with("float"), &sizes, WORK).is_err());
}

#[test]
fn a_number_of_another_type_is_a_difference() {
    let with = |value: &str| {
        let body = format!("for i: u32 = 0 while i < n step 1 {{ S0(i): B[i] = {value}; }}");
        program("in \"int\": i32 A[n]; out \"long\": i64 B[n];", &body)
    };
    let agrees = |before: &str, after: &str| {
        let (before, after) = (with(before), with(after));
        agree(&before, &after, &sizes_to_run(&before, &after), WORK).is_ok()
    };
    assert!(agrees("A[i] * i", "A[i] * (i + 0 as u32)"));
    assert!(!agrees("A[i] * i", "A[i] * (i as i32)") && !agrees("A[i] * 1", "A[i] * (1 as u32)"));
    assert!(agrees("A[i]", "0 + A[i]") && !agrees("A[i]", "(0 as u32) + A[i]"), "-1 is none of unsigned");
}

#[test]
fn faults_of_the_program_after_are_differences_and_those_of_the_one_before_are_not() {
    assert!(matches!(fault(EACH, &EACH.replace("B[i]", "B[i + 1]")), FaultKind::Outside { .. }));
    assert_eq!(fault(EACH, &EACH.replace("step 1", "step 0")), FaultKind::Bound);
    assert_eq!(fault(EACH, &EACH.replace("A[i]", "A[i / (n - n)]")), FaultKind::Number);
    let beyond = EACH.replace("B[i]", "B[i + 1]");
    let ran = compared(&beyond, EACH).expect("nothing is wrong");
    assert_eq!((ran.agreed, ran.without_meaning > 0), (0, true), "{ran:?}");
}

#[test]
fn what_is_wrong_behind_a_whole_strip_only_is_seen() {
    let strips =
        "for X = 0 while X < n step 64 { for i = X while i < min(X + 64, n) step 1 { S0(i): B[i] = A[i] + 1; } }";
    assert!(compared(EACH, strips).is_ok());
    let difference = compared(EACH, &strips.replace("X < n", "X < n - 1")).expect_err("the last strip is left out");
    assert!([vec![65], vec![129], vec![1]].contains(&difference.sizes), "{difference:?}");
    let difference =
        compared(EACH, &strips.replace("X < n", "X <= n - 1 && X + n != 193")).expect_err("so is this one");
    assert_eq!(difference.sizes, [129]);
}

#[test]
fn the_bound_leaves_sizes_out_and_says_so() {
    let (before, sizes) = (program("in A[n]; out B[n];", EACH), vec![vec![2], vec![5000]]);
    let ran = agree(&before, &before, &sizes, 1000).expect("nothing is wrong");
    assert_eq!((ran.agreed, ran.left_out), (1, 1));
}

/// Over cells that data choose, and cells of which nobody says how many there are.
fn chosen(before: &str, after: &str) -> Result<Ran, Box<Difference>> {
    let buffers = "in A[n]; out B[n]; in key[n]; inout C[n]; in rows[?]; temporary s; temporary t; temporary H[2][4];";
    let (before, after) = (program(buffers, before), program(buffers, after));
    agree(&before, &after, &sizes_to_run(&before, &after), WORK)
}

const CHOSEN: &str = "for b = 0 while b < 4 step 1 { S0(b): H[0][b] = 0; }
    for i = 0 while i < n step 1 { S1(i): H[0][key[i]] = H[0][key[i]] + A[i]; }
    for i = 0 while i < n step 1 { S2(i): B[i] = H[0][key[i]]; }";

#[test]
fn a_cell_that_data_choose_is_a_function_of_all_that_it_may_be() {
    let differs = |from: &str, to: &str| {
        assert!(CHOSEN.contains(from));
        matches!(chosen(CHOSEN, &CHOSEN.replace(from, to)), Err(difference) if matches!(difference.why, Why::Cell { .. }))
    };
    let ran = chosen(CHOSEN, CHOSEN).expect("they are the same");
    assert!(ran.agreed >= 6 && ran.without_meaning == 0 && ran.left_out == 0, "{ran:?}");
    let copied = CHOSEN.replace("S1(i): H[0][key[i]]", "S3(i): s = key[i]; S1(i): H[0][s]");
    assert!(chosen(CHOSEN, &copied).is_ok_and(|ran| ran.agreed >= 6));
    assert!(differs("B[i] = H[0][key[i]]", "B[i] = H[0][key[0]]"));
    assert!(differs("H[0][key[i]] + A[i]", "H[0][key[i]] + A[0]"));
    assert!(differs("H[0][b] = 0", "H[0][b] = b"));
    assert!(differs("b = 0 while", "b = 1 while"), "a cell that may be meant has no value");
    assert!(differs("S1(i): H[0][key[i]] = H", "S1(i): H[0][0] = H"));
    let backwards = "for i = n - 1 while i >= 0 step -1 { S1";
    assert!(differs("for i = 0 while i < n step 1 { S1", backwards));
    let parallel = CHOSEN.replace("for i = 0 while i < n step 1 { S1", "parallel for i = 0 while i < n step 1 { S1");
    let race = chosen(CHOSEN, &parallel).expect_err("two iterations may write one cell").why;
    assert!(matches!(race, Why::Fault(fault) if matches!(fault.kind, FaultKind::Race { .. })));
}

#[test]
fn cells_without_a_value_are_not_chosen() {
    let read = "S0(): B[0] = C[key[0]];";
    let spoilt = format!("S1(): t = C[0]; S2(): C[0] = s; {read} S3(): C[0] = t;");
    assert!(chosen(read, &spoilt).is_err(), "the cell may be the one that has no value for a moment");
    let spoilt = "S1(): H[0][0] = 1; S2(): H[0][key[0]] = s; S3(): B[0] = H[0][0];";
    assert!(chosen("S1(): H[0][0] = 1; S3(): B[0] = H[0][0];", spoilt).is_err());
    let ran = chosen("S0(): B[0] = C[s];", read).expect("nothing is wrong");
    assert_eq!(ran.agreed, 0, "a subscript without a value has no meaning");
    let ran = chosen("S0(): B[0] = H[0][key[0]];", read).expect("nothing is wrong");
    assert_eq!(ran.agreed, 0, "no cell has a value");
}

#[test]
fn of_a_buffer_without_an_end_only_cells_that_were_used_are_there() {
    let each = "for i = 0 while i < n step 1 { S0(i): B[i] = rows[i - 1]; }";
    assert!(chosen(each, each).is_ok_and(|ran| ran.agreed >= 6));
    let ahead =
        "S1(): s = rows[0 - 1]; for i = 0 while i < n step 1 { S2(i): t = rows[i]; S0(i): B[i] = s; S3(i): s = t; }";
    let beyond = chosen(each, ahead).expect_err("it reads a cell that nobody knows").why;
    assert!(
        matches!(beyond, Why::Fault(fault) if matches!(&fault.kind, FaultKind::Outside { buffer, .. } if buffer == "rows"))
    );
    let looked_up = "for i = 0 while i < n step 1 { S0(i): B[i] = rows[key[i]]; }";
    assert!(chosen(looked_up, looked_up).is_ok_and(|ran| ran.agreed >= 6));
    assert!(chosen(looked_up, &looked_up.replace("key[i]", "key[0]")).is_err());
}

/// Iterations that may run at once, statement by statement.
#[test]
fn vectors_use_no_cell_that_an_iteration_before_writes() {
    let after = |body: &str| format!("for i = 0 while i < n step 1 {{ {body} }}");
    let is_fine = |body: &str| {
        let before = after(body);
        compared(&before, &before.replace("for i", "vector for i")).is_ok()
    };
    assert!(is_fine("S0(i): B[i] = A[i];"));
    assert!(is_fine("S0(i): W[i mod 4] = A[0]; S1(i): B[i] = W[i mod 4] * 2;").eq(&false), "the fifth writes it again");
    assert!(is_fine("if (i + 1 < n) { S0(i): B[i] = A[i]; }"));
    let shift = |body: &str| {
        let front = "for i = 0 while i < n step 1 { S0(i): B[i] = A[i]; }";
        let body = format!("for i = 1 while i < n step 1 {{ {body} }}");
        let before = format!("{front} {body}");
        compared(&before, &format!("{front} vector {body}")).is_ok()
    };
    assert!(shift("S1(i): B[i - 1] = B[i];"), "each reads what later ones write");
    assert!(!shift("S1(i): B[i] = B[i - 1];"), "each reads what the one before writes");
    assert!(!shift("S1(i): B[i - 1] = 2; S2(i): B[0] = B[i];"), "all write one cell");
    assert!(!shift("S1(i): B[i] = 2; S2(i): s = B[n - 1];"), "statement by statement the last cell is written first");
    let branch = "if (i >= 2) { S1(i): B[i - 1] = A[i]; } S2(i): W[i mod 4] = B[i];";
    assert!(!shift(branch), "S1 of a later iteration stands in front of S2");
    let declared = "S1(i): let s = A[i]; S2(i): B[i] = s;";
    assert!(is_fine(declared), "each iteration has its own");
}

/// Compilers see what becomes of a variable, but not of what others may reach.
#[test]
fn vectors_may_use_variables() {
    let body = "for i = 0 while i < n step 1 { S0(i): s = A[i] + s0; S1(i): B[i] = s; }";
    let with = |home: &str, looped: &str| {
        let buffers = format!("in A[n]; out B[n]; in s0; temporary s {home};");
        let (before, after) = (program(&buffers, body), program(&buffers, &body.replace("for i", looped)));
        agree(&before, &after, &sizes_to_run(&before, &after), WORK).is_ok()
    };
    assert!(with("stack", "vector for i") && with("inside", "vector for i"));
    assert!(!with("static", "vector for i") && !with("", "vector for i"));
    assert!(!with("stack", "parallel for i"), "threads would share it");
}

/// A transfer goes on until somebody waits for it: meanwhile its cells are nobody's.
#[test]
fn cells_of_transfers_are_used_behind_the_wait() {
    let after = "for i = 0 while i < n step 1 { with W {
        copy W[0 : 1] = A[i : 1] on 3 + i mod 2; wait 3 + i mod 2; S0(i): W[1] = W[0] + 1; copy B[i : 1] = W[1 : 1] on 1; wait 1;
    } }";
    assert!(compared(EACH, after).is_ok());
    let under_way = |after: &str| matches!(fault(EACH, after), FaultKind::UnderWay { .. });
    assert!(under_way(&after.replace("wait 3 + i mod 2; ", "")), "it is read");
    assert!(under_way(&after.replace("wait 3 + i mod 2", "wait 3")), "somebody waits for another one");
    assert!(under_way(&after.replace(" wait 1;", "")), "its memory goes");
    assert!(under_way(&after.replace("wait 1;", "S0(i): W[1] = 0; wait 1;")), "it is written");
    assert!(compared(EACH, &after.replace("wait 1;", "S0(i): W[0] = W[1]; wait 1;")).is_ok());
}

/// What memory held before the statements that it is for, or behind them, is nothing.
#[test]
fn memory_for_some_statements_begins_and_ends_with_them() {
    let with = "for i = 0 while i < n step 1 { with s { S0(i): s = A[i]; S0(i): B[i] = s + 1; } }";
    assert!(compared(EACH, with).is_ok());
    assert!(differ(EACH, &with.replace("S0(i): s = A[i];", "if (i == 0) { S0(i): s = A[i]; }")));
    assert!(differ(EACH, &with.replace("S0(i): B[i] = s + 1; }", "} S0(i): B[i] = s + 1;")));
}
