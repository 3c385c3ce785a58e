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
mod frame;
mod guard;
mod home;
mod limits;
mod linear;
mod names;
mod signed;
mod subscript;
mod tokens;
mod unused;

pub use frame::can_declare_before;
pub use home::{shared_name, storage_name};
pub use limits::TextLimits;
pub use names::{CNames, parameters_in_c};

use declaration::Declarations;
use edit::{Edit, Edits};
use frame::Frame;
use guard::Guard;
use linear::Variables;
use polyfold_alloc::Proposal;
use polyfold_isl::{Result, Set};
use polyfold_prove::Verified;
use polyfold_scop::{Array, ArrayId, Expr, ParameterOrigin, Place, Scop, Span, StatementId, Storage};
use signed::Signed;
use unused::Unused;

/// New storage for one array.
pub struct Mapped {
    /// Whose.
    pub array: ArrayId,
    /// The proved mapping.
    pub storage: Verified<Proposal>,
    /// For each row of the mapping the dimension of the array whose declared extent is the row's modulus, if there is one.
    pub own_extents: Vec<Option<usize>>,
}

/// What was decided for one scop.
pub struct Decisions<'a> {
    /// The scop as the front end read it.
    pub scop: &'a Scop,
    /// The scop's parameters in isl notation.
    pub parameters: &'a [String],
    /// How sizes read in C, for parameters in `proved`.
    pub names: &'a CNames,
    /// Arrays with new storage.
    pub mapped: Vec<Mapped>,
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
    let mut declarations = Declarations::default();
    for decisions in scops.iter().filter(|d| d.change_something()) {
        let frame = Frame::of(source, decisions.scop);
        let guard = Guard::of(source, decisions, dialect)?;
        let region = rewrite_region(source, decisions)?;
        let storage = declarations.declare(source, decisions, guard.keeps_both())?;
        guard::assemble(source, &frame, &guard, &storage, region, &mut edits);
    }
    for edit in declarations.edits(source) {
        edits.push(edit);
    }
    Ok(edits.in_line_endings_of(source).apply(source))
}

/// The changes between the pragmas, declarations aside.
fn rewrite_region(source: &str, decisions: &Decisions) -> Result<Edits> {
    let mut region = Edits::new();
    let dead: Vec<Span> = decisions.dead.iter().map(|id| decisions.scop.statement(*id).span.clone()).collect();
    let unused = Unused::of(source, decisions);
    for span in &dead {
        region.push(Edit { span: span.clone(), text: format!("{{ {}}}", unused.mentioned_in(span)) });
    }
    rewrite_accesses(source, decisions, &mut region)?;
    region.drop_inside(&dead);
    Ok(region)
}

/// Replaces every access to a mapped array; accesses in macro expansions rewrite the expansion.
fn rewrite_accesses(source: &str, decisions: &Decisions, region: &mut Edits) -> Result<()> {
    let scop = decisions.scop;
    let signed = Signed::at(source, scop.span.start);
    let mut fragments: Vec<Edits> = scop.fragments.iter().map(|_| Edits::new()).collect();
    for access in scop.statements.iter().flat_map(|s| &s.accesses) {
        let Some(mapped) = decisions.mapped.iter().find(|m| m.array == access.array) else { continue };
        let Place { fragment, span } = &access.place;
        let text = fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
        let name = storage_name(decisions.array(access.array), scop, source);
        let variables = Variables { scop, signed: &signed, wide: may_be_wide(scop, decisions.array(access.array)) };
        let new = subscript::reference(&name, access, text, &mapped.storage, decisions.names, &variables)?;
        let into = fragment.map_or(&mut *region, |f| &mut fragments[f.0]);
        into.push(Edit { span: span.clone(), text: new });
    }
    for (fragment, edits) in scop.fragments.iter().zip(fragments) {
        if !edits.is_empty() {
            region.push(Edit { span: fragment.replaces.clone(), text: edits.apply(&fragment.text) });
        }
    }
    Ok(())
}

/// Extents past this are large.
const LARGE: i64 = 1 << 27;

/// Whether an array may be so large that small multiples of its subscripts are past `int`: where its extents are not known,
/// it is not if it is on the stack.
fn may_be_wide(scop: &Scop, array: &Array) -> bool {
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
    let mut used = std::collections::BTreeSet::new();
    extent.collect_parameters(&mut used);
    let values: Vec<i64> = constants.iter().map(|value| value.unwrap_or(0)).collect();
    used.iter().all(|p| constants[p.0].is_some()).then(|| extent.value(&values))?
}
