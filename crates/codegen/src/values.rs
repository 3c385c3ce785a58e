//! Accesses to values that live in several places.
//!
//! A read of cell i − 1 that finds the border in one variable and all else in a ring of values reads
//!
//! ```c
//! (i == 1 ? Q_values1 : Q_values[((long)T - t + i) % (N + 1)])
//! ```
//!
//! and a statement whose write goes to several places stands once for each, under an `if`. Where nobody reads the value,
//! nothing is written. A place that all operations use needs no condition, and neither does the last one.

use crate::constants::Constants;
use crate::edit::{Edit, Edits};
use crate::home::words;
use crate::linear::{Variables, as_long, hides_counters};
use crate::names::needs_helpers;
use crate::region::may_be_wide;
use crate::removal::{assigns_to_itself, stands_in_a_block};
use crate::signed::Signed;
use crate::subscript::{Moduli, Reference};
use crate::tokens::{Kind, Token, tokens};
use crate::{CNames, Decisions, fault, parameters_in_c};
use polyfold_isl::{Map, Result, Set};
use polyfold_prove::{PlacedAccess, PlacedValues, Row};
use polyfold_scop::{Access, ArrayId, Parameter, ParameterId, Scop, Span, StatementId, StatementKind};
use std::collections::BTreeSet;

/// A buffer of values.
#[derive(Clone, Debug)]
pub struct ValueBuffer {
    /// The class that stands for it in the places.
    pub first: ArrayId,
    /// The array after which it is called, of whose type it is.
    pub owner: ArrayId,
    /// A name that the source does not use.
    pub name: String,
}

/// What an access reads like for some operations.
struct Case {
    condition: String,
    /// `None`: nobody reads the value.
    text: Option<String>,
}

/// In more places than these nobody wants to look for what a read gets, or a statement writes.
const MOST_CHOICES: usize = 5;
const MOST_BRANCHES: usize = 9;

/// Sums of sizes up to this, which no array bounds, fit `long` when they are computed in it.
const MOST_COUNTED: i128 = 1 << 60;

