//! Variables, and `static` functions, that only removed code mentioned.
//!
//! A compiler warns of them, and their declarations are not ours to remove: a parameter belongs to the callers. So they are
//! mentioned, `(void)y;`, behind the scop, or behind their declarations in it.

use crate::Decisions;
use crate::defines::Defines;
use crate::growth;
use crate::home::words;
use crate::limits::function_around;
use crate::tokens::{Kind, Token, tokens};
use crate::values::WritableValues;
use polyfold_isl::Result;
use polyfold_prove::Placed;
use polyfold_scop::{ArrayId, Declaration, Scop, Span, Storage};
use std::collections::BTreeSet;

/// The `static` functions of a file that are called only where a span has another text, with some words in it.
fn uncalled<'a>(
    source: &'a str,
    defines: &Defines<'a>,
    (changed, kept): (&Span, &BTreeSet<&str>),
) -> BTreeSet<&'a str> {
    let is_gone = |t: &&Token| changed.contains(&t.at);
    let all = tokens(source, &(0..source.len()));
    let words = all.iter().filter(is_gone).filter(|t| t.kind == Kind::Word).map(|t| t.text);
    let names = defines.with_macros(words.collect());
    let is_uncalled = |name: &&str| {
        let mut mentions = (0..all.len()).filter(|at| all[*at].text == *name && !is_gone(&&all[*at])).peekable();
        mentions.peek().is_some() && mentions.all(|at| is_static_function(&all, at))
    };
    names.into_iter().filter(|name| !kept.contains(*name)).filter(is_uncalled).collect()
}

/// Whether a token is the name in a declaration or definition that begins with `static`, outside of all braces.
fn is_static_function(tokens: &[Token], at: usize) -> bool {
    let count = |sign: char| tokens[..at].iter().filter(|t| t.is(sign)).count();
    let begins = |t: &Token| t.is_any(&[';', '{', '}']) || t.kind == Kind::Directive;
    let start = tokens[..at].iter().rposition(begins).map_or(0, |before| before + 1);
    let is_static = tokens[start..at].iter().any(|t| t.text == "static");
    is_static && count('{') == count('}') && tokens.get(at + 1).is_some_and(|next| next.is('('))
}

/// What is mentioned, so that compilers don't warn of it.
pub(crate) struct Mentioned {
    /// The scop's text, with mentions of variables that it declares behind their declarations.
    pub(crate) text: String,
    /// Behind the scop.
    pub(crate) behind: Vec<String>,
}

impl Mentioned {
    /// Variables and functions that nothing but declarations mention any more where a scop has new storage.
    pub(crate) fn of(source: &str, decisions: &Decisions, text: String) -> Result<Mentioned> {
        let changed = [removed_text(decisions), changed_text(decisions)].concat();
        Ok(Mentioned::in_place_of(source, decisions.scop, text, (&changed, &new_words(source, decisions)?)))
    }

    /// The same where a scop has another text, and some spans outside of it have one with other words.
    pub(crate) fn in_place_of(
        source: &str,
        scop: &Scop,
        text: String,
        (changed, kept): (&[Span], &BTreeSet<String>),
    ) -> Mentioned {
        let defines = Defines::of(source, scop);
        let names = words_in(source, changed.iter().chain([&scop.span]));
        let names = defines.with_macros(names);
        let before = FunctionText { source, scop: scop.span.clone(), sure: names_in(scop), changed: &[] };
        let before = before.only_declared(&names, &defines);
        let is_new = |own: &Variable| !kept.contains(own.name) && before.iter().all(|other| other.name != own.name);
        let whole = format!("{}{text}{}", &source[..scop.span.start], &source[scop.span.end..]);
        let now = scop.span.start..scop.span.start + text.len();
        let sure = declared_in(source, scop, &whole, &now);
        // What stands behind the scop's beginning is somewhere else now.
        let in_front: Vec<Span> = changed.iter().filter(|span| span.end <= now.start).cloned().collect();
        let text_now = FunctionText { source: &whole, scop: now.clone(), sure, changed: &in_front };
        let mut unused = text_now.only_declared(&names, &defines);
        unused.retain(is_new);
        let words = tokens(&text, &(0..text.len())).into_iter().map(|t| t.text).chain(kept.iter().map(String::as_str));
        let functions = uncalled(source, &defines, (&scop.span, &defines.with_macros(words.collect())));
        let in_front = unused.iter().filter(|v| v.declared_at < now.start && v.visible.contains(&now.end));
        let behind = in_front.map(|v| v.name).chain(functions).map(|name| format!("(void){name};")).collect();
        let mut ends: Vec<(usize, &str)> =
            unused.iter().filter_map(|v| Some((v.end_inside(&whole, &now)?, v.name))).collect();
        ends.sort_unstable();
        let mut mentioned = text.clone();
        for (end, name) in ends.into_iter().rev() {
            mentioned.insert_str(end - now.start, &format!(" (void){name};"));
        }
        Mentioned { text: mentioned, behind }
    }
}

