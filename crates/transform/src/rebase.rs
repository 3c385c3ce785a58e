//! Cells that are counted from where an iteration begins move on at its end.
//!
//! ```text
//! for j … { W[j mod 3] = A[j]; B[j] = W[(j - 2) mod 3]; }
//!   =>   for j … { W[2] = A[j]; B[j] = W[0]; copy W[0] = W[1]; copy W[1] = W[2]; }
//! ```
//!
//! The idea: a circular buffer takes a remainder for each access. A loop can move what the next iteration needs to
//! where that counts it, and then subscripts need none. Few cells move one by one. A loop moves many, and only if
//! another iteration comes.
//!
//! A window may also slide through more cells than it has. Each iteration counts from a variable that goes down. When
//! it can go no further, all cells move back.
//!
//! ```text
//! int top = 7; int from = top;
//! for t … { …; if (from > 0) { from = from - 1; } else { for at = n - 1 downto 0 { copy W[at + top + 1] = W[at]; } from = top; } }
//! ```
//!
//! Which cells the accesses find is for [`apply_storage`](crate::apply_storage) and
//! [`place_versions`](crate::place_versions): this pass adds the moves.
//!
//! Source: line buffers and delay lines as they are written by hand.
//!
//! Invariant: order and values of the other statements stay.

use crate::fresh::{Name, fresh, fresh_counter, fresh_variable, let_be};
use polyfold_program::{
    Buffer, BufferId, Cond, Copy, Int, IntOp, Invariant, LocalId, LocalValue, Loop, Program, Range, Region, Relation,
    StatementId, Stmt,
};

/// More cells are moved by a loop.
const FEW: i64 = 8;

/// What moves at the ends of a loop's iterations.
#[derive(Clone, Debug)]
pub enum AtEnd {
    /// Cells.
    Moves(Move),
    /// A window that slides.
    Slides(Slide),
}

/// A window that slides through more cells than it has.
#[derive(Clone, Debug)]
pub struct Slide {
    /// Whose cells.
    pub buffer: BufferId,
    /// What subscripts are counted from: an integer of the program.
    pub from: LocalId,
    /// What that begins with.
    pub top: LocalId,
    /// The value of that: how many cells there are more than the window has.
    pub slack: Int,
    /// By how much it goes down with each iteration, at least 1.
    pub by: i64,
    /// The window's last cell that stays, counted from the first one.
    pub last: Int,
}

/// A loop at whose iterations' ends something moves.
#[derive(Clone, Debug)]
pub struct Moving {
    /// How many loops are around it.
    pub depth: usize,
    /// Statements in it.
    pub statements: Vec<StatementId>,
    /// What moves.
    pub moves: Vec<AtEnd>,
}

/// Cells of a buffer that move: `to + k` gets what `from + k` holds, for each k up to a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// Whose cells.
    pub buffer: BufferId,
    /// The dimension along which they move; all extents of the others are numbers.
    pub dimension: usize,
    /// The first cell that gets a value.
    pub to: i64,
    /// The first cell whose value moves.
    pub from: i64,
    /// How many.
    pub count: i64,
    /// Whether what was in cell `to` goes to the last one.
    pub goes_round: bool,
}

/// The program in which these cells move. `None`: one of the loops isn't there, or doesn't count.
pub fn rebase(program: &Program, all: &[Moving], name: &Name) -> Option<Program> {
    let mut rebasing = Rebasing { program: program.clone(), name };
    let body = all.iter().try_fold(program.body.clone(), |body, moving| rebasing.list(&body, moving, moving.depth))?;
    let begun = all.iter().flat_map(|moving| &moving.moves).flat_map(AtEnd::begun).chain(body).collect();
    Some(Program { body: begun, ..rebasing.program })
}

struct Rebasing<'a> {
    /// With locals and variables that come.
    program: Program,
    name: &'a Name<'a>,
}

