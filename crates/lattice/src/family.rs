//! Families of lattices: modular mappings whose moduli are affine in the parameters, found from a few small sizes.
//!
//! For a handful of matrices M with small coefficients (see `trial`), the smallest moduli are determined at a few sizes;
//! affine functions through them are kept if they hold at further sizes. These are the smallest from which on the set grows as it does
//! for large ones. Sizes are also taken two apart, which gives functions of ⌈n/2⌉. What comes out is a conjecture for all sizes, to be proved by whoever uses it.
//!
//! Below the size from which a conjecture holds, the moduli of that size are used: sets that grow with n allow that, and
//! it spares a test of n. In more than two dimensions all axes but two, and all but three, are settled by
//! [`successive_moduli`](crate::successive_moduli) first, which leaves a set in the plane, or in space.
//!
//! Example: for Durbin's y, `2i + k mod 2 max(n, 3) − 3`; for a triangle of side n, `(i + j mod 3⌈n/2⌉, i mod ⌈n/2⌉)`,
//! which is 3m² cells at n = 2m; for a tetrahedron `(i mod m, j mod m, i + j + k mod 4m)`, 4m³ cells.
//!
//! Paper: Bee §4.1.2 and §5 leave the search for parametric optima open.

use crate::samples::{Instances, Line, Samples};
use crate::successive::settle;
use crate::trial::{Rows, complexity, is_admissible, matrices};
use crate::{Differences, ModularMapping};
use polyfold_isl::{PwAff, Result, Set};

/// Sets with more dimensions are not sampled.
const MOST_DIMENSIONS: usize = 4;

/// Sizes below the base are tried down to this one.
const LEAST_SIZE: i64 = -16;

/// At most this many families are proposed, of this many for a plane or a space that are tried at small sizes.
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
    for axes in planes(dimensions).chain(spaces(dimensions)) {
        let outer: Vec<usize> = (0..dimensions).filter(|axis| !axes.contains(axis)).collect();
        let settled = settle(ds, context, &outer, sizes)?;
        let outside = settled.cells(sizes)?;
        if outside >= below {
            continue;
        }
        let mut rest = settled.rest.clone();
        for axis in outer.iter().rev() {
            rest = rest.project_out(*axis, 1)?;
        }
        for family in in_axes(&rest.intersect_params(context)?, sizes, below.div_ceil(outside), axes.len())? {
            let mut mapping = settled.mapping(dimensions);
            family.append_to(&mut mapping, &axes, dimensions, context)?;
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
fn planes(dimensions: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..dimensions).flat_map(move |first| (first + 1..dimensions).map(move |second| vec![first, second]))
}

/// Triples of axes.
fn spaces(dimensions: usize) -> impl Iterator<Item = Vec<usize>> {
    planes(dimensions)
        .flat_map(move |plane| (plane[1] + 1..dimensions).map(move |third| vec![plane[0], plane[1], third]))
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

impl Family {
    fn moduli_at(&self, sizes: &[i64]) -> Vec<i64> {
        let raised: Vec<i64> = sizes.iter().zip(&self.floors).map(|(size, floor)| *size.max(floor)).collect();
        self.moduli.iter().map(|line| line.at(&raised, self.step)).collect()
    }

    fn holds(&self, sizes: &[i64], ds: &Differences) -> bool {
        is_admissible(ds, &self.rows, &self.moduli_at(sizes))
    }

    /// Smaller is better.
    fn rank(&self, sizes: &[i64]) -> (u64, i64, (usize, i64, usize)) {
        (self.cells_at(sizes), self.step, complexity(&self.rows))
    }

    fn cells_at(&self, sizes: &[i64]) -> u64 {
        let moduli = self.moduli_at(sizes).into_iter().map(|b| u64::try_from(b).unwrap_or(u64::MAX));
        moduli.fold(1, u64::saturating_mul)
    }

    fn append_to(&self, mapping: &mut ModularMapping, axes: &[usize], dimensions: usize, context: &Set) -> Result<()> {
        for (row, line) in self.rows.iter().zip(&self.moduli) {
            let mut coefficients = vec![0; dimensions];
            axes.iter().zip(row).for_each(|(axis, coefficient)| coefficients[*axis] = *coefficient);
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

/// Families with fewer than `below` cells for a set in the plane or in space, already restricted to the parameters that matter.
fn in_axes(ds: &Set, sizes: &[(&str, i64)], below: u64, dimensions: usize) -> Result<Vec<Family>> {
    let mut instances = Instances::new(ds)?;
    let parameters = instances.parameters.clone();
    let value = |name: &String| sizes.iter().find(|(n, _)| n == name).map(|(_, value)| *value);
    let Some(sizes) = parameters.iter().map(value).collect::<Option<Vec<i64>>>() else { return Ok(Vec::new()) };
    let mut ranked = Vec::new();
    for step in [1, 2] {
        let Some(samples) = Samples::take(&mut instances, step)? else { continue };
        for rows in matrices(dimensions) {
            for moduli in samples.lines(&rows) {
                let floors = vec![i64::MIN; parameters.len()];
                let family = Family { rows: rows.clone(), step, parameters: parameters.clone(), floors, moduli };
                if family.cells_at(&sizes) < below && samples.checks().all(|(sizes, ds)| family.holds(sizes, ds)) {
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

/// Finds for each parameter, with the others at the base, from which size on the family holds.
fn raise_floors(family: &mut Family, instances: &mut Instances) -> Result<()> {
    let matters = |k: &usize| family.moduli.iter().any(|line| line.slopes[*k] != 0);
    for k in (0..family.parameters.len()).filter(matters).collect::<Vec<_>>() {
        let mut sizes = instances.base()?;
        while sizes[k] > LEAST_SIZE {
            sizes[k] -= 1;
            let Some(there) = instances.at(&sizes)? else { break };
            if !family.holds(&sizes, &there) {
                family.floors[k] = sizes[k] + 1;
                break;
            }
        }
    }
    Ok(())
}
