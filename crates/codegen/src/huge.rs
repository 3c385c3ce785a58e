//! Sizes that a `long` does not hold, in tests at run time.
//!
//! A test computes as `long`, since `n - 2` wraps around for a small unsigned `n`. Of a `size_t n` past 2^63 that makes a
//! negative number, and of one close to that a sum that overflows. Such sizes are of no use to anyone, but they must not pass:
//! they take the branch with the program as it was.
//!
//! Example: `n <= 1000000000000 && (long)m >= (long)n + 3`. Nothing is needed for `m`: as a negative number it is too small.

use crate::home::words;
use crate::names::LONG;
use crate::{CNames, Decisions, parameters_in_c};
use polyfold_isl::{Result, Set};

/// Sizes past this take the branch with the program as it was, where a test might mistake them: more than memory holds.
const MOST: i64 = 1_000_000_000_000;

/// The condition that reads `text` for the parameter values in `sizes`, made to fail where `long` does not hold a size.
pub(crate) fn kept_out(text: String, sizes: &Set, decisions: &Decisions, source: &str) -> Result<String> {
    let scop = decisions.scop;
    let is_cast = |name: &str| words(&text).any(|(at, word)| word == name && text[..at].ends_with(LONG));
    let huge: Vec<usize> = (0..scop.parameters.len())
        .filter(|k| scop.parameters[*k].is_past_long() && is_cast(&scop.parameters[*k].name))
        .collect();
    if huge.is_empty() {
        return Ok(text);
    }
    let test = Test { decisions, sizes, source, huge };
    let name = |k: &usize| scop.parameters[*k].name.as_str();
    let (spared, bounded): (Vec<usize>, Vec<usize>) =
        test.huge.iter().partition(|k| test.fails_by_itself(&text, name(k)));
    let fewer = test.print(&bounded)?;
    match spared.iter().all(|k| test.fails_by_itself(&fewer, name(k))) {
        true => Ok(fewer),
        false => test.print(&test.huge),
    }
}

struct Test<'a> {
    decisions: &'a Decisions<'a>,
    sizes: &'a Set,
    source: &'a str,
    /// Parameters that a `long` may not hold, and that are cast to one.
    huge: Vec<usize>,
}

impl Test<'_> {
    /// The condition, behind bounds of some parameters.
    fn print(&self, bounded: &[usize]) -> Result<String> {
        let Decisions { scop, parameters, known, .. } = *self.decisions;
        let names = parameters_in_c(scop, self.source);
        let bounds: Vec<String> = bounded.iter().map(|k| format!("{} <= {MOST}", parameters[*k])).collect();
        let small = match bounds.is_empty() {
            true => known.clone(),
            false => {
                let text = format!("[{}] -> {{ : {} }}", parameters.join(", "), bounds.join(" and "));
                known.intersect(&Set::read(known.context(), &text)?)?
            }
        };
        let rest = self.sizes.gist_params(&small)?.coalesce()?;
        let rest = CNames::new(&small, parameters, &names)?.condition(&rest)?;
        let conjuncts = conjuncts(&rest);
        let is_bounded = |name: &str| conjuncts.iter().any(|c| bounds_by_number(c, name));
        let own = bounded.iter().map(|k| &scop.parameters[*k].name).filter(|name| !is_bounded(name));
        let mut parts: Vec<String> = own.map(|name| format!("{name} <= {MOST}")).collect();
        let (first, second): (Vec<&str>, Vec<&str>) =
            conjuncts.iter().filter(|c| **c != "1").partition(|c| !c.contains(LONG));
        parts.extend(first.into_iter().chain(second).map(|c| match conjuncts.len() {
            1 if c.contains(['|', '?']) => format!("({c})"),
            _ => c.to_string(),
        }));
        Ok(parts.join(" && "))
    }

    /// Whether the condition fails where a parameter, cast to `long`, is negative: it stands in the condition once, as that
    /// which is not to be less than a sum of sizes that are not negative.
    fn fails_by_itself(&self, text: &str, name: &str) -> bool {
        let scop = self.decisions.scop;
        let others: Vec<&str> =
            self.huge.iter().map(|k| scop.parameters[*k].name.as_str()).filter(|other| *other != name).collect();
        let cast = format!("{LONG}{name} ");
        let is_floor = |conjunct: &&str| {
            let Some(rest) = conjunct.strip_prefix(&cast) else { return false };
            let Some(sum) = [">= ", "> ", "== "].iter().find_map(|sign| rest.strip_prefix(sign)) else { return false };
            let is_natural = |word: &str| word == "long" || others.contains(&word) || word.parse::<u64>().is_ok();
            words(sum).all(|(_, word)| is_natural(word)) && !sum.contains(['-', '%', '/', '?'])
        };
        let once = words(text).filter(|(_, word)| *word == name).count() == 1;
        once && conjuncts(text).iter().any(is_floor)
    }
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

/// Whether it reads `n <= 10` or `n == 10`.
fn bounds_by_number(conjunct: &str, name: &str) -> bool {
    let rest = conjunct.strip_prefix(name).unwrap_or("");
    let number = [" <= ", " < ", " == "].iter().find_map(|sign| rest.strip_prefix(sign));
    number.is_some_and(|number| number.parse::<i64>().is_ok())
}
