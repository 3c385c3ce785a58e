//! What is asked, and whether it makes sense: a bounded set that is symmetric about 0.

use polyfold_isl::{Error, ErrorKind, Result, Set};
use polyfold_lattice::MOST_DIMENSIONS;

/// A set of differences, and what is known of its parameters.
#[derive(Clone, Debug)]
pub struct Question {
    /// Differences of points that are in use at the same time; with or without 0.
    pub set: Set,
    /// Sets of parameter values.
    pub assumptions: Vec<Set>,
    /// Names and values of parameters.
    pub sizes: Vec<(String, i64)>,
    /// Bound on the work for each part, in elementary steps.
    pub max_operations: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The set is at fault.
    Set {
        /// What is wrong.
        message: String,
        /// What to do about it.
        help: Option<String>,
    },
    /// The assumptions or sizes are at fault.
    Sizes(String),
    /// A result failed its own check: a bug.
    Check(String),
}

impl Fault {
    fn set(message: impl Into<String>, help: &str) -> Fault {
        Fault::Set { message: message.into(), help: (!help.is_empty()).then(|| help.to_string()) }
    }
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        let help = match error.kind {
            ErrorKind::Quota => "--max-ops N raises the bound",
            ErrorKind::Limit | ErrorKind::Invalid | ErrorKind::Refused => "",
        };
        Fault::set(words(&error), help)
    }
}

/// An error in words that do not mention isl.
pub(crate) fn words(error: &Error) -> String {
    match error.kind {
        ErrorKind::Quota => "the bound on work was reached".to_string(),
        ErrorKind::Limit | ErrorKind::Invalid | ErrorKind::Refused => error.message.clone(),
    }
}

/// A set that makes sense.
pub(crate) struct Checked {
    /// Symmetric and bounded, with 0 for all parameters in the context, without a tuple name.
    pub(crate) set: Set,
    pub(crate) names: Vec<String>,
    pub(crate) parameters: Vec<String>,
    /// The parameter values for which the set has points and the assumptions hold.
    pub(crate) context: Set,
}

pub(crate) fn check(question: &Question) -> Result<std::result::Result<Checked, Fault>> {
    let set = question.set.flatten()?.unnamed()?;
    let dimensions = set.dimensions()?;
    if dimensions == 0 {
        return Ok(Err(Fault::set("the set has no coordinates", "give tuples, such as { [i, j] : … }")));
    }
    if dimensions > MOST_DIMENSIONS {
        let message = format!("the set has {dimensions} dimensions, more than {MOST_DIMENSIONS}");
        return Ok(Err(Fault::set(message, "")));
    }
    if set.is_empty()? {
        return Ok(Err(Fault::set("the set is empty", "a set without conflicts is { [0, 0] }: one cell is enough")));
    }
    let mut context = set.params()?;
    for assumption in &question.assumptions {
        context = context.intersect(assumption)?;
    }
    if context.is_empty()? {
        return Ok(Err(Fault::Sizes("--assume: the set has no points for any sizes that are left".to_string())));
    }
    let context = simplified(&context)?;
    let set = set.intersect_params(&context)?;
    if !set.is_bounded()? {
        return Ok(Err(Fault::set("the set is unbounded", "a size may be missing, such as i < n")));
    }
    if let Some(fault) = asymmetry(&set)? {
        return Ok(Err(fault));
    }
    let parameters = set.parameter_names()?;
    let names = names(&set)?;
    let set = set.union(&origin(&set, dimensions)?.intersect_params(&context)?)?.coalesce()?;
    Ok(Ok(Checked { set, names, parameters, context }))
}

/// The same parameter values, without integer divisions where these say nothing.
fn simplified(context: &Set) -> Result<Set> {
    let plain = context.remove_divs()?.coalesce()?;
    if plain.is_equal(context)? { Ok(plain) } else { context.coalesce() }
}

fn origin(set: &Set, dimensions: usize) -> Result<Set> {
    Set::read(set.context(), &format!("{{ [{}] }}", vec!["0"; dimensions].join(", ")))
}

/// Names to print, `x0` and so on where there are none.
fn names(set: &Set) -> Result<Vec<String>> {
    let given = set.dimension_names()?;
    Ok(given.into_iter().enumerate().map(|(k, name)| name.unwrap_or_else(|| format!("x{k}"))).collect())
}

/// A point without its negative, and how to make the set symmetric.
fn asymmetry(set: &Set) -> Result<Option<Fault>> {
    let Some((values, point)) = set.subtract(&set.neg()?)?.sample()? else { return Ok(None) };
    let tuple = |sign: i64| point.iter().map(|c| (sign * c).to_string()).collect::<Vec<_>>().join(", ");
    let at: Vec<String> =
        set.parameter_names()?.iter().zip(&values).map(|(name, value)| format!("{name} = {value}")).collect();
    let at = if at.is_empty() { String::new() } else { format!(" at {}", at.join(", ")) };
    let message = format!("the set is not symmetric: it has ({}) but not ({}){at}", tuple(1), tuple(-1));
    Ok(Some(Fault::set(message, &differences_of(&names(set)?))))
}

/// How to write S − S.
fn differences_of(names: &[String]) -> String {
    let join = |suffix: &str| names.iter().map(|n| format!("{n}{suffix}")).collect::<Vec<_>>().join(", ");
    let minus: Vec<String> = names.iter().map(|n| format!("d{n} = {n}2 - {n}1")).collect();
    let tuple = names.iter().map(|n| format!("d{n}")).collect::<Vec<_>>().join(", ");
    let exists = format!("exists {}, {}", join("1"), join("2"));
    let (first, second) = (join("1"), join("2"));
    format!(
        "if these are points S that are in use at the same time, state their differences S - S: \
         {{ [{tuple}] : {exists} : {} and S({first}) and S({second}) }}",
        minus.join(" and ")
    )
}
