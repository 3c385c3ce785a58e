//! Statements and functions, from tree-sitter's tree.

use super::declaration::Storage;
use super::parentheses::without_lone_parentheses;
use super::tree::*;
use super::{Scalar, Typedefs};
use crate::lex::TokenKind;
use crate::macros::MacroTable;
use crate::source::Span;
use std::collections::{HashMap, HashSet};
use tree_sitter::{Node, Parser};

const DEPTH_LIMIT: usize = 250;

/// A parsed file.
#[derive(Debug, Default)]
pub struct Unit {
    /// All variables, in the order of their declarations.
    pub variables: Vec<Variable>,
    /// The functions with a body, in text order.
    pub functions: Vec<Function>,
    /// Enumeration constants.
    pub enumerators: HashMap<String, i64>,
    /// Where each is defined, in the expanded text.
    pub defined_at: HashMap<String, usize>,
    /// Those that have several values, in other blocks or functions.
    pub ambiguous: HashSet<String>,
    /// Places where the text is not C.
    pub errors: Vec<Span>,
}

/// State of the conversion.
pub(super) struct Builder<'a> {
    pub(super) source: &'a str,
    table: &'a MacroTable,
    typedefs: &'a Typedefs,
    pub(super) unit: Unit,
    scopes: Vec<HashMap<String, VariableId>>,
    depth: usize,
}

/// Parses expanded text. Where it isn't C, [`Unit::errors`] says so, and the rest is read all the
/// same.
pub fn parse_unit(text: &str, table: &MacroTable, typedefs: &Typedefs) -> Unit {
    let mut builder = Builder::new(text, table, typedefs);
    let Some(tree) = builder.tree() else { return builder.unit };
    find_errors(tree.root_node(), &mut builder.unit.errors, 0);
    builder.file_scope(tree.root_node());
    builder.unit
}

/// Parses one expression; its names are bound to no variables. `None`: the text is not one
/// expression.
pub fn expression_from(text: &str, table: &MacroTable, typedefs: &Typedefs) -> Option<Expression> {
    if let [piece] = crate::macros::pieces(text).as_slice()
        && piece.kind == TokenKind::Number
    {
        return Some(Expression { kind: super::expression::number(&piece.text), span: 0..text.len() });
    }
    let text = format!("void f(void) {{ _ = ({text}); }}");
    let mut builder = Builder::new(&text, table, typedefs);
    let tree = builder.tree()?;
    if tree.root_node().has_error() {
        return None;
    }
    builder.file_scope(tree.root_node());
    let function = builder.unit.functions.pop()?;
    let StatementKind::Block(mut list) = function.body.kind else { return None };
    match (list.pop()?.kind, list.is_empty()) {
        (StatementKind::Expression(Expression { kind: ExpressionKind::Assign(_, _, value), .. }), true) => Some(*value),
        _ => None,
    }
}

fn find_errors(node: Node, errors: &mut Vec<Span>, depth: usize) {
    if node.is_error() || node.is_missing() {
        errors.push(node.byte_range());
    }
    if !node.has_error() || depth > DEPTH_LIMIT {
        return;
    }
    let mut cursor = node.walk();
    for child in node.children(&mut cursor) {
        find_errors(child, errors, depth + 1);
    }
}

impl<'a> Builder<'a> {
    fn new(source: &'a str, table: &'a MacroTable, typedefs: &'a Typedefs) -> Self {
        Builder { source, table, typedefs, unit: Unit::default(), scopes: vec![HashMap::new()], depth: 0 }
    }

    fn tree(&self) -> Option<tree_sitter::Tree> {
        let mut parser = Parser::new();
        parser.set_language(&tree_sitter_c::LANGUAGE.into()).ok()?;
        parser.parse(without_lone_parentheses(self.source, |word| self.is_type(word)), None)
    }

