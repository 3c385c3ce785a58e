//! Sizes and instances at which proposals are compared.
//!
//! Layouts are found on points: the cells of a footprint at a few sizes and instances. What is found there is only proposed; it is
//! measured, and later proved, for all sizes. So a bad choice here costs cells, never correctness.
//!
//! Example: for `for (i…) { region: A[j], A[i + j] for j < n }` the sizes are a few values of n and of the bound of i, and the instances a few
//! values of i for each.
//!
//! Several sizes are taken, odd and even ones, in several proportions, since a layout that is best for squares need not be so for
//! flat rectangles.

use polyfold_isl::{Result, Set};
use polyfold_lattice::Scanner;

/// Values of some parameters, by their names.
pub type Values = Vec<(String, i64)>;

/// Some sizes, and a few instances of the region at these.
#[derive(Clone, Debug)]
pub struct Size {
    /// Parameters that are the same at all instances.
    pub constants: Values,
    /// All parameters, for each instance.
    pub instances: Vec<Values>,
}

/// What is known of the tiles that a program has: sizes should be several times as large.
#[derive(Clone, Debug, Default)]
pub struct Tiles {
    /// Their size, where it is a number; else 0.
    pub number: i64,
    /// Parameters that are the size of a tile.
    pub names: Vec<String>,
    /// Parameters that stand for products, with their factors.
    pub products: Vec<(String, Vec<String>)>,
}

/// The sizes of tiles, for each choice of sizes.
const SMALL_TILES: [i64; 4] = [4, 5, 3, 6];

/// The cells of a set at each instance of each size.
pub(crate) type Clouds = Vec<Vec<Vec<Vec<i64>>>>;

/// No more points of one footprint are listed.
const MOST_STEPS: u64 = 30_000_000;

/// How far around a wanted value others are tried first.
const NEAR: [i64; 9] = [0, 1, -1, 2, -2, 3, -3, 4, -4];

/// Sizes for parameters in `context`, of which those in `changing` differ between instances. `given`: the sizes that the user names;
/// `tiles`: what should be whole at some instance; `macros`: values that the first sizes have, if the user names no others.
///
/// # Errors
/// When the work bound is reached.
pub fn sizes(
    context: &Set,
    parameters: &[String],
    changing: &[String],
    given: &Values,
    tiles: &Tiles,
    macros: &Values,
) -> Result<Vec<Size>> {
    let constants: Vec<&String> = parameters.iter().filter(|name| !changing.contains(name)).collect();
    let count = constants.len() as i64;
    let same = |value: i64| constants.iter().map(|_| value).collect::<Vec<i64>>();
    // Several tiles, so that some are whole where they are skewed, and what grows with the sizes is seen to.
    let tiled = 3 * tiles.number;
    let rising: Vec<i64> = (0..count).map(|k| tiled + 7 + 9 * k).collect();
    let falling: Vec<i64> = rising.iter().rev().copied().collect();
    let mut wishes = vec![same(tiled + 10), same(tiled + 13)];
    if count > 1 {
        wishes.extend([rising, falling]);
    }
    let mut found: Vec<Size> = Vec::new();
    for (k, (wish, small)) in wishes.into_iter().zip(SMALL_TILES).enumerate() {
        let first = macros.iter().filter(|_| k == 0);
        let wish = constants.iter().zip(wish).map(|(name, value)| {
            let value = if tiles.names.contains(name) { small } else { value };
            let fixed = given.iter().chain(first.clone()).find(|(own, _)| own == *name);
            ((*name).clone(), fixed.map_or(value, |(_, value)| *value))
        });
        let Some(constants) = with_products(context, wish.collect(), tiles)? else { continue };
        if found.iter().any(|size| size.constants == constants) {
            continue;
        }
        let instances = instances(&at(context, &constants)?, &constants, changing)?;
        if !instances.is_empty() {
            found.push(Size { constants, instances });
        }
    }
    Ok(found)
}

