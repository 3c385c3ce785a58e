//! Whether accesses to values can be written.
//!
//! In the file itself, as plain reads and writes, with few conditions, and with versions that C has operators for. An access
//! that never happens has no place, so that nothing could be written.

use super::cases::{Case, Counters, Found, ValueAccess, is_an_extent};
use polyfold_c::code::{Kind, directive_mentions, tokens};
use polyfold_isl::Result;
use polyfold_program::{Cond, Int, Stmt};
use polyfold_prove::{Placed, PlacedValues};
use polyfold_scop::{Access, Array, ArrayId, Parameter, Scop, Span, Statement, StatementId, StatementKind};

/// In more places than these nobody wants to look for what a read gets, or a statement writes.
const MOST_CHOICES: usize = 5;
const MOST_BRANCHES: usize = 9;

/// Sums of sizes up to this, which no array bounds, fit `long` when they are computed in it.
const MOST_COUNTED: i128 = 1 << 60;

/// Values in several places of which all accesses can be written.
#[derive(Clone, Debug)]
pub struct WritableValues {
    placed: PlacedValues,
    accesses: Vec<ValueAccess>,
}

impl WritableValues {
    /// Finds how all accesses to an array's values read; `None` where they cannot be written, or nobody would want to read that.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of(
        source: &str,
        scop: &Scop,
        parameters: &[String],
        placed: PlacedValues,
    ) -> Result<Option<WritableValues>> {
        let counters = Counters { scop, parameters };
        let named = named(&placed);
        let is_accounted_for = are_all(scop, placed.array(), &named) && is_mentioned_only(source, scop, placed.array());
        if scop.hides_counters() || !is_accounted_for {
            return Ok(None);
        }
        let mut accesses = Vec::new();
        for (id, k) in named {
            let statement = scop.statement(id);
            if !is_plain(scop, id, k) {
                return Ok(None);
            }
            let found = counters.cases((id, k), &placed)?;
            if !are_few(statement, k, &found) {
                return Ok(None);
            }
            let versions = placed.versions().dimensions();
            let cases = found.into_iter().map(|f| counters.case(f, versions)).collect::<Result<Option<Vec<Case>>>>()?;
            let Some(cases) = cases else { return Ok(None) };
            accesses.push(ValueAccess { statement: id, access: k, cases });
        }
        Ok(Some(WritableValues { placed, accesses }))
    }

    /// Whose values.
    pub fn array(&self) -> ArrayId {
        self.placed.array()
    }

    /// By access, where it finds its values.
    pub fn cases(&self) -> impl Iterator<Item = (StatementId, usize, impl Iterator<Item = ValueCase<'_>>)> {
        self.accesses.iter().map(|access| {
            let cases = access.cases.iter();
            let case =
                cases.map(|own| ValueCase { test: &own.test, version: &own.versions, place: own.place.as_ref() });
            (access.statement, access.access, case)
        })
    }

    /// Where they are.
    pub fn placed(&self) -> &PlacedValues {
        &self.placed
    }
}

/// Where an access finds its values for some operations. The counters around its statement are locals by their depth.
#[derive(Clone, Copy, Debug)]
pub struct ValueCase<'a> {
    /// When, for what is left by the cases before.
    pub test: &'a Cond,
    /// The coordinates of a value in front of its cell's.
    pub version: &'a [Int],
    /// `None`: nobody reads the value.
    pub place: Option<&'a Placed>,
}

/// The accesses of an array, each once.
fn named(values: &PlacedValues) -> Vec<(StatementId, usize)> {
    let mut all: Vec<(StatementId, usize)> = values.accesses().iter().map(|a| (a.statement, a.access)).collect();
    all.dedup();
    all
}

/// Whether these are all accesses of an array.
fn are_all(scop: &Scop, array: ArrayId, named: &[(StatementId, usize)]) -> bool {
    scop.statements.iter().enumerate().all(|(id, statement)| {
        let own = statement.accesses.iter().enumerate().filter(|(_, access)| access.array == array);
        own.map(|(k, _)| k).all(|k| named.contains(&(StatementId(id), k)))
    })
}

