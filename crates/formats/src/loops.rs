//! A problem as loops in C.
//!
//! isl's AST builder says which loops visit the points in the order of their dates; at each point stands the statement's text, with the
//! values of its iterators in their places. Which order is right is not asked here.

use crate::bodies::bodies;
use crate::fault::Fault;
use crate::problem::{Parameter, Problem, Statement};
use crate::text::words;
use polyfold_codegen::{Operations, loops_in_c, with_holes};
use polyfold_isl::{Ast, Map, Result, Set};
use polyfold_program::{self as program, IntType, Program};
use std::collections::BTreeSet;

/// The loops, as lines with `indent` in front. Counters get no name that stands in `surroundings`, unless it is an iterator's.
///
/// # Errors
/// When some statement runs without end, or has not one date for each point; or when the work bound is reached.
pub fn loops(problem: &Problem, surroundings: &str, indent: &str) -> std::result::Result<String, Fault> {
    let texts = bodies(problem)?;
    let ast = ast(problem, &texts, surroundings)?;
    let texts = Texts { problem, texts: &texts };
    let sizes: Vec<String> = problem.parameters.iter().map(|own| own.isl.clone()).collect();
    Ok(loops_in_c(ast, &texts, (&texts.outline(), &sizes, &texts.templates()), indent)?)
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
    fn counters(&self, name: &str) -> Vec<String> {
        let statement = self.problem.statements.iter().find(|statement| statement.name == name);
        statement.map_or_else(Vec::new, |statement| statement.iterators.clone())
    }

    fn may_be_counter(&self, name: &str) -> bool {
        !self.problem.parameters.iter().any(|p| p.isl == name || p.name == name)
            && is_free(self.problem, self.texts, name)
    }
}

impl Texts<'_> {
    /// The sizes, and the statements by their names.
    fn outline(&self) -> Program {
        let size =
            |own: &Parameter| program::Parameter { name: own.name.clone(), held: Some(held(&own.words)), most: None };
        Program {
            name: String::new(),
            parameters: self.problem.parameters.iter().map(size).collect(),
            context: Vec::new(),
            buffers: Vec::new(),
            locals: Vec::new(),
            statements: self.problem.statements.iter().map(|statement| statement.name.clone()).collect(),
            body: Vec::new(),
        }
    }

    /// By statement, the text with holes for its iterators.
    fn templates(&self) -> Vec<String> {
        let of = |(statement, text): (&Statement, &String)| {
            let names: Vec<&str> = statement.iterators.iter().map(String::as_str).collect();
            with_holes(text, &(0..text.len()), &names)
        };
        self.problem.statements.iter().zip(self.texts).map(of).collect()
    }
}

/// What C holds a size in that is declared with some words. Other names of types may stand for any of them.
fn held(words: &str) -> IntType {
    let all = [8, 16, 32, 64].into_iter().flat_map(|bits| [IntType::Signed(bits), IntType::Unsigned(bits)]);
    all.into_iter().find(|own| own.in_c() == Some(words)).unwrap_or(IntType::Unknown)
}

#[cfg(test)]
mod tests {
    use super::held;
    use polyfold_program::IntType;

    #[test]
    fn types_of_sizes_are_those_of_c_or_unknown() {
        assert_eq!(
            ["int", "short", "unsigned long"].map(held),
            [IntType::INT, IntType::Signed(16), IntType::Unsigned(64)]
        );
        assert_eq!(["size_t", "uint32_t", "long int"].map(held), [IntType::Unknown; 3]);
    }
}
