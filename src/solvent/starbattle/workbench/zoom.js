// A board larger than its room: zoomed by buttons, by two fingers, or by the wheel with Ctrl; moved by two fingers, by
// scrolling, or by one finger while the hand is chosen. The room keeps its size, so nothing around it moves.

import { button, h } from "/static/dom.js";

const COMFORTABLE = 40; // pixels: cells smaller than this can be zoomed
const LARGEST = 60; // pixels a cell becomes at most
const STEP = 1.5;

export class Zoom {
  // `field` holds the board and nothing else.
  constructor(field) {
    this.field = field;
    this.at = 1;
    this.most = 1;
    this.size = this.room = 0; // cells in a row, and pixels of the whole board at its usual size
    this.out = button("−", () => this.#zoom(this.at / STEP), { "aria-label": "Smaller board" });
    this.in = button("+", () => this.#zoom(this.at * STEP), { "aria-label": "Larger board" });
    this.hand = button("✥", () => this.#setHand(!this.moves), { "aria-label": "Move the board by dragging", title: "Move the board by dragging", "aria-pressed": "false" });
    this.element = h("span", { class: "join zoom", role: "group", "aria-label": "Zoom" }, this.out, this.in, this.hand);
    this.moves = false; // whether one finger moves the board instead of marking
    this.fingers = new Map(); // those on the board: [x, y] by pointer
    this.isGesture = false; // since a second finger came, until the last has gone
    this.observer = new ResizeObserver(() => (this.at === 1 || field.offsetWidth < this.room - 1) && this.show(this.size));
    this.observer.observe(field);
    this.#listen();
  }

  leave() {
    this.observer.disconnect();
  }

  // A new board begins at its usual size.
  show(size) {
    this.size = size;
    this.at = 1;
    this.#apply();
    this.room = this.field.firstElementChild?.getBoundingClientRect().width;
    if (!this.room || !size) return; // it is not on the page yet
    const side = this.room / size;
    this.most = side < COMFORTABLE ? Math.max(2, LARGEST / side) : 1;
    this.element.hidden = this.most === 1;
    this.field.classList.toggle("zoomable", this.most > 1); // else two fingers zoom the page
    this.#apply();
  }

  // Bring elements of the board into view, the middle of them first, where the board is larger than its room.
  reveal(elements) {
    if (this.at === 1 || !elements.length) return;
    const [boxes, room] = [elements.map((each) => each.getBoundingClientRect()), this.field.getBoundingClientRect()];
    const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
    const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
    if (left >= room.left && right <= room.right && top >= room.top && bottom <= room.bottom) return;
    this.field.scrollBy((left + right - room.left - room.right) / 2, (top + bottom - room.top - room.bottom) / 2);
  }

  // Zoom, with the same place of the board under a point of the room; its middle if none is given.
  #zoom(to, [x, y] = [this.room / 2, this.room / 2]) {
    const { field } = this;
    const before = this.at;
    this.at = Math.min(this.most, Math.max(1, to));
    if (this.at < 1.05) this.at = 1;
    const [left, top] = [field.scrollLeft + x, field.scrollTop + y];
    this.#apply();
    field.scrollTo((left * this.at) / before - x, (top * this.at) / before - y);
  }

  #apply() {
    const isZoomed = this.at > 1;
    this.field.classList.toggle("zoomed", isZoomed);
    this.field.style.setProperty("--zoom", String(this.at));
    this.field.style.setProperty("--room", `${this.room}px`);
    this.out.disabled = !isZoomed;
    this.in.disabled = this.at >= this.most;
    this.hand.disabled = !isZoomed;
    if (!isZoomed) this.#setHand(false);
  }

  #setHand(moves) {
    this.moves = moves;
    this.hand.setAttribute("aria-pressed", String(moves));
    this.field.classList.toggle("moved-by-hand", moves);
  }

  // Everything is heard before the board hears it, and kept from it while it is no mark.
  #listen() {
    const { field, fingers } = this;
    const hear = (kind, action) => field.addEventListener(kind, (event) => event.isTrusted && action(event), { capture: true });
    hear("pointerdown", (event) => {
      if (event.pointerType === "mouse" && !this.moves) return;
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
      if (fingers.size === 2 && !this.isGesture) this.#takeOver(event);
      if (!this.isGesture && !this.moves) return;
      event.stopPropagation();
      event.preventDefault();
      field.setPointerCapture(event.pointerId);
    });
    hear("pointermove", (event) => {
      if (!fingers.has(event.pointerId)) return;
      if (this.isGesture || this.moves) this.#move(event);
      fingers.set(event.pointerId, [event.clientX, event.clientY]);
    });
    for (const kind of ["pointerup", "pointercancel"])
      hear(kind, (event) => {
        if (!fingers.delete(event.pointerId)) return;
        if (this.isGesture || this.moves) event.stopPropagation();
        if (!fingers.size) this.isGesture = false;
      });
    const wheel = (event) => {
      if (!event.ctrlKey || this.most === 1) return;
      event.preventDefault();
      this.#zoom(this.at * 1.0025 ** -event.deltaY, this.#within(event.clientX, event.clientY));
    };
    field.addEventListener("wheel", wheel, { passive: false });
  }

  // A second finger came: whatever the first one began is no mark.
  #takeOver(event) {
    if (this.most === 1) return;
    this.isGesture = true;
    for (const pointerId of this.fingers.keys())
      if (pointerId !== event.pointerId) this.field.firstElementChild.dispatchEvent(new PointerEvent("pointercancel", { pointerId }));
  }

  #move(event) {
    event.stopPropagation();
    const before = this.#spread();
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    const after = this.#spread();
    this.field.scrollBy(before.middle[0] - after.middle[0], before.middle[1] - after.middle[1]);
    if (before.far > 0) this.#zoom((this.at * after.far) / before.far, this.#within(...after.middle));
  }

  // The middle of all fingers, and how far they are from it on average.
  #spread() {
    const points = [...this.fingers.values()];
    const mean = (numbers) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
    const middle = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
    return { middle, far: mean(points.map(([x, y]) => Math.hypot(x - middle[0], y - middle[1]))) };
  }

  #within(x, y) {
    const { left, top } = this.field.getBoundingClientRect();
    return [x - left, y - top];
  }
}
