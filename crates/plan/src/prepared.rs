//! What is known of a scop before storage is searched for.
//!
//! Orders of one program are compared by the values alive at once, then by what arrays need alone, then by what they need together:
//! all of that begins here, once for each order.

use crate::conflicts::KnownConflicts;
use crate::optimize::{Options, in_bound, temporaries};
use crate::sizes::estimate::Grids;
use crate::sizes::{Counted, CountedAt, EXAMPLE_SIZES, Sizes, choose_sizes, sizes_and_count};
use polyfold_flow::{DeadCode, Model, dead_code, may_be_unread};
use polyfold_isl::{Context, Error, Set};
use polyfold_live::{Coordinate, LiveCount, max_live_in_order};
use polyfold_scop::{ArrayId, Scop};
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A scop without what nobody reads.
pub(crate) struct Useful {
    dead: DeadCode,
    scop: Scop,
}

impl Useful {
    /// What is left of a scop.
    pub(crate) fn of(scop: &Scop) -> Useful {
        let dead = dead_code(scop);
        Useful { scop: dead.remove_from(scop), dead }
    }

    /// What is left without statements of which no value is read either, as far as the work bound allows.
    ///
    /// # Errors
    /// When even the loops themselves take more work to analyse than the bound allows.
    pub(crate) fn without_unread(ctx: &Context, scop: &Scop, options: &Options) -> Result<Useful, Error> {
        let useful = Useful::of(scop);
        if !may_be_unread(&useful.scop) {
            return Ok(useful);
        }
        let mut dead = useful.dead.clone();
        let found = ctx.with_quota(options.isl_operations(), || dead.add_unread(&Model::build(ctx, &useful.scop)?));
        Ok(in_bound(found)?.map_or(useful, |()| Useful { scop: dead.remove_from(scop), dead }))
    }
}

/// Counting in an order that may not be looked at further takes at most this many steps.
const BRIEF_COUNT: u64 = 100_000_000;

/// When operations run, by statement.
pub(crate) type Dates = Vec<Vec<Coordinate>>;

/// Values alive at once: no storage is smaller.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Alive {
    /// Of all arrays: for storage that they share.
    pub(crate) together: u64,
    /// The sum over arrays of what each has at once: for storage of each by itself.
    pub(crate) apart: u64,
}

impl Alive {
    fn of(count: &LiveCount) -> Alive {
        Alive { together: count.total, apart: count.each.iter().fold(0, |sum, each| sum.saturating_add(*each)) }
    }
}

/// The view of a scop, the sizes at which its storage is counted, and the values of its temporaries alive at once there.
pub(crate) struct Prepared<'s> {
    pub(crate) dead: &'s DeadCode,
    pub(crate) model: Model<'s>,
    /// The arrays whose values are counted.
    pub(crate) counted: Vec<ArrayId>,
    pub(crate) alive: CountedAt,
    /// What is known of the model's arrays.
    pub(crate) known: KnownConflicts,
}

impl<'s> Prepared<'s> {
    /// For the parameter values that the scop assumes.
    ///
    /// # Errors
    /// When even the loops themselves take more work to analyse than the bound allows.
    pub(crate) fn of(ctx: &Context, useful: &'s Useful, options: &Options) -> Result<Prepared<'s>, Error> {
        Prepared::within(ctx, useful, options, None)
    }

    /// The same, for operations in an order in which values were counted.
    ///
    /// # Errors
    /// When even the loops themselves take more work to analyse than the bound allows.
    pub(crate) fn counted_before(
        ctx: &Context,
        useful: &'s Useful,
        options: &Options,
        before: &AliveInOrder,
    ) -> Result<Prepared<'s>, Error> {
        let Useful { dead, scop } = useful;
        let counted = temporaries(scop, dead);
        let model = ctx.with_quota(options.isl_operations(), || Model::build(ctx, scop))?;
        let sizes = choose_sizes(&model, options, EXAMPLE_SIZES[0])?;
        let alive = match before.count_of(scop, &counted, &sizes) {
            Some(count) => CountedAt::known(sizes, count),
            None => sizes_and_count(&model, &counted, options)?,
        };
        Ok(Prepared { dead, model, counted, alive, known: KnownConflicts::default() })
    }

