// The board as SVG: tiles that can move, the rows' targets, and marks on cells. It knows no rules and decides nothing.
//
// Tiles and cells are layers of their own: a tile moves from cell to cell, while a cell stays, is pointed at, has the
// focus and says to screen readers what stands on it.

import { h, s, show } from "/static/dom.js";
import { nameOf, rowLetter } from "./cells.js";
import { makeTile, paintNoTile, paintTile, PITCH, TILE } from "./tile.js";

const LEFT = 46; // room for the rows' tabs
const TOP = 30; // room for the columns' numbers
const EDGE = 8; // and at the other two sides
const SMALLEST = 36; // pixels of a tile that a finger can still hit; below that the board scrolls
const LARGEST = 90;
const MANY = 600; // tiles; beyond that effects on all of them at once would be felt
const NO_COLOUR = { name: "no colour yet", short: "?", face: "transparent", rim: "currentColor", ink: "currentColor" };
const SHARE_OF_HEIGHT = 0.55; // of the window, for a board that is shown whole with what stands below it

export class BoardView {
  constructor(place) {
    this.tiles = []; // [cell]: the tile that stands there
    this.cells = []; // [cell]: what is pointed at
    this.zoom = 1;
    this.size = null; // rows × cols that is drawn
    this.svg = s("svg", { role: "grid", class: "board" });
    this.tileLayer = s("g", { class: "tiles", "aria-hidden": "true" });
    this.markLayer = s("g", { class: "marks", "aria-hidden": "true" });
    this.arrowLayer = s("g", { class: "arrow", "aria-hidden": "true" });
    this.frame = h("div", { class: "harmony-frame" }, this.svg);
    this.onScroll = () => this.#keepLabels();
    this.frame.addEventListener("scroll", this.onScroll, { passive: true });
    place.append(this.frame);
    this.observer = new ResizeObserver(() => this.fit());
    this.observer.observe(place);
    this.place = place;
    this.fits = null; // called after each fitting with whether all of the board is in sight
  }

  leave() {
    this.observer.disconnect();
  }

  // Draw a position. Tiles stay where they are if the board has the size it had.
  draw(page) {
    const size = `${page.rows}×${page.cols}`;
    this.rows = page.rows;
    this.cols = page.cols;
    this.targets = page.targets;
    this.palette = page.palette;
    if (this.size !== size) this.#build(size);
    this.#paintTabs();
    this.colours = [...page.colours];
    this.moves = [...page.moves];
    for (let cell = 0; cell < this.tiles.length; cell++) this.#paint(cell);
    this.svg.setAttribute("aria-label", `Board with ${page.rows} rows and ${page.cols} columns`);
    this.fit();
  }

  // Have two tiles change places in sight.
  swapTiles([a, b]) {
    [this.tiles[a], this.tiles[b]] = [this.tiles[b], this.tiles[a]];
    this.tileLayer.append(this.tiles[a], this.tiles[b]); // on top while they move
    this.svg.getBoundingClientRect(); // else they would jump: what was just put in anew has no place to come from
    this.#put(a);
    this.#put(b);
  }

  // The same, with so many moves more or less for each: a step of a plan that was checked, or one back.
  exchange([a, b], change) {
    this.swapTiles([a, b]);
    [this.colours[a], this.colours[b]] = [this.colours[b], this.colours[a]];
    [this.moves[a], this.moves[b]] = [this.moves[b] + change, this.moves[a] + change];
    this.#paint(a);
    this.#paint(b);
  }