/// Where a scop's new text declares the variables that it declared before. A declaration stands as it was, but for values in it.
fn declared_in(source: &str, scop: &Scop, whole: &str, now: &Span) -> Vec<usize> {
    let all = tokens(whole, now);
    let own = scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
    let own: Vec<&Declaration> = own.filter(|d| d.inside_scop && d.name.fragment.is_none()).collect();
    let is_own = |at: &usize| {
        let token = &all[*at];
        own.iter().any(|d| {
            let before = &source[d.statement.start..d.name.span.start];
            source[d.name.span.clone()] == *token.text
                && (whole[now.start..token.at].ends_with(before) || is_declared(&all, *at) && !all[at - 1].is('*'))
        })
    };
    (0..all.len()).filter(is_own).map(|at| all[at].at).collect()
}

/// A function's text, with the part of it that is the scop.
struct FunctionText<'a, 'b> {
    source: &'a str,
    scop: Span,
    /// Where the scop declares variables.
    sure: Vec<usize>,
    /// What isn't looked at.
    changed: &'b [Span],
}

impl<'a> FunctionText<'a, '_> {
    /// Of some names, the variables that no token mentions but to declare or set them.
    fn only_declared(&self, names: &BTreeSet<&str>, defines: &Defines) -> Vec<Variable<'a>> {
        let FunctionText { source, scop, sure, changed } = self;
        let whole = tokens(source, &function_around(source, scop.start));
        let is_gone = |t: &Token| changed.iter().any(|span| span.contains(&t.at));
        let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_') && names.contains(text);
        let may_be = |at: usize| !scop.contains(&at) || sure.contains(&at);
        let declares = |at: usize| sure.contains(&whole[at].at) || is_declared(&whole, at);
        let is_it = |at: &usize| may_be(whole[*at].at) && is_name(whole[*at].text) && declares(*at);
        let declared = (0..whole.len()).filter(is_it).map(|at| Variable::declared(&whole, at));
        let mut variables = apart(declared, sure);
        let all: Vec<Token> = whole.into_iter().filter(|t| !is_gone(t)).collect();
        let words: BTreeSet<&str> = all.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text).collect();
        let expanded = defines.with_macros(words.clone());
        let by_macros: BTreeSet<&str> = expanded.difference(&words).copied().collect();
        variables.retain(|v| !by_macros.contains(v.name) && v.is_only_declared(&all));
        variables
    }
}

/// A variable that is declared in a function.
#[derive(Clone)]
struct Variable<'a> {
    name: &'a str,
    declared_at: usize,
    /// From the declaration to the end of its block.
    visible: Span,
    /// Where others have its name.
    hidden: Vec<Span>,
}

/// Words of types: in `(unsigned char)` the second is no variable, though it stands behind a type.
const TYPE_WORDS: [&str; 9] = ["void", "char", "short", "int", "long", "float", "double", "signed", "unsigned"];

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

/// Where the scop declares variables.
fn names_in(scop: &Scop) -> Vec<usize> {
    let declarations = scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
    declarations.filter(|d| d.inside_scop && d.name.fragment.is_none()).map(|d| d.name.span.start).collect()
}

/// Those that are not declared where another of the same name is visible, unless the scop surely declares them: `2 * x[i]` looks like a
/// declaration of x, too. What is visible ends for a while where another takes the name.
fn apart<'a>(variables: impl Iterator<Item = Variable<'a>>, sure: &[usize]) -> Vec<Variable<'a>> {
    let mut found: Vec<Variable> = Vec::new();
    for variable in variables {
        let hides =
            |other: &&mut Variable| other.name == variable.name && other.visible.contains(&variable.declared_at);
        let mut around = found.iter_mut().filter(hides).peekable();
        if around.peek().is_none() || sure.contains(&variable.declared_at) {
            around.for_each(|other| other.hidden.push(variable.visible.clone()));
            found.push(variable);
        }
    }
    found
}

