//! The sizes that a report speaks of, and the values alive at once there.
//!
//! The user's sizes come first, then the source's (macros). Where there are neither, examples are as
//! large as counting stays quick and assumptions allow: 100, or more where more statements run then.
//! That is so in a chain of 60 stages each of which leaves out its ends. It is so where loops over
//! strips have more than two iterations, or where a delay of 441 values has passed. Examples move
//! apart where nothing would be left of their differences.

pub(crate) mod all_running;
pub(crate) mod estimate;
pub(crate) mod scaled;
pub(crate) mod skewed;

use crate::conditions::sizes_to_read;
use crate::optimize::Options;
use crate::sizes::estimate::Grids;
use polyfold_flow::Model;
use polyfold_isl::{Context, Error, Set};
use polyfold_live::{CountError, LiveCount, max_live};
use polyfold_scop::{ArrayId, LoopId, ParameterOrigin, Scop, Statement};
use std::borrow::Cow;
use std::cell::OnceCell;

/// The sizes that counts are given for where nobody says one: the largest at which counting is quick.
pub(crate) const EXAMPLE_SIZES: [i64; 10] = [10, 20, 40, 100, 200, 400, 1000, 2000, 4000, 10_000];

/// Examples are larger only where more statements run then.
const USUAL_SIZE: i64 = 100;

/// Counting at example sizes takes at most this many steps.
const QUICK_COUNT: u64 = 20_000_000;

/// The same where more statements run: what is found where some do not is no good elsewhere.
const THOROUGH_COUNT: u64 = 100_000_000;

/// A count, or why there is none.
pub type Counted = Result<LiveCount, CountError>;

/// The sizes that the report speaks of.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Names in isl notation and values, in the order of the scop's parameters.
    pub values: Vec<(String, i64)>,
    /// Parameters (in C) whose value is only an example: neither the source nor the user gives one.
    pub examples: Vec<String>,
}

/// Sizes, and the values alive at once there.
#[derive(Clone, Debug)]
pub(crate) struct CountedAt {
    pub(crate) sizes: Sizes,
    /// Once it was asked for: where there is a likely count, that is not before something is reported.
    exact: OnceCell<Counted>,
    /// Where counting takes long, or too long: for ranking only.
    estimate: Option<LiveCount>,
    bound: u64,
}

impl CountedAt {
    /// What was counted before.
    pub(crate) fn known(sizes: Sizes, count: LiveCount) -> CountedAt {
        CountedAt { sizes, bound: count.steps, exact: OnceCell::from(Ok(count)), estimate: None }
    }

    /// What they are, or are likely to be: for ranking only.
    pub(crate) fn estimate<'s>(&self, scop: impl FnOnce() -> Cow<'s, Scop>, arrays: &[ArrayId]) -> Option<&LiveCount> {
        self.estimate.as_ref().or_else(|| self.exact(scop, arrays).as_ref().ok())
    }

    /// Whether it is only known what they are likely to be, and by how many steps they would be counted.
    pub(crate) fn steps_if_estimated(&self) -> Option<u64> {
        self.estimate.as_ref().map(|estimate| estimate.steps)
    }

    /// What a report speaks of.
    pub(crate) fn exact<'s>(&self, scop: impl FnOnce() -> Cow<'s, Scop>, arrays: &[ArrayId]) -> &Counted {
        self.exact.get_or_init(|| match &self.estimate {
            Some(estimate) if estimate.steps > self.bound => Err(CountError::TooLarge),
            _ => count(&scop(), arrays, &self.sizes, self.bound),
        })
    }
}

/// Counting more declared cells takes long: at smaller sizes it takes less, if these have fewer.
const MANY_CELLS: u64 = 300_000;

/// Sizes to report at, and the count there: examples grow while counting is quick.
pub(crate) fn sizes_and_count(model: &Model, arrays: &[ArrayId], options: &Options) -> Result<CountedAt, Error> {
    let sizes = choose_sizes(model, options, EXAMPLE_SIZES[0])?;
    let bound = if sizes.examples.is_empty() { options.max_operations } else { QUICK_COUNT };
    let values: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
    let declared = declared(model.scop, arrays, &values);
    if declared > MANY_CELLS {
        let estimate = estimate(model, arrays, &sizes, declared);
        if estimate.is_some() {
            return Ok(CountedAt { sizes, exact: OnceCell::new(), estimate, bound });
        }
    }
    let counted = count(model.scop, arrays, &sizes, bound);
    let is_too_large = matches!(counted, Err(CountError::TooLarge));
    let estimate = if is_too_large { estimate(model, arrays, &sizes, u64::MAX) } else { None };
    let (sizes, counted) = with_larger_examples(model, arrays, options, (sizes, counted))?;
    Ok(CountedAt { sizes, exact: OnceCell::from(counted), estimate, bound })
}

