// A solution swap by swap, with the plan as a list; a player may go on from any step of it.

import { button, h, show } from "/static/dom.js";
import { count } from "/static/format.js";
import { Player } from "/static/player.js";
import { afterSwaps, swapNamed } from "./cells.js";

const SLOWEST = 800; // milliseconds for a swap
const FASTEST = 140;
const MAX_SECONDS = 40; // for a whole plan, if that can be followed at all
const MAX_LISTED = 240; // steps in sight; of a longer plan those around the current one

export class SolutionPlayer {
  // `goOn(loaded, swaps)` puts the position after these swaps on the bench; `closed()` is called when the board is free
  // for the position in play.
  constructor(bench, view, { goOn, closed }) {
    this.bench = bench;
    this.view = view;
    this.goOn = goOn;
    this.closed = closed;
    this.player = null; // while it is open
    this.element = h("div", { class: "solution" });
  }

  get isOpen() {
    return this.player !== null;
  }

  // Show a plan, a list of swaps by name, from a position.
  open(loaded, plan) {
    this.end();
    this.page = loaded.page;
    this.plan = plan;
    this.swaps = plan.map((name) => swapNamed(name, loaded.page.cols));
    this.listedFrom = null;
    this.list = h("ol", { class: "plan" });
    this.view.draw(loaded.page);
    this.bench.player = this.player = new Player({
      label: "Step of the solution",
      title: "Solution",
      last: plan.length,
      pace: Math.max(FASTEST, Math.min(SLOWEST, (MAX_SECONDS * 1000) / plan.length)),
      show: (at, before) => this.#show(at, before),
      text: (at) => `${at} of ${count(plan.length, "swap")}`,
      close: () => this.close(),
      below: [this.list, button("Continue from here", () => this.goOn(loaded, plan.slice(0, this.player.at)))],
    });
    show(this.element, this.player.element);
    this.player.goTo(0);
    this.view.place.scrollIntoView({ block: "nearest" }); // the button that was pressed may be far below the board
  }

  close() {
    this.end();
    this.closed();
  }

  // The same without giving the board back: another position is about to be drawn.
  end() {
    if (!this.isOpen) return;
    this.player.pause();
    this.player = null;
    this.#unmark();
    show(this.element);
  }

  #show(at, before) {
    if (Math.abs(at - before) === 1) this.view.exchange(this.swaps[Math.min(at, before)], at > before ? -1 : 1);
    else if (at !== before) this.view.draw(afterSwaps(this.page, this.swaps.slice(0, at))); // the checker has accepted the plan
    this.#listAround(at);
    this.#unmark();
    if (at > 0) this.view.mark("moved", this.swaps[at - 1]);
    if (!this.player.isPlaying && at < this.plan.length) this.view.arrow(this.swaps[at]);
  }

  // The swap that was made last is the current step of the list.
  #listAround(step) {
    const start = Math.max(0, Math.min(step - MAX_LISTED / 2, this.plan.length - MAX_LISTED));
    if (this.listedFrom !== start) {
      const numbered = this.plan.map((name, index) => [index + 1, name]).slice(start, start + MAX_LISTED);
      show(this.list, numbered.map(([number, name]) => h("li", { value: number }, button(`${number}. ${name}`, () => this.player.goTo(number)))));
      this.listedFrom = start;
    }
    this.list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = step === 0 ? null : this.list.children[step - 1 - start];
    current?.setAttribute("aria-current", "step");
    // Only the list itself scrolls: the board above it must stay in sight.
    this.list.scrollTop = current ? current.offsetTop - this.list.offsetTop - this.list.clientHeight / 2 : 0;
  }

  #unmark() {
    this.view.arrow(null);
    this.view.mark("moved");
    this.view.mark("hinted");
  }
}
