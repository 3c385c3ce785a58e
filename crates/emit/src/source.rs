//! Programs printed with their source's own text.
//!
//! The idea: a statement is the source's own by its name, a loop by the statements in it. What is as it was stands byte
//! for byte; what has other parts keeps its own pieces around them; anything else is printed anew.
//!
//! Example: where `W` of `B[i] = W[i] /* now */ + W[i - 1];` moves to two cells, that becomes
//! `B[i] = W[i % 2] /* now */ + W[(i - 1) % 2];`.
//!
//! Limit: no other order.

use crate::Unprintable;
use crate::assignment::is_compound;
use crate::expression::{Expressions, Named};
use crate::memory::{Memory, Own};
use crate::ranges::Ranges;
use crate::remaining::{ends_in_a_pragma, remaining};
use crate::reshaped::{Reshaped, indents, unshifted, without_braces};
use polyfold_c::written::{
    begins_a_statement, comments, ends_something, is_blank_or_brace, second_line, without_labels,
};
use polyfold_program::{
    Assign, BufferId, Level, LocalId, Loop, Op, Piece, Place, Program, Real, StatementId, Stmt, Value, Written,
};
use std::collections::BTreeSet;
use std::iter::Peekable;
use std::rc::Rc;

/// A program and how its source writes it.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    /// As it was read.
    pub program: &'a Program,
    /// The source's own text.
    pub written: &'a Written,
}

/// What C has to be told besides the tree.
#[derive(Clone, Copy)]
pub struct Additions<'a> {
    /// Integers that variables stand for, which the text around declares.
    pub named: &'a [Named],
    /// What stands in front of a loop whose iterations may run at once.
    pub promise: &'a str,
    /// The macro that chooses between two values that are both computed.
    pub select: &'a dyn Fn(Real) -> String,
    /// How a variable is declared by the statement that writes it first; `None`: by its type and name.
    pub declaration: &'a dyn Fn(BufferId) -> Option<String>,
    /// Variables that nobody reads: they are mentioned behind the statements of new loops that declare them.
    pub mentioned: &'a [BufferId],
    /// What it says of memory that some statements have.
    pub memory: Memory<'a>,
}

impl Additions<'_> {
    /// None.
    pub fn none() -> Additions<'static> {
        let (select, declaration) = (&|_| String::new(), &|_| None);
        Additions { named: &[], promise: "", select, declaration, mentioned: &[], memory: Memory::plain() }
    }

    /// How an assignment declares the variable that it writes.
    pub(crate) fn declared(&self, program: &Program, own: &Assign) -> Result<String, Unprintable> {
        let Place::Cell { buffer, .. } = &own.target else { return Err(Unprintable::Declaration) };
        let variable = &program.buffers[buffer.0];
        let typed = || (!variable.element.is_empty()).then(|| format!("{} {}", variable.element, variable.name));
        (self.declaration)(*buffer).or_else(typed).ok_or(Unprintable::Declaration)
    }
}

/// Another program of the same statements, in the text of its source.
///
/// # Errors
/// When something in it isn't printed yet.
pub fn in_text_of(source: &Source, after: &Program, additions: &Additions) -> Result<String, Unprintable> {
    let expressions = Expressions::of(after, additions, Ranges::of(after));
    let expressions = Expressions { outside: Rc::new(counters_from_outside(source.program)), ..expressions };
    let printer = Printer { expressions, source };
    let changed = printer.statements((&source.program.body, source.written), &after.body, (true, ""))?;
    Ok(changed.unwrap_or_else(|| source.written.whole.clone()))
}

/// The counters that loops of a program don't declare.
fn counters_from_outside(program: &Program) -> BTreeSet<LocalId> {
    let mut found = BTreeSet::new();
    let mut visit = |stmt: &Stmt| match stmt {
        Stmt::For(own) if !own.declares => drop(found.insert(own.counter)),
        _ => {}
    };
    program.body.iter().for_each(|stmt| stmt.each(&mut visit));
    found
}

pub(crate) struct Printer<'a> {
    pub(crate) expressions: Expressions<'a>,
    pub(crate) source: &'a Source<'a>,
}

/// What stands in the place of something in the source; `None`: it is as it was.
pub(crate) type Changed = Result<Option<String>, Unprintable>;

