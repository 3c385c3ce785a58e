//! Rows that a condition chooses.
//!
//! ```text
//! (i >= 2 ? *P[at][j] : *Q[j - 1])   is cell   row[j - 1]   of   row = (i >= 2 ? &P[at][1] : &Q[0])
//! ```
//!
//! The idea: where the condition doesn't ask for the innermost counter, the choice is made in front of the loop. The last subscripts
//! differ by numbers: all are counted from the smallest one.

use polyfold_program::Sum;
use polyfold_program::{Cond, Int, LocalId, Place};

/// A row that is chosen in front of a loop with this counter, where it begins, and the subscript in it. `None`: it is one place, or the
/// loop chooses.
pub(crate) fn chosen(place: &Place, counter: LocalId) -> Option<(Place, Int)> {
    let Place::Select(..) = place else { return None };
    let mut lasts = Vec::new();
    collect(place, counter, &mut lasts)?;
    let distances = lasts.iter().map(|last| Sum::difference(last, lasts[0])).collect::<Option<Vec<i64>>>()?;
    let least = (0..lasts.len()).min_by_key(|k| distances[*k])?;
    Some((counted_from(place, lasts[least]), lasts[least].clone()))
}

/// The last subscripts of all rows.
fn collect<'a>(place: &'a Place, counter: LocalId, lasts: &mut Vec<&'a Int>) -> Option<()> {
    match place {
        Place::Select(cond, yes, no) => {
            let is_fixed = !cond.has_data() && !names(cond, counter);
            is_fixed.then_some(())?;
            [yes, no].into_iter().try_for_each(|place| collect(place, counter, lasts))
        }
        Place::Cell { index, .. } => {
            let (last, leading) = index.split_last()?;
            lasts.push(last);
            (!leading.iter().any(|e| e.names(counter))).then_some(())
        }
        Place::Through { index, .. } => match &index[..] {
            [last] => {
                lasts.push(last);
                Some(())
            }
            _ => None,
        },
    }
}

fn counted_from(place: &Place, from: &Int) -> Place {
    let begin = |last: &Int| Int::Constant(Sum::difference(last, from).unwrap_or_default());
    match place {
        Place::Select(cond, yes, no) => {
            let side = |place: &Place| Box::new(counted_from(place, from));
            Place::Select(cond.clone(), side(yes), side(no))
        }
        Place::Cell { buffer, index } => {
            let (leading, last) = index.split_at(index.len() - 1);
            Place::Cell { buffer: *buffer, index: [leading, &[begin(&last[0])]].concat() }
        }
        Place::Through { pointer, index } => Place::Through { pointer: *pointer, index: vec![begin(&index[0])] },
    }
}

fn names(cond: &Cond, local: LocalId) -> bool {
    let mut found = false;
    cond.each_int(&mut |e| found |= *e == Int::Local(local));
    found
}
