//! C text on one line.

use polyfold_lex::{TokenKind, tokens};

/// Without comments, pragmas and line breaks: `a[i] = /* x */\n  b;` is `a[i] = b;`.
pub(crate) fn on_one_line(text: &str) -> String {
    let (mut out, mut space, mut is_directive, mut is_line_start) = (String::new(), false, false, true);
    for token in tokens(text) {
        let word = &text[token.span];
        match token.kind {
            TokenKind::Newline => (space, is_directive, is_line_start) = (true, false, true),
            TokenKind::Space => space = true,
            _ if is_directive => {}
            TokenKind::Mark if is_line_start && word.starts_with('#') => is_directive = true,
            _ => {
                if space && !out.is_empty() {
                    out.push(' ');
                }
                out.push_str(word);
                (space, is_line_start) = (false, false);
            }
        }
    }
    out
}

/// The words of a text, with their places.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word).map(|token| &text[token.span])
}

#[cfg(test)]
mod tests {
    use super::on_one_line;

    #[test]
    fn comments_and_pragmas_go() {
        assert_eq!(on_one_line("a[i] = /* x */\n  b; // y\n#pragma omp simd\n\tc();"), "a[i] = b; c();");
        assert_eq!(on_one_line("f(\"# no /* comment\");"), "f(\"# no /* comment\");");
    }
}
