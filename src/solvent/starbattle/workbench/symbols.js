// The signs on a board, each with a shape of its own, as in our pictures: stars, crosses, and what a hint points at.
// Every function takes the corner and the side of a cell, and colours come from the stylesheet.

import { s } from "/static/dom.js";

const POINTS = Array.from({ length: 10 }, (_, point) => {
  const reach = point % 2 === 0 ? 1 : 0.45;
  return [Math.sin((point * Math.PI) / 5) * reach, -Math.cos((point * Math.PI) / 5) * reach];
});

export function star(x, y, side, kind = "own") {
  const reach = side * (kind === "own" ? 0.34 : 0.36);
  const points = POINTS.map(([a, b]) => `${(x + side / 2 + reach * a).toFixed(1)},${(y + side * 0.53 + reach * b).toFixed(1)}`);
  return s("polygon", { class: `star ${kind}`, points: points.join(" ") });
}

export function cross(x, y, side) {
  return s("path", { class: "cross", d: diagonals(x, y, side, 0.12) });
}

// A cross that a hint makes stands on a disc.
export function crossToMake(x, y, side) {
  return s(
    "g",
    { class: "removal" },
    s("circle", { cx: x + side / 2, cy: y + side / 2, r: side * 0.34 }),
    s("path", { d: diagonals(x, y, side, 0.17) }),
  );
}

function diagonals(x, y, side, reach) {
  const near = side * (0.5 - reach);
  const length = 2 * side * reach;
  return `M${x + near} ${y + near}l${length} ${length}m0 ${-length}l${-length} ${length}`;
}

export function cause(x, y, side) {
  const inset = side * 0.21; // inside the dashed line of a block
  return s("rect", { class: "cause", x: x + inset, y: y + inset, width: side - 2 * inset, height: side - 2 * inset, rx: 3 });
}

export function block(x, y, width, height) {
  const inset = 5;
  return s("rect", { class: "block", x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset, rx: 8 });
}

// A cell to look at: two lines, so that it shows on light and dark.
export function ring(x, y, side) {
  const given = { x, y, width: side, height: side, rx: 7 };
  return s("g", { class: "ring" }, s("rect", { class: "wide", ...given }), s("rect", given));
}

// Around a star that is at fault.
export function fault(x, y, side) {
  return s("circle", { class: "fault", cx: x + side / 2, cy: y + side / 2, r: side * 0.43 });
}

// A small sign by itself, for a key: `draw` is one of the functions above.
export function sample(draw) {
  return s("svg", { class: "sign", viewBox: "-2 -2 48 48", width: 22, height: 22, "aria-hidden": "true" }, draw(0, 0, 44));
}
