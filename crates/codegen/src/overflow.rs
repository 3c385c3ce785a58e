//! Whether a condition, computed as `long`, may overflow.
//!
//! Interval arithmetic: each variable has all values between the ends of its range, and each operation all that its operands
//! allow. Nothing is known of how variables belong together, so that more overflows than really does. That is safe: what may
//! overflow gets bounds (`huge.rs`).
//!
//! Example: `m >= n + 3` may overflow for `n` of all that a `long` holds, and cannot for `n` up to 10^12.

use crate::tokens::{Kind, Token, tokens};

/// The least and the largest value.
pub(crate) type Range = (i128, i128);

/// All that a `long` holds.
pub(crate) const LONG_RANGE: Range = (i64::MIN as i128, i64::MAX as i128);

const TRUTH: Range = (0, 1);

/// Whether a part of a condition may be past `long`, or cannot be read.
pub(crate) fn may_overflow(condition: &str, range: &dyn Fn(&str) -> Range) -> bool {
    let tokens = tokens(condition, &(0..condition.len()));
    let mut reader = Reader { rest: &tokens, range };
    reader.choice().is_none() || !reader.rest.is_empty()
}

/// Reads from the left; `None` where a value may be past `long`.
struct Reader<'a> {
    rest: &'a [Token<'a>],
    range: &'a dyn Fn(&str) -> Range,
}

impl Reader<'_> {
    /// `a ? b : c`.
    fn choice(&mut self) -> Option<Range> {
        let value = self.truth()?;
        if !self.takes("?") {
            return Some(value);
        }
        let value = self.choice()?;
        if !self.takes(":") {
            return None;
        }
        Some(hull(value, self.choice()?))
    }

    fn truth(&mut self) -> Option<Range> {
        let mut value = self.comparison()?;
        while self.takes("||") || self.takes("&&") {
            self.comparison()?;
            value = TRUTH;
        }
        Some(value)
    }

    /// What is past `long` is unsigned, and makes the other operand so.
    fn comparison(&mut self) -> Option<Range> {
        let value = self.sum()?;
        if !["<=", ">=", "==", "!=", "<", ">"].iter().any(|sign| self.takes(sign)) {
            return Some(value);
        }
        let other = self.sum()?;
        let are_long = within(value).and(within(other)).is_some();
        (are_long || value.0.min(other.0) >= 0).then_some(TRUTH)
    }

    fn sum(&mut self) -> Option<Range> {
        let mut value = self.product()?;
        loop {
            value = match (self.takes("+"), self.takes("-")) {
                (true, false) => add(value, self.product()?)?,
                (false, true) => add(value, negative(self.product()?)?)?,
                (false, false) => return Some(value),
                (true, true) => return None,
            };
        }
    }

    fn product(&mut self) -> Option<Range> {
        let mut value = self.factor()?;
        loop {
            if self.takes("*") {
                value = multiply(value, self.factor()?)?;
            } else if self.takes("/") || self.takes("%") {
                self.factor()?;
                value = hull(value, (0, 0));
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<Range> {
        if self.takes("-") {
            return negative(self.factor()?);
        }
        if self.takes("(long)") {
            return self.factor().map(|value| within(value).unwrap_or(LONG_RANGE));
        }
        if self.takes("(") {
            let value = self.choice()?;
            return self.takes(")").then_some(value);
        }
        let (first, rest) = self.rest.split_first().filter(|(first, _)| first.kind == Kind::Word)?;
        self.rest = rest;
        if first.text.starts_with(|c: char| c.is_ascii_digit()) {
            let value = i128::from(first.text.trim_end_matches('u').parse::<u64>().ok()?);
            return Some((value, value));
        }
        Some((self.range)(first.text))
    }

    /// Goes on behind a sign if it is the next one.
    fn takes(&mut self, sign: &str) -> bool {
        let signs = tokens(sign, &(0..sign.len()));
        let is_next = self.rest.len() >= signs.len() && self.rest.iter().zip(&signs).all(|(a, b)| a.text == b.text);
        if is_next {
            self.rest = &self.rest[signs.len()..];
        }
        is_next
    }
}

fn within(range: Range) -> Option<Range> {
    (range.0 >= LONG_RANGE.0 && range.1 <= LONG_RANGE.1).then_some(range)
}

fn hull(a: Range, b: Range) -> Range {
    (a.0.min(b.0), a.1.max(b.1))
}

fn negative(a: Range) -> Option<Range> {
    within(a).and(within((-a.1, -a.0)))
}

fn add(a: Range, b: Range) -> Option<Range> {
    within(hull(a, b)).and(within((a.0 + b.0, a.1 + b.1)))
}

fn multiply(a: Range, b: Range) -> Option<Range> {
    within(hull(a, b))?;
    let ends = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
    within((*ends.iter().min()?, *ends.iter().max()?))
}

#[cfg(test)]
mod tests {
    use super::{LONG_RANGE, may_overflow};

    /// `i` is an `int`, `s` at most 10^12, `z` a `size_t`; `n` and `m` may be any `long`.
    fn overflows(condition: &str) -> bool {
        let int = i128::from(i32::MAX);
        may_overflow(condition, &|name| match name {
            "i" => (-int - 1, int),
            "s" => (1, 1_000_000_000_000),
            "z" => (0, u64::MAX.into()),
            _ => LONG_RANGE,
        })
    }

    #[test]
    fn sums_of_the_largest_sizes_overflow() {
        let past = ["m >= n + 3", "m >= 2 * n", "s <= 3 || -n >= m", "m >= (s >= 3 ? n : 3) - 1", "n + s >= 3"];
        assert!(past.iter().all(|condition| overflows(condition)));
        assert!(overflows("10000000 * s >= m") && overflows("m >= min(n, s)") && overflows("m >= 3 +"));
    }

    #[test]
    fn numbers_past_long_are_compared_with_unsigned_sizes() {
        let most = "18446744073709551613u";
        assert!(!overflows(&format!("z <= {most}")) && !overflows(&format!("s <= {most}")));
        assert!(overflows(&format!("(long)z <= {most}")) && overflows(&format!("n <= {most}")));
        assert!(overflows("z + 1 >= s") && overflows("(long)z + 1 >= s") && !overflows("(long)z >= s + 1"));
    }

    #[test]
    fn comparisons_and_sums_of_small_sizes_do_not() {
        let held =
            ["n >= 3", "m >= n", "m == n || i <= -3", "n % 2 == 0", "m >= 3 * (long)i + 2", "m >= s + (i - 3) / 2"];
        assert!(held.iter().all(|condition| !overflows(condition)));
        assert!(!overflows("m >= (s <= 20 ? 20 : 4 * s) + 1 && n >= 3"));
    }
}
