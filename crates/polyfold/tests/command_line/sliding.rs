//! `--emit fast` with `--room`: rings of values that slide down through a few cells more, at the turns around each move.

use super::forms::{Function, all_agree};

/// Sizes without an inside, and with some; there are 7 cells to slide in, 8 at 100.
const SIZES: &str = "-2, 0, 1, 2, 3, 4, 5, 9, 62, 63, 100";
const TURNS: &str = "-1, 0, 1, 2, 6, 7, 8, 9, 10, 15, 16, 17, 24, 40";

/// Some cells more.
const ROOM: &[&str] = &["--room", "10"];

const TO_AND_FRO: &str = "  for (int i = 0; i <= n + 1; i++) q[i] = in[i];
  for (int s = 0; s < t; s++) {
    for (int i = 1; i <= n; i++) p[i] = q[i - 1] + 0.5 * q[i] + q[i + 1];
    for (int i = 1; i <= n; i++) q[i] = p[i];
  }
  for (int i = 0; i <= n + 1; i++) out[i] = q[i];";

fn grids() -> Function<'static> {
    Function {
        name: "grids",
        locals: "double p[n + 3], q[n + 3];",
        body: TO_AND_FRO,
        n: SIZES,
        t: TURNS,
        says: &["!_ % _"],
    }
}

#[test]
fn a_window_moves_back_when_it_reaches_the_end() {
    let two_away = "  for (int i = 0; i <= n + 2; i++) q[i] = in[i];
  for (int s = 3; s <= t; s++) {
    for (int i = 2; i <= n; i++) p[i] = q[i - 2] + 0.5 * q[i - 1] + q[i + 2];
    for (int i = 2; i <= n; i++) q[i] = p[i];
  }
  for (int i = 0; i <= n + 2; i++) out[i] = q[i];";
    let down = TO_AND_FRO
        .replace("s = 0; s < t; s++", "s = t; s > 0; s--")
        .replace("i = 1; i <= n; i++", "i = n; i >= 1; i--");
    let with_a_sum = "  double sum;
  for (int i = 0; i <= n + 1; i++) q[i] = in[i];
  for (int s = 0; s < t; s++) {
    sum = 0;
    for (int i = 1; i <= n; i++) { p[i] = 0.3 * (q[i - 1] + q[i + 1]); sum += p[i] * q[i]; }
    out[299] = sum;
    for (int i = 1; i <= n; i++) q[i] = p[i];
  }
  for (int i = 0; i <= n + 1; i++) out[i] = q[i];";
    let of_two_types = "  for (int i = 0; i <= n + 1; i++) { q[i] = in[i]; b[i] = in[i]; }
  for (int s = 0; s < t; s++) {
    for (int i = 1; i <= n; i++) p[i] = 0.3 * (q[i - 1] + q[i + 1]);
    for (int i = 1; i <= n; i++) q[i] = p[i];
    for (int i = 1; i <= n; i++) a[i] = b[i] - b[i + 1] + b[i - 1];
    for (int i = 1; i <= n; i++) b[i] = a[i];
  }
  for (int i = 0; i <= n + 1; i++) out[i] = q[i] + b[i];";
    let numbers = TO_AND_FRO.replace("i <= n", "i <= 60");
    let functions = [
        grids(),
        Function { name: "two_away", body: two_away, says: &["!_ % _"], ..grids() },
        Function { name: "down", body: &down, says: &["!_ % _"], ..grids() },
        Function { name: "with_a_sum", body: with_a_sum, says: &["!_ % _"], ..grids() },
        Function {
            name: "of_two_types",
            locals: "double p[n + 3], q[n + 3];\n  float a[n + 3], b[n + 3];",
            body: of_two_types,
            says: &["!_ % _"],
            ..grids()
        },
        Function {
            name: "numbers",
            locals: "double p[63], q[63];\n  (void)n;",
            body: &numbers,
            n: "60",
            says: &["!_ % _"],
            ..grids()
        },
    ];
    all_agree("sliding", &functions, ROOM);
}

/// Turns without anything in them count, too.
#[test]
fn a_window_moves_in_turns_that_do_nothing() {
    let body = TO_AND_FRO
        .replace("s++) {", "s++) {\n    if (s != 3) {")
        .replace("  }\n  for (int i = 0; i <= n + 1; i++) out", "    }\n  }\n  for (int i = 0; i <= n + 1; i++) out");
    all_agree("sliding_idle", &[Function { body: &body, says: &[], ..grids() }], ROOM);
}

#[test]
fn other_forms_and_elements_keep_the_ring() {
    let ring = Function { says: &["_ % p_values_size"], ..grids() };
    all_agree("ring_plain", std::slice::from_ref(&ring), &["--emit", "plain", "--room", "10"]);
    let bools = TO_AND_FRO.replace("in[i]", "in[i] > 3").replace("q[i - 1] + 0.5 * q[i] +", "q[i - 1] !=");
    let bools = Function { name: "bools", locals: "_Bool p[n + 3], q[n + 3];", body: &bools, ..ring.clone() };
    all_agree("ring_of_bools", &[bools], ROOM);
    all_agree("ring_without_room", &[ring], &[]);
}
