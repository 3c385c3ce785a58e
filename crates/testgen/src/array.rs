//! The arrays of a program.

/// An extent, or the number of turns of a loop; at least 1 at every run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// The first size of the program.
    N,
    /// The second.
    M,
    /// `n / 2 + 1`.
    HalfN,
    /// `m + 1`.
    MorePerM,
    /// `N * M`, for macros.
    Product,
    /// A literal.
    Constant(i64),
}

/// Which cells hold a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Region {
    Full,
    /// `A[i][j]` with `j <= i`.
    Lower,
    /// `A[i][j]` with `j >= i`.
    Upper,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Input,
    Output,
    Temporary,
}

/// Where the cells are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Memory {
    Declared,
    /// From `malloc`, with one subscript for all dimensions.
    Flat,
    /// From `malloc`, in rows.
    Rows,
}

#[derive(Clone, Debug)]
pub(crate) struct Array {
    pub(crate) name: String,
    pub(crate) element: &'static str,
    pub(crate) extents: Vec<Size>,
    pub(crate) region: Region,
    pub(crate) kind: Kind,
    pub(crate) memory: Memory,
}