impl Printer<'_> {
    pub(crate) fn list(&self, own: (&[Stmt], &Written), after: &[Stmt], around: &str) -> Changed {
        self.statements(own, after, (is_block(own.1), around))
    }

    /// `is_block`: statements may come, and declarations.
    fn statements(
        &self,
        (before, written): (&[Stmt], &Written),
        after: &[Stmt],
        (is_block, around): (bool, &str),
    ) -> Changed {
        let (indents, unit) = (indents(written, around), unit_of(before, written, around));
        let (mut parts, mut gone, mut rest) = (Vec::new(), BTreeSet::new(), after.iter().peekable());
        let (mut pieces, nested) = (written.pieces.clone(), nested(written));
        // A statement alone may be the branch of a condition, which may have an `else` behind it.
        let is_bare = !is_block && before.len() == 1;
        for (k, (own, text)) in before.iter().zip(&written.parts).enumerate() {
            let is_open = is_behind_a_head(own, &pieces, k).unwrap_or(is_bare);
            let indent = indents.get(k).copied().unwrap_or(around);
            let (added, declares_some) = self.added_lines(&mut rest, Some(own), (indent, &unit))?;
            if !added.is_empty() && is_open {
                return Err(Unprintable::Block);
            }
            // What begins in a block of its own is unknown behind that, where names may mean something else.
            let begins = rest.peek().is_some_and(|now| self.are_one(own, now) && declares(now) && !declares(own));
            if nested[k] && (declares_some || begins) {
                return Err(Unprintable::Order);
            }
            // A label takes no declaration.
            if begins && !is_alone(&pieces, k) {
                return Err(Unprintable::Declaration);
            }
            if let Some(changed) = self.became((own, text), &mut rest, (written, k, is_open, indent))? {
                parts.push(match inserted(&mut pieces, k, &added, indent)? {
                    None => changed,
                    Some(front) => Some(front + changed.as_ref().unwrap_or(&text.whole)),
                });
            } else if is_understood(own, text) && !is_behind_a_pragma(&pieces, k) {
                append((&mut pieces, &mut parts), (written, &gone), &added, indent)?;
                gone.insert(k);
                parts.push(None);
            } else {
                append((&mut pieces, &mut parts), (written, &gone), &added, indent)?;
                parts.push(Some(self.emptied((own, text), (is_open, indent))?));
            }
        }
        let indent = indents.last().copied().unwrap_or(around);
        let (added, declares_some) = self.added_lines(&mut rest, None, (indent, &unit))?;
        if !added.is_empty() && is_bare {
            return Err(Unprintable::Block);
        }
        let last = (0..before.len()).rev().find(|k| !gone.contains(k));
        if declares_some && last.is_some_and(|k| nested[k]) {
            return Err(Unprintable::Order);
        }
        append((&mut pieces, &mut parts), (written, &gone), &added, indent)?;
        let begins_to_declare = !before.iter().any(declares) && after.iter().any(declares);
        if begins_to_declare && !is_block {
            return Err(Unprintable::Declaration);
        }
        if rest.peek().is_some() {
            return Err(Unprintable::Order);
        }
        // The body of a loop, or a branch, without braces.
        let is_bare_statement = written.pieces == [Piece::Part(0)] && before.len() == 1;
        let has_more = pieces != written.pieces;
        let written = &Written { pieces, ..written.clone() };
        match gone.is_empty() {
            true if has_more => Ok(Some(pieced(written, &parts))),
            true => Ok(if_changed(written, parts)),
            false if is_bare_statement => Ok(Some("{ }".to_string())),
            false => remaining(written, &parts, &gone).map(Some),
        }
    }

    /// What is left of a statement when all statements in it go: what else stands there, as labels and declarations do. The tree has
    /// nothing of it any more, so what it reads isn't known to be there.
    fn emptied(
        &self,
        (own, written): (&Stmt, &Written),
        (is_open, around): (bool, &str),
    ) -> Result<String, Unprintable> {
        let (indents, mut parts) = (indents(written, around), vec![None; written.parts.len()]);
        for (k, (list, own)) in own.lists().into_iter().zip(written.parts.iter().skip(1)).enumerate() {
            parts[k + 1] = self.list((list, own), &[], indents.get(k + 1).copied().unwrap_or(around))?;
        }
        match own {
            Stmt::If { cond, .. } if cond.has_data() => Err(Unprintable::Order),
            Stmt::If { .. } => match without_else(written, &parts) {
                // In braces no other `else` comes behind it.
                Some(_) if is_open => Err(Unprintable::Block),
                Some(text) => Ok(text),
                None => Ok(written.filled(&parts)),
            },
            _ => Ok(written.filled(&parts)),
        }
    }

    /// What became of a statement, the part of a list: it, parts of it, or a branch. `None`: nothing that comes next.
    fn became<'s>(
        &self,
        (own, text): (&'s Stmt, &'s Written),
        rest: &mut Peekable<impl Iterator<Item = &'s Stmt> + Clone>,
        (list, part, is_open, indent): (&Written, usize, bool, &str),
    ) -> Result<Option<Option<String>>, Unprintable> {
        if let Some((before, count)) = self.parts_of(own, rest) {
            // A pragma is about the loop behind it.
            if !is_alone(&list.pieces, part) {
                return Err(Unprintable::Order);
            }
            let now: Vec<Stmt> = rest.by_ref().take(count).cloned().collect();
            return Ok(Some(Some(self.in_parts(Reshaped { before, written: text, around: indent }, &now)?)));
        }
        if let Some(Stmt::Assign(now)) = rest.peek()
            && let Some(joined) = self.joined((own, text), now)
        {
            rest.next();
            return Ok(Some(Some(joined)));
        }
        if let Some((branch, count)) = self.branch_of((own, text), rest) {
            let now: Vec<Stmt> = rest.by_ref().take(count).cloned().collect();
            let changed = self.list(branch, &now, indent)?;
            let text = changed.unwrap_or_else(|| branch.1.whole.clone());
            let may_lose_braces = !is_open && is_block(branch.1) && is_bare(branch.1) && !now.iter().any(begins_a_name);
            let without = may_lose_braces.then(|| without_braces(&text, indent)).flatten();
            return Ok(Some(Some(without.unwrap_or(text))));
        }
        let Some(now) = rest.next_if(|now| self.are_one(own, now)) else { return Ok(None) };
        let changed = self.stmt((own, text), now, (is_open, indent))?;
        let is_crowded = is_branched(own, now) && has_more_in_line(list, part);
        Ok(Some(changed.map(|text| if is_crowded { format!("{text}\n{indent}") } else { text })))
    }

    /// A loop of which several parts are left, and how many statements come next that these are.
    fn parts_of<'s>(
        &self,
        own: &'s Stmt,
        rest: &Peekable<impl Iterator<Item = &'s Stmt> + Clone>,
    ) -> Option<(&'s Loop, usize)> {
        let Stmt::For(before) = own else { return None };
        let goes_on =
            |now: &Stmt| matches!(now, Stmt::For(now) if now.counter == before.counter && now.first.is_none());
        // A loop that comes may have the same counter.
        let is_new = |now: &Stmt| !now.assigned().is_empty() && self.of_source(std::slice::from_ref(now)).is_empty();
        let is_part = |now: &Stmt| goes_on(now) && !is_new(now);
        let mut all = rest.clone();
        all.next().filter(|now| begins_parts(own, now))?;
        let is_set = |now: &Stmt| matches!(now, Stmt::Set { .. }) && before.declares;
        let is_next = |now: &&Stmt| is_part(now) || self.comes(now) && (!begins_parts(own, now) || is_set(now));
        let group: Vec<&Stmt> = all.take_while(is_next).collect();
        let last = group.iter().rposition(|now| is_part(now))?;
        Some((before, last + 2))
    }

    /// Whether nothing in a statement is of the source: integers and pointers that begin and change, copies of cells, and assignments that the
    /// source hasn't.
    pub(crate) fn comes(&self, stmt: &Stmt) -> bool {
        match stmt {
            Stmt::Let { .. } | Stmt::Set { .. } | Stmt::Copy(_) | Stmt::Wait(_) => true,
            Stmt::For(own) => !own.body.is_empty() && own.body.iter().all(|stmt| self.comes(stmt)),
            Stmt::If { then, other, .. } => !then.is_empty() && then.iter().chain(other).all(|stmt| self.comes(stmt)),
            Stmt::Assign(own) => own.statement.0 >= self.source.program.statements.len(),
            _ => false,
        }
    }

    /// The branch of a condition of which only that is left, and how many statements come next that are in it.
    fn branch_of<'s>(
        &self,
        (own, written): (&'s Stmt, &'s Written),
        rest: &Peekable<impl Iterator<Item = &'s Stmt> + Clone>,
    ) -> Option<(List<'s>, usize)> {
        let has_directive = |piece: &Piece| matches!(piece, Piece::Text(text) if text.contains('#'));
        // It is left itself.
        let has_its_branches = |now: &&Stmt| {
            let lists = own.lists().into_iter().zip(now.lists());
            matches!(now, Stmt::If { .. })
                && lists.into_iter().all(|(own, now)| self.of_source(now).is_subset(&self.of_source(own)))
        };
        if rest.clone().next().is_some_and(|now| has_its_branches(&now)) {
            return None;
        }
        if !matches!(own, Stmt::If { .. }) || written.pieces.iter().any(has_directive) {
            return None;
        }
        let lists = own.lists().into_iter().zip(written.parts.iter().skip(1));
        lists.into_iter().find_map(|(list, written)| {
            let is_one_of = |now: &&Stmt| list.iter().any(|own| self.stands_for(now, own));
            let count = rest.clone().take_while(is_one_of).count();
            (count > 0).then_some(((list, written), count))
        })
    }

    /// The source's statements in a list.
    fn of_source(&self, list: &[Stmt]) -> BTreeSet<StatementId> {
        let is_own = |id: &StatementId| id.0 < self.source.program.statements.len();
        list.iter().flat_map(Stmt::assigned).filter(is_own).collect()
    }

    /// Whether a statement is what became of one of the source, or of a branch of that.
    fn stands_for(&self, now: &Stmt, own: &Stmt) -> bool {
        let is_branch =
            matches!(own, Stmt::If { .. }) && own.lists().into_iter().flatten().any(|own| self.stands_for(now, own));
        is_branch || std::mem::discriminant(own) == std::mem::discriminant(now) && self.are_one(own, now)
    }

    /// Whether a statement is what became of one of the source: they have the same statements of the source in them, but for those
    /// that went or came.
    fn are_one(&self, before: &Stmt, after: &Stmt) -> bool {
        let (own, now) = (before.assigned(), self.of_source(std::slice::from_ref(after)));
        let is_alike = std::mem::discriminant(before) == std::mem::discriminant(after) || is_branched(before, after);
        let is_alike = is_alike || matches!((before, after), (Stmt::For(_), Stmt::With(_)));
        is_alike && !now.is_empty() && now.is_subset(&own) || before == after || is_emptied(before, after)
    }

    /// Statements that come, in front of one of the source's, and whether they declare something. Each line but the first has its
    /// indent.
    fn added_lines<'s>(
        &self,
        rest: &mut Peekable<impl Iterator<Item = &'s Stmt> + Clone>,
        own: Option<&'s Stmt>,
        (indent, unit): (&str, &str),
    ) -> Result<(Vec<String>, bool), Unprintable> {
        let mut added = Vec::new();
        while let Some(now) = rest.peek().copied().filter(|now| self.comes(now)) {
            let is_own = |own: &'s Stmt| own == now || begins_parts(own, now) && self.parts_of(own, rest).is_some();
            if own.is_some_and(is_own) {
                break;
            }
            added.push(now.clone());
            rest.next();
        }
        if added.is_empty() {
            return Ok((Vec::new(), false));
        }
        let text = self.expressions.new_statements(&added, (indent, unit))?;
        Ok((vec![text], added.iter().any(begins_a_name)))
    }

    /// `is_open`: an `else` may come behind it.
    pub(crate) fn stmt(
        &self,
        (before, written): (&Stmt, &Written),
        after: &Stmt,
        (is_open, around): (bool, &str),
    ) -> Changed {
        let indents = indents(written, around);
        let within = |k: usize| indents.get(k).copied().unwrap_or(around);
        match (before, after) {
            (Stmt::For(source), Stmt::For(own)) if own.vector && !source.vector => {
                let after = Stmt::For(Loop { vector: false, ..own.clone() });
                let changed = self.stmt((before, written), &after, (is_open, around))?;
                Ok(Some(self.promised(changed.as_ref().unwrap_or(&written.whole), around)))
            }
            (Stmt::For(before), Stmt::For(after)) if have_one_head(before, after) => {
                match self.list((&before.body, &written.parts[1]), &after.body, within(1)) {
                    Err(Unprintable::Block) => self.in_block(Reshaped { before, written, around }, after).map(Some),
                    body => with_body(Reshaped { before, written, around }, body?),
                }
            }
            (_, Stmt::With(now)) => {
                self.in_memory(Own { stmt: before, written, indent: around }, now, (is_open, around))
            }
            (Stmt::For(source), Stmt::For(own)) if own.counter != source.counter && own.step.is_some() => {
                self.over_tiles(Own { stmt: before, written, indent: around }, own, around).map(Some)
            }
            (Stmt::For(before), Stmt::For(own)) if own.step.is_some() && own.first.is_some() => {
                self.in_a_tile(Reshaped { before, written, around }, own).map(Some)
            }
            (Stmt::For(before), Stmt::For(after)) => {
                self.reshaped(Reshaped { before, written, around }, after).map(Some)
            }
            (Stmt::If { .. }, Stmt::If { .. }) => self.condition((before, written), after, (is_open, around)),
            (Stmt::Assign(before), Stmt::Assign(after)) if before.at == after.at => {
                self.assign((before, written), after)
            }
            (Stmt::Opaque(before), Stmt::Opaque(after)) if before.at == after.at => {
                self.expressions.opaque((before, written), after)
            }
            (Stmt::Assign(before), Stmt::If { .. }) if !is_open => {
                self.branches((before, written), after, around).map(Some)
            }
            (Stmt::Assign(before), Stmt::If { .. }) => {
                let inside = format!("{around}  ");
                let text = self.branches((before, written), after, &inside)?;
                Ok(Some(format!("{{\n{inside}{text}\n{around}}}")))
            }
            _ => Err(Unprintable::Order),
        }
    }

    fn condition(
        &self,
        (before, written): (&Stmt, &Written),
        after: &Stmt,
        (is_open, around): (bool, &str),
    ) -> Changed {
        let (Stmt::If { cond: before, then: yes, other: no }, Stmt::If { cond: after, then: now_yes, other: now_no }) =
            (before, after)
        else {
            return Err(Unprintable::Order);
        };
        let head = (after != before)
            .then(|| self.expressions.cond(after, Some((before, &written.parts[0]))).within(Level::Whole));
        let mut own = written.clone();
        let mut parts = vec![head, self.branch((yes, 1), now_yes, &mut own, around)?];
        match written.parts.get(2) {
            // In braces it may lose its `else`: no other one comes behind it.
            Some(_) if now_no.is_empty() && !no.is_empty() && is_open => return Err(Unprintable::Block),
            Some(_) if now_no.is_empty() && !no.is_empty() => {
                let is_braced = parts[1].as_ref().is_some_and(|text| text.starts_with('{'));
                let is_dangling = !is_braced && starts_a_condition(yes, &written.parts[1]);
                match without_else(&own, &parts).filter(|_| !is_dangling) {
                    Some(text) => return Ok(Some(text)),
                    None => parts.push(self.branch((no, 2), now_no, &mut own, around)?),
                }
            }
            Some(_) => parts.push(self.branch((no, 2), now_no, &mut own, around)?),
            None if no != now_no => return Err(Unprintable::Order),
            None => {}
        }
        Ok(if_changed(&own, parts))
    }

    /// What became of a branch, the k-th part of a condition. It gets braces where statements come.
    fn branch(&self, (before, k): (&[Stmt], usize), after: &[Stmt], own: &mut Written, around: &str) -> Changed {
        let within = indents(own, around).get(k).map_or(around, |indent| *indent).to_string();
        match self.list((before, &own.parts[k]), after, &within) {
            Err(Unprintable::Block) => {
                let unit = within.strip_prefix(around).filter(|unit| !unit.is_empty()).unwrap_or("  ");
                let text = self.in_braces((before, &own.parts[k]), after, (around, unit))?;
                let at = own.pieces.iter().position(|piece| *piece == Piece::Part(k)).and_then(|at| at.checked_sub(1));
                let Some(Piece::Text(gap)) = at.map(|at| &mut own.pieces[at]) else { return Err(Unprintable::Order) };
                // What else stands there would be lost.
                if gap.trim() != if k == 1 { ")" } else { "else" } {
                    return Err(Unprintable::Order);
                }
                *gap = format!("{} ", gap.trim_end());
                Ok(Some(text))
            }
            changed => changed,
        }
    }

    /// A loop with what compilers are told of it.
    pub(crate) fn promised(&self, text: &str, indent: &str) -> String {
        format!("{}\n{indent}{text}", self.expressions.additions.promise)
    }

    /// A statement once for each place of what it writes.
    fn branches(&self, own: (&Assign, &Written), after: &Stmt, indent: &str) -> Result<String, Unprintable> {
        match after {
            Stmt::Assign(now) if now.at == own.0.at => {
                Ok(self.assign(own, now)?.unwrap_or_else(|| own.1.whole.clone()))
            }
            Stmt::If { cond, then, other } => {
                let head = format!("if ({})", self.expressions.cond(cond, None).within(Level::Whole));
                let then = match &then[..] {
                    [] => format!("{head}\n{indent}  {{ }}"),
                    [then] => format!("{head}\n{indent}  {}", self.branches(own, then, &format!("{indent}  "))?),
                    _ => return Err(Unprintable::Order),
                };
                match &other[..] {
                    [] => Ok(then),
                    [other @ Stmt::If { .. }] => {
                        Ok(format!("{then}\n{indent}else {}", self.branches(own, other, indent)?))
                    }
                    [other] => {
                        let inner = format!("{indent}  ");
                        Ok(format!("{then}\n{indent}else\n{inner}{}", self.branches(own, other, &inner)?))
                    }
                    _ => Err(Unprintable::Order),
                }
            }
            _ => Err(Unprintable::Order),
        }
    }

    /// One assignment, where data chose between several of the same cell. `None`: it is something else.
    fn joined(&self, (before, written): (&Stmt, &Written), after: &Assign) -> Option<String> {
        let own = before.as_choice().filter(|own| own.statement == after.statement && own.at == after.at)?;
        let is_choice = matches!(before, Stmt::If { .. }) && matches!(own.value, Value::Choice(..));
        // Comments and labels between the branches would be lost.
        if has_more_than_branches(written) {
            return None;
        }
        let value = is_choice.then(|| self.joined_value((before, written), &after.value))??;
        Some(format!("{} = {value};", self.expressions.place(&after.target, None)))
    }

    fn joined_value(&self, (before, written): (&Stmt, &Written), after: &Value) -> Option<String> {
        match (before, after) {
            (Stmt::Assign(before), after) => {
                let value = &written.parts[1];
                let own = (!is_compound(&before.value, value)).then_some((&before.value, value));
                Some(self.expressions.value(after, own).within(Level::Choice))
            }
            (Stmt::If { cond, then, other }, Value::Apply(Op::Select(of), operands)) => {
                let [Value::Choice(now, yes, no)] = &operands[..] else { return None };
                let side = |before: &[Stmt], k: usize, now| match (before, &written.parts.get(k)?.parts[..]) {
                    ([before], [text]) => self.joined_value((before, text), now),
                    _ => None,
                };
                let sides = [side(then, 1, yes)?, side(other, 2, no)?];
                let own = Some((cond, written.parts.first()?));
                Some(self.expressions.selected(*of, (now, own), sides).within(Level::Choice))
            }
            _ => None,
        }
    }

    fn assign(&self, (before, written): (&Assign, &Written), after: &Assign) -> Changed {
        if before == after {
            return Ok(None);
        }
        let [target, _] = &written.parts[..] else { return Err(Unprintable::Order) };
        if before.declares && (before.target != after.target || !after.declares) {
            return Err(Unprintable::Declaration);
        }
        let place = match after.declares && !before.declares {
            true => self.declared(after)?,
            false => self.expressions.place(&after.target, Some((&before.target, target))),
        };
        Ok(Some(self.expressions.assigned((before, written), after, place)))
    }

    fn declared(&self, own: &Assign) -> Result<String, Unprintable> {
        self.expressions.additions.declared(self.expressions.program, own)
    }
}

