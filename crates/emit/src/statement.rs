//! Statements and loops as C.

use crate::added::c_type;
use crate::expression::Expressions;
use crate::kept::Kept;
use crate::ranges::Ranges;
use polyfold_program::{Assign, BufferId, Level, LocalId, LocalValue, Loop, Place, Program, Stmt};

/// What C has to be told besides the tree.
pub struct Names<'a> {
    /// The type of a loop's counter; `None`: nothing says.
    pub counter: &'a dyn Fn(LocalId) -> Option<String>,
    /// The lines in front of a loop whose iterations may run at once, such as `#pragma omp parallel for`. There are none
    /// where those of a loop around it say so. `None`: nothing says.
    pub pragmas: &'a dyn Fn(&Loop) -> Option<Vec<String>>,
    /// Buffers that the text declares itself.
    pub declared: &'a [BufferId],
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
    let printer = Printer {
        expressions: Expressions { program, named: &[], ranges: Ranges::of(program), select: &|_| String::new() },
        program,
        names,
    };
    let mut text = String::new();
    for id in names.declared {
        let buffer = &program.buffers[id.0];
        let index = buffer.extents.iter().cloned().collect::<Option<_>>().ok_or(Unprintable::Extent)?;
        let place = Place::Cell { buffer: *id, index };
        text.push_str(&format!("{indent}{} {};\n", buffer.element, printer.expressions.place(&place, None)));
    }
    printer.list(&program.body, indent, &mut text)?;
    Ok(text)
}

struct Printer<'a> {
    expressions: Expressions<'a>,
    program: &'a Program,
    names: &'a Names<'a>,
}

impl Printer<'_> {
    fn list(&self, body: &[Stmt], indent: &str, text: &mut String) -> Result<(), Unprintable> {
        body.iter().try_for_each(|stmt| self.stmt(stmt, indent, text))
    }

    fn stmt(&self, stmt: &Stmt, indent: &str, text: &mut String) -> Result<(), Unprintable> {
        let deeper = format!("{indent}  ");
        match stmt {
            Stmt::For(own) => {
                if own.parallel {
                    let lines = (self.names.pragmas)(own).ok_or(Unprintable::Parallel)?;
                    lines.iter().for_each(|line| text.push_str(&format!("{indent}{line}\n")));
                }
                text.push_str(&format!("{indent}{} {{\n", self.head(own)?));
                self.list(&own.body, &deeper, text)?;
                text.push_str(&format!("{indent}}}\n"));
            }
            Stmt::If { cond, then, other } => {
                text.push_str(&format!("{indent}if ({}) {{\n", self.expressions.cond(cond, None).within(Level::Whole)));
                self.list(then, &deeper, text)?;
                if !other.is_empty() {
                    text.push_str(&format!("{indent}}} else {{\n"));
                    self.list(other, &deeper, text)?;
                }
                text.push_str(&format!("{indent}}}\n"));
            }
            Stmt::Assign(own) => {
                let declared = self.declared(own)?;
                let target = self.expressions.place(&own.target, None);
                let value = self.expressions.value(&own.value, None).within(Level::Choice);
                text.push_str(&format!("{indent}{declared}{target} = {value};\n"));
            }
            Stmt::Let { local, value: LocalValue::Integer(e) } => {
                let own = &self.program.locals[local.0];
                let value = self.expressions.value_of(e);
                text.push_str(&format!("{indent}{} {} = {value};\n", c_type(own.held)?, own.name));
            }
            Stmt::Set { local, value: LocalValue::Integer(e) } => {
                let (name, value) = (self.expressions.local(*local), self.expressions.value_of(e));
                text.push_str(&format!("{indent}{name} = {value};\n"));
            }
            Stmt::Let { .. } | Stmt::Set { .. } => return Err(Unprintable::Local),
            Stmt::Copy(_) => return Err(Unprintable::Copy),
            Stmt::Opaque(_) => return Err(Unprintable::Opaque),
        }
        Ok(())
    }

    /// The type in front of a variable that its statement declares.
    fn declared(&self, own: &Assign) -> Result<String, Unprintable> {
        match &own.target {
            _ if !own.declares => Ok(String::new()),
            Place::Cell { buffer, .. } => Ok(format!("{} ", self.program.buffers[buffer.0].element)),
            _ => Err(Unprintable::Declaration),
        }
    }

    fn head(&self, own: &Loop) -> Result<String, Unprintable> {
        let name = &self.program.locals[own.counter.0].name;
        let first = match &own.first {
            Some(first) => {
                let declares = match own.declares {
                    true => format!("{} ", (self.names.counter)(own.counter).ok_or(Unprintable::Local)?),
                    false => String::new(),
                };
                format!("{declares}{name} = {}", self.expressions.int(first, &Kept::default()).within(Level::Choice))
            }
            None => String::new(),
        };
        let step = match own.step {
            None => String::new(),
            Some(1) => format!(" {name}++"),
            Some(-1) => format!(" {name}--"),
            Some(step) if step < 0 => format!(" {name} -= {}", step.unsigned_abs()),
            Some(step) => format!(" {name} += {step}"),
        };
        Ok(format!("for ({first}; {};{step})", self.expressions.cond(&own.test, None).within(Level::Whole)))
    }
}
