//! The scop as a program with expressions.
//!
//! The idea: the walk over the statements knows what each name means. So it also writes down what a statement computes: its
//! cells, its integers, the operations between them, and for everything else the text with holes.
//!
//! Example: `x[i] += f(2 * t, (float)i)` is `S0(i): x[i] = x[i] + "f($0, (float)$1)"(2 * t, i)`.
//!
//! An integer in a value is mathematical, as C converts it to its type. Of `(i - n) / 2` with unsigned numbers that isn't so, since `i - n`
//! may wrap around: this is a text with holes.
//!
//! A subscript that isn't affine is what it computes: `bins[key[i]]`. Whether `t[i * m + j]` is `t[i][j]` is known behind the walk
//! only. Until then a cell of an array of one dimension has the number of its access.
//!
//! What isn't understood is its text with holes ([`opaque`](super::opaque)). So is each statement with effects besides its writes.
//!
//! Limits: a scop has no program where
//!
//! * data are tested in a loop's head,
//! * a counter has the name of a variable that is declared in the scop without a value,
//! * one subscript stands for several dimensions, and isn't known.

use super::Lowering;
use super::access::{Chain, Collector, chain};
use super::blocks::in_blocks;
use super::written::{Branches, nothing};
use polyfold_c::syntax::{BinaryOperator, Expression, ExpressionKind, Scalar, UnaryOperator, VariableId};
use polyfold_c::written::inside_parentheses;
use polyfold_program as tree;
use polyfold_program::{Cond, Int, IntOp, IntType, Level, Op, Value, Written, escaped};
use polyfold_scop::{
    Access, AccessKind, Array, Comparison, Condition, Expr, Liveness, Loop, LoopId, Node, ParameterId, Role, Scop,
    Span, StatementId, Storage,
};
use std::collections::{HashMap, HashSet};

/// What statements and conditions compute, as far as it is understood, and how they are written.
#[derive(Default)]
pub(super) struct Computations {
    /// By statement: one, but for declarations of several variables. Counters are numbered as loops are, buffers as arrays.
    pub(super) noted: HashMap<StatementId, Vec<Noted>>,
    /// Of guards that data decide, by their place in the file.
    tests: HashMap<(usize, usize), Cond>,
    /// Of loops around blocks, by their place in the file: their tests.
    pub(super) heads: HashMap<(usize, usize), Cond>,
    /// Of loops and guards, by their place in the file.
    pub(super) branches: HashMap<(usize, usize), Branches>,
    /// Places that are known behind the walk.
    pending: Vec<Pending>,
}

/// An access whose cell is known behind the walk.
struct Pending {
    statement: StatementId,
    /// Which of its accesses.
    access: usize,
    /// Whether a subscript divides in an unsigned type: what it is needs a proof, which arrays that stay don't ask for.
    divides_unsigned: bool,
    /// The subscripts by what they compute.
    otherwise: Option<Vec<Int>>,
}

impl Computations {
    /// What stands for subscripts that aren't known yet: no loop has this number.
    fn begin(&mut self, pending: Pending, count: usize) -> Vec<Int> {
        self.pending.push(pending);
        vec![Int::Local(tree::LocalId(usize::MAX - (self.pending.len() - 1))); count]
    }

    fn pending(&self, index: &[Int]) -> Option<&Pending> {
        match index.first() {
            Some(Int::Local(own)) => self.pending.get(usize::MAX - own.0),
            _ => None,
        }
    }
}

/// What a statement does, where, and how the file writes it.
pub(super) struct Noted {
    pub(super) does: Does,
    /// Where it stands in the expanded text.
    pub(super) span: Span,
    pub(super) written: Written,
}

/// What a statement does.
pub(super) enum Does {
    /// A place gets a value.
    Assigns(tree::Place, Value),
    /// What its text says, with holes for its operands.
    Opaque {
        /// The text.
        text: String,
        /// What stands in the holes, and other cells.
        operands: Vec<tree::Operand>,
    },
}

/// A part of something, with its place in the expanded text.
type Part = (Option<Span>, Written);

/// A statement and its accesses.
pub(super) struct Computing<'a> {
    pub(super) accesses: &'a [Access],
}

