//! What is printed reads back as the same program.

use polyfold_program::{
    Assign, Buffer, BufferId, Cond, Congruence, Copy, Element, Home, Int, IntOp, IntType, Invariant, Layout, Local,
    LocalId, LocalKind, LocalValue, Loop, Moment, Op, Opaque, Operand, Parameter, ParameterId, Place, Program, Range,
    Region, Relation, Role, Scalar, StatementId, Stmt, Touched, Value, With,
};
use proptest::prelude::*;

/// Two sizes n and m, a matrix A, a scalar s, rows in one dimension, two counters i and j, a pointer p, and two statements.
fn program(context: Vec<Cond>, body: Vec<Stmt>) -> Program {
    let int = |name: &str| Local { name: name.into(), kind: LocalKind::Integer, held: Some(IntType::INT) };
    // Names are known from where they first get a value.
    let begin = |local: usize, value: LocalValue| Stmt::Let { local: LocalId(local), value };
    let zero = || LocalValue::Integer(Int::Constant(0));
    let corner = Place::Cell { buffer: BufferId(0), index: vec![Int::Constant(0), Int::Constant(0)] };
    let begins = vec![begin(0, zero()), begin(1, zero()), begin(2, LocalValue::Address(corner))];
    let first = |statement: usize| {
        let (target, value) = (Place::Cell { buffer: BufferId(1), index: vec![] }, Value::number(0));
        Stmt::Assign(Assign { statement: StatementId(statement), at: vec![], declares: false, target, value })
    };
    Program {
        name: "p".into(),
        parameters: [("n", None), ("m", Some(1000))]
            .map(|(name, most)| Parameter { name: name.into(), held: most.map(|_| IntType::Unsigned(64)), most })
            .into(),
        context,
        buffers: vec![
            Buffer {
                name: "A".into(),
                role: Role::InOut,
                extents: [0, 1].map(|k| Some(Int::Parameter(ParameterId(k)))).into(),
                layout: Layout::Rows,
                home: Home::Outside,
                element: Element { text: "unsigned char".into(), kind: Some(Scalar::Integer(IntType::Unsigned(8))) },
            },
            Buffer {
                name: "s".into(),
                role: Role::Temporary,
                extents: vec![],
                layout: Layout::Rows,
                home: Home::Stack,
                element: Element::default(),
            },
            Buffer {
                name: "rows".into(),
                role: Role::In,
                extents: vec![None, Some(Int::Parameter(ParameterId(1)))],
                layout: Layout::NarrowFlat,
                home: Home::Heap,
                element: Element::default(),
            },
        ],
        locals: vec![int("i"), int("j"), Local { name: "p".into(), kind: LocalKind::Pointer, held: None }],
        statements: vec!["S0".into(), "S1".into()],
        body: begins.into_iter().chain([first(0), first(1)]).chain(body).collect(),
    }
}

