//! Parts of a loop in which an access finds its values in one place.
//!
//! A read of a grid's inside or border, `(i >= 2 ? a[…] : first)`, keeps compilers from making vectors of its loop. The loop is cut
//! where the answer changes with its counter:
//!
//! ```text
//! i < 2                 2 <= i < n                i >= n
//! ```
//!
//! Wide borders would take many parts of one iteration each. Those next to each other are one then, with what the program asks left in it: `i < 6`, `6 <= i < n - 3`
//! and `i >= n - 3` of a loop that begins at 3, where each read asks its own question.
//!
//! What depends on outer counters alone stays. A part is all that is left by those before it and is below its end, in whatever
//! order the ends are for some sizes: so parts one after the other always are the whole loop.

use super::pointed::PointedRow;
use crate::values::counter_in_isl;
use crate::{CNames, needs_helpers};
use polyfold_isl::{Map, PwAff, Result, Set};

/// A loop that would be cut into more parts stays whole.
const MOST_PARTS: usize = 4;

/// Parts of at most so many iterations are short.
const SHORT: i64 = 3;

/// So are parts of so many in which choices are left.
const SHORT_WITH_CHOICES: i64 = 8;

/// Some iterations of a loop.
#[derive(Default)]
pub(super) struct Part {
    /// Sizes and counters, all as parameters; `None`: all.
    pub(super) operations: Option<Set>,
    /// The loop's counter as a set that depends on sizes and counters around it; `None`: all.
    pub(super) iterations: Option<Set>,
    /// The last value of the counter, in C; `None`: the loop's.
    pub(super) last: Option<String>,
    /// Whether the loop may end before that.
    pub(super) may_end: bool,
    pub(super) length: Length,
    /// Whether it has an iteration whenever the loop is reached.
    pub(super) always: bool,
    /// Rows that it has pointers to, beside those of all parts.
    pub(super) rows: Vec<PointedRow>,
}

/// How many iterations a part has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Length {
    #[default]
    Any,
    /// So few that segments are not worth it.
    Few,
    /// At most one.
    One,
}

/// Where a part ends.
struct End {
    /// The first iteration behind it.
    behind: PwAff,
    /// Its last iteration, in C.
    last: String,
}

/// The loop that is cut.
pub(super) struct Whole<'a> {
    /// How many loops are around it.
    pub(super) outer: usize,
    /// Its iterations, whatever they do.
    pub(super) all: &'a Set,
    /// The last value that its counter may have.
    pub(super) last: &'a PwAff,
    /// How sizes and counters around it read.
    pub(super) names: &'a CNames,
    /// The sizes that there are.
    pub(super) context: &'a Set,
}

/// The parts in which each choice has one answer; `None`: there is one part, or there are too many. The cases of a choice are sets of
/// iterations.
pub(super) fn parts(choices: &[Vec<Set>], whole: &Whole) -> Result<Option<Vec<Part>>> {
    let Whole { names, all, .. } = *whole;
    let mut ends = ends(all, choices, names)?;
    ends.sort_by_cached_key(|end| at_large(&end.behind));
    let mut short = SHORT;
    if ends.len() + 1 > MOST_PARTS {
        short = SHORT_WITH_CHOICES;
        join_short_ones(all, &mut ends)?;
    }
    if ends.is_empty() || ends.len() + 1 > MOST_PARTS {
        return Ok(None);
    }
    let one = number(all, 1)?;
    let mut iterations = cut(all, &ends)?.into_iter();
    let mut parts = Vec::new();
    for (End { behind, last }, own) in ends.into_iter().zip(&mut iterations) {
        let may_end = !whole.context.is_subset(&whole.last.at_least(&behind.sub(&one)?)?)?;
        parts.push(part(own, whole, (Some(last), may_end), short)?);
    }
    for rest in iterations {
        parts.push(part(rest, whole, (None, false), short)?);
    }
    Ok(Some(parts))
}

/// Leaves ends out between parts that have few iterations together.
fn join_short_ones(all: &Set, ends: &mut Vec<End>) -> Result<()> {
    let mut k = 0;
    while k < ends.len() {
        let end = ends.remove(k);
        if !has_at_most(&cut(all, ends)?[k], SHORT_WITH_CHOICES)? {
            ends.insert(k, end);
            k += 1;
        }
    }
    Ok(())
}

/// The iterations in front of each end, and behind the last one.
fn cut(all: &Set, ends: &[End]) -> Result<Vec<Set>> {
    let (mut rest, mut parts) = (all.clone(), Vec::new());
    for end in ends {
        parts.push(rest.intersect(&related(&end.behind, "x < e")?)?);
        rest = rest.intersect(&related(&end.behind, "x >= e")?)?;
    }
    parts.push(rest);
    Ok(parts)
}

