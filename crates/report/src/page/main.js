// The page: one section for each scop, whose drawings follow its sizes and a moment in time.

/** Sizes that are drawn first, unless fewer are too few. */
const FIRST_SIZE = 6;
const LAST_FIRST_SIZE = 16;

/** Sizes and a moment that the address asks for: `report.html?n=8&time=20`. */
const asked = Object.fromEntries([...new URLSearchParams(location.search)].map(([name, value]) => [name, Number(value)]));

/** Codes of warnings about speed. */
const SPEED = ["P0401", "P0402"];

/** The value with the most time from its write to its last read; null where there is none. */
const longestOf = (values) => values.reduce((a, b) => (a === null || b.read - b.written > a.read - a.written ? b : a), null);

/** One scop, with all that follows its sizes. */
class ScopView {
  constructor(scop, place) {
    this.scop = scop;
    this.id = `scop-${place}`;
    this.program = prepare(scop.execution);
    this.before = scop.source_execution && prepare(scop.source_execution);
    this.hasNewLoops = scop.before_storage === "loops";
    this.condition = compile(scop.proof.condition);
    const askedFor = scop.parameters.filter((name) => Object.hasOwn(asked, name)).map((name) => [name, asked[name]]);
    this.sizes = { ...this.firstSizes(), ...Object.fromEntries(askedFor) };
    this.drawn = element("div");
    this.inputs = [];
    this.movers = [];
  }

  fits(sizes) {
    if (this.condition(sizes) === 0) return false;
    try {
      run(this.program, sizes);
      return true;
    } catch (error) {
      if (error instanceof Unfit) return false;
      throw error;
    }
  }

  /** Small ones; constants of the source as they are, unless that is too much to draw. */
  firstSizes() {
    const { parameters, constants, totals } = this.scop;
    const variables = parameters.filter((name) => !Object.hasOwn(constants, name));
    for (const free of [variables, parameters]) {
      for (let size = FIRST_SIZE; size <= LAST_FIRST_SIZE; size += 1) {
        const sizes = { ...constants, ...Object.fromEntries(free.map((name) => [name, size])) };
        if (this.fits(sizes)) return sizes;
      }
    }
    return { ...constants, ...totals.at };
  }

  element() {
    const { scop } = this;
    return element("section", { id: this.id, class: "scop" },
      element("h2", {}, `${scop.function} `, element("a", { class: "place", href: `#line-${scop.line}` }, `line ${scop.line}`)),
      this.summary(),
      this.controls(),
      this.drawn,
      this.stages(),
      this.proof());
  }

  summary() {
    const { totals, proof } = this.scop;
    const [before, after] = [totals.cells_before, totals.cells_after];
    const change = before > 0 && after !== null ? Math.round((100 * (before - after)) / before) : null;
    const percent = change === null ? "" : ` (${Math.abs(change)} % ${change < 0 ? "more" : "less"})`;
    const saved = `${before === null ? "?" : number(before)} → ${cellsOf(after)}${percent}`;
    const bytes = totals.bytes_before !== null && totals.bytes_after !== null ? `, ${number(totals.bytes_before)} → ${count(totals.bytes_after, "byte")}` : "";
    const at = Object.keys(totals.at).length > 0 ? ` at ${atSizes(totals.at)}` : "";
    // What lives in an output takes no cell of its own.
    const isHosted = this.scop.arrays.some((array) => array.decision === "hosted");
    const necessary = isHosted ? `At most ${count(totals.max_live, "value")} are alive at once.` : `In this order of the loops at least ${cellsOf(totals.max_live)} are necessary.`;
    const floor = totals.max_live === null ? "" : ` ${necessary}`;
    const proved = proof.condition === "1" ? "all sizes that C allows" : `sizes with ${proof.condition}, which the program asserts or tests`;
    const ran = report.checked === null ? "It was not run: --verify compiles and runs both programs." : `${capital(report.checked)}.`;
    return [
      element("p", { class: "summary" }, element("strong", {}, saved), `${bytes}${at}.${floor}`),
      element("p", {}, `Proved for ${proved}: no two values that are needed at the same time share a cell. ${ran}`),
      this.help(),
      element("p", { class: "note" }, "A cell is one element of an array. A value is alive from its assignment to its last use."),
    ];
  }

