//! Rows of cells get pointers, which loops carry along (strength reduction of addresses).
//!
//! ```text
//! for i … {                                   for i … {
//!   int next = (at < n ? at + 1 : 0);           int next = (at < n ? at + 1 : 0);
//!   for j = 1 while j < n - 1 step 1 {          pointer row = &W[at][1][0];
//!     for k … { W[at][j][k] = … }         =>    for j = 1 while j < n - 1 step 1 {
//!   }                                             for k … { row[k] = … }
//!   at = next;                                    row = &row[1][0];
//! }                                             }
//!                                               at = next;
//!                                             }
//! ```
//!
//! The idea: cells of one row differ in their last subscript. An innermost loop along a row of a circular buffer gets a pointer
//! to the row. If the other subscripts grow with the counter of the loop around, the pointer moves with it. Else it begins in
//! front of the outermost loop that stays in the row. A row that a condition chooses gets one in front of the innermost loop.
//!
//! Where one row becomes another with each iteration, its pointer is handed on:
//!
//! ```text
//! for i … {                                   pointer row = &W[at][0];
//!   int next = …;                             for i … {
//!   pointer row = &W[at][0];                    int next = …;
//!   pointer row1 = &W[next][0];          =>     pointer row1 = &W[next][0];
//!   …                                           …
//!   at = next;                                  at = next;
//! }                                             row = &row1[0];
//!                                             }
//! ```
//!
//! Paper: Allen, Cocke, Kennedy, "Reduction of operator strength", 1981.
//!
//! Invariants: order and cells stay. A pointer that a loop carries begins in its plane, even if the loop has no iteration, and
//! ends no further than one row behind it.
//!
//! Limits: cells that a condition in the innermost loop guards keep their subscripts: nothing says that their row is there
//! otherwise.

use crate::chosen::chosen;
use crate::counters::{Counter, is_between};
use crate::fixed::{changed_in, has_loop, is_fixed};
use crate::fresh::{Name, fresh_pointer};
use polyfold_program::Sum;
use polyfold_program::{BufferId, Cond, Int, LocalId, LocalValue, Loop, Place, Program, Stmt};

/// The program with pointers to rows. `name` makes a variable's name from what it is for.
pub fn point(program: &Program, name: &Name) -> Program {
    let mut counters = Vec::new();
    let mut note = |stmt: &Stmt| counters.extend(if let Stmt::For(own) = stmt { Some(own.counter) } else { None });
    program.body.iter().for_each(|stmt| stmt.each(&mut note));
    let mut pointing = Pointing { program: program.clone(), name, counters, around: Vec::new() };
    let body = pointing.list(program.body.clone());
    Program { body, ..pointing.program }
}

struct Pointing<'a> {
    /// With the pointers that come.
    program: Program,
    name: &'a Name<'a>,
    /// Locals that count loops.
    counters: Vec<LocalId>,
    /// Of the loops around, outermost first.
    around: Vec<Counter>,
}

/// A row of cells: all subscripts but the last one.
#[derive(Clone, PartialEq)]
struct Row {
    buffer: BufferId,
    leading: Vec<Int>,
}

