//! From the bound tree to a [`Scop`].
//!
//! The idea: one walk over the statements between the pragmas, with loops and guards on a stack. Names of
//! constants start out symbolic; where one stands in a place that is not affine unless its value is known, the
//! walk stops, pins it, and starts again.
//!
//! Example: in `for (k = i - m; …) D[(2*n+1)*k]` the subscript multiplies a counter by `n`, so `n` is pinned.

mod access;
mod affine;
mod allocation;
mod arrays;
mod blocks;
mod condition;
mod counter;
mod embedded;
mod enclosing;
mod escape;
mod facts;
mod indirect;
mod known;
mod linear;
mod loops;
mod mentions;
mod misread;
mod oblige;
mod opaque;
mod place;
mod pointers;
mod products;
mod pure;
mod roles;
mod scalar;
mod shadow;
mod stand_in;
mod statement;
mod surroundings;
mod tree;
mod turns;
mod unsigned;
mod written;

pub(crate) use misread::misread_declaration;

use crate::Options;
use crate::assume::assumptions;
use crate::diagnostic::Diagnostic;
use crate::local::LocalRegion;
use crate::pragma::Pragmas;
use arrays::ArrayTable;
use facts::Facts;
use linear::{Arithmetic, Atoms, Noted, Polynomial};
use oblige::SubscriptObligations;
use pointers::leads_anywhere;
use polyfold_c::compiled::Surroundings;
use polyfold_c::expand::Expanded;
use polyfold_c::macros::MacroTable;
use polyfold_c::prototypes::Prototypes;
use polyfold_c::source::Directive;
use polyfold_c::syntax::{Function, Members, Statement, StatementKind, Storage, Typedefs, Unit, VariableId};
use polyfold_scop::{
    Code, Computed, Condition, Expr, FragmentId, LoopId, Node, Obligation, Parameter, ParameterId, Product, Scop, Span,
    StandIn,
};
use pure::Effect;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::rc::Rc;
use tree::Computations;

/// A scop and its surroundings, before lowering.
pub(crate) struct Site<'a> {
    pub(crate) source: &'a str,
    /// The file without comments and directives.
    pub(crate) masked: &'a str,
    pub(crate) compiled: Surroundings<'a>,
    pub(crate) expanded: &'a Expanded,
    pub(crate) unit: &'a Unit,
    pub(crate) table: &'a MacroTable,
    pub(crate) typedefs: &'a Typedefs,
    pub(crate) members: &'a Members,
    pub(crate) function: &'a Function,
    /// The statements between the pragmas.
    pub(crate) statements: &'a [Statement],
    /// Bytes of the file that are blocks of the program.
    pub(crate) blocks: &'a [Span],
    /// Regions of the file.
    pub(crate) regions: &'a [LocalRegion],
    /// What the compiler sees of directives.
    pub(crate) directives: &'a [Directive],
    /// Bytes of the file between the pragma lines.
    pub(crate) span: Span,
    pub(crate) line: usize,
    /// Whether the function may run the scop again with the same locals.
    pub(crate) repeats: bool,
    pub(crate) pragmas: Pragmas,
    /// Threads that run the scop at the same time.
    pub(crate) threads: Vec<Team>,
    /// Text of the function that this configuration leaves out.
    pub(crate) skipped: Vec<Span>,
    pub(crate) options: &'a Options,
    /// Functions that the user calls pure, as they are declared.
    pub(crate) prototypes: &'a Prototypes,
}

/// Threads that run a statement around the scop at the same time: they share what is declared outside it.
pub(crate) struct Team {
    /// The statement, in the expanded text.
    pub(crate) statement: Span,
    /// Why an array outside keeps its layout.
    pub(crate) reason: String,
}

/// Why lowering ended early.
enum Stop {
    /// These constants must be taken at their values.
    Pin(BTreeSet<String>),
    /// The scop is not handled.
    Decline(Box<Diagnostic>),
}

type Lowered<T> = Result<T, Stop>;

/// More reasons why a scop is not handled are not shown.
const MOST_DECLINED: usize = 5;

fn is_declaration(statement: &Statement) -> bool {
    matches!(statement.kind, StatementKind::Declaration(_))
}

