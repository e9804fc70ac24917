// Harmony on the bench: a board to play on, whether it is still solvable, hints, solutions and new boards.

import { post } from "/static/api.js";
import { button, h, notice } from "/static/dom.js";
import { generateForm } from "/static/generate_form.js";
import { linkTo } from "/static/share.js";
import { BoardView } from "./board.js";
import { counted, swapName } from "./cells.js";
import { Hinting } from "./hint_panel.js";
import { legend } from "./legend.js";
import { Picking } from "./input.js";
import { Playback } from "./solution_player.js";
import { LiveVerdict } from "./live_verdict.js";

const STYLE = "/domains/harmony/harmony.css";
const A_FEW = 6;

export default async function mount(bench) {
  await wear(STYLE);
  return new Harmony(bench);
}

// Load a stylesheet once; the board is drawn when it is there.
function wear(address) {
  if (document.querySelector(`link[href="${address}"]`)) return null;
  return new Promise((done) => {
    document.head.append(h("link", { rel: "stylesheet", href: address, onload: done, onerror: done }));
  });
}

class Harmony {
  constructor(bench) {
    this.bench = bench;
    this.turn = Promise.resolve(); // what a player does is done one after the other, each on the outcome of the last
    this.origins = new WeakMap(); // position -> the one that this game began with
    this.steps = new WeakMap(); // position -> {from, swap} that led to it
    this.about = new WeakMap(); // card of an answer -> the text it is about
    this.cards = new WeakMap(); // answer -> its card
    this.shown = null;
    this.view = new BoardView(bench.stage);
    this.picking = new Picking(this.view, { swap: (pair) => this.swap(pair), mayPick: () => this.#mayPick() });
    this.verdict = new LiveVerdict(bench, {
      marked: (cells) => this.#accuse(cells),
      wayBack: () => this.#wayBack(),
      tellAll: (answer) => this.#tellAll(answer),
    });
    this.hinting = new Hinting(bench, this.view, {
      swap: (pair) => this.swap(pair),
      wayBack: () => this.#wayBack(),
      verdict: this.verdict,
    });
    this.playback = new Playback(this.view, {
      goOn: (loaded, swaps) => this.inTurn(() => this.#goOn(loaded, swaps)),
      closed: () => this.#drawPosition(),
    });
    this.#tools();
    this.#newBoard();
    bench.panel.append(legend());
  }

  // Another position is on the bench.
  async show(loaded, how = {}) {
    const before = this.shown;
    this.bench.jobs.stop(); // what was asked about another position is not wanted any more
    this.playback.end();
    const swap = this.#swapBetween(before, loaded, how);
    this.shown = loaded;
    if (!this.origins.has(loaded)) this.origins.set(loaded, (before && how.swap && this.origins.get(before)) || loaded);
    this.hinting.clear();
    if (swap) this.view.swapTiles(swap);
    this.#drawPosition(how.swap ? swapName(how.swap, loaded.page.cols) : null);
    this.#markEarlier(before);
    if (loaded.page.solved && how.swap) notice("Solved: every tile is home, and no move is left.");
  }

  // Add to an answer about the position on the bench.
  answered(answer) {
    this.verdict.learn(answer);
    if (answer.verdict !== "YES" || !answer.certificate?.plan?.length) return [];
    const { loaded } = this.bench;
    const play = button("▶ Play the solution", () => this.#playBack(loaded, answer.certificate.plan), { class: "primary" });
    return [h("div", { class: "row" }, play)];
  }

  key(event) {
    if (event.key.toLowerCase() === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) this.hinting.ask();
  }

  // The bench waits for this before it uses the position.
  async settle() {
    await this.turn;
    return null;
  }

  leave() {
    this.verdict.stop();
    this.playback.leave();
    this.view.leave();
  }

  inTurn(work) {
    this.turn = this.turn.then(work).catch((error) => this.bench.complain(error));
    return this.turn;
  }

  // Ask the rules for a swap; what they refuse they explain.
  swap(pair) {
    return this.inTurn(async () => {
      const action = { swaps: [swapName(pair, this.view.cols)] };
      if (!(await this.bench.play(action, { swap: pair }))) this.view.shake(pair);
    });
  }

  // Mark what a NO points at: the few tiles at fault, or quietly the many that a proof follows.
  #accuse(cells) {
    const shown = this.playback.isOpen ? [] : cells;
    this.view.mark("culprit", shown.length <= A_FEW ? shown : []);
    this.view.mark("followed", shown.length > A_FEW ? shown : []);
  }

  #mayPick() {
    if (this.playback.isOpen) notice("This is a solution being shown. Continue from here, or close it, to play.");
    return !this.playback.isOpen;
  }

  #drawPosition(swap = null) {
    const { loaded } = this.bench;
    const { page } = loaded;
    this.view.draw(page);
    this.view.celebrate(page.solved);
    this.picking.setPage(page);
    this.verdict.show(loaded, swap);
    const made = this.origins.get(loaded).page.swaps - page.swaps;
    this.count.textContent = page.solved ? `Solved${made ? ` in ${counted(made, "swap")}` : ""} ✓` : `${counted(made, "swap")} made · ${page.swaps.toLocaleString("en")} left`;
    this.count.classList.toggle("done", page.solved);
    this.undo.disabled = !this.bench.canUndo;
    this.redo.disabled = !this.bench.canRedo;
    this.reset.disabled = made === 0;
    this.hint.disabled = page.solved;
  }

  // Which two tiles changed places between two positions, also if the step was taken back; null if it was no such step.
  #swapBetween(before, loaded, how) {
    if (before && how.swap) this.steps.set(loaded, { from: before, swap: how.swap });
    if (this.steps.get(loaded)?.from === before && before) return this.steps.get(loaded).swap;
    if (before && this.steps.get(before)?.from === loaded) return this.steps.get(before).swap;
    return null;
  }

