// What is marked on the board: fixed picks, what is left out and why, what clashes, and what is selected. Every mark has
// a shape of its own, so that none depends on its colour.

import { s } from "/static/dom.js";
import { HEXAGON, TILE } from "./geometry.js";

const MAX_NUMBERED = 60;

export function drawMarks(board) {
  const { look, geometry, page } = board;
  const here = (node) => geometry.floorOf(node) === board.floor;
  const marks = [];
  if (board.view === "modules") {
    for (const [node, entry] of look.leftOut) {
      if (here(node) && (!look.shown || look.shown[node])) marks.push(leftOutSign(board, node, entry.proved));
    }
    for (const pick of page.picks) if (here(pick.node) && !board.kept.has(pick.node)) marks.push(pickSign(board, pick));
  }
  if (look.clash) {
    const nodes = look.clash.nodes.map((node, number) => [node, number + 1]).filter(([node]) => here(node));
    for (const [node] of nodes) marks.push(ringSign(board, node));
    for (const link of look.clash.links) {
      if (here(link.start) || here(link.end)) marks.push(linkSign(board, link, here));
    }
    if (look.clash.nodes.length <= MAX_NUMBERED) for (const [node, number] of nodes) marks.push(badge(board, node, number));
  }
  if (look.lit) {
    const kind = look.lit.ends ? "" : " lit";
    for (const node of look.lit.nodes ?? []) if (here(node)) marks.push(ringSign(board, node, kind));
    for (const link of look.lit.links ?? []) if (here(link.start) || here(link.end)) marks.push(linkSign(board, link, here, kind));
  }
  if (page.kind === "graph" && geometry.isNamed) marks.push(names(board)); // over what clashes
  for (const node of look.stroke ?? []) if (here(node)) marks.push(at(board, node, outline(board, 1, { class: "stroke" })));
  if (board.selected !== null && here(board.selected)) marks.push(selection(board));
  return marks;
}

function at(board, node, ...children) {
  const [x, y] = board.geometry.centre(node);
  return s("g", { transform: `translate(${x} ${y})` }, ...children);
}

const hexagon = (size) => `M${HEXAGON.map(([x, y]) => `${x * size} ${y * size}`).join("L")}z`;

// The outline of a node, a little smaller or larger than the node itself.
function outline(board, inset, given) {
  const half = TILE / 2 - inset;
  if (board.page.kind === "hex") return s("path", { d: hexagon(1 - inset / 16), ...given });
  if (board.page.kind === "graph") return s("circle", { r: half + 1, ...given });
  return s("rect", { x: -half, y: -half, width: 2 * half, height: 2 * half, rx: 3, ...given });
}

function pickSign(board, pick) {
  const flag = board.geometry.isRound ? "M5-17h13l-4 5 4 5h-13z" : "M-16-16h14l-14 14z";
  return at(
    board,
    pick.node,
    s("title", {}, pick.ignored ? `pick ignored: ${pick.ignored}` : `pinned: ${pick.name}`),
    s("path", { d: flag, class: pick.ignored ? "pick ignored" : "pick" }),
  );
}

function leftOutSign(board, node, proved) {
  const ground = outline(board, 0.5, { class: proved ? "left-out" : "left-open" });
  const stripes = proved ? s("path", { class: "stripes", d: "M-12-4l8-8M-12 4l16-16M-12 12l24-24M-4 12l16-16M4 12l8-8" }) : null;
  const sign = proved
    ? s("path", { class: "cross", d: "M-7-7l14 14m0-14l-14 14" })
    : s("text", { class: "question", y: 8 }, "?");
  return at(board, node, ground, stripes, sign);
}

function ringSign(board, node, kind = "") {
  return at(board, node, outline(board, 1.5, { class: "ring casing" }), outline(board, 1.5, { class: `ring${kind}` }));
}

function badge(board, node, number) {
  const half = 3.5 + 3.5 * String(number).length;
  return at(
    board,
    node,
    s("rect", { class: "badge", x: 10 - half, y: 2.5, width: 2 * half, height: 15, rx: 7.5 }),
    s("text", { class: "number", x: 10, y: 14.2 }, String(number)),
  );
}

// An edge as a thick line; around the rim, or to another floor, as halves that lead away; dashed if it is no edge but
// two nodes that are too near each other.
function linkSign(board, link, here, kind = "") {
  const [start, end] = [link.start, link.end].map((node) => board.geometry.centre(node));
  const lines = [];
  if (link.away) {
    const [dx, dy] = link.away;
    const most = Math.max(Math.abs(dx), Math.abs(dy)) || 1;
    const [x, y] = [(dx / most) * TILE * 0.75, (dy / most) * TILE * 0.75];
    if (here(link.start)) lines.push(`M${start[0] + x / 2.5} ${start[1] + y / 2.5}l${x / 2} ${y / 2}`);
    if (here(link.end)) lines.push(`M${end[0] - x / 2.5} ${end[1] - y / 2.5}l${-x / 2} ${-y / 2}`);
  } else {
    const [x, y] = [end[0] - start[0], end[1] - start[1]];
    const share = Math.min(0.3, 15 / Math.max(1e-9, Math.hypot(x, y)));
    lines.push(`M${start[0] + share * x} ${start[1] + share * y}l${(1 - 2 * share) * x} ${(1 - 2 * share) * y}`);
  }
  const d = lines.join("");
  return s("g", {}, s("path", { d, class: "link casing" }), s("path", { d, class: `link${kind}${link.is_edge ? "" : " apart"}` }));
}

function selection(board) {
  return at(board, board.selected, outline(board, -1, { class: "selected casing" }), outline(board, -1, { class: "selected" }));
}

function names({ page }) {
  const short = (name) => (name.length > 14 ? `${name.slice(0, 13)}…` : name);
  return s(
    "g",
    { class: "names" },
    page.points.map(([x, y], node) => s("text", { x, y: y + 26 }, short(page.names[node]))),
  );
}
