//! The functions that choose between two values which are both computed.
//!
//! ```c
//! static inline double polyfold_select(int condition, double one, double other) {
//!   union { double value; unsigned long bits; } a = {one}, b = {other};
//!   const unsigned long mask = 0 - (unsigned long)(condition != 0);
//!   a.bits = (a.bits & mask) | (b.bits & ~mask);
//!   return a.value;
//! }
//! ```
//!
//! Every compiler makes vectors of that. Of `condition ? one : other` gcc does not: what only one side uses moves behind a branch before vectors are thought of.
//!
//! They stand in front of everything in the file, where no directive leaves them out, no macro of the file changes them and no attribute means them. What includes two such files has each
//! once: they stand behind `#ifndef POLYFOLD_SELECT`.

use super::written::names;
use crate::edit::{Edit, Edits};
use crate::home::words;
use polyfold_scop::Scop;
use std::collections::BTreeSet;

/// What the changes of a file's scops need, as the file begins.
pub(crate) fn functions<'a>(
    source: &str,
    scops: impl IntoIterator<Item = &'a Scop>,
    used: &BTreeSet<String>,
) -> Option<Edit> {
    let all: BTreeSet<(String, (&str, &str))> =
        scops.into_iter().flat_map(|scop| names(source, scop).into_iter().zip(TYPES)).collect();
    let needed = all.into_iter().filter(|(name, _)| used.contains(name));
    let text: String = needed.map(|(name, (element, bits))| function(&name, element, bits)).collect();
    let at = beginning(source);
    (!text.is_empty()).then_some(Edit { span: at..at, text })
}

/// The words of texts that changes put in.
pub(crate) fn words_of(source: &str, edits: &Edits) -> BTreeSet<String> {
    let converted = edits.converted_texts(source);
    let texts = edits.texts().chain(converted.iter().map(String::as_str));
    texts.flat_map(words).map(|(_, word)| word.to_string()).collect()
}

/// Types of floating point, and of as many bits (of those that polyfold takes, LP64).
const TYPES: [(&str, &str); 2] = [("double", "unsigned long"), ("float", "unsigned")];

fn function(name: &str, element: &str, bits: &str) -> String {
    let guard = name.to_uppercase();
    format!(
        "#ifndef {guard}
#define {guard}
/* One of two values that are both computed: with ?: compilers would have a branch for it, and no vectors. */
static inline {element} {name}(int condition, {element} one, {element} other) {{
  union {{
    {element} value;
    {bits} bits;
  }} a = {{one}}, b = {{other}};
  const {bits} mask = 0 - ({bits})(condition != 0);
  a.bits = (a.bits & mask) | (b.bits & ~mask);
  return a.value;
}}
#endif

"
    )
}

/// Behind a byte order mark, and comments that a blank line follows.
fn beginning(source: &str) -> usize {
    let mark = if source.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let (mut at, mut begins) = (mark, mark);
    while let Some(length) = comment(source[at..].trim_start()) {
        let end = source.len() - source[at..].trim_start().len() + length;
        let gap = source.len() - end - source[end..].trim_start().len();
        if source[end..end + gap].matches('\n').count() > 1 {
            begins = end + source[end..end + gap].rfind('\n').map_or(0, |line| line + 1);
        }
        at = end;
    }
    begins
}

/// How long the comment is with which a text begins.
fn comment(text: &str) -> Option<usize> {
    match text.get(..2)? {
        "/*" => Some(text.find("*/")? + 2),
        "//" => Some(text.find('\n').unwrap_or(text.len())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::beginning;

    #[test]
    fn files_begin_behind_their_own_comment() {
        assert_eq!(beginning("int a;"), 0);
        assert_eq!(beginning("/* a */\nint a;"), 0);
        assert_eq!(beginning("/* a */\n\n/* b */\n#if 0\n"), 9);
        assert_eq!(beginning("/* a\n\n b */\n#if 0\n"), 0);
        assert_eq!(beginning("// a\r\n\r\n// b\r\nint a;"), 8);
        assert_eq!(beginning("\u{feff}int a;"), 3);
    }
}
