//! A piece of a program as sets and relations.
//!
//! ```text
//! domain    { S[i, j] : … }             dates   { S[i, j] -> [0, i, 0, j] }
//! accesses  { S[i, j] -> A[i, j - 1] }  body    A[i][j] = f(A[i][j - 1]);
//! ```
//!
//! Dates and accesses may say something of points outside the domain, which means nothing. Names in sets are in isl notation, those in
//! bodies and declarations are C's; [`isl_name`](polyfold_flow::isl_name) leads from one to the other.
//!
//! Invariants: every set has the parameters of the problem or fewer; tuples of statements and arrays have their isl names; dates
//! have no name, and as many dimensions for all statements.

use polyfold_isl::{Map, Result, Set};
use std::collections::BTreeMap;

/// A piece of a program.
#[derive(Clone, Debug)]
pub struct Problem {
    /// The function that holds it.
    pub name: String,
    /// Sizes.
    pub parameters: Vec<Parameter>,
    /// The sizes for which everything is said.
    pub context: Set,
    /// All that statements access.
    pub arrays: Vec<Array>,
    /// In the order of the text.
    pub statements: Vec<Statement>,
    /// Preprocessor lines that bodies may need.
    pub prelude: Vec<String>,
    /// Where it stands in a file.
    pub place: Option<Place>,
}

/// Where the loops of a problem stand in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file's name.
    pub file: String,
    /// Lines from 1, the first one and the one behind the last.
    pub lines: (usize, usize),
    /// Spaces in front of the first statement.
    pub indent: usize,
}

/// A size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// In C.
    pub name: String,
    /// In sets.
    pub isl: String,
    /// Its type.
    pub words: String,
    /// Of a macro.
    pub value: Option<i64>,
}

/// An array, or a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// In C.
    pub name: String,
    /// In sets.
    pub isl: String,
    /// `float rows[h][w]`, if that is known.
    pub declaration: Option<String>,
    /// Who else needs its values.
    pub role: Role,
}

/// Which values of an array are of interest outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// None.
    Temporary,
    /// Those before.
    In,
    /// Those behind.
    Out,
    /// Both.
    InOut,
}

impl Role {
    /// In files.
    pub(crate) const WORDS: [(&str, Role); 4] =
        [("temporary", Role::Temporary), ("in", Role::In), ("out", Role::Out), ("inout", Role::InOut)];

    pub(crate) fn word(self) -> &'static str {
        match self {
            Role::Temporary => "temporary",
            Role::In => "in",
            Role::Out => "out",
            Role::InOut => "inout",
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// In sets.
    pub name: String,
    /// C's names of the domain's dimensions.
    pub iterators: Vec<String>,
    /// `{ S[i] }`.
    pub domain: Set,
    /// `{ S[i] -> [date] }`.
    pub dates: Map,
    /// In the order of the text.
    pub accesses: Vec<Access>,
    /// What it does, in C.
    pub body: Option<String>,
}

/// An access of a statement.
#[derive(Clone, Debug)]
pub struct Access {
    /// What happens.
    pub kind: AccessKind,
    /// `{ S[i] -> A[cell] }`.
    pub relation: Map,
}

/// What happens to cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AccessKind {
    Read,
    Write,
    /// Perhaps.
    MayWrite,
}

impl Problem {
    /// `[n, m] -> `, in front of sets.
    pub(crate) fn prefix(parameters: &[Parameter]) -> String {
        let names: Vec<&str> = parameters.iter().map(|p| p.isl.as_str()).collect();
        if names.is_empty() { String::new() } else { format!("[{}] -> ", names.join(", ")) }
    }

    /// The dates in isl notation, of statements with these names.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn schedule_text(&self, names: &[&str]) -> Result<String> {
        let mut parts = Vec::new();
        for (statement, name) in self.statements.iter().zip(names) {
            let points: Vec<String> = (0..statement.iterators.len()).map(|k| format!("i{k}")).collect();
            let points = points.join(", ");
            let renamed = format!("{{ {}[{points}] -> {name}[{points}] }}", statement.name);
            let dates = statement.dates.intersect_domain(&statement.domain)?;
            parts.push(dates.apply_domain(&Map::read(self.context.context(), &renamed)?)?.to_string());
        }
        Ok(self.union(&parts))
    }

    /// Several sets or relations as one, a line for each.
    pub(crate) fn union(&self, parts: &[String]) -> String {
        let inner = |text: &String| {
            let begin = text.find('{').map_or(0, |at| at + 1);
            text[begin..].trim_end_matches('}').trim().to_string()
        };
        let parts: Vec<String> = parts.iter().map(inner).filter(|text| !text.is_empty()).collect();
        format!("{}{{ {} }}", Problem::prefix(&self.parameters), parts.join(";\n  "))
    }

    /// Whether another problem says the same.
    pub(crate) fn has_meaning_of(&self, other: &Problem) -> Result<bool> {
        let is_alike = self.statements.len() == other.statements.len()
            && (self.parameters.iter().zip(&other.parameters)).all(|(a, b)| a.name == b.name)
            && self.context.is_equal(&other.context)?;
        if !is_alike {
            return Ok(false);
        }
        for (a, b) in self.statements.iter().zip(&other.statements) {
            let is_alike = a.name == b.name
                && a.body == b.body
                && (a.body.is_none() || a.iterators == b.iterators)
                && a.domain.is_equal(&b.domain)?
                && a.dates.intersect_domain(&a.domain)?.is_equal(&b.dates.intersect_domain(&b.domain)?)?
                && same_accesses(a, b)?;
            if !is_alike {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

fn same_accesses(a: &Statement, b: &Statement) -> Result<bool> {
    let (a, b) = (by_array(a)?, by_array(b)?);
    let mut same = a.keys().eq(b.keys());
    for (one, other) in a.values().zip(b.values()) {
        same = same && one.is_equal(other)?;
    }
    Ok(same)
}

/// What happens to each array.
fn by_array(statement: &Statement) -> Result<BTreeMap<(u8, String), Map>> {
    let mut all: BTreeMap<(u8, String), Map> = BTreeMap::new();
    for access in &statement.accesses {
        let relation = access.relation.intersect_domain(&statement.domain)?;
        let key = (access.kind as u8, relation.tuple_names().1.unwrap_or_default());
        let joined = match all.get(&key) {
            Some(others) => others.union(&relation)?,
            None => relation,
        };
        all.insert(key, joined);
    }
    all.retain(|_, relation| !matches!(relation.is_empty(), Ok(true)));
    Ok(all)
}

/// Gives all dates as many dimensions, with zeros behind.
pub(crate) fn padded(statements: &mut [Statement]) -> Result<()> {
    let mut most = 0;
    for statement in statements.iter() {
        most = most.max(statement.dates.dimensions()?.1);
    }
    for statement in statements {
        let missing = most - statement.dates.dimensions()?.1;
        if missing > 0 {
            let zeros = Set::read(statement.domain.context(), &format!("{{ [{}] }}", vec!["0"; missing].join(", ")))?;
            let behind = statement.dates.domain()?.with_each_of(&zeros)?;
            statement.dates = statement.dates.flat_range_product(&behind)?;
        }
    }
    Ok(())
}
