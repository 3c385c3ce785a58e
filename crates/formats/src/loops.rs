//! A problem as loops in C.
//!
//! isl's AST builder says which loops visit the points in the order of their dates; at each point stands the statement's text, with the
//! values of its iterators in their places. Which order is right is not asked here.

use crate::bodies::bodies;
use crate::fault::Fault;
use crate::problem::{Parameter, Problem, Statement};
use crate::text::words;
use polyfold_codegen::{Operations, loops_in_c, substituted};
use polyfold_isl::{Ast, AstExpr, Error, ErrorKind, Map, Result, Set};
use std::collections::BTreeSet;

/// The loops, as lines with `indent` in front. Counters get no name that stands in `surroundings`, unless it is an iterator's.
///
/// # Errors
/// When some statement runs without end, or has not one date for each point; or when the work bound is reached.
pub fn loops(problem: &Problem, surroundings: &str, indent: &str) -> std::result::Result<String, Fault> {
    let texts = bodies(problem)?;
    let ast = ast(problem, &texts, surroundings)?;
    Ok(loops_in_c(ast, &Texts { problem, texts: &texts }, indent)?)
}

fn ast(problem: &Problem, texts: &[String], surroundings: &str) -> std::result::Result<Ast, Fault> {
    let mut dates = Vec::new();
    for (k, statement) in problem.statements.iter().enumerate() {
        let all = order(problem, statement)?;
        let last = Set::read(problem.context.context(), &format!("{{ [{k}] }}"))?;
        dates.push(all.flat_range_product(&statement.domain.with_each_of(&last)?)?);
    }
    Ok(Ast::of(&dates, &problem.context, &fresh_names(problem, texts, surroundings)?)?)
}

/// Whether there are loops for a problem.
///
/// # Errors
/// As [`loops`].
pub(crate) fn check(problem: &Problem) -> std::result::Result<(), Fault> {
    problem.statements.iter().try_for_each(|statement| order(problem, statement).map(|_| ()))
}

/// The dates of the points that there are.
fn order(problem: &Problem, statement: &Statement) -> std::result::Result<Map, Fault> {
    let name = &statement.name;
    let domain = statement.domain.intersect_params(&problem.context)?;
    if !domain.is_bounded()? {
        return Err(Fault::of_problem(format!("{name} runs without end"), "bound all dimensions of its domain"));
    }
    let dates = statement.dates.intersect_domain(&domain)?;
    if !dates.is_single_valued()? {
        return Err(Fault::of_problem(format!("points of {name} have several dates"), "give each point one"));
    }
    if !domain.is_subset(&dates.domain()?)? {
        return Err(Fault::of_problem(format!("points of {name} have no date"), "give each point of the domain one"));
    }
    if !dates.is_injective()? {
        return Err(Fault::of_problem(format!("two points of {name} have the same date"), "give each point its own"));
    }
    Ok(dates)
}

/// A name for each dimension of the dates that stands nowhere.
fn fresh_names(problem: &Problem, texts: &[String], surroundings: &str) -> Result<Vec<String>> {
    let mut taken: BTreeSet<&str> = words(surroundings).chain(texts.iter().flat_map(|text| words(text))).collect();
    taken.extend(problem.parameters.iter().map(|p| p.isl.as_str()));
    taken.extend(problem.statements.iter().flat_map(|s| s.iterators.iter().map(String::as_str)));
    let dimensions = problem.statements.first().map_or(Ok(0), |s| s.dates.dimensions().map(|(_, dates)| dates))?;
    let name = |dimension: usize| {
        let mut name = format!("c{dimension}");
        while taken.contains(name.as_str()) {
            name.push('_');
        }
        name
    };
    Ok((0..=dimensions).map(name).collect())
}

/// Whether no statement means something else by a name.
fn is_free(problem: &Problem, texts: &[String], name: &str) -> bool {
    let means_something_else = |(statement, text): (&Statement, &String)| {
        !statement.iterators.iter().any(|iterator| iterator == name) && words(text).any(|word| word == name)
    };
    polyfold_flow::isl_name(name) == name && !problem.statements.iter().zip(texts).any(means_something_else)
}

struct Texts<'a> {
    problem: &'a Problem,
    /// By statement.
    texts: &'a [String],
}

impl Operations for Texts<'_> {
    fn statement(&self, name: &str, coordinates: &[AstExpr]) -> Result<String> {
        let missing = || Error { kind: ErrorKind::Refused, message: format!("there is no statement {name}") };
        let place = self.problem.statements.iter().position(|statement| statement.name == name).ok_or_else(missing)?;
        let values = coordinates.iter().map(|c| self.value(c)).collect::<Result<Vec<String>>>()?;
        let names: Vec<&str> = self.problem.statements[place].iterators.iter().map(String::as_str).collect();
        let text = &self.texts[place];
        Ok(substituted(text, &(0..text.len()), &names, &values))
    }

    fn has_if(&self, name: &str) -> bool {
        let mut all = self.problem.statements.iter().zip(self.texts);
        all.any(|(statement, text)| statement.name == name && words(text).any(|word| word == "if"))
    }

    fn counters(&self, name: &str) -> Vec<String> {
        let statement = self.problem.statements.iter().find(|statement| statement.name == name);
        statement.map_or_else(Vec::new, |statement| statement.iterators.clone())
    }

    fn may_be_counter(&self, name: &str) -> bool {
        !self.problem.parameters.iter().any(|p| p.isl == name || p.name == name)
            && is_free(self.problem, self.texts, name)
    }

    fn size(&self, isl: &str) -> String {
        self.parameter(isl).map_or_else(
            || isl.to_string(),
            |parameter| match parameter.words.starts_with("unsigned") {
                true => format!("(long){}", parameter.name),
                false => parameter.name.clone(),
            },
        )
    }
}

impl Texts<'_> {
    fn parameter(&self, isl: &str) -> Option<&Parameter> {
        self.problem.parameters.iter().find(|parameter| parameter.isl == isl)
    }

    /// What stands in an iterator's place: an `int`, as counters are.
    fn value(&self, expr: &AstExpr) -> Result<String> {
        let is_wide = |isl: &str| self.parameter(isl).is_some_and(|p| !matches!(p.words.as_str(), "int" | "short"));
        let text = self.print(expr)?;
        Ok(if expr.mentions(&is_wide) { format!("(int)({text})") } else { text })
    }
}
