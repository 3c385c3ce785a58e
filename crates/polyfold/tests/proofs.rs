//! What a proof needs is its own array's, for all of its sizes, and what is printed rests on no more than was proved.

use crate::kernels;
use crate::support;
use crate::support::code::has;
use polyfold_alloc::{HostedProposal, Mapping, Method, Proposal, SharedMember};
use polyfold_codegen::{Decisions, Dialect, ProvedForms, SizesInC, TextLimits, rewrite};
use polyfold_flow::{Expansion, Model, NamedAccess, time_loops};
use polyfold_isl::{Context, Map, PwAff, Set};
use polyfold_lattice::{LinearMapping, linear_mappings};
use polyfold_live::{CrossDifferences, DifferenceSet, Host, Lifetimes, Precision, conflicts};
use polyfold_plan::{BufferNames, Optimized, Options, Outcome, Scope, SharedBuffer, Slack, optimize, with_new_storage};
use polyfold_prove::{GuestFacts, HostedFacts, Placed, Refusal, verify, verify_hosted, verify_names};
use polyfold_scop::{ArrayId, Scop, StatementId};

fn solved(ctx: &Context, scop: &Scop) -> Optimized {
    let options = Options {
        method: None,
        scope: Scope::Intra,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: 200_000_000,
        slack: Slack::NONE,
        text: TextLimits::default(),
        in_strips: false,
    };
    optimize(ctx, scop, &options, &mut |_| {}).expect("the kernel is small")
}

#[test]
fn facts_about_other_arrays_or_fewer_sizes_prove_nothing() {
    let (ctx, scop) = (Context::new(), support::scop(kernels::DURBIN));
    let (y, sum) = (scop.array_named("y").unwrap(), scop.array_named("sum").unwrap());
    let model = Model::build(&ctx, &scop).unwrap();
    let small = Model::build(&ctx, &scop).unwrap().within(&Set::read(&ctx, "[n] -> { : n <= 3 }").unwrap()).unwrap();
    let facts = |model: &Model, array| {
        let found = conflicts(&Lifetimes::of(model, array).unwrap(), Precision::Cell).unwrap();
        DifferenceSet::of(&ctx, found, 2).unwrap()
    };
    let result = solved(&ctx, &scop);
    let storage = |id| {
        result.outcomes.iter().find_map(|(other, outcome)| match outcome {
            Outcome::Mapped { storage, .. } if *other == id => Some(storage.get().clone()),
            _ => None,
        })
    };
    let storage = storage(y).expect("it shrinks");
    assert!(verify(storage.clone(), &facts(&model, y), &model.context).unwrap().is_ok());
    assert!(verify(storage.clone(), &facts(&small, y), &small.context).unwrap().is_ok());
    let refused = |facts: DifferenceSet| {
        matches!(verify(storage.clone(), &facts, &model.context).unwrap(), Err(Refusal::Unrelated))
    };
    assert!(refused(facts(&model, sum)) && refused(facts(&small, y)));
}

/// t may live in y moved by −1; u is alive beside it; x is never written, z only in part.
const GUESTS: &str = "void f(int n, int x[n], int y[n], int z[n]) {
  int t[n + 1], u[n];
#pragma scop
  for (int i = 0; i < n; i++)
    t[i + 1] = x[i];
  for (int i = 0; i < n; i++)
    u[i] = t[i + 1] + t[n - i];
  for (int i = 0; i < n; i++)
    y[i] = t[i + 1] + u[i];
  for (int i = 1; i < n; i++)
    z[i] = y[i];
#pragma endscop
}
";

