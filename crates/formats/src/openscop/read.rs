//! Problems from an OpenScop file.

use crate::fault::Fault;
use crate::openscop::lines::{Extension, Lines};
use crate::openscop::relation::{self, Part, Relation};
use crate::problem::{Access, AccessKind, Array, Parameter, Problem, Role, Statement, padded};
use crate::text::{declared_name, is_name, sized, words};
use polyfold_flow::isl_name;
use polyfold_isl::{Context, Map, Set};
use std::collections::BTreeMap;

/// The problems of a file.
///
/// # Errors
/// When the text is no OpenScop file, or the work bound is reached.
pub fn read(ctx: &Context, text: &str) -> Result<Vec<Problem>, Fault> {
    let mut lines = Lines::of(text);
    let mut problems = Vec::new();
    while lines.has_more() {
        // What clan says on standard output stands in front of the file where both went to one place.
        if lines.peek().is_some_and(|word| word.starts_with('[')) {
            lines.skip_line();
            continue;
        }
        let (line, word) = lines.word("<OpenScop>")?;
        if word != "<OpenScop>" {
            return Err(Fault::at(
                line,
                format!("`{word}` stands where <OpenScop> should be"),
                "is it an OpenScop file?",
            ));
        }
        problems.push(scop(ctx, &mut lines)?);
    }
    if problems.is_empty() {
        return Err(Fault::at(1, "there is no <OpenScop>", "is it an OpenScop file?"));
    }
    Ok(problems)
}

/// What a file says of a scop, before names are known.
struct Raw {
    context: Relation,
    parameters: Vec<Parameter>,
    statements: Vec<RawStatement>,
    arrays: BTreeMap<i64, String>,
    ours: Ours,
}

struct RawStatement {
    /// Line of its first relation.
    line: usize,
    domain: Relation,
    scattering: Relation,
    accesses: Vec<(AccessKind, Relation)>,
    iterators: Option<Vec<String>>,
    body: Option<String>,
}

/// What our own extension says.
#[derive(Default)]
struct Ours {
    function: Option<String>,
    statements: Vec<String>,
    /// By name: type and value.
    sizes: BTreeMap<String, (String, Option<i64>)>,
    /// By name.
    arrays: Vec<(String, Role, Option<String>)>,
    prelude: Vec<String>,
}

fn scop(ctx: &Context, lines: &mut Lines) -> Result<Problem, Fault> {
    lines.word("the language")?;
    let context = relation::read(lines, None)?;
    if context.kind != "CONTEXT" {
        return Err(Fault::at(
            context.line,
            format!("{} stands where CONTEXT should be", context.kind),
            "put the context first",
        ));
    }
    let count = context.parts.first().map_or(0, |part| part.parameters);
    let parameters = parameters(lines, count)?;
    let (_, statements) = lines.number("the number of statements", 0..=100_000)?;
    let statements = (0..statements).map(|_| statement(lines, count)).collect::<Result<_, _>>()?;
    let mut raw = Raw { context, parameters, statements, arrays: BTreeMap::new(), ours: Ours::default() };
    while let Some(extension) = lines.extension()? {
        match extension.name {
            "arrays" => raw.arrays = arrays(&extension)?,
            "polyfold" => raw.ours = ours(&extension)?,
            _ => {}
        }
    }
    let (line, word) = lines.word("</OpenScop>")?;
    if word != "</OpenScop>" {
        return Err(Fault::at(
            line,
            format!("`{word}` stands where </OpenScop> should be"),
            "is a number of relations or statements wrong?",
        ));
    }
    raw.problem(ctx)
}

fn parameters(lines: &mut Lines, count: usize) -> Result<Vec<Parameter>, Fault> {
    let (line, has_names) = lines.number("0 (no names of parameters) or 1", 0..=1_000_000)?;
    let mut names: Vec<String> = (0..count).map(|k| format!("P{k}")).collect();
    if has_names > 0 {
        let Some(extension) = lines.extension()? else {
            return Err(Fault::at(
                line,
                "there are no names of parameters",
                "put them between <strings> and </strings>",
            ));
        };
        let given = extension.entries().flat_map(|(_, line)| line.split_whitespace()).map(str::to_string);
        names = given.collect();
        if names.len() != count {
            let message = format!("{} names of parameters, where the context has {count}", names.len());
            return Err(Fault::at(extension.line, message, "name each of them"));
        }
    }
    let mut taken = Vec::new();
    for name in &names {
        if !is_name(name) || taken.contains(name) {
            return Err(Fault::at(
                line,
                format!("`{name}` is no name for a parameter"),
                "use a name of C, and each once",
            ));
        }
        taken.push(name.clone());
    }
    let parameter = |name: String| Parameter { isl: isl_name(&name), name, words: "int".to_string(), value: None };
    Ok(names.into_iter().map(parameter).collect())
}

