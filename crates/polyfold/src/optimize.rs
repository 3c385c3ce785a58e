//! One scop, from the program to a proved decision for each array.
//!
//! For each temporary array every engine proposes, the prover judges, and the smallest proved mapping wins; if none
//! is smaller than the array itself, the array stays as it is and the outcome says why.

use polyfold_alloc::{Method, Problem, Proposal, propose};
use polyfold_codegen::CNames;
use polyfold_flow::{DeadCode, Model, dead_code, union};
use polyfold_isl::{Context, Error, ErrorKind, Map, PwAff, Set};
use polyfold_live::{CountError, DifferenceSet, Lifetimes, LiveCount, Precision, conflicts, max_live};
use polyfold_prove::{Refusal, RowForm, Verified, verify};
use polyfold_scop::{ArrayId, ParameterId, ParameterOrigin, Scop, StatementKind, Storage};
use std::collections::BTreeSet;

/// What the user can choose.
#[derive(Clone, Debug)]
pub struct Options {
    /// The engine to use; `None`: all of them.
    pub method: Option<Method>,
    /// Sizes at which cells are counted and mappings compared.
    pub sizes: Vec<(String, i64)>,
    /// Bound on analysis work per array, in elementary steps.
    pub max_operations: u64,
}

/// The sizes that counts are given for where nobody says one: the largest at which counting is quick.
const EXAMPLE_SIZES: [i64; 4] = [10, 20, 40, 100];

/// Counting at example sizes takes at most this many steps.
const QUICK_COUNT: u64 = 20_000_000;

/// Saving less than this share of an array's cells is not worth a change of the program.
const LEAST_SAVED_PERCENT: u64 = 3;

/// What was decided for one array.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// New storage.
    Mapped {
        /// The proved mapping.
        storage: Box<Verified<Proposal>>,
        /// For each row the dimension of the array whose declared extent is the row's modulus, if there is one.
        own_extents: Vec<Option<usize>>,
    },
    /// Nobody reads it.
    Removed,
    /// As it was: one sentence why, and whether the user would have expected otherwise.
    Kept {
        /// In the user's words.
        reason: String,
        /// Worth a warning.
        surprising: bool,
    },
}

/// Everything that was found for one scop.
pub struct Optimized {
    /// What can be removed.
    pub dead: DeadCode,
    /// For each array that is not a scalar, in the scop's order.
    pub outcomes: Vec<(ArrayId, Outcome)>,
    /// Parameter values that C allows.
    pub known: Set,
    /// Parameter values for which everything was proved.
    pub proved: Set,
    /// Names of the parameters in isl notation.
    pub parameters: Vec<String>,
    /// Dates in isl notation.
    pub schedule: String,
    /// Whether the user's assumptions were needed.
    pub uses_assumptions: bool,
    /// The sizes counted at.
    pub sizes: Sizes,
    /// Values alive at once over the temporary arrays, and the arrays counted.
    pub live: (Vec<ArrayId>, Counted),
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
    let general = Scop { assumed: Vec::new(), ..scop.clone() };
    let mut best = attempt(ctx, &general, options, None, progress)?;
    if !scop.assumed.is_empty() {
        let with_assumptions = attempt(ctx, scop, options, None, progress)?;
        if with_assumptions.rank()? < best.rank()? {
            best = with_assumptions;
        }
    }
    if let Some(facts) = facts_about_constants(&best, scop)? {
        let scop = if best.uses_assumptions { scop } else { &general };
        let with_constants = attempt(ctx, scop, options, Some(&facts), progress)?;
        if with_constants.rank()? < best.rank()? {
            best = with_constants;
        }
    }
    Ok(best)
}

