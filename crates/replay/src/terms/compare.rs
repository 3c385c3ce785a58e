//! Compares two programs by running both.

use super::choices::Choices;
use super::machine::{Fault, FaultKind, Left, Machine};
use super::sizes::Sizes;
use super::table::Terms;
use polyfold_program::Program;
use std::collections::BTreeSet;

/// How much was compared.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ran {
    /// Sizes at which both ran and agreed.
    pub agreed: usize,
    /// Sizes that the program before doesn't allow, or at which it has a fault itself.
    pub without_meaning: usize,
    /// Sizes that the bound of work left out.
    pub left_out: usize,
    /// Statements and iterations that ran.
    pub work: u64,
}

/// Where two programs differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The sizes, in the order of the parameters of the program before.
    pub sizes: Sizes,
    /// How conditions on data came out.
    pub choices: Choices,
    /// What differs.
    pub why: Why,
}

/// What differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Why {
    /// A cell that others see holds something else.
    Cell {
        /// Whose cell.
        buffer: String,
        /// Its subscripts.
        index: Vec<i64>,
    },
    /// Only the program after has a fault.
    Fault(Fault),
    /// Opaque statements run in another order, as often otherwise, or read something else.
    Effects,
    /// They have other parameters, or other buffers that others see, or of other extents.
    Interface,
}

/// Seeds of conditions on data, where there are any.
const SEEDS: [Choices; 5] = [Choices::All, Choices::None, Choices::Some(1), Choices::Some(2), Choices::Some(3)];

/// The program after may take so many times the work of the one before, and so much more.
const SLOWER: u64 = 50;
const MORE: u64 = 10_000;

/// Runs both programs at some sizes, within a bound of statements and iterations in all.
///
/// # Errors
/// With the first difference.
pub fn agree(before: &Program, after: &Program, all: &[Sizes], bound: u64) -> Result<Ran, Box<Difference>> {
    let mut ran = Ran::default();
    for sizes in all {
        let ways = if has_data(before) || has_data(after) { &SEEDS[..] } else { &SEEDS[..1] };
        let orders: &[bool] = if is_parallel(before) || is_parallel(after) { &[false, true] } else { &[false] };
        let mut outcome = Compared::Agree;
        for (choices, backwards) in ways.iter().flat_map(|way| orders.iter().map(move |order| (*way, *order))) {
            let left = bound.saturating_sub(ran.work);
            match compared((before, after), sizes, (choices, backwards), left, &mut ran.work) {
                Compared::Differ(why) => return Err(Box::new(Difference { sizes: sizes.clone(), choices, why })),
                Compared::Agree => {}
                other => {
                    outcome = other;
                    break;
                }
            }
        }
        match outcome {
            Compared::WithoutMeaning => ran.without_meaning += 1,
            Compared::LeftOut => ran.left_out += 1,
            _ => ran.agreed += 1,
        }
    }
    Ok(ran)
}

enum Compared {
    Agree,
    WithoutMeaning,
    LeftOut,
    Differ(Why),
}

fn compared(
    (before, after): (&Program, &Program),
    sizes: &[i64],
    way: (Choices, bool),
    left: u64,
    work: &mut u64,
) -> Compared {
    let mut terms = Terms::default();
    let Ok(mut first) = Machine::new(before, &mut terms, sizes.to_vec(), (way.0, false), left) else {
        return Compared::WithoutMeaning;
    };
    if !first.is_within_context() {
        return Compared::WithoutMeaning;
    }
    let interface = first.interface();
    let wanted = first.run();
    let used = first.used();
    let spent = left - first.work;
    *work += spent;
    let wanted = match wanted {
        Ok(wanted) => wanted,
        Err(Fault { kind: FaultKind::Bound, .. }) => return Compared::LeftOut,
        Err(_) => return Compared::WithoutMeaning,
    };
    let value = |name: &str| before.parameter(name).map(|id| sizes[id.0]);
    let Some(own) = after.parameters.iter().map(|p| value(&p.name)).collect::<Option<Vec<i64>>>() else {
        return Compared::Differ(Why::Interface);
    };
    let allowed = spent.saturating_mul(SLOWER).saturating_add(MORE);
    let mut second = match Machine::new(after, &mut terms, own, way, allowed) {
        Ok(second) => second,
        Err(fault) => return Compared::Differ(Why::Fault(fault)),
    };
    if second.interface() != interface {
        return Compared::Differ(Why::Interface);
    }
    second.has_only(&used);
    let found = second.run();
    *work += allowed - second.work;
    match found {
        Err(fault) => Compared::Differ(Why::Fault(fault)),
        Ok(found) => first_difference(&wanted, &found, &mut second).map_or(Compared::Agree, Compared::Differ),
    }
}

fn first_difference(wanted: &Left, found: &Left, after: &mut Machine) -> Option<Why> {
    for (name, cells) in &wanted.cells {
        let Some((_, own)) = found.cells.iter().find(|(own, _)| own == name) else { return Some(Why::Interface) };
        for flat in cells.keys().chain(own.keys()).collect::<BTreeSet<_>>() {
            let untouched = after.untouched(name, *flat);
            let [wanted, found] = [cells, own].map(|cells| cells.get(flat).copied().or(untouched));
            if wanted != found && wanted.is_none_or(|wanted| after.is_defined(wanted)) {
                return Some(Why::Cell { buffer: name.clone(), index: after.index(name, *flat) });
            }
        }
    }
    (wanted.effects != found.effects && after.is_defined(wanted.effects)).then_some(Why::Effects)
}

fn has_data(program: &Program) -> bool {
    use polyfold_program::{Cond, Int, LocalValue, Place, Stmt, Value};
    fn chooses(value: &Value) -> bool {
        match value {
            Value::Choice(cond, yes, no) => cond.has_data() || chooses(yes) || chooses(no),
            Value::Apply(_, operands) => operands.iter().any(chooses),
            Value::Read(place) => leads(place),
            Value::Integer(..) => false,
        }
    }
    fn leads(place: &Place) -> bool {
        match place {
            Place::Select(cond, yes, no) => cond.has_data() || leads(yes) || leads(no),
            Place::Cell { index, .. } => index.iter().filter_map(Int::as_data).any(chooses),
            Place::Through { .. } => false,
        }
    }
    let is_data = |stmt: &Stmt| match stmt {
        Stmt::If { cond, .. } => cond.has_data(),
        Stmt::For(own) => Cond::has_data(&own.test),
        Stmt::Assign(assign) => leads(&assign.target) || chooses(&assign.value),
        Stmt::Let { value: LocalValue::Address(place), .. } | Stmt::Set { value: LocalValue::Address(place), .. } => {
            leads(place)
        }
        Stmt::Opaque(own) => own.cells().any(|own| leads(&own.place)),
        _ => false,
    };
    any(program, &is_data)
}

fn is_parallel(program: &Program) -> bool {
    any(program, &|stmt| matches!(stmt, polyfold_program::Stmt::For(own) if own.parallel))
}

fn any(program: &Program, is_it: &dyn Fn(&polyfold_program::Stmt) -> bool) -> bool {
    let mut found = false;
    program.body.iter().for_each(|stmt| stmt.each(&mut |stmt| found |= is_it(stmt)));
    found
}