impl Lowering<'_> {
    /// Notes what an expression statement does. One with other effects is its text.
    pub(super) fn note_expression(&mut self, statement: &Span, e: &Expression, collector: &Collector) {
        let (id, computing) = (StatementId(self.statements.len()), Computing { accesses: &collector.accesses });
        let assigned = if collector.must_stay() { None } else { self.assigned(e, &computing) };
        let noted = match assigned {
            Some((target, value, parts)) => {
                let written = self.texts().node(statement, Level::Whole, parts);
                Some(Noted { does: Does::Assigns(target, value), span: statement.clone(), written })
            }
            None => self.opaque_statement(statement, &[e], &computing),
        };
        self.computations.noted.extend(noted.map(|noted| (id, vec![noted])));
    }

    fn assigned(&mut self, e: &Expression, computing: &Computing) -> Option<(tree::Place, Value, Vec<Part>)> {
        match &e.kind {
            ExpressionKind::Assign(operator, place, value) => {
                let (target, target_written) = self.target(place, computing)?;
                let at_target = (Some(place.span.clone()), target_written);
                let (operand, written) = self.value(value, computing)?;
                if operator == "=" {
                    return Some((target, operand, vec![at_target, (Some(value.span.clone()), written)]));
                }
                let op = match compound(operator) {
                    Some(op) => op,
                    None => Op::Leaf(format!("$0 {} $1", operator.strip_suffix('=')?)),
                };
                let (read, read_written) = self.read(place, computing)?;
                let parts = vec![(None, read_written), (Some(value.span.clone()), written)];
                let written = self.texts().node(&value.span, Level::Whole, parts);
                let at_value = (Some(value.span.clone()), written);
                Some((target, Value::Apply(op, vec![read, operand]), vec![at_target, at_value]))
            }
            ExpressionKind::Step(step, place) => {
                let (target, written) = self.target(place, computing)?;
                let op = if *step > 0 { Op::Add } else { Op::Subtract };
                let (read, read_written) = self.read(place, computing)?;
                let one = Value::number(1);
                let unwritten = Written { parts: vec![read_written, nothing()], ..nothing() };
                let value = Value::Apply(op, vec![read, one]);
                Some((target, value, vec![(Some(place.span.clone()), written), (None, unwritten)]))
            }
            _ => None,
        }
    }

    /// Notes what a declaration's initializers do. One with other effects, such as a call, is its text.
    pub(super) fn note_declaration(
        &mut self,
        statement: &Span,
        list: &[(VariableId, Option<Expression>)],
        collector: &Collector,
    ) {
        let begun: Vec<(VariableId, &Expression)> =
            list.iter().filter_map(|(variable, value)| Some((*variable, value.as_ref()?))).collect();
        let computing = Computing { accesses: &collector.accesses };
        let assigned = if collector.must_stay() { None } else { self.begun(statement, &begun, &computing) };
        let all = assigned.or_else(|| {
            let roots: Vec<&Expression> = begun.iter().map(|(_, value)| *value).collect();
            Some(vec![self.opaque_statement(statement, &roots, &computing)?])
        });
        self.computations.noted.extend(all.map(|all| (StatementId(self.statements.len()), all)));
    }

    /// An assignment for each variable of a declaration.
    fn begun(
        &mut self,
        statement: &Span,
        begun: &[(VariableId, &Expression)],
        computing: &Computing,
    ) -> Option<Vec<Noted>> {
        let writes: Vec<&Access> = computing.accesses.iter().filter(|a| a.is_write()).collect();
        let mut all = Vec::new();
        for (k, ((variable, value), write)) in begun.iter().zip(&writes).enumerate() {
            let target = write.subscripts.as_ref().and_then(|all| affine_cell(write, all))?;
            let (operand, written) = self.value(value, computing)?;
            let name = self.site.unit.variables[*variable].name_span.clone();
            // What declares the variable can't name another cell.
            let parts = vec![(None, self.texts().leaf(&name, Level::Primary)), (Some(value.span.clone()), written)];
            let (is_first, is_last) = (k == 0, k + 1 == begun.len());
            let start = if is_first { statement.start } else { name.start };
            let span = start..if is_last { statement.end } else { value.span.end };
            let written = self.texts().node(&span, Level::Whole, parts);
            all.push(Noted { does: Does::Assigns(target, operand), span, written });
        }
        (!all.is_empty() && writes.len() == begun.len()).then_some(all)
    }

    /// Notes what a condition on data computes.
    pub(super) fn note_data_test(&mut self, guard: &Span, e: &Expression, accesses: &[Access]) -> Option<Written> {
        let (cond, written) = self.test(e, &Computing { accesses })?;
        self.computations.tests.insert(self.place_in_file(guard), cond);
        Some(written)
    }

    fn target(&mut self, e: &Expression, computing: &Computing) -> Option<(tree::Place, Written)> {
        self.cell(e, AccessKind::Write, computing)
    }

    fn read(&mut self, e: &Expression, computing: &Computing) -> Option<(Value, Written)> {
        let (place, written) = self.cell(e, AccessKind::Read, computing)?;
        Some((Value::Read(place), written))
    }

    /// Which access a reference is.
    fn access(&mut self, e: &Expression, kind: AccessKind, computing: &Computing) -> Option<usize> {
        let subscripts: Vec<Span> = chain(e).subscripts.iter().map(|own| own.span.clone()).collect();
        let (_, place) = self.place_inside(&e.span, &subscripts);
        let (place, _) = place?;
        computing.accesses.iter().position(|access| access.kind == kind && access.place == place)
    }

    /// The cell that a reference means.
    fn cell(&mut self, e: &Expression, kind: AccessKind, computing: &Computing) -> Option<(tree::Place, Written)> {
        let position = self.access(e, kind, computing)?;
        let place = self.known_place(e, position, computing)?;
        let written = self.cell_written(e, &place);
        Some((place, written))
    }

    /// The cell of an access.
    pub(super) fn known_place(&mut self, e: &Expression, access: usize, computing: &Computing) -> Option<tree::Place> {
        let (own, subscripts) = (&computing.accesses[access], chain(e).subscripts);
        let buffer = tree::BufferId(own.array.0);
        let divides_unsigned = subscripts.iter().any(|own| self.divides_unsigned(own));
        let may_be_rows = self.is_flat(own.array) && (own.subscripts.is_some() || self.is_noted(own.array, &own.place));
        if divides_unsigned || may_be_rows {
            let otherwise = self.chosen_index(e, own, computing);
            // The access's statement comes next.
            let pending =
                Pending { statement: StatementId(self.statements.len()), access, divides_unsigned, otherwise };
            let index = self.computations.begin(pending, subscripts.len().max(1));
            return Some(tree::Place::Cell { buffer, index });
        }
        match &own.subscripts {
            Some(all) => affine_cell(own, all),
            None => Some(tree::Place::Cell { buffer, index: self.chosen_index(e, own, computing)? }),
        }
    }

    /// Whether an expression has a quotient or remainder of unsigned numbers.
    fn divides_unsigned(&self, e: &Expression) -> bool {
        let divides = matches!(&e.kind, ExpressionKind::Binary(BinaryOperator::Divide | BinaryOperator::Remainder, ..));
        let is_unsigned = matches!(self.int_type_of(e), IntType::Unsigned(_));
        divides && is_unsigned || e.parts().into_iter().any(|part| self.divides_unsigned(part))
    }

    /// The subscripts of a reference by what they compute, whether affine or not.
    fn chosen_index(&mut self, e: &Expression, access: &Access, computing: &Computing) -> Option<Vec<Int>> {
        let Chain { base, subscripts } = chain(e);
        let is_cell = matches!(base.kind, ExpressionKind::Name(_, Some(_)))
            && !subscripts.is_empty()
            && subscripts.len() == self.arrays.entries[access.array.0].dimensions;
        if !is_cell || access.is_in_call() && access.subscripts.is_none() {
            return None;
        }
        subscripts.iter().map(|own| self.subscript(own, computing)).collect()
    }

    /// Affine, or what data decide.
    fn subscript(&mut self, e: &Expression, computing: &Computing) -> Option<Int> {
        if self.divides_unsigned(e) {
            return Some(Int::Data(Box::new(self.opaque_value(e, computing)?.0)));
        }
        match self.any_integer(e) {
            Some(int) => Some(int),
            None => Some(Int::Data(Box::new(self.value(e, computing)?.0))),
        }
    }

    /// Affine, or made of what is.
    fn any_integer(&mut self, e: &Expression) -> Option<Int> {
        if let Some(int) = self.integer(e) {
            return Some(int);
        }
        let ExpressionKind::Binary(operator, left, right) = &e.kind else { return None };
        let op = on_integers(&operation(*operator)?)?;
        Some(Int::binary(op, self.any_integer(left)?, self.any_integer(right)?))
    }

    fn value(&mut self, e: &Expression, computing: &Computing) -> Option<(Value, Written)> {
        self.understood(e, computing).or_else(|| self.opaque_value(e, computing))
    }

    fn understood(&mut self, e: &Expression, computing: &Computing) -> Option<(Value, Written)> {
        use ExpressionKind::*;
        if matches!(e.kind, Name(..) | Index(..) | Field(..) | Unary(UnaryOperator::Dereference, _))
            && self.access(e, AccessKind::Read, computing).is_some()
        {
            return self.read(e, computing);
        }
        if let Some(int) = self.integer(e)
            && self.has_low_bits(e)
        {
            return Some((Value::Integer(int, self.int_type_of(e)), self.integer_written(e)));
        }
        match &e.kind {
            // The second operand is read only if the first one asks for it.
            Binary(BinaryOperator::And | BinaryOperator::Or, ..) => {
                let [yes, no] = [1, 0].map(|value| Box::new(Value::number(value)));
                let (cond, written) = self.test(e, computing)?;
                let parts = vec![(Some(e.span.clone()), written), (None, nothing()), (None, nothing())];
                let written = self.texts().expression(e, parts);
                Some((Value::Choice(Box::new(cond), yes, no), written))
            }
            Binary(operator, left, right) => match operation(*operator) {
                Some(op) => self.operation(e, op, &[left, right], computing),
                None => self.leaf(e, computing),
            },
            Unary(UnaryOperator::Minus, inner) => self.operation(e, Op::Negate, &[inner], computing),
            Unary(UnaryOperator::Not, inner) => self.operation(e, Op::Not, &[inner], computing),
            Ternary(cond, yes, no) => {
                let (test, test_written) = self.test(cond, computing)?;
                let ((first, first_written), (second, second_written)) =
                    (self.value(yes, computing)?, self.value(no, computing)?);
                let parts = [(cond, test_written), (yes, first_written), (no, second_written)];
                let parts = parts.into_iter().map(|(e, written)| (Some(e.span.clone()), written)).collect();
                let written = self.texts().expression(e, parts);
                Some((Value::Choice(Box::new(test), Box::new(first), Box::new(second)), written))
            }
            Call(callee, operands) if matches!(callee.kind, Name(..)) => {
                let name = self.site.expanded.text.get(callee.span.clone())?.to_string();
                self.operation(e, Op::Call(name), &operands.iter().collect::<Vec<_>>(), computing)
            }
            Cast(to, inner) if to.is_wide_integer() && *to != Scalar::Unknown => {
                self.converted(e, (*to, inner), computing)
            }
            Assign(..) | Step(..) | Index(..) => None,
            _ => self.leaf(e, computing),
        }
    }

    fn operation(
        &mut self,
        e: &Expression,
        op: Op,
        operands: &[&Expression],
        computing: &Computing,
    ) -> Option<(Value, Written)> {
        let (mut values, mut parts) = (Vec::new(), Vec::new());
        for operand in operands {
            let (value, written) = self.value(operand, computing)?;
            values.push(value);
            parts.push((Some(operand.span.clone()), written));
        }
        if let (Some(op), [Value::Integer(left, _), Value::Integer(right, _)]) = (on_integers(&op), &values[..]) {
            if !self.keeps_value(e) {
                return self.leaf(e, computing);
            }
            let value = Value::Integer(Int::binary(op, left.clone(), right.clone()), self.int_type_of(e));
            return Some((value, self.integer_written(e)));
        }
        Some((Value::Apply(op, values), self.texts().expression(e, parts)))
    }

    /// Whether C's value is the integer: nothing wraps around.
    fn keeps_value(&mut self, e: &Expression) -> bool {
        match &e.kind {
            ExpressionKind::Binary(_, left, right) if self.integer(e).is_none() => {
                self.int_type_of(e).is_signed() && self.keeps_value(left) && self.keeps_value(right)
            }
            ExpressionKind::Cast(to, inner) if self.integer(e).is_none() => {
                let both = (self.scalar_of(inner).range(), to.range());
                both.1.start() <= both.0.start() && both.0.end() <= both.1.end() && self.keeps_value(inner)
            }
            _ => {
                let mark = self.mark();
                let open = self.obligations_of(|walk| walk.note_exact(e));
                self.forget_since(mark);
                open.is_empty()
            }
        }
    }

    /// Whether C's value is the integer but for what its type cuts off: nothing that may have wrapped around is compared, divided or
    /// made wider.
    fn has_low_bits(&mut self, e: &Expression) -> bool {
        let (mark, bits) = (self.mark(), self.scalar_of(e).bits());
        let open = self.obligations_of(|walk| walk.note_low_bits(e, bits));
        self.forget_since(mark);
        open.is_empty()
    }

    /// A cast, which is an integer if its operand is one, and has all that C has of it.
    fn converted(
        &mut self,
        e: &Expression,
        (to, inner): (Scalar, &Expression),
        computing: &Computing,
    ) -> Option<(Value, Written)> {
        let leaf = self.leaf(e, computing)?;
        let Value::Apply(_, operands) = &leaf.0 else { return Some(leaf) };
        let [Value::Integer(int, _)] = &operands[..] else { return Some(leaf) };
        let has_bits = self.scalar_of(inner).bits() >= to.bits();
        if !has_bits && !self.keeps_value(inner) {
            return Some(leaf);
        }
        Some((Value::Integer(int.clone(), to.int_type()), self.integer_written(e)))
    }

    /// The text, with holes for its parts, and without parentheses around it or a part.
    fn leaf(&mut self, e: &Expression, computing: &Computing) -> Option<(Value, Written)> {
        let mut span = e.span.clone();
        while let Some(inside) = self.site.expanded.text.get(span.clone()).and_then(inside_parentheses) {
            span = span.start + inside.start..span.start + inside.end;
        }
        let (mut text, mut at) = (String::new(), span.start);
        for (k, part) in e.parts().into_iter().enumerate() {
            text.push_str(&escaped(self.site.expanded.text.get(at..part.span.start)?));
            text.push_str(&format!("${k}"));
            at = part.span.end;
        }
        text.push_str(&escaped(self.site.expanded.text.get(at..span.end)?));
        self.operation(e, Op::Leaf(text), &e.parts(), computing)
    }

    /// A sum of counters and sizes, and of nothing that the scop hasn't as a size already.
    pub(super) fn integer(&mut self, e: &Expression) -> Option<Int> {
        if let ExpressionKind::Integer(_, scalar) = &e.kind
            && *scalar != Scalar::INT
        {
            return None;
        }
        let mark = self.mark();
        let found = self.affine(e).ok().filter(|_| self.parameters.len() == mark.parameters());
        self.forget_since(mark);
        found.and_then(|e| e.in_program())
    }

    fn test(&mut self, e: &Expression, computing: &Computing) -> Option<(Cond, Written)> {
        match &e.kind {
            ExpressionKind::Unary(UnaryOperator::Not, inner) => {
                let (cond, written) = self.test(inner, computing)?;
                let written = self.texts().expression(e, vec![(Some(inner.span.clone()), written)]);
                Some((Cond::Not(Box::new(cond)), written))
            }
            ExpressionKind::Binary(operator @ (BinaryOperator::And | BinaryOperator::Or), left, right) => {
                let ((first, first_written), (second, second_written)) =
                    (self.test(left, computing)?, self.test(right, computing)?);
                let parts = vec![(Some(left.span.clone()), first_written), (Some(right.span.clone()), second_written)];
                let written = self.texts().expression(e, parts);
                let both = (Box::new(first), Box::new(second));
                let cond = match operator {
                    BinaryOperator::And => Cond::And(both.0, both.1),
                    _ => Cond::Or(both.0, both.1),
                };
                Some((cond, written))
            }
            ExpressionKind::Binary(BinaryOperator::Compare(comparison), left, right) => {
                match (self.integer(left), self.integer(right)) {
                    (Some(first), Some(second)) => {
                        let parts = [left, right].map(|side| (Some(side.span.clone()), self.integer_written(side)));
                        let written = self.texts().expression(e, parts.to_vec());
                        Some((Cond::compare(first, polyfold_scop::relation(*comparison), second), written))
                    }
                    _ => self.value(e, computing).map(|(value, written)| (Cond::Data(Box::new(value)), written)),
                }
            }
            _ => match self.value(e, computing)? {
                (Value::Integer(int, _), _) => {
                    Some((Cond::compare(int, tree::Relation::NotEqual, Int::Constant(0)), self.integer_written(e)))
                }
                (value, written) => Some((Cond::Data(Box::new(value)), written)),
            },
        }
    }

    /// What the scop's loops are made of. Arrays that aren't understood are left out.
    pub(super) fn outline(&self, scop: &Scop) -> tree::Program {
        let mut locals = Locals { all: Vec::new(), by_loop: HashMap::new() };
        for own in scop.loops() {
            locals.begin(own);
        }
        tree::Program {
            name: scop.function.clone(),
            parameters: (0..scop.parameters.len()).map(|k| self.typed_size(scop, ParameterId(k))).collect(),
            context: scop.known.iter().filter_map(Condition::in_program).collect(),
            buffers: scop.arrays.iter().map(|array| buffer(scop, array)).collect(),
            locals: locals.all,
            statements: scop.statements.iter().map(|statement| statement.name.clone()).collect(),
            body: Vec::new(),
        }
    }

    /// The whole scop, if all of it is understood.
    pub(super) fn program(&self, scop: &Scop) -> Option<tree::Program> {
        let known = scop.known.iter().map(Condition::in_program).collect::<Option<Vec<Cond>>>()?;
        let mut locals = Locals { all: Vec::new(), by_loop: HashMap::new() };
        let buffers: Vec<_> = scop.arrays.iter().map(|array| buffer(scop, array)).collect();
        let building = Building { scop, computations: &self.computations, blocks: self.site.blocks };
        let mut body = building.list(&scop.body, &mut locals)?;
        // A counter isn't seen where a variable of its name is. Of one that is declared without a value, the tree doesn't say where.
        let mut declared = HashSet::new();
        body.iter().for_each(|stmt| stmt.each(&mut |stmt| declared.extend(stmt.declared())));
        let clash = |name: &String| {
            let mut named = buffers.iter().enumerate().filter(|(_, buffer): &(_, &tree::Buffer)| buffer.name == *name);
            named.any(|(k, _)| !declared.contains(&tree::BufferId(k)))
                || (0..scop.parameters.len())
                    .any(|k| scop.parameters[k].name == *name && !self.counted.contains(&ParameterId(k)))
        };
        if locals.all.iter().any(|local| clash(&local.name)) {
            return None;
        }
        let (mut known, mut buffers) = (known, buffers);
        if let Some(around) = &scop.surroundings {
            let mut factors = |e: &Int| around.in_program(e);
            body = body.iter().map(|stmt| stmt.with_leaves(&mut factors)).collect();
            known = known.iter().map(|cond| cond.with_leaves(&mut factors)).collect();
            for extent in buffers.iter_mut().flat_map(|buffer| &mut buffer.extents).flatten() {
                *extent = extent.with_leaves(&mut factors);
            }
        }
        Some(self.with_counters(tree::Program {
            name: scop.function.clone(),
            parameters: (0..scop.parameters.len()).map(|k| self.typed_size(scop, ParameterId(k))).collect(),
            context: known,
            buffers,
            locals: locals.all,
            statements: scop.statements.iter().map(|statement| statement.name.clone()).collect(),
            body,
        }))
    }

    /// A test of sizes alone.
    pub(super) fn test_of_sizes(&mut self, e: &Expression) -> Option<Cond> {
        self.test(e, &Computing { accesses: &[] }).map(|(test, _)| test)
    }
}

