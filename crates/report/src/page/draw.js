// Drawings of a run: memory over time, lifetimes, differences, and what is in a buffer.

/** An element of HTML, or of SVG inside `svg`. */
function element(name, attributes = {}, ...children) {
  const isSvg = SVG_NAMES.has(name);
  const made = isSvg ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null) made.setAttribute(key, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined));
  return made;
}

const SVG_NAMES = new Set(["svg", "g", "path", "rect", "line", "circle", "text", "title"]);

const number = (value) => value.toLocaleString("en");

const ENDINGS = { one: "st", two: "nd", few: "rd", other: "th" };

/** `2nd`. */
const ordinal = (value) => value + ENDINGS[new Intl.PluralRules("en", { type: "ordinal" }).select(value)];

/** `y[2][1]`. */
const elementName = (array, cell) => array.name + cell.map((at) => `[${at}]`).join("");

/** `line 24 (k = 2, i = 1)`, or what is in front of the program. */
function operationName(program, operation) {
  if (operation === undefined || operation.statement === null) return "before the loops";
  const statement = program.statements[operation.statement];
  const counters = statement.counters.map((name, k) => `${name} = ${operation.counters[k]}`);
  const where = statement.line === null ? shortened(statement) : `source line ${statement.line}`;
  return counters.length > 0 ? `${where} (${counters.join(", ")})` : where;
}

/** `“y[i][k] = …”`: what a statement sets is enough to know it by. */
function shortened(statement) {
  if (statement.sets !== null) return `“${statement.sets} = …”`;
  return `“${statement.text.length > 40 ? `${statement.text.slice(0, 39)}…` : statement.text}”`;
}

/** The story of a value in a sentence. */
function valueStory(program, result, value) {
  const name = elementName(program.arrays[value.array], value.cell);
  const written = value.written === 0 ? "from before the loops" : `written by ${operationName(program, result.operations[value.written])}`;
  const read = value.readers.length === 0 ? "never read" : `read last by ${operationName(program, result.operations[value.read])}`;
  return `${name}: ${written}, ${read}`;
}

const isAliveAt = (value, date) => spans(value).some(([from, until]) => from <= date && date < until);

/** Several items of which one is reached by Tab, and the others by arrow keys. */
function roving(container, items, columns = 1) {
  if (items.length === 0) return;
  items.forEach((item, k) => item.setAttribute("tabindex", k === 0 ? "0" : "-1"));
  const steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: columns, ArrowUp: -columns };
  container.addEventListener("keydown", (event) => {
    const from = items.indexOf(event.target);
    const to = { Home: 0, End: items.length - 1 }[event.key] ?? from + (steps[event.key] ?? NaN);
    if (from < 0 || !(to in items)) return;
    event.preventDefault();
    items[from].setAttribute("tabindex", "-1");
    items[to].setAttribute("tabindex", "0");
    items[to].focus();
  });
}

const WIDE = 720;

/** Values alive over time, with the storage before and after; returns the drawing and what moves its cursor. */
function memoryOverTime(series, levels, end) {
  const [left, right, top, bottom, height] = [84, 8, 22, 34, 250];
  const most = Math.max(1, ...levels.map((level) => level.cells), ...series.flatMap((own) => own.counts));
  const x = (date) => left + ((WIDE - left - right) * date) / Math.max(1, end - 1);
  const y = (cells) => height - bottom - ((height - top - bottom) * cells) / most;
  const steps = (counts) => counts.map((count, date) => `${date === 0 ? "M" : "H"}${x(date).toFixed(1)}${date === 0 ? " " : "V"}${y(count).toFixed(1)}`).join("");
  const drawn = series.map((own) => {
    const line = steps(own.counts) + `H${x(own.counts.length - 1).toFixed(1)}`;
    return element("g", { class: `series ${own.kind}` },
      element("path", { class: "area", d: `${line}V${y(0)}H${x(0)}Z` }),
      element("path", { class: "line", d: line }));
  });
  const spread = spreadOut(levels.map((level) => y(level.cells) - 5), 14, top - 8, height - bottom - 5);
  const lines = levels.map((level, k) => element("g", { class: `level ${level.kind}` },
    element("line", { x1: left, x2: WIDE - right, y1: y(level.cells), y2: y(level.cells) }),
    element("text", { x: WIDE - right, y: spread[k], "text-anchor": "end" }, `${number(level.cells)} ${level.label}`)));
  const axes = element("g", { class: "axes" },
    element("line", { x1: left, x2: WIDE - right, y1: y(0), y2: y(0) }),
    element("text", { x: left - 6, y: y(0) + 4, "text-anchor": "end" }, "0"),
    element("text", { x: left - 6, y: y(most) + 4, "text-anchor": "end" }, number(most)),
    element("text", { x: left, y: height - 8 }, "time, one step for each operation →"));
  const cursor = element("line", { class: "cursor", x1: x(0), x2: x(0), y1: top, y2: y(0) });
  const told = [...series.map((own) => `${own.label}: at most ${number(Math.max(0, ...own.counts))} cells hold values`), ...levels.map((level) => `${level.label} ${number(level.cells)} cells`)];
  const drawing = element("svg", { viewBox: `0 0 ${WIDE} ${height}`, role: "img", "aria-label": `Memory over time. ${told.join("; ")}.` }, drawn, lines, axes, cursor);
  const moveTo = (date) => ["x1", "x2"].forEach((end) => cursor.setAttribute(end, x(date)));
  return { drawing, moveTo };
}

