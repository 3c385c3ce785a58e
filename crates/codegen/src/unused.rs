//! Variables, and what is `static` in a file, that only removed code mentioned.
//!
//! A compiler warns of them, and their declarations are not ours to remove: a parameter belongs to the callers. So they are
//! mentioned, `(void)y;`, behind the scop, or behind their declarations in it.
//!
//! The idea: whether a new text mentions a name isn't looked up in it. Its program says what was printed anew. For what the source
//! wrote, the program is printed once more, with another word where the source has the name. If the text is as it was, nothing of
//! the source that mentions the name is in it.
//!
//! Limits: a name that the program has anywhere counts as mentioned. What a macro declares isn't mentioned behind it.

use crate::Decisions;
use crate::values::WritableValues;
use polyfold_c::code::{OnlyThere, Replaced, words};
use polyfold_emit::Edit;
use polyfold_isl::Result;
use polyfold_program::{BufferId, Int, Layout, LocalId, Program, Stmt, Use};
use polyfold_prove::Placed;
use polyfold_scop::{ArrayId, Declaration, Pieces, Scop, Span, Storage};
use std::collections::BTreeSet;

/// What only a scop mentions, and is to be mentioned if the scop's new text doesn't.
pub(crate) struct OnlyHere<'a> {
    scop: &'a Scop,
    /// What the scop declares.
    declared: Vec<ArrayId>,
    names: Vec<OnlyThere<'a>>,
}

/// Names that nothing mentions.
#[derive(Default)]
pub(crate) struct Unmentioned {
    /// Of what stands in front of the scop.
    pub(crate) behind: Vec<String>,
    /// Variables that the scop declares.
    pub(crate) inside: Vec<BufferId>,
}

/// A program's text, where the source's pieces have other texts.
pub(crate) type Print<'p> = dyn Fn(&Pieces) -> Option<String> + 'p;

impl<'a> OnlyHere<'a> {
    /// A scop where it has new storage.
    pub(crate) fn in_scop(source: &'a str, decisions: &Decisions<'a>) -> Result<OnlyHere<'a>> {
        let changed = [removed_text(decisions), changed_text(decisions)].concat();
        Ok(OnlyHere::of(source, decisions.scop, changed, new_words(source, decisions)?))
    }

    /// A scop, where some spans get other words.
    pub(crate) fn of(source: &'a str, scop: &'a Scop, changed: Vec<Span>, kept: BTreeSet<String>) -> OnlyHere<'a> {
        let (mut declared, mut spans) = (Vec::new(), Vec::new());
        for (k, array) in scop.arrays.iter().enumerate() {
            if let Some(own) = array.declaration.as_ref().filter(|d| d.inside_scop && d.name.fragment.is_none()) {
                declared.push(ArrayId(k));
                spans.push(own.name.span.clone());
            }
        }
        let names = Replaced { source, span: scop.span.clone(), declared: spans, changed, kept }.only_there();
        OnlyHere { scop, declared, names }
    }

    /// What a program doesn't mention, whose text this is.
    pub(crate) fn unmentioned(&self, after: &Program, (text, print): (&str, &Print)) -> Unmentioned {
        let mut found = Unmentioned::default();
        for own in &self.names {
            let declared = own.declared.map(|k| BufferId(self.declared[k].0));
            if mentions(after, own, declared) || print(&self.with_other_words(own)).as_deref() != Some(text) {
                continue;
            }
            match declared {
                Some(id) => found.inside.push(id),
                None => found.behind.push(own.name.to_string()),
            }
        }
        found
    }

    /// The scop's pieces with other words in place of those that mention a name.
    fn with_other_words<'s>(&'s self, own: &'s OnlyThere) -> impl Fn(Option<usize>, &str) -> String + 's {
        move |begin, text| {
            let mut other = text.to_string();
            let places: Vec<Span> = match begin.map(|begin| begin + self.scop.span.start) {
                Some(begin) => {
                    let here = own.mentions.iter().filter(|m| begin <= m.start && m.end <= begin + text.len());
                    here.map(|m| m.start - begin..m.end - begin).collect()
                }
                None => {
                    let is_it = |(_, word): &(usize, &str)| own.words.contains(word);
                    words(text).filter(is_it).map(|(at, word)| at..at + word.len()).collect()
                }
            };
            places.into_iter().for_each(|at| other.replace_range(at.clone(), &another(&text[at])));
            other
        }
    }

    /// How those that the scop declares are mentioned behind their declarations.
    pub(crate) fn behind_declarations(&self, inside: &[BufferId]) -> Vec<Edit> {
        let arrays = inside.iter().map(|id| self.scop.array(ArrayId(id.0)));
        let declaration = arrays.filter_map(|array| Some((&array.name, array.declaration.as_ref()?)));
        declaration
            .map(|(name, own)| Edit { span: own.statement.end..own.statement.end, text: format!(" (void){name};") })
            .collect()
    }
}

/// Another word that is as long.
fn another(word: &str) -> String {
    let first = if word.starts_with('z') { "y" } else { "z" };
    let length = word.chars().next().map_or(0, char::len_utf8);
    first.repeat(length) + &word[length..]
}