impl Rebasing<'_> {
    /// `None`: the loop isn't in the list.
    fn list(&mut self, list: &[Stmt], moving: &Moving, depth: usize) -> Option<Vec<Stmt>> {
        let mut found = None;
        let list = list.iter().map(|stmt| match self.stmt(stmt, moving, depth) {
            Some(changed) if found.is_none() => found.insert(changed).clone(),
            _ => stmt.clone(),
        });
        let list = list.collect();
        found.map(|_| list)
    }

    fn stmt(&mut self, stmt: &Stmt, moving: &Moving, depth: usize) -> Option<Stmt> {
        match stmt {
            Stmt::For(own) if depth == 0 => {
                let is_it = moving.statements.iter().any(|id| stmt.assigned().contains(id));
                if is_it { self.moved(own, moving).map(Stmt::For) } else { None }
            }
            Stmt::For(own) => Some(Stmt::For(Loop { body: self.list(&own.body, moving, depth - 1)?, ..own.clone() })),
            Stmt::If { cond, then, other } => {
                let (yes, no) = (self.list(then, moving, depth), self.list(other, moving, depth));
                (yes.is_some() || no.is_some()).then(|| Stmt::If {
                    cond: cond.clone(),
                    then: yes.unwrap_or_else(|| then.clone()),
                    other: no.unwrap_or_else(|| other.clone()),
                })
            }
            _ => None,
        }
    }

    fn moved(&mut self, own: &Loop, moving: &Moving) -> Option<Loop> {
        let mut body = own.body.clone();
        let mut many = Vec::new();
        for end in &moving.moves {
            match end {
                AtEnd::Moves(one) if one.is_few() => body.extend(self.one_by_one(one)?),
                AtEnd::Moves(one) => many.push(self.by_loop(one)),
                AtEnd::Slides(one) => body.push(self.slid(one)),
            }
        }
        if !many.is_empty() {
            body.push(Stmt::If { cond: another(own)?, then: many, other: Vec::new() });
        }
        Some(Loop { body, ..own.clone() })
    }

    fn slid(&mut self, own: &Slide) -> Stmt {
        let (at, from_, top) = (fresh(&mut self.program, self.name, "at"), Int::Local(own.from), Int::Local(own.top));
        let plus = |e: Int, more: Int| Int::binary(IntOp::Add, e, more);
        let cell = |e: Int| cell_at(own.buffer, [e].into_iter());
        // With several cells at a time some may be left below.
        let (goes_on, here) = match own.by {
            1 => (Cond::compare(from_.clone(), Relation::Greater, Int::Constant(0)), Int::Local(at)),
            by => {
                let here = plus(Int::Local(at), from_.clone());
                (Cond::compare(from_.clone(), Relation::GreaterOrEqual, Int::Constant(by)), here)
            }
        };
        let to = cell(plus(plus(Int::Local(at), top.clone()), Int::Constant(own.by)));
        let back = counting(at, (own.last.clone(), (Relation::GreaterOrEqual, Int::Constant(0)), -1), to, cell(here));
        let set = |value: Int| Stmt::Set { local: own.from, value: LocalValue::Integer(value) };
        let down = set(Int::binary(IntOp::Subtract, from_, Int::Constant(own.by)));
        Stmt::If { cond: goes_on, then: vec![down], other: vec![back, set(top)] }
    }

    fn one_by_one(&mut self, own: &Move) -> Option<Vec<Stmt>> {
        let mut stmts = Vec::new();
        for row in rows(&self.program.buffers[own.buffer.0], own.dimension)? {
            let cell = |at: i64| {
                let index = row.iter().enumerate();
                cell_at(own.buffer, index.map(|(k, e)| if k == own.dimension { Int::Constant(at) } else { e.clone() }))
            };
            let first = own.goes_round.then(|| self.variable(own.buffer));
            stmts.extend(first.map(|to| copy(true, variable(to), cell(own.to))));
            stmts.extend(own.order().map(|k| copy(false, cell(own.to + k), cell(own.from + k))));
            stmts.extend(first.map(|from| copy(false, cell(own.from + own.count - 1), variable(from))));
        }
        Some(stmts)
    }

    /// What has moved isn't read again.
    fn by_loop(&mut self, own: &Move) -> Stmt {
        let is_int = i32::try_from(own.count.max(own.to).max(own.from)).is_ok();
        let counter = if is_int { fresh_counter } else { fresh };
        let at = counter(&mut self.program, self.name, "at");
        let cell = |first: i64| cell_at(own.buffer, [from(at, first)].into_iter());
        let is_upward = own.to < own.from;
        let head = match is_upward {
            true => (Int::Constant(0), (Relation::Less, Int::Constant(own.count)), 1),
            false => (Int::Constant(own.count - 1), (Relation::GreaterOrEqual, Int::Constant(0)), -1),
        };
        counting(at, head, cell(own.to), cell(own.from))
    }

    /// A variable for what goes round.
    fn variable(&mut self, of: BufferId) -> BufferId {
        let own = &self.program.buffers[of.0];
        let (stem, element) = (format!("{}_first", own.name), own.element.clone());
        fresh_variable(&mut self.program, self.name, (&stem, element))
    }
}

