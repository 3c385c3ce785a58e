//! Copies of a border are proved to change nothing, or refused: programs in one dimension, with each copy in its place.

use crate::support;
use polyfold_flow::{Model, time_loops};
use polyfold_isl::Context;
use polyfold_prove::{Copies, copies_change_nothing};
use polyfold_scop::{Scop, StatementId};

/// A program with copies; what has a label `copy…` is added, and loops from `FIRST` to `PAST` are longer with them.
#[derive(Clone)]
struct Program {
    head: String,
    front: String,
    step: String,
    behind: String,
}

impl Program {
    /// Q is filled in front, and each step computes P out of it and copies it back.
    fn one_border() -> Program {
        Program {
            head: "void f(int n, int steps, const double in[n], const int at[n], double out[n]) {\n  double P[n], Q[n], R[n];".into(),
            front: "for (int i = 0; i < n; i++) Q[i] = in[i];".into(),
            step: "copy1: P[0] = Q[0]; copy2: P[n - 1] = Q[n - 1];
    for (int i = 1; i < n - 1; i++) P[i] = Q[i - 1] + Q[i + 1];
    for (int i = FIRST; i < PAST; i++) Q[i] = P[i];"
                .into(),
            behind: "for (int i = 0; i < n; i++) out[i] = Q[i];".into(),
        }
    }

    /// Both are filled in front with the same.
    fn like_borders() -> Program {
        let front = "for (int i = 0; i < n; i++) Q[i] = in[i]; for (int k = 0; k < n; k++) P[k] = in[k];";
        let step = "copy1: P[0] = Q[0]; copy2: P[n - 1] = Q[n - 1];
    for (int i = 1; i < n - 1; i++) P[i] = Q[i - 1] + Q[i + 1];
    copy3: Q[0] = P[0]; copy4: Q[n - 1] = P[n - 1];
    for (int i = 1; i < n - 1; i++) Q[i] = P[i - 1] + P[i + 1];";
        Program { front: front.into(), step: step.into(), ..Program::one_border() }
    }

    /// Two grids take turns in one array, and both are filled in front.
    fn taking_turns() -> Program {
        Program {
            head: "void f(int n, int steps, const double in[n], const int at[n], double out[n]) {\n  double A[2][n];"
                .into(),
            front: "for (int i = 0; i < n; i++) A[0][i] = in[i]; for (int k = 0; k < n; k++) A[1][k] = in[k];".into(),
            step: "copy1: A[(t + 1) % 2][0] = A[t % 2][0]; copy2: A[(t + 1) % 2][n - 1] = A[t % 2][n - 1];
    for (int i = 1; i < n - 1; i++) A[(t + 1) % 2][i] = A[t % 2][i - 1] + A[t % 2][i + 1];"
                .into(),
            behind: "for (int i = 0; i < n; i++) out[i] = A[steps % 2][i];".into(),
        }
    }

    #[track_caller]
    fn with(mut self, part: fn(&mut Program) -> &mut String, from: &str, to: &str) -> Program {
        let text = part(&mut self);
        assert!(text.contains(from), "no {from} in {text}");
        *text = text.replace(from, to);
        self
    }

    #[track_caller]
    fn step(self, from: &str, to: &str) -> Program {
        self.with(|program| &mut program.step, from, to)
    }

    #[track_caller]
    fn front(self, from: &str, to: &str) -> Program {
        self.with(|program| &mut program.front, from, to)
    }

    #[track_caller]
    fn head(self, from: &str, to: &str) -> Program {
        self.with(|program| &mut program.head, from, to)
    }

    fn in_front(mut self, more: &str) -> Program {
        self.front += more;
        self
    }

    fn behind(mut self, more: &str) -> Program {
        self.behind += more;
        self
    }

    fn text(&self) -> String {
        let Program { head, front, step, behind } = self;
        format!(
            "{head}\n#pragma scop\n  {front}\n  for (int t = 0; t < steps; t++) {{\n    {step}\n  }}\n  {behind}\n#pragma endscop\n}}\n"
        )
    }

    fn longer(&self) -> String {
        self.text().replace("FIRST", "0").replace("PAST", "n")
    }

    fn before(&self) -> String {
        let text = self.text().replace("FIRST", "1").replace("PAST", "n - 1");
        let mut parts = text.split("copy");
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |text, part| text + part.split_once(';').expect("a copy ends").1)
    }

    fn is_proved(&self) -> bool {
        is_proved(&self.before(), &self.longer())
    }
}

fn is_proved(before: &str, longer: &str) -> bool {
    let (ctx, old, new) = (Context::new(), support::scop(before), support::scop(longer));
    let origins = origins(&new);
    let copies = Copies {
        origins: &origins,
        time: time_loops(&new.body).find(|l| l.iterator == "t").expect("there are steps").id,
    };
    copies_change_nothing(&Model::build(&ctx, &old).unwrap(), &Model::build(&ctx, &new).unwrap(), &copies).unwrap()
}

