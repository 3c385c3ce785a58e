//! What becomes of each array that a region touches.
//!
//! An array is copied if every reference to it is affine, names cells by subscripts that stay in their rows (different subscripts are then
//! different memory), and touches a bounded number of cells at every instance. All others stay where they are, with the reason.
//!
//! Sizes for which something that surely happens leaves a row have no meaning in C, and are left out. Where data decides, cells are
//! copied that the program might not touch: these have to be inside the declared extents.
//!
//! *Split by parameters*: where two references share cells for some instances only, the region gets two versions with a condition in front, if that
//! needs fewer cells, or as many with fewer copies. Example: `A[j]` and `A[i + j]` for `j < n` are one array of at most 2n − 1 cells for
//! `i < n`, and two of n cells each for `i >= n`.

use crate::copies::{Copies, copies};
use crate::partition::{Finder, How, Piece};
use crate::reference::{Reference, references};
use crate::sample::{Size, Tiles, Values, at, points, sizes};
use crate::shape::{Known, Shape};
use polyfold_flow::Model;
use polyfold_isl::{Map, Result, Set};
use polyfold_scop::{ArrayId, Certainty, Condition, Expr, Parameter, ParameterId, ParameterOrigin, StatementId};

/// What is asked for.
#[derive(Clone, Debug, Default)]
pub struct Request {
    /// The arrays that may be copied; `None`: all.
    pub arrays: Option<Vec<String>>,
    /// The arrays whose values are needed behind the region; `None`: all that are not declared in it.
    pub live_out: Option<Vec<String>>,
    /// Sizes at which cells are counted.
    pub sizes: Values,
    /// Arrays that may be the same memory as others, as far as the source says.
    pub overlap: Overlap,
}

/// Arrays of a region that may be the same memory: what is copied while another one is used in place has old values.
#[derive(Clone, Debug, Default)]
pub struct Overlap {
    /// Pointers that may lead to others.
    pub pointers: Vec<ArrayId>,
    /// What they may lead to, but for each other.
    pub others: Vec<ArrayId>,
}

/// What becomes of the arrays, for some parameter values.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The values.
    pub context: Set,
    /// Local arrays.
    pub locals: Vec<Local>,
    /// Arrays that stay where they are.
    pub kept: Vec<Kept>,
    /// The sizes at which cells were counted.
    pub sizes: Vec<Size>,
}

/// A local array.
#[derive(Clone, Debug)]
pub struct Local {
    /// Of which cells it holds some.
    pub array: ArrayId,
    /// The cells.
    pub cells: Set,
    /// Where they lie.
    pub shape: Shape,
    /// Why these are together.
    pub how: How,
    /// Which of the cells are copied.
    pub copies: Copies,
    /// The accesses that find cells here.
    pub served: Vec<Served>,
    /// How many cells it has, by size.
    pub counted: Vec<i64>,
    /// Whether at some size no instance touches nearly as many.
    pub has_gaps: bool,
}

/// An access that finds some of its cells in a local array.
#[derive(Clone, Debug)]
pub struct Served {
    /// Whose.
    pub statement: StatementId,
    /// Which of the statement's accesses.
    pub access: usize,
    /// All of its cells, `{ S[i] -> [x] }`.
    pub cells: Map,
}

/// An array that stays where it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kept {
    /// Which.
    pub array: ArrayId,
    /// Why.
    pub why: Why,
    /// The reference that is the reason, if one is.
    pub at: Option<(StatementId, usize)>,
}

/// Why an array stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// A subscript is not affine.
    NotAffine,
    /// A reference has no subscript that could be another one: `p->m`.
    NoSubscript,
    /// A function gets an address of it.
    Address,
    /// The region calls a function that may read or write it.
    Call,
    /// It is a pointer, and another array of the region may be the same memory.
    Overlaps,
    /// A pointer of the region may lead to it.
    Reached,
    /// Subscripts may leave their row.
    LeavesRow,
    /// Cells are touched only where data says so, and the declaration does not say that they are there.
    PerhapsOutside,
    /// The number of cells has no bound.
    Unbounded,
    /// Instances run at the same time, and cells are written only where data says so.
    Parallel,
}

