//! Statements in another order (loop transformation).
//!
//! ```text
//! for i … { for j … { S0(i, j): B[i][j] = A[j][i]; } }
//!   =>  for j … { for i … { S0(i, j): B[i][j] = A[j][i]; } }
//! ```
//!
//! The idea: isl's AST builder says which loops visit points in the order of their dates. A point is a piece of the program, with the
//! values of the counters around it: a statement, or several that stay together. Conditions on data around a piece are asked again in
//! front of it. Conditions on counters are the loops' to keep.
//!
//! Source: Grosser, Verdoolaege, Cohen, "Polyhedral AST generation is more than scanning polyhedra", TOPLAS 2015.
//!
//! Invariant: each instance of a statement runs once. A proof of dependences allows the order, and execution over terms checks it.

use crate::scan::Scan;
use polyfold_isl::Ast;
use polyfold_program::{
    Assign, Cond, Int, IntType, LocalId, Opaque, Operand, ParameterId, Place, Program, Relation, StatementId, Stmt,
    Sum, Value,
};

/// Loops over pieces of a program.
pub struct Reordering<'a> {
    /// The loops.
    pub ast: &'a Ast,
    /// The size of a name.
    pub size: &'a dyn Fn(&str) -> Option<ParameterId>,
    /// The piece of a name.
    pub piece: &'a dyn Fn(&str) -> Option<Part>,
    /// What holds the counter of a name, and whether its loop declares it.
    pub counter: &'a dyn Fn(&str) -> (IntType, bool),
    /// Whether the loops of a dimension of the dates with such a body run in parallel.
    pub parallel: &'a dyn Fn(usize, &Ast) -> bool,
}

/// What stays together.
pub struct Part {
    /// Its statements.
    pub statements: Vec<StatementId>,
    /// Of the conditions around all of it, outermost first, whether they are asked again. The others are the loops' to keep.
    pub guards: Vec<bool>,
    /// Whether it declares its own variables. Else these are declared in front of all loops.
    pub declares: bool,
}

/// The program in this order. `None`: a point has no piece, or a piece has no assignments.
pub fn reorder(program: &Program, reordering: &Reordering) -> Option<Program> {
    let size = |name: &str| (reordering.size)(name).map(Int::Parameter);
    let counter = |name: &str| {
        let (held, declares) = (reordering.counter)(name);
        (Some(held), declares)
    };
    let scan = Scan { size: &size, counter: &counter, parallel: reordering.parallel };
    let mut locals = program.locals.clone();
    let body = scan
        .list(reordering.ast, &mut locals, &mut |name, values| instance(program, (reordering.piece)(name)?, values))?;
    Some(Program { body, locals, ..program.clone() })
}

/// A piece with such values of the counters around it.
fn instance(program: &Program, piece: Part, values: &[Int]) -> Option<Vec<Stmt>> {
    let piece = Restricting(&piece).list(&program.body, 0);
    if piece.is_empty() {
        return None;
    }
    let counters = counters_of(&piece).filter(|own| own.len() == values.len())?;
    let values: Vec<(LocalId, Int)> = counters.into_iter().zip(values.iter().cloned()).collect();
    piece.iter().map(|stmt| placed(stmt, &values)).collect()
}

/// Some statements, without the loops and the conditions on counters around them.
struct Restricting<'a>(&'a Part);

impl Restricting<'_> {
    fn list(&self, list: &[Stmt], depth: usize) -> Vec<Stmt> {
        list.iter().flat_map(|stmt| self.stmt(stmt, depth)).collect()
    }

    fn stmt(&self, stmt: &Stmt, depth: usize) -> Vec<Stmt> {
        match stmt {
            Stmt::For(own) => self.list(&own.body, depth),
            Stmt::If { cond, then, other } => {
                let (then, other) = (self.list(then, depth + 1), self.list(other, depth + 1));
                let is_kept = self.0.guards.get(depth).copied().unwrap_or(true);
                match (is_kept, then.is_empty(), other.is_empty()) {
                    (false, ..) => [then, other].concat(),
                    (true, true, true) => Vec::new(),
                    (true, true, false) => vec![Stmt::If { cond: !cond.clone(), then: other, other: Vec::new() }],
                    (true, false, _) => vec![Stmt::If { cond: cond.clone(), then, other }],
                }
            }
            Stmt::Assign(own) if self.0.statements.contains(&own.statement) => {
                vec![Stmt::Assign(Assign { declares: own.declares && self.0.declares, ..own.clone() })]
            }
            Stmt::Opaque(own) if self.0.statements.contains(&own.statement) => vec![stmt.clone()],
            _ => Vec::new(),
        }
    }
}

