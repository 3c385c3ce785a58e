//! Expressions, from tree-sitter's tree.

use super::Scalar;
use super::build::Builder;
use super::parentheses::bare;
use super::tree::*;
use tree_sitter::Node;

impl Builder<'_> {
    /// Converts an expression.
    pub(super) fn expression(&mut self, node: Node) -> Expression {
        if !self.enter() {
            return Expression {
                kind: ExpressionKind::Other("a very deep expression", Vec::new()),
                span: node.byte_range(),
            };
        }
        let kind = self.expression_kind(node);
        self.leave();
        Expression { kind, span: without_those_of_a_head(node).byte_range() }
    }

    fn boxed(&mut self, node: Node, field: &str) -> Box<Expression> {
        Box::new(match node.child_by_field_name(field) {
            Some(child) => self.expression(child),
            None => Expression {
                kind: ExpressionKind::Other("an unfinished expression", Vec::new()),
                span: node.byte_range(),
            },
        })
    }

    fn children(&mut self, node: Node) -> Vec<Expression> {
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        children.into_iter().map(|child| self.expression(child)).collect()
    }

    fn expression_kind(&mut self, node: Node) -> ExpressionKind {
        use ExpressionKind::*;
        match node.kind() {
            "parenthesized_expression" => match node.named_child(0) {
                Some(inner) if node.named_child_count() == 1 => self.expression(inner).kind,
                _ => Other("an unfinished expression", self.children(node)),
            },
            "number_literal" => number(self.text(node)),
            "char_literal" => character(self.text(node)),
            "true" => Integer(1, Scalar::INT),
            "false" => Integer(0, Scalar::INT),
            "string_literal" | "concatenated_string" | "null" | "string_content" | "field_identifier" => Literal,
            "identifier" | "type_identifier" => self.name(node),
            "call_expression" => self.call(node),
            "subscript_expression" => Index(self.boxed(node, "argument"), self.boxed(node, "index")),
            "field_expression" => Field(self.boxed(node, "argument"), self.member(node)),
            "unary_expression" | "pointer_expression" => match unary(self.operator(node)) {
                Some(operator) => Unary(operator, self.boxed(node, "argument")),
                None => Other("this operator", self.children(node)),
            },
            "binary_expression" => self.binary(node),
            "conditional_expression" if node.child_by_field_name("consequence").is_some() => {
                let condition = self.boxed(node, "condition");
                Ternary(condition, self.boxed(node, "consequence"), self.boxed(node, "alternative"))
            }
            "assignment_expression" => {
                let operator = self.operator(node).to_string();
                Assign(operator, self.boxed(node, "left"), self.boxed(node, "right"))
            }
            "update_expression" => {
                let step = if self.operator(node) == "--" { -1 } else { 1 };
                Step(step, self.boxed(node, "argument"))
            }
            "cast_expression" => self.cast(node),
            "sizeof_expression" | "alignof_expression" => Sizeof(self.children(node)),
            other => Other(what_is(other), self.children(node)),
        }
    }

    fn member(&self, node: Node) -> Member {
        let through_pointer = node.child_by_field_name("operator").is_some_and(|o| o.kind() == "->");
        let name = node.child_by_field_name("field").map_or("", |field| self.text(field)).to_string();
        Member { name, through_pointer }
    }

    fn name(&mut self, node: Node) -> ExpressionKind {
        let name = bare(self.text(node)).to_string();
        let variable = self.lookup(&name);
        ExpressionKind::Name(name, variable)
    }

    /// The type that `(T)` names, where the parser takes it for a value in parentheses.
    fn type_in_parentheses(&self, node: Option<Node>) -> Option<Scalar> {
        let node = node.filter(|n| n.kind() == "parenthesized_expression")?;
        let name = node.named_child(0).filter(|n| n.kind() == "identifier").map(|n| self.text(n))?;
        (self.lookup(name).is_none() && self.is_type(name)).then(|| self.scalar(name))
    }

    /// A call; but `(T)(x)` is a cast.
    fn call(&mut self, node: Node) -> ExpressionKind {
        let cast = self.type_in_parentheses(node.child_by_field_name("function"));
        let mut arguments = node.child_by_field_name("arguments").map(|a| self.children(a)).unwrap_or_default();
        match (cast, arguments.len()) {
            (Some(to), 1) => ExpressionKind::Cast(to, Box::new(arguments.remove(0))),
            _ => ExpressionKind::Call(self.boxed(node, "function"), arguments),
        }
    }

    /// Two operands; but `(T) - x` is a cast.
    fn binary(&mut self, node: Node) -> ExpressionKind {
        let operator = self.operator(node);
        let cast = self.type_in_parentheses(node.child_by_field_name("left"));
        match (cast, unary(operator), binary(operator)) {
            (Some(to), Some(UnaryOperator::Plus), _) => ExpressionKind::Cast(to, self.boxed(node, "right")),
            (Some(to), Some(UnaryOperator::Minus), _) => {
                let kind = ExpressionKind::Unary(UnaryOperator::Minus, self.boxed(node, "right"));
                ExpressionKind::Cast(to, Box::new(Expression { kind, span: node.byte_range() }))
            }
            (None, _, Some(operator)) => {
                ExpressionKind::Binary(operator, self.boxed(node, "left"), self.boxed(node, "right"))
            }
            (Some(_), ..) => ExpressionKind::Other("a cast in front of an operator", self.children(node)),
            (None, _, None) => ExpressionKind::Other("this operator", self.children(node)),
        }
    }

    /// `(T)x`. What looks like a cast to a variable has been misread, and means nothing.
    fn cast(&mut self, node: Node) -> ExpressionKind {
        let Some(descriptor) = node.child_by_field_name("type") else {
            return ExpressionKind::Other("an unfinished expression", self.children(node));
        };
        let text = self.text(descriptor).trim().to_string();
        let is_value = self.lookup(&text).is_some() || self.is_constant(&text);
        let value = self.boxed(node, "value");
        if !is_value {
            return if descriptor.child_by_field_name("declarator").is_some() {
                ExpressionKind::Cast(Scalar::Unknown, value)
            } else {
                ExpressionKind::Cast(self.scalar(&text), value)
            };
        }
        let kind = ExpressionKind::Name(text.clone(), self.lookup(&text));
        ExpressionKind::Other("this construct", vec![Expression { kind, span: descriptor.byte_range() }, *value])
    }
}

