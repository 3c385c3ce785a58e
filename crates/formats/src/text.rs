//! Names and declarations of C, in files and beside programs.

/// The names in a text, and those of what stands in its comments.
pub(crate) fn words(text: &str) -> impl Iterator<Item = &str> {
    let all = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    all.filter(|word| !word.is_empty() && !word.starts_with(|c: char| c.is_ascii_digit()))
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
    use super::declared_brackets;

    #[test]
    fn brackets_are_counted_outside_of_brackets() {
        assert_eq!(declared_brackets("double t[(long)n * m]"), Some(1));
        assert_eq!(declared_brackets("int s"), Some(0));
        assert_eq!(declared_brackets("struct p t[of[2]][3]"), Some(2));
        assert_eq!(declared_brackets("double (*t)[m]"), None);
    }
}
