//! Types in which C holds integers.
//!
//! The tree's integers are mathematical. Its counters and sizes say what C holds them in, so that the printer can tell where a
//! sum would wrap around. Integers in values have the type in which C has them there ([`Value`](crate::Value)).
//!
//! Example: of an `int` and a `size_t` C computes the sum as a `size_t`: `i32` with `u64` is `u64`.

use crate::{Int, Program};

/// What C holds an integer in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IntType {
    /// Of so many bits, with a sign: `i32`.
    Signed(u32),
    /// Of so many bits, from 0 on: `u64`.
    Unsigned(u32),
    /// Some type: `unknown`.
    Unknown,
}

/// The least and the largest value.
pub type Values = (i128, i128);

impl IntType {
    /// `int`
    pub const INT: IntType = IntType::Signed(32);

    /// `long`
    pub const LONG: IntType = IntType::Signed(64);

    /// The values that it holds; `None` where it isn't known.
    pub fn values(self) -> Option<Values> {
        match self {
            IntType::Signed(bits) => Some((-(1 << (bits - 1)), (1 << (bits - 1)) - 1)),
            IntType::Unsigned(bits) => Some((0, (1 << bits) - 1)),
            IntType::Unknown => None,
        }
    }

    /// Whether it holds all of these.
    pub fn holds(self, values: Values) -> bool {
        self.values().is_some_and(|(least, most)| least <= values.0 && values.1 <= most)
    }

    /// The type in which C computes with both (C17 6.3.1.8).
    pub fn with(self, other: IntType) -> IntType {
        use IntType::{Signed, Unknown, Unsigned};
        match (self.promoted(), other.promoted()) {
            (Unknown, _) | (_, Unknown) => Unknown,
            (Signed(a), Signed(b)) => Signed(a.max(b)),
            (Unsigned(a), Unsigned(b)) => Unsigned(a.max(b)),
            (Signed(signed), Unsigned(unsigned)) | (Unsigned(unsigned), Signed(signed)) => {
                if signed > unsigned {
                    Signed(signed)
                } else {
                    Unsigned(unsigned)
                }
            }
        }
    }

    /// The type after C's promotion.
    fn promoted(self) -> IntType {
        match self {
            IntType::Signed(bits) | IntType::Unsigned(bits) if bits < 32 => IntType::INT,
            other => other,
        }
    }

    /// That of a number without a suffix.
    pub fn of_number(value: i64) -> IntType {
        let is_int = IntType::INT.holds((value.into(), value.into()));
        if is_int { IntType::INT } else { IntType::LONG }
    }

    /// Whether it has a sign.
    pub fn is_signed(self) -> bool {
        matches!(self, IntType::Signed(_))
    }

    /// Its name in the textual form.
    pub fn name(self) -> String {
        match self {
            IntType::Signed(bits) => format!("i{bits}"),
            IntType::Unsigned(bits) => format!("u{bits}"),
            IntType::Unknown => "unknown".to_string(),
        }
    }

    /// A type of C that holds the same; `None`: there is none on machines where `long` has 64 bits and `int` 32.
    pub fn in_c(self) -> Option<&'static str> {
        Some(match self {
            IntType::Signed(8) => "signed char",
            IntType::Signed(16) => "short",
            IntType::Signed(32) => "int",
            IntType::Signed(64) => "long",
            IntType::Unsigned(8) => "unsigned char",
            IntType::Unsigned(16) => "unsigned short",
            IntType::Unsigned(32) => "unsigned",
            IntType::Unsigned(64) => "unsigned long",
            IntType::Signed(_) | IntType::Unsigned(_) | IntType::Unknown => return None,
        })
    }

    /// The type of a name.
    pub fn of_name(name: &str) -> Option<IntType> {
        let all = [8, 16, 32, 64].into_iter().flat_map(|bits| [IntType::Signed(bits), IntType::Unsigned(bits)]);
        all.chain([IntType::Unknown]).find(|own| own.name() == name)
    }
}

impl Program {
    /// The type that an integer has in C by what numbers, sizes and locals in it are held in.
    pub fn type_of(&self, e: &Int) -> IntType {
        match e {
            Int::Constant(value) => IntType::of_number(*value),
            Int::Parameter(id) => self.parameters[id.0].held.unwrap_or(IntType::Unknown),
            Int::Local(id) => self.locals[id.0].held.unwrap_or(IntType::Unknown),
            Int::Binary(_, left, right) | Int::Select(_, left, right) => self.type_of(left).with(self.type_of(right)),
            Int::Data(_) => IntType::Unknown,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::IntType::{self, Signed, Unknown, Unsigned};

    #[test]
    fn operands_meet_in_one_type() {
        assert_eq!(Signed(32).with(Unsigned(64)), Unsigned(64));
        assert_eq!(Signed(64).with(Unsigned(32)), Signed(64));
        assert_eq!(Signed(32).with(Unsigned(32)), Unsigned(32));
        assert_eq!(Unsigned(8).with(Signed(16)), IntType::INT);
        assert_eq!(Unknown.with(Signed(64)), Unknown);
    }

    #[test]
    fn types_hold_their_values() {
        assert_eq!(Signed(8).values(), Some((-128, 127)));
        assert!(Unsigned(32).holds((0, 4_294_967_295)) && !Unsigned(32).holds((-1, 0)));
        assert!(!Unknown.holds((0, 0)));
        assert_eq!(IntType::of_name("u16"), Some(Unsigned(16)));
        assert_eq!(IntType::of_name("u17"), None);
    }
}