fn statement(lines: &mut Lines, parameters: usize) -> Result<RawStatement, Fault> {
    let (line, count) = lines.number("the number of relations", 0..=100_000)?;
    let (mut domain, mut scattering, mut accesses) = (None, None, Vec::new());
    for _ in 0..count {
        let relation = relation::read(lines, Some(parameters))?;
        match relation.kind.as_str() {
            "DOMAIN" => domain = Some(relation),
            "SCATTERING" => scattering = Some(relation),
            "READ" => accesses.push((AccessKind::Read, relation)),
            "WRITE" => accesses.push((AccessKind::Write, relation)),
            "MAY_WRITE" => accesses.push((AccessKind::MayWrite, relation)),
            other => {
                return Err(Fault::at(relation.line, format!("{other} in a statement"), "it belongs in front of them"));
            }
        }
    }
    let missing = |what: &str| Fault::at(line, format!("a statement without {what}"), "give each statement one");
    let (mut iterators, mut body) = (None, None);
    let (line_of_count, extensions) = lines.number("the number of extensions", 0..=1000)?;
    for _ in 0..extensions {
        let extension = lines.extension()?;
        let extension =
            extension.ok_or_else(|| Fault::at(line_of_count, "an extension is missing", "is the number right?"))?;
        if matches!(extension.name, "body" | "extbody") {
            let (names, text) = self::body(&extension)?;
            (iterators, body) = (Some(names), text);
        }
    }
    Ok(RawStatement {
        line,
        domain: domain.ok_or_else(|| missing("DOMAIN"))?,
        scattering: scattering.ok_or_else(|| missing("SCATTERING"))?,
        accesses,
        iterators,
        body,
    })
}

/// Names of iterators, and the text.
fn body(extension: &Extension) -> Result<(Vec<String>, Option<String>), Fault> {
    let mut entries = extension.entries();
    let mut number = |what: &str| {
        let (line, text) = entries.next().unwrap_or((extension.line, ""));
        text.parse::<usize>()
            .map_err(|_| Fault::at(line, format!("`{text}` stands where {what} should be"), "is the body complete?"))
    };
    let mut count = number("the number of iterators")?;
    if extension.name == "extbody" {
        let accesses = count;
        let mut pairs = extension.entries().skip(1).take(accesses);
        if pairs.any(|(_, line)| line.split_whitespace().count() != 2) {
            return Err(Fault::at(extension.line, "an access has no start and length", "is the body complete?"));
        }
        entries = extension.entries();
        entries.by_ref().take(accesses + 1).for_each(drop);
        let (line, text) = entries.next().unwrap_or((extension.line, ""));
        count =
            text.parse().map_err(|_| Fault::at(line, "the number of iterators is missing", "is the body complete?"))?;
    }
    let names: Vec<String> = match count {
        0 => Vec::new(),
        _ => entries.next().map_or("", |(_, line)| line).split_whitespace().map(str::to_string).collect(),
    };
    if names.len() != count || names.iter().any(|name| !is_name(name)) {
        return Err(Fault::at(
            extension.line,
            format!("{} names of iterators, not {count}", names.len()),
            "name each of them",
        ));
    }
    let text: Vec<&str> = entries.map(|(_, line)| line).collect();
    Ok((names, (!text.is_empty()).then(|| text.join(" "))))
}

fn arrays(extension: &Extension) -> Result<BTreeMap<i64, String>, Fault> {
    let mut arrays = BTreeMap::new();
    for (line, entry) in extension.entries().skip(1) {
        let pair: Vec<&str> = entry.split_whitespace().collect();
        let known = match pair[..] {
            [number, name] if is_name(name) => number.parse().ok().map(|number: i64| (number, name)),
            _ => None,
        };
        let Some((number, name)) = known else {
            return Err(Fault::at(line, format!("`{entry}` is no number and name of an array"), "write `1 A`"));
        };
        arrays.insert(number, name.to_string());
    }
    Ok(arrays)
}

