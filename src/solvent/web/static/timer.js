// A clock for one puzzle. It rests while nobody looks, and it can be hidden; that is remembered.

import { button, h } from "./dom.js";
import { keep, recall } from "./storage.js";

const HIDDEN = "solvent.timer.hidden";

// 75 → "1:15".
export function clock(seconds) {
  const whole = Math.floor(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, String(whole % 60).padStart(2, "0")];
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

export class Timer {
  // `runs()` says whether time counts now, beside the page being in sight.
  constructor({ runs = () => true } = {}) {
    this.runs = runs;
    this.before = 0; // milliseconds of earlier stretches
    this.since = null; // when this stretch began
    this.stopped = false;
    this.face = h("span", { class: "time", role: "timer", "aria-label": "Time" });
    this.toggle = button("", () => this.#setHidden(!this.hidden), { class: "link" });
    this.element = h("span", { class: "timer" }, this.face, this.toggle);
    this.#setHidden(recall(HIDDEN, false));
    this.seen = () => this.#tick();
    document.addEventListener("visibilitychange", this.seen);
    this.ticking = setInterval(this.seen, 250);
    this.#tick();
  }

  leave() {
    clearInterval(this.ticking);
    document.removeEventListener("visibilitychange", this.seen);
  }

  get seconds() {
    return (this.before + (this.since === null ? 0 : performance.now() - this.since)) / 1000;
  }

  // Begin anew, or go on from so many seconds.
  restart(seconds = 0) {
    this.before = seconds * 1000;
    this.since = null;
    this.stopped = false;
    this.#tick();
  }

  stop() {
    this.stopped = true;
    this.#tick();
  }

  #tick() {
    const runs = !this.stopped && !document.hidden && this.runs();
    if (runs && this.since === null) this.since = performance.now();
    if (!runs && this.since !== null) {
      this.before += performance.now() - this.since;
      this.since = null;
    }
    const shown = clock(this.seconds);
    if (this.face.textContent !== shown) this.face.textContent = shown;
  }

  #setHidden(hidden) {
    this.hidden = hidden;
    this.face.hidden = hidden;
    this.toggle.textContent = hidden ? "Show time" : "Hide time";
    keep(HIDDEN, hidden || null);
  }
}
