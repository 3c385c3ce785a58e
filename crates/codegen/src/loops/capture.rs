//! What would mean another variable if a name were declared in front of the scop.
//!
//! Text that mentions the name is not all: a macro may, and a file that is included into the function.
//!
//! ```text
//! static double w = 7;                 for (…) { double w = a[i]; … }         must not become double w; for (…) { w = a[i]; … }
//! #define SEVEN w                      return SEVEN;
//! ```

use polyfold_c::code::{Kind, Token, directive_mentions, function_around, tokens, words};
use polyfold_scop::{Scop, Span};

/// Whether directives of the file, a file included into the function, or what the file declares outside of functions may mean something
/// else by the name.
pub(super) fn may_capture(source: &str, scop: &Scop, name: &str) -> bool {
    let function = function_around(source, scop.span.start);
    let all = tokens(source, &(0..source.len()));
    let may_mean_another = |t: &&Token| directive_mentions(t.text, name) || is_included_in(&function, t);
    all.iter().filter(|t| t.kind == Kind::Directive).any(|t| may_mean_another(&t)) || is_declared_outside(&all, name)
}

fn is_included_in(function: &Span, directive: &Token) -> bool {
    function.contains(&directive.at) && words(directive.text).next().is_some_and(|(_, word)| word == "include")
}

/// Whether the name stands outside of all braces and parentheses.
fn is_declared_outside(all: &[Token], name: &str) -> bool {
    let mut depth = 0i64;
    all.iter().any(|t| {
        match t.kind {
            Kind::Sign('{' | '(') => depth += 1,
            Kind::Sign('}' | ')') => depth -= 1,
            _ => {}
        }
        depth == 0 && t.kind == Kind::Word && t.text == name
    })
}
