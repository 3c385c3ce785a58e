//! How many values are likely to be alive at once at sizes that are too large to count.
//!
//! For sizes on a line, from some on, and of one remainder, numbers of values are polynomials of the place x on it. So they are counted
//! at small sizes on a line to those asked for, and extrapolated by Newton's forward differences:
//!
//! ```text
//! f(x) = Σ_j Δ^j f(0) · C(x, j)
//! ```
//!
//! The line begins where all statements run that run at the sizes asked for, and keeps about their proportions. A count at two more places
//! says whether the polynomial fits.
//!
//! Not proved: searches end earlier by it, and try what is likely to be best first. No report gives it for a count.

use super::sizes::{Sizes, borrow};
use polyfold_flow::Model;
use polyfold_isl::{Error, Set};
use polyfold_live::LiveCount;
use polyfold_scop::ArrayId;

/// Sizes at which is counted are this far apart, so that loops over every second iteration, or every fourth, make one polynomial.
const SPACING: i64 = 4;

/// The last place at which is counted is so many times as far as the first behind those that make the polynomial, or less far where
/// counting takes too long.
const FAR: i64 = 4;

/// Counting once takes at most this many steps.
const MOST_STEPS: u64 = 60_000_000;

/// Sizes on a straight line, from small ones to those asked for.
pub(super) struct Line {
    /// In the order of the scop's parameters.
    first: Vec<i64>,
    step: Vec<i64>,
    /// The place of the sizes asked for; that of the first is 0.
    end: i64,
    degree: i64,
}

impl Line {
    /// `None`: the sizes asked for are so small that the others would be no smaller.
    pub(super) fn to(model: &Model, arrays: &[ArrayId], sizes: &Sizes) -> Result<Option<Line>, Error> {
        let asked: Vec<i64> = sizes.values.iter().map(|(_, value)| *value).collect();
        let running = Running::at(model, sizes)?;
        let dimensions = arrays.iter().map(|id| model.scop.array(*id).extents.len()).max().unwrap_or(0);
        let depth = model.scop.statements.iter().map(|statement| statement.loops.len()).max().unwrap_or(0);
        let degree = dimensions.max(depth) as i64;
        let line_from = |most: i64| Line::from(most, &asked, degree);
        let Some(most) = running.first_size(asked.iter().copied().max().unwrap_or(0), line_from)? else {
            return Ok(None);
        };
        Ok(line_from(most))
    }

    /// The line that begins with sizes of about `most`, or those asked for where these are smaller.
    fn from(most: i64, asked: &[i64], degree: i64) -> Option<Line> {
        let away: Vec<i64> = asked.iter().map(|asked| (asked - most).max(0)).collect();
        let nearest = away.iter().copied().filter(|away| *away > 0).min()?;
        let end = nearest / SPACING;
        let step: Vec<i64> = away.iter().map(|away| away / nearest * SPACING).collect();
        let first = asked.iter().zip(&step).map(|(asked, step)| asked - end * step).collect();
        (end > FAR * (degree + 1)).then_some(Line { first, step, end, degree })
    }

    fn sizes_at(&self, place: i64) -> Vec<i64> {
        self.first.iter().zip(&self.step).map(|(first, step)| first + place * step).collect()
    }

    /// The sizes at which is counted.
    pub(super) fn counted(&self) -> impl Iterator<Item = Vec<i64>> {
        let behind = self.degree + 1;
        (0..=behind).chain([FAR * behind]).map(|place| self.sizes_at(place))
    }

    /// The count at the sizes asked for, by counts at smaller ones within a number of steps; `None`: one of these is unknown, or no
    /// polynomial fits. Which of several moments with the most values is the first may change from size to size: then it is not known of
    /// which arrays they are.
    pub(super) fn likely(&self, count: impl Fn(&[i64], u64) -> Option<LiveCount>) -> Option<LiveCount> {
        let behind = self.degree + 1;
        let at = |place: i64| count(&self.sizes_at(place), MOST_STEPS);
        let near: Vec<LiveCount> = (0..behind).map(at).collect::<Option<_>>()?;
        let steps: Vec<i128> = near.iter().map(|count| count.steps.into()).collect();
        let is_quick = |place: &i64| extrapolated(&steps, *place).is_some_and(|steps| steps <= MOST_STEPS);
        let far = (behind + 1..=FAR * behind).rev().find(is_quick)?;
        let checks = [(behind, at(behind)?), (far, at(far)?)];
        let of = |number: &dyn Fn(&LiveCount) -> u64| {
            let values: Vec<i128> = near.iter().map(|count| number(count).into()).collect();
            let fits = |(place, count): &(i64, LiveCount)| extrapolated(&values, *place) == Some(number(count));
            checks.iter().all(fits).then(|| extrapolated(&values, self.end)).flatten()
        };
        let arrays = near.first()?.each.len();
        let at_peak: Option<Vec<u64>> = (0..arrays).map(|k| of(&|count| count.at_peak[k])).collect();
        Some(LiveCount {
            total: of(&|count| count.total)?,
            each: (0..arrays).map(|k| of(&|count| count.each[k])).collect::<Option<_>>()?,
            at_peak: at_peak.unwrap_or_else(|| vec![0; arrays]),
            steps: of(&|count| count.steps)?,
        })
    }
}

