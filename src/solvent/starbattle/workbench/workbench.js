// The page of Star Battle: the board to play on, help as little as wanted, the way to the end, and new boards.

import { post } from "/static/api.js";
import { button, h, notice, rememberedBox, show, stylesheet } from "/static/dom.js";
import { generateCard } from "/static/generate_form.js";
import { Board } from "./board.js";
import { count, faultOf } from "./conflicts.js";
import { listen } from "./input.js";
import { HintPanel } from "./hint_panel.js";
import { Marks, patched } from "./marks.js";
import { solutionsIn, twoBoards } from "./solutions.js";
import { Walkthrough } from "./walkthrough.js";

const SECONDS_TO_GRADE = 60;

export default async function mount(bench) {
  await stylesheet("/domains/starbattle/workbench.css");
  return new StarBattle(bench);
}

class StarBattle {
  constructor(bench) {
    this.bench = bench;
    this.board = null;
    this.hint = {}; // what is pointed at
    this.painted = null; // what a drag paints, before it is done
    this.viewed = null; // marks of a walk, in place of the player's own
    this.solutions = null; // stars of an answer
    this.banner = h("div", { class: "banner", hidden: true });
    this.field = h("div", { class: "field-of-battle" });
    this.status = h("div", { class: "status", role: "status" });
    this.spoken = h("p", { class: "hidden", role: "status" }); // what was marked, for screen readers
    this.marks = new Marks(bench, { crossing: () => this.crossing.checked, changed: () => this.refresh() });
    this.hintPanel = new HintPanel(bench, { point: (hint) => this.point(hint), apply: (patch) => this.marks.change(patch) });
    this.walk = new Walkthrough(bench, { view: (marks, hint) => this.look(marks, hint), apply: (marks) => this.takeOver(marks) });
    bench.stage.append(this.banner, this.field, this.spoken);
    this.#tools();
    this.#help();
    const { size, stars } = bench.loaded.page;
    bench.panel.append(generateCard(bench, { given: { size, stars } }));
  }

