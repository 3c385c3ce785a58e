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
//! Blocks stay in which a statement is anything but an assignment that begins with a name, an `if` or a `for`: it might declare something, and
//! braces may be those of a list of values. So do those that have a directive, or share their lines with anything. The user's own blocks in a loop
//! that is written anew count as others.

use crate::indent::continues_a_line;
use crate::tokens::{Kind, Token, closing, tokens};

/// A text in which blocks that stand between statements, and declare nothing, have no braces.
pub(crate) fn unbraced(text: &str, step: &str) -> String {
    let mut text = text.to_string();
    while let Some(next) = without_one(&text, step) {
        text = next;
    }
    text
}

/// The text without the first such pair of braces.
fn without_one(text: &str, step: &str) -> Option<String> {
    let all = tokens(text, &(0..text.len()));
    if continues_a_line(text) || all.iter().any(|token| token.kind == Kind::Directive) {
        return None;
    }
    let stands_alone = |at: &usize| *at > 0 && all[*at].is('{') && all[at - 1].is_any(&['{', '}', ';']);
    (0..all.len()).filter(stands_alone).find_map(|at| {
        let end = closing(&all, at)?;
        let (opening, closing) = (line_of(text, &all[at])?, line_of(text, &all[end])?);
        let inside = &text[opening.end..closing.start];
        let is_plain = are_plain(&all[at + 1..end]);
        let lines = inside.split_inclusive('\n').map(|line| line.strip_prefix(step).unwrap_or(line));
        is_plain.then(|| format!("{}{}{}", &text[..opening.start], lines.collect::<String>(), &text[closing.end..]))
    })
}

/// Whether tokens are statements that surely declare nothing, and have no labels.
fn are_plain(all: &[Token]) -> bool {
    let mut depth = 0;
    let mut begins = true;
    for (at, token) in all.iter().enumerate() {
        let is_known = match token.text {
            "if" | "for" | "else" | "{" | "}" => true,
            _ => {
                token.kind == Kind::Word && all.get(at + 1).is_some_and(|next| next.is_any(&['[', '=', '+', '-', '.']))
            }
        };
        if begins && depth == 0 && !is_known {
            return false;
        }
        depth += i32::from(token.is('(')) - i32::from(token.is(')'));
        begins = token.is_any(&['{', '}', ';']) || token.text == "else";
    }
    all.last().is_some_and(|last| last.is_any(&[';', '}']))
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
        unbraced(text, "  ")
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
            " {\n    {\n      b = 1;\n      __typeof__(b) a = b;\n    }\n  }",
            " {\n    {\n      double (a) = b;\n    }\n  }",
            " {\n    struct s a = {\n      {\n        .25\n      }\n    };\n  }",
            " {\n    int a[2][1] = {\n      {\n        b[1]\n      }\n    };\n  }",
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
