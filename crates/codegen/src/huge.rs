//! Sizes with which a test at run time cannot compute.
//!
//! A test computes as `long`, since `n + 3` overflows for the largest `int n`, and `n - 2` wraps around for a small unsigned
//! one. Of a `size_t n` past 2^63 that makes a negative number, and a sum with a `long n` near the largest one overflows. Such
//! sizes are of no use to anyone, but they must not pass: they take the branch with the program as it was. What is only
//! compared needs no bound.
//!
//! Example: `n <= 1000000000000 && (long)m >= (long)n + 3` for `size_t n, m`; `m` as a negative number is too small anyway.
//! For `long n, m` it is `n <= 1000000000000 && m >= (long)n + 3`, and for `int n, m` just `m >= (long)n + 3`.
//!
//! Macros are taken to be no larger than these bounds, or than they are.

use crate::home::words;
use crate::linear::as_long;
use crate::names::LONG;
use crate::overflow::{LONG_RANGE, Range, may_overflow};
use crate::{CNames, Decisions, fault, parameters_in_c};
use polyfold_isl::{Result, Set};
use polyfold_scop::ParameterOrigin;

/// Sizes past the first of these, which is more than memory holds, take the branch with the program as it was where a test
/// might mistake them; those past another one, where the test multiplies by so large a number that this is not enough.
const LIMITS: [i64; 5] = [1_000_000_000_000, 1_000_000_000, 1_000_000, 1_000, 1];

/// The condition that holds for the parameter values in `sizes`, computed as `long`, and fails where `long` does not hold what
/// is computed.
pub(crate) fn kept_out(sizes: &Set, decisions: &Decisions) -> Result<String> {
    let names = parameters_in_c(decisions.scop);
    let text = as_long(&CNames::new(decisions.known, decisions.parameters, &names)?.condition(sizes)?);
    for limit in LIMITS {
        if let Some(text) = (Test { decisions, sizes, names: &names, limit }).settle(&text)? {
            return Ok(text);
        }
    }
    Err(fault("a test on sizes computes with numbers past 64 bits"))
}

struct Test<'a> {
    decisions: &'a Decisions<'a>,
    sizes: &'a Set,
    /// How the parameters read in C.
    names: &'a [String],
    /// What a bound says.
    limit: i64,
}

/// A bound of a parameter.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Bound {
    parameter: usize,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Least,
    Most,
}

