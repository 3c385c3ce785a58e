//! Layout changes nothing: programs whose text is written otherwise are the same trees, and get the same storage.
//!
//! Of loops in segments `command_line/slow.rs` says so. Fast forms that are changes of text still ask for plain text.

use crate::support;
use crate::support::usual::{rewritten, solved};
use polyfold_c::lex::{TokenKind, tokens};
use polyfold_codegen::Form;
use polyfold_isl::Context;
use polyfold_program::{Op, Program, Stmt};
use polyfold_scop::Scop;
use std::path::{Path, PathBuf};

/// Another way to write the text between the pragmas.
struct Variant {
    name: &'static str,
    of: fn(&str) -> String,
}

const VARIANTS: [Variant; 6] = [
    Variant { name: "comments", of: |text| gaps(text, " /* ; } for ( % */ ") },
    Variant { name: "lines", of: |text| gaps(text, "\n\t") },
    Variant { name: "steps", of: steps },
    Variant { name: "parentheses", of: parentheses },
    Variant { name: "condition", of: |text| format!("\n#if 1{text}#endif\n") },
    Variant { name: "pragma", of: pragmas },
];

/// The tokens of a text, each with whether it stands in a directive.
fn words(text: &str) -> Vec<(TokenKind, &str, bool)> {
    let (mut found, mut in_directive, mut at_start) = (Vec::new(), false, true);
    for token in tokens(text) {
        let own = &text[token.span.clone()];
        in_directive |= at_start && own == "#";
        found.push((token.kind, own, in_directive));
        match token.kind {
            TokenKind::Newline => (in_directive, at_start) = (false, true),
            TokenKind::Space => {}
            _ => at_start = false,
        }
    }
    found
}

/// Something else for each blank.
fn gaps(text: &str, gap: &str) -> String {
    let all = words(text);
    let changed = all.iter().map(|(kind, own, in_directive)| match (kind, in_directive) {
        (TokenKind::Space, false) if own.trim().is_empty() => gap,
        _ => own,
    });
    changed.collect()
}

/// `i += 1` for `i++`.
fn steps(text: &str) -> String {
    let all = words(text);
    let next = |at: usize| all[at + 1..].iter().find(|own| own.0 != TokenKind::Space).map(|own| own.1);
    let changed = all.iter().enumerate().map(|(at, (_, own, _))| match *own {
        "++" if next(at) == Some(")") => " += 1",
        own => own,
    });
    changed.collect()
}

/// `[(i)]` for `[i]`.
fn parentheses(text: &str) -> String {
    let all = words(text);
    let is = |at: Option<usize>, mark: &str| at.and_then(|at| all.get(at)).is_some_and(|own| own.1 == mark);
    let changed = all.iter().enumerate().map(|(at, (kind, own, _))| {
        let is_alone = *kind == TokenKind::Word && is(at.checked_sub(1), "[") && is(Some(at + 1), "]");
        if is_alone { format!("({own})") } else { own.to_string() }
    });
    changed.collect()
}

/// A pragma that says nothing about threads in front of each loop on a line of its own.
fn pragmas(text: &str) -> String {
    let is_loop = |line: &str| line.trim_start().starts_with("for (");
    let line = |line: &str| if is_loop(line) { format!("#pragma GCC unroll 2\n{line}") } else { line.to_string() };
    text.split('\n').map(line).collect::<Vec<String>>().join("\n")
}

/// The file with its scops written so.
fn written(source: &str, scops: &[Scop], variant: &Variant) -> String {
    let (mut text, mut at) = (String::new(), 0);
    for scop in scops {
        text.push_str(&source[at..scop.span.start]);
        text.push_str(&(variant.of)(&source[scop.span.clone()]));
        at = scop.span.end;
    }
    text + &source[at..]
}

/// A tree without the layout of what it doesn't understand.
fn tree(program: &Program) -> String {
    let mut program = program.clone();
    program.body.iter_mut().for_each(squeeze);
    program.to_string()
}

fn squeeze(stmt: &mut Stmt) {
    match stmt {
        Stmt::For(own) => own.body.iter_mut().for_each(squeeze),
        Stmt::If { then, other, .. } => then.iter_mut().chain(other).for_each(squeeze),
        Stmt::Assign(own) => squeeze_value(&mut own.value),
        _ => {}
    }
}

