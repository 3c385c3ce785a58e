//! Random pipelines whose stages run at different rates, go through their loops in different orders or along diagonals, and are not quite perfect
//! nests.
//!
//! ```c
//! for (int y = 0; y < 2 * h; y++) {
//!   t0[y][0] = in[y][0];
//!   for (int x = 1; x < w; x++)
//!     t0[y][x] = t0[y][x - 1] * 0.5 + in[y][x];
//! }
//! for (int x = 0; x < w; x++)
//!   for (int y = 0; y < h; y++)
//!     t1[y][x] = t0[2 * y][x] + (2 * y + 1 < 2 * h ? t0[2 * y + 1][x] : 1.0);
//! ```
//!
//! Programs are in bounds and defined at all sizes from 1. A read that could leave its array stands behind a condition.

use crate::PREAMBLE;
use crate::random::Random;
use std::fmt::Write;

/// Frames are at most so often twice as large as the smallest.
const MOST_DOUBLED: i64 = 2;

/// One file with a program for each seed, which prints a hash for each size.
pub fn orders_file(seeds: &[u64]) -> String {
    let functions: Vec<String> = seeds.iter().map(|seed| function(*seed)).collect();
    let calls: Vec<String> = seeds.iter().map(|seed| driver(*seed)).collect();
    format!(
        "{PREAMBLE}\n{}\nint main(void) {{\n  static const int sizes[][2] = {{{{1, 1}}, {{2, 3}}, {{5, 4}}}};\n  for (int run = 0; run < 3; run++) {{\n    \
         int h = sizes[run][0], w = sizes[run][1];\n{}  }}\n  return 0;\n}}\n",
        functions.join("\n"),
        calls.concat()
    )
}

/// Rows and columns of the input and the output: the smallest frame's, doubled as often as may be.
const FULL: [&str; 2] = ["4 * h", "4 * w"];

fn driver(seed: u64) -> String {
    let [rows, columns] = FULL;
    let bytes = format!("(size_t)({rows}) * ({columns})");
    format!(
        "    {{\n      double (*in)[{columns}] = malloc(sizeof(double) * {bytes}), (*out)[{columns}] = malloc(sizeof(double) * {bytes});\n      \
         fill_double(&in[0][0], {bytes}, {}u);\n      fill_double(&out[0][0], {bytes}, 5u);\n      orders_{seed}(h, w, in, out);\n      \
         print_hash(\"orders_{seed}\", out, sizeof(double) * {bytes});\n      free(in);\n      free(out);\n    }}\n",
        seed % 97 + 1
    )
}

/// An array with as many rows as `h` doubled so often, and columns as `w`.
#[derive(Clone)]
struct Frame {
    name: String,
    doubled: [i64; 2],
}

impl Frame {
    fn extents(&self) -> [String; 2] {
        [extent("h", self.doubled[0]), extent("w", self.doubled[1])]
    }

    /// A cell of it, or a number where it has none.
    fn read(&self, [y, x]: [String; 2], is_inside: bool) -> String {
        let [rows, columns] = self.extents();
        let cell = format!("{}[{y}][{x}]", self.name);
        let tests = [(y, rows), (x, columns)].map(|(at, end)| format!("{at} >= 0 && {at} < {end}"));
        if is_inside { cell } else { format!("({} && {} ? {cell} : 0.5)", tests[0], tests[1]) }
    }
}

fn extent(size: &str, doubled: i64) -> String {
    if doubled == 0 { size.to_string() } else { format!("{} * {size}", 1 << doubled) }
}

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 211);
    let full = Frame { name: "in".to_string(), doubled: [MOST_DOUBLED; 2] };
    let mut frames = vec![full];
    let mut stages = String::new();
    for at in 0..random.between(2, 4) {
        let source = frames.last().expect("there is the input").clone();
        let other = random.pick(&frames).clone();
        let (frame, text) = stage(&mut random, &format!("t{at}"), (&source, &other));
        frames.push(frame);
        stages += &text;
    }
    let last = frames.last().expect("there are some").clone();
    stages += &over(&last, random.percent(80), &assigned(&mut random, "out", &last));
    let declared: Vec<String> = (frames[1..].iter())
        .map(|frame| format!("{}[{}][{}]", frame.name, frame.extents()[0], frame.extents()[1]))
        .collect();
    let [rows, columns] = FULL;
    format!(
        "static void orders_{seed}(int h, int w, double in[{rows}][{columns}], double out[{rows}][{columns}]) {{\n  double {};\n  double acc;\n  \
         acc = 0;\n#pragma scop\n{stages}#pragma endscop\n  (void)acc;\n}}\n",
        declared.join(", ")
    )
}

