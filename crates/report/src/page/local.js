// The page of a file with regions for local memory: which cells live where at each instance of a region, and which are copied.

/** Cells in a row of an array of one dimension. */
const IN_A_ROW = 32;

const GRID_WIDE = 340;

/** The box of some indices, and where a cell stands in it as a picture: the last dimension goes to the right. */
class Grid {
  constructor(cells) {
    const all = cells.length > 0 ? cells : [[0]];
    this.least = all[0].map((_, k) => Math.min(...all.map((cell) => cell[k])));
    this.extents = this.least.map((least, k) => Math.max(...all.map((cell) => cell[k])) - least + 1);
    // One cell is a row of one.
    this.isLine = this.extents.length < 2;
    const last = this.extents.at(-1) ?? 1;
    this.columns = this.isLine ? Math.min(last, IN_A_ROW) : last;
    this.rows = this.isLine ? Math.ceil(last / this.columns) : this.extents.slice(0, -1).reduce((a, b) => a * b, 1);
    this.size = Math.max(3, Math.min(16, Math.floor(GRID_WIDE / this.columns)));
  }

  place(cell) {
    const own = cell.map((at, k) => at - this.least[k]);
    if (this.isLine) return [Math.floor((own[0] ?? 0) / this.columns), (own[0] ?? 0) % this.columns];
    return [own.slice(0, -1).reduce((row, at, k) => row * this.extents[k] + at, 0), own.at(-1)];
  }

  rectangle(cell, attributes, ...children) {
    const [row, column] = this.place(cell);
    return element("rect", { x: column * this.size, y: row * this.size, width: this.size - 1, height: this.size - 1, ...attributes }, children);
  }

  drawing(attributes, content) {
    const [wide, high] = [this.columns * this.size, this.rows * this.size];
    const ground = element("rect", { class: "ground", x: 0, y: 0, width: wide, height: high });
    return element("svg", { viewBox: `0 0 ${wide} ${high}`, width: wide, height: high, class: "grid", ...attributes }, ground, content);
  }
}

const named = (name, indices) => name + indices.map((at) => `[${at}]`).join("");

/** What becomes of a cell at an instance, by how it is copied. */
const COPIED = { in: "copied in", back: "copied back", both: "copied in and back", not: "neither copied in nor back" };
const isIn = ([, , copied]) => copied === "in" || copied === "both";
const isBack = ([, , copied]) => copied === "back" || copied === "both";

/** One version of a region: its numbers, and what is where at an instance. */
class VersionView {
  constructor(version, id) {
    this.version = version;
    this.id = id;
    this.example = version.examples[0];
  }

  element() {
    const { version } = this;
    return [this.numbers(), version.kept.length === 0 ? null : this.kept(), this.example ? this.controls() : element("p", { class: "note" }, "Nothing is drawn: there are too many cells, or nothing bounds the loops around at small sizes."), this.example ? this.figures() : null];
  }

  numbers() {
    const { arrays, at } = this.version;
    const cells = (value) => (value === null ? "?" : number(value));
    const heads = ["local array", "holds cells of", "cells", "touched", "whole array", "copied in", "copied back", "bytes", "found as"];
    const row = (array) => element("tr", {}, element("th", { scope: "row" }, array.name), element("td", {}, array.of),
      element("td", { "data-number": `${array.name} cells` }, array.buffers > 1 ? `${number(array.cells)} × ${array.buffers}` : number(array.cells)),
      [array.exact, array.whole, array.copied_in.cells, array.copied_back.cells, array.bytes].map((value) => element("td", {}, cells(value))), element("td", {}, array.how));
    const sizes = Object.keys(at).length > 0 ? `At ${atSizes(at)}` : "In numbers";
    const inAll = arrays.some((array) => array.buffers > 1) ? " in all buffers: one computes while others are filled or emptied" : "";
    return [
      element("p", { class: "note" }, `${sizes}. Of a few instances one touches so many cells of the array: the local array can't have fewer. Together local arrays have ${total(this.version, (array) => array.cells * array.buffers, "cell")}${inAll}.`),
      element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Numbers of the local arrays" },
        element("table", { class: "local" }, element("thead", {}, element("tr", {}, heads.map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, arrays.map(row)))),
    ];
  }

  kept() {
    return [element("p", {}, "These stay where they are:"), element("ul", {}, this.version.kept.map(([name, why]) => element("li", {}, element("code", {}, name), `: ${why}`)))];
  }

