//! When operations run in another order than the text's, by the dates that it gives them.
//!
//! The loops are run twice: to list the operations' dates, and to count with the place of each in their order. That takes far less time
//! than to write new loops and read them again. What depends on each other keeps its order, so that each cell still sees its reads and
//! writes in the order in which the text runs them.
//!
//! Example: `{ S0[i] -> [0, i, 0]; S1[i] -> [0, i + 1, 1] }` is `S0[0] S0[1] S1[0] S0[2] S1[1] …`.

use super::CountError;
use super::evaluate::Point;
use polyfold_scop::LoopId;

/// One dimension of a statement's dates at given sizes: a sum of counters, and a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coordinate {
    /// Loops around the statement, and by what their counters are multiplied.
    pub counters: Vec<(LoopId, i64)>,
    /// What is added.
    pub offset: i64,
}

/// Dates of operations in the order of the text.
pub(super) struct Listing<'d> {
    dates: &'d [Vec<Coordinate>],
    dimensions: usize,
    /// One date after the other.
    found: Vec<i32>,
}

impl<'d> Listing<'d> {
    /// `dates` are by statement; shorter ones are filled up with zeros.
    pub(super) fn new(dates: &'d [Vec<Coordinate>]) -> Listing<'d> {
        Listing { dates, dimensions: dates.iter().map(Vec::len).max().unwrap_or(0).max(1), found: Vec::new() }
    }

    /// What one more costs.
    pub(super) fn steps(&self) -> u64 {
        2 * self.dimensions as u64 + 2
    }

    pub(super) fn add(&mut self, statement: usize, at: &Point) -> Result<(), CountError> {
        let number = |value: i64| i32::try_from(value).map_err(|_| CountError::TooLarge);
        let date = self.dates.get(statement).ok_or(CountError::NotAffine)?;
        for Coordinate { counters, offset } in date {
            let counted = counters
                .iter()
                .fold(0i64, |sum, (id, factor)| sum.saturating_add(at.iterators[id.0].saturating_mul(*factor)));
            self.found.push(number(counted.saturating_add(*offset))?);
        }
        self.found.extend(std::iter::repeat_n(0, self.dimensions - date.len()));
        Ok(())
    }

    /// For each operation its place among all, from 0. Operations with one date keep the order of the text.
    ///
    /// # Errors
    /// When dates take more than 64 bits.
    pub(super) fn places(self) -> Result<Vec<u32>, CountError> {
        let all = || self.found.chunks_exact(self.dimensions);
        let mut ranges: Vec<Option<(i32, i32)>> = vec![None; self.dimensions];
        for date in all() {
            for (range, value) in ranges.iter_mut().zip(date) {
                let (least, most) = range.unwrap_or((*value, *value));
                *range = Some((least.min(*value), most.max(*value)));
            }
        }
        let ranges: Vec<(i64, u64)> = ranges.into_iter().map(|range| width(range.unwrap_or((0, 0)))).collect();
        let range = ranges.iter().try_fold(1u64, |product, range| product.checked_mul(range.1));
        let range = range.ok_or(CountError::TooLarge)?;
        let key = |date: &[i32]| {
            let digits = date.iter().zip(&ranges);
            digits.fold(0, |key, (value, (least, width))| key * width + (i64::from(*value) - least) as u64)
        };
        let keys: Vec<u64> = all().map(key).collect();
        Ok(if range / MOST_UNUSED <= keys.len() as u64 { counted_up(&keys, range) } else { sorted(&keys) })
    }
}

/// Counting dates takes less than sorting them unless more than so many of so many are no operation's.
const MOST_UNUSED: u64 = 32;

/// The places of keys, all less than `range`.
fn counted_up(keys: &[u64], range: u64) -> Vec<u32> {
    let mut next = vec![0u32; range as usize];
    keys.iter().for_each(|key| next[*key as usize] += 1);
    let mut before = 0;
    for count in &mut next {
        before += std::mem::replace(count, before);
    }
    let place = |key: &u64| {
        let next = &mut next[*key as usize];
        *next += 1;
        *next - 1
    };
    keys.iter().map(place).collect()
}

/// The places of keys.
fn sorted(keys: &[u64]) -> Vec<u32> {
    let mut order: Vec<(u64, u32)> = keys.iter().copied().zip(0..).collect();
    order.sort_unstable();
    let mut places = vec![0; order.len()];
    order.iter().zip(0..).for_each(|((_, operation), place)| places[*operation as usize] = place);
    places
}

/// The least value, and how many there are up to the most.
fn width((least, most): (i32, i32)) -> (i64, u64) {
    (least.into(), (i64::from(most) - i64::from(least)) as u64 + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting_and_sorting_give_the_same_places() {
        let keys = [7, 0, 3, 3, 12, 7, 1, 3];
        assert_eq!(counted_up(&keys, 13), [5, 0, 2, 3, 7, 6, 1, 4]);
        assert_eq!(sorted(&keys), counted_up(&keys, 13));
        assert_eq!(counted_up(&[], 1), Vec::<u32>::new());
    }
}
