//! Families of lattices: modular mappings whose moduli are affine in the parameters, found from a few small sizes.
//!
//! For a handful of matrices M with small coefficients (see `trial`), the smallest moduli are determined at a few sizes;
//! affine functions through them are kept if they hold at further sizes. Sizes are also taken two apart, which gives
//! functions of ⌈n/2⌉. What comes out is a conjecture for all sizes, to be proved by whoever uses it.
//!
//! Below the size from which a conjecture holds, the moduli of that size are used: sets that grow with n allow that, and
//! it spares a test of n. In more than two dimensions all axes but two are settled by
//! [`successive_moduli`](crate::successive_moduli) first, which leaves a set in the plane.
//!
//! Example: for Durbin's y, `2i + k mod 2 max(n, 3) − 3`; for a triangle of side n, `(i + j mod 3⌈n/2⌉, i mod ⌈n/2⌉)`,
//! which is 3m² cells at n = 2m.
//!
//! Paper: Bee §4.1.2 and §5 leave the search for parametric optima open.

use crate::successive::settle;
use crate::trial::{Rows, complexity, is_admissible, matrices, moduli};
use crate::{Differences, ModularMapping};
use polyfold_isl::{PwAff, Result, Set};
use std::collections::HashMap;
use std::rc::Rc;

/// Sizes at which moduli are determined begin here, and at the next multiples of [`APART`] for further parameters.
const BASE: i64 = 8;
const APART: i64 = 4;

/// Sets with more parameters or dimensions are not sampled.
const MOST_PARAMETERS: usize = 3;
const MOST_DIMENSIONS: usize = 3;

/// Steepest modulus per step.
const MOST_SLOPE: i64 = 8;

/// At most this many families are proposed, of this many for a plane that are tried at small sizes.
const MOST_PROPOSED: usize = 4;
const MOST_TRIED: usize = 24;

/// Mappings with fewer than `below` cells at `sizes` that may be strictly admissible for all parameters in `context`,
/// smallest first. Their moduli are positive wherever they are right.
///
/// # Errors
/// When DS is unbounded, or the work bound is reached.
pub fn families(ds: &Set, context: &Set, sizes: &[(&str, i64)], below: u64) -> Result<Vec<ModularMapping>> {
    let dimensions = ds.dimensions()?;
    let mut found = Vec::new();
    if dimensions > MOST_DIMENSIONS {
        return Ok(Vec::new());
    }
    for plane in planes(dimensions) {
        let outer: Vec<usize> = (0..dimensions).filter(|axis| !plane.contains(axis)).collect();
        let settled = settle(ds, context, &outer, sizes)?;
        let outside = settled.cells(sizes)?;
        if outside >= below {
            continue;
        }
        let mut rest = settled.rest.clone();
        for axis in outer.iter().rev() {
            rest = rest.project_out(*axis, 1)?;
        }
        for family in planar(&rest.intersect_params(context)?, sizes, below.div_ceil(outside))? {
            let mut mapping = settled.mapping(dimensions);
            family.append_to(&mut mapping, plane, dimensions, context)?;
            let cells = mapping.cells(sizes)?.unwrap_or(u64::MAX);
            if cells < below {
                found.push(((cells, family.step, complexity(&family.rows)), mapping));
            }
        }
    }
    found.sort_by_key(|(rank, _)| *rank);
    Ok(found.into_iter().map(|(_, mapping)| mapping).take(MOST_PROPOSED).collect())
}

/// Pairs of axes.
fn planes(dimensions: usize) -> impl Iterator<Item = [usize; 2]> {
    (0..dimensions).flat_map(move |first| (first + 1..dimensions).map(move |second| [first, second]))
}

/// Rows and moduli `constant + Σ slope ⌈max(p, floor) / step⌉`.
struct Family {
    rows: Rows,
    step: i64,
    parameters: Vec<String>,
    /// By parameter: the smallest size for which it is used as it is.
    floors: Vec<i64>,
    /// By row.
    moduli: Vec<Line>,
}

