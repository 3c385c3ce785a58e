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
//! One array for all cells is taken if those apart need more. What is merged is decided on points, so that boxes are made for what
//! remains only.
//!
//! Example: `s += A[i][j] * A[j][i]` in a loop over j reads a row and a column: 2n cells in two arrays, where one box has n².
//!
//! Source: US 8,661,422 ("groups of references"); there a threshold on the overlap decides, here the cells.
//!
//! Invariant: a cell that is written lies in one piece only.

use crate::best::{Measured, best, promised};
use crate::reference::{Reference, union_of};
use crate::sample::{Clouds, clouds, joined, largest};
use crate::shape::Known;
use polyfold_isl::{Result, Set};
use std::collections::HashMap;

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
    /// The most cells at one instance, summed over sizes; `None`: they are too many to list.
    exact: Option<i64>,
    /// The references that find cells here, by number.
    pub(crate) members: Vec<usize>,
}

/// Cells that may lie together, on points so far.
#[derive(Clone)]
struct Group {
    cells: Set,
    /// `None`: they are too many to list.
    clouds: Option<Clouds>,
    how: How,
    members: Vec<usize>,
}

/// Finds boxes.
pub(crate) struct Finder<'a> {
    pub(crate) known: Known<'a>,
}

impl Finder<'_> {
    fn group(&self, cells: Set, how: How, members: Vec<usize>) -> Result<Group> {
        let clouds = clouds(&cells, self.known.sizes)?;
        Ok(Group { cells, clouds, how, members })
    }

    fn piece(&self, group: Group) -> Result<Option<Piece>> {
        let Group { cells, clouds, how, members } = group;
        let Some(measured) = best(&cells, clouds.as_ref(), self.known)? else { return Ok(None) };
        let exact = clouds.as_ref().map(largest);
        let most = exact.iter().flatten();
        let has_gaps = measured.cells.iter().zip(most).any(|(count, exact)| exact + exact / GAP < *count);
        Ok(Some(Piece { cells, measured, how, has_gaps, exact: exact.map(|exact| exact.iter().sum()), members }))
    }

    /// The pieces of an array; `None`: some footprint is unbounded.
    pub(crate) fn pieces(&self, references: &[Reference]) -> Result<Option<Vec<Piece>>> {
        let mut all = Vec::new();
        for component in components(references)? {
            match self.component(references, component)? {
                Some(pieces) => all.extend(pieces),
                None => return Ok(None),
            }
        }
        if all.len() > 1
            && let Some(cells) = union_of(references.iter().map(|r| &r.footprint))?
            && let together = self.group(cells, How::Together, (0..references.len()).collect())?
            && together.clouds.as_ref().is_none_or(|clouds| promised(clouds) < all.iter().map(cells_of).sum())
            && let Some(one) = self.piece(together)?
            && cells_of(&one) < all.iter().map(cells_of).sum()
        {
            return Ok(Some(vec![one]));
        }
        Ok(Some(all))
    }

    fn component(&self, references: &[Reference], members: Vec<usize>) -> Result<Option<Vec<Piece>>> {
        let footprints = members.iter().map(|k| &references[*k].footprint);
        let Some(cells) = union_of(footprints)? else { return Ok(Some(Vec::new())) };
        let merged = self.piece(self.group(cells.clone(), How::Together, members.clone())?)?;
        if let Some(merged) = &merged
            && merged.exact.is_none_or(|exact| cells_of(merged) <= exact + exact / GAP)
        {
            return Ok(Some(vec![merged.clone()]));
        }
        let ctx = cells.context().clone();
        let most = if merged.is_some() { MOST_STEPS } else { u64::MAX };
        let below = merged.as_ref().map_or(i64::MAX, cells_of);
        let tried = ctx.with_quota(most, || self.apart(references, &members, below));
        let apart = match tried {
            Err(error) if error.is_bound() && merged.is_some() => None,
            other => other?,
        };
        let candidates = merged.into_iter().map(|piece| vec![piece]).chain(apart);
        Ok(candidates.min_by_key(|pieces| rank(pieces)))
    }

    /// Several arrays for references that share cells, if they need fewer than `below` cells.
    fn apart(&self, references: &[Reference], members: &[usize], below: i64) -> Result<Option<Vec<Piece>>> {
        let writers: Vec<usize> = members.iter().copied().filter(|k| references[*k].writes).collect();
        let groups = match writers.is_empty() {
            true => self.duplicates(references, members)?,
            false => self.owned(references, members, &writers)?,
        };
        let sum: i64 = groups.iter().map(|group| group.clouds.as_ref().map_or(0, promised)).sum();
        if sum >= below {
            return Ok(None);
        }
        groups.into_iter().map(|group| self.piece(group)).collect()
    }

    fn duplicates(&self, references: &[Reference], members: &[usize]) -> Result<Vec<Group>> {
        let mut groups: Vec<Group> = Vec::new();
        for k in members {
            let footprint = &references[*k].footprint;
            let mut is_new = true;
            for group in &mut groups {
                if group.cells.is_equal(footprint)? {
                    group.members.push(*k);
                    is_new = false;
                    break;
                }
            }
            if is_new {
                groups.push(self.group(footprint.clone(), How::Duplicate, vec![*k])?);
            }
        }
        gathered(groups)
    }

    fn owned(&self, references: &[Reference], members: &[usize], writers: &[usize]) -> Result<Vec<Group>> {
        let written = union_of(writers.iter().map(|k| &references[*k].footprint))?;
        let Some(written) = written else { return Ok(Vec::new()) };
        let (mut owned, mut rests) = (Vec::new(), Vec::new());
        for k in members {
            let footprint = &references[*k].footprint;
            if !footprint.intersect(&written)?.is_empty()? {
                owned.push(*k);
            }
            let rest = footprint.subtract(&written)?.coalesce()?;
            if !rest.is_empty()? {
                rests.push(self.group(rest, How::Rest, vec![*k])?);
            }
        }
        let owner = self.group(written, How::Owner, owned)?;
        Ok(std::iter::once(owner).chain(gathered(rests)?).collect())
    }
}

