//! Questions about C that polyfold wrote, asked of its tree: layout, comments and parentheses don't matter.
//!
//! A question is a piece of C, with `_` for whatever may stand there: `for (int j = _; _; _) _;` is any loop over `j`. A pragma
//! for a loop, and `POLYFOLD_IVDEP`, belong to the statement behind them. Attributes are left out.

use polyfold_c::lex::{TokenKind, tokens};
use polyfold_c::macros::MacroTable;
use polyfold_c::source::{blanked, directives, masked};
use polyfold_c::syntax::{
    Derivation, Expression, ExpressionKind, ForStart, Statement, StatementKind, Typedefs, Unit, VariableId, parse_unit,
};
use std::ops::Range;

/// How often some statements in a row, or an expression, stand in a text.
#[track_caller]
pub fn count(text: &str, piece: &str) -> usize {
    Piece::new(piece).found(&whole(text)).len()
}

/// How often a piece stands within another one.
#[track_caller]
pub fn within(text: &str, outer: &str, inner: &str) -> usize {
    let (outer, inner, tree) = (Piece::new(outer), Piece::new(inner), whole(text));
    outer.found(&tree).into_iter().flatten().map(|part| inner.found(part).len()).sum()
}

/// Whether some statements in a row, or an expression, stand in a text.
#[track_caller]
pub fn has(text: &str, piece: &str) -> bool {
    count(text, piece) > 0
}

/// Whether the functions of two texts have the same statements.
#[track_caller]
pub fn is_same(one: &str, other: &str) -> bool {
    whole(one) == whole(other)
}

/// Whether a name stands in a text, other than in comments and directives.
pub fn mentions(text: &str, name: &str) -> bool {
    names(text).iter().any(|own| own == name)
}

/// All names and keywords of a text in their order, without those of comments and directives.
pub fn names(text: &str) -> Vec<String> {
    let text = masked(text, &directives(text), &[]);
    let words = tokens(&text).into_iter().filter(|token| token.kind == TokenKind::Word);
    words.map(|token| text[token.span].to_string()).collect()
}

/// The text of a function.
#[track_caller]
pub fn function<'a>(text: &'a str, name: &str) -> &'a str {
    let functions = unit(&code_of(text)).functions;
    let own = functions.into_iter().find(|own| own.name == name).unwrap_or_else(|| panic!("no {name} in {text}"));
    &text[own.span]
}

/// What is looked for: an expression, or statements in a row.
struct Piece {
    parts: Vec<Part>,
    is_expression: bool,
}

impl Piece {
    #[track_caller]
    fn new(piece: &str) -> Piece {
        let is_expression = !piece.trim_end().ends_with([';', '}']);
        let body = if is_expression { format!("({piece});") } else { piece.to_string() };
        let (mut functions, errors) = tree(&format!("void f() {{\n{body}\n}}"));
        assert!(errors.is_empty() && functions.parts.len() == 1, "no piece of C: {piece}");
        Piece { parts: functions.parts.remove(0).parts, is_expression }
    }

    /// The parts of a tree that it stands for, each time.
    fn found<'a>(&self, tree: &'a Part) -> Vec<&'a [Part]> {
        let mut found = Vec::new();
        tree.walk(&mut |part| {
            if self.is_expression || part.what == LIST {
                let rows = part.parts.windows(self.parts.len());
                found.extend(rows.filter(|row| all_stand(&self.parts, row)));
            }
        });
        found
    }
}

const LIST: &str = "a list";

/// A part of a tree: what it is, and its own parts in their order.
#[derive(Debug, PartialEq)]
struct Part {
    what: String,
    parts: Vec<Part>,
}

impl Part {
    fn new(what: impl Into<String>, parts: Vec<Part>) -> Part {
        Part { what: what.into(), parts }
    }

    fn walk<'a>(&'a self, visit: &mut dyn FnMut(&'a Part)) {
        visit(self);
        self.parts.iter().for_each(|part| part.walk(visit));
    }

    fn is_anything(&self) -> bool {
        self.what == "_"
    }

    /// Whether another part is one that this one asks for.
    fn stands_for(&self, other: &Part) -> bool {
        let is_any_list = self.what == LIST && matches!(self.parts.as_slice(), [only] if only.is_anything());
        self.is_anything()
            || (is_any_list && [LIST, ""].contains(&&*other.what))
            || (self.what == other.what && all_stand(&self.parts, &other.parts))
    }
}