impl AtEnd {
    /// What stands in front of everything.
    fn begun(&self) -> Vec<Stmt> {
        match self {
            AtEnd::Moves(_) => Vec::new(),
            AtEnd::Slides(own) => vec![let_be(own.top, own.slack.clone()), let_be(own.from, Int::Local(own.top))],
        }
    }
}

/// A loop that copies cells.
fn counting(
    at: LocalId,
    (first, (relation, bound), step): (Int, (Relation, Int), i64),
    to: Region,
    from: Region,
) -> Stmt {
    Stmt::For(Loop {
        counter: at,
        declares: true,
        first: Some(first),
        test: Cond::compare(Int::Local(at), relation, bound),
        step: Some(step),
        parallel: false,
        vector: false,
        invariant: Invariant::default(),
        body: vec![copy(false, to, from)],
    })
}

impl Move {
    fn is_few(&self) -> bool {
        self.count <= FEW
    }

    /// No cell is written whose value has yet to move.
    fn order(&self) -> impl Iterator<Item = i64> + use<> {
        let (count, is_upward) = (self.count, self.to < self.from);
        (0..count).map(move |k| if is_upward { k } else { count - 1 - k })
    }
}

/// That a loop has another iteration behind this one. `None`: it doesn't count.
fn another(own: &Loop) -> Option<Cond> {
    let step = own.step?;
    let next = |e: &Int| match e {
        Int::Local(id) if *id == own.counter => from(*id, step),
        other => other.clone(),
    };
    Some(own.test.with_leaves(&mut |leaf| next(leaf)))
}

/// `at + by`
fn from(at: LocalId, by: i64) -> Int {
    match by {
        0 => Int::Local(at),
        1.. => Int::binary(IntOp::Add, Int::Local(at), Int::Constant(by)),
        _ => Int::binary(IntOp::Subtract, Int::Local(at), Int::Constant(-by)),
    }
}

/// The subscripts of a buffer's rows along a dimension, with 0 for that one. `None`: the others aren't numbers.
fn rows(buffer: &Buffer, along: usize) -> Option<Vec<Vec<Int>>> {
    let mut rows = vec![Vec::new()];
    for (dimension, extent) in buffer.extents.iter().enumerate() {
        let count = if dimension == along { 1 } else { extent.as_ref()?.as_constant()? };
        rows = (0..count)
            .flat_map(|k| rows.iter().map(move |row: &Vec<Int>| [&row[..], &[Int::Constant(k)]].concat()))
            .collect();
    }
    Some(rows)
}

fn cell_at(buffer: BufferId, index: impl Iterator<Item = Int>) -> Region {
    Region { buffer, ranges: index.map(|first| Range { first, count: Int::Constant(1) }).collect() }
}

fn variable(buffer: BufferId) -> Region {
    Region { buffer, ranges: Vec::new() }
}

fn copy(declares: bool, to: Region, from: Region) -> Stmt {
    Stmt::Copy(Copy { declares, to, from, tag: None })
}

#[cfg(test)]
mod tests {
    use super::{AtEnd, Move, Moving, rebase};
    use polyfold_isl::Context;
    use polyfold_program::Program;
    use polyfold_prove::validate::{Verdict, dataflow};
    use polyfold_replay::terms::{agree, sizes_to_run};

