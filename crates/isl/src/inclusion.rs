//! Inclusion, piece by piece.
//!
//! isl takes the pieces of `B` away from a piece of `A` one after the other, and each cuts what is left into more parts: where no early one
//! holds all of it, that is exponential in the number of pieces. So each piece of `A` is first looked for in single pieces of `B`:
//!
//! ```text
//! A ⊆ B   if   for each piece a of A:   a ⊆ b for some piece b of B,   or   a ⊆ B
//! ```
//!
//! Example: twelve pieces with remainders in each of which isl found its own one again took 20 s at once, and 0.1 s like this.
//!
//! Most single pieces do not hold `a`. One point of `a` that they leave out shows that without asking isl ([`Witnesses`]).

use crate::outside::Witnesses;
use crate::{Map, Result, Set, sys};

/// Formulas for so many remainders are found without a bound.
const MOST_REMAINDERS: usize = 4;

impl Set {
    /// Whether every point is also in `other`.
    ///
    /// # Errors
    /// When the spaces do not match, or the work bound is reached.
    pub fn is_subset(&self, other: &Set) -> Result<bool> {
        if other.pieces()? <= 1 {
            return self.is_inside(other);
        }
        let others = Pieces::of(other)?;
        for own in self.convex_pieces()? {
            if others.holding(&own)?.is_none() && !own.is_inside(other)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether both have the same points.
    ///
    /// # Errors
    /// When the spaces do not match, or the work bound is reached.
    pub fn is_equal(&self, other: &Set) -> Result<bool> {
        Ok(self.is_subset(other)? && other.is_subset(self)?)
    }

    /// Whether a set that was made from this one by joining pieces has the same points.
    pub(crate) fn is_same_as_joined(&self, joined: &Set) -> Result<bool> {
        let wholes = Pieces::of(joined)?;
        let mut parts: Vec<Option<Set>> = vec![None; wholes.sets.len()];
        for own in self.convex_pieces()? {
            let Some(whole) = wholes.holding(&own)? else { return self.is_equal(joined) };
            parts[whole] = Some(match parts[whole].take() {
                None => own,
                Some(others) => others.union(&own)?,
            });
        }
        for (whole, parts) in wholes.sets.iter().zip(parts) {
            if !parts.map_or(Ok(false), |parts| whole.is_inside(&parts))? && !whole.is_inside(self)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_inside(&self, other: &Set) -> Result<bool> {
        self.context().owns(other.context());
        let (own, other) = (self.explicit()?, other.explicit()?);
        unsafe { self.context().truth(sys::isl_set_is_subset(own.keep(), other.keep())) }
    }

    /// The same set with a formula for each remainder, if it has few. isl 0.25 follows a null pointer where the bound is reached while it looks for formulas, so
    /// there is none for these; for many it may take hours.
    fn explicit(&self) -> Result<Set> {
        if self.divisions()? > MOST_REMAINDERS {
            return Ok(self.clone());
        }
        let raw = self.context().without_bound(|| unsafe { sys::isl_set_compute_divs(self.take()) });
        Set::wrap_raw(self.context(), raw)
    }
}

/// The pieces of a set, to look for one that holds another set.
struct Pieces {
    sets: Vec<Set>,
    witnesses: Witnesses,
}

impl Pieces {
    fn of(set: &Set) -> Result<Pieces> {
        let sets = set.convex_pieces()?;
        Ok(Pieces { witnesses: Witnesses::against(&sets)?, sets })
    }

    /// The first piece that has every point of a set.
    fn holding(&self, set: &Set) -> Result<Option<usize>> {
        let left = self.witnesses.leave(set)?;
        for (k, piece) in self.sets.iter().enumerate().filter(|(k, _)| left[*k]) {
            if set.is_inside(piece)? {
                return Ok(Some(k));
            }
        }
        Ok(None)
    }
}

impl Map {
    /// Whether every pair is also in `other`.
    ///
    /// # Errors
    /// When the spaces do not match, or the work bound is reached.
    pub fn is_subset(&self, other: &Map) -> Result<bool> {
        self.wrap()?.is_subset(&other.wrap()?)
    }

    /// Whether both have the same pairs.
    ///
    /// # Errors
    /// When the spaces do not match, or the work bound is reached.
    pub fn is_equal(&self, other: &Map) -> Result<bool> {
        self.wrap()?.is_equal(&other.wrap()?)
    }
}

#[cfg(test)]
mod tests {
    use crate::{Context, ErrorKind, Set};

    /// A piece inside one other, one inside two together only, and one that sticks out.
    #[test]
    fn pieces_may_lie_in_several_together() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).unwrap();
        let halves = read("{ [x] : 0 <= x < 10 or 10 <= x < 20 }");
        assert!(read("{ [x] : 2 <= x < 5 or 8 <= x < 12 }").is_subset(&halves).unwrap());
        assert!(!read("{ [x] : 2 <= x < 5 or 18 <= x < 22 }").is_subset(&halves).unwrap());
        assert!(read("{ [x] : 0 <= x < 20 }").is_equal(&halves).unwrap());
        assert!(!read("{ [x] : 0 <= x < 19 }").is_equal(&halves).unwrap());
    }

    /// As many pieces as single points are asked about, parameters and remainders among them.
    #[test]
    fn points_rule_out_no_piece_that_holds_all() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).unwrap();
        let strips: Vec<String> = (0..8).map(|k| format!("[i, {k}] : i mod 3 = {} and 0 <= i < n", k % 3)).collect();
        let all = read(&format!("[n] -> {{ {} }}", strips.join("; ")));
        assert!(all.is_equal(&all).unwrap());
        assert!(read("[n] -> { [i, 7] : i mod 6 = 4 and 0 <= i < n }").is_subset(&all).unwrap());
        assert!(!read("[n] -> { [i, 7] : i mod 6 = 4 and 0 <= i <= n }").is_subset(&all).unwrap());
        assert!(!read("[n] -> { [i, 7] : i mod 6 = 3 and 0 <= i < n }").is_subset(&all).unwrap());
        assert!(read("[m, n] -> { [0, k] : 0 < m < n and k = 3 }").is_subset(&all).unwrap());
        assert!(!read("[m, n] -> { [0, k] : 0 < n < m and k = 1 }").is_subset(&all).unwrap());
        assert!(read("[n] -> { [i, j] : 2 * i = 2 * j + 1 }").is_subset(&all).unwrap());
        // The first piece has no points.
        let nothing = read("[n] -> { [i, 9] : 2 * i = 2 * n + 1 }");
        assert!(
            read("[n] -> { [i, 7] : i mod 6 = 4 and 0 <= i < n }").is_subset(&nothing.union(&all).unwrap()).unwrap()
        );
    }

