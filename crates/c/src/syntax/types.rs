//! Types, as far as sizes and signs go.
//!
//! The idea: a type is read from its text, through macros and typedefs. Sizes are those of the LP64 model.
//!
//! Limit: a type this room does not know is [`Scalar::Unknown`], and counts as possibly unsigned. Scopes are not told
//! apart: a typedef's name that is defined in two ways is such a type.

use crate::lex::{TokenKind, tokens};
use crate::macros::MacroTable;
use polyfold_program::{IntType, Real};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;

/// The type of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scalar {
    /// An integer, character or truth value.
    Integer {
        /// Its size: 1, 2, 4 or 8.
        bytes: u64,
        /// Whether it holds negative values.
        signed: bool,
    },
    /// A floating-point number.
    Floating {
        /// Its size: 4, 8, or 16 for a `long double`.
        bytes: u64,
    },
    /// A typedef or structure that is not known.
    Unknown,
}

impl Scalar {
    /// `int`.
    pub const INT: Scalar = Scalar::Integer { bytes: 4, signed: true };

    /// The type of an enumeration constant.
    pub fn of_constant(value: i64) -> Scalar {
        match i32::try_from(value) {
            Ok(_) => Scalar::INT,
            Err(_) => Scalar::Integer { bytes: 8, signed: true },
        }
    }

    /// What the tree's integers are held in.
    pub fn int_type(self) -> IntType {
        match self {
            Scalar::Integer { bytes, signed: true } => IntType::Signed(8 * bytes as u32),
            Scalar::Integer { bytes, signed: false } => IntType::Unsigned(8 * bytes as u32),
            Scalar::Floating { .. } | Scalar::Unknown => IntType::Unknown,
        }
    }

    /// What the tree's elements are.
    pub fn in_program(self) -> Option<polyfold_program::Scalar> {
        Some(match self {
            Scalar::Integer { .. } => polyfold_program::Scalar::Integer(self.int_type()),
            Scalar::Floating { bytes: 4 } => polyfold_program::Scalar::Real(Real::Float),
            Scalar::Floating { bytes: 8 } => polyfold_program::Scalar::Real(Real::Double),
            Scalar::Floating { .. } | Scalar::Unknown => return None,
        })
    }

    /// Bytes of one value.
    pub fn bytes(self) -> Option<u64> {
        match self {
            Scalar::Integer { bytes, .. } | Scalar::Floating { bytes } => Some(bytes),
            Scalar::Unknown => None,
        }
    }

    /// The type after integer promotion.
    pub fn promoted(self) -> Scalar {
        match self {
            Scalar::Integer { bytes, .. } if bytes < 4 => Scalar::INT,
            other => other,
        }
    }

    /// The common type of two operands.
    pub fn with(self, other: Scalar) -> Scalar {
        match (self.promoted(), other.promoted()) {
            (Scalar::Unknown, _) | (_, Scalar::Unknown) => Scalar::Unknown,
            (Scalar::Floating { bytes: a }, Scalar::Floating { bytes: b }) => Scalar::Floating { bytes: a.max(b) },
            (floating @ Scalar::Floating { .. }, _) | (_, floating @ Scalar::Floating { .. }) => floating,
            (Scalar::Integer { bytes: a, signed: s }, Scalar::Integer { bytes: b, signed: t }) => {
                let signed = if a == b { s && t } else { [t, s][usize::from(a > b)] };
                Scalar::Integer { bytes: a.max(b), signed }
            }
        }
    }

    /// The values that it holds; where that is not known, those that all its candidates do.
    pub fn range(self) -> RangeInclusive<i128> {
        match self {
            Scalar::Integer { bytes, signed: false } => 0..=(1 << (8 * bytes)) - 1,
            Scalar::Integer { bytes, signed: true } => -(1 << (8 * bytes - 1))..=(1 << (8 * bytes - 1)) - 1,
            Scalar::Floating { .. } | Scalar::Unknown => 0..=i128::from(i32::MAX),
        }
    }

