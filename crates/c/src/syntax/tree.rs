//! The tree's types. All spans are bytes of the expanded text.

use super::Scalar;
use super::declaration::{Pointer, Qualifiers, Storage};
use crate::source::Span;

/// Index into [`Unit::variables`](super::Unit::variables): one per declaration.
pub type VariableId = usize;

/// An expression.
#[derive(Clone, Debug)]
pub struct Expression {
    /// What it is, with its parts.
    pub kind: ExpressionKind,
    /// From its first byte to its last, in the expanded text.
    pub span: Span,
}

/// What an expression is, with its parts in text order.
#[derive(Clone, Debug)]
pub enum ExpressionKind {
    /// An integer or character literal: its value and its type.
    Integer(i64, Scalar),
    /// Any other literal.
    Literal,
    /// A name, with its declaration if that is a variable of this file.
    Name(String, Option<VariableId>),
    /// What is called, and the arguments.
    Call(Box<Expression>, Vec<Expression>),
    /// Array or pointer, and subscript.
    Index(Box<Expression>, Box<Expression>),
    /// `a.x` or `a->x`.
    Field(Box<Expression>, Member),
    /// An operator in front of its operand.
    Unary(UnaryOperator, Box<Expression>),
    /// An operator between its operands.
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    /// `a ? b : c`.
    Ternary(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Operator (`=`, `+=`, …), place, value.
    Assign(String, Box<Expression>, Box<Expression>),
    /// `++` (1) or `--` (-1), in front of a place or behind it.
    Step(i64, Box<Expression>),
    /// The type that a value is converted to, and the value.
    Cast(Scalar, Box<Expression>),
    /// The expressions in a `sizeof` or `alignof`.
    Sizeof(Vec<Expression>),
    /// Anything else: what it is, and its parts.
    Other(&'static str, Vec<Expression>),
}

/// What stands behind `.` or `->`.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Whether the structure is behind a pointer.
    pub through_pointer: bool,
}

/// An operator in front of its operand, other than `++`, `--` and a cast.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOperator {
    /// `+`.
    Plus,
    /// `-`.
    Minus,
    /// `!`.
    Not,
    /// `~`.
    Complement,
    /// `*`.
    Dereference,
    /// `&`.
    Address,
}

/// An operator between two operands that writes neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOperator {
    /// `+`.
    Add,
    /// `-`.
    Subtract,
    /// `*`.
    Multiply,
    /// `/`.
    Divide,
    /// `%`.
    Remainder,
    /// `<`, `<=`, `>`, `>=`, `==` or `!=`.
    Compare(Comparison),
    /// `&&`.
    And,
    /// `||`.
    Or,
    /// `&`.
    BitAnd,
    /// `<<`.
    ShiftLeft,
    /// `>>`.
    ShiftRight,
    /// `|` and `^`.
    Bits,
}

/// How two expressions are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Comparison {
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Equal,
    NotEqual,
}

impl Comparison {
    /// Compares two integers.
    pub fn compare(self, a: i64, b: i64) -> bool {
        match self {
            Comparison::Less => a < b,
            Comparison::LessEqual => a <= b,
            Comparison::Greater => a > b,
            Comparison::GreaterEqual => a >= b,
            Comparison::Equal => a == b,
            Comparison::NotEqual => a != b,
        }
    }

    /// The comparison that says of `b` and `a` what this one says of `a` and `b`: `a < b` is `b > a`.
    pub fn mirrored(self) -> Comparison {
        match self {
            Comparison::Less => Comparison::Greater,
            Comparison::LessEqual => Comparison::GreaterEqual,
            Comparison::Greater => Comparison::Less,
            Comparison::GreaterEqual => Comparison::LessEqual,
            Comparison::Equal | Comparison::NotEqual => self,
        }
    }

    /// C's operator.
    pub fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::LessEqual => "<=",
            Comparison::Greater => ">",
            Comparison::GreaterEqual => ">=",
            Comparison::Equal => "==",
            Comparison::NotEqual => "!=",
        }
    }
}

