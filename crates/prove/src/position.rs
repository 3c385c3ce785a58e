//! Where accesses stand in a row of a mapping, as sums.
//!
//! ```text
//! m·c = Σ factor · variable + number        variables are counters and sizes
//! ```
//!
//! Example: `t[2 * i - j + n][j]` stands at 2 i + j + n in a row (1, 2).

use polyfold_scop::{Access, Expr, LoopId};
use std::collections::BTreeMap;

/// What a position is a sum of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variable {
    /// A loop's counter.
    Counter(LoopId),
    /// A parameter, by its number.
    Size(usize),
}

/// A position in a ring: multiples of variables, and a number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// Factors that are not 0.
    pub terms: BTreeMap<Variable, i64>,
    /// The number.
    pub constant: i64,
}

impl Position {
    /// Where an access stands in a row of a mapping; `None`: it is no sum, or numbers are too large.
    pub fn of(coefficients: &[i64], access: &Access) -> Option<Position> {
        let mut position = Position::default();
        for (coefficient, subscript) in coefficients.iter().zip(access.subscripts.as_ref()?) {
            position.add(subscript, *coefficient)?;
        }
        Some(position)
    }

    /// Adds a multiple of an expression; `None`: something divides or is chosen, or numbers are too large.
    pub fn add(&mut self, expr: &Expr, factor: i64) -> Option<()> {
        match expr {
            Expr::Constant(value) => self.constant = self.constant.checked_add(value.checked_mul(factor)?)?,
            Expr::Iterator(id) => self.add_term(Variable::Counter(*id), factor)?,
            Expr::Parameter(id) => self.add_term(Variable::Size(id.0), factor)?,
            Expr::Add(a, b) => {
                self.add(a, factor)?;
                self.add(b, factor)?;
            }
            Expr::Scale(by, inner) => self.add(inner, factor.checked_mul(*by)?)?,
            Expr::Divide(..) | Expr::Remainder(..) | Expr::Select(..) => return None,
        }
        Some(())
    }

    fn add_term(&mut self, variable: Variable, factor: i64) -> Option<()> {
        let sum = self.terms.get(&variable).unwrap_or(&0).checked_add(factor)?;
        if sum == 0 {
            self.terms.remove(&variable)
        } else {
            self.terms.insert(variable, sum)
        };
        Some(())
    }
}