fn count(scop: &Scop, arrays: &[ArrayId], sizes: &Sizes, bound: u64) -> Counted {
    let values: Vec<i64> = sizes.values.iter().map(|(_, v)| *v).collect();
    max_live(scop, arrays, &values, bound)
}

/// The cells of some arrays at values of the scop's parameters.
fn declared(scop: &Scop, arrays: &[ArrayId], values: &[i64]) -> u64 {
    let cells = arrays.iter().map(|id| declared_at(scop, *id, values).unwrap_or(0));
    cells.fold(0, u64::saturating_add)
}

/// A count at sizes that are too large for it, if it is a polynomial of them, and counting at others goes through fewer declared cells
/// than so many.
pub(crate) fn estimate(model: &Model, arrays: &[ArrayId], sizes: &Sizes, most: u64) -> Option<LiveCount> {
    let grids = Grids::to(model, arrays, sizes).ok()?.within(most, |values| declared(model.scop, arrays, values));
    grids.estimate(|values, bound| max_live(model.scop, arrays, values, bound).ok())
}

fn with_larger_examples(
    model: &Model,
    arrays: &[ArrayId],
    options: &Options,
    smallest: (Sizes, Counted),
) -> Result<(Sizes, Counted), Error> {
    let has_examples = !smallest.0.examples.is_empty();
    let mut best = smallest;
    let loops = model.scop.loops();
    let is_over_strips = |id: &&LoopId| loops[id.0].is_over_strips();
    let depth = |s: &Statement| s.loops.iter().filter(|id| !is_over_strips(id)).count();
    let depth = model.scop.statements.iter().map(depth).max().unwrap_or(0) as i32;
    let mut counted_at = EXAMPLE_SIZES[0];
    for example in EXAMPLE_SIZES.into_iter().skip(1) {
        let Ok(done) = &best.1 else { break };
        let growth = (example as f64 / counted_at as f64).powi(depth) as u64;
        let is_usual = example <= USUAL_SIZE;
        let bound = if is_usual { QUICK_COUNT } else { THOROUGH_COUNT };
        if !has_examples || done.steps.saturating_mul(growth) > bound {
            break;
        }
        let sizes = choose_sizes(model, options, example)?;
        if sizes.values == best.0.values {
            break;
        }
        if !is_usual && running(model, &sizes)? <= running(model, &best.0)? {
            continue;
        }
        let counted = count(model.scop, arrays, &sizes, bound);
        if counted.is_err() {
            break;
        }
        best = (sizes, counted);
        counted_at = example;
    }
    Ok(best)
}

/// How many statements have an operation at these sizes, and how many loops over strips around them a third iteration.
pub(crate) fn running(model: &Model, sizes: &Sizes) -> Result<usize, Error> {
    let (mut running, loops) = (0, model.scop.loops());
    for (statement, modelled) in model.scop.statements.iter().zip(&model.statements) {
        let operations = modelled.domain.at(&borrow(&sizes.values))?;
        running += usize::from(!operations.is_empty()?);
        for (level, id) in statement.loops.iter().enumerate().filter(|(_, id)| loops[id.0].is_over_strips()) {
            let ends = operations.dim_min_value(level)?.zip(operations.dim_max_value(level)?);
            running += usize::from(ends.is_some_and(|(first, last)| last - first >= 2 * loops[id.0].step.abs()));
        }
    }
    Ok(running)
}

/// The user's sizes, else the source's, else an example that the context allows.
///
/// # Errors
/// When the work bound is reached.
pub fn choose_sizes(model: &Model, options: &Options, example: i64) -> Result<Sizes, Error> {
    let mut sizes = asked_sizes(model, options, example);
    if !sizes.examples.is_empty() && model.context.at(&borrow(&sizes.values))?.is_empty()? {
        move_into_context(model, &mut sizes)?;
    }
    move_apart(model, &mut sizes)?;
    Ok(sizes)
}

/// What is wrong with sizes that the user gave: no run of the scop that C gives a meaning has them.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn impossible(
    known: &Set,
    parameters: &[String],
    scop: &Scop,
    sizes: &[(String, i64)],
) -> Result<Option<String>, Error> {
    if let Some(message) = past_type(scop, sizes) {
        return Ok(Some(message));
    }
    let in_isl = |(name, value): &(String, i64)| {
        let k = scop.parameters.iter().position(|p| p.name == *name)?;
        Some((parameters[k].as_str(), *value))
    };
    if !known.at(&sizes.iter().filter_map(in_isl).collect::<Vec<_>>())?.is_empty()? || known.is_empty()? {
        return Ok(None);
    }
    let is_used = |size: &&(String, i64)| in_isl(size).is_some();
    let given: Vec<String> = sizes.iter().filter(is_used).map(|(name, value)| format!("{name}={value}")).collect();
    let allowed = sizes_to_read(known, parameters, scop)?.condition(known)?;
    let (function, line) = (&scop.function, scop.line);
    Ok(Some(format!(
        "--param {}: no such size is possible in `{function}` (line {line}); it takes {allowed}",
        given.join(",")
    )))
}

