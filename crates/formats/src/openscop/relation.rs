//! Relations as rows of numbers.
//!
//! Columns are `e/i | output | input | local | parameters | 1`; a set has no input.

use crate::fault::Fault;
use crate::openscop::lines::Lines;
use crate::problem::Parameter;
use polyfold_isl::{Map, Polyhedron, Result, Set};

/// A relation of an OpenScop file: one part, or a union of several.
pub(crate) struct Relation {
    /// Line of the file, from 1.
    pub(crate) line: usize,
    pub(crate) kind: String,
    pub(crate) parts: Vec<Part>,
}

/// A convex part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    pub(crate) output: usize,
    pub(crate) input: usize,
    pub(crate) local: usize,
    pub(crate) parameters: usize,
    /// With all columns.
    pub(crate) rows: Vec<Vec<i64>>,
}

/// Past these a file is no program.
const MOST_COLUMNS: i64 = 1000;
const MOST_ROWS: i64 = 100_000;

impl Part {
    fn columns(&self) -> usize {
        2 + self.output + self.input + self.local + self.parameters
    }

    /// The parts of a set, whose coordinates are the output.
    pub(crate) fn of_set(set: &Set, parameters: &[Parameter]) -> Result<Vec<Part>> {
        let dimensions = set.dimensions()?;
        parts(set, (0, dimensions), parameters)
    }

    /// The parts of a relation.
    pub(crate) fn of_map(map: &Map, parameters: &[Parameter]) -> Result<Vec<Part>> {
        parts(&map.wrap()?, map.dimensions()?, parameters)
    }

    /// The same of an access, with the number of its array as first output.
    pub(crate) fn with_array(mut self, number: usize) -> Part {
        for row in &mut self.rows {
            row.insert(1, 0);
        }
        self.output += 1;
        let mut row = vec![0; self.columns()];
        row[1] = -1;
        *row.last_mut().unwrap_or(&mut 0) = number as i64;
        self.rows.insert(0, row);
        self
    }

    /// The number of the array of an access, and the rest of it.
    pub(crate) fn without_array(mut self) -> Option<(i64, Part)> {
        let last = self.columns() - 1;
        let is_number = |row: &Vec<i64>| {
            row[0] == 0 && row[1].abs() == 1 && row[2..last].iter().all(|coefficient| *coefficient == 0)
        };
        if self.output == 0 {
            return None;
        }
        let at = self.rows.iter().position(is_number)?;
        let row = self.rows.remove(at);
        if self.rows.iter().any(|row| row[1] != 0) {
            return None;
        }
        for row in &mut self.rows {
            row.remove(1);
        }
        self.output -= 1;
        Some((if row[1] < 0 { row[last] } else { row[last].checked_neg()? }, self))
    }

    /// As isl notation: what holds of coordinates with these names.
    pub(crate) fn condition(&self, output: &[String], input: &[String], parameters: &[Parameter]) -> String {
        let local: Vec<String> = (0..self.local).map(|k| format!("local{k}_")).collect();
        let names: Vec<&str> = (output.iter().chain(input).chain(&local).map(String::as_str))
            .chain(parameters.iter().map(|p| p.isl.as_str()))
            .collect();
        let rows: Vec<String> = self.rows.iter().map(|row| constraint(row, &names)).collect();
        let all = if rows.is_empty() { "true".to_string() } else { rows.join(" and ") };
        if local.is_empty() { all } else { format!("exists ({} : {all})", local.join(", ")) }
    }

    /// Lines of the file.
    fn text(&self) -> String {
        let head = [self.rows.len(), self.columns(), self.output, self.input, self.local, self.parameters];
        let line = |numbers: &mut dyn Iterator<Item = String>| numbers.collect::<Vec<_>>().join(" ") + "\n";
        let mut out = line(&mut head.iter().map(usize::to_string));
        for row in &self.rows {
            out += &line(&mut row.iter().map(i64::to_string));
        }
        out
    }
}

fn constraint(row: &[i64], names: &[&str]) -> String {
    let mut sum = row.last().copied().unwrap_or(0).to_string();
    for (coefficient, name) in row[1..].iter().zip(names) {
        if *coefficient != 0 {
            let sign = if *coefficient < 0 { '-' } else { '+' };
            sum += &format!(" {sign} {}{name}", coefficient.unsigned_abs());
        }
    }
    format!("{sum} {} 0", if row[0] == 0 { "=" } else { ">=" })
}