/// Whether all accesses to an array's values can be written: in the file itself, as plain reads and writes, with few conditions,
/// and with versions that C has operators for. An access that never happens has no place, so that nothing could be written.
///
/// # Errors
/// When the work bound is reached.
pub fn can_write_values(source: &str, scop: &Scop, parameters: &[String], values: &PlacedValues) -> Result<bool> {
    let counters = Counters { source, scop, parameters };
    let named = accesses(values);
    if hides_counters(&scop.body, &mut Vec::new()) {
        return Ok(false);
    }
    for (id, statement) in scop.statements.iter().enumerate() {
        for (k, access) in statement.accesses.iter().enumerate() {
            if access.array == values.array() && !named.contains(&(StatementId(id), k)) {
                return Ok(false);
            }
        }
    }
    for (statement, k) in named {
        let accesses = &scop.statement(statement).accesses;
        let access = &accesses[k];
        let is_updated = accesses.iter().filter(|other| other.place == access.place).count() > 1;
        let writes = accesses.iter().filter(|other| other.is_write()).count();
        if writes > 1 || access.place.fragment.is_some() || is_updated || access.subscripts.is_none() {
            return Ok(false);
        }
        let cases = counters.cases(statement, k, values)?;
        if cases.len() > if access.is_read() { MOST_CHOICES } else { MOST_BRANCHES } {
            return Ok(false);
        }
        let is_dropped = cases.iter().any(|(place, ..)| place.place.is_none());
        if is_dropped && scop.statement(statement).kind != StatementKind::Assignment {
            return Ok(false);
        }
        for (place, operations, condition) in cases {
            let versions = counters.versions(place, &operations, values.version_dimensions())?;
            let mut texts = versions.iter().chain([&condition]);
            if !texts.all(|text| !needs_helpers(text) && counters.mean_the_same(text)) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// The accesses of an array, each once.
fn accesses(values: &PlacedValues) -> Vec<(StatementId, usize)> {
    let mut all: Vec<(StatementId, usize)> = values.accesses().iter().map(|a| (a.statement, a.access)).collect();
    all.dedup();
    all
}

/// Sizes and counters as a statement sees them.
struct Counters<'a> {
    source: &'a str,
    scop: &'a Scop,
    parameters: &'a [String],
}

impl Counters<'_> {
    /// Names in isl notation for the counters around a statement; no name of the source begins with an underscore there.
    fn in_isl(&self, statement: StatementId) -> Vec<String> {
        (0..self.scop.statement(statement).loops.len()).map(|k| format!("_i{k}")).collect()
    }

    /// Whether the names in a text mean in the scop what they mean in front of it or in the heads of its loops, and no size
    /// that bounds no array is of a type so large that sums of it may be past `long`.
    fn mean_the_same(&self, text: &str) -> bool {
        words(text).all(|(_, word)| {
            let may_overflow = |p: &&Parameter| p.most.is_none_or(|most| most > MOST_COUNTED);
            let parameters = self.scop.parameters.iter().enumerate().filter(|(_, p)| p.name == word);
            let is_unbounded = parameters.filter(|(_, p)| may_overflow(p)).any(|(k, _)| !self.is_an_extent(k));
            !is_unbounded && !is_declared_in_a_block(self.source, &self.scop.span, word)
        })
    }

    /// Whether some array's extent depends on a parameter: memory bounds it.
    fn is_an_extent(&self, parameter: usize) -> bool {
        let mut used = BTreeSet::new();
        let extents = self.scop.arrays.iter().flat_map(|array| array.extents.iter().flatten());
        extents.for_each(|extent| extent.collect_parameters(&mut used));
        used.contains(&ParameterId(parameter))
    }

    /// A condition in C, computed as `long` where a sum may be past `int`.
    fn condition(&self, names: &CNames, sizes: &Set) -> Result<String> {
        let text = names.condition(sizes)?;
        let parameters = self.scop.parameters.iter().enumerate();
        let mut unbounded = parameters.filter(|(k, _)| !self.is_an_extent(*k)).map(|(_, p)| p.name.as_str());
        let is_wide = unbounded.any(|name| words(&text).any(|(_, word)| word == name));
        Ok(if is_wide { as_long(&text) } else { text })
    }

    fn names(&self, statement: StatementId, context: &Set) -> Result<CNames> {
        let signed = Signed::at(self.source, self.scop.span.start);
        let loops = self.scop.loops();
        let counter = |id: &polyfold_scop::LoopId| match &loops[id.0].iterator {
            name if signed.contains(name) => name.clone(),
            name => format!("(long){name}"),
        };
        let isl: Vec<String> = self.parameters.iter().cloned().chain(self.in_isl(statement)).collect();
        let counters = self.scop.statement(statement).loops.iter().map(counter);
        let c: Vec<String> = parameters_in_c(self.scop, self.source).into_iter().chain(counters).collect();
        CNames::new(context, &isl, &c)
    }

    /// The values of an access, as a set that depends on parameters and counters.
    fn values(&self, statement: StatementId, name: &Map) -> Result<Set> {
        name.by_start(&self.in_isl(statement))
    }

    /// The places of an access with the operations that use them, and these as a condition in C for what is left by the cases
    /// before. The longest condition comes last, but for values that nobody reads.
    fn cases<'v>(
        &self,
        statement: StatementId,
        access: usize,
        values: &'v PlacedValues,
    ) -> Result<Vec<(&'v PlacedAccess, Set, String)>> {
        let own = values.accesses().iter().filter(|a| (a.statement, a.access) == (statement, access));
        let mut all: Option<Set> = None;
        let mut cases = Vec::new();
        for place in own {
            let operations = self.values(statement, &place.name)?.params()?;
            all = Some(match all {
                None => operations.clone(),
                Some(all) => all.union(&operations)?,
            });
            cases.push((place, operations));
        }
        let all = all.ok_or_else(|| fault("an access without a place"))?.coalesce()?;
        let names = self.names(statement, &all)?;
        let condition =
            |operations: &Set, rest: &Set| self.condition(&names, &operations.gist_params(rest)?.coalesce()?);
        let mut ordered = Vec::new();
        for (place, operations) in cases {
            let length = condition(&operations, &all)?.len();
            ordered.push(((place.place.is_none(), length), place, operations));
        }
        ordered.sort_by_key(|(rank, ..)| *rank);
        let (mut rest, mut cases) = (all, Vec::new());
        for (_, place, operations) in ordered {
            let text = condition(&operations, &rest)?;
            rest = rest.subtract(&operations)?.coalesce()?;
            cases.push((place, operations, text));
        }
        Ok(cases)
    }

    /// The coordinates of a value in front of its cell's.
    fn versions(&self, place: &PlacedAccess, operations: &Set, count: usize) -> Result<Vec<String>> {
        let values = self.values(place.statement, &place.name)?;
        let names = self.names(place.statement, operations)?;
        (0..count).map(|k| names.value(&values.dim_max(k)?.coalesce()?.gist_params(operations)?.coalesce()?)).collect()
    }
}