    pub(super) fn text(&self, node: Node) -> &'a str {
        &self.source[node.byte_range()]
    }

    pub(super) fn between(&self, span: Span) -> &'a str {
        self.source.get(span).unwrap_or("")
    }

    pub(super) fn operator(&self, node: Node) -> &'a str {
        node.child_by_field_name("operator").map_or("", |operator| self.text(operator))
    }

    pub(super) fn scalar(&self, text: &str) -> Scalar {
        self.typedefs.scalar(text, self.table)
    }

    pub(super) fn volatility(&self, text: &str) -> Option<bool> {
        self.typedefs.volatility(text, self.table)
    }

    pub(super) fn hides_array(&self, text: &str) -> bool {
        self.typedefs.hides_array(text, self.table)
    }

    pub(super) fn lookup(&self, name: &str) -> Option<VariableId> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// Whether `name` is a macro or enumeration constant with a value.
    pub(super) fn is_constant(&self, name: &str) -> bool {
        let is_type_macro = || self.scalar(name) != Scalar::Unknown;
        self.unit.enumerators.contains_key(name)
            || (self.table.object(name).is_some() && !is_type_macro() && !self.typedefs.is_type(name))
    }

    /// Whether `name` is a typedef, or a macro that stands for a type.
    pub(super) fn is_type(&self, name: &str) -> bool {
        let stands_for_type = self.table.object(name).is_some() && self.scalar(name) != Scalar::Unknown;
        self.typedefs.is_type(name) || stands_for_type
    }

    pub(super) fn enter(&mut self) -> bool {
        if self.depth >= DEPTH_LIMIT {
            return false;
        }
        self.depth += 1;
        true
    }

    pub(super) fn leave(&mut self) {
        self.depth -= 1;
    }

    pub(super) fn bind(&mut self, variable: Variable) -> VariableId {
        let id = self.unit.variables.len();
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(variable.name.clone(), id);
        }
        self.unit.variables.push(variable);
        id
    }

    fn file_scope(&mut self, root: Node) {
        if !self.enter() {
            return;
        }
        let mut cursor = root.walk();
        let items: Vec<Node> = root.named_children(&mut cursor).collect();
        for item in items {
            match item.kind() {
                "function_definition" => self.function(item),
                "declaration" => {
                    self.declaration(item, Storage::Global);
                }
                "enum_specifier" | "type_definition" => self.enumerators(item),
                "linkage_specification" | "declaration_list" | "ERROR" => self.file_scope(item),
                _ => {}
            }
        }
        self.leave();
    }

    fn enumerator(&mut self, name: String, value: i64, at: usize) {
        let known = self.unit.enumerators.get(&name).copied();
        if known.is_some_and(|known| known != value) {
            self.unit.ambiguous.insert(name.clone());
        }
        self.unit.enumerators.insert(name.clone(), value);
        self.unit.defined_at.insert(name, at);
    }

    /// Records the constants of every `enum { … }` inside `node`.
    pub(super) fn enumerators(&mut self, node: Node) {
        if !self.enter() {
            return;
        }
        let mut next = Some(0);
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        for child in children {
            if child.kind() != "enumerator" {
                self.enumerators(child);
                continue;
            }
            if let Some(value) = child.child_by_field_name("value") {
                let value = self.expression(value);
                next = crate::constant::value(&value, &|name| self.unit.enumerators.get(name).copied());
            }
            if let (Some(value), Some(name)) = (next, child.child_by_field_name("name")) {
                self.enumerator(self.text(name).to_string(), value, name.start_byte());
            }
            next = next.and_then(|value| value.checked_add(1));
        }
        self.leave();
    }

    fn function(&mut self, node: Node) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let Some(declarator) = self.function_declarator(node, 0) else { return };
        let name = declarator.child_by_field_name("declarator").map_or("", |name| self.text(name));
        let returns = node.child_by_field_name("type").map_or("", |returned| self.text(returned));
        let is_direct = node.child_by_field_name("declarator") == Some(declarator);
        self.scopes.push(HashMap::new());
        let mut parameters = Vec::new();
        if let Some(list) = declarator.child_by_field_name("parameters") {
            let mut cursor = list.walk();
            let list: Vec<Node> = list.named_children(&mut cursor).collect();
            for parameter in list.into_iter().filter(|p| p.kind() == "parameter_declaration") {
                parameters.extend(self.declaration(parameter, Storage::Parameter).into_iter().map(|(id, _)| id));
            }
        }
        let body = self.statement(body);
        self.scopes.pop();
        self.unit.functions.push(Function {
            name: name.to_string(),
            parameters,
            returns_void: is_direct && returns == "void",
            is_static: self.is_static(node),
            body,
            span: node.byte_range(),
        });
    }

    fn function_declarator<'t>(&self, node: Node<'t>, depth: usize) -> Option<Node<'t>> {
        let declarator = node.child_by_field_name("declarator").or_else(|| node.named_child(0))?;
        match declarator.kind() {
            "function_declarator" => Some(declarator),
            _ if depth < 10 => self.function_declarator(declarator, depth + 1),
            _ => None,
        }
    }

    /// Converts a statement.
    pub(super) fn statement(&mut self, node: Node) -> Statement {
        if !self.enter() {
            let kind = StatementKind::Other("a very deep nest of statements", Vec::new(), Vec::new());
            return Statement { kind, span: node.byte_range() };
        }
        let kind = self.statement_kind(node);
        self.leave();
        Statement { kind, span: node.byte_range() }
    }

    fn statement_kind(&mut self, node: Node) -> StatementKind {
        match node.kind() {
            "compound_statement" => {
                self.scopes.push(HashMap::new());
                let mut cursor = node.walk();
                let list: Vec<Node> = node.named_children(&mut cursor).collect();
                let list = list.into_iter().map(|child| self.statement(child)).collect();
                self.scopes.pop();
                StatementKind::Block(list)
            }
            "expression_statement" => match node.named_child(0) {
                Some(inner) => StatementKind::Expression(self.expression(inner)),
                None => StatementKind::Empty,
            },
            "declaration" => StatementKind::Declaration(self.declaration(node, Storage::Local)),
            "for_statement" => self.for_statement(node),
            "if_statement" => self.if_statement(node),
            "labeled_statement" => self.labeled(node),
            "type_definition" | "struct_specifier" | "union_specifier" | "enum_specifier" => {
                self.enumerators(node);
                StatementKind::Empty
            }
            "while_statement" => self.other("a `while` loop", node),
            "do_statement" => self.other("a `do` loop", node),
            "switch_statement" => self.other("a `switch`", node),
            "return_statement" => self.other("a `return`", node),
            "break_statement" => self.other("a `break`", node),
            "continue_statement" => self.other("a `continue`", node),
            "goto_statement" => self.other("a `goto`", node),
            _ => self.other("this construct", node),
        }
    }

    fn other(&mut self, what: &'static str, node: Node) -> StatementKind {
        let mut cursor = node.walk();
        let children: Vec<Node> = node.named_children(&mut cursor).collect();
        let (mut statements, mut expressions) = (Vec::new(), Vec::new());
        for child in children {
            let kind = child.kind();
            if kind.ends_with("statement") || kind == "declaration" || kind == "else_clause" {
                statements.push(self.statement(child));
            } else {
                expressions.push(self.expression(child));
            }
        }
        StatementKind::Other(what, statements, expressions)
    }

    fn for_statement(&mut self, node: Node) -> StatementKind {
        self.scopes.push(HashMap::new());
        let start = match node.child_by_field_name("initializer") {
            None => ForStart::Nothing,
            Some(start) if start.kind() == "declaration" => {
                ForStart::Declaration(self.declaration(start, Storage::Local))
            }
            Some(start) => ForStart::Expression(self.expression(start)),
        };
        let condition = node.child_by_field_name("condition").map(|c| self.expression(c));
        let update = node.child_by_field_name("update").map(|u| self.expression(u));
        let body = self.required(node, "body");
        self.scopes.pop();
        StatementKind::For { start, condition, update, body: Box::new(body) }
    }

    fn if_statement(&mut self, node: Node) -> StatementKind {
        let Some(condition) = node.child_by_field_name("condition") else { return self.other("this construct", node) };
        let condition = self.expression(condition);
        let then = Box::new(self.required(node, "consequence"));
        let alternative = node.child_by_field_name("alternative").and_then(|clause| clause.named_child(0));
        let otherwise = alternative.map(|statement| Box::new(self.statement(statement)));
        StatementKind::If(condition, then, otherwise)
    }

    fn labeled(&mut self, node: Node) -> StatementKind {
        let label = node.child_by_field_name("label").map_or("", |label| self.text(label));
        match node.named_child(node.named_child_count().saturating_sub(1) as u32) {
            Some(inner) if inner.kind() != "statement_identifier" => {
                StatementKind::Label(label.to_string(), Box::new(self.statement(inner)))
            }
            _ => StatementKind::Empty,
        }
    }

    fn required(&mut self, node: Node, field: &str) -> Statement {
        match node.child_by_field_name(field) {
            Some(child) => self.statement(child),
            None => Statement { kind: StatementKind::Empty, span: node.end_byte()..node.end_byte() },
        }
    }
}
