//! Regions drawn at random, as data: what the judge runs, and what stands in the C program.

use std::fmt;

/// How many turns the loop around a region has.
pub(crate) const TURNS: i64 = 3;

/// Numbers that look random.
pub(crate) struct Numbers(pub(crate) u64);

/// `i * i + j * j + p * p + c` with its four numbers.
#[derive(Clone, Copy)]
struct Subscript([i64; 4]);

/// A cell of A or B, of which each has 64 by 64.
#[derive(Clone, Copy)]
pub(crate) struct Reference {
    /// Whether it is B's.
    pub(crate) of_b: bool,
    subscripts: [Subscript; 2],
}

/// When a statement writes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// At every turn.
    Always,
    /// `if ((i + j) % 2 == 0)`.
    Even,
    /// `if (other > 20.0)`.
    Data,
    /// `to += from`.
    Sum,
}

/// `to = 0.5 * from + other`, or a form of it.
#[derive(Clone, Copy)]
pub(crate) struct Statement {
    pub(crate) to: Reference,
    pub(crate) from: Reference,
    pub(crate) other: Reference,
    pub(crate) form: Form,
}

/// Where the inner loop ends.
#[derive(Clone, Copy)]
enum End {
    Size,
    Below,
    Above,
}

/// Two loops with one or two statements.
pub(crate) struct Region {
    end: End,
    pub(crate) statements: Vec<Statement>,
}

impl Numbers {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % end
    }

    fn from(&mut self, least: i64, most: i64) -> i64 {
        least + self.below((most - least + 1) as u64) as i64
    }

    /// From 0 to 63 for counters from 0 to 5 and 0 to 2.
    fn subscript(&mut self) -> Subscript {
        let is_short = self.below(3) == 0;
        let (i, j, p) = (self.from(-2, 3), if is_short { 0 } else { self.from(-2, 3) }, self.from(-2, 3));
        Subscript([i, j, p, self.from(24, 27)])
    }

    fn reference(&mut self, of_b: bool) -> Reference {
        Reference { of_b, subscripts: [self.subscript(), self.subscript()] }
    }

    fn statement(&mut self) -> Statement {
        let of_b = self.below(3) == 0;
        let (to, from, other) = (self.reference(of_b), self.reference(false), self.reference(true));
        let form = match self.below(4) {
            0 => Form::Even,
            1 => Form::Data,
            2 => Form::Sum,
            _ => Form::Always,
        };
        Statement { to, from, other, form }
    }

    pub(crate) fn region(&mut self) -> Region {
        let end = [End::Size, End::Below, End::Above][self.below(3) as usize];
        Region { end, statements: (0..1 + self.below(2)).map(|_| self.statement()).collect() }
    }
}

impl Reference {
    /// The number of the cell in its array.
    pub(crate) fn cell(&self, i: i64, j: i64, p: i64) -> i64 {
        let [x, y] = self.subscripts.map(|Subscript([a, b, c, d])| a * i + b * j + c * p + d);
        64 * x + y
    }
}

impl Region {
    /// The counters of all turns, in order.
    pub(crate) fn turns(&self, n: i64) -> impl Iterator<Item = (i64, i64)> {
        let end = self.end;
        let last = move |i: i64| match end {
            End::Size => n,
            End::Below => i + 1,
            End::Above => n - i,
        };
        (0..n).flat_map(move |i| (0..last(i)).map(move |j| (i, j)))
    }

    /// As a function of C.
    pub(crate) fn function(&self, number: usize) -> String {
        let bound = match self.end {
            End::Size => "n",
            End::Below => "i + 1",
            End::Above => "n - i",
        };
        let statements: String = self.statements.iter().map(|statement| format!("        {statement}\n")).collect();
        format!(
            "static void r{number}(int n, double A[64][64], double B[64][64]) {{\n#pragma scop\n  for (int p = 0; p < {TURNS}; p++) {{\n\
             #pragma polyfold local\n    for (int i = 0; i < n; i++)\n      for (int j = 0; j < {bound}; j++) {{\n\
             {statements}      }}\n  }}\n#pragma endscop\n}}\n"
        )
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let [x, y] = self.subscripts.map(|Subscript([i, j, p, c])| format!("[{i} * i + {j} * j + {p} * p + {c}]"));
        write!(f, "{}{x}{y}", if self.of_b { 'B' } else { 'A' })
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Statement { to, from, other, form } = self;
        match form {
            Form::Always => write!(f, "{to} = 0.5 * {from} + {other};"),
            Form::Even => write!(f, "if ((i + j) % 2 == 0) {to} = 0.5 * {from} + {other};"),
            Form::Data => write!(f, "if ({other} > 20.0) {to} = 0.5 * {from} + {other};"),
            Form::Sum => write!(f, "{to} += {from};"),
        }
    }
}