impl Lowering<'_> {
    /// A size, and what C says of it.
    fn typed_size(&self, scop: &Scop, id: ParameterId) -> tree::Parameter {
        let own = &scop.parameters[id.0];
        let scalar = match self.parameter_variables.get(&id) {
            Some(variable) => self.variable_scalar(*variable),
            None => self.constant_scalar(&own.name),
        };
        let body = || self.site.table.object(&own.name).and_then(|text| self.read_constant(text));
        let is_number = || body().is_some_and(|body| matches!(body.kind, ExpressionKind::Integer(_, Scalar::INT)));
        let most = Some(tree::Parameter::MOST_OF_MACROS);
        let most = most.filter(|most| own.constant().is_some_and(|value| value <= *most) && is_number());
        tree::Parameter { name: own.name.clone(), held: Some(scalar.int_type()), most }
    }
}

/// Counters by name: loops one behind the other may have the same.
struct Locals {
    all: Vec<tree::Local>,
    by_loop: HashMap<LoopId, tree::LocalId>,
}

impl Locals {
    fn begin(&mut self, own: &Loop) -> tree::LocalId {
        let (bits, name) = (8 * own.counter.bytes as u32, &own.iterator);
        let held = if own.counter.signed { IntType::Signed(bits) } else { IntType::Unsigned(bits) };
        let known = self.all.iter().position(|local| local.name == *name);
        let position = known.unwrap_or(self.all.len());
        match known {
            Some(_) if self.all[position].held == Some(held) => {}
            Some(_) => self.all[position].held = Some(IntType::Unknown),
            None => {
                let kind = tree::LocalKind::Integer;
                self.all.push(tree::Local { name: name.clone(), kind, held: Some(held) });
            }
        }
        self.by_loop.insert(own.id, tree::LocalId(position));
        tree::LocalId(position)
    }
}

