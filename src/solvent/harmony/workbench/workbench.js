// Harmony on the bench: a board to play on, whether it is still solvable, hints, solutions and new boards.

import { post } from "/static/api.js";
import { button, definitions, h, notice, stylesheet } from "/static/dom.js";
import { count } from "/static/format.js";
import { generateCard } from "/static/generate_form.js";
import { SolveSession } from "/static/solve_session.js";
import { BoardView } from "./board.js";
import { swapName } from "./cells.js";
import { HintPanel } from "./hint_panel.js";
import { TileInput } from "./input.js";
import { LiveVerdict } from "./live_verdict.js";
import { ProofView } from "./proof_view.js";
import { SolutionPlayer } from "./solution_player.js";

const A_FEW = 6;
const HOW_TO_PLAY = {
  Goal: "Every tile in its colour's row, with no move left. The tab at the left shows the row's colour; the column does not matter.",
  Swap: "Any two tiles in one row or column change places, near or far. It costs both a move.",
  Dots: "Moves a tile has left. Each has to be used.",
  House: "The tile is in its own row. With a tick it is done; a padlock on a dashed tile means it is locked in the wrong row.",
  Play: "Pick two tiles, or drag one onto the other. Keys: arrows, Space or Enter to pick, Escape to let go, Ctrl+Z to undo, H for a hint.",
};

export default async function mount(bench) {
  await stylesheet("/domains/harmony/harmony.css"); // the board measures its place
  return new Harmony(bench);
}

