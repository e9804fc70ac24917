// The board as a picture that answers to pointing and keys. It shows what it is given and decides nothing.
//
// From below: fills, hatching of conflicts, lines, regions in play, borders, numbers, what a hint points at, letters,
// marks, the marks a hint makes; and on top a clear square for each cell, which is what is pointed at and has the focus.

import { s, show } from "/static/dom.js";
import { nameOf } from "./conflicts.js";
import { CIRCLE, DOT, describe } from "./notes.js";
import { block, cause, cross, crossToMake, fault, ring, star } from "./symbols.js";

const EDGE = 36; // room for numbers, at the top and the left; more on boards that are shown small
const MARGIN = 14; // room for bars, at the two other sides
const RIM = 5; // room around a board without numbers
const WORDS = { ".": "", "*": ", star", x: ", cross" };
let boards = 0; // patterns need names of their own

export class Board {
  constructor(page, { label, caption = "", playable = true, numbered = true } = {}) {
    this.page = page;
    this.size = page.size;
    this.side = page.cell;
    this.scale = Math.min(2, Math.max(1, page.size / 14)); // of numbers, so that they can be read on large boards
    this.numbered = numbered; // whether rows and columns have their numbers
    this.marks = null;
    this.found = new Set();
    this.number = ++boards;
    this.layers = Object.fromEntries(
      ["numbers", "shades", "hatching", "play", "pointed", "letters", "notes", "marks", "steps"].map((name) => [name, s("g", { class: name })]),
    );
    this.squares = this.#squares(playable);
    this.element = this.#element(label, caption, playable);
    this.lettered = true;
    this.hint = {};
    this.noted = null;
    this.conflicts = [];
    this.focused = 0;
    this.#numbers();
    this.#letters();
  }

  #element(label, caption, playable) {
    const length = this.size * this.side;
    const { layers } = this;
    const lines = Array.from({ length: this.size - 1 }, (_, at) => (at + 1) * this.side);
    return s(
      "svg",
      {
        class: playable ? "battle playable" : "battle",
        viewBox: this.#room(),
        role: playable ? "grid" : "img",
        "aria-label": label,
        "aria-rowcount": playable ? this.size : null,
        "aria-colcount": playable ? this.size : null,
        style: { maxWidth: `min(${this.size * 72 + 90}px, max(300px, 100vh - 18rem))` },
      },
      caption ? s("title", {}, caption) : null,
      s(
        "defs",
        {},
        s(
          "pattern",
          { id: `hatch-${this.number}`, width: 9, height: 9, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" },
          s("rect", { class: "hatch", width: 2.5, height: 9 }),
        ),
      ),
      s(
        "g",
        { "shape-rendering": "crispEdges", class: "fills" },
        (this.fills = this.page.regions.map((region, cell) => {
          const [x, y] = this.corner(cell);
          const fill = s("rect", { x, y, width: this.side, height: this.side });
          fill.style.setProperty("--light", this.page.paints[region]);
          fill.style.setProperty("--dark", this.page.dark_paints[region]);
          return fill;
        })),
      ),
      layers.shades,
      layers.hatching,
      s("path", { class: "lines", d: lines.map((at) => `M0 ${at}h${length}M${at} 0v${length}`).join("") }),
      layers.play,
      s("path", { class: "borders", d: this.page.borders }),
      layers.numbers,
      layers.pointed,
      layers.letters,
      layers.notes,
      layers.marks,
      layers.steps,
      this.squares.rows,
    );
  }

