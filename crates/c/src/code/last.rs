//! How a text ends.
//!
//! Example: `int n; /* { */` ends with a semicolon.

use super::{Kind, tokens};

/// The last character of a text that is no white space, comment, polyfold's own pragma or the end of another scop; `#` for another
/// pragma.
pub fn last_token(text: &str) -> Option<char> {
    let all = tokens(text, &(0..text.len()));
    let last = all.iter().rfind(|t| t.kind != Kind::Directive || is_foreign_pragma(t.text))?;
    last.text.chars().next_back().map(|c| if last.kind == Kind::Directive { '#' } else { c })
}

fn is_foreign_pragma(directive: &str) -> bool {
    let words: Vec<&str> = directive[1..].split_whitespace().take(2).collect();
    words.first() == Some(&"pragma") && words != ["pragma", "polyfold"] && words != ["pragma", "endscop"]
}

#[cfg(test)]
mod tests {
    use super::last_token;

    #[test]
    fn the_last_token_is_found_behind_comments_strings_and_directives() {
        assert_eq!(last_token("int n; /* { */ // {\n"), Some(';'));
        assert_eq!(last_token("f(\"}\") ? ';' : '}'\n"), Some('\''));
        assert_eq!(last_token("if (n)\n"), Some(')'));
        assert_eq!(last_token("{\n#define A \\\n  ;\n#pragma polyfold temporary(t)\n"), Some('{'));
        assert_eq!(last_token("{\n#pragma scop\n  t[0] = 1;\n#pragma endscop\n"), Some(';'));
        assert_eq!(last_token("{\n  #pragma omp parallel for\n"), Some('#'));
    }
}