/// A statement.
#[derive(Clone, Debug)]
pub struct Statement {
    /// What it is, with its parts.
    pub kind: StatementKind,
    /// From its first byte to its last, in the expanded text.
    pub span: Span,
}

/// What a statement is, with its parts in text order.
#[derive(Clone, Debug)]
pub enum StatementKind {
    /// Nothing that runs, such as a lone `;` or the definition of a type.
    Empty,
    /// The statements between two braces.
    Block(Vec<Statement>),
    /// An expression with its `;`.
    Expression(Expression),
    /// Each variable with its initializer.
    Declaration(Vec<(VariableId, Option<Expression>)>),
    /// A `for` loop.
    For {
        /// What comes before the first turn.
        start: ForStart,
        /// What each turn tests; `None`: the loop ends otherwise.
        condition: Option<Expression>,
        /// What comes after each turn.
        update: Option<Expression>,
        /// What each turn runs.
        body: Box<Statement>,
    },
    /// Condition, `then` branch, `else` branch.
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    /// The name of a label, and the statement behind it.
    Label(String, Box<Statement>),
    /// Anything else: what it is, the statements and the expressions in it.
    Other(&'static str, Vec<Statement>, Vec<Expression>),
}

/// The first part of a `for`.
#[derive(Clone, Debug)]
pub enum ForStart {
    /// It is left out.
    Nothing,
    /// An expression.
    Expression(Expression),
    /// Each variable with its initializer.
    Declaration(Vec<(VariableId, Option<Expression>)>),
}

/// One step from a name to its type, from the name outward.
#[derive(Clone, Debug)]
pub enum Derivation {
    /// An array of so many elements; `None`: the declaration doesn't say.
    Array(Option<Expression>),
    /// What stands behind its `*`.
    Pointer(Qualifiers),
    /// A function that returns what follows.
    Function,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Type of the innermost element.
    pub scalar: Scalar,
    /// The element type as written, without qualifiers.
    pub element: String,
    /// The steps from its name to the innermost element; none: it is one itself.
    pub shape: Vec<Derivation>,
    /// Where it lives.
    pub storage: Storage,
    /// Qualifiers of the innermost element.
    pub(crate) qualifiers: Qualifiers,
    /// Those within the outermost brackets of a parameter, which are of the pointer that it is.
    pub(crate) brackets: Qualifiers,
    /// Whether its declaration says `static`.
    pub is_static: bool,
    /// Whether it, a pointer in it, or what it holds is volatile.
    pub is_volatile: bool,
    /// Its type is not known well enough to say that it is not volatile.
    pub may_be_volatile: bool,
    /// Its type is a typedef of an array.
    pub hides_array: bool,
    /// What stands in front of the first declarator, words apart by single blanks.
    pub specifiers: String,
    /// What stands behind the declarator, up to its end or initializer.
    pub attributes: String,
    /// An attribute of its declaration that may give it a meaning of its own.
    pub attribute: Option<String>,
    /// Bytes of its declarator, without an initializer.
    pub declarator: Span,
    /// Bytes of its name.
    pub name_span: Span,
    /// Bytes of the whole declaration.
    pub statement: Span,
    /// How many declarators that declaration has, this one included.
    pub siblings: usize,
    /// Whether it has an initializer.
    pub has_initializer: bool,
    /// Its initializer, if that is an integer constant.
    pub constant: Option<i64>,
}

impl Variable {
    /// Whether it is a plain number.
    pub fn is_scalar(&self) -> bool {
        self.shape.is_empty() && !self.hides_array
    }

    /// Whether nobody may write it, or the elements of the array that it is.
    pub fn is_const(&self) -> bool {
        let mut shape = self.shape.iter().skip_while(|step| matches!(step, Derivation::Array(_)));
        match shape.next() {
            Some(Derivation::Pointer(own)) => own.is_const,
            _ => self.qualifiers.is_const,
        }
    }