/// The words of a text's parts that may name variables.
fn words_in<'a, 'b>(source: &'a str, spans: impl Iterator<Item = &'b Span>) -> BTreeSet<&'a str> {
    let is_name = |t: &Token| t.kind == Kind::Word && !TYPE_WORDS.contains(&t.text);
    let all = spans.flat_map(|span| tokens(source, span)).filter(is_name);
    all.map(|t| t.text).collect()
}

/// The extents of a place.
fn sizes(place: &Placed, decisions: &Decisions) -> Result<Vec<String>> {
    match place.linear() {
        Some(row) => Ok(vec![growth::in_c(&row.modulus, row, decisions.names)]),
        None => place.rows().iter().map(|row| decisions.names.extent(&row.modulus)).collect(),
    }
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

impl<'a> Variable<'a> {
    /// Where its declaration ends, if it stands in a part of the text, and in no loop's head.
    fn end_inside(&self, whole: &str, part: &Span) -> Option<usize> {
        let at = Some(self.declared_at).filter(|at| part.contains(at))?;
        let end = tokens(whole, &(at..part.end)).iter().find(|t| t.is(';'))?.span().end;
        let before = tokens(whole, &(part.start..at));
        let depth = before.iter().map(|t| i32::from(t.is('(')) - i32::from(t.is(')'))).sum::<i32>();
        (depth == 0).then_some(end)
    }

    /// The variable whose declaration has its name at a token.
    fn declared(tokens: &[Token<'a>], at: usize) -> Variable<'a> {
        let mut depth = 0;
        let closing = tokens[at..].iter().find(|t| {
            depth += i32::from(t.is('{')) - i32::from(t.is('}'));
            depth < 0
        });
        let end = closing.or(tokens.last()).map_or(tokens[at].at, |t| t.span().end);
        Variable { name: tokens[at].text, declared_at: tokens[at].at, visible: tokens[at].at..end, hidden: Vec::new() }
    }

    /// Whether no token mentions it otherwise than to declare or set a variable of its name.
    fn is_only_declared(&self, tokens: &[Token]) -> bool {
        let (declared, others): (Vec<usize>, Vec<usize>) =
            self.mentions(tokens).partition(|at| tokens[*at].at == self.declared_at || is_declared(tokens, *at));
        let only = [self.declared_at];
        declared.iter().map(|at| tokens[*at].at).eq(only) && others.iter().all(|at| is_set(tokens, *at))
    }

    /// The places of the tokens that mention it, from its declaration on.
    fn mentions<'b>(&'b self, tokens: &'b [Token]) -> impl Iterator<Item = usize> + 'b {
        let is_hidden = |at: usize| self.hidden.iter().any(|span| span.contains(&at));
        let is_visible = move |at: usize| self.visible.contains(&at) && !is_hidden(at);
        let is_member = |at: usize| {
            let before = |k: usize, sign: char| at.checked_sub(k).is_some_and(|at| tokens[at].is(sign));
            before(1, '.') || before(1, '>') && before(2, '-')
        };
        let is_it = move |at: &usize| is_visible(tokens[*at].at) && tokens[*at].text == self.name && !is_member(*at);
        (0..tokens.len()).filter(is_it)
    }
}

/// `int name;`, `*name)`, `, name[`: behind a type or another declarator.
fn is_declared(tokens: &[Token], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|before| &tokens[before]) else { return false };
    let is_type = before.kind == Kind::Word && !["return", "goto", "else", "case", "sizeof"].contains(&before.text);
    let ends = tokens.get(at + 1).is_some_and(|t| t.is_any(&[';', ',', '=', '[', ')']));
    ends && (is_type || before.is_any(&['*', ',']))
}

/// `name = …`, `name += …` or `name++` as a statement.
fn is_set(tokens: &[Token], at: usize) -> bool {
    let begins = |before: &Token| {
        before.is_any(&['{', '}', ';', ')', ':']) || before.text == "else" || before.kind == Kind::Directive
    };
    let starts = at.checked_sub(1).is_some_and(|before| begins(&tokens[before]));
    let sign = |k: usize, sign: char| tokens.get(at + k).is_some_and(|t| t.is(sign));
    let is_operator = tokens.get(at + 1).is_some_and(|t| t.is_any(&['+', '-', '*', '/', '%', '&', '|', '^']));
    let is_step = ['+', '-'].into_iter().any(|c| sign(1, c) && sign(2, c));
    starts && (sign(1, '=') && !sign(2, '=') || is_operator && sign(2, '=') || is_step)
}
