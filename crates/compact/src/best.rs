//! The smallest box for a set that is found.
//!
//! Steps are tried on points, at a few sizes and instances: the lattice's pivots or coordinates, other rows, a fold, a modular mapping. Those
//! that need fewer cells there are made for all sizes, the most promising first, and the first that keeps its promise is taken; of equal
//! ones the one with the fewest steps.

use crate::fold::Fold;
use crate::lattice::Lattice;
use crate::modular::modular;
use crate::reindex::{cells_of, identity, reindexed, transformed};
use crate::sample::{Clouds, largest};
use crate::shape::{Known, Shape, Step};
use polyfold_isl::{Result, Set};

/// A box, and how many cells it has at each size.
#[derive(Clone, Debug)]
pub struct Measured {
    /// The box.
    pub shape: Shape,
    /// Its cells, by size.
    pub cells: Vec<i64>,
}

/// Steps that were tried on points.
struct Draft {
    steps: Vec<Step>,
    clouds: Clouds,
    cells: i64,
}

/// The best box for the cells of a set, which is not empty, with its points if they could be listed; `None`: it is unbounded.
pub(crate) fn best(cells: &Set, clouds: Option<&Clouds>, known: Known) -> Result<Option<Measured>> {
    let drafts = match clouds {
        Some(clouds) => {
            let mut drafts = drafts(&Lattice::of(cells)?, clouds);
            let is_plain = cells.pieces()? <= MOST_FOLDED;
            drafts.retain(|draft| is_plain || !draft.steps.iter().any(|step| matches!(step, Step::Fold(_))));
            promising(drafts)
        }
        None => vec![(Vec::new(), 0)],
    };
    let mut found: Option<Measured> = None;
    for (steps, promised) in drafts {
        let most = if steps.is_empty() { u64::MAX } else { MOST_STEPS };
        let made = cells.context().with_quota(most, || Shape::of(cells, &steps, known));
        let shape = match made {
            Ok(Some(shape)) => shape,
            Ok(None) => continue,
            Err(error) if error.is_bound() && !steps.is_empty() => continue,
            Err(error) => return Err(error),
        };
        let count = known.sizes.iter().map(|size| shape.cells_at(&size.constants)).collect::<Result<Vec<i64>>>()?;
        let total: i64 = count.iter().sum();
        if found.as_ref().is_none_or(|best| total < best.cells.iter().sum::<i64>()) {
            found = Some(Measured { shape, cells: count });
        }
        if total <= promised {
            break;
        }
    }
    Ok(found)
}

/// How many cells the best box for some points has, summed over sizes.
pub(crate) fn promised(clouds: &Clouds) -> i64 {
    drafts(&Lattice::of_points(clouds), clouds).iter().map(|draft| draft.cells).min().unwrap_or(0)
}

/// A fold has to save one cell of so many: subscripts become conditions.
const FOLDING: i64 = 8;

/// No more elementary steps are spent on one draft, unless it is the box of the cells as they are.
const MOST_STEPS: u64 = 200_000;

/// So many drafts are made for all sizes.
const MOST_DRAFTS: usize = 3;

/// Sets of more pieces are not folded: subscripts would have as many cases.
const MOST_FOLDED: usize = 4;

/// A modular mapping has to save one cell of so many: subscripts become remainders.
const REMAINDERS: i64 = 16;

/// The most promising steps with the cells that they need, fewest first, and none at all.
fn promising(mut drafts: Vec<Draft>) -> Vec<(Vec<Step>, i64)> {
    drafts.sort_by_key(|draft| (draft.cells, draft.steps.iter().map(Step::effort).sum::<u32>()));
    let mut kept: Vec<(Vec<Step>, i64)> = drafts.into_iter().map(|draft| (draft.steps, draft.cells)).collect();
    let plain = kept.iter().position(|(steps, _)| steps.is_empty());
    let last = plain.filter(|at| *at >= MOST_DRAFTS).map(|at| kept[at].clone());
    kept.truncate(MOST_DRAFTS);
    kept.extend(last);
    kept
}

