//! Arrays that grow for a new order.
//!
//! An order that keeps dependences by value may still let a cell be written too early. Its array
//! gets more cells then: one for each turn of outer loops, or for each operation that writes it
//! ([`Expansion::by_iteration`]). In single assignment, which is the last of these, no cell is ever
//! written again. What the order does not need is taken back when arrays are contracted.
//!
//! ```text
//! s = 0;                    s_turns[t] = 0;                   s_S0[t] = 0;
//! for i: s += x[t][i];      for i: s_turns[t] += x[t][i];     for i: s_S1[t][i] = (i == 0 ? s_S0[t] : s_S1[t][i - 1]) + (x[t][i]);
//! ```
//!
//! Paper: the GeCoS note (2014), partial array expansion and memory reallocation.

use crate::judged::{Judgement, judged_order};
use crate::{BufferNames, with_values};
use polyfold_alloc::{Mapping, Method, SharedMember, SharedProposal};
use polyfold_codegen::{
    Dialect, SizesInC, TextLimits, WritableValues, can_declare_before, free_name, stands_in_a_block,
};
use polyfold_flow::{Expansion, Grain, Model, ValueClass, union};
use polyfold_isl::{Error, ErrorKind, PwAff, Set};
use polyfold_lattice::ModularMapping;
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts};
use polyfold_prove::{MemberFacts, Placed, SharedFacts, Versions, verify_names, verify_shared};
use polyfold_scop::{Array, ArrayId, Declaration, Expr, Scop, Statement, Storage};

/// The ways in which an array can grow, the smallest first.
pub(super) fn growths(scop: &Scop, array: ArrayId) -> impl Iterator<Item = Grain> {
    let writes = |statement: &&Statement| statement.accesses.iter().any(|a| a.array == array && a.is_write());
    let depth = scop.statements.iter().filter(writes).map(|statement| statement.loops.len()).min().unwrap_or(0);
    (1..=depth).map(Grain::Turns).chain([Grain::Operations])
}

/// The scop in which an array has grown; `None` where that cannot be proved or written.
///
/// # Errors
/// When the work bound is reached, or the program that has grown doesn't do what it did.
pub(super) fn grown(
    source: &str,
    model: &Model,
    (array, grain): (ArrayId, Grain),
    dialect: Dialect,
) -> Result<Option<Scop>, Error> {
    let scop = model.scop;
    let is_fixed = TextLimits::of(source, scop).fixed.iter().any(|(fixed, _)| *fixed == array);
    let is_plain = is_plain_local(source, scop.array(array), dialect);
    if !is_plain || is_fixed || !can_declare_before(source, scop) {
        return Ok(None);
    }
    let Some(expansion) = Expansion::by_iteration(model, array, grain)? else { return Ok(None) };
    let names = SizesInC::computed(&model.context, &model.parameters, scop)?;
    let mut places = Vec::new();
    for class in &expansion.classes {
        let Some(place) = place(&expansion, class, &names)? else { return Ok(None) };
        places.push(place);
    }
    let Some(placed) = verify_names(&expansion, array, &places)? else { return Ok(None) };
    let Some(values) = WritableValues::of(source, scop, &model.parameters, placed)? else { return Ok(None) };
    let buffers: Vec<(ArrayId, String)> =
        expansion.classes.iter().map(|class| (class.id, name(source, model, (class, grain)))).collect();
    let of_values = |place: &Placed| {
        let own = buffers.iter().find(|(first, _)| *first == place.shared().unwrap_or(place.array()));
        own.map(|(_, name)| name.clone()).unwrap_or_default()
    };
    let buffer_names =
        BufferNames { of_storage: &|_| String::new(), of_values: &of_values, of_locals: &|_| String::new() };
    let Some((program, cells)) = with_values(scop, (&model.parameters, &model.context), &values, &buffer_names)? else {
        return Ok(None);
    };
    // The proof is of the places; that each access got its own is judged.
    if let Some(before) = &scop.program
        && let Judgement::Differ(message) = judged_order(before, &program, (&model.context, &model.parameters))?
    {
        return Err(Error { kind: ErrorKind::Refused, message });
    }
    let owner = scop.array(array);
    let mut arrays = Vec::new();
    for buffer in &program.buffers[scop.arrays.len()..] {
        let Some(place) = places.iter().find(|place| of_values(place) == buffer.name) else { return Ok(None) };
        let texts = place.rows().iter().map(|row| names.value(&row.modulus)).collect::<Result<Vec<String>, Error>>()?;
        let extents = buffer.extents.iter().map(|extent| extent.as_ref().and_then(Expr::of_program)).collect();
        arrays.push(Array { name: buffer.name.clone(), extents, extent_texts: Some(texts), ..owner.clone() });
    }
    Ok(scop.with_cells_in(array, (arrays, program), &cells))
}

