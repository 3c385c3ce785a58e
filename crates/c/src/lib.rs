//! C as a language.
//!
//! The idea: everything that C text means by itself is read in one place. That is its tokens; its
//! directives; macros, and where expansions come from; types with their qualifiers; declarations
//! and their scopes; and expressions with exact places. Comments and layout are what lies between
//! places. So whoever changes a part can print the rest from its own bytes.
//!
//! | module | has |
//! |---|---|
//! | [`lex`] | tokens and where they stand |
//! | [`code`] | what can be read off the tokens of code: where functions stand, labels, what is declared again, what nobody mentions |
//! | [`source`] | directives, and the text without them |
//! | [`definitions`](definitions::definitions) | what is defined in front of a part of a file |
//! | [`macros`], [`expand`] | macro tables, the expanded text, and the way back to the file |
//! | [`syntax`] | the tree of a file, with names bound to declarations; types, and what declarations say |
//! | [`written`] | a node's own bytes around its parts |
//! | [`constant`] | values of integer constant expressions |
//! | [`library`], [`prototypes`] | what is known of functions that are called |
//! | [`instrument`], [`compiled`] | what the user's own compiler reads |
//!
//! ```
//! use polyfold_c::expand::Expanded;
//! use polyfold_c::macros::MacroTable;
//! use polyfold_c::source::{directives, masked};
//! use polyfold_c::syntax::{Typedefs, parse_unit};
//!
//! let file = "#define LAST t[7]\nstatic int t[8];\nvoid f(void) { LAST = 0; /* all */ }\n";
//! let table = MacroTable::new(&["#define LAST t[7]".to_string()]);
//! let expanded = Expanded::new(&masked(file, &directives(file), &[]), &table);
//! let unit = parse_unit(&expanded.text, &table, &Typedefs::read(&expanded.text));
//! assert_eq!(unit.variables[0].name, "t");
//!
//! // Someone mentions `t`, and writes `LAST` in the file for it.
//! let mut mentions = Vec::new();
//! unit.functions[0].body.walk(&mut |expression| {
//!     if expression.variable() == Some(0) {
//!         mentions.push(&file[expanded.to_file(&expression.span)]);
//!     }
//! });
//! assert_eq!(mentions, ["LAST"]);
//! ```
//!
//! Invariants:
//!
//! * The tokens cover the text.
//! * A name in the tree is bound to its declaration, if that is a variable of the file.
//! * No mention of a name is lost: what the tree has no kind for keeps its parts.
//! * A masked text is as long as the file, and each byte keeps its place.
//! * Nobody opens a file, starts a process or asks a clock.
//!
//! Limits: sizes are those of LP64. Typedefs and members of structures are known by name, without
//! their scopes. Declarations and types are read from tokens in part, beside the tree.
//!
//! Left to do: [`source`], [`instrument`] and [`compiled`] still know a scop's pragmas. C shouldn't need to.

pub mod code;
pub mod compiled;
pub mod constant;
pub mod definitions;
pub mod expand;
pub mod instrument;
pub mod lex;
pub mod library;
pub mod macros;
pub mod prototypes;
pub mod source;
pub mod syntax;
pub mod written;