fn all_stand(wanted: &[Part], found: &[Part]) -> bool {
    wanted.len() == found.len() && wanted.iter().zip(found).all(|(wanted, found)| wanted.stands_for(found))
}

/// The text without comments, directives and attributes; promises are labels. It stays as long as it is.
fn code_of(text: &str) -> String {
    let code = masked(text, &directives(text), &[]).replace("POLYFOLD_IVDEP", "POLYFOLD_IVDE:");
    let attributes = attributes(&code);
    blanked(code, attributes.into_iter())
}

/// From each `__attribute__` to the parenthesis that closes it: the parser doesn't take all of them.
fn attributes(code: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (start, word) in code.match_indices("__attribute__") {
        let mut depth = 0;
        let end = code[start + word.len()..].find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            c == ')' && depth == 0
        });
        found.extend(end.map(|end| start..start + word.len() + end + 1));
    }
    found
}

fn unit(text: &str) -> Unit {
    parse_unit(text, &MacroTable::new(&[]), &Typedefs::read(text))
}

/// The tree of a text that is C from end to end.
#[track_caller]
fn whole(text: &str) -> Part {
    let (tree, errors) = tree(text);
    assert!(errors.is_empty(), "no C: {errors:?} in {text}");
    tree
}

/// The bodies of a text's functions, and how much of it is no C. Pragmas are labels.
fn tree(text: &str) -> (Part, Vec<String>) {
    let mut pragmas = Vec::new();
    let mut labelled = text.to_string();
    for own in directives(text).into_iter().rev() {
        let is_for_loop = |pragma: &&str| ["omp ", "GCC "].iter().any(|word| pragma.starts_with(word));
        if let Some(pragma) = own.pragma().filter(is_for_loop) {
            labelled.replace_range(own.span.clone(), &format!("pragma_{}:", pragmas.len()));
            pragmas.push(pragma.to_string());
        }
    }
    let labelled = code_of(&labelled);
    let unit = unit(&labelled);
    let reader = Reader { text: &labelled, unit: &unit, pragmas: &pragmas };
    let bodies = unit.functions.iter().map(|own| reader.list(&own.body)).collect();
    let errors = unit.errors.iter().map(|span| labelled[span.clone()].to_string()).collect();
    (Part::new("functions", bodies), errors)
}

/// Makes parts of a text's tree.
struct Reader<'a> {
    text: &'a str,
    unit: &'a Unit,
    pragmas: &'a [String],
}

impl Reader<'_> {
    /// A body: with braces or without, it is a list.
    fn list(&self, own: &Statement) -> Part {
        match &own.kind {
            StatementKind::Block(list) => Part::new(LIST, list.iter().flat_map(|own| self.statement(own)).collect()),
            _ => Part::new(LIST, self.statement(own)),
        }
    }

    /// None, one, or one for each variable that is declared.
    fn statement(&self, own: &Statement) -> Vec<Part> {
        let optional = |e: &Option<Expression>| e.as_ref().map_or(Part::new("", vec![]), |e| self.expression(e));
        let one = match &own.kind {
            StatementKind::Empty => return Vec::new(),
            StatementKind::Declaration(list) => return self.declarations(list),
            StatementKind::Block(_) => self.list(own),
            StatementKind::Expression(e) => self.expression(e),
            StatementKind::For { start, condition, update, body } => {
                let start = match start {
                    ForStart::Nothing => Part::new("", vec![]),
                    ForStart::Expression(e) => self.expression(e),
                    ForStart::Declaration(list) => Part::new("declarations", self.declarations(list)),
                };
                Part::new("for", vec![start, optional(condition), optional(update), self.list(body)])
            }
            StatementKind::If(condition, then, otherwise) => {
                let otherwise = otherwise.as_ref().map_or(Part::new("", vec![]), |own| self.list(own));
                Part::new("if", vec![self.expression(condition), self.list(then), otherwise])
            }
            StatementKind::Label(name, inner) => {
                let pragma = name.strip_prefix("pragma_").and_then(|number| number.parse::<usize>().ok());
                let name = pragma.map_or(name, |number| &self.pragmas[number]);
                Part::new(format!("{name}:"), vec![self.list(inner)])
            }
            StatementKind::Other(what, statements, expressions) => {
                let statements = statements.iter().map(|own| self.list(own));
                let parts = expressions.iter().map(|e| self.expression(e)).chain(statements).collect();
                Part::new(*what, parts)
            }
        };
        vec![one]
    }

    fn declarations(&self, list: &[(VariableId, Option<Expression>)]) -> Vec<Part> {
        list.iter().map(|(id, value)| self.declaration(*id, value.as_ref())).collect()
    }

    fn declaration(&self, id: VariableId, value: Option<&Expression>) -> Part {
        let own = &self.unit.variables[id];
        let shape = own.shape.iter().map(|step| match step {
            Derivation::Array(extent) => Part::new("[]", extent.iter().map(|e| self.expression(e)).collect()),
            Derivation::Pointer(_) => Part::new("*", vec![]),
            Derivation::Function => Part::new("()", vec![]),
        });
        let value = value.map_or(Part::new("", vec![]), |value| self.expression(value));
        let words = [&own.specifiers, &own.name].map(|word| Part::new(spelled(word), vec![]));
        Part::new("declared", words.into_iter().chain(shape).chain([value]).collect())
    }

    fn expression(&self, own: &Expression) -> Part {
        use ExpressionKind::*;
        let what = match &own.kind {
            Name(name, _) => name.clone(),
            Literal => spelled(&self.text[own.span.clone()]),
            Integer(value, scalar) => format!("{value} {scalar:?}"),
            Call(..) => "call".to_string(),
            Index(..) => "index".to_string(),
            Field(_, member) => format!("member {} {}", member.name, member.through_pointer),
            Unary(operator, _) => format!("{operator:?}"),
            Binary(operator, ..) => format!("{operator:?}"),
            Ternary(..) => "choice".to_string(),
            Assign(operator, ..) => operator.clone(),
            Step(by, _) => format!("step {by}"),
            Cast(to, _) => format!("to {to:?}"),
            Sizeof(_) => "size".to_string(),
            Other(what, parts) if parts.is_empty() => format!("{what} {}", spelled(&self.text[own.span.clone()])),
            Other(what, _) => (*what).to_string(),
        };
        Part::new(what, own.parts().into_iter().map(|part| self.expression(part)).collect())
    }
}

