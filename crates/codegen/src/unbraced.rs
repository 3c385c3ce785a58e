//! Braces that a condition left behind.
//!
//! ```text
//! {                                   a[i] = 0;
//!   {                                 if (x[i])
//!     a[i] = 0;                         a[i] = 1;
//!   }
//!   if (x[i])
//!     a[i] = 1;
//! }
//! ```
//!
//! Blocks stay that declare something, have a label or a directive, or share their lines with anything.

use crate::indent::continues_a_line;
use crate::tokens::{Kind, Token, tokens};

/// A text in which blocks that stand between statements, and declare nothing, have no braces.
pub(crate) fn unbraced(text: &str, step: &str, declares: &dyn Fn(&str) -> bool) -> String {
    let mut text = text.to_string();
    while let Some(next) = without_one(&text, step, declares) {
        text = next;
    }
    text
}

/// The text without the first such pair of braces.
fn without_one(text: &str, step: &str, declares: &dyn Fn(&str) -> bool) -> Option<String> {
    let all = tokens(text, &(0..text.len()));
    if continues_a_line(text) || all.iter().any(|token| token.kind == Kind::Directive) {
        return None;
    }
    let stands_alone = |at: &usize| *at > 0 && all[*at].is('{') && all[at - 1].is_any(&['{', '}', ';']);
    (0..all.len()).filter(stands_alone).find_map(|at| {
        let end = closing(&all, at)?;
        let (opening, closing) = (line_of(text, &all[at])?, line_of(text, &all[end])?);
        let inside = &text[opening.end..closing.start];
        let has_label = (at + 2..end).any(|colon| all[colon].is(':') && is_labelled(&all[..colon]));
        let is_plain = !has_label && !inside.trim().is_empty() && !declares(inside);
        let lines = inside.split_inclusive('\n').map(|line| line.strip_prefix(step).unwrap_or(line));
        is_plain.then(|| format!("{}{}{}", &text[..opening.start], lines.collect::<String>(), &text[closing.end..]))
    })
}

/// Whether a `:` behind the tokens is that of a label.
fn is_labelled(before: &[Token]) -> bool {
    let [.., begin, name] = before else { return false };
    name.kind == Kind::Word && (begin.is_any(&['{', '}', ';', ':']) || ["case", "default"].contains(&begin.text))
}

fn closing(all: &[Token], opening: usize) -> Option<usize> {
    let mut depth = 0;
    (opening..all.len()).find(|at| {
        depth += i32::from(all[*at].is('{')) - i32::from(all[*at].is('}'));
        depth == 0
    })
}

/// The line that a token has to itself.
fn line_of(text: &str, token: &Token) -> Option<std::ops::Range<usize>> {
    let start = text[..token.at].rfind('\n')? + 1;
    let end = text[token.at..].find('\n')? + token.at + 1;
    (text[start..end].trim() == token.text).then_some(start..end)
}

#[cfg(test)]
mod tests {
    use super::unbraced;

    fn of(text: &str) -> String {
        unbraced(text, "  ", &|inside| inside.contains("int "))
    }

    #[test]
    fn blocks_between_statements_have_no_braces() {
        let text =
            " {\n    {\n      {\n        a = c ? d : 0;\n      }\n      b = 0;\n    }\n    {\n      c = 0;\n    }\n  }";
        assert_eq!(of(text), " {\n    a = c ? d : 0;\n    b = 0;\n    c = 0;\n  }");
    }

    #[test]
    fn other_braces_stay() {
        for text in [
            " {\n    {\n      int a = 0;\n      b = a;\n    }\n  }",
            " {\n    {\n      a = 0; }\n  }",
            " {\n    if (a)\n    {\n      a = 0;\n    }\n  }",
            " {\n    {\n      l: a = 0;\n    }\n  }",
            " {\n    {\n#if X\n      a = 0;\n#endif\n    }\n  }",
            " {\n    {\n    }\n  }",
        ] {
            assert_eq!(of(text), text);
        }
    }
}
