//! The arrays to remove: the paper's integer program (§2.3.2), exactly, with rows made as needed.
//!
//! ```text
//! min Σ size(a) x_a      x_a = 1: a stays                                      (1), (4)
//! Σ x_a >= 1             over the arrays a on μ⁺, for every cycle μ in the way  (2), (3), (5)
//! ```
//!
//! (Of two edges between the same nodes a cycle takes either, so that there is a row for each choice of one; this says what the
//! paper's x_uv say.) There may be exponentially many cycles, thousands in a graph of 30 nodes; leaving out some gives fusions that are not
//! legal. So a row is only made for a cycle that is in the way of the arrays that are about to be removed: a walk in the
//! [`Network`](crate::network::Network). About a dozen are enough.
//!
//! Branch and bound on single arrays. The bound is a dual solution: the size of an array is split among rows that hold it, each
//! row gets what the smallest of its arrays has left, and no more fits when the arrays with nothing left hit all rows. These arrays staying is
//! then a legal answer, too, once as many as possible of them are removed again.

use crate::Budget;
use crate::network::Network;

/// What is decided about an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Open,
    Stays,
    Goes,
}

/// Which candidates to remove.
#[derive(Clone, Debug)]
pub(crate) struct Selection {
    pub(crate) is_removed: Vec<bool>,
    /// No legal choice leaves fewer cells than this.
    pub(crate) least_left: u64,
}

/// Removes candidates of these sizes, as many cells as possible.
pub(crate) fn select(network: &mut Network, sizes: &[u64], budget: &mut Budget) -> Selection {
    let mut by_size: Vec<usize> = (0..sizes.len()).collect();
    by_size.sort_by_key(|array| (std::cmp::Reverse(sizes[*array]), *array));
    let mut search = Search {
        network,
        sizes,
        by_size,
        choices: vec![Choice::Open; sizes.len()],
        left: 0,
        rows: Vec::new(),
        trail: Vec::new(),
        best: vec![false; sizes.len()],
        // So that removing nothing is better than no answer.
        least: sizes.iter().sum::<u64>().saturating_add(1),
        root: None,
        budget,
    };
    let reserve = search.budget.share(4);
    search.descend();
    let is_complete = !search.budget.is_spent();
    let least_left = if is_complete { search.least } else { search.root.unwrap_or(0).min(search.least) };
    if !is_complete && !search.best.contains(&true) {
        search.by_size_alone(reserve);
    }
    Selection { is_removed: search.best, least_left }
}

struct Search<'a> {
    network: &'a mut Network,
    sizes: &'a [u64],
    by_size: Vec<usize>,
    choices: Vec<Choice>,
    /// Cells of arrays that stay by choice.
    left: u64,
    /// Of the arrays of each, one has to stay.
    rows: Vec<Vec<usize>>,
    /// Arrays in the order in which they were decided.
    trail: Vec<usize>,
    /// What the best answer removes.
    best: Vec<bool>,
    least: u64,
    /// The bound before the first choice.
    root: Option<u64>,
    budget: &'a mut Budget,
}