/// Whether its declaration may go, and others come instead in front of the scop: it declares
/// nothing but variables, in a statement of its own, and what C++ takes no 0 for stays. A parameter
/// that is declared temporary stays, and is mentioned.
fn is_plain_local(source: &str, array: &Array, dialect: Dialect) -> bool {
    let may_go = |d: &Declaration| {
        let is_simple = !d.specifiers.contains('{') && d.specifiers.split_whitespace().all(|word| word != "register");
        let is_in_a_block = stands_in_a_block(source, d.statement.start);
        let may_move = d.storage == Storage::Local && is_in_a_block;
        !d.says_alignment() && is_simple && (may_move || d.storage == Storage::Parameter)
    };
    let has_zero = dialect == Dialect::C || array.element_bytes.is_some();
    array.is_temporary() && !array.linearised && has_zero && array.declaration.as_ref().is_some_and(may_go)
}

/// A cell for each value of a class, from the first one along each coordinate; of single assignment
/// the iterators are enough.
fn place(expansion: &Expansion, class: &ValueClass, names: &SizesInC) -> Result<Option<Placed>, Error> {
    let model = &expansion.model;
    let ctx = model.context.context();
    let Some(values) = union(&model.accesses(class.id).must_writes)? else { return Ok(None) };
    let values = values.range()?.intersect_params(&model.context)?.unnamed()?;
    let dimensions = values.dimensions()?;
    let axes = if matches!(expansion.versions, Versions::Turns(_)) { dimensions } else { class.version_dimensions };
    let (mut member, mut moduli) = (SharedMember { array: class.id, rows: Vec::new(), shift: Vec::new() }, Vec::new());
    for axis in 0..axes {
        let Range { first, extent } = Range::of(&values, axis, model)?;
        if extent.as_constant()? == Some(1) {
            continue;
        }
        if names.needs_helpers(&first)? || names.needs_helpers(&extent)? {
            return Ok(None);
        }
        member.rows.push((0..dimensions).map(|k| i64::from(k == axis)).collect());
        member.shift.push(first.neg()?);
        moduli.push(extent);
    }
    let levels = moduli.len();
    let rows = (0..levels).map(|k| (0..levels).map(|j| i64::from(j == k)).collect()).collect();
    let mapping = Mapping::Modular(ModularMapping { rows, moduli });
    let proposal = SharedProposal { members: vec![member], mapping, method: Method::SuccessiveModulo };
    let lifetimes = Lifetimes::of(model, class.id)?;
    let own = DifferenceSet::of(ctx, conflicts(&lifetimes, Precision::Value)?, dimensions)?;
    let facts = [MemberFacts { own, earlier: Vec::new() }];
    let proved = verify_shared(proposal, &SharedFacts { members: &facts, context: &model.context })?;
    Ok(proved.ok().map(|proved| proved.place(0).clone()))
}

/// Where values are along a coordinate.
struct Range {
    first: PwAff,
    /// At least 1, also where there are no values.
    extent: PwAff,
}

impl Range {
    fn of(values: &Set, axis: usize, model: &Model) -> Result<Range, Error> {
        let context = &model.context;
        let number = |number: i64| PwAff::read(context.context(), &format!("{{ [({number})] }}"));
        let (first, last) = (values.dim_min(axis)?, values.dim_max(axis)?);
        let nowhere = context.subtract(&first.domain()?)?;
        let zero = number(0)?.intersect_params(&nowhere)?;
        let extent = continued(&last.sub(&first)?.add(&number(1)?)?, context)?;
        let first = continued(&first, context)?;
        let first = if context.is_subset(&first.domain()?)? { first } else { larger(&first, &zero)? };
        let is_positive = context.is_subset(&extent.at_least(&number(1)?)?)?;
        let extent = if is_positive { extent } else { larger(&extent, &number(1)?)? };
        let simple = |function: PwAff| function.gist_params(context)?.coalesce();
        Ok(Range { first: simple(first)?, extent: simple(extent)? })
    }
}

/// A function that is affine wherever it is defined, for all sizes.
fn continued(function: &PwAff, context: &Set) -> Result<PwAff, Error> {
    let function = function.gist_params(context)?.coalesce()?;
    Ok(match &function.pieces()?[..] {
        [(_, affine)] => affine.clone(),
        _ => function,
    })
}

/// The larger of two functions, or the one that is defined.
fn larger(one: &PwAff, other: &PwAff) -> Result<PwAff, Error> {
    one.graph()?.union(&other.graph()?)?.dim_max(0)
}

/// An array is called after the one that it holds values of, and the statement that writes it.
fn name(source: &str, model: &Model, (class, grain): (&ValueClass, Grain)) -> String {
    let scop = model.scop;
    let is_write = |statement: usize, access: usize| scop.statements[statement].accesses[access].is_write();
    let writer = class.accesses.iter().find(|access| is_write(access.statement.0, access.access));
    let which = match (grain, writer) {
        (Grain::Operations, Some(access)) => scop.statement(access.statement).name.as_str(),
        _ => "turns",
    };
    free_name(&format!("{}_{which}", scop.array(class.array).name), scop, source)
}
