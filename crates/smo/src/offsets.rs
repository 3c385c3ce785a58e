//! Offsets under difference constraints.
//!
//! With the normals fixed, an inter-statement polyhedron restricts the offsets of its two statements only, and only by their
//! difference. If its conflict difference is to be positive, with the statement of the first term called *high*:
//!
//! ```text
//! satisfied:   δ_high − δ_low >= least
//! bounded:     δ_high − δ_low <= w'_high − excess_high,   δ_high − δ_low <= w'_low − excess_low
//! ```
//!
//! for numbers that are read off the generators. Such a system is solved by shortest paths (Bellman), exactly and in integers.
//! Paper: SMO §4.2, constraints (6) and (7), where the offsets are further unknowns of one integer program.

/// What a satisfied polyhedron asks of the offsets of its statements and of their widths w'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link {
    pub(crate) high: usize,
    pub(crate) low: usize,
    pub(crate) least: i64,
    pub(crate) high_excess: i64,
    pub(crate) low_excess: i64,
}

impl Link {
    /// What must be added to the difference of the offsets to get a lower bound on a statement's width.
    pub(crate) fn excess(&self, statement: usize) -> Option<i64> {
        if statement == self.high { Some(self.high_excess) } else { (statement == self.low).then_some(self.low_excess) }
    }
}

/// Farther than any offset.
const FAR: i64 = i64::MAX / 4;

/// The least upper bounds of `δ_a − δ_b` that follow from some links.
#[derive(Clone)]
pub(crate) struct Distances {
    count: usize,
    most: Vec<i64>,
}

impl Distances {
    /// No links yet.
    pub(crate) fn unbounded(count: usize) -> Distances {
        let most = (0..count * count).map(|k| if k / count == k % count { 0 } else { FAR }).collect();
        Distances { count, most }
    }

    fn most(&self, a: usize, b: usize) -> i64 {
        self.most[a * self.count + b]
    }

    /// Adds `δ_a − δ_b <= most`, and all that follows. False if nothing satisfies it.
    fn restrict(&mut self, a: usize, b: usize, most: i64) -> bool {
        if most >= self.most(a, b) {
            return true;
        }
        if self.most(b, a) < FAR && self.most(b, a) + most < 0 {
            return false;
        }
        for c in (0..self.count).filter(|c| self.most(*c, a) < FAR).collect::<Vec<_>>() {
            let before = self.most(c, a) + most;
            for d in 0..self.count {
                let after = self.most(b, d);
                if after < FAR {
                    let place = c * self.count + d;
                    self.most[place] = self.most[place].min(before + after);
                }
            }
        }
        true
    }

    /// The same with a link satisfied, for wide enough widths. `None` if that contradicts the links before.
    pub(crate) fn with(&self, link: &Link) -> Option<Distances> {
        let mut all = self.clone();
        all.restrict(link.low, link.high, -link.least).then_some(all)
    }

    /// The same with a statement's links bounded by its width.
    fn within(&self, statement: usize, width: i64, links: &[Link]) -> Option<Distances> {
        let mut all = self.clone();
        let own = |link: &Link| Some((link.high, link.low, width - link.excess(statement)?));
        links.iter().filter_map(own).all(|(high, low, most)| all.restrict(high, low, most)).then_some(all)
    }

    /// A lower bound on a statement's width: no link alone forces more.
    pub(crate) fn width_floor(&self, statement: usize, floor: i64, links: &[Link]) -> i64 {
        let forced = |link: &Link| Some(link.excess(statement)? - self.most(link.low, link.high));
        links.iter().filter_map(forced).fold(floor, i64::max)
    }

    /// The lexicographically least widths, each at least its floor, and what they leave possible; for the links that are in.
    pub(crate) fn least_widths(&self, floors: &[i64], links: &[Link]) -> (Vec<i64>, Distances) {
        let (mut all, mut widths) = (self.clone(), Vec::new());
        for (statement, floor) in floors.iter().enumerate() {
            let floor = all.width_floor(statement, *floor, links);
            let (width, narrowed) = least(floor, |width| all.within(statement, width, links));
            widths.push(width);
            all = narrowed;
        }
        (widths, all)
    }