struct Building<'a> {
    scop: &'a Scop,
    computations: &'a Computations,
    /// Places in the file of what are blocks.
    blocks: &'a [Span],
}

impl Building<'_> {
    fn list(&self, nodes: &[Node], locals: &mut Locals) -> Option<Vec<tree::Stmt>> {
        let mut found = Vec::new();
        for (block, part) in in_blocks(self.scop, nodes, self.blocks) {
            match block {
                Some(_) => {
                    let body = Building { blocks: &[], ..*self }.nodes(part, locals)?;
                    found.push(tree::Stmt::With(tree::With { body, ..tree::With::default() }));
                }
                None => found.extend(self.nodes(part, locals)?),
            }
        }
        Some(found)
    }

    fn nodes(&self, nodes: &[Node], locals: &mut Locals) -> Option<Vec<tree::Stmt>> {
        let mut found = Vec::new();
        for node in nodes {
            match node {
                Node::Loop(own) => {
                    let counter = locals.begin(own);
                    let named = |e: &Expr| Some(named(e.in_program()?, &locals.by_loop));
                    let head = self.computations.heads.get(&(own.span.start, own.span.end)).cloned();
                    let (first, test) = (named(&own.first)?, head.or_else(|| own.condition.in_program())?);
                    let test = test.with_leaves(&mut |e| renamed(e, &locals.by_loop));
                    found.push(tree::Stmt::For(tree::Loop {
                        counter,
                        declares: own.counter.outside.is_none(),
                        first: Some(first),
                        test,
                        step: Some(own.step),
                        parallel: own.parallel,
                        vector: false,
                        invariant: tree::Invariant::default(),
                        body: self.list(&own.body, locals)?,
                    }));
                }
                Node::Guard(guard) => {
                    let test = match guard.condition.depends_on_data() {
                        true => self.computations.tests.get(&(guard.span.start, guard.span.end))?.clone(),
                        false => guard.condition.in_program()?,
                    };
                    let test = self.with_cells(|cells| test.with_cells(cells))?;
                    let test = if guard.reads_beyond { test.volatile() } else { test };
                    let cond = test.with_leaves(&mut |e| renamed(e, &locals.by_loop));
                    let (then, other) = (self.list(&guard.then, locals)?, self.list(&guard.otherwise, locals)?);
                    found.push(tree::Stmt::If { cond, then, other });
                }
                // It reads for the guard behind it.
                Node::Statement(id) if self.scop.statement(*id).kind == polyfold_scop::StatementKind::Condition => {}
                Node::Statement(id) => found.extend(self.noted(*id, locals)?),
            }
        }
        Some(found)
    }

    fn noted(&self, id: StatementId, locals: &Locals) -> Option<Vec<tree::Stmt>> {
        let statement = self.scop.statement(id);
        let mut rename = |e: &Int| renamed(e, &locals.by_loop);
        let at = statement.loops.iter().map(|own| locals.by_loop.get(own).map(|local| Int::Local(*local)));
        let at = at.collect::<Option<Vec<Int>>>()?;
        let id_in_tree = tree::StatementId(id.0);
        let stmt = |noted: &Noted| {
            Some(match &noted.does {
                Does::Assigns(target, value) => tree::Stmt::Assign(tree::Assign {
                    statement: id_in_tree,
                    at: at.clone(),
                    declares: statement.kind == polyfold_scop::StatementKind::Declaration,
                    target: self.with_cells(|cells| target.with_cells(cells))?.with_leaves(&mut rename),
                    value: self.with_cells(|cells| value.with_cells(cells))?.with_leaves(&mut rename),
                }),
                Does::Opaque { text, operands } => {
                    let (text, operands, has_effects) = (text.clone(), operands.clone(), statement.is_effectful());
                    let own = tree::Opaque { statement: id_in_tree, at: at.clone(), text, operands, has_effects };
                    let own = self.with_cells(|cells| own.with_cells(cells))?.with_leaves(&mut rename);
                    tree::Stmt::Opaque(own)
                }
            })
        };
        self.computations.noted.get(&id)?.iter().map(stmt).collect()
    }

    /// Whether subscripts of an array are shown not to wrap around.
    fn is_obliged(&self, buffer: tree::BufferId) -> bool {
        !matches!(&self.scop.arrays[buffer.0].role, Role::Kept(kept) if !kept.plain)
    }

    /// The same with the cells that are known now; `None`: some aren't.
    fn with_cells<T>(&self, change: impl FnOnce(&mut tree::Cells) -> T) -> Option<T> {
        let mut is_known = true;
        let changed = change(&mut |place| match self.known(&place) {
            Some(known) => known,
            None => {
                is_known = false;
                place
            }
        });
        is_known.then_some(changed)
    }

    fn known(&self, place: &tree::Place) -> Option<tree::Place> {
        let tree::Place::Cell { buffer, index } = place else { return Some(place.clone()) };
        let index = match self.computations.pending(index) {
            Some(pending) => self.index(*buffer, pending)?,
            None => index.clone(),
        };
        let has_all = index.len() == self.scop.arrays[buffer.0].extents.len();
        has_all.then_some(tree::Place::Cell { buffer: *buffer, index })
    }

    fn index(&self, buffer: tree::BufferId, pending: &Pending) -> Option<Vec<Int>> {
        let access = &self.scop.statement(pending.statement).accesses[pending.access];
        let is_exact = !pending.divides_unsigned || self.is_obliged(buffer);
        match access.subscripts.as_ref().filter(|_| is_exact) {
            Some(exact) => exact.iter().map(Expr::in_program).collect(),
            None => {
                let all = pending.otherwise.as_ref()?.iter();
                all.map(|e| self.with_cells(|cells| e.with_cells(cells))).collect()
            }
        }
    }
}