  // Give every cell of a list a mark of a kind, and take it from all others.
  mark(kind, cells = []) {
    const wanted = new Set(cells);
    for (const old of this.markLayer.querySelectorAll(`.mark.${kind}`)) old.remove();
    for (const cell of wanted) this.markLayer.append(this.#ring(kind, cell));
  }

  // While one tile is picked, all that cannot be its partner step back.
  dim(kept) {
    this.svg.classList.toggle("picking", kept !== null);
    for (const tile of this.tileLayer.querySelectorAll(".near")) tile.classList.remove("near");
    for (const cell of kept ?? []) this.tiles[cell].classList.add("near");
  }

  lift(cell) {
    for (const tile of this.tileLayer.querySelectorAll(".lifted")) tile.classList.remove("lifted");
    this.svg.querySelector(".cell[aria-selected=true]")?.setAttribute("aria-selected", "false");
    if (cell === null) return;
    this.tiles[cell].classList.add("lifted");
    this.cells[cell].setAttribute("aria-selected", "true");
  }

  // An arrow with two heads between two cells, bent so that it hides neither letters nor dots.
  arrow(swap) {
    show(this.arrowLayer);
    if (!swap) return;
    this.mark("hinted", swap);
    const [[x1, y1], [x2, y2]] = swap.map((cell) => this.middle(cell));
    const upright = x1 === x2;
    const bend = Math.min(52, 30 + 0.08 * Math.hypot(x2 - x1, y2 - y1));
    const [startX, startY, endX, endY] = upright ? [x1 + 24, y1, x2 + 24, y2] : [x1, y1 + 25, x2, y2 + 25];
    const [mx, my] = upright ? [(x1 + x2) / 2 + 24 + bend, (y1 + y2) / 2] : [(x1 + x2) / 2, (y1 + y2) / 2 + 25 + bend];
    const line = `M${startX} ${startY}Q${mx} ${my} ${endX} ${endY}`;
    const heads = head(mx, my, startX, startY) + head(mx, my, endX, endY);
    this.arrowLayer.append(
      s("path", { class: "halo", d: line + heads }),
      s("path", { class: "line", d: line }),
      s("path", { class: "head", d: heads }),
    );
  }

  // Let a tile follow the pointer; null puts it back.
  drag(cell, dx, dy) {
    const tile = this.tiles[cell];
    tile.classList.toggle("dragged", dx !== null);
    if (dx === null) return this.#put(cell);
    if (tile !== this.tileLayer.lastChild) this.tileLayer.append(tile);
    const [x, y] = this.corner(cell);
    return move(tile, x + dx / this.scale, y + dy / this.scale);
  }

  shake(cells) {
    for (const cell of cells) {
      const tile = this.tiles[cell];
      tile.classList.remove("shaken");
      tile.getBoundingClientRect(); // so that the animation begins anew
      tile.classList.add("shaken");
      tile.addEventListener("animationend", () => tile.classList.remove("shaken"), { once: true });
    }
  }

  celebrate(isSolved) {
    this.svg.classList.toggle("solved", isSolved);
    if (isSolved) this.tiles.forEach((tile, cell) => tile.style.setProperty("--turn", `${(cell % this.cols) + Math.floor(cell / this.cols)}`));
  }

  // Let a cell be where the keys are; `take` false if the browser has it there already.
  focus(cell, { take = true } = {}) {
    this.svg.querySelector('.cell[tabindex="0"]')?.setAttribute("tabindex", "-1");
    this.cells[cell].setAttribute("tabindex", "0");
    if (!take) return;
    this.cells[cell].focus();
    this.cells[cell].scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  get element() {
    return this.svg;
  }

  // The cell that an element of the board is; null if it is none.
  cellOf(element) {
    const cell = this.cells.indexOf(element);
    return cell < 0 ? null : cell;
  }

  get scrolls() {
    return this.frame.classList.contains("scrolls");
  }

  // Which cell is at this place of the window; null if none is.
  cellAt(x, y) {
    const box = this.svg.getBoundingClientRect();
    const col = Math.floor(((x - box.left) / this.scale - LEFT) / PITCH);
    const row = Math.floor(((y - box.top) / this.scale - TOP) / PITCH);
    return row >= 0 && row < this.rows && col >= 0 && col < this.cols ? row * this.cols + col : null;
  }

  // As large as there is room for, unless fingers could not hit the tiles; then the frame scrolls.
  fit() {
    const room = this.place.clientWidth - 26; // what the stage itself keeps free at its sides
    if (room <= 0 || !this.rows) return;
    const width = LEFT + this.cols * PITCH + EDGE;
    const height = TOP + this.rows * PITCH + EDGE;
    const whole = Math.min(room / width, (SHARE_OF_HEIGHT * window.innerHeight) / height);
    const usual = Math.min(LARGEST / PITCH, Math.max(whole, SMALLEST / PITCH));
    this.scale = Math.max(0.12, Math.min(2, usual * this.zoom));
    this.svg.style.width = `${width * this.scale}px`;
    this.svg.style.height = `${height * this.scale}px`;
    const inSight = width * this.scale <= room + 1;
    this.frame.classList.toggle("scrolls", !inSight || height * this.scale > this.frame.clientHeight + 2);
    this.#keepLabels();
    this.fits?.(whole >= usual - 0.001 && this.zoom === 1);
  }

  corner(cell) {
    return [LEFT + (cell % this.cols) * PITCH + 3, TOP + Math.floor(cell / this.cols) * PITCH + 3];
  }

  middle(cell) {
    return this.corner(cell).map((each) => each + TILE / 2);
  }

  isHome(cell) {
    return this.colours[cell] !== null && this.colours[cell] === this.targets[Math.floor(cell / this.cols)];
  }

  // What stands on a cell, in words.
  describe(cell) {
    if (this.colours[cell] === null) return `${nameOf(cell, this.cols)}: no tile`;
    const moves = this.moves[cell];
    const left = moves === 0 ? "no moves left" : `${moves} move${moves === 1 ? "" : "s"}`;
    const name = this.palette[this.colours[cell]].name.toLowerCase();
    return `${nameOf(cell, this.cols)}: ${name}, ${left}${this.isHome(cell) ? ", home" : ""}`;
  }

  #build(size) {
    this.size = size;
    const count = this.rows * this.cols;
    const width = LEFT + this.cols * PITCH + EDGE;
    const height = TOP + this.rows * PITCH + EDGE;
    this.svg.classList.toggle("many", count > MANY);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.rowLabels = s("g", { class: "tabs", "aria-hidden": "true" });
    this.colLabels = s("g", { class: "columns", "aria-hidden": "true" }, s("rect", { class: "under", x: 0, y: 0, width, height: TOP - 4 }));
    for (let col = 0; col < this.cols; col++) {
      this.colLabels.append(s("text", { x: LEFT + col * PITCH + PITCH / 2, y: TOP - 11 }, col + 1));
    }
    for (const layer of [this.tileLayer, this.markLayer, this.arrowLayer]) show(layer);
    this.tiles = Array.from({ length: count }, makeTile);
    this.cells = [];
    const grid = s("g", { class: "cells" });
    for (let row = 0; row < this.rows; row++) {
      const line = s("g", { role: "row" });
      for (let col = 0; col < this.cols; col++) line.append(this.#cell(row * this.cols + col));
      grid.append(line);
    }
    this.tiles.forEach((tile, cell) => this.#put(cell));
    this.tileLayer.append(...this.tiles);
    show(this.svg, this.tileLayer, this.markLayer, this.arrowLayer, grid, this.rowLabels, this.colLabels);
  }

  #cell(cell) {
    const [x, y] = this.corner(cell);
    const made = s("rect", {
      class: "cell",
      role: "gridcell",
      tabindex: cell === 0 ? 0 : -1,
      "aria-selected": "false",
      x: x - 2,
      y: y - 2,
      width: TILE + 4,
      height: TILE + 5,
      rx: 12,
      data: { cell: nameOf(cell, this.cols) },
    });
    this.cells.push(made);
    return made;
  }

  // Each row's target as a tab in its colour, which stays in sight when the board is scrolled.
  #paintTabs() {
    show(
      this.rowLabels,
      s("rect", { class: "under", x: 0, y: 0, width: LEFT - 2, height: TOP + this.rows * PITCH + EDGE }),
      this.targets.map((target, row) => {
        const { face, rim, ink, name, short } = target === null ? NO_COLOUR : this.palette[target];
        const y = TOP + row * PITCH + 6;
        const tab = s("path", { d: `M${LEFT - 6} ${y}v54h-24a10 10 0 0 1 -10 -10v-34a10 10 0 0 1 10 -10z`, fill: face, stroke: rim });
        return s(
          "g",
          { class: "tab", data: { row: rowLetter(row) } },
          s("title", {}, `Row ${rowLetter(row)} wants ${name.toLowerCase()}`),
          tab,
          s("text", { class: "row-letter", x: LEFT - 23, y: y + 25, fill: ink }, rowLetter(row)),
          s("text", { class: "row-short", x: LEFT - 23, y: y + 44, fill: ink }, short),
        );
      }),
    );
  }

  #paint(cell) {
    const colour = this.colours[cell] === null ? null : this.palette[this.colours[cell]];
    const tile = this.tiles[cell];
    const home = this.isHome(cell);
    const look = colour && `${colour.face} ${colour.short} ${this.moves[cell]} ${home}`;
    if (tile.look !== look && colour) paintTile(tile, colour, this.moves[cell], home);
    else if (tile.look !== look) paintNoTile(tile);
    tile.look = look;
    const words = this.describe(cell);
    const shown = this.cells[cell];
    if (shown.words === words) return;
    shown.words = words;
    shown.setAttribute("aria-label", words);
    shown.classList.toggle("live", this.moves[cell] > 0);
    show(shown, s("title", {}, words));
  }