/// Rewrites all accesses to values; `edits` are the other changes of the scop's text.
pub(crate) fn rewrite_values(
    source: &str,
    decisions: &Decisions,
    constants: &Constants,
    edits: &mut Edits,
) -> Result<()> {
    let scop = decisions.scop;
    let signed = Signed::at(source, scop.span.start);
    let writer = Writer {
        counters: Counters { source, scop, parameters: decisions.parameters },
        source,
        decisions,
        signed: &signed,
        constants,
    };
    let mut split = Vec::new();
    for values in &decisions.values {
        for (statement, k) in accesses(values) {
            let access = &scop.statement(statement).accesses[k];
            let cases = writer.cases(statement, k, values)?;
            let is_one = cases.iter().all(|case| case.text.is_some() && case.text == cases[0].text);
            match access.is_read() || is_one {
                true => edits.push(Edit { span: access.place.span.clone(), text: choice(cases)? }),
                false => split.push(Split { statement, write: access.place.span.clone(), cases }),
            }
        }
    }
    let spans: Vec<Span> = split.iter().map(|split| scop.statement(split.statement).span.clone()).collect();
    let statements: Vec<Edit> = (split.iter().zip(&spans))
        .map(|(split, span)| Edit { span: span.clone(), text: writer.branches(span, split, edits) })
        .collect();
    edits.drop_inside(&spans);
    statements.into_iter().for_each(|edit| edits.push(edit));
    Ok(())
}

/// Whether some declaration between the pragmas that stands in no head of a loop may declare a name.
fn is_declared_in_a_block(source: &str, scop: &Span, name: &str) -> bool {
    let all = tokens(source, scop);
    (0..all.len()).filter(|at| all[*at].text == name).any(|at| {
        let begins = |t: &Token| t.is_any(&[';', '{', '}', '(']) || t.kind == Kind::Directive;
        let start = all[..at].iter().rposition(begins).map_or(0, |before| before + 1);
        let in_head = start > 0 && all[start - 1].is('(');
        let has_type = at > start
            && all[start].kind == Kind::Word
            && (all[start + 1].kind == Kind::Word || all[start + 1].is('*'))
            && !matches!(all[start].text, "return" | "else" | "goto" | "do");
        has_type && !in_head
    })
}

struct Writer<'a> {
    counters: Counters<'a>,
    source: &'a str,
    decisions: &'a Decisions<'a>,
    signed: &'a Signed,
    constants: &'a Constants,
}

