//! The storage that was found, applied to a scop's program.
//!
//! Statements whose results nobody reads go ([`sweep`]). Arrays get their new cells ([`apply_storage`]), and values that live
//! in several places theirs ([`place_versions`]). Statements that copy a cell to itself then go, too ([`without_self_copies`]). The
//! result runs beside the source in every run of the command. What is printed is made of it.
//!
//! Not applied: new storage that computes with what data decide.

use crate::optimize::{Optimized, Outcome};
use crate::windows::{coordinates_in, in_register, move_on, register};
use polyfold_codegen::{ValueCase, Windows, WritableValues, growing_coordinate, new_layout};
use polyfold_isl::{AstExpr, CText, ErrorKind, PwAff, Result, Set};
use polyfold_program::{
    BufferId, Cond, Int, IntOp, IntType, Local, LocalId, LocalKind, ParameterId, Place, Program, StatementId, Stmt, Use,
};
use polyfold_prove::{Inside, Placed, RowForm, SlidingWindow};
use polyfold_scop::{ArrayId, Expr, LoopId, OtherCell, Scop, Statement};
use polyfold_transform::{
    Coordinate, Name, Remainder, Slide, Storage, StorageHome, VersionAccess, VersionCase, VersionHome, Versions,
    apply_storage, cond_of, int_of, place_versions, place_versions_of, sweep, undeclared, without_self_copies,
};

/// What buffers are called: the same for all that share one.
pub struct BufferNames<'a> {
    /// Of an array's place.
    pub of_storage: &'a dyn Fn(&Placed) -> String,
    /// Of a place of values.
    pub of_values: &'a dyn Fn(&Placed) -> String,
    /// Of variables that come.
    pub of_locals: &'a Name<'a>,
}

/// A scop's program with new storage. `None`: something isn't applied yet.
///
/// # Errors
/// When isl fails.
pub fn with_new_storage(scop: &Scop, result: &Optimized, names: &BufferNames) -> Result<Option<Program>> {
    with_windows(scop, result, names, &Windows::default())
}

/// The same, with windows in the place of circular buffers. Their cells are counted from where iterations begin.
///
/// # Errors
/// When isl fails.
pub(crate) fn with_windows(
    scop: &Scop,
    result: &Optimized,
    names: &BufferNames,
    windows: &Windows,
) -> Result<Option<Program>> {
    let Some(mut program) = scop.program.clone() else { return Ok(None) };
    let slides = with_variables(&mut program, windows);
    let (program, text) = (&program, CText::new(&result.proved)?);
    let sizes = Sizes { parameters: &result.parameters, program, text, counters: &[], slides: &slides };
    let (mut storages, mut versions, mut named) = (Vec::new(), Vec::new(), Vec::new());
    for (id, outcome) in &result.outcomes {
        if let Outcome::Values { values, .. } = outcome {
            let Some(own) = sizes.versions(scop, (*id, values), names)? else { return Ok(None) };
            versions.push(own);
        }
        let Some(place) = outcome.place(&result.buffers) else { continue };
        let Some(coordinates) = sizes.coordinates(place)? else { return Ok(None) };
        if place.inside().is_none() {
            named.push((*id, (names.of_storage)(place)));
        }
        if let Some(register) = register(windows, *id) {
            let name = (names.of_storage)(place);
            let Some(own) = in_register((scop, program), register, (&name, &coordinates)) else { return Ok(None) };
            versions.push(own);
            continue;
        }
        let Some(coordinates) = coordinates_in(windows, (scop, program), *id, coordinates) else { return Ok(None) };
        let home = match place.inside() {
            Some(inside) => StorageHome::Inside(BufferId(inside.host.0)),
            None => {
                let layout = new_layout(scop, &result.sharing(place));
                StorageHome::New { name: (names.of_storage)(place), layout }
            }
        };
        storages.push(Storage { array: BufferId(id.0), home, coordinates });
    }
    let dead: Vec<StatementId> = result.dead.statements.iter().map(|id| StatementId(id.0)).collect();
    let after = apply_storage(&sweep(program, &dead), &storages).and_then(|after| place_versions(&after, &versions));
    let after = after.filter(|after| !computes_with_data(after));
    let of_array = |array: ArrayId| {
        let (_, name) = named.iter().find(|(own, _)| *own == array)?;
        after.as_ref()?.newest_buffer(name)
    };
    let Some(after) = &after else { return Ok(None) };
    let Some(slides) = sizes.slides(after)? else { return Ok(None) };
    let after = move_on((windows, &slides), (scop, after), (&of_array, names.of_locals));
    Ok(after.map(|after| without_self_copies(&after)))
}

