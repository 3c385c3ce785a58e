//! Programs before and after a pass, each pair in a file: judged by the validator and by execution.

use polyfold_isl::Context;
use polyfold_program::{Invariant, Program, Stmt};
use polyfold_prove::validate::{Obligation, Refusal, Verdict, dataflow, lockstep};
use polyfold_replay::terms::{agree, sizes_to_run};
use polyfold_testgen::mutants;
use std::path::{Path, PathBuf};

/// Elementary steps of isl for one pair.
const STEPS: u64 = 200_000_000;

/// Statements and iterations for one pair.
const WORK: u64 = 3_000_000;

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(folder);
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("an entry").path()).collect();
    files.sort();
    files
}

fn pair(file: &Path) -> (Program, Program) {
    let text = std::fs::read_to_string(file).expect("it can be read");
    let all = Program::read_all(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    <[Program; 2]>::try_from(all).map(|[before, after]| (before, after)).expect("two programs")
}

#[test]
fn every_pair_leaves_the_same_terms() {
    for file in files("lockstep").into_iter().chain(files("dataflow")) {
        let (before, after) = pair(&file);
        let ran = agree(&before, &after, &sizes_to_run(&before, &after), WORK);
        let ran = ran.unwrap_or_else(|difference| panic!("{}: {difference:?}", file.display()));
        assert!(ran.agreed >= 6, "{}: {ran:?}", file.display());
    }
}

/// What the pass said of its loops is looked for. Of three pairs the search doesn't find all; passes say it.
#[test]
#[ignore = "takes a minute"]
fn pairs_are_proved_without_what_the_pass_says() {
    let mut refused = Vec::new();
    for file in files("lockstep") {
        let (before, mut after) = pair(&file);
        forget(&mut after.body);

        let verdict = lockstep(&Context::new(), &before, &after, 20 * STEPS).expect("isl works");

        if !matches!(verdict, Verdict::Same { .. }) {
            refused.push(file.file_stem().expect("a name").display().to_string());
        }
    }
    assert_eq!(refused, ["divided_sizes", "lines_of_squares", "segments"]);
}

fn forget(body: &mut [Stmt]) {
    for stmt in body {
        match stmt {
            Stmt::For(own) => {
                own.invariant = Invariant::default();
                forget(&mut own.body);
            }
            Stmt::If { then, other, .. } => [then, other].into_iter().for_each(|list| forget(list)),
            _ => {}
        }
    }
}

#[test]
fn every_pair_is_proved_in_lockstep() {
    for file in files("lockstep") {
        let (before, after) = pair(&file);

        let verdict = lockstep(&Context::new(), &before, &after, STEPS).expect("isl works");

        assert!(matches!(verdict, Verdict::Same { .. }), "{}: {verdict:?}", file.display());
    }
}

#[test]
fn every_pair_has_the_same_dataflow() {
    for file in files("dataflow") {
        let (before, after) = pair(&file);

        let verdict = dataflow(&Context::new(), &before, &after, STEPS).expect("isl works");

        assert!(matches!(verdict, Verdict::Same { .. }), "{}: {verdict:?}", file.display());
    }
}

/// Whatever execution tells apart, no validator accepts.
#[test]
fn no_hostile_pair_is_accepted() {
    let text = include_str!("hostile_pairs.txt");
    let mut told_apart = 0;
    for part in text.split("=== ").skip(1) {
        let (name, text) = part.split_once('\n').expect("a name");
        let all = Program::read_all(text).unwrap_or_else(|error| panic!("{name}: {error}"));
        let [before, after] = &all[..] else { panic!("{name}: two programs are wanted") };
        let differs = agree(before, after, &many_sizes(before), WORK).is_err();
        told_apart += usize::from(differs);
        for (folder, validator) in FOLDERS {
            let verdict = validator(&Context::new(), before, after, 2_000_000).expect("isl works");
            assert!(!differs || matches!(verdict, Verdict::Refused(_)), "{name}: {folder} accepts it");
        }
    }
    assert!(told_apart > 30, "{told_apart}");
}

/// The value of an unsigned counter stays unsigned, and an `int` isn't that.
#[test]
fn numbers_have_types() {
    let of = |value: &str| {
        let text = format!("program p(n) {{ in \"int\": i32 A; out \"long\": i64 B; S0(): B = {value}; }}");
        Program::read(&text).expect("a program")
    };
    let (int, unsigned) = (of("A * 1"), of("A * (1 as u32)"));
    for (before, after) in [(&int, &int), (&unsigned, &unsigned), (&int, &unsigned), (&unsigned, &int)] {
        let is_one = before == after;
        assert_eq!(agree(before, after, &many_sizes(before), WORK).is_ok(), is_one, "{after}");
        for (folder, validator) in FOLDERS {
            let verdict = validator(&Context::new(), before, after, 2_000_000).expect("isl works");
            assert_eq!(matches!(verdict, Verdict::Same { .. }), is_one, "{folder}: {after}");
        }
    }
}

/// What was made of a program's mutants.
#[derive(Debug, Default)]
struct Tally {
    mutants: usize,
    /// Execution at more sizes than the product takes shows a difference.
    wrong: usize,
    /// The product's sizes show it, too.
    seen: usize,
    /// The validator refuses what is wrong.
    refused: usize,
    /// And what isn't.
    refused_harmless: usize,
}

/// Steps of isl for one mutant: what takes longer is refused.
const MUTANT_STEPS: u64 = 20_000_000;

type Validator = fn(&Context, &Program, &Program, u64) -> polyfold_isl::Result<Verdict>;

/// A folder of pairs, and what proves them.
const FOLDERS: [(&str, Validator); 2] = [("lockstep", lockstep), ("dataflow", dataflow)];

/// Of some mutants of a pair, from all parts of the program.
fn tally(file: &Path, validator: Validator, most: usize) -> Tally {
    let (before, after) = pair(file);
    let sizes = sizes_to_run(&before, &after);
    let mut tally = Tally::default();
    let all = mutants(&after);
    let step = all.len().div_ceil(most).max(1);
    for mutant in all.into_iter().step_by(step) {
        let difference = agree(&before, &mutant.program, &many_sizes(&before), 20 * WORK).err();
        let verdict = validator(&Context::new(), &before, &mutant.program, MUTANT_STEPS).expect("isl works");
        let is_refused = matches!(verdict, Verdict::Refused(_));
        tally.mutants += 1;
        match difference {
            Some(difference) => {
                tally.wrong += 1;
                tally.seen += usize::from(agree(&before, &mutant.program, &sizes, WORK).is_err());
                tally.refused += usize::from(is_refused);
                let name = file.file_name().expect("a name").display();
                assert!(is_refused, "{name}, {}: {difference:?} in\n{}", mutant.kind, mutant.program);
            }
            None => tally.refused_harmless += usize::from(is_refused),
        }
    }
    tally
}

/// All sizes from 1 to 9, or to 7 where there are more than two; and some of 25 and 49.
fn many_sizes(program: &Program) -> Vec<Vec<i64>> {
    let count = program.parameters.len();
    let most = if count > 2 { 7 } else { 9 };
    let mut all = vec![Vec::new()];
    for _ in 0..count {
        let longer = |sizes: &Vec<i64>| (1..=most).map(|size| [&sizes[..], &[size]].concat()).collect::<Vec<_>>();
        all = all.iter().flat_map(longer).collect();
    }
    all.extend([25, 49].map(|size| vec![size; count]));
    all
}

#[test]
fn a_wrong_mutant_is_refused() {
    for (folder, validator) in FOLDERS {
        for file in files(folder) {
            let tally = tally(&file, validator, 5);
            assert!(tally.wrong > 0, "{}: {tally:?}", file.display());
        }
    }
}

/// `cargo test --release -p polyfold-prove --test all all_wrong -- --ignored --nocapture` prints the table.
#[test]
#[ignore = "takes minutes"]
fn all_wrong_mutants_are_refused() {
    println!(
        "{:<24} {:>8} {:>6} {:>10} {:>8} {:>17}",
        "pair", "mutants", "wrong", "execution", "refused", "harmless refused"
    );
    let mut all = Tally::default();
    let row = |name: &str, tally: &Tally| {
        let Tally { mutants, wrong, seen, refused, refused_harmless } = tally;
        println!("{name:<24} {mutants:>8} {wrong:>6} {seen:>10} {refused:>8} {refused_harmless:>17}");
    };
    for (folder, validator) in FOLDERS {
        for file in files(folder) {
            let own = tally(&file, validator, usize::MAX);
            row(&file.file_stem().expect("a name").display().to_string(), &own);
            all.mutants += own.mutants;
            all.wrong += own.wrong;
            all.seen += own.seen;
            all.refused += own.refused;
            all.refused_harmless += own.refused_harmless;
        }
    }
    row("all", &all);
}

/// `W` has two cells in a circle; the program after counts where it is in it.
fn circle(body: &str) -> Program {
    let head = "program p(n) where n >= 1 { in A[n]; out B[n]; temporary W[2];";
    Program::read(&format!("{head} {body} }}")).expect("a program")
}

const PLAIN: &str = "for i = 0 while i < n step 1 { S0(i): W[i mod 2] = A[i]; S1(i): B[i] = W[i mod 2] * 2.0; }";

const COUNTED: &str = "int w = 0;
    for i = 0 while i < n step 1 {
        S0(i): W[w] = A[i]; S1(i): B[i] = W[w] * 2.0;
        w = (w + 1 < 2 ? w + 1 : 0);
    }";

#[test]
fn pointers_end_right_behind_an_array() {
    let program =
        |body: &str| Program::read(&format!("program p() {{ in A[4]; out B[4][4]; {body} }}")).expect("it is one");
    let judged = |column: usize| {
        let before = program(&format!("for i = 0 while i < 4 step 1 {{ S0(i): B[i][{column}] = A[i]; }}"));
        let after = program(&format!(
            "pointer p = &B[0][{column}]; for i = 0 while i < 4 step 1 pointing p = &B[i][{column}] {{ S0(i): p[0] = A[i]; p = &p[1][0]; }}"
        ));
        lockstep(&Context::new(), &before, &after, STEPS).expect("isl works")
    };
    let same = judged(0);
    assert!(matches!(same, Verdict::Same { .. }), "{same:?}");
    assert!(matches!(judged(1), Verdict::Refused(Refusal { why: Obligation::Outside, .. })));
}

#[test]
fn what_is_not_shown_is_named() {
    use Obligation::*;
    let refused = |after: &str| match lockstep(&Context::new(), &circle(PLAIN), &circle(after), STEPS).expect("isl") {
        Verdict::Refused(refusal) => refusal.why,
        Verdict::Same { .. } => panic!("accepted: {after}"),
    };
    let with = |from: &str, to: &str| {
        assert!(COUNTED.contains(from), "{from}");
        refused(&COUNTED.replace(from, to))
    };
    let same = lockstep(&Context::new(), &circle(PLAIN), &circle(COUNTED), STEPS).expect("isl");
    assert!(matches!(same, Verdict::Same { .. }), "{same:?}");
    assert_eq!(with("w + 1 < 2", "w + 1 <= 2"), Outside);
    assert_eq!(with("w = (w + 1 < 2 ? w + 1 : 0);", ""), OtherCell);
    assert_eq!(with("* 2.0", "* 3.0"), OtherValue);
    assert_eq!(with("A[i]", "A[n - 1]"), OtherCell);
    assert_eq!(with("i < n ", "i < n - 1 "), Missing);
    assert_eq!(with("i < n ", "i <= n "), NoInstance);
    assert_eq!(with("i = 0", "i = 1"), Cursor);
    assert_eq!(with("S0(i): W[w] = A[i]; ", ""), AnotherIsDue);
    assert_eq!(with("S1(i): ", "S0(i): W[w] = A[i]; S1(i): "), HasRun);
    assert_eq!(with("S1", "S7"), NoStatement);
    assert_eq!(with("int w = 0;", "if (n < 0) { int w = 0; }"), NoValue);
    assert_eq!(with("w + 1 : 0", "w / n : 0"), NotLinear);
    assert_eq!(with("w + 1 : 0", "w % (n - 1) : 0"), ModulusMayBeZero);
    assert_eq!(with("step 1 {", "step 1 where w >= 1 {"), Head);
    assert_eq!(with("for i", "parallel for i"), Unsupported("parallel loops"));
    assert_eq!(with("int w = 0;", "int w = 0; copy W[0 : 2] = W[1 : 2];"), Unsupported("copies"));
    assert_eq!(
        refused("int i = 0; for i while i < n { S0(i): W[i % 2] = A[i]; S1(i): B[i] = W[i % 2] * 2.0; }"),
        Cursor
    );
    let other = Program::read(&circle(COUNTED).to_string().replace("W[2];", "W[3];")).expect("a program");
    let verdict = lockstep(&Context::new(), &circle(PLAIN), &other, STEPS).expect("isl");
    assert!(matches!(verdict, Verdict::Refused(Refusal { why: Interface, .. })), "{verdict:?}");
    let verdict = lockstep(&Context::new(), &circle(PLAIN), &circle(COUNTED), 1000).expect("isl");
    assert!(matches!(verdict, Verdict::Refused(Refusal { why: Bound, .. })), "{verdict:?}");
}

/// The trial's validator accepted a loop that never ends at first.
#[test]
fn a_loop_that_may_not_end_is_refused() {
    let plain = "for i = 0 while i < n step 1 { S0(i): B[i] = A[i]; }";
    let twice = "int i = 0; for i while i < n { if (i < n - 1) { S0(i): B[i] = A[i]; i = i + 1; } }";
    let verdict = lockstep(&Context::new(), &circle(plain), &circle(twice), STEPS).expect("isl");
    assert!(matches!(&verdict, Verdict::Refused(Refusal { why: Obligation::MayNotEnd, .. })), "{verdict:?}");
}

#[test]
fn what_the_dataflow_does_not_show_is_named() {
    use Obligation::*;
    let source = "for i = 0 while i < n step 1 { S0(i): W[i mod 2] = A[i]; }
        for i = 1 while i < n step 1 { S1(i): B[i] = W[1] + A[i]; }";
    let moved = "for i = 0 while i < n step 1 { S0(i): W[(i + 1) mod 2] = A[i]; }
        for i = 1 while i < n step 1 { S1(i): B[i] = W[0] + A[i]; }";
    let judged = |after: &str| dataflow(&Context::new(), &circle(source), &circle(after), STEPS).expect("isl");
    let refused = |from: &str, to: &str| {
        assert!(moved.contains(from), "{from}");
        match judged(&moved.replace(from, to)) {
            Verdict::Refused(refusal) => refusal.why,
            Verdict::Same { .. } => panic!("accepted: {to}"),
        }
    };
    assert!(matches!(judged(moved), Verdict::Same { .. }));
    assert_eq!(refused("W[0]", "W[1]"), OtherCell);
    assert_eq!(refused("B[i] = W[0] + A[i]", "B[i] = W[0] + A[0]"), OtherCell);
    assert_eq!(refused("+ A[i]", "- A[i]"), OtherValue);
    assert_eq!(refused("i = 1", "i = 0"), NoInstance);
    assert_eq!(refused("S1(i)", "S2(i)"), NoStatement);
    assert_eq!(refused("B[i] = W[0]", "B[i - 1] = W[0]"), OtherCell);
    assert_eq!(refused("W[(i + 1) mod 2]", "W[i]"), Outside);
    assert_eq!(refused("i + 1", "i * n"), NotLinear);
    assert_eq!(refused("S1(i): ", "S0(0): W[1] = A[0]; S1(i): "), NoInstance);
}

#[test]
fn cells_that_other_data_choose_are_other_cells() {
    let program = |value: &str| {
        let text = "program p(n) where n >= 1 { in A[n]; in key[n]; out B[n]; temporary W[2];
            for i = 0 while i < n step 1 { S0(i): W[i % 2] = key[i]; S1(i): B[i] = VALUE; } }";
        Program::read(&text.replace("VALUE", value)).expect("a program")
    };
    let is_same = |before: &str, after: &str| {
        let verdict = lockstep(&Context::new(), &program(before), &program(after), STEPS).expect("isl works");
        matches!(verdict, Verdict::Same { .. })
    };
    assert!(is_same("A[W[i % 2]]", "A[W[i % 2]]"));
    assert!(is_same("A[W[i % 2] + 1]", "A[W[i % 2] + 1]"));
    assert!(!is_same("A[W[i % 2]]", "A[W[(i + 1) % 2]]"));
    assert!(!is_same("A[W[i % 2] + 1]", "A[W[i % 2] + 2]"));
    assert!(!is_same("A[W[i % 2]]", "A[key[i]]"));
    assert!(!is_same("A[W[i % 2]]", "A[i]"));
    assert!(!is_same("A[i]", "A[W[i % 2]]"));
}

