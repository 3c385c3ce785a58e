//! Regions for local memory, and loops around them.

use polyfold_frontend::{LocalRegion, Options, instrument, local_regions, parse_around, parse_region};
use polyfold_scop::{Scop, Span};

const TILES: &str = "void f(int n, int T, double s[n], double a[n]) {
#pragma scop
  for (int it = 0; it < (n + T - 1) / T; it++) {
    s[it] = 0; // begins
#pragma polyfold local
    for (int i = it * T; i < it * T + T; i++)
      s[it] += a[i];
  }
#pragma endscop
}
";

fn options() -> Options {
    Options { local: true, ..Options::default() }
}

/// The regions of a text, and the places of its loops from the outermost one on.
fn places(text: &str) -> (Vec<LocalRegion>, Vec<Span>) {
    let (regions, _) = local_regions(text);
    let parsed = parse_region(text, &instrument(text), &options(), (&regions[0], &regions));
    let around = parsed.scops[0].surroundings.as_deref().expect("it is read with what is around");
    (regions, around.loops.iter().rev().filter(|own| own.takes_lines).map(|own| own.span.clone()).collect())
}

/// The outermost loop around the regions of a text, as it is read.
fn outermost(text: &str) -> Option<Scop> {
    let (regions, places) = places(text);
    parse_around(text, &instrument(text), &options(), (&places[0], &regions))
}

#[test]
fn a_loop_around_a_region_is_one_program() {
    let whole = outermost(TILES).expect("it is understood");
    let program = whole.program.expect("all of it is").to_string();
    let body: Vec<&str> = program.lines().map(str::trim).skip_while(|line| !line.starts_with("for")).collect();
    let [head, beside, block, inner, sum, ..] = body[..] else { panic!("{program}") };
    assert!(head.starts_with("for let it") && beside.contains("s[it] = 0"), "{program}");
    assert!(block.starts_with("with") && inner.contains("it * T") && sum.contains("s[it] + a[i]"), "{program}");
    assert_eq!(whole.written.expect("it is written").whole, &TILES[whole.span.clone()]);
}

#[test]
fn what_a_region_has_from_outside_is_a_size() {
    let named = TILES
        .replace("s[it] = 0;", "int from = it * T;")
        .replace("int i = it * T; i < it * T + T", "int i = from; i < from + T");
    for value in ["it * T", "(int)s[it]"] {
        let program = outermost(&named.replacen("it * T", value, 1)).and_then(|whole| whole.program);
        let program = program.unwrap_or_else(|| panic!("{value} is understood"));
        assert!(program.parameter("from").is_some() && program.parameter("T").is_some(), "{program}");
    }
}

#[test]
fn what_is_beside_a_region_has_to_be_understood() {
    assert!(outermost(&TILES.replace("s[it] = 0;", "if (s[it] > 0) s[it] = 0;")).is_some());
    // Data decides where the loop ends.
    assert!(outermost(&TILES.replace("s[it] = 0;", "for (int k = 0; k < s[it]; k++) a[0] = k;")).is_none());
}

#[test]
fn directives_in_a_loop_and_about_it_take_no_lines_in_front() {
    let count = |from: &str, to: &str| places(&TILES.replacen(from, to, 1)).1.len();
    assert_eq!(count("", ""), 1);
    assert_eq!(count("// begins", "/*\n# no directive\n*/"), 1);
    assert_eq!(count("// begins", "\n#pragma GCC ivdep"), 0);
    assert_eq!(count("  for (int it", "#pragma unroll /* twice */\n  for (int it"), 0);
    assert_eq!(count("  for (int it", "#pragma unroll\n  // or not\n  for (int it"), 0);
    assert_eq!(count("      s[it] +=", "#pragma unroll\n      s[it] +="), 1, "what a region holds may stay");
}
