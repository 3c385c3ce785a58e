//! The report of one optimized scop.

use crate::reasons::{line_of, reasons};
use polyfold_alloc::Proposal;
use polyfold_codegen::{SizesInC, first_allocated, place_in_host, shared_name, storage_name};
use polyfold_isl::{Error, PwAff};
use polyfold_lattice::Polynomial;
use polyfold_plan::{Optimized, Outcome, SharedBuffer, SlackHint, VectorHint, borrow, declared_cells, value_buffers};
use polyfold_program::Cond;
use polyfold_prove::{LinearRow, Placed, RowForm, Verified};
use polyfold_report::{
    ArrayReport, BufferReport, Decision, Member, Proof, RoomReport, ScopReport, Totals, VectorReport, Verdict,
};
use polyfold_scop::{Array, ArrayId, Declaration, Liveness, Place, Role, Scop, Storage};
use std::collections::BTreeMap;

/// The report of one scop; `seconds` is the time it took.
///
/// # Errors
/// When a size does not fit into 64 bits.
pub fn summarize(
    scop: &Scop,
    source: &str,
    result: &Optimized,
    names: &SizesInC,
    seconds: f64,
) -> Result<ScopReport, Error> {
    let mut arrays = Vec::new();
    let mut buffers = Vec::new();
    for (id, outcome) in &result.outcomes {
        let buffer = match outcome {
            Outcome::Mapped { storage, .. } => Some(buffer(scop, source, *id, storage, result, names)?),
            _ => None,
        };
        let mut array = array(scop, source, *id, outcome, buffer.as_ref(), result);
        if let Outcome::Hosted { place } = outcome {
            array.place = place_in_host(scop, place, names)?;
        }
        arrays.push(array);
        buffers.extend(buffer);
    }
    let apart = buffers.len();
    for (shared, name) in result.buffers.iter().zip(buffer_names(scop, source, result)) {
        buffers.push(shared_buffer(scop, name, shared, result, names)?);
    }
    let (shared_cells, shared_bytes) = (
        sum(buffers[apart..].iter().map(|buffer| buffer.cells)),
        sum(buffers[apart..].iter().map(|buffer| buffer.bytes)),
    );
    let temporaries: Vec<(ArrayId, &ArrayReport)> = (result.outcomes.iter().map(|(id, _)| *id).zip(&arrays))
        .filter(|(id, _)| scop.array(*id).is_temporary())
        .collect();
    let bytes = |cells: fn(&ArrayReport) -> Option<u64>| {
        sum(temporaries.iter().map(|(id, a)| cells(a)?.checked_mul(scop.array(*id).element_bytes?)))
    };
    let totals = Totals {
        at: at(scop, result),
        examples: result.sizes.examples.clone(),
        cells_before: sum(temporaries.iter().map(|(_, a)| a.cells_before)),
        cells_after: sum(temporaries.iter().map(|(_, a)| cells_apart(a)).chain([shared_cells])),
        cells_suffice: Some(result.cells_at(scop, &result.sizes.values)?).filter(|cells| *cells != u64::MAX),
        bytes_before: bytes(|a| a.cells_before),
        bytes_after: sum([bytes(cells_apart), shared_bytes].into_iter()),
        max_live: result.live(scop).as_ref().ok().map(|count| count.total),
        seconds,
    };
    Ok(ScopReport {
        function: scop.function.clone(),
        line: scop.line,
        parameters: scop.parameters.iter().map(|p| p.name.clone()).collect(),
        context: result.known.to_string(),
        schedule: result.schedule.clone(),
        arrays,
        buffers,
        before_storage: None,
        proof: proof(scop, source, result)?,
        strips: result.strip_hints.iter().map(|id| scop.array(*id).name.clone()).collect(),
        room: result.slack_hints.iter().map(|hint| room(scop, hint)).collect(),
        vectors: result.vector_hints.iter().map(|hint| vectors(scop, hint)).collect(),
        totals,
        constants: constants(scop),
        stages: None,
        execution: None,
        source_execution: None,
    })
}

