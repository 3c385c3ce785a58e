//! Expansion with hide sets.
//!
//! A call's arguments are expanded by themselves and put into the body, and the result is scanned again together with what
//! follows it. Each token carries the macros it came from, its hide set, and is not expanded by those; so expansion ends.
//!
//! Example: with `#define f(x) g(x)` and `#define g(x) f(x) + 1`, `f(2)` becomes `f(2) + 1`: the inner `f` hides f and g.
//!
//! Paper: the algorithm is Prosser's ("Complete Macro Expansion Algorithm", X3J11/86-196).
//!
//! Limit: `__VA_OPT__` and the GNU comma rule are not known.

use super::{Macro, MacroTable, Parameters, Piece, join, pieces};
use crate::lex::{TokenKind, tokens};
use std::collections::VecDeque;
use std::rc::Rc;

const STEP_LIMIT: usize = 50_000;

/// Long texts may take more steps.
const STEPS_PER_TOKEN: usize = 50;

impl MacroTable {
    /// Expands everything, including names that could stay; for types.
    pub(crate) fn expand_all(&self, text: &str) -> Option<String> {
        self.run(pieces(text), &|_| false).map(|p| join(&p))
    }

    /// Expands `input` fully, except for names that stay. `None`: the expansion is too long.
    pub(crate) fn expand(&self, input: Vec<Piece>) -> Option<Vec<Piece>> {
        self.run(input, &|name| self.stays(name))
    }

    /// What the compiler makes of `text`, `_Pragma` operators left out. `None`: the expansion is too long.
    pub fn compiled(&self, text: &str) -> Option<Vec<Piece>> {
        Some(without_pragmas(self.run(pieces(text), &|_| false)?))
    }

    fn run(&self, input: Vec<Piece>, stays: &dyn Fn(&str) -> bool) -> Option<Vec<Piece>> {
        let mut steps = STEP_LIMIT.max(input.len().saturating_mul(STEPS_PER_TOKEN));
        self.rescan(input.into(), stays, &mut steps)
    }

    fn rescan(
        &self,
        mut input: VecDeque<Piece>,
        stays: &dyn Fn(&str) -> bool,
        steps: &mut usize,
    ) -> Option<Vec<Piece>> {
        let mut output = Vec::new();
        while let Some(piece) = input.pop_front() {
            *steps = steps.checked_sub(1)?;
            let found = self.macros.get(&piece.text).filter(|_| piece.kind == TokenKind::Word);
            let found = found.filter(|_| !piece.hidden.iter().any(|h| **h == *piece.text) && !stays(&piece.text));
            let Some(found) = found else {
                output.push(piece);
                continue;
            };
            let mut hidden = piece.hidden.clone();
            let Some(arguments) = take_arguments(found, &mut input, &mut hidden) else {
                output.push(piece);
                continue;
            };
            hidden.push(Rc::from(piece.text.as_str()));
            let mut body = self.substitute(found, &arguments, stays, steps)?;
            *steps = steps.checked_sub(body.len())?;
            for new in &mut body {
                new.hidden.extend(hidden.iter().cloned());
            }
            if let Some(first) = body.first_mut() {
                first.spaced = piece.spaced;
            }
            for new in body.into_iter().rev() {
                input.push_front(new);
            }
        }
        Some(output)
    }

    fn substitute(
        &self,
        definition: &Macro,
        arguments: &[Vec<Piece>],
        stays: &dyn Fn(&str) -> bool,
        steps: &mut usize,
    ) -> Option<Vec<Piece>> {
        let body = pieces(&definition.body);
        let parameter = |piece: Option<&Piece>| {
            let names = &definition.parameters.as_ref()?.names;
            let position = names.iter().position(|name| piece.is_some_and(|p| p.text == *name))?;
            arguments.get(position)
        };
        let mut output: Vec<Piece> = Vec::new();
        let mut at = 0;
        while at < body.len() {
            let piece = &body[at];
            let pastes = |index: usize| body.get(index).is_some_and(|p: &Piece| p.text == "##");
            if piece.text == "#" && definition.parameters.is_some() && parameter(body.get(at + 1)).is_some() {
                let text = parameter(body.get(at + 1)).map_or(String::new(), |a| join(a));
                output.push(quoted(&text, piece.spaced));
                at += 2;
                continue;
            }
            if pastes(at) && at > 0 && at + 1 < body.len() {
                let next = parameter(body.get(at + 1)).cloned().unwrap_or_else(|| vec![body[at + 1].clone()]);
                paste(&mut output, next);
                at += 2;
                continue;
            }
            match parameter(Some(piece)) {
                Some(argument) if pastes(at + 1) => output.extend(argument.iter().cloned()),
                Some(argument) => output.extend(self.argument(argument, piece.spaced, stays, steps)?),
                None => output.push(piece.clone()),
            }
            at += 1;
        }
        Some(output)
    }

