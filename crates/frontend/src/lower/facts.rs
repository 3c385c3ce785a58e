//! What the whole function says about each variable.

use super::Site;
use super::access::chain;
use super::allocation::{Allocated, Unclear, allocation};
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, ForStart, Statement, StatementKind, UnaryOperator, VariableId,
};
use polyfold_scop::Span;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Facts about variables, gathered before lowering.
#[derive(Default)]
pub(super) struct Facts {
    /// Assigned in the scop, or with its address taken there.
    pub(super) written: HashSet<VariableId>,
    /// Where each variable is assigned or its address is taken, in the function.
    pub(super) assigned_at: HashMap<VariableId, Vec<usize>>,
    pub(super) address_taken: HashSet<VariableId>,
    /// First mention before the scop, and after it.
    pub(super) before: HashMap<VariableId, Span>,
    pub(super) after: HashMap<VariableId, Span>,
    /// Arrays mentioned without subscripts outside the scop: someone may have their address.
    pub(super) handed_out: HashSet<VariableId>,
    /// Where each name of a variable stands in the function's body, with the variable that it means.
    named: HashMap<String, BTreeMap<usize, VariableId>>,
    subscripted_at: HashSet<usize>,
    /// Where a variable is set without being read.
    reset_at: HashSet<usize>,
    /// Counters of the scop's loops.
    pub(super) counters: HashSet<VariableId>,
    /// Declared between the pragmas.
    pub(super) declared_inside: HashSet<VariableId>,
    /// Constants that occur in extents of arrays that the scop uses: they stay symbolic.
    pub(super) symbolic: HashSet<String>,
    /// Where pointers that the scop uses get their memory, or why that is not understood.
    pub(super) allocations: HashMap<VariableId, Result<Allocated, Unclear>>,
}

impl Facts {
    pub(super) fn gather(site: &Site) -> Facts {
        let mut facts = Facts::default();
        let within = scop_range(site);
        site.function.body.walk(&mut |e| facts.note(site, e, &within));
        for &id in &site.function.parameters {
            facts.note_extents(site, id, &within);
        }
        facts.note_declarations(site, &site.function.body, &within);
        let mut used = HashSet::new();
        for statement in site.statements {
            facts.note_counters(statement);
            statement.walk(&mut |e| used.extend(e.variable()));
        }
        for id in used {
            for extent in extents(site, id) {
                facts.note_symbols(site, extent, 0);
            }
            let Some(found) = allocation(site, &facts, id) else { continue };
            if let Ok(allocated) = &found {
                allocated.factors.iter().for_each(|factor| facts.note_symbols(site, factor, 0));
            }
            facts.allocations.insert(id, found);
        }
        facts
    }

    /// Where a name stands in a stretch of the function's body, with the variable that it means there.
    pub(super) fn named(&self, name: &str, within: Span) -> impl Iterator<Item = (usize, VariableId)> {
        self.named.get(name).into_iter().flat_map(move |places| places.range(within.clone())).map(|(at, id)| (*at, *id))
    }

    /// Where the value that a variable has after the scop is used.
    pub(super) fn used_after(&self, id: VariableId) -> Option<&Span> {
        self.after.get(&id).filter(|span| !self.reset_at.contains(&span.start))
    }

    fn note(&mut self, site: &Site, e: &Expression, within: &Span) {
        let inside = within.contains(&e.span.start);
        if let ExpressionKind::Index(..) = &e.kind {
            self.note_subscripts(site, e);
        }
        if let Some(variable) = e.variable() {
            self.note_name(site, variable, e.span.start);
        }
        if let Some(variable) = e.variable()
            && !inside
        {
            let is_array = !site.unit.variables[variable].is_scalar();
            if is_array && !self.subscripted_at.contains(&e.span.start) {
                self.handed_out.insert(variable);
            }
            let side = if e.span.start < within.start { &mut self.before } else { &mut self.after };
            side.entry(variable).or_insert_with(|| e.span.clone());
        }
        if let ExpressionKind::Assign(operator, place, _) = &e.kind
            && operator == "="
        {
            self.reset_at.insert(place.span.start);
        }
        let target = match &e.kind {
            ExpressionKind::Assign(_, place, _) | ExpressionKind::Step(_, place) => place.variable(),
            ExpressionKind::Unary(UnaryOperator::Address, place) => {
                let variable = place.variable();
                self.address_taken.extend(variable);
                variable
            }
            _ => None,
        };
        if let Some(target) = target {
            self.assigned_at.entry(target).or_default().push(e.span.start);
            if inside {
                self.written.insert(target);
            }
        }
    }

