//! Random programs in tiles, whose rows read a few cells of the tile in front.
//!
//! ```c
//! for (int I = 0; I < n; I += 16)
//!   for (int J = n - 1; J >= 0; J -= 16)
//!     for (int i = I; i < MIN(I + 16, n); i++) {
//!       for (int j = J; j > MAX(J - 16, -1); j--)
//!         a[i][j] = in[i] - in[j];
//!       for (int j = MIN(J, n - 3); j > MAX(J - 16, -1); j--)
//!         out[j] = 0.5 * out[j] + a[i][j + 2] - a[i][j];
//!     }
//! ```
//!
//! Programs are in bounds and defined at all sizes from 0. Rows and columns go up or down, tiles have several widths, a second array may follow the first one, data may decide what is
//! written, and a loop may run all of it again. Others compute the rows in front of their tile once more, so that no value leaves it.

use crate::by_size::BySize;
use crate::random::Random;

/// One file with a program for each seed, which prints a line for each size.
pub fn tiled_file(seeds: &[u64]) -> String {
    let file = BySize { name: "tiled", most: 41, scaled: " * 0.03125" }.file(seeds, function);
    let macros = "#define MIN(a, b) ((a) < (b) ? (a) : (b))\n#define MAX(a, b) ((a) > (b) ? (a) : (b))\n";
    macros.to_string() + &file
}

/// Counters that go through a dimension in tiles.
struct Axis {
    tile: char,
    own: char,
    width: i64,
    is_upward: bool,
}

impl Axis {
    fn random(random: &mut Random, (tile, own): (char, char), widths: &[i64]) -> Axis {
        Axis { tile, own, width: *random.pick(widths), is_upward: random.percent(70) }
    }

    fn tiles(&self) -> String {
        let Axis { tile, width, is_upward, .. } = self;
        match is_upward {
            true => format!("for (int {tile} = 0; {tile} < n; {tile} += {width})"),
            false => format!("for (int {tile} = n - 1; {tile} >= 0; {tile} -= {width})"),
        }
    }

    /// The cells of a tile that have so many cells in front of them.
    fn cells(&self, behind: i64) -> String {
        let Axis { tile, own, width, is_upward } = self;
        let (first, last) = match behind {
            0 => (tile.to_string(), tile.to_string()),
            _ => (format!("MAX({tile}, {behind})"), format!("MIN({tile}, n - {})", behind + 1)),
        };
        match is_upward {
            true => format!("for (int {own} = {first}; {own} < MIN({tile} + {width}, n); {own}++)"),
            false => format!("for (int {own} = {last}; {own} > MAX({tile} - {width}, -1); {own}--)"),
        }
    }

    /// The subscript of the cell so many cells in front.
    fn before(&self, cells: i64) -> String {
        let (own, sign) = (self.own, if self.is_upward { '-' } else { '+' });
        if cells == 0 { own.to_string() } else { format!("{own} {sign} {cells}") }
    }
}

fn function(seed: u64) -> String {
    let mut random = Random::stream(seed, 101);
    let rows = Axis::random(&mut random, ('I', 'i'), &[3, 5, 8, 16, 17]);
    let columns = Axis::random(&mut random, ('J', 'j'), &[4, 6, 8, 16, 16, 17, 20]);
    let halo = *random.pick(&[0, 1, 2, 3, 5, 14]);
    if random.percent(40) {
        return own_tiles(&mut random, seed, (&rows, &columns), halo);
    }
    let mut body = first(&mut random, &columns);
    let (last, reach) = match random.percent(40) {
        true => {
            let own = random.between(1, 3);
            body += &format!(
                "        {}\n          b[i][j] = a[i][{}] * 0.5 - a[i][j];\n",
                columns.cells(halo),
                columns.before(halo)
            );
            ('b', halo + own)
        }
        false => ('a', halo),
    };
    let read = reach - if last == 'b' { halo } else { 0 };
    body += &format!(
        "        {}\n          out[j] = 0.5 * out[j] + {last}[i][{}] - {last}[i][j];\n",
        columns.cells(reach),
        columns.before(read)
    );
    let arrays = if last == 'b' { "a[n + 1][n + 1], b[n + 1][n + 1]" } else { "a[n + 1][n + 1]" };
    let again = if random.percent(20) { "  for (int k = 0; k < 2; k++)\n" } else { "" };
    format!(
        "static void tiled_{seed}(int n, const double *in, double *out) {{
  double {arrays};
#pragma scop
{again}  {}
    {}
      {} {{
{body}      }}
#pragma endscop
}}
",
        rows.tiles(),
        columns.tiles(),
        rows.cells(0)
    )
}

/// Tiles that compute the rows in front of them once more, in one stage or two.
fn own_tiles(random: &mut Random, seed: u64, (rows, columns): (&Axis, &Axis), halo: i64) -> String {
    let Axis { tile, own, width, is_upward } = rows;
    let halo = halo.min(5);
    let more = match is_upward {
        true => format!("for (int {own} = MAX({tile} - {halo}, 0); {own} < MIN({tile} + {width}, n); {own}++)"),
        false => format!("for (int {own} = MIN({tile} + {halo}, n - 1); {own} > MAX({tile} - {width}, -1); {own}--)"),
    };
    let (all, before) = (columns.cells(0), rows.before(halo));
    let mut body = format!("      {more}\n        {all}\n          a[i][j] = in[i] - in[j] * 0.25;\n");
    let (mut arrays, mut last) = ("a[n + 1][n + 1]", 'a');
    if random.percent(40) {
        body += &format!("      {more}\n        {all}\n          b[i][j] = a[i][j] * 0.5 + in[j];\n");
        (arrays, last) = ("a[n + 1][n + 1], b[n + 1][n + 1]", 'b');
    }
    body += &format!(
        "      {}\n        {all}\n          out[j] = 0.5 * out[j] + {last}[{before}][j] - {last}[i][j];\n",
        rows.cells(halo)
    );
    format!(
        "static void tiled_{seed}(int n, const double *in, double *out) {{
  double {arrays};
#pragma scop
  {}
    {} {{
{body}    }}
#pragma endscop
}}
",
        rows.tiles(),
        columns.tiles(),
    )
}

/// What computes the cells of a row that others read.
fn first(random: &mut Random, columns: &Axis) -> String {
    let cells = columns.cells(0);
    match random.between(0, 3) {
        0 => format!(
            "        {cells} {{\n          a[i][j] = in[i];\n          if (in[j] > 1) a[i][j] -= in[j];\n        }}\n"
        ),
        1 => format!("        {cells}\n          a[i][j] = in[j] > in[i] ? in[i] : 1;\n"),
        _ => format!("        {cells}\n          a[i][j] = in[i] - in[j] * 0.25;\n"),
    }
}
