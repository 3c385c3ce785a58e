//! The text of statements, also of those that have none.
//!
//! What another compiler says of a statement may be its accesses only. Then the statement is a function of what it reads:
//!
//! ```text
//! S0 reads B[i][j] and C[i], writes A[i][j]      A[i][j] = S0(B[i][j], C[i]);
//! ```
//!
//! Such a function is pure, which its declaration says (see `function`). A statement that writes several cells does so one after the other,
//! with a function for each; it may then read none of them.

use crate::fault::Fault;
use crate::problem::{AccessKind, Problem, Statement};
use crate::text::declared_brackets;
use polyfold_codegen::printed;
use polyfold_isl::{CText, Map, Result};

/// By statement.
pub(crate) fn bodies(problem: &Problem) -> std::result::Result<Vec<String>, Fault> {
    let text = |statement: &Statement| match &statement.body {
        Some(body) => Ok(body.clone()),
        None => of_accesses(problem, statement),
    };
    problem.statements.iter().map(text).collect()
}

/// The functions that stand for statements without text: name and number of arguments.
pub(crate) fn made_functions(problem: &Problem) -> std::result::Result<Vec<(String, usize)>, Fault> {
    let mut all = Vec::new();
    for statement in problem.statements.iter().filter(|statement| statement.body.is_none()) {
        let (reads, writes) = (cells(problem, statement, true)?.len(), cells(problem, statement, false)?.len());
        all.extend((0..writes).map(|k| (function_name(statement, k, writes), reads)));
    }
    Ok(all)
}

fn function_name(statement: &Statement, write: usize, writes: usize) -> String {
    if writes == 1 { statement.name.clone() } else { format!("{}_{write}", statement.name) }
}

fn of_accesses(problem: &Problem, statement: &Statement) -> std::result::Result<String, Fault> {
    let (reads, writes) = (cells(problem, statement, true)?, cells(problem, statement, false)?);
    let name = &statement.name;
    if writes.is_empty() {
        return Err(Fault::of_problem(format!("{name} writes nothing"), "give it a body"));
    }
    if writes.len() > 1 && reads.iter().any(|read| writes.iter().any(|write| array(read) == array(write))) {
        let message = format!("{name} writes several cells, of arrays that it reads");
        return Err(Fault::of_problem(message, "give it a body"));
    }
    let assign = |(k, cell): (usize, &String)| {
        format!("{cell} = {}({});", function_name(statement, k, writes.len()), reads.join(", "))
    };
    let all: Vec<String> = writes.iter().enumerate().map(assign).collect();
    Ok(if all.len() == 1 { all.concat() } else { format!("{{ {} }}", all.join(" ")) })
}

fn array(cell: &str) -> &str {
    cell.split('[').next().unwrap_or(cell)
}

/// The cells that are read, or written, as C.
fn cells(problem: &Problem, statement: &Statement, reads: bool) -> std::result::Result<Vec<String>, Fault> {
    let domain = statement.domain.intersect_params(&problem.context)?;
    let mut all = Vec::new();
    for access in statement.accesses.iter().filter(|access| (access.kind == AccessKind::Read) == reads) {
        let relation = access.relation.intersect_domain(&domain)?;
        let isl = relation.tuple_names().1.unwrap_or_default();
        let name = problem.arrays.iter().find(|array| array.isl == isl).map_or(isl.clone(), |array| array.name.clone());
        for function in functions(&relation)? {
            if !domain.is_subset(&function.domain()?)? || access.kind == AccessKind::MayWrite {
                let message = format!("{} does not access `{name}` at all of its points", statement.name);
                return Err(Fault::of_problem(message, "give it a body, or make two statements of it"));
            }
            has_its_brackets(problem, statement, &relation)?;
            all.push(cell(problem, statement, &name, &function)?);
        }
    }
    Ok(all)
}

/// An array that is declared as one row has references with one subscript, which only a text has.
fn has_its_brackets(problem: &Problem, statement: &Statement, relation: &Map) -> std::result::Result<(), Fault> {
    let (isl, dimensions) = (relation.tuple_names().1.unwrap_or_default(), relation.dimensions()?.1);
    let array = problem.arrays.iter().find(|array| array.isl == isl);
    let declared = array.and_then(|array| declared_brackets(array.declaration.as_ref()?));
    if declared.is_none_or(|declared| declared == dimensions) {
        return Ok(());
    }
    let message = format!("{} has no body, and `{isl}` has other dimensions than its declaration says", statement.name);
    Err(Fault::of_problem(message, "give it a body, or declare the array with all its dimensions"))
}

/// Past so many cells a statement has no text that somebody would write.
const MOST_CELLS: usize = 64;

/// Relations with one cell each for a point, that together are the relation.
fn functions(relation: &Map) -> std::result::Result<Vec<Map>, Fault> {
    let (mut rest, mut all) = (relation.clone(), Vec::new());
    while !rest.is_empty()? {
        if all.len() == MOST_CELLS || !rest.range()?.is_bounded()? {
            let name = rest.tuple_names().0.unwrap_or_default();
            let message = format!("{name} has no body, and accesses more than {MOST_CELLS} cells of an array");
            return Err(Fault::of_problem(message, "give it a body"));
        }
        let first = rest.lexmin()?;
        rest = rest.subtract(&first)?;
        all.push(first);
    }
    Ok(all)
}

/// `A[i][j - 1]`, by the names of iterators.
fn cell(problem: &Problem, statement: &Statement, name: &str, function: &Map) -> Result<String> {
    let values = function.by_start(&statement.iterators)?;
    let printer = CText::new(&values.params()?)?;
    let in_c = |isl: &str| {
        let parameter = problem.parameters.iter().find(|parameter| parameter.isl == isl);
        parameter.map_or(isl, |parameter| parameter.name.as_str()).to_string()
    };
    let mut text = name.to_string();
    for k in 0..function.dimensions()?.1 {
        text += &format!("[{}]", printed(&printer.tree(&values.dim_max(k)?)?, &in_c)?);
    }
    Ok(text)
}
