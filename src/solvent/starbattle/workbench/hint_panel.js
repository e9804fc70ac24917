// Hints, as little as wanted: where to look, the technique, the cells, the proof. Each press shows one thing more.

import { certificateLine, sameCard } from "/static/answer_card.js";
import { button, h, notice, show } from "/static/dom.js";
import { bringIntoSight } from "/static/sight.js";
import { block, cause, crossToMake, ring, sample, star } from "./symbols.js";

const SECONDS = 30;
const LEVELS = [
  { name: "where", title: "Where to look", more: "Hint" },
  { name: "technique", title: "Technique", more: "Hint: technique" },
  { name: "caption", title: "What follows", more: "Hint: cells" },
  { name: "proof", title: "Proof", more: "Hint: proof" },
];

// Those levels that a hint has; news has a caption only.
const levelsOf = (hint) => LEVELS.filter(({ name }) => hint[name]);
export const isStep = (hint) => hint.data.stars !== undefined;

// Return what to point at on the board when a hint is shown up to a level.
export function pointedAt(hint, level = "proof") {
  const { rows, columns, regions, ...rest } = hint.data.highlights ?? {};
  const rings = hint.data.cell ? [hint.data.cell] : (hint.data.differing ?? []);
  if (level === "caption" || level === "proof") return { rows, columns, regions, ...rest, rings };
  const units = [rows, columns, regions].some((each) => each?.length);
  if (hint.lost) return { rings }; // it says which mark to look at
  return units ? { rows, columns, regions } : { causes: rest.causes };
}

// The marks that a step makes, as a map from cell to mark.
export function marksOf(hint, size) {
  const at = ([row, col]) => row * size + col;
  return new Map([...(hint.data.crosses ?? []).map((pair) => [at(pair), "x"]), ...(hint.data.stars ?? []).map((pair) => [at(pair), "*"])]);
}

// What a hint says up to a level, as elements.
export function hintLevels(hint, level = "proof") {
  const levels = levelsOf(hint);
  const last = levels.findIndex(({ name }) => name === level);
  return h(
    "dl",
    { class: "levels" },
    levels.slice(0, last < 0 ? levels.length : last + 1).map(({ name, title }) => [
      h("dt", {}, name === "caption" && !isStep(hint) ? (hint.lost ? "What is wrong" : "What is known") : title),
      h("dd", { data: { level: name } }, name === "proof" ? proofLines(hint.proof) : hint[name]),
      name === "caption" ? narrative(hint) : null,
      name === "caption" ? key(pointedAt(hint)) : null,
    ]),
  );
}

// A step's narrative repeats its caption.
const narrative = (hint) => (hint.narrative && !isStep(hint) ? h("dd", { class: "narrative" }, hint.narrative) : null);
const proofLines = (proof) => h("ol", { class: "proof" }, proof.split("\n").map((line) => h("li", {}, line)));

// The signs in use and what they mean.
function key({ causes, blocks, removals, stars, rings }) {
  const signs = [
    [causes, cause, "the reason"],
    [blocks, (x, y, side) => block(x, y, side, side), "at most one star"],
    [removals, crossToMake, "no star here"],
    [stars, (x, y, side) => star(x, y, side, "placed"), "a star goes here"],
    [rings, ring, "look here"],
  ].filter(([cells]) => cells?.length);
  return signs.length ? h("dd", { class: "key" }, signs.map(([, draw, words]) => h("span", {}, sample(draw), words))) : null;
}

export class HintPanel {
  // `point(highlights)` shows something on the board, `apply(patch)` marks cells; `used()` hears of each hint that is shown.
  constructor(bench, { point, apply, used = () => {} }) {
    this.bench = bench;
    this.point = point;
    this.apply = apply;
    this.used = used;
    this.hint = null;
    this.level = 0;
    this.found = null; // the reply it came with
    this.turn = null; // the request that is under way, so that what comes too late is not shown
    this.news = null; // what must be known before the hint, such as that there are several solutions
    this.more = button("Hint", () => this.press(), { class: "primary more", title: "Show a little more (h)" });
    this.place = h("div", { class: "hint", "aria-live": "polite" });
  }

  // Show one thing more; when all is shown, take the step.
  async press() {
    if (!this.hint) return this.#look();
    if (this.level < levelsOf(this.hint).length - 1) {
      this.level += 1;
      this.#show();
    } else if (isStep(this.hint)) {
      this.take();
    }
  }

