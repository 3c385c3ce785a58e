//! Variables, and `static` functions, that nothing mentions any more where a part of a function has another text.
//!
//! A compiler warns of them.
//!
//! ```text
//! int n, t[n];  t[i] = a[i]; b[i] = t[i];      =>      int n; b[i] = a[i];      nothing mentions n
//! ```
//!
//! Example: `(void)n;` behind the new text mentions it.
//!
//! Limit: what only looks like a mention counts as one.

use super::{Defines, Kind, Token, function_around, tokens};
use crate::source::Span;
use std::collections::BTreeSet;

/// A part of a function that has another text.
pub struct Replaced<'a> {
    /// The file.
    pub source: &'a str,
    /// The part's bytes.
    pub span: Span,
    /// What the part declares.
    pub declared: Vec<Declared>,
    /// Other bytes of the file whose text has other words.
    pub changed: Vec<Span>,
    /// Words that these have, and what is not to be mentioned.
    pub kept: BTreeSet<String>,
}

/// A variable that is declared in the part.
pub struct Declared {
    /// Where the declaration begins.
    pub statement: usize,
    /// Bytes of its name.
    pub name: Span,
}

/// What is mentioned, so that compilers don't warn of it.
pub struct Mentioned {
    /// The part's new text, with mentions of variables that it declares behind their declarations.
    pub text: String,
    /// Names of others: to be mentioned behind it.
    pub behind: Vec<String>,
}

impl Replaced<'_> {
    /// Variables and functions that nothing but declarations mention any more where the part has a new text.
    pub fn mentioned(&self, text: &str) -> Mentioned {
        let Replaced { source, span, .. } = self;
        let defines = Defines::of(source, span.start);
        let names = defines.with_macros(words_in(source, self.changed.iter().chain([span])));
        let sure = self.declared.iter().map(|own| own.name.start).collect();
        let before = FunctionText { source, part: span.clone(), sure, changed: &[] };
        let before = before.only_declared(&names, &defines);
        let is_new =
            |own: &Variable| !self.kept.contains(own.name) && before.iter().all(|other| other.name != own.name);
        let whole = format!("{}{text}{}", &source[..span.start], &source[span.end..]);
        let now = span.start..span.start + text.len();
        let sure = self.declared_now(&whole, &now);
        // What stands behind the part's beginning is somewhere else now.
        let in_front: Vec<Span> = self.changed.iter().filter(|span| span.end <= now.start).cloned().collect();
        let text_now = FunctionText { source: &whole, part: now.clone(), sure, changed: &in_front };
        let mut unused = text_now.only_declared(&names, &defines);
        unused.retain(is_new);
        let words = tokens(text, &(0..text.len())).into_iter().map(|t| t.text);
        let words = words.chain(self.kept.iter().map(String::as_str));
        let functions = uncalled(source, &defines, (span, &defines.with_macros(words.collect())));
        let in_front = unused.iter().filter(|v| v.declared_at < now.start && v.visible.contains(&now.end));
        let behind = in_front.map(|v| v.name).chain(functions).map(str::to_string).collect();
        let mut ends: Vec<(usize, &str)> =
            unused.iter().filter_map(|v| Some((v.end_inside(&whole, &now)?, v.name))).collect();
        ends.sort_unstable();
        let mut mentioned = text.to_string();
        for (end, name) in ends.into_iter().rev() {
            mentioned.insert_str(end - now.start, &format!(" (void){name};"));
        }
        Mentioned { text: mentioned, behind }
    }

    /// Where the new text declares the variables that the part declared before. A declaration stands as it was, but for values in it.
    fn declared_now(&self, whole: &str, now: &Span) -> Vec<usize> {
        let all = tokens(whole, now);
        let is_own = |at: &usize| {
            let token = &all[*at];
            self.declared.iter().any(|own| {
                let before = &self.source[own.statement..own.name.start];
                self.source[own.name.clone()] == *token.text
                    && (whole[now.start..token.at].ends_with(before) || is_declared(&all, *at) && !all[at - 1].is('*'))
            })
        };
        (0..all.len()).filter(is_own).map(|at| all[at].at).collect()
    }
}

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

/// A function's text, with the part of it that is replaced.
struct FunctionText<'a, 'b> {
    source: &'a str,
    part: Span,
    /// Where the part declares variables.
    sure: Vec<usize>,
    /// What isn't looked at.
    changed: &'b [Span],
}

impl<'a> FunctionText<'a, '_> {
    /// Of some names, the variables that no token mentions but to declare or set them.
    fn only_declared(&self, names: &BTreeSet<&str>, defines: &Defines) -> Vec<Variable<'a>> {
        let FunctionText { source, part, sure, changed } = self;
        let whole = tokens(source, &function_around(source, part.start));
        let is_gone = |t: &Token| changed.iter().any(|span| span.contains(&t.at));
        let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_') && names.contains(text);
        let may_be = |at: usize| !part.contains(&at) || sure.contains(&at);
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

/// Those that are not declared where another of the same name is visible, unless the part surely declares them: `2 * x[i]` looks like a
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