impl Pointing<'_> {
    fn stmt(&mut self, stmt: Stmt) -> Vec<Stmt> {
        match stmt {
            Stmt::For(own) if own.body.iter().any(has_loop) => {
                self.around.push(Counter::of(&own));
                let (mut list, own) = self.carried(own);
                let own = Loop { body: self.list(own.body), ..own };
                self.around.pop();
                let (begun, own) = self.handed_on(own);
                list.extend(begun);
                list.push(Stmt::For(own));
                list
            }
            Stmt::If { cond, then, other } => {
                vec![Stmt::If { cond, then: self.list(then), other: self.list(other) }]
            }
            other => vec![other],
        }
    }

    /// The loop with pointers that it carries along, and what is in front of it.
    fn carried(&mut self, mut own: Loop) -> (Vec<Stmt>, Loop) {
        let mut front = Vec::new();
        let (Some(first), Some(step @ 1..), false) = (own.first.clone(), own.step, own.parallel) else {
            return (front, own);
        };
        let changed = changed_in(&own.body);
        for row in self.rows(&own.body) {
            let Some(moves) = self.moves(&row, own.counter, step, &changed) else { continue };
            let begun: Vec<Int> = row.leading.iter().map(|e| replaced(e, own.counter, &first)).collect();
            let extents = &self.program.buffers[row.buffer.0].extents;
            let mut starts = begun.iter().zip(&moves).zip(extents).filter(|((_, by), _)| **by != 0);
            if !starts.all(|((start, _), extent)| extent.as_ref().is_some_and(|extent| self.is_there(start, extent))) {
                continue;
            }
            let pointer = self.pointer(&row);
            front.push(address(pointer, Row { leading: begun, ..row.clone() }.begin()));
            own.body = own.body.iter().map(|stmt| row.pointed(stmt, pointer)).collect();
            let index = moves.into_iter().skip_while(|by| *by == 0).chain([0]).map(Int::Constant).collect();
            let value = LocalValue::Address(Place::Through { pointer, index });
            own.body.push(Stmt::Set { local: pointer, value });
            own.invariant.addresses.push((pointer, row.begin()));
        }
        (front, own)
    }

    /// The loop with pointers that get those of other rows at the end of an iteration, and what is in front of it.
    fn handed_on(&self, mut own: Loop) -> (Vec<Stmt>, Loop) {
        let (mut front, changed) = (Vec::new(), changed_in(&own.body));
        let changes_once = |local: &LocalId| changed.iter().filter(|other| *other == local).count() == 1;
        let is_step = |(local, next): &(LocalId, LocalId)| !own.parallel && changes_once(local) && changes_once(next);
        let steps: Vec<(LocalId, LocalId)> = own.body.iter().filter_map(step_of).filter(is_step).collect();
        for step in steps {
            for (pointer, row, next) in self.successors(&own.body, step, &changed) {
                own.body.retain(|stmt| begun_row(stmt).is_none_or(|(begun, _)| begun != pointer));
                front.push(address(pointer, row.begin()));
                let value = LocalValue::Address(Place::Through { pointer: next, index: vec![Int::Constant(0)] });
                own.body.push(Stmt::Set { local: pointer, value });
                own.invariant.addresses.push((pointer, row.begin()));
            }
        }
        (front, own)
    }

    /// The pointers of a body to rows that become others where a local becomes another one, and the pointers to these.
    fn successors(
        &self,
        body: &[Stmt],
        (local, next): (LocalId, LocalId),
        changed: &[LocalId],
    ) -> Vec<(LocalId, Row, LocalId)> {
        let others: Vec<LocalId> = changed.iter().copied().filter(|other| *other != local).collect();
        let is_fixed = |(pointer, _): &(LocalId, Row)| !changed.contains(pointer);
        let rows: Vec<(LocalId, Row)> = body.iter().filter_map(begun_row).filter(is_fixed).collect();
        let successor = |(pointer, row): &(LocalId, Row)| {
            let extents = &self.program.buffers[row.buffer.0].extents;
            let begins = row.is_fixed(&others) && self.are_in_plane(&row.leading, extents, &self.around);
            let leading = row.leading.iter().map(|e| replaced(e, local, &Int::Local(next))).collect();
            let after = Row { leading, ..row.clone() };
            let (own, _) = rows.iter().find(|(_, row)| *row == after)?;
            (begins && *own != *pointer).then(|| (*pointer, row.clone(), *own))
        };
        rows.iter().filter_map(successor).collect()
    }

    /// How far a row moves with a loop's counter, in each dimension but the last one, if its pointer stays in its plane.
    fn moves(&self, row: &Row, counter: LocalId, step: i64, changed: &[LocalId]) -> Option<Vec<i64>> {
        let extents = &self.program.buffers[row.buffer.0].extents;
        let in_dimension = |(e, extent): (&Int, &Option<Int>)| {
            let (factor, rest) = Sum::of(e, 1).without(&Int::Local(counter))?;
            let is_linear = is_fixed(e, changed) && !rest.iter().any(|e| e.names(counter));
            let is_inside = factor == 0 || is_between(e, (0, extent.as_ref()?, -step), &self.around);
            (is_linear && is_inside && matches!(factor, 0 | 1)).then(|| factor.checked_mul(step)).flatten()
        };
        let moves: Vec<i64> = row.leading.iter().zip(extents).map(in_dimension).collect::<Option<_>>()?;
        (moves.iter().filter(|by| **by != 0).count() == 1).then_some(moves)
    }

    /// Whether a subscript is within its dimension, or one past it, even if the innermost loop around runs no iteration. The
    /// others do run.
    fn is_there(&self, start: &Int, extent: &Int) -> bool {
        let outer = &self.around[..self.around.len().saturating_sub(1)];
        let slack = Sum::of(extent, 1).plus(start, -1);
        let is_enough = |known: &Sum| slack.less(known).is_some_and(|more| more >= 0);
        let has_one_row = Sum::of(extent, 1).plus(&Int::Constant(1), -1);
        is_between(start, (0, start, 0), outer)
            && (is_enough(&Sum::default())
                || is_enough(&has_one_row)
                || outer.iter().flat_map(Counter::iterations).any(|more| is_enough(&more)))
    }

    /// A list with pointers to the rows that loops in it go through.
    fn list(&mut self, mut list: Vec<Stmt>) -> Vec<Stmt> {
        for row in self.rows(&list) {
            let is_changed = |stmt: &Stmt| !row.is_fixed(&changed_in(std::slice::from_ref(stmt)));
            let Some(first) = list.iter().position(|stmt| self.rows(std::slice::from_ref(stmt)).contains(&row)) else {
                continue;
            };
            let begun = list[..first].iter().rposition(is_changed).map_or(0, |last| last + 1);
            let from = list[begun..=first].iter().position(|stmt| row.is_in(stmt)).map_or(first, |more| begun + more);
            let from = in_front_of_parts(&list[begun..], from - begun) + begun;
            let to = list[first..].iter().position(is_changed).map_or(list.len(), |more| first + more);
            let pointer = self.pointer(&row);
            list[from..to].iter_mut().for_each(|stmt| *stmt = row.pointed(stmt, pointer));
            list.insert(from, address(pointer, row.begin()));
        }
        let list: Vec<Stmt> = list.into_iter().flat_map(|stmt| self.with_chosen(stmt)).collect();
        list.into_iter().flat_map(|stmt| self.stmt(stmt)).collect()
    }

    /// An innermost loop with pointers to rows that a condition chooses, which begin in front of it.
    fn with_chosen(&mut self, stmt: Stmt) -> Vec<Stmt> {
        let Stmt::For(mut own) = stmt else { return vec![stmt] };
        if own.parallel || own.body.iter().any(has_loop) {
            return vec![Stmt::For(own)];
        }
        let changed = changed_in(&own.body);
        let (mut begun, counter): (Vec<(Place, LocalId)>, LocalId) = (Vec::new(), own.counter);
        let mut pointed = |this: &mut Self, place: &Place| {
            let (begin, last) =
                chosen(place, counter).filter(|(begin, _)| this.is_there_in(begin, &changed, &this.around))?;
            let known = begun.iter().find(|(other, _)| *other == begin).map(|(_, pointer)| *pointer);
            let pointer = known.or_else(|| {
                let pointer = this.pointer(&Row { buffer: buffer_of(&begin)?, leading: Vec::new() });
                begun.push((begin, pointer));
                Some(pointer)
            })?;
            Some(Place::Through { pointer, index: vec![last] })
        };
        for stmt in &mut own.body {
            if let Stmt::Assign(own) = stmt {
                own.value = own.value.with_reads(&mut |place| pointed(self, place));
            }
        }
        let begun = begun.into_iter().map(|(begin, pointer)| address(pointer, begin));
        begun.chain([Stmt::For(own)]).collect()
    }

    /// Whether a row stays the same, and its cell is there or one behind its end, whichever it is.
    fn is_there_in(&self, place: &Place, changed: &[LocalId], around: &[Counter]) -> bool {
        let mut fixed = true;
        place.each_int(&mut |e| fixed &= is_fixed(e, changed));
        fixed
            && match place {
                Place::Select(cond, yes, no) => {
                    let knowing = |cond: &Cond| around.iter().map(|own| own.where_holds(cond)).collect::<Vec<_>>();
                    self.is_there_in(yes, changed, &knowing(cond))
                        && self.is_there_in(no, changed, &knowing(&!(**cond).clone()))
                }
                Place::Through { pointer, .. } => !changed.contains(pointer),
                Place::Cell { buffer, index } => {
                    let extents = &self.program.buffers[buffer.0].extents;
                    let Some((last, leading)) = index.split_last() else { return false };
                    let end = extents.last().and_then(Option::as_ref);
                    self.are_in_plane(leading, extents, around)
                        && (*last == Int::Constant(0) || end.is_some_and(|extent| self.is_there(last, extent)))
                }
            }
    }

    /// The rows of circular buffers that loops of a list go through, each the same all the time there.
    fn rows(&self, list: &[Stmt]) -> Vec<Row> {
        let mut found: Vec<Row> = Vec::new();
        for stmt in list {
            let Stmt::For(own) = stmt else { continue };
            let changed = changed_in(std::slice::from_ref(stmt));
            let is_row = |row: &Row| row.is_fixed(&changed) && self.is_in_plane(row);
            for row in rows_in(own).into_iter().filter(is_row) {
                if !found.contains(&row) {
                    found.push(row);
                }
            }
        }
        found
    }

    /// Whether a subscript is a local that loops carry along, and the others lie within their dimensions.
    fn is_in_plane(&self, row: &Row) -> bool {
        let extents = &self.program.buffers[row.buffer.0].extents;
        row.leading.iter().any(|e| self.is_carried(e)) && self.are_in_plane(&row.leading, extents, &self.around)
    }

    /// Whether an integer is a local that loops carry along in its dimension.
    fn is_carried(&self, e: &Int) -> bool {
        matches!(e, Int::Local(id) if !self.counters.contains(id))
    }

    fn are_in_plane(&self, leading: &[Int], extents: &[Option<Int>], around: &[Counter]) -> bool {
        let is_there = |(e, extent): (&Int, &Option<Int>)| {
            self.is_carried(e) || extent.as_ref().is_some_and(|extent| is_between(e, (0, extent, 0), around))
        };
        leading.iter().zip(extents).all(is_there)
    }

    fn pointer(&mut self, row: &Row) -> LocalId {
        let stem = format!("{}_row", self.program.buffers[row.buffer.0].name);
        fresh_pointer(&mut self.program, self.name, &stem)
    }
}