/** Places on a line, moved apart so that none is nearer to the next one than `least`. */
function spreadOut(places, least, first, last) {
  const order = places.map((_, k) => k).sort((a, b) => places[a] - places[b]);
  const moved = [...places];
  order.forEach((k, at) => (moved[k] = Math.max(moved[k], at === 0 ? first : moved[order[at - 1]] + least)));
  const over = order.length > 0 ? Math.max(0, moved[order.at(-1)] - last) : 0;
  return over === 0 ? moved : moved.map((place) => place - over);
}

const MOST_ROWS = 48;

/** A row for each cell of an array, with a bar for each of its values. */
function lifetimes(program, result, id) {
  const array = program.arrays[id];
  const values = result.values.filter((value) => value.array === id);
  const byCell = new Map();
  values.forEach((value) => byCell.set(value.cell.join(","), [...(byCell.get(value.cell.join(",")) ?? []), value]));
  const cells = [...byCell.values()].sort((a, b) => compareCells(a[0].cell, b[0].cell));
  const shown = cells.slice(0, MOST_ROWS);
  const [left, row, bottom] = [84, 13, 22];
  const height = shown.length * row + bottom;
  const x = (date) => left + ((WIDE - left - 8) * date) / Math.max(1, result.end - 1);
  const bars = [];
  const rows = shown.map((own, k) => element("g", {},
    element("text", { class: "cell", x: left - 6, y: k * row + 10, "text-anchor": "end" }, elementName(array, own[0].cell)),
    own.flatMap((value) => spans(value).map(([from, until]) => {
      const bar = element("rect", { class: "bar", x: x(from), y: k * row + 1, width: Math.max(2, x(until) - x(from) - 1), height: row - 2, role: "img", "aria-label": valueStory(program, result, value) },
        element("title", {}, valueStory(program, result, value)));
      bars.push(bar);
      return bar;
    }))));
  const axis = element("text", { class: "axes", x: left, y: height - 6 }, "time →");
  const cursor = element("line", { class: "cursor", x1: x(0), x2: x(0), y1: 0, y2: height - bottom });
  const drawing = element("svg", { viewBox: `0 0 ${WIDE} ${height}`, role: "group", "aria-label": `Lifetimes of the values of ${array.name}` }, rows, axis, cursor);
  roving(drawing, bars);
  const moveTo = (date) => ["x1", "x2"].forEach((end) => cursor.setAttribute(end, x(date)));
  const note = cells.length > shown.length ? `The first ${shown.length} of ${number(cells.length)} cells.` : null;
  return { drawing, moveTo, note, count: bars.length };
}

function compareCells(a, b) {
  const k = a.findIndex((at, k) => at !== b[k]);
  return k < 0 ? 0 : a[k] - b[k];
}

/** Differences of cells of an array of which both hold values at some moment, without 0. */
function differences(result, id) {
  const changes = result.values.filter((value) => value.array === id)
    .flatMap((value) => spans(value).map(([from, until]) => ({ from, until, cell: value.cell })))
    .sort((a, b) => a.from - b.from);
  const found = new Map();
  let alive = [];
  for (const next of changes) {
    alive = alive.filter((other) => other.until > next.from);
    for (const other of alive) {
      const difference = next.cell.map((at, k) => at - other.cell[k]);
      if (difference.some((at) => at !== 0)) {
        found.set(difference.join(","), difference);
        found.set(difference.map((at) => -at).join(","), difference.map((at) => -at));
      }
    }
    alive.push(next);
  }
  return [...found.values()];
}

const WIDEST = 16;

