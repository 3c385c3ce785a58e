//! Cells given for speed (`--room`).
//!
//! Storage is as small as it can be, and its subscripts are what they have to be for that. Here each array, and each buffer of several,
//! may get so many percent more cells than suffice, where innermost loops then go through it with fewer strides and remainders
//! ([`shapes`](crate::shapes)), as far as [`Cost`] tells. What is small beside the rest gets more ([`beside`](crate::slack)). Which arrays share is decided before.
//!
//! Example: Durbin's `y[(2 i + k) mod (2 n − 3)]` becomes `y[k mod 2][i]`, with three cells more.
//!
//! Deviation: cells are compared at the sizes counted at. For others there may be more than so many percent; never more than twice as
//! many where one of several sizes is large and the others are small ([`skewed`](crate::sizes::skewed)), and no more than there is slack for where all are larger ([`scaled`](crate::sizes::scaled)).
//!
//! Invariant: work past the bound, or a proof that fails, leaves the storage there was.

use crate::buffer::SharedBuffer;
use crate::conflicts::facts_of;
use crate::decisions::Decisions;
use crate::movement::{Cost, MovedRow, Movement, Remainder};
use crate::optimize::{Options, Outcome, keep};
use crate::search::StorageSearch;
use crate::shapes::Space;
use crate::sizes::{borrow, declared_cells};
use crate::slack::{Slack, slack_beside};
use crate::stack::may_be_on_stack;
use crate::strides::in_common_space;
use crate::variants::Variant;
use polyfold_alloc::{Mapping, Proposal, SharedProposal};
use polyfold_isl::Error;
use polyfold_prove::{CommonSpace, Placed, Reach, SharedFacts, Verified, shift_registers};
use polyfold_scop::{ArrayId, StatementId};

/// As many proofs are tried for one buffer.
const MOST_TRIALS: usize = 6;

/// What larger storage is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Gain {
    /// All of its cells, at the sizes counted at.
    pub(crate) cells: u64,
    /// Whether innermost loops are plainer, and not only those around them.
    pub(crate) in_innermost_loops: bool,
}

/// Puts larger storage with plainer subscripts in the place of what is decided, as far as the user gives slack; statements in `gone`
/// will be removed.
pub(crate) fn spend_slack(search: &StorageSearch, gone: &[StatementId], decisions: &mut Decisions) {
    if search.options.slack == Slack::NONE {
        return;
    }
    for place in 0..decisions.outcomes.len() {
        let (id, Outcome::Mapped { storage, least }) = &decisions.outcomes[place] else { continue };
        let found = in_some_slack(search, decisions, &[*id], |search| search.plainer(*id, storage, *least, gone));
        if let Some((plainer, _)) = found {
            decisions.outcomes[place].1 = plainer;
        }
    }
    for place in 0..decisions.buffers.len() {
        let buffer = &decisions.buffers[place];
        if buffer.holds_values {
            continue;
        }
        let found = in_some_slack(search, decisions, &buffer.arrays, |search| shared(search, buffer));
        if let Some((plainer, _)) = found {
            decisions.buffers[place] = plainer;
        }
    }
}

/// What is found for some arrays with the slack that there is for all storage, or with what the other storage gives them.
fn in_some_slack<T>(
    search: &StorageSearch,
    decisions: &Decisions,
    arrays: &[ArrayId],
    find: impl Fn(&StorageSearch) -> Result<Option<T>, Error>,
) -> Option<T> {
    let within =
        |search: &StorageSearch| search.in_bound(arrays.len(), arrays.to_vec(), || find(search)).unwrap_or_default();
    within(search).or_else(|| {
        let options = Options { slack: slack_beside(search, decisions, arrays)?, ..search.options.clone() };
        within(&StorageSearch { options: &options, ..*search })
    })
}

