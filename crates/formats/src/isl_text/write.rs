//! Problems as text in isl notation.

use crate::fault::Fault;
use crate::isl_text::entries::quoted;
use crate::isl_text::read;
use crate::problem::{AccessKind, Array, Parameter, Problem, Role, Statement};
use polyfold_isl::Result;

/// The text of a file with these problems, which says the same of them when it is read.
///
/// # Errors
/// When the work bound is reached, or a problem cannot be written without changing it.
pub fn write(problems: &[Problem]) -> std::result::Result<String, Fault> {
    let text = problems.iter().map(problem).collect::<Result<Vec<_>>>()?.join("\n");
    let Some(first) = problems.first() else { return Ok(text) };
    let again = read(first.context.context(), &text)?;
    for (problem, read) in problems.iter().zip(&again) {
        if !problem.has_meaning_of(read)? {
            let message = format!("the scop of `{}` would not mean the same in isl notation", problem.name);
            return Err(Fault::of_problem(message, "write it as OpenScop (.scop)"));
        }
    }
    Ok(text)
}

fn problem(problem: &Problem) -> Result<String> {
    let mut out = entry("problem", &quoted(&problem.name));
    out += &entry("context", &problem.context.to_string());
    let all = |parts: Vec<String>| problem.union(&parts);
    out += &entry("domain", &all(problem.statements.iter().map(|s| s.domain.to_string()).collect()));
    let dates = problem.statements.iter().map(|s| s.dates.intersect_domain(&s.domain)?.gist_domain(&s.domain));
    out += &entry("schedule", &all(dates.map(|map| Ok(map?.to_string())).collect::<Result<_>>()?));
    for (name, kind) in
        [("reads", AccessKind::Read), ("writes", AccessKind::Write), ("may_writes", AccessKind::MayWrite)]
    {
        let accesses: Vec<String> = problem.statements.iter().flat_map(|s| accesses(s, kind)).collect();
        if !accesses.is_empty() {
            out += &entry(name, &all(accesses));
        }
    }
    for (name, roles) in [
        ("temporary", &[Role::Temporary][..]),
        ("live_in", &[Role::In, Role::InOut]),
        ("live_out", &[Role::Out, Role::InOut]),
    ] {
        out += &entry(name, &arrays(problem, roles)?);
    }
    for array in &problem.arrays {
        if let Some(declaration) = &array.declaration {
            out += &entry(&format!("array {}", array.isl), &quoted(declaration));
        }
    }
    for parameter in &problem.parameters {
        out += &entry(&format!("size {}", parameter.isl), &quoted(&size(parameter)));
    }
    for statement in &problem.statements {
        if let Some(body) = &statement.body {
            out += &entry(&format!("body {}[{}]", statement.name, statement.iterators.join(",")), &quoted(body));
        }
    }
    for line in &problem.prelude {
        out += &entry("text", &quoted(line));
    }
    Ok(out)
}

fn entry(name: &str, value: &str) -> String {
    format!("{name} := {value};\n")
}

/// `int n`, `int N = 100`.
fn size(parameter: &Parameter) -> String {
    let Parameter { name, words, value, .. } = parameter;
    value.map_or(format!("{words} {name}"), |value| format!("{words} {name} = {value}"))
}

fn accesses(statement: &Statement, kind: AccessKind) -> Vec<String> {
    statement.accesses.iter().filter(|access| access.kind == kind).map(|access| access.relation.to_string()).collect()
}

/// `{ A[c0, c1]; B[c0] }`.
fn arrays(problem: &Problem, roles: &[Role]) -> Result<String> {
    let mut names = Vec::new();
    for array in problem.arrays.iter().filter(|array| roles.contains(&array.role)) {
        let cells: Vec<String> = (0..dimensions(problem, array)?).map(|k| format!("c{k}")).collect();
        names.push(format!("{}[{}]", array.isl, cells.join(", ")));
    }
    Ok(format!("{{ {} }}", names.join("; ")))
}

fn dimensions(problem: &Problem, array: &Array) -> Result<usize> {
    let mut accesses = problem.statements.iter().flat_map(|statement| &statement.accesses);
    let found = accesses.find(|access| access.relation.tuple_names().1.as_deref() == Some(array.isl.as_str()));
    found.map_or(Ok(0), |access| access.relation.dimensions().map(|(_, cells)| cells))
}
