// The board that regions are drawn on. It shows what it is given; `strokes.js` says what pointing and keys mean.

import { s, show } from "/static/dom.js";
import { LETTERS, pieces } from "./draft.js";
import { block, ring } from "./symbols.js";

const SIDE = 48;
const EDGE = 36;
const MARGIN = 8;
const RIM = 5; // room around a board without numbers

export class DraftBoard {
  constructor(size, { numbered = true } = {}) {
    this.size = size;
    this.numbered = numbered;
    this.side = SIDE;
    this.focused = 0;
    this.scale = Math.min(2, Math.max(1, size / 14));
    this.fills = this.#cells((_, x, y) => s("rect", { x, y, width: SIDE, height: SIDE }));
    this.squares = this.#cells((cell, x, y) =>
      s("rect", { class: "square", x, y, width: SIDE, height: SIDE, role: "gridcell", tabindex: cell === 0 ? 0 : -1, "aria-colindex": (cell % size) + 1, data: { cell: String(cell) } }),
    );
    this.borders = s("path", { class: "borders" });
    this.letters = s("g", { class: "letters" });
    this.pointed = s("g", { class: "pointed" });
    this.hatching = s("g", { class: "hatching" });
    this.element = this.#element();
  }

  #cells(make) {
    return Array.from({ length: this.size ** 2 }, (_, cell) => make(cell, ...this.corner(cell)));
  }

  #element() {
    const { size } = this;
    const length = size * SIDE;
    const [edge, margin] = this.numbered ? [EDGE * this.scale, MARGIN] : [RIM, RIM];
    const lines = Array.from({ length: size - 1 }, (_, at) => (at + 1) * SIDE);
    const rows = Array.from({ length: size }, (_, row) => s("g", { role: "row", "aria-rowindex": row + 1 }, this.squares.slice(row * size, (row + 1) * size)));
    return s(
      "svg",
      {
        class: "battle playable drawing",
        viewBox: `${-edge} ${-edge} ${length + edge + margin} ${length + edge + margin}`,
        role: "grid",
        "aria-label": `Regions of a ${size}×${size} board. Arrow keys move, Shift with arrows extends a region, a letter paints, Delete clears.`,
        "aria-rowcount": size,
        "aria-colcount": size,
        style: { maxWidth: `min(${size * 72 + 90}px, max(300px, 100vh - 18rem))` },
      },
      s("defs", {}, s("pattern", { id: "draft-hatch", width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("rect", { class: "hatch", width: 2.5, height: 9 }))),
      this.numbered ? this.#rulers(edge) : null,
      s("g", { class: "draft-fills", "shape-rendering": "crispEdges" }, this.fills),
      this.hatching,
      s("path", { class: "lines", d: lines.map((at) => `M0 ${at}h${length}M${at} 0v${length}`).join("") }),
      this.borders,
      this.letters,
      this.pointed,
      rows,
    );
  }

  #rulers(edge) {
    const numbers = Array.from({ length: this.size }, (_, index) => index);
    const text = (index, x, y) => s("g", { class: "number" }, s("text", { x, y: y + 6 * this.scale, "font-size": 16 * this.scale }, String(index + 1)));
    return s("g", { "aria-hidden": "true" }, numbers.map((index) => [text(index, -edge / 2, index * SIDE + SIDE / 2), text(index, index * SIDE + SIDE / 2, -edge / 2)]));
  }

  get rows() {
    return this.size;
  }

  get cols() {
    return this.size;
  }

  // The cell that an element of the board is; null if it is none.
  cellOf(element) {
    return element.dataset?.cell ? Number(element.dataset.cell) : null;
  }

  corner(cell) {
    return [(cell % this.size) * SIDE, Math.floor(cell / this.size) * SIDE];
  }

  cellAt(clientX, clientY) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const [col, row] = [Math.floor(x / SIDE), Math.floor(y / SIDE)];
    return row >= 0 && row < this.size && col >= 0 && col < this.size ? row * this.size + col : null;
  }

  // `reveal`: come into view, as where keys lead; a finger is there already.
  focus(cell, { take = true, reveal = false } = {}) {
    this.squares[this.focused].setAttribute("tabindex", "-1");
    this.focused = cell;
    this.squares[cell].setAttribute("tabindex", "0");
    if (take) this.squares[cell].focus({ preventScroll: true });
    if (reveal) this.squares[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  labelOf(cell) {
    return this.squares[cell].getAttribute("aria-label");
  }

  showDraft(draft) {
    draft.regions.forEach((region, cell) => {
      const kind = region === null ? "free" : `paint-${draft.paints[region]}`;
      if (this.fills[cell].getAttribute("class") !== kind) this.fills[cell].setAttribute("class", kind);
      const where = `r${Math.floor(cell / this.size) + 1}c${(cell % this.size) + 1}`;
      const label = region === null ? `${where}, no region` : `${where}, region ${LETTERS[region]}`;
      const square = this.squares[cell];
      if (square.getAttribute("aria-label") !== label) square.setAttribute("aria-label", label);
      square.dataset.region = region === null ? "" : LETTERS[region];
    });
    this.borders.setAttribute("d", this.#borderPath(draft));
    const scale = Math.min(this.scale, 1.6);
    show(
      this.letters,
      pieces(draft).map(([first]) => {
        const [x, y] = this.corner(first);
        return s("g", { class: "letter" }, s("text", { x: x + 4 + 7 * scale, y: y + 3 + 12 * scale, "font-size": 13 * scale }, LETTERS[draft.regions[first]]));
      }),
    );
  }

  #borderPath({ regions }) {
    const { size } = this;
    const length = size * SIDE;
    const parts = [`M0 0h${length}v${length}h${-length}z`];
    for (let cell = 0; cell < size * size; cell++) {
      const [x, y] = this.corner(cell);
      if (cell % size < size - 1 && regions[cell] !== regions[cell + 1]) parts.push(`M${x + SIDE} ${y}v${SIDE}`);
      if (cell + size < size * size && regions[cell] !== regions[cell + size]) parts.push(`M${x} ${y + SIDE}h${SIDE}`);
    }
    return parts.join("");
  }

  // Point at cells: `differing` has 1 or 2 for the solution with a star there; `changed` were repaired; `blamed` are cells
  // of regions that are the trouble.
  showPointed({ differing = new Map(), changed = [], blamed = [] } = {}) {
    show(
      this.pointed,
      [...differing].map(([cell, number]) => {
        const [x, y] = this.corner(cell);
        return [ring(x, y, SIDE), s("g", { class: `of-solution s${number}` }, s("circle", { cx: x + SIDE / 2, cy: y + SIDE / 2, r: SIDE * 0.24 }), s("text", { x: x + SIDE / 2, y: y + SIDE * 0.61, "font-size": 16 }, String(number)))];
      }),
      changed.map((cell) => [ring(...this.corner(cell), SIDE), block(...this.corner(cell), SIDE, SIDE)]),
    );
    show(
      this.hatching,
      blamed.map((cell) => {
        const [x, y] = this.corner(cell);
        return s("rect", { x, y, width: SIDE, height: SIDE, fill: "url(#draft-hatch)" });
      }),
    );
  }
}
