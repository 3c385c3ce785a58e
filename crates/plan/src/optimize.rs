//! One scop, from the program to a proved decision for each array.
//!
//! For each temporary array every engine proposes, the prover judges, and the smallest proved mapping wins; if none
//! is smaller than the array itself, the array stays as it is and the outcome says why.

use crate::buffer::SharedBuffer;
use crate::decisions::Decisions;
use crate::hints::{SlackHint, hints, strip_hints};
use crate::hosting::move_into_outputs;
use crate::origins::place_origins;
use crate::plainer::spend_slack;
use crate::prepared::{Prepared, Useful};
use crate::rows::complete_rows;
use crate::search::StorageSearch;
use crate::sizes::all_running::AllRunning;
use crate::sizes::skewed::skewed_sizes;
use crate::sizes::{Counted, CountedAt, Sizes, borrow};
use crate::slack::Slack;
use crate::strides::improve_strides;
use crate::together::{improve_alone, move_together};
use crate::vectors::{VectorHint, keep_vectors};
use crate::versioning::facts_about_constants;
use crate::versioning::{exclusions, refuse_few_sizes, respect_text};
use crate::{gathering, share};
use polyfold_alloc::{Method, Proposal};
use polyfold_codegen::{SizesInC, TextLimits, WritableValues};
use polyfold_flow::{DeadCode, Exclusion, Model, StatementModel};
use polyfold_isl::{Context, Error, ErrorKind, Set};
use polyfold_prove::{Placed, Verified};
use polyfold_scop::{ArrayId, Code, Scop};
use std::borrow::Cow;

/// Between what storage may be shared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// Cells of one array.
    Intra,
    /// Cells of all temporary arrays.
    Inter,
    /// Cells of all temporary arrays, and of arrays whose values leave the scop while they hold nothing.
    Outputs,
}

/// What the user can choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine to use; `None`: all of them.
    pub method: Option<Method>,
    /// Between what storage may be shared.
    pub scope: Scope,
    /// Sizes at which cells are counted and mappings compared.
    pub sizes: Vec<(String, i64)>,
    /// What the scop assumes, as the user typed it: messages name it.
    pub assumptions: Vec<String>,
    /// Bound on analysis work per array, in elementary steps.
    pub max_operations: u64,
    /// How many more cells than suffice storage may have whose subscripts are plainer.
    pub slack: Slack,
    /// What the program's text does not allow.
    pub text: TextLimits,
    /// Whether loops are written in segments and strips, for which circular buffers get other origins.
    pub in_strips: bool,
}

impl Options {
    /// The bound in steps of isl, each of which takes as long as some ten steps of counting or more.
    pub(crate) fn isl_operations(&self) -> u64 {
        isl_operations(self.max_operations)
    }

    /// Unless the user asks for an engine: each array by itself, one modulus per dimension. Other storage may save some
    /// cells of a row by a `%` that its length does not divide, and then no compiler makes vectors of the row.
    #[must_use]
    pub fn in_plain_rows(self) -> Options {
        match self.method {
            None => Options { method: Some(Method::SuccessiveModulo), scope: Scope::Intra, ..self },
            Some(_) => self,
        }
    }
}

/// The steps of isl that take as long as so many steps of counting.
pub(crate) fn isl_operations(steps: u64) -> u64 {
    (steps / 10).max(1)
}

