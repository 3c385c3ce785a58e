//! Conflicts between the values of several statements.
//!
//! Every operation of a statement writes a cell of its own ("total expansion"), so a value is named by its statement and
//! iterators. Two values conflict iff they may not share a cell:
//!
//! ```text
//! CS = ∪ Kᵢ,   Kᵢ = { (S(s), T(t)) } convex; intra-statement if S = T, inter-statement otherwise
//! ```
//!
//! Conflict is symmetric; each pair is kept once. Paper: SMO §3.4.1.
//!
//! Over-approximation: hyperplanes are sought for Kᵢ without its integer divisions and over the rationals. That is a superset,
//! so what satisfies it satisfies Kᵢ. Results are proved for the sets themselves.

use crate::collisions::Conditions;
use crate::generators::generators;
use polyfold_isl::{Context, Error, ErrorKind, Map, Result, Set};
use std::rc::Rc;

/// A statement, by the values that it writes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// Its name in the conflict set.
    pub name: String,
    /// Names of its iterators.
    pub iterators: Vec<String>,
}

impl Statement {
    /// Its values, such as `S0[t, i]`.
    pub fn text(&self) -> String {
        format!("{}[{}]", self.name, self.iterators.join(", "))
    }
}

/// Parameters that nothing is known of are counted at this value.
const LARGE: i64 = 100;

/// Which values of which statements may not share a cell.
///
/// ```
/// use polyfold_isl::Context;
/// use polyfold_smo::ConflictSet;
/// let ctx = Context::new();
/// let pairs = "[N] -> { S[i] -> S[j] : 0 <= i < j < N; S[i] -> T[j] : 0 <= j < i < N }";
/// let conflicts = ConflictSet::read(&ctx, "[N] -> { : N >= 1 }", pairs)?;
/// assert_eq!(conflicts.statements().iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["S", "T"]);
/// assert_eq!(conflicts.count(), (1, 1));
/// # Ok::<(), polyfold_isl::Error>(())
/// ```
pub struct ConflictSet {
    context: Set,
    parameters: Vec<String>,
    statements: Vec<Statement>,
    relations: Vec<Relation>,
    polyhedra: Vec<Polyhedron>,
    corners: Vec<Corner>,
    conditions: Conditions,
}

/// All conflicts of two statements, and seldom a few more pairs from merging; points are the iterators of both in sequence.
pub(crate) struct Relation {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) pairs: Set,
}

/// Some conflicts of two statements, and the generators of a convex superset.
#[derive(Clone)]
pub(crate) struct Polyhedron {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) pairs: Set,
    pub(crate) generators: Rc<[Generator]>,
}

/// A vertex (divided by its height), or a ray (of height 0), of a conflict polyhedron.
pub(crate) struct Generator {
    pub(crate) corner: Corner,
    pub(crate) from: Vec<i64>,
    pub(crate) to: Vec<i64>,
}

/// A vertex or ray of a set of parameter values.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Corner {
    pub(crate) height: i64,
    pub(crate) parameters: Vec<i64>,
}

impl ConflictSet {
    /// Reads the parameter values to solve it for, and the pairs that conflict, in isl notation.
    ///
    /// # Errors
    /// When a text does not parse, and as for [`new`](ConflictSet::new).
    pub fn read(ctx: &Context, context: &str, conflicts: &str) -> Result<ConflictSet> {
        ConflictSet::new(Set::read(ctx, context)?, &Map::read_each(ctx, conflicts)?)
    }

    /// The parameter values to solve it for, and for some pairs of statements, in either order, the values that conflict.
    ///
    /// # Errors
    /// When a statement has no name or not always as many iterators, or numbers are past 64 bits.
    pub fn new(context: Set, maps: &[Map]) -> Result<ConflictSet> {
        let statements = statements(maps)?;
        let mut parameters = context.parameter_names()?;
        for map in maps {
            let more = map.wrap()?.parameter_names()?;
            parameters.extend(more.into_iter().filter(|name| !parameters.contains(name)).collect::<Vec<_>>());
        }
        let relations = relations(maps, &statements, &context)?;
        let (corners, polyhedra, conditions) = (Vec::new(), Vec::new(), Conditions::default());
        let mut set = ConflictSet { corners, polyhedra, context, parameters, statements, relations, conditions };
        set.corners = set.corners_of_context()?;
        for relation in &set.relations {
            let pieces = relation.pairs.convex_pieces()?;
            set.polyhedra.extend(set.with_generators(relation.from, relation.to, pieces)?);
        }
        Ok(set)
    }

