//! Declarations of buffers that hold values of several arrays, by name.
//!
//! Example: `double Q_values[N + 1];`, with the comment `/* Q[j] lives in Q_values[(i + j) mod (N + 1)] while i turns of the loop
//! over t are left */`.

use super::OneScop;
use super::text::{coordinates, extents_in_c, few_cells};
use crate::constants::Place;
use crate::described::Words;
use crate::sizes_in_c::SizesInC;
use crate::sliding::{self, WrittenSlide};
use crate::values::{ValueBuffer, WritableValues};
use crate::{Form, fault};
use polyfold_emit::{Declarator, Line};
use polyfold_isl::{Map, Result, Set};
use polyfold_program::{Cond, Int, Level};
use polyfold_prove::Versions;
use polyfold_prove::{Placed, PlacedAccess, PlacedValues};
use polyfold_scop::LoopId;

/// A longer condition says less than the code.
const LONG: usize = 48;

impl OneScop<'_> {
    pub(super) fn declare_values(&mut self) -> Result<()> {
        for buffer in &self.decisions.value_buffers {
            self.declare_buffer(buffer)?;
        }
        for values in &self.decisions.values {
            self.declare_elsewhere(self.decisions.array(values.array()));
        }
        Ok(())
    }

    fn declare_buffer(&mut self, buffer: &ValueBuffer) -> Result<()> {
        let owner = self.decisions.array(buffer.owner);
        let Some(declaration) = &owner.declaration else { return Ok(()) };
        let Some(id) = self.after.buffer(&buffer.name).filter(|id| self.after.body.iter().any(|own| own.uses(*id)))
        else {
            return Ok(());
        };
        let constants = &self.region.constants;
        let slides = sliding::written(self.source, self.decisions);
        let slide = slides.iter().find(|slide| slide.is_of(buffer.first));
        let mut declarator = None;
        for (values, place) in places(&self.decisions.values, buffer) {
            let words = Words::new(buffer.first, self.decisions.names, constants);
            let comment = Line::Comment(self.comment(buffer, values, place, (words, slide))?);
            if !self.storage.at_scop.contains(&comment) {
                self.storage.at_scop.push(comment);
            }
            let extents = extents_in_c((place, owner), self.decisions.names, constants)?;
            let cells: String = extents.iter().map(|extent| format!("[{}]", extent.within(Level::Whole))).collect();
            declarator = Some((cells, few_cells(place)));
        }
        let Some((extents, few)) = declarator else { return Ok(()) };
        self.storage.at_scop.extend(constants.declarations(buffer.first, Place::AtScop));
        let values = self.decisions.values.iter().find(|values| values.array() == buffer.owner);
        let is_named_by_cell =
            values.is_none_or(|values| matches!(values.placed().versions(), Versions::One | Versions::TurnsLeft(_)));
        let value = match (extents.is_empty(), owner.element_bytes) {
            // What is to be contracted yet must not seem to have a value.
            (false, _) if few.is_some() && is_named_by_cell => " = {0}",
            (false, _) => "",
            (true, Some(_)) => " = 0",
            (true, None) => " = {0}",
        };
        let is_variable = extents.is_empty();
        let cells = format!("{}{extents}", buffer.name);
        let declarator = Declarator { cells, attributes: declaration.attributes.clone(), initializer: value };
        self.storage.at_scop.push(Line::Declaration { specifiers: declaration.specifiers.clone(), declarator });
        let is_read = self.after.body.iter().any(|own| own.reads(id));
        if is_variable && !is_read {
            self.storage.mentions.push(buffer.name.clone());
        }
        if let (Form::Hls, Some((_, place))) = (self.decisions.form, places(&self.decisions.values, buffer).first()) {
            self.storage.at_scop.extend(self.decisions.partitions(&buffer.name, place)?);
        }
        Ok(())
    }

    /// A condition on the coordinates of the cells whose values live in a place, out of all that the program touches.
    fn cells(&self, values: &PlacedValues, place: &Placed, names: &[String]) -> Result<Option<String>> {
        let is_there = |a: &&PlacedAccess| a.place.as_ref().is_some_and(|p| p.array() == place.array());
        let here = values.accesses().iter().filter(is_there).map(|a| &a.name);
        let versions = values.versions().dimensions();
        let all = values.accesses().iter().map(|a| &a.name);
        let (Some(here), Some(all)) = (cells(here, versions)?, cells(all, versions)?) else {
            return Ok(None);
        };
        let in_isl: Vec<String> = (0..names.len()).map(|k| format!("_c{k}")).collect();
        let (here, all) = (here.identity()?.by_start(&in_isl)?.params()?, all.identity()?.by_start(&in_isl)?.params()?);
        let sizes = SizesInC::to_read(&all, self.decisions.parameters, self.decisions.scop)?;
        let sizes = sizes.with_counters(in_isl.iter().zip(names));
        let cond = sizes.cond(&here.gist_params(&all)?.coalesce()?)?;
        let always = matches!(&cond, Cond::Compare(_, Int::Constant(_), Int::Constant(_)));
        Ok((!always).then(|| sizes.program().text_of_cond(&cond)))
    }

    /// The same in words, unless it is all of them.
    fn which(&self, values: &PlacedValues, place: &Placed, names: &[String]) -> Result<String> {
        Ok(match self.cells(values, place, names)? {
            None => String::new(),
            Some(condition) if condition.len() > LONG => ", in part,".to_string(),
            Some(condition) => format!(" for {condition}"),
        })
    }

    fn comment(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        (words, slide): (Words, Option<&WrittenSlide>),
    ) -> Result<String> {
        if let Some(slide) = slide {
            return self.comment_by_turn(values, place, (words, slide));
        }
        match values.versions() {
            Versions::Operations(_) | Versions::Turns(_) => self.comment_by_iteration(buffer, values, place, words),
            Versions::TurnsLeft(time) => self.comment_by_cell(buffer, values, place, (words, Some(time))),
            Versions::One => self.comment_by_cell(buffer, values, place, (words, None)),
        }
    }

    /// Examples: `what S0 writes to a lives in a_S0[t][i]`, `a[i] of each turn over t lives in a_turns[t][i]`.
    fn comment_by_iteration(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        mut words: Words,
    ) -> Result<String> {
        let (scop, array) = (self.decisions.scop, self.decisions.array(values.array()));
        let is_write = |a: &&PlacedAccess| scop.statement(a.statement).accesses[a.access].is_write();
        let is_there = |a: &&PlacedAccess| a.place.as_ref().is_some_and(|p| p.array() == place.array());
        let writer = values.accesses().iter().filter(is_write).find(is_there);
        let writer = scop.statement(writer.ok_or_else(|| fault("values that nobody writes"))?.statement);
        let counters = writer.loops.iter().map(|id| scop.loops()[id.0].iterator.clone());
        let (versions, dimensions) = (values.versions().dimensions(), array.extents.len());
        let known: Vec<String> = counters.take(versions).collect();
        let free = coordinates(scop, 2 * versions + dimensions).into_iter().filter(|name| !known.contains(name));
        let names: Vec<String> = known.iter().cloned().chain(free).take(versions + dimensions).collect();
        let coordinates = words.all_named(&names);
        let new = words.place(place, &coordinates)?;
        let new = words.cell(&buffer.name, &new);
        Ok(match values.versions() {
            Versions::Turns(_) => {
                let old: String = names[versions..].iter().map(|c| format!("[{c}]")).collect();
                format!("{}{old} of each turn over {} lives in {new}", array.name, known.join(" and "))
            }
            _ => format!("what {} writes to {} lives in {new}", writer.name, array.name),
        })
    }

    /// Example: `Q[j] for j >= 1 lives in Q_values[Q_values_from + j - 1], 1 cell further down after each turn of the loop over t`.
    fn comment_by_turn(
        &self,
        values: &PlacedValues,
        place: &Placed,
        (mut words, slide): (Words, &WrittenSlide),
    ) -> Result<String> {
        let array = self.decisions.array(values.array());
        let names = coordinates(self.decisions.scop, array.extents.len());
        let old: String = names.iter().map(|c| format!("[{c}]")).collect();
        let new = slide.description(&mut words, place, &names)?;
        let which = self.which(values, place, &names)?;
        Ok(format!("{}{old}{which} lives in {new}, {}", array.name, slide.how(self.decisions.scop)))
    }

    fn comment_by_cell(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        (mut words, time): (Words, Option<LoopId>),
    ) -> Result<String> {
        let array = self.decisions.array(values.array());
        let versions = values.versions().dimensions();
        let names = coordinates(self.decisions.scop, versions + array.extents.len());
        let old: String = names[versions..].iter().map(|c| format!("[{c}]")).collect();
        let coordinates = words.all_named(&names);
        let new = words.place(place, &coordinates)?;
        let new = words.cell(&buffer.name, &new);
        let when = match time.filter(|_| place.reads(0)) {
            Some(time) => {
                let counter = &self.decisions.scop.loops()[time.0].iterator;
                format!(" while {} turns of the loop over {counter} are left", names[0])
            }
            None => String::new(),
        };
        let which = self.which(values, place, &names[versions..])?;
        Ok(format!("{}{old}{which} lives in {new}{when}", array.name))
    }
}

/// The cells whose values are named.
fn cells<'a>(names: impl Iterator<Item = &'a Map>, versions: usize) -> Result<Option<Set>> {
    let mut all: Option<Set> = None;
    for name in names {
        let cells = name.range()?.project_out(0, versions)?;
        all = Some(match all {
            None => cells,
            Some(all) => all.union(&cells)?,
        });
    }
    all.map(|all| all.coalesce()).transpose()
}

/// The places of a buffer's classes, each once.
fn places<'a>(values: &'a [WritableValues], buffer: &ValueBuffer) -> Vec<(&'a PlacedValues, &'a Placed)> {
    let mut found: Vec<(&PlacedValues, &Placed)> = Vec::new();
    for values in values.iter().map(WritableValues::placed) {
        for place in values.accesses().iter().filter_map(|access| access.place.as_ref()) {
            let is_new = found.iter().all(|(_, other)| other.array() != place.array());
            if place.shared() == Some(buffer.first) && is_new {
                found.push((values, place));
            }
        }
    }
    found
}