/// What was found within a bound on work; `None`: that takes more.
///
/// # Errors
/// When isl fails otherwise.
pub fn in_bound<T>(found: Result<T, Error>) -> Result<Option<T>, Error> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(Error { kind: ErrorKind::Quota, .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// What was decided for one array.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// New storage.
    Mapped {
        /// The proved mapping.
        storage: Box<Verified<Proposal>>,
        /// The cells that suffice; the mapping may have more, which spare a `%`.
        least: u64,
    },
    /// A place in a buffer with other arrays.
    Shared {
        /// Index into [`Optimized::buffers`].
        buffer: usize,
        /// Index into the buffer's members.
        member: usize,
    },
    /// Values in several places.
    Values {
        /// Where each access finds them, and how that reads.
        values: Box<WritableValues>,
        /// Indices into [`Optimized::buffers`].
        buffers: Vec<usize>,
    },
    /// A place in an array whose values leave the scop.
    Hosted {
        /// The proved place.
        place: Box<Placed>,
    },
    /// Nobody reads it.
    Removed,
    /// As it was: one sentence why, and whether the user would have expected otherwise.
    Kept {
        /// What kind of reason.
        code: Code,
        /// In the user's words.
        reason: String,
        /// Worth a warning.
        surprising: bool,
        /// What the user can do about it, if something is known.
        help: Option<String>,
    },
}

impl Outcome {
    /// Where the cells of an array live; `None`: they stay, or live in several places or in none.
    pub fn place<'a>(&'a self, buffers: &'a [SharedBuffer]) -> Option<&'a Placed> {
        match self {
            Outcome::Mapped { storage, .. } => Some(storage.place()),
            Outcome::Shared { buffer, member } => Some(buffers[*buffer].storage.place(*member)),
            Outcome::Hosted { place } => Some(place),
            Outcome::Values { .. } | Outcome::Removed | Outcome::Kept { .. } => None,
        }
    }
}

/// Everything that was found for one scop.
pub struct Optimized {
    /// What can be removed.
    pub dead: DeadCode,
    /// For each array that is not a scalar, in the scop's order.
    pub outcomes: Vec<(ArrayId, Outcome)>,
    /// What each would get by itself, in the same order.
    pub(crate) alone: Vec<(ArrayId, Outcome)>,
    /// Buffers of several arrays.
    pub buffers: Vec<SharedBuffer>,
    /// Where more cells would make innermost loops plainer.
    pub slack_hints: Vec<SlackHint>,
    /// Arrays that share where that keeps innermost loops from being vectorised.
    pub vector_hints: Vec<VectorHint>,
    /// Short circular buffers whose loops would be vectorised in strips.
    pub strip_hints: Vec<ArrayId>,
    /// Parameter values that C allows.
    pub known: Set,
    /// Parameter values for which everything was proved.
    pub proved: Set,
    /// Why that is less, or less than the usual examples: places in the source.
    pub left_out: Vec<Exclusion>,
    /// Names of the parameters in isl notation.
    pub parameters: Vec<String>,
    /// The view of each statement; of those that can be removed, without accesses.
    pub(crate) statements: Vec<StatementModel>,
    /// Dates in isl notation.
    pub schedule: String,
    /// Whether the user's assumptions were needed.
    pub uses_assumptions: bool,
    /// Whether no sizes that C allows fulfil the user's assumptions.
    pub contradicts: bool,
    /// The sizes counted at.
    pub sizes: Sizes,
    /// Arrays whose storage is shown to be the smallest at the sizes of macros, by the search for the optimum.
    pub fewest: Vec<ArrayId>,
    /// The temporary arrays whose values are counted.
    pub counted: Vec<ArrayId>,
    /// How many of these are alive at once.
    pub(crate) alive: CountedAt,
}

/// Analyses one scop and decides for each of its arrays. `progress` is called with the name of each array in turn.
///
/// The user's assumptions are used only if they help, and so are the values of macros: first the scop is solved for all
/// sizes, then with such facts, and the first answer stands unless a later one is better.
///
/// # Errors
/// When even the loops themselves take more work to analyse than the bound allows.
pub fn optimize(
    ctx: &Context,
    scop: &Scop,
    options: &Options,
    progress: &mut dyn FnMut(&str),
) -> Result<Optimized, Error> {
    optimize_knowing(ctx, scop, options, Known::default(), progress)
}

/// What is known of a scop before it is solved.
#[derive(Clone, Copy, Default)]
pub(crate) struct Known<'a> {
    /// Of the scop as it is.
    pub prepared: Option<&'a Prepared<'a>>,
    /// What was found for it with [`Scope::Intra`] and otherwise the same options.
    pub alone: Option<&'a Optimized>,
    /// What was found for the same operations in the same order, written otherwise.
    pub proposed: Option<&'a Optimized>,
}

