//! Declarations of buffers that hold values of several arrays, by name.
//!
//! Example: `double Q_values[N + 1];`, with the comment `/* Q[j] lives in Q_values[(i + j) mod (N + 1)] while i turns of the loop
//! over t are left */`.

use super::OneScop;
use super::text::{coordinates, few_cells};
use crate::constants::Place;
use crate::region::may_be_wide;
use crate::sliding::{self, WrittenSlide};
use crate::subscript::{Moduli, description};
use crate::values::{ValueBuffer, WritableValues};
use crate::{CNames, Form, fault};
use polyfold_emit::{Declarator, Line};
use polyfold_isl::{Map, Result, Set};
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
        let wide = may_be_wide(self.decisions.scop, owner);
        let constants = &self.region.constants;
        let moduli = Moduli { array: buffer.first, names: self.decisions.names, constants, wide };
        let slides = sliding::written(self.source, self.decisions);
        let slide = slides.iter().find(|slide| slide.is_of(buffer.first));
        let mut declarator = None;
        for (values, place) in places(&self.decisions.values, buffer) {
            let comment =
                Line::Comment(self.comment(buffer, values, place, (&Moduli { wide: false, ..moduli }, slide))?);
            if !self.storage.at_scop.contains(&comment) {
                self.storage.at_scop.push(comment);
            }
            declarator = Some(moduli.extents(place)?.iter().map(|extent| format!("[{extent}]")).collect::<String>());
        }
        let Some(extents) = declarator else { return Ok(()) };
        self.storage.at_scop.extend(constants.declarations(buffer.first, Place::AtScop));
        let values = self.decisions.values.iter().find(|values| values.array() == buffer.owner);
        let is_named_by_cell =
            values.is_none_or(|values| matches!(values.placed().versions(), Versions::One | Versions::TurnsLeft(_)));
        let value = match (extents.is_empty(), owner.element_bytes) {
            // What is to be contracted yet must not seem to have a value.
            (false, _) if few_cells(&extents).is_some() && is_named_by_cell => " = {0}",
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
    fn cells(&self, values: &PlacedValues, place: &Placed, names: &[String]) -> Result<String> {
        let is_there = |a: &&PlacedAccess| a.place.as_ref().is_some_and(|p| p.array() == place.array());
        let here = values.accesses().iter().filter(is_there).map(|a| &a.name);
        let versions = values.versions().dimensions();
        let all = values.accesses().iter().map(|a| &a.name);
        let (Some(here), Some(all)) = (cells(here, versions)?, cells(all, versions)?) else {
            return Ok("1".to_string());
        };
        let in_isl: Vec<String> = (0..names.len()).map(|k| format!("_c{k}")).collect();
        let (here, all) = (here.identity()?.by_start(&in_isl)?.params()?, all.identity()?.by_start(&in_isl)?.params()?);
        let isl: Vec<String> = self.decisions.parameters.iter().cloned().chain(in_isl).collect();
        let parameters = self.decisions.scop.parameters.iter().map(|p| p.name.clone());
        let c: Vec<String> = parameters.chain(names.iter().cloned()).collect();
        CNames::new(&all, &isl, &c)?.condition(&here.gist_params(&all)?.coalesce()?)
    }

    /// The same in words, unless it is all of them.
    fn which(&self, values: &PlacedValues, place: &Placed, names: &[String]) -> Result<String> {
        Ok(match self.cells(values, place, names)? {
            condition if condition == "1" => String::new(),
            condition if condition.len() > LONG => ", in part,".to_string(),
            condition => format!(" for {condition}"),
        })
    }

    fn comment(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        (moduli, slide): (&Moduli, Option<&WrittenSlide>),
    ) -> Result<String> {
        if let Some(slide) = slide {
            return self.comment_by_turn(values, place, slide);
        }
        match values.versions() {
            Versions::Operations(_) | Versions::Turns(_) => self.comment_by_iteration(buffer, values, place, moduli),
            Versions::TurnsLeft(time) => self.comment_by_cell(buffer, values, place, (moduli, Some(time))),
            Versions::One => self.comment_by_cell(buffer, values, place, (moduli, None)),
        }
    }

    /// Examples: `what S0 writes to a lives in a_S0[t][i]`, `a[i] of each turn over t lives in a_turns[t][i]`.
    fn comment_by_iteration(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        moduli: &Moduli,
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
        let new = description(&buffer.name, place, &names, moduli)?;
        Ok(match values.versions() {
            Versions::Turns(_) => {
                let old: String = names[versions..].iter().map(|c| format!("[{c}]")).collect();
                format!("{}{old} of each turn over {} lives in {new}", array.name, known.join(" and "))
            }
            _ => format!("what {} writes to {} lives in {new}", writer.name, array.name),
        })
    }

    /// Example: `Q[j] for j >= 1 lives in Q_values[Q_values_from + j - 1], 1 cell further down after each turn of the loop over t`.
    fn comment_by_turn(&self, values: &PlacedValues, place: &Placed, slide: &WrittenSlide) -> Result<String> {
        let array = self.decisions.array(values.array());
        let names = coordinates(self.decisions.scop, array.extents.len());
        let old: String = names.iter().map(|c| format!("[{c}]")).collect();
        let new = slide.description(self.decisions, place, &names)?;
        let which = self.which(values, place, &names)?;
        Ok(format!("{}{old}{which} lives in {new}, {}", array.name, slide.how(self.decisions.scop)))
    }

    fn comment_by_cell(
        &self,
        buffer: &ValueBuffer,
        values: &PlacedValues,
        place: &Placed,
        (moduli, time): (&Moduli, Option<LoopId>),
    ) -> Result<String> {
        let array = self.decisions.array(values.array());
        let versions = values.versions().dimensions();
        let names = coordinates(self.decisions.scop, versions + array.extents.len());
        let old: String = names[versions..].iter().map(|c| format!("[{c}]")).collect();
        let new = description(&buffer.name, place, &names, moduli)?;
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