/// A function of the parameters divided by the step.
#[derive(Clone)]
struct Line {
    constant: i64,
    slopes: Vec<i64>,
}

impl Line {
    fn at(&self, sizes: &[i64], step: i64) -> i64 {
        let steps = sizes.iter().map(|size| -(-size).div_euclid(step));
        self.constant + self.slopes.iter().zip(steps).map(|(slope, steps)| slope * steps).sum::<i64>()
    }
}

impl Family {
    fn moduli_at(&self, sizes: &[i64]) -> Vec<i64> {
        let raised: Vec<i64> = sizes.iter().zip(&self.floors).map(|(size, floor)| *size.max(floor)).collect();
        self.moduli.iter().map(|line| line.at(&raised, self.step)).collect()
    }

    /// Smaller is better.
    fn rank(&self, sizes: &[i64]) -> (u64, i64, (usize, i64, usize)) {
        (self.cells_at(sizes), self.step, complexity(&self.rows))
    }

    fn cells_at(&self, sizes: &[i64]) -> u64 {
        let moduli = self.moduli_at(sizes).into_iter().map(|b| u64::try_from(b).unwrap_or(u64::MAX));
        moduli.fold(1, u64::saturating_mul)
    }

    fn append_to(
        &self,
        mapping: &mut ModularMapping,
        plane: [usize; 2],
        dimensions: usize,
        context: &Set,
    ) -> Result<()> {
        for (row, line) in self.rows.iter().zip(&self.moduli) {
            let mut coefficients = vec![0; dimensions];
            coefficients[plane[0]] = row[0];
            coefficients[plane[1]] = row[1];
            mapping.rows.push(coefficients);
            let modulus = PwAff::read(context.context(), &self.text(line))?;
            mapping.moduli.push(modulus.gist_params(context)?.intersect_params(context)?.coalesce()?);
        }
        Ok(())
    }

    fn text(&self, line: &Line) -> String {
        let mut sum = line.constant.to_string();
        for ((name, floor), slope) in self.parameters.iter().zip(&self.floors).zip(&line.slopes) {
            let size = if *floor == i64::MIN { name.clone() } else { format!("max({name}, {floor})") };
            match (*slope, self.step) {
                (0, _) => {}
                (slope, 1) => sum += &format!(" + {slope} * {size}"),
                (slope, step) => sum += &format!(" + {slope} * floor(({size} + {}) / {step})", step - 1),
            }
        }
        format!("[{}] -> {{ [({sum})] }}", self.parameters.join(", "))
    }
}

/// Families with fewer than `below` cells for a set in the plane, already restricted to the parameters that matter.
fn planar(ds: &Set, sizes: &[(&str, i64)], below: u64) -> Result<Vec<Family>> {
    let mut instances = Instances { parameters: ds.parameter_names()?, ds, known: HashMap::new() };
    let parameters = instances.parameters.clone();
    let value = |name: &String| sizes.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
    let Some(sizes) = parameters.iter().map(value).collect::<Option<Vec<i64>>>() else { return Ok(Vec::new()) };
    let mut ranked = Vec::new();
    for step in [1, 2] {
        let Some(samples) = Samples::take(&mut instances, step)? else { continue };
        for rows in matrices() {
            for moduli in samples.lines(&rows) {
                let floors = vec![i64::MIN; parameters.len()];
                let family = Family { rows: rows.clone(), step, parameters: parameters.clone(), floors, moduli };
                if family.cells_at(&sizes) < below && samples.confirm(&family) {
                    ranked.push(family);
                }
            }
        }
    }
    ranked.sort_by_key(|family| family.rank(&sizes));
    ranked.truncate(MOST_TRIED);
    for family in &mut ranked {
        raise_floors(family, &mut instances)?;
    }
    ranked.retain(|family| family.cells_at(&sizes) < below);
    ranked.sort_by_key(|family| family.rank(&sizes));
    ranked.truncate(MOST_PROPOSED);
    Ok(ranked)
}

