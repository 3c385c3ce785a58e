//! Steps between grids take the border of these along.
//!
//! Around the loops that write the inside of a grid come copies of the cells beside it:
//!
//! ```text
//! for (i = 1; i < n - 1; i++)                   for (j = 0; j < m; j++) P[0][j] = Q[0][j];
//!   for (j = 1; j < m - 1; j++)                 for (i = 1; i < n - 1; i++) {
//!     P[i][j] = f(Q, i, j);             =>        P[i][0] = Q[i][0];
//!                                                 for (j = 1; j < m - 1; j++) P[i][j] = f(Q, i, j);
//!                                                 P[i][m - 1] = Q[i][m - 1];
//!                                               }
//!                                               for (j = 0; j < m; j++) P[n - 1][j] = Q[n - 1][j];
//! ```
//!
//! Loops that only copy the inside go through all of it instead.
//!
//! Where n = 1 the first row is the last one. It may be copied twice, which changes nothing, unless
//! copies go in both directions: then the second one finds what the other direction has moved
//! already, as far as storage is concerned. There `if (n > 1)` stands in front of the last row and
//! the last cell. Of a border that is two cells wide and more, each cell is copied once for small
//! sizes, too: `for (i = 0; i < 2 && i < n; i++)` in front, and `for (i = max(n - 2, 2); i < n;
//! i++)` behind.
//!
//! Invariant: statements come, and the bounds of some loops change; nothing else does. That this
//! changes nothing is the judges' to say.
//!
//! Source: our own; ghost cells of stencil codes are the same, once.

use polyfold_program::{
    Assign, BufferId, Cond, Int, IntOp, Loop, Place, Program, Relation, StatementId, Stmt, Sum, Value,
};
use std::cmp::Ordering;
use std::ops::Range;

/// Grids with a border.
pub struct Border {
    /// How wide the border is in front of the inside and behind it, by dimension.
    pub width: Vec<(i64, i64)>,
    /// The first and the last cell of the inside, by dimension.
    pub inside: Vec<(Int, Int)>,
    /// Along which dimensions the cells at the ends are copied.
    pub dimensions: Range<usize>,
    /// What writes the inside, in text order.
    pub nests: Vec<BorderNest>,
}

/// Loops that write the inside of a grid.
pub struct BorderNest {
    /// The statement that does.
    pub statement: StatementId,
    /// How many loops are around those along the grid's dimensions.
    pub depth: usize,
    /// The cell that it writes, by dimension.
    pub cell: Vec<Int>,
    /// The grid that is written.
    pub to: Grid,
    /// The one that the border comes from.
    pub from: Grid,
    /// Whether it only copies the inside, in loops that nothing else is in.
    pub is_copy: bool,
    /// By dimension, whether another loop may use the counter: nobody asks for it behind.
    pub is_free: Vec<bool>,
}

/// A grid in an array.
pub struct Grid {
    /// The array.
    pub buffer: BufferId,
    /// The subscript that says which of several grids it is, and in which dimension it stands.
    pub turn: Option<(usize, Int)>,
}

/// The program with the border copied, and by statement that comes the nest that it belongs to.
/// `None`: it would need a loop whose counter is taken.
pub fn copy_border(program: &Program, border: &Border) -> Option<(Program, Vec<usize>)> {
    let mut copying =
        Copying { program, border, heads: Vec::new(), after: program.clone(), copies: Vec::new(), around: Vec::new() };
    for nest in &border.nests {
        copying.heads.push(copying.heads_of(nest)?);
    }
    if !copying.heads.iter().flatten().all(|own| is_always_alike(program, own)) {
        return None;
    }
    let body = copying.list(&program.body)?;
    Some((Program { body, ..copying.after }, copying.copies))
}

/// Whether all loops with a loop's counter declare it, or none does.
fn is_always_alike(program: &Program, own: &Loop) -> bool {
    let is_alike = |stmt: &Stmt| match stmt {
        Stmt::For(other) => other.counter != own.counter || other.declares == own.declares,
        _ => true,
    };
    !program.body.iter().any(|stmt| stmt.any(&|stmt| !is_alike(stmt)))
}

/// Cells beside the inside, along one dimension.
enum Strip {
    /// One cell, under a condition where it may be one that was copied already.
    Cell { cell: Int, unless: Option<Cond> },
    /// From one on, below all bounds: where sizes are small there are fewer than the border is
    /// wide.
    Loop { first: Int, bounds: Vec<Int> },
}

