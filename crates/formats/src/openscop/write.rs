//! Problems as an OpenScop file.

use crate::fault::Fault;
use crate::openscop::read;
use crate::openscop::relation::{Part, text};
use crate::problem::{Access, AccessKind, Array, Parameter, Place, Problem, Statement};
use polyfold_isl::Result;

/// The text of a file with these problems, which says the same of them when it is read.
///
/// # Errors
/// When a number is past 64 bits, the work bound is reached, or a set cannot be written without changing it.
pub fn write(problems: &[Problem]) -> std::result::Result<String, Fault> {
    let text = problems.iter().map(scop).collect::<Result<Vec<_>>>()?.join("\n");
    let Some(first) = problems.first() else { return Ok(text) };
    let again = read(first.context.context(), &text)?;
    for (problem, read) in problems.iter().zip(&again) {
        if !problem.has_meaning_of(read)? {
            let message = format!("the scop of `{}` would not mean the same in OpenScop", problem.name);
            return Err(Fault::of_problem(message, "write it in isl notation (.isl)"));
        }
    }
    Ok(text)
}

fn scop(problem: &Problem) -> Result<String> {
    let parameters = &problem.parameters;
    let names: Vec<&str> = parameters.iter().map(|p| p.name.as_str()).collect();
    let mut out = format!("<OpenScop>\n\n# Language\nC\n\n# Context\n{}\n", text("CONTEXT", &context(problem)?));
    out += &match names.is_empty() {
        true => "# There are no parameters\n0\n\n".to_string(),
        false => format!("# Names of parameters\n1\n<strings>\n{}\n</strings>\n\n", names.join(" ")),
    };
    out += &format!("# Number of statements\n{}\n\n", problem.statements.len());
    for statement in &problem.statements {
        out += &self::statement(problem, statement)?;
    }
    out += &scatnames(problem)?;
    out += &arrays(&problem.arrays);
    out += &problem.place.as_ref().map_or(String::new(), coordinates);
    out += &ours(problem);
    Ok(out + "</OpenScop>\n")
}

fn context(problem: &Problem) -> Result<Vec<Part>> {
    let parts = Part::of_set(&problem.context, &problem.parameters)?;
    let parameters = problem.parameters.len();
    Ok(if parts.is_empty() {
        let never = [vec![1], vec![0; parameters], vec![-1]].concat();
        vec![Part { output: 0, input: 0, local: 0, parameters, rows: vec![never] }]
    } else {
        parts
    })
}

fn statement(problem: &Problem, statement: &Statement) -> Result<String> {
    let parameters = &problem.parameters;
    let accesses = statement.accesses.iter().map(|a| access(problem, a)).collect::<Result<Vec<_>>>()?.concat();
    let count = 2 + statement.accesses.len();
    let domain = text("DOMAIN", &Part::of_set(&statement.domain, parameters)?);
    let scattering = text("SCATTERING", &Part::of_map(&statement.dates, parameters)?);
    let name = &statement.name;
    let head = format!("# {name}: number of relations\n{count}\n\n{domain}\n{scattering}\n{accesses}");
    let Some(body) = &statement.body else { return Ok(head + "# No body\n0\n\n") };
    let iterators = match &statement.iterators[..] {
        [] => String::new(),
        names => format!("# Original iterators\n{}\n", names.join(" ")),
    };
    let count = statement.iterators.len();
    Ok(format!(
        "{head}# Number of extensions\n1\n<body>\n# Number of original iterators\n{count}\n{iterators}# Body\n{body}\n</body>\n\n"
    ))
}

fn access(problem: &Problem, access: &Access) -> Result<String> {
    let kind = match access.kind {
        AccessKind::Read => "READ",
        AccessKind::Write => "WRITE",
        AccessKind::MayWrite => "MAY_WRITE",
    };
    let name = access.relation.tuple_names().1.unwrap_or_default();
    let number = problem.arrays.iter().position(|a| a.isl == name).map_or(0, |k| k + 1);
    let parts = Part::of_map(&access.relation, &problem.parameters)?;
    let parts: Vec<Part> = parts.into_iter().map(|part| part.with_array(number)).collect();
    Ok(format!("# {name}\n{}\n", text(kind, &parts)))
}

fn scatnames(problem: &Problem) -> Result<String> {
    let Some(first) = problem.statements.first() else { return Ok(String::new()) };
    let names: Vec<String> = (0..first.dates.dimensions()?.1).map(|k| format!("d{k}")).collect();
    Ok(format!("<scatnames>\n{}\n</scatnames>\n\n", names.join(" ")))
}

fn arrays(arrays: &[Array]) -> String {
    let lines = arrays.iter().enumerate().map(|(k, array)| format!("{} {}\n", k + 1, array.name));
    format!("<arrays>\n# Number of arrays\n{}\n{}</arrays>\n\n", arrays.len(), lines.collect::<String>())
}

fn coordinates(place: &Place) -> String {
    let Place { file, lines: (first, last), indent } = place;
    format!(
        "<coordinates>\n# File\n{file}\n# First line and column\n{first} 0\n# Last line and column\n{last} 0\n# Indentation\n{indent}\n</coordinates>\n\n"
    )
}

/// What OpenScop has no words for.
fn ours(problem: &Problem) -> String {
    let names: Vec<&str> = problem.statements.iter().map(|s| s.name.as_str()).collect();
    let size = |p: &Parameter| match p.value {
        Some(value) => format!("size {} {} = {value}\n", p.words, p.name),
        None => format!("size {} {}\n", p.words, p.name),
    };
    let array = |a: &Array| format!("{} {}\n", a.role.word(), a.declaration.as_ref().unwrap_or(&a.name));
    let sizes: String = problem.parameters.iter().map(size).collect();
    let arrays: String = problem.arrays.iter().map(array).collect();
    let prelude: String = problem.prelude.iter().map(|line| format!("text {line}\n")).collect();
    format!(
        "<polyfold>\nfunction {}\nstatements {}\n{sizes}{arrays}{prelude}</polyfold>\n\n",
        problem.name,
        names.join(" ")
    )
}