/// A frame made of others, and the loops that make it.
fn stage(random: &mut Random, name: &str, (source, other): (&Frame, &Frame)) -> (Frame, String) {
    let axis = usize::from(random.percent(40));
    let mut doubled = source.doubled;
    let at = |scaled: [String; 2]| scaled;
    let kept = ["y".to_string(), "x".to_string()];
    let along = |how: &dyn Fn(&str) -> String| {
        let mut scaled = kept.clone();
        scaled[axis] = how(["y", "x"][axis]);
        at(scaled)
    };
    match random.between(0, 10) {
        10 => {
            let frame = Frame { name: name.to_string(), doubled };
            let text = along_diagonals(random, &frame, source);
            (frame, text)
        }
        0..=2 if doubled[axis] > 0 => {
            doubled[axis] -= 1;
            let frame = Frame { name: name.to_string(), doubled };
            let terms = [
                source.read(along(&|i| format!("2 * {i}")), true),
                source.read(along(&|i| format!("2 * {i} + 1")), true),
                source.read(along(&|i| format!("2 * {i} + 2")), false),
            ];
            let body = format!("{name}[y][x] = 0.25 * ({});", terms[..random.between(2, 3) as usize].join(" + "));
            (frame.clone(), over(&frame, random.percent(60), &body))
        }
        0..=3 if doubled[axis] < MOST_DOUBLED => {
            doubled[axis] += 1;
            let frame = Frame { name: name.to_string(), doubled };
            let terms = [
                source.read(along(&|i| format!("{i} / 2")), true),
                source.read(along(&|i| format!("({i} + 1) / 2")), false),
            ];
            let body = format!("{name}[y][x] = 0.5 * ({});", terms[..random.between(1, 2) as usize].join(" + "));
            (frame.clone(), over(&frame, random.percent(60), &body))
        }
        4 | 5 => {
            let frame = Frame { name: name.to_string(), doubled };
            let text = running(&frame, source, axis);
            (frame, text)
        }
        6 => {
            let frame = Frame { name: name.to_string(), doubled };
            let [rows, columns] = frame.extents();
            let text = format!(
                "  for (int y = 0; y < {rows}; y++)\n    for (int x = 0; x < {columns}; x++) {{\n      acc = 0.125;\n      \
                 for (int k = 0; k < 3; k++)\n        acc += 0.25 * {};\n      {name}[y][x] = acc;\n    }}\n",
                source.read(along(&|i| format!("{i} + k - 1")), false)
            );
            (frame, text)
        }
        _ => {
            let frame = Frame { name: name.to_string(), doubled };
            let offset = random.between(-2, 2);
            let near = source.read(along(&|i| format!("{i} + {offset}").replace("+ -", "- ")), false);
            let far = if other.doubled == doubled { other.read(kept.clone(), true) } else { "1.5".to_string() };
            let body = format!("{name}[y][x] = 0.5 * {near} + 0.25 * {far};");
            (frame.clone(), over(&frame, random.percent(60), &body))
        }
    }
}

fn assigned(random: &mut Random, name: &str, source: &Frame) -> String {
    format!("{name}[y][x] = {} + 0.{};", source.read(["y".to_string(), "x".to_string()], true), random.between(1, 9))
}

/// Loops over a frame, rows outermost or columns.
fn over(frame: &Frame, by_rows: bool, body: &str) -> String {
    let [rows, columns] = frame.extents();
    let heads = [format!("for (int y = 0; y < {rows}; y++)"), format!("for (int x = 0; x < {columns}; x++)")];
    let [outer, inner] = if by_rows { [&heads[0], &heads[1]] } else { [&heads[1], &heads[0]] };
    format!("  {outer}\n    {inner}\n      {body}\n")
}

/// Loops along the diagonals of a frame, up or down.
fn along_diagonals(random: &mut Random, frame: &Frame, source: &Frame) -> String {
    let ([rows, columns], name) = (frame.extents(), &frame.name);
    let (y, begin, end) = match random.percent(50) {
        true => ("d - x", "0".to_string(), format!("{rows} + {columns} - 1")),
        false => ("d + x", format!("1 - {columns}"), rows.clone()),
    };
    let value = source.read([y.to_string(), "x".to_string()], true);
    format!(
        "  for (int d = {begin}; d < {end}; d++)\n    for (int x = 0; x < {columns}; x++)\n      if ({y} >= 0 && {y} < {rows})\n        \
         {name}[{y}][x] = 0.5 * {value} + 0.125;\n"
    )
}

/// A recursion along rows or columns, whose first column or row is by itself.
fn running(frame: &Frame, source: &Frame, axis: usize) -> String {
    let [rows, columns] = frame.extents();
    let name = &frame.name;
    let first = |at: [&str; 2]| source.read(at.map(String::from), true);
    let mut text = String::new();
    if axis == 1 {
        let _ = write!(
            text,
            "  for (int y = 0; y < {rows}; y++) {{\n    {name}[y][0] = {};\n    for (int x = 1; x < {columns}; x++)\n      \
             {name}[y][x] = 0.5 * {name}[y][x - 1] + {};\n  }}\n",
            first(["y", "0"]),
            first(["y", "x"])
        );
    } else {
        let _ = write!(
            text,
            "  for (int x = 0; x < {columns}; x++)\n    {name}[0][x] = {};\n  for (int y = 1; y < {rows}; y++)\n    \
             for (int x = 0; x < {columns}; x++)\n      {name}[y][x] = 0.5 * {name}[y - 1][x] + {};\n",
            first(["0", "x"]),
            first(["y", "x"])
        );
    }
    text
}
