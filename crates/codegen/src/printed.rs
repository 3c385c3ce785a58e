//! A scop's new program as text.
//!
//! The idea: what the program has in common with the source stays byte for byte. Where loops are new, each statement is the source's own,
//! with its comments.

use crate::frame::frame_of;
use polyfold_emit::{Additions, Names, Source, in_text_of, statements};
use polyfold_program::{BufferId, IntType, LocalId, Loop, Place, Program, StatementId, Stmt, Written};
use polyfold_scop::{InOrder, Scop};
use std::collections::{BTreeMap, BTreeSet};

/// The text between the pragma lines. `None`: something can't be printed.
pub(crate) fn printed(
    source: &str,
    scop: &Scop,
    written: &Written,
    (after, additions): (&Program, &Additions),
) -> Option<String> {
    let program = scop.in_file()?;
    match &scop.order {
        None => in_text_of(&Source { program, written }, after, additions).ok(),
        Some(order) => in_new_loops(source, scop, (order, written), (after, additions)),
    }
}

/// A statement that isn't in the file. `None`: it is.
pub fn new_statement(scop: &Scop, id: polyfold_scop::StatementId) -> Option<String> {
    let own = scop.assignment(id).filter(|_| scop.comes(id))?;
    let program = Program { body: vec![Stmt::Assign(own.clone())], ..scop.program.clone()? };
    statements(&program, &Names::of(&|_| None), "").ok().map(|text| text.trim().to_string())
}

/// Whether a scop's program can be printed in the text that it comes from.
pub fn can_be_printed(source: &str, scop: &Scop) -> bool {
    as_printed(source, scop).is_some()
}

/// The text between the pragma lines with a scop's program. `None`: something can't be printed.
pub fn as_printed(source: &str, scop: &Scop) -> Option<String> {
    printed(source, scop, scop.written_in_file()?, (scop.program.as_ref()?, &Additions::none()))
}

fn in_new_loops(
    source: &str,
    scop: &Scop,
    (order, written): (&InOrder, &Written),
    (after, additions): (&Program, &Additions),
) -> Option<String> {
    let frame = frame_of(source, scop);
    let program = with_new_names(&order.program, order.in_source(after));
    let before = scop.program.as_ref()?;
    let in_source = order.in_source(before);
    let pragmas = pragmas(&in_source, order);
    let names = Names {
        counter: &|id: LocalId| program.locals[id.0].held.and_then(IntType::in_c).map(str::to_string),
        pragmas: &|own| pragmas.iter().find(|pragma| pragma.is_of(own)).map(|pragma| vec![pragma.line.to_string()]),
        declared: &[],
        source: Some(Source { program: &order.program, written }),
        counters: Some(&|id: StatementId, k: usize| *order.around.counters.get(id.0)?.get(k)?),
        before: Some(before),
        additions: *additions,
    };
    let lines = statements(&program, &names, &frame.indent).ok()?;
    let first = if source[..frame.body.start].ends_with('\n') { "" } else { "\n" };
    Some(format!("{first}{lines}"))
}

/// A program in which arrays with other names than in the source's are others.
fn with_new_names(source: &Program, mut program: Program) -> Program {
    let mut others = BTreeMap::new();
    for (k, own) in source.buffers.iter().enumerate() {
        if program.buffers[k].name != own.name {
            others.insert(BufferId(k), BufferId(program.buffers.len()));
            program.buffers.push(program.buffers[k].clone());
        }
    }
    let mut home = |place: Place| match place {
        Place::Cell { buffer, index } => Place::Cell { buffer: others.get(&buffer).copied().unwrap_or(buffer), index },
        other => other,
    };
    program.body = program.body.iter().map(|stmt| stmt.with_cells(&mut home)).collect();
    program
}

/// What stands in front of a loop whose iterations run at once.
struct Pragma<'a> {
    counter: LocalId,
    /// The source's statements in the loop. Loops with one counter may have other pragmas.
    statements: BTreeSet<StatementId>,
    line: &'a str,
}

impl Pragma<'_> {
    /// Whether a loop is the pragma's, or a part of it.
    fn is_of(&self, own: &Loop) -> bool {
        own.counter == self.counter && statements_of(own).is_subset(&self.statements)
    }
}

/// The pragmas of an order, of which this is the program of the source's statements. Those of fewer statements come first.
fn pragmas<'a>(program: &Program, order: &'a InOrder) -> Vec<Pragma<'a>> {
    let (mut found, mut all) = (Vec::new(), order.around.pragmas.iter());
    let mut visit = |stmt: &Stmt| {
        if let Stmt::For(own) = stmt
            && let Some(line) = all.next().and_then(Option::as_deref)
        {
            found.push(Pragma { counter: own.counter, statements: statements_of(own), line });
        }
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found.sort_by_key(|own| own.statements.len());
    found
}

fn statements_of(own: &Loop) -> BTreeSet<StatementId> {
    own.body.iter().flat_map(Stmt::assigned).collect()
}

#[cfg(test)]
mod tests {
    use super::printed;
    use polyfold_emit::Additions;
    use polyfold_program::{Cond, Int, IntType, Program, Relation, Stmt};
    use polyfold_scop::{Around, Condition, Scop};