/// A set at given sizes, each listed once.
struct Instances<'a> {
    parameters: Vec<String>,
    ds: &'a Set,
    known: HashMap<Vec<i64>, Option<Rc<Differences>>>,
}

impl Instances<'_> {
    /// `None` if the sizes are not in the set's context.
    fn at(&mut self, sizes: &[i64]) -> Result<Option<Rc<Differences>>> {
        if let Some(known) = self.known.get(sizes) {
            return Ok(known.clone());
        }
        let named: Vec<(&str, i64)> = self.parameters.iter().map(String::as_str).zip(sizes.iter().copied()).collect();
        let there = self.ds.at(&named)?.without_parameters()?;
        let listed = if there.is_empty()? { None } else { Some(Rc::new(Differences::of(&there)?)) };
        self.known.insert(sizes.to_vec(), listed.clone());
        Ok(listed)
    }
}

/// The set at several sizes: a base, one and two steps further in each parameter, and one step further in all.
struct Samples {
    base: Vec<i64>,
    step: i64,
    at_base: Rc<Differences>,
    /// By parameter: one step further; `None` if the set does not depend on it.
    further: Vec<Option<Rc<Differences>>>,
    checks: Vec<(Vec<i64>, Rc<Differences>)>,
}

impl Samples {
    /// `None` where the set has too many parameters, or is empty at the base.
    fn take(instances: &mut Instances, step: i64) -> Result<Option<Samples>> {
        let base = base(instances.parameters.len());
        if base.len() > MOST_PARAMETERS {
            return Ok(None);
        }
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
        let all: Vec<i64> = base.iter().map(|size| size + step).collect();
        let Some(one_each) = instances.at(&all)? else { return Ok(None) };
        checks.push((all, one_each));
        Ok(Some(Samples { base, step, at_base, further, checks }))
    }

    /// Lines for every row through moduli at the base and one step further.
    fn lines(&self, rows: &Rows) -> Vec<Vec<Line>> {
        let mut found = Vec::new();
        for start in moduli(&self.at_base, rows) {
            let mut partial = vec![vec![Vec::new(); rows.len()]];
            for further in &self.further {
                let steps = self.steps(rows, &start, further.as_deref());
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

    /// By row, how much the moduli may grow in one step.
    fn steps(&self, rows: &Rows, start: &[i64], further: Option<&Differences>) -> Vec<Vec<i64>> {
        let Some(further) = further else { return vec![vec![0; rows.len()]] };
        let growth = |end: Vec<i64>| end.iter().zip(start).map(|(e, s)| e - s).collect::<Vec<i64>>();
        let grown = moduli(further, rows).into_iter().map(growth);
        grown.filter(|growth| growth.iter().all(|g| (0..=MOST_SLOPE).contains(g))).collect()
    }

    /// Lines with given values at the base.
    fn through(&self, start: &[i64], slopes: Vec<Vec<i64>>) -> Vec<Line> {
        let line = |(value, slopes): (&i64, Vec<i64>)| {
            let without = Line { constant: 0, slopes };
            Line { constant: value - without.at(&self.base, self.step), ..without }
        };
        start.iter().zip(slopes).map(line).collect()
    }

    fn confirm(&self, family: &Family) -> bool {
        self.checks.iter().all(|(sizes, ds)| is_admissible(ds, &family.rows, &family.moduli_at(sizes)))
    }
}

fn base(parameters: usize) -> Vec<i64> {
    (0..parameters as i64).map(|k| BASE + APART * k).collect()
}

/// Finds for each parameter, with the others at the base, from which size on the family holds.
fn raise_floors(family: &mut Family, instances: &mut Instances) -> Result<()> {
    for k in 0..family.parameters.len() {
        let mut sizes = base(family.parameters.len());
        while sizes[k] > 1 {
            sizes[k] -= 1;
            let Some(there) = instances.at(&sizes)? else { break };
            if !is_admissible(&there, &family.rows, &family.moduli_at(&sizes)) {
                family.floors[k] = sizes[k] + 1;
                break;
            }
        }
    }
    Ok(())
}