    /// The bits of its values that C computes.
    pub fn bits(self) -> u32 {
        match self {
            Scalar::Integer { bytes: 8.., .. } => 64,
            _ => 32,
        }
    }

    /// Whether arithmetic in it may wrap.
    pub fn may_wrap(self) -> bool {
        matches!(self, Scalar::Integer { signed: false, .. } | Scalar::Unknown)
    }

    /// Whether it can hold any `int`: a cast to it keeps the values that matter.
    pub fn is_wide_integer(self) -> bool {
        matches!(self, Scalar::Integer { bytes: 4.., .. } | Scalar::Unknown)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Typedef {
    base: String,
    is_array: bool,
    is_pointer: bool,
    is_volatile: bool,
    is_const: bool,
    /// Its base is a structure, union or enumeration with a body.
    is_record: bool,
}

/// All typedefs that the compiler saw.
#[derive(Clone, Debug, Default)]
pub struct Typedefs {
    known: HashMap<String, Typedef>,
    /// Names with another meaning somewhere.
    ambiguous: HashSet<String>,
    /// Whether some structure or union has a volatile member.
    has_volatile_members: bool,
}

impl Typedefs {
    /// Collects the typedefs of preprocessed text.
    pub fn read(text: &str) -> Typedefs {
        let mut reader = Reader::default();
        let mut skips_line = false;
        for token in tokens(text) {
            let word = &text[token.span.clone()];
            match (token.kind, word) {
                (TokenKind::Newline, _) => skips_line = false,
                (_, "#") if reader.words.is_none() => skips_line = true,
                (TokenKind::Space, _) => {}
                _ if skips_line => {}
                _ => reader.see(word),
            }
        }
        reader.typedefs
    }

    /// Whether memory of the type that a text means is volatile; `None`: it may be.
    pub(crate) fn volatility(&self, text: &str, table: &MacroTable) -> Option<bool> {
        let mut text = table.expand_all(text)?;
        for _ in 0..20 {
            if text.split_whitespace().any(is_volatile) {
                return Some(true);
            }
            if standard(&text).is_some() || self.named(text.trim()).is_some() {
                return Some(false);
            }
            match (self.meaning(text.trim()), text.split_whitespace().next()) {
                (Some(found), _) if found.is_volatile => return Some(true),
                (Some(found), _) if found.is_pointer => return None,
                (Some(found), _) if found.is_record => break,
                (Some(found), _) => {
                    text = found.base.clone();
                    continue;
                }
                (None, Some("struct" | "union")) => break,
                (None, Some("enum")) => return Some(false),
                (None, _) => return None,
            }
        }
        (!self.has_volatile_members).then_some(false)
    }

    /// Whether the words of a type say `const`, by themselves or through typedefs; `None`: it is an array's or pointer's, volatile or
    /// atomic, or not known.
    pub(crate) fn constness(&self, words: &[&str]) -> Option<bool> {
        let mut says_const = words.iter().any(|w| is_const(w));
        let rest = |words: &[&str]| words.iter().copied().filter(|w| !is_const(w)).collect::<Vec<_>>().join(" ");
        let mut text = rest(words);
        for _ in 0..20 {
            let is_tagged = matches!(text.split_whitespace().next(), Some("struct" | "union" | "enum"));
            if is_tagged || standard(&text).is_some() || self.named(&text).is_some() {
                return (!text.split_whitespace().any(is_qualifier)).then_some(says_const);
            }
            let found = self.meaning(&text).filter(|t| !t.is_array && !t.is_pointer && !t.is_volatile)?;
            says_const |= found.is_const;
            if found.is_record {
                return Some(says_const);
            }
            text = rest(&found.base.split_whitespace().collect::<Vec<_>>());
        }
        None
    }

    /// Whether some structure or union has a volatile member.
    pub fn has_volatile_members(&self) -> bool {
        self.has_volatile_members
    }

    fn add(&mut self, words: &[&str]) {
        if words.iter().any(|w| matches!(*w, "(" | ",")) {
            self.ambiguous.extend(declared_names(words).map(str::to_string));
            return;
        }
        let bracket = words.iter().position(|w| *w == "[");
        let Some((name, base)) = words[..bracket.unwrap_or(words.len())].split_last() else { return };
        let is_pointer = base.contains(&"*");
        let is_record = base.contains(&"}");
        let hides_volatile = |word: &&str| is_volatile(word) || self.known.get(*word).is_some_and(|t| t.is_volatile);
        let is_volatile = base.iter().any(hides_volatile);
        let is_const = base.iter().any(|word| is_const(word));
        let base = if is_record { String::new() } else { base.join(" ") };
        let typedef = Typedef { base, is_array: bracket.is_some(), is_pointer, is_volatile, is_const, is_record };
        self.insert(name, typedef);
    }

    fn insert(&mut self, name: &str, typedef: Typedef) {
        let Some(before) = self.known.get_mut(name) else {
            self.known.insert(name.to_string(), typedef);
            return;
        };
        if *before != typedef {
            self.ambiguous.insert(name.to_string());
            before.is_array |= typedef.is_array;
            before.is_pointer |= typedef.is_pointer;
            before.is_volatile |= typedef.is_volatile;
        }
    }

    /// What a name stands for, if that is the same everywhere.
    fn meaning(&self, name: &str) -> Option<&Typedef> {
        self.known.get(name).filter(|_| !self.ambiguous.contains(name))
    }

    /// Whether a type's text names a typedef of an array or pointer, directly or through others.
    pub(crate) fn hides_array(&self, text: &str, table: &MacroTable) -> bool {
        let mut name = table.expand_all(text).unwrap_or_default();
        for _ in 0..20 {
            match self.known.get(name.trim()) {
                Some(found) if found.is_array || found.is_pointer => return true,
                Some(found) => name = found.base.clone(),
                None => return false,
            }
        }
        false
    }

    /// Whether a typedef is known, and not of an array.
    pub(super) fn is_value(&self, name: &str) -> bool {
        let mut text = name.to_string();
        for _ in 0..20 {
            let words: Vec<&str> = text.split_whitespace().filter(|w| !is_qualifier(w)).collect();
            let is_tagged = matches!(words.first(), Some(&("struct" | "union" | "enum")));
            if is_tagged || standard(&text).is_some() || self.named(text.trim()).is_some() {
                return true;
            }
            match words.as_slice() {
                [one] => match self.meaning(one) {
                    Some(found) if found.is_array => return false,
                    Some(found) if found.is_pointer || found.is_record => return true,
                    Some(found) => text = found.base.clone(),
                    None => return false,
                },
                _ => return false,
            }
        }
        false
    }

    /// The type that a text means.
    pub fn scalar(&self, text: &str, table: &MacroTable) -> Scalar {
        let mut text = table.expand_all(text).unwrap_or_default();
        for _ in 0..20 {
            if let Some(scalar) = standard(&text).or_else(|| self.named(text.trim())) {
                return scalar;
            }
            match self.meaning(text.trim()) {
                Some(found) if !found.is_array && !found.is_pointer => text = found.base.clone(),
                _ => break,
            }
        }
        Scalar::Unknown
    }

    /// Whether `name` is a known type.
    pub(crate) fn is_type(&self, name: &str) -> bool {
        self.known.contains_key(name) || named(name).is_some()
    }

    /// A type of the standard library, unless the file has something else of that name.
    fn named(&self, name: &str) -> Option<Scalar> {
        named(name).filter(|_| !self.known.contains_key(name) && !self.ambiguous.contains(name))
    }
}

/// The names that a typedef declares which this room does not follow: one for each declarator.
fn declared_names<'a>(words: &[&'a str]) -> impl Iterator<Item = &'a str> {
    let mut names = Vec::new();
    let mut depth = 0;
    let mut last = None;
    for (k, word) in words.iter().enumerate() {
        match *word {
            // What stands in front of `(*` is a type, or the name of a function's type with odd parameters.
            "(" => {
                let is_declarator = words.get(k + 1).is_some_and(|next| matches!(*next, "*" | "("));
                if depth == 0 && !is_declarator {
                    names.extend(last.take().filter(|word| !BASIC_WORDS.contains(word)));
                }
                depth += 1;
            }
            ")" => {
                depth -= 1;
                names.extend(last.take().filter(|_| depth == 0 && names.is_empty()));
            }
            "," if depth == 0 => names.extend(last.take()),
            "[" | "__attribute__" if depth == 0 => names.extend(last.take()),
            _ => last = word.starts_with(|c: char| c.is_alphabetic() || c == '_').then_some(*word).or(last),
        }
    }
    names.extend(last.filter(|_| depth == 0));
    names.into_iter()
}

