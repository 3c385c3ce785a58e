//! Which arrays may change.
//!
//! The idea: a local of the function that is mentioned only between the pragmas, and every access to which is
//! understood, is a temporary. Everything else is kept, with the reason in one sentence.

use super::arrays::Entry;
use super::{Lowering, Site, Team};
use crate::diagnostic::Diagnostic;
use polyfold_c::lex::is_word_byte;
use polyfold_c::syntax::{Derivation, StatementKind, Storage, Variable, VariableId};
use polyfold_scop::{Code, Expr, Kept, Liveness, Outlived, Role, Span};

/// Whether a declaration defines what others may use: a tag, enumerators, or the type of a second variable.
fn defines_for_others(variable: &Variable) -> bool {
    let Some((front, inside)) = variable.specifiers.split_once('{') else { return false };
    let is_nameless = front.split_whitespace().last().is_some_and(|word| matches!(word, "struct" | "union"));
    let defines_more = ["struct", "union", "enum"].iter().any(|word| inside.contains(word));
    !is_nameless || variable.siblings > 1 || defines_more
}

fn kept(liveness: Liveness, code: Code, reason: impl Into<String>, surprising: bool) -> Role {
    Role::Kept(Kept { liveness, code, reason: reason.into(), surprising, plain: true })
}

impl<'a> Lowering<'a> {
    /// Whether the user calls `name` a temporary.
    pub(super) fn is_forced(&self, name: &str) -> bool {
        let site: &'a Site<'a> = self.site;
        let listed = |list: &[String]| list.iter().any(|n| n == name);
        listed(&site.options.temporary) || listed(&site.pragmas.temporary)
    }

    /// The role of an array; a warning if the user would be surprised.
    pub(super) fn role(&mut self, id: VariableId, entry: &Entry, extents: &[Option<Expr>], placed: bool) -> Role {
        let mut role = self.bare_role(id, entry, extents, placed);
        let site: &'a Site<'a> = self.site;
        let variable = &site.unit.variables[id];
        if let Role::Kept(kept) = &mut role {
            kept.plain = variable.attribute.is_none() && entry.obstacle.is_none();
        }
        if let Role::Kept(Kept { code, reason, surprising: true, .. }) = &role {
            let (span, label, help) = match &entry.obstacle {
                Some(o) if o.reason == *reason => (&o.span, o.label, o.help),
                _ => (&variable.name_span, "declared here", "change that, and its storage can shrink"),
            };
            let message = format!("`{}` keeps its layout: {reason}", variable.name);
            let warning = Diagnostic::warning(*code, message, site.expanded.to_file(span));
            self.arrays.warnings.push(warning.label(label).help(help));
        }
        role
    }

    fn bare_role(&self, id: VariableId, entry: &Entry, extents: &[Option<Expr>], placed: bool) -> Role {
        let site: &'a Site<'a> = self.site;
        let variable = &site.unit.variables[id];
        let border = if entry.escapes { Liveness::InOut } else { self.border(id, variable) };
        if let Some(liveness) = self.stated_liveness(&variable.name) {
            return kept(
                liveness,
                Code::Interface,
                "the user says that its values cross the border of the scop",
                false,
            );
        }
        let forced = self.is_forced(&variable.name);
        if !forced && let Some(reason) = self.interface(variable) {
            let is_constant = variable.elements().is_const && variable.storage != Storage::Local;
            return kept(if is_constant { Liveness::In } else { Liveness::InOut }, Code::Interface, reason, false);
        }
        if let Some(role) = self.used_outside(id, variable, border, forced) {
            return role;
        }
        if let Some(reason) = self.strange_mention(id, variable) {
            return kept(Liveness::InOut, Code::NotFollowed, reason, !extents.is_empty());
        }
        if let Some(team) = self.shared(variable) {
            return kept(Liveness::InOut, Code::SharedByThreads, team.reason.clone(), !extents.is_empty());
        }
        if let Some(obstacle) = &entry.obstacle {
            return kept(border, obstacle.code, obstacle.reason.clone(), true);
        }
        if let Some((code, reason, surprising)) = self.unfit((id, variable), extents, placed, forced) {
            return kept(border, code, reason, surprising);
        }
        Role::Temporary
    }

