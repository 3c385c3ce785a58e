//! Sizes many times those that cells are counted at.
//!
//! Storage is compared at examples, if the user gives no sizes. Which of two is smaller may be
//! otherwise at other sizes. A circular buffer of 4 410 cells is no smaller than an array of n where n
//! is counted at 4 400, but n is longer. So what holds more cells at scaled sizes isn't taken for what
//! holds fewer at the examples.
//!
//! Invariant: sizes that a macro gives stay. Those that the user gives stay, too, but where all are
//! asked for.

use crate::search::StorageSearch;
use crate::sizes::{borrow, declared_cells};
use polyfold_alloc::Mapping;
use polyfold_scop::ArrayId;

/// So many times the examples.
const TIMES: i64 = 16;

impl StorageSearch<'_> {
    /// The sizes counted at, examples many times as large.
    pub(crate) fn scaled_sizes(&self) -> Vec<(String, i64)> {
        self.many_times(|name| self.options.sizes.iter().all(|(given, _)| given != name))
    }

    /// All sizes that are no numbers many times as large, those that the user gave, too.
    pub(crate) fn all_scaled_sizes(&self) -> Vec<(String, i64)> {
        self.many_times(|_| true)
    }

    /// The sizes counted at, of which some are larger unless they are numbers.
    fn many_times(&self, grows: impl Fn(&str) -> bool) -> Vec<(String, i64)> {
        let parameters = &self.model.scop.parameters;
        let larger = |(k, (name, size)): (usize, &(String, i64))| {
            let is_larger = parameters[k].constant().is_none() && grows(name);
            (name.clone(), if is_larger { size.saturating_mul(TIMES) } else { *size })
        };
        self.sizes.iter().enumerate().map(larger).collect()
    }

    /// Whether a mapping has no more cells than there is slack for at these sizes, too.
    pub(crate) fn has_slack_when_scaled(&self, mapping: &Mapping, least: &Mapping) -> bool {
        let sizes = self.scaled_sizes();
        self.has_slack(mapping.cells(&borrow(&sizes)).ok().flatten(), least, &sizes)
    }

    /// The same of an array as it is declared.
    pub(crate) fn may_be_as_declared_when_scaled(&self, id: ArrayId, least: &Mapping) -> bool {
        let sizes = self.scaled_sizes();
        self.has_slack(declared_cells(self.model.scop, id, &sizes), least, &sizes)
    }

    fn has_slack(&self, cells: Option<u64>, least: &Mapping, sizes: &[(String, i64)]) -> bool {
        let least = least.cells(&borrow(sizes)).ok().flatten();
        cells.zip(least).is_none_or(|(cells, least)| cells <= self.options.slack.most_of_plain(least))
    }
}
