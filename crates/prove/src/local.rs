//! Local arrays: that a region computes the same in them.
//!
//! For a plan of local arrays f: A[x] -> L[y] it is shown, for all parameter values and every instance of the region:
//!
//! 1. each f is single-valued and injective, and its places are inside the extents;
//! 2. each access that is rewritten finds all of its cells in the arrays that serve it;
//! 3. a cell that the region may write has one place only;
//! 4. what may be read before it is surely written is copied in, in each array that has the cell; so is what is copied back and not
//!    surely written;
//! 5. what may be written, and is needed behind the region, is copied back; and nothing is copied that the region does not touch;
//! 6. subscripts stay in their rows, so that different cells are different memory.
//!
//! From 1 and 3 on, local arrays are memory with other addresses: what a read of the region gets is what the last write left there (2), or
//! what was copied in (4), and afterwards every cell holds what it would (5).
//!
//! Example: with `A[i][j] = A[j][i]` and an array for the row and one for the column, 3 fails unless one of them has no `A[i][i]`.
//!
//! Source: the transformation is that of US 8,661,422, which proves nothing.

use crate::motion::Frame;
use polyfold_compact::{Local, Motion, Plan, Reference, references, union_of};
use polyfold_flow::{Accesses, Model, union};
use polyfold_isl::{Map, PwAff, Result, Set};
use polyfold_scop::ArrayId;

/// A plan that is proved; only [`verify_locals`] makes one, which copies at every instance, and [`verify_motions`](crate::verify_motions) others.
#[derive(Clone, Debug)]
pub struct PlacedLocals {
    plan: Plan,
    motions: Vec<Motion>,
    frame: Frame,
}

impl PlacedLocals {
    /// What was proved, for the parameter values in its context.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// When the cells of each local array are copied.
    pub fn motions(&self) -> &[Motion] {
        &self.motions
    }

    /// What stands around all copies.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// The same with other motions, which are proved.
    pub(crate) fn with(&self, motions: Vec<Motion>, frame: Frame) -> PlacedLocals {
        PlacedLocals { plan: self.plan.clone(), motions, frame }
    }
}

/// What a plan fails at, and for which of its local arrays, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LocalFault {
    /// A cell has several places in one array, or none.
    Places(usize),
    /// Two cells have one place.
    Clash(usize),
    /// A place is outside the extents.
    Outside(usize),
    /// Some access does not find its cells.
    Missing(usize),
    /// A cell that is written has places in several arrays.
    Copies(usize),
    /// A cell is not copied in that has to be, or is and should not.
    In(usize),
    /// A cell is not copied back that has to be, or is and should not.
    Back(usize),
    /// Different cells may be the same memory.
    Rows(usize),
}

/// Proves a plan. `live_out`: the arrays whose values the user needs behind the region, if not all.
///
/// # Errors
/// When the work bound is reached.
pub fn verify_locals(
    model: &Model,
    plan: Plan,
    live_out: Option<&[String]>,
) -> Result<std::result::Result<PlacedLocals, LocalFault>> {
    let model = model.clone().within(&plan.context)?;
    for (number, local) in plan.locals.iter().enumerate() {
        if let Some(fault) = fault_of_map(local, number, &plan.context)? {
            return Ok(Err(fault));
        }
        let references = references(&model, local.array, &plan.context)?;
        let facts = Facts { model: &model, plan: &plan, references: &references, live_out };
        if let Some(fault) = facts.fault(local, number)? {
            return Ok(Err(fault));
        }
    }
    let motions = vec![Motion::Inside; plan.locals.len()];
    Ok(Ok(PlacedLocals { plan, motions, frame: Frame::default() }))
}

/// 1.
fn fault_of_map(local: &Local, number: usize, context: &Set) -> Result<Option<LocalFault>> {
    let cells = local.cells.intersect_params(context)?;
    let map = local.shape.map.intersect_domain(&cells)?;
    if !map.is_single_valued()? || !cells.is_subset(&map.domain()?)? {
        return Ok(Some(LocalFault::Places(number)));
    }
    if !map.is_injective()? {
        return Ok(Some(LocalFault::Clash(number)));
    }
    let places = map.range()?;
    if places.dimensions()? != local.shape.extents.len() {
        return Ok(Some(LocalFault::Outside(number)));
    }
    for (k, extent) in local.shape.extents.iter().enumerate() {
        if !is_inside(&places, k, extent)? {
            return Ok(Some(LocalFault::Outside(number)));
        }
    }
    Ok(None)
}

/// Whether a coordinate of all places is from 0 to below an extent, which is known wherever there are places.
fn is_inside(places: &Set, k: usize, extent: &PwAff) -> Result<bool> {
    let count = places.dimensions()?;
    let names: Vec<String> = (0..count).map(|k| format!("y{k}")).collect();
    let text = format!("{{ [{}, e] -> [] : y{k} < 0 or y{k} >= e }}", names.join(", "));
    let text = if count == 0 { text.replace("[, e]", "[e]") } else { text };
    let outside = places.flat_product(&extent.graph()?)?.apply(&Map::read(places.context(), &text)?)?;
    Ok(outside.is_empty()? && places.params()?.is_subset(&extent.domain()?)?)
}

