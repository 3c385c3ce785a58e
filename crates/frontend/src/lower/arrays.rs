//! The table of arrays, and what is held against each.

use super::linear::ReadAs;
use super::pointers::leads_anywhere;
use super::{Lowered, Lowering, Site};
use crate::diagnostic::Diagnostic;
use polyfold_c::syntax::{Derivation, Expression, Storage, Variable, VariableId};
use polyfold_scop::{
    Allocation, Array, ArrayId, Code, Declaration, Expr, Kept, ParameterId, ParameterOrigin, Place, Role, Sharing, Span,
};

/// Why an array cannot change, found while walking.
#[derive(Clone)]
pub(super) struct Obstacle {
    pub(super) code: Code,
    pub(super) reason: String,
    pub(super) span: Span,
    pub(super) label: &'static str,
    pub(super) help: &'static str,
}

/// An array seen so far.
pub(super) struct Entry {
    pub(super) variable: Option<VariableId>,
    pub(super) name: String,
    pub(super) dimensions: usize,
    pub(super) obstacle: Option<Obstacle>,
    /// Whether its address went somewhere.
    pub(super) escapes: bool,
    /// The dimensions that its linearised subscripts have.
    pub(super) read_as: Option<ReadAs>,
}

/// All arrays seen so far.
#[derive(Default)]
pub(super) struct ArrayTable {
    pub(super) entries: Vec<Entry>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl ArrayTable {
    /// The array behind a name.
    pub(super) fn id(&mut self, name: &str, variable: Option<VariableId>, dimensions: usize) -> ArrayId {
        let same = |e: &Entry| {
            if variable.is_some() { e.variable == variable } else { e.variable.is_none() && e.name == name }
        };
        let known = self.entries.iter().position(same);
        ArrayId(known.unwrap_or_else(|| {
            self.entries.push(Entry {
                variable,
                name: name.to_string(),
                dimensions,
                obstacle: None,
                escapes: false,
                read_as: None,
            });
            self.entries.len() - 1
        }))
    }

    /// Remembers the first obstacle of an array.
    pub(super) fn obstruct(&mut self, id: ArrayId, obstacle: Obstacle) {
        self.entries[id.0].obstacle.get_or_insert(obstacle);
    }
}

impl<'a> Lowering<'a> {
    /// Decides shapes and roles once everything has been seen.
    pub(super) fn finish_arrays(&mut self) -> Lowered<Vec<Array>> {
        let entries = std::mem::take(&mut self.arrays.entries);
        let variables: Vec<Option<VariableId>> = entries.iter().map(|entry| entry.variable).collect();
        let mut arrays = Vec::new();
        for entry in entries {
            let array = match entry.variable {
                Some(id) => self.declared_array(id, entry),
                None => Ok(foreign_array(entry)),
            };
            arrays.push(array?);
        }
        self.note_other_names(&variables, &mut arrays);
        Ok(arrays)
    }

    /// Nothing else lives in an array whose address a pointer may have that the function sets, where the function mentions the array outside the scop.
    fn note_other_names(&self, variables: &[Option<VariableId>], arrays: &mut [Array]) {
        let is_set_here = |(id, array): (&Option<VariableId>, &Array)| {
            let storage = id.map(|id| &self.site.unit.variables[id].storage);
            array.leads_anywhere && !matches!(storage, None | Some(Storage::Global))
        };
        if !variables.iter().zip(&*arrays).any(is_set_here) {
            return;
        }
        for (id, array) in variables.iter().zip(arrays) {
            if let (true, Role::Kept(kept)) = (id.is_some_and(|id| self.is_mentioned_outside(id)), &mut array.role) {
                kept.plain = false;
            }
        }
    }

    /// Whether the function mentions a variable where a pointer that the scop goes by may get its address.
    fn is_mentioned_outside(&self, id: VariableId) -> bool {
        self.facts.before.contains_key(&id) || self.site.repeats && self.facts.after.contains_key(&id)
    }

