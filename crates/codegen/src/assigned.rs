//! What a statement assigns.

use crate::tokens::Token;

/// The value of `= value;`, the tokens behind what a statement assigns to.
pub(crate) fn assigned_value<'a, 'b>(behind: &'a [Token<'b>]) -> Option<&'a [Token<'b>]> {
    let [equals, value @ .., end] = behind else { return None };
    let mut depth = 0;
    let has_commas = value.iter().any(|t| {
        depth += i32::from(t.is_any(&['(', '['])) - i32::from(t.is_any(&[')', ']']));
        depth == 0 && t.is(',')
    });
    let begins = value.first().is_some_and(|t| !t.is('='));
    (equals.is('=') && end.is(';') && begins && !has_commas).then_some(value)
}
