//! Problems from text in isl notation.

use crate::fault::Fault;
use crate::isl_text::entries::{Entry, Value, entries};
use crate::problem::{Access, AccessKind, Array, Parameter, Problem, Role, Statement, padded};
use crate::text::{declared_name, is_name, sized, words};
use polyfold_isl::{Context, Map, Set};
use std::collections::BTreeMap;

/// The problems of a file.
///
/// # Errors
/// When an entry is missing, cannot be read, or does not fit the others; or the work bound is reached.
pub fn read(ctx: &Context, text: &str) -> Result<Vec<Problem>, Fault> {
    let all = entries(text)?;
    let mut problems: Vec<Vec<&Entry>> = Vec::new();
    for entry in &all {
        if problems.is_empty() || entry.name == ["problem"] {
            problems.push(Vec::new());
        }
        problems.last_mut().into_iter().for_each(|entries| entries.push(entry));
    }
    if problems.is_empty() {
        return Err(Fault::at(1, "there is no problem", "write `domain := { S[i] : … };` and so on"));
    }
    problems.iter().map(|entries| Raw::of(ctx, entries)?.problem(ctx)).collect()
}

/// What entries say.
#[derive(Default)]
struct Raw {
    name: Option<String>,
    context: Option<Set>,
    domains: Vec<Set>,
    schedule: Vec<Map>,
    accesses: Vec<(AccessKind, Map)>,
    /// Tuple names.
    temporary: Vec<String>,
    live_in: Option<Vec<String>>,
    live_out: Option<Vec<String>>,
    /// By isl name.
    arrays: BTreeMap<String, String>,
    /// By isl name: C's name, words and value.
    sizes: BTreeMap<String, (String, String, Option<i64>)>,
    /// By statement: names of iterators, text, and place.
    bodies: BTreeMap<String, (Vec<String>, String, usize)>,
    /// Statements in the order of their bodies.
    order: Vec<String>,
    prelude: Vec<String>,
}

impl Raw {
    fn of(ctx: &Context, entries: &[&Entry]) -> Result<Raw, Fault> {
        let mut raw = Raw::default();
        for entry in entries {
            raw.take(ctx, entry)?;
        }
        Ok(raw)
    }

    fn take(&mut self, ctx: &Context, entry: &Entry) -> Result<(), Fault> {
        let line = entry.line;
        let isl = |error: polyfold_isl::Error| Fault::at(line, error.to_string(), "this is to be in isl notation");
        match (&entry.name[..], &entry.value) {
            (["problem"], Value::Text(text)) if is_name(text) => self.name = Some(text.clone()),
            (["context"], Value::Set(text)) => {
                self.context = Some(Set::read(ctx, text).and_then(|s| s.params()).map_err(isl)?)
            }
            (["domain"], Value::Set(text)) => self.domains = Set::read_each(ctx, text).map_err(isl)?,
            (["schedule"], Value::Set(text)) => self.schedule = Map::read_each(ctx, text).map_err(isl)?,
            (["reads"], Value::Set(text)) => self.access(ctx, AccessKind::Read, text).map_err(isl)?,
            (["writes"], Value::Set(text)) => self.access(ctx, AccessKind::Write, text).map_err(isl)?,
            (["may_writes"], Value::Set(text)) => self.access(ctx, AccessKind::MayWrite, text).map_err(isl)?,
            (["temporary"], Value::Set(text)) => self.temporary = names(ctx, text).map_err(isl)?,
            (["live_in"], Value::Set(text)) => self.live_in = Some(names(ctx, text).map_err(isl)?),
            (["live_out"], Value::Set(text)) => self.live_out = Some(names(ctx, text).map_err(isl)?),
            (["array", name], Value::Text(text)) if declared_name(text).is_some() => {
                self.arrays.insert(name.to_string(), text.clone());
            }
            (["size", name], Value::Text(text)) => {
                self.sizes.insert(name.to_string(), sized(text));
            }
            (["text"], Value::Text(text)) => self.prelude.push(text.clone()),
            (["body", head @ ..], Value::Text(text)) => {
                let head = head.concat();
                let (name, iterators) =
                    head.strip_suffix(']').and_then(|head| head.split_once('[')).unwrap_or((&head, ""));
                let iterators: Vec<String> =
                    iterators.split(',').map(str::to_string).filter(|name| !name.is_empty()).collect();
                self.order.push(name.to_string());
                self.bodies.insert(name.to_string(), (iterators, text.clone(), line));
            }
            _ => {
                let message = format!("there is no entry `{}` with such a value", entry.name.join(" "));
                let help = "entries are problem, context, domain, schedule, reads, writes, may_writes, temporary, live_in, \
                            live_out, array NAME, size NAME, body NAME[…], and text";
                return Err(Fault::at(line, message, help));
            }
        }
        Ok(())
    }

    fn access(&mut self, ctx: &Context, kind: AccessKind, text: &str) -> polyfold_isl::Result<()> {
        self.accesses.extend(Map::read_each(ctx, text)?.into_iter().map(|map| (kind, map)));
        Ok(())
    }

