//! How tightly C's operators bind.

/// From the loosest to the tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Level {
    /// An expression of its own: an argument, a subscript, what stands behind `=`.
    Whole,
    Choice,
    Or,
    And,
    Comparison,
    Sum,
    Product,
    Unary,
    Primary,
}

impl Level {
    /// A text of this level where one at least as tight as `needed` has to stand.
    pub(crate) fn within(self, needed: Level, text: String) -> String {
        if self < needed { format!("({text})") } else { text }
    }

    pub(crate) fn inside(self) -> Level {
        match self {
            Level::Whole => Level::Choice,
            Level::Choice => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Comparison,
            Level::Comparison => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Unary,
            Level::Unary | Level::Primary => Level::Primary,
        }
    }
}
