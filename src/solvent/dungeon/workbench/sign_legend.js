// What each sign on a map means.

import { h, s, show } from "/static/dom.js";
import { copySvg } from "/static/safe_svg.js";

export const icon = (sign, size = 26) => s("svg", { viewBox: "-16 -16 32 32", width: size, height: size, "aria-hidden": "true", class: "icon" }, copySvg(sign));

// A list that opens and closes, for the signs of one map at a time.
export class SignLegend {
  constructor() {
    this.list = h("ul", { class: "signs" });
    this.element = h("details", { class: "card sign-legend", open: matchMedia("(min-width: 861px)").matches }, h("summary", {}, "Legend"), this.list);
  }

  show({ legend }) {
    show(this.list, legend.map(({ words, sign }) => h("li", {}, icon(sign, 30), h("span", {}, words))));
    this.element.hidden = !legend.length;
  }
}
