//! What a loop's counter is in a statement's text.
//!
//! New loops have counters of type `int`. A counter of another type stands in the text with a cast to it, `(long)i`: the text then
//! computes what it did. A counter whose value is needed behind the scop would not get it.

use polyfold_codegen::Obstacle;
use polyfold_scop::Loop;

/// The text that stands for a counter.
///
/// # Errors
/// When its type is not known, or its value is needed elsewhere.
pub(crate) fn in_text(l: &Loop) -> Result<String, Obstacle> {
    let (name, counter) = (&l.iterator, &l.counter);
    let obstacle = |what: String| Obstacle {
        what,
        span: l.span.start..l.span.start + 3,
        help: "declare it in the loop: write `for (int …`",
    };
    match &counter.outside {
        Some(outside) if outside.seen.is_some() => {
            Err(obstacle(format!("the counter `{name}` is used behind the scop")))
        }
        Some(_) if !counter.signed || counter.bytes > 4 => {
            Err(obstacle(format!("the counter `{name}` may not be an `int`")))
        }
        None if counter.element != "int" => Ok(format!("({}){name}", counter.element)),
        _ => Ok(name.clone()),
    }
}