fn named(e: Int, by_loop: &HashMap<LoopId, tree::LocalId>) -> Int {
    e.with_leaves(&mut |leaf| renamed(leaf, by_loop))
}

/// The counter of a loop by its name.
fn renamed(e: &Int, by_loop: &HashMap<LoopId, tree::LocalId>) -> Int {
    match e {
        Int::Local(own) => by_loop.get(&LoopId(own.0)).map_or_else(|| e.clone(), |local| Int::Local(*local)),
        other => other.clone(),
    }
}

/// A pointer that may lead to other arrays has cells of its own here: that an order keeps what they share is for dependences to say.
fn buffer(scop: &Scop, array: &Array) -> tree::Buffer {
    // What data decide, nobody says.
    let extents = array.extents.iter().map(|extent| extent.as_ref().and_then(Expr::in_program)).collect();
    let role = match &array.role {
        Role::Temporary => tree::Role::Temporary,
        Role::Kept(kept) => match kept.liveness {
            Liveness::Internal => tree::Role::Temporary,
            Liveness::In => tree::Role::In,
            Liveness::Out => tree::Role::Out,
            Liveness::InOut => tree::Role::InOut,
        },
    };
    let name = array.name.clone();
    // No other array is known to hold the same.
    let text = match array.element.is_empty() && !array.is_scalar() {
        true => format!("__typeof__({name}{})", "[0]".repeat(array.extents.len())),
        false => array.element.clone(),
    };
    let layout = match (array.linearised, array.is_narrow) {
        (false, _) => tree::Layout::Rows,
        (true, false) => tree::Layout::Flat,
        (true, true) => tree::Layout::NarrowFlat,
    };
    let element = tree::Element { text, kind: array.kind };
    tree::Buffer { name, role, extents, layout, home: home(scop, array), element }
}

