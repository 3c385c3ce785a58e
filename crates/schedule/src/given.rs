//! A schedule in isl notation.
//!
//! It has a relation for every statement, by the name that `analyze` shows: its C label, or `S0`, `S1`, … in text order. Dates of
//! fewer dimensions are filled up with zeros behind; operations of different statements with the same date run in the order of
//! the text. The condition of an `if` on data may go without one: it runs in front of what it decides on. Example: `[n] -> { S0[i] -> [i]; S1[i] -> [i] }` runs S0 and S1 of each i together.

use polyfold_flow::Model;
use polyfold_isl::{Context, Error, Map, Set};
use polyfold_scop::{StatementId, StatementKind};

/// Dates for all operations.
#[derive(Clone, Debug)]
pub struct Given {
    /// By statement: `{ S[i] -> [date] }` for all its operations but conditions, each with one date; the last dimension is the statement's number.
    pub dates: Vec<Map>,
}

/// Why a text is no schedule of a program.
#[derive(Clone, Debug)]
pub enum Fault {
    /// It does not parse, or the work bound is reached.
    Isl(Error),
    /// It gives dates to a statement that there is not.
    Unknown(String),
    /// A statement has another number of iterators: the statement, how many it has, how many are given.
    Iterators(StatementId, usize, usize),
    /// Some operation has no date: the statement and its iterators.
    Missing(StatementId, Vec<i64>),
    /// Some operation has several dates: the statement.
    Several(StatementId),
}

impl From<Error> for Fault {
    fn from(error: Error) -> Fault {
        Fault::Isl(error)
    }
}

impl Given {
    /// How many dimensions dates have, without the last one.
    ///
    /// # Errors
    /// When isl reports one.
    pub fn dimensions(&self) -> Result<usize, Error> {
        self.dates.first().map_or(Ok(0), |map| map.dimensions().map(|(_, dates)| dates - 1))
    }

    /// Reads a schedule for a program.
    ///
    /// # Errors
    /// As [`Fault`] says.
    pub fn read(ctx: &Context, model: &Model, text: &str) -> Result<Given, Fault> {
        let mut relations: Vec<Option<Map>> = vec![None; model.scop.statements.len()];
        for map in Map::read_each(ctx, text)? {
            let name = map.tuple_names().0.unwrap_or_default();
            let place = model.scop.statements.iter().position(|statement| statement.name == name);
            let Some(place) = place else { return Err(Fault::Unknown(name)) };
            let (wanted, given) = (model.scop.statements[place].loops.len(), map.dimensions()?.0);
            if wanted != given {
                return Err(Fault::Iterators(StatementId(place), wanted, given));
            }
            if relations[place].is_some() {
                return Err(Fault::Several(StatementId(place)));
            }
            relations[place] = Some(map.without_range_name()?);
        }
        let mut dimensions = 0;
        for map in relations.iter().flatten() {
            dimensions = dimensions.max(map.dimensions()?.1);
        }
        let mut dates = Vec::new();
        for (place, relation) in relations.into_iter().enumerate() {
            dates.push(date(ctx, model, StatementId(place), relation, dimensions)?);
        }
        Ok(Given { dates })
    }
}

fn date(ctx: &Context, model: &Model, id: StatementId, relation: Option<Map>, dimensions: usize) -> Result<Map, Fault> {
    let domain = model.statements[id.0].domain.intersect_params(&model.context)?;
    let given = relation.map(|map| map.intersect_domain(&domain)).transpose()?;
    let missing = match &given {
        Some(given) => domain.subtract(&given.domain()?)?,
        None => domain.clone(),
    };
    let is_condition = model.scop.statement(id).kind == StatementKind::Condition;
    if let Some((_, point)) = missing.sample()?.filter(|_| !is_condition) {
        return Err(Fault::Missing(id, point));
    }
    let zeros = |count: usize| std::iter::repeat_n("0".to_string(), count);
    let point = |coordinates: Vec<String>| Set::read(ctx, &format!("{{ [{}] }}", coordinates.join(", ")));
    let Some(given) = given else {
        let nothing = point(zeros(dimensions).chain([id.0.to_string()]).collect())?;
        return Ok(missing.subtract(&missing)?.with_each_of(&nothing)?);
    };
    if !given.is_single_valued()? {
        return Err(Fault::Several(id));
    }
    let behind = dimensions - given.dimensions()?.1;
    let last = point(zeros(behind).chain([id.0.to_string()]).collect())?;
    Ok(given.flat_range_product(&domain.with_each_of(&last)?)?)
}
