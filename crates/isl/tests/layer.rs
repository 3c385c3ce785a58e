//! The layer's own promises: errors are values, the work bound works, copies are independent.

use polyfold_isl::{CText, Context, ErrorKind, Map, PwAff, Set, dataflow};

#[test]
fn only_isls_own_words_are_called_isls() {
    let error = |kind| polyfold_isl::Error { kind, message: "no".to_string() }.to_string();
    assert_eq!((error(ErrorKind::Invalid).as_str(), error(ErrorKind::Refused).as_str()), ("isl: no", "no"));
}

#[test]
fn text_that_is_no_set_is_an_error_and_the_context_goes_on() {
    let ctx = Context::new();
    assert_eq!(Set::read(&ctx, "{ [i : }").unwrap_err().kind, ErrorKind::Invalid);
    assert!(Set::read(&ctx, "{ [i] : 0 <= i < 3 }").is_ok());
    assert!(Set::read(&ctx, "{ [i]\0 }").is_err());
}

#[test]
fn spaces_that_do_not_match_are_an_error() {
    let ctx = Context::new();
    let (a, b) = (Set::read(&ctx, "{ A[i] }").unwrap(), Set::read(&ctx, "{ B[i, j] }").unwrap());
    assert!(a.union(&b).is_err());
}

#[test]
fn the_work_bound_ends_work_and_is_then_lifted() {
    let ctx = Context::new();
    let text = "[n] -> { [i, j, k] : 0 <= i, j < n and exists (a, b : 3a = i + j and 5b = k + a and 0 <= b <= n) }";
    let work = || {
        let set = Set::read(&ctx, text)?;
        set.subtract(&set.fix(0, 1)?)?.lexmin()
    };
    assert_eq!(ctx.with_quota(50, work).unwrap_err().kind, ErrorKind::Quota);
    assert!(ctx.with_quota(10_000_000, work).is_ok());
    assert!(work().is_ok());
    let nested = || {
        ctx.with_quota(10_000_000, || Ok(()))?;
        work()
    };
    assert_eq!(ctx.with_quota(50, nested).unwrap_err().kind, ErrorKind::Quota, "the outer bound holds again");
    let nested = || ctx.with_quota(10_000_000, work);
    assert_eq!(ctx.with_quota(50, nested).unwrap_err().kind, ErrorKind::Quota, "and all along");
    assert!(work().is_ok());
}

#[test]
fn past_the_bound_sets_are_still_printed() {
    let ctx = Context::new();
    let set = Set::read(&ctx, "[n] -> { [i] : 0 <= i < n }").unwrap();
    let text = set.to_string();
    let work = || {
        assert!(
            (0..100)
                .any(|_| set.subtract(&set.fix(0, 1).unwrap_or(set.clone())).and_then(|rest| rest.lexmin()).is_err()),
            "the bound is reached"
        );
        assert_eq!(set.to_string(), text);
        Ok(())
    };
    assert!(ctx.with_quota(50, work).is_ok());
}

#[test]
fn steps_within_a_bound_within_a_bound_count_for_both() {
    let ctx = Context::new();
    let [all, some] = ["{ [i] : 0 <= i < 3 }", "{ [i] : i = 1 }"].map(|text| Set::read(&ctx, text).unwrap());
    let step = |_| all.subtract(&some).map(drop);
    let work = |times: usize| (0..times).try_for_each(step);
    let costs = |times: usize| (1..).find(|bound| ctx.with_quota(*bound, || work(times)).is_ok()).unwrap();
    let (once, four_times) = (costs(1), costs(4));
    assert!(four_times > 2 * once);
    let nested = || (0..4).try_for_each(|_| ctx.with_quota(u64::MAX, || work(1)));
    assert!(ctx.with_quota(four_times, nested).is_ok(), "no more than they are");
    assert_eq!(ctx.with_quota(four_times - 1, nested).unwrap_err().kind, ErrorKind::Quota, "and no fewer");
    let deeper = || ctx.with_quota(four_times, || nested().and_then(|()| work(1)));
    assert_eq!(ctx.with_quota(2 * four_times, deeper).unwrap_err().kind, ErrorKind::Quota);
    let swallowed = || ctx.with_quota(once, || work(4)).or_else(|_| work(4));
    assert!(ctx.with_quota(once + four_times, swallowed).is_ok(), "what the inner bound leaves is left");
    assert!(ctx.with_quota(four_times, swallowed).is_err());
    assert!(ctx.with_quota(once, || ctx.with_quota(2 * once, || work(4)).or_else(|_| work(1))).is_err());
    assert!(work(1).is_ok());
}

