//! One hyperplane per statement, so that as many inter-statement polyhedra as possible are satisfied.
//!
//! The remaining objectives of (10), given for each statement the normals that are best for itself and their bound `u·P + w`:
//!
//! ```text
//! Kᵢ between S and T is satisfied:   Γ_S·s + δ_S − Γ_T·t − δ_T >= 1 on Kᵢ,  or <= −1 on Kᵢ
//! and then it is bounded:            |Γ_S·s + δ_S − Γ_T·t − δ_T| <= u_S·P + w'_S, u_T·P + w'_T on Kᵢ
//! lexmin (unsatisfied polyhedra, w'₀, w'₁, …),   w'_j >= w_j
//! ```
//!
//! The bound has the slopes u of the intra-statement bound: that is the trade-off (9), which lets a polyhedron be satisfied
//! only if the modulus grows by no more than a constant. Branch and bound over normals and signs; each leaf is a system of
//! difference constraints. What (10) leaves open is decided by the least Σ|Γ|, the least Σ|δ|, the largest |ΣΓ| with a positive
//! sum, and the order of the candidates, so that the answer does not depend on chance.
//!
//! Past the bound on work the best choice so far is taken: it may satisfy less, or be wider, but what it leaves comes again.
//!
//! Paper: SMO §4.2, §4.3. Deviation: (6) bounds all inter-statement polyhedra, though the modulus need only exceed the
//! differences of satisfied ones; the others are revised and come again.

use crate::bound::{ceiling, excess};
use crate::budget::Budget;
use crate::conflicts::{Generator, Polyhedron};
use crate::form::dot;
use crate::normals::{Normals, is_upright, length};
use crate::offsets::{Distances, Link};
use std::collections::HashMap;

/// Bound on the search for one level, in entries of tables of distances, links looked at and choices made: about a tenth of a second.
pub(crate) const WORK: u64 = 5_000_000;

/// Hyperplanes of all statements at one level.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    /// Γ per statement.
    pub(crate) normals: Vec<Vec<i64>>,
    /// δ per statement.
    pub(crate) offsets: Vec<i64>,
    /// w' per statement.
    pub(crate) widths: Vec<i64>,
    /// Which of the inter-statement polyhedra are satisfied.
    pub(crate) satisfied: Vec<bool>,
}

/// Chooses among candidates. `inter` names statements by their place in `members`.
pub(crate) fn choose(members: &[Normals], inter: &[&Polyhedron], budget: &mut Budget) -> Option<Choice> {
    let work = budget.next();
    let mut search = Search { members, inter, known: HashMap::new(), state: State::default(), best: None, work };
    search.place(&Distances::unbounded(members.len()));
    budget.spend(work - search.work);
    search.best.map(|(_, choice)| choice)
}

/// What is decided on the way to a leaf.
#[derive(Default)]
struct State {
    /// Places in the lists of candidates.
    normals: Vec<usize>,
    links: Vec<Link>,
    /// Per polyhedron that was decided, in the order of [`Search::due`].
    satisfied: Vec<(usize, bool)>,
}

struct Search<'a> {
    members: &'a [Normals],
    inter: &'a [&'a Polyhedron],
    known: HashMap<(usize, usize, usize), [Option<Link>; 2]>,
    state: State,
    best: Option<(Vec<i64>, Choice)>,
    work: u64,
}

