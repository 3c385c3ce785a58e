//! Why arrays cannot be removed together: a cycle (§2.3.1, Proposition 1).
//!
//! ```text
//! p -/-> q -> … = … -> p       -/-> prevents fusion,  -> is any edge,  = is an edge of a removed array, walked backwards
//! ```
//!
//! Everything on such a cycle would be one cluster, with p and q inside. A walk through the two kinds of edges is found by 0-1
//! breadth-first search, where edges of removed arrays cost 1: at least one array on the cycle has to stay, and a cycle with few
//! says more.
//!
//! Deviation: the exploration in Figure 7 ends a cycle wherever it looks at v, without asking for an edge to v, so that the chain
//! L1 -> L2 -/-> L3 has one with no array that could stay. Here a cycle is made of edges.

/// How a step of a cycle goes along its edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From its start to its end.
    Dependence,
    /// From the reader of a removed array to its producer.
    Fused,
}

/// A step of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// The edge, by number.
    pub edge: usize,
    /// How it is walked.
    pub way: Way,
}