#[test]
fn a_text_is_read_once() {
    let ctx = Context::new();
    let text = "{ [i] : 0 <= i < 3 }";
    let set = Set::read(&ctx, text).unwrap();
    assert!(ctx.with_quota(1, || Set::read(&ctx, text)).unwrap().is_equal(&set).unwrap());
    let others = ctx.with_quota(1, || Map::read(&ctx, "{ [i] -> [i] }"));
    assert_eq!(others.unwrap_err().kind, ErrorKind::Quota);
}

#[test]
fn points_samples_and_values() {
    let ctx = Context::new();
    let set = Set::read(&ctx, "[n] -> { [i, j] : 0 <= i < n and 0 <= j <= i }").unwrap();
    let mut points = set.at(&[("n", 2), ("unused", 7)]).unwrap().points().unwrap();
    points.sort();
    assert_eq!(points, [[0, 0], [1, 0], [1, 1]]);
    assert!(set.points().is_err(), "parametric and unbounded");
    let (parameters, point) = set.sample().unwrap().unwrap();
    assert!(point[0] < parameters[0] && point[1] <= point[0]);
    assert_eq!(Set::read(&ctx, "{ [i] : false }").unwrap().sample().unwrap(), None);
    let sizes = Set::read(&ctx, "[n] -> { : n = 7 }").unwrap();
    assert_eq!(sizes.sample().unwrap(), Some((vec![7], vec![])));
    assert_eq!(set.dim_max(1).unwrap().eval(&[("n", 0)]).unwrap(), None);
    assert_eq!(
        Set::read(&ctx, "{ [i] : 0 <= i <= 5000000000 }").unwrap().dim_max_value(0).unwrap(),
        Some(5_000_000_000)
    );
}

/// What a translation calls its coordinates and summand is no parameter.
#[test]
fn translations_by_parameters_of_any_name() {
    for name in ["s", "x0", "x1", "n"] {
        let ctx = Context::new();
        let read = |text: &str| Set::read(&ctx, &text.replace('N', name)).unwrap();
        let shift = ["[N] -> { [(N)] }", "[N] -> { [(2N + 1)] }"];
        let shift = shift.map(|text| PwAff::read(&ctx, &text.replace('N', name)).unwrap());
        let moved = read("[N] -> { [i, j] : 0 <= i < N && j = i }").translated(&shift).unwrap();
        assert!(moved.is_equal(&read("[N] -> { [i, j] : N <= i < 2N && j = i + N + 1 }")).unwrap(), "{name}");
    }
}

#[test]
fn merging_changes_no_set_relation_or_function() {
    let ctx = Context::new();
    let set = Set::read(
        &ctx,
        "[n] -> { [i] : 0 <= i <= n; [i] : n < i <= 2n and n >= 0; [i] : exists e : i = 3e and i < 0 }",
    );
    let set = set.unwrap();
    let merged = set.coalesce().unwrap();
    assert!(merged.pieces().unwrap() < set.pieces().unwrap() && merged.is_equal(&set).unwrap());
    let function = PwAff::read(&ctx, "[n] -> { [(n)] : n >= 3; [(n)] : 0 <= n <= 2; [(-n)] : n = -5 }").unwrap();
    let merged = function.coalesce().unwrap();
    assert_eq!(merged.pieces().unwrap().len(), 2);
    for n in -7..6 {
        assert_eq!(merged.eval(&[("n", n)]).unwrap(), function.eval(&[("n", n)]).unwrap(), "n = {n}");
    }
}

