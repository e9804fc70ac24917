// Practise a technique: a position that needs it. The answer is kept back until one of its cells is marked, or until it
// is asked for.

import { post, work } from "/static/api.js";
import { button, h, show } from "/static/dom.js";
import { makeAndOpen } from "/static/generate_form.js";
import { bringIntoSight } from "/static/sight.js";
import { hintLevels, marksOf, pointedAt } from "./hint_panel.js";
import { patched } from "./marks.js";

const SECONDS = 60;

export class Practice {
  // `clear()` takes other help away, `point(highlights)` shows something on the board, `takeOver(marks)` puts marks
  // there, `used()` hears of each answer that is shown.
  constructor(bench, { clear, point, takeOver, used }) {
    Object.assign(this, { bench, clear, point, takeOver, used });
    this.exercise = null; // {technique, text, marks, answer, shown}
    const { choices } = bench.domain.hint_options.find(({ name }) => name === "practise");
    const names = choices.filter((name) => name !== "search"); // which is no technique of people
    this.technique = h("select", { "aria-label": "Technique to practise" }, names.map((name) => h("option", { value: name }, name)));
    this.place = h("div", { class: "exercise", "aria-live": "polite" });
    this.element = h(
      "details",
      { class: "practice" },
      h("summary", {}, "Practise a technique"),
      h("div", { class: "row" }, this.technique, button("Practise", () => this.begin(), { title: "Go to a position that needs this technique, and find the step yourself" })),
      this.place,
    );
  }

  // From the beginning of the board, whatever is marked.
  async begin() {
    this.clear();
    this.end();
    await this.bench.ready();
    await this.#seek(this.technique.value, ".".repeat(this.bench.loaded.page.marks.length), { whole: true });
  }

  end() {
    if (this.exercise?.shown) this.point({});
    this.exercise = null;
    show(this.place);
  }

  // Other marks stand on the board: do they hold a cell of the answer?
  async follow(marks) {
    const { exercise } = this;
    if (!exercise) return;
    const isThere = [...exercise.marks].every((mark, cell) => mark === "." || marks[cell] === mark);
    exercise.begun ||= isThere;
    if (!exercise.begun) return;
    if (!isThere) return this.end();
    if (exercise.shown) return this.point({}); // it was about the marks before
    if (marks === exercise.marks) return;
    const answer = await this.#answer(exercise).catch(() => null);
    if (!answer || this.exercise !== exercise || exercise.shown) return;
    const { page } = this.bench.loaded;
    if ([...marksOf(answer, page.size)].some(([cell, mark]) => page.marks[cell] === mark)) this.#reveal("You found it.");
  }

  async #seek(technique, marks, { whole = false } = {}) {
    const { bench } = this;
    const from = await this.#text(marks);
    const found = from && (await bench.work("hints", "Looking for a position to practise on…", { text: from, count: 1, seconds: SECONDS, options: { practise: technique } }));
    const hint = found?.hints[0];
    if (!hint) return;
    if (!hint.data.marks) return this.#none(whole ? hint.caption : "No other position on the way needs it.", technique);
    const text = await this.#text(hint.data.marks);
    if (!text) return;
    const exercise = (this.exercise = { technique, text, marks: hint.data.marks, answer: null, shown: false, begun: false });
    this.takeOver(hint.data.marks);
    this.#say(
      h("p", {}, h("strong", {}, hint.caption), ` ${hint.narrative}`),
      h("div", { class: "row" }, button("Show the answer", () => this.#show(exercise)), button("End", () => this.end())),
    );
  }

  #none(caption, technique) {
    const { size, stars } = this.bench.loaded.page;
    const make = () => {
      const seed = crypto.getRandomValues(new Uint16Array(1))[0];
      return this.bench.attempt(() => makeAndOpen(this.bench.jobs, this.bench.domain, { options: { size, stars, technique }, seed }));
    };
    this.#say(h("p", {}, h("strong", {}, caption)), h("div", { class: "row" }, button("Make a board that needs it", make)));
  }

  #say(...words) {
    show(this.place, words);
    const { style } = this.place.firstChild;
    style.scrollMargin = `${this.bench.stage.offsetHeight + 8}px 0 9rem`; // below the board that stays in sight, with some of what follows
    bringIntoSight(this.place.firstChild);
  }

  // The board with these marks as text.
  async #text(marks) {
    const { bench } = this;
    return (await bench.attempt(() => post("play", { ...bench.instance, action: { marks } })))?.text;
  }

  #answer(exercise) {
    const { technique, text } = exercise;
    exercise.answer ??= work("hints", { text, domain: this.bench.domain.name, count: 1, seconds: SECONDS, options: { practise: technique, answer: true } }).then(({ hints }) => hints[0]);
    return exercise.answer;
  }

  async #show(exercise) {
    this.used();
    const answer = await this.bench.attempt(() => this.#answer(exercise));
    if (answer && this.exercise === exercise) this.#reveal("The answer");
  }

  async #reveal(title) {
    const { exercise } = this;
    exercise.shown = true;
    const answer = await exercise.answer;
    this.point(pointedAt(answer));
    this.#say(
      h("p", { class: "checked" }, h("strong", {}, title)),
      hintLevels(answer),
      h("div", { class: "row" }, button("Another one", () => this.#next(exercise, answer), { class: "primary" }), button("End", () => this.end())),
    );
  }

  // The next position on the way that needs the same technique.
  async #next({ technique, marks }, answer) {
    const after = patched(marks, marksOf(answer, this.bench.loaded.page.size));
    this.end();
    await this.#seek(technique, after);
  }
}
