// The rooms of a dungeon and what joins them, as the drawing of the same name has them.

import { post } from "/static/api.js";
import { s } from "/static/dom.js";
import { copySvg } from "/static/safe_svg.js";
import { learnColours } from "./map_theme.js";
import { View } from "./pan_zoom.js";

export class RoomGraph {
  constructor(bench) {
    this.bench = bench;
    this.svg = null;
    this.view = null;
  }

  get isShown() {
    return this.svg !== null && this.svg.isConnected;
  }

  // Draw the position on the bench.
  async draw() {
    await this.bench.ready();
    const { svg: drawn, dark } = await post("draw", { ...this.bench.instance, view: "graph" });
    learnColours(dark);
    const [, width, height] = drawn.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).map(Number);
    const picture = copySvg(drawn);
    if (this.svg && this.size === `${width}×${height}`) this.svg.replaceChildren(picture);
    else {
      this.svg?.remove();
      this.svg = s("svg", { class: "dungeon-map rooms", role: "img", "aria-label": "The rooms and what joins them" }, picture);
      this.view = new View(this.svg, { width, height });
    }
    this.size = `${width}×${height}`;
  }

  hide() {
    this.svg?.remove();
    this.svg = this.view = null;
  }
}
