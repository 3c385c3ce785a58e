//! Orders that a scop may run in, each looked at only as far as it has to be.
//!
//! The values alive at once in an order are known from its dates, and with them what storage needs
//! at least. So only the best of many orders get new loops and proofs.

use super::found::InOrder;
use crate::optimize::Scope;
use crate::prepared::{AliveInOrder, Dates, Prepared, Useful};
use polyfold_isl::{Context, PwAff, Result};
use polyfold_live::Coordinate;
use polyfold_nests::Fused;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::rc::Rc;

/// The scop in an order, once it was asked for.
#[derive(Default)]
pub(super) struct Written {
    /// `None`: no loops are found for it.
    pub(super) in_order: OnceCell<Option<InOrder>>,
    pub(super) useful: OnceCell<Useful>,
}

/// An order of a scop.
pub(super) struct Candidate<'a> {
    /// As an index into the fused orders; `None`: the source's own.
    pub(super) order: Option<usize>,
    /// Loops that became one in it.
    pub(super) loops: usize,
    pub(super) written: &'a Written,
    /// `None`: its loops take too much work to analyse.
    pub(super) prepared: OnceCell<Option<Rc<Prepared<'a>>>>,
    pub(super) alive: AliveInOrder,
}

impl<'a> Candidate<'a> {
    pub(super) fn kept(written: &'a Written, prepared: Rc<Prepared<'a>>) -> Candidate<'a> {
        let alive = prepared.alive().into();
        Candidate { order: None, loops: 0, written, prepared: OnceCell::from(Some(prepared)), alive }
    }

    pub(super) fn fused((order, loops): (usize, usize), written: &'a Written, alive: AliveInOrder) -> Candidate<'a> {
        Candidate { order: Some(order), loops, written, prepared: OnceCell::new(), alive }
    }

    pub(super) fn is_kept(&self) -> bool {
        self.order.is_none()
    }

    /// Cells that it needs at least.
    pub(super) fn least(&self, scope: Scope) -> u64 {
        if scope == Scope::Intra { self.alive.alive.apart } else { self.alive.alive.together }
    }

    /// In its order, where that is not the source's.
    pub(super) fn in_order(&self) -> Option<&'a InOrder> {
        self.written.in_order.get().and_then(Option::as_ref)
    }

    pub(super) fn prepared(&self) -> Option<&Prepared<'a>> {
        self.prepared.get()?.as_deref()
    }
}

/// The dates of an order, by statement, at some sizes.
pub(super) fn dates(ctx: &Context, order: &Fused, sizes: &[(&str, i64)]) -> Result<Option<Dates>> {
    let mut known: HashMap<&str, Option<i64>> = HashMap::new();
    let parameters: Vec<&str> = sizes.iter().map(|(name, _)| *name).collect();
    let mut all = Vec::new();
    for coordinates in &order.dates {
        let mut date = Vec::new();
        for polyfold_nests::Coordinate { counters, offset } in coordinates {
            if !known.contains_key(offset.as_str()) {
                let value = PwAff::read(ctx, &format!("[{}] -> {{ [({offset})] }}", parameters.join(", ")))?;
                known.insert(offset, value.eval(sizes)?);
            }
            let Some(offset) = known[offset.as_str()] else { return Ok(None) };
            date.push(Coordinate { counters: counters.clone(), offset });
        }
        all.push(date);
    }
    Ok(Some(all))
}