/// Groups whose cells may overlap, merged as long as that needs no more cells on points: the pair first that saves the most.
fn gathered(groups: Vec<Group>) -> Result<Vec<Group>> {
    let Some(clouds) = groups.iter().map(|group| group.clouds.clone()).collect::<Option<Vec<Clouds>>>() else {
        return Ok(groups);
    };
    let mut merged: Vec<Merged> =
        clouds.into_iter().enumerate().map(|(k, clouds)| Merged::of(clouds, vec![k])).collect();
    let mut pairs: HashMap<[Vec<usize>; 2], Merged> = HashMap::new();
    loop {
        let mut best: Option<(i64, usize, usize)> = None;
        for (a, b) in (0..merged.len()).flat_map(|a| (a + 1..merged.len()).map(move |b| (a, b))) {
            let key = [merged[a].groups.clone(), merged[b].groups.clone()];
            let both = pairs.entry(key).or_insert_with(|| merged[a].with(&merged[b]));
            let gain = merged[a].cells + merged[b].cells - both.cells;
            if gain >= 0 && best.is_none_or(|(most, ..)| gain > most) {
                best = Some((gain, a, b));
            }
        }
        let Some((_, a, b)) = best else { break };
        let (one, other) = (merged[a].groups.clone(), merged.remove(b).groups);
        let Some(both) = pairs.remove(&[one, other]) else { break };
        merged[a] = both;
    }
    merged.into_iter().map(|own| own.group(&groups)).collect()
}

/// Some groups together.
struct Merged {
    groups: Vec<usize>,
    clouds: Clouds,
    cells: i64,
}

impl Merged {
    fn of(clouds: Clouds, groups: Vec<usize>) -> Merged {
        Merged { groups, cells: promised(&clouds), clouds }
    }

    fn with(&self, other: &Merged) -> Merged {
        Merged::of(joined(&self.clouds, &other.clouds), [self.groups.as_slice(), &other.groups].concat())
    }

    fn group(self, all: &[Group]) -> Result<Group> {
        let own = || self.groups.iter().map(|k| &all[*k]);
        let cells = union_of(own().map(|group| &group.cells))?.unwrap_or_else(|| all[0].cells.clone());
        let members = own().flat_map(|group| group.members.clone()).collect();
        Ok(Group { cells, clouds: Some(self.clouds), how: all[self.groups[0]].how, members })
    }
}

/// Fewest cells, then fewest copies, then fewest arrays.
fn rank(pieces: &[Piece]) -> (i64, i64, usize) {
    let copied = pieces.iter().map(|piece| piece.exact.unwrap_or(i64::MAX / 1000)).sum();
    (pieces.iter().map(cells_of).sum(), copied, pieces.len())
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