/// A scop's program in which the values of one array live in several places, for some sizes, and where each access finds its value;
/// `parameters` are these in isl notation. `None`: something isn't applied yet.
///
/// # Errors
/// When isl fails.
pub fn with_values(
    scop: &Scop,
    (parameters, sizes): (&[String], &Set),
    values: &WritableValues,
    names: &BufferNames,
) -> Result<Option<(Program, Vec<OtherCell>)>> {
    let Some(program) = &scop.program else { return Ok(None) };
    let sizes = Sizes { parameters, program, text: CText::new(sizes)?, counters: &[], slides: &[] };
    let Some(own) = sizes.versions(scop, (values.array(), values), names)? else { return Ok(None) };
    let program = undeclared(program, BufferId(values.array().0));
    let Some((after, places)) = place_versions_of(&program, &own) else { return Ok(None) };
    let accesses = values.cases().filter(|(id, ..)| counters_of(&program, StatementId(id.0)).is_some());
    let cells = accesses.zip(places).map(|((statement, access, _), place)| OtherCell { statement, access, place });
    Ok(Some((after, cells.collect())))
}

/// What holds of a program's sizes wherever its new storage was proved. Cases are left out, and numbers past 64 bits.
///
/// # Errors
/// When isl fails.
pub(crate) fn facts(scop: &Scop, result: &Optimized) -> Result<Vec<Cond>> {
    let Some(program) = &scop.program else { return Ok(Vec::new()) };
    let proved = result.proved.coalesce()?;
    let text = CText::new(&Set::read(proved.context(), "{ : }")?)?;
    let sizes = Sizes { parameters: &result.parameters, program, text, counters: &[], slides: &[] };
    let test = match sizes.text.test(&proved) {
        Err(error) if error.kind == ErrorKind::Limit => return Ok(Vec::new()),
        test => test?,
    };
    Ok(sizes.cond(&test).map(parts).unwrap_or_default())
}

/// The conditions that all have to hold, without those that ask for one of several.
fn parts(cond: Cond) -> Vec<Cond> {
    match cond {
        Cond::And(left, right) => [parts(*left), parts(*right)].concat(),
        Cond::Compare(..) => vec![cond],
        _ => Vec::new(),
    }
}

/// Whether a subscript is computed from what data decide: execution over terms follows whole subscripts only.
fn computes_with_data(program: &Program) -> bool {
    let mut found = false;
    let mut in_subscript = |own: &Int| own.each(&mut |e| found |= matches!(e, Int::Data(_)) && own.as_data().is_none());
    let mut in_place = |place: &Place| {
        if let Place::Cell { index, .. } = place {
            index.iter().for_each(&mut in_subscript);
        }
    };
    let mut in_stmt = |stmt: &Stmt| stmt.each_place(&mut |_, place| in_place(place));
    program.body.iter().for_each(|stmt| stmt.each(&mut in_stmt));
    found
}

/// Prints functions of sizes as a program's integers.
struct Sizes<'a> {
    /// In isl notation.
    parameters: &'a [String],
    program: &'a Program,
    text: CText,
    /// Of the loops around a statement, outermost first.
    counters: &'a [Int],
    /// The windows of values that slide.
    slides: &'a [Sliding<'a>],
}

