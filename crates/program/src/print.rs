//! The textual form of programs.
//!
//! ```text
//! for i = 0 while i < n step 1
//!   before S0(i)
//!   where p >= 0
//!   congruent(p, i, 2)
//!   pointing q = &W[p]
//! {
//!   S0(i): W[i mod 2] = A[i];
//! }
//! ```
//!
//! `in A[n][m];` is an array of rows. `in A[?, m];` has one subscript for both dimensions in C, and nobody says how many rows
//! there are. What C holds a counter or a size in may be said, `n: i32`, with the most that it is taken to be: `N: i32 to 1000`. A
//! buffer may say where its memory comes from: `temporary W[n] stack;`. Its elements may have a type, as C writes it and as it is:
//! `in "size_t": u64 A[n];`, `in "real": f64 B[n];`.
//!
//! An integer in a value has the type that C gives it by what its parts are held in. Where it has another one, that is said: in
//! `x * (1 as u32)`, the 1 is `unsigned`.
//!
//! Invariant: what is printed reads back as the same program ([`Program::read`]).

use crate::tokens::{is_bare, quoted};
use crate::{
    Assign, Cond, Copy, Home, Int, IntOp, IntType, Layout, Level, LocalId, LocalKind, LocalValue, Loop, Moment, Op,
    Opaque, Operand, Parameter, Place, Program, Region, Role, Stmt, Touched, Value,
};
use std::fmt::{self, Display, Formatter};

impl Display for Program {
    fn fmt(&self, f: &mut Formatter) -> fmt::Result {
        let most = |most: Option<i64>| most.map_or(String::new(), |most| format!(" to {most}"));
        let parameter = |own: &Parameter| format!("{}{}{}", own.name, held(own.held), most(own.most));
        let names: Vec<String> = self.parameters.iter().map(parameter).collect();
        write!(f, "program {}({})", self.name, names.join(", "))?;
        let printer = Printer { program: self };
        if !self.context.is_empty() {
            write!(f, " where {}", printer.conds(&self.context))?;
        }
        writeln!(f, " {{")?;
        for buffer in &self.buffers {
            let role = match buffer.role {
                Role::In => "in",
                Role::Out => "out",
                Role::InOut => "inout",
                Role::Temporary => "temporary",
            };
            let extent = |e: &Option<Int>| e.as_ref().map_or("?".to_string(), |e| printer.int(e, Level::Whole));
            let extents: Vec<String> = buffer.extents.iter().map(extent).collect();
            let extents = match buffer.layout.is_flat() {
                true => format!("[{}]", extents.join(", ")),
                false => extents.iter().map(|extent| format!("[{extent}]")).collect(),
            };
            let element = match &buffer.element {
                own if own.is_empty() => String::new(),
                own => format!(" \"{own}\"{}", own.kind.map_or(String::new(), |kind| format!(": {}", kind.name()))),
            };
            let narrow = if buffer.layout == Layout::NarrowFlat { " narrow" } else { "" };
            let word = Home::WORDS.into_iter().find(|(home, _)| *home == buffer.home).map_or("", |(_, word)| word);
            let home = if word.is_empty() { String::new() } else { format!(" {word}") };
            writeln!(f, "  {role}{element} {}{extents}{narrow}{home};", buffer.name)?;
        }
        if !self.buffers.is_empty() && !self.body.is_empty() {
            writeln!(f)?;
        }
        let mut text = String::new();
        printer.list(&self.body, 1, &mut text);
        writeln!(f, "{text}}}")
    }
}

impl Program {
    /// An integer by the program's names.
    pub fn text_of(&self, e: &Int) -> String {
        Printer { program: self }.int(e, Level::Whole)
    }

    /// A condition by the program's names.
    pub fn text_of_cond(&self, cond: &Cond) -> String {
        Printer { program: self }.cond(cond, Level::Whole)
    }
}

fn held(own: Option<IntType>) -> String {
    own.map_or(String::new(), |own| format!(": {}", own.name()))
}

struct Printer<'a> {
    program: &'a Program,
}

