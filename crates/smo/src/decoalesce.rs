//! Which statements share a buffer.
//!
//! One buffer for all may be larger than several: a 2 × N and an N × 2 array in one take N × N. The paper leaves two statements
//! together if the slopes of one's moduli are at least those of the other's, level by level, and takes connected components.
//!
//! Paper: SMO §4.5. Deviation: that rule does not look at sizes. Blur with its first stage split by lifetime gets 6B² cells where
//! separate arrays need B² + 3B; a stencil of N + 1 cells whose two border cells stay alive gets a second row for them, 2N + 2
//! cells where N + 3 are enough. Three partitions are compared here by their real size at given parameters: everything together,
//! the paper's classes (for the greedy heuristic), and what results from separate buffers by joining two as long as that gains, or,
//! of many statements, by putting one after the other where it costs least. Each class is solved by itself, without the conflicts
//! across classes. Separate buffers are where all begin, so that no partition is larger.

use crate::bound::{Reach, least_bound};
use crate::budget::Budget;
use crate::choice::WORK;
use crate::fast::fast_buffer;
use crate::modulo_mappings::{Shared, shared_buffer};
use crate::{Buffer, ConflictSet, Form, Member, Row};
use polyfold_isl::Result;
use std::collections::HashMap;

/// A buffer for each statement: the greedy heuristic's, or a box if that is smaller; `None` if one of them has none even for itself.
pub(crate) fn separate_buffers(conflicts: &ConflictSet, sizes: &[i64]) -> Result<Option<Vec<Buffer>>> {
    let (mut apart, mut budget) = (Vec::new(), Budget::new(WORK));
    for statement in 0..conflicts.statements().len() {
        let greedy = shared_buffer(conflicts, &[statement], &mut budget)?.map(|shared| shared.buffer);
        let known = greedy.into_iter().chain(box_of(conflicts, statement)).min_by_key(|buffer| buffer.cells(sizes));
        let Some(buffer) = known.or_else(|| fast_buffer(conflicts, &[statement], sizes)) else { return Ok(None) };
        apart.push(buffer);
    }
    Ok(Some(apart))
}

/// Every iterator modulo one more than conflicting values differ in it: two of them differ in some iterator. `None` if there is no
/// such bound.
fn box_of(conflicts: &ConflictSet, statement: usize) -> Option<Buffer> {
    let (own, arity) = (conflicts.between(&[statement]), conflicts.arity(statement));
    let (mut moduli, mut rows) = (Vec::new(), Vec::new());
    for k in 0..arity {
        let generators = own.iter().flat_map(|polyhedron| polyhedron.generators.iter());
        let reaches: Vec<Reach> = generators.map(|g| (&g.corner, (g.from[k] - g.to[k]).abs())).collect();
        let most = least_bound(&reaches, conflicts.corners())?;
        if most != Form::constant(conflicts.parameters().len(), 0) {
            moduli.push(most.plus(1));
            rows.push(Row { coefficients: (0..arity).map(|j| i64::from(j == k)).collect(), offset: 0 });
        }
    }
    Some(Buffer { moduli, members: vec![Member { statement, rows }] })
}

/// The smallest buffers that the greedy heuristic finds, given a buffer for each statement.
pub(crate) fn smallest_buffers(conflicts: &ConflictSet, apart: &[Buffer], sizes: &[i64]) -> Result<Vec<Buffer>> {
    let all: Vec<usize> = (0..apart.len()).collect();
    let mut budget = Budget::new(WORK);
    let mut partitions = by_slopes(conflicts, &all, &mut budget)?;
    let together = &mut |class: &[usize]| Ok(shared_buffer(conflicts, class, &mut budget)?.map(|shared| shared.buffer));
    partitions.push(joined(apart.to_vec(), sizes, together)?);
    Ok(partitions.into_iter().min_by_key(|buffers| cells(buffers, sizes)).unwrap_or_default())
}

/// Finds one buffer for a class of statements.
type OfClass<'e> = dyn FnMut(&[usize]) -> Result<Option<Buffer>> + 'e;

/// The smallest buffers with another engine: all statements in one, or what results from separate buffers by joining them.
pub(crate) fn smallest_by(apart: &[Buffer], sizes: &[i64], engine: &mut OfClass) -> Result<Vec<Buffer>> {
    let mut own = Vec::new();
    for (statement, greedy) in apart.iter().enumerate() {
        let found = engine(&[statement])?.filter(|found| found.cells(sizes) < greedy.cells(sizes));
        own.push(found.unwrap_or_else(|| greedy.clone()));
    }
    let all: Vec<usize> = (0..apart.len()).collect();
    let together = engine(&all)?.map(|buffer| vec![buffer]);
    let joined = if own.len() > FEW { inserted(own, sizes, engine)? } else { joined(own, sizes, engine)? };
    Ok([Some(joined), together].into_iter().flatten().min_by_key(|buffers| cells(buffers, sizes)).unwrap_or_default())
}

