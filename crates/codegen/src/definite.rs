//! Whether each read stands behind a write, as a compiler can see.
//!
//! What the analysis proved, compilers do not know: where an array becomes a variable, they warn of `t = i == 0 ? 1 : t + 3`,
//! and of `t[0] = i == 0 ? 1 : t[0] + 3`, too, since they treat cells with fixed subscripts as variables; and of rings, `t[(i - 1) % 3]`,
//! once they have unrolled loops. Such storage gets a value where it is declared. As in a compiler, a loop may run not at all, and of
//! conditions nothing is known.

use polyfold_program::{BufferId, Int, Place, Stmt, Use};
use std::collections::HashSet;

/// Whether every read of a variable, or of a cell with fixed subscripts, surely comes behind a write.
///
/// With `all`, the number of cells that there are, every read of another cell does, too. It comes behind a write of the same subscripts,
/// though a counter may have changed, or behind writes of all cells.
pub(crate) fn is_written_before_read(body: &[Stmt], buffer: BufferId, all: Option<u64>) -> bool {
    let mut walk = Walk { buffer, all, exposed: false };
    walk.list(body, Written::default());
    !walk.exposed
}

/// Cells that are surely written, by their subscripts.
type Written<'a> = HashSet<&'a [Int]>;

struct Walk {
    buffer: BufferId,
    all: Option<u64>,
    /// Whether a read was seen that may come first.
    exposed: bool,
}

impl Walk {
    /// What is surely written behind the statements.
    fn list<'a>(&mut self, list: &'a [Stmt], written: Written<'a>) -> Written<'a> {
        list.iter().fold(written, |mut written, stmt| {
            self.own(stmt, &mut written);
            match stmt {
                Stmt::For(own) => {
                    self.list(&own.body, written.clone());
                    written
                }
                Stmt::If { then, other, .. } => {
                    let then = self.list(then, written.clone());
                    let mut both = self.list(other, written);
                    both.retain(|cell| then.contains(cell));
                    both
                }
                _ => written,
            }
        })
    }

    /// What a statement reads by itself, and then writes. It chooses one of several places where it writes: none is sure.
    fn own<'a>(&mut self, stmt: &'a Stmt, written: &mut Written<'a>) {
        let mut cells: Vec<(Use, &[Int])> = Vec::new();
        stmt.each_place(&mut |how, place| match place {
            Place::Cell { buffer, index } if *buffer == self.buffer => cells.push((how, index)),
            _ => {}
        });
        let mut reads = cells.iter().filter(|(how, _)| *how == Use::Read);
        self.exposed |= reads.any(|(_, cell)| !self.is_written(cell, written));
        let is_sure = match stmt {
            Stmt::Assign(own) => matches!(own.target, Place::Cell { .. }),
            _ => true,
        };
        let writes = cells.iter().filter(|(how, _)| *how == Use::Write && is_sure);
        written.extend(writes.map(|(_, cell)| *cell));
    }

    fn is_written(&self, cell: &[Int], written: &Written) -> bool {
        let are_all = |all| written.iter().filter(|cell| is_fixed(cell)).count() as u64 >= all;
        written.contains(cell) || !is_fixed(cell) && self.all.is_none_or(are_all)
    }
}

/// `t` or `t[0][1]`.
fn is_fixed(cell: &[Int]) -> bool {
    cell.iter().all(|e| matches!(e, Int::Constant(_)))
}

#[cfg(test)]
mod tests {
    use super::is_written_before_read;
    use polyfold_program::Program;

    #[test]
    fn compilers_see_writes_in_front_of_reads() {
        let is_fine = |body: &str, all: Option<u64>| {
            let text = format!("program p(n) {{ in A[n]; out B[n]; temporary t[3]; {body} }}");
            let program = Program::read(&text).expect("a program");
            is_written_before_read(&program.body, program.buffer("t").expect("a buffer"), all)
        };
        assert!(is_fine("S0(): t[0] = 1; for i = 0 while i < n step 1 { S1(i): B[i] = t[0]; }", None));
        assert!(!is_fine("for i = 0 while i < n step 1 { S0(i): t[0] = 1; } S1(): B[0] = t[0];", None));
        assert!(!is_fine("if (n > 1) { S0(): t[0] = 1; } S1(): B[0] = t[0];", None));
        assert!(is_fine("if (n > 1) { S0(): t[0] = 1; } else { S1(): t[0] = 2; } S2(): B[0] = t[0];", None));
        let ring = "for i = 0 while i < n step 1 { S0(i): t[i mod 3] = 1; S1(i): B[i] = t[(i + 1) mod 3]; }";
        assert!(is_fine(ring, None) && !is_fine(ring, Some(3)));
        let begun = format!("S2(): t[0] = 1; S3(): t[1] = 1; S4(): t[2] = 1; {ring}");
        assert!(is_fine(&begun, Some(3)));
    }
}