fn ours(extension: &Extension) -> Result<Ours, Fault> {
    let mut ours = Ours::default();
    for (line, entry) in extension.entries() {
        let (key, rest) = entry.split_once(' ').unwrap_or((entry, ""));
        let rest = rest.trim();
        let role = Role::WORDS.iter().find(|(word, _)| *word == key);
        match (key, role) {
            ("function", _) if is_name(rest) => ours.function = Some(rest.to_string()),
            ("statements", _) => ours.statements = rest.split_whitespace().map(str::to_string).collect(),
            ("text", _) => ours.prelude.push(rest.to_string()),
            ("size", _) => {
                let (name, words, value) = sized(rest);
                ours.sizes.insert(name, (words, value));
            }
            (_, Some((_, role))) if declared_name(rest).is_some() => {
                let is_declaration = words(rest).count() > 1;
                let name = declared_name(rest).unwrap_or_default().to_string();
                ours.arrays.push((name, *role, is_declaration.then(|| rest.to_string())));
            }
            _ => {
                let help = "lines begin with function, statements, size, temporary, in, out, inout, or text";
                return Err(Fault::at(line, format!("`{entry}` says nothing"), help));
            }
        }
    }
    Ok(ours)
}

impl Raw {
    fn problem(mut self, ctx: &Context) -> Result<Problem, Fault> {
        for parameter in &mut self.parameters {
            if let Some((words, value)) = self.ours.sizes.get(&parameter.name) {
                (parameter.words, parameter.value) = (words.clone(), *value);
            }
        }
        let prefix = Problem::prefix(&self.parameters);
        let parts = self.context.parts.iter().map(|part| part.condition(&[], &[], &self.parameters));
        let parts: Vec<String> = parts.map(|condition| format!("({condition})")).collect();
        let context = Set::read(
            ctx,
            &format!("{prefix}{{ : {} }}", if parts.is_empty() { "false".into() } else { parts.join(" or ") }),
        )?;
        let mut arrays: Vec<Array> = Vec::new();
        let mut statements = Vec::new();
        for (k, raw) in self.statements.iter().enumerate() {
            statements.push(self.statement(ctx, raw, k, &mut arrays)?);
        }
        padded(&mut statements)?;
        let number =
            |array: &Array| self.arrays.iter().find(|(_, name)| **name == array.name).map(|(number, _)| *number);
        arrays.sort_by_key(number);
        for (name, role, declaration) in &self.ours.arrays {
            if let Some(array) = arrays.iter_mut().find(|array| array.name == *name) {
                (array.role, array.declaration) = (*role, declaration.clone());
            }
        }
        Ok(Problem {
            name: self.ours.function.unwrap_or_else(|| "scop".to_string()),
            parameters: self.parameters,
            context,
            arrays,
            statements,
            prelude: self.ours.prelude,
            place: None,
        })
    }

    fn statement(
        &self,
        ctx: &Context,
        raw: &RawStatement,
        k: usize,
        arrays: &mut Vec<Array>,
    ) -> Result<Statement, Fault> {
        let name = self.name(k);
        let dimensions = raw.domain.parts.first().map(|part| (part.output, part.input));
        let Some((count, 0)) = dimensions else {
            return Err(Fault::at(
                raw.domain.line,
                "DOMAIN with input dimensions, or without any part",
                "iterators are output dimensions",
            ));
        };
        let iterators = match &raw.iterators {
            Some(names) if names.len() == count => names.clone(),
            Some(names) => {
                let message = format!("{} original iterators, where DOMAIN has {count} dimensions", names.len());
                return Err(Fault::at(raw.line, message, "name each of them"));
            }
            None => self.points(&(0..count).map(|k| format!("i{k}")).collect::<Vec<_>>()),
        };
        let points = self.points(&iterators);
        let from = format!("{name}[{}]", points.join(", "));
        let domain =
            Set::read(ctx, &self.text(&from, &raw.domain, |part| part.condition(&points, &[], &self.parameters)))?;
        let dates = self.relation(ctx, (&from, &points), "", &raw.scattering, raw.scattering.parts.clone())?;
        let mut accesses = Vec::new();
        for (kind, relation) in &raw.accesses {
            if *kind == AccessKind::Read && self.is_no_memory(relation, raw) {
                continue;
            }
            let (array, parts) = self.array(relation, arrays)?;
            let relation = self.relation(ctx, (&from, &points), &array, relation, parts)?;
            accesses.push(Access { kind: *kind, relation });
        }
        Ok(Statement { name, iterators, domain, dates, accesses, body: raw.body.clone() })
    }

