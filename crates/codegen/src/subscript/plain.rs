//! The user's text of a subscript, on one line.

/// A subscript's text without comments, line breaks and parentheses around all of it.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::new();
    let joined = text.replace("\\\r\n", "").replace("\\\n", "");
    let mut rest = joined.as_str();
    while let Some(at) = rest.find("/*").into_iter().chain(rest.find("//")).min() {
        out.push_str(&rest[..at]);
        out.push(' ');
        let (end, length) = if rest[at..].starts_with("/*") { ("*/", 2) } else { ("\n", 1) };
        rest = rest[at..].find(end).map_or("", |n| &rest[at + n + length..]);
    }
    out.push_str(rest);
    let as_written = out == text && !out.contains('\n');
    let mut text = if as_written { out } else { out.split_whitespace().collect::<Vec<_>>().join(" ") };
    text = text.trim().to_string();
    while is_one_group(&text) {
        text = text[1..text.len() - 1].trim().to_string();
    }
    text
}

/// Whether the first parenthesis is closed by the last character.
fn is_one_group(text: &str) -> bool {
    let mut depth = 0;
    text.starts_with('(')
        && text.char_indices().all(|(at, c)| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth > 0 || at + 1 == text.len()
        })
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
