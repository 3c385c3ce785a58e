//! The scop itself: parameters, context, and the tree of loops, guards and statements.
//!
//! A node runs as C would run it: a loop sets its counter to `first`, and as long as `condition` holds runs its body and
//! adds `step`; a guard runs one of its branches.
//!
//! Example: `for (i = n; i > 0; i--) if (i < m) S0;` is a [`Loop`] from `n` with the condition `i > 0` and the step −1, whose
//! body is one [`Guard`] with S0 in `then`.
//!
//! What the tree says is what the program does wherever `known`, `assumed` and all `obligations` hold.
//!
//! Paper: Bee §2.
//!
//! Invariants: loop ids are unique; a loop's first value depends on parameters and counters around it, its condition on its own
//! counter too, and neither on data; every statement stands in the tree once.

use crate::{
    Array, ArrayId, Condition, Counter, Expanded, Expr, Fragment, InOrder, LoopId, ParameterId, Span, StandIn,
    Statement, StatementId,
};
use polyfold_program::{Assign, Cond, IntType, Written};

/// A static control part of one function.
#[derive(Clone, Debug)]
pub struct Scop {
    /// The function that holds it.
    pub function: String,
    /// Line of `#pragma scop`, from 1.
    pub line: usize,
    /// Bytes of the file between the two pragma lines.
    pub span: Span,
    /// Other tools' pragmas directly in front of `#pragma scop`, which belong to the scop's first statement: what is
    /// to stand in front of the scop has to stand in front of them.
    pub lead: Option<Span>,
    /// Symbolic sizes, in order of first appearance.
    pub parameters: Vec<Parameter>,
    /// Facts about the parameters that C itself guarantees (every extent of a declared array is at least 1).
    pub known: Vec<Condition>,
    /// Facts that the user promised (`--assume`): results that need them are guarded.
    pub assumed: Vec<Condition>,
    /// The scop as it reads where these facts hold, if more of it can be followed then. Its own `assumed` says what that takes.
    pub under_assumptions: Option<Box<Scop>>,
    /// Expressions in bounds, conditions and subscripts that mean what they say only while they do not wrap.
    pub obligations: Vec<Obligation>,
    /// What is known of the parameters besides, if there are obligations: it shows which of these always hold.
    pub limits: Vec<Limit>,
    /// Macros and constants taken at their value: what follows from the scop holds only while they keep it.
    pub pinned: Vec<Pinned>,
    /// Whether the scop may run more than once during one call of the function, because an enclosing loop or a `goto`
    /// repeats it: arrays declared outside that loop then keep values from one run to the next.
    pub repeats: bool,
    /// What surrounds it, if it is one statement that runs in local memory.
    pub surroundings: Option<Box<Surroundings>>,
    /// Variables and arrays declared between the pragmas, outside all loops and blocks there, that are used after the
    /// scop: no block may be put around the scop.
    pub outlived: Vec<Outlived>,
    /// Local integers that stand for what they are declared as.
    pub stand_ins: Vec<StandIn>,
    /// Everything the scop reads or writes.
    pub arrays: Vec<Array>,
    /// All statements, in text order; `statements[k]` is the one with `StatementId(k)`.
    pub statements: Vec<Statement>,
    /// The program.
    pub body: Vec<Node>,
    /// Expansions of macro calls that hold accesses.
    pub fragments: Vec<Fragment>,
    /// The same with expressions, if all of it is understood: as it was read, without what was changed in a copy since.
    pub program: Option<polyfold_program::Program>,
    /// Its sizes, arrays and counters as a program that does nothing, as far as they are understood.
    pub outline: Option<polyfold_program::Program>,
    /// How the file writes that program, between the pragma lines.
    pub written: Option<Written>,
    /// What it has of the source, if it is that in another order. Its program isn't the one that the file writes then.
    pub order: Option<Box<InOrder>>,
    /// What it has of the source, if values have cells of their own.
    pub expanded: Option<Box<Expanded>>,
}

