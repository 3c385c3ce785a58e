//! A bound on work, in steps.

/// What may still be spent. A step is an edge, or an array, that is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

impl Budget {
    /// So many steps, for each part of the work: arrays to remove, then an order of the clusters.
    pub fn new(steps: u64) -> Budget {
        Budget { left: steps }
    }

    /// Whether nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }

    pub(crate) fn spend(&mut self, steps: usize) {
        self.left = self.left.saturating_sub(steps as u64);
    }

    /// A part of it, to be spent apart.
    pub(crate) fn share(&self, parts: u64) -> Budget {
        Budget { left: self.left / parts }
    }

    /// Work that may spend a part of what is left.
    pub(crate) fn with_share<T>(&mut self, parts: u64, work: impl FnOnce(&mut Budget) -> T) -> T {
        let given = self.share(parts);
        let mut share = given;
        let result = work(&mut share);
        self.left -= given.left - share.left;
        result
    }
}