/// A relation with its name, and all its parts.
pub(crate) fn text(kind: &str, parts: &[Part]) -> String {
    let count = if parts.len() == 1 { String::new() } else { format!("{}\n", parts.len()) };
    format!("{kind}\n{count}{}", parts.iter().map(Part::text).collect::<String>())
}

fn parts(set: &Set, (input, output): (usize, usize), parameters: &[Parameter]) -> Result<Vec<Part>> {
    let known = set.parameter_names()?;
    let place = |p: &Parameter| known.iter().position(|name| *name == p.isl);
    let places: Vec<Option<usize>> = parameters.iter().map(place).collect();
    let part = |polyhedron: Polyhedron| {
        // isl's row: constant, input, output, local, parameters.
        let row = |kind: i64, row: &Vec<i64>| {
            let (outputs, locals) = (1 + input, 1 + input + output);
            let values = places.iter().map(|place| place.map_or(0, |k| row[locals + polyhedron.locals + k]));
            let coordinates = row[outputs..locals].iter().chain(&row[1..outputs]);
            let numbers = coordinates.chain(&row[locals..locals + polyhedron.locals]).copied();
            [kind].into_iter().chain(numbers).chain(values).chain([row[0]]).collect()
        };
        let zero = polyhedron.equalities.iter().map(|r| row(0, r));
        let rows = zero.chain(polyhedron.inequalities.iter().map(|r| row(1, r))).collect();
        Part { output, input, local: polyhedron.locals, parameters: parameters.len(), rows }
    };
    Ok(set.polyhedra()?.into_iter().map(part).collect())
}

/// Reads a relation, from its name on.
pub(crate) fn read(lines: &mut Lines, parameters: Option<usize>) -> std::result::Result<Relation, Fault> {
    let (line, kind) = lines.word("the name of a relation, such as DOMAIN")?;
    if !["CONTEXT", "DOMAIN", "SCATTERING", "READ", "WRITE", "MAY_WRITE"].contains(&kind) {
        let help = "relations are CONTEXT, DOMAIN, SCATTERING, READ, WRITE and MAY_WRITE";
        return Err(Fault::at(line, format!("there is no relation `{kind}`"), help));
    }
    let kind = kind.to_string();
    let count =
        if lines.has_one_number() { lines.number("the number of parts of a union", 0..=MOST_ROWS)?.1 } else { 1 };
    let parts = (0..count).map(|_| part(lines, parameters)).collect::<std::result::Result<Vec<_>, _>>()?;
    let shape = |part: &Part| (part.output, part.input);
    if parts.windows(2).any(|pair| shape(&pair[0]) != shape(&pair[1])) {
        return Err(Fault::at(line, "parts of a union have different dimensions", "give them the same ones"));
    }
    Ok(Relation { line, kind, parts })
}

fn part(lines: &mut Lines, wanted: Option<usize>) -> std::result::Result<Part, Fault> {
    let (line, rows) = lines.number("the number of rows", 0..=MOST_ROWS)?;
    let mut size = |what: &str| lines.number(what, 0..=MOST_COLUMNS).map(|(_, number)| number as usize);
    let columns = size("the number of columns")?;
    let part = Part {
        output: size("the number of output dimensions")?,
        input: size("the number of input dimensions")?,
        local: size("the number of local dimensions")?,
        parameters: size("the number of parameters")?,
        rows: Vec::new(),
    };
    if columns != part.columns() {
        let message = format!("{columns} columns, where dimensions and parameters make {}", part.columns());
        return Err(Fault::at(line, message, "columns are e/i, output, input, local, parameters, and the constant"));
    }
    if wanted.is_some_and(|wanted| wanted != part.parameters) {
        let message = format!("{} parameters, where the context has {}", part.parameters, wanted.unwrap_or(0));
        return Err(Fault::at(line, message, "give all relations the same parameters"));
    }
    let mut all = Vec::new();
    for _ in 0..rows {
        let kind = lines.number("0 (equality) or 1 (inequality)", 0..=1)?.1;
        let mut row = vec![kind];
        for _ in 1..columns {
            row.push(lines.number("a coefficient", i64::MIN..=i64::MAX)?.1);
        }
        all.push(row);
    }
    Ok(Part { rows: all, ..part })
}