impl Row {
    fn begin(&self) -> Place {
        let index = self.leading.iter().cloned().chain([Int::Constant(0)]).collect();
        Place::Cell { buffer: self.buffer, index }
    }

    /// Whether it is the same row all the time, where some locals change.
    fn is_fixed(&self, changed: &[LocalId]) -> bool {
        self.leading.iter().all(|e| is_fixed(e, changed))
    }

    fn is_in(&self, stmt: &Stmt) -> bool {
        let mut found = false;
        stmt.each(&mut |stmt| found |= rows_of(stmt).contains(self));
        found
    }

    /// The last subscript of a cell of the row.
    fn last<'a>(&self, place: &'a Place) -> Option<&'a Int> {
        match place {
            Place::Cell { buffer, index } if *buffer == self.buffer => {
                let (last, leading) = index.split_last()?;
                (leading == self.leading).then_some(last)
            }
            _ => None,
        }
    }

    /// A statement whose cells of the row are reached by a pointer.
    fn pointed(&self, stmt: &Stmt, pointer: LocalId) -> Stmt {
        let through = |last: &Int| Place::Through { pointer, index: vec![last.clone()] };
        stmt.with_cells(&mut |place| self.last(&place).map(through).unwrap_or(place))
    }
}

/// The rows of the cells that an assignment uses, in the order in which it names them.
fn rows_of(stmt: &Stmt) -> Vec<Row> {
    let mut found = Vec::new();
    if let Stmt::Assign(own) = stmt {
        let mut note = |place: &Place| {
            if let Place::Cell { buffer, index } = place
                && let Some((_, leading @ [_, ..])) = index.split_last()
            {
                found.push(Row { buffer: *buffer, leading: leading.to_vec() });
            }
        };
        note(&own.target);
        own.value.each_read(&mut note);
    }
    found
}

