//! Everything in C that others rely on is clean: random programs, the corpus, and the examples.

#![allow(missing_docs)]

mod compiler;
mod corpus;
mod programs;