fn int() -> impl Strategy<Value = Int> {
    use IntOp::*;
    let leaf = prop_oneof![
        (-9i64..9).prop_map(Int::Constant),
        (0usize..2).prop_map(|k| Int::Parameter(ParameterId(k))),
        (0usize..2).prop_map(|k| Int::Local(LocalId(k))),
    ];
    leaf.prop_recursive(3, 12, 3, |inner| {
        let ops = [Add, Subtract, Multiply, FloorDivide, FloorModulo, Divide, Remainder, Minimum, Maximum];
        let binary = (proptest::sample::select(ops.to_vec()), inner.clone(), inner.clone());
        let select = (relation(), inner.clone(), inner.clone(), inner.clone(), inner);
        prop_oneof![
            3 => binary.prop_map(|(op, left, right)| Int::binary(op, left, right)),
            1 => select.prop_map(|(relation, a, b, yes, no)| {
                Int::Select(Box::new(Cond::compare(a, relation, b)), Box::new(yes), Box::new(no))
            }),
        ]
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    use Relation::*;
    proptest::sample::select(vec![Less, LessOrEqual, Greater, GreaterOrEqual, Equal, NotEqual])
}

fn known_cond() -> impl Strategy<Value = Cond> {
    let leaf = (relation(), int(), int()).prop_map(|(relation, a, b)| Cond::compare(a, relation, b));
    leaf.prop_recursive(2, 6, 2, |inner| {
        let two = (inner.clone(), inner.clone());
        prop_oneof![
            two.clone().prop_map(|(a, b)| Cond::And(Box::new(a), Box::new(b))),
            two.prop_map(|(a, b)| Cond::Or(Box::new(a), Box::new(b))),
            inner.prop_map(|a| Cond::Not(Box::new(a))),
        ]
    })
}

fn cell() -> impl Strategy<Value = Place> {
    prop_oneof![
        (int(), int()).prop_map(|(a, b)| Place::Cell { buffer: BufferId(0), index: vec![a, b] }),
        Just(Place::Cell { buffer: BufferId(1), index: vec![] }),
        (int(), int()).prop_map(|(a, b)| Place::Cell { buffer: BufferId(2), index: vec![a, b] }),
        (int(), int()).prop_map(|(a, b)| {
            let s = Value::Read(Place::Cell { buffer: BufferId(1), index: vec![] });
            let data = Value::Apply(Op::Subtract, vec![Value::Integer(b, IntType::LONG), s]);
            Place::Cell { buffer: BufferId(0), index: vec![a, Int::Data(Box::new(data))] }
        }),
        prop::collection::vec(int(), 1..3).prop_map(|index| Place::Through { pointer: LocalId(2), index }),
    ]
}

fn place() -> impl Strategy<Value = Place> {
    let select = (known_cond(), cell(), cell());
    prop_oneof![
        3 => cell(),
        1 => select.prop_map(|(cond, a, b)| Place::Select(Box::new(cond), Box::new(a), Box::new(b))),
    ]
}

/// A value that isn't an integer alone.
fn value() -> impl Strategy<Value = Value> {
    use Op::*;
    let leaf = prop_oneof![
        3 => cell().prop_map(Value::Read),
        1 => Just(Value::Apply(Leaf("0.5f".into()), vec![])),
        1 => Just(Value::Apply(Leaf("sizeof(int)".into()), vec![])),
    ];
    leaf.prop_recursive(3, 10, 3, |inner| {
        let ops = vec![
            Add,
            Subtract,
            Multiply,
            Divide,
            Remainder,
            Less,
            LessOrEqual,
            Greater,
            GreaterOrEqual,
            Equal,
            NotEqual,
            Call("f".into()),
            Leaf("$0 << $1".into()),
        ];
        let number = integer();
        let operand = prop_oneof![2 => inner.clone(), 1 => number];
        let binary = (proptest::sample::select(ops), inner.clone(), operand);
        let choice = (known_cond(), inner.clone(), inner.clone());
        let by_data = (inner.clone(), inner.clone(), inner.clone());
        prop_oneof![
            4 => binary.prop_map(|(op, a, b)| Value::Apply(op, vec![a, b])),
            1 => inner.prop_map(|a| Value::Apply(Negate, vec![a])),
            1 => choice.prop_map(|(cond, a, b)| Value::Choice(Box::new(cond), Box::new(a), Box::new(b))),
            1 => by_data.prop_map(|(test, a, b)| {
                let test = Value::Apply(Less, vec![test, Value::number(0)]);
                Value::Choice(Box::new(Cond::Data(Box::new(test))), Box::new(a), Box::new(b))
            }),
        ]
    })
}

fn integer() -> impl Strategy<Value = Value> {
    use IntType::{Signed, Unknown, Unsigned};
    let held = vec![IntType::INT, IntType::LONG, Signed(16), Unsigned(32), Unsigned(64), Unknown];
    (int(), proptest::sample::select(held)).prop_map(|(e, held)| Value::Integer(e, held))
}

fn counters() -> impl Strategy<Value = Vec<Int>> {
    proptest::collection::vec(int(), 0..3)
}

fn touched() -> impl Strategy<Value = Touched> {
    let uses = prop_oneof![Just((true, false)), Just((false, true)), Just((true, true))];
    (cell(), uses, any::<bool>()).prop_map(|(place, (is_read, is_written), in_call)| Touched {
        place,
        is_read,
        is_written,
        in_call,
    })
}

fn stmt() -> impl Strategy<Value = Stmt> {
    let region = |buffer: usize| {
        (int(), int(), int(), int()).prop_map(move |(a, b, c, d)| Region {
            buffer: BufferId(buffer),
            ranges: vec![Range { first: a, count: b }, Range { first: c, count: d }],
        })
    };
    let leaf = prop_oneof![
        4 => (0usize..2, counters(), any::<bool>(), place(), value()).prop_map(|(statement, at, declares, target, value)| {
            Stmt::Assign(Assign { statement: StatementId(statement), at, declares, target, value })
        }),
        1 => int().prop_map(|e| Stmt::Set { local: LocalId(0), value: LocalValue::Integer(e) }),
        1 => int().prop_map(|e| Stmt::Let { local: LocalId(1), value: LocalValue::Integer(e) }),
        1 => place().prop_map(|at| Stmt::Set { local: LocalId(2), value: LocalValue::Address(at) }),
        1 => (any::<bool>(), region(0), region(0), proptest::option::of(int()))
            .prop_map(|(declares, to, from, tag)| Stmt::Copy(Copy { declares, to, from, tag })),
        1 => int().prop_map(Stmt::Wait),
        1 => (counters(), int(), proptest::collection::vec(touched(), 0..3), any::<bool>()).prop_map(
            |(at, e, cells, has_effects)| {
                let text = "log(\"$0\\n\",\n &$1 /* $$ */);".to_string();
                let cells = cells.into_iter().map(Operand::Cell);
                let operands = std::iter::once(Operand::Integer(e)).chain(cells).collect();
                Stmt::Opaque(Opaque { statement: StatementId(1), at, text, operands, has_effects })
            }
        ),
    ];
    leaf.prop_recursive(2, 6, 3, |inner| {
        let list = proptest::collection::vec(inner, 1..3);
        let branch = (known_cond(), list.clone(), proptest::collection::vec(Just(()), 0..2), list.clone());
        prop_oneof![
            (0..3usize, proptest::collection::vec(known_cond(), 0..2), list.clone()).prop_map(
                |(count, known, body)| {
                    Stmt::With(With { buffers: (0..count.min(2)).map(BufferId).collect(), known, body })
                }
            ),
            branch.prop_map(|(cond, then, has_other, other)| {
                Stmt::If { cond, then, other: if has_other.is_empty() { vec![] } else { other } }
            }),
            (
                proptest::option::of(int()),
                known_cond(),
                proptest::option::of(-3i64..4),
                any::<bool>(),
                invariant(),
                list
            )
                .prop_map(|(first, test, step, parallel, invariant, body)| {
                    Stmt::For(Loop {
                        counter: LocalId(0),
                        declares: parallel,
                        first,
                        test,
                        step,
                        parallel,
                        vector: step.is_some(),
                        invariant,
                        body,
                    })
                }),
        ]
    })
}

fn invariant() -> impl Strategy<Value = Invariant> {
    let before = proptest::option::of(counters().prop_map(|at| Moment { statement: StatementId(0), at }));
    let congruence = (int(), int(), int()).prop_map(|(local, form, modulus)| Congruence { local, form, modulus });
    let ranges = proptest::collection::vec(known_cond(), 0..3);
    let addresses = proptest::collection::vec(cell().prop_map(|cell| (LocalId(2), cell)), 0..2);
    (before, ranges, proptest::collection::vec(congruence, 0..2), addresses)
        .prop_map(|(before, ranges, congruences, addresses)| Invariant { before, ranges, congruences, addresses })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn what_is_printed_reads_back(body in proptest::collection::vec(stmt(), 0..4), context in proptest::collection::vec(size_cond(), 0..3)) {
        let program = program(context, body);
        let text = program.to_string();
        let read = Program::read(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(read.to_string(), text.clone());
        prop_assert!(read == program, "another program:\n{}", text);
    }
}

/// A condition on sizes alone.
fn size_cond() -> impl Strategy<Value = Cond> {
    (relation(), 0usize..2, -9i64..9).prop_map(|(relation, k, number)| {
        Cond::compare(Int::Parameter(ParameterId(k)), relation, Int::Constant(number))
    })
}

#[test]
fn a_text_that_is_no_program_is_refused_with_its_line() {
    let of = |body: &str| Program::read(&format!("program p(n) {{\n  inout A[n][n];\n  {body}\n}}\n"));
    let refused = [
        ("S0(): A[0] = 1;", "`A` has 2 dimensions, not 1"),
        ("S0(): B[0] = 1;", "`B` is no buffer and no pointer"),
        ("x = 1;", "`x` is no local"),
        ("for i = 0 while i < n step n { }", "a number is wanted"),
        ("int A = 1;", "`A` is something else already"),
        ("int i = A[0][0];", "an integer is wanted here"),
        ("S0(): A[0][0] = 1", "`;` is missing in front of `}`"),
        ("S0(): A[0][0] = A[0][0] mod 2;", "`mod` is for integers only"),
        ("S0(): A[0][99999999999999999999] = 1;", "is past 64 bits"),
        ("copy A[0 : 1] = A[1 : 1];", "`A` has 2 dimensions, not 1"),
        ("S0(): A[0][0] = #;", "`#` means nothing here"),
        ("in B[n] narrow;", "`;` is missing in front of `narrow`"),
        ("for i: i33 = 0 while i < n step 1 { }", "`i33` is no type"),
    ];
    for (body, message) in refused {
        let error = of(body).expect_err(body);
        assert!(error.to_string().contains(message) && (3..=4).contains(&error.line), "{body}: {error}");
    }
}