/// The rows that innermost loops in a loop go through, which no condition guards. Threads say whose variables they use.
fn rows_in(own: &Loop) -> Vec<Row> {
    if own.parallel {
        return Vec::new();
    }
    let is_innermost = !own.body.iter().any(has_loop);
    let in_stmt = |stmt: &Stmt| match stmt {
        Stmt::For(inside) => rows_in(inside),
        stmt if is_innermost => rows_of(stmt),
        _ => Vec::new(),
    };
    own.body.iter().flat_map(in_stmt).collect()
}

/// Where a statement of a list begins: the parts of one loop begin with its counter.
fn in_front_of_parts(list: &[Stmt], at: usize) -> usize {
    let Stmt::For(Loop { counter, first: None, .. }) = &list[at] else { return at };
    let belongs = |stmt: &Stmt| match stmt {
        Stmt::For(own) => own.counter == *counter && own.first.is_none(),
        Stmt::Let { local, value: LocalValue::Integer(_) } | Stmt::Set { local, .. } => local == counter,
        Stmt::Let { value: LocalValue::Address(_), .. } => true,
        _ => false,
    };
    list[..at].iter().rposition(|stmt| !belongs(stmt)).map_or(0, |last| last + 1)
}

/// The buffer of the first cell of a place that is no pointer's.
fn buffer_of(place: &Place) -> Option<BufferId> {
    match place {
        Place::Cell { buffer, .. } => Some(*buffer),
        Place::Through { .. } => None,
        Place::Select(_, yes, no) => buffer_of(yes).or_else(|| buffer_of(no)),
    }
}

