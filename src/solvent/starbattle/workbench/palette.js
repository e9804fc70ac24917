// What a stroke paints: the region it begins in, a new one, one of those there are, or nothing.

import { button, h, show } from "/static/dom.js";
import { LETTERS, used } from "./draft.js";

export const PULL = "pull";
export const NEW = "new";
export const ERASE = "erase";
const KINDS = [
  [PULL, "Extend", "Drag from a region to extend it; from an empty cell to begin a new one"],
  [NEW, "New region", "Drag to draw a new region over whatever is there (+ on the keyboard)"],
  [ERASE, "Erase", "Drag over cells to take them out of their regions (Delete on the keyboard)"],
];

export class Palette {
  // `chosen(brush)` hears of each choice. A brush is PULL, NEW, ERASE or the number of a region.
  constructor(chosen = () => {}) {
    this.brush = PULL;
    this.chosen = chosen;
    this.kinds = KINDS.map(([brush, label, title]) => button(label, () => this.choose(brush), { title, data: { brush } }));
    this.swatches = h("div", { class: "swatches", role: "group", "aria-label": "Paint a region" });
    this.element = h("div", { class: "palette" }, h("div", { class: "row", role: "group", "aria-label": "Brush" }, this.kinds), this.swatches);
    this.key = "";
  }

  choose(brush) {
    this.brush = brush;
    this.#press();
    this.chosen(brush);
  }

  // Show a swatch for each region that the board may have; those in use are marked.
  show(draft) {
    if (typeof this.brush === "number" && this.brush >= draft.size) this.brush = PULL;
    const inUse = used(draft);
    const key = `${draft.size} ${draft.paints.slice(0, draft.size)} ${[...inUse].sort()}`;
    if (key !== this.key) {
      this.key = key;
      const focused = this.swatches.contains(document.activeElement) ? document.activeElement.dataset.brush : null;
      show(
        this.swatches,
        Array.from({ length: draft.size }, (_, region) =>
          button(LETTERS[region], () => this.choose(region), {
            class: `swatch paint-${draft.paints[region]}${inUse.has(region) ? "" : " idle"}`,
            "aria-label": `Region ${LETTERS[region]}${inUse.has(region) ? "" : ", not on the board yet"}`,
            data: { brush: String(region) },
          }),
        ),
      );
      if (focused) this.swatches.querySelector(`[data-brush="${focused}"]`)?.focus();
    }
    this.#press();
  }

  #press() {
    for (const each of [...this.kinds, ...this.swatches.children]) each.setAttribute("aria-pressed", String(each.dataset.brush === String(this.brush)));
  }
}
