//! The whole program: inputs, stages, outputs, and the C around them.

use std::collections::BTreeSet;

use crate::array::{Array, Kind, Memory, Region, Size};
use crate::draft::{Counter, Draft, cell, counters};
use crate::memory;
use crate::options::{Feature, Options};
use crate::random::Random;
use crate::text::{Lines, block, indent, line, plus, statements};

/// The sizes at which the driver calls a function with run-time sizes.
const SIZES: [(i64, i64); 7] = [(1, 1), (1, 4), (2, 1), (3, 2), (4, 5), (8, 3), (7, 9)];

/// Words of isl's that are names in C.
const KEYWORDS: [&str; 9] = ["MOD", "Floor", "ceild", "EXISTS", "Not", "INFTY", "Infinity", "RAT", "implies"];

/// One function and how to call it.
#[derive(Clone, Debug)]
pub struct Program {
    /// `void kernel_<seed>(..)` with one scop, and the macros it needs. It relies on [`PREAMBLE`].
    pub source: String,
    /// Statements for the body of `main` that call the function and print hashes of its outputs.
    pub driver: String,
    /// The function's name.
    pub function: String,
    /// The names of the [`Feature`]s in it.
    pub features: Vec<&'static str>,
}

/// What stands in front of the functions: includes, `MIN` and `MAX`, and the driver's helpers.
pub const PREAMBLE: &str = r#"#include <stdio.h>
#include <stddef.h>
#include <stdlib.h>

#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))

static inline void fill_unsigned(unsigned *a, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    seed = seed * 22695477u + 1u;
    a[i] = seed >> 5;
  }
}

static inline void fill_double(double *a, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    seed = seed * 22695477u + 1u;
    a[i] = (double)(seed >> 12) / 524288.0;
  }
}

static inline void fill_float(float *a, size_t n, unsigned seed) {
  for (size_t i = 0; i < n; i++) {
    seed = seed * 22695477u + 1u;
    a[i] = (float)(seed >> 20) / 2048.0f;
  }
}

static inline unsigned same(unsigned a) {
  return a;
}

static inline void print_hash(const char *name, const void *data, size_t bytes) {
  const unsigned char *p = data;
  unsigned long long hash = 14695981039346656037ull;
  for (size_t i = 0; i < bytes; i++)
    hash = (hash ^ p[i]) * 1099511628211ull;
  printf("%s %016llx\n", name, hash);
}
"#;

/// The program of a seed; the same seed and options give the same text.
pub fn program(seed: u64, options: &Options) -> Program {
    let mut draft = blank(seed, options);
    let stages = 1 + draft.random.below(4) as u64;
    for stage in 0..stages {
        draft.random = Random::stream(seed, 2 + stage);
        if statements(&draft.lines) < options.max_statements {
            draft.stage();
        }
    }
    draft.random = Random::stream(seed, 500);
    if draft.chance(Feature::Wrapping, 12) {
        draft.wrapped();
    }
    draft.random = Random::stream(seed, 1);
    outputs(&mut draft);
    memory::allocate(&mut draft);
    Program {
        source: source(&draft),
        driver: driver(&draft),
        function: format!("kernel_{seed}"),
        features: draft.features.iter().map(|f| f.name()).collect(),
    }
}

/// One self-contained C file with a function for each seed, and a `main` that calls them all.
pub fn file(seeds: &[u64], options: &Options) -> String {
    let programs: Vec<Program> = seeds.iter().map(|seed| program(*seed, options)).collect();
    let sources: Vec<&str> = programs.iter().map(|p| p.source.as_str()).collect();
    let drivers: String = programs.iter().map(|p| p.driver.as_str()).collect();
    format!("{PREAMBLE}\n{}\nint main(void) {{\n{drivers}  return 0;\n}}\n", sources.join("\n"))
}

