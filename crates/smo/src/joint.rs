//! The engine `joint`: all levels of a buffer at once.
//!
//! The greedy heuristic satisfies as many conflicts as it can at its first level, and pays for conflicts that a later level would
//! separate for nothing: N² + 2N cells for the two-dimensional stencil, where N² + N are enough. Here the levels are chosen
//! together:
//!
//! ```text
//! min  Π (u_l·P + w_l + 1)   over m levels, with a normal Γ_l, a modulus and offsets δ_S for each, so that
//! for every piece K there is a level l with   1 <= |Γ_l·d + δ_S − δ_T| <= u_l·P + w_l   on K, with one sign
//! ```
//!
//! for m from 1 to the number of coordinates. Only pieces that a level satisfies are bounded there; one modulus is common to all
//! statements of the buffer; there is no trade-off (9) and nothing to revise, (11)–(13). Normals are enumerated up to a radius
//! and shared by all statements.
//!
//! Branch and bound without early commitment: a level has the least offsets and modulus that its commitments ask for
//! ([`spacing`]). A piece that these satisfy by chance needs no decision. Of the others the one with the fewest ways out is next:
//! it is committed to an open level or to a new one, with either sign. More commitments never make a level smaller, so the cells so far
//! are a lower bound. Past the bound on work the best so far is taken.
//!
//! What this knows not is offsets that grow with parameters, and normals that differ between statements.

use crate::budget::Budget;
use crate::conflicts::Corner;
use crate::fast::{SharedLevel, assemble};
use crate::form::dot;
use crate::frame::{Frame, Piece};
use crate::normals::{integer_box, is_upright, length};
use crate::spacing::{Demand, Spacing, spacing};
use crate::span::{SIGNS, Span};
use crate::{Buffer, ConflictSet};

/// Bound on the work for one class, in generators of pieces that are looked at: about a tenth of a second.
pub(crate) const WORK: u64 = 10_000_000;

/// The smallest buffer at given parameters that this finds for a class.
pub(crate) fn joint_buffer(
    conflicts: &ConflictSet,
    class: &[usize],
    sizes: &[i64],
    budget: &mut Budget,
) -> Option<Buffer> {
    let polyhedra = conflicts.between(class);
    let mut found: Option<Buffer> = None;
    for frame in Frame::all(conflicts, class, &polyhedra) {
        let Some(pieces) = frame.pieces(class, &polyhedra) else { continue };
        let least = found.as_ref().map(|buffer| buffer.cells(sizes));
        let work = budget.next();
        let Some(table) = Table::new(class.len(), frame.dimensions, &pieces, conflicts.corners(), work) else {
            continue;
        };
        let mut search = Search { table: &table, sizes, most_levels: 0, levels: Vec::new(), best: None, least, work };
        for levels in 1..=frame.dimensions.max(1) {
            search.most_levels = levels;
            search.descend();
        }
        budget.spend(work - search.work);
        if let Some((_, levels)) = search.best {
            found = Some(assemble(conflicts.parameters().len(), class, &frame, &levels));
        }
    }
    found
}

/// What the normals do to the pieces.
struct Table<'a> {
    count: usize,
    context: &'a [Corner],
    normals: Vec<Vec<i64>>,
    /// By normal and piece.
    spans: Vec<Vec<Span<'a>>>,
    /// By normal and piece: the signs that offsets can give it.
    signs: Vec<Vec<Vec<i64>>>,
    /// By piece: how many normals can keep it apart.
    ways: Vec<usize>,
}