/// How much deeper the bodies of a list's loops stand.
fn unit_of(list: &[Stmt], written: &Written, around: &str) -> String {
    let (indents, mut all) = (indents(written, around), list.iter().zip(&written.parts).enumerate());
    let of_loop = |(k, (own, written)): (usize, (&Stmt, &Written))| match own {
        Stmt::For(before) => {
            Some(Reshaped { before, written, around: indents.get(k).copied().unwrap_or(around) }.unit())
        }
        _ => None,
    };
    all.find_map(of_loop).unwrap_or_else(|| "  ".to_string())
}

/// Puts lines in front of a statement, and of what else stands on lines of its own there: comments, labels and directives.
/// What has to stand in front of the statement itself is what comes back.
fn inserted(pieces: &mut [Piece], part: usize, lines: &[String], indent: &str) -> Result<Option<String>, Unprintable> {
    if lines.is_empty() {
        return Ok(None);
    }
    let at = pieces.iter().position(|piece| *piece == Piece::Part(part)).ok_or(Unprintable::Order)?;
    if let Some(Piece::Text(text)) = at.checked_sub(1).and_then(|before| pieces.get_mut(before)) {
        match second_line(text) {
            // What is declared there may be named in the lines.
            Some(at) if begins_a_statement(&text[..at]) && !ends_a_condition(text) && !ends_something(&text[at..]) => {
                let lines: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
                text.insert_str(at, &lines);
                return Ok(Some(String::new()));
            }
            _ if begins_a_statement(text) && !ends_a_condition(text) => {}
            _ => return Err(Unprintable::Order),
        }
    }
    Ok(Some(lines.iter().map(|line| format!("{line}\n{indent}")).collect()))
}

