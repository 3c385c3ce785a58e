//! Small linear programs over the rationals, exactly.
//!
//! ```text
//! max c x   subject to   A x <= b,   E x = f,   x free
//! ```
//!
//! The simplex method on dictionaries (every basic variable as an affine function of the others), with Bland's rule,
//! so that it ends: of the variables that may enter the one with the least number, and likewise for leaving. Free
//! variables and equations are eliminated first by one pivot each, which leaves as many columns as the program has
//! dimensions; a first phase with one artificial variable finds a feasible dictionary.
//!
//! For up to some ten dimensions and some hundred constraints, as the bodies of difference sets have.
//!
//! Paper: Bee §4.2 computes its gauge functions by "(rational) linear programming".

use num_traits::{One, Signed, Zero};

/// An exact fraction.
pub type Rational = num_rational::BigRational;

/// The constraints of a linear program.
#[derive(Clone, Debug, Default)]
pub(crate) struct LinearProgram {
    dimensions: usize,
    inequalities: Vec<(Vec<Rational>, Rational)>,
    equations: Vec<(Vec<Rational>, Rational)>,
}

/// What a linear program has for a maximum.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The maximum and one point that attains it.
    Optimal {
        /// c x.
        value: Rational,
        /// x.
        point: Vec<Rational>,
    },
    /// There are points with arbitrarily large values.
    Unbounded,
    /// There is no point.
    Infeasible,
}

impl LinearProgram {
    /// No constraints yet.
    pub(crate) fn new(dimensions: usize) -> LinearProgram {
        LinearProgram { dimensions, ..LinearProgram::default() }
    }

    /// Number of variables.
    pub(crate) fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// Adds `a x <= bound`.
    ///
    /// # Panics
    /// Unless a has one coefficient per dimension.
    pub(crate) fn at_most(&mut self, coefficients: Vec<Rational>, bound: Rational) {
        assert_eq!(coefficients.len(), self.dimensions, "coefficients of a constraint");
        self.inequalities.push((coefficients, bound));
    }

    /// Adds `e x = value`.
    ///
    /// # Panics
    /// Unless e has one coefficient per dimension.
    pub(crate) fn equal(&mut self, coefficients: Vec<Rational>, value: Rational) {
        assert_eq!(coefficients.len(), self.dimensions, "coefficients of a constraint");
        self.equations.push((coefficients, value));
    }

    /// The maximum of `c x`.
    ///
    /// # Panics
    /// Unless c has one coefficient per dimension.
    pub(crate) fn maximise(&self, objective: &[Rational]) -> Outcome {
        assert_eq!(objective.len(), self.dimensions, "coefficients of an objective");
        let mut dictionary = Dictionary::new(self, objective);
        if !dictionary.eliminate_equations() {
            return Outcome::Infeasible;
        }
        dictionary.eliminate_free();
        if !dictionary.make_feasible() {
            return Outcome::Infeasible;
        }
        if dictionary.increase(Name::Objective) { dictionary.outcome(self.dimensions) } else { Outcome::Unbounded }
    }
}

/// A variable or a function of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Name {
    Artificial,
    /// Of an inequality: not negative.
    Slack(usize),
    Free(usize),
    /// Of an equation: zero.
    Zero,
    Objective,
    /// The objective of the first phase.
    Infeasibility,
}

impl Name {
    fn is_restricted(self) -> bool {
        matches!(self, Name::Artificial | Name::Slack(_))
    }
}

/// `name = constant + Σ terms · columns`.
#[derive(Clone, Debug)]
struct Row {
    name: Name,
    terms: Vec<Rational>,
    constant: Rational,
}

/// A point is read off by setting the columns to zero.
struct Dictionary {
    columns: Vec<Name>,
    rows: Vec<Row>,
}

impl Dictionary {
    fn new(program: &LinearProgram, objective: &[Rational]) -> Dictionary {
        let residual = |name, (terms, constant): &(Vec<Rational>, Rational)| Row {
            name,
            terms: terms.iter().map(|t| -t).collect(),
            constant: constant.clone(),
        };
        let value = Row { name: Name::Objective, terms: objective.to_vec(), constant: Rational::zero() };
        let equations = program.equations.iter().map(|e| residual(Name::Zero, e));
        let slacks = program.inequalities.iter().enumerate().map(|(k, i)| residual(Name::Slack(k), i));
        Dictionary {
            columns: (0..program.dimensions).map(Name::Free).collect(),
            rows: std::iter::once(value).chain(equations).chain(slacks).collect(),
        }
    }

    /// Every equation is solved for a variable. False if one has no solution.
    fn eliminate_equations(&mut self) -> bool {
        while let Some(row) = self.rows.iter().position(|row| row.name == Name::Zero) {
            if let Some(column) = self.rows[row].terms.iter().position(|t| !t.is_zero()) {
                self.pivot(row, column);
                self.remove_column(column);
            } else if self.rows.remove(row).constant.is_zero() {
                continue;
            } else {
                return false;
            }
        }
        true
    }