/// State of the reading.
#[derive(Default)]
struct Reader<'a> {
    typedefs: Typedefs,
    /// The words of the typedef at hand.
    words: Option<Vec<&'a str>>,
    /// Open braces in it.
    depth: usize,
    bodies: Bodies,
}

impl<'a> Reader<'a> {
    fn see(&mut self, word: &'a str) {
        self.bodies.see(word);
        match word {
            "typedef" => {
                self.words = Some(Vec::new());
                self.depth = 0;
            }
            "{" => self.depth += 1,
            "}" => {
                self.depth = self.depth.saturating_sub(1);
                self.words.iter_mut().for_each(|w| w.push("}"));
            }
            ";" if self.depth == 0 => {
                if let Some(words) = self.words.take() {
                    self.typedefs.add(&words);
                }
            }
            _ => {
                let may_be = is_volatile(word) || self.typedefs.known.get(word).is_some_and(|t| t.is_volatile);
                self.typedefs.has_volatile_members |= self.bodies.in_record() && may_be;
                if self.depth == 0 {
                    self.words.iter_mut().for_each(|w| w.push(word));
                }
            }
        }
    }
}

/// Which of the open braces belong to structures and unions.
#[derive(Default)]
struct Bodies {
    open: Vec<bool>,
    announced: bool,
}

