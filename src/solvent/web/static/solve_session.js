// One person solving one puzzle: the time, the hints used, and what happens when it is solved. A domain's page makes one,
// puts its `element` near the board, and says what happens: `usedHint()`, `revealed()`, `restart()`, `solved({moves})`.

import { celebrate } from "./celebrate.js";
import { button, copy, h, show } from "./dom.js";
import { count } from "./format.js";
import { hasNext, nextPuzzle } from "./next_puzzle.js";
import { puzzleKey } from "./puzzle_names.js";
import { linkTo } from "./share.js";
import { noteSolved } from "./solved_store.js";
import { keep, recall } from "./storage.js";
import { clock, Timer } from "./timer.js";

const STATE = "solvent.session."; // and the puzzle's key: how far it is, until the browser's tab is closed
const FRESH = { seconds: 0, hints: 0, revealed: false, done: false };

export class SolveSession {
  // `step` is what a move is called, such as "swap"; `done` and `next` are what the player reads at the end. `goesOn(text)`
  // hears how the puzzle began, if the page was opened in the middle of it.
  constructor(bench, { step = "move", done = "Solved", next = "Next puzzle", goesOn = () => {} } = {}) {
    this.bench = bench;
    this.step = step;
    this.words = { done, next };
    this.goesOn = goesOn;
    this.start = bench.loaded.text; // how the puzzle began, as far as this page knows
    this.state = { ...FRESH };
    this.timer = new Timer({ runs: () => bench.mode !== "edit" });
    this.hints = h("span", { class: "quiet" });
    this.card = h("div", { class: "solved-place", "aria-live": "polite" });
    this.element = h("div", { class: "solve-session" }, h("div", { class: "row" }, this.timer.element, this.hints), this.card);
    this.saving = () => this.#save();
    window.addEventListener("pagehide", this.saving);
    bench.onLeave(() => this.#leave());
    bench.onEdited = () => this.#edited();
    this.known = null; // the key, once it is known
    this.key = this.#identify();
  }

  usedHint() {
    if (this.state.done) return;
    this.state.hints++;
    this.#save();
  }

  // The solution was shown: from now on, solving it is no feat. Starting over does not change that.
  revealed() {
    if (this.state.done) return;
    this.state.revealed = true;
    this.#save();
  }

  // The puzzle is begun again from its first position.
  restart() {
    this.state = { ...FRESH, revealed: this.state.revealed };
    this.timer.restart();
    show(this.card);
    this.#save();
  }

  // The player has solved it, by a step of their own. It counts once, until it is begun again.
  async solved({ moves = null } = {}) {
    if (this.state.done) return;
    this.state.done = true;
    this.timer.stop();
    const { seconds } = this.timer;
    this.#save();
    const key = await this.key;
    const record = this.state.revealed ? null : noteSolved(key, { seconds, hints: this.state.hints });
    celebrate(this.bench.stage);
    this.#congratulate({ seconds, moves, record, key });
  }

  #congratulate({ seconds, moves, record, key }) {
    const { hints } = this.state;
    const facts = [moves === null ? null : count(moves, this.step), hints ? `${count(hints, "hint")} used` : "no hints"].filter(Boolean);
    const best = record && (record.before === null ? null : seconds < record.before ? `Your best time; it was ${clock(record.before)}.` : `Your best time is ${clock(record.best)}.`);
    show(
      this.card,
      h(
        "article",
        { class: "card solved-card" },
        h("div", { class: "row" }, h("strong", {}, `✓ ${this.words.done} in ${clock(seconds)}`), h("span", { class: "quiet" }, facts.join(" · ")), button("✕", () => show(this.card), { class: "plain", "aria-label": "Close" })),
        best ? h("p", {}, best) : null,
        record ? null : h("p", {}, "The solution was shown, so this one does not count as solved."),
        h(
          "div",
          { class: "row" },
          hasNext(this.bench.domain) ? button(this.words.next, () => this.#next(key), { class: "primary" }) : null,
          record ? button("Share result", () => this.#share({ seconds, facts })) : null,
          button("Gallery", () => (location.hash = "#/")),
        ),
      ),
    );
    this.card.scrollIntoView({ block: "nearest" });
  }

  #next(key) {
    const { bench } = this;
    return bench.attempt(async () => {
      const address = await nextPuzzle(bench, key, (label, work) => bench.jobs.run(label, work));
      if (address) location.hash = address;
    });
  }

  async #share({ seconds, facts }) {
    const { bench } = this;
    const link = `${location.origin}/${await linkTo(bench.domain.name, this.start, bench.link)}`;
    const text = `${bench.heading}: ${this.words.done.toLowerCase()} in ${clock(seconds)}, ${facts.join(", ")}`;
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ text, url: link }).catch(() => {});
    else await copy(`${text}\n${link}`, "The result is copied, with a link to the puzzle.");
  }

  // What is drawn is another puzzle than the one that was opened, whatever its name was.
  #edited() {
    const { bench } = this;
    if (bench.name && !bench.name.startsWith("my-") && (bench.name.endsWith(".txt") || !bench.name.includes("."))) bench.name = `my-${bench.name}`;
    this.start = bench.loaded.text;
    this.state = { ...FRESH };
    this.timer.restart();
    show(this.card);
    this.known = null;
    this.key = puzzleKey(bench, this.start).then((key) => (this.known = key));
    this.#showHints();
  }

  async #identify() {
    const key = await puzzleKey(this.bench, this.start);
    const kept = recall(`${STATE}${key}`, null, "sessionStorage");
    this.known = key;
    if (kept) this.#goOn(kept);
    this.#showHints();
    return key;
  }

  // A page that was loaded again goes on; who comes back to the beginning begins anew.
  #goOn({ start, ...state }) {
    this.state.revealed ||= state.revealed;
    if (start === this.start) return;
    this.start = start;
    this.state = { ...state, hints: state.hints + this.state.hints, revealed: this.state.revealed };
    this.timer.restart(state.seconds + this.timer.seconds);
    if (state.done) this.timer.stop();
    this.goesOn(start);
  }

  #save() {
    this.#showHints();
    if (this.known) keep(`${STATE}${this.known}`, { ...this.state, seconds: this.timer.seconds, start: this.start }, "sessionStorage");
  }

  #showHints() {
    const { hints, revealed } = this.state;
    this.hints.textContent = [hints ? `${count(hints, "hint")} used` : "", revealed ? "solution shown" : ""].filter(Boolean).join(" · ");
  }

  #leave() {
    this.#save();
    this.timer.leave();
    window.removeEventListener("pagehide", this.saving);
  }
}