impl Sizes<'_> {
    /// Where the values of an array live.
    fn versions(
        &self,
        scop: &Scop,
        (array, values): (ArrayId, &WritableValues),
        names: &BufferNames,
    ) -> Result<Option<Versions>> {
        let mut accesses = Vec::new();
        for (id, number, cases) in values.cases() {
            let own = &scop.statement(id);
            let Some(counters) = counters_of(self.program, StatementId(id.0)) else { continue };
            let here = Sizes { counters, text: CText::new(values.placed().scope())?, ..*self };
            let access = &own.accesses[number];
            let how = if access.is_write() { Use::Write } else { Use::Read };
            let Some(index) = access.subscripts.as_ref().and_then(|all| index_of(counters, own, all)) else {
                return Ok(None);
            };
            let mut found = Vec::new();
            for case in cases {
                let slide = case.place.and_then(|place| Some((self.slide(place)?, place)));
                let Some(mut case) = here.case(case, names)? else { return Ok(None) };
                if let Some((slide, place)) = slide {
                    let Some(shift) = self.slid(slide, place)? else { return Ok(None) };
                    case.version = vec![Int::Constant(slide.window.version(id, number, place.array()))];
                    for own in case.home.iter_mut().flat_map(|home| &mut home.coordinates) {
                        (own.shift, own.remainder) = (shift.clone(), Remainder::Fits);
                    }
                }
                found.push(case);
            }
            accesses.push(VersionAccess { statement: StatementId(id.0), how, index, cases: found });
        }
        Ok(Some(Versions { array: BufferId(array.0), accesses }))
    }

    fn case(&self, case: ValueCase, names: &BufferNames) -> Result<Option<VersionCase>> {
        let mut counter = |leaf: &Int| match leaf {
            Int::Local(depth) => self.counters.get(depth.0).unwrap_or(leaf).clone(),
            other => other.clone(),
        };
        let version = case.version.iter().map(|e| e.with_leaves(&mut counter)).collect();
        let cond = case.test.with_leaves(&mut counter);
        let home = match case.place {
            None => None,
            Some(place) => {
                let Some(coordinates) = self.coordinates(place)? else { return Ok(None) };
                Some(VersionHome { buffer: (names.of_values)(place), coordinates })
            }
        };
        Ok(Some(VersionCase { cond, version, home }))
    }
}

/// The subscripts of an access in a statement with such counters, outermost first.
pub(crate) fn index_of(counters: &[Int], statement: &Statement, subscripts: &[Expr]) -> Option<Vec<Int>> {
    let mut counter = |leaf: &Int| match leaf {
        Int::Local(id) => {
            let depth = statement.loops.iter().position(|own| own.0 == id.0);
            depth.and_then(|depth| counters.get(depth)).unwrap_or(leaf).clone()
        }
        other => other.clone(),
    };
    subscripts.iter().map(|e| Some(e.in_program()?.with_leaves(&mut counter))).collect()
}

/// The counters of a statement, outermost first. `None`: the program has no such statement any more.
pub(crate) fn counters_of(program: &Program, statement: StatementId) -> Option<&[Int]> {
    let mut found = None;
    for stmt in &program.body {
        stmt.each(&mut |stmt| match stmt.instance() {
            Some((own, at)) if own == statement => found = Some(at),
            _ => {}
        });
    }
    found
}

impl<'a> Sizes<'a> {
    /// The window that a place of values is in.
    fn slide(&self, place: &Placed) -> Option<&'a Sliding<'a>> {
        let first = place.shared().unwrap_or(place.array());
        self.slides.iter().find(|own| own.window.buffer() == first)
    }

    /// What is added to the coordinates of a value in a window that slides.
    fn slid(&self, own: &Sliding, place: &Placed) -> Result<Option<Int>> {
        let first = own.window.lowest().sub(&place.rows()[0].shift)?.coalesce()?;
        Ok(self.int(&first)?.map(|first| Int::binary(IntOp::Subtract, Int::Local(own.from), first)))
    }

    /// How the windows slide at the ends of iterations.
    fn slides(&self, after: &Program) -> Result<Option<Vec<(LoopId, Slide)>>> {
        let mut found = Vec::new();
        for Sliding { window, name, from, top } in self.slides {
            let one_less = format!("{{ [({})] }}", -1 - window.slope());
            let last = window.cells().add(&PwAff::read(window.cells().context(), &one_less)?)?.coalesce()?;
            let (Some(buffer), Some(slack), Some(last)) =
                (after.buffer(name), self.int(window.room())?, self.int(&last)?)
            else {
                return Ok(None);
            };
            found.push((window.time(), Slide { buffer, from: *from, top: *top, slack, by: window.slope(), last }));
        }
        Ok(Some(found))
    }
}

/// A window of values that slides, with its variables.
struct Sliding<'a> {
    window: &'a SlidingWindow,
    /// The buffer.
    name: &'a str,
    from: LocalId,
    top: LocalId,
}

/// The windows that slide; the program gets their variables.
fn with_variables<'a>(program: &mut Program, windows: &'a Windows) -> Vec<Sliding<'a>> {
    let mut variable = |name: &str| {
        program.locals.push(Local { name: name.to_string(), kind: LocalKind::Integer, held: Some(IntType::LONG) });
        LocalId(program.locals.len() - 1)
    };
    let mut found = Vec::new();
    for own in &windows.sliding {
        let (top, from) = (variable(&own.top), variable(&own.from));
        found.push(Sliding { window: own.window, name: own.name, from, top });
    }
    found
}

