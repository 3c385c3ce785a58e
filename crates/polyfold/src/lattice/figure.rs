//! A drawing of a set in the plane with a lattice on it, as self-contained SVG.
//!
//! Differences are dots (class `d`), lattice points larger rings (class `l`), with the cell of a reduced basis and the
//! axes. Where there are too many dots, rows of neighbours are lines (class `r`); where there are too many of these, too,
//! the outline of the hull is drawn.
//!
//! Paper: Bee, Figure 2(b).

use super::Scene;
use std::fmt::Write;

/// Larger extents are drawn as lines.
const MOST_DOTS_ACROSS: i64 = 30;

/// More lines are replaced by the outline.
const MOST_LINES: usize = 5_000;

/// A lattice with more points in the picture is not drawn point by point.
const MOST_LATTICE_POINTS: i64 = 4_000;

/// Width and height of the picture's inside, in pixels, at most.
const ROOM: (f64, f64) = (860.0, 640.0);

/// Pixels from one point to the next, at most.
const STEP: f64 = 26.0;

/// Around the inside; below it there is room for two lines of text as well.
const MARGIN: f64 = 50.0;

/// The drawing; `None` unless the set has two dimensions.
pub fn figure(scene: &Scene) -> Option<String> {
    let [_, _] = scene.names.as_slice() else { return None };
    let plot = Plot::new(scene);
    let mut out = plot.head();
    plot.axes(&mut out);
    plot.differences(&mut out);
    plot.cell(&mut out);
    plot.lattice_points(&mut out);
    plot.legend(&mut out);
    out += "</svg>\n";
    Some(out)
}

type Point = [i64; 2];

struct Plot<'a> {
    scene: &'a Scene,
    basis: [Point; 2],
    /// Largest coordinates of the picture.
    reach: Point,
    /// Pixels per unit.
    scale: [f64; 2],
}

