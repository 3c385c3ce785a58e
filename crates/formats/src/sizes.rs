//! Sizes of a problem in its program: their types, what is known of them, and integers made of them.

use crate::fault::Fault;
use crate::problem::{Parameter, Problem};
use polyfold_isl::{CText, PwAff, Set};
use polyfold_program::{self as program, Cond, Int, IntType, ParameterId};
use polyfold_transform::{cond_of, int_of};

/// A size.
pub(crate) fn size(own: &Parameter) -> program::Parameter {
    program::Parameter { name: own.name.clone(), held: Some(held(&own.words)), most: None }
}

/// What C holds a size in that is declared with some words. Other names of types may stand for any of them.
fn held(words: &str) -> IntType {
    let all = [8, 16, 32, 64].into_iter().flat_map(|bits| [IntType::Signed(bits), IntType::Unsigned(bits)]);
    all.into_iter().find(|own| own.in_c() == Some(words)).unwrap_or(IntType::Unknown)
}

/// What is known of them, as far as a program can say it.
pub(crate) fn context(problem: &Problem) -> Result<Option<Cond>, Fault> {
    let all = Set::read(problem.context.context(), "{ : }")?;
    Ok(cond_of(&CText::new(&all)?.test(&problem.context)?, &|isl| named(problem, isl)))
}

/// A value of sizes and of other names.
pub(crate) fn integer(
    problem: &Problem,
    printer: &CText,
    value: &PwAff,
    others: &dyn Fn(&str) -> Option<Int>,
) -> Result<Int, Fault> {
    let found = int_of(&printer.tree(value)?, &|isl| others(isl).or_else(|| named(problem, isl)));
    found.ok_or_else(|| Fault::of_problem(format!("{value} can't be written in C"), "give its statement a body"))
}

fn named(problem: &Problem, isl: &str) -> Option<Int> {
    problem.parameters.iter().position(|own| own.isl == isl).map(|k| Int::Parameter(ParameterId(k)))
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
