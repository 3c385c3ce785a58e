//! Time loops: two arrays in turn, or one array with time as a dimension, whole or modulo 2.

use crate::array::{Region, Size};
use crate::draft::{Draft, cell, counters, interior};
use crate::options::Feature;
use crate::text::line;

/// How many steps; there is always at least one.
const STEPS: [Size; 3] = [Size::M, Size::Constant(2), Size::Constant(3)];

impl Draft {
    fn space(&mut self) -> Vec<Size> {
        let mut shape = self.shape();
        shape.truncate(2);
        shape
    }

    /// `P` from the neighbours in `Q`, then `Q` from `P`.
    pub(crate) fn ping_pong(&mut self) {
        let shape = self.space();
        let steps = *self.random.pick(&STEPS);
        let everywhere = self.random.percent(40) || !self.options.features.contains(&Feature::Offsets);
        let [p, q] = [0, 1].map(|_| self.temporary(&shape, Region::Full));
        self.fill(q);
        let nest = if everywhere { counters(&shape) } else { interior(&shape, 1) };
        let [to, back] = [p, q].map(|a| cell(&self.arrays[a], &nest));
        let terms = [0, 1, 2].map(|_| {
            let read = self.read(q, &[], &nest);
            self.term(read)
        });
        let value = self.combine(terms.to_vec(), &nest);
        let copy = self.random.percent(60);
        let again = if copy { to.clone() } else { self.combine(vec![to.clone()], &nest) };
        let mut body = self.any_order(&nest, Region::Full, line(format!("{to} = {value};")));
        body.extend(self.any_order(&nest, Region::Full, line(format!("{back} = {again};"))));
        let end = self.size(steps);
        let lines = self.for_loop("t", "0", &format!("t < {end}"), "++", body);
        self.lines.extend(lines);
        self.sources.push(q);
        if everywhere {
            self.sources.push(p);
        }
    }

    /// `A[t + 1]` from `A[t]`.
    pub(crate) fn time_indexed(&mut self) {
        let (steps, extent) = *self.random.pick(&[(Size::M, Size::MorePerM), (Size::Constant(3), Size::Constant(4))]);
        self.time_loop(steps, extent, ["t".into(), "t + 1".into()]);
    }

    /// `A[(t + 1) % 2]` from `A[t % 2]`.
    pub(crate) fn time_modulo(&mut self) {
        let steps = *self.random.pick(&STEPS);
        self.time_loop(steps, Size::Constant(2), ["t % 2".into(), "(t + 1) % 2".into()]);
    }

    fn time_loop(&mut self, steps: Size, extent: Size, [now, next]: [String; 2]) {
        let space = self.space();
        let extents: Vec<Size> = [extent].into_iter().chain(space.iter().copied()).collect();
        let target = self.temporary(&extents, Region::Full);
        let name = self.arrays[target].name.clone();
        let nest = counters(&space);
        let at = |time: &str| nest.iter().fold(format!("{name}[{time}]"), |text, c| format!("{text}[{}]", c.name));
        let first = self.value(&nest);
        let start = self.any_order(&nest, Region::Full, line(format!("{} = {first};", at("0"))));
        let terms = [0, 1, 2].map(|_| {
            let read = self.read(target, std::slice::from_ref(&now), &nest);
            self.term(read)
        });
        let value = self.combine(terms.to_vec(), &nest);
        let step = self.any_order(&nest, Region::Full, line(format!("{} = {value};", at(&next))));
        let end = self.size(steps);
        let time = self.for_loop("t", "0", &format!("t < {end}"), "++", step);
        self.lines.extend(start.into_iter().chain(time));
        self.sources.push(target);
    }
}