/// The plans for a region, one for each of several conditions on parameters.
///
/// # Errors
/// When the work bound is reached.
pub fn plan(model: &Model, request: &Request) -> Result<Vec<Plan>> {
    let left = leaving(model)?;
    if !left.is_empty() {
        let context = model.context.clone();
        return Ok(vec![Plan { context, locals: Vec::new(), kept: left, sizes: Vec::new() }]);
    }
    let context = meaningful(model, &model.context)?;
    let whole = plan_within(model, &context, request, None)?;
    let mut best = (rank(std::slice::from_ref(&whole), &whole.sizes)?, vec![whole]);
    let base = best.1[0].sizes.clone();
    for split in splits(model, &context, &best.1[0])? {
        let parts = [context.intersect(&split)?.coalesce()?, context.subtract(&split)?.coalesce()?];
        let tried = context.context().with_quota(MOST_STEPS, || {
            let plans = parts.iter().map(|part| plan_within(model, part, request, Some(&base)));
            let plans = plans.collect::<Result<Vec<_>>>()?;
            Ok((rank(&plans, &base)?, plans))
        });
        let (rank, plans) = match tried {
            Err(error) if error.is_bound() => continue,
            other => other?,
        };
        if rank < best.0 {
            best = (rank, plans);
        }
    }
    Ok(best.1)
}

/// Fewest cells, then fewest copies, then fewest arrays, then fewest versions.
type Rank = (i64, i64, usize, usize);

fn rank(plans: &[Plan], sizes: &[Size]) -> Result<Rank> {
    let (mut cells, mut copied) = (0, 0);
    for size in sizes {
        let of = |plan: &Plan| {
            // Of a version that never runs at this size extents mean nothing.
            if at(&plan.context, &size.constants)?.is_empty()? {
                return Ok(0);
            }
            plan.locals.iter().map(|local| local.shape.cells_at(&size.constants)).sum::<Result<i64>>()
        };
        cells += plans.iter().map(of).collect::<Result<Vec<i64>>>()?.into_iter().max().unwrap_or(0);
        for (instance, local) in
            size.instances.iter().flat_map(|i| plans.iter().flat_map(move |p| p.locals.iter().map(move |l| (i, l))))
        {
            copied += points(&local.copies.into, instance)?.len() as i64;
        }
    }
    let kept: usize = plans.iter().map(|plan| plan.kept.len()).sum();
    Ok((cells, copied, plans.iter().map(|plan| plan.locals.len()).sum::<usize>() + kept, plans.len()))
}

/// Parameter values for which some two references of an array share cells, where those are neither none nor all.
fn splits(model: &Model, context: &Set, plan: &Plan) -> Result<Vec<Set>> {
    let mut found: Vec<Set> = Vec::new();
    for array in arrays_of(plan).into_iter().filter(|array| is_worth_splitting(plan, *array)) {
        let references = references(model, array, context)?;
        for (k, a) in references.iter().enumerate() {
            for b in &references[..k] {
                let shared = a.footprint.intersect(&b.footprint)?.params()?.coalesce()?;
                let both = a.footprint.params()?.intersect(&b.footprint.params()?)?;
                let is_split =
                    !shared.is_empty()? && !both.is_subset(&shared)? && !is_thin(&shared.gist_params(&both)?)?;
                let mut is_known = false;
                for other in &found {
                    is_known |= other.is_equal(&shared)?;
                }
                if is_split && !is_known && found.len() < MOST_SPLITS {
                    found.push(shared);
                }
            }
        }
    }
    Ok(found)
}

/// Whether an equation tells some parameter values from the others: so few instances are not worth a version.
fn is_thin(values: &Set) -> Result<bool> {
    let is_equation = |locals: usize, row: &Vec<i64>| row[1..=locals].iter().all(|c| *c == 0);
    let hull = values.affine_hull()?.polyhedra()?;
    Ok(hull.iter().any(|piece| piece.equalities.iter().any(|row| is_equation(piece.locals, row))))
}

/// No more elementary steps are spent on two versions instead of one.
const MOST_STEPS: u64 = 100_000;

/// No more splits are tried.
const MOST_SPLITS: usize = 3;

fn arrays_of(plan: &Plan) -> Vec<ArrayId> {
    let mut arrays: Vec<ArrayId> = plan.locals.iter().map(|local| local.array).collect();
    arrays.dedup();
    arrays
}

/// Whether cells of an array have copies in several places, or a box of several references.
fn is_worth_splitting(plan: &Plan, array: ArrayId) -> bool {
    plan.locals.iter().filter(|local| local.array == array).any(|local| local.how != How::Together || local.has_gaps)
}

/// The parameter values in a set for which the region has a meaning in C: nothing that surely happens leaves a row.
///
/// # Errors
/// When the work bound is reached.
pub fn meaningful(model: &Model, context: &Set) -> Result<Set> {
    let mut context = context.clone();
    if model.scop.statements.iter().any(|s| s.is_effectful()) {
        return Ok(context);
    }
    for (k, own) in model.statements.iter().enumerate() {
        for (at, access) in model.scop.statements[k].accesses.iter().enumerate() {
            let Some(rows) = model.cells_in_rows(access.array)? else { continue };
            if is_sure(model, StatementId(k), at) && access.subscripts.is_some() {
                let leaves = own.cells[at].intersect_params(&context)?.range()?.subtract(&rows)?.params()?;
                context = context.subtract(&leaves)?.coalesce()?;
            }
        }
    }
    Ok(context)
}

