//! A parametric set in the plane or in space at a few small sizes, and affine moduli through what holds there.

use crate::Differences;
use crate::scan::Scanner;
use crate::trial::{Rows, moduli};
use polyfold_isl::{Result, Set};
use std::collections::HashMap;
use std::rc::Rc;

/// Sizes at which moduli are determined begin here, and at the next multiples of [`APART`] for further parameters.
const BASE: i64 = 8;
const APART: i64 = 4;

/// Constant moduli with a few cells to spare hold for some steps: this many are enough to tell.
const FAR: i64 = 6;

/// Sets with more parameters are not sampled.
const MOST_PARAMETERS: usize = 3;

/// Steepest modulus per step.
const MOST_SLOPE: i64 = 8;

/// A function of the parameters divided by the step.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) constant: i64,
    pub(crate) slopes: Vec<i64>,
}

impl Line {
    pub(crate) fn at(&self, sizes: &[i64], step: i64) -> i64 {
        let steps = sizes.iter().map(|size| -(-size).div_euclid(step));
        self.constant + self.slopes.iter().zip(steps).map(|(slope, steps)| slope * steps).sum::<i64>()
    }
}

/// Sizes are raised by less than this.
const MOST_RAISED: i64 = 128;

/// A set at given sizes, each listed once.
pub(crate) struct Instances<'a> {
    pub(crate) parameters: Vec<String>,
    ds: &'a Set,
    scanner: Option<Scanner>,
    known: HashMap<Vec<i64>, Option<Rc<Differences>>>,
    base: Option<Vec<i64>>,
}

impl<'a> Instances<'a> {
    pub(crate) fn new(ds: &'a Set) -> Result<Instances<'a>> {
        let (parameters, scanner) = (ds.parameter_names()?, Scanner::of(ds)?);
        Ok(Instances { parameters, ds, scanner, known: HashMap::new(), base: None })
    }

    /// The sizes at which everything begins: there may be odd ones only.
    pub(crate) fn base(&mut self) -> Result<Vec<i64>> {
        if let Some(base) = &self.base {
            return Ok(base.clone());
        }
        let even = self.raised(self.grows_from()?);
        let odd: Vec<i64> = even.iter().map(|size| size + 1).collect();
        let base = if self.at(&even)?.is_none() && self.at(&odd)?.is_some() { odd } else { even };
        Ok(self.base.insert(base).clone())
    }

    fn raised(&self, by: i64) -> Vec<i64> {
        (0..self.parameters.len() as i64).map(|k| BASE + APART * k + by).collect()
    }

    /// By how much sizes are raised so that the set grows as it does for large ones. An array far down a chain of stages, each of which
    /// leaves out its ends, has next to no cells at small sizes.
    fn grows_from(&self) -> Result<i64> {
        let (Some(far), Some(farther)) = (self.widths(MOST_RAISED)?, self.widths(2 * MOST_RAISED)?) else {
            return Ok(0);
        };
        let is_on_line = |widths: Vec<i64>, by: i64| {
            let ends = widths.iter().zip(&far).zip(&farther);
            ends.into_iter().all(|((w, far), farther)| (far - w) * MOST_RAISED == (farther - far) * (MOST_RAISED - by))
        };
        for by in (0..MOST_RAISED).step_by(APART as usize) {
            if self.widths(by)?.is_some_and(|widths| is_on_line(widths, by)) {
                return Ok(if by == 0 { 0 } else { by + APART });
            }
        }
        Ok(0)
    }

    /// How far the set extends along each axis; `None` where it is empty.
    fn widths(&self, by: i64) -> Result<Option<Vec<i64>>> {
        let raised = self.raised(by);
        let sizes: Vec<(&str, i64)> = self.parameters.iter().map(String::as_str).zip(raised).collect();
        let there = self.ds.at(&sizes)?;
        (0..there.dimensions()?).map(|axis| there.dim_max_value(axis)).collect()
    }

    /// `None` if the sizes are not in the set's context.
    pub(crate) fn at(&mut self, sizes: &[i64]) -> Result<Option<Rc<Differences>>> {
        if let Some(known) = self.known.get(sizes) {
            return Ok(known.clone());
        }
        let listed = self.listed(sizes)?.map(Rc::new);
        self.known.insert(sizes.to_vec(), listed.clone());
        Ok(listed)
    }

    fn listed(&self, sizes: &[i64]) -> Result<Option<Differences>> {
        if let Some(scanner) = &self.scanner {
            let points = scanner.points(sizes)?;
            return if points.is_empty() {
                Ok(None)
            } else {
                Differences::listed(self.ds.dimensions()?, points).map(Some)
            };
        }
        let named: Vec<(&str, i64)> = self.parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
        let there = self.ds.at(&named)?.without_parameters()?;
        if there.is_empty()? { Ok(None) } else { Differences::of(&there).map(Some) }
    }
}

/// The set at several sizes: a base, one and two steps further in each parameter, and one step further and far in all.
pub(crate) struct Samples {
    base: Vec<i64>,
    step: i64,
    at_base: Rc<Differences>,
    /// By parameter: one step further; `None` if the set does not depend on it.
    further: Vec<Option<Rc<Differences>>>,
    checks: Vec<(Vec<i64>, Rc<Differences>)>,
}

impl Samples {
    /// `None` where the set has too many parameters, or is empty at the base.
    pub(crate) fn take(instances: &mut Instances, step: i64) -> Result<Option<Samples>> {
        if instances.parameters.len() > MOST_PARAMETERS {
            return Ok(None);
        }
        let base = instances.base()?;
        let Some(at_base) = instances.at(&base)? else { return Ok(None) };
        let (mut further, mut checks) = (Vec::new(), Vec::new());
        for k in 0..base.len() {
            let moved = |steps: i64| {
                let mut sizes = base.clone();
                sizes[k] += steps * step;
                sizes
            };
            let (Some(one), Some(two)) = (instances.at(&moved(1))?, instances.at(&moved(2))?) else {
                return Ok(None);
            };
            let depends = one != at_base || two != at_base;
            checks.push((moved(2), two));
            further.push(depends.then_some(one));
        }
        for steps in [1, FAR] {
            let all: Vec<i64> = base.iter().map(|size| size + steps * step).collect();
            let Some(there) = instances.at(&all)? else { return Ok(None) };
            checks.push((all, there));
        }
        Ok(Some(Samples { base, step, at_base, further, checks }))
    }

