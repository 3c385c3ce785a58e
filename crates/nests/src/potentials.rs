//! The cheapest numbers under difference constraints.
//!
//! ```text
//! min Σ c_x y_x      subject to   y_to − y_from >= least   for every constraint,   Σ c_x = 0
//! ```
//!
//! The dual of a flow: the constraints are arcs without bounds, each unit of flow along one earns `least`, and node x takes in `c_x` more
//! than it gives. Flow goes along the arcs that earn most, path by path; then a number per node follows, at which no arc that is left
//! earns anything. All of it is in integers.
//!
//! Example: `y₁ − y₀ >= 2`, `y₂ − y₁ >= 1`, `y₂ − y₀ >= 4`, and y₂ − y₀ to be small: 0, 2, 4.
//!
//! Paper: Ahuja, Magnanti, Orlin, "Network Flows" (1993), §9.7 (successive shortest paths), §9.4 (duality).

/// `y_to − y_from >= least`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) least: i64,
}

/// The smallest of the cheapest numbers from 0 at node 0 on, from which constraints lead to all others; `None`: the constraints contradict
/// each other, or nothing bounds the costs.
pub(crate) fn cheapest(costs: &[i128], differences: &[Difference]) -> Option<Vec<i64>> {
    let mut network = Network { differences, flow: vec![0; differences.len()], missing: costs.to_vec() };
    network.longest(0)?;
    while let Some(source) = network.missing.iter().position(|missing| *missing < 0) {
        network.send(source)?;
    }
    let (numbers, _) = network.longest(0)?;
    numbers.into_iter().collect()
}

struct Network<'a> {
    differences: &'a [Difference],
    /// By constraint.
    flow: Vec<i128>,
    /// By node, what it has still to take in.
    missing: Vec<i128>,
}

/// A constraint, and whether flow goes along it or back.
type Step = (usize, bool);

/// By node the length of the longest path to it, and the last step of that.
type Longest = (Vec<Option<i64>>, Vec<Option<Step>>);

impl Network<'_> {
    /// The node from which a step goes, and the one to which.
    fn ends(&self, (k, is_forward): Step) -> (usize, usize) {
        let Difference { from, to, .. } = self.differences[k];
        if is_forward { (from, to) } else { (to, from) }
    }

    fn steps(&self) -> impl Iterator<Item = (Step, i64)> {
        let forward = self.differences.iter().enumerate().map(|(k, d)| ((k, true), d.least));
        let back = self.differences.iter().enumerate().filter(|(k, _)| self.flow[*k] > 0);
        forward.chain(back.map(|(k, d)| ((k, false), -d.least)))
    }

    /// The longest paths from a node (Bellman and Ford); `None`: paths get longer and longer.
    fn longest(&self, source: usize) -> Option<Longest> {
        let mut length = vec![None; self.missing.len()];
        let mut last = vec![None; self.missing.len()];
        length[source] = Some(0);
        for _ in 0..=self.missing.len() {
            let mut is_done = true;
            for (step, earns) in self.steps() {
                let (from, to) = self.ends(step);
                let through = length[from].map(|before: i64| before + earns);
                if through > length[to] {
                    (length[to], last[to], is_done) = (through, Some(step), false);
                }
            }
            if is_done {
                return Some((length, last));
            }
        }
        None
    }

    /// Sends flow from a node that has too much to one that has too little, as much as fits on the path that earns most.
    fn send(&mut self, source: usize) -> Option<()> {
        let (length, last) = self.longest(source)?;
        let targets = (0..self.missing.len()).filter(|node| self.missing[*node] > 0 && length[*node].is_some());
        let target = targets.max_by_key(|node| length[*node])?;
        let (mut path, mut node) = (Vec::new(), target);
        while node != source {
            let step = last[node]?;
            path.push(step);
            node = self.ends(step).0;
        }
        let room = path.iter().filter(|(_, is_forward)| !is_forward).map(|(k, _)| self.flow[*k]);
        let amount = room.fold(self.missing[target].min(-self.missing[source]), i128::min);
        for (k, is_forward) in path {
            self.flow[k] += if is_forward { amount } else { -amount };
        }
        self.missing[source] += amount;
        self.missing[target] -= amount;
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn difference((from, to, least): (usize, usize, i64)) -> Difference {
        Difference { from, to, least }
    }

    #[test]
    fn the_longest_path_decides() {
        let differences = [(0, 1, 2), (1, 2, 1), (0, 2, 4)].map(difference);
        assert_eq!(cheapest(&[-1, 0, 1], &differences), Some(vec![0, 2, 4]));
        assert_eq!(cheapest(&[0, -1, 1], &differences), Some(vec![0, 3, 4]));
    }

    #[test]
    fn contradictions_are_seen() {
        assert_eq!(cheapest(&[0, 0], &[(0, 1, 2), (1, 0, -1)].map(difference)), None);
        assert_eq!(cheapest(&[1, -1], &[(0, 1, 2)].map(difference)), None, "y₁ may be as large as it likes");
    }

    /// Against all numbers up to 6, on systems of five nodes with pseudorandom costs and constraints.
    #[test]
    fn no_other_numbers_are_cheaper() {
        let mut state = 1u64;
        let mut random = |most: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % most
        };
        let mut solved = 0;
        for _ in 0..60 {
            let mut costs: Vec<i128> = (0..5).map(|_| i128::from(random(9)) - 4).collect();
            costs[0] -= costs.iter().sum::<i128>();
            let within = (1..5).flat_map(|node| [(0, node, 0), (node, 0, -6)]);
            let others: Vec<_> =
                (0..4).map(|_| (random(5) as usize, random(5) as usize, random(5) as i64 - 3)).collect();
            let differences: Vec<Difference> = within.chain(others).map(difference).collect();
            let fits = |y: &[i64]| differences.iter().all(|d| y[d.to] - y[d.from] >= d.least);
            let cost = |y: &[i64]| y.iter().zip(&costs).map(|(y, c)| i128::from(*y) * c).sum::<i128>();
            let all = (0..7i64.pow(4)).map(|n| vec![0, n % 7, n / 7 % 7, n / 49 % 7, n / 343]);
            let best = all.filter(|y| fits(y)).min_by_key(|y| (cost(y), y.iter().sum::<i64>()));
            solved += usize::from(best.is_some());
            assert_eq!(cheapest(&costs, &differences), best, "{costs:?} {differences:?}");
        }
        assert!(solved > 20, "{solved} of the systems have a solution");
    }
}
