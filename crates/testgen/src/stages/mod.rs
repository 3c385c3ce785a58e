//! The stages a program is made of; each leaves the arrays that it adds to the sources defined everywhere.

mod data;
mod in_place;
mod lag;
mod linear;
mod pointwise;
mod reduction;
mod resample;
mod rows;
mod shadow;
mod table;
mod time;
mod wrapped;

use crate::draft::Draft;
use crate::options::Feature;

type Stage = fn(&mut Draft);

/// Every stage with its weight and what it needs; without that, it is [`Draft::pointwise`].
const STAGES: &[(usize, Option<Feature>, Stage)] = &[
    (6, None, Draft::pointwise),
    (2, Some(Feature::ManyStatements), Draft::two_at_once),
    (3, Some(Feature::ManyStatements), Draft::row_by_row),
    (2, Some(Feature::ManyWriters), Draft::border_and_interior),
    (2, Some(Feature::InPlace), Draft::in_place),
    (2, Some(Feature::Recurrences), Draft::scan),
    (2, Some(Feature::Accumulators), Draft::accumulate),
    (2, Some(Feature::Reductions), Draft::reduction),
    (1, Some(Feature::Windows), Draft::window),
    (2, Some(Feature::Tables), Draft::prefix_table),
    (2, Some(Feature::Tables), Draft::interval_table),
    (2, Some(Feature::PingPong), Draft::ping_pong),
    (2, Some(Feature::TimeIndexed), Draft::time_indexed),
    (2, Some(Feature::TimeModulo), Draft::time_modulo),
    (3, Some(Feature::Lags), Draft::lag),
    (2, Some(Feature::DataDependent), Draft::data_dependent),
    (1, Some(Feature::Gathers), Draft::gather),
    (1, Some(Feature::Gathers), Draft::scatter),
    (2, Some(Feature::Linearised), Draft::linearised),
    (1, Some(Feature::Division), Draft::resample),
    (1, Some(Feature::Shadowed), Draft::shadowed),
];

impl Draft {
    /// Adds one stage of any kind.
    pub(crate) fn stage(&mut self) {
        let mut draw = self.random.below(STAGES.iter().map(|(weight, ..)| weight).sum());
        for (weight, feature, stage) in STAGES {
            if draw < *weight {
                let allowed = feature.is_none_or(|f| self.allow(f));
                return if allowed { stage(self) } else { self.pointwise() };
            }
            draw -= weight;
        }
    }
}
