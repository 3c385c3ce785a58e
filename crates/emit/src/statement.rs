//! Statements and loops as C.

use crate::expression::Expressions;
use crate::own_text::{OwnText, own_texts};
use crate::ranges::Ranges;
use crate::source::{Additions, Source};
use polyfold_program::{
    Assign, BufferId, Cond, Int, IntType, Level, LocalId, LocalValue, Loop, Opaque, Operand, ParameterId, Program,
    StatementId, Stmt, Written, filled,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

/// What C has to be told besides the tree.
pub struct Names<'a> {
    /// The type in which a loop declares its counter; `None`: nothing says.
    pub counter: &'a dyn Fn(LocalId) -> Option<String>,
    /// The lines in front of a loop whose iterations may run at once, such as `#pragma omp parallel for`. There are none
    /// where those of a loop around it say so. `None`: nothing says.
    pub pragmas: &'a dyn Fn(&Loop) -> Option<Vec<String>>,
    /// Buffers that the text declares itself.
    pub declared: &'a [BufferId],
    /// What the statements are instances of: they are printed with its text, and its comments.
    pub source: Option<Source<'a>>,
    /// The type of each counter that the source has around a statement, outermost first. Values that take a counter's place get it.
    /// `None`: nothing comes from a source.
    pub counters: Option<&'a dyn Fn(StatementId, usize) -> Option<IntType>>,
    /// A program of the same iterations whose loops say more of their counters, as before they were split. `None`: there is none.
    pub before: Option<&'a Program>,
    /// What comes with new storage and other loops.
    pub additions: Additions<'a>,
}

impl<'a> Names<'a> {
    /// The types in which loops declare their counters, and nothing else.
    pub fn of(counter: &'a dyn Fn(LocalId) -> Option<String>) -> Names<'a> {
        Names {
            counter,
            pragmas: &|_| None,
            declared: &[],
            source: None,
            counters: None,
            before: None,
            additions: Additions::none(),
        }
    }
}

/// What isn't printed yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprintable {
    /// A counter without a type, or another local.
    Local,
    /// Copied cells.
    Copy,
    /// A statement that isn't understood.
    Opaque,
    /// A loop whose iterations may run at once, without a pragma.
    Parallel,
    /// A declaration of a buffer of which nobody says how many cells it has.
    Extent,
    /// Statements in another order than the source's.
    Order,
    /// Several statements where the source has one without braces.
    Block,
    /// A variable that its statement declares, and that isn't where its value goes.
    Declaration,
}

/// The statements of a program, each line behind an indent.
///
/// # Errors
/// When something in it isn't printed yet.
pub fn statements(program: &Program, names: &Names, indent: &str) -> Result<String, Unprintable> {
    let ranges = match names.before {
        Some(before) => Ranges::of(program).within(before),
        None => Ranges::of(program),
    };
    let printer = Printer {
        expressions: Expressions::of(program, &names.additions, ranges),
        program,
        names,
        own: names.source.map(|own| own_texts(own.program, own.written)).unwrap_or_default(),
        said: RefCell::default(),
    };
    let mut text = String::new();
    for id in names.declared {
        text.push_str(&format!("{indent}{}\n", printer.expressions.declaration(*id)?));
    }
    printer.list(&program.body, indent, &mut text)?;
    Ok(text)
}

impl Expressions<'_> {
    /// Statements that no source has, of which each stands a unit deeper than the one around. The first line of their text stands
    /// behind an indent already.
    pub(crate) fn new_statements(&self, list: &[Stmt], (indent, unit): (&str, &str)) -> Result<String, Unprintable> {
        let mut text = String::new();
        self.anew(|printer| printer.list(list, "", &mut text))?;
        let deeper = |line: &str| {
            let own = line.trim_start_matches(' ');
            format!("{indent}{}{own}", unit.repeat((line.len() - own.len()) / 2))
        };
        Ok(text.lines().map(deeper).collect::<Vec<String>>().join("\n").trim().to_string())
    }

    /// The head of a loop that no source has.
    pub(crate) fn new_head(&self, own: &Loop) -> Result<String, Unprintable> {
        self.anew(|printer| printer.head(own))
    }

    fn anew<T>(&self, print: impl FnOnce(&Printer) -> T) -> T {
        let counter = |id: LocalId| self.program.locals[id.0].held.and_then(IntType::in_c).map(str::to_string);
        print(&Printer {
            expressions: self.where_known(&[]),
            program: self.program,
            names: &Names::of(&counter),
            own: BTreeMap::new(),
            said: RefCell::default(),
        })
    }
}

