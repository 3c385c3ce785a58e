//! The search for one array's storage: every engine proposes, the prover judges, the smallest proved mapping wins.
//!
//! Proposals come smallest first, so the first proved one is its engine's best; and from conflicts per cell before those per
//! value, which cost more and are asked only where cells are written more than once. The search ends early at the most values
//! alive at once, which no mapping can go below.
//!
//! Paper: Bee §2, steps 2 to 4.
//!
//! Invariant: work past the bound on an array loses proposals, never the proof of what was found.

use crate::cells::LEAST_SAVED_PERCENT;
use crate::conditions::{is_long, sizes_text};
use crate::conflicts::{KnownConflicts, finest, precisions};
use crate::optimize::{Options, Outcome, keep};
use crate::ranges::number;
use crate::rows::with_whole_rows;
use crate::sizes::all_running::AllRunning;
use crate::sizes::skewed::Skewed;
use crate::sizes::{borrow, declared_cells, sizes_where};
use crate::stack::{TOO_LARGE_FOR_STACK, may_be_on_stack};
use crate::versioning::has_second_text;
use polyfold_alloc::{Mapping, Method, Problem, Proposal, Smallest, propose_besides, propose_smallest};
use polyfold_codegen::{SizesInC, WritableValues, has_fixed_rows, keeps_its_rows};
use polyfold_flow::{Cause, Copy, Exclusion, Model, ValueClass, copies};
use polyfold_isl::{Context, Error, ErrorKind, Map, PwAff, Set};
use polyfold_live::{DifferenceSet, Lifetimes, LiveCount, Precision};
use polyfold_program::Assign;
use polyfold_prove::{Placed, PlacedValues, Refusal, RowForm, Verified, verify};
use polyfold_scop::{Array, ArrayId, Code, Declaration, Expr, ParameterId, ParameterOrigin, Scop, Storage};
use std::collections::BTreeSet;

/// What only makes a result better may take this part of the bound on an array's work.
const EXTRA_WORK: u64 = 8;

/// What a search for one array's storage needs.
pub(crate) struct StorageSearch<'a> {
    pub(crate) ctx: &'a Context,
    pub(crate) model: &'a Model<'a>,
    pub(crate) options: &'a Options,
    pub(crate) sizes: &'a [(String, i64)],
    pub(crate) names: &'a SizesInC,
    /// The arrays whose values are counted, and how many of them are alive, or are likely to be.
    pub(crate) live: (&'a [ArrayId], Option<&'a LiveCount>),
    /// Sizes at which no storage may be far larger than what there was.
    pub(crate) skewed: &'a [Skewed],
    /// What was decided for each array without the others, as far as that is known.
    pub(crate) alone: &'a [(ArrayId, Outcome)],
    /// What was decided so for the same operations in the same order, written otherwise.
    pub(crate) proposed: &'a [(ArrayId, Outcome)],
    /// If the model is one of values by name: the classes, whose ids go on behind the scop's.
    pub(crate) classes: &'a [ValueClass],
    /// What is known of the model's arrays.
    pub(crate) known: &'a KnownConflicts,
    /// What is known of their values at larger sizes.
    pub(crate) all_running: &'a AllRunning,
}

/// The smallest number of cells that was proved, and a mapping of about that size.
type Candidate = (u64, Verified<Proposal>);

/// Why proposals are not taken.
#[derive(Default)]
struct Failed {
    refusal: Option<Refusal>,
    /// A smaller buffer may not stand in the function.
    too_large: bool,
}