/// Arrays of which some access leaves its row whenever it happens.
fn leaving(model: &Model) -> Result<Vec<Kept>> {
    let mut kept: Vec<Kept> = Vec::new();
    for (k, own) in model.statements.iter().enumerate() {
        for (at, access) in model.scop.statements[k].accesses.iter().enumerate() {
            let Some(rows) = model.cells_in_rows(access.array)? else { continue };
            if access.subscripts.is_none() || kept.iter().any(|kept| kept.array == access.array) {
                continue;
            }
            let cells = own.cells[at].intersect_params(&model.context)?.range()?;
            let leaves = cells.subtract(&rows)?;
            if !cells.is_empty()? && cells.params()?.is_subset(&leaves.params()?)? {
                kept.push(Kept { array: access.array, why: Why::LeavesRow, at: Some((StatementId(k), at)) });
            }
        }
    }
    Ok(kept)
}

/// Whether an access happens wherever the loops and guards around it lead to it.
fn is_sure(model: &Model, statement: StatementId, at: usize) -> bool {
    let access = &model.scop.statement(statement).accesses[at];
    model.statements[statement.0].certain && access.certainty == Certainty::Must && !access.condition.depends_on_data()
}

fn plan_within(model: &Model, context: &Set, request: &Request, base: Option<&Vec<Size>>) -> Result<Plan> {
    let scop = model.scop;
    let around = scop.surroundings.as_deref().cloned().unwrap_or_default();
    let changing: Vec<String> = around.changing.iter().map(|id| model.parameters[id.0].clone()).collect();
    let running = running(model, context)?;
    let sizes = match base {
        Some(base) => base.clone(),
        None => sizes(&running, &model.parameters, &changing, &request.sizes, &tiles(model), &small_macros(model))?,
    };
    let model = model.clone().within(context)?;
    let known = Known { changing: &changing, sizes: &sizes };
    let finder = Finder { known };
    let mut plan = Plan { context: context.clone(), locals: Vec::new(), kept: Vec::new(), sizes: sizes.clone() };
    for array in (0..scop.arrays.len()).map(ArrayId).filter(|id| is_wanted(&model, *id, request)) {
        let references = references(&model, array, context)?;
        if references.is_empty() {
            continue;
        }
        if let Some(kept) = why_kept(&model, array, request)? {
            plan.kept.push(kept);
            continue;
        }
        let Some(copied) = copies(model.accesses(array), is_live_out(&model, array, request))? else { continue };
        if around.parallel && !copied.unsure.is_empty()? {
            plan.kept.push(Kept { array, why: Why::Parallel, at: None });
            continue;
        }
        let Some(pieces) = finder.pieces(&references)? else {
            plan.kept.push(Kept { array, why: Why::Unbounded, at: None });
            continue;
        };
        for piece in pieces {
            plan.locals.push(local(array, piece, &references, &copied)?);
        }
    }
    Ok(plan)
}

/// Whether values of an array may be read behind the region.
fn is_live_out(model: &Model, id: ArrayId, request: &Request) -> bool {
    let array = model.scop.array(id);
    let is_declared_inside = array.declaration.as_ref().is_some_and(|d| d.inside_scop);
    !is_declared_inside && request.live_out.as_ref().is_none_or(|names| names.contains(&array.name))
}

/// The parameter values in a set for which some statement runs.
///
/// # Errors
/// When the work bound is reached.
pub fn running(model: &Model, context: &Set) -> Result<Set> {
    let mut running: Option<Set> = None;
    for statement in &model.statements {
        let own = statement.domain.params()?.intersect(context)?;
        running = Some(match running {
            None => own,
            Some(others) => others.union(&own)?,
        });
    }
    running.map_or_else(|| Ok(context.clone()), |running| running.coalesce())
}

/// The sizes of tiles: what multiplies counters, and the largest number in a loop's head.
fn tiles(model: &Model) -> Tiles {
    let around = model.scop.surroundings.as_deref();
    let products = || around.iter().flat_map(|around| &around.products);
    let is_changing = |id: &ParameterId| around.is_some_and(|around| around.changing.contains(id));
    let multiplying = products().filter(|product| product.factors.iter().any(is_changing));
    let names = multiplying.flat_map(|product| &product.factors).filter(|id| !is_changing(id));
    let named = |ids: &[ParameterId]| ids.iter().map(|id| model.parameters[id.0].clone()).collect::<Vec<String>>();
    let names: Vec<ParameterId> = names.copied().collect();
    let own = products().map(|product| (model.parameters[product.parameter.0].clone(), named(&product.factors)));
    Tiles { number: largest_number(model), names: named(&names), products: own.collect() }
}