#[test]
fn guests_are_proved_where_their_host_has_room() {
    let (ctx, scop) = (Context::new(), support::scop(GUESTS));
    let array = |name: &str| scop.array_named(name).unwrap();
    let all = Model::build(&ctx, &scop).unwrap();
    let small = Model::build(&ctx, &scop).unwrap().within(&Set::read(&ctx, "[n] -> { : n <= 3 }").unwrap()).unwrap();
    let member = |(name, shift): &(&str, i64)| {
        let shift = vec![PwAff::read(&ctx, &format!("{{ [({shift})] }}")).unwrap()];
        SharedMember::shifted(array(name), shift)
    };
    let verdict = |model: &Model, about: (&str, &[&str]), host: &str, guests: &[(&str, i64)]| {
        let ids: Vec<ArrayId> = about.1.iter().map(|name| array(name)).collect();
        let (facts, lifetimes) = Host::with_guests(model, array(about.0), &ids).unwrap();
        let known = lifetimes.iter().enumerate().map(|(k, guest)| GuestFacts {
            stay: facts.stay_of(guest).unwrap(),
            earlier: (lifetimes[..k].iter())
                .map(|earlier| CrossDifferences::of(earlier, guest, Precision::Value).unwrap())
                .collect(),
        });
        let known: Vec<GuestFacts> = known.collect();
        let facts = HostedFacts { guests: &known, context: &all.context };
        let proposal = HostedProposal { host: array(host), guests: guests.iter().map(member).collect() };
        verify_hosted(proposal, &facts).unwrap().map(|_| ())
    };
    let alone = |host, guest, shift| verdict(&all, (host, &[guest]), host, &[(guest, shift)]);
    assert!(alone("y", "t", -1).is_ok() && alone("y", "u", 0).is_ok());
    assert!(matches!(alone("y", "t", 0), Err(Refusal::NoRoom)));
    for host in ["x", "z"] {
        assert!(matches!(alone(host, "t", -1), Err(Refusal::NoRoom)), "{host}");
    }
    let both = verdict(&all, ("y", &["t", "u"]), "y", &[("t", -1), ("u", 0)]);
    assert!(matches!(both, Err(Refusal::Clash(_))));
    let unrelated = [
        verdict(&all, ("y", &["u"]), "y", &[("t", -1)]),
        verdict(&all, ("z", &["t"]), "y", &[("t", -1)]),
        verdict(&all, ("y", &["t"]), "y", &[("t", -1), ("u", 0)]),
        verdict(&small, ("y", &["t"]), "y", &[("t", -1)]),
    ];
    assert!(unrelated.iter().all(|refused| matches!(refused, Err(Refusal::Unrelated))), "{unrelated:?}");
}

/// The verdict on one guest of a host.
fn guest(source: &str, host: &str, shift: &[i64], change: impl FnOnce(&mut SharedMember)) -> Result<(), Refusal> {
    let (ctx, scop) = (Context::new(), support::scop(source));
    let [t, host] = ["t", host].map(|name| scop.array_named(name).unwrap());
    let model = Model::build(&ctx, &scop).unwrap();
    let (facts, lifetimes) = Host::with_guests(&model, host, &[t]).unwrap();
    let guests = [GuestFacts { stay: facts.stay_of(&lifetimes[0]).unwrap(), earlier: Vec::new() }];
    let shift = shift.iter().map(|shift| PwAff::read(&ctx, &format!("{{ [({shift})] }}")).unwrap());
    let mut member = SharedMember::shifted(t, shift.collect());
    change(&mut member);
    let proposal = HostedProposal { host, guests: vec![member] };
    verify_hosted(proposal, &HostedFacts { guests: &guests, context: &model.context }).unwrap().map(|_| ())
}