  // Say whether the marks can still lead to a solution, and which one is wrong if not.
  async check() {
    const turn = await this.#begin();
    const answer = await this.bench.ask("solvable", { seconds: SECONDS, showIt: false });
    if (!answer || this.turn !== turn) return;
    if (answer.verdict === "NO") {
      await this.#look({ whole: true });
      return;
    }
    const right = answer.verdict === "YES";
    const text = right ? "Right so far: these marks lead to a solution." : `Not known: ${answer.reason}.`;
    show(this.place, h("p", { class: right ? "checked" : "quiet" }, right ? h("span", { "aria-hidden": "true" }, "✓ ") : null, text));
  }

  // Forget what was shown before, once the position has all marks.
  async #begin() {
    await this.bench.part.ready();
    this.forget();
    return (this.turn = {});
  }

  async #look({ whole = false } = {}) {
    const turn = await this.#begin();
    const body = { seconds: SECONDS, count: 1, options: { all: true } };
    let found = await this.bench.work("hints", "Looking for the next step…", body);
    if (found?.hints[0]?.data.news === "several solutions") {
      found = await this.bench.work("hints", "Looking for a step that all solutions agree on…", { ...body, count: 2 });
    }
    const hints = found?.hints ?? [];
    if (!hints.length || this.turn !== turn) return;
    this.found = found;
    this.news = hints.length > 1 ? hints[0] : null;
    this.hint = hints.at(-1);
    this.level = whole ? levelsOf(this.hint).length - 1 : 0;
    this.about = this.bench.loaded;
    this.used();
    this.#show();
  }

  #show() {
    const { hint, news } = this;
    const levels = levelsOf(hint);
    const { name } = levels[this.level];
    const next = levels[this.level + 1];
    this.point(pointedAt(hint, name));
    const wrong = hint.data.cell;
    const shown = name === "caption" || name === "proof";
    show(
      this.place,
      news ? h("p", { class: "news" }, `${news.caption} ${news.narrative}`) : null,
      h("p", { class: "dots", "aria-label": `${this.level + 1} of ${levels.length} shown` }, "●".repeat(this.level + 1) + "○".repeat(levels.length - this.level - 1)),
      hintLevels(hint, name),
      h(
        "div",
        { class: "row" },
        isStep(hint) && shown && next ? button("Apply", () => this.take(), { class: "apply" }) : null,
        wrong && shown ? button("Take that mark back", () => this.takeBack(), { class: "apply" }) : null,
        button("Hide", () => this.forget()),
      ),
      shown && hint.certificate ? certificateLine(hint.certificate, this.bench.name || "board", "hint") : null,
      shown ? sameCard(this.found) : null,
    );
    this.#bringIntoView();
    this.more.textContent = next?.more ?? (isStep(hint) ? "Apply" : "Hint");
    this.more.disabled = !next && !isStep(hint);
  }

  // On a phone the hint stands below the board, which stays in sight: show what was said last.
  #bringIntoView() {
    if (!matchMedia("(max-width: 860px)").matches) return;
    const said = [...this.place.querySelectorAll(".levels > *")].at(-1) ?? this.place;
    said.style.scrollMarginTop = `${this.bench.stage.offsetHeight + 40}px`; // with its heading
    said.style.scrollMarginBottom = "8px";
    bringIntoSight(said);
  }

  // Whether the hint is about another position than the one on the bench; says so, and takes it away.
  #isStale() {
    if (this.about?.page.marks === this.bench.loaded.page.marks && this.about.page.borders === this.bench.loaded.page.borders) return false;
    this.forget();
    notice("The board has changed since this hint. Ask for a new one.");
    return true;
  }

  take() {
    if (this.#isStale()) return;
    const { hint } = this;
    const { size } = this.bench.loaded.page;
    this.forget();
    this.apply(marksOf(hint, size));
    notice(hint.caption.split(":")[0] + ".");
  }

  takeBack() {
    if (this.#isStale()) return;
    const [row, col] = this.hint.data.cell;
    const { size } = this.bench.loaded.page;
    this.forget();
    this.apply(new Map([[row * size + col, "."]]));
  }

  // Take the hint away, from the board too.
  forget() {
    const had = this.hint;
    this.hint = this.news = this.found = this.turn = null;
    this.level = 0;
    this.more.textContent = "Hint";
    this.more.disabled = false;
    show(this.place);
    if (had) this.point({});
  }
}
