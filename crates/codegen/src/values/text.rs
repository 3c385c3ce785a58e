//! How accesses to values read: a read is a choice between its places.

use super::branches::Split;
use super::cases::{Case, Counters, ValueAccess};
use super::updates::{Update, is_updated};
use super::writable::is_clear;
use crate::accesses::{FoundRemainder, View};
use crate::constants::Constants;
use crate::edit::{Edit, Edits};
use crate::linear::Variables;
use crate::region::may_be_wide;
use crate::rows::{Choice, Spot};
use crate::signed::Signed;
use crate::sliding::Slide;
use crate::subscript::{Moduli, Reference, is_computed};
use crate::{CNames, Decisions, fault};
use polyfold_isl::{Result, Set};
use polyfold_scop::{Access, Certainty, Span, StatementId};
use std::borrow::Cow;

/// What an access reads like for some operations.
pub(super) struct Written {
    pub(super) condition: String,
    /// `None`: nobody reads the value.
    pub(super) text: Option<String>,
}

/// The text of accesses to values.
pub(crate) struct ValueTexts<'a> {
    pub(crate) source: &'a str,
    pub(crate) decisions: &'a Decisions<'a>,
    pub(crate) signed: &'a Signed,
    pub(crate) slides: &'a [Slide<'a>],
    pub(crate) constants: &'a Constants,
    pub(crate) view: &'a View<'a>,
}