#[test]
fn guests_are_refused_for_what_is_wrong_with_them() {
    let moved = |shift: &[i64]| guest(GUESTS, "y", shift, |_| {});
    assert!(moved(&[-1]).is_ok());
    let turned = guest(GUESTS, "y", &[-1], |member| member.rows = vec![vec![-1]]);
    assert!(matches!(turned, Err(Refusal::NotShifted)), "{turned:?}");
    assert!(
        matches!(moved(&[-1, 0]), Err(Refusal::OtherDimensions)) && matches!(moved(&[]), Err(Refusal::OtherDimensions))
    );
    let never_written = GUESTS.replace("t[i + 1] = x[i]", "t[i + 1] += x[i]");
    let read_first = guest(&never_written, "y", &[-1], |_| {});
    assert!(matches!(read_first, Err(Refusal::ReadFirst)), "{read_first:?}");
    let perhaps = GUESTS.replace("y[i] = t[i + 1]", "if (x[i] > 0) y[i] = t[i + 1]");
    let parallel = GUESTS.replace("#pragma scop", "#pragma scop\n#pragma omp parallel for");
    let called = GUESTS.replace("= x[i];", "= next(x[i]);");
    for source in [perhaps, parallel, called] {
        let verdict = guest(&source, "y", &[-1], |_| {});
        assert!(matches!(verdict, Err(Refusal::NoRoom)), "{verdict:?} of {source}");
    }
}

/// A triangle of which all cells are alive at once.
const TRIANGLE: &str = "void f(int n, int x[n]) {
  int t[n][n];
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      t[i][j] = x[i] + x[j];
  for (int i = 0; i < n; i++)
    for (int j = 0; j <= i; j++)
      x[j] += t[i][j];
#pragma endscop
}
";

/// A row that grows is proved for its sizes and its differences only.
#[test]
fn rows_that_grow_are_refused_elsewhere() {
    let (ctx, scop) = (Context::new(), support::scop(TRIANGLE));
    let model = Model::build(&ctx, &scop).unwrap();
    let array = scop.array_named("t").unwrap();
    let found = conflicts(&Lifetimes::of(&model, array).unwrap(), Precision::Cell).unwrap();
    let differences = DifferenceSet::of(&ctx, found, 2).unwrap();
    let row = |set: &Set| linear_mappings(set, ("n", 2, 1), &[], &|_| None).unwrap().remove(0);
    let is_proved = |mapping: LinearMapping, sizes: &str| {
        let context = model.context.intersect(&Set::read(&ctx, sizes).unwrap()).unwrap();
        let proposal =
            Proposal { array, mapping: Mapping::Linear(mapping), begins: Vec::new(), method: Method::Lattice };
        verify(proposal, &differences, &context).unwrap().is_ok()
    };
    let own = row(differences.set());
    assert!(is_proved(own.clone(), "[n] -> { : n >= 1 and n mod 2 = 1 }"));
    assert!(!is_proved(own.clone(), "[n] -> { : n >= 1 and (n mod 2 = 1 or n = 30) }"));
    assert!(!is_proved(own, "[n] -> { : n >= 1 }"));
    let fewer = row(&Set::read(&ctx, "[n] -> { [i, j] : -n < 2i < n and -n < 2j < n and -n < 2i - 2j < n }").unwrap());
    assert!(fewer.is_consistent() && !is_proved(fewer, "[n] -> { : n >= 1 and n mod 2 = 1 }"));
}

/// One cell of `t` is enough.
const TEXT: &str = "void f(int n, int x[n]) {
  int t[n];
#pragma scop
  for (int i = 0; i < n; i++) {
    t[i] = x[i];
    x[i] = t[i] + 1;
  }
#pragma endscop
}
";

struct Printed {
    scop: Scop,
    result: Optimized,
    mapped: Vec<Placed>,
}

impl Printed {
    fn of(ctx: &Context) -> Printed {
        let scop = support::scop(TEXT);
        let result = solved(ctx, &scop);
        let placed = |(_, outcome): &(_, Outcome)| match outcome {
            Outcome::Mapped { storage, .. } => Some(storage.place().clone()),
            _ => None,
        };
        let mapped = result.outcomes.iter().filter_map(placed).collect();
        Printed { scop, result, mapped }
    }

