//! The smallest box for a set that is found.
//!
//! Steps are tried on points, at a few sizes and instances: the lattice's pivots or coordinates, other rows, a fold. Those that need
//! fewer cells there are made for all sizes, the most promising first, and the first that keeps its promise is taken; of equal ones the
//! one with the fewest steps.

use crate::fold::Fold;
use crate::lattice::Lattice;
use crate::reindex::{cells_of, identity, reindexed, transformed};
use crate::sample::{Clouds, Size, clouds};
use crate::shape::{Known, Shape, Step};
use polyfold_isl::{ErrorKind, Result, Set};

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

/// The best box for the cells of a set, which is not empty; `None`: it is unbounded.
pub(crate) fn best(cells: &Set, sizes: &[Size], known: Known) -> Result<Option<Measured>> {
    let drafts = match clouds(cells, sizes)? {
        Some(clouds) => drafts(cells, clouds)?,
        None => vec![Vec::new()],
    };
    let mut found: Option<Measured> = None;
    for steps in drafts {
        let most = if steps.is_empty() { u64::MAX } else { MOST_STEPS };
        let made = cells.context().with_quota(most, || Shape::of(cells, &steps, known));
        let shape = match made {
            Ok(Some(shape)) => shape,
            Ok(None) => continue,
            Err(error) if error.kind == ErrorKind::Quota && !steps.is_empty() => continue,
            Err(error) => return Err(error),
        };
        let count = sizes.iter().map(|size| shape.cells_at(&size.constants)).collect::<Result<Vec<i64>>>()?;
        if found.as_ref().is_none_or(|best| count.iter().sum::<i64>() < best.cells.iter().sum::<i64>()) {
            found = Some(Measured { shape, cells: count });
        }
    }
    Ok(found)
}

/// A fold has to save one cell of so many: subscripts become conditions.
const FOLDING: i64 = 8;

/// No more elementary steps are spent on one draft, unless it is the box of the cells as they are.
const MOST_STEPS: u64 = 200_000;

/// So many drafts are made for all sizes.
const MOST_DRAFTS: usize = 3;

/// The most promising steps, and none at all.
fn drafts(cells: &Set, clouds: Clouds) -> Result<Vec<Vec<Step>>> {
    let lattice = Lattice::of(cells)?;
    let dimensions = cells.dimensions()?;
    let mut starts = vec![Draft { steps: Vec::new(), cells: box_cells(&clouds), clouds: clouds.clone() }];
    if !lattice.is_everything() {
        let from = if lattice.is_diagonal() { clouds.clone() } else { at_zero(&clouds).0 };
        let divided = mapped(&from, |x| lattice.divided_point(x));
        starts.push(Draft::of(vec![Step::Divide(lattice.clone())], divided));
        if !lattice.is_diagonal() {
            let coordinates = mapped(&clouds, |x| lattice.coordinates_of_point(x));
            starts.push(Draft::of(vec![Step::Basis(lattice)], coordinates));
        }
    }
    let exact: i64 = clouds.iter().map(|size| size.iter().map(|c| c.len() as i64).max().unwrap_or(0)).sum();
    let mut all: Vec<Draft> = Vec::new();
    for start in starts {
        let reindexed = reindexed(&start.clouds)
            .map(|rows| start.then(Step::Rows(rows.clone()), transformed(&start.clouds, &rows)));
        all.extend(reindexed);
        all.push(start);
    }
    if dimensions > 1 && all.iter().all(|draft| draft.cells > exact + exact / FOLDING) {
        let folded: Vec<Draft> = all.iter().filter_map(folded).collect();
        all.extend(folded);
    }
    all.sort_by_key(|draft| (draft.cells, draft.steps.iter().map(Step::effort).sum::<u32>()));
    let mut kept: Vec<Vec<Step>> = all.into_iter().map(|draft| draft.steps).collect();
    kept.truncate(MOST_DRAFTS);
    if !kept.contains(&Vec::new()) {
        kept.push(Vec::new());
    }
    Ok(kept)
}

impl Draft {
    fn of(steps: Vec<Step>, clouds: Clouds) -> Draft {
        Draft { steps, cells: box_cells(&clouds), clouds }
    }

    fn then(&self, step: Step, clouds: Clouds) -> Draft {
        Draft::of([self.steps.as_slice(), &[step]].concat(), clouds)
    }
}

/// The best fold of a box, if that is smaller; the parts may be turned around first.
fn folded(draft: &Draft) -> Option<Draft> {
    let dimensions = draft.clouds.iter().flatten().flatten().next()?.len();
    let mut best: Option<Draft> = None;
    let turned = (0..dimensions).map(|k| {
        let mut rows = identity(dimensions);
        rows[k][k] = -1;
        draft.then(Step::Rows(rows.clone()), transformed(&draft.clouds, &rows))
    });
    let starts = std::iter::once(draft.then_nothing()).chain(turned).collect::<Vec<_>>();
    for start in starts {
        let (shifted, widths) = at_zero(&start.clouds);
        for fold in Fold::all(dimensions) {
            let clouds = fold.apply_to_points(&shifted, &widths);
            let next = start.then(Step::Fold(fold), clouds);
            if next.cells < best.as_ref().map_or(draft.cells - draft.cells / FOLDING, |best| best.cells) {
                best = Some(next);
            }
        }
    }
    best
}

impl Draft {
    fn then_nothing(&self) -> Draft {
        Draft { steps: self.steps.clone(), clouds: self.clouds.clone(), cells: self.cells }
    }
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