/// The counters around a piece, outermost first.
fn counters_of(piece: &[Stmt]) -> Option<Vec<LocalId>> {
    let mut found: Option<Vec<LocalId>> = None;
    let mut is_one = true;
    let mut visit = |stmt: &Stmt| {
        if let Some((_, at)) = stmt.instance() {
            let at = at.iter().map(|e| if let Int::Local(id) = e { Some(*id) } else { None });
            let at: Option<Vec<LocalId>> = at.collect();
            is_one &= at.is_some() && (found.is_none() || found == at);
            found = at;
        }
    };
    piece.iter().for_each(|stmt| stmt.each(&mut visit));
    found.filter(|_| is_one)
}

/// A statement with other values of counters.
fn placed(stmt: &Stmt, values: &[(LocalId, Int)]) -> Option<Stmt> {
    if values.iter().all(|(counter, value)| *value == Int::Local(*counter)) {
        return Some(stmt.clone());
    }
    let list = |body: &[Stmt]| body.iter().map(|stmt| placed(stmt, values)).collect::<Option<Vec<Stmt>>>();
    let mut leaf = |e: &Int| match e {
        Int::Local(id) => {
            values.iter().find(|(own, _)| own == id).map_or_else(|| e.clone(), |(_, value)| value.clone())
        }
        other => other.clone(),
    };
    Some(match stmt {
        Stmt::Assign(own) => {
            let mut known = Vec::new();
            own.value.each_read(&mut |place| each_subscript(place, &mut known));
            each_subscript(&own.target, &mut known);
            let target = own.target.with_leaves(&mut leaf).with_cells(&mut |place| tidy_place(place, &known));
            let value = own.value.with_leaves(&mut leaf).with_cells(&mut |place| tidy_place(place, &known));
            let (target, value) = (settled_place(target), settled_value(value));
            let at = own.at.iter().map(|e| e.with_leaves(&mut leaf).tidy(&[])).collect();
            Stmt::Assign(Assign { at, target, value, ..own.clone() })
        }
        Stmt::Opaque(own) => {
            let at = own.at.iter().map(|e| e.with_leaves(&mut leaf).tidy(&[])).collect();
            let mut own = own.with_leaves(&mut leaf).with_cells(&mut |place| settled_place(tidy_place(place, &[])));
            for operand in &mut own.operands {
                if let Operand::Integer(e) = operand {
                    *e = e.tidy(&[]);
                }
            }
            Stmt::Opaque(Opaque { at, ..own })
        }
        Stmt::If { cond, then, other } => {
            let cond = cond.with_leaves(&mut leaf).with_cells(&mut |place| tidy_place(place, &[]));
            Stmt::If { cond: settled(cond), then: list(then)?, other: list(other)? }
        }
        _ => return None,
    })
}

fn each_subscript(place: &Place, found: &mut Vec<Int>) {
    if let Place::Cell { index, .. } = place {
        found.extend(index.iter().cloned());
    }
}

fn tidy_place(place: Place, known: &[Int]) -> Place {
    match place {
        Place::Cell { buffer, index } => Place::Cell { buffer, index: index.iter().map(|e| e.tidy(known)).collect() },
        other => other,
    }
}

/// A condition without comparisons of what is the same now: compilers warn of them.
fn settled(cond: Cond) -> Cond {
    match cond {
        Cond::Compare(relation, left, right) if !left.has_data() && Sum::difference(&left, &right) == Some(0) => {
            Cond::compare(Int::Constant(relation.holds(0, 0).into()), Relation::Equal, Int::Constant(1))
        }
        Cond::And(left, right) => Cond::And(Box::new(settled(*left)), Box::new(settled(*right))),
        Cond::Or(left, right) => Cond::Or(Box::new(settled(*left)), Box::new(settled(*right))),
        Cond::Not(inner) => Cond::Not(Box::new(settled(*inner))),
        Cond::Data(value) => Cond::Data(Box::new(settled_value(*value))),
        other => other,
    }
}

/// Values in the branches stay, since their types decide that of a choice.
fn settled_value(value: Value) -> Value {
    match value {
        Value::Read(place) => Value::Read(settled_place(place)),
        Value::Integer(e, held) => Value::Integer(e.tidy(&[]), held),
        Value::Apply(op, operands) => Value::Apply(op, operands.into_iter().map(settled_value).collect()),
        Value::Choice(cond, yes, no) => {
            let [yes, no] = [yes, no].map(|own| Box::new(settled_value(*own)));
            Value::Choice(Box::new(settled(*cond)), yes, no)
        }
    }
}