    const FILE: &str = "void f(int n, int *restrict a, int *restrict b) {\n  int t[n];\n#pragma scop\n\
        BODY#pragma endscop\n}\n";

    fn scop(body: &str) -> (String, Scop) {
        let source = FILE.replace("BODY", body);
        let instrumented = polyfold_frontend::instrument(&source);
        let parsed = polyfold_frontend::parse(&source, &instrumented, &polyfold_frontend::Options::default());
        (source, parsed.scops.into_iter().next().expect("a scop"))
    }

    /// The statements of all loops in the first one.
    fn fused(program: &Program) -> Program {
        let mut body = program.body.clone();
        let others: Vec<Stmt> = body.drain(1..).collect();
        let Some(Stmt::For(first)) = body.first_mut() else { panic!("a loop") };
        first
            .body
            .extend(others.into_iter().flat_map(|own| if let Stmt::For(own) = own { own.body } else { vec![own] }));
        Program { body, ..program.clone() }
    }

    fn in_order(scop: &Scop, program: &Program) -> Scop {
        let counters = scop.statements.iter().map(|own| vec![Some(IntType::INT); own.loops.len()]).collect();
        scop.in_order(program, Around { counters, ..Around::default() }).expect("its statements are the scop's")
    }

    #[test]
    fn statements_move_with_their_comments_and_accesses() {
        let body = "  for (int i = 0; i < n; i++) {\n    t[i] = a[i]; /* once */\n  }\n  for (int i = 0; i < n; i++)\n    b[i] = t[i];\n";
        let (source, scop) = scop(body);
        let program = fused(scop.program.as_ref().expect("a program"));
        let own = in_order(&scop, &program);
        assert_eq!((own.loops().len(), own.statements.len()), (1, 2));
        assert!(own.statements.iter().all(|statement| statement.loops.len() == 1 && statement.accesses.len() == 2));
        let order = own.order.as_ref().expect("it is in another order");
        let after = own.program.as_ref().expect("a program");
        assert_eq!(order.in_source(after), program);
        let written = scop.written.as_ref().expect("it is written");
        let text = printed(&source, &own, written, (after, &Additions::none()));
        let wanted = "\n  for (int i = 0; i < n; i++) {\n    t[i] = a[i]; /* once */\n    b[i] = t[i];\n  }\n";
        assert_eq!(text.as_deref(), Some(wanted));
    }

    #[test]
    fn loops_with_one_counter_have_pragmas_of_their_own() {
        let body = "  for (int i = 0; i < n; i++)\n    t[i] = a[i];\n  for (int i = 0; i < n; i++)\n    b[i] = t[i];\n";
        let (source, scop) = scop(body);
        let mut program = scop.program.clone().expect("a program");
        for stmt in &mut program.body {
            let Stmt::For(own) = stmt else { panic!("a loop") };
            own.parallel = true;
        }
        let counters = vec![vec![Some(IntType::INT)]; 2];
        let pragmas = ["#pragma omp parallel for", "#pragma omp parallel for private(j)"];
        let around = Around { counters, pragmas: pragmas.map(|own| Some(own.to_string())).into(), ..Around::default() };
        let own = scop.in_order(&program, around).expect("its statements are the scop's");
        let (written, after) = (scop.written.as_ref().expect("it is written"), own.program.as_ref());
        let text = printed(&source, &own, written, (after.expect("a program"), &Additions::none()));
        let text = text.expect("it is printed");
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| line.starts_with('#')).collect();
        assert_eq!(lines, pragmas);
    }

    #[test]
    fn a_statement_that_stands_twice_is_two_with_a_name_each() {
        let (_, scop) = scop("  for (int i = 0; i < n; i++)\n    b[i] = a[i];\n");
        let mut program = scop.program.clone().expect("a program");
        let Some(Stmt::For(own)) = program.body.first_mut() else { panic!("a loop") };
        let cond = Cond::compare(Int::Local(own.counter), Relation::Less, Int::Constant(1));
        let body = own.body.clone();
        own.body = vec![Stmt::If { cond, then: body.clone(), other: body }];
        let names: Vec<String> = in_order(&scop, &program).statements.into_iter().map(|own| own.name).collect();
        assert_eq!(names, ["S0", "S0_2"]);
    }

    #[test]
    fn a_condition_on_data_is_the_sources_whichever_branch_is_left() {
        let body =
            "  for (int i = 0; i < n; i++) {\n    if (a[i] > 0)\n      b[i] = 1;\n    else\n      b[i] = 2;\n  }\n";
        let (_, scop) = scop(body);
        let mut program = scop.program.clone().expect("a program");
        let Some(Stmt::For(own)) = program.body.first_mut() else { panic!("a loop") };
        let Some(Stmt::If { cond, other, .. }) = own.body.pop() else { panic!("a condition") };
        own.body.push(Stmt::If { cond: !cond, then: other, other: Vec::new() });
        let after = in_order(&scop, &program);
        let polyfold_scop::Node::Loop(l) = &after.body[0] else { panic!("a loop") };
        let guards = l.body.iter().filter_map(|node| match node {
            polyfold_scop::Node::Guard(guard) => Some(&guard.condition),
            _ => None,
        });
        assert!(matches!(guards.collect::<Vec<_>>()[..], [Condition::Not(_)]));
        assert_eq!(after.statements.len(), scop.statements.len() - 1);
    }
}