    /// Every free variable that a slack depends on becomes a function of slacks.
    fn eliminate_free(&mut self) {
        for column in 0..self.columns.len() {
            let depends = |row: &Row| row.name.is_restricted() && !row.terms[column].is_zero();
            if let Some(row) = self.rows.iter().position(depends) {
                self.pivot(row, column);
            }
        }
    }

    /// Finds a dictionary without negative constants. False if there is none.
    fn make_feasible(&mut self) -> bool {
        let least = |row: &Row| if row.name.is_restricted() { row.constant.clone() } else { Rational::zero() };
        let Some(worst) = (0..self.rows.len()).min_by_key(|k| least(&self.rows[*k])) else { return true };
        if !least(&self.rows[worst]).is_negative() {
            return true;
        }
        let column = self.columns.len();
        self.add_artificial();
        self.pivot(worst, column);
        self.increase(Name::Infeasibility);
        let reached = self.row(Name::Infeasibility);
        let feasible = self.rows[reached].constant.is_zero();
        self.rows.remove(reached);
        if feasible {
            self.remove_artificial();
        }
        feasible
    }

    /// A column that relaxes every inequality, and the objective to make it small.
    fn add_artificial(&mut self) {
        for row in &mut self.rows {
            let relaxes = row.name.is_restricted();
            row.terms.push(if relaxes { Rational::one() } else { Rational::zero() });
        }
        self.columns.push(Name::Artificial);
        let mut terms = vec![Rational::zero(); self.columns.len()];
        *terms.last_mut().expect("the new column") = -Rational::one();
        self.rows.push(Row { name: Name::Infeasibility, terms, constant: Rational::zero() });
    }

    /// The artificial variable is zero at this point and leaves for good.
    fn remove_artificial(&mut self) {
        if let Some(row) = self.rows.iter().position(|row| row.name == Name::Artificial) {
            match self.rows[row].terms.iter().position(|t| !t.is_zero()) {
                Some(column) => self.pivot(row, column),
                None => drop(self.rows.remove(row)),
            }
        }
        if let Some(column) = self.columns.iter().position(|name| *name == Name::Artificial) {
            self.remove_column(column);
        }
    }

    /// Simplex steps until the named row cannot grow. False if it grows without bound.
    fn increase(&mut self, objective: Name) -> bool {
        loop {
            let objective = self.row(objective);
            let Some(column) = self.entering(objective) else { return true };
            let Some(row) = self.leaving(objective, column) else { return false };
            self.pivot(row, column);
        }
    }

    /// Bland: the first variable whose increase helps. A free one that is left occurs in no inequality; either
    /// direction will do.
    fn entering(&self, objective: usize) -> Option<usize> {
        let terms = &self.rows[objective].terms;
        let helps = |k: &usize| match self.columns[*k] {
            Name::Free(_) => !terms[*k].is_zero(),
            _ => terms[*k].is_positive(),
        };
        (0..self.columns.len()).filter(helps).min_by_key(|k| self.columns[*k])
    }

    /// The inequality that stops the increase first; Bland: the first of several.
    fn leaving(&self, objective: usize, column: usize) -> Option<usize> {
        let stops = |k: &usize| {
            let row = &self.rows[*k];
            *k != objective && row.name.is_restricted() && row.terms[column].is_negative()
        };
        let step = |k: usize| (-&self.rows[k].constant / &self.rows[k].terms[column], self.rows[k].name);
        (0..self.rows.len()).filter(stops).min_by_key(|k| step(*k))
    }

    /// Exchanges the variables of a row and a column.
    fn pivot(&mut self, row: usize, column: usize) {
        let mut solved = self.rows[row].clone();
        std::mem::swap(&mut solved.name, &mut self.columns[column]);
        let scale = -solved.terms[column].recip();
        solved.terms[column] = -Rational::one();
        solved.terms.iter_mut().chain([&mut solved.constant]).filter(|t| !t.is_zero()).for_each(|t| *t *= &scale);
        for (k, other) in self.rows.iter_mut().enumerate() {
            let factor = std::mem::take(&mut other.terms[column]);
            if k == row || factor.is_zero() {
                continue;
            }
            for (term, added) in other.terms.iter_mut().zip(&solved.terms).filter(|(_, added)| !added.is_zero()) {
                *term += &factor * added;
            }
            other.constant += &factor * &solved.constant;
        }
        self.rows[row] = solved;
    }

    fn remove_column(&mut self, column: usize) {
        self.columns.remove(column);
        self.rows.iter_mut().for_each(|row| drop(row.terms.remove(column)));
    }

    fn row(&self, name: Name) -> usize {
        self.rows.iter().position(|row| row.name == name).expect("a row of that name")
    }

