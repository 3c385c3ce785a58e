//! What a bound is at most, or at least, while the counters around go through a tile.
//!
//! A bound that grows with a counter is largest where the counter is: at the tile's last iteration, for a loop that goes up. So in the head
//! of a loop of tiles each counter of the band stands for one end of its tile:
//!
//! ```text
//! for (j = i + 1; j < n; j++)      begins at i = it            for (jt = it + 1; jt < n; jt += 32)
//! for (j = 0; j <= i; j++)         ends at the last i          for (jt = 0; jt <= (n < it + 32 ? n : it + 32) - 1; jt += 32)
//! ```
//!
//! Nothing here has to be right: more tiles than are needed are empty, and with fewer the proof of the order fails.

use polyfold_scop::{Comparison, Condition, Expr, LoopId};

/// How an expression moves while a counter grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Course {
    Still,
    Up,
    Down,
}

impl Course {
    fn reversed(self) -> Course {
        match self {
            Course::Still => Course::Still,
            Course::Up => Course::Down,
            Course::Down => Course::Up,
        }
    }

    /// Of a sum, or of what is one of two; `None`: they go against each other.
    pub(super) fn with(self, other: Course) -> Option<Course> {
        match (self, other) {
            (Course::Still, course) | (course, Course::Still) => Some(course),
            (a, b) => (a == b).then_some(a),
        }
    }
}

/// How an expression moves with a counter; `None`: one way and the other, or it is not known.
pub(super) fn course(e: &Expr, counter: LoopId) -> Option<Course> {
    match e {
        Expr::Constant(_) | Expr::Parameter(_) => Some(Course::Still),
        Expr::Iterator(id) => Some(if *id == counter { Course::Up } else { Course::Still }),
        Expr::Add(a, b) => course(a, counter)?.with(course(b, counter)?),
        Expr::Scale(factor, inner) => match factor.signum() {
            0 => Some(Course::Still),
            1 => course(inner, counter),
            _ => course(inner, counter).map(Course::reversed),
        },
        Expr::Divide(inner, _) => course(inner, counter),
        Expr::Remainder(inner, _) => course(inner, counter).filter(|course| *course == Course::Still),
        Expr::Select(condition, a, b) => {
            let both = course(a, counter)?.with(course(b, counter)?)?;
            let is_one_of_them = |x: &Expr, y: &Expr| (x == &**a && y == &**b) || (x == &**b && y == &**a);
            match &**condition {
                Condition::Compare(x, _, y) if is_one_of_them(x, y) => Some(both),
                other => (widening(other, counter)? == Course::Still).then_some(both),
            }
        }
    }
}

/// How a counter has to move for a condition to hold more often; `None` as for [`course`].
pub(super) fn widening(condition: &Condition, counter: LoopId) -> Option<Course> {
    match condition {
        Condition::Compare(a, comparison, b) => {
            let (a, b) = (course(a, counter)?, course(b, counter)?);
            match comparison {
                Comparison::Less | Comparison::LessEqual => b.with(a.reversed()),
                Comparison::Greater | Comparison::GreaterEqual => a.with(b.reversed()),
                Comparison::Equal | Comparison::NotEqual => a.with(b).filter(|course| *course == Course::Still),
            }
        }
        Condition::All(parts) | Condition::Any(parts) => {
            parts.iter().try_fold(Course::Still, |all, part| all.with(widening(part, counter)?))
        }
        Condition::Not(inner) => widening(inner, counter).map(Course::reversed),
        Condition::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn i() -> Expr {
        Expr::Iterator(LoopId(0))
    }

    #[test]
    fn sums_move_as_their_parts_do() {
        assert_eq!(course(&i().scale(2).add(Expr::Constant(1)), LoopId(0)), Some(Course::Up));
        assert_eq!(course(&i().scale(-1), LoopId(0)), Some(Course::Down));
        assert_eq!(course(&i().scale(-1), LoopId(1)), Some(Course::Still));
        assert_eq!(course(&Expr::Remainder(Box::new(i()), 3), LoopId(0)), None);
        let against = Expr::Add(Box::new(i()), Box::new(i().scale(-2)));
        assert_eq!(course(&against, LoopId(0)), None);
    }

    #[test]
    fn bounds_widen_towards_one_end() {
        let j = || Expr::Iterator(LoopId(1));
        let up = Condition::Compare(j(), Comparison::LessEqual, i());
        assert_eq!(widening(&up, LoopId(0)), Some(Course::Up));
        let down = Condition::Compare(j().add(i()), Comparison::Less, Expr::Constant(9));
        assert_eq!(widening(&down, LoopId(0)), Some(Course::Down));
        assert_eq!(widening(&Condition::All(vec![up, down]), LoopId(0)), None);
        let least = Expr::Select(
            Box::new(Condition::Compare(i(), Comparison::Less, Expr::Constant(5))),
            Box::new(i()),
            Box::new(Expr::Constant(5)),
        );
        assert_eq!(course(&least, LoopId(0)), Some(Course::Up));
    }
}
