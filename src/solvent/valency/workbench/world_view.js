// A world without end: the rules of the open task, chunk by chunk, wherever one scrolls.

import { Refused, work } from "/static/api.js";
import { button, h, show, withCode } from "/static/dom.js";
import { capital, figure } from "/static/format.js";

const MAX_KEPT = 400; // chunks that are remembered
const MAX_AT_ONCE = 12; // chunks in one request
const STEP = 96; // pixels that an arrow key moves
const CELL_SIZES = [6, 8, 12, 16, 24, 32];
const HEX_ROW = 0.8660254; // the height of a row of hexagons, in widths of one

export class WorldView {
  // `sheet` and `page` say what modules look like; `ended` is called when it is closed.
  constructor(bench, { sheet, page, seed, ended }) {
    Object.assign(this, { bench, sheet, page, seed });
    this.chunks = new Map(); // "x,y" to {modules, canvas}
    this.wanted = new Set();
    this.at = { x: 0, y: 0 }; // the cell in the middle of the canvas
    this.cell = 16;
    this.size = null; // cells of a chunk, once it is known
    this.checked = 0;
    this.stopper = new AbortController();
    this.canvas = h("canvas", { class: "world", tabindex: 0, role: "img", "aria-label": "A world without end; scroll with the arrow keys" });
    this.status = h("p", { class: "about quiet", role: "status" }, "Proving that these rules can be cut into chunks…");
    const coordinate = (axis) =>
      h("input", { type: "number", step: 1, value: 0, "aria-label": `Chunk ${axis === "x" ? "column" : "row"}`, onchange: () => this.#goTo() });
    this.column = coordinate("x");
    this.row = coordinate("y");
    this.element = h(
      "div",
      { class: "world-view" },
      h(
        "div",
        { class: "row" },
        button("Close the world", () => ended(), { class: "close-world" }),
        h("label", {}, "Chunk ", this.column, " ", this.row),
        h("span", { class: "join", role: "group", "aria-label": "Zoom" }, button("−", () => this.#zoom(-1), { "aria-label": "Smaller" }), button("+", () => this.#zoom(1), { "aria-label": "Larger" })),
      ),
      this.canvas,
      this.status,
    );
    this.#listen();
    this.resizing = new ResizeObserver(() => this.#paint());
    this.resizing.observe(this.canvas);
    this.#begin();
  }

  #begin({ rulesOnly = false } = {}) {
    this.rulesOnly = rulesOnly;
    this.canvas.hidden = false;
    this.wanted.clear();
    this.#fetch([[0, 0]]); // the first tells how large chunks are
  }

  leave() {
    this.stopper.abort();
    this.resizing.disconnect();
  }

  #listen() {
    const { canvas } = this;
    let from = null;
    canvas.addEventListener("pointerdown", (event) => {
      from = [event.clientX, event.clientY];
      canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!from) return;
      this.#move(from[0] - event.clientX, from[1] - event.clientY);
      from = [event.clientX, event.clientY];
    });
    for (const end of ["pointerup", "pointercancel"]) canvas.addEventListener(end, () => (from = null));
    canvas.addEventListener(
      "wheel",
      (event) => {
        event.preventDefault();
        this.#move(event.deltaX, event.deltaY);
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const [x, y] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key] ?? [0, 0];
      if (!x && !y) return;
      event.preventDefault();
      this.#move(x * STEP, y * STEP);
    });
  }

  get rowHeight() {
    return this.page.kind === "hex" ? HEX_ROW : 1;
  }

  #move(x, y) {
    this.at.x += x / this.cell;
    this.at.y += y / this.cell / this.rowHeight;
    this.#paint();
  }