    /// The parameter values to solve it for.
    pub fn context(&self) -> &Set {
        &self.context
    }

    /// Names of the parameters, in the order of all [`Form`](crate::Form)s.
    pub fn parameters(&self) -> &[String] {
        &self.parameters
    }

    /// The statements, in the order of their names.
    pub fn statements(&self) -> &[Statement] {
        &self.statements
    }

    /// Numbers of intra-statement and inter-statement conflict polyhedra.
    pub fn count(&self) -> (usize, usize) {
        let intra = self.polyhedra.iter().filter(|polyhedron| polyhedron.is_intra()).count();
        (intra, self.polyhedra.len() - intra)
    }

    /// Some parameter values of the context, with the given ones: where possible all others are 100 or more. `None` if the
    /// context has none.
    ///
    /// # Errors
    /// When the work bound is reached.
    pub fn sizes(&self, given: &[(&str, i64)]) -> Result<Option<Vec<i64>>> {
        let mut there = self.context.at(given)?;
        for name in self.parameters.iter().filter(|name| given.iter().all(|(known, _)| known != name)) {
            let large = Set::read(self.context.context(), &format!("[{name}] -> {{ : {name} >= {LARGE} }}"))?;
            let large = there.intersect(&large)?;
            there = if large.is_empty()? { there } else { large };
        }
        let (names, sample) = (there.parameter_names()?, there.sample()?);
        let place = |name: &String| names.iter().position(|known| known == name);
        let given = |name: &String| given.iter().find(|(known, _)| known == name).map(|(_, value)| *value);
        Ok(sample.map(|(values, _)| {
            let value = |name: &String| place(name).map(|k| values[k]).or_else(|| given(name)).unwrap_or(LARGE);
            self.parameters.iter().map(value).collect()
        }))
    }

    pub(crate) fn relations(&self) -> &[Relation] {
        &self.relations
    }

    /// The conflict polyhedra between statements of a class.
    pub(crate) fn among(&self, class: &[usize]) -> Vec<Polyhedron> {
        let inside = |polyhedron: &&Polyhedron| class.contains(&polyhedron.from) && class.contains(&polyhedron.to);
        self.polyhedra.iter().filter(inside).cloned().collect()
    }

    /// The same, as they are.
    pub(crate) fn between(&self, class: &[usize]) -> Vec<&Polyhedron> {
        let mut is_member = vec![false; self.statements.len()];
        class.iter().for_each(|statement| is_member[*statement] = true);
        self.polyhedra.iter().filter(|polyhedron| is_member[polyhedron.from] && is_member[polyhedron.to]).collect()
    }

    pub(crate) fn arity(&self, statement: usize) -> usize {
        self.statements[statement].iterators.len()
    }

    /// Conditions on pairs that were read before.
    pub(crate) fn conditions(&self) -> &Conditions {
        &self.conditions
    }

    /// Generators of the context.
    pub(crate) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// The convex pieces of some conflicts of two statements.
    pub(crate) fn polyhedra(&self, from: usize, to: usize, pairs: &Set) -> Result<Vec<Polyhedron>> {
        self.with_generators(from, to, merged(pairs)?)
    }

    fn with_generators(&self, from: usize, to: usize, pieces: Vec<Set>) -> Result<Vec<Polyhedron>> {
        let mut polyhedra = Vec::new();
        for pairs in pieces {
            if !pairs.is_empty()? {
                let generators = self.generators(self.arity(from), &pairs)?.into();
                polyhedra.push(Polyhedron { from, to, pairs, generators });
            }
        }
        Ok(polyhedra)
    }

