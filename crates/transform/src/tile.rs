//! Loops run in tiles (strip-mining and interchange).
//!
//! ```text
//! for i from 0 to n { for j from 0 to i { S0(i, j); } }
//!   =>  for it = 0 while it < n step 32 { for jt = 0 while jt < min(n, it + 32) - 1 step 32 {
//!         with { for i = it while i < min(n, it + 32) { for j = jt while j < min(i, jt + 32) { S0(i, j); } } }
//!       } }
//! ```
//!
//! Tiles are counted from where a loop begins, so that only the last ones are cut off. What runs in one tile has a block of its own, which
//! [`copy_in`](crate::copy_in) gives memory.
//!
//! A loop over tiles has the bounds of the loop itself, with the ends of the tiles around in the place of the counters around. A bound that
//! grows with a counter is largest at the tile's last iteration. More tiles than needed are empty.
//!
//! Invariant: each iteration of the loops is in one tile. Whether they may run in this order is the judges' to say.
//!
//! Source: Wolfe, "More iteration space tiling", Supercomputing 1989.

use polyfold_program::{
    Cond, Int, IntOp, Invariant, Local, LocalId, LocalKind, Loop, Program, Relation, StatementId, Stmt, With,
};

/// Which loops, and how.
pub struct Tiling<'a> {
    /// A statement in them.
    pub statement: StatementId,
    /// How many loops are around the outermost one.
    pub depth: usize,
    /// Iterations of a tile, outermost loop first; each positive.
    pub sizes: &'a [i64],
    /// The names of the counters of the loops over tiles.
    pub names: &'a [String],
}

/// Why loops have no tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Untiled {
    /// Which of them, outermost first.
    pub number: usize,
    /// What is in the way, as it is said of a loop.
    pub why: &'static str,
}

const BESIDE: Untiled = Untiled { number: 0, why: "holds what is not followed" };

/// The program with some loops in tiles.
///
/// # Errors
/// When a loop has none.
pub fn tile(program: &Program, tiling: &Tiling) -> Result<Program, Untiled> {
    let mut after = program.clone();
    after.body = in_list(&program.body, tiling, tiling.depth, &mut after.locals)?;
    Ok(after)
}

fn in_list(list: &[Stmt], tiling: &Tiling, depth: usize, locals: &mut Vec<Local>) -> Result<Vec<Stmt>, Untiled> {
    let mut all = list.to_vec();
    let own = all.iter_mut().find(|stmt| stmt.assigned().contains(&tiling.statement)).ok_or(BESIDE)?;
    match own {
        Stmt::For(outermost) if depth == 0 => *own = tiled(outermost, tiling, locals)?,
        Stmt::For(around) => around.body = in_list(&around.body, tiling, depth - 1, locals)?,
        Stmt::If { then, other, .. } => {
            let is_then = then.iter().any(|stmt| stmt.assigned().contains(&tiling.statement));
            let branch = if is_then { then } else { other };
            *branch = in_list(branch, tiling, depth, locals)?;
        }
        _ => return Err(BESIDE),
    }
    Ok(all)
}

fn tiled(outermost: &Loop, tiling: &Tiling, locals: &mut Vec<Local>) -> Result<Stmt, Untiled> {
    let mut strips: Vec<Strip> = Vec::new();
    let mut own = Some(outermost);
    for (number, (size, name)) in tiling.sizes.iter().zip(tiling.names).enumerate() {
        let own_loop = own.ok_or(BESIDE)?;
        let stride = own_loop.step.and_then(|step| size.checked_mul(step)).filter(|own| own.unsigned_abs() < 1 << 31);
        let tiles = LocalId(locals.len());
        locals.push(Local { name: name.clone(), kind: LocalKind::Integer, held: None });
        strips.push(Strip {
            number,
            own: own_loop,
            tiles,
            stride: stride.ok_or(Untiled { number, why: "is in tiles that are too large" })?,
        });
        own = only_loop(&own_loop.body);
    }
    let heads =
        (0..strips.len()).map(|k| strips[k].over_tiles(&strips[..k])).collect::<Result<Vec<Loop>, Untiled>>()?;
    let point = Stmt::For(in_tile(outermost, &strips, 0)?);
    let tile = Stmt::With(With { body: vec![point], ..With::default() });
    Ok(heads.into_iter().rev().fold(tile, |inside, head| Stmt::For(Loop { body: vec![inside], ..head })))
}

/// The loop that is all of a body, but for conditions.
fn only_loop(body: &[Stmt]) -> Option<&Loop> {
    match body {
        [Stmt::For(own)] => Some(own),
        [Stmt::If { cond, then, other }] if other.is_empty() && !cond.has_data() => only_loop(then),
        _ => None,
    }
}