    /// An argument, expanded by itself.
    fn argument(
        &self,
        argument: &[Piece],
        spaced: bool,
        stays: &dyn Fn(&str) -> bool,
        steps: &mut usize,
    ) -> Option<Vec<Piece>> {
        let mut expanded = self.rescan(argument.to_vec().into(), stays, steps)?;
        if let Some(first) = expanded.first_mut() {
            first.spaced = spaced;
        }
        Some(expanded)
    }
}

fn without_pragmas(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut kept = Vec::new();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        if piece.text == "_Pragma" && pieces.peek().is_some_and(|next| next.text == "(") {
            pieces.find(|piece| piece.text == ")");
        } else {
            kept.push(piece);
        }
    }
    kept
}

fn quoted(text: &str, spaced: bool) -> Piece {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    Piece { text: format!("\"{escaped}\""), kind: TokenKind::Quoted, spaced, hidden: Vec::new() }
}

fn paste(output: &mut Vec<Piece>, mut next: Vec<Piece>) {
    if next.is_empty() {
        return;
    }
    if let Some(left) = output.pop() {
        let text = format!("{}{}", left.text, next[0].text);
        let kind = tokens(&text).first().map_or(left.kind, |t| t.kind);
        next[0] = Piece { text, kind, spaced: left.spaced, hidden: left.hidden };
    }
    output.extend(next);
}

/// Takes a call's arguments from the front of `input`, and what they do not hide from `hidden`; `None`: it is no call.
fn take_arguments(called: &Macro, input: &mut VecDeque<Piece>, hidden: &mut Vec<Rc<str>>) -> Option<Vec<Vec<Piece>>> {
    let Some(parameters) = &called.parameters else { return Some(Vec::new()) };
    let (arguments, length) = call_arguments(input, parameters)?;
    let close = &input[length - 1];
    hidden.retain(|h| close.hidden.contains(h));
    input.drain(..length);
    Some(arguments)
}

/// The arguments of a call whose `(` is at the front of `input`, and how many tokens they take.
fn call_arguments(input: &VecDeque<Piece>, parameters: &Parameters) -> Option<(Vec<Vec<Piece>>, usize)> {
    if input.front()?.text != "(" {
        return None;
    }
    let mut arguments = vec![Vec::new()];
    let mut depth = 0;
    for (index, piece) in input.iter().enumerate() {
        let open_ended = parameters.variadic && arguments.len() == parameters.names.len();
        match piece.text.as_str() {
            "(" => depth += 1,
            ")" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some((arguments, index + 1));
        }
        match piece.text.as_str() {
            "," if depth == 1 && !open_ended => arguments.push(Vec::new()),
            "(" if index == 0 => {}
            _ => arguments.last_mut()?.push(piece.clone()),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expand(lines: &[&str], text: &str) -> String {
        let lines: Vec<String> = lines.iter().map(|l| l.to_string()).collect();
        join(&MacroTable::new(&lines).expand(pieces(text)).unwrap())
    }

    #[test]
    fn arguments_are_expanded_and_results_rescanned() {
        let lines = ["#define AT(a,r,c) a[r][c]", "#define MAX(a,b) ((a) > (b) ? (a) : (b))", "#define N 10"];
        assert_eq!(expand(&lines, "AT(B, i, MAX(j, N))"), "B[i][((j) > (N) ? (j) : (N))]");
    }

    #[test]
    fn polybench_style() {
        let lines = [
            "#define POLYBENCH_LOOP_BOUND(x,y) y",
            "#define _PB_N POLYBENCH_LOOP_BOUND(N,n)",
            "#define SCALAR_VAL(x) x##f",
            "#define C_RESTRICT restrict",
            "#define POLYBENCH_2D(v,d1,d2,dd1,dd2) v[C_RESTRICT d1 + 0][d2 + 0]",
        ];
        assert_eq!(expand(&lines, "_PB_N - SCALAR_VAL(0.2)"), "n - 0.2f");
        assert_eq!(expand(&lines, "POLYBENCH_2D(A,N,M,n,m)"), "A[restrict N + 0][M + 0]");
    }

    #[test]
    fn a_macro_is_not_expanded_inside_itself() {
        assert_eq!(expand(&["#define f(x) g(x)", "#define g(x) f(x) + 1"], "f(2)"), "f(2) + 1");
        assert_eq!(expand(&["#define S(...) t(#__VA_ARGS__, __VA_ARGS__)"], "S(a, b)"), "t(\"a, b\", a, b)");
    }

    #[test]
    fn explosions_are_cut() {
        let mut lines = vec!["#define X0(a) a a".to_string()];
        lines.extend((1..40).map(|k| format!("#define X{k}(a) X{}(a a)", k - 1)));
        assert!(MacroTable::new(&lines).expand(pieces("X39(1)")).is_none());
    }
}
