//! A ring, its accesses, and the loops that go through it.
//!
//! The loops stand in one body, one after the other, and everything that uses the ring stands in that body, too: in front of them, in them, between
//! or behind. All go through the ring in one direction, by one cell in each turn.
//!
//! Example: of `w[0] = x; for (j = 1; j < n; j++) { w[j] = in[j]; y += w[j - 1]; }` the body is both, the loop is that over j, and the accesses are in
//! the children 0, 1 and 1 of the body.

use crate::own_values::{accesses, is_local};
use crate::position::{Position, Variable};
use crate::{Placed, RowForm};
use polyfold_isl::Result;
use polyfold_scop::{Access, ArrayId, Loop, LoopId, Node, Scop, StatementId};
use std::collections::BTreeSet;

/// Rings of more cells stay rings: every turn moves them all.
const MOST_CELLS: usize = 8;

/// Nor does a turn move more cells than these in storage of several dimensions.
const MOST_MOVED: usize = 32;

/// A dimension of an array's storage that may be a shift register.
pub(super) struct Window<'s> {
    pub(super) scop: &'s Scop,
    pub(super) array: ArrayId,
    /// Which dimension of the storage.
    pub(super) row: usize,
    pub(super) extents: Vec<usize>,
    /// What the position of a cell in the ring is a sum of, in the direction of the loops.
    pub(super) factors: Vec<i64>,
    /// What holds the loops.
    pub(super) body: &'s [Node],
    /// How many loops are around it.
    pub(super) around: usize,
    /// Children of the body that move the cells.
    pub(super) loops: Vec<&'s Loop>,
    pub(super) uses: Vec<Use<'s>>,
}

/// An access to the ring.
pub(super) struct Use<'s> {
    pub(super) statement: StatementId,
    /// Which of the statement's accesses.
    pub(super) number: usize,
    pub(super) access: &'s Access,
    /// In which child of the body it is.
    pub(super) child: usize,
}

impl<'s> Window<'s> {
    /// The rings that an array's storage has.
    pub(super) fn all(scop: &'s Scop, place: &Placed, gone: &[StatementId]) -> Result<Vec<Window<'s>>> {
        if place.shared().is_some() || !is_local(scop, place.array()) {
            return Ok(Vec::new());
        }
        let sizes = place.rows().iter().map(|row| row.modulus.as_constant());
        let sizes: Option<Vec<i64>> = sizes.collect::<Result<_>>()?;
        let extents = sizes.map(|sizes| sizes.into_iter().map(|size| usize::try_from(size).ok()).collect());
        let Some(Some(extents)) = extents else { return Ok(Vec::new()) };
        let extents: Vec<usize> = extents;
        let moved = extents.iter().try_fold(1, |cells: usize, extent| cells.checked_mul(*extent));
        let rows = place.rows().iter().enumerate().filter(|(row, _)| (2..=MOST_CELLS).contains(&extents[*row]));
        let rings = rows.filter(|(_, row)| !matches!(row.form, RowForm::Fits { .. }));
        let is_small = moved.is_some_and(|moved| moved <= MOST_MOVED);
        let rings = rings.filter(|_| is_small);
        let window = |(row, ring): (usize, &crate::Row)| {
            Window::of(scop, place.array(), (row, &extents, &ring.coefficients), gone)
        };
        Ok(rings.filter_map(window).collect())
    }

    /// `None`: its loops are not one after the other, or it is used in other ways.
    fn of(
        scop: &'s Scop,
        array: ArrayId,
        (row, extents, coefficients): (usize, &[usize], &[i64]),
        gone: &[StatementId],
    ) -> Option<Window<'s>> {
        let accesses = accesses(scop, array);
        if accesses.iter().any(|(id, _, access)| gone.contains(id) || access.is_in_call()) {
            return None;
        }
        let mut moving = BTreeSet::new();
        for (id, _, access) in &accesses {
            let position = Position::of(coefficients, access)?;
            let own = scop.statement(*id).loops.iter().rev();
            moving.extend(own.copied().find(|l| position.terms.contains_key(&Variable::Counter(*l))));
        }
        let is_around = |l: &LoopId, other: &LoopId| {
            l != other && scop.statements.iter().any(|s| s.loops.contains(other) && is_before(&s.loops, l, other))
        };
        let moving: BTreeSet<LoopId> =
            moving.iter().filter(|l| !moving.iter().any(|other| is_around(l, other))).copied().collect();
        let (body, around) = body_of(&scop.body, &moving, 0)?;
        let loops: Vec<&Loop> = body.iter().filter_map(as_loop).filter(|l| moving.contains(&l.id)).collect();
        let direction = direction(&loops, coefficients, &accesses, scop)?;
        let child = |id: StatementId| body.iter().position(|node| node.holds(id));
        let used = |(statement, number, access): (StatementId, usize, &'s Access)| {
            child(statement).map(|child| Use { statement, number, access, child })
        };
        let uses: Vec<Use> = accesses.into_iter().map(used).collect::<Option<_>>()?;
        let own = scop.statement(uses.first()?.statement).loops.iter().take(around);
        let runs_at_once = |id: &LoopId| scop.loops().iter().any(|l| l.id == *id && l.parallel);
        if own.chain(&moving).any(runs_at_once) {
            return None;
        }
        let factors = coefficients.iter().map(|factor| factor * direction).collect();
        Some(Window { scop, array, row, extents: extents.to_vec(), factors, body, around, loops, uses })
    }