    /// For those that also fulfil some facts.
    pub(crate) fn within(
        ctx: &Context,
        useful: &'s Useful,
        options: &Options,
        facts: Option<&Set>,
    ) -> Result<Prepared<'s>, Error> {
        let Useful { dead, scop } = useful;
        let mut model = ctx.with_quota(options.isl_operations(), || Model::build(ctx, scop))?;
        if let Some(facts) = facts {
            model = model.within(facts)?;
        }
        let counted = temporaries(scop, dead);
        let alive = sizes_and_count(&model, &counted, options)?;
        Ok(Prepared { dead, model, counted, alive, known: KnownConflicts::default() })
    }

    /// The sizes at which its storage is counted.
    pub(crate) fn sizes(&self) -> &Sizes {
        &self.alive.sizes
    }

    /// The view of the scop with all of its statements; `None`: nobody reads what some of them write.
    pub(crate) fn whole_model(&self) -> Option<&Model<'s>> {
        (self.dead.statements.is_empty() && self.dead.arrays.is_empty()).then_some(&self.model)
    }

    /// The values alive at once; why they are not known, where that is so.
    pub(crate) fn exact(&self) -> &Counted {
        self.alive.exact(|| Cow::Borrowed(self.model.scop), &self.counted)
    }

    /// What they are, or are likely to be: for ranking only.
    pub(crate) fn count(&self) -> Option<&LiveCount> {
        self.alive.estimate(|| Cow::Borrowed(self.model.scop), &self.counted)
    }

    /// 0 where they cannot be counted.
    pub(crate) fn alive(&self) -> Alive {
        self.count().map_or_else(Alive::default, Alive::of)
    }

    /// The same in another order, which has these dates at given sizes.
    pub(crate) fn alive_in_order(&self, dates: impl Fn(&[(&str, i64)]) -> Option<Dates>) -> AliveInOrder {
        // Without dead statements, others have other numbers.
        if !self.dead.statements.is_empty() {
            return AliveInOrder::default();
        }
        let count = |values: &[i64], bound: u64| {
            let names = self.model.parameters.iter().map(String::as_str);
            let dates = dates(&names.zip(values.iter().copied()).collect::<Vec<_>>())?;
            max_live_in_order(self.model.scop, &self.counted, values, &dates, bound).ok()
        };
        if let Some(steps) = self.alive.steps_if_estimated() {
            let grids = Grids::to(&self.model, &self.counted, self.sizes()).ok();
            if let Some(found) = grids.and_then(|grids| grids.estimate(count)) {
                return Alive::of(&found).into();
            }
            if steps > BRIEF_COUNT {
                return AliveInOrder::default();
            }
        } else if self.exact().is_err() {
            return AliveInOrder::default();
        }
        let values: Vec<i64> = self.sizes().values.iter().map(|(_, value)| *value).collect();
        match count(&values, BRIEF_COUNT) {
            Some(found) => self.counted(found),
            None => AliveInOrder::default(),
        }
    }

    /// A count of its values, in whichever order.
    fn counted(&self, count: LiveCount) -> AliveInOrder {
        let names = self.counted.iter().map(|id| self.model.scop.array(*id).name.clone());
        AliveInOrder {
            alive: Alive::of(&count),
            exact: Some(Exact { arrays: names.collect(), sizes: self.sizes().values.clone(), count }),
        }
    }
}

/// Values alive at once in an order that a program does not have yet.
#[derive(Default)]
pub(crate) struct AliveInOrder {
    /// 0 where they cannot be counted.
    pub(crate) alive: Alive,
    /// What was counted, where it is exact.
    exact: Option<Exact>,
}

/// An exact count.
struct Exact {
    /// Names of the arrays counted.
    arrays: Vec<String>,
    /// Values of the parameters.
    sizes: Vec<(String, i64)>,
    count: LiveCount,
}

impl From<Alive> for AliveInOrder {
    fn from(alive: Alive) -> AliveInOrder {
        AliveInOrder { alive, exact: None }
    }
}

impl AliveInOrder {
    /// The values alive at once in the order that a program has.
    pub(crate) fn of(prepared: &Prepared) -> AliveInOrder {
        prepared.exact().as_ref().map_or_else(|_| AliveInOrder::default(), |count| prepared.counted(count.clone()))
    }

    /// The count of arrays of a program in that order; `None`: it is not known, or of others.
    fn count_of(&self, scop: &Scop, arrays: &[ArrayId], sizes: &Sizes) -> Option<LiveCount> {
        let Exact { arrays: names, count, .. } = self.exact.as_ref().filter(|exact| exact.sizes == sizes.values)?;
        let place = |id: &ArrayId| names.iter().position(|name| *name == scop.array(*id).name);
        let places: Vec<usize> = arrays.iter().map(place).collect::<Option<_>>()?;
        let of = |counts: &[u64]| places.iter().map(|place| counts[*place]).collect();
        let is_whole = places.iter().collect::<BTreeSet<_>>().len() == names.len();
        is_whole.then(|| LiveCount { each: of(&count.each), at_peak: of(&count.at_peak), ..*count })
    }
}