    /// Why a variable belongs to the program's interface.
    fn interface(&self, variable: &Variable) -> Option<String> {
        let name = &variable.name;
        match variable.storage {
            Storage::Parameter => {
                Some("it is a parameter of the function: its layout is the program's interface".to_string())
            }
            Storage::Global if self.is_unshared(variable) => Some(format!(
                "it is a global variable, though nothing else uses it: --temporary {name} lets it shrink, if no later \
                 call needs its values"
            )),
            Storage::Global => Some("it is a global variable: its layout is the program's interface".to_string()),
            Storage::Local | Storage::StaticLocal => None,
        }
    }

    /// Whether a global array is the file's own, and its name stands nowhere but in its declaration and the scop.
    fn is_unshared(&self, variable: &Variable) -> bool {
        let site = self.site;
        let declared = site.expanded.to_file(&variable.statement);
        let [first, second] =
            if declared.start < site.span.start { [&declared, &site.span] } else { [&site.span, &declared] };
        let others = [0..first.start, first.end..second.start.max(first.end), second.end..site.source.len()];
        let is_mentioned = || others.iter().any(|span| mention_in(site.source, span, &variable.name).is_some());
        let is_plain = !variable.is_const() && !variable.has_initializer && !variable.shape.is_empty();
        variable.is_static && is_plain && !is_mentioned()
    }