fn part(iterations: Set, whole: &Whole, (last, may_end): (Option<String>, bool), short: i64) -> Result<Part> {
    let operations = Some(as_parameters(&iterations, whole.outer)?);
    let always = whole.context.is_subset(&iterations.params()?)?;
    let (length, iterations) = (length(&iterations, short)?, Some(iterations));
    Ok(Part { operations, iterations, last, may_end, length, always, rows: Vec::new() })
}

/// Where the cases of an access change.
fn ends(all: &Set, choices: &[Vec<Set>], names: &CNames) -> Result<Vec<End>> {
    let one = number(all, 1)?;
    let mut ends: Vec<End> = Vec::new();
    for case in choices.iter().filter(|cases| cases.len() > 1).flatten() {
        let first_behind = [case.dim_min(0)?, case.dim_max(0)?.add(&one)?];
        for behind in first_behind.iter().map(affine).collect::<Result<Vec<_>>>()?.into_iter().flatten() {
            let cuts = |relation: &str| Ok(!all.intersect(&related(&behind, relation)?)?.is_empty()?);
            let last = names.value(&behind.sub(&one)?)?;
            let is_new = ends.iter().all(|other| other.last != last);
            if is_new && !needs_helpers(&last) && cuts("x < e")? && cuts("x >= e")? {
                ends.push(End { behind, last });
            }
        }
    }
    Ok(ends)
}

/// Iterations of a loop as a set of its counter, which depends on the counters of so many loops around it.
pub(super) fn by_outer(iterations: &Set, outer: usize) -> Result<Set> {
    let ctx = iterations.context();
    let names: Vec<String> = (0..outer).map(|k| format!("d{k}")).collect();
    let around = names.join(", ");
    let all = names.iter().map(String::as_str).chain(["x"]).collect::<Vec<_>>().join(", ");
    let whole = Map::read(ctx, &format!("{{ [{around}] -> [{all}] }}"))?.intersect_range(iterations)?;
    let own = Map::read(ctx, &format!("{{ [{all}] -> [x] }}"))?;
    let counters: Vec<String> = (0..outer).map(counter_in_isl).collect();
    whole.apply_range(&own)?.by_start(&counters)?.coalesce()
}

/// The same iterations with the loop's counter as a parameter, too.
pub(super) fn as_parameters(iterations: &Set, outer: usize) -> Result<Set> {
    let same = Map::read(iterations.context(), "{ [x] -> [x] }")?.intersect_domain(iterations)?;
    same.by_start(&[counter_in_isl(outer)])?.params()
}

/// All numbers x that are related to a function's value e.
pub(super) fn related(function: &PwAff, relation: &str) -> Result<Set> {
    function.graph()?.apply(&Map::read(function.context(), &format!("{{ [e] -> [x] : {relation} }}"))?)
}

fn length(iterations: &Set, short: i64) -> Result<Length> {
    for (length, most) in [(Length::One, 1), (Length::Few, short)] {
        if has_at_most(iterations, most)? {
            return Ok(length);
        }
    }
    Ok(Length::Any)
}

/// Whether iterations are so few, whatever the sizes and counters around are.
fn has_at_most(iterations: &Set, most: i64) -> Result<bool> {
    if iterations.is_empty()? {
        return Ok(true);
    }
    let further = iterations.dim_max(0)?.sub(&iterations.dim_min(0)?)?;
    iterations.params()?.is_subset(&number(iterations, most - 1)?.at_least(&further)?)
}

/// A function that is affine wherever it is defined, for all sizes and counters.
fn affine(function: &PwAff) -> Result<Option<PwAff>> {
    Ok(match &function.gist_params(&function.domain()?)?.coalesce()?.pieces()?[..] {
        [(_, affine)] => Some(affine.clone()),
        _ => None,
    })
}

/// About where an end is if sizes are large, to put ends in an order; whichever that is, the parts are right.
fn at_large(end: &PwAff) -> i64 {
    let names = end.parameters().unwrap_or_default();
    let large = |name: &String| if name.starts_with("_i") { 1 << 10 } else { 1 << 20 };
    let sizes: Vec<(&str, i64)> = names.iter().map(|name| (name.as_str(), large(name))).collect();
    end.eval(&sizes).ok().flatten().unwrap_or(i64::MAX)
}

fn number(like: &Set, number: i64) -> Result<PwAff> {
    PwAff::read(like.context(), &format!("{{ [({number})] }}"))
}