/// Which parts of a list stand in blocks of their own, which the tree doesn't know.
fn nested(list: &Written) -> Vec<bool> {
    let (mut depth, mut found) = (0, vec![false; list.parts.len()]);
    let base = i32::from(is_block(list));
    for piece in &list.pieces {
        match piece {
            Piece::Text(text) => depth += polyfold_c::written::depth(text),
            Piece::Part(k) => found[*k] = depth != base,
        }
    }
    found
}

/// Whether lines above or below may be there on a condition of the preprocessor.
fn ends_a_condition(text: &str) -> bool {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix('#'));
    directives.map(str::trim_start).any(|own| own.starts_with("el") || own.starts_with("endif"))
}

/// A text of its pieces.
fn pieced(written: &Written, parts: &[Option<String>]) -> String {
    written.pieces.iter().map(|piece| written.text(piece, parts)).collect()
}

/// Puts lines behind the last statement that stays, and behind what ends its line.
fn append(
    (pieces, parts): (&mut [Piece], &mut [Option<String>]),
    (list, gone): (&Written, &BTreeSet<usize>),
    lines: &[String],
    indent: &str,
) -> Result<(), Unprintable> {
    if lines.is_empty() {
        return Ok(());
    }
    let k = (0..parts.len()).rev().find(|k| !gone.contains(k)).ok_or(Unprintable::Order)?;
    let behind = pieces.iter().position(|piece| *piece == Piece::Part(k)).map_or(0, |at| at + 1);
    if let Some(Piece::Text(text)) = pieces.get_mut(behind)
        && let Some(at) = second_line(text)
    {
        if ends_a_condition(text) {
            return Err(Unprintable::Order);
        }
        let lines: String = lines.iter().map(|line| format!("{indent}{line}\n")).collect();
        text.insert_str(at, &lines);
        return Ok(());
    }
    let behind: String = lines.iter().map(|line| format!("\n{indent}{line}")).collect();
    parts[k] = Some(parts[k].as_ref().unwrap_or(&list.parts[k].whole).clone() + &behind);
    Ok(())
}

