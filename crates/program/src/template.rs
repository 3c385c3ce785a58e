//! Texts of C with holes.
//!
//! A hole is `$` and the number of what stands in it; `$$` is the sign itself.
//!
//! Example: `(float)$0` filled with `i + 1` is `(float)(i + 1)`, if whoever fills it puts parentheses there.

/// A hole, and the text on both sides of it.
pub struct Hole<'a> {
    /// The number of what stands in it.
    pub number: usize,
    /// What is in front of it, with all holes there filled.
    pub before: &'a str,
    /// What is behind it.
    pub behind: &'a str,
}

impl Hole<'_> {
    /// Whether it is a subscript by itself: what stands there needs no parentheses.
    pub fn is_subscript(&self) -> bool {
        self.before.ends_with('[') && self.behind.starts_with(']')
    }
}

/// A text without holes, as one that may have some.
pub fn escaped(text: &str) -> String {
    text.replace('$', "$$")
}

/// A text with its holes filled.
pub fn filled(text: &str, fill: &mut dyn FnMut(Hole) -> String) -> String {
    let (mut whole, mut rest) = (String::new(), text);
    while let Some((front, behind)) = rest.split_once('$') {
        whole.push_str(front);
        if let Some(behind) = behind.strip_prefix('$') {
            whole.push('$');
            rest = behind;
            continue;
        }
        let digits = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
        rest = &behind[digits..];
        match behind[..digits].parse() {
            Ok(number) => {
                let own = fill(Hole { number, before: &whole, behind: rest });
                whole.push_str(&own);
            }
            Err(_) => whole.push('$'),
        }
    }
    whole + rest
}

#[cfg(test)]
mod tests {
    use super::{escaped, filled};

    #[test]
    fn holes_are_filled_and_signs_stay() {
        let text = format!("{} + a[$1] - $0", escaped("x$1"));
        let whole = filled(&text, &mut |hole| {
            if hole.is_subscript() { format!("k{}", hole.number) } else { format!("(k{})", hole.number) }
        });
        assert_eq!(whole, "x$1 + a[k1] - (k0)");
    }
}
