// The page of Star Battle: the board to play on, help as little as wanted, the way to the end, and new boards.

import { post } from "/static/api.js";
import { button, h, notice, rememberedBox, show, stylesheet } from "/static/dom.js";
import { generateCard } from "/static/generate_form.js";
import { whenNarrow } from "/static/screen.js";
import { SolveSession } from "/static/solve_session.js";
import { AllSteps } from "./all_steps.js";
import { Board } from "./board.js";
import { count, faultOf } from "./conflicts.js";
import { elsewhere } from "./elsewhere.js";
import { listen } from "./input.js";
import { HintPanel } from "./hint_panel.js";
import { Marks, patched } from "./marks.js";
import { cleared, has, isEmpty, keepNotes, none, noted, recallNotes } from "./notes.js";
import { Pens } from "./pens.js";
import { Practice } from "./practice.js";
import { isPhone } from "./screen.js";
import { solutionsIn, twoBoards } from "./solutions.js";
import { Walkthrough } from "./walkthrough.js";
import { Zoom } from "./zoom.js";

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
    this.viewed = null; // marks of a walk or a proof, in place of the player's own
    this.notes = null; // the player's dots, circles and colours
    this.coming = null; // the same, where some are not on the bench yet
    this.solutions = null; // stars of an answer
    this.banner = h("div", { class: "banner", hidden: true });
    this.field = h("div", { class: "field-of-battle" });
    this.status = h("div", { class: "status", role: "status" });
    this.spoken = h("p", { class: "hidden", role: "status" }); // what was marked, for screen readers
    this.marks = new Marks(bench, { crossing: () => this.crossing.checked, changed: () => this.refresh() });
    this.hintPanel = new HintPanel(bench, { point: (hint) => this.point(hint), apply: (patch) => this.marks.change(patch), used: () => this.session.usedHint() });
    this.session = new SolveSession(bench, { step: "mark" });
    const help = { point: (hint) => this.point(hint), used: () => this.session.usedHint() };
    this.allSteps = new AllSteps(bench, { ...help, apply: (patch) => this.marks.change(patch) });
    this.practice = new Practice(bench, { ...help, clear: () => this.#helpAnew(), takeOver: (marks) => this.takeOver(marks) });
    this.zoom = new Zoom(this.field);
    this.pens = new Pens({ wipe: () => this.#note(none(this.bench.loaded.page)) });
    this.walk = new Walkthrough(bench, { view: (marks, hint) => this.look(marks, hint), apply: (marks) => this.takeOver(marks) });
    bench.stage.append(this.banner, this.field, this.spoken);
    this.#tools();
    this.#help();
    const { size, stars } = bench.loaded.page;
    bench.panel.append(generateCard(bench, { given: { size, stars } }), elsewhere(bench));
  }

  #tools() {
    const { bench } = this;
    this.clear = button("Start over", () => this.#restart(), { title: "Take all marks off the board" });
    this.crossing = rememberedBox("starbattle.cross", false, (on) => on && this.takeOver(this.marks.shown, { always: true }));
    this.lettered = rememberedBox("starbattle.letters", true, (on) => this.board.showLetters(on));
    this.numbered = rememberedBox("starbattle.numbers", !isPhone(), (on) => {
      this.board.showNumbers(on);
      this.zoom.show(bench.loaded.page.size);
    });
    this.handy = h("div", { class: "row handy" }, this.pens.element, h("div", { class: "row" }, bench.undoButton, bench.redoButton, this.zoom.element, this.pens.wipe));
    bench.tools.append(
      this.handy,
      h("div", { class: "row state" }, this.session.element, this.status, this.clear),
      h(
        "div",
        { class: "row choices" },
        h("label", {}, this.crossing, " cross neighbours automatically"),
        h("label", {}, this.lettered, " region letters"),
        h("label", {}, this.numbered, " row and column numbers"),
      ),
      this.#rules(),
    );
  }

  #rules() {
    const { stars } = this.bench.loaded.page;
    const touch = [
      ["Click or tap", "cross, star, empty again"],
      ["Drag", "cross many cells, or wipe crosses out; with another pen, note them"],
    ];
    const keys = [
      ["Right click", "star"],
      ["Arrow keys", "go over the board"],
      ["Space or Enter", "cross, star, empty again"],
      ["x · s or * · Backspace", "cross · star · empty"],
      ["d · o · 1 to 6 · 0", "note a dot · a circle · a colour · wipe notes"],
      ["h · Esc", "hint · hide what is shown"],
      ["Ctrl+Z · Ctrl+Y", "undo · redo"],
    ];
    const rows = (named, given = {}) => named.map(([key, does]) => h("tr", given, h("th", { scope: "row" }, key), h("td", {}, does)));
    return h(
      "details",
      { class: "rules" },
      h("summary", {}, "How to play"),
      h("p", {}, `Place ${stars === 1 ? "1 star" : `${stars} stars`} in every row, column and region. Stars never touch, not even at a corner.`),
      h("table", {}, h("tbody", {}, rows(touch), rows(keys, { class: "by-keys" }))),
    );
  }

  #help() {
    const { hintPanel, walk, allSteps, practice } = this;
    this.graded = h("p", { class: "graded", role: "status" });
    this.help = this.bench.section(
      "Help",
      h("div", { class: "row" }, hintPanel.more, button("Check", () => this.playing() && hintPanel.check(), { title: "Can these marks still lead to a solution?" })),
      h(
        "div",
        { class: "row further" },
        button("All steps", () => this.#helpAnew() && allSteps.begin(), { title: "Every step that can be taken now, by technique" }),
        button("Walk through", () => this.#walk(), { title: "Every step to the end, with its proof" }),
        button("Grade", () => this.#grade(), { title: "How hard it is for a person" }),
      ),
      this.graded,
      hintPanel.place,
      allSteps.element,
      walk.element,
      practice.element,
    );
    this.help.classList.add("play-help");
    hintPanel.more.addEventListener("click", () => this.playing(), { capture: true });
    // Help stands beside the board; on a phone below it and what is used all the time, so that both can be seen.
    this.leaveNarrow = whenNarrow((narrow) => (narrow ? this.handy.after(this.help) : this.bench.panel.prepend(this.help)));
  }

  #restart() {
    this.takeOver(this.bench.loaded.page.marks.replace(/[x*]/g, "."));
    this.session.restart();
  }

  // Take other help away; returns true.
  #helpAnew() {
    this.playing();
    this.hintPanel.forget();
    this.allSteps.end();
    return true;
  }

  #walk() {
    this.#helpAnew();
    this.session.revealed();
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
    this.bench.closeProof?.();
    if (this.solutions) this.showSolutions(null);
    return true;
  }

  // Return whether nothing can be marked now, and say why.
  locked() {
    if (!this.viewed && !this.solutions) return false;
    notice(this.viewed ? this.bench.closeProof ? "This is a step of the proof. Close it to play on." : "This is the way to the end. Go back to your marks to play on." : "Hide the solution to play on.");
    return true;
  }

  show(loaded, how = {}) {
    const { page } = loaded;
    if (!how.marked) this.marks.interrupt();
    if (this.board?.page.borders !== page.borders) {
      this.board = new Board(page, { label: `Star Battle board, ${page.title}. Arrow keys move, space marks.`, numbered: this.numbered.checked });
      this.board.showLetters(this.lettered.checked);
      listen(this.board, {
        marks: () => this.marks.shown,
        change: (patch) => this.#change(patch),
        preview: (patch) => {
          this.painted = patch;
          this.refresh();
        },
        locked: () => this.locked(),
        notes: {
          pen: () => this.pens.note,
          has: (cell, note) => has(this.newest, cell, note),
          preview: (cells, note, on) => this.board.showNotes(noted(this.newest, cells, note, on)),
          make: (cells, note, on) => this.#note(noted(this.newest, cells, note, on)),
          clear: (cells) => this.#note(cleared(this.newest, cells)),
        },
      });
      show(this.field, this.board.element);
      this.zoom.show(page.size);
      this.notes = null;
    }
    loaded.notes ??= this.notes ?? recallNotes(page);
    if (this.notes !== loaded.notes) {
      this.notes = loaded.notes;
      keepNotes(page, this.notes);
      this.board.showNotes(this.notes);
    }
    this.pens.wipe.hidden = isEmpty(this.notes);
    if (how.noted) return;
    this.playing();
    this.hintPanel.forget();
    this.allSteps.follow(page.marks);
    this.practice.follow(page.marks);
    this.refresh();
    if (page.solved && how.marked) this.session.solved();
  }

  #change(patch) {
    this.hintPanel.forget();
    this.marks.change(patch);
    if (patch.size === 1) this.spoken.textContent = this.board.labelOf([...patch.keys()][0]);
  }

  // The notes as the player sees them; some may not be on the bench yet.
  get newest() {
    return this.coming ?? this.notes;
  }

  // Notes are steps on the bench like marks, so that undo takes them back in turn.
  #note(notes) {
    this.board.showNotes(notes);
    if (JSON.stringify(notes) === JSON.stringify(this.newest)) return this.noting;
    this.coming = notes;
    this.noting = (this.noting ?? Promise.resolve()).then(async () => {
      await this.marks.running;
      this.marks.interrupt();
      await this.bench.set({ ...this.bench.loaded, notes }, { noted: true });
      if (this.coming === notes) this.coming = null;
      else this.board.showNotes(this.newest);
      this.spoken.textContent = this.board.labelOf(this.board.focused);
    });
    return this.noting;
  }

  takeOver(marks, { always = false } = {}) {
    const now = this.marks.shown;
    const patch = new Map([...marks].map((mark, cell) => [cell, mark]).filter(([cell, mark]) => mark !== now[cell]));
    if (patch.size || always) this.marks.change(patch);
  }

  point(hint) {
    this.hint = hint;
    this.refresh();
    this.zoom.reveal(this.board.pointedSquares());
  }

  look(marks, hint) {
    this.viewed = marks;
    this.point(hint);
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
    bench.stage.classList.toggle("pointing", Boolean(this.viewed || this.solutions || Object.values(this.hint).some((each) => each?.length)));
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

  // A solution is shown when it is asked for, and only on the position that the answer is about.
  answered(answer, about) {
    const found = solutionsIn(answer.certificate, about.page.size);
    if (!found.length) return [];
    const showIt = () => {
      if (this.bench.loaded.text !== about.text) return notice("The board has changed since this answer. Ask again.");
      this.session.revealed();
      this.showSolutions(found);
    };
    return [button(found.length === 1 ? "Show it on the board" : "Show both", showIt)];
  }

  // Light what a step of a proof uses, on the marks it has come to; null goes back to the player's own.
  showStep(step) {
    if (!step) return this.look(null, {});
    const { position, ...pointed } = step.marks;
    this.walk.end();
    if (this.solutions) this.showSolutions(null);
    this.session.revealed();
    this.look(position, pointed);
  }

  // Show the stars of one solution on the board, or two boards; null hides them.
  showSolutions(solutions) {
    this.walk.end();
    if (solutions) this.bench.closeProof?.();
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
    await this.noting;
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
    this.leaveNarrow();
    this.zoom.leave();
  }
}