struct Copying<'a> {
    program: &'a Program,
    border: &'a Border,
    /// Of each nest, the loops along the grid's dimensions.
    heads: Vec<Vec<&'a Loop>>,
    /// The program with the statements so far.
    after: Program,
    /// By statement that comes, its nest.
    copies: Vec<usize>,
    /// Counters of the loops around.
    around: Vec<Int>,
}

impl<'a> Copying<'a> {
    fn heads_of(&self, nest: &BorderNest) -> Option<Vec<&'a Loop>> {
        let (mut list, mut found) = (&self.program.body, Vec::new());
        while found.len() < nest.depth + nest.cell.len() {
            let Stmt::For(own) = list.iter().find(|stmt| stmt.assigned().contains(&nest.statement))? else {
                return None;
            };
            found.push(own);
            list = &own.body;
        }
        Some(found.split_off(nest.depth))
    }

    fn list(&mut self, list: &[Stmt]) -> Option<Vec<Stmt>> {
        let mut found = Vec::new();
        for stmt in list {
            match stmt {
                Stmt::For(own) => {
                    let (depth, all) = (self.around.len(), stmt.assigned());
                    let is_here = |nest: &&usize| {
                        let own = &self.border.nests[**nest];
                        let dimension = depth.checked_sub(own.depth);
                        all.contains(&own.statement) && dimension.is_some_and(|k| self.has_border(k))
                    };
                    let nests: Vec<usize> = (0..self.border.nests.len()).collect();
                    let (whole, others): (Vec<usize>, Vec<usize>) =
                        nests.iter().filter(is_here).partition(|nest| self.border.nests[**nest].is_copy);
                    let own = whole.first().map_or_else(|| Some(own.clone()), |nest| self.through_all(*nest, own))?;
                    found.extend(self.copies(&others, &|own, k| own.in_front(k))?);
                    self.around.push(Int::Local(own.counter));
                    let body = self.list(&own.body)?;
                    self.around.pop();
                    found.push(Stmt::For(Loop { body, ..own }));
                    found.extend(self.copies(&others, &|own, k| own.behind(k))?);
                }
                other => found.push(other.clone()),
            }
        }
        Some(found)
    }

    fn has_border(&self, dimension: usize) -> bool {
        self.border.dimensions.contains(&dimension) && self.border.width[dimension] != (0, 0)
    }

    /// A loop that goes through the border, too.
    fn through_all(&self, nest: usize, own: &Loop) -> Option<Loop> {
        let dimension = self.around.len() - self.border.nests[nest].depth;
        let ahead = Sum::difference(&self.border.inside[dimension].0, own.first.as_ref()?)?;
        let (first, end) = self.all_cells(dimension);
        let test = Cond::compare(Int::Local(own.counter), Relation::Less, plus(&end, -ahead));
        Some(Loop { first: Some(plus(&first, -ahead)), test, ..own.clone() })
    }

    /// What some nests copy in front of their loop, or behind it.
    fn copies(&mut self, nests: &[usize], strips: &dyn Fn(&Self, usize) -> Vec<Strip>) -> Option<Vec<Stmt>> {
        let Some(first) = nests.first() else { return Some(Vec::new()) };
        let dimension = self.around.len() - self.border.nests[*first].depth;
        let mut found = Vec::new();
        for strip in strips(self, dimension) {
            for nest in nests {
                found.push(self.copy(*nest, dimension, &strip)?);
            }
        }
        Some(found)
    }

    /// The cells in front of the inside.
    fn in_front(&self, dimension: usize) -> Vec<Strip> {
        let ((width, behind), (first, last)) = (self.border.width[dimension], &self.border.inside[dimension]);
        if width < 2 || self.has_room(dimension) {
            return (-width..0).map(|by| Strip::Cell { cell: plus(first, by), unless: None }).collect();
        }
        vec![Strip::Loop { first: plus(first, -width), bounds: vec![first.clone(), plus(last, behind + 1)] }]
    }

    /// Those behind it, but for those that stand in front of it, too.
    fn behind(&self, dimension: usize) -> Vec<Strip> {
        let ((_, width), (first, last)) = (self.border.width[dimension], &self.border.inside[dimension]);
        if width < 2 || self.has_room(dimension) {
            let cell = |by| Strip::Cell { cell: plus(last, by), unless: self.unless_one(dimension) };
            return (1..=width).map(cell).collect();
        }
        let begin = Int::binary(IntOp::Maximum, plus(last, 1), first.clone());
        vec![Strip::Loop { first: begin, bounds: vec![plus(last, width + 1)] }]
    }

    /// Whether there is an inside, whatever the sizes.
    fn has_room(&self, dimension: usize) -> bool {
        let (first, last) = &self.border.inside[dimension];
        Sum::difference(last, first).is_some_and(|more| more >= 0)
    }

    /// What asks whether a dimension has more than one cell, if it may have only one and that
    /// matters: copies go in both directions, and no grid waits for its turn.
    fn unless_one(&self, dimension: usize) -> Option<Cond> {
        let nests = &self.border.nests;
        let is_once = nests.iter().all(|nest| !nest.is_copy && nest.to.turn.is_none());
        if !is_once || self.border.width[dimension] != (1, 1) {
            return None;
        }
        let (first, last) = &self.border.inside[dimension];
        let more = plus(&Int::binary(IntOp::Subtract, last.clone(), first.clone()), 2);
        Some(match more {
            Int::Constant(_) => return None,
            Int::Binary(IntOp::Subtract, size, by) if by.as_constant().is_some() => is_above(*size, *by),
            more => is_above(more, Int::Constant(0)),
        })
    }

    /// The first cell of a dimension, and the one behind the last.
    fn all_cells(&self, dimension: usize) -> (Int, Int) {
        let ((before, behind), (first, last)) = (self.border.width[dimension], &self.border.inside[dimension]);
        (plus(first, -before), plus(last, behind + 1))
    }

    /// What a nest copies of some cells.
    fn copy(&mut self, nest: usize, dimension: usize, strip: &Strip) -> Option<Stmt> {
        let (mut loops, mut unless) = (Vec::new(), None);
        let cell = match strip {
            Strip::Cell { cell, unless: own } => {
                unless.clone_from(own);
                cell.clone()
            }
            Strip::Loop { first, bounds } => {
                loops.push(self.head(nest, dimension, (first, bounds))?);
                Int::Local(self.heads[nest][dimension].counter)
            }
        };
        for inner in dimension + 1..self.border.inside.len() {
            let (first, end) = self.all_cells(inner);
            loops.push(self.head(nest, inner, (&first, &[end]))?);
        }
        let own = &self.border.nests[nest];
        let subscript = |k: usize| match k.cmp(&dimension) {
            Ordering::Less => own.cell[k].clone(),
            Ordering::Equal => cell.clone(),
            Ordering::Greater => Int::Local(self.heads[nest][k].counter),
        };
        let index: Vec<Int> = (0..self.border.inside.len()).map(subscript).collect();
        let inside = loops.iter().map(|own| Int::Local(own.counter));
        let copy = Stmt::Assign(Assign {
            statement: StatementId(self.after.statements.len()),
            at: self.around.iter().cloned().chain(inside).collect(),
            declares: false,
            target: own.to.place(&index),
            value: Value::Read(own.from.place(&index)),
        });
        self.after.statements.push(free_name(&self.after.statements));
        self.copies.push(nest);
        let copy = loops.into_iter().rev().fold(copy, |inside, own| Stmt::For(Loop { body: vec![inside], ..own }));
        Some(match unless {
            Some(cond) => Stmt::If { cond, then: vec![copy], other: Vec::new() },
            None => copy,
        })
    }

    /// The head of a loop over cells of a dimension, from one to those below all bounds.
    fn head(&self, nest: usize, dimension: usize, (first, bounds): (&Int, &[Int])) -> Option<Loop> {
        let own = self.heads[nest][dimension];
        let is_below = |bound: &Int| Cond::compare(Int::Local(own.counter), Relation::Less, bound.clone());
        let test = bounds.iter().map(is_below).reduce(|a, b| Cond::And(Box::new(a), Box::new(b)))?;
        let head = Loop {
            counter: own.counter,
            // Nobody asks for it behind.
            declares: true,
            first: Some(first.clone()),
            test,
            step: Some(1),
            parallel: false,
            vector: false,
            invariant: polyfold_program::Invariant::default(),
            body: Vec::new(),
        };
        self.border.nests[nest].is_free[dimension].then_some(head)
    }
}

