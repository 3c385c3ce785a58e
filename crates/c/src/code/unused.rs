//! Variables, and what is `static` in the file, that nothing mentions but a part of a function, which is to have another text.
//!
//! A compiler warns of those that the new text doesn't mention.
//!
//! ```text
//! int n, t[n];  t[i] = a[i]; b[i] = t[i];      =>      int n; b[i] = a[i];      nothing mentions n
//! ```
//!
//! Example: of `int t[n];` and `b[i] = n * t[i];` the second one alone mentions n once the first one has another text.
//!
//! Limit: what only looks like a mention counts as one.

use super::{Defines, Kind, Token, function_around, tokens};
use crate::source::Span;
use std::collections::BTreeSet;

/// A part of a function that is to have another text.
pub struct Replaced<'a> {
    /// The file.
    pub source: &'a str,
    /// The part's bytes.
    pub span: Span,
    /// Where the part declares variables: the bytes of their names.
    pub declared: Vec<Span>,
    /// Other bytes of the file whose text has other words.
    pub changed: Vec<Span>,
    /// Words that these have, and what is not to be mentioned.
    pub kept: BTreeSet<String>,
}

/// A variable or a function that nothing else mentions than a part of a function.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnlyThere<'a> {
    /// What it is called.
    pub name: &'a str,
    /// Which of the variables that the part declares it is.
    pub declared: Option<usize>,
    /// The words of the part that mention it, by macros too, in the order of their places.
    pub mentions: Vec<Span>,
    /// These words.
    pub words: BTreeSet<&'a str>,
}

