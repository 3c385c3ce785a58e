//! Loops that visit points in the order of a schedule.
//!
//! ```text
//! { S[i, j] -> [j, i] : 0 <= i < j < n }    gives    for (c0 = 1; c0 < n; c0 += 1) for (c1 = 0; c1 < c0; c1 += 1) S(c1, c0);
//! ```
//!
//! isl's AST builder makes them (Verdoolaege, "Integer set library", and Grosser et al., "Polyhedral AST generation is more than
//! scanning polyhedra", TOPLAS 2015); here its tree becomes one of Rust values.
//!
//! Invariant: each point of the domain is visited once, points of the smaller date first.

use crate::{Context, Error, ErrorKind, Map, Result, Set, sys};
use std::ffi::{CStr, c_int};

/// A program that visits points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ast {
    /// `for (iterator = first; condition; iterator += step) body`.
    For {
        /// The dimension of the dates that it goes through.
        dimension: usize,
        /// The counter.
        iterator: String,
        /// Its first value.
        first: AstExpr,
        /// Goes on while this holds.
        condition: AstExpr,
        /// Not 0; isl counts up.
        step: i64,
        /// What is repeated.
        body: Box<Ast>,
    },
    /// `if (condition) then else otherwise`.
    If {
        /// Of counters and parameters.
        condition: AstExpr,
        /// If it holds.
        then: Box<Ast>,
        /// If it does not.
        otherwise: Option<Box<Ast>>,
    },
    /// One after the other.
    Block(Vec<Ast>),
    /// A point of a set with this name.
    Point {
        /// Of the set.
        name: String,
        /// Its coordinates.
        coordinates: Vec<AstExpr>,
    },
}

/// An expression of counters and parameters, whose division and remainder are C's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AstExpr {
    /// A number.
    Number(i64),
    /// A counter or parameter.
    Name(String),
    /// Of some operands.
    Operation(Operation, Vec<AstExpr>),
}

/// What is done to operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Both hold.
    And,
    /// One holds.
    Or,
    /// The largest.
    Max,
    /// The smallest.
    Min,
    /// `-a`.
    Minus,
    /// `a + b`.
    Add,
    /// `a - b`.
    Subtract,
    /// `a * b`.
    Multiply,
    /// `a / b`, which has no remainder, or whose operands are not negative.
    Divide,
    /// `a / b`, rounded down.
    FloorDivide,
    /// `a % b`, a not negative or only compared with 0.
    Remainder,
    /// `a ? b : c`.
    Select,
    /// `a == b`.
    Equal,
    /// `a <= b`.
    LessEqual,
    /// `a < b`.
    Less,
    /// `a >= b`.
    GreaterEqual,
    /// `a > b`.
    Greater,
}

impl Ast {
    /// The loops for a schedule: relations from points to dates, all of as many dimensions. Counters get the `iterators`' names, by
    /// dimension. Simplified by what `context` says of parameters.
    ///
    /// # Errors
    /// When dates have different numbers of dimensions, a dimension with a loop has no name, or the work bound is reached.
    pub fn of(schedule: &[Map], context: &Set, iterators: &[String]) -> Result<Ast> {
        Ast::in_parts(schedule, context, iterators, &[])
    }

    /// The same with one loop for each of some dimensions: it is not cut where fewer statements run.
    ///
    /// # Errors
    /// As those of [`of`](Ast::of).
    pub fn in_whole_loops(schedule: &[Map], context: &Set, iterators: &[String], whole: &[usize]) -> Result<Ast> {
        let dimensions = schedule.first().map_or(Ok(0), |first| Ok(first.dimensions()?.1))?;
        Ast::with_options(schedule, context, (iterators, iterators), &options(dimensions, "atomic", whole))
    }

