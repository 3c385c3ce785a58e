//! One array's story: who writes it, who reads it last, and which two values keep its storage from being smaller.
//!
//! ```text
//! x and y in one cell of a buffer with one row less, both needed at some date        rows are needed
//! ```
//!
//! The scop is run at small sizes. For each dimension of the storage, from the outermost, its extent is taken for one less: two values that share a
//! cell then, and are needed at the same time, are what keeps it. Where all cells are in use at one moment, nothing can be smaller.
//!
//! Example: a stencil's `a[i % 3][j]` has three rows since `a[0][1]` and `a[2][1]` are both read when row 2 is complete.
//!
//! Invariant: what is said was seen in a run at the sizes named. It explains a result, and decides nothing.

use crate::execution::first_set;
use polyfold_codegen::new_statement;
use polyfold_isl::{Error, Set};
use polyfold_live::{History, Operation, Value, history};
use polyfold_plan::{Optimized, Outcome};
use polyfold_prove::{Placed, RowForm};
use polyfold_report::Story;
use polyfold_scop::{ArrayId, ParameterOrigin, Scop, StatementId};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Sizes that are tried, one after the other.
const SIZES: std::ops::RangeInclusive<i64> = 6..=16;

/// Bound on running the scop.
const STEPS: u64 = 500_000;

/// Cells that are drawn.
const MOST_ROWS: usize = 8;

/// Columns for time.
const COLUMNS: u32 = 56;

/// Names of statements, and the text that they stand in.
pub struct Told<'a> {
    /// The scop with the storage.
    pub scop: &'a Scop,
    /// Its text.
    pub source: &'a str,
    /// The line of a statement in the user's file, if it stands there.
    pub line: &'a dyn Fn(StatementId) -> Option<usize>,
}

/// A statement's text, in one line.
pub(crate) fn text_of(source: &str, scop: &Scop, id: StatementId) -> String {
    let in_file = || source.get(scop.statement(id).span.clone()).unwrap_or_default().to_string();
    let text = new_statement(scop, id).unwrap_or_else(in_file);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

impl Told<'_> {
    fn text(&self, id: StatementId) -> String {
        text_of(self.source, self.scop, id)
    }

    /// `line 27: y[k][k] = alpha[k];`
    fn statement(&self, id: StatementId) -> String {
        (self.line)(id).map_or(String::new(), |line| format!("line {line}: ")) + &self.text(id)
    }

    /// `line 27 (k = 1, i = 0)`
    fn operation(&self, operation: &Operation) -> String {
        let statement = self.scop.statement(operation.statement);
        let loops = self.scop.loops();
        let counters = statement.loops.iter().zip(&operation.counters);
        let counters: Vec<String> = counters.map(|(id, value)| format!("{} = {value}", loops[id.0].iterator)).collect();
        let name = match (self.line)(operation.statement) {
            Some(line) => format!("line {line}"),
            None => first_set(self.scop, operation.statement, self.source)
                .map_or(format!("`{}`", self.text(operation.statement)), |set| format!("`{set} = …`")),
        };
        if counters.is_empty() { name } else { format!("{name} ({})", counters.join(", ")) }
    }

    fn cell(&self, value: &Value) -> String {
        let subscripts: String = value.cell.iter().map(|at| format!("[{at}]")).collect();
        format!("{}{subscripts}", self.scop.array(value.array).name)
    }

    /// `y[0][1] is written by line 17 and read last by line 27 (k = 1, i = 0)`
    fn value(&self, value: &Value, run: &History) -> String {
        let by = |date: u32| run.operation(date).map_or("some statement".to_string(), |own| self.operation(own));
        let written = match value.written {
            0 => "is there before the loops".to_string(),
            date => format!("is written by {}", by(date)),
        };
        let read = match value.last_read == value.written {
            true => "never read".to_string(),
            false => format!("read last by {}", by(value.last_read)),
        };
        format!("{} {written} and {read}", self.cell(value))
    }
}