/// A text's tokens, apart by blanks.
fn spelled(text: &str) -> String {
    let solid = tokens(text).into_iter().filter(|own| !matches!(own.kind, TokenKind::Space | TokenKind::Newline));
    solid.map(|own| text[own.span].to_string()).collect::<Vec<_>>().join(" ")
}

const ASKED: &str = "#define POLYFOLD_IVDEP
static void f(int n, int x[n]) {
  /* t[i] = 7; */
  const int t[2] __attribute__((aligned(8))) = {0}, *u = x; (void)u;
  POLYFOLD_IVDEP
  for (int i = 0; i < n; i++) {
    x[(i + 1) % 2] = t[i] // both
      * (3 - n);
    if (n > 3) x[0] = (n); else { S: ; }
  }
#pragma omp parallel for
  for (int j = n - 1; j >= 0; j--) if (j > 3) { x[j] += 2; n = 1; }
}
int main(void) { return 0; }
";

#[test]
fn pieces_are_found_by_their_trees() {
    for piece in [
        "x[(i+1) % 2] = (t[i] * (3-n));",
        "i + 1",
        "const int t[2] = {0}; const int *u = x; (void)u;",
        "if (n > 3) { x[0] = n; } else S: { }",
        "x[j] += 2; n = 1;",
        "if (j > 3) { _; n = 1; }",
        "_ t[_] = _;",
        "POLYFOLD_IVDEP for (int i = _; _; _) _;",
        "#pragma omp parallel for\nfor (int j = _; _; j--) _;",
    ] {
        assert_eq!(count(ASKED, piece), 1, "{piece}");
    }
    for piece in ["t[i] = 7", "3 - n * 2", "int t[2];", "x[j] += 2; n = 2;", "if (j > 3) x[j] += 2;", "j++"] {
        assert!(!has(ASKED, piece), "{piece}");
    }
    assert_eq!((count(ASKED, "for (_; _; _) _;"), count(ASKED, "if (_) _; else _;")), (2, 2));
    assert_eq!(["i", "j"].map(|of| within(ASKED, &format!("for (int {of} = _; _; _) _;"), "_ % 2")), [1, 0]);
}

#[test]
fn texts_are_the_same_whatever_their_layout() {
    assert!(is_same("void f() { if (a) { b = 1; } }", "void f(void)\n{\n  if (a) b = (1); // set\n}\n"));
    assert!(!is_same("void f() { b = 1; }", "void f() { b = 2; }"));
}

#[test]
fn names_are_those_of_code() {
    assert!(mentions(ASKED, "t") && !mentions(ASKED, "both") && !mentions(ASKED, "define"));
    assert!(!mentions(function(ASKED, "main"), "t"));
}