fn blank(seed: u64, options: &Options) -> Draft {
    let mut draft = Draft {
        seed,
        options: options.clone(),
        random: Random::stream(seed, 0),
        arrays: Vec::new(),
        sources: Vec::new(),
        scalars: Vec::new(),
        counters: BTreeSet::new(),
        features: BTreeSet::new(),
        element: "unsigned",
        macros: false,
        second: "m",
        lines: Vec::new(),
    };
    let macros = draft.random.percent(35);
    let kinds = [Feature::RunTimeSizes, Feature::MacroSizes];
    draft.macros = if macros { draft.allow(kinds[1]) || !draft.allow(kinds[0]) } else { !draft.allow(kinds[0]) };
    let element = *draft.random.pick(&["unsigned", "unsigned", "unsigned", "double", "double", "float"]);
    if element != "unsigned" && draft.allow(Feature::Floating) {
        draft.element = element;
    }
    draft.chance(Feature::DeclaredIterators, 30);
    draft.chance(Feature::Repeated, 15);
    let mut name = Random::stream(seed, 501);
    if name.percent(15) && !draft.macros && draft.allow(Feature::KeywordSizes) {
        draft.second = KEYWORDS[name.below(KEYWORDS.len())];
    }
    let input = draft.declare(Kind::Input, &[Size::N], Region::Full);
    draft.sources.push(input);
    if draft.options.features.contains(&Feature::TwoDimensions) {
        let input = draft.declare(Kind::Input, &[Size::N, Size::M], Region::Full);
        draft.sources.push(input);
    }
    draft
}

/// An output computed from anything, and a sum over each temporary that is not read yet, and over some others.
fn outputs(draft: &mut Draft) {
    let n = Counter { name: "i", size: Size::N, low: 0, high: 0 };
    let result = draft.declare(Kind::Output, &[Size::N], Region::Full);
    let latest = draft.sources[draft.sources.len() - 1];
    let [read, other] = [draft.read(latest, &[], &[n]), draft.read_any(&[n])];
    let terms = [draft.term(read), draft.term(other)];
    let value = draft.combine(terms.to_vec(), &[n]);
    let operator = if draft.chance(Feature::Updated, 30) { "+=" } else { "=" };
    let body = line(format!("{}[i] {operator} {value};", draft.arrays[result].name));
    let lines = draft.any_order(&[n], Region::Full, body);
    draft.lines.extend(lines);
    for array in 0..draft.arrays.len() {
        let also = draft.random.percent(20);
        let whole = draft.random.percent(40);
        let is_defined = draft.arrays[array].kind == Kind::Temporary && draft.sources.contains(&array);
        if is_defined && (also || !draft.reads(&draft.arrays[array])) {
            sum_up(draft, array, result, whole);
        }
    }
}

/// Sums up an array, or only its last row. Each step multiplies: a plain sum would hide two exchanged cells.
fn sum_up(draft: &mut Draft, array: usize, result: usize, whole: bool) {
    let source = draft.arrays[array].clone();
    let last_row = !whole && source.extents.len() > 1 && source.region == Region::Full;
    let nest = counters(&source.extents);
    let (from, nest) = if last_row {
        let row = format!("{}[{}]", source.name, plus(&draft.size(source.extents[0]), -1));
        (nest[1..].iter().fold(row, |text, c| format!("{text}[{}]", c.name)), &nest[1..])
    } else {
        (cell(&source, &nest), &nest[..])
    };
    let to = format!("{}[0]", draft.arrays[result].name);
    let scaled = if draft.floating() { format!("{to} / {}", draft.literal(2)) } else { format!("{to} * 3u") };
    let sum = line(format!("{to} = {scaled} + {from};"));
    let lines = match source.region {
        Region::Full => draft.in_order(nest, sum),
        region => draft.any_order(nest, region, sum),
    };
    draft.lines.extend(lines);
}

fn source(draft: &Draft) -> String {
    let mut parameters: Vec<String> = sizes(draft).iter().map(|size| format!("int {size}")).collect();
    let mut lines = Lines::new();
    if draft.macros {
        let sizes = Random::stream(draft.seed, 1_000).between(3, 9);
        lines.push(format!("#define {} {sizes}", draft.size(Size::N)));
        lines.push(format!("#define {} {}", draft.size(Size::M), 12 - sizes));
    }
    parameters.extend(interface(draft).map(|a| declaration(draft, a)));
    let mut body: Lines = Lines::new();
    if draft.features.contains(&Feature::DeclaredIterators) && !draft.counters.is_empty() {
        let counters: Vec<&str> = draft.counters.iter().copied().collect();
        body.push(format!("int {};", counters.join(", ")));
    }
    body.extend(around_scop(draft));
    lines.extend(block(format!("void kernel_{}({})", draft.seed, parameters.join(", ")), body));
    lines.join("\n") + "\n"
}