/// Solves the scop for the parameters that it assumes, and `facts` if there are any.
fn attempt(
    ctx: &Context,
    scop: &Scop,
    options: &Options,
    facts: Option<&Set>,
    progress: &mut dyn FnMut(&str),
) -> Result<Optimized, Error> {
    let mut dead = dead_code(scop);
    let useful = dead.remove_from(scop);
    let mut model = ctx.with_quota(options.max_operations, || Model::build(ctx, &useful))?;
    if let Some(facts) = facts {
        model = model.within(facts)?;
    }
    let counted = temporaries(&useful, &dead);
    let (sizes, live) = sizes_and_count(&model, &counted, options)?;
    let in_c: Vec<String> = scop.parameters.iter().map(|p| p.name.clone()).collect();
    let names = CNames::new(&model.context, &model.parameters, &in_c)?;
    let search = Search { ctx, model: &model, options, sizes: &sizes.values, names: &names };
    let mut outcomes = Vec::new();
    for id in in_text_order(scop) {
        progress(&scop.array(id).name);
        let outcome = if dead.arrays.contains(&id) { Outcome::Removed } else { search.decide(id) };
        outcomes.push((id, outcome));
    }
    if !can_enclose(&model)? {
        give_up_on_guards(&mut outcomes, &mut dead, scop);
    }
    Ok(Optimized {
        dead,
        outcomes,
        known: model.known.clone(),
        proved: model.context.clone(),
        parameters: model.parameters.clone(),
        schedule: model.schedule_text(),
        uses_assumptions: !scop.assumed.is_empty(),
        sizes,
        live: (counted, live),
    })
}

/// Whether the scop may be put into the branch of a run-time test, or needs none.
fn can_enclose(model: &Model) -> Result<bool, Error> {
    let at_run_time = model.scop.parameters.iter().any(|p| p.origin == ParameterOrigin::Variable);
    Ok(model.scop.outlived.is_empty() || !at_run_time || model.known.is_subset(&model.context)?)
}

/// Keeps everything as it is, since a test around the scop would end the life of a variable that is used after it.
fn give_up_on_guards(outcomes: &mut [(ArrayId, Outcome)], dead: &mut DeadCode, scop: &Scop) {
    *dead = DeadCode::default();
    let reason = format!(
        "a result that holds for some sizes only needs a test around the scop, and `{}` is declared in it and used after it",
        scop.outlived.join("`, `")
    );
    for (id, outcome) in outcomes {
        if !matches!(outcome, Outcome::Kept { .. }) {
            *outcome = keep(&reason, scop.array(*id).is_temporary());
        }
    }
}

impl Optimized {
    /// Smaller is better: arrays that disappoint, cells, then how many cases sizes distinguish.
    fn rank(&self) -> Result<(usize, u64, usize), Error> {
        let (mut disappointing, mut cells, mut cases) = (0, 0u64, 0);
        for (_, outcome) in &self.outcomes {
            match outcome {
                Outcome::Kept { surprising, .. } => disappointing += usize::from(*surprising),
                Outcome::Removed => {}
                Outcome::Mapped { storage, .. } => {
                    let mapping = &storage.get().mapping;
                    cells = cells.saturating_add(mapping.cells(&borrow(&self.sizes.values))?.unwrap_or(u64::MAX));
                    for modulus in &mapping.moduli {
                        cases += modulus.pieces()?.len();
                    }
                }
            }
        }
        let mapped = self.outcomes.iter().filter(|(_, o)| matches!(o, Outcome::Mapped { .. })).count();
        Ok((disappointing, if mapped == 0 { u64::MAX } else { cells }, cases))
    }
}