fn origins(longer: &Scop) -> Vec<Option<StatementId>> {
    let mut next = 0;
    let origin = |name: &str| {
        (!name.starts_with("copy")).then(|| {
            next += 1;
            StatementId(next - 1)
        })
    };
    longer.statements.iter().map(|statement| statement.name.as_str()).map(origin).collect()
}

#[test]
fn copies_there_and_back_change_nothing() {
    let program = Program::one_border();
    assert!(program.is_proved());
    let apart = program.clone().step("FIRST", "1").step("PAST", "n - 1");
    let back =
        Program { step: apart.step.clone() + " copy3: Q[0] = P[0]; copy4: Q[n - 1] = P[n - 1];", ..apart.clone() };
    assert!(back.is_proved());
    assert!(apart.is_proved(), "copies that nobody reads");
}

#[test]
fn copies_of_what_is_there_change_nothing() {
    assert!(Program::like_borders().is_proved());
    let assign = |value: &str| Program::like_borders().front("in[i]", value).front("in[k]", &value.replace('i', "k"));
    for value in ["0.5", "n", "(float)0.25 * n", "0.5f * at[i] + 2", "2 * at[i] + at[0]"] {
        assert!(assign(value).is_proved(), "{value}");
    }
}

#[test]
fn other_cells_are_not_restored() {
    let refused = [
        ("the other end", Program::one_border().step("copy1: P[0] = Q[0]", "copy1: P[0] = Q[n - 1]")),
        ("no visit", Program::one_border().step("copy2: P[n - 1] = Q[n - 1];", "")),
        ("another grid", Program::one_border().in_front("R[0] = 1;").step("P[0] = Q[0]", "P[0] = R[0]")),
        (
            "a cell restored late",
            Program::one_border().step("copy1: P[0] = Q[0];", "").step("= P[i];", "= P[i]; copy1: P[0] = Q[0];"),
        ),
    ];
    for (what, program) in refused {
        assert!(!program.is_proved(), "{what}: {}", program.longer());
    }
}

/// What takes another value to a cell overwrites it before anybody reads it, but the copy there and back has taken it along.
#[test]
fn a_cell_that_is_restored_is_not_visited() {
    let program = Program::one_border().in_front("R[0] = 1;").step("copy1:", "copy0: Q[0] = R[0]; copy1:");
    assert!(!program.is_proved());
}

#[test]
fn borders_that_change_are_refused() {
    let refused = [
        ("in the loop", Program::one_border().step("= P[i];", "= P[i]; Q[0] = 0.5 * Q[0];")),
        ("perhaps", Program::one_border().step("= P[i];", "= P[i]; if (in[0] > 0) Q[0] = 0;")),
        ("a copy that is read", Program::one_border().in_front("P[0] = 1;").behind("out[0] = P[0];")),
        (
            "never filled",
            Program::one_border().front("int i = 0", "int i = 1").with(|p| &mut p.behind, "int i = 0", "int i = 1"),
        ),
    ];
    for (what, program) in refused {
        assert!(!program.is_proved(), "{what}: {}", program.longer());
    }
}

#[test]
fn more_than_copies_is_refused() {
    let refused = [
        ("a product", Program::one_border().step("P[0] = Q[0]", "P[0] = 2 * Q[0]")),
        ("another type", Program::one_border().head("double P[n], Q[n]", "float P[n]; double Q[n]")),
        ("a parameter", Program::one_border().step("copy1: P[0] = Q[0];", "copy1: P[0] = Q[0]; copy3: out[0] = Q[0];")),
        ("in front of the loop", Program::one_border().in_front("copy3: P[0] = Q[0];")),
        ("where data decides", Program::one_border().step("copy1:", "if (in[0] > 0) copy1:")),
    ];
    for (what, program) in refused {
        assert!(!program.is_proved(), "{what}: {}", program.longer());
    }
}

/// The sizes are constants: no size is left for which the copies stay inside.
#[test]
fn copies_outside_of_their_arrays_are_refused() {
    let program = Program::one_border()
        .head("double P[n], Q[n]", "double P[9], Q[10]")
        .front("i < n", "i < 10")
        .step("n - 1", "9")
        .with(|p| &mut p.behind, "i < n", "i < 10");
    let sized = |text: &str| text.replace("PAST", "10").replace("t < steps", "t < 4");
    let before = sized(&program.text().replace("PAST", "9")).replace("FIRST", "1");
    let strip = |text: &str| text.replace("copy1: P[0] = Q[0]; copy2: P[9] = Q[9];", "");
    let longer = sized(&program.text()).replace("FIRST", "0");
    assert!(!is_proved(&strip(&before), &longer));
    let larger = |text: &str| text.replace("double P[9]", "double P[10]");
    assert!(is_proved(&larger(&strip(&before)), &larger(&longer)));
}

