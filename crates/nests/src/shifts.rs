//! By how many iterations the members of a fused loop run behind, so that the values between them live shortly.
//!
//! ```text
//! min Σ weight_a · W_a     subject to   r_v − r_u >= −least δ            for every dependence u -> v
//!                                       W_a >= r_v − r_u + most δ        for those by which v reads array a from u
//! ```
//!
//! A system of difference constraints (totally unimodular), whose optimum is integral. Example: v reads `b[j-1]` and `b[j+1]` of u's
//! `b[j]`: δ is from −1 to 1, so r_v − r_u = 1, and W = 2 iterations pass between the first and the last use.
//!
//! Paper: ISSS 2001 leaves shifting to future work; the linear program is that of retiming (Leiserson and Saxe 1991).

use crate::level::FURTHEST;
use polyfold_isl::{Context, Result, Set};

/// A dependence between two members, in the loop's own counter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    pub(crate) from: usize,
    pub(crate) to: usize,
    /// The smallest δ.
    pub(crate) least: i64,
    /// Of values that are to die early: whose they are, and the largest δ, if there is one.
    pub(crate) values: Option<(usize, Option<i64>)>,
}

/// r by member, the smallest 0; `weights` are by array. Of equally good numbers those are taken with which `late` members run late: what
/// happens once mostly copies what is alive anyway.
pub(crate) fn shifts(
    ctx: &Context,
    members: usize,
    late: &[usize],
    edges: &[Edge],
    weights: &[u64],
) -> Result<Vec<i64>> {
    let r = |member: usize| format!("r{member}");
    let most = (FURTHEST + 1) * members as i64;
    let mut constraints: Vec<String> = (0..members).map(|member| format!("0 <= {} <= {most}", r(member))).collect();
    for edge in edges {
        let (from, to) = (r(edge.from), r(edge.to));
        constraints.push(format!("{to} - {from} >= {}", -edge.least));
        if let Some((array, Some(most))) = edge.values {
            constraints.push(format!("w{array} >= {to} - {from} + {most}"));
        }
    }
    let used: Vec<usize> = (0..weights.len())
        .filter(|a| edges.iter().any(|e| e.values.is_some_and(|(of, most)| of == *a && most.is_some())))
        .collect();
    constraints.extend(used.iter().map(|array| format!("w{array} >= 0")));
    let cost: String = used.iter().map(|array| format!(" + {} w{array}", weights[*array])).collect();
    let variables =
        (0..members).map(r).chain(used.iter().map(|array| format!("w{array}"))).collect::<Vec<_>>().join(", ");
    let early: String = late.iter().map(|member| format!(" - {}", r(*member))).collect();
    let goals = format!("cost = 0{cost} and early = 0{early}");
    let text = format!("{{ [cost, early, {variables}] : {goals} and {} }}", constraints.join(" and "));
    let best = Set::read(ctx, &text)?.lexmin()?.sample()?;
    let shifts = best.map_or_else(|| vec![0; members], |(_, point)| point[2..2 + members].to_vec());
    let first = shifts.iter().min().copied().unwrap_or(0);
    Ok(shifts.iter().map(|shift| shift - first).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(from: usize, to: usize, least: i64, most: i64) -> Edge {
        Edge { from, to, least, values: Some((from, Some(most))) }
    }

    #[test]
    fn readers_run_as_far_behind_as_they_look_ahead() {
        let ctx = Context::new();
        assert_eq!(shifts(&ctx, 2, &[], &[read(0, 1, -1, 1)], &[1, 1]).unwrap(), [0, 1]);
    }

    /// 0 -> 1 -> 3 takes four iterations; 2 is read by 3 only, and waits for it.
    #[test]
    fn producers_wait_for_their_readers() {
        let ctx = Context::new();
        let edges = [read(0, 1, -2, 2), read(1, 3, -2, 2), read(2, 3, 0, 0)];
        assert_eq!(shifts(&ctx, 4, &[], &edges, &[1, 1, 1, 1]).unwrap(), [0, 2, 4, 4]);
    }

    /// 1 may run with 0, or with 2, one iteration behind.
    #[test]
    fn what_may_run_late_does() {
        let ctx = Context::new();
        let edges = [read(0, 1, 0, 0), read(1, 2, 0, 0), read(0, 2, -1, 0)];
        assert_eq!(shifts(&ctx, 3, &[], &edges, &[1, 0, 0]).unwrap(), [0, 0, 1]);
        assert_eq!(shifts(&ctx, 3, &[1], &edges, &[1, 0, 0]).unwrap(), [0, 1, 1]);
    }
}