  #goTo() {
    if (!this.size) return;
    const [column, row] = [this.column, this.row].map((input) => Math.round(Number(input.value)) || 0);
    this.at = { x: (column + 0.5) * this.size[0], y: (row + 0.5) * this.size[1] };
    this.#paint();
  }

  #zoom(by) {
    const next = CELL_SIZES[Math.max(0, Math.min(CELL_SIZES.length - 1, CELL_SIZES.indexOf(this.cell) + by))];
    if (next === this.cell) return;
    this.cell = next;
    for (const chunk of this.chunks.values()) chunk.canvas = null;
    this.#paint();
  }

  #paint() {
    if (!this.size) return;
    const { canvas, cell, rowHeight } = this;
    const sharp = window.devicePixelRatio || 1;
    const [width, height] = [canvas.clientWidth, canvas.clientHeight];
    if (canvas.width !== Math.round(width * sharp) || canvas.height !== Math.round(height * sharp)) {
      canvas.width = Math.round(width * sharp);
      canvas.height = Math.round(height * sharp);
    }
    const brush = canvas.getContext("2d");
    brush.setTransform(sharp, 0, 0, sharp, 0, 0);
    brush.clearRect(0, 0, width, height);
    const [left, top] = [this.at.x - width / cell / 2, this.at.y - height / cell / rowHeight / 2];
    const [columns, rows] = this.size;
    const missing = [];
    for (let y = Math.floor(top / rows); y * rows < top + height / cell / rowHeight; y++) {
      for (let x = Math.floor(left / columns); x * columns < left + width / cell; x++) {
        const chunk = this.chunks.get(`${x},${y}`);
        if (!chunk) {
          missing.push([x, y]);
          continue;
        }
        chunk.canvas ??= this.#draw(chunk.modules, sharp);
        const [wide, high] = [chunk.canvas.width / sharp, chunk.canvas.height / sharp];
        const over = this.page.kind === "hex" ? cell * 0.125 : 0; // boxes of hexagons reach over their cells
        brush.drawImage(chunk.canvas, Math.round((x * columns - left) * cell - over), Math.round((y * rows - top) * cell * rowHeight - over), wide, high);
      }
    }
    this.#fetch(missing);
    this.#tell();
  }

  #draw(modules, sharp) {
    const [columns, rows] = this.size;
    const cell = this.cell * sharp;
    const isHex = this.page.kind === "hex";
    const box = isHex ? (cell * this.sheet.box) / 32 : cell;
    const canvas = h("canvas", {
      width: Math.ceil(columns * cell + (isHex ? cell / 2 + box - cell : 0)),
      height: Math.ceil(rows * cell * this.rowHeight + (isHex ? box - cell * this.rowHeight : 0)),
    });
    const brush = canvas.getContext("2d");
    modules.forEach((module, node) => {
      const [column, row] = [node % columns, Math.floor(node / columns)];
      const [x, y] = [Math.round((column + (isHex && row % 2 ? 0.5 : 0)) * cell), Math.round(row * cell * this.rowHeight)];
      const size = isHex ? Math.ceil(box) : Math.round((column + 1) * cell) - x;
      const { paint, is_flat: isFlat } = this.page.modules[module];
      if (!isHex) {
        brush.fillStyle = isFlat ? paint : "#f0efe9";
        brush.fillRect(x, y, size, size);
      }
      if (!isFlat || isHex) this.sheet.paint(brush, module, x, y, size);
    });
    return canvas;
  }

  #fetch(places) {
    const wanted = places.filter(([x, y]) => !this.wanted.has(`${x},${y}`)).slice(0, MAX_AT_ONCE);
    if (!wanted.length || this.wanted.size) return; // one request after the other: the nearest come first
    for (const [x, y] of wanted) this.wanted.add(`${x},${y}`);
    this.#ask(wanted);
  }

  async #ask(places) {
    try {
      const { text, domain } = this.bench.loaded;
      const { part } = await work("part", { text, domain, action: { places, seed: this.seed, rules_only: this.rulesOnly } }, { signal: this.stopper.signal });
      this.proof = part;
      if (!this.size) {
        this.size = part.size;
        this.at = { x: part.size[0] / 2, y: part.size[1] / 2 };
      }
      for (const { x, y, modules } of part.chunks) this.chunks.set(`${x},${y}`, { modules, canvas: null });
      this.checked += part.chunks.length;
      while (this.chunks.size > MAX_KEPT) this.chunks.delete(this.chunks.keys().next().value);
      this.wanted.clear();
      this.#paint();
    } catch (error) {
      if (error.name === "AbortError") return;
      if (!(error instanceof Refused)) throw error;
      const again = this.rulesOnly ? null : button("Make it by the rules alone, without pins and constraints", () => this.#begin({ rulesOnly: true }));
      this.canvas.hidden = true; // what is still wanted is not asked for again
      show(this.status, withCode(`${capital(error.message)}. `), again);
    }
  }

  #tell() {
    const [column, row] = [Math.floor(this.at.x / this.size[0]), Math.floor(this.at.y / this.size[1])];
    for (const [input, value] of [[this.column, column], [this.row, row]]) if (document.activeElement !== input) input.value = value;
    const { strips, ways } = this.proof;
    const proved = ways === 1 ? "its seams are proved" : `its ${strips[0]} + ${strips[1]} seams are proved to fit in all ${figure(ways)} ways`;
    show(
      this.status,
      `Chunk ${column}, ${row}. ${figure(this.checked)} chunks of ${this.size[0]}×${this.size[1]} made and checked with their seams; ${proved}. `,
      h("span", { class: "for-mice" }, "Drag, scroll or use the arrow keys."),
    );
    this.canvas.dataset.chunks = this.checked;
  }
}
