// What the player has in hand: keys by colour, bombs, items; and how many moves were made.

import { h, show } from "/static/dom.js";
import { count } from "/static/format.js";
import { icon } from "./sign_legend.js";

export class Inventory {
  constructor() {
    this.element = h("ul", { class: "inventory", "aria-label": "In hand" });
  }

  show({ keys, bombs, items, counts }, picture, moves) {
    const { signs } = picture;
    const entries = [
      ...keys.map(([colour, number]) => entry(icon(signs.keys[colour] ?? signs.keys[""]), number, `${colour} key`.trim())),
      bombs === 0 ? null : entry(icon(signs.bomb), bombs ?? "∞", "bomb"),
      ...items.map((item) => entry(icon(signs.items[item]), counts[item] ?? null, item)),
    ].filter(Boolean);
    show(this.element, moves === null ? null : h("li", { class: "moves" }, count(moves, "move")), entries.length ? entries : h("li", { class: "quiet" }, "nothing in hand"));
  }
}

function entry(sign, number, name) {
  const words = number === null ? name : typeof number === "number" ? count(number, name) : `${name}s without end`;
  return h("li", { title: words, "aria-label": words }, sign, h("span", { "aria-hidden": "true" }, number === null ? name : `×${number}`));
}
