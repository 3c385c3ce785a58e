//! What the optimizer sees of an array, as text: every set and relation in isl notation that parses back.
//!
//! Dates are shown as the statement instances they belong to.

use crate::drawing::draw;
use polyfold_flow::{Model, StatementModel, dataflow, first_writes, last_reads};
use polyfold_isl::{Context, Error, ErrorKind, Map, Set};
use polyfold_live::{DifferenceSet, Lifetimes, Precision, conflicts, end_reads, max_live};
use polyfold_plan::{Options, borrow, choose_sizes, contradiction, declared_cells, impossible};
use polyfold_scop::{ArrayId, Role, Scop, StatementId};
use std::fmt::Write;

/// The analysis of one scop: its loops, then `array`, or every array if that is `None`.
///
/// # Errors
/// When the work bound is reached, or no run has the sizes that the user gave.
pub fn analyze(
    ctx: &Context,
    scop: &Scop,
    source: &str,
    array: Option<&str>,
    options: &Options,
) -> Result<String, Error> {
    let model = ctx.with_quota(options.max_operations, || Model::build(ctx, scop))?;
    if model.contradicts {
        let message = contradiction(&model.known, &model.parameters, scop, &options.assumptions)?;
        return Err(Error { kind: ErrorKind::Invalid, message });
    }
    if let Some(message) = impossible(&model.known, &model.parameters, scop, &options.sizes)? {
        return Err(Error { kind: ErrorKind::Refused, message });
    }
    let sizes = choose_sizes(&model, options, 10)?.values;
    let view = View { ctx, model: &model, source, sizes };
    let mut out = view.program();
    for id in (0..scop.arrays.len()).map(ArrayId) {
        let wanted = match array {
            Some(name) => scop.array(id).name == name,
            None => !scop.array(id).is_scalar(),
        };
        if wanted {
            out += &ctx.with_quota(options.max_operations, || view.array(id, options))?;
        }
    }
    Ok(out)
}

struct View<'a> {
    ctx: &'a Context,
    model: &'a Model<'a>,
    source: &'a str,
    sizes: Vec<(String, i64)>,
}