  /** What the user could do, for fewer cells or for speed. */
  help() {
    const { totals, room, vectors, strips, stages } = this.scop;
    const rooms = room.map((own) => `--room ${own.percent} makes loops over ${listed(own.arrays)} plainer, with ${cellsOf(own.cells)}.`);
    const wide = vectors.map((own) => `--room ${own.percent} lets loops over ${listed(own.arrays)} be vectorised, with ${cellsOf(own.cells)}; so does --scope intra.`);
    const inStrips = strips.length > 0 ? [`--schedule strips lets loops over ${listed(strips)} be vectorised.`] : [];
    const slow = report.diagnostics.filter((own) => SPEED.includes(own.code)).map((own) => `${capital(own.message)}.${own.help ? ` ${capital(own.help)}.` : ""}`);
    const order = stages === null && totals.cells_after > 1 && report.hint === null ? ["--schedule fuse looks for an order of the loops that needs less."] : [];
    const all = [...(report.hint === null ? [] : [report.hint]), ...slow, ...(slow.length > 0 ? [] : rooms), ...wide, ...inStrips, ...order];
    const none = totals.cells_after === totals.max_live ? "Nothing is left to save in this order of the loops." : "polyfold knows of nothing that saves more.";
    return part(3, "What would help", element("ul", { class: "help-list" }, (all.length > 0 ? all : [none]).map((text) => element("li", {}, prose(text)))));
  }

  controls() {
    const { scop } = this;
    const size = (name) => {
      const input = element("input", { type: "number", min: "1", max: "999", value: this.sizes[name], name, id: `${this.id}-${name}` });
      input.addEventListener("input", () => this.resize());
      this.inputs.push(input);
      return element("label", { for: input.id }, `${name} `, input);
    };
    this.slider = element("input", { type: "range", min: "0", value: "0", id: `${this.id}-time` });
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    this.moment = element("output", { for: this.slider.id });
    this.told = element("p", { class: "told", role: "status" });
    const peak = element("button", { type: "button" }, "Peak");
    peak.addEventListener("click", () => this.moveTo(this.nextPeak()));
    return element("form", { class: "controls", "aria-label": `Sizes and time of ${scop.function}` },
      element("div", { class: "sizes" }, scop.parameters.map(size)),
      element("label", { class: "time", for: this.slider.id }, "Time ", this.slider),
      peak,
      this.moment,
      this.told);
  }

  resize() {
    const sizes = { ...this.scop.constants, ...Object.fromEntries(this.inputs.map((input) => [input.name, Number(input.value)])) };
    if (Object.values(sizes).some((value) => !Number.isInteger(value))) return;
    if (this.condition(sizes) === 0) return this.refuse(`The new storage is for sizes with ${this.scop.proof.condition}.`);
    this.sizes = sizes;
    this.draw();
  }

  /** The drawings stay as they are. */
  refuse(why) {
    this.told.textContent = why;
  }

  draw() {
    try {
      this.result = run(this.program, this.sizes);
      this.resultBefore = this.before && run(this.before, this.sizes);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      return this.refuse(`${capital(error.message)}.`);
    }
    this.told.textContent = "";
    this.movers = [];
    const floors = [this.result.maxLive, ...(this.resultBefore && !this.hasNewLoops ? [this.resultBefore.maxLive] : [])];
    this.floor = Math.min(...floors);
    this.drawn.replaceChildren(this.numbers(), this.memory(), this.arrays(), this.buffers());
    this.slider.max = this.result.end - 2;
    this.moveTo(Math.min(asked.time ?? this.peaks()[0] ?? 0, this.result.end - 2));
  }

  /** The dates at which the most values are alive. */
  peaks() {
    const { alive, maxLive } = this.result;
    return alive.flatMap((own, date) => (own === maxLive && date < this.result.end - 1 ? [date] : []));
  }

  /** The next one behind the moment that is shown, or the first. */
  nextPeak() {
    const peaks = this.peaks();
    return peaks.find((date) => date > Number(this.slider.value)) ?? peaks[0] ?? 0;
  }

  moveTo(date) {
    this.slider.value = date;
    this.movers.forEach((move) => move(date));
    const runs = operationName(this.program, this.result.operations[date]);
    const alive = count(this.result.alive[date] ?? 0, "value");
    const peaks = this.peaks();
    const peak = !peaks.includes(date) ? "" : peaks.length === 1 ? ", the peak" : `, peak ${number(peaks.indexOf(date) + 1)} of ${number(peaks.length)}`;
    this.moment.textContent = `Behind operation ${number(date)} of ${number(Number(this.slider.max))} of the result, ${runs}: ${alive} alive${peak}`;
  }