fn home(scop: &Scop, array: &Array) -> tree::Home {
    let Some(declaration) = &array.declaration else { return tree::Home::Outside };
    match declaration.storage {
        Storage::Allocated(_) => tree::Home::Heap,
        Storage::Parameter => tree::Home::Outside,
        Storage::StaticLocal | Storage::Global => tree::Home::Static,
        Storage::Local if declaration.inside_scop => tree::Home::Inside,
        // What is known to be larger than the stack is there all the same.
        Storage::Local if has_more_rows(scop, array) => tree::Home::Static,
        Storage::Local => tree::Home::Stack,
    }
}

/// Whether a dimension is known to have more rows than arrays on the stack are taken to have.
fn has_more_rows(scop: &Scop, array: &Array) -> bool {
    let values: Vec<i64> = scop.parameters.iter().map(|own| own.constant().unwrap_or(0)).collect();
    let rows = array.extents.iter().flatten().filter_map(|extent| extent.value(&values));
    rows.into_iter().any(|rows| rows > tree::Home::MOST_ROWS_ON_STACK)
}

pub(super) fn affine_cell(access: &Access, subscripts: &[Expr]) -> Option<tree::Place> {
    let index = subscripts.iter().map(Expr::in_program).collect::<Option<Vec<Int>>>()?;
    Some(tree::Place::Cell { buffer: tree::BufferId(access.array.0), index })
}