/// The same for factors first, and then for products of them.
fn with_products(context: &Set, wish: Values, tiles: &Tiles) -> Result<Option<Values>> {
    let factors = |name: &String| tiles.products.iter().find(|(own, _)| own == name).map(|(_, factors)| factors);
    let (products, plain): (Values, Values) = wish.into_iter().partition(|(name, _)| factors(name).is_some());
    let Some(mut found) = nearest(context, &plain)? else { return Ok(None) };
    for (name, wish) in products {
        let value = |factor: &String| found.iter().find(|(own, _)| own == factor).map(|(_, value)| *value);
        let values: Option<Vec<i64>> = factors(&name).into_iter().flatten().map(value).collect();
        let product =
            values.and_then(|values| values.iter().try_fold(1i64, |product, value| product.checked_mul(*value)));
        let Some(one) = nearest(&at(context, &found)?, &[(name, product.unwrap_or(wish))])? else { return Ok(None) };
        found.extend(one);
    }
    Ok(Some(found))
}

/// Values in a set of parameter values, near those that are wished for; one after the other.
fn nearest(context: &Set, wish: &[(String, i64)]) -> Result<Option<Values>> {
    let (mut left, mut found) = (context.clone(), Values::new());
    for (name, value) in wish {
        let mut taken = None;
        for candidate in NEAR.iter().map(|step| value.saturating_add(*step)) {
            let fixed = left.at(&[(name.as_str(), candidate)])?;
            if !fixed.is_empty()? {
                taken = Some((fixed, candidate));
                break;
            }
        }
        let (fixed, candidate) = match taken {
            Some(taken) => taken,
            None => match value_near(&left, name, *value)? {
                Some(value) => (left.at(&[(name.as_str(), value)])?, value),
                None => return Ok(None),
            },
        };
        left = fixed;
        found.push((name.clone(), candidate));
    }
    Ok(if left.is_empty()? { None } else { Some(found) })
}

/// The largest value of a parameter up to a wish, else the smallest one.
fn value_near(context: &Set, name: &str, wish: i64) -> Result<Option<i64>> {
    let line = only(context, &[name.to_string()])?;
    let below = line.intersect(&Set::read(line.context(), &format!("{{ [p] : p <= {wish} }}"))?)?;
    if !below.is_empty()? {
        return below.dim_max_value(0);
    }
    if line.is_empty()? { Ok(None) } else { line.dim_min_value(0) }
}

/// `{ [p] }`: the values of some parameters for which a set of parameter values has any.
fn only(context: &Set, names: &[String]) -> Result<Set> {
    let point = Set::read(context.context(), "{ [] }")?;
    let others: Vec<String> = context.parameter_names()?.into_iter().filter(|name| !names.contains(name)).collect();
    point.intersect_params(&context.for_any(&others)?)?.with_dimensions_for(names)
}

/// A few instances: spread over their range, which may be without end, some of them off its diagonal.
fn instances(context: &Set, constants: &Values, changing: &[String]) -> Result<Vec<Values>> {
    const PARTS: i64 = 4;
    let mut found: Vec<Values> = Vec::new();
    for (part, crosses) in [(0, false), (1, true), (2, false), (3, true), (4, false)] {
        let (mut left, mut values) = (context.clone(), constants.clone());
        let mut is_there = true;
        for (k, name) in changing.iter().enumerate() {
            let part = if crosses && k % 2 == 1 { PARTS - part } else { part };
            let line = only(&left, std::slice::from_ref(name))?;
            let least = line.dim_min_value(0)?;
            let most = line.dim_max_value(0)?;
            let (least, most) = match (least, most) {
                (Some(least), Some(most)) => (least, most),
                (Some(least), None) => (least, least + 40),
                (None, Some(most)) => (most - 40, most),
                (None, None) => (-20, 20),
            };
            let wish = least + (most - least) * part / PARTS;
            let Some(near) = nearest(&left, &[(name.clone(), wish)])? else {
                is_there = false;
                break;
            };
            left = at(&left, &near)?;
            values.extend(near);
        }
        if is_there && !found.contains(&values) {
            found.push(values);
        }
    }
    Ok(found)
}

/// Which values a counter, or what else changes from instance to instance, may have.
pub enum Choice {
    /// All within bounds.
    Any,
    /// Those of a loop: its first value, and its step, not 0.
    Steps(i64, i64),
    /// One.
    Only(i64),
}

/// The first instances at some sizes, in the order in which they run; `None`: nothing bounds them. `counters`: what changes, outermost loops
/// first; `choice`: the values that one may have, given those in front of it.
///
/// # Errors
/// When the work bound is reached.
pub fn first_instances(
    running: &Set,
    size: &Size,
    counters: &[String],
    choice: &dyn Fn(&Values, &str) -> Choice,
    most: usize,
) -> Result<Option<Vec<Values>>> {
    let mut found = Vec::new();
    let left = at(running, &size.constants)?;
    let is_bounded = add_instances(&left, &size.constants, counters, choice, (most, &mut found))?;
    Ok(is_bounded.then_some(found))
}