/// A local that becomes another one.
fn step_of(stmt: &Stmt) -> Option<(LocalId, LocalId)> {
    match stmt {
        Stmt::Set { local, value: LocalValue::Integer(Int::Local(next)) } => Some((*local, *next)),
        _ => None,
    }
}

/// The row that a pointer begins at.
fn begun_row(stmt: &Stmt) -> Option<(LocalId, Row)> {
    match stmt {
        Stmt::Let { local, value: LocalValue::Address(Place::Cell { buffer, index }) } => {
            let (last, leading) = index.split_last()?;
            let is_row = *last == Int::Constant(0) && !leading.is_empty();
            is_row.then(|| (*local, Row { buffer: *buffer, leading: leading.to_vec() }))
        }
        _ => None,
    }
}

/// A pointer that begins.
fn address(pointer: LocalId, place: Place) -> Stmt {
    Stmt::Let { local: pointer, value: LocalValue::Address(place) }
}

fn replaced(e: &Int, local: LocalId, by: &Int) -> Int {
    let placed = e.with_leaves(&mut |leaf| if *leaf == Int::Local(local) { by.clone() } else { leaf.clone() });
    Sum::of(&placed, 1).print(&[])
}

#[cfg(test)]
mod tests {
    use super::point;
    use crate::reduce;
    use polyfold_isl::Context;
    use polyfold_program::{Assign, Loop, Place, Program, Stmt, Value};
    use polyfold_prove::validate::{Verdict, lockstep};
    use polyfold_replay::terms::{agree, sizes_to_run};