impl Search<'_> {
    /// Gives the next statement a normal.
    fn place(&mut self, distances: &Distances) {
        let member = self.state.normals.len();
        if member == self.members.len() {
            return self.leaf(distances);
        }
        let due = self.due(member);
        for candidate in 0..self.members[member].candidates.len() {
            // One of Γ and −Γ is enough for the first statement.
            if member == 0 && !is_upright(&self.members[0].candidates[candidate]) {
                continue;
            }
            if self.is_over() {
                return;
            }
            self.state.normals.push(candidate);
            if !self.is_worse(distances) {
                self.decide(&due, distances);
            }
            self.state.normals.pop();
        }
    }

    /// The first leaf is always reached.
    fn is_over(&self) -> bool {
        self.work == 0 && self.best.is_some()
    }

    /// The polyhedra whose second statement is this one.
    fn due(&self, member: usize) -> Vec<usize> {
        let later = |k: &usize| self.inter[*k].from.max(self.inter[*k].to) == member;
        (0..self.inter.len()).filter(later).collect()
    }

    /// Decides which of the polyhedra are satisfied, and with which sign.
    fn decide(&mut self, due: &[usize], distances: &Distances) {
        let Some((polyhedron, rest)) = due.split_first() else { return self.place(distances) };
        for link in self.links(*polyhedron).into_iter().flatten() {
            self.spend(self.members.len().pow(2) + self.state.links.len());
            if let Some(distances) = distances.with(&link) {
                self.state.links.push(link);
                self.go_on(*polyhedron, true, rest, &distances);
                self.state.links.pop();
            }
            if self.is_over() {
                return;
            }
        }
        self.go_on(*polyhedron, false, rest, distances);
    }

    fn go_on(&mut self, polyhedron: usize, satisfied: bool, rest: &[usize], distances: &Distances) {
        self.state.satisfied.push((polyhedron, satisfied));
        if !self.is_worse(distances) {
            self.decide(rest, distances);
        }
        self.state.satisfied.pop();
    }

    fn spend(&mut self, work: usize) {
        self.work = self.work.saturating_sub(work as u64);
    }

    /// Lower bounds on the objectives, in their order, with what was decided so far; a width is a look at all links.
    fn key(&self, distances: &Distances) -> impl Iterator<Item = i64> {
        let state = &self.state;
        let unsatisfied = state.satisfied.iter().filter(|(_, satisfied)| !satisfied).count() as i64;
        let floor = |(k, member): (usize, &Normals)| distances.width_floor(k, member.bound.constant, &state.links);
        let lengths = self.normals().map(|normal| length(normal)).sum();
        let widths = self.members.iter().enumerate().map(floor);
        [unsatisfied].into_iter().chain(widths).chain([lengths])
    }

    /// Whether the best is smaller than all that may still come.
    fn is_worse(&mut self, distances: &Distances) -> bool {
        self.spend(self.members.len() + self.state.links.len());
        let Some((best, _)) = &self.best else { return false };
        self.key(distances).gt(best[..self.members.len() + 2].iter().copied())
    }

    fn normals(&self) -> impl Iterator<Item = &Vec<i64>> {
        self.state.normals.iter().zip(self.members).map(|(k, member)| &member.candidates[*k])
    }

    fn leaf(&mut self, distances: &Distances) {
        let floors: Vec<i64> = self.members.iter().map(|member| member.bound.constant).collect();
        let (widths, left) = distances.least_widths(&floors, &self.state.links);
        self.spend(self.members.len().pow(3) + self.members.len().pow(2) * self.state.links.len());
        let (mut offsets, mut key) = (left.offsets(), self.key(distances).collect::<Vec<i64>>());
        let mut normals: Vec<Vec<i64>> = self.normals().cloned().collect();
        let sum: i64 = normals.iter().flatten().sum();
        if sum < 0 {
            normals.iter_mut().flatten().chain(&mut offsets).for_each(|c| *c = -*c);
        }
        key.splice(1..=widths.len(), widths.iter().copied());
        key.extend([length(&offsets), -sum.abs()]);
        if self.best.as_ref().is_none_or(|(best, _)| key < *best) {
            let mut satisfied = vec![false; self.inter.len()];
            self.state.satisfied.iter().for_each(|(k, is)| satisfied[*k] = *is);
            self.best = Some((key, Choice { normals, offsets, widths, satisfied }));
        }
    }

    /// What it takes to satisfy a polyhedron with a positive and with a negative difference.
    fn links(&mut self, polyhedron: usize) -> [Option<Link>; 2] {
        let piece = self.inter[polyhedron];
        let key = (polyhedron, self.state.normals[piece.from], self.state.normals[piece.to]);
        if let Some(links) = self.known.get(&key) {
            return *links;
        }
        self.spend(4 * piece.generators.len());
        let normals = (&self.members[piece.from].candidates[key.1], &self.members[piece.to].candidates[key.2]);
        let links = [1, -1].map(|sign| link(self.members, piece, normals, sign));
        self.known.insert(key, links);
        links
    }
}