impl<'a> Replaced<'a> {
    /// Variables, and then what is `static` in the file, that nothing mentions but the part, declarations and what sets them.
    pub fn only_there(&self) -> Vec<OnlyThere<'a>> {
        let Replaced { source, span, .. } = self;
        let defines = Defines::of(source, span.start);
        let names = defines.with_macros(words_in(source, self.changed.iter().chain([span])));
        let whole = tokens(source, &function_around(source, span.start));
        let variables = self.variables(&whole, &names);
        let is_changed = |at: usize| self.changed.iter().any(|own| own.contains(&at));
        let stays = |t: &&Token| !span.contains(&t.at) && !is_changed(t.at);
        let others: Vec<Token> = whole.iter().filter(stays).cloned().collect();
        let (before, now) = (Mentions::of(&whole, &defines), Mentions::of(&others, &defines));
        let is_lost = |v: &&Variable| {
            let is_seen = span.contains(&v.declared_at) || v.declared_at < span.start && v.visible.contains(&span.end);
            let is_gone = is_changed(v.declared_at) || self.kept.contains(v.name);
            is_seen && !is_gone && !before.only_declare(v) && now.only_declare(v)
        };
        let variables = variables.iter().filter(is_lost).map(|v| self.variable(v, &whole, &defines));
        let in_file = self.in_file(&defines).into_iter().map(|name| {
            let words = spelled(name, &names, &defines);
            let is_it = |t: &&Token| span.contains(&t.at) && words.contains(t.text);
            OnlyThere { name, declared: None, mentions: whole.iter().filter(is_it).map(Token::span).collect(), words }
        });
        variables.chain(in_file).collect()
    }

    /// Of some names, the variables that a function declares.
    fn variables(&self, whole: &[Token<'a>], names: &BTreeSet<&str>) -> Vec<Variable<'a>> {
        let is_own = |at: usize| self.declared.iter().any(|own| own.start == whole[at].at);
        let is_name = |text: &str| text.starts_with(|c: char| c.is_alphabetic() || c == '_') && names.contains(text);
        let declares = |at: usize| match self.span.contains(&whole[at].at) {
            true => is_own(at),
            false => is_declared(whole, at),
        };
        let declared = (0..whole.len()).filter(|at| is_name(whole[*at].text) && declares(*at));
        let sure: Vec<usize> = self.declared.iter().map(|own| own.start).collect();
        apart(declared.map(|at| Variable::declared(whole, at)), &sure)
    }

    fn variable(&self, own: &Variable<'a>, whole: &[Token<'a>], defines: &Defines<'a>) -> OnlyThere<'a> {
        let inside = || (0..whole.len()).filter(|at| self.span.contains(&whole[*at].at));
        let words = spelled(own.name, &inside().map(|at| whole[at].text).collect(), defines);
        let is_macro = |at: &usize| whole[*at].text != own.name && words.contains(whole[*at].text);
        let is_it = |at: &usize| {
            let is_use = whole[*at].at != own.declared_at && !is_set(whole, *at);
            own.is_visible(whole[*at].at) && (is_macro(at) || own.is_mentioned(whole, *at) && is_use)
        };
        let mentions = inside().filter(is_it).map(|at| whole[at].span()).collect();
        let declared = self.declared.iter().position(|span| span.start == own.declared_at);
        OnlyThere { name: own.name, declared, mentions, words }
    }

    /// The `static` functions, variables and constants of the file that only the part mentions.
    fn in_file(&self, defines: &Defines<'a>) -> BTreeSet<&'a str> {
        let all = tokens(self.source, &(0..self.source.len()));
        let is_gone = |t: &&Token| self.span.contains(&t.at);
        let words = all.iter().filter(is_gone).filter(|t| t.kind == Kind::Word).map(|t| t.text);
        let names = defines.with_macros(words.collect());
        let is_only_there = |name: &&str| {
            let mut mentions = (0..all.len()).filter(|at| all[*at].text == *name && !is_gone(&&all[*at])).peekable();
            mentions.peek().is_some() && mentions.all(|at| is_static(&all, at))
        };
        names.into_iter().filter(|name| !self.kept.contains(*name)).filter(is_only_there).collect()
    }
}

/// Of some words, those that mention a name: itself and macros.
fn spelled<'a>(name: &str, words: &BTreeSet<&'a str>, defines: &Defines<'a>) -> BTreeSet<&'a str> {
    let mentions = |word: &&&str| defines.with_macros(BTreeSet::from([**word])).contains(name);
    words.iter().filter(mentions).copied().collect()
}

/// Whether a token is the name in a declaration or definition that begins with `static`, outside of all braces.
fn is_static(tokens: &[Token], at: usize) -> bool {
    let count = |sign: char| tokens[..at].iter().filter(|t| t.is(sign)).count();
    let begins = |t: &Token| t.is_any(&[';', '{', '}']) || t.kind == Kind::Directive;
    let start = tokens[..at].iter().rposition(begins).map_or(0, |before| before + 1);
    let is_static = tokens[start..at].iter().any(|t| t.text == "static");
    let is_function = tokens.get(at + 1).is_some_and(|next| next.is('('));
    is_static && count('{') == count('}') && (is_function || is_declared(tokens, at))
}

/// The tokens of some text, and what macros among them mention.
struct Mentions<'t, 'a> {
    tokens: &'t [Token<'a>],
    by_macros: BTreeSet<&'a str>,
}

impl<'t, 'a> Mentions<'t, 'a> {
    fn of(tokens: &'t [Token<'a>], defines: &Defines<'a>) -> Mentions<'t, 'a> {
        let words = tokens.iter().filter(|t| t.kind == Kind::Word).map(|t| t.text).collect();
        Mentions { tokens, by_macros: defines.in_macros(&words) }
    }

    /// Whether no token mentions a variable otherwise than to declare or set it.
    fn only_declare(&self, own: &Variable) -> bool {
        let is_such = |at: usize| match is_declared(self.tokens, at) {
            true => self.tokens[at].at == own.declared_at,
            false => self.tokens[at].at == own.declared_at || is_set(self.tokens, at),
        };
        !self.by_macros.contains(own.name)
            && (0..self.tokens.len()).filter(|at| own.is_mentioned(self.tokens, *at)).all(is_such)
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

    fn is_visible(&self, at: usize) -> bool {
        self.visible.contains(&at) && !self.hidden.iter().any(|span| span.contains(&at))
    }

    /// Whether a token is it, from its declaration on.
    fn is_mentioned(&self, tokens: &[Token], at: usize) -> bool {
        let before = |k: usize, sign: char| at.checked_sub(k).is_some_and(|at| tokens[at].is(sign));
        let is_member = before(1, '.') || before(1, '>') && before(2, '-');
        self.is_visible(tokens[at].at) && tokens[at].text == self.name && !is_member
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

#[cfg(test)]
mod tests {
    use super::Replaced;
    use std::collections::BTreeSet;

    /// What only the text between bars mentions, with the words that do, where `own` is declared there.
    fn only_there(text: &str, own: &[&str]) -> String {
        let (begin, end) = (text.find('|').expect("a bar"), text.rfind('|').expect("a bar") - 1);
        let source = text.replace('|', "");
        let declared = |name: &&str| {
            let at = begin + source[begin..end].find(&format!(" {name}")).expect("it is declared") + 1;
            at..at + name.len()
        };
        let declared = own.iter().map(declared).collect();
        let replaced =
            Replaced { source: &source, span: begin..end, declared, changed: Vec::new(), kept: BTreeSet::new() };
        let found = replaced.only_there();
        let words = |all: &[super::Span]| all.iter().map(|at| &source[at.clone()]).collect::<Vec<_>>().join(",");
        let all = found.iter().map(|own| format!("{}:{}", own.name, words(&own.mentions)));
        all.collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn variables_that_others_read_are_not_only_there() {
        assert_eq!(only_there("void f(int n, int *x) { int k = n; | x[0] = k + k; | }", &[]), "x:x k:k,k");
        assert_eq!(only_there("void f(int n) { int k; k = n; | g(k); | return k; }", &[]), "");
        assert_eq!(only_there("void f(int n) { int k; | k = n; | }", &[]), "n:n", "nobody read k before");
    }

    #[test]
    fn macros_mention_what_they_stand_for() {
        let head = "#define TWICE (k * 2)\n";
        assert_eq!(only_there(&format!("{head}void f(int k) {{ | g(TWICE, k); | }}"), &[]), "k:TWICE,k");
        assert_eq!(only_there(&format!("{head}void f(int k) {{ | g(k); | h(TWICE); }}"), &[]), "");
    }

    #[test]
    fn blocks_have_variables_of_one_name() {
        let text = "void f(int *x) { h(x); | { int v = x[0]; g(v); } { int w = x[1], v = w; g(v + v); } | }";
        assert_eq!(only_there(text, &["v", "w"]), "v:v w:w");
        assert_eq!(only_there("void f(int p) { | int q = p, r = p; MIN(q, r); | }", &["q", "r"]), "p:p,p q:q r:r");
    }

    #[test]
    fn what_is_static_in_the_file_may_be_only_there() {
        let head = "static int g(int k) { return k; }\nint h(int k) { return k; }\n";
        assert_eq!(only_there(&format!("{head}void f(int *x) {{ x[1] = 2; | x[0] = g(h(1)); | }}"), &[]), "g:g");
        assert_eq!(only_there(&format!("{head}void f(int *x) {{ x[1] = g(2); | x[0] = g(3); | }}"), &[]), "");
        let head = "const int A = 1;\nstatic const int B = 2, C = 3;\nstatic int D = C;\n";
        assert_eq!(
            only_there(&format!("{head}void f(int *x) {{ x[1] = 2; | x[0] = A + B + C + D; | }}"), &[]),
            "B:B D:D"
        );
    }
}
