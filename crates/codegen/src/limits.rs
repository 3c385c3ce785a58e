//! What a program's text does not allow, whatever was proved.
//!
//! * A scop under a run-time test stands twice in the text: once as it was. State and names that may exist only once
//!   forbid that: `static` variables, labels that a `goto` aims at, `__COUNTER__`, assembly.
//! * A declaration moves in front of the scop if its sizes are known only there, or if both texts need one. The names
//!   in it must mean the same there: `elem t[n]; { typedef float elem; int n = 3; … }` forbids it.
//!
//! Both are read off the tokens, and refuse more than they must: what only looks like a declaration counts as one.

use crate::frame::frame_of;
use crate::hosts::hosts;
use polyfold_c::code::{Kind, Token, function_around, is_declared, is_type_declared, tokens};
use polyfold_scop::{Array, ArrayId, Scop, Storage};

/// What a program's text does not allow.
#[derive(Clone, Debug, Default)]
pub struct TextLimits {
    /// The text; `None`: none is to be written, and nothing may need another one.
    pub source: Option<String>,
    /// Why the scop cannot stand twice in the text.
    pub single: Option<String>,
    /// Arrays whose declarations cannot move in front of the scop, and why.
    pub fixed: Vec<(ArrayId, String)>,
    /// Arrays that stay, and in which others may live as far as names go.
    pub hosts: Vec<ArrayId>,
}

impl TextLimits {
    /// Of one scop.
    pub fn of(source: &str, scop: &Scop) -> TextLimits {
        let ids = (0..scop.arrays.len()).map(ArrayId);
        let jump = jump_across(source, scop);
        let stays = |id: &ArrayId| scop.array(*id).declaration.as_ref().is_some_and(|d| d.allocation().is_some());
        let moving = ids.filter(|id| !stays(id));
        let fixed = moving.filter_map(|id| Some((id, renamed(source, scop, scop.array(id)).or(jump.clone())?)));
        TextLimits {
            source: Some(source.to_string()),
            single: existing_once(source, scop),
            fixed: fixed.collect(),
            hosts: hosts(source, scop),
        }
    }
}

/// Something between the pragmas that may exist only once.
fn existing_once(source: &str, scop: &Scop) -> Option<String> {
    let once = ["static", "_Thread_local", "__thread", "__label__", "asm", "__asm", "__asm__"];
    let inside = tokens(source, &scop.span);
    let everywhere = tokens(source, &(0..source.len()));
    let stated = inside.iter().find(|t| t.kind == Kind::Word && once.contains(&t.text)).map(|t| t.text);
    let counter = source.contains("__COUNTER__").then_some("__COUNTER__");
    let what = stated.or(counter).map(str::to_string);
    let what = what.or_else(|| target(source, scop, &everywhere).map(|label| format!("{label}:")))?;
    Some(format!(
        "a result that holds for some sizes only needs the scop twice in the text, and `{what}` may stand there once"
    ))
}

/// A label of the scop to which somebody jumps.
fn target<'a>(source: &'a str, scop: &Scop, everywhere: &[Token]) -> Option<&'a str> {
    let labels = frame_of(source, scop).labels;
    let mut names = labels.iter().map(|span| source[span.clone()].trim_end_matches(':').trim_end());
    names.find(|name| {
        everywhere.windows(3).any(|t| t[2].text == *name && (t[1].text == "goto" || (t[0].is('&') && t[1].is('&'))))
    })
}

/// Why no declaration may stand in front of the scop: a `goto` or a `switch` before it may lead behind it.
pub(crate) fn jump_across(source: &str, scop: &Scop) -> Option<String> {
    let function = function_around(source, scop.span.start);
    let before = tokens(source, &(function.start..scop.span.start));
    // Where macros hide braces it seems to end earlier.
    let behind = tokens(source, &(scop.span.end..function.end.max(scop.span.end)));
    let has = |tokens: &[Token], words: &[&str]| tokens.iter().any(|t| t.kind == Kind::Word && words.contains(&t.text));
    let by_goto = has(&before, &["goto"]) && behind.windows(2).any(|t| t[0].kind == Kind::Word && t[1].is(':'));
    let by_switch = has(&before, &["switch"]) && has(&behind, &["case", "default"]);
    let word = if by_goto { "goto" } else { "switch" };
    (by_goto || by_switch).then(|| {
        format!("its declaration would have to move to the scop, and a `{word}` in front of that may lead behind it")
    })
}

/// A name in an array's declaration that is declared again before the scop.
fn renamed(source: &str, scop: &Scop, array: &Array) -> Option<String> {
    let declaration = array.declaration.as_ref()?;
    if declaration.inside_scop || !matches!(declaration.storage, Storage::Local | Storage::StaticLocal) {
        return None;
    }
    let place = &declaration.declarator;
    let text = place.fragment.map_or(source, |f| scop.fragments[f.0].text.as_str());
    let declarator = tokens(text, &place.span);
    let specifiers = tokens(&declaration.specifiers, &(0..declaration.specifiers.len()));
    let between = tokens(source, &(declaration.statement.end..scop.span.start.max(declaration.statement.end)));
    let names_of = |all: &[Token]| {
        let words = all.iter().filter(|t| t.kind == Kind::Word && t.text != array.name);
        words.map(|t| t.text.to_string()).collect::<Vec<String>>()
    };
    let is_hidden_type = |name: &String| (0..between.len()).any(|at| is_type_declared(&between, at, name));
    let is_hidden = |name: &String| (0..between.len()).any(|at| is_declared(&between, at, name));
    let hidden_type = names_of(&specifiers).into_iter().find(is_hidden_type);
    let name = hidden_type.or_else(|| names_of(&declarator).into_iter().find(is_hidden))?;
    Some(format!("its declaration would have to move to the scop, where `{name}` may mean something else"))
}