    /// How many subscripts reach an element: leading arrays, or one pointer and the arrays behind it.
    pub fn dimensions(&self) -> usize {
        let arrays = |shape: &[Derivation]| shape.iter().take_while(|d| matches!(d, Derivation::Array(_))).count();
        match self.shape.first() {
            Some(Derivation::Pointer(_)) => 1 + arrays(&self.shape[1..]),
            _ => arrays(&self.shape),
        }
    }

    /// Qualifiers of what its subscripts reach.
    pub fn elements(&self) -> Qualifiers {
        match self.shape.get(self.dimensions()) {
            Some(Derivation::Pointer(own)) => *own,
            _ => self.qualifiers,
        }
    }

    /// The pointer that it is, by its own declaration.
    pub fn pointer(&self) -> Option<Pointer> {
        match self.shape.first() {
            Some(Derivation::Pointer(qualifiers)) => Some(Pointer::Plain(*qualifiers)),
            Some(Derivation::Array(_)) if self.storage == Storage::Parameter => Some(Pointer::Brackets(self.brackets)),
            None if self.hides_array => Some(Pointer::Hidden),
            _ => None,
        }
    }

    /// Whether it was declared in a function.
    pub fn is_local(&self) -> bool {
        matches!(self.storage, Storage::Local | Storage::StaticLocal)
    }
}

/// A function with a body.
#[derive(Clone, Debug)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Its named parameters in order, but for functions.
    pub parameters: Vec<VariableId>,
    /// Whether its definition plainly says that it returns `void`.
    pub returns_void: bool,
    /// Whether its definition says `static`.
    pub is_static: bool,
    /// Its block.
    pub body: Statement,
    /// Bytes of the whole definition.
    pub span: Span,
}

impl Expression {
    /// The expressions directly inside this one.
    pub fn parts(&self) -> Vec<&Expression> {
        use ExpressionKind::*;
        match &self.kind {
            Integer(..) | Literal | Name(..) => Vec::new(),
            Call(callee, arguments) => std::iter::once(&**callee).chain(arguments).collect(),
            Index(a, b) | Binary(_, a, b) | Assign(_, a, b) => vec![a, b],
            Ternary(a, b, c) => vec![a, b, c],
            Field(a, _) | Unary(_, a) | Step(_, a) | Cast(_, a) => vec![a],
            Sizeof(parts) | Other(_, parts) => parts.iter().collect(),
        }
    }

    /// Calls `visit` on this expression and all inside it.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// The variable that it names, if it is just a name.
    pub fn variable(&self) -> Option<VariableId> {
        match &self.kind {
            ExpressionKind::Name(_, variable) => *variable,
            _ => None,
        }
    }
}

impl Statement {
    /// Calls `visit` on every expression in this statement, initializers included.
    pub fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        let declaration = |list: &'a [(VariableId, Option<Expression>)], visit: &mut dyn FnMut(&'a Expression)| {
            list.iter().filter_map(|(_, value)| value.as_ref()).for_each(|value| value.walk(visit));
        };
        match &self.kind {
            StatementKind::Empty => {}
            StatementKind::Block(list) => list.iter().for_each(|s| s.walk(visit)),
            StatementKind::Expression(e) => e.walk(visit),
            StatementKind::Declaration(list) => declaration(list, visit),
            StatementKind::For { start, condition, update, body } => {
                match start {
                    ForStart::Nothing => {}
                    ForStart::Expression(e) => e.walk(visit),
                    ForStart::Declaration(list) => declaration(list, visit),
                }
                condition.iter().chain(update).for_each(|e| e.walk(visit));
                body.walk(visit);
            }
            StatementKind::If(condition, then, otherwise) => {
                condition.walk(visit);
                then.walk(visit);
                otherwise.iter().for_each(|s| s.walk(visit));
            }
            StatementKind::Label(_, inner) => inner.walk(visit),
            StatementKind::Other(_, statements, expressions) => {
                expressions.iter().for_each(|e| e.walk(visit));
                statements.iter().for_each(|s| s.walk(visit));
            }
        }
    }
}
