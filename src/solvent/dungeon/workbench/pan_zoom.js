// Look at a picture closer: wheel, pinch, drag, buttons. A press without a drag is passed on as a tap.

const CLOSEST = 8; // times as large as when all of it is in sight
const A_DRAG = 6; // pixels; less is the trembling of a finger

export class View {
  // `ontap(x, y)` hears of presses, in the units of the picture; `onmove()` of each change of what is in sight.
  constructor(svg, { width, height, margin = 8, closest = CLOSEST, ontap = () => {}, onmove = () => {} }) {
    this.svg = svg;
    this.whole = { x: -margin, y: -margin, width: width + 2 * margin, height: height + 2 * margin };
    this.closest = closest;
    this.ontap = ontap;
    this.onmove = onmove;
    this.focus = null; // the point that matters most, such as where the player is
    this.pointers = new Map();
    svg.style.aspectRatio = `${this.whole.width} / ${this.whole.height}`;
    svg.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    svg.addEventListener("pointerdown", (event) => this.#down(event));
    svg.addEventListener("pointermove", (event) => this.#move(event));
    svg.addEventListener("pointerup", (event) => this.#up(event));
    svg.addEventListener("pointercancel", (event) => this.pointers.delete(event.pointerId));
    this.fit();
  }

  get scale() {
    return this.whole.width / this.box.width;
  }

  get isWhole() {
    return this.scale < 1.01;
  }

  // Look where another view of a picture of the same size does.
  adopt(other) {
    if (["width", "height"].every((side) => other.whole[side] === this.whole[side])) this.#set({ ...other.box });
  }

  fit() {
    this.#set({ ...this.whole });
  }

  // Show a part of the picture, with some room around it.
  show({ x, y, width, height }) {
    const share = Math.max(width / this.whole.width, height / this.whole.height, 1 / this.closest) * 1.06;
    this.#set({ width: this.whole.width * share, height: this.whole.height * share, x: 0, y: 0 }, { x: x + width / 2, y: y + height / 2 });
  }

  // Zoom about a point of the picture; about the one that matters if none is given.
  zoom(factor, point = this.focus ?? { x: this.box.x + this.box.width / 2, y: this.box.y + this.box.height / 2 }) {
    const scale = Math.min(this.closest, Math.max(1, this.scale * factor));
    const change = this.scale / scale;
    this.#set({
      x: point.x - (point.x - this.box.x) * change,
      y: point.y - (point.y - this.box.y) * change,
      width: this.whole.width / scale,
      height: this.whole.height / scale,
    });
  }

  // Move just so far that a point is well inside what is in sight.
  keepInSight(x, y, margin) {
    const { box } = this;
    const room = Math.min(margin, box.width / 3, box.height / 3);
    const across = Math.min(0, x - box.x - room) + Math.max(0, x + room - box.x - box.width);
    const down = Math.min(0, y - box.y - room) + Math.max(0, y + room - box.y - box.height);
    if (across || down) this.#set({ ...box, x: box.x + across, y: box.y + down });
  }

  // Move what is in sight, in the units of the picture.
  pan(x, y) {
    this.#set({ ...this.box, x: this.box.x + x, y: this.box.y + y });
  }

  at(clientX, clientY) {
    return new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM().inverse());
  }

  #set(box, middle = null) {
    if (middle) Object.assign(box, { x: middle.x - box.width / 2, y: middle.y - box.height / 2 });
    const { whole } = this;
    box.x = Math.min(Math.max(box.x, whole.x), whole.x + whole.width - box.width);
    box.y = Math.min(Math.max(box.y, whole.y), whole.y + whole.height - box.height);
    this.box = box;
    this.svg.setAttribute("viewBox", [box.x, box.y, box.width, box.height].map((each) => each.toFixed(2)).join(" "));
    // While all is in sight a finger scrolls the page; closer up it moves the map.
    this.svg.style.touchAction = this.isWhole ? "pan-x pan-y" : "none";
    this.svg.classList.toggle("closer", !this.isWhole);
    this.onmove();
  }

  #wheel(event) {
    const factor = Math.exp(-event.deltaY * (event.deltaMode ? 0.05 : 0.0016));
    if (factor < 1 && this.isWhole) return; // nothing left to zoom out of: the page scrolls
    event.preventDefault();
    this.zoom(factor, this.at(event.clientX, event.clientY));
  }

  #down(event) {
    if (event.button > 0) return;
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, begun: { x: event.clientX, y: event.clientY } });
    if (this.pointers.size > 1) for (const each of this.pointers.values()) each.dragged = true;
  }

  #move(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    const before = { x: pointer.x, y: pointer.y };
    if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
      const apart = Math.hypot(before.x - other.x, before.y - other.y);
      const now = Math.hypot(event.clientX - other.x, event.clientY - other.y);
      if (apart > 0) this.zoom(now / apart, this.at((event.clientX + other.x) / 2, (event.clientY + other.y) / 2));
    } else if (pointer.dragged || Math.hypot(event.clientX - pointer.begun.x, event.clientY - pointer.begun.y) > A_DRAG) {
      if (!pointer.dragged && !this.isWhole) this.svg.setPointerCapture(event.pointerId);
      pointer.dragged = true;
      const [from, to] = [this.at(before.x, before.y), this.at(event.clientX, event.clientY)];
      this.#set({ ...this.box, x: this.box.x + from.x - to.x, y: this.box.y + from.y - to.y });
    }
    Object.assign(pointer, { x: event.clientX, y: event.clientY });
  }

  #up(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    if (!pointer || pointer.dragged) return;
    const { x, y } = this.at(event.clientX, event.clientY);
    this.ontap(x, y);
  }
}
