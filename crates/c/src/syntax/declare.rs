//! Declarations and declarators.
//!
//! Example: `static unsigned alpha[N], *p;` binds `alpha` with the shape `[Array(N)]` and `p` with `[Pointer]`.

use super::attributes::{attributes_behind, inner_attribute, odd_attribute};
use super::build::Builder;
use super::declaration::{Qualifiers, Storage};
use super::tree::*;
use crate::source::Span;
use tree_sitter::Node;

struct Declarator<'t> {
    name: Node<'t>,
    shape: Vec<Derivation>,
    /// Within its outermost brackets.
    brackets: Qualifiers,
}

impl Builder<'_> {
    /// Binds the names that a declaration introduces; gives each with its initializer.
    pub(super) fn declaration(&mut self, node: Node, storage: Storage) -> Vec<(VariableId, Option<Expression>)> {
        self.enumerators(node);
        let mut cursor = node.walk();
        let declarators: Vec<Node> = node.children_by_field_name("declarator", &mut cursor).collect();
        let siblings = declarators.len();
        let mut declared = Vec::new();
        for outer in declarators {
            let (inner, value) = match outer.kind() {
                "init_declarator" => (outer.child_by_field_name("declarator"), outer.child_by_field_name("value")),
                _ => (Some(outer), None),
            };
            let Some(inner) = inner else { continue };
            let Some(variable) = self.variable(node, inner, storage, siblings) else { continue };
            let id = self.bind(variable);
            let value = value.map(|value| self.expression(value));
            self.note_initializer(id, value.as_ref());
            declared.push((id, value));
        }
        declared
    }

    fn note_initializer(&mut self, id: VariableId, value: Option<&Expression>) {
        let Some(value) = value else { return };
        let constant = crate::constant::value(value, &|name| self.unit.enumerators.get(name).copied());
        let variable = &mut self.unit.variables[id];
        variable.has_initializer = true;
        variable.constant = constant;
    }

    fn variable(&mut self, node: Node, inner: Node, storage: Storage, siblings: usize) -> Option<Variable> {
        let Declarator { name, shape, brackets } = self.declarator(inner, 0)?;
        if matches!(shape.first(), Some(Derivation::Function)) {
            return None;
        }
        let mut cursor = node.walk();
        let parts: Vec<Node> = node.children(&mut cursor).collect();
        let has = |kind: &str, text: &str| parts.iter().any(|p| p.kind() == kind && self.text(*p) == text);
        let element = node.child_by_field_name("type").map_or("", |t| self.text(t));
        let element = element.split_whitespace().collect::<Vec<_>>().join(" ");
        let first = parts.iter().find(|p| p.kind().ends_with("declarator") || p.kind() == "identifier");
        let specifiers = self.between(node.start_byte()..first.map_or(node.start_byte(), |f| f.start_byte()));
        let statement = self.whole_declaration(node);
        let volatility = self.volatility(&element);
        Some(Variable {
            name: self.text(name).to_string(),
            scalar: self.scalar(&element),
            hides_array: self.hides_array(&element),
            element,
            shape,
            storage: match storage {
                Storage::Local if has("storage_class_specifier", "static") => Storage::StaticLocal,
                Storage::Local if has("storage_class_specifier", "extern") => Storage::Global,
                other => other,
            },
            qualifiers: self.qualifiers(node),
            brackets,
            is_static: self.is_static(node),
            is_volatile: volatility == Some(true) || self.says_volatile(&parts) || self.has_volatile_pointer(inner, 0),
            may_be_volatile: volatility.is_none(),
            attribute: odd_attribute(self.between(statement.clone()))
                .or_else(|| inner_attribute(self.between(inner.byte_range()))),
            specifiers: specifiers.split_whitespace().collect::<Vec<_>>().join(" "),
            attributes: attributes_behind(self.between(inner.end_byte()..statement.end)),
            declarator: inner.byte_range(),
            name_span: name.byte_range(),
            statement,
            siblings,
            has_initializer: false,
            constant: None,
        })
    }

    /// A declaration with the attributes behind its last declarator, which the parser takes for a statement.
    fn whole_declaration(&self, node: Node) -> Span {
        let (start, end) = (node.start_byte(), node.end_byte());
        let rest = &self.source[end..];
        // Behind a semicolon attributes are those of what comes next.
        let is_open = !self.source[start..end].ends_with(';');
        let has_attribute =
            is_open && ["__attribute", "__asm", "asm"].iter().any(|word| rest.trim_start().starts_with(word));
        match rest.find(';') {
            Some(length) if has_attribute && node.kind() == "declaration" => start..end + length + 1,
            _ => start..end,
        }
    }

    /// Whether a declaration or definition says `static` by itself.
    pub(super) fn is_static(&self, node: Node) -> bool {
        let mut cursor = node.walk();
        let mut parts = node.named_children(&mut cursor);
        parts.any(|part| part.kind() == "storage_class_specifier" && self.text(part) == "static")
    }

    /// The qualifiers that stand directly in a declaration or a declarator.
    fn qualifiers(&self, node: Node) -> Qualifiers {
        let mut cursor = node.walk();
        let mut found = Qualifiers::default();
        for part in node.named_children(&mut cursor) {
            let text = self.text(part);
            match part.kind() {
                "type_qualifier" => {
                    found.is_const |= text == "const";
                    found.is_volatile |= super::types::is_volatile(text);
                    found.is_restrict |= matches!(text, "restrict" | "__restrict__");
                }
                "ms_pointer_modifier" => found.is_restrict |= text == "__restrict",
                _ => {}
            }
        }
        found
    }

    fn says_volatile(&self, parts: &[Node]) -> bool {
        parts.iter().any(|p| p.kind() == "type_qualifier" && super::types::is_volatile(self.text(*p)))
    }

    /// Whether a declarator says `*volatile`.
    fn has_volatile_pointer(&self, node: Node, depth: usize) -> bool {
        let mut cursor = node.walk();
        let mut children = node.named_children(&mut cursor);
        children.any(|child| match child.kind() {
            "type_qualifier" => super::types::is_volatile(self.text(child)),
            kind => depth < 50 && kind.ends_with("declarator") && self.has_volatile_pointer(child, depth + 1),
        })
    }

    fn declarator<'t>(&mut self, node: Node<'t>, depth: usize) -> Option<Declarator<'t>> {
        if depth > 50 {
            return None;
        }
        let inner = node.child_by_field_name("declarator").or_else(|| {
            let mut cursor = node.walk();
            node.named_children(&mut cursor).find(|child| child.kind() != "type_qualifier")
        });
        let derivation = match node.kind() {
            "identifier" => return Some(Declarator { name: node, shape: Vec::new(), brackets: Qualifiers::default() }),
            "array_declarator" => {
                let size = node.child_by_field_name("size").map(|size| self.expression(size));
                Some(Derivation::Array(size))
            }
            "pointer_declarator" => Some(Derivation::Pointer(self.qualifiers(node))),
            "function_declarator" => Some(Derivation::Function),
            "parenthesized_declarator" | "attributed_declarator" => None,
            _ => return None,
        };
        let mut declarator = self.declarator(inner?, depth + 1)?;
        if declarator.shape.is_empty() && node.kind() == "array_declarator" {
            declarator.brackets = self.qualifiers(node);
        }
        declarator.shape.extend(derivation);
        Some(declarator)
    }
}
