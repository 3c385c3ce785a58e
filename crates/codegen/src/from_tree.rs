//! Scops whose new text is printed from their program.
//!
//! The idea: the program that was judged is the one that is printed. What it has in common with the source stays byte for byte.
//!
//! A scop goes wholly this way or wholly by changes of its text. By changes go, so far: other forms than the plain one; sums that
//! may be past `int`; rows in one dimension; declarations that change between the pragmas; and lists that are left empty.

use crate::region::{Region, may_be_wide};
use crate::{Decisions, Form, growing_coordinate, growth};
use polyfold_emit::{Additions, Source, in_text_of};
use polyfold_isl::Result;
use polyfold_lattice::Polynomial;
use polyfold_program::{BufferId, Int, ParameterId, Program, Role, StatementId};
use polyfold_prove::Placed;
use polyfold_scop::Array;
use polyfold_transform::{privatize, sweep, without_unread};

/// The text between the pragma lines, and the program that it is printed from; `None`: this scop goes the other way.
pub(crate) fn from_tree(source: &str, decisions: &Decisions, region: &Region) -> Result<Option<(String, Program)>> {
    let Decisions { scop, program: after, form, .. } = decisions;
    let (Some(program), Some(written), Some(after)) = (&scop.program, &scop.written, after) else { return Ok(None) };
    let gone: Vec<StatementId> = region.gone.statements.iter().map(|id| StatementId(id.0)).collect();
    let after = &sweep(after, &gone);
    let is_wide = |array: &Array| may_be_wide(scop, array) || array.linearised;
    let is_wide = decisions.mapped.iter().any(|own| is_wide(decisions.array(own.array())));
    let is_warned_of = !region.gone.declarations.is_empty() || !region.unused.mentions_inside().is_empty();
    if *form != Form::Plain || is_wide || is_warned_of {
        return Ok(None);
    }
    // An array's new storage may have its name.
    let last = |name: String| after.buffers.iter().rposition(|buffer| buffer.name == name).map(BufferId);
    let buffer = |place: &Placed| last(decisions.name(place, source));
    let mut named = Vec::new();
    for place in &decisions.mapped {
        let Some(id) = buffer(place) else { return Ok(None) };
        let Some(own) = names(decisions, region, place, after, id)? else { return Ok(None) };
        named.extend(own);
    }
    let is_own = |place: &&Placed| region.in_turns.iter().any(|own| own.array() == place.array());
    let variables: Option<Vec<BufferId>> = decisions.mapped.iter().filter(is_own).map(buffer).collect();
    let after = variables.and_then(|all| with_own_variables(after, &all));
    let Some(after) = after.filter(|after| !stays_unread(program, after)) else { return Ok(None) };
    let declaration = |id: BufferId| {
        let own = region
            .in_turns
            .iter()
            .find(|own| decisions.mapped.iter().any(|place| place.array() == own.array() && buffer(place) == Some(id)));
        own.map(|own| own.declaration().to_string())
    };
    let additions = Additions { named: &named, declaration: &declaration };
    let text = in_text_of(&Source { program, written }, &after, &additions).ok();
    // Compilers warn of names that nobody uses.
    let text = text.filter(|text| named.iter().all(|(_, name)| text.contains(name.as_str())));
    Ok(text.map(|text| (text, after)))
}

/// Whether an array isn't read any more, but still written: compilers warn of that.
fn stays_unread(before: &Program, after: &Program) -> bool {
    let (read_before, read) = (before.reads(), after.reads());
    let is_new = |id: &BufferId| id.0 >= before.buffers.len();
    let is_lost = |id: &BufferId| (is_new(id) || read_before.contains(id)) && !read.contains(id);
    after.writes().iter().any(|id| after.buffers[id.0].role == Role::Temporary && is_lost(id))
}

/// Sizes of a place that have names. `None`: one that should have a name has none.
fn names(
    decisions: &Decisions,
    region: &Region,
    place: &Placed,
    after: &Program,
    id: BufferId,
) -> Result<Option<Vec<(Int, String)>>> {
    let array = place.shared().unwrap_or(place.array());
    let mut found = Vec::new();
    if let Some(row) = place.linear() {
        let position = decisions.parameters.iter().position(|name| *name == row.parameter);
        let own = position.and_then(|position| growing_coordinate(row, &Int::Parameter(ParameterId(position))));
        let Some(own) = own else { return Ok(None) };
        let coefficients = own.coefficients.iter().zip(row.coefficients.iter().map(|own| Polynomial::from(*own)));
        let all = coefficients.chain([(&own.modulus, row.modulus.clone()), (&own.shift, row.shift.clone())]);
        for (e, polynomial) in all.filter(|(e, _)| !matches!(e, Int::Constant(_))) {
            // What has no name would be computed in the type of the size.
            let Some(name) = region.constants.name(array, &growth::in_c(&polynomial, row, decisions.names)) else {
                return Ok(None);
            };
            found.push((e.clone(), name.to_string()));
        }
        return Ok(Some(found));
    }
    for (row, extent) in place.rows().iter().zip(&after.buffers[id.0].extents) {
        let value = decisions.names.extent(&row.modulus)?;
        let name = region.constants.name(array, &value).map(str::to_string);
        found.extend(extent.clone().zip(name));
    }
    Ok(Some(found))
}

/// The program with variables declared where their values live.
fn with_own_variables(program: &Program, variables: &[BufferId]) -> Option<Program> {
    let declared = variables.iter().try_fold(program.clone(), |program, id| privatize(&program, *id))?;
    Some(without_unread(&declared, variables))
}
