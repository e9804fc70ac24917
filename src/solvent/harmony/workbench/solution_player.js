// A solution step by step: play, pause, a slider, the plan with its current step, and going on from there.

import { button, h, show } from "/static/dom.js";
import { counted, swapNamed } from "./cells.js";

const SLOWEST = 800; // milliseconds for a swap
const FASTEST = 140;
const MOST_SECONDS = 40; // for a whole plan, if that can be followed at all
const MOST_LISTED = 240; // steps in sight; of a longer plan those around the current one

export class Playback {
  // `goOn(loaded, swaps)` puts the position after these swaps on the bench; `closed()` is told when the board is
  // free for the position in play.
  constructor(view, { goOn, closed }) {
    this.view = view;
    this.goOn = goOn;
    this.closed = closed;
    this.element = h("div", { class: "playback-place" });
    this.plan = null;
    this.timer = null;
  }

  get isOpen() {
    return this.plan !== null;
  }

  // Show a plan, a list of swaps by name, from a position.
  open(loaded, plan) {
    this.#pause();
    this.loaded = loaded;
    this.plan = plan;
    this.swaps = plan.map((name) => swapNamed(name, loaded.page.cols));
    this.step = 0;
    this.listedFrom = null;
    this.view.draw(loaded.page);
    this.#build();
    this.#tell();
    this.view.place.scrollIntoView({ block: "nearest" }); // whoever pressed the button may be far below the board
  }

  close() {
    this.end();
    this.closed();
  }

  // The same without giving the board back: another position is about to be drawn.
  end() {
    if (!this.isOpen) return;
    this.#pause();
    this.plan = null;
    this.#unmark();
    show(this.element);
  }

  leave() {
    this.#pause();
  }

  #build() {
    const last = this.plan.length;
    this.playing = button("▶ Play", () => (this.timer ? this.#pause() : this.#play()), { class: "primary play" });
    this.slider = h("input", { type: "range", min: 0, max: last, value: 0, step: 1, "aria-label": "Step of the solution", oninput: () => this.#goTo(Number(this.slider.value)) });
    this.place = h("span", { class: "place", role: "status" });
    this.back = button("◀", () => this.#goTo(this.step - 1), { "aria-label": "One step back" });
    this.on = button("▶|", () => this.#goTo(this.step + 1), { "aria-label": "One step on" });
    this.list = h("ol", { class: "plan" });
    show(
      this.element,
      h(
        "section",
        { class: "card playback", "aria-label": "Solution" },
        h("div", { class: "row" }, this.playing, this.back, this.on, this.place),
        this.slider,
        this.list,
        h(
          "div",
          { class: "row" },
          button("Continue from here", () => this.goOn(this.loaded, this.plan.slice(0, this.step))),
          button("Close", () => this.close()),
        ),
      ),
    );
  }

  #play() {
    if (this.step === this.plan.length) this.#goTo(0);
    const wait = Math.max(FASTEST, Math.min(SLOWEST, (MOST_SECONDS * 1000) / this.plan.length));
    this.timer = setInterval(() => {
      this.#goTo(this.step + 1, { playing: true });
      if (this.step === this.plan.length) this.#pause();
    }, wait);
    this.#tell();
  }

  #pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.isOpen) this.#tell();
  }

  #goTo(step, { playing = false } = {}) {
    const to = Math.max(0, Math.min(this.plan.length, step));
    if (!playing) this.#pause();
    if (to === this.step) return;
    if (Math.abs(to - this.step) === 1) {
      this.view.exchange(this.swaps[Math.min(to, this.step)], to > this.step ? -1 : 1);
    } else {
      this.view.draw(this.#pageAt(to));
    }
    this.step = to;
    this.#tell();
  }

  // Where the tiles stand after so many swaps. The checker has accepted the plan: here it is only shown.
  #pageAt(step) {
    const { page } = this.loaded;
    const [colours, moves] = [[...page.colours], [...page.moves]];
    for (const [a, b] of this.swaps.slice(0, step)) {
      [colours[a], colours[b]] = [colours[b], colours[a]];
      [moves[a], moves[b]] = [moves[b] - 1, moves[a] - 1];
    }
    return { ...page, colours, moves };
  }

  #tell() {
    const { step, plan } = this;
    this.playing.textContent = this.timer ? "❚❚ Pause" : "▶ Play";
    this.slider.value = step;
    this.slider.setAttribute("aria-valuetext", `after ${step} of ${counted(plan.length, "swap")}`);
    this.place.textContent = `${step} of ${counted(plan.length, "swap")}`;
    this.back.disabled = step === 0;
    this.on.disabled = step === plan.length;
    this.#listAround(step);
    this.#unmark();
    if (step > 0) this.view.mark("moved", this.swaps[step - 1]);
    if (!this.timer && step < plan.length) this.view.arrow(this.swaps[step]);
  }

  // The swap that was done last is the current step of the list.
  #listAround(step) {
    const from = Math.max(0, Math.min(step - MOST_LISTED / 2, this.plan.length - MOST_LISTED));
    const start = this.plan.length <= MOST_LISTED ? 0 : from;
    if (this.listedFrom !== start) {
      const listed = this.plan.slice(start, start + MOST_LISTED);
      this.list.setAttribute("start", start + 1);
      show(
        this.list,
        listed.map((name, index) =>
          h("li", { value: start + index + 1 }, button(`${start + index + 1}. ${name}`, () => this.#goTo(start + index + 1))),
        ),
      );
      this.listedFrom = start;
    }
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = step === 0 ? null : this.list.children[step - 1 - start];
    current?.setAttribute("aria-current", "step");
    // Only the list itself scrolls: the board above it must stay in sight.
    if (current) this.list.scrollTop = Math.max(0, current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2);
    else this.list.scrollTop = 0;
  }

  #unmark() {
    this.view.arrow(null);
    this.view.mark("moved");
    this.view.mark("hinted");
  }
}
