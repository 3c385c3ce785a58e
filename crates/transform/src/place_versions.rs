//! Accesses to an array's values go to the places of their versions (array versions, as in array SSA).
//!
//! ```text
//! S1(i): B[i] = Q[i - 1];   becomes   S1(i): B[i] = (i == 1 ? *wall : *ring[(i - 1) mod 2]);
//! S2(i): Q[i] = A[i];       becomes   if (i == 0) { S2(i): wall = A[i]; } else { S2(i): ring[i mod 2] = A[i]; }
//! ```
//!
//! The idea: which value an operation means is known, and so is where that value lives. A read is a choice between places. A
//! write is done under conditions; where nobody reads the value, it isn't done.
//!
//! Which places these are is the caller's to say, and the judges' to check.
//!
//! Paper: Knobe, Sarkar, "Array SSA form", 1998.
//!
//! Invariant: order and counters stay.

use crate::apply_storage::{Coordinate, new_buffer};
use polyfold_program::{
    Assign, BufferId, Cond, Int, Layout, Loop, Opaque, Operand, Place, Program, Role, StatementId, Stmt, Sum, Use,
};

/// Where the values of one array live.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Versions {
    /// The array.
    pub array: BufferId,
    /// Each of its accesses. Those of a statement to one cell come in the order in which it names them.
    pub accesses: Vec<VersionAccess>,
}

/// An access, and where it finds its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionAccess {
    /// Whose it is.
    pub statement: StatementId,
    /// Whether it reads or writes.
    pub how: Use,
    /// The cell.
    pub index: Vec<Int>,
    /// Each for what is left by those before; the last one is for all of that.
    pub cases: Vec<VersionCase>,
}

/// One place of an access.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionCase {
    /// When it is that one.
    pub cond: Cond,
    /// The coordinates of the value in front of its cell's.
    pub version: Vec<Int>,
    /// `None`: nobody reads the value.
    pub home: Option<VersionHome>,
}

/// A place of values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VersionHome {
    /// The buffer's name.
    pub buffer: String,
    /// One for each dimension of the buffer, of version and cell.
    pub coordinates: Vec<Coordinate>,
}

/// The program with the values of some arrays in their places. `None`: an array isn't a temporary, an access has no places, or
/// one is in a condition of statements.
pub fn place_versions(program: &Program, all: &[Versions]) -> Option<Program> {
    let mut placing = Placing { after: program.clone(), first_new: program.buffers.len(), all, named: Vec::new() };
    let body = placing.list(&program.body)?;
    Some(Program { body, ..placing.after })
}

/// The same for one array, and the place of each of its accesses. `None`: an access is in several places that no choice names, or
/// something is in none.
pub fn place_versions_of(program: &Program, own: &Versions) -> Option<(Program, Vec<Place>)> {
    let after = place_versions(program, std::slice::from_ref(own))?;
    let all = std::slice::from_ref(own);
    let mut placing = Placing { after, first_new: program.buffers.len(), all, named: Vec::new() };
    let place = |access: &VersionAccess| {
        let before = Place::Cell { buffer: own.array, index: access.index.clone() };
        placing.placed(access.statement, access.how, &before)
    };
    let places = own.accesses.iter().map(place).collect::<Option<Vec<Place>>>()?;
    Some((placing.after, places))
}

struct Placing<'a> {
    /// With the buffers that come.
    after: Program,
    first_new: usize,
    all: &'a [Versions],
    /// Which accesses have their places: the array, and the first of its accesses by that statement to that cell, once for each.
    named: Vec<(BufferId, usize)>,
}

