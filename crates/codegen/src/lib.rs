//! C from verified allocations: subscripts and declarations rewritten in place, everything else byte for byte.
//!
//! Loops and statements stay as the user wrote them. `y[i][k-1]` becomes `y[(k-1) % 2][i]`, its declaration
//! `unsigned y[n][n]` becomes `unsigned y[2][n]` with one comment line above it, and a cell alone becomes a variable.
//!
//! A result that needs facts about sizes is guarded: facts about macros by `_Static_assert`, facts about
//! run-time sizes by an `if` whose other branch is the program as it was.
//!
//! Invariant: no function here takes an unproved mapping.

mod declaration;
mod edit;
mod guard;
mod names;
mod subscript;

pub use names::CNames;

use edit::{Edit, Edits};
use polyfold_alloc::Proposal;
use polyfold_isl::{Result, Set};
use polyfold_prove::Verified;
use polyfold_scop::{Array, ArrayId, Place, Scop, StatementId, Storage};

/// What was decided for one scop.
pub struct Decisions<'a> {
    /// The scop as the front end read it.
    pub scop: &'a Scop,
    /// How the sizes are called in C.
    pub names: &'a CNames,
    /// New storage, by array.
    pub mapped: Vec<(ArrayId, Verified<Proposal>)>,
    /// Arrays that nobody reads: they go, with the statements that write them.
    pub removed: Vec<ArrayId>,
    /// Statements whose results nobody reads.
    pub dead: Vec<StatementId>,
    /// Parameter values that C itself allows.
    pub known: &'a Set,
    /// Parameter values for which the decisions were proved.
    pub proved: &'a Set,
}

impl Decisions<'_> {
    /// Whether anything changes.
    pub fn change_something(&self) -> bool {
        !self.mapped.is_empty() || !self.removed.is_empty()
    }

    fn array(&self, id: ArrayId) -> &Array {
        self.scop.array(id)
    }
}

/// The name of an array's new storage. A parameter or global keeps its own memory, so its replacement needs a name that
/// the source does not use yet.
pub fn storage_name(array: &Array, source: &str) -> String {
    match array.declaration.as_ref().map(|d| d.storage) {
        Some(Storage::Local | Storage::StaticLocal) => array.name.clone(),
        _ => {
            let mut name = format!("{}_buffer", array.name);
            while source.contains(&name) {
                name.push('_');
            }
            name
        }
    }
}

/// Which language the assertions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `_Static_assert`.
    C,
    /// `static_assert`.
    Cpp,
}

/// The new text of a file.
///
/// # Errors
/// When a size or condition cannot be printed as C.
pub fn rewrite(source: &str, scops: &[Decisions], dialect: Dialect) -> Result<String> {
    let mut edits = Edits::new();
    for decisions in scops.iter().filter(|d| d.change_something()) {
        rewrite_scop(source, decisions, dialect, &mut edits)?;
    }
    Ok(edits.apply(source))
}

fn rewrite_scop(source: &str, decisions: &Decisions, dialect: Dialect, edits: &mut Edits) -> Result<()> {
    let frame = guard::Frame::of(source, decisions.scop);
    let mut region = Edits::new();
    let dead_spans: Vec<_> = decisions.dead.iter().map(|id| decisions.scop.statement(*id).span.clone()).collect();
    for span in &dead_spans {
        region.push(Edit { span: span.clone(), text: "{ }".to_string() });
    }
    rewrite_accesses(source, decisions, &dead_spans, &mut region)?;
    let plan = declaration::plan(source, decisions)?;
    let guard = guard::Guard::of(decisions, dialect)?;
    guard::assemble(source, &frame, guard, plan, region, edits);
    Ok(())
}

/// Replaces every access to a mapped array; accesses in macro expansions rewrite the expansion.
fn rewrite_accesses(
    source: &str,
    decisions: &Decisions,
    dead: &[polyfold_scop::Span],
    region: &mut Edits,
) -> Result<()> {
    let scop = decisions.scop;
    let mut fragments: Vec<Edits> = scop.fragments.iter().map(|_| Edits::new()).collect();
    let mapped = |id: ArrayId| decisions.mapped.iter().find(|(a, _)| *a == id);
    for access in scop.statements.iter().flat_map(|s| &s.accesses) {
        let Some((_, storage)) = mapped(access.array) else { continue };
        let Place { fragment, span } = &access.place;
        let text = fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
        let name = storage_name(decisions.array(access.array), source);
        let new = subscript::reference(&name, access, text, storage, decisions.names)?;
        let into = fragment.map_or(&mut *region, |f| &mut fragments[f.0]);
        into.push(Edit { span: span.clone(), text: new });
    }
    for (fragment, edits) in scop.fragments.iter().zip(fragments) {
        if !edits.is_empty() {
            region.push(Edit { span: fragment.replaces.clone(), text: edits.apply(&fragment.text) });
        }
    }
    region.drop_inside(dead);
    Ok(())
}