impl StorageSearch<'_> {
    /// Plainer storage for an array alone, or the array as it is declared.
    pub(crate) fn plainer(
        &self,
        id: ArrayId,
        storage: &Verified<Proposal>,
        least: u64,
        gone: &[StatementId],
    ) -> Result<Option<(Outcome, Gain)>, Error> {
        let (movements, most) = (self.movements(id), self.options.slack.most(least));
        let most_of_plain = self.options.slack.most_of_plain(least);
        if movements.is_empty() || most_of_plain == least || self.is_register(storage.place(), gone)? {
            return Ok(None);
        }
        let now = cost(&storage.get().mapping, &[storage.place()], &movements)?;
        let declared = declared_cells(self.model.scop, id, self.sizes).unwrap_or(u64::MAX);
        let may_stay = declared <= most && self.may_be_as_declared_when_scaled(id, &storage.get().mapping);
        let as_declared = Some(self.cost_as_declared(id, &movements)).filter(|_| may_stay);
        let as_declared = as_declared.filter(|cost| now.is_worth_cells(*cost));
        let most = [most, most_of_plain].map(|most| most.min(declared.saturating_sub(1)));
        let found = self.first_plainer(storage.get(), (now, as_declared), most, &movements)?;
        let gain = |cells, cost| Gain { cells, in_innermost_loops: now.saves_in_innermost_loops(cost) };
        Ok(match (found, as_declared) {
            (Some(found), _) => {
                let cells = found.get().mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
                let own = cost(&found.get().mapping, &[found.place()], &movements)?;
                Some((Outcome::Mapped { storage: Box::new(found), least }, gain(cells, own)))
            }
            (None, Some(own)) => Some((keep(&self.why_as_declared(declared, least), false), gain(declared, own))),
            (None, None) => None,
        })
    }

    /// The first proved mapping of at most so many cells that is worth more than those of a proposal, and is as plain as the array as it
    /// is declared.
    fn first_plainer(
        &self,
        proposal: &Proposal,
        (now, as_declared): (Cost, Option<Cost>),
        [most, most_of_plain]: [u64; 2],
        movements: &[Movement],
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let (id, extents) = (proposal.array, self.extents(proposal.array));
        let differences = self.differences(id)?;
        let Some(touched) = differences.subject().touched() else { return Ok(None) };
        let space = Space {
            search: self,
            differences: differences.set(),
            touched,
            declared: self.model.declared_cells(id),
            extents: &extents,
            available: &self.available(id),
            movements,
            most_of_plain,
        };
        for variant in space.plainer(&proposal.mapping, now, most)?.into_iter().take(MOST_TRIALS) {
            if as_declared.is_some_and(|declared| (declared, 0) < (variant.cost(movements), variant.remainders())) {
                break;
            }
            let mapping = variant.mapping();
            let is_too_large = !self.has_slack_when_scaled(&mapping, &proposal.mapping)
                || self.is_larger_when_skewed(&mapping, [id])?;
            if is_too_large || !may_be_on_stack(self.model, id, &mapping)? {
                continue;
            }
            let found = self.proved(Proposal { mapping, ..proposal.clone() }, &differences)?;
            let Some(found) = found else { continue };
            if now.is_worth_cells(cost(&found.get().mapping, &[found.place()], movements)?) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    fn cost_as_declared(&self, id: ArrayId, movements: &[Movement]) -> Cost {
        let dimensions = self.model.scop.array(id).extents.len();
        let unit = |axis: usize| (0..dimensions).map(|k| i64::from(k == axis)).collect();
        let rows = (0..dimensions).map(|axis| MovedRow { factors: unit(axis), remainder: Remainder::None });
        Cost::of(&rows.collect::<Vec<_>>(), movements)
    }

    fn why_as_declared(&self, cells: u64, least: u64) -> String {
        let more = cells.saturating_sub(least);
        format!("{least} cells would do; {more} more make its subscripts plainer (--room 0 takes none)")
    }

    /// Whether code can keep it in registers, which has no subscripts at all.
    fn is_register(&self, place: &Placed, gone: &[StatementId]) -> Result<bool, Error> {
        let model = self.model;
        let places = std::slice::from_ref(place);
        let reach = Reach::InnermostLoops;
        Ok(!shift_registers((model.scop, &model.statements), places, gone, &model.context, reach)?.is_empty())
    }
}

/// What a proved mapping costs.
fn cost(mapping: &Mapping, places: &[&Placed], movements: &[Movement]) -> Result<Cost, Error> {
    let variant = Variant::of(mapping, places).map(Variant::with_masks).transpose()?;
    Ok(variant.map_or(Cost::MOST, |variant| variant.cost(movements)))
}

/// The buffer with a plainer mapping of its common space.
pub(crate) fn shared(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Option<(SharedBuffer, Gain)>, Error> {
    let (proposal, most) = (buffer.storage.get(), search.options.slack.most(buffer.least));
    let (movements, now) = (in_common_space(search, buffer), cost_of(search, buffer)?);
    if movements.is_empty() || most == buffer.least {
        return Ok(None);
    }
    let facts = facts_of(search.model, &buffer.arrays, search.known)?;
    let facts = SharedFacts { members: &facts, context: &search.model.context };
    let Some(CommonSpace { differences, touched }) = CommonSpace::of(proposal, &facts)? else { return Ok(None) };
    let extents = vec![None; touched.dimensions()?];
    let space = Space {
        search,
        differences: &differences,
        touched: &touched,
        declared: None,
        extents: &extents,
        available: &search.available(buffer.arrays[0]),
        movements: &movements,
        most_of_plain: most,
    };
    let declared = |id: &ArrayId| declared_cells(search.model.scop, *id, search.sizes).unwrap_or(u64::MAX);
    let declared = buffer.arrays.iter().map(declared).fold(0, u64::saturating_add);
    let most = most.min(declared.saturating_sub(1));
    for variant in space.plainer(&proposal.mapping, now, most)?.into_iter().take(MOST_TRIALS) {
        if !search.has_slack_when_scaled(&variant.mapping(), &proposal.mapping) {
            continue;
        }
        let proposal = SharedProposal { mapping: variant.mapping(), ..proposal.clone() };
        let Some(found) = SharedBuffer::proved(search, proposal, &facts, most.saturating_add(1))? else { continue };
        let cost = cost_of(search, &found)?;
        if now.is_worth_cells(cost) {
            let gain = Gain { cells: found.cells, in_innermost_loops: now.saves_in_innermost_loops(cost) };
            return Ok(Some((SharedBuffer { least: buffer.least, ..found }, gain)));
        }
    }
    Ok(None)
}

fn cost_of(search: &StorageSearch, buffer: &SharedBuffer) -> Result<Cost, Error> {
    cost(&buffer.storage.get().mapping, &buffer.places().collect::<Vec<_>>(), &in_common_space(search, buffer))
}