/// What is known of the program around a statement that runs in local memory, again and again: its *instances*.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Surroundings {
    /// Parameters that may have other values at the next instance: counters of loops around the statement, and what depends on them.
    pub changing: Vec<ParameterId>,
    /// Parameters that stand for products of others.
    pub products: Vec<Product>,
    /// What is taken for granted of sizes that multiply counters: results that need it are guarded.
    pub positive: Vec<Condition>,
    /// What holds where all of that does.
    pub derived: Vec<Condition>,
    /// Whether instances may run at the same time.
    pub parallel: bool,
    /// Loops around the statement in front of which cells may be copied, innermost first.
    pub loops: Vec<LoopAround>,
    /// The counters of all `for` loops around, with an empty name where there is none, and of other loops.
    pub counters: Vec<String>,
    /// Sums and products that C computes as `int` in the statement, around it, or in declarations in front of it.
    pub computed: Vec<Computed>,
}

/// What C computes as an `int`: its value is one, at every iteration of `loops` that satisfies `conditions`, or the program has no meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Computed {
    /// Loops of the statement, outermost first.
    pub loops: Vec<LoopId>,
    /// Conditions of guards and choices around.
    pub conditions: Vec<Condition>,
    /// The value.
    pub expression: Expr,
}

/// A loop around a statement that runs in local memory.
///
/// From its head one gets to the statement through blocks, other such loops and `if`s on numbers alone: what stands beside them ends normally
/// and calls nothing. Its counter is declared in its head, and nothing else changes it; its test changes nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoopAround {
    /// Its bytes.
    pub span: Span,
    /// Whether new lines may stand in front of it: no directive is about it, or is in it but for regions.
    pub takes_lines: bool,
    /// The counter.
    pub counter: ParameterId,
    /// Its first value.
    pub first: Expr,
    /// The test.
    pub test: Cond,
    /// What each turn adds to the counter; not 0.
    pub step: i64,
    /// Of a test `counter < e / T`: what holds just if it does, for a counter with its first value and positive sizes.
    pub entered: Option<Condition>,
    /// What holds just if the test does; `None`: it is not affine.
    pub tested: Option<Condition>,
    /// What holds just if one gets from a turn to the next of these loops inside, or to the statement.
    pub guards: Vec<Condition>,
    /// What is known in front of the loop.
    pub known: Vec<Condition>,
    /// Parameters that may have other values at its next turn.
    pub changing: Vec<ParameterId>,
    /// Arrays that what stands beside the statement in it may read or write.
    pub beside: Vec<Beside>,
}

/// An array that something beside a statement touches.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Beside {
    /// Its name.
    pub array: String,
    /// Whether that may write it.
    pub is_written: bool,
}

/// A parameter that stands for a product: `it * T` is a number like any other where neither factor changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// What stands for it.
    pub parameter: ParameterId,
    /// The parameters that are multiplied, in ascending order; two or more.
    pub factors: Vec<ParameterId>,
}

/// A size that the analysis keeps symbolic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in C; also its name in isl notation.
    pub name: String,
    /// What it is in the source.
    pub origin: ParameterOrigin,
    /// The largest value that its type may hold; `None` for a constant.
    pub most: Option<i128>,
}

impl Parameter {
    /// Its value, if it is a macro or a constant.
    pub fn constant(&self) -> Option<i64> {
        match self.origin {
            ParameterOrigin::Constant(value) => Some(value),
            ParameterOrigin::Variable => None,
        }
    }

    /// Whether a `long` holds less than its type may.
    pub fn is_past_long(&self) -> bool {
        self.most.is_some_and(|most| most > i128::from(i64::MAX))
    }
}

/// What a parameter is in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParameterOrigin {
    /// A macro or constant with this value: conditions on it can be checked when compiling.
    Constant(i64),
    /// A variable that the scop does not change: conditions on it are checked at run time.
    Variable,
}

/// A name that was taken at its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pinned {
    /// Macro or enumeration constant.
    pub name: String,
    /// Its value in this compilation.
    pub value: i64,
}