    /// The same for dates of which some dimensions, in ascending order, have few values and no loops: what runs at each value has a text
    /// of its own. They have no names, and are not counted as dimensions of the other loops.
    ///
    /// # Errors
    /// As those of [`of`](Ast::of); and when such a dimension has not a few values.
    pub fn in_parts(schedule: &[Map], context: &Set, iterators: &[String], parts: &[usize]) -> Result<Ast> {
        let dimensions = schedule.first().map_or(Ok(0), |first| Ok(first.dimensions()?.1))?;
        let mut names = iterators.to_vec();
        parts.iter().for_each(|part| names.insert(*part, format!("part {part}")));
        Ast::with_options(schedule, context, (iterators, &names), &options(dimensions, "unroll", parts))
    }

    /// The loops with isl's options; `names`: also of dimensions that have no loops.
    fn with_options(
        schedule: &[Map],
        context: &Set,
        (iterators, names): (&[String], &[String]),
        options: &str,
    ) -> Result<Ast> {
        let ctx = context.context();
        schedule.iter().for_each(|map| ctx.owns(map.context()));
        let Some((first, others)) = schedule.split_first() else { return Ok(Ast::Block(Vec::new())) };
        let names = names.iter().map(|name| ctx.text(name)).collect::<Result<Vec<_>>>()?;
        let options = ctx.text(options)?;
        unsafe {
            let mut union = sys::isl_union_map_from_map(first.take());
            for map in others {
                union = sys::isl_union_map_union(union, sys::isl_union_map_from_map(map.take()));
            }
            let mut ids = sys::isl_id_list_alloc(ctx.raw(), 0);
            for name in &names {
                ids = sys::isl_id_list_add(ids, sys::isl_id_alloc(ctx.raw(), name.as_ptr(), std::ptr::null_mut()));
            }
            let build = sys::isl_ast_build_set_iterators(sys::isl_ast_build_from_context(context.take()), ids);
            let options = sys::isl_union_map_read_from_str(ctx.raw(), options.as_ptr());
            let build = sys::isl_ast_build_set_options(build, options);
            let node = sys::isl_ast_build_node_from_schedule_map(build, union);
            sys::isl_ast_build_free(build);
            let node = ctx.check(node)?;
            let ast = Reader { ctx, iterators }.ast(node);
            sys::isl_ast_node_free(node);
            ast
        }
    }
}

/// One of isl's options for some dimensions.
fn options(dimensions: usize, option: &str, some: &[usize]) -> String {
    let dates: Vec<String> = (0..dimensions).map(|k| format!("d{k}")).collect();
    let options = some.iter().map(|own| format!("[{}] -> {option}[{own}]", dates.join(", ")));
    format!("{{ {} }}", options.collect::<Vec<_>>().join("; "))
}

fn unknown(what: &str) -> Error {
    Error { kind: ErrorKind::Invalid, message: format!("isl made loops with {what}") }
}

/// Turns isl's tree into ours.
struct Reader<'a> {
    ctx: &'a Context,
    iterators: &'a [String],
}

