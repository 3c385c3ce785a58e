// A scop run at given sizes: its operations, the values that pass between them, and where each lives.
//
// An operation reads at its date and writes at it. Date 0 is in front of the program. A value is alive at dates t with
// written <= t < read, and one that nobody reads at the date of its write. Where data decides, both branches are walked; a write that may not
// happen doesn't end the value in front of it, and needs its cell at its own date. The tool counts values in the same way.

const MOST_OPERATIONS = 20000;
const MOST_CELLS = 100000;

/** The program of an execution, compiled; run it with `run`. */
function prepare(execution) {
  const all = (texts) => texts.map(compile);
  const place = (own) => own && { buffer: own.buffer, at: all(own.at) };
  const access = (own) => ({
    ...own,
    when: compile(own.when),
    cell: own.cell && all(own.cell),
    values: own.values.map((value) => ({
      when: compile(value.when),
      version: all(value.version),
      place: place(value.place),
    })),
  });
  const node = (own) => {
    if ("statement" in own) return own;
    if ("for" in own) {
      return { ...own, first: compile(own.first), while: compile(own.while), body: own.body.map(node) };
    }
    return { if: compile(own.if), then: own.then.map(node), else: own.else.map(node) };
  };
  return {
    arrays: execution.arrays.map((array) => ({
      ...array,
      extents: array.extents.map((extent) => extent && compile(extent)),
      place: place(array.place),
    })),
    buffers: execution.buffers.map((buffer) => ({ ...buffer, extents: all(buffer.extents) })),
    statements: execution.statements.map((statement) => ({
      ...statement,
      // Reads come first.
      accesses: statement.accesses.map(access).sort((a, b) => Number(a.is_write) - Number(b.is_write)),
    })),
    body: execution.body.map(node),
  };
}

/** Thrown where sizes are too large to draw, or the program leaves its arrays. */
class Unfit extends Error {}

function run(program, sizes) {
  const shapes = program.arrays.map((array) => array.extents.map((extent) => extent && extent(sizes)));
  const product = (extents) => extents.reduce((cells, extent) => cells * extent, 1);
  const buffers = program.buffers.map((buffer) => {
    const extents = buffer.extents.map((extent) => extent(sizes));
    return { name: buffer.name, extents, cells: product(extents) };
  });
  program.arrays.forEach((array, k) => {
    if (!array.is_counted && !array.is_temporary) return;
    if (shapes[k].some((extent) => extent === null || extent < 1)) throw new Unfit(`${array.name} has no cells at these sizes`);
    if (product(shapes[k]) > MOST_CELLS) throw new Unfit("these sizes are too large to draw");
  });

  const state = { date: 0, last: 0, operations: [{ statement: null, counters: [] }], values: [], held: program.arrays.map(() => new Map()) };
  const counters = { ...sizes };

  const walk = (nodes, isUncertain) => {
    for (const node of nodes) {
      if ("statement" in node) operation(node.statement, isUncertain);
      else if ("for" in node) loop(node, isUncertain);
      else {
        const holds = node.if(counters);
        if (holds !== 0) walk(node.then, isUncertain || holds === null);
        if (!holds) walk(node.else, isUncertain || holds === null);
      }
    }
  };

  const loop = (node, isUncertain) => {
    const outside = counters[node.for];
    for (counters[node.for] = node.first(counters); node.while(counters); counters[node.for] += node.step) {
      walk(node.body, isUncertain);
      if (state.operations.length > MOST_OPERATIONS) throw new Unfit(`these sizes take more than ${MOST_OPERATIONS.toLocaleString("en")} operations, which is too much to draw`);
    }
    counters[node.for] = outside;
  };

  const operation = (id, isUncertain) => {
    const statement = program.statements[id];
    const now = { statement: id, counters: statement.counters.map((name) => counters[name]) };
    state.operations.push(now);
    state.date += 1;
    statement.accesses.forEach((access) => touch(access, isUncertain));
    const late = statement.accesses.filter((access) => access.is_late && !access.is_write);
    if (late.length > 0) {
      state.operations.push(now);
      state.date += 1;
      late.forEach((access) => touch(access, isUncertain));
    }
  };

  const touch = (access, isUncertain) => {
    const array = program.arrays[access.array];
    const happens = access.when(counters);
    if (!array.is_counted || happens === 0) return;
    const cell = access.cell.map((subscript) => subscript(counters));
    if (cell.some((at, k) => at < 0 || at >= shapes[access.array][k])) {
      throw new Unfit(`${array.name}[${cell.join("][")}] is outside of its array at these sizes`);
    }
    const held = state.held[access.array];
    const key = cell.join(",");
    const value = held.get(key);
    const begin = (written) => {
      const fresh = { array: access.array, cell, written, read: written, readers: [], maybe: [], place: placeOf(access, cell) };
      held.set(key, fresh);
      state.values.push(fresh);
      return fresh;
    };
    if (!access.is_write) {
      const own = value ?? begin(0);
      own.read = Math.max(own.read, state.date);
      own.readers.push(state.date);
      own.maybe = [];
      return;
    }
    const isCertain = happens !== null && (access.is_sure || !isUncertain) && access.is_certain;
    if (isCertain ? value?.written !== state.date : value === undefined) begin(state.date);
    else if (!isCertain) value.maybe.push(state.date);
  };

  const placeOf = (access, cell) => {
    const array = program.arrays[access.array];
    const found = access.values.find((value) => value.when(counters) !== 0);
    const place = access.values.length > 0 ? found?.place : array.place;
    if (!place) return null;
    const coordinates = [...(found?.version ?? []).map((version) => version(counters)), ...cell];
    const values = { ...sizes, ...Object.fromEntries(coordinates.map((value, k) => [`@${k}`, value])) };
    return { buffer: place.buffer, at: place.at.map((subscript) => subscript(values)) };
  };

  walk(program.body, false);
  return summary(program, { shapes, buffers, state, product });
}

/** Dates at which a value needs its cell: pairs of the first one and the one behind the last. */
function spans(value) {
  const until = Math.max(value.read, value.written + 1);
  return [[value.written, until], ...value.maybe.filter((date) => date >= until).map((date) => [date, date + 1])];
}

function summary(program, { shapes, buffers, state, product }) {
  const end = state.date + 2;
  const alive = new Array(end).fill(0);
  const each = program.arrays.map(() => new Array(end).fill(0));
  for (const value of state.values) {
    for (const [from, until] of spans(value)) {
      alive[from] += 1;
      each[value.array][from] += 1;
      if (until < end) {
        alive[until] -= 1;
        each[value.array][until] -= 1;
      }
    }
  }
  const summed = (changes) => {
    let now = 0;
    return changes.map((change) => (now += change));
  };
  const highest = (counts) => counts.reduce((most, count) => Math.max(most, count), 0);
  const overTime = summed(alive);
  const temporaries = program.arrays.map((array, k) => ({ array, k })).filter(({ array }) => array.is_temporary);
  const declared = (k) => product(shapes[k]);
  return {
    operations: state.operations,
    values: state.values,
    shapes,
    buffers,
    alive: overTime,
    aliveEach: each.map(summed),
    maxLive: highest(overTime),
    maxLiveEach: each.map((counts) => highest(summed(counts))),
    cellsBefore: temporaries.filter(({ array }) => !array.is_new).reduce((sum, { k }) => sum + declared(k), 0),
    cellsAfter:
      buffers.reduce((sum, buffer) => sum + buffer.cells, 0) +
      temporaries.filter(({ array }) => array.is_kept).reduce((sum, { k }) => sum + declared(k), 0),
    end,
  };
}