    fn program(body: &str) -> Program {
        let text = format!("program p(n) where n >= 1 {{ in A[n]; out B[n]; temporary W[48]; {body} }}");
        Program::read(&text).expect("a program")
    }

    /// Whether execution and the exact dataflow say that both compute the same. They must agree.
    fn is_same(before: &Program, after: &Program) -> bool {
        let runs = agree(before, after, &sizes_to_run(before, after), 1_000_000).is_ok();
        let verdict = dataflow(&Context::new(), before, after, 1_000_000_000).expect("isl works");
        assert_eq!(runs, matches!(verdict, Verdict::Same { .. }), "{verdict:?}\n{after}");
        runs
    }

    fn moved(windows: &Program, depth: usize, moves: Move) -> Program {
        let moving = Moving {
            depth,
            statements: vec![windows.statement("S0").expect("a statement")],
            moves: vec![AtEnd::Moves(moves)],
        };
        rebase(windows, &[moving], &str::to_string).expect("the loop is there")
    }

    fn cells(windows: &Program, (to, from, count): (i64, i64, i64)) -> Move {
        let buffer = windows.buffer("W").expect("a buffer");
        Move { buffer, dimension: 0, to, from, count, goes_round: false }
    }

    #[test]
    fn a_circular_buffer_becomes_a_shift_register() {
        let ring = program(
            "for j = 0 while j < n step 1 {
               S0(j): W[j mod 3] = A[j]; if (j >= 2) { S1(j): B[j] = W[(j - 2) mod 3]; } }",
        );
        let register =
            program("for j = 0 while j < n step 1 { S0(j): W[2] = A[j]; if (j >= 2) { S1(j): B[j] = W[0]; } }");
        assert!(is_same(&ring, &moved(&register, 0, cells(&register, (0, 1, 2)))));
        assert!(!is_same(&ring, &moved(&register, 0, cells(&register, (0, 1, 1)))));
    }

    #[test]
    fn what_goes_round_is_kept_in_a_variable() {
        let ring = program(
            "S2(): W[0] = A[0]; for j = 0 while j < n step 1 { S0(j): B[j] = W[j mod 3]; S1(j): W[(j + 1) mod 3] = A[j]; }",
        );
        let register =
            program("S2(): W[0] = A[0]; for j = 0 while j < n step 1 { S0(j): B[j] = W[0]; S1(j): W[1] = A[j]; }");
        let round = |goes_round| Move { goes_round, ..cells(&register, (0, 1, 2)) };
        let after = moved(&register, 0, round(true));
        assert!(is_same(&ring, &after) && after.is_well_scoped(), "{after}");
        assert!(after.to_string().contains("copy let W_first = W[0 : 1];"), "{after}");
    }

    #[test]
    fn a_window_goes_along_with_strips_up_and_down() {
        for (head, head_of_strip, moves, wrong) in [
            ("c = 0 while c < n step 16", "j = c while j < n && j < c + 16 step 1", (0, 16, 9), (0, 16, 8)),
            ("c = n - 1 while c >= 0 step -16", "j = c while j >= 0 && j > c - 16 step -1", (16, 0, 9), (16, 1, 9)),
        ] {
            let of = |place: &str, read: &str, far: &str| {
                program(&format!(
                    "for {head} {{ for {head_of_strip} {{
                       S0(c, j): W[{place}] = A[j]; if ({far}) {{ S1(c, j): B[j] = W[{read}]; }} }} }}"
                ))
            };
            let is_up = moves.0 == 0;
            let ring = if is_up {
                of("j mod 48", "(j - 9) mod 48", "j >= 9")
            } else {
                of("j mod 48", "(j + 9) mod 48", "j + 9 < n")
            };
            let window =
                if is_up { of("j - c + 9", "j - c", "j >= 9") } else { of("j - c + 15", "j - c + 24", "j + 9 < n") };
            let after = moved(&window, 0, cells(&window, moves));
            assert!(is_same(&ring, &after), "{after}");
            assert!(!is_same(&ring, &moved(&window, 0, cells(&window, wrong))));
        }
    }
}