/// Whether what runs in memory of its own is a branch or a body without braces. `None`: nothing else stands in front of it.
fn is_behind_a_head(own: &Stmt, pieces: &[Piece], part: usize) -> Option<bool> {
    let at = pieces.iter().position(|piece| *piece == Piece::Part(part)).and_then(|at| at.checked_sub(1));
    let Piece::Text(text) = &pieces[at?] else { return None };
    let text = text.trim_end();
    let is_local = own.any(&|stmt| matches!(stmt, Stmt::With(_)));
    (is_local && !text.is_empty()).then(|| !text.ends_with(['{', '}', ';']))
}

fn is_block(written: &Written) -> bool {
    matches!(written.pieces.first(), Some(Piece::Text(text)) if text.starts_with('{'))
}

/// Whether a branch begins with an `if` that an `else` behind the branch would be taken for.
fn starts_a_condition(branch: &[Stmt], written: &Written) -> bool {
    !is_block(written) && matches!(branch.first(), Some(Stmt::If { .. }))
}

/// Whether a list has nothing but statements and comments: no label and no directive. One declaration may be several statements.
fn is_bare(list: &Written) -> bool {
    list.pieces.iter().all(|piece| match piece {
        Piece::Text(text) => is_blank_or_brace(text) || text.trim() == ",",
        Piece::Part(_) => true,
    })
}

