//! What a program may contain.

use std::collections::BTreeSet;

macro_rules! features {
    ($($name:ident = $text:literal: $doc:literal,)*) => {
        /// One ingredient of a program, which can be switched off to shrink a failing one.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Feature { $(#[doc = $doc] $name,)* }

        impl Feature {
            /// All of them.
            pub const ALL: &[Feature] = &[$(Feature::$name,)*];

            /// A short name for reports.
            pub fn name(self) -> &'static str {
                match self { $(Feature::$name => $text,)* }
            }
        }
    };
}

features! {
    RunTimeSizes = "run-time sizes": "Sizes are parameters of the function, and local arrays have run-time extents.",
    MacroSizes = "macro sizes": "Sizes are macros.",
    Floating = "floating": "Elements are `double` or `float`.",
    MixedTypes = "mixed types": "Temporaries of different element types.",
    TwoDimensions = "2-d": "Arrays of two dimensions.",
    ThreeDimensions = "3-d": "Arrays of three dimensions.",
    Reversed = "reversed": "Loops that count down.",
    Steps = "steps": "Loops in steps of 2 and 3.",
    Tiled = "tiled": "Loops over tiles, bounded by `MIN`.",
    Interchanged = "interchanged": "Loops in another order than the subscripts.",
    Guards = "guards": "`if` and `else` with affine conditions.",
    Ternaries = "ternaries": "`c ? a : b` with affine conditions.",
    Clamps = "clamps": "`MIN` and `MAX` in subscripts.",
    Windows = "windows": "`MIN` and `MAX` in bounds.",
    Division = "division": "`/` and `%` by constants in subscripts.",
    Offsets = "offsets": "Neighbours are read.",
    Transposed = "transposed": "Reads with exchanged subscripts.",
    Skewed = "skewed": "Reads at `i - j + c`.",
    ManyStatements = "many statements": "Several statements in one loop body.",
    ManyWriters = "many writers": "Several statements write one array.",
    InPlace = "in place": "Arrays are updated in place.",
    Recurrences = "recurrences": "Values depend on earlier ones of the same array.",
    Accumulators = "accumulators": "Scalars that collect.",
    Compound = "compound": "Compound assignments.",
    Reductions = "reductions": "Inner loops that sum up.",
    Triangles = "triangles": "Triangular loops and tables.",
    Tables = "tables": "Dynamic programs over intervals or prefixes.",
    PingPong = "ping-pong": "Time loops over two arrays.",
    TimeIndexed = "time-indexed": "Time loops over `A[t][i]`.",
    TimeModulo = "time modulo": "Time loops over `A[t % 2][i]`.",
    Lags = "lags": "Producers and consumers fused with a lag.",
    Gathers = "gathers": "Subscripts that are data.",
    Linearised = "linearised": "Matrices in arrays of one dimension, `A[i * M + j]`; with macro sizes only.",
    Parallel = "parallel": "Loops with an OpenMP pragma.",
    Updated = "updated": "Outputs that are read before they are written.",
    DataDependent = "data-dependent": "Writes that data decides.",
    Shadowed = "shadowed": "Blocks with arrays that have the names of others.",
    Repeated = "repeated": "A loop around the scop.",
    Wrapping = "wrapping": "Subscripts in which unsigned arithmetic wraps around, or casts cut off.",
    Chained = "chained": "Assignments inside expressions and calls.",
    KeywordSizes = "keyword sizes": "A size called like a word of isl's.",
    Allocated = "allocated": "Temporaries from `malloc`, most of them with one subscript, `A[i * m + j]`.",
    DeclaredIterators = "declared iterators": "Counters are declared in front of the loops, not in them.",
}

/// What [`program`](crate::program) may use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// The ingredients that are allowed. With neither kind of sizes, they are macros.
    pub features: BTreeSet<Feature>,
    /// No further stage is begun once there are so many statements; the copy to the outputs comes on top.
    pub max_statements: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { features: Feature::ALL.iter().copied().collect(), max_statements: 16 }
    }
}

impl Options {
    /// The same without one ingredient.
    #[must_use]
    pub fn without(mut self, feature: Feature) -> Options {
        self.features.remove(&feature);
        self
    }
}