/// The same, which goes on from what is known.
///
/// # Errors
/// When even the loops themselves take more work to analyse than the bound allows.
pub(crate) fn optimize_knowing(
    ctx: &Context,
    scop: &Scop,
    options: &Options,
    known: Known,
    progress: &mut dyn FnMut(&str),
) -> Result<Optimized, Error> {
    let Known { prepared, alone, proposed } = known;
    let prepared = prepared.filter(|_| scop.assumed.is_empty());
    let (general, scop) = (Scop { assumed: Vec::new(), ..scop.clone() }, assuming(scop));
    let start = Start { facts: None, alone, prepared: None, proposed };
    let mut best = attempt(ctx, &general, options, &Start { prepared, ..start }, progress)?;
    if !scop.assumed.is_empty() {
        let with_assumptions = attempt(ctx, scop, options, &start, progress)?;
        best.contradicts = with_assumptions.contradicts;
        if with_assumptions.saves_more_than(&best, scop)? {
            best = with_assumptions;
        } else {
            best.explain_by(with_assumptions);
        }
    }
    if let Some(facts) = facts_about_constants(&best, scop, options.method)? {
        let scop = if best.uses_assumptions { scop } else { &general };
        let start = Start { facts: Some(&facts), ..start };
        let with_constants = attempt(ctx, scop, options, &start, progress)?;
        if with_constants.rank(scop)? < best.rank(scop)? {
            best = with_constants;
        } else {
            best.fewest = best.as_few_as(&with_constants)?;
        }
    }
    Ok(best)
}

/// What is known before a scop is solved for some parameters.
#[derive(Clone, Copy)]
struct Start<'a> {
    /// Of its parameters.
    facts: Option<&'a Set>,
    /// What each array would get by itself.
    alone: Option<&'a Optimized>,
    /// What it begins with: the whole of that, if anything.
    prepared: Option<&'a Prepared<'a>>,
    /// What may be right again.
    proposed: Option<&'a Optimized>,
}

impl Start<'_> {
    /// What arrays would get by themselves for the same parameter values.
    fn alone_in(&self, model: &Model) -> Result<Option<&Optimized>, Error> {
        let Some(alone) = self.alone else { return Ok(None) };
        let is_same = alone.proved.is_subset(&model.context)? && model.context.is_subset(&alone.proved)?;
        Ok(Some(alone).filter(|alone| is_same && alone.uses_assumptions != model.scop.assumed.is_empty()))
    }
}

