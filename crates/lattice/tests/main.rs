//! Mappings with lattices, as papers have them and at random.

mod admissible;
mod family;
mod figure3;
mod optimum;