    fn rewrite(&self, known: &Set, proved: &Set) -> polyfold_isl::Result<String> {
        let names = SizesInC::to_read(proved, &self.result.parameters, &self.scop)?;
        let of_storage = |_: &Placed| "t".to_string();
        let buffers = BufferNames { of_storage: &of_storage, of_values: &of_storage, of_locals: &str::to_string };
        let decisions = Decisions {
            scop: &self.scop,
            parameters: &self.result.parameters,
            names: &names,
            mapped: self.mapped.clone(),
            values: Vec::new(),
            value_buffers: Vec::new(),
            removed: Vec::new(),
            dead: Vec::<StatementId>::new(),
            known,
            proved,
            program: with_new_storage(&self.scop, &self.result, &buffers)?,
            in_windows: None,
            facts: Vec::new(),
            form: polyfold_codegen::Form::Plain,
            forms: ProvedForms::default(),
        };
        rewrite(TEXT, &[decisions], Dialect::C).map(|rewritten| rewritten.text)
    }
}

#[test]
fn the_test_on_sizes_implies_what_was_proved() {
    let ctx = Context::new();
    let mut printed = Printed::of(&ctx);
    let known = printed.result.known.clone();
    let [few, more] = ["[n] -> { : 1 <= n <= 9 }", "[n] -> { : 1 <= n <= 99 }"].map(|t| Set::read(&ctx, t).unwrap());
    assert!(has(&printed.rewrite(&known, &more).unwrap(), "if (n <= 99) _; else _;"));
    let scop = printed.scop.clone();
    let model = Model::build(&ctx, &scop).unwrap();
    let id = scop.array_named("t").unwrap();
    let found = conflicts(&Lifetimes::of(&model, id).unwrap(), Precision::Cell).unwrap();
    let differences = DifferenceSet::of(&ctx, found, 1).unwrap();
    let proposal = printed.result.outcomes.iter().find_map(|(_, outcome)| match outcome {
        Outcome::Mapped { storage, .. } => Some(storage.get().clone()),
        _ => None,
    });
    printed.mapped =
        vec![verify(proposal.unwrap(), &differences, &few).unwrap().expect("it is proved").place().clone()];
    assert!(has(&printed.rewrite(&known, &few).unwrap(), "if (n <= 9) _; else _;"));
    assert!(printed.rewrite(&known, &more).unwrap_err().message.contains("nothing is proved"));
    assert!(printed.rewrite(&known, &known).unwrap_err().message.contains("nothing is proved"));
}

/// Smoothing with two rows, of which the second is copied back.
const TWO_ROWS: &str = "void f(int n, int T, double in[n], double out[n]) {
  double now[n], next[n];
#pragma scop
  for (int i = 0; i < n; i++)
    now[i] = in[i];
  for (int t = 0; t < T; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = now[i - 1] + now[i] + now[i + 1];
    for (int i = 1; i < n - 1; i++)
      now[i] = next[i];
  }
  for (int i = 0; i < n; i++)
    out[i] = now[i];
#pragma endscop
}
";

/// The storage of a program.
fn found(ctx: &Context, scop: &Scop, text: &str) -> Optimized {
    let options = Options {
        method: None,
        scope: Scope::Inter,
        sizes: Vec::new(),
        assumptions: Vec::new(),
        max_operations: 2_000_000_000,
        slack: Slack::NONE,
        text: TextLimits::of(text, scop),
        in_strips: false,
    };
    optimize(ctx, scop, &options, &mut |_| {}).unwrap()
}

/// The places of all members of buffers.
fn places(result: &Optimized) -> Vec<Placed> {
    let of_buffer = |buffer: &SharedBuffer| {
        let members = 0..buffer.storage.get().members.len();
        members.map(|member| buffer.storage.place(member).clone()).collect::<Vec<_>>()
    };
    result.buffers.iter().flat_map(of_buffer).collect()
}

