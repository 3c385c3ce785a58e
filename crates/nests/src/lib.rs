//! Orders of execution in which loops are fused and shifted, so that values die early.
//!
//! ```text
//! for i, j: S0: b[i][j] = f(a[i][j])                          S0[i, j] -> [0, i, 0, j, 0]
//! for i, j: S1: c[i][j] = g(b[i][j-1], b[i][j+1])             S1[i, j] -> [0, i, 0, j + 1, 1]
//! ```
//!
//! Level by level, outermost first: the loops that stand next to each other at a level are the nodes of a data-flow graph
//! ([`polyfold_fusion::Graph`]), whose clusters become one loop each. Two loops with a dependence between them may be fused if, in
//! the level's own counter, it is uniform enough: the later one runs as many iterations behind as the dependence reaches ahead.
//! Inside a fused loop its members' bodies stand one behind the other, and what remains to be kept is what depends on each other in
//! one iteration of the fused loop; so it goes on with the next level.
//!
//! Loops that run at different rates get multiples of their counters (`rates`), and where the text's order of loops keeps stages apart, other orders
//! are proposed (`exchange`), and, where these don't help, loops along diagonals (`skew`).
//!
//! What comes out is an order that is proposed: whether it is legal is for `schedule` to prove, and whether it saves memory for
//! those who allocate.
//!
//! Paper: Fraboulet, Kodary, Mignotte, "Loop Fusion for Memory Space Optimization" (ISSS 2001), §2; shifts are its future work.
//!
//! Invariant: only statements of one cluster share a loop, and as long as loops stand in the text's order their shifts keep every dependence
//! between them forward.

mod align;
mod axis;
mod dependence;
mod distribute;
mod exchange;
mod fused;
mod level;
mod loop_order;
mod place;
mod potentials;
mod rates;
mod rows;
mod shifts;
mod skew;
mod strips;

pub use dependence::{Dependences, dependences};
pub use exchange::loop_orders;
pub use fused::{Apart, Coordinate, Fused, FusedLoop, Goal, Obstacle, fused};
pub use loop_order::LoopOrder;
pub use rates::Ratio;
pub use skew::skewed_orders;
pub use strips::{Groups, InStrips, STRIP, Whole, order_in_strips, strips};