/// The story of an array of a scop.
///
/// # Errors
/// Only after an earlier failure of isl.
pub fn story(told: &Told, result: &Optimized, id: ArrayId) -> Result<Story, Error> {
    let scop = told.scop;
    let touching = |is_meant: fn(&polyfold_scop::Access) -> bool| {
        let touches = |k: &usize| scop.statements[*k].accesses.iter().any(|a| a.array == id && is_meant(a));
        (0..scop.statements.len()).filter(touches).map(|k| told.statement(StatementId(k))).collect::<Vec<String>>()
    };
    let (written, read) = (touching(polyfold_scop::Access::is_write), touching(polyfold_scop::Access::is_read));
    let mut found = Story { at: BTreeMap::new(), written, read, why: None, lifetimes: Vec::new(), cells: 0 };
    if let Some(Outcome::Kept { code, reason, help, .. }) = outcome(result, id) {
        let help = help.iter().map(|help| format!(". Help: {help}")).collect::<String>();
        found.why = Some(format!("It stays as it is: {reason} ({code}){help}"));
    }
    let useful = result.useful(scop);
    let group = together(result, id);
    let arrays: Vec<ArrayId> = if group.is_empty() { vec![id] } else { group.keys().copied().collect() };
    let Some((sizes, run)) = small_run(&useful, result, &arrays)? else { return Ok(found) };
    found.at = scop.parameters.iter().zip(&sizes).map(|(p, size)| (p.name.clone(), *size)).collect();
    (found.lifetimes, found.cells) = lifetimes(told, &run, id);
    if found.why.is_none() && !group.is_empty() {
        found.why = why(told, &run, &Seats::of(result, &group, &sizes)?);
    }
    Ok(found)
}

fn outcome(result: &Optimized, id: ArrayId) -> Option<&Outcome> {
    result.outcomes.iter().find(|(own, _)| *own == id).map(|(_, outcome)| outcome)
}

/// The arrays whose cells live in one buffer with those of an array, that itself too, each with its place.
fn together(result: &Optimized, id: ArrayId) -> BTreeMap<ArrayId, &Placed> {
    match outcome(result, id) {
        Some(Outcome::Mapped { storage, .. }) => BTreeMap::from([(id, storage.place())]),
        Some(Outcome::Shared { buffer, .. }) => {
            let in_it = result.outcomes.iter().filter_map(|(own, outcome)| match outcome {
                Outcome::Shared { buffer: other, member } if other == buffer => {
                    Some((*own, result.buffers[*buffer].storage.place(*member)))
                }
                _ => None,
            });
            in_it.collect()
        }
        _ => BTreeMap::new(),
    }
}

/// A run at the first sizes that are small enough, and for which the storage is proved: constants have their values, unless these are too large.
fn small_run(scop: &Scop, result: &Optimized, arrays: &[ArrayId]) -> Result<Option<(Vec<i64>, History)>, Error> {
    for (are_kept, size) in [true, false].into_iter().flat_map(|are_kept| SIZES.map(move |size| (are_kept, size))) {
        let value = |origin: &ParameterOrigin| match origin {
            ParameterOrigin::Constant(value) if are_kept => *value,
            ParameterOrigin::Constant(_) | ParameterOrigin::Variable => size,
        };
        let sizes: Vec<i64> = scop.parameters.iter().map(|parameter| value(&parameter.origin)).collect();
        if has_point(&result.proved, &result.parameters, &sizes)?
            && let Ok(run) = history(scop, arrays, &sizes, STEPS)
        {
            return Ok(Some((sizes, run)));
        }
    }
    Ok(None)
}

fn has_point(set: &Set, parameters: &[String], sizes: &[i64]) -> Result<bool, Error> {
    let named: Vec<(&str, i64)> = parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
    Ok(!set.at(&named)?.is_empty()?)
}

/// Places of arrays at some sizes.
struct Seats {
    /// By array, rows with the number that is added to each.
    rows: BTreeMap<ArrayId, Vec<(Vec<i64>, i64)>>,
    /// The extents of the buffer.
    extents: Vec<i64>,
}

impl Seats {
    fn of(result: &Optimized, group: &BTreeMap<ArrayId, &Placed>, sizes: &[i64]) -> Result<Seats, Error> {
        let named: Vec<(&str, i64)> = result.parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
        let (mut rows, mut extents) = (BTreeMap::new(), Vec::new());
        for (id, place) in group {
            let mut own = Vec::new();
            extents.clear();
            for row in place.rows() {
                let added = match &row.form {
                    RowForm::Fits { lowest } => -lowest.eval(&named)?.unwrap_or(0),
                    _ => row.shift.eval(&named)?.unwrap_or(0),
                };
                own.push((row.coefficients.clone(), added));
                extents.push(row.modulus.eval(&named)?.unwrap_or(1));
            }
            if place.linear().is_none() {
                rows.insert(*id, own);
            }
        }
        Ok(Seats { rows, extents })
    }

