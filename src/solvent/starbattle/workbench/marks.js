// The marks a player makes: shown at once, and sent one after the other, so that the position on the bench keeps up.
// What text they are written as and which crosses follow is decided by the server. Stars that touch or are too many can
// be written in no text; such marks stay on the page, to be repaired.

import { post } from "/static/api.js";
import { faultOf } from "./conflicts.js";

export class Marks {
  // `crossing()` returns whether crosses are to be added automatically; `changed()` is called when there is more to show.
  constructor(bench, { crossing, changed }) {
    this.bench = bench;
    this.crossing = crossing;
    this.changed = changed;
    this.waiting = []; // gestures not sent yet: {patch: Map of cell to mark, cell, again}
    this.sending = null;
    this.running = null;
    this.last = null; // the cell of the last gesture, if it was a single one
  }

  // The marks as the player sees them.
  get shown() {
    const sent = this.sending ? [this.sending, ...this.waiting] : this.waiting;
    return sent.reduce((marks, { patch }) => patched(marks, patch), this.bench.loaded.page.marks);
  }

  // Change the marks on some cells. Going on with the same single cell is still the same step.
  change(patch) {
    const cell = patch.size === 1 ? [...patch.keys()][0] : null;
    const again = cell !== null && cell === this.last;
    const unsent = this.waiting.at(-1);
    if (again && unsent?.cell === cell) unsent.patch = patch;
    else this.waiting.push({ patch, cell, again });
    this.last = cell;
    this.changed();
    this.running ??= this.#send().finally(() => (this.running = null));
    return this.running;
  }

  // Forget what the next gesture could go on with: the position was changed by something else.
  interrupt() {
    this.last = null;
  }

  async #send() {
    const { bench } = this;
    while (this.waiting.length) {
      const gesture = (this.sending = this.waiting.shift());
      const marks = patched(bench.loaded.page.marks, gesture.patch);
      try {
        const loaded = faultOf(bench.loaded.page, marks)
          ? { ...bench.loaded, page: { ...bench.loaded.page, marks, solved: false } }
          : await post("play", { ...bench.instance, action: { marks, cross: this.crossing() } });
        this.sending = null;
        if (loaded.page.marks === bench.loaded.page.marks) continue; // such as a cross that comes back at once
        await bench.set(loaded, { remember: !gesture.again, marked: true });
        if (bench.past.at(-1)?.page.marks === loaded.page.marks) bench.dropStep();
      } catch (error) {
        this.sending = null;
        this.waiting = [];
        this.last = null;
        bench.complain(error);
      } finally {
        this.changed();
      }
    }
  }
}

export function patched(marks, patch) {
  const changed = [...marks];
  for (const [cell, mark] of patch) changed[cell] = mark;
  return changed.join("");
}
