//! The changes between the pragmas, declarations aside.

use crate::Decisions;
use crate::constants::Constants;
use crate::definite::Cells;
use crate::edit::{Edit, Edits};
use crate::linear::Variables;
use crate::removal::{copies_to_themselves, emptied, removal};
use crate::signed::Signed;
use crate::subscript::{Moduli, Reference};
use crate::unused::Unused;
use crate::values::rewrite_values;
use polyfold_isl::Result;
use polyfold_scop::{Array, Expr, ParameterOrigin, Place, Scop, Span, StatementId, Storage};
use std::collections::BTreeSet;

/// What happens to the text of one scop.
pub(crate) struct Region<'a> {
    pub(crate) edits: Edits,
    /// How changed accesses read.
    pub(crate) cells: Cells,
    /// Statements that are taken away.
    pub(crate) gone: Vec<StatementId>,
    /// The text that goes with them: loops that they leave empty, too.
    pub(crate) removed: Vec<Span>,
    /// Names for long moduli.
    pub(crate) constants: Constants,
    /// Variables that nothing uses any more.
    pub(crate) unused: Unused<'a>,
}

impl<'a> Region<'a> {
    /// `keeps_both`: the program as it was stays beside the new one.
    pub(crate) fn of(source: &'a str, decisions: &Decisions, keeps_both: bool) -> Result<Region<'a>> {
        let mut constants = Constants::candidates(source, decisions, keeps_both)?;
        let (mut edits, mut cells, mut gone) = changes(source, decisions, &constants)?;
        if let Some(fewer) = constants.without_rare(&edits) {
            constants = fewer;
            (edits, cells, gone) = changes(source, decisions, &constants)?;
        }
        let spans = emptied(source, &decisions.scop.body, decisions.scop, &gone);
        let unused = Unused::of(source, decisions, &spans, &edits)?;
        for span in &spans {
            edits.push(removal(source, &decisions.scop.span, span, &unused.mentioned_in(span)));
        }
        unused.mentions_inside().into_iter().for_each(|edit| edits.push(edit));
        Ok(Region { edits, cells, gone, removed: spans, constants, unused })
    }
}

/// The changes of what stays, how accesses read then, and the statements that go.
fn changes(source: &str, decisions: &Decisions, constants: &Constants) -> Result<(Edits, Cells, Vec<StatementId>)> {
    let mut edits = Edits::new();
    let cells = rewrite_accesses(source, decisions, constants, &mut edits)?;
    rewrite_values(source, decisions, constants, &mut edits)?;
    let copies = copies_to_themselves(source, decisions, &edits);
    let gone: Vec<StatementId> = decisions.dead.iter().copied().chain(copies).collect();
    edits.drop_inside(&emptied(source, &decisions.scop.body, decisions.scop, &gone));
    Ok((edits, cells, gone))
}

/// Replaces every access to a mapped array; accesses in macro expansions rewrite the expansion.
fn rewrite_accesses(source: &str, decisions: &Decisions, constants: &Constants, region: &mut Edits) -> Result<Cells> {
    let scop = decisions.scop;
    let signed = Signed::at(source, scop.span.start);
    let mut fragments: Vec<Edits> = scop.fragments.iter().map(|_| Edits::new()).collect();
    let mut cells = Cells::new();
    let statements = scop.statements.iter().enumerate();
    let accesses = statements.flat_map(|(id, s)| s.accesses.iter().enumerate().map(move |(k, a)| (id, k, a)));
    for (id, k, access) in accesses {
        let Some(mapped) = decisions.mapped.iter().find(|m| m.array() == access.array) else { continue };
        let Place { fragment, span } = &access.place;
        let text = fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
        let name = decisions.name(mapped, source);
        let hosts = mapped.inside().map(|inside| inside.host).into_iter();
        let wide = hosts.chain([access.array]).any(|id| may_be_wide(scop, decisions.array(id)));
        let array = mapped.shared().unwrap_or(access.array);
        let reference = Reference {
            name: &name,
            access,
            text,
            storage: mapped,
            moduli: Moduli { array, names: decisions.names, constants, wide },
            variables: Variables { scop, signed: &signed, wide },
        };
        let new = reference.in_c()?;
        let into = fragment.map_or(&mut *region, |f| &mut fragments[f.0]);
        into.push(Edit { span: span.clone(), text: new.clone() });
        cells.insert((StatementId(id), k), new);
    }
    for (fragment, edits) in scop.fragments.iter().zip(fragments) {
        if !edits.is_empty() {
            region.push(Edit { span: fragment.replaces.clone(), text: edits.apply(&fragment.text) });
        }
    }
    Ok(cells)
}

/// Extents past this are large.
const LARGE: i64 = 1 << 27;

/// Whether an array may be so large that small multiples of its subscripts are past `int`: where its extents are not known,
/// it is not if it is on the stack.
pub(crate) fn may_be_wide(scop: &Scop, array: &Array) -> bool {
    let constants: Vec<Option<i64>> = (scop.parameters.iter())
        .map(|p| match p.origin {
            ParameterOrigin::Constant(value) => Some(value),
            ParameterOrigin::Variable => None,
        })
        .collect();
    let is_local = array.declaration.as_ref().is_some_and(|d| d.storage == Storage::Local);
    array.extents.iter().any(|extent| match extent.as_ref().and_then(|e| known(e, &constants)) {
        Some(value) => value > LARGE,
        None => !is_local,
    })
}

/// The value of an extent that depends on constants only.
fn known(extent: &Expr, constants: &[Option<i64>]) -> Option<i64> {
    let mut used = BTreeSet::new();
    extent.collect_parameters(&mut used);
    let values: Vec<i64> = constants.iter().map(|value| value.unwrap_or(0)).collect();
    used.iter().all(|p| constants[p.0].is_some()).then(|| extent.value(&values))?
}
