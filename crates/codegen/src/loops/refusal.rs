//! Scops whose statements cannot be moved into new loops.
//!
//! New loops have the statements that the program has. So the text between them may do nothing else: no directives, jumps, types of
//! its own, or macros that hide a counter. What conditions on data and declarations ask for is in [`pieces`](super::pieces).
//!
//! Words of the text refuse here. They allow nothing.

use super::mentions;
use super::pieces::Piece;
use super::pragmas::{is_about_speed, lead_may_go};
use crate::frame::frame_of;
use polyfold_c::code::{Kind, Token, function_around, tokens, words};
use polyfold_scop::{Loop, Node, Scop, Span};
use std::collections::BTreeSet;

/// Something in a scop that keeps its loops as they are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// What is there, in the user's words.
    pub what: String,
    /// Where.
    pub span: Span,
    /// What the user can do.
    pub help: &'static str,
}

/// The first reason why a scop's loops have to stay; `None`: new ones can be written.
pub(super) fn why_not(source: &str, scop: &Scop) -> Option<Obstacle> {
    let all: Vec<Token> = tokens(source, &scop.span).into_iter().filter(|t| !is_droppable(t)).collect();
    directive(&all)
        .or_else(|| if lead_may_go(source, scop) { None } else { in_front(scop) })
        .or_else(|| outlived(scop))
        .or_else(|| size(scop))
        .or_else(|| scop.body.iter().find_map(|node| in_node(source, node)))
        .or_else(|| jump(source, scop, &all))
        .or_else(|| hidden_counter(source, scop, &all))
        .or_else(|| own_type(&all))
}

/// A type or an enumeration that the scop defines: what is moved out of its block would mean something else.
fn own_type(all: &[Token]) -> Option<Obstacle> {
    let begins = |at: usize| match all[at].text {
        "typedef" => true,
        "enum" | "struct" | "union" => all[at + 1..].iter().take(2).any(|t| t.is('{')),
        _ => false,
    };
    let found = (0..all.len()).find(|at| all[*at].kind == Kind::Word && begins(*at))?;
    Some(Obstacle {
        what: format!("`{}` defines something between the loops", all[found].text),
        span: all[found].span(),
        help: "define it in front of the scop",
    })
}

/// The first reason why a scop cannot be described as statements, each with a text of its own, and new loops around them;
/// `None`: it can. Pragmas about loops would be left out.
pub fn why_not_as_text(source: &str, scop: &Scop) -> Option<Obstacle> {
    let all = tokens(source, &scop.span);
    let (directives, rest): (Vec<Token>, Vec<Token>) = all.iter().cloned().partition(|t| t.kind == Kind::Directive);
    let others: Vec<Token> = directives.into_iter().filter(|t| !is_pragma(t.text)).collect();
    directive(&others)
        .or_else(|| in_front(scop))
        .or_else(|| size(scop))
        .or_else(|| call(scop))
        .or_else(|| jump(source, scop, &rest))
        .or_else(|| hidden_counter(source, scop, &rest))
}

fn is_pragma(directive: &str) -> bool {
    directive.strip_prefix('#').is_some_and(|rest| rest.trim_start().starts_with("pragma"))
}

fn is_droppable(token: &Token) -> bool {
    token.kind == Kind::Directive && is_about_speed(token.text)
}

fn directive(all: &[Token]) -> Option<Obstacle> {
    let found = all.iter().find(|t| t.kind == Kind::Directive)?;
    let what = "a preprocessor line or pragma stands between the loops".to_string();
    Some(Obstacle { what, span: found.span(), help: "take it out of the scop" })
}

/// Pragmas in front of the scop are about its first loop.
fn in_front(scop: &Scop) -> Option<Obstacle> {
    let lead = scop.lead.clone()?;
    Some(Obstacle {
        what: "a pragma in front of the scop is about its loops".to_string(),
        span: lead,
        help: "take it out",
    })
}

/// A size past `long`.
fn size(scop: &Scop) -> Option<Obstacle> {
    let found = scop.parameters.iter().find(|parameter| parameter.is_past_long())?;
    Some(Obstacle {
        what: format!("`{}` may be larger than a `long`", found.name),
        span: scop.span.start..scop.span.start,
        help: "use a signed type for it",
    })
}

/// A call that gets addresses: what it does with them is said by nothing but its name.
fn call(scop: &Scop) -> Option<Obstacle> {
    let found = scop.statements.iter().find(|statement| statement.passes_addresses())?;
    Some(Obstacle {
        what: "this statement passes addresses to a function, and relations do not say when it uses them".to_string(),
        span: found.span.clone(),
        help: "return the value, and assign it here",
    })
}

fn in_node(source: &str, node: &Node) -> Option<Obstacle> {
    match node {
        Node::Loop(l) => counter(source, l).or_else(|| l.body.iter().find_map(|node| in_node(source, node))),
        Node::Guard(g) => g.then.iter().chain(&g.otherwise).find_map(|node| in_node(source, node)),
        Node::Statement(_) => None,
    }
}