/// The polynomial through values at 0, 1, 2, … at another place; `None` if it is negative there.
fn extrapolated(values: &[i128], place: i64) -> Option<u64> {
    let (mut differences, mut chosen, mut sum) = (values.to_vec(), 1i128, 0i128);
    for taken in 0..values.len() as i128 {
        sum = sum.checked_add(differences[0].checked_mul(chosen)?)?;
        differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
        chosen = chosen.checked_mul(i128::from(place) - taken)? / (taken + 1);
    }
    u64::try_from(sum).ok()
}

/// The sizes at which statements have operations, of those that have some at the sizes asked for.
struct Running<'m> {
    model: &'m Model<'m>,
    domains: Vec<Set>,
}

impl<'m> Running<'m> {
    fn at(model: &'m Model, sizes: &Sizes) -> Result<Running<'m>, Error> {
        let mut domains = Vec::new();
        for statement in &model.statements {
            if !statement.domain.at(&borrow(&sizes.values))?.is_empty()? {
                domains.push(statement.domain.params()?.intersect(&model.context)?);
            }
        }
        Ok(Running { model, domains })
    }

    /// The smallest number from which on a line may begin, looked for by doubling it and then between the last two.
    fn first_size(&self, end: i64, line: impl Fn(i64) -> Option<Line>) -> Result<Option<i64>, Error> {
        let runs = |most: i64| line(most).map_or(Ok(false), |line| self.all_run(&line));
        let (mut below, mut found) = (0, SMALLEST);
        while !runs(found)? {
            (below, found) = (found, found * 2);
            if found >= end {
                return Ok(None);
            }
        }
        while found - below > SPACING {
            let between = below + (found - below) / 2;
            if runs(between)? { found = between } else { below = between }
        }
        Ok(Some(found))
    }

    fn all_run(&self, line: &Line) -> Result<bool, Error> {
        let first: Vec<(&str, i64)> = self.model.parameters.iter().map(String::as_str).zip(line.sizes_at(0)).collect();
        for domain in &self.domains {
            if domain.at(&first)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(!self.model.context.at(&first)?.is_empty()?)
    }
}

/// At smaller sizes hardly anything happens.
const SMALLEST: i64 = 8;

#[cfg(test)]
mod tests {
    use super::*;

    /// `x² + 3x + 5`, and a cubic that three values do not tell.
    #[test]
    fn a_polynomial_goes_on() {
        assert_eq!(extrapolated(&[5, 9, 15], 100), Some(10305));
        assert_ne!(extrapolated(&[0, 1, 8], 3), Some(27));
        assert_eq!(extrapolated(&[10, 8], 6), None);
    }

    /// Rows of 1000 and 500: both shrink, in proportion as far as steps allow, and the third stays.
    #[test]
    fn a_line_keeps_proportions() {
        let line = Line::from(124, &[1000, 500, 7], 2).expect("there is room");
        assert_eq!((line.first.clone(), line.step.clone(), line.end), (vec![248, 124, 7], vec![8, 4, 0], 94));
        assert_eq!(line.sizes_at(94), [1000, 500, 7]);
        assert!(Line::from(124, &[140, 130], 2).is_none());
    }

    /// `each` is a row longer wherever `n` is; at sizes at which another polynomial holds, nothing is known.
    #[test]
    fn counts_that_fit_no_polynomial_say_nothing() {
        let line = Line::from(10, &[1010], 1).expect("there is room");
        let count =
            |alive: u64| Some(LiveCount { total: alive, each: vec![alive], at_peak: vec![alive], steps: 3 * alive });
        let square = |n: u64| 2 * n + 1;
        assert_eq!(line.likely(|sizes, _| count(square(sizes[0] as u64))), count(2021));
        assert_eq!(line.likely(|sizes, _| count((sizes[0] as u64).max(20))), None);
        assert_eq!(line.likely(|_, _| None), None);
    }
}
