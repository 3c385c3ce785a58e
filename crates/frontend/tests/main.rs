//! What is read from C text, and what is refused.

mod accesses;
mod formulas;
mod garbled;
mod linear;
mod loops;
mod macro_calls;
mod mentions;
mod pragmas;
mod refusals;
mod regions;
mod roles;
mod support;
mod trees;
