//! How accesses to values read: a read is a choice between its places.

use super::branches::Split;
use super::cases::{Case, ValueAccess};
use super::choice::choice;
use super::updates::{Update, is_updated};
use crate::constants::Constants;
use crate::edit::{Edit, Edits};
use crate::linear::Variables;
use crate::region::may_be_wide;
use crate::signed::Signed;
use crate::subscript::{Moduli, Reference, is_computed};
use crate::{Decisions, fault};
use polyfold_isl::Result;
use polyfold_scop::{Access, Span};

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
    pub(crate) constants: &'a Constants,
}

impl ValueTexts<'_> {
    /// Rewrites the accesses of statements; `edits` are the other changes of their text.
    pub(crate) fn rewrite(&self, edits: &mut Edits) -> Result<()> {
        let scop = self.decisions.scop;
        let mut split = Vec::new();
        for found in self.accesses() {
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
                Some(choice) => edits.push(Edit { span, text: choice }),
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

    /// A read, or a write to one place; `None`: a write to several places, or to none.
    fn choice(&self, found: &ValueAccess) -> Result<Option<String>> {
        let access = &self.decisions.scop.statement(found.statement).accesses[found.access];
        let cases = self.cases(found, access)?;
        let is_one = cases.iter().all(|case| case.text.is_some() && case.text == cases[0].text);
        if !access.is_read() && !is_one {
            return Ok(None);
        }
        let mut spots = Vec::new();
        for Written { condition, text } in cases {
            spots.push((condition, text.ok_or_else(|| fault("a value is read that lives nowhere"))?));
        }
        Ok(Some(choice(&spots)))
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
        let place = |found: &ValueAccess| self.choice(found)?.ok_or_else(|| fault("an update of several places"));
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
        let written = |case: &Case| Ok(Written { condition: case.condition.clone(), text: self.text(case, access)? });
        found.cases.iter().map(written).collect()
    }

    /// `None`: nobody reads the value.
    fn text(&self, case: &Case, access: &Access) -> Result<Option<String>> {
        let Some(place) = &case.place else { return Ok(None) };
        let first = place.shared().unwrap_or(place.array());
        let buffer = self.decisions.value_buffers.iter().find(|buffer| buffer.first == first);
        let buffer = buffer.ok_or_else(|| fault("values live in a buffer that is not declared"))?;
        let is_versioned = case.versions.iter().enumerate().any(|(k, text)| is_computed(place, k, text));
        let wide = is_versioned || may_be_wide(self.decisions.scop, self.decisions.array(buffer.owner));
        let reference = Reference {
            name: &buffer.name,
            access,
            text: self.source,
            storage: place,
            moduli: Moduli { array: first, names: self.decisions.names, constants: self.constants, wide },
            variables: Variables { scop: self.decisions.scop, signed: self.signed, wide },
        };
        reference.value_in_c(&case.versions).map(Some)
    }
}
