//! An order of pieces, from one of statements.
//!
//! A piece is several statements that stay together. It runs at the smallest date that one of its statements has:
//!
//! ```text
//! T(P(i)) = min { T(S(i)) : S in P }      right if no other operation is between that and the largest of them
//! ```
//!
//! Whether the new order of the pieces computes the same is asked of the program of the pieces: see [`check`](crate::check).

use crate::Given;
use polyfold_flow::isl_name;
use polyfold_isl::{Error, Map};
use polyfold_scop::StatementId;

/// Statements that stay together.
#[derive(Clone, Debug)]
pub struct Together<'a> {
    /// What the piece is called.
    pub name: &'a str,
    /// All with the same loops around them.
    pub statements: &'a [StatementId],
}

/// An order of pieces, or which of them the order takes apart.
pub type OfPieces = Result<Given, usize>;

impl Given {
    /// The order of pieces of the program.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn of_pieces(&self, pieces: &[Together]) -> Result<OfPieces, Error> {
        let all = pieces.iter().map(|piece| self.dates_of(piece)).collect::<Result<Vec<Map>, Error>>()?;
        for (k, piece) in pieces.iter().enumerate() {
            if piece.statements.len() > 1 && is_apart(k, &all)? {
                return Ok(Err(k));
            }
        }
        let first = |(piece, dates): (&Together, &Map)| match piece.statements.len() {
            1 => Ok(dates.clone()),
            _ => dates.lexmin(),
        };
        let dates = pieces.iter().zip(&all).map(first).collect::<Result<Vec<Map>, Error>>()?;
        Ok(Ok(Given { dates }))
    }

    /// `{ P[i] -> [date] }`: the dates of all statements of a piece.
    fn dates_of(&self, piece: &Together) -> Result<Map, Error> {
        let mut all: Option<Map> = None;
        for id in piece.statements {
            let own = named(&self.dates[id.0], &isl_name(piece.name))?;
            all = Some(match all {
                None => own,
                Some(others) => others.union(&own)?,
            });
        }
        all.map_or_else(
            || Err(Error { kind: polyfold_isl::ErrorKind::Invalid, message: "a piece without statements".to_string() }),
            Ok,
        )
    }
}

/// A relation that starts at points of another name.
fn named(map: &Map, name: &str) -> Result<Map, Error> {
    let from = map.tuple_names().0.unwrap_or_default();
    if from == name {
        return Ok(map.clone());
    }
    let point: Vec<String> = (0..map.dimensions()?.0).map(|k| format!("i{k}")).collect();
    let point = point.join(", ");
    map.apply_domain(&Map::read(map.context(), &format!("{{ {from}[{point}] -> {name}[{point}] }}"))?)
}

/// Whether some operation of others, or of the piece at other iterations, is between those of one of its iterations.
fn is_apart(k: usize, all: &[Map]) -> Result<bool, Error> {
    let dates = all[k].range()?;
    let (first, last) = (all[k].lexmin()?, all[k].lexmax()?);
    let between = first.apply_range(&Map::lex_le(&dates)?)?.intersect(&last.apply_range(&Map::lex_ge(&dates)?)?)?;
    for (other, its) in all.iter().enumerate() {
        let met = between.apply_range(&its.reverse()?)?;
        let met = if other == k { met.subtract(&Map::equality(&its.domain()?)?)? } else { met };
        if !met.is_empty()? {
            return Ok(true);
        }
    }
    Ok(false)
}