impl Test<'_> {
    /// The condition behind as few bounds as it takes, one less leaving it wrong; `None`: all of them are not enough.
    fn settle(&self, text: &str) -> Result<Option<String>> {
        let parameters = 0..self.names.len();
        let ranges = parameters.clone().map(|k| self.range(k)).collect::<Result<Vec<Range>>>()?;
        if self.is_right(text, &ranges) {
            return Ok(Some(text.to_string()));
        }
        let ends = |parameter| [End::Least, End::Most].map(|end| Bound { parameter, end });
        let mut bounds: Vec<Bound> = parameters.flat_map(ends).filter(|b| self.bounds_something(*b, &ranges)).collect();
        let mut text = self.print(&bounds)?;
        if !self.is_right(&text, &ranges) {
            return Ok(None);
        }
        for bound in bounds.clone() {
            let fewer: Vec<Bound> = bounds.iter().copied().filter(|b| *b != bound).collect();
            let shorter = self.print(&fewer)?;
            if self.is_right(&shorter, &ranges) {
                (bounds, text) = (fewer, shorter);
            }
        }
        Ok(Some(text))
    }

    /// Whether a condition neither overflows nor takes a size for a negative number.
    fn is_right(&self, text: &str, ranges: &[Range]) -> bool {
        let parameters = &self.decisions.scop.parameters;
        let left: Vec<Range> =
            parameters.iter().zip(ranges).map(|(p, range)| narrowed(*range, text, &p.name)).collect();
        let is_mistaken = |k: usize| {
            let name = &parameters[k].name;
            let is_cast = words(text).any(|(at, word)| word == name && text[..at].ends_with(LONG));
            self.wraps(k) && is_cast && left[k].1 > LONG_RANGE.1
        };
        let range = |name: &str| parameters.iter().position(|p| p.name == name).map_or(LONG_RANGE, |k| left[k]);
        (0..parameters.len()).all(|k| !is_mistaken(k) || self.fails_by_itself(text, &parameters[k].name))
            && !may_overflow(text, &range)
    }

    /// Whether a `long` may make a negative number of the parameter.
    fn wraps(&self, parameter: usize) -> bool {
        self.decisions.scop.parameters[parameter].is_past_long() && self.names[parameter].starts_with(LONG)
    }

    /// The values that a parameter may have.
    fn range(&self, parameter: usize) -> Result<Range> {
        let Decisions { scop, parameters, known, .. } = *self.decisions;
        let most = match scop.parameters[parameter].origin {
            ParameterOrigin::Variable => scop.parameters[parameter].most.unwrap_or(LONG_RANGE.1),
            ParameterOrigin::Constant(value) => i128::from(value).abs().max(LIMITS[0].into()),
        };
        for least in [0, -self.limit] {
            let text = format!("[{}] -> {{ : {} >= {least} }}", parameters.join(", "), parameters[parameter]);
            if known.is_subset(&Set::read(known.context(), &text)?)? {
                return Ok((i128::from(least).max(-most - 1), most));
            }
        }
        Ok(((-most - 1).max(LONG_RANGE.0), most))
    }

    /// Whether a variable may have values out of the bound.
    fn bounds_something(&self, bound: Bound, ranges: &[Range]) -> bool {
        let (least, most) = ranges[bound.parameter];
        let is_variable = self.decisions.scop.parameters[bound.parameter].origin == ParameterOrigin::Variable;
        is_variable
            && match bound.end {
                End::Least => least < -i128::from(self.limit),
                End::Most => most > self.limit.into(),
            }
    }

    /// The condition, behind bounds of some parameters.
    fn print(&self, bounds: &[Bound]) -> Result<String> {
        let Decisions { scop, parameters, known, .. } = *self.decisions;
        let small = match bounds.is_empty() {
            true => known.clone(),
            false => {
                let bounds: Vec<String> = bounds.iter().map(|b| self.bound_in_c(*b, parameters)).collect();
                let text = format!("[{}] -> {{ : {} }}", parameters.join(", "), bounds.join(" and "));
                known.intersect(&Set::read(known.context(), &text)?)?
            }
        };
        let rest = self.sizes.gist_params(&small)?.coalesce()?;
        let rest = as_long(&CNames::new(&small, parameters, self.names)?.condition(&rest)?);
        let conjuncts = conjuncts(&rest);
        let names: Vec<String> = scop.parameters.iter().map(|p| p.name.clone()).collect();
        let mut parts: Vec<String> = bounds.iter().map(|b| self.bound_in_c(*b, &names)).collect();
        let (first, second): (Vec<&str>, Vec<&str>) =
            conjuncts.iter().filter(|c| **c != "1").partition(|c| !c.contains(LONG));
        parts.extend(first.into_iter().chain(second).map(|c| match conjuncts.len() {
            1 if c.contains(['|', '?']) => format!("({c})"),
            _ => c.to_string(),
        }));
        Ok(parts.join(" && "))
    }

    /// `n <= 1000000000000`.
    fn bound_in_c(&self, bound: Bound, names: &[String]) -> String {
        let name = &names[bound.parameter];
        match bound.end {
            End::Least => format!("{name} >= -{}", self.limit),
            End::Most => format!("{name} <= {}", self.limit),
        }
    }

    /// Whether the condition fails where a parameter, cast to `long`, is negative: it stands in the condition once, as that
    /// which is not to be less than a sum of sizes that are not negative.
    fn fails_by_itself(&self, text: &str, name: &str) -> bool {
        let parameters = self.decisions.scop.parameters.iter().enumerate();
        let others: Vec<&str> = parameters.filter(|(k, _)| self.wraps(*k)).map(|(_, p)| p.name.as_str()).collect();
        let cast = format!("{LONG}{name} ");
        let is_floor = |conjunct: &&str| {
            let Some(rest) = conjunct.strip_prefix(&cast) else { return false };
            let Some(sum) = [">= ", "> ", "== "].iter().find_map(|sign| rest.strip_prefix(sign)) else { return false };
            let is_natural =
                |word: &str| word == "long" || word != name && others.contains(&word) || word.parse::<u64>().is_ok();
            words(sum).all(|(_, word)| is_natural(word)) && !sum.contains(['-', '%', '/', '?'])
        };
        let once = words(text).filter(|(_, word)| *word == name).count() == 1;
        once && conjuncts(text).iter().any(is_floor)
    }
}

/// What is left of a range where the comparisons with numbers hold that stand in front of all that is computed.
fn narrowed(range: Range, text: &str, name: &str) -> Range {
    let said = conjuncts(text).into_iter().take_while(|c| !c.contains(LONG)).filter_map(|c| c.strip_prefix(name));
    said.fold(range, |(least, most), said| {
        let number = |signs: &[&str]| {
            let rest = signs.iter().find_map(|sign| said.strip_prefix(sign))?;
            rest.parse::<i64>().ok().map(i128::from)
        };
        (
            number(&[" >= ", " > ", " == "]).map_or(least, |number| number.max(least)),
            number(&[" <= ", " < ", " == "]).map_or(most, |number| number.min(most)),
        )
    })
}

/// The parts of a condition that all have to hold.
fn conjuncts(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            '|' | '?' if depth == 0 => return vec![text],
            '&' if depth == 0 && text[at..].starts_with("&& ") => {
                parts.push(text[start..at].trim());
                start = at + 2;
            }
            _ => {}
        }
    }
    parts.push(text[start..].trim());
    parts
}