/// Solves the scop for the parameters that it assumes, and facts if there are any.
fn attempt(
    ctx: &Context,
    scop: &Scop,
    options: &Options,
    start: &Start,
    progress: &mut dyn FnMut(&str),
) -> Result<Optimized, Error> {
    let (useful, own);
    let prepared = match start.prepared {
        Some(prepared) => prepared,
        None => {
            useful = Useful::without_unread(ctx, scop, options)?;
            own = Prepared::within(ctx, &useful, options, start.facts)?;
            &own
        }
    };
    let Prepared { dead, model, counted, known, .. } = prepared;
    let sizes = prepared.sizes();
    let before = ctx.with_quota(options.isl_operations(), || start.alone_in(model))?;
    let names = SizesInC::to_read(&model.context, &model.parameters, scop)?;
    let skewed = ctx.with_quota(options.isl_operations(), || skewed_sizes(model)).unwrap_or_default();
    let search = StorageSearch {
        ctx,
        model,
        options,
        sizes: &sizes.values,
        names: &names,
        live: (counted, prepared.count()),
        skewed: &skewed,
        alone: &[],
        proposed: start.proposed.map_or(&[], |proposed| &proposed.alone),
        classes: &[],
        known,
        all_running: &AllRunning::default(),
    };
    let alone = match before {
        Some(before) => before.alone.clone(),
        None => each_alone(&search, dead, progress),
    };
    let search = StorageSearch { alone: &alone, ..search };
    let mut decisions = shared(&search, dead);
    let (known_apart, vector_hints) = keep_vectors(&search, &mut decisions)?;
    let search = StorageSearch { known: &known_apart, ..search };
    improve_strides(&search, &mut decisions);
    spend_slack(&search, &dead.statements, &mut decisions);
    complete_rows(&search, &mut decisions);
    let slack_hints = hints(&search, &dead.statements, &decisions);
    let strip_hints = strip_hints(&search, &decisions);
    place_origins(&search, &mut decisions);
    let mut dead = DeadCode::clone(dead);
    respect_text(model, &options.text, &mut decisions.outcomes, &mut dead)?;
    refuse_few_sizes(model, &mut decisions.outcomes, &mut dead)?;
    decisions.forget_unused_buffers();
    let Decisions { outcomes, buffers, .. } = decisions;
    let changes = outcomes.iter().any(|(_, outcome)| !matches!(outcome, Outcome::Kept { .. }));
    if !changes {
        dead = DeadCode::default();
    }
    let left_out = ctx.with_quota(options.isl_operations(), || exclusions(model, options, changes));
    let is_fewest = |outcome: &Outcome| matches!(outcome, Outcome::Mapped { storage, .. } if storage.get().method == Method::Optimal);
    let fewest = outcomes.iter().filter(|(_, outcome)| is_fewest(outcome)).map(|(id, _)| *id).collect();
    Ok(Optimized {
        dead,
        outcomes,
        alone,
        buffers,
        slack_hints,
        vector_hints,
        strip_hints,
        fewest,
        known: model.known.clone(),
        proved: model.context.clone(),
        left_out: left_out.unwrap_or_default(),
        parameters: model.parameters.clone(),
        statements: model.statements.clone(),
        schedule: model.schedule_text(),
        uses_assumptions: !scop.assumed.is_empty(),
        contradicts: model.contradicts,
        sizes: sizes.clone(),
        counted: counted.clone(),
        alive: prepared.alive.clone(),
    })
}

/// Arrays as they are alone, or in buffers with others where that saves cells.
fn shared(search: &StorageSearch, dead: &DeadCode) -> Decisions {
    let (scope, alone) = (search.options.scope, search.alone);
    let mut decisions = Decisions::alone(alone.to_vec());
    if scope != Scope::Intra {
        let carried = search.in_bound(alone.len(), [], || share::carried(search, alone, dead)).unwrap_or_default();
        let may_share = |candidate: &gathering::Candidate| !carried.contains(&candidate.id);
        let kinds = search.in_bound(alone.len(), [], || share::kinds(search, alone, &may_share)).unwrap_or_default();
        move_together(search, &kinds, &mut decisions);
        if scope == Scope::Outputs {
            move_into_outputs(search, &kinds, &mut decisions);
        }
    }
    decisions.forget_unused_buffers();
    decisions
}

/// What each array of the scop gets by itself.
fn each_alone(search: &StorageSearch, dead: &DeadCode, progress: &mut dyn FnMut(&str)) -> Vec<(ArrayId, Outcome)> {
    let scop = search.model.scop;
    let mut outcomes: Vec<(ArrayId, Outcome)> = Vec::new();
    for id in in_text_order(scop) {
        progress(&scop.array(id).name);
        let search = StorageSearch { alone: &outcomes, ..*search };
        let outcome = if dead.arrays.contains(&id) { Outcome::Removed } else { search.decide(id) };
        outcomes.push((id, outcome));
    }
    let mut decisions = Decisions::alone(outcomes.clone());
    improve_alone(&StorageSearch { alone: &outcomes, ..*search }, &mut decisions);
    decisions.outcomes
}