    /// The threads that would share the variable: those of a statement around the scop that does not declare it.
    fn shared(&self, variable: &Variable) -> Option<&'a Team> {
        let site: &'a Site<'a> = self.site;
        let is_own =
            |team: &&Team| variable.storage == Storage::Local && team.statement.contains(&variable.statement.start);
        site.threads.iter().find(|team| !is_own(team))
    }

    /// Which values cross the border, by where the name is mentioned.
    fn border(&self, id: VariableId, variable: &Variable) -> Liveness {
        let is_set = variable.has_initializer && !(self.facts.declared_inside.contains(&id) && variable.is_scalar());
        let is_reachable = !variable.is_local()
            || matches!(variable.shape.first(), Some(Derivation::Pointer(_)))
            || self.facts.handed_out.contains(&id)
            || (is_set && variable.storage == Storage::StaticLocal);
        match (self.facts.before.contains_key(&id) || is_set, self.facts.after.contains_key(&id)) {
            _ if is_reachable => Liveness::InOut,
            (true, true) => Liveness::InOut,
            (true, false) | (false, true) if self.site.repeats => Liveness::InOut,
            (true, false) => Liveness::In,
            (false, true) => Liveness::Out,
            (false, false) => Liveness::Internal,
        }
    }

    fn stated_liveness(&self, name: &str) -> Option<Liveness> {
        let listed = |list: &[String]| list.iter().any(|n| n == name);
        let site = self.site;
        let is_in = listed(&site.options.live_in) || listed(&site.pragmas.live_in);
        let is_out = listed(&site.options.live_out) || listed(&site.pragmas.live_out);
        match (is_in, is_out) {
            (true, true) => Some(Liveness::InOut),
            (true, false) => Some(Liveness::In),
            (false, true) => Some(Liveness::Out),
            (false, false) => None,
        }
    }

    /// Variables declared at the region's top level that are used after it.
    pub(super) fn outlived(&self) -> Vec<Outlived> {
        let site = self.site;
        let declared = site.statements.iter().filter_map(|statement| match &statement.kind {
            StatementKind::Declaration(list) => Some(list.iter().map(|(id, _)| *id)),
            _ => None,
        });
        let skipped = |name: &str| {
            let mut after = site.skipped.iter().filter(|span| span.start >= site.span.end);
            after.any(|span| mention_in(site.source, span, name).is_some())
        };
        let outlives = |id: &VariableId| self.facts.after.contains_key(id) || skipped(&site.unit.variables[*id].name);
        let outlived = declared.flatten().filter(outlives);
        let named = outlived.map(|id| &site.unit.variables[id]);
        let of = |variable: &Variable| Outlived {
            name: variable.name.clone(),
            declared: site.expanded.to_file(&variable.name_span),
        };
        named.map(of).collect()
    }

    fn used_outside(&self, id: VariableId, variable: &Variable, border: Liveness, forced: bool) -> Option<Role> {
        let mention = self.facts.before.get(&id).or(self.facts.after.get(&id));
        let allocated = self.facts.allocations.get(&id);
        if let Some(Err(unclear)) = allocated {
            return Some(kept(Liveness::InOut, Code::Allocation, unclear.reason.clone(), unclear.is_surprising));
        }
        if let (Some(mention), None) = (mention, allocated) {
            let reason = format!("it is also used outside the scop, at line {}", self.line(mention));
            return Some(kept(border, Code::UsedOutside, reason, forced));
        }
        let skipped = self.site.skipped.iter().find_map(|span| mention_in(self.site.source, span, &variable.name));
        skipped.map(|at| {
            let line = polyfold_c::source::line_of(self.site.source, at);
            kept(
                border,
                Code::UsedOutside,
                format!("it is also used in code that this configuration leaves out, at line {line}"),
                true,
            )
        })
    }

    fn unfit(
        &self,
        (id, variable): (VariableId, &Variable),
        extents: &[Option<Expr>],
        placed: bool,
        forced: bool,
    ) -> Option<(Code, String, bool)> {
        let owned = |code, text: &str, surprising| Some((code, text.to_string(), surprising));
        if variable.is_volatile {
            return owned(Code::Declared, "it is volatile", false);
        }
        if let Some(attribute) = &variable.attribute {
            return Some((
                Code::Declared,
                format!("its declaration has the attribute `{attribute}`"),
                !extents.is_empty(),
            ));
        }
        if defines_for_others(variable) && !extents.is_empty() {
            return owned(Code::Declared, "its declaration also defines a type: define that in front of it", true);
        }
        let is_allocated = self.facts.allocations.contains_key(&id);
        let is_pointer = matches!(variable.shape.first(), Some(Derivation::Pointer(_))) && !is_allocated;
        if is_pointer && (variable.is_local() || !forced) {
            return owned(Code::UnknownMemory, "it is a pointer: declare it as a local array", false);
        }
        let inside = self.site.span.contains(&self.site.expanded.to_file(&variable.statement).start);
        if variable.has_initializer && !is_allocated && !(inside && variable.is_scalar()) {
            return owned(Code::Declared, "its declaration initializes it", false);
        }
        if let Some(line) = self.site.pragmas.mention_of(&variable.name) {
            return Some((Code::NamedByPragma, format!("the pragma at line {line} names it"), !extents.is_empty()));
        }
        if !placed {
            return owned(Code::Declared, "a macro makes a part of its declaration", true);
        }
        if variable.shape.len() > variable.dimensions() {
            return owned(Code::UnknownMemory, "its elements are pointers", false);
        }
        if extents.iter().any(Option::is_none) {
            if is_allocated {
                return owned(
                    Code::Allocation,
                    "how many elements its allocation has is no product of its rows and a size",
                    true,
                );
            }
            return owned(Code::Declared, "its extents are not affine, or change after its declaration", true);
        }
        None
    }
}

/// Where a name stands in a part of the source.
fn mention_in(source: &str, span: &Span, name: &str) -> Option<usize> {
    let text = source.get(span.clone())?;
    let bytes = text.as_bytes();
    text.match_indices(name)
        .find(|(at, _)| {
            let before = at.checked_sub(1).is_none_or(|b| !is_word_byte(bytes[b]));
            before && bytes.get(at + name.len()).is_none_or(|&b| !is_word_byte(b))
        })
        .map(|(at, _)| span.start + at)
}