/// As [`impossible`], of a scop that is not analysed otherwise; nothing where that takes too long.
pub fn impossible_in(ctx: &Context, scop: &Scop, sizes: &[(String, i64)], bound: u64) -> Option<String> {
    let model = ctx.with_quota(bound, || Model::build(ctx, scop)).ok()?;
    impossible(&model.known, &model.parameters, scop, sizes).ok()?
}

/// A size that the type of its variable does not hold.
fn past_type(scop: &Scop, sizes: &[(String, i64)]) -> Option<String> {
    let most = |name: &str| scop.parameters.iter().find(|p| p.name == name)?.most;
    let (name, value, most) = sizes.iter().find_map(|(name, value)| {
        let most = most(name).filter(|most| i128::from(*value) > *most)?;
        Some((name, value, most))
    })?;
    let (function, line) = (&scop.function, scop.line);
    Some(format!("--param {name}={value}: `{name}` holds at most {most} in `{function}` (line {line})"))
}

/// What is wrong with the user's assumptions: no run of the scop that C gives a meaning fulfils them.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn contradiction(known: &Set, parameters: &[String], scop: &Scop, assumptions: &[String]) -> Result<String, Error> {
    let given: Vec<String> = assumptions.iter().map(|text| format!("--assume '{text}'")).collect();
    let allowed = sizes_to_read(known, parameters, scop)?.condition(known)?;
    let takes = if allowed == "1" { String::new() } else { format!("; it takes {allowed}") };
    let (function, line) = (&scop.function, scop.line);
    Ok(format!("{}: no size fulfils this in `{function}` (line {line}){takes}", given.join(" ")))
}

/// The user's sizes, else the source's, else the example.
fn asked_sizes(model: &Model, options: &Options, example: i64) -> Sizes {
    let mut sizes = Sizes { values: Vec::new(), examples: Vec::new() };
    for (parameter, name) in model.scop.parameters.iter().zip(&model.parameters) {
        let given = options.sizes.iter().find(|(n, _)| *n == parameter.name).map(|(_, v)| *v);
        let value = match (given, &parameter.origin) {
            (Some(value), _) => value,
            (None, ParameterOrigin::Constant(value)) => *value,
            (None, ParameterOrigin::Variable) => {
                sizes.examples.push(parameter.name.clone());
                example
            }
        };
        sizes.values.push((name.clone(), value));
    }
    sizes
}

/// The smallest example sizes, as a set of parameter values; with the user's and the source's own sizes among them.
pub(crate) fn smallest_examples(model: &Model, options: &Options) -> Result<Set, Error> {
    let asked = asked_sizes(model, options, EXAMPLE_SIZES[0]);
    sizes_where(model, asked.values.iter().map(|(name, value)| format!("{name} = {value}")))
}

/// Replaces the examples by values that the context allows, if there are any: each as large as the example if it may be, else
/// smaller, else little larger.
fn move_into_context(model: &Model, sizes: &mut Sizes) -> Result<(), Error> {
    let is_example = |k: &usize| sizes.examples.contains(&model.scop.parameters[*k].name);
    let (free, fixed): (Vec<usize>, Vec<usize>) = (0..sizes.values.len()).partition(is_example);
    let mut allowed = model.context.at(&borrow(&fixed.iter().map(|k| sizes.values[*k].clone()).collect::<Vec<_>>()))?;
    let positive = positive_sizes(model, sizes, &free)?.intersect(&allowed)?;
    if !positive.is_empty()? {
        allowed = positive;
    }
    for k in free {
        let (name, example) = sizes.values[k].clone();
        let may_be = |value: i64| Ok::<bool, Error>(!allowed.at(&[(name.as_str(), value)])?.is_empty()?);
        // Sizes on both sides of the example: all are odd, or have some other remainder.
        let is_between = !may_be(example)? && may_be(example - 1)? && may_be(example + 1)?;
        let example = if is_between { example - 1 } else { example };
        for value in halves(example).chain(more(example)) {
            let narrowed = allowed.at(&[(name.as_str(), value)])?;
            if !narrowed.is_empty()? {
                sizes.values[k].1 = value;
                allowed = narrowed;
                break;
            }
        }
    }
    let Some((values, _)) = allowed.sample()? else { return Ok(()) };
    for (name, value) in allowed.parameter_names()?.iter().zip(values) {
        if let Some(k) = sizes.values.iter().position(|(n, _)| n == name)
            && sizes.examples.contains(&model.scop.parameters[k].name)
        {
            sizes.values[k].1 = value;
        }
    }
    Ok(())
}