  numbers() {
    const { result, sizes } = this;
    const { cellsBefore, cellsAfter } = result;
    const more = cellsAfter > cellsBefore ? element("p", { class: "more" }, `At these sizes the result needs ${count(cellsAfter - cellsBefore, "cell")} more than the source declares.`) : null;
    const rows = [["cells declared", result.cellsBefore], ["cells now", result.cellsAfter], ["values alive at once", this.floor], ["operations of the result", result.operations.length - 1]];
    const shown = Object.fromEntries(this.scop.parameters.map((name) => [name, sizes[name]]));
    const at = this.scop.parameters.length > 0 ? `At ${atSizes(shown)}` : "In numbers";
    const table = element("table", { class: "numbers" }, element("caption", {}, at),
      element("tbody", {}, rows.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name), element("td", { "data-number": name }, number(value))))));
    return element("div", {}, table, more);
  }

  memory() {
    const { result, resultBefore } = this;
    const series = [{ counts: result.alive.slice(0, -1), kind: "now", label: resultBefore ? "in the result" : "alive" }];
    if (resultBefore) series.unshift({ counts: resultBefore.alive.slice(0, -1), kind: "before", label: "in the source" });
    const isAtFloor = result.cellsAfter === this.floor;
    const levels = [
      { cells: result.cellsBefore, kind: "declared", label: "cells declared" },
      { cells: result.cellsAfter, kind: "stored", label: isAtFloor ? "cells now, and the floor" : "cells now" },
      ...(isAtFloor ? [] : [{ cells: this.floor, kind: "floor", label: "floor" }]),
    ];
    const end = Math.max(...series.map((own) => own.counts.length));
    const { drawing, moveTo } = memoryOverTime(series, levels, end);
    this.movers.push(moveTo);
    const text = resultBefore
      ? `Values alive behind each operation: in the source at most ${number(resultBefore.maxLive)}, in the result ${number(result.maxLive)}.`
      : "Values alive behind each operation. The floor is the most of them: no storage has fewer cells in this order.";
    const key = series.map((own) => element("span", { class: `key ${own.kind}` }, own.label));
    return part(3, "Memory over time", figure([text, " ", series.length > 1 ? key : null], element("div", { class: "scrolls" }, drawing)));
  }

  arrays() {
    const shown = this.scop.arrays.filter((array) => this.program.arrays.some((own) => own.name === array.name && own.is_counted));
    const longest = longestOf(this.result.values);
    const first = longest === null ? "At these sizes no value is kept in these arrays, and there is nothing to draw. The proof holds for them, too." : `The longest-lived value of all: ${valueStory(this.program, this.result, longest)}.`;
    return part(3, "Arrays", shown.length === 0 ? null : element("p", {}, first), shown.map((array) => this.array(array)), this.kept());
  }

  array(array) {
    const id = this.program.arrays.findIndex((own) => own.name === array.name);
    const { drawing, moveTo, note, count: bars } = lifetimes(this.program, this.result, id);
    this.movers.push(moveTo);
    const sets = this.differenceSets(id);
    return element("section", { class: "array", id: `${this.id}-array-${array.name}` },
      element("h4", {}, array.name, element("span", { class: "extent" }, array.extent.map((extent) => `[${extent}]`).join(""))),
      element("p", {}, this.decision(array), " ", this.mostAlive(id)),
      this.gap(array, id),
      array.story?.why ? element("p", { class: "why" }, element("strong", {}, "Why not less? "), prose(`For example at ${atSizes(array.story.at)}: ${array.story.why}`)) : null,
      bars === 0 ? null : figure(`Lifetimes: a bar from the write of each value to its last read. ${note ?? ""}`, element("div", { class: "scrolls" }, drawing)),
      sets.length === 0 ? null : figure(this.differenceCaption(id), element("div", { class: "sets" }, sets)));
  }

  differenceCaption(id) {
    const text = "Each dot is a difference of two indices whose cells hold needed values at the same time: they may not share. Each ring is a difference of cells that share one. It is right since no ring but that of 0 is around a dot.";
    const longest = longestOf(this.result.values.filter((value) => value.array === id));
    return longest === null ? text : [text, element("br"), `The longest of its values: ${valueStory(this.program, this.result, longest)}.`];
  }

  /** How many cells an array's own storage has more than values alive, at the sizes that are drawn. */
  gap(array, id) {
    const own = this.scop.buffers.flatMap((buffer, k) => (buffer.members.some((member) => member.of === array.name) ? [k] : []));
    const isAlone = own.every((k) => this.scop.buffers[k].members.every((member) => member.of === array.name));
    const cells = own.reduce((sum, k) => sum + this.result.buffers[k].extents.reduce((a, b) => a * b, 1), 0);
    const more = cells - this.result.maxLiveEach[id];
    if (own.length === 0 || !isAlone || more <= 0) return null;
    return element("p", {}, `Here its storage has ${count(cells, "cell")}, ${number(more)} more than values alive: subscripts stay linear, and each row is whole.`);
  }

  mostAlive(id) {
    const most = this.result.maxLiveEach[id];
    const date = this.result.aliveEach[id].indexOf(most);
    if (most === 0) return "None of its values are needed.";
    return `At most ${count(most, "value")} of it ${most === 1 ? "is" : "are"} alive at once, first at ${operationName(this.program, this.result.operations[date])}.`;
  }

  decision(array) {
    const buffers = this.scop.buffers.filter((buffer) => buffer.members.some((member) => member.of === array.name));
    const inC = buffers.map((buffer) => buffer.name + buffer.shape.map((extent) => `[${extent}]`).join(""));
    switch (array.decision) {
      case "contracted": return `It is stored in ${listed(inC)}.`;
      case "scalar": return "It is one variable now.";
      case "shared": return `It shares ${listed(inC)} with others, or with values of its own.`;
      case "hosted": return `It lives in an output: ${array.place}.`;
      case "removed": return "Nothing reads it: it is gone.";
      default: return `It stays: ${array.reason}.`;
    }
  }

  kept() {
    const parameters = this.scop.arrays.filter((array) => array.decision === "kept" && array.role !== "temporary");
    return parameters.length === 0 ? null : element("p", { class: "note" }, `Not changed: ${listed(parameters.map((array) => array.name))}.`);
  }

  /** In two dimensions the set; in more the projections. */
  differenceSets(id) {
    const dimensions = this.result.shapes[id].length;
    const axes = dimensions === 1 ? [[0, null]] : dimensions === 2 ? [[0, 1]] : dimensions === 3 ? [[0, 1], [0, 2], [1, 2]] : [];
    return axes.map((own) => differenceSet(this.program, this.result, id, own, this.sizes));
  }

  buffers() {
    if (this.result.buffers.length === 0) return "";
    return part(3, "What is in the new storage", element("p", {}, "At the moment that the slider shows. Point at a cell, or go there by keys, for the story of its value."),
      this.result.buffers.map((buffer, id) => {
        const { drawing, moveTo } = bufferOverTime(this.program, this.result, id);
        this.movers.push(moveTo);
        return figure(`${buffer.name}${buffer.extents.map((extent) => `[${extent}]`).join("")}`, drawing);
      }));
  }

  stages() {
    const { stages } = this.scop;
    if (!stages) return "";
    const line = (stage) => element("a", { href: `#line-${stages.stages[stage].line}` }, `line ${stages.stages[stage].line}`);
    const apart = stages.apart.map((own) => element("li", {}, line(own.from), " and ", line(own.to), `: ${own.why}`));
    const among = (loop) => loop.members.map((member, k) => [k > 0 ? "; " : "", line(member.stage), `: ${pace(member) || "in the same iteration"}`]);
    const loops = stages.loops.map((loop) => element("li", {}, `${loop.level === 0 ? "Outermost loop" : `Loop ${loop.level + 1} from outside`}: `, among(loop)));
    return part(3, "Loops that became one",
      figure("Stages as the source has them, with the arrays that pass between them. A bracket holds the stages of one loop.", element("div", { class: "scrolls" }, stagesDrawing(stages))),
      element("p", {}, "How many iterations each stage runs behind:"), element("ul", {}, loops),
      element("p", {}, "Where a stage doesn't run at the first or last iterations of a loop, the result has further loops for these iterations."),
      apart.length === 0 ? element("p", {}, "All stages that pass arrays on share a loop.") : [element("p", {}, "What stays apart:"), element("ul", {}, apart)]);
  }

  proof() {
    const { proof, buffers } = this.scop;
    const shown = buffers.map((buffer) => element("li", {}, element("code", {}, buffer.name), `: found by ${buffer.method}. `, buffer.members.map((member) => element("code", { class: "mapping" }, member.mapping))));
    return part(3, "Why it is right",
      element("p", {}, proof.status === "proved" ? "No two values that are needed at the same time share a cell. That was proved with exact integers, " : "The proof failed, ", `for all sizes that C allows${proof.condition === "1" ? "" : ` with ${proof.condition}`}: not only for those drawn here. That the new loops compute the same with it, running both shows.`),
      proof.reasons.length === 0 ? null : element("ul", {}, proof.reasons.map((reason) => element("li", {}, reason))),
      shown.length === 0 ? null : element("details", {}, element("summary", {}, "Mappings"), element("ul", {}, shown)));
  }
}

const views = report.scops.map((scop, place) => new ScopView(scop, place));
const shown = (view) => view.scop.arrays.filter((array) => view.program.arrays.some((own) => own.name === array.name && own.is_counted));
const links = new Map(views.flatMap((view) => shown(view).map((array) => [array.name, `#${view.id}-array-${array.name}`])));
const reasons = new Map(views.flatMap((view) => shown(view).map((array) => [array.name, view.decision(array)])));
layOut(views.map((view) => [view.id, view.scop.function, view.element()]), links, reasons);
views.forEach((view) => view.draw());