impl Bodies {
    fn see(&mut self, word: &str) {
        match word {
            "struct" | "union" => self.announced = true,
            "{" => self.open.push(std::mem::take(&mut self.announced)),
            "}" => {
                self.open.pop();
            }
            ";" => self.announced = false,
            _ => {}
        }
    }

    fn in_record(&self) -> bool {
        self.open.last() == Some(&true)
    }
}

fn is_const(word: &str) -> bool {
    matches!(word, "const" | "__const" | "__const__")
}

/// Whether a word says how a type is used, not what it is.
pub(super) fn is_qualifier(word: &str) -> bool {
    is_volatile(word) || matches!(word, "const" | "__const" | "_Atomic" | "__extension__")
}

/// Whether a word is the qualifier.
pub(super) fn is_volatile(word: &str) -> bool {
    matches!(word, "volatile" | "__volatile" | "__volatile__")
}

/// The words that name the types of numbers.
pub(super) const BASIC_WORDS: [&str; 10] =
    ["unsigned", "signed", "char", "short", "int", "long", "float", "double", "_Bool", "bool"];

fn standard(text: &str) -> Option<Scalar> {
    let words: Vec<&str> =
        text.split_whitespace().filter(|w| !matches!(*w, "const" | "volatile" | "register" | "static")).collect();
    let count = |word| words.iter().filter(|w| **w == word).count();
    if words.is_empty() || !words.iter().all(|w| BASIC_WORDS.contains(w)) {
        return None;
    }
    if count("double") > 0 {
        return Some(Scalar::Floating { bytes: if count("long") > 0 { 16 } else { 8 } });
    }
    if count("float") > 0 {
        return Some(Scalar::Floating { bytes: 4 });
    }
    let bytes = match () {
        () if count("char") + count("_Bool") + count("bool") > 0 => 1,
        () if count("short") > 0 => 2,
        () if count("long") > 0 => 8,
        () => 4,
    };
    Some(Scalar::Integer { bytes, signed: count("unsigned") + count("_Bool") + count("bool") == 0 })
}

