//! Lines: the levels of a buffer in one ring of cells.
//!
//! A buffer of several dimensions has a cell for every combination of subscripts. Values that are alive together may form no box: of a
//! nine-point stencil they are a grid, a row and one cell. Then one sum of the levels, modulo one number, may need less:
//!
//! ```text
//! strides    c as in a[i][j], with extents near the buffer's ([`strides`](crate::strides))
//! levels     the buffer's, or with a drift: small multiples of one iterator, or of one statement's offset ([`drifts`](crate::drifts))
//! modulus    the smallest D of which no c·y is a multiple, y the differences of conflicting values
//! ```
//!
//! All are ranked at the smallest size. For the best D is found at some sizes more, and a polynomial is laid through
//! ([`interpolation`](crate::interpolation)); if there is none, D is one more than the largest `c·y`. All of that is a guess; what
//! [`line_proof`](crate::line_proof) does not prove is dropped. Example: `i − t` and `j − t`, both modulo N + 1, become
//! `(N (i − t) + (j − t)) mod (N² + N + 1)`.

use crate::differences::{Differences, differences, images};
use crate::drifts::{Drift, drifting, drifts};
use crate::floor::{least_sizes, named};
use crate::interpolation::Grid;
use crate::line_proof::{is_positive_everywhere, keeps_apart};
use crate::strides::strides;
use crate::{Buffer, ConflictSet, Line, Member, Polynomial, Row};
use polyfold_isl::Result;

/// Levels past this many have too many orders.
const MOST_LEVELS: usize = 4;

/// Conflicts in more pieces are not looked at.
const MOST_PIECES: usize = 200;

/// Bound on all combinations of strides, drifts and differences at the smallest size.
const MOST_SUMS: usize = 20_000_000;

/// Larger sums are not looked at.
const MOST_REACH: i64 = 1 << 22;

/// So many sizes are looked at, at most.
const MOST_SIZES: usize = 12;

/// So many lines are followed up to other sizes, those with the smallest modulus at the smallest.
const MOST_FOLLOWED: usize = 100;

/// So many are tried to be proved for a buffer, the smallest first.
const MOST_PROOFS: usize = 16;

/// The smallest line for the statements of a buffer that is found, proved, and has less than so many cells at given parameters.
///
/// # Errors
/// When the work bound is reached.
pub(crate) fn smaller_line(
    conflicts: &ConflictSet,
    buffer: &Buffer,
    (sizes, below): (&[i64], i128),
) -> Result<Option<Line>> {
    let Some(search) = Search::new(conflicts, buffer)? else { return Ok(None) };
    let cells = |modulus: &Polynomial| modulus.at(sizes).unwrap_or(i128::MAX);
    let mut found: Vec<(Polynomial, Guess)> =
        search.guesses().into_iter().filter_map(|guess| Some((search.modulus(&guess)?, guess))).collect();
    found.retain(|(modulus, _)| cells(modulus) < below);
    let terms = |guess: &Guess| guess.strides.iter().map(|stride| stride.terms().count()).sum::<usize>();
    found.sort_by_key(|(modulus, guess)| (cells(modulus), terms(guess)));
    for (modulus, guess) in found.into_iter().take(MOST_PROOFS) {
        let Some(line) = search.line(&guess, modulus) else { continue };
        if is_positive_everywhere(conflicts, &line.modulus) && keeps_apart(conflicts, &line)? {
            return Ok(Some(line));
        }
    }
    Ok(None)
}

/// Strides for the levels, and what is changed in these.
#[derive(Clone)]
struct Guess {
    strides: Vec<Polynomial>,
    drift: Drift,
}

struct Search<'a> {
    buffer: &'a Buffer,
    /// What levels may drift along.
    drifting: Vec<Vec<Row>>,
    grid: Grid,
    /// At the sizes of the grid: the differences of the levels and of what they may drift along.
    samples: Vec<Differences>,
}

