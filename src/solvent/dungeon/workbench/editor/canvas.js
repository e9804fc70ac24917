// The map as something to draw on: strokes of mouse, pen and finger, a cursor for the keyboard, and what is laid over it.
// One finger draws, two move and zoom; the middle button moves, the right one erases.

import { h, s, show } from "/static/dom.js";
import { copySvg } from "/static/safe_svg.js";
import { DungeonMap } from "../map.js";
import { Track } from "../track.js";
import { keyOf } from "./level.js";

const PAINTS = { floor: "#FAF7EE", wall: "#70737A", nothing: "var(--map-paper)", water: "#96C8E8" }; // as the drawings write them, so that the dark map repaints them
const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

export class Canvas {
  // `hands` has `begin(place, event)`, `go(place)`, `end()`, `cancel()`, `moved(place)`, `pans()`.
  constructor(hands, help) {
    this.hands = hands;
    this.map = null;
    this.cursor = null;
    this.pointed = null; // the tile under the mouse, as long as it moves there
    this.drawing = null; // the id of the pointer that draws
    this.pointers = new Map();
    this.frame = h("div", { class: "dungeon-frame edit-frame", role: "application", tabindex: 0, "aria-label": "Map to draw on", "aria-description": help });
    for (const [name, hear] of Object.entries({ pointerdown: this.#down, pointermove: this.#move, pointerup: this.#up, pointercancel: this.#cancel })) {
      this.frame.addEventListener(name, (event) => hear.call(this, event), { capture: true });
    }
    this.frame.addEventListener("contextmenu", (event) => event.preventDefault());
    this.frame.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false }); // a quick stroke is no fling: the next tap would only stop it
    this.frame.addEventListener("pointerleave", () => {
      this.pointed = null;
      show(this.hover);
    });
    this.ghosts = s("g", { class: "ghosts", "pointer-events": "none" });
    this.overlay = s("g", { class: "edit-overlay", "pointer-events": "none" });
    this.hover = s("g", { class: "hover", "pointer-events": "none" });
    this.mark = s("g", { class: "edit-cursor", "pointer-events": "none" });
  }

  get view() {
    return this.map?.view;
  }

  // Show a picture; what is laid over it stays until it is cleared.
  show(page) {
    const before = this.map;
    if (before?.picture.id !== page.picture.id) {
      this.map = new DungeonMap(page.picture);
      if (before) this.map.view.adopt(before.view);
      this.map.svg.append(this.ghosts, this.overlay, this.hover, this.mark);
      show(this.frame, this.map.svg);
    } else page.picture = before.picture; // all positions that can be undone to share it
    this.map.show(new Track(page.track).frame(0), { follow: false });
    if (!this.cursor || !this.#has(this.cursor)) this.cursor = [...page.picture.start];
    this.#showCursor();
  }

  #has([floor, row, column]) {
    const found = this.map.picture.floors[floor];
    return found && row >= 0 && column >= 0 && row < found.rows && column < found.columns;
  }

  box([floor, row, column], height = 1, width = 1) {
    const { tile } = this.map;
    const { x, y } = this.map.picture.floors[floor];
    return { x: x + column * tile, y: y + row * tile, width: width * tile, height: height * tile };
  }

  setCursor(place) {
    if (!this.#has(place)) return false;
    this.cursor = place;
    this.pointed = null; // keys and presses say more than where the mouse was left
    this.#showCursor();
    const { x, y } = this.map.middle(place);
    this.view.focus = { x, y };
    if (!this.view.isWhole) this.view.keepInSight(x, y, 2.5 * this.map.tile);
    return true;
  }

  #showCursor() {
    const box = this.box(this.cursor);
    show(this.mark, s("rect", { ...box, class: "back" }), s("rect", { ...box, class: "front" }));
  }

  // Where an arrow key leads from the cursor; null at the edge.
  beside(key) {
    const step = STEPS[key];
    if (!step) return null;
    const [floor, row, column] = this.cursor;
    const place = [floor, row + step[0], column + step[1]];
    return this.#has(place) ? place : null;
  }

  isArrow(key) {
    return key in STEPS;
  }

