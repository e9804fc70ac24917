// What was kept when a part was filled anew. To the task these are pins like others; here they have no flags, and can be
// let go all at once. Which they are is known for each text, so that undo brings it back.

import { button, h, show } from "/static/dom.js";
import { figure } from "/static/format.js";

const MAX_REMEMBERED = 200;

export class KeptNodes {
  // `release(nodes)` takes their pins away.
  constructor(board, release) {
    Object.assign(this, { board, release });
    this.byText = new Map();
    this.element = h("p", { class: "kept row", hidden: true, role: "status" });
  }

  // Another position is shown: `how` says how it came about.
  follow(loaded, { action = {} }) {
    this.board.kept = this.byText.get(loaded.text) ?? this.#after(loaded.page.picks, action);
    this.byText.set(loaded.text, this.board.kept);
    if (this.byText.size > MAX_REMEMBERED) this.byText.delete(this.byText.keys().next().value);
    const nodes = [...this.board.kept];
    this.element.hidden = !nodes.length;
    show(this.element, h("span", {}, `${figure(nodes.length)} cells are kept as they are.`), button("Let them go", () => this.release(nodes), { title: "Fill everything anew, around your pins" }));
  }

  #after(picks, { refill, pin, make }) {
    if (make) return new Set(); // other cells
    const own = new Set((this.board.page?.picks ?? []).map(({ node }) => node).filter((node) => !this.board.kept.has(node)));
    for (const node of pin?.nodes ?? []) own.add(node);
    const mayBe = refill ? () => true : (node) => this.board.kept.has(node);
    return new Set(picks.map(({ node }) => node).filter((node) => mayBe(node) && !own.has(node)));
  }
}