/// Facts about macros that would make the result better or simpler: their values, if an array disappoints; else the case
/// that they are in, where sizes distinguish cases by macros alone.
fn facts_about_constants(result: &Optimized, scop: &Scop) -> Result<Option<Set>, Error> {
    let constants: Vec<(&str, i64)> = (scop.parameters.iter().zip(&result.parameters))
        .filter_map(|(p, name)| match p.origin {
            ParameterOrigin::Constant(value) => Some((name.as_str(), value)),
            ParameterOrigin::Variable => None,
        })
        .collect();
    if constants.is_empty() {
        return Ok(None);
    }
    let disappoints =
        |id: ArrayId, o: &Outcome| matches!(o, Outcome::Kept { surprising: true, .. }) && scop.array(id).is_temporary();
    if result.outcomes.iter().any(|(id, outcome)| disappoints(*id, outcome)) {
        return Ok(Some(result.proved.at(&constants)?.coalesce()?));
    }
    let mut facts: Option<Set> = None;
    for (_, outcome) in &result.outcomes {
        let Outcome::Mapped { storage, .. } = outcome else { continue };
        for modulus in &storage.get().mapping.moduli {
            let by_constants = modulus.parameters()?.iter().all(|p| constants.iter().any(|(name, _)| name == p));
            let pieces = modulus.pieces()?;
            if !by_constants || pieces.len() < 2 {
                continue;
            }
            for (case, _) in pieces {
                if !case.at(&constants)?.is_empty()? {
                    facts = Some(facts.map_or(Ok(case.clone()), |f| f.intersect(&case))?);
                }
            }
        }
    }
    Ok(facts)
}

/// Arrays in the order of their declarations, scalars left out.
fn in_text_order(scop: &Scop) -> Vec<ArrayId> {
    let mut ids: Vec<ArrayId> = (0..scop.arrays.len()).map(ArrayId).filter(|id| !scop.array(*id).is_scalar()).collect();
    ids.sort_by_key(|id| {
        let declaration = scop.array(*id).declaration.as_ref();
        declaration.map_or((usize::MAX, 0), |d| (d.statement.start, d.declarator.span.start))
    });
    ids
}

fn temporaries(scop: &Scop, dead: &DeadCode) -> Vec<ArrayId> {
    let is_counted = |id: &ArrayId| {
        let array = scop.array(*id);
        array.is_temporary() && !array.is_scalar() && !dead.arrays.contains(id)
    };
    (0..scop.arrays.len()).map(ArrayId).filter(is_counted).collect()
}

/// A count, or why there is none.
pub type Counted = Result<LiveCount, CountError>;

/// The sizes that the report speaks of.
#[derive(Clone, Debug)]
pub struct Sizes {
    /// Names in isl notation and values, in the order of the scop's parameters.
    pub values: Vec<(String, i64)>,
    /// Parameters (in C) whose value is only an example: neither the source nor the user gives one.
    pub examples: Vec<String>,
}

/// Sizes to report at, and the count there: examples grow while counting is quick.
fn sizes_and_count(model: &Model, arrays: &[ArrayId], options: &Options) -> Result<(Sizes, Counted), Error> {
    let count = |sizes: &Sizes, bound: u64| {
        let values: Vec<i64> = sizes.values.iter().map(|(_, v)| *v).collect();
        max_live(model.scop, arrays, &values, bound)
    };
    let smallest = choose_sizes(model, options, EXAMPLE_SIZES[0])?;
    let bound = if smallest.examples.is_empty() { options.max_operations } else { QUICK_COUNT };
    let mut best = (smallest.clone(), count(&smallest, bound));
    let depth = (model.date_dimensions / 2) as u32;
    for pair in EXAMPLE_SIZES.windows(2) {
        let Ok(done) = &best.1 else { break };
        let growth = (pair[1] as u64).pow(depth) / (pair[0] as u64).pow(depth).max(1);
        if smallest.examples.is_empty() || done.steps.saturating_mul(growth) > QUICK_COUNT {
            break;
        }
        let sizes = choose_sizes(model, options, pair[1])?;
        if sizes.values == best.0.values {
            break;
        }
        let counted = count(&sizes, QUICK_COUNT);
        if counted.is_err() {
            break;
        }
        best = (sizes, counted);
    }
    Ok(best)
}

