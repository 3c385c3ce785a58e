//! The user's text of a subscript, on one line.
//!
//! Example: `((i // row` with `+ 1))` on the next line is `i + 1`.

use crate::tokens::{tokens, unwrapped};

/// A subscript's text without comments, line breaks and parentheses around all of it.
pub(super) fn plain(text: &str) -> String {
    let all = tokens(text, &(0..text.len()));
    let (mut out, mut end) = (String::new(), None);
    for token in unwrapped(&all) {
        let between = end.map_or("", |end| &text[end..token.at]);
        let is_blank = between.chars().all(|c| matches!(c, ' ' | '\t'));
        out.push_str(if is_blank { between } else { " " });
        out.push_str(token.text);
        end = Some(token.span().end);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_outer_parentheses_go() {
        assert_eq!(plain(" i /* row */ + 1 "), "i + 1");
        assert_eq!(plain("i // the cell\n + 1"), "i + 1");
        assert_eq!(plain("((i) + (j))"), "(i) + (j)");
        assert_eq!(plain("(i)"), "i");
        assert_eq!(plain("i \\\n + 1"), "i + 1");
    }
}
