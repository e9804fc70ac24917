// Charts that the server draws, and their legends.

import { h, s } from "../dom.js";
import { copySvg } from "../safe_svg.js";

// A chart with its caption and, where it has marks, what they mean.
export function chartFigure({ title, caption, svg, kind = "" }, marks) {
  define(marks);
  const kinds = ["PASS", "FAIL", "UNKNOWN", "ERROR"].filter((each) => svg.includes(`#mark-${each}"`));
  return h(
    "figure",
    { class: `card ${kind}` },
    h("figcaption", {}, h("strong", {}, title), h("span", { class: "quiet" }, caption)),
    kinds.length ? legend(kinds) : null,
    copySvg(svg).firstElementChild ?? h("p", { class: "quiet" }, "This chart cannot be shown."),
  );
}

// The shapes that charts refer to, once on the page.
function define(marks) {
  if (document.getElementById("mark-PASS")) return;
  document.body.append(
    s(
      "svg",
      { width: 0, height: 0, class: "chart-marks", "aria-hidden": "true" },
      s("defs", {}, Object.entries(marks).map(([kind, d]) => s("path", { id: `mark-${kind}`, d }))),
    ),
  );
}

function legend(kinds) {
  return h(
    "ul",
    { class: "legend" },
    kinds.map((kind) =>
      h("li", {}, s("svg", { viewBox: "-6 -6 12 12", class: "badge", "aria-hidden": "true" }, s("use", { href: `#mark-${kind}`, class: `fill-${kind}` })), ` ${kind}`),
    ),
  );
}