/// What validators don't know they refuse, of a program and itself. Only the dataflow goes by how many cells there are.
#[test]
fn cells_that_data_choose_and_buffers_without_an_end_are_refused() {
    let refusals = |buffers: &str, value: &str| {
        let text = format!(
            "program p(n) where n >= 1 {{ {buffers} out B[n]; for i = 0 while i < n step 1 {{ S0(i): B[i] = {value}; }} }}"
        );
        let program = Program::read(&text).expect("a program");
        [lockstep, dataflow].map(|validator| {
            match validator(&Context::new(), &program, &program, STEPS).expect("isl works") {
                Verdict::Same { .. } => None,
                Verdict::Refused(Refusal { why, .. }) => Some(why),
            }
        })
    };
    assert_eq!(refusals("in A[n]; in key[n];", "A[i]"), [None, None]);
    let chosen = Obligation::Unsupported("subscripts that data decide");
    assert_eq!(refusals("in A[n]; in key[n];", "A[key[i]]"), [None, Some(chosen)]);
    let open = Obligation::Unsupported("buffers of which nobody says how many cells they have");
    assert_eq!(refusals("in A[?];", "A[i]"), [None, Some(open)]);
    assert_eq!(refusals("in A[n, 3];", "A[i][2]"), [None, None], "rows in one dimension are rows");
}