/// Whether a statement has nothing in it but statements of the tree.
fn is_understood(stmt: &Stmt, written: &Written) -> bool {
    let lists = stmt.lists().into_iter().zip(written.parts.iter().skip(1));
    lists.into_iter().all(|(list, own)| {
        is_bare(own) && list.iter().zip(&own.parts).all(|(stmt, written)| is_understood(stmt, written))
    })
}

/// A condition of statements with other parts, and without what it does otherwise. `None`: its `else` has to stay.
fn without_else(written: &Written, parts: &[Option<String>]) -> Option<String> {
    if !is_bare(written.parts.get(2)?) {
        return None;
    }
    let kept = written.pieces.iter().position(|piece| *piece == Piece::Part(1)).map_or(0, |at| at + 1);
    let is_else = matches!(&written.pieces[kept..], [Piece::Text(text), Piece::Part(2)] if text.trim() == "else");
    is_else.then(|| written.pieces[..kept].iter().map(|piece| written.text(piece, parts)).collect())
}

/// A loop with another body. Braces that this gets stand behind the head.
fn with_body(own: Reshaped, body: Option<String>) -> Changed {
    let [head, source] = &own.written.parts[..] else { return Err(Unprintable::Order) };
    let is_block = |text: &str| text.starts_with('{');
    let gap = own.gap();
    match &body {
        Some(body) if is_block(body) && !is_block(&source.whole) && gap.trim().is_empty() => {
            // What stands in the head's line is as deep as that.
            let unit = if gap.contains('\n') { own.unit() } else { String::new() };
            Ok(Some(format!("{} {}", head.whole, unshifted(body, &unit))))
        }
        Some(body) if is_block(body) && !is_block(&source.whole) && !begins_a_statement(gap) => Err(Unprintable::Order),
        _ => Ok(if_changed(own.written, vec![None, body])),
    }
}