fn squeeze_value(value: &mut polyfold_program::Value) {
    use polyfold_program::Value;
    match value {
        Value::Apply(op, operands) => {
            if let Op::Leaf(text) = op {
                let kept =
                    words(text).into_iter().filter(|own| !matches!(own.0, TokenKind::Space | TokenKind::Newline));
                *text = kept.map(|own| own.1).collect::<Vec<&str>>().join(" ");
            }
            operands.iter_mut().for_each(squeeze_value);
        }
        Value::Choice(_, yes, no) => [yes, no].into_iter().for_each(|value| squeeze_value(value)),
        _ => {}
    }
}

fn name(file: &Path) -> String {
    file.strip_prefix(support::root()).expect("a file of ours").display().to_string()
}

#[test]
fn layout_does_not_change_a_tree() {
    let compared = support::two_threads::map(support::c_files(), |file| {
        let source = std::fs::read_to_string(&file).expect("it can be read");
        let scops = support::parse(&source).scops;
        let mut compared = 0;
        for variant in &VARIANTS {
            let text = written(&source, &scops, variant);
            let again = support::parse(&text).scops;
            assert_eq!(again.len(), scops.len(), "{}: {}\n{text}", name(&file), variant.name);
            for (own, other) in scops.iter().zip(&again) {
                let [own, other] = [own, other].map(|scop| scop.program.as_ref().map(tree));
                assert_eq!(own, other, "{}: {}", name(&file), variant.name);
                compared += usize::from(own.is_some());
            }
        }
        compared
    });
    let all: usize = compared.into_iter().sum();
    assert!(all > 250, "{all}");
}

/// The programs that a file's scops are printed from, with the storage that is found for them.
fn printed(source: &str) -> Vec<Option<String>> {
    let scops = support::parse(source).scops;
    let ctx = Context::new();
    let results: Vec<_> = scops.iter().map(|scop| solved(&ctx, scop, source)).collect();
    let rewritten = rewritten(source, &scops, &results, Form::Plain);
    rewritten.printed.iter().map(|own| own.as_ref().map(|own| tree(&undeclared(own)))).collect()
}

/// A program without where variables are declared: between directives that isn't in a loop.
fn undeclared(program: &Program) -> Program {
    let mut program = program.clone();
    program.body.iter_mut().for_each(undeclare);
    program
}

fn undeclare(stmt: &mut Stmt) {
    match stmt {
        Stmt::For(own) => own.body.iter_mut().for_each(undeclare),
        Stmt::If { then, other, .. } => then.iter_mut().chain(other).for_each(undeclare),
        Stmt::Assign(own) => own.declares = false,
        _ => {}
    }
}

fn is_the_same(file: &Path, variants: &[Variant]) -> usize {
    let source = std::fs::read_to_string(file).expect("it can be read");
    let scops = support::parse(&source).scops;
    let own = printed(&source);
    for variant in variants {
        let other = printed(&written(&source, &scops, variant));
        assert_eq!(own, other, "{}: {}", name(file), variant.name);
    }
    own.iter().flatten().count()
}

/// The first four at once, so that storage is searched for twice and not five times.
const TOGETHER: Variant = Variant {
    name: "comments, lines, steps and parentheses",
    of: |text| gaps(&steps(&parentheses(text)), "\n\t/* ; } for ( % */ "),
};

/// Grids, stencils and a pipeline. Each change alone is in `./check-more`.
#[test]
fn layout_does_not_change_storage() {
    let files = ["two_grids_1d", "jacobi_2d", "nine_points", "pyramid", "harris"];
    let files: Vec<PathBuf> = files.iter().map(|name| support::root().join(format!("corpus/{name}.c"))).collect();
    let counts = support::two_threads::map(files, |file| is_the_same(&file, &[TOGETHER]));
    assert!(counts.iter().all(|count| *count > 0), "{counts:?}");
}

#[test]
#[ignore = "the whole corpus"]
fn layout_does_not_change_storage_anywhere() {
    support::two_threads::map(support::c_files(), |file| is_the_same(&file, &VARIANTS));
}
