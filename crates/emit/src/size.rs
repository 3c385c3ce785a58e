//! Sizes and tests on them, which stand around a program.
//!
//! Example: `(long)n + 2 * m` for the `int`s n and m, of which nothing is known.

use crate::expression::{Expressions, Printed};
use crate::integer::printed;
use crate::kept::Kept;
use crate::ranges::Ranges;
use crate::source::Additions;
use crate::typed::Setting;
use polyfold_program::{Cond, Int, IntType, Level, Program};

/// A size in C.
#[derive(Clone, Debug)]
pub struct Size {
    printed: Printed,
    /// What C computes it as; `None`: that has no bounds.
    pub held: Option<IntType>,
}

impl Size {
    /// A variable that has it.
    pub fn of_name(name: &str) -> Size {
        Size { printed: Printed::new(Level::Primary, name.to_string()), held: None }
    }

    /// Where something at least as tight as `needed` has to stand.
    pub fn within(&self, needed: Level) -> String {
        self.printed.clone().within(needed)
    }
}

/// An integer that is computed in front of a program, by its names and what is known of its sizes.
pub fn size(program: &Program, e: &Int) -> Size {
    let additions = Additions::none();
    let typed = Expressions::of(program, &additions, Ranges::of(program)).typed(e, Setting::of(&Kept::default()));
    let held = typed.held;
    Size { printed: printed(typed), held }
}

/// A test in front of a program.
pub fn test(program: &Program, cond: &Cond) -> String {
    let additions = Additions::none();
    Expressions::of(program, &additions, Ranges::of(program)).cond(cond, None).within(Level::Whole)
}
