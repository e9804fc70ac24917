// A fill while it is worked out: what the search has filled so far, and what it has emptied again.

import { nothing } from "./board.js";

export class LiveFill {
  // `patience`: milliseconds before it is shown; what is done sooner need not flicker. `begun()` hears when it is.
  constructor(board, { patience = 0, begun = () => {} } = {}) {
    Object.assign(this, { board, patience, begun });
    this.begin();
  }

  // A search begins, or ended.
  begin() {
    this.modules = null;
    this.looks = 0; // how often it was seen
    this.since = performance.now();
  }

  // Take what changed: numbers of nodes, each followed by the module that stands there now, or -1.
  take({ changes, filled }) {
    this.modules ??= new Array(this.board.page.nodes).fill(-1);
    const nodes = [];
    for (let at = 0; at < changes.length; at += 2) {
      this.modules[changes[at]] = changes[at + 1];
      nodes.push(changes[at]);
    }
    if (performance.now() - this.since < this.patience) return;
    if (!this.looks++) {
      this.begun();
      this.board.set({ ...nothing(), modules: this.modules });
    } else this.board.paintNodes(nodes);
    this.board.element.dataset.watched = filled;
  }
}