fn settled_place(place: Place) -> Place {
    match place {
        Place::Select(cond, yes, no) => {
            let [yes, no] = [yes, no].map(|own| Box::new(settled_place(*own)));
            Place::Select(Box::new(settled(*cond)), yes, no)
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Part, Reordering, reorder};
    use polyfold_isl::{Ast, Context, Map, Set};
    use polyfold_program::{IntType, Program, StatementId};
    use polyfold_replay::terms::{agree, sizes_to_run};

    /// The text of a program in the order of some dates, a point of a name being the statement of that name. It is judged.
    fn in_order(body: &str, dates: &[&str], guards: &[bool]) -> String {
        let text =
            format!("program p(n: i32) where n >= 1 {{ in A[n + 1]; inout B[n + 1][n + 1]; temporary t; {body} }}");
        let program = Program::read(&text).expect("a program");
        let ctx = Context::new();
        let dates: Vec<Map> = dates.iter().map(|own| Map::read(&ctx, own).expect("it is isl")).collect();
        let context = Set::read(&ctx, "[n] -> { : n >= 1 }").expect("it is isl");
        let names = ["c", "d", "e"].map(str::to_string);
        let ast = Ast::of(&dates, &context, &names).expect("there are loops");
        let piece = |name: &str| {
            let own = program.statement(name)?;
            let beside = (own.0..program.statements.len()).map(StatementId);
            let declares = dates.len() == 1;
            let statements = if declares { beside.collect() } else { vec![own] };
            Some(Part { statements, guards: guards.to_vec(), declares })
        };
        let (size, counter) = (|name: &str| program.parameter(name), |_: &str| (IntType::INT, true));
        let reordering =
            Reordering { ast: &ast, size: &size, piece: &piece, counter: &counter, parallel: &|_, _| false };
        let after = reorder(&program, &reordering).expect("all of it moves");
        let ran = agree(&program, &after, &sizes_to_run(&program, &after), 1_000_000);
        assert!(ran.as_ref().is_ok_and(|ran| ran.agreed >= 3), "{ran:?}\n{after}");
        after.to_string()
    }

    const NEST: &str = "for i: i32 = 0 while i < n step 1 { for j: i32 = 0 while j < n step 1 {";

    #[test]
    fn counters_have_other_values() {
        let body = format!("{NEST} S0(i, j): B[i][j + 1] = A[i]; }} }}");
        let text = in_order(&body, &["[n] -> { S0[i, j] -> [i + 2, j] : 0 <= i, j < n }"], &[]);
        assert!(text.contains("S0(c - 2, d): B[c - 2][d + 1] = A[c - 2];"), "{text}");
    }

    #[test]
    fn conditions_on_data_are_asked_again_and_those_on_counters_are_the_loops() {
        let body = format!(
            "{NEST} if (i > 0) {{ if (A[j] > 0) {{ S0(i, j): B[i][j] = 1; }} else {{ S1(i, j): B[i][j] = 2; }} }} }} }}"
        );
        let dates = [
            "[n] -> { S0[i, j] -> [j, i, 0] : 0 < i < n and 0 <= j < n }",
            "[n] -> { S1[i, j] -> [j, i, 1] : 0 < i < n and 0 <= j < n }",
        ];
        let text = in_order(&body, &dates, &[false, true]);
        assert_eq!((text.matches("if (A[").count(), text.matches("if (!(A[").count()), (1, 1), "{text}");
        assert!(!text.contains("> 0) {\n    if"), "{text}");
    }

    #[test]
    fn a_part_keeps_the_conditions_in_it() {
        let body = format!("{NEST} S0(i, j): let t = A[i]; if (j > 0) {{ S1(i, j): B[i][j] = t; }} }} }}");
        let text = in_order(&body, &["[n] -> { S0[i, j] -> [j, i] : 0 <= i, j < n }"], &[]);
        assert!(text.contains("let t = A[d];") && text.contains("if (c > 0)"), "{text}");
    }

    #[test]
    fn what_comes_apart_declares_nothing() {
        let body = format!("{NEST} S0(i, j): let t = A[i]; S1(i, j): B[i][j] = t; }} }}");
        let dates =
            ["[n] -> { S0[i, j] -> [j, i, 0] : 0 <= i, j < n }", "[n] -> { S1[i, j] -> [j, i, 1] : 0 <= i, j < n }"];
        let text = in_order(&body, &dates, &[]);
        assert!(text.contains("S0(d, c): t = A[d];") && !text.contains("let t"), "{text}");
    }

    #[test]
    fn comparisons_of_what_is_the_same_are_settled() {
        let body = "for i: i32 = n - 1 while i < n step 1 { for j: i32 = 0 while j < n step 1 {
            S0(i, j): B[i][j] = (i + 1 < n ? A[i + 1] : 0); } }";
        let text = in_order(body, &["[n] -> { S0[i, j] -> [j] : i = n - 1 and 0 <= j < n }"], &[]);
        assert!(!text.contains("n < n") && text.contains("0 == 1 ?"), "{text}");
    }
}
