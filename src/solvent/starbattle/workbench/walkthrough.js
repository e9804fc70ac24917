// The whole way to the end, step by step: steps are shown as they are found, and can be played.

import { sameCard } from "/static/answer_card.js";
import { button, h, show } from "/static/dom.js";
import { Player } from "/static/player.js";
import { hintLevels, isStep, marksOf, pointedAt } from "./hint_panel.js";
import { patched } from "./marks.js";

const SECONDS = 60;
const MAX_STEPS = 2000;
const MILLISECONDS_A_STEP = 1800;

export class Walkthrough {
  // `view(marks, highlights)` shows a position on the board, or with null the player's own again; `apply(marks)` takes
  // one over.
  constructor(bench, { view, apply }) {
    this.bench = bench;
    this.view = view;
    this.apply = apply;
    this.player = null; // while it is open
    this.element = h("div", { class: "walk", hidden: true });
  }

  async begin() {
    this.end();
    await this.bench.ready();
    const { marks, size } = this.bench.loaded.page;
    this.start = marks;
    this.steps = []; // {hint, marks}: a hint, and the marks it is about
    this.grade = null;
    const player = this.#open();
    const found = await this.bench.work("hints", "Finding the way…", { path: true, count: MAX_STEPS, seconds: SECONDS }, {
      hint: (hint) => this.player === player && this.#add(hint, size),
    });
    if (this.player !== player) return;
    if (!this.steps.length) return this.end();
    player.growing = false;
    this.grade = found?.grade_line;
    if (found) show(this.same, sameCard(found));
    this.#show(player.at);
    player.refresh();
  }

  end() {
    const { player } = this;
    if (!player) return;
    player.pause();
    this.player = null;
    if (player.growing) this.bench.jobs.stop();
    this.element.hidden = true;
    show(this.element);
    this.view(null, {});
  }

  #open() {
    this.text = h("div", { class: "text-of-step", "aria-live": "polite" });
    this.graded = h("p", { class: "graded" });
    this.same = h("div", {});
    const player = new Player({
      label: "Step",
      pace: MILLISECONDS_A_STEP,
      show: (at) => this.#show(at),
      text: (at) => `Step ${at + 1} of ${this.steps.length}${this.player?.growing ? " so far" : ""}`,
      close: () => this.end(),
      below: [
        this.text,
        this.graded,
        h("div", { class: "row" }, button("Play on from here", () => this.#takeOver()), button("Back to my marks", () => this.end())),
        this.same,
      ],
    });
    player.growing = true;
    show(this.element, player.element);
    this.element.hidden = false;
    this.bench.player = this.player = player;
    return player;
  }

  #add(hint, size) {
    const previous = this.steps.at(-1);
    this.steps.push({ hint, marks: previous ? patched(previous.marks, marksOf(previous.hint, size)) : this.start });
    this.player.growTo(this.steps.length - 1);
    if (!previous) this.player.goTo(0);
  }

  #takeOver() {
    const { marks } = this.steps[this.player.at] ?? { marks: this.start };
    this.end();
    this.apply(marks);
  }

  #show(at) {
    const { hint, marks } = this.steps[at];
    show(this.text, isStep(hint) || hint.lost || hint.reason ? hintLevels(hint) : h("p", {}, hint.caption));
    const isBare = !/[x*]/.test(this.start);
    this.graded.textContent = this.grade && at === this.player.last ? `${isBare ? "Grade" : "The rest is"}: ${this.grade}.` : "";
    this.view(marks, pointedAt(hint));
  }
}
