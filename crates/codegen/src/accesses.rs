//! Accesses to arrays with new storage, as text.

use crate::Decisions;
use crate::constants::Constants;
use crate::definite::Cells;
use crate::edit::{Edit, Edits};
use crate::in_turn::{self, InTurn};
use crate::linear::Variables;
use crate::region::may_be_wide;
use crate::signed::Signed;
use crate::subscript::{Moduli, Reference};
use crate::values::ValueTexts;
use polyfold_isl::Result;
use polyfold_prove::Placed;
use polyfold_scop::{Access, Place, StatementId};

/// All accesses of a scop.
pub(crate) struct Accesses<'a> {
    pub(crate) source: &'a str,
    pub(crate) decisions: &'a Decisions<'a>,
    pub(crate) constants: &'a Constants,
    pub(crate) signed: Signed,
    /// Variables that are declared where their values live.
    pub(crate) in_turns: Vec<InTurn>,
}

/// An access to a cell of a mapped array.
pub(crate) struct Mapped<'a> {
    pub(crate) statement: StatementId,
    /// Which of the statement's accesses.
    place: usize,
    pub(crate) access: &'a Access,
    pub(crate) storage: &'a Placed,
}

impl<'a> Accesses<'a> {
    pub(crate) fn of(source: &'a str, decisions: &'a Decisions, constants: &'a Constants) -> Result<Accesses<'a>> {
        let signed = Signed::at(source, decisions.scop.span.start);
        Ok(Accesses { source, decisions, constants, signed, in_turns: in_turn::written(source, decisions)? })
    }

    /// The changes of statements, and how their accesses to cells read then; accesses in macro expansions rewrite the
    /// expansion.
    pub(crate) fn rewritten(&self) -> Result<(Edits, Cells)> {
        let fragments = &self.decisions.scop.fragments;
        let (mut edits, mut cells) = (Edits::new(), Cells::new());
        let mut inside: Vec<Edits> = fragments.iter().map(|_| Edits::new()).collect();
        for mapped in self.mapped() {
            let Place { fragment, span } = &mapped.access.place;
            let text = self.text(&mapped)?;
            let access = (mapped.statement, mapped.place);
            let declared = self.in_turns.iter().filter_map(|own| own.declared_with(access));
            declared.for_each(|variable| edits.push_declared(variable.clone()));
            let into = fragment.map_or(&mut edits, |f| &mut inside[f.0]);
            into.push(Edit { span: span.clone(), text: text.clone() });
            cells.insert(access, text);
        }
        for (fragment, inside) in fragments.iter().zip(inside).filter(|(_, inside)| !inside.is_empty()) {
            edits.push(Edit { span: fragment.replaces.clone(), text: inside.apply(&fragment.text) });
        }
        let Accesses { source, decisions, constants, signed, .. } = self;
        ValueTexts { source, decisions, constants, signed }.rewrite(&mut edits)?;
        Ok((edits, cells))
    }

    /// The accesses to arrays with new storage.
    pub(crate) fn mapped(&self) -> impl Iterator<Item = Mapped<'_>> {
        let statements = self.decisions.scop.statements.iter().enumerate();
        let accesses = statements.flat_map(|(id, s)| s.accesses.iter().enumerate().map(move |(k, a)| (id, k, a)));
        accesses.filter_map(|(id, place, access)| {
            let storage = self.decisions.mapped.iter().find(|m| m.array() == access.array)?;
            Some(Mapped { statement: StatementId(id), place, access, storage })
        })
    }

    fn text(&self, mapped: &Mapped) -> Result<String> {
        let Accesses { source, decisions, constants, signed, .. } = self;
        let Mapped { access, storage, .. } = *mapped;
        let scop = decisions.scop;
        let hosts = storage.inside().map(|inside| inside.host).into_iter();
        let wide = hosts.chain([access.array]).any(|id| may_be_wide(scop, decisions.array(id)));
        let array = storage.shared().unwrap_or(access.array);
        let reference = Reference {
            name: &decisions.name(storage, source),
            access,
            text: access.place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str()),
            storage,
            moduli: Moduli { array, names: decisions.names, constants, wide },
            variables: Variables { scop, signed, wide },
        };
        reference.in_c()
    }
}