/** The differences of two dimensions, and those of cells that share one. */
function differenceSet(program, result, id, [across, down], sizes) {
  const array = program.arrays[id];
  const all = differences(result, id);
  const reach = (axis) => Math.max(1, ...all.map((difference) => Math.abs(difference[axis])));
  const [wide, high] = [reach(across) + 1, down === null ? 0 : reach(down) + 1];
  if (wide > WIDEST || high > WIDEST) return element("p", { class: "note" }, "They reach too far to be drawn at these sizes.");
  const at = ([x, y]) => `${x},${y}`;
  const conflicts = new Set(all.map((difference) => at([difference[across], down === null ? 0 : difference[down]])));
  const isFlat = result.shapes[id].length <= 2;
  const place = (cell) => {
    const values = { ...sizes, ...Object.fromEntries(cell.map((value, k) => [`@${k}`, value])) };
    return array.place.at.map((subscript) => subscript(values)).join(",");
  };
  const origin = result.shapes[id].map(() => 0);
  const cellAt = (x, y) => origin.map((_, k) => (k === across ? x : k === down ? y : 0));
  const isShared = (x, y) => isFlat && array.place !== null && place(cellAt(x, y)) === place(origin);
  const [step, left, top] = [18, 44, 10];
  const marks = [];
  for (let y = -high; y <= high; y += 1) {
    for (let x = -wide; x <= wide; x += 1) {
      const [cx, cy] = [left + (x + wide) * step + step / 2, top + (high - y) * step + step / 2];
      const kind = x === 0 && y === 0 ? "zero" : conflicts.has(at([x, y])) ? "conflict" : "free";
      marks.push(element("circle", { class: kind, cx, cy, r: kind === "free" ? 1.5 : 4 }));
      if (isShared(x, y)) marks.push(element("circle", { class: "lattice", cx, cy, r: 7 }));
    }
  }
  const [width, height] = [left + (2 * wide + 1) * step + 8, top + (2 * high + 1) * step + 24];
  const names = array.extents.map((_, k) => ordinal(k + 1));
  const axes = element("g", { class: "axes" },
    [-wide, 0, wide].map((x) => element("text", { x: left + (x + wide) * step + step / 2, y: height - 8, "text-anchor": "middle" }, x === 0 ? `0 ${names[across]}` : String(x))),
    down === null ? null : [-high, 0, high].map((y) => element("text", { x: left - 6, y: top + (high - y) * step + step / 2 + 4, "text-anchor": "end" }, y === 0 ? `${names[down]} 0` : String(y))));
  const told = `${conflicts.size} differences of cells of ${array.name} that hold values at the same time`;
  return element("svg", { class: "differences", viewBox: `0 0 ${width} ${height}`, style: `max-width: ${width}px`, role: "img", "aria-label": told }, marks, axes);
}

const MOST_BUFFER_CELLS = 384;
const MOST_COLUMNS = 24;

/** What is in a buffer at each date: the table, and what sets it. */
function bufferOverTime(program, result, id) {
  const buffer = result.buffers[id];
  const values = result.values.filter((value) => value.place?.buffer === id);
  if (buffer.cells > MOST_BUFFER_CELLS) {
    return { drawing: element("p", { class: "note" }, `${number(buffer.cells)} cells are too many to draw.`), moveTo: () => {} };
  }
  const isRow = buffer.extents.length < 2;
  const columns = isRow ? Math.min(buffer.cells, MOST_COLUMNS) : buffer.extents.at(-1);
  const names = new Set(values.map((value) => value.array));
  const index = (at) => at.reduce((sum, own, k) => sum * buffer.extents[k] + own, 0);
  const cells = Array.from({ length: buffer.cells }, () => element("td", { class: "empty" }));
  const rows = [];
  for (let at = 0; at < cells.length; at += columns) rows.push(element("tr", {}, cells.slice(at, at + columns)));
  const drawing = element("div", { class: "scrolls" }, element("table", { class: "buffer", "aria-label": `Cells of ${buffer.name}` }, element("tbody", {}, rows)));
  roving(drawing, cells, columns);
  const inC = (k) => {
    const at = [];
    buffer.extents.reduceRight((rest, extent) => (at.unshift(rest % extent), Math.floor(rest / extent)), k);
    return buffer.name + at.map((own) => `[${own}]`).join("");
  };
  const moveTo = (date) => {
    const held = new Map(values.filter((value) => isAliveAt(value, date)).map((value) => [index(value.place.at), value]));
    cells.forEach((cell, k) => {
      const value = held.get(k);
      const array = value && program.arrays[value.array];
      cell.className = value ? "alive" : "empty";
      cell.textContent = value ? (names.size > 1 ? elementName(array, value.cell) : value.cell.join(",") || "•") : "";
      const told = value ? `${inC(k)} holds ${valueStory(program, result, value)}` : `${inC(k)} holds no value that is needed`;
      cell.title = told;
      cell.setAttribute("aria-label", told);
    });
  };
  return { drawing, moveTo };
}
