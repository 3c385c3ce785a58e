//! Values by name, worked out by hand.

use crate::support::{array, scop};
use polyfold_flow::{Expansion, Model, time_loops};
use polyfold_isl::{Context, Map};

/// Three-point averages with two grids; cells 0 and n - 1 of the first one never change.
const PING_PONG: &str = "
  for (int i = 0; i < n; i++)
    t[i] = x[i];
  for (int k = 0; k < n; k++) {
    for (int i = 1; i < n - 1; i++)
      u[i] = t[i - 1] + t[i] + t[i + 1];
    for (int i = 1; i < n - 1; i++)
      t[i] = u[i];
  }
  for (int i = 0; i < n; i++)
    y[i] = t[i];
";

/// What each access is called, by class, statement and place among its accesses.
fn names(expansion: &Expansion) -> Vec<(usize, usize, usize, String)> {
    let classes = expansion.classes.iter().enumerate();
    let mut all: Vec<_> = classes
        .flat_map(|(k, class)| class.accesses.iter().map(move |a| (a.statement.0, a.access, k, a.name.to_string())))
        .collect();
    all.sort();
    all
}

#[test]
fn reads_have_the_names_of_what_they_get() {
    let (ctx, scop) = (Context::new(), scop(PING_PONG));
    let model = Model::build(&ctx, &scop).expect("a model");
    let ids = [array(&scop, "t"), array(&scop, "u")];
    let time = time_loops(&scop.body).nth(1).map(|l| l.id);
    let expansion =
        Expansion::of(&model, &ids, time, 0, usize::MAX).expect("it is decided").expect("t is written in every turn");
    let is = |statement: usize, at: usize, cell: &str, expected: &str| {
        let found = names(&expansion).into_iter().filter(|(s, a, ..)| (*s, *a) == (statement, at));
        let context =
            Map::read(&ctx, &format!("[n] -> {{ S{statement}[k, i] -> [v, c] : n >= 3 and {cell} }}")).unwrap();
        let mut all: Option<Map> = None;
        for (.., name) in found {
            let name = Map::read(&ctx, &name).unwrap().intersect(&context).unwrap();
            all = Some(all.map_or(Ok(name.clone()), |all| all.union(&name)).unwrap());
        }
        let expected = Map::read(&ctx, expected).unwrap().intersect(&context).unwrap();
        let all = all.expect("the access has names");
        assert!(all.is_equal(&expected).unwrap(), "{all} is not {expected}");
    };
    // The last turn but v: what u[i] reads was written one turn earlier, at the ends in front of the loop.
    is(1, 0, "c >= 1", "[n] -> { S1[k, i] -> [n - k, i - 1] : 0 <= k < n and 2 <= i < n - 1 }");
    is(1, 0, "c = 0", "[n] -> { S1[k, 1] -> [n, 0] : 0 <= k < n }");
    is(2, 1, "c >= 1", "[n] -> { S2[k, i] -> [n - 1 - k, i] : 0 <= k < n and 1 <= i < n - 1 }");
}

#[test]
fn cells_are_split_by_what_writes_and_reads_them() {
    let (ctx, scop) = (Context::new(), scop(PING_PONG));
    let model = Model::build(&ctx, &scop).expect("a model");
    let ids = [array(&scop, "t"), array(&scop, "u")];
    let time = time_loops(&scop.body).nth(1).map(|l| l.id);
    let expansion =
        Expansion::of(&model, &ids, time, 0, usize::MAX).expect("it is decided").expect("t is written in every turn");
    let of =
        |id| expansion.classes.iter().filter(|class| class.array == id).map(|class| class.moves).collect::<Vec<_>>();
    let mut t = of(ids[0]);
    t.sort_unstable();
    assert_eq!(t, [false, false, true], "the ends, and what lies between them");
    assert_eq!(of(ids[1]), [true]);
}

/// Of three cells, no neighbour reads the one between the ends.
#[test]
fn small_sizes_alone_are_no_class_of_their_own() {
    let step = PING_PONG.replace("t[i - 1] + t[i] + t[i + 1]", "t[i - 1] + t[i + 1]");
    let (ctx, scop) = (Context::new(), scop(&step));
    let model = Model::build(&ctx, &scop).expect("a model");
    let time = time_loops(&scop.body).nth(1).map(|l| l.id);
    let expansion = Expansion::of(&model, &[array(&scop, "t")], time, 0, usize::MAX).expect("it is decided");
    let mut moves: Vec<bool> = expansion.expect("t is written in every turn").classes.iter().map(|c| c.moves).collect();
    moves.sort_unstable();
    assert_eq!(moves, [false, false, true]);
}

#[test]
fn nothing_is_named_where_data_decides_or_no_turn_writes_again() {
    let conditional = PING_PONG.replace("      t[i] = u[i];", "      if (x[i] > 0)\n        t[i] = u[i];");
    for text in [
        conditional.as_str(),
        "  for (int i = 0; i < n; i++)\n    t[i] = x[i];\n  for (int i = 0; i < n; i++)\n    y[i] = t[i];\n",
    ] {
        let (ctx, scop) = (Context::new(), scop(text));
        let model = Model::build(&ctx, &scop).expect("a model");
        for l in time_loops(&scop.body) {
            let expansion =
                Expansion::of(&model, &[array(&scop, "t")], Some(l.id), 0, usize::MAX).expect("it is decided");
            assert!(expansion.is_none(), "{text}");
        }
    }
}
