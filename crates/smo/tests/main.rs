//! Storage mappings, as papers have them and at random.

mod counterexamples;
mod kernels;
mod lines;
mod pipeline;
mod random_conflicts;
mod random_lines;
mod random_pipelines;
mod replay;
mod table1;
mod work_bound;
