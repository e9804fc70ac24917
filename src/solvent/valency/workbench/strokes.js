// Draw on the board by dragging: every cell that is passed, or a rectangle from where it began to where it ends.

const POINTS = 8; // looked at between two events: a quick hand skips cells

export class Strokes {
  // `isDrawing()`: whether a drag draws; `isArea()`: whether a rectangle is drawn; `passed(nodes)` hears of the nodes so
  // far, and `done(nodes)` of each stroke that ended.
  constructor(board, { isDrawing, isArea, passed, done }) {
    Object.assign(this, { board, isDrawing, isArea, passed, done });
    this.nodes = null;
    const { element } = board;
    element.addEventListener("pointerdown", (event) => this.#begin(event));
    element.addEventListener("pointermove", (event) => this.#move(event));
    element.addEventListener("pointerup", () => this.#end());
    element.addEventListener("pointercancel", () => this.#drop());
  }

  #begin(event) {
    const node = this.board.nodeAt(event);
    if (!this.isDrawing() || event.button !== 0 || !event.isPrimary || node === null) return;
    event.preventDefault();
    this.board.element.setPointerCapture(event.pointerId);
    this.board.element.focus({ preventScroll: true });
    this.first = node;
    this.last = event;
    this.nodes = new Set([node]);
    this.#show();
  }

  #move(event) {
    if (!this.nodes) return;
    const size = this.nodes.size;
    if (this.isArea()) {
      const node = this.board.nodeAt(event);
      if (node !== null) this.nodes = new Set(this.board.between(this.first, node));
    } else {
      for (let part = 1; part <= POINTS; part++) {
        const [clientX, clientY] = ["clientX", "clientY"].map((axis) => this.last[axis] + ((event[axis] - this.last[axis]) * part) / POINTS);
        const node = this.board.nodeAt({ clientX, clientY });
        if (node !== null) this.nodes.add(node);
      }
    }
    this.last = event;
    if (this.isArea() || this.nodes.size !== size) this.#show();
  }

  #end() {
    const { nodes } = this;
    this.#drop();
    if (nodes) this.done([...nodes]);
  }

  #drop() {
    this.nodes = null;
    this.board.look.stroke = null;
    this.board.paintMarks();
  }

  #show() {
    this.board.look.stroke = this.nodes;
    this.passed([...this.nodes]);
    this.board.paintMarks();
  }
}