impl Reader<'_> {
    unsafe fn ast(&self, node: *mut sys::isl_ast_node) -> Result<Ast> {
        unsafe {
            match sys::isl_ast_node_get_type(self.ctx.check(node)?) {
                1 => self.for_node(node),
                2 => self.if_node(node),
                3 => {
                    let list = self.ctx.check(sys::isl_ast_node_block_get_children(node))?;
                    let count = sys::isl_ast_node_list_n_ast_node(list);
                    let children = (0..count).map(|k| self.owned(sys::isl_ast_node_list_get_ast_node(list, k)));
                    let children = children.collect::<Result<Vec<_>>>();
                    sys::isl_ast_node_list_free(list);
                    Ok(Ast::Block(children?))
                }
                5 => point(self.ctx, node),
                other => Err(unknown(&format!("a node of type {other}"))),
            }
        }
    }

    /// Of a node that is the caller's.
    unsafe fn owned(&self, node: *mut sys::isl_ast_node) -> Result<Ast> {
        unsafe {
            let node = self.ctx.check(node)?;
            let result = self.ast(node);
            sys::isl_ast_node_free(node);
            result
        }
    }

    unsafe fn for_node(&self, node: *mut sys::isl_ast_node) -> Result<Ast> {
        unsafe {
            let AstExpr::Name(iterator) = expr(self.ctx, sys::isl_ast_node_for_get_iterator(node))? else {
                return Err(unknown("a counter without a name"));
            };
            let first = expr(self.ctx, sys::isl_ast_node_for_get_init(node))?;
            let body = self.owned(sys::isl_ast_node_for_get_body(node))?;
            if self.ctx.truth(sys::isl_ast_node_for_is_degenerate(node))? {
                return Ok(body.with(&iterator, &first));
            }
            let condition = expr(self.ctx, sys::isl_ast_node_for_get_cond(node))?;
            let AstExpr::Number(step) = expr(self.ctx, sys::isl_ast_node_for_get_inc(node))? else {
                return Err(unknown("a step that is no number"));
            };
            let dimension = self.iterators.iter().position(|name| *name == iterator);
            let dimension = dimension.ok_or_else(|| unknown("more dimensions than names"))?;
            Ok(Ast::For { dimension, iterator, first, condition, step, body: Box::new(body) })
        }
    }

    unsafe fn if_node(&self, node: *mut sys::isl_ast_node) -> Result<Ast> {
        unsafe {
            let condition = expr(self.ctx, sys::isl_ast_node_if_get_cond(node))?;
            let then = Box::new(self.owned(sys::isl_ast_node_if_get_then(node))?);
            let otherwise = match self.ctx.truth(sys::isl_ast_node_if_has_else(node))? {
                true => Some(Box::new(self.owned(sys::isl_ast_node_if_get_else(node))?)),
                false => None,
            };
            Ok(Ast::If { condition, then, otherwise })
        }
    }
}

/// A user node is the call `S(i, j)`.
unsafe fn point(ctx: &Context, node: *mut sys::isl_ast_node) -> Result<Ast> {
    unsafe {
        let call = ctx.check(sys::isl_ast_node_user_get_expr(node))?;
        let arguments = operands(ctx, call);
        sys::isl_ast_expr_free(call);
        let mut arguments = arguments?.into_iter();
        match arguments.next() {
            Some(AstExpr::Name(name)) => Ok(Ast::Point { name, coordinates: arguments.collect() }),
            _ => Err(unknown("a point without a name")),
        }
    }
}

unsafe fn operands(ctx: &Context, raw: *mut sys::isl_ast_expr) -> Result<Vec<AstExpr>> {
    unsafe {
        let count = ctx.size(sys::isl_ast_expr_get_op_n_arg(raw))? as c_int;
        (0..count).map(|k| expr(ctx, sys::isl_ast_expr_get_op_arg(raw, k))).collect()
    }
}

/// Of an expression that is the caller's.
pub(crate) unsafe fn expr(ctx: &Context, raw: *mut sys::isl_ast_expr) -> Result<AstExpr> {
    unsafe {
        let raw = ctx.check(raw)?;
        let result = match sys::isl_ast_expr_get_type(raw) {
            0 => operation(sys::isl_ast_expr_get_op_type(raw))
                .and_then(|operation| Ok(AstExpr::Operation(operation, operands(ctx, raw)?))),
            1 => name(ctx, raw),
            2 => ctx.finite(sys::isl_ast_expr_get_val(raw)).map(AstExpr::Number),
            other => Err(unknown(&format!("an expression of type {other}"))),
        };
        sys::isl_ast_expr_free(raw);
        result
    }
}

unsafe fn name(ctx: &Context, raw: *mut sys::isl_ast_expr) -> Result<AstExpr> {
    unsafe {
        let id = ctx.check(sys::isl_ast_expr_get_id(raw))?;
        let text = sys::isl_id_get_name(id);
        let name = if text.is_null() { None } else { Some(CStr::from_ptr(text).to_string_lossy().into_owned()) };
        sys::isl_id_free(id);
        name.map(AstExpr::Name).ok_or_else(|| unknown("a variable without a name"))
    }
}