impl ValueTexts<'_> {
    /// Rewrites the accesses of statements; `edits` are the other changes of their text.
    pub(crate) fn rewrite(&self, edits: &mut Edits) -> Result<()> {
        let scop = self.decisions.scop;
        let mut split = Vec::new();
        for found in self.accesses().filter(|found| self.view.has(found.statement)) {
            let statement = scop.statement(found.statement);
            let access = &statement.accesses[found.access];
            if is_updated(statement, access) {
                if access.is_write() {
                    self.update(found)?.into_iter().for_each(|edit| edits.push(edit));
                }
                continue;
            }
            let span = access.place.span.clone();
            match self.choice(found)? {
                Some(choice) => edits.push(Edit { span, text: choice.text(self.view.rows) }),
                None => {
                    let cases = self.cases(found, access)?;
                    split.push(Split { statement: found.statement, write: span, cases });
                }
            }
        }
        let spans: Vec<Span> = split.iter().map(|split| scop.statement(split.statement).span.clone()).collect();
        let statements: Vec<Edit> = (split.iter().zip(&spans))
            .map(|(split, span)| Edit { span: span.clone(), text: split.in_c(self.source, &scop.span, span, edits) })
            .collect();
        edits.drop_inside(&spans);
        statements.into_iter().for_each(|edit| edits.push(edit));
        Ok(())
    }

    /// The accesses in statements that are a choice of places.
    pub(crate) fn choices(&self) -> Result<Vec<(StatementId, Choice<'_>)>> {
        let mut choices = Vec::new();
        for found in self.accesses().filter(|found| self.view.has(found.statement)) {
            choices.extend(self.choice(found)?.map(|choice| (found.statement, choice)));
        }
        Ok(choices)
    }

    /// A read, or a write to one place; `None`: a write to several places, or to none.
    fn choice(&self, found: &ValueAccess) -> Result<Option<Choice<'_>>> {
        let access = &self.decisions.scop.statement(found.statement).accesses[found.access];
        let found = self.cases_of(found)?;
        let cases = self.written(&found, access)?;
        let is_one = cases.iter().all(|case| case.text.is_some() && case.text == cases[0].text);
        if !access.is_read() && !is_one {
            return Ok(None);
        }
        let mut spots = Vec::new();
        for (Written { condition, text }, case) in cases.into_iter().zip(found.iter()) {
            let text = text.ok_or_else(|| fault("a value is read that lives nowhere"))?;
            let row_cells = self.reference(case, access, &|reference, _| reference.row_cells())?.flatten();
            spots.push(Spot { condition, text, row_cells, window: None });
        }
        Choice::of(access, spots, |case, cells| found[case].reaches(cells)).map(Some)
    }

    /// The remainders in statements.
    pub(crate) fn remainders(&self) -> Result<Vec<FoundRemainder>> {
        let mut remainders = Vec::new();
        for found in self.accesses().filter(|found| self.view.has(found.statement)) {
            let access = &self.decisions.scop.statement(found.statement).accesses[found.access];
            let cases = self.cases_of(found)?;
            let is_sure = cases.len() == 1 && access.condition.is_always() && access.certainty == Certainty::Must;
            for case in cases.iter() {
                let own = self.reference(case, access, &|reference, versions| reference.remainders(versions))?;
                let (statement, place) = (found.statement, found.access);
                let own = own.unwrap_or_default().into_iter();
                remainders.extend(own.map(|remainder| FoundRemainder { remainder, statement, place, is_sure }));
            }
        }
        Ok(remainders)
    }

    fn accesses(&self) -> impl Iterator<Item = &ValueAccess> {
        self.decisions.values.iter().flat_map(|values| &values.accesses)
    }

    /// The changes of a statement that updates a place.
    fn update(&self, write: &ValueAccess) -> Result<Vec<Edit>> {
        let statement = self.decisions.scop.statement(write.statement);
        let access = &statement.accesses[write.access];
        let is_update = |other: &Access| other.is_read() && other.place == access.place;
        let at_place =
            |found: &&ValueAccess| found.statement == write.statement && is_update(&statement.accesses[found.access]);
        let read = self.accesses().find(at_place);
        let read = read.ok_or_else(|| fault("an update without a read"))?;
        let place = |found: &ValueAccess| {
            let choice = self.choice(found)?.ok_or_else(|| fault("an update of several places"))?;
            Ok(choice.text(self.view.rows))
        };
        let (to, from) = (place(write)?, place(read)?);
        if from == to {
            return Ok(vec![Edit { span: access.place.span.clone(), text: to }]);
        }
        let update =
            Update::of(self.source, statement, access).ok_or_else(|| fault("an update that cannot be written"))?;
        Ok(update.edits(&from, &to))
    }

    /// What an access reads like; the last case needs no condition, unless it has no text.
    fn cases(&self, found: &ValueAccess, access: &Access) -> Result<Vec<Written>> {
        self.written(&self.cases_of(found)?, access)
    }

    fn written(&self, cases: &[Case], access: &Access) -> Result<Vec<Written>> {
        let written = |case: &Case| Ok(Written { condition: case.condition.clone(), text: self.text(case, access)? });
        cases.iter().map(written).collect()
    }

    /// The cases of an access in the part that is asked for.
    fn cases_of<'c>(&self, found: &'c ValueAccess) -> Result<Cow<'c, [Case]>> {
        let Some(part) = self.view.part else { return Ok(Cow::Borrowed(&found.cases)) };
        let values = self.decisions.values.iter().find(|values| values.accesses.iter().any(|a| std::ptr::eq(a, found)));
        let values = values.ok_or_else(|| fault("an access of no array"))?.placed();
        let own = self.counters().cases((found.statement, found.access), values, Some(part))?;
        if own.is_empty() {
            // It never happens there.
            return Ok(Cow::Borrowed(&found.cases[..1]));
        }
        let versions = values.versions().dimensions();
        own.into_iter().map(|own| self.counters().case(own, versions)).collect::<Result<_>>().map(Cow::Owned)
    }

    fn counters(&self) -> Counters<'_> {
        Counters { source: self.source, scop: self.decisions.scop, parameters: self.decisions.parameters }
    }

    /// Whether all cases of the part that is asked for can be written.
    pub(crate) fn can_be_written(&self) -> Result<bool> {
        let (source, scop) = (self.source, self.decisions.scop);
        for found in self.accesses().filter(|found| self.view.has(found.statement)) {
            if !self.cases_of(found)?.iter().all(|case| is_clear(case, source, scop)) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The accesses with several cases, each as the iterations of its cases.
    pub(crate) fn iterations(&self) -> Result<Vec<Vec<Set>>> {
        let mut choices: Vec<((StatementId, usize), Vec<Set>)> = Vec::new();
        for place in self.decisions.values.iter().flat_map(|values| values.placed().accesses()) {
            let access = (place.statement, place.access);
            let iterations = place.name.domain()?.unnamed()?;
            match choices.iter_mut().find(|(known, _)| *known == access) {
                Some((_, cases)) => cases.push(iterations),
                None if self.view.has(place.statement) => choices.push((access, vec![iterations])),
                None => {}
            }
        }
        Ok(choices.into_iter().map(|(_, cases)| cases).collect())
    }

    /// The buffers of writes that may go to several places.
    pub(crate) fn of_scattered_writes(&self) -> impl Iterator<Item = &str> {
        let is_write =
            |found: &&ValueAccess| self.decisions.scop.statement(found.statement).accesses[found.access].is_write();
        let scattered = self.accesses().filter(|found| self.view.has(found.statement) && found.cases.len() > 1);
        let places = scattered.filter(is_write).flat_map(|found| &found.cases).filter_map(|case| case.place.as_ref());
        places.filter_map(|place| {
            let first = place.shared().unwrap_or(place.array());
            let buffer = self.decisions.value_buffers.iter().find(|buffer| buffer.first == first);
            buffer.map(|buffer| buffer.name.as_str())
        })
    }

    /// How functions of sizes and counters read in a statement, for those in `context`.
    pub(crate) fn names(&self, statement: StatementId, context: &Set) -> Result<CNames> {
        self.counters().computed_names(statement, context)
    }

    /// `None`: nobody reads the value.
    fn text(&self, case: &Case, access: &Access) -> Result<Option<String>> {
        self.reference(case, access, &|reference, versions| reference.value_in_c(versions))
    }

    /// What is asked about the place of a case, with the coordinates of its values in front of the cell's.
    fn reference<T>(
        &self,
        case: &Case,
        access: &Access,
        ask: &dyn Fn(Reference, &[String]) -> Result<T>,
    ) -> Result<Option<T>> {
        let Some(place) = &case.place else { return Ok(None) };
        let first = place.shared().unwrap_or(place.array());
        let buffer = self.decisions.value_buffers.iter().find(|buffer| buffer.first == first);
        let buffer = buffer.ok_or_else(|| fault("values live in a buffer that is not declared"))?;
        let slide = self.slides.iter().find(|slide| slide.is_of(first));
        let versions = match slide {
            Some(slide) => vec![slide.version(case.used, place)],
            None => case.versions.clone(),
        };
        let moved = slide.map(|slide| slide.moved(self.decisions, place)).transpose()?;
        let is_versioned = versions.iter().enumerate().any(|(k, text)| is_computed(place, k, text));
        let wide = is_versioned || may_be_wide(self.decisions.scop, self.decisions.array(buffer.owner));
        let reference = Reference {
            name: &buffer.name,
            access,
            text: self.source,
            storage: place,
            moduli: Moduli { array: first, names: self.decisions.names, constants: self.constants, wide },
            variables: Variables { scop: self.decisions.scop, signed: self.signed, wide },
            positions: self.view.positions,
            moved,
        };
        ask(reference, &versions).map(Some)
    }
}
