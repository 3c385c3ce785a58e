//! Loop nests that visit every point of a box or triangle once, in one of many ways.

use crate::array::Region;
use crate::draft::{Counter, Draft};
use crate::options::Feature;
use crate::text::{Lines, block, plus};

impl Draft {
    /// Visits all points in any order: the body must not care.
    pub(crate) fn any_order(&mut self, counters: &[Counter], region: Region, body: Lines) -> Lines {
        if region != Region::Full {
            return self.triangle(counters, region, body);
        }
        let mut order = counters.to_vec();
        let interchange = self.random.percent(20);
        if order.len() > 1 && interchange && self.allow(Feature::Interchanged) {
            order.reverse();
        }
        order.iter().rev().fold(body, |lines, counter| self.any_direction(*counter, lines))
    }

    /// Visits all points in the order of their coordinates.
    pub(crate) fn in_order(&mut self, counters: &[Counter], body: Lines) -> Lines {
        counters.iter().rev().fold(body, |lines, counter| self.up(*counter, lines))
    }

    /// Visits all points in the reverse order of their coordinates.
    pub(crate) fn in_reverse(&mut self, counters: &[Counter], body: Lines) -> Lines {
        counters.iter().rev().fold(body, |lines, counter| self.down(*counter, 0, 1, lines))
    }

    pub(crate) fn up(&mut self, counter: Counter, body: Lines) -> Lines {
        let end = self.end(counter);
        self.for_loop(counter.name, &counter.low.to_string(), &format!("{} < {end}", counter.name), "++", body)
    }

    fn any_direction(&mut self, counter: Counter, body: Lines) -> Lines {
        let way = self.random.below(12);
        match way {
            0 | 1 if self.allow(Feature::Reversed) => self.down(counter, 0, 1, body),
            2 if self.allow(Feature::Steps) => (0..2).flat_map(|r| self.strided(counter, r, 2, body.clone())).collect(),
            3 if self.allow(Feature::Steps) => (0..3).flat_map(|r| self.strided(counter, r, 3, body.clone())).collect(),
            4 if self.allow(Feature::Steps) && self.allow(Feature::Reversed) => {
                (0..2).flat_map(|r| self.down(counter, r, 2, body.clone())).collect()
            }
            5 if self.allow(Feature::Tiled) => self.tiled(counter, body),
            _ => self.up(counter, body),
        }
    }

    fn strided(&mut self, counter: Counter, remainder: i64, step: i64, body: Lines) -> Lines {
        let (name, end) = (counter.name, self.end(counter));
        let first = (counter.low + remainder).to_string();
        self.for_loop(name, &first, &format!("{name} < {end}"), &format!(" += {step}"), body)
    }

    fn down(&mut self, counter: Counter, skipped: i64, step: i64, body: Lines) -> Lines {
        let name = counter.name;
        let first = plus(&self.size(counter.size), -counter.high - 1 - skipped);
        let advance = if step == 1 { "--".into() } else { format!(" -= {step}") };
        self.for_loop(name, &first, &format!("{name} >= {}", counter.low), &advance, body)
    }

    fn tiled(&mut self, counter: Counter, body: Lines) -> Lines {
        let (name, end) = (counter.name, self.end(counter));
        let tile = match name {
            "i" => "ii",
            "j" => "jj",
            "k" => "kk",
            _ => "ll",
        };
        let inside = self.for_loop(name, tile, &format!("{name} < MIN({tile} + 4, {end})"), "++", body);
        self.for_loop(tile, &counter.low.to_string(), &format!("{tile} < {end}"), " += 4", inside)
    }

    /// The first two counters run over a triangle.
    fn triangle(&mut self, counters: &[Counter], region: Region, body: Lines) -> Lines {
        self.features.insert(Feature::Triangles);
        let (outer, inner) = (counters[0].name, counters[1].name);
        let end = self.end(counters[0]);
        let by_columns = self.random.percent(30);
        let down = self.random.percent(30) && self.allow(Feature::Reversed);
        let body = counters[2..].iter().rev().fold(body, |lines, counter| self.up(*counter, lines));
        let by_columns = by_columns && self.allow(Feature::Interchanged);
        let (first, second) = if by_columns { (inner, outer) } else { (outer, inner) };
        let rising = (region == Region::Lower) != by_columns;
        let lines = if rising {
            self.for_loop(second, "0", &format!("{second} <= {first}"), "++", body)
        } else {
            self.for_loop(second, first, &format!("{second} < {end}"), "++", body)
        };
        if down {
            self.for_loop(first, &format!("{end} - 1"), &format!("{first} >= 0"), "--", lines)
        } else {
            self.for_loop(first, "0", &format!("{first} < {end}"), "++", lines)
        }
    }

    pub(crate) fn for_loop(
        &mut self,
        name: &'static str,
        first: &str,
        condition: &str,
        advance: &str,
        body: Lines,
    ) -> Lines {
        self.counters.insert(name);
        let int = if self.features.contains(&Feature::DeclaredIterators) { "" } else { "int " };
        block(format!("for ({int}{name} = {first}; {condition}; {name}{advance})"), body)
    }

    fn end(&self, counter: Counter) -> String {
        plus(&self.size(counter.size), -counter.high)
    }
}
