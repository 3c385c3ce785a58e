// Stages in the source's order, what passes between them, and the loops that several became.

const MOST_STAGES = 40;

/** Arrays go along arcs on the left; brackets on the right hold the stages of one loop, the outermost next to them. */
function stagesDrawing({ stages, flows, loops }) {
  if (stages.length > MOST_STAGES) return element("p", { class: "note" }, `${number(stages.length)} stages are too many to draw.`);
  const [row, left, box, top] = [30, 150, 330, 8];
  const middle = (stage) => top + stage * row + 12;
  const boxes = stages.map((stage, k) => element("g", { class: "stage" },
    element("rect", { x: left, y: top + k * row, width: box, height: 24, rx: 3 }),
    element("text", { x: left + 8, y: middle(k) + 4 }, `${stage.line}: ${stage.text.length > 44 ? `${stage.text.slice(0, 43)}…` : stage.text}`),
    element("title", {}, stage.text)));
  const arcs = flows.map((flow) => {
    const reach = Math.min(left - 44, 16 + 14 * Math.abs(flow.to - flow.from));
    const [from, to] = [middle(flow.from) + 4, middle(flow.to) - 4];
    return element("g", { class: "flow" },
      element("path", { d: `M${left} ${from}C${left - reach} ${from} ${left - reach} ${to} ${left - 5} ${to}` }),
      element("path", { class: "head", d: `M${left} ${to}l-7 -3.5v7Z` }),
      element("text", { x: left - 0.75 * reach - 4, y: (from + to) / 2 + 4, "text-anchor": "end" }, flow.array));
  });
  const lane = 200;
  const brackets = loops.map((loop) => {
    const x = left + box + 14 + loop.level * lane;
    const rows = loop.members.map((member) => member.stage);
    const [first, last] = [Math.min(...rows), Math.max(...rows)];
    return element("g", { class: "shared" },
      element("path", { d: `M${x - 6} ${middle(first)}H${x}V${middle(last)}H${x - 6}` }),
      element("text", { x: x, y: top + stages.length * row + 14, "text-anchor": "middle" }, loop.level === 0 ? "outermost loop" : `${ordinal(loop.level + 1)} loop`),
      loop.members.map((member) => element("g", {},
        element("circle", { cx: x, cy: middle(member.stage), r: 3 }),
        element("text", { x: x + 7, y: middle(member.stage) + 4 }, pace(member)))));
  });
  const levels = 1 + Math.max(-1, ...loops.map((loop) => loop.level));
  const [width, height] = [left + box + 20 + levels * lane, top + stages.length * row + 20];
  const told = loops.map((loop) => `lines ${loop.members.map((member) => stages[member.stage].line).join(", ")} share loop ${loop.level + 1}`);
  return element("svg", { class: "stages", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `Stages: ${told.join("; ")}.` }, arcs, boxes, brackets);
}

/** When a stage runs in the loop that it shares. */
function pace(member) {
  const how = [];
  if (member.is_once) return "in one iteration";
  if (member.every > 1) how.push(`each ${ordinal(member.every)} iteration`);
  if (member.behind !== 0) how.push(`${member.behind} behind`);
  if (member.is_turned) how.push("turned over");
  return how.join(", ");
}