    /// The program with pointers where remainders are carried along, which is judged.
    fn judged(ring: &str, body: &str) -> String {
        let program = Program::read(&format!(
            "program p(n: i32, T: i32) where n >= 1, T >= 0 {{ in A[n][n]; inout {ring}; {body} }}"
        ));
        let program = program.expect("a program");
        let program = Program { body: program.body.iter().map(of_places).collect(), ..program };
        let after = point(&reduce(&program, &str::to_string), &str::to_string);
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 1_000_000);
        assert!(ran.as_ref().is_ok_and(|ran| ran.agreed >= 6), "{ran:?}\n{after}");
        let verdict = lockstep(&Context::new(), &program, &after, 200_000_000).expect("isl works");
        assert!(matches!(verdict, Verdict::Same { .. }), "{verdict:?}\n{after}");
        let text = after.to_string();
        assert_eq!(Program::read(&text).expect("it reads back").to_string(), text);
        text
    }

    /// A statement that reads of one of two places where it chose between what both hold.
    fn of_places(stmt: &Stmt) -> Stmt {
        fn value(own: &Value) -> Value {
            match own {
                Value::Choice(cond, yes, no) => match (&**yes, &**no) {
                    (Value::Read(yes), Value::Read(no)) => {
                        Value::Read(Place::Select(cond.clone(), Box::new(yes.clone()), Box::new(no.clone())))
                    }
                    _ => own.clone(),
                },
                Value::Apply(op, operands) => Value::Apply(op.clone(), operands.iter().map(value).collect()),
                other => other.clone(),
            }
        }
        let list = |body: &[Stmt]| body.iter().map(of_places).collect();
        match stmt {
            Stmt::For(own) => Stmt::For(Loop { body: list(&own.body), ..own.clone() }),
            Stmt::If { cond, then, other } => Stmt::If { cond: cond.clone(), then: list(then), other: list(other) },
            Stmt::Assign(own) => Stmt::Assign(Assign { value: value(&own.value), ..own.clone() }),
            other => other.clone(),
        }
    }

    /// How many pointers there are, and how many of them move.
    fn counts(ring: &str, body: &str) -> (usize, usize) {
        let after = judged(ring, &format!("for let i: i32 = 1 while i < n - 1 step 1 {{ {body} }}"));
        (after.matches("pointer ").count(), after.matches("pointing ").count())
    }

    #[test]
    fn pointers_move_with_a_loop_over_rows() {
        let body = |rows: &str| {
            format!(
                "for let j: i32 = {rows} step 1 {{
                   S0(i, j): W[(i + T) % (n + 1)][j][0] = A[i][j];
                   for let k: i32 = 1 while k < n step 1 {{
                     S1(i, j, k): W[(i + T + 1) % (n + 1)][j][k] = W[(i + T) % (n + 1)][j][k - 1] + W[(i + T) % (n + 1)][j - 1][k];
                   }} }}"
            )
        };
        assert_eq!(counts("W[n + 1][n][n]", &body("1 while j < n")), (3, 3));
        // Row 4 needn't be there: the loop over i says that there are three.
        assert_eq!(counts("W[n + 1][n][n]", &body("2 while j < n - 1")), (3, 3));
        assert_eq!(counts("W[n + 1][n][n]", &body("4 while j < n - 1")).1, 1);
        assert_eq!(counts("W[n + 1][n][n]", &body("1 while j < T && j < n")), (3, 3));
        // Nobody says that the row behind the last one is there.
        assert_eq!(counts("W[n + 1][max(n, 2 * T)][n]", &body("1 while j < T && j < n")), (0, 0));
    }

    #[test]
    fn rows_are_chosen_in_front_of_their_loop() {
        let body = |cond: &str| {
            format!(
                "for let k: i32 = 0 while k < n step 1 {{ S2(i, k): Q[k] = A[i][k]; }}
                 for let k: i32 = 1 while k < n step 1 {{
                   S0(i, k): W[(i + T + 1) % (n + 1)][k] = ({cond} ? W[(i + T) % (n + 1)][k] : Q[k - 1]) + 2 * ({cond} ? W[(i + T) % (n + 1)][k] : Q[k - 1]);
                   if (k > 2) {{ S1(i, k): Q[k] = ({cond} ? W[(i + T) % (n + 1)][k] : Q[k - 1]); }} }}"
            )
        };
        let after = judged(
            "W[n + 1][n]; inout Q[n]",
            &format!("for let i: i32 = 1 while i < n - 1 step 1 {{ {} }}", body("i >= 2")),
        );
        assert_eq!(after.matches("i >= 2 ? &").count(), 1, "{after}");
        let by_loop = judged(
            "W[n + 1][n]; inout Q[n]",
            &format!("for let i: i32 = 1 while i < n - 1 step 1 {{ {} }}", body("k >= 2")),
        );
        assert!(!by_loop.contains("? &"), "{by_loop}");
    }

    #[test]
    fn pointers_begin_in_front_of_loops_that_stay_in_a_row() {
        let body = "S0(i): W[(i + T + 1) % (n + 1)][0] = A[i][0];
            for let k: i32 = 1 while k < n step 1 { S1(i, k): W[(i + T + 1) % (n + 1)][k] = W[(i + T) % (n + 1)][k - 1]; }
            if (i > 1) {
              for let j: i32 = 0 while j < T step 1 { for let k: i32 = 1 while k < n step 1 {
                S2(i, j, k): W[(i + T + 1) % (n + 1)][k] = W[(i + T + 2) % (n + 1)][k] + A[j][k];
                if (k > 2) { S3(i, j, k): W[(i + T + 3) % (n + 1)][k] = A[j][k]; } } } }";
        // That of the first row is handed on.
        assert_eq!(counts("W[n + 1][n]", body), (3, 1));
    }
}