    fn declared_array(&mut self, id: VariableId, entry: Entry) -> Lowered<Array> {
        let site: &'a Site<'a> = self.site;
        let variable = &site.unit.variables[id];
        let mut entry = entry;
        let extents = self.extents_of(id, variable, &mut entry)?;
        let mut declaration = self.declaration(variable);
        if let Some(declaration) = &mut declaration {
            self.note_allocation(id, declaration, &mut entry);
            if entry.read_as.is_some() {
                declaration.extents.clear();
            }
        }
        let mut role = self.role(id, &entry, &extents, declaration.is_some());
        if let (Role::Kept(kept), true) = (&mut role, entry.read_as.is_some()) {
            kept.plain = false;
        }
        let is_pointer = variable.shape.len() > variable.dimensions();
        let says_them = entry.read_as.is_none() && !matches!(self.facts.allocations.get(&id), Some(Ok(_)));
        let extent_texts = (!says_them).then(|| extents.iter().map(|e| self.extent_text(e.as_ref())).collect());
        Ok(Array {
            extent_texts,
            linearised: entry.read_as.is_some(),
            is_narrow: entry.read_as.as_ref().is_some_and(|read| read.is_narrow),
            leads_anywhere: leads_anywhere(site, self.facts, id),
            parameter: variable.pointer().filter(|_| variable.storage == Storage::Parameter),
            name: variable.name.clone(),
            element: if is_pointer { format!("{} *", variable.element) } else { variable.element.clone() },
            element_bytes: if is_pointer { None } else { variable.scalar.bytes() },
            kind: if is_pointer { None } else { variable.scalar.in_program() },
            extents,
            role,
            declaration,
        })
    }

    /// The extents of an array, outermost first.
    fn extents_of(&mut self, id: VariableId, variable: &Variable, entry: &mut Entry) -> Lowered<Vec<Option<Expr>>> {
        if let Some(read) = &entry.read_as {
            let behind = read.rows.iter().cloned().map(Some);
            return Ok(std::iter::once(read.first.clone()).chain(behind).collect());
        }
        let mut extents = Vec::new();
        for derivation in variable.shape.iter().take(entry.dimensions) {
            extents.push(match derivation {
                Derivation::Array(Some(extent)) => self.extent(extent, variable)?,
                _ => None,
            });
        }
        if matches!(self.facts.allocations.get(&id), Some(Ok(_))) && entry.obstacle.is_none() {
            extents[0] = self.allocated_rows(id, &extents[1..])?;
        }
        Ok(extents)
    }

    /// How many rows an allocation has.
    fn allocated_rows(&mut self, id: VariableId, rows: &[Option<Expr>]) -> Lowered<Option<Expr>> {
        let Some(factors) = self.size_of(id) else { return Ok(None) };
        let Some(rows) = rows.iter().map(|row| self.as_row(row.as_ref()?)).collect::<Option<Vec<_>>>() else {
            return Ok(None);
        };
        let first = self.first_extent(&factors, &rows);
        if first.is_none() {
            let names = self.parameters.iter().filter(|p| matches!(p.origin, ParameterOrigin::Constant(_)));
            self.wanted_pins.extend(names.map(|p| p.name.clone()).filter(|name| !self.pinned.contains(name)));
            self.check_pins()?;
        }
        Ok(first)
    }

    /// What is known of an allocation; what its text does not allow is held against the array.
    fn note_allocation(&mut self, id: VariableId, declaration: &mut Declaration, entry: &mut Entry) {
        let Some(Ok(found)) = self.facts.allocations.get(&id) else { return };
        let found = found.clone();
        let spans = [&found.statement, &found.arguments];
        let is_made = spans
            .iter()
            .any(|span| !self.site.expanded.is_whole(span) || self.site.expanded.segment_around(span).is_some());
        let line = self.line(&found.arguments);
        if found.statement.start == declaration_of(self.site, id).start && self.has_other_siblings(id) {
            entry.obstacle.get_or_insert(Obstacle {
                code: Code::Declared,
                reason: format!("it is declared together with others at line {line}"),
                span: found.statement.clone(),
                label: "declared here",
                help: "declare it on its own",
            });
        }
        if is_made || self.is_divided(&found.arguments) {
            entry.obstacle.get_or_insert(Obstacle {
                code: Code::Declared,
                reason: format!("a macro or directive makes a part of its allocation at line {line}"),
                span: found.arguments.clone(),
                label: "made by a macro",
                help: "write the call out",
            });
        }
        let is_in_file =
            |span: &Span| self.site.expanded.is_whole(span) && self.site.expanded.segment_around(span).is_none();
        let uses = &found.uses;
        let is_whole = is_in_file(&found.call) && uses.frees.iter().all(is_in_file);
        let sharing = (is_whole && uses.may_be_another()).then(|| Sharing {
            frees: uses.frees.iter().map(|span| self.site.expanded.to_file(span)).collect(),
            lasts: uses.lasts,
        });
        let ids = (0..self.parameters.len()).map(ParameterId);
        let known = ids.filter(|id| self.is_known_at(*id, found.statement.start)).collect();
        declaration.storage = polyfold_scop::Storage::Allocated(Box::new(Allocation {
            statement: self.site.expanded.to_file(&found.statement),
            arguments: self.site.expanded.to_file(&found.arguments),
            call: self.site.expanded.to_file(&found.call),
            sharing,
            is_cleared: found.is_cleared,
            known,
        }));
    }

