// A step of a proof on the board: the position it is about, the swap it makes, and what it speaks of.

import { afterSwaps } from "./cells.js";

const MARKS = { cells: "claimed", uses: "used", places: "place" };

export class ProofView {
  constructor(view) {
    this.view = view;
    this.shown = null; // {about, swaps} that the board shows
  }

  get isOpen() {
    return this.shown !== null;
  }

  // Swaps of earlier steps have been made, unless the step says by which path its board is reached.
  show({ marks }, { before, about }) {
    const { view, shown } = this;
    const swaps = marks.path ?? before.flatMap((step) => (step.marks.swap ? [step.marks.swap] : []));
    const isNext = shown?.about === about && !marks.path && swaps.length === shown.swaps.length + 1;
    this.#unmark();
    if (isNext) view.exchange(swaps.at(-1), -1);
    else view.draw(afterSwaps(about.page, swaps));
    view.celebrate(false);
    this.shown = { about, swaps };
    for (const [name, kind] of Object.entries(MARKS)) view.mark(kind, marks[name]);
    if (marks.swap) view.arrow(marks.swap);
  }

  // Forget the step; the board is drawn anew by whoever has it.
  close() {
    this.#unmark();
    this.shown = null;
  }

  #unmark() {
    for (const kind of [...Object.values(MARKS), "hinted", "culprit", "followed"]) this.view.mark(kind);
    this.view.arrow(null);
  }
}
