//! Where functions stand, by their braces.
//!
//! Example: in `int f(void) { a; } void g(void) { b; }` the function around `b` begins behind the first `}`.

use super::{Kind, tokens};
use crate::source::Span;

/// The bodies of functions that are not around a place, directives aside; nothing if braces do not match.
pub fn other_bodies(source: &str, at: usize) -> Vec<Span> {
    let (mut depth, mut start, mut bodies) = (0i32, 0, Vec::new());
    let (mut is_function, mut follows_parenthesis) = (false, false);
    for token in tokens(source, &(0..source.len())) {
        let follows = std::mem::replace(&mut follows_parenthesis, token.is(')'));
        match token.kind {
            Kind::Sign('{') => depth += 1,
            Kind::Sign('}') => depth -= 1,
            Kind::Directive if depth > 0 && is_function => bodies.push(start..token.at),
            Kind::Directive if depth > 0 => {}
            _ => continue,
        }
        if token.is('{') && depth == 1 {
            is_function = follows;
        }
        match token.kind {
            Kind::Sign('{') if depth > 1 => {}
            Kind::Sign('}') if depth > 0 => {}
            Kind::Sign('}') if depth == 0 => bodies.extend(is_function.then_some(start..token.at)),
            Kind::Sign('}') => return Vec::new(),
            _ => start = token.span().end,
        }
    }
    let own = function_around(source, at);
    let is_other = |body: &Span| body.end <= own.start || own.end <= body.start;
    if depth == 0 { bodies.into_iter().filter(is_other).collect() } else { Vec::new() }
}

/// The text of the function around a place, its parameters included.
pub fn function_around(source: &str, at: usize) -> Span {
    let (mut depth, mut start) = (0i32, 0);
    for token in tokens(source, &(0..source.len())) {
        let end = token.span().end;
        match token.kind {
            Kind::Sign('{') => depth += 1,
            Kind::Sign('}') => depth -= 1,
            _ => {}
        }
        let is_between = depth == 0 && (token.is_any(&['}', ';']) || token.kind == Kind::Directive);
        match is_between {
            true if token.at > at => return start..end,
            true => start = end,
            false => {}
        }
    }
    start..source.len()
}

#[cfg(test)]
mod tests {
    use super::other_bodies;

    /// Of the function in which `HERE` stands, and a text that has none.
    #[track_caller]
    fn bodies(source: &str) -> Vec<&str> {
        let at = source.find("HERE").unwrap_or_default();
        other_bodies(source, at).into_iter().map(|body| source[body].trim()).collect()
    }

    #[test]
    fn bodies_of_other_functions_are_found() {
        let source =
            "int f(int a) { if (a) { b; } return a; }\nvoid g(void) { HERE; { c; } }\nint h(void) { return 1; }\n";
        assert_eq!(bodies(source), ["if (a) { b; } return a;", "return 1;"]);
    }

    #[test]
    fn directives_belong_to_no_body() {
        let source = "#define A {\nint f(void) {\n  int t;\n#define t x\n  return t;\n}\nvoid g(void) { HERE; }\n";
        assert_eq!(bodies(source), ["int t;", "return t;"]);
    }

    #[test]
    fn braces_of_types_and_values_hold_no_body() {
        let source = "struct s { int t; };\nenum { A, B };\nint a[2] = { 1, 2 };\nvoid g(void) { HERE; }\n";
        assert_eq!(bodies(source), [""; 0]);
    }

    #[test]
    fn braces_that_do_not_match_have_no_bodies() {
        assert_eq!(bodies("int f(void) { a; }\nvoid g(void) { HERE;\n"), [""; 0]);
        assert_eq!(bodies("int f(void) { a; } }\nvoid g(void) { HERE; }\n"), [""; 0]);
    }
}