impl<'a> Plot<'a> {
    fn new(scene: &'a Scene) -> Plot<'a> {
        let rows = scene.lattice.basis();
        let extents = scene.differences.extents();
        let units = [0, 1].map(|k| extents[k] as f64 + 1.0);
        let [a, b] = reduced([[rows[0][0], rows[0][1]], [rows[1][0], rows[1][1]]], units);
        // Some lattice points outside show that none is inside.
        let wide = [0, 1].map(|k| extents[k] + extents[k] / 8 + 1);
        let beyond = |b: &Point| -> i64 { [0, 1].map(|k| (corner(a, *b)[k].abs() - wide[k]).max(0)).iter().sum() };
        let b = [b, b.map(|c| -c)].into_iter().min_by_key(beyond).unwrap_or(b);
        let leftwards = corner(a, b) < [0, 0];
        let basis = [a, b].map(|v| if leftwards { v.map(|c| -c) } else { v });
        let reach = [0, 1].map(|k| {
            let cell = [a, b, corner(a, b)].iter().map(|v| v[k].abs()).max().unwrap_or(0);
            wide[k].max(cell.min(2 * extents[k] + 4))
        });
        let fitting = [ROOM.0 / (2 * reach[0]) as f64, ROOM.1 / (2 * reach[1]) as f64].map(|s| s.min(STEP));
        let same = fitting[0].min(fitting[1]);
        // A flat set is stretched, or nothing of it could be seen.
        let scale = fitting.map(|fit| if same * 4.0 < fit { fit } else { same });
        Plot { scene, basis, reach, scale }
    }

    fn size(&self) -> (f64, f64) {
        let inside = [0, 1].map(|k| 2.0 * self.reach[k] as f64 * self.scale[k]);
        ((inside[0] + 2.0 * MARGIN).max(420.0), inside[1] + 2.0 * MARGIN + 44.0)
    }

    fn x(&self, value: f64) -> f64 {
        self.size().0 / 2.0 + value * self.scale[0]
    }

    fn y(&self, value: f64) -> f64 {
        MARGIN + (self.reach[1] as f64 - value) * self.scale[1]
    }

    fn at(&self, point: Point) -> (f64, f64) {
        (self.x(point[0] as f64), self.y(point[1] as f64))
    }

    fn head(&self) -> String {
        let (width, height) = self.size();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <title>{}</title>\n\
             <style>.d,.k{{fill:#3b6ea5}}.r{{stroke:#3b6ea5;stroke-linecap:round}}.l{{fill:none;stroke:#c0392b;\
             stroke-width:2}}.c{{fill:#f5d76e;fill-opacity:.45;stroke:#c79a00}}.a{{stroke:#999}}\
             .t{{fill:#777}}.h{{fill:#3b6ea5;fill-opacity:.35;stroke:#3b6ea5}}</style>\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
            escaped(&self.scene.mapping)
        )
    }

    fn axes(&self, out: &mut String) {
        let [across, up] = self.reach.map(|r| r as f64 + 0.5);
        let (x0, y0) = (self.x(0.0), self.y(0.0));
        let (left, right, top, bottom) = (self.x(-across), self.x(across), self.y(up), self.y(-up));
        let _ = writeln!(out, "<path class=\"a\" d=\"M{left:.1} {y0:.1}H{right:.1}M{x0:.1} {top:.1}V{bottom:.1}\"/>");
        for value in labels(self.reach[0]) {
            let x = self.x(value as f64);
            let _ = writeln!(
                out,
                "<path class=\"a\" d=\"M{x:.1} {bottom:.1}v4\"/>\
                 <text class=\"t\" x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{value}</text>",
                bottom + 17.0
            );
        }
        for value in labels(self.reach[1]) {
            let y = self.y(value as f64);
            let _ = writeln!(
                out,
                "<path class=\"a\" d=\"M{left:.1} {y:.1}h-4\"/>\
                 <text class=\"t\" x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{value}</text>",
                left - 6.0,
                y + 4.0
            );
        }
        let [first, second] = [0, 1].map(|k| escaped(&self.scene.names[k]));
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{first}</text>", right + 5.0, y0 + 4.0);
        let _ = writeln!(out, "<text x=\"{x0:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{second}</text>", top - 6.0);
    }

    /// The parallelogram of the basis at 0.
    fn cell(&self, out: &mut String) {
        let [a, b] = self.basis;
        let corners = [[0, 0], a, corner(a, b), b].map(|p| self.at(p));
        let points: Vec<String> = corners.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(out, "<polygon class=\"c\" points=\"{}\"/>", points.join(" "));
    }

    fn differences(&self, out: &mut String) {
        let all = || self.scene.differences.iter().map(|p| [p[0], p[1]]).chain([[0, 0]]);
        if self.scene.differences.extents().iter().all(|extent| *extent <= MOST_DOTS_ACROSS) {
            let radius = (self.scale[0].min(self.scale[1]) * 0.22).clamp(1.2, 4.0);
            for (x, y) in all().map(|p| self.at(p)) {
                let _ = writeln!(out, "<circle class=\"d\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>");
            }
            return;
        }
        let lines = self.lines(all());
        if lines.len() > MOST_LINES {
            let outline: Vec<String> =
                hull(all()).into_iter().map(|p| self.at(p)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
            let _ = writeln!(out, "<polygon class=\"h\" points=\"{}\"/>", outline.join(" "));
            return;
        }
        let across = self.across();
        let step = self.scale[1 - across];
        let width = if step < 3.0 { step * 1.05 } else { (step * 0.5).min(4.0) };
        for (from, to) in lines {
            let ((x1, y1), (x2, y2)) = (self.at(from), self.at(to));
            let _ = writeln!(
                out,
                "<line class=\"r\" stroke-width=\"{width:.2}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            );
        }
    }

    /// The axis along which lines run: the longer one.
    fn across(&self) -> usize {
        usize::from(self.reach[1] > self.reach[0])
    }

    /// Ends of rows of neighbours.
    fn lines(&self, points: impl Iterator<Item = Point>) -> Vec<(Point, Point)> {
        let (along, row) = (self.across(), 1 - self.across());
        let mut sorted: Vec<Point> = points.collect();
        sorted.sort_unstable_by_key(|p| (p[row], p[along]));
        let mut lines: Vec<(Point, Point)> = Vec::new();
        for point in sorted {
            match lines.last_mut() {
                Some((_, end)) if end[row] == point[row] && end[along] + 1 == point[along] => *end = point,
                _ => lines.push((point, point)),
            }
        }
        lines
    }

    fn lattice_points(&self, out: &mut String) {
        let radius = (self.scale[0].min(self.scale[1]) * 0.34).clamp(3.0, 7.0);
        for (x, y) in self.visible().into_iter().map(|p| self.at(p)) {
            let _ = writeln!(out, "<circle class=\"l\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>");
        }
    }

    /// Lattice points in the picture; 0 alone if there are too many.
    fn visible(&self) -> Vec<Point> {
        let [across, up] = self.reach.map(i128::from);
        let area = (2 * across + 1) * (2 * up + 1);
        let determinant = i128::from(self.scene.lattice.determinant());
        if area / determinant > i128::from(MOST_LATTICE_POINTS) {
            return vec![[0, 0]];
        }
        // In Hermite form the second vector is along the second axis.
        let rows = self.scene.lattice.basis();
        let (first, second) = (&rows[0], &rows[1]);
        let mut found = Vec::new();
        let most = self.reach[0] / first[0];
        for multiple in -most..=most {
            let start = (i128::from(multiple) * i128::from(first[1])).rem_euclid(i128::from(second[1])) as i64;
            let mut y = start - (start + self.reach[1]).div_euclid(second[1]) * second[1];
            while y <= self.reach[1] {
                found.push([multiple * first[0], y]);
                y += second[1];
            }
        }
        found
    }

    fn legend(&self, out: &mut String) {
        let (width, height) = self.size();
        let count = self.scene.differences.len() + 1;
        let cells = self.scene.lattice.determinant();
        let (first, second) = (height - 26.0, height - 9.0);
        let x = (width / 2.0 - 190.0).max(10.0);
        let _ = writeln!(
            out,
            "<circle class=\"k\" r=\"3.5\" cx=\"{x:.1}\" cy=\"{:.1}\"/>\
             <text x=\"{:.1}\" y=\"{first:.1}\">{count} differences of conflicting elements</text>\
             <circle class=\"l\" r=\"5\" cx=\"{x:.1}\" cy=\"{:.1}\"/>\
             <text x=\"{:.1}\" y=\"{second:.1}\">lattice of {}: {cells} cells</text>",
            first - 4.0,
            x + 12.0,
            second - 4.0,
            x + 12.0,
            escaped(&self.scene.mapping)
        );
    }
}

fn corner(a: Point, b: Point) -> Point {
    [a[0] + b[0], a[1] + b[1]]
}

/// Gauss's reduction, with lengths in the given units.
fn reduced([mut a, mut b]: [Point; 2], units: [f64; 2]) -> [Point; 2] {
    let product = |a: Point, b: Point| (0..2).map(|k| a[k] as f64 / units[k] * (b[k] as f64 / units[k])).sum::<f64>();
    loop {
        let quotient = (product(a, b) / product(a, a)).round() as i64;
        let shorter = [b[0] - quotient * a[0], b[1] - quotient * a[1]];
        if quotient == 0 || product(shorter, shorter) >= product(b, b) {
            return [a, b];
        }
        (a, b) = if product(shorter, shorter) < product(a, a) { (shorter, a) } else { (a, shorter) };
    }
}

/// Round values along an axis, about seven of them.
fn labels(reach: i64) -> Vec<i64> {
    let rough = (2 * reach / 7).max(1);
    let power = 10_i64.pow(rough.ilog10());
    let step = [1, 2, 5, 10].map(|m| m * power).into_iter().find(|step| *step >= rough).unwrap_or(rough);
    let most = reach / step;
    (-most..=most).map(|k| k * step).collect()
}

/// The corners of the convex hull in order.
fn hull(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let mut sorted: Vec<Point> = points.collect();
    sorted.sort_unstable();
    let mut corners = chain(sorted.iter().copied());
    let upper = chain(sorted.iter().rev().copied());
    corners.pop();
    corners.extend(upper);
    corners.pop();
    corners
}

/// Corners of one side of a hull, from sorted points.
fn chain(points: impl Iterator<Item = Point>) -> Vec<Point> {
    let turn = |a: Point, b: Point, c: Point| {
        let side = |p: i64, q: i64| i128::from(p) - i128::from(q);
        side(b[0], a[0]) * side(c[1], a[1]) - side(b[1], a[1]) * side(c[0], a[0])
    };
    let mut corners: Vec<Point> = Vec::new();
    for point in points {
        while corners.len() >= 2 && turn(corners[corners.len() - 2], corners[corners.len() - 1], point) <= 0 {
            corners.pop();
        }
        corners.push(point);
    }
    corners
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
