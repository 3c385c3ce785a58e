//! How an access with several places reads: as a choice.
//!
//! Example: `(i >= 2 ? a[(t + i) % m][j - 1] : b[j - 1])`.

/// The places of an access, each with its condition for what is left by those before it; places that read alike are one.
pub(crate) fn choice(cases: &[(String, String)]) -> String {
    let Some(((_, last), others)) = cases.split_last() else { return String::new() };
    if cases.iter().all(|(_, text)| text == last) {
        return last.clone();
    }
    let part = |(condition, text): &(String, String)| format!("{} ? {text} : ", operand(condition));
    format!("({}{last})", others.iter().map(part).collect::<String>())
}

/// Fit to stand in front of `?`.
fn operand(condition: &str) -> String {
    if condition.contains(['?', ':', '&', '|']) { format!("({condition})") } else { condition.to_string() }
}

#[cfg(test)]
mod tests {
    use super::choice;

    #[test]
    fn choices_need_parentheses_and_some_conditions_do() {
        let of = |cases: &[(&str, &str)]| {
            choice(&cases.iter().map(|(a, b)| (a.to_string(), b.to_string())).collect::<Vec<_>>())
        };
        assert_eq!(of(&[("i >= 2", "a[k]"), ("", "b")]), "(i >= 2 ? a[k] : b)");
        assert_eq!(of(&[("i == 0 || j", "x"), ("i == 1", "y"), ("", "z")]), "((i == 0 || j) ? x : i == 1 ? y : z)");
        assert_eq!(of(&[("", "b")]), "b");
        assert_eq!(of(&[("i == 0", "b"), ("", "b")]), "b");
    }
}
