// The whole way to the end, step by step: steps are shown as they are found, and a slider goes over all of them.

import { sameCard } from "/static/answer_card.js";
import { button, h, show } from "/static/dom.js";
import { isStep, marksOf, pointedAt, told } from "./hint_panel.js";
import { patched } from "./marks.js";

const SECONDS = 60;
const MOST_STEPS = 2000;
const PAUSE = 1800; // milliseconds for each step when it plays by itself

export class Walk {
  // `view(marks, highlights)` shows a position on the board, or with null the player's own again; `apply(marks)` takes
  // one over.
  constructor(bench, { view, apply }) {
    this.bench = bench;
    this.view = view;
    this.apply = apply;
    this.steps = []; // {hint, marks}: what is said, and the marks it is said of
    this.at = 0;
    this.timer = null;
    this.active = false;
    this.element = h("div", { class: "walk", hidden: true });
  }

  async begin() {
    this.end();
    await this.bench.settled();
    this.active = true;
    this.steps = [];
    this.at = 0;
    const { page } = this.bench.loaded;
    this.start = page.marks;
    this.size = page.size;
    this.done = null;
    this.#build();
    const before = this.bench.loaded;
    const found = await this.bench.work("hints", "Finding the way…", { path: true, count: MOST_STEPS, seconds: SECONDS }, {
      hint: (hint) => this.#add(hint),
    });
    if (!this.active || this.bench.loaded !== before) return;
    this.done = found ?? {};
    if (found) show(this.same, sameCard(found));
    if (!this.steps.length) this.end();
    else this.#show();
  }

  end() {
    this.pause();
    if (!this.active) return;
    if (!this.done) this.bench.jobs.stop();
    this.active = false;
    this.element.hidden = true;
    show(this.element);
    this.view(null, {});
  }

  go(step) {
    this.at = Math.max(0, Math.min(step, this.steps.length - 1));
    this.#show();
  }

  play() {
    if (this.timer) return this.pause();
    if (this.at === this.steps.length - 1) this.at = 0;
    this.#show();
    this.timer = setInterval(() => {
      if (this.at < this.steps.length - 1) this.go(this.at + 1);
      else if (this.done) this.pause();
    }, PAUSE);
    this.#label();
  }

  pause() {
    clearInterval(this.timer);
    this.timer = null;
    if (this.playing) this.#label();
  }

  #add(hint) {
    if (!this.active) return;
    const previous = this.steps.at(-1);
    const marks = previous ? patched(previous.marks, marksOf(previous.hint, this.size)) : this.start;
    this.steps.push({ hint, marks });
    this.#show();
  }

  #build() {
    const small = (label, words, go) => button(label, go, { "aria-label": words, title: words });
    this.slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", oninput: () => this.go(Number(this.slider.value)) });
    this.playing = button("Play", () => this.play(), { class: "playing" });
    this.counted = h("p", { class: "counted quiet" });
    this.said = h("div", { class: "said", "aria-live": "polite" });
    this.graded = h("p", { class: "graded" });
    this.same = h("div", {});
    show(
      this.element,
      h(
        "div",
        { class: "row" },
        small("|◀", "First step", () => this.go(0)),
        small("◀", "Step back", () => this.go(this.at - 1)),
        this.playing,
        small("▶", "Step forward", () => this.go(this.at + 1)),
        small("▶|", "Last step", () => this.go(this.steps.length - 1)),
      ),
      this.slider,
      this.counted,
      this.said,
      this.graded,
      h(
        "div",
        { class: "row" },
        button("Play on from here", () => this.#takeOver()),
        button("Back to my marks", () => this.end()),
      ),
      this.same,
    );
    this.element.hidden = false;
  }

  #takeOver() {
    const { marks } = this.steps[this.at] ?? { marks: this.start };
    this.end();
    this.apply(marks);
  }

  #label() {
    this.playing.textContent = this.timer ? "Pause" : "Play";
  }

  #show() {
    if (!this.active || !this.steps.length) return;
    const { hint, marks } = this.steps[this.at];
    const last = this.steps.length - 1;
    this.slider.max = String(last);
    this.slider.value = String(this.at);
    const all = this.done ? `${this.steps.length}` : `${this.steps.length} so far`;
    this.counted.textContent = `Step ${this.at + 1} of ${all}`;
    this.slider.setAttribute("aria-valuetext", this.counted.textContent);
    show(this.said, isStep(hint) || hint.lost || hint.reason ? told(hint) : h("p", {}, hint.caption));
    const { grade } = this.done ?? {};
    const bare = !/[x*]/.test(this.start);
    this.graded.textContent = grade && this.at === last ? `${bare ? "Grade" : "The rest is"}: ${grade.line}.` : "";
    this.view(marks, pointedAt(hint));
    this.#label();
  }
}