/// Names with a value in the source, sizes or not.
fn constants(scop: &Scop) -> BTreeMap<String, i64> {
    let sizes = scop.parameters.iter().filter_map(|p| Some((p.name.clone(), p.constant()?)));
    sizes.chain(scop.pinned.iter().map(|pinned| (pinned.name.clone(), pinned.value))).collect()
}

/// The names of shared buffers in the new program.
pub(crate) fn buffer_names(scop: &Scop, source: &str, result: &Optimized) -> Vec<String> {
    let of_values = value_buffers(scop, source, &result.buffers);
    let name = |shared: &SharedBuffer| {
        let first = shared.storage.get().members.first().map(|member| member.array);
        match of_values.iter().find(|buffer| shared.holds_values && Some(buffer.first) == first) {
            Some(buffer) => buffer.name.clone(),
            None => match first_allocated(scop, shared.arrays.iter().copied()) {
                Some(owner) => scop.array(owner).name.clone(),
                None => shared_name(scop.array(shared.arrays[0]), scop, source),
            },
        }
    };
    result.buffers.iter().map(name).collect()
}

/// The sizes, by their names in C.
fn at(scop: &Scop, result: &Optimized) -> BTreeMap<String, i64> {
    scop.parameters.iter().zip(&result.sizes.values).map(|(p, (_, value))| (p.name.clone(), *value)).collect()
}

fn proof(scop: &Scop, source: &str, result: &Optimized) -> Result<Proof, Error> {
    Ok(Proof {
        status: verdict(result)?,
        scope: result.proved.to_string(),
        condition: condition(scop, result)?,
        reasons: reasons(scop, result)?.iter().map(|reason| reason.sentence(source)).collect(),
        executed: None,
    })
}

/// Whether everything that changes is proved for all sizes that the report speaks of.
fn verdict(result: &Optimized) -> Result<Verdict, Error> {
    let alone = result.outcomes.iter().filter_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.scope()),
        Outcome::Hosted { place } => Some(place.scope()),
        _ => None,
    });
    for scope in alone.chain(result.buffers.iter().map(|buffer| buffer.storage.scope())) {
        if !result.proved.is_subset(scope)? {
            return Ok(Verdict::Failed);
        }
    }
    Ok(Verdict::Proved)
}

/// What has to hold beyond what C guarantees, as a condition in C: macros that were taken at their values have these, too.
fn condition(scop: &Scop, result: &Optimized) -> Result<String, Error> {
    let names = SizesInC::to_read(&result.known, &result.parameters, scop)?;
    let tested = result.proved.gist_params(&result.known)?.coalesce()?;
    let (own, is_one_of_several) = (names.condition(&tested)?, matches!(names.cond(&tested), Ok(Cond::Or(..))));
    let mut all: Vec<String> =
        scop.pinned.iter().map(|pinned| format!("{} == {}", pinned.name, pinned.value)).collect();
    match own.as_str() {
        "1" => {}
        own if is_one_of_several && !all.is_empty() => all.push(format!("({own})")),
        own => all.push(own.to_string()),
    }
    Ok(if all.is_empty() { "1".to_string() } else { all.join(" && ") })
}

fn room(scop: &Scop, hint: &SlackHint) -> RoomReport {
    let arrays = hint.arrays.iter().map(|id| scop.array(*id).name.clone()).collect();
    RoomReport { arrays, percent: hint.percent, cells: hint.cells }
}

fn vectors(scop: &Scop, hint: &VectorHint) -> VectorReport {
    let arrays = hint.arrays.iter().map(|id| scop.array(*id).name.clone()).collect();
    VectorReport { arrays, percent: hint.slack.map(|(percent, _)| percent), cells: hint.slack.map(|(_, cells)| cells) }
}

/// Cells of an array's own storage.
fn cells_apart(array: &ArrayReport) -> Option<u64> {
    if array.decision == Decision::Shared { Some(0) } else { array.cells_after }
}

fn sum(mut parts: impl Iterator<Item = Option<u64>>) -> Option<u64> {
    parts.try_fold(0u64, |total, part| total.checked_add(part?))
}