/// How much a choice of sizes leaves: statements that run, and long extents.
type Left = (usize, usize);

/// Moves examples apart where that leaves more: one size after the other becomes 0, or a quarter, where that lets more statements run or more
/// extents be at least a quarter of the largest example, and neither the other way around.
///
/// ```text
/// double t[hi - lo]; for (i = lo; i < hi; i++) …     hi = 100, lo = 100: no cell, no iteration     hi = 100, lo = 0: 100 of both
/// ```
fn move_apart(model: &Model, sizes: &mut Sizes) -> Result<(), Error> {
    let is_example = |k: &usize| sizes.examples.contains(&model.scop.parameters[*k].name);
    let examples: Vec<usize> = (0..sizes.values.len()).filter(is_example).collect();
    let Some(largest) = examples.iter().map(|k| sizes.values[*k].1).max() else { return Ok(()) };
    let mut best = left_at(model, sizes, largest / 4)?;
    if best == all_left(model.scop) {
        return Ok(());
    }
    for k in examples {
        for value in [0, sizes.values[k].1 / 4] {
            let mut other = sizes.clone();
            other.values[k].1 = value;
            if model.context.at(&borrow(&other.values))?.is_empty()? {
                continue;
            }
            let left = left_at(model, &other, largest / 4)?;
            if left.0 >= best.0 && left.1 >= best.1 && left != best {
                (best, *sizes) = (left, other);
                break;
            }
        }
    }
    Ok(())
}

fn left_at(model: &Model, sizes: &Sizes, least: i64) -> Result<Left, Error> {
    let values: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
    let extents = model.scop.arrays.iter().flat_map(|array| array.extents.iter().flatten());
    let long = extents.filter(|extent| extent.value(&values).is_some_and(|cells| cells >= least)).count();
    Ok((running(model, sizes)?, long))
}

/// All statements and all extents.
fn all_left(scop: &Scop) -> Left {
    (scop.statements.len(), scop.arrays.iter().flat_map(|array| array.extents.iter().flatten()).count())
}

/// Sizes at which there is something to count.
fn positive_sizes(model: &Model, sizes: &Sizes, free: &[usize]) -> Result<Set, Error> {
    sizes_where(model, free.iter().map(|k| format!("{} >= 1", sizes.values[*k].0)))
}

/// The parameter values with which all of some conditions hold.
pub(crate) fn sizes_where(model: &Model, conditions: impl Iterator<Item = String>) -> Result<Set, Error> {
    let all: Vec<String> = std::iter::once("true".to_string()).chain(conditions).collect();
    Set::read(model.context.context(), &format!("[{}] -> {{ : {} }}", model.parameters.join(", "), all.join(" and ")))
}

/// `100, 50, 25, …, 1, 0`.
fn halves(from: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(from), |value| (*value > 0).then_some(value / 2))
}

/// `101, 102, …, 132, 200, 400, …`, from 100: what is allowed beyond may begin at once, or far off.
fn more(than: i64) -> impl Iterator<Item = i64> {
    let doubled = (1..40).map(move |k| than.saturating_mul(1 << k));
    (than + 1..=than + 32).chain(doubled)
}

/// The sizes that are numbers, such as macros, under their names in isl notation.
pub(crate) fn constants<'a>(scop: &Scop, parameters: &'a [String]) -> Vec<(&'a str, i64)> {
    let named = scop.parameters.iter().zip(parameters);
    named.filter_map(|(parameter, name)| Some((name.as_str(), parameter.constant()?))).collect()
}

/// The same sizes with borrowed names.
pub fn borrow(sizes: &[(String, i64)]) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

/// Product of the declared extents at given sizes; `None` where an extent is unknown or not positive.
pub fn declared_cells(scop: &Scop, id: ArrayId, sizes: &[(String, i64)]) -> Option<u64> {
    declared_at(scop, id, &sizes.iter().map(|(_, value)| *value).collect::<Vec<_>>())
}

fn declared_at(scop: &Scop, id: ArrayId, values: &[i64]) -> Option<u64> {
    let extents = scop.array(id).extents.iter();
    extents.map(|e| u64::try_from(e.as_ref()?.value(values)?).ok()).try_fold(1u64, |product, e| product.checked_mul(e?))
}