/// What an expression is that has no kind of its own.
fn what_is(kind: &str) -> &'static str {
    match kind {
        "type_descriptor" => "a type",
        "comma_expression" => "a comma expression",
        "compound_literal_expression" => "a compound literal",
        "initializer_list" | "initializer_pair" => "an initializer list",
        "ERROR" => "a syntax error",
        _ => "this construct",
    }
}

fn unary(operator: &str) -> Option<UnaryOperator> {
    Some(match operator {
        "+" => UnaryOperator::Plus,
        "-" => UnaryOperator::Minus,
        "!" => UnaryOperator::Not,
        "~" => UnaryOperator::Complement,
        "*" => UnaryOperator::Dereference,
        "&" => UnaryOperator::Address,
        _ => return None,
    })
}

fn binary(operator: &str) -> Option<BinaryOperator> {
    Some(match operator {
        "+" => BinaryOperator::Add,
        "-" => BinaryOperator::Subtract,
        "*" => BinaryOperator::Multiply,
        "/" => BinaryOperator::Divide,
        "%" => BinaryOperator::Remainder,
        "<" => BinaryOperator::Compare(Comparison::Less),
        "<=" => BinaryOperator::Compare(Comparison::LessEqual),
        ">" => BinaryOperator::Compare(Comparison::Greater),
        ">=" => BinaryOperator::Compare(Comparison::GreaterEqual),
        "==" => BinaryOperator::Compare(Comparison::Equal),
        "!=" => BinaryOperator::Compare(Comparison::NotEqual),
        "&&" => BinaryOperator::And,
        "||" => BinaryOperator::Or,
        "&" => BinaryOperator::BitAnd,
        "<<" => BinaryOperator::ShiftLeft,
        ">>" => BinaryOperator::ShiftRight,
        "|" | "^" => BinaryOperator::Bits,
        _ => return None,
    })
}

/// The value of a number's text.
pub(super) fn number(text: &str) -> ExpressionKind {
    let lower = text.to_ascii_lowercase();
    let is_hex = lower.starts_with("0x");
    let digits = lower.trim_end_matches(['u', 'l']);
    let suffix = &lower[digits.len()..];
    let value = match () {
        () if is_hex => i64::from_str_radix(&digits[2..], 16),
        () if lower.starts_with("0b") => i64::from_str_radix(&digits[2..], 2),
        () if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
        () => digits.parse(),
    };
    let Ok(value) = value else { return ExpressionKind::Literal };
    let bytes = if suffix.contains('l') || value > i64::from(u32::MAX) { 8 } else { 4 };
    let is_decimal = digits.len() < 2 || !digits.starts_with('0');
    let is_large = !is_decimal && bytes == 4 && value > i64::from(i32::MAX);
    let signed = !suffix.contains('u') && !is_large;
    let bytes = if signed && value > i64::from(i32::MAX) { 8 } else { bytes };
    ExpressionKind::Integer(value, Scalar::Integer { bytes, signed })
}

fn character(text: &str) -> ExpressionKind {
    match text.as_bytes() {
        [b'\'', c, b'\''] if c.is_ascii() => ExpressionKind::Integer(i64::from(*c), Scalar::INT),
        _ => ExpressionKind::Literal,
    }
}

/// The expression without the parentheses of a statement's head: those of `if (t[i])` stay where `t[i]` is replaced.
fn without_those_of_a_head(node: Node) -> Node {
    let is_head = node.kind() == "parenthesized_expression"
        && node.parent().is_some_and(|parent| parent.kind().ends_with("_statement"))
        && node.prev_sibling().is_some_and(|word| matches!(word.kind(), "if" | "while" | "switch"));
    node.named_child(0).filter(|_| is_head).unwrap_or(node)
}
