//! A new array, each cell computed from others.

use crate::array::{Region, Size};
use crate::draft::{Draft, cell, counters, interior};
use crate::options::Feature;
use crate::text::{choice, line};

impl Draft {
    pub(crate) fn pointwise(&mut self) {
        let shape = self.shape();
        let triangular = *self.random.pick(&[Region::Full, Region::Full, Region::Lower, Region::Upper]);
        let square = shape[..] == [Size::N, Size::N];
        let region =
            if square && self.options.features.contains(&Feature::Triangles) { triangular } else { Region::Full };
        let target = self.temporary(&shape, region);
        self.fill(target);
        self.sources.push(target);
    }

    /// Writes every cell of an array once.
    pub(crate) fn fill(&mut self, target: usize) {
        let array = self.arrays[target].clone();
        let nest = counters(&array.extents);
        let to = cell(&array, &nest);
        let (first, second) = (self.read_any(&nest), self.value(&nest));
        let body = if first.conditions.is_empty() || !self.chance(Feature::Guards, 60) {
            let term = self.term(first);
            let value = self.combine(vec![term, format!("({second})")], &nest);
            line(format!("{to} = {value};"))
        } else {
            let value = self.combine(vec![first.text], &nest);
            choice(&first.conditions.join(" && "), line(format!("{to} = {value};")), line(format!("{to} = {second};")))
        };
        let lines = self.any_order(&nest, array.region, body);
        let parallel = self.random.percent(20) && !self.features.contains(&Feature::DeclaredIterators);
        if parallel && self.allow(Feature::Parallel) {
            self.lines.push("#pragma omp parallel for".into());
        }
        self.lines.extend(lines);
    }

    /// Two arrays in one nest, the second from the first.
    pub(crate) fn two_at_once(&mut self) {
        let shape = self.shape();
        let targets = [self.temporary(&shape, Region::Full), self.temporary(&shape, Region::Full)];
        let nest = counters(&shape);
        let [to, then] = targets.map(|t| cell(&self.arrays[t], &nest));
        let first = self.value(&nest);
        let more = self.read_any(&nest);
        let more = self.term(more);
        let second = self.combine(vec![to.clone(), more], &nest);
        let mut body = line(format!("{to} = {first};"));
        body.push(format!("{then} = {second};"));
        let lines = self.any_order(&nest, Region::Full, body);
        self.lines.extend(lines);
        self.sources.extend(targets);
    }

    /// One nest writes all cells, a second one the interior again.
    pub(crate) fn border_and_interior(&mut self) {
        let shape = self.shape();
        let target = self.temporary(&shape, Region::Full);
        self.fill(target);
        let margin = self.random.between(1, 2);
        let nest = interior(&shape, margin);
        let value = self.value(&nest);
        let to = cell(&self.arrays[target], &nest);
        let compound = self.chance(Feature::Compound, 40);
        let lines =
            self.any_order(&nest, Region::Full, line(format!("{to} {}= {value};", if compound { "+" } else { "" })));
        self.lines.extend(lines);
        self.sources.push(target);
    }
}
