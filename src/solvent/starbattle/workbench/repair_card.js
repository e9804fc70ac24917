// The fewest cells to move so that a board has exactly one solution: found, applied and told by one click.

import { button, h, show } from "/static/dom.js";

const SECONDS = 6;
const MORE_SECONDS = 40; // where that was not enough

export class RepairCard {
  // `apply(repair)` changes the board; `back()` takes that back.
  constructor(bench, { apply, back }) {
    this.bench = bench;
    this.apply = apply;
    this.back = back;
    this.button = button("Repair", () => this.#repair(), { class: "primary repair", title: "Move as few cells as possible to other regions, so that one solution is left" });
    this.element = h("div", { class: "repaired", "aria-live": "polite" });
  }

  async #repair(seconds = SECONDS) {
    this.forget();
    const about = this.bench.loaded;
    const found = await this.bench.work("explain", "Looking for the fewest cells to change…", { seconds });
    if (!found || this.bench.loaded !== about) return;
    const { repair } = found.data;
    if (!repair) {
      const lines = found.sections.find(({ heading }) => heading === "Repair")?.lines ?? ["No repair was found."];
      const longer = seconds < MORE_SECONDS ? h("div", { class: "row" }, button("Look longer", () => this.#repair(MORE_SECONDS))) : null;
      show(this.element, lines.map((line) => h("p", {}, line)), longer);
      return;
    }
    await this.apply(repair);
    show(
      this.element,
      h("p", {}, h("strong", {}, describe(repair.cells))),
      repair.notes.map((line) => h("p", { class: "quiet" }, line)),
      h("div", { class: "row" }, button("Take it back", () => this.back()), repair.fewest || seconds >= MORE_SECONDS ? null : button("Look for fewer", () => this.#lookForFewer())),
    );
  }

  async #lookForFewer() {
    await this.back();
    await this.#repair(MORE_SECONDS);
  }

  forget() {
    show(this.element);
  }
}

// Regions may have other letters now, so cells are named alone; the board shows where they went.
function describe(cells) {
  const names = cells.map(([row, col]) => `r${row + 1}c${col + 1}`);
  return names.length === 1 ? `Moved 1 cell to another region: ${names[0]}.` : `Moved ${names.length} cells to other regions: ${names.join(", ")}.`;
}
