//! Statements, guards, declarations and labels.

use super::access::Collector;
use super::{Lowered, Lowering, Meaning, Stop};
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, Scalar, Statement, StatementKind, Storage, Variable, VariableId,
};
use polyfold_scop::{Code, Guard, Node, Span, StatementId};

impl<'a> Lowering<'a> {
    /// Lowers one statement; `collapsed` is how many more loops an outer pragma reaches.
    pub(super) fn statement(
        &mut self,
        statement: &'a Statement,
        label: Option<&str>,
        collapsed: usize,
    ) -> Lowered<Vec<Node>> {
        if let Some(nodes) = self.of_blocks(statement) {
            return nodes;
        }
        let nodes = match &statement.kind {
            StatementKind::Empty => Vec::new(),
            StatementKind::Block(list) if collapsed > 0 && list.len() == 1 => {
                let depth = self.meanings.len();
                let nodes = self.statement(&list[0], None, collapsed)?;
                self.meanings.truncate(depth);
                nodes
            }
            StatementKind::Block(list) => self.block(list)?,
            StatementKind::For { .. } => vec![self.for_loop(statement, collapsed)?],
            StatementKind::If(condition, then, otherwise) => {
                self.guard(statement, condition, then, otherwise.as_deref())?
            }
            StatementKind::Label(name, inner) => self.statement(inner, Some(name), collapsed)?,
            StatementKind::Expression(e) => vec![self.expression_statement(statement, e, label)?],
            StatementKind::Declaration(list) => self.local_declaration(statement, list, label)?,
            StatementKind::Other(what, ..) => return Err(self.other_statement(statement, what)),
        };
        self.check_pins()?;
        Ok(nodes)
    }

    fn other_statement(&self, statement: &Statement, what: &str) -> Stop {
        let message = format!("{what} in a scop is not handled");
        let help = "leave it outside `#pragma scop` … `#pragma endscop`, or write it with `for` and `if`";
        self.decline(Code::Construct, message, &statement.span, "not handled", help)
    }

    fn expression_statement(&mut self, statement: &Statement, e: &Expression, label: Option<&str>) -> Lowered<Node> {
        self.check_made_by_macro(statement, e)?;
        let mut collector = Collector::default();
        self.collect(e, &mut collector)?;
        collector.settle_order(&[e]);
        self.keep_written_inside(e, true);
        let kind = collector.kind(polyfold_scop::StatementKind::Assignment);
        self.note_expression(&statement.span, e, &collector);
        Ok(self.push(collector, kind, &statement.span, label))
    }

    fn check_made_by_macro(&self, statement: &Statement, e: &Expression) -> Lowered<()> {
        let is_change = matches!(&e.kind, ExpressionKind::Assign(..) | ExpressionKind::Step(..));
        let made = self.site.expanded.segment_around(&e.span).is_some() && is_change;
        let ends_in_macro = self.macro_at(statement.span.end.saturating_sub(1)).is_some();
        match self.macro_at(statement.span.start) {
            Some(name) if made || ends_in_macro => {
                let message = format!("the macro `{name}` makes a whole statement");
                Err(self.decline(
                    Code::MadeByMacro,
                    message,
                    &statement.span,
                    "expands to a statement",
                    "write the statement out",
                ))
            }
            _ if !self.site.expanded.is_whole(&statement.span) => {
                let message = "a macro makes only a part of this statement's ends".to_string();
                Err(self.decline(Code::MadeByMacro, message, &statement.span, "", "write the statement out"))
            }
            _ => Ok(()),
        }
    }

    fn local_declaration(
        &mut self,
        statement: &'a Statement,
        list: &'a [(VariableId, Option<Expression>)],
        label: Option<&str>,
    ) -> Lowered<Vec<Node>> {
        if let Some(name) = self.macro_at(statement.span.start)
            && self.site.expanded.segment_around(&statement.span).is_some()
        {
            let message = format!("the macro `{name}` makes a whole declaration");
            return Err(self.decline(
                Code::MadeByMacro,
                message,
                &statement.span,
                "expands to a declaration",
                "write it out",
            ));
        }
        let mut collector = Collector::default();
        for (id, value) in list {
            self.collect_extents(*id, &mut collector)?;
            let Some(value) = value else { continue };
            self.initializer(*id, value, (statement, list), &mut collector)?;
        }
        collector.settle_order(&list.iter().filter_map(|(_, value)| value.as_ref()).collect::<Vec<_>>());
        if collector.accesses.is_empty() && !collector.must_stay() {
            return Ok(Vec::new());
        }
        let kind = collector.kind(polyfold_scop::StatementKind::Declaration);
        self.note_declaration(&statement.span, list, &collector);
        Ok(vec![self.push(collector, kind, &statement.span, label)])
    }

