// What both pages have: the report, words, sections, both texts side by side, messages.

const report = JSON.parse(document.getElementById("report").textContent);

const count = (cells, noun) => `${number(cells)} ${noun}${cells === 1 ? "" : "s"}`;
const cellsOf = (cells) => (cells === null ? "?" : count(cells, "cell"));

function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

const atSizes = (sizes) => Object.entries(sizes).map(([name, value]) => `${name} = ${number(value)}`).join(", ");

/** A heading and what belongs to it. */
const part = (level, title, ...content) => element("section", {}, element(`h${level}`, {}, title), content);

const figure = (caption, ...content) => element("figure", {}, element("figcaption", {}, caption), content);

const capital = (text) => text[0].toUpperCase() + text.slice(1);

/** Source and result side by side, on narrow screens one below the other; unchanged lines far from changes are left out. `links`: where a name leads; `reasons`: what became of it. */
function comparison(links, reasons) {
  const [before, after] = [report.source, report.result].map((text) => text.split("\n"));
  // Comments are no code.
  const linked = (line) => (/^\s*(\/\*|\/\/|\*)/.test(line) ? [line] : line.split(/(\b[A-Za-z_]\w*\b)/).map((word) => (links.has(word) ? element("a", { href: links.get(word) }, word) : word)));
  const side = (lines, at, kind, missing = at === null ? " none" : "") => [
    element("td", { class: `line ${kind}${missing}`, id: kind === "old" && at !== null ? `line-${at + 1}` : null }, at === null ? "" : String(at + 1)),
    element("td", { class: `code ${kind}${missing}` }, at === null ? "" : linked(lines[at])),
  ];
  const row = (old, now) => element("tr", {}, side(before, old, "old"), side(after, now, "new"));
  /** What became of the arrays that changed lines name. */
  const why = (lines) => {
    const names = new Set(lines.join(" ").match(/\b[A-Za-z_]\w*\b/g) ?? []);
    const told = [...reasons].filter(([name]) => names.has(name));
    return told.length === 0 ? null : element("tr", { class: "why" }, element("td", { colspan: "4" }, "Why: ", told.map(([name, reason], k) => [k > 0 ? " " : "", element("a", { href: links.get(name) }, name), `: ${reason}`])));
  };
  const rows = (change) => {
    const [from, to, newFrom, newTo] = change.lines;
    if (change.kind === "gap") return element("tr", {}, element("td", { colspan: "4" }, `${number(to - from)} lines are the same`));
    const lines = Array.from({ length: Math.max(to - from, newTo - newFrom) }, (_, k) => row(from + k < to ? from + k : null, newFrom + k < newTo ? newFrom + k : null));
    return change.kind === "changed" ? [lines, why(before.slice(from, to))] : lines;
  };
  const bodies = report.changes.map((change) => element("tbody", { class: change.kind }, rows(change)));
  const head = element("tr", {}, ["Line", "Source", "Line", "Result"].map((name) => element("th", { scope: "col" }, name)));
  return element("section", { id: "code" }, element("h2", {}, "Source and result"),
    element("div", { class: "scrolls", tabindex: "0", role: "region", "aria-label": "Source and result" }, element("table", { class: "diff" }, element("thead", {}, head), bodies)));
}

/** Text with what stands between backticks as code. */
const prose = (text) => text.split("`").map((part, k) => (k % 2 === 1 ? element("code", {}, part) : part));

function messages() {
  if (report.diagnostics.length === 0) return "";
  const item = (own) => element("li", { class: own.severity }, element("strong", {}, `${own.severity} ${own.code}`), " ", element("a", { href: `#line-${own.line}` }, `line ${own.line}`), ": ", prose(own.message), own.help ? element("span", { class: "help" }, ". Help: ", prose(own.help)) : null);
  return element("section", { id: "messages" }, element("h2", {}, "Messages"), element("ul", {}, report.diagnostics.map(item)));
}

/** The page: sections, each with its name and heading, both texts, and messages. */
function layOut(sections, links, reasons) {
  const contents = [...sections.map(([id, title]) => [id, title]), ["code", "Source and result"], ...(report.diagnostics.length > 0 ? [["messages", "Messages"]] : [])];
  document.querySelector("nav").append(element("ul", {}, contents.map(([id, name]) => element("li", {}, element("a", { href: `#${id}` }, name)))));
  document.querySelector("main").append(...sections.map(([, , drawn]) => drawn), comparison(links, reasons), messages());
}