impl Grid {
    fn place(&self, index: &[Int]) -> Place {
        let mut index = index.to_vec();
        if let Some((at, turn)) = &self.turn {
            index.insert(*at, turn.clone());
        }
        Place::Cell { buffer: self.buffer, index }
    }
}

fn plus(e: &Int, by: i64) -> Int {
    Int::binary(IntOp::Add, e.clone(), Int::Constant(by)).tidy(&[])
}

fn is_above(e: Int, other: Int) -> Cond {
    Cond::compare(e, Relation::Greater, other)
}

/// A name for one more statement.
fn free_name(names: &[String]) -> String {
    let mut all = (names.len()..).map(|k| format!("S{k}"));
    all.find(|name| !names.contains(name)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{Border, BorderNest, Grid, copy_border};
    use polyfold_program::{Int, IntOp, LocalId, ParameterId, Program, StatementId};
    use polyfold_replay::terms::{agree, sizes_to_run};

    /// Two statements in turn, from Q to P and back.
    const STEPS: &str = "program p(n, steps) where n >= 1 {
  in A[n];
  out B[n];
  temporary P[n];
  temporary Q[n];

  for let k = 0 while k < n step 1 { S0(k): Q[k] = A[k]; }
  for let t = 0 while t < steps step 1 {
    for let i = 1 while i < n - 1 step 1 { S1(t, i): P[i] = Q[i - 1] + Q[i + 1]; }
    for let i = 1 while i < n - 1 step 1 { S2(t, i): Q[i] = P[i]; }
  }
  for let k = 0 while k < n step 1 { S3(k): B[k] = Q[k]; }
}";

    fn nest(program: &Program, statement: usize, [to, from]: [&str; 2], is_copy: bool) -> BorderNest {
        let grid = |name: &str| Grid { buffer: program.buffer(name).expect(name), turn: None };
        BorderNest {
            statement: StatementId(statement),
            depth: 1,
            cell: vec![Int::Local(LocalId(2))],
            to: grid(to),
            from: grid(from),
            is_copy,
            is_free: vec![true],
        }
    }

    #[test]
    fn cells_are_copied_beside_the_loop_or_by_it() {
        let program = Program::read(STEPS).expect("a program");
        let last = Int::binary(IntOp::Subtract, Int::Parameter(ParameterId(0)), Int::Constant(2));
        let border = Border {
            width: vec![(1, 1)],
            inside: vec![(Int::Constant(1), last)],
            dimensions: 0..1,
            nests: vec![nest(&program, 1, ["P", "Q"], false), nest(&program, 2, ["Q", "P"], true)],
        };
        let (after, nests) = copy_border(&program, &border).expect("there is room");
        let beside = "S4(t): P[0] = Q[0]; for let i = 1 while i < n - 1 step 1 { S1(t, i): P[i] = Q[i - 1] + Q[i + 1]; } S5(t): P[n - 1] = Q[n - 1];";
        let text = STEPS
            .replace("for let i = 1 while i < n - 1 step 1 { S1(t, i): P[i] = Q[i - 1] + Q[i + 1]; }", beside)
            .replace("for let i = 1 while i < n - 1 step 1 { S2", "for let i = 0 while i < n step 1 { S2");
        assert_eq!(after.to_string(), Program::read(&text).expect("a program").to_string());
        assert_eq!(nests, [0, 0]);
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 1_000_000);
        assert!(ran.as_ref().is_ok_and(|ran| ran.agreed >= 3), "{ran:?}");
    }

    #[test]
    fn a_counter_that_is_taken_has_no_loop() {
        let program = Program::read(STEPS).expect("a program");
        let wide = |is_free: bool| {
            let own = BorderNest { is_free: vec![is_free], ..nest(&program, 1, ["P", "Q"], false) };
            let last = Int::binary(IntOp::Subtract, Int::Parameter(ParameterId(0)), Int::Constant(3));
            Border { width: vec![(2, 2)], inside: vec![(Int::Constant(2), last)], dimensions: 0..1, nests: vec![own] }
        };
        assert!(copy_border(&program, &wide(false)).is_none());
        let twice = STEPS.replace("let k", "i").replace("k < n", "i < n").replace("(k)", "(i)").replace("[k]", "[i]");
        let twice = Program::read(&twice).expect("a program");
        let own = BorderNest { cell: vec![Int::Local(LocalId(0))], ..nest(&twice, 1, ["P", "Q"], false) };
        let last = Int::binary(IntOp::Subtract, Int::Parameter(ParameterId(0)), Int::Constant(3));
        let inside = vec![(Int::Constant(2), last)];
        let mixed = Border { width: vec![(2, 2)], inside, dimensions: 0..1, nests: vec![own] };
        assert!(copy_border(&twice, &mixed).is_none(), "another loop with the counter doesn't declare it");
        let (after, _) = copy_border(&program, &wide(true)).expect("there is room");
        assert!(after.to_string().contains("for let i = max(n - 2, 2) while i < n step 1"), "{after}");
    }
}