fn array(
    scop: &Scop,
    source: &str,
    id: ArrayId,
    outcome: &Outcome,
    buffer: Option<&BufferReport>,
    result: &Optimized,
) -> ArrayReport {
    let array = scop.array(id);
    let cells_before = declared_cells(scop, id, &result.sizes.values);
    let code = match outcome {
        Outcome::Kept { code, .. } => Some(code.to_string()),
        _ => None,
    };
    let (decision, reason, cells_after) = match (outcome, buffer) {
        (Outcome::Kept { reason, .. }, _) => (Decision::Kept, Some(reason.clone()), cells_before),
        (Outcome::Removed, _) => (Decision::Removed, None, Some(0)),
        (Outcome::Hosted { .. }, _) => (Decision::Hosted, None, Some(0)),
        (Outcome::Shared { .. } | Outcome::Values { .. }, _) => (Decision::Shared, None, None),
        (Outcome::Mapped { .. }, Some(buffer)) if buffer.shape.is_empty() => (Decision::Scalar, None, buffer.cells),
        (Outcome::Mapped { .. }, buffer) => (Decision::Contracted, None, buffer.and_then(|b| b.cells)),
    };
    let live = result.live(scop);
    let place = result.counted.iter().position(|counted| *counted == id);
    ArrayReport {
        name: array.name.clone(),
        line: array.declaration.as_ref().map(|d| declared_at(scop, source, d)),
        role: role(array),
        element: array.element.clone(),
        extent: extents(scop, source, array),
        decision,
        code,
        reason,
        is_interface: is_interface(array),
        place: None,
        cells_before,
        cells_after,
        max_live: match (outcome, place, live) {
            (Outcome::Removed, ..) => Some(0),
            (_, Some(place), Ok(count)) => Some(count.each[place]),
            _ => None,
        },
        story: None,
    }
}

/// The line of a declaration, or of the macro that makes it.
fn declared_at(scop: &Scop, source: &str, declaration: &Declaration) -> usize {
    let place = &declaration.name;
    let start = place.fragment.map_or(place.span.start, |f| scop.fragments[f.0].replaces.start);
    line_of(source, start)
}

/// Whether it is a parameter, which nobody expects to change.
fn is_interface(array: &Array) -> bool {
    let is_parameter = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::Parameter);
    is_parameter && matches!(&array.role, Role::Kept(kept) if !kept.surprising)
}

fn role(array: &Array) -> &'static str {
    match &array.role {
        Role::Temporary => "temporary",
        Role::Kept(kept) => match kept.liveness {
            Liveness::Internal => "internal",
            Liveness::In => "live-in",
            Liveness::Out => "live-out",
            Liveness::InOut => "live-in-out",
        },
    }
}

fn buffer(
    scop: &Scop,
    source: &str,
    id: ArrayId,
    storage: &Verified<Proposal>,
    result: &Optimized,
    names: &SizesInC,
) -> Result<BufferReport, Error> {
    let array = scop.array(id);
    let cells = storage.get().mapping.cells(&borrow(&result.sizes.values))?;
    let shape = shape(storage.place(), names)?;
    Ok(BufferReport {
        name: storage_name(array, scop, source),
        element: array.element.clone(),
        shape,
        cells,
        bytes: array.element_bytes.and_then(|b| cells?.checked_mul(b)),
        method: storage.get().method.to_string(),
        members: vec![Member { of: array.name.clone(), mapping: mapping_text(array, storage.place(), result, names)? }],
    })
}

fn shared_buffer(
    scop: &Scop,
    name: String,
    shared: &SharedBuffer,
    result: &Optimized,
    names: &SizesInC,
) -> Result<BufferReport, Error> {
    let storage = &shared.storage;
    let arrays: Vec<&Array> = shared.arrays.iter().map(|id| scop.array(*id)).collect();
    let shape = shape(storage.place(0), names)?;
    let mut members = Vec::new();
    for (member, array) in arrays.iter().enumerate() {
        let mapping = mapping_text(array, storage.place(member), result, names)?;
        members.push(Member { of: array.name.clone(), mapping });
    }
    Ok(BufferReport {
        name,
        element: arrays[0].element.clone(),
        shape,
        cells: (shared.cells < u64::MAX).then_some(shared.cells),
        bytes: arrays[0].element_bytes.and_then(|b| shared.cells.checked_mul(b)),
        method: storage.get().method.to_string(),
        members,
    })
}