/// A loop through the iterations of one tile, with the others in it.
fn in_tile(own: &Loop, strips: &[Strip], number: usize) -> Result<Loop, Untiled> {
    let (first, test) = strips[number].in_tile(&strips[..number])?;
    let body = if number + 1 < strips.len() { inner_in_tile(&own.body, strips, number + 1)? } else { own.body.clone() };
    Ok(Loop { first: Some(first), test, body, ..own.clone() })
}

fn inner_in_tile(body: &[Stmt], strips: &[Strip], number: usize) -> Result<Vec<Stmt>, Untiled> {
    Ok(vec![match body {
        [Stmt::For(own)] => Stmt::For(in_tile(own, strips, number)?),
        [Stmt::If { cond, then, .. }] => {
            let then = inner_in_tile(then, strips, number)?;
            Stmt::If { cond: cond.clone(), then, other: Vec::new() }
        }
        _ => return Err(BESIDE),
    }])
}

/// A loop and its tiles.
struct Strip<'a> {
    number: usize,
    own: &'a Loop,
    /// The counter of the tiles.
    tiles: LocalId,
    /// From one tile to the next.
    stride: i64,
}

impl Strip<'_> {
    fn step(&self) -> i64 {
        self.own.step.unwrap_or(1)
    }

    fn first(&self) -> Result<&Int, Untiled> {
        self.own.first.as_ref().ok_or(BESIDE)
    }

    /// `for jt = 0 while jt < n step 32`; `around`: the loops around this one.
    fn over_tiles(&self, around: &[Strip]) -> Result<Loop, Untiled> {
        let is_up = self.step() > 0;
        let first = self.first()?;
        let values = self.at_ends(around, !is_up, &|counter| course(first, counter))?;
        let first = with_values(first, &values);
        let mut tests = Vec::new();
        for test in conjuncts(&self.own.test) {
            let values = self.at_ends(around, true, &|counter| widening(test, counter))?;
            tests.push(test.with_leaves(&mut |e| value_of(e, &values)));
        }
        let test = joined(tests);
        Ok(Loop {
            counter: self.tiles,
            declares: true,
            first: Some(first),
            test,
            step: Some(self.stride),
            parallel: false,
            vector: false,
            invariant: Invariant::default(),
            body: Vec::new(),
        })
    }

    /// Where the loop begins in a tile, and its test there.
    fn in_tile(&self, around: &[Strip]) -> Result<(Int, Cond), Untiled> {
        let (first, tiles) = (self.first()?, Int::Local(self.tiles));
        let moves = around.iter().any(|outer| course(first, outer.own.counter) != Some(Course::Still));
        if moves && self.step().abs() != 1 {
            let why = "begins at a number that depends on a counter around it, and does not step by 1";
            return Err(Untiled { number: self.number, why });
        }
        let later = if self.step() > 0 { IntOp::Maximum } else { IntOp::Minimum };
        let begin = if moves { Int::binary(later, tiles, first.clone()) } else { tiles };
        let counter = Int::Local(self.own.counter);
        let in_this = || Cond::compare(counter.clone(), self.strict(), self.end(false));
        let test = match self.bound() {
            _ if self.are_full() => in_this(),
            Some((relation, bound)) => {
                let end = self.earlier(bound.clone(), self.end(relation != self.strict()));
                Cond::compare(counter, relation, end)
            }
            None => Cond::And(Box::new(self.own.test.clone()), Box::new(in_this())),
        };
        Ok((begin, test))
    }

    /// The relation and the bound of a test `counter < bound`, or the like.
    fn bound(&self) -> Option<(Relation, &Int)> {
        let Cond::Compare(relation, counter, bound) = &self.own.test else { return None };
        let is_up = matches!(relation, Relation::Less | Relation::LessOrEqual);
        let is_end = is_up || matches!(relation, Relation::Greater | Relation::GreaterOrEqual);
        let is_it = *counter == Int::Local(self.own.counter) && !bound.names(self.own.counter);
        (is_it && is_end && is_up == (self.step() > 0)).then_some((*relation, bound))
    }

    fn strict(&self) -> Relation {
        if self.step() > 0 { Relation::Less } else { Relation::Greater }
    }

    fn earlier(&self, one: Int, other: Int) -> Int {
        Int::binary(if self.step() > 0 { IntOp::Minimum } else { IntOp::Maximum }, one, other)
    }

    /// Whether no tile is cut off: both ends are numbers.
    fn are_full(&self) -> bool {
        let numbers = self.bound().and_then(|(relation, bound)| {
            let first = self.own.first.as_ref()?.as_constant()?;
            let last = bound.as_constant()?;
            Some((first, last.checked_add(i64::from(relation != self.strict()))?))
        });
        let is_full = |(first, behind): (i64, i64)| self.step() == 1 && (behind - first) % self.stride == 0;
        numbers.is_some_and(is_full)
    }

    /// The first iteration behind a tile, or the last one of it.
    fn end(&self, is_last: bool) -> Int {
        plus(Int::Local(self.tiles), if is_last { self.stride - self.step() } else { self.stride })
    }

    /// The largest or smallest value that the counter has in a tile, or what is beyond: `min(n, it + 32) - 1`.
    fn value(&self, is_largest: bool, around: &[Strip]) -> Result<Int, Untiled> {
        if is_largest != (self.step() > 0) {
            return Ok(Int::Local(self.tiles));
        }
        let Some((relation, bound)) = self.bound().filter(|_| !self.are_full()) else { return Ok(self.end(true)) };
        let values = self.at_ends(around, is_largest, &|counter| course(bound, counter))?;
        let is_last = relation != self.strict();
        let value = self.earlier(with_values(bound, &values), self.end(is_last));
        Ok(if is_last { value } else { plus(value, -self.step().signum()) })
    }

    /// The tiles' counter for the loop's own, and ends of tiles for those around.
    fn at_ends(
        &self,
        around: &[Strip],
        is_largest: bool,
        moves: &dyn Fn(LocalId) -> Option<Course>,
    ) -> Result<Vec<(LocalId, Int)>, Untiled> {
        let mut values = vec![(self.own.counter, Int::Local(self.tiles))];
        for (k, outer) in around.iter().enumerate() {
            let why = "has a bound that neither only grows nor only falls with the counters around it";
            let course = moves(outer.own.counter).ok_or(Untiled { number: self.number, why })?;
            let value = outer.value((course == Course::Up) == is_largest, &around[..k])?;
            values.push((outer.own.counter, value));
        }
        Ok(values)
    }
}