impl Placing<'_> {
    fn versions(&self, place: &Place) -> Option<&Versions> {
        match place {
            Place::Cell { buffer, .. } => self.all.iter().find(|own| own.array == *buffer),
            _ => None,
        }
    }

    fn list(&mut self, body: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut list = Vec::new();
        for stmt in body {
            list.extend(self.stmt(stmt)?);
        }
        Some(list)
    }

    fn stmt(&mut self, stmt: &Stmt) -> Option<Vec<Stmt>> {
        let mut is_concerned = false;
        stmt.each_place(&mut |_, place| is_concerned |= self.versions(place).is_some());
        Some(match stmt {
            Stmt::Assign(own) => self.assign(own)?,
            Stmt::Opaque(own) => vec![Stmt::Opaque(self.opaque(own)?)],
            _ if is_concerned => return None,
            Stmt::For(own) => vec![Stmt::For(Loop { body: self.list(&own.body)?, ..own.clone() })],
            Stmt::If { cond, then, other } => {
                vec![Stmt::If { cond: cond.clone(), then: self.list(then)?, other: self.list(other)? }]
            }
            Stmt::Copy(copy)
                if [&copy.to, &copy.from].iter().any(|own| self.all.iter().any(|all| all.array == own.buffer)) =>
            {
                return None;
            }
            other => vec![other.clone()],
        })
    }

    fn assign(&mut self, own: &Assign) -> Option<Vec<Stmt>> {
        let mut is_whole = true;
        let value = own.value.with_cells(&mut |place| {
            let now = self.read(own.statement, &place);
            is_whole &= now.is_some();
            now.unwrap_or(place)
        });
        let target = self.with_subscripts(own.statement, &own.target).filter(|_| is_whole)?;
        let own = Assign { value, target, ..own.clone() };
        match self.versions(&own.target) {
            None => Some(vec![Stmt::Assign(own)]),
            Some(_) if own.declares => None,
            Some(_) => self.written(&own),
        }
    }

    /// Each cell is in one place, which is chosen where it is named.
    fn opaque(&mut self, own: &Opaque) -> Option<Opaque> {
        let mut operands = own.operands.clone();
        for operand in &mut operands {
            let Operand::Cell(cell) = operand else { continue };
            let place = self.with_subscripts(own.statement, &cell.place)?;
            let uses = [(cell.is_read, Use::Read), (cell.is_written, Use::Write)];
            let uses = uses.into_iter().filter(|(is_so, _)| *is_so);
            let mut places =
                uses.map(|(_, how)| self.placed(own.statement, how, &place)).collect::<Option<Vec<_>>>()?;
            places.dedup();
            let [place] = &places[..] else { return None };
            cell.place = place.clone();
        }
        Some(Opaque { operands, ..own.clone() })
    }

    /// A cell whose subscripts read what they read where it lives now.
    fn with_subscripts(&mut self, statement: StatementId, place: &Place) -> Option<Place> {
        let Place::Cell { buffer, index } = place else { return Some(place.clone()) };
        let mut is_whole = true;
        let mut read = |place: Place| {
            let now = self.read(statement, &place);
            is_whole &= now.is_some();
            now.unwrap_or(place)
        };
        let index = index.iter().map(|e| e.with_cells(&mut read)).collect();
        is_whole.then_some(Place::Cell { buffer: *buffer, index })
    }

    /// A cell that is read; the same if its array has no versions.
    fn read(&mut self, statement: StatementId, place: &Place) -> Option<Place> {
        self.placed(statement, Use::Read, place)
    }

    fn placed(&mut self, statement: StatementId, how: Use, place: &Place) -> Option<Place> {
        if self.versions(place).is_none() {
            return Some(place.clone());
        }
        let mut cases = self.cases(statement, how, place)?.into_iter().rev();
        let (_, last) = cases.next()?;
        cases.try_fold(last?, |rest, (cond, place)| {
            let place = place?;
            Some(if place == rest { rest } else { Place::Select(Box::new(cond), Box::new(place), Box::new(rest)) })
        })
    }

    fn written(&mut self, own: &Assign) -> Option<Vec<Stmt>> {
        let cases = self.cases(own.statement, Use::Write, &own.target)?;
        let at = |target: Option<Place>| -> Vec<Stmt> {
            target.map(|target| Stmt::Assign(Assign { target, ..own.clone() })).into_iter().collect()
        };
        let mut cases = cases.into_iter().rev();
        let (_, last) = cases.next()?;
        Some(cases.fold(at(last), |other, (cond, target)| {
            let then = at(target);
            if then == other { other } else { vec![Stmt::If { cond, then, other }] }
        }))
    }

    /// The places of an access.
    fn cases(&mut self, statement: StatementId, how: Use, place: &Place) -> Option<Vec<(Cond, Option<Place>)>> {
        let (all, Place::Cell { index, .. }) = (self.versions(place)?, place) else { return None };
        let is_same = |own: &[Int]| {
            own.len() == index.len() && own.iter().zip(index).all(|(a, b)| Sum::difference(a, b) == Some(0))
        };
        let is_it = |own: &&VersionAccess| own.statement == statement && own.how == how && is_same(&own.index);
        let (first, own) = (all.accesses.iter().position(|own| is_it(&own))?, all.accesses.iter().filter(is_it));
        // A statement may name one cell several times, each under a condition of its own, which its cases take for granted.
        let own: Vec<&VersionAccess> = own.collect();
        let before = self.named.iter().filter(|named| **named == (all.array, first)).count();
        let (array, cases) = (all.array, own[before % own.len()].cases.clone());
        self.named.push((array, first));
        let mut found = Vec::new();
        for VersionCase { cond, version, home } in cases {
            let place = match home {
                Some(home) => Some(self.place(
                    array,
                    &home,
                    &version.into_iter().chain(index.iter().cloned()).collect::<Vec<Int>>(),
                )?),
                None => None,
            };
            found.push((cond, place));
        }
        Some(found)
    }

    fn place(&mut self, array: BufferId, home: &VersionHome, index: &[Int]) -> Option<Place> {
        let own = &self.after.buffers[array.0];
        let is_mapped =
            own.role == Role::Temporary && home.coordinates.iter().all(|e| e.coefficients.len() == index.len());
        let element = own.element.clone();
        if !is_mapped {
            return None;
        }
        let buffer = (home.buffer.as_str(), Layout::Rows, &element);
        let id = new_buffer(&mut self.after, self.first_new, buffer, &home.coordinates)?;
        Some(Place::Cell {
            buffer: id,
            index: home.coordinates.iter().map(|coordinate| coordinate.of(index)).collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{VersionAccess, VersionCase, VersionHome, Versions, place_versions};
    use crate::{Coordinate, Remainder};
    use polyfold_program::{Cond, Int, LocalId, Program, Relation, Use};
    use polyfold_replay::terms::{agree, sizes_to_run};

    const SOURCE: &str = "program p(n) where n >= 1 { in A[n]; out B[n]; temporary Q[n];
        for i = 0 while i < n step 1 {
          S0(i): Q[i] = A[i];
          S1(i): B[i] = (i >= 1 ? Q[i - 1] : 0.5) + Q[0];
        } }";

    /// Q[0] in a variable, the others in a ring of so many cells.
    fn placed(modulus: i64) -> Option<Program> {
        let source = Program::read(SOURCE).expect("a program");
        let i = || Int::Local(LocalId(0));
        let first = |e: Int| Cond::compare(e, Relation::Equal, Int::Constant(0));
        let wall = || VersionHome { buffer: "wall".to_string(), coordinates: Vec::new() };
        let coordinate = Coordinate {
            coefficients: vec![1].into_iter().map(Int::Constant).collect(),
            shift: Int::Constant(0),
            modulus: Int::Constant(modulus),
            least: modulus,
            remainder: Remainder::Floor,
        };
        let ring = || VersionHome { buffer: "ring".to_string(), coordinates: vec![coordinate.clone()] };
        let case = |cond, home| VersionCase { cond, version: Vec::new(), home: Some(home) };
        let access = |statement, how, index: Int, homes: Vec<VersionHome>| VersionAccess {
            statement: source.statement(statement).expect("a statement"),
            how,
            cases: homes.into_iter().map(|home| case(first(index.clone()), home)).collect(),
            index: vec![index],
        };
        let before = Int::binary(polyfold_program::IntOp::Subtract, i(), Int::Constant(1));
        let versions = Versions {
            array: source.buffer("Q").expect("a buffer"),
            accesses: vec![
                access("S0", Use::Write, i(), vec![wall(), ring()]),
                access("S1", Use::Read, before, vec![wall(), ring()]),
                access("S1", Use::Read, Int::Constant(0), vec![wall()]),
            ],
        };
        let after = place_versions(&source, &[versions])?;
        let ran = agree(&source, &after, &sizes_to_run(&source, &after), 100_000);
        ran.is_ok().then_some(after)
    }

    #[test]
    fn values_live_in_several_places() {
        let after = placed(2).expect("it computes the same");
        let text = "if (i == 0) {\n      S0(i): wall = A[i];\n    } else {\n      S0(i): ring[i mod 2] = A[i];\n    }";
        assert!(after.to_string().contains(text), "{after}");
        assert_eq!(placed(1), None);
    }

    #[test]
    fn an_access_without_places_is_no_program() {
        let source = Program::read(SOURCE).expect("a program");
        let array = source.buffer("Q").expect("a buffer");
        assert_eq!(place_versions(&source, &[Versions { array, accesses: Vec::new() }]), None);
        assert_eq!(place_versions(&source, &[]).as_ref(), Some(&source));
    }
}