/// Whether a pragma in front of a part is about it.
fn is_behind_a_pragma(pieces: &[Piece], part: usize) -> bool {
    let at = pieces.iter().position(|piece| *piece == Piece::Part(part)).and_then(|at| at.checked_sub(1));
    at.is_some_and(|at| matches!(&pieces[at], Piece::Text(text) if ends_in_a_pragma(text)))
}

/// Whether nothing stands in front of a part that belongs to it, as a pragma does.
fn is_alone(pieces: &[Piece], part: usize) -> bool {
    let at = pieces.iter().position(|piece| *piece == Piece::Part(part)).and_then(|at| at.checked_sub(1));
    at.is_none_or(|at| match &pieces[at] {
        Piece::Text(text) => begins_a_statement(text),
        Piece::Part(_) => true,
    })
}

/// Whether a statement begins with the counter of a loop that comes in parts.
fn begins_parts(own: &Stmt, now: &Stmt) -> bool {
    match (own, now) {
        (Stmt::For(own), Stmt::Let { local, .. } | Stmt::Set { local, .. }) => *local == own.counter,
        _ => false,
    }
}

/// A list of statements, and how the source writes it.
type List<'s> = (&'s [Stmt], &'s Written);

/// Whether comments or labels stand between the parts of conditions and their branches.
fn has_more_than_branches(written: &Written) -> bool {
    let is_more = |piece: &Piece| match piece {
        Piece::Text(text) => !comments(text).is_empty() || without_labels(text) != *text,
        Piece::Part(k) => written.parts.get(*k).is_some_and(|part| *k > 0 && has_more_than_branches(part)),
    };
    written.pieces.iter().any(is_more)
}