    /// The cell of a value in a buffer of some extents.
    fn cell(&self, value: &Value, extents: &[i64]) -> Option<Vec<i64>> {
        let rows = self.rows.get(&value.array)?;
        let at = |((coefficients, added), extent): (&(Vec<i64>, i64), &i64)| {
            let sum: i64 = coefficients.iter().zip(&value.cell).map(|(factor, at)| factor * at).sum();
            (sum + added).rem_euclid(*extent)
        };
        Some(rows.iter().zip(extents).map(at).collect())
    }
}

/// Why a buffer is not smaller.
fn why(told: &Told, run: &History, seats: &Seats) -> Option<String> {
    let cells: i64 = seats.extents.iter().product();
    let (date, most) = fullest(run);
    if most as i64 == cells {
        let when = run.operation(date).map_or("some statement".to_string(), |own| told.operation(own));
        let all = if cells == 1 {
            "Its only cell holds a value".to_string()
        } else {
            format!("All {cells} cells hold values")
        };
        return Some(format!("{all} when {when} has run: no storage has fewer."));
    }
    for (k, extent) in seats.extents.iter().enumerate().filter(|(_, extent)| **extent > 1) {
        let mut smaller = seats.extents.clone();
        smaller[k] = extent - 1;
        let Some((one, other)) = colliding(run, seats, &smaller) else { continue };
        let what = |extents: &[i64]| extents.iter().map(|extent| format!("[{extent}]")).collect::<String>();
        return Some(format!(
            "In {} cells instead of {}, {} and {} would share one, and both are needed at once. {}; {}.",
            what(&smaller),
            what(&seats.extents),
            told.cell(one),
            told.cell(other),
            told.value(one, run),
            told.value(other, run)
        ));
    }
    Some(format!(
        "{most} of its {cells} cells are needed at once. At these sizes one row less would do in each dimension: other sizes need it, or the \
         cells were spent on plainer subscripts."
    ))
}

/// The first date at which the most values need their cells, and how many do.
fn fullest(run: &History) -> (u32, usize) {
    let mut changes: Vec<(u32, i64)> = run.values.iter().flat_map(|v| [(v.written, 1), (v.until(), -1)]).collect();
    changes.sort_unstable();
    let (mut now, mut best) = (0i64, (0, 0));
    for (date, change) in changes {
        now += change;
        if now > best.1 {
            best = (date, now);
        }
    }
    (best.0, best.1 as usize)
}

/// Two values that would be in one cell of a smaller buffer while both are needed.
fn colliding<'r>(run: &'r History, seats: &Seats, extents: &[i64]) -> Option<(&'r Value, &'r Value)> {
    let mut last: HashMap<Vec<i64>, &Value> = HashMap::new();
    for value in &run.values {
        let cell = seats.cell(value, extents)?;
        match last.get(&cell) {
            Some(other) if other.overlaps(value) && (other.array, &other.cell) != (value.array, &value.cell) => {
                return Some((other, value));
            }
            Some(other) if other.until() > value.until() => {}
            _ => {
                last.insert(cell, value);
            }
        }
    }
    None
}

/// Some cells with their values over time, and how many there are.
fn lifetimes(told: &Told, run: &History, id: ArrayId) -> (Vec<(String, String)>, usize) {
    let own: Vec<&Value> = run.values.iter().filter(|value| value.array == id).collect();
    let cells: BTreeSet<&Vec<i64>> = own.iter().map(|value| &value.cell).collect();
    let end = run.operations.keys().next_back().copied().unwrap_or(0) + 1;
    let column = |date: u32| u64::from(date) * u64::from(COLUMNS) / u64::from(end.max(1));
    let row = |cell: &&Vec<i64>| {
        let values: Vec<&&Value> = own.iter().filter(|value| value.cell == **cell).collect();
        let is_needed = |at: u64| values.iter().any(|v| column(v.written) <= at && at <= column(v.until() - 1));
        let bar: String = (0..u64::from(COLUMNS)).map(|at| if is_needed(at) { '=' } else { '.' }).collect();
        (told.cell(values[0]), bar)
    };
    (cells.iter().take(MOST_ROWS).map(row).collect(), cells.len())
}