    /// Possible offsets: each is the one closest to 0 that those before it allow.
    pub(crate) fn offsets(mut self) -> Vec<i64> {
        let mut offsets: Vec<i64> = Vec::new();
        for statement in 0..self.count {
            let known = || offsets.iter().enumerate();
            let most = known().map(|(k, offset)| far_or(*offset, self.most(statement, k))).fold(FAR, i64::min);
            let least = known().map(|(k, offset)| -far_or(-*offset, self.most(k, statement))).fold(-FAR, i64::max);
            let offset = 0.max(least).min(most);
            for (k, other) in offsets.iter().enumerate() {
                self.restrict(statement, k, offset - other);
                self.restrict(k, statement, other - offset);
            }
            offsets.push(offset);
        }
        offsets
    }
}

/// The least number from a floor on for which something that only becomes easier succeeds, by doubling and halving.
pub(crate) fn least<T>(floor: i64, attempt: impl Fn(i64) -> Option<T>) -> (i64, T) {
    let (mut too_small, mut step) = (floor - 1, 1);
    let (mut enough, mut best) = loop {
        match attempt(too_small + step) {
            Some(found) => break (too_small + step, found),
            None => (too_small, step) = (too_small + step, 2 * step),
        }
    };
    while enough - too_small > 1 {
        let middle = too_small + (enough - too_small) / 2;
        match attempt(middle) {
            Some(found) => (enough, best) = (middle, found),
            None => too_small = middle,
        }
    }
    (enough, best)
}

fn far_or(offset: i64, distance: i64) -> i64 {
    if distance >= FAR { FAR } else { offset + distance }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn link(high: usize, low: usize, least: i64, high_excess: i64, low_excess: i64) -> Link {
        Link { high, low, least, high_excess, low_excess }
    }

    fn distances(links: &[Link]) -> Option<Distances> {
        links.iter().try_fold(Distances::unbounded(3), |distances, link| distances.with(link))
    }

    #[test]
    fn a_chain_of_links_and_their_widths() {
        let links = [link(1, 0, 2, 3, 3), link(2, 1, 1, 0, 5)];
        let (widths, left) = distances(&links).unwrap().least_widths(&[0, 0, 0], &links);
        assert_eq!(widths, [5, 6, 1]);
        assert_eq!(left.offsets(), [0, 2, 3]);
    }

    #[test]
    fn links_around_a_circle_contradict_each_other() {
        assert!(distances(&[link(1, 0, 1, 0, 0), link(0, 1, 0, 0, 0)]).is_none());
        assert!(distances(&[link(1, 0, 1, 0, 0), link(0, 1, -1, 0, 0)]).is_some());
    }

    #[test]
    fn a_width_counts_what_other_links_force() {
        let links = [link(1, 0, 2, 0, 0), link(2, 1, 2, 0, 0), link(2, 0, 1, 0, 0)];
        assert_eq!(distances(&links).unwrap().width_floor(0, 0, &links), 4);
    }

    #[test]
    fn statements_that_no_link_joins_stay_at_zero() {
        let links = [link(2, 0, 4, -4, -4)];
        let (widths, left) = distances(&links).unwrap().least_widths(&[0, 0, 0], &links);
        assert_eq!(widths, [0, 0, 0]);
        assert_eq!(left.offsets(), [0, 0, 4]);
    }

    #[test]
    fn the_least_number_past_a_threshold() {
        for threshold in [-3, 0, 1, 7, 1000] {
            let attempt = |n| (n >= threshold).then_some(n);
            assert_eq!(least(0, attempt), (threshold.max(0), threshold.max(0)));
        }
    }
}
