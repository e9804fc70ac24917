// Draw walks as lines that keep to the right, so that the way back can be told from the way there.

import { s } from "/static/dom.js";

const LANE = 5; // how far right of the middle of its tiles a walk is drawn
const LONGEST_STRIDE = 6; // tiles that one move may cross and still be a straight line

// `locate(place)` gives the middle of a tile; `moves`, if they are known, tell a return to the start from a step.
export function trail(places, locate, paint, { width = 3.5, faint = false, moves = [] } = {}) {
  const made = s("g", { fill: "none", "stroke-linejoin": "round", "stroke-linecap": "round", opacity: faint ? 0.35 : 1 });
  if (places.length < 2) return made;
  const { lines, jumps } = split(places, moves);
  const d = lines.map((line) => path(aside(line.map(locate)))).join("");
  const arcs = jumps.map(([from, to]) => bend(locate(from), locate(to))).join("");
  if (!faint) made.append(s("path", { d: d + arcs, stroke: "#fff", "stroke-width": width + 3 }));
  if (d) made.append(s("path", { d, stroke: paint, "stroke-width": width }));
  if (arcs) made.append(s("path", { d: arcs, stroke: paint, "stroke-width": width, "stroke-dasharray": `${2 * width} ${2 * width}` }));
  return made;
}

function split(places, moves) {
  const lines = [[places[0]]];
  const jumps = [];
  places.slice(1).forEach((to, index) => {
    const from = places[index];
    if (String(from) === String(to)) return; // a lever was pulled
    if (moves[index] !== "r" && isStraight(from, to)) lines.at(-1).push(to);
    else {
      jumps.push([from, to]);
      lines.push([to]);
    }
  });
  return { lines: lines.filter((line) => line.length > 1), jumps };
}

const path = (points) => "M" + points.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");

function aside(points) {
  const ways = points.slice(1).map((to, index) => ({ x: Math.sign(to.x - points[index].x), y: Math.sign(to.y - points[index].y) }));
  const moved = [shift(points[0], ways[0])];
  for (let index = 1; index < ways.length; index++) {
    const [before, after] = [ways[index - 1], ways[index]];
    if (before.x === after.x && before.y === after.y) continue;
    if (before.x === -after.x && before.y === -after.y) moved.push(shift(points[index], before), shift(points[index], after));
    else moved.push(shift(shift(points[index], before), after));
  }
  return [...moved, shift(points.at(-1), ways.at(-1))];
}

const shift = (point, way) => ({ x: point.x - way.y * LANE, y: point.y + way.x * LANE });

function bend(from, to) {
  const lean = leaning(from, to);
  return `M${from.x} ${from.y}Q${beside(from, to, lean)} ${to.x} ${to.y}`;
}

// Where a line is half way, and which way it leads there.
export function halfWay(from, to, locate) {
  const [start, end] = [locate(from), locate(to)];
  const [x, y] = isStraight(from, to) ? [(start.x + end.x) / 2, (start.y + end.y) / 2] : beside(start, end, leaning(start, end) / 2).split(" ");
  return { x, y, turn: (Math.atan2(end.y - start.y, end.x - start.x) * 180) / Math.PI };
}

const leaning = (from, to) => Math.min(0.22, 60 / (Math.hypot(to.x - from.x, to.y - from.y) + 1));

function beside(from, to, lean) {
  return [(from.x + to.x) / 2 - (to.y - from.y) * lean, (from.y + to.y) / 2 + (to.x - from.x) * lean].map((each) => each.toFixed(1)).join(" ");
}

function isStraight(from, to) {
  const straight = from[0] === to[0] && (from[1] === to[1] || from[2] === to[2]);
  return straight && Math.abs(from[1] - to[1]) + Math.abs(from[2] - to[2]) <= LONGEST_STRIDE;
}
