// All steps that can be taken now, by technique, the easiest first. What a step says is shown when it is asked for.

import { button, h, show } from "/static/dom.js";
import { count } from "/static/format.js";
import { bringIntoSight } from "/static/sight.js";
import { hintLevels, isStep, marksOf, pointedAt } from "./hint_panel.js";

const SECONDS = 30;
const MAX_STEPS = 500;

export class AllSteps {
  // `point(highlights)` shows something on the board, `apply(patch)` marks cells, `used()` hears that steps were shown.
  constructor(bench, { point, apply, used }) {
    Object.assign(this, { bench, point, apply, used });
    this.marks = null; // that the steps are about, while they are shown
    this.element = h("div", { class: "all-steps", "aria-live": "polite" });
  }

  async begin() {
    this.end();
    await this.bench.ready();
    const { marks } = this.bench.loaded.page;
    const found = await this.bench.work("hints", "Looking for every step…", { count: MAX_STEPS, seconds: SECONDS, options: { every: true } });
    if (!found || this.bench.loaded.page.marks !== marks) return;
    this.marks = marks;
    this.used();
    const steps = found.hints.filter(isStep);
    const others = found.hints.filter((hint) => !isStep(hint));
    const groups = grouped(steps);
    show(
      this.element,
      h("div", { class: "row" }, h("strong", {}, `${count(steps.length, "step")} by ${count(groups.size, "technique")}`), button("Hide", () => this.end())),
      [...groups].map(([title, hints]) => this.#group(title, hints)),
      others.map((hint) => h("p", { class: "quiet" }, `${hint.caption} ${hint.narrative}`)),
    );
    bringIntoSight(this.element.firstChild);
  }

  #group(title, hints) {
    return h(
      "details",
      {},
      h("summary", {}, `${title} (${hints.length})`),
      h("ol", {}, hints.map((hint) => this.#step(hint))),
    );
  }

  #step(hint) {
    const place = h("div", {});
    const open = () => {
      for (const other of this.element.querySelectorAll("li > div")) show(other);
      this.point(pointedAt(hint));
      show(place, hintLevels(hint), h("div", { class: "row" }, button("Apply", () => this.#take(hint))));
    };
    return h("li", {}, button(hint.caption, open, { class: "link" }), place);
  }

  #take(hint) {
    const { size } = this.bench.loaded.page;
    this.end();
    this.apply(marksOf(hint, size));
  }

  // Other marks stand on the board: steps of another position go.
  follow(marks) {
    if (this.marks !== null && this.marks !== marks) this.end();
  }

  end() {
    if (this.marks === null) return;
    this.marks = null;
    show(this.element);
    this.point({});
  }
}

function grouped(steps) {
  const groups = new Map();
  for (const step of steps) groups.set(step.data.title, [...(groups.get(step.data.title) ?? []), step]);
  return groups;
}