  controls() {
    const { examples } = this.version;
    const choice = element("select", { id: `${this.id}-sizes` }, examples.map((example, k) => element("option", { value: k }, atSizes(example.at) || "as in the source")));
    choice.addEventListener("input", () => this.choose(examples[Number(choice.value)]));
    this.slider = element("input", { type: "range", min: "0", value: "0", id: `${this.id}-instance` });
    this.slider.addEventListener("input", () => this.moveTo(Number(this.slider.value)));
    this.moment = element("output", { for: this.slider.id });
    this.told = element("p", { class: "told", role: "status" });
    return element("form", { class: "controls", "aria-label": "Sizes and instance" },
      element("div", { class: "sizes" }, element("label", { for: choice.id }, "Sizes ", choice)),
      element("label", { class: "time", for: this.slider.id }, "Instance ", this.slider), this.moment, this.told);
  }

  figures() {
    this.places = this.version.arrays.map(() => ({ array: element("div"), local: element("div"), counts: element("p", { class: "note" }), flight: element("p", { class: "flight" }) }));
    const key = () => Object.entries(COPIED).map(([copied, text]) => element("span", { class: `key cell-${copied}` }, text));
    const one = (array, k) => {
      const { array: global, local, counts, flight } = this.places[k];
      return figure([element("code", {}, array.references.join(", ")), " in ", element("code", {}, array.name), ". ", key()], element("div", { class: "pair" },
        element("div", {}, element("p", {}, "Where its cells are in ", element("code", {}, array.of)), element("div", { class: "scrolls" }, global)),
        element("div", {}, element("p", {}, "Where they live in ", element("code", {}, array.name)), element("div", { class: "scrolls" }, local))), counts, flight);
    };
    return this.version.arrays.map(one);
  }

  choose(example) {
    this.example = example;
    const of = (pick) => this.version.arrays.map((_, k) => new Grid(example.instances.flatMap((instance) => instance.arrays[k].map(pick))));
    [this.grids, this.locals] = [of(([cell]) => cell), of(([, local]) => local)];
    this.slider.max = example.instances.length - 1;
    const { length } = example.instances;
    this.told.textContent = example.is_cut ? `Only the first ${length === 1 ? "instance is" : `${number(length)} instances are`} drawn.` : "";
    this.moveTo(0);
  }

  moveTo(at) {
    this.slider.value = at;
    const instance = this.example.instances[at];
    const when = Object.keys(instance.at).length > 0 ? `, at ${atSizes(instance.at)}` : "";
    this.moment.textContent = `Instance ${number(at + 1)} of ${number(this.example.instances.length)}${when}`;
    this.version.arrays.forEach((array, k) => this.show(array, k, instance.arrays[k], at));
  }

  show(array, k, cells, at) {
    const place = this.places[k];
    const buffer = array.buffers > 1 ? [this.example.instances[at].iteration % array.buffers] : [];
    const story = ([cell, local, copied]) => `${named(array.of, cell)} lives in ${named(array.name, [...buffer, ...local])}: ${COPIED[copied]}`;
    const rectangle = (grid, own, place, more = {}) => grid.rectangle(place, { class: `cell-${own[2]}`, ...more }, element("title", {}, story(own)));
    place.array.replaceChildren(this.grids[k].drawing({ role: "img", "aria-label": `Cells of ${array.of} that this instance touches: ${number(cells.length)}` },
      cells.map((own) => rectangle(this.grids[k], own, own[0]))));
    const items = cells.map((own) => rectangle(this.locals[k], own, own[1], { role: "img", "aria-label": story(own), "data-local": array.name }));
    const drawing = this.locals[k].drawing({ role: "group", "aria-label": `Cells of ${array.name}` }, items);
    place.local.replaceChildren(drawing);
    roving(drawing, items, this.locals[k].columns);
    place.counts.replaceChildren(...this.counted(array, k, cells, at));
    place.flight.textContent = array.buffers > 1 ? this.inFlight(array, at) : array.loops_outside > 0 ? `It is copied in front of ${count(array.loops_outside, "loop")} around the region: not at each instance.` : "";
  }