impl<'a> Table<'a> {
    /// `None` if that alone is past a bound on work.
    fn new(
        count: usize,
        dimensions: usize,
        pieces: &'a [Piece],
        context: &'a [Corner],
        work: u64,
    ) -> Option<Table<'a>> {
        let mut normals = integer_box(dimensions, radius(dimensions));
        normals.retain(|normal| is_upright(normal));
        let generators: usize = pieces.iter().map(|piece| piece.differences.len()).sum();
        if (generators * normals.len()) as u64 > work {
            return None;
        }
        let of = |normal: &Vec<i64>| pieces.iter().map(|piece| Span::new(piece, normal)).collect::<Vec<_>>();
        let spans: Vec<Vec<Span>> = normals.iter().map(of).collect();
        let possible = |span: &Span| SIGNS.into_iter().filter(|sign| span.can_be(*sign)).collect::<Vec<i64>>();
        let signs: Vec<Vec<Vec<i64>>> = spans.iter().map(|row| row.iter().map(possible).collect()).collect();
        let way = |piece: usize| signs.iter().filter(|row| !row[piece].is_empty()).count();
        let ways = (0..pieces.len()).map(way).collect();
        Some(Table { count, context, normals, spans, signs, ways })
    }

    /// A level with one more commitment; `None` if that contradicts the others.
    fn open(&self, normal: usize, mut commitments: Vec<(usize, i64)>, more: (usize, i64)) -> Option<Open> {
        commitments.push(more);
        let demand = |(piece, sign): &(usize, i64)| (&self.spans[normal][*piece], *sign);
        let demands: Vec<Demand> = commitments.iter().map(demand).collect();
        let spacing = spacing(self.count, &demands, self.context)?;
        Some(Open { normal, commitments, spacing })
    }

    /// Whether a level keeps the ends of a piece apart as it is.
    fn is_satisfied(&self, level: &Open, piece: usize) -> bool {
        let (span, modulus) = (&self.spans[level.normal][piece], &level.spacing.modulus);
        let moved = level.spacing.offsets[span.from] - level.spacing.offsets[span.to];
        self.signs[level.normal][piece].iter().any(|sign| {
            let room = modulus.constant - 1 - sign * moved;
            let is_within = |(corner, value): (&Corner, i64)| value <= dot(&modulus.slopes, &corner.parameters);
            span.least(*sign) <= sign * moved
                && span.rays(*sign).all(is_within)
                && span.excess(*sign, &modulus.slopes).is_none_or(|excess| excess <= room)
        })
    }
}

/// Largest coefficient to try: some hundred normals at most.
fn radius(dimensions: usize) -> i64 {
    match dimensions {
        0..=2 => 6,
        3 => 3,
        4 => 2,
        5 => 1,
        _ => 0,
    }
}

/// A level, and which pieces it is to satisfy with which sign.
#[derive(Clone)]
struct Open {
    normal: usize,
    commitments: Vec<(usize, i64)>,
    spacing: Spacing,
}

/// Cells, levels, and Σ|Γ|: what is to be small, in this order.
type Cost = (i128, usize, i64);

struct Search<'a> {
    table: &'a Table<'a>,
    sizes: &'a [i64],
    most_levels: usize,
    levels: Vec<Open>,
    best: Option<(Cost, Vec<SharedLevel>)>,
    /// Cells of what is known from elsewhere.
    least: Option<i128>,
    work: u64,
}

