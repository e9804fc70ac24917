// Charts that the server draws. Only shapes, text and links within the page are taken over from them, piece by piece, so
// nothing that stands in the name of a file can ever become more than text.

import { h, s } from "../dom.js";

const ELEMENTS = new Set(["svg", "g", "rect", "line", "path", "text", "title", "use", "a"]);
const ATTRIBUTES = new Set(
  "viewBox role aria-label class x y x1 y1 x2 y2 width height rx d transform text-anchor tabindex".split(" "),
);
const LINKS = /^#(mark-[A-Z]+|\/result\/[\w/%.-]+)$/;

export function chart(svg, marks) {
  define(marks);
  const parsed = new DOMParser().parseFromString(svg, "image/svg+xml");
  return adopt(parsed.documentElement) ?? h("p", { class: "quiet" }, "This chart cannot be shown.");
}

function adopt(element) {
  if (!ELEMENTS.has(element.localName)) return null;
  const given = {};
  for (const { name, value } of element.attributes) {
    if (ATTRIBUTES.has(name) || (name === "href" && LINKS.test(value))) given[name] = value;
  }
  const children = Array.from(element.childNodes, (child) =>
    child.nodeType === Node.ELEMENT_NODE ? adopt(child) : child.nodeType === Node.TEXT_NODE ? child.data : null,
  );
  return s(element.localName, given, children);
}

// The shapes that charts refer to, once on the page.
function define(marks) {
  if (document.getElementById("mark-YES")) return;
  document.body.append(
    s(
      "svg",
      { width: 0, height: 0, class: "marks", "aria-hidden": "true" },
      s("defs", {}, Object.entries(marks).map(([kind, d]) => s("path", { id: `mark-${kind}`, d }))),
    ),
  );
}

export function legend(kinds) {
  return h(
    "ul",
    { class: "legend" },
    kinds.map((kind) =>
      h("li", {}, s("svg", { viewBox: "-6 -6 12 12", class: "badge", "aria-hidden": "true" }, s("use", { href: `#mark-${kind}`, class: `fill-${kind}` })), ` ${kind}`),
    ),
  );
}
