//! New declarations for changed arrays, collected over all scops of a file: one declaration may hold arrays of several.
//!
//! Where an array's new storage is declared is up to [`home`]; what it reads like, to [`Text`].

mod text;
mod values;

use crate::constants::Place;
use crate::fault;
use crate::flat::arguments;
use crate::home::{Home, home};
use crate::region::Region;
use crate::{Decisions, Form};
use polyfold_emit::{Declarations, Declarator, Edit, Line, New, Redeclared};
use polyfold_isl::Result;
use polyfold_program::Program;
use polyfold_prove::Placed;
use polyfold_scop::{Allocation, Array, Declaration, Storage};
use text::Text;
pub use text::place_in_host;

/// What one scop needs besides the changes of declarations that stand outside it.
#[derive(Default)]
pub(crate) struct NewStorage {
    /// Changes of declarations between the pragmas.
    pub(crate) in_scop: Vec<Edit>,
    /// Declarations in front of the scop.
    pub(crate) at_scop: Vec<Line>,
    /// Declarations for the program as it was, if both are kept.
    pub(crate) old: Vec<Line>,
    /// Names whose variables would draw a warning: they are mentioned behind the scop.
    pub(crate) mentions: Vec<String>,
}

/// Declares the new storage of one scop; `test`: the program as it was stays beside the new one, for where this fails.
pub(crate) fn declare(
    source: &str,
    decisions: &Decisions,
    test: Option<&str>,
    (region, after): (&Region, &Program),
    outside: &mut Declarations,
) -> Result<NewStorage> {
    let keeps_both = test.is_some();
    let (inside, storage) = (Declarations::default(), NewStorage::default());
    let mut scop = OneScop { source, decisions, keeps_both, test, region, after, outside, inside, storage };
    decisions.mapped.iter().try_for_each(|mapped| scop.declare_mapped(mapped))?;
    scop.declare_values()?;
    let expanded: Vec<_> = decisions.scop.expanded.iter().flat_map(|own| &own.gone).collect();
    for id in &decisions.removed {
        let array = decisions.array(*id);
        // Somebody reads its values, in another array.
        let is_read = expanded.contains(&id);
        let comment = (!is_read).then(|| Line::Comment(format!("{} is gone: nothing reads it", array.name)));
        scop.declare_removed(array, comment.into_iter().collect());
    }
    let others = expanded.into_iter().filter(|id| !decisions.removed.contains(id));
    others.for_each(|id| scop.declare_elsewhere(decisions.array(*id)));
    scop.storage.in_scop = scop.inside.edits(source);
    Ok(scop.storage)
}

/// A declaration with another declarator, and lines in front.
pub(crate) fn redeclared(declaration: &Declaration, new: New, lines: Vec<Line>) -> Redeclared {
    let Declaration { statement, declarator, specifiers, siblings, storage, .. } = declaration;
    Redeclared {
        statement: statement.clone(),
        declarator: declarator.fragment.is_none().then(|| declarator.span.clone()),
        specifiers: specifiers.clone(),
        siblings: *siblings,
        is_static: *storage == Storage::StaticLocal,
        new,
        lines,
    }
}

/// The declarations of one scop while they are made.
struct OneScop<'a> {
    source: &'a str,
    decisions: &'a Decisions<'a>,
    /// Whether the program as it was stays beside the new one.
    keeps_both: bool,
    test: Option<&'a str>,
    region: &'a Region,
    /// The program with new storage.
    after: &'a Program,
    outside: &'a mut Declarations,
    /// Changes between the pragmas.
    inside: Declarations,
    storage: NewStorage,
}