    /// Wherever the bound is reached, also while remainders of remainders are looked for.
    #[test]
    fn small_bounds_end_in_errors() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).unwrap();
        let few =
            read("[n] -> { [i, j] : exists a, b : i = 2 a + 3 b and 0 <= a < n and 0 <= b and j = a + b and b < a }");
        let more = read("[n] -> { [i, j] : exists a : 2 i >= a and 3 j <= a + i and 0 <= a <= 6 n; [i, j] : i > 9 }");
        let expected = few.is_subset(&more);
        for bound in 1..400 {
            match ctx.with_quota(bound, || few.is_subset(&more)) {
                Err(error) => assert_eq!(error.kind, ErrorKind::Quota),
                found => assert_eq!(found, expected),
            }
        }
    }

    #[test]
    fn joined_pieces_have_no_more_and_no_fewer_points() {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, text).unwrap();
        let parts = read("{ [x] : 0 <= x < 10 or 10 <= x < 20 or x = 30 }");
        assert!(parts.is_same_as_joined(&read("{ [x] : 0 <= x < 20 or x = 30 }")).unwrap());
        assert!(!parts.is_same_as_joined(&read("{ [x] : 0 <= x <= 20 or x = 30 }")).unwrap());
        assert!(!parts.is_same_as_joined(&read("{ [x] : 0 <= x < 20 }")).unwrap());
    }
}