    fn note_name(&mut self, site: &Site, id: VariableId, at: usize) {
        let name = site.unit.variables[id].name.clone();
        self.named.entry(name).or_default().insert(at, id);
    }

    /// Remembers that the name in front of these subscripts has all it needs.
    fn note_subscripts(&mut self, site: &Site, e: &Expression) {
        let chain = chain(e);
        if let Some(id) = chain.base.variable()
            && chain.subscripts.len() >= site.unit.variables[id].dimensions()
        {
            self.subscripted_at.insert(chain.base.span.start);
        }
    }

    /// Names in the extents of other declarations are mentions, too.
    fn note_extents(&mut self, site: &Site, id: VariableId, within: &Span) {
        for extent in extents(site, id) {
            extent.walk(&mut |e| self.note(site, e, within));
        }
    }

    fn note_declarations(&mut self, site: &Site, statement: &Statement, within: &Span) {
        let note = |facts: &mut Facts, list: &[(VariableId, Option<Expression>)]| {
            for (id, _) in list {
                facts.note_extents(site, *id, within);
                facts.note_name(site, *id, site.unit.variables[*id].name_span.start);
                if within.contains(&site.unit.variables[*id].name_span.start) {
                    facts.declared_inside.insert(*id);
                }
            }
        };
        match &statement.kind {
            StatementKind::Declaration(list) => note(self, list),
            StatementKind::For { start, body, .. } => {
                if let ForStart::Declaration(list) = start {
                    note(self, list);
                }
                self.note_declarations(site, body, within);
            }
            StatementKind::Block(list) | StatementKind::Other(_, list, _) => {
                list.iter().for_each(|s| self.note_declarations(site, s, within));
            }
            StatementKind::If(_, then, otherwise) => {
                self.note_declarations(site, then, within);
                otherwise.iter().for_each(|s| self.note_declarations(site, s, within));
            }
            StatementKind::Label(_, inner) => self.note_declarations(site, inner, within),
            StatementKind::Empty | StatementKind::Expression(_) => {}
        }
    }

    fn note_counters(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::For { start, body, .. } => {
                match start {
                    ForStart::Declaration(list) => self.counters.extend(list.iter().map(|(id, _)| *id)),
                    ForStart::Expression(Expression { kind: ExpressionKind::Assign(_, place, _), .. }) => {
                        self.counters.extend(place.variable());
                    }
                    _ => {}
                }
                self.note_counters(body);
            }
            StatementKind::Block(list) | StatementKind::Other(_, list, _) => {
                list.iter().for_each(|s| self.note_counters(s));
            }
            StatementKind::If(_, then, otherwise) => {
                self.note_counters(then);
                otherwise.iter().for_each(|s| self.note_counters(s));
            }
            StatementKind::Label(_, inner) => self.note_counters(inner),
            StatementKind::Empty | StatementKind::Expression(_) | StatementKind::Declaration(_) => {}
        }
    }

    fn note_symbols(&mut self, site: &Site, extent: &Expression, depth: usize) {
        extent.walk(&mut |e| {
            let ExpressionKind::Name(name, _) = &e.kind else { return };
            let body = site.table.object(name).filter(|_| depth < 20);
            match body.and_then(|text| polyfold_c::syntax::expression_from(text, site.table, site.typedefs)) {
                Some(body) if !matches!(body.kind, ExpressionKind::Integer(..)) => {
                    self.note_symbols(site, &body, depth + 1);
                }
                _ => {
                    self.symbolic.insert(name.clone());
                }
            }
        });
    }
}

/// The scop in the expanded text.
pub(super) fn scop_range(site: &Site) -> Span {
    site.expanded.position_of(site.span.start)..site.expanded.position_of(site.span.end)
}

fn extents<'a>(site: &Site<'a>, id: VariableId) -> impl Iterator<Item = &'a Expression> {
    site.unit.variables[id].shape.iter().filter_map(|derivation| match derivation {
        Derivation::Array(extent) => extent.as_ref(),
        _ => None,
    })
}