/// `None` if no offsets make the difference have the sign everywhere and stay within bounds of the given slopes.
fn link(members: &[Normals], piece: &Polyhedron, normals: (&Vec<i64>, &Vec<i64>), sign: i64) -> Option<Link> {
    let value = |g: &Generator| sign * (dot(normals.0, &g.from) - dot(normals.1, &g.to));
    let slopes = [piece.from, piece.to].map(|member| &members[member].bound.slopes);
    let mut numbers = [i64::MIN; 3];
    for generator in piece.generators.iter() {
        let (corner, value) = (&generator.corner, value(generator));
        if corner.height == 0 {
            let within = slopes.iter().all(|slopes| dot(slopes, &corner.parameters) >= value);
            if value < 0 || !within {
                return None;
            }
            continue;
        }
        let [from, to] = slopes.map(|slopes| excess(corner, value, slopes));
        let here = [ceiling(corner.height - value, corner.height), from, to];
        numbers = std::array::from_fn(|k| numbers[k].max(here[k]));
    }
    let [least, from, to] = numbers;
    let (high, low) = ((piece.from, from), (piece.to, to));
    let (high, low) = if sign > 0 { (high, low) } else { (low, high) };
    Some(Link { high: high.0, low: low.0, least, high_excess: high.1, low_excess: low.1 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ConflictSet;
    use crate::normals::best_normals;
    use polyfold_isl::Context;

    /// Three statements in windows: each conflicts with its own next values, and with some of the others'.
    fn windows(seed: i64) -> ConflictSet {
        let number = |k: i64| (seed * 31 + k * 17 + seed * seed * k) % 4;
        let own = |s: i64| format!("S{s}[i] -> S{s}[j] : 0 <= i < j <= i + {} and j < N", 1 + number(s));
        let between = |(k, (a, b)): (usize, (i64, i64))| {
            let from = number(3 + k as i64) - 2;
            let to = from + number(9 + k as i64);
            format!("S{a}[i] -> S{b}[j] : i + {from} <= j <= i + {to} and 0 <= i, j < N")
        };
        let pairs = [(0, 1), (0, 2), (1, 2)].into_iter().enumerate().map(between);
        let all: Vec<String> = (0..3).map(own).chain(pairs).collect();
        let text = format!("[N] -> {{ {} }}", all.join("; "));
        ConflictSet::read(&Context::new(), "[N] -> { : N >= 9 }", &text).unwrap()
    }

    /// The least unsatisfied polyhedra and widths over all normals and all offsets up to 12.
    fn by_trying_everything(members: &[Normals], inter: &[&Polyhedron]) -> Vec<i64> {
        let choices = |k: usize| 0..members[k].candidates.len();
        let normals = choices(0).flat_map(|a| choices(1).flat_map(move |b| choices(2).map(move |c| [a, b, c])));
        let offsets = || (-12..=12).flat_map(|b| (-12..=12).map(move |c| [0, b, c]));
        let best = normals.filter_map(|normals| {
            let normal = |member: usize| &members[member].candidates[normals[member]];
            let links = |k: &&Polyhedron| [1, -1].map(|sign| link(members, k, (normal(k.from), normal(k.to)), sign));
            let links: Vec<_> = inter.iter().map(links).collect();
            offsets().map(|offsets| key(members, &links, offsets)).min()
        });
        best.min().unwrap()
    }

    fn key(members: &[Normals], links: &[[Option<Link>; 2]], offsets: [i64; 3]) -> Vec<i64> {
        let mut key: Vec<i64> = [0].into_iter().chain(members.iter().map(|member| member.bound.constant)).collect();
        for pair in links {
            let gap = |link: &Link| offsets[link.high] - offsets[link.low];
            let Some(link) = pair.iter().flatten().find(|link| gap(link) >= link.least) else {
                key[0] += 1;
                continue;
            };
            for statement in [link.high, link.low] {
                key[1 + statement] = key[1 + statement].max(gap(link) + link.excess(statement).unwrap());
            }
        }
        key
    }

    #[test]
    fn no_other_choice_is_better() {
        for seed in 0..24 {
            let conflicts = windows(seed);
            let all = conflicts.among(&[0, 1, 2]);
            let own = |k: usize| all.iter().filter(|p| p.is_intra() && p.from == k).collect::<Vec<_>>();
            let members: Vec<_> = (0..3).map(|k| best_normals(1, &own(k), conflicts.corners())).collect();
            let inter: Vec<&Polyhedron> = all.iter().filter(|p| !p.is_intra()).collect();
            let choice = choose(&members, &inter, &mut Budget::new(WORK)).unwrap();
            let unsatisfied = choice.satisfied.iter().filter(|satisfied| !**satisfied).count() as i64;
            let found: Vec<i64> = [unsatisfied].into_iter().chain(choice.widths).collect();
            assert_eq!(found, by_trying_everything(&members, &inter), "seed {seed}");
        }
    }
}