/// The bound must hold at every iteration of `loops` that satisfies `conditions`, or C's arithmetic wraps and the scop does
/// not describe the program.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// Enclosing loops, outermost first.
    pub loops: Vec<LoopId>,
    /// Conditions of the enclosing guards.
    pub conditions: Vec<Condition>,
    /// What must be within the bound.
    pub expression: Expr,
    /// Where the values end that it can have.
    pub bound: Bound,
    /// If it is the extent of an array.
    pub extent: Option<ExtentOf>,
    /// Bytes of the file where the arithmetic stands.
    pub span: Span,
}

/// An array whose extent may wrap around: it is small then, but all else happens as if it had not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExtentOf {
    /// The array.
    pub array: ArrayId,
    /// No array has more rows, in any dimension: memory ends there.
    pub most_rows: i128,
}

/// An end of the values that a type can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// No value is smaller.
    Least(i128),
    /// No value is larger.
    Most(i128),
}

/// What types and memory say of an expression of parameters, in every run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limit {
    /// Of parameters only.
    pub expression: Expr,
    /// C computes it modulo 2 to this power; `None`: as it is.
    pub bits: Option<u32>,
    /// The smallest value that C may find.
    pub least: i128,
    /// The largest.
    pub most: i128,
}

/// One node of the program, executed in order.
#[derive(Clone, Debug)]
pub enum Node {
    /// A `for` loop.
    Loop(Loop),
    /// An `if`.
    Guard(Guard),
    /// A statement.
    Statement(StatementId),
}

/// `for (iterator = first; condition; iterator += step) body`.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Unique in the scop.
    pub id: LoopId,
    /// Name of the counter in C.
    pub iterator: String,
    /// What C says of the counter.
    pub counter: Counter,
    /// First value of the counter.
    pub first: Expr,
    /// Goes on while this holds; upper bounds if `step > 0`, lower bounds if `step < 0`, so that once it is false
    /// it stays false. May refer to the loop's own counter, never to data.
    pub condition: Condition,
    /// Never 0.
    pub step: i64,
    /// Whether the source promises that its iterations may run at the same time (OpenMP, `ivdep`).
    pub parallel: bool,
    /// The pragmas that promise so, in the file, if they stand in the scop in front of this loop: not in front of a loop
    /// around it, and not in front of the scop.
    pub pragmas: Vec<Span>,
    /// What is repeated.
    pub body: Vec<Node>,
    /// Bytes of the file, from `for` to the end of the body.
    pub span: Span,
    /// Line of the `for`, from 1.
    pub line: usize,
}

/// `if (condition) then else otherwise`.
#[derive(Clone, Debug)]
pub struct Guard {
    /// May contain [`Condition::Unknown`].
    pub condition: Condition,
    /// If it holds.
    pub then: Vec<Node>,
    /// If it does not.
    pub otherwise: Vec<Node>,
    /// Whether the condition reads memory that no access names, such as what a pointer in a structure points to.
    pub reads_beyond: bool,
    /// Bytes of the file, from `if` to the end of the last branch.
    pub span: Span,
}

impl Scop {
    /// What C holds a size in.
    pub fn size_type(&self, size: usize) -> IntType {
        let own = self.outline.as_ref().and_then(|outline| outline.parameters.get(size));
        own.and_then(|own| own.held).unwrap_or(IntType::Unknown)
    }

    /// Whether a loop's counter has the name of an outer loop's.
    pub fn hides_counters(&self) -> bool {
        fn hides<'a>(nodes: &'a [Node], outer: &mut Vec<&'a str>) -> bool {
            nodes.iter().any(|node| match node {
                Node::Loop(l) => {
                    let is_hidden = outer.contains(&l.iterator.as_str());
                    outer.push(&l.iterator);
                    let is_hidden = is_hidden || hides(&l.body, outer);
                    outer.pop();
                    is_hidden
                }
                Node::Guard(g) => hides(&g.then, outer) || hides(&g.otherwise, outer),
                Node::Statement(_) => false,
            })
        }
        hides(&self.body, &mut Vec::new())
    }
}