  #tools() {
    this.undo = button("↶ Undo", () => this.bench.undo(), { title: "Ctrl+Z" });
    this.redo = button("↷ Redo", () => this.bench.redo(), { title: "Ctrl+Y" });
    this.reset = button("Reset", () => this.inTurn(() => this.bench.set(this.origins.get(this.bench.loaded))));
    this.hint = button("Hint", () => this.hinting.ask(), { title: "H" });
    this.count = h("span", { class: "swap-count", role: "status" });
    const zoom = h("span", { class: "join zoom", hidden: true }, button("−", () => this.#zoom(1 / 1.3), { "aria-label": "Smaller" }), button("+", () => this.#zoom(1.3), { "aria-label": "Larger" }));
    this.view.fits = (fits) => (zoom.hidden = fits);
    this.bench.tools.append(this.undo, this.redo, this.reset, this.hint, zoom, this.count, this.verdict.element, this.hinting.element, this.playback.element);
  }

  #zoom(factor) {
    this.view.zoom = Math.max(0.15, Math.min(4, this.view.zoom * factor));
    this.view.fit();
  }

  async #newBoard() {
    const form = await generateForm(this.bench.domain, {
      made: async (loaded) => {
        location.hash = await linkTo(this.bench.domain.name, loaded.text, "");
      },
    });
    const leave = this.leave.bind(this);
    this.leave = () => (form.leave(), leave());
    this.bench.panel.prepend(h("details", { class: "card new-board" }, h("summary", {}, h("strong", {}, "Make a new board")), form.element));
  }

  // A button back to the latest position of this game that is known to be solvable, if there is one.
  #wayBack() {
    const { past } = this.bench;
    for (let count = 1; count <= past.length; count++) {
      if (!this.verdict.isKnownSolvable(past[past.length - count].text)) continue;
      const label = count === 1 ? "Undo the last swap" : `Undo ${counted(count, "step")}`;
      return button(`${label}: solvable there`, () => this.#undoSteps(count), { class: "way-back" });
    }
    return null;
  }

  async #undoSteps(count) {
    for (let step = 0; step < count; step++) await this.bench.undo();
  }

  #playBack(loaded, plan) {
    this.hinting.clear();
    this.picking.pick(null);
    this.view.celebrate(false);
    this.playback.open(loaded, plan);
    this.#accuse([]);
  }

  async #goOn(loaded, swaps) {
    const most = loaded.page.most_swaps;
    let reached = loaded;
    for (let from = 0; from < swaps.length; from += most) {
      reached = await post("play", { ...this.bench.instance, text: reached.text, action: { swaps: swaps.slice(from, from + most) } });
    }
    this.origins.set(reached, this.origins.get(loaded));
    if (reached === this.bench.loaded) this.playback.close();
    else await this.bench.set(reached);
  }

  #tellAll(answer) {
    if (!this.cards.get(answer)?.isConnected) {
      this.bench.showAnswer(answer);
      this.cards.set(answer, this.bench.answers.firstElementChild);
    }
    this.cards.get(answer).scrollIntoView({ block: "nearest" });
  }

  // Cards of answers stay, but say so when they are about another position than the one on the board.
  #markEarlier(before) {
    for (const card of this.bench.answers.children) {
      if (!this.about.has(card)) this.about.set(card, before?.text);
      card.classList.toggle("earlier", this.about.get(card) !== this.bench.loaded.text);
    }
  }
}
