//! The tree's types. All spans are bytes of the expanded text.

use super::Scalar;
use polyfold_scop::{Pointer, Qualifiers, Span, Storage};

/// Index into [`Unit::variables`](super::Unit::variables): one per declaration.
pub(crate) type VariableId = usize;

/// An expression.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub(crate) kind: ExpressionKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum ExpressionKind {
    /// An integer or character literal.
    Integer(i64, Scalar),
    /// Any other literal.
    Literal,
    /// A name, with its declaration if that is a variable of this file.
    Name(String, Option<VariableId>),
    Call(Box<Expression>, Vec<Expression>),
    Index(Box<Expression>, Box<Expression>),
    /// `a.x` or `a->x`.
    Field(Box<Expression>, Member),
    Unary(UnaryOperator, Box<Expression>),
    Binary(BinaryOperator, Box<Expression>, Box<Expression>),
    Ternary(Box<Expression>, Box<Expression>, Box<Expression>),
    /// Operator (`=`, `+=`, …), place, value.
    Assign(String, Box<Expression>, Box<Expression>),
    /// `++` (1) or `--` (-1).
    Step(i64, Box<Expression>),
    Cast(Scalar, Box<Expression>),
    Sizeof(Vec<Expression>),
    /// Anything else: what it is, and its parts.
    Other(&'static str, Vec<Expression>),
}

/// What stands behind `.` or `->`.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) name: String,
    /// Whether the structure is behind a pointer.
    pub(crate) through_pointer: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnaryOperator {
    Plus,
    Minus,
    Not,
    Complement,
    Dereference,
    Address,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BinaryOperator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Compare(polyfold_scop::Comparison),
    And,
    Or,
    BitAnd,
    ShiftLeft,
    ShiftRight,
    /// `|` and `^`.
    Bits,
}

/// A statement.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) kind: StatementKind,
    pub(crate) span: Span,
}

#[derive(Clone, Debug)]
pub(crate) enum StatementKind {
    Empty,
    Block(Vec<Statement>),
    Expression(Expression),
    /// Each variable with its initializer.
    Declaration(Vec<(VariableId, Option<Expression>)>),
    For {
        start: ForStart,
        condition: Option<Expression>,
        update: Option<Expression>,
        body: Box<Statement>,
    },
    If(Expression, Box<Statement>, Option<Box<Statement>>),
    Label(String, Box<Statement>),
    /// Anything else: what it is, the statements and the expressions in it.
    Other(&'static str, Vec<Statement>, Vec<Expression>),
}

/// The first part of a `for`.
#[derive(Clone, Debug)]
pub(crate) enum ForStart {
    Nothing,
    Expression(Expression),
    Declaration(Vec<(VariableId, Option<Expression>)>),
}

/// One step from a name to its type, from the name outward.
#[derive(Clone, Debug)]
pub(crate) enum Derivation {
    Array(Option<Expression>),
    /// What stands behind its `*`.
    Pointer(Qualifiers),
    Function,
}

/// A declared variable.
#[derive(Clone, Debug)]
pub(crate) struct Variable {
    pub(crate) name: String,
    /// Type of the innermost element.
    pub(crate) scalar: Scalar,
    /// The element type as written, without qualifiers.
    pub(crate) element: String,
    pub(crate) shape: Vec<Derivation>,
    pub(crate) storage: Storage,
    /// Qualifiers of the innermost element.
    pub(crate) qualifiers: Qualifiers,
    /// Those within the outermost brackets of a parameter, which are of the pointer that it is.
    pub(crate) brackets: Qualifiers,
    pub(crate) is_static: bool,
    pub(crate) is_volatile: bool,
    /// Its type is not known well enough to say that it is not volatile.
    pub(crate) may_be_volatile: bool,
    /// Its type is a typedef of an array.
    pub(crate) hides_array: bool,
    pub(crate) specifiers: String,
    /// What stands behind the declarator, up to its end or initializer.
    pub(crate) attributes: String,
    /// An attribute of its declaration that may give it a meaning of its own.
    pub(crate) attribute: Option<String>,
    pub(crate) declarator: Span,
    pub(crate) name_span: Span,
    pub(crate) statement: Span,
    pub(crate) siblings: usize,
    pub(crate) has_initializer: bool,
    /// Its initializer, if that is an integer constant.
    pub(crate) constant: Option<i64>,
}

impl Variable {
    /// Whether it is a plain number.
    pub(crate) fn is_scalar(&self) -> bool {
        self.shape.is_empty() && !self.hides_array
    }

    /// Whether nobody may write it, or the elements of the array that it is.
    pub(crate) fn is_const(&self) -> bool {
        let mut shape = self.shape.iter().skip_while(|step| matches!(step, Derivation::Array(_)));
        match shape.next() {
            Some(Derivation::Pointer(own)) => own.is_const,
            _ => self.qualifiers.is_const,
        }
    }

    /// How many subscripts reach an element: leading arrays, or one pointer and the arrays behind it.
    pub(crate) fn dimensions(&self) -> usize {
        let arrays = |shape: &[Derivation]| shape.iter().take_while(|d| matches!(d, Derivation::Array(_))).count();
        match self.shape.first() {
            Some(Derivation::Pointer(_)) => 1 + arrays(&self.shape[1..]),
            _ => arrays(&self.shape),
        }
    }

    /// Qualifiers of what its subscripts reach.
    pub(crate) fn elements(&self) -> Qualifiers {
        match self.shape.get(self.dimensions()) {
            Some(Derivation::Pointer(own)) => *own,
            _ => self.qualifiers,
        }
    }

    /// The pointer that it is, by its own declaration.
    pub(crate) fn pointer(&self) -> Option<Pointer> {
        match self.shape.first() {
            Some(Derivation::Pointer(qualifiers)) => Some(Pointer::Plain(*qualifiers)),
            Some(Derivation::Array(_)) if self.storage == Storage::Parameter => Some(Pointer::Brackets(self.brackets)),
            None if self.hides_array => Some(Pointer::Hidden),
            _ => None,
        }
    }

    /// Whether it was declared in a function.
    pub(crate) fn is_local(&self) -> bool {
        matches!(self.storage, Storage::Local | Storage::StaticLocal)
    }
}

/// A function with a body.
#[derive(Clone, Debug)]
pub(crate) struct Function {
    pub(crate) name: String,
    pub(crate) parameters: Vec<VariableId>,
    pub(crate) returns_void: bool,
    pub(crate) is_static: bool,
    pub(crate) body: Statement,
    pub(crate) span: Span,
}

impl Expression {
    /// The expressions directly inside this one.
    pub(crate) fn parts(&self) -> Vec<&Expression> {
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
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
        visit(self);
        for part in self.parts() {
            part.walk(visit);
        }
    }

    /// The variable that it names, if it is just a name.
    pub(crate) fn variable(&self) -> Option<VariableId> {
        match &self.kind {
            ExpressionKind::Name(_, variable) => *variable,
            _ => None,
        }
    }
}

impl Statement {
    /// Calls `visit` on every expression in this statement, initializers included.
    pub(crate) fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Expression)) {
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