#[test]
fn conditions_and_values_print_as_c() {
    let ctx = Context::new();
    let context = Set::read(&ctx, "[n] -> { : n >= 1 }").unwrap();
    let c = CText::new(&context).unwrap();
    assert_eq!(c.condition(&Set::read(&ctx, "[n] -> { : n >= 3 }").unwrap()).unwrap(), "n >= 3");
    assert_eq!(c.value(&PwAff::read(&ctx, "[n] -> { [(2n + 1)] }").unwrap()).unwrap(), "2 * n + 1");
}

#[test]
fn dataflow_finds_the_last_write_before_each_read() {
    let ctx = Context::new();
    let writes = Map::read(&ctx, "{ [i, 0] -> A[0] : 0 <= i < 5 }").unwrap();
    let reads = Map::read(&ctx, "{ [i, 1] -> A[0] : 0 <= i < 5; [-1, 0] -> A[0] }").unwrap();
    let flow = dataflow(std::slice::from_ref(&reads), std::slice::from_ref(&writes), &[]).unwrap();
    let expected = Map::read(&ctx, "{ [i, 0] -> [[i, 1] -> A[0]] : 0 <= i < 5 }").unwrap();
    assert!(flow.unwrap().is_equal(&expected).unwrap());
}

/// What one statement writes after another one, in turns, and perhaps; the answer is the same again, and to one relation for all.
#[test]
fn dataflow_between_statements() {
    let ctx = Context::new();
    let read = |text: &str| Map::read(&ctx, text).unwrap();
    let reads = [read("[n] -> { [1, i, 2] -> A[i] : 0 <= i < n }"), read("[n] -> { [2, i, 0] -> A[i] : 0 <= i <= n }")];
    let musts =
        [read("[n] -> { [0, i, 0] -> A[i] : 0 <= i < n }"), read("[n] -> { [1, i, 1] -> A[i + 1] : 0 <= i < n }")];
    let may = [read("[n] -> { [1, i, 3] -> A[i] : 0 <= i < n and n > 5 }")];
    let certain = "[n] -> { [0, 0, 0] -> [[1, 0, 2] -> A[0]] : n > 0;
        [1, i, 1] -> [[1, i + 1, 2] -> A[i + 1]] : 0 <= i < n - 1;
        [0, 0, 0] -> [[2, 0, 0] -> A[0]] : n > 0; [1, i, 1] -> [[2, i + 1, 0] -> A[i + 1]] : 0 <= i < n }";
    let perhaps = read("[n] -> { [1, i, 3] -> [[2, i, 0] -> A[i]] : 0 <= i < n and n > 5 }");
    let all = |maps: &[Map]| vec![maps[0].union(&maps[1]).unwrap()];
    for (reads, musts) in
        [(reads.to_vec(), musts.to_vec()), (reads.to_vec(), musts.to_vec()), (all(&reads), all(&musts))]
    {
        assert!(dataflow(&reads, &musts, &[]).unwrap().unwrap().is_equal(&read(certain)).unwrap());
        let with_may = dataflow(&reads, &musts, &may).unwrap().unwrap();
        assert!(with_may.is_equal(&read(certain).union(&perhaps).unwrap()).unwrap());
    }
    let later = [read("[n] -> { [3, i, 0] -> A[i] : 0 <= i < n }")];
    for _ in 0..2 {
        assert!(dataflow(&reads, &later, &[]).unwrap().is_none());
        assert!(dataflow(&reads, &[], &later).unwrap().is_none());
    }
    assert!(dataflow(&reads, &[], &[]).unwrap().is_none());
    assert!(dataflow(&reads, &[], &may).unwrap().unwrap().is_equal(&perhaps).unwrap());
}