/// What a variable of the scop stands for in affine expressions.
#[derive(Clone)]
enum Meaning {
    Counter(LoopId),
    Value(Expr),
    /// A polynomial, and how C computes it.
    Linear(Polynomial, Arithmetic),
}

/// One walk.
struct Lowering<'a> {
    site: &'a Site<'a>,
    facts: &'a Facts,
    /// Constants taken at their values.
    pinned: &'a BTreeSet<String>,
    wanted_pins: BTreeSet<String>,
    used_pins: BTreeMap<String, i64>,
    parameters: Vec<Parameter>,
    /// Variables behind parameters.
    parameter_variables: HashMap<ParameterId, VariableId>,
    meanings: Vec<(VariableId, Meaning)>,
    stand_ins: Vec<StandIn>,
    /// Locals that keep the value of their declaration, and why that is not affine, with what to write instead.
    unread: HashMap<VariableId, (String, Option<&'static str>)>,
    loops: Vec<LoopId>,
    loop_count: usize,
    /// Counters that start at zero or above and go up.
    natural_counters: BTreeSet<LoopId>,
    conditions: Vec<Condition>,
    obligations: Vec<Obligation>,
    subscript_obligations: Vec<SubscriptObligations>,
    /// Subscripts that are polynomials.
    linear: Noted,
    /// The variables of these.
    atoms: Atoms,
    /// Whether an array that could shrink has subscripts that are not shown to stay in rows.
    refused_linear: bool,
    /// Whether the user's assumptions may help there.
    takes_assumptions: bool,
    /// The macro whose body is looked at.
    origin: Option<Span>,
    arrays: ArrayTable,
    statements: Vec<polyfold_scop::Statement>,
    labels: Vec<Option<String>>,
    fragments: Vec<usize>,
    impure_call: Option<(String, Span)>,
    /// Functions that were said to be pure, with what their calls do; `None`: they are not.
    callees: HashMap<String, Option<Rc<Vec<Effect>>>>,
    /// Where the names of arrays stand that the walk has understood.
    followed: HashSet<usize>,
    /// Why statements so far are not handled, but for the last one.
    declined: Vec<Diagnostic>,
    /// The block that is read, in the expanded text.
    block: Option<Span>,
    /// Parameters that stand for the counters of loops around blocks.
    counted: Vec<ParameterId>,
    /// Parameters that stand for products, in a statement that runs in local memory.
    products: Vec<Product>,
    /// What C computes as `int` there.
    computed: Vec<Computed>,
    /// What statements compute.
    computations: Computations,
}

/// Lowers one scop; `None` if it is declined, with the reason among `diagnostics`.
pub(crate) fn lower(site: &Site, diagnostics: &mut Vec<Diagnostic>) -> Option<Scop> {
    let facts = Facts::gather(site);
    let mut pinned: BTreeSet<String> = site.options.pinned.iter().cloned().collect();
    loop {
        let mut walk = Lowering::new(site, &facts, &pinned);
        match walk.run() {
            Ok(mut scop) => {
                scop.assumed = assumptions(&scop, &site.options.assume);
                if let Some(around) = scop.surroundings.as_deref() {
                    scop.assumed.extend(around.positive.iter().chain(&around.derived).cloned());
                }
                if walk.refused_linear
                    && let Some((assuming, warnings)) = under_assumptions(site, &facts, &pinned, &scop)
                {
                    walk.arrays.warnings = warnings;
                    scop.under_assumptions = Some(Box::new(assuming));
                }
                diagnostics.append(&mut walk.arrays.warnings);
                return Some(scop);
            }
            Err(Stop::Decline(diagnostic)) => {
                diagnostics.append(&mut walk.declined);
                diagnostics.push(*diagnostic);
                return None;
            }
            Err(Stop::Pin(names)) => {
                let before = pinned.len();
                pinned.extend(names);
                if pinned.len() == before {
                    return None;
                }
            }
        }
    }
}

