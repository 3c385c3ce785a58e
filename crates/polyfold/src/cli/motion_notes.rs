//! Why copies of a region do not move, in the user's words.

use polyfold::motion::Moves;
use polyfold::motion_reasons::{Stays, why_inside, why_one_buffer};
use polyfold_isl::Error;
use polyfold_plan::Compaction;

/// `` `A` is copied in front of the loop; `B` is used beside the region in the loop ``: why each array has one buffer.
pub(super) fn one_buffer(compaction: &Compaction, moves: &Moves) -> Result<String, Error> {
    let mut parts: Vec<(Stays, Vec<String>)> = Vec::new();
    for (number, name) in names(compaction).into_iter().enumerate() {
        let why = why_one_buffer(compaction, moves, number)?;
        match parts.iter_mut().find(|(other, _)| *other == why) {
            Some((_, names)) if names.contains(&name) => {}
            Some((_, names)) => names.push(name),
            None => parts.push((why, vec![name])),
        }
    }
    let part = |(why, names): &(Stays, Vec<String>)| format!("{}: {}", names.join(", "), words(*why));
    Ok(parts.iter().map(part).collect::<Vec<_>>().join("; "))
}

/// Why an array is not copied in front of one of the loops around, counted from the innermost.
pub(super) fn inside(compaction: &Compaction, moves: &Moves, array: &str, at: usize) -> Result<String, Error> {
    let quoted = format!("`{array}`");
    for (number, name) in names(compaction).into_iter().enumerate() {
        let why = why_inside(compaction, moves, number, at)?;
        if name == quoted && why != Stays::NoCopies {
            return Ok(words(why).to_string());
        }
    }
    Ok(words(Stays::NoCopies).to_string())
}

/// The arrays of a region's only version, one name for each local array; of several versions those of all.
fn names(compaction: &Compaction) -> Vec<String> {
    let locals = compaction.plans().flat_map(|plan| &plan.locals);
    locals.map(|local| format!("`{}`", compaction.model.scop.array(local.array).name)).collect()
}

/// What a reason says.
pub(super) fn words(why: Stays) -> &'static str {
    match why {
        Stays::Versions => "the region has several versions, and copies at each turn in all of them",
        Stays::Parallel => "instances of the region run at the same time, in no order",
        Stays::NoLoop => {
            "between the region and the loop stands an `if` on data or something that may not end normally, or the loop's counter is declared in front of it, \
             or is no signed integer of 32 or 64 bits"
        }
        Stays::Text => {
            "in the loop stands a directive, or another region, while local memory has a capacity, or a macro makes a part of its head"
        }
        Stays::NoCopies => "nothing of it is copied",
        Stays::InFront => "it is copied in front of the loop",
        Stays::Beside => "something beside the region in the loop uses it, or may, and one of them writes it",
        Stays::Negative => "the loop's counter may be negative, and buffers are numbered by it",
        Stays::Cells => "its cells, or their places, are others at each turn",
        Stays::Sizes => "more than the counter changes from turn to turn",
        Stays::Turns => {
            "it is not shown that some turn gets to the region each time, and that the same cells may be moved at all turns"
        }
        Stays::Guarded => "between the region and the loop stands an `if`, and the next turn may pass by the region",
    }
}