/// The scop and its temporaries; repeated, with the temporaries inside or outside the loop.
fn around_scop(draft: &Draft) -> Lines {
    let temporaries = || draft.arrays.iter().filter(|a| a.kind == Kind::Temporary);
    let begin = |array: &Array| match array.memory {
        Memory::Declared => line(format!("{};", declaration(draft, array))),
        Memory::Flat | Memory::Rows => memory::allocation(draft, array),
    };
    let mut declared: Lines = temporaries().flat_map(begin).collect();
    let allocated = temporaries().filter(|array| array.memory != Memory::Declared);
    let freed: Lines = allocated.map(|array| format!("free({});", array.name)).collect();
    declared.extend(draft.scalars.iter().map(|s| format!("{} {s};", draft.element)));
    let mut scop = line("#pragma scop");
    scop.extend(draft.lines.clone());
    scop.push("#pragma endscop".into());
    if !draft.features.contains(&Feature::Repeated) {
        declared.extend(scop);
        declared.extend(freed);
        return declared;
    }
    let head = "for (int turn = 0; turn < 2; turn++)".to_string();
    if draft.seed.is_multiple_of(2) {
        declared.extend(block(head, scop));
        declared.extend(freed);
        return declared;
    }
    declared.extend(scop);
    declared.extend(freed);
    block(head, declared)
}

/// The run-time sizes that the function needs.
fn sizes(draft: &Draft) -> Vec<String> {
    let needed = draft.arrays.iter().filter(|a| a.kind != Kind::Input || draft.reads(a));
    let text: Vec<String> = needed.map(|a| declaration(draft, a)).chain(draft.lines.iter().cloned()).collect();
    let is_used = |size: &&str| text.iter().any(|l| l.split(|c: char| !c.is_alphanumeric()).any(|word| word == *size));
    if draft.macros { vec![] } else { ["n", draft.second].into_iter().filter(is_used).map(String::from).collect() }
}

/// The arrays that are parameters of the function.
fn interface(draft: &Draft) -> impl Iterator<Item = &Array> {
    draft.arrays.iter().filter(|a| a.kind == Kind::Output || (a.kind == Kind::Input && draft.reads(a)))
}

fn declaration(draft: &Draft, array: &Array) -> String {
    let name = format!("{} {}", array.element, array.name);
    array.extents.iter().fold(name, |text, size| format!("{text}[{}]", draft.size(*size)))
}

fn driver(draft: &Draft) -> String {
    let seed = draft.seed;
    let mut call: Lines = Lines::new();
    let mut arguments = sizes(draft);
    for array in interface(draft) {
        let name = &array.name;
        let first = array.extents.iter().fold(name.clone(), |text, _| text + "[0]");
        call.push(format!("{};", declaration(draft, array)));
        call.push(format!(
            "fill_{}(&{first}, sizeof {name} / sizeof {first}, {}u);",
            array.element,
            seed % 1_000_000 + 7
        ));
        arguments.push(name.clone());
    }
    call.push(format!("kernel_{seed}({});", arguments.join(", ")));
    for array in draft.arrays.iter().filter(|a| a.kind == Kind::Output) {
        call.push(format!("print_hash(\"kernel_{seed} {0}\", {0}, sizeof {0});", array.name));
    }
    let lines = if draft.macros {
        let mut lines = line("{");
        lines.extend(indent(call));
        lines.push("}".into());
        lines
    } else {
        let pairs: Vec<String> = SIZES.iter().map(|(n, m)| format!("{{{n}, {m}}}")).collect();
        let mut body = line(format!("static const int sizes[][2] = {{{}}};", pairs.join(", ")));
        let declared = sizes(draft).into_iter().enumerate();
        body.extend(declared.map(|(at, size)| format!("int {size} = sizes[run][{at}];")));
        body.extend(call);
        block(format!("for (int run = 0; run < {}; run++)", SIZES.len()), body)
    };
    indent(lines).join("\n") + "\n"
}