    /// Whether a declaration declares more than pointers to memory of their own.
    fn has_other_siblings(&self, id: VariableId) -> bool {
        let statement = declaration_of(self.site, id);
        let mut siblings = (0..self.site.unit.variables.len())
            .filter(|other| *other != id && declaration_of(self.site, *other).start == statement.start);
        siblings.any(|other| !matches!(self.facts.allocations.get(&other), Some(Ok(_))))
    }

    /// Whether a parameter has the same value at a place of the function as in the scop.
    fn is_known_at(&self, id: ParameterId, at: usize) -> bool {
        self.parameter_variables.get(&id).is_none_or(|variable| self.is_settled(*variable, at))
    }

    /// Whether a variable has the same value at a place of the function as in the scop.
    pub(super) fn is_settled(&self, id: VariableId, at: usize) -> bool {
        let declared = &self.site.unit.variables[id];
        let is_there = match declared.storage {
            Storage::Parameter => true,
            Storage::Local => declared.statement.end <= at,
            _ => declared.is_const(),
        };
        let is_set_later = || self.facts.assigned_at.get(&id).is_some_and(|places| places.iter().any(|p| *p > at));
        is_there && !is_set_later() && !self.facts.address_taken.contains(&id)
    }

    /// Whether variables in an expression may change behind a place of the function.
    pub(super) fn changes_after(&self, e: &Expression, at: usize) -> bool {
        let mut changes = false;
        e.walk(&mut |e| {
            let places = e.variable().and_then(|v| self.facts.assigned_at.get(&v));
            changes |= places.is_some_and(|places| places.iter().any(|&place| place > at));
        });
        changes
    }

    /// Where a variable's extents are computed.
    pub(super) fn declared_at(&self, variable: &Variable) -> usize {
        match variable.storage {
            Storage::Parameter => self.site.function.span.start,
            _ => variable.statement.start,
        }
    }

    /// An extent as C text.
    fn extent_text(&self, extent: Option<&Expr>) -> String {
        extent.map_or("?".to_string(), |extent| self.size_text(extent))
    }

    fn extent(&mut self, extent: &Expression, variable: &Variable) -> Lowered<Option<Expr>> {
        if self.changes_after(extent, self.declared_at(variable)) {
            return Ok(None);
        }
        match self.affine(extent) {
            Ok(extent) => Ok(Some(extent)),
            Err(error) if variable.is_local() || self.is_forced(&variable.name) => {
                self.wanted_pins.extend(error.pins);
                self.check_pins()?;
                Ok(None)
            }
            Err(_) => Ok(None),
        }
    }

    pub(super) fn declaration(&mut self, variable: &Variable) -> Option<Declaration> {
        let extents: Vec<Span> = variable
            .shape
            .iter()
            .filter_map(|d| match d {
                Derivation::Array(extent) => extent.as_ref().map(|e| e.span.clone()),
                _ => None,
            })
            .collect();
        let inner: Vec<Span> = std::iter::once(variable.name_span.clone()).chain(extents).collect();
        if self.is_unstable(&variable.declarator) {
            return None;
        }
        let (declarator, mut inner) = self.place(&variable.declarator, &inner)?;
        let name = inner.remove(0);
        let at = |span| Place { fragment: declarator.fragment, span };
        let statement = self.site.expanded.to_file(&variable.statement);
        Some(Declaration {
            storage: variable.storage.into(),
            specifiers: variable.specifiers.clone(),
            attributes: variable.attributes.clone(),
            pointer: variable.pointer(),
            elements: variable.elements(),
            is_static: variable.is_static,
            name: at(name),
            extents: inner.into_iter().map(at).collect(),
            declarator: declarator.clone(),
            inside_scop: self.site.span.contains(&statement.start),
            statement,
            siblings: variable.siblings,
        })
    }
}

fn declaration_of<'a>(site: &'a Site, id: VariableId) -> &'a Span {
    &site.unit.variables[id].statement
}

fn foreign_array(entry: Entry) -> Array {
    Array {
        name: entry.name,
        element: String::new(),
        element_bytes: None,
        kind: None,
        extents: vec![None; entry.dimensions],
        role: Role::Kept(Kept {
            liveness: polyfold_scop::Liveness::InOut,
            code: Code::NotDeclared,
            reason: "it is not declared in this file".to_string(),
            surprising: false,
            plain: false,
        }),
        declaration: None,
        extent_texts: None,
        linearised: false,
        is_narrow: false,
        leads_anywhere: false,
        parameter: None,
    }
}