    /// Cells of the ring.
    pub(super) fn cells(&self) -> usize {
        self.extents[self.row]
    }

    /// The loop that moves the cells while a child of the body runs.
    pub(super) fn loop_at(&self, child: usize) -> Option<&'s Loop> {
        self.body.get(child).and_then(as_loop).filter(|l| self.loops.iter().any(|own| own.id == l.id))
    }

    /// Whether nothing but innermost loops uses the ring, which is all of the storage; each of them has a statement for all of its turns.
    pub(super) fn is_in_innermost_loops(&self) -> bool {
        let is_inside = |used: &Use| self.loop_at(used.child).is_some();
        let is_plain =
            |l: &&Loop| l.body.iter().any(|node| matches!(node, Node::Statement(_))) && is_innermost(&l.body);
        self.extents.len() == 1 && self.loops.iter().all(is_plain) && self.uses.iter().all(is_inside)
    }

    /// Whether values move as counters do: between loops none is left out. `numbers` are those of the accesses.
    pub(super) fn goes_with_counters(&self, numbers: &[i64]) -> bool {
        let own = |used: &Use, number: i64| {
            let mut position = Position::of(&self.factors, used.access)?;
            position.terms.remove(&Variable::Counter(self.loop_at(used.child)?.id));
            Some((position.terms, position.constant.checked_sub(number)?))
        };
        let all: Vec<_> = self.uses.iter().zip(numbers).map(|(used, number)| own(used, *number)).collect();
        all.iter().all(|one| one.is_some() && *one == all[0])
    }
}

/// By how much a turn changes positions, 1 or −1; `None`: by another number, or loops differ.
fn direction(
    loops: &[&Loop],
    coefficients: &[i64],
    accesses: &[(StatementId, usize, &Access)],
    scop: &Scop,
) -> Option<i64> {
    let mut found = None;
    for (id, _, access) in accesses {
        let position = Position::of(coefficients, access)?;
        let own = loops.iter().find(|l| scop.statement(*id).loops.contains(&l.id));
        let factor = own.and_then(|l| Some((l.step, *position.terms.get(&Variable::Counter(l.id))?)));
        let Some((step, factor)) = factor else { continue };
        let by = step.checked_mul(factor).filter(|by| step.abs() == 1 && by.abs() == 1)?;
        if *found.get_or_insert(by) != by {
            return None;
        }
    }
    found
}

/// Whether one of some loops in each other is around another one.
fn is_before(loops: &[LoopId], l: &LoopId, other: &LoopId) -> bool {
    let at = |id: &LoopId| loops.iter().position(|own| own == id);
    at(l).is_some_and(|own| at(other).is_some_and(|other| own < other))
}

/// The nodes of which all of these loops are, and the number of loops around them; `None`: they do not stand in one body.
fn body_of<'s>(nodes: &'s [Node], ids: &BTreeSet<LoopId>, around: usize) -> Option<(&'s [Node], usize)> {
    let here = nodes.iter().filter_map(as_loop).filter(|l| ids.contains(&l.id)).count();
    if here > 0 {
        return (here == ids.len()).then_some((nodes, around));
    }
    nodes.iter().find_map(|node| match node {
        Node::Loop(l) => body_of(&l.body, ids, around + 1),
        Node::Guard(g) => body_of(&g.then, ids, around).or_else(|| body_of(&g.otherwise, ids, around)),
        Node::Statement(_) => None,
    })
}

fn as_loop(node: &Node) -> Option<&Loop> {
    if let Node::Loop(l) = node { Some(l) } else { None }
}

fn is_innermost(nodes: &[Node]) -> bool {
    nodes.iter().all(|node| match node {
        Node::Loop(_) => false,
        Node::Guard(g) => is_innermost(&g.then) && is_innermost(&g.otherwise),
        Node::Statement(_) => true,
    })
}