/// What is known where one array is looked at.
struct Facts<'a> {
    model: &'a Model<'a>,
    plan: &'a Plan,
    references: &'a [Reference],
    live_out: Option<&'a [String]>,
}

impl Facts<'_> {
    fn fault(&self, local: &Local, number: usize) -> Result<Option<LocalFault>> {
        if !self.stays_in_rows(local.array)? {
            return Ok(Some(LocalFault::Rows(number)));
        }
        if !self.finds_all(local.array)? {
            return Ok(Some(LocalFault::Missing(number)));
        }
        if !self.has_one_place(local, number)? {
            return Ok(Some(LocalFault::Copies(number)));
        }
        let accesses = self.model.accesses(local.array);
        if !self.copies_in(local, accesses)? {
            return Ok(Some(LocalFault::In(number)));
        }
        Ok((!self.copies_back(local, accesses)?).then_some(LocalFault::Back(number)))
    }

    /// 6.
    fn stays_in_rows(&self, array: ArrayId) -> Result<bool> {
        let mut all = self.model.scop.statements.iter().flat_map(|s| &s.accesses).filter(|a| a.array == array);
        let is_plain = all.all(|access| access.subscripts.is_some() && !access.is_in_call());
        Ok(is_plain && self.model.has_one_name_for_each_cell(array)?)
    }

    /// 2.
    fn finds_all(&self, array: ArrayId) -> Result<bool> {
        for reference in self.references {
            let serves = |local: &&Local| {
                let own =
                    |s: &&polyfold_compact::Served| (s.statement, s.access) == (reference.statement, reference.access);
                local.array == array && local.served.iter().any(|s| own(&s))
            };
            let served = union_of(self.plan.locals.iter().filter(serves).map(|local| &local.cells))?;
            let finds = match served {
                Some(served) => reference.footprint.is_subset(&served)?,
                None => false,
            };
            if !finds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// 3.
    fn has_one_place(&self, local: &Local, number: usize) -> Result<bool> {
        let written = union_of(self.references.iter().filter(|r| r.writes).map(|r| &r.footprint))?;
        let Some(written) = written else { return Ok(true) };
        let own = local.cells.intersect(&written)?;
        for (other, _) in self.plan.locals.iter().enumerate().filter(|(k, l)| *k != number && l.array == local.array) {
            if !own.intersect(&self.plan.locals[other].cells)?.is_empty()? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// 4, and that nothing else is touched.
    fn copies_in(&self, local: &Local, accesses: &Accesses) -> Result<bool> {
        let into = &local.copies.into;
        if !self.writes_before_it_reads(&local.cells.subtract(into)?, accesses)? {
            return Ok(false);
        }
        let unsure = match union(&accesses.must_writes)? {
            Some(sure) => local.copies.back.subtract(&sure.range()?.unnamed()?)?,
            None => local.copies.back.clone(),
        };
        Ok(unsure.is_subset(into)? && into.is_subset(&local.cells)? && self.touches(into)?)
    }

    /// Whether in front of each read of some cells there is a sure write.
    fn writes_before_it_reads(&self, cells: &Set, accesses: &Accesses) -> Result<bool> {
        if cells.is_empty()? {
            return Ok(true);
        }
        let sure = union(&accesses.must_writes)?;
        for reads in accesses.uses() {
            let own = reads.without_range_name()?.intersect_range(cells)?;
            if own.is_empty()? {
                continue;
            }
            let Some(sure) = &sure else { return Ok(false) };
            let earlier = Map::lex_gt(&own.domain()?)?.apply_range(&sure.without_range_name()?)?;
            if !own.is_subset(&earlier)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// 5.
    fn copies_back(&self, local: &Local, accesses: &Accesses) -> Result<bool> {
        let array = self.model.scop.array(local.array);
        let is_inside = array.declaration.as_ref().is_some_and(|d| d.inside_scop);
        let is_needed = !is_inside && self.live_out.is_none_or(|names| names.contains(&array.name));
        let back = &local.copies.back;
        if let (Some(writes), true) = (union(accesses.writes())?, is_needed)
            && !writes.range()?.unnamed()?.intersect(&local.cells)?.is_subset(back)?
        {
            return Ok(false);
        }
        Ok(back.is_subset(&local.cells)? && self.touches(back)?)
    }

    fn touches(&self, cells: &Set) -> Result<bool> {
        match union_of(self.references.iter().map(|r| &r.footprint))? {
            Some(touched) => cells.intersect_params(&self.plan.context)?.is_subset(&touched),
            None => cells.is_empty(),
        }
    }
}
