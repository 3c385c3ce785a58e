//! What a loop of a nest runs over: one of the nest's counters, or, where it is skewed, a sum of them.
//!
//! ```text
//! for (i …) for (j …) a[i][j] = …        in loops over i + j and j        [[1, 1], [0, 1]]
//! ```
//!
//! Invariant: the own counter has the factor 1 or −1. So the axes of a nest, one for each of its counters, make a unimodular matrix as long as only one
//! of them is skewed: each iteration has one place.

/// A sum of a statement's counters, which are numbered from the outermost loop on and go up with its dates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Axis {
    /// The counter whose place it takes.
    pub(crate) own: usize,
    /// Its factor.
    pub(crate) sign: i64,
    /// Others that are added, with their factors.
    pub(crate) others: Vec<(usize, i64)>,
}

impl Axis {
    /// Along one counter.
    pub(crate) fn along(own: usize) -> Axis {
        Axis { own, sign: 1, others: Vec::new() }
    }

    pub(crate) fn is_skewed(&self) -> bool {
        !self.others.is_empty()
    }

    /// Counters with their factors.
    pub(crate) fn terms(&self) -> impl Iterator<Item = (usize, i64)> + '_ {
        std::iter::once((self.own, self.sign)).chain(self.others.iter().copied())
    }

    /// In isl notation, of the dimensions of dates.
    pub(crate) fn of_dates(&self) -> String {
        sum(self.terms().map(|(own, factor)| (format!("d{}", 2 * own + 1), factor)))
    }
}

/// `i0 - 2 * i1`, in isl notation.
pub(crate) fn sum(terms: impl Iterator<Item = (String, i64)>) -> String {
    let term = |(name, factor): (String, i64)| match factor {
        1 => name,
        -1 => format!("-{name}"),
        factor => format!("({factor}) * {name}"),
    };
    terms.map(term).collect::<Vec<String>>().join(" + ")
}