/// The declaration of a buffer.
///
/// # Errors
/// When nobody says how many cells it has.
pub fn declared(program: &Program, id: BufferId) -> Result<String, Unprintable> {
    Expressions::of(program, &Additions::none(), Ranges::of(program)).declaration(id)
}

struct Printer<'a> {
    expressions: Expressions<'a>,
    program: &'a Program,
    names: &'a Names<'a>,
    /// What the source has for its statements.
    own: BTreeMap<StatementId, OwnText<'a>>,
    /// Statements whose comments stand somewhere.
    said: RefCell<BTreeSet<StatementId>>,
}

impl Printer<'_> {
    /// Statements, those in braces that use a variable whose name means something else behind them, or around.
    fn list(&self, body: &[Stmt], indent: &str, text: &mut String) -> Result<(), Unprintable> {
        let mut rest = body;
        while let Some((first, others)) = rest.split_first() {
            if let Some(count) = parts(rest) {
                let (own, behind) = rest.split_at(count);
                let is_lost = |stmt: &Stmt| match stmt {
                    Stmt::Let { local, .. } => {
                        let begins = |stmt: &&Stmt| matches!(stmt, Stmt::Let { local: own, .. } if own == local);
                        behind.iter().take_while(|stmt| !begins(stmt)).any(|stmt| stmt.names_local(*local))
                    }
                    _ => false,
                };
                if own[1..].iter().any(is_lost) {
                    return Err(Unprintable::Declaration);
                }
                self.in_parts(own, indent, text)?;
                rest = behind;
                continue;
            }
            let Some(variable) = first.declared() else {
                self.stmt(first, indent, text)?;
                rest = others;
                continue;
            };
            let (own, behind) = rest.split_at(scope_of(rest, variable));
            if own.iter().enumerate().any(|(k, stmt)| self.means_another(stmt, variable, k > 0)) {
                return Err(Unprintable::Declaration);
            }
            let is_another = |stmt: &Stmt| self.means_another(stmt, variable, true);
            if !behind.iter().any(is_another) && (behind.is_empty() || !self.names.declared.contains(&variable)) {
                self.stmt(first, indent, text)?;
                rest = others;
                continue;
            }
            let (own, behind) = rest.split_at(scope(rest));
            if own[scope_of(rest, variable)..].iter().any(is_another) {
                return Err(Unprintable::Declaration);
            }
            text.push_str(&format!("{indent}{{\n"));
            self.list(own, &format!("{indent}  "), text)?;
            text.push_str(&format!("{indent}}}\n"));
            rest = behind;
        }
        Ok(())
    }

    /// Whether a statement means something else by a variable's name, or declares it anew where that counts.
    fn means_another(&self, stmt: &Stmt, variable: BufferId, counts_anew: bool) -> bool {
        let Program { buffers, parameters, locals, .. } = self.program;
        let name = &buffers[variable.0].name;
        let mut is_another = false;
        let mut visit = |stmt: &Stmt| {
            stmt.each_use(&mut |_, id| is_another |= id != variable && buffers[id.0].name == *name);
            stmt.each_int(&mut |e| match e {
                Int::Parameter(id) => is_another |= parameters[id.0].name == *name,
                Int::Local(id) => is_another |= locals[id.0].name == *name,
                _ => {}
            });
            // It is the variable that is meant where the tree has it.
            let is_name = |text: &str| text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == name);
            let uses = stmt.uses(variable);
            stmt.each_text(&mut |text| is_another |= !uses && is_name(text));
        };
        stmt.each(&mut visit);
        is_another || counts_anew && stmt.any(&|own| own.declared() == Some(variable))
    }

    /// A counter, and the loops that go on with it.
    fn in_parts(&self, parts: &[Stmt], indent: &str, text: &mut String) -> Result<(), Unprintable> {
        if let [Stmt::Let { value: LocalValue::Integer(first), .. }, Stmt::For(own)] = parts {
            let whole = Loop { declares: true, first: Some(first.clone()), ..own.clone() };
            return self.stmt(&Stmt::For(whole), indent, text);
        }
        text.push_str(&format!("{indent}{{\n"));
        let inner = format!("{indent}  ");
        let (begun, loops) = parts.split_at(1);
        begun.iter().try_for_each(|stmt| self.stmt(stmt, &inner, text))?;
        self.list(loops, &inner, text)?;
        text.push_str(&format!("{indent}}}\n"));
        Ok(())
    }

    /// Statements under a head.
    fn under(
        &self,
        head: &str,
        (body, is_bare): (&[Stmt], bool),
        indent: &str,
        text: &mut String,
    ) -> Result<(), Unprintable> {
        text.push_str(&format!("{indent}{head}{}\n", if is_bare { "" } else { " {" }));
        self.list(body, &format!("{indent}  "), text)
    }

    /// Whether all branches of a condition are one statement that needs no braces.
    fn are_bare(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::If { then, other, .. } => {
                let is_else = matches!(&other[..], [next @ Stmt::If { .. }] if self.are_bare(next));
                self.is_bare(then) && (other.is_empty() || is_else || self.is_bare(other))
            }
            _ => false,
        }
    }

    fn is_bare(&self, body: &[Stmt]) -> bool {
        matches!(body, [one] if self.is_simple(one))
    }

    /// Whether a statement needs no braces: an `if` has them, lest an `else` belongs to it, and so has a loop with lines in front.
    fn is_simple(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Assign(own) => !own.declares && !self.has_lines_beside(own.statement),
            Stmt::Set { .. } | Stmt::Wait(_) => true,
            Stmt::Copy(own) => !own.declares,
            Stmt::Opaque(own) if self.is_of_the_source(own) => !self.has_lines_beside(own.statement),
            // An `if`, a block, or several.
            Stmt::Opaque(own) => {
                !own.text.contains("if") && !own.text.contains('{') && own.text.matches(';').count() == 1
            }
            Stmt::For(own) => !own.parallel && !own.vector && self.is_bare(&own.body),
            _ => false,
        }
    }

    /// Whether a statement that isn't understood is one of the source's, and not several as text.
    fn is_of_the_source(&self, own: &Opaque) -> bool {
        let before = self.own.get(&own.statement).map(|source| source.before);
        matches!(before, Some(Stmt::Opaque(before)) if before.is_like(own))
    }

    fn has_lines_beside(&self, id: StatementId) -> bool {
        let is_said = self.said.borrow().contains(&id);
        !is_said && self.own.get(&id).is_some_and(|own| !own.above.is_empty() || !own.below.is_empty())
    }

    fn stmt(&self, stmt: &Stmt, indent: &str, text: &mut String) -> Result<(), Unprintable> {
        match stmt {
            Stmt::For(own) => {
                if own.parallel {
                    let lines = (self.names.pragmas)(own).ok_or(Unprintable::Parallel)?;
                    lines.iter().for_each(|line| text.push_str(&format!("{indent}{line}\n")));
                }
                if own.vector {
                    text.push_str(&format!("{indent}{}\n", self.expressions.additions.promise));
                }
                let head = self.head(own)?;
                if let [Stmt::Opaque(block)] = &own.body[..]
                    && block.text.starts_with('{')
                {
                    text.push_str(&format!("{indent}{head} {}\n", self.opaque(block, indent)?));
                    return Ok(());
                }
                let is_bare = self.is_bare(&own.body);
                self.under(&head, (&own.body, is_bare), indent, text)?;
                if !is_bare {
                    text.push_str(&format!("{indent}}}\n"));
                }
            }
            Stmt::If { cond, .. } => {
                let head = format!("if ({})", self.condition(stmt, cond));
                self.branches(&head, (stmt, self.are_bare(stmt)), indent, text)?;
            }
            Stmt::Assign(own) => match self.own.get(&own.statement).map(|source| (source, source.before)) {
                Some((source, Stmt::Assign(before))) => {
                    let whole = self.assigned(own, (before, source))? + &self.mention(stmt);
                    self.in_own_text(source, own.statement, whole, (indent, text));
                }
                _ => {
                    let place = match own.declares {
                        true => self.expressions.additions.declared(self.program, own)?,
                        false => self.expressions.place(&own.target, None),
                    };
                    let value = self.expressions.value(&own.value, None).within(Level::Choice);
                    text.push_str(&format!("{indent}{place} = {value};{}\n", self.mention(stmt)));
                }
            },
            Stmt::Let { .. } | Stmt::Set { .. } | Stmt::Copy(_) | Stmt::Wait(_) => {
                text.push_str(&format!("{indent}{}\n", self.expressions.added(stmt, indent)?));
            }
            Stmt::With(_) => return Err(Unprintable::Copy),
            Stmt::Opaque(own) => match self.own.get(&own.statement).map(|source| (source, source.before)) {
                Some((source, Stmt::Opaque(before))) if before.is_like(own) => {
                    let expressions = self.moved(source, (own.statement, &own.at));
                    let changed = expressions.opaque((before, source.written), own)?;
                    let whole = changed.unwrap_or_else(|| source.written.whole.clone());
                    self.in_own_text(source, own.statement, whole, (indent, text));
                }
                _ => text.push_str(&format!("{indent}{}\n", self.opaque(own, indent)?)),
            },
        }
        Ok(())
    }

    /// What stands behind an assignment that declares a variable which nobody reads.
    fn mention(&self, stmt: &Stmt) -> String {
        let variable = stmt.declared().filter(|id| self.expressions.additions.mentioned.contains(id));
        variable.map_or_else(String::new, |id| format!(" (void){};", self.program.buffers[id.0].name))
    }

    /// What isn't understood, whose lines but the first stand behind an indent.
    fn opaque(&self, own: &Opaque, indent: &str) -> Result<String, Unprintable> {
        let filled = self.filled(own, self.names.counters.ok_or(Unprintable::Opaque)?);
        // A literal goes on in the next line.
        let goes_on = filled.contains("\\\n");
        Ok(if goes_on { filled } else { filled.replace('\n', &format!("\n{indent}")) })
    }

    /// The text of what isn't understood, with values in its holes, each in the type of the counter that is its own there.
    fn filled(&self, own: &Opaque, types: &dyn Fn(StatementId, usize) -> Option<IntType>) -> String {
        filled(&own.text, &mut |hole| {
            let needed = if hole.is_subscript() { Level::Whole } else { Level::Primary };
            match own.operands.get(hole.number) {
                Some(Operand::Integer(e)) => {
                    self.expressions.int_as(e, types(own.statement, hole.number)).within(needed)
                }
                Some(Operand::Cell(cell)) => self.expressions.place(&cell.place, None),
                None => String::new(),
            }
        })
    }

    /// An `if` behind its head, which may stand behind an `else`.
    fn branches(
        &self,
        head: &str,
        (stmt, is_bare): (&Stmt, bool),
        indent: &str,
        text: &mut String,
    ) -> Result<(), Unprintable> {
        let Stmt::If { then, other, .. } = stmt else { return Err(Unprintable::Order) };
        self.under(head, (then, is_bare), indent, text)?;
        let closing = if is_bare { "" } else { "} " };
        match &other[..] {
            [next @ Stmt::If { cond, .. }] if !self.begins_with_a_comment(next) => {
                let head = format!("{closing}else if ({})", self.condition(next, cond));
                return self.branches(&head, (next, is_bare), indent, text);
            }
            [] => {}
            other => self.under(&format!("{closing}else"), (other, is_bare), indent, text)?,
        }
        if !is_bare {
            text.push_str(&format!("{indent}}}\n"));
        }
        Ok(())
    }

    /// Whether lines come in front of the first statement inside.
    fn begins_with_a_comment(&self, stmt: &Stmt) -> bool {
        stmt.assigned().into_iter().next().is_some_and(|id| self.has_lines_beside(id))
    }

    /// Expressions of an instance of a statement.
    fn moved(&self, source: &OwnText, (id, at): (StatementId, &[Int])) -> Expressions<'_> {
        let held = |k: usize| self.names.counters.and_then(|of| of(id, k));
        let before = source.before.instance().map_or(&[][..], |(_, at)| at);
        self.expressions.moved_to(before, at, &held)
    }

    /// A condition, in its own text if the source has it around the same statements.
    fn condition(&self, stmt: &Stmt, cond: &Cond) -> String {
        let mut first = None;
        stmt.each(&mut |stmt| {
            first = first.or_else(|| {
                let (id, at) = stmt.instance()?;
                Some(((id, at), self.own.get(&id)?))
            });
        });
        let Some((own, source)) = first else {
            return self.expressions.cond(cond, None).within(Level::Whole);
        };
        let expressions = self.moved(source, own);
        let is_it = |(before, _): &&(&Cond, &Written)| expressions.is_moved_cond(before, cond);
        if let Some(own) = source.conditions.iter().find(is_it) {
            return expressions.cond(cond, Some(*own)).within(Level::Whole);
        }
        let negated = !cond.clone();
        let is_other = |(before, _): &&(&Cond, &Written)| expressions.is_moved_cond(before, &negated);
        match source.conditions.iter().find(is_other) {
            Some(own) => format!("!({})", expressions.cond(&negated, Some(*own)).within(Level::Whole)),
            None => expressions.cond(cond, None).within(Level::Whole),
        }
    }

    /// An assignment with the text that the source has for it.
    fn assigned(&self, own: &Assign, (before, source): (&Assign, &OwnText)) -> Result<String, Unprintable> {
        let [target, value] = &source.written.parts[..] else { return Err(Unprintable::Order) };
        if before.declares && own.declares && own.target != before.target {
            return Err(Unprintable::Declaration);
        }
        let expressions = self.moved(source, (own.statement, &own.at));
        let place = match own.declares && !before.declares {
            true => self.expressions.additions.declared(self.program, own)?,
            false => expressions.place(&own.target, Some((&before.target, target))),
        };
        Ok(match own.target == before.target && own.value == before.value {
            _ if own.declares != before.declares => {
                let value = expressions.value(&own.value, Some((&before.value, value)));
                format!("{place} = {};", value.in_place(Level::Choice))
            }
            true => source.written.whole.clone(),
            false => expressions.assigned((before, source.written), own, place),
        })
    }

    /// An instance of a statement of the source, with its comments where it stands first.
    fn in_own_text(&self, source: &OwnText, id: StatementId, whole: String, (indent, text): (&str, &mut String)) {
        let is_first = self.said.borrow_mut().insert(id);
        // A literal goes on in the next line.
        let lines = |own: &str| match own.contains("\\\n") {
            true => own.to_string(),
            false => own.replace(&format!("\n{}", source.indent), &format!("\n{indent}")),
        };
        let comments = |all: &[String]| -> String {
            all.iter().filter(|_| is_first).map(|comment| format!("{indent}{}\n", lines(comment))).collect()
        };
        text.push_str(&comments(&source.above));
        let beside = source.beside.as_ref().filter(|_| is_first).map(|own| format!(" {own}")).unwrap_or_default();
        text.push_str(&format!("{indent}{}{}\n", lines(&whole), lines(&beside)));
        text.push_str(&comments(&source.below));
    }

    /// What a counter begins with, in its type where the loop declares it.
    fn first_value(&self, own: &Loop, first: &Int) -> String {
        let held = self.program.locals[own.counter.0].held.filter(|held| *held == IntType::INT);
        self.expressions.int_as(first, held).within(Level::Choice)
    }

    /// A loop's test. An `int` is compared with an `int`, where that holds the bound: gcc makes no vectors of some loops otherwise.
    fn test(&self, own: &Loop) -> String {
        let is_int = self.program.locals[own.counter.0].held == Some(IntType::INT);
        let size = |id: ParameterId| &self.program.parameters[id.0];
        match &own.test {
            // A variable that stands for the size has a wider type.
            Cond::Compare(relation, Int::Local(counter), Int::Parameter(id))
                if is_int && *counter == own.counter && size(*id).held == Some(IntType::INT) =>
            {
                format!("{} {} {}", self.expressions.local(*counter), relation.sign(), size(*id).name)
            }
            Cond::Compare(relation, Int::Local(counter), bound)
                if is_int && *counter == own.counter && IntType::INT.holds(self.expressions.ranges.int(bound)) =>
            {
                let bound = self.expressions.int_as(bound, Some(IntType::INT)).within(Level::Sum);
                format!("{} {} {bound}", self.expressions.local(*counter), relation.sign())
            }
            test => self.expressions.cond(test, None).within(Level::Whole),
        }
    }

    fn head(&self, own: &Loop) -> Result<String, Unprintable> {
        let name = &self.program.locals[own.counter.0].name;
        let first = match &own.first {
            Some(first) => {
                let declares = match own.declares && !self.expressions.outside.contains(&own.counter) {
                    true => format!("{} ", (self.names.counter)(own.counter).ok_or(Unprintable::Local)?),
                    false => String::new(),
                };
                format!("{declares}{name} = {}", self.first_value(own, first))
            }
            None => String::new(),
        };
        let step = match own.step {
            None => " ".to_string(),
            Some(1) => format!(" {name}++"),
            Some(-1) => format!(" {name}--"),
            Some(step) if step < 0 => format!(" {name} -= {}", step.unsigned_abs()),
            Some(step) => format!(" {name} += {step}"),
        };
        Ok(format!("for ({first}; {};{step})", self.test(own)))
    }
}