/// Whether every mention of an array between the pragmas is an access, or goes with its statement, and no directive of the file mentions it: `sizeof a[0]`
/// would measure something else.
fn is_mentioned_only(source: &str, scop: &Scop, array: ArrayId) -> bool {
    let name = &scop.array(array).name;
    let own = scop.statements.iter().flat_map(|statement| &statement.accesses).filter(|a| a.array == array);
    let places: Vec<usize> = own.filter(|a| a.place.fragment.is_none()).map(|a| a.place.span.start).collect();
    let declaration = scop.array(array).declaration.as_ref().map(|d| d.name.span.start);
    let goes = |statement: &&Statement| statement.kind == StatementKind::Assignment && statement.accesses.is_empty();
    let gone: Vec<&Span> = scop.statements.iter().filter(goes).map(|statement| &statement.span).collect();
    let is_known = |at: usize| {
        places.contains(&at) || declaration == Some(at) || gone.iter().any(|statement| statement.contains(&at))
    };
    let mentions = tokens(source, &scop.span).into_iter().filter(|t| t.kind == Kind::Word && t.text == name);
    let directives = tokens(source, &(0..source.len())).into_iter().filter(|t| t.kind == Kind::Directive);
    mentions.map(|t| t.at).all(is_known) && directives.map(|t| t.text).all(|text| !directive_mentions(text, name))
}

/// Whether an access stands in the file itself, with subscripts, and is not one of several writes, unless by their addresses; what
/// updates its place has to be a statement that does nothing else.
fn is_plain(scop: &Scop, id: StatementId, k: usize) -> bool {
    let statement = scop.statement(id);
    let (accesses, access) = (&statement.accesses, &statement.accesses[k]);
    let writes = accesses.iter().filter(|other| other.is_write() && !other.is_in_call()).count();
    let is_in_file = access.place.fragment.is_none();
    let may_be_updated = || !is_updated(statement, access) || assigns(scop, id);
    writes <= 1 && is_in_file && access.subscripts.is_some() && may_be_updated()
}

/// Whether an access reads and writes its place.
fn is_updated(statement: &Statement, access: &Access) -> bool {
    statement.accesses.iter().filter(|other| other.place == access.place).count() > 1
}

/// Whether a statement is an assignment in the scop's program.
fn assigns(scop: &Scop, id: StatementId) -> bool {
    let is_it = |stmt: &Stmt| matches!(stmt, Stmt::Assign(own) if own.statement.0 == id.0);
    scop.program.as_ref().is_some_and(|program| program.body.iter().any(|stmt| stmt.any(&is_it)))
}

/// Whether an access has no more cases than one wants to read, and a value that nobody reads is plainly assigned.
fn are_few(statement: &Statement, k: usize, cases: &[Found]) -> bool {
    let most = match &statement.accesses[k] {
        // An address is that of one place, and a call with several cannot stand twice.
        access if access.is_in_call() => 1,
        access if access.is_write() && statement.passes_addresses() => 1,
        access if access.is_read() => MOST_CHOICES,
        access if is_updated(statement, access) => 1,
        _ => MOST_BRANCHES,
    };
    let is_dropped = cases.iter().any(|case| case.access.place.is_none());
    let may_drop = statement.kind == StatementKind::Assignment
        && !is_updated(statement, &statement.accesses[k])
        && !statement.passes_addresses();
    cases.len() <= most && (!is_dropped || may_drop)
}

impl Counters<'_> {
    /// Whether a name in isl notation means the same everywhere in the scop, and sums of sizes fit `long`: arrays bound them, or their
    /// types do.
    pub(super) fn means_the_same(&self, statement: StatementId, isl: &str) -> bool {
        self.in_c(statement, isl).is_some_and(|name| means_the_same(name, self.scop))
    }
}

fn means_the_same(word: &str, scop: &Scop) -> bool {
    let may_overflow = |p: &&Parameter| p.most.is_none_or(|most| most > MOST_COUNTED);
    let parameters = scop.parameters.iter().enumerate().filter(|(_, p)| p.name == word);
    let is_unbounded = parameters.filter(|(_, p)| may_overflow(p)).any(|(k, _)| !is_an_extent(scop, k));
    let is_inside = |array: &Array| array.declaration.as_ref().is_some_and(|d| d.inside_scop);
    !is_unbounded && !scop.arrays.iter().any(|array| array.name == word && is_inside(array))
}
