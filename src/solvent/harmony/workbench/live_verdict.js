// "Is this still solvable?", asked in the background after each move and shown for the position on the board alone.
//
// Answers are kept by the text of their position. What is shown is always looked up for the position that is on the
// board now, so an answer that comes late can never be shown for another one.

import { verdictBadge } from "/static/badges.js";
import { work } from "/static/api.js";
import { button, h, rememberedBox, show } from "/static/dom.js";
import { readProof } from "./refutation.js";

const SECONDS = 5; // of looking on the side; to know for sure, ask
const PAUSE = 140; // milliseconds after a move before asking, so that quick players do not ask in vain
const MAX_KEPT = 400;

export class LiveVerdict {
  // `marked(cells)` marks the cells a NO points at; `wayBack()` returns what a lost player may want to do; `showAll`
  // shows an answer in full.
  constructor(bench, { marked, wayBack, showAll }) {
    this.bench = bench;
    this.marked = marked;
    this.wayBack = wayBack;
    this.showAll = showAll;
    this.known = new Map(); // text of a position -> its answer
    this.text = null; // the position that is shown
    this.asking = null; // an AbortController while a question is under way
    this.failed = null; // why the last question had no answer
    this.badge = h("span", { role: "status" });
    this.reason = h("div", { class: "reason", "aria-live": "polite" });
    this.toggle = rememberedBox("harmony.live", true, (isLive) => this.setLive(isLive));
    this.element = h(
      "div",
      { class: "card live-verdict", role: "group", "aria-label": "Is this still solvable?" },
      h("div", { class: "first" }, h("span", { class: "asks" }, "Still solvable?"), this.badge, h("label", { class: "switch" }, this.toggle, "live")),
      this.reason,
    );
  }

  // Another position is on the board; `swap` led to it from the last one, if it is known.
  show(loaded, swap = null) {
    this.stop();
    const rest = swap && planAfter(this.answer, swap);
    this.text = loaded.text;
    this.page = loaded.page;
    this.failed = null;
    if (this.toggle.checked && !this.answer) this.ask({ after: PAUSE, rest });
    this.draw();
  }

  get answer() {
    return this.known.get(this.text) ?? null;
  }

  isKnownSolvable(text) {
    return this.known.get(text)?.verdict === "YES";
  }

  // Keep an answer about a position, from wherever it comes.
  learn(answer, text) {
    if (answer.question !== "solvable") return;
    const before = this.known.get(text);
    if (answer.verdict === "UNKNOWN" && before && before.verdict !== "UNKNOWN") return;
    if (text === this.text) this.stop();
    this.#keep(text, answer);
    this.draw();
  }

  setLive(live) {
    if (live && !this.answer) this.ask();
    else if (!live) this.stop();
    this.draw();
  }

  // Ask after some milliseconds. `rest` is an answer that may hold here, if the checker agrees.
  async ask({ after = 0, rest = null } = {}) {
    this.stop();
    const { text } = this;
    const asking = (this.asking = new AbortController());
    const { signal } = asking;
    try {
      if (after) await new Promise((resolve) => setTimeout(resolve, after));
      if (signal.aborted) return;
      const instance = { ...this.bench.instance, text };
      const checked = rest && (await work("check", { ...instance, certificate: rest.certificate }, { signal }));
      const answer = checked?.accepted ? rest : await work("ask", { ...instance, question: "solvable", seconds: SECONDS }, { signal });
      this.#keep(text, answer);
    } catch (error) {
      if (error.name !== "AbortError" && this.asking === asking) this.failed = error.message;
    }
    if (this.asking !== asking) return;
    this.asking = null;
    this.draw();
  }

  stop() {
    this.asking?.abort();
    this.asking = null;
  }

  draw() {
    const { answer } = this;
    this.element.dataset.state = answer ? answer.verdict : this.asking ? "looking" : this.failed ? "failed" : "off";
    if (answer) this.#drawAnswer(answer);
    else {
      this.marked([]);
      show(this.badge, this.asking ? h("span", { class: "verdict looking" }, h("span", { class: "dots", "aria-hidden": "true" }), " looking") : null);
      show(this.reason, this.#whileNotKnown());
    }
  }

  #whileNotKnown() {
    if (this.asking) return [];
    if (this.failed) return [h("p", { class: "quiet" }, this.failed), button("Look again", () => this.#askNow())];
    return [button("Look now", () => this.#askNow())];
  }

  #askNow() {
    this.ask();
    this.draw();
  }

  #drawAnswer(answer) {
    show(this.badge, verdictBadge(answer.verdict));
    const full = button("Full answer", () => this.showAll(answer), { class: "link" });
    if (answer.verdict === "NO") {
      const proof = readProof(answer, this.page);
      this.marked(proof.cells);
      show(this.reason, h("p", { class: "because" }, h("strong", {}, `${proof.test}: `), proof.text), h("div", { class: "row" }, this.wayBack(), full));
      return;
    }
    this.marked([]);
    if (this.page.solved) show(this.reason, h("p", {}, "It is solved."));
    else if (answer.verdict === "YES") show(this.reason, h("p", {}, "Every tile can still get home. ", full));
    else
      show(
        this.reason,
        h("p", {}, `Not known: ${answer.reason ?? "nothing was found in time"}. `, full),
        h("div", { class: "row" }, button("Look longer", () => this.bench.ask("solvable"))),
      );
  }

  #keep(text, answer) {
    this.known.set(text, answer);
    if (this.known.size > MAX_KEPT) this.known.delete(this.known.keys().next().value);
  }
}

// A player who follows a plan is still on it: return the answer for the position after a swap that the plan has and that
// no earlier one of its swaps touches the tiles of; null if there is none. Whether it holds is for the checker to say.
function planAfter(answer, swap) {
  const plan = answer?.certificate?.plan;
  const at = plan?.findIndex((name) => name.split("-").some((cell) => swap.split("-").includes(cell))) ?? -1;
  if (at < 0 || plan[at] !== swap) return null;
  return { ...answer, certificate: { ...answer.certificate, plan: plan.toSpliced(at, 1) }, stats: {}, seconds: 0 };
}