fn cells(buffers: &[Buffer], sizes: &[i64]) -> i128 {
    buffers.iter().fold(0, |cells: i128, buffer| cells.saturating_add(buffer.cells(sizes)))
}

/// Everything together; and, if there are several, the paper's classes, each divided again until it stays in one.
fn by_slopes(conflicts: &ConflictSet, class: &[usize], budget: &mut Budget) -> Result<Vec<Vec<Buffer>>> {
    let Some(together) = shared_buffer(conflicts, class, budget)? else { return Ok(Vec::new()) };
    let classes = components(class, &together);
    let mut partitions = vec![vec![together.buffer]];
    if classes.len() > 1 {
        let mut divided = Vec::new();
        for class in &classes {
            let Some(buffers) = by_slopes(conflicts, class, budget)?.pop() else { return Ok(partitions) };
            divided.extend(buffers);
        }
        partitions.push(divided);
    }
    Ok(partitions)
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

/// Classes that are tried at most; each is a run of an engine.
const MOST_CLASSES: usize = 100;

/// So many statements are joined two by two; more are inserted one by one.
const FEW: usize = 12;

/// Buffers into which one statement is tried.
const MOST_PLACES: usize = 4;

/// Joins two buffers as long as one for the members of both is smaller, the largest gain first.
fn joined(mut buffers: Vec<Buffer>, sizes: &[i64], engine: &mut OfClass) -> Result<Vec<Buffer>> {
    let mut known = HashMap::new();
    loop {
        let mut best: Option<(i128, usize, usize, Buffer)> = None;
        for (a, b) in (0..buffers.len()).flat_map(|b| (0..b).map(move |a| (a, b))) {
            let class = both(&buffers[a], &buffers[b]);
            if !known.contains_key(&class) {
                if known.len() == MOST_CLASSES {
                    break;
                }
                let buffer = engine(&class)?;
                known.insert(class.clone(), buffer);
            }
            let Some(Some(one)) = known.get(&class) else { continue };
            let gain = buffers[a].cells(sizes).saturating_add(buffers[b].cells(sizes)).saturating_sub(one.cells(sizes));
            if gain > best.as_ref().map_or(0, |(gain, ..)| *gain) {
                best = Some((gain, a, b, one.clone()));
            }
        }
        let Some((_, a, b, one)) = best else { return Ok(buffers) };
        buffers.remove(b);
        buffers[a] = one;
    }
}

/// Puts the statements into buffers one by one, the largest first: each where the storage grows least.
fn inserted(mut apart: Vec<Buffer>, sizes: &[i64], engine: &mut OfClass) -> Result<Vec<Buffer>> {
    apart.sort_by_key(|buffer| std::cmp::Reverse(buffer.cells(sizes)));
    let mut buffers: Vec<Buffer> = Vec::new();
    for own in apart {
        let mut best: Option<(i128, usize, Buffer)> = None;
        for (place, buffer) in buffers.iter().enumerate().take(MOST_PLACES) {
            let Some(one) = engine(&both(buffer, &own))? else { continue };
            let growth = one.cells(sizes).saturating_sub(buffer.cells(sizes));
            if growth < best.as_ref().map_or(own.cells(sizes), |(growth, ..)| *growth) {
                best = Some((growth, place, one));
            }
        }
        match best {
            Some((_, place, one)) => buffers[place] = one,
            None => buffers.push(own),
        }
    }
    Ok(buffers)
}

/// The statements of two buffers.
fn both(one: &Buffer, other: &Buffer) -> Vec<usize> {
    let mut statements: Vec<usize> = one.members.iter().chain(&other.members).map(|member| member.statement).collect();
    statements.sort_unstable();
    statements
}

#[cfg(test)]
mod tests {
    use super::*;
    use polyfold_isl::Context;

    #[test]
    fn a_box_is_no_wider_than_the_differences_of_conflicts() {
        let pairs = "[N] -> { S[i, j, k] -> S[x, y, z] : 0 <= i <= x < N and x <= i + 2 and 0 <= j, y < N and k = z = 7
            and (i < x or j < y) }";
        let conflicts = ConflictSet::read(&Context::new(), "[N] -> { : N >= 4 }", pairs).unwrap();
        let found = box_of(&conflicts, 0).unwrap();
        let sizes: Vec<String> = found.moduli.iter().map(|modulus| modulus.text(conflicts.parameters())).collect();
        assert_eq!(sizes, ["3", "N"]);
        let allocation = crate::Allocation::of(vec![found]);
        assert!(crate::verify(&conflicts, allocation).unwrap().is_ok());
        let apart = separate_buffers(&conflicts, &[100]).unwrap().unwrap();
        assert!(apart[0].cells(&[100]) <= 300);
    }
}
