// The next swap with an arrow, and the way back when there is none.

import { hintCard } from "/static/answer_card.js";
import { button, h, show } from "/static/dom.js";
import { count } from "/static/format.js";
import { bringIntoSight } from "/static/sight.js";
import { swapNamed } from "./cells.js";

const SECONDS = 20;
const FEW_SECONDS = 2; // where a plan is known already, and only its first step may have a better explanation

export class HintPanel {
  // `swap(pair, about)` does what a hint about a position says; `wayBack()` returns what a lost player may want to do; `verdict` knows what is
  // known of the position, and learns from hints.
  constructor(bench, view, { swap, wayBack, verdict, used }) {
    this.bench = bench;
    this.view = view;
    this.swap = swap;
    this.wayBack = wayBack;
    this.verdict = verdict;
    this.used = used; // called when a hint is shown
    this.element = h("div", { class: "hint-place", "aria-live": "polite" });
  }

  async ask() {
    await this.bench.ready();
    const asked = this.bench.loaded;
    this.clear();
    const plan = this.verdict.answer?.certificate?.plan;
    const seconds = plan?.length ? FEW_SECONDS : SECONDS;
    const found = await this.bench.work("hints", "Looking for the next swap…", { seconds, count: 1 });
    const hint = found?.hints[0];
    if (!hint || this.bench.loaded !== asked) return;
    if (hint.certificate) this.verdict.learn(asAnswer(hint, found));
    this.#show(hint.move || hint.lost || !plan?.length ? hint : nextOf(plan), asked);
  }

  clear() {
    show(this.element);
    this.view.arrow(null);
    this.view.mark("hinted");
  }

  #show(hint, about) {
    const pair = hint.move && swapNamed(hint.move, this.view.cols);
    if (pair) {
      this.view.arrow(pair);
      this.used();
    }
    const swap = pair ? button("Swap them", () => this.swap(pair, about), { class: "primary" }) : null;
    show(this.element, hintCard(hint, swap, hint.lost ? this.wayBack() : null, button("Close", () => this.clear())));
    bringIntoSight(this.element); // on a phone it stands below the board
  }
}

// A hint's certificate has been checked like any other, and it answers the question.
function asAnswer({ certificate, data, caption }, { command, python }) {
  const { domain, question, verdict } = certificate;
  const reason = data.because ?? null;
  return { domain, question, verdict, certificate, reason, command, python, certified: true, stats: {}, seconds: 0, description: [], line: caption };
}

// The first step of a plan that is known, as a hint.
function nextOf(plan) {
  const left = plan.length - 1;
  return { caption: `Swap ${plan[0]}.`, move: plan[0], narrative: left ? `After it ${count(left, "swap")} of a checked solution are left.` : "", lost: false };
}
