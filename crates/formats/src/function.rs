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

use crate::bodies::made_functions;
use crate::fault::Fault;
use crate::loops::{check, loops};
use crate::problem::{AccessKind, Array, Parameter, Problem, Role};
use crate::text::words;
use polyfold_codegen::printed;
use polyfold_isl::{CText, Map, Result, Set};

/// The text of the file.
///
/// # Errors
/// As [`loops`], and when an array has no extents.
pub fn function(problem: &Problem) -> std::result::Result<String, Fault> {
    check(problem)?;
    let declared =
        problem.arrays.iter().map(|array| Declared::of(problem, array)).collect::<std::result::Result<Vec<_>, _>>()?;
    let prelude = problem.prelude.join("\n");
    let mut out = String::new();
    for line in &problem.prelude {
        out += &format!("{line}\n");
    }
    for parameter in &problem.parameters {
        out += &constant(parameter, &prelude);
    }
    for (name, reads) in made_functions(problem)? {
        let arguments = if reads == 0 { "void".to_string() } else { vec!["double"; reads].join(", ") };
        out += &format!("extern double {name}({arguments}) __attribute__((const));\n");
    }
    for array in declared.iter().filter(|array| array.at == At::File) {
        out += &format!("{};\n", array.text);
    }
    let all = declared.iter().map(|array| array.text.as_str()).collect::<Vec<_>>().join(";\n");
    let lines = loops(problem, &format!("{prelude}\n{all}"), "  ")?;
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
    fn of(problem: &Problem, array: &Array) -> std::result::Result<Declared, Fault> {
        let text = match &array.declaration {
            Some(declaration) => declaration.clone(),
            None => format!("double {}{}", array.name, extents(problem, array)?),
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

/// `[n][m + 1]`: up to the largest subscripts.
fn extents(problem: &Problem, array: &Array) -> std::result::Result<String, Fault> {
    let mut cells: Option<Set> = None;
    for statement in &problem.statements {
        let domain = statement.domain.intersect_params(&problem.context)?;
        for access in &statement.accesses {
            if access.relation.tuple_names().1.as_deref() == Some(array.isl.as_str()) {
                let here = access.relation.intersect_domain(&domain)?.range()?;
                cells = Some(match cells {
                    Some(others) => others.union(&here)?,
                    None => here,
                });
            }
        }
    }
    let Some(cells) = cells else { return Ok("[1]".to_string()) };
    if !cells.is_bounded()? {
        return Err(Fault::of_problem(format!("the extents of `{}` are not known", array.name), "declare it"));
    }
    Ok((0..cells.dimensions()?).map(|k| extent(problem, &cells, k)).collect::<Result<Vec<_>>>()?.concat())
}

fn extent(problem: &Problem, cells: &Set, dimension: usize) -> Result<String> {
    let ctx = cells.context();
    let one = polyfold_isl::PwAff::read(ctx, "{ [1] }")?;
    let nothing = Map::read(ctx, &format!("{}{{ [] -> [0] }}", Problem::prefix(&problem.parameters)))?.range()?;
    let largest = cells.dim_max(dimension)?.graph()?.union(&nothing)?.dim_max(0)?.add(&one)?;
    let largest = largest.gist_params(&problem.context)?.coalesce()?;
    let in_c = |isl: &str| {
        let parameter = problem.parameters.iter().find(|parameter| parameter.isl == isl);
        parameter.map_or(isl, |parameter| parameter.name.as_str()).to_string()
    };
    Ok(format!("[{}]", printed(&CText::new(&problem.context)?.tree(&largest)?, &in_c)?))
}
