// The rooms of a dungeon and what joins them, as the drawing of the same name has them.

import { s } from "/static/dom.js";
import { View } from "./pan_zoom.js";

export class RoomGraph {
  constructor(bench) {
    this.bench = bench;
    this.svg = null;
    this.view = null;
    this.address = null;
  }

  get isShown() {
    return this.svg !== null && this.svg.isConnected;
  }

  // Draw the position on the bench. As an image nothing in it runs, whatever it holds.
  async draw() {
    const drawn = await this.bench.draw({ view: "graph" });
    const [, width, height] = drawn.match(/viewBox="0 0 ([\d.]+) ([\d.]+)"/).map(Number);
    const old = this.address;
    this.address = URL.createObjectURL(new Blob([drawn], { type: "image/svg+xml" }));
    const image = s("image", { href: this.address, width, height });
    if (this.svg && this.size === `${width}×${height}`) this.svg.replaceChildren(image);
    else {
      this.svg?.remove();
      this.svg = s("svg", { class: "dungeon-map rooms", role: "img", "aria-label": "The rooms and what joins them" }, image);
      this.view = new View(this.svg, { width, height });
    }
    this.size = `${width}×${height}`;
    if (old) URL.revokeObjectURL(old);
  }

  hide() {
    this.svg?.remove();
    this.svg = this.view = null;
    if (this.address) URL.revokeObjectURL(this.address);
    this.address = null;
  }
}