    fn outcome(&self, dimensions: usize) -> Outcome {
        let coordinate = |name| self.rows.iter().find(|row| row.name == name).map(|row| row.constant.clone());
        let point = (0..dimensions).map(|k| coordinate(Name::Free(k)).unwrap_or_default()).collect();
        Outcome::Optimal { value: self.rows[self.row(Name::Objective)].constant.clone(), point }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn number(value: i64) -> Rational {
        Rational::from_integer(value.into())
    }

    fn numbers(values: &[i64]) -> Vec<Rational> {
        values.iter().copied().map(number).collect()
    }

    fn program(dimensions: usize, inequalities: &[(&[i64], i64)], equations: &[(&[i64], i64)]) -> LinearProgram {
        let mut program = LinearProgram::new(dimensions);
        inequalities.iter().for_each(|(a, b)| program.at_most(numbers(a), number(*b)));
        equations.iter().for_each(|(e, f)| program.equal(numbers(e), number(*f)));
        program
    }

    fn value(outcome: &Outcome) -> Option<&Rational> {
        match outcome {
            Outcome::Optimal { value, .. } => Some(value),
            _ => None,
        }
    }

    #[test]
    fn the_three_outcomes() {
        let triangle = program(2, &[(&[-1, 0], -1), (&[0, -1], -1), (&[3, 2], 7)], &[]);
        assert_eq!(value(&triangle.maximise(&numbers(&[1, 1]))), Some(&number(3)));
        assert_eq!(value(&triangle.maximise(&numbers(&[-1, -1]))), Some(&number(-2)));
        let empty = program(1, &[(&[1], 0), (&[-1], -1)], &[]);
        assert_eq!(empty.maximise(&numbers(&[1])), Outcome::Infeasible);
        let half = program(2, &[(&[1, 0], 0)], &[]);
        assert_eq!(half.maximise(&numbers(&[-1, 0])), Outcome::Unbounded);
        assert_eq!(half.maximise(&numbers(&[0, 1])), Outcome::Unbounded);
        assert_eq!(value(&half.maximise(&numbers(&[1, 0]))), Some(&number(0)));
    }

    #[test]
    fn equations_may_repeat_or_contradict() {
        let equations: [(&[i64], i64); 2] = [(&[1, 1], 3), (&[2, 2], 6)];
        let segment = program(2, &[(&[1, 0], 2), (&[-1, 0], 0)], &equations);
        assert_eq!(value(&segment.maximise(&numbers(&[0, 1]))), Some(&number(3)));
        let none = program(2, &[], &[(&[1, 1], 3), (&[2, 2], 5)]);
        assert_eq!(none.maximise(&numbers(&[0, 0])), Outcome::Infeasible);
    }

    /// The example of Beale, on which the rule of the largest coefficient cycles.
    #[test]
    fn bland_does_not_cycle() {
        let signs: [(&[i64], i64); 4] =
            [(&[-1, 0, 0, 0], 0), (&[0, -1, 0, 0], 0), (&[0, 0, -1, 0], 0), (&[0, 0, 0, -1], 0)];
        let rows: [(&[i64], i64); 3] = [(&[25, -6000, -4, 900], 0), (&[25, -4500, -1, 150], 0), (&[0, 0, 1, 0], 1)];
        let beale = program(4, &[&signs[..], &rows[..]].concat(), &[]);
        let value = beale.maximise(&numbers(&[75, -15000, 2, -600]));
        assert!(matches!(value, Outcome::Optimal { value, .. } if value == number(5)));
    }

    /// The largest value at an intersection of two lines that satisfies all constraints.
    fn best_vertex(lines: &[([i64; 2], i64)], objective: [i64; 2]) -> Option<Rational> {
        let mut best = None;
        for (k, (a, b)) in lines.iter().enumerate() {
            for (c, d) in &lines[..k] {
                let determinant = a[0] * c[1] - a[1] * c[0];
                if determinant == 0 {
                    continue;
                }
                let at = |n: i64| Rational::new(n.into(), determinant.into());
                let (x, y) = (at(b * c[1] - a[1] * d), at(a[0] * d - b * c[0]));
                if lines.iter().all(|(e, f)| &x * number(e[0]) + &y * number(e[1]) <= number(*f)) {
                    best = best.max(Some(x * number(objective[0]) + y * number(objective[1])));
                }
            }
        }
        best
    }

    proptest! {
            #[test]
            fn in_the_plane_the_best_vertex_is_found(
                lines in prop::collection::vec((prop::array::uniform2(-6i64..=6), -8i64..=20), 0..8),
                objective in prop::array::uniform2(-5i64..=5),
            ) {
                let mut all = lines;
                all.extend([([1, 0], 30), ([-1, 0], 30), ([0, 1], 30), ([0, -1], 30)]);
                let mut program = LinearProgram::new(2);
                all.iter().for_each(|(a, b)| program.at_most(numbers(a), number(*b)));
                let best = best_vertex(&all, objective);
            match program.maximise(&numbers(&objective)) {
                    Outcome::Optimal { value, point } => {
                        prop_assert_eq!(Some(&value), best.as_ref());
                        prop_assert_eq!(&point[0] * number(objective[0]) + &point[1] * number(objective[1]), value);
    let holds = |a: &[i64; 2], b: i64| &point[0] * number(a[0]) + &point[1] * number(a[1]) <= number(b);
                        prop_assert!(all.iter().all(|(a, b)| holds(a, *b)));
                    }
                    other => {
                        prop_assert_eq!(other, Outcome::Infeasible);
                        prop_assert_eq!(best, None);
                    }
                }
            }
        }
}