  // Show at once what a stroke will do.
  ghost(places, word, sign) {
    const layer = s("g", { opacity: 0.9 });
    for (const place of places) {
      const box = this.box(place);
      const middle = this.map.middle(place);
      const paint = PAINTS[word] ?? (word.startsWith("one-way") ? PAINTS.floor : null);
      if (word === "erase") layer.append(s("rect", { ...box, fill: PAINTS.floor, "fill-opacity": 0.75 }));
      else if (paint) layer.append(s("rect", { ...box, fill: paint }));
      if (sign && (!paint || word.startsWith("one-way"))) layer.append(copySvg(sign, { transform: `translate(${middle.x} ${middle.y})` }));
    }
    this.ghosts.append(layer);
    return layer;
  }

  // Outline a rectangle of tiles.
  outline({ corner, height, width }, kind = "selection") {
    const box = this.box(corner, height, width);
    return s("g", { class: kind }, s("rect", { ...box, class: "back" }), s("rect", { ...box, class: "front" }));
  }

  // A line from the middle of a tile to that of another, such as of a way that is not there yet.
  link(from, to) {
    const [one, other] = [this.map.middle(from), this.map.middle(to)];
    const d = `M${one.x} ${one.y}L${other.x} ${other.y}`;
    return s("g", { class: "preview" }, s("path", { d, class: "back" }), s("path", { d, class: "front" }));
  }

  #placeOf(event) {
    const { x, y } = this.view.at(event.clientX, event.clientY);
    return this.map.placeAt(x, y);
  }

  #down(event) {
    if (!this.map) return;
    event.stopPropagation();
    this.frame.focus({ preventScroll: true });
    this.pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    try {
      this.frame.setPointerCapture(event.pointerId);
    } catch {
      // the pointer is gone already
    }
    if (this.pointers.size > 1) {
      if (this.drawing !== null) this.hands.cancel();
      this.drawing = null;
      return;
    }
    const place = this.#placeOf(event);
    if (event.button === 1 || this.hands.pans() || !place) return;
    event.preventDefault();
    this.drawing = event.pointerId;
    this.setCursor(place);
    this.hands.begin(place, event);
  }

  #move(event) {
    if (!this.map) return;
    event.stopPropagation();
    const pointer = this.pointers.get(event.pointerId);
    const now = { x: event.clientX, y: event.clientY };
    if (!pointer) {
      const place = this.#placeOf(event);
      this.pointed = place;
      show(this.hover, place ? s("rect", { ...this.box(place), class: "hovered" }) : null);
      if (place) this.hands.moved(place);
      return;
    }
    if (this.drawing === event.pointerId) {
      for (const each of event.getCoalescedEvents?.() ?? [event]) {
        const place = this.#placeOf(each);
        if (place) this.hands.go(place);
      }
    } else if (this.pointers.size === 2) {
      const [other] = [...this.pointers].filter(([id]) => id !== event.pointerId).map(([, each]) => each);
      const apart = Math.hypot(pointer.x - other.x, pointer.y - other.y);
      const wide = Math.hypot(now.x - other.x, now.y - other.y);
      if (apart > 0) this.view.zoom(wide / apart, this.view.at((now.x + other.x) / 2, (now.y + other.y) / 2));
      this.#pan(pointer, now, 0.5);
    } else if (this.pointers.size === 1) this.#pan(pointer, now);
    Object.assign(pointer, now);
  }

  #pan(from, to, share = 1) {
    const [one, other] = [this.view.at(from.x, from.y), this.view.at(to.x, to.y)];
    this.view.pan((one.x - other.x) * share, (one.y - other.y) * share);
  }

  #up(event) {
    event.stopPropagation();
    this.pointers.delete(event.pointerId);
    if (this.drawing !== event.pointerId) return;
    this.drawing = null;
    this.hands.end();
  }

  #cancel(event) {
    this.pointers.delete(event.pointerId);
    if (this.drawing !== event.pointerId) return;
    this.drawing = null;
    this.hands.cancel();
  }
}

export const samePlace = (one, other) => Boolean(one && other) && keyOf(one) === keyOf(other);
