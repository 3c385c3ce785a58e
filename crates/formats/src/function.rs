//! A problem as a C file with one function.
//!
//! ```text
//! sizes and arrays with values from or for outside      parameters
//! temporary arrays                                      local arrays
//! scalars that leave the function                       variables of the file
//! statements without text                               calls of functions that are declared, and pure
//! ```
//!
//! Where no types are known, sizes are `int` and elements `double`, and an array is as large as its accesses need.

use crate::fault::Fault;
use crate::leaves::{called, leaves};
use crate::loops::{around, check};
use crate::problem::{AccessKind, Parameter, Problem, Role};
use crate::text::words;
use polyfold_emit::declared;
use polyfold_program::{BufferId, Program};

/// The text of the file.
///
/// # Errors
/// As [`loops`](crate::loops()), and when an array has no extents.
pub fn function(problem: &Problem) -> Result<String, Fault> {
    check(problem)?;
    let leaves = leaves(problem)?;
    let declared = (0..problem.arrays.len()).map(|k| Declared::of(problem, &leaves, BufferId(k)));
    let declared = declared.collect::<Result<Vec<_>, _>>()?;
    let prelude = problem.prelude.join("\n");
    let mut out = String::new();
    for line in &problem.prelude {
        out += &format!("{line}\n");
    }
    for parameter in &problem.parameters {
        out += &constant(parameter, &prelude);
    }
    for (name, reads) in called(&leaves) {
        let arguments = if reads == 0 { "void".to_string() } else { vec!["double"; reads].join(", ") };
        out += &format!("extern double {name}({arguments}) __attribute__((const));\n");
    }
    for array in declared.iter().filter(|array| array.at == At::File) {
        out += &format!("{};\n", array.text);
    }
    let all = declared.iter().map(|array| array.text.as_str()).collect::<Vec<_>>().join(";\n");
    let lines = around(problem, &leaves, &format!("{prelude}\n{all}"), "  ")?;
    out += &format!("void {}({}) {{\n", name(problem), arguments(problem, &declared));
    for array in declared.iter().filter(|array| array.at == At::Local) {
        out += &format!("  {};\n", array.text);
    }
    Ok(out + &format!("#pragma scop\n{lines}#pragma endscop\n}}\n"))
}

/// `main` has arguments of its own.
fn name(problem: &Problem) -> &str {
    if problem.name == "main" { "scop" } else { &problem.name }
}

fn constant(parameter: &Parameter, prelude: &str) -> String {
    let is_defined = words(prelude).any(|word| word == parameter.name);
    match parameter.value {
        Some(value) if !is_defined => format!("#define {} {value}\n", parameter.name),
        _ => String::new(),
    }
}

fn arguments(problem: &Problem, declared: &[Declared]) -> String {
    let sizes = problem.parameters.iter().filter(|p| p.value.is_none()).map(|p| format!("{} {}", p.words, p.name));
    let arrays = declared.iter().filter(|array| array.at == At::Argument).map(|array| array.text.clone());
    let all: Vec<String> = sizes.chain(arrays).collect();
    if all.is_empty() { "void".to_string() } else { all.join(", ") }
}

/// Where an array is declared.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    File,
    Argument,
    Local,
}

struct Declared {
    text: String,
    at: At,
}

impl Declared {
    fn of(problem: &Problem, leaves: &Program, id: BufferId) -> Result<Declared, Fault> {
        let array = &problem.arrays[id.0];
        let text = match &array.declaration {
            Some(declaration) => declaration.clone(),
            None => undeclared(leaves, id)?,
        };
        let is_scalar = !text.contains('[');
        let is_written = problem.statements.iter().flat_map(|s| &s.accesses).any(|access| {
            access.kind != AccessKind::Read && access.relation.tuple_names().1.as_deref() == Some(array.isl.as_str())
        });
        let at = match array.role {
            Role::Temporary => At::Local,
            _ if is_scalar && is_written => At::File,
            _ => At::Argument,
        };
        Ok(Declared { text, at })
    }
}

/// `double A[n][m + 1]`
fn undeclared(leaves: &Program, id: BufferId) -> Result<String, Fault> {
    let unknown = || format!("the extents of `{}` are not known", leaves.buffers[id.0].name);
    let text = declared(leaves, id).map_err(|_| Fault::of_problem(unknown(), "declare it"))?;
    Ok(text.trim_end_matches(';').to_string())
}
