//! The functions that choose between two values which are both computed.
//!
//! ```c
//! static inline double polyfold_select(int condition, double one, double other) {
//!   union { double value; unsigned long long bits; } a = {one}, b = {other};
//!   const unsigned long long mask = 0 - (unsigned long long)condition;
//!   a.bits = (a.bits & mask) | (b.bits & ~mask);
//!   return a.value;
//! }
//! ```
//!
//! Every compiler makes vectors of that. Of `condition ? one : other` gcc does not: what only one side uses moves behind a branch before vectors are thought of.
//!
//! They stand in front of the function that holds the scop, and of the comment that belongs to it.

use super::written::names;
use crate::edit::{Edit, Edits};
use crate::home::words;
use crate::limits::function_around;
use crate::tokens::{Kind, tokens};
use polyfold_scop::Scop;

/// Whether there is a place for them: nothing in front of the scop in its function stands for one of several versions of it, and the function begins with its name.
pub(super) fn has_place(source: &str, scop: &Scop) -> bool {
    let function = function_around(source, scop.span.start);
    let head = tokens(source, &(function.start..scop.span.start));
    let is_version = |text: &str| text.trim_start_matches('#').trim_start().starts_with("el");
    let has_versions = head.iter().any(|t| t.kind == Kind::Directive && is_version(t.text));
    !has_versions && head.first().is_some_and(|first| first.kind == Kind::Word)
}

/// Those that stand in a file.
#[derive(Default)]
pub(crate) struct Helpers {
    names: Vec<String>,
}

impl Helpers {
    /// What a scop's changes need, and nothing in front of it needed.
    pub(crate) fn needed(&mut self, source: &str, scop: &Scop, edits: &Edits) -> Option<Edit> {
        let shaped = edits.shaped_texts(source);
        let texts: Vec<&str> = edits.texts().chain(shaped.iter().map(String::as_str)).collect();
        let is_used = |name: &str| texts.iter().any(|text| words(text).any(|(_, word)| word == name));
        let mut text = String::new();
        for (name, (element, bits)) in names(source, scop).into_iter().zip(TYPES) {
            if is_used(&name) && !self.names.contains(&name) {
                text += &function(&name, element, bits);
                self.names.push(name);
            }
        }
        let at = beginning(source, scop);
        (!text.is_empty()).then_some(Edit { span: at..at, text })
    }
}

/// Types of floating point, and of as many bits.
const TYPES: [(&str, &str); 2] = [("double", "unsigned long long"), ("float", "unsigned")];

fn function(name: &str, element: &str, bits: &str) -> String {
    format!(
        "/* One of two values that are both computed: with ?: compilers would have a branch for it, and no vectors. */
static inline {element} {name}(int condition, {element} one, {element} other) {{
  union {{
    {element} value;
    {bits} bits;
  }} a = {{one}}, b = {{other}};
  const {bits} mask = 0 - ({bits})condition;
  a.bits = (a.bits & mask) | (b.bits & ~mask);
  return a.value;
}}

"
    )
}

/// Where a function's line begins, or that of the comment right in front of it.
fn beginning(source: &str, scop: &Scop) -> usize {
    let function = function_around(source, scop.span.start);
    let first = tokens(source, &function).first().map_or(function.start, |first| first.at);
    let gap = &source[function.start..first];
    match gap.rfind("\n\n").or_else(|| gap.rfind("\n\r\n")) {
        Some(blank) => function.start + blank + gap[blank..].len() - gap[blank..].trim_start().len(),
        None => function.start + gap.len() - gap.trim_start().len(),
    }
}
