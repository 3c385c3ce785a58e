//! C as a language.
//!
//! The idea: what C text means by itself is known in one place, and every other crate asks here.
//!
//! ```
//! use polyfold_c::lex::{TokenKind, tokens};
//! let text = "x[i] = 0;";
//! let words = tokens(text).into_iter().filter(|token| token.kind == TokenKind::Word);
//! assert_eq!(words.map(|token| &text[token.span]).collect::<Vec<_>>(), ["x", "i"]);
//! ```

pub mod lex;
pub mod library;
