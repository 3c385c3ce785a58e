//! Which statements share a buffer.
//!
//! One buffer for all may be larger than several: a 2 × N and an N × 2 array in one take N × N. The paper leaves two statements
//! together if the slopes of one's moduli are at least those of the other's, level by level, and takes connected components.
//!
//! Paper: SMO §4.5. Deviation: that rule does not look at sizes. Blur with its first stage split by lifetime gets 6B² cells where
//! separate arrays need B² + 3B. Here the paper's classes, everything together and everything apart are compared by their real
//! size at given parameters, and each class is solved again by itself, without the conflicts across classes.

use crate::modulo_mappings::{Shared, shared_buffer};
use crate::{Buffer, ConflictSet};
use polyfold_isl::Result;

/// The smallest buffers that were found for a class; `None` if a statement has none even for itself.
pub(crate) fn smallest_buffers(conflicts: &ConflictSet, class: &[usize], sizes: &[i64]) -> Result<Option<Vec<Buffer>>> {
    let together = shared_buffer(conflicts, class)?;
    if class.len() == 1 {
        return Ok(together.map(|shared| vec![shared.buffer]));
    }
    let apart = several(conflicts, &class.iter().map(|statement| vec![*statement]).collect::<Vec<_>>(), sizes)?;
    let components = together.as_ref().map(|shared| components(class, shared)).unwrap_or_default();
    let by_slopes = if components.len() > 1 && components.len() < class.len() {
        several(conflicts, &components, sizes)?
    } else {
        None
    };
    let together = together.map(|shared| vec![shared.buffer]);
    let cells =
        |buffers: &Vec<Buffer>| buffers.iter().fold(0, |cells: i128, buffer| cells.saturating_add(buffer.cells(sizes)));
    Ok([together, by_slopes, apart].into_iter().flatten().min_by_key(cells))
}

fn several(conflicts: &ConflictSet, classes: &[Vec<usize>], sizes: &[i64]) -> Result<Option<Vec<Buffer>>> {
    let mut all = Vec::new();
    for class in classes {
        let Some(buffers) = smallest_buffers(conflicts, class, sizes)? else { return Ok(None) };
        all.extend(buffers);
    }
    Ok(Some(all))
}

/// Connected components of "one's moduli have at least the slopes of the other's".
fn components(class: &[usize], shared: &Shared) -> Vec<Vec<usize>> {
    let slopes: Vec<Vec<i64>> =
        shared.own.iter().map(|levels| levels.iter().map(|form| form.slopes.iter().sum()).collect()).collect();
    let fits = |a: usize, b: usize| slopes[a].iter().zip(&slopes[b]).all(|(x, y)| x >= y);
    let mut component: Vec<usize> = (0..class.len()).collect();
    for a in 0..class.len() {
        for b in 0..a {
            if fits(a, b) || fits(b, a) {
                let (kept, joined) = (component[b], component[a]);
                component.iter_mut().filter(|c| **c == joined).for_each(|c| *c = kept);
            }
        }
    }
    let members = |c: usize| (0..class.len()).filter(|k| component[*k] == c).map(|k| class[k]).collect::<Vec<_>>();
    (0..class.len()).map(members).filter(|members| !members.is_empty()).collect()
}