/// Three levels of time in three grids that take turns; both levels in front of the loop are read.
const TURNS: &str = "
void f(int n, int T, unsigned x[n]) {
  unsigned u[3][n];
#pragma scop
  for (int i = 0; i < n; i++) {
    u[0][i] = x[i];
    u[1][i] = 2 * x[i];
  }
  for (int t = 1; t < T; t++)
    for (int i = 0; i < n; i++)
      u[(t + 1) % 3][i] = u[t % 3][i] - u[(t - 1) % 3][i];
  for (int i = 0; i < n; i++)
    x[i] = u[T % 3][i];
#pragma endscop
}
";

#[test]
fn a_name_belongs_to_one_cell() {
    let (ctx, scop) = (Context::new(), support::scop(TURNS));
    let model = Model::build(&ctx, &scop).unwrap();
    let u = scop.array_named("u").unwrap();
    let time = time_loops(&scop.body).nth(1).map(|l| l.id);
    let expansion = || Expansion::of(&model, &[u], time, 0, usize::MAX).unwrap().expect("it is written in every turn");
    let result = found(&ctx, &scop, TURNS);
    let places = places(&result);
    assert!(verify_names(&expansion(), u, &places).unwrap().is_some(), "as it was found");

    // Both levels in front of the loop under one name, for writes and reads alike.
    let mut merged = expansion();
    let as_one =
        Map::read(&ctx, "[T] -> { [v, z, c] -> [w, z, c] : w <= v and w < T and (w = v or w = T - 1) }").unwrap();
    for access in merged.classes.iter_mut().flat_map(|class| &mut class.accesses) {
        access.name = access.name.apply_range(&as_one).unwrap();
    }
    assert!(verify_names(&merged, u, &places).unwrap().is_none(), "u[0][i] and u[1][i] have one name");
}

/// An expansion as it was found, and places that are proved for its classes.
fn expanded<'s>(model: &Model<'s>, result: &Optimized) -> (Expansion<'s>, Vec<Placed>) {
    let ids: Vec<ArrayId> = ["next", "now"].iter().filter_map(|name| model.scop.array_named(name)).collect();
    let time = time_loops(&model.scop.body).nth(1).map(|l| l.id);
    let expansion = Expansion::of(model, &ids, time, 0, usize::MAX).unwrap().expect("both are written in every turn");
    (expansion, places(result))
}

#[test]
fn values_live_only_where_each_read_names_what_it_gets() {
    let (ctx, scop) = (Context::new(), support::scop(TWO_ROWS));
    let model = Model::build(&ctx, &scop).unwrap();
    let result = found(&ctx, &scop, TWO_ROWS);
    let now = scop.array_named("now").unwrap();
    let (expansion, places) = expanded(&model, &result);
    assert!(verify_names(&expansion, now, &places).unwrap().is_some(), "as it was found");
    assert!(verify_names(&expansion, now, &[]).unwrap().is_none(), "values without a place");
    let read = |class: &polyfold_flow::ValueClass| {
        let is_read = |a: &NamedAccess| scop.statement(a.statement).accesses[a.access].is_read();
        class.accesses.iter().position(is_read)
    };
    let moving = expansion.classes.iter().position(|class| class.array == now && class.moves).expect("the inner cells");
    let at = read(&expansion.classes[moving]).expect("they are read");

    let (mut late, _) = expanded(&model, &result);
    let one_turn_off = Map::read(&ctx, "{ [v, c] -> [v + 1, c] }").unwrap();
    let access = &mut late.classes[moving].accesses[at];
    access.name = access.name.apply_range(&one_turn_off).unwrap();
    assert!(verify_names(&late, now, &places).unwrap().is_none(), "a read of the turn before");

    let (mut missing, _) = expanded(&model, &result);
    missing.classes[moving].accesses.remove(at);
    assert!(verify_names(&missing, now, &places).unwrap().is_none(), "a read without a name");

    let (mut twice, _) = expanded(&model, &result);
    let again = twice.classes[moving].accesses[at].clone();
    let border = twice.classes.iter().position(|class| class.array == now && !class.moves).expect("the ends");
    twice.classes[border].accesses.push(again);
    assert!(verify_names(&twice, now, &places).unwrap().is_none(), "a read with two names");
}