/// The scop as it reads where the user's assumptions hold, if these show of more subscripts that they stay in rows.
fn under_assumptions(
    site: &Site,
    facts: &Facts,
    pinned: &BTreeSet<String>,
    plain: &Scop,
) -> Option<(Scop, Vec<Diagnostic>)> {
    if plain.assumed.is_empty() {
        return None;
    }
    let mut walk = Lowering { takes_assumptions: true, ..Lowering::new(site, facts, pinned) };
    let mut scop = walk.run().ok()?;
    scop.assumed = assumptions(&scop, &site.options.assume);
    let rows = |scop: &Scop| scop.arrays.iter().filter(|array| array.linearised).count();
    (rows(&scop) > rows(plain)).then_some((scop, walk.arrays.warnings))
}

impl<'a> Lowering<'a> {
    fn new(site: &'a Site<'a>, facts: &'a Facts, pinned: &'a BTreeSet<String>) -> Self {
        Lowering {
            site,
            facts,
            pinned,
            wanted_pins: BTreeSet::new(),
            used_pins: BTreeMap::new(),
            parameters: Vec::new(),
            parameter_variables: HashMap::new(),
            meanings: Vec::new(),
            stand_ins: Vec::new(),
            unread: HashMap::new(),
            loops: Vec::new(),
            loop_count: 0,
            natural_counters: BTreeSet::new(),
            conditions: Vec::new(),
            obligations: Vec::new(),
            subscript_obligations: Vec::new(),
            linear: Noted::new(),
            atoms: Atoms::default(),
            refused_linear: false,
            takes_assumptions: false,
            origin: None,
            arrays: ArrayTable::default(),
            statements: Vec::new(),
            labels: Vec::new(),
            fragments: Vec::new(),
            impure_call: None,
            callees: HashMap::new(),
            followed: HashSet::new(),
            declined: Vec::new(),
            block: None,
            counted: Vec::new(),
            products: Vec::new(),
            computed: Vec::new(),
            computations: Computations::default(),
        }
    }

    fn run(&mut self) -> Lowered<Scop> {
        let body = self.block(self.site.statements)?;
        if let Some(last) = self.declined.pop() {
            return Err(Stop::Decline(Box::new(last)));
        }
        self.delinearise(&body)?;
        self.check_parameters()?;
        let variables: Vec<Option<VariableId>> = self.arrays.entries.iter().map(|entry| entry.variable).collect();
        let mut arrays = self.finish_arrays()?;
        let temporaries = variables.iter().zip(&arrays).filter(|(_, array)| array.is_temporary());
        self.check_shadowing(temporaries.filter_map(|(variable, _)| *variable))?;
        self.name_statements();
        self.oblige_subscripts(&mut arrays);
        let mut facts = self.size_facts(&mut arrays, &variables);
        let surroundings = self.site.options.local.then(|| Box::new(self.surroundings(&mut facts.known)));
        let fragments = std::mem::take(&mut self.fragments).into_iter().map(|s| self.fragment(s)).collect();
        let mut scop = Scop {
            program: None,
            outline: None,
            written: None,
            order: None,
            expanded: None,
            function: self.site.function.name.clone(),
            line: self.site.line,
            span: self.site.span.clone(),
            parameters: self.take_parameters(),
            known: facts.known,
            limits: facts.limits,
            assumed: Vec::new(),
            under_assumptions: None,
            surroundings,
            obligations: std::mem::take(&mut self.obligations),
            pinned: std::mem::take(&mut self.used_pins)
                .into_iter()
                .map(|(name, value)| polyfold_scop::Pinned { name, value })
                .collect(),
            repeats: self.site.repeats,
            outlived: self.outlived(),
            stand_ins: std::mem::take(&mut self.stand_ins),
            lead: self.site.pragmas.lead.clone(),
            arrays,
            statements: std::mem::take(&mut self.statements),
            body,
            fragments,
        };
        scop.program = self.program(&scop);
        scop.outline = Some(self.outline(&scop));
        scop.written = self.written(&scop).filter(|_| scop.program.is_some());
        Ok(scop)
    }