    fn generators(&self, split: usize, pairs: &Set) -> Result<Vec<Generator>> {
        let first = 1 + self.parameters.len();
        let generator = |entries: Vec<i64>| Generator {
            corner: Corner { height: entries[0], parameters: entries[1..first].to_vec() },
            from: entries[first..first + split].to_vec(),
            to: entries[first + split..].to_vec(),
        };
        Ok(self.cone(pairs, pairs.dimensions()?)?.into_iter().map(generator).collect())
    }

    fn corners_of_context(&self) -> Result<Vec<Corner>> {
        let corner =
            |entries: Vec<i64>| Corner { height: entries[0], parameters: entries[1..=self.parameters.len()].to_vec() };
        Ok(self.cone(&self.context, 0)?.into_iter().map(corner).collect())
    }

    /// Generators `(height, parameters, coordinates)` of a set's pieces, without integer divisions.
    fn cone(&self, set: &Set, dimensions: usize) -> Result<Vec<Vec<i64>>> {
        let (set, width) = (set.remove_divs()?, 1 + self.parameters.len() + dimensions);
        let names = set.parameter_names()?;
        let column = |name| 1 + dimensions + names.iter().position(|known| known == name).unwrap_or(usize::MAX / 2);
        let columns: Vec<usize> =
            [0].into_iter().chain(self.parameters.iter().map(column)).chain(1..=dimensions).collect();
        let ordered = |rows: &[Vec<i64>]| -> Vec<Vec<i64>> {
            let entry = |row: &Vec<i64>, column: &usize| row.get(*column).copied().unwrap_or(0);
            rows.iter().map(|row| columns.iter().map(|column| entry(row, column)).collect()).collect()
        };
        let mut all = Vec::new();
        for piece in set.polyhedra()? {
            all.extend(generators(width, &ordered(&piece.equalities), &ordered(&piece.inequalities))?);
        }
        Ok(all)
    }
}

impl Polyhedron {
    pub(crate) fn is_intra(&self) -> bool {
        self.from == self.to
    }
}

fn invalid(message: String) -> Error {
    Error { kind: ErrorKind::Refused, message }
}

/// Every tuple of the relations, with the first names that are given to its dimensions, at the start of a pair if possible.
fn statements(maps: &[Map]) -> Result<Vec<Statement>> {
    let (mut starts, mut ends) = (Vec::new(), Vec::new());
    for map in maps {
        let ((from, to), (x, y)) = (map.tuple_names(), map.dimension_names()?);
        let named = |name: Option<String>| name.ok_or_else(|| invalid(format!("a statement has no name in `{map}`")));
        starts.push((named(from)?, x));
        ends.push((named(to)?, y));
    }
    let mut known: Vec<(String, Vec<Option<String>>)> = Vec::new();
    for (name, iterators) in starts.into_iter().chain(ends) {
        match known.iter_mut().find(|(other, _)| *other == name) {
            Some((_, known)) if known.len() != iterators.len() => {
                return Err(invalid(format!("{name} has not always as many iterators")));
            }
            Some((_, known)) => known.iter_mut().zip(iterators).for_each(|(a, b)| *a = a.take().or(b)),
            None => known.push((name, iterators)),
        }
    }
    known.sort();
    Ok(known.into_iter().map(|(name, iterators)| Statement { name, iterators: named(iterators) }).collect())
}

fn named(iterators: Vec<Option<String>>) -> Vec<String> {
    iterators.into_iter().enumerate().map(|(k, name)| name.unwrap_or_else(|| format!("i{k}"))).collect()
}

/// Pieces that are merged with one another at a time: it takes time with the square of their number.
const FEW: usize = 16;

/// The same pairs as fewer convex pieces. Many of them are merged a few at a time, as long as that makes them fewer by a tenth,
/// which seldom adds a few pairs.
fn merged(pairs: &Set) -> Result<Vec<Set>> {
    if pairs.pieces()? <= FEW {
        return pairs.coalesce()?.convex_pieces();
    }
    let mut pieces = pairs.convex_pieces()?;
    while pieces.len() > 1 {
        let (before, mut fewer) = (pieces.len(), Vec::new());
        for some in pieces.chunks(FEW) {
            fewer.extend(together(some)?.coalesce_outward()?.convex_pieces()?);
        }
        pieces = fewer;
        if before <= FEW || 10 * pieces.len() > 9 * before {
            break;
        }
    }
    Ok(pieces)
}

