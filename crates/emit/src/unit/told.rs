//! Macros that tell compilers what they don't see.
//!
//! Rows by pointer, and rows of one buffer, may overlap as far as a compiler sees; it asks in front of each loop, or makes no vectors of
//! it. A loop whose iterations may run side by side has a word in front:
//!
//! ```c
//! #if defined __GNUC__ && !defined __clang__
//! #define POLYFOLD_IVDEP _Pragma("GCC ivdep") /* no iteration uses a cell that one before it writes */
//! #else
//! #define POLYFOLD_IVDEP
//! #endif
//! ```
//!
//! Others than gcc have other words, and warn of this one.
//!
//! A choice of which all is computed is a macro, too. The machine decides how it chooses. gcc makes vectors of `?:` where these have
//! masks. Without masks, a choice by bits takes half the time with vectors of 256 bits, and 1.4 times as long with shorter ones. clang
//! makes vectors of `?:` in any case.

use polyfold_program::Real;

/// A macro.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// What stands in front of a loop of which something is promised.
    Promise {
        /// Its name.
        word: String,
    },
    /// What chooses between two values.
    Select {
        /// Its name.
        word: String,
        /// The values' type.
        of: Real,
    },
}

impl Told {
    /// Its definitions, for all compilers.
    pub(super) fn lines(&self) -> Vec<String> {
        let (gcc, condition, plain) = match self {
            Told::Promise { word } => {
                let pragma = "_Pragma(\"GCC ivdep\") /* no iteration uses a cell that one before it writes */";
                (vec![format!("#define {word} {pragma}")], "", format!("#define {word}"))
            }
            Told::Select { word, of } => {
                let plain = format!("#define {word}(condition, one, other) ((condition) ? (one) : (other))");
                (by_bits(word, *of), " && defined __AVX2__ && !defined __AVX512VL__", plain)
            }
        };
        let front = format!("#if defined __GNUC__ && !defined __clang__{condition}");
        let rest = ["#else".to_string(), plain, "#endif".to_string()];
        std::iter::once(front).chain(gcc).chain(rest).collect()
    }
}

fn by_bits(word: &str, of: Real) -> Vec<String> {
    let (element, bits) = match of {
        Real::Float => ("float", "unsigned"),
        Real::Double => ("double", "unsigned long long"),
    };
    vec![
        format!("#define {word}(condition, one, other) /* both are computed: gcc makes vectors of it */ \\"),
        "  __extension__({ \\".to_string(),
        format!("    union {{ {element} polyfold_value; {bits} polyfold_bits; }} polyfold_one = {{one}}, polyfold_other = {{other}}; \\"),
        format!("    const {bits} polyfold_mask = 0 - ({bits})(condition); \\"),
        "    polyfold_one.polyfold_bits = (polyfold_one.polyfold_bits & polyfold_mask) | (polyfold_other.polyfold_bits & ~polyfold_mask); \\"
            .to_string(),
        "    polyfold_one.polyfold_value; \\".to_string(),
        "  })".to_string(),
    ]
}
