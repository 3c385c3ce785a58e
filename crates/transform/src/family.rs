//! Remainders of one modulus that differ by numbers.
//!
//! Example: but for multiples of m, `t mod m` is 1 more than `(t - 1) mod m`, and `(t + m + 1) mod m` is 2 more.

use polyfold_program::Sum;
use polyfold_program::{BufferId, Int};

pub(crate) struct Family {
    /// One that has such a subscript.
    pub(crate) buffer: BufferId,
    pub(crate) modulus: Int,
    /// What a loop's counter is multiplied by in each of them.
    pub(crate) factor: i64,
    /// Each with what it is more than the least one, in this order.
    members: Vec<(Int, i64)>,
}

impl Family {
    /// Puts a remainder to those that it belongs to, one of which is no further from it than `apart`, or to ones of its own.
    pub(crate) fn note(all: &mut Vec<Family>, (buffer, factor): (BufferId, i64), e: &Int, apart: i64) {
        let Int::Binary(_, value, modulus) = e else { return };
        let mut alike = all.iter_mut().filter(|own| own.factor == factor && own.modulus == **modulus);
        if !alike.any(|family| family.take(e, value, apart)) {
            let (modulus, members) = ((**modulus).clone(), vec![(e.clone(), 0)]);
            all.push(Family { buffer, modulus, factor, members });
        }
    }

    /// Takes in a remainder of `value`, if it is one of these.
    fn take(&mut self, e: &Int, value: &Int, apart: i64) -> bool {
        let Some(difference) = self.value(0).and_then(|least| Sum::difference_modulo((value, least), &self.modulus))
        else {
            return false;
        };
        if !self.members.iter().any(|(_, own)| own.abs_diff(difference) <= apart.unsigned_abs()) {
            return false;
        }
        if self.members.iter().all(|(own, _)| own != e) {
            let least = difference.min(0);
            self.members.push((e.clone(), difference));
            self.members.iter_mut().for_each(|(_, own)| *own -= least);
            self.members.sort_by_key(|(_, own)| *own);
        }
        true
    }

    /// What a member is the remainder of.
    pub(crate) fn value(&self, k: usize) -> Option<&Int> {
        match &self.members.get(k)?.0 {
            Int::Binary(_, value, _) => Some(value),
            _ => None,
        }
    }

    /// The remainders, each with what it is more than the least one.
    pub(crate) fn members(&self) -> &[(Int, i64)] {
        &self.members
    }

    /// How far the last one is from the least one.
    pub(crate) fn reach(&self) -> i64 {
        self.members.last().map_or(0, |(_, own)| *own)
    }
}