/// For n = 0 the loops go past the largest number, and C gives that a meaning as long as nothing is accessed.
#[test]
fn copies_are_proved_for_all_sizes_that_c_allows() {
    let program = Program::one_border().head("int n", "unsigned n").head("double P[n], Q[n]", "double P[50], Q[50]");
    let program =
        program.front("int i", "unsigned i").step("int i", "unsigned i").with(|p| &mut p.behind, "int i", "unsigned i");
    assert!(!program.is_proved());
}

/// The first statement sees what the run before left in P: nothing, or a copy.
#[test]
fn what_an_earlier_run_left_is_not_overwritten() {
    let again = |program: Program| {
        let [before, longer] = [program.before(), program.longer()].map(|text| {
            let text = text.replace("#pragma scop", "  for (int r = 0; r < 2; r++) {\n#pragma scop");
            text.replace("#pragma endscop", "#pragma endscop\n  }")
        });
        is_proved(&before, &longer)
    };
    assert!(again(Program::one_border()));
    let looks_back = Program::one_border().front("for", "out[0] += P[0]; for").behind("P[0] = 1;");
    assert!(!again(looks_back));
}

#[test]
fn the_program_stays_the_same() {
    let program = Program::one_border();
    let (before, longer) = (program.before(), program.longer());
    let other = |from: &str, to: &str| {
        assert!(longer.contains(from), "{from}");
        is_proved(&before, &longer.replacen(from, to, 1))
    };
    assert!(is_proved(&before, &longer));
    assert!(!other("for (int i = 0; i < n; i++) out", "for (int i = 0; i < n - 1; i++) out"), "fewer operations");
    assert!(!other("out[i] = Q[i]", "out[i] = Q[n - 1 - i]"), "other cells");
    assert!(!other("for (int i = 0; i < n; i++) out", "for (int i = n - 1; i >= 0; i--) out"), "another order");
    let last = |text: &str| text.replace("out[i] = Q[i]", "out[0] = Q[i]");
    assert!(is_proved(&last(&before), &last(&longer)));
    let turned = last(&longer).replace("for (int i = 0; i < n; i++) out", "for (int i = n - 1; i >= 0; i--) out");
    assert!(!is_proved(&last(&before), &turned), "the last one decides");
    assert!(!is_proved(&longer, &longer), "statements are missing");
}

#[test]
fn borders_of_grids_that_take_turns() {
    let program = Program::taking_turns();
    assert!(program.is_proved());
    let of_the_second = |front: &str| {
        let first = "for (int i = 0; i < n; i++) A[0][i] = in[i];";
        Program { front: format!("{first} {front}"), ..Program::taking_turns() }
    };
    let ends = of_the_second("A[1][0] = A[0][0]; A[1][n - 1] = A[0][n - 1];");
    assert!(ends.is_proved(), "the ends, from each other");
    assert!(of_the_second("A[1][0] = in[0]; A[1][n - 1] = in[n - 1];").is_proved(), "the ends");
    let refused = [
        ("other values", program.clone().front("= in[k]", "= 2 * in[k]")),
        ("a value at one end", program.clone().in_front("A[1][0] = 0;")),
        ("a value that is gone", ends.clone().in_front("A[0][0] = 0;")),
        ("one end", of_the_second("A[1][0] = A[0][0];")),
        ("the other end", of_the_second("A[1][0] = A[0][n - 1]; A[1][n - 1] = A[0][0];")),
        ("half of it", of_the_second("A[1][0] = 0.5 * A[0][0]; A[1][n - 1] = A[0][n - 1];")),
        ("written in every second turn", program.clone().step("copy1:", "A[1][0] = 3; copy1:")),
        ("written in the last turn", program.clone().step("copy1:", "if (t == steps - 1) A[t % 2][0] = 3; copy1:")),
        ("a grid further", program.clone().step("= A[t % 2][0];", "= A[t % 2][1];")),
    ];
    for (what, program) in refused {
        assert!(!program.is_proved(), "{what}: {}", program.longer());
    }
    let steps = |from: &str, to: &str| {
        let [before, longer] = [program.before(), program.longer()].map(|text| text.replace(from, to));
        assert_ne!(before, program.before());
        is_proved(&before, &longer)
    };
    assert!(steps("t = 0; t < steps", "t = 1; t < steps"));
}

