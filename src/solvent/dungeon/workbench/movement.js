// Walk by keys and buttons. Keys that come faster than the rules answer wait their turn, and go together if many wait.

import { button, h } from "/static/dom.js";

const KEYS = {
  ArrowUp: "N", ArrowRight: "E", ArrowDown: "S", ArrowLeft: "W",
  w: "N", d: "E", s: "S", a: "W",
};
const NAMES = { N: "North", E: "East", S: "South", W: "West" };
const SIGNS = { N: "▲", E: "▶", S: "▼", W: "◀" };
const MAX_WAITING = 3; // while a key is held down; more would walk on after it is let go

export class Movement {
  // `play(action)` makes a move when all before it were made; returns what is on the bench then, or null.
  constructor(bench, { play }) {
    this.bench = bench;
    this.play = play;
    this.waiting = [];
    this.busy = false;
    this.answered = null; // resolves when all keys have been answered
    this.stuck = null; // the direction that was refused last
  }

  key(event) {
    const direction = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!direction || event.altKey || event.ctrlKey || event.metaKey) return false;
    event.preventDefault();
    if (event.repeat && (this.stuck === direction || this.waiting.length >= MAX_WAITING)) return true;
    this.step(direction);
    return true;
  }

  step(direction) {
    this.waiting.push(direction);
    if (!this.busy) this.answered = this.#answer();
    return this.answered;
  }

  async #answer() {
    this.busy = true;
    try {
      while (this.waiting.length) {
        const directions = this.waiting.splice(0, this.waiting.length > MAX_WAITING ? 200 : 1);
        let before = 0; // moves, when its turn comes
        const loaded = await this.play(() => {
          before = this.bench.loaded.page.track.moves.length;
          return { do: "step", directions };
        });
        this.stuck = loaded ? null : directions[0];
        if (!loaded) this.waiting = [];
        const made = loaded ? loaded.page.track.moves.length - before : 0;
        if (loaded && made < directions.length) this.waiting = [directions[made]]; // to hear why it stops there
      }
    } finally {
      this.busy = false;
    }
  }

  // Arrows for fingers.
  pad() {
    return h(
      "div",
      { class: "pad", role: "group", "aria-label": "Walk" },
      Object.entries(NAMES).map(([direction, name]) => button(SIGNS[direction], () => this.step(direction), { "aria-label": name, class: `to-${direction}` })),
    );
  }
}