  #put(cell) {
    move(this.tiles[cell], ...this.corner(cell));
  }

  #ring(kind, cell) {
    const [x, y] = this.corner(cell);
    const ring = s("rect", { x: x - 2, y: y - 2, width: TILE + 4, height: TILE + 5, rx: 12 });
    const badge =
      kind === "culprit"
        ? s("g", { class: "badge" }, s("circle", { cx: x + TILE - 4, cy: y + TILE - 5, r: 10 }), s("text", { x: x + TILE - 4, y: y + TILE }, "!"))
        : null;
    return s("g", { class: `mark ${kind}`, data: { cell: nameOf(cell, this.cols) } }, ring, badge);
  }

  #keepLabels() {
    if (!this.rowLabels) return;
    this.rowLabels.setAttribute("transform", `translate(${this.frame.scrollLeft / this.scale} 0)`);
    this.colLabels.setAttribute("transform", `translate(0 ${this.frame.scrollTop / this.scale})`);
  }
}

function move(tile, x, y) {
  tile.style.transform = `translate(${x}px, ${y}px)`;
}

// The outline of an arrow's head that points from one place to another.
function head(fromX, fromY, x, y) {
  const reach = Math.hypot(x - fromX, y - fromY) || 1;
  const [dx, dy] = [(x - fromX) / reach, (y - fromY) / reach];
  const [bx, by] = [x - 13 * dx, y - 13 * dy];
  return `M${x} ${y}L${bx - 8 * dy} ${by + 8 * dx}L${bx + 8 * dy} ${by - 8 * dx}z`;
}