/// The user's sizes, else the source's, else an example that the context allows.
pub(crate) fn choose_sizes(model: &Model, options: &Options, example: i64) -> Result<Sizes, Error> {
    let mut sizes = Sizes { values: Vec::new(), examples: Vec::new() };
    for (parameter, name) in model.scop.parameters.iter().zip(&model.parameters) {
        let given = options.sizes.iter().find(|(n, _)| *n == parameter.name).map(|(_, v)| *v);
        let value = match (given, &parameter.origin) {
            (Some(value), _) => value,
            (None, ParameterOrigin::Constant(value)) => *value,
            (None, ParameterOrigin::Variable) => {
                sizes.examples.push(parameter.name.clone());
                example
            }
        };
        sizes.values.push((name.clone(), value));
    }
    if !sizes.examples.is_empty() && model.context.at(&borrow(&sizes.values))?.is_empty()? {
        move_into_context(model, &mut sizes)?;
    }
    Ok(sizes)
}

/// Replaces the examples by values that the context allows, if there are any: each as large as the example if it may
/// be.
fn move_into_context(model: &Model, sizes: &mut Sizes) -> Result<(), Error> {
    let is_example = |k: &usize| sizes.examples.contains(&model.scop.parameters[*k].name);
    let (free, fixed): (Vec<usize>, Vec<usize>) = (0..sizes.values.len()).partition(is_example);
    let mut allowed = model.context.at(&borrow(&fixed.iter().map(|k| sizes.values[*k].clone()).collect::<Vec<_>>()))?;
    for k in free {
        let (name, example) = sizes.values[k].clone();
        for value in halves(example) {
            let narrowed = allowed.at(&[(name.as_str(), value)])?;
            if !narrowed.is_empty()? {
                sizes.values[k].1 = value;
                allowed = narrowed;
                break;
            }
        }
    }
    let Some((values, _)) = allowed.sample()? else { return Ok(()) };
    for (name, value) in allowed.parameter_names()?.iter().zip(values) {
        if let Some(k) = sizes.values.iter().position(|(n, _)| n == name)
            && sizes.examples.contains(&model.scop.parameters[k].name)
        {
            sizes.values[k].1 = value;
        }
    }
    Ok(())
}

/// `100, 50, 25, …, 1, 0`.
fn halves(from: i64) -> impl Iterator<Item = i64> {
    std::iter::successors(Some(from), |value| (*value > 0).then_some(value / 2))
}

/// The same sizes with borrowed names.
pub fn borrow(sizes: &[(String, i64)]) -> Vec<(&str, i64)> {
    sizes.iter().map(|(name, value)| (name.as_str(), *value)).collect()
}

struct Search<'a> {
    ctx: &'a Context,
    model: &'a Model<'a>,
    options: &'a Options,
    sizes: &'a [(String, i64)],
    names: &'a CNames,
}

/// A proved mapping and its number of cells.
type Candidate = (u64, Verified<Proposal>);

