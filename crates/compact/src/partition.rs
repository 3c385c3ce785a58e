//! Which cells of an array lie in which local array.
//!
//! References that share no cells, strides considered, are independent. Of those that do share some, these candidates are compared:
//!
//! * *merged*: one array for all of their cells;
//! * *duplicate*: nobody writes, so that each reference may have an array of its own, and a shared cell has several copies;
//! * *owner*: all written cells lie in one array, and each reader has what is left of its cells in another one.
//!
//! Arrays of the last two are merged again, in pairs, the pair first that saves the most cells, as long as none is lost. The
//! candidate with the fewest cells is taken; of equal ones that with the fewest copied cells, then with the fewest arrays.
//!
//! One array for all cells is taken if those apart need more.
//!
//! Example: `s += A[i][j] * A[j][i]` in a loop over j reads a row and a column: 2n cells in two arrays, where one box has n².
//!
//! Source: US 8,661,422 ("groups of references"); there a threshold on the overlap decides, here the cells.
//!
//! Invariant: a cell that is written lies in one piece only.

use crate::best::{Measured, best};
use crate::reference::{Reference, union_of};
use crate::sample::{Size, clouds, largest};
use crate::shape::Known;
use polyfold_isl::{ErrorKind, Result, Set};
use std::collections::HashMap;
use std::fmt::Write;

/// Why the cells of a local array are together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// No other reference touches them, or all that do are here.
    Together,
    /// They are only read, and some have copies elsewhere.
    Duplicate,
    /// They are all that is written.
    Owner,
    /// What a reader has besides the cells that an owner has.
    Rest,
}

/// A box with no more than one unused cell for so many is not taken apart.
const GAP: i64 = 8;

/// No more elementary steps are spent on several arrays where one would do.
const MOST_STEPS: u64 = 800_000;

/// Cells that lie together.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) cells: Set,
    pub(crate) measured: Measured,
    pub(crate) how: How,
    /// Whether at some size no instance touches nearly as many cells as there are.
    pub(crate) has_gaps: bool,
    /// The references that find cells here, by number.
    pub(crate) members: Vec<usize>,
}

/// Finds boxes, each set's once.
pub(crate) struct Finder<'a> {
    pub(crate) sizes: &'a [Size],
    pub(crate) known: Known<'a>,
    pub(crate) found: HashMap<String, Option<Measured>>,
}

