//! What is fused: figures and counterexamples of the paper, and random graphs.

mod counterexamples;
mod isss01;
mod judge;
mod numbers;
mod random_graphs;
