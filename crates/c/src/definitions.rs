//! What is defined in front of a part of a file.
//!
//! Example: of `#include <math.h>`, a function's head and `typedef double real;` the first and the last one.

use crate::lex::{Token, TokenKind, tokens};

/// The directives and types of a text that define names for what follows it, each on a line.
pub fn definitions(text: &str) -> Vec<String> {
    let all = tokens(text);
    let word = |token: &Token| match token.kind {
        TokenKind::Space => " ",
        _ => &text[token.span.clone()],
    };
    let (mut lines, mut line, mut depth, mut is_type) = (Vec::new(), String::new(), 0, false);
    for token in &all {
        let is_end = match word(token) {
            "\n" | "\r\n" => !is_type,
            "typedef" if depth == 0 && line.trim().is_empty() => {
                is_type = true;
                false
            }
            "{" | "}" if !line.trim_start().starts_with('#') => {
                depth += if word(token) == "{" { 1 } else { -1 };
                false
            }
            ";" => is_type && depth == 0,
            _ => false,
        };
        line.push_str(word(token));
        if is_end {
            lines.push(std::mem::take(&mut line).split_whitespace().collect::<Vec<_>>().join(" "));
            is_type = false;
        }
    }
    let defines = |line: &String| {
        let directive = line.strip_prefix('#').unwrap_or_default().trim_start();
        line.starts_with("typedef ") || ["include", "define", "undef"].iter().any(|word| directive.starts_with(word))
    };
    lines.retain(defines);
    lines
}

#[cfg(test)]
mod tests {
    use super::definitions;

    #[test]
    fn directives_and_types_define_names() {
        let text = "#include <math.h>\n#pragma once\nint f(void) { return 1; }\ntypedef struct {\n  int a;\n} pair;\n\
            void g(void) {\n#  define N 3 // three\n  int k;";
        assert_eq!(definitions(text), ["#include <math.h>", "typedef struct { int a; } pair;", "# define N 3"]);
    }
}