impl OneScop<'_> {
    fn declare_mapped(&mut self, mapped: &Placed) -> Result<()> {
        let Some(declaration) = &self.decisions.array(mapped.array()).declaration else { return Ok(()) };
        let name = self.decisions.name(mapped, self.source);
        let Self { source, decisions, region, after, .. } = *self;
        let text = Text { source, decisions, mapped, name: &name, region, after };
        if mapped.inside().is_some() {
            self.storage.at_scop.push(text.comment()?);
            self.take_away(declaration, Vec::new());
            return Ok(());
        }
        if self.region.in_turns.iter().any(|own| own.array() == mapped.array()) {
            return self.declare_in_turn(declaration, &text);
        }
        match home(self.source, self.decisions, mapped)? {
            Home::Apart => self.declare_apart(declaration, &text)?,
            Home::Allocated => self.declare_allocated(declaration, &text)?,
            Home::InPlace if declaration.inside_scop || !self.keeps_both => {
                self.declare_in_place(declaration, &text)?
            }
            Home::InPlace | Home::AtScop => self.declare_at_scop(declaration, &text)?,
        }
        if self.decisions.form == Form::Hls && mapped.shared().is_none_or(|first| first == mapped.array()) {
            self.storage.at_scop.extend(self.decisions.partitions(&name, mapped)?);
        }
        let id = self.after.newest_buffer(&name);
        let is_read = id.is_some_and(|id| self.after.body.iter().any(|stmt| stmt.reads(id)));
        if mapped.shared().is_none() && !is_read {
            self.mention(declaration, &name);
        }
        Ok(())
    }

    /// A mention where the variable is visible, so that compilers don't warn that nobody reads it.
    fn mention(&mut self, declaration: &Declaration, name: &str) {
        let end = declaration.statement.end;
        match declaration.inside_scop && !self.decisions.scop.has_lost(declaration) {
            true => self.inside.replace(end..end, format!(" {}", Line::Mention(name.to_string()).text())),
            false => self.storage.mentions.push(name.to_string()),
        }
    }

    fn declare_apart(&mut self, declaration: &Declaration, text: &Text) -> Result<()> {
        self.storage.at_scop.push(text.comment()?);
        self.storage.at_scop.extend(text.constants(Place::AtScop));
        self.storage.at_scop.push(text.apart(declaration)?);
        if declaration.storage == Storage::Parameter {
            self.storage.mentions.push(text.array().name.clone());
        }
        Ok(())
    }

    fn declare_allocated(&mut self, declaration: &Declaration, text: &Text) -> Result<()> {
        let Some(allocation) = declaration.allocation() else { return Ok(()) };
        self.storage.at_scop.extend(text.constants(Place::AtScop));
        match self.decisions.owner(text.mapped) {
            Some(owner) if owner != text.mapped.array() => self.set_to(text.array(), allocation, text.name)?,
            _ => self.allocate(allocation, text.arguments(allocation)?, &text.comments()?),
        }
        Ok(())
    }

    /// A pointer gets the value of another one, and does not free what that does.
    fn set_to(&mut self, array: &Array, allocation: &Allocation, owner: &str) -> Result<()> {
        let Some(sharing) = allocation.sharing.as_ref().filter(|_| self.test.is_none()) else {
            return Err(fault(format!("`{}` cannot have the memory of `{owner}`", array.name)));
        };
        self.outside.replace(allocation.call.clone(), owner.to_string());
        for free in &sharing.frees {
            self.outside.replace(free.clone(), format!("(void){}", array.name));
        }
        if sharing.frees.is_empty() {
            self.storage.mentions.push(array.name.clone());
        }
        Ok(())
    }

    /// The call gets other arguments; where the program as it was stays, it gets as much memory as before if that runs.
    fn allocate(&mut self, allocation: &Allocation, arguments: String, comments: &[Line]) {
        let Allocation { statement, arguments: place, .. } = allocation;
        let old = &self.source[place.clone()];
        let text = match self.test {
            Some(test) => format!("{test} ? {arguments} : {old}"),
            None => arguments,
        };
        self.outside.insert(self.source, statement, comments);
        self.outside.replace(place.clone(), text);
    }

    /// The declaration stands in the loops; a comment stays.
    fn declare_in_turn(&mut self, declaration: &Declaration, text: &Text) -> Result<()> {
        let comment = text.comment()?;
        if declaration.inside_scop && !self.decisions.scop.has_lost(declaration) {
            self.inside.redeclare(redeclared(declaration, New::Nothing, vec![comment]));
            return Ok(());
        }
        self.storage.at_scop.push(comment);
        self.take_away(declaration, Vec::new());
        Ok(())
    }

    fn declare_in_place(&mut self, declaration: &Declaration, text: &Text) -> Result<()> {
        self.storage.at_scop.extend(text.constants(Place::AtScop));
        let lines = [text.comment()?].into_iter().chain(text.constants(Place::AtDeclaration)).collect();
        let into = if declaration.inside_scop { &mut self.inside } else { &mut *self.outside };
        into.redeclare(redeclared(declaration, text.changed(declaration)?, lines));
        Ok(())
    }

    /// The first array of a buffer declares it for all.
    fn declare_at_scop(&mut self, declaration: &Declaration, text: &Text) -> Result<()> {
        if text.mapped.shared().is_none_or(|first| first == text.mapped.array()) {
            self.storage.at_scop.extend(text.comments()?);
            self.storage.at_scop.extend(text.constants(Place::AtScop));
            let specifiers = declaration.specifiers.clone();
            self.storage.at_scop.push(Line::Declaration { specifiers, declarator: text.declarator(declaration)? });
        }
        self.take_away(declaration, Vec::new());
        Ok(())
    }

    /// An array whose values have others.
    fn declare_elsewhere(&mut self, array: &Array) {
        match &array.declaration {
            // It belongs to the callers.
            Some(declaration) if declaration.storage == Storage::Parameter => {
                self.storage.mentions.push(array.name.clone());
            }
            Some(declaration) => self.take_away(declaration, Vec::new()),
            None => {}
        }
    }

    fn declare_removed(&mut self, array: &Array, comment: Vec<Line>) {
        let Some(declaration) = &array.declaration else { return };
        if let Some(allocation) = declaration.allocation() {
            return self.allocate(allocation, arguments(array, allocation, &[]), &comment);
        }
        match declaration.storage {
            Storage::Local | Storage::StaticLocal if self.decisions.scop.has_lost(declaration) => {
                self.storage.at_scop.extend(comment)
            }
            Storage::Local | Storage::StaticLocal if declaration.inside_scop => {
                self.inside.redeclare(redeclared(declaration, New::Nothing, comment));
            }
            Storage::Local | Storage::StaticLocal => self.take_away(declaration, comment),
            Storage::Parameter => self.storage.mentions.push(array.name.clone()),
            Storage::Global if declaration.is_static => {
                self.storage.mentions.push(array.name.clone());
            }
            Storage::Global | Storage::Allocated(_) => {}
        }
    }

    /// Removes a declarator from where it stands, and keeps it for the program as it was.
    fn take_away(&mut self, declaration: &Declaration, lines: Vec<Line>) {
        if self.decisions.scop.has_lost(declaration) {
            return;
        }
        if self.keeps_both {
            let place = &declaration.declarator;
            let fragments = &self.decisions.scop.fragments;
            let text = place.fragment.map_or(self.source, |f| fragments[f.0].text.as_str());
            let (cells, attributes) = (text[place.span.clone()].to_string(), declaration.attributes.clone());
            let declarator = Declarator { cells, attributes, initializer: "" };
            self.storage.old.push(Line::Declaration { specifiers: declaration.specifiers.clone(), declarator });
        }
        self.outside.redeclare(redeclared(declaration, New::Nothing, lines));
    }
}
