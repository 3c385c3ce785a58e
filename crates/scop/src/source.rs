//! Where things stand in the source text.
//!
//! Most places are byte ranges of the file. What a macro call expands to is not in the file, so its text is a
//! [`Fragment`] of its own, which remembers the call that it replaces: a rewritten access inside a fragment
//! becomes a rewritten fragment in place of the call.
//!
//! Example: in `out = AT(B, i, j-1);` with `#define AT(a, r, c) a[r][c]` the fragment's text is `B[i][j-1]`,
//! it replaces the bytes of `AT(B, i, j-1)`, and the access to `B` is the range `0..9` of that fragment.

use polyfold_c::source::Span;

/// Index into [`Scop::fragments`](crate::Scop::fragments).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FragmentId(pub usize);

/// The full expansion of one macro call that stands in the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fragment {
    /// The expansion, with all function-like macros in it expanded as well.
    pub text: String,
    /// The bytes of the outermost call in the file.
    pub replaces: Span,
}

/// A range of bytes in the file, or in a macro's expansion.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// `None`: the file itself.
    pub fragment: Option<FragmentId>,
    /// Bytes of that text.
    pub span: Span,
}

impl Place {
    /// A place in the file itself.
    pub fn in_file(span: Span) -> Self {
        Place { fragment: None, span }
    }
}