/// `[n] -> { y[i0, i1] -> [i1 mod 2, i0] }`.
fn mapping_text(array: &Array, place: &Placed, result: &Optimized, names: &SizesInC) -> Result<String, Error> {
    let dimensions = place.coordinates().unwrap_or(array.extents.len());
    let versions = (array.extents.len()..dimensions).map(|_| "v".to_string());
    let cells: Vec<String> = versions.chain((0..array.extents.len()).map(|k| format!("i{k}"))).collect();
    let mut images = Vec::new();
    for row in place.rows() {
        let value = linear(&row.coefficients, &cells);
        images.push(match &row.form {
            RowForm::Fits { lowest } if is_zero(lowest)? => value,
            RowForm::Fits { lowest } => format!("{value} - ({})", names.value(lowest)?),
            _ => {
                let shift =
                    if is_zero(&row.shift)? { String::new() } else { format!(" + ({})", names.value(&row.shift)?) };
                format!("({value}{shift}) mod {}", parenthesized(&names.value(&row.modulus)?))
            }
        });
    }
    images.extend(place.linear().map(|row| growing(row, &cells, names)));
    let parameters = result.parameters.join(", ");
    Ok(format!("[{parameters}] -> {{ {}[{}] -> [{}] }}", array.name, cells.join(", "), images.join(", ")))
}

/// The extents of a place in C, outermost first.
pub(crate) fn shape(place: &Placed, names: &SizesInC) -> Result<Vec<String>, Error> {
    match place.linear() {
        Some(row) => Ok(vec![names.of_row(&row.modulus, row)]),
        None => place.rows().iter().map(|row| names.value(&row.modulus)).collect(),
    }
}

/// `((3 * n - 1) / 2 * i0 + i1) mod ((3 * n * n + 1) / 4)`.
fn growing(row: &LinearRow, cells: &[String], names: &SizesInC) -> String {
    let text = |polynomial: &Polynomial| names.of_row(polynomial, row);
    let terms = row.coefficients.iter().zip(cells).map(|(coefficient, cell)| match text(&(*coefficient).into()) {
        one if one == "1" => cell.clone(),
        factor => format!("{} * {cell}", parenthesized(&factor)),
    });
    let shift = (!row.shift.coefficients().is_empty()).then(|| text(&row.shift));
    let value: Vec<String> = terms.chain(shift).collect();
    format!("({}) mod ({})", value.join(" + "), text(&row.modulus))
}

fn is_zero(function: &PwAff) -> Result<bool, Error> {
    Ok(function.as_constant()? == Some(0))
}

fn parenthesized(text: &str) -> String {
    if text.chars().all(char::is_alphanumeric) { text.to_string() } else { format!("({text})") }
}

fn linear(coefficients: &[i64], names: &[String]) -> String {
    let terms: Vec<String> = (coefficients.iter().zip(names))
        .filter(|(c, _)| **c != 0)
        .map(|(c, name)| if *c == 1 { name.clone() } else { format!("{c}{name}") })
        .collect();
    terms.join(" + ").replace("+ -", "- ")
}

/// The extents as the declaration writes them; `?` where it does not.
fn extents(scop: &Scop, source: &str, array: &Array) -> Vec<String> {
    if let Some(texts) = &array.extent_texts {
        return texts.clone();
    }
    let places = array.declaration.as_ref().map_or(&[][..], |d| &d.extents);
    let text = |place: &Place| {
        let text = place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
        text[place.span.clone()].split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let mut extents: Vec<String> = places.iter().map(text).collect();
    while extents.len() < array.extents.len() {
        extents.insert(0, "?".to_string());
    }
    extents
}
