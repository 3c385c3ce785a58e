//! The entries `name := value;` of a file.

use crate::fault::Fault;

/// One entry.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    /// Where it begins, from 1.
    pub(crate) line: usize,
    /// Its words: `body`, `S1[i]`.
    pub(crate) name: Vec<&'a str>,
    pub(crate) value: Value<'a>,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Value<'a> {
    /// isl notation.
    Set(&'a str),
    /// What stood in quotes.
    Text(String),
}

/// All entries of a text.
pub(crate) fn entries(text: &str) -> Result<Vec<Entry<'_>>, Fault> {
    let mut all = Vec::new();
    let mut at = after_space(text, 0);
    while at < text.len() {
        let (entry, end) = entry(text, at)?;
        all.push(entry);
        at = after_space(text, end);
    }
    Ok(all)
}

fn entry(text: &str, start: usize) -> Result<(Entry<'_>, usize), Fault> {
    let line = line_of(text, start);
    let fault = |message: &str, help: &str| Err(Fault::at(line, message, help));
    let Some(length) = text[start..].find(":=") else {
        return fault("an entry without `:=`", "entries look like `domain := { S[i] : 0 <= i < 9 };`");
    };
    let name = &text[start..start + length];
    if name.contains([';', '{', '"', '#']) {
        return fault("an entry without `:=`", "entries look like `domain := { S[i] : 0 <= i < 9 };`");
    }
    let value = after_space(text, start + length + 2);
    let (value, end) = match text[value..].strip_prefix('"') {
        Some(quoted) => {
            let Some((content, length)) = unquoted(quoted) else {
                return fault("quotes without an end", "end them with `\"`");
            };
            (Value::Text(content), value + 1 + length)
        }
        None => {
            let Some(length) = end_of_set(&text[value..]) else {
                return fault("an entry without an end", "end it with `;` behind the last `}`");
            };
            (Value::Set(text[value..value + length].trim()), value + length)
        }
    };
    let end = after_space(text, end);
    if !text[end..].starts_with(';') {
        return Err(Fault::at(line_of(text, end), "an entry without an end", "end it with `;`"));
    }
    Ok((Entry { line, name: name.split_whitespace().collect(), value }, end + 1))
}

/// Where a set ends: at the first `;` outside of braces.
fn end_of_set(text: &str) -> Option<usize> {
    let (mut depth, mut is_comment) = (0, false);
    for (at, c) in text.char_indices() {
        match c {
            '\n' => is_comment = false,
            _ if is_comment => {}
            '#' => is_comment = true,
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => return Some(at),
            _ => {}
        }
    }
    None
}

/// What stands before the closing quote, and how many bytes that takes with it.
fn unquoted(text: &str) -> Option<(String, usize)> {
    let (mut out, mut is_escaped) = (String::new(), false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => {
                out.push(c);
                is_escaped = false;
            }
            '\\' => is_escaped = true,
            '"' => return Some((out, at + 1)),
            _ => out.push(c),
        }
    }
    None
}

/// A text in quotes.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

/// The first byte from a place on that is neither space nor comment.
fn after_space(text: &str, from: usize) -> usize {
    let mut at = from;
    loop {
        at = text.len() - text[at..].trim_start().len();
        if !text[at..].starts_with('#') {
            return at;
        }
        at = text[at..].find('\n').map_or(text.len(), |length| at + length);
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text[..at].matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_and_texts() {
        let text = "# x := y\ndomain := { S[i] : i = 0; # ; }\n T[] };\nbody S[i] := \"a[\\\"\\\\\"; # end\n";
        let found = entries(text).unwrap();
        let set = Value::Set("{ S[i] : i = 0; # ; }\n T[] }");
        assert_eq!(found[0], Entry { line: 2, name: vec!["domain"], value: set });
        let body = Value::Text("a[\"\\".to_string());
        assert_eq!(found[1], Entry { line: 4, name: vec!["body", "S[i]"], value: body });
        assert_eq!(quoted("a[\"\\"), "\"a[\\\"\\\\\"");
    }

    #[test]
    fn what_is_missing_is_said() {
        for (text, line) in
            [("domain", 1), ("\na := { ", 2), ("a := \"b", 1), ("a := \"b\"\nc := 1;", 2), ("a; b := c;", 1)]
        {
            assert_eq!(entries(text).unwrap_err().line, Some(line), "{text}");
        }
    }
}
