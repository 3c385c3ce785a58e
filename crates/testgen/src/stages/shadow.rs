//! A block with an array of its own that has the name of one outside.

use crate::array::{Region, Size};
use crate::draft::{Draft, counters};
use crate::text::{indent, line};

impl Draft {
    /// `{ T0[i] = ..; T3[i] = T0[i] ..; }` with another `T0` than around the block.
    pub(crate) fn shadowed(&mut self) {
        // A read of the inner array must not be taken for one of the outer: that has to be read already.
        let outer = self.changeable().filter(|outer| self.reads(&self.arrays[*outer]));
        let Some(outer) = outer else { return self.pointwise() };
        let array = self.arrays[outer].clone();
        let size = *self.random.pick(&[Size::N, Size::M]);
        let target = self.temporary(&[size], Region::Full);
        let nest = counters(&[size]);
        let all = self.sources.clone();
        self.sources.retain(|source| *source != outer);
        let (value, other) = (self.value(&nest), self.value(&nest));
        self.sources = all;
        let inner = format!("{}[i]", array.name);
        let read = self.combine(vec![inner.clone(), format!("({other})")], &nest);
        let to = self.arrays[target].name.clone();
        let mut body = line(format!("{} {}[{}];", array.element, array.name, self.size(size)));
        body.extend(self.any_order(&nest, Region::Full, line(format!("{inner} = {value};"))));
        body.extend(self.any_order(&nest, Region::Full, line(format!("{to}[i] = {read};"))));
        self.lines.push("{".into());
        self.lines.extend(indent(body));
        self.lines.push("}".into());
        self.sources.push(target);
    }
}