/// For small sizes there are fewer cells than a border is wide.
#[test]
fn wide_borders_are_copied_as_far_as_there_are_cells() {
    let step = "for (int i = 0; i < 2 && i < n; i++) { copy1: A[(t + 1) % 2][i] = A[t % 2][i]; }
    for (int i = n - 2 > 2 ? n - 2 : 2; i < n; i++) { copy2: A[(t + 1) % 2][i] = A[t % 2][i]; }
    for (int i = 2; i < n - 2; i++) A[(t + 1) % 2][i] = A[t % 2][i - 2] + A[t % 2][i + 2];";
    let program = Program { step: step.into(), ..Program::taking_turns() };
    assert!(program.is_proved());
    assert!(!program.clone().step("i < 2 && i < n", "i < 2").is_proved(), "n = 1");
    assert!(!program.step("n - 2 > 2 ? n - 2 : 2", "n - 2").is_proved(), "n = 1");
}

/// What is handed on through a narrower array is another value.
#[test]
fn values_that_are_handed_on_keep_their_type() {
    let through = "for (int i = 0; i < n; i++) Q[i] = in[i]; for (int i = 0; i < n; i++) R[i] = Q[i]; for (int k = 0; k < n; k++) P[k] = R[k];";
    let program = Program { front: through.into(), ..Program::like_borders() };
    assert!(program.is_proved());
    assert!(!program.clone().head("P[n], Q[n], R[n];", "P[n], Q[n]; float R[n];").is_proved());
    assert!(!program.front("R[i] = Q[i]", "R[i] = Q[i] + 1").is_proved());
}

#[test]
fn unlike_borders_are_refused() {
    let of_both = |q: &str, p: &str| Program::like_borders().front("in[i]", q).front("in[k]", p);
    let refused = [
        ("another value", of_both("in[i]", "2 * in[k]")),
        ("other cells", of_both("in[i]", "in[n - 1 - k]")),
        ("another array", of_both("in[i]", "at[k]")),
        ("cells that nobody can tell", of_both("in[at[i]]", "in[at[k] / 2]")),
        ("squares", of_both("in[i * i]", "in[k * k * k]")),
        ("the counter", of_both("i", "k")),
        ("a place of the file", of_both("__LINE__", "__LINE__")),
        (
            "what is written",
            Program::like_borders()
                .front("for (int k", "R[0] = 1; for (int k")
                .front("in[k]", "R[0]")
                .front("in[i]", "R[0]"),
        ),
        ("less", Program::like_borders().front("k = 0", "k = 1")),
        ("written again", Program::like_borders().in_front("P[0] = 1;")),
        ("an output, which may be the input", Program::like_borders().front("for (int k", "out[0] = 1; for (int k")),
        ("changed in the loop", Program::like_borders().step("copy3", "P[0] = 2; copy3")),
    ];
    for (what, program) in refused {
        assert!(!program.is_proved(), "{what}: {}", program.longer());
    }
}

/// A product of an `int` and 2 is another one than that of an `int` and an unsigned 2.
#[test]
fn values_of_borders_have_their_types() {
    let is_proved = |q: &str, p: &str| Program::like_borders().front("in[i]", q).front("in[k]", p).is_proved();
    for (q, p) in [
        ("2 * at[i]", "2 * at[k]"),
        ("n * at[i]", "n * at[k]"),
        ("(unsigned)2 * at[i]", "(unsigned)2 * at[k]"),
        ("at[i] < n - 1", "at[k] < n - 1"),
    ] {
        assert!(is_proved(q, p), "{q} and {p}");
    }
    for (q, p) in [
        ("2 * at[i]", "2u * at[k]"),
        ("2 * at[i]", "(unsigned)2 * at[k]"),
        ("n * at[i]", "(long)n * at[k]"),
        ("(long)(n - 9) + at[i]", "(long)((unsigned)n - 9) + at[k]"),
        ("(n - 9) / 2 + at[i]", "((unsigned)n - 9) / 2 + at[k]"),
        ("n - 9 > 3 ? at[i] : 1", "(unsigned)n - 9 > 3 ? at[k] : 1"),
    ] {
        assert!(!is_proved(q, p), "{q} and {p}");
    }
}

/// The same word stands for one counter here and for another one there.
#[test]
fn words_that_stand_for_others_are_not_alike() {
    let turned = "for (int i = 0; i < n; i++) Q[i] = VALUE; for (int k = 0; k < n; k++) for (int i = k; i < k + 1; i++) P[n - 1 - i] = VALUE;";
    let program = |value: &str| Program { front: turned.replace("VALUE", value), ..Program::like_borders() };
    assert!(program("0.5").is_proved());
    assert!(!program("i").is_proved());
    let with_macro = program("HERE").head("void", "#define HERE (0.5 * i)\nvoid");
    assert!(!with_macro.is_proved());
}