impl Search<'_> {
    fn decide(&self, id: ArrayId) -> Outcome {
        match self.ctx.with_quota(self.options.max_operations, || self.search(id)) {
            Ok(outcome) => outcome,
            Err(error) if error.kind == ErrorKind::Quota => {
                keep("its analysis takes more work than --max-ops allows", true)
            }
            Err(error) => keep(&format!("its analysis failed ({error})"), true),
        }
    }

    fn search(&self, id: ArrayId) -> Result<Outcome, Error> {
        let array = self.model.scop.array(id);
        if let polyfold_scop::Role::Kept(kept) = &array.role {
            return Ok(keep(&kept.reason, kept.surprising));
        }
        let lifetimes = Lifetimes::of(self.model, id)?;
        if let Some(reason) = self.unfit(id, &lifetimes)? {
            return Ok(keep(&reason, true));
        }
        let accesses = self.model.accesses(id);
        let Some(cells) = accesses.cells()? else {
            return Ok(keep("no statement of the scop ever runs on it", false));
        };
        let mut best: Option<Candidate> = None;
        let mut refusal = None;
        for precision in self.precisions(id)? {
            let found = conflicts(&lifetimes, precision)
                .and_then(|conflicts| DifferenceSet::of(self.ctx, conflicts, array.extents.len()));
            let differences = match found {
                Err(error) if error.kind == ErrorKind::Quota && best.is_some() => break,
                found => found?,
            };
            for proposal in self.proposals(id, &differences)? {
                let size = proposal.mapping.cells(&borrow(self.sizes))?.unwrap_or(u64::MAX);
                if best.as_ref().is_some_and(|(least, _)| *least <= size) {
                    continue;
                }
                match verify(proposal, &differences, &cells, &self.model.context)? {
                    Ok(verified) if self.is_printable(&verified)? => best = Some((size, verified)),
                    Ok(_) => {}
                    Err(why) => refusal = Some(why),
                }
            }
        }
        let declared = declared_cells(self.model.scop, id, self.sizes);
        Ok(match best {
            None => keep(&unproved(refusal), true),
            Some((size, storage)) => match self.why_not(id, size, declared, &storage) {
                Some(reason) => keep(&reason, false),
                None => Outcome::Mapped { own_extents: self.own_extents(id, &storage)?, storage: Box::new(storage) },
            },
        })
    }

    /// Why a proved mapping is not worth it.
    fn why_not(&self, id: ArrayId, size: u64, declared: Option<u64>, storage: &Verified<Proposal>) -> Option<String> {
        let declared = declared?;
        let computes = storage.rows().iter().any(|row| !matches!(row.form, RowForm::Fits { .. }));
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
        } else {
            "no smaller storage was found with one modulus per axis".to_string()
        })
    }

    /// Whether sizes and offsets can be written in C without helper functions.
    fn is_printable(&self, storage: &Verified<Proposal>) -> Result<bool, Error> {
        for row in storage.rows() {
            let offset = match &row.form {
                RowForm::Fits { lowest } => self.names.value(lowest)?,
                _ => String::new(),
            };
            let text = self.names.value(&row.modulus)? + &offset;
            if ["floord(", "min(", "max("].iter().any(|helper| text.contains(helper)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// For each row the dimension whose declared extent is its modulus.
    fn own_extents(&self, id: ArrayId, storage: &Verified<Proposal>) -> Result<Vec<Option<usize>>, Error> {
        let Some(declared) = self.model.declared_cells(id) else { return Ok(vec![None; storage.rows().len()]) };
        let declared = declared.intersect_params(&self.model.context)?;
        let one = PwAff::read(self.ctx, "{ [(1)] }")?;
        let mut extents = Vec::new();
        for dimension in 0..self.model.scop.array(id).extents.len() {
            extents.push(declared.dim_max(dimension)?.add(&one)?);
        }
        let mut own = Vec::new();
        for row in storage.rows() {
            let mut found = None;
            let reads = |k: &usize| row.coefficients[*k] != 0;
            for dimension in (0..extents.len()).filter(reads) {
                if self.model.context.is_subset(&extents[dimension].equals(&row.modulus)?)? {
                    found = found.or(Some(dimension));
                }
            }
            own.push(found);
        }
        Ok(own)
    }

    /// One interval per cell first; per value too where cells are written more than once.
    fn precisions(&self, id: ArrayId) -> Result<Vec<Precision>, Error> {
        let writes = union(self.model.accesses(id).writes())?;
        let once = match writes {
            None => true,
            Some(writes) => self.model.unordered.is_some() || writes.is_injective()?,
        };
        Ok(if once { vec![Precision::Cell] } else { vec![Precision::Cell, Precision::Value] })
    }

    fn proposals(&self, id: ArrayId, differences: &DifferenceSet) -> Result<Vec<Proposal>, Error> {
        let sizes = borrow(self.sizes);
        let available = self.available(id);
        let problem = Problem {
            declared: self.model.declared_cells(id),
            available: &available,
            variables: &self.variables(),
            id,
            array: self.model.scop.array(id),
            differences: differences.set(),
            context: &self.model.context,
            sizes: &sizes,
        };
        propose(self.options.method.unwrap_or(Method::Lattice), &problem)
    }

    fn variables(&self) -> Vec<String> {
        let parameters = self.model.scop.parameters.iter().zip(&self.model.parameters);
        parameters.filter(|(p, _)| p.origin == ParameterOrigin::Variable).map(|(_, name)| name.clone()).collect()
    }

    /// Parameters that new extents may use: all of them if the array has a variable size already and is declared anew in
    /// front of the scop, else those that are constants.
    fn available(&self, id: ArrayId) -> Vec<String> {
        let scop = self.model.scop;
        let array = scop.array(id);
        let is_variable = |p: &ParameterId| scop.parameters[p.0].origin == ParameterOrigin::Variable;
        let mut used = BTreeSet::new();
        array.extents.iter().flatten().for_each(|extent| extent.collect_parameters(&mut used));
        let is_static = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::StaticLocal);
        let all = used.iter().any(is_variable) && !is_static;
        let parameters = self.model.parameters.iter().enumerate();
        parameters.filter(|(k, _)| all || !is_variable(&ParameterId(*k))).map(|(_, name)| name.clone()).collect()
    }

    /// Why a temporary must not change although its role would allow it.
    fn unfit(&self, id: ArrayId, lifetimes: &Lifetimes) -> Result<Option<String>, Error> {
        let scop = self.model.scop;
        let Some(declaration) = &scop.array(id).declaration else {
            return Ok(Some("its declaration is not in this file".to_string()));
        };
        if self.model.context.is_empty()? {
            return Ok(Some("no size fulfils what is assumed, or what unsigned bounds need".to_string()));
        }
        if self.model.leaves_bounds.contains(&id) {
            return Ok(Some("its subscripts leave its declared extents".to_string()));
        }
        let shared_fragment =
            declaration.declarator.fragment.is_some_and(|f| scop.fragments[f.0].text.contains([',', ';']));
        if shared_fragment && declaration.storage != Storage::Parameter {
            return Ok(Some("a macro declares it together with others".to_string()));
        }
        let is_static = declaration.storage != Storage::Local && declaration.storage != Storage::Parameter;
        let calls = scop.statements.iter().any(|s| s.kind == StatementKind::Effectful);
        if is_static && calls {
            return Ok(Some("it is static, and a function that the scop calls may come back here".to_string()));
        }
        if lifetimes.exposed().is_none() {
            return Ok(None);
        }
        if let Some(exposed) = lifetimes.surely_exposed()? {
            return Ok(Some(format!("{} is read before it is written", self.first_cell(id, &exposed)?)));
        }
        let keeps_values = is_static || (scop.repeats && !declaration.inside_scop);
        let older = "it may be read before it is written, and then holds an older value";
        Ok(if keeps_values { Some(older.to_string()) } else { None })
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

/// Product of the declared extents at given sizes; `None` where an extent is unknown or not positive.
pub fn declared_cells(scop: &Scop, id: ArrayId, sizes: &[(String, i64)]) -> Option<u64> {
    let values: Vec<i64> = sizes.iter().map(|(_, v)| *v).collect();
    let extents = scop.array(id).extents.iter();
    extents
        .map(|e| u64::try_from(e.as_ref()?.value(&values)?).ok())
        .try_fold(1u64, |product, e| product.checked_mul(e?))
}

fn keep(reason: &str, surprising: bool) -> Outcome {
    Outcome::Kept { reason: reason.to_string(), surprising }
}

fn unproved(refusal: Option<Refusal>) -> String {
    match refusal {
        Some(Refusal::Clash(Some(witness))) => format!("no mapping could be proved: {witness}"),
        _ => "no mapping could be proved for all sizes".to_string(),
    }
}