impl Finder<'_> {
    fn piece(&mut self, cells: Set, how: How, members: Vec<usize>) -> Result<Option<Piece>> {
        // Past the work bound isl does not even print.
        let mut key = String::new();
        let is_printed = write!(key, "{cells}").is_ok();
        let known = match self.found.get(&key).filter(|_| is_printed) {
            Some(known) => known.clone(),
            None => {
                let found = best(&cells, self.sizes, self.known)?;
                self.found.insert(key, found.clone());
                found
            }
        };
        let Some(measured) = known else { return Ok(None) };
        let exact = clouds(&cells, self.sizes)?.map(|clouds| largest(&clouds)).unwrap_or_default();
        let has_gaps = measured.cells.iter().zip(exact).any(|(count, exact)| exact + exact / GAP < *count);
        Ok(Some(Piece { cells, measured, how, has_gaps, members }))
    }

    /// The most cells at one instance, summed over sizes; `None`: they are too many to list.
    fn exact(&self, cells: &Set) -> Result<Option<i64>> {
        Ok(clouds(cells, self.sizes)?.map(|clouds| largest(&clouds).iter().sum()))
    }

    /// The pieces of an array; `None`: some footprint is unbounded.
    pub(crate) fn pieces(&mut self, references: &[Reference]) -> Result<Option<Vec<Piece>>> {
        let mut all = Vec::new();
        for component in components(references)? {
            match self.component(references, component)? {
                Some(pieces) => all.extend(pieces),
                None => return Ok(None),
            }
        }
        if all.len() > 1
            && let Some(cells) = union_of(references.iter().map(|r| &r.footprint))?
            && let Some(one) = self.piece(cells, How::Together, (0..references.len()).collect())?
            && cells_of(&one) < all.iter().map(cells_of).sum()
        {
            return Ok(Some(vec![one]));
        }
        Ok(Some(all))
    }

    fn component(&mut self, references: &[Reference], members: Vec<usize>) -> Result<Option<Vec<Piece>>> {
        let footprints = members.iter().map(|k| &references[*k].footprint);
        let Some(cells) = union_of(footprints)? else { return Ok(Some(Vec::new())) };
        let merged = self.piece(cells.clone(), How::Together, members.clone())?;
        let exact = self.exact(&cells)?;
        if let Some(merged) = &merged
            && exact.is_none_or(|exact| cells_of(merged) <= exact + exact / GAP)
        {
            return Ok(Some(vec![merged.clone()]));
        }
        let ctx = cells.context().clone();
        let most = if merged.is_some() { MOST_STEPS } else { u64::MAX };
        let tried = ctx.with_quota(most, || self.apart(references, &members));
        let apart = match tried {
            Err(error) if error.kind == ErrorKind::Quota && merged.is_some() => None,
            other => other?,
        };
        let candidates: Vec<Vec<Piece>> = merged.into_iter().map(|piece| vec![piece]).chain(apart).collect();
        let mut ranked = Vec::new();
        for candidate in candidates {
            ranked.push((self.rank(&candidate)?, candidate));
        }
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.into_iter().next().map(|(_, candidate)| candidate))
    }

    /// Several arrays for references that share cells.
    fn apart(&mut self, references: &[Reference], members: &[usize]) -> Result<Option<Vec<Piece>>> {
        let writers: Vec<usize> = members.iter().copied().filter(|k| references[*k].writes).collect();
        match writers.is_empty() {
            true => self.duplicates(references, members),
            false => self.owned(references, members, &writers),
        }
    }

    fn rank(&self, pieces: &[Piece]) -> Result<(i64, i64, usize)> {
        let mut copied = 0;
        for piece in pieces {
            copied += self.exact(&piece.cells)?.unwrap_or(i64::MAX / 1000);
        }
        Ok((pieces.iter().map(cells_of).sum(), copied, pieces.len()))
    }

    fn duplicates(&mut self, references: &[Reference], members: &[usize]) -> Result<Option<Vec<Piece>>> {
        let mut groups: Vec<(Set, Vec<usize>)> = Vec::new();
        for k in members {
            let footprint = &references[*k].footprint;
            let mut is_new = true;
            for (cells, others) in &mut groups {
                if cells.is_equal(footprint)? {
                    others.push(*k);
                    is_new = false;
                    break;
                }
            }
            if is_new {
                groups.push((footprint.clone(), vec![*k]));
            }
        }
        self.gathered(groups, How::Duplicate)
    }

    fn owned(&mut self, references: &[Reference], members: &[usize], writers: &[usize]) -> Result<Option<Vec<Piece>>> {
        let written = union_of(writers.iter().map(|k| &references[*k].footprint))?;
        let Some(written) = written else { return Ok(None) };
        let (mut owned, mut rests) = (Vec::new(), Vec::new());
        for k in members {
            let footprint = &references[*k].footprint;
            if !footprint.intersect(&written)?.is_empty()? {
                owned.push(*k);
            }
            let rest = footprint.subtract(&written)?.coalesce()?;
            if !rest.is_empty()? {
                rests.push((rest, vec![*k]));
            }
        }
        let Some(owner) = self.piece(written, How::Owner, owned)? else { return Ok(None) };
        let Some(rests) = self.gathered(rests, How::Rest)? else { return Ok(None) };
        Ok(Some(std::iter::once(owner).chain(rests).collect()))
    }

    /// Pieces for sets that may overlap, merged as long as that needs no more cells.
    fn gathered(&mut self, groups: Vec<(Set, Vec<usize>)>, how: How) -> Result<Option<Vec<Piece>>> {
        let mut pieces = Vec::new();
        for (cells, members) in groups {
            match self.piece(cells, how, members)? {
                Some(piece) => pieces.push(piece),
                None => return Ok(None),
            }
        }
        loop {
            let mut best: Option<(i64, usize, usize, Piece)> = None;
            for a in 0..pieces.len() {
                for b in a + 1..pieces.len() {
                    let Some(both) = self.both(&pieces[a], &pieces[b])? else { continue };
                    let gain = cells_of(&pieces[a]) + cells_of(&pieces[b]) - cells_of(&both);
                    if gain >= 0 && best.as_ref().is_none_or(|(most, ..)| gain > *most) {
                        best = Some((gain, a, b, both));
                    }
                }
            }
            let Some((_, a, b, both)) = best else { break };
            pieces.remove(b);
            pieces[a] = both;
        }
        Ok(Some(pieces))
    }

    fn both(&mut self, a: &Piece, b: &Piece) -> Result<Option<Piece>> {
        let cells = a.cells.union(&b.cells)?.coalesce()?;
        self.piece(cells, a.how, [a.members.as_slice(), &b.members].concat())
    }
}

/// Summed over sizes.
fn cells_of(piece: &Piece) -> i64 {
    piece.measured.cells.iter().sum()
}

/// References that share cells, directly or by way of others.
fn components(references: &[Reference]) -> Result<Vec<Vec<usize>>> {
    let mut components: Vec<Vec<usize>> = Vec::new();
    for (k, reference) in references.iter().enumerate() {
        let (mut joined, mut apart) = (vec![k], Vec::new());
        for component in components {
            let mut meets = false;
            for other in &component {
                meets |= !reference.footprint.intersect(&references[*other].footprint)?.is_empty()?;
            }
            if meets { joined.extend(component) } else { apart.push(component) }
        }
        joined.sort();
        apart.push(joined);
        components = apart;
    }
    components.sort();
    Ok(components)
}
