//! How far apart the two ends of a conflict are at one level.
//!
//! ```text
//! v = Γ·d  on a piece K;   sign σ is possible:  σ (v + δ) >= 1 on all of K for some number δ
//!                          then                 σ δ >= least,   and   σ (v + δ) <= u·P + (excess + σ δ)
//! ```
//!
//! v is affine, so that its values at the vertices and rays say everything: σ is possible iff no ray has σ v < 0.
//! Example: on `1 <= i < j <= N` the difference v = i − j can be made negative only (it falls along a ray), `least` is 0, and with
//! u = N the excess is −1: it reaches N − 1.
//!
//! Paper: SMO §4.2, constraints (6) and (7), with one modulus for all.

use crate::bound::{ceiling, excess};
use crate::conflicts::Corner;
use crate::form::dot;
use crate::frame::Piece;

/// Values of a level's difference, without offsets, at the generators of a piece.
pub(crate) struct Span<'a> {
    /// As in [`Piece`].
    pub(crate) from: usize,
    pub(crate) to: usize,
    values: Vec<(&'a Corner, i64)>,
}

/// The two signs.
pub(crate) const SIGNS: [i64; 2] = [1, -1];

impl<'a> Span<'a> {
    pub(crate) fn new(piece: &'a Piece, normal: &[i64]) -> Span<'a> {
        let values = piece.differences.iter().map(|(corner, difference)| (corner, dot(normal, difference)));
        Span { from: piece.from, to: piece.to, values: values.collect() }
    }

    pub(crate) fn is_intra(&self) -> bool {
        self.from == self.to
    }

    /// Values along the rays, with a sign.
    pub(crate) fn rays(&self, sign: i64) -> impl Iterator<Item = (&'a Corner, i64)> {
        self.values.iter().filter(|(corner, _)| corner.height == 0).map(move |(corner, value)| (*corner, sign * value))
    }

    fn vertices(&self, sign: i64) -> impl Iterator<Item = (&'a Corner, i64)> {
        self.values.iter().filter(|(corner, _)| corner.height != 0).map(move |(corner, value)| (*corner, sign * value))
    }

    /// Whether offsets can give the difference this sign. Offsets of one statement cancel.
    pub(crate) fn can_be(&self, sign: i64) -> bool {
        self.rays(sign).all(|(_, value)| value >= 0) && (!self.is_intra() || self.least(sign) <= 0)
    }

    /// Whether offsets could give the difference some sign, if it is between two statements.
    pub(crate) fn is_bounded_on_one_side(&self) -> bool {
        SIGNS.iter().any(|sign| self.rays(*sign).all(|(_, value)| value >= 0))
    }

    /// Whether the difference grows with the parameters, in one direction only.
    pub(crate) fn is_one_sided(&self) -> bool {
        SIGNS.iter().any(|sign| {
            let mut rays = self.rays(*sign).peekable();
            let grows = self.rays(*sign).any(|(_, value)| value > 0);
            grows && rays.all(|(_, value)| value >= 0)
        })
    }

    /// What the offsets have to add, so that the difference is at least 1.
    pub(crate) fn least(&self, sign: i64) -> i64 {
        let needed = |(corner, value): (&Corner, i64)| ceiling(corner.height - value, corner.height);
        self.vertices(sign).map(needed).max().unwrap_or(0)
    }

    /// The least w for which the difference, without offsets, is at most `u·P + w`.
    pub(crate) fn excess(&self, sign: i64, slopes: &[i64]) -> Option<i64> {
        self.vertices(sign).map(|(corner, value)| excess(corner, value, slopes)).max()
    }

    /// Whether the difference is the same everywhere.
    pub(crate) fn is_constant(&self) -> bool {
        let Some((corner, value)) = self.values.iter().find(|(corner, _)| corner.height != 0) else { return false };
        let is_same = |(other, v): &(&Corner, i64)| {
            let (here, there) = (i128::from(*v), i128::from(*value));
            if other.height == 0 {
                *v == 0
            } else {
                here * i128::from(corner.height) == there * i128::from(other.height)
            }
        };
        self.values.iter().all(is_same)
    }

    /// Whether the difference is 0 everywhere.
    pub(crate) fn is_zero(&self) -> bool {
        self.values.iter().all(|(_, value)| *value == 0)
    }
}
