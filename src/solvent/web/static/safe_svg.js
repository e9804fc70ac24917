// Copy SVG that comes as text, element by element. Only shapes, text, their looks and links within the page are let
// through, so nothing that stands in an instance or in the name of a file can ever be more than a picture.

import { s } from "./dom.js";

const TAGS = new Set("svg g path circle rect line text title use a".split(" "));
const ATTRIBUTES = new Set(
  (
    "viewBox role aria-label class tabindex d x y x1 y1 x2 y2 width height rx r cx cy transform fill fill-opacity stroke " +
    "stroke-width stroke-opacity stroke-dasharray stroke-linejoin stroke-linecap paint-order opacity font-size " +
    "font-weight text-anchor shape-rendering"
  ).split(" "),
);
const LINKS = /^#(mark-[A-Z]+|\/result\/[\w/%.-]+)$/;

// Return a <g> that holds a copy of these elements; what is let through by nothing above is left out.
export function copySvg(elements, given = {}) {
  const read = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${elements}</svg>`, "image/svg+xml");
  return s("g", given, [...read.documentElement.childNodes].map(copied));
}

function copied(node) {
  if (node.nodeType === Node.TEXT_NODE) return ["text", "title"].includes(node.parentNode.localName) ? node.data : null;
  if (!TAGS.has(node.localName)) return null;
  const kept = [...node.attributes].filter(({ name, value }) => ATTRIBUTES.has(name) || (name === "href" && LINKS.test(value)));
  return s(node.localName, Object.fromEntries(kept.map(({ name, value }) => [name, value])), [...node.childNodes].map(copied));
}