    /// What the extents of a declaration read; such a declaration has to stay.
    fn collect_extents(&mut self, id: VariableId, collector: &mut Collector) -> Lowered<()> {
        let site = self.site;
        let before = collector.accesses.len();
        for derivation in &site.unit.variables[id].shape {
            if let Derivation::Array(Some(extent)) = derivation {
                self.collect(extent, collector)?;
                self.keep_written_inside(extent, false);
            }
        }
        collector.effects |= collector.accesses.len() > before;
        Ok(())
    }

    fn initializer(
        &mut self,
        id: VariableId,
        value: &Expression,
        (statement, list): (&Statement, &[(VariableId, Option<Expression>)]),
        collector: &mut Collector,
    ) -> Lowered<()> {
        let site = self.site;
        let variable = &site.unit.variables[id];
        if variable.storage == Storage::StaticLocal {
            let message = format!("`{}` is initialized only once, before the program starts", variable.name);
            return Err(self.decline(
                Code::DeclarationInside,
                message,
                &value.span,
                "not at each turn",
                "declare it before the scop",
            ));
        }
        let mut uses_sibling = false;
        value
            .walk(&mut |e| uses_sibling |= e.variable().is_some_and(|v| list.iter().any(|(sibling, _)| *sibling == v)));
        if uses_sibling {
            let message = "this declaration uses a variable that it declares itself".to_string();
            return Err(self.decline(
                Code::DeclarationInside,
                message,
                &value.span,
                "used here",
                "split the declaration",
            ));
        }
        if let Some(meaning) = self.substitute(id, variable, value) {
            self.note_stand_in(id, value, statement);
            self.meanings.push((id, meaning));
        }
        self.collect(value, collector)?;
        self.keep_written_inside(value, list.len() == 1);
        self.collect_initialization(id, variable, collector);
        Ok(())
    }

    /// A local integer that never changes after an affine initializer stands for that initializer.
    fn substitute(&mut self, id: VariableId, variable: &Variable, value: &Expression) -> Option<Meaning> {
        let is_integer = matches!(variable.scalar, Scalar::Integer { bytes: 4.., .. }) && variable.is_scalar();
        if !is_integer || variable.is_volatile || self.facts.written.contains(&id) {
            return None;
        }
        let affine = match self.affine(value) {
            Ok(affine) => affine,
            Err(error) => {
                let linear = self.linear_value(variable, value);
                if linear.is_none() {
                    self.unread.insert(id, (error.why, error.help));
                }
                return linear;
            }
        };
        self.note_as(value, variable.scalar);
        Some(Meaning::Value(affine))
    }

    fn guard(
        &mut self,
        statement: &'a Statement,
        e: &'a Expression,
        then: &'a Statement,
        otherwise: Option<&'a Statement>,
    ) -> Lowered<Vec<Node>> {
        if let Some(name) = self.macro_at(statement.span.start) {
            let message = format!("the macro `{name}` makes an `if`");
            return Err(self.decline(
                Code::MadeByMacro,
                message,
                &statement.span,
                "expands to an `if`",
                "write the `if` out",
            ));
        }
        let condition = self.condition(e);
        self.check_pins()?;
        let (mut nodes, mut reads_beyond, mut test) = (Vec::new(), false, None);
        if condition.depends_on_data() {
            let mut collector = Collector::default();
            let earlier = self.impure_call.take();
            self.collect(e, &mut collector)?;
            if collector.effects || collector.accesses.iter().any(|access| access.is_write()) {
                return Err(self.condition_with_effects(e, &collector));
            }
            self.impure_call = earlier.or(self.impure_call.take());
            test = self.note_data_test(&statement.span, e, &collector.accesses);
            reads_beyond = collector.touches_volatile;
            if collector.accesses.iter().any(|access| self.may_change(access.array)) {
                nodes.push(self.push(collector, polyfold_scop::StatementKind::Condition, &e.span, None));
            }
        }
        let lists = std::iter::once(then).chain(otherwise).map(|list| list.span.clone()).collect();
        self.note_guard(&statement.span, e, test, lists);
        let then = self.branch(condition.clone(), then)?;
        let otherwise = match otherwise {
            Some(otherwise) => self.branch(condition.clone().negate(), otherwise)?,
            None => Vec::new(),
        };
        nodes.push(Node::Guard(Guard {
            condition,
            then,
            otherwise,
            reads_beyond,
            span: self.site.expanded.to_file(&statement.span),
        }));
        Ok(nodes)
    }

