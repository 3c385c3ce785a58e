//! The text of a statement for loops of others.
//!
//! New loops have counters of type `int`. A counter of another type stands in the text with a cast to it, `(long)i`: the text then
//! computes what it did. A counter whose value is needed behind the scop would not get it.

use crate::leaves::{iterators, of_text};
use crate::pieces::{At, Obstacle, Piece};
use polyfold_emit::{Names, statements};
use polyfold_program::{IntType, Program, StatementId};
use polyfold_scop::Loop;

/// A piece's text.
///
/// # Errors
/// When the value of a counter around it is needed elsewhere, or may not be an `int`.
pub(crate) fn body(piece: &Piece) -> Result<String, Obstacle> {
    let held = piece.loops.iter().map(|l| held(l)).collect::<Result<Vec<IntType>, _>>()?;
    let names: Vec<String> = piece.loops.iter().map(|l| l.iterator.clone()).collect();
    let mut program = Program::default();
    let at = iterators(&mut program, &names);
    program.body.push(of_text(StatementId(0), piece.text, &names, at));
    let types = |_, k: usize| held.get(k).copied();
    let text = statements(&program, &Names { counters: Some(&types), ..Names::of(&|_| None) }, "");
    Ok(text.unwrap_or_default().trim_end().to_string())
}

/// What C holds a counter in.
fn held(l: &Loop) -> Result<IntType, Obstacle> {
    let (name, counter) = (&l.iterator, &l.counter);
    let obstacle =
        |what: String| Obstacle { what, at: At::Loop(l.id), help: "declare it in the loop: write `for (int …`" };
    match &counter.outside {
        Some(outside) if outside.seen.is_some() => {
            Err(obstacle(format!("the counter `{name}` is used behind the scop")))
        }
        Some(_) if !counter.signed || counter.bytes > 4 => {
            Err(obstacle(format!("the counter `{name}` may not be an `int`")))
        }
        _ => Ok(counter.held()),
    }
}
