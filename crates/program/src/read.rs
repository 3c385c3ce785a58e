//! Reads the textual form of programs (see [`Program`]'s `Display` for what it looks like).
//!
//! In two steps: a text becomes expressions with names, and these become integers, conditions,
//! places or values, by what the names stand for and where they stand. A name stands for one thing
//! in the whole program; counters and other locals are known from where they first get a value.

use crate::tokens::{Kind, Token, tokens};
use crate::{
    Assign, Buffer, BufferId, Cond, Congruence, Copy, Element, Home, Int, IntOp, IntType, Invariant, Layout, Local,
    LocalId, LocalKind, LocalValue, Loop, Moment, Op, Opaque, Operand, Parameter, Place, Program, Range, Real, Region,
    Relation, Role, Scalar, StatementId, Stmt, Touched, Value, With,
};

/// A text that is no program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl std::fmt::Display for ReadError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for ReadError {}

type Result<T> = std::result::Result<T, ReadError>;

impl Program {
    /// Reads one program.
    ///
    /// # Errors
    /// With the line, if the text is no program.
    pub fn read(text: &str) -> Result<Program> {
        let mut all = Program::read_all(text)?;
        match all.len() {
            1 => Ok(all.remove(0)),
            count => Err(ReadError { line: 1, message: format!("one program is wanted, not {count}") }),
        }
    }

    /// Reads all programs of a text, one behind the other.
    ///
    /// # Errors
    /// With the line, if something is no program.
    pub fn read_all(text: &str) -> Result<Vec<Program>> {
        let tokens = tokens(text)?;
        let (mut at, mut found) = (0, Vec::new());
        while tokens[at].kind != Kind::End {
            let mut reader = Reader { tokens: &tokens, at, program: empty() };
            reader.program()?;
            at = reader.at;
            found.push(reader.program);
        }
        Ok(found)
    }
}

fn empty() -> Program {
    Program {
        name: String::new(),
        parameters: Vec::new(),
        context: Vec::new(),
        buffers: Vec::new(),
        locals: Vec::new(),
        statements: Vec::new(),
        body: Vec::new(),
    }
}

/// An expression whose names aren't looked up yet.
#[derive(Clone, Debug)]
enum Raw {
    Number(i64),
    Leaf(String, Vec<Raw>),
    Name(String, Vec<Raw>),
    Call(String, Vec<Raw>),
    Binary(String, Box<Raw>, Box<Raw>),
    Unary(char, Box<Raw>),
    Choice(Box<[Raw; 3]>),
    As(Box<Raw>, IntType),
}

struct Reader<'a> {
    tokens: &'a [Token],
    at: usize,
    program: Program,
}

/// Signs of two operands, loosest first.
const LEVELS: [&[&str]; 5] =
    [&["||"], &["&&"], &["<", "<=", ">", ">=", "==", "!="], &["+", "-"], &["*", "/", "%", "mod", "div"]];