#[test]
fn an_array_and_its_new_storage_may_have_one_name() {
    let text = "program p(n) where n >= 1 { in A[n]; out B[n]; temporary V[n]; temporary W[2];
        for i = 0 while i < n step 1 { S0(i): W[i mod 2] = A[i]; S1(i): B[i] = W[i mod 2]; } }";
    let named = |text: &str| {
        let mut program = Program::read(text).expect("a program");
        program.buffers.iter_mut().filter(|own| own.name == "V").for_each(|own| own.name = "W".to_string());
        program
    };
    let judged = |after: &Program| lockstep(&Context::new(), &named(text), after, STEPS).expect("isl works");
    assert!(matches!(judged(&named(text)), Verdict::Same { .. }));
    let refused = |after: &Program| matches!(judged(after), Verdict::Refused(_));
    assert!(refused(&named(&text.replace("S1(i): B[i] = W", "S1(i): B[i] = V"))));
    // Both of the second program's would stand for one of the first.
    let mut again = named(text);
    again.buffers.insert(0, again.buffers[3].clone());
    assert!(refused(&again));
}

#[test]
fn a_scalar_is_copied_to_one_cell() {
    let head = "program p(n) where n >= 1 { in A[n]; out B[n]; temporary W[2]; temporary x;";
    let program = |body: &str| Program::read(&format!("{head} {body} }}")).expect("a program");
    let before = program("S0(0): W[1] = A[0]; S1(0): B[0] = W[1];");
    let copied = |count: &str| {
        let after = program(&format!("S0(0): x = A[0]; copy W[1 : {count}] = x; S1(0): B[0] = W[1];"));
        dataflow(&Context::new(), &before, &after, STEPS).expect("isl works")
    };
    assert!(matches!(copied("1"), Verdict::Same { .. }), "{:?}", copied("1"));
    assert!(matches!(copied("n"), Verdict::Refused(_)));
    assert!(matches!(copied("0"), Verdict::Refused(_)));
}
