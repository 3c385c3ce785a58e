//! Reads that stay in bounds and in the defined region, and values made of them.

use crate::array::{Region, Size};
use crate::draft::{Counter, Draft};
use crate::options::Feature;
use crate::text::{Lines, line, plus};

/// A reference, and when it is allowed.
#[derive(Clone, Debug)]
pub(crate) struct Read {
    pub(crate) text: String,
    pub(crate) conditions: Vec<String>,
}

struct Subscript {
    text: String,
    conditions: Vec<String>,
}

impl Draft {
    /// Reads some array somewhere near the counters.
    pub(crate) fn read_any(&mut self, counters: &[Counter]) -> Read {
        let array = self.source();
        self.read(array, &[], counters)
    }

    /// Reads `array` with the given leading subscripts and others near the counters.
    pub(crate) fn read(&mut self, array: usize, leading: &[String], counters: &[Counter]) -> Read {
        let source = self.arrays[array].clone();
        let transposed = self.random.percent(15) && source.extents.len() > 1 && self.allow(Feature::Transposed);
        let mut free: Vec<Counter> = counters.to_vec();
        if transposed {
            free.reverse();
        }
        let mut conditions = Vec::new();
        let mut subscripts = leading.to_vec();
        for size in &source.extents[leading.len()..] {
            let subscript = self.subscript(*size, &mut free, counters);
            conditions.extend(subscript.conditions);
            subscripts.push(subscript.text);
        }
        if subscripts.len() >= 2 && subscripts[0] != subscripts[1] {
            match source.region {
                Region::Full => {}
                Region::Lower => conditions.push(format!("{} <= {}", subscripts[1], subscripts[0])),
                Region::Upper => conditions.push(format!("{} >= {}", subscripts[1], subscripts[0])),
            }
        }
        let text = subscripts.iter().fold(source.name.clone(), |text, s| format!("{text}[{s}]"));
        let safe = Read { text: subscripts.iter().fold(source.name, |text, _| text + "[0]"), conditions: vec![] };
        if conditions.is_empty() || self.allow(Feature::Ternaries) { Read { text, conditions } } else { safe }
    }

    fn subscript(&mut self, size: Size, free: &mut Vec<Counter>, all: &[Counter]) -> Subscript {
        let kind = self.random.below(20);
        let offset = *self.random.pick(&[-2, -1, -1, 1, 1, 2]);
        let other = self.random.below(all.len().max(1));
        let at = free.iter().position(|c| c.size == size).or(if free.is_empty() { None } else { Some(0) });
        let Some(at) = at else { return Subscript { text: "0".into(), conditions: vec![] } };
        let counter = free.remove(at);
        let end = self.size(size);
        match kind {
            0..=5 if self.allow(Feature::Offsets) => self.near(counter, offset, size),
            6 | 7 if counter.size == size && self.allow(Feature::Clamps) => clamped(counter, offset, &end),
            8 if self.allow(Feature::Division) => {
                self.within(format!("{} / {}", counter.name, offset.abs() + 1), counter, size)
            }
            9 if self.allow(Feature::Division) => remainder(counter, offset.abs() + 1, size),
            10 if all[other].name != counter.name && self.allow(Feature::Skewed) => {
                let text = plus(&format!("{} - {}", counter.name, all[other].name), offset);
                Subscript { conditions: vec![format!("{text} >= 0"), format!("{text} < {end}")], text }
            }
            _ => self.near(counter, 0, size),
        }
    }

    /// `i + offset`.
    fn near(&mut self, counter: Counter, offset: i64, size: Size) -> Subscript {
        let text = plus(counter.name, offset);
        let mut conditions = Vec::new();
        if counter.low + offset < 0 {
            conditions.push(format!("{text} >= 0"));
        }
        if counter.size != size || offset > counter.high {
            conditions.push(format!("{text} < {}", self.size(size)));
        }
        Subscript { text, conditions }
    }

    /// An expression between 0 and the counter.
    fn within(&mut self, text: String, counter: Counter, size: Size) -> Subscript {
        let conditions = if counter.size == size { vec![] } else { vec![format!("{text} < {}", self.size(size))] };
        Subscript { text, conditions }
    }

    /// A reference as a term of a value, guarded by a ternary where it must be.
    pub(crate) fn term(&self, read: Read) -> String {
        if read.conditions.is_empty() {
            return read.text;
        }
        format!("({} ? {} : {})", read.conditions.join(" && "), read.text, self.literal(1))
    }

    /// A value made of up to three reads.
    pub(crate) fn value(&mut self, counters: &[Counter]) -> String {
        let count = 1 + self.random.below(3);
        let terms = (0..count)
            .map(|_| {
                let read = self.read_any(counters);
                self.term(read)
            })
            .collect();
        self.combine(terms, counters)
    }

    /// A statement that adds to a cell.
    pub(crate) fn add_to(&mut self, cell: &str, value: &str) -> Lines {
        if self.allow(Feature::Compound) {
            line(format!("{cell} += {value};"))
        } else {
            line(format!("{cell} = {cell} + ({value});"))
        }
    }

    /// A value made of the given terms; floating ones stay small.
    pub(crate) fn combine(&mut self, terms: Vec<String>, counters: &[Counter]) -> String {
        let mut value = String::new();
        for term in terms {
            let way = self.random.below(4);
            value = match (value.as_str(), self.element) {
                ("", "unsigned") => format!("{}u * {term}", 2 * way + 3),
                ("", "float") => format!("0.5f * {term}"),
                ("", _) => format!("0.5 * {term}"),
                (v, "unsigned") => match way {
                    0 => format!("{v} + {term}"),
                    1 => format!("({v}) - {term}"),
                    2 => format!("(({v}) ^ {term})"),
                    _ => format!("{v} + 3u * {term}"),
                },
                (v, "float") => format!("{v} + 0.25f * {term}"),
                (v, _) => format!("{v} + 0.25 * {term}"),
            };
        }
        let counter = self.random.below(counters.len().max(1));
        let with_counter = self.random.percent(30);
        match counters.get(counter) {
            Some(counter) if with_counter && self.element == "unsigned" => {
                format!("{value} + (unsigned){}", counter.name)
            }
            _ => value,
        }
    }
}

/// `MIN` or `MAX` of the counter's neighbour and the end of the array.
fn clamped(counter: Counter, offset: i64, end: &str) -> Subscript {
    let text = plus(counter.name, offset);
    let text = if offset > 0 { format!("MIN({text}, {end} - 1)") } else { format!("MAX({text}, 0)") };
    Subscript { text, conditions: vec![] }
}

/// `i % divisor`, which is in bounds if `i` is, or if the extent is a large enough literal.
fn remainder(counter: Counter, divisor: i64, size: Size) -> Subscript {
    let fits = counter.size == size || matches!(size, Size::Constant(c) if c >= divisor);
    let text = if fits { format!("{} % {divisor}", counter.name) } else { "0".into() };
    Subscript { text, conditions: vec![] }
}