    /// Why a condition cannot be read; calls in front of it are left out.
    fn condition_with_effects(&self, e: &Expression, collector: &Collector) -> Stop {
        let mut writes = collector.accesses.iter().filter(|access| access.is_write()).peekable();
        let is_writing = writes.peek().is_some();
        // Only what is used as a whole is written in no place of the text.
        let is_whole = |access: &&polyfold_scop::Access| access.subscripts.is_none();
        let whole = writes.next().filter(is_whole).filter(|_| writes.all(|access| is_whole(&access)));
        match self.impure_call.as_ref().filter(|_| !is_writing) {
            None if whole.is_some() => {
                let name = whole.map_or("", |access| &self.arrays.entries[access.array.0].name);
                let message = format!("this condition uses `{name}` itself, not one of its cells");
                let help = "test it in front of the scop, as in `int given = p != NULL;`, and write `if (given)` here";
                self.decline(Code::ConditionActs, message, &e.span, "", help)
            }
            None if !is_writing => {
                let message = "this condition reads a `volatile` variable".to_string();
                self.decline(Code::ConditionActs, message, &e.span, "", "read it into a local in front of the scop")
            }
            Some((name, at)) => {
                let message = format!("this condition calls `{name}`, which may do anything");
                let help = "if all that the function does is to compute a value, `--pure` with its name says so";
                self.decline(Code::ConditionActs, message, at, "called here", help)
            }
            None => {
                let message = "this condition has side effects".to_string();
                self.decline(Code::ConditionActs, message, &e.span, "", "compute it in a statement before the `if`")
            }
        }
    }

    /// Whether the scop may change it, or has to find it in an array.
    fn may_change(&self, array: polyfold_scop::ArrayId) -> bool {
        let entry = &self.arrays.entries[array.0];
        let changes = |id| self.facts.written.contains(id) || self.facts.declared_inside.contains(id);
        entry.dimensions > 0 || entry.variable.as_ref().is_some_and(changes)
    }

    fn branch(&mut self, condition: polyfold_scop::Condition, body: &'a Statement) -> Lowered<Vec<Node>> {
        let depth = self.meanings.len();
        let nodes = self.under(condition, |walk| walk.statement(body, None, 0));
        self.meanings.truncate(depth);
        nodes
    }

    fn push(
        &mut self,
        collector: Collector,
        kind: polyfold_scop::StatementKind,
        span: &Span,
        label: Option<&str>,
    ) -> Node {
        if let Some(obstacle) = &collector.operators {
            collector.accesses.iter().for_each(|access| self.arrays.obstruct(access.array, obstacle.clone()));
        }
        let span = self.site.expanded.to_file(span);
        let id = StatementId(self.statements.len());
        self.labels.push(label.map(str::to_string));
        self.statements.push(polyfold_scop::Statement {
            name: String::new(),
            loops: self.loops.clone(),
            accesses: collector.accesses,
            kind,
            line: polyfold_c::source::line_of(self.site.source, span.start),
            span,
        });
        Node::Statement(id)
    }

    /// Labels name statements; the others are `S0`, `S1`, … by position.
    pub(super) fn name_statements(&mut self) {
        let mut taken = std::collections::HashSet::new();
        let mut unique = |wanted: String| {
            let mut name = wanted.clone();
            let mut count = 1;
            while !taken.insert(name.clone()) {
                count += 1;
                name = format!("{wanted}_{count}");
            }
            name
        };
        for (statement, label) in self.statements.iter_mut().zip(&self.labels) {
            if let Some(label) = label {
                statement.name = unique(label.clone());
            }
        }
        for (index, (statement, label)) in self.statements.iter_mut().zip(&self.labels).enumerate() {
            if label.is_none() {
                statement.name = unique(format!("S{index}"));
            }
        }
    }
}