impl StorageSearch<'_> {
    /// The smallest proved storage, or why there is none. Where it takes more work than the bound to look at rows that mix axes,
    /// one modulus per axis may take less.
    pub(crate) fn decide(&self, id: ArrayId) -> Outcome {
        let outcome = self.decided(id);
        if !matches!(outcome, Err(ref error) if error.kind == ErrorKind::Quota) || self.options.method.is_some() {
            return or_kept(outcome);
        }
        let options = Options { method: Some(Method::SuccessiveModulo), ..self.options.clone() };
        or_kept(StorageSearch { options: &options, ..*self }.decided(id))
    }

    fn decided(&self, id: ArrayId) -> Result<Outcome, Error> {
        let mut best = None;
        let searched = self.bound(id).and_then(|bound| self.ctx.with_quota(bound, || self.search(id, &mut best)));
        match (searched, best) {
            // The search for something better ran out of steps: what was found before stands.
            (Err(error), Some(found)) if error.kind == ErrorKind::Quota => {
                self.ctx.with_quota(self.options.isl_operations(), || self.conclude(id, found))
            }
            (searched, _) => searched,
        }
    }

    /// The bound on one array's work. Where subscripts divide, a step pivots larger tableaux, and takes longer: they may
    /// take fewer.
    fn bound(&self, id: ArrayId) -> Result<u64, Error> {
        let mut divisions = 0;
        for relation in self.model.accesses(id).all() {
            divisions = divisions.max(relation.divisions()? as u64);
        }
        Ok((self.options.isl_operations() / (1 + divisions.pow(5) / 16)).max(1))
    }

    /// Extra work on several arrays at once, within so many times the least bound of one of them for that.
    pub(crate) fn in_bound<T>(
        &self,
        times: usize,
        arrays: impl IntoIterator<Item = ArrayId>,
        work: impl FnOnce() -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut bound = self.options.isl_operations();
        for id in arrays {
            bound = bound.min(self.bound(id)?);
        }
        self.ctx.with_quota((bound / EXTRA_WORK).saturating_mul(times as u64).max(1), work)
    }

    /// Decides; `best` is what has been proved so far, also where the search fails.
    fn search(&self, id: ArrayId, best: &mut Option<Candidate>) -> Result<Outcome, Error> {
        let array = self.model.scop.array(id);
        if let polyfold_scop::Role::Kept(kept) = &array.role {
            let (code, surprising) = (kept.code, kept.surprising);
            return Ok(Outcome::Kept { code, reason: kept.reason.clone(), surprising, help: None });
        }
        let lifetimes = self.known.alone(self.model, id)?;
        if let Some(outcome) = self.unfit(id, &lifetimes)? {
            return Ok(outcome);
        }
        if lifetimes.subject().touched().is_none() {
            return self.never_used();
        }
        let mut failed = Failed::default();
        for precision in precisions(self.model, id)? {
            if best.as_ref().is_some_and(|(size, storage)| storage.place().is_one_cell() || *size <= self.floor(id)) {
                break;
            }
            let bound = self.bound(id)? / if precision == Precision::Cell { 1 } else { EXTRA_WORK };
            let differences = self
                .ctx
                .with_quota(bound.max(1), || self.known.own(self.ctx, &lifetimes, precision, array.extents.len()))?;
            if let Some(found) = self.as_before(id, &differences)? {
                *best = Some(found);
                break;
            }
            let mut smallest = self.smallest(id, &differences)?;
            let proposals = self.of_array(id, std::mem::take(&mut smallest.proposals));
            if !self.try_out(proposals, &differences, best, &mut failed)? {
                self.try_out(self.others(id, &differences, &smallest)?, &differences, best, &mut failed)?;
            }
        }
        let Failed { refusal, too_large } = failed;
        match best.take() {
            None if too_large => Ok(keep(TOO_LARGE_FOR_STACK, true)),
            None => Ok(keep(&unproved(refusal)?, true)),
            Some(found) => match self.conclude(id, found)? {
                Outcome::Kept { .. } if too_large => Ok(keep(TOO_LARGE_FOR_STACK, true)),
                outcome => Ok(outcome),
            },
        }
    }

    /// Whether the smallest of some proposals that is proved is smaller than what was found before; then it is taken.
    fn try_out(
        &self,
        proposals: Vec<Proposal>,
        differences: &DifferenceSet,
        best: &mut Option<Candidate>,
        failed: &mut Failed,
    ) -> Result<bool, Error> {
        let mut is_found = false;
        for proposal in proposals {
            let (id, array) = (proposal.array, self.model.scop.array(proposal.array));
            let size = proposal.mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
            if best.as_ref().is_some_and(|(least, _)| *least <= size) {
                continue;
            }
            let saves = declared_cells(self.model.scop, id, self.sizes).is_none_or(|declared| size < declared);
            if self.is_larger_when_skewed(&proposal.mapping, [id])? {
                continue;
            }
            if saves && !may_be_on_stack(self.model, id, &proposal.mapping)? {
                failed.too_large = true;
                continue;
            }
            match verify(proposal, differences, &self.model.context)? {
                Ok(verified) if keeps_its_rows(array, verified.place()) && self.is_printable(verified.place())? => {
                    *best = Some((size, self.with_reached_ranges(size, verified, differences)?));
                    is_found = true;
                }
                Ok(_) => {}
                Err(why) => failed.refusal = Some(why),
            }
        }
        Ok(is_found)
    }

    /// Storage without a search: what the array got for the same operations in the same order, written otherwise; or what the last array
    /// of the same extents got, where this one needs as many cells, so that no engine finds anything smaller.
    fn as_before(&self, id: ArrayId, differences: &DifferenceSet) -> Result<Option<Candidate>, Error> {
        let array = self.model.scop.array(id);
        let is_alike = |other: ArrayId| {
            self.model.scop.array(other).extents == array.extents && self.available(other) == self.available(id)
        };
        let floor = self.floor(id);
        let like_another = || last_mapped(self.alone, is_alike).filter(|(least, _)| *least == floor);
        let Some((least, proposal)) = last_mapped(self.proposed, |other| other == id).or_else(like_another) else {
            return Ok(None);
        };
        let Proposal { mapping, method, .. } = proposal.clone();
        if mapping.cells(&borrow(self.sizes))? != Some(least)
            || self.is_larger_when_skewed(&mapping, [id])?
            || !may_be_on_stack(self.model, id, &mapping)?
        {
            return Ok(None);
        }
        let storage = self.proved(Proposal { array: id, mapping, begins: Vec::new(), method }, differences)?;
        Ok(storage.map(|storage| (least, storage)))
    }

    /// Whether what was found is worth a change.
    fn conclude(&self, id: ArrayId, (least, storage): Candidate) -> Result<Outcome, Error> {
        let declared = declared_cells(self.model.scop, id, self.sizes);
        let size = storage.get().mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
        Ok(match self.why_not(id, size, declared, &storage) {
            Some(reason) => keep(&reason, false),
            None => Outcome::Mapped { storage: Box::new(storage), least },
        })
    }

    /// Why a proved mapping is not worth it.
    fn why_not(&self, id: ArrayId, size: u64, declared: Option<u64>, storage: &Verified<Proposal>) -> Option<String> {
        let declared = declared?;
        let computes = storage.place().takes_remainders();
        if size < declared {
            let saved = declared - size;
            let little = saved.saturating_mul(100) < declared.saturating_mul(LEAST_SAVED_PERCENT);
            let little_for_modulo = computes && saved.saturating_mul(10) < declared;
            return (little || little_for_modulo)
                .then(|| format!("only {saved} of its {declared} cells could be saved"));
        }
        let parallel = self.model.unordered.is_some();
        let uncertain = !self.model.accesses(id).may_writes.is_empty();
        Some(if parallel {
            "iterations of a parallel loop may run at once, and need cells of their own".to_string()
        } else if uncertain {
            "a write that may not happen, or changes a part of a cell only, leaves older values alive".to_string()
        } else if self.is_guarded_memory(id) {
            "memory from `malloc` is shared with other arrays only where the result holds for all sizes".to_string()
        } else if self.floor(id) >= declared {
            "all of its cells are alive at once".to_string()
        } else if has_fixed_rows(self.model.scop.array(id)) {
            "its rows keep their length, since it is a pointer to rows, and fewer rows are not enough".to_string()
        } else {
            "no smaller storage was found".to_string()
        })
    }

    /// Whether a test decides at run time which of two programs uses some memory, so that it can't be that of others, too.
    fn is_guarded_memory(&self, id: ArrayId) -> bool {
        let is_allocated = |array: &Array| array.declaration.as_ref().is_some_and(|d| d.allocation().is_some());
        let scop = self.model.scop;
        let others = scop.arrays.iter().filter(|other| is_allocated(other) && other.is_temporary()).count() > 1;
        others && is_allocated(scop.array(id)) && has_second_text(self.model).unwrap_or(false)
    }

    /// The differences of one array's conflicting cells, as exact as they can be.
    pub(crate) fn differences(&self, id: ArrayId) -> Result<DifferenceSet, Error> {
        self.differences_of(&self.known.alone(self.model, id)?)
    }

    /// The same of an array, or a class of values, whose lifetimes are known.
    pub(crate) fn differences_of(&self, lifetimes: &Lifetimes) -> Result<DifferenceSet, Error> {
        let id = lifetimes.subject().array();
        self.known.own(self.ctx, lifetimes, finest(self.model, id)?, self.extents(id).len())
    }

    /// A proposal for one array, if it is proved and can be written.
    pub(crate) fn proved(
        &self,
        proposal: Proposal,
        differences: &DifferenceSet,
    ) -> Result<Option<Verified<Proposal>>, Error> {
        let array = self.model.scop.array(proposal.array);
        let Ok(storage) = verify(proposal, differences, &self.model.context)? else { return Ok(None) };
        let is_written = keeps_its_rows(array, storage.place()) && self.is_printable(storage.place())?;
        Ok(is_written.then_some(storage))
    }

    /// Whether sizes and offsets can be written in C without helper functions.
    pub(crate) fn is_printable(&self, place: &Placed) -> Result<bool, Error> {
        for row in place.rows() {
            let offset = match &row.form {
                RowForm::Fits { lowest } => lowest,
                _ => &row.shift,
            };
            if self.names.needs_helpers(&row.modulus)? || self.names.needs_helpers(offset)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Values that live in several places, if their accesses can be written, some of them twice.
    pub(crate) fn writable(&self, values: PlacedValues) -> Result<Option<WritableValues>, Error> {
        let text = &self.options.text;
        let Some(source) = text.source.as_ref().filter(|_| text.single.is_none()) else { return Ok(None) };
        WritableValues::of(source, self.model.scop, &self.model.parameters, values)
    }

    /// What the engines propose first: smaller than all others, and quickly known.
    fn smallest(&self, id: ArrayId, differences: &DifferenceSet) -> Result<Smallest, Error> {
        if has_fixed_rows(self.model.scop.array(id)) {
            return Ok(Smallest::default());
        }
        self.asking(id, differences, propose_smallest)
    }

    /// What they propose where the smallest are no good.
    fn others(&self, id: ArrayId, differences: &DifferenceSet, refused: &Smallest) -> Result<Vec<Proposal>, Error> {
        self.asking(id, differences, |method, problem| {
            let mut found = propose_besides(method, problem, refused)?;
            if let (true, Some(declared)) = (has_fixed_rows(self.model.scop.array(id)), problem.declared) {
                let mut whole = Vec::new();
                for (mapping, method) in found {
                    whole.extend(
                        with_whole_rows(&mapping, declared, &self.model.context)?.map(|mapping| (mapping, method)),
                    );
                }
                found = whole;
            }
            Ok(self.of_array(id, found))
        })
    }

    fn of_array(&self, id: ArrayId, found: Vec<(Mapping, Method)>) -> Vec<Proposal> {
        found.into_iter().map(|(mapping, method)| Proposal { array: id, mapping, begins: Vec::new(), method }).collect()
    }

    fn asking<T>(
        &self,
        id: ArrayId,
        differences: &DifferenceSet,
        ask: impl FnOnce(Method, &Problem) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let sizes = borrow(self.sizes);
        let available = self.available(id);
        let problem = Problem {
            declared: self.model.declared_cells(id),
            available: &available,
            variables: &self.variables(),
            growing: &self.growing(id)?,
            extents: &self.model.scop.array(id).extents,
            differences: differences.set(),
            context: &self.model.context,
            sizes: &sizes,
            floor: self.floor(id),
        };
        ask(self.options.method.unwrap_or(Method::Lattice), &problem)
    }

    /// Whether an array's values stay within the scop.
    pub(crate) fn is_temporary(&self, id: ArrayId) -> bool {
        self.model.scop.array(id).is_temporary()
    }

    /// The array of which a class holds values.
    pub(crate) fn owner(&self, id: ArrayId) -> ArrayId {
        self.classes.iter().find(|class| class.id == id).map_or(id, |class| class.array)
    }

    /// The statements that copy a cell and do nothing else.
    pub(crate) fn copies(&self) -> Vec<Copy> {
        if self.options.text.source.is_none() {
            return Vec::new();
        }
        let is_plain = |copy: &Copy| self.model.scop.assignment(copy.statement).is_some_and(Assign::is_copy);
        copies(self.model.scop).into_iter().filter(is_plain).collect()
    }

    /// By dimension, as far as the source says them.
    pub(crate) fn extents(&self, id: ArrayId) -> Vec<Option<Expr>> {
        match self.classes.iter().find(|class| class.id == id) {
            None => self.model.scop.array(id).extents.clone(),
            Some(class) => {
                let versions = std::iter::repeat_n(None, class.version_dimensions);
                versions.chain(self.model.scop.array(class.array).extents.iter().cloned()).collect()
            }
        }
    }

    /// Cells that every storage of an array needs at the sizes: the values alive at once.
    pub(crate) fn floor(&self, id: ArrayId) -> u64 {
        let (counted, live) = self.live;
        let place = counted.iter().position(|other| *other == id);
        place.zip(live).map_or(1, |(k, live)| live.each[k])
    }

    /// Of its values, those alive at a moment at which all arrays together have the most; 0 where they were not counted.
    pub(crate) fn alive_at_peak(&self, id: ArrayId) -> u64 {
        let (counted, live) = self.live;
        let place = counted.iter().position(|other| *other == id);
        place.zip(live).map_or(0, |(k, live)| live.at_peak[k])
    }

    pub(crate) fn variables(&self) -> Vec<String> {
        let parameters = self.model.scop.parameters.iter().zip(&self.model.parameters);
        parameters.filter(|(p, _)| p.origin == ParameterOrigin::Variable).map(|(_, name)| name.clone()).collect()
    }

    /// Sizes of run time that are no more than twice two extents of a plain local array each: where it fits memory, their
    /// squares, and small multiples of these, fit a `long`. So do their multiples by numbers of 32 bits, such as versions of
    /// values.
    pub(crate) fn growing(&self, id: ArrayId) -> Result<Vec<String>, Error> {
        let owner = self.owner(id);
        let is_plain = |d: &Declaration| d.storage == Storage::Local && !d.inside_scop;
        let (Some(declared), true) =
            (self.model.declared_cells(owner), self.model.scop.array(owner).declaration.as_ref().is_some_and(is_plain))
        else {
            return Ok(Vec::new());
        };
        let declared = declared.intersect_params(&self.model.context)?;
        let mut found = Vec::new();
        for name in self.variables() {
            if !self.classes.is_empty() && !self.are_narrow_but(&name) {
                continue;
            }
            let size = PwAff::read(self.ctx, &format!("[{name}] -> {{ [({name})] }}"))?;
            let mut bounding = 0;
            for axis in 0..declared.dimensions()? {
                let extent = declared.dim_max(axis)?.add(&number(self.ctx, 1)?)?;
                bounding += usize::from(self.model.context.is_subset(&extent.scaled(2)?.at_least(&size)?)?);
            }
            if bounding >= 2 {
                found.push(name);
            }
        }
        Ok(found)
    }

    /// Whether the types of all sizes of run time but one have 32 bits.
    fn are_narrow_but(&self, name: &str) -> bool {
        let parameters = self.model.scop.parameters.iter().zip(&self.model.parameters);
        let mut others = parameters.filter(|(p, isl)| p.origin == ParameterOrigin::Variable && *isl != name);
        others.all(|(p, _)| p.most.is_some_and(|most| most <= u32::MAX.into()))
    }

    /// Parameters that new extents may use: all of them if the array has a variable size already and is declared anew in
    /// front of the scop, else those that are constants.
    pub(crate) fn available(&self, id: ArrayId) -> Vec<String> {
        let scop = self.model.scop;
        let array = scop.array(self.owner(id));
        let is_variable = |p: &ParameterId| scop.parameters[p.0].origin == ParameterOrigin::Variable;
        let mut used = BTreeSet::new();
        array.extents.iter().flatten().for_each(|extent| extent.collect_parameters(&mut used));
        let is_static = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::StaticLocal);
        let all = used.iter().any(is_variable) && !is_static;
        let allocation = array.declaration.as_ref().and_then(|d| d.allocation());
        let is_known = |id: &ParameterId| allocation.is_none_or(|allocation| allocation.known.contains(id));
        let parameters = self.model.parameters.iter().enumerate().filter(|(k, _)| is_known(&ParameterId(*k)));
        parameters.filter(|(k, _)| all || !is_variable(&ParameterId(*k))).map(|(_, name)| name.clone()).collect()
    }

    /// Why a temporary must not change although its role would allow it.
    fn unfit(&self, id: ArrayId, lifetimes: &Lifetimes) -> Result<Option<Outcome>, Error> {
        let kept = |reason: &str, help: &str| {
            let (reason, help) = (reason.to_string(), Some(help.to_string()));
            Ok(Some(Outcome::Kept { code: Code::StaysAsItIs, reason, surprising: true, help }))
        };
        let scop = self.model.scop;
        let Some(declaration) = &scop.array(id).declaration else {
            return kept("its declaration is not in this file", "declare it in the function");
        };
        if self.model.context.is_empty()? {
            return match scop.assumed.is_empty() {
                true => kept(
                    "for every size, unsigned arithmetic in a bound or condition wraps around",
                    "use signed types there",
                ),
                false => kept(
                    "no size fulfils what is assumed, or what unsigned bounds need",
                    "assume less, or use signed types in bounds and conditions",
                ),
            };
        }
        if self.model.leaves_bounds.contains(&id) {
            // An access of which that is known is shown itself.
            let is_shown = |exclusion: &Exclusion| match exclusion.cause {
                Cause::Leaves(statement, at) => {
                    exclusion.witness.is_some() && scop.statement(statement).accesses[at].array == id
                }
                Cause::Wraps(_) => false,
            };
            let reason = "its subscripts leave its declared extents".to_string();
            let surprising = !self.model.exclusions.iter().any(is_shown);
            let help = surprising.then(|| "declare it with the extents that they need".to_string());
            return Ok(Some(Outcome::Kept { code: Code::LeavesArray, reason, surprising, help }));
        }
        let shared_fragment =
            declaration.declarator.fragment.is_some_and(|f| scop.fragments[f.0].text.contains([',', ';']));
        if shared_fragment && declaration.storage != Storage::Parameter {
            return kept("a macro declares it together with others", "declare it on its own");
        }
        if declaration.storage == Storage::Global && declaration.says_alignment() {
            let reason = "its declaration says how it is aligned, and a local buffer would not be";
            return kept(reason, "declare it in the function");
        }
        let is_static = !matches!(declaration.storage, Storage::Local | Storage::Parameter | Storage::Allocated(_));
        let effect = scop.statements.iter().find(|s| s.is_effectful());
        if let (true, Some(effect)) = (is_static, effect) {
            let line = effect.line;
            let reason =
                format!("it is static, and line {line} does more than can be seen: a call, or volatile memory");
            return kept(&reason, "declare it in the function, without `static`, or leave that line outside the scop");
        }
        let Some(exposed) = lifetimes.exposed() else { return Ok(None) };
        if let Some(surely) = lifetimes.surely_exposed()? {
            let what = format!("{} is read before it is written", self.first_cell(id, &surely)?);
            return self.for_some_sizes(&what, &surely).map(Some);
        }
        if keeps_values(scop, declaration) {
            return self
                .for_some_sizes("it may be read before it is written, and then holds an older value", exposed)
                .map(Some);
        }
        Ok(None)
    }

    /// Keeps an array because of some reads: for which sizes that is, and what to assume so that it is not.
    fn for_some_sizes(&self, what: &str, reads: &Map) -> Result<Outcome, Error> {
        let context = &self.model.context;
        let affected = reads.range()?.params()?.intersect(context)?;
        let others = context.subtract(&affected)?.coalesce()?;
        if others.is_empty()? {
            return Ok(keep(what, true));
        }
        let condition = |sizes: &Set| self.names.condition(&sizes.coalesce()?.gist_params(context)?);
        let reason = format!("{what} {}", sizes_text(&condition(&affected)?));
        let wanted = condition(&others)?;
        let help = format!("add --assume '{wanted}': a test then guards the result");
        // Nobody writes a program for a few sizes.
        let has_large = !others.intersect(&self.large_sizes()?)?.is_empty()?;
        let help = (!is_long(&wanted) && has_large).then_some(help);
        Ok(Outcome::Kept { code: Code::StaysAsItIs, reason, surprising: true, help })
    }

    /// Sizes at least as large as any that is written in a program by hand.
    fn large_sizes(&self) -> Result<Set, Error> {
        sizes_where(self.model, self.model.parameters.iter().map(|name| format!("{name} >= 1000000")))
    }

    /// Keeps an array that no operation touches.
    fn never_used(&self) -> Result<Outcome, Error> {
        Ok(match self.model.known.is_subset(&self.model.context)? {
            true => keep("no statement of the scop ever runs on it", false),
            false => keep("for the sizes that are not left out, no statement of the scop runs on it", true),
        })
    }

    /// `y[0][1]`, some cell that is read too early.
    fn first_cell(&self, id: ArrayId, exposed: &Map) -> Result<String, Error> {
        let name = &self.model.scop.array(id).name;
        let cells = exposed.range()?;
        let here = cells.at(&borrow(self.sizes))?;
        let cells = if here.is_empty()? { cells } else { here };
        let cell = cells.lexmin()?.sample()?.map(|(_, cell)| cell).unwrap_or_default();
        Ok(format!("{name}{}", cell.iter().map(|c| format!("[{c}]")).collect::<String>()))
    }
}

