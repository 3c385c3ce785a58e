//! SMO: one buffer for values of several statements, addressed through hyperplanes. Knows no programs.
//!
//! Given which values may not share a cell, every statement S gets a mapping `s ↦ (M_S s + δ_S) mod e` into some buffer, with the
//! moduli e of the buffer, such that no two conflicting values meet:
//!
//! ```text
//! every conflict (S(s), T(t)) is satisfied at some level:   0 < |Γ_S·s + δ_S − Γ_T·t − δ_T| < e
//! ```
//!
//! with a hyperplane Γ_S, an offset δ_S and a modulus e for each level. Three engines look for them, and a fourth one puts their levels
//! in a [`Line`], with one modulus for the sum:
//!
//! | engine | how | five-point stencil | nine-point |
//! |---|---|---|---|
//! | `smo` | the paper's: level by level, each the lexicographically best one | N² + 2N cells | N² + 2N |
//! | `joint` | all levels at once, by branch and bound | N² + N, as many as are alive at once | N² + 2N |
//! | `fast` | a coordinate axis per level, offsets by longest paths | N² + N | N² + 2N + 1 |
//! | `line` | strides that are polynomials in the parameters | | N² + N + 1, as many as are alive at once |
//!
//! `auto` asks one after the other and keeps the smallest result. All of it is in exact integers. Every result is proved before it
//! is returned: only [`verify`] makes a [`Proved`] allocation.
//!
//! A level of `smo` is one integer program in the paper: as many satisfied conflict polyhedra inside statements as possible,
//! small moduli, as many satisfied polyhedra between statements as do not make the moduli grow by more than a constant, small
//! moduli again. Here it is taken apart, without loss (but for the size of Γ's coefficients, which are enumerated): normals for
//! each statement by itself, then signs of the polyhedra between statements by branch and bound, then offsets by shortest paths.
//!
//! Paper: Bhaskaracharya, Bondhugula, Cohen, "SMO: an integrated approach to intra-array and inter-array storage optimization"
//! (POPL 2016), §4. Deviations are marked where they are made. `joint`, `fast` and `line` are not in the paper.
//!
//! The paper's Figure 2: two statements of a stencil, n cells each, in n + 1.
//!
//! ```
//! use polyfold_isl::Context;
//! use polyfold_smo::{ConflictSet, Outcome, storage_mapping};
//! let ctx = Context::new();
//! let pairs = "[T, N] -> {
//!     S0[t, i] -> S0[t, j] : 1 <= t <= T and 1 <= i < j <= N;
//!     S1[t, i] -> S1[t, j] : 1 <= t <= T and 1 <= i < j <= N;
//!     S0[t, i] -> S1[t, j] : 1 <= t <= T and 1 <= j < i <= N;
//!     S1[t, i] -> S0[t + 1, j] : 1 <= t < T and 1 <= j <= i <= N }";
//! let conflicts = ConflictSet::read(&ctx, "[T, N] -> { : T >= 2 and N >= 4 }", pairs)?;
//! let Outcome::Proved(allocation) = storage_mapping(&conflicts)? else { panic!() };
//! assert_eq!(
//!     allocation.value().text(&conflicts),
//!     "S0[t, i] -> A0[(t - i) mod (N + 1)]\nS1[t, i] -> A0[(t - i) mod (N + 1)]\n"
//! );
//! # Ok::<(), polyfold_isl::Error>(())
//! ```

mod bound;
mod budget;
mod choice;
mod collisions;
mod conflicts;
mod decoalesce;
mod differences;
mod drifts;
mod engine;
mod fast;
mod floor;
mod form;
mod frame;
mod generators;
mod interpolation;
mod joint;
mod level;
mod line;
mod line_proof;
mod linearise;
mod mapping;
mod modulo_mappings;
mod normals;
mod offsets;
mod polynomial;
mod positivity;
mod proof;
mod spacing;
mod span;
mod strides;

pub use conflicts::{ConflictSet, Statement};
pub use engine::{Apart, Engine, Solution, storage_mapping_by};
pub use form::Form;
pub use line::Line;
pub use mapping::{Allocation, Buffer, Member, Row};
pub use polynomial::Polynomial;
pub use proof::{Clash, Proved, Refusal, verify};

/// What became of a conflict set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A mapping for every statement.
    Proved(Proved<Allocation>),
    /// The heuristic found a mapping that the proof refused.
    Refused(Refusal),
    /// Some statement's conflict differences have no bound that is affine in the parameters.
    Unbounded,
}

/// The smallest storage that `smo` finds for a conflict set, proved for all parameters of its context. Which statements share
/// is decided by size where all parameters are large.
///
/// # Errors
/// When the work bound is reached, or numbers are past 64 bits.
pub fn storage_mapping(conflicts: &ConflictSet) -> polyfold_isl::Result<Outcome> {
    let sizes = conflicts.sizes(&[])?;
    storage_mapping_at(conflicts, &sizes.unwrap_or_else(|| vec![1; conflicts.parameters().len()]))
}

/// The same, with sizes compared at given parameters.
///
/// # Errors
/// When the work bound is reached, or numbers are past 64 bits.
pub fn storage_mapping_at(conflicts: &ConflictSet, sizes: &[i64]) -> polyfold_isl::Result<Outcome> {
    Ok(storage_mapping_by(Engine::Smo, conflicts, sizes)?.outcome)
}
