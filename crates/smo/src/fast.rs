//! The engine `fast`: a coordinate axis per level, and offsets.
//!
//! Conflicts of loop nests are mostly lexicographic: two values differ in an outer iterator, or agree in it and differ in an inner
//! one. Then axes are all the normals there need be. A piece of the conflict set belongs to the first axis along which its
//! difference has one sign and grows with the parameters:
//!
//! ```text
//! level of K:   the first c with d_c >= lo on K or d_c <= hi on K, and d_c unbounded as parameters grow
//! normal:       e_c + Σ g_k e_k,   the drift g for coordinates k whose difference is constant in all pieces of the level
//! ```
//!
//! What is left differs by constants: it joins a level that is in use, where either sign is possible, or gets one of its own.
//! Then the offsets of a level are difference constraints ([`spacing`](crate::spacing)). That takes milliseconds for hundreds
//! of statements. Example: Figure 2, where values of S1 conflict with those of S0 in the next step of t: the difference of t
//! is 1 in all of them, and a drift of −1 makes `i − t` do for all, modulo N + 1.
//!
//! The search may fail, and what it finds may be larger than need be; it is proved elsewhere.

use crate::conflicts::{Corner, Polyhedron};
use crate::frame::{Frame, Piece};
use crate::spacing::{Demand, Spacing, spacing};
use crate::span::{SIGNS, Span};
use crate::{Buffer, ConflictSet, Form, Member};

/// Largest Σ|g|.
const MOST_DRIFT: i64 = 4;

/// The smallest buffer at given parameters that this finds for a class.
pub(crate) fn fast_buffer(conflicts: &ConflictSet, class: &[usize], sizes: &[i64]) -> Option<Buffer> {
    let polyhedra = conflicts.between(class);
    let frames = Frame::all(conflicts, class, &polyhedra);
    let found = frames.iter().flat_map(|frame| of_frame(conflicts, class, frame, &polyhedra));
    found.min_by_key(|buffer| buffer.cells(sizes))
}

/// Outer axes first, or inner ones; pieces inside a statement with or without the help of a drift.
fn of_frame(conflicts: &ConflictSet, class: &[usize], frame: &Frame, polyhedra: &[&Polyhedron]) -> Vec<Buffer> {
    let Some(pieces) = frame.pieces(class, polyhedra) else { return Vec::new() };
    let outwards: Vec<usize> = (0..frame.dimensions).rev().collect();
    let inwards: Vec<usize> = (0..frame.dimensions).collect();
    let mut orders = vec![inwards, outwards];
    orders.dedup();
    let mut found = Vec::new();
    for order in &orders {
        let axes = Axes { count: class.len(), frame, pieces: &pieces, order, context: conflicts.corners() };
        let mut ways = vec![axes.assigned(true), axes.assigned(false)];
        ways.dedup();
        let levels = ways.into_iter().flatten().filter_map(|assigned| axes.levels(assigned));
        found.extend(levels.map(|levels| assemble(conflicts.parameters().len(), class, frame, &levels)));
    }
    found
}

/// A level of a buffer: one normal for all.
pub(crate) struct SharedLevel {
    pub(crate) normal: Vec<i64>,
    pub(crate) spacing: Spacing,
}

/// Levels of modulus 1 are left out: they address nothing.
pub(crate) fn assemble(parameters: usize, class: &[usize], frame: &Frame, levels: &[SharedLevel]) -> Buffer {
    let one = Form::constant(parameters, 1);
    let levels: Vec<&SharedLevel> = levels.iter().filter(|level| level.spacing.modulus != one).collect();
    let row = |place: usize, level: &SharedLevel| frame.row(place, &level.normal, level.spacing.offsets[place]);
    let member = |(place, statement): (usize, &usize)| Member {
        statement: *statement,
        rows: levels.iter().map(|level| row(place, level)).collect(),
    };
    Buffer {
        moduli: levels.iter().map(|level| level.spacing.modulus.clone()).collect(),
        members: class.iter().enumerate().map(member).collect(),
    }
}

/// The pieces of a class and the order in which axes are tried.
struct Axes<'a> {
    count: usize,
    frame: &'a Frame,
    pieces: &'a [Piece],
    order: &'a [usize],
    context: &'a [Corner],
}