impl Reader<'_> {
    fn now(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn wrong<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(ReadError { line: self.now().line, message: message.into() })
    }

    fn is(&self, text: &str) -> bool {
        let now = self.now();
        now.text == text && matches!(now.kind, Kind::Word | Kind::Sign)
    }

    fn take(&mut self, text: &str) -> bool {
        let is = self.is(text);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, text: &str) -> Result<()> {
        if self.take(text) {
            Ok(())
        } else {
            self.wrong(format!("`{text}` is missing in front of `{}`", self.now().text))
        }
    }

    fn of_kind(&mut self, kind: Kind, what: &str) -> Result<String> {
        let now = self.now().clone();
        if now.kind != kind {
            return self.wrong(format!("{what} is missing in front of `{}`", now.text));
        }
        self.at += 1;
        Ok(now.text)
    }

    fn name(&mut self) -> Result<String> {
        self.of_kind(Kind::Word, "a name")
    }

    /// One or more, with commas between them.
    fn several<T>(&mut self, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.take(",") {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// As [`Reader::several`], or none in front of a sign.
    fn several_or_none<T>(&mut self, end: &str, one: impl Fn(&mut Self) -> Result<T>) -> Result<Vec<T>> {
        if self.is(end) { Ok(Vec::new()) } else { self.several(one) }
    }

    fn program(&mut self) -> Result<()> {
        self.expect("program")?;
        self.program.name = self.name()?;
        self.expect("(")?;
        let parameters = self.several_or_none(")", Self::parameter)?;
        for parameter in parameters {
            self.is_new(&parameter.name)?;
            self.program.parameters.push(parameter);
        }
        self.expect(")")?;
        if self.take("where") {
            self.program.context = self.several(Self::cond)?;
        }
        self.expect("{")?;
        while let Some(role) = self.role() {
            self.buffer(role)?;
        }
        self.program.body = self.list()?;
        Ok(())
    }

    fn parameter(&mut self) -> Result<Parameter> {
        let (name, held) = (self.name()?, self.held()?);
        let most = if self.take("to") { Some(self.number()?) } else { None };
        Ok(Parameter { name, held, most })
    }

    /// `: i32`, if something is said.
    fn held(&mut self) -> Result<Option<IntType>> {
        if !self.take(":") {
            return Ok(None);
        }
        let name = self.name()?;
        IntType::of_name(&name).map_or_else(|| self.wrong(format!("`{name}` is no type")), |own| Ok(Some(own)))
    }

    /// `: f64`, if something is said.
    fn kind(&mut self) -> Result<Option<Scalar>> {
        if !self.take(":") {
            return Ok(None);
        }
        let name = self.name()?;
        Scalar::of_name(&name).map_or_else(|| self.wrong(format!("`{name}` is no type")), |own| Ok(Some(own)))
    }

    fn role(&mut self) -> Option<Role> {
        let roles = [("in", Role::In), ("out", Role::Out), ("inout", Role::InOut), ("temporary", Role::Temporary)];
        roles.into_iter().find(|(word, _)| self.take(word)).map(|(_, role)| role)
    }

    fn buffer(&mut self, role: Role) -> Result<()> {
        let element = match self.now().kind {
            Kind::Leaf => Element { text: self.of_kind(Kind::Leaf, "a type")?, kind: self.kind()? },
            _ => Element::default(),
        };
        let name = self.name()?;
        self.is_new(&name)?;
        let (mut extents, mut layout) = (Vec::new(), Layout::Rows);
        while self.take("[") {
            extents.push(self.extent()?);
            while self.take(",") {
                layout = Layout::Flat;
                extents.push(Some(self.int()?));
            }
            self.expect("]")?;
        }
        if layout.is_flat() && self.take("narrow") {
            layout = Layout::NarrowFlat;
        }
        let home = Home::WORDS.into_iter().find(|(_, word)| self.take(word)).map_or(Home::Outside, |(home, _)| home);
        self.expect(";")?;
        self.program.buffers.push(Buffer { name, role, extents, layout, home, element });
        Ok(())
    }

    fn extent(&mut self) -> Result<Option<Int>> {
        if self.take("?") { Ok(None) } else { self.int().map(Some) }
    }

    fn is_new(&self, name: &str) -> Result<()> {
        let program = &self.program;
        if program.buffer(name).is_some() || program.parameter(name).is_some() || self.local(name).is_some() {
            return self.wrong(format!("`{name}` is something else already"));
        }
        Ok(())
    }

    fn local(&self, name: &str) -> Option<LocalId> {
        self.program.locals.iter().position(|local| local.name == name).map(LocalId)
    }

    /// What a loop that goes on with a name says of its type. `None`: there is no such loop.
    fn counts_later(&self, name: &str) -> Option<Option<IntType>> {
        let mut heads = self.tokens[self.at..].windows(4);
        let head = heads.find(|head| head[0].text == "for" && head[1].text == name)?;
        Some(IntType::of_name(&head[3].text).filter(|_| head[2].text == ":"))
    }

    /// A counter that is declared in front of the program.
    fn counter_in_front(&mut self, name: &str) -> Result<LocalId> {
        let Some(held) = self.counts_later(name) else {
            return self.wrong(format!("`{name}` is no local: a statement of the source begins as `S0(i): `"));
        };
        let local = self.local_of_kind(name, LocalKind::Integer)?;
        self.program.locals[local.0].held = held;
        Ok(local)
    }

    /// A local that gets a value: one of this name and kind, or a new one.
    fn local_of_kind(&mut self, name: &str, kind: LocalKind) -> Result<LocalId> {
        if let Some(id) = self.local(name) {
            let has_kind = self.program.locals[id.0].kind == kind;
            return if has_kind { Ok(id) } else { self.wrong(format!("`{name}` is of another kind")) };
        }
        self.is_new(name)?;
        self.program.locals.push(Local { name: name.to_string(), kind, held: None });
        Ok(LocalId(self.program.locals.len() - 1))
    }

    /// An integer that gets a value, with its type where it is said.
    fn integer(&mut self) -> Result<LocalId> {
        let name = self.name()?;
        let local = self.local_of_kind(&name, LocalKind::Integer)?;
        if let Some(held) = self.held()? {
            self.program.locals[local.0].held = Some(held);
        }
        Ok(local)
    }

    /// Statements up to a brace.
    fn list(&mut self) -> Result<Vec<Stmt>> {
        let mut all = Vec::new();
        while !self.take("}") {
            all.push(self.stmt()?);
        }
        Ok(all)
    }

    fn block(&mut self) -> Result<Vec<Stmt>> {
        self.expect("{")?;
        self.list()
    }

    fn stmt(&mut self) -> Result<Stmt> {
        let (parallel, vector) = (self.take("parallel"), self.take("vector"));
        if parallel || vector {
            self.expect("for")?;
            return self.for_(parallel, vector);
        }
        if self.take("for") {
            return self.for_(false, false);
        }
        if self.take("if") {
            self.expect("(")?;
            let cond = self.cond()?;
            self.expect(")")?;
            let then = self.block()?;
            let other = if self.take("else") { self.block()? } else { Vec::new() };
            return Ok(Stmt::If { cond, then, other });
        }
        if self.take("with") {
            let is_bare = self.is("where") || self.is("{");
            let buffers = if is_bare { Vec::new() } else { self.several(Self::known_buffer)? };
            let known = if self.take("where") { self.several(Self::cond)? } else { Vec::new() };
            return Ok(Stmt::With(With { buffers, known, body: self.block()? }));
        }
        let stmt = if self.take("copy") {
            let declares = self.take("let");
            let to = self.region()?;
            self.expect("=")?;
            let from = self.region()?;
            let tag = if self.take("on") { Some(self.int()?) } else { None };
            Stmt::Copy(Copy { declares, to, from, tag })
        } else if self.take("wait") {
            Stmt::Wait(self.int()?)
        } else if self.is("int") || self.is("pointer") {
            let kind = if self.is("int") { LocalKind::Integer } else { LocalKind::Pointer };
            self.at += 1;
            let local = match kind {
                LocalKind::Integer => self.integer()?,
                LocalKind::Pointer => {
                    let name = self.name()?;
                    self.local_of_kind(&name, kind)?
                }
            };
            self.expect("=")?;
            Stmt::Let { local, value: self.local_value(kind)? }
        } else if self.tokens.get(self.at + 1).is_some_and(|next| next.text == "(") {
            self.instance()?
        } else {
            let name = self.name()?;
            let local = match self.local(&name) {
                Some(local) => local,
                None => self.counter_in_front(&name)?,
            };
            self.expect("=")?;
            Stmt::Set { local, value: self.local_value(self.program.locals[local.0].kind)? }
        };
        self.expect(";")?;
        Ok(stmt)
    }

    fn statement(&mut self) -> Result<StatementId> {
        let name = self.name()?;
        Ok(self.program.statement(&name).unwrap_or_else(|| {
            self.program.statements.push(name);
            StatementId(self.program.statements.len() - 1)
        }))
    }

    fn instance(&mut self) -> Result<Stmt> {
        let Moment { statement, at } = self.moment()?;
        self.expect(":")?;
        if self.take("opaque") {
            let text = self.of_kind(Kind::Leaf, "a text in quotes")?;
            let mut operands = Vec::new();
            if self.take("of") {
                self.expect("(")?;
                operands = self.several_or_none(")", Self::operand)?;
                self.expect(")")?;
            }
            let has_effects = self.take("with");
            if has_effects {
                self.expect("effects")?;
            }
            return Ok(Stmt::Opaque(Opaque { statement, at, text, operands, has_effects }));
        }
        let declares = self.take("let");
        let target = self.place()?;
        self.expect("=")?;
        let raw = self.raw()?;
        Ok(Stmt::Assign(Assign { statement, at, declares, target, value: self.as_value(&raw)? }))
    }

    fn operand(&mut self) -> Result<Operand> {
        let words = ["call", "read", "write"].map(|word| self.take(word));
        match words {
            [false, false, false] => Ok(Operand::Integer(self.int()?)),
            [in_call, is_read, is_written] => {
                Ok(Operand::Cell(Touched { place: self.place()?, is_read, is_written, in_call }))
            }
        }
    }

    fn moment(&mut self) -> Result<Moment> {
        let statement = self.statement()?;
        self.expect("(")?;
        let at = self.several_or_none(")", Self::int)?;
        self.expect(")")?;
        Ok(Moment { statement, at })
    }

    fn for_(&mut self, parallel: bool, vector: bool) -> Result<Stmt> {
        let declares = self.take("let");
        let counter = self.integer()?;
        let first = if self.take("=") { Some(self.int()?) } else { None };
        self.expect("while")?;
        let test = self.cond()?;
        let step = if self.take("step") { Some(self.number()?) } else { None };
        let mut invariant = Invariant::default();
        loop {
            if self.take("before") {
                invariant.before = Some(self.moment()?);
            } else if self.take("where") {
                invariant.ranges.extend(self.several(Self::cond)?);
            } else if self.take("congruent") {
                self.expect("(")?;
                let all = self.several(Self::int)?;
                let Ok([local, form, modulus]) = <[Int; 3]>::try_from(all) else {
                    return self.wrong("`congruent` has a local, a form and a modulus");
                };
                self.expect(")")?;
                invariant.congruences.push(Congruence { local, form, modulus });
            } else if self.take("pointing") {
                let name = self.name()?;
                let pointer = self.local_of_kind(&name, LocalKind::Pointer)?;
                self.expect("=")?;
                invariant.addresses.push((pointer, self.address()?));
            } else {
                break;
            }
        }
        Ok(Stmt::For(Loop { counter, declares, first, test, step, parallel, vector, invariant, body: self.block()? }))
    }

    fn number(&mut self) -> Result<i64> {
        let int = self.int()?;
        int.as_constant().map_or_else(|| self.wrong("a number is wanted"), Ok)
    }

    fn local_value(&mut self, kind: LocalKind) -> Result<LocalValue> {
        Ok(match kind {
            LocalKind::Integer => LocalValue::Integer(self.int()?),
            LocalKind::Pointer => LocalValue::Address(self.address()?),
        })
    }

    fn address(&mut self) -> Result<Place> {
        if self.take("&") {
            return self.place();
        }
        self.expect("(")?;
        let cond = self.raw_at(0)?;
        let cond = self.as_cond(&cond)?;
        self.expect("?")?;
        let yes = self.address()?;
        self.expect(":")?;
        let no = self.address()?;
        self.expect(")")?;
        Ok(Place::Select(Box::new(cond), Box::new(yes), Box::new(no)))
    }

    fn known_buffer(&mut self) -> Result<BufferId> {
        let name = self.name()?;
        self.program.buffer(&name).map_or_else(|| self.wrong(format!("`{name}` is no buffer")), Ok)
    }

    fn region(&mut self) -> Result<Region> {
        let buffer = self.known_buffer()?;
        let mut ranges = Vec::new();
        while self.take("[") {
            let first = self.raw_at(0)?;
            self.expect(":")?;
            let count = self.raw_at(0)?;
            self.expect("]")?;
            ranges.push(Range { first: self.as_int(&first)?, count: self.as_int(&count)? });
        }
        self.has_dimensions(buffer, ranges.len())?;
        Ok(Region { buffer, ranges })
    }

    fn has_dimensions(&self, buffer: BufferId, count: usize) -> Result<()> {
        let Buffer { name, extents, .. } = &self.program.buffers[buffer.0];
        if extents.len() == count {
            return Ok(());
        }
        self.wrong(format!("`{name}` has {} dimensions, not {count}", extents.len()))
    }

    fn int(&mut self) -> Result<Int> {
        let raw = self.raw()?;
        self.as_int(&raw)
    }

    fn cond(&mut self) -> Result<Cond> {
        let raw = self.raw()?;
        self.as_cond(&raw)
    }

    fn place(&mut self) -> Result<Place> {
        let raw = self.raw()?;
        self.as_place(&raw)
    }

    fn raw(&mut self) -> Result<Raw> {
        let cond = self.raw_at(0)?;
        if !self.take("?") {
            return Ok(cond);
        }
        let yes = self.raw()?;
        self.expect(":")?;
        Ok(Raw::Choice(Box::new([cond, yes, self.raw()?])))
    }

    /// Operands joined by signs of a level, or of tighter ones.
    fn raw_at(&mut self, level: usize) -> Result<Raw> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.raw_at(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.is(sign)) {
            self.at += 1;
            left = Raw::Binary((*sign).to_string(), Box::new(left), Box::new(self.raw_at(level + 1)?));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Raw> {
        for sign in ['-', '!'] {
            if self.take(&sign.to_string()) {
                return Ok(match (sign, self.unary()?) {
                    ('-', Raw::Number(number)) => Raw::Number(-number),
                    (_, operand) => Raw::Unary(sign, Box::new(operand)),
                });
            }
        }
        self.primary()
    }

    fn primary(&mut self) -> Result<Raw> {
        if self.take("(") {
            let mut inner = self.raw()?;
            if self.take("as") {
                let name = self.name()?;
                let Some(own) = IntType::of_name(&name) else { return self.wrong(format!("`{name}` is no type")) };
                inner = Raw::As(Box::new(inner), own);
            }
            self.expect(")")?;
            return Ok(inner);
        }
        match self.now().kind {
            Kind::Integer => {
                let text = self.of_kind(Kind::Integer, "a number")?;
                text.parse().map_or_else(|_| self.wrong(format!("`{text}` is past 64 bits")), |n| Ok(Raw::Number(n)))
            }
            Kind::Leaf => {
                let text = self.of_kind(Kind::Leaf, "a text")?;
                Ok(Raw::Leaf(text, self.arguments()?.unwrap_or_default()))
            }
            _ => {
                let name = self.name()?;
                if let Some(arguments) = self.arguments()? {
                    return Ok(Raw::Call(name, arguments));
                }
                let mut index = Vec::new();
                while self.take("[") {
                    index.push(self.raw()?);
                    self.expect("]")?;
                }
                Ok(Raw::Name(name, index))
            }
        }
    }

    fn arguments(&mut self) -> Result<Option<Vec<Raw>>> {
        if !self.take("(") {
            return Ok(None);
        }
        let all = self.several_or_none(")", Self::raw)?;
        self.expect(")")?;
        Ok(Some(all))
    }

    fn as_int(&self, raw: &Raw) -> Result<Int> {
        match self.as_value(raw)? {
            Value::Integer(int, _) => Ok(int),
            _ => self.wrong("an integer is wanted here, and data stand here"),
        }
    }

    fn as_subscript(&self, raw: &Raw) -> Result<Int> {
        Ok(match self.as_value(raw)? {
            Value::Integer(int, _) => int,
            data => Int::Data(Box::new(data)),
        })
    }

    fn as_cond(&self, raw: &Raw) -> Result<Cond> {
        match raw {
            Raw::Binary(sign, left, right) if sign == "&&" => {
                Ok(Cond::And(Box::new(self.as_cond(left)?), Box::new(self.as_cond(right)?)))
            }
            Raw::Binary(sign, left, right) if sign == "||" => {
                Ok(Cond::Or(Box::new(self.as_cond(left)?), Box::new(self.as_cond(right)?)))
            }
            Raw::Unary('!', inner) => Ok(Cond::Not(Box::new(self.as_cond(inner)?))),
            Raw::Binary(sign, left, right) if relation(sign).is_some() => {
                let relation = relation(sign).map(|(relation, _)| relation);
                match (relation, self.as_value(left)?, self.as_value(right)?) {
                    (Some(relation), Value::Integer(left, _), Value::Integer(right, _)) => {
                        Ok(Cond::Compare(relation, left, right))
                    }
                    _ => Ok(Cond::Data(Box::new(self.as_value(raw)?))),
                }
            }
            _ => Ok(Cond::Data(Box::new(self.as_value(raw)?))),
        }
    }

    fn as_place(&self, raw: &Raw) -> Result<Place> {
        match raw {
            Raw::Choice(all) => {
                let [cond, yes, no] = &**all;
                let (cond, yes) = (self.as_cond(cond)?, self.as_place(yes)?);
                Ok(Place::Select(Box::new(cond), Box::new(yes), Box::new(self.as_place(no)?)))
            }
            Raw::Name(name, index) => {
                let index = index.iter().map(|e| self.as_subscript(e)).collect::<Result<Vec<Int>>>()?;
                if let Some(buffer) = self.program.buffer(name) {
                    self.has_dimensions(buffer, index.len())?;
                    return Ok(Place::Cell { buffer, index });
                }
                match self.local(name).filter(|id| self.is_pointer(*id)) {
                    Some(pointer) if !index.is_empty() => Ok(Place::Through { pointer, index }),
                    Some(_) => self.wrong(format!("a pointer has a subscript, as in `{name}[0]`")),
                    None => self.wrong(format!("`{name}` is no buffer and no pointer")),
                }
            }
            _ => self.wrong("a cell is wanted here"),
        }
    }

    fn is_pointer(&self, id: LocalId) -> bool {
        self.program.locals[id.0].kind == LocalKind::Pointer
    }

    fn as_value(&self, raw: &Raw) -> Result<Value> {
        Ok(match raw {
            Raw::Number(number) => Value::number(*number),
            Raw::Leaf(text, operands) => Value::Apply(Op::Leaf(text.clone()), self.values(operands)?),
            Raw::Name(name, index) if index.is_empty() => match (self.program.parameter(name), self.local(name)) {
                (Some(id), _) => self.leaf(Int::Parameter(id)),
                (_, Some(id)) if !self.is_pointer(id) => self.leaf(Int::Local(id)),
                _ => Value::Read(self.as_place(raw)?),
            },
            Raw::Name(..) => Value::Read(self.as_place(raw)?),
            Raw::Call(name, operands) => self.called(name, self.values(operands)?),
            Raw::Unary('-', operand) => match self.as_value(operand)? {
                Value::Integer(e, held) => {
                    let negated = Int::binary(IntOp::Subtract, Int::Constant(0), e);
                    Value::Integer(negated, IntType::INT.with(held))
                }
                value => Value::Apply(Op::Negate, vec![value]),
            },
            Raw::Unary(_, operand) => Value::Apply(Op::Not, vec![self.as_value(operand)?]),
            Raw::As(inner, held) => Value::Integer(self.as_int(inner)?, *held),
            Raw::Choice(all) => {
                let [cond, yes, no] = &**all;
                let cond = Box::new(self.as_cond(cond)?);
                match (self.as_value(yes)?, self.as_value(no)?) {
                    (Value::Integer(yes, held), Value::Integer(no, other)) if !cond.has_data() => {
                        Value::Integer(Int::Select(cond, Box::new(yes), Box::new(no)), held.with(other))
                    }
                    (yes, no) => Value::Choice(cond, Box::new(yes), Box::new(no)),
                }
            }
            Raw::Binary(sign, left, right) => {
                let (left, right) = (self.as_value(left)?, self.as_value(right)?);
                match (int_op(sign), left, right) {
                    (Some(op), Value::Integer(left, held), Value::Integer(right, other)) => {
                        Value::Integer(Int::binary(op, left, right), held.with(other))
                    }
                    (_, left, right) => match op(sign) {
                        Some(op) => Value::Apply(op, vec![left, right]),
                        None => return self.wrong(format!("`{sign}` is for integers only")),
                    },
                }
            }
        })
    }

    /// A size or a local in the type that it is held in.
    fn leaf(&self, e: Int) -> Value {
        let held = self.program.type_of(&e);
        Value::Integer(e, held)
    }

    fn values(&self, all: &[Raw]) -> Result<Vec<Value>> {
        all.iter().map(|raw| self.as_value(raw)).collect()
    }

    /// `min` and `max` of integers are integers.
    fn called(&self, name: &str, operands: Vec<Value>) -> Value {
        let op = match name {
            "min" => Some(IntOp::Minimum),
            "max" => Some(IntOp::Maximum),
            _ => None,
        };
        match (op, &operands[..]) {
            (Some(op), [Value::Integer(left, held), Value::Integer(right, other)]) => {
                Value::Integer(Int::binary(op, left.clone(), right.clone()), held.with(*other))
            }
            _ => match name.strip_prefix("select_").and_then(Real::called) {
                Some(of) => Value::Apply(Op::Select(of), operands),
                None if name == "volatile" => Value::Apply(Op::Volatile, operands),
                None => Value::Apply(Op::Call(name.to_string()), operands),
            },
        }
    }
}

fn relation(sign: &str) -> Option<(Relation, Op)> {
    Some(match sign {
        "<" => (Relation::Less, Op::Less),
        "<=" => (Relation::LessOrEqual, Op::LessOrEqual),
        ">" => (Relation::Greater, Op::Greater),
        ">=" => (Relation::GreaterOrEqual, Op::GreaterOrEqual),
        "==" => (Relation::Equal, Op::Equal),
        "!=" => (Relation::NotEqual, Op::NotEqual),
        _ => return None,
    })
}

fn int_op(sign: &str) -> Option<IntOp> {
    Some(match sign {
        "+" => IntOp::Add,
        "-" => IntOp::Subtract,
        "*" => IntOp::Multiply,
        "/" => IntOp::Divide,
        "%" => IntOp::Remainder,
        "div" => IntOp::FloorDivide,
        "mod" => IntOp::FloorModulo,
        _ => return None,
    })
}

fn op(sign: &str) -> Option<Op> {
    Some(match sign {
        "+" => Op::Add,
        "-" => Op::Subtract,
        "*" => Op::Multiply,
        "/" => Op::Divide,
        "%" => Op::Remainder,
        _ => return relation(sign).map(|(_, op)| op),
    })
}