class Harmony {
  constructor(bench) {
    this.bench = bench;
    this.turn = Promise.resolve(); // actions are done one after the other, each on the outcome of the last
    this.origins = new WeakMap(); // position -> the one that this game began with
    this.first = null; // the position that the page was opened with
    this.begun = null; // how its game began, if the page was opened in the middle of it
    this.steps = new WeakMap(); // position -> {from, swap} that led to it
    this.cards = new WeakMap(); // answer -> its card
    this.shown = null;
    this.view = new BoardView(bench.stage);
    this.input = new TileInput(this.view, { swap: (pair) => this.swap(pair), mayPick: () => this.#mayPick() });
    this.verdict = new LiveVerdict(bench, {
      marked: (cells) => this.#accuse(cells),
      wayBack: () => this.#wayBack(),
      showAll: (answer) => this.#showAll(answer),
    });
    this.hintPanel = new HintPanel(bench, this.view, {
      swap: (pair, about) => this.swap(pair, about),
      wayBack: () => this.#wayBack(),
      verdict: this.verdict,
      used: () => this.session.usedHint(),
    });
    this.solution = new SolutionPlayer(bench, this.view, {
      goOn: (loaded, swaps) => this.inTurn(() => this.#goOn(loaded, swaps)),
      closed: () => this.#drawPosition(),
    });
    this.proof = new ProofView(this.view);
    this.session = new SolveSession(bench, { step: "swap", goesOn: (text) => bench.attempt(() => this.#goesOn(text)) });
    this.#tools();
    // At the top beside the board: in sight with it, however many rows there are.
    bench.panel.prepend(this.verdict.element, generateCard(bench, { title: "Make a new board" }));
    bench.panel.append(h("details", { class: "card how-to-play" }, h("summary", {}, h("strong", {}, "How to play")), definitions(HOW_TO_PLAY)));
  }

  // Another position is on the bench.
  async show(loaded, how = {}) {
    const before = this.shown;
    this.bench.jobs.stop(); // what was asked about another position is not wanted any more
    this.solution.end();
    const swap = this.#swapBetween(before, loaded, how);
    this.shown = loaded;
    this.first ??= loaded;
    if (!this.origins.has(loaded)) this.origins.set(loaded, (before && how.swap && this.origins.get(before)) || loaded);
    this.hintPanel.clear();
    if (swap) this.view.swapTiles(swap);
    this.#drawPosition(how.swap ? swapName(how.swap, loaded.page.cols) : null);
    if (loaded.page.solved && how.swap) this.session.solved({ moves: this.#made(loaded) });
  }

  // Add to an answer about a position, which need not be on the board any more.
  answered(answer, about) {
    this.verdict.learn(answer, about.text);
    if (answer.verdict !== "YES" || !answer.certificate?.plan?.length) return [];
    const play = button("Show the solution", () => this.#playBack(about, answer.certificate.plan), { class: "primary" });
    return [h("div", { class: "row" }, play)];
  }

  // Show a step of a proof; null gives the board back.
  showStep(step, where) {
    if (!step) {
      this.proof.close();
      return this.#drawPosition();
    }
    this.solution.end();
    this.hintPanel.clear();
    this.input.pick(null);
    if (step.marks.swap) this.session.revealed();
    return this.proof.show(step, where);
  }

  key(event) {
    if (event.key.toLowerCase() === "h" && !event.ctrlKey && !event.metaKey && !event.altKey) this.hintPanel.ask();
  }

  // The bench waits for this before it uses the position.
  async ready() {
    await this.turn;
    return null;
  }

  leave() {
    this.verdict.stop();
    this.view.leave();
  }

  inTurn(work) {
    this.turn = this.turn.then(work).catch((error) => this.bench.complain(error));
    return this.turn;
  }

  // Ask the rules for a swap; what they refuse they explain. One that was advised for a position is made there only.
  swap(pair, about = null) {
    return this.inTurn(async () => {
      if (about && about !== this.bench.loaded) return notice("The board has changed since this hint. Ask for a new one.");
      const action = { swaps: [swapName(pair, this.view.cols)] };
      if (!(await this.bench.play(action, { swap: pair }))) this.view.shake(pair);
      return null;
    });
  }

  // Mark what a NO points at: the few tiles at fault, or quietly the many that a proof follows.
  #accuse(cells) {
    const shown = this.solution.isOpen || this.proof.isOpen ? [] : cells;
    this.view.mark("culprit", shown.length <= A_FEW ? shown : []);
    this.view.mark("followed", shown.length > A_FEW ? shown : []);
  }

  #mayPick() {
    if (this.solution.isOpen) notice("This is a solution being shown. Continue from here, or close it, to play.");
    else if (this.proof.isOpen) notice("This is a step of the proof. Close it to play on.");
    return !this.solution.isOpen && !this.proof.isOpen;
  }

  #drawPosition(swap = null) {
    const { loaded } = this.bench;
    const { page } = loaded;
    this.view.draw(page);
    this.view.celebrate(page.solved);
    this.input.setPage(page);
    this.verdict.show(loaded, swap);
    const made = this.#made(loaded);
    this.counter.textContent = page.solved ? `Solved${made ? ` in ${count(made, "swap")}` : ""} ✓` : `${count(made, "swap")} made · ${page.swaps.toLocaleString("en")} left`;
    this.counter.classList.toggle("done", page.solved);
    this.reset.disabled = made === 0;
    this.hint.disabled = page.solved;
  }

  // The page was opened in the middle of a game that began with another position.
  async #goesOn(text) {
    this.begun = await post("load", { text, domain: this.bench.domain.name });
    this.origins.set(this.begun, this.begun);
    if (this.shown) this.#drawPosition();
  }

  #origin(loaded) {
    const origin = this.origins.get(loaded);
    return origin === this.first && this.begun ? this.begun : origin;
  }

  // How many swaps led here from the beginning of this game.
  #made(loaded) {
    return this.#origin(loaded).page.swaps - loaded.page.swaps;
  }

  // Which two tiles changed places between two positions, also if the step was taken back; null if it was no such step.
  #swapBetween(before, loaded, how) {
    if (before && how.swap) this.steps.set(loaded, { from: before, swap: how.swap });
    if (this.steps.get(loaded)?.from === before && before) return this.steps.get(loaded).swap;
    if (before && this.steps.get(before)?.from === loaded) return this.steps.get(before).swap;
    return null;
  }

  #tools() {
    this.reset = button("Start over", () => this.inTurn(() => this.#startOver()));
    this.hint = button("Hint", () => this.hintPanel.ask(), { title: "H" });
    this.counter = h("span", { class: "swap-count", role: "status" });
    const zoom = h("span", { class: "join zoom", hidden: true }, button("−", () => this.#zoom(1 / 1.3), { "aria-label": "Smaller" }), button("+", () => this.#zoom(1.3), { "aria-label": "Larger" }));
    this.view.fits = (fits) => (zoom.hidden = fits);
    const { undoButton, redoButton } = this.bench;
    this.bench.tools.append(undoButton, redoButton, this.reset, this.hint, zoom, this.counter, this.session.element, this.hintPanel.element, this.solution.element);
  }

  async #startOver() {
    await this.bench.set(this.#origin(this.bench.loaded));
    this.session.restart();
  }

  #zoom(factor) {
    this.view.zoom = Math.max(0.15, Math.min(4, this.view.zoom * factor));
    this.view.fit();
  }

  // A button back to the latest position of this game that is known to be solvable, if there is one.
  #wayBack() {
    const { past } = this.bench;
    for (let steps = 1; steps <= past.length; steps++) {
      if (!this.verdict.isKnownSolvable(past[past.length - steps].text)) continue;
      const label = steps === 1 ? "Undo the last swap" : `Undo ${count(steps, "step")}`;
      return button(`${label}: solvable there`, () => this.#undoSteps(steps), { class: "way-back" });
    }
    return null;
  }

  async #undoSteps(steps) {
    for (let step = 0; step < steps; step++) await this.bench.undo();
  }

  async #playBack(loaded, plan) {
    await this.bench.setMode("play");
    if (this.bench.mode !== "play") return null;
    if (this.bench.loaded.text !== loaded.text) return notice("The board has changed since this answer. Ask again.");
    this.bench.closeProof?.();
    this.session.revealed();
    this.hintPanel.clear();
    this.input.pick(null);
    this.view.celebrate(false);
    this.solution.open(this.bench.loaded, plan);
    return this.#accuse([]);
  }

  async #goOn(loaded, swaps) {
    const most = loaded.page.most_swaps;
    let reached = loaded;
    for (let from = 0; from < swaps.length; from += most) {
      reached = await post("play", { ...this.bench.instance, text: reached.text, action: { swaps: swaps.slice(from, from + most) } });
    }
    this.origins.set(reached, this.origins.get(loaded));
    if (reached === this.bench.loaded) this.solution.close();
    else await this.bench.set(reached);
  }

  #showAll(answer) {
    if (!this.cards.get(answer)?.isConnected) {
      this.bench.showAnswer(answer);
      this.cards.set(answer, this.bench.answers.firstElementChild);
    }
    this.cards.get(answer).scrollIntoView({ block: "nearest" });
  }
}
