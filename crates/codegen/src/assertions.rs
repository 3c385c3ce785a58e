//! What a text takes for granted of macros, asserted where the compiler reads it.
//!
//! The value of a macro is that of one compilation. Where loops, storage or copies were made with it, another value may not go unnoticed:
//!
//! ```text
//! _Static_assert(R == 2, "the loops below were written by polyfold for R == 2");
//! ```
//!
//! Invariant: what is asserted in front already, as by an earlier step, is not asserted twice.

use crate::Dialect;
use polyfold_scop::Pinned;

/// Conditions on macros alone, and what rests on them.
pub(crate) struct Assertions {
    /// As in "the loops below were written".
    subject: &'static str,
    conditions: Vec<String>,
    dialect: Dialect,
}

impl Assertions {
    /// That macros have the values that they had.
    pub(crate) fn of_values(subject: &'static str, pinned: &[Pinned], dialect: Dialect) -> Assertions {
        let conditions = pinned.iter().map(|pinned| format!("{} == {}", pinned.name, pinned.value)).collect();
        Assertions { subject, conditions, dialect }
    }

    /// One more.
    pub(crate) fn push(&mut self, condition: String) {
        self.conditions.push(condition);
    }

    /// The lines, behind a text.
    pub(crate) fn lines(&self, before: &str, indent: &str) -> String {
        let keyword = self.keyword();
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

    fn keyword(&self) -> &'static str {
        match self.dialect {
            Dialect::C => "_Static_assert",
            Dialect::Cpp => "static_assert",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Assertions;
    use crate::Dialect;
    use polyfold_scop::Pinned;

    #[test]
    fn what_stands_in_front_is_not_said_again() {
        let pinned = |name: &str| Pinned { name: name.to_string(), value: 2 };
        let both = Assertions::of_values("the loops below were written", &[pinned("R"), pinned("S")], Dialect::C);
        let first = both.lines("int f(void)\n{\n", "  ");
        assert_eq!(first.lines().count(), 2);
        assert_eq!(both.lines(&first, "  "), "");
        let one = "  _Static_assert(R == 2, \"the storage below was chosen by polyfold for R == 2\");\n";
        assert_eq!(both.lines(one, "  "), first.lines().nth(1).map(|line| format!("{line}\n")).unwrap_or_default());
        assert_eq!(both.lines(&format!("{one}  int n;\n"), "  "), first);
    }
}