impl Writer<'_> {
    /// What an access reads like; the last case needs no condition, unless it has no text.
    fn cases(&self, statement: StatementId, k: usize, values: &PlacedValues) -> Result<Vec<Case>> {
        let access = &self.decisions.scop.statement(statement).accesses[k];
        let mut cases: Vec<Case> = Vec::new();
        for (place, operations, condition) in self.counters.cases(statement, k, values)? {
            let text = self.text(place, access, &operations, values.version_dimensions())?;
            cases.push(Case { condition, text });
        }
        Ok(cases)
    }

    fn text(&self, at: &PlacedAccess, access: &Access, operations: &Set, versions: usize) -> Result<Option<String>> {
        let Some(place) = &at.place else { return Ok(None) };
        let first = place.shared().unwrap_or(place.array());
        let buffer = self.decisions.value_buffers.iter().find(|buffer| buffer.first == first);
        let buffer = buffer.ok_or_else(|| fault("values live in a buffer that is not declared"))?;
        let versions = self.counters.versions(at, operations, versions)?;
        // A sum of a version and a coordinate may be past `int`, though both fit.
        let is_added =
            |row: &Row| row.coefficients.iter().zip(&versions).any(|(c, v)| *c != 0 && v.parse::<i64>().is_err());
        let is_versioned = place.rows().iter().any(is_added);
        let wide = is_versioned || may_be_wide(self.decisions.scop, self.decisions.array(buffer.owner));
        let reference = Reference {
            name: &buffer.name,
            access,
            text: self.source,
            storage: place,
            moduli: Moduli { array: first, names: self.decisions.names, constants: self.constants, wide },
            variables: Variables { scop: self.decisions.scop, signed: self.signed, wide },
        };
        reference.value_in_c(&versions).map(Some)
    }

    /// The statement once for each case.
    fn branches(&self, span: &Span, split: &Split, edits: &Edits) -> String {
        let line = self.source[..span.start].rfind('\n').map_or(0, |n| n + 1);
        let indent: String = self.source[line..].chars().take_while(|c| c.is_whitespace()).collect();
        let is_in_block = stands_in_a_block(self.source, &self.decisions.scop.span, span);
        let outer = if is_in_block { indent.clone() } else { format!("{indent}  ") };
        let (dropped, cases): (Vec<&Case>, Vec<&Case>) = split.cases.iter().partition(|case| case.text.is_none());
        let mut text = String::new();
        for (at, case) in cases.iter().enumerate() {
            let mut own = edits.clone();
            own.push(Edit { span: split.write.clone(), text: case.text.clone().unwrap_or_default() });
            let head = match (at, at + 1 == cases.len() && dropped.is_empty()) {
                (0, _) => format!("if ({})", case.condition),
                (_, false) => format!("\n{outer}else if ({})", case.condition),
                (_, true) => format!("\n{outer}else"),
            };
            let statement = own.apply_within(self.source, span);
            let statement = if assigns_to_itself(&statement) { "{ }" } else { &statement };
            text.push_str(&format!("{head}\n{outer}  {statement}"));
        }
        if is_in_block { text } else { format!("{{\n{outer}{text}\n{indent}}}") }
    }
}

/// A statement whose write goes to several places, or to none.
struct Split {
    statement: StatementId,
    /// Its left side.
    write: Span,
    cases: Vec<Case>,
}

/// `(a ? x : b ? y : z)`.
fn choice(cases: Vec<Case>) -> Result<String> {
    let mut texts: Vec<(String, String)> = Vec::new();
    for case in cases {
        let text = case.text.ok_or_else(|| fault("a value is read that lives nowhere"))?;
        texts.push((case.condition, text));
    }
    if texts.iter().all(|(_, text)| *text == texts[0].1) {
        return Ok(texts.swap_remove(0).1);
    }
    let last = texts.len() - 1;
    let part = |(at, (condition, text)): (usize, &(String, String))| match at == last {
        true => text.clone(),
        false => format!("{} ? {text}", operand(condition)),
    };
    Ok(format!("({})", texts.iter().enumerate().map(part).collect::<Vec<_>>().join(" : ")))
}

/// Fit to stand in front of `?`.
fn operand(condition: &str) -> String {
    if condition.contains(['?', ':', '&', '|']) { format!("({condition})") } else { condition.to_string() }
}
