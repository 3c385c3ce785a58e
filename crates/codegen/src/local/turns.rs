//! Copies of one turn of the loop around a region, with rotating buffers.
//!
//! ```text
//! wait for what is on its way back, if the next buffer is the one that it comes from
//! copy in what the next turn finds there already                      into the next buffer
//! copy in the rest of this turn's cells, and wait for all of them
//! the statement
//! wait for what the turn before copies back; copy back               from this buffer
//! ```
//!
//! Turn t of a counter k with step s has buffer number `k / |s|` mod b, for k is not negative: numbers of turns that follow each other do.
//!
//! Only one turn's cells are on their way back where the next turn's begin to be: copies of one cell keep their order.

use super::copying::Direction;
use super::manner::Tag;
use super::{Compacted, Writing};
use polyfold_compact::{Local, Motion};
use polyfold_isl::{Result, Set};
use polyfold_scop::LoopAround;

impl Compacted<'_> {
    /// The innermost loop around.
    pub(super) fn around(&self) -> Option<&LoopAround> {
        self.scop.surroundings.as_deref().and_then(|around| around.loops.first())
    }

    /// The number of this turn's buffer; `None`: there is one buffer.
    pub(super) fn buffer_number(&self, motion: &Motion) -> Option<String> {
        let (Motion::Rotating { buffers, .. }, Some(around)) = (motion, self.around()) else { return None };
        let counter = &self.scop.parameters[around.counter.0].name;
        Some(match around.step.unsigned_abs() {
            1 => format!("{counter} % {buffers}"),
            step => format!("{counter} / {step} % {buffers}"),
        })
    }
}

impl Writing<'_> {
    /// The cells of a rotating local array that are copied a turn ahead.
    fn early(local: &Local, late: &Set) -> Result<Set> {
        local.copies.into.subtract(late)?.coalesce()
    }

    /// In front of the statement.
    pub(super) fn turn_begins(&self, indent: &str) -> Result<String> {
        let mut lines = String::new();
        if self.waits_for_buffer()? {
            lines.push_str(&self.wait(&Tag::BackLater, indent));
        }
        lines.push_str(&self.next_turn(indent)?);
        let (mut now, mut ahead) = (String::new(), None);
        for (number, local, motion) in self.locals() {
            match motion {
                Motion::Inside => {
                    now.push_str(&self.copied(
                        (number, local),
                        (Direction::Into, &local.copies.into, &Tag::In),
                        indent,
                    )?);
                }
                Motion::Rotating { late, .. } => {
                    let copied = self.copied((number, local), (Direction::Into, late, &Tag::In), indent)?;
                    if !copied.is_empty() {
                        now.insert_str(0, &self.wait(&Tag::BackLater, indent));
                    }
                    now.push_str(&copied);
                    if !Self::early(local, late)?.is_empty()? {
                        ahead = self.region.buffer_number(motion);
                    }
                }
                Motion::Outside(_) => {}
            }
        }
        if !now.is_empty() {
            lines.push_str(&now);
            lines.push_str(&self.wait(&Tag::In, indent));
        }
        if let Some(buffer) = ahead {
            lines.push_str(&self.wait(&Tag::Ahead(buffer), indent));
        }
        Ok(lines)
    }

    /// Whether cells may still be on their way back from the buffer that is filled for the next turn, or to where it is filled from.
    fn waits_for_buffer(&self) -> Result<bool> {
        let mut filled = Vec::new();
        for (_, local, motion) in self.locals() {
            if let Motion::Rotating { buffers: 2, late } = motion
                && !Self::early(local, late)?.is_empty()?
            {
                filled.push(local.array);
            }
        }
        for (_, local, motion) in self.locals() {
            let rotates = matches!(motion, Motion::Rotating { .. });
            if rotates && filled.contains(&local.array) && !local.copies.back.is_empty()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// In front of the loop, which has a turn.
    pub(super) fn first_turn(&self, indent: &str) -> Result<String> {
        let Some(around) = self.region.around() else { return Ok(String::new()) };
        let copied = self.ahead(&format!("{indent}  "))?;
        if copied.is_empty() {
            return Ok(copied);
        }
        let (word, counter) = (&around.counter_type, &self.region.scop.parameters[around.counter.0].name);
        let first = &self.source[around.first.0.clone()];
        Ok(format!("{indent}{{\n{indent}  const {word} {counter} = {first};\n{copied}{indent}}}\n"))
    }

    /// Copies for the next turn, if there is one.
    fn next_turn(&self, indent: &str) -> Result<String> {
        let Some(around) = self.region.around() else { return Ok(String::new()) };
        let deeper = format!("{indent}      ");
        let copied = self.ahead(&deeper)?;
        if copied.is_empty() {
            return Ok(String::new());
        }
        let counter = &self.region.scop.parameters[around.counter.0].name;
        let next = crate::home::free_name(&format!("{counter}_next"), self.region.scop, self.source);
        let (word, sign) = (&around.counter_type, if around.step > 0 { '+' } else { '-' });
        let (test, step) = (&self.source[around.test.clone()], around.step.unsigned_abs());
        // The counter's own name for its next value: the test may be hidden in a macro.
        let lines = [
            "{".to_string(),
            format!("  const {word} {next} = {counter} {sign} {step};"),
            "  {".to_string(),
            format!("    const {word} {counter} = {next};"),
            format!("    if ({test}) {{"),
        ];
        let head: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
        Ok(format!("{head}{copied}{indent}    }}\n{indent}  }}\n{indent}}}\n"))
    }

    /// Copies of what is copied a turn ahead.
    pub(super) fn ahead(&self, indent: &str) -> Result<String> {
        let mut lines = String::new();
        for (number, local, motion) in self.locals() {
            let Motion::Rotating { late, .. } = motion else { continue };
            let tag = Tag::Ahead(self.region.buffer_number(motion).unwrap_or_default());
            let early = Self::early(local, late)?;
            lines.push_str(&self.copied((number, local), (Direction::Into, &early, &tag), indent)?);
        }
        Ok(lines)
    }

    /// Behind the statement.
    pub(super) fn turn_ends(&self, indent: &str) -> Result<String> {
        let (mut now, mut later) = (String::new(), String::new());
        for (number, local, motion) in self.locals() {
            let back = |tag: &Tag| self.copied((number, local), (Direction::Back, &local.copies.back, tag), indent);
            match motion {
                Motion::Inside => now.push_str(&back(&Tag::Back)?),
                Motion::Rotating { .. } => later.push_str(&back(&Tag::BackLater)?),
                Motion::Outside(_) => {}
            }
        }
        let mut lines = String::new();
        if !later.is_empty() {
            lines.push_str(&self.wait(&Tag::BackLater, indent));
            lines.push_str(&later);
        }
        if !now.is_empty() {
            lines.push_str(&now);
            lines.push_str(&self.wait(&Tag::Back, indent));
        }
        Ok(lines)
    }

    /// Behind the loop: what is still on its way back.
    pub(super) fn last_turn(&self, indent: &str) -> Result<String> {
        for (_, local, motion) in self.locals() {
            if matches!(motion, Motion::Rotating { .. }) && !local.copies.back.is_empty()? {
                return Ok(self.wait(&Tag::BackLater, indent));
            }
        }
        Ok(String::new())
    }
}