    /// Lines for every row through moduli at the base and one step further.
    pub(crate) fn lines(&self, rows: &Rows) -> Vec<Vec<Line>> {
        let (starts, mut found) = (moduli(&self.at_base, rows), Vec::new());
        if starts.is_empty() {
            return found;
        }
        let further: Vec<_> =
            self.further.iter().map(|further| further.as_deref().map(|further| moduli(further, rows))).collect();
        for start in starts {
            let mut partial = vec![vec![Vec::new(); rows.len()]];
            for ends in &further {
                let steps = steps(&start, ends.as_deref());
                let extend = |slopes: &Vec<Vec<i64>>| {
                    let longer = |step: &Vec<i64>| {
                        slopes.iter().zip(step).map(|(s, more)| [s.as_slice(), &[*more]].concat()).collect()
                    };
                    steps.iter().map(longer).collect::<Vec<Vec<Vec<i64>>>>()
                };
                partial = partial.iter().flat_map(extend).collect();
            }
            found.extend(partial.into_iter().map(|slopes| self.through(&start, slopes)));
        }
        found
    }

    /// Lines with given values at the base.
    fn through(&self, start: &[i64], slopes: Vec<Vec<i64>>) -> Vec<Line> {
        let line = |(value, slopes): (&i64, Vec<i64>)| {
            let without = Line { constant: 0, slopes };
            Line { constant: value - without.at(&self.base, self.step), ..without }
        };
        start.iter().zip(slopes).map(line).collect()
    }

    /// The sizes at which the lines have to hold as well.
    pub(crate) fn checks(&self) -> impl Iterator<Item = (&[i64], &Differences)> {
        self.checks.iter().map(|(sizes, ds)| (sizes.as_slice(), ds.as_ref()))
    }
}

/// By row, how much the moduli may grow from the first to what they are one step further; `None`: they stay.
fn steps(start: &[i64], ends: Option<&[Vec<i64>]>) -> Vec<Vec<i64>> {
    let Some(ends) = ends else { return vec![vec![0; start.len()]] };
    let growth = |end: &Vec<i64>| end.iter().zip(start).map(|(e, s)| e - s).collect::<Vec<i64>>();
    ends.iter().map(growth).filter(|growth| growth.iter().all(|g| (0..=MOST_SLOPE).contains(g))).collect()
}