impl Axes<'_> {
    /// One for each place in the order that has pieces.
    fn levels(&self, assigned: Vec<Vec<usize>>) -> Option<Vec<SharedLevel>> {
        let used = assigned.into_iter().enumerate().filter(|(_, pieces)| !pieces.is_empty());
        used.map(|(level, pieces)| self.level(level, &pieces)).collect()
    }

    /// The normal of a place in the order, without drift. After the axes comes 0, which leaves everything to the offsets.
    fn normal(&self, level: usize) -> Vec<i64> {
        let axis = self.order.get(level);
        (0..self.frame.dimensions).map(|c| i64::from(axis == Some(&c))).collect()
    }

    /// For each level the pieces that it keeps apart. Without the help of a drift a level takes no piece inside a statement that its
    /// axis alone does not keep apart.
    fn assigned(&self, may_drift: bool) -> Option<Vec<Vec<usize>>> {
        let levels = self.order.len() + 1;
        let normals: Vec<Vec<i64>> = (0..levels).map(|level| self.normal(level)).collect();
        let mut assigned = vec![Vec::new(); levels];
        let mut bounded = Vec::new();
        for (k, piece) in self.pieces.iter().enumerate() {
            let is_settled = |normal: &Vec<i64>| {
                let span = Span::new(piece, normal);
                let is_strict = !span.is_intra() || SIGNS.iter().any(|sign| span.can_be(*sign));
                span.is_one_sided() && (may_drift || is_strict)
            };
            match normals.iter().position(is_settled) {
                Some(level) => assigned[level].push(k),
                None => bounded.push(k),
            }
        }
        for k in bounded {
            let can = |level: &usize| {
                let span = Span::new(&self.pieces[k], &normals[*level]);
                SIGNS.iter().any(|sign| span.can_be(*sign))
            };
            let in_use = (0..levels).filter(|level| !assigned[*level].is_empty()).find(can);
            let level = in_use.or_else(|| (0..levels).find(can))?;
            assigned[level].push(k);
        }
        Some(assigned)
    }

    /// The smallest level with this axis and some drift, the least drift first.
    fn level(&self, level: usize, pieces: &[usize]) -> Option<SharedLevel> {
        let axis = self.normal(level);
        let drifts = drifts(self.frame.dimensions, &self.still(&axis, pieces));
        let with = |drift: Vec<i64>| {
            let normal: Vec<i64> = axis.iter().zip(drift).map(|(a, g)| a + g).collect();
            let spans: Vec<Span> = pieces.iter().map(|k| Span::new(&self.pieces[*k], &normal)).collect();
            let spacing = by_any_order(self.count, &spans, self.context)?;
            Some(SharedLevel { normal, spacing })
        };
        let size = |level: &SharedLevel| (level.spacing.modulus.slopes.clone(), level.spacing.modulus.constant);
        drifts.into_iter().filter_map(with).min_by_key(size)
    }

    /// Coordinates, other than the level's own, whose difference is constant in every piece, and somewhere not 0.
    fn still(&self, axis: &[i64], pieces: &[usize]) -> Vec<usize> {
        let unit = |c: usize| (0..self.frame.dimensions).map(|k| i64::from(k == c)).collect::<Vec<_>>();
        let is_still = |c: &usize| {
            let spans: Vec<Span> = pieces.iter().map(|k| Span::new(&self.pieces[*k], &unit(*c))).collect();
            spans.iter().all(Span::is_constant) && !spans.iter().all(Span::is_zero)
        };
        (0..self.frame.dimensions).filter(|c| axis[*c] == 0).filter(is_still).collect()
    }
}

/// All vectors on some coordinates with `Σ|g|` up to a bound, the shortest first.
fn drifts(dimensions: usize, coordinates: &[usize]) -> Vec<Vec<i64>> {
    let mut all = vec![vec![0; dimensions]];
    for c in coordinates.iter().take(2) {
        let longer = |drift: &Vec<i64>| {
            let room = MOST_DRIFT - crate::normals::length(drift);
            let with = |g| {
                let mut longer = drift.clone();
                longer[*c] = g;
                longer
            };
            (-room..=room).map(with).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all.sort_by_key(|drift| crate::normals::length(drift));
    all
}

/// A level for spans, of which some can have either sign: those get signs by an order of the statements, which cannot contradict
/// itself. The orders tried agree with the offsets that the other spans ask for.
fn by_any_order(count: usize, spans: &[Span], context: &[Corner]) -> Option<Spacing> {
    let mut forced: Vec<Demand> = Vec::new();
    let mut free = Vec::new();
    for span in spans {
        match SIGNS.map(|sign| span.can_be(sign)) {
            [true, true] if !span.is_intra() => free.push(span),
            [true, _] => forced.push((span, 1)),
            [_, true] => forced.push((span, -1)),
            [false, false] => return None,
        }
    }
    let first = spacing(count, &forced, context)?;
    if free.is_empty() {
        return Some(first);
    }
    let upwards =
        |span: &Span| if (first.offsets[span.from], span.from) > (first.offsets[span.to], span.to) { 1 } else { -1 };
    let rank = |place: usize| (first.offsets[place], count - place);
    let downwards = |span: &Span| if rank(span.from) > rank(span.to) { 1 } else { -1 };
    let cheapest = |span: &Span| if span.least(1) <= span.least(-1) { 1 } else { -1 };
    let signs = |sign: &dyn Fn(&Span) -> i64| free.iter().map(|span| sign(span)).collect::<Vec<i64>>();
    let mut orders = vec![signs(&upwards), signs(&downwards), signs(&cheapest)];
    orders.dedup();
    let found = orders.into_iter().map(|signs| {
        let all: Vec<Demand> = forced.iter().copied().chain(free.iter().copied().zip(signs)).collect();
        spacing(count, &all, context)
    });
    found.flatten().min_by_key(|spacing| (spacing.modulus.slopes.clone(), spacing.modulus.constant))
}
