//! C text on one line.

use polyfold_c::lex::{TokenKind, tokens};

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

/// Whether a text is a name of C.
pub(crate) fn is_name(text: &str) -> bool {
    words(text).collect::<Vec<_>>() == [text] && text.is_ascii()
}

/// `rows` in `float rows[h][w]`.
pub(crate) fn declared_name(declaration: &str) -> Option<&str> {
    words(declaration.split('[').next()?).last()
}

/// How many pairs of brackets stand behind the name in `float rows[h][w]`; `None` where pointers or parentheses stand beside them.
pub(crate) fn declared_brackets(declaration: &str) -> Option<usize> {
    let (mut depth, mut pairs) = (0, 0);
    for c in declaration.chars() {
        match c {
            '[' => {
                pairs += usize::from(depth == 0);
                depth += 1;
            }
            ']' => depth -= 1,
            '*' | '(' if depth == 0 => return None,
            _ => {}
        }
    }
    Some(pairs)
}

/// Name, type and value in `int N = 100`.
pub(crate) fn sized(text: &str) -> (String, String, Option<i64>) {
    let (declaration, value) = text.split_once('=').map_or((text, None), |(d, v)| (d, v.trim().parse().ok()));
    let (words, name) = declaration.trim().rsplit_once(' ').unwrap_or(("int", declaration.trim()));
    (name.to_string(), words.trim().to_string(), value)
}

#[cfg(test)]
mod tests {
    use super::{declared_brackets, on_one_line};

    #[test]
    fn brackets_are_counted_outside_of_brackets() {
        assert_eq!(declared_brackets("double t[(long)n * m]"), Some(1));
        assert_eq!(declared_brackets("int s"), Some(0));
        assert_eq!(declared_brackets("struct p t[of[2]][3]"), Some(2));
        assert_eq!(declared_brackets("double (*t)[m]"), None);
    }

    #[test]
    fn comments_and_pragmas_go() {
        assert_eq!(on_one_line("a[i] = /* x */\n  b; // y\n#pragma omp simd\n\tc();"), "a[i] = b; c();");
        assert_eq!(on_one_line("f(\"# no /* comment\");"), "f(\"# no /* comment\");");
    }
}
