// Picking two tiles, by mouse, finger or keyboard: one after the other, or one dragged onto the other.

import { notice } from "/static/dom.js";
import { cellByKey } from "/static/grid.js";
import { nameOf } from "./cells.js";

const FAR_ENOUGH = 7; // pixels after which a press is a drag

// `swap(pair)` is called with two cells, whether they may change places or not: that is for the rules to say.
// `mayPick()` false, while something else than the position in play is shown, leaves the board to look at.
export class TileInput {
  constructor(view, { swap, mayPick }) {
    this.view = view;
    this.swap = swap;
    this.mayPick = mayPick;
    this.picked = null;
    this.lines = new Map(); // cell -> the lines it stands in; any two cells of one line may change places
    this.press = null; // {cell, x, y, dragging, pointer}
    const { svg } = view;
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#moved(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", () => this.#letGo());
    // A finger on a tile that can move drags it, where there is nothing to scroll; browsers that do not heed
    // touch-action inside a picture would scroll the page instead.
    svg.addEventListener("touchmove", (event) => this.#mayDrag(event) && event.cancelable && event.preventDefault(), { passive: false });
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  // Take over which swaps are legal now. A pick does not outlast the position.
  setPage(page) {
    this.#letGo();
    this.lines = new Map();
    for (const line of page.lines) for (const cell of line) this.lines.set(cell, [...(this.lines.get(cell) ?? []), line]);
    this.pick(null);
  }

  partners(cell) {
    return (this.lines.get(cell) ?? []).flat().filter((other) => other !== cell);
  }

  pick(cell) {
    const { view } = this;
    this.picked = cell;
    const partners = cell === null ? [] : this.partners(cell);
    view.lift(cell);
    view.mark("picked", cell === null ? [] : [cell]);
    view.mark("partner", partners);
    view.mark("target");
    view.dim(cell === null ? null : [cell, ...partners]);
  }

  // Pick a tile, or swap the picked one with this one.
  choose(cell) {
    if (!this.mayPick()) return;
    if (cell === this.picked) this.pick(null);
    else if (this.picked !== null) this.swap([this.picked, cell]);
    else if (this.lines.has(cell)) this.pick(cell);
    else this.#cannotMove(cell);
  }

  #cannotMove(cell) {
    const name = nameOf(cell, this.view.cols);
    this.view.shake([cell]);
    if (this.view.moves[cell] === 0) notice(`${name} has no moves left: it stays where it is.`);
    else notice(`${name} has no partner: no other tile in its row or column has a move left.`);
  }

  #down(event) {
    if (event.button !== 0 || this.press) return;
    const cell = this.view.cellAt(event.clientX, event.clientY);
    if (cell === null) return;
    this.press = { cell, x: event.clientX, y: event.clientY, dragging: false, pointer: event.pointerId };
  }

  #moved(event) {
    const { press, view } = this;
    if (!press || event.pointerId !== press.pointer) return;
    const [dx, dy] = [event.clientX - press.x, event.clientY - press.y];
    if (!press.dragging) {
      if (Math.hypot(dx, dy) < FAR_ENOUGH || !this.#mayDrag(event) || !this.mayPick()) return;
      press.dragging = true;
      view.svg.setPointerCapture(press.pointer);
      this.pick(press.cell);
    }
    view.drag(press.cell, dx, dy);
    const over = view.cellAt(event.clientX, event.clientY);
    view.mark("target", over !== null && this.partners(press.cell).includes(over) ? [over] : []);
  }

  // A finger scrolls a board that is larger than its frame.
  #mayDrag({ pointerType = "touch" }) {
    return this.press !== null && this.lines.has(this.press.cell) && !(pointerType === "touch" && this.view.scrolls);
  }

  #up(event) {
    const { press, view } = this;
    if (!press || event.pointerId !== press.pointer) return;
    const over = view.cellAt(event.clientX, event.clientY);
    const { dragging } = press;
    this.#letGo();
    if (!dragging) {
      if (over === press.cell) this.choose(over);
      return;
    }
    this.pick(null);
    if (over !== null && over !== press.cell) this.swap([press.cell, over]);
  }

  #letGo() {
    const { press } = this;
    this.press = null;
    if (press?.dragging) this.view.drag(press.cell, null, null);
  }

  #key(event) {
    const at = this.view.cells.indexOf(event.target);
    if (at < 0 || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const to = cellByKey(at, event.key, this.view.rows, this.view.cols);
    if (to !== null) this.view.focus(to);
    else if (event.key === " " || event.key === "Enter") this.choose(at);
    else if (event.key === "Escape" && this.picked !== null) this.pick(null);
    else return;
    event.preventDefault();
  }
}