  #tools() {
    const { bench } = this;
    this.clear = button("Start over", () => this.takeOver(bench.loaded.page.marks.replace(/[x*]/g, ".")), { title: "Take all marks off the board" });
    this.crossing = rememberedBox("starbattle.cross", false, (on) => on && this.takeOver(this.marks.shown, { always: true }));
    this.lettered = rememberedBox("starbattle.letters", true, (on) => this.board.showLetters(on));
    bench.tools.append(
      h("div", { class: "row" }, bench.undoButton, bench.redoButton, this.clear),
      this.status,
      h(
        "div",
        { class: "row choices" },
        h("label", {}, this.crossing, " cross neighbours automatically"),
        h("label", {}, this.lettered, " region letters"),
      ),
      this.#rules(),
    );
  }

  #rules() {
    const { stars } = this.bench.loaded.page;
    const keys = [
      ["Click or tap", "cross, star, empty again"],
      ["Drag", "cross many cells, or wipe crosses out"],
      ["Right click", "star"],
      ["Arrow keys", "go over the board"],
      ["Space or Enter", "cross, star, empty again"],
      ["x · s or * · Backspace", "cross · star · empty"],
      ["h · Esc", "hint · hide what is shown"],
      ["Ctrl+Z · Ctrl+Y", "undo · redo"],
    ];
    return h(
      "details",
      { class: "rules" },
      h("summary", {}, "How to play"),
      h("p", {}, `Place ${stars === 1 ? "1 star" : `${stars} stars`} in every row, column and region. Stars never touch, not even at a corner.`),
      h("table", {}, h("tbody", {}, keys.map(([key, does]) => h("tr", {}, h("th", { scope: "row" }, key), h("td", {}, does))))),
    );
  }

  #help() {
    const { hintPanel, walk } = this;
    this.graded = h("p", { class: "graded", role: "status" });
    this.help = this.bench.section(
      "Help",
      h(
        "div",
        { class: "row" },
        hintPanel.more,
        button("Check", () => this.playing() && hintPanel.check(), { title: "Can these marks still lead to a solution?" }),
        button("Walk through", () => this.#walk(), { title: "Every step to the end, with its proof" }),
        button("Grade", () => this.#grade(), { title: "How hard it is for a person" }),
      ),
      this.graded,
      hintPanel.place,
      walk.element,
    );
    hintPanel.more.addEventListener("click", () => this.playing(), { capture: true });
    // Help stands beside the board; on a phone right below, so that both can be seen.
    this.narrow = matchMedia("(max-width: 860px)");
    this.onNarrow = () => (this.narrow.matches ? this.bench.stage.after(this.help) : this.bench.panel.prepend(this.help));
    this.narrow.addEventListener("change", this.onNarrow);
    this.onNarrow();
  }

  #walk() {
    this.playing();
    this.hintPanel.forget();
    this.bench.attempt(() => this.walk.begin());
  }

  // A grade is that of the whole board, whatever is marked already.
  async #grade() {
    const { bench } = this;
    const marks = ".".repeat(bench.loaded.page.marks.length);
    const bare = await bench.attempt(() => post("play", { ...bench.instance, action: { marks } }));
    const found = bare && (await bench.work("hints", "Walking all the way to grade it…", { text: bare.text, path: true, count: 2000, seconds: SECONDS_TO_GRADE }));
    if (found) show(this.graded, h("strong", {}, "Grade: "), found.grade ? `${found.grade_line}.` : `none. ${found.hints.at(-1)?.caption ?? ""}`);
  }

  // Put the player's own marks back on the board, if something else is shown; returns true.
  playing() {
    this.walk.end();
    if (this.solutions) this.showSolutions(null);
    return true;
  }

  // Return whether nothing can be marked now, and say why.
  locked() {
    if (!this.viewed && !this.solutions) return false;
    notice(this.viewed ? "This is the way to the end. Go back to your marks to play on." : "Hide the solution to play on.");
    return true;
  }

  show(loaded, how = {}) {
    const { page } = loaded;
    if (!how.marked) this.marks.interrupt();
    if (this.board?.page.borders !== page.borders) {
      this.board = new Board(page, { label: `Star Battle board, ${page.title}. Arrow keys move, space marks.` });
      this.board.showLetters(this.lettered.checked);
      listen(this.board, {
        marks: () => this.marks.shown,
        change: (patch) => this.#change(patch),
        preview: (patch) => {
          this.painted = patch;
          this.refresh();
        },
        locked: () => this.locked(),
      });
      show(this.field, this.board.element);
    }
    this.playing();
    this.hintPanel.forget();
    this.refresh();
    if (page.solved && how.marked) notice("Solved! Every row, column and region has its stars.");
  }

  #change(patch) {
    this.hintPanel.forget();
    this.marks.change(patch);
    if (patch.size === 1) this.spoken.textContent = this.board.labelOf([...patch.keys()][0]);
  }

  takeOver(marks, { always = false } = {}) {
    const now = this.marks.shown;
    const patch = new Map([...marks].map((mark, cell) => [cell, mark]).filter(([cell, mark]) => mark !== now[cell]));
    if (patch.size || always) this.marks.change(patch);
  }

  point(hint) {
    this.hint = hint;
    this.refresh();
  }

  look(marks, hint) {
    this.viewed = marks;
    this.hint = hint;
    this.refresh();
  }

  refresh() {
    const { board, bench } = this;
    if (!board) return;
    const own = this.painted ? patched(this.marks.shown, this.painted) : this.marks.shown;
    const marks = this.viewed ?? own;
    const state = count(bench.loaded.page, marks);
    board.showMarks(marks, this.solutions?.length === 1 ? this.solutions[0] : []);
    board.showState(state);
    board.showHint(this.hint);
    this.clear.disabled = !/[x*]/.test(own);
    const solved = bench.loaded.page.solved && bench.loaded.page.marks === marks;
    bench.stage.classList.toggle("solved", solved);
    this.#describe(marks, state, solved);
  }

  #describe(marks, { conflicts }, solved) {
    const { size, stars } = this.bench.loaded.page;
    const placed = marks.split("*").length - 1;
    const text = [`${placed} of ${size * stars} stars`, ...conflicts.map((each) => each.text)].join("\n") + solved;
    if (this.status.dataset.text === text) return; // or a screen reader would repeat it all
    this.status.dataset.text = text;
    const shown = conflicts.slice(0, 4).map((each) => h("p", { class: "conflict" }, h("strong", { "aria-hidden": "true" }, "! "), each.text));
    const more = conflicts.length - shown.length;
    show(
      this.status,
      h("p", {}, `${placed} of ${size * stars} stars`, solved ? h("strong", { class: "checked" }, " ★ Solved") : null),
      shown,
      more > 0 ? h("p", { class: "quiet" }, `and ${more} more`) : null,
    );
  }

  answered(answer) {
    const found = solutionsIn(answer.certificate, this.bench.loaded.page.size);
    if (!found.length) return [];
    this.showSolutions(found);
    return [button(found.length === 1 ? "Show it on the board" : "Show both", () => this.showSolutions(found))];
  }

  // Show the stars of one solution on the board, or two boards; null hides them.
  showSolutions(solutions) {
    this.walk.end();
    if (solutions) this.hintPanel.forget();
    this.solutions = solutions;
    const two = solutions?.length === 2;
    show(this.field, two ? twoBoards(this.bench.loaded.page, this.marks.shown, solutions) : this.board.element);
    this.banner.hidden = !solutions;
    show(
      this.banner,
      solutions
        ? [h("span", {}, two ? "Two solutions; rings are where they differ." : "The solution, with golden stars."), button("Hide", () => this.showSolutions(null))]
        : null,
    );
    this.refresh();
  }

  async ready() {
    await this.marks.running;
    const { page } = this.bench.loaded;
    const fault = faultOf(page, page.marks);
    return fault && `${fault} Take a star back first.`;
  }

  key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "h") {
      this.playing();
      this.hintPanel.press();
    } else if (event.key === "Escape") {
      this.playing();
      this.hintPanel.forget();
    }
  }

  leave() {
    this.narrow.removeEventListener("change", this.onNarrow);
  }
}