fn plus(e: Int, by: i64) -> Int {
    match by {
        0 => e,
        1.. => Int::binary(IntOp::Add, e, Int::Constant(by)),
        _ => Int::binary(IntOp::Subtract, e, Int::Constant(-by)),
    }
}

fn value_of(e: &Int, values: &[(LocalId, Int)]) -> Int {
    let own = values.iter().find(|(counter, _)| *e == Int::Local(*counter));
    own.map_or_else(|| e.clone(), |(_, value)| value.clone())
}

fn with_values(e: &Int, values: &[(LocalId, Int)]) -> Int {
    e.with_leaves(&mut |e| value_of(e, values))
}

fn conjuncts(cond: &Cond) -> Vec<&Cond> {
    match cond {
        Cond::And(left, right) => [conjuncts(left), conjuncts(right)].concat(),
        other => vec![other],
    }
}

fn joined(conds: Vec<Cond>) -> Cond {
    let all = conds.into_iter().reduce(|left, right| Cond::And(Box::new(left), Box::new(right)));
    all.unwrap_or_else(|| Cond::compare(Int::Constant(0), Relation::Equal, Int::Constant(0)))
}

/// How an integer moves while a counter grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    Still,
    Up,
    Down,
}

impl Course {
    fn reversed(self) -> Course {
        match self {
            Course::Still => Course::Still,
            Course::Up => Course::Down,
            Course::Down => Course::Up,
        }
    }

    /// Of a sum, or of what is one of two; `None`: they go against each other.
    fn with(self, other: Course) -> Option<Course> {
        match (self, other) {
            (Course::Still, course) | (course, Course::Still) => Some(course),
            (a, b) => (a == b).then_some(a),
        }
    }

    fn times(self, factor: i64) -> Course {
        match factor.signum() {
            0 => Course::Still,
            1 => self,
            _ => self.reversed(),
        }
    }
}

