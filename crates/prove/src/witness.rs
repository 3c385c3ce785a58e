//! Two cells that show why a mapping is wrong.
//!
//! Of the differences d that a mapping sends to 0, one belongs to some conflicting pair, `y − x = d`; that pair, at one choice of
//! the parameters, is what the user is told.
//!
//! Example: for a t that needs two cells and the mapping to one, `cells [0] and [1] are alive at the same time for n = 2`.

use polyfold_isl::{Map, Result, Set};
use polyfold_live::Conflicts;
use std::fmt;

/// Two cells that are alive at the same time and would share storage, at given parameter values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Names and values of the parameters.
    pub parameters: Vec<(String, i64)>,
    /// One cell.
    pub first: Vec<i64>,
    /// The other.
    pub second: Vec<i64>,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let cell = |c: &[i64]| c.iter().map(|x| format!("[{x}]")).collect::<String>();
        write!(f, "cells {} and {} are alive at the same time", cell(&self.first), cell(&self.second))?;
        for (k, (name, value)) in self.parameters.iter().enumerate() {
            write!(f, "{}{name} = {value}", if k == 0 { " for " } else { ", " })?;
        }
        Ok(())
    }
}

/// Conflicts of an array, and differences of cells that a mapping sends to 0: it is for those who tell of it to look for two cells.
#[derive(Clone, Debug)]
pub struct Clash {
    pub(crate) conflicts: Conflicts,
    pub(crate) differences: Set,
}

impl Clash {
    /// Some conflicting pair with such a difference.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn witness(&self) -> Result<Option<Witness>> {
        let Clash { conflicts, differences } = self;
        let Some(pairs) = conflicts.pairs()? else { return Ok(None) };
        let count = differences.dimensions()?;
        let names = |letter: &str| (0..count).map(|k| format!("{letter}{k}")).collect::<Vec<_>>().join(", ");
        let minus: Vec<String> = (0..count).map(|k| format!("y{k} - x{k}")).collect();
        let subtract = format!("{{ [[{}] -> [{}]] -> [{}] }}", names("x"), names("y"), minus.join(", "));
        let subtract = Map::read(differences.context(), &subtract)?.intersect_range(differences)?;
        let found = pairs.unnamed()?.wrap()?.intersect(&subtract.domain()?)?;
        let Some((values, coordinates)) = found.sample()? else { return Ok(None) };
        let parameters = found.parameter_names()?.into_iter().zip(values).collect();
        let (first, second) = coordinates.split_at(count);
        Ok(Some(Witness { parameters, first: first.to_vec(), second: second.to_vec() }))
    }
}
