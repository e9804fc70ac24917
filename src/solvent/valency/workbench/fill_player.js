// Play how a fill came about: which node was filled when, forwards at any speed, step by step, or to any moment.

import { button, h } from "/static/dom.js";

const USUAL_SECONDS = 3;
const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4, 10];
const USUAL_SPEED = 3; // where in the list

export const wantsLessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Collapse {
  constructor(board) {
    this.board = board;
    this.order = []; // nodes, in the order in which they were filled
    this.steps = []; // the step of each
    this.place = 0; // how many of them are shown
    this.running = null;
    this.speed = h("input", {
      type: "range",
      min: 0,
      max: SPEEDS.length - 1,
      value: USUAL_SPEED,
      "aria-label": "Speed",
      oninput: () => this.#sayTimes(),
    });
    this.times = h("output", { class: "quiet" });
    this.playing = button("▶", () => (this.running ? this.pause() : this.play()), { "aria-label": "Play", title: "Play" });
    this.moment = h("input", {
      type: "range",
      min: 0,
      max: 0,
      value: 0,
      class: "moment",
      "aria-label": "Moment of the collapse",
      oninput: () => {
        const place = Number(this.moment.value); // pausing sets it back to what is shown
        this.pause();
        this.goTo(place);
      },
    });
    this.said = h("span", { class: "quiet counted" });
    this.element = h(
      "div",
      { class: "playback", role: "group", "aria-label": "Collapse", hidden: true },
      this.playing,
      button("One step", () => this.step(), { title: "Fill what comes next" }),
      button("To the end", () => this.finish(), {}),
      this.moment,
      this.said,
      h("label", { class: "speed" }, "Speed ", this.speed, this.times),
    );
    this.#sayTimes();
  }

  // Show a fill that came with the step at which each node was filled. `before`: what stood there, if only what changed
  // is to be played. Without motion it stands there at once, and can be played.
  begin(modules, order, { before = null, leftOut = new Map(), play = true } = {}) {
    this.pause();
    const changed = (node) => !before || before[node] !== modules[node];
    const nodes = order
      ? modules.map((_, node) => node).filter((node) => changed(node) && !this.board.empty.has(node) && !this.board.picks.has(node))
      : [];
    nodes.sort((one, other) => order[one] - order[other] || one - other);
    // What was left out is told at the end, whenever the search came by.
    this.order = [...nodes.filter((node) => !leftOut.has(node)), ...nodes.filter((node) => leftOut.has(node))];
    this.steps = this.order.map((node) => (leftOut.has(node) ? Infinity : order[node]));
    this.seconds = before ? Math.min(USUAL_SECONDS, 0.6 + this.order.length / 100) : USUAL_SECONDS;
    this.moment.max = this.order.length;
    this.element.hidden = this.order.length === 0;
    this.shown = new Uint8Array(modules.length).fill(1);
    const animated = play && !wantsLessMotion() && this.order.length > 0;
    if (animated) for (const node of this.order) this.shown[node] = 0;
    this.place = animated ? 0 : this.order.length;
    this.board.set({ modules, shown: this.shown, faded: null, clash: null, leftOut });
    this.#say();
    if (animated) this.play();
  }

  // Nothing is played any more.
  end() {
    this.pause();
    this.order = [];
    this.element.hidden = true;
  }

  play() {
    if (this.place >= this.order.length) this.goTo(0);
    let last = performance.now();
    let owed = 0;
    const frame = (now) => {
      // A frame may be counted from before it was asked for.
      owed += (Math.max(0, now - last) / 1000) * (this.order.length / this.seconds) * SPEEDS[Number(this.speed.value)];
      last = now;
      const whole = Math.floor(owed);
      owed -= whole;
      if (whole) this.#advance(Math.min(this.order.length, this.place + whole));
      if (this.place < this.order.length) this.running = requestAnimationFrame(frame);
      else this.pause();
    };
    this.running = requestAnimationFrame(frame);
    this.#say();
  }

  pause() {
    if (this.running) cancelAnimationFrame(this.running);
    this.running = null;
    this.#say();
  }

  // Fill what comes next: a choice, with all that follows from it at once.
  step() {
    this.pause();
    if (this.place >= this.order.length) this.goTo(0);
    let next = this.place + 1;
    while (next < this.order.length && this.steps[next] === this.steps[this.place]) next++;
    this.#advance(next);
  }

  finish() {
    this.pause();
    this.#advance(this.order.length);
  }

  goTo(place) {
    if (place < this.place) {
      for (const node of this.order.slice(place, this.place)) this.shown[node] = 0;
      this.place = place;
      this.board.paint();
      this.#say();
    } else this.#advance(place);
  }

  #advance(place) {
    const nodes = this.order.slice(this.place, place);
    for (const node of nodes) this.shown[node] = 1;
    this.place = place;
    this.board.paintNodes(nodes);
    if (place === this.order.length || this.board.look.leftOut.size) this.board.paintMarks();
    if (place === this.order.length) this.board.retell();
    this.#say();
  }

  #say() {
    const label = this.running ? "Pause" : this.place >= this.order.length ? "Play again" : "Play";
    this.playing.textContent = this.running ? "❚❚" : label === "Play again" ? "↻" : "▶";
    this.playing.setAttribute("aria-label", label);
    this.playing.title = label;
    this.moment.value = this.place;
    this.said.textContent = `${this.place.toLocaleString("en")} of ${this.order.length.toLocaleString("en")}`;
    this.element.dataset.state = this.running ? "running" : this.place >= this.order.length ? "done" : "paused";
  }

  #sayTimes() {
    this.times.textContent = ` ×${SPEEDS[Number(this.speed.value)]}`;
  }
}
