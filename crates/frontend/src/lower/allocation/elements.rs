//! How many elements a call asks for: the factors of its arguments, but for one `sizeof` of elements or rows.

use super::Search;
use polyfold_c::syntax::{BinaryOperator, Derivation, Expression, ExpressionKind, Scalar, UnaryOperator};

impl Search<'_> {
    /// The factors of the number of elements; `None` where that is not what the arguments say.
    pub(super) fn elements(&self, arguments: &[Expression]) -> Option<Vec<Expression>> {
        let mut factors = Vec::new();
        arguments.iter().for_each(|argument| flatten(argument, &mut factors));
        let mut elements = Vec::new();
        let mut measured = 0;
        for factor in factors {
            match &factor.kind {
                ExpressionKind::Sizeof(parts) => {
                    measured += 1;
                    elements.extend(self.elements_in(parts)?);
                }
                _ => elements.push(factor.clone()),
            }
        }
        (measured == 1).then_some(elements)
    }

    /// How many elements an operand of `sizeof` has.
    fn elements_in(&self, parts: &[Expression]) -> Option<Vec<Expression>> {
        let [operand] = parts else { return None };
        let text = bare(self.site.expanded.text.get(operand.span.clone())?);
        if self.is_element(&text.split_whitespace().collect::<Vec<_>>().join(" ")) {
            return Some(Vec::new());
        }
        if let ExpressionKind::Other("a type", parts) = &operand.kind {
            let mut extents = Vec::new();
            parts.iter().for_each(|part| leaves(part, &mut extents));
            let words = text.split('[').next()?.split_whitespace().collect::<Vec<_>>().join(" ");
            let brackets = text.matches('[').count();
            extents.retain(|e| e.span.start > operand.span.start + words.len() - 1);
            return (words == self.variable.element && brackets == extents.len()).then_some(extents);
        }
        let depth = self.depth(operand)?;
        let inner = self.variable.shape.get(depth..self.variable.dimensions())?;
        inner.iter().map(|d| if let Derivation::Array(Some(e)) = d { Some(e.clone()) } else { None }).collect()
    }

    /// Whether a text names the element's type, or another name of it.
    fn is_element(&self, text: &str) -> bool {
        let Search { site, variable, .. } = self;
        let is_name = text.chars().all(|c| c.is_alphanumeric() || c == '_' || c == ' ');
        let scalar = || site.typedefs.scalar(text, site.table);
        text == variable.element || is_name && variable.scalar != Scalar::Unknown && scalar() == variable.scalar
    }

    /// How many dimensions an expression takes off the pointer.
    fn depth(&self, e: &Expression) -> Option<usize> {
        match &e.kind {
            ExpressionKind::Name(_, Some(id)) => (*id == self.id).then_some(0),
            ExpressionKind::Unary(UnaryOperator::Dereference, inner) | ExpressionKind::Index(inner, _) => {
                Some(self.depth(inner)? + 1)
            }
            _ => None,
        }
        .filter(|depth| *depth <= self.variable.dimensions())
    }
}

/// A text without parentheses around it.
fn bare(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('(').and_then(|text| text.strip_suffix(')')).map_or(text, bare)
}

/// The operands of a product, whichever integer types they are cast to.
fn flatten<'e>(e: &'e Expression, factors: &mut Vec<&'e Expression>) {
    match &e.kind {
        ExpressionKind::Binary(BinaryOperator::Multiply, a, b) => {
            flatten(a, factors);
            flatten(b, factors);
        }
        ExpressionKind::Cast(to, inner) if to.bits() == 64 => flatten(inner, factors),
        _ => factors.push(e),
    }
}

/// The expressions in an abstract declarator, in text order.
fn leaves(e: &Expression, found: &mut Vec<Expression>) {
    match &e.kind {
        ExpressionKind::Other(_, parts) => parts.iter().for_each(|part| leaves(part, found)),
        _ => {
            found.push(e.clone());
            found.sort_by_key(|e| e.span.start);
        }
    }
}
