//! A problem as loops in C.
//!
//! isl's AST builder says which loops visit the points in the order of their dates. They are a program around the problem's
//! [`leaves`], which `emit` prints. Which order is right is not asked here.

use crate::fault::Fault;
use crate::leaves::{called, leaves};
use crate::problem::{Problem, Statement};
use crate::text::words;
use polyfold_codegen::{Operations, readable};
use polyfold_emit::{Names, statements};
use polyfold_isl::{Ast, Map, Result, Set};
use polyfold_program::{IntType, ParameterId, Program, Stmt};
use polyfold_transform::{Part, Reordering, reorder};
use std::collections::BTreeSet;

/// The loops, as lines with `indent` in front. Counters get no name that stands in `surroundings`, unless it is an iterator's.
///
/// # Errors
/// When some statement runs without end, or has not one date for each point; or when the work bound is reached.
pub fn loops(problem: &Problem, surroundings: &str, indent: &str) -> std::result::Result<String, Fault> {
    around(problem, &leaves(problem)?, surroundings, indent)
}

/// The loops around the problem's leaves.
pub(crate) fn around(
    problem: &Problem,
    leaves: &Program,
    surroundings: &str,
    indent: &str,
) -> std::result::Result<String, Fault> {
    let names = Taken { problem, leaves };
    let ast = readable(ast(problem, &names.fresh(surroundings)?)?, &names);
    let size = |name: &str| problem.parameters.iter().position(|own| own.isl == name).map(ParameterId);
    let piece =
        |name: &str| Some(Part { statements: vec![leaves.statement(name)?], guards: Vec::new(), declares: false });
    let (counter, parallel) = (|_: &str| (IntType::INT, true), |_, _: &Ast| false);
    let reordering = Reordering { ast: &ast, size: &size, piece: &piece, counter: &counter, parallel: &parallel };
    let counter = |_| Some("int".to_string());
    let names = Names { counters: Some(&|_, _| Some(IntType::INT)), ..Names::of(&counter) };
    let text = reorder(leaves, &reordering).and_then(|program| statements(&program, &names, indent).ok());
    text.ok_or_else(|| Fault::of_problem("it has loops that can't be printed", "write it in another order"))
}

fn ast(problem: &Problem, names: &[String]) -> std::result::Result<Ast, Fault> {
    let mut dates = Vec::new();
    for (k, statement) in problem.statements.iter().enumerate() {
        let all = order(problem, statement)?;
        let last = Set::read(problem.context.context(), &format!("{{ [{k}] }}"))?;
        dates.push(all.flat_range_product(&statement.domain.with_each_of(&last)?)?);
    }
    Ok(Ast::of(&dates, &problem.context, names)?)
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

/// Names that are something else already.
struct Taken<'a> {
    problem: &'a Problem,
    leaves: &'a Program,
}

impl Taken<'_> {
    /// A name for each dimension of the dates that stands nowhere.
    fn fresh(&self, surroundings: &str) -> Result<Vec<String>> {
        let mut taken: BTreeSet<&str> = words(surroundings).chain(self.outside()).collect();
        taken.extend(self.texts().flat_map(|(_, text)| words(text)));
        taken.extend(self.leaves.locals.iter().map(|local| local.name.as_str()));
        let first = self.problem.statements.first();
        let dimensions = first.map_or(Ok(0), |s| s.dates.dimensions().map(|(_, dates)| dates))?;
        let name = |dimension: usize| {
            let mut name = format!("c{dimension}");
            while taken.contains(name.as_str()) {
                name.push('_');
            }
            name
        };
        Ok((0..=dimensions).map(name).collect())
    }

    /// Those of sizes, arrays and functions.
    fn outside(&self) -> impl Iterator<Item = &str> {
        let sizes = self.problem.parameters.iter().flat_map(|own| [own.isl.as_str(), own.name.as_str()]);
        let arrays = self.leaves.buffers.iter().map(|own| own.name.as_str());
        sizes.chain(arrays).chain(called(self.leaves).into_iter().map(|(name, _)| name))
    }

    /// The statements that have a text, and what is left of it without iterators.
    fn texts(&self) -> impl Iterator<Item = (&Statement, &str)> {
        self.leaves.body.iter().filter_map(|leaf| match leaf {
            Stmt::Opaque(own) => Some((&self.problem.statements[own.statement.0], own.text.as_str())),
            _ => None,
        })
    }
}

impl Operations for Taken<'_> {
    fn counters(&self, name: &str) -> Vec<String> {
        let statement = self.problem.statements.iter().find(|statement| statement.name == name);
        statement.map_or_else(Vec::new, |statement| statement.iterators.clone())
    }

    fn may_be_counter(&self, name: &str) -> bool {
        let is_iterator = |statement: &Statement| statement.iterators.iter().any(|own| own == name);
        let means_something_else =
            |(statement, text): (&Statement, &str)| !is_iterator(statement) && words(text).any(|word| word == name);
        polyfold_flow::isl_name(name) == name
            && !self.outside().any(|other| other == name)
            && !self.texts().any(means_something_else)
    }
}