#[test]
fn a_relation_between_several_spaces_is_read_as_several() {
    let ctx = Context::new();
    let text = "[n] -> { T[i] -> S[j] : i < n; S[i] -> T[i, k] : 0 <= k; S[i] -> T[i, k] : k = -5 }";
    let maps = Map::read_each(&ctx, text).unwrap();
    let names: Vec<_> = maps.iter().map(|map| map.tuple_names()).collect();
    let pair = |a: &str, b: &str| (Some(a.to_string()), Some(b.to_string()));
    assert_eq!(names, [pair("S", "T"), pair("T", "S")]);
    assert_eq!(maps[1].dimension_names().unwrap(), (vec![Some("i".to_string())], vec![Some("j".to_string())]));
    let pieces = maps[0].wrap().unwrap().convex_pieces().unwrap();
    assert_eq!(pieces.len(), 2);
    let all = pieces[0].union(&pieces[1]).unwrap();
    assert!(all.is_equal(&maps[0].wrap().unwrap()).unwrap());
    assert_eq!(Map::read_each(&ctx, "{ S[i] -> }").unwrap_err().kind, ErrorKind::Invalid);
    assert!(Map::read_each(&ctx, "{ }").unwrap().is_empty());
}

#[test]
fn loops_visit_points_in_the_order_of_a_schedule() {
    use polyfold_isl::{Ast, AstExpr, Operation};
    let ctx = Context::new();
    let schedule = ["[n] -> { S[i, j] -> [j, i, 0] : 0 <= i < j < n }", "[n] -> { T[j] -> [j, j, 1] : 0 < j < n }"];
    let schedule = schedule.map(|text| Map::read(&ctx, text).unwrap());
    let context = Set::read(&ctx, "[n] -> { : n >= 2 }").unwrap();
    let names = ["col".to_string(), "row".to_string()];
    let name = |name: &str| AstExpr::Name(name.to_string());
    let less = |a, b| AstExpr::Operation(Operation::Less, vec![a, b]);
    let inner = Ast::For {
        dimension: 1,
        iterator: "row".to_string(),
        first: AstExpr::Number(0),
        condition: less(name("row"), name("col")),
        step: 1,
        body: Box::new(Ast::Point { name: "S".to_string(), coordinates: vec![name("row"), name("col")] }),
    };
    let last = Ast::Point { name: "T".to_string(), coordinates: vec![name("col")] };
    let expected = Ast::For {
        dimension: 0,
        iterator: "col".to_string(),
        first: AstExpr::Number(1),
        condition: less(name("col"), name("n")),
        step: 1,
        body: Box::new(Ast::Block(vec![inner, last])),
    };
    assert_eq!(Ast::of(&schedule, &context, &names).unwrap(), expected);
    let wrong = Map::read(&ctx, "[n] -> { T[j] -> [j] }").unwrap();
    assert!(Ast::of(&[schedule[0].clone(), wrong], &context, &names).is_err());
}

/// Each context has its own `n`: isl would make `[n, n'] -> …` of two.
#[test]
fn values_of_two_contexts_do_not_mix() {
    type Mix = fn(&Set, &Set);
    let text = "[n] -> { [i] : 0 <= i < n }";
    let mixes: [(&str, Mix); 4] = [
        ("intersect", |a, b| drop(a.intersect(b))),
        ("is_subset", |a, b| drop(a.is_subset(b))),
        ("apply", |a, b| drop(a.apply(&b.identity().unwrap()))),
        ("condition", |a, b| drop(CText::new(&a.params().unwrap()).unwrap().condition(&b.params().unwrap()))),
    ];
    for (name, mix) in mixes {
        let [one, own, other] = [Context::new(), Context::new(), Context::new()];
        let [a, b] = [&one, &other].map(|ctx| Set::read(ctx, text).unwrap());
        let mixed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| mix(&a, &b)));
        let message = mixed.unwrap_err().downcast::<&str>().unwrap();
        assert_eq!(*message, "values of two isl contexts are mixed", "{name}");
        let [a, b] = [&own, &own].map(|ctx| Set::read(ctx, text).unwrap());
        mix(&a, &b);
    }
}