/// The scop as it reads where the user's assumptions hold.
fn assuming(scop: &Scop) -> &Scop {
    scop.under_assumptions.as_deref().unwrap_or(scop)
}

impl Optimized {
    /// The places of all arrays that live in the buffer of one.
    pub(crate) fn sharing<'a>(&'a self, place: &'a Placed) -> Vec<&'a Placed> {
        let Some(first) = place.shared() else { return vec![place] };
        let places = self.outcomes.iter().filter_map(|(_, outcome)| outcome.place(&self.buffers));
        places.filter(|other| other.shared() == Some(first)).collect()
    }

    /// The arrays that have as few cells here as the optimum of another result.
    fn as_few_as(&self, other: &Optimized) -> Result<Vec<ArrayId>, Error> {
        let sizes = borrow(&self.sizes.values);
        let mut found = Vec::new();
        for ((id, own), (_, best)) in self.outcomes.iter().zip(&other.outcomes) {
            if let (Outcome::Mapped { storage: own, .. }, Outcome::Mapped { storage: best, .. }) = (own, best)
                && other.fewest.contains(id)
                && own.get().mapping.cells(&sizes)? == best.get().mapping.cells(&sizes)?
            {
                found.push(*id);
            }
        }
        Ok(found)
    }

    /// Values of the counted arrays alive at once in the scop; why they are not known, where that is so. Counted when they are asked for first.
    pub fn live(&self, scop: &Scop) -> &Counted {
        self.alive.exact(|| self.useful(scop), &self.counted)
    }

    /// The scop without what nobody reads.
    pub fn useful<'s>(&self, scop: &'s Scop) -> Cow<'s, Scop> {
        let scop = self.scop(scop);
        if self.dead.statements.is_empty() { Cow::Borrowed(scop) } else { Cow::Owned(self.dead.remove_from(scop)) }
    }

    /// The scop as the result has it: where it needs the user's assumptions, with what these show of subscripts.
    pub fn scop<'s>(&self, scop: &'s Scop) -> &'s Scop {
        if self.uses_assumptions { assuming(scop) } else { scop }
    }

    /// Says of arrays that stay, as one would expect, what kept the user's assumptions from changing that.
    fn explain_by(&mut self, with_assumptions: Optimized) {
        for ((_, plain), (_, assumed)) in self.outcomes.iter_mut().zip(with_assumptions.outcomes) {
            let expected = matches!(plain, Outcome::Kept { surprising: false, .. });
            if expected && matches!(assumed, Outcome::Kept { surprising: true, .. }) {
                *plain = assumed;
            }
        }
    }
}

/// Arrays in the order of their declarations, without scalars and those that nothing uses any more.
fn in_text_order(scop: &Scop) -> Vec<ArrayId> {
    let is_counted = |id: &ArrayId| !scop.array(*id).is_scalar() && !scop.is_gone(*id);
    let mut ids: Vec<ArrayId> = (0..scop.arrays.len()).map(ArrayId).filter(is_counted).collect();
    ids.sort_by_key(|id| {
        let declaration = scop.array(*id).declaration.as_ref();
        declaration.map_or((usize::MAX, 0), |d| (d.statement.start, d.declarator.span.start))
    });
    ids
}

pub(crate) fn temporaries(scop: &Scop, dead: &DeadCode) -> Vec<ArrayId> {
    let is_counted = |id: &ArrayId| {
        let array = scop.array(*id);
        array.is_temporary() && !array.is_scalar() && !dead.arrays.contains(id)
    };
    (0..scop.arrays.len()).map(ArrayId).filter(is_counted).collect()
}

pub(crate) fn keep(reason: &str, surprising: bool) -> Outcome {
    Outcome::Kept { code: Code::StaysAsItIs, reason: reason.to_string(), surprising, help: None }
}