fn operation(operator: BinaryOperator) -> Option<Op> {
    Some(match operator {
        BinaryOperator::Add => Op::Add,
        BinaryOperator::Subtract => Op::Subtract,
        BinaryOperator::Multiply => Op::Multiply,
        BinaryOperator::Divide => Op::Divide,
        BinaryOperator::Remainder => Op::Remainder,
        BinaryOperator::Compare(comparison) => match comparison {
            Comparison::Less => Op::Less,
            Comparison::LessEqual => Op::LessOrEqual,
            Comparison::Greater => Op::Greater,
            Comparison::GreaterEqual => Op::GreaterOrEqual,
            Comparison::Equal => Op::Equal,
            Comparison::NotEqual => Op::NotEqual,
        },
        _ => return None,
    })
}

/// What an operation is on integers alone.
fn on_integers(op: &Op) -> Option<IntOp> {
    Some(match op {
        Op::Add => IntOp::Add,
        Op::Subtract => IntOp::Subtract,
        Op::Multiply => IntOp::Multiply,
        Op::Divide => IntOp::Divide,
        Op::Remainder => IntOp::Remainder,
        _ => return None,
    })
}

/// What a compound assignment computes.
fn compound(operator: &str) -> Option<Op> {
    Some(match operator {
        "+=" => Op::Add,
        "-=" => Op::Subtract,
        "*=" => Op::Multiply,
        "/=" => Op::Divide,
        "%=" => Op::Remainder,
        _ => return None,
    })
}