    fn block(&mut self, statements: &'a [Statement]) -> Lowered<Vec<Node>> {
        let depth = self.meanings.len();
        let mut nodes = Vec::new();
        for statement in statements {
            let outside = (self.meanings.len(), self.loops.len(), self.conditions.len(), self.origin.clone());
            match self.statement(statement, None, 0) {
                Ok(own) => nodes.extend(own),
                // What hides behind the first obstacle is shown, too; but a variable whose declaration is one would be met again and again.
                Err(Stop::Decline(why)) if !is_declaration(statement) && self.declined.len() + 1 < MOST_DECLINED => {
                    self.declined.push(*why);
                    self.meanings.truncate(outside.0);
                    self.loops.truncate(outside.1);
                    self.conditions.truncate(outside.2);
                    self.origin = outside.3;
                }
                Err(stop) => return Err(stop),
            }
        }
        self.meanings.truncate(depth);
        Ok(nodes)
    }

    /// Ends the walk if it asked for a constant's value.
    fn check_pins(&mut self) -> Lowered<()> {
        match self.wanted_pins.is_empty() {
            true => Ok(()),
            false => Err(Stop::Pin(std::mem::take(&mut self.wanted_pins))),
        }
    }

    /// A variable bound that a pointer to its type could change makes the scop undecidable, if its address is taken.
    fn check_pointed_parameters(&mut self) -> Lowered<()> {
        let writes = self.statements.iter().flat_map(|s| s.accesses.iter().map(move |access| (s, access)));
        for (statement, access) in writes.filter(|(_, access)| access.is_write()) {
            let pointer = self.arrays.entries[access.array.0].variable;
            let Some(pointer) = pointer.filter(|id| leads_anywhere(self.site, self.facts, *id)) else { continue };
            let pointer = &self.site.unit.variables[pointer];
            for variable in self.parameter_variables.values() {
                let declared = &self.site.unit.variables[*variable];
                let is_alike = pointer.scalar.bytes() == declared.scalar.bytes();
                if self.facts.address_taken.contains(variable) && is_alike {
                    let (name, own) = (&declared.name, &pointer.name);
                    let message = format!("`{own}` might lead to `{name}`, which is used as a size or a value");
                    let mut told =
                        Diagnostic::warning(Code::SizeMayChange, message, statement.span.clone()).label("written here");
                    told = told.help(format!("copy `{name}` into a local variable before the scop"));
                    return Err(Stop::Decline(Box::new(told)));
                }
            }
        }
        Ok(())
    }

    /// A variable bound that a function with unknown effects could change makes the scop undecidable.
    fn check_parameters(&mut self) -> Lowered<()> {
        self.check_pointed_parameters()?;
        let Some((callee, span)) = self.impure_call.clone() else { return Ok(()) };
        for id in 0..self.parameters.len() {
            let Some(variable) = self.parameter_variables.get(&ParameterId(id)) else { continue };
            let declared = &self.site.unit.variables[*variable];
            let outlives = matches!(declared.storage, Storage::Global | Storage::StaticLocal) && !declared.is_const();
            if outlives || self.facts.address_taken.contains(variable) {
                let message =
                    format!("`{callee}` might change `{}`, which is used in bounds or subscripts", declared.name);
                let help = format!("copy `{}` into a local variable before the scop", declared.name);
                return Err(self.decline(Code::SizeMayChange, message, &span, "called here", &help));
            }
        }
        Ok(())
    }

    /// Whether the compiler reads the file as C++.
    fn is_cpp(&self) -> bool {
        self.site.table.object("__cplusplus").is_some()
    }

    fn decline(&self, code: Code, message: String, span: &Span, label: &str, help: &str) -> Stop {
        let mut diagnostic = Diagnostic::warning(code, message, self.site.expanded.to_file(span)).label(label);
        if !help.is_empty() {
            diagnostic = diagnostic.help(help);
        }
        Stop::Decline(Box::new(diagnostic))
    }

    /// What a loop counter or substituted local means here.
    fn meaning(&self, variable: VariableId) -> Option<&Meaning> {
        self.meanings.iter().rev().find(|(v, _)| *v == variable).map(|(_, meaning)| meaning)
    }

    fn line(&self, span: &Span) -> usize {
        polyfold_c::source::line_of(self.site.source, self.site.expanded.to_file(span).start)
    }

    fn fragment_id(&mut self, segment: usize) -> FragmentId {
        let known = self.fragments.iter().position(|&s| s == segment);
        FragmentId(known.unwrap_or_else(|| {
            self.fragments.push(segment);
            self.fragments.len() - 1
        }))
    }
}
