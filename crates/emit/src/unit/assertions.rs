//! What a text takes for granted of macros, asserted where the compiler reads it.
//!
//! The value of a macro is that of one compilation. Where loops, storage or copies were made with it, another value may not go unnoticed:
//!
//! ```text
//! _Static_assert(R == 2, "the loops below were written by polyfold for R == 2");
//! ```
//!
//! Invariant: what is asserted in front already, as by an earlier step, is not asserted twice.

/// Conditions on macros alone, and what rests on them.
#[derive(Clone, Debug)]
pub struct Assertions {
    /// As in "the loops below were written".
    pub subject: &'static str,
    /// In C.
    pub conditions: Vec<String>,
}

/// Which language assertions are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// `_Static_assert`.
    C,
    /// `static_assert`.
    Cpp,
}

impl Assertions {
    /// The lines, behind a text.
    pub fn lines(&self, dialect: Dialect, before: &str, indent: &str) -> String {
        let keyword = dialect.keyword();
        let own = before.lines().rev().map(str::trim_start);
        let present: Vec<&str> = own.take_while(|line| line.starts_with(keyword)).collect();
        let is_new = |condition: &&String| {
            let head = format!("{keyword}({condition}, ");
            !present.iter().any(|line| line.starts_with(&head))
        };
        let subject = self.subject;
        let line = |condition: &String| {
            format!("{indent}{keyword}({condition}, \"{subject} by polyfold for {condition}\");\n")
        };
        self.conditions.iter().filter(is_new).map(line).collect()
    }
}

impl Dialect {
    fn keyword(self) -> &'static str {
        match self {
            Dialect::C => "_Static_assert",
            Dialect::Cpp => "static_assert",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Assertions, Dialect};

    #[test]
    fn what_stands_in_front_is_not_said_again() {
        let subject = "the loops below were written";
        let conditions = ["R == 2", "S == 2"].map(str::to_string).into();
        let both = Assertions { subject, conditions };
        let lines = |before: &str| both.lines(Dialect::C, before, "  ");
        let first = lines("int f(void)\n{\n");
        assert_eq!(first.lines().count(), 2);
        assert_eq!(lines(&first), "");
        let one = "  _Static_assert(R == 2, \"the storage below was chosen by polyfold for R == 2\");\n";
        assert_eq!(lines(one), first.lines().nth(1).map(|line| format!("{line}\n")).unwrap_or_default());
        assert_eq!(lines(&format!("{one}  int n;\n")), first);
    }
}
