//! C text in, scops and diagnostics out.
//!
//! The idea: the user's own compiler decides what macros mean and which branches are compiled ([`instrument`]
//! asks it); tree-sitter gives exact places; what lies between `#pragma scop` and `#pragma endscop` is lowered to
//! [`Scop`](polyfold_scop::Scop)s, and everything that cannot be is explained.
//!
//! ```
//! let source = "void f(int n, int x[n]) {\n#pragma scop\n  for (int i = 0; i < n; i++) x[i] = 0;\n#pragma endscop\n}\n";
//! // What `cc -E -dD -x c -` makes of `instrument(source)`; here there is nothing to expand.
//! let preprocessed = polyfold_frontend::instrument(source);
//! let parsed = polyfold_frontend::parse(source, &preprocessed, &Default::default());
//! assert!(parsed.diagnostics.is_empty());
//! assert_eq!(parsed.scops[0].parameters[0].name, "n");
//! ```
//!
//! No files, no processes, no clocks: the command line runs the compiler.
//!
//! Limits, on purpose: pointers are taken not to alias the sizes and scalars of the scop; functions of `<math.h>`
//! count as pure although they may set `errno`; sizes are those of LP64, and scops for
//! other targets are declined.
//!
//! Paper: Bee §2 (static control programs); the region's shape follows Clan and pet.

mod assume;
mod diagnostic;
mod local;
mod lower;
mod parse;
mod pragma;
mod region;
mod signature;

pub use diagnostic::{Diagnostic, Severity};
pub use local::{Clauses, Hoist, LocalRegion, bytes, local_regions};
pub use parse::{Options, Parsed, can_call, parse, parse_around, parse_region};
pub use polyfold_c::instrument::instrument;
pub use signature::{FunctionParameter, FunctionSignature};
