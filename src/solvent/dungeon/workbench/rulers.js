// The numbers of rows and columns at the edges of a map, counted from 0 as in all messages. They stay in sight when the
// map is moved, and are as large at every zoom.

import { s, show } from "/static/dom.js";

const SIZES = [9, 11]; // of the numbers, in pixels: where there is little room, and else
const NEAREST = 17; // pixels between two numbers
const STEPS = [1, 5, 10, 20, 50, 100, 200, 500];

export class Rulers {
  // `floors` and `tile` are those of the picture.
  constructor(svg, { floors, tile }) {
    Object.assign(this, { svg, tile });
    this.floors = floors.filter(({ rows, columns }) => rows * columns > 1); // a place of which only the name is known has none
    this.element = s("g", { class: "rulers", "aria-hidden": "true" });
    if (this.floors.length) new ResizeObserver(() => this.draw()).observe(svg);
  }

  // Draw them for what is in sight now.
  draw() {
    const matrix = this.svg.getScreenCTM();
    const frame = this.svg.getBoundingClientRect();
    if (!matrix || !frame.width || !this.floors.length) return;
    const unit = 1 / matrix.a; // of the picture in a pixel
    const [left, top] = [(frame.left - matrix.e) * unit, (frame.top - matrix.f) * unit];
    const [right, bottom] = [left + frame.width * unit, top + frame.height * unit];
    show(this.element, this.floors.map((floor) => this.#ofFloor(floor, { left, top, right, bottom, unit })));
  }

  #ofFloor({ x, y, rows, columns }, { left, top, right, bottom, unit }) {
    const { tile } = this;
    const step = STEPS.find((each) => (each * tile) / unit >= NEAREST) ?? STEPS.at(-1);
    const size = SIZES[tile / unit < 22 ? 0 : 1];
    const [width, height] = [columns * tile, rows * tile];
    if (x > right || x + width < left || y > bottom || y + height < top) return null;
    const room = (4 + 6.5 * String(rows - 1).length) * unit; // left of the map
    const across = Math.min(Math.max(x - room, left + unit), x + width - room);
    const down = Math.min(Math.max(y - (size + 4) * unit, top + unit), y + height - size * unit);
    const isIn = (at, from, to) => at > from && at < to;
    const number = (value, at) => s("text", { ...at, "font-size": size * unit, "stroke-width": 3 * unit }, String(value));
    const numbers = (count, from, low, high, make) => {
      const found = [];
      for (let each = 0; each < count; each += step) {
        const middle = from + (each + 0.5) * tile;
        if (isIn(middle, low, high)) found.push(make(each, middle));
      }
      return found;
    };
    return [
      numbers(columns, x, Math.max(left, across + room * 0.8), right, (value, middle) => number(value, { x: middle, y: down + size * unit, "text-anchor": "middle", class: "column" })),
      numbers(rows, y, Math.max(top, down + size * unit), bottom, (value, middle) => number(value, { x: across + room - 3 * unit, y: middle + size * 0.36 * unit, "text-anchor": "end", class: "row" })),
    ];
  }
}