impl Search<'_> {
    /// A legal answer where the budget did not last for a better one.
    fn by_size_alone(&mut self, reserve: Budget) {
        *self.budget = reserve;
        self.complete(vec![false; self.sizes.len()]);
        *self.budget = Budget::new(0);
    }

    fn descend(&mut self) {
        if self.budget.is_spent() {
            return;
        }
        let mark = self.trail.len();
        if self.propagate()
            && let Some(row) = self.bound()
        {
            self.branch(&row);
        }
        while self.trail.len() > mark {
            let array = self.trail.pop().expect("the trail is longer");
            if self.choices[array] == Choice::Stays {
                self.left -= self.sizes[array];
            }
            self.choices[array] = Choice::Open;
        }
    }

    /// One array stays, or goes: the one that is in most rows.
    fn branch(&mut self, open: &[usize]) {
        let array = *open.first().expect("somebody is open");
        for choice in [Choice::Stays, Choice::Goes] {
            self.decide(array, choice);
            self.descend();
            self.trail.pop();
            self.left -= if choice == Choice::Stays { self.sizes[array] } else { 0 };
            self.choices[array] = Choice::Open;
        }
    }

    fn decide(&mut self, array: usize, choice: Choice) {
        self.choices[array] = choice;
        self.trail.push(array);
        self.left += if choice == Choice::Stays { self.sizes[array] } else { 0 };
    }

    /// The last open array of a row stays; `false` if a row has none.
    fn propagate(&mut self) -> bool {
        let mut is_settled = false;
        while !is_settled {
            is_settled = true;
            for number in 0..self.rows.len() {
                let row = &self.rows[number];
                self.budget.spend(1);
                if row.iter().any(|array| self.choices[*array] == Choice::Stays) {
                    continue;
                }
                let mut open = row.iter().filter(|array| self.choices[**array] == Choice::Open);
                match (open.next().copied(), open.next()) {
                    (None, _) => return false,
                    (Some(last), None) => {
                        self.decide(last, Choice::Stays);
                        is_settled = false;
                    }
                    _ => {}
                }
            }
        }
        true
    }

    /// Bounds what can be reached from here; `None` if that is not better than the best answer, or is found; else the open arrays
    /// by their number of rows.
    fn bound(&mut self) -> Option<Vec<usize>> {
        let mut rest: Vec<u64> = self.sizes.to_vec();
        let mut bound = self.left;
        for row in &self.rows {
            self.budget.spend(row.len());
            if !row.iter().any(|array| self.choices[*array] == Choice::Stays) {
                bound += pay(row, &self.choices, &mut rest);
            }
        }
        let is_found = self.separate(&mut rest, &mut bound);
        if self.trail.is_empty() {
            self.root = Some(bound);
        }
        if !is_found || bound >= self.least {
            return None;
        }
        let removed = (0..rest.len()).map(|array| self.goes(array, &rest)).collect();
        self.complete(removed);
        (bound < self.least).then(|| self.busiest())
    }

    /// Whether an array goes, if those that have paid all stay.
    fn goes(&self, array: usize, rest: &[u64]) -> bool {
        match self.choices[array] {
            Choice::Goes => true,
            Choice::Stays => false,
            Choice::Open => rest[array] > 0,
        }
    }

    /// Makes rows until arrays with nothing left hit all that there could be; `false`: not better than the best answer.
    fn separate(&mut self, rest: &mut [u64], bound: &mut u64) -> bool {
        loop {
            let removed: Vec<bool> = (0..rest.len()).map(|array| self.goes(array, rest)).collect();
            self.budget.spend(self.network.work());
            let violated = self.network.violated(&removed);
            if violated.is_empty() {
                return true;
            }
            for place in violated {
                if *bound >= self.least || self.budget.is_spent() {
                    return false;
                }
                self.budget.spend(self.network.work());
                let row = self.network.cut(place, &removed);
                if row.iter().all(|array| self.choices[*array] == Choice::Goes) {
                    self.rows.push(row);
                    return false;
                }
                let paid = pay(&row, &self.choices, rest);
                if paid > 0 {
                    *bound += paid;
                    self.rows.push(row);
                }
            }
        }
    }

    /// Removes more arrays while that is legal, and keeps the answer if it is the best.
    fn complete(&mut self, mut removed: Vec<bool>) {
        for k in 0..self.by_size.len() {
            let array = self.by_size[k];
            if removed[array] {
                continue;
            }
            if self.budget.is_spent() {
                break;
            }
            self.budget.spend(self.network.work());
            removed[array] = true;
            removed[array] = self.network.is_legal(&removed);
        }
        let left = (0..removed.len()).filter(|array| !removed[*array]).map(|array| self.sizes[array]).sum();
        if left < self.least {
            (self.least, self.best) = (left, removed);
        }
    }

    /// Open arrays, those in the most rows that are not yet hit first.
    fn busiest(&self) -> Vec<usize> {
        let mut count = vec![0; self.sizes.len()];
        for row in self.rows.iter().filter(|row| !row.iter().any(|a| self.choices[*a] == Choice::Stays)) {
            row.iter().for_each(|array| count[*array] += 1);
        }
        let mut open: Vec<usize> =
            (0..count.len()).filter(|a| self.choices[*a] == Choice::Open && count[*a] > 0).collect();
        open.sort_by_key(|array| (std::cmp::Reverse((count[*array], self.sizes[*array])), *array));
        open
    }
}

/// What the smallest open array of a row has left; all of them pay that.
fn pay(row: &[usize], choices: &[Choice], rest: &mut [u64]) -> u64 {
    let open = || row.iter().copied().filter(|array| choices[*array] == Choice::Open);
    let paid = open().map(|array| rest[array]).min().unwrap_or(0);
    open().for_each(|array| rest[array] -= paid);
    paid
}