    /// The name of a statement: OpenScop has none.
    fn name(&self, k: usize) -> String {
        let names = &self.ours.statements;
        let is_usable = names.len() == self.statements.len()
            && names.iter().enumerate().all(|(k, name)| is_name(name) && !names[..k].contains(name));
        if is_usable { isl_name(&names[k]) } else { format!("S{k}") }
    }

    /// Names for the dimensions of a domain: those of the iterators, if they are different.
    fn points(&self, iterators: &[String]) -> Vec<String> {
        let mut names: Vec<String> = self.parameters.iter().map(|p| p.isl.clone()).collect();
        let first = names.len();
        for iterator in iterators {
            let mut name = isl_name(iterator);
            while names.contains(&name) {
                name.push('_');
            }
            names.push(name);
        }
        names.split_off(first)
    }

    /// `[n] -> { tuple : part; tuple : part }`.
    fn text(&self, tuple: &str, relation: &Relation, condition: impl Fn(&Part) -> String) -> String {
        let parts: Vec<String> = relation.parts.iter().map(|part| format!("{tuple} : {}", condition(part))).collect();
        format!("{}{{ {} }}", Problem::prefix(&self.parameters), parts.join("; "))
    }

    fn relation(
        &self,
        ctx: &Context,
        (from, points): (&str, &[String]),
        to: &str,
        relation: &Relation,
        parts: Vec<Part>,
    ) -> Result<Map, Fault> {
        let Some(first) = parts.first() else {
            return Err(Fault::at(relation.line, format!("{} without any part", relation.kind), "give it one"));
        };
        if first.input != points.len() {
            let message =
                format!("{} has {} input dimensions, where DOMAIN has {}", relation.kind, first.input, points.len());
            return Err(Fault::at(relation.line, message, "its input dimensions are the iterators"));
        }
        let output: Vec<String> = (0..first.output).map(|k| format!("out{k}_")).collect();
        let tuple = format!("{from} -> {to}[{}]", output.join(", "));
        let parts: Vec<String> = parts
            .iter()
            .map(|part| format!("{tuple} : {}", part.condition(&output, points, &self.parameters)))
            .collect();
        Ok(Map::read(ctx, &format!("{}{{ {} }}", Problem::prefix(&self.parameters), parts.join("; ")))?)
    }

    /// Whether a read is of a size or a counter, which clan lists as arrays without subscripts.
    fn is_no_memory(&self, relation: &Relation, statement: &RawStatement) -> bool {
        let number = relation.parts.first().cloned().and_then(Part::without_array);
        let Some((number, _)) = number.filter(|(_, part)| part.output == 0) else { return false };
        let counters = statement.iterators.as_deref().unwrap_or_default();
        let is_known = |name: &String| self.parameters.iter().any(|p| p.name == *name) || counters.contains(name);
        self.arrays.get(&number).is_some_and(is_known)
    }

    /// The isl name of the array that an access is to, and its parts without the array's number.
    fn array(&self, relation: &Relation, arrays: &mut Vec<Array>) -> Result<(String, Vec<Part>), Fault> {
        let help = "the first output dimension is a number from <arrays>";
        let fault = |message: String| Fault::at(relation.line, message, help);
        let parts = relation.parts.iter().cloned().map(Part::without_array).collect::<Option<Vec<_>>>();
        let parts = parts.ok_or_else(|| fault(format!("{} does not say which array it is to", relation.kind)))?;
        let Some((number, _)) = parts.first() else { return Err(fault(format!("{} without any part", relation.kind))) };
        if parts.iter().any(|(other, _)| other != number) {
            return Err(fault(format!("{} is to several arrays", relation.kind)));
        }
        let name = match self.arrays.get(number) {
            Some(name) if self.parameters.iter().any(|p| p.name == *name) => {
                let message = format!("{} to `{name}`, which is a size, too", relation.kind);
                return Err(Fault::at(
                    relation.line,
                    message,
                    "sizes are set in front of the scop, and have no subscripts",
                ));
            }
            Some(name) => name.clone(),
            None if self.statements.iter().any(|statement| statement.body.is_some()) => {
                let message = format!("array {number} has no name, and statements have texts with names");
                return Err(Fault::at(relation.line, message, "name it in <arrays>"));
            }
            None => format!("A{}", number.unsigned_abs()),
        };
        let isl = isl_name(&name);
        if !arrays.iter().any(|array| array.name == name) {
            arrays.push(Array { name, isl: isl.clone(), declaration: None, role: Role::InOut });
        }
        Ok((isl, parts.into_iter().map(|(_, part)| part).collect()))
    }
}