/// Whether nothing is left in loops and conditions. Loops count for those who see their counters behind them. Conditions are asked.
fn is_emptied(before: &Stmt, after: &Stmt) -> bool {
    let has_its_head = match (before, after) {
        (Stmt::For(own), Stmt::For(now)) => (own.counter, own.declares) == (now.counter, now.declares),
        (Stmt::If { cond: own, .. }, Stmt::If { cond, .. }) => own == cond || cond.is_volatile(),
        _ => false,
    };
    let are_emptied = |(own, now): (&[Stmt], &[Stmt])| now.iter().all(|now| own.iter().any(|own| is_emptied(own, now)));
    has_its_head && before.lists().into_iter().zip(after.lists()).all(are_emptied)
}

/// Whether a statement stands once for each place of what it writes.
fn is_branched(before: &Stmt, after: &Stmt) -> bool {
    matches!((before, after), (Stmt::Assign(_), Stmt::If { .. }))
}

/// Whether another statement stands behind a part in its line: it would look like a part of the last branch.
fn has_more_in_line(list: &Written, part: usize) -> bool {
    let behind = list.pieces.iter().skip_while(|piece| **piece != Piece::Part(part)).skip(1);
    match behind.take(2).collect::<Vec<_>>()[..] {
        [Piece::Text(text), Piece::Part(_)] => !text.contains('\n'),
        [Piece::Part(_), ..] => true,
        _ => false,
    }
}

fn declares(stmt: &Stmt) -> bool {
    matches!(stmt, Stmt::Assign(own) if own.declares)
}

/// Whether names that a statement declares are known behind it.
fn begins_a_name(stmt: &Stmt) -> bool {
    declares(stmt) || matches!(stmt, Stmt::Let { .. } | Stmt::Opaque(_))
}

/// The text with other parts; `None`: all are as they were.
fn if_changed(written: &Written, parts: Vec<Option<String>>) -> Option<String> {
    parts.iter().any(Option::is_some).then(|| written.filled(&parts))
}

fn have_one_head(before: &Loop, after: &Loop) -> bool {
    (before.counter, before.declares, &before.first, &before.test, before.step, before.parallel)
        == (after.counter, after.declares, &after.first, &after.test, after.step, after.parallel)
}