/// How an integer moves with a counter; `None`: one way and the other, or it is not known.
fn course(e: &Int, counter: LocalId) -> Option<Course> {
    if !e.names(counter) && !e.has_data() {
        return Some(Course::Still);
    }
    match e {
        Int::Local(_) => Some(Course::Up),
        Int::Binary(op, left, right) => {
            let (one, other) = (course(left, counter)?, course(right, counter)?);
            match (op, left.as_constant(), right.as_constant()) {
                (IntOp::Add | IntOp::Minimum | IntOp::Maximum, ..) => one.with(other),
                (IntOp::Subtract, ..) => one.with(other.reversed()),
                (IntOp::Multiply, Some(factor), _) => Some(other.times(factor)),
                (IntOp::Multiply, _, Some(factor)) => Some(one.times(factor)),
                (IntOp::Divide | IntOp::FloorDivide, _, Some(1..)) => Some(one),
                _ => None,
            }
        }
        Int::Select(cond, yes, no) => {
            let both = course(yes, counter)?.with(course(no, counter)?)?;
            let is_one_of_them = |x: &Int, y: &Int| (x == &**yes && y == &**no) || (x == &**no && y == &**yes);
            match &**cond {
                Cond::Compare(_, x, y) if is_one_of_them(x, y) => Some(both),
                other => (widening(other, counter)? == Course::Still).then_some(both),
            }
        }
        _ => None,
    }
}

/// How a counter has to move for a condition to hold more often; `None` as for [`course`].
fn widening(cond: &Cond, counter: LocalId) -> Option<Course> {
    match cond {
        Cond::Compare(relation, left, right) => {
            let (left, right) = (course(left, counter)?, course(right, counter)?);
            match relation {
                Relation::Less | Relation::LessOrEqual => right.with(left.reversed()),
                Relation::Greater | Relation::GreaterOrEqual => left.with(right.reversed()),
                Relation::Equal | Relation::NotEqual => left.with(right).filter(|course| *course == Course::Still),
            }
        }
        Cond::And(left, right) | Cond::Or(left, right) => widening(left, counter)?.with(widening(right, counter)?),
        Cond::Not(inner) => widening(inner, counter).map(Course::reversed),
        Cond::Data(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Tiling, Untiled, tile};
    use polyfold_program::{Program, StatementId};
    use polyfold_replay::terms::{agree, sizes_to_run};

    /// The text of a program with its only nest in tiles. Each of its statements has to run once, in any order.
    fn tiled(heads: &[&str], sizes: &[i64]) -> Result<String, Untiled> {
        let open: String = heads.iter().map(|head| format!("for {head} {{ ")).collect();
        let close = "}".repeat(heads.len());
        let text = format!(
            "program p(n) where n >= 1 {{ in A[n + 9]; out B[n + 9][n + 9]; {open} S0(i, j): B[i][j] = A[i]; {close} }}"
        );
        let program = Program::read(&text).expect("a program");
        let names = ["it", "jt"].map(str::to_string);
        let tiling = Tiling { statement: StatementId(0), depth: 0, sizes, names: &names };
        let after = tile(&program, &tiling)?;
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 1_000_000);
        assert!(ran.as_ref().is_ok_and(|ran| ran.agreed >= 3), "{ran:?}\n{after}");
        Ok(after.to_string())
    }

    #[test]
    fn tiles_are_counted_from_where_a_loop_begins() {
        let text =
            tiled(&["i = 1 while i < n step 1", "j = i + 1 while j <= n step 1"], &[2, 3]).expect("it has tiles");
        for part in ["it = 1 while it < n step 2", "jt = it + 1 while jt <= n step 3", "j = max(jt, i + 1)"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }

    #[test]
    fn a_bound_that_grows_is_largest_at_the_last_iteration() {
        let text = tiled(&["i = 0 while i < n step 1", "j = 0 while j <= i step 1"], &[2, 3]).expect("it has tiles");
        assert!(text.contains("jt <= min(n, it + 2) - 1 step 3"), "{text}");
        let down = tiled(&["i = n while i >= 1 step -1", "j = n while j > n - i step -2"], &[3, 2]);
        assert!(down.expect("it has tiles").contains("jt > n - it step -4"));
    }

    #[test]
    fn conditions_between_loops_stay_in_the_tile() {
        let heads = ["i = 0 while i < n step 1", "j = 0 while j < n && j < 5 step 1"];
        let text = tiled(&heads, &[2, 2]).expect("it has tiles");
        assert!(text.contains("j < n && j < 5 && j < jt + 2"), "{text}");
    }

    #[test]
    fn what_goes_one_way_and_the_other_has_no_tiles() {
        let heads = ["i = 0 while i < n step 1", "j = i % 3 while j < n step 1"];
        assert!(tiled(&heads, &[2, 2]).is_err_and(|own| own.number == 1 && own.why.contains("neither only grows")));
        let stepping = ["i = 0 while i < n step 1", "j = i while j < n step 2"];
        assert!(tiled(&stepping, &[2, 2]).is_err_and(|own| own.why.contains("does not step by 1")));
    }
}
