//! Text put one level deeper.

use polyfold_c::code::{Kind, Token, tokens};

/// What the lines of a text are indented by, level for level, if their first level is at `indent`.
pub(crate) fn step(text: &str, indent: &str) -> String {
    let deeper = |line: &str| {
        let code = line.trim_start();
        let more = line[..line.len() - code.len()].strip_prefix(indent)?;
        (!more.is_empty() && !code.is_empty() && !code.starts_with('#')).then(|| more.to_string())
    };
    let steps = text.lines().filter_map(deeper).min_by_key(String::len);
    let level = if indent.is_empty() { "  " } else { indent };
    steps.unwrap_or_else(|| level.to_string())
}

/// The white space in front of a line.
pub(crate) fn indent_at(source: &str, at: usize) -> &str {
    let line = source[..at].rfind('\n').map_or(0, |n| n + 1);
    let rest = &source[line..];
    &rest[..rest.len() - rest.trim_start_matches(|c: char| c.is_whitespace() && c != '\n').len()]
}

/// The text with each line one step deeper; directives, and what continues a literal, stay where they are.
pub(crate) fn deeper(text: &str, step: &str) -> String {
    let all = tokens(text, &(0..text.len()));
    let is_fixed = |t: &Token| matches!(t.kind, Kind::Directive | Kind::Quoted);
    let mut out = String::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let code = at + line.len() - line.trim_start().len();
        let begun = |t: &&Token| (t.at < at && at < t.span().end) || (t.kind == Kind::Directive && t.at == code);
        if !line.trim().is_empty() && !all.iter().any(|t| is_fixed(t) && begun(&t)) {
            out.push_str(step);
        }
        out.push_str(line);
        at += line.len();
    }
    out
}

/// Whether a line goes on in the next one behind a backslash, as literals may, which no white space may get into.
pub fn continues_a_line(text: &str) -> bool {
    text.contains("\\\n") || text.contains("\\\r\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_texts_own() {
        assert_eq!(step("  for (;;) {\n#if X\n     a;\n\n   }\n", "  "), " ");
        assert_eq!(step("\tfor (;;)\n\t\ta;\n", "\t"), "\t");
        assert_eq!(step("    a;\n    b;\n", "    "), "    ");
        assert_eq!(step("a;\nb;\n", ""), "  ");
    }

    #[test]
    fn directives_and_literals_stay() {
        let text = "  a = \"x\\\ny\";\n\n#define N \\\n  3\n  /* one\n     two */\n";
        assert_eq!(deeper(text, "  "), "    a = \"x\\\ny\";\n\n#define N \\\n  3\n    /* one\n       two */\n");
    }
}