/// Whether a program has a name: that of a variable that the scop declares, or of something else.
fn mentions(program: &Program, own: &OnlyThere, declared: Option<BufferId>) -> bool {
    let is_it = |name: &str| words(name).next().is_some_and(|(_, first)| first == own.name);
    let is_local = |id: LocalId| declared.is_none() && is_it(&program.locals[id.0].name);
    let is_here = |e: &Int| match e {
        Int::Parameter(id) => declared.is_none() && is_it(&program.parameters[id.0].name),
        Int::Local(id) => is_local(*id),
        _ => false,
    };
    let has = |e: &Int| {
        let mut found = false;
        e.each(&mut |e| found |= is_here(e));
        found
    };
    let is_used = |how: Use, id: BufferId| {
        let buffer = &program.buffers[id.0];
        let is_read = how == Use::Read || !buffer.extents.is_empty();
        let is_flat = buffer.layout != Layout::Rows && buffer.extents.iter().flatten().any(has);
        is_flat || is_read && declared.map_or_else(|| is_it(&buffer.name), |own| own == id)
    };
    let mut found = false;
    let mut visit = |stmt: &Stmt| {
        stmt.each_int(&mut |e| found |= is_here(e));
        stmt.each_use(&mut |how, id| found |= is_used(how, id));
        stmt.each_text(&mut |text| found |= words(text).any(|(_, word)| own.words.contains(word)));
        found |= match stmt {
            Stmt::For(own) => is_local(own.counter),
            Stmt::With(own) => own.buffers.iter().any(|id| program.buffers[id.0].extents.iter().flatten().any(has)),
            _ => false,
        };
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

/// Declarators of arrays that go.
fn removed_text(decisions: &Decisions) -> Vec<Span> {
    let declarations = decisions.removed.iter().filter_map(|id| decisions.scop.array(*id).declaration.as_ref());
    let in_file = declarations.filter(|d| d.declarator.fragment.is_none() && d.allocation().is_none());
    in_file.map(|d| d.declarator.span.clone()).collect()
}

/// What reads otherwise besides the scop's statements: declarators of arrays that are mapped, and sizes of allocations.
fn changed_text(decisions: &Decisions) -> Vec<Span> {
    let declaration = |id: ArrayId| decisions.scop.array(id).declaration.as_ref();
    let is_local = |d: &&Declaration| matches!(d.storage, Storage::Local | Storage::StaticLocal);
    let mapped = || decisions.mapped.iter().map(|mapped| mapped.array());
    let gone = decisions.scop.expanded.iter().flat_map(|own| own.gone.iter().copied());
    let in_values = decisions.values.iter().map(|values| values.array());
    let declared = mapped().chain(in_values).chain(gone).filter_map(declaration);
    let declared = declared.filter(|d| d.declarator.fragment.is_none()).filter(is_local);
    let allocated = mapped().chain(decisions.removed.iter().copied()).filter_map(declaration);
    let sizes = allocated.filter_map(|d| d.allocation()).map(|allocation| allocation.arguments.clone());
    declared.map(|d| d.declarator.span.clone()).chain(sizes).collect()
}

/// The names of the sizes that a place's extents are made of.
fn sizes(place: &Placed, decisions: &Decisions) -> Result<BTreeSet<String>> {
    let names = decisions.names;
    let extents: Vec<Int> = match place.linear() {
        Some(row) => names.named(&row.parameter).into_iter().collect(),
        None => place.rows().iter().map(|row| names.extent(&row.modulus)).collect::<Result<_>>()?,
    };
    let mut found = BTreeSet::new();
    let mut note = |e: &Int| {
        if let Int::Parameter(id) = e {
            found.insert(names.program().parameters[id.0].name.clone());
        }
    };
    extents.iter().for_each(|extent| extent.each(&mut note));
    Ok(found)
}

/// The words of new sizes, and the names of the arrays, which are declared anew or go.
fn new_words(source: &str, decisions: &Decisions) -> Result<BTreeSet<String>> {
    let scop = decisions.scop;
    let gone = scop.expanded.iter().flat_map(|own| &own.gone);
    let mut texts: Vec<String> = decisions.removed.iter().chain(gone).map(|id| scop.array(*id).name.clone()).collect();
    for values in decisions.values.iter().map(WritableValues::placed) {
        texts.push(scop.array(values.array()).name.clone());
        for place in values.accesses().iter().filter_map(|access| access.place.as_ref()) {
            texts.extend(sizes(place, decisions)?);
        }
    }
    for mapped in &decisions.mapped {
        let array = scop.array(mapped.array());
        texts.push(array.name.clone());
        texts.extend(sizes(mapped, decisions)?);
        for row in mapped.rows() {
            let place = row.own_extent.and_then(|dimension| array.declaration.as_ref()?.extents.get(dimension));
            let text = |f: polyfold_scop::FragmentId| scop.fragments[f.0].text.as_str();
            texts.extend(place.map(|p| p.fragment.map_or(source, text)[p.span.clone()].to_string()));
        }
    }
    Ok(texts.iter().flat_map(|text| words(text)).map(|(_, word)| word.to_string()).collect())
}