/// How many of some statements are a counter that begins, and the loops that go on with it.
fn parts(list: &[Stmt]) -> Option<usize> {
    let Some(Stmt::Let { local, .. }) = list.first() else { return None };
    let is_part = |stmt: &Stmt| matches!(stmt, Stmt::For(own) if own.counter == *local && own.first.is_none());
    let is_another = |stmt: &&Stmt| matches!(stmt, Stmt::Let { local: own, .. } if own == local);
    let count = 1 + list[1..].iter().take_while(|stmt| !is_another(stmt)).count();
    let last = list[..count].iter().rposition(is_part)?;
    Some(with_users(&list[..count], last + 1))
}

/// How many of some statements it takes for all that use what the first ones declare behind the first one.
fn with_users(list: &[Stmt], first: usize) -> usize {
    let (mut end, mut at) = (first, 1);
    while at < end {
        if let Stmt::Let { local, .. } = &list[at] {
            let last = list.iter().rposition(|stmt| stmt.names_local(*local));
            end = end.max(last.map_or(0, |last| last + 1));
        }
        at += 1;
    }
    end
}

/// How many of some statements use a variable that the first one declares, before one declares it anew.
fn scope_of(list: &[Stmt], variable: BufferId) -> usize {
    let anew = list.iter().skip(1).position(|stmt| stmt.declared() == Some(variable));
    let own = &list[..anew.map_or(list.len(), |anew| anew + 1)];
    own.iter().skip(1).rposition(|stmt| stmt.uses_from_outside(variable)).map_or(1, |last| last + 2)
}

/// The same for the variable that the first one declares, and those that are declared in between.
fn scope(list: &[Stmt]) -> usize {
    let (mut end, mut at) = (1, 0);
    while at < end {
        if let Some(variable) = list[at].declared() {
            end = end.max(at + scope_of(&list[at..], variable));
        }
        at += 1;
    }
    end
}
