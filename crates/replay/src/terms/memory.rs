//! What a buffer's cells hold, and where they are.
//!
//! Where an extent isn't known, a cell gets its number when it is named first. The program after has
//! the cells that the one before has named, and no others.

use super::table::Term;
use std::collections::HashMap;

/// A buffer's cells: in row-major order, or as they were named first if an extent isn't known.
pub(super) struct Memory {
    pub(super) extents: Vec<Option<i64>>,
    pub(super) cells: Vec<Option<Term>>,
    /// Those that were written, in this order.
    pub(super) written: Vec<usize>,
    pub(super) named: Option<Cells>,
}

/// Cells of a buffer that may have any number of them.
#[derive(Clone, Default)]
pub(super) struct Cells {
    numbers: HashMap<Vec<i64>, usize>,
    all: Vec<Vec<i64>>,
    /// Whether there are no others.
    is_closed: bool,
}

/// A subscript of a place.
#[derive(Clone, Copy)]
pub(super) enum Subscript {
    Known(i64),
    Unknown(Term),
}

impl Memory {
    /// Whether a pointer may stand there: in all dimensions but one at a cell, and there at a cell or right behind the last one.
    pub(super) fn has_address(&self, index: &[i64]) -> bool {
        let known = || index.iter().zip(&self.extents).filter_map(|(own, extent)| Some((*own, (*extent)?)));
        known().all(|(own, extent)| (0..=extent).contains(&own))
            && known().filter(|(own, extent)| own == extent && *extent > 0).count() <= 1
    }

    /// The subscripts of a cell.
    pub(super) fn index(&self, flat: usize) -> Vec<i64> {
        if let Some(cells) = &self.named {
            return cells.all[flat].clone();
        }
        let (mut index, mut flat): (Vec<i64>, usize) = (Vec::new(), flat);
        for extent in self.extents.iter().rev() {
            let extent = usize::try_from(extent.unwrap_or(1).max(1)).unwrap_or(1);
            index.push(i64::try_from(flat % extent).unwrap_or(0));
            flat /= extent;
        }
        index.reverse();
        index
    }

    /// If the buffer may have any number of cells, it has these.
    pub(super) fn has_only(&mut self, cells: Cells) {
        if self.named.is_some() {
            self.cells = vec![None; cells.all.len()];
            self.named = Some(Cells { is_closed: true, ..cells });
        }
    }

    /// Whether the known ones of some subscripts are in the buffer.
    pub(super) fn has(&self, index: &[Subscript]) -> bool {
        let is_inside = |(own, extent): (&Subscript, &Option<i64>)| match (own, extent) {
            (Subscript::Known(own), Some(extent)) => (0..*extent).contains(own),
            _ => true,
        };
        index.iter().zip(&self.extents).all(is_inside)
    }

    /// Where a cell is; `None`: the buffer doesn't have it.
    pub(super) fn flat(&mut self, index: &[i64]) -> Option<usize> {
        let subscripts: Vec<Subscript> = index.iter().copied().map(Subscript::Known).collect();
        if !self.has(&subscripts) {
            return None;
        }
        let Some(cells) = &mut self.named else {
            let extents = self.extents.iter().map(|extent| extent.unwrap_or(1));
            return usize::try_from(index.iter().zip(extents).fold(0, |flat, (own, extent)| flat * extent + own)).ok();
        };
        if let Some(flat) = cells.numbers.get(index) {
            return Some(*flat);
        }
        if cells.is_closed {
            return None;
        }
        let flat = cells.all.len();
        cells.numbers.insert(index.to_vec(), flat);
        cells.all.push(index.to_vec());
        self.cells.push(None);
        Some(flat)
    }
}

/// Whether some subscripts may be those of a cell.
pub(super) fn may_mean(at: &[Subscript], cell: &[i64]) -> bool {
    at.iter()
        .zip(cell)
        .all(|(own, cell)| matches!(own, Subscript::Unknown(_)) || matches!(own, Subscript::Known(k) if k == cell))
}