impl Printer<'_> {
    fn list(&self, body: &[Stmt], depth: usize, text: &mut String) {
        body.iter().for_each(|stmt| self.stmt(stmt, depth, text));
    }

    fn stmt(&self, stmt: &Stmt, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let line = match stmt {
            Stmt::For(own) => return self.for_(own, depth, text),
            Stmt::If { cond, then, other } => {
                text.push_str(&format!("{indent}if ({}) {{\n", self.cond(cond, Level::Whole)));
                self.list(then, depth + 1, text);
                if !other.is_empty() {
                    text.push_str(&format!("{indent}}} else {{\n"));
                    self.list(other, depth + 1, text);
                }
                text.push_str(&format!("{indent}}}\n"));
                return;
            }
            Stmt::Assign(Assign { statement, at, declares, target, value }) => {
                let (target, value) = (self.place(target), self.value(value, Level::Whole));
                let word = if *declares { "let " } else { "" };
                format!("{}({}): {word}{target} = {value};", self.program.statements[statement.0], self.ints(at))
            }
            Stmt::Let { local, value } => {
                let kind = match self.program.locals[local.0].kind {
                    LocalKind::Integer => "int",
                    LocalKind::Pointer => "pointer",
                };
                format!("{kind} {} = {};", self.begun(*local), self.local_value(value))
            }
            Stmt::Set { local, value } => format!("{} = {};", self.local(*local), self.local_value(value)),
            Stmt::Copy(Copy { declares, to, from, tag }) => {
                let word = if *declares { "let " } else { "" };
                let tag = tag.as_ref().map_or(String::new(), |tag| format!(" on {}", self.int(tag, Level::Whole)));
                format!("copy {word}{} = {}{tag};", self.region(to), self.region(from))
            }
            Stmt::Wait(tag) => format!("wait {};", self.int(tag, Level::Whole)),
            Stmt::With(own) => {
                let names: Vec<&str> = own.buffers.iter().map(|id| &*self.program.buffers[id.0].name).collect();
                let names = if names.is_empty() { String::new() } else { format!(" {}", names.join(", ")) };
                let known =
                    if own.known.is_empty() { String::new() } else { format!(" where {}", self.conds(&own.known)) };
                text.push_str(&format!("{indent}with{names}{known} {{\n"));
                self.list(&own.body, depth + 1, text);
                text.push_str(&format!("{indent}}}\n"));
                return;
            }
            Stmt::Opaque(Opaque { statement, at, text, operands, has_effects }) => {
                let all: Vec<String> = operands.iter().map(|own| self.operand(own)).collect();
                let of = if all.is_empty() { String::new() } else { format!(" of ({})", all.join(", ")) };
                let (name, at) = (&self.program.statements[statement.0], self.ints(at));
                let effects = if *has_effects { " with effects" } else { "" };
                format!("{name}({at}): opaque {}{of}{effects};", quoted(text))
            }
        };
        text.push_str(&format!("{indent}{line}\n"));
    }

    fn operand(&self, own: &Operand) -> String {
        match own {
            Operand::Integer(e) => self.int(e, Level::Whole),
            Operand::Cell(Touched { place, is_read, is_written, in_call }) => {
                let words = [(*in_call, "call "), (*is_read, "read "), (*is_written, "write ")];
                let words: String = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).collect();
                format!("{words}{}", self.place(place))
            }
        }
    }

    fn for_(&self, own: &Loop, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let words = [(own.parallel, "parallel "), (own.vector, "vector ")];
        let word: String = words.into_iter().filter(|(is_so, _)| *is_so).map(|(_, word)| word).chain(["for"]).collect();
        let first = own.first.as_ref().map_or(String::new(), |e| format!(" = {}", self.int(e, Level::Whole)));
        let step = own.step.map_or(String::new(), |step| format!(" step {step}"));
        let test = self.cond(&own.test, Level::Whole);
        let declares = if own.declares { "let " } else { "" };
        text.push_str(&format!("{indent}{word} {declares}{}{first} while {test}{step}", self.begun(own.counter)));
        let mut clauses = Vec::new();
        if let Some(Moment { statement, at }) = &own.invariant.before {
            clauses.push(format!("before {}({})", self.program.statements[statement.0], self.ints(at)));
        }
        if !own.invariant.ranges.is_empty() {
            clauses.push(format!("where {}", self.conds(&own.invariant.ranges)));
        }
        for congruence in &own.invariant.congruences {
            let [local, form, modulus] = [&congruence.local, &congruence.form, &congruence.modulus];
            let all = [local, form, modulus].map(|e| self.int(e, Level::Whole)).join(", ");
            clauses.push(format!("congruent({all})"));
        }
        for (pointer, place) in &own.invariant.addresses {
            clauses.push(format!("pointing {} = {}", self.local(*pointer), self.address(place)));
        }
        let all: String = clauses.iter().map(|clause| format!("\n{indent}  {clause}")).collect();
        let open = if all.is_empty() { " {\n".to_string() } else { format!("{all}\n{indent}{{\n") };
        text.push_str(&open);
        self.list(&own.body, depth + 1, text);
        text.push_str(&format!("{indent}}}\n"));
    }

    /// A local where it gets its first value.
    fn begun(&self, id: LocalId) -> String {
        format!("{}{}", self.local(id), held(self.program.locals[id.0].held))
    }

    fn local(&self, id: LocalId) -> &str {
        &self.program.locals[id.0].name
    }

    fn local_value(&self, value: &LocalValue) -> String {
        match value {
            LocalValue::Integer(e) => self.int(e, Level::Whole),
            LocalValue::Address(place) => self.address(place),
        }
    }

    fn address(&self, place: &Place) -> String {
        match place {
            Place::Select(cond, yes, no) => {
                format!("({} ? {} : {})", self.cond(cond, Level::Or), self.address(yes), self.address(no))
            }
            other => format!("&{}", self.place(other)),
        }
    }

    fn region(&self, region: &Region) -> String {
        let range = |range: &crate::Range| {
            let (first, count) = (self.int(&range.first, Level::Or), self.int(&range.count, Level::Or));
            format!("[{first} : {count}]")
        };
        let ranges: String = region.ranges.iter().map(range).collect();
        format!("{}{ranges}", self.program.buffers[region.buffer.0].name)
    }

    fn ints(&self, all: &[Int]) -> String {
        let all: Vec<String> = all.iter().map(|e| self.int(e, Level::Whole)).collect();
        all.join(", ")
    }

    fn conds(&self, all: &[Cond]) -> String {
        let all: Vec<String> = all.iter().map(|cond| self.cond(cond, Level::Or)).collect();
        all.join(", ")
    }

    fn int(&self, e: &Int, needed: Level) -> String {
        match e {
            Int::Constant(value) if *value < 0 => Level::Unary.within(needed, value.to_string()),
            Int::Constant(value) => value.to_string(),
            Int::Parameter(id) => self.program.parameters[id.0].name.clone(),
            Int::Local(id) => self.local(*id).to_string(),
            Int::Data(value) => self.value(value, needed),
            Int::Select(cond, yes, no) => {
                let (cond, yes) = (self.cond(cond, Level::Or), self.int(yes, Level::Whole));
                format!("({cond} ? {yes} : {})", self.int(no, Level::Whole))
            }
            Int::Binary(op, left, right) => {
                let (sign, level) = match op {
                    IntOp::Minimum | IntOp::Maximum => {
                        let word = if *op == IntOp::Minimum { "min" } else { "max" };
                        let all = [left, right].map(|e| self.int(e, Level::Whole)).join(", ");
                        return format!("{word}({all})");
                    }
                    IntOp::Add => ("+", Level::Sum),
                    IntOp::Subtract => ("-", Level::Sum),
                    IntOp::Multiply => ("*", Level::Product),
                    IntOp::FloorDivide => ("div", Level::Product),
                    IntOp::FloorModulo => ("mod", Level::Product),
                    IntOp::Divide => ("/", Level::Product),
                    IntOp::Remainder => ("%", Level::Product),
                };
                // `(i mod 2) * n` reads better than `i mod 2 * n`.
                let is_rest = matches!(**left, Int::Binary(IntOp::FloorModulo | IntOp::Remainder, ..));
                let first = if *op == IntOp::Multiply && is_rest { Level::Unary } else { level };
                let (left, right) = (self.int(left, first), self.int(right, level.inside()));
                level.within(needed, format!("{left} {sign} {right}"))
            }
        }
    }

    fn cond(&self, cond: &Cond, needed: Level) -> String {
        match cond {
            Cond::Compare(relation, left, right) => {
                let sign = relation.sign();
                let (left, right) = (self.int(left, Level::Sum), self.int(right, Level::Sum));
                Level::Comparison.within(needed, format!("{left} {sign} {right}"))
            }
            Cond::And(left, right) => {
                let text = format!("{} && {}", self.cond(left, Level::And), self.cond(right, Level::And.inside()));
                Level::And.within(needed, text)
            }
            Cond::Or(left, right) => {
                let text = format!("{} || {}", self.cond(left, Level::Or), self.cond(right, Level::Or.inside()));
                Level::Or.within(needed, text)
            }
            Cond::Not(inner) => format!("!({})", self.cond(inner, Level::Whole)),
            Cond::Data(value) => self.value(value, needed),
        }
    }

    fn place(&self, place: &Place) -> String {
        match place {
            Place::Cell { buffer, index } => {
                format!("{}{}", self.program.buffers[buffer.0].name, self.subscripts(index))
            }
            Place::Through { pointer, index } => format!("{}{}", self.local(*pointer), self.subscripts(index)),
            Place::Select(cond, yes, no) => {
                format!("({} ? {} : {})", self.cond(cond, Level::Or), self.place(yes), self.place(no))
            }
        }
    }

    fn subscripts(&self, index: &[Int]) -> String {
        index.iter().map(|e| format!("[{}]", self.int(e, Level::Whole))).collect()
    }

    fn value(&self, value: &Value, needed: Level) -> String {
        match value {
            Value::Read(place) => self.place(place),
            Value::Integer(e, held) if self.program.type_of(e) == *held => self.int(e, needed),
            Value::Integer(e, held) => format!("({} as {})", self.int(e, Level::Whole), held.name()),
            Value::Choice(cond, yes, no) => {
                let (cond, yes) = (self.cond(cond, Level::Or), self.value(yes, Level::Whole));
                format!("({cond} ? {yes} : {})", self.value(no, Level::Whole))
            }
            Value::Apply(op, operands) => self.apply(op, operands, needed),
        }
    }

    fn apply(&self, op: &Op, operands: &[Value], needed: Level) -> String {
        let arguments = || operands.iter().map(|e| self.value(e, Level::Whole)).collect::<Vec<_>>().join(", ");
        match (op, operands) {
            (Op::Negate, [operand]) => Level::Unary.within(needed, format!("-({})", self.value(operand, Level::Whole))),
            (Op::Not, [operand]) => format!("!({})", self.value(operand, Level::Whole)),
            (Op::Call(name), _) => format!("{name}({})", arguments()),
            (Op::Volatile, _) => format!("volatile({})", arguments()),
            (Op::Select(of), _) => format!("select_{}({})", of.name(), arguments()),
            (Op::Leaf(text), []) if is_bare(text) => text.clone(),
            (Op::Leaf(text), []) => quoted(text),
            (Op::Leaf(text), _) => format!("{}({})", quoted(text), arguments()),
            (_, [left, right]) => {
                let level = op.level();
                // Two comparisons don't stand side by side.
                let first = if level == Level::Comparison { level.inside() } else { level };
                let (left, right) = (self.value(left, first), self.value(right, level.inside()));
                level.within(needed, format!("{left} {} {right}", op.infix().unwrap_or("?")))
            }
            _ => format!("\"{}\"({})", op.infix().unwrap_or("?"), arguments()),
        }
    }
}
