//! How tightly operators bind.

/// From the loosest to the tightest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// An expression of its own: an argument, a subscript, what stands behind `=`.
    Whole,
    /// `a ? b : c`
    Choice,
    /// `a || b`
    Or,
    /// `a && b`
    And,
    /// `a < b`
    Comparison,
    /// `a + b`
    Sum,
    /// `a * b`
    Product,
    /// `-a`
    Unary,
    /// What never needs parentheses.
    Primary,
}

impl Level {
    /// A text of this level where one at least as tight as `needed` has to stand.
    pub fn within(self, needed: Level, text: String) -> String {
        if self < needed { format!("({text})") } else { text }
    }

    /// The next tighter one.
    pub fn inside(self) -> Level {
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
