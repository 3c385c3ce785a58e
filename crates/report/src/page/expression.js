// C expressions over integers, as functions of a table of values.
//
// What data decides is `@`, and worth null: so are conditions that it decides. `@0`, `@1`, … are names that no C program has. Division and remainder go toward 0, as in C.

const CALLS = {
  mod: (a, b) => ((a % b) + b) % b,
  floord: (a, b) => Math.floor(a / b),
  min: Math.min,
  max: Math.max,
};

const not = (a) => (a === null ? null : a ? 0 : 1);

/** Both hold, or null where data decides. */
const both = (a, b) => (a === 0 || b === 0 ? 0 : a === null || b === null ? null : 1);

const BINARY = [
  { "||": (a, b) => not(both(not(truth(a)), not(truth(b)))) },
  { "&&": (a, b) => both(truth(a), truth(b)) },
  { "==": (a, b) => Number(a === b), "!=": (a, b) => Number(a !== b) },
  { "<=": (a, b) => Number(a <= b), ">=": (a, b) => Number(a >= b), "<": (a, b) => Number(a < b), ">": (a, b) => Number(a > b) },
  { "+": (a, b) => a + b, "-": (a, b) => a - b },
  { "*": (a, b) => a * b, "/": (a, b) => Math.trunc(a / b), "%": (a, b) => a % b },
];

const truth = (a) => (a === null ? null : a ? 1 : 0);

/** A function from a table of values by name to the value of a C expression. */
function compile(text) {
  const words = text.match(/\(\s*(?:unsigned |long )*(?:long|int)\s*\)|@\d*|\w+|\|\||&&|[=!<>]=|\S/g) ?? [];
  let at = 0;
  const isNext = (word) => words[at] === word && (at += 1) > 0;
  const expect = (word) => {
    if (!isNext(word)) throw new Error(`${word} is missing in ${text}`);
  };

  function choice() {
    const condition = binary(0);
    if (!isNext("?")) return condition;
    const first = choice();
    expect(":");
    const second = choice();
    return (values) => (condition(values) ? first(values) : second(values));
  }

  function binary(level) {
    if (level === BINARY.length) return unary();
    let left = binary(level + 1);
    while (words[at] in BINARY[level]) {
      const operator = BINARY[level][words[at]];
      at += 1;
      const [a, b] = [left, binary(level + 1)];
      left = (values) => operator(a(values), b(values));
    }
    return left;
  }

  function unary() {
    const word = words[at];
    at += 1;
    if (word === "-" || word === "+" || word === "!") {
      const operand = unary();
      return word === "!" ? (values) => not(truth(operand(values))) : word === "-" ? (values) => -operand(values) : operand;
    }
    if (/^\(.+\)$/.test(word)) return unary();
    if (word === "(") {
      const inside = choice();
      expect(")");
      return inside;
    }
    if (/^\d/.test(word)) {
      const value = parseInt(word, 10);
      return () => value;
    }
    return isNext("(") ? call(word) : (values) => (word === "@" ? null : valueOf(values, word));
  }

  function call(name) {
    const operands = [];
    do operands.push(choice());
    while (isNext(","));
    expect(")");
    return (values) => CALLS[name](...operands.map((operand) => operand(values)));
  }

  const whole = choice();
  if (at < words.length) throw new Error(`${text} goes on behind ${words.slice(0, at).join(" ")}`);
  return whole;
}

function valueOf(values, name) {
  if (!(name in values)) throw new Error(`${name} has no value`);
  return values[name];
}
