//! Texts of C that some program's statements are.
//!
//! Example: `t[i] = s.i + i; // once` is `t[$0] = s.i + $0;` for the counter `i`.
//!
//! The caller makes sure that no macro names a counter by itself.

use polyfold_c::written::{on_one_line, with_names};
use polyfold_program::escaped;

/// A text with holes `$0`, `$1`, … in place of names, without comments and directives. Of equal names the last one is meant.
pub fn template(text: &str, names: &[String]) -> String {
    with_names(&escaped(&on_one_line(text)), &mut |name| {
        let number = names.iter().rposition(|own| own == name.own)?;
        Some((name.own.len(), format!("${number}")))
    })
}

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn names_are_holes_but_for_those_of_members() {
        let of = |text: &str| template(text, &["i".to_string(), "j".to_string()]);
        assert_eq!(of("t[i] = // x\n  s.i + p->j * (j + ii);"), "t[$0] = s.i + p->j * ($1 + ii);");
        assert_eq!(of("f(\"i $0\", i);"), "f(\"i $$0\", $0);");
        assert_eq!(template("i", &["i".to_string(), "i".to_string()]), "$1");
    }
}