/// Whether all counters are bounded.
fn add_instances(
    left: &Set,
    values: &Values,
    counters: &[String],
    choice: &dyn Fn(&Values, &str) -> Choice,
    (most, found): (usize, &mut Vec<Values>),
) -> Result<bool> {
    let Some((name, inner)) = counters.split_first() else {
        found.push(values.clone());
        return Ok(true);
    };
    let (mut next, step, last) = match choice(values, name) {
        Choice::Only(value) => (value, 1, value),
        choice => {
            let line = only(left, std::slice::from_ref(name))?;
            if line.is_empty()? {
                return Ok(true);
            }
            let (Some(least), Some(most)) = (line.dim_min_value(0)?, line.dim_max_value(0)?) else { return Ok(false) };
            match choice {
                Choice::Steps(first, step) if step > 0 => (least + (first - least).rem_euclid(step), step, most),
                Choice::Steps(first, step) => (most - (most - first).rem_euclid(-step), step, least),
                _ => (least, 1, most),
            }
        }
    };
    while (if step > 0 { next <= last } else { next >= last }) && found.len() < most {
        let value = vec![(name.clone(), next)];
        let within = at(left, &value)?;
        let own: Values = values.iter().cloned().chain(value).collect();
        if !within.is_empty()? && !add_instances(&within, &own, inner, choice, (most, found))? {
            return Ok(false);
        }
        next = next.saturating_add(step);
    }
    Ok(true)
}

/// A set at given values.
pub(crate) fn at(set: &Set, values: &Values) -> Result<Set> {
    let values: Vec<(&str, i64)> = values.iter().map(|(name, value)| (name.as_str(), *value)).collect();
    set.at(&values)
}

/// The points of a set at given values of all its parameters.
///
/// # Errors
/// When there are infinitely many, or so many that the work bound is reached.
pub fn points(set: &Set, values: &Values) -> Result<Vec<Vec<i64>>> {
    at(set, values)?.without_parameters()?.points()
}

/// The points of a set at all sizes, in lexicographic order; `None`: there are too many, or they cannot be listed.
pub(crate) fn clouds(set: &Set, sizes: &[Size]) -> Result<Option<Clouds>> {
    let all = || {
        let scanner = Scanner::of(set)?;
        let names = set.parameter_names()?;
        let of = |values: &Values| {
            let scanned = scanner.as_ref().and_then(|scanner| scanned(scanner, set, &names, values));
            let mut cloud = scanned.map_or_else(|| points(set, values), Ok)?;
            cloud.sort_unstable();
            cloud.dedup();
            Ok(cloud)
        };
        sizes.iter().map(|size| size.instances.iter().map(of).collect::<Result<Vec<_>>>()).collect::<Result<Clouds>>()
    };
    match set.context().with_quota(MOST_STEPS, all) {
        Ok(clouds) => Ok(Some(clouds)),
        Err(error) if error.is_bound() => Ok(None),
        Err(error) => Err(error),
    }
}

/// The points of a set, if they can be scanned.
fn scanned(scanner: &Scanner, set: &Set, names: &[String], values: &Values) -> Option<Vec<Vec<i64>>> {
    let value = |name: &String| values.iter().find(|(own, _)| own == name).map(|(_, value)| *value);
    let values = names.iter().map(value).collect::<Option<Vec<i64>>>()?;
    let dimensions = set.dimensions().ok().filter(|count| *count > 0)?;
    Some(scanner.points(&values).ok()?.chunks(dimensions).map(<[i64]>::to_vec).collect())
}

/// The most cells at one instance, for each size.
pub(crate) fn largest(clouds: &Clouds) -> Vec<i64> {
    clouds.iter().map(|size| size.iter().map(|cloud| cloud.len() as i64).max().unwrap_or(0)).collect()
}

/// The points that some of two lists have.
pub(crate) fn joined(a: &Clouds, b: &Clouds) -> Clouds {
    let both = |(a, b): (&Vec<Vec<i64>>, &Vec<Vec<i64>>)| {
        let mut all = [a.as_slice(), b].concat();
        all.sort();
        all.dedup();
        all
    };
    a.iter().zip(b).map(|(a, b)| a.iter().zip(b).map(both).collect()).collect()
}
