// The fill as its editor would show it: diamonds, hexagons, tiles that reach over their cells, or all floors as cubes.
// Python draws it; the board stays where one points and pins.

import { button, h, picture, show } from "/static/dom.js";

const LABELS = { map: "As drawn", depth: "In depth" };
const TITLES = { map: "Show the map as its editor draws it", depth: "Show all floors as cubes" };

export class MapPicture {
  constructor(bench, body) {
    this.bench = bench;
    this.body = body; // what belongs in the picture beside the task
    this.wanted = null; // whether to show it, once that was said; before, a map that the board does not show as it is
    this.button = button("", () => this.#toggle(), { class: "as-drawn", "aria-pressed": "false" });
    this.element = h("div", { class: "as-drawn", hidden: true, "aria-live": "polite" });
  }

  // A page came in: whether there is such a picture, and if it is shown, what it shows now.
  show(page) {
    this.kind = page.is_too_large ? null : (page.picture ?? null);
    this.button.hidden = !this.kind;
    if (this.kind) {
      this.button.textContent = LABELS[this.kind];
      this.button.title = TITLES[this.kind];
    }
    return this.refresh();
  }

  get isShown() {
    return Boolean(this.kind) && (this.wanted ?? this.kind === "map");
  }

  async refresh() {
    this.element.hidden = !this.isShown;
    this.button.setAttribute("aria-pressed", String(this.isShown));
    if (!this.isShown) {
      show(this.element);
      return;
    }
    const about = this.bench.loaded;
    await this.bench.attempt(async () => {
      const svg = await this.bench.draw({ ...this.body(), view: this.kind === "depth" ? "depth" : null });
      if (about === this.bench.loaded && this.isShown) show(this.element, picture(svg, "The map as its editor draws it", { class: "drawn" }));
    });
  }

  #toggle() {
    this.wanted = !this.isShown;
    return this.refresh();
  }
}
