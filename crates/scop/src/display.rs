//! A scop as readable text, for people and for tests.
//!
//! Example: `for (i = 0; i < N; i += 1) { S0: out[i] = f(y[i][N - 1]) }`, one node per line.
//!
//! Parts of a condition that depend on data print as `?`, cells that are not known as `*`, accesses that may not
//! happen end with `?`.

use crate::{
    Access, AccessKind, Array, Bound, Certainty, Condition, Expr, Kept, Node, ParameterOrigin, Role, Scop, Statement,
    StatementKind,
};
use std::fmt;

impl fmt::Display for Scop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "scop {} line {}", self.function, self.line)?;
        for parameter in &self.parameters {
            match parameter.origin {
                ParameterOrigin::Constant(value) => writeln!(f, "parameter {} = {value}", parameter.name)?,
                ParameterOrigin::Variable => writeln!(f, "parameter {}", parameter.name)?,
            }
        }
        for pinned in &self.pinned {
            writeln!(f, "pinned {} = {}", pinned.name, pinned.value)?;
        }
        for known in &self.known {
            writeln!(f, "known {}", self.show_condition(known))?;
        }
        for assumed in &self.assumed {
            writeln!(f, "assumed {}", self.show_condition(assumed))?;
        }
        for obligation in &self.obligations {
            let expression = self.show(&obligation.expression);
            match obligation.bound {
                Bound::Least(least) => writeln!(f, "obligation {expression} >= {least}")?,
                Bound::Most(most) => writeln!(f, "obligation {expression} <= {most}")?,
            }
        }
        for array in &self.arrays {
            writeln!(f, "{}", self.show_array(array))?;
        }
        self.write_nodes(f, &self.body, 0)
    }
}

impl Scop {
    /// An expression as text.
    pub fn show(&self, e: &Expr) -> String {
        match e {
            Expr::Constant(value) => value.to_string(),
            Expr::Iterator(id) => self.iterator_name(*id),
            Expr::Parameter(id) => self.parameters.get(id.0).map_or("?".to_string(), |p| p.name.clone()),
            Expr::Add(a, b) => self.show_sum(a, b),
            Expr::Scale(-1, a) => format!("-{}", self.show_factor(a)),
            Expr::Scale(factor, a) => format!("{factor}*{}", self.show_factor(a)),
            Expr::Divide(a, by) => format!("{}/{by}", self.show_factor(a)),
            Expr::Remainder(a, by) => format!("{}%{by}", self.show_factor(a)),
            Expr::Select(c, a, b) => format!("({} ? {} : {})", self.show_condition(c), self.show(a), self.show(b)),
        }
    }

    fn show_sum(&self, a: &Expr, b: &Expr) -> String {
        let right = self.show(b);
        match right.strip_prefix('-') {
            Some(positive) if !matches!(b, Expr::Add(..)) => format!("{} - {positive}", self.show(a)),
            _ => format!("{} + {right}", self.show(a)),
        }
    }

    fn show_factor(&self, e: &Expr) -> String {
        match e {
            Expr::Add(..) => format!("({})", self.show(e)),
            _ => self.show(e),
        }
    }

    /// A condition as text.
    pub fn show_condition(&self, condition: &Condition) -> String {
        let joined = |parts: &[Condition], by: &str, none: &str| {
            let parts: Vec<String> = parts.iter().map(|part| self.show_condition(part)).collect();
            match parts.as_slice() {
                [] => none.to_string(),
                [one] => one.clone(),
                _ => format!("({})", parts.join(by)),
            }
        };
        match condition {
            Condition::Compare(a, comparison, b) => format!("{} {} {}", self.show(a), comparison.sign(), self.show(b)),
            Condition::All(parts) => joined(parts, " && ", "true"),
            Condition::Any(parts) => joined(parts, " || ", "false"),
            Condition::Not(inner) => format!("!({})", self.show_condition(inner)),
            Condition::Unknown => "?".to_string(),
        }
    }

    /// A statement as text: `S3[k, i]: y[i][k] = f(y[i][k - 1], alpha[k])`.
    pub fn show_statement(&self, statement: &Statement) -> String {
        let of_kind = |kind| statement.accesses.iter().filter(move |a: &&Access| a.kind == kind);
        let reads: Vec<String> = of_kind(AccessKind::Read).map(|a| self.show_access(a)).collect();
        let writes: Vec<String> = of_kind(AccessKind::Write).map(|a| self.show_access(a)).collect();
        let loops: Vec<String> = statement.loops.iter().map(|id| self.iterator_name(*id)).collect();
        let verb = match statement.kind {
            StatementKind::Assignment => "f",
            StatementKind::Effectful(_) => "effect",
            StatementKind::Declaration => "declare",
            StatementKind::Condition => "test",
        };
        let target = if writes.is_empty() { String::new() } else { format!("{} = ", writes.join(", ")) };
        format!("{}[{}]: {target}{verb}({})", statement.name, loops.join(", "), reads.join(", "))
    }

    /// An access as text.
    pub fn show_access(&self, access: &Access) -> String {
        let mut text = self.arrays.get(access.array.0).map_or("?".to_string(), |array| array.name.clone());
        match &access.subscripts {
            Some(subscripts) => subscripts.iter().for_each(|s| text.push_str(&format!("[{}]", self.show(s)))),
            None => text.push_str("[*]"),
        }
        if !access.condition.is_always() {
            text.push_str(&format!(" if {}", self.show_condition(&access.condition)));
        }
        if access.certainty == Certainty::May {
            text.push('?');
        }
        if access.is_in_call() { format!("&{text}") } else { text }
    }

    fn show_array(&self, array: &Array) -> String {
        let extent = |e: &Option<Expr>| format!("[{}]", e.as_ref().map_or(String::new(), |e| self.show(e)));
        let extents: String = array.extents.iter().map(extent).collect();
        let role = match &array.role {
            Role::Temporary => "temporary".to_string(),
            Role::Kept(Kept { liveness, reason, surprising, .. }) => {
                let mark = if *surprising { "!" } else { "" };
                format!("kept{mark} {liveness:?}: {reason}")
            }
        };
        format!("{} {}{extents} {role}", array.element, array.name)
    }

    fn iterator_name(&self, id: crate::LoopId) -> String {
        self.loops().iter().find(|l| l.id == id).map_or("?".to_string(), |l| l.iterator.clone())
    }

    fn write_nodes(&self, f: &mut fmt::Formatter<'_>, nodes: &[Node], depth: usize) -> fmt::Result {
        let indent = "  ".repeat(depth);
        for node in nodes {
            match node {
                Node::Statement(id) => writeln!(f, "{indent}{}", self.show_statement(self.statement(*id)))?,
                Node::Guard(guard) => {
                    writeln!(f, "{indent}if {}", self.show_condition(&guard.condition))?;
                    self.write_nodes(f, &guard.then, depth + 1)?;
                    if !guard.otherwise.is_empty() {
                        writeln!(f, "{indent}else")?;
                        self.write_nodes(f, &guard.otherwise, depth + 1)?;
                    }
                }
                Node::Loop(l) => {
                    let word = if l.parallel { "parallel for" } else { "for" };
                    let (name, first) = (&l.iterator, self.show(&l.first));
                    let condition = self.show_condition(&l.condition);
                    writeln!(f, "{indent}{word} {name} = {first}; {condition}; {name} += {}", l.step)?;
                    self.write_nodes(f, &l.body, depth + 1)?;
                }
            }
        }
        Ok(())
    }
}
