//! Loops that copy cells, as lines of C.

use super::copying::Copy;
use polyfold_isl::{Ast, AstExpr, Result};

impl Copy<'_> {
    /// Loops as they are.
    pub(super) fn written(&self, ast: &Ast, indent: &str) -> Result<String> {
        let mut out = String::new();
        self.write(ast, indent, &mut out)?;
        Ok(out)
    }

    fn write(&self, ast: &Ast, indent: &str, out: &mut String) -> Result<()> {
        match ast {
            Ast::Block(all) => all.iter().try_for_each(|part| self.write(part, indent, out)),
            Ast::For { iterator, first, condition, step, body, .. } => {
                let step = match step {
                    1 => format!("{iterator}++"),
                    -1 => format!("{iterator}--"),
                    step if *step < 0 => format!("{iterator} -= {}", step.unsigned_abs()),
                    step => format!("{iterator} += {step}"),
                };
                let (first, condition) = (self.print(first)?, self.print(condition)?);
                let head = format!("for ({} = {first}; {condition}; {step})", self.head(iterator));
                self.nested(&head, body, indent, out)
            }
            Ast::If { condition, then, otherwise } => {
                self.nested(&format!("if ({})", self.print(condition)?), then, indent, out)?;
                otherwise.as_ref().map_or(Ok(()), |otherwise| self.nested("else", otherwise, indent, out))
            }
            Ast::Point { coordinates, .. } => {
                let text = self.statement(coordinates)?.replace('\n', &format!("\n{indent}"));
                out.push_str(&format!("{indent}{text}\n"));
                Ok(())
            }
        }
    }

    fn nested(&self, head: &str, body: &Ast, indent: &str, out: &mut String) -> Result<()> {
        if let Some(coordinates) = only_point(body) {
            let text = self.statement(coordinates)?;
            if text.starts_with('{') {
                out.push_str(&format!("{indent}{head} {}\n", text.replace('\n', &format!("\n{indent}"))));
                return Ok(());
            }
        }
        let deeper = format!("{indent}  ");
        if self.needs_no_braces(body) {
            out.push_str(&format!("{indent}{head}\n"));
            return self.write(body, &deeper, out);
        }
        out.push_str(&format!("{indent}{head} {{\n"));
        self.write(body, &deeper, out)?;
        out.push_str(&format!("{indent}}}\n"));
        Ok(())
    }

    /// What is one statement without an `if`; an `if` has braces, lest an `else` belongs to it.
    fn needs_no_braces(&self, ast: &Ast) -> bool {
        match ast {
            Ast::Point { .. } => !self.has_if(),
            Ast::For { body, .. } => self.needs_no_braces(body),
            Ast::If { .. } => false,
            Ast::Block(all) => matches!(&all[..], [one] if self.needs_no_braces(one)),
        }
    }
}

/// The coordinates of the point that is all of a program.
fn only_point(ast: &Ast) -> Option<&Vec<AstExpr>> {
    match ast {
        Ast::Point { coordinates, .. } => Some(coordinates),
        Ast::Block(all) => match &all[..] {
            [one] => only_point(one),
            _ => None,
        },
        Ast::For { .. } | Ast::If { .. } => None,
    }
}