impl View<'_> {
    fn program(&self) -> String {
        let scop = self.model.scop;
        let mut out = format!("{}, scop at line {}\n", scop.function, scop.line);
        let _ = writeln!(out, "  context   {}", self.model.context);
        for (statement, model) in scop.statements.iter().zip(&self.model.statements) {
            let text = self.source[statement.span.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
            let _ = writeln!(out, "  {} (line {}): {text}", statement.name, statement.line);
            let _ = writeln!(out, "    domain    {}", model.domain);
            let _ = writeln!(out, "    schedule  {}", model.schedule);
        }
        out
    }

    fn array(&self, id: ArrayId, options: &Options) -> Result<String, Error> {
        let scop = self.model.scop;
        let array = scop.array(id);
        let end = if array.is_live_out() { end_reads(self.model, id)? } else { None };
        let mut accesses = self.model.accesses(id).clone();
        accesses.reads.extend(end.clone());
        let mut out = format!("\n{} ({} of {})\n", array.name, dimensions(array.extents.len()), array.element);
        let role = match &array.role {
            Role::Temporary => "a temporary: only this scop uses it".to_string(),
            Role::Kept(kept) => kept.reason.clone(),
        };
        let _ = writeln!(out, "  role         {role}");
        self.accesses(id, &mut out);
        self.section(&mut out, "first writes", self.by_operation(first_writes(&accesses)?, None)?);
        self.section(&mut out, "last reads", self.by_operation(last_reads(&accesses)?, end.as_ref())?);
        self.section(&mut out, "dataflow", self.between_operations(dataflow(&accesses)?, end.as_ref())?);
        let lifetimes =
            if end.is_some() { Lifetimes::to_the_end(self.model, id) } else { Lifetimes::of(self.model, id) }?;
        if let Some(exposed) = lifetimes.exposed() {
            let cells = exposed.range()?.coalesce()?;
            let _ = writeln!(out, "  read before written\n    {cells}");
        }
        for (precision, label) in [(Precision::Cell, "per cell"), (Precision::Value, "per value")] {
            let found = conflicts(&lifetimes, precision)?;
            let pairs = found.pairs()?.map_or("{ }".to_string(), |pairs| pairs.to_string());
            let _ = writeln!(out, "  conflicts, {label}\n    {pairs}");
            let differences = DifferenceSet::of(self.ctx, found, array.extents.len())?;
            let _ = writeln!(out, "  differences of conflicting cells, {label}\n    {}", differences.set());
            self.widths(differences.set(), array.extents.len(), &mut out)?;
        }
        self.count(id, options, &mut out);
        Ok(out)
    }

    /// The references in the text, with their lines.
    fn accesses(&self, id: ArrayId, out: &mut String) {
        let scop = self.model.scop;
        for write in [true, false] {
            let mut places: Vec<String> = Vec::new();
            for statement in &scop.statements {
                for access in statement.accesses.iter().filter(|a| a.array == id && a.is_write() == write) {
                    let text = access.place.fragment.map_or(self.source, |f| scop.fragments[f.0].text.as_str());
                    let reference = &text[access.place.span.clone()];
                    places.push(format!("{reference} in {} (line {})", statement.name, statement.line));
                }
            }
            places.dedup();
            let label = if write { "written as" } else { "read as" };
            let _ =
                writeln!(out, "  {label:12} {}", if places.is_empty() { "nothing".into() } else { places.join(", ") });
        }
    }

    fn section(&self, out: &mut String, title: &str, relations: Vec<String>) {
        let _ = writeln!(out, "  {title}");
        if relations.is_empty() {
            let _ = writeln!(out, "    {{ }}");
        }
        for relation in relations {
            let _ = writeln!(out, "    {relation}");
        }
    }

    fn statements(&self) -> impl Iterator<Item = (StatementId, &StatementModel)> {
        self.model.statements.iter().enumerate().map(|(k, s)| (StatementId(k), s))
    }

    /// `{ date -> operation }`, statement by statement, and for END if there are reads at it.
    fn operations(&self, end: Option<&Map>) -> Result<Vec<Map>, Error> {
        let mut all = Vec::new();
        for (_, statement) in self.statements() {
            all.push(statement.all_dates()?.reverse()?);
        }
        if let Some(end) = end {
            let behind = Set::read(self.ctx, "{ END[] }")?;
            all.push(end.domain()?.with_each_of(&behind)?);
        }
        Ok(all)
    }

    /// `{ cell -> date }` as one relation `{ cell -> S[i] }` per statement.
    fn by_operation(&self, dates: Option<Map>, end: Option<&Map>) -> Result<Vec<String>, Error> {
        let Some(dates) = dates else { return Ok(Vec::new()) };
        let mut relations = Vec::new();
        for operation in self.operations(end)? {
            let relation = dates.apply_range(&operation)?.coalesce()?;
            if !relation.is_empty()? {
                relations.push(relation.to_string());
            }
        }
        Ok(relations)
    }

    /// `{ write -> [read -> cell] }` as one relation `{ S[i] -> T[j] }` per pair of statements.
    fn between_operations(&self, dependences: Option<Map>, end: Option<&Map>) -> Result<Vec<String>, Error> {
        let Some(dependences) = dependences else { return Ok(Vec::new()) };
        let dates = dependences.range_factor_domain()?;
        let mut relations = Vec::new();
        for (_, writer) in self.statements() {
            let from = writer.schedule.apply_range(&dates)?;
            if from.is_empty()? {
                continue;
            }
            for reader in self.operations(end)? {
                let relation = from.apply_range(&reader)?.coalesce()?;
                if !relation.is_empty()? {
                    relations.push(relation.to_string());
                }
            }
        }
        Ok(relations)
    }

    fn widths(&self, differences: &Set, dimensions: usize, out: &mut String) -> Result<(), Error> {
        let here = differences.at(&borrow(&self.sizes))?;
        let mut widest = Vec::new();
        for axis in 0..dimensions {
            widest.push(here.dim_max_value(axis)?.unwrap_or(0).to_string());
        }
        let _ = writeln!(out, "    largest along each axis{}: {}", self.at(), widest.join(", "));
        out.push_str(&draw(&here)?.unwrap_or_default());
        Ok(())
    }

    fn at(&self) -> String {
        let sizes: Vec<String> = self.sizes.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        if sizes.is_empty() { String::new() } else { format!(" at {}", sizes.join(", ")) }
    }

    fn count(&self, id: ArrayId, options: &Options, out: &mut String) {
        let values: Vec<i64> = self.sizes.iter().map(|(_, v)| *v).collect();
        let declared = declared_cells(self.model.scop, id, &self.sizes);
        let declared = declared.map_or("?".to_string(), |cells| cells.to_string());
        let live = match max_live(self.model.scop, &[id], &values, options.max_operations) {
            Ok(count) => format!("{} of its values are alive at once", count.total),
            Err(why) => format!("values alive at once not counted: {why}"),
        };
        let _ = writeln!(out, "  max live     {live}, {declared} cells are declared{}", self.at());
    }
}

fn dimensions(count: usize) -> String {
    match count {
        0 => "scalar".to_string(),
        1 => "1 dimension".to_string(),
        n => format!("{n} dimensions"),
    }
}