/// A counter with values past `long`, or one that is read where it has the last of them.
fn counter(source: &str, l: &Loop) -> Option<Obstacle> {
    let name = &l.iterator;
    let head = l.span.start..l.span.start + 3;
    if l.counter.bytes > 8 {
        let what = format!("the counter `{name}` may be larger than a `long`");
        return Some(Obstacle { what, span: head, help: "use `int` or `long`" });
    }
    if let Some(call) = &l.counter.hidden {
        let what = format!("this macro mentions `{name}` by itself, or spells it, and it is a loop's counter here");
        return Some(Obstacle { what, span: call.clone(), help: "write out what it stands for" });
    }
    Some(Obstacle {
        what: format!("the counter `{name}` may be read behind the scop, and new loops leave another value in it"),
        span: seen_behind(source, l)?,
        help: "give the loop a counter of its own: `for (int …`",
    })
}

/// Where a counter's last value may be read behind the scop.
pub fn seen_behind(source: &str, l: &Loop) -> Option<Span> {
    let outside = l.counter.outside.as_ref()?;
    let leaps = ["goto", "case"];
    let leap = || {
        let function = tokens(source, &function_around(source, l.span.start));
        function.into_iter().find(|t| outside.mentioned && t.kind == Kind::Word && leaps.contains(&t.text))
    };
    outside.seen.clone().or_else(|| leap().map(|token| token.span()))
}

/// A variable that is declared between the pragmas, and used behind them.
fn outlived(scop: &Scop) -> Option<Obstacle> {
    let outlived = scop.outlived.first()?;
    Some(Obstacle {
        what: format!("`{}` is declared in the scop and used behind it", outlived.name),
        span: outlived.declared.clone(),
        help: "declare it in front of the scop",
    })
}

/// A declaration that cannot move with what uses it.
pub(super) fn declaration(span: Span) -> Obstacle {
    Obstacle {
        what: "a declaration between the loops".to_string(),
        span,
        help: "declare it in front of the scop, under a name that the function has nowhere else, and set it here",
    }
}

/// A piece of which the scop's program doesn't have all.
pub(super) fn not_understood(scop: &Scop, piece: &Piece) -> Obstacle {
    let is_declaration = |span: &Span| {
        let mut declared = scop.arrays.iter().filter_map(|array| array.declaration.as_ref());
        declared.any(|declaration| declaration.statement == *span)
    };
    match piece.declarations.iter().chain([&piece.span]).find(|span| is_declaration(span)) {
        Some(span) if scop.program.is_some() => declaration(span.clone()),
        _ => Obstacle {
            what: "polyfold doesn't know all that this statement computes".to_string(),
            span: piece.span.clone(),
            help: "write it as assignments of expressions",
        },
    }
}

fn jump(source: &str, scop: &Scop, all: &[Token]) -> Option<Obstacle> {
    let words = ["goto", "switch", "case", "asm", "__asm", "__asm__"];
    let everywhere = tokens(source, &(0..source.len()));
    let has_labels = !frame_of(source, scop).labels.is_empty();
    let to_label = everywhere.iter().find(|t| has_labels && t.text == "goto");
    let found = all.iter().find(|t| t.kind == Kind::Word && words.contains(&t.text)).or(to_label)?;
    Some(Obstacle {
        what: format!("`{}` between the loops", found.text),
        span: found.span(),
        help: "take it out of the scop",
    })
}

/// A macro of this file that mentions a counter by itself, or by macros in its body, even if it could not be expanded.
fn hidden_counter(source: &str, scop: &Scop, all: &[Token]) -> Option<Obstacle> {
    let loops = scop.loops();
    let counters: BTreeSet<&str> = loops.iter().map(|l| l.iterator.as_str()).collect();
    let everywhere = tokens(source, &(0..source.len()));
    let macros: Vec<(&str, &str)> =
        everywhere.iter().filter(|t| t.kind == Kind::Directive).filter_map(|t| definition(t.text)).collect();
    let mut hiding: BTreeSet<&str> = BTreeSet::new();
    loop {
        let names: BTreeSet<&str> = counters.union(&hiding).copied().collect();
        let more = macros.iter().filter(|(_, rest)| hides(rest, &names)).map(|(name, _)| *name).collect();
        if more == hiding {
            break;
        }
        hiding = more;
    }
    let found = all.iter().find(|t| t.kind == Kind::Word && hiding.contains(t.text))?;
    Some(Obstacle {
        what: format!("the macro `{}` mentions a name that is a loop's counter here", found.text),
        span: found.span(),
        help: "write it out, or give the counter another name",
    })
}

/// Whether what follows a macro's name in its definition mentions one of some names, and not as an argument's value.
fn hides(definition: &str, names: &BTreeSet<&str>) -> bool {
    let call = definition.strip_prefix('(').and_then(|rest| rest.split_once(')'));
    let Some((parameters, body)) = call.filter(|(_, body)| !body.contains('#')) else {
        return mentions(definition, names);
    };
    let own: BTreeSet<&str> = words(parameters).map(|(_, word)| word).collect();
    words(body).any(|(_, word)| names.contains(word) && !own.contains(word))
}

/// The name and what follows it, of `#define NAME …`.
pub(crate) fn definition(directive: &str) -> Option<(&str, &str)> {
    let rest = directive.strip_prefix('#')?.trim_start().strip_prefix("define")?.trim_start();
    let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    Some(rest.split_at(end))
}
