// Play how a fill came about: which node was filled when.

import { figure } from "/static/format.js";
import { Player, wantsLessMotion } from "/static/player.js";

const USUAL_SECONDS = 3;

export class FillPlayer {
  constructor(board) {
    this.board = board;
    this.order = []; // nodes, in the order in which they were filled
    this.steps = []; // the step of each
    this.player = new Player({
      label: "Moment of the collapse",
      pace: 1,
      show: (at, before) => this.#show(at, before),
      text: (at) => `${figure(at)} of ${figure(this.order.length)}`,
      next: (at) => this.#next(at),
    });
    this.element = this.player.element;
    this.element.hidden = true;
  }

  // Show a fill that came with the step at which each node was filled. `before`: what stood there, if only what changed
  // is to be played. Without motion it stands there at once, and can be played.
  begin(modules, order, { before = null, leftOut = new Map(), play = true } = {}) {
    const { player, board } = this;
    player.pause();
    const changed = (node) => !before || before[node] !== modules[node];
    const nodes = order ? modules.map((_, node) => node).filter((node) => changed(node) && !board.empty.has(node) && !board.picks.has(node)) : [];
    nodes.sort((one, other) => order[one] - order[other] || one - other);
    // What was left out comes at the end, whenever the search came by.
    this.order = [...nodes.filter((node) => !leftOut.has(node)), ...nodes.filter((node) => leftOut.has(node))];
    this.steps = this.order.map((node) => (leftOut.has(node) ? Infinity : order[node]));
    const total = this.order.length;
    const isAnimated = play && total > 0 && !wantsLessMotion();
    this.shown = new Uint8Array(modules.length).fill(1);
    if (isAnimated) for (const node of this.order) this.shown[node] = 0;
    const seconds = before ? Math.min(USUAL_SECONDS, 0.6 + total / 100) : USUAL_SECONDS;
    Object.assign(player, { last: total, at: isAnimated ? 0 : total, pace: (1000 * seconds) / Math.max(1, total) });
    this.element.hidden = total === 0;
    board.set({ modules, shown: this.shown, faded: null, clash: null, leftOut });
    player.refresh();
    if (isAnimated) player.play();
  }

  // Nothing is played any more.
  end() {
    this.player.pause();
    this.element.hidden = true;
  }

  // A choice, with all that follows from it at once, is one step.
  #next(at) {
    let next = at + 1;
    while (next < this.order.length && this.steps[next] === this.steps[at]) next++;
    return next;
  }

  #show(at, before) {
    const { board, order } = this;
    for (const node of order.slice(at, before)) this.shown[node] = 0;
    if (at < before) return board.paint();
    const nodes = order.slice(before, at);
    for (const node of nodes) this.shown[node] = 1;
    board.paintNodes(nodes);
    if (at === order.length || board.look.leftOut.size) board.paintMarks();
    if (at === order.length) board.refreshDescription();
  }
}
