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

/// The least upper bounds of `δ_a − δ_b`.
struct Distances {
    count: usize,
    most: Vec<i64>,
}

impl Distances {
    fn unbounded(count: usize) -> Distances {
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
        for c in 0..self.count {
            for d in 0..self.count {
                let (before, after) = (self.most(c, a), self.most(b, d));
                if before < FAR && after < FAR {
                    let place = c * self.count + d;
                    self.most[place] = self.most[place].min(before + most + after);
                }
            }
        }
        true
    }

    /// Adds what the links ask, with widths where they are known.
    fn add(&mut self, link: &Link, widths: &[Option<i64>]) -> bool {
        self.restrict(link.low, link.high, -link.least)
            && [link.high, link.low].into_iter().all(|statement| match (widths[statement], link.excess(statement)) {
                (Some(width), Some(excess)) => self.restrict(link.high, link.low, width - excess),
                _ => true,
            })
    }
}

fn solve(links: &[Link], widths: &[Option<i64>]) -> Option<Distances> {
    let mut distances = Distances::unbounded(widths.len());
    links.iter().all(|link| distances.add(link, widths)).then_some(distances)
}

/// Whether some offsets satisfy all links, for wide enough widths.
pub(crate) fn is_feasible(statements: usize, links: &[Link]) -> bool {
    solve(links, &vec![None; statements]).is_some()
}

/// The lexicographically least widths, each at least its floor, for links that are feasible.
pub(crate) fn least_widths(floors: &[i64], links: &[Link]) -> Vec<i64> {
    let mut widths: Vec<Option<i64>> = vec![None; floors.len()];
    for statement in 0..floors.len() {
        let mut fits = |width| {
            widths[statement] = Some(width);
            solve(links, &widths).is_some()
        };
        let floor = width_floor(statement, floors[statement], links);
        let mut step = 1;
        let mut least = floor;
        let mut most = floor;
        while !fits(most) {
            least = most + 1;
            most += step;
            step *= 2;
        }
        while least < most {
            let middle = least + (most - least) / 2;
            if fits(middle) { most = middle } else { least = middle + 1 }
        }
        widths[statement] = Some(most);
    }
    widths.into_iter().flatten().collect()
}

/// A lower bound on a statement's width.
pub(crate) fn width_floor(statement: usize, floor: i64, links: &[Link]) -> i64 {
    links.iter().filter_map(|link| Some(link.least + link.excess(statement)?)).fold(floor, i64::max)
}

/// Offsets within the widths: the first statement of what hangs together gets 0, every further one the least that is possible
/// after those before it.
pub(crate) fn offsets(links: &[Link], widths: &[i64]) -> Option<Vec<i64>> {
    let widths: Vec<Option<i64>> = widths.iter().copied().map(Some).collect();
    let mut distances = solve(links, &widths)?;
    let mut offsets = Vec::new();
    for statement in 0..widths.len() {
        let earlier = || offsets.iter().enumerate();
        let most = earlier().map(|(k, offset): (usize, &i64)| far_or(*offset, distances.most(statement, k))).min();
        let least = earlier().map(|(k, offset)| -far_or(-*offset, distances.most(k, statement))).max();
        let offset = 0.clamp(least.unwrap_or(-FAR), most.unwrap_or(FAR));
        let anchored: Vec<(usize, i64)> = earlier().map(|(k, o)| (k, *o)).collect();
        for (k, other) in anchored {
            if !distances.restrict(statement, k, offset - other) || !distances.restrict(k, statement, other - offset) {
                return None;
            }
        }
        offsets.push(offset);
    }
    Some(offsets)
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

    #[test]
    fn a_chain_of_links_and_their_widths() {
        let links = [link(1, 0, 2, 3, 3), link(2, 1, 1, 0, 5)];
        assert!(is_feasible(3, &links));
        let widths = least_widths(&[0, 0, 0], &links);
        assert_eq!(widths, [5, 6, 1]);
        assert_eq!(offsets(&links, &widths), Some(vec![0, 2, 3]));
    }

    #[test]
    fn links_around_a_circle_contradict_each_other() {
        let around = [link(1, 0, 1, 0, 0), link(0, 1, 0, 0, 0)];
        assert!(!is_feasible(2, &around));
        assert!(is_feasible(2, &around[..1]));
    }

    #[test]
    fn statements_that_no_link_joins_stay_at_zero() {
        let links = [link(2, 0, 4, -4, -4)];
        assert_eq!(offsets(&links, &[0, 0, 0]), Some(vec![0, 0, 4]));
    }
}
