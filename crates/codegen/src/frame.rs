//! Where a scop's pragma lines stand, and whether declarations may stand in front of them.

use polyfold_scop::{Scop, Span};

/// The surroundings of one scop.
pub(crate) struct Frame {
    /// From the line of `#pragma scop`, or of the pragmas in front that belong to it, to the end of the line of
    /// `#pragma endscop`, newline included.
    pub(crate) lines: Span,
    /// The pragmas in front of `#pragma scop` that belong to the scop's first statement.
    pub(crate) lead: Span,
    /// Between the two lines.
    pub(crate) body: Span,
    /// White space in front of the scop's first statement.
    pub(crate) indent: String,
    /// Bytes of the labels between the pragmas, which may not stand twice in a function.
    pub(crate) labels: Vec<Span>,
}

impl Frame {
    pub(crate) fn of(source: &str, scop: &Scop) -> Frame {
        let body = scop.span.clone();
        let start = first_line(source, scop);
        let lead = start..opening_line(source, scop);
        let end = source[body.end..].find('\n').map_or(source.len(), |n| body.end + n + 1);
        let text = &source[body.clone()];
        let first = text.len() - text.trim_start().len();
        let indent = text[..first].rsplit('\n').next().unwrap_or("").to_string();
        Frame { lines: start..end, lead, labels: labels(source, scop), body, indent }
    }
}

/// Where the line of `#pragma scop` begins.
fn opening_line(source: &str, scop: &Scop) -> usize {
    let before = source[..scop.span.start].trim_end_matches(['\n', '\r']);
    before.rfind('\n').map_or(0, |n| n + 1)
}

/// Where the lines begin that belong together: those of the pragmas in front, and `#pragma scop`.
fn first_line(source: &str, scop: &Scop) -> usize {
    let opening = opening_line(source, scop);
    let Some(lead) = &scop.lead else { return opening };
    let start = source[..lead.start].rfind('\n').map_or(0, |n| n + 1);
    let is_alone = source[start..lead.start].trim().is_empty();
    let mut lines = source[start..opening.max(start)].lines().map(str::trim_start);
    match is_alone && !lines.any(is_conditional) {
        true => start,
        false => opening,
    }
}

fn is_conditional(line: &str) -> bool {
    let directive = line.strip_prefix('#').map(str::trim_start);
    directive.is_some_and(|name| ["if", "el", "endif"].iter().any(|word| name.starts_with(word)))
}

/// Labels at the beginning of lines, such as `S1:`.
fn labels(source: &str, scop: &Scop) -> Vec<Span> {
    let mut at = scop.span.start;
    let lines = source[scop.span.clone()].split_inclusive('\n');
    let label = |line: &str| {
        let start = at + line.len() - line.trim_start().len();
        at += line.len();
        let (name, rest) = line.trim_start().split_once(':')?;
        let is_name = !name.trim().is_empty() && name.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
        (is_name && !rest.starts_with(':')).then(|| start..start + name.len() + 1)
    };
    lines.filter_map(label).collect()
}

/// Whether a declaration may be put in front of `#pragma scop` and the pragmas that belong to it: the line before must
/// end a statement or open a block. A scop that is the body of an `if` without braces, or that has a label, leaves no room.
pub fn can_declare_before(source: &str, scop: &Scop) -> bool {
    let before = &source[..first_line(source, scop)];
    matches!(last_token(before), Some(';' | '{' | '}'))
}

/// The last character of a text that is no white space, comment or polyfold's own pragma; `#` for another directive.
fn last_token(text: &str) -> Option<char> {
    let mut last = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        at += match c {
            _ if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            _ if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |n| n + 2),
            '"' | '\'' => {
                last = Some(c);
                quoted(rest, c)
            }
            '#' if is_first_on_line(&text[..at]) => {
                let line = directive(rest);
                let words: Vec<&str> = rest[1..line].split_whitespace().take(2).collect();
                if words != ["pragma", "polyfold"] && words.first() == Some(&"pragma") {
                    last = Some('#');
                }
                line
            }
            _ => {
                if !c.is_whitespace() {
                    last = Some(c);
                }
                c.len_utf8()
            }
        };
    }
    last
}

fn is_first_on_line(before: &str) -> bool {
    before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
}

/// Length of a string or character literal.
fn quoted(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '\n' => return at,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of a directive with its continuation lines.
fn directive(text: &str) -> usize {
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        at += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    at
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
        assert_eq!(last_token("{\n  #pragma omp parallel for\n"), Some('#'));
    }
}