fn named(name: &str) -> Option<Scalar> {
    let integer = |bytes, signed| Some(Scalar::Integer { bytes, signed });
    match name.strip_prefix("std::").unwrap_or(name) {
        "size_t" | "uint64_t" | "uintptr_t" | "uintmax_t" => integer(8, false),
        "ssize_t" | "ptrdiff_t" | "int64_t" | "intptr_t" | "intmax_t" => integer(8, true),
        "int32_t" => integer(4, true),
        "uint32_t" => integer(4, false),
        "int16_t" => integer(2, true),
        "uint16_t" => integer(2, false),
        "int8_t" => integer(1, true),
        "uint8_t" => integer(1, false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typedefs_lead_to_numbers() {
        let typedefs = Typedefs::read(
            "# 1 \"x\"\ntypedef unsigned long word;\ntypedef word size;\ntypedef float row[4];\ntypedef struct { int a; } pair;",
        );
        let table = MacroTable::new(&["#define REAL double".to_string()]);
        assert_eq!(typedefs.scalar("size", &table), Scalar::Integer { bytes: 8, signed: false });
        assert_eq!(typedefs.scalar("REAL", &table), Scalar::Floating { bytes: 8 });
        assert_eq!(typedefs.scalar("pair", &table), Scalar::Unknown);
        assert!(typedefs.hides_array("row", &table) && !typedefs.hides_array("size", &table));
    }

    #[test]
    fn a_name_with_two_meanings_has_none() {
        let table = MacroTable::default();
        let of = |source: &str| Typedefs::read(source).scalar("idx", &table);
        let unsigned = Scalar::Integer { bytes: 4, signed: false };
        assert_eq!(of("typedef unsigned idx; void g(void) { typedef unsigned idx; }"), unsigned);
        assert_eq!(of("typedef unsigned idx; typedef int (*compare)(idx, idx);"), unsigned);
        assert_eq!(of("typedef unsigned idx; typedef idx (*compare)(idx);"), unsigned);
        for other in ["int idx", "int a, idx", "int (idx)", "int idx __attribute__((mode(DI)))", "int (*idx)(int a)"] {
            assert_eq!(of(&format!("typedef unsigned idx; void g(void) {{ typedef {other}; }}")), Scalar::Unknown);
        }
        let own = Typedefs::read("typedef int size_t; typedef int a, uint32_t;");
        assert_eq!(own.scalar("size_t", &table), Scalar::INT);
        assert_eq!(own.scalar("uint32_t", &table), Scalar::Unknown);
    }

    #[test]
    fn volatility_shows_through_typedefs() {
        let table = MacroTable::new(&["#define REG volatile unsigned".to_string()]);
        let of = |source: &str, text: &str| Typedefs::read(source).volatility(text, &table);
        let source =
            "typedef volatile int vint;\ntypedef vint word;\ntypedef int plain;\ntypedef struct { int a; } pair;";
        assert_eq!(of(source, "word"), Some(true));
        assert_eq!(of(source, "REG"), Some(true));
        assert_eq!(of(source, "plain"), Some(false));
        assert_eq!(of(source, "pair"), Some(false));
        assert_eq!(of(source, "struct s"), Some(false));
        assert_eq!(of("struct s { volatile int a; };", "struct s"), None);
        assert_eq!(of("typedef volatile int v; struct s { v a; };", "struct s"), None);
        assert_eq!(of("typedef float v4 __attribute__((vector_size(16)));", "v4"), None);
    }

    #[test]
    fn unsigned_wins_only_if_it_is_as_wide() {
        let (size, int) = (Scalar::Integer { bytes: 8, signed: false }, Scalar::INT);
        let unsigned = Scalar::Integer { bytes: 4, signed: false };
        assert!(size.with(int).may_wrap() && int.with(unsigned).may_wrap());
        assert!(!unsigned.with(Scalar::Integer { bytes: 8, signed: true }).may_wrap());
    }
}