impl Search<'_> {
    fn descend(&mut self) {
        if self.work == 0 || !self.is_better(self.cost(None)) {
            return;
        }
        let Some(piece) = self.hardest() else { return self.leaf() };
        let mut options = self.options(piece);
        options.sort_by_key(|(cost, ..)| *cost);
        for (cost, place, level) in options {
            if self.work == 0 || !self.is_better(cost) {
                return;
            }
            let before = if place == self.levels.len() {
                self.levels.push(level);
                None
            } else {
                Some(std::mem::replace(&mut self.levels[place], level))
            };
            self.descend();
            match before {
                Some(before) => self.levels[place] = before,
                None => self.levels.truncate(place),
            }
        }
    }

    fn is_better(&self, cost: Cost) -> bool {
        self.least.is_none_or(|least| cost.0 < least) && self.best.as_ref().is_none_or(|(best, _)| cost < *best)
    }

    /// Of all levels, one of them replaced or added.
    fn cost(&self, change: Option<(usize, &Open)>) -> Cost {
        let kept = self.levels.iter().enumerate().filter(|(k, _)| change.is_none_or(|(place, _)| place != *k));
        let all = || kept.clone().map(|(_, level)| level).chain(change.map(|(_, level)| level));
        let cells =
            all().fold(1, |cells: i128, level| cells.saturating_mul(level.spacing.modulus.cells(self.sizes).max(1)));
        (cells, all().count(), all().map(|level| length(&self.table.normals[level.normal])).sum())
    }

    /// The piece with the fewest ways out among those that no level satisfies.
    fn hardest(&mut self) -> Option<usize> {
        let may_open = self.levels.len() < self.most_levels;
        let mut hardest: Option<(usize, usize)> = None;
        for piece in 0..self.table.ways.len() {
            self.spend(1 + self.levels.len());
            if self.levels.iter().any(|level| self.table.is_satisfied(level, piece)) {
                continue;
            }
            let open: usize = self.levels.iter().map(|level| self.table.signs[level.normal][piece].len()).sum();
            let ways = open + if may_open { self.table.ways[piece] } else { 0 };
            if hardest.is_none_or(|(fewest, _)| ways < fewest) {
                hardest = Some((ways, piece));
            }
        }
        hardest.map(|(_, piece)| piece)
    }

    /// The levels that could satisfy a piece, each with its place and what all levels cost then.
    fn options(&mut self, piece: usize) -> Vec<(Cost, usize, Open)> {
        let mut options = Vec::new();
        for place in 0..self.levels.len() {
            let level = self.levels[place].clone();
            for sign in &self.table.signs[level.normal][piece] {
                self.spend(4 * level.commitments.len() + 4);
                options.extend(
                    self.table.open(level.normal, level.commitments.clone(), (piece, *sign)).map(|open| (place, open)),
                );
            }
        }
        if self.levels.len() < self.most_levels {
            for normal in 0..self.table.normals.len() {
                for sign in &self.table.signs[normal][piece] {
                    self.spend(4);
                    options.extend(
                        self.table.open(normal, Vec::new(), (piece, *sign)).map(|open| (self.levels.len(), open)),
                    );
                }
            }
        }
        options.into_iter().map(|(place, open)| (self.cost(Some((place, &open))), place, open)).collect()
    }

    fn leaf(&mut self) {
        let level = |level: &Open| SharedLevel {
            normal: self.table.normals[level.normal].clone(),
            spacing: level.spacing.clone(),
        };
        self.best = Some((self.cost(None), self.levels.iter().map(level).collect()));
    }

    fn spend(&mut self, generators: usize) {
        self.work = self.work.saturating_sub(8 * generators as u64);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    /// Three statements in windows: each conflicts with its own next values, and with some of the others'.
    fn windows(seed: i64) -> ConflictSet {
        let number = |k: i64| (((seed * 7919 + k * 104_729 + 1) * 2_654_435_761) >> 9) % 5;
        let own = |s: i64| format!("S{s}[i] -> S{s}[j] : 0 <= i < j <= i + {} and j < N", 1 + number(s));
        let between = |(k, (a, b)): (usize, (i64, i64))| {
            let from = number(3 + k as i64) - 2;
            let to = from + number(9 + k as i64);
            format!("S{a}[i] -> S{b}[j] : i + {from} <= j <= i + {to} and 0 <= i, j < N")
        };
        let pairs = [(0, 1), (0, 2), (1, 2)].into_iter().enumerate().map(between);
        let all: Vec<String> = (0..3).map(own).chain(pairs).collect();
        ConflictSet::read(&Context::new(), "[N] -> { : N >= 12 }", &format!("[N] -> {{ {} }}", all.join("; "))).unwrap()
    }

    /// The least modulus of one level, over all normals up to 6 and all offsets up to 15.
    fn by_trying_everything(conflicts: &ConflictSet) -> i64 {
        let polyhedra = conflicts.between(&[0, 1, 2]);
        let pieces = Frame::all(conflicts, &[0, 1, 2], &polyhedra)[0].pieces(&[0, 1, 2], &polyhedra).unwrap();
        let offsets = || (-15..=15).flat_map(|b| (-15..=15).map(move |c| [0, b, c]));
        let modulus = |(normal, offsets): (i64, [i64; 3])| {
            let mut widest = 0;
            for piece in &pieces {
                let moved = offsets[piece.from] - offsets[piece.to];
                let vertices = piece.differences.iter().filter(|(corner, _)| corner.height == 1);
                let values: Vec<i64> = vertices.map(|(_, d)| normal * d[0] + moved).collect();
                let is_apart = values.iter().all(|v| *v >= 1) || values.iter().all(|v| *v <= -1);
                widest = if is_apart { values.iter().map(|v| v.abs()).fold(widest, i64::max) } else { i64::MAX - 1 };
                if !is_apart {
                    break;
                }
            }
            widest + 1
        };
        (1..=6).flat_map(|normal| offsets().map(move |offsets| (normal, offsets))).map(modulus).min().unwrap()
    }

    #[test]
    fn no_other_level_is_smaller() {
        let mut sizes = Vec::new();
        for seed in 0..30 {
            let conflicts = windows(seed);
            let found = joint_buffer(&conflicts, &[0, 1, 2], &[100], &mut Budget::new(WORK)).unwrap();
            assert_eq!(found.cells(&[100]), by_trying_everything(&conflicts).into(), "seed {seed}");
            sizes.push(found.cells(&[100]));
        }
        sizes.sort_unstable();
        sizes.dedup();
        assert!(sizes.len() > 3, "the seeds make different problems: {sizes:?}");
    }

    #[test]
    fn without_work_there_is_nothing() {
        assert_eq!(joint_buffer(&windows(1), &[0, 1, 2], &[100], &mut Budget::new(0)), None);
    }
}