  #room() {
    const [before, after] = this.numbered ? [EDGE * this.scale, MARGIN] : [RIM, RIM];
    const whole = this.size * this.side + before + after;
    return `${-before} ${-before} ${whole} ${whole}`;
  }

  showNumbers(numbered) {
    this.numbered = numbered;
    this.element.setAttribute("viewBox", this.#room());
    this.#numbers();
  }

  #squares(playable) {
    const all = this.page.regions.map((_, cell) => {
      const [x, y] = this.corner(cell);
      return s("rect", {
        class: "square",
        x,
        y,
        width: this.side,
        height: this.side,
        role: playable ? "gridcell" : null,
        tabindex: playable ? (cell === 0 ? 0 : -1) : null,
        "aria-colindex": playable ? (cell % this.size) + 1 : null,
        data: { cell: String(cell) },
      });
    });
    const rows = Array.from({ length: this.size }, (_, row) =>
      s("g", playable ? { role: "row", "aria-rowindex": row + 1 } : {}, all.slice(row * this.size, (row + 1) * this.size)),
    );
    return { all, rows };
  }

  corner(cell) {
    return [(cell % this.size) * this.side, Math.floor(cell / this.size) * this.side];
  }

  // Return the cell at a place of the screen, or null outside.
  cellAt(clientX, clientY) {
    const matrix = this.element.getScreenCTM();
    if (!matrix) return null;
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
    const [col, row] = [Math.floor(x / this.side), Math.floor(y / this.side)];
    return row >= 0 && row < this.size && col >= 0 && col < this.size ? row * this.size + col : null;
  }

  // `reveal`: come into view, as where keys lead; a finger is there already.
  focus(cell, { take = true, reveal = false } = {}) {
    this.squares.all[this.focused].setAttribute("tabindex", "-1");
    this.focused = cell;
    this.squares.all[cell].setAttribute("tabindex", "0");
    if (take) this.squares.all[cell].focus({ preventScroll: true });
    if (reveal) this.squares.all[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // Show marks; `found` are stars that are not the player's own.
  showMarks(marks, found = []) {
    this.marks = marks;
    this.found = new Set(found);
    this.#draw();
  }

  // Show what is wrong, and how many stars each row, column and region has.
  showState({ conflicts, counts }) {
    this.conflicts = conflicts;
    this.counts = counts;
    this.#numbers();
    this.#letters();
    this.#hatch();
    this.#draw();
  }

  // Show what a hint points at: {causes, rows, columns, regions, blocks, removals, stars, rings}, cells as [row, column].
  showHint(hint = {}) {
    this.hint = hint;
    this.#numbers();
    this.#letters();
    this.#pointed();
    this.#draw();
  }

  // Show the player's notes: dots, circles and colours.
  showNotes(notes) {
    this.noted = notes;
    const { side } = this;
    const cells = this.page.regions.map((_, cell) => cell);
    show(
      this.layers.shades,
      cells.filter((cell) => notes.colours[cell]).map((cell) => {
        const [x, y] = this.corner(cell);
        return s("rect", { class: `shade shade-${notes.colours[cell]}`, x, y, width: side, height: side });
      }),
    );
    const sign = (cell, kind, down) => {
      const [x, y] = this.corner(cell);
      return s("circle", { class: `note ${kind}`, cx: x + side * 0.82, cy: y + side * down, r: side * 0.09 });
    };
    show(
      this.layers.notes,
      cells.map((cell) => [notes.signs[cell] & DOT ? sign(cell, "dot", 0.18) : null, notes.signs[cell] & CIRCLE ? sign(cell, "circle", 0.82) : null]),
    );
    this.#draw();
  }

  // The squares of all cells that a hint points at, by themselves or with their row, column or region.
  pointedSquares() {
    const cells = this.#pointedCells();
    return this.squares.all.filter((_, cell) => cells.has(cell) || this.#isInPlay(cell));
  }

  #pointedCells() {
    const { hint, size } = this;
    const found = new Set(this.cells([...(hint.causes ?? []), ...(hint.removals ?? []), ...(hint.stars ?? []), ...(hint.rings ?? [])]));
    for (const cell of this.cells(hint.blocks)) for (const beside of [0, 1, size, size + 1]) found.add(cell + beside);
    return found;
  }

  #isInPlay(cell) {
    const { hint, size } = this;
    return Boolean(hint.rows?.includes(Math.floor(cell / size)) || hint.columns?.includes(cell % size) || hint.regions?.includes(this.page.regions[cell]));
  }

  showLetters(lettered) {
    this.lettered = lettered;
    this.#letters();
  }

  labelOf(cell) {
    return this.squares.all[cell].getAttribute("aria-label");
  }

  cells(pairs) {
    return (pairs ?? []).map(([row, col]) => row * this.size + col);
  }

  #draw() {
    if (this.marks === null) return;
    const steps = new Map([
      ...this.cells(this.hint.removals).map((cell) => [cell, "x"]),
      ...this.cells(this.hint.stars).map((cell) => [cell, "*"]),
    ]);
    const faulty = new Set(this.conflicts.filter(({ kind }) => kind !== "few").flatMap(({ cells }) => cells));
    const shown = [];
    for (let cell = 0; cell < this.marks.length; cell++) {
      const [x, y] = this.corner(cell);
      const found = this.found.has(cell) && this.marks[cell] !== "*";
      const mark = found ? "*" : this.marks[cell];
      const wrong = faulty.has(cell) && mark === "*";
      if (!steps.has(cell)) {
        if (mark === "*") shown.push(star(x, y, this.side, found ? "found" : wrong ? "own wrong" : "own"));
        if (mark === "x") shown.push(cross(x, y, this.side));
        if (wrong) shown.push(fault(x, y, this.side));
      }
      const step = steps.has(cell) ? (steps.get(cell) === "*" ? ", the hint puts a star here" : ", the hint puts a cross here") : "";
      const region = this.page.letters[this.page.regions[cell]];
      const square = this.squares.all[cell];
      const label = `${nameOf(this.page, cell)}, region ${region}${WORDS[mark]}${wrong ? ", against the rules" : ""}${this.noted ? describe(this.noted, cell) : ""}${step}`;
      if (square.getAttribute("aria-label") !== label) square.setAttribute("aria-label", label);
      square.dataset.mark = this.marks[cell];
    }
    for (const { kind, cells } of this.conflicts) if (kind === "touching") shown.push(this.#link(cells));
    show(this.layers.marks, shown);
    show(
      this.layers.steps,
      [...steps].map(([cell, mark]) => (mark === "*" ? star : crossToMake)(...this.corner(cell), this.side, "placed")),
      this.cells(this.hint.rings).map((cell) => ring(...this.corner(cell), this.side)),
    );
  }

  #link(cells) {
    const [[x, y], [a, b]] = cells.map((cell) => this.corner(cell).map((at) => at + this.side / 2));
    return s("path", { class: "link", d: `M${x} ${y}L${a} ${b}` });
  }

  #pointed() {
    const { hint, size, side } = this;
    const blocks = this.cells(hint.blocks).map((cell) => {
      const [x, y] = this.corner(cell); // a block may be cut off at the edge of the board
      const width = Math.min(2, size - (cell % size)) * side;
      return block(x, y, width, Math.min(2, size - Math.floor(cell / size)) * side);
    });
    show(this.layers.pointed, blocks, this.cells(hint.causes).map((cell) => cause(...this.corner(cell), side)));
    show(this.layers.play, (hint.regions ?? []).map((region) => this.#band(region)));
    const units = (hint.rows ?? []).length + (hint.columns ?? []).length + (hint.regions ?? []).length;
    const pointedAt = this.#pointedCells();
    this.fills.forEach((fill, cell) => {
      fill.classList.toggle("aside", units > 0 && !this.#isInPlay(cell) && !pointedAt.has(cell));
    });
  }

  // A band inside the border of a region.
  #band(region) {
    return s("path", { class: "band", d: this.page.bands.filter((_, cell) => this.page.regions[cell] === region).join("") });
  }

  #hatch() {
    const cells = new Set(this.conflicts.filter(({ kind }) => kind === "few").flatMap(({ cells: few }) => few));
    show(
      this.layers.hatching,
      [...cells].map((cell) => {
        const [x, y] = this.corner(cell);
        return s("rect", { x, y, width: this.side, height: this.side, fill: `url(#hatch-${this.number})` });
      }),
    );
  }

  // "play" for a unit in play, "wrong" for one in conflict, "full" for one with all its stars, or "".
  #stateOf(kind, index) {
    if ((this.hint[`${kind}s`] ?? []).includes(index)) return "play";
    if (this.conflicts?.some(({ unit }) => unit?.[0] === kind && unit[1] === index)) return "wrong";
    return this.counts?.[kind][index] === this.page.stars ? "full" : "";
  }

  #numbers() {
    const { size, side, scale } = this;
    const length = size * side;
    const away = -20 * scale;
    const made = [];
    for (const kind of ["row", "column"])
      for (let number = 0; number < size; number++) {
        const middle = number * side + side / 2;
        const [x, y] = kind === "row" ? [away, middle] : [middle, away];
        const state = this.#stateOf(kind, number);
        const [near, far] = this.numbered ? [-5, length + 6] : [-2, length + 2];
        const bars =
          kind === "row"
            ? `M${near} ${middle - 17}v34M${far} ${middle - 17}v34`
            : `M${middle - 17} ${near}h34M${middle - 17} ${far}h34`;
        if (!this.numbered) {
          if (state === "play" || state === "wrong") made.push(s("g", { class: `number ${state}`, data: { unit: `${kind} ${number + 1}` } }, s("path", { d: bars })));
          continue;
        }
        made.push(
          s(
            "g",
            { class: `number ${state}`, data: { unit: `${kind} ${number + 1}` } },
            state === "play" || state === "wrong" ? s("rect", { x: x - 14 * scale, y: y - 12 * scale, width: 28 * scale, height: 24 * scale, rx: 6 }) : null,
            state === "play" ? s("path", { d: bars }) : null,
            s("text", { x, y: y + 6 * scale, "font-size": 16 * scale }, state === "wrong" ? `${number + 1}!` : String(number + 1)),
          ),
        );
      }
    show(this.layers.numbers, made);
  }

  #letters() {
    show(
      this.layers.letters,
      this.page.firsts.map((cell) => {
        const [x, y] = this.corner(cell);
        const region = this.page.regions[cell];
        const state = this.#stateOf("region", region);
        const letter = this.page.letters[region];
        const plate = state === "play" || state === "wrong";
        if (!plate && !this.lettered) return null;
        const scale = Math.min(this.scale, 1.6); // the mark needs its room
        const width = (state === "wrong" ? 20 : 15) * scale;
        return s(
          "g",
          { class: `letter ${state}`, data: { unit: `region ${letter}` } },
          plate ? s("rect", { x: x + 2, y: y + 2, width, height: 15 * scale, rx: 3 }) : null,
          s("text", { x: x + 2 + width / 2, y: y + 2 + 12 * scale, "font-size": 12 * scale }, state === "wrong" ? `${letter}!` : letter),
        );
      }),
    );
  }
}