    fn problem(self, ctx: &Context) -> Result<Problem, Fault> {
        if self.domains.is_empty() {
            return Err(Fault::of_problem("there is no `domain`", "say for which iterators each statement runs"));
        }
        let parameters = self.parameters()?;
        let mut statements = self.domains.iter().map(|d| self.statement(d)).collect::<Result<Vec<_>, _>>()?;
        let place = |s: &Statement| {
            (self.order.iter().position(|name| *name == s.name).unwrap_or(usize::MAX), natural(&s.name))
        };
        statements.sort_by_key(place);
        let known = |name: &str| statements.iter().any(|s| s.name == name);
        let maps = self.schedule.iter().chain(self.accesses.iter().map(|(_, map)| map));
        let others = maps.filter_map(|map| map.tuple_names().0).chain(self.order.iter().cloned());
        if let Some(other) = others.into_iter().find(|name| !known(name)) {
            return Err(Fault::of_problem(format!("`{other}` has no domain"), "give each statement one"));
        }
        padded(&mut statements)?;
        let prefix = Problem::prefix(&parameters);
        let all = Set::read(ctx, &format!("{prefix}{{ : }}"))?;
        Ok(Problem {
            name: self.name.clone().unwrap_or_else(|| "scop".to_string()),
            context: self.context.as_ref().map_or(Ok(all.clone()), |context| all.intersect(context))?,
            arrays: self.arrays(&statements),
            parameters,
            statements,
            prelude: self.prelude,
            place: None,
        })
    }

    /// Those of all sets, in the order of their first mention.
    fn parameters(&self) -> Result<Vec<Parameter>, Fault> {
        let mut names: Vec<String> = Vec::new();
        let mut take = |set: &Set| -> polyfold_isl::Result<()> {
            for name in set.parameter_names()? {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
            Ok(())
        };
        self.context.iter().chain(&self.domains).try_for_each(&mut take)?;
        for map in self.schedule.iter().chain(self.accesses.iter().map(|(_, map)| map)) {
            take(&map.params()?)?;
        }
        let parameter = |isl: String| {
            let (name, words, value) = self.sizes.get(&isl).cloned().unwrap_or((isl.clone(), "int".to_string(), None));
            Parameter { name, isl, words, value }
        };
        Ok(names.into_iter().map(parameter).collect())
    }

    fn statement(&self, domain: &Set) -> Result<Statement, Fault> {
        let name = domain.tuple_name().unwrap_or_default();
        let all: Vec<&Map> = self.schedule.iter().filter(|map| is_about(map, &name)).collect();
        let [dates] = &all[..] else {
            return Err(Fault::of_problem(
                format!("`{name}` has no dates in `schedule`, or several"),
                "give it a relation there",
            ));
        };
        let dimensions = domain.dimensions()?;
        let names = domain.dimension_names()?.into_iter().enumerate();
        let own: Vec<String> = names.map(|(k, name)| name.unwrap_or_else(|| format!("i{k}_"))).collect();
        let (iterators, body) = match self.bodies.get(&name) {
            Some((iterators, text, line)) => {
                if iterators.len() != dimensions {
                    let message =
                        format!("the body of `{name}` has {} iterators, its domain {dimensions}", iterators.len());
                    return Err(Fault::at(*line, message, "name each dimension: `body S[i, j] := …`"));
                }
                (iterators.clone(), Some(text.clone()))
            }
            None => (own, None),
        };
        let mut accesses = Vec::new();
        for (kind, relation) in self.accesses.iter().filter(|(_, map)| is_about(map, &name)) {
            if relation.tuple_names().1.is_none() {
                return Err(Fault::of_problem(format!("`{name}` accesses an array without a name"), "write A[i]"));
            }
            accesses.push(Access { kind: *kind, relation: relation.clone() });
        }
        if let Some(map) = accesses
            .iter()
            .map(|a| &a.relation)
            .chain([*dates])
            .find(|map| !matches!(map.dimensions(), Ok((d, _)) if d == dimensions))
        {
            return Err(Fault::of_problem(
                format!("`{name}` has {dimensions} dimensions, but not in {map}"),
                "give it as many",
            ));
        }
        Ok(Statement { name, iterators, domain: domain.clone(), dates: dates.without_range_name()?, accesses, body })
    }

    fn arrays(&self, statements: &[Statement]) -> Vec<Array> {
        let mut arrays: Vec<Array> = Vec::new();
        let names = statements.iter().flat_map(|s| &s.accesses).filter_map(|access| access.relation.tuple_names().1);
        for isl in names {
            if arrays.iter().any(|array| array.isl == isl) {
                continue;
            }
            let declaration = self.arrays.get(&isl).cloned();
            let name = declaration.as_deref().and_then(declared_name).unwrap_or(&isl).to_string();
            let declaration = declaration.filter(|text| words(text).count() > 1);
            arrays.push(Array { name, role: self.role(&isl), isl, declaration });
        }
        arrays
    }

    fn role(&self, array: &String) -> Role {
        if self.temporary.contains(array) {
            return Role::Temporary;
        }
        let is_in = |names: &Option<Vec<String>>| names.as_ref().is_none_or(|names| names.contains(array));
        match (is_in(&self.live_in), is_in(&self.live_out)) {
            (true, false) => Role::In,
            (false, true) => Role::Out,
            _ => Role::InOut,
        }
    }
}

fn is_about(map: &Map, name: &str) -> bool {
    map.tuple_names().0.as_deref() == Some(name)
}

/// S2 comes before S10.
fn natural(name: &str) -> (String, u64) {
    let prefix = name.trim_end_matches(|c: char| c.is_ascii_digit());
    (prefix.to_string(), name[prefix.len()..].parse().unwrap_or(0))
}

fn names(ctx: &Context, text: &str) -> polyfold_isl::Result<Vec<String>> {
    Ok(Set::read_each(ctx, text)?.iter().filter_map(Set::tuple_name).collect())
}