impl<'a> Search<'a> {
    /// `None` if there are too many differences, or too many sizes to look at.
    fn new(conflicts: &ConflictSet, buffer: &'a Buffer) -> Result<Option<Search<'a>>> {
        let class: Vec<usize> = buffer.members.iter().map(|member| member.statement).collect();
        if !(2..=MOST_LEVELS).contains(&buffer.moduli.len()) || conflicts.between(&class).len() > MOST_PIECES {
            return Ok(None);
        }
        let degree = |k: usize| buffer.moduli.iter().filter(|modulus| modulus.slopes[k] != 0).count();
        let degrees: Vec<usize> = (0..conflicts.parameters().len()).map(degree).collect();
        let matters: Vec<bool> = degrees.iter().map(|degree| *degree > 0).collect();
        let Some(least) = least_sizes(conflicts, &matters)? else { return Ok(None) };
        let grid = Grid::new(least, degrees);
        if grid.points().len() > MOST_SIZES {
            return Ok(None);
        }
        let drifting = drifting(conflicts, &class);
        let with_drifting = |(place, member): (usize, &Member)| Member {
            statement: member.statement,
            rows: member.rows.iter().chain(drifting.iter().map(|rows| &rows[place])).cloned().collect(),
        };
        let members: Vec<Member> = buffer.members.iter().enumerate().map(with_drifting).collect();
        let images = images(conflicts, &members)?;
        let mut samples = Vec::new();
        for point in grid.points() {
            let sizes = named(conflicts, &point).into_iter().zip(&matters).filter(|(_, matters)| **matters);
            let Some(found) = differences(&images, &sizes.map(|(size, _)| size).collect::<Vec<_>>())? else {
                return Ok(None);
            };
            samples.push(found);
        }
        Ok(Some(Search { buffer, drifting, grid, samples }))
    }

    /// Those with the smallest moduli at the smallest size, if they are smaller than the buffer there.
    fn guesses(&self) -> Vec<Guess> {
        let (Some(size), Some(sample)) = (self.grid.points().into_iter().next(), self.samples.first()) else {
            return Vec::new();
        };
        let (strides, drifts) = (strides(&self.buffer.moduli), drifts(self.buffer.moduli.len(), self.drifting.len()));
        let all = drifts.iter().flat_map(|drift| strides.iter().map(move |strides| (strides, drift)));
        let mut found = Vec::new();
        for (strides, drift) in all.take(MOST_SUMS / sample.len().max(1)) {
            let guess = Guess { strides: strides.clone(), drift: drift.clone() };
            let Some(sums) = self.sums(&guess, sample, &size) else { continue };
            let modulus = smallest_modulus(&sums);
            if i128::from(modulus) < self.buffer.cells(&size) {
                found.push((modulus, guess));
            }
        }
        found.sort_by_key(|(modulus, _)| *modulus);
        found.truncate(MOST_FOLLOWED);
        found.into_iter().map(|(_, guess)| guess).collect()
    }

    /// A polynomial that may be the modulus for a guess.
    fn modulus(&self, guess: &Guess) -> Option<Polynomial> {
        let (mut smallest, mut largest) = (Vec::new(), Vec::new());
        for (sample, size) in self.samples.iter().zip(self.grid.points()) {
            let sums = self.sums(guess, sample, &size)?;
            smallest.push(smallest_modulus(&sums));
            largest.push(sums.len() as i64);
        }
        self.grid.through(&smallest).or_else(|| self.grid.through(&largest))
    }

    /// Which numbers are `|c·y|` for a difference y; `None` if 0 is, or a large number.
    fn sums(&self, guess: &Guess, differences: &Differences, size: &[i64]) -> Option<Vec<bool>> {
        let stride = |stride: &Polynomial| stride.at(size)?.try_into().ok();
        let mut strides: Vec<i64> = guess.strides.iter().map(stride).collect::<Option<_>>()?;
        let levels = strides.len();
        strides.resize(levels + self.drifting.len(), 0);
        if let Some((along, multiples)) = &guess.drift {
            strides[levels + along] = product(multiples, &strides)?;
        }
        let mut sums = vec![false];
        for difference in differences {
            let reach = product(difference, &strides)?.checked_abs()?;
            let place = usize::try_from(reach).ok().filter(|_| (1..=MOST_REACH).contains(&reach))?;
            if place >= sums.len() {
                sums.resize(place + 1, false);
            }
            sums[place] = true;
        }
        Some(sums)
    }

    /// With levels turned around where that makes their stride positive. `None` past 64 bits.
    fn line(&self, guess: &Guess, modulus: Polynomial) -> Option<Line> {
        let signs: Vec<i64> = guess.strides.iter().map(Polynomial::leading_sign).collect();
        let moved = |place: usize, level: usize, row: &Row| match &guess.drift {
            Some((along, multiples)) => row.plus(&self.drifting[*along][place], multiples[level]),
            None => row.clone(),
        };
        let row = |place: usize, level: usize, row: &Row| {
            let moved = moved(place, level, row);
            if signs[level] < 0 { moved.plus(&moved, -2) } else { moved }
        };
        let member = |(place, member): (usize, &Member)| Member {
            statement: member.statement,
            rows: member.rows.iter().enumerate().map(|(level, old)| row(place, level, old)).collect(),
        };
        let upright =
            |(stride, sign): (&Polynomial, &i64)| stride.times(&Polynomial::constant(modulus.parameters(), *sign));
        let strides = guess.strides.iter().zip(&signs).map(upright).collect::<Option<_>>()?;
        Some(Line { strides, members: self.buffer.members.iter().enumerate().map(member).collect(), modulus })
    }
}

/// The smallest number of which none of some numbers is a multiple.
fn smallest_modulus(numbers: &[bool]) -> i64 {
    let is_apart = |modulus: &usize| !numbers[*modulus..].iter().step_by(*modulus).any(|is_one| *is_one);
    (1..numbers.len()).find(is_apart).unwrap_or(numbers.len()) as i64
}

/// The scalar product, as far as both go; `None` past 64 bits.
fn product(a: &[i64], b: &[i64]) -> Option<i64> {
    a.iter().zip(b).try_fold(0_i64, |sum, (a, b)| sum.checked_add(a.checked_mul(*b)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_modulus_may_be_less_than_the_largest_number() {
        let among = |numbers: &[usize]| (0..=10).map(|k| numbers.contains(&k)).collect::<Vec<bool>>();
        assert_eq!(smallest_modulus(&among(&[1, 2, 4, 10])), 3);
        assert_eq!(smallest_modulus(&among(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10])), 11);
        assert_eq!(smallest_modulus(&[false]), 1);
    }
}