/// All that is tried on points.
fn drafts(lattice: &Lattice, clouds: &Clouds) -> Vec<Draft> {
    let mut starts = vec![Draft { steps: Vec::new(), cells: box_cells(clouds), clouds: clouds.clone() }];
    if !lattice.is_everything() {
        let from = if lattice.is_diagonal() { clouds.clone() } else { at_zero(clouds).0 };
        let divided = mapped(&from, |x| lattice.divided_point(x));
        starts.push(Draft::of(vec![Step::Divide(lattice.clone())], divided));
        if !lattice.is_diagonal() {
            let coordinates = mapped(clouds, |x| lattice.coordinates_of_point(x));
            starts.push(Draft::of(vec![Step::Basis(lattice.clone())], coordinates));
        }
    }
    let exact: i64 = largest(clouds).iter().sum();
    let mut all: Vec<Draft> = Vec::new();
    for start in starts {
        let reindexed = reindexed(&start.clouds)
            .map(|rows| start.then(Step::Rows(rows.clone()), transformed(&start.clouds, &rows)));
        all.extend(reindexed);
        all.push(start);
    }
    let all_need_more = |all: &[Draft], part: i64| all.iter().all(|draft| draft.cells > exact + exact / part);
    if lattice.dimensions > 1 && all_need_more(&all, FOLDING) {
        // A fold leaves half of a box at best.
        let near = all.iter().filter(|draft| draft.cells <= 4 * exact);
        let folded: Vec<Draft> = near.filter_map(folded).collect();
        all.extend(folded);
    }
    if lattice.dimensions > 1 && all_need_more(&all, REMAINDERS) {
        let least = all.iter().map(|draft| draft.cells).min().unwrap_or(0);
        if let Some((folding, cells)) = modular(clouds, least - least / REMAINDERS) {
            all.push(Draft { steps: vec![Step::Modulo(folding)], cells, clouds: Vec::new() });
        }
    }
    all
}

impl Draft {
    fn of(steps: Vec<Step>, clouds: Clouds) -> Draft {
        Draft { steps, cells: box_cells(&clouds), clouds }
    }

    fn turned(&self, rows: Option<&Vec<Vec<i64>>>) -> Draft {
        match rows {
            Some(rows) => self.then(Step::Rows(rows.clone()), transformed(&self.clouds, rows)),
            None => Draft { steps: self.steps.clone(), clouds: self.clouds.clone(), cells: self.cells },
        }
    }

    fn then(&self, step: Step, clouds: Clouds) -> Draft {
        Draft::of([self.steps.as_slice(), &[step]].concat(), clouds)
    }
}

/// The best fold of a box, if that is smaller; the parts may be turned around first. It is searched at the largest instance of each size.
fn folded(draft: &Draft) -> Option<Draft> {
    let dimensions = draft.clouds.iter().flatten().flatten().next()?.len();
    let largest =
        |size: &Vec<Vec<Vec<i64>>>| size.iter().max_by_key(|cloud| cloud.len()).cloned().into_iter().collect();
    let few = Draft::of(draft.steps.clone(), draft.clouds.iter().map(largest).collect());
    let turned = (0..dimensions).map(|k| {
        let mut rows = identity(dimensions);
        rows[k][k] = -1;
        Some(rows)
    });
    let mut best = None;
    let mut least = few.cells - few.cells / FOLDING;
    for rows in std::iter::once(None).chain(turned) {
        let start = few.turned(rows.as_ref());
        let (shifted, widths) = at_zero(&start.clouds);
        for fold in Fold::all(dimensions) {
            let cells = box_cells(&fold.apply_to_points(&shifted, &widths));
            if cells < least {
                least = cells;
                best = Some((rows.clone(), fold));
            }
        }
    }
    let (rows, fold) = best?;
    let start = draft.turned(rows.as_ref());
    let (shifted, widths) = at_zero(&start.clouds);
    let clouds = fold.apply_to_points(&shifted, &widths);
    let folded = start.then(Step::Fold(fold), clouds);
    (folded.cells < draft.cells - draft.cells / FOLDING).then_some(folded)
}

/// The cells of the smallest box, summed over all sizes.
fn box_cells(clouds: &Clouds) -> i64 {
    let dimensions = clouds.iter().flatten().flatten().next().map_or(0, Vec::len);
    cells_of(clouds, &identity(dimensions))
}

fn mapped(clouds: &Clouds, change: impl Fn(&[i64]) -> Vec<i64>) -> Clouds {
    clouds.iter().map(|size| size.iter().map(|cloud| cloud.iter().map(|x| change(x)).collect()).collect()).collect()
}

/// The points with their least coordinates at 0, and the widths by size.
fn at_zero(clouds: &Clouds) -> (Clouds, Vec<Vec<i64>>) {
    let dimensions = clouds.iter().flatten().flatten().next().map_or(0, Vec::len);
    let mut widths = vec![vec![0; dimensions]; clouds.len()];
    let moved = clouds.iter().zip(&mut widths).map(|(size, widths)| {
        let of_cloud = |cloud: &Vec<Vec<i64>>, widths: &mut Vec<i64>| {
            let least: Vec<i64> = (0..dimensions).map(|k| cloud.iter().map(|x| x[k]).min().unwrap_or(0)).collect();
            let moved: Vec<Vec<i64>> =
                cloud.iter().map(|x| x.iter().zip(&least).map(|(x, l)| x - l).collect()).collect();
            for (k, width) in widths.iter_mut().enumerate() {
                *width = moved.iter().map(|y: &Vec<i64>| y[k] + 1).max().unwrap_or(0).max(*width);
            }
            moved
        };
        size.iter().map(|cloud| of_cloud(cloud, widths)).collect()
    });
    let moved = moved.collect();
    (moved, widths)
}