impl Loop {
    /// Whether it goes on by so much in each turn that its turns are strips of something.
    pub fn is_over_strips(&self) -> bool {
        self.step.unsigned_abs() >= 16
    }
}

impl Node {
    /// Whether a statement is in it.
    pub fn holds(&self, id: StatementId) -> bool {
        match self {
            Node::Loop(l) => l.body.iter().any(|node| node.holds(id)),
            Node::Guard(g) => g.then.iter().chain(&g.otherwise).any(|node| node.holds(id)),
            Node::Statement(own) => *own == id,
        }
    }
}

/// A variable declared between the pragmas, outside all loops and blocks there, that is used after the scop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outlived {
    /// Its name.
    pub name: String,
    /// Where its declaration names it.
    pub declared: Span,
}

impl Scop {
    /// Whether a variable of a name is declared between the pragmas and used after the scop.
    pub fn outlives(&self, name: &str) -> bool {
        self.outlived.iter().any(|outlived| outlived.name == name)
    }
}

impl Scop {
    /// Whether two arrays may be the same memory: one array, or a pointer that may lead to any other that is not the scop's own.
    pub fn may_be_same(&self, one: ArrayId, other: ArrayId) -> bool {
        let leads_to =
            |pointer: ArrayId, to: ArrayId| self.array(pointer).leads_anywhere && !self.array(to).is_temporary();
        one == other || leads_to(one, other) || leads_to(other, one)
    }

    /// The innermost loop that an array is declared in.
    pub fn declaring_loop(&self, id: ArrayId) -> Option<&Loop> {
        let at = self.array(id).declaration.as_ref()?.statement.start;
        self.loops().into_iter().filter(|l| l.span.contains(&at)).max_by_key(|l| l.span.start)
    }

    /// Where a node of its body stands.
    pub fn span_of(&self, node: &Node) -> Span {
        match node {
            Node::Loop(l) => l.span.clone(),
            Node::Guard(g) => g.span.clone(),
            Node::Statement(id) => self.statement(*id).span.clone(),
        }
    }

    /// The array behind an id.
    pub fn array(&self, id: ArrayId) -> &Array {
        &self.arrays[id.0]
    }

    /// The statement behind an id.
    pub fn statement(&self, id: StatementId) -> &Statement {
        &self.statements[id.0]
    }

    /// The assignment that a statement is in the program, if it is one and no more.
    pub fn assignment(&self, id: StatementId) -> Option<&Assign> {
        self.program.as_ref()?.assignment(polyfold_program::StatementId(id.0))
    }

    /// The id of the array with this name.
    pub fn array_named(&self, name: &str) -> Option<ArrayId> {
        self.arrays.iter().position(|a| a.name == name).map(ArrayId)
    }

    /// All loops, by [`LoopId`] order.
    pub fn loops(&self) -> Vec<&Loop> {
        fn collect<'a>(nodes: &'a [Node], into: &mut Vec<&'a Loop>) {
            for node in nodes {
                match node {
                    Node::Loop(l) => {
                        into.push(l);
                        collect(&l.body, into);
                    }
                    Node::Guard(g) => {
                        collect(&g.then, into);
                        collect(&g.otherwise, into);
                    }
                    Node::Statement(_) => {}
                }
            }
        }
        let mut loops = Vec::new();
        collect(&self.body, &mut loops);
        loops.sort_by_key(|l| l.id);
        loops
    }

    /// The program with all of its loops' iterations one after the other.
    pub fn in_sequence(&self) -> Scop {
        fn in_sequence(nodes: &mut [Node]) {
            for node in nodes {
                match node {
                    Node::Loop(l) => {
                        l.parallel = false;
                        in_sequence(&mut l.body);
                    }
                    Node::Guard(g) => {
                        in_sequence(&mut g.then);
                        in_sequence(&mut g.otherwise);
                    }
                    Node::Statement(_) => {}
                }
            }
        }
        let mut scop = self.clone();
        in_sequence(&mut scop.body);
        scop
    }
}
