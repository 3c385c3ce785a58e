//! The table of arrays, and what is held against each.

use super::{Lowered, Lowering, Site};
use crate::diagnostic::Diagnostic;
use crate::syntax::{Derivation, Expression, Variable, VariableId};
use polyfold_scop::{Array, ArrayId, Declaration, Expr, Kept, Place, Role, Span, Storage};

/// Why an array cannot change, found while walking.
pub(super) struct Obstacle {
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
            self.entries.push(Entry { variable, name: name.to_string(), dimensions, obstacle: None, escapes: false });
            self.entries.len() - 1
        }))
    }

    /// Remembers the first obstacle of an array.
    pub(super) fn obstruct(&mut self, id: ArrayId, obstacle: Obstacle) {
        self.entries[id.0].obstacle.get_or_insert(obstacle);
    }
}

/// How many subscripts reach an element: leading arrays, or one pointer and the arrays behind it.
pub(super) fn dimensions(variable: &Variable) -> usize {
    let arrays = |shape: &[Derivation]| shape.iter().take_while(|d| matches!(d, Derivation::Array(_))).count();
    match variable.shape.first() {
        Some(Derivation::Pointer) => 1 + arrays(&variable.shape[1..]),
        _ => arrays(&variable.shape),
    }
}

impl<'a> Lowering<'a> {
    /// Decides shapes and roles once everything has been seen.
    pub(super) fn finish_arrays(&mut self) -> Lowered<Vec<Array>> {
        let entries = std::mem::take(&mut self.arrays.entries);
        let mut arrays = Vec::new();
        for entry in entries {
            let array = match entry.variable {
                Some(id) => self.declared_array(id, entry),
                None => Ok(foreign_array(entry)),
            };
            arrays.push(array?);
        }
        Ok(arrays)
    }

    fn declared_array(&mut self, id: VariableId, entry: Entry) -> Lowered<Array> {
        let site: &'a Site<'a> = self.site;
        let variable = &site.unit.variables[id];
        let mut extents = Vec::new();
        for derivation in variable.shape.iter().take(entry.dimensions) {
            extents.push(match derivation {
                Derivation::Array(Some(extent)) => self.extent(extent, variable)?,
                _ => None,
            });
        }
        let declaration = self.declaration(variable);
        let role = self.role(id, &entry, &extents, declaration.is_some());
        let is_pointer = variable.shape.len() > entry.dimensions;
        Ok(Array {
            name: variable.name.clone(),
            element: if is_pointer { format!("{} *", variable.element) } else { variable.element.clone() },
            element_bytes: if is_pointer { None } else { variable.scalar.bytes() },
            extents,
            role,
            declaration,
        })
    }

    fn extent(&mut self, extent: &Expression, variable: &Variable) -> Lowered<Option<Expr>> {
        let declared_at = match variable.storage {
            Storage::Parameter => self.site.function.span.start,
            _ => variable.statement.start,
        };
        let mut changes = false;
        extent.walk(&mut |e| {
            let places = e.variable().and_then(|v| self.facts.assigned_at.get(&v));
            changes |= places.is_some_and(|places| places.iter().any(|&at| at > declared_at));
        });
        if changes {
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
            storage: variable.storage,
            specifiers: variable.specifiers.clone(),
            attributes: variable.attributes.clone(),
            name: at(name),
            extents: inner.into_iter().map(at).collect(),
            declarator: declarator.clone(),
            inside_scop: self.site.span.contains(&statement.start),
            statement,
            siblings: variable.siblings,
        })
    }
}

fn foreign_array(entry: Entry) -> Array {
    Array {
        name: entry.name,
        element: String::new(),
        element_bytes: None,
        extents: vec![None; entry.dimensions],
        role: Role::Kept(Kept {
            liveness: polyfold_scop::Liveness::InOut,
            reason: "it is not declared in this file".to_string(),
            surprising: false,
            plain: false,
        }),
        declaration: None,
    }
}
