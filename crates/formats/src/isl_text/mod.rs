//! Whole problems in isl notation.
//!
//! A file is a list of entries `name := value;`, where a value is a set, a relation or a text in quotes. Comments go from `#` to the end
//! of a line.
//!
//! ```text
//! problem    := "blur";                                  begins a problem; may be left out for the first
//! context    := [n] -> { : n >= 1 };                     sizes for which the rest is said
//! domain     := [n] -> { S0[i] : 0 <= i < n; S1[i] : 0 < i < n };
//! schedule   := { S0[i] -> [0, i]; S1[i] -> [1, i] };    operations of smaller dates come first
//! reads      := { S0[i] -> in[i]; S1[i] -> t[i - 1]; S1[i] -> t[i] };
//! writes     := { S0[i] -> t[i]; S1[i] -> out[i] };
//! temporary  := { t[i] };                                arrays that nobody else needs
//! live_in    := { in[i] };                               arrays with values from before; without this and live_out: all others
//! live_out   := { out[i] };                              arrays whose values are needed behind
//! array t    := "double t[n]";                           how C declares it
//! size n     := "int n";                                 its type; "int N = 100" for a macro
//! body S1[i] := "out[i] = t[i] - t[i - 1];";             what it does in C, with names for its dimensions
//! text       := "#include <math.h>";                     for bodies
//! ```
//!
//! Only `domain`, `schedule` and `writes` have to be there. `may_writes` are those that data decides.

mod entries;
mod read;
mod write;

pub use read::read;
pub use write::write;
