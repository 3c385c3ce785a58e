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

use polyfold_isl::{ErrorKind, Result, Set};

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
}

/// The sizes of tiles, for each choice of sizes.
const SMALL_TILES: [i64; 4] = [4, 5, 3, 6];

/// The cells of a set at each instance of each size.
pub(crate) type Clouds = Vec<Vec<Vec<Vec<i64>>>>;

/// No more points of one footprint are listed.
const MOST_STEPS: u64 = 30_000_000;

/// Values in ascending order around a wanted one are tried up to this distance first, then small ones.
const NEAR: [i64; 9] = [0, 1, -1, 2, -2, 3, -3, 4, -4];
const SMALL: [i64; 8] = [1, 2, 3, 4, 0, 6, 8, 16];

/// Sizes for parameters in `context`, of which those in `changing` differ between instances. `given`: the sizes that the user names;
/// `tiles`: what should be whole at some instance.
///
/// # Errors
/// When the work bound is reached.
pub fn sizes(
    context: &Set,
    parameters: &[String],
    changing: &[String],
    given: &Values,
    tiles: &Tiles,
) -> Result<Vec<Size>> {
    let constants: Vec<&String> = parameters.iter().filter(|name| !changing.contains(name)).collect();
    let count = constants.len() as i64;
    let same = |value: i64| constants.iter().map(|_| value).collect::<Vec<i64>>();
    let rising: Vec<i64> = (0..count).map(|k| tiles.number + 7 + 9 * k).collect();
    let falling: Vec<i64> = rising.iter().rev().copied().collect();
    let mut wishes = vec![same(tiles.number + 10), same(tiles.number + 13)];
    if count > 1 {
        wishes.extend([rising, falling]);
    }
    let mut found: Vec<Size> = Vec::new();
    for (wish, small) in wishes.into_iter().zip(SMALL_TILES) {
        let wish = constants.iter().zip(wish).map(|(name, value)| {
            let value = if tiles.names.contains(name) { small } else { value };
            let user = given.iter().find(|(own, _)| own == *name);
            ((*name).clone(), user.map_or(value, |(_, value)| *value))
        });
        let Some(constants) = nearest(context, &wish.collect::<Values>())? else { continue };
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

/// Values in a set of parameter values, near those that are wished for; one after the other.
fn nearest(context: &Set, wish: &[(String, i64)]) -> Result<Option<Values>> {
    let (mut left, mut found) = (context.clone(), Values::new());
    for (name, value) in wish {
        let multiples = [2, 4, *value].map(|factor| value.saturating_mul(factor));
        let tried = NEAR.iter().map(|step| value.saturating_add(*step)).chain(SMALL).chain(multiples);
        let mut taken = None;
        for candidate in tried {
            let fixed = left.at(&[(name.as_str(), candidate)])?;
            if !fixed.is_empty()? {
                taken = Some((fixed, candidate));
                break;
            }
        }
        let (fixed, candidate) = match taken {
            Some(taken) => taken,
            None => match value_of(&left, name)? {
                Some(value) => (left.at(&[(name.as_str(), value)])?, value),
                None => return Ok(None),
            },
        };
        left = fixed;
        found.push((name.clone(), candidate));
    }
    Ok(if left.is_empty()? { None } else { Some(found) })
}

/// Some value of a parameter.
fn value_of(context: &Set, name: &str) -> Result<Option<i64>> {
    let line = only(context, &[name.to_string()])?;
    Ok(line.sample()?.and_then(|(_, point)| point.first().copied()))
}

/// `{ [p] }`: the values of some parameters for which a set of parameter values has any.
fn only(context: &Set, names: &[String]) -> Result<Set> {
    let point = Set::read(context.context(), "{ [] }")?;
    let others: Vec<String> = context.parameter_names()?.into_iter().filter(|name| !names.contains(name)).collect();
    point.intersect_params(&context.for_any(&others)?)?.with_dimensions_for(names)
}

/// A few instances: spread over their range, which may be without end.
fn instances(context: &Set, constants: &Values, changing: &[String]) -> Result<Vec<Values>> {
    let mut found: Vec<Values> = Vec::new();
    for (part, of) in [(0, 4), (1, 4), (2, 4), (3, 4), (4, 4)] {
        let (mut left, mut values) = (context.clone(), constants.clone());
        let mut is_there = true;
        for name in changing {
            let line = only(&left, std::slice::from_ref(name))?;
            let least = line.dim_min_value(0)?;
            let most = line.dim_max_value(0)?;
            let (least, most) = match (least, most) {
                (Some(least), Some(most)) => (least, most),
                (Some(least), None) => (least, least + 40),
                (None, Some(most)) => (most - 40, most),
                (None, None) => (-20, 20),
            };
            let wish = least + (most - least) * part / of;
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

/// The points of a set at all sizes; `None`: there are too many.
pub(crate) fn clouds(set: &Set, sizes: &[Size]) -> Result<Option<Clouds>> {
    let all = || {
        let of = |size: &Size| size.instances.iter().map(|values| points(set, values)).collect::<Result<Vec<_>>>();
        sizes.iter().map(of).collect::<Result<Clouds>>()
    };
    match set.context().with_quota(MOST_STEPS, all) {
        Ok(clouds) => Ok(Some(clouds)),
        Err(error) if error.kind == ErrorKind::Quota => Ok(None),
        Err(error) => Err(error),
    }
}

/// The most cells at one instance, for each size.
pub(crate) fn largest(clouds: &Clouds) -> Vec<i64> {
    clouds.iter().map(|size| size.iter().map(|cloud| cloud.len() as i64).max().unwrap_or(0)).collect()
}