  /** How many cells, and which are copied. */
  counted(array, k, cells, at) {
    const outside = this.example.instances[at].outside[k];
    const leaves = `${outside === 1 ? "One of them is" : `${number(outside)} of them are`} outside of ${array.of} as it is declared: the source itself leaves the array at these sizes.`;
    const [into, back] = [cells.filter(isIn), cells.filter(isBack)];
    const before = new Set(at > 0 ? this.example.instances[at - 1].arrays[k].map(([cell]) => cell.join()) : []);
    const again = into.filter(([cell]) => before.has(cell.join())).length;
    const had = again > 0 ? `; the instance before had ${number(again)} of them, too` : "";
    const text = `${count(cells.length, "cell")}. Copied in: ${boxOf(array.of, into)}${had}. Copied back: ${boxOf(array.of, back)}.`;
    return outside > 0 ? [text, " ", element("strong", { class: "more" }, leaves)] : [text];
  }

  isNext(at) {
    return this.example.instances[at]?.follows ?? false;
  }

  /** What computes, comes in and goes back at an instance. */
  inFlight({ buffers, copied_in: into, copied_back: back }, at) {
    const { instances } = this.example;
    const [own, next, last] = [at, at + 1, at - 1].map((instance) => `buffer ${(instances[instance]?.iteration ?? 0) % buffers}`);
    const when = (instance) => atSizes(instances[instance].at);
    const [comesIn, goesBack] = [into.cells !== 0 && this.isNext(at + 1), back.cells !== 0];
    if (report.transfers !== "functions") {
      const first = comesIn ? `The cells of ${when(at + 1)} are copied into ${next} first; then ${own}` : capital(own);
      return `${first} computes${goesBack ? ", and its cells are copied back" : ""}. Functions named by --get, --put and --wait copy while it computes.`;
    }
    const comes = comesIn ? `, while the cells of ${when(at + 1)} come into ${next}` : "";
    const goes = !goesBack || !this.isNext(at) ? "" : buffers === 2 ? ` Those of ${when(at - 1)} have gone back from ${last} before.` : ` Those of ${when(at - 1)} may still be on their way back from ${last}.`;
    return `${capital(own)} computes${comes}.${goes}`;
  }
}

/** `in[16..33]`, or how many cells of such a box. */
function boxOf(name, cells) {
  if (cells.length === 0) return "none";
  const ranges = cells[0][0].map((_, k) => [Math.min(...cells.map(([cell]) => cell[k])), Math.max(...cells.map(([cell]) => cell[k]))]);
  const box = name + ranges.map(([least, most]) => (least === most ? `[${least}]` : `[${least}..${most}]`)).join("");
  const all = ranges.reduce((product, [least, most]) => product * (most - least + 1), 1);
  return all === cells.length ? `${box}, ${count(all, "cell")}` : `${count(cells.length, "cell")} of ${box}`;
}

/** The sum of what all local arrays have. */
function total(version, pick, noun) {
  const all = version.arrays.map(pick);
  return all.includes(null) ? `? ${noun}s` : count(all.reduce((sum, own) => sum + own, 0), noun);
}

function regionSection(region, place) {
  const id = `region-${place}`;
  const views = region.versions.map((version, k) => new VersionView(version, `${id}-${k}`));
  const held = region.versions.length === 0 ? "It stays as it is." : `Local arrays take ${region.versions.map((version) => total(version, (array) => array.bytes, "byte")).join(", or ")}.`;
  const heading = element("h2", {}, `${region.function} `, element("a", { class: "place", href: `#line-${region.line}` }, `line ${region.line}`));
  const shown = views.map((view) => {
    const condition = view.version.condition_in_c === "1" ? "all sizes" : `sizes with ${view.version.condition_in_c}`;
    const proved = `Proved for ${condition} at which the region runs: each place holds one value at a time, and what is needed behind the region is copied back. It was not run here: polyfold check runs both programs.`;
    return [views.length > 1 ? element("h3", {}, `Sizes with ${view.version.condition_in_c}`) : null, view.element(), element("p", { class: "note" }, proved)];
  });
  const words = "An instance is one run of the region: the loops around it have fixed counters then. Cells that it reads are copied in, and those that it wrote and somebody needs are copied back.";
  const section = element("section", { id, class: "scop" }, heading, element("p", { class: "summary" }, element("strong", {}, held)), element("p", { class: "note" }, words), shown);
  return [id, region.function, section, views];
}

const sections = report.regions.map(regionSection);
const links = new Map(sections.flatMap(([id, , , views]) => views.flatMap((view) => view.version.arrays.flatMap((array) => [array.name, array.of].map((name) => [name, `#${id}`])))));
layOut(sections, links, new Map());
sections.forEach(([, , , views]) => views.filter((view) => view.example).forEach((view) => view.choose(view.example)));