/// The union of some sets, which are at least one.
fn together(pieces: &[Set]) -> Result<Set> {
    pieces[1..].iter().try_fold(pieces[0].clone(), |all, piece| all.union(piece))
}

/// One relation for every two statements with a conflict.
fn relations(maps: &[Map], statements: &[Statement], context: &Set) -> Result<Vec<Relation>> {
    let place = |name: &Option<String>| statements.iter().position(|s| Some(&s.name) == name.as_ref()).unwrap_or(0);
    let mut known: Vec<(usize, usize, Map)> = Vec::new();
    for map in maps {
        let names = map.tuple_names();
        let (from, to) = (place(&names.0), place(&names.1));
        let (from, to, map) = if from <= to { (from, to, map.clone()) } else { (to, from, map.reverse()?) };
        match known.iter_mut().find(|(a, b, _)| (*a, *b) == (from, to)) {
            Some((_, _, pairs)) => *pairs = pairs.union(&map)?,
            None => known.push((from, to, map)),
        }
    }
    known.sort_by_key(|(from, to, _)| (*from, *to));
    let mut relations = Vec::new();
    for (from, to, map) in known {
        let map = map.intersect_params(context)?;
        let map = if from == to { each_once(&map)? } else { map };
        if !map.is_empty()? {
            let pieces = merged(&map.wrap()?.flatten()?.unnamed()?)?;
            relations.push(Relation { from, to, pairs: together(&pieces)? });
        }
    }
    Ok(relations)
}

/// Leaves one of `(x, y)` and `(y, x)`, and no value in conflict with itself.
fn each_once(map: &Map) -> Result<Map> {
    let upwards = Map::lex_lt(&map.domain()?)?;
    if map.is_subset(&upwards)? || map.intersect(&map.reverse()?)?.is_empty()? {
        return Ok(map.clone());
    }
    map.union(&map.reverse()?)?.intersect(&upwards)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hundred_pieces_are_merged_to_few_with_the_same_points() {
        let piece = |k: i64| format!("S[i] -> S[j] : {k} <= i < j < N and i <= {k} + 2");
        let apart = |k: i64| format!("S[i] -> S[j] : i = {} and j = 2i and i < N", 3 * k - 1000);
        let text = |piece: &dyn Fn(i64) -> String| {
            format!("[N] -> {{ {} }}", (0..100).map(piece).collect::<Vec<_>>().join("; "))
        };
        let ctx = Context::new();
        let pairs = |text: &str| Map::read(&ctx, text).unwrap().wrap().unwrap().flatten().unwrap();
        let overlapping = pairs(&text(&piece));
        let pieces = merged(&overlapping).unwrap();
        assert!(pieces.len() <= 10, "{}", pieces.len());
        assert!(together(&pieces).unwrap().is_equal(&overlapping).unwrap());
        let scattered = pairs(&text(&apart));
        assert_eq!(merged(&scattered).unwrap().len(), 100);
        let conflicts = ConflictSet::read(&ctx, "[N] -> { : N >= 200 }", &text(&piece)).unwrap();
        assert!(conflicts.count().0 <= 10);
    }

    #[test]
    fn each_pair_is_kept_once() {
        let count = |pairs: &str| {
            let conflicts = ConflictSet::read(&Context::new(), "{ : }", pairs).unwrap();
            conflicts.relations().iter().map(|relation| relation.pairs.points().unwrap().len()).sum::<usize>()
        };
        assert_eq!(count("{ S[i] -> S[j] : 0 <= i < j < 4 }"), 6);
        assert_eq!(count("{ S[i] -> S[j] : 0 <= j < i < 4 }"), 6);
        assert_eq!(count("{ S[i] -> S[j] : 0 <= i, j < 4 }"), 6);
        assert_eq!(count("{ S[i] -> T[j] : 0 <= i, j < 4; T[j] -> S[i] : 0 <= i, j < 4 }"), 16);
    }
}