/// The values of macros that may be sizes of tiles, or numbers of weights: cells are counted at them.
fn small_macros(model: &Model) -> Values {
    let sizes = model.scop.parameters.iter().zip(&model.parameters);
    let value = |(size, name): (&Parameter, &String)| match size.origin {
        ParameterOrigin::Constant(value) if value <= MOST_OF_TILE => Some((name.clone(), value)),
        _ => None,
    };
    sizes.filter_map(value).collect()
}

/// Larger numbers are not taken for sizes of tiles.
const MOST_OF_TILE: i64 = 64;

/// The largest number in loops and subscripts that may be the size of a tile.
fn largest_number(model: &Model) -> i64 {
    fn of(e: &Expr) -> i64 {
        match e {
            Expr::Constant(value) => value.abs(),
            Expr::Iterator(_) | Expr::Parameter(_) => 0,
            Expr::Add(a, b) | Expr::Select(_, a, b) => of(a).max(of(b)),
            Expr::Scale(_, e) | Expr::Divide(e, _) | Expr::Remainder(e, _) => of(e),
        }
    }
    fn of_condition(condition: &Condition) -> i64 {
        match condition {
            Condition::Compare(a, _, b) => of(a).max(of(b)),
            Condition::All(parts) | Condition::Any(parts) => parts.iter().map(of_condition).max().unwrap_or(0),
            Condition::Not(inner) => of_condition(inner),
            Condition::Unknown => 0,
        }
    }
    let loops = model.scop.loops();
    let all = loops.iter().map(|l| of(&l.first).max(of_condition(&l.condition)));
    all.filter(|number| *number <= MOST_OF_TILE).max().unwrap_or(0)
}

fn is_wanted(model: &Model, id: ArrayId, request: &Request) -> bool {
    let array = model.scop.array(id);
    !array.is_scalar() && request.arrays.as_ref().is_none_or(|names| names.contains(&array.name))
}

fn why_kept(model: &Model, array: ArrayId, request: &Request) -> Result<Option<Kept>> {
    let kept = |why, at| Ok(Some(Kept { array, why, at }));
    if request.overlap.pointers.contains(&array) {
        return kept(Why::Overlaps, None);
    }
    if request.overlap.others.contains(&array) {
        return kept(Why::Reached, None);
    }
    let mut all_sure = true;
    for (k, statement) in model.scop.statements.iter().enumerate() {
        for (at, access) in statement.accesses.iter().enumerate().filter(|(_, access)| access.array == array) {
            let place = Some((StatementId(k), at));
            if access.is_in_call() {
                return kept(Why::Address, place);
            }
            if access.subscripts.is_none() {
                let is_call = statement.is_effectful();
                return kept(if is_call { Why::Address } else { Why::NotAffine }, place);
            }
            if !access.has_subscript_text() {
                return kept(Why::NoSubscript, place);
            }
            all_sure &= is_sure(model, StatementId(k), at);
            let cells = model.statements[k].cells[at].intersect_params(&model.context)?.range()?;
            let stays = match model.cells_in_rows(array)? {
                Some(rows) => cells.is_subset(&rows)?,
                None => false,
            };
            if !stays {
                return kept(Why::LeavesRow, place);
            }
        }
    }
    let declared = model.scop.array(array).declaration.as_ref();
    let is_own = declared.is_some_and(|d| d.inside_scop);
    if !is_own && model.scop.statements.iter().any(|s| s.is_effectful()) {
        return kept(Why::Call, None);
    }
    let Some(cells) = model.accesses(array).cells()? else { return Ok(None) };
    let is_inside = || match model.declared_cells(array) {
        Some(declared) => cells.is_subset(declared),
        None => Ok(false),
    };
    if !all_sure && !is_inside()? {
        return kept(Why::PerhapsOutside, None);
    }
    Ok(None)
}

fn local(array: ArrayId, piece: Piece, references: &[Reference], copied: &Copies) -> Result<Local> {
    let own = |set: &Set| set.intersect(&piece.cells)?.coalesce();
    let served = piece.members.iter().map(|k| &references[*k]);
    let served = served.map(|r| Served { statement: r.statement, access: r.access, cells: r.cells.clone() }).collect();
    let copies = Copies { into: own(&copied.into)?, unsure: own(&copied.unsure)?, back: own(&copied.back)? };
    Ok(Local {
        array,
        shape: piece.measured.shape,
        how: piece.how,
        copies,
        served,
        has_gaps: piece.has_gaps,
        counted: piece.measured.cells,
        cells: piece.cells,
    })
}
