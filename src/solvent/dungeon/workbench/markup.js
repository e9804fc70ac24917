// Turn the pieces that the drawings give as text into elements. Only shapes and their looks are let through, and all of
// it is made anew, so that nothing in a piece can be more than a picture.

import { s } from "/static/dom.js";

const TAGS = new Set(["g", "path", "circle", "rect", "text", "title"]);
const LOOKS = new Set(
  (
    "d x y width height rx r cx cy transform fill fill-opacity stroke stroke-width stroke-opacity stroke-dasharray " +
    "stroke-linejoin stroke-linecap paint-order opacity font-size font-weight text-anchor shape-rendering"
  ).split(" "),
);
const parser = new DOMParser();

// Return a <g> that holds the piece.
export function build(piece, given = {}) {
  const read = parser.parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${piece}</svg>`, "image/svg+xml");
  const made = s("g", given);
  for (const child of read.documentElement.childNodes) copyInto(made, child);
  return made;
}

function copyInto(place, node) {
  if (node.nodeType === Node.TEXT_NODE) {
    if (place.localName === "text" || place.localName === "title") place.append(node.data);
    return;
  }
  if (!TAGS.has(node.localName)) return;
  const made = s(node.localName);
  for (const { name, value } of node.attributes) if (LOOKS.has(name)) made.setAttribute(name, value);
  for (const child of node.childNodes) copyInto(made, child);
  place.append(made);
}

// A sign of its own, for a list or a legend.
export function icon(piece, size = 26) {
  return s("svg", { viewBox: "-16 -16 32 32", width: size, height: size, "aria-hidden": "true", class: "icon" }, build(piece));
}
