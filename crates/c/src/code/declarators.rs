//! The declarators of a declaration, told apart where the specifiers are known.
//!
//! Example: those of `int a[9], *p, b[9];` are `a[9]`, ` *p` and ` b[9]`.

use super::tokens;
use crate::source::Span;

/// The ranges between the commas of a declaration's list, behind its specifiers. Comments and literals have no commas.
pub fn declarators(text: &str, specifiers: &str) -> Vec<Span> {
    let all = tokens(text, &(0..text.len()));
    let (front, list) = all.split_at(tokens(specifiers, &(0..specifiers.len())).len().min(all.len()));
    let (mut items, mut depth) = (Vec::new(), 0);
    let mut start = front.last().map_or(0, |last| last.span().end);
    for token in list {
        depth += i32::from(token.is_any(&['(', '[', '{'])) - i32::from(token.is_any(&[')', ']', '}']));
        if depth == 0 && token.is_any(&[',', ';']) {
            items.push(start..token.at);
            start = token.span().end;
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::declarators;

    #[test]
    fn commas_of_comments_and_literals_part_nothing() {
        let of = |text: &'static str, specifiers| {
            declarators(text, specifiers).into_iter().map(|own| text[own].trim()).collect::<Vec<_>>()
        };
        let found = of("static  double a[16], /* b, c */ d[f(1, 2)], e = \",\"[0];", "static double");
        assert_eq!(found, ["a[16]", "/* b, c */ d[f(1, 2)]", "e = \",\"[0]"]);
        assert_eq!(of("int /* h, k */ a, // one;\n  b;", "int"), ["/* h, k */ a", "// one;\n  b"]);
    }
}