/// The mapping of the last of some arrays that has one of its own, and the cells that suffice.
fn last_mapped(outcomes: &[(ArrayId, Outcome)], is_it: impl Fn(ArrayId) -> bool) -> Option<(u64, &Proposal)> {
    outcomes.iter().rev().find_map(|(id, outcome)| match outcome {
        Outcome::Mapped { storage, least } if is_it(*id) => Some((*least, storage.get())),
        _ => None,
    })
}

/// Whether a cell may hold an older value where the scop begins. Only a local whose lifetime begins anew then holds none.
fn keeps_values(scop: &Scop, declaration: &Declaration) -> bool {
    declaration.storage != Storage::Local || (scop.repeats && !declaration.inside_scop)
}

fn or_kept(outcome: Result<Outcome, Error>) -> Outcome {
    outcome.unwrap_or_else(|error| match error.kind {
        ErrorKind::Quota => keep("its analysis takes more work than --max-ops allows", true),
        _ => keep(&format!("its analysis failed ({error})"), true),
    })
}

fn unproved(refusal: Option<Refusal>) -> Result<String, Error> {
    let witness = match refusal {
        Some(Refusal::Clash(Some(clash))) => clash.witness()?,
        _ => None,
    };
    Ok(match witness {
        Some(witness) => format!("no mapping could be proved: {witness}"),
        None => "no mapping could be proved for all sizes".to_string(),
    })
}
