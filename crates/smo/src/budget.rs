//! A bound on searches that isl's steps do not count.
//!
//! An engine searches for one class of statements after the other, and for one level after the other. Each of these searches is
//! bounded, and so are all of them together: past the second bound each ends with the first thing that it finds.

/// So many full searches are done for one conflict set.
const SEARCHES: u64 = 5;

/// What the searches of one engine for one conflict set may still spend.
pub(crate) struct Budget {
    each: u64,
    left: u64,
}

impl Budget {
    /// With a bound on each search.
    pub(crate) fn new(each: u64) -> Budget {
        Budget { each, left: SEARCHES * each }
    }

    /// What the next search may spend.
    pub(crate) fn next(&self) -> u64 {
        self.each.min(self.left)
    }

    /// A search has spent this.
    pub(crate) fn spend(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
    }
}