impl Sizes<'_> {
    /// `None`: this isn't a mapping by rows.
    fn coordinates(&self, place: &Placed) -> Result<Option<Vec<Coordinate>>> {
        if let Some(inside) = place.inside() {
            return self.inside(inside);
        }
        if let Some(row) = place.linear() {
            let size = self.parameter(&row.parameter);
            return Ok(size.and_then(|size| growing_coordinate(row, &size)).map(|own| vec![own]));
        }
        let mut found = Vec::new();
        for row in place.rows() {
            let (shift, remainder) = match &row.form {
                RowForm::Fits { lowest } => (self.int(lowest)?.map(negated), Remainder::Fits),
                RowForm::Modulo { lift } => (self.int(&row.shift)?, Remainder::Lifted(*lift)),
                RowForm::SignedModulo => (self.int(&row.shift)?, Remainder::Floor),
            };
            let (Some(shift), Some(modulus)) = (shift, self.int(&row.modulus)?) else { return Ok(None) };
            let least = least(&row.modulus, place.scope())?;
            found.push(Coordinate {
                coefficients: row.coefficients.iter().map(|own| Int::Constant(*own)).collect(),
                shift,
                modulus,
                least,
                remainder,
            });
        }
        Ok(Some(found))
    }

    /// Cells that are so much further on in another array.
    fn inside(&self, inside: &Inside) -> Result<Option<Vec<Coordinate>>> {
        let mut found = Vec::new();
        for (k, (shift, modulus)) in inside.shift.iter().zip(&self.program.buffers[inside.host.0].extents).enumerate() {
            let Some(shift) = self.int(shift)? else { return Ok(None) };
            let coefficients = (0..inside.shift.len()).map(|other| Int::Constant(i64::from(k == other))).collect();
            // What fits takes no remainder, whoever knows the extent.
            let modulus = modulus.clone().unwrap_or(Int::Constant(0));
            found.push(Coordinate { coefficients, shift, modulus, least: 0, remainder: Remainder::Fits });
        }
        Ok(Some(found))
    }

    fn parameter(&self, name: &str) -> Option<Int> {
        let position = self.parameters.iter().position(|own| own == name)?;
        (position < self.program.parameters.len()).then_some(Int::Parameter(ParameterId(position)))
    }

    fn int(&self, function: &PwAff) -> Result<Option<Int>> {
        let tree = self.text.tree(function)?;
        Ok(int_of(&tree, &|name| self.parameter(name)).map(|e| e.tidy(&[])))
    }

    fn cond(&self, e: &AstExpr) -> Option<Cond> {
        cond_of(e, &|name| self.parameter(name))
    }
}

/// Constants past this aren't compared with sizes.
const MOST: i64 = 4;

/// A number that a modulus is never below, if it is small.
fn least(modulus: &PwAff, sizes: &Set) -> Result<i64> {
    let mut least = 0;
    while least < MOST {
        let more = PwAff::read(sizes.context(), &format!("{{ [({})] }}", least + 1))?;
        if !sizes.is_subset(&modulus.at_least(&more)?)? {
            break;
        }
        least += 1;
    }
    Ok(least)
}

fn negated(e: Int) -> Int {
    match e {
        Int::Constant(value) if value > i64::MIN => Int::Constant(-value),
        e => Int::binary(IntOp::Subtract, Int::Constant(0), e),
    }
}

#[cfg(test)]
mod tests {
    use super::computes_with_data;
    use polyfold_program::{Int, Layout, Program};
    use polyfold_transform::{Coordinate, Remainder, Storage, StorageHome, apply_storage};

    #[test]
    fn data_may_choose_a_cell_but_no_remainder_is_taken_of_them() {
        let text = "program p(n) { in K[n]; inout B[n]; temporary W[n];
            for i = 0 while i < n step 1 { S0(i): W[i] = K[i]; S1(i): B[K[i]] = W[K[i]]; } }";
        let program = Program::read(text).expect("a program");
        assert!(!computes_with_data(&program));
        let coordinate = Coordinate {
            coefficients: vec![Int::Constant(1)],
            shift: Int::Constant(0),
            modulus: Int::Constant(2),
            least: 2,
            remainder: Remainder::Floor,
        };
        let array = program.buffer("W").expect("a buffer");
        let storage = Storage {
            array,
            home: StorageHome::New { name: "ring".to_string(), layout: Layout::Rows },
            coordinates: vec![coordinate],
        };
        let after = apply_storage(&program, &[storage]).expect("a temporary");
        assert!(computes_with_data(&after));
    }
}