/// isl's numbers of operations, in the order of its header.
fn operation(number: c_int) -> Result<Operation> {
    use Operation::*;
    const ALL: [Option<Operation>; 23] = [
        Some(And),
        Some(And),
        Some(Or),
        Some(Or),
        Some(Max),
        Some(Min),
        Some(Minus),
        Some(Add),
        Some(Subtract),
        Some(Multiply),
        Some(Divide),
        Some(FloorDivide),
        Some(Divide),
        Some(Remainder),
        Some(Remainder),
        Some(Select),
        Some(Select),
        Some(Equal),
        Some(LessEqual),
        Some(Less),
        Some(GreaterEqual),
        Some(Greater),
        None,
    ];
    let known = usize::try_from(number).ok().and_then(|k| ALL.get(k).copied().flatten());
    known.ok_or_else(|| unknown(&format!("the operation {number}")))
}

impl Ast {
    /// Calls `visit` for this tree, and then for all inside, in their order.
    pub fn each<'a>(&'a self, visit: &mut dyn FnMut(&'a Ast)) {
        visit(self);
        match self {
            Ast::For { body, .. } => body.each(visit),
            Ast::If { then, otherwise, .. } => {
                then.each(visit);
                otherwise.iter().for_each(|ast| ast.each(visit));
            }
            Ast::Block(all) => all.iter().for_each(|ast| ast.each(visit)),
            Ast::Point { .. } => {}
        }
    }

    /// The same with an expression in place of a counter.
    pub fn with(self, counter: &str, value: &AstExpr) -> Ast {
        self.map(&|expr| expr.clone().with(counter, value))
    }

    /// The same with other expressions.
    pub fn map(self, change: &dyn Fn(&AstExpr) -> AstExpr) -> Ast {
        let boxed = |ast: Box<Ast>| Box::new(ast.map(change));
        match self {
            Ast::For { dimension, iterator, first, condition, step, body } => Ast::For {
                dimension,
                iterator,
                first: change(&first),
                condition: change(&condition),
                step,
                body: boxed(body),
            },
            Ast::If { condition, then, otherwise } => {
                Ast::If { condition: change(&condition), then: boxed(then), otherwise: otherwise.map(boxed) }
            }
            Ast::Block(all) => Ast::Block(all.into_iter().map(|ast| ast.map(change)).collect()),
            Ast::Point { name, coordinates } => {
                Ast::Point { name, coordinates: coordinates.iter().map(change).collect() }
            }
        }
    }
}

impl AstExpr {
    /// Whether some name in it is one that is asked for.
    pub fn mentions(&self, is_asked_for: &dyn Fn(&str) -> bool) -> bool {
        match self {
            AstExpr::Number(_) => false,
            AstExpr::Name(name) => is_asked_for(name),
            AstExpr::Operation(_, operands) => operands.iter().any(|operand| operand.mentions(is_asked_for)),
        }
    }

    /// Whether an operation in it is one that is asked for.
    pub fn has(&self, is_asked_for: &dyn Fn(Operation) -> bool) -> bool {
        match self {
            AstExpr::Number(_) | AstExpr::Name(_) => false,
            AstExpr::Operation(operation, operands) => {
                is_asked_for(*operation) || operands.iter().any(|operand| operand.has(is_asked_for))
            }
        }
    }

    /// The same with another expression in place of a name.
    pub fn with(self, name: &str, value: &AstExpr) -> AstExpr {
        match self {
            AstExpr::Name(known) if known == name => value.clone(),
            AstExpr::Operation(operation, operands) => {
                AstExpr::Operation(operation, operands.into_iter().map(|o| o.with(name, value)).collect())
            }
            other => other,
        }
    }
}
